/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables that describe a script: its probes, the targets that their addresses are relative to, its globals, and the
 * script itself. The translator emits them and the runtime reads them.
 *
 * The translator also includes this file, for the names of kinds and the list of details, and so does staprun, for the
 * kinds of targets. Hence it declares only types.
 */
#ifndef SPILE_RUNTIME_LAYOUT_H
#define SPILE_RUNTIME_LAYOUT_H

typedef long long stp_long;
typedef unsigned long long stp_ulong;

#define STP_NULL ((void *)0)
#define stp_likely(x) __builtin_expect(!!(x), 1)
#define stp_unlikely(x) __builtin_expect(!!(x), 0)

/* Increment when a structure below changes, so that a cached runtime object of another layout is not linked. */
#define STP_LAYOUT_VERSION 50

struct stp_context;

/*
 * All kinds of probes: KIND(name, type), where type is the result of probe_type(). The enumeration, the runtime's types
 * and the names in the translator's output are all generated from this list, so they cannot diverge.
 */
/* clang-format off */
#define STP_PROBE_KINDS(KIND)                                                                                          \
	KIND(BEGIN, "begin")                                                                                           \
	KIND(END, "end")                                                                                               \
	KIND(ERROR, "error")                                                                                           \
	KIND(NEVER, "never")                                                                                           \
	KIND(TIMER, "timer")                                                                                           \
	KIND(FUNCTION, "ftrace") /* function entry: ftrace if there is a call site, else a kprobe */                   \
	KIND(KPROBE, "kprobe") /* any instruction */                                                                   \
	KIND(KRETPROBE, "kretprobe") /* function return */                                                             \
	KIND(CALLS, "kretprobe") /* internal: records the calls of a function */                                       \
	KIND(TRACEPOINT, "kernel_tracepoint")                                                                          \
	KIND(PERF, "perf") /* perf event, on every CPU or of the target process */                                     \
	KIND(WATCHPOINT, "watchpoint") /* memory address, by the debug registers */                                    \
	KIND(NETFILTER, "netfilter") /* packets */                                                                     \
	KIND(PROCFS_READ, "procfs") /* read of a file in /proc/systemtap/MODULE */                                     \
	KIND(PROCFS_WRITE, "procfs") /* write to such a file */                                                        \
	KIND(UPROBE, "uprobe") /* instruction of a program or library */                                               \
	KIND(URETPROBE, "uretprobe") /* return from a function of a program or library */                              \
	KIND(USER_DATA, "watchpoint") /* memory of a program: `address` in its target */                            \
	KIND(PROCESS, "process") /* details->process_event */                                                          \
	KIND(SYSCALL, "kernel_tracepoint") /* details->syscall; on the tracepoints of raw_syscalls */
/* clang-format on */

enum stp_probe_kind {
#define STP_PROBE_KIND(name, type) STP_PROBE_##name,
	STP_PROBE_KINDS(STP_PROBE_KIND)
#undef STP_PROBE_KIND
		STP_PROBE_KIND_COUNT_
};

/* How much memory an array takes, including its per-CPU parts. */
struct stp_map_size {
	unsigned long long bytes, bytes_per_cpu;
	unsigned int least; /* elements, whatever their size */
};

/* When output is read, and what happens to records that do not fit into the buffer of their CPU. */
enum stp_buffer_policy {
	STP_BUFFER_SWITCH, /* at once; they are lost and counted */
	STP_BUFFER_RING, /* when the script ends; they overwrite the oldest ones */
	STP_BUFFER_FILL, /* when the script ends; the first one ends it */
};

/* Events of a process or thread, in its own context. */
enum stp_process_event {
	STP_PROCESS_BEGIN, /* created, has called exec, or exists when the script starts */
	STP_PROCESS_END, /* exits, or calls exec */
	STP_PROCESS_THREAD_BEGIN, /* any thread but the first */
	STP_PROCESS_THREAD_END,
	STP_PROCESS_SYSCALL,
	STP_PROCESS_SYSCALL_RETURN,
};

enum {
	STP_PROBE_BY_SYMBOL = 1, /* kprobe.function: found by name at load time */
	STP_PROBE_ABSOLUTE = 2, /* the address is valid in the running kernel, without relocation */
	STP_PROBE_ONESHOT = 4, /* STP_PROBE_BEGIN: runs even after an exit request */
	STP_PROBE_RECORDS = 8, /* STP_PROBE_UPROBE: internal, records calls like STP_PROBE_CALLS */
	STP_PROBE_THROWS = 16, /* STP_PROBE_UPROBE: internal, on a function that starts unwinding for an exception */
	STP_PROBE_CATCHES = 32, /* STP_PROBE_UPROBE: internal, on a function that ends this unwinding */
	STP_PROBE_HAS_FENTRY = 64, /* there is an ftrace call site at `fentry` */
};

/*
 * Fields that only some families use; a family sets only its own. NUMBER(type, name) and TEXT(name) generate both this
 * structure and the code that emits it (translator/emit/tables.c).
 */
/* clang-format off */
#define STP_DETAILS(NUMBER, TEXT)                                                                                      \
	/* STP_PROBE_PERF: as in perf_event_open(2) */                                                                 \
	NUMBER(unsigned int, type)                                                                                     \
	NUMBER(stp_ulong, config)                                                                                      \
	NUMBER(stp_ulong, period) /* or frequency; 0: that of the timer tick */                                        \
	NUMBER(unsigned char, is_frequency)                                                                            \
	NUMBER(unsigned char, of_target) /* only the target process; for probes of programs, also its descendants */   \
	TEXT(program) /* processes that run this file; NULL: no such restriction (STP_PROBE_PROCESS: all) */           \
	NUMBER(unsigned int, counter) /* from 1: no handler, read by @perf */                                          \
	/* STP_PROBE_WATCHPOINT, STP_PROBE_USER_DATA */                                                                \
	NUMBER(unsigned char, length)                                                                                  \
	NUMBER(unsigned char, reads)                                                                                   \
	NUMBER(unsigned long, entry) /* of a program: link-time address of its first instruction */                    \
	/* STP_PROBE_NETFILTER: NFPROTO_*, and enum nf_inet_hooks or similar */                                        \
	NUMBER(unsigned char, family)                                                                                  \
	NUMBER(unsigned char, hook)                                                                                    \
	NUMBER(int, priority)                                                                                          \
	/* STP_PROBE_PROCFS_… */                                                                                       \
	TEXT(path) /* relative to the script's directory */                                                            \
	NUMBER(unsigned short, mode) /* of the file */                                                                 \
	NUMBER(unsigned int, size) /* of the contents for reading, including the NUL */                                \
	/* STP_PROBE_UPROBE, STP_PROBE_URETPROBE, STP_PROBE_PROCESS; these also use of_target */                       \
	NUMBER(int, process) /* PID in the initial namespace; 0: any */                                                \
	NUMBER(unsigned long, semaphore) /* file offset of the SDT semaphore, the counter of its tracers; 0: none */   \
	NUMBER(unsigned char, process_event) /* enum stp_process_event */                                              \
	/* STP_PROBE_SYSCALL */                                                                                        \
	NUMBER(unsigned short, syscall) /* row of syscall_rows.h, from 1; 0: all calls */                              \
	NUMBER(unsigned char, is_syscall_return)                                                                       \
	NUMBER(unsigned char, only_32_bit) /* only calls of 32-bit programs */
/* clang-format on */

#define STP_NUMBER_FIELD(type, name) type name;
#define STP_TEXT_FIELD(name) const char *name;
struct stp_details {
	STP_DETAILS(STP_NUMBER_FIELD, STP_TEXT_FIELD)
};

/* One derived probe. Its number is its index in stp_script.probes. */
struct stp_probe {
	void (*handler)(struct stp_context *c);
	void (*condition)(struct stp_context *c); /* sets c->holds; NULL: always armed */
	void (*entry_handler)(struct stp_context *c); /* return probes: saves values to c->entry_values; or NULL */
	const char *point; /* pp() */
	const char *function; /* probefunc(), ppfunc(); "" if the point has none */
	unsigned char kind; /* enum stp_probe_kind */
	unsigned char flags;
	unsigned char restarts; /* can be restarted: does nothing before its last read of user memory */
	unsigned short target; /* index in stp_script.targets */
	unsigned short light; /* for stp_run_light(): number of a handler without a context; 0: needs one */
	unsigned short stack; /* index in stp_script.stack_needs */
	unsigned int entry_size; /* bytes of saved entry values */
	int maxactive; /* return probes; 0: default_maxactive() */
	int arguments; /* tracepoints: number of arguments after the first */
	unsigned long
		address; /* offset in the target (kernel: link-time address) of the instruction, or struct tracepoint */
	union {
		unsigned long fentry; /* STP_PROBE_HAS_FENTRY: relative like `address` */
		/* programs: file offset of the instruction; STP_PROBE_USER_DATA: of the program's first one */
		unsigned long file_offset;
	};
	/*
	 * STP_PROBE_URETPROBE: file offsets of the function's return instructions, if an exception may pass through it.
	 * The kernel's trampoline as return address would stop the exception. NULL: replace the return address.
	 */
	const unsigned long *exits;
	unsigned int exit_count;
	const char *symbol; /* STP_PROBE_BY_SYMBOL: its name; programs: symbol at the address, or NULL */
	stp_long interval; /* timers: ns; negative: jiffies */
	stp_long randomize; /* timers: +- this much, same unit */
	const struct stp_details *details; /* NULL in families without details */
};

/*
 * Stack bytes that must be free for a hit of a probe: for the handler, its callees, the runtime around it, and a
 * reserve for exceptions. The compiler knows these sizes, so the translator writes them into the finished module
 * (translator/build/stack_usage.c).
 */
struct stp_stack_need {
	unsigned int in_event; /* at least MINSTACKSPACE */
	unsigned int in_session; /* begin, end and error probes, conditions */
};

#define STP_STACK_SECTION ".spile.stack"

/*
 * The most stack bytes that nested script functions may take, measured from the handler's frame, whatever MAXNESTING
 * allows.
 */
enum { STP_CALLS_STACK = 6144 };

/* The origin of a probe, for the report of -t. */
struct stp_probe_origin {
	const char *place; /* "file:line:column"; NULL: internal, not reported */
	const char *derivation; /* the probe points as written */
};

/* All kinds of targets: KIND(name, word), where word stands for the kind in .spile.info, which staprun reads. */
/* clang-format off */
#define STP_TARGET_KINDS(KIND)                                                                                         \
	KIND(KERNEL, "kernel") /* relocated as a whole at boot */                                                      \
	KIND(MODULE, "module") /* a section of a kernel module */                                                      \
	KIND(EXECUTABLE, "executable") /* relocated as a whole in each process that runs it */                         \
	KIND(LIBRARY, "library") /* relocated as a whole in each process that maps it */
/* clang-format on */

enum stp_target_kind {
#define STP_TARGET_KIND(name, word) STP_TARGET_##name,
	STP_TARGET_KINDS(STP_TARGET_KIND)
#undef STP_TARGET_KIND
		STP_TARGET_KIND_COUNT_
};

/* A base of addresses: an object, or a section of one. Entry 0 is always the kernel. */
struct stp_target {
	unsigned char kind; /* enum stp_target_kind */
	unsigned char any_place; /* the build-id identifies the file, wherever processes map it; the name is a guess */
	const char *name; /* "kernel", the module's name, or the path of the executable or library */
	const char *section; /* of a module: ".text" etc.; else "" */
	const char *build_id; /* hex; "": the object has none */
	unsigned long id_address,
		first_code; /* programs and libraries: link-time addresses of the build-id and of the first code */
	unsigned long id_offset; /* file offset of the build-id; 0: none */
	const char *anchor; /* a symbol in the section, to find it when the module is loaded; or NULL */
	unsigned long anchor_offset;
	const void *lines; /* line table of a module (line_table.h); NULL: not requested or not known */
	unsigned int lines_section; /* index of the section in that table */
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

/* Data of an aggregate besides count, sum, minimum and maximum. */
enum stp_statistic_flags { STP_STATISTIC_VARIANCE = 1, STP_STATISTIC_LOG = 2, STP_STATISTIC_LINEAR = 4 };

/* Contents of a key that is a stack. */
enum stp_stack_flags {
	STP_STACK_KERNEL = 1,
	STP_STACK_USER = 2,
	STP_STACK_ADDRESSES = 4,
	STP_STACK_SYMBOLS = 8,
	/* Kind of the innermost address in the kernel; neither flag if it depends on the probe. */
	STP_STACK_AT = 16, /* of the instruction that was reached or interrupted */
	STP_STACK_AFTER = 32, /* that after a call */
	STP_STACK_FLAGS_END_ = 64,
};

/* A global variable. The runtime allocates the storage of strings, statistics and maps from this description. */
struct stp_global {
	const char *name;
	unsigned char kind; /* enum stp_global_kind */
	unsigned char key_count;
	unsigned char wraps; /* overwrite the oldest element when full */
	unsigned char walks; /* nesting depth of foreach loops over it */
	unsigned int key_strings; /* bit k: key k is a string */
	unsigned char statistic; /* enum stp_statistic_flags */
	unsigned char is_aggregation; /* of a program in D: it has the size stp_script.aggregations */
	unsigned char only_fed; /* event probes only use "<<<" on it or count elements, without exclusion */
	unsigned char shift; /* STP_STATISTIC_VARIANCE: fractional bits */
	unsigned int buckets; /* of the histogram, including the two for values out of range; 0: no histogram */
	stp_long low, high, width; /* STP_STATISTIC_LINEAR */
	unsigned int max_entries; /* 0: as the script says (struct stp_map_size) */
	const char *initial_string; /* or NULL */
	unsigned char settable; /* the user may set it when starting the script */
	unsigned char is_own; /* of the script, not of the library or a tapset */
	unsigned int line, column; /* of the declaration */
	const char *unit, *show; /* from comments at the declaration; or NULL */
	const char *key_names; /* separated by commas; an unknown one is empty; NULL: none is known */
	const char *stacks; /* for each key the character '0' + enum stp_stack_flags; NULL: no key is a stack */
	void **storage; /* where to store the pointer to the storage; for STP_GLOBAL_LONG, the number itself */
};

/* A part of the runtime for the scripts that name it in stp_script. */
struct stp_part;

/* A program or library for which the translator has made a table. */
struct stp_user_object {
	const char *path;
	const void *table; /* object_table.h; made by the translator and sound */
};

/* The memory of programs in D, in bytes (library/script_memory.c). */
enum {
	STP_SCRATCH_SIZE = 10240, /* the scratch of a context, with its frame */
	STP_FRAME_SIZE = 2048,
	STP_DROPPED_SIZE = 4096, /* of a context, for an element that was dropped */
	STP_AREA_SIZE = 1 << 20, /* shared by all contexts */
};

/* The whole script. The translator emits exactly one, named stp_script. */
struct stp_script {
	unsigned int layout; /* STP_LAYOUT_VERSION */
	const char *source_name;
	const struct stp_probe *probes;
	unsigned int probe_count;
	/* space for the runtime: one pointer for each of the last probes, which record calls */
	void **recorders;
	unsigned int recorder_count;
	const struct stp_target *targets;
	unsigned int target_count;
	const struct stp_global *globals;
	unsigned int global_count;
	unsigned long anchor; /* link-time address of _printk, to find the KASLR offset; 0: no address is used */
	unsigned long current_kprobe; /* per-CPU offset of the kernel's variable; 0: not known */
	unsigned int string_size; /* MAXSTRINGLEN, with the NUL */
	unsigned int frame_size; /* bytes of string temporaries that the deepest call chain needs */
	struct stp_map_size arrays, aggregations; /* of those without a size of their own */
	unsigned char drops_elements; /* a full array is no error: the element is dropped and counted */
	unsigned int max_action, max_action_session; /* MAXACTION, MAXACTION_INTERRUPTIBLE */
	unsigned int max_nesting; /* MAXNESTING */
	int max_errors; /* MAXERRORS */
	int max_skipped; /* MAXSKIPPED; negative: no limit */
	unsigned int max_trylock; /* MAXTRYLOCK: attempts */
	unsigned int trylock_delay; /* TRYLOCKDELAY: microseconds between them */
	stp_ulong overload_interval, overload_threshold; /* cycles; 0: no overload check */
	int hist_elision; /* HIST_ELISION: empty rows kept next to filled ones; negative: print all rows */
	const struct stp_stack_need *stack_needs; /* for each group of probes with the same code */
	unsigned int max_backtrace; /* MAXBACKTRACE */
	unsigned int max_memory; /* STP_MAXMEMORY: kilobytes; 0: no limit */
	unsigned int max_memory_per_cpu; /* added for each possible CPU */
	int map_hash_bias; /* MAPHASHBIAS */
	unsigned char masks_interrupts; /* INTERRUPTIBLE=0 */
	unsigned char timing_nsecs; /* STP_TIMING_NSECS: hits are timed in nanoseconds, not cycles */
	unsigned int fail_allocation; /* STP_FAIL_ALLOCATION, for tests: number of the allocation to fail; 0: none */
	unsigned int buffer_bytes; /* relay bytes per CPU; 0: default */
	unsigned char buffer_policy; /* enum stp_buffer_policy */
	unsigned char needs_registers; /* handlers need all registers, not only those of the calling convention */
	unsigned char is_restricted; /* --privilege=stapusr: only processes of the user who runs the script */
	unsigned char suppress_errors; /* --suppress-handler-errors */
	unsigned short match_nodes; /* largest stp_regex.node_count; 0: no match groups are used */
	unsigned char keeps_tokens; /* stp_tokenize() is used: contexts have a buffer for its string */
	unsigned char keeps_commands; /* stp_system() is used */
	unsigned char keeps_addresses; /* stacks are printed as numbers */
	unsigned char keeps_scratch; /* embedded C uses stp_context.scratch */
	const struct stp_probe_origin *origins; /* -t: of each probe; NULL: hits are not timed */
	const char *const *names; /* pn(): of each probe; NULL: not used */
	const void *lines; /* line table of the kernel (line_table.h); NULL: not requested or not known */
	const struct stp_part *user_stacks; /* &stp_user_stacks; NULL: no user-space stacks are used */
	const struct stp_user_object *user_objects;
	unsigned int user_object_count;
	unsigned char user_lines; /* source lines of programs are used */
	/*
	 * C of the script, or NULL. load_hook runs when the module is loaded, and an error makes that fail; unload_hook
	 * runs when it is unloaded.
	 */
	int (*load_hook)(void);
	void (*unload_hook)(void);
};

/* Flags of the print functions. */
enum stp_format_flags {
	STP_LEFT = 1,
	STP_PLUS = 2,
	STP_SPACE = 4,
	STP_ALTERNATE = 8,
	STP_ZERO = 16,
	STP_UPPER = 32,
	STP_SIGNED = 64,
	STP_HAS_PRECISION = 128,
	STP_POINTER = 256, /* "0x" even before a zero */
};

#endif
