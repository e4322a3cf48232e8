// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Find the effect of an instruction of 64-bit x86 on the stack pointer, for unwinding code without call frame
 * information (debuginfo/unwind/code.c). Only instructions that compilers and assembler programmers use for frames are
 * decoded. After others that write to the register, its value counts as unknown: a table has the general registers that
 * each opcode writes. Instructions with a VEX or EVEX prefix count as writing none.
 */
#include "translator/abi/abi.h"

#include <string.h>

enum { STACK = 4, FRAME = 5 }; /* numbers in instructions, not of DWARF */

/* The general registers that an instruction writes, and when. */
enum {
	LOW = 1, /* the one in the lowest bits of the opcode */
	REG = 2, /* the one in the middle of ModRM */
	BASE = 4, /* the one at the end of ModRM, if that names no memory */
	BYTES = 8, /* they have a byte: without a REX prefix, number 4 is %ah */
	IN_ORDER = 16, /* only without a repeat prefix */
	REPEATED = 32, /* only with a repeat prefix */
	PREFIXED = 64, /* only with one, or with an operand size */
	PLAIN = IN_ORDER | REPEATED, /* only without any of these */
	ALWAYS = 128, /* BASE, even if ModRM seems to name memory */
};

#define ALL_OF(first, last, what) [(first)...(last)] = (what)
/* BASE, for those of a group of eight instructions that have a bit in `mask`. */
#define GROUP(mask) (BASE | (mask) << 8)
#define ARITHMETIC(first) [first] = BASE | BYTES, [(first) + 1] = BASE, [(first) + 2] = REG | BYTES, [(first) + 3] = REG

/* Indexed by the map: one byte; 0f; 0f 38; 0f 3a. */
static const uint16_t writes[4][256] = {
	{
		ARITHMETIC(0x00),
		ARITHMETIC(0x08),
		ARITHMETIC(0x10),
		ARITHMETIC(0x18),
		ARITHMETIC(0x20),
		ARITHMETIC(0x28),
		ARITHMETIC(0x30),
		[0x63] = REG,
		[0x69] = REG,
		[0x6b] = REG,
		[0x80] = GROUP(0x7f) | BYTES,
		[0x81] = GROUP(0x7f),
		[0x83] = GROUP(0x7f),
		[0x86] = BASE | REG | BYTES,
		[0x87] = BASE | REG,
		[0x88] = BASE | BYTES,
		[0x89] = BASE,
		[0x8a] = REG | BYTES,
		[0x8b] = REG,
		[0x8c] = BASE,
		[0x8d] = REG,
		ALL_OF(0x91, 0x97, LOW),
		ALL_OF(0xb0, 0xb7, LOW | BYTES),
		ALL_OF(0xb8, 0xbf, LOW),
		[0xc0] = BASE | BYTES,
		[0xc1] = BASE,
		[0xc6] = GROUP(0x01) | BYTES,
		[0xc7] = GROUP(0x01),
		[0xd0] = BASE | BYTES,
		[0xd1] = BASE,
		[0xd2] = BASE | BYTES,
		[0xd3] = BASE,
		[0xf6] = GROUP(0x0c) | BYTES,
		[0xf7] = GROUP(0x0c),
		[0xfe] = GROUP(0x03) | BYTES,
		[0xff] = GROUP(0x03),
	},
	{
		[0x00] = GROUP(0x03),
		[0x01] = GROUP(0x10),
		ALL_OF(0x02, 0x03, REG),
		[0x1e] = GROUP(0x02) | REPEATED,
		ALL_OF(0x20, 0x21, BASE | ALWAYS),
		ALL_OF(0x2c, 0x2d, REG | REPEATED),
		ALL_OF(0x40, 0x50, REG),
		[0x78] = BASE | PLAIN,
		[0x7e] = BASE | IN_ORDER,
		ALL_OF(0x90, 0x9f, BASE | BYTES),
		ALL_OF(0xa4, 0xa5, BASE),
		[0xab] = BASE,
		ALL_OF(0xac, 0xad, BASE),
		[0xae] = GROUP(0x03) | REPEATED,
		[0xaf] = REG,
		[0xb0] = BASE | BYTES,
		[0xb1] = BASE,
		[0xb2] = REG,
		[0xb3] = BASE,
		ALL_OF(0xb4, 0xb8, REG),
		[0xba] = GROUP(0xe0),
		[0xbb] = BASE,
		ALL_OF(0xbc, 0xbf, REG),
		[0xc0] = BASE | REG | BYTES,
		[0xc1] = BASE | REG,
		[0xc5] = REG,
		[0xc7] = GROUP(0xc0),
		ALL_OF(0xc8, 0xcf, LOW),
		[0xd7] = REG,
	},
	{[0xf0] = REG, [0xf1] = REG | REPEATED, [0xf6] = REG | PREFIXED, ALL_OF(0xfa, 0xfb, REG | REPEATED)},
	{ALL_OF(0x14, 0x17, BASE)},
};

struct parts {
	bool is_wide, has_operand_size, has_extension, is_repeated; /* prefixes */
	unsigned int extend_reg, extend_base; /* 8 or 0 */
	const uint8_t *opcode; /* followed by ModRM, displacement and immediate */
	size_t left;
};

static void set_extension(struct parts *parts, uint8_t extension)
{
	parts->has_extension = extension;
	parts->is_wide = extension & 8;
	parts->extend_reg = extension & 4 ? 8 : 0;
	parts->extend_base = extension & 1 ? 8 : 0;
}

static bool find_parts(const uint8_t *bytes, size_t size, struct parts *ret)
{
	static const char prefixes[] = "\x2e\x36\x3e\x26\x64\x65\x66\x67\xf0\xf2\xf3";
	size_t at = 0;

	memset(ret, 0, sizeof(*ret));
	for (; at < size && bytes[at]; at++) {
		bool is_extension = (bytes[at] & 0xf0) == 0x40;

		if (!is_extension && !strchr(prefixes, bytes[at]))
			break;
		set_extension(ret, is_extension ? bytes[at] : 0);
		ret->has_operand_size |= bytes[at] == 0x66;
		ret->is_repeated |= bytes[at] >= 0xf2;
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

static bool is_short(const struct parts *p)
{
	return p->has_operand_size && !p->is_wide;
}

static struct abi_stack_effect push_or_pop(const struct parts *p)
{
	unsigned int number = (*p->opcode & 7) + p->extend_base;

	if (is_short(p))
		return simply(ABI_STACK_LOST);
	if (*p->opcode < 0x58)
		return moved(-8, dwarf_number(number), -1);
	return number == STACK ? simply(ABI_STACK_LOST) : moved(8, -1, dwarf_number(number));
}

/* Decode pop to an operand that ModRM names. */
static struct abi_stack_effect pop_operand(const struct parts *p)
{
	unsigned int base = (p->opcode[1] & 7) + p->extend_base;

	if (p->opcode[1] >> 6 != 3)
		return is_short(p) ? simply(ABI_STACK_LOST) : moved(8, -1, -1);
	return is_short(p) || base == STACK ? simply(ABI_STACK_LOST) : moved(8, -1, dwarf_number(base));
}

/* Decode push of an operand that ModRM names. */
static struct abi_stack_effect push_operand(const struct parts *p)
{
	unsigned int base = (p->opcode[1] & 7) + p->extend_base;

	if (is_short(p))
		return simply(ABI_STACK_LOST);
	return moved(-8, p->opcode[1] >> 6 == 3 ? dwarf_number(base) : -1, -1);
}

/* Decode group 1, add and sub, with a number and the whole stack pointer. */
static struct abi_stack_effect with_number(const struct parts *p)
{
	unsigned int operation = p->opcode[1] >> 3 & 7;
	int32_t number = *p->opcode == 0x83 ? (int8_t)p->opcode[2] : read_four(p->opcode + 2);

	return operation == 0 || operation == 5 ? moved(operation ? -number : number, -1, -1) : simply(ABI_STACK_LOST);
}

/* Decode lea to the stack pointer, relative to itself or to the frame pointer. */
static struct abi_stack_effect address_of(const struct parts *p)
{
	unsigned int modrm = p->opcode[1], mode = modrm >> 6, base = modrm & 7;
	const uint8_t *distance = p->opcode + 2;
	struct abi_stack_effect effect = {ABI_STACK_FRAME_USED, 0, -1, -1};

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

static bool is_active(const struct parts *p, unsigned int what, unsigned int modrm)
{
	bool has_prefix = p->is_repeated || p->has_operand_size;

	if ((what & PLAIN) == PLAIN && has_prefix)
		return false;
	if (((what & PLAIN) == IN_ORDER && p->is_repeated) || ((what & PLAIN) == REPEATED && !p->is_repeated))
		return false;
	if (what & PREFIXED && !has_prefix)
		return false;
	if (what & BYTES && !p->has_extension)
		return false;
	return !(what >> 8) || what >> 8 >> (modrm >> 3 & 7) & 1;
}

static bool writes_stack_pointer(const struct parts *p)
{
	const uint8_t *opcode = p->opcode;
	unsigned int map = 0, modrm, what;

	if (*opcode == 0x0f && p->left > 1) {
		map = opcode[1] == 0x38 ? 2 : opcode[1] == 0x3a ? 3 : 1;
		opcode += map == 1 ? 1 : 2;
	}
	if ((size_t)(opcode - p->opcode) >= p->left)
		return true;
	what = writes[map][*opcode];
	modrm = (size_t)(opcode - p->opcode) + 1 < p->left ? opcode[1] : 0;
	if (!is_active(p, what, modrm))
		return false;
	return (what & LOW && (*opcode & 7) + p->extend_base == STACK) ||
	       (what & REG && (modrm >> 3 & 7) + p->extend_reg == STACK) ||
	       (what & BASE && (modrm >> 6 == 3 || what & ALWAYS) && (modrm & 7) + p->extend_base == STACK);
}

/* Does the instruction copy register @p from to register @p to, with all 64 bits? */
static bool copies(const struct parts *p, unsigned int from, unsigned int to)
{
	unsigned int reg, base;

	if (p->left < 2 || (*p->opcode != 0x89 && *p->opcode != 0x8b) || p->opcode[1] < 0xc0 || !p->is_wide)
		return false;
	reg = (p->opcode[1] >> 3 & 7) + p->extend_reg;
	base = (p->opcode[1] & 7) + p->extend_base;
	return *p->opcode == 0x89 ? reg == from && base == to : reg == to && base == from;
}

/* The instructions whose result is known, of those that write to the stack pointer by its number. */
static struct abi_stack_effect written(const struct parts *p)
{
	uint8_t opcode = *p->opcode;

	if (p->is_wide && ((opcode == 0x81 && p->left >= 6) || (opcode == 0x83 && p->left >= 3)))
		return with_number(p);
	if (opcode == 0x8d)
		return address_of(p);
	return simply(copies(p, FRAME, STACK) ? ABI_STACK_FRAME_USED : ABI_STACK_LOST);
}

struct abi_stack_effect x86_64_stack_effect(const uint8_t *bytes, size_t size)
{
	struct parts p;
	uint8_t opcode, second;

	if (!find_parts(bytes, size, &p))
		return simply(ABI_STACK_LOST);
	opcode = *p.opcode;
	second = p.left > 1 ? p.opcode[1] : 0;
	switch (opcode) {
	case 0x50 ... 0x5f:
		return push_or_pop(&p);
	case 0x68: /* push of a number */
	case 0x6a:
	case 0x9c: /* pushf */
		return is_short(&p) ? simply(ABI_STACK_LOST) : moved(-8, -1, -1);
	case 0x9d: /* popf */
		return is_short(&p) ? simply(ABI_STACK_LOST) : moved(8, -1, -1);
	case 0xc9: /* leave */
		return is_short(&p) ? simply(ABI_STACK_LOST)
				    : (struct abi_stack_effect){ABI_STACK_FRAME_USED, 8, -1, dwarf_number(FRAME)};
	case 0xc8: /* enter */
		return simply(ABI_STACK_LOST);
	}
	if (opcode == 0x8f && !(second & 0x38))
		return pop_operand(&p);
	if (opcode == 0xff && (second >> 3 & 7) == 6)
		return push_operand(&p);
	if (opcode == 0x0f && (second & 0xf6) == 0xa0) /* %fs and %gs */
		return is_short(&p) ? simply(ABI_STACK_LOST) : moved(second & 1 ? 8 : -8, -1, -1);
	if (opcode == 0x0f && (second == 0x34 || second == 0x35)) /* sysenter, sysexit */
		return simply(ABI_STACK_LOST);
	if (writes_stack_pointer(&p))
		return written(&p);
	return simply(copies(&p, STACK, FRAME) ? ABI_STACK_FRAME_SET : ABI_STACK_KEPT);
}
