// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trace the first instructions of an arm64 function, as trace_x86_64.c does for x86: which bytes of registers and stack
 * are those of a register or a stack argument at the function's entry? (Arm Architecture Reference Manual, C4.1.)
 *
 * An instruction that computes makes the bytes of its result unknown. The trace ends at instructions whose results are
 * elsewhere, and at stores to the stack at a place that is not known.
 */
#include "translator/abi/abi.h"

#include <string.h>

enum { SIZE = 4, WORD = 8, VECTOR_BYTES = 16 };
enum { GENERAL = 31, ZERO = 31, SP = 31, LINK = 30, V0 = 64, VECTORS = 32 };

/* A load or store of one or two registers. */
struct transfer {
	unsigned int first, second; /* DWARF numbers; ZERO: the zero register */
	bool is_pair, is_load, is_vector;
	bool is_signed; /* a load that extends the sign */
	unsigned int size; /* bytes of each register */
	unsigned int base;
	int64_t offset; /* of the address from the base */
	int64_t move; /* is added to the base */
};

static unsigned int field(uint32_t word, unsigned int low_bit, unsigned int bits)
{
	return word >> low_bit & ((1u << bits) - 1);
}

static int64_t signed_field(uint32_t word, unsigned int low_bit, unsigned int bits)
{
	return (int64_t)((uint64_t)word << (64 - low_bit - bits)) >> (64 - bits);
}

/* ---- state ---- */

void arm64_trace_begin(struct abi_trace *trace, bool is_32_bit)
{
	memset(trace, 0, sizeof(*trace));
	for (unsigned int number = 0; number < GENERAL; number++)
		for (int64_t byte = 0; byte < WORD; byte++)
			trace->registers[number][byte] = (struct abi_byte){ABI_ORIGIN_REGISTER, number, byte};
	for (unsigned int number = V0; number < V0 + VECTORS; number++)
		for (int64_t byte = 0; byte < VECTOR_BYTES; byte++)
			trace->registers[number][byte] = (struct abi_byte){ABI_ORIGIN_REGISTER, number, byte};
	trace->is_stack_address[SP] = true;
}

/* Write the low bytes of a register. The other bytes become zero and are not followed. */
static void set_register(struct abi_trace *trace, unsigned int number, const struct abi_byte *bytes, unsigned int size)
{
	if (number == ZERO)
		return;
	memset(trace->registers[number], 0, sizeof(trace->registers[number]));
	memcpy(trace->registers[number], bytes, size * sizeof(*bytes));
	trace->is_stack_address[number] = false;
}

static void forget_register(struct abi_trace *trace, unsigned int number)
{
	set_register(trace, number, NULL, 0);
}

static void get_register(const struct abi_trace *trace, unsigned int number, struct abi_byte *bytes, unsigned int size)
{
	if (number != ZERO)
		memcpy(bytes, trace->registers[number], size * sizeof(*bytes));
	for (unsigned int i = 0; number == ZERO && i < size; i++)
		bytes[i] = (struct abi_byte){ABI_ORIGIN_ZERO, 0, 0};
}

static void copy_register(struct abi_trace *trace, unsigned int to, unsigned int from, unsigned int size)
{
	struct abi_byte bytes[ABI_REGISTER_BYTES];
	bool is_address = from != ZERO && size == WORD && trace->is_stack_address[from];
	int64_t place = trace->places[from];

	get_register(trace, from, bytes, size);
	set_register(trace, to, bytes, size);
	if (is_address && to != ZERO) {
		trace->is_stack_address[to] = true;
		trace->places[to] = place;
	}
}

/* Set a register, or the stack pointer, to an address on the stack. */
static void set_address(struct abi_trace *trace, unsigned int number, int64_t place)
{
	memset(trace->registers[number], 0, sizeof(trace->registers[number]));
	trace->is_stack_address[number] = true;
	trace->places[number] = place;
}

/* ---- loads and stores ---- */

static bool transfer_one(struct abi_trace *trace, const struct transfer *t, unsigned int number, int64_t place)
{
	struct abi_byte bytes[ABI_REGISTER_BYTES] = {{ABI_ORIGIN_UNKNOWN, 0, 0}};
	bool is_on_stack = trace->is_stack_address[t->base];

	if (t->is_load) {
		for (unsigned int i = 0; is_on_stack && !t->is_signed && i < t->size; i++)
			bytes[i] = abi_trace_load(trace, place + i);
		set_register(trace, number, bytes, t->size);
		return true;
	}
	get_register(trace, number, bytes, t->size);
	for (unsigned int i = 0; is_on_stack && i < t->size; i++)
		if (!abi_trace_store(trace, place + i, bytes[i]))
			return false;
	return true;
}

static bool transfer(struct abi_trace *trace, const struct transfer *t)
{
	int64_t place = trace->places[t->base] + t->offset;

	/* A load may write its base, so move that first. */
	if (t->move)
		trace->places[t->base] += t->move;
	return transfer_one(trace, t, t->first, place) &&
	       (!t->is_pair || transfer_one(trace, t, t->second, place + t->size));
}

/* Return the DWARF number of the register in a field. */
static unsigned int transferred(uint32_t word, unsigned int low_bit, bool is_vector)
{
	return field(word, low_bit, 5) + (is_vector ? V0 : 0);
}

/* LDP, STP and their forms. The forms 1 and 3 move the base, the former after the access. */
static bool read_pair(uint32_t word, struct transfer *t)
{
	unsigned int form = field(word, 23, 2), opcode = field(word, 30, 2);
	int64_t offset;

	t->is_pair = true;
	t->is_vector = field(word, 26, 1);
	t->is_load = field(word, 22, 1);
	t->size = t->is_vector ? 4u << opcode : opcode & 2 ? 8 : 4;
	t->is_signed = !t->is_vector && opcode == 1;
	t->first = transferred(word, 0, t->is_vector);
	t->second = transferred(word, 10, t->is_vector);
	t->base = field(word, 5, 5);
	offset = signed_field(word, 15, 7) * t->size;
	t->offset = form == 1 ? 0 : offset;
	t->move = form & 1 ? offset : 0;
	return opcode != 3 && !(t->is_signed && !t->is_load);
}

/* LDR, STR and their forms, with a scaled offset, or a small one that may move the base. */
static bool read_single(uint32_t word, struct transfer *t)
{
	unsigned int opcode = field(word, 22, 2), size = field(word, 30, 2), form = field(word, 10, 2);
	bool is_scaled = field(word, 24, 1);
	int64_t offset = is_scaled ? field(word, 10, 12) : signed_field(word, 12, 9);

	t->is_vector = field(word, 26, 1);
	t->is_load = t->is_vector ? opcode & 1 : opcode != 0;
	t->is_signed = !t->is_vector && opcode >= 2;
	t->size = t->is_vector && opcode >= 2 ? VECTOR_BYTES : 1u << size;
	t->first = transferred(word, 0, t->is_vector);
	t->base = field(word, 5, 5);
	t->offset = is_scaled ? offset * t->size : form == 1 ? 0 : offset;
	t->move = !is_scaled && form & 1 ? offset : 0;
	/* A prefetch */
	return !(!t->is_vector && size == 3 && opcode == 2);
}

static bool trace_memory(struct abi_trace *trace, uint32_t word)
{
	struct transfer t = {0};

	if ((word & 0x3a000000) == 0x28000000)
		return read_pair(word, &t) && transfer(trace, &t);
	if ((word & 0x3b000000) == 0x39000000 || (word & 0x3b200000) == 0x38000000)
		return read_single(word, &t) && transfer(trace, &t);
	/* With a register as offset */
	if ((word & 0x3b200c00) != 0x38200800 || !read_single(word, &t) ||
	    (!t.is_load && trace->is_stack_address[t.base]))
		return false;
	if (t.is_load)
		forget_register(trace, t.first);
	return true;
}

/* ---- other instructions ---- */

/* ADD and SUB of a number; the stack pointer is one of their registers. */
static void trace_sum(struct abi_trace *trace, uint32_t word)
{
	unsigned int to = field(word, 0, 5), from = field(word, 5, 5);
	int64_t number = (int64_t)field(word, 10, 12) << (field(word, 22, 1) ? 12 : 0);
	bool is_64_bit = field(word, 31, 1), sets_flags = field(word, 29, 1);

	if (sets_flags && to == ZERO)
		return;
	if (is_64_bit && trace->is_stack_address[from])
		set_address(trace, to, trace->places[from] + (field(word, 30, 1) ? -number : number));
	else if (to == SP)
		trace->is_stack_address[SP] = false;
	else
		forget_register(trace, to);
}

/* Trace a move between registers, general or vector. Return false if the instruction is not one. */
static bool trace_move(struct abi_trace *trace, uint32_t word)
{
	static const struct {
		uint32_t mask, value;
		unsigned int size;
		bool to_vector, from_vector;
		unsigned int from_bit;
	} moves[] = {
		{0xffe0ffe0, 0xaa0003e0, 8, false, false, 16}, {0xffe0ffe0, 0x2a0003e0, 4, false, false, 16},
		{0xfffffc00, 0x1e604000, 8, true, true, 5},    {0xfffffc00, 0x1e204000, 4, true, true, 5},
		{0xfffffc00, 0x9e660000, 8, false, true, 5},   {0xfffffc00, 0x9e670000, 8, true, false, 5},
		{0xfffffc00, 0x1e260000, 4, false, true, 5},   {0xfffffc00, 0x1e270000, 4, true, false, 5},
	};

	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		if ((word & moves[i].mask) != moves[i].value)
			continue;
		copy_register(trace, transferred(word, 0, moves[i].to_vector),
			      transferred(word, moves[i].from_bit, moves[i].from_vector), moves[i].size);
		return true;
	}
	return false;
}

/* Computations, whose result is in the register of the lowest bits: a general one, or one of vectors. */
static bool trace_computation(struct abi_trace *trace, uint32_t word)
{
	bool sets_flags = field(word, 29, 1);

	/* The register 31 is the stack pointer in AND and similar of a number, and in sums of an extended register. */
	if (field(word, 0, 5) == SP && (((word & 0x1f800000) == 0x12000000 && field(word, 29, 2) != 3) ||
					((word & 0x1fe00000) == 0x0b200000 && !sets_flags)))
		trace->is_stack_address[SP] = false;
	if ((word & 0x1c000000) == 0x10000000 || (word & 0x0e000000) == 0x0a000000) {
		forget_register(trace, field(word, 0, 5));
		return true;
	}
	if ((word & 0x0e000000) != 0x0e000000)
		return false;
	forget_register(trace, field(word, 0, 5));
	forget_register(trace, V0 + field(word, 0, 5));
	return true;
}

/* Trace a branch or a hint; some hints sign the return address. Return false if the instruction is neither. */
static bool trace_control(struct abi_trace *trace, uint32_t word, int64_t *next)
{
	if ((word & 0xfffff01f) == 0xd503201f) {
		unsigned int hint = field(word, 5, 7);

		if (hint == 0x07 || (hint >= 0x18 && hint <= 0x1f))
			forget_register(trace, LINK);
		return true;
	}
	if ((word & 0xfc000000) == 0x14000000) {
		*next = signed_field(word, 0, 26) * SIZE;
		return true;
	}
	return (word & 0xff000010) == 0x54000000 || (word & 0x7c000000) == 0x34000000;
}

bool arm64_trace_instruction(struct abi_trace *trace, const uint8_t *bytes, size_t size)
{
	uint32_t word = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
	int64_t next = SIZE;

	if (size < SIZE)
		return false;
	if ((word & 0x1f800000) == 0x11000000)
		trace_sum(trace, word);
	else if ((word & 0x0a000000) == 0x08000000 ? !trace_memory(trace, word)
						   : !trace_control(trace, word, &next) && !trace_move(trace, word) &&
							     !trace_computation(trace, word))
		return false;
	trace->at += (uint64_t)next;
	return true;
}
