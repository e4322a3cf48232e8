/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs of another system than the host's, run among the host's files; see build_root.c. */
#ifndef SPILE_UTIL_BUILD_ROOT_H
#define SPILE_UTIL_BUILD_ROOT_H

#include <stdbool.h>

/** What is needed to enter a build root between fork() and exec(), found out beforehand. */
struct build_root_entry;

/**
 * @param[in] root The folder that has the other system's usr and, perhaps, etc.
 * @param[in] folder The working folder inside; a folder of the host's, or of the root's usr.
 * @return To be freed with build_root_entry_free().
 */
struct build_root_entry *build_root_entry_new(const char *root, const char *folder);
void build_root_entry_free(struct build_root_entry *entry);

/** In a child: from here on, programs and libraries are those of the root. False: errno tells why not. */
bool build_root_enter(const struct build_root_entry *entry);

/** Does the root have a program of that name? */
bool build_root_has(const char *root, const char *program);

#endif
