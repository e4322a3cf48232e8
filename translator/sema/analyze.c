// SPDX-License-Identifier: GPL-2.0-or-later
/* Pass 2 as a whole, and its printed form (-p2). */
#include "common/base/i18n.h"
#include "translator/probes/provider.h"
#include "translator/sema/builder.h"
#include "translator/sema/sema.h"

struct error *error_for_client(struct error *error)
{
	g_autofree char *hint = NULL;

	if (!error || !error->hint || !g_getenv("SPILE_FOR_CLIENT"))
		return error;
	hint = g_strdup_printf(_("on the compile server: %s"), error->hint);
	return error_with_hint(error, "%s", hint);
}

void translation_report(struct translation *t, const struct location *location, struct error *error)
{
	error_for_client(error);
	/* The list of the library's functions does not depend on modules and debuginfo. */
	if (!t->only_library || (error->code != ERROR_DEBUGINFO && error->code != ERROR_LOOKUP)) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, location, "%s", error->message);
		diagnose_hint_of(t->diagnostics, error);
	}
	error_free(error);
}

struct error *excused(const struct translation *t, struct error *error)
{
	if (t->excuses)
		g_ptr_array_add(t->excuses, arena_strdup(t->arena, error->message));
	return error;
}

/*
 * For editors: return an error for debuginfo whose index has to be built first, and add the object to the list of
 * these. Without a cache, nobody else could build it.
 */
static struct error *check_indexed(struct translation *t, struct debuginfo *debuginfo, const char *name)
{
	if (!t->unindexed || !t->cache_directory || debuginfo_has_index(debuginfo) ||
	    (t->index_here && g_hash_table_contains(t->index_here, name)))
		return NULL;
	if (!g_ptr_array_find_with_equal_func(t->unindexed, name, g_str_equal, NULL))
		g_ptr_array_add(t->unindexed, arena_strdup(t->arena, name));
	return excused(t, error_new(ERROR_DEBUGINFO, _("the debuginfo of %s is not indexed yet"),
				    debuginfo_path(debuginfo)));
}

struct error *translation_debuginfo(struct translation *t, const char *module, struct debuginfo **ret)
{
	const char *name = debuginfo_module_spelling(t->arena, module);
	const char *file = strchr(module, '/') ? module : NULL;
	struct error *error;

	*ret = g_hash_table_lookup(t->open_debuginfo, name);
	if (*ret && file && g_strcmp0(debuginfo_module_file(*ret), file))
		return error_new(ERROR_OTHER,
				 _("module %s is already taken from %s; a script can use one file of a name"), name,
				 debuginfo_path(*ret));
	if (*ret)
		return check_indexed(t, *ret, name);
	error = debuginfo_open(&t->kernel, &t->search, module, ret);
	if (error)
		return error;
	g_hash_table_insert(t->open_debuginfo, g_strdup(name), *ret);
	return check_indexed(t, *ret, name);
}

struct error *translation_object(struct translation *t, const char *path, struct debuginfo **ret)
{
	struct error *error;

	*ret = g_hash_table_lookup(t->open_objects, path);
	if (*ret)
		return check_indexed(t, *ret, path);
	error = debuginfo_open_object(&t->kernel, &t->search, path, ret);
	if (error)
		return error;
	g_hash_table_insert(t->open_objects, g_strdup(path), *ret);
	return check_indexed(t, *ret, path);
}

/* oneshot: append exit() to the handler. */
static void append_exit(struct translation *t, struct derived_probe *probe)
{
	struct statement *block = build_block(t->arena, &probe->body->location);
	struct expr *call = build_call(t->arena, &probe->body->location, "exit", NULL);

	g_ptr_array_add(block->statements, probe->body);
	g_ptr_array_add(block->statements, build_expr_statement(t->arena, call));
	probe->body = block;
}

static bool lower_probes(struct translation *t, guint first)
{
	for (guint i = first; i < t->probes->len; i++) {
		struct derived_probe *probe = g_ptr_array_index(t->probes, i);

		lower_statement(t, probe, &probe->body);
		if (probe->registration.exits)
			append_exit(t, probe);
	}
	return diagnostics_errors(t->diagnostics) == 0;
}

static void drop_never_probes(struct translation *t)
{
	for (guint i = t->probes->len; i--;) {
		const struct derived_probe *probe = g_ptr_array_index(t->probes, i);

		if (probe->registration.kind == STP_PROBE_NEVER)
			g_ptr_array_remove_index(t->probes, i);
	}
}

/* --semantic-keep-going continues after a stage with errors. */
static bool finish_stage(const struct translation *t, bool good)
{
	return good || t->options->keep_going;
}

/* Bind everything. A library script that is reached adds its probes, which may reach more scripts: repeat. */
static bool bind_all(struct translation *t)
{
	guint bound = t->probes->len;
	bool good = bind_names(t, 0);

	while (good && derive_library_probes(t)) {
		good = lower_probes(t, bound) && bind_names(t, bound);
		bound = t->probes->len;
	}
	sort_probes(t);
	return good;
}

static void find_autocast(struct expr **expr, void *data)
{
	struct translation *t = data;

	if ((*expr)->kind == EXPR_TARGET && (*expr)->target == TARGET_CAST && !(*expr)->type_name)
		t->uses_autocast = true;
}

static void find_autocasts(struct translation *t)
{
	for_each_ptr(const struct script *, script, t->scripts) {
		for_each_ptr(const struct probe *, probe, script->probes)
			statement_walk(probe->body, find_autocast, t);
		for_each_ptr(const struct function_declaration *, function, script->functions)
			statement_walk(function->body, find_autocast, t);
		for_each_ptr(const struct alias *, alias, script->aliases) {
			statement_walk(alias->prologue, find_autocast, t);
			statement_walk(alias->epilogue, find_autocast, t);
		}
	}
}

/* Derive the probes and lower their bodies. */
static bool find_places(struct translation *t)
{
	bool derived = derive_probes(t);

	find_autocasts(t);
	find_key_names(t);

	/* Lower the derived probes even if other points failed, to report all errors in one run. */
	return lower_probes(t, 0) && derived;
}

static bool has_probes(struct translation *t)
{
	if (t->probes->len)
		return true;
	diagnose(t->diagnostics, SEMANTIC_ERROR, &(struct location){0}, _("no probes found"));
	diagnose_hint(t->diagnostics, _("a script needs at least one probe, as in: probe begin { exit() }"));
	return false;
}

/* Run the stages that need names and types, up to the end of pass 2. */
static bool finish_stages(struct translation *t)
{
	if (!check_handlers(t) || !check_privilege(t))
		return false;
	/* Before the probe that displays globals is added. */
	find_stack_keys(t);
	check_report_format(t);
	check_output_format(t);
	if (!finish_globals(t))
		return false;
	drop_never_probes(t);
	optimize(t);
	plan_locks(t);
	plan_targets(t);
	return diagnostics_errors(t->diagnostics) == 0;
}

static bool run_stages(struct translation *t)
{
	return finish_stage(t, find_places(t)) && has_probes(t) && finish_stage(t, bind_all(t)) &&
	       finish_stage(t, infer_types(t)) && finish_stages(t);
}

bool analyze(struct translation *t)
{
	bool good = run_stages(t);

	if (!good)
		note_call_sites(t);
	return good;
}

/* Finish a stage of a script in an editor: after an error, drop what the next stages report. */
static bool keep_first(struct translation *t, bool good, bool was_good, size_t mark)
{
	if (!was_good)
		diagnostics_rewind(t->diagnostics, mark);
	else if (!good)
		note_call_sites(t);
	return good && was_good;
}

static bool writes_probes(const struct translation *t)
{
	for_each_ptr(const struct script *, script, t->scripts) {
		if (script->probes->len)
			return true;
	}
	return false;
}

bool analyze_edited(struct translation *t)
{
	bool good = diagnostics_errors(t->diagnostics) == 0, was_good = good;
	size_t mark = diagnostics_mark(t->diagnostics);

	good = keep_first(t, find_places(t), good, mark);
	mark = diagnostics_mark(t->diagnostics);
	good = keep_first(t, bind_all(t), good, mark);
	mark = diagnostics_mark(t->diagnostics);
	good = keep_first(t, infer_types(t), good, mark);
	/* A file of a tapset may have none. */
	if (!good || !writes_probes(t) || !has_probes(t))
		return good;
	good = finish_stages(t);
	if (!good)
		note_call_sites(t);
	return good && was_good;
}

/* A list reports no errors: it drops the diagnostics of each stage. An unresolved $variable counts as a number. */
void analyze_listed(struct translation *t)
{
	size_t mark = diagnostics_mark(t->diagnostics);
	GPtrArray *listed = t->probes;
	const char *last = NULL;

	find_autocasts(t);
	t->probes = arena_ptr_array(t->arena);
	for_each_ptr(struct derived_probe *, probe, listed) {
		if (probe->of_alias && probe->name != last) {
			g_ptr_array_add(t->probes, probe);
			lower_statement(t, probe, &probe->body);
		}
		last = probe->name;
	}
	diagnostics_rewind(t->diagnostics, mark);
	bind_names(t, 0);
	diagnostics_rewind(t->diagnostics, mark);
	infer_known_types(t);
	diagnostics_rewind(t->diagnostics, mark);
	t->probes = listed;
}

bool analyze_library(struct translation *t)
{
	t->probes = arena_ptr_array(t->arena);
	t->only_library = true;
	return finish_stage(t, bind_library(t)) && infer_known_types(t);
}

const char *type_text(enum value_type type)
{
	static const char *const names[TYPE_COUNT_] = {
		[TYPE_UNKNOWN] = "unknown",
		[TYPE_LONG] = "long",
		[TYPE_STRING] = "string",
		[TYPE_STATS] = "stats",
	};

	return names[type];
}

static void print_globals(const struct translation *t, FILE *out)
{
	if (t->globals->len)
		fprintf(out, "# globals\n");
	for_each_ptr(const struct symbol *, global, t->globals) {
		fprintf(out, "%s:%s", global->name, type_text(global->type));
		for (int i = 0; i < global->arity; i++)
			fprintf(out, "%s%s%s", i ? ", " : " [", type_text(global->key_types[i]),
				i + 1 == global->arity ? "]" : "");
		fprintf(out, "\n");
	}
}

static void print_locals(const GPtrArray *locals, FILE *out)
{
	if (locals->len)
		fprintf(out, "  # locals\n");
	for_each_ptr(const struct symbol *, local, locals)
		fprintf(out, "  %s:%s\n", local->name, type_text(local->type));
}

static void print_functions(const struct translation *t, FILE *out)
{
	if (t->functions->len)
		fprintf(out, "# functions\n");
	for_each_ptr(const struct function_declaration *, function, t->functions) {
		fprintf(out, "%s:%s (", function->name, type_text(function->type));
		for (guint i = 0; function->parameters && i < function->parameters->len; i++) {
			const struct symbol *parameter = g_ptr_array_index(function->parameters, i);

			fprintf(out, "%s%s:%s", i ? ", " : "", parameter->name, type_text(parameter->type));
		}
		fprintf(out, ")\n");
		if (!function->is_embedded && !function->script->file->is_tapset) {
			print_locals(function->locals, out);
			print_statement(out, function->body, 1);
		}
	}
}

void print_analysis(const struct translation *t, FILE *out)
{
	print_globals(t, out);
	print_functions(t, out);
	fprintf(out, "# probes\n");
	for_each_ptr(const struct derived_probe *, probe, t->probes) {
		fprintf(out, "%s", probe->point_text);
		if (probe->registration.debuginfo)
			fprintf(out, " /* pc=%s%s0x%" G_GINT64_MODIFIER "x */",
				probe->registration.address.section ?: "",
				probe->registration.address.section ? "+" : "", probe->registration.address.value);
		fprintf(out, " {\n");
		print_locals(probe->locals, out);
		print_statement(out, probe->body, 1);
		fprintf(out, "}\n");
	}
}
