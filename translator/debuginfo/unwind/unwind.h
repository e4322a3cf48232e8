/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The unwind table of a program or library (runtime/abi/object_table.h) for user-space stacks, made from its ELF file
 * and its files of debug symbols. This directory depends on nothing else in debuginfo/, because stap-tables, which
 * makes such tables while a script runs, consists of little more than it.
 */
#ifndef SPILE_DEBUGINFO_UNWIND_UNWIND_H
#define SPILE_DEBUGINFO_UNWIND_UNWIND_H

#include <glib.h>
#include <stdbool.h>

#include "common/base/error.h"

/** Is a file a program or library (not an object file, such as a kernel module)? */
bool object_is_program(const char *path);

/**
 * Make the table of a file.
 *
 * @param[in] fd The file, which stays open; -1 to open @p path.
 * @param[in] path The name in messages. Debug symbols are found by it if the file has no build-id.
 * @param[in] with_lines Include source lines if there is DWARF.
 * @return ERROR_DEBUGINFO: not an ELF program or library, or for another machine.
 */
struct error *object_table_make(int fd, const char *path, bool with_lines, GByteArray **ret);

/**
 * Like object_table_make(), with a cache keyed by the file's build-id or by its contents.
 *
 * @param[in] cache_directory NULL: do not cache.
 * @param[out] kept The cache entry that holds the table (after CACHE_HEAD_LENGTH bytes), to be freed by the caller;
 *            NULL if it was not cached.
 */
struct error *object_table_get(int fd, const char *path, bool with_lines, const char *cache_directory, GByteArray **ret,
			       char **kept);

/**
 * Make the table of JIT code from the text of a perf map file: lines of address and size in hexadecimal and a name.
 * NULL if there are no such lines.
 */
GByteArray *object_table_of_names(const char *text);

#endif
