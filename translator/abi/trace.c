// SPDX-License-Identifier: GPL-2.0-or-later
/* The stack of a trace (struct abi_trace): which bytes the traced code has stored in it, and which its caller has. */
#include "translator/abi/abi.h"

struct abi_stored *abi_trace_find(struct abi_trace *trace, int64_t place)
{
	for (size_t i = 0; i < trace->stored_count; i++)
		if (trace->stored[i].place == place)
			return &trace->stored[i];
	return NULL;
}

struct abi_byte abi_trace_load(struct abi_trace *trace, int64_t place)
{
	const struct abi_stored *stored = abi_trace_find(trace, place);

	if (stored)
		return stored->last;
	if (place >= trace->first_argument)
		return (struct abi_byte){ABI_ORIGIN_STACK, 0, place};
	return (struct abi_byte){ABI_ORIGIN_UNKNOWN, 0, 0};
}

bool abi_trace_store(struct abi_trace *trace, int64_t place, struct abi_byte byte)
{
	struct abi_stored *stored = abi_trace_find(trace, place);
	bool is_new = !stored;

	if (is_new && trace->stored_count == ABI_MOST_STORED)
		return false;
	if (is_new)
		stored = &trace->stored[trace->stored_count++];
	if (is_new || stored->is_pushed)
		*stored = (struct abi_stored){place, byte, byte, trace->at, false};
	stored->last = byte;
	return true;
}
