// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Converting a DWARF location to a value: where is a variable when the code is at a given pc?
 *
 * This file selects the expression that applies at the pc; dwarf_machine.c runs it. Every case that is not fully
 * understood becomes LOCATION_UNSUPPORTED with a reason.
 */
#include "translator/debuginfo/location/dwarf_machine.h"

#include <string.h>

#include "common/base/i18n.h"
#include "translator/debuginfo/object/user_object.h"

const char *location_run(const struct location_context *context, const Dwarf_Op *operations, size_t count,
			 struct value **ret, bool *is_address)
{
	struct machine machine = {.context = context, .arena = context->debuginfo->arena};

	if (!machine_run(&machine, operations, count) || machine.depth < 1)
		return machine.problem ?: _("its location is malformed");
	*is_address = !machine.is_value && !machine.is_register;
	*ret = machine.stack[machine.depth - 1].value;
	return NULL;
}

const char *location_run_value(const struct location_context *context, const Dwarf_Attribute *expression,
			       struct value **ret)
{
	Dwarf_Attribute attribute = *expression;
	struct machine machine = {.context = context, .arena = context->debuginfo->arena, .attribute = &attribute};
	Dwarf_Op *operations;
	size_t count;

	if (dwarf_getlocation(&attribute, &operations, &count) != 0 || !machine_run(&machine, operations, count) ||
	    machine.depth != 1 || machine.pieces || machine.bit_count || machine.pointee || machine.constant.data)
		return machine.problem ?: _("its location is malformed");
	*ret = machine.stack[0].value;
	return NULL;
}

void location_set_pieces(struct arena *arena, struct variable *variable, GPtrArray *pieces)
{
	const struct variable_piece *first = g_ptr_array_index(pieces, 0);
	const struct variable_piece *last = g_ptr_array_index(pieces, pieces->len - 1);
	uint64_t end = last->offset + last->size, size = variable->type ? variable->type->size : 0;
	bool is_there = false;

	/* Bytes after the last piece are not described (2.6.1.2). */
	if (end < size)
		pieces_add(arena, &pieces, size - end, LOCATION_OPTIMIZED_OUT, NULL);
	for_each_ptr(const struct variable_piece *, one, pieces)
		is_there = is_there || one->location != LOCATION_OPTIMIZED_OUT;
	variable->location = is_there ? LOCATION_PIECES : LOCATION_OPTIMIZED_OUT;
	variable->pieces = pieces;
	/* One piece is the whole variable. */
	if (is_there && pieces->len == 1 && !first->lost_bits) {
		variable->location = first->location;
		variable->value = first->value;
	}
}

bool location_has_register(const struct debuginfo *debuginfo, uint64_t number)
{
	const struct abi *abi = debuginfo_abi(debuginfo);

	return number < abi->register_count || (debuginfo->memory == MEMORY_USER && number >= abi->first_vector &&
						number < abi->first_vector + abi->vector_count);
}

/* Add the part of a value in a register, of which probes can read a word. */
static void add_register(struct debuginfo *debuginfo, GPtrArray **pieces, const struct abi_place *place,
			 unsigned int number)
{
	unsigned int word = debuginfo_abi(debuginfo)->word, size = place->part_size ?: word;

	pieces_add(debuginfo->arena, pieces, MIN(size, word), LOCATION_VALUE, value_of_register(debuginfo, number));
	if (size > word)
		pieces_add(debuginfo->arena, pieces, size - word, LOCATION_OPTIMIZED_OUT, NULL);
}

void location_of_place(struct debuginfo *debuginfo, const struct abi_place *place, struct variable *variable)
{
	enum abi_where where = place->where;
	GPtrArray *pieces = NULL;

	for (unsigned int i = 0; where == ABI_REGISTERS && i < place->register_count; i++)
		if (!location_has_register(debuginfo, place->registers[i]))
			where = ABI_FLOAT_REGISTERS;
	switch (where) {
	case ABI_NOWHERE:
		variable->location = LOCATION_OPTIMIZED_OUT;
		break;
	case ABI_FLOAT_REGISTERS:
		variable->location = LOCATION_UNSUPPORTED;
		variable->reason = _("it is, at least in part, in floating-point registers, which probes cannot read");
		break;
	case ABI_MEMORY:
	case ABI_REFERENCE:
		variable->location = LOCATION_MEMORY;
		break;
	case ABI_REGISTERS:
		for (unsigned int i = 0; i < place->register_count; i++)
			add_register(debuginfo, &pieces, place, place->registers[i]);
		location_set_pieces(debuginfo->arena, variable, pieces);
		break;
	}
}

/*
 * Set the location of an implicit pointer. If the pointee is in memory after all, its address is the pointer's value.
 */
static void set_pointer(struct arena *arena, struct variable *variable, const struct machine *machine)
{
	const struct variable *pointee = machine->pointee;

	switch (pointee->location) {
	case LOCATION_MEMORY:
		variable->location = LOCATION_VALUE;
		variable->value = value_binary(arena, VALUE_ADD, pointee->value,
					       value_new(arena, VALUE_CONSTANT, (uint64_t)machine->pointee_offset));
		break;
	case LOCATION_OPTIMIZED_OUT:
	case LOCATION_UNSUPPORTED:
		variable->location = pointee->location;
		variable->reason = pointee->reason;
		break;
	default:
		variable->location = LOCATION_POINTER;
		variable->pointee = pointee;
		variable->pointee_offset = machine->pointee_offset;
		break;
	}
}

/* Is the attribute one expression, not a list by addresses? */
static bool is_one_expression(Dwarf_Attribute *attribute)
{
	Dwarf_Block block;

	return dwarf_formblock(attribute, &block) == 0;
}

/* Does the expression compute a value instead of an address? */
static bool is_computed(const Dwarf_Op *operations, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (operations[i].atom == DW_OP_stack_value)
			return true;
	return false;
}

static void from_expression(const struct location_context *context, Dwarf_Attribute *attribute, Dwarf_Op *operations,
			    size_t count, struct variable *variable)
{
	struct machine machine = {
		.context = context,
		.arena = context->debuginfo->arena,
		.attribute = attribute,
		.is_for_function = is_one_expression(attribute) && !is_computed(operations, count),
	};
	uint64_t known;

	if (!count) { /* an empty expression means optimized out (2.6.1.1.1) */
		variable->location = LOCATION_OPTIMIZED_OUT;
		return;
	}
	if (machine_run(&machine, operations, count) && machine.constant.data && !machine.pieces && !machine.depth)
		pieces_add_constant(machine.arena, &machine.pieces, &machine.constant, machine.constant.length);
	if (!machine.problem)
		machine_end_bits(&machine);
	if (!machine.problem && machine.pieces && !machine.depth) {
		location_set_pieces(context->debuginfo->arena, variable, machine.pieces);
		return;
	}
	if (machine.pointee && !machine.problem && !machine.pieces && !machine.depth) {
		set_pointer(context->debuginfo->arena, variable, &machine);
		return;
	}
	if (machine.problem || machine.pieces || machine.pointee || machine.depth < 1) {
		variable->location = LOCATION_UNSUPPORTED;
		variable->reason = machine.problem ? machine.problem : _("its location is malformed");
		return;
	}
	variable->location = machine.is_value || machine.is_register ? LOCATION_VALUE : LOCATION_MEMORY;
	variable->value = machine.stack[machine.depth - 1].value;
	/* The known bytes of a register are a word, those of a number are eight. */
	known = machine.is_register ? debuginfo_abi(context->debuginfo)->word : sizeof(uint64_t);
	if (variable->location == LOCATION_VALUE && variable->type && variable->type->size > known) {
		pieces_add(machine.arena, &machine.pieces, known, LOCATION_VALUE, variable->value);
		location_set_pieces(machine.arena, variable, machine.pieces);
	}
}

static void constant_variable(const struct debuginfo *debuginfo, Dwarf_Attribute *attribute, struct variable *variable)
{
	const char *text = dwarf_formstring(attribute);
	GPtrArray *pieces = NULL;
	uint64_t number;
	Dwarf_Block block = {0};
	Dwarf_Sword value;

	if (text)
		block = (Dwarf_Block){strlen(text) + 1, (unsigned char *)text};
	if (!text && dwarf_formsdata(attribute, &value) == 0) {
		number = (uint64_t)value;
	} else if ((!text && dwarf_formblock(attribute, &block) != 0) || !block.length) {
		variable->location = LOCATION_UNSUPPORTED;
		variable->reason = _("its value is malformed");
		return;
	} else if (block.length > sizeof(number)) {
		pieces_add_constant(debuginfo->arena, &pieces, &block, block.length);
		location_set_pieces(debuginfo->arena, variable, pieces);
		return;
	} else {
		number = value_of_bytes(block.data, block.length);
	}
	variable->location = LOCATION_VALUE;
	variable->value = value_new(debuginfo->arena, VALUE_CONSTANT, number);
}

/*
 * Find the place at the entry of a parameter whose location list starts only after the first instructions. The code
 * shows how the parameter gets to the place in the list. Without the code, as with a kernel's digest, the place at the
 * entry is unknown.
 */
static void from_prologue(const struct location_context *context, Dwarf_Attribute *attribute, struct variable *variable)
{
	const struct abi *abi = debuginfo_abi(context->debuginfo);
	struct location_context there = *context;
	Dwarf_Addr base, start, end;
	Dwarf_Op *operations;
	size_t count;

	if (!variable->is_parameter || context->pc != context->entry ||
	    dwarf_getlocations(attribute, 0, &base, &start, &end, &operations, &count) <= 0 || count != 1)
		return;
	if (start < context->entry || start - context->entry > abi->prologue_size)
		return;
	there.pc = start;
	from_expression(&there, attribute, operations, count, variable);
	if (operations[0].atom >= DW_OP_reg0 && operations[0].atom <= DW_OP_reg31 &&
	    prologue_register(context, start, operations[0].atom - DW_OP_reg0, variable))
		return;
	if (variable->location != LOCATION_MEMORY || !prologue_argument(context, start, variable->value, variable))
		variable->location = LOCATION_OPTIMIZED_OUT;
}

void location_of_address(const struct debuginfo *debuginfo, uint64_t dwarf_address, struct variable *variable)
{
	variable->value = value_of_address(debuginfo, dwarf_address);
	variable->location = variable->value ? LOCATION_MEMORY : LOCATION_UNSUPPORTED;
	if (!variable->value)
		variable->reason = value_percpu_reason();
}

/*
 * Find the range of a location list that is empty and at the entry: gcc writes it for the argument of a parameter that
 * the function changes at once, before its first instruction ("location views").
 */
static bool find_argument(const struct location_context *context, Dwarf_Attribute *attribute, Dwarf_Op **operations,
			  size_t *count)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;

	if (context->pc != context->entry || context->frame || is_one_expression(attribute))
		return false;
	while ((offset = dwarf_getlocations(attribute, offset, &base, &start, &end, operations, count)) > 0)
		if (start == context->entry && end == start)
			return true;
	return false;
}

static bool is_at_file_scope(Dwarf_Die *die)
{
	Dwarf_Die *scopes = NULL;
	int count = dwarf_tag(die) == DW_TAG_variable ? dwarf_getscopes_die(die, &scopes) : 0;
	int outer = count > 1 ? dwarf_tag(&scopes[1]) : 0;

	free(scopes);
	return outer == DW_TAG_compile_unit || outer == DW_TAG_partial_unit || outer == DW_TAG_namespace;
}

/* Find a variable without a location by its symbol, if that is thread-local. */
static void thread_variable(struct debuginfo *debuginfo, Dwarf_Die *die, struct variable *variable)
{
	Dwarf_Attribute attribute;
	const char *linkage = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
	const char *name = linkage ?: dwarf_diename(die);
	struct value *block;
	uint64_t offset;

	if (!name || !debuginfo->object || debuginfo->object->is_32_bit ||
	    !user_object_thread_symbol(debuginfo, name, &offset))
		return;
	block = value_of_thread_block(debuginfo);
	variable->location = block ? LOCATION_MEMORY : LOCATION_UNSUPPORTED;
	if (block)
		variable->value = value_binary(debuginfo->arena, VALUE_ADD, block,
					       value_new(debuginfo->arena, VALUE_CONSTANT, offset));
	else
		variable->reason = _("it is thread-local in a library, and its offset is not known");
}

bool location_as_described(const struct location_context *context, Dwarf_Die *die, struct variable *variable)
{
	bool is_argument = false;
	Dwarf_Attribute attribute;
	Dwarf_Op *operations;
	size_t count;

	variable->location = LOCATION_OPTIMIZED_OUT;
	if (dwarf_attr_integrate(die, DW_AT_location, &attribute)) {
		is_argument = variable->is_parameter && find_argument(context, &attribute, &operations, &count);
		if (!is_argument && dwarf_getlocation_addr(&attribute, context->pc, &operations, &count, 1) != 1) {
			from_prologue(context, &attribute, variable);
			return false;
		}
		from_expression(context, &attribute, operations, count, variable);
		if (count == 1 && operations[0].atom >= DW_OP_reg0 && operations[0].atom <= DW_OP_reg31 &&
		    is_one_expression(&attribute))
			prologue_home_register(context, die, operations[0].atom - DW_OP_reg0, variable);
	} else if (dwarf_attr_integrate(die, DW_AT_const_value, &attribute)) {
		constant_variable(context->debuginfo, &attribute, variable);
	} else if (is_at_file_scope(die)) {
		thread_variable(context->debuginfo, die, variable);
	}
	return is_argument;
}

void location_of(const struct location_context *context, Dwarf_Die *die, struct variable *variable)
{
	bool is_argument = location_as_described(context, die, variable);

	prologue_parameter(context, die, is_argument, variable);
}
