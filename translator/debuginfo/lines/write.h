/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing tables of source lines; see write.c. */
#ifndef SPILE_DEBUGINFO_LINES_WRITE_H
#define SPILE_DEBUGINFO_LINES_WRITE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/abi/line_table.h"

struct line_row {
	uint32_t address, file, line;
};

/* Rows [first, end) cover addresses up to `high` without a gap. */
struct line_sequence {
	uint32_t low, high;
	guint first, end;
};

/**
 * Write a table of source lines; return NULL if there are no rows.
 *
 * @param[in] base The address that address 0 of the rows stands for; 0 in tables of modules and programs.
 * @param[in] rows, sequences struct line_row, struct line_sequence; sequences are sorted here.
 * @param[in] starts Addresses of functions (uint32_t, sorted), or NULL. gcc for arm64 writes the first row of a
 *                   function behind the instructions for tracing at its entry, which would have the line of what is
 *                   before.
 * @param[in] files File names by number (const char *).
 * @param[in] sections struct stp_lines_section, whose names are filled in from @p section_names; may be empty.
 */
GByteArray *line_table_write(uint64_t base, const GArray *rows, GArray *sequences, const GArray *starts,
			     const GPtrArray *files, GArray *sections, const GPtrArray *section_names);

#endif
