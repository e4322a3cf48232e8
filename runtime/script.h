/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a generated script module sees of the runtime.
 *
 * The translator's output includes this header alone; it pulls in no kernel header, so compiling a script takes
 * milliseconds, and it may be mixed with kernel headers when the script's own embedded C wants them. The runtime
 * proper is compiled once per kernel (kbuild, see Makefile) and linked to the script's object; the two meet at the
 * functions below and at `stp_script`, the table that the translator emits.
 *
 * Everything here may be called in any context: task, softirq, hardirq, NMI. Nothing sleeps or allocates.
 */
#ifndef SPILE_RUNTIME_SCRIPT_H
#define SPILE_RUNTIME_SCRIPT_H

typedef long long stp_long;
typedef unsigned long long stp_ulong;

#define STP_NULL ((void *)0)
#define stp_likely(x) __builtin_expect(!!(x), 1)
#define stp_unlikely(x) __builtin_expect(!!(x), 0)

/* Bumped whenever a structure below changes: the cached runtime object of another layout must not be linked. */
#define STP_LAYOUT_VERSION 28

struct pt_regs;
struct stp_context;
struct stp_map;

enum stp_probe_kind {
	STP_PROBE_BEGIN,
	STP_PROBE_END,
	STP_PROBE_ERROR,
	STP_PROBE_NEVER,
	STP_PROBE_TIMER,
	STP_PROBE_FUNCTION, /* function entry: ftrace when there is a call site, else a kprobe */
	STP_PROBE_KPROBE, /* any instruction */
	STP_PROBE_KRETPROBE, /* function return */
	STP_PROBE_CALLS, /* no probe of the script: records the calls of a function, for stp_entry_register() */
	STP_PROBE_TRACEPOINT,
	STP_PROBE_PERF, /* a counter of the kernel's perf events, on every processor or of the target process */
	STP_PROBE_WATCHPOINT, /* an address in memory, by the processor's debug registers */
	STP_PROBE_NETFILTER, /* packets */
	STP_PROBE_PROCFS_READ, /* a file in /proc/systemtap/MODULE is read */
	STP_PROBE_PROCFS_WRITE, /* … is written */
};

enum {
	STP_PROBE_BY_SYMBOL = 1, /* kprobe.function: found by name at load time */
	STP_PROBE_ABSOLUTE = 2, /* the address is one of the running kernel */
};

/*
 * What some families need besides an address; of each, only its own fields are set. One list makes the structure here and
 * what writes it into the table of probes (translator/emit/tables.c): NUMBER(type, name) and TEXT(name).
 */
/* clang-format off */
#define STP_DETAILS(NUMBER, TEXT)                                                                                      \
	/* STP_PROBE_PERF: as perf_event_open(2) has them */                                                           \
	NUMBER(unsigned int, type)                                                                                     \
	NUMBER(stp_ulong, config)                                                                                      \
	NUMBER(stp_ulong, period) /* or frequency; 0: that of the system's tick */                                     \
	NUMBER(unsigned char, is_frequency)                                                                            \
	NUMBER(unsigned char, of_target) /* the target process alone */                                                \
	TEXT(program) /* all processes that run it; NULL: not so */                                                    \
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
	NUMBER(unsigned int, size) /* of what is read, with the NUL */
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
	unsigned short target; /* index in stp_script.targets */
	unsigned short light; /* the number of a handler that needs no context, for stp_run_light(); 0: it is none */
	unsigned int entry_size; /* bytes of saved entry values */
	int maxactive; /* return probes; 0: the runtime's default */
	int arguments; /* tracepoints: how many the kernel passes besides the first */
	unsigned long
		address; /* offset in the target (kernel: link-time address) of the instruction, or struct tracepoint */
	unsigned long fentry; /* the same of the ftrace call site, or 0 */
	const char *symbol; /* STP_PROBE_BY_SYMBOL */
	stp_long interval; /* timers: ns; negative: jiffies */
	stp_long randomize; /* timers: +- this much, same unit */
	const struct stp_details *details; /* of families that have some */
};

/* Where a probe comes from: for the report of -t. */
struct stp_probe_origin {
	const char *place; /* "file:line:column"; NULL: not the script's own, and not reported */
	const char *derivation; /* the points as they were written */
};

enum stp_target_kind {
	STP_TARGET_KERNEL, /* moved as a whole by the boot */
	STP_TARGET_MODULE, /* of the kernel: a section of it */
	STP_TARGET_EXECUTABLE, /* in each process that runs it, moved as a whole */
};

/* What addresses are relative to: an object, or a section of one. Entry 0 is always the kernel. */
struct stp_target {
	unsigned char kind; /* enum stp_target_kind */
	const char *name; /* "kernel", the module's name, or the executable's path */
	const char *section; /* of a module: ".text" …; else "" */
	const char *build_id; /* hex */
	unsigned long id_address,
		first_code; /* of an executable: the bytes of its build-id, and its first code, as linked */
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
	unsigned int key_strings; /* bit k: key k is a string */
	unsigned char statistic; /* enum stp_statistic_flags */
	unsigned char only_fed; /* event probes do nothing but "<<<": they need not keep each other out */
	unsigned char shift; /* STP_STATISTIC_VARIANCE: bits of fraction */
	unsigned int buckets; /* of the histogram, with the two for what is out of range; 0: none */
	stp_long low, high, width; /* STP_STATISTIC_LINEAR */
	unsigned int max_entries; /* 0: the script's MAXMAPENTRIES */
	const char *initial_string; /* or NULL */
	void **storage; /* where the script wants the pointer to the storage; unused for STP_GLOBAL_LONG */
};

/* The whole script. The translator emits exactly one, named stp_script. */
struct stp_script {
	unsigned int layout; /* STP_LAYOUT_VERSION */
	const char *source_name;
	const struct stp_probe *probes;
	unsigned int probe_count;
	void **recorders; /* room for the runtime: a pointer for each of the last probes, which are STP_PROBE_CALLS */
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
	unsigned int min_stack_space; /* MINSTACKSPACE, bytes */
	unsigned int max_backtrace; /* MAXBACKTRACE */
	int map_hash_bias; /* MAPHASHBIAS */
	unsigned char masks_interrupts; /* INTERRUPTIBLE=0 */
	unsigned int fail_allocation; /* STP_FAIL_ALLOCATION, for tests: this one fails; 0: none */
	unsigned int buffer_bytes; /* relay bytes per CPU; 0: default */
	unsigned char needs_registers; /* all registers, not only those of the calling convention */
	unsigned char suppress_errors; /* --suppress-handler-errors */
	unsigned short match_nodes; /* largest stp_regex.node_count; 0: groups are not asked for */
	unsigned char keeps_tokens; /* stp_tokenize() is used: contexts have room for a string */
	unsigned char keeps_commands; /* so is stp_system() */
	const struct stp_probe_origin *origins; /* -t: of each probe; NULL: hits are not timed */
	const char *const *names; /* pn(): of each probe; NULL: not asked for */
	const void *lines; /* of the kernel's code, line_table.h; NULL: not asked for, or not known */
};

extern const struct stp_script stp_script;

/* Before what scripts use: the runtime is compiled as a whole program, and all else may be inlined and left out. */
#if __has_attribute(externally_visible)
#define STP_USED __attribute__((externally_visible))
#else
#define STP_USED
#endif

/**
 * Handlers that only count, on integer globals, one atomic operation each: they can neither fail nor wait nor be disturbed, and
 * run without a context, whose set-up would cost several times as much. The translator emits it; a direct call is
 * cheaper than one through a pointer, too.
 */
STP_USED void stp_run_light(unsigned int light);

/** Runs a handler of an event. The translator emits it: the first few are called directly, for the same reason. */
STP_USED void stp_run_handler(void (*handler)(struct stp_context *), struct stp_context *c);

enum { STP_ERROR_SIZE = 256 };

/* Where print functions write: the output stream, or a string being built by sprintf and its family. */
struct stp_sink {
	char *buffer;
	unsigned int used, size;
};

/* What is read from or was written to a file in /proc. */
struct stp_file_value {
	char *text; /* NUL-terminated */
	unsigned int used, size;
};

enum { STP_ERROR_CALLS = 4 };

/* A call that an error came through, on its way out of functions. */
struct stp_error_call {
	const char *place; /* "file:line:col" */
	unsigned int times; /* one after the other: recursion */
};

/* State of one running handler. One exists per CPU and nesting level, so a handler owns it alone. */
struct stp_context {
	const struct stp_probe *probe;
	const unsigned long *regs; /* struct pt_regs as words, or NULL */
	const char *task; /* the current struct task_struct */
	char *entry_values; /* return probes: area filled by the entry handler */
	struct stp_file_value *file_value; /* procfs probes: $value */
	int *verdict; /* netfilter probes: $verdict */
	const char *error; /* a run-time error is pending: unwind to the nearest catch */
	const char *error_place; /* " near operator '/' at file:line:col" */
	struct stp_error_call error_calls[STP_ERROR_CALLS]; /* innermost first */
	unsigned int error_call_count; /* of calls at different places; more than there is room for are not kept */
	int actions; /* statements left before MAXACTION; a handler that counts them sets it to… */
	int budget; /* … all that there are */
	int nesting; /* function calls left before MAXNESTING */
	char *frame, *frame_end; /* string temporaries: bump allocation */
	unsigned long stack_base; /* of the outermost function call */
	void *kept; /* the generated code's: values of stable functions, for the handler under way */
	int holds; /* the condition of the probe */
	int passed_on; /* a function said "next": the caller tries the next overload */
	struct stp_sink *sink;
	struct stp_match *match; /* NULL: stp_script.match_nodes is 0 */
	char *tokens; /* stp_tokenize(): what is left of the string; NULL unless stp_script.keeps_tokens */
	const struct stp_lock_use *locks; /* held now, or NULL */
	unsigned int lock_count;
	char error_text[STP_ERROR_SIZE];
};

/* ---- memory ---------------------------------------------------------------------------------------------------- */

/** A word of struct pt_regs; which one holds a register, the translator knows (abi/). 0: there are no registers. */
static inline unsigned long stp_register(struct stp_context *c, unsigned int word)
{
	return c->regs ? c->regs[word] : 0;
}

/*
 * Load `size` (1, 2, 4, 8) bytes of kernel memory, zero-extended. *fault becomes nonzero if the address cannot be read.
 *
 * User-half addresses are refused before the access: with SMAP such a fault is an oops, not a fixup
 * (arch/x86/mm/fault.c, do_user_addr_fault()). Kernel-half faults, non-canonical ones included, go through the
 * exception table (type 1 is EX_TYPE_DEFAULT since 5.16, asm/extable_fixup_types.h). The vsyscall page is refused as
 * copy_from_kernel_nofault_allowed() does.
 */
#define STP_MAY_FAULT(insn)                                                                                            \
	"1: " insn "\n"                                                                                                \
	"   xorl %[fault], %[fault]\n"                                                                                 \
	"2:\n"                                                                                                         \
	".pushsection \"__ex_table\",\"a\"\n"                                                                          \
	".balign 4\n"                                                                                                  \
	".long 1b - .\n"                                                                                               \
	".long 2b - .\n"                                                                                               \
	".long 1\n"                                                                                                    \
	".popsection"
#define STP_LOAD_INSN(insn)                                                                                            \
	asm volatile(STP_MAY_FAULT(insn)                                                                               \
		     : [value] "+r"(value), [fault] "+r"(failed)                                                       \
		     : [address] "r"(address)                                                                          \
		     : "memory", "cc")

static inline stp_ulong stp_load(unsigned long address, unsigned int size, int *fault)
{
	unsigned long value = 0;
	int failed = 1;

	if (stp_likely((long)address < 0 && (address & ~4095ul) != 0xffffffffff600000ul)) {
		switch (size) {
		case 1:
			STP_LOAD_INSN("movzbl (%[address]), %k[value]");
			break;
		case 2:
			STP_LOAD_INSN("movzwl (%[address]), %k[value]");
			break;
		case 4:
			STP_LOAD_INSN("movl (%[address]), %k[value]");
			break;
		default:
			STP_LOAD_INSN("movq (%[address]), %[value]");
			break;
		}
	}
	*fault |= failed;
	return value;
}

/**
 * A register as it was at the entry of the function that a recorder is of, in the call of the current task whose return
 * address is at @p place on the stack. *fault becomes nonzero if that entry was not seen.
 */
STP_USED stp_ulong stp_entry_register(unsigned int recorder, unsigned long place, unsigned int word, int *fault);
/** Was it? */
STP_USED int stp_entry_known(unsigned int recorder, unsigned long place);
/** The error that it was not. */
STP_USED void stp_entry_unknown(struct stp_context *c, unsigned int recorder);
/** The return address at @p place on the stack, also where a return probe has put the kernel's own there; 0 if it cannot be read. */
STP_USED stp_ulong stp_return_address(unsigned long place);

/** The same of the current process's memory. A page that is not there is a fault too. */
STP_USED stp_ulong stp_load_user(unsigned long address, unsigned int size, int *fault);
/** A register of the current process when it entered the kernel; 0 in a kernel thread. */
STP_USED unsigned long stp_user_register(struct stp_context *c, unsigned int word);
/**
 * An address in the current process of an executable that is a target, or the pointer that the variables of the current
 * thread lie before. An error if the process does not run the executable.
 */
STP_USED stp_long stp_process_address(struct stp_context *c, unsigned int target, unsigned long offset);
STP_USED stp_long stp_thread_pointer(struct stp_context *c, unsigned int target);

/** Store to kernel memory (1, 2, 4, 8 bytes); a fault is a script error. */
STP_USED void stp_store(struct stp_context *c, unsigned long address, unsigned int size, stp_long value);
/** Guru mode. A line of the kernel's log; the end of the machine; a signal to the current process; time that passes. */
STP_USED void stp_printk(stp_long level, const char *text);
STP_USED void stp_panic(const char *text);
STP_USED void stp_raise(struct stp_context *c, stp_long number);
STP_USED void stp_delay(struct stp_context *c, stp_long microseconds);
/** Give a register of the probed context a value. Without a context: nothing. */
STP_USED void stp_set_register(struct stp_context *c, unsigned int word, stp_long value);

STP_USED stp_ulong stp_random(void);
/** As snprintf() to a string of the script. */
STP_USED void stp_format(char *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Bytes of a long in the current process. */
STP_USED stp_long stp_user_long_size(void);
/** As stp_copy_kernel_string(), from user memory. */
STP_USED int stp_copy_user_string(char *to, unsigned long from, unsigned int size);
/** A string of characters of @p size (2, 4) bytes as UTF-8. Returns what is wrong with it, or STP_NULL. */
STP_USED const char *stp_copy_wide_string(char *to, unsigned long from, unsigned int size, int of_user);
/** Memory in double quotes, at most @p most characters. Returns the address that cannot be read, or 0. */
STP_USED unsigned long stp_quote_memory(char *to, unsigned long from, stp_long length, stp_long most, int of_user);

/** Relocated address of something in target @p target (0: kernel); 0 if that module is not loaded. */
STP_USED unsigned long stp_address(unsigned int target, unsigned long offset);

/** Copy a kernel string (at most @p size bytes with the NUL). False: a fault; @p to then holds "". */
STP_USED int stp_copy_kernel_string(char *to, unsigned long from, unsigned int size);

/* ---- errors ---------------------------------------------------------------------------------------------------- */

STP_USED void stp_error(struct stp_context *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** The pending error left a function that was called at @p place, a string that stays. */
STP_USED void stp_error_called(struct stp_context *c, const char *place);
/** A load of a $variable or @cast failed. */
STP_USED void stp_fault(struct stp_context *c, unsigned long address);
/** A load from user memory failed. */
STP_USED void stp_user_fault(struct stp_context *c, unsigned long address);
/** Statement budget used up; sets the error. */
STP_USED void stp_too_many_actions(struct stp_context *c);
/** Move the pending error's text to @p to (for catch) and clear it. 0: it is that of stp_abort(), and stays. */
STP_USED int stp_catch(struct stp_context *c, char *to);

static inline int stp_charge(struct stp_context *c, int statements)
{
	c->actions -= statements;
	if (stp_unlikely(c->actions < 0)) {
		stp_too_many_actions(c);
		return 0;
	}
	return 1;
}

STP_USED stp_long stp_divide(struct stp_context *c, stp_long left, stp_long right);
STP_USED stp_long stp_modulo(struct stp_context *c, stp_long left, stp_long right);

/*
 * Frames are small, but the kernel's stack is 16 KiB and may be half full at the probe: however deep MAXNESTING allows calls,
 * there is an end to them.
 */
enum { STP_CALLS_STACK = 6144 };

/* Enter a script function: take `size` bytes of temporaries. NULL with an error when nested too deep. */
static inline void *stp_call_enter(struct stp_context *c, unsigned int size)
{
	char *frame = c->frame;
	unsigned long here;

	__asm__("mov %%rsp, %0" : "=r"(here));
	if (c->nesting == (int)stp_script.max_nesting)
		c->stack_base = here;
	if (stp_unlikely(c->stack_base - here > STP_CALLS_STACK)) {
		stp_error(c, "function calls take too much of the kernel's stack");
		return STP_NULL;
	}
	if (stp_unlikely(--c->nesting < 0 || size > (unsigned long)(c->frame_end - frame))) {
		c->nesting++;
		stp_error(c, "MAXNESTING exceeded");
		return STP_NULL;
	}
	c->frame = frame + size;
	return frame;
}

static inline void stp_call_leave(struct stp_context *c, void *frame)
{
	c->frame = frame;
	c->nesting++;
}

/* ---- strings --------------------------------------------------------------------------------------------------- */

/** Bounded copy (MAXSTRINGLEN); the regions may be the same. */
STP_USED void stp_copy(char *to, const char *from);
STP_USED void stp_concat(char *to, const char *left, const char *right);
/** In double quotes, with C escape sequences; "…" cut short ends in "\"...". @p to is another buffer than @p from. */
STP_USED void stp_quote(char *to, const char *from);
/** The same in at most @p most characters, quotes included. */
STP_USED void stp_quote_within(char *to, const char *from, stp_long most);
STP_USED int stp_compare(const char *left, const char *right);
/** The C escape sequence of a byte, 1 to 4 characters without a NUL; returns how many. */
STP_USED unsigned int stp_escape(char *to, unsigned char byte);

/* Behind the tapset's functions; see string.c. @p to is another buffer than the arguments. */
STP_USED void stp_substr(char *to, const char *text, stp_long start, stp_long length);
STP_USED stp_long stp_string_at(struct stp_context *c, const char *text, stp_long position);
/** Where @p part begins, or -1. */
STP_USED stp_long stp_string_position(const char *text, const char *part);
STP_USED void stp_string_replace(char *to, const char *text, const char *part, const char *by);
STP_USED stp_long stp_string_number(const char *text, stp_long base);
/** In double quotes as JSON has them; cut short behind a whole character. @p to is another buffer than @p from. */
STP_USED void stp_quote_json(char *to, const char *from);
/** With escape sequences, at most @p most bytes (0: MAXSTRINGLEN), in quotes if asked for ("…"... if cut). */
STP_USED void stp_text(char *to, const char *text, stp_long most, int quoted);
/** The next token of the string of the last call with an @p input that is not "". Needs keeps_tokens. */
STP_USED void stp_tokenize(struct stp_context *c, char *to, const char *input, const char *delimiters);

/* ---- regular expressions --------------------------------------------------------------------------------------- */

enum stp_regex_kind {
	STP_REGEX_BYTE, /* one byte of a set */
	STP_REGEX_SPLIT, /* next is tried first, then other */
	STP_REGEX_SAVE, /* the place goes to groups[other] */
	STP_REGEX_BEGIN, /* ^ */
	STP_REGEX_END, /* $ */
	STP_REGEX_EMPTY,
	STP_REGEX_ACCEPT,
};

struct stp_regex_node {
	unsigned short kind, next, other;
};

enum { STP_REGEX_DEAD_STATE = 0 }; /* of every automaton: nothing matches any more */
enum { STP_REGEX_ACCEPTS = 1, STP_REGEX_ACCEPTS_AT_END = 2 };

/* Where the backward automaton begins: any match, or one that ends just here; at the end of the text; of an empty one. */
enum stp_regex_start {
	STP_REGEX_ANY_AT_END,
	STP_REGEX_ANY_EMPTY,
	STP_REGEX_EXACT,
	STP_REGEX_EXACT_AT_END,
	STP_REGEX_EXACT_EMPTY,
	STP_REGEX_STARTS_,
};

/* A compiled pattern; see translator/sema/regex.h and regex_match.h. A table has class_count numbers per state. */
struct stp_regex {
	const unsigned char *classes; /* of each byte */
	unsigned int class_count;
	const unsigned short *search;
	const unsigned char *search_accepts;
	unsigned short search_start;
	unsigned char matches_empty;
	/* only for groups */
	const unsigned short *forward, *backward;
	const unsigned char *forward_accepts;
	unsigned short forward_start[2]; /* at the beginning of the text, elsewhere */
	unsigned short backward_start[STP_REGEX_STARTS_];
	const unsigned short *backward_at_begin; /* what a state becomes at the beginning of the text */
	const unsigned char *viable; /* per state a bit for each node */
	unsigned int viable_bytes;
	const struct stp_regex_node *nodes;
	unsigned short node_count, start, group_count;
	unsigned short search_count, forward_count, backward_count; /* states */
};

enum { STP_REGEX_SLOTS = 2 * 32 }; /* begin and end of each group */

/* Room to find groups in. */
struct stp_regex_work {
	unsigned short *states; /* length of the text + 1 */
	int *seen; /* 2 * node_count: where a branch was met last, and how much there was to undo then */
	unsigned int undo_count;
	struct {
		int slot, value;
	} undo[STP_REGEX_SLOTS]; /* what groups were before the changes at this place */
};

/* The last match of a handler, for matched(). */
struct stp_match {
	char *text; /* copy of the subject */
	struct stp_regex_work work;
	unsigned int group_count; /* 0: no match */
	int groups[STP_REGEX_SLOTS];
};

/** =~; notes groups if the script asks for them anywhere. */
STP_USED int stp_regex_match(struct stp_context *c, const struct stp_regex *regex, const char *text);
/** A group of the last match; an error if there was none or it had no such group. */
STP_USED void stp_matched(struct stp_context *c, char *to, stp_long group);
STP_USED stp_long stp_group_count(struct stp_context *c);

/* ---- output ---------------------------------------------------------------------------------------------------- */

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

STP_USED void stp_print(struct stp_context *c, const char *text, unsigned int length);
/** For embedded C: the kernel's printf, at most 511 bytes at a time. */
STP_USED void stp_printf(struct stp_context *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
STP_USED void stp_print_string(struct stp_context *c, const char *text, unsigned int flags, stp_long width,
			       stp_long precision);
/** base 8, 10 or 16. */
STP_USED void stp_print_number(struct stp_context *c, stp_long value, unsigned int base, unsigned int flags,
			       stp_long width, stp_long precision);
STP_USED void stp_print_character(struct stp_context *c, stp_long value, unsigned int flags, stp_long width);
/** %b: the low `width` bytes of value, little-endian, or most significant first (%B); width 1, 2, 4 or 8. */
STP_USED void stp_print_binary(struct stp_context *c, stp_long value, stp_long width, int is_big_endian);
/** %m, %M: `length` bytes of kernel (STP_ALTERNATE: user) memory, as they are or in hex. A fault is a script error. */
STP_USED void stp_print_memory(struct stp_context *c, unsigned long address, stp_long length, int hex,
			       unsigned int flags, stp_long width);
/** Send what follows to a string of MAXSTRINGLEN bytes instead of the stream, until stp_sink_end(). */
STP_USED void stp_sink_begin(struct stp_context *c, struct stp_sink *sink, char *buffer);
STP_USED void stp_sink_end(struct stp_context *c);
STP_USED void stp_log(struct stp_context *c, const char *text);
STP_USED void stp_warn(struct stp_context *c, const char *text);
/** Have staprun run a shell command when the handler has ended. */
STP_USED void stp_system(struct stp_context *c, const char *command);

/* ---- globals, arrays, statistics ------------------------------------------------------------------------------- */

union stp_value {
	stp_long number;
	const char *string;
};

/* Reader-writer lock of one global; see lock.c. */
enum stp_lock_mode { STP_LOCK_READ, STP_LOCK_WRITE };
struct stp_lock_use {
	unsigned short global;
	unsigned char mode;
};

/** Take the locks of a handler's region, in the table's order. 0: contention; the handler is to end (it is counted). */
STP_USED int stp_lock(struct stp_context *c, const struct stp_lock_use *uses, unsigned int count);
STP_USED void stp_unlock(struct stp_context *c);

static inline stp_long stp_atomic_read(const stp_long *value)
{
	return __atomic_load_n(value, __ATOMIC_RELAXED);
}

static inline void stp_atomic_write(stp_long *value, stp_long to)
{
	__atomic_store_n(value, to, __ATOMIC_RELAXED);
}

static inline stp_long stp_atomic_add(stp_long *value, stp_long by) /* returns the new value */
{
	return __atomic_add_fetch(value, by, __ATOMIC_RELAXED);
}

struct stp_statistic_values {
	stp_long count, sum, min, max;
};

STP_USED stp_long stp_map_get_long(struct stp_context *c, struct stp_map *map, const union stp_value *keys);
STP_USED const char *stp_map_get_string(struct stp_context *c, struct stp_map *map, const union stp_value *keys);
/** The slot of an element, created if need be; NULL with an error when the array is full. Under the write lock. */
STP_USED stp_long *stp_map_slot_long(struct stp_context *c, struct stp_map *map, const union stp_value *keys);
STP_USED void stp_map_set_string(struct stp_context *c, struct stp_map *map, const union stp_value *keys,
				 const char *value);
STP_USED int stp_map_contains(struct stp_context *c, struct stp_map *map, const union stp_value *keys,
			      unsigned int wildcards);
STP_USED void stp_map_delete(struct stp_context *c, struct stp_map *map, const union stp_value *keys,
			     unsigned int wildcards);
STP_USED void stp_map_clear(struct stp_context *c, struct stp_map *map);

/* "<<<": takes the lock it needs by itself, unless the handler holds the global's lock already. */
STP_USED void stp_map_aggregate(struct stp_context *c, unsigned int global, struct stp_map *map,
				const union stp_value *keys, stp_long value);
STP_USED void stp_aggregate(struct stp_context *c, unsigned int global, void *statistic, stp_long value);
/** 0: no such element (then *values is all zero). Under the lock. */
STP_USED int stp_map_statistic(struct stp_context *c, struct stp_map *map, const union stp_value *keys,
			       struct stp_statistic_values *values);
STP_USED void stp_statistic(struct stp_context *c, unsigned int global, void *statistic,
			    struct stp_statistic_values *values);
STP_USED void stp_statistic_clear(struct stp_context *c, unsigned int global, void *statistic);
/** The aggregate of an element, NULL if there is none; what the functions below take as `statistic`. */
STP_USED void *stp_map_aggregate_of(struct stp_context *c, struct stp_map *map, const union stp_value *keys);
/** Of a nonempty aggregate; a single value has none, which is 0. */
STP_USED stp_long stp_variance(struct stp_context *c, unsigned int global, const void *statistic);
/** Samples in a bucket: 0 below the range, 1 to N, N + 1 above. Another index is an error. */
STP_USED stp_long stp_histogram_bucket(struct stp_context *c, unsigned int global, const void *statistic,
				       stp_long index);
/**
 * The bucket behind *index (negative: the first) by count, direction 1 upwards, -1 downwards; *count is its count. 0: there
 * is none.
 */
STP_USED int stp_histogram_next(struct stp_context *c, unsigned int global, const void *statistic, int direction,
				stp_long *index, stp_long *count);
/** The bar chart. */
STP_USED void stp_histogram_print(struct stp_context *c, unsigned int global, const void *statistic);
STP_USED stp_long stp_average(struct stp_context *c, const struct stp_statistic_values *values);
/** @min, @max, @avg of an empty aggregate are errors; says so and returns 0. */
STP_USED int stp_statistic_nonempty(struct stp_context *c, const struct stp_statistic_values *values, const char *what);

enum stp_sort_statistic { STP_SORT_COUNT, STP_SORT_SUM, STP_SORT_MIN, STP_SORT_MAX, STP_SORT_AVERAGE };

/**
 * Prepare a foreach: put the elements (those that match @p slice, if not NULL, ignoring keys in @p wildcards) in order.
 * @p column: 0 the value, 1… that key; @p direction: -1, 0 (insertion order), 1. Returns how many there are.
 * Under the write lock of the map (the order array belongs to the map), held for the whole loop.
 */
STP_USED unsigned int stp_map_order(struct stp_context *c, struct stp_map *map, const union stp_value *slice,
				    unsigned int wildcards, int column, int direction, int statistic);
STP_USED stp_long stp_map_order_key_long(struct stp_map *map, unsigned int position, unsigned int key);
STP_USED const char *stp_map_order_key_string(struct stp_map *map, unsigned int position, unsigned int key);
STP_USED stp_long stp_map_order_value_long(struct stp_map *map, unsigned int position);
STP_USED const char *stp_map_order_value_string(struct stp_map *map, unsigned int position);

/* ---- services behind tapset functions -------------------------------------------------------------------------- */

STP_USED void stp_exit(void);
/** The same, and the handler ends here: an error is pending that nobody catches or reports. */
STP_USED void stp_abort(struct stp_context *c);
/** A global that conditions of probes depend on was written. */
STP_USED void stp_conditions_changed(void);

/* Where things are in the kernel's struct task_struct, for what is so often asked for that a call would cost too much. */
struct stp_task_layout {
	unsigned int tgid, pid, comm;
};
STP_USED extern const struct stp_task_layout stp_task_layout;

static inline stp_long stp_pid(struct stp_context *c)
{
	return *(const int *)(c->task + stp_task_layout.tgid);
}

static inline stp_long stp_tid(struct stp_context *c)
{
	return *(const int *)(c->task + stp_task_layout.pid);
}

/* comm has 16 bytes, and MAXSTRINGLEN is no less: no look for the end. */
static inline void stp_execname(struct stp_context *c, char *to)
{
	__builtin_memcpy(to, c->task + stp_task_layout.comm, 16);
	to[15] = '\0';
}

STP_USED stp_long stp_ppid(void);
STP_USED stp_long stp_uid(void);
STP_USED stp_long stp_euid(void);
STP_USED stp_long stp_gid(void);
STP_USED stp_long stp_cpu(void);
/** The NUMA node of memory in the kernel's direct mapping; an error if there is none at the address. */
STP_USED stp_long stp_memory_node(struct stp_context *c, unsigned long address);
/* Where the per-CPU variables of a processor are, from where they were linked; cpu -1 is this one. */
STP_USED stp_long stp_percpu_offset(struct stp_context *c, stp_long cpu);
STP_USED stp_long stp_target(void); /* pid given with -x or started by -c */
STP_USED stp_long stp_time_ns(void); /* CLOCK_REALTIME */
STP_USED stp_long stp_seconds_west(void); /* the time zone of staprun's user */
STP_USED const char *stp_time_zone(void); /* its name */
STP_USED stp_long stp_remote_number(void); /* of stap --remote; -1: it is none */
STP_USED const char *stp_remote_name(void);
STP_USED void stp_ftrace(const char *text); /* a line in the kernel's trace buffer */
STP_USED unsigned long stp_probe_address(struct stp_context *c);
/** Hex return addresses, innermost first, separated by blanks. */
STP_USED void stp_backtrace(struct stp_context *c, char *to);
STP_USED void stp_print_backtrace(struct stp_context *c);
STP_USED void stp_print_stack(struct stp_context *c, const char *addresses);
STP_USED void stp_print_symbols(struct stp_context *c, const char *addresses);
/** Symbol name of an address, or its hex text. */
STP_USED void stp_symbol_name(char *to, unsigned long address);
/** " 0xADDR : name+0xOFF/0xSIZE [module]" without the newline. */
STP_USED void stp_symbol_line(char *to, unsigned int size, unsigned long address);
/** "name+0xOFF/0xSIZE [module]" */
STP_USED void stp_symbol_data(char *to, unsigned long address);
enum stp_line_parts { STP_LINE_FILE = 1, STP_LINE_NUMBER = 2 };
/** File, line, or both ("fs/open.c:120") of a kernel address; the address in hexadecimal if they are not known. */
STP_USED void stp_source_line(char *to, unsigned long address, enum stp_line_parts parts);
STP_USED void stp_print_backtrace_lines(struct stp_context *c);
/** Addresses of the first levels + 1 frames; all if negative. */
STP_USED void stp_callers(struct stp_context *c, char *to, stp_long levels);
/** Address of a frame, 0 if there are not so many. */
STP_USED stp_long stp_stack(struct stp_context *c, stp_long level);
STP_USED void stp_task_backtrace(struct stp_context *c, char *to, unsigned long task);
STP_USED stp_long stp_stack_size(void);
STP_USED stp_long stp_stack_used(struct stp_context *c);
STP_USED void stp_dump_stack(void); /* to the kernel's log */
/** "kernel" or a module's name; an error if the address is in none. */
STP_USED void stp_module_name(struct stp_context *c, char *to, unsigned long address);
STP_USED unsigned int stp_string_size(void);

enum stp_task_fact {
	STP_TASK_PID,
	STP_TASK_TID,
	STP_TASK_PARENT,
	STP_TASK_STATE,
	STP_TASK_PRIORITY,
	STP_TASK_NICE,
	STP_TASK_CPU,
	STP_TASK_UID,
	STP_TASK_EUID,
	STP_TASK_GID,
	STP_TASK_EGID,
	STP_TASK_USER_TIME,
	STP_TASK_SYSTEM_TIME,
	STP_TASK_START_TIME,
	STP_TASK_BLOCKED, /* bit N - 1: signal N */
	STP_TASK_GROUP, /* only in a namespace */
	STP_TASK_SESSION, /* only in a namespace */
};

/** What a struct task_struct says; an error if the address cannot be read. */
STP_USED stp_long stp_task(struct stp_context *c, unsigned long task, enum stp_task_fact fact);
/** An id as the namespace of staprun has it; @p task 0: of the current task. 0 if it has ended. */
STP_USED stp_long stp_task_in_namespace(struct stp_context *c, unsigned long task, enum stp_task_fact fact);
STP_USED void stp_task_name(struct stp_context *c, char *to, unsigned long task);
/** Address of the task with this id, or 0. */
STP_USED unsigned long stp_task_find(stp_long pid);
STP_USED stp_long stp_task_file_count(struct stp_context *c, unsigned long task);
STP_USED stp_long stp_task_file_limit(struct stp_context *c, unsigned long task);
enum stp_memory_fact { STP_MEMORY_SIZE, STP_MEMORY_RESIDENT, STP_MEMORY_SHARED, STP_MEMORY_CODE, STP_MEMORY_DATA };

/** Pages of a process, as /proc/PID/statm has them; @p task 0: of the current task. 0 if it has no memory. */
STP_USED stp_long stp_process_memory(struct stp_context *c, unsigned long task, enum stp_memory_fact fact);
/** Address of the struct file that a process executes, or 0; @p task 0: the current task. */
STP_USED stp_long stp_executable(struct stp_context *c, unsigned long task);
/** Address of the struct file behind a descriptor of a task, or 0. */
STP_USED unsigned long stp_task_file(struct stp_context *c, unsigned long task, stp_long number);
/** Address of the struct path of a task's current folder, or 0. */
STP_USED unsigned long stp_task_folder(struct stp_context *c, unsigned long task);
/** The path of a file as a task sees it (0: the current one), as d_path() has it; the start is cut if it is too long. */
STP_USED void stp_path(struct stp_context *c, char *to, unsigned long task, unsigned long dentry, unsigned long mount);
STP_USED void stp_path_of(struct stp_context *c, char *to, unsigned long task,
			  unsigned long path); /* of a struct path */
STP_USED void stp_file_path(struct stp_context *c, char *to, unsigned long task, unsigned long file);
/** The same from the root of the file system. */
STP_USED void stp_inner_path(struct stp_context *c, char *to, unsigned long dentry);
STP_USED void stp_entry_name(struct stp_context *c, char *to, unsigned long dentry);
/** Address of an inode's first dentry, or 0. */
STP_USED unsigned long stp_inode_entry(struct stp_context *c, unsigned long inode);
/** Address of the struct mount around a struct vfsmount. */
STP_USED unsigned long stp_mount(unsigned long mount);
/** The next process id after one that is of the process @p first or of one of its descendants; 0: there is none. */
STP_USED stp_long stp_next_descendant(struct stp_context *c, stp_long first, stp_long after);
STP_USED stp_long stp_pgrp(void);
STP_USED stp_long stp_sid(void);
STP_USED stp_long stp_egid(void);
STP_USED stp_long stp_user_address(void);
/** Arguments of the current process from the first to the last (all if that is smaller), with a text between them. */
STP_USED void stp_command_line(char *to, stp_long first, stp_long last, const char *between);
/** A variable of the current process's environment. */
STP_USED void stp_environment(char *to, const char *name);

STP_USED int stp_registers_valid(struct stp_context *c);
STP_USED int stp_user_mode(struct stp_context *c);
/** By its usual name; one of 32 bits is sign-extended or not. An error if there are no registers or none of the name. */
STP_USED stp_long stp_named_register(struct stp_context *c, const char *name, int is_signed);
STP_USED stp_long stp_return_register(struct stp_context *c);
/** An argument of the function, counted from 1, by the calling convention. */
STP_USED stp_long stp_argument(struct stp_context *c, stp_long number);
STP_USED void stp_set_argument(struct stp_context *c, stp_long number, stp_long value);
/** Nothing if there are none. */
STP_USED void stp_print_registers(struct stp_context *c);

STP_USED stp_long stp_jiffies(void);
STP_USED stp_long stp_hz(void);
STP_USED stp_long stp_cycles(void);
STP_USED stp_long stp_monotonic_ns(void);
/** Clock of a processor, in nanoseconds; an error if there is no such processor. */
STP_USED stp_long stp_cpu_clock(struct stp_context *c, stp_long cpu);
STP_USED stp_long stp_local_clock(void); /* of this one */
STP_USED const char *stp_own_name(void); /* of the script's module */
STP_USED stp_long stp_own_pid(void); /* of staprun */
STP_USED stp_long stp_is_own_process(void); /* is the current process one of staprun's user? */
/** Bytes of the script's module, in words. */
STP_USED void stp_own_size(char *to);
/** One of three, in hundredths. */
STP_USED stp_long stp_load_average(stp_long index);
STP_USED const char *stp_probe_type(struct stp_context *c);
/** The probe point as the script has it, with its wildcards resolved. */
static inline const char *stp_probe_name(struct stp_context *c)
{
	return stp_script.names[c->probe - stp_script.probes];
}
/** $value of a procfs probe: read, set, add to. What does not fit is cut. */
STP_USED void stp_file_value(struct stp_context *c, char *to);
STP_USED void stp_file_value_set(struct stp_context *c, const char *text);
STP_USED void stp_file_value_add(struct stp_context *c, const char *text);
/** $verdict of a netfilter probe. */
STP_USED stp_long stp_verdict(struct stp_context *c);
STP_USED void stp_verdict_set(struct stp_context *c, stp_long verdict);
/** @perf: the counter with this number, as far as it belongs to this processor or the current task. */
STP_USED stp_long stp_perf_value(struct stp_context *c, unsigned int counter);

/* ---- for embedded C -------------------------------------------------------------------------------------------- */

#ifdef STP_KERNEL_HEADERS
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>

/* Many scripts have it, newer kernels no more. */
#undef strlcpy
#define strlcpy(to, from, size) ((size_t)snprintf(to, size, "%s", from))
#endif

#endif
