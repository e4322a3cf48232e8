/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Diagnostics: what the translator says about a script. Each has a place; printing shows the source line with a caret
 * under the place, then notes and a hint:
 *
 *     parse error: expected ')' after the condition
 *             saw: identifier 'x' at test.stp:3:9
 *         3 |   if (a x)
 *           |         ^
 *     hint: ...
 *
 * Diagnostics are collected, not thrown: a pass reports several mistakes in one run and the driver stops after the
 * pass if there was an error. Identical diagnostics (same place, same text) are reported once.
 */
#ifndef SPILE_UTIL_DIAGNOSTIC_H
#define SPILE_UTIL_DIAGNOSTIC_H

#include <stdbool.h>
#include <stddef.h>

#include "translator/util/arena.h"

/** One source text; places point into it. Lives as long as the arena of the translation. */
struct source_file {
	const char *name; /* as the user knows it: path, "<input>" for -e, "<stdin>" */
	const char *text; /* NUL-terminated; may also hold NUL bytes inside */
	size_t length;
	bool is_tapset; /* of the library or of a directory of -I, not the user's script */
	bool is_library; /* of the library: what a script defines is not visible there */
	bool is_of_macros; /* a file of macros (.stpm) */
	bool privileged; /* embedded C allowed without -g */
};

/** A place in a source text. line and column count from 1; column counts bytes; length of the marked text in bytes. */
struct location {
	const struct source_file *file; /* NULL: no place (command line, built in) */
	int line;
	int column;
	int length;
	/* Where the text stands that led here (a macro use, an alias reference), or NULL. */
	const struct location *expanded_from;
};

/** The line of source and one with a caret below the place, each with its newline; "" if there is no such line. */
char *location_quote(const struct location *location);
/** The marked text itself; NULL if the file has no such place. The caller owns it. */
char *location_text(const struct location *location);

enum severity { SEVERITY_ERROR, SEVERITY_WARNING };

struct diagnostics;

struct diagnostics *diagnostics_new(struct arena *arena);

/** Behaviour from the command line: -w (no warnings), -W (warnings are errors), --color. */
void diagnostics_configure(struct diagnostics *diagnostics, bool suppress_warnings, bool fatal_warnings, bool color);

/**
 * Report an error or warning. @p kind is a short untranslated-in-code class shown first ("parse error",
 * "semantic error"), pass it through N_(). @p format is already translated.
 * A note or a hint that follows (diagnose_note, diagnose_hint) belongs to the last diagnostic reported.
 */
void diagnose(struct diagnostics *diagnostics, enum severity severity, const char *kind,
	      const struct location *location, const char *format, ...) __attribute__((format(printf, 5, 6)));
/** A second place that explains the last diagnostic ("declared here"). Shows its source line as well. */
void diagnose_note(struct diagnostics *diagnostics, const struct location *location, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/** What the user can do about the last diagnostic. */
void diagnose_hint(struct diagnostics *diagnostics, const char *format, ...) __attribute__((format(printf, 2, 3)));
/**
 * The same, for a hint that takes long: it is made when the diagnostic is printed, which many never are (mistakes that
 * "?" and "!" forgive). @p make returns NULL, or text that lasts; what it needs has to be there until then.
 */
typedef const char *late_hint(void *data);
void diagnose_hint_late(struct diagnostics *diagnostics, late_hint *make, void *data);

/** Number of errors so far (warnings count with -W). */
unsigned int diagnostics_errors(const struct diagnostics *diagnostics);

/** Print what has been collected since the last flush to standard error, in source order of reporting. */
void diagnostics_flush(struct diagnostics *diagnostics);

/** Drop what was collected after a mark (used for optional probe points and @defined). */
size_t diagnostics_mark(const struct diagnostics *diagnostics);
void diagnostics_rewind(struct diagnostics *diagnostics, size_t mark);
/** Has an error been reported since the mark? */
bool diagnostics_failed_since(const struct diagnostics *diagnostics, size_t mark);

/**
 * The candidates nearest to @p word by edit distance, joined with ", " (at most @p most), or NULL if none is near.
 * @p prefix is put in front of each ("$" for context variables). Arena-owned.
 */
const char *nearest_matches(struct arena *arena, const char *word, const GPtrArray *candidates, const char *prefix,
			    unsigned int most);

#endif
