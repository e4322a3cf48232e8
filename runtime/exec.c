// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Noticing that a task executes a file: before the exec is complete, where one may sleep, and when it is.
 *
 * The only place before that is offered to modules is that of binary formats: ours is asked first, and says that the
 * file is none of its own. Completion is what the tracepoint sched_process_exec tells.
 *
 * The format is unregistered when the module is unloaded, and not when the script stops: until then the kernel's list
 * may be held by a process inside of it. So watchers are never taken from the list either; those that watch no more
 * have nothing to do when they are called.
 */
#include <linux/binfmts.h>
#include <linux/tracepoint.h>

#include "internal.h"

static struct exec_watcher *exec_watchers; /* grows at the front, while execs may look at it */
static bool format_registered;

static int see_exec(struct linux_binprm *binary)
{
	struct exec_watcher *watcher = smp_load_acquire(&exec_watchers);

	for (; watcher; watcher = watcher->next)
		watcher->begins(binary->file);
	return -ENOEXEC;
}

static struct linux_binfmt format = {
	.module = THIS_MODULE,
	.load_binary = see_exec,
};

static void notrace see_exec_done(void *data, struct task_struct *task, pid_t old_pid, struct linux_binprm *binary)
{
	STAYS_HERE;
	const struct exec_watcher *watcher = data;

	watcher->is_done(task, binary->file);
}

/* Have begins() called. */
static void list_watcher(struct exec_watcher *watcher)
{
	/* One that watches anew is in the list still. */
	if (!watcher->is_listed) {
		watcher->is_listed = true;
		watcher->next = exec_watchers;
		smp_store_release(&exec_watchers, watcher);
	}
	if (!format_registered)
		insert_binfmt(&format);
	format_registered = true;
}

int exec_watch(struct exec_watcher *watcher)
{
	struct tracepoint *tracepoint = find_kernel_tracepoint("sched_process_exec");
	int error;

	if (!tracepoint)
		return -EOPNOTSUPP;
	error = tracepoint_probe_register(tracepoint, see_exec_done, watcher);
	if (error)
		return error;
	watcher->tracepoint = tracepoint;
	if (watcher->begins)
		list_watcher(watcher);
	return 0;
}

void exec_ignore(struct exec_watcher *watcher)
{
	if (!watcher->tracepoint)
		return;
	tracepoint_probe_unregister(watcher->tracepoint, see_exec_done, watcher);
	tracepoint_synchronize_unregister();
	watcher->tracepoint = NULL;
}

void exec_forget(void)
{
	if (format_registered)
		unregister_binfmt(&format);
	format_registered = false;
}
