// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The catalog of an environment: the whole library, parsed once. The analysis of a script parses only what the script
 * uses; completion offers everything. The types of functions that do not declare them are inferred when there is time.
 */
#include "translator/session/internal.h"

#include "translator/library.h"
#include "translator/probes/syscall_aliases.h"
#include "translator/sema/sema.h"

static void begin(struct translation *catalog, struct environment *environment)
{
	struct error *error;

	translation_begin(catalog, &environment->options, environment->base.cache_directory);
	environment_lend(environment, catalog);
	/* Copies for queries have what is open. The catalog itself must not keep it open. */
	translation_forget_debuginfo(catalog);
	/* A tapset that is being written has mistakes. */
	catalog->language.keeps_damaged = true;
	/* Types of functions that need debuginfo are not worth opening it. */
	catalog->unindexed = arena_ptr_array(catalog->arena);
	error = find_library(catalog, &environment->options);
	error = error ?: parse_macros(catalog);
	error = error ?: parse_library(catalog);
	/* The analyses of scripts report it. */
	error_free(error);
}

struct translation *environment_catalog(struct environment *environment)
{
	struct translation *catalog = environment->catalog;

	if (catalog)
		return catalog;
	catalog = environment->catalog = g_new0(struct translation, 1);
	catalog->arena = arena_new();
	begin(catalog, environment);
	if (!catalog->library_names)
		return catalog;
	provide_all_syscall_aliases(catalog);
	library_all(catalog);
	return catalog;
}

bool environment_prepare(struct environment *environment)
{
	struct translation *catalog = environment_catalog(environment);

	if (environment->has_types || !catalog->library_names)
		return false;
	environment->has_types = true;
	analyze_library(catalog);
	return true;
}

void catalog_free(struct translation *catalog)
{
	if (!catalog)
		return;
	translation_end(catalog);
	g_free(catalog);
}

struct translation *document_catalog(struct document *document)
{
	/* First of all, because an analysis may open debuginfo anew. */
	const struct analysis *analysis = document_some_analysis(document);
	struct environment *environment = analysis->environment;
	struct arena *arena = document->answers;
	struct translation *copy = arena_new0(arena, struct translation);

	*copy = *environment_catalog(environment);
	copy->type_files = environment->base.type_files;
	copy->open_objects = environment->base.open_objects;
	copy->open_debuginfo = environment->base.open_debuginfo;
	copy->arena = copy->language.arena = arena;
	copy->diagnostics = copy->language.diagnostics = diagnostics_new(arena);
	copy->scripts = analysis->t.scripts;
	copy->unindexed = arena_ptr_array(arena);
	copy->excuses = NULL;
	copy->language.imagines_arguments = true;
	copy->index_here = environment->index_here;
	return copy;
}
