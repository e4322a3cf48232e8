/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filters of system calls (seccomp) for the processes of a compile server; see system_calls.c. */
#ifndef SPILE_SERVER_SYSTEM_CALLS_H
#define SPILE_SERVER_SYSTEM_CALLS_H

#include <stdbool.h>
#include <stddef.h>

/** Let this process make only the given system calls from now on; others fail with EPERM. Return false on failure. */
bool system_calls_allow_only(const int *calls, size_t count);

/**
 * Return a descriptor of the filter for translations, which bubblewrap reads (--seccomp), or -1 with errno.
 *
 * @param allows_namespaces Whether translations may make namespaces and mounts, for build roots.
 */
int system_calls_of_sandbox(bool allows_namespaces);

#endif
