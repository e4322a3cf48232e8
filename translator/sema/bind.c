// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Name binding: find the declaration of every name and the function of every call.
 *
 * A name in a handler or function is a parameter, else a global (a private one only within its file), else a local,
 * which is created at its first use. Functions are looked up in the user's scripts, then in the library. The file in
 * which a name is written decides which declarations it can mean (scope.h); parts of a handler may come from aliases in
 * other files.
 *
 * Binding starts at the probes. Functions and globals that no probe reaches are not added to t->functions and
 * t->globals, so the unused part of the library costs nothing.
 */
#include "common/nearest.h"
#include "common/base/i18n.h"
#include "translator/probes/provider.h"
#include "translator/sema/embedded.h"
#include "translator/sema/scope.h"
#include "translator/sema/sema.h"
#include "translator/sema/specialize.h"
#include "translator/sema/suggest_replacements.h"

struct binder {
	struct translation *t;
	const struct script *script; /* whose private names are visible */
	GPtrArray *parameters, *locals;
	struct derived_probe *probe; /* whose handler this is, or the function's context_probe; or NULL */
	GQueue *pending; /* reached functions whose bodies are not yet bound */
};

static void use_global(struct binder *b, struct symbol *global)
{
	if (g_ptr_array_find(b->t->globals, global, NULL))
		return;
	global->unique_name = arena_printf(b->t->arena, "global_%u_%s", b->t->globals->len, global->name);
	g_ptr_array_add(b->t->globals, global);
}

/* Find the local or parameter of a name. Helpers of the library differ from locals of the same name in other text. */
static struct symbol *find_local(const GPtrArray *symbols, const struct expr *use)
{
	bool is_helper = is_library_helper(use);

	for_each_ptr(struct symbol *, symbol, symbols) {
		if (!strcmp(symbol->name, use->text) && symbol->is_helper == is_helper)
			return symbol;
	}
	return NULL;
}

static struct symbol *new_local(struct binder *b, const struct expr *use)
{
	struct symbol *symbol = arena_new0(b->t->arena, struct symbol);

	symbol->name = use->text;
	symbol->is_helper = is_library_helper(use);
	symbol->unique_name = arena_printf(b->t->arena, symbol->is_helper ? "h_%s" : "l_%s", use->text);
	symbol->location = use->location;
	symbol->arity = 0;
	g_ptr_array_add(b->locals, symbol);
	return symbol;
}

/* A global hides a local: where a script declares a global, its handlers do not see an alias's local of that name. */
static void bind_symbol(struct binder *b, struct expr *expr)
{
	const struct script *script = script_at(b->t, &expr->location, b->script);
	struct symbol *symbol = find_local(b->parameters, expr);

	symbol = symbol ?: visible_global(b->t, script, expr);
	symbol = symbol ?: find_local(b->locals, expr);
	symbol = symbol ?: new_local(b, expr);
	if (symbol->is_global)
		use_global(b, symbol);
	expr->symbol = symbol;
}

/* ---- functions -------------------------------------------------------------------------------------------------- */

/* May a script in this mode call the function? */
static bool is_allowed(const struct binder *b, const struct function_declaration *function)
{
	return b->t->language.guru_mode || !function->is_embedded || !embedded_says(function->body->code, "guru");
}

/* Collect the names of all functions that a call could refer to, for suggestions, the print family first. */
static void all_function_names(struct binder *b, const struct expr *call, GPtrArray *ret)
{
	const GPtrArray *both[] = {b->t->scripts, library_all(b->t)};
	const struct script *from = script_at(b->t, &call->location, b->script);

	print_function_names(ret);
	for (size_t i = 0; i < G_N_ELEMENTS(both); i++)
		for_each_ptr(const struct script *, script, both[i])
			for_each_ptr(struct function_declaration *, function, script->functions)
				if (is_allowed(b, function) && sees_function(call, from, function))
					g_ptr_array_add(ret, (void *)function->name);
}

/* Report a function that SystemTap has and Spile does not, and return true. */
static bool diagnose_missing(struct binder *b, const struct expr *call)
{
	const struct missing *missing = missing_function(call->text);

	if (!missing)
		return false;
	diagnose(b->t->diagnostics, SEMANTIC_ERROR, &call->location, _("function '%s' is not supported yet: %s"),
		 call->text, _(missing->subject));
	if (missing->hint)
		diagnose_hint(b->t->diagnostics, "%s", _(missing->hint));
	return true;
}

static bool is_among(const GPtrArray *names, const char *name)
{
	for_each_ptr(const char *, known, names) {
		if (!strcmp(known, name))
			return true;
	}
	return false;
}

static void diagnose_no_function(struct binder *b, const struct expr *call)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	guint given = call->arguments ? call->arguments->len : 0;
	const GPtrArray *near;

	all_function_names(b, call, names);
	if (!is_among(names, call->text) && diagnose_missing(b, call))
		return;
	diagnose(b->t->diagnostics, SEMANTIC_ERROR, &call->location,
		 ngettext("no function '%s' with %u argument", "no function '%s' with %u arguments", given), call->text,
		 given);
	near = nearest_matches(b->t->arena, call->text, names, "", 5);
	if (near)
		diagnose_near(b->t->diagnostics, near);
}

/* Mark a function, or its copy for the current probe, as live. Return it. */
static struct function_declaration *reach_function(struct binder *b, struct function_declaration *function)
{
	if (b->probe && function_needs_context(b->t, function)) {
		function->used_in_context = true;
		function = function_in_context(b->t, function, b->probe);
	}
	if (function->live)
		return function;
	function->live = true;
	function->unique_name = arena_printf(b->t->arena, "function_%u_%s", b->t->functions->len, function->name);
	function->locals = arena_ptr_array(b->t->arena);
	g_ptr_array_add(b->t->functions, function);
	g_queue_push_tail(b->pending, function);
	return function;
}

static guint parameter_count(const struct function_declaration *function)
{
	return function->parameters ? function->parameters->len : 0;
}

/* ---- overloads --------------------------------------------------------------------------------------------------- */

static bool contains_next(const struct statement *s)
{
	if (!s)
		return false;
	if (s->kind == STATEMENT_NEXT)
		return true;
	for_each_ptr(const struct statement *, child, s->statements) {
		if (contains_next(child))
			return true;
	}
	return contains_next(s->body) || contains_next(s->otherwise);
}

bool function_passes_on(const struct function_declaration *function)
{
	if (function->is_embedded)
		return strstr(function->body->code, "STAP_NEXT") != NULL;
	return contains_next(function->body);
}

/* Without a priority of their own, the user's functions come before the library's. */
static int64_t priority(const struct function_declaration *function)
{
	if (function->has_priority)
		return function->priority;
	return function->script->file->is_tapset ? 1 : 0;
}

static gint compare_priority(gconstpointer left, gconstpointer right)
{
	int64_t a = priority(*(struct function_declaration *const *)left);
	int64_t b = priority(*(struct function_declaration *const *)right);

	return a < b ? -1 : a > b;
}

/* A file's private functions hide those of other files. */
static bool hides(const struct script *from, const GPtrArray *named, guint arity)
{
	for_each_ptr(const struct function_declaration *, function, named) {
		if (function->is_private && function->script == from && parameter_count(function) == arity)
			return true;
	}
	return false;
}

static void warn_unreachable(struct binder *b, const struct function_declaration *function,
			     const struct function_declaration *last)
{
	if (function->script->file->is_tapset || last->script->file->is_tapset)
		return;
	diagnose(b->t->diagnostics, WARNING, &function->location,
		 _("this '%s' is never called: the overload before it does not use next"), function->name);
	diagnose_note(b->t->diagnostics, &last->location, _("the overload before it"));
}

/* Return the functions that a call tries: by priority, then by declaration, up to the first without "next". */
static GPtrArray *overloads(struct binder *b, const struct script *from, const GPtrArray *named, guint arity)
{
	g_autoptr(GPtrArray) sorted = g_ptr_array_new();
	bool only_private = hides(from, named, arity), open = true;
	GPtrArray *chain = arena_ptr_array(b->t->arena);

	for_each_ptr(struct function_declaration *, function, named) {
		if (parameter_count(function) == arity && (!only_private || function->is_private))
			g_ptr_array_add(sorted, function);
	}
	g_ptr_array_sort(sorted, compare_priority);
	for_each_ptr(struct function_declaration *, function, sorted) {
		if (!open) {
			warn_unreachable(b, function, g_ptr_array_index(chain, chain->len - 1));
			continue;
		}
		g_ptr_array_add(chain, function);
		open = function_passes_on(function);
	}
	return chain;
}

static void bind_call(struct binder *b, struct expr *call)
{
	const struct script *from = script_at(b->t, &call->location, b->script);
	g_autoptr(GPtrArray) named = g_ptr_array_new();
	guint given = call->arguments ? call->arguments->len : 0;
	const struct function_declaration *other;

	collect_functions(b->t, from, call, named);
	if (!named->len) {
		diagnose_no_function(b, call);
		return;
	}
	call->overloads = overloads(b, from, named, given);
	if (call->overloads->len) {
		for (guint i = 0; i < call->overloads->len; i++)
			call->overloads->pdata[i] = reach_function(b, call->overloads->pdata[i]);
		call->function = g_ptr_array_index(call->overloads, 0);
		return;
	}
	other = g_ptr_array_index(named, 0);
	diagnose(b->t->diagnostics, SEMANTIC_ERROR, &call->location,
		 ngettext("function '%s' takes %u argument, not %u", "function '%s' takes %u arguments, not %u",
			  parameter_count(other)),
		 call->text, parameter_count(other), given);
	diagnose_note(b->t->diagnostics, &other->location, _("declared here"));
}

const char *suggest_value_for(struct translation *t, struct derived_probe *probe, const char *name)
{
	g_autoptr(GPtrArray) named = g_ptr_array_new();
	size_t mark = diagnostics_mark(t->diagnostics);
	struct expr *target, *call;
	bool is_variable;

	if (probe && probe->provider && probe->provider->target_variable) {
		target = expr_new(t->arena, EXPR_TARGET, &probe->body->location);
		target->target = TARGET_VARIABLE;
		target->text = name;
		is_variable = probe->provider->target_variable(t, probe, target) &&
			      !diagnostics_failed_since(t->diagnostics, mark);
		diagnostics_rewind(t->diagnostics, mark);
		if (is_variable)
			return arena_printf(t->arena, "$%s", name);
	}
	call = expr_new(t->arena, EXPR_CALL, &(struct location){0});
	call->text = name;
	collect_functions(t, NULL, call, named);
	for_each_ptr(struct function_declaration *, function, named) {
		if (!parameter_count(function))
			return arena_printf(t->arena, "%s()", name);
	}
	return NULL;
}

/* Include the top-level C of a script whose embedded C is reached. */
static void use_embeds(struct binder *b, const struct script *script)
{
	for_each_ptr(struct statement *, embed, script->embeds) {
		if (!g_ptr_array_find(b->t->embeds, embed, NULL))
			g_ptr_array_add(b->t->embeds, embed);
	}
}

/* The same for the script of a file: text of an alias or a macro is in another file than the handler. */
static void use_embeds_of(struct binder *b, const struct source_file *file)
{
	const GPtrArray *both[] = {b->t->scripts, b->t->library};

	for (size_t i = 0; i < G_N_ELEMENTS(both); i++)
		for_each_ptr(const struct script *, script, both[i]) {
			if (script->file == file)
				use_embeds(b, script);
		}
}

static GPtrArray *bind_embedded(struct binder *b, const char *code, const struct location *at)
{
	GPtrArray *uses = embedded_globals(b->t, script_at(b->t, at, b->script), code, at);

	for_each_ptr(const struct embedded_use *, use, uses)
		use_global(b, use->global);
	return uses;
}

static void bind_expr(struct expr **expr, void *data)
{
	struct binder *b = data;

	if ((*expr)->kind == EXPR_EMBEDDED || (*expr)->kind == EXPR_CONST)
		use_embeds_of(b, (*expr)->location.file);
	if ((*expr)->kind == EXPR_EMBEDDED)
		(*expr)->embedded_globals = bind_embedded(b, (*expr)->text, &(*expr)->location);
	if ((*expr)->kind == EXPR_SYMBOL)
		bind_symbol(b, *expr);
	else if ((*expr)->kind == EXPR_CALL)
		bind_call(b, *expr);
}

/* Bind statements of embedded C, which statement_walk() does not visit. */
static void bind_embedded_statement(struct statement *s, void *data)
{
	struct binder *b = data;

	if (s->kind != STATEMENT_EMBEDDED)
		return;
	use_embeds_of(b, s->location.file);
	s->embedded_globals = bind_embedded(b, s->code, &s->location);
}

static void bind_body(struct binder *b, struct statement *body)
{
	statement_walk(body, bind_expr, b);
	statement_visit(body, bind_embedded_statement, b);
}

static void bind_functions(struct binder *b)
{
	struct function_declaration *function;

	while ((function = g_queue_pop_head(b->pending))) {
		b->script = function->script;
		b->parameters = function->parameters;
		b->locals = function->locals;
		b->probe = function->context_probe;
		for_each_ptr(struct symbol *, parameter, function->parameters) {
			parameter->is_parameter = true;
			parameter->is_helper = is_library_helper_at(&parameter->location, parameter->name);
			parameter->unique_name = arena_printf(b->t->arena, "l_%s", parameter->name);
		}
		/* Happens only in bind_library(), which has no probes. */
		if (!function->context_probe && function_needs_context(b->t, function))
			continue;
		if (function->is_embedded)
			use_embeds(b, function->script);
		else
			lower_function(b->t, function);
		bind_body(b, function->body);
	}
}

static void reset_names(struct translation *t)
{
	t->globals = arena_ptr_array(t->arena);
	t->functions = arena_ptr_array(t->arena);
	t->embeds = arena_ptr_array(t->arena);
	t->regexes = arena_ptr_array(t->arena);
}

bool bind_library(struct translation *t)
{
	g_autoptr(GQueue) pending = g_queue_new();
	struct binder b = {.t = t, .pending = pending};

	reset_names(t);
	for_each_ptr(const struct script *, script, library_all(t))
		for_each_ptr(struct function_declaration *, function, script->functions)
			reach_function(&b, function);
	bind_functions(&b);
	return diagnostics_errors(t->diagnostics) == 0;
}

static void bind_in_probe(struct binder *b, struct derived_probe *probe)
{
	b->script = probe->origin->script;
	b->parameters = NULL;
	b->locals = probe->locals;
	b->probe = probe;
}

static void bind_entry_values(struct binder *b, struct derived_probe *probe)
{
	bind_in_probe(b, probe);
	for (guint i = 0; i < probe->entry_values->len; i++)
		expr_walk((struct expr **)&probe->entry_values->pdata[i], bind_expr, b);
}

bool bind_names(struct translation *t, guint first)
{
	g_autoptr(GQueue) pending = g_queue_new();
	struct binder b = {.t = t, .pending = pending};

	if (!first)
		reset_names(t);
	/* Top-level C of the user may matter without being named: it may define hooks. */
	for_each_ptr(const struct script *, script, t->scripts)
		use_embeds(&b, script);
	for (guint p = first; p < t->probes->len; p++) {
		struct derived_probe *probe = g_ptr_array_index(t->probes, p);

		bind_in_probe(&b, probe);
		bind_body(&b, probe->body);
		bind_entry_values(&b, probe);
	}
	bind_functions(&b);
	/* Lowering copies of functions may have added entry values. */
	for (guint p = first; p < t->probes->len; p++)
		bind_entry_values(&b, g_ptr_array_index(t->probes, p));
	bind_functions(&b);
	bind_functions(&b);
	return diagnostics_errors(t->diagnostics) == 0;
}
