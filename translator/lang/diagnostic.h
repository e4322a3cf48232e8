/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Diagnostics: the translator's errors and warnings about a script. Each has a place. It is printed with the source
 * line and a caret below the place, then notes and a hint:
 *
 *     parse error: expected ')' after the condition
 *             saw: identifier 'x' at test.stp:3:9
 *         3 |   if (a x)
 *           |         ^
 *     hint: ...
 *
 * Diagnostics are collected: a pass can report several errors, and the driver stops after it. Identical diagnostics
 * (same place, same text) are reported once.
 */
#ifndef SPILE_LANG_DIAGNOSTIC_H
#define SPILE_LANG_DIAGNOSTIC_H

#include <stdbool.h>
#include <stddef.h>

#include "common/arena.h"
#include "common/base/error.h"
#include "common/base/json_schema.h"

/** A source text, to which places refer. It lives as long as the arena of the translation. */
struct source_file {
	const char *name; /* path, or "<input>" for -e, or "<stdin>" */
	const char *text; /* NUL-terminated; may also hold NUL bytes inside */
	size_t length;
	bool is_tapset; /* in the library or in a directory of -I, not the user's script */
	bool is_library; /* in the library, where definitions of a script are not visible */
	bool is_of_macros; /* a file of macros (.stpm) */
	bool privileged; /* embedded C allowed without -g */
};

/** A place in a source text. line and column start at 1; column and length (of the marked text) are in bytes. */
struct location {
	const struct source_file *file; /* NULL: no place (command line, built in) */
	int line;
	int column;
	int length;
	/* The macro use or alias reference that led here, or NULL. */
	const struct location *expanded_from;
};

/** Return the source line and a line with a caret below the place, or "" if there is no such line. The caller frees. */
char *location_quote(const struct location *location);
/** Write a member with the place as an object (stap-json(5)); write nothing if there is no file. */
void location_write(struct json_writer *w, enum json_field member, const struct location *location);
/** Return the marked text, or NULL if the file has no such place. The caller frees. */
char *location_text(const struct location *location);

enum diagnostic_kind { PARSE_ERROR, SEMANTIC_ERROR, WARNING, DIAGNOSTIC_KIND_COUNT_ };

/* A second place that explains a diagnostic. */
struct diagnostic_note {
	struct location location;
	const char *text;
};

/** Search for a remedy and add it to the last diagnostic, if there is one. */
typedef void late_hint(void *data);

struct diagnostic {
	enum diagnostic_kind kind;
	struct location location;
	const char *text;
	const char *key; /* diagnostics with the same key are duplicates */
	bool repeats; /* one with the same key is before it: it counts as a failure, but is not shown */
	GPtrArray *notes; /* of struct diagnostic_note *; or NULL */
	const char *hint; /* or NULL */
	late_hint *make_hint; /* adds a hint when the diagnostic is printed; or NULL */
	void *hint_data;
	GPtrArray *alternatives; /* of const char *: names that the hint suggests, the best first; or NULL */
};

struct diagnostics;

struct diagnostics *diagnostics_new(struct arena *arena);

/** Apply -w (no warnings), -W (warnings are errors) and --color. */
void diagnostics_configure(struct diagnostics *diagnostics, bool suppress_warnings, bool fatal_warnings, bool color);

/**
 * Report an error or warning. @p format is already translated. Later calls of diagnose_note() and diagnose_hint() refer
 * to the last diagnostic.
 */
void diagnose(struct diagnostics *diagnostics, enum diagnostic_kind kind, const struct location *location,
	      const char *format, ...) __attribute__((format(printf, 4, 5)));
/** Add a second place that explains the last diagnostic ("declared here"), with its source line. */
void diagnose_note(struct diagnostics *diagnostics, const struct location *location, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/**
 * Add a note, "called here", to each error that has no note and whose place and expansions are in tapsets. @p find gets
 * the outermost of these and returns the place of the call, which must stay valid, or NULL.
 */
typedef const struct location *call_finder(const struct location *place, void *data);
void diagnostics_note_calls(struct diagnostics *diagnostics, call_finder *find, void *data);
/** Add a remedy to the last diagnostic. */
void diagnose_hint(struct diagnostics *diagnostics, const char *format, ...) __attribute__((format(printf, 2, 3)));
/**
 * The same for a hint that is expensive to make. @p make is called when the diagnostic is printed; those of probe
 * points with "?" and "!" may never be. @p data must stay valid until then.
 */
void diagnose_hint_late(struct diagnostics *diagnostics, late_hint *make, void *data);

/**
 * Add names to the alternatives of the last diagnostic, which is the list of what its hint suggests, the best first.
 * Return the names joined with ", " for the hint, or NULL if there are none. --format=json prints the list.
 */
const char *diagnose_names(struct diagnostics *diagnostics, const GPtrArray *names);
/** Add the hint "did you mean: ..." with names, and the names as alternatives. */
void diagnose_near(struct diagnostics *diagnostics, const GPtrArray *names);
/** Add the hint of an error, and its alternatives. */
void diagnose_hint_of(struct diagnostics *diagnostics, const struct error *error);

/** Return the number of errors so far; with -W, including warnings. */
unsigned int diagnostics_errors(const struct diagnostics *diagnostics);

/** Return the number of warnings that are not errors. */
unsigned int diagnostics_warnings(const struct diagnostics *diagnostics);

/** Return all diagnostics to show (struct diagnostic *), with their hints, in the order of reporting. */
const GPtrArray *diagnostics_all(struct diagnostics *diagnostics);

/** Print the diagnostics since the last flush, in the order of reporting: to standard error, or as JSON lines. */
void diagnostics_flush(struct diagnostics *diagnostics);

/** Consider all diagnostics printed, because the caller has printed them in a form of its own. */
void diagnostics_shown(struct diagnostics *diagnostics);

/** Set a mark, and drop diagnostics after a mark (used for optional probe points and @defined). */
size_t diagnostics_mark(const struct diagnostics *diagnostics);
void diagnostics_rewind(struct diagnostics *diagnostics, size_t mark);
/** Has an error been reported since the mark? One that repeats an earlier error is not shown, but counts. */
bool diagnostics_failed_since(const struct diagnostics *diagnostics, size_t mark);
/** Return the different diagnostics since the mark, for diagnose_again(). They stay valid after a rewind. */
GPtrArray *diagnostics_since(const struct diagnostics *diagnostics, size_t mark);
/** Report diagnostics a second time, at another use of the text that caused them. */
void diagnose_again(struct diagnostics *diagnostics, const GPtrArray *reports);

#endif
