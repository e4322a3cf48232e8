// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which keys of arrays are stacks: a key is one if every element is stored under texts that come from backtrace(),
 * sprint_ubacktrace() and similar functions. A report draws these arrays as flame graphs.
 *
 * The idea: each variable, parameter, result of a function, array value and array key has a struct text_class, which
 * joins the classes of all texts that are stored there. Statements are visited again until no class changes, so texts
 * may pass through variables, functions of the script and other arrays. A class only grows, hence this ends.
 *
 * Literals without letters and digits, such as "" and "\n", change no class: they initialize or separate stacks.
 */
#include "translator/sema/sema.h"

#include <string.h>

#include "common/base/i18n.h"
#include "common/nearest.h"
#include "common/report_formats.h"

/* All zero: no text is known. */
struct text_class {
	struct stack_text stack;
	bool has_other; /* a text that is not a stack */
};

enum { KERNEL = 1, USER = 2 };

static const struct text_source {
	const char *name;
	int whose;
	bool is_addresses;
	bool is_of_argument; /* the stack is that of the argument, or of another task, not that of the probe */
} sources[] = {
	{"backtrace", KERNEL, true},
	{"callers", KERNEL, true},
	{"task_backtrace", KERNEL, true, true},
	{"ubacktrace", USER, true},
	{"ucallers", USER, true},
	{"sprint_backtrace", KERNEL, false},
	{"sprint_stack", KERNEL, false, true},
	{"sprint_syms", KERNEL, false, true},
	{"sprint_ubacktrace", USER, false},
	{"sprint_ustack", USER, false, true},
	{"sprint_usyms", USER, false, true},
};

struct array_classes {
	struct text_class keys[MAX_KEYS];
};

struct stack_search {
	GHashTable *classes; /* struct symbol * or struct function_declaration * -> struct text_class * */
	GHashTable *arrays; /* struct symbol * -> struct array_classes * */
	struct function_declaration *function; /* whose body is visited; NULL: a handler */
	/* How stacks of the kernel begin that the visited handler takes, and those that some handler takes. */
	struct stack_text begins, begins_anywhere;
	bool changed;
};

static const struct text_class no_stack = {.has_other = true};

/* ---- classes ----------------------------------------------------------------------------------------------------- */

static struct text_class joined(struct text_class a, struct text_class b)
{
	return (struct text_class){
		.stack.is_kernel = a.stack.is_kernel || b.stack.is_kernel,
		.stack.is_user = a.stack.is_user || b.stack.is_user,
		.stack.is_addresses = a.stack.is_addresses || b.stack.is_addresses,
		.stack.is_symbols = a.stack.is_symbols || b.stack.is_symbols,
		.stack.begins_at = a.stack.begins_at || b.stack.begins_at,
		.stack.begins_after = a.stack.begins_after || b.stack.begins_after,
		.has_other = a.has_other || b.has_other,
	};
}

/* Return the class of a variable or function, which is what it holds or returns. */
static struct text_class *class_of(struct stack_search *search, const void *declaration)
{
	struct text_class *class = g_hash_table_lookup(search->classes, declaration);

	if (!class) {
		class = g_new0(struct text_class, 1);
		g_hash_table_insert(search->classes, (void *)declaration, class);
	}
	return class;
}

static struct text_class *key_class(struct stack_search *search, const struct symbol *array, guint key)
{
	struct array_classes *classes = g_hash_table_lookup(search->arrays, array);

	if (!classes) {
		classes = g_new0(struct array_classes, 1);
		g_hash_table_insert(search->arrays, (void *)array, classes);
	}
	return &classes->keys[key];
}

static void join(struct stack_search *search, struct text_class *class, struct text_class more)
{
	struct text_class all = joined(*class, more);

	if (memcmp(&all, class, sizeof(all)) != 0) {
		*class = all;
		search->changed = true;
	}
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

static const struct text_source *find_source(const struct function_declaration *function)
{
	if (!function->script->file->is_library)
		return NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(sources); i++)
		if (!strcmp(sources[i].name, function->name))
			return &sources[i];
	return NULL;
}

static struct text_class classify(struct stack_search *search, const struct expr *e);

/*
 * Return how the stack of a source begins. An argument that is not a stack is a task, whose innermost address is after
 * a call.
 */
static struct stack_text beginning(struct stack_search *search, const struct text_source *source,
				   const struct expr *call)
{
	const struct expr *argument = call->arguments && call->arguments->len ? call->arguments->pdata[0] : NULL;

	if (source->whose != KERNEL)
		return (struct stack_text){0};
	if (!source->is_of_argument)
		return search->begins;
	if (!argument || source->is_addresses)
		return (struct stack_text){.begins_after = true};
	return classify(search, argument).stack;
}

static struct text_class class_of_source(struct stack_search *search, const struct text_source *source,
					 const struct expr *call)
{
	struct stack_text begins = beginning(search, source, call);

	return (struct text_class){
		.stack.is_kernel = source->whose == KERNEL,
		.stack.is_user = source->whose == USER,
		.stack.is_addresses = source->is_addresses,
		.stack.is_symbols = !source->is_addresses,
		.stack.begins_at = begins.begins_at,
		.stack.begins_after = begins.begins_after,
	};
}

static struct text_class class_of_literal(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (g_ascii_isalnum(text[i]) || (unsigned char)text[i] >= 0x80)
			return no_stack;
	return (struct text_class){0};
}

static struct text_class class_of_call(struct stack_search *search, const struct expr *call)
{
	struct text_class class = {0};

	for_each_ptr(const struct function_declaration *, function, call->overloads) {
		const struct text_source *source = find_source(function);

		if (source)
			class = joined(class, class_of_source(search, source, call));
		else
			class = joined(class, function->is_embedded ? no_stack : *class_of(search, function));
	}
	return call->overloads ? class : no_stack;
}

/* sprintf("%s\n%s", sprint_backtrace(), sprint_ubacktrace()), sprint(backtrace()) */
static struct text_class class_of_print(struct stack_search *search, const struct expr *print)
{
	struct text_class class = {0};

	if (print->destination != PRINT_TO_STRING || print->print_character)
		return no_stack;
	for_each_ptr(const struct format_part *, part, print->format) {
		if (part->kind == FORMAT_LITERAL)
			class = joined(class, class_of_literal(part->text, part->length));
		else if (part->kind != FORMAT_STRING || part->has_precision || part->has_width ||
			 part->width_from_argument || part->precision_from_argument)
			return no_stack;
	}
	for_each_ptr(const struct expr *, argument, print->arguments)
		class = joined(class, classify(search, argument));
	return class;
}

static struct text_class classify(struct stack_search *search, const struct expr *e)
{
	switch (e->kind) {
	case EXPR_STRING:
		return class_of_literal(e->text, e->text_length);
	case EXPR_SYMBOL:
		return e->symbol ? *class_of(search, e->symbol) : no_stack;
	case EXPR_INDEX:
		return e->left->kind == EXPR_SYMBOL && e->left->symbol ? *class_of(search, e->left->symbol) : no_stack;
	case EXPR_CALL:
		return class_of_call(search, e);
	case EXPR_PRINT:
		return class_of_print(search, e);
	case EXPR_CONCAT:
	case EXPR_CONDITIONAL:
		return joined(classify(search, e->left), classify(search, e->right));
	case EXPR_ASSIGN:
		return e->op == OP_CONCAT ? joined(classify(search, e->left), classify(search, e->right))
		       : e->op == OP_NONE ? classify(search, e->right)
					  : no_stack;
	default:
		return no_stack;
	}
}

/* ---- stores ------------------------------------------------------------------------------------------------------ */

/* Return the array of an element, or NULL. */
static const struct symbol *array_of(const struct expr *e)
{
	return e->kind == EXPR_INDEX && e->left->kind == EXPR_SYMBOL ? e->left->symbol : NULL;
}

static void store_element(struct stack_search *search, const struct expr *element)
{
	const struct symbol *array = array_of(element);

	for (guint i = 0; array && element->arguments && i < MIN(element->arguments->len, MAX_KEYS); i++)
		join(search, key_class(search, array, i), classify(search, g_ptr_array_index(element->arguments, i)));
}

static void store_arguments(struct stack_search *search, const struct expr *call)
{
	for_each_ptr(const struct function_declaration *, function, call->overloads)
		for (guint i = 0; function->parameters && call->arguments &&
				  i < MIN(function->parameters->len, call->arguments->len);
		     i++)
			join(search, class_of(search, g_ptr_array_index(function->parameters, i)),
			     classify(search, g_ptr_array_index(call->arguments, i)));
}

static void visit_expression(struct expr **place, void *data)
{
	struct stack_search *search = data;
	const struct expr *e = *place;
	const struct symbol *stored;

	if (e->kind == EXPR_CALL)
		store_arguments(search, e);
	else if (e->kind == EXPR_INCREMENT)
		store_element(search, e->operand);
	if (e->kind != EXPR_ASSIGN)
		return;
	store_element(search, e->left);
	stored = array_of(e->left) ?: e->left->kind == EXPR_SYMBOL ? e->left->symbol : NULL;
	if (stored)
		join(search, class_of(search, stored), classify(search, e));
}

/* The variables of foreach get the keys and the value of the array. */
static void visit_foreach(struct stack_search *search, const struct statement *s)
{
	const struct symbol *array = s->array->kind == EXPR_SYMBOL ? s->array->symbol : NULL;

	for (guint i = 0; s->keys && i < MIN(s->keys->len, MAX_KEYS); i++) {
		const struct expr *key = g_ptr_array_index(s->keys, i);

		if (key->symbol)
			join(search, class_of(search, key->symbol), array ? *key_class(search, array, i) : no_stack);
	}
	if (s->value && s->value->symbol)
		join(search, class_of(search, s->value->symbol), array ? *class_of(search, array) : no_stack);
}

static void visit_statement(struct statement *s, void *data)
{
	struct stack_search *search = data;

	if (s->kind == STATEMENT_FOREACH)
		visit_foreach(search, s);
	else if (s->kind == STATEMENT_TRY && s->catch_variable && s->catch_variable->symbol)
		join(search, class_of(search, s->catch_variable->symbol), no_stack);
	else if (s->kind == STATEMENT_RETURN && s->expr && search->function)
		join(search, class_of(search, search->function), classify(search, s->expr));
	else if (s->kind == STATEMENT_EMBEDDED && search->function)
		join(search, class_of(search, search->function), no_stack);
}

static void visit_body(struct stack_search *search, struct statement *body, struct function_declaration *function,
		       struct stack_text begins)
{
	search->function = function;
	search->begins = begins;
	statement_walk(body, visit_expression, search);
	statement_visit(body, visit_statement, search);
}

/* Return how stacks of the kernel begin that a handler takes; see walk() in the runtime's library/stack.c. */
static struct stack_text beginning_in(const struct derived_probe *probe)
{
	switch (probe->registration.kind) {
	case STP_PROBE_BEGIN:
	case STP_PROBE_END:
	case STP_PROBE_ERROR:
		return (struct stack_text){0};
	case STP_PROBE_TRACEPOINT:
	case STP_PROBE_NETFILTER:
		return (struct stack_text){.begins_after = true};
	default:
		/* After a return, that is the address after the call that has returned. */
		return (struct stack_text){.begins_at = !probe->is_return, .begins_after = probe->is_return};
	}
}

/* Functions may be called from any handler. */
static struct stack_text beginning_anywhere(const struct translation *t)
{
	struct stack_text all = {0};

	for_each_ptr(const struct derived_probe *, probe, t->probes) {
		struct stack_text one = beginning_in(probe);

		all.begins_at |= one.begins_at;
		all.begins_after |= one.begins_after;
	}
	return all;
}

static void visit_all(struct translation *t, struct stack_search *search)
{
	for_each_ptr(struct derived_probe *, probe, t->probes)
		visit_body(search, probe->body, NULL, beginning_in(probe));
	for_each_ptr(struct function_declaration *, function, t->functions)
		if (!function->is_embedded)
			visit_body(search, function->body, function, search->begins_anywhere);
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

static bool asks_for_stacks(const struct translation *t)
{
	for_each_ptr(const struct function_declaration *, function, t->functions)
		if (find_source(function))
			return true;
	return false;
}

static void note_keys(struct stack_search *search, struct symbol *global)
{
	for (int i = 0; i < MIN(global->arity, (int)MAX_KEYS); i++) {
		const struct text_class *class = key_class(search, global, i);

		if (global->key_types[i] == TYPE_STRING && !class->has_other && !global->in_embedded_c)
			global->stack_keys[i] = class->stack;
	}
}

void find_stack_keys(struct translation *t)
{
	struct stack_search search = {.begins_anywhere = beginning_anywhere(t)};

	if (!asks_for_stacks(t))
		return;
	search.classes = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	search.arrays = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	for_each_ptr(const struct symbol *, global, t->globals)
		if (global->initializer)
			join(&search, class_of(&search, global), classify(&search, global->initializer));
	do {
		search.changed = false;
		visit_all(t, &search);
	} while (search.changed);
	for_each_ptr(struct symbol *, global, t->globals)
		note_keys(&search, global);
	g_hash_table_destroy(search.arrays);
	g_hash_table_destroy(search.classes);
}

/* ---- formats for stacks ------------------------------------------------------------------------------------------ */

/* Can stap-report show the global as stacks with numbers? */
static bool is_shown_as_stacks(const struct symbol *global)
{
	if (global->type == TYPE_STRING || !g_strcmp0(global->show, "none"))
		return false;
	for (int i = 0; i < MIN(global->arity, (int)MAX_KEYS); i++)
		if (is_stack_text(&global->stack_keys[i]))
			return true;
	return false;
}

void check_report_format(struct translation *t)
{
	const char *file = t->options->report;
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	if (!file || !report_formats[report_format_of_file(file)].needs_stack)
		return;
	for_each_ptr(const struct symbol *, global, t->globals)
		if (is_shown_as_stacks(global))
			g_ptr_array_add(names, (gpointer)global->name);
	if (names->len == 1)
		return;
	if (names->len)
		diagnose(t->diagnostics, SEMANTIC_ERROR, &(struct location){0},
			 _("--report=%s: several arrays have stacks as keys: %s"), file, names_join(t->arena, names));
	else
		diagnose(t->diagnostics, SEMANTIC_ERROR, &(struct location){0},
			 _("--report=%s: no array has a stack as key and numbers as values"), file);
	diagnose_hint(t->diagnostics, "%s",
		      names->len ? _("use --report=FILE.json, then stap-report --global=NAME")
				 : _("use the result of backtrace(), ubacktrace() or similar as key; "
				     "--report=FILE.html shows all kinds of globals"));
}
