// SPDX-License-Identifier: GPL-2.0-or-later
/* Variables in several places (DWARF 5, section 2.6.1.2), with an expression for each piece of bytes or bits. */
#include "translator/debuginfo/location/dwarf_machine.h"

#include "common/base/i18n.h"

bool machine_piece(struct machine *machine, uint64_t size)
{
	bool is_content = machine->is_value || machine->is_register;
	enum location_kind location = is_content ? LOCATION_VALUE : LOCATION_MEMORY;
	struct value *value;

	if (machine->bit_count)
		return machine_bit_piece(machine, size * 8, 0);
	value = machine->depth ? machine_take(machine) : NULL;
	if (machine->nested || machine->branches || machine->pointee)
		return machine_fail(machine, _("its location is too complicated"));
	if (machine->depth || size > UINT32_MAX ||
	    (machine->constant.data && (value || size > machine->constant.length)))
		return machine_fail(machine, _("its location is malformed"));
	if (machine->constant.data)
		pieces_add_constant(machine->arena, &machine->pieces, &machine->constant, size);
	else
		pieces_add(machine->arena, &machine->pieces, size, value ? location : LOCATION_OPTIMIZED_OUT, value);
	machine->constant.data = NULL;
	machine->is_value = machine->is_register = false;
	return true;
}

void machine_end_bits(struct machine *machine)
{
	unsigned int size = (machine->bit_count + 7) / 8;
	enum location_kind location = machine->bits ? LOCATION_VALUE : LOCATION_OPTIMIZED_OUT;
	struct variable_piece *piece;

	if (!size)
		return;
	pieces_add(machine->arena, &machine->pieces, size, location, machine->bits);
	piece = g_ptr_array_index(machine->pieces, machine->pieces->len - 1);
	if (machine->bits) {
		piece->lost_bits = machine->lost_bits;
		if (machine->bit_count % 8)
			piece->lost_bits |= (uint64_t)(0xff << machine->bit_count % 8 & 0xff) << (size - 1) * 8;
	}
	machine->bits = NULL;
	machine->bit_count = 0;
	machine->lost_bits = 0;
}

static uint64_t low_bits(uint64_t count)
{
	return count < 64 ? (1ULL << count) - 1 : UINT64_MAX;
}

/* Add optimized-out bits: first up to the end of the byte, then whole bytes, then the rest. */
static bool lose_bits(struct machine *machine, uint64_t count)
{
	uint64_t fill = machine->bit_count ? MIN(count, -machine->bit_count % 8) : 0;

	machine->lost_bits |= low_bits(fill) << machine->bit_count;
	machine->bit_count += (unsigned int)fill;
	count -= fill;
	if (machine->bit_count % 8 == 0)
		machine_end_bits(machine);
	if (count >= 8)
		pieces_add(machine->arena, &machine->pieces, count / 8, LOCATION_OPTIMIZED_OUT, NULL);
	machine->lost_bits |= low_bits(count % 8) << machine->bit_count;
	machine->bit_count += (unsigned int)(count % 8);
	return true;
}

/* Extract bits of a value, or of the memory at an address, as a number. */
static struct value *some_bits(struct machine *machine, struct value *value, uint64_t size, uint64_t offset)
{
	bool is_content = machine->is_value || machine->is_register;
	struct value *load;

	if (!is_content) {
		load = value_load(machine->context->debuginfo,
				  value_binary(machine->arena, VALUE_ADD, value,
					       value_new(machine->arena, VALUE_CONSTANT, offset / 8)),
				  0);
		offset %= 8;
		for (load->size = 1; (uint64_t)load->size * 8 < offset + size;)
			load->size *= 2;
		value = load;
	}
	if (offset)
		value = value_binary(machine->arena, VALUE_SHIFT_RIGHT, value,
				     value_new(machine->arena, VALUE_CONSTANT, offset));
	return value_binary(machine->arena, VALUE_AND, value,
			    value_new(machine->arena, VALUE_CONSTANT, low_bits(size)));
}

/* Bit pieces are collected until they fill whole bytes, at most eight. */
bool machine_bit_piece(struct machine *machine, uint64_t size, uint64_t offset)
{
	struct value *value, *bits;

	/* clang uses DW_OP_bit_piece for whole bytes, too. */
	if (!machine->bit_count && size % 8 == 0 && !offset)
		return machine_piece(machine, size / 8);
	if (machine->nested || machine->branches || machine->pointee || machine->constant.data || machine->depth > 1 ||
	    size > UINT32_MAX)
		return machine_fail(machine, _("its location is too complicated"));
	if (!machine->depth)
		return lose_bits(machine, size);
	if (size > 64 - machine->bit_count || offset > 64 - size ||
	    (!machine->is_value && !machine->is_register && offset % 8 + size > 64))
		return machine_fail(machine, _("parts of its bytes are in different places"));
	value = machine_take(machine);
	bits = some_bits(machine, value, size, offset);
	if (machine->bit_count)
		bits = value_binary(machine->arena, VALUE_SHIFT_LEFT, bits,
				    value_new(machine->arena, VALUE_CONSTANT, machine->bit_count));
	machine->bits = machine->bits ? value_binary(machine->arena, VALUE_OR, machine->bits, bits) : bits;
	machine->bit_count += (unsigned int)size;
	machine->is_value = machine->is_register = false;
	if (machine->bit_count % 8 == 0)
		machine_end_bits(machine);
	return true;
}
