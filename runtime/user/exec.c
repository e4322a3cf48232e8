// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Callbacks for exec: one before the exec is complete, which may sleep, and one when it is complete.
 *
 * Modules can only run code before completion by registering a binary format. Ours is called first, and always returns
 * that the file has another format. The tracepoint sched_process_exec reports the completion.
 *
 * The format is unregistered when the module is unloaded, not when the script stops, because a process inside the
 * format holds the kernel's list until then. Hence watchers are never removed from our list either; begins() must do
 * nothing after exec_ignore().
 */
#include <linux/binfmts.h>
#include <linux/tracepoint.h>

#include "runtime/compat/compat.h"
#include "runtime/core/internal.h"
#include "runtime/core/pin_cpu.h"
#include "runtime/core/tracepoint_hook.h"
#include "runtime/user/exec.h"

static struct exec_watcher *exec_watchers; /* prepended to while execs may read it */
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
	PIN_CPU;
	const struct exec_watcher *watcher = data;

	watcher->is_done(task, binary->file);
}

/* Have begins() called from now on. */
static void list_watcher(struct exec_watcher *watcher)
{
	/* A watcher that was used before is still in the list. */
	if (!watcher->is_listed) {
		watcher->is_listed = true;
		watcher->next = exec_watchers;
		smp_store_release(&exec_watchers, watcher); /* pairs with the acquire in see_exec() */
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
