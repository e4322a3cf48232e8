// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decode x86 instructions for breakpoints: their length, their successor, and whether they can have a uprobe.
 *
 * The format is that of the processor manuals: prefixes, opcode, ModRM with its displacement, immediate. Two tables
 * have for each opcode the parts that follow it. The refusals are those of arch/x86/kernel/uprobes.c with all its
 * quirks. Its check of two-byte opcodes follows one that accepts all of them. It treats the opcode of an instruction
 * with a VEX or EVEX prefix as a one-byte opcode, so it refuses vpxor and vmovdqu, which look like out and outs.
 *
 * Uprobes accept three kinds of instructions that then harm the program, so they are refused here. The kernel executes
 * a copy of the instruction, with the trap flag set:
 *
 *     - pushf saves that flag, and the matching popf stops the program with SIGTRAP.
 *     - A system call returns to the copy. A new child process is not corrected, and sigreturn goes to a wrong place.
 *     - 0x90 with a REX prefix exchanges %rax and %r8, but the kernel emulates it as a nop.
 */
#include "translator/abi/abi.h"

#include <string.h>

#define MOST_BYTES 15

enum { REX_W = 8, REX_B = 1 };

/* The parts that follow an opcode. */
enum {
	NOTHING = 0,
	MODRM = 1,
	BYTE = 2,
	WORD = 4,
	OPERAND = 8, /* two or four bytes, by the operand size */
	WIDE = 16, /* the same, or eight */
	NEAR = 32, /* a distance: four bytes, two in 32-bit code with an operand size of 16 bits */
	FAR = 64, /* segment and offset */
	OFFSET = 128, /* an address */
	TEST_OPERAND = 256, /* group 3: an operand for two of its eight instructions */
	NONE_SUCH = 512,
};

#define ALL_OF(first, last, what) [(first)...(last)] = (what)
#define ARITHMETIC(first) ALL_OF(first, (first) + 3, MODRM), [(first) + 4] = BYTE, [(first) + 5] = OPERAND

static const uint16_t one_byte[256] = {
	ARITHMETIC(0x00),
	ARITHMETIC(0x08),
	ARITHMETIC(0x10),
	ARITHMETIC(0x18),
	ARITHMETIC(0x20),
	ARITHMETIC(0x28),
	ARITHMETIC(0x30),
	ARITHMETIC(0x38),
	ALL_OF(0x62, 0x63, MODRM),
	[0x68] = OPERAND,
	[0x69] = MODRM | OPERAND,
	[0x6a] = BYTE,
	[0x6b] = MODRM | BYTE,
	ALL_OF(0x70, 0x7f, BYTE),
	[0x80] = MODRM | BYTE,
	[0x81] = MODRM | OPERAND,
	ALL_OF(0x82, 0x83, MODRM | BYTE),
	ALL_OF(0x84, 0x8f, MODRM),
	[0x9a] = FAR,
	ALL_OF(0xa0, 0xa3, OFFSET),
	[0xa8] = BYTE,
	[0xa9] = OPERAND,
	ALL_OF(0xb0, 0xb7, BYTE),
	ALL_OF(0xb8, 0xbf, WIDE),
	ALL_OF(0xc0, 0xc1, MODRM | BYTE),
	[0xc2] = WORD,
	ALL_OF(0xc4, 0xc5, MODRM),
	[0xc6] = MODRM | BYTE,
	[0xc7] = MODRM | OPERAND,
	[0xc8] = WORD | BYTE,
	[0xca] = WORD,
	[0xcd] = BYTE,
	ALL_OF(0xd0, 0xd3, MODRM),
	ALL_OF(0xd4, 0xd5, BYTE),
	ALL_OF(0xd8, 0xdf, MODRM),
	ALL_OF(0xe0, 0xe7, BYTE),
	ALL_OF(0xe8, 0xe9, NEAR),
	[0xea] = FAR,
	[0xeb] = BYTE,
	ALL_OF(0xf6, 0xf7, MODRM | TEST_OPERAND),
	ALL_OF(0xfe, 0xff, MODRM),
};

static const uint16_t two_bytes[256] = {
	ALL_OF(0x00, 0x03, MODRM),
	[0x04] = NONE_SUCH,
	[0x0a] = NONE_SUCH,
	[0x0c] = NONE_SUCH,
	[0x0d] = MODRM,
	[0x0f] = MODRM | BYTE,
	ALL_OF(0x10, 0x23, MODRM),
	ALL_OF(0x24, 0x27, NONE_SUCH),
	ALL_OF(0x28, 0x2f, MODRM),
	[0x36] = NONE_SUCH,
	[0x39] = NONE_SUCH,
	ALL_OF(0x3b, 0x3f, NONE_SUCH),
	ALL_OF(0x40, 0x6f, MODRM),
	ALL_OF(0x70, 0x73, MODRM | BYTE),
	ALL_OF(0x74, 0x76, MODRM),
	ALL_OF(0x78, 0x7f, MODRM),
	ALL_OF(0x80, 0x8f, NEAR),
	ALL_OF(0x90, 0x9f, MODRM),
	[0xa3] = MODRM,
	[0xa4] = MODRM | BYTE,
	ALL_OF(0xa5, 0xa7, MODRM),
	[0xab] = MODRM,
	[0xac] = MODRM | BYTE,
	ALL_OF(0xad, 0xb9, MODRM),
	[0xba] = MODRM | BYTE,
	ALL_OF(0xbb, 0xc1, MODRM),
	[0xc2] = MODRM | BYTE,
	[0xc3] = MODRM,
	ALL_OF(0xc4, 0xc6, MODRM | BYTE),
	[0xc7] = MODRM,
	ALL_OF(0xd0, 0xff, MODRM),
};

/* Ranges (inclusive) of opcodes that uprobes refuse, by the first byte. */
static const uint8_t refused_64[][2] = {{0x06, 0x07}, {0x0e, 0x0e}, {0x16, 0x17}, {0x1e, 0x1f}, {0x27, 0x27},
					{0x2f, 0x2f}, {0x37, 0x37}, {0x3f, 0x3f}, {0x60, 0x62}, {0x6c, 0x6f},
					{0x82, 0x82}, {0x9a, 0x9a}, {0xcc, 0xcf}, {0xd4, 0xd6}, {0xe4, 0xe7},
					{0xea, 0xea}, {0xec, 0xef}, {0xf1, 0xf1}, {0xf4, 0xf4}, {0xfa, 0xfb}};
static const uint8_t refused_32[][2] = {{0x07, 0x07}, {0x17, 0x17}, {0x1f, 0x1f}, {0x6c, 0x6f}, {0xcc, 0xcf},
					{0xe4, 0xe7}, {0xec, 0xef}, {0xf1, 0xf1}, {0xf4, 0xf4}, {0xfa, 0xfb}};

struct decoder {
	const uint8_t *bytes;
	size_t at, size;
	bool is_32_bit, is_cut;
	bool has_operand_size, has_address_size, has_repne, has_bad_prefix;
	uint8_t extension; /* the REX prefix; 0: none */
	bool is_misread; /* by the kernel */
	bool is_vector; /* it has a VEX, EVEX or XOP prefix: its opcode is one byte of map `map` */
	unsigned int map; /* 0: one byte; 1: 0f; 2: 0f 38; 3: 0f 3a */
	uint8_t first, opcode; /* the first byte of the opcode, and its byte within the map */
	uint8_t modrm;
};

static uint8_t peek(const struct decoder *decoder, size_t ahead)
{
	return decoder->at + ahead < decoder->size ? decoder->bytes[decoder->at + ahead] : 0;
}

static uint8_t next(struct decoder *decoder)
{
	decoder->is_cut = decoder->is_cut || decoder->at >= decoder->size;
	return decoder->is_cut ? 0 : decoder->bytes[decoder->at++];
}

/*
 * Processors ignore a REX prefix if another prefix follows. The kernel's decoder takes that prefix for the opcode.
 */
static void set_extension(struct decoder *decoder, uint8_t extension)
{
	decoder->is_misread |= decoder->extension != 0;
	decoder->extension = extension;
}

static bool read_prefix(struct decoder *decoder)
{
	switch (peek(decoder, 0)) {
	case 0x26: /* segment overrides, except %fs and %gs, which uprobes accept */
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0xf0: /* lock */
		decoder->has_bad_prefix = true;
		break;
	case 0x66:
		decoder->has_operand_size = true;
		break;
	case 0x67:
		decoder->has_address_size = true;
		break;
	case 0xf2:
		decoder->has_repne = true;
		break;
	case 0x64:
	case 0x65:
	case 0xf3:
		break;
	default:
		return false;
	}
	set_extension(decoder, 0);
	next(decoder);
	return !decoder->is_cut;
}

static bool read_extension(struct decoder *decoder)
{
	if (decoder->is_32_bit || (peek(decoder, 0) & 0xf0) != 0x40)
		return false;
	set_extension(decoder, next(decoder));
	return !decoder->is_cut;
}

static bool is_vector_prefix(const struct decoder *decoder)
{
	uint8_t prefix = peek(decoder, 0), second = peek(decoder, 1);

	if (prefix == 0x8f) /* XOP, if it is not a valid pop */
		return (second & 0x1f) >= 8;
	/* In 32-bit code, the same bytes are bound, les and lds if the operand is in memory. */
	return (prefix == 0x62 || prefix == 0xc4 || prefix == 0xc5) && (!decoder->is_32_bit || second >= 0xc0);
}

static void read_vector_prefix(struct decoder *decoder)
{
	uint8_t prefix = next(decoder), second = next(decoder);

	decoder->is_vector = true;
	decoder->map = prefix == 0xc5 ? 1 : second & (prefix == 0x62 ? 0x07 : 0x1f);
	if (prefix != 0xc5)
		next(decoder);
	if (prefix == 0x62)
		next(decoder);
	decoder->first = decoder->opcode = next(decoder);
}

static void read_opcode(struct decoder *decoder)
{
	if (is_vector_prefix(decoder)) {
		read_vector_prefix(decoder);
		return;
	}
	decoder->first = decoder->opcode = next(decoder);
	if (decoder->first != 0x0f)
		return;
	decoder->map = 1;
	decoder->opcode = next(decoder);
	if (decoder->opcode != 0x38 && decoder->opcode != 0x3a)
		return;
	decoder->map = decoder->opcode == 0x38 ? 2 : 3;
	decoder->opcode = next(decoder);
}

static unsigned int what_follows(const struct decoder *decoder)
{
	switch (decoder->map) {
	case 0:
		return decoder->is_vector ? NONE_SUCH : one_byte[decoder->opcode];
	case 1:
		/* extrq, insertq; without these prefixes vmread */
		if (decoder->opcode == 0x78 && (decoder->has_operand_size || decoder->has_repne))
			return MODRM | WORD;
		return two_bytes[decoder->opcode];
	case 2:
	case 5:
	case 6:
	case 9:
		return MODRM;
	case 3:
	case 8:
		return MODRM | BYTE;
	case 10:
		return MODRM | OPERAND;
	default:
		return NONE_SUCH;
	}
}

/* The operands of these are always registers, even if ModRM names memory. */
static bool moves_control_register(const struct decoder *decoder)
{
	return decoder->map == 1 && !decoder->is_vector && decoder->opcode >= 0x20 && decoder->opcode <= 0x23;
}

/* Return the size of a memory operand's displacement and SIB byte. */
static size_t displacement_size(struct decoder *decoder)
{
	unsigned int mode = decoder->modrm >> 6, base = decoder->modrm & 7;

	if (mode == 3 || moves_control_register(decoder))
		return 0;
	if (decoder->is_32_bit && decoder->has_address_size)
		return mode ? mode : base == 6 ? 2 : 0;
	if (base == 4)
		base = next(decoder) & 7;
	if (mode == 1)
		return 1;
	return mode == 2 || base == 5 ? 4 : 0;
}

static size_t operand_size(const struct decoder *decoder)
{
	return decoder->has_operand_size && !(decoder->extension & REX_W) ? 2 : 4;
}

static size_t immediate_size(const struct decoder *decoder, unsigned int follows)
{
	size_t size = follows & BYTE ? 1 : 0;

	if (follows & WORD)
		size += 2;
	if (follows & OPERAND)
		size += operand_size(decoder);
	if (follows & WIDE)
		size += decoder->extension & REX_W ? 8 : operand_size(decoder);
	if (follows & NEAR)
		size += decoder->is_32_bit ? operand_size(decoder) : 4;
	if (follows & FAR)
		size += operand_size(decoder) + 2;
	if (follows & OFFSET)
		size += (decoder->is_32_bit ? 4 : 8) >> decoder->has_address_size;
	if (follows & TEST_OPERAND && (decoder->modrm & 0x38) < 0x10)
		size += decoder->opcode == 0xf6 ? 1 : operand_size(decoder);
	return size;
}

static bool is_refused_opcode(const struct decoder *decoder)
{
	const uint8_t(*ranges)[2] = decoder->is_32_bit ? refused_32 : refused_64;
	size_t count = decoder->is_32_bit ? sizeof(refused_32) / 2 : sizeof(refused_64) / 2;

	for (size_t i = 0; i < count; i++)
		if (decoder->first >= ranges[i][0] && decoder->first <= ranges[i][1])
			return true;
	return false;
}

static bool is_near_branch(const struct decoder *decoder)
{
	uint8_t opcode = decoder->opcode;

	if (decoder->is_vector)
		return false;
	if (decoder->map == 1)
		return opcode >= 0x80 && opcode <= 0x8f;
	return !decoder->map &&
	       ((opcode >= 0x70 && opcode <= 0x7f) || opcode == 0xe8 || opcode == 0xe9 || opcode == 0xeb);
}

/* Refuse instructions that the kernel accepts, but that harm the program; see above. */
static enum abi_refusal harm(const struct decoder *decoder)
{
	if (decoder->is_vector)
		return ABI_PROBEABLE;
	if (decoder->map == 1 && (decoder->opcode == 0x05 || decoder->opcode == 0x34)) /* syscall, sysenter */
		return ABI_REFUSED_CALL;
	if (!decoder->map && decoder->opcode == 0x9c) /* pushf */
		return ABI_REFUSED_FLAGS;
	if (!decoder->map && decoder->opcode == 0x90 && decoder->extension & REX_B)
		return ABI_REFUSED_EXCHANGE;
	return ABI_PROBEABLE;
}

static enum abi_refusal refusal(const struct decoder *decoder)
{
	if (decoder->has_bad_prefix)
		return ABI_REFUSED_PREFIX;
	if (decoder->is_misread)
		return ABI_REFUSED_OPCODE;
	if (decoder->first == 0xcc && !decoder->is_vector)
		return ABI_REFUSED_BREAKPOINT;
	if (decoder->first == 0x8e && (decoder->modrm & 0x38) == 0x10) /* mov to %ss */
		return ABI_REFUSED_MASKING;
	if (is_refused_opcode(decoder))
		return ABI_REFUSED_OPCODE;
	return decoder->has_operand_size && is_near_branch(decoder) ? ABI_REFUSED_BRANCH : harm(decoder);
}

static enum abi_flow flow(const struct decoder *decoder)
{
	unsigned int group = decoder->modrm >> 3 & 7;

	if (decoder->is_vector || decoder->map > 1)
		return ABI_FLOW_ON;
	if (decoder->map)
		return is_near_branch(decoder) ? ABI_FLOW_BRANCH : ABI_FLOW_ON;
	switch (decoder->opcode) {
	case 0xc2:
	case 0xc3:
	case 0xca:
	case 0xcb:
	case 0xcf:
		return ABI_FLOW_RETURN;
	case 0xe8:
	case 0x9a:
		return ABI_FLOW_CALL;
	case 0xe9:
	case 0xeb:
		return ABI_FLOW_JUMP;
	case 0xea:
		return ABI_FLOW_INDIRECT;
	case 0xe0 ... 0xe3: /* loop, jrcxz */
		return ABI_FLOW_BRANCH;
	case 0xff:
		return group == 2 || group == 3	  ? ABI_FLOW_CALL
		       : group == 4 || group == 5 ? ABI_FLOW_INDIRECT
						  : ABI_FLOW_ON;
	default:
		return is_near_branch(decoder) ? ABI_FLOW_BRANCH : ABI_FLOW_ON;
	}
}

static int64_t read_distance(const uint8_t *bytes, size_t size)
{
	int32_t four;
	int16_t two;

	switch (size) {
	case 1:
		return (int8_t)bytes[0];
	case 2:
		memcpy(&two, bytes, sizeof(two));
		return two;
	case 4:
		memcpy(&four, bytes, sizeof(four));
		return four;
	default:
		return 0;
	}
}

bool x86_64_read_instruction(const uint8_t *bytes, size_t size, bool is_32_bit, struct abi_instruction *ret)
{
	struct decoder decoder = {
		.bytes = bytes, .size = size < MOST_BYTES ? size : MOST_BYTES, .is_32_bit = is_32_bit};
	unsigned int follows;
	size_t immediate, start;

	while (read_prefix(&decoder) || read_extension(&decoder))
		;
	read_opcode(&decoder);
	follows = what_follows(&decoder);
	if (follows & NONE_SUCH)
		return false;
	if (follows & MODRM) {
		decoder.modrm = next(&decoder);
		decoder.at += displacement_size(&decoder);
	}
	immediate = immediate_size(&decoder, follows);
	start = decoder.at;
	decoder.at += immediate;
	if (decoder.is_cut || decoder.at > decoder.size)
		return false;
	*ret = (struct abi_instruction){
		.size = (unsigned int)decoder.at,
		.flow = flow(&decoder),
		.distance = immediate ? read_distance(bytes + start, immediate) : 0,
		.refusal = refusal(&decoder),
	};
	return true;
}
