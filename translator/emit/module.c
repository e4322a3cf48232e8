// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The C file as a whole: globals, functions, handlers, and the tables that the runtime reads (struct stp_script).
 *
 * Handlers with the same text are emitted once: a script that probes ten thousand functions with one body gets one C
 * function and a table. That works because what differs (pp(), probefunc()) is looked up in the table at run time.
 * Functions with the same text are one as well. What a function calls is emitted before it, so that two that call those
 * can be the same too.
 *
 * Frames: the string temporaries of each function are counted while its body is emitted; the deepest chain of calls
 * gives how much the runtime must set aside per context.
 */
#include "translator/emit/condition.h"
#include "translator/emit/embedded.h"
#include "translator/emit/emit.h"
#include "translator/emit/light.h"
#include "translator/emit/stable.h"
#include "translator/emit/writer.h"
#include "translator/sema/regex.h"
#include "translator/sema/sema.h"
#include "translator/util/cache.h"
#include "translator/util/i18n.h"

struct target_entry {
	const char *module, *section, *build_id;
	struct debuginfo *debuginfo; /* NULL: of the kernel, and nothing was asked of it */
	const char *lines; /* name of its module's table of source lines in C, or NULL */
	guint lines_section;
};

struct module_writer {
	struct translation *t;
	GPtrArray *targets; /* of struct target_entry * */
	GHashTable *bodies; /* text -> name of the function emitted for it */
	struct stable_functions *stable;
	GHashTable *begun; /* set of script functions that were emitted or are under way */
	unsigned int body_count;
	GPtrArray *light_handlers; /* their names */
	GPtrArray *direct_handlers; /* those that stp_run_handler() calls by name */
	GPtrArray *recorders; /* of struct call_recorder *: those that are used */
	GHashTable *frames; /* function -> struct frame_facts * */
	GString *prototypes; /* of functions */
	GString *code; /* functions and handlers */
	unsigned int deepest; /* bytes of the deepest handler frame with its calls */
	bool needs_registers, uses_addresses;
};

struct frame_facts {
	unsigned int bytes;
	GHashTable *callees;
	unsigned int deepest; /* with the calls, unless recursive */
	bool under_way, done, recursive;
};

static unsigned int add_target(struct module_writer *m, const char *name, const char *section, const char *build_id)
{
	struct target_entry *entry;

	for (guint i = 0; i < m->targets->len; i++) {
		entry = g_ptr_array_index(m->targets, i);
		if (!strcmp(entry->module, name) && !strcmp(entry->section, section))
			return i;
	}
	entry = arena_new0(m->t->arena, struct target_entry);
	entry->module = name;
	entry->section = section;
	entry->build_id = build_id;
	g_ptr_array_add(m->targets, entry);
	return m->targets->len - 1;
}

unsigned int module_target(struct module_writer *m, struct debuginfo *debuginfo, const char *section)
{
	unsigned int number = add_target(m, debuginfo_module_name(debuginfo), section, debuginfo_build_id(debuginfo));

	((struct target_entry *)g_ptr_array_index(m->targets, number))->debuginfo = debuginfo;
	m->uses_addresses = true;
	return number;
}

unsigned int module_recorder(struct module_writer *m, struct call_recorder *recorder)
{
	if (!recorder->number) {
		g_ptr_array_add(m->recorders, recorder);
		recorder->number = m->recorders->len;
	}
	return recorder->number - 1;
}

unsigned int module_global(struct module_writer *m, const struct symbol *global)
{
	guint index = 0;

	g_ptr_array_find(m->t->globals, global, &index);
	return index;
}

static const char *quoted(struct module_writer *m, const char *text)
{
	return c_string(m->t->arena, text, strlen(text));
}

/* ---- one C function -------------------------------------------------------------------------------------------------- */

static void writer_init(struct writer *w, struct module_writer *m)
{
	*w = (struct writer){
		.t = m->t,
		.module = m,
		.out = g_string_new(NULL),
		.indent = 1,
		.error_label = "out",
		.callees = g_hash_table_new(NULL, NULL),
	};
}

static unsigned int frame_bytes(const struct writer *w, const GPtrArray *locals)
{
	unsigned int strings = w->strings_most;

	for_each_ptr(const struct symbol *, local, locals)
		strings += local->type == TYPE_STRING;
	return strings * w->t->limits.max_string_length + (w->makes_kept ? kept_bytes(w->stable) : 0);
}

/* The frame's type and the declarations of the locals, in front of the body. */
static void emit_frame(GString *out, const struct writer *w, const GPtrArray *locals)
{
	g_string_append(out, "\tstruct frame {\n");
	if (w->makes_kept)
		g_string_append(out, "\t\tstruct kept kept;\n");
	for_each_ptr(const struct symbol *, local, locals) {
		if (local->type == TYPE_STRING)
			g_string_append_printf(out, "\t\tchar %s[STRING_SIZE];\n", local->unique_name);
	}
	for (unsigned int i = 0; i < w->strings_most; i++)
		g_string_append_printf(out, "\t\tchar s%u[STRING_SIZE];\n", i);
	g_string_append(out, "\t} *f __attribute__((unused));\n");
	for_each_ptr(const struct symbol *, local, locals) {
		if (local->type != TYPE_STRING)
			g_string_append_printf(out, "\tstp_long %s __attribute__((unused)) = 0;\n", local->unique_name);
	}
}

static void emit_empty_strings(GString *out, const GPtrArray *locals)
{
	for_each_ptr(const struct symbol *, local, locals) {
		if (local->type == TYPE_STRING)
			g_string_append_printf(out, "\tf->%s[0] = '\\0';\n", local->unique_name);
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
 * Bytes that a call of @p function takes at the most, each function looked at once. Where functions call each other in
 * circles that is not enough: then facts->recursive is set.
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
	/* Recursion ends at MAXNESTING, whoever calls whom. */
	if (recursive)
		most = MAX(most, largest_frame(m) * (unsigned int)(m->t->limits.max_nesting + 1));
	m->deepest = MAX(m->deepest, own + most);
}

/* ---- how often statements run ---------------------------------------------------------------------------------------------- */

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

/* ---- functions ---------------------------------------------------------------------------------------------------------- */

static const char *parameter_type(enum value_type type)
{
	return type == TYPE_STRING ? "const char *" : "stp_long ";
}

static const char *return_type(const struct function_declaration *function)
{
	return function->type == TYPE_LONG ? "stp_long" : "void";
}

/* "(struct stp_context *c, …)" */
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

/* A parameter that the function changes is copied to a local first: the caller's string is not ours. */
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
		/* From here on the parameter's name means the copy. */
		parameter->sema_data = local;
	}
}

static void use_local_copy(struct expr **expr, void *data)
{
	if ((*expr)->kind == EXPR_SYMBOL && (*expr)->symbol->is_parameter && (*expr)->symbol->sema_data)
		(*expr)->symbol = (*expr)->symbol->sema_data;
}

/* The layout of saved entry values, the same text in the entry handler and the return handler. */
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

/* The parameters and the body; the writer has emitted the statements. */
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
	emit_empty_strings(out, function->locals);
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

/* Emit a body as a function with this name, or give the name of the one emitted for the same text. */
static const char *unique_function(struct module_writer *m, const char *type, const char *name, const char *text)
{
	const char *key = arena_printf(m->t->arena, "%s %s", type, text);
	const char *known = m->t->unoptimized ? NULL : g_hash_table_lookup(m->bodies, key);

	if (known)
		return known;
	g_hash_table_insert(m->bodies, (void *)key, (void *)name);
	g_string_append_printf(m->code, "static %s %s%s\n", type, name, text);
	return name;
}

static void emit_script_function(struct module_writer *m, struct function_declaration *function)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const char *name;
	struct writer w;

	writer_init(&w, m);
	w.function = function;
	w.charge = true;
	w.error_is_callers = !runs_repeatedly(function->body);
	w.stable = m->stable;
	localise_parameters(&w, function);
	statement_walk(function->body, use_local_copy, NULL);
	emit_statement(&w, function->body);
	emit_function_text(m, text, function, &w);
	name = unique_function(m, return_type(function), function->unique_name, text->str);
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
	emit_embedded_function(m->t, m->code, function, signature(m, function));
}

/* ---- MAXNESTING -------------------------------------------------------------------------------------------------------- */

struct depth_search {
	GHashTable *depths; /* function -> GINT_TO_POINTER(depth), DEPTH_UNDER_WAY while it is looked at */
	int most; /* of what the function under way calls */
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

/* As deep as the script's calls go, so that only recursion can be too deep. */
static int64_t wanted_nesting(const struct translation *t)
{
	g_autoptr(GHashTable) depths = g_hash_table_new(NULL, NULL);
	struct depth_search search = {.depths = depths};

	for_each_ptr(const struct derived_probe *, probe, t->probes)
		statement_walk(probe->body, find_depth, &search);
	if (search.recursive)
		return search.most - 1 + RECURSION_NESTING;
	return MAX(search.most, LEAST_NESTING);
}

static void emit_functions(struct module_writer *m)
{
	for_each_ptr(struct function_declaration *, function, m->t->functions)
		emit_function(m, function);
}

/* ---- handlers -------------------------------------------------------------------------------------------------------------- */

static unsigned int count_statements(const struct statement *s)
{
	unsigned int count = 1;

	if (!s)
		return 0;
	for_each_ptr(const struct statement *, child, s->statements)
		count += count_statements(child);
	return count + count_statements(s->body) + count_statements(s->otherwise);
}

/* A handler without loops and script calls can run each of its statements once: if they are few, nobody need count. */
static bool needs_charge(struct translation *t, const struct derived_probe *probe)
{
	if (probe->uncounted)
		return false;
	return count_statements(probe->body) > t->limits.max_action || runs_repeatedly(probe->body);
}

static unsigned int entry_size(const struct translation *t, const struct derived_probe *probe)
{
	unsigned int bytes = 0;

	for_each_ptr(const struct expr *, value, probe->entry_values)
		bytes += value->type == TYPE_STRING ? (t->limits.max_string_length + 7) & ~7u : sizeof(int64_t);
	return bytes;
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
	/* What it calls counts, too. */
	if (w->charge || g_hash_table_size(w->callees))
		g_string_append(text, "\tc->actions = c->budget;\n");
	if (w->makes_kept)
		g_string_append(text, "\tc->kept = &f->kept;\n"
				      "\t__builtin_memset(f->kept.known, 0, sizeof(f->kept.known));\n");
	emit_empty_strings(text, locals);
	g_string_append_len(text, w->out->str, w->out->len);
	g_string_append(text, "out: __attribute__((unused));\n");
	if (w->probe->lock_region)
		g_string_append(text, "\tstp_unlock(c);\n");
	g_string_append(text, "\treturn;\n}\n");
	own_name = arena_printf(m->t->arena, "%s_%u", kind, m->body_count);
	name = unique_function(m, "void", own_name, text->str);
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

static const char *emit_handler(struct module_writer *m, const struct derived_probe *probe)
{
	struct writer w;

	writer_init(&w, m);
	w.probe = probe;
	w.charge = needs_charge(m->t, probe);
	if (handler_repeats_stable(m->stable, probe->body))
		keep_stable(&w, m->stable);
	emit_statement(&w, probe->body);
	return finish_handler(m, &w, "probe", probe, probe->locals);
}

/* What runtime/condition.c calls; NULL if the probe is always armed. */
static const char *emit_condition(struct module_writer *m, const struct derived_probe *probe)
{
	struct expr *condition = armed_condition(probe);
	struct derived_probe without_locks = *probe;
	struct writer w;

	if (!condition)
		return NULL;
	without_locks.lock_region = NULL;
	writer_init(&w, m);
	w.probe = &without_locks;
	begin_statement(&w, condition);
	line(&w, "c->holds = !!%s;", emit_expr(&w, condition));
	return finish_handler(m, &w, "condition", probe, probe->locals);
}

static const char *emit_entry_handler(struct module_writer *m, const struct derived_probe *probe)
{
	struct derived_probe without_locks = *probe;
	struct writer w;

	if (!probe->entry_values->len)
		return "STP_NULL";
	without_locks.lock_region = NULL;
	writer_init(&w, m);
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

/* ---- tables ------------------------------------------------------------------------------------------------------------------ */

static const char *const kind_names[] = {
	[STP_PROBE_BEGIN] = "STP_PROBE_BEGIN",
	[STP_PROBE_END] = "STP_PROBE_END",
	[STP_PROBE_ERROR] = "STP_PROBE_ERROR",
	[STP_PROBE_TIMER] = "STP_PROBE_TIMER",
	[STP_PROBE_FUNCTION] = "STP_PROBE_FUNCTION",
	[STP_PROBE_KPROBE] = "STP_PROBE_KPROBE",
	[STP_PROBE_KRETPROBE] = "STP_PROBE_KRETPROBE",
	[STP_PROBE_CALLS] = "STP_PROBE_CALLS",
	[STP_PROBE_TRACEPOINT] = "STP_PROBE_TRACEPOINT",
	[STP_PROBE_PERF] = "STP_PROBE_PERF",
	[STP_PROBE_WATCHPOINT] = "STP_PROBE_WATCHPOINT",
	[STP_PROBE_NETFILTER] = "STP_PROBE_NETFILTER",
	[STP_PROBE_PROCFS_READ] = "STP_PROBE_PROCFS_READ",
	[STP_PROBE_PROCFS_WRITE] = "STP_PROBE_PROCFS_WRITE",
};

static void emit_address_fields(struct module_writer *m, GString *out, const struct registration *r)
{
	const struct address *address = r->kind == STP_PROBE_TRACEPOINT ? &r->tracepoint : &r->address;
	unsigned int target;

	if (!r->debuginfo)
		return;
	target = module_target(m, r->debuginfo, address->section ?: "");
	g_string_append_printf(out, " .target = %u, .address = 0x%" G_GINT64_MODIFIER "xUL,", target, address->value);
	if (r->kind == STP_PROBE_TRACEPOINT)
		g_string_append_printf(out, " .arguments = %d,", r->arguments);
	if (r->has_fentry)
		g_string_append_printf(out, " .fentry = 0x%" G_GINT64_MODIFIER "xUL,", r->fentry.value);
}

static void emit_details(struct module_writer *m, GString *out, const struct stp_details *d)
{
	const struct {
		const char *name;
		uint64_t value;
	} fields[] = {
		{"type", d->type},	     {"config", d->config},
		{"period", d->period},	     {"is_frequency", d->is_frequency},
		{"of_target", d->of_target}, {"counter", d->counter},
		{"watched", d->watched},     {"length", d->length},
		{"reads", d->reads},	     {"family", d->family},
		{"hook", d->hook},	     {"mode", d->mode},
		{"size", d->size},
	};

	g_string_append(out, " .details = &(const struct stp_details){");
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
		if (fields[i].value)
			g_string_append_printf(out, " .%s = 0x%" G_GINT64_MODIFIER "x,", fields[i].name,
					       fields[i].value);
	if (d->program)
		g_string_append_printf(out, " .program = %s,", quoted(m, d->program));
	if (d->path)
		g_string_append_printf(out, " .path = %s,", quoted(m, d->path));
	g_string_append_printf(out, " .priority = %s },", c_number(m->t->arena, d->priority));
}

/* The number of a handler in stp_run_light(); 0: it is none for it. Handlers that are the same have one name. */
static unsigned int light_number(struct module_writer *m, const struct derived_probe *probe, const char *handler)
{
	guint index;

	if (needs_charge(m->t, probe) || !is_light_handler(m->t, probe))
		return 0;
	if (!g_ptr_array_find(m->light_handlers, handler, &index)) {
		index = m->light_handlers->len;
		g_ptr_array_add(m->light_handlers, (void *)handler);
	}
	return index < G_MAXUINT16 ? index + 1 : 0;
}

static void emit_light_handlers(struct module_writer *m, GString *out)
{
	g_string_append(out, "void stp_run_light(unsigned int light)\n{\n\tswitch (light) {\n");
	for (guint i = 0; i < m->light_handlers->len; i++)
		g_string_append_printf(out, "\tcase %u:\n\t\t%s(STP_NULL);\n\t\tbreak;\n", i + 1,
				       (const char *)g_ptr_array_index(m->light_handlers, i));
	g_string_append(out, "\t}\n}\n\n");
}

/* Comparing with more of them would cost as much as the call through a pointer, which is slow where it is guarded. */
enum { DIRECT_HANDLERS = 6 };

static void note_direct_handler(struct module_writer *m, enum stp_probe_kind kind, const char *handler)
{
	bool is_rare = kind == STP_PROBE_BEGIN || kind == STP_PROBE_END || kind == STP_PROBE_ERROR;

	if (!is_rare && m->direct_handlers->len < DIRECT_HANDLERS &&
	    !g_ptr_array_find(m->direct_handlers, handler, NULL))
		g_ptr_array_add(m->direct_handlers, (void *)handler);
}

static void emit_direct_handlers(struct module_writer *m, GString *out)
{
	g_string_append(out, "void stp_run_handler(void (*handler)(struct stp_context *), struct stp_context *c)\n{\n");
	for_each_ptr(const char *, handler, m->direct_handlers)
		g_string_append_printf(out, "\tif (handler == %s) {\n\t\t%s(c);\n\t\treturn;\n\t}\n", handler, handler);
	g_string_append(out, "\thandler(c);\n}\n\n");
}

static void emit_probe_row(struct module_writer *m, GString *out, const struct derived_probe *probe,
			   const char *handler, const char *entry_handler, const char *condition)
{
	const struct registration *r = &probe->registration;
	unsigned int light = light_number(m, probe, handler);

	g_string_append_printf(out, "\t{ .handler = %s, .kind = %s, .point = %s, .function = %s,", handler,
			       kind_names[r->kind], quoted(m, probe->point_text), quoted(m, probe->function_name));
	if (light)
		g_string_append_printf(out, " .light = %u,", light);
	else
		note_direct_handler(m, r->kind, handler);
	if (condition)
		g_string_append_printf(out, " .condition = %s,", condition);
	if (probe->entry_values->len)
		g_string_append_printf(out, " .entry_handler = %s, .entry_size = %u,", entry_handler,
				       entry_size(m->t, probe));
	emit_address_fields(m, out, r);
	if (r->by_symbol)
		g_string_append_printf(out, " .flags = STP_PROBE_BY_SYMBOL, .symbol = %s,", quoted(m, r->symbol));
	if (r->is_absolute)
		g_string_append_printf(out, " .flags = STP_PROBE_ABSOLUTE, .address = 0x%" G_GINT64_MODIFIER "xUL,",
				       r->address.value);
	if (r->maxactive)
		g_string_append_printf(out, " .maxactive = %d,", r->maxactive);
	if (r->interval)
		g_string_append_printf(out, " .interval = %s, .randomize = %s,", c_number(m->t->arena, r->interval),
				       c_number(m->t->arena, r->randomize));
	if (r->details)
		emit_details(m, out, r->details);
	g_string_append(out, " },\n");
	m->needs_registers |= probe->uses_registers;
}

/* Behind the script's own, in the order of their numbers. */
static void emit_recorder_rows(struct module_writer *m, GString *out)
{
	for_each_ptr(const struct call_recorder *, recorder, m->recorders) {
		const struct function *function = recorder->function;
		const struct registration registration = {
			.kind = STP_PROBE_CALLS,
			.address = function->entry,
			.debuginfo = function->debuginfo,
			.has_fentry = function->has_fentry,
			.fentry = function->fentry,
		};

		g_string_append_printf(out, "\t{ .kind = STP_PROBE_CALLS, .point = %s, .function = %s,",
				       quoted(m, recorder->text), quoted(m, function->name));
		emit_address_fields(m, out, &registration);
		g_string_append(out, " },\n");
	}
}

static GString *emit_probes(struct module_writer *m)
{
	GString *table = g_string_new("static const struct stp_probe probes[] = {\n");

	for_each_ptr(const struct derived_probe *, probe, m->t->probes) {
		const char *entry_handler = emit_entry_handler(m, probe);

		emit_probe_row(m, table, probe, emit_handler(m, probe), entry_handler, emit_condition(m, probe));
	}
	emit_recorder_rows(m, table);
	g_string_append(table, "};\n\n");
	if (m->recorders->len)
		g_string_append_printf(table, "static void *recorders[%u];\n\n", m->recorders->len);
	return table;
}

/* For the report of -t. */
static void emit_origins(struct module_writer *m, GString *out)
{
	if (!m->t->timing)
		return;
	g_string_append(out, "static const struct stp_probe_origin origins[] = {\n");
	for_each_ptr(const struct derived_probe *, probe, m->t->probes) {
		const struct location *at = &probe->origin->location;

		if (probe->derivation && at->file)
			g_string_append_printf(
				out, "\t{ %s, %s },\n",
				quoted(m, arena_printf(m->t->arena, "%s:%d:%d", at->file->name, at->line, at->column)),
				quoted(m, probe->derivation));
		else
			g_string_append(out, "\t{ 0 },\n");
	}
	for (guint i = 0; i < m->recorders->len; i++)
		g_string_append(out, "\t{ 0 },\n");
	g_string_append(out, "};\n\n");
}

/* pn() of each probe, if it is asked for. */
static bool wants_names(const struct module_writer *m)
{
	return embedded_code_uses(m->t, "stp_probe_name");
}

static void emit_names(struct module_writer *m, GString *out)
{
	if (!wants_names(m))
		return;
	g_string_append(out, "static const char *const names[] = {\n");
	for_each_ptr(const struct derived_probe *, probe, m->t->probes)
		g_string_append_printf(out, "\t%s,\n", quoted(m, probe->name ?: probe->point_text));
	g_string_append(out, "};\n\n");
}

static const char *global_kind(const struct symbol *global)
{
	static const char *const kinds[2][4] = {
		{"STP_GLOBAL_LONG", "STP_GLOBAL_LONG", "STP_GLOBAL_STRING", "STP_GLOBAL_STATISTIC"},
		{"STP_GLOBAL_MAP_LONG", "STP_GLOBAL_MAP_LONG", "STP_GLOBAL_MAP_STRING", "STP_GLOBAL_MAP_STATISTIC"},
	};

	return kinds[global->arity > 0][global->type];
}

static void emit_global(struct module_writer *m, GString *out, const struct symbol *global)
{
	if (global->arity > 0)
		g_string_append_printf(out, "static struct stp_map *%s;\n", global->unique_name);
	else if (global->type == TYPE_STRING)
		g_string_append_printf(out, "static char *%s;\n", global->unique_name);
	else if (global->type == TYPE_STATS)
		g_string_append_printf(out, "static void *%s;\n", global->unique_name);
	else
		g_string_append_printf(out, "static stp_long %s = %s;\n", global->unique_name,
				       c_number(m->t->arena, global->initializer ? global->initializer->number : 0));
}

static void emit_statistic_fields(struct module_writer *m, GString *out, const struct symbol *global)
{
	const struct expr *histogram = global->histogram, *variance = global->variance;
	bool linear = histogram && !strcmp(histogram->text, "hist_linear");

	g_string_append_printf(out, " .statistic = %s%s,", variance ? "STP_STATISTIC_VARIANCE | " : "",
			       linear	   ? "STP_STATISTIC_LINEAR"
			       : histogram ? "STP_STATISTIC_LOG"
					   : "0");
	if (variance && variance->arguments && variance->arguments->len)
		g_string_append_printf(out, " .shift = %d,",
				       (int)((const struct expr *)g_ptr_array_index(variance->arguments, 0))->number);
	if (histogram)
		g_string_append_printf(out, " .buckets = %d,", (int)histogram_buckets(histogram));
	for (guint i = 0; linear && i < histogram->arguments->len; i++) {
		static const char *const fields[] = {"low", "high", "width"};
		const struct expr *value = g_ptr_array_index(histogram->arguments, i);

		g_string_append_printf(out, " .%s = %s,", fields[i], c_number(m->t->arena, value->number));
	}
}

static void emit_global_row(struct module_writer *m, GString *out, const struct symbol *global)
{
	unsigned int strings = 0;

	for (int i = 0; i < global->arity; i++)
		strings |= (global->key_types[i] == TYPE_STRING) << i;
	g_string_append_printf(out, "\t{ .name = %s, .kind = %s,", quoted(m, global->name), global_kind(global));
	if (global->arity > 0)
		g_string_append_printf(out, " .key_count = %d, .key_strings = %uu, .max_entries = %u, .wraps = %d,",
				       global->arity, strings, (unsigned int)global->declared_size, global->wraps);
	else if (global->type == TYPE_STRING && global->initializer)
		g_string_append_printf(out, " .initial_string = %s,", quoted(m, global->initializer->text));
	if (global->type == TYPE_STATS)
		emit_statistic_fields(m, out, global);
	if (is_only_fed(global))
		g_string_append(out, " .only_fed = 1,");
	if (global->arity > 0 || global->type == TYPE_STRING || global->type == TYPE_STATS)
		g_string_append_printf(out, " .storage = (void **)&%s", global->unique_name);
	g_string_append(out, " },\n");
}

static void emit_globals(struct module_writer *m, GString *out)
{
	for_each_ptr(const struct symbol *, global, m->t->globals)
		emit_global(m, out, global);
	g_string_append(out, "static const struct stp_global globals[] = {\n");
	for_each_ptr(const struct symbol *, global, m->t->globals)
		emit_global_row(m, out, global);
	g_string_append(out, "\t{ 0 }\n};\n\n");
}

static void emit_target(struct module_writer *m, GString *out, const struct target_entry *target)
{
	const char *anchor = NULL;
	uint64_t offset = 0;

	/* Without one, the module must be loaded before the script is. */
	if (*target->section)
		error_free(debuginfo_anchor(target->debuginfo, target->section, &anchor, &offset));
	g_string_append_printf(out, "\t{ %s, %s, %s, ", quoted(m, target->module), quoted(m, target->section),
			       quoted(m, target->build_id));
	if (anchor)
		g_string_append_printf(out, "%s, 0x%" G_GINT64_MODIFIER "xUL, ", quoted(m, anchor), offset);
	else
		g_string_append(out, "0, 0, ");
	g_string_append_printf(out, "%s, %u },\n", target->lines ?: "0", target->lines_section);
}

static void emit_targets(struct module_writer *m, GString *out)
{
	g_string_append(out, "static const struct stp_target targets[] = {\n");
	for_each_ptr(const struct target_entry *, target, m->targets)
		emit_target(m, out, target);
	g_string_append(out, "};\n\n");
}

/*
 * The same facts for staprun, which reads them from the file before it loads the module: a section of NUL-terminated
 * "key=value" strings, as .modinfo is.
 */
static void emit_info(struct module_writer *m, GString *out)
{
	unsigned int count = 0;

	g_string_append(out, "static const char info[] __attribute__((section(\".spile.info\"), used)) =\n");
	g_string_append_printf(out, "\t\"release=%s\\0\"\n", m->t->kernel.release ?: "");
	if (m->t->bulk)
		g_string_append(out, "\t\"bulk=1\\0\"\n");
	if (embedded_code_uses(m->t, "stp_system"))
		g_string_append(out, "\t\"commands=1\\0\"\n");
	for_each_ptr(const struct target_entry *, target, m->targets)
		g_string_append_printf(out, "\t\"target=%s %s %s\\0\"\n", target->module,
				       *target->section ? target->section : "-", target->build_id);
	g_string_append(out, "\t;\n\n");
	/* --modinfo, as MODULE_INFO() of the kernel's headers has it. */
	for_each_ptr(const char *, text, m->t->module_info)
		g_string_append_printf(out,
				       "static const char modinfo_%u[] __attribute__((section(\".modinfo\"), used, "
				       "aligned(1))) = %s;\n",
				       count++, quoted(m, text));
}

/* Where it was linked; 0 if that is not known, or the script uses no address. */
static uint64_t kernel_symbol(struct module_writer *m, const char *name)
{
	struct debuginfo *debuginfo;
	struct address address = {0};
	struct error *error;

	if (!m->uses_addresses)
		return 0;
	error = translation_debuginfo(m->t, "kernel", &debuginfo);
	error = error ?: debuginfo_symbol_address(debuginfo, name, &address);
	error_free(error);
	return address.value;
}

/* Every context has room for the largest; 1 if there is nothing to match, so that matched() can say so. */
static unsigned int match_nodes(const struct translation *t)
{
	unsigned int most = wants_regex_groups(t);

	for_each_ptr(const struct compiled_regex *, regex, t->regexes)
		most = MAX(most, regex->tables->node_count);
	return most;
}

/* Functions that take what ftrace otherwise leaves out. */
static bool shows_registers(const struct translation *t)
{
	return embedded_code_uses(t, "stp_named_register") || embedded_code_uses(t, "stp_print_registers");
}

/* ---- source lines of addresses --------------------------------------------------------------------------------------- */

static bool wants_lines(const struct translation *t)
{
	return embedded_code_uses(t, "stp_source_line") || embedded_code_uses(t, "stp_print_backtrace_lines");
}

/* Where a table of lines is; NULL if there is none, which @warn says. */
static const char *line_table(struct module_writer *m, const char *module, bool warn, struct debuginfo **debuginfo,
			      GPtrArray *sections)
{
	const char *path = NULL;
	struct error *error;

	error = translation_debuginfo(m->t, module, debuginfo);
	error = error ?: debuginfo_line_table(*debuginfo, &path, sections);
	if (!path && warn) {
		if (strcmp(module, "kernel"))
			diagnose(m->t->diagnostics, SEVERITY_WARNING, N_("WARNING"), &(struct location){0},
				 _("the source lines of module %s are not known: addresses are shown instead"), module);
		else
			diagnose(m->t->diagnostics, SEVERITY_WARNING, N_("WARNING"), &(struct location){0},
				 _("the source lines of the kernel are not known: addresses are shown instead"));
		diagnose_hint(m->t->diagnostics, "%s",
			      error ? error->message
				    : _("they are in the kernel's debug symbols (DWARF); see stap-prep(1)"));
	}
	error_free(error);
	return path;
}

/* It is in the cache under the build-id of its file, so what the name stands for never changes. */
static void emit_line_table(struct module_writer *m, GString *out, const char *path, const char *name)
{
	g_string_append_printf(out,
			       "asm(\".pushsection .rodata,\\\"a\\\"\\n.balign 8\\n%s:\\n\"\n"
			       "    \".incbin \\\"\" %s \"\\\", %d\\n.popsection\");\n"
			       "extern const unsigned char %s[] __attribute__((visibility(\"hidden\")));\n\n",
			       name, quoted(m, path), CACHE_HEAD_LENGTH, name);
}

static bool emit_kernel_lines(struct module_writer *m, GString *out)
{
	g_autoptr(GPtrArray) sections = g_ptr_array_new();
	struct debuginfo *debuginfo;
	const char *path = line_table(m, "kernel", true, &debuginfo, sections);

	if (!path)
		return false;
	m->uses_addresses = true;
	emit_line_table(m, out, path, "source_lines");
	return true;
}

/* Each section with lines becomes a target, so that the runtime learns where it is. */
static void emit_module_lines(struct module_writer *m, GString *out, const char *module, guint count, bool warn)
{
	g_autoptr(GPtrArray) sections = g_ptr_array_new();
	struct debuginfo *debuginfo;
	const char *path = line_table(m, module, warn, &debuginfo, sections), *name;

	if (!path)
		return;
	name = arena_printf(m->t->arena, "source_lines_%u", count);
	emit_line_table(m, out, path, name);
	for (guint i = 0; i < sections->len; i++) {
		guint number = module_target(m, debuginfo, sections->pdata[i]);
		struct target_entry *target = g_ptr_array_index(m->targets, number);

		target->lines = name;
		target->lines_section = i;
	}
}

/* Of the modules that the script has to do with, and of those of -d. */
static void emit_lines_of_modules(struct module_writer *m, GString *out)
{
	g_autoptr(GHashTable) done = g_hash_table_new(g_str_hash, g_str_equal);
	guint targets = m->targets->len;

	g_hash_table_add(done, (void *)"kernel");
	for_each_ptr(const char *, module, m->t->line_modules) {
		if (g_hash_table_add(done, (void *)debuginfo_module_spelling(m->t->arena, module)))
			emit_module_lines(m, out, module, g_hash_table_size(done), true);
	}
	for (guint i = 1; i < targets; i++) {
		const struct target_entry *target = g_ptr_array_index(m->targets, i);

		if (g_hash_table_add(done, (void *)target->module))
			emit_module_lines(m, out, target->module, g_hash_table_size(done), false);
	}
}

static void emit_script_table(struct module_writer *m, GString *out)
{
	const struct script_limits *limits = &m->t->limits;
	const struct script *first = g_ptr_array_index(m->t->scripts, 0);
	bool has_lines = wants_lines(m->t) && emit_kernel_lines(m, out);

	g_string_append(out, "const struct stp_script stp_script = {\n\t.layout = STP_LAYOUT_VERSION,\n");
	g_string_append_printf(out, "\t.source_name = %s,\n", quoted(m, first->file->name));
	g_string_append_printf(out, "\t.probes = probes,\n\t.probe_count = %u,\n",
			       m->t->probes->len + m->recorders->len);
	if (m->recorders->len)
		g_string_append_printf(out, "\t.recorders = recorders,\n\t.recorder_count = %u,\n", m->recorders->len);
	g_string_append_printf(out, "\t.targets = targets,\n\t.target_count = %u,\n", m->targets->len);
	g_string_append_printf(out, "\t.globals = globals,\n\t.global_count = %u,\n", m->t->globals->len);
	g_string_append_printf(out, "\t.anchor = 0x%" G_GINT64_MODIFIER "xUL,\n", kernel_symbol(m, "_printk"));
	g_string_append_printf(out, "\t.current_kprobe = 0x%" G_GINT64_MODIFIER "xUL,\n",
			       kernel_symbol(m, "current_kprobe"));
	g_string_append_printf(out, "\t.string_size = STRING_SIZE,\n\t.frame_size = %u,\n", m->deepest);
	g_string_append_printf(out, "\t.max_entries = %u,\n", (unsigned int)limits->max_map_entries);
	g_string_append_printf(out, "\t.max_action = %u,\n\t.max_action_session = %u,\n",
			       (unsigned int)limits->max_action, (unsigned int)limits->max_action_interruptible);
	g_string_append_printf(out, "\t.max_nesting = %u,\n\t.max_errors = %d,\n\t.max_skipped = %d,\n",
			       (unsigned int)limits->max_nesting, (int)limits->max_errors,
			       m->t->suppress_handler_errors ? -1 : (int)limits->max_skipped);
	g_string_append_printf(out, "\t.max_trylock = %u,\n\t.trylock_delay = %u,\n", (unsigned int)limits->max_trylock,
			       (unsigned int)limits->trylock_delay);
	g_string_append_printf(out,
			       "\t.overload_interval = %" G_GINT64_FORMAT
			       "ULL,\n\t.overload_threshold = %" G_GINT64_FORMAT "ULL,\n",
			       limits->no_overload ? 0 : limits->overload_interval, limits->overload_threshold);
	g_string_append_printf(out, "\t.hist_elision = %d,\n", (int)limits->hist_elision);
	g_string_append_printf(out,
			       "\t.min_stack_space = %u,\n\t.max_backtrace = %u,\n\t.map_hash_bias = %d,\n"
			       "\t.masks_interrupts = %d,\n",
			       (unsigned int)limits->min_stack_space, (unsigned int)limits->max_backtrace,
			       (int)limits->map_hash_bias, !limits->interruptible);
	g_string_append_printf(out, "\t.fail_allocation = %u,\n", (unsigned int)limits->fail_allocation);
	g_string_append_printf(out, "\t.buffer_bytes = %u,\n", (unsigned int)m->t->buffer_megabytes << 20);
	if (m->t->timing)
		g_string_append(out, "\t.origins = origins,\n");
	if (wants_names(m))
		g_string_append(out, "\t.names = names,\n");
	if (has_lines)
		g_string_append(out, "\t.lines = source_lines,\n");
	g_string_append_printf(out, "\t.keeps_tokens = %d,\n", embedded_code_uses(m->t, "stp_tokenize"));
	g_string_append_printf(out, "\t.keeps_commands = %d,\n", embedded_code_uses(m->t, "stp_system"));
	g_string_append_printf(out, "\t.match_nodes = %u,\n", match_nodes(m->t));
	g_string_append_printf(out, "\t.needs_registers = %d,\n\t.suppress_errors = %d,\n};\n",
			       m->needs_registers || shows_registers(m->t), m->t->suppress_handler_errors);
}

static void emit_head(struct module_writer *m, GString *out)
{
	g_string_append(out, "/* Generated by Spile's stap. */\n");
	for_each_ptr(const char *, definition, m->t->c_definitions)
		g_string_append_printf(out, "#define %s\n", definition);
	emit_embedded_headers(m->t, out);
	g_string_append(out, "#include \"script.h\"\n\n");
	g_string_append_printf(out, "#define STP_SKIP_BADVARS %d\n", m->t->skip_bad_variables);
	g_string_append_printf(out, "#define STRING_SIZE %u\n#define MAXSTRINGLEN STRING_SIZE\n",
			       (unsigned int)m->t->limits.max_string_length);
	emit_embedded_prelude(m->t, out);
}

void emit_module(struct translation *t)
{
	g_autoptr(GHashTable) bodies = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) frames = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) begun = g_hash_table_new(NULL, NULL);
	g_autoptr(GString) prototypes = g_string_new(NULL);
	g_autoptr(GString) code = g_string_new(NULL);
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GString) table = NULL;
	struct module_writer m = {
		.t = t,
		.targets = arena_ptr_array(t->arena),
		.bodies = bodies,
		.light_handlers = arena_ptr_array(t->arena),
		.direct_handlers = arena_ptr_array(t->arena),
		.recorders = arena_ptr_array(t->arena),
		.begun = begun,
		.frames = frames,
		.stable = find_stable_functions(t),
		.prototypes = prototypes,
		.code = code,
	};
	struct debuginfo *kernel = NULL;

	/* Target 0 is the kernel, whether addresses in it are used or not. */
	kernel = g_hash_table_lookup(t->open_debuginfo, "kernel");
	if (!kernel && t->kernel.build_id)
		error_free(translation_debuginfo(t, "kernel", &kernel));
	note_conditions(t);
	/* A digest may be the only thing that knows the build-id. */
	add_target(&m, "kernel", "", kernel ? debuginfo_build_id(kernel) : t->kernel.build_id ?: "");
	if (!t->limits.max_nesting)
		t->limits.max_nesting = wanted_nesting(t);
	emit_functions(&m);
	table = emit_probes(&m);
	emit_head(&m, out);
	emit_globals(&m, out);
	emit_embedded_globals(t, out);
	for_each_ptr(const struct compiled_regex *, regex, t->regexes)
		regex_print(out, regex->tables, regex->unique_name);
	emit_kept_type(m.stable, out);
	g_string_append_len(out, prototypes->str, prototypes->len);
	g_string_append_c(out, '\n');
	g_string_append_len(out, code->str, code->len);
	emit_light_handlers(&m, out);
	emit_direct_handlers(&m, out);
	g_string_append_len(out, table->str, table->len);
	emit_origins(&m, out);
	emit_names(&m, out);
	if (wants_lines(t))
		emit_lines_of_modules(&m, out);
	emit_targets(&m, out);
	emit_info(&m, out);
	emit_script_table(&m, out);
	emit_embedded_suffix(t, out);
	t->c_text = arena_strndup(t->arena, out->str, out->len);
}
