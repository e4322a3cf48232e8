// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Find the handlers of probes in programs that may be restarted. If a handler reads process memory that is not in RAM
 * while it holds locks, the runtime aborts it, faults the page in, and runs it again (stp_probe.restarts in
 * runtime/abi/layout.h). So before its last read, it must have no lasting effect: no global written, nothing printed,
 * no call with an effect.
 *
 * The handler is visited in the order of evaluation, including called functions. Loops are visited twice, since the end
 * of one iteration precedes the next.
 */
#include "translator/emit/fault_retry.h"

#include <string.h>

#include "translator/sema/embedded.h"

enum { DEEPEST_CALLS = 16 };

struct restart_search {
	bool acts; /* there may have been a lasting effect */
	bool fails; /* memory may be read after a lasting effect */
	int depth; /* of calls */
};

static void go_through(struct statement *s, struct restart_search *search);

static void note_read(struct restart_search *search)
{
	search->fails |= search->acts;
}

/* Note embedded C. The order of its effects and reads is unknown: assume that effects come first. */
static void note_code(const char *code, struct restart_search *search)
{
	search->acts |= !embedded_says(code, "pure");
	if (strstr(code, "user"))
		note_read(search);
}

static bool is_of_global(const struct expr *e)
{
	while (e->kind == EXPR_INDEX)
		e = e->left;
	return e->kind != EXPR_SYMBOL || e->symbol->is_global;
}

static void note_call(const struct expr *call, struct restart_search *search)
{
	if (search->depth == DEEPEST_CALLS || !call->overloads) {
		search->fails = true;
		return;
	}
	search->depth++;
	for_each_ptr(const struct function_declaration *, function, call->overloads)
		go_through(function->body, search);
	search->depth--;
}

/* Note a print. Directives for memory print while they read. */
static void note_print(const struct expr *e, struct restart_search *search)
{
	search->acts |= e->destination == PRINT_STREAM;
	for (guint i = 0; e->format && i < e->format->len; i++) {
		const struct format_part *part = g_ptr_array_index(e->format, i);

		if (part->kind == FORMAT_MEMORY || part->kind == FORMAT_MEMORY_HEX)
			note_read(search);
	}
}

static void note_expression(struct expr **expr, void *data)
{
	struct restart_search *search = data;
	const struct expr *e = *expr;

	switch (e->kind) {
	case EXPR_ASSIGN:
		search->acts |= is_of_global(e->left);
		break;
	case EXPR_INCREMENT:
		search->acts |= is_of_global(e->operand);
		break;
	case EXPR_STORE:
		search->acts = true;
		break;
	case EXPR_PRINT:
		note_print(e, search);
		break;
	case EXPR_CALL:
		note_call(e, search);
		break;
	case EXPR_EMBEDDED:
		note_code(e->text, search);
		break;
	case EXPR_LOAD:
		if (e->user_space)
			note_read(search);
		break;
	case EXPR_ADDRESS:
	case EXPR_THREAD_POINTER: /* reads a build-id to compare it */
		note_read(search);
		break;
	default:
		break;
	}
}

static void walk(struct expr **expr, struct restart_search *search)
{
	if (*expr)
		expr_walk(expr, note_expression, search);
}

static void walk_all(GPtrArray *exprs, struct restart_search *search)
{
	for (guint i = 0; exprs && i < exprs->len; i++)
		walk((struct expr **)&exprs->pdata[i], search);
}

static void go_through_once(struct statement *s, struct restart_search *search)
{
	walk(&s->init, search);
	walk(&s->expr, search);
	walk(&s->limit, search);
	walk_all(s->slice, search);
	go_through(s->body, search);
	for_each_ptr(struct statement *, child, s->statements)
		go_through(child, search);
	walk(&s->update, search);
	go_through(s->otherwise, search);
}

static void go_through(struct statement *s, struct restart_search *search)
{
	bool is_loop;

	if (!s || search->fails)
		return;
	is_loop = s->kind == STATEMENT_WHILE || s->kind == STATEMENT_FOR || s->kind == STATEMENT_FOREACH;
	go_through_once(s, search);
	if (is_loop)
		go_through_once(s, search);
	if (s->kind == STATEMENT_EMBEDDED)
		note_code(s->code, search);
	search->acts |= s->kind == STATEMENT_DELETE;
}

bool handler_restarts(const struct derived_probe *probe)
{
	struct restart_search search = {}, at_entry = {};

	go_through(probe->body, &search);
	walk_all(probe->entry_values, &at_entry);
	return !search.fails && !at_entry.fails && !at_entry.acts;
}
