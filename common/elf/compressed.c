// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Open an ELF file that may be compressed as a whole, as kernel modules are. elfutils uncompresses gzip and xz; not all
 * distributions build it with zstd, in which those of Ubuntu and Fedora are compressed.
 */
#include "common/elf/compressed.h"

#include <elfutils/libdwelf.h>
#include <glib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "common/base/read_write.h"

/* Modules with debug symbols are far smaller. */
#define LARGEST_FILE (1ULL << 30)

static bool is_zstd(int fd)
{
	static const unsigned char magic[] = {0x28, 0xb5, 0x2f, 0xfd};
	unsigned char start[sizeof(magic)];

	return pread(fd, start, sizeof(start), 0) == sizeof(start) && !memcmp(start, magic, sizeof(magic));
}

/* Write what is in one input buffer. Return false if it is damaged or too large. */
static bool uncompress_input(ZSTD_DStream *stream, ZSTD_inBuffer *input, int to, uint64_t *total, bool *is_whole)
{
	enum { OUTPUT_BYTES = 1 << 17 };
	g_autofree char *memory = g_malloc(OUTPUT_BYTES);
	ZSTD_outBuffer output;

	do {
		size_t left;

		output = (ZSTD_outBuffer){memory, OUTPUT_BYTES, 0};
		left = ZSTD_decompressStream(stream, &output, input);
		*total += output.pos;
		if (ZSTD_isError(left) || *total > LARGEST_FILE || !write_all(to, memory, output.pos))
			return false;
		*is_whole = !left;
		/* After a full output buffer there may be more, even without further input. */
	} while (input->pos < input->size || (!*is_whole && output.pos == output.size));
	return true;
}

/* Uncompress a file into an unnamed one. Return its descriptor, or -1. */
static int uncompress(int from)
{
	enum { INPUT_BYTES = 1 << 17 };
	g_autofree char *memory = g_malloc(INPUT_BYTES);
	int to = memfd_create("module", MFD_CLOEXEC);
	ZSTD_DStream *stream = ZSTD_createDStream();
	bool is_good = to >= 0 && stream, is_whole = false;
	uint64_t total = 0;
	off_t offset = 0;
	ssize_t size;

	while (is_good && (size = pread(from, memory, INPUT_BYTES, offset)) != 0) {
		ZSTD_inBuffer input = {memory, (size_t)size, 0};

		is_good = size > 0 && uncompress_input(stream, &input, to, &total, &is_whole);
		offset += size;
	}
	ZSTD_freeDStream(stream);
	if (is_good && is_whole)
		return to;
	if (to >= 0)
		close(to);
	return -1;
}

Elf *elf_begin_compressed(int *fd)
{
	int uncompressed;

	if (is_zstd(*fd)) {
		uncompressed = uncompress(*fd);
		if (uncompressed < 0)
			return NULL;
		close(*fd);
		*fd = uncompressed;
	}
	return dwelf_elf_begin(*fd);
}
