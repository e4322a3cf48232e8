// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions of arm64 (Arm Architecture Reference Manual, C4.1): where they continue, and whether they can have a
 * breakpoint. All have four bytes.
 *
 * The kernel executes a probed instruction out of line, or simulates it if it depends on its address. It refuses what
 * it can do neither with (arch/arm64/kernel/probes/decode-insn.c, arm_probe_decode_insn()): exclusive accesses,
 * exceptions, writes of system registers, branches with pointer authentication, and most hints.
 */
#include "translator/abi/abi.h"

#include <string.h>

enum { SIZE = 4 };

/* A group of instructions. The distance of a branch is a signed field of the instruction, in instructions. */
static const struct group {
	uint32_t mask, value;
	enum abi_flow flow;
	unsigned int low_bit, bits; /* the distance; 0 bits: none */
	enum abi_refusal refusal;
} groups[] = {
	/* B, BL, B.cond, BC.cond, CBZ and CBNZ, TBZ and TBNZ */
	{0xfc000000, 0x14000000, ABI_FLOW_JUMP, 0, 26, ABI_PROBEABLE},
	{0xfc000000, 0x94000000, ABI_FLOW_CALL, 0, 26, ABI_PROBEABLE},
	{0xff000010, 0x54000000, ABI_FLOW_BRANCH, 5, 19, ABI_PROBEABLE},
	{0xff000010, 0x54000010, ABI_FLOW_BRANCH, 5, 19, ABI_REFUSED_OPCODE},
	{0x7e000000, 0x34000000, ABI_FLOW_BRANCH, 5, 19, ABI_PROBEABLE},
	{0x7e000000, 0x36000000, ABI_FLOW_BRANCH, 5, 14, ABI_PROBEABLE},
	/* BR, BLR, RET */
	{0xfffffc1f, 0xd61f0000, ABI_FLOW_INDIRECT, 0, 0, ABI_PROBEABLE},
	{0xfffffc1f, 0xd63f0000, ABI_FLOW_CALL, 0, 0, ABI_PROBEABLE},
	{0xfffffc1f, 0xd65f0000, ABI_FLOW_RETURN, 0, 0, ABI_PROBEABLE},
	/* The same with pointer authentication, and ERET */
	{0xfefff800, 0xd61f0800, ABI_FLOW_INDIRECT, 0, 0, ABI_REFUSED_OPCODE},
	{0xfefff800, 0xd63f0800, ABI_FLOW_CALL, 0, 0, ABI_REFUSED_OPCODE},
	{0xfffffbff, 0xd65f0bff, ABI_FLOW_RETURN, 0, 0, ABI_REFUSED_OPCODE},
	{0xffe00000, 0xd6800000, ABI_FLOW_INDIRECT, 0, 0, ABI_REFUSED_OPCODE},
	/* BRK; SVC, HVC, SMC, HLT and DCPS */
	{0xffe0001f, 0xd4200000, ABI_FLOW_ON, 0, 0, ABI_REFUSED_BREAKPOINT},
	{0xff000000, 0xd4000000, ABI_FLOW_ON, 0, 0, ABI_REFUSED_OPCODE},
	/* MSR with a number or a register; MRS of DAIF */
	{0xfff8f01f, 0xd500401f, ABI_FLOW_ON, 0, 0, ABI_REFUSED_OPCODE},
	{0xfff00000, 0xd5100000, ABI_FLOW_ON, 0, 0, ABI_REFUSED_OPCODE},
	{0xffffffe0, 0xd53b4220, ABI_FLOW_ON, 0, 0, ABI_REFUSED_OPCODE},
	/* Exclusive loads and stores */
	{0x3f800000, 0x08000000, ABI_FLOW_ON, 0, 0, ABI_REFUSED_EXCLUSIVE},
	/* Loads of vector registers, and prefetches, from an address relative to the program counter */
	{0x3f000000, 0x1c000000, ABI_FLOW_ON, 0, 0, ABI_REFUSED_OPCODE},
	{0xff000000, 0xd8000000, ABI_FLOW_ON, 0, 0, ABI_REFUSED_OPCODE},
	/* Unallocated: UDF */
	{0xffff0000, 0x00000000, ABI_FLOW_ON, 0, 0, ABI_REFUSED_OPCODE},
};

/* Hints that the kernel executes out of line (aarch64_insn_is_steppable_hint()): bits 5 to 11. */
static const uint8_t steppable_hints[] = {
	0x00, /* NOP */
	0x07, /* XPACLRI */
	0x08, 0x0a, /* PACIA1716, PACIB1716 */
	0x18, 0x19, 0x1a, 0x1b, /* PACIAZ, PACIASP, PACIBZ, PACIBSP */
	0x20, 0x22, 0x24, 0x26, /* BTI */
};

static bool is_refused_hint(uint32_t word)
{
	return (word & 0xfffff01f) == 0xd503201f &&
	       !memchr(steppable_hints, (int)(word >> 5 & 0x7f), sizeof(steppable_hints));
}

/* Return a signed field of an instruction. */
static int64_t signed_field(uint32_t word, unsigned int low_bit, unsigned int bits)
{
	return (int64_t)((uint64_t)word << (64 - low_bit - bits)) >> (64 - bits);
}

bool arm64_read_instruction(const uint8_t *bytes, size_t size, bool is_32_bit, struct abi_instruction *ret)
{
	uint32_t word;

	if (size < SIZE || is_32_bit)
		return false;
	word = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
	*ret = (struct abi_instruction){.size = SIZE, .flow = ABI_FLOW_ON};
	/* The kernel's masks (asm/insn.h) cover acquiring loads, releasing stores and compare-and-swap, too. */
	ret->begins_exclusive = (word & 0x3f400000) == 0x08400000;
	ret->ends_exclusive = (word & 0x3f400000) == 0x08000000;
	if (is_refused_hint(word))
		ret->refusal = ABI_REFUSED_OPCODE;
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		const struct group *group = &groups[i];

		if ((word & group->mask) != group->value)
			continue;
		ret->flow = group->flow;
		ret->refusal = group->refusal;
		/* Relative to the end of the instruction. */
		if (group->bits)
			ret->distance = signed_field(word, group->low_bit, group->bits) * SIZE - SIZE;
		break;
	}
	return true;
}
