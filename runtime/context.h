/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a handler has while it runs: the hit, what it may still use up, the error that is pending, and where its output
 * and its strings go.
 */
#ifndef SPILE_RUNTIME_CONTEXT_H
#define SPILE_RUNTIME_CONTEXT_H

struct pt_regs;
struct stp_lock_use;
struct stp_match;
struct stp_probe;

enum { STP_ERROR_SIZE = 256 };

/* A key or a value of an array. */
union stp_value {
	stp_long number;
	const char *string;
};

struct stp_statistic_values {
	stp_long count, sum, min, max;
};

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
	const char *place; /* "file:line:col", and behind its NUL the lines of source */
	unsigned int times; /* one after the other: recursion */
};

/* State of one running handler. One exists per CPU and nesting level, so a handler owns it alone. */
struct stp_context {
	const struct stp_probe *probe;
	const unsigned long *regs; /* struct pt_regs as words, or NULL */
	const char *task; /* the current struct task_struct */
	unsigned long object_base; /* probes in a program or library: how far it is moved in this process */
	char *entry_values; /* return probes: area filled by the entry handler */
	struct stp_file_value *file_value; /* procfs probes: $value */
	int *verdict; /* netfilter probes: $verdict */
	const char *error; /* a run-time error is pending: unwind to the nearest catch */
	const char *error_place; /* " near operator '/' at file:line:col", and behind its NUL the lines of source */
	const char *error_hint; /* the way out, or NULL */
	struct stp_error_call error_calls[STP_ERROR_CALLS]; /* innermost first */
	unsigned int error_call_count; /* of calls at different places; more than there is room for are not kept */
	int actions; /* statements left before MAXACTION; a handler that counts them sets it to… */
	int budget; /* … all that there are */
	int nesting; /* function calls left before MAXNESTING */
	char *frame, *frame_end; /* string temporaries: bump allocation */
	unsigned long stack_base; /* where the handler's part of the stack begins, if it calls functions */
	void *kept; /* the generated code's: values of stable functions, for the handler under way */
	int holds; /* the condition of the probe */
	int passed_on; /* a function said "next": the caller tries the next overload */
	struct stp_sink *sink;
	struct stp_sink string_sink; /* of stp_sink_begin() */
	/* What generated code passes to the next call by its address: the kernel's stack is small. */
	union stp_value keys[STP_MAX_KEYS];
	struct stp_statistic_values statistic;
	int fault;
	struct stp_match *match; /* NULL: stp_script.match_nodes is 0 */
	char *tokens; /* stp_tokenize(): what is left of the string; NULL unless stp_script.keeps_tokens */
	void *address_texts; /* of stack.c; NULL unless stp_script.keeps_addresses */
	const struct stp_lock_use *locks; /* held now, or NULL */
	unsigned int lock_count;
	const void *user_stack; /* of user_stack.c: the hit's, once it was walked */
	unsigned int level; /* which of the processor's contexts it is: enum context_level of context.c */
	int is_session; /* it is that of begin, end and error probes, which run alone and may sleep */
	char error_text[STP_ERROR_SIZE];
};

#endif
