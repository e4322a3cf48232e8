/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run programs of another system with the host's files; see build_root.c. */
#ifndef SPILE_COMMON_BUILD_ROOT_H
#define SPILE_COMMON_BUILD_ROOT_H

#include <stdbool.h>

/** Prepared data for entering a build root between fork() and exec(). */
struct build_root_entry;

/**
 * Prepare to enter a build root.
 *
 * @param[in] root The directory with the other system's usr and perhaps etc.
 * @param[in] directory The working directory inside: a directory of the host, or of the root's usr.
 * @return Free it with build_root_entry_free().
 */
struct build_root_entry *build_root_entry_new(const char *root, const char *directory);
void build_root_entry_free(struct build_root_entry *entry);

/** In a child process, switch to the programs and libraries of the root. Return false with errno on failure. */
bool build_root_enter(const struct build_root_entry *entry);

/** Does the root have a program of that name? */
bool build_root_has(const char *root, const char *program);

#endif
