/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of split DWARF for libdw: see unit_files.c. */
#ifndef SPILE_DEBUGINFO_OBJECT_UNIT_FILES_H
#define SPILE_DEBUGINFO_OBJECT_UNIT_FILES_H

#include <glib.h>
#include <stdbool.h>

#include "translator/util/cleanup.h"

struct unit_file;

/** A file without sections, for unit_file_free(). */
struct unit_file *unit_file_new(void);
void unit_file_free(struct unit_file *file);
/** The bytes of a section, which is made if it is not there. @p name outlives the file. */
GByteArray *unit_file_section(struct unit_file *file, const char *name);
bool unit_file_has(const struct unit_file *file, const char *name);
/** The file is made, with its folder; there is none yet. False: it cannot be. */
bool unit_file_write(const struct unit_file *file, const char *path);

static inline void cleanup_unit_file(struct unit_file **file)
{
	unit_file_free(*file);
}
#define _cleanup_unit_file_ _cleanup_(cleanup_unit_file)

#endif
