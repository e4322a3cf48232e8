// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sources of debuginfo behind one interface.
 *
 * A source is a place to look (`open`) and a reader for what is found there. They are tried best first; the first that
 * has something answers everything about this kernel or module. Who asks for what it does not know gets an error
 * that names the package which would tell. A digest stands first, since a user names it. $SPILE_DEBUGINFO_SOURCES, a list such as "btf,symbols", says which to try.
 *
 * The index (index.c) is made of every source, so queries for functions and symbols are the same for all.
 */
#include "translator/debuginfo/internal.h"

#include <string.h>

#include "translator/util/i18n.h"

const struct reader_operations dwarf_reader = {
	.knows = KNOWS_TYPES | KNOWS_LOCALS | KNOWS_LINES | KNOWS_INLINES | KNOWS_CALLS,
	.variables = dwarf_variables,
	.find_variable = dwarf_find_variable,
	.file_variables = dwarf_file_variables,
	.result_type = dwarf_result_type,
	.find_global = dwarf_find_global,
	.find_type = dwarf_find_type,
	.members = dwarf_members,
	.enumerators = dwarf_enumerators,
	.find_enumerator = dwarf_find_enumerator,
	.statements = dwarf_statements,
	.statement_at = dwarf_statement_at,
	.labels = dwarf_labels,
	.callees = dwarf_callees,
	.caller_frame = dwarf_caller_frame,
};

const struct reader_operations btf_reader = {
	.knows = KNOWS_TYPES,
	.variables = btf_variables,
	.find_variable = btf_find_variable,
	.result_type = btf_result_type,
	.find_global = btf_find_global,
	.find_type = btf_find_type,
	.members = btf_struct_members,
	.enumerators = btf_enum_values,
	.find_enumerator = btf_find_enumerator,
};

const struct reader_operations symbols_reader = {.knows = 0};

static const struct source sources[] = {
	{"digest", N_("digest"), "", &dwarf_reader, open_digest},
	{"dwarf", "DWARF", "", &dwarf_reader, open_dwarf},
	{"debuginfod", "debuginfod", "", &dwarf_reader, open_debuginfod},
	{"btf", "BTF", "-btf", &btf_reader, open_btf},
	{"symbols", N_("symbols"), "-symbols", &symbols_reader, open_symbols},
};

/* ---- choosing ---- */

/* Is the source in the user's list? Without a list, all are. */
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
							 _("SPILE_DEBUGINFO_SOURCES has '%s', which is no source"),
							 *name),
					       _("the sources are: %s"), known->str);
	}
	return NULL;
}

static struct error *nothing_found(const struct debuginfo *debuginfo, bool has_list)
{
	const char *release = debuginfo->kernel.release;
	struct error *error;

	if (debuginfo->is_kernel)
		error = error_new(ERROR_DEBUGINFO, _("no debuginfo of kernel %s was found"), release);
	else
		error = error_new(ERROR_DEBUGINFO, _("no debuginfo of module %s was found for kernel %s"),
				  debuginfo->module, release);
	if (has_list)
		return error_with_hint(error, _("only these sources were tried: SPILE_DEBUGINFO_SOURCES=%s"),
				       g_getenv("SPILE_DEBUGINFO_SOURCES"));
	return error_with_hint(error, _("install linux-image-%s-dbg, or run: stap-vm fetch %s"), release, release);
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

struct error *source_open_types(struct debuginfo *debuginfo)
{
	static const struct source in_files = {"dwarf", "DWARF", "", &dwarf_reader, open_types};
	static const struct source from_servers = {"debuginfod", "debuginfod", "", &dwarf_reader, open_debuginfod};
	const char *name = debuginfo->named_file;
	struct error *error;
	bool found = false;

	if (!g_file_test(name, G_FILE_TEST_EXISTS))
		return error_new(ERROR_LOOKUP, _("there is no file %s to take types from"), name);
	debuginfo->source = &in_files;
	error = in_files.open(debuginfo, &found);
	if (found)
		return error;
	close_file(debuginfo);
	debuginfo->source = &from_servers;
	error = from_servers.open(debuginfo, &found);
	if (found)
		return error;
	return error_with_hint(
		error_new(ERROR_DEBUGINFO, _("%s has no DWARF, and there is none of its build-id elsewhere"), name),
		_("install its debug symbols (PACKAGE-dbgsym), set DEBUGINFOD_URLS, or name a header: \"<x.h>\""));
}

const char *debuginfo_source(const struct debuginfo *debuginfo)
{
	return _(debuginfo->source->title);
}

/* ---- what a source does not know ---- */

static const struct {
	unsigned int knowledge;
	const char *message; /* of the source and the kernel or module */
} refusals[] = {
	{KNOWS_TYPES, N_("types, and so variables, are not known: there is only debuginfo of the kind '%s' of %s")},
	{KNOWS_LINES, N_("source files and lines are not known: there is only debuginfo of the kind '%s' of %s")},
	{KNOWS_INLINES, N_("inlined functions are not known: there is only debuginfo of the kind '%s' of %s")},
	{KNOWS_CALLS, N_("the calls of functions are not known: there is only debuginfo of the kind '%s' of %s")},
	{KNOWS_LOCALS, N_("local variables are not known: there is only debuginfo of the kind '%s' of %s")},
};

struct error *debuginfo_require(const struct debuginfo *debuginfo, unsigned int wanted)
{
	unsigned int missing = wanted & ~debuginfo->source->reader->knows;
	const char *release = debuginfo->kernel.release;

	for (size_t i = 0; i < G_N_ELEMENTS(refusals); i++) {
		struct error *error;

		if (!(missing & refusals[i].knowledge))
			continue;
		error = error_new(ERROR_DEBUGINFO, _(refusals[i].message), debuginfo_source(debuginfo),
				  debuginfo->module);
		if (debuginfo->named_file)
			return error_with_hint(error, _("build it with DWARF (CONFIG_DEBUG_INFO, not stripped)"));
		return error_with_hint(error, _("install linux-image-%s-dbg, or run: stap-vm fetch %s"), release,
				       release);
	}
	return NULL;
}

/* ---- dispatch ---- */

struct error *debuginfo_variables(const struct function *function, uint64_t pc, bool parameters, bool locals,
				  GPtrArray *ret)
{
	struct error *error = debuginfo_require(function->debuginfo, KNOWS_TYPES);

	return error ?: function->debuginfo->source->reader->variables(function, pc, parameters, locals, ret);
}

struct error *debuginfo_find_variable(const struct function *function, uint64_t pc, const char *name,
				      const struct variable **ret)
{
	struct error *error = debuginfo_require(function->debuginfo, KNOWS_TYPES);

	return error ?: function->debuginfo->source->reader->find_variable(function, pc, name, ret);
}

struct error *debuginfo_file_variables(const struct function *function, GPtrArray *ret)
{
	struct error *error = debuginfo_require(function->debuginfo, KNOWS_LOCALS);

	return error ?: function->debuginfo->source->reader->file_variables(function, ret);
}

struct error *debuginfo_find_global(struct debuginfo *debuginfo, const char *name, const char *file,
				    const struct variable **ret)
{
	struct error *error = debuginfo_require(debuginfo, KNOWS_TYPES);
	const struct program *program = debuginfo->program;

	if (!error && program && program->problem)
		error = error_new(ERROR_UNSUPPORTED, _("variables of %s cannot be read: %s"), debuginfo->module,
				  program->problem);
	if (!error && debuginfo->is_types && !program)
		error = error_new(ERROR_UNSUPPORTED, _("%s is read for its types only; no variables of it are known"),
				  debuginfo->module);
	return error ?: debuginfo->source->reader->find_global(debuginfo, name, file, ret);
}

struct error *debuginfo_members(struct type *type, const GPtrArray **ret)
{
	if (type->kind != KIND_STRUCT && type->kind != KIND_UNION)
		return error_new(ERROR_LOOKUP, _("'%s' is not a struct or union"), type->spelling);
	if (type->is_declaration)
		return error_new(ERROR_LOOKUP, _("'%s' is only declared, its members are not known to %s"),
				 type->spelling, type->debuginfo->module);
	return type->debuginfo->source->reader->members(type, ret);
}

struct error *debuginfo_find_enumerator(struct debuginfo *debuginfo, const char *name, int64_t *ret)
{
	struct error *error = debuginfo_require(debuginfo, KNOWS_TYPES);
	bool found = false;

	error = error ?: debuginfo->source->reader->find_enumerator(debuginfo, name, ret, &found);
	if (error || found)
		return error;
	return error_new(ERROR_LOOKUP, _("no enum of %s has '%s'"), debuginfo_module_name(debuginfo), name);
}

struct error *debuginfo_enumerators(struct type *type, const GPtrArray **ret)
{
	if (type->kind != KIND_ENUM)
		return error_new(ERROR_LOOKUP, _("'%s' is not an enum"), type->spelling);
	return type->debuginfo->source->reader->enumerators(type, ret);
}

struct error *debuginfo_statements(struct debuginfo *debuginfo, const struct statement_query *query, GPtrArray *ret)
{
	struct error *error = debuginfo_require(debuginfo, KNOWS_LINES);

	return error ?: debuginfo->source->reader->statements(debuginfo, query, ret);
}

struct error *debuginfo_statement_at(struct debuginfo *debuginfo, struct address address, struct statement_place *ret)
{
	struct error *error = debuginfo_require(debuginfo, KNOWS_LINES);

	return error ?: debuginfo->source->reader->statement_at(debuginfo, address, ret);
}

struct error *debuginfo_labels(const struct function *function, const char *pattern, GPtrArray *ret)
{
	struct error *error = debuginfo_require(function->debuginfo, KNOWS_LINES);

	return error ?: function->debuginfo->source->reader->labels(function, pattern, ret);
}

struct error *debuginfo_callees(const struct function *function, const char *pattern, GPtrArray *ret)
{
	struct error *error = debuginfo_require(function->debuginfo, KNOWS_CALLS);

	return error ?: function->debuginfo->source->reader->callees(function, pattern, ret);
}

struct error *debuginfo_caller_frame(struct debuginfo *debuginfo, struct address pc, const struct frame *frame,
				     struct frame *ret)
{
	struct error *error = debuginfo_require(debuginfo, KNOWS_CALLS);

	return error ?: debuginfo->source->reader->caller_frame(debuginfo, pc, frame, ret);
}
