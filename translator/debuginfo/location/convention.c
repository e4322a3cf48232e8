// SPDX-License-Identifier: GPL-2.0-or-later
/* Locating arguments and results by the calling convention: a type is split into its scalars, and abi/ places them. */
#include "translator/debuginfo/location/location.h"
#include "translator/debuginfo/location/values.h"
#include "translator/debuginfo/types/types.h"

#include "common/base/i18n.h"

#define MOST_FIELDS 64 /* more than fit into registers */

static struct error *add_fields(struct type *type, uint64_t offset, GArray *fields);

static struct error *add_elements(struct type *type, uint64_t offset, GArray *fields)
{
	struct error *error = NULL;

	for (uint64_t i = 0; i < type->count && fields->len < MOST_FIELDS && !error; i++)
		error = add_fields(type->target, offset + i * type->target->size, fields);
	return error;
}

static struct error *add_members(struct type *type, uint64_t offset, GArray *fields)
{
	const GPtrArray *members = NULL;
	struct error *error = type->debuginfo->source->reader->members(type, &members);

	for (guint i = 0; !error && i < members->len && fields->len < MOST_FIELDS; i++) {
		const struct member *member = g_ptr_array_index(members, i);
		struct abi_field bits = {offset + member->offset, (uint64_t)member->storage_size, ABI_INTEGER};

		if (member->is_bit_field)
			g_array_append_val(fields, bits);
		else
			error = add_fields(member->type, offset + member->offset, fields);
	}
	return error;
}

static struct error *add_fields(struct type *type, uint64_t offset, GArray *fields)
{
	struct abi_field field = {offset, type->size, ABI_INTEGER};

	switch (type->kind) {
	case KIND_STRUCT:
	case KIND_UNION:
		return add_members(type, offset, fields);
	case KIND_ARRAY:
		return add_elements(type, offset, fields);
	case KIND_FLOAT:
		field.scalar = type->size > sizeof(double) ? ABI_LONG_DOUBLE : ABI_FLOAT;
		break;
	default:
		break;
	}
	if (field.size)
		g_array_append_val(fields, field);
	return NULL;
}

static struct error *take_apart(struct type *type, GArray *fields, struct abi_value *ret)
{
	struct error *error = NULL;

	if (type->size <= debuginfo_abi(type->debuginfo)->most_register_bytes)
		error = add_fields(type, 0, fields);
	*ret = (struct abi_value){
		.fields = (const struct abi_field *)fields->data,
		.field_count = fields->len,
		.size = type->size,
		.is_aggregate = type->kind == KIND_STRUCT || type->kind == KIND_UNION || type->kind == KIND_ARRAY,
	};
	return error;
}

static struct value *on_stack(struct debuginfo *debuginfo, uint64_t offset)
{
	return value_binary(debuginfo->arena, VALUE_ADD,
			    value_of_register(debuginfo, debuginfo_abi(debuginfo)->stack_pointer),
			    value_new(debuginfo->arena, VALUE_CONSTANT, offset));
}

struct error *location_by_convention(struct debuginfo *debuginfo, struct abi_arguments *used, struct variable *variable)
{
	g_autoptr(GArray) fields = g_array_new(FALSE, FALSE, sizeof(struct abi_field));
	const struct abi *abi = debuginfo_abi(debuginfo);
	struct abi_value value;
	struct abi_place place;
	struct error *error = take_apart(variable->type, fields, &value);

	if (error)
		return error;
	if (used)
		abi->place_argument(used, &value, &place);
	else
		abi->place_result(&value, &place);
	location_of_place(debuginfo, &place, variable);
	if (place.where == ABI_MEMORY)
		variable->value = used ? on_stack(debuginfo, place.stack_offset)
				       : value_of_register(debuginfo, place.registers[0]);
	if (variable->type->kind == KIND_FLOAT)
		variable->reason = _("it is a floating-point number");
	return NULL;
}

struct error *debuginfo_return_value(const struct function *function, const struct variable **ret)
{
	struct debuginfo *debuginfo = function->debuginfo;
	struct variable *variable;
	struct type *type;
	struct error *error = function_require(function, KNOWS_TYPES);

	error = error ?: debuginfo->source->reader->result_type(function, &type);
	if (error)
		return error;
	if (type->kind == KIND_VOID)
		return error_new(ERROR_LOOKUP, _("function '%s' returns nothing"), function->name);
	variable = variable_new(debuginfo);
	variable->name = "return";
	variable->type = type;
	error = location_by_convention(debuginfo, NULL, variable);
	if (!error)
		*ret = variable;
	return error;
}
