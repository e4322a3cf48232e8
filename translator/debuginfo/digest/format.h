/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The digest: debuginfo of a kernel and some of its modules in one file, small enough to copy to other machines.
 *
 *     header, compressed sections one after the other, table of members, table of sections
 *
 * A member is the kernel or a module, with the sections that the readers need: the index (index/file.c), DWARF that
 * libdw reads (reduced by reduce.c), and the systems of tracepoints. Numbers are little-endian. A compressed section is
 * a sequence of one or more zstd frames, each of which records its uncompressed size.
 */
#ifndef SPILE_DEBUGINFO_DIGEST_FORMAT_H
#define SPILE_DEBUGINFO_DIGEST_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define DIGEST_MAGIC "spiledig"
#define DIGEST_VERSION 4
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
	uint64_t members, sections; /* file offsets of the tables */
	uint64_t checksum; /* digest_table_sum() */
	char release[DIGEST_NAME_SIZE];
};

struct digest_member {
	char name[DIGEST_NAME_SIZE]; /* "kernel" or the module's name */
	char build_id[DIGEST_BUILD_ID_SIZE];
	uint32_t first_section, section_count;
};

struct digest_section {
	char name[DIGEST_NAME_SIZE];
	uint64_t offset, stored_size; /* compressed by zstd; 0: header only, as in a file of debug symbols */
	uint64_t size;
	uint64_t address; /* address of an allocated section in the DWARF */
	uint32_t is_allocated, reserved;
	uint64_t checksum; /* checksum() of the compressed bytes */
};

/** Return the checksum of the two tables, whose lengths are those of the header. */
uint64_t digest_table_sum(const struct digest_header *header, const void *members, const void *sections);

#endif
