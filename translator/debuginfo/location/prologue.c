// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Locations at the entry of a function, before its prologue has run.
 *
 * Unoptimized code, and all code that takes the address of a parameter, describes the parameter by one slot for the
 * whole function, which is wrong until the prologue has filled the slot. There are two cases:
 *
 *     - The slot is in the function's own frame. The prologue is traced (abi/), which shows from where the slot is
 *       filled. Counting registers by the calling convention would be wrong for clones, ms_abi, regparm, and Rust.
 *     - The slot is at the canonical frame address (CFA) or above: the caller has filled it, so it is used as it is. An
 *       exception is the space for register arguments that ms_abi has there, which the prologue fills.
 *
 * An optimizing compiler may drop the store that fills the slot, if the function changes the parameter at once. The
 * first store then has another value, mostly that of another parameter. So two parameters with the same origin are
 * refused.
 *
 * clang and rustc count slots from a register that the prologue sets (frame base). The call frame information tells how
 * far it is from the CFA.
 */
#include "translator/debuginfo/location/location.h"
#include "translator/debuginfo/location/values.h"

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "translator/debuginfo/object/user_object.h"
#include "translator/debuginfo/types/types.h"

#include <string.h>

#define MOST_INSTRUCTIONS 256
#define MOST_BYTES 256 /* of a parameter in the own frame */
#define LONG_DOUBLE_BYTES 10
#define DW_CC_LLVM_WIN64 0xc1

/* ---- the frame base ---- */

/* A row of the call frame information whose CFA is a register plus a number. */
struct frame_row {
	uint64_t end; /* dwarf address after the row */
	uint64_t number; /* of the register */
	uint64_t distance; /* from the register to the CFA */
};

static bool read_row(struct debuginfo *debuginfo, uint64_t pc, struct frame_row *ret)
{
	_cleanup_(cleanup_free) Dwarf_Frame *rules = frame_rules(debuginfo, pc);
	Dwarf_Op *operations;
	Dwarf_Addr start;
	bool is_signal;
	size_t count;

	if (!rules || dwarf_frame_cfa(rules, &operations, &count) != 0 || count != 1 ||
	    operations[0].atom != DW_OP_bregx || dwarf_frame_info(rules, &start, &ret->end, &is_signal) < 0)
		return false;
	ret->number = operations[0].number;
	ret->distance = operations[0].number2;
	return ret->end > pc;
}

/* Return the address after the prologue, which LLVM's compilers mark in the line table; 0 if it is not known. */
static uint64_t marked_end(const struct location_context *context, uint64_t end)
{
	Dwarf_Die function = context->function, unit;
	size_t count, low = 0, high;
	Dwarf_Lines *lines;

	debuginfo_provide(context->debuginfo, ".debug_line");
	if (!dwarf_diecu(&function, &unit, NULL, NULL) || dwarf_getsrclines(&unit, &lines, &count) != 0)
		return 0;
	high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		Dwarf_Addr address = 0;

		if (dwarf_lineaddr(dwarf_onesrcline(lines, middle), &address) == 0 && address < context->entry)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < count; low++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, low);
		Dwarf_Addr address;
		bool is_end;

		if (dwarf_lineaddr(line, &address) != 0 || address >= end)
			break;
		if (dwarf_lineprologueend(line, &is_end) == 0 && is_end)
			return address;
	}
	return 0;
}

/*
 * Find the largest distance from a register to the CFA in the function; 0 if no row uses the register. With @p alone,
 * also return 0 if a row uses another register.
 */
static uint64_t largest_distance(const struct location_context *context, uint64_t number, uint64_t end, bool alone)
{
	uint64_t largest = 0;

	for (struct frame_row row = {context->entry, 0, 0}; row.end < end;) {
		if (!read_row(context->debuginfo, row.end, &row))
			break;
		if (row.number == number)
			largest = MAX(largest, row.distance);
		else if (alone)
			return 0;
	}
	return largest;
}

enum base_state prologue_frame_base(const struct location_context *context, uint64_t number, uint64_t *ret)
{
	const struct abi *abi = debuginfo_abi(context->debuginfo);
	struct frame_row here, after;
	Dwarf_Die function = context->function;
	Dwarf_Addr end;
	uint64_t marked;

	bool is_stack = number == abi->stack_pointer;

	if (context->frame || !read_row(context->debuginfo, context->pc, &here) || dwarf_highpc(&function, &end) != 0 ||
	    is_stack != (here.number == number))
		return BASE_IS_SET;
	*ret = largest_distance(context, number, end, is_stack);
	if (!is_stack)
		return *ret ? BASE_IS_CFA_BASED : BASE_IS_SET;
	if (here.distance == *ret)
		return BASE_IS_SET;
	/* Calls may push their arguments, which makes the distance larger than that of the frame. */
	marked = marked_end(context, end);
	if (!*ret || (marked && !read_row(context->debuginfo, marked, &after)))
		return BASE_IS_UNKNOWN;
	if (!marked || after.distance == *ret)
		return BASE_IS_CFA_BASED;
	return context->pc >= marked ? BASE_IS_SET : BASE_IS_UNKNOWN;
}

/* ---- tracing ---- */

/* Return the bytes of code from a dwarf address on; empty if the object's code is not at hand. */
static struct span code_at(struct debuginfo *debuginfo, uint64_t dwarf_address)
{
	Elf *elf = debuginfo_code(debuginfo);
	struct address address;
	struct span bytes = {NULL, 0};

	if (debuginfo->object)
		return user_object_bytes(debuginfo, dwarf_address);
	elf = elf ?: debuginfo->debug.elf;
	address = debuginfo_public_address(debuginfo, dwarf_address);
	if (!address.section)
		return elf_bytes_at(elf, dwarf_address, elf_section_end(elf, dwarf_address));
	if (elf && elf_has_contents(elf, address.section))
		bytes = elf_section_span(elf, address.section);
	if (address.value >= bytes.size)
		return (struct span){NULL, 0};
	return (struct span){bytes.data + address.value, bytes.size - address.value};
}

/*
 * Trace a call. Some leave the registers alone: those to a profiler at the very beginning (-mfentry), and, in 32-bit
 * code, those that load the program counter, which gcc and clang write as mov (%esp),%ebx; ret and as call 1f; 1: pop.
 */
static bool trace_call(const struct location_context *context, struct abi_trace *trace,
		       const struct abi_instruction *instruction, const uint8_t *bytes)
{
	enum { AFTER_ENDBR = 4, THUNK_SIZE = 4 };
	uint64_t next = trace->at + instruction->size;
	struct span thunk;

	if (trace->at <= AFTER_ENDBR) {
		trace->at = next;
		return true;
	}
	if (!trace->is_32_bit || bytes[0] != 0xe8)
		return false;
	if (!instruction->distance) /* moves the stack pointer like the push of a number, which has five bytes, too */
		return context->debuginfo->kernel.abi->trace_instruction(trace, (const uint8_t *)"\x68\0\0\0",
									 instruction->size);
	thunk = code_at(context->debuginfo, (uint32_t)(context->entry + next + (uint64_t)instruction->distance));
	if (thunk.size < THUNK_SIZE || thunk.data[0] != 0x8b || (thunk.data[1] & 0xc7) != 0x04 ||
	    thunk.data[2] != 0x24 || thunk.data[3] != 0xc3)
		return false;
	for (int i = 0; i < ABI_REGISTER_BYTES; i++)
		trace->registers[thunk.data[1] >> 3][i] = (struct abi_byte){ABI_ORIGIN_UNKNOWN, 0, 0};
	trace->is_stack_address[thunk.data[1] >> 3] = false;
	trace->at = next;
	return true;
}

static bool trace_one(const struct location_context *context, struct abi_trace *trace, bool *returns)
{
	const struct abi *abi = context->debuginfo->kernel.abi;
	struct span bytes = code_at(context->debuginfo, context->entry + trace->at);
	struct abi_instruction instruction;

	if (!bytes.size || !abi->trace_instruction ||
	    !abi->read_instruction(bytes.data, bytes.size, trace->is_32_bit, &instruction))
		return false;
	*returns = instruction.flow == ABI_FLOW_RETURN;
	if (instruction.flow == ABI_FLOW_CALL)
		return trace_call(context, trace, &instruction, bytes.data);
	return instruction.flow != ABI_FLOW_INDIRECT && !*returns &&
	       abi->trace_instruction(trace, bytes.data, instruction.size);
}

static void trace_begin(const struct location_context *context, struct abi_trace *trace)
{
	const struct abi *abi = context->debuginfo->kernel.abi;

	memset(trace, 0, sizeof(*trace));
	if (abi->trace_begin)
		abi->trace_begin(trace, context->debuginfo->object && context->debuginfo->object->is_32_bit);
}

/*
 * Trace from the entry up to a dwarf address, or as far as possible. Set *passes if the code at the pc is on the way.
 * Return false if the address was not reached.
 */
static bool trace_to(const struct location_context *context, uint64_t address, struct abi_trace *trace, bool *passes)
{
	bool returns;

	trace_begin(context, trace);
	*passes = false;
	for (int i = 0; i < MOST_INSTRUCTIONS; i++) {
		*passes |= context->entry + trace->at == context->pc;
		if (context->entry + trace->at == address)
			return true;
		if (!trace_one(context, trace, &returns))
			break;
	}
	return false;
}

static bool is_unchanged(const struct abi_trace *trace, uint64_t number, unsigned int word)
{
	for (unsigned int i = 0; i < word; i++) {
		const struct abi_byte *byte = &trace->registers[number][i];

		if (byte->origin != ABI_ORIGIN_REGISTER || byte->number != number || byte->index != i)
			return false;
	}
	return true;
}

/* The effect of the first instructions on a register. */
enum change {
	CHANGED, /* the trace ends after the instruction that writes it first */
	KEPT, /* up to the function's end */
	NOT_SEEN, /* up to where the trace is lost */
};

static enum change find_change(const struct location_context *context, uint64_t number, struct abi_trace *trace)
{
	bool returns = false;

	trace_begin(context, trace);
	for (int i = 0; i < MOST_INSTRUCTIONS; i++) {
		if (!trace_one(context, trace, &returns))
			return returns ? KEPT : NOT_SEEN;
		if (!is_unchanged(trace, number, debuginfo_abi(context->debuginfo)->word))
			return CHANGED;
	}
	return NOT_SEEN;
}

/* ---- from origins to values ---- */

static struct value *on_stack(const struct location_context *context, int64_t place)
{
	struct debuginfo *debuginfo = context->debuginfo;

	return value_binary(debuginfo->arena, VALUE_ADD,
			    value_of_register(debuginfo, debuginfo_abi(debuginfo)->stack_pointer),
			    value_new(debuginfo->arena, VALUE_CONSTANT, (uint64_t)place));
}

/* Does @p next follow @p byte in the same register or on the stack, so that one piece has both? */
static bool follows(const struct abi_byte *byte, const struct abi_byte *next)
{
	return byte->origin == next->origin && byte->number == next->number && byte->index + 1 == next->index;
}

static const char *add_piece(const struct location_context *context, GPtrArray **pieces, const struct abi_byte *from,
			     uint64_t size)
{
	struct debuginfo *debuginfo = context->debuginfo;
	struct value *value;

	if (from->origin == ABI_ORIGIN_STACK) {
		pieces_add(debuginfo->arena, pieces, size, LOCATION_MEMORY, on_stack(context, from->index));
		return NULL;
	}
	if (!location_has_register(debuginfo, from->number) || from->index + (int64_t)size > (int64_t)sizeof(uint64_t))
		return _("it is, at least in part, in floating-point registers, which probes cannot read");
	value = value_of_register(debuginfo, from->number);
	if (from->index)
		value = value_binary(debuginfo->arena, VALUE_SHIFT_RIGHT, value,
				     value_new(debuginfo->arena, VALUE_CONSTANT, (uint64_t)from->index * 8));
	pieces_add(debuginfo->arena, pieces, size, LOCATION_VALUE, value);
	return NULL;
}

static const char *not_set_yet(void)
{
	return _("it is not in its place yet at the function's entry, and the code does not show where it was before");
}

/* Convert the origins of bytes to pieces, at most a word each. Return NULL or the problem. */
static const char *pieces_of(const struct location_context *context, const struct abi_byte *bytes, uint64_t size,
			     GPtrArray **pieces)
{
	unsigned int word = debuginfo_abi(context->debuginfo)->word;
	const char *problem = NULL;

	for (uint64_t i = 0, end; i < size && !problem; i = end) {
		if (bytes[i].origin != ABI_ORIGIN_REGISTER && bytes[i].origin != ABI_ORIGIN_STACK)
			return not_set_yet();
		for (end = i + 1; end < size && follows(&bytes[end - 1], &bytes[end]); end++)
			if (bytes[i].origin == ABI_ORIGIN_REGISTER && end - i >= word)
				break;
		problem = add_piece(context, pieces, &bytes[i], end - i);
	}
	return problem;
}

/* ---- slots ---- */

/* Is the address a number of bytes from the stack pointer at the entry? */
static bool find_place(const struct location_context *context, const struct value *address, int64_t *ret)
{
	struct value *base = value_of_register(context->debuginfo, debuginfo_abi(context->debuginfo)->stack_pointer);
	const struct value *left = address;
	unsigned int pushed = debuginfo_abi(context->debuginfo)->return_address_size;
	struct frame_row row = {.number = debuginfo_abi(context->debuginfo)->stack_pointer, .distance = pushed};

	if (context->pc != context->entry) {
		if (!read_row(context->debuginfo, context->pc, &row) ||
		    !location_has_register(context->debuginfo, row.number))
			return false;
		base = value_of_register(context->debuginfo, row.number);
	}
	*ret = 0;
	if (left->kind == VALUE_BINARY && left->operation == VALUE_ADD && left->right->kind == VALUE_CONSTANT) {
		*ret = (int64_t)left->right->constant;
		left = left->left;
	}
	*ret += (int64_t)pushed - (int64_t)row.distance;
	while (left->kind == VALUE_CONVERT && base->kind == VALUE_CONVERT) {
		left = left->left;
		base = base->left;
	}
	return left->kind == VALUE_REGISTER && base->kind == VALUE_REGISTER && left->constant == base->constant;
}

/* Set the origins of the bytes that will be at a place, and whether they are there at the pc. */
static enum slot_state read_slot(const struct location_context *context, struct abi_trace *trace, bool passes,
				 int64_t place, uint64_t size, struct abi_byte *ret)
{
	int64_t above = debuginfo_abi(context->debuginfo)->return_address_size;
	bool is_ready = true;

	for (uint64_t i = 0; i < size; i++) {
		const struct abi_stored *stored = NULL;
		int64_t at = place + (int64_t)i;

		for (size_t n = 0; n < trace->stored_count && !stored; n++)
			if (trace->stored[n].place == at && !trace->stored[n].is_pushed)
				stored = &trace->stored[n];
		ret[i] = (struct abi_byte){ABI_ORIGIN_UNKNOWN, 0, 0};
		/* A function may change its arguments; only ms_abi saves registers there. */
		if (at >= above && (!stored || stored->first.origin != ABI_ORIGIN_REGISTER))
			ret[i] = (struct abi_byte){ABI_ORIGIN_STACK, 0, at};
		else if (stored)
			ret[i] = stored->first;
		if (context->pc == context->entry)
			is_ready &= ret[i].origin == ABI_ORIGIN_STACK && ret[i].index == at;
		else
			is_ready &= !passes || !stored || context->entry + stored->when < context->pc;
	}
	if (is_ready)
		return SLOT_READY;
	return context->pc == context->entry ? SLOT_ELSEWHERE : SLOT_NOT_READY;
}

/* The same for an address, which need not be in the frame. Fill in at most MOST_BYTES origins. */
static enum slot_state find_slot(const struct location_context *context, struct abi_trace *trace,
				 const struct value *address, uint64_t size, struct abi_byte *ret)
{
	int64_t above = debuginfo_abi(context->debuginfo)->return_address_size;
	bool passes;
	int64_t place;

	for (uint64_t i = 0; i < MIN(size, MOST_BYTES); i++)
		ret[i] = (struct abi_byte){ABI_ORIGIN_UNKNOWN, 0, 0};
	if (context->frame || context->pc < context->entry || !context->entry || !find_place(context, address, &place))
		return SLOT_READY;
	if (context->pc - context->entry > MOST_INSTRUCTIONS * 4)
		return SLOT_READY;
	trace_to(context, UINT64_MAX, trace, &passes);
	/* A large argument is in memory of the caller, which no prologue fills. */
	if (size > MOST_BYTES)
		return context->pc == context->entry && place < above ? SLOT_NOT_READY : SLOT_READY;
	return read_slot(context, trace, passes, place, size, ret);
}

const char *prologue_load(const struct location_context *context, struct value *address, uint64_t size,
			  struct value **ret)
{
	g_autofree struct abi_trace *trace = g_new(struct abi_trace, 1);
	struct abi_byte bytes[MOST_BYTES];
	const struct variable_piece *piece;
	GPtrArray *pieces = NULL;
	enum slot_state state = find_slot(context, trace, address, size, bytes);
	const char *problem;

	*ret = NULL;
	if (state == SLOT_READY)
		return NULL;
	if (state == SLOT_NOT_READY)
		return not_set_yet();
	problem = pieces_of(context, bytes, size, &pieces);
	if (problem || pieces->len != 1)
		return problem ?: not_set_yet();
	piece = g_ptr_array_index(pieces, 0);
	*ret = piece->location == LOCATION_MEMORY
		       ? value_load(context->debuginfo, piece->value, (int)size)
		       : value_converted(context->debuginfo->arena, piece->value, (int)size, false);
	return NULL;
}

/* ---- parameters ---- */

static bool shares_origin(const struct abi_byte *a, uint64_t a_size, const struct abi_byte *b, uint64_t b_size)
{
	for (uint64_t i = 0; i < a_size; i++)
		for (uint64_t n = 0; n < b_size; n++)
			if (a[i].origin == b[n].origin && a[i].number == b[n].number && a[i].index == b[n].index &&
			    a[i].origin != ABI_ORIGIN_UNKNOWN)
				return true;
	return false;
}

/* Return the number of bytes of another parameter whose origins are known. */
static uint64_t origins_of(const struct location_context *context, struct abi_trace *trace, struct variable *variable,
			   struct abi_byte *ret)
{
	uint64_t size = MIN(variable->type->size, MOST_BYTES);
	const struct value *value;

	if (variable->location == LOCATION_MEMORY)
		return find_slot(context, trace, variable->value, size, ret) == SLOT_NOT_READY ? 0 : size;
	if (variable->location != LOCATION_VALUE)
		return 0;
	value = value_unconverted(variable->value);
	if (value->kind != VALUE_REGISTER)
		return 0;
	size = MIN(size, ABI_REGISTER_BYTES);
	for (uint64_t i = 0; i < size; i++)
		ret[i] = (struct abi_byte){ABI_ORIGIN_REGISTER, (unsigned int)value->constant, (int64_t)i};
	return size;
}

/* Give registers the numbers of the kernel's architecture, as values have them. */
static void use_kernel_numbers(const struct debuginfo *debuginfo, struct abi_byte *bytes, uint64_t size)
{
	const struct abi *abi = debuginfo_abi(debuginfo);

	for (uint64_t i = 0; i < size && abi->kernel_numbers; i++)
		if (bytes[i].origin == ABI_ORIGIN_REGISTER && bytes[i].number < abi->register_count)
			bytes[i].number = abi->kernel_numbers[bytes[i].number];
}

/* Has another parameter of the function the same origin as these bytes? */
static bool is_taken(const struct location_context *context, Dwarf_Die *parameter, const struct abi_byte *bytes,
		     uint64_t size)
{
	g_autofree struct abi_trace *trace = g_new(struct abi_trace, 1);
	struct abi_byte own[MOST_BYTES], other[MOST_BYTES];
	Dwarf_Die function = context->function, child;

	memcpy(own, bytes, size * sizeof(*own));
	use_kernel_numbers(context->debuginfo, own, size);
	for (int next = dwarf_child(&function, &child); next == 0; next = dwarf_siblingof(&child, &child)) {
		struct variable *variable;
		uint64_t count;

		if (dwarf_tag(&child) != DW_TAG_formal_parameter || child.addr == parameter->addr)
			continue;
		variable = variable_new(context->debuginfo);
		variable->type = type_of(context->debuginfo, &child);
		location_as_described(context, &child, variable);
		count = origins_of(context, trace, variable, other);
		if (variable->location == LOCATION_MEMORY)
			use_kernel_numbers(context->debuginfo, other, count);
		if (shares_origin(own, size, other, count))
			return true;
	}
	return false;
}

static void refuse(struct variable *variable, const char *reason)
{
	variable->location = LOCATION_UNSUPPORTED;
	variable->reason = reason;
}

static bool is_parameter_of(Dwarf_Die *parameter, Dwarf_Die *function)
{
	Dwarf_Die child;

	if (dwarf_tag(parameter) != DW_TAG_formal_parameter)
		return false;
	for (int next = dwarf_child(function, &child); next == 0; next = dwarf_siblingof(&child, &child))
		if (child.addr == parameter->addr)
			return true;
	return false;
}

/*
 * Does the place of an argument in memory really hold its address? LLVM does not describe that in optimized code. These
 * arguments are passed by their address: structures of odd sizes with the convention of Windows, classes with
 * constructors of their own in C++, and what is larger than a word in Rust. @is_of_caller: the place is where callers
 * put arguments.
 */
static bool may_be_address(Dwarf_Die *function, const struct type *type, bool is_of_caller)
{
	bool is_aggregate = type->kind == KIND_STRUCT || type->kind == KIND_UNION || type->kind == KIND_ARRAY;
	Dwarf_Attribute attribute;
	Dwarf_Word convention;

	if (is_of_caller && type->is_by_reference && !location_is_of_gcc(function))
		return true;
	if (location_is_of_rust(function))
		return is_of_caller && is_aggregate && type->size > sizeof(uint64_t);
	return (type->kind == KIND_STRUCT || type->kind == KIND_UNION) &&
	       (type->size > sizeof(uint64_t) || (type->size & (type->size - 1))) &&
	       dwarf_attr_integrate(function, DW_AT_calling_convention, &attribute) &&
	       dwarf_formudata(&attribute, &convention) == 0 && convention == DW_CC_LLVM_WIN64;
}

/*
 * Has an inlined function one place in the frame for a parameter? The code around it copies the argument there, which
 * may be after the instruction where the inlined code begins.
 */
static bool is_in_frame(const struct location_context *context, Dwarf_Die *die, const struct variable *variable)
{
	const struct value *base = variable->value;
	Dwarf_Attribute attribute;
	Dwarf_Block expression;

	if (dwarf_tag(die) != DW_TAG_formal_parameter || variable->location != LOCATION_MEMORY || context->frame ||
	    !dwarf_attr_integrate(die, DW_AT_location, &attribute) || dwarf_formblock(&attribute, &expression) != 0)
		return false;
	while (base->kind == VALUE_CONVERT || base->kind == VALUE_BINARY)
		base = base->left;
	return base->kind == VALUE_REGISTER;
}

bool location_is_of_gcc(Dwarf_Die *function)
{
	Dwarf_Attribute attribute;
	Dwarf_Die unit;
	const char *producer = dwarf_diecu(function, &unit, NULL, NULL)
				       ? dwarf_formstring(dwarf_attr(&unit, DW_AT_producer, &attribute))
				       : NULL;

	return producer && g_str_has_prefix(producer, "GNU ");
}

/*
 * May the function assign the constant before its first instruction? gcc then describes the argument, too (see
 * find_argument()), at least if callers outside of the unit pass one. Other compilers do not. They also write constants
 * for arguments that are the same in all calls.
 */
static bool may_be_assigned(const struct location_context *context, const struct variable *variable)
{
	Dwarf_Die function = context->function;
	Dwarf_Attribute attribute;
	bool is_external = false;

	if (variable->location != LOCATION_VALUE || variable->value->kind != VALUE_CONSTANT ||
	    context->pc != context->entry || context->frame)
		return false;
	if (!location_is_of_gcc(&function))
		return true;
	return dwarf_attr(&function, DW_AT_external, &attribute) && dwarf_formflag(&attribute, &is_external) == 0 &&
	       is_external;
}

void prologue_parameter(const struct location_context *context, Dwarf_Die *die, bool is_argument,
			struct variable *variable)
{
	g_autofree struct abi_trace *trace = NULL;
	struct abi_byte bytes[MOST_BYTES];
	uint64_t size = variable->type ? variable->type->size : 0;
	Dwarf_Die function = context->function;
	GPtrArray *pieces = NULL;
	enum slot_state state;
	const char *problem;
	int64_t place;
	bool is_others;

	if (context->at_inlined_entry && is_in_frame(context, die, variable)) {
		refuse(variable, not_set_yet());
		return;
	}
	if (!size || !is_parameter_of(die, &function))
		return;
	if (!is_argument && may_be_assigned(context, variable)) {
		refuse(variable, _("the function may replace its argument at once"));
		return;
	}
	if (variable->location != LOCATION_MEMORY)
		return;
	if (find_place(context, variable->value, &place) &&
	    may_be_address(&function, variable->type, place >= (int64_t)debuginfo_abi(context->debuginfo)->word)) {
		refuse(variable, _("it may be the argument's address instead, which the compiler does not tell"));
		return;
	}
	/* The last bytes of a long double are padding, which need not be copied. */
	if (variable->type->kind == KIND_FLOAT)
		size = MIN(size, LONG_DOUBLE_BYTES);
	trace = g_new(struct abi_trace, 1);
	state = find_slot(context, trace, variable->value, size, bytes);
	if (state == SLOT_READY)
		return;
	problem = state == SLOT_NOT_READY ? not_set_yet() : pieces_of(context, bytes, size, &pieces);
	/* A value in one piece includes its padding. */
	if (!problem && pieces->len == 1)
		((struct variable_piece *)g_ptr_array_index(pieces, 0))->size = variable->type->size;
	is_others = !problem && is_taken(context, die, bytes, size);
	if (is_others && find_place(context, variable->value, &place) && place >= (int64_t)sizeof(uint64_t))
		return; /* the function replaces its argument by another one */
	if (problem || is_others)
		refuse(variable, problem ?: not_set_yet());
	else
		location_set_pieces(context->debuginfo->arena, variable, pieces);
}

/* ---- registers ---- */

/* Set the location of a variable to what a register of the trace has. */
static const char *from_register(const struct location_context *context, const struct abi_trace *trace, uint64_t number,
				 struct variable *variable)
{
	uint64_t size = variable->type ? variable->type->size : 0;
	GPtrArray *pieces = NULL;
	const char *problem;

	if (!size || size > debuginfo_abi(context->debuginfo)->word)
		return not_set_yet();
	problem = pieces_of(context, trace->registers[number], size, &pieces);
	if (!problem)
		location_set_pieces(context->debuginfo->arena, variable, pieces);
	return problem;
}

bool prologue_register(const struct location_context *context, uint64_t start, uint64_t number,
		       struct variable *variable)
{
	g_autofree struct abi_trace *trace = g_new(struct abi_trace, 1);
	bool passes;

	return number < ABI_MOST_REGISTERS && trace_to(context, start, trace, &passes) &&
	       !from_register(context, trace, number, variable);
}

bool prologue_argument(const struct location_context *context, uint64_t start, const struct value *address,
		       struct variable *variable)
{
	struct location_context there = *context;
	unsigned int first = debuginfo_abi(context->debuginfo)->return_address_size;
	int64_t place;

	there.pc = start;
	if (!find_place(&there, address, &place) || place < (int64_t)first)
		return false;
	variable->location = LOCATION_MEMORY;
	variable->value = on_stack(context, place);
	return true;
}

void prologue_home_register(const struct location_context *context, Dwarf_Die *die, uint64_t number,
			    struct variable *variable)
{
	g_autofree struct abi_trace *trace = NULL;
	const struct abi *abi = debuginfo_abi(context->debuginfo);
	Dwarf_Die function = context->function;
	const char *problem = NULL;

	if (context->frame || context->pc != context->entry || !context->entry || number >= abi->register_count ||
	    !is_parameter_of(die, &function))
		return;
	trace = g_new(struct abi_trace, 1);
	if (find_change(context, number, trace) == CHANGED)
		problem = from_register(context, trace, number, variable);
	else
		problem = not_set_yet();
	/* A problem with an argument register is ignored: the argument may already be there at the entry. */
	if (problem && !abi_is_argument_register(abi, (unsigned int)number))
		refuse(variable, problem);
}

bool prologue_keeps(const struct location_context *context, uint64_t number)
{
	g_autofree struct abi_trace *trace = NULL;

	if (context->frame || context->pc != context->entry || !context->entry)
		return true;
	/* The callers of a function set no other registers for it. */
	if (number >= ABI_MOST_REGISTERS ||
	    !abi_is_argument_register(debuginfo_abi(context->debuginfo), (unsigned int)number))
		return false;
	trace = g_new(struct abi_trace, 1);
	return find_change(context, number, trace) == KEPT;
}

bool prologue_origin(const struct location_context *context, uint64_t number, uint64_t *ret)
{
	g_autofree struct abi_trace *trace = g_new(struct abi_trace, 1);
	const struct abi *abi = debuginfo_abi(context->debuginfo);
	const struct abi_byte *bytes;

	if (number >= ABI_MOST_REGISTERS || find_change(context, number, trace) != CHANGED)
		return false;
	bytes = trace->registers[number];
	for (unsigned int i = 0; i + 1 < abi->word; i++)
		if (!follows(&bytes[i], &bytes[i + 1]))
			return false;
	*ret = bytes[0].number;
	return bytes[0].origin == ABI_ORIGIN_REGISTER && !bytes[0].index &&
	       abi_is_argument_register(abi, bytes[0].number);
}

bool prologue_reads(struct debuginfo *debuginfo, Dwarf_Die *function, unsigned int number)
{
	struct location_context context = {.debuginfo = debuginfo, .function = *function};
	g_autofree struct abi_trace *trace = g_new(struct abi_trace, 1);
	bool returns;

	if (dwarf_lowpc(function, &context.entry) != 0)
		return false;
	trace_begin(&context, trace);
	for (int i = 0; i < MOST_INSTRUCTIONS && !trace->is_read[number]; i++)
		if (!trace_one(&context, trace, &returns))
			break;
	return trace->is_read[number];
}

bool prologue_may_write(struct debuginfo *debuginfo, Dwarf_Die *function, unsigned int number)
{
	struct location_context context = {.debuginfo = debuginfo, .function = *function};
	const struct abi *abi = debuginfo->kernel.abi;
	g_autofree struct abi_trace *trace = g_new(struct abi_trace, 1);
	struct abi_instruction instruction;
	Dwarf_Addr end;

	if (!abi->trace_instruction || dwarf_lowpc(function, &context.entry) != 0 || dwarf_highpc(function, &end) != 0)
		return true;
	trace_begin(&context, trace);
	for (Dwarf_Addr at = context.entry; at < end; at += instruction.size) {
		struct span bytes = code_at(debuginfo, at);

		if (!bytes.size || !abi->read_instruction(bytes.data, bytes.size, trace->is_32_bit, &instruction))
			return true;
		if (instruction.flow == ABI_FLOW_ON && (!abi->trace_instruction(trace, bytes.data, instruction.size) ||
							!is_unchanged(trace, number, abi->word)))
			return true;
	}
	return false;
}
