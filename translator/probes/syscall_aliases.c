// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * System call aliases: syscall.NAME and syscall.NAME.return. nd_syscall, dw_syscall and tp_syscall are the same here;
 * other implementations of the language distinguish them.
 *
 * The aliases are built as syntax trees from the table's rows when a point names them, so a script pays only for those.
 * An alias sets a variable only if a handler of the script contains its name; analyzing hundreds of calls with all
 * their variables would take longer than everything else. It sets the variable by calling a tapset function with the
 * index of the argument. Handlers of different calls thus often have the same text, which is emitted once. A name that
 * is a global of the script is never set. Several rows may have the same alias name; each alias sets the variables of
 * all.
 */
#include <fnmatch.h>
#include <string.h>

#include "common/nearest.h"
#include "translator/probes/provider.h"
#include "translator/probes/syscall_aliases.h"
#include "translator/probes/syscall_rows.h"
#include "translator/sema/builder.h"
#include "translator/sema/scope.h"

static const char *const families[] = {"syscall", "nd_syscall", "dw_syscall", "tp_syscall"};

/* ---- trees ------------------------------------------------------------------------------------------------------- */

struct alias_writer {
	struct arena *arena;
	const struct location *at;
	struct statement *prologue;
	GHashTable *wanted; /* set of the names that handlers use; NULL: all */
	GHashTable *assigned; /* set of the names that are assigned already */
};

static void assign(struct alias_writer *w, const char *name, struct expr *value)
{
	struct expr *symbol, *assignment;

	if ((w->wanted && !g_hash_table_contains(w->wanted, name)) || !g_hash_table_add(w->assigned, (void *)name))
		return;
	symbol = expr_new(w->arena, EXPR_SYMBOL, w->at);
	symbol->text = name;
	assignment = expr_new(w->arena, EXPR_ASSIGN, w->at);
	assignment->op = OP_NONE;
	assignment->left = symbol;
	assignment->right = value;
	g_ptr_array_add(w->prologue->statements, build_expr_statement(w->arena, assignment));
}

static void assign_call(struct alias_writer *w, const char *name, const char *function, int index)
{
	if (name)
		assign(w, name, build_call(w->arena, w->at, function, build_number(w->arena, w->at, index)));
}

static void assign_arguments(struct alias_writer *w, const struct syscall_row *row, bool is_return)
{
	for (int i = 0; i < row->argument_count; i++) {
		const struct syscall_argument *argument = &row->arguments[i];

		if (syscall_argument_is_late(argument) && !is_return)
			continue;
		assign_call(w, argument->number, "__syscall_item_number", i);
		if (is_return && !syscall_text_lasts(row, argument))
			continue;
		assign_call(w, argument->text, "__syscall_item_text", i);
		assign_call(w, argument->raw, "__syscall_item_raw", i);
	}
}

/* Set the variables that only other rows of the alias have to 0 or "". */
static void assign_missing(struct alias_writer *w, const struct syscall_row *row, bool is_return)
{
	for (int r = 0; r < syscall_row_count; r++) {
		const struct syscall_row *other = &syscall_rows[r];

		for (int i = 0; other != row && !strcmp(other->alias, row->alias) && i < other->argument_count; i++) {
			const struct syscall_argument *argument = &other->arguments[i];

			if (syscall_argument_is_late(argument) && !is_return)
				continue;
			if (argument->number)
				assign(w, argument->number, build_number(w->arena, w->at, 0));
			if (argument->text)
				assign(w, argument->text, build_string(w->arena, w->at, ""));
			if (argument->raw)
				assign(w, argument->raw, build_string(w->arena, w->at, ""));
		}
	}
}

static void assign_result(struct alias_writer *w)
{
	assign(w, "retval", build_call(w->arena, w->at, "__syscall_row_result", NULL));
	assign(w, "retstr", build_call(w->arena, w->at, "__syscall_row_result_text", NULL));
}

static struct statement *make_prologue(struct translation *t, const struct location *at, const struct syscall_row *row,
				       bool is_return)
{
	g_autoptr(GHashTable) assigned = g_hash_table_new(g_str_hash, g_str_equal);
	struct alias_writer w = {.arena = t->arena, .at = at, .wanted = t->syscall_variables, .assigned = assigned};

	w.prologue = build_block(t->arena, at);
	assign(&w, "name", build_call(t->arena, at, "__syscall_row_name", NULL));
	assign_arguments(&w, row, is_return);
	assign_missing(&w, row, is_return);
	assign(&w, "argstr", build_call(t->arena, at, "__syscall_arguments", NULL));
	if (is_return)
		assign_result(&w);
	return w.prologue;
}

/* ---- which variables --------------------------------------------------------------------------------------------- */

/* The search for names in a script. */
struct want {
	struct translation *t;
	const struct script *script;
	GHashTable *names;
};

static void want_symbol(struct expr **expr, void *data)
{
	struct want *want = data;
	const struct expr *e = *expr;

	if (e->kind == EXPR_SYMBOL && !is_library_helper(e) && !g_hash_table_contains(want->names, e->text) &&
	    !visible_global(want->t, script_at(want->t, &e->location, want->script), e))
		g_hash_table_add(want->names, (void *)e->text);
}

static bool leads_to_syscalls(const struct alias *alias)
{
	for_each_ptr(const struct probe_point *, point, alias->points) {
		const struct probe_component *first = g_ptr_array_index(point->components, 0);

		for (size_t i = 0; i < G_N_ELEMENTS(families); i++)
			if (!strcmp(first->name, families[i]))
				return true;
	}
	return false;
}

static void want_of_aliases(struct want *want, const struct script *script)
{
	want->script = script;
	for_each_ptr(const struct alias *, alias, script->aliases)
		if (leads_to_syscalls(alias)) {
			statement_walk(alias->prologue, want_symbol, want);
			statement_walk(alias->epilogue, want_symbol, want);
		}
}

/*
 * Return all names but globals in the script's handlers, and in aliases that expand to system call aliases. Return NULL
 * if there is no script, so that nobody says what is wanted.
 */
static GHashTable *wanted_variables(struct translation *t)
{
	const GPtrArray *both[] = {t->scripts, library_containing(t, "syscall.")};
	struct want want = {.t = t, .names = g_hash_table_new(g_str_hash, g_str_equal)};

	arena_defer(t->arena, (GDestroyNotify)g_hash_table_unref, want.names);
	if (!t->scripts->len)
		return NULL;
	for_each_ptr(const struct script *, script, t->scripts) {
		want.script = script;
		for_each_ptr(struct probe *, probe, script->probes)
			statement_walk(probe->body, want_symbol, &want);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(both); i++)
		for (guint k = 0; k < both[i]->len; k++)
			want_of_aliases(&want, g_ptr_array_index(both[i], k));
	return want.names;
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

static void add_component(struct arena *arena, struct probe_point *point, const char *name, struct expr *argument)
{
	struct probe_component *component = arena_new0(arena, struct probe_component);

	component->name = name;
	component->location = point->location;
	component->argument = argument;
	g_ptr_array_add(point->components, component);
}

static struct probe_point *make_point(struct arena *arena, const struct location *at)
{
	struct probe_point *point = arena_new0(arena, struct probe_point);

	point->location = *at;
	point->components = arena_ptr_array(arena);
	return point;
}

/* Add an alias of one row. With @only_32_bit, it is hit by 32-bit programs only. */
static void make_alias(struct translation *t, const char *family, const char *alias_name, int row, bool is_return,
		       bool only_32_bit)
{
	struct script *script = t->syscalls;
	const struct location *at = arena_new0(t->arena, struct location);
	struct alias *alias = arena_new0(t->arena, struct alias);
	struct probe_point *name, *point;

	((struct location *)at)->file = script->file;
	name = make_point(t->arena, at);
	point = make_point(t->arena, at);
	add_component(t->arena, name, family, NULL);
	add_component(t->arena, name, alias_name, NULL);
	add_component(t->arena, point, only_32_bit ? "__syscall_32" : "__syscall", build_number(t->arena, at, row + 1));
	if (is_return) {
		add_component(t->arena, name, "return", NULL);
		add_component(t->arena, point, "return", NULL);
	}
	alias->location = *at;
	alias->names = arena_ptr_array(t->arena);
	alias->points = arena_ptr_array(t->arena);
	g_ptr_array_add(alias->names, name);
	g_ptr_array_add(alias->points, point);
	alias->prologue = make_prologue(t, at, &syscall_rows[row], is_return);
	alias->script = script;
	g_ptr_array_add(script->aliases, alias);
}

static void make_script(struct translation *t)
{
	struct source_file *file = arena_new0(t->arena, struct source_file);
	struct script *script = arena_new0(t->arena, struct script);

	file->name = "syscall_rows.h";
	file->text = "";
	file->is_tapset = true;
	file->is_library = true;
	file->privileged = true;
	script->file = file;
	script->probes = arena_ptr_array(t->arena);
	script->aliases = arena_ptr_array(t->arena);
	script->globals = arena_ptr_array(t->arena);
	script->functions = arena_ptr_array(t->arena);
	script->embeds = arena_ptr_array(t->arena);
	script->privileged = true;
	g_ptr_array_add(t->library, script);
	t->syscalls = script;
	t->syscall_variables = wanted_variables(t);
}

/* ---- on demand --------------------------------------------------------------------------------------------------- */

/* Return whether the first @count aliases contain that of a row. */
static bool is_made(const struct translation *t, guint count, const char *family, int row)
{
	for (guint i = 0; i < count; i++) {
		const struct alias *alias = g_ptr_array_index(t->syscalls->aliases, i);
		const struct probe_point *name = g_ptr_array_index(alias->names, 0);
		const struct probe_component *first = g_ptr_array_index(name->components, 0);
		const struct probe_component *second = g_ptr_array_index(name->components, 1);

		if (second->name == syscall_rows[row].alias && !strcmp(first->name, family))
			return true;
	}
	return false;
}

static bool has_alias(const struct translation *t, const char *family, const char *name)
{
	for_each_ptr(const struct alias *, alias, t->syscalls->aliases) {
		const struct probe_point *point = g_ptr_array_index(alias->names, 0);
		const struct probe_component *first = g_ptr_array_index(point->components, 0);
		const struct probe_component *second = g_ptr_array_index(point->components, 1);

		if (!strcmp(second->name, name) && !strcmp(first->name, family))
			return true;
	}
	return false;
}

/*
 * Return the name without one prefix or suffix of 32-bit calls: "compat_execve", "compat_sys_msgctl", "ustat32",
 * "truncate64". Return NULL if it has none. These calls hit the plain aliases too, so wildcards omit these names.
 */
static const char *plain_name(struct arena *arena, const char *name)
{
	static const char *const prefixes[] = {"compat_sys_", "compat_"}, *const suffixes[] = {"64", "32"};
	size_t length = strlen(name);

	for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++)
		if (g_str_has_prefix(name, prefixes[i]))
			return name + strlen(prefixes[i]);
	for (size_t i = 0; i < G_N_ELEMENTS(suffixes); i++)
		if (length > 2 && g_str_has_suffix(name, suffixes[i]))
			return arena_strndup(arena, name, length - 2);
	return NULL;
}

static void provide_32_bit(struct translation *t, const char *family, const char *name)
{
	guint before = t->syscalls->aliases->len;
	const char *plain = name;

	if (strpbrk(name, "*?[") || has_alias(t, family, name))
		return;
	/* "compat_truncate64" has both a prefix and a suffix. */
	while (t->syscalls->aliases->len == before && (plain = plain_name(t->arena, plain))) {
		for (int row = 0; row < syscall_row_count; row++) {
			if (strcmp(syscall_rows[row].alias, plain) ||
			    !syscall_row_exists_in_32_bit(&syscall_rows[row], t->kernel.abi))
				continue;
			make_alias(t, family, name, row, false, true);
			make_alias(t, family, name, row, true, true);
		}
	}
}

static void provide_family(struct translation *t, const char *family, const char *pattern)
{
	guint before;

	if (!t->syscalls)
		make_script(t);
	before = t->syscalls->aliases->len;
	for (int row = 0; row < syscall_row_count; row++) {
		if (fnmatch(pattern, syscall_rows[row].alias, 0) || is_made(t, before, family, row) ||
		    !syscall_row_exists(&syscall_rows[row], t->kernel.abi))
			continue;
		make_alias(t, family, syscall_rows[row].alias, row, false, false);
		make_alias(t, family, syscall_rows[row].alias, row, true, false);
	}
	if (t->syscalls->aliases->len == before)
		provide_32_bit(t, family, pattern);
}

void provide_syscall_aliases(struct translation *t, const struct probe_point *point)
{
	const struct probe_component *first = g_ptr_array_index(point->components, 0);
	const struct probe_component *second =
		point->components->len > 1 ? g_ptr_array_index(point->components, 1) : NULL;
	bool is_multiple = strstr(first->name, "**") || (second && strstr(second->name, "**"));

	if (first->argument || (!second && !is_multiple))
		return;
	if (is_multiple) {
		provide_family(t, families[0], "*");
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(families); i++)
		if (!fnmatch(first->name, families[i], 0))
			provide_family(t, families[i], second->name);
}

bool is_syscall_row(const struct probe_point *point)
{
	const struct probe_component *first = g_ptr_array_index(point->components, 0);

	return g_str_has_prefix(first->name, "__syscall");
}

const GPtrArray *near_syscalls(struct translation *t, const struct probe_point *point,
			       const struct probe_component **culprit)
{
	const struct probe_component *first = g_ptr_array_index(point->components, 0);
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	if (point->components->len < 2)
		return NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(families); i++)
		for (int row = 0; !strcmp(first->name, families[i]) && row < syscall_row_count; row++)
			if (syscall_row_exists(&syscall_rows[row], t->kernel.abi) &&
			    !g_ptr_array_find(names, syscall_rows[row].alias, NULL))
				g_ptr_array_add(names, (void *)syscall_rows[row].alias);
	if (!names->len)
		return NULL;
	*culprit = g_ptr_array_index(point->components, 1);
	return nearest_matches(t->arena, (*culprit)->name, names, "", 5);
}

void syscall_variable_names(const struct derived_probe *probe, GPtrArray *names)
{
	const struct stp_details *details = probe ? probe->registration.details : NULL;
	const struct syscall_row *row;

	if (!probe || probe->registration.kind != STP_PROBE_SYSCALL || !details->syscall)
		return;
	row = &syscall_rows[details->syscall - 1];
	g_ptr_array_add(names, (void *)"name");
	g_ptr_array_add(names, (void *)"argstr");
	for (int i = 0; i < row->argument_count; i++) {
		const char *const variables[] = {row->arguments[i].number, row->arguments[i].text,
						 row->arguments[i].raw};

		for (size_t k = 0; k < G_N_ELEMENTS(variables); k++)
			if (variables[k])
				g_ptr_array_add(names, (void *)variables[k]);
	}
	if (!details->is_syscall_return)
		return;
	g_ptr_array_add(names, (void *)"retval");
	g_ptr_array_add(names, (void *)"retstr");
}

void provide_all_syscall_aliases(struct translation *t)
{
	provide_family(t, families[0], "*");
}
