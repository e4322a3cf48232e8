// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * $variables over debuginfo.
 *
 * The value of a variable is described by debuginfo as a tree over registers and memory; here that tree becomes a
 * script expression of loads, shifts and adds, extended step by step along "->member" and "[index]". The optimiser and
 * the emitter then see nothing special.
 *
 * In return probes everything but $return is computed at the function's entry: the finished expression is moved to the
 * entry handler and an EXPR_ENTRY_VALUE stands in its place.
 */
#include "translator/probes/places.h"

#include <inttypes.h>

#include "translator/probes/provider.h"
#include "translator/sema/builder.h"
#include "translator/util/i18n.h"

/* The function of the tapset that ends in the error for a caller of which nothing is known. */
#define UNKNOWN_CALLER "__unknown_caller"

struct lowering {
	struct translation *t;
	struct derived_probe *probe; /* NULL for @cast outside of probes */
	const struct expr *target;
	struct debuginfo *debuginfo;
};

static const char *target_text(struct lowering *l)
{
	return expr_text(l->t->arena, l->target);
}

/* ---- debuginfo values to expressions ---------------------------------------------------------------------------- */

static const enum expr_operator operators[] = {
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

/* Numbers of the language have signs. */
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

/* Of the function around the probe; an inlined instance has no entry of its own. */
static struct call_recorder *recorder_of(struct lowering *l)
{
	const struct function *function = l->probe->function;
	struct call_recorder *recorder;

	if (function->is_inlined && function->container)
		function = function->container;
	if (!l->t->recorders)
		l->t->recorders = arena_ptr_array(l->t->arena);
	for_each_ptr(struct call_recorder *, known, l->t->recorders) {
		if (known->function->debuginfo == function->debuginfo &&
		    known->function->entry.value == function->entry.value &&
		    !g_strcmp0(known->function->entry.section, function->entry.section))
			return known;
	}
	recorder = arena_new0(l->t->arena, struct call_recorder);
	recorder->function = function;
	recorder->text = function_point_text(l->t, function);
	g_ptr_array_add(l->t->recorders, recorder);
	return recorder;
}

static struct expr *from_value(struct lowering *l, const struct value *value);

/* The local in which a handler keeps where its function returns to: there is one frame at a probe, so one for all values. */
static struct expr *kept_caller(struct lowering *l)
{
	struct expr *local = expr_new(l->t->arena, EXPR_SYMBOL, &l->target->location);

	local->text = "__caller";
	local->type = TYPE_LONG;
	return local;
}

/* (kept || (kept = return address at `place`)): false if it cannot be read. */
static struct expr *keep_caller(struct lowering *l, const struct value *place)
{
	struct arena *arena = l->t->arena;
	const struct location *at = &l->target->location;
	struct expr *assign = expr_new(arena, EXPR_ASSIGN, at);

	assign->left = kept_caller(l);
	assign->right = build_call(arena, at, "__return_address", from_value(l, place));
	assign->type = TYPE_LONG;
	return build_logical(arena, OP_LOGICAL_OR, kept_caller(l), assign);
}

/* Is the return address that is kept one of a caller's? */
static struct expr *was_called_by(struct lowering *l, const struct caller_value *caller)
{
	struct arena *arena = l->t->arena;
	struct expr *any = NULL;

	for_each_ptr(const struct value *, address, caller->return_addresses) {
		struct expr *one = build_binary(arena, OP_EQUAL, kept_caller(l), from_value(l, address));

		any = any ? build_logical(arena, OP_LOGICAL_OR, any, one) : one;
	}
	return any;
}

/* (kept && is a known one ? first ? its value : second ? its value : that of the last : error) */
static struct expr *by_caller(struct lowering *l, const struct value *value)
{
	struct arena *arena = l->t->arena;
	struct expr *known = NULL, *choice = NULL, *unknown;

	for (guint i = value->callers->len; i-- > 0;) {
		const struct caller_value *caller = g_ptr_array_index(value->callers, i);
		struct expr *its_value = from_value(l, caller->value), *is_it = was_called_by(l, caller);

		choice = choice ? build_conditional(arena, expr_copy(arena, is_it), its_value, choice) : its_value;
		known = known ? build_logical(arena, OP_LOGICAL_OR, is_it, known) : is_it;
	}
	known = build_logical(arena, OP_LOGICAL_AND, keep_caller(l, value->left), known);
	unknown = l->t->skip_bad_variables ? build_number(arena, &known->location, 0)
					   : build_call(arena, &known->location, UNKNOWN_CALLER, kept_caller(l));
	return build_conditional(arena, known, choice, unknown);
}

static struct expr *from_value(struct lowering *l, const struct value *value)
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
		e->type = TYPE_LONG;
		return e;
	case VALUE_ADDRESS:
		return build_address(arena, at, l->debuginfo, &(struct address){value->constant, value->section});
	case VALUE_THIS_CPU:
		return build_call(arena, at, "__percpu_offset", build_number(arena, at, -1));
	case VALUE_REGISTER:
		e = expr_new(arena, EXPR_PROBE_REGISTER, at);
		e->number = value->constant;
		e->type = TYPE_LONG;
		if (l->probe && !abi_of_target()->is_saved_at_entry((unsigned int)value->constant))
			l->probe->uses_registers = true;
		return e;
	case VALUE_ENTRY_REGISTER:
		e = expr_new(arena, EXPR_ENTRY_REGISTER, at);
		e->number = value->constant;
		e->operand = from_value(l, value->left);
		e->recorder = recorder_of(l);
		e->type = TYPE_LONG;
		return e;
	case VALUE_LOAD:
		e = build_load(arena, from_value(l, value->left), value->size, false);
		e->user_space = value->memory == MEMORY_USER;
		return e;
	case VALUE_SELECT:
		return build_conditional(arena, from_value(l, value->condition), from_value(l, value->left),
					 from_value(l, value->right));
	case VALUE_BY_CALLER:
		return by_caller(l, value);
	case VALUE_CONVERT:
		return build_convert(arena, from_value(l, value->left), value->size, value->is_signed);
	case VALUE_UNARY:
		e = expr_new(arena, EXPR_UNARY, at);
		e->op = operators[value->operation];
		e->operand = from_value(l, value->left);
		e->type = TYPE_LONG;
		return e;
	case VALUE_BINARY:
		if (is_unsigned(value->operation))
			return unsigned_binary(arena, at, value->operation, from_value(l, value->left),
					       from_value(l, value->right));
		return build_binary(arena, operators[value->operation], from_value(l, value->left),
				    from_value(l, value->right));
	}
	return NULL;
}

struct expr *lower_value(struct translation *t, struct derived_probe *probe, const struct location *at,
			 struct debuginfo *debuginfo, const struct value *value)
{
	struct lowering l = {.t = t, .probe = probe, .debuginfo = debuginfo};

	l.target = expr_new(t->arena, EXPR_TARGET, at);
	return from_value(&l, value);
}

/* ---- alternatives for a name that is not there ------------------------------------------------------------------ */

static const char *join_names(struct arena *arena, const GPtrArray *names, const char *prefix)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for_each_ptr(const char *, name, names) {
		g_string_append_printf(text, "%s%s%s", text->len ? ", " : "", prefix, name);
		if (text->len > 400) {
			g_string_append(text, ", ...");
			break;
		}
	}
	return arena_strdup(arena, text->str);
}

/* The first parameter of what a tracepoint calls, and its locals, are not the tracepoint's. */
bool variable_is_hidden(const struct derived_probe *probe, const struct variable *variable)
{
	return probe->registration.kind == STP_PROBE_TRACEPOINT &&
	       (!variable->is_parameter || !strcmp(variable->name, "__data"));
}

static void collect_variable_names(struct lowering *l, GPtrArray *names)
{
	g_autoptr(GPtrArray) variables = g_ptr_array_new();
	bool locals = !l->probe->is_return;
	struct error *error =
		debuginfo_variables(l->probe->function, l->probe->registration.address.value, true, locals, variables);

	error_free(error);
	for_each_ptr(const struct variable *, variable, variables) {
		if (!variable_is_hidden(l->probe, variable) &&
		    !g_ptr_array_find_with_equal_func(names, variable->name, g_str_equal, NULL))
			g_ptr_array_add(names, (void *)variable->name);
	}
	if (l->probe->is_return && !debuginfo_return_value(l->probe->function, &(const struct variable *){NULL}))
		g_ptr_array_add(names, "return");
}

static void diagnose_no_variable(struct lowering *l)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const char *near;

	diagnose(l->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &l->target->location,
		 _("no variable '$%s' in %s"), l->target->text, l->probe->point_text);
	collect_variable_names(l, names);
	if (!names->len) {
		diagnose_hint(l->t->diagnostics, _("this function has no variables that can be read here"));
		return;
	}
	near = nearest_matches(l->t->arena, l->target->text, names, "$", 3);
	/* A first parameter of another name is the usual reason: kernels rename them. */
	if (!near)
		near = arena_printf(l->t->arena, "$%s", (const char *)g_ptr_array_index(names, 0));
	diagnose_hint(l->t->diagnostics, _("alternatives: %s; did you mean %s?"), join_names(l->t->arena, names, "$"),
		      near);
}

static void diagnose_no_member(struct lowering *l, const struct component *component, struct type *type)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const GPtrArray *members = NULL;
	struct error *error = debuginfo_members(type, &members);
	const char *near;

	error_free(error);
	for_each_ptr(const struct member *, member, members) {
		if (member->name)
			g_ptr_array_add(names, (void *)member->name);
	}
	diagnose(l->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &component->location,
		 _("'%s' has no member '%s'"), type->spelling, component->name);
	near = nearest_matches(l->t->arena, component->name, names, "", 3);
	if (near)
		diagnose_hint(l->t->diagnostics, _("alternatives: %s; did you mean %s?"),
			      join_names(l->t->arena, names, ""), near);
	else if (names->len)
		diagnose_hint(l->t->diagnostics, _("alternatives: %s"), join_names(l->t->arena, names, ""));
}

/* ---- the chain of components ------------------------------------------------------------------------------------ */

/* What has a type of a program's is in user memory. */
static struct expr *load_value(struct arena *arena, const struct type *type, struct expr *address, int size,
			       bool is_signed)
{
	struct expr *load = build_load(arena, address, size, is_signed);

	load->user_space = type_memory(type) == MEMORY_USER;
	return load;
}

struct expr *read_scalar(struct arena *arena, const struct typed_value *value)
{
	const struct type *type = value->type;
	int size = type->size;

	if (!value->address && !value->value)
		return NULL;
	switch (type->kind) {
	case KIND_ARRAY:
		return value->address;
	case KIND_FUNCTION:
		return value->address ?: value->value;
	case KIND_INTEGER:
	case KIND_ENUM:
	case KIND_POINTER:
		if (size != 1 && size != 2 && size != 4 && size != 8)
			return NULL;
		if (value->address)
			return load_value(arena, type, value->address, size, type->is_signed);
		return size == 8 ? value->value : build_convert(arena, value->value, size, type->is_signed);
	default:
		return NULL;
	}
}

/* Are bits of some bytes of a part lost? */
static bool has_lost(const struct value_part *part, uint64_t inside, uint64_t size, uint64_t bits)
{
	if (size < sizeof(bits))
		bits &= (1ULL << size * 8) - 1;
	return part->lost_bits && inside < sizeof(bits) && part->lost_bits >> inside * 8 & bits;
}

/* Some bytes of a value in several places, of which some bits are wanted: if they are in one of these, that is where. */
static void settle(struct arena *arena, struct typed_value *value, uint64_t size, uint64_t bits)
{
	for_each_ptr(const struct value_part *, part, value->parts) {
		uint64_t inside = value->offset - part->offset;
		const struct location *at;

		if (value->offset < part->offset || inside > part->size || size > part->size - inside ||
		    (!part->address && !part->value) || has_lost(part, inside, size, bits))
			continue;
		at = part->address ? &part->address->location : &part->value->location;
		if (part->address)
			value->address = build_binary(arena, OP_ADD, expr_copy(arena, part->address),
						      build_number(arena, at, (int64_t)inside));
		else if (inside)
			value->value = build_binary(arena, OP_SHIFT_RIGHT_LOGICAL, expr_copy(arena, part->value),
						    build_number(arena, at, (int64_t)inside * 8));
		else
			value->value = expr_copy(arena, part->value);
		value->parts = NULL;
		return;
	}
}

struct typed_value member_value(struct arena *arena, const struct typed_value *outer, const struct member *member,
				struct expr **bit_field)
{
	struct typed_value inner = {.type = member->type};
	struct expr *unit;

	*bit_field = NULL;
	if (outer->address) {
		inner.address = build_binary(arena, OP_ADD, outer->address,
					     build_number(arena, &outer->address->location, (int64_t)member->offset));
	} else if (outer->value) {
		inner.value = build_binary(arena, OP_SHIFT_RIGHT_LOGICAL, outer->value,
					   build_number(arena, &outer->value->location, (int64_t)member->offset * 8));
	} else if (outer->parts) {
		inner.parts = outer->parts;
		inner.offset = outer->offset + member->offset;
		if (member->is_bit_field && member->bit_size > 0 && member->bit_size + member->bit_offset <= 64)
			settle(arena, &inner, (uint64_t)member->storage_size,
			       UINT64_MAX >> (64 - member->bit_size) << member->bit_offset);
		else if (!member->is_bit_field)
			settle(arena, &inner, member->type->size, UINT64_MAX);
	}
	if (!member->is_bit_field || (!inner.address && !inner.value))
		return inner;
	unit = inner.address ? load_value(arena, outer->type, inner.address, member->storage_size, false) : inner.value;
	*bit_field = build_bit_field(arena, unit, member->bit_offset, member->bit_size, member->type->is_signed);
	/* A packed one that crosses all units is only read. */
	if (unit->kind == EXPR_LOAD && *bit_field != unit && !(member->storage_size & (member->storage_size - 1))) {
		(*bit_field)->bit_offset = member->bit_offset;
		(*bit_field)->bit_size = member->bit_size;
	}
	return inner;
}

struct typed_value element_value(struct arena *arena, const struct typed_value *array, uint64_t index)
{
	struct typed_value element = {.type = array->type->target};
	uint64_t size = element.type->size, offset = index * size;

	if (array->address) {
		element.address = build_binary(arena, OP_ADD, expr_copy(arena, array->address),
					       build_number(arena, &array->address->location, (int64_t)offset));
	} else if (array->parts) {
		element.parts = array->parts;
		element.offset = array->offset + offset;
		settle(arena, &element, size, UINT64_MAX);
	} else if (array->value && index < sizeof(int64_t) && offset + size <= sizeof(int64_t)) {
		element.value = build_binary(arena, OP_SHIFT_RIGHT_LOGICAL, expr_copy(arena, array->value),
					     build_number(arena, &array->value->location, (int64_t)offset * 8));
	}
	return element;
}

struct typed_value dereference(struct arena *arena, const struct typed_value *pointer, int64_t index)
{
	struct typed_value target = {.type = pointer->type->target};
	int64_t offset = index * (int64_t)target.type->size;

	if (pointer->target && pointer->target->target) { /* a pointer to such a pointer */
		if (!index && !pointer->target->offset)
			target.target = pointer->target->target;
		return target;
	}
	if (pointer->target) {
		target.parts = pointer->target->parts;
		target.offset = pointer->target->offset + (uint64_t)offset;
		settle(arena, &target, target.type->size, UINT64_MAX);
		return target;
	}
	target.address = read_scalar(arena, pointer);
	if (target.address && offset)
		target.address = build_binary(arena, OP_ADD, target.address,
					      build_number(arena, &target.address->location, offset));
	return target;
}

/* Follow "->name". A bit-field ends the chain: *scalar is then set. */
static bool follow_member(struct lowering *l, const struct component *component, struct typed_value *value,
			  struct expr **scalar)
{
	struct member member;
	struct error *error;

	if (value->type->kind == KIND_POINTER && value->type->target)
		*value = dereference(l->t->arena, value, 0);
	if (value->type->kind != KIND_STRUCT && value->type->kind != KIND_UNION) {
		diagnose(l->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &component->location,
			 _("'%s' is no struct or union, it has no member '%s'"), value->type->spelling,
			 component->name);
		return false;
	}
	error = debuginfo_find_member(value->type, component->name, &member);
	if (error) {
		error_free(error);
		diagnose_no_member(l, component, value->type);
		return false;
	}
	*value = member_value(l->t->arena, value, &member, scalar);
	return true;
}

static bool follow_index(struct lowering *l, const struct component *component, struct typed_value *value)
{
	struct arena *arena = l->t->arena;
	struct expr *base, *offset;
	struct type *element = value->type->target;

	if (value->type->kind != KIND_POINTER && value->type->kind != KIND_ARRAY) {
		diagnose(l->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &component->location,
			 _("'%s' is no pointer or array, it cannot be indexed"), value->type->spelling);
		return false;
	}
	if (!element || !element->size) {
		diagnose(l->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &component->location,
			 _("the size of the elements of '%s' is not known"), value->type->spelling);
		return false;
	}
	if (value->target && component->index->kind == EXPR_NUMBER) {
		*value = dereference(arena, value, component->index->number);
		return true;
	}
	if (value->type->kind == KIND_ARRAY && !value->address && component->index->kind == EXPR_NUMBER &&
	    component->index->number >= 0 && (uint64_t)component->index->number < value->type->count) {
		*value = element_value(arena, value, (uint64_t)component->index->number);
		return true;
	}
	base = read_scalar(arena, value);
	if (!base) {
		diagnose(l->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &component->location,
			 _("the array '%s' is not in memory here"), value->type->spelling);
		if (value->type->kind == KIND_ARRAY && value->type->count)
			diagnose_hint(l->t->diagnostics,
				      _("its elements can be read one by one: constants of 0 to %" PRIu64),
				      value->type->count - 1);
		return false;
	}
	offset = build_binary(arena, OP_MULTIPLY, expr_copy(arena, component->index),
			      build_number(arena, &component->location, element->size));
	*value = (struct typed_value){.type = element, .address = build_binary(arena, OP_ADD, base, offset)};
	return true;
}

static struct type *pointer_to(struct arena *arena, struct type *type)
{
	struct type *pointer = arena_new0(arena, struct type);

	pointer->kind = KIND_POINTER;
	pointer->size = 8;
	pointer->target = type;
	pointer->spelling = arena_printf(arena, "%s *", type->spelling);
	pointer->debuginfo = type->debuginfo;
	return pointer;
}

/* A part of a variable that is in several places. */
static void diagnose_lost(struct lowering *l)
{
	diagnose(l->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &l->target->location,
		 _("the compiler left no value of '%s' at this place, or spread it over several registers"),
		 target_text(l));
	diagnose_hint(l->t->diagnostics, _("test with @defined(%s), or take other members"), target_text(l));
}

static struct expr *finish_scalar(struct lowering *l, const struct typed_value *value)
{
	struct expr *scalar = read_scalar(l->t->arena, value);

	if (scalar) {
		scalar->c_type = value->type;
		return scalar;
	}
	if (value->target) {
		diagnose(l->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &l->target->location,
			 _("the pointer '%s' has no value here: what it points to is in no memory"), target_text(l));
		diagnose_hint(l->t->diagnostics, _("read what it points to: %s->member, %s[0]"), target_text(l),
			      target_text(l));
		return NULL;
	}
	if (value->type->kind != KIND_STRUCT && value->type->kind != KIND_UNION && !value->address && !value->value) {
		diagnose_lost(l);
	} else if (value->type->kind == KIND_STRUCT || value->type->kind == KIND_UNION) {
		diagnose(l->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &l->target->location,
			 _("'%s' is a %s, which has no single value"), target_text(l), value->type->spelling);
		diagnose_hint(l->t->diagnostics, _("take a member with ->, its address with &, or print it with %s$"),
			      target_text(l));
	} else {
		diagnose(l->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &l->target->location,
			 _("values of type '%s' are not supported yet"), value->type->spelling);
	}
	return NULL;
}

static struct expr *finish_address(struct lowering *l, const struct typed_value *value)
{
	if (value->address) {
		value->address->c_type = pointer_to(l->t->arena, value->type);
		return value->address;
	}
	diagnose(l->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &l->target->location,
		 _("'%s' has no address: it is in a register here"), target_text(l));
	return NULL;
}

/* From the base to the end of the chain. */
static struct expr *follow(struct lowering *l, struct typed_value value)
{
	struct expr *scalar = NULL;

	for_each_ptr(const struct component *, component, l->target->components) {
		if (scalar) {
			diagnose(l->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &component->location,
				 _("a bit-field has no members or elements"));
			return NULL;
		}
		switch (component->kind) {
		case COMPONENT_MEMBER:
			if (!follow_member(l, component, &value, &scalar))
				return NULL;
			break;
		case COMPONENT_INDEX:
			if (!follow_index(l, component, &value))
				return NULL;
			break;
		case COMPONENT_PRETTY_PRINT:
			return pretty_print(l->t, &l->target->location, &value, component->depth);
		}
	}
	if (l->target->address_of)
		return scalar ? finish_address(l, &(struct typed_value){0}) : finish_address(l, &value);
	return scalar ?: finish_scalar(l, &value);
}

/* ---- bases ------------------------------------------------------------------------------------------------------ */

static const GPtrArray *parts_of(struct lowering *l, const GPtrArray *pieces)
{
	GPtrArray *parts = arena_ptr_array(l->t->arena);

	for_each_ptr(const struct variable_piece *, piece, pieces) {
		struct value_part *part = arena_new0(l->t->arena, struct value_part);

		part->offset = piece->offset;
		part->size = piece->size;
		part->lost_bits = piece->lost_bits;
		if (piece->location == LOCATION_MEMORY)
			part->address = from_value(l, piece->value);
		else if (piece->location == LOCATION_VALUE)
			part->value = from_value(l, piece->value);
		g_ptr_array_add(parts, part);
	}
	return parts;
}

static bool variable_base(struct lowering *l, const struct variable *variable, struct typed_value *ret);

/* What a pointer without a value leads to, as a value in parts of which there may be just one. */
static bool pointer_base(struct lowering *l, const struct variable *variable, struct typed_value *ret)
{
	const struct variable *pointee = variable->pointee;
	struct typed_value *target = arena_new0(l->t->arena, struct typed_value);
	struct value_part *part;
	GPtrArray *parts;

	ret->target = target;
	target->type = pointee->type;
	if (pointee->location == LOCATION_POINTER && !variable_base(l, pointee, target))
		return false;
	target->offset = (uint64_t)variable->pointee_offset;
	if (pointee->location == LOCATION_PIECES)
		target->parts = parts_of(l, pointee->pieces);
	if (pointee->location != LOCATION_VALUE)
		return true;
	part = arena_new0(l->t->arena, struct value_part);
	part->size = pointee->type->size ? MIN(pointee->type->size, sizeof(int64_t)) : sizeof(int64_t);
	part->value = from_value(l, pointee->value);
	parts = arena_ptr_array(l->t->arena);
	g_ptr_array_add(parts, part);
	target->parts = parts;
	return true;
}

static bool variable_base(struct lowering *l, const struct variable *variable, struct typed_value *ret)
{
	ret->type = variable->type;
	ret->address = NULL;
	ret->value = NULL;
	ret->target = NULL;
	ret->parts = NULL;
	switch (variable->location) {
	case LOCATION_MEMORY:
		ret->address = from_value(l, variable->value);
		return true;
	case LOCATION_VALUE:
		ret->value = from_value(l, variable->value);
		return true;
	case LOCATION_POINTER:
		return pointer_base(l, variable, ret);
	case LOCATION_PIECES:
		ret->parts = parts_of(l, variable->pieces);
		ret->offset = 0;
		settle(l->t->arena, ret, ret->type->size, UINT64_MAX);
		return true;
	case LOCATION_OPTIMIZED_OUT:
		diagnose(l->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &l->target->location,
			 _("the compiler left no value of '$%s' at this place"), variable->name);
		diagnose_hint(l->t->diagnostics,
			      _("test with @defined($%s), or probe another line or the function's return"),
			      variable->name);
		return false;
	case LOCATION_UNSUPPORTED:
		diagnose(l->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &l->target->location,
			 _("the place of '$%s' cannot be computed: %s"), variable->name,
			 variable->reason ?: _("unknown"));
		diagnose_hint(l->t->diagnostics,
			      _("test with @defined($%s), or probe another line, the function's entry or its caller"),
			      variable->name);
		return false;
	}
	return false;
}

/* Have the entry handler compute @p value; the same expression is saved once. */
static struct expr *save_at_entry(struct lowering *l, struct expr *value)
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

static struct expr *lower_return_value(struct lowering *l)
{
	const struct variable *variable = NULL;
	struct typed_value base;
	struct error *error;

	if (!l->probe->is_return) {
		diagnose(l->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &l->target->location,
			 _("'$return' exists only in .return probes"));
		return NULL;
	}
	error = debuginfo_return_value(l->probe->function, &variable);
	if (error && error->code != ERROR_LOOKUP) {
		translation_report(l->t, &l->target->location, error);
		return NULL;
	}
	if (error) {
		error_free(error);
		diagnose(l->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &l->target->location,
			 _("'%s' returns nothing"), l->probe->function_name);
		return NULL;
	}
	return variable_base(l, variable, &base) ? follow(l, base) : NULL;
}

/* ---- $$vars and friends ----------------------------------------------------------------------------------------- */

static const struct group {
	const char *name;
	bool parameters, locals, result;
} groups[] = {
	{"$vars", true, true, false},
	{"$parms", true, false, false},
	{"$locals", false, true, false},
	{"$return", false, false, true},
};

static void add_literal(struct arena *arena, GPtrArray *format, const char *text)
{
	struct format_part *part = arena_new0(arena, struct format_part);

	part->kind = FORMAT_LITERAL;
	part->text = text;
	part->length = strlen(text);
	g_ptr_array_add(format, part);
}

static void add_directive(struct arena *arena, GPtrArray *format, enum format_kind kind)
{
	struct format_part *part = arena_new0(arena, struct format_part);

	part->kind = kind;
	part->alternate = kind == FORMAT_HEX;
	g_ptr_array_add(format, part);
}

/* What must hold for a value to be known when the probe is hit. */
struct conditions {
	struct arena *arena;
	GPtrArray *all; /* struct expr *, each once */
};

static bool is_unknown_caller(const struct expr *e)
{
	return e->kind == EXPR_CALL && strcmp(e->text, UNKNOWN_CALLER) == 0;
}

static void find_conditions(struct expr **expr, void *data)
{
	const struct conditions *conditions = data;
	struct expr *condition;
	const char *text;

	if ((*expr)->kind == EXPR_ENTRY_REGISTER) {
		condition = expr_copy(conditions->arena, *expr);
		condition->kind = EXPR_ENTRY_KNOWN;
	} else if ((*expr)->kind == EXPR_CONDITIONAL && is_unknown_caller((*expr)->right)) {
		condition = expr_copy(conditions->arena, (*expr)->condition);
	} else {
		return;
	}
	text = expr_text(conditions->arena, condition);
	for_each_ptr(const struct expr *, known, conditions->all) {
		if (strcmp(expr_text(conditions->arena, known), text) == 0)
			return;
	}
	g_ptr_array_add(conditions->all, condition);
}

/* What depends on the entry of a call that was not seen, or on a caller that is not known, is "?" in a group. */
static struct expr *unless_unknown(struct lowering *l, struct expr *value)
{
	struct arena *arena = l->t->arena;
	const struct location *at = &l->target->location;
	GPtrArray *format = arena_ptr_array(arena), *arguments = arena_ptr_array(arena);
	struct conditions conditions = {arena, arena_ptr_array(arena)};
	struct expr *all = NULL;

	expr_walk(&value, find_conditions, &conditions);
	if (!conditions.all->len)
		return value;
	for_each_ptr(struct expr *, condition, conditions.all)
		all = all ? build_logical(arena, OP_LOGICAL_AND, all, condition) : condition;
	add_directive(arena, format, value->type == TYPE_STRING ? FORMAT_STRING : FORMAT_HEX);
	g_ptr_array_add(arguments, value);
	return build_conditional(arena, all, build_sprintf(arena, at, format, arguments), build_string(arena, at, "?"));
}

/* One "name=value" of a group; "?" where the compiler left nothing. */
static void add_group_member(struct lowering *l, const char *name, int depth, GPtrArray *format, GPtrArray *arguments)
{
	struct arena *arena = l->t->arena;
	struct expr *target = expr_copy(arena, l->target);
	size_t mark = diagnostics_mark(l->t->diagnostics);
	struct expr *value;

	target->text = name;
	target->components = NULL;
	if (depth) {
		struct component *component = arena_new0(arena, struct component);

		component->kind = COMPONENT_PRETTY_PRINT;
		component->depth = depth;
		target->components = arena_ptr_array(arena);
		g_ptr_array_add(target->components, component);
	}
	value = lower_variable(l->t, l->probe, target);
	add_literal(arena, format, arena_printf(arena, "%s%s=", format->len ? " " : "", name));
	if (!value) {
		diagnostics_rewind(l->t->diagnostics, mark);
		add_literal(arena, format, "?");
		return;
	}
	value = unless_unknown(l, value);
	add_directive(arena, format, value->type == TYPE_STRING ? FORMAT_STRING : FORMAT_HEX);
	g_ptr_array_add(arguments, value);
}

static struct expr *lower_group(struct lowering *l, const struct group *group)
{
	struct arena *arena = l->t->arena;
	GPtrArray *format = arena_ptr_array(arena), *arguments = arena_ptr_array(arena);
	g_autoptr(GPtrArray) variables = g_ptr_array_new();
	const struct component *suffix = l->target->components && l->target->components->len
						 ? g_ptr_array_index(l->target->components, 0)
						 : NULL;
	int depth = suffix && suffix->kind == COMPONENT_PRETTY_PRINT ? suffix->depth : 0;
	const struct variable *result = NULL;
	struct error *error = NULL;

	if (suffix && suffix->kind != COMPONENT_PRETTY_PRINT) {
		diagnose(l->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &suffix->location,
			 _("'$%s' is a string; it has no members or elements"), group->name);
		return NULL;
	}
	if (group->result) {
		error = l->probe->is_return ? debuginfo_return_value(l->probe->function, &result) : NULL;
		if (result)
			add_group_member(l, "return", depth, format, arguments);
	} else {
		bool locals = group->locals && !l->probe->is_return;

		error = debuginfo_require(l->debuginfo, locals ? KNOWS_LOCALS : KNOWS_TYPES);
		error = error
				?: debuginfo_variables(l->probe->function, l->probe->registration.address.value,
						       group->parameters, locals, variables);
	}
	/* A function that returns nothing has no $$return, which is no mistake. */
	if (error && error->code != ERROR_LOOKUP) {
		translation_report(l->t, &l->target->location, error);
		return NULL;
	}
	error_free(error);
	for_each_ptr(const struct variable *, variable, variables)
		if (!variable_is_hidden(l->probe, variable))
			add_group_member(l, variable->name, depth, format, arguments);
	return build_sprintf(arena, &l->target->location, format, arguments);
}

/* ---- entry points ----------------------------------------------------------------------------------------------- */

/* $name[i] with an index of the handler's own cannot be computed at entry: the handler has not run then. */
static bool has_variable_index(const struct expr *target)
{
	for_each_ptr(const struct component *, component, target->components) {
		if (component->kind == COMPONENT_INDEX && component->index->kind != EXPR_NUMBER)
			return true;
	}
	return false;
}

struct expr *lower_variable(struct translation *t, struct derived_probe *probe, struct expr *target)
{
	struct lowering l = {.t = t, .probe = probe, .target = target, .debuginfo = probe->registration.debuginfo};
	const struct variable *variable;
	struct typed_value base;
	struct error *error;
	struct expr *value;

	if (!probe->function) {
		diagnose(t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &target->location,
			 _("there are no $variables at an absolute address"));
		return NULL;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(groups); i++)
		if (!strcmp(target->text, groups[i].name))
			return lower_group(&l, &groups[i]);
	if (!strcmp(target->text, "return"))
		return lower_return_value(&l);
	if (probe->is_return && has_variable_index(target)) {
		diagnose(t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &target->location,
			 _("'%s' is read at the function's entry, when its index has no value yet"), target_text(&l));
		diagnose_hint(t->diagnostics, _("use a constant index, or @cast(@entry($%s), \"type\")[index]"),
			      target->text);
		return NULL;
	}
	error = debuginfo_find_variable(probe->function, probe->registration.address.value, target->text, &variable);
	if (!error && variable_is_hidden(probe, variable)) {
		diagnose_no_variable(&l);
		return NULL;
	}
	if (error) {
		if (error->code == ERROR_LOOKUP) {
			error_free(error);
			diagnose_no_variable(&l);
		} else {
			translation_report(t, &target->location, error);
		}
		return NULL;
	}
	if (!variable_base(&l, variable, &base))
		return NULL;
	value = follow(&l, base);
	return value && probe->is_return ? save_at_entry(&l, value) : value;
}

/* `value->member` on an expression: its type is known if it came from a $variable. */
static struct expr *lower_autocast(struct translation *t, struct lowering *l)
{
	struct expr *operand = l->target->operand;
	struct typed_value base = {.type = operand->c_type, .value = operand};

	if (operand->c_type)
		return follow(l, base);
	/* What is lowered already cannot be shown: the user has not written it so. */
	if (operand->kind != EXPR_SYMBOL && operand->kind != EXPR_INDEX && operand->kind != EXPR_CALL) {
		diagnose(t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &l->target->location,
			 _("the C type of the expression before '->' is not known here"));
		diagnose_hint(t->diagnostics, _("name it: @cast(expression, \"struct …\")->…"));
		return NULL;
	}
	diagnose(t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &l->target->location,
		 _("the C type of '%s' is not known here"), expr_text(t->arena, operand));
	diagnose_hint(t->diagnostics, _("name it: @cast(%s, \"struct …\")->…"), expr_text(t->arena, operand));
	return NULL;
}

struct expr *lower_cast(struct translation *t, struct derived_probe *probe, struct expr *target)
{
	struct lowering l = {.t = t, .probe = probe, .target = target};
	struct typed_value base = {0};
	struct type *type, *pointer;
	struct error *error;

	if (!target->type_name)
		return lower_autocast(t, &l);
	error = find_named_type(t, probe, target->type_name, target->module, &type);
	if (error) {
		translation_report(t, &target->location, error);
		return NULL;
	}
	l.debuginfo = type->debuginfo;
	/* @cast(p, "struct s")->x: p is a pointer to the type, whether the type is written with * or not. */
	pointer = type->kind == KIND_POINTER ? type : pointer_to(t->arena, type);
	base.value = target->operand;
	if (!target->components || !target->components->len) {
		base.type = type;
		if (type->kind != KIND_STRUCT && type->kind != KIND_UNION)
			return follow(&l, base);
		target->operand->c_type = pointer;
		return target->operand;
	}
	base.type = pointer;
	return follow(&l, base);
}

struct global_search {
	const char *name, *file;
	struct debuginfo *debuginfo; /* that has it */
	const struct variable *variable;
};

static struct error *search_global(struct debuginfo *debuginfo, void *data)
{
	struct global_search *search = data;

	search->debuginfo = debuginfo;
	return debuginfo_find_global(debuginfo, search->name, search->file, &search->variable);
}

/* BTF without a description of the variable: its address is known. */
static void diagnose_untyped(struct lowering *l, const char *name)
{
	diagnose(l->t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &l->target->location,
		 _("the type of '%s' is not known: there is only debuginfo of the kind '%s' of %s"), name,
		 debuginfo_source(l->debuginfo), debuginfo_module_name(l->debuginfo));
	diagnose_hint(l->t->diagnostics,
		      _("say it: @cast(&@var(\"%s\"), \"struct ...\")->..., kernel_long(&@var(\"%s\")); or install "
			"linux-image-%s-dbg"),
		      name, name, l->t->kernel.release);
}

struct expr *lower_global_variable(struct translation *t, struct derived_probe *probe, struct expr *target)
{
	struct lowering l = {.t = t, .probe = probe, .target = target};
	char *name = arena_strdup(t->arena, target->text);
	char *file = strchr(name, '@');
	struct global_search search;
	struct typed_value base;
	struct error *error;

	if (!file && !target->module && probe && probe->function) {
		struct expr *plain = expr_copy(t->arena, target);

		plain->target = TARGET_VARIABLE;
		return lower_variable(t, probe, plain);
	}
	if (file)
		*file++ = '\0';
	search = (struct global_search){.name = name, .file = file};
	error = search_modules(t, probe, target->module, search_global, &search);
	if (error) {
		translation_report(t, &target->location, error);
		return NULL;
	}
	l.debuginfo = search.debuginfo;
	if (search.variable->type->kind == KIND_VOID && !target->address_of) {
		diagnose_untyped(&l, name);
		return NULL;
	}
	return variable_base(&l, search.variable, &base) ? follow(&l, base) : NULL;
}
