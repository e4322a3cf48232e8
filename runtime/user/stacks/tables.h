/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of files. */
#ifndef SPILE_RUNTIME_USER_STACKS_TABLES_H
#define SPILE_RUNTIME_USER_STACKS_TABLES_H

#include "runtime/abi/object_table.h"
#include "runtime/core/internal.h"
#include "runtime/user/stacks/maps.h"

struct dentry;
struct task_struct;

/**
 * Return whether tables that an ordinary user's stap-tables made may be used, and requested, for the process: whether
 * that user may ptrace() it. Return true if no such user can make any. Any context.
 */
bool user_tables_are_for(struct task_struct *task);

/**
 * Return the table of a range's file, or NULL. Request the table if it may become available. Any context.
 *
 * @param is_current Whether the range belongs to the current process.
 * @param is_own From user_tables_are_for() for the process of the range.
 */
const struct stp_object_table *user_table(const struct user_range *range, bool is_current, bool is_own);

/**
 * Find the table, of *file or of the perf maps before it, that names an address of the current process. Set *file to
 * its file. If no table names the address, request the tables, repeatedly at intervals. Return NULL then.
 */
const struct stp_object_table *user_jit_table(struct user_file **file, unsigned long address, bool is_own);
void user_table_start(void);
int user_table_create(struct dentry *directory);
void user_table_destroy(void);

#endif
