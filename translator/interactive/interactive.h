/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interactive mode, `stap -i`: a front end of a session (translator/session/) for a terminal or a pipe. It holds
 * one script, to which the user adds definitions, and runs it by another stap. What is known about probe points,
 * functions and variables comes from the session.
 */
#ifndef SPILE_INTERACTIVE_H
#define SPILE_INTERACTIVE_H

#include "translator/session/session.h"
#include "translator/interactive/input.h"
#include "translator/interactive/settings.h"

struct interactive {
	struct session *session;
	struct document *document; /* the script */
	struct document *scratch; /* the script with what is typed or asked */
	struct settings *settings;
	struct input *input;
	GPtrArray *earlier; /* of char *: the texts to which `undo` returns, the newest last */
	char *path; /* of the file that was loaded or saved last; or NULL */
	bool is_over; /* after `quit` */
	bool has_failed; /* a command failed */
};

/* ---- commands.c -------------------------------------------------------------------------------------------------- */

struct command {
	const char *name, *argument; /* `argument`: as help shows it; or NULL */
	const char *help;
	/** @p rest: what follows the command, without space around it. */
	struct error *(*run)(struct interactive *it, const char *rest);
};

/** The commands, in the order of help; the last has no name. */
extern const struct command commands[];

/** Does the text begin a definition, which may continue on further lines? */
bool text_is_definition(const char *text);
/** Obey a line, or the lines of a definition. */
struct error *obey(struct interactive *it, const char *text);

/* ---- script.c ---------------------------------------------------------------------------------------------------- */

enum { MOST_SCRIPT = 1 << 20, MOST_TYPED = 1 << 16 }; /* bytes; a larger definition must come from a file */

/** Open the documents. */
void script_open(struct interactive *it);
/** Return the text of the script; borrowed until it changes. */
const char *script_text(const struct interactive *it);
/** Return the script with a text after it, on a line of its own. @p offset gets that of the text. */
GString *script_with(const struct interactive *it, const char *text, size_t *offset);
/** Return the points of the script's last probe, or "begin". The caller frees them. */
char *script_last_points(const struct interactive *it);
/** Print the problems of a document from @p from on. Return whether one is a parse error. */
bool print_problems(struct document *document, size_t from);

struct error *script_add(struct interactive *it, const char *rest);
struct error *script_delete(struct interactive *it, const char *rest);
struct error *script_undo(struct interactive *it, const char *rest);
struct error *script_list(struct interactive *it, const char *rest);
struct error *script_load(struct interactive *it, const char *rest);
struct error *script_save(struct interactive *it, const char *rest);
struct error *script_edit(struct interactive *it, const char *rest);
struct error *script_sample(struct interactive *it, const char *rest);
/** Replace the script by a text that came from @p path; the text is freed. */
struct error *script_replace(struct interactive *it, const char *path, char *text, size_t length);

/* ---- run.c ------------------------------------------------------------------------------------------------------- */

/** Let programs that are started download debuginfo, or not. The session must not, since the user would wait. */
void debuginfod_allow(bool is_allowed);
struct error *run_script(struct interactive *it, const char *rest);
/** Print the probe points that match. */
struct error *run_list(struct interactive *it, const char *points);
/**
 * Run a program in the foreground, and wait. Ctrl-C ends it, not the session.
 *
 * @param[in] text Its standard input; NULL: that of the session, if it is a terminal, or else nothing.
 * @param[out] status Its exit status.
 */
struct error *run_foreground(const char *const *argv, const char *text, int *status);

/* ---- describe.c -------------------------------------------------------------------------------------------------- */

/** ?EXPRESSION: print its type, the documentation of its names, and the matches of a probe point. */
struct error *describe(struct interactive *it, const char *rest);

/* ---- completion.c ------------------------------------------------------------------------------------------------ */

/**
 * Complete a line.
 *
 * @param[in] before The lines before it that belong to the same definition.
 * @param[in] offset Of the cursor.
 * @param[out] from Where the text begins that a candidate replaces, up to the cursor.
 * @return The candidates (char *), the best first, which begin with the text that they replace. The caller's.
 */
GPtrArray *complete_line(struct interactive *it, const char *before, const char *line, size_t offset, size_t *from);

#endif
