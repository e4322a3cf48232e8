/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who may do what, and giving up what is not needed; see privilege.c. */
#ifndef SPILE_STAPRUN_PRIVILEGE_H
#define SPILE_STAPRUN_PRIVILEGE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "translator/util/error.h"

/** What the invoking user may load. */
enum access {
	ACCESS_STAPUSR, /* modules in /lib/modules/RELEASE/systemtap, and those signed for stapusr */
	ACCESS_STAPSYS, /* the same, and what is signed for stapsys */
	ACCESS_ALL,
};

/** Before anything else: descriptors 0 to 2 exist, no other is open. */
void privilege_clean_descriptors(void);

/**
 * Reduce the environment to an allow list.
 *
 * @return The environment before, for programs run as the user (privilege_become_user()).
 */
char **privilege_clean_environment(void);

/** May the invoking user use staprun at all, and for what? */
struct error *privilege_check(enum access *access);

/** May who has this access load a signed module that was made for @p group (stap --privilege)? */
struct error *privilege_allows(enum access access, const char *group);

/** Can nobody but root write to it? */
bool privilege_is_roots_alone(const struct stat *status);
/** The same as an error, which says how to make it so. */
struct error *privilege_check_roots_alone(const char *path, const struct stat *status);

/** Act with the invoking user's identity for a while, and back. No effect when he is root. */
void privilege_as_user(void);
void privilege_as_root(void);

/** Keep only what loading and watching a module takes. Identity changes of child processes are still possible. */
struct error *privilege_limit(void);
/** The same without the power to change identity: no child process will need it any more. */
struct error *privilege_limit_more(void);

/** In a child process: be the invoking user for good, with what he may do himself. */
struct error *privilege_become_user(void);

/**
 * In the reader: as privilege_become_user(), and without any capability. Only when the user is root himself it keeps
 * the one to remove the module, for the case that the loader was killed.
 */
struct error *privilege_drop(void);

#endif
