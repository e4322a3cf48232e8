// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whether an address of the kernel or of a module can be a return address. The innermost address of a stack may be that
 * of an instruction or that after a call, depending on the kind of probe.
 *
 * Instructions of x86-64 cannot be decoded backwards, so an address may look like a return address by accident.
 */
#include "translator/debuginfo/object/object.h"

enum {
	LONGEST_CALL = 7, /* opcode, ModRM, SIB and a displacement of four bytes */
	NEAR_CALL = 0xe8,
	NEAR_CALL_LENGTH = 5,
	INDIRECT_CALL = 0xff,
	SHORTEST_INDIRECT = 2,
	REGISTER_OF_CALL = 2, /* in the ModRM byte of INDIRECT_CALL */
};

static struct span bytes_before(struct debuginfo *debuginfo, struct address address)
{
	Elf *elf = debuginfo_code(debuginfo);
	uint64_t start = address.value - LONGEST_CALL;
	struct span section;

	if (!elf || address.value < LONGEST_CALL)
		return (struct span){0};
	if (!debuginfo_has_sections(debuginfo))
		return elf_bytes_at(elf, start, address.value);
	section = address.section ? elf_section_span(elf, address.section) : (struct span){0};
	if (address.value > section.size)
		return (struct span){0};
	return (struct span){section.data + start, LONGEST_CALL};
}

static bool ends_with_call(const uint8_t *end)
{
	if (end[-NEAR_CALL_LENGTH] == NEAR_CALL)
		return true;
	for (int length = SHORTEST_INDIRECT; length <= LONGEST_CALL; length++)
		if (end[-length] == INDIRECT_CALL && (end[1 - length] >> 3 & 7) == REGISTER_OF_CALL)
			return true;
	return false;
}

bool debuginfo_may_follow_call(struct debuginfo *debuginfo, struct address address)
{
	struct span bytes = bytes_before(debuginfo, address);

	return !bytes.size || ends_with_call(bytes.data + bytes.size);
}
