/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables that describe a script, which the translator writes and the runtime reads: its probes, what their
 * addresses are relative to, its globals, and the script itself, which names all of them.
 *
 * The translator includes this file too, for the names of kinds and the list of details: it declares nothing but types.
 */
#ifndef SPILE_RUNTIME_LAYOUT_H
#define SPILE_RUNTIME_LAYOUT_H

typedef long long stp_long;
typedef unsigned long long stp_ulong;

#define STP_NULL ((void *)0)
#define stp_likely(x) __builtin_expect(!!(x), 1)
#define stp_unlikely(x) __builtin_expect(!!(x), 0)

/* Bumped whenever a structure below changes: the cached runtime object of another layout must not be linked. */
#define STP_LAYOUT_VERSION 45

struct stp_context;

/*
 * All kinds of probes: KIND(name, type), where type is what probe_type() returns. One list makes the enumeration, the
 * types in the runtime, and the names that the translator writes: no table can be shorter than the enumeration.
 */
/* clang-format off */
#define STP_PROBE_KINDS(KIND)                                                                                          \
	KIND(BEGIN, "begin")                                                                                           \
	KIND(END, "end")                                                                                               \
	KIND(ERROR, "error")                                                                                           \
	KIND(NEVER, "never")                                                                                           \
	KIND(TIMER, "timer")                                                                                           \
	KIND(FUNCTION, "ftrace") /* function entry: ftrace when there is a call site, else a kprobe */                 \
	KIND(KPROBE, "kprobe") /* any instruction */                                                                   \
	KIND(KRETPROBE, "kretprobe") /* function return */                                                             \
	KIND(CALLS, "kretprobe") /* no probe of the script: records the calls of a function */                         \
	KIND(TRACEPOINT, "kernel_tracepoint")                                                                          \
	KIND(PERF, "perf") /* a counter of the kernel's perf events, on every processor or of the target process */    \
	KIND(WATCHPOINT, "watchpoint") /* an address in memory, by the processor's debug registers */                  \
	KIND(NETFILTER, "netfilter") /* packets */                                                                     \
	KIND(PROCFS_READ, "procfs") /* a file in /proc/systemtap/MODULE is read */                                     \
	KIND(PROCFS_WRITE, "procfs") /* such a file is written */                                                      \
	KIND(UPROBE, "uprobe") /* an instruction of a program or library */                                            \
	KIND(URETPROBE, "uretprobe") /* return from a function of one */                                               \
	KIND(PROCESS, "process") /* details->process_event */                                                          \
	KIND(SYSCALL, "kernel_tracepoint") /* details->syscall; on the tracepoints of raw_syscalls */
/* clang-format on */

enum stp_probe_kind {
#define STP_PROBE_KIND(name, type) STP_PROBE_##name,
	STP_PROBE_KINDS(STP_PROBE_KIND)
#undef STP_PROBE_KIND
		STP_PROBE_KIND_COUNT_
};

/* What happens to a process or thread, in its own context. */
enum stp_process_event {
	STP_PROCESS_BEGIN, /* it was made, has executed a file, or runs when the script starts */
	STP_PROCESS_END, /* it ends, or executes another file */
	STP_PROCESS_THREAD_BEGIN, /* a thread besides its first */
	STP_PROCESS_THREAD_END,
	STP_PROCESS_SYSCALL,
	STP_PROCESS_SYSCALL_RETURN,
};

enum {
	STP_PROBE_BY_SYMBOL = 1, /* kprobe.function: found by name at load time */
	STP_PROBE_ABSOLUTE = 2, /* the address is one of the running kernel */
	STP_PROBE_ONESHOT = 4, /* STP_PROBE_BEGIN: it runs although the script is to end */
	STP_PROBE_RECORDS = 8, /* STP_PROBE_UPROBE: no probe of the script, as STP_PROBE_CALLS */
	STP_PROBE_THROWS = 16, /* STP_PROBE_UPROBE: nor is this; a function that an exception begins with */
	STP_PROBE_CATCHES = 32, /* likewise, one that it ends with */
};

/*
 * What some families need besides an address; of each, only its own fields are set. One list makes the structure here
 * and what writes it into the table of probes (translator/emit/tables.c): NUMBER(type, name) and TEXT(name).
 */
/* clang-format off */
#define STP_DETAILS(NUMBER, TEXT)                                                                                      \
	/* STP_PROBE_PERF: as perf_event_open(2) has them */                                                           \
	NUMBER(unsigned int, type)                                                                                     \
	NUMBER(stp_ulong, config)                                                                                      \
	NUMBER(stp_ulong, period) /* or frequency; 0: that of the system's tick */                                     \
	NUMBER(unsigned char, is_frequency)                                                                            \
	NUMBER(unsigned char, of_target) /* the target process alone; of a program's probes with its descendants */    \
	TEXT(program) /* processes that run it; NULL: not so, STP_PROBE_PROCESS: all */                                \
	NUMBER(unsigned int, counter) /* 1…: no handler, @perf reads it */                                             \
	/* STP_PROBE_WATCHPOINT */                                                                                     \
	NUMBER(unsigned long, watched) /* an address of this boot; 0: that of the probe */                             \
	NUMBER(unsigned char, length)                                                                                  \
	NUMBER(unsigned char, reads)                                                                                   \
	/* STP_PROBE_NETFILTER: enum nf_inet_hooks and its like, NFPROTO_… */                                          \
	NUMBER(unsigned char, family)                                                                                  \
	NUMBER(unsigned char, hook)                                                                                    \
	NUMBER(int, priority)                                                                                          \
	/* STP_PROBE_PROCFS_… */                                                                                       \
	TEXT(path) /* below the script's folder */                                                                     \
	NUMBER(unsigned short, mode) /* of the file */                                                                 \
	NUMBER(unsigned int, size) /* of what is read, with the NUL */                                                 \
	/* STP_PROBE_UPROBE, STP_PROBE_URETPROBE, STP_PROBE_PROCESS; of_target as well */                              \
	NUMBER(int, process) /* the one with this number, as seen by the whole machine; 0: any */                      \
	NUMBER(unsigned long, semaphore) /* offset in the file of the word that says how many watch; 0: none */        \
	NUMBER(unsigned char, process_event) /* enum stp_process_event */                                              \
	/* STP_PROBE_SYSCALL */                                                                                        \
	NUMBER(unsigned short, syscall) /* a row of syscall_rows.h, counted from 1; 0: all calls */                    \
	NUMBER(unsigned char, is_syscall_return)                                                                       \
	NUMBER(unsigned char, only_32_bit) /* of programs of 32 bits alone */
/* clang-format on */

#define STP_NUMBER_FIELD(type, name) type name;
#define STP_TEXT_FIELD(name) const char *name;
struct stp_details {
	STP_DETAILS(STP_NUMBER_FIELD, STP_TEXT_FIELD)
};

/* One derived probe. `number` in the table is its index in stp_script.probes. */
struct stp_probe {
	void (*handler)(struct stp_context *c);
	void (*condition)(struct stp_context *c); /* sets c->holds; NULL: always armed */
	void (*entry_handler)(struct stp_context *c); /* return probes: saves values to c->entry_values, or NULL */
	const char *point; /* pp() */
	const char *function; /* probefunc(), ppfunc(); "" if the point has none */
	unsigned char kind; /* enum stp_probe_kind */
	unsigned char flags;
	unsigned char restarts; /* nothing is done before the last read of user memory: it may begin again */
	unsigned short target; /* index in stp_script.targets */
	unsigned short light; /* the number of a handler that needs no context, for stp_run_light(); 0: it is none */
	unsigned short stack; /* index in stp_script.stack_needs */
	unsigned int entry_size; /* bytes of saved entry values */
	int maxactive; /* return probes; 0: the runtime's default */
	int arguments; /* tracepoints: how many the kernel passes besides the first */
	unsigned long
		address; /* offset in the target (kernel: link-time address) of the instruction, or struct tracepoint */
	union {
		unsigned long fentry; /* the same of the ftrace call site, or 0 */
		unsigned long file_offset; /* STP_PROBE_UPROBE, STP_PROBE_URETPROBE: of the instruction */
	};
	/*
	 * STP_PROBE_URETPROBE: offsets in the file of the instructions by which the function returns, for one that an
	 * exception may go through, which the kernel's return address would stop; NULL: that is used.
	 */
	const unsigned long *exits;
	unsigned int exit_count;
	const char *symbol; /* STP_PROBE_BY_SYMBOL; in programs: the one around the place, if that is asked for */
	stp_long interval; /* timers: ns; negative: jiffies */
	stp_long randomize; /* timers: +- this much, same unit */
	const struct stp_details *details; /* of families that have some */
};

/*
 * Bytes that must be left on the stack for a hit of a probe: for the handler, all that it calls, what the runtime does
 * around it, and a reserve for exceptions. The translator writes them into the finished module, since the compiler
 * knows them (translator/build/stack_usage.c).
 */
struct stp_stack_need {
	unsigned int in_event; /* at least MINSTACKSPACE */
	unsigned int in_session; /* begin, end and error probes, conditions */
};

#define STP_STACK_SECTION ".spile.stack"

/*
 * Bytes of the stack from the beginning of a handler to the functions of the script that it calls: however deep
 * MAXNESTING allows calls to be, they end there.
 */
enum { STP_CALLS_STACK = 6144 };

/* Where a probe comes from: for the report of -t. */
struct stp_probe_origin {
	const char *place; /* "file:line:column"; NULL: not the script's own, and not reported */
	const char *derivation; /* the points as they were written */
};

enum stp_target_kind {
	STP_TARGET_KERNEL, /* moved as a whole by the boot */
	STP_TARGET_MODULE, /* of the kernel: a section of it */
	STP_TARGET_EXECUTABLE, /* in each process that runs it, moved as a whole */
	STP_TARGET_LIBRARY, /* in each process that has mapped it, likewise */
	STP_TARGET_KIND_COUNT_
};

/* What addresses are relative to: an object, or a section of one. Entry 0 is always the kernel. */
struct stp_target {
	unsigned char kind; /* enum stp_target_kind */
	const char *name; /* "kernel", the module's name, or the path of the executable or library */
	const char *section; /* of a module: ".text" …; else "" */
	const char *build_id; /* hex; "": it has none */
	unsigned long id_address,
		first_code; /* of a program or library: the bytes of its build-id, and its first code, as linked */
	unsigned long id_offset; /* of those bytes in the file; 0: it has none */
	const char *anchor; /* a symbol in the section, by which it is found when the module is loaded; or NULL */
	unsigned long anchor_offset;
	const void *lines; /* line_table.h, of a module; NULL: not asked for, or not known */
	unsigned int lines_section; /* which of the table's it is */
};

enum stp_global_kind {
	STP_GLOBAL_LONG,
	STP_GLOBAL_STRING,
	STP_GLOBAL_STATISTIC,
	STP_GLOBAL_MAP_LONG,
	STP_GLOBAL_MAP_STRING,
	STP_GLOBAL_MAP_STATISTIC,
	STP_GLOBAL_KIND_COUNT_
};

enum { STP_MAX_KEYS = 32 };

/* What an aggregate keeps besides count, sum, minimum and maximum. */
enum stp_statistic_flags { STP_STATISTIC_VARIANCE = 1, STP_STATISTIC_LOG = 2, STP_STATISTIC_LINEAR = 4 };

/* A global variable. The runtime allocates the storage of strings, statistics and maps from this description. */
struct stp_global {
	const char *name;
	unsigned char kind; /* enum stp_global_kind */
	unsigned char key_count;
	unsigned char wraps; /* overwrite the oldest element when full */
	unsigned char walks; /* how many foreach over it are in each other */
	unsigned int key_strings; /* bit k: key k is a string */
	unsigned char statistic; /* enum stp_statistic_flags */
	unsigned char only_fed; /* event probes do nothing but "<<<" or counting elements: they keep nobody out */
	unsigned char shift; /* STP_STATISTIC_VARIANCE: bits of fraction */
	unsigned int buckets; /* of the histogram, with those for what is out of range; 0: none */
	stp_long low, high, width; /* STP_STATISTIC_LINEAR */
	unsigned int max_entries; /* 0: the script's MAXMAPENTRIES */
	const char *initial_string; /* or NULL */
	unsigned char settable; /* by who starts the script */
	void **storage; /* where the script wants the pointer to the storage; of STP_GLOBAL_LONG, the number itself */
};

/* A part of the runtime that only some scripts need; these name it in stp_script. */
struct stp_part;

/* A program or library of which the translator has made a table. */
struct stp_user_object {
	const char *path;
	const void *table; /* object_table.h; the translator's, and sound */
};

/* The whole script. The translator emits exactly one, named stp_script. */
struct stp_script {
	unsigned int layout; /* STP_LAYOUT_VERSION */
	const char *source_name;
	const struct stp_probe *probes;
	unsigned int probe_count;
	/* room for the runtime: a pointer for each of the last probes, which record calls */
	void **recorders;
	unsigned int recorder_count;
	const struct stp_target *targets;
	unsigned int target_count;
	const struct stp_global *globals;
	unsigned int global_count;
	unsigned long anchor; /* link-time address of _printk, to find the KASLR slide; 0: no address is used */
	unsigned long current_kprobe; /* where the kernel keeps it, as a per-CPU offset; 0: not known */
	unsigned int string_size; /* MAXSTRINGLEN, with the NUL */
	unsigned int frame_size; /* bytes of string temporaries the deepest call chain needs */
	unsigned int max_entries; /* MAXMAPENTRIES */
	unsigned int max_action, max_action_session; /* MAXACTION, MAXACTION_INTERRUPTIBLE */
	unsigned int max_nesting; /* MAXNESTING */
	int max_errors; /* MAXERRORS */
	int max_skipped; /* MAXSKIPPED; negative: no limit */
	unsigned int max_trylock; /* MAXTRYLOCK: attempts */
	unsigned int trylock_delay; /* TRYLOCKDELAY: microseconds between them */
	stp_ulong overload_interval, overload_threshold; /* cycles; 0: no overload check */
	int hist_elision; /* HIST_ELISION: empty rows kept next to filled ones; negative: all */
	const struct stp_stack_need *stack_needs; /* of each group of probes that run the same */
	unsigned int max_backtrace; /* MAXBACKTRACE */
	unsigned int max_memory; /* STP_MAXMEMORY: kilobytes; 0: no limit */
	unsigned int max_memory_per_cpu; /* and so many more for each possible processor */
	int map_hash_bias; /* MAPHASHBIAS */
	unsigned char masks_interrupts; /* INTERRUPTIBLE=0 */
	unsigned int fail_allocation; /* STP_FAIL_ALLOCATION, for tests: this one fails; 0: none */
	unsigned int buffer_bytes; /* relay bytes per CPU; 0: default */
	unsigned char needs_registers; /* all registers, not only those of the calling convention */
	unsigned char is_restricted; /* --privilege=stapusr: to processes of the user who runs it */
	unsigned char suppress_errors; /* --suppress-handler-errors */
	unsigned short match_nodes; /* largest stp_regex.node_count; 0: groups are not asked for */
	unsigned char keeps_tokens; /* stp_tokenize() is used: contexts have room for a string */
	unsigned char keeps_commands; /* so is stp_system() */
	unsigned char keeps_addresses; /* and what shows stacks as numbers */
	const struct stp_probe_origin *origins; /* -t: of each probe; NULL: hits are not timed */
	const char *const *names; /* pn(): of each probe; NULL: not asked for */
	const void *lines; /* of the kernel's code, line_table.h; NULL: not asked for, or not known */
	const struct stp_part *user_stacks; /* &stp_user_stacks; NULL: stacks of programs are not asked for */
	const struct stp_user_object *user_objects;
	unsigned int user_object_count;
	unsigned char user_lines; /* source lines of programs are asked for */
};

/* How a value is printed: flags of the print functions. */
enum stp_format_flags {
	STP_LEFT = 1,
	STP_PLUS = 2,
	STP_SPACE = 4,
	STP_ALTERNATE = 8,
	STP_ZERO = 16,
	STP_UPPER = 32,
	STP_SIGNED = 64,
	STP_HAS_PRECISION = 128,
	STP_POINTER = 256, /* "0x" also before a zero */
};

#endif
