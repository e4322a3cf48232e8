/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source files and lines: file names as users write them (files.c), and how far the lines of code reach. */
#ifndef SPILE_DEBUGINFO_LINES_LINES_H
#define SPILE_DEBUGINFO_LINES_LINES_H

#include "translator/debuginfo/object/dwarf.h"

/* Interned names of source files, shared by the scanning threads. */
struct file_names;

/**
 * Create an empty table. With @p are_whole, names stay absolute paths; otherwise the packager's build directory is
 * removed.
 */
struct file_names *file_names_new(bool are_whole);
void file_names_free(struct file_names *names);
/** Return the file names of a unit (const char *, indexed as DW_AT_decl_file), normalized and interned. */
GPtrArray *line_files(const struct dwarf_sections *sections, struct file_names *names, uint64_t line_offset,
		      const char *comp_dir, const char *unit_name);
/** Does the tail of a path match the pattern of a query ("fs/r*.c", "read_write.c")? */
bool file_matches(const char *path, const char *pattern);
/** Remove "./", the build directory and the source directory from a path. The caller frees the result. */
char *file_normalise(const char *path, const char *comp_dir);
/**
 * Return the name of a source file as in the index, from its name in the rows of the unit's line table, which may be
 * relative to where the unit was compiled. The caller frees it.
 */
char *line_file_name(const struct debuginfo *debuginfo, Dwarf_Die *unit, const char *source);
/**
 * Does code at [start, start + size) (dwarf addresses) come from @p path, at @p line or later? @p die is the offset of
 * any DIE of its unit.
 */
bool line_is_reached(struct debuginfo *debuginfo, uint64_t die, uint64_t start, uint64_t size, const char *path,
		     int line);

#endif
