// SPDX-License-Identifier: GPL-2.0-or-later
/* Dynamic linking of x86-64 and i386: relocations, and the stubs of procedure linkage tables. */
#include "translator/abi/abi.h"

#include <elf.h>
#include <string.h>

enum { LANDING_PAD = 4, JUMP = 6 };

/*
 * A stub is a jump through a slot, after an endbr (.plt.sec) or the prefix bnd. Set *after to the bytes up to its end.
 * Return the opcode of the jump and its distance; 0 if it is not one.
 */
static unsigned int read_jump(const uint8_t *bytes, size_t size, uint8_t landing_pad, int32_t *distance, size_t *after)
{
	const uint8_t endbr[LANDING_PAD] = {0xf3, 0x0f, 0x1e, landing_pad};
	size_t at = size >= LANDING_PAD && !memcmp(bytes, endbr, LANDING_PAD) ? LANDING_PAD : 0;

	if (at < size && bytes[at] == 0xf2) /* bnd */
		at++;
	if (size < at + JUMP)
		return 0;
	memcpy(distance, bytes + at + 2, sizeof(*distance));
	*after = at + JUMP;
	return bytes[at] | (unsigned int)bytes[at + 1] << 8;
}

static uint64_t stub_slot_64(uint64_t address, const uint8_t *bytes, size_t size, uint64_t table)
{
	int32_t distance;
	size_t after;

	/* jmp *slot(%rip) */
	return read_jump(bytes, size, 0xfa, &distance, &after) == 0x25ff ? address + after + (uint64_t)(int64_t)distance
									 : 0;
}

static uint64_t stub_slot_32(uint64_t address, const uint8_t *bytes, size_t size, uint64_t table)
{
	int32_t distance;
	size_t after;

	switch (read_jump(bytes, size, 0xfb, &distance, &after)) {
	case 0x25ff: /* jmp *slot */
		return (uint32_t)distance;
	case 0xa3ff: /* jmp *slot(%ebx) */
		return table + (uint64_t)(int64_t)distance;
	default:
		return 0;
	}
}

const struct abi_linking x86_64_linking = {
	.function_slot = R_X86_64_JUMP_SLOT,
	.address_slot = R_X86_64_GLOB_DAT,
	.indirect_slot = R_X86_64_IRELATIVE,
	.thread_distance_slot = R_X86_64_TPOFF64,
	.thread_library_slot = R_X86_64_DTPMOD64,
	.thread_descriptor_slot = R_X86_64_TLSDESC,
	.thread_vector = 8, /* tcbhead_t.dtv */
	.stub_step = 8,
	.stub_slot = stub_slot_64,
};

const struct abi_linking i386_linking = {
	.function_slot = R_386_JMP_SLOT,
	.address_slot = R_386_GLOB_DAT,
	.stub_step = 8,
	.stub_slot = stub_slot_32,
};
