/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations that the files of translator/session/ share. */
#ifndef SPILE_SESSION_INTERNAL_H
#define SPILE_SESSION_INTERNAL_H

#include "translator/lang/lexer.h"
#include "translator/session/session.h"
#include "translator/translation.h"

/* ---- environment.c ----------------------------------------------------------------------------------------------- */

/*
 * A set of options with its kernel, and what is open of its debuginfo. All analyses of scripts with these options share
 * it. It is counted by its users.
 */
struct environment {
	unsigned int users;
	struct session *session; /* whose table it is in */
	char *key; /* the words of the options */
	GHashTable *index_here; /* set of char *: objects whose index a job has tried to make (translation.h) */
	struct options options;
	struct translation base; /* its kernel and its tables of debuginfo; no script is in it */
	size_t memory; /* least memory of this process since debuginfo was opened, in bytes; 0: not yet known */
	const char *problem, *hint; /* why the options cannot be used, or NULL */
	struct translation *catalog; /* catalog.c; NULL: not yet needed */
	bool has_types; /* the types of the catalog's functions are inferred */
};

/** Find or make the environment of some options. The caller releases it. */
struct environment *environment_get(struct session *session, const GPtrArray *words, const char *directory);
/** Let a translation that was begun use the environment's kernel and debuginfo. */
void environment_lend(struct environment *environment, struct translation *t);
struct environment *environment_ref(struct environment *environment);
void environment_release(struct environment *environment);

/** Return the options of a script: those of the session, of .spile.json in its directory, and of its first lines. */
GPtrArray *words_for(struct session *session, struct arena *arena, const char *directory, const struct text *text,
		     const char **problem);

/* ---- index_jobs.c ------------------------------------------------------------------------------------------------ */

/* Child processes that build indexes of debuginfo, one after the other. */
struct index_jobs;

struct index_jobs *index_jobs_new(void);
void index_jobs_free(struct index_jobs *jobs);
/** Have an object of an environment indexed, unless that was tried before. */
void index_jobs_add(struct index_jobs *jobs, struct environment *environment, const char *object);
/** Did a job end since the last call? Never waits. */
bool index_jobs_poll(struct index_jobs *jobs);
int index_jobs_descriptor(const struct index_jobs *jobs);

/* ---- session.c --------------------------------------------------------------------------------------------------- */

struct session {
	const char *cache_directory;
	GPtrArray *words; /* of char *: the options of all scripts */
	GHashTable *documents; /* path -> struct document * */
	GHashTable *environments; /* key -> struct environment *, unowned */
	struct index_jobs *jobs;
	GQueue *recent; /* of struct environment *: kept for the next document with the same options */
};

struct document {
	struct session *session;
	char *path, *directory;
	struct text text;
	struct analysis *analysis; /* of the current or an earlier text; NULL before the first */
	bool is_stale; /* the text changed since */
	struct analysis *known; /* the last one without parse errors; or NULL */
	struct arena *answers; /* of the last query */
	struct tokens *tokens; /* of the current text; NULL: not yet needed */
};

/** Keep an environment after its last user, up to MOST_RECENT of them. */
void session_keep(struct session *session, struct environment *environment);
/** Begin a query: free the answers of the last one, and return the arena for new ones. */
struct arena *document_begin_query(struct document *document);

/* ---- tokens.c ---------------------------------------------------------------------------------------------------- */

/* The tokens of a text as the lexer sees them, before macros and conditions are expanded. */
struct tokens {
	struct arena *arena;
	struct source_file *file; /* a copy of the text */
	GArray *all; /* of struct token */
	GArray *comments; /* of struct comment */
};

struct tokens *tokens_new(const char *path, const char *text, size_t length);
void tokens_free(struct tokens *tokens);
const struct tokens *document_tokens(struct document *document);
size_t token_offset(const struct tokens *tokens, guint index);
size_t token_end(const struct tokens *tokens, guint index);
const struct token *token_at(const struct tokens *tokens, guint index);
/** Return the index of the first token that begins at or after an offset. */
guint tokens_from(const struct tokens *tokens, size_t offset);
/** Find the token that contains or touches an offset, preferring one that is a word. Return false if none does. */
bool tokens_find(const struct tokens *tokens, size_t offset, guint *index);
/** Is the offset in a comment? */
bool tokens_in_comment(const struct tokens *tokens, size_t offset);
/** Is it "probe", "function", "global" or "private", with which a definition begins? */
bool token_begins_definition(const struct tokens *tokens, guint index);
/** Does a "{" after this token, among the points of a probe, enclose alternatives of a point instead of a body? */
bool token_precedes_alternatives(const struct token *token);
/** Is it the name in "@define name"? */
bool token_defines_macro(const struct tokens *tokens, guint index);
/** Return the name of the macro or operator that a token uses or defines, or NULL. */
const char *token_macro(const struct tokens *tokens, guint index);
/** Find the name in the "@define" of a macro. Return false if the text does not define it. */
bool tokens_macro_definition(const struct tokens *tokens, const char *name, guint *index);

/* ---- analysis.c -------------------------------------------------------------------------------------------------- */

enum name_kind { NAME_FUNCTION, NAME_GLOBAL, NAME_PARAMETER, NAME_LOCAL, NAME_ALIAS, NAME_KIND_COUNT_ };

/* A definition of the script: the range in which its parameters and locals are visible. */
struct definition {
	struct range range; /* up to the next definition */
	size_t name; /* offset of the name or of the first point */
	enum symbol_kind kind;
	const struct probe *probe; /* one of these is set, by the kind; none for macros */
	const struct alias *alias;
	struct function_declaration *function;
	struct symbol *global;
};

/* A use or declaration of a name in the document. */
struct name {
	struct range range;
	enum name_kind kind;
	const char *text;
	guint definition; /* number of the definition that contains it */
	bool is_declaration;
	const struct symbol *symbol; /* globals and parameters */
	const struct function_declaration *function; /* the first that a call may refer to; NULL: unknown */
	struct location declared; /* file is NULL if not known */
};

/* Passes 1 and 2 of one text. It is counted by its users. */
struct analysis {
	unsigned int users;
	struct environment *environment;
	struct translation t;
	struct source_file *source; /* a copy of the document's text */
	struct text text; /* for the offsets of places */
	struct script *script; /* NULL if nothing was understood */
	const char *text_problem; /* with the options in files and at the head; or NULL */
	bool is_parsed; /* without errors */
	bool is_pending; /* some debuginfo is not indexed yet */
	GArray *definitions; /* of struct definition, by offset */
	GArray *names; /* of struct name, by offset */
	GPtrArray *problems; /* of struct problem * */
	unsigned int queries; /* so far; each may leave something in the arena */
};

/** Return the environment of the last analysis, or that of the text before the first. Keep it no longer. */
struct environment *document_environment(struct document *document);
/** Return the analysis of the current text. */
struct analysis *document_analysis(struct document *document);
/** Return an analysis that may be of an earlier text. */
struct analysis *document_some_analysis(struct document *document);
void analysis_release(struct analysis *analysis);

/** Compare two structures that begin with a struct range by its beginning; a GCompareFunc. */
gint compare_ranges(gconstpointer a, gconstpointer b);
/** Convert a place in the analyzed text. Return false if it is in another file. */
bool analysis_range(const struct analysis *analysis, const struct location *location, struct range *ret);
/** Return the definition around an offset, or NULL. */
const struct definition *analysis_definition(const struct analysis *analysis, size_t offset);
/** Return the derived probe whose handler contains an offset, or NULL; of several, the first. */
struct derived_probe *analysis_probe(const struct analysis *analysis, const struct definition *definition);
/** Return the name at an offset, or NULL. */
const struct name *analysis_name(const struct analysis *analysis, size_t offset);

/* ---- references.c ------------------------------------------------------------------------------------------------ */

/** Return the name at an offset that has references, or NULL. Components of probe points have none. */
const struct name *document_name(struct document *document, size_t offset);
/** Return the name of the macro or operator at an offset, or NULL. */
const char *document_macro(struct document *document, size_t offset);
/** Return an analysis of a file of the library, with its definitions and names only. The arena releases it. */
const struct analysis *library_analysis(struct document *document, const struct script *script);

/* ---- names.c ----------------------------------------------------------------------------------------------------- */

/** Fill in definitions and names. After pass 1 and before pass 2, which changes the tree. */
void find_names(struct analysis *analysis);
/** Return the alias that a point names, with most components, or NULL. */
const struct alias *alias_of_point(struct translation *t, const struct probe_point *point);
/** Return the type of a local of a definition, as far as it was inferred. */
enum value_type local_type(const struct analysis *analysis, const struct definition *definition, const char *name,
			   const struct symbol **symbol);

/* ---- describe.c -------------------------------------------------------------------------------------------------- */

/** Return the point of a probe or alias that begins last before an offset, or NULL. */
const struct probe_point *point_at(const struct analysis *analysis, const struct definition *definition, size_t offset);
/** Return how many places a point of a probe matches; append the first (struct derived_probe *) to @p ret or NULL. */
guint point_matches(const struct analysis *analysis, const struct probe_point *point, GPtrArray *ret);
/** Find a macro that the document can use, but not one of its own, which the preprocessor forgets. */
bool find_macro(const struct analysis *analysis, const char *name, struct macro_view *ret);

/* ---- problems.c -------------------------------------------------------------------------------------------------- */

void find_problems(struct analysis *analysis, const struct tokens *tokens);

/* ---- documentation.c --------------------------------------------------------------------------------------------- */

/** Return the documentation before a declaration as Markdown, or NULL. */
const char *documentation_at(struct arena *arena, const struct location *declaration);
/** Return "strlen:long (s:string)". */
const char *function_label(struct arena *arena, const struct function_declaration *function, GArray *parameters);
/** Return points, with conditions and ?/! if asked, between commas; after about @p most bytes, "..." is the rest. */
const char *points_text(struct arena *arena, const GPtrArray *points, bool with_flags, size_t most);
/** Return "long", "string" or "array[long, string] of stats"; NULL if nothing is known. */
const char *symbol_type_text(struct arena *arena, const struct symbol *symbol);

/* ---- cursor.c ---------------------------------------------------------------------------------------------------- */

enum cursor_context {
	CURSOR_NOWHERE, /* in a comment, in embedded C, where a new name is declared */
	CURSOR_TOP, /* outside of definitions */
	CURSOR_POINT, /* in a probe point */
	CURSOR_ARGUMENT, /* in the string of a component of a probe point */
	CURSOR_STRING, /* in another string */
	CURSOR_CODE, /* where an expression or a statement is */
	CURSOR_MEMBER, /* after "->" */
};

/* The context of an offset, found from the tokens around it. */
struct cursor {
	const struct tokens *tokens;
	size_t offset;
	enum cursor_context context;
	struct range word; /* the unfinished word or string before the offset, up to the offset */
	guint next; /* index of the first token after the word's beginning, which may be the word */
	guint keyword; /* index of the token with which the definition around it begins, if has_keyword */
	bool has_keyword;
};

void cursor_find(const struct tokens *tokens, size_t offset, struct cursor *ret);
/** Return the text of the point up to the word, with one alternative of each brace: "kernel.function". */
GString *cursor_point(const struct cursor *cursor);

/* ---- complete.c -------------------------------------------------------------------------------------------------- */

/* A list of items that is being made. Only those that match the word are added. */
struct choice {
	struct arena *arena;
	char *word;
	GPtrArray *items; /* of struct item * */
	const struct item *worst; /* of the best MOST_ITEMS so far: worse ones are not added; NULL: add all */
	bool is_incomplete; /* items were dropped */
};

/** Return how well a name fits the word: 0 the best; -1: it does not. */
int choice_fit(const struct choice *choice, const char *name);
/** Add an item if its label fits; @p order is added to its rank. Return NULL if it is not added. */
struct item *choice_add(struct choice *choice, enum item_kind kind, const char *label, int order);

/* ---- complete_points.c ------------------------------------------------------------------------------------------- */

void complete_component(struct document *document, const struct cursor *cursor, struct choice *choice);
void complete_argument(struct document *document, const struct cursor *cursor, struct choice *choice,
		       struct range *replaced);

/* ---- catalog.c --------------------------------------------------------------------------------------------------- */

/** Infer types of the catalog, which takes long, unless that was done before. Return whether it was done now. */
bool environment_prepare(struct environment *environment);
/** Return a translation of the whole library of an environment, without a script. */
struct translation *environment_catalog(struct environment *environment);
void catalog_free(struct translation *catalog);
/**
 * Return a copy of the catalog for one query of a document, whose own definitions it has, too. It allocates in the
 * document's answers. The library in it must not change.
 */
struct translation *document_catalog(struct document *document);

/* ---- chains.c ---------------------------------------------------------------------------------------------------- */

/**
 * Return the C type of an expression such as "$file->f_path", or NULL if it has none.
 *
 * @param[in] definition The definition that contains it.
 */
struct type *chain_type(struct analysis *analysis, const struct definition *definition, const char *text,
			size_t length);
/** Return the offset where the chain before @p offset begins: "$x->y[1]" before "->z". */
size_t chain_begin(const struct tokens *tokens, guint arrow);

#endif
