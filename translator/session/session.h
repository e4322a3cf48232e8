/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sessions of editors: a session holds the open scripts and answers queries about positions in them. All front ends
 * (the language server, stap --format-script) use it. It knows nothing about their protocols.
 *
 * Passes 1 and 2 analyze a script as in stap, each time in an arena of its own. The kernel and its debuginfo stay open
 * between analyses because opening them is slow. A script with errors has answers, too: the parser keeps what it
 * understands, and the session remembers the names that an earlier text defined.
 *
 * No function waits until an index of debuginfo is built. A child process builds it; until then, answers lack what
 * needs the index. session_poll() reports when the answers have changed.
 *
 * Positions are offsets in bytes. A result is valid until the next call for the same session, unless its description
 * says otherwise. Arrays may be empty, but are never NULL.
 */
#ifndef SPILE_SESSION_SESSION_H
#define SPILE_SESSION_SESSION_H

#include "common/arena.h"
#include "common/base/error.h"
#include "translator/session/text.h"

struct session;
struct document;

/** @param[in] cache_directory NULL: no cache; then indexes are built when they are needed. */
struct session *session_new(const char *cache_directory);
void session_free(struct session *session);

/**
 * Set the options of all scripts, words of stap's command line. Those at the head of a script and in .spile.json are
 * added to them.
 */
void session_set_options(struct session *session, const char *const *words);

/** Does an option of stap, called by its letter or its name, change the analysis of scripts? */
bool session_takes_option(const char *name);

/** Read the files of tapsets again, since they may have changed. */
void session_forget_files(struct session *session);

/** Has an index been built since the last call, so that scripts should be analyzed again? Never waits. */
bool session_poll(struct session *session);
/** Do work that makes later answers better or faster. Call it when no query waits. Return false if nothing is left. */
bool session_work(struct session *session);
/** Return a descriptor that becomes readable when session_poll() should be called, or -1. */
int session_descriptor(const struct session *session);

/* ---- documents --------------------------------------------------------------------------------------------------- */

/**
 * Open a script, or replace its text.
 *
 * @param[in] path Its file, which need not exist. The ending ".stpm" makes it a file of macros.
 */
struct document *session_open(struct session *session, const char *path, const char *text, size_t length);
/** Return an open document or NULL. */
struct document *session_document(struct session *session, const char *path);
void document_close(struct document *document);
const char *document_path(const struct document *document);
const struct text *document_text(const struct document *document);
void document_replace(struct document *document, size_t from, size_t to, const char *with, size_t length);

/**
 * Return the options of a script (const char *): words of stap's command line. Paths in them are relative to the
 * script's directory.
 */
const GPtrArray *document_options(struct document *document);

/* A range of a file. */
struct range {
	size_t from, to;
};

/* A range in any file. */
struct place {
	const char *path;
	int line, column, length; /* from 1, in bytes */
};

/* ---- diagnostics ------------------------------------------------------------------------------------------------- */

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_INFORMATION, SEVERITY_COUNT_ };

/* A text that replaces a range. */
struct edit {
	struct range range;
	const char *text;
};

struct related {
	struct place place;
	const char *text;
};

struct fix {
	const char *title;
	struct edit edit;
};

struct problem {
	enum severity severity;
	struct range range;
	const char *code; /* "parse error", "semantic error" or "warning" */
	const char *text; /* with the hint, if any */
	GPtrArray *related; /* of struct related * */
	GPtrArray *fixes; /* of struct fix *, the best first */
};

/** Analyze the document if its text changed, and return its problems (struct problem *). */
const GPtrArray *document_problems(struct document *document);
/** Has the text changed since the document was analyzed? */
bool document_is_stale(const struct document *document);

/* ---- completion -------------------------------------------------------------------------------------------------- */

enum item_kind {
	ITEM_KEYWORD,
	ITEM_SNIPPET,
	ITEM_FUNCTION,
	ITEM_LOCAL,
	ITEM_GLOBAL,
	ITEM_TARGET, /* $variable */
	ITEM_MEMBER,
	ITEM_OPERATOR, /* @name */
	ITEM_MACRO,
	ITEM_POINT, /* a component of a probe point */
	ITEM_KERNEL_FUNCTION,
	ITEM_FILE,
	ITEM_MODULE,
	ITEM_KIND_COUNT_
};

struct item {
	enum item_kind kind;
	const char *label;
	const char *detail; /* a type or a declaration; or NULL */
	const char *insert; /* NULL: the label */
	bool is_snippet; /* `insert` has places to fill in, "$1" or "${1:name}" */
	const char *documentation; /* or NULL */
	int rank; /* the lower, the better */
};

struct completion {
	GPtrArray *items; /* of struct item *, the best first; at most MOST_ITEMS */
	bool is_incomplete; /* there are more */
	struct range replaced; /* the text before the cursor that an item replaces */
};

enum { MOST_ITEMS = 100 };

void document_complete(struct document *document, size_t offset, struct completion *ret);

/* ---- descriptions ------------------------------------------------------------------------------------------------ */

struct description {
	const char *text; /* Markdown */
	struct range range; /* what it describes */
};

/** Describe what is at a place. Return false if there is nothing to say. */
bool document_describe(struct document *document, size_t offset, struct description *ret);

struct signature {
	const char *label; /* "strlen:long (s:string)" */
	const char *documentation; /* or NULL */
	GArray *parameters; /* of struct range: the ranges of the label */
	guint active; /* the parameter at the cursor */
};

/** Describe the call around a place. Return false outside of calls. */
bool document_signature(struct document *document, size_t offset, struct signature *ret);

/* ---- names ------------------------------------------------------------------------------------------------------- */

/** Return where the name at a place is declared (struct place *). */
const GPtrArray *document_definition(struct document *document, size_t offset);
/** Return the uses of the name at a place in its document (struct range *), by offset. */
const GPtrArray *document_highlights(struct document *document, size_t offset);
/**
 * Return the uses of the name at a place (struct place *), by file. Functions, globals and macros that a tapset
 * declares are searched in the tapsets and in all open documents.
 */
const GPtrArray *document_references(struct document *document, size_t offset, bool with_declaration);

/** Find the range of the name at a place. Return an error if it cannot be renamed. */
struct error *document_prepare_rename(struct document *document, size_t offset, struct range *ret);
/** Find the places (struct place *), by file, where a new name replaces the name at a place. */
struct error *document_rename(struct document *document, size_t offset, const char *name, const GPtrArray **ret);

/* ---- the document as a whole ------------------------------------------------------------------------------------- */

enum symbol_kind { SYMBOL_PROBE, SYMBOL_ALIAS, SYMBOL_FUNCTION, SYMBOL_GLOBAL, SYMBOL_MACRO };

struct outline_item {
	enum symbol_kind kind;
	const char *name, *detail;
	struct range range, name_range;
};

/** Return the definitions of the document (struct outline_item *), by offset. */
const GPtrArray *document_outline(struct document *document);

/**
 * Return the definitions of the document as they are written (GArray of struct range): globals that share a declaration
 * are one, and so is a condition with all that it contains. Known in scripts with errors, too.
 */
const GArray *document_definitions(struct document *document);
/** Is the text, lines that a user has typed, complete or wrong? Then no more lines are expected. */
bool script_is_complete(const char *text, size_t length);

/* Lines that can be folded, counted from 0. */
struct fold {
	size_t first, last;
	bool is_comment;
};

/** Return GArray of struct fold, by first line. */
const GArray *document_folds(struct document *document);

#define TOKEN_COLORS(C)                                                                                                \
	C(KEYWORD, "keyword")                                                                                          \
	C(COMMENT, "comment")                                                                                          \
	C(STRING, "string")                                                                                            \
	C(NUMBER, "number")                                                                                            \
	C(OPERATOR, "operator")                                                                                        \
	C(FUNCTION, "function")                                                                                        \
	C(VARIABLE, "variable")                                                                                        \
	C(PARAMETER, "parameter")                                                                                      \
	C(PROPERTY, "property")                                                                                        \
	C(MACRO, "macro")                                                                                              \
	C(EVENT, "event")                                                                                              \
	C(TYPE, "type")

enum token_color {
#define COLOR_VALUE(name, text) COLOR_##name,
	TOKEN_COLORS(COLOR_VALUE)
#undef COLOR_VALUE
		TOKEN_COLOR_COUNT_
};

struct colored {
	struct range range; /* in one line */
	enum token_color color;
	bool is_declaration, is_global, is_of_library;
};

/** Return the colors of all tokens (GArray of struct colored), by offset. */
const GArray *document_colors(struct document *document);

struct inlay {
	size_t offset;
	const char *text;
	bool is_type; /* else a number of matches */
};

/** Return notes to show inside of the text (struct inlay *), by offset. */
const GPtrArray *document_inlays(struct document *document);

/* ---- formatting -------------------------------------------------------------------------------------------------- */

struct format_style {
	int tab_size; /* columns of a level of indentation */
	bool with_spaces; /* indent by spaces */
};

struct language_context;
struct source_file;
/**
 * Format a text. Only whitespace changes, so it keeps its tokens and comments.
 *
 * @param[in] context The macros of the library, and the facts for conditions. Errors become its diagnostics.
 * @return The caller's; NULL if the text has errors.
 */
GString *script_format(const struct language_context *context, struct source_file *file,
		       const struct format_style *style);
/** Format a document. */
GString *document_format(struct document *document, const struct format_style *style);

#endif
