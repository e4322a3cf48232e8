// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Updating references to DIEs in DWARF expressions, without libdw. DW_OP_implicit_pointer refers to a DIE by its offset
 * in .debug_info, DW_OP_GNU_parameter_ref by its offset in the unit. So code that moves DIEs must update the
 * expressions.
 *
 * The operands of an operation are a row of a table (DWARF 5, section 7.7.1). After an unknown operation, the rest of
 * the expression is left unchanged, because no reader can parse it.
 */
#include "translator/debuginfo/digest/digest.h"

#include <string.h>

/* The kinds of operands; an operation has up to two. */
enum operand {
	NOTHING,
	BYTE = 1, /* the values of BYTE to LONG are their sizes */
	HALF = 2,
	WORD = 4,
	LONG = 8,
	LEB,
	BLOCK, /* preceded by its size as LEB */
	SMALL_BLOCK, /* preceded by its size as a byte */
	REFERENCE,
	UNIT_REFERENCE,
	UNKNOWN,
};

static const struct {
	uint8_t first, last;
	uint8_t operands[2]; /* enum operand */
} operations[] = {
	{DW_OP_addr, DW_OP_addr, {LONG}},
	{DW_OP_deref, DW_OP_deref, {NOTHING}},
	{DW_OP_const1u, DW_OP_const1s, {BYTE}},
	{DW_OP_const2u, DW_OP_const2s, {HALF}},
	{DW_OP_const4u, DW_OP_const4s, {WORD}},
	{DW_OP_const8u, DW_OP_const8s, {LONG}},
	{DW_OP_constu, DW_OP_consts, {LEB}},
	{DW_OP_dup, DW_OP_over, {NOTHING}},
	{DW_OP_pick, DW_OP_pick, {BYTE}},
	{DW_OP_swap, DW_OP_plus, {NOTHING}},
	{DW_OP_plus_uconst, DW_OP_plus_uconst, {LEB}},
	{DW_OP_shl, DW_OP_xor, {NOTHING}},
	{DW_OP_bra, DW_OP_bra, {HALF}},
	{DW_OP_eq, DW_OP_ne, {NOTHING}},
	{DW_OP_skip, DW_OP_skip, {HALF}},
	{DW_OP_lit0, DW_OP_reg31, {NOTHING}},
	{DW_OP_breg0, DW_OP_fbreg, {LEB}}, /* includes regx */
	{DW_OP_bregx, DW_OP_bregx, {LEB, LEB}},
	{DW_OP_piece, DW_OP_piece, {LEB}},
	{DW_OP_deref_size, DW_OP_xderef_size, {BYTE}},
	{DW_OP_nop, DW_OP_push_object_address, {NOTHING}},
	{DW_OP_call2, DW_OP_call2, {HALF}},
	{DW_OP_call4, DW_OP_call4, {WORD}},
	{DW_OP_call_ref, DW_OP_call_ref, {REFERENCE}},
	{DW_OP_form_tls_address, DW_OP_call_frame_cfa, {NOTHING}},
	{DW_OP_bit_piece, DW_OP_bit_piece, {LEB, LEB}},
	{DW_OP_implicit_value, DW_OP_implicit_value, {BLOCK}},
	{DW_OP_stack_value, DW_OP_stack_value, {NOTHING}},
	{DW_OP_implicit_pointer, DW_OP_implicit_pointer, {REFERENCE, LEB}},
	{DW_OP_addrx, DW_OP_constx, {LEB}},
	{DW_OP_entry_value, DW_OP_entry_value, {BLOCK}},
	{DW_OP_const_type, DW_OP_const_type, {LEB, SMALL_BLOCK}},
	{DW_OP_regval_type, DW_OP_regval_type, {LEB, LEB}},
	{DW_OP_deref_type, DW_OP_deref_type, {BYTE, LEB}},
	{DW_OP_convert, DW_OP_reinterpret, {LEB}},
	{DW_OP_GNU_push_tls_address, DW_OP_GNU_push_tls_address, {NOTHING}},
	{DW_OP_GNU_uninit, DW_OP_GNU_uninit, {NOTHING}},
	{DW_OP_GNU_implicit_pointer, DW_OP_GNU_implicit_pointer, {REFERENCE, LEB}},
	{DW_OP_GNU_entry_value, DW_OP_GNU_entry_value, {BLOCK}},
	{DW_OP_GNU_const_type, DW_OP_GNU_const_type, {LEB, SMALL_BLOCK}},
	{DW_OP_GNU_regval_type, DW_OP_GNU_regval_type, {LEB, LEB}},
	{DW_OP_GNU_deref_type, DW_OP_GNU_deref_type, {BYTE, LEB}},
	{DW_OP_GNU_convert, DW_OP_GNU_convert, {LEB}},
	{DW_OP_GNU_reinterpret, DW_OP_GNU_reinterpret, {LEB}},
	{DW_OP_GNU_parameter_ref, DW_OP_GNU_parameter_ref, {UNIT_REFERENCE}},
};

static const uint8_t *operands_of(uint8_t operation)
{
	static const uint8_t unknown[2] = {UNKNOWN, UNKNOWN};

	for (size_t i = 0; i < G_N_ELEMENTS(operations); i++)
		if (operation >= operations[i].first && operation <= operations[i].last)
			return operations[i].operands;
	return unknown;
}

static void move_reference(struct reader *reader, move_die *move, const void *data, bool is_in_unit)
{
	uint8_t *at = (uint8_t *)reader->position;
	uint32_t offset = (uint32_t)read_unsigned(reader, 4);

	if (reader->bad)
		return;
	offset = GUINT32_TO_LE(move(data, offset, is_in_unit));
	memcpy(at, &offset, sizeof(offset));
}

void expression_move_dies(void *expression, size_t size, move_die *move, const void *data)
{
	struct reader reader = {expression, (const uint8_t *)expression + size, false};

	while (reader.position < reader.end && !reader.bad) {
		const uint8_t *operands = operands_of((uint8_t)read_unsigned(&reader, 1));

		for (int i = 0; i < 2; i++) {
			switch (operands[i]) {
			case UNKNOWN:
				return;
			case LEB:
				read_uleb(&reader);
				break;
			case BLOCK:
				read_skip(&reader, read_uleb(&reader));
				break;
			case SMALL_BLOCK:
				read_skip(&reader, read_unsigned(&reader, 1));
				break;
			case REFERENCE:
			case UNIT_REFERENCE:
				move_reference(&reader, move, data, operands[i] == UNIT_REFERENCE);
				break;
			default:
				read_skip(&reader, operands[i]);
				break;
			}
		}
	}
}

/*
 * ---- .debug_loclists (7.29) ----
 *
 * Lists can be found only through the DIEs, because gcc leaves other data between them.
 */

/* Update one entry of a list. Return false if its kind is unknown. */
static bool move_in_entry(struct reader *reader, move_die *move, const void *data)
{
	static const struct {
		bool has_expression;
		uint8_t operands[2];
	} entries[] = {
		[DW_LLE_end_of_list] = {false, {NOTHING}},   [DW_LLE_base_addressx] = {false, {LEB}},
		[DW_LLE_startx_endx] = {true, {LEB, LEB}},   [DW_LLE_startx_length] = {true, {LEB, LEB}},
		[DW_LLE_offset_pair] = {true, {LEB, LEB}},   [DW_LLE_default_location] = {true, {NOTHING}},
		[DW_LLE_base_address] = {false, {LONG}},     [DW_LLE_start_end] = {true, {LONG, LONG}},
		[DW_LLE_start_length] = {true, {LONG, LEB}}, [DW_LLE_GNU_view_pair] = {false, {LEB, LEB}},
	};
	uint64_t kind = read_unsigned(reader, 1), size;

	if (kind >= G_N_ELEMENTS(entries))
		return false;
	for (int i = 0; i < 2; i++) {
		if (entries[kind].operands[i] == LEB)
			read_uleb(reader);
		else
			read_skip(reader, entries[kind].operands[i]);
	}
	if (!entries[kind].has_expression)
		return !reader->bad;
	size = read_uleb(reader);
	if (!reader->bad && size <= (uint64_t)(reader->end - reader->position))
		expression_move_dies((void *)reader->position, size, move, data);
	read_skip(reader, size);
	return !reader->bad;
}

void location_list_move_dies(void *lists, size_t size, uint64_t offset, move_die *move, const void *data)
{
	struct reader reader = {lists, (const uint8_t *)lists + size, false};

	read_skip(&reader, offset);
	while (reader.position < reader.end && *reader.position != DW_LLE_end_of_list &&
	       move_in_entry(&reader, move, data))
		;
}

/* ---- .debug_loc, of DWARF before 5 (DWARF 4, section 2.6.2) ---- */

void old_location_list_move_dies(void *lists, size_t size, uint64_t offset, move_die *move, const void *data)
{
	struct reader reader = {lists, (const uint8_t *)lists + size, false};

	read_skip(&reader, offset);
	while (!reader.bad) {
		uint64_t start = read_unsigned(&reader, 8), end = read_unsigned(&reader, 8), length;

		if (reader.bad || (!start && !end))
			return;
		if (start == UINT64_MAX) /* a base address entry: `end` is the base of the following entries */
			continue;
		length = read_unsigned(&reader, 2);
		if (!reader.bad && length <= (uint64_t)(reader.end - reader.position))
			expression_move_dies((void *)reader.position, length, move, data);
		read_skip(&reader, length);
	}
}
