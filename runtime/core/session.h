/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the session, and what stops its handlers. */
#ifndef SPILE_RUNTIME_CORE_SESSION_H
#define SPILE_RUNTIME_CORE_SESSION_H

#include <linux/atomic.h>

#include "runtime/core/internal.h"

struct dentry;
struct file;
struct inode;
struct poll_table_struct;
struct stp_snapshot_object;
struct stp_snapshot_symbol;

enum session_state {
	SESSION_LOADED, /* module in, nothing runs */
	SESSION_STARTING, /* begin probes run */
	SESSION_RUNNING, /* event probes may run */
	SESSION_STOPPING, /* events off; end probes run */
	SESSION_STOPPED,
};

SHARED extern atomic_t session_state;
SHARED extern atomic_t session_exit_requested;
SHARED extern atomic_t session_exit_status; /* 0 to 255 */
SHARED extern atomic_t session_failed; /* MAXERRORS passed, or a probe not armed: error probes run, not end probes */
SHARED extern pid_t session_target;
/* The namespaces of the staprun that has the control file open; NULL without one. */
SHARED extern struct pid_namespace *session_pids;
SHARED extern struct user_namespace *session_users;
/* The namespaces whose ids ns_pid(), ns_uid() and similar functions return; NULL without a staprun. */
SHARED extern struct pid_namespace *shown_pids;
SHARED extern struct user_namespace *shown_users;

static inline int session_is(enum session_state state)
{
	return atomic_read(&session_state) == state;
}

/* Why event handlers must not run, or must not take the shortest path. */
enum session_silence {
	SILENT_NOT_RUNNING = 1,
	SILENT_EXIT_REQUESTED = 2,
	SILENT_HELD = 4, /* contexts_hold() */
	SILENT_FOR_ALL = SILENT_NOT_RUNNING | SILENT_EXIT_REQUESTED | SILENT_HELD,
	SILENT_FOR_SOME = 8, /* probes are switched off: probe_is_off() */
	SILENT_NEVER_LIGHT = 16, /* each hit is timed */
	SILENT_OUTSIDE_GROUP = 32, /* for tasks that are not in the session's group: cgroup_filter_has() */
};
extern atomic_t session_silence;

/** Ask user space to stop the session. Any context. */
SHARED void session_request_exit(void);
/** Wake the reader of the control file. Any context: an irq_work does it. */
SHARED void session_wake(void);
/** Poll the control file: return whether anything happened since the last call. */
SHARED bool session_poll(struct file *file, struct poll_table_struct *table);
/** Wait for a running wake-up, before the module is unloaded. */
SHARED void session_wake_finish(void);

/* The script's directory in debugfs. */
SHARED extern struct dentry *session_directory;
/** Return the inode of the debugfs directory that all scripts share. Its lock serializes them. */
struct inode *session_common_inode(void);

/* A part of the runtime for scripts that name it in stp_script. All functions run in task context and may sleep. */
struct stp_part {
	int (*create)(struct dentry *directory);
	/** Called before the begin probes. */
	int (*start)(void);
	/** Called after the end probes. */
	void (*stop)(void);
	/**
	 * Name symbol->address of a program, as in begin and end probes, while none of these runs. Set the other
	 * members of @p symbol, and write the text and the build-id to @p to. If the length is 0, the address has no
	 * name.
	 */
	void (*symbol)(struct stp_snapshot_symbol *symbol, char *to, size_t size);
	/** Describe the program or library of a number in @p object and @p to. Return false after the last one. */
	bool (*object)(unsigned int number, struct stp_snapshot_object *object, char *to, size_t size);
	/** Called after the files in @p directory are removed, even if create() failed. */
	void (*destroy)(void);
};

#endif
