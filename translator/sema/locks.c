// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lock planning.
 *
 * Input: handlers with bound names. Output: for each probe, the globals it must lock, and the smallest range of
 * statements during which it must hold the locks.
 *
 * These globals need no lock:
 *
 *     - a global that no event probe writes; begin, end and error probes run alone;
 *     - an aggregate in handlers that only add to it with "<<<", since the runtime stores it per CPU;
 *     - an array of integers to whose elements event probes only add ("n[k]++", which is atomic);
 *     - an integer that every handler accesses at most once, with one atomic operation.
 *
 * All others are locked for reading or writing. A handler takes all its locks at once, in the order of the globals'
 * numbers, which excludes deadlocks.
 *
 * The range extends from the first to the last statement that uses a locked global, directly or in a called function.
 * If it is a single block, or an `if` that needs locks in one branch only, the range is narrowed within. Loops are not
 * entered: locking in each iteration costs more than it gains, and the handler should see one state of its globals.
 */
#include "translator/sema/embedded.h"
#include "translator/sema/sema.h"

/* How a handler or statement, including the functions it calls, uses a global. */
struct use {
	struct symbol *global;
	unsigned int accesses; /* their number; each counts twice in a loop */
	bool plain_write; /* a change other than `aggregates` and `counts` */
	bool aggregates; /* adds with "<<<" */
	bool counts; /* adds to an array element without using the result */
	bool reads; /* of an aggregate: extraction, foreach… */
	bool not_atomic; /* an access that one atomic operation cannot do */
};

/* Facts about a global in all event probes; in symbol.sema_data. */
struct global_facts {
	bool written, atomic;
	bool only_fed; /* nothing but "<<<", or counting of elements */
};

struct collector {
	GHashTable *uses; /* symbol -> struct use * */
	GHashTable *visited; /* functions under way or done */
	int loops;
};

static struct global_facts *facts(const struct symbol *global)
{
	return global->sema_data;
}

static struct symbol *global_of(const struct expr *target)
{
	const struct expr *base = target->kind == EXPR_INDEX ? target->left : target;

	return base->kind == EXPR_SYMBOL && base->symbol->is_global ? base->symbol : NULL;
}

bool is_atomic_scalar(const struct symbol *global)
{
	return facts(global)->atomic;
}

bool is_only_fed(const struct symbol *global)
{
	return !global->wraps && facts(global)->only_fed && (global->type == TYPE_STATS || facts(global)->written);
}

const struct expr *counted_element(const struct expr *e)
{
	const struct expr *element = e->kind == EXPR_INCREMENT ? e->operand : e->kind == EXPR_ASSIGN ? e->left : NULL;
	bool adds = e->op == OP_ADD || e->op == OP_SUBTRACT;
	const struct symbol *global = element && element->kind == EXPR_INDEX && adds ? global_of(element) : NULL;

	return global && global->type == TYPE_LONG ? element : NULL;
}

/* ---- collecting uses --------------------------------------------------------------------------------------------- */

static struct use *use_of(struct collector *c, struct symbol *global)
{
	struct use *use = g_hash_table_lookup(c->uses, global);

	if (!use) {
		use = g_new0(struct use, 1);
		use->global = global;
		g_hash_table_insert(c->uses, global, use);
	}
	use->accesses += c->loops ? 2 : 1;
	return use;
}

static bool is_atomic_operator(enum expr_operator op)
{
	return op == OP_NONE || op == OP_ADD || op == OP_SUBTRACT;
}

static void collect_statement(struct collector *c, struct statement *s);
static void collect(struct expr **expr, void *data);

/* Note that @op changes @target. The caller handles keys and value. */
static void note_change(struct collector *c, const struct expr *target, enum expr_operator op)
{
	struct symbol *global = global_of(target);
	struct use *use;

	if (!global)
		return;
	use = use_of(c, global);
	if (op == OP_AGGREGATE) {
		use->aggregates = true;
		return;
	}
	use->plain_write = true;
	if (target->kind == EXPR_INDEX || !is_atomic_operator(op))
		use->not_atomic = true;
}

/* Note the accesses of embedded C, of unknown number and order. */
static void collect_embedded(struct collector *c, const GPtrArray *uses)
{
	for_each_ptr(const struct embedded_use *, embedded, uses) {
		struct use *use = use_of(c, embedded->global);

		use->reads |= embedded->reads;
		use->plain_write |= embedded->writes;
		use->not_atomic = true;
	}
}

static void collect_keys(struct collector *c, struct expr *target)
{
	if (target->kind == EXPR_INDEX)
		for (guint i = 0; i < target->arguments->len; i++)
			collect((struct expr **)&target->arguments->pdata[i], c);
}

static void collect_function(struct collector *c, struct function_declaration *function)
{
	/* The kinds of use are already known; only count the accesses of another call. */
	if (!g_hash_table_add(c->visited, function)) {
		GHashTableIter iter;
		struct use *use;

		g_hash_table_iter_init(&iter, c->uses);
		while (g_hash_table_iter_next(&iter, NULL, (gpointer *)&use))
			use->accesses++;
		return;
	}
	collect_statement(c, function->body);
}

static void note_read(struct collector *c, const struct expr *expr)
{
	struct symbol *global = global_of(expr);

	if (global)
		use_of(c, global)->reads = true;
}

static void collect(struct expr **expr, void *data)
{
	struct collector *c = data;
	struct expr *e = *expr;

	switch (e->kind) {
	case EXPR_ASSIGN:
		collect(&e->right, c);
		collect_keys(c, e->left);
		note_change(c, e->left, e->op);
		break;
	case EXPR_INCREMENT:
		collect_keys(c, e->operand);
		note_change(c, e->operand, e->op);
		break;
	case EXPR_SYMBOL:
		note_read(c, e);
		break;
	case EXPR_EMBEDDED:
		collect_embedded(c, e->embedded_globals);
		break;
	case EXPR_INDEX:
		if (e->left->kind == EXPR_HISTOGRAM)
			collect(&e->left, c);
		collect_keys(c, e);
		note_read(c, e);
		break;
	case EXPR_CALL:
		expr_visit_children(e, collect, c);
		for_each_ptr(struct function_declaration *, function, e->overloads)
			collect_function(c, function);
		break;
	default:
		expr_visit_children(e, collect, c);
		break;
	}
}

static void collect_counting(struct collector *c, struct expr *e)
{
	struct expr *element = (struct expr *)counted_element(e);

	if (e->kind == EXPR_ASSIGN)
		collect(&e->right, c);
	collect_keys(c, element);
	use_of(c, global_of(element))->counts = true;
}

static void collect_optional(struct collector *c, struct expr **expr)
{
	if (*expr)
		collect(expr, c);
}

static void collect_foreach(struct collector *c, struct statement *s)
{
	struct symbol *global = global_of(s->array);

	collect_optional(c, &s->limit);
	for (guint i = 0; s->slice && i < s->slice->len; i++)
		collect((struct expr **)&s->slice->pdata[i], c);
	if (global) {
		/* foreach sorts into memory of the map, so it excludes other loops like a writer. */
		struct use *use = use_of(c, global);

		use->reads = true;
		use->plain_write = true;
		use->not_atomic = true;
	}
	if (s->array->kind == EXPR_HISTOGRAM)
		collect(&s->array, c);
	for_each_ptr(struct expr *, key, s->keys)
		note_change(c, key, OP_NONE);
	if (s->value)
		note_change(c, s->value, OP_NONE);
}

static void collect_delete(struct collector *c, struct statement *s)
{
	collect_keys(c, s->expr);
	note_change(c, s->expr, OP_NONE);
}

static void collect_statement(struct collector *c, struct statement *s)
{
	bool loop;

	if (!s)
		return;
	loop = s->kind == STATEMENT_WHILE || s->kind == STATEMENT_FOR || s->kind == STATEMENT_FOREACH;
	collect_embedded(c, s->embedded_globals);
	collect_optional(c, &s->init);
	c->loops += loop;
	if (s->kind == STATEMENT_FOREACH) {
		collect_foreach(c, s);
	} else if (s->kind == STATEMENT_DELETE) {
		collect_delete(c, s);
	} else if (s->kind == STATEMENT_EXPR && counted_element(s->expr)) {
		collect_counting(c, s->expr);
	} else {
		collect_optional(c, &s->expr);
		collect_optional(c, &s->update);
	}
	if (s->catch_variable)
		note_change(c, s->catch_variable, OP_NONE);
	collect_statement(c, s->body);
	for_each_ptr(struct statement *, child, s->statements)
		collect_statement(c, child);
	collect_statement(c, s->otherwise);
	c->loops -= loop;
}

static GHashTable *uses_of_statement(struct statement *s)
{
	g_autoptr(GHashTable) visited = g_hash_table_new(NULL, NULL);
	struct collector c = {
		.uses = g_hash_table_new_full(NULL, NULL, NULL, g_free),
		.visited = visited,
	};

	collect_statement(&c, s);
	return c.uses;
}

/* ---- facts about globals ----------------------------------------------------------------------------------------- */

static bool is_session_probe(const struct derived_probe *probe)
{
	enum stp_probe_kind kind = probe->registration.kind;

	return kind == STP_PROBE_BEGIN || kind == STP_PROBE_END || kind == STP_PROBE_ERROR || kind == STP_PROBE_NEVER;
}

static void learn(const struct use *use)
{
	struct global_facts *f = facts(use->global);

	f->written |= use->plain_write || use->aggregates || use->counts;
	if (use->accesses > 1 || use->not_atomic)
		f->atomic = false;
	if (use->reads || use->plain_write)
		f->only_fed = false;
}

/* Learn from the handler only: entry handlers run without locks, and read each global once. */
static void learn_probe(struct derived_probe *probe)
{
	g_autoptr(GHashTable) uses = uses_of_statement(probe->body);
	GHashTableIter iter;
	struct use *use;

	g_hash_table_iter_init(&iter, uses);
	while (g_hash_table_iter_next(&iter, NULL, (gpointer *)&use))
		learn(use);
}

static bool needs_lock(const struct use *use)
{
	const struct symbol *global = use->global;

	if (!facts(global)->written || facts(global)->atomic)
		return false;
	if (global->type == TYPE_STATS && !global->wraps)
		return use->reads || use->plain_write;
	return !is_only_fed(global);
}

/* ---- the region -------------------------------------------------------------------------------------------------- */

static bool statement_needs_lock(struct statement *s)
{
	g_autoptr(GHashTable) uses = s ? uses_of_statement(s) : NULL;
	GHashTableIter iter;
	struct use *use;

	if (!s)
		return false;
	g_hash_table_iter_init(&iter, uses);
	while (g_hash_table_iter_next(&iter, NULL, (gpointer *)&use))
		if (needs_lock(use))
			return true;
	return false;
}

static bool condition_needs_lock(struct statement *s)
{
	struct statement condition = {.kind = STATEMENT_EXPR, .expr = s->expr};

	return statement_needs_lock(&condition);
}

/* Narrow the range within a block, or an `if` that needs locks in one branch only. */
static void narrow(struct statement *s, struct lock_region *region)
{
	region->first = region->last = s;
	if (s->kind == STATEMENT_IF && !condition_needs_lock(s)) {
		bool body = statement_needs_lock(s->body), otherwise = statement_needs_lock(s->otherwise);

		if (body != otherwise)
			narrow(body ? s->body : s->otherwise, region);
		return;
	}
	if (s->kind != STATEMENT_BLOCK)
		return;
	region->first = NULL;
	for_each_ptr(struct statement *, child, s->statements) {
		if (!statement_needs_lock(child))
			continue;
		if (!region->first)
			region->first = child;
		region->last = child;
	}
	if (region->first == region->last)
		narrow((struct statement *)region->first, region);
}

/* Aggregates are read under the write lock, which excludes handlers that add to them. */
static bool locks_for_writing(const struct use *use)
{
	return use->plain_write || use->counts || use->global->type == TYPE_STATS;
}

static void plan_probe(struct translation *t, struct derived_probe *probe)
{
	g_autoptr(GHashTable) uses = uses_of_statement(probe->body);
	struct lock_region *region = arena_new0(t->arena, struct lock_region);

	region->uses = arena_ptr_array(t->arena);
	for_each_ptr(struct symbol *, global, t->globals) {
		const struct use *use = g_hash_table_lookup(uses, global);
		struct global_lock_use *lock;

		if (!use || !needs_lock(use))
			continue;
		lock = arena_new0(t->arena, struct global_lock_use);
		lock->global = global;
		lock->writes = locks_for_writing(use);
		g_ptr_array_add(region->uses, lock);
	}
	if (!region->uses->len)
		return;
	region->first = region->last = probe->body;
	if (!t->options->unoptimized)
		narrow(probe->body, region);
	probe->lock_region = region;
}

void plan_locks(struct translation *t)
{
	for_each_ptr(struct symbol *, global, t->globals) {
		struct global_facts *f = arena_new0(t->arena, struct global_facts);

		f->only_fed = global->type == TYPE_STATS ||
			      (global->type == TYPE_LONG && global->arity > 0 && !t->options->unoptimized);
		f->atomic = global->type == TYPE_LONG && global->arity <= 0 && !t->options->unoptimized;
		global->sema_data = f;
	}
	for_each_ptr(struct derived_probe *, probe, t->probes) {
		if (!is_session_probe(probe))
			learn_probe(probe);
	}
	for_each_ptr(struct derived_probe *, probe, t->probes) {
		if (!is_session_probe(probe))
			plan_probe(t, probe);
	}
}
