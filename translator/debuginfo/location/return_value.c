// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where a function leaves its result (System V ABI for x86-64, section 3.2.3): integers and pointers in rax, structs
 * of up to 8 bytes of integers likewise, larger ones in memory whose address is in rax. The kernel is built without
 * floating point, and a struct of 9 to 16 bytes comes back in two registers, which no single value can say.
 */
#include "translator/debuginfo/location/location.h"

#include "translator/util/i18n.h"

#define RAX 0
#define RDX 1
#define ONE_REGISTER 8
#define TWO_REGISTERS 16

static void place_result(struct debuginfo *debuginfo, struct variable *variable)
{
	const struct type *type = variable->type;
	bool is_aggregate = type->kind == KIND_STRUCT || type->kind == KIND_UNION;

	variable->location = LOCATION_VALUE;
	variable->value = value_new(debuginfo->arena, VALUE_REGISTER, RAX);
	if (is_aggregate && type->size > TWO_REGISTERS) {
		variable->location = LOCATION_MEMORY;
	} else if (type->kind == KIND_FLOAT) {
		variable->location = LOCATION_UNSUPPORTED;
		variable->reason = _("it is a floating-point number");
	} else if (type->size > ONE_REGISTER) {
		location_of_registers(debuginfo, RAX, RDX, variable);
	}
}

struct error *debuginfo_return_value(const struct function *function, const struct variable **ret)
{
	struct debuginfo *debuginfo = function->debuginfo;
	struct variable *variable;
	struct type *type;
	struct error *error = debuginfo_require(debuginfo, KNOWS_TYPES);

	error = error ?: debuginfo->source->reader->result_type(function, &type);
	if (error)
		return error;
	if (type->kind == KIND_VOID)
		return error_new(ERROR_LOOKUP, _("function '%s' returns nothing"), function->name);
	variable = arena_new0(debuginfo->arena, struct variable);
	variable->name = "return";
	variable->type = type;
	place_result(debuginfo, variable);
	*ret = variable;
	return NULL;
}
