// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Extracting the kernel from a boot image, as an ELF file.
 *
 * A bzImage (Documentation/arch/x86/boot.rst) contains vmlinux, compressed and without symbols and DWARF, but with all
 * loaded sections: code, data, BTF, notes, and the kallsyms tables. A machine always has the image of its own kernel,
 * so it is the source of facts when no debug symbols are installed. The payload's first bytes select the decompressor;
 * zstd and LZ4 are handled here, the others by elfutils.
 *
 * Other architectures have the kernel as it is in memory (raw_image.c), as such or compressed in a program for EFI
 * (drivers/firmware/efi/libstub/zboot-header.S).
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

/* Offsets in the header of a program for EFI. */
#define EFI_MAGIC 4
#define EFI_PAYLOAD_OFFSET 8
#define EFI_PAYLOAD_SIZE 12
#define EFI_COMPRESSION 24
#define EFI_HEADER_END 0x40

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

static bool has_magic_at(struct span file, size_t at, const char *magic)
{
	return file.size > at + strlen(magic) && memcmp(file.data + at, magic, strlen(magic)) == 0;
}

/* Return the payload of a program for EFI. After one that is not gzip comes the uncompressed size. */
static struct span find_efi_payload(struct span file)
{
	uint64_t start, length;

	if (file.size < EFI_HEADER_END || !has_magic_at(file, 0, "MZ") || !has_magic_at(file, EFI_MAGIC, "zimg"))
		return (struct span){NULL, 0};
	start = little_endian(file.data + EFI_PAYLOAD_OFFSET, 4);
	length = little_endian(file.data + EFI_PAYLOAD_SIZE, 4);
	if (!has_magic_at(file, EFI_COMPRESSION, "gzip"))
		length += SIZE_FIELD;
	if (length <= SIZE_FIELD || start > file.size || length > file.size - start)
		return (struct span){NULL, 0};
	return (struct span){file.data + start, length};
}

static struct span find_payload(struct span file)
{
	uint64_t start, length;

	if (file.size < HEADER_END || memcmp(file.data + HEADER_MAGIC, "HdrS", 4) != 0 ||
	    little_endian(file.data + PROTOCOL, 2) < FIRST_PROTOCOL_WITH_PAYLOAD)
		return find_efi_payload(file);
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

/* Open the uncompressed kernel in image->memory. */
static Elf *open_memory(struct image *image, size_t size)
{
	struct span content = {(const uint8_t *)image->memory, size};

	if (raw_image_is(content)) {
		char *wrapped = raw_image_wrap(content, &size);

		g_free(image->memory);
		image->memory = wrapped;
	}
	return elf_memory(image->memory, size);
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
	return is_done ? open_memory(image, size) : NULL;
}

Elf *image_open(const char *path, struct image **ret)
{
	g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);
	struct span content = {NULL, 0}, payload;
	size_t size;
	Elf *elf;

	*ret = NULL;
	if (file)
		content = (struct span){(const uint8_t *)g_mapped_file_get_contents(file),
					g_mapped_file_get_length(file)};
	payload = find_payload(content);
	if (!payload.size && !raw_image_is(content))
		return NULL;
	elf_version(EV_CURRENT);
	*ret = g_new0(struct image, 1);
	(*ret)->fd = -1;
	if (!payload.size) {
		(*ret)->memory = raw_image_wrap(content, &size);
		elf = elf_memory((*ret)->memory, size);
	} else {
		elf = open_payload(payload, *ret);
	}
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
