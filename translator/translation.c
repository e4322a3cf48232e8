// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The beginning and the end of a translation. stap makes one for each kernel and exits with it; an editor's session
 * makes one for each change of a script, so everything that a translation holds must be freed.
 */
#include "translator/translation.h"

#include "common/base/paths.h"

/* Return the real path of --sysroot, or NULL. The search for the kernel reports a directory that does not exist. */
static const char *real_sysroot(struct arena *arena, const char *directory)
{
	g_autofree char *real = directory ? sysroot_resolve(&(struct sysroot){0}, directory) : NULL;

	return real && strcmp(real, "/") ? arena_strdup(arena, real) : NULL;
}

static void begin_language(struct translation *t, const struct options *options)
{
	t->language = (struct language_context){
		.arena = t->arena,
		.diagnostics = t->diagnostics,
		.systemtap_version = options->compatible,
		.privilege = options->privilege,
		.runtime = "kernel",
		.guru_mode = options->guru_mode,
		.kernel_config = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
		.option_values = options->script_options,
		.argument_count = options->argument_count,
		.arguments = options->arguments,
		.argument_used = arena_alloc(t->arena, options->argument_count * sizeof(bool)),
		.library_macros = g_hash_table_new(g_str_hash, g_str_equal),
	};
	arena_defer(t->arena, (GDestroyNotify)g_hash_table_unref, t->language.kernel_config);
	arena_defer(t->arena, (GDestroyNotify)g_hash_table_unref, t->language.library_macros);
}

static GHashTable *table_of_debuginfo(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)debuginfo_close);
}

void translation_begin(struct translation *t, const struct options *options, const char *cache_directory)
{
	t->diagnostics = diagnostics_new(t->arena);
	diagnostics_configure(t->diagnostics, options->suppress_warnings, options->fatal_warnings, options->color);
	t->options = options;
	t->limits = options->limits;
	/* Modules made with -B must not be shared through the cache. */
	t->cache_directory = options->make_settings->len ? NULL : cache_directory;
	t->search = (struct debuginfo_search){
		.root = "",
		.cache_directory = t->cache_directory,
		.sysroot = options->environment,
		.downloaded = g_hash_table_new(g_str_hash, g_str_equal),
		.facts = file_facts_new(),
	};
	arena_defer(t->arena, (GDestroyNotify)g_hash_table_unref, t->search.downloaded);
	t->search.sysroot.directory = real_sysroot(t->arena, options->sysroot);
	t->module_name = options->module_name;
	t->library_files = arena_ptr_array(t->arena);
	t->user_sources = arena_ptr_array(t->arena);
	t->scripts = arena_ptr_array(t->arena);
	t->library = arena_ptr_array(t->arena);
	t->unwinders_by_object = g_hash_table_new(g_str_hash, g_str_equal);
	arena_defer(t->arena, (GDestroyNotify)g_hash_table_unref, t->unwinders_by_object);
	t->builds = g_hash_table_new(g_str_hash, g_str_equal);
	arena_defer(t->arena, (GDestroyNotify)g_hash_table_unref, t->builds);
	t->type_files = table_of_debuginfo();
	t->open_objects = table_of_debuginfo();
	t->open_debuginfo = table_of_debuginfo();
	begin_language(t, options);
}

void translation_forget_debuginfo(struct translation *t)
{
	GHashTable **const tables[] = {&t->type_files, &t->open_objects, &t->open_debuginfo};

	for (size_t i = 0; i < G_N_ELEMENTS(tables); i++) {
		g_hash_table_unref(*tables[i]);
		*tables[i] = table_of_debuginfo();
	}
}

void translation_end(struct translation *t)
{
	file_facts_free(t->search.facts);
	if (t->identity)
		g_checksum_free(t->identity);
	/* The arena may refer to what is opened, and not the other way round. */
	arena_free(t->arena);
	g_hash_table_unref(t->type_files);
	g_hash_table_unref(t->open_objects);
	g_hash_table_unref(t->open_debuginfo);
}
