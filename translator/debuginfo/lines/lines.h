/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source files and lines: names of files as users write them, how far code's lines go (files.c). */
#ifndef SPILE_DEBUGINFO_LINES_LINES_H
#define SPILE_DEBUGINFO_LINES_LINES_H

#include "translator/debuginfo/object/dwarf.h"

/* Names of source files, one copy each, shared by the threads that scan. */
struct file_names;

/** @p are_whole: they stay paths from the root; else what the packager's build folder was is taken off. */
struct file_names *file_names_new(bool are_whole);
void file_names_free(struct file_names *names);
/** Names of the files of a unit (const char *, indexed as DW_AT_decl_file), normalised and shared. */
GPtrArray *line_files(const struct dwarf_sections *sections, struct file_names *names, uint64_t line_offset,
		      const char *comp_dir, const char *unit_name, unsigned int offset_size);
/** Does a path match the pattern of a query at its tail ("fs/r*.c", "read_write.c")? */
bool file_matches(const char *path, const char *pattern);
/** "./", the build folder and the source folder taken off; the caller frees. */
char *file_normalise(const char *path, const char *comp_dir);
/**
 * Does code at [start, start + size), dwarf addresses, have a line of the file @p path that is @p line or a later one?
 * @p die is the offset of a DIE of its unit.
 */
bool line_is_reached(struct debuginfo *debuginfo, uint64_t die, uint64_t start, uint64_t size, const char *path,
		     int line);

#endif
