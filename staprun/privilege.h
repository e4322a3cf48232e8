/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Permissions of the invoking user, and dropping of privileges; see privilege.c. */
#ifndef SPILE_STAPRUN_PRIVILEGE_H
#define SPILE_STAPRUN_PRIVILEGE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "common/base/error.h"

/** The modules that the invoking user may load. */
enum access {
	ACCESS_STAPUSR, /* modules in /lib/modules/RELEASE/systemtap, and modules signed for stapusr */
	ACCESS_STAPSYS, /* as ACCESS_STAPUSR, and modules signed for stapsys */
	ACCESS_ALL,
};

/** Ensure that descriptors 0 to 2 are open, and close all from @p first on. Call this before anything else. */
void privilege_clean_descriptors(unsigned int first);

/**
 * Reduce the environment to an allow list.
 *
 * @return The original environment, for programs that run as the user (privilege_become_user()).
 */
char **privilege_clean_environment(void);

/** Check whether the invoking user may use staprun, and find what they may load. */
struct error *privilege_check(enum access *access);

/** Check whether a user with this access may load a signed module built for @p group (stap --privilege). */
struct error *privilege_allows(enum access access, const char *group);

/** Return whether only root can write to the file. */
bool privilege_is_roots_alone(const struct stat *status);
/** Return an error with a chmod hint unless only root can write to the file. */
struct error *privilege_check_roots_alone(const char *path, const struct stat *status);

/** Switch the effective ids to the invoking user, and back with privilege_as_root(). No effect if the user is root. */
void privilege_as_user(void);
void privilege_as_root(void);

/** Keep only the capabilities needed to load and watch a module. Child processes can still change identity. */
struct error *privilege_limit(void);
/** Also drop the capabilities to change identity. Call this when no child process needs them any longer. */
struct error *privilege_limit_more(void);

/** Become the invoking user for good, with all their own rights. Call this in a child process. */
struct error *privilege_become_user(void);

/**
 * Become the invoking user without any capability, in the reader. If the user is root, keep CAP_SYS_MODULE so that the
 * reader can remove the module after the loader was killed.
 */
struct error *privilege_drop(void);

#endif
