// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Choosing the source of debuginfo.
 *
 * A source is a place to search (`open`) and a reader for what is found there. Sources are tried in order of quality;
 * the first that has something answers all queries about this kernel or module. Queries that it cannot answer fail with
 * a hint that names the package to install. The digest is first, because the user selected it.
 * $SPILE_DEBUGINFO_SOURCES, a list such as "btf,symbols", restricts the sources to try.
 *
 * The index (index/build.c) can be built from every source, so queries for functions and symbols work the same for all.
 */
#include "translator/debuginfo/btf/btf.h"
#include "translator/debuginfo/digest/digest.h"
#include "translator/debuginfo/dwarf/dwarf.h"
#include "translator/debuginfo/sources/sources.h"

#include <string.h>

#include "common/base/i18n.h"

static const struct reader_operations symbols_reader = {.knows = 0};

static const struct source sources[] = {
	{
		.name = "digest",
		.title = N_("digest"),
		.index_suffix = "",
		.reader = &dwarf_reader,
		.open = open_digest,
		.close = digest_close,
		.index = digest_index,
		.dwarf = digest_dwarf,
		.provide = digest_provide,
		.tracepoint_system = digest_tracepoint_system,
	},
	{.name = "dwarf", .title = "DWARF", .index_suffix = "", .reader = &dwarf_reader, .open = open_dwarf},
	{.name = "debuginfod",
	 .title = "debuginfod",
	 .index_suffix = "",
	 .reader = &dwarf_reader,
	 .open = open_debuginfod},
	{.name = "btf",
	 .title = "BTF",
	 .index_suffix = "-btf",
	 .reader = &btf_reader,
	 .open = open_btf,
	 .close = btf_close},
	{.name = "symbols",
	 .title = N_("symbols"),
	 .index_suffix = "-symbols",
	 .reader = &symbols_reader,
	 .open = open_symbols},
};

/* ---- the kernel and its modules ---- */

/* Is the source in the user's list? Without a list, all sources are used. */
static bool is_wanted(const struct source *source, char **list)
{
	return !list || g_strv_contains((const char *const *)list, source->name);
}

static struct error *check_list(char **list)
{
	g_autoptr(GString) known = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(sources); i++)
		g_string_append_printf(known, "%s%s", i ? ", " : "", sources[i].name);
	for (char **name = list; name && *name; name++) {
		bool is_known = false;

		for (size_t i = 0; i < G_N_ELEMENTS(sources); i++)
			is_known = is_known || strcmp(*name, sources[i].name) == 0;
		if (!is_known)
			return error_with_hint(error_new(ERROR_OTHER,
							 _("unknown source '%s' in SPILE_DEBUGINFO_SOURCES"), *name),
					       _("use one or more of: %s"), known->str);
	}
	return NULL;
}

static struct error *nothing_found(const struct debuginfo *debuginfo, bool has_list)
{
	const char *release = debuginfo->kernel.release;
	struct error *error;

	if (debuginfo->kind == OBJECT_KERNEL)
		error = error_new(ERROR_DEBUGINFO, _("no debuginfo of kernel %s was found"), release);
	else
		error = error_new(ERROR_DEBUGINFO, _("no debuginfo of module %s was found for kernel %s"),
				  debuginfo->name, release);
	if (has_list)
		return error_with_hint(error, _("unset SPILE_DEBUGINFO_SOURCES, which allows only: %s"),
				       g_getenv("SPILE_DEBUGINFO_SOURCES"));
	return debuginfo_symbols_hint(error, &debuginfo->kernel);
}

struct error *source_open(struct debuginfo *debuginfo)
{
	const char *text = g_getenv("SPILE_DEBUGINFO_SOURCES");
	bool has_list = text && text[0];
	g_auto(GStrv) list = has_list ? g_strsplit(text, ",", -1) : NULL;
	struct error *error = check_list(list);

	for (size_t i = 0; i < G_N_ELEMENTS(sources) && !error; i++) {
		bool found = false;

		if (!is_wanted(&sources[i], list))
			continue;
		close_file(debuginfo);
		debuginfo->source = &sources[i];
		error = sources[i].open(debuginfo, &found);
		if (found)
			return error;
	}
	return error ?: nothing_found(debuginfo, has_list);
}

struct error *source_open_btf(struct debuginfo *debuginfo, bool *found)
{
	const char *text = g_getenv("SPILE_DEBUGINFO_SOURCES");
	g_auto(GStrv) list = text && text[0] ? g_strsplit(text, ",", -1) : NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(sources); i++) {
		if (sources[i].reader != &btf_reader || !is_wanted(&sources[i], list))
			continue;
		debuginfo->source = &sources[i];
		return sources[i].open(debuginfo, found);
	}
	return NULL;
}

/* ---- programs, libraries and object files ---- */
static const struct source object_sources[] = {
	{.name = "dwarf", .title = "DWARF", .index_suffix = "", .reader = &dwarf_reader, .open = open_object_dwarf},
	{.name = "debuginfod",
	 .title = "debuginfod",
	 .index_suffix = "",
	 .reader = &dwarf_reader,
	 .open = open_debuginfod},
	{.name = "symbols",
	 .title = N_("symbols"),
	 .index_suffix = "-symbols",
	 .reader = &symbols_reader,
	 .open = open_object_file},
};

struct error *source_open_object(struct debuginfo *debuginfo, bool must_have_dwarf)
{
	const char *name = debuginfo->named_file;

	file_facts_note(debuginfo->search.facts, name);
	if (!g_file_test(name, G_FILE_TEST_EXISTS))
		return error_new(ERROR_LOOKUP, _("file %s does not exist"), name);
	for (size_t i = 0; i < G_N_ELEMENTS(object_sources); i++) {
		const struct source *source = &object_sources[i];
		bool found = false;
		struct error *error;

		if (must_have_dwarf && !source->reader->is_dwarf)
			continue;
		close_file(debuginfo);
		debuginfo->source = source;
		error = source->open(debuginfo, &found);
		if (found || error)
			return error;
	}
	return error_with_hint(
		error_new(ERROR_DEBUGINFO, _("%s has no DWARF, and no debug symbols with its build-id were found"),
			  name),
		_("install its debug symbols (PACKAGE-dbgsym), set DEBUGINFOD_URLS, or name a header: \"<x.h>\""));
}

/* ---- debug symbols alone ---- */

static const struct source build_id_sources[] = {
	{.name = "dwarf", .title = "DWARF", .index_suffix = "", .reader = &dwarf_reader, .open = open_build_id},
	{.name = "debuginfod",
	 .title = "debuginfod",
	 .index_suffix = "",
	 .reader = &dwarf_reader,
	 .open = open_debuginfod},
};

struct error *source_open_build_id(struct debuginfo *debuginfo)
{
	const char *build_id = debuginfo->build_id;

	for (size_t i = 0; i < G_N_ELEMENTS(build_id_sources); i++) {
		bool found = false;
		struct error *error;

		close_file(debuginfo);
		debuginfo->source = &build_id_sources[i];
		error = debuginfo->source->open(debuginfo, &found);
		if (found || error)
			return error;
	}
	return error_new(ERROR_DEBUGINFO, _("no debug symbols with build-id %s were found"), build_id);
}
