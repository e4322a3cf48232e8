/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The libraries that a program's dynamic loader will find, without running anything; see program_libraries.c. */
#ifndef SPILE_DEBUGINFO_OBJECT_PROGRAM_LIBRARIES_H
#define SPILE_DEBUGINFO_OBJECT_PROGRAM_LIBRARIES_H

#include <glib.h>
#include <libelf.h>
#include <stdbool.h>

#include "translator/util/arena.h"
#include "translator/util/file_facts.h"
#include "translator/util/sysroot.h"

struct library {
	const char *found; /* the loader's path of it */
	const char *path; /* the same without symbolic links, here */
};

struct library_search {
	struct arena *arena; /* of the result */
	const struct sysroot *sysroot;
	struct file_facts *facts; /* of files that were looked for; may be NULL */
	bool is_32_bit;
};

/**
 * The libraries that a program or library needs, its loader, and those that they need (struct library *), appended to
 * @p ret in the order in which they are found. What is not found is left out.
 *
 * @param[in] path Of @p elf, without symbolic links.
 */
void program_libraries(const struct library_search *given, Elf *elf, const char *path, GPtrArray *ret);

/** Those of these names (up to a NULL) that the loader would find if the program needed them. */
void program_find_libraries(const struct library_search *given, Elf *elf, const char *path, const char *const *names,
			    GPtrArray *ret);

/** As program_libraries(), of a file of this machine, with a result in @p arena; nothing if it is no program. */
void file_libraries(struct arena *arena, const char *path, GPtrArray *ret);

#endif
