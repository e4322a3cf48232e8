/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of a program or library (runtime/object_table.h), made of its ELF file and the files of debug symbols that
 * belong to it: for user-space stacks. It stands apart from the rest of debuginfo/: stap-tables, which makes such
 * tables while a script runs, is this and little else.
 */
#ifndef SPILE_DEBUGINFO_UNWIND_UNWIND_H
#define SPILE_DEBUGINFO_UNWIND_UNWIND_H

#include <glib.h>
#include <stdbool.h>

#include "translator/util/error.h"

/** Is a file a program or library (and not an object file, as modules of the kernel are)? */
bool object_is_program(const char *path);

/**
 * Make the table of a file.
 *
 * @param[in] fd The file; stays open. -1: the one at @p path.
 * @param[in] path What messages call it, and what its debug symbols are looked for by if it has no build-id.
 * @param[in] with_lines Source lines as well, if there is DWARF.
 * @return ERROR_DEBUGINFO: it is no ELF file of a program or library, or one for another machine.
 */
struct error *object_table_make(int fd, const char *path, bool with_lines, GByteArray **ret);

/**
 * The same, kept in a cache by the build-id of the file, or by what is in it.
 *
 * @param[in] cache_folder NULL: none.
 * @param[out] kept The entry of the cache (behind CACHE_HEAD_LENGTH bytes), the caller frees; NULL: it is not kept.
 */
struct error *object_table_get(int fd, const char *path, bool with_lines, const char *cache_folder, GByteArray **ret,
			       char **kept);

/**
 * The table of code that a program makes while it runs, of what perf's files say: lines of address and size in
 * hexadecimal and a name. NULL: there are none.
 */
GByteArray *object_table_of_names(const char *text);

#endif
