// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Emit expressions as C. A table has a function for each kind of node.
 *
 * A string result points to a literal, to a frame slot, or directly to a variable or array element. The last is allowed
 * only if nothing else in the statement can change the variable (begin_statement()).
 */
#include "translator/emit/call_cache.h"
#include "translator/emit/embedded.h"
#include "translator/emit/writer.h"
#include "translator/sema/embedded.h"
#include "translator/sema/sema.h"

static const char *new_long(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Emit a new temporary with a value. Return its name. */
static const char *new_long(struct writer *w, const char *format, ...)
{
	const char *name = arena_printf(w->t->arena, "t%u", w->temporaries++);
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	line(w, "stp_long %s = %s;", name, text);
	return name;
}

/* The same for a pointer. */
static const char *new_pointer(struct writer *w, const char *type, const char *value)
{
	const char *name = arena_printf(w->t->arena, "t%u", w->temporaries++);

	line(w, "%s%s = %s;", type, name, value);
	return name;
}

const char *variable_text(struct writer *w, const struct symbol *symbol)
{
	if (symbol->is_opaque)
		return arena_printf(w->t->arena, "stp_opaque(f)->%s", symbol->unique_name);
	if (symbol->in_frame || (!symbol->is_global && symbol->type == TYPE_STRING && !symbol->is_parameter))
		return arena_printf(w->t->arena, "f->%s", symbol->unique_name);
	return symbol->unique_name;
}

/* ---- does a statement change variables? -------------------------------------------------------------------------- */

static void find_change(struct expr **expr, void *data)
{
	bool *found = data;

	if ((*expr)->kind == EXPR_ASSIGN || (*expr)->kind == EXPR_INCREMENT)
		*found = true;
	if (calls_script_function(*expr))
		*found = true;
}

bool calls_script_function(const struct expr *expr)
{
	for_each_ptr(const struct function_declaration *, function, expr->overloads) {
		if (!function->is_embedded || function->body->embedded_globals)
			return true;
	}
	return false;
}

void begin_statement(struct writer *w, struct expr *expr)
{
	w->copy_strings = false;
	w->strings_used = 0;
	if (!expr)
		return;
	/* A plain assignment evaluates everything before it writes its scalar. */
	if (expr->kind == EXPR_ASSIGN && expr->left->kind == EXPR_SYMBOL && expr->op == OP_NONE)
		expr = expr->right;
	expr_walk(&expr, find_change, &w->copy_strings);
}

static const char *string_read(struct writer *w, const char *text)
{
	const char *slot;

	if (!w->copy_strings)
		return text;
	slot = string_slot(w);
	line(w, "stp_copy(%s, %s);", slot, text);
	return slot;
}

/* ---- leaves ------------------------------------------------------------------------------------------------------ */

static const char *emit_number(struct writer *w, struct expr *e)
{
	return c_number(w->t->arena, e->number);
}

static const char *emit_string(struct writer *w, struct expr *e)
{
	/* Truncate the literal to the size of a string variable. */
	size_t most = w->t->limits.max_string_length - 1;

	return c_string(w->t->arena, e->text, MIN(e->text_length, most));
}

/* Emit %{ C expression %} and @const("C expression"). */
static const char *emit_embedded(struct writer *w, struct expr *e)
{
	bool is_string = e->type == TYPE_STRING;
	const char *result = is_string ? string_slot(w) : new_long(w, "0");

	if (is_string)
		line(w, "%s[0] = '\\0';", result);
	/* STAP_ERROR jumps to a label within the statement expression. */
	open_scope(w);
	line(w, "__label__ out;");
	emit_members_begin(w->out, &e->location, e->text);
	emit_embedded_uses(w->t, w->out, e->embedded_globals);
	line(w, is_string ? "stp_copy(%s, (%s));" : "%s = (stp_long)(%s);", result,
	     embedded_text(w->t, &e->location, e->text));
	line(w, "out: __attribute__((unused));");
	emit_members_end(w->out, &e->location, e->text);
	close_block(w);
	if (e->kind == EXPR_EMBEDDED &&
	    (strstr(e->text, "STAP_") || strstr(e->text, "CONTEXT") || strstr(e->text, "c->") ||
	     strstr(e->text, "read") || strstr(e->text, "deref") || strstr(e->text, "register")))
		check_error(w, e);
	return result;
}

static const char *emit_symbol(struct writer *w, struct expr *e)
{
	const struct symbol *symbol = e->symbol;
	const char *text = variable_text(w, symbol);

	if (symbol->type == TYPE_STRING)
		return string_read(w, text);
	/* Conditions are evaluated without the locks of the globals in them. */
	if (symbol->is_global && (is_atomic_scalar(symbol) || symbol->arms_probes))
		return new_long(w, "stp_atomic_read(&%s)", text);
	return new_long(w, "%s", text);
}

/* Return a register's index in struct pt_regs, which the runtime uses. */
static unsigned int register_word(const struct writer *w, const struct expr *e)
{
	return w->t->kernel.abi->register_words[e->number];
}

static const char *emit_register(struct writer *w, struct expr *e)
{
	const struct abi *abi = w->t->kernel.abi;
	const char *value;

	if (e->number >= abi->first_vector)
		return new_long(w, "stp_vector_register(c, %u)", (unsigned int)e->number - abi->first_vector);
	if (!e->user_space)
		return new_long(w, "stp_register(c, %u)", register_word(w, e));
	value = new_long(w, "stp_user_register(c, %u)", register_word(w, e));
	check_error(w, e);
	return value;
}

static const char *emit_entry_register(struct writer *w, struct expr *e)
{
	unsigned int recorder = e->recorder->number - 1;
	const char *place = emit_expr(w, e->operand), *result;

	line(w, "c->fault = 0;");
	result = new_long(w, "%s(%u, %s, %u, &c->fault)",
			  e->user_space ? "stp_user_entry_register" : "stp_entry_register", recorder, place,
			  register_word(w, e));
	if (w->t->options->skip_bad_variables)
		return result; /* 0 on failure */
	open_block(w, "if (stp_unlikely(c->fault))");
	line(w, "stp_entry_unknown(c, %u);", recorder);
	check_error(w, e);
	close_block(w);
	return result;
}

static const char *emit_entry_known(struct writer *w, struct expr *e)
{
	const char *place = emit_expr(w, e->operand);

	return new_long(w, "%s(%u, %s)", e->user_space ? "stp_user_entry_known" : "stp_entry_known",
			e->recorder->number - 1, place);
}

static const char *emit_address(struct writer *w, struct expr *e)
{
	unsigned int target = target_number(w->t, e->object, e->text);
	const char *result;

	if (debuginfo_memory(e->object) == MEMORY_KERNEL)
		return new_long(w, "stp_address(%u, 0x%" G_GINT64_MODIFIER "xUL)", target, (uint64_t)e->number);
	if (e->in_own_object)
		return new_long(w, "c->object_base + 0x%" G_GINT64_MODIFIER "xUL", (uint64_t)e->number);
	result = new_long(w, "stp_process_address(c, %u, 0x%" G_GINT64_MODIFIER "xUL)", target, (uint64_t)e->number);
	check_error(w, e);
	return result;
}

static const char *emit_thread_pointer(struct writer *w, struct expr *e)
{
	const char *result;

	if (e->in_own_object)
		return new_long(w, "stp_own_thread_pointer()");
	result = new_long(w, "stp_thread_pointer(c, %u)", target_number(w->t, e->object, NULL));
	check_error(w, e);
	return result;
}

static const char *emit_entry_value(struct writer *w, struct expr *e)
{
	const char *text = arena_printf(w->t->arena, "((struct entry *)c->entry_values)->v%u", (unsigned int)e->number);

	return e->type == TYPE_STRING ? text : new_long(w, "%s", text);
}

/* ---- operators --------------------------------------------------------------------------------------------------- */

static const char *const unary_operators[OP_COUNT_] = {
	/* others: binary */
	[OP_NEGATE] = "(stp_long)-(stp_ulong)",
	[OP_PLUS] = "",
	[OP_LOGICAL_NOT] = "!",
	[OP_COMPLEMENT] = "~",
};

static const char *emit_unary(struct writer *w, struct expr *e)
{
	const char *operand = emit_expr(w, e->operand);

	return new_long(w, "%s%s", unary_operators[e->op], operand);
}

/* Calculate with unsigned numbers, so that overflow wraps. Shift counts are modulo 64, as in hardware. */
static const char *const binary_formats[OP_COUNT_] = {
	/* others: unary, or with code of their own */
	[OP_ADD] = "(stp_long)((stp_ulong)%s + (stp_ulong)%s)",
	[OP_SUBTRACT] = "(stp_long)((stp_ulong)%s - (stp_ulong)%s)",
	[OP_MULTIPLY] = "(stp_long)((stp_ulong)%s * (stp_ulong)%s)",
	[OP_AND] = "%s & %s",
	[OP_OR] = "%s | %s",
	[OP_XOR] = "%s ^ %s",
	[OP_SHIFT_LEFT] = "(stp_long)((stp_ulong)%s << (%s & 63))",
	[OP_SHIFT_RIGHT] = "%s >> (%s & 63)",
	[OP_SHIFT_RIGHT_LOGICAL] = "(stp_long)((stp_ulong)%s >> (%s & 63))",
	[OP_DIVIDE] = "stp_divide(c, %s, %s)",
	[OP_MODULO] = "stp_modulo(c, %s, %s)",
	[OP_EQUAL] = "%s == %s",
	[OP_NOT_EQUAL] = "%s != %s",
	[OP_LESS] = "%s < %s",
	[OP_GREATER] = "%s > %s",
	[OP_LESS_EQUAL] = "%s <= %s",
	[OP_GREATER_EQUAL] = "%s >= %s",
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static const char *binary_text(struct writer *w, enum expr_operator op, const char *left, const char *right)
{
	return arena_printf(w->t->arena, binary_formats[op], left, right);
}
#pragma GCC diagnostic pop

static const char *emit_arithmetic(struct writer *w, struct expr *culprit, enum expr_operator op, const char *left,
				   const char *right)
{
	const char *result = new_long(w, "%s", binary_text(w, op, left, right));

	if (op == OP_DIVIDE || op == OP_MODULO)
		check_error(w, culprit);
	return result;
}

/* Emit both operands of a binary node. The caller must use their values immediately. */
static const char *emit_left(struct writer *w, struct expr *e, const char **right)
{
	unsigned int held = w->held;
	const char *left = hold(w, emit_expr(w, e->left), e->left->type == TYPE_STRING);

	*right = emit_expr(w, e->right);
	w->held = held;
	return left;
}

static const char *emit_binary(struct writer *w, struct expr *e)
{
	const char *right, *left = emit_left(w, e, &right);

	return emit_arithmetic(w, e, e->op, left, right);
}

static const char *emit_compare(struct writer *w, struct expr *e)
{
	const char *right, *left = emit_left(w, e, &right);

	if (e->left->type == TYPE_STRING) {
		left = arena_printf(w->t->arena, "stp_compare(%s, %s)", left, right);
		right = "0";
	}
	return new_long(w, "%s", binary_text(w, e->op, left, right));
}

static const char *emit_regex(struct writer *w, struct expr *e)
{
	const char *text = emit_expr(w, e->left);

	return new_long(w, "%sstp_regex_match(c, &%s, %s)", e->negated ? "!" : "", e->regex->unique_name, text);
}

static const char *emit_logical(struct writer *w, struct expr *e)
{
	const char *result = new_long(w, "!!%s", emit_expr(w, e->left));

	open_block(w, "if (%s%s)", e->op == OP_LOGICAL_OR ? "!" : "", result);
	line(w, "%s = !!%s;", result, emit_expr(w, e->right));
	close_block(w);
	return result;
}

static const char *emit_concat(struct writer *w, struct expr *e)
{
	unsigned int before = w->strings_used;
	const char *right, *left = emit_left(w, e, &right);
	const char *slot = slot_number(left) >= (int)before ? left : string_slot(w);

	/* If the left operand is in a slot that it allocated itself, append to it in place. */
	line(w, "stp_concat(%s, %s, %s);", slot, left, right);
	/* Free the other slots of the operands. */
	w->strings_used = (unsigned int)slot_number(slot) + 1;
	return slot;
}

static const char *emit_conditional(struct writer *w, struct expr *e)
{
	const char *condition = emit_expr(w, e->condition);
	bool is_string = e->type == TYPE_STRING;
	const char *result = arena_printf(w->t->arena, "t%u", w->temporaries++);

	line(w, "%s%s;", is_string ? "const char *" : "stp_long ", result);
	open_block(w, "if (%s)", condition);
	line(w, "%s = %s;", result, emit_expr(w, e->left));
	w->indent--;
	open_block(w, "} else");
	line(w, "%s = %s;", result, emit_expr(w, e->right));
	close_block(w);
	return result;
}

/* Declare the variable for a load's failure. Loads of kernel memory are inlined, so it becomes a register. */
static const char *begin_load(struct writer *w, const struct expr *e)
{
	const char *fault = "c->fault";

	if (!e->user_space) {
		fault = arena_printf(w->t->arena, "fault%u", w->temporaries++);
		line(w, "int %s = 0;", fault);
	} else {
		line(w, "%s = 0;", fault);
	}
	return fault;
}

static const char *emit_load(struct writer *w, struct expr *e)
{
	static const char *const signed_types[] = {[1] = "signed char", [2] = "short", [4] = "int", [8] = "stp_long"};
	const char *address = emit_expr(w, e->operand);
	const char *fault = begin_load(w, e), *result;

	result = new_long(w, "(%s)%s(%s, %d, &%s)", e->is_signed ? signed_types[e->size] : "stp_long",
			  e->user_space ? "stp_load_user" : "stp_load", address, e->size, fault);
	if (w->t->options->skip_bad_variables)
		return result; /* stp_load() returns 0 on failure */
	open_block(w, "if (stp_unlikely(%s))", fault);
	line(w, "%s(c, %s);", e->user_space ? "stp_user_fault" : "stp_fault", address);
	check_error(w, e);
	close_block(w);
	return result;
}

/* Return the storage unit of a bit-field with the field's new value. */
static const char *merge_bits(struct writer *w, const struct expr *e, const char *address, const char *value)
{
	uint64_t mask = (((uint64_t)1 << e->bit_size) - 1) << e->bit_offset;
	const char *fault = begin_load(w, e), *unit;

	unit = new_long(w, "%s(%s, %d, &%s)", e->user_space ? "stp_load_user" : "stp_load", address, e->size, fault);
	return new_long(w,
			"(stp_long)((%s & ~0x%" G_GINT64_MODIFIER "xUL) | ((stp_ulong)%s << %d & 0x%" G_GINT64_MODIFIER
			"xUL))",
			unit, mask, value, e->bit_offset, mask);
}

static const char *emit_store(struct writer *w, struct expr *e)
{
	unsigned int held = w->held;
	const char *address = e->operand ? hold(w, emit_expr(w, e->operand), false) : NULL;
	const char *value = emit_expr(w, e->right), *unit;

	w->held = held;
	if (!address) {
		line(w, "stp_set_register(c, %u, %s);", register_word(w, e), value);
		return value;
	}
	/* Ignore a failing read: the store fails, too, and reports it. */
	unit = e->bit_size ? merge_bits(w, e, address, value) : value;
	line(w, "%s(c, %s, %d, %s);", e->user_space ? "stp_store_user" : "stp_store", address, e->size, unit);
	check_error(w, e);
	return value;
}

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

void emit_keys(struct writer *w, const struct symbol *array, const GPtrArray *keys, struct key_values *values)
{
	*values = (struct key_values){.array = array};
	for (guint i = 0; i < keys->len; i++) {
		struct expr *key = g_ptr_array_index(keys, i);
		bool is_string = array->key_types[i] == TYPE_STRING;

		values->texts[i] = is_string ? "\"\"" : "0";
		if (key->kind == EXPR_WILDCARD)
			values->wildcards |= 1u << i;
		else
			values->texts[i] = hold(w, emit_expr(w, key), is_string);
	}
}

const char *use_keys(struct writer *w, const struct key_values *values)
{
	const struct symbol *array = values->array;

	for (int i = 0; i < array->arity; i++)
		line(w, "c->keys[%d].%s = %s;", i, array->key_types[i] == TYPE_STRING ? "string" : "number",
		     values->texts[i]);
	return "c->keys";
}

/* Emit the keys for a call that follows immediately. */
static const char *emit_used_keys(struct writer *w, const struct symbol *array, const GPtrArray *keys,
				  unsigned int *wildcards)
{
	unsigned int held = w->held;
	struct key_values values;

	emit_keys(w, array, keys, &values);
	w->held = held;
	if (wildcards)
		*wildcards = values.wildcards;
	return use_keys(w, &values);
}

static const char *emit_bucket(struct writer *w, struct expr *e);

static const char *emit_index(struct writer *w, struct expr *e)
{
	struct symbol *array = e->left->symbol;
	const char *keys;

	if (e->left->kind == EXPR_HISTOGRAM)
		return emit_bucket(w, e);
	keys = emit_used_keys(w, array, e->arguments, NULL);
	if (array->type != TYPE_STRING)
		return new_long(w, "stp_map_get_long(c, %s, %s)", array->unique_name, keys);
	return string_read(
		w, new_pointer(w, "const char *",
			       arena_printf(w->t->arena, "stp_map_get_string(c, %s, %s)", array->unique_name, keys)));
}

static const char *emit_in(struct writer *w, struct expr *e)
{
	unsigned int wildcards;
	const char *keys = emit_used_keys(w, e->left->symbol, e->arguments, &wildcards);

	return new_long(w, "stp_map_contains(c, %s, %s, %uu)", e->left->symbol->unique_name, keys, wildcards);
}

/* ---- assignments ------------------------------------------------------------------------------------------------- */

static const char *emit_aggregation(struct writer *w, struct expr *e)
{
	const struct expr *target = e->left;
	unsigned int held = w->held;
	struct key_values keys;
	struct symbol *global;
	const char *value;

	if (target->kind == EXPR_SYMBOL) {
		global = target->symbol;
		value = emit_expr(w, e->right);
		line(w, "stp_aggregate(c, %u, %s, %s);", module_global(w->module, global), global->unique_name, value);
		return value;
	}
	global = target->left->symbol;
	emit_keys(w, global, target->arguments, &keys);
	value = emit_expr(w, e->right);
	w->held = held;
	line(w, "stp_map_aggregate(c, %u, %s, %s, %s);", module_global(w->module, global), global->unique_name,
	     use_keys(w, &keys), value);
	check_error(w, target->left);
	return value;
}

/* Evaluate the keys of an array element that is assigned to, before the value. A variable has none. */
static void target_keys(struct writer *w, const struct expr *target, struct key_values *keys)
{
	if (target->kind != EXPR_SYMBOL)
		emit_keys(w, target->left->symbol, target->arguments, keys);
}

/* Return the C lvalue of a number: a variable, or an array element through a pointer. */
static const char *long_place(struct writer *w, struct expr *target, const struct key_values *values)
{
	const char *pointer, *keys;

	if (target->kind == EXPR_SYMBOL)
		return variable_text(w, target->symbol);
	keys = use_keys(w, values);
	pointer = arena_printf(w->t->arena, "p%u", w->temporaries++);
	line(w, "stp_long *%s = stp_map_slot_long(c, %s, %s);", pointer, target->left->symbol->unique_name, keys);
	check_error(w, target->left);
	return arena_printf(w->t->arena, "*%s", pointer);
}

static bool is_atomic_target(const struct expr *target)
{
	return target->kind == EXPR_SYMBOL && target->symbol->is_global && target->symbol->arity <= 0 &&
	       is_atomic_scalar(target->symbol);
}

static const char *change_atomic(struct writer *w, const struct expr *target, enum expr_operator op, const char *value)
{
	const char *name = target->symbol->unique_name;

	switch (op) {
	case OP_NONE:
		line(w, "stp_atomic_write(&%s, %s);", name, value);
		return value;
	case OP_SUBTRACT:
		return new_long(w, "stp_atomic_add(&%s, -%s)", name, value);
	default:
		return new_long(w, "stp_atomic_add(&%s, %s)", name, value);
	}
}

static bool has_atomic_form(enum expr_operator op)
{
	return op == OP_NONE || op == OP_ADD || op == OP_SUBTRACT;
}

static const char *emit_long_assignment(struct writer *w, struct expr *e)
{
	unsigned int held = w->held;
	const char *value, *place;
	struct key_values keys;

	target_keys(w, e->left, &keys);
	value = emit_expr(w, e->right);
	w->held = held;
	if (is_atomic_target(e->left) && has_atomic_form(e->op))
		return change_atomic(w, e->left, e->op, value);
	/* Evaluate the value before creating the element: if it fails, there must be no new element. */
	place = long_place(w, e->left, &keys);
	if (e->op == OP_NONE) {
		line(w, "%s = %s;", place, value);
		return value;
	}
	value = emit_arithmetic(w, e, e->op, place, value);
	line(w, "%s = %s;", place, value);
	return value;
}

/* Return the C text of the current value of a string that is assigned to. */
static const char *string_target(struct writer *w, const struct expr *target, const char *keys)
{
	if (target->kind == EXPR_SYMBOL)
		return variable_text(w, target->symbol);
	return arena_printf(w->t->arena, "stp_map_get_string(c, %s, %s)", target->left->symbol->unique_name, keys);
}

static const char *emit_string_assignment(struct writer *w, struct expr *e)
{
	const struct expr *target = e->left;
	unsigned int held = w->held;
	struct key_values values;
	const char *value, *keys = NULL;

	target_keys(w, target, &values);
	value = emit_expr(w, e->right);
	w->held = held;
	if (target->kind != EXPR_SYMBOL)
		keys = use_keys(w, &values);
	if (e->op == OP_CONCAT) {
		const char *slot = string_slot(w);

		line(w, "stp_concat(%s, %s, %s);", slot, string_target(w, target, keys), value);
		value = slot;
	}
	if (target->kind == EXPR_SYMBOL) {
		const char *place = variable_text(w, target->symbol);

		line(w, "stp_copy(%s, %s);", place, value);
		return place;
	}
	line(w, "stp_map_set_string(c, %s, %s, %s);", target->left->symbol->unique_name, keys, value);
	check_error(w, target->left);
	return value;
}

void note_change(struct writer *w, const struct expr *target)
{
	if (target->kind == EXPR_SYMBOL && target->symbol->arms_probes)
		line(w, "stp_conditions_changed();");
}

static const char *emit_assign(struct writer *w, struct expr *e)
{
	const char *value;

	if (e->op == OP_AGGREGATE)
		return emit_aggregation(w, e);
	if (e->left->type == TYPE_STRING)
		return emit_string_assignment(w, e);
	value = emit_long_assignment(w, e);
	note_change(w, e->left);
	return value;
}

static const char *change_by_one(struct writer *w, struct expr *e)
{
	const char *step = e->op == OP_ADD ? "1" : "-1";
	unsigned int held = w->held;
	const char *place, *before;
	struct key_values keys;

	if (is_atomic_target(e->operand))
		return new_long(w, "stp_atomic_add(&%s, %s)%s%s", e->operand->symbol->unique_name, step,
				e->postfix ? " - " : "", e->postfix ? step : "");
	target_keys(w, e->operand, &keys);
	w->held = held;
	place = long_place(w, e->operand, &keys);
	before = new_long(w, "%s", place);
	line(w, "%s = (stp_long)((stp_ulong)%s + %s);", place, before, step);
	return e->postfix ? before : new_long(w, "%s", place);
}

static const char *emit_increment(struct writer *w, struct expr *e)
{
	const char *value = change_by_one(w, e);

	note_change(w, e->operand);
	return value;
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

/* Emit a call that stores its result in @result, a string or a number, if the function has one. */
static void emit_one_call(struct writer *w, const struct function_declaration *function, const char *arguments,
			  const char *result)
{
	g_hash_table_add(w->callees, (void *)function);
	if (function->type == TYPE_STRING) {
		/* Embedded C that sets no result returns "". */
		line(w, "%s[0] = '\\0';", result);
		line(w, "%s(c%s, %s);", function->unique_name, arguments, result);
	} else if (function->type == TYPE_LONG) {
		line(w, "%s = %s(c%s);", result, function->unique_name, arguments);
	} else {
		line(w, "%s(c%s);", function->unique_name, arguments);
	}
}

/* Emit calls of the overloads in order, each only if the one before executed "next". */
static void emit_overloads(struct writer *w, const struct expr *e, const char *arguments, const char *result)
{
	const struct function_declaration *last = g_ptr_array_index(e->overloads, e->overloads->len - 1);

	for (guint i = 0; i < e->overloads->len; i++) {
		const struct function_declaration *function = g_ptr_array_index(e->overloads, i);

		if (i > 0) {
			open_block(w, "if (c->passed_on)");
			line(w, "c->passed_on = 0;");
		}
		emit_one_call(w, function, arguments, result);
		if (i > 0)
			close_block(w);
		check_call_error(w, e);
	}
	if (!function_passes_on(last))
		return;
	open_block(w, "if (c->passed_on)");
	line(w, "c->passed_on = 0;");
	line(w, "stp_error(c, \"all functions exhausted\");");
	check_error(w, e);
	close_block(w);
}

/* May the called C code write to its string arguments? Then it gets copies. */
static bool may_change_arguments(const struct expr *call)
{
	for_each_ptr(const struct function_declaration *, function, call->overloads) {
		if (function->is_embedded && !function->script->file->is_tapset &&
		    !embedded_says(function->body->code, "unmodified-fnargs"))
			return true;
	}
	return false;
}

static const char *emit_argument(struct writer *w, const struct expr *call, struct expr *argument)
{
	const char *text = hold(w, emit_expr(w, argument), argument->type == TYPE_STRING), *slot;

	if (argument->type != TYPE_STRING || !may_change_arguments(call))
		return text;
	slot = string_slot(w);
	line(w, "stp_copy(%s, %s);", slot, text);
	return slot;
}

/* Emit a call of a stable function, unless this handler already has its value; see call_cache.c. */
static const char *emit_kept_call(struct writer *w, const struct expr *e, int number)
{
	const char *value = arena_printf(w->t->arena, "((struct kept *)c->kept)->v%d", number);

	open_block(w, "if (!((struct kept *)c->kept)->known[%d])", number);
	emit_one_call(w, e->function, "", value);
	check_call_error(w, e);
	line(w, "((struct kept *)c->kept)->known[%d] = 1;", number);
	close_block(w);
	return e->function->type == TYPE_STRING ? value : new_long(w, "%s", value);
}

static const char *emit_call(struct writer *w, struct expr *e)
{
	g_autoptr(GString) arguments = g_string_new(NULL);
	int number = w->stable ? stable_number(w->stable, e) : -1;
	unsigned int held = w->held;
	const char *result = "0";

	if (number >= 0)
		return emit_kept_call(w, e, number);
	for (guint i = 0; e->arguments && i < e->arguments->len; i++)
		g_string_append_printf(arguments, ", %s", emit_argument(w, e, g_ptr_array_index(e->arguments, i)));
	if (e->function->type == TYPE_STRING)
		result = string_slot(w);
	else if (e->function->type == TYPE_LONG)
		result = new_long(w, "0");
	emit_overloads(w, e, arguments->str, result);
	w->held = held;
	return result;
}

/* ---- statistics -------------------------------------------------------------------------------------------------- */

static const struct symbol *aggregate_global(const struct expr *operand)
{
	return operand->kind == EXPR_INDEX ? operand->left->symbol : operand->symbol;
}

/* Return the pointer to an aggregate's storage, as C text; it is NULL at run time if the element does not exist. */
static const char *aggregate_place(struct writer *w, struct expr *operand)
{
	const char *keys;

	if (operand->kind == EXPR_SYMBOL)
		return operand->symbol->unique_name;
	keys = emit_used_keys(w, operand->left->symbol, operand->arguments, NULL);
	return new_pointer(w, "const void *",
			   arena_printf(w->t->arena, "stp_map_aggregate_of(c, %s, %s)",
					operand->left->symbol->unique_name, keys));
}

/* Emit a run-time error for the case that the aggregate at @place is empty or does not exist. */
static void check_not_empty(struct writer *w, const struct expr *e, const char *place)
{
	line(w, "c->statistic.count = 0;");
	line(w, "if (%s)", place);
	line(w, "\tstp_statistic(c, %u, (void *)%s, &c->statistic);",
	     module_global(w->module, aggregate_global(e->operand)), place);
	line(w, "stp_statistic_nonempty(c, &c->statistic);");
	check_error(w, e);
}

static const char *emit_variance(struct writer *w, struct expr *e)
{
	const char *place = aggregate_place(w, e->operand);
	unsigned int global = module_global(w->module, aggregate_global(e->operand));

	check_not_empty(w, e, place);
	return new_long(w, "stp_variance(c, %u, %s)", global, place);
}

static const char *emit_statistic(struct writer *w, struct expr *e)
{
	struct expr *operand = e->operand;

	if (!strcmp(e->text, "variance"))
		return emit_variance(w, e);
	if (operand->kind == EXPR_SYMBOL) {
		line(w, "stp_statistic(c, %u, %s, &c->statistic);", module_global(w->module, operand->symbol),
		     operand->symbol->unique_name);
	} else {
		const char *keys = emit_used_keys(w, operand->left->symbol, operand->arguments, NULL);

		line(w, "stp_map_statistic(c, %s, %s, &c->statistic);", operand->left->symbol->unique_name, keys);
	}
	if (!strcmp(e->text, "count") || !strcmp(e->text, "sum"))
		return new_long(w, "c->statistic.%s", e->text);
	line(w, "stp_statistic_nonempty(c, &c->statistic);");
	check_error(w, e);
	if (!strcmp(e->text, "avg"))
		return new_long(w, "stp_average(c, &c->statistic)");
	return new_long(w, "c->statistic.%s", e->text);
}

/* Emit the aggregate of a histogram, for print and foreach. */
static const char *emit_histogram(struct writer *w, struct expr *e)
{
	return aggregate_place(w, e->operand);
}

unsigned int histogram_global(struct writer *w, const struct expr *histogram)
{
	return module_global(w->module, aggregate_global(histogram->operand));
}

const char *bucket_text(struct writer *w, const struct expr *histogram, const char *place, const char *index)
{
	return arena_printf(w->t->arena, "stp_histogram_bucket(c, %u, %s, %s)",
			    module_global(w->module, aggregate_global(histogram->operand)), place, index);
}

static const char *emit_bucket(struct writer *w, struct expr *e)
{
	unsigned int held = w->held;
	const char *place = hold(w, emit_histogram(w, e->left), true);
	const char *index = emit_expr(w, g_ptr_array_index(e->arguments, 0));
	bool is_empty = !histogram_buckets(e->left);
	const char *result = new_long(w, "%s", is_empty ? "0" : bucket_text(w, e->left, place, index));

	if (is_empty)
		line(w, "stp_error(c, \"histogram index %%lld is out of range (no buckets)\", %s);", index);
	w->held = held;
	check_error(w, e);
	return result;
}

/* ---- printing ---------------------------------------------------------------------------------------------------- */

static unsigned int format_flags(const struct format_part *part)
{
	return (part->left ? STP_LEFT : 0) | (part->plus ? STP_PLUS : 0) | (part->space ? STP_SPACE : 0) |
	       (part->alternate ? STP_ALTERNATE : 0) | (part->zero ? STP_ZERO : 0) | (part->uppercase ? STP_UPPER : 0) |
	       (part->kind == FORMAT_SIGNED ? STP_SIGNED : 0) | (part->has_precision ? STP_HAS_PRECISION : 0);
}

/* A directive with its evaluated arguments. */
struct directive {
	const struct format_part *part;
	const char *width, *precision, *value;
	struct expr *argument;
};

static void emit_number_directive(struct writer *w, const struct directive *d, unsigned int base, unsigned int extra)
{
	line(w, "stp_print_number(c, %s, %u, %u, %s, %s);", d->value, base, format_flags(d->part) | extra, d->width,
	     d->precision);
}

/* Emit %p. Language versions up to 1.2 print leading zeros. */
static void emit_pointer_directive(struct writer *w, const struct directive *d)
{
	struct directive whole = *d;

	if (!language_older_than(&w->t->language, "1.3") || d->part->has_precision) {
		emit_number_directive(w, d, 16, STP_POINTER);
		return;
	}
	whole.precision = "16";
	emit_number_directive(w, &whole, 16, STP_POINTER | STP_HAS_PRECISION);
}

static void emit_directive(struct writer *w, const struct directive *d)
{
	unsigned int flags = format_flags(d->part);

	switch (d->part->kind) {
	case FORMAT_LITERAL:
		line(w, "stp_print(c, %s, %zu);", c_string(w->t->arena, d->part->text, d->part->length),
		     d->part->length);
		break;
	case FORMAT_SIGNED:
	case FORMAT_UNSIGNED:
		emit_number_directive(w, d, 10, 0);
		break;
	case FORMAT_OCTAL:
		emit_number_directive(w, d, 8, 0);
		break;
	case FORMAT_HEX:
		emit_number_directive(w, d, 16, 0);
		break;
	case FORMAT_POINTER:
		emit_pointer_directive(w, d);
		break;
	case FORMAT_STRING:
		line(w, "stp_print_string(c, %s, %u, %s, %s);", d->value, flags, d->width, d->precision);
		break;
	case FORMAT_CHARACTER:
		line(w, "stp_print_character(c, %s, %u, %s);", d->value, flags, d->width);
		break;
	case FORMAT_BINARY:
		line(w, "stp_print_binary(c, %s, %s, %d);", d->value,
		     d->part->has_width || d->part->width_from_argument ? d->width : "8", d->part->uppercase);
		if (d->part->width_from_argument)
			check_error(w, d->argument);
		break;
	case FORMAT_MEMORY:
	case FORMAT_MEMORY_HEX:
		line(w, "stp_print_memory(c, %s, %s, %d, %u, %s);", d->value,
		     d->part->has_precision ? d->precision : "1", d->part->kind == FORMAT_MEMORY_HEX, flags, d->width);
		check_error(w, d->argument);
		break;
	case FORMAT_KIND_COUNT_:
		break;
	}
}

/*
 * Begin the output of print to the stream, or of sprint to a frame slot. All arguments have been evaluated before. So
 * an error in an argument leaves no partial line, and a sprintf in an argument does not interleave.
 */
static const char *begin_output(struct writer *w, const struct expr *e)
{
	const char *slot;

	if (e->destination != PRINT_TO_STRING)
		return "0";
	slot = string_slot(w);
	line(w, "stp_sink_begin(c, %s);", slot);
	return slot;
}

/* Does the print end with a histogram, which ends its own lines? */
static bool ends_with_histogram(const struct expr *print)
{
	const struct expr *last;

	if (!print->arguments->len)
		return false;
	last = g_ptr_array_index(print->arguments, print->arguments->len - 1);
	return last->kind == EXPR_HISTOGRAM;
}

static void end_output(struct writer *w, const struct expr *e)
{
	if (e->print_newline && !ends_with_histogram(e))
		line(w, "stp_print(c, \"\\n\", 1);");
	if (e->destination == PRINT_TO_STRING)
		line(w, "stp_sink_end(c);");
}

static const char *emit_formatted(struct writer *w, struct expr *e)
{
	g_autoptr(GArray) directives = g_array_new(FALSE, TRUE, sizeof(struct directive));
	unsigned int held = w->held;
	const char *result;
	guint next = 0;

	for_each_ptr(const struct format_part *, part, e->format) {
		struct directive d = {.part = part};

		d.width = c_number(w->t->arena, part->width);
		d.precision = c_number(w->t->arena, part->precision);
		if (part->width_from_argument)
			d.width = hold(w, emit_expr(w, g_ptr_array_index(e->arguments, next++)), false);
		if (part->precision_from_argument)
			d.precision = hold(w, emit_expr(w, g_ptr_array_index(e->arguments, next++)), false);
		if (part->kind != FORMAT_LITERAL) {
			d.argument = g_ptr_array_index(e->arguments, next++);
			d.value = hold(w, emit_expr(w, d.argument), d.argument->type == TYPE_STRING);
		}
		g_array_append_val(directives, d);
	}
	result = begin_output(w, e);
	for (guint i = 0; i < directives->len; i++)
		emit_directive(w, &g_array_index(directives, struct directive, i));
	w->held = held;
	end_output(w, e);
	return result;
}

static void emit_plain_value(struct writer *w, const struct expr *e, const char *value, const struct expr *argument)
{
	enum value_type type = argument->type;

	if (argument->kind == EXPR_HISTOGRAM && !histogram_buckets(argument))
		return;
	if (argument->kind == EXPR_HISTOGRAM)
		line(w, "stp_histogram_print(c, %u, %s);",
		     module_global(w->module, aggregate_global(argument->operand)), value);
	else if (e->print_character)
		line(w, "stp_print_character(c, %s, 0, 0);", value);
	else if (type == TYPE_STRING)
		line(w, "stp_print_string(c, %s, 0, 0, 0);", value);
	else
		line(w, "stp_print_number(c, %s, 10, %u, 0, 0);", value, STP_SIGNED);
}

static const char *emit_plain(struct writer *w, struct expr *e)
{
	g_autoptr(GPtrArray) values = g_ptr_array_new();
	const char *delimiter = NULL, *result;
	unsigned int held = w->held;

	for_each_ptr(struct expr *, argument, e->arguments) {
		const char *value = emit_expr(w, argument);

		if (argument->kind == EXPR_HISTOGRAM)
			check_not_empty(w, argument, value);
		value = hold(w, value, argument->type == TYPE_STRING || argument->kind == EXPR_HISTOGRAM);
		g_ptr_array_add(values, (void *)value);
	}
	result = begin_output(w, e);
	for (guint i = 0; i < values->len; i++) {
		const struct expr *argument = g_ptr_array_index(e->arguments, i);

		if (e->print_delimited && i == 0) {
			delimiter = g_ptr_array_index(values, 0);
			continue;
		}
		if (delimiter && i > 1)
			line(w, "stp_print_string(c, %s, 0, 0, 0);", delimiter);
		emit_plain_value(w, e, g_ptr_array_index(values, i), argument);
	}
	w->held = held;
	end_output(w, e);
	return result;
}

/* Emit a sprintf with fault_text, its value if an argument fails. */
static const char *emit_guarded(struct writer *w, struct expr *e)
{
	const char *result = arena_printf(w->t->arena, "t%u", w->temporaries++);
	struct try_block block;

	line(w, "const char *%s;", result);
	block = open_try(w);
	line(w, "%s = %s;", result, emit_formatted(w, e));
	begin_catch(w, &block, "STP_NULL");
	line(w, "%s = %s;", result, c_string(w->t->arena, e->fault_text, strlen(e->fault_text)));
	close_try(w, &block);
	return result;
}

static const char *emit_print(struct writer *w, struct expr *e)
{
	if (e->fault_text)
		return emit_guarded(w, e);
	return e->print_formatted ? emit_formatted(w, e) : emit_plain(w, e);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

typedef const char *(*expr_emitter)(struct writer *w, struct expr *e);

static const expr_emitter emitters[EXPR_KIND_COUNT_] = {
	/* others: replaced in pass 2 */
	[EXPR_NUMBER] = emit_number,
	[EXPR_STRING] = emit_string,
	[EXPR_SYMBOL] = emit_symbol,
	[EXPR_EMBEDDED] = emit_embedded,
	[EXPR_CONST] = emit_embedded,
	[EXPR_INDEX] = emit_index,
	[EXPR_UNARY] = emit_unary,
	[EXPR_BINARY] = emit_binary,
	[EXPR_COMPARE] = emit_compare,
	[EXPR_LOGICAL] = emit_logical,
	[EXPR_REGEX] = emit_regex,
	[EXPR_CONCAT] = emit_concat,
	[EXPR_IN] = emit_in,
	[EXPR_CONDITIONAL] = emit_conditional,
	[EXPR_ASSIGN] = emit_assign,
	[EXPR_INCREMENT] = emit_increment,
	[EXPR_CALL] = emit_call,
	[EXPR_PRINT] = emit_print,
	[EXPR_STATISTIC] = emit_statistic,
	[EXPR_HISTOGRAM] = emit_histogram,
	[EXPR_LOAD] = emit_load,
	[EXPR_STORE] = emit_store,
	[EXPR_PROBE_REGISTER] = emit_register,
	[EXPR_ENTRY_REGISTER] = emit_entry_register,
	[EXPR_ENTRY_KNOWN] = emit_entry_known,
	[EXPR_ADDRESS] = emit_address,
	[EXPR_THREAD_POINTER] = emit_thread_pointer,
	[EXPR_ENTRY_VALUE] = emit_entry_value,
};

const char *emit_expr(struct writer *w, struct expr *expr)
{
	g_assert(emitters[expr->kind]);
	return emitters[expr->kind](w, expr);
}

/* Emit "n[k] += v", where event probes only add to the array (is_only_fed()). */
static void emit_counting(struct writer *w, struct expr *e, const struct expr *element)
{
	struct symbol *global = element->left->symbol;
	unsigned int held = w->held;
	struct key_values keys;
	const char *by;

	target_keys(w, element, &keys);
	by = e->kind == EXPR_ASSIGN ? emit_expr(w, e->right) : "1";
	w->held = held;
	line(w, "stp_map_count(c, %u, %s, %s, %s%s);", module_global(w->module, global), global->unique_name,
	     use_keys(w, &keys), e->op == OP_SUBTRACT ? "-(stp_ulong)" : "", by);
	check_error(w, element->left);
}

void emit_effects(struct writer *w, struct expr *expr)
{
	const struct expr *element = counted_element(expr);
	const char *result;

	if (element && is_only_fed(element->left->symbol)) {
		emit_counting(w, expr, element);
		return;
	}
	result = emit_expr(w, expr);

	/* Avoid a compiler warning about an unused value. */
	if (*result == 't')
		line(w, "(void)%s;", result);
}
