// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Building trees of values. Constants are folded at once, so that loops of DWARF expressions terminate and frame
 * offsets add up.
 */
#include "translator/debuginfo/location/values.h"

#include <string.h>

#include "common/base/i18n.h"
#include "translator/debuginfo/object/user_object.h"

struct variable *variable_new(const struct debuginfo *debuginfo)
{
	struct variable *variable = arena_new0(debuginfo->arena, struct variable);

	variable->memory = debuginfo->memory;
	variable->abi = debuginfo->kernel.abi;
	return variable;
}

struct value *value_new(struct arena *arena, enum value_kind kind, uint64_t constant)
{
	struct value *value = arena_new0(arena, struct value);

	value->kind = kind;
	value->constant = constant;
	return value;
}

struct value *value_load(const struct debuginfo *debuginfo, struct value *address, int size)
{
	struct value *load = value_new(debuginfo->arena, VALUE_LOAD, 0);

	load->left = address;
	load->size = size;
	load->memory = debuginfo->memory;
	return load;
}

/* Fold an operation on two untyped numbers, as gcc uses them in loops. Return false for other operations. */
static bool fold(enum value_operation operation, uint64_t left, uint64_t right, uint64_t *ret)
{
	switch (operation) {
	case VALUE_ADD:
		*ret = left + right;
		return true;
	case VALUE_SUBTRACT:
		*ret = left - right;
		return true;
	case VALUE_AND:
		*ret = left & right;
		return true;
	case VALUE_OR:
		*ret = left | right;
		return true;
	case VALUE_SHIFT_LEFT:
		*ret = left << (right & 63);
		return right < 64;
	case VALUE_SHIFT_RIGHT:
		*ret = left >> (right & 63);
		return right < 64;
	case VALUE_EQUAL:
		*ret = left == right;
		return true;
	case VALUE_NOT_EQUAL:
		*ret = left != right;
		return true;
	default:
		return false;
	}
}

struct value *value_binary(struct arena *arena, enum value_operation operation, struct value *left, struct value *right)
{
	struct value *value;
	uint64_t folded;

	if (left->kind == VALUE_CONSTANT && right->kind == VALUE_CONSTANT &&
	    fold(operation, left->constant, right->constant, &folded))
		return value_new(arena, VALUE_CONSTANT, folded);
	if ((operation == VALUE_SHIFT_LEFT || operation == VALUE_SHIFT_RIGHT || operation == VALUE_OR) &&
	    right->kind == VALUE_CONSTANT && !right->constant)
		return left;
	if (operation == VALUE_OR && left->kind == VALUE_CONSTANT && !left->constant)
		return right;
	if (operation == VALUE_ADD && right->kind == VALUE_CONSTANT) {
		if (!right->constant)
			return left;
		/* (register + a) + b, as for frame offsets */
		if (left->kind == VALUE_BINARY && left->operation == VALUE_ADD && left->right->kind == VALUE_CONSTANT)
			return value_binary(arena, VALUE_ADD, left->left,
					    value_new(arena, VALUE_CONSTANT, left->right->constant + right->constant));
	}
	value = value_new(arena, VALUE_BINARY, 0);
	value->operation = operation;
	value->left = left;
	value->right = right;
	return value;
}

static struct value *value_address(const struct debuginfo *debuginfo, uint64_t dwarf_address)
{
	struct address address = debuginfo_public_address(debuginfo, dwarf_address);
	struct value *value = value_new(debuginfo->arena, VALUE_ADDRESS, address.value);

	value->section = address.section;
	return value;
}

const struct value *value_unconverted(const struct value *value)
{
	while (value->kind == VALUE_CONVERT)
		value = value->left;
	return value;
}

/* Convert a value to a type; typed values are kept extended to 64 bits. */
struct value *value_converted(struct arena *arena, struct value *value, int size, bool is_signed)
{
	struct value *converted = value_new(arena, VALUE_CONVERT, 0);

	converted->size = size;
	converted->is_signed = is_signed;
	converted->left = value;
	return converted;
}

/*
 * Return the address of the current CPU's copy of a per-CPU variable. The kernel's variables are linked at 0 and above,
 * so that their addresses are offsets, or with the rest of the data. Either way, adding a per-CPU distance gives the
 * copy. Return NULL for modules, because the kernel does not export where their copies are.
 */
static struct value *percpu_address(const struct debuginfo *debuginfo, uint64_t dwarf_address)
{
	struct value *linked;

	if (debuginfo->kind != OBJECT_KERNEL)
		return NULL;
	linked = (int64_t)dwarf_address >= 0 ? value_new(debuginfo->arena, VALUE_CONSTANT, dwarf_address)
					     : value_address(debuginfo, dwarf_address);
	return value_binary(debuginfo->arena, VALUE_ADD, value_new(debuginfo->arena, VALUE_THIS_CPU, 0), linked);
}

struct value *value_of_address(const struct debuginfo *debuginfo, uint64_t dwarf_address)
{
	if (debuginfo_is_percpu(debuginfo, dwarf_address))
		return percpu_address(debuginfo, dwarf_address);
	return value_address(debuginfo, dwarf_address);
}

const char *value_percpu_reason(void)
{
	return _("it is a per-CPU variable of a module, whose address is not known");
}

/*
 * Create a register value. For 32-bit programs, convert the number to the kernel's and truncate the value, because the
 * upper half is undefined.
 */
static struct value *register_value(const struct debuginfo *debuginfo, enum value_kind kind, uint64_t number,
				    struct value *place)
{
	const struct abi *abi = debuginfo_abi(debuginfo);
	struct value *value =
		value_new(debuginfo->arena, kind, abi->kernel_numbers ? abi->kernel_numbers[number] : number);

	value->left = place;
	return abi->kernel_numbers ? value_converted(debuginfo->arena, value, (int)abi->word, false) : value;
}

struct value *value_of_register(const struct debuginfo *debuginfo, uint64_t number)
{
	return register_value(debuginfo, VALUE_REGISTER, number, NULL);
}

struct value *value_of_entry_register(const struct debuginfo *debuginfo, uint64_t number, struct value *place)
{
	return register_value(debuginfo, VALUE_ENTRY_REGISTER, number, place);
}

static struct value *value_plus(struct arena *arena, struct value *value, uint64_t constant)
{
	return value_binary(arena, VALUE_ADD, value, value_new(arena, VALUE_CONSTANT, constant));
}

/*
 * Return the block with a number from the thread's vector of blocks. A word near the thread pointer points to the
 * vector, whose elements have two words ("ELF Handling For Thread-Local Storage", section 3.1).
 */
static struct value *block_by_vector(struct debuginfo *debuginfo, struct value *number)
{
	struct arena *arena = debuginfo->arena;
	unsigned int word = debuginfo_abi(debuginfo)->word, vector = debuginfo_abi(debuginfo)->linking->thread_vector;
	struct value *pointer = value_new(arena, VALUE_THREAD_POINTER, 0), *element;

	element = value_binary(arena, VALUE_MULTIPLY, number, value_new(arena, VALUE_CONSTANT, 2UL * word));
	element = value_binary(arena, VALUE_ADD, value_load(debuginfo, value_plus(arena, pointer, vector), (int)word),
			       element);
	return value_load(debuginfo, element, (int)word);
}

/*
 * Return the block of a library by the argument of its descriptor. The blocks that a thread begins with are near the
 * thread pointer; addresses are larger, because the first pages of a process are never mapped and the heap follows the
 * program.
 */
static struct value *block_by_descriptor(struct debuginfo *debuginfo, struct value *argument, struct value *by_distance)
{
	enum { FARTHEST_BLOCK = 1 << 22 };
	struct arena *arena = debuginfo->arena;
	struct value *choice = value_new(arena, VALUE_SELECT, 0);

	choice->condition = value_binary(arena, VALUE_LESS, argument, value_new(arena, VALUE_CONSTANT, FARTHEST_BLOCK));
	choice->left = by_distance;
	choice->right =
		block_by_vector(debuginfo, value_load(debuginfo, argument, (int)debuginfo_abi(debuginfo)->word));
	return choice;
}

struct value *value_of_thread_block(struct debuginfo *debuginfo)
{
	struct arena *arena = debuginfo->arena;
	struct value *pointer = value_new(arena, VALUE_THREAD_POINTER, 0), *content, *by_distance;
	struct thread_slot slot;

	if (debuginfo->kind != OBJECT_LIBRARY)
		return value_plus(arena, pointer, (uint64_t)debuginfo->object->thread_offset);
	if (!user_object_thread_slot(debuginfo, &slot))
		return NULL;
	content = value_load(debuginfo, value_of_address(debuginfo, slot.address), (int)debuginfo_abi(debuginfo)->word);
	if (slot.kind == THREAD_SLOT_LIBRARY)
		return block_by_vector(debuginfo, content);
	by_distance = value_plus(arena, value_binary(arena, VALUE_ADD, pointer, content), -slot.offset);
	return slot.kind == THREAD_SLOT_DISTANCE ? by_distance : block_by_descriptor(debuginfo, content, by_distance);
}

uint64_t value_of_bytes(const uint8_t *bytes, uint64_t size)
{
	uint64_t number = 0;

	memcpy(&number, bytes, size);
	return GUINT64_FROM_LE(number);
}

void pieces_add(struct arena *arena, GPtrArray **pieces, uint64_t size, enum location_kind location,
		struct value *value)
{
	struct variable_piece *piece = arena_new0(arena, struct variable_piece);
	const struct variable_piece *last;

	if (!*pieces)
		*pieces = arena_ptr_array(arena);
	last = (*pieces)->len ? g_ptr_array_index(*pieces, (*pieces)->len - 1) : NULL;
	piece->offset = last ? last->offset + last->size : 0;
	piece->size = size;
	piece->location = location;
	piece->value = value;
	g_ptr_array_add(*pieces, piece);
}

void pieces_add_constant(struct arena *arena, GPtrArray **pieces, const Dwarf_Block *constant, uint64_t size)
{
	for (uint64_t offset = 0; offset < size; offset += sizeof(uint64_t)) {
		uint64_t part = MIN(size - offset, sizeof(uint64_t));

		pieces_add(arena, pieces, part, LOCATION_VALUE,
			   value_new(arena, VALUE_CONSTANT, value_of_bytes(constant->data + offset, part)));
	}
}
