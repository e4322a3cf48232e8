/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of source lines, written; see write.c. */
#ifndef SPILE_DEBUGINFO_LINES_WRITE_H
#define SPILE_DEBUGINFO_LINES_WRITE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/line_table.h"

struct line_row {
	uint32_t address, file, line;
};

/* Rows [first, end) go on without a gap up to the address `high`. */
struct line_sequence {
	uint32_t low, high;
	guint first, end;
};

/**
 * The table of rows; NULL: there are none.
 *
 * @param[in] rows, sequences struct line_row, struct line_sequence; these are sorted.
 * @param[in] files Their names, by number (const char *).
 * @param[in] sections struct stp_lines_section, of which the names are given apart and filled in; may be empty.
 */
GByteArray *line_table_write(const GArray *rows, GArray *sequences, const GPtrArray *files, GArray *sections,
			     const GPtrArray *section_names);

#endif
