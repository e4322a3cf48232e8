/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The aliases syscall.*; see syscall_aliases.c. */
#ifndef SPILE_PROBES_SYSCALL_ALIASES_H
#define SPILE_PROBES_SYSCALL_ALIASES_H

#include "translator/translation.h"

/** Add the system call aliases that a point may name (syscall.openat…) to the library, each once. */
void provide_syscall_aliases(struct translation *t, const struct probe_point *point);
/** Return whether the point begins with "__syscall", the family that those aliases expand to. No alias matches it. */
bool is_syscall_row(const struct probe_point *point);
/**
 * Suggest names for an unknown system call and set @p culprit to the component that names it. Return NULL if no name is
 * near, or if the point is not one of a system call.
 */
const GPtrArray *near_syscalls(struct translation *t, const struct probe_point *point,
			       const struct probe_component **culprit);
/** Append all variables that the aliases can set in a system call's probe, used or not. Ignore other probes. */
void syscall_variable_names(const struct derived_probe *probe, GPtrArray *names);
/** Add all aliases syscall.*, for lists. */
void provide_all_syscall_aliases(struct translation *t);

#endif
