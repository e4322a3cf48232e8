/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations that the runtime's files share and that scripts do not see. The life of a session is described in
 * doc/runtime.md.
 */
#ifndef SPILE_RUNTIME_INTERNAL_H
#define SPILE_RUNTIME_INTERNAL_H

#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "runtime/script/script.h"
#include "runtime/abi/protocol.h"
#include "runtime/abi/regex_match.h"

/*
 * Inlined because it runs on every hit; the call would cost more than the body. A HOT function may be declared before
 * it is defined, because all its callers are in the same translation unit (unit_fast.c).
 */
#ifndef HOT
#define HOT static __always_inline
#endif

/* Marks what one translation unit of the runtime uses of the other, where there are two (unit_fast.c). */
#ifdef STP_USER_SPACE
#define SHARED STP_USED
#else
#define SHARED
#endif

/** Return whether to fail this allocation: the Nth since the module was loaded, with -DSTP_FAIL_ALLOCATION=N. */
SHARED bool allocation_fails(void);

/** Wraps every allocation of the runtime, so that tests can make it fail. */
#define checked(allocation) (allocation_fails() ? NULL : (allocation))

/* ---- session.c: the life of the script ------------------------------------------------------------------------- */

enum session_state {
	SESSION_LOADED, /* module in, nothing runs */
	SESSION_STARTING, /* begin probes run */
	SESSION_RUNNING, /* event probes may run */
	SESSION_STOPPING, /* events off; end probes run */
	SESSION_STOPPED,
};

SHARED extern atomic_t session_state;
extern atomic_t session_exit_requested;
extern atomic_t session_failed; /* MAXERRORS passed, or a probe not armed: error probes run, not end probes */
SHARED extern pid_t session_target;
/* Of the staprun that has the control file open; NULL without one. */
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
	SILENT_HELD = 4, /* session_hold() */
	SILENT_FOR_ALL = SILENT_NOT_RUNNING | SILENT_EXIT_REQUESTED | SILENT_HELD,
	SILENT_FOR_SOME = 8, /* probes are switched off: probe_is_off() */
	SILENT_NEVER_LIGHT = 16, /* each hit is timed */
};
extern atomic_t session_silence;

/**
 * Stop event handlers until session_release(), and wait for the running ones. May sleep. The caller holds the control
 * file's lock and the arming lock.
 *
 * @return -EBUSY if a handler that waits for memory does not end; handlers are not stopped then.
 */
int session_hold(void);
void session_release(void);

/** Write the text of the status file. Return its length. */
int session_status(char *text, size_t size);
enum { SESSION_STATUS_SIZE = 1024 };

/**
 * Take the lock under which begin and end probes run and control commands are executed. Return false if it is held,
 * which may last as long as a begin probe waits for the reader of its output.
 */
bool session_try_lock(void);
void session_unlock(void);
/** Copy a line that was written to a file. @p line has STP_COMMAND_LIMIT + 1 bytes. Return 0 or an errno. */
int session_read_line(char *line, const char __user *from, size_t size);
/** Execute a control command that affects only a running script: probe, reset, measure. Needs that lock. */
int session_command(char *line);

/** Ask user space to stop the session. Any context. */
void session_request_exit(void);
/** Wake the reader of the control file. Any context: an irq_work does it. */
SHARED void session_wake(void);

/**
 * The lock that protects which probes are armed and where modules are. The task that loads a module takes it in a
 * notifier, so its holder must never wait for a module to be loaded.
 */
SHARED void arming_lock(void);
SHARED void arming_unlock(void);
/** Return whether the probes are armed, after which changes are made by rearm(). Needs the lock. */
bool arming_is_done(void);

struct inode;
/** Return the inode of the debugfs directory that all scripts share. Its lock serializes them. */
struct inode *session_common_inode(void);

/* A part of the runtime for scripts that name it in stp_script. All functions run in task context and may sleep. */
struct stp_part {
	int (*create)(struct dentry *folder);
	/** Called before the begin probes. */
	int (*start)(void);
	/** Called after the end probes. */
	void (*stop)(void);
	/** Called after the files in @p folder are removed, even if create() failed. */
	void (*destroy)(void);
};

/* ---- context.c: entering and leaving a handler ----------------------------------------------------------------- */

/* Why a handler was skipped. The counts are reported at the end. */
enum skip_reason { SKIP_REENTRANT, SKIP_LOCK, SKIP_MISSED_RETURN, SKIP_STACK, SKIP_COUNT_ };

int contexts_create(void);
void contexts_destroy(void);
/** Return whether no event handler is running or waiting for memory. */
bool contexts_are_idle(void);
/** Return how many event handlers have run. */
u64 context_hits(void);
/** Start to count and time the hits of each probe. May sleep. */
int contexts_measure(void);
/** Return the measurements of a probe, all 0 before contexts_measure(). Times are in CPU cycles. */
struct probe_hits {
	s64 hits, cycles, least, most;
};
struct probe_hits context_probe_hits(unsigned int index);
/**
 * Run a handler in the context of the current CPU and nesting level, with preemption off. If that context is busy, the
 * handler itself caused the hit: skip the hit, which ends recursion.
 *
 * @param exception_entry Whether the caller came through the breakpoint exception. That counts as an NMI in
 *        preempt_count (kernel/entry/common.c, irqentry_nmi_enter()), but is not an NMI of the interrupted code.
 */
HOT void context_run(const struct stp_probe *probe, void (*handler)(struct stp_context *), struct pt_regs *regs,
		     void *entry_values, bool exception_entry);
/**
 * Run the handler of a hit without a context if it is light (stp_run_light()). Preemption may be on.
 *
 * @param light stp_probe.light.
 * @return False if the hit needs context_run().
 */
HOT bool context_run_light(unsigned int light);
/** Run the handler of a hit, light or not; otherwise like context_run(). */
HOT void context_run_hit(const struct stp_probe *probe, struct pt_regs *regs, void *entry_values, bool exception_entry);
/**
 * Run the handler of a hit in a program, with preemption off. No handler is running at this level.
 *
 * @param object_base The load bias of the probe's object in the process.
 */
HOT void context_run_user(const struct stp_probe *probe, void (*handler)(struct stp_context *), struct pt_regs *regs,
			  void *entry_values, unsigned long object_base);
struct full_context;
/**
 * Detach the running handler from this CPU so that it may sleep, and enable preemption. Return NULL if it may not
 * sleep. The result is for context_sleep_end().
 */
SHARED struct full_context *context_sleep_begin(void);
SHARED void context_sleep_end(struct full_context *f);
/**
 * Restart the running handler, which may not sleep, after the page of @p address has been read in. A pending error that
 * cannot be caught ends it first. Do nothing if the handler has already done something that cannot be repeated.
 */
SHARED void context_restart(unsigned long address);
/** Return whether the running handler is of a system call, was not interrupted, and holds no locks. */
SHARED bool context_is_of_syscall(void);
/** Run the handler of a probe that has a $value or a $verdict; either may be NULL. Preemption may be on. */
void context_run_event(const struct stp_probe *probe, struct pt_regs *regs, struct stp_file_value *file_value,
		       int *verdict);
/** Run a handler that sees @p task as the current one. */
void context_run_as(const struct stp_probe *probe, struct task_struct *task, struct pt_regs *regs);
/** Return the task that the handler on this CPU sees as the current one. */
SHARED struct task_struct *context_task(void);
/** Run a begin, end or error probe. Task context, may sleep; no other handler runs. */
void context_run_session(const struct stp_probe *probe);
/** Return the number of run-time errors so far. */
int context_errors(void);
/** Print the report of -t: hits and times of each probe. Task context; no handler runs. */
void context_report_timings(void);
void context_count_skip(enum skip_reason reason, unsigned long by);
unsigned long context_skips(enum skip_reason reason);
/** Return whether @p c is the context of begin, end and error probes, which run alone and may sleep. */
static inline bool context_is_session(const struct stp_context *c)
{
	return c->is_session;
}

/** Return the index of per-CPU data that an NMI must not share with the interrupted code: 1 in an NMI, else 0. */
HOT unsigned int context_nmi_slot(const struct stp_context *c);
enum { CONTEXT_SLOTS = 4 };
/** Return the index of per-CPU data that no two levels may share, below CONTEXT_SLOTS. */
static inline unsigned int context_slot(const struct stp_context *c)
{
	return c->level;
}

/** Have the values that this handler has cached dropped at its end. */
SHARED void context_keeps(struct stp_context *c);

/** Evaluate a probe's condition, in the session context. */
bool context_condition(const struct stp_probe *probe);
size_t contexts_memory(void);

/* ---- condition.c: probes that are armed only while a condition holds ------------------------------------------- */

int conditions_create(void);
void conditions_destroy(void);
/** Called before and after the families arm; the first under the arming lock. Task context. */
void conditions_before_arming(void);
void conditions_armed(void);
/** Reevaluate all conditions, after globals were changed from user space. */
void conditions_changed(void);
/** Return whether the probe should be armed now: its condition holds and it is not switched off. */
bool probe_is_wanted(const struct stp_probe *probe);
/** Return whether the user has switched the probe off. Any context. */
bool probe_is_off(const struct stp_probe *probe);
/** Return whether the user can switch the probe: not begin, end, error, or a probe that serves others. */
bool probe_is_switchable(const struct stp_probe *probe);
/**
 * Switch a probe on or off and arm or disarm it, whatever its condition. Task context, may sleep.
 *
 * @param index The probe, or PROBE_ALL.
 * @return -ENOENT if there is no such probe, -EINVAL if it cannot be switched.
 */
int probe_switch(unsigned int index, bool on);
#define PROBE_ALL (~0u)
/** Return how often probes were armed or disarmed since the start. */
unsigned long conditions_rearmed(void);

/* ---- transport.c: records to user space ------------------------------------------------------------------------ */

SHARED int transport_create(struct dentry *folder);
SHARED void transport_destroy(void);
/**
 * Queue a record. The payload of header->length bytes follows @p header in memory. Wait for space only if @p may_wait.
 * Return false if the record was lost.
 */
SHARED bool transport_write(struct stp_record *header, bool may_wait);
SHARED void transport_count_lost(void);
SHARED void transport_message(enum stp_record_type type, bool may_wait, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/** Queue an error that ends the session, at most 127 characters. Uses little stack. */
SHARED void transport_error(const char *text);
SHARED u64 transport_lost(void);
SHARED size_t transport_memory(void);
SHARED void transport_reader_gone(void);
/**
 * Detach the reader from the session, or attach a new one. May sleep. Until the new one has read a buffer, records
 * overwrite its oldest ones when it is full. After each buffer was read once, no record with a number from
 * transport_gaps_end() on is missing.
 */
SHARED void transport_leave(void);
SHARED void transport_return(void);
SHARED u64 transport_gaps_end(void);
SHARED u64 transport_overwritten(void);

/* ---- memory of globals: globals.c, map.c, statistic.c ---------------------------------------------------------- */

struct statistic_slot {
	s64 count, sum, min, max;
	s64 variance[]; /* STP_STATISTIC_VARIANCE: mean, sum of squared distances from it */
};

SHARED int globals_create(void);
SHARED void globals_destroy(void);
/** Set a number or string before the start. Return -ENOENT if there is no such global, or it cannot be set. */
SHARED int globals_set(const char *name, const char *value);
SHARED size_t globals_memory(void);
/** Save the values of all globals as their initial ones. Called before the begin probes. */
SHARED int globals_begin(void);
/** Restore the initial values of all globals. No handler may run. */
SHARED void globals_reset(void);

SHARED struct stp_map *map_create(const struct stp_global *global);
SHARED void map_destroy(struct stp_map *map);
SHARED size_t map_memory(const struct stp_map *map);
unsigned int map_count(const struct stp_map *map);
/* A position in map_look(). Zeroed, it is before the first element. */
struct map_cursor {
	const struct map_node *node;
	u32 bucket;
};
/**
 * Read the next element. Needs the global's lock (lock_look()), unless handlers only add to the map (only_fed).
 *
 * @param[out] keys As many as its global's key_count.
 * @param[out] value The number, the string or the aggregate.
 * @return False after the last one.
 */
bool map_look(const struct stp_map *map, struct map_cursor *cursor, union stp_value *keys, const void **value);
SHARED void *statistic_create(const struct stp_global *global);
SHARED void statistic_destroy(void *statistic);
SHARED size_t statistic_size(const struct stp_global *global);
/** Add to the slot of this CPU. Called with interrupts off or in the session context. */
HOT bool statistic_is_simple(const struct stp_global *global);
HOT void simple_statistic_add(const struct stp_context *c, void *statistic, s64 value);
void statistic_add(const struct stp_context *c, const struct stp_global *global, void *statistic, s64 value);
void statistic_read(const struct stp_global *global, const void *statistic, struct stp_statistic_values *values);
SHARED void statistic_reset(const struct stp_global *global, void *statistic);

/* ---- lock.c ---------------------------------------------------------------------------------------------------- */

int locks_create(void);
void locks_destroy(void);
/**
 * Enter a global for aggregation, which many CPUs may do at once, but not while the global's lock is held. Interrupts
 * are off until unlock_shared(). Return false after too many attempts.
 */
HOT bool lock_shared(struct stp_context *c, unsigned int global, unsigned long *irq_flags);
/** Return whether the handler has exclusive access to the global: by a lock, or because it runs alone. */
HOT bool handler_holds(const struct stp_context *c, unsigned int global);
HOT void unlock_shared(struct stp_context *c, unsigned int global, unsigned long irq_flags);
/**
 * Lock a global to read it from task context. Handlers wait, and interrupts are off, until lock_look_end(). Return
 * false after too many attempts.
 */
bool lock_look(unsigned int global, unsigned long *irq_flags);
void lock_look_end(unsigned int global, unsigned long irq_flags);
/** Spin briefly for the right to insert, within lock_shared(). Return false after too many attempts. */
bool lock_insert(unsigned int global);
void unlock_insert(unsigned int global);

/* ---- monitor.c: the file "monitor" ------------------------------------------------------------------------------ */

int monitor_create(struct dentry *folder);

/* ---- probe families, each in a file ----------------------------------------------------------------------------- */

/* How a probe of a function or a statement is armed. */
enum mechanism {
	FTRACE_ENTRY, /* a callback of ftrace */
	FTRACE_RETURN, /* a kretprobe whose entries that callback sees */
	KRETPROBE,
	FTRACE_KPROBE,
	KPROBE, /* a breakpoint, which the kernel replaces with a jump where it can */
	UPROBE, /* a breakpoint in a program */
	URETPROBE, /* a breakpoint at the entry, which replaces the return address with the kernel's trampoline */
	UPROBE_EXIT, /* a breakpoint at an instruction that returns from the function */
	MECHANISM_COUNT
};

struct probe_family {
	const char *name;
	/** Arm all probes of the family. Warn about a probe that cannot be armed, and go on. */
	int (*arm)(void);
	/** Disarm all and wait for their handlers. May sleep. */
	void (*disarm)(void);
	/**
	 * Arm and disarm by probe_is_wanted(), probe_arrives() and address_leaves(). Task context, under the arming
	 * lock. NULL if no probe of the family is in a module and handlers check the conditions.
	 */
	void (*rearm)(void);
	/** Add the number of armed probes by mechanism. Under the arming lock. NULL if the family has only one. */
	void (*count)(unsigned int counts[MECHANISM_COUNT]);
};

/** Call rearm() of all families. */
void session_rearm(void);

STP_USED extern const struct probe_family function_family, kprobe_family, kretprobe_family, tracepoint_family,
	timer_family, perf_family, netfilter_family, procfs_family, uprobe_family, process_family, syscall_family;

/* ---- perf.c and perf_program.c: perf events -------------------------------------------------------------------- */

struct perf_event;
struct perf_event_attr;

/** Return whether the event is for all processes that run a program. */
static inline bool follows_program(const struct stp_probe *probe)
{
	return probe->kind == STP_PROBE_PERF && probe->details->program;
}

/** Fill in the attributes of a probe's event. */
void event_describe(const struct stp_probe *probe, struct perf_event_attr *attr);
/** Create an event that runs the handler of @p probe, or only counts if that is NULL. May sleep. */
struct perf_event *event_create(struct perf_event_attr *attr, const struct stp_probe *probe, int cpu,
				struct task_struct *task);
/** Report that an event could not be created. Return true if the script cannot continue. */
bool event_arm_failed(const struct stp_probe *probe, int error);
/* Events of all processes that run a program. program_event() returns that of the current thread, under RCU. */
#ifdef STP_USER_SPACE
int program_events_arm(void);
void program_events_disarm(void);
void program_events_rearm(void);
struct perf_event *program_event(const struct stp_probe *probe);
#else
static inline int program_events_arm(void)
{
	return 0;
}
static inline void program_events_disarm(void)
{
}
static inline void program_events_rearm(void)
{
}
static inline struct perf_event *program_event(const struct stp_probe *probe)
{
	return NULL;
}
#endif

struct tracepoint;
/** Find a tracepoint of vmlinux by name, or NULL. */
struct tracepoint *find_kernel_tracepoint(const char *name);
/** Return the number of probes of a kind. */
unsigned int probe_count(enum stp_probe_kind kind);
/** Return the address of a probe, or 0 if its module is not loaded. */
unsigned long probe_address(const struct stp_probe *probe);
/** Have a function probe armed by a kprobe, because ftrace has no call site there. */
void kprobe_adopt_function(unsigned int index);
bool kprobe_has_adopted(const struct stp_probe *probe);

/* ---- kretprobe.c: data of a call from its entry to its return ------------------------------------------------- */

/* Recorders come after the probes of the script. */
static inline const struct stp_probe *recorder_probe(unsigned int recorder)
{
	return &stp_script.probes[stp_script.probe_count - stp_script.recorder_count + recorder];
}

struct instance_data {
	u64 valid;
	char values[];
};

/** Run an entry handler and mark its instance_data, whose values are the context's entry_values, as valid. */
void run_entry(struct stp_context *c);

/* ---- kretprobe.c for function.c: entries of return probes -------------------------------------------------------- */

/* A registered kretprobe. */
struct armed_kretprobe {
	struct kretprobe kretprobe;
	const struct stp_probe *probe;
	struct armed_kretprobe *next; /* in the list of those to watch */
	bool is_watched; /* its kprobe stays disabled; the callback in function.c handles its entries */
};

/** Take the next kretprobe whose entries ftrace must handle from the list; NULL if it is empty. */
struct armed_kretprobe *kretprobe_to_watch(void);
/** Return the length of that list. */
unsigned int kretprobes_to_watch(void);
/** Let the kretprobe's own kprobe handle its entries, because ftrace cannot. */
void kretprobe_watch_itself(struct armed_kretprobe *armed);
/** Rearm the family. The entries of removed ones are no longer handled; new ones are added to the list. */
void kretprobes_rearm(void);

/* ---- regex.c --------------------------------------------------------------------------------------------------- */

/* The last match of a handler, for matched(). */
struct stp_match {
	char *text; /* copy of the subject */
	struct stp_regex_work work;
	unsigned int group_count; /* 0: no match */
	int groups[STP_REGEX_SLOTS];
};

/* ---- quote.c: text in double quotes ------------------------------------------------------------------------------ */

/* A string of the script under construction. */
struct text {
	char *to;
	unsigned int used; /* length so far, including what did not fit */
	unsigned int size;
};

void put_character(struct text *t, char character);
void put_text(struct text *t, const char *text);
/** Terminate it with a NUL. */
void text_end(struct text *t);

enum quoted_memory { QUOTED_USER, QUOTED_KERNEL, QUOTED_TEXT };

/* Reads memory byte by byte from a small buffer. */
struct byte_reader {
	enum quoted_memory memory;
	unsigned long next; /* the next address; after a fault, the address that faulted */
	u64 left; /* bytes not yet returned */
	bool is_faulted;
	u8 at, count;
	u8 buffer[64];
};

/** Return the next byte, or -1 at the end or on a fault. */
int reader_byte(struct byte_reader *r);
/**
 * Write memory in double quotes, at most @p most characters including the quotes. Return 0, or the address that cannot
 * be read; nothing is written then.
 */
unsigned long quote_memory(struct text *t, enum quoted_memory memory, unsigned long from, u64 length, bool ends_at_nul,
			   s64 most);

/* ---- target.c: addresses of this boot ---------------------------------------------------------------------------- */

int targets_create(void);
void targets_destroy(void);
/** Return the address of a target's section, or 0 if its module is not loaded. */
SHARED unsigned long target_base(unsigned int target);
void target_set_base(unsigned int target, unsigned long base);

/* ---- program_file.c: which file a process runs ------------------------------------------------------------------- */

struct file;
struct path;

/* Identifies a file without a reference, which would prevent unmounting its file system. */
struct program_file {
	unsigned long inode;
	dev_t device;
	u32 generation;
};

/** Find a program with the kernel's rights; search the usual directories for a name without a slash. */
int find_program(const char *name, struct path *path);
SHARED int program_identify(const char *name, struct program_file *ret);
SHARED int compare_program_files(const struct program_file *left, const struct program_file *right);
SHARED bool is_program_file(const struct program_file *program, const struct file *file);
SHARED bool task_runs_program(const struct program_file *program, struct task_struct *task);
/** Identify the program that a task runs. Return false for kernel threads and exiting tasks. */
SHARED bool task_program_file(struct task_struct *task, struct program_file *ret);
/** Do the same for the current task, in any context. */
SHARED bool current_program_file(struct program_file *ret);

/* ---- user/process_tree.c: which processes a probe of programs is for --------------------------------------------- */

struct mm_struct;

/* A callback of a tracepoint; zeroed if it is not registered. */
struct process_hook {
	struct tracepoint *tracepoint;
	void *callback;
};

/** Task context. After unhook_process(), the caller calls tracepoint_synchronize_unregister(). */
int hook_process(struct process_hook *hook, const char *tracepoint, void *callback);
void unhook_process(struct process_hook *hook);

/** Start to follow target() and its descendants if a probe needs it. Pair each success with family_ignore(). */
int family_watch(void);
void family_ignore(void);
#ifdef STP_USER_SPACE
/** Return whether a process is target() or descends from it, if they are followed. Any context. */
HOT bool is_of_family(pid_t process);
#endif
/** Return how many concurrent calls a return probe handles unless the script says .maxactive(). */
int default_maxactive(void);

/** Reserve memory from the limit STP_MAXMEMORY. Return false if it would be exceeded. */
SHARED bool memory_take(size_t bytes);

/** Return the process that a probe is for, in the initial PID namespace: 0 for any, negative if it does not exist. */
pid_t probe_process(const struct stp_probe *probe);
/** Return whether a mm belongs to a process (0: any) and, with @p of_target, to target() or a descendant. */
bool memory_is_of(const struct mm_struct *memory, pid_t process, bool of_target);

/* ---- user/calls.c: calls under way in programs ------------------------------------------------------------------- */

struct user_call {
	struct user_call *next;
	const struct task_struct *task;
	const struct stp_probe *probe;
	unsigned long place; /* the address of the return address on the stack */
	struct instance_data data;
};

/** The place of a system call: a task is in one at a time, and an exec may replace its stack. */
#define USER_CALL_NO_PLACE ULONG_MAX

/** Reserve per-call storage. Every call must be paired with a release, even if it failed. */
int user_calls_hold(void);
void user_calls_release(void);
/* The following are for the current task, with preemption off. */
/** Return storage for an entry handler to fill, or NULL if it is exhausted; the return then finds nothing. */
struct user_call *user_call_begin(const struct stp_probe *probe, unsigned long place);
/** Add the call to the task's list after its entry handler has run, or drop it if that failed. */
void user_call_begun(struct user_call *call);
/** Take the returning call from the list, or return NULL if its entry was not seen. */
struct user_call *user_call_end(const struct stp_probe *probe, unsigned long place);
void user_call_done(struct user_call *call);
/** Record the registers of a call for a recorder, until another call has its return address at the same place. */
void user_call_record(const struct stp_probe *probe, unsigned long place, const struct pt_regs *regs);

/* ---- user/debugger.c: debuggers that write where a probe is ------------------------------------------------------ */

/** Start and stop to warn about debuggers. May sleep. is_armed_place() is not called after the second. */
SHARED void user_debuggers_watch(void);
SHARED void user_debuggers_ignore(void);

/** Return whether a uprobe is at an offset of a file (uprobe.c). Only while debuggers are watched. */
SHARED bool is_armed_place(const struct inode *inode, loff_t offset);

/* ---- user/returns.c: return addresses that the kernel has replaced ----------------------------------------------- */

/** Restore the program's return addresses before an exception unwinds. @p size is that of an address, 4 or 8. */
SHARED void user_returns_restore(unsigned int size);
/** Put the trampoline's address back for the functions that are still running, when the exception is caught. */
SHARED void user_returns_replace(struct pt_regs *regs, unsigned int size);

/* ---- exec.c: noticing that a task executes a file -------------------------------------------------------------- */

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
void exec_forget(void);
#else
static inline void exec_forget(void)
{
}
#endif

/* ---- module_notifier.c: modules that come and go --------------------------------------------------------------- */

/** Start and stop to follow loads and unloads of modules that the script probes. Task context. */
void modules_watch(void);
void modules_ignore(void);
/** Set the address of a section that staprun found. Return -ENOENT if the script does not name it. */
int target_set(const char *module, const char *section, unsigned long address);
/* The following need the arming lock. */
/** Return false if the probe is in a module that is not loaded. */
bool probe_is_there(const struct stp_probe *probe);
/** Return whether the probe must be armed now because its module was loaded. */
bool probe_arrives(const struct stp_probe *probe);
/** Return whether probes at an address must be disarmed because its module is being unloaded. */
bool address_leaves(unsigned long address);
/** Do the same for kprobes, after the kernel has marked them as gone. */
bool kprobe_has_gone(unsigned long address);
/** Return the module in the symbol "module:function" of a probe, *length bytes; NULL for one of vmlinux. */
const char *symbol_in_module(const struct stp_probe *probe, size_t *length);
/** Return the address of the symbol of such a probe, or 0. */
unsigned long module_symbol_address(const struct stp_probe *probe);
/**
 * Return whether the function at @p address ends its module's text and the next page is not mapped. When the kernel
 * registers a kprobe, it decodes the function and the padding after it, and would read an instruction that seems to
 * begin in the padding beyond the page (arch/x86/kernel/kprobes/opt.c, can_optimize(); since 6.4).
 */
bool module_text_ends_after(unsigned long address);
/** Warn that a probe could not be armed. */
void probe_arm_failed(const struct stp_probe *probe, int error);

/* ---- stack.c --------------------------------------------------------------------------------------------------- */

/** Return whether the probe's registers are not real ones but carry the arguments of a callback. */
bool is_callback(const struct stp_probe *probe);

/* The kernel stack of a hit, walked on first use. */
struct stack_frames {
	bool is_walked;
	unsigned int count;
	unsigned long addresses[64]; /* innermost first */
};
/** Return the frames in the context of a handler. */
SHARED struct stack_frames *context_frames(struct stp_context *c);
/** Format "0x... 0x..." into a string of the script; leave out an address that does not fit whole. */
void put_addresses(struct stp_context *c, char *to, const unsigned long *addresses, unsigned int count);
/** Return the size of the zeroed cache that put_addresses() needs in a context, if stp_script.keeps_addresses. */
SHARED size_t address_texts_size(void);
/** Walk the stack, once for each hit. */
const struct stack_frames *stack_frames(struct stp_context *c);

/* ---- symbol.c -------------------------------------------------------------------------------------------------- */

/** Return the line, and the file, of an address; 0 if unknown. */
unsigned int source_line(unsigned long address, const char **file);
/** Write a line, a file or both to a string of the script, or the address in hex if @p line is 0. */
void put_source_line(char *to, unsigned long address, unsigned int line, const char *file, enum stp_line_parts parts);

/* ---- library/cpu.c ----------------------------------------------------------------------------------------------- */

/** Return whether a CPU exists; otherwise fail with an error of the script. */
bool is_processor(struct stp_context *c, stp_long cpu);

/* ---- signal.c -------------------------------------------------------------------------------------------------- */

/** Send the signals that handlers have raised, before the module is unloaded. */
SHARED void signals_finish(void);

/* ---- clock.c --------------------------------------------------------------------------------------------------- */

/**
 * Busy-wait by the clock, in any context. udelay() alone is wrong by up to a factor of 200 on virtual CPUs, where its
 * loop is not calibrated. Where the clock stands still, as jiffies do with interrupts off, trust udelay().
 */
SHARED void delay_by_clock(s64 microseconds);

/* ---- own_process.c: which processes a script of --privilege=stapusr sees ---------------------------------------- */

/* Whether the script sees only processes of its user. */
SHARED extern bool session_is_restricted;
/** Take the user from the current task, which is the staprun process with the rights of its user. */
SHARED void own_process_begin(void);
/** Return whether the script may see a process: the current one, or one whose mm the caller holds. */
SHARED bool is_own_task(struct task_struct *task);
/** Do the same for a mm, by its owner. */
SHARED bool is_own_memory(struct mm_struct *memory);

/* ---- callbacks of tracepoints ------------------------------------------------------------------------------------ */

/*
 * Handlers must stay on one CPU. Tracepoints disable preemption for their callbacks only before 6.19.
 */
static __always_inline bool begin_to_stay(void)
{
	if (preempt_count())
		return false;
	preempt_disable_notrace();
	return true;
}

static __always_inline void end_to_stay(const bool *begun)
{
	if (*begun)
		preempt_enable_notrace();
}

/** Disable preemption until the end of the block; use it as a declaration. */
#define STAYS_HERE bool stays_here __attribute__((cleanup(end_to_stay), unused)) = begin_to_stay()

/* ---- user/memory.c ----------------------------------------------------------------------------------------------- */

/** Read in the page of an address. Return false if it does not exist or the handler may not sleep. */
SHARED bool user_page_in(unsigned long address, unsigned int flags);
/** Copy from the current process's memory. Return false if a page is missing and must not be read in. */
SHARED bool read_user(void *to, unsigned long from, unsigned int size);

/* ---- cached_page.c: pages of files, for scripts with probes of system calls -------------------------------------- */

struct address_space;
/**
 * Copy from a page of a file if the page cache has it and it is up to date. Task context; the task holds no lock of the
 * kernel except its mmap_lock. Preemption may be on or off.
 */
bool cached_page_read(struct address_space *mapping, pgoff_t index, void *to, unsigned int offset, unsigned int size);
/** Free what is left after the last handler. May sleep. */
SHARED void cached_pages_finish(void);

/* ---- task.c ---------------------------------------------------------------------------------------------------- */

/** Copy from an address that a script gave. On a fault, set an error of the script and return false. */
bool load_field(struct stp_context *c, void *to, const void *from, size_t size);

/** Load a member of a struct at an address that a script gave; 0 with an error of the script on a fault. */
#define LOAD(c, pointer, member)                                                                                       \
	({                                                                                                             \
		typeof((pointer)->member) loaded;                                                                      \
		load_field(c, (void *)&loaded, (const void *)&(pointer)->member, sizeof(loaded));                      \
		loaded;                                                                                                \
	})

/** Return whether a task lives at this address; fail if it cannot be read. Under RCU. */
bool task_exists(struct stp_context *c, const struct task_struct *task);

#endif
