/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The libraries that a program's dynamic loader will find, without running anything; see program_libraries.c. */
#ifndef SPILE_ELF_PROGRAM_LIBRARIES_H
#define SPILE_ELF_PROGRAM_LIBRARIES_H

#include <glib.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/file_facts.h"
#include "common/sysroot.h"

struct library {
	const char *found; /* path by which the loader finds it */
	const char *path; /* the same file on this machine, without symbolic links */
	const char *real; /* its path on the target machine, without symbolic links */
};

struct library_search {
	struct arena *arena; /* owns the result */
	const struct sysroot *sysroot;
	struct file_facts *facts; /* records the files searched for; may be NULL */
};

/**
 * Append the loader of a program or library and the libraries that it needs, directly or not (struct library *), to @p
 * ret in the order in which they are found. Missing ones are skipped.
 *
 * @param[in] path Of @p elf, without symbolic links.
 */
void program_libraries(const struct library_search *given, Elf *elf, const char *path, GPtrArray *ret);

/** Append the libraries of these names (up to a NULL) that the loader would find if the program needed them. */
void program_find_libraries(const struct library_search *given, Elf *elf, const char *path, const char *const *names,
			    GPtrArray *ret);

/**
 * Find a library by its name alone in the loader's default directories, as for a program of this machine.
 *
 * @param[in] machine EM_...
 * @param[in] facts Records the files searched for; may be NULL.
 * @return Its path below the root directory, or NULL. Free with g_free().
 */
char *library_find(const struct sysroot *sysroot, uint16_t machine, const char *name, struct file_facts *facts);

/**
 * Like program_libraries(), of a file, with a result in @p arena. Libraries of a program of another architecture are in
 * its guest root. Append nothing for other files.
 */
void file_libraries(struct arena *arena, const char *path, GPtrArray *ret);

#endif
