// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whether an address of the kernel or of a module can be a return address. The innermost address of a stack may be that
 * of an instruction or that after a call, depending on the kind of probe.
 */
#include "translator/debuginfo/object/object.h"

static struct span bytes_before(struct debuginfo *debuginfo, struct address address)
{
	Elf *elf = debuginfo_code(debuginfo);
	unsigned int longest = debuginfo_abi(debuginfo)->longest_call;
	uint64_t start = address.value - longest;
	struct span section;

	if (!elf || address.value < longest)
		return (struct span){0};
	if (!debuginfo_has_sections(debuginfo))
		return elf_bytes_at(elf, start, address.value);
	section = address.section ? elf_section_span(elf, address.section) : (struct span){0};
	if (address.value > section.size)
		return (struct span){0};
	return (struct span){section.data + start, longest};
}

bool debuginfo_may_follow_call(struct debuginfo *debuginfo, struct address address)
{
	struct span bytes = bytes_before(debuginfo, address);

	return !bytes.size || debuginfo_abi(debuginfo)->ends_with_call(bytes.data + bytes.size);
}
