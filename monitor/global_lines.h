/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write the globals of a running script as JSON lines; see global_lines.c. */
#ifndef SPILE_MONITOR_GLOBAL_LINES_H
#define SPILE_MONITOR_GLOBAL_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/error.h"

/* Names of the addresses in stacks; the module sends each only once. All zero: none yet. */
struct address_names {
	struct address_name *slots;
	size_t count, size; /* size: a power of two, or 0 */
};

struct address_name {
	uint64_t address;
	bool is_return;
	char *text; /* NULL: the slot is free */
	char *build_id; /* of the program or library, in hexadecimal; NULL: not known */
	uint64_t link_address; /* the address in that file */
};

/* Programs and libraries by the name of the file, without its directory. All zero: none. */
struct object_ids {
	struct object_id *slots;
	size_t count, size; /* size: a power of two, or 0 */
};

struct object_id {
	char *name; /* NULL: the slot is free */
	char *path; /* NULL: several files have this name */
	char *build_id; /* in hexadecimal; NULL: not known, or these files differ in it */
};

struct snapshot_lines {
	int file; /* the module's file "globals" */
	int64_t number; /* of the next snapshot */
	struct address_names names;
	struct object_ids objects;
};

/** Free what was remembered from the records. */
void snapshot_lines_clear(struct snapshot_lines *lines);

/**
 * Take a snapshot and write a "global" line for each variable, then a "snapshot" line. If begin or end probes run,
 * write nothing.
 *
 * @param[in] is_final It is the last one.
 */
struct error *snapshot_lines_write(struct snapshot_lines *lines, FILE *to, bool is_final);

/**
 * Write the lines of the records in @p data, which may be damaged: the fuzzer's entry to the function above.
 *
 * @return Whether the records are sound.
 */
bool snapshot_lines_of(struct snapshot_lines *lines, const char *data, size_t size, FILE *to, bool is_final);

#endif
