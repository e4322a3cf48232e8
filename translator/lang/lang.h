/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface of pass 1: turn source text into a syntax tree, and a tree into text. */
#ifndef SPILE_LANG_LANG_H
#define SPILE_LANG_LANG_H

#include <stdio.h>

#include "translator/lang/ast.h"

/* A comment in the text of a file, with its marks. */
struct comment {
	const char *source;
	size_t length;
};

/*
 * Facts about the translation for the preprocessor: values for "%( condition %? … %)", script arguments for $1 and @1,
 * and the macros of the library (.stpm). The driver fills it in. The parser only changes argument_used,
 * script_options, annotations and library_macros.
 */
struct language_context {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const char *kernel_release; /* full, e.g. "6.1.0-56-cloud-amd64": kernel_vr; kernel_v is its leading x.y.z */
	const char *architecture; /* "x86_64" */
	const char *systemtap_version; /* language version: "5.5" or what --compatible= says */
	const char *privilege; /* "stapdev" | "stapsys" | "stapusr" */
	const char *runtime; /* "kernel" */
	bool guru_mode; /* -g */
	GHashTable *kernel_config; /* "CONFIG_X" -> "y" | "m" | value; never NULL */
	int argument_count;
	char **arguments;
	bool imagines_arguments; /* for editors: arguments that were not given are "1" */
	bool *argument_used; /* argument_count entries; the driver warns about unused ones, may be NULL */
	GPtrArray *option_values; /* of const char *: NAME=VALUE for options of the script; or NULL */
	GPtrArray *script_options; /* of struct declared_option * (script_options.h), by the preprocessor; or NULL */
	GPtrArray *annotations; /* of struct annotation * (annotations.h), by the lexer; or NULL */
	/* For editors: parse_script() also returns what it understood of a script with errors. */
	bool keeps_damaged;
	GArray *comments; /* of struct comment: the lexer appends those of whole files; NULL: drop them */
	GHashTable *library_macros; /* name -> struct macro * (opaque to callers); filled by parse_macro_library */
};

/** Is the version of the language (--compatible) older than @p version? */
bool language_older_than(const struct language_context *context, const char *version);

/** Parse a script or tapset file. Return NULL after reporting errors, unless context->keeps_damaged is set. */
struct script *parse_script(struct language_context *context, const struct source_file *file);

/** Add the macros of a .stpm file to context->library_macros. Return false after reporting errors. */
bool parse_macro_library(struct language_context *context, const struct source_file *file);

/* A macro of the library, as editors see it. */
struct macro_view {
	const char *name;
	const struct location *location;
	const GPtrArray *parameters; /* of const char *; NULL: it is used without parentheses */
};

/** Call @p visit for each macro of the library. */
void language_visit_macros(const struct language_context *context,
			   void (*visit)(const struct macro_view *macro, void *data), void *data);

/**
 * Find the names that a script may define, without parsing it: functions, globals, and first components of aliases.
 * Calls @p found for each, and perhaps for names that it does not define. Return false if macros or conditions could
 * define more names; then the script must be parsed.
 */
bool find_definitions(const struct source_file *file, void (*found)(const char *name, size_t length, void *data),
		      void *data);

/**
 * Parse a text that consists of a single probe point. Return NULL after reporting errors.
 */
struct probe_point *parse_probe_point(struct language_context *context, const struct source_file *file);

/** Parse a text that consists of a single expression. Return NULL after reporting errors. */
struct expr *parse_expression(struct language_context *context, const struct source_file *file);

/** Print a tree as script text that parses to the same tree (-p1). */
void print_script(FILE *out, const struct script *script);
void print_statement(FILE *out, const struct statement *statement, int indent);
void print_expr(FILE *out, const struct expr *expr);
/** Return the text of an expression, for messages. */
const char *expr_text(struct arena *arena, const struct expr *expr);

/** Append the names of the print family to @p names, as candidates for "did you mean". */
void print_function_names(GPtrArray *names);

#endif
