// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Clauses and statements of D. A clause becomes
 *
 *     try { if (predicate) { head; actions; tail } } catch (error) { report it as dtrace does }
 *
 * so an error ends only the clause. A clause that cannot fail has no `try`. The statements of a clause that "if"
 * separates form groups; each group that records data prints its own line, as D does it.
 */
#include "translator/dlang/attributes.h"
#include "translator/dlang/lower.h"

#include <string.h>

#include "common/base/i18n.h"

void d_emit(struct d_lowering *l, struct statement *statement)
{
	g_ptr_array_add(l->block->statements, statement);
}

void d_emit_expr(struct d_lowering *l, struct expr *expr)
{
	d_emit(l, build_expr_statement(l->arena, expr));
}

struct statement *d_if(struct d_lowering *l, struct expr *condition, struct statement *body)
{
	struct statement *s = statement_new(l->arena, STATEMENT_IF, &condition->location);

	s->expr = condition;
	s->body = body;
	return s;
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

static bool lower_block(struct d_lowering *l, const GPtrArray *statements);

static bool lower_if(struct d_lowering *l, const struct d_statement *s)
{
	struct expr *condition = d_lower_condition(l, s->expression);
	const struct d_statement *const parts[] = {s->then, s->otherwise};
	struct statement *result, *outer = l->block;

	if (!condition)
		return false;
	result = d_if(l, condition, NULL);
	d_emit(l, result);
	for (int i = 0; i < 2 && parts[i]; i++) {
		g_autoptr(GPtrArray) one = g_ptr_array_new();

		g_ptr_array_add(one, (void *)parts[i]);
		l->block = build_block(l->arena, &parts[i]->location);
		*(i ? &result->otherwise : &result->body) = l->block;
		if (!lower_block(l, one))
			return false;
		l->block = outer;
	}
	return true;
}

/* In d_action, the offset of an action in its clause is above its number. */
enum { ACTION_BITS = 16, ACTION_MASK = (1 << ACTION_BITS) - 1 };

static int64_t location_offset(const struct location *at)
{
	const char *line = at->file->text;

	for (int i = 1; i < at->line; i++)
		line = (strchr(line, '\n') ?: line - 1) + 1;
	return line - at->file->text + at->column - 1;
}

/* Does an expression change something, so that it makes sense as a statement? */
static bool has_effect(const struct d_node *node)
{
	return node->kind == D_ASSIGN || node->kind == D_INCREMENT || node->kind == D_CALL || node->kind == D_COMMA ||
	       node->kind == D_DEREFERENCE || node->kind == D_MEMBER || node->kind == D_CAST;
}

/* Is it `self->x = 0` or `array[key] = 0`, which frees the variable? */
static bool frees_variable(const struct d_node *node)
{
	const struct d_node *base = node->left;

	if (node->kind != D_ASSIGN || node->op != OP_NONE || node->right->kind != D_NUMBER || node->right->number)
		return false;
	return base->kind == D_SELF ||
	       (base->kind == D_INDEX && (base->left->kind == D_SELF || base->left->kind == D_NAME));
}

/* Emit an assignment; one that frees a variable deletes its element of the array. */
static void emit_value(struct d_lowering *l, const struct d_node *node, struct expr *value)
{
	struct statement *s = build_expr_statement(l->arena, value);

	if (frees_variable(node) && value->kind == EXPR_ASSIGN && value->left->kind == EXPR_INDEX) {
		s->kind = STATEMENT_DELETE;
		s->expr = value->left;
	}
	d_emit(l, s);
}

/* Note the number and place of the action that begins, for messages about errors. */
static void note_action(struct d_lowering *l, const struct location *at)
{
	int64_t offset = MAX(0, location_offset(at) - location_offset(&l->clause->location));

	l->action++;
	d_emit(l, d_template(l->d, at,
			     arena_printf(l->arena, "d_action = %lld",
					  (long long)(offset << ACTION_BITS | MIN(l->action, ACTION_MASK)))));
}

static bool lower_statement_expression(struct d_lowering *l, const struct d_node *node)
{
	struct d_value value;
	bool is_action;

	if (node->kind == D_COMMA)
		return lower_statement_expression(l, node->left) && lower_statement_expression(l, node->right);
	note_action(l, &node->location);
	if (!d_check_order(l, node))
		return false;
	if (node->kind == D_ASSIGN && node->left->kind == D_AGGREGATION)
		return d_aggregate(l, node);
	if (!d_action(l, node, &is_action))
		return false;
	if (is_action)
		return true;
	if (node->kind == D_AGGREGATION)
		return d_fail(l, &node->location, "D_AGG_NULL", _("expression has null effect: @%s"), node->text);
	if (!has_effect(node) && node->kind != D_AGGREGATION && !d_lower(l, node, &value))
		return false;
	if (!has_effect(node))
		return d_fail(l, &node->location, "D_EXPR_NULL", _("expression has null effect"));
	if (!d_lower(l, node, &value))
		return false;
	/* A read may fail, which is an effect. */
	if (!value.expr && !value.is_void && !value.translator && !d_is_struct(value.type)) {
		value.expr = d_read(l, &node->location, &value);
		if (!value.expr)
			return false;
		value.expr = build_call(l->arena, &node->location, "__dtrace_evaluate", value.expr);
	}
	if (value.expr)
		emit_value(l, node, value.expr);
	return true;
}

/* Does the line of the clause begin only after this statement? The text that commit() prints has lines of its own. */
static bool is_before_line(const struct d_statement *s)
{
	return s->kind == D_EXPRESSION && s->expression->kind == D_CALL &&
	       (!strcmp(s->expression->text, "speculate") || !strcmp(s->expression->text, "commit"));
}

/* Do the statements from index @from up to the next "if" record data? */
static bool group_records(const GPtrArray *statements, guint from)
{
	for (guint i = from; i < statements->len; i++) {
		const struct d_statement *s = g_ptr_array_index(statements, i);

		if (s->kind == D_IF)
			return false;
		if (s->kind == D_EXPRESSION && d_records(s->expression))
			return true;
	}
	return false;
}

/* Does the line of the group of statements from index @from on begin later than the group? */
static bool group_waits(const GPtrArray *statements, guint from)
{
	for (guint i = from; i < statements->len; i++) {
		const struct d_statement *s = g_ptr_array_index(statements, i);

		if (s->kind == D_IF)
			return false;
		if (is_before_line(s))
			return true;
	}
	return false;
}

/* Collect the statements of nested blocks into one list. */
static void flatten(const GPtrArray *statements, GPtrArray *ret)
{
	for_each_ptr(struct d_statement *, s, statements) {
		if (s->kind == D_BLOCK)
			flatten(s->statements, ret);
		else
			g_ptr_array_add(ret, s);
	}
}

static bool lower_flat(struct d_lowering *l, const GPtrArray *statements)
{
	bool in_group = false, records = false;
	const struct d_statement *last = NULL;

	for (guint i = 0; i < statements->len; i++) {
		const struct d_statement *s = g_ptr_array_index(statements, i);

		if (s->kind == D_IF && records)
			d_print_tail(l, &s->location);
		if (s->kind == D_IF)
			in_group = records = false;
		if (s->kind != D_IF && !in_group) {
			in_group = true;
			records = group_records(statements, i);
			if (records && !group_waits(statements, i))
				d_print_head(l, &s->location);
		}
		if (!(s->kind == D_IF ? lower_if(l, s) : lower_statement_expression(l, s->expression)))
			return false;
		if (records && is_before_line(s))
			d_print_head(l, &s->location);
		last = s;
	}
	if (records)
		d_print_tail(l, &last->location);
	return true;
}

static bool lower_block(struct d_lowering *l, const GPtrArray *statements)
{
	g_autoptr(GPtrArray) flat = g_ptr_array_new();

	flatten(statements, flat);
	return lower_flat(l, flat);
}

/* ---- clauses ----------------------------------------------------------------------------------------------------- */

/* The default action prints the line of the probe. */
static void default_action(struct d_lowering *l)
{
	d_print_head(l, &l->clause->location);
	d_print_tail(l, &l->clause->location);
}

static bool is_empty(const struct d_clause *clause)
{
	g_autoptr(GPtrArray) flat = NULL;

	if (!clause->body)
		return true;
	flat = g_ptr_array_new();
	flatten(clause->body->statements, flat);
	return !flat->len;
}

static struct expr *lower_predicate(struct d_lowering *l, const struct d_node *node)
{
	struct d_value value;

	if (!d_lower(l, node, &value))
		return NULL;
	if (value.is_void || !(d_is_integer(value.type) || d_is_address(value.type)) || d_is_stack(value.type)) {
		d_fail(l, &node->location, "D_PRED_SCALAR",
		       _("predicate result must be an integer or a pointer, not '%s'"),
		       value.is_void ? "void" : value.type->spelling);
		return NULL;
	}
	return d_read(l, &node->location, &value);
}

static bool lower_body(struct d_lowering *l)
{
	struct statement *outer = l->block, *body = build_block(l->arena, &l->clause->location);
	struct expr *condition = NULL;
	bool good = true;

	if (l->d->options.cpu >= 0 && strcmp(l->place->provider->name, "dtrace")) {
		struct expr *here = build_call(l->arena, &l->clause->location, "cpu", NULL);

		body = build_block(l->arena, &l->clause->location);
		d_emit(l, d_if(l,
			       build_binary(l->arena, OP_EQUAL, here,
					    build_number(l->arena, &l->clause->location, l->d->options.cpu)),
			       body));
		l->block = body;
		body = build_block(l->arena, &l->clause->location);
	}
	if (l->clause->predicate) {
		condition = lower_predicate(l, l->clause->predicate);
		if (!condition)
			return false;
		d_emit(l, d_if(l, condition, body));
		l->block = body;
	}
	if (is_empty(l->clause))
		default_action(l);
	else
		good = lower_block(l, l->clause->body->statements);
	l->block = outer;
	return good;
}

static struct expr *local(struct d_lowering *l, const char *name, enum value_type type)
{
	return d_symbol_expr(l, &l->clause->location, name, type);
}

/* Return "PROVIDER:MODULE:FUNCTION:NAME". */
static struct expr *place_name(struct d_lowering *l)
{
	const struct location *at = &l->clause->location;
	g_autoptr(GString) name = g_string_new(NULL);
	struct expr *whole = expr_new(l->arena, EXPR_CONCAT, at);

	for (int i = D_PROVIDER + 1; i < D_PART_COUNT_; i++)
		g_string_append_printf(name, ":%s", l->place->parts[i] ?: "");
	whole->op = OP_CONCAT;
	whole->left = d_provider_name(l, at);
	whole->right = build_string(l->arena, at, arena_strdup(l->arena, name->str));
	whole->type = TYPE_STRING;
	return whole;
}

/* Return __dtrace_report(d_error, enabling, id, name, d_action). */
static struct expr *report_call(struct d_lowering *l)
{
	const struct location *at = &l->clause->location;
	struct expr *call = build_call(l->arena, at, "__dtrace_report", local(l, "d_error", TYPE_STRING));

	g_ptr_array_add(call->arguments, build_number(l->arena, at, l->enabling));
	g_ptr_array_add(call->arguments, build_number(l->arena, at, l->place->id));
	g_ptr_array_add(call->arguments, place_name(l));
	g_ptr_array_add(call->arguments, local(l, "d_action", TYPE_LONG));
	return call;
}

/* Return __dtrace_keep_error(d_error, enabling, d_action). */
static struct expr *keep_call(struct d_lowering *l)
{
	const struct location *at = &l->clause->location;
	struct expr *call = build_call(l->arena, at, "__dtrace_keep_error", local(l, "d_error", TYPE_STRING));

	g_ptr_array_add(call->arguments, build_number(l->arena, at, l->enabling));
	g_ptr_array_add(call->arguments, local(l, "d_action", TYPE_LONG));
	return call;
}

/* Return the statements that report an error of the clause and run the ERROR clauses. */
static struct statement *clause_failure(struct d_lowering *l)
{
	const struct location *at = &l->clause->location;
	const struct d_place *place = l->place;
	struct statement *block = build_block(l->arena, at), *outer = l->block;

	l->block = block;
	d_emit_expr(l, report_call(l));
	/* An error in an ERROR clause is only reported. */
	if (l->in_error || !l->d->error_clauses->len) {
		l->block = outer;
		return block;
	}
	d_emit_expr(l, keep_call(l));
	for_each_ptr(const struct d_clause *, clause, l->d->error_clauses) {
		struct d_place error_place = *place;
		struct statement *body;

		error_place.body = build_block(l->arena, at);
		error_place.id = 3;
		error_place.parts[D_PROVIDER] = "dtrace";
		error_place.parts[D_MODULE] = error_place.parts[D_FUNCTION] = "";
		error_place.parts[D_PROBE_NAME] = "ERROR";
		d_lower_error_clause(l->d, clause, &error_place);
		body = error_place.body;
		d_emit(l, body);
	}
	l->block = outer;
	return block;
}

/* Library functions that cause no error at run time. Built-in variables become calls of them. */
static const struct {
	const char *name;
	bool changes; /* two calls in a handler may differ */
} safe_functions[] = {{"cpu"},
		      {"execname"},
		      {"gettimeofday_ns", true},
		      {"gid"},
		      {"ktime_get_ns", true},
		      {"pid"},
		      {"ppid"},
		      {"target"},
		      {"tid"},
		      {"uid"}};

static bool is_safe_function(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(safe_functions); i++)
		if (!strcmp(name, safe_functions[i].name))
			return true;
	return false;
}

/* Does the function return the same value during a handler, without any effect? */
static bool is_constant_function(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(safe_functions); i++)
		if (!strcmp(name, safe_functions[i].name))
			return !safe_functions[i].changes;
	return false;
}

/* An expr_visitor: note in @data, a bool, if evaluating the expression twice may differ from once. */
static void check_effects(struct expr **expr, void *data)
{
	const struct expr *e = *expr;
	bool *has_effects = data;

	*has_effects |= e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT ||
			(e->kind == EXPR_CALL && !is_constant_function(e->text));
}

bool d_has_effects(struct expr *e)
{
	bool has_effects = false;

	expr_walk(&e, check_effects, &has_effects);
	return has_effects;
}

/* The question whether expressions are safe, and its answer. */
struct safety {
	const struct d_translation *d;
	bool is_safe;
};

/* An expr_visitor: note in @data, a struct safety, if the expression itself may cause an error at run time. */
static void check_safe(struct expr **expr, void *data)
{
	const struct expr *e = *expr;
	struct safety *safety = data;

	switch (e->kind) {
	case EXPR_NUMBER:
	case EXPR_STRING:
	case EXPR_SYMBOL:
	case EXPR_UNARY:
	case EXPR_COMPARE:
	case EXPR_LOGICAL:
	case EXPR_CONDITIONAL:
	case EXPR_INCREMENT:
		return;
	case EXPR_BINARY:
	case EXPR_ASSIGN:
		safety->is_safe = safety->is_safe && e->op != OP_DIVIDE && e->op != OP_MODULO;
		return;
	case EXPR_INDEX: /* others may exceed the size of the array */
		safety->is_safe = safety->is_safe && d_is_keyless_aggregation(safety->d, e);
		return;
	case EXPR_CALL:
		safety->is_safe = safety->is_safe && is_safe_function(e->text);
		return;
	default:
		safety->is_safe = false;
	}
}

/*
 * Can the statements of a clause cause no error? Then they need no `try`, whose `catch` prints. A handler that only
 * counts is a counter handler, which costs a fifth of another.
 */
static bool is_safe(const struct d_translation *d, struct statement *s)
{
	struct safety safety = {d, true};

	switch (s->kind) {
	case STATEMENT_BLOCK:
		for_each_ptr(struct statement *, one, s->statements)
			safety.is_safe = safety.is_safe && is_safe(d, one);
		return safety.is_safe;
	case STATEMENT_IF:
		expr_walk(&s->expr, check_safe, &safety);
		return safety.is_safe && is_safe(d, s->body) && (!s->otherwise || is_safe(d, s->otherwise));
	case STATEMENT_EXPR:
		expr_walk(&s->expr, check_safe, &safety);
		return safety.is_safe;
	default:
		return s->kind == STATEMENT_EMPTY;
	}
}

/* Return the clause with its `try`, and with what its statements need before and after them. */
static struct statement *attempt(struct d_lowering *l, struct statement *body)
{
	const struct location *at = &l->clause->location;
	struct statement *attempt = statement_new(l->arena, STATEMENT_TRY, at);

	g_ptr_array_insert(body->statements, 0, d_template(l->d, at, "d_action = 1"));
	g_ptr_array_insert(body->statements, 0,
			   build_expr_statement(l->arena, build_call(l->arena, at, "__dtrace_begin", NULL)));
	if (l->uses_scratch)
		g_ptr_array_insert(body->statements, 0,
				   build_expr_statement(l->arena,
							build_call(l->arena, at, "__dtrace_scratch_begin", NULL)));
	if (l->speculates)
		d_emit(l,
		       d_template(l->d, at,
				  "if (d_speculation) { __dtrace_speculated(d_speculation - 1); d_speculation = 0 }"));
	attempt->body = body;
	attempt->catch_variable = local(l, "d_error", TYPE_STRING);
	attempt->otherwise = clause_failure(l);
	return attempt;
}

static void lower_one(struct d_lowering *l)
{
	struct statement *body = l->block = build_block(l->arena, &l->clause->location);

	if (!d_use_probe(l) || !lower_body(l))
		return;
	g_ptr_array_add(l->place->body->statements, is_safe(l->d, body) ? body : attempt(l, body));
}

void d_lower_error_clause(struct d_translation *d, const struct d_clause *clause, struct d_place *place)
{
	struct d_lowering l = {.d = d,
			       .t = d->t,
			       .arena = d->arena,
			       .place = place,
			       .clause = clause,
			       .in_error = true,
			       .enabling = d->error_enabling};

	lower_one(&l);
}

/* Number a clause at a probe. The number is the same at all places of the probe. */
static unsigned int number_enabling(struct d_translation *d, const struct d_clause *clause, struct d_place *place)
{
	struct d_place *first = place->first;

	if (place == first || first->last_clause != clause) {
		first->last_clause = clause;
		first->last_enabling = ++d->enablings;
	}
	return first->last_enabling;
}

void d_lower_clause(struct d_translation *d, const struct d_clause *clause, struct d_place *place)
{
	struct d_lowering l = {.d = d,
			       .t = d->t,
			       .arena = d->arena,
			       .place = place,
			       .clause = clause,
			       .enabling = number_enabling(d, clause, place)};

	lower_one(&l);
}
