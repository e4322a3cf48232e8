// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding where instructions begin, by decoding from the function's entry. A breakpoint in the middle of an instruction
 * would change what the program executes.
 */
#include "translator/debuginfo/index/index.h"
#include "translator/debuginfo/object/user_object.h"

enum instruction_place debuginfo_instruction_place(struct debuginfo *debuginfo, uint64_t address)
{
	const struct function *function;
	struct abi_instruction instruction;
	struct index *index;
	struct error *error = debuginfo_index(debuginfo, &index);
	uint64_t next;

	function = error ? NULL : function_at(debuginfo, (struct address){address, NULL});
	error_free(error);
	if (!function || address < function->entry.value)
		return INSTRUCTION_UNKNOWN;
	next = function->entry.value;
	while (next < address) {
		if (!user_object_read_instruction(debuginfo, next, &instruction))
			return INSTRUCTION_UNKNOWN;
		next += instruction.size;
	}
	return next == address ? INSTRUCTION_BEGINS : INSTRUCTION_GOES_ON;
}
