// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The analysis of a document: passes 1 and 2 on a copy of its text, in an arena of its own. The kernel and its
 * debuginfo belong to the environment, which many analyses share.
 *
 * Debuginfo keeps what it was asked for (types, variables) until it is closed. So it is opened anew when the process
 * has grown too much. That is rare, and opening debuginfo that is indexed takes a fraction of a second.
 */
#include "translator/session/internal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "translator/library.h"
#include "translator/sema/sema.h"
#include "translator/sources.h"

/* The growth of the process, in bytes, after which debuginfo is opened anew; the queries after which an analysis is. */
enum { MOST_GROWTH = 32 << 20, MOST_QUERIES = 1000 };

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Return the memory that only this process uses, in bytes. */
static size_t own_memory(void)
{
	_cleanup_fclose_ FILE *file = fopen("/proc/self/statm", "re");
	size_t resident = 0, shared = 0;

	if (!file || fscanf(file, "%*s %zu %zu", &resident, &shared) != 2)
		return 0;
	return (resident - MIN(shared, resident)) * (size_t)sysconf(_SC_PAGESIZE);
}

/* Earlier analyses hold the old debuginfo until they are released, so the growth is that since the lowest value. */
static void watch_memory(struct environment *environment)
{
	size_t memory = own_memory();

	environment->memory = MIN(environment->memory ?: memory, memory);
	if (memory <= environment->memory + MOST_GROWTH)
		return;
	translation_forget_debuginfo(&environment->base);
	environment->memory = 0;
}

/* ---- the passes -------------------------------------------------------------------------------------------------- */

/* Compiling headers would take seconds. */
static struct error *refuse_headers(const struct translation *t, const char *headers, bool for_kernel,
				    const char *directory, char **path)
{
	return excused(t,
		       error_new(ERROR_UNSUPPORTED, _("types of header files are not known in editors: %s"), headers));
}

/* Begin a translation with the environment's kernel and debuginfo. */
static void begin(struct analysis *analysis, struct session *session)
{
	struct translation *t = &analysis->t;

	t->arena = arena_new();
	translation_begin(t, &analysis->environment->options, session->cache_directory);
	environment_lend(analysis->environment, t);
	t->language.keeps_damaged = true;
	t->language.imagines_arguments = true;
	t->unindexed = arena_ptr_array(t->arena);
	t->excuses = arena_ptr_array(t->arena);
	t->index_here = analysis->environment->index_here;
	t->compile_headers = refuse_headers;
}

/* A file of the library that is open is edited as a script: leave it out of the library. */
static bool leave_out(struct analysis *analysis, const char *path)
{
	GPtrArray *files = analysis->t.library_files;

	for (guint i = 0; i < files->len; i++) {
		const struct library_file *file = g_ptr_array_index(files, i);
		g_autofree char *real = g_canonicalize_filename(file->path, NULL);

		if (strcmp(real, path))
			continue;
		g_ptr_array_remove_index(files, i);
		return true;
	}
	return false;
}

static void parse(struct analysis *analysis, bool is_of_library)
{
	struct translation *t = &analysis->t;
	struct source_file *source = analysis->source;

	source->privileged = is_of_library || t->options->guru_mode;
	if (g_str_has_suffix(source->name, ".stpm")) {
		source->is_of_macros = true;
		source->is_tapset = true;
		analysis->is_parsed = parse_macro_library(&t->language, source);
		return;
	}
	analysis->script = parse_script(&t->language, source);
	analysis->is_parsed = diagnostics_errors(t->diagnostics) == 0;
	if (!analysis->script)
		return;
	analysis->script->privileged = source->privileged;
	g_ptr_array_add(t->scripts, analysis->script);
}

static struct error *run_passes(struct analysis *analysis)
{
	struct translation *t = &analysis->t;
	struct error *error = find_library(t, t->options);
	bool is_of_library;

	if (error)
		return error;
	is_of_library = leave_out(analysis, analysis->source->name);
	error = parse_macros(t);
	if (error)
		return error;
	parse(analysis, is_of_library);
	error = parse_library(t);
	if (error)
		return error;
	find_names(analysis);
	if (analysis->script)
		analyze_edited(t);
	return NULL;
}

/* ---- analyses ---------------------------------------------------------------------------------------------------- */

/* Return the environment of the current text; the caller releases it. The problem is allocated in @p arena. */
static struct environment *find_environment(struct document *document, struct arena *arena, const char **problem)
{
	struct session *session = document->session;
	const GPtrArray *words = words_for(session, arena, document->directory, &document->text, problem);
	struct environment *environment = environment_get(session, words, document->directory);

	session_keep(session, environment);
	return environment;
}

struct environment *document_environment(struct document *document)
{
	struct environment *environment;
	struct arena *arena;
	const char *problem;

	if (document->analysis)
		return document->analysis->environment;
	arena = arena_new();
	environment = find_environment(document, arena, &problem);
	/* The session keeps it. */
	environment_release(environment);
	arena_free(arena);
	return environment;
}

static struct analysis *analysis_new(struct document *document)
{
	struct analysis *analysis = g_new0(struct analysis, 1);
	struct session *session = document->session;
	const GString *bytes = document->text.bytes;
	struct arena *arena = arena_new();
	const char *problem;
	struct error *error;

	analysis->users = 1;
	analysis->environment = find_environment(document, arena, &problem);
	begin(analysis, session);
	analysis->text_problem = problem ? arena_strdup(analysis->t.arena, problem) : NULL;
	arena_free(arena);
	text_init(&analysis->text, bytes->str, bytes->len);
	analysis->source = source_new(&analysis->t, document->path,
				      arena_strndup(analysis->t.arena, bytes->str, bytes->len), bytes->len);
	analysis->definitions = g_array_new(FALSE, TRUE, sizeof(struct definition));
	analysis->names = g_array_new(FALSE, TRUE, sizeof(struct name));
	error = run_passes(analysis);
	if (error)
		translation_report(&analysis->t, NULL, error);
	for_each_ptr(const char *, object, analysis->t.unindexed)
		index_jobs_add(session->jobs, analysis->environment, object);
	analysis->is_pending = analysis->t.unindexed->len > 0;
	find_problems(analysis, document_tokens(document));
	return analysis;
}

void analysis_release(struct analysis *analysis)
{
	if (!analysis || --analysis->users)
		return;
	text_clear(&analysis->text);
	g_array_unref(analysis->definitions);
	g_array_unref(analysis->names);
	translation_end(&analysis->t);
	environment_release(analysis->environment);
	g_free(analysis);
}

struct analysis *document_analysis(struct document *document)
{
	struct analysis *analysis = document->analysis;

	if (analysis && !document->is_stale && analysis->queries++ < MOST_QUERIES)
		return analysis;
	document->analysis = NULL;
	if (analysis == document->known && !document->is_stale)
		analysis_release(g_steal_pointer(&document->known));
	analysis_release(analysis);
	analysis = document->analysis = analysis_new(document);
	document->is_stale = false;
	if (analysis->is_parsed || !document->known) {
		analysis_release(document->known);
		document->known = analysis;
		analysis->users++;
	}
	watch_memory(analysis->environment);
	return analysis;
}

struct analysis *document_some_analysis(struct document *document)
{
	return document->analysis ?: document_analysis(document);
}

const GPtrArray *document_problems(struct document *document)
{
	return document_analysis(document)->problems;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

gint compare_ranges(gconstpointer a, gconstpointer b)
{
	const struct range *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

bool analysis_range(const struct analysis *analysis, const struct location *location, struct range *ret)
{
	size_t begin;

	if (location->file != analysis->source || location->line < 1 || location->column < 1)
		return false;
	begin = text_line_begin(&analysis->text, (size_t)location->line - 1) + (size_t)location->column - 1;
	ret->from = MIN(begin, analysis->text.bytes->len);
	ret->to = MIN(begin + (size_t)MAX(location->length, 0), analysis->text.bytes->len);
	return true;
}

const struct definition *analysis_definition(const struct analysis *analysis, size_t offset)
{
	const struct definition *found = NULL;

	for (guint i = 0; i < analysis->definitions->len; i++) {
		const struct definition *definition = &g_array_index(analysis->definitions, struct definition, i);

		if (definition->range.from > offset)
			break;
		found = definition;
	}
	return found;
}

struct derived_probe *analysis_probe(const struct analysis *analysis, const struct definition *definition)
{
	if (!definition || !definition->probe || !analysis->t.probes)
		return NULL;
	for_each_ptr(struct derived_probe *, probe, analysis->t.probes) {
		if (probe->origin == definition->probe)
			return probe;
	}
	return NULL;
}

const struct name *analysis_name(const struct analysis *analysis, size_t offset)
{
	const struct name *touching = NULL;

	for (guint i = 0; i < analysis->names->len; i++) {
		const struct name *name = &g_array_index(analysis->names, struct name, i);

		if (name->range.from <= offset && offset < name->range.to)
			return name;
		if (name->range.to == offset)
			touching = name;
	}
	return touching;
}
