// SPDX-License-Identifier: GPL-2.0-or-later
/* Dynamic linking of arm64 (ELF for the Arm 64-bit Architecture): relocations, and the stubs of linkage tables. */
#include "translator/abi/abi.h"

#include <elf.h>

enum { SIZE = 4, PAGE = 4096 };

static uint32_t word_at(const uint8_t *bytes)
{
	return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* A stub is "adrp x16, PAGE; ldr x17, [x16, OFFSET]; ...; br x17", after a "bti c" if branches are protected. */
static uint64_t stub_slot(uint64_t address, const uint8_t *bytes, size_t size, uint64_t table)
{
	size_t at = size >= SIZE && word_at(bytes) == 0xd503245f ? SIZE : 0;
	uint32_t page, load;
	int64_t pages;

	if (size < at + 2 * SIZE)
		return 0;
	page = word_at(bytes + at);
	load = word_at(bytes + at + SIZE);
	if ((page & 0x9f00001f) != 0x90000010 || (load & 0xffc003ff) != 0xf9400211)
		return 0;
	/* A signed number of 21 bits: immhi and immlo. */
	pages = (int64_t)((uint64_t)((page >> 5 & 0x7ffff) << 2 | (page >> 29 & 3)) << 43) >> 43;
	return ((address + at) & ~(uint64_t)(PAGE - 1)) + (uint64_t)pages * PAGE + (load >> 10 & 0xfff) * 8;
}

const struct abi_linking arm64_linking = {
	.function_slot = R_AARCH64_JUMP_SLOT,
	.address_slot = R_AARCH64_GLOB_DAT,
	.indirect_slot = R_AARCH64_IRELATIVE,
	.thread_distance_slot = R_AARCH64_TLS_TPREL,
	.thread_library_slot = R_AARCH64_TLS_DTPMOD,
	.thread_descriptor_slot = R_AARCH64_TLSDESC,
	.thread_block = 16,
	.stub_step = 2 * SIZE,
	.stub_slot = stub_slot,
};
