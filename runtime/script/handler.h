/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a running handler: the hit, its remaining budget, its pending error, and where output and strings go. */
#ifndef SPILE_RUNTIME_CONTEXT_H
#define SPILE_RUNTIME_CONTEXT_H

struct pt_regs;
struct stp_lock_use;
struct stp_match;
struct stp_probe;

enum { STP_ERROR_SIZE = 256 };

/* C of scripts expects an atomic_t. Other scripts include no kernel header that has it. */
#ifdef STP_KERNEL_HEADERS
#include <linux/types.h>
typedef atomic_t stp_busy;
#else
typedef int stp_busy;
#endif

/* A key or value of an array. */
union stp_value {
	stp_long number;
	const char *string;
};

struct stp_statistic_values {
	stp_long count, sum, min, max;
};

/* Where print functions write: the output stream, or a string under construction by sprintf() and similar functions. */
struct stp_sink {
	char *buffer;
	unsigned int used, size;
};

/* The contents of a /proc file for reading, or the text written to it. */
struct stp_file_value {
	char *text; /* NUL-terminated */
	unsigned int used, size;
};

enum { STP_ERROR_CALLS = 4 };

/* A function call that the pending error has propagated through. */
struct stp_error_call {
	const char *place; /* "file:line:col", then NUL and the source lines */
	unsigned int times; /* consecutive calls at this place (recursion) */
};

/* State of one running handler. One exists per CPU and nesting level, so a handler owns it alone. */
struct stp_context {
	const struct stp_probe *probe;
	const unsigned long *regs; /* struct pt_regs as words, or NULL */
	const char *task; /* the current struct task_struct */
	unsigned long object_base; /* probes in a program or library: its load bias in this process */
	char *entry_values; /* return probes: area filled by the entry handler */
	struct stp_file_value *file_value; /* procfs probes: $value */
	int *verdict; /* netfilter probes: $verdict */
	const char *error; /* the pending run-time error, or NULL; unwind to the nearest catch */
	const char *error_place; /* " near operator '/' at file:line:col", then NUL and the source lines */
	const char *error_hint; /* a remedy, or NULL */
	struct stp_error_call error_calls[STP_ERROR_CALLS]; /* innermost first */
	unsigned int error_call_count; /* STP_ERROR_CALLS + 1 if there were more */
	int actions; /* statements left before MAXACTION; set at the start of a handler that counts them */
	int budget; /* the initial value of actions */
	int nesting; /* function calls left before MAXNESTING */
	char *frame, *frame_end; /* string temporaries: bump allocation */
	unsigned long stack_base; /* frame address of the handler, if it calls functions */
	void *kept; /* used by generated code: values of stable functions during this handler */
	int holds; /* result of the probe's condition */
	int passed_on; /* a function executed "next": the caller tries the next overload */
	struct stp_sink *sink;
	struct stp_sink string_sink; /* used by stp_sink_begin() */
	/* Arguments that generated code passes by address; they are here because the kernel stack is small. */
	union stp_value keys[STP_MAX_KEYS];
	struct stp_statistic_values statistic;
	int fault;
	struct stp_match *match; /* NULL if stp_script.match_nodes is 0 */
	char *tokens; /* stp_tokenize(): the rest of the string; NULL unless stp_script.keeps_tokens */
	void *address_texts; /* used by stack.c; NULL unless stp_script.keeps_addresses */
	/* STP_SCRATCH_SIZE bytes for embedded C, of which the first scratch_used are in use; NULL unless
	   stp_script.keeps_scratch. Nothing here changes either between handlers. */
	char *scratch;
	unsigned int scratch_used;
	const struct stp_lock_use *locks; /* locks held now, or NULL */
	unsigned int lock_count;
	const void *user_stack; /* used by user/stacks/walk.c: the stack of this hit, once it has been walked */
	unsigned int level; /* enum context_level of context.c */
	int is_session; /* whether this is the context of begin, end and error probes, which run alone and may sleep */
	/* Members for the C of scripts, set before it runs if it names them; see systemtap.h. */
	struct pt_regs *kregs, *uregs; /* of the kernel's or a program's code */
	int user_mode_p;
	const char *probe_point, *last_error, *last_stmt;
	stp_busy busy; /* 1 while a handler runs */
	char error_text[STP_ERROR_SIZE];
};

#endif
