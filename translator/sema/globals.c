// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Globals: set the values of -G, warn about globals that are only read, and display those that are only written when
 * the script ends.
 *
 * A global counts as read only if its value is used: `n++` by itself only writes, `m = n++` also reads. The display is
 * an ordinary end probe, so later stages need no special case.
 */
#include <errno.h>

#include "common/nearest.h"
#include "common/base/i18n.h"
#include "translator/probes/provider.h"
#include "translator/probes/syscall_aliases.h"
#include "translator/sema/builder.h"
#include "translator/sema/embedded.h"
#include "translator/sema/sema.h"

/* ---- which globals are read, which written ----------------------------------------------------------------------- */

struct usage {
	GHashTable *read, *written; /* sets of struct symbol * */
};

static void note_value(struct expr **expr, void *data);

static void note_keys(struct usage *u, const struct expr *target)
{
	for (guint i = 0; target->kind == EXPR_INDEX && target->arguments && i < target->arguments->len; i++)
		note_value((struct expr **)&target->arguments->pdata[i], u);
}

static struct symbol *symbol_of(const struct expr *target)
{
	const struct expr *base = target->kind == EXPR_INDEX ? target->left : target;

	return base->kind == EXPR_SYMBOL ? base->symbol : NULL;
}

static void note_target(struct usage *u, const struct expr *target, bool is_read)
{
	struct symbol *symbol = symbol_of(target);

	note_keys(u, target);
	if (!symbol)
		return;
	g_hash_table_add(u->written, symbol);
	if (is_read)
		g_hash_table_add(u->read, symbol);
}

static void note_embedded(struct usage *u, const GPtrArray *uses)
{
	for_each_ptr(const struct embedded_use *, use, uses) {
		if (use->reads)
			g_hash_table_add(u->read, use->global);
		if (use->writes)
			g_hash_table_add(u->written, use->global);
	}
}

static void note_expr(struct usage *u, struct expr *e, bool value_used)
{
	switch (e->kind) {
	case EXPR_EMBEDDED:
		note_embedded(u, e->embedded_globals);
		break;
	case EXPR_ASSIGN:
		note_value(&e->right, u);
		note_target(u, e->left, value_used && e->op != OP_NONE && e->op != OP_AGGREGATE);
		break;
	case EXPR_INCREMENT:
		note_target(u, e->operand, value_used);
		break;
	case EXPR_SYMBOL:
		g_hash_table_add(u->read, e->symbol);
		break;
	default:
		expr_visit_children(e, note_value, u);
		break;
	}
}

static void note_value(struct expr **expr, void *data)
{
	note_expr(data, *expr, true);
}

static void note_optional(struct usage *u, struct expr *e, bool value_used)
{
	if (e)
		note_expr(u, e, value_used);
}

static void note_statement(struct usage *u, struct statement *s)
{
	if (!s)
		return;
	note_embedded(u, s->embedded_globals);
	note_optional(u, s->init, false);
	if (s->kind == STATEMENT_DELETE)
		note_target(u, s->expr, false);
	else
		note_optional(u, s->expr, s->kind != STATEMENT_EXPR);
	note_optional(u, s->update, false);
	note_optional(u, s->array, true);
	note_optional(u, s->limit, true);
	for (guint i = 0; s->slice && i < s->slice->len; i++)
		note_value((struct expr **)&s->slice->pdata[i], u);
	for_each_ptr(struct expr *, key, s->keys)
		note_target(u, key, false);
	if (s->value)
		note_target(u, s->value, false);
	if (s->catch_variable)
		note_target(u, s->catch_variable, false);
	note_statement(u, s->body);
	for_each_ptr(struct statement *, child, s->statements)
		note_statement(u, child);
	note_statement(u, s->otherwise);
}

void collect_usage(struct statement *body, GHashTable *read, GHashTable *written)
{
	struct usage u = {.read = read, .written = written};

	note_statement(&u, body);
}

static void note_script(struct usage *u, struct translation *t)
{
	for_each_ptr(struct derived_probe *, probe, t->probes) {
		note_statement(u, probe->body);
		for (guint i = 0; i < probe->entry_values->len; i++)
			note_value((struct expr **)&probe->entry_values->pdata[i], u);
	}
	for_each_ptr(struct function_declaration *, function, t->functions)
		note_statement(u, function->body);
}

/* ---- -G name=value ----------------------------------------------------------------------------------------------- */

static void setting_error(struct translation *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void setting_error(struct translation *t, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	diagnose(t->diagnostics, SEMANTIC_ERROR, &(struct location){0}, "-G %s", text);
}

static struct symbol *declared_global(const GPtrArray *scripts, const char *name)
{
	for_each_ptr(const struct script *, script, scripts) {
		for_each_ptr(struct symbol *, global, script->globals) {
			if (!strcmp(global->name, name))
				return global;
		}
	}
	return NULL;
}

static void diagnose_no_global(struct translation *t, const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const GPtrArray *near;

	for_each_ptr(const struct script *, script, t->scripts)
		for_each_ptr(const struct symbol *, global, script->globals)
			g_ptr_array_add(names, (void *)global->name);
	/* Only a warning, because a user may pass the same settings to several scripts. */
	diagnose(t->diagnostics, WARNING, &(struct location){0}, _("-G %s: the script declares no such global"), name);
	near = nearest_matches(t->arena, name, names, "", 5);
	if (near)
		diagnose_near(t->diagnostics, near);
}

/* Parse a number of the language: 64 bits, signed or unsigned, in any base. */
static bool parse_value(const char *text, int64_t *ret)
{
	char *end;

	errno = 0;
	*ret = g_ascii_strtoll(text, &end, 0);
	if (errno == ERANGE && *text != '-') {
		errno = 0;
		*ret = (int64_t)g_ascii_strtoull(text, &end, 0);
	}
	return !errno && end != text && !*end;
}

static struct expr *setting_value(struct translation *t, const struct symbol *global, const char *text)
{
	int64_t number;

	if (global->type == TYPE_STRING)
		return build_string(t->arena, &global->location, arena_strdup(t->arena, text));
	if (parse_value(text, &number))
		return build_number(t->arena, &global->location, number);
	setting_error(t, _("%s: '%s' is not a number, but the global is"), global->name, text);
	diagnose_note(t->diagnostics, &global->location, _("declared here"));
	return NULL;
}

static void apply_setting(struct translation *t, const char *setting)
{
	g_auto(GStrv) parts = g_strsplit(setting, "=", 2);
	struct symbol *global =
		declared_global(t->scripts, parts[0]) ?: declared_global(library_with(t, parts[0]), parts[0]);
	struct expr *value;

	if (!global) {
		diagnose_no_global(t, parts[0]);
		return;
	}
	if (global->arity > 0 || global->type == TYPE_STATS) {
		setting_error(t, _("%s: only a number or a string can be set, not an array or an aggregate"),
			      global->name);
		diagnose_note(t->diagnostics, &global->location, _("declared here"));
		return;
	}
	/* The script does not use it: its type is unknown, and there is nothing to set. */
	if (!g_ptr_array_find(t->globals, global, NULL) && !global->initializer)
		return;
	if (global->initializer && global->type == TYPE_UNKNOWN)
		global->type = global->initializer->type;
	value = setting_value(t, global, parts[1]);
	if (value)
		global->initializer = value;
}

/* ---- warnings ---------------------------------------------------------------------------------------------------- */

static bool is_users(const struct symbol *global)
{
	return global->location.file && !global->location.file->is_tapset;
}

bool alias_sets(const struct derived_probe *probe, const char *name)
{
	g_autoptr(GPtrArray) names = NULL;

	if (!probe || !probe->of_alias)
		return false;
	for_each_ptr(const struct symbol *, local, probe->locals) {
		if (!local->is_helper && !strcmp(local->name, name))
			return true;
	}
	names = g_ptr_array_new();
	syscall_variable_names(probe, names);
	return g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL);
}

static void warn_hidden(struct translation *t, const struct derived_probe *probe, const struct usage *u,
			GHashTable *hiding)
{
	GHashTableIter iter;
	void *key;

	g_hash_table_iter_init(&iter, u->read);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		const struct symbol *global = key;

		if (!global->is_global || !is_users(global) || global->arity > 0 ||
		    g_hash_table_contains(u->written, key) || !alias_sets(probe, global->name) ||
		    !g_hash_table_add(hiding, key))
			continue;
		diagnose(t->diagnostics, WARNING, &global->location, _("global '%s' hides the variable that '%s' sets"),
			 global->name, probe->name);
		diagnose_hint(t->diagnostics, _("rename the global"));
	}
}

/*
 * Warn about a global with the name of a variable that an alias sets, if a handler of the alias reads it but does not
 * set it. The user may have wanted the variable.
 */
static void warn_hidden_variables(struct translation *t, GHashTable *hiding)
{
	for_each_ptr(struct derived_probe *, probe, t->probes) {
		g_autoptr(GHashTable) read = g_hash_table_new(NULL, NULL);
		g_autoptr(GHashTable) written = g_hash_table_new(NULL, NULL);
		struct usage u = {.read = read, .written = written};

		if (!probe->of_alias)
			continue;
		note_statement(&u, probe->body);
		warn_hidden(t, probe, &u, hiding);
	}
}

/* Warn about globals, including arrays, that are never written: their value is always 0 or "". */
static void warn_never_written(struct translation *t, const struct usage *u, GHashTable *hiding)
{
	for_each_ptr(struct symbol *, global, t->globals) {
		if (!is_users(global) || global->initializer || g_hash_table_contains(u->written, global) ||
		    g_hash_table_contains(hiding, global))
			continue;
		diagnose(t->diagnostics, WARNING, &global->location, _("global '%s' is read but never set"),
			 global->name);
	}
}

static void warn_never_used(struct translation *t)
{
	for_each_ptr(const struct script *, script, t->scripts) {
		for_each_ptr(struct symbol *, global, script->globals) {
			if (!g_ptr_array_find(t->globals, global, NULL))
				diagnose(t->diagnostics, WARNING, &global->location, _("global '%s' is never used"),
					 global->name);
		}
	}
}

/* ---- the display ------------------------------------------------------------------------------------------------- */

/* A printf under construction. */
struct display {
	struct arena *arena;
	const struct location *at;
	GPtrArray *locals; /* of the display probe: loop variables */
	GPtrArray *format, *arguments;
};

static void display_begin(struct display *d)
{
	d->format = arena_ptr_array(d->arena);
	d->arguments = arena_ptr_array(d->arena);
}

static void add_text(struct display *d, const char *text)
{
	struct format_part *part = arena_new0(d->arena, struct format_part);

	part->kind = FORMAT_LITERAL;
	part->text = text;
	part->length = strlen(text);
	g_ptr_array_add(d->format, part);
}

/* Add a number in decimal, or a string in quotes without escapes, as SystemTap does. */
static void add_value(struct display *d, struct expr *value, enum value_type type)
{
	struct format_part *part = arena_new0(d->arena, struct format_part);
	const char *around = type == TYPE_STRING ? "\"" : "";

	part->kind = type == TYPE_STRING ? FORMAT_STRING : FORMAT_SIGNED;
	add_text(d, around);
	g_ptr_array_add(d->format, part);
	g_ptr_array_add(d->arguments, value);
	add_text(d, around);
}

static struct statement *display_end(struct display *d)
{
	struct expr *print = build_sprintf(d->arena, d->at, d->format, d->arguments);

	add_text(d, "\n");
	print->print_name = "printf";
	print->destination = PRINT_STREAM;
	print->type = TYPE_LONG;
	return build_expr_statement(d->arena, print);
}

static struct expr *use_symbol(struct display *d, struct symbol *symbol)
{
	struct expr *e = expr_new(d->arena, EXPR_SYMBOL, d->at);

	e->text = symbol->name;
	e->symbol = symbol;
	e->type = symbol->type;
	return e;
}

static struct expr *new_loop_variable(struct display *d, enum value_type type)
{
	struct symbol *symbol = arena_new0(d->arena, struct symbol);

	symbol->name = arena_printf(d->arena, "display_%u", d->locals->len);
	symbol->unique_name = arena_printf(d->arena, "l_%s", symbol->name);
	symbol->location = *d->at;
	symbol->type = type;
	g_ptr_array_add(d->locals, symbol);
	return use_symbol(d, symbol);
}

static struct expr *statistic_of(struct display *d, const char *name, struct expr *aggregate)
{
	struct expr *e = expr_new(d->arena, EXPR_STATISTIC, d->at);

	e->text = name;
	e->operand = aggregate;
	e->type = TYPE_LONG;
	return e;
}

/* Add " @count=3 @min=…". Only @count of an empty aggregate has a value. */
static void add_statistics(struct display *d, struct expr *aggregate, bool empty)
{
	static const char *const names[] = {"count", "min", "max", "sum", "avg"};

	for (size_t i = 0; i < (empty ? 1 : G_N_ELEMENTS(names)); i++) {
		add_text(d, arena_printf(d->arena, " @%s=", names[i]));
		add_value(d, statistic_of(d, names[i], expr_copy(d->arena, aggregate)), TYPE_LONG);
	}
}

static struct statement *display_aggregate(struct display *d, struct symbol *global)
{
	struct statement *choice = statement_new(d->arena, STATEMENT_IF, d->at);

	choice->expr = statistic_of(d, "count", use_symbol(d, global));
	for (int empty = 0; empty <= 1; empty++) {
		display_begin(d);
		add_text(d, global->name);
		add_statistics(d, use_symbol(d, global), empty);
		*(empty ? &choice->otherwise : &choice->body) = display_end(d);
	}
	return choice;
}

static struct statement *display_scalar(struct display *d, struct symbol *global)
{
	if (global->type == TYPE_STATS)
		return display_aggregate(d, global);
	display_begin(d);
	add_text(d, arena_printf(d->arena, "%s=", global->name));
	add_value(d, use_symbol(d, global), global->type);
	return display_end(d);
}

static struct expr *element_of(struct display *d, struct symbol *array, GPtrArray *keys)
{
	struct expr *e = expr_new(d->arena, EXPR_INDEX, d->at);

	e->left = use_symbol(d, array);
	e->arguments = arena_ptr_array(d->arena);
	for_each_ptr(struct expr *, key, keys)
		g_ptr_array_add(e->arguments, use_symbol(d, key->symbol));
	e->type = array->type;
	return e;
}

/* Build foreach ([keys] in array-) printf("array[keys]=value\n"). */
static struct statement *display_array(struct display *d, struct symbol *array)
{
	struct statement *loop = statement_new(d->arena, STATEMENT_FOREACH, d->at);

	loop->keys = arena_ptr_array(d->arena);
	for (int i = 0; i < array->arity; i++)
		g_ptr_array_add(loop->keys, new_loop_variable(d, array->key_types[i]));
	loop->array = use_symbol(d, array);
	array->walks = MAX(array->walks, 1);
	loop->sort_direction = SORT_DESCENDING;
	display_begin(d);
	add_text(d, arena_printf(d->arena, "%s[", array->name));
	for (int i = 0; i < array->arity; i++) {
		const struct expr *key = g_ptr_array_index(loop->keys, i);

		if (i)
			add_text(d, ",");
		add_value(d, use_symbol(d, key->symbol), array->key_types[i]);
	}
	add_text(d, array->type == TYPE_STATS ? "]" : "]=");
	if (array->type == TYPE_STATS)
		add_statistics(d, element_of(d, array, loop->keys), false);
	else
		add_value(d, element_of(d, array, loop->keys), array->type);
	loop->body = display_end(d);
	return loop;
}

/* Add the end probe for the display, which runs after all others. After a run-time error, no end probe runs. */
static void add_display_probe(struct translation *t, struct statement *body, GPtrArray *locals)
{
	struct derived_probe *probe = arena_new0(t->arena, struct derived_probe);
	const struct script *script = g_ptr_array_index(t->scripts, 0);
	struct probe *origin = arena_new0(t->arena, struct probe);

	origin->script = script;
	origin->body = body;
	probe->origin = origin;
	probe->point_text = "end";
	probe->provider = &session_provider;
	probe->function_name = "";
	probe->registration.kind = STP_PROBE_END;
	probe->registration.order = INT64_MAX;
	probe->body = body;
	probe->locals = locals;
	probe->entry_values = arena_ptr_array(t->arena);
	probe->uncounted = true;
	g_ptr_array_add(t->probes, probe);
}

static void display_globals(struct translation *t, const struct usage *u)
{
	struct display d = {.arena = t->arena, .locals = arena_ptr_array(t->arena)};
	struct statement *block = build_block(t->arena, &(struct location){0});

	d.at = &block->location;
	for_each_ptr(const struct script *, script, t->scripts) {
		for_each_ptr(struct symbol *, global, script->globals) {
			if (!g_hash_table_contains(u->written, global) || g_hash_table_contains(u->read, global))
				continue;
			g_ptr_array_add(block->statements,
					global->arity > 0 ? display_array(&d, global) : display_scalar(&d, global));
		}
	}
	if (!block->statements->len)
		return;
	add_display_probe(t, block, d.locals);
}

bool finish_globals(struct translation *t)
{
	g_autoptr(GHashTable) read = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) written = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) hiding = g_hash_table_new(NULL, NULL);
	struct usage u = {.read = read, .written = written};

	for_each_ptr(const char *, setting, t->options->global_settings)
		apply_setting(t, setting);
	note_script(&u, t);
	warn_hidden_variables(t, hiding);
	warn_never_written(t, &u, hiding);
	warn_never_used(t);
	if (!t->options->no_global_display && !t->output_format)
		display_globals(t, &u);
	return diagnostics_errors(t->diagnostics) == 0;
}
