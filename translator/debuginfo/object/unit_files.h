/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing files of split DWARF for libdw; see unit_files.c. */
#ifndef SPILE_DEBUGINFO_OBJECT_UNIT_FILES_H
#define SPILE_DEBUGINFO_OBJECT_UNIT_FILES_H

#include <glib.h>
#include <libelf.h>
#include <stdbool.h>

#include "common/base/cleanup.h"

struct unit_file;

/** Create a file without sections, for the machine of another; free it with unit_file_free(). */
struct unit_file *unit_file_new(Elf *like);
void unit_file_free(struct unit_file *file);
/** Return the bytes of a section, which is added if missing. @p name must outlive the file. */
GByteArray *unit_file_section(struct unit_file *file, const char *name);
bool unit_file_has(const struct unit_file *file, const char *name);
/** Write the file, which must not exist, and create its directory. Return false on failure. */
bool unit_file_write(const struct unit_file *file, const char *path);

static inline void cleanup_unit_file(struct unit_file **file)
{
	unit_file_free(*file);
}
#define _cleanup_unit_file_ _cleanup_(cleanup_unit_file)

#endif
