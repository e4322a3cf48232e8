// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Load and unload. Loading only allocates. The module can be unloaded in every state.
 */
#include <linux/dcache.h>
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/overflow.h>

#include "runtime/abi/protocol.h"
#include "runtime/control/control.h"
#include "runtime/control/monitor.h"
#include "runtime/control/run.h"
#include "runtime/control/snapshot.h"
#include "runtime/core/allocation.h"
#include "runtime/core/cgroup_filter.h"
#include "runtime/core/condition.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/lock.h"
#include "runtime/core/module_notifier.h"
#include "runtime/core/session.h"
#include "runtime/core/target.h"
#include "runtime/core/transport.h"
#include "runtime/data/globals.h"
#include "runtime/library/signal.h"
#include "runtime/probes/kretprobe.h"
#include "runtime/user/exec.h"

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Spile script");

/*
 * Return the directory that all scripts share. debugfs cannot open or create a directory in one call, and another
 * script may create it at the same time.
 */
static struct dentry *common_directory(void)
{
	struct dentry *common = debugfs_lookup(STP_DEBUGFS_DIRECTORY, NULL);

	if (common) {
		dput(common); /* it stays, because no script removes it */
		return common;
	}
	common = debugfs_create_dir(STP_DEBUGFS_DIRECTORY, NULL);
	if (PTR_ERR_OR_ZERO(common) == -EEXIST) {
		common = debugfs_lookup(STP_DEBUGFS_DIRECTORY, NULL);
		if (common)
			dput(common);
	}
	return common;
}

static void session_destroy(void)
{
	modules_ignore();
	exec_forget();
	signals_finish();
	session_wake_finish();
	/* relay_close() removes its files one by one; they must still exist. */
	transport_destroy();
	debugfs_remove(session_directory);
	if (stp_script.user_stacks)
		stp_script.user_stacks->destroy();
	globals_destroy();
	locks_destroy();
	targets_destroy();
	conditions_destroy();
	contexts_destroy();
	cgroup_filter_clear();
}

/* Estimate the memory that return probes need for the calls in progress. */
static size_t calls_memory(void)
{
	enum { CALL_OVERHEAD = 128 };
	size_t calls = 0, size = 0;
	unsigned int i;

	for (i = 0; i < stp_script.probe_count; i++) {
		const struct stp_probe *probe = &stp_script.probes[i];

		if (probe->kind == STP_PROBE_KRETPROBE)
			calls += probe->maxactive ?: default_maxactive();
		else if (probe->kind == STP_PROBE_URETPROBE || probe->kind == STP_PROBE_SYSCALL)
			calls += probe->maxactive;
		size = max_t(size_t, size, probe->entry_size);
	}
	return array_size(calls, size + CALL_OVERHEAD);
}

static int session_create(void)
{
	int error;

	error = memory_take(calls_memory()) ? contexts_create() : -ENOMEM;
	error = error ?: conditions_create();
	error = error ?: targets_create();
	error = error ?: locks_create();
	error = error ?: globals_create();
	if (error)
		return error;
	session_directory = debugfs_create_dir(THIS_MODULE->name, common_directory());
	if (IS_ERR(session_directory)) {
		error = PTR_ERR(session_directory);
		session_directory = NULL;
		return error;
	}
	error = transport_create(session_directory);
	if (error)
		return error;
	error = control_create(session_directory);
	error = error ?: monitor_create(session_directory);
	error = error ?: snapshot_create(session_directory);
	if (!error && stp_script.user_stacks)
		error = stp_script.user_stacks->create(session_directory);
	if (!error)
		modules_watch();
	return error;
}

static int __init spile_init(void)
{
	int error;

	if (stp_script.layout != STP_LAYOUT_VERSION) {
		pr_err("%s: built for another version of the Spile runtime\n", THIS_MODULE->name);
		return -EINVAL;
	}
	error = session_create();
	/* It is last, so that there is nothing to undo after it. */
	if (!error && stp_script.load_hook)
		error = stp_script.load_hook();
	if (error > 0) {
		pr_err("%s: STAP_MODULE_INIT_HOOK returned %d, which is no error number\n", THIS_MODULE->name, error);
		error = -EINVAL;
	}
	if (error)
		session_destroy();
	return error;
}

static void __exit spile_exit(void)
{
	session_stop(false);
	if (stp_script.unload_hook)
		stp_script.unload_hook();
	session_destroy();
	control_forget_namespaces();
}

/* The kernel calls these: keep them although the runtime is compiled with -fwhole-program. */
STP_USED int init_module(void);
STP_USED void cleanup_module(void);

module_init(spile_init);
module_exit(spile_exit);
