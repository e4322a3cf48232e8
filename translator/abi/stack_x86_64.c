// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Find the effect of an instruction of 64-bit x86 on the stack pointer, for unwinding code without call frame
 * information (debuginfo/unwind/code.c). Only instructions that compilers and assembler programmers use for frames are
 * decoded. After others that may write to the register, its value counts as unknown.
 */
#include "translator/abi/abi.h"

#include <string.h>

enum { STACK = 4, FRAME = 5 }; /* numbers in instructions, not of DWARF */

struct parts {
	bool is_wide, has_operand_size; /* prefixes */
	unsigned int extend_reg, extend_base; /* 8 or 0 */
	const uint8_t *opcode; /* followed by ModRM, displacement and immediate */
	size_t left;
};

static bool find_parts(const uint8_t *bytes, size_t size, struct parts *ret)
{
	size_t at = 0;

	memset(ret, 0, sizeof(*ret));
	for (; at < size && strchr("\x2e\x36\x3e\x26\x64\x65\x66\x67\xf0\xf2\xf3", bytes[at]) && bytes[at]; at++)
		ret->has_operand_size |= bytes[at] == 0x66;
	if (at < size && (bytes[at] & 0xf0) == 0x40) {
		ret->is_wide = bytes[at] & 8;
		ret->extend_reg = bytes[at] & 4 ? 8 : 0;
		ret->extend_base = bytes[at] & 1 ? 8 : 0;
		at++;
	}
	ret->opcode = bytes + at;
	ret->left = size - at;
	return at < size;
}

static int dwarf_number(unsigned int number)
{
	static const int8_t low[] = {0, 2, 1, 3, 7, 6, 4, 5};

	return number < 8 ? low[number] : (int)number;
}

static int32_t read_four(const uint8_t *bytes)
{
	int32_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

static struct abi_stack_effect moved(int32_t distance, int pushed, int popped)
{
	return (struct abi_stack_effect){ABI_STACK_MOVED, distance, pushed, popped};
}

static struct abi_stack_effect simply(enum abi_stack_kind kind)
{
	return (struct abi_stack_effect){kind, 0, -1, -1};
}

static struct abi_stack_effect push_or_pop(const struct parts *p)
{
	unsigned int number = (*p->opcode & 7) + p->extend_base;

	if (p->has_operand_size)
		return simply(ABI_STACK_LOST);
	if (*p->opcode < 0x58)
		return moved(-8, dwarf_number(number), -1);
	return number == STACK ? simply(ABI_STACK_LOST) : moved(8, -1, dwarf_number(number));
}

/* Decode group 1: add, sub, and, … with an immediate. */
static struct abi_stack_effect with_number(const struct parts *p)
{
	unsigned int modrm = p->opcode[1], operation = modrm >> 3 & 7;
	int32_t number = *p->opcode == 0x83 ? (int8_t)p->opcode[2] : p->left >= 6 ? read_four(p->opcode + 2) : 0;

	if ((modrm & 0xc7) != (0xc0 | STACK) || p->extend_base || operation == 7)
		return simply(ABI_STACK_KEPT);
	if (p->is_wide && (operation == 0 || operation == 5))
		return moved(operation ? -number : number, -1, -1);
	return simply(ABI_STACK_LOST);
}

/* Decode lea to the stack pointer, relative to itself or to the frame pointer. */
static struct abi_stack_effect address_of(const struct parts *p)
{
	unsigned int modrm = p->opcode[1], mode = modrm >> 6, base = modrm & 7;
	const uint8_t *distance = p->opcode + 2;
	struct abi_stack_effect effect = {ABI_STACK_FRAME_USED, 0, -1, -1};

	if ((modrm >> 3 & 7) != STACK || p->extend_reg)
		return simply(ABI_STACK_KEPT);
	if (!p->is_wide || p->extend_base || mode == 0 || mode == 3)
		return simply(ABI_STACK_LOST);
	if (base == STACK && *distance++ == 0x24) /* no index */
		effect.kind = ABI_STACK_MOVED;
	else if (base != FRAME)
		return simply(ABI_STACK_LOST);
	if (p->left < (size_t)(distance - p->opcode) + (mode == 1 ? 1 : 4))
		return simply(ABI_STACK_LOST);
	effect.distance = mode == 1 ? (int8_t)*distance : read_four(distance);
	return effect;
}

/* Decode an operation with two operands, of which @writes_base selects the one that is written. */
static struct abi_stack_effect between(const struct parts *p, bool writes_base, bool is_move)
{
	unsigned int modrm = p->opcode[1], reg = (modrm >> 3 & 7) + p->extend_reg, base = (modrm & 7) + p->extend_base;
	bool is_register = modrm >> 6 == 3;
	unsigned int to = writes_base ? base : reg, from = writes_base ? reg : base;

	if (is_register && is_move && p->is_wide && to == FRAME && from == STACK)
		return simply(ABI_STACK_FRAME_SET);
	if ((writes_base && !is_register) || to != STACK)
		return simply(ABI_STACK_KEPT);
	return simply(is_register && is_move && p->is_wide && from == FRAME ? ABI_STACK_FRAME_USED : ABI_STACK_LOST);
}

static struct abi_stack_effect of_group_5(const struct parts *p)
{
	unsigned int operation = p->opcode[1] >> 3 & 7;

	if (operation == 6)
		return moved(-8, -1, -1);
	return simply(operation < 2 && (p->opcode[1] & 0xc7) == (0xc0 | STACK) && !p->extend_base ? ABI_STACK_LOST
												  : ABI_STACK_KEPT);
}

struct abi_stack_effect x86_64_stack_effect(const uint8_t *bytes, size_t size)
{
	struct parts p;
	uint8_t opcode;

	if (!find_parts(bytes, size, &p))
		return simply(ABI_STACK_LOST);
	opcode = *p.opcode;
	switch (opcode) {
	case 0x50 ... 0x5f:
		return push_or_pop(&p);
	case 0x68:
	case 0x6a:
	case 0x9c:
		return moved(-8, -1, -1);
	case 0x8f:
	case 0x9d:
		return moved(8, -1, -1);
	case 0xc9: /* leave */
		return (struct abi_stack_effect){ABI_STACK_FRAME_USED, 8, -1, dwarf_number(FRAME)};
	case 0xc8: /* enter */
	case 0x94: /* xchg with %rax */
		return simply(p.extend_base && opcode == 0x94 ? ABI_STACK_KEPT : ABI_STACK_LOST);
	}
	if (p.left < 2)
		return simply(ABI_STACK_KEPT);
	if (opcode == 0x81 || (opcode == 0x83 && p.left >= 3))
		return with_number(&p);
	if (opcode == 0x8d)
		return address_of(&p);
	if (opcode == 0x89 || opcode == 0x8b)
		return between(&p, opcode == 0x89, true);
	if (opcode == 0x87)
		return between(&p, true, false);
	if (opcode < 0x38 && ((opcode & 7) == 1 || (opcode & 7) == 3))
		return between(&p, (opcode & 7) == 1, false);
	return opcode == 0xff ? of_group_5(&p) : simply(ABI_STACK_KEPT);
}
