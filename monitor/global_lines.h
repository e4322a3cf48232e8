/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write the globals of a running script as JSON lines; see global_lines.c. */
#ifndef SPILE_MONITOR_GLOBAL_LINES_H
#define SPILE_MONITOR_GLOBAL_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/error.h"

/* Names of the addresses in stacks, which the module tells once. All zero: none yet. */
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

void address_names_clear(struct address_names *names);

struct snapshot_lines {
	int file; /* the module's file "globals" */
	int64_t number; /* of the next snapshot */
	struct address_names names;
};

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
