// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trace the first instructions of an x86 function: which bytes of registers and stack are those of a register or a
 * stack argument at the function's entry?
 *
 * Debuginfo describes a parameter by the slot in which unoptimized code keeps it, and the prologue fills that slot. The
 * prologue itself is the only source that says where the parameter was before, whatever the calling convention is.
 *
 * Every byte is followed by itself, since compilers move parameters whole, in halves and shifted. Only instructions
 * that compilers use there are known. The trace ends at any other: a wrong origin is worse than none.
 */
#include "translator/abi/abi.h"

#include <string.h>

/* Registers are numbered as in instructions: 16 general ones, then the vector registers. */
enum { AX, CX, DX, BX, STACK, BASE, VECTOR = 16, REGISTERS = 32 };
enum { VECTOR_BYTES = 16, NO_REGISTER = -1 };

struct operand {
	bool is_memory, is_on_stack;
	int64_t place; /* on the stack: distance from the stack pointer at the entry */
	int number; /* in memory: NO_REGISTER */
	unsigned int shift; /* bytes; 1 for %ah and similar */
};

struct instruction {
	const uint8_t *next, *end;
	bool is_32_bit, has_operand_size, has_segment, has_other_address_size, is_bad;
	uint8_t repeat; /* 0xf2, 0xf3 or 0 */
	uint8_t extension; /* the bits of REX, 0x40 if there is one */
	bool is_vector; /* with a VEX prefix */
	unsigned int source; /* VEX.vvvv; 0 if not used */
	unsigned int map; /* 0: one byte; 1: 0f */
	uint8_t opcode;
	unsigned int size; /* bytes of an operand that is not a byte */
	struct operand reg, rm;
	unsigned int group; /* the middle of ModRM */
};

/* ---- state ---- */

/* Return the DWARF number; i386 numbers the registers as instructions do. */
static unsigned int dwarf_number(const struct abi_trace *trace, unsigned int number)
{
	static const uint8_t low[] = {0, 2, 1, 3, 7, 6, 4, 5};

	if (number >= VECTOR)
		return number - VECTOR + (trace->is_32_bit ? 21 : 17);
	return trace->is_32_bit || number >= 8 ? number : low[number];
}

static struct abi_byte *bytes_of(struct abi_trace *trace, unsigned int number)
{
	return trace->registers[dwarf_number(trace, number)];
}

static int64_t word(const struct abi_trace *trace)
{
	return trace->is_32_bit ? 4 : 8;
}

void x86_64_trace_begin(struct abi_trace *trace, bool is_32_bit)
{
	unsigned int count = is_32_bit ? VECTOR + 8 : REGISTERS;

	memset(trace, 0, sizeof(*trace));
	trace->is_32_bit = is_32_bit;
	trace->first_argument = word(trace); /* after the return address */
	for (unsigned int i = 0; i < count; i++) {
		unsigned int number = dwarf_number(trace, i);

		if (is_32_bit && i >= 8 && i < VECTOR)
			continue;
		for (int64_t byte = 0; byte < (i < VECTOR ? word(trace) : VECTOR_BYTES); byte++)
			trace->registers[number][byte] = (struct abi_byte){ABI_ORIGIN_REGISTER, number, byte};
	}
	trace->is_stack_address[dwarf_number(trace, STACK)] = true;
}

/* ---- operands ---- */

static void note_read(struct abi_trace *trace, unsigned int number)
{
	const struct abi_byte *byte = &trace->registers[number][0];

	trace->is_read[number] |= byte->origin == ABI_ORIGIN_REGISTER && byte->number == number && !byte->index;
}

static void load(struct abi_trace *trace, const struct operand *operand, unsigned int size, struct abi_byte *ret)
{
	memset(ret, 0, size * sizeof(*ret));
	if (!operand->is_memory) {
		note_read(trace, dwarf_number(trace, (unsigned int)operand->number));
		memcpy(ret, bytes_of(trace, (unsigned int)operand->number) + operand->shift, size * sizeof(*ret));
	}
	for (unsigned int i = 0; operand->is_on_stack && i < size; i++)
		ret[i] = abi_trace_load(trace, operand->place + i);
}

/* Write the low @p size bytes. 32-bit results clear the upper half of a general register, which is not followed. */
static bool store(struct abi_trace *trace, const struct operand *operand, unsigned int size,
		  const struct abi_byte *bytes)
{
	struct abi_byte *to;

	if (operand->is_memory) {
		for (unsigned int i = 0; operand->is_on_stack && i < size; i++)
			if (!abi_trace_store(trace, operand->place + i, bytes[i]))
				return false;
		return true;
	}
	to = bytes_of(trace, (unsigned int)operand->number);
	memcpy(to + operand->shift, bytes, size * sizeof(*bytes));
	if (size >= 4 && size < ABI_REGISTER_BYTES)
		memset(to + size, 0, (ABI_REGISTER_BYTES - size) * sizeof(*to));
	trace->is_stack_address[dwarf_number(trace, (unsigned int)operand->number)] = false;
	return true;
}

static bool store_unknown(struct abi_trace *trace, const struct operand *operand, unsigned int size)
{
	struct abi_byte unknown[ABI_REGISTER_BYTES] = {{ABI_ORIGIN_UNKNOWN, 0, 0}};

	return store(trace, operand, size, unknown);
}

static bool copy(struct abi_trace *trace, const struct operand *to, const struct operand *from, unsigned int size)
{
	struct abi_byte bytes[ABI_REGISTER_BYTES];
	unsigned int number = from->is_memory ? 0 : dwarf_number(trace, (unsigned int)from->number);
	bool is_address = !from->is_memory && from->number < VECTOR && size == (unsigned int)word(trace) &&
			  trace->is_stack_address[number];
	int64_t place = trace->places[number];

	load(trace, from, size, bytes);
	if (!store(trace, to, size, bytes))
		return false;
	if (is_address && !to->is_memory) {
		trace->is_stack_address[dwarf_number(trace, (unsigned int)to->number)] = true;
		trace->places[dwarf_number(trace, (unsigned int)to->number)] = place;
	}
	return true;
}

static void set_address(struct abi_trace *trace, const struct operand *to, bool is_known, int64_t place)
{
	unsigned int number = dwarf_number(trace, (unsigned int)to->number);

	store_unknown(trace, to, (unsigned int)word(trace));
	trace->is_stack_address[number] = is_known;
	trace->places[number] = place;
}

/* ---- decoding ---- */

static uint8_t next_byte(struct instruction *i)
{
	i->is_bad |= i->next >= i->end;
	return i->is_bad ? 0 : *i->next++;
}

static int64_t next_number(struct instruction *i, unsigned int size)
{
	int32_t four = 0;

	if (i->end - i->next < (ptrdiff_t)size) {
		i->is_bad = true;
		return 0;
	}
	memcpy(&four, i->next, size);
	i->next += size;
	return size == 1 ? (int8_t)four : size == 2 ? (int16_t)four : four;
}

static bool read_prefix(struct instruction *i)
{
	switch (*i->next) {
	case 0x64:
	case 0x65:
		i->has_segment = true;
		break;
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x26:
		break;
	case 0x66:
		i->has_operand_size = true;
		break;
	case 0x67:
		i->has_other_address_size = true;
		break;
	case 0xf2:
	case 0xf3:
		i->repeat = *i->next;
		break;
	default:
		return false;
	}
	i->next++;
	return true;
}

/* Read the prefix of two or three bytes; only instructions of the map 0f with 128 bits are known. */
static void read_vector_prefix(struct instruction *i)
{
	static const uint8_t repeats[] = {0, 0, 0xf3, 0xf2};
	bool is_long = *i->next++ == 0xc4;
	uint8_t first = next_byte(i), last = is_long ? next_byte(i) : first;

	i->is_vector = true;
	i->map = is_long ? first & 0x1f : 1;
	i->extension = (uint8_t)(first & 0x80 ? 0 : 4);
	if (is_long)
		i->extension |= (uint8_t)((first & 0x40 ? 0 : 2) | (first & 0x20 ? 0 : 1) | (last & 0x80 ? 8 : 0));
	i->source = ~(unsigned int)last >> 3 & 15;
	i->has_operand_size = (last & 3) == 1;
	i->repeat = repeats[last & 3];
	i->is_bad |= last & 4 || i->map != 1;
}

static void read_opcode(struct instruction *i)
{
	while (i->next < i->end && read_prefix(i))
		;
	if (i->next < i->end && (*i->next == 0xc4 || *i->next == 0xc5) &&
	    (!i->is_32_bit || (i->next + 1 < i->end && i->next[1] >= 0xc0))) {
		read_vector_prefix(i);
	} else {
		if (!i->is_32_bit && i->next < i->end && (*i->next & 0xf0) == 0x40)
			i->extension = *i->next++;
		if (i->next < i->end && *i->next == 0x0f) {
			i->map = 1;
			i->next++;
		}
	}
	i->opcode = next_byte(i);
	i->size = i->extension & 8 ? 8 : i->has_operand_size ? 2 : 4;
}

/* Return the register with a number from an instruction, as an operand of @p size bytes. */
static struct operand general(const struct instruction *i, unsigned int number, unsigned int size)
{
	if (size == 1 && !i->extension && number >= 4 && number < 8)
		return (struct operand){.number = (int)number - 4, .shift = 1};
	return (struct operand){.number = (int)number};
}

static struct operand vector(unsigned int number)
{
	return (struct operand){.number = (int)number + VECTOR};
}

static void read_address(struct instruction *i, struct abi_trace *trace, uint8_t modrm)
{
	unsigned int mode = modrm >> 6, base = modrm & 7;
	bool has_base = true, has_index = false;
	uint8_t sib;

	i->rm = (struct operand){.is_memory = true, .number = NO_REGISTER};
	if (base == 4) {
		sib = next_byte(i);
		has_index = (sib >> 3 & 7) != 4 || i->extension & 2;
		base = sib & 7;
		has_base = base != 5 || mode;
		if (!has_base)
			next_number(i, 4);
	} else if (base == 5 && !mode) { /* relative to the instruction, or absolute */
		has_base = false;
		next_number(i, 4);
	}
	if (mode)
		i->rm.place = next_number(i, mode == 1 ? 1 : 4);
	base = dwarf_number(trace, base + (i->extension & 1 ? 8 : 0));
	i->rm.is_on_stack = has_base && !has_index && !i->has_segment && trace->is_stack_address[base];
	if (has_base)
		note_read(trace, base);
	i->rm.place += trace->places[base];
}

/* Read ModRM, for operands of @p size bytes, in the vector registers if their bit is set. */
static void read_operands(struct instruction *i, struct abi_trace *trace, unsigned int size, bool reg_is_vector,
			  bool rm_is_vector)
{
	uint8_t modrm = next_byte(i);
	unsigned int reg = (modrm >> 3 & 7) + (i->extension & 4 ? 8 : 0);
	unsigned int rm = (modrm & 7) + (i->extension & 1 ? 8 : 0);

	i->is_bad |= i->has_other_address_size;
	i->group = modrm >> 3 & 7;
	i->reg = reg_is_vector ? vector(reg) : general(i, reg, size);
	if (modrm >> 6 == 3)
		i->rm = rm_is_vector ? vector(rm) : general(i, rm, size);
	else
		read_address(i, trace, modrm);
}

/* ---- instructions ---- */

static bool is_same(const struct operand *a, const struct operand *b)
{
	return !a->is_memory && !b->is_memory && a->number == b->number && a->shift == b->shift;
}

static bool is_stack_pointer(const struct operand *operand)
{
	return !operand->is_memory && operand->number == STACK;
}

static bool push(struct abi_trace *trace, const struct operand *from, unsigned int size)
{
	unsigned int stack = dwarf_number(trace, STACK);
	struct operand to = {.is_memory = true, .is_on_stack = trace->is_stack_address[stack], .number = NO_REGISTER};
	unsigned int number = from && !from->is_memory ? dwarf_number(trace, (unsigned int)from->number) : stack;
	bool was_read = trace->is_read[number];

	trace->places[stack] -= size;
	to.place = trace->places[stack];
	if (!(from ? copy(trace, &to, from, size) : store_unknown(trace, &to, size)))
		return false;
	trace->is_read[number] = was_read;
	for (unsigned int i = 0; to.is_on_stack && i < size; i++)
		abi_trace_find(trace, to.place + i)->is_pushed = true;
	return true;
}

static bool pop(struct abi_trace *trace, const struct operand *to, unsigned int size)
{
	unsigned int stack = dwarf_number(trace, STACK);
	struct operand from = {.is_memory = true,
			       .is_on_stack = trace->is_stack_address[stack],
			       .place = trace->places[stack],
			       .number = NO_REGISTER};

	trace->places[stack] += size;
	return !is_stack_pointer(to) && copy(trace, to, &from, size);
}

static bool store_zero(struct abi_trace *trace, const struct operand *operand, unsigned int size)
{
	struct abi_byte zero[ABI_REGISTER_BYTES];

	for (unsigned int i = 0; i < size; i++)
		zero[i] = (struct abi_byte){ABI_ORIGIN_ZERO, 0, 0};
	return store(trace, operand, size, zero);
}

/* add, or, adc, sbb, and, sub, xor, cmp, by their number, with a constant. */
static bool with_constant(struct instruction *i, struct abi_trace *trace, unsigned int size, int64_t constant)
{
	unsigned int number = i->rm.is_memory ? 0 : dwarf_number(trace, (unsigned int)i->rm.number);
	bool is_whole = size == (unsigned int)word(trace);

	if (i->group == 7 || i->is_bad)
		return !i->is_bad;
	/* Compilers mask a bool, whose other bits are zero already. */
	if (i->group == 4 && size == 1 && constant == 1)
		return true;
	if (!i->rm.is_memory && trace->is_stack_address[number] && is_whole && (i->group == 0 || i->group == 5)) {
		trace->places[number] += i->group ? -constant : constant;
		return true;
	}
	if (i->group == 4 && !constant)
		return store_zero(trace, &i->rm, size);
	return store_unknown(trace, &i->rm, size);
}

/* Shift by a constant: whole bytes move. */
static bool shift(struct instruction *i, struct abi_trace *trace, unsigned int size, unsigned int count)
{
	struct abi_byte bytes[ABI_REGISTER_BYTES], moved[ABI_REGISTER_BYTES] = {{ABI_ORIGIN_UNKNOWN, 0, 0}};

	count &= size == 8 ? 63 : 31;
	if (i->is_bad || (i->group != 5 && i->group != 7) || count % 8 || count / 8 >= size)
		return !i->is_bad && store_unknown(trace, &i->rm, size);
	load(trace, &i->rm, size, bytes);
	memcpy(moved, bytes + count / 8, (size - count / 8) * sizeof(*moved));
	return store(trace, &i->rm, size, moved);
}

/* movzx and movsx: the bytes above are not followed. */
static bool extend(struct abi_trace *trace, const struct operand *to, const struct operand *from, unsigned int size,
		   unsigned int from_size)
{
	struct abi_byte bytes[ABI_REGISTER_BYTES] = {{ABI_ORIGIN_UNKNOWN, 0, 0}};

	load(trace, from, from_size, bytes);
	return store(trace, to, size, bytes);
}

/* Combine bytes by "or": those that one operand has cleared are those of the other. */
static bool combine(struct abi_trace *trace, const struct operand *to, const struct operand *from, unsigned int size)
{
	struct abi_byte bytes[ABI_REGISTER_BYTES], others[ABI_REGISTER_BYTES];

	load(trace, to, size, bytes);
	load(trace, from, size, others);
	for (unsigned int i = 0; i < size; i++) {
		if (bytes[i].origin == ABI_ORIGIN_ZERO)
			bytes[i] = others[i];
		else if (others[i].origin != ABI_ORIGIN_ZERO)
			bytes[i] = (struct abi_byte){ABI_ORIGIN_UNKNOWN, 0, 0};
	}
	return store(trace, to, size, bytes);
}

static bool arithmetic(struct instruction *i, struct abi_trace *trace)
{
	unsigned int form = i->opcode & 7, size = form & 1 ? i->size : 1, operation = i->opcode >> 3;
	struct operand accumulator = general(i, AX, size);

	if (form >= 4) {
		i->rm = accumulator;
		i->group = operation;
		return with_constant(i, trace, size, next_number(i, size == 8 ? 4 : size));
	}
	read_operands(i, trace, size, false, false);
	if (i->is_bad || operation == 7)
		return !i->is_bad;
	if (is_stack_pointer(form < 2 ? &i->rm : &i->reg)) { /* such as an alloca() */
		trace->is_stack_address[dwarf_number(trace, STACK)] = false;
		return true;
	}
	if (operation == 1)
		return form < 2 ? combine(trace, &i->rm, &i->reg, size) : combine(trace, &i->reg, &i->rm, size);
	if (operation == 6 && is_same(&i->rm, &i->reg))
		return store_zero(trace, &i->rm, size);
	return store_unknown(trace, form < 2 ? &i->rm : &i->reg, size);
}

static bool address_of(struct instruction *i, struct abi_trace *trace)
{
	read_operands(i, trace, i->size, false, false);
	if (i->is_bad || !i->rm.is_memory)
		return false;
	if (i->size == (unsigned int)word(trace))
		set_address(trace, &i->reg, i->rm.is_on_stack, i->rm.place);
	else
		store_unknown(trace, &i->reg, i->size);
	return true;
}

/* Group 3: test, test, not, neg; multiplications and divisions write registers that they do not name. */
static bool group_3(struct instruction *i, struct abi_trace *trace)
{
	unsigned int size = i->opcode & 1 ? i->size : 1;

	read_operands(i, trace, size, false, false);
	if (i->group < 2) {
		next_number(i, size == 8 ? 4 : size);
		return !i->is_bad;
	}
	return !i->is_bad && i->group < 4 && store_unknown(trace, &i->rm, size);
}

/* Group 5: inc, dec, call, call, jmp, jmp, push. */
static bool group_5(struct instruction *i, struct abi_trace *trace)
{
	unsigned int size = i->opcode & 1 ? i->size : 1;

	read_operands(i, trace, size, false, false);
	if (i->is_bad || (size == 1 && i->group > 1))
		return false;
	if (i->group == 6)
		return !i->has_operand_size && push(trace, &i->rm, (unsigned int)word(trace));
	return i->group < 2 && !is_stack_pointer(&i->rm) && store_unknown(trace, &i->rm, size);
}

/*
 * Follow a number that is loaded onto the floating-point stack and stored at once, because compilers copy arguments in
 * this way. The bytes of other stores are unknown.
 */
static bool x87(struct instruction *i, struct abi_trace *trace)
{
	/* Bytes that are stored, by opcode and group: 0 for loads and arithmetic, LOST for state. */
	enum { LOST = 255 };
	static const uint8_t stores[8][8] = {
		[1] = {[2] = 4, [3] = 4, [4] = LOST, [6] = LOST, [7] = 2},
		[3] = {[1] = 4, [2] = 4, [3] = 4, [7] = 10},
		[5] = {[1] = 8, [2] = 8, [3] = 8, [4] = LOST, [6] = LOST, [7] = 2},
		[7] = {[1] = 2, [2] = 2, [3] = 2, [6] = 10, [7] = 8},
	};
	unsigned int size, loaded = trace->loaded_size;
	bool is_float;

	read_operands(i, trace, i->size, false, false);
	if (i->is_bad)
		return false;
	trace->loaded_size = 0;
	if (!i->rm.is_memory)
		return i->opcode != 0xdf; /* fnstsw %ax */
	size = stores[i->opcode & 7][i->group];
	is_float = size == 10 ? i->opcode == 0xdb : size >= 4 && i->group == 3 && i->opcode != 0xdb;
	if (size && size != LOST && size == loaded && is_float)
		return store(trace, &i->rm, size, trace->loaded);
	if (size)
		return size != LOST && store_unknown(trace, &i->rm, size);
	if (i->opcode == 0xdb && i->group == 5)
		trace->loaded_size = 10;
	else if ((i->opcode == 0xd9 || i->opcode == 0xdd) && i->group == 0)
		trace->loaded_size = i->opcode == 0xd9 ? 4 : 8;
	load(trace, &i->rm, trace->loaded_size, trace->loaded);
	return true;
}

static bool move_constant(struct instruction *i, struct abi_trace *trace)
{
	unsigned int size = i->opcode & 1 ? i->size : 1;

	read_operands(i, trace, size, false, false);
	next_number(i, size == 8 ? 4 : size);
	return !i->is_bad && i->group == 0 && store_unknown(trace, &i->rm, size);
}

static bool one_byte(struct instruction *i, struct abi_trace *trace)
{
	unsigned int size = i->opcode & 1 ? i->size : 1, low = (i->opcode & 7) + (i->extension & 1 ? 8 : 0);
	struct operand operand;

	switch (i->opcode) {
	case 0x40 ... 0x4f: /* inc, dec of 32-bit code */
		operand = general(i, i->opcode & 7, 4);
		return !is_stack_pointer(&operand) && store_unknown(trace, &operand, i->size);
	case 0x50 ... 0x57:
		operand = general(i, low, 8);
		return !i->has_operand_size && push(trace, &operand, (unsigned int)word(trace));
	case 0x58 ... 0x5f:
		operand = general(i, low, 8);
		return !i->has_operand_size && pop(trace, &operand, (unsigned int)word(trace));
	case 0x63: /* movsxd; arpl in 32-bit code */
		read_operands(i, trace, i->size, false, false);
		return !i->is_bad && !i->is_32_bit && extend(trace, &i->reg, &i->rm, i->size, 4);
	case 0x68:
	case 0x6a:
		return push(trace, NULL, (unsigned int)word(trace));
	case 0x70 ... 0x7f:
		return true;
	case 0x80:
	case 0x81:
	case 0x83:
		read_operands(i, trace, size, false, false);
		return with_constant(i, trace, size, next_number(i, i->opcode == 0x81 ? size == 8 ? 4 : size : 1));
	case 0x84:
	case 0x85:
		return true;
	case 0x88:
	case 0x89:
		read_operands(i, trace, size, false, false);
		return !i->is_bad && copy(trace, &i->rm, &i->reg, size);
	case 0x8a:
	case 0x8b:
		read_operands(i, trace, size, false, false);
		return !i->is_bad && copy(trace, &i->reg, &i->rm, size);
	case 0x8d:
		return address_of(i, trace);
	case 0x90:
		return !(i->extension & 1);
	case 0x98: /* cltq and similar */
	case 0x99: /* cqto and similar */
		operand = general(i, i->opcode == 0x98 ? AX : DX, 4);
		return store_unknown(trace, &operand, i->size);
	case 0xa8:
	case 0xa9:
		return true;
	case 0xb0 ... 0xb7:
		operand = general(i, low, 1);
		return store_unknown(trace, &operand, 1);
	case 0xb8 ... 0xbf:
		operand = general(i, low, i->size);
		return !is_stack_pointer(&operand) && store_unknown(trace, &operand, i->size);
	case 0xc0:
	case 0xc1:
		read_operands(i, trace, size, false, false);
		return shift(i, trace, size, next_byte(i));
	case 0xc6:
	case 0xc7:
		return move_constant(i, trace);
	case 0xd0:
	case 0xd1:
		read_operands(i, trace, size, false, false);
		return shift(i, trace, size, 1);
	case 0xd8 ... 0xdf:
		return x87(i, trace);
	case 0xf6:
	case 0xf7:
		return group_3(i, trace);
	case 0xfe:
	case 0xff:
		return group_5(i, trace);
	default:
		return i->opcode < 0x40 && (i->opcode & 7) < 6 && arithmetic(i, trace);
	}
}

/* Store the high half of a vector register. */
static bool store_high(struct instruction *i, struct abi_trace *trace)
{
	struct abi_byte bytes[ABI_REGISTER_BYTES];

	load(trace, &i->reg, VECTOR_BYTES, bytes);
	return i->rm.is_memory && store(trace, &i->rm, 8, bytes + 8);
}

/* Move @p size bytes into a vector register; from memory, the rest is cleared, from another register, it is kept. */
static bool load_vector(struct instruction *i, struct abi_trace *trace, unsigned int size, bool clears)
{
	struct abi_byte bytes[ABI_REGISTER_BYTES] = {{ABI_ORIGIN_UNKNOWN, 0, 0}};

	load(trace, &i->rm, size, bytes);
	if (clears || i->rm.is_memory || size == VECTOR_BYTES)
		return store(trace, &i->reg, VECTOR_BYTES, bytes);
	memcpy(bytes_of(trace, (unsigned int)i->reg.number), bytes, size * sizeof(*bytes));
	return !i->source;
}

static bool vector_move(struct instruction *i, struct abi_trace *trace)
{
	unsigned int scalar = i->repeat == 0xf3 ? 4 : i->repeat == 0xf2 ? 8 : VECTOR_BYTES;

	read_operands(i, trace, 8, true, true);
	if (i->is_bad || (i->source && (i->is_vector && i->opcode != 0x10 && i->opcode != 0x11)))
		return false;
	switch (i->opcode) {
	case 0x10: /* movups, movss, movsd */
		return load_vector(i, trace, scalar, false);
	case 0x11:
		if (!i->rm.is_memory && scalar < VECTOR_BYTES)
			return false;
		return copy(trace, &i->rm, &i->reg, scalar);
	case 0x13: /* movlps, movlpd */
		return copy(trace, &i->rm, &i->reg, 8);
	case 0x17: /* movhps, movhpd */
		return store_high(i, trace);
	case 0x28: /* movaps */
		return load_vector(i, trace, VECTOR_BYTES, true);
	case 0x29:
		return copy(trace, &i->rm, &i->reg, VECTOR_BYTES);
	case 0x6f: /* movdqa, movdqu */
		return (i->has_operand_size || i->repeat) && load_vector(i, trace, VECTOR_BYTES, true);
	case 0x7f:
		return (i->has_operand_size || i->repeat) && copy(trace, &i->rm, &i->reg, VECTOR_BYTES);
	case 0xd6: /* movq */
		if (!i->has_operand_size)
			return false;
		if (i->rm.is_memory)
			return copy(trace, &i->rm, &i->reg, 8);
		return extend(trace, &i->rm, &i->reg, VECTOR_BYTES, 8);
	default:
		return false;
	}
}

/* movd and movq between vector and general registers. */
static bool vector_general(struct instruction *i, struct abi_trace *trace)
{
	unsigned int size = i->extension & 8 ? 8 : 4;

	if (i->opcode == 0x7e && i->repeat == 0xf3) {
		read_operands(i, trace, 8, true, true);
		return !i->is_bad && load_vector(i, trace, 8, true);
	}
	if (!i->has_operand_size)
		return false;
	read_operands(i, trace, size, true, false);
	if (i->is_bad)
		return false;
	return i->opcode == 0x6e ? extend(trace, &i->reg, &i->rm, VECTOR_BYTES, size)
				 : copy(trace, &i->rm, &i->reg, size);
}

static bool two_bytes(struct instruction *i, struct abi_trace *trace)
{
	unsigned int from = i->opcode & 1 ? 2 : 1;

	switch (i->opcode) {
	case 0x1e: /* endbr64 and other nops; rdsspq */
		read_operands(i, trace, i->size, false, false);
		return !i->is_bad && (i->repeat != 0xf3 || i->group == 7);
	case 0x1f:
		return true;
	case 0x10:
	case 0x11:
	case 0x13:
	case 0x17:
	case 0x28:
	case 0x29:
	case 0x6f:
	case 0x7f:
	case 0xd6:
		return vector_move(i, trace);
	case 0x6e:
	case 0x7e:
		return vector_general(i, trace);
	case 0x12: /* arithmetic, conversions to floating point, rearrangements */
	case 0x14 ... 0x16:
	case 0x2a:
	case 0x51 ... 0x6d:
	case 0x70:
	case 0xc6:
	case 0xef:
		read_operands(i, trace, 8, true, true);
		return !i->is_bad && store_unknown(trace, &i->reg, VECTOR_BYTES);
	case 0x80 ... 0x8f:
		return true;
	case 0x40 ... 0x4f:
	case 0xaf:
		read_operands(i, trace, i->size, false, false);
		return !i->is_bad && store_unknown(trace, &i->reg, i->size);
	case 0x90 ... 0x9f:
		read_operands(i, trace, 1, false, false);
		return !i->is_bad && store_unknown(trace, &i->rm, 1);
	case 0xb6:
	case 0xb7:
	case 0xbe:
	case 0xbf:
		read_operands(i, trace, from, false, false);
		i->reg.number += i->reg.shift ? 4 : 0; /* the destination is not a byte */
		i->reg.shift = 0;
		return !i->is_bad && extend(trace, &i->reg, &i->rm, i->size, from);
	default:
		return false;
	}
}

bool x86_64_trace_instruction(struct abi_trace *trace, const uint8_t *bytes, size_t size)
{
	struct instruction i = {.next = bytes, .end = bytes + size, .is_32_bit = trace->is_32_bit};

	read_opcode(&i);
	if (i.is_bad)
		return false;
	if (!i.map && !i.is_vector && (i.opcode == 0xeb || i.opcode == 0xe9)) {
		int64_t distance = next_number(&i, i.opcode == 0xeb ? 1 : 4);

		trace->at += size + (uint64_t)distance;
		return !i.is_bad && distance >= 0 && !i.has_operand_size;
	}
	if (!(i.map ? two_bytes(&i, trace) : one_byte(&i, trace)))
		return false;
	trace->at += size;
	return true;
}
