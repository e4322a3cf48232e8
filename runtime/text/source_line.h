/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source lines of kernel addresses, and any source line as text. */
#ifndef SPILE_RUNTIME_TEXT_SOURCE_LINE_H
#define SPILE_RUNTIME_TEXT_SOURCE_LINE_H

#include "runtime/core/internal.h"

/** Return the line, and the file, of an address; 0 if unknown. */
unsigned int source_line(unsigned long address, const char **file);
/** Write a line, a file or both to a string of the script, or the address in hex if @p line is 0. */
void put_source_line(char *to, unsigned long address, unsigned int line, const char *file, enum stp_line_parts parts);

#endif
