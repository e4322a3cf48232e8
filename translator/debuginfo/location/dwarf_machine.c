// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Running DWARF expressions symbolically.
 *
 * A DWARF expression (DWARF 5, section 2.5) is a program for a stack machine. Here the stack holds trees instead of
 * numbers: DW_OP_breg7 16 pushes "register 7 + 16", DW_OP_deref wraps the top in a load. The result is the address of
 * the variable, its content (after DW_OP_stack_value) or a register (2.6.1).
 *
 * At a branch (from max(x, 0), for example), both ways are run and their results become a choice. Loops are unrolled if
 * the number of iterations is constant, as where gcc swaps bytes. Everything else is refused, because a wrong value is
 * worse than none.
 */
#include "translator/debuginfo/location/dwarf_machine.h"

#include <string.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "translator/debuginfo/object/user_object.h"
#include "translator/debuginfo/types/types.h"

#define MOST_NESTED 4 /* frame base in an expression in an entry value */
#define MOST_POINTERS 4 /* implicit pointers, each leading to the next */
#define MOST_BRANCHES 6 /* the number of branches in sequence that are followed; each one doubles the work */
#define MOST_STEPS 4096

bool machine_fail(struct machine *machine, const char *problem)
{
	if (!machine->problem)
		machine->problem = problem;
	return false;
}

static bool push_operand(struct machine *machine, struct operand operand)
{
	if (machine->depth >= STACK_SIZE)
		return machine_fail(machine, _("its location is too complicated"));
	machine->stack[machine->depth++] = operand;
	return true;
}

bool machine_push(struct machine *machine, struct value *value)
{
	return push_operand(machine, (struct operand){value, {0, false}});
}

static bool push_typed(struct machine *machine, struct value *value, struct operand_type type)
{
	if (!type.size)
		return machine_push(machine, value);
	value = value_converted(machine->arena, value, type.size, type.is_signed);
	return push_operand(machine, (struct operand){value, type});
}

static bool push_constant(struct machine *machine, uint64_t constant)
{
	return machine_push(machine, value_new(machine->arena, VALUE_CONSTANT, constant));
}

static bool push_entry_register(struct machine *machine, uint64_t number, int64_t offset);

static bool push_offset(struct machine *machine, struct value *value, int64_t offset)
{
	return machine_push(machine, value_binary(machine->arena, VALUE_ADD, value,
						  value_new(machine->arena, VALUE_CONSTANT, (uint64_t)offset)));
}

static bool push_register(struct machine *machine, uint64_t number, int64_t offset)
{
	const struct frame *frame = machine->context->frame;
	/* Only the general registers are available of those at a call's entry and of those kept by callees. */
	bool is_kept =
		(!machine->at_entry && !frame) || number < debuginfo_abi(machine->context->debuginfo)->register_count;
	struct value *value;

	if (!is_kept || !location_has_register(machine->context->debuginfo, number))
		return machine_fail(machine,
				    _("it is in a floating-point or vector register, which probes cannot read"));
	if (machine->at_entry)
		return push_entry_register(machine, number, offset);
	if (frame && !frame->registers[number])
		return machine_fail(machine, _("it depends on a register that the callees did not preserve"));
	value = frame ? frame->registers[number] : value_of_register(machine->context->debuginfo, number);
	return push_offset(machine, value, offset);
}

/* Read the operand @p below places under the top. Return false and set a problem if the stack is not that deep. */
static bool peek(struct machine *machine, uint64_t below, struct operand *ret)
{
	if (below >= (uint64_t)machine->depth)
		return machine_fail(machine, _("its location is malformed"));
	*ret = machine->stack[machine->depth - 1 - (int)below];
	return true;
}

static bool take_operand(struct machine *machine, struct operand *ret)
{
	if (!peek(machine, 0, ret))
		return false;
	machine->depth--;
	return true;
}

struct value *machine_take(struct machine *machine)
{
	struct operand operand;

	return take_operand(machine, &operand) ? operand.value : NULL;
}

/* Run a separate expression on the same stack; it must leave one value, its address or register content. */
static bool run_nested(struct machine *machine, const Dwarf_Op *operations, size_t count)
{
	int depth = machine->depth;
	bool is_done;

	if (machine->nested >= MOST_NESTED)
		return machine_fail(machine, _("its location is malformed"));
	machine->nested++;
	is_done = machine_run(machine, operations, count);
	machine->nested--;
	machine->is_value = machine->is_register = false;
	return is_done && (machine->depth == depth + 1 || machine_fail(machine, _("its location is malformed")));
}

/* Push the canonical frame address (CFA), the stack pointer before the call (DWARF 5, section 6.4). */
static bool push_frame_address(struct machine *machine)
{
	_cleanup_(cleanup_free) Dwarf_Frame *frame = frame_rules(machine->context->debuginfo, machine->context->pc);
	Dwarf_Op *operations;
	size_t count;

	if (machine->at_entry)
		return machine_fail(machine,
				    _("it was in the stack frame at the function's entry, which is not recorded"));
	if (!frame || dwarf_frame_cfa(frame, &operations, &count) != 0 || !count)
		return machine_fail(machine, _("it lies in the stack frame and the call frame information is missing"));
	return run_nested(machine, operations, count);
}

/* Return the number of the register that an expression names, -1 if it is another expression. */
static int only_register(const Dwarf_Op *operations, size_t count)
{
	if (count != 1 || operations[0].atom < DW_OP_reg0 || operations[0].atom > DW_OP_reg31)
		return -1;
	return operations[0].atom - DW_OP_reg0;
}

/* Push the frame base that the prologue puts into a register, even at a pc where the register does not have it yet. */
static bool push_register_base(struct machine *machine, uint64_t number, int64_t offset)
{
	uint64_t distance = 0;

	switch (prologue_frame_base(machine->context, number, &distance)) {
	case BASE_IS_SET:
		return push_register(machine, number, offset);
	case BASE_IS_CFA_BASED:
		return push_frame_address(machine) &&
		       push_offset(machine, machine_take(machine), offset - (int64_t)distance);
	default:
		return machine_fail(machine, _("the stack frame of its function is not set up here"));
	}
}

static bool push_frame_base(struct machine *machine, int64_t offset)
{
	Dwarf_Die function = machine->context->function;
	Dwarf_Attribute attribute;
	Dwarf_Op *operations;
	size_t count;
	struct value *base;

	if (machine->at_entry)
		return machine_fail(machine,
				    _("it was in the stack frame at the function's entry, which is not recorded"));
	if (!dwarf_attr_integrate(&function, DW_AT_frame_base, &attribute) ||
	    dwarf_getlocation_addr(&attribute, machine->context->pc, &operations, &count, 1) != 1)
		return machine_fail(machine, _("its function has no frame base here"));
	if (only_register(operations, count) >= 0)
		return push_register_base(machine, (uint64_t)only_register(operations, count), offset);
	if (!run_nested(machine, operations, count))
		return false;
	base = machine_take(machine);
	return machine_push(machine, value_binary(machine->arena, VALUE_ADD, base,
						  value_new(machine->arena, VALUE_CONSTANT, (uint64_t)offset)));
}

/*
 * Return what identifies the call: the place of the return address; without one, the stack pointer at the entry, or in
 * the kernel a register of the caller (struct kretprobe_instance, fp). NULL if it is not known here.
 */
static struct value *call_identity(const struct machine *machine, struct value *stack_pointer)
{
	const struct debuginfo *debuginfo = machine->context->debuginfo;
	const struct abi *abi = debuginfo_abi(debuginfo);
	struct frame caller;

	if (abi->return_address_size || debuginfo->memory == MEMORY_USER)
		return stack_pointer;
	return frame_above(machine->context, &caller) ? frame_call(debuginfo, &caller) : NULL;
}

/*
 * Push the value that a register had at the function's entry, from elsewhere in the function. The call frame
 * information locates the stack pointer of the entry everywhere. The other registers are recorded at the entry
 * (runtime/probes/kretprobe.c; for programs, runtime/user/calls.c).
 */
static bool push_entry_register(struct machine *machine, uint64_t number, int64_t offset)
{
	const struct abi *abi = debuginfo_abi(machine->context->debuginfo);
	struct value *place;

	machine->at_entry = false;
	if (!push_frame_address(machine))
		return false;
	machine->at_entry = true;
	place = value_binary(machine->arena, VALUE_ADD, machine_take(machine),
			     value_new(machine->arena, VALUE_CONSTANT, -(uint64_t)abi->return_address_size));
	if (number == abi->stack_pointer)
		return push_offset(machine, place, offset);
	if (number == abi->program_counter)
		return machine_fail(machine, _("its location uses a register that is not recorded"));
	place = call_identity(machine, place);
	if (!place)
		return machine_fail(machine, _("the call frame information does not cover this code"));
	return push_offset(machine, value_of_entry_register(machine->context->debuginfo, number, place), offset);
}

/*
 * Handle DW_OP_entry_value (2.5.1.7): the value of an expression at the function's entry. At the entry itself, run the
 * expression; elsewhere, run it with the recorded registers. Memory is refused, because it may have changed since.
 */
static bool push_entry_value(struct machine *machine, const Dwarf_Op *operation)
{
	const struct location_context *context = machine->context;
	Dwarf_Attribute inner;
	Dwarf_Op *operations;
	size_t count;
	bool is_done;

	if (context->frame || machine->at_entry)
		return machine_fail(machine,
				    _("only its value at the function's entry is known, which is not recorded"));
	if (context->pc != context->entry && !context->entry_is_probeable)
		return machine_fail(machine,
				    _("only its value at the function's entry is known, where no probe can be"));
	if (dwarf_getlocation_attr(machine->attribute, operation, &inner) != 0 ||
	    dwarf_getlocation(&inner, &operations, &count) != 0)
		return machine_fail(machine, _("its location is malformed"));
	machine->at_entry = context->pc != context->entry;
	is_done = run_nested(machine, operations, count);
	machine->at_entry = false;
	return is_done;
}

static bool load(struct machine *machine, uint64_t size, struct operand_type type)
{
	struct value *address = machine_take(machine), *loaded;
	const char *problem;

	if (!address)
		return false;
	if (machine->at_entry)
		return machine_fail(machine, _("it depends on memory at the function's entry, which is not recorded"));
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return machine_fail(machine, _("its location is malformed"));
	problem = prologue_load(machine->context, address, size, &loaded);
	if (problem || loaded)
		return problem ? machine_fail(machine, problem) : push_typed(machine, loaded, type);
	return push_typed(machine, value_load(machine->context->debuginfo, address, (int)size), type);
}

static bool unary(struct machine *machine, enum value_operation operation)
{
	struct operand operand;
	struct value *value;

	if (!take_operand(machine, &operand))
		return false;
	value = value_new(machine->arena, VALUE_UNARY, 0);
	value->operation = operation;
	value->left = operand.value;
	return push_typed(machine, value, operand.type);
}

static bool is_comparison(enum value_operation operation)
{
	return operation >= VALUE_EQUAL && operation <= VALUE_GREATER_EQUAL_UNSIGNED;
}

/* Return the operation for numbers of a type; without a type, it is as in the table of operations. */
static enum value_operation operation_on(const struct operand_type *type, enum value_operation operation)
{
	static const struct {
		enum value_operation operation, on_signed, on_unsigned;
	} meanings[] = {
		{VALUE_DIVIDE, VALUE_DIVIDE, VALUE_DIVIDE_UNSIGNED},
		{VALUE_REMAINDER_UNSIGNED, VALUE_REMAINDER, VALUE_REMAINDER_UNSIGNED},
		{VALUE_LESS, VALUE_LESS, VALUE_LESS_UNSIGNED},
		{VALUE_LESS_EQUAL, VALUE_LESS_EQUAL, VALUE_LESS_EQUAL_UNSIGNED},
		{VALUE_GREATER, VALUE_GREATER, VALUE_GREATER_UNSIGNED},
		{VALUE_GREATER_EQUAL, VALUE_GREATER_EQUAL, VALUE_GREATER_EQUAL_UNSIGNED},
	};

	for (size_t i = 0; type->size && i < G_N_ELEMENTS(meanings); i++)
		if (meanings[i].operation == operation)
			return type->is_signed ? meanings[i].on_signed : meanings[i].on_unsigned;
	return operation;
}

static bool binary(struct machine *machine, enum value_operation operation)
{
	struct operand left, right;
	struct operand_type type;

	if (!take_operand(machine, &right) || !take_operand(machine, &left))
		return false;
	type = left.type;
	operation = operation_on(&type, operation);
	/* A logical shift must not shift in copies of the sign bit. */
	if (type.size && type.is_signed && operation == VALUE_SHIFT_RIGHT)
		left.value = value_converted(machine->arena, left.value, type.size, false);
	return push_typed(machine, value_binary(machine->arena, operation, left.value, right.value),
			  is_comparison(operation) ? (struct operand_type){0, false} : type);
}

/* Find the type that an operation names by the offset of its DIE; it must be an integer of up to 64 bits. */
static bool named_type(struct machine *machine, const Dwarf_Op *operation, struct operand_type *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Word encoding, size;
	Dwarf_Die die;

	if (dwarf_getlocation_die(machine->attribute, operation, &die) != 0 ||
	    dwarf_formudata(dwarf_attr(&die, DW_AT_byte_size, &attribute), &size) != 0 ||
	    dwarf_formudata(dwarf_attr(&die, DW_AT_encoding, &attribute), &encoding) != 0)
		return machine_fail(machine, _("its location is malformed"));
	if (encoding == DW_ATE_float || (size != 1 && size != 2 && size != 4 && size != 8))
		return machine_fail(machine, _("it is computed in a type that is not an integer of up to 64 bits"));
	*ret = (struct operand_type){(int)size, encoding == DW_ATE_signed || encoding == DW_ATE_signed_char};
	return true;
}

/* DW_OP_convert and DW_OP_reinterpret (2.5.1.6); offset 0 is the generic type. */
static bool convert(struct machine *machine, const Dwarf_Op *operation)
{
	struct operand_type type = {0, false};
	struct value *operand = machine_take(machine);

	if (!operand || (operation->number && !named_type(machine, operation, &type)))
		return false;
	return push_typed(machine, operand, type);
}

/* Handle DW_OP_regval_type: the low bytes of a register as a value of a type. */
static bool typed_register(struct machine *machine, const Dwarf_Op *operation)
{
	struct operand_type type;

	return push_register(machine, operation->number, 0) && named_type(machine, operation, &type) &&
	       push_typed(machine, machine_take(machine), type);
}

/* Handle DW_OP_const_type: a constant of a type. */
static bool typed_constant(struct machine *machine, const Dwarf_Op *operation)
{
	struct operand_type type;
	Dwarf_Attribute bytes;
	Dwarf_Block block;

	if (!named_type(machine, operation, &type))
		return false;
	if (dwarf_getlocation_attr(machine->attribute, operation, &bytes) != 0 ||
	    dwarf_formblock(&bytes, &block) != 0 || block.length > sizeof(uint64_t))
		return machine_fail(machine, _("its location is malformed"));
	return push_typed(machine, value_new(machine->arena, VALUE_CONSTANT, value_of_bytes(block.data, block.length)),
			  type);
}

static bool implicit_value(struct machine *machine, const Dwarf_Op *operation)
{
	Dwarf_Block block;

	if (dwarf_getlocation_implicit_value(machine->attribute, operation, &block) != 0)
		return machine_fail(machine, _("its location is malformed"));
	machine->is_value = true;
	if (block.length <= sizeof(uint64_t))
		return push_constant(machine, value_of_bytes(block.data, block.length));
	if (machine->nested || machine->branches || machine->depth)
		return machine_fail(machine, _("its location is too complicated"));
	machine->constant = block;
	return true;
}

static bool push_address(struct machine *machine, uint64_t dwarf_address)
{
	struct value *address = value_of_address(machine->context->debuginfo, dwarf_address);

	return address ? machine_push(machine, address) : machine_fail(machine, value_percpu_reason());
}

/*
 * Handle DW_OP_form_tls_address: an offset in the current thread's thread-local block. A library allocates the block
 * when the thread first uses it; until then, reads at the computed address fail.
 */
static bool thread_address(struct machine *machine)
{
	struct debuginfo *debuginfo = machine->context->debuginfo;
	struct value *offset = machine_take(machine), *block;

	if (!offset)
		return false;
	if (!debuginfo->object)
		return machine_fail(machine, _("it is thread-local, which is not supported in a kernel"));
	if (debuginfo->object->is_32_bit)
		return machine_fail(machine,
				    _("it is thread-local in a 32-bit program, whose thread pointer is not known"));
	if (!debuginfo->object->has_threads)
		return machine_fail(machine, _("its location is malformed"));
	if (offset->kind == VALUE_CONSTANT &&
	    !user_object_thread_offset(debuginfo, offset->constant, &offset->constant))
		return machine_fail(machine, _("its location is malformed"));
	block = value_of_thread_block(debuginfo);
	if (!block)
		return machine_fail(machine, _("it is thread-local in a library, and its offset is not known"));
	return machine_push(machine, value_binary(machine->arena, VALUE_ADD, block, offset));
}

static bool absolute(struct machine *machine)
{
	struct arena *arena = machine->arena;
	struct value *negative = value_new(arena, VALUE_UNARY, 0), *choice = value_new(arena, VALUE_SELECT, 0);
	struct operand operand;

	if (!take_operand(machine, &operand))
		return false;
	negative->operation = VALUE_NEGATE;
	negative->left = operand.value;
	choice->condition = value_binary(arena, VALUE_LESS, operand.value, value_new(arena, VALUE_CONSTANT, 0));
	choice->left = negative;
	choice->right = operand.value;
	return push_typed(machine, choice, operand.type);
}

/* Handle an operation that makes one tree node. Clear *is_known for others. */
static bool arithmetic(struct machine *machine, unsigned int atom, bool *is_known)
{
	static const struct {
		uint8_t atom;
		uint8_t operands;
		enum value_operation operation;
	} table[] = {
		{DW_OP_plus, 2, VALUE_ADD},
		{DW_OP_minus, 2, VALUE_SUBTRACT},
		{DW_OP_mul, 2, VALUE_MULTIPLY},
		{DW_OP_div, 2, VALUE_DIVIDE},
		{DW_OP_mod, 2, VALUE_REMAINDER_UNSIGNED},
		{DW_OP_and, 2, VALUE_AND},
		{DW_OP_or, 2, VALUE_OR},
		{DW_OP_xor, 2, VALUE_XOR},
		{DW_OP_shl, 2, VALUE_SHIFT_LEFT},
		{DW_OP_shr, 2, VALUE_SHIFT_RIGHT},
		{DW_OP_shra, 2, VALUE_SHIFT_RIGHT_ARITHMETIC},
		{DW_OP_eq, 2, VALUE_EQUAL},
		{DW_OP_ne, 2, VALUE_NOT_EQUAL},
		{DW_OP_lt, 2, VALUE_LESS},
		{DW_OP_le, 2, VALUE_LESS_EQUAL},
		{DW_OP_gt, 2, VALUE_GREATER},
		{DW_OP_ge, 2, VALUE_GREATER_EQUAL},
		{DW_OP_neg, 1, VALUE_NEGATE},
		{DW_OP_not, 1, VALUE_COMPLEMENT},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		if (table[i].atom != atom)
			continue;
		*is_known = true;
		return table[i].operands == 1 ? unary(machine, table[i].operation)
					      : binary(machine, table[i].operation);
	}
	*is_known = false;
	return false;
}

/* Handle stack operations (2.5.1.3). */
static bool step_stack_op(struct machine *machine, const Dwarf_Op *operation, bool *is_known)
{
	struct operand a, b, c;

	*is_known = true;
	switch (operation->atom) {
	case DW_OP_dup:
		return peek(machine, 0, &a) && push_operand(machine, a);
	case DW_OP_over:
		return peek(machine, 1, &a) && push_operand(machine, a);
	case DW_OP_pick:
		return peek(machine, operation->number, &a) && push_operand(machine, a);
	case DW_OP_drop:
		return take_operand(machine, &a);
	case DW_OP_swap:
		return take_operand(machine, &a) && take_operand(machine, &b) && push_operand(machine, a) &&
		       push_operand(machine, b);
	case DW_OP_rot:
		return take_operand(machine, &a) && take_operand(machine, &b) && take_operand(machine, &c) &&
		       push_operand(machine, a) && push_operand(machine, c) && push_operand(machine, b);
	default:
		*is_known = false;
		return false;
	}
}

/*
 * Handle DW_OP_implicit_pointer (2.6.1.1.4): the compiler removed the pointer, because its pointee is no longer in
 * memory. Another DIE describes the pointee.
 */
static bool implicit_pointer(struct machine *machine, const Dwarf_Op *operation)
{
	struct location_context context = *machine->context;
	struct variable *pointee = variable_new(context.debuginfo);
	Dwarf_Die die;

	if (machine->nested || machine->branches || machine->depth || machine->pieces || machine->pointee ||
	    context.pointers >= MOST_POINTERS || !machine->attribute)
		return machine_fail(machine,
				    _("it is a pointer that was optimized out, and its location is too complicated"));
	if (dwarf_getlocation_die(machine->attribute, operation, &die) != 0)
		return machine_fail(machine, _("its location is malformed"));
	context.pointers++;
	pointee->name = dwarf_diename(&die) ?: "";
	pointee->type = type_of(context.debuginfo, &die);
	location_of(&context, &die, pointee);
	machine->pointee = pointee;
	machine->pointee_offset = (int64_t)operation->number2;
	return true;
}

/* Handle DW_OP_GNU_parameter_ref: the argument for a parameter that the compiler removed. */
static bool push_removed_parameter(struct machine *machine, const Dwarf_Op *operation)
{
	struct value *value = NULL;
	const char *problem;
	Dwarf_Die parameter;

	if (dwarf_getlocation_die(machine->attribute, operation, &parameter) != 0)
		return machine_fail(machine, _("its location is malformed"));
	problem = value_by_caller(machine->context, &parameter, &value);
	return problem ? machine_fail(machine, problem) : machine_push(machine, value);
}

static bool refuse(struct machine *machine, unsigned int atom)
{
	switch (atom) {
	case DW_OP_GNU_variable_value:
		return machine_fail(machine, _("it depends on the value of another variable"));
	default:
		return machine_fail(machine, _("its location uses a DWARF operation that Spile does not know"));
	}
}

/* Push a register plus an offset. Unoptimized code counts from registers that the prologue sets. */
static bool push_based(struct machine *machine, uint64_t number, int64_t offset)
{
	const struct abi *abi = debuginfo_abi(machine->context->debuginfo);
	uint64_t distance, origin;

	if (!machine->is_for_function || machine->nested)
		return push_register(machine, number, offset);
	if (prologue_frame_base(machine->context, number, &distance) == BASE_IS_SET && number != abi->stack_pointer &&
	    !prologue_keeps(machine->context, number)) {
		if (prologue_origin(machine->context, number, &origin))
			return push_register(machine, origin, offset);
		return machine_fail(machine, _("the stack frame of its function is not set up here"));
	}
	return push_register_base(machine, number, offset);
}

static bool step_numbers(struct machine *machine, const Dwarf_Op *operation, bool *is_known)
{
	unsigned int atom = operation->atom;

	*is_known = true;
	if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
		return push_constant(machine, atom - DW_OP_lit0);
	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
		return push_based(machine, atom - DW_OP_breg0, (int64_t)operation->number);
	if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) {
		machine->is_register = true;
		return push_register(machine, atom - DW_OP_reg0, 0);
	}
	switch (atom) {
	case DW_OP_const1u:
	case DW_OP_const2u:
	case DW_OP_const4u:
	case DW_OP_const8u:
	case DW_OP_constu:
	case DW_OP_const1s: /* libdw has sign-extended it */
	case DW_OP_const2s:
	case DW_OP_const4s:
	case DW_OP_const8s:
	case DW_OP_consts:
		return push_constant(machine, operation->number);
	case DW_OP_regx:
		machine->is_register = true;
		return push_register(machine, operation->number, 0);
	case DW_OP_bregx:
		return push_based(machine, operation->number, (int64_t)operation->number2);
	default:
		*is_known = false;
		return false;
	}
}

static bool step(struct machine *machine, const Dwarf_Op *operation)
{
	struct operand_type type = {0, false};
	bool is_known, is_done;
	struct value *value;

	is_done = step_numbers(machine, operation, &is_known);
	if (!is_known)
		is_done = arithmetic(machine, operation->atom, &is_known);
	if (!is_known)
		is_done = step_stack_op(machine, operation, &is_known);
	if (is_known)
		return is_done;
	switch (operation->atom) {
	case DW_OP_nop:
		return true;
	case DW_OP_addr:
		return push_address(machine, operation->number);
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index: {
		Dwarf_Attribute result;
		Dwarf_Addr found;

		if (dwarf_getlocation_attr(machine->attribute, operation, &result) != 0 ||
		    dwarf_formaddr(&result, &found) != 0)
			return machine_fail(machine, _("its location is malformed"));
		return push_address(machine, found);
	}
	case DW_OP_constx: /* such as the offset of a thread-local variable, with split DWARF */
	case DW_OP_GNU_const_index: {
		Dwarf_Attribute result;
		Dwarf_Word number;

		if (dwarf_getlocation_attr(machine->attribute, operation, &result) != 0 ||
		    dwarf_formudata(&result, &number) != 0)
			return machine_fail(machine, _("its location is malformed"));
		return push_constant(machine, number);
	}
	case DW_OP_fbreg:
		return push_frame_base(machine, (int64_t)operation->number);
	case DW_OP_call_frame_cfa:
		return push_frame_address(machine);
	case DW_OP_form_tls_address:
	case DW_OP_GNU_push_tls_address:
		return thread_address(machine);
	case DW_OP_plus_uconst:
		value = machine_take(machine);
		return value && machine_push(machine, value_binary(machine->arena, VALUE_ADD, value,
								   value_new(machine->arena, VALUE_CONSTANT,
									     operation->number)));
	case DW_OP_abs:
		return absolute(machine);
	case DW_OP_deref:
		return load(machine, debuginfo_abi(machine->context->debuginfo)->word, type);
	case DW_OP_deref_size:
		return load(machine, operation->number, type);
	case DW_OP_deref_type:
	case DW_OP_GNU_deref_type:
		return named_type(machine, operation, &type) && load(machine, operation->number, type);
	case DW_OP_const_type:
	case DW_OP_GNU_const_type:
		return typed_constant(machine, operation);
	case DW_OP_regval_type:
	case DW_OP_GNU_regval_type:
		return typed_register(machine, operation);
	case DW_OP_convert:
	case DW_OP_GNU_convert:
	case DW_OP_reinterpret:
	case DW_OP_GNU_reinterpret:
		return convert(machine, operation);
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		return push_entry_value(machine, operation);
	case DW_OP_stack_value:
		machine->is_value = true;
		return true;
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer:
		return implicit_pointer(machine, operation);
	case DW_OP_implicit_value:
		return implicit_value(machine, operation);
	case DW_OP_GNU_parameter_ref:
		return push_removed_parameter(machine, operation);
	case DW_OP_GNU_uninit:
		return true;
	case DW_OP_piece:
		return machine_piece(machine, operation->number);
	case DW_OP_bit_piece:
		return machine_bit_piece(machine, operation->number, operation->number2);
	default:
		return refuse(machine, operation->atom);
	}
}

/* Find the operation to which a branch leads; `count` is the end. Return false if the target is between operations. */
static bool find_target(const Dwarf_Op *operations, size_t count, size_t branch, size_t *ret)
{
	Dwarf_Word target = operations[branch].offset + 3 + (Dwarf_Word)(int16_t)operations[branch].number;

	for (*ret = 0; *ret < count; ++*ret)
		if (operations[*ret].offset >= target)
			return operations[*ret].offset == target;
	/* The length of the last operation is not known; every target after its start is taken as the end. */
	return target > operations[count - 1].offset;
}

/* Return the end of the expression for the current piece. */
static size_t end_of_expression(const Dwarf_Op *operations, size_t count, size_t from)
{
	while (from < count && operations[from].atom != DW_OP_piece && operations[from].atom != DW_OP_bit_piece)
		from++;
	return from;
}

static bool run_from(struct machine *machine, const Dwarf_Op *operations, size_t count, size_t from);

/*
 * Handle DW_OP_bra (2.5.1.5). If the condition is a constant, continue on one side. Otherwise run both sides to the end
 * of the expression and make a choice of the results. *next is the operation to run next.
 */
static bool branch(struct machine *machine, const Dwarf_Op *operations, size_t count, size_t at, size_t *next)
{
	size_t end = end_of_expression(operations, count, at), target;
	struct value *condition = machine_take(machine), *choice;
	struct machine other;

	if (!condition)
		return false;
	if (!find_target(operations, count, at, &target) || target > end)
		return machine_fail(machine, _("its location is too complicated"));
	if (condition->kind == VALUE_CONSTANT) {
		*next = condition->constant ? target : at + 1;
		return true;
	}
	if (machine->branches >= MOST_BRANCHES || target <= at)
		return machine_fail(machine, _("its location is too complicated"));
	machine->branches++;
	other = *machine;
	if (!run_from(&other, operations, end, target))
		return machine_fail(machine, other.problem);
	machine->steps = other.steps;
	if (!run_from(machine, operations, end, at + 1))
		return false;
	if (machine->depth < 1 || other.depth < 1 || machine->is_value != other.is_value || machine->is_register ||
	    other.is_register)
		return machine_fail(machine, _("its location is malformed"));
	choice = value_new(machine->arena, VALUE_SELECT, 0);
	choice->condition = condition;
	choice->left = other.stack[other.depth - 1].value;
	choice->right = machine->stack[machine->depth - 1].value;
	machine->stack[machine->depth - 1].value = choice;
	machine->branches--;
	*next = end;
	return true;
}

static bool run_from(struct machine *machine, const Dwarf_Op *operations, size_t count, size_t from)
{
	for (size_t next = from + 1, i = from; i < count; i = next, next = i + 1) {
		if (++machine->steps > MOST_STEPS)
			return machine_fail(machine, _("its location is too complicated"));
		if (operations[i].atom == DW_OP_bra) {
			if (!branch(machine, operations, count, i, &next))
				return false;
		} else if (operations[i].atom == DW_OP_skip) {
			if (!find_target(operations, count, i, &next))
				return machine_fail(machine, _("its location is too complicated"));
		} else if (!step(machine, &operations[i])) {
			return machine_fail(machine, _("its location is malformed"));
		}
	}
	return true;
}

bool machine_run(struct machine *machine, const Dwarf_Op *operations, size_t count)
{
	return run_from(machine, operations, count, 0);
}
