// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Extracting the kernel's ELF file from a boot image.
 *
 * A bzImage (Documentation/arch/x86/boot.rst) contains vmlinux, compressed and without symbols and DWARF, but with all
 * loaded sections: code, data, BTF, notes, and the kallsyms tables. A machine always has the image of its own kernel,
 * so it is the source of facts when no debug symbols are installed. The payload's first bytes select the decompressor;
 * zstd and LZ4 are handled here, the others by elfutils.
 */
#include "translator/debuginfo/kernel/kernel.h"

#include <elfutils/libdwelf.h>
#include <lz4.h>
#include <string.h>
#include <sys/mman.h>
#include <zstd.h>

#include "common/base/cleanup.h"
#include "common/base/read_write.h"

/* Offsets in the setup header. */
#define SETUP_SECTORS 0x1f1
#define HEADER_MAGIC 0x202
#define PROTOCOL 0x206
#define PAYLOAD_OFFSET 0x248
#define PAYLOAD_LENGTH 0x24c
#define HEADER_END 0x250

#define FIRST_PROTOCOL_WITH_PAYLOAD 0x208
#define SECTOR 512
/* The payload ends with the uncompressed size, except for gzip, which has its own field. */
#define SIZE_FIELD 4
#define LARGEST_KERNEL (512u << 20)
#define LZ4_LEGACY_BLOCK (8u << 20)

struct image {
	char *memory; /* the ELF file */
	int fd; /* an unnamed file for elfutils to uncompress; else -1 */
};

static uint64_t little_endian(const uint8_t *bytes, unsigned int size)
{
	struct reader reader = {bytes, bytes + size, false};

	return read_unsigned(&reader, size);
}

static struct span find_payload(struct span file)
{
	uint64_t start, length;

	if (file.size < HEADER_END || memcmp(file.data + HEADER_MAGIC, "HdrS", 4) != 0 ||
	    little_endian(file.data + PROTOCOL, 2) < FIRST_PROTOCOL_WITH_PAYLOAD)
		return (struct span){NULL, 0};
	start = (file.data[SETUP_SECTORS] ? file.data[SETUP_SECTORS] : 4) + 1;
	start = start * SECTOR + little_endian(file.data + PAYLOAD_OFFSET, 4);
	length = little_endian(file.data + PAYLOAD_LENGTH, 4);
	if (length <= SIZE_FIELD || start > file.size || length > file.size - start)
		return (struct span){NULL, 0};
	return (struct span){file.data + start, length};
}

/* Uncompress the "LZ4 legacy" format: blocks of 8 MB, each preceded by its compressed size. */
static bool uncompress_lz4(struct span payload, char *to, size_t size)
{
	size_t done = 0;

	for (size_t at = 4; done < size && at + 4 <= payload.size;) {
		size_t block = little_endian(payload.data + at, 4);
		int got;

		at += 4;
		if (block > payload.size - at)
			return false;
		got = LZ4_decompress_safe((const char *)payload.data + at, to + done, (int)block,
					  (int)MIN(size - done, LZ4_LEGACY_BLOCK));
		if (got <= 0)
			return false;
		done += (size_t)got;
		at += block;
	}
	return done == size;
}

static bool has_magic(struct span payload, const char *magic, size_t size)
{
	return payload.size > size && memcmp(payload.data, magic, size) == 0;
}

/* elfutils reads gzip, bzip2 and xz, but only from files. */
static Elf *open_by_elfutils(struct span payload, struct image *image)
{
	size_t size = has_magic(payload, "\x1f\x8b", 2) ? payload.size : payload.size - SIZE_FIELD;

	image->fd = memfd_create("kernel", MFD_CLOEXEC);
	if (image->fd < 0 || !write_all(image->fd, (const char *)payload.data, size))
		return NULL;
	return dwelf_elf_begin(image->fd);
}

static Elf *open_payload(struct span payload, struct image *image)
{
	uint64_t size = little_endian(payload.data + payload.size - SIZE_FIELD, SIZE_FIELD);
	bool is_zstd = has_magic(payload, "\x28\xb5\x2f\xfd", 4), is_done;

	if (!is_zstd && !has_magic(payload, "\x02\x21\x4c\x18", 4))
		return open_by_elfutils(payload, image);
	if (!size || size > LARGEST_KERNEL)
		return NULL;
	image->memory = g_malloc(size);
	if (is_zstd)
		is_done = ZSTD_decompress(image->memory, size, payload.data, payload.size - SIZE_FIELD) == size;
	else
		is_done = uncompress_lz4(payload, image->memory, size);
	return is_done ? elf_memory(image->memory, size) : NULL;
}

Elf *image_open(const char *path, struct image **ret)
{
	g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);
	struct span payload = {NULL, 0};
	Elf *elf;

	*ret = NULL;
	if (file)
		payload = find_payload((struct span){(const uint8_t *)g_mapped_file_get_contents(file),
						     g_mapped_file_get_length(file)});
	if (!payload.size)
		return NULL;
	elf_version(EV_CURRENT);
	*ret = g_new0(struct image, 1);
	(*ret)->fd = -1;
	elf = open_payload(payload, *ret);
	if (!elf) {
		image_free(*ret);
		*ret = NULL;
	}
	return elf;
}

void image_free(struct image *image)
{
	if (!image)
		return;
	if (image->fd >= 0)
		close(image->fd);
	g_free(image->memory);
	g_free(image);
}
