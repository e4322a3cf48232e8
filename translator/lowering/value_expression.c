// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Conversion of debuginfo's values into expressions of the language. A tree over registers and memory becomes a tree of
 * loads, shifts and additions, which the optimizer and the emitter handle like any other.
 */
#include "translator/lowering/target.h"

#include "translator/probes/function_probes.h"
#include "translator/sema/builder.h"

/* The tapset function that raises the error for an unknown caller. */
#define UNKNOWN_CALLER "__unknown_caller"

static const enum expr_operator operators[VALUE_OPERATION_COUNT_] = {
	/* others: calls of functions */
	[VALUE_ADD] = OP_ADD,
	[VALUE_SUBTRACT] = OP_SUBTRACT,
	[VALUE_MULTIPLY] = OP_MULTIPLY,
	[VALUE_DIVIDE] = OP_DIVIDE,
	[VALUE_REMAINDER] = OP_MODULO,
	[VALUE_AND] = OP_AND,
	[VALUE_OR] = OP_OR,
	[VALUE_XOR] = OP_XOR,
	[VALUE_SHIFT_LEFT] = OP_SHIFT_LEFT,
	[VALUE_SHIFT_RIGHT] = OP_SHIFT_RIGHT_LOGICAL,
	[VALUE_SHIFT_RIGHT_ARITHMETIC] = OP_SHIFT_RIGHT,
	[VALUE_EQUAL] = OP_EQUAL,
	[VALUE_NOT_EQUAL] = OP_NOT_EQUAL,
	[VALUE_LESS] = OP_LESS,
	[VALUE_LESS_EQUAL] = OP_LESS_EQUAL,
	[VALUE_GREATER] = OP_GREATER,
	[VALUE_GREATER_EQUAL] = OP_GREATER_EQUAL,
	[VALUE_LESS_UNSIGNED] = OP_LESS,
	[VALUE_LESS_EQUAL_UNSIGNED] = OP_LESS_EQUAL,
	[VALUE_GREATER_UNSIGNED] = OP_GREATER,
	[VALUE_GREATER_EQUAL_UNSIGNED] = OP_GREATER_EQUAL,
	[VALUE_NEGATE] = OP_NEGATE,
	[VALUE_COMPLEMENT] = OP_COMPLEMENT,
};

/* Build an unsigned comparison, division or remainder: the language's own numbers are signed. */
static struct expr *unsigned_binary(struct arena *arena, const struct location *at, enum value_operation operation,
				    struct expr *left, struct expr *right)
{
	struct expr *call;

	if (operation != VALUE_DIVIDE_UNSIGNED && operation != VALUE_REMAINDER_UNSIGNED)
		return build_binary(arena, operators[operation],
				    build_binary(arena, OP_XOR, left, build_number(arena, at, INT64_MIN)),
				    build_binary(arena, OP_XOR, right, build_number(arena, at, INT64_MIN)));
	call = build_call(arena, at,
			  operation == VALUE_DIVIDE_UNSIGNED ? "__unsigned_quotient" : "__unsigned_remainder", left);
	g_ptr_array_add(call->arguments, right);
	return call;
}

static bool is_unsigned(enum value_operation operation)
{
	return operation == VALUE_DIVIDE_UNSIGNED || operation == VALUE_REMAINDER_UNSIGNED ||
	       (operation >= VALUE_LESS_UNSIGNED && operation <= VALUE_GREATER_EQUAL_UNSIGNED);
}

/* Return whether both are restricted to the same processes; NULL means all. */
static bool same_processes(const struct stp_details *a, const struct stp_details *b)
{
	static const struct stp_details all;

	a = a ?: &all;
	b = b ?: &all;
	return a->process == b->process && a->of_target == b->of_target && !g_strcmp0(a->program, b->program);
}

/* Return the call recorder of the probe's function. An inlined instance has no entry, so its container's is used. */
static struct call_recorder *recorder_of(struct lowering *l)
{
	bool of_program = debuginfo_memory(l->debuginfo) == MEMORY_USER;
	const struct stp_details *details = of_program ? l->probe->registration.details : NULL;
	const struct function *function = l->probe->function;
	struct call_recorder *recorder;

	if (function->is_inlined && function->container)
		function = function->container;
	if (!l->t->recorders)
		l->t->recorders = arena_ptr_array(l->t->arena);
	for_each_ptr(struct call_recorder *, known, l->t->recorders) {
		if (known->function->debuginfo == function->debuginfo &&
		    known->function->entry.value == function->entry.value &&
		    !g_strcmp0(known->function->entry.section, function->entry.section) &&
		    same_processes(known->details, details))
			return known;
	}
	recorder = arena_new0(l->t->arena, struct call_recorder);
	recorder->function = function;
	recorder->details = details;
	recorder->text = function_point_text(l->t, function, function->name);
	g_ptr_array_add(l->t->recorders, recorder);
	return recorder;
}

/*
 * Return the local variable that caches the return address of the probed function. All values of a handler share it,
 * because a probe has one frame.
 */
static struct expr *kept_caller(struct lowering *l)
{
	struct expr *local = expr_new(l->t->arena, EXPR_SYMBOL, &l->target->location);

	local->text = "__caller";
	local->is_of_translator = true;
	local->type = TYPE_LONG;
	return local;
}

/* Return whether a program or library is the object that contains the probe. */
static bool is_own_object(const struct derived_probe *probe, const struct debuginfo *debuginfo)
{
	return probe && debuginfo_memory(debuginfo) == MEMORY_USER && probe->registration.debuginfo == debuginfo;
}

struct expr *address_expression(struct translation *t, const struct derived_probe *probe, const struct location *at,
				struct debuginfo *debuginfo, const struct address *address)
{
	struct expr *e = build_address(t->arena, at, debuginfo, address);

	e->in_own_object = is_own_object(probe, debuginfo);
	return e;
}

struct expr *lower_return_address(struct translation *t, struct derived_probe *probe, const struct location *at,
				  struct debuginfo *debuginfo, const struct value *address, const struct value *call)
{
	bool is_user = debuginfo_memory(debuginfo) == MEMORY_USER;
	struct expr *e;

	if (!call)
		return lower_value(t, probe, at, debuginfo, address);
	e = lower_value(t, probe, at, debuginfo, call);
	if (debuginfo_abi(debuginfo)->return_address_size)
		return build_call(t->arena, at, is_user ? "__user_return_address" : "__return_address", e);
	e = build_call(t->arena, at, is_user ? "__user_link_address" : "__link_address", e);
	g_ptr_array_add(e->arguments, lower_value(t, probe, at, debuginfo, address));
	return e;
}

/* Build (kept || (kept = return address)), which is false if the address cannot be read. */
static struct expr *keep_caller(struct lowering *l, const struct value *value)
{
	struct arena *arena = l->t->arena;
	const struct location *at = &l->target->location;
	struct expr *assign = expr_new(arena, EXPR_ASSIGN, at);

	assign->left = kept_caller(l);
	assign->right = lower_return_address(l->t, l->probe, at, l->debuginfo, value->right, value->left);
	assign->type = TYPE_LONG;
	return build_logical(arena, OP_LOGICAL_OR, kept_caller(l), assign);
}

/* Build the test whether the cached return address is one of a caller's. */
static struct expr *was_called_by(struct lowering *l, const struct caller_value *caller)
{
	struct arena *arena = l->t->arena;
	struct expr *any = NULL;

	for_each_ptr(const struct value *, address, caller->return_addresses) {
		struct expr *one = build_binary(arena, OP_EQUAL, kept_caller(l), value_expression(l, address));

		any = any ? build_logical(arena, OP_LOGICAL_OR, any, one) : one;
	}
	return any;
}

/* Build (is a known caller ? is first ? its value : is second ? its value : the last one's value : error). */
static struct expr *by_caller(struct lowering *l, const struct value *value)
{
	struct arena *arena = l->t->arena;
	struct expr *known = NULL, *choice = NULL, *unknown;

	for (guint i = value->callers->len; i-- > 0;) {
		const struct caller_value *caller = g_ptr_array_index(value->callers, i);
		struct expr *its_value = value_expression(l, caller->value), *is_it = was_called_by(l, caller);

		choice = choice ? build_conditional(arena, expr_copy(arena, is_it), its_value, choice) : its_value;
		known = known ? build_logical(arena, OP_LOGICAL_OR, is_it, known) : is_it;
	}
	known = build_logical(arena, OP_LOGICAL_AND, keep_caller(l, value), known);
	unknown = l->t->options->skip_bad_variables
			  ? build_number(arena, &known->location, 0)
			  : build_call(arena, &known->location, UNKNOWN_CALLER, kept_caller(l));
	return build_conditional(arena, known, choice, unknown);
}

struct expr *save_at_entry(struct lowering *l, struct expr *value)
{
	GPtrArray *saved = l->probe->entry_values;
	const char *text = expr_text(l->t->arena, value);
	struct expr *e = expr_new(l->t->arena, EXPR_ENTRY_VALUE, &l->target->location);
	guint slot;

	for (slot = 0; slot < saved->len; slot++)
		if (!strcmp(text, expr_text(l->t->arena, g_ptr_array_index(saved, slot))))
			break;
	if (slot == saved->len)
		g_ptr_array_add(saved, value);
	e->number = slot;
	e->type = value->type;
	e->c_type = value->c_type;
	return e;
}

struct expr *value_expression(struct lowering *l, const struct value *value)
{
	struct arena *arena = l->t->arena;
	const struct location *at = &l->target->location;
	struct expr *e;

	switch (value->kind) {
	case VALUE_CONSTANT:
		return build_number(arena, at, value->constant);
	case VALUE_THREAD_POINTER:
		e = expr_new(arena, EXPR_THREAD_POINTER, at);
		e->object = l->debuginfo;
		e->module = debuginfo_module_name(l->debuginfo);
		e->in_own_object = is_own_object(l->probe, l->debuginfo);
		e->type = TYPE_LONG;
		return e;
	case VALUE_ADDRESS:
		return address_expression(l->t, l->probe, at, l->debuginfo,
					  &(struct address){value->constant, value->section});
	case VALUE_THIS_CPU:
		return build_call(arena, at, "__percpu_offset", build_number(arena, at, -1));
	case VALUE_REGISTER:
		e = expr_new(arena, EXPR_PROBE_REGISTER, at);
		e->number = value->constant;
		e->type = TYPE_LONG;
		if (l->probe && !l->t->kernel.abi->is_saved_at_entry((unsigned int)value->constant))
			l->probe->uses_registers = true;
		return e;
	case VALUE_ENTRY_REGISTER:
		e = expr_new(arena, EXPR_ENTRY_REGISTER, at);
		e->number = value->constant;
		e->operand = value_expression(l, value->left);
		e->recorder = recorder_of(l);
		e->user_space = debuginfo_memory(l->debuginfo) == MEMORY_USER;
		e->type = TYPE_LONG;
		return e;
	case VALUE_AT_ENTRY:
		return save_at_entry(l, value_expression(l, value->left));
	case VALUE_LOAD:
		e = build_load(arena, value_expression(l, value->left), value->size, false);
		e->user_space = value->memory == MEMORY_USER;
		return e;
	case VALUE_SELECT:
		return build_conditional(arena, value_expression(l, value->condition), value_expression(l, value->left),
					 value_expression(l, value->right));
	case VALUE_BY_CALLER:
		return by_caller(l, value);
	case VALUE_CONVERT:
		return build_convert(arena, value_expression(l, value->left), value->size, value->is_signed);
	case VALUE_UNARY:
		e = expr_new(arena, EXPR_UNARY, at);
		e->op = operators[value->operation];
		e->operand = value_expression(l, value->left);
		e->type = TYPE_LONG;
		return e;
	case VALUE_BINARY:
		if (is_unsigned(value->operation))
			return unsigned_binary(arena, at, value->operation, value_expression(l, value->left),
					       value_expression(l, value->right));
		return build_binary(arena, operators[value->operation], value_expression(l, value->left),
				    value_expression(l, value->right));
	}
	return NULL;
}

struct expr *lower_value(struct translation *t, struct derived_probe *probe, const struct location *at,
			 struct debuginfo *debuginfo, const struct value *value)
{
	struct lowering l = {.t = t, .probe = probe, .debuginfo = debuginfo};

	l.target = expr_new(t->arena, EXPR_TARGET, at);
	return value_expression(&l, value);
}

bool is_unknown_caller(const struct expr *e)
{
	return e->kind == EXPR_CALL && strcmp(e->text, UNKNOWN_CALLER) == 0;
}
