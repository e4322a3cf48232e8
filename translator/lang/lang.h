/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 1 from outside: source text in, syntax tree out, and back to text. */
#ifndef SPILE_LANG_LANG_H
#define SPILE_LANG_LANG_H

#include <stdio.h>

#include "translator/lang/ast.h"

/*
 * What the preprocessor may ask about the translation: facts for "%( condition %? … %)", script arguments for $1/@1,
 * macros that a library (.stpm) defined. The driver fills it in once; it is read-only for the parser apart from the
 * "used" marks on arguments.
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
	bool *argument_used; /* argument_count entries; the driver warns about unused ones, may be NULL */
	GHashTable *library_macros; /* name -> struct macro * (opaque to callers); filled by parse_macro_library */
};

/** Is the language's version (--compatible) older than this one? Both as in "4.3". */
bool language_older_than(const struct language_context *context, const char *version);

/** Parse one script or tapset file. Returns NULL after reporting at least one diagnostic if there was an error. */
struct script *parse_script(struct language_context *context, const struct source_file *file);

/** Read one .stpm file: its @define macros join context->library_macros. False after diagnostics. */
bool parse_macro_library(struct language_context *context, const struct source_file *file);

/**
 * Calls @p found with each name that the text may define, and with others that it does not: of functions, of globals,
 * and the first components of aliases. False: it may define more, since macros or conditions are in the way.
 */
bool find_definitions(const struct source_file *file, void (*found)(const char *name, size_t length, void *data),
		      void *data);

/**
 * Parse the argument of -l/-L and of probe aliases given on the command line: one probe point, nothing after it.
 * NULL after diagnostics.
 */
struct probe_point *parse_probe_point(struct language_context *context, const struct source_file *file);

/** Print a tree as script text that parses to the same tree (-p1). */
void print_script(FILE *out, const struct script *script);
void print_statement(FILE *out, const struct statement *statement, int indent);
void print_expr(FILE *out, const struct expr *expr);
/** The text of an expression, for messages. */
const char *expr_text(struct arena *arena, const struct expr *expr);

/** Append the names of the print family to @p names, as candidates for "did you mean". */
void print_function_names(GPtrArray *names);

#endif
