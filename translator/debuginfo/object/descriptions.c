// SPDX-License-Identifier: GPL-2.0-or-later
/* How far a function's code reaches in a program or library, by its call frame information, without symbols. */
#include "translator/debuginfo/object/user_object.h"

#include <string.h>

/*
 * Find the code range of the description (FDE) in .eh_frame that covers an address, by the sorted table in
 * .eh_frame_hdr (Linux Standard Base, "Exception Frames"). Only the form that linkers write is supported: pairs of
 * 4-byte offsets from the table.
 */
bool user_object_description(struct debuginfo *debuginfo, uint64_t address, struct code_part *ret)
{
	static const uint8_t form[] = {1, 0x1b, 0x03, 0x3b};
	GElf_Shdr header;
	struct span bytes = elf_section_by_name(debuginfo_code(debuginfo), ".eh_frame_hdr", &header)
				    ? user_object_bytes(debuginfo, header.sh_addr)
				    : (struct span){NULL, 0};
	struct reader reader = {bytes.data, bytes.data + bytes.size, false};
	uint64_t count, low = 0, high, start, description;

	if (bytes.size < sizeof(form) || memcmp(bytes.data, form, sizeof(form)) != 0)
		return false;
	read_skip(&reader, sizeof(form) + 4);
	count = read_unsigned(&reader, 4);
	if (reader.bad || count > (uint64_t)(reader.end - reader.position) / 8)
		return false;
	high = count;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		struct reader entry = {reader.position + middle * 8, reader.end, false};

		if (header.sh_addr + (uint64_t)(int32_t)read_unsigned(&entry, 4) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return false;
	reader.position += (low - 1) * 8;
	start = header.sh_addr + (uint64_t)(int32_t)read_unsigned(&reader, 4);
	description = header.sh_addr + (uint64_t)(int32_t)read_unsigned(&reader, 4);
	bytes = user_object_bytes(debuginfo, description);
	reader = (struct reader){bytes.data, bytes.data + bytes.size, false};
	read_skip(&reader, 8); /* length, offset of the CIE */
	if (description + 8 + (uint64_t)(int32_t)read_unsigned(&reader, 4) != start)
		return false;
	*ret = (struct code_part){start, start + read_unsigned(&reader, 4)};
	return !reader.bad && address < ret->end;
}
