/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which file a process runs. */
#ifndef SPILE_RUNTIME_USER_PROGRAM_FILE_H
#define SPILE_RUNTIME_USER_PROGRAM_FILE_H

#include <linux/types.h>

#include "runtime/core/internal.h"

struct file;
struct path;
struct task_struct;

/* Identifies a file without a reference, which would prevent unmounting its file system. */
struct program_file {
	unsigned long inode;
	dev_t device;
	u32 generation;
};

/** Find a program with the kernel's rights; search the usual directories for a name without a slash. */
int find_program(const char *name, struct path *path);
SHARED struct program_file program_file_of(const struct path *path);
SHARED int program_identify(const char *name, struct program_file *ret);
SHARED int compare_program_files(const struct program_file *left, const struct program_file *right);
SHARED bool is_program_file(const struct program_file *program, const struct file *file);
SHARED bool task_runs_program(const struct program_file *program, struct task_struct *task);
/** Identify the program that a task runs. Return false for kernel threads and exiting tasks. */
SHARED bool task_program_file(struct task_struct *task, struct program_file *ret);
/** Do the same for the current task, in any context. */
SHARED bool current_program_file(struct program_file *ret);

#endif
