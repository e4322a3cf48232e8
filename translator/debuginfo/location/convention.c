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
	/* Larger arguments may be aligned, which types do not tell reliably; those after them are then unknown, too. */
	if (used && place.where == ABI_MEMORY) {
		used->is_unknown |= value.size > abi->word && place.stack_offset % (2 * abi->word) == 0;
		if (used->is_unknown) {
			variable->location = LOCATION_UNSUPPORTED;
			variable->reason = _("it depends on how the caller aligned an argument on the stack");
			return NULL;
		}
	}
	if (place.where == ABI_MEMORY)
		variable->value = used ? on_stack(debuginfo, place.stack_offset)
				       : value_of_register(debuginfo, place.registers[0]);
	if (variable->type->kind == KIND_FLOAT)
		variable->reason = _("it is a floating-point number");
	return NULL;
}

/* ---- results ---- */

static void refuse(struct variable *variable, const char *reason)
{
	variable->location = LOCATION_UNSUPPORTED;
	variable->reason = reason;
}

static gint compare_fields(gconstpointer a, gconstpointer b)
{
	const struct abi_field *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Do fields overlap, as those of the variants of an enum do? */
static bool have_variants(const GArray *fields)
{
	for (guint i = 1; i < fields->len; i++) {
		const struct abi_field *before = &g_array_index(fields, struct abi_field, i - 1);

		if (before->offset + before->size > g_array_index(fields, struct abi_field, i).offset)
			return true;
	}
	return false;
}

/* Place two fields in two registers: integers in %rax and %rdx, floating-point numbers in %xmm0 and %xmm1. */
static void place_pair(struct debuginfo *debuginfo, const GArray *fields, struct variable *variable)
{
	const struct abi *abi = debuginfo_abi(debuginfo);
	unsigned int used = 0, vectors = 0;
	GPtrArray *pieces = NULL;
	uint64_t end = 0;

	for (guint i = 0; i < fields->len; i++) {
		const struct abi_field *field = &g_array_index(fields, struct abi_field, i);
		bool is_vector = field->scalar == ABI_FLOAT;
		unsigned int number = is_vector ? abi->first_vector + vectors++ : abi->result_registers[used++];

		if (field->offset > end)
			pieces_add(debuginfo->arena, &pieces, field->offset - end, LOCATION_OPTIMIZED_OUT, NULL);
		pieces_add(debuginfo->arena, &pieces, field->size, LOCATION_VALUE,
			   value_of_register(debuginfo, number));
		end = field->offset + field->size;
	}
	location_set_pieces(debuginfo->arena, variable, pieces);
}

/*
 * Are all fields at the words of the value, and those at one word of one size? Then each word is a scalar, in a
 * register of its own also in C.
 */
static bool are_words(const GArray *fields, unsigned int word)
{
	for (guint i = 0; i < fields->len; i++) {
		const struct abi_field *field = &g_array_index(fields, struct abi_field, i);
		const struct abi_field *before = i ? field - 1 : field;

		if (field->offset % word || field->size > word ||
		    (field->offset == before->offset && field->size != before->size))
			return false;
	}
	return true;
}

/*
 * Correct the location by the convention of C where that of Rust differs. Rust's is not specified. What its compilers
 * do alike: two fields are returned in two registers, however small they are; a value of up to a word in one; and one
 * of more than two words in memory of the caller. The rest, and enums that are not a tag and one field, are refused.
 */
static struct error *correct_rust_result(struct debuginfo *debuginfo, struct variable *variable)
{
	g_autoptr(GArray) fields = g_array_new(FALSE, FALSE, sizeof(struct abi_field));
	unsigned int word = debuginfo_abi(debuginfo)->word;
	struct abi_value value;
	struct error *error = take_apart(variable->type, fields, &value);
	bool is_pair;

	if (error || !value.is_aggregate || value.size > 2UL * word || !debuginfo_abi(debuginfo)->result_registers)
		return error;
	g_array_sort(fields, compare_fields);
	is_pair = fields->len == 2 && variable->type->kind == KIND_STRUCT && !have_variants(fields);
	if (is_pair && g_array_index(fields, struct abi_field, 0).size <= word &&
	    g_array_index(fields, struct abi_field, 1).size <= word)
		place_pair(debuginfo, fields, variable);
	else if (fields->len > 1 && (have_variants(fields) || value.size > word) && !are_words(fields, word))
		refuse(variable, _("it is not known how Rust returns a value of this type"));
	else if (fields->len > 2 && value.size > word && !have_variants(fields))
		refuse(variable, _("it is not known how Rust returns a value of this type"));
	return NULL;
}

/*
 * Is it a function of Rust's own convention? Those with C's have mostly no mangled name, since they are called from C.
 */
static bool is_rust(Dwarf_Die *function)
{
	Dwarf_Attribute attribute;
	Dwarf_Die unit;

	return dwarf_diecu(function, &unit, NULL, NULL) && dwarf_srclang(&unit) == DW_LANG_Rust &&
	       dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute);
}

/* Does the convention of the object apply to the function? Set a problem and return false otherwise. */
static bool has_usual_convention(Dwarf_Die *function, struct variable *variable)
{
	Dwarf_Attribute attribute;
	Dwarf_Word convention;

	if (!dwarf_attr_integrate(function, DW_AT_calling_convention, &attribute) ||
	    dwarf_formudata(&attribute, &convention) != 0 || convention == DW_CC_normal)
		return true;
	/* Conventions of other systems differ only in structures; DW_CC_nocall is for what the compiler changed. */
	if (convention != DW_CC_nocall && variable->location == LOCATION_VALUE)
		return true;
	refuse(variable, _("the function does not use the usual calling convention"));
	return false;
}

struct error *debuginfo_return_value(const struct function *function, const struct variable **ret)
{
	struct debuginfo *debuginfo = function->debuginfo;
	struct variable *variable;
	struct type *type;
	Dwarf_Die die;
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
	if (!error && debuginfo->dwarf && debuginfo->source->reader->is_dwarf &&
	    dwarf_die_at(debuginfo, GPOINTER_TO_SIZE(function->die), &die) && has_usual_convention(&die, variable) &&
	    is_rust(&die))
		error = correct_rust_result(debuginfo, variable);
	if (!error)
		*ret = variable;
	return error;
}
