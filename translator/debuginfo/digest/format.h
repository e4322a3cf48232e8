/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The digest: debuginfo of a kernel and some of its modules in one file that is small enough to be copied.
 *
 *     header, then compressed sections one after the other, then the members' table, then the sections' table
 *
 * A member is the kernel or a module, with the sections that the readers need: the index as index/file.c has it, DWARF
 * as libdw wants it (reduced by reduce.c), and the systems of tracepoints. Numbers are little-endian. A compressed
 * section is one frame of zstd or several behind each other, each of which says how long it is.
 */
#ifndef SPILE_DEBUGINFO_DIGEST_FORMAT_H
#define SPILE_DEBUGINFO_DIGEST_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define DIGEST_MAGIC "spiledig"
#define DIGEST_VERSION 3
#define DIGEST_INDEX ".spile.index"
#define DIGEST_TRACEPOINTS ".spile.tracepoints"
#define DIGEST_NAME_SIZE 64
#define DIGEST_BUILD_ID_SIZE 128

struct digest_header {
	char magic[8];
	uint32_t version;
	uint32_t member_count, section_count;
	uint32_t reserved;
	uint64_t size; /* of the file */
	uint64_t members, sections; /* where the tables are */
	uint64_t checksum; /* of the two tables */
	char release[DIGEST_NAME_SIZE];
};

struct digest_member {
	char name[DIGEST_NAME_SIZE]; /* "kernel" or the module's name */
	char build_id[DIGEST_BUILD_ID_SIZE];
	uint32_t first_section, section_count;
};

struct digest_section {
	char name[DIGEST_NAME_SIZE];
	uint64_t offset,
		stored_size; /* compressed by zstd; 0: only the header is there, as in a file of debug symbols */
	uint64_t size;
	uint64_t address; /* where the DWARF believes an allocated section to be */
	uint32_t is_allocated, reserved;
	uint64_t checksum; /* of what is stored */
};

/** A checksum for accidents, not for malice. */
uint64_t digest_checksum(const void *memory, size_t size);

#endif
