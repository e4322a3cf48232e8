// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Emit script functions and handlers as C functions.
 *
 * Handlers with the same C text are emitted once: a script that probes ten thousand functions with one body gets one C
 * function and a table. Differences such as pp() and probefunc() are looked up in the table at run time. Functions with
 * the same text are emitted once, too. Callees are emitted before their callers, so that callers of shared functions
 * can have the same text.
 *
 * Frames: the string slots of each function are counted while its body is emitted. The deepest chain of calls
 * determines the frame memory of a context.
 */
#include "translator/emit/call_cache.h"
#include "translator/emit/condition.h"
#include "translator/emit/embedded.h"
#include "translator/emit/module.h"
#include "translator/sema/sema.h"

struct frame_facts {
	unsigned int bytes;
	GHashTable *callees;
	unsigned int deepest; /* bytes including calls, unless recursive */
	bool under_way, done, recursive;
};

/* ---- one C function ---------------------------------------------------------------------------------------------- */

/* Number of C locals for numbers; the rest is in the frame, since compilers do not always share stack slots. */
enum { LOCALS_OF_COMPILER = 48 };

static void place_locals(const GPtrArray *locals)
{
	unsigned int numbers = 0, strings = 0;

	for_each_ptr(struct symbol *, local, locals) {
		local->in_frame = local->type != TYPE_STRING && numbers++ >= LOCALS_OF_COMPILER;
		local->is_opaque = local->type == TYPE_STRING && strings++ >= STRINGS_OF_COMPILER;
	}
}

static void writer_init(struct writer *w, struct module_writer *m, const GPtrArray *locals)
{
	place_locals(locals);
	*w = (struct writer){
		.t = m->t,
		.module = m,
		.out = g_string_new(NULL),
		.indent = 1,
		.error_label = "out",
		.callees = g_hash_table_new(NULL, NULL),
	};
}

/* Frames follow one another in memory, so their sizes are aligned. */
#define FRAME_ALIGNMENT ((unsigned int)sizeof(int64_t))

static unsigned int frame_bytes(const struct writer *w, const GPtrArray *locals)
{
	unsigned int strings = w->strings_most, numbers = w->numbers_most, bytes;

	for_each_ptr(const struct symbol *, local, locals) {
		strings += local->type == TYPE_STRING;
		numbers += local->in_frame;
	}
	bytes = strings * w->t->limits.max_string_length + numbers * sizeof(int64_t) +
		(w->makes_kept ? kept_bytes(w->stable) : 0);
	return (bytes + FRAME_ALIGNMENT - 1) & ~(FRAME_ALIGNMENT - 1);
}

/* Emit the frame's type and the declarations of the locals, before the body. */
static void emit_frame(GString *out, const struct writer *w, const GPtrArray *locals)
{
	g_string_append(out, "\tstruct frame {\n");
	if (w->makes_kept)
		g_string_append(out, "\t\tstruct kept kept;\n");
	/* Volatile, or the compiler would keep copies of the values on the stack. */
	if (w->numbers_most)
		g_string_append_printf(out, "\t\tvolatile stp_long n[%u];\n", w->numbers_most);
	for_each_ptr(const struct symbol *, local, locals) {
		if (local->in_frame)
			g_string_append_printf(out, "\t\tvolatile stp_long %s;\n", local->unique_name);
	}
	for_each_ptr(const struct symbol *, local, locals) {
		if (local->type == TYPE_STRING)
			g_string_append_printf(out, "\t\tchar %s[STRING_SIZE];\n", local->unique_name);
	}
	for (unsigned int i = 0; i < w->strings_most; i++)
		g_string_append_printf(out, "\t\tchar s%u[STRING_SIZE];\n", i);
	g_string_append_printf(out, "\t} __attribute__((aligned(%u))) *f __attribute__((unused));\n", FRAME_ALIGNMENT);
	for_each_ptr(const struct symbol *, local, locals) {
		if (local->type != TYPE_STRING && !local->in_frame)
			g_string_append_printf(out, "\tstp_long %s __attribute__((unused)) = 0;\n", local->unique_name);
	}
}

static void empty_frame(GString *out, const GPtrArray *locals)
{
	for_each_ptr(const struct symbol *, local, locals) {
		if (local->type == TYPE_STRING)
			g_string_append_printf(out, "\tf->%s[0] = '\\0';\n", local->unique_name);
		else if (local->in_frame)
			g_string_append_printf(out, "\tf->%s = 0;\n", local->unique_name);
	}
}

static void note_frame(struct module_writer *m, const struct function_declaration *function, struct writer *w,
		       const GPtrArray *locals)
{
	struct frame_facts *facts = arena_new0(m->t->arena, struct frame_facts);

	facts->bytes = frame_bytes(w, locals);
	facts->callees = w->callees;
	arena_defer(m->t->arena, (GDestroyNotify)g_hash_table_unref, w->callees);
	g_hash_table_insert(m->frames, (void *)function, facts);
}

/*
 * Find the maximal size of frames in a call of @function. Each function is visited once. Recursive calls need more:
 * facts->recursive is set then.
 */
static const struct frame_facts *deepest_call(struct module_writer *m, const struct function_declaration *function)
{
	struct frame_facts *facts = g_hash_table_lookup(m->frames, function);
	unsigned int most = 0;
	GHashTableIter iter;
	gpointer callee;

	if (!facts || facts->done)
		return facts;
	if (facts->under_way) {
		facts->recursive = true;
		return facts;
	}
	facts->under_way = true;
	g_hash_table_iter_init(&iter, facts->callees);
	while (g_hash_table_iter_next(&iter, &callee, NULL)) {
		const struct frame_facts *inner = deepest_call(m, callee);

		most = MAX(most, inner ? inner->deepest : 0);
		facts->recursive |= inner && inner->recursive;
	}
	facts->under_way = false;
	facts->done = true;
	facts->deepest = most + facts->bytes;
	return facts;
}

static unsigned int largest_frame(const struct module_writer *m)
{
	const struct frame_facts *facts;
	unsigned int largest = 0;
	GHashTableIter iter;

	g_hash_table_iter_init(&iter, m->frames);
	while (g_hash_table_iter_next(&iter, NULL, (gpointer *)&facts))
		largest = MAX(largest, facts->bytes);
	return largest;
}

static void note_handler_frame(struct module_writer *m, const struct writer *w, const GPtrArray *locals)
{
	unsigned int own = frame_bytes(w, locals), most = 0;
	bool recursive = false;
	GHashTableIter iter;
	gpointer callee;

	g_hash_table_iter_init(&iter, w->callees);
	while (g_hash_table_iter_next(&iter, &callee, NULL)) {
		const struct frame_facts *facts = deepest_call(m, callee);

		most = MAX(most, facts ? facts->deepest : 0);
		recursive |= facts && facts->recursive;
	}
	/* MAXNESTING bounds all recursion. */
	if (recursive)
		most = MAX(most, largest_frame(m) * (unsigned int)(m->t->limits.max_nesting + 1));
	m->deepest = MAX(m->deepest, own + most);
}

/* ---- how often statements run ------------------------------------------------------------------------------------ */

static void has_loop_or_call(struct expr **expr, void *data)
{
	if (calls_script_function(*expr))
		*(bool *)data = true;
}

static bool contains_loop(const struct statement *s)
{
	if (!s)
		return false;
	if (s->kind == STATEMENT_WHILE || s->kind == STATEMENT_FOR || s->kind == STATEMENT_FOREACH)
		return true;
	for_each_ptr(const struct statement *, child, s->statements) {
		if (contains_loop(child))
			return true;
	}
	return contains_loop(s->body) || contains_loop(s->otherwise);
}

bool runs_repeatedly(struct statement *body)
{
	bool calls = false;

	statement_walk(body, has_loop_or_call, &calls);
	return calls || contains_loop(body);
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

static const char *parameter_type(enum value_type type)
{
	return type == TYPE_STRING ? "const char *" : "stp_long ";
}

static const char *return_type(const struct function_declaration *function)
{
	return function->type == TYPE_LONG ? "stp_long" : "void";
}

/* Return "(struct stp_context *c, …)". */
static const char *parameter_list(struct module_writer *m, const struct function_declaration *function)
{
	g_autoptr(GString) text = g_string_new("(struct stp_context *c");
	bool embedded = function->is_embedded;

	for_each_ptr(const struct symbol *, parameter, function->parameters)
		g_string_append_printf(text, ", %s%s",
				       embedded && parameter->type == TYPE_STRING ? "char *"
										  : parameter_type(parameter->type),
				       parameter->unique_name);
	if (function->type == TYPE_STRING)
		g_string_append(text, ", char *result");
	g_string_append(text, ")");
	return arena_strdup(m->t->arena, text->str);
}

static const char *signature(struct module_writer *m, const struct function_declaration *function)
{
	return arena_printf(m->t->arena, "static %s %s%s", return_type(function), function->unique_name,
			    parameter_list(m, function));
}

/* Find string parameters that the function changes. They are copied to locals, since the caller owns the string. */
static void find_parameter_change(struct expr **expr, void *data)
{
	GHashTable *changed = data;
	struct expr *target = (*expr)->kind == EXPR_ASSIGN	? (*expr)->left
			      : (*expr)->kind == EXPR_INCREMENT ? (*expr)->operand
								: NULL;

	if (target && target->kind == EXPR_SYMBOL && target->symbol->is_parameter)
		g_hash_table_add(changed, target->symbol);
}

static void localise_parameters(struct writer *w, const struct function_declaration *function)
{
	g_autoptr(GHashTable) changed = g_hash_table_new(NULL, NULL);

	statement_walk(function->body, find_parameter_change, changed);
	for_each_ptr(struct symbol *, parameter, function->parameters) {
		struct symbol *local;

		if (parameter->type != TYPE_STRING || !g_hash_table_contains(changed, parameter))
			continue;
		local = arena_new0(w->t->arena, struct symbol);
		*local = *parameter;
		local->is_parameter = false;
		local->unique_name = arena_printf(w->t->arena, "own_%s", parameter->name);
		g_ptr_array_add(function->locals, local);
		/* From now on, the parameter's name refers to the copy. */
		parameter->sema_data = local;
	}
}

static void use_local_copy(struct expr **expr, void *data)
{
	if ((*expr)->kind == EXPR_SYMBOL && (*expr)->symbol->is_parameter && (*expr)->symbol->sema_data)
		(*expr)->symbol = (*expr)->symbol->sema_data;
}

/* Emit the struct of saved entry values, which the entry handler and the return handler share. */
static void emit_entry_struct(GString *out, const struct derived_probe *probe)
{
	if (!probe->entry_values->len)
		return;
	g_string_append(out, "\tstruct entry {\n");
	for (guint i = 0; i < probe->entry_values->len; i++) {
		const struct expr *value = g_ptr_array_index(probe->entry_values, i);

		if (value->type == TYPE_STRING)
			g_string_append_printf(out, "\t\tchar v%u[STRING_SIZE];\n", i);
		else
			g_string_append_printf(out, "\t\tstp_long v%u;\n", i);
	}
	g_string_append(out, "\t};\n");
}

/* Return the function without its name: parameters and body. The writer has the emitted statements. */
static void emit_function_text(struct module_writer *m, GString *out, const struct function_declaration *function,
			       const struct writer *w)
{
	g_string_append_printf(out, "%s\n{\n", parameter_list(m, function));
	if (function->context_probe)
		emit_entry_struct(out, function->context_probe);
	emit_frame(out, w, function->locals);
	if (function->type == TYPE_LONG)
		g_string_append(out, "\tstp_long result = 0;\n");
	g_string_append(out, "\n\tf = stp_call_enter(c, sizeof(*f));\n\tif (!f)\n");
	g_string_append(out, function->type == TYPE_LONG ? "\t\treturn 0;\n" : "\t\treturn;\n");
	empty_frame(out, function->locals);
	for_each_ptr(const struct symbol *, parameter, function->parameters) {
		if (parameter->sema_data)
			g_string_append_printf(out, "\tstp_copy(f->own_%s, %s);\n", parameter->name,
					       parameter->unique_name);
	}
	g_string_append_len(out, w->out->str, w->out->len);
	g_string_append(out, "out: __attribute__((unused));\n\tstp_call_leave(c, f);\n");
	if (function->type == TYPE_LONG)
		g_string_append(out, "\treturn result;\n");
	g_string_append(out, "}\n");
}

static struct c_function *note_function(struct module_writer *m, const struct function_declaration *function)
{
	struct c_function *noted = arena_new0(m->t->arena, struct c_function);

	noted->name = function->name;
	noted->location = function->location;
	noted->is_embedded = function->is_embedded;
	return noted;
}

static struct c_function *note_handler(struct module_writer *m, const struct derived_probe *probe)
{
	struct c_function *noted = arena_new0(m->t->arena, struct c_function);

	noted->name = probe->point_text;
	noted->location = probe->origin->location;
	noted->is_handler = true;
	return noted;
}

/* Emit a body as a function with this name, or return the name of an earlier function with the same text. */
static const char *unique_function(struct module_writer *m, const char *type, const char *name, const char *text,
				   const struct c_function *function)
{
	const char *key = arena_printf(m->t->arena, "%s %s", type, text);
	const char *known = m->t->options->unoptimized ? NULL : g_hash_table_lookup(m->bodies, key);

	if (known)
		return known;
	g_hash_table_insert(m->bodies, (void *)key, (void *)name);
	g_hash_table_insert(m->t->c_functions, (void *)name, (void *)function);
	g_string_append_printf(m->code, "static %s %s%s\n", type, name, text);
	return name;
}

static void emit_script_function(struct module_writer *m, struct function_declaration *function)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const char *name;
	struct writer w;

	writer_init(&w, m, function->locals);
	w.function = function;
	w.charge = true;
	w.error_is_callers = !runs_repeatedly(function->body);
	w.stable = m->stable;
	localise_parameters(&w, function);
	statement_walk(function->body, use_local_copy, NULL);
	emit_statement(&w, function->body);
	emit_function_text(m, text, function, &w);
	name = unique_function(m, return_type(function), function->unique_name, text->str, note_function(m, function));
	if (name == function->unique_name)
		g_string_append_printf(m->prototypes, "%s;\n", signature(m, function));
	function->unique_name = name;
	note_frame(m, function, &w, function->locals);
	g_string_free(w.out, TRUE);
}

static void emit_function(struct module_writer *m, struct function_declaration *function);

static void emit_callees(struct expr **expr, void *data)
{
	for_each_ptr(struct function_declaration *, callee, (*expr)->overloads)
		emit_function(data, callee);
}

static void emit_function(struct module_writer *m, struct function_declaration *function)
{
	if (!g_hash_table_add(m->begun, function))
		return;
	statement_walk(function->body, emit_callees, m);
	if (!function->is_embedded) {
		emit_script_function(m, function);
		return;
	}
	g_string_append_printf(m->prototypes, "%s;\n", signature(m, function));
	g_hash_table_insert(m->t->c_functions, (void *)function->unique_name, note_function(m, function));
	emit_embedded_function(m->t, m->code, function, signature(m, function));
}

/* ---- MAXNESTING -------------------------------------------------------------------------------------------------- */

struct depth_search {
	GHashTable *depths; /* function -> GINT_TO_POINTER(depth), DEPTH_UNDER_WAY while it is visited */
	int most; /* maximal depth of the callees of the current function */
	bool recursive;
};

enum { DEPTH_UNDER_WAY = -1, LEAST_NESTING = 10, RECURSION_NESTING = 10 };

static void find_depth(struct expr **expr, void *data)
{
	struct depth_search *search = data;

	for_each_ptr(struct function_declaration *, function, (*expr)->overloads) {
		int depth = GPOINTER_TO_INT(g_hash_table_lookup(search->depths, function)), outer = search->most;

		if (function->is_embedded)
			continue;
		search->recursive |= depth == DEPTH_UNDER_WAY;
		if (!depth) {
			g_hash_table_insert(search->depths, function, GINT_TO_POINTER(DEPTH_UNDER_WAY));
			search->most = 0;
			statement_walk(function->body, find_depth, search);
			depth = search->most + 1;
			g_hash_table_insert(search->depths, function, GINT_TO_POINTER(depth));
		}
		search->most = MAX(outer, depth);
	}
}

int64_t wanted_nesting(const struct translation *t)
{
	g_autoptr(GHashTable) depths = g_hash_table_new(NULL, NULL);
	struct depth_search search = {.depths = depths};

	for_each_ptr(const struct derived_probe *, probe, t->probes)
		statement_walk(probe->body, find_depth, &search);
	if (search.recursive)
		return search.most - 1 + RECURSION_NESTING;
	return MAX(search.most, LEAST_NESTING);
}

void emit_functions(struct module_writer *m)
{
	for_each_ptr(struct function_declaration *, function, m->t->functions)
		emit_function(m, function);
}

/* ---- handlers ---------------------------------------------------------------------------------------------------- */

static unsigned int count_statements(const struct statement *s)
{
	unsigned int count = 1;

	if (!s)
		return 0;
	for_each_ptr(const struct statement *, child, s->statements)
		count += count_statements(child);
	return count + count_statements(s->body) + count_statements(s->otherwise);
}

/* Without loops and script calls, each statement runs at most once: a handler with few statements needs no counting. */
bool needs_charge(struct translation *t, const struct derived_probe *probe)
{
	if (probe->uncounted)
		return false;
	return count_statements(probe->body) > t->limits.max_action || runs_repeatedly(probe->body);
}

unsigned int entry_size(const struct translation *t, const struct derived_probe *probe)
{
	unsigned int bytes = 0;

	for_each_ptr(const struct expr *, value, probe->entry_values)
		bytes += value->type == TYPE_STRING ? (t->limits.max_string_length + 7) & ~7u : sizeof(int64_t);
	return bytes;
}

/* Does the handler call functions that use stp_call_enter()? */
static bool enters_functions(const struct writer *w)
{
	const struct function_declaration *callee;
	GHashTableIter iter;

	g_hash_table_iter_init(&iter, w->callees);
	while (g_hash_table_iter_next(&iter, (gpointer *)&callee, NULL))
		if (!callee->is_embedded)
			return true;
	return false;
}

static const char *finish_handler(struct module_writer *m, struct writer *w, const char *kind,
				  const struct derived_probe *probe, const GPtrArray *locals)
{
	g_autoptr(GString) text = g_string_new("(struct stp_context *c)\n{\n");
	const char *own_name, *name;

	emit_entry_struct(text, probe);
	emit_frame(text, w, locals);
	g_string_append(text, "\n");
	if (frame_bytes(w, locals))
		g_string_append(text, "\tf = (void *)c->frame;\n\tc->frame += sizeof(*f);\n");
	if (enters_functions(w))
		g_string_append(text, "\tstp_calls_begin(c);\n");
	/* Called functions count their statements, too. */
	if (w->charge || g_hash_table_size(w->callees))
		g_string_append(text, "\tc->actions = c->budget;\n");
	if (w->makes_kept)
		g_string_append(text, "\tc->kept = &f->kept;\n"
				      "\t__builtin_memset(f->kept.known, 0, sizeof(f->kept.known));\n");
	empty_frame(text, locals);
	g_string_append_len(text, w->out->str, w->out->len);
	g_string_append(text, "out: __attribute__((unused));\n");
	if (w->probe->lock_region)
		g_string_append(text, "\tstp_unlock(c);\n");
	g_string_append(text, "\treturn;\n}\n");
	own_name = arena_printf(m->t->arena, "%s_%u", kind, m->body_count);
	name = unique_function(m, "void", own_name, text->str, note_handler(m, probe));
	m->body_count += name == own_name;
	note_handler_frame(m, w, locals);
	g_string_free(w->out, TRUE);
	g_hash_table_unref(w->callees);
	return name;
}

static void keep_stable(struct writer *w, const struct stable_functions *stable)
{
	w->stable = stable;
	w->makes_kept = true;
}

const char *emit_handler(struct module_writer *m, const struct derived_probe *probe)
{
	struct writer w;

	writer_init(&w, m, probe->locals);
	w.probe = probe;
	w.charge = needs_charge(m->t, probe);
	if (handler_repeats_stable(m->stable, probe->body))
		keep_stable(&w, m->stable);
	emit_statement(&w, probe->body);
	return finish_handler(m, &w, "probe", probe, probe->locals);
}

/* Emit the function that runtime/core/condition.c calls. Return NULL if the probe is always armed. */
const char *emit_condition(struct module_writer *m, const struct derived_probe *probe)
{
	struct expr *condition = armed_condition(probe);
	struct derived_probe without_locks = *probe;
	struct writer w;

	if (!condition)
		return NULL;
	without_locks.lock_region = NULL;
	writer_init(&w, m, probe->locals);
	w.probe = &without_locks;
	begin_statement(&w, condition);
	line(&w, "c->holds = !!%s;", emit_expr(&w, condition));
	return finish_handler(m, &w, "condition", probe, probe->locals);
}

const char *emit_entry_handler(struct module_writer *m, const struct derived_probe *probe)
{
	struct derived_probe without_locks = *probe;
	struct writer w;

	if (!probe->entry_values->len)
		return "STP_NULL";
	without_locks.lock_region = NULL;
	writer_init(&w, m, probe->locals);
	w.probe = &without_locks;
	w.charge = true;
	if (values_repeat_stable(m->stable, probe->entry_values))
		keep_stable(&w, m->stable);
	for (guint i = 0; i < probe->entry_values->len; i++) {
		struct expr *value = g_ptr_array_index(probe->entry_values, i);
		const char *text;

		begin_statement(&w, value);
		text = emit_expr(&w, value);
		if (value->type == TYPE_STRING)
			line(&w, "stp_copy(((struct entry *)c->entry_values)->v%u, %s);", i, text);
		else
			line(&w, "((struct entry *)c->entry_values)->v%u = %s;", i, text);
	}
	return finish_handler(m, &w, "entry", probe, probe->locals);
}
