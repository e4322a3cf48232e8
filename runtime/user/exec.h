/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Noticing that a task executes a file. */
#ifndef SPILE_RUNTIME_USER_EXEC_H
#define SPILE_RUNTIME_USER_EXEC_H

#include "runtime/core/internal.h"

struct file;
struct task_struct;
struct tracepoint;

/* Must be static: it is used until exec_forget(). */
struct exec_watcher {
	/**
	 * Called before the current task executes a file, with its old memory; the exec may still fail. May sleep, but
	 * must not wait for a lock that is held across an exec. May be called after exec_ignore(). May be NULL.
	 */
	void (*begins)(const struct file *file);
	/** Called in a tracepoint after the exec: must not sleep. Not called after exec_ignore(). */
	void (*is_done)(struct task_struct *task, const struct file *file);
	struct exec_watcher *next; /* from here on private to exec.c */
	bool is_listed;
	struct tracepoint *tracepoint; /* NULL: is_done() is not called */
};

/** Register a watcher, once. Task context, one caller at a time. */
int exec_watch(struct exec_watcher *watcher);
void exec_ignore(struct exec_watcher *watcher);
/** Stop calling watchers and wait for running calls, before the module is unloaded. */
#ifdef STP_USER_SPACE
SHARED void exec_forget(void);
#else
static inline void exec_forget(void)
{
}
#endif

#endif
