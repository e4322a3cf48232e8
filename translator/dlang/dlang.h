/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The D language: its front end. dlang_parse() reads a program; dlang_begin() replaces sema's derivation of probes by
 * one that makes handlers of the tree that passes 2 and 3 share (lang/ast.h). Nothing later knows that a script was
 * written in D.
 *
 *     lexer.c                  tokens; macro arguments ($1, $target), #pragma D option
 *     parser.c                 clauses, declarations, statements
 *     parse_expression.c       expressions
 *     parse_type.c             types and declarators
 *     parse_provider.c         declarations of static probes
 *     types.c                  C types of declarations, as the types of debuginfo
 *     providers.c              which places a probe description names
 *     attributes.c             their stability and the types of their arguments, for dtrace -lv
 *     derive.c                 probes of all clauses, one handler for each place
 *     lower.c                  clauses and statements
 *     lower_expression.c       operators, conversions
 *     variables.c              variables of the program; built-in variables
 *     subroutines.c            calls
 *     memory.c                 structs, and memory that a program writes to
 *     order.c                  what may follow speculate() and commit()
 *     print.c                  trace(), printf() and other output
 *     print_value.c            print()
 *     aggregations.c           aggregations and their output
 *     template.c               statements of the tree from text
 *     declarations.c           types, variables and translators that the program declares
 *     solaris_names.c          names of Solaris and those of Linux, for hints
 */
#ifndef SPILE_DLANG_DLANG_H
#define SPILE_DLANG_DLANG_H

#include "translator/translation.h"

#include "translator/dlang/tree.h"

/* The values of macro variables. */
struct d_macros {
	const char *script_name; /* $0 */
	int64_t target; /* $target, D_TARGET_OF_COMMAND, or 0 without -c and -p */
	int argument_count;
	char **arguments; /* $1… */
	bool defaults; /* -x defaultargs: missing arguments are 0 or "" */
};

/**
 * Parse a program and append its declarations and clauses to @p program.
 *
 * @param[in] last What the last part of a probe description is: D_PROBE_NAME, or for -f, -m and -P another one.
 * @return false after reporting errors.
 */
bool dlang_parse(struct language_context *context, const struct source_file *file, const struct d_macros *macros,
		 enum d_part last, struct d_program *program);

/** Return an empty program. */
struct d_program *d_program_new(struct arena *arena);

/* How stable a name and its data are, and on which platforms they are the same: indexes of DTrace's words. */
struct d_attributes {
	unsigned int name, data, platforms;
};

/* The lowest stability of the probes and of the variables that a program uses. */
struct d_use {
	struct d_attributes descriptions, statements;
};

/* Options that change what a program does (-x, #pragma D option). */
struct d_options {
	bool quiet, flow_indent, destructive, allow_zero;
	int64_t speculations; /* number of buffers */
	int64_t string_size; /* of strings in variables, with the NUL; 0: no limit of its own */
	int64_t stack_indent;
	int64_t cpu; /* run only there; -1: everywhere */
	int64_t stack_frames, user_stack_frames;
	int64_t most_frames; /* also if a program asks for more */
	int64_t aggregation_sort_position; /* the key by which printa() sorts */
	int64_t aggregation_sort_number; /* the aggregation by which printa() of several sorts */
	int64_t scratch_size; /* bytes that alloca() and copyin() of a clause can take */
	bool sorts_by_key, sorts_in_reverse;
	bool zooms; /* the longest bar of a distribution has the full width */
	bool shows_addresses; /* ustack() without symbols */
	bool shows_bytes; /* trace() of an array of characters, too */
	struct d_attributes least; /* using something less stable is an error */
};

/** Set an option, for setopt(), in @p options. Return NULL or the text of an error. */
typedef const char *d_option_setter(struct translation *t, struct d_options *options, const char *name,
				    const char *value);

struct d_translation;

/** Return the period in nanoseconds of "10ms", "997" or "99hz"; 0 for other texts. */
int64_t dlang_period(const char *text);

/** Does a provider of this name exist? */
bool dlang_has_provider(const char *name);

/** Let pass 2 derive its probes from a program. */
struct d_translation *dlang_begin(struct translation *t, struct d_program *program, const struct d_options *options,
				  d_option_setter *set_option);

/** After pass 2: return the number of probes that the clauses of a file matched. */
unsigned int dlang_matched(const struct translation *t, const struct source_file *file);

/** After pass 2: return what the clauses of a file use; NULL if it has none. */
const struct d_use *dlang_use(const struct translation *t, const struct source_file *file);

/* The words for attributes. */
struct d_stability {
	const char *name, *data, *platforms;
};

struct d_stability dlang_stability(const struct d_attributes *attributes);

/** Parse three words, as in "Evolving/Evolving/Common". */
bool dlang_parse_stability(const char *text, struct d_attributes *ret);

/* What dtrace -l shows of a probe. */
struct d_listed_probe {
	unsigned int id;
	const char *parts[D_PART_COUNT_]; /* each may be NULL */
	struct d_stability description, arguments;
	GPtrArray *types; /* of args[] (const char *), NULL for an index that the probe lacks; NULL if not asked for */
};

/** After derive_probes(): call @p visit for each probe. */
void dlang_visit_places(const struct translation *t, bool with_types,
			void (*visit)(const struct d_listed_probe *probe));

/* -c: the process of $target does not exist yet while the program is compiled. */
enum { D_TARGET_OF_COMMAND = INT32_MAX };

#endif
