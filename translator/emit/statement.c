// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Emit statements as C. Loops become C loops, with statements at the top of the body that evaluate the condition. A
 * run-time error jumps to the nearest catch; everything that ends the handler jumps to the label `out`.
 */
#include "translator/emit/embedded.h"
#include "translator/emit/writer.h"
#include "translator/sema/sema.h"

/* ---- accounting and locks around statements ---------------------------------------------------------------------- */

static void emit_charge(struct writer *w, const struct statement *s, unsigned int statements)
{
	if (!w->charge || !statements)
		return;
	open_block(w, "if (!stp_charge(c, %u))", statements);
	if (!w->error_is_callers)
		line(w, "c->error_place = %s;", statement_place_text(w, s));
	line(w, "goto %s;", w->error_label);
	close_block(w);
}

static void emit_lock(struct writer *w, const struct statement *s)
{
	const struct lock_region *region = w->probe ? w->probe->lock_region : NULL;

	if (!region || region->first != s)
		return;
	open_block(w, "static const struct stp_lock_use locks[] =");
	for_each_ptr(const struct global_lock_use *, use, region->uses)
		line(w, "{ %u, %s },", module_global(w->module, use->global),
		     use->writes ? "STP_LOCK_WRITE" : "STP_LOCK_READ");
	w->indent--;
	line(w, "};");
	open_block(w, "if (!stp_lock(c, locks, %u))", region->uses->len);
	/* A failure to lock skips the hit; a script cannot catch it. */
	line(w, "goto out;");
	close_block(w);
}

static void emit_unlock(struct writer *w, const struct statement *s)
{
	if (w->probe && w->probe->lock_region && w->probe->lock_region->last == s)
		line(w, "stp_unlock(c);");
}

/* ---- simple statements ------------------------------------------------------------------------------------------- */

static void emit_expr_statement(struct writer *w, struct statement *s)
{
	begin_statement(w, s->expr);
	emit_effects(w, s->expr);
}

static void emit_block_statement(struct writer *w, struct statement *s)
{
	open_scope(w);
	emit_charge(w, s, s->statements ? s->statements->len : 0);
	for_each_ptr(struct statement *, child, s->statements)
		emit_statement(w, child);
	close_block(w);
}

static void emit_if(struct writer *w, struct statement *s)
{
	begin_statement(w, s->expr);
	open_block(w, "if (%s)", emit_expr(w, s->expr));
	emit_statement(w, s->body);
	if (s->otherwise) {
		w->indent--;
		open_block(w, "} else");
		emit_statement(w, s->otherwise);
	}
	close_block(w);
}

static void emit_return(struct writer *w, struct statement *s)
{
	const char *value;

	if (s->expr) {
		begin_statement(w, s->expr);
		value = emit_expr(w, s->expr);
		if (w->function->type == TYPE_STRING)
			line(w, "stp_copy(result, %s);", value);
		else if (w->function->type == TYPE_LONG)
			line(w, "result = %s;", value);
	}
	line(w, "goto out;");
}

/* Emit embedded C with its own label `out`, then a jump to the nearest catch in case of an error. */
static void emit_embedded(struct writer *w, struct statement *s)
{
	open_scope(w);
	line(w, "__label__ out;");
	open_scope(w);
	emit_members_begin(w->out, &s->location, s->code);
	emit_embedded_uses(w->t, w->out, s->embedded_globals);
	emit_embedded_code(w->t, w->out, &s->location, s->code);
	close_block(w);
	line(w, "out: __attribute__((unused));");
	emit_members_end(w->out, &s->location, s->code);
	close_block(w);
	open_block(w, "if (stp_unlikely(c->error))");
	line(w, "if (!c->error_place)");
	line(w, "\tc->error_place = %s;", statement_place_text(w, s));
	line(w, "goto %s;", w->error_label);
	close_block(w);
}

/* Emit next. In a function, the caller continues with the next overload. */
static void emit_next(struct writer *w, struct statement *s)
{
	if (w->function)
		line(w, "c->passed_on = 1;");
	line(w, "goto out;");
}

static void emit_delete_scalar(struct writer *w, const struct symbol *symbol)
{
	const char *text = variable_text(w, symbol);

	if (symbol->type == TYPE_STATS)
		line(w, "stp_statistic_clear(c, %u, %s);", module_global(w->module, symbol), text);
	else if (symbol->type == TYPE_STRING)
		line(w, "%s[0] = '\\0';", text);
	else
		line(w, "%s = 0;", text);
}

static void emit_delete(struct writer *w, struct statement *s)
{
	struct expr *target = s->expr;
	unsigned int held = w->held;
	struct key_values keys;

	if (target->kind == EXPR_SYMBOL && target->symbol->arity <= 0) {
		emit_delete_scalar(w, target->symbol);
		note_change(w, target);
	} else if (target->kind == EXPR_SYMBOL) {
		line(w, "stp_map_clear(c, %s);", target->symbol->unique_name);
	} else {
		begin_statement(w, target);
		emit_keys(w, target->left->symbol, target->arguments, &keys);
		w->held = held;
		line(w, "stp_map_delete(c, %s, %s, %uu);", target->left->symbol->unique_name, use_keys(w, &keys),
		     keys.wildcards);
	}
}

static void emit_try(struct writer *w, struct statement *s)
{
	struct try_block block = open_try(w);

	emit_statement(w, s->body);
	begin_catch(w, &block, s->catch_variable ? variable_text(w, s->catch_variable->symbol) : "STP_NULL");
	if (s->otherwise)
		emit_statement(w, s->otherwise);
	close_try(w, &block);
}

/* ---- loops ------------------------------------------------------------------------------------------------------- */

static void push_loop(struct writer *w, struct loop *loop, enum loop_kind kind)
{
	loop->kind = kind;
	loop->label = w->labels++;
	loop->outer = w->loop;
	w->loop = loop;
}

static void pop_loop(struct writer *w)
{
	w->loop = w->loop->outer;
}

static void emit_loop_condition(struct writer *w, struct expr *condition)
{
	if (!condition)
		return;
	begin_statement(w, condition);
	open_block(w, "if (!%s)", emit_expr(w, condition));
	line(w, "break;");
	close_block(w);
}

static void emit_while(struct writer *w, struct statement *s)
{
	struct loop loop;

	push_loop(w, &loop, LOOP_PLAIN);
	open_block(w, "for (;;)");
	emit_charge(w, s, 1);
	emit_loop_condition(w, s->expr);
	emit_statement(w, s->body);
	close_block(w);
	pop_loop(w);
}

static void emit_for(struct writer *w, struct statement *s)
{
	struct loop loop;

	if (s->init) {
		begin_statement(w, s->init);
		emit_effects(w, s->init);
	}
	push_loop(w, &loop, LOOP_WITH_UPDATE);
	open_block(w, "for (;;)");
	emit_charge(w, s, 1);
	emit_loop_condition(w, s->expr);
	emit_statement(w, s->body);
	line(w, "continue%u: __attribute__((unused));", loop.label);
	if (s->update) {
		begin_statement(w, s->update);
		open_scope(w);
		emit_effects(w, s->update);
		close_block(w);
	}
	close_block(w);
	pop_loop(w);
}

static void emit_break(struct writer *w, struct statement *s)
{
	line(w, "break;");
}

static void emit_continue(struct writer *w, struct statement *s)
{
	if (w->loop->kind == LOOP_WITH_UPDATE)
		line(w, "goto continue%u;", w->loop->label);
	else
		line(w, "continue;");
}

static const char *sort_statistic(const struct statement *s)
{
	static const struct {
		const char *name, *constant;
	} statistics[] = {
		{"count", "STP_SORT_COUNT"}, {"sum", "STP_SORT_SUM"},	  {"min", "STP_SORT_MIN"},
		{"max", "STP_SORT_MAX"},     {"avg", "STP_SORT_AVERAGE"},
	};

	for (size_t i = 0; s->sort_statistic && i < G_N_ELEMENTS(statistics); i++)
		if (!strcmp(statistics[i].name, s->sort_statistic))
			return statistics[i].constant;
	return "STP_SORT_COUNT";
}

/* Set a loop variable for the current iteration. */
static void set_loop_variable(struct writer *w, const struct expr *variable, enum value_type type, const char *what)
{
	const char *text = variable_text(w, variable->symbol);

	if (type == TYPE_STRING)
		line(w, "stp_copy(%s, stp_map_order_%s);", text, what);
	else
		line(w, "%s = stp_map_order_%s;", text, what);
}

static void set_loop_variables(struct writer *w, const struct statement *s, const char *round)
{
	const struct symbol *array = s->array->symbol;
	const char *position = round;

	if (s->walk)
		position = arena_printf(w->t->arena, "stp_map_walk(%s, %d) + %s", array->unique_name, s->walk, round);
	for (guint i = 0; i < s->keys->len; i++) {
		enum value_type type = array->key_types[i];

		set_loop_variable(w, g_ptr_array_index(s->keys, i), type,
				  arena_printf(w->t->arena, "key_%s(%s, %s, %u)",
					       type == TYPE_STRING ? "string" : "long", array->unique_name, position,
					       i));
	}
	if (s->value)
		set_loop_variable(w, s->value, array->type,
				  arena_printf(w->t->arena, "value_%s(%s, %s)",
					       array->type == TYPE_STRING ? "string" : "long", array->unique_name,
					       position));
}

/* Emit the head of a loop over a histogram's buckets, sorted by count or by bucket. */
static void open_bucket_loop(struct writer *w, const struct statement *s, const char *place, const char *position,
			     const char *limit)
{
	const char *round = arena_printf(w->t->arena, "round_%s", position);
	int buckets = (int)histogram_buckets(s->array);

	line(w, "stp_long %s;", round);
	if (s->sort_direction && !s->sort_column) {
		line(w, "stp_long %s = -1, count_%s = 0;", position, position);
		open_block(w, "for (%s = 0; %s < %s && stp_histogram_next(c, %u, %s, %d, &%s, &count_%s); %s++)", round,
			   round, limit ?: "0x7fffffff", histogram_global(w, s->array), place, s->sort_direction,
			   position, position, round);
		return;
	}
	line(w, "stp_long %s = %d;", position, s->sort_direction < 0 ? buckets : -1);
	open_block(w, "for (%s = 0; %s < %d && %s < %s; %s++)", round, round, buckets, round, limit ?: "0x7fffffff",
		   round);
	line(w, "%s%s;", position, s->sort_direction < 0 ? "--" : "++");
}

/* Emit the limit of a foreach. Return NULL if it has none. */
static const char *emit_limit(struct writer *w, const struct statement *foreach)
{
	begin_statement(w, foreach->limit);
	return foreach->limit ? emit_expr(w, foreach->limit) : NULL;
}

/* Emit a foreach over the buckets of a histogram, whose numbers are the keys. */
static void emit_buckets(struct writer *w, struct statement *s)
{
	const char *position = arena_printf(w->t->arena, "i%u", w->temporaries++);
	const char *limit, *place;
	const struct expr *key = g_ptr_array_index(s->keys, 0);
	struct loop loop;

	if (!histogram_buckets(s->array))
		return;
	open_scope(w);
	limit = emit_limit(w, s);
	place = emit_expr(w, s->array);
	push_loop(w, &loop, LOOP_PLAIN);
	open_bucket_loop(w, s, place, position, limit);
	emit_charge(w, s, 1);
	line(w, "%s = %s;", variable_text(w, key->symbol), position);
	if (s->value)
		line(w, "%s = %s;", variable_text(w, s->value->symbol), bucket_text(w, s->array, place, position));
	emit_statement(w, s->body);
	close_block(w);
	pop_loop(w);
	close_block(w);
}

static void emit_elements(struct writer *w, struct statement *s)
{
	const char *array = s->array->symbol->unique_name;
	const char *slice = "STP_NULL", *limit, *count, *position;
	unsigned int held = w->held, number = w->temporaries++;
	struct key_values keys = {};
	struct loop loop;

	open_scope(w);
	limit = emit_limit(w, s);
	if (s->slice) {
		emit_keys(w, s->array->symbol, s->slice, &keys);
		slice = use_keys(w, &keys);
		w->held = held;
	}
	count = arena_printf(w->t->arena, "n%u", number);
	position = arena_printf(w->t->arena, "i%u", number);
	line(w, "stp_long %s = stp_map_order(c, %s, %d, %s, %uu, %d, %d, %s);", count, array, s->walk, slice,
	     keys.wildcards, s->sort_column, s->sort_direction * (s->sorts_ties_by_key ? 2 : 1), sort_statistic(s));
	line(w, "stp_long %s;", position);
	if (limit) {
		line(w, "if (%s > %s)", count, limit);
		line(w, "\t%s = %s;", count, limit);
	}
	push_loop(w, &loop, LOOP_PLAIN);
	open_block(w, "for (%s = 0; %s < %s; %s++)", position, position, count, position);
	emit_charge(w, s, 1);
	set_loop_variables(w, s, position);
	emit_statement(w, s->body);
	close_block(w);
	pop_loop(w);
	close_block(w);
}

static void emit_foreach(struct writer *w, struct statement *s)
{
	if (s->array->kind == EXPR_HISTOGRAM)
		emit_buckets(w, s);
	else
		emit_elements(w, s);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static void emit_nothing(struct writer *w, struct statement *s)
{
}

typedef void (*statement_emitter)(struct writer *w, struct statement *s);

static const statement_emitter emitters[STATEMENT_KIND_COUNT_] = {
	[STATEMENT_EMPTY] = emit_nothing,
	[STATEMENT_EXPR] = emit_expr_statement,
	[STATEMENT_BLOCK] = emit_block_statement,
	[STATEMENT_IF] = emit_if,
	[STATEMENT_WHILE] = emit_while,
	[STATEMENT_FOR] = emit_for,
	[STATEMENT_FOREACH] = emit_foreach,
	[STATEMENT_RETURN] = emit_return,
	[STATEMENT_NEXT] = emit_next,
	[STATEMENT_BREAK] = emit_break,
	[STATEMENT_CONTINUE] = emit_continue,
	[STATEMENT_DELETE] = emit_delete,
	[STATEMENT_TRY] = emit_try,
	[STATEMENT_EMBEDDED] = emit_embedded,
};

/*
 * STP_EXECTRACE: report the statement before it runs, if it is the user's. The report is a record for staprun, because
 * writing to the kernel's log is not possible in every context of a probe.
 */
static void emit_trace(struct writer *w, const struct statement *s)
{
	struct location at = s->location;
	g_autofree char *source = NULL;
	const char *text;

	if (!w->t->limits.exec_trace || s->kind == STATEMENT_BLOCK || s->kind == STATEMENT_EMPTY || !at.file ||
	    at.file->is_tapset)
		return;
	at.length = INT_MAX; /* to the end of the line */
	source = location_text(&at);
	text = arena_printf(w->t->arena, "trace: %s:%d:%d: %s", at.file->name, at.line, at.column, source ?: "");
	line(w, "stp_message(c, %s);", c_string(w->t->arena, text, strlen(text)));
}

void emit_statement(struct writer *w, struct statement *s)
{
	bool scoped = s->kind != STATEMENT_BLOCK && s->kind != STATEMENT_EMPTY;

	g_assert(emitters[s->kind]);
	/* A block limits the scope of temporaries to the statement, which makes stack frames smaller. */
	emit_lock(w, s);
	emit_trace(w, s);
	if (scoped)
		open_scope(w);
	emitters[s->kind](w, s);
	if (scoped)
		close_block(w);
	emit_unlock(w, s);
}
