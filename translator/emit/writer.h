/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of emitting one C function.
 *
 * Expressions are emitted as a sequence of statements, each storing to a fresh temporary, so that evaluation goes from
 * left to right as the language has it; emit_expr() returns the C text of the result (a temporary or a literal). The
 * compiler melts the temporaries away. Strings are too large for the kernel's stack: their temporaries and locals are
 * members of a frame in the context's memory, `f->s0`, `f->s1`…
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

struct module_writer;
struct stable_functions;

struct writer {
	struct translation *t;
	struct module_writer *module;
	GString *out;
	int indent;
	unsigned int temporaries; /* numbered through the function */
	unsigned int labels;
	unsigned int strings_used, strings_most; /* frame slots: now and at the worst place */
	unsigned int held, numbers_most; /* values that hold() keeps now; slots for numbers at the worst place */
	const char *error_label; /* where a run-time error goes: "out" or a catch */
	struct loop *loop;
	const struct function_declaration *function; /* NULL in a handler */
	const struct derived_probe *probe; /* NULL in a function */
	bool copy_strings; /* the statement changes variables: string values must be copied when read */
	/* MAXACTION is blamed on the call, so that functions of different places can come out the same. */
	bool error_is_callers;
	bool charge; /* count statements against MAXACTION */
	const struct stable_functions *stable; /* whose values the handler keeps; NULL: it keeps none */
	bool makes_kept; /* in its own frame */
	GHashTable *callees; /* set of struct function_declaration * called */
};

/** A line of C at the current indentation. */
void line(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Open a block with a head, open a bare one, close either. */
void open_block(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
void open_scope(struct writer *w);
void close_block(struct writer *w);

/** A C string literal (with quotes) for any bytes. Arena-owned. */
const char *c_string(struct arena *arena, const char *text, size_t length);
const char *c_number(struct arena *arena, int64_t number);

/** A new frame slot for a string: "f->s3". */
const char *string_slot(struct writer *w);
/** The number of a slot, by its text; -1: it is none. */
int slot_number(const char *text);

/* So many addresses in a frame are left to the compiler; it may keep each in a place of its own on the stack. */
enum { STRINGS_OF_COMPILER = 32 };

/**
 * Keep a value while other expressions are evaluated; gives the text for it from then on. Temporaries that are alive at
 * once take the kernel's stack, so all but the first few are stored in the frame. Whoever calls this sets w->held back
 * when the value has been used.
 */
const char *hold(struct writer *w, const char *text, bool is_pointer);

/** "goto error" if a run-time error is pending, noting the place. */
void check_error(struct writer *w, const struct expr *culprit);
/**
 * The same behind a call, which may pass on an error that has its place already: then it is noted as led through here.
 */
void check_call_error(struct writer *w, const struct expr *call);

/* Errors of what is emitted from open_try() to begin_catch() are caught by what stands from there to close_try(). */
struct try_block {
	const char *outer; /* the label of errors around it */
	unsigned int label;
};

struct try_block open_try(struct writer *w);
/** @p message: the C text of a string that gets the error, or "STP_NULL". */
void begin_catch(struct writer *w, const struct try_block *block, const char *message);
void close_try(struct writer *w, const struct try_block *block);
/** The same of a statement, for errors that are not one expression's. A C string literal. */
const char *statement_place_text(struct writer *w, const struct statement *s);

/** Emit an expression; the result's C text. */
const char *emit_expr(struct writer *w, struct expr *expr);
/** Emit an expression for its effects alone. */
void emit_effects(struct writer *w, struct expr *expr);

/** Values of keys, which are held from emit_keys() until the caller sets w->held back. */
struct key_values {
	const struct symbol *array;
	const char *texts[MAX_KEYS];
	unsigned int wildcards; /* a bit for each key that is "*" */
};

/** Evaluate the keys of an element. */
void emit_keys(struct writer *w, const struct symbol *array, const GPtrArray *keys, struct key_values *values);
/** Put the keys where the next call of the runtime takes them from; its argument, as C text. */
const char *use_keys(struct writer *w, const struct key_values *values);
/** The C lvalue or pointer that stands for a variable. */
const char *variable_text(struct writer *w, const struct symbol *symbol);
/** How many samples are in a bucket, as C text; @p place is what the histogram was emitted as. */
const char *bucket_text(struct writer *w, const struct expr *histogram, const char *place, const char *index);
/** Behind code that changed this integer: probes may have to be armed or disarmed. */
void note_change(struct writer *w, const struct expr *target);
/** The number of the global whose histogram is meant. */
unsigned int histogram_global(struct writer *w, const struct expr *histogram);
/** Is this a call that may run statements of the script? */
bool calls_script_function(const struct expr *expr);
/** Note whether evaluating @p expr changes variables; call before emitting a statement's expressions. */
void begin_statement(struct writer *w, struct expr *expr);

void emit_statement(struct writer *w, struct statement *statement);

/* ---- functions.c and module.c ------------------------------------------------------------------------------------ */

/** Can a statement below this one run more than once? */
bool runs_repeatedly(struct statement *body);

/** Index of a global in the table of globals. */
unsigned int module_global(struct module_writer *module, const struct symbol *global);

#endif
