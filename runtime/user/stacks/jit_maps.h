/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JIT code: it is in no file, but a perf map (/tmp/perf-PID.map) may name it. */
#ifndef SPILE_RUNTIME_USER_STACKS_JIT_MAPS_H
#define SPILE_RUNTIME_USER_STACKS_JIT_MAPS_H

#include <linux/types.h>

#include "runtime/abi/object_table.h"
#include "runtime/core/internal.h"
#include "runtime/user/stacks/maps.h"

struct mm_struct;
struct task_struct;
struct vm_area_struct;

/**
 * Return the perf map (/tmp/perf-PID.map, which may not exist) of a process that has JIT code, or NULL. Any context,
 * under RCU.
 */
struct user_file *user_jit_map(const struct mm_struct *mm);
/** Return the table that names an address in any process whose stack was walked, and set *file; or return NULL. */
const struct stp_object_table *user_jit_names_anywhere(struct user_file **file, unsigned long address);

/**
 * Find the table, of *file or of the perf maps before it, that names an address. Set *file to its file. Return NULL if
 * none does. @p is_own is that of user_file_table().
 */
const struct stp_object_table *user_jit_names(struct user_file **file, unsigned long address, bool is_own);

/**
 * Return whether the area is for JIT code. Unlinked files (memfd) count too: JIT compilers map them twice, once to
 * write and once to execute.
 */
bool is_jit_code(const struct vm_area_struct *area);
/** Return whether the perf map is of the task's own process. One inherited by fork is of an ancestor. */
bool is_jit_map_of(const struct user_file *jit_map, struct task_struct *task);
/** Add a perf map for a process that has JIT code. Its mm must be known. */
void note_jit_code(struct task_struct *task, const struct mm_struct *mm, gfp_t flags);
/** Give a forked process the perf maps of its parent. Needs user_map_lock. */
void copy_jit_map(const struct mm_struct *mm, const struct user_memory *parent);

#endif
