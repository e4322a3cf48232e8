/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside of the runtime: what its files share and a script does not see. See doc/architecture.md, "The kernel runtime",
 * for the life of a session.
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

#include "script.h"
#include "protocol.h"
#include "regex_match.h"

/*
 * Of what every hit runs through: a call costs more than what is in these functions. They may be used before they are
 * defined, since the files of that half of the runtime are compiled as one (hits.c).
 */
#ifndef HOT
#define HOT static __always_inline
#endif

/* Before what one half of the runtime uses of the other, where they are apart (hits.c). */
#ifdef STP_USER_SPACE
#define SHARED STP_USED
#else
#define SHARED
#endif

/**
 * For tests (stap -DSTP_FAIL_ALLOCATION=N): the Nth allocation since the module was loaded fails, as it may on a
 * machine that is short of memory (session.c).
 */
SHARED bool allocation_fails(void);

/** What all allocations of the runtime are wrapped in. */
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
/* Those of staprun, which holds the control file; NULL if it does not. */
SHARED extern struct pid_namespace *session_pids;
SHARED extern struct user_namespace *session_users;
SHARED extern struct pid_namespace
	*shown_pids; /* whose numbers ns_pid() and its like give; NULL: nobody runs the script */
SHARED extern struct user_namespace *shown_users;

static inline int session_is(enum session_state state)
{
	return atomic_read(&session_state) == state;
}

/* Why handlers of events do not run, or not by the shortest way: bits. */
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
 * Keep handlers of events from running until session_release(); none is under way when this returns. May sleep. Who
 * calls holds the control file's lock and the arming lock.
 *
 * @return -EBUSY: a handler that waits for memory does not get to its end; nothing is held then.
 */
int session_hold(void);
void session_release(void);

/** What the status file says, as text. Returns its length. */
int session_status(char *text, size_t size);
enum { SESSION_STATUS_SIZE = 1024 };

/**
 * The lock under which begin and end probes run and commands are obeyed; false: it is taken, maybe for as long as a
 * begin probe waits for the reader of its output.
 */
bool session_try_lock(void);
void session_unlock(void);
/** A line that was written to a file, into @p line, which has room for STP_COMMAND_LIMIT + 1. */
int session_read_line(char *line, const char __user *from, size_t size);
/** A command of those that change nothing but what a script that runs does: probe, reset, measure. With that lock. */
int session_command(char *line);

/** Ask user space to stop the session. Any context. */
void session_request_exit(void);
/** Tell a reader sleeping on the control file that there is something. Any context; the work is done in irq_work. */
SHARED void session_wake(void);

/**
 * What is armed, and where modules are, changes under this lock. It is taken in the task that loads a module: nothing
 * may be done under it that waits for a module to be loaded.
 */
SHARED void arming_lock(void);
SHARED void arming_unlock(void);
/** Are the probes armed, so that changes are for rearm()? Under the lock. */
bool arming_is_done(void);

struct inode;
/** Of the folder in debugfs that all scripts share: its lock is what they agree on. */
struct inode *session_common_inode(void);

/* A part of the runtime that only scripts need that name it in stp_script. Task context; all may sleep. */
struct stp_part {
	int (*create)(struct dentry *folder);
	/** Before the begin probes. */
	int (*start)(void);
	/** After the end probes. */
	void (*stop)(void);
	/** After the files in @p folder have gone; also if create() failed. */
	void (*destroy)(void);
};

/* ---- context.c: entering and leaving a handler ----------------------------------------------------------------- */

/* Why a handler was skipped; counted, and reported at the end. */
enum skip_reason { SKIP_REENTRANT, SKIP_LOCK, SKIP_MISSED_RETURN, SKIP_STACK, SKIP_COUNT_ };

int contexts_create(void);
void contexts_destroy(void);
/** Is no handler of an event under way, nor waiting for memory? */
bool contexts_are_idle(void);
/** How many handlers of events have run. */
u64 context_hits(void);
/** From now on, count and time the hits of each probe. May sleep. */
int contexts_measure(void);
/** What is known of the hits of a probe; all 0 if they are not measured. */
struct probe_hits {
	s64 hits, cycles, least, most;
};
struct probe_hits context_probe_hits(unsigned int index);
/**
 * Run a probe's handler in the context of the current CPU and nesting level. A level that is busy means that the
 * handler caused the hit, which is skipped: so recursion ends. Preemption is off, as in all callbacks of the kernel's
 * mechanisms.
 *
 * @param exception_entry The caller came through the breakpoint exception, which counts as NMI in preempt_count
 *        (kernel/entry/common.c, irqentry_nmi_enter()): one NMI level is not the interrupted code's.
 */
HOT void context_run(const struct stp_probe *probe, void (*handler)(struct stp_context *), struct pt_regs *regs,
		     void *entry_values, bool exception_entry);
/**
 * Run the handler of a hit if it is a light one: without a context, and preemption need not be off.
 *
 * @param light stp_probe.light.
 * @return false: it is not, or this hit is one for context_run().
 */
HOT bool context_run_light(unsigned int light);
/** A hit of a probe, light or not. As context_run(). */
HOT void context_run_hit(const struct stp_probe *probe, struct pt_regs *regs, void *entry_values, bool exception_entry);
/**
 * A hit in a program: preemption is off, no handler is under way at this level.
 *
 * @param object_base How far the probe's object is moved in the process.
 */
HOT void context_run_user(const struct stp_probe *probe, void (*handler)(struct stp_context *), struct pt_regs *regs,
			  void *entry_values, unsigned long object_base);
struct full_context;
/**
 * The handler that runs wants to sleep: preemption is on when this returns, and everything as if no handler was under
 * way. To be given to context_sleep_end(). NULL: it may not.
 */
SHARED struct full_context *context_sleep_begin(void);
SHARED void context_sleep_end(struct full_context *f);
/**
 * The handler that runs misses memory and may not sleep: if it may begin again, an error that nobody sees is pending,
 * by which it ends, and it runs anew with that memory.
 */
SHARED void context_restart(unsigned long address);
/** Does a handler of a system call's entry or exit run here, which nothing has interrupted and which has no locks? */
SHARED bool context_is_of_syscall(void);
/** The same where preemption may be on, for what has values of its own: $value, $verdict. Either may be NULL. */
void context_run_event(const struct stp_probe *probe, struct pt_regs *regs, struct stp_file_value *file_value,
		       int *verdict);
/** A handler with a task in the place of the current one. */
void context_run_as(const struct stp_probe *probe, struct task_struct *task, struct pt_regs *regs);
/** That task while such a handler runs on this processor, else the current one. */
SHARED struct task_struct *context_task(void);
/** Run begin, end and error probes: task context, may sleep, nothing else of the script runs. */
void context_run_session(const struct stp_probe *probe);
/** How many run-time errors there were so far. */
int context_errors(void);
/** -t: print how often each probe was hit and how long it took. Task context, when nothing of the script runs. */
void context_report_timings(void);
void context_count_skip(enum skip_reason reason, unsigned long by);
unsigned long context_skips(enum skip_reason reason);
/** Is @p c the context of begin/end/error probes (nothing else runs, sleeping allowed)? */
static inline bool context_is_session(const struct stp_context *c)
{
	return c->is_session;
}

/** Slot for per-CPU data that an NMI must not share with what it interrupted: 0, or 1 in an NMI-level context. */
HOT unsigned int context_nmi_slot(const struct stp_context *c);
/** The same for data that no two levels may share: below CONTEXT_SLOTS. */
enum { CONTEXT_SLOTS = 4 };
static inline unsigned int context_slot(const struct stp_context *c)
{
	return c->level;
}

/** This handler keeps something from call to call, to be forgotten at its end. */
SHARED void context_keeps(struct stp_context *c);

/** Does a probe's condition hold? Alone in the session context. */
bool context_condition(const struct stp_probe *probe);
size_t contexts_memory(void);

/* ---- condition.c: probes that are armed only while a condition holds ------------------------------------------- */

int conditions_create(void);
void conditions_destroy(void);
/** In this order, around what the families do; the first under the arming lock. Task context. */
void conditions_before_arming(void);
void conditions_armed(void);
/** Globals that conditions may depend on were changed from outside. */
void conditions_changed(void);
/** Is a probe to be armed now? */
bool probe_is_wanted(const struct stp_probe *probe);
/** Has the user switched it off? Any context. */
bool probe_is_off(const struct stp_probe *probe);
/** Is it a probe of the script that can be switched, and not one that only helps others, or begin, end or error? */
bool probe_is_switchable(const struct stp_probe *probe);
/**
 * Switch a probe on or off, whatever its condition; it is armed or disarmed when this returns. Task context, may sleep.
 *
 * @param index One for all: PROBE_ALL.
 * @return -ENOENT: there is no such probe; -EINVAL: it cannot be switched.
 */
int probe_switch(unsigned int index, bool on);
#define PROBE_ALL (~0u)
/** How often probes were armed or disarmed since the start. */
unsigned long conditions_rearmed(void);

/* ---- transport.c: records to user space ------------------------------------------------------------------------ */

SHARED int transport_create(struct dentry *folder);
SHARED void transport_destroy(void);
/**
 * Queue a record; payload follows @p header in memory (header->length bytes). May wait only if @p may_wait. False:
 * lost.
 */
SHARED bool transport_write(struct stp_record *header, bool may_wait);
SHARED void transport_count_lost(void);
SHARED void transport_message(enum stp_record_type type, bool may_wait, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/** An error that ends the session, from where little of the stack may be left; at most 127 characters. */
SHARED void transport_error(const char *text);
SHARED u64 transport_lost(void);
SHARED size_t transport_memory(void);
SHARED void transport_reader_gone(void);
/**
 * The session is left by its reader, and taken up by another one. May sleep. In between, and until it is read, a full
 * buffer loses its oldest records. When all have been read once, records whose numbers are not less than
 * transport_gaps_end() are all there, or come.
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
/** Before the start: let a number or string that may be set be @p value. -ENOENT: there is none of this name. */
SHARED int globals_set(const char *name, const char *value);
SHARED size_t globals_memory(void);
/** Before the begin probes: what is in the globals now are their initial values. */
SHARED int globals_begin(void);
/** Give all globals their initial values. No handler runs. */
SHARED void globals_reset(void);

SHARED struct stp_map *map_create(const struct stp_global *global);
SHARED void map_destroy(struct stp_map *map);
SHARED size_t map_memory(const struct stp_map *map);
unsigned int map_count(const struct stp_map *map);
/* Where a look at a map is; zeroed: before its first element. */
struct map_cursor {
	const struct map_node *node;
	u32 bucket;
};
/**
 * The next element. Under the global's lock (lock_look()); of a map that is only fed, while handlers add to it.
 *
 * @param[out] keys Of its global's key_count.
 * @param[out] value The number, the string or the aggregate.
 */
bool map_look(const struct stp_map *map, struct map_cursor *cursor, union stp_value *keys, const void **value);
SHARED void *statistic_create(const struct stp_global *global);
SHARED void statistic_destroy(void *statistic);
SHARED size_t statistic_size(const struct stp_global *global);
/** Add to the slot of this CPU. Interrupts off, or the session context. */
HOT bool statistic_is_simple(const struct stp_global *global);
HOT void simple_statistic_add(const struct stp_context *c, void *statistic, s64 value);
void statistic_add(const struct stp_context *c, const struct stp_global *global, void *statistic, s64 value);
void statistic_read(const struct stp_global *global, const void *statistic, struct stp_statistic_values *values);
SHARED void statistic_reset(const struct stp_global *global, void *statistic);

/* ---- lock.c ---------------------------------------------------------------------------------------------------- */

int locks_create(void);
void locks_destroy(void);
/**
 * Shared entry for aggregation: many CPUs at once, but not while someone holds the global's lock.
 * Returns false on contention past the limit. Interrupts are off between the two calls.
 */
HOT bool lock_shared(struct stp_context *c, unsigned int global, unsigned long *irq_flags);
/** Does this handler have the global to itself: by its region's locks, or because it runs alone? */
HOT bool handler_holds(const struct stp_context *c, unsigned int global);
HOT void unlock_shared(struct stp_context *c, unsigned int global, unsigned long irq_flags);
/**
 * Look at a global that handlers change: they wait, and interrupts are off, until lock_look_end(). Task context. False:
 * it was in use for too long.
 */
bool lock_look(unsigned int global, unsigned long *irq_flags);
void lock_look_end(unsigned int global, unsigned long irq_flags);
/** Short spin for insertion among sharers; false past the limit. */
bool lock_insert(unsigned int global);
void unlock_insert(unsigned int global);

/* ---- monitor.c: the file "monitor" ------------------------------------------------------------------------------ */

int monitor_create(struct dentry *folder);

/* ---- probe families: a file each -------------------------------------------------------------------------------- */

/* What the kernel and the place offer for a probe of a function or a line. */
enum mechanism {
	FTRACE_ENTRY, /* a callback of ftrace */
	FTRACE_RETURN, /* a kretprobe whose entries that callback sees */
	KRETPROBE,
	FTRACE_KPROBE,
	KPROBE, /* a breakpoint, which the kernel makes a jump where it can */
	UPROBE, /* a breakpoint in a program */
	URETPROBE, /* the same at a function's entry, and its return address is the kernel's meanwhile */
	UPROBE_EXIT, /* the same at an instruction by which a function returns */
	MECHANISM_COUNT
};

struct probe_family {
	const char *name;
	/** Arm all probes of the family. A probe that cannot be armed is warned about and left out. */
	int (*arm)(void);
	/** Disarm all; no handler runs any more when it returns. May sleep. */
	void (*disarm)(void);
	/**
	 * Arm and disarm as probe_is_wanted(), probe_arrives() and the like say; NULL: no probe of the family is in a
	 * module, and the handlers alone look at conditions. Task context, under the arming lock.
	 */
	void (*rearm)(void);
	/**
	 * Add how many probes are armed by which mechanism, for the user to know; NULL: there is no choice. Under the
	 * arming lock.
	 */
	void (*count)(unsigned int counts[MECHANISM_COUNT]);
};

/** Let all families rearm. */
void session_rearm(void);

STP_USED extern const struct probe_family function_family, kprobe_family, kretprobe_family, tracepoint_family,
	timer_family, perf_family, netfilter_family, procfs_family, uprobe_family, process_family, syscall_family;

/* ---- perf.c and perf_program.c: perf events -------------------------------------------------------------------- */

struct perf_event;
struct perf_event_attr;

/** Is it an event of all processes that run a program? */
static inline bool follows_program(const struct stp_probe *probe)
{
	return probe->kind == STP_PROBE_PERF && probe->details->program;
}

/** What the kernel is to be asked for. */
void event_describe(const struct stp_probe *probe, struct perf_event_attr *attr);
/** @probe: whose handler it calls; NULL: none's. May sleep. */
struct perf_event *event_create(struct perf_event_attr *attr, const struct stp_probe *probe, int cpu,
				struct task_struct *task);
/** Says so; true if the script cannot go on. */
bool event_arm_failed(const struct stp_probe *probe, int error);
/** The events of all processes that run a program; and a probe's event of the current thread, under RCU. */
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
/** One of the kernel proper, by its name; NULL: it has none. */
struct tracepoint *find_kernel_tracepoint(const char *name);
/** How many probes of a kind the script has. */
unsigned int probe_count(enum stp_probe_kind kind);
/** Where a probe is in this boot's memory; 0 if its module is not loaded. */
unsigned long probe_address(const struct stp_probe *probe);
/** Arm a function probe at its address instead of by ftrace (no call site there). */
void kprobe_adopt_function(unsigned int index);
bool kprobe_has_adopted(const struct stp_probe *probe);

/* ---- kretprobe.c: what a return probe keeps per call, between entry and return ----------------------------------- */

/* Recorders stand behind the probes of the script. */
static inline const struct stp_probe *recorder_probe(unsigned int recorder)
{
	return &stp_script.probes[stp_script.probe_count - stp_script.recorder_count + recorder];
}

struct instance_data {
	u64 valid;
	char values[];
};

/** Run an entry handler, and note that it went well; the context's entry_values are those of an instance_data. */
void run_entry(struct stp_context *c);

/* ---- kretprobe.c for function.c: entries of return probes -------------------------------------------------------- */

/** A return probe that is registered. */
struct armed_kretprobe {
	struct kretprobe kretprobe;
	const struct stp_probe *probe;
	struct armed_kretprobe *next; /* of those to be watched */
	bool is_watched; /* its kprobe stays disabled, the callback of function.c sees its entries */
};

/** One whose entries nothing sees yet, taken from those; NULL: no more. */
struct armed_kretprobe *kretprobe_to_watch(void);
/** How many those are. */
unsigned int kretprobes_to_watch(void);
/** ftrace refuses: have its kprobe see them. */
void kretprobe_watch_itself(struct armed_kretprobe *armed);
/** The family's rearm(). Nothing sees entries any more of those that go; what comes is to be watched after. */
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

/* A string of the script that is being filled. */
struct text {
	char *to;
	unsigned int used; /* characters so far, with those that found no room */
	unsigned int size;
};

void put_character(struct text *t, char character);
void put_text(struct text *t, const char *text);
/** Close it with its NUL. */
void text_end(struct text *t);

enum quoted_memory { QUOTED_USER, QUOTED_KERNEL, QUOTED_TEXT };

/* Memory byte by byte, read in pieces. */
struct byte_reader {
	enum quoted_memory memory;
	unsigned long next; /* that is read next; after a fault, what cannot be read */
	u64 left; /* bytes to come */
	bool is_faulted;
	u8 at, count;
	u8 buffer[64];
};

/** -1: no more, or it cannot be read. */
int reader_byte(struct byte_reader *r);
/**
 * Memory in double quotes, at most @p most characters with them. Returns the address that cannot be read, and has
 * written nothing then; or 0.
 */
unsigned long quote_memory(struct text *t, enum quoted_memory memory, unsigned long from, u64 length, bool ends_at_nul,
			   s64 most);

/* ---- target.c: addresses of this boot ---------------------------------------------------------------------------- */

int targets_create(void);
void targets_destroy(void);
/** Where a target's section is; 0: its module is not loaded. */
SHARED unsigned long target_base(unsigned int target);
void target_set_base(unsigned int target, unsigned long base);

/* ---- program_file.c: which file a process runs ------------------------------------------------------------------- */

struct file;
struct path;

/* A file by numbers: a reference would keep its file system from being unmounted. */
struct program_file {
	unsigned long inode;
	dev_t device;
	u32 generation;
};

/** By the kernel's rights; a name without a folder is looked for where programs are. */
int find_program(const char *name, struct path *path);
SHARED int program_identify(const char *name, struct program_file *ret);
SHARED int compare_program_files(const struct program_file *left, const struct program_file *right);
SHARED bool is_program_file(const struct program_file *program, const struct file *file);
SHARED bool task_runs_program(const struct program_file *program, struct task_struct *task);
/** What a task runs. False: it is a kernel thread, or ends. */
SHARED bool task_program_file(struct task_struct *task, struct program_file *ret);
/** The same of the current one, in any context. */
SHARED bool current_program_file(struct program_file *ret);

/* ---- family.c: which processes a probe of programs is for ------------------------------------------------------- */

struct mm_struct;

/** A function that a tracepoint calls. Zeroed: it does not. */
struct process_hook {
	struct tracepoint *tracepoint;
	void *callback;
};

/** Task context. tracepoint_synchronize_unregister() is for who unhooks. */
int hook_process(struct process_hook *hook, const char *tracepoint, void *callback);
void unhook_process(struct process_hook *hook);

/** Begin to follow the target's family if a probe of the script asks for it; each call that succeeds has its end. */
int family_watch(void);
void family_ignore(void);
#ifdef STP_USER_SPACE
/** Does the process descend from the target, or is it that? Any context. False where nothing is followed. */
HOT bool is_of_family(pid_t process);
#endif
/** Calls of one function that may be under way for its return probe, if the script does not say. */
int default_maxactive(void);

/** May the session take so much memory? Asked before it is taken: STP_MAXMEMORY. */
SHARED bool memory_take(size_t bytes);

/** The process that a probe is for, as the whole machine numbers them; 0: any; negative: there is none. */
pid_t probe_process(const struct stp_probe *probe);
/** Is it memory of this process (0: of any) and, if that is asked for, of the family? */
bool memory_is_of(const struct mm_struct *memory, pid_t process, bool of_target);

/* ---- user_call.c: calls under way in programs -------------------------------------------------------------------- */

struct user_call {
	struct user_call *next;
	const struct task_struct *task;
	const struct stp_probe *probe;
	unsigned long place; /* of the return address */
	struct instance_data data;
};

/** No place on a stack: of a system call, of which a task has one at a time, and which may execute something else. */
#define USER_CALL_NO_PLACE ULONG_MAX

/** Room for what all probes keep; each call that was made has its release, also if it failed. */
int user_calls_hold(void);
void user_calls_release(void);
/* The rest with preemption off, of the current task. */
/** Room for what an entry handler fills; NULL: there is none, and the return will find nothing. */
struct user_call *user_call_begin(const struct stp_probe *probe, unsigned long place);
/** The handler has run. */
void user_call_begun(struct user_call *call);
/** The call that returns; NULL: its entry was not seen. */
struct user_call *user_call_end(const struct stp_probe *probe, unsigned long place);
void user_call_done(struct user_call *call);
/** A call from which only a recorder's registers are wanted, until another comes with its return address there. */
void user_call_record(const struct stp_probe *probe, unsigned long place, const struct pt_regs *regs);

/* ---- user_debugger.c: debuggers that write where a probe is ------------------------------------------------------ */

/** Between these calls, warns of them. May sleep; after the second, nobody asks for places (is_armed_place()). */
SHARED void user_debuggers_watch(void);
SHARED void user_debuggers_ignore(void);

/** uprobe.c: is there a breakpoint at a place of a file? While debuggers are watched. */
SHARED bool is_armed_place(const struct inode *inode, loff_t offset);

/* ---- user_return.c: return addresses that the kernel has replaced ------------------------------------------------ */

/** Before an exception goes through functions: the program's own. @p size: of an address on its stack. */
SHARED void user_returns_restore(unsigned int size);
/** When it is caught: the trampoline's, for the functions that have not been left. */
SHARED void user_returns_replace(struct pt_regs *regs, unsigned int size);

/* ---- exec.c: noticing that a task executes a file -------------------------------------------------------------- */

/* Static: it stays in use until exec_forget(). */
struct exec_watcher {
	/**
	 * The current task is about to execute a file, as yet with its old memory; the exec may still fail. May sleep,
	 * but not wait for what may wait for an exec. It may be called after exec_ignore() too. NULL: not needed.
	 */
	void (*begins)(const struct file *file);
	/** A task, the current one, has executed it. In a tracepoint: may not sleep. Not called after exec_ignore(). */
	void (*is_done)(struct task_struct *task, const struct file *file);
	struct exec_watcher *next; /* this and the rest are those of exec.c */
	bool is_listed;
	struct tracepoint *tracepoint; /* NULL: is_done() is not called */
};

/** Begin to call a watcher, once for each; one after the other. Task context, as are the rest. */
int exec_watch(struct exec_watcher *watcher);
void exec_ignore(struct exec_watcher *watcher);
/** Before unload: nothing is called any more when it returns. */
#ifdef STP_USER_SPACE
void exec_forget(void);
#else
static inline void exec_forget(void)
{
}
#endif

/* ---- module_notifier.c: modules that come and go --------------------------------------------------------------- */

/** Be told of modules that the script has probes in, or no more. Task context. */
void modules_watch(void);
void modules_ignore(void);
/** staprun found a section at @p address. -ENOENT: the script does not name it. */
int target_set(const char *module, const char *section, unsigned long address);
/* The rest under the arming lock. */
/** Is the probe's module loaded, if it is in one? */
bool probe_is_there(const struct stp_probe *probe);
/** Is the probe to be armed now, because its module has come? */
bool probe_arrives(const struct stp_probe *probe);
/** Must nothing stay armed there, because its module goes? */
bool address_leaves(unsigned long address);
/** The same for kprobes, after the kernel has marked them. */
bool kprobe_has_gone(unsigned long address);
/** The module of a probe by symbol, "module:function", *length bytes; NULL: it is one of the kernel. */
const char *symbol_in_module(const struct stp_probe *probe, size_t *length);
/** Where the symbol of such a probe is; 0: there is none. */
unsigned long module_symbol_address(const struct stp_probe *probe);
/**
 * Is the function at @p address the last thing in its module's text, with nothing mapped behind it? The kernel decodes
 * a function to its end when it takes a kprobe, and beyond: an instruction that the padding seems to begin there is a
 * page fault (arch/x86/kernel/kprobes/opt.c, can_optimize(); since text has pages of its own, 6.4).
 */
bool module_text_ends_after(unsigned long address);
/** Warn that a probe could not be armed. */
void probe_arm_failed(const struct stp_probe *probe, int error);

/* ---- stack.c --------------------------------------------------------------------------------------------------- */

/** Are its registers made up to carry arguments? */
bool is_callback(const struct stp_probe *probe);

/* The stack of a hit, walked when it is first asked for. */
struct stack_frames {
	bool is_walked;
	unsigned int count;
	unsigned long addresses[64]; /* innermost first */
};
/** Room in the context of a handler. */
SHARED struct stack_frames *context_frames(struct stp_context *c);
/** "0x… 0x…" with whole addresses only, to a string of the script: half of one would be a wrong one. */
void put_addresses(struct stp_context *c, char *to, const unsigned long *addresses, unsigned int count);
/** How much room a context has for what that keeps from call to call, zeroed, if stp_script.keeps_addresses. */
SHARED size_t address_texts_size(void);
/** Walks it, once for each hit. */
const struct stack_frames *stack_frames(struct stp_context *c);

/* ---- symbol.c -------------------------------------------------------------------------------------------------- */

/** The line and the file of an address; 0 if it is not known. */
unsigned int source_line(unsigned long address, const char **file);

/* ---- machine.c ------------------------------------------------------------------------------------------------- */

/** Is there such a processor? An error of the script if not. */
bool is_processor(struct stp_context *c, stp_long cpu);

/* ---- signal.c -------------------------------------------------------------------------------------------------- */

/** Before unload: those that handlers have raised are sent. */
SHARED void signals_finish(void);

/* ---- clock.c --------------------------------------------------------------------------------------------------- */

/**
 * Do nothing for so long, by the clock: what udelay() takes is a guess where the kernel could not calibrate its loop
 * (virtual processors are known for it, by a factor of 200). By what was asked of udelay() where the clock stands
 * still, as that of jiffies does while interrupts are off. In any context.
 */
SHARED void delay_by_clock(s64 microseconds);

/* ---- own_process.c: what a script of --privilege=stapusr may see ------------------------------------------------- */

/** Is the script restricted to processes of its user? */
SHARED extern bool session_is_restricted;
/** The current task is the one of staprun that has the rights of its user. */
SHARED void own_process_begin(void);
/** May the script see this process? The current one, or one whose memory is held. True if it is not restricted. */
SHARED bool is_own_task(struct task_struct *task);
/** The same of a memory, by the task that it belongs to. */
SHARED bool is_own_memory(struct mm_struct *memory);

/* ---- callbacks of tracepoints ------------------------------------------------------------------------------------ */

/*
 * They rely on staying on one processor. Until 6.19 or so a tracepoint saw to that; in newer kernels its callbacks may
 * be preempted as the task may. What runs with preemption off, or in an interrupt, stays anyway, and is left as it is.
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

/** A declaration, until the end of the block. */
#define STAYS_HERE bool stays_here __attribute__((cleanup(end_to_stay), unused)) = begin_to_stay()

/* ---- user_memory.c ----------------------------------------------------------------------------------------------- */

/** Have the page of an address brought in. False: there is none, or the handler may not wait for it. */
SHARED bool user_page_in(unsigned long address, unsigned int flags);
/** Copy from the current process's memory. False: it cannot be read, or not now. */
SHARED bool read_user(void *to, unsigned long from, unsigned int size);

/* ---- cached_page.c: pages of files, for scripts with probes of system calls -------------------------------------- */

struct address_space;
/**
 * Copies what is within one page of a file, if it is in memory and up to date. In a task that has no locks of the
 * kernel but its memory's, preemption off or on.
 */
bool cached_page_read(struct address_space *mapping, pgoff_t index, void *to, unsigned int offset, unsigned int size);
/** After the last handler. May sleep. */
SHARED void cached_pages_finish(void);

/* ---- task.c ---------------------------------------------------------------------------------------------------- */

/** Load what a script gives the address of. False, with an error of the script: it cannot be read. */
bool load_field(struct stp_context *c, void *to, const void *from, size_t size);

/** The value of a member of the struct at an address; 0 with an error if it cannot be read. */
#define LOAD(c, pointer, member)                                                                                       \
	({                                                                                                             \
		typeof((pointer)->member) loaded;                                                                      \
		load_field(c, (void *)&loaded, (const void *)&(pointer)->member, sizeof(loaded));                      \
		loaded;                                                                                                \
	})

/** Is this the address of a living task? Under RCU; an error is set if it cannot be read. */
bool task_exists(struct stp_context *c, const struct task_struct *task);

#endif
