// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Unwinding symbolically: from the registers of a function to those of its caller, by the rules of the call frame
 * information (DWARF 5, section 6.4). The results are values, such as loads from the stack, which a probe evaluates. So
 * the code for a probe can find where its caller's caller will resume, without an unwinder at run time.
 */
#include "translator/debuginfo/location/location.h"
#include "translator/debuginfo/location/values.h"

#include "common/base/cleanup.h"
#include "common/base/i18n.h"

Dwarf_Frame *frame_rules(struct debuginfo *debuginfo, uint64_t pc)
{
	Dwarf_CFI *cfi = debuginfo_call_frames(debuginfo);
	Dwarf_Frame *frame = NULL;

	if (cfi && dwarf_cfi_addrframe(cfi, pc, &frame) == 0)
		return frame;
	cfi = debuginfo_code_call_frames(debuginfo);
	if (!cfi || dwarf_cfi_addrframe(cfi, pc, &frame) != 0)
		return NULL;
	return frame;
}

bool frame_is_set_up(struct debuginfo *debuginfo, uint64_t pc)
{
	_cleanup_(cleanup_free) Dwarf_Frame *rules = frame_rules(debuginfo, pc);
	const struct abi *abi = debuginfo_abi(debuginfo);
	Dwarf_Op *operations;
	size_t count;

	if (!rules || dwarf_frame_cfa(rules, &operations, &count) != 0 || count != 1)
		return false;
	/*
	 * Before the frame is set up, the CFA is the stack pointer plus the size of the return address, which libdw
	 * describes as DW_OP_bregx.
	 */
	return operations[0].atom != DW_OP_bregx || operations[0].number != abi->stack_pointer ||
	       operations[0].number2 != abi->return_address_size;
}

bool frame_saves(struct debuginfo *debuginfo, uint64_t start, uint64_t end, unsigned int number)
{
	Dwarf_Addr next;

	for (; start < end; start = next) {
		_cleanup_(cleanup_free) Dwarf_Frame *rules = frame_rules(debuginfo, start);
		Dwarf_Op memory[3], *operations;
		bool is_signal;
		size_t count;

		if (!rules)
			return false;
		if (dwarf_frame_register(rules, (int)number, memory, &operations, &count) == 0 && count)
			return true;
		if (dwarf_frame_info(rules, NULL, &next, &is_signal) < 0 || next <= start)
			return false;
	}
	return false;
}

void debuginfo_probe_frame(struct debuginfo *debuginfo, struct frame *ret)
{
	for (unsigned int i = 0; i < debuginfo_abi(debuginfo)->register_count; i++)
		ret->registers[i] = value_of_register(debuginfo, i);
}

struct value *frame_program_counter(const struct debuginfo *debuginfo, const struct frame *frame)
{
	return frame->registers[debuginfo_abi(debuginfo)->program_counter];
}

struct value *frame_call(const struct debuginfo *debuginfo, const struct frame *caller)
{
	const struct abi *abi = debuginfo_abi(debuginfo);
	struct value *address = frame_program_counter(debuginfo, caller);

	if (abi->return_address_size)
		return address->kind == VALUE_LOAD ? address->left : NULL;
	return caller->registers[debuginfo->memory == MEMORY_USER ? abi->stack_pointer : abi->call_register];
}

/* Return the caller's value of a register; NULL if it is not known. */
static struct value *caller_register(const struct location_context *context, Dwarf_Frame *rules, unsigned int number)
{
	struct debuginfo *debuginfo = context->debuginfo;
	Dwarf_Op memory[3], *operations;
	struct value *value;
	bool is_address;
	size_t count;

	if (dwarf_frame_register(rules, (int)number, memory, &operations, &count) != 0)
		return NULL;
	if (!count)
		return operations ? NULL : context->frame->registers[number];
	if (location_run(context, operations, count, &value, &is_address))
		return NULL;
	if (!is_address)
		return value;
	return value_load(debuginfo, value, (int)debuginfo_abi(debuginfo)->word);
}

bool frame_above(const struct location_context *context, struct frame *ret)
{
	_cleanup_(cleanup_free) Dwarf_Frame *rules = frame_rules(context->debuginfo, context->pc);
	const struct abi *abi = debuginfo_abi(context->debuginfo);
	struct location_context own = *context;
	struct frame probe;

	if (!own.frame) {
		debuginfo_probe_frame(context->debuginfo, &probe);
		own.frame = &probe;
	}
	for (unsigned int i = 0; rules && i < abi->register_count; i++)
		ret->registers[i] = caller_register(&own, rules, i == abi->program_counter ? abi->return_column : i);
	return rules && ret->registers[abi->program_counter] && ret->registers[abi->stack_pointer];
}

struct error *dwarf_caller_frame(struct debuginfo *debuginfo, struct address pc, const struct frame *frame,
				 struct frame *ret)
{
	struct location_context context = {.debuginfo = debuginfo, .frame = frame};
	Dwarf *dwarf;
	struct error *error = debuginfo_dwarf(debuginfo, &dwarf);

	if (error)
		return error;
	context.pc = debuginfo_dwarf_address(debuginfo, pc);
	if (!frame_above(&context, ret))
		return error_new(ERROR_LOOKUP, _("the call frame information does not cover this code"));
	return NULL;
}
