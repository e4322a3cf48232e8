/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state for emitting the C file, and one C function of it.
 *
 * Expressions are emitted as a sequence of C statements, each storing to a new temporary. So evaluation is from left to
 * right, as the language requires. emit_expr() returns the C text of the result (a temporary or a literal). The
 * compiler optimizes the temporaries away. Strings are too large for the kernel's stack: their temporaries and locals
 * are members of a frame in the context's memory, `f->s0`, `f->s1`…
 */
#ifndef SPILE_EMIT_WRITER_H
#define SPILE_EMIT_WRITER_H

#include "translator/translation.h"

enum loop_kind { LOOP_PLAIN, LOOP_WITH_UPDATE };

struct loop {
	enum loop_kind kind;
	unsigned int label;
	struct loop *outer;
};

struct stable_functions;

/* What all functions of the C file share; module.c makes it. */
struct module_writer {
	struct translation *t;
	GHashTable *bodies; /* text of a body -> name of the C function emitted for it */
	struct stable_functions *stable;
	GHashTable *begun; /* set of script functions that were or are being emitted */
	unsigned int body_count;
	GPtrArray *light_handlers; /* of const char *: their names */
	GPtrArray *direct_handlers; /* of const char *: the handlers that stp_run_handler() calls by name */
	GHashTable *details; /* text of a struct stp_details -> its name */
	GHashTable *places; /* a place in the script and its length -> name of the C string for errors */
	GHashTable *stack_groups; /* names of the functions that a hit may run -> GUINT_TO_POINTER(number + 1) */
	GHashTable *frames; /* function -> struct frame_facts * */
	GString *prototypes; /* of functions, and the strings of `places` */
	GString *code; /* functions and handlers */
	unsigned int deepest; /* bytes of frames in the deepest chain of calls of a handler */
	bool needs_registers;
};

struct writer {
	struct translation *t;
	struct module_writer *module;
	GString *out;
	int indent;
	unsigned int temporaries; /* numbers used so far in the function */
	unsigned int labels;
	unsigned int strings_used, strings_most; /* frame slots: current number and maximum */
	unsigned int held, numbers_most; /* current number of values of hold(); maximal number of slots for numbers */
	const char *error_label; /* target of run-time errors: "out" or a catch */
	struct loop *loop;
	const struct function_declaration *function; /* NULL in a handler */
	const struct derived_probe *probe; /* NULL in a function */
	bool copy_strings; /* the statement changes variables: string values must be copied when read */
	/* MAXACTION errors get the place of the call, so that functions at different places can share their C code. */
	bool error_is_callers;
	bool charge; /* count statements against MAXACTION */
	const struct stable_functions *stable; /* functions whose values the handler keeps, or NULL */
	bool makes_kept; /* the `struct kept` is in its own frame */
	GHashTable *callees; /* set of struct function_declaration * called */
};

/** Emit a line of C at the current indentation. */
void line(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Open a block with a head, open a bare block, close a block. */
void open_block(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
void open_scope(struct writer *w);
void close_block(struct writer *w);

/** Return a C string literal (with quotes) of any bytes. Arena-owned. */
const char *c_string(struct arena *arena, const char *text, size_t length);
const char *c_number(struct arena *arena, int64_t number);

/** Allocate a frame slot for a string. Return its C text, as in "f->s3". */
const char *string_slot(struct writer *w);
/** Return the number of a slot given by its C text, or -1. */
int slot_number(const char *text);

/* Hide the addresses of further strings from the compiler: it might spill each to the stack. */
enum { STRINGS_OF_COMPILER = 32 };

/**
 * Keep a value while other expressions are evaluated, and return its C text from then on. Temporaries that are live at
 * the same time need the kernel's stack, so all but the first few are stored in the frame. The caller must restore
 * w->held after using the value.
 */
const char *hold(struct writer *w, const char *text, bool is_pointer);

/** Emit a check that notes the place and jumps to error_label if a run-time error is pending. */
void check_error(struct writer *w, const struct expr *culprit);
/** The same after a call. If the error already has a place, the call is noted as a caller. */
void check_call_error(struct writer *w, const struct expr *call);

/* Code emitted between begin_catch() and close_try() catches errors of code between open_try() and begin_catch(). */
struct try_block {
	const char *outer; /* the label of errors around it */
	unsigned int label;
};

struct try_block open_try(struct writer *w);
/** @p message: the C text of the string that receives the error message, or "STP_NULL". */
void begin_catch(struct writer *w, const struct try_block *block, const char *message);
void close_try(struct writer *w, const struct try_block *block);
/** Return the place of a statement as a C string literal, for errors that do not belong to one expression. */
const char *statement_place_text(struct writer *w, const struct statement *s);

/** Emit an expression. Return the C text of its value. */
const char *emit_expr(struct writer *w, struct expr *expr);
/** Emit an expression for its effects alone. */
void emit_effects(struct writer *w, struct expr *expr);

/** Values of keys, which are held from emit_keys() until the caller restores w->held. */
struct key_values {
	const struct symbol *array;
	const char *texts[MAX_KEYS];
	unsigned int wildcards; /* bit mask of keys that are "*" */
};

/** Evaluate the keys of an element. */
void emit_keys(struct writer *w, const struct symbol *array, const GPtrArray *keys, struct key_values *values);
/** Store the keys for the next call of the runtime. Return its argument as C text. */
const char *use_keys(struct writer *w, const struct key_values *values);
/** Return the C lvalue or pointer of a variable. */
const char *variable_text(struct writer *w, const struct symbol *symbol);
/** Return the C text for the number of samples in a bucket; @p place is the C text of the emitted aggregate. */
const char *bucket_text(struct writer *w, const struct expr *histogram, const char *place, const char *index);
/** Emit the code that arms or disarms probes, after code that changed a global integer. */
void note_change(struct writer *w, const struct expr *target);
/** Return the number of the global that a histogram is taken of. */
unsigned int histogram_global(struct writer *w, const struct expr *histogram);
/** Is this a call that may run statements of the script? */
bool calls_script_function(const struct expr *expr);
/** Set w->copy_strings if evaluating @p expr changes variables. Call before emitting a statement's expressions. */
void begin_statement(struct writer *w, struct expr *expr);

void emit_statement(struct writer *w, struct statement *statement);

/* ---- functions.c and module.c ------------------------------------------------------------------------------------ */

/** Can a statement below this one run more than once? */
bool runs_repeatedly(struct statement *body);

/** Return the index of a global in the table of globals. */
unsigned int module_global(struct module_writer *module, const struct symbol *global);

#endif
