// SPDX-License-Identifier: GPL-2.0-or-later
/* Locating arguments and results by the calling convention: a type is split into its scalars, and abi/ places them. */
#include "translator/debuginfo/location/location.h"
#include "translator/debuginfo/location/values.h"
#include "translator/debuginfo/types/types.h"

#include "common/base/i18n.h"

#define MOST_FIELDS 64 /* more than fit into registers */
#define MOST_LEVELS 12 /* of structures in structures */

static struct error *add_fields(struct type *type, uint64_t offset, GArray *fields);

static struct error *add_elements(struct type *type, uint64_t offset, GArray *fields)
{
	struct error *error = NULL;

	for (uint64_t i = 0; i < type->count && fields->len < MOST_FIELDS && !error; i++)
		error = add_fields(type->target, offset + i * type->target->size, fields);
	return error;
}

/* Add the first and the last byte of a bit-field, which, unlike other members, need not be aligned. */
static void add_bits(const struct member *member, uint64_t offset, GArray *fields)
{
	unsigned int word = debuginfo_abi(member->type->debuginfo)->word;
	struct abi_field first = {offset + (uint64_t)member->bit_offset / 8, 1, ABI_INTEGER};
	struct abi_field last = {offset + (uint64_t)(member->bit_offset + member->bit_size - 1) / 8, 1, ABI_INTEGER};

	g_array_append_val(fields, first);
	if (last.offset / word != first.offset / word)
		g_array_append_val(fields, last);
}

static struct error *add_members(struct type *type, uint64_t offset, GArray *fields)
{
	const GPtrArray *members = NULL;
	struct error *error = type->debuginfo->source->reader->members(type, &members);

	for (guint i = 0; !error && i < members->len && fields->len < MOST_FIELDS; i++) {
		const struct member *member = g_ptr_array_index(members, i);

		if (member->is_bit_field)
			add_bits(member, offset + member->offset, fields);
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
		if (!type->is_vector)
			return add_elements(type, offset, fields);
		field.scalar = ABI_VECTOR;
		break;
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

typedef bool part_test(const struct type *part, uint64_t size);

/* Does a type, or a part of its values, pass a test? The test also gets the size of the whole. */
static bool has_part(struct type *type, part_test *test, uint64_t size, int level)
{
	const GPtrArray *members = NULL;

	if (test(type, size))
		return true;
	if (level == MOST_LEVELS || (type->kind != KIND_STRUCT && type->kind != KIND_UNION && type->kind != KIND_ARRAY))
		return false;
	if (type->kind == KIND_ARRAY)
		return has_part(type->target, test, size, level + 1);
	error_free(type->debuginfo->source->reader->members(type, &members));
	for_each_ptr(const struct member *, member, members)
		if (has_part(member->type, test, size, level + 1))
			return true;
	return false;
}

static bool is_whole_vector(const struct type *part, uint64_t size)
{
	return part->kind == KIND_ARRAY && part->is_vector && part->size == size;
}

/*
 * Does a vector have registers of its own? Those of more than 16 bytes do, also as the only member of a structure, and
 * all vectors of 32-bit programs.
 */
static bool is_in_other_register(const struct debuginfo *debuginfo, struct type *type)
{
	if (type->kind == KIND_ARRAY && type->is_vector)
		return type->size > 16 || debuginfo_abi(debuginfo)->word == 4;
	return type->size > 16 && debuginfo_abi(debuginfo)->word == 8 && has_part(type, is_whole_vector, type->size, 0);
}

static struct value *on_stack(struct debuginfo *debuginfo, uint64_t offset)
{
	return value_binary(debuginfo->arena, VALUE_ADD,
			    value_of_register(debuginfo, debuginfo_abi(debuginfo)->stack_pointer),
			    value_new(debuginfo->arena, VALUE_CONSTANT, offset));
}

/* Return the value that a register had at the function's entry. */
static struct value *at_entry(struct debuginfo *debuginfo, unsigned int number)
{
	struct value *value = value_new(debuginfo->arena, VALUE_AT_ENTRY, 0);

	value->left = value_of_register(debuginfo, number);
	return value;
}

/* Return the address of an argument or a result in memory. */
static struct value *address_in_memory(struct debuginfo *debuginfo, const struct abi_place *place, bool is_argument)
{
	if (place->where == ABI_MEMORY && is_argument)
		return on_stack(debuginfo, place->stack_offset);
	return place->is_at_entry ? at_entry(debuginfo, place->registers[0])
				  : value_of_register(debuginfo, place->registers[0]);
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
	if (is_in_other_register(debuginfo, variable->type)) {
		location_of_place(debuginfo, &(struct abi_place){ABI_FLOAT_REGISTERS}, variable);
		return NULL;
	}
	if (used)
		abi->place_argument(used, &value, &place);
	else if (variable->type->is_by_reference)
		abi->place_result(&(struct abi_value){.size = UINT64_MAX, .is_aggregate = true}, &place);
	else
		abi->place_result(&value, &place);
	location_of_place(debuginfo, &place, variable);
	/*
	 * Larger arguments may be aligned, which their types do not show reliably. The places of later arguments are
	 * unknown then, too.
	 */
	if (used && place.where == ABI_MEMORY) {
		used->is_unknown |= value.size > abi->word && place.stack_offset % (2 * abi->word) == 0;
		if (used->is_unknown) {
			variable->location = LOCATION_UNSUPPORTED;
			variable->reason = _("it depends on how the caller aligned an argument on the stack");
			return NULL;
		}
	}
	if (place.where == ABI_MEMORY || place.where == ABI_REFERENCE)
		variable->value = address_in_memory(debuginfo, &place, used);
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
 * Does each field begin at a word of the value, and have fields at the same word the same size? Then each word is a
 * scalar, which C passes in a register of its own, too.
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

/* Rust's compilers return a value that contains an array as plain bytes. */
static bool is_array(const struct type *part, uint64_t size)
{
	return part->kind == KIND_ARRAY;
}

/*
 * May a part of a value be a structure with repr(C) that has a single scalar? Rust's compilers return such a value as
 * plain bytes, but the DWARF does not show repr(C). Tuples cannot have it. The variants of an enum are structures, too,
 * with the size of the whole enum.
 */
static bool may_be_c_structure(const struct type *part, uint64_t size)
{
	const struct type *only = NULL;
	const GPtrArray *members = NULL;
	unsigned int count = 0;

	if ((part->kind != KIND_STRUCT && part->kind != KIND_UNION) || part->size >= size ||
	    (part->name && *part->name == '('))
		return false;
	error_free(part->debuginfo->source->reader->members((struct type *)part, &members));
	for_each_ptr(const struct member *, member, members) {
		count += member->type->size > 0;
		only = member->type->size ? member->type : only;
	}
	return count == 1 && only->kind != KIND_STRUCT && only->kind != KIND_UNION;
}

/*
 * Correct the location by the convention of C where that of Rust differs. Rust's is not specified. In all versions of
 * its compilers, two fields are returned in two registers, however small they are; a value of up to a word is returned
 * in one register, and a value of more than two words in memory of the caller. Other values are refused, and enums that
 * are not a tag and one field.
 */
static struct error *correct_rust_result(struct debuginfo *debuginfo, struct variable *variable)
{
	g_autoptr(GArray) fields = g_array_new(FALSE, FALSE, sizeof(struct abi_field));
	unsigned int word = debuginfo_abi(debuginfo)->word;
	struct abi_value value;
	struct error *error = take_apart(variable->type, fields, &value);
	bool is_pair, is_bytes, may_be_bytes;

	if (error || !value.is_aggregate || value.size > 2UL * word || !debuginfo_abi(debuginfo)->result_registers)
		return error;
	g_array_sort(fields, compare_fields);
	is_bytes = has_part(variable->type, is_array, value.size, 0);
	may_be_bytes = is_bytes || has_part(variable->type, may_be_c_structure, value.size, 0);
	is_pair = fields->len == 2 && variable->type->kind == KIND_STRUCT && !have_variants(fields) && !is_bytes &&
		  g_array_index(fields, struct abi_field, 0).size <= word &&
		  g_array_index(fields, struct abi_field, 1).size <= word;
	if (is_pair && !may_be_bytes)
		place_pair(debuginfo, fields, variable);
	else if (is_pair || (value.size > word && (may_be_bytes || (fields->len > 2 && !have_variants(fields)))) ||
		 (fields->len > 1 && (have_variants(fields) || value.size > word) && !are_words(fields, word)))
		refuse(variable, _("it is not known how Rust returns a value of this type"));
	return NULL;
}

/* Functions with C's convention have mostly no mangled name, since they are called from C. */
bool location_is_of_rust(Dwarf_Die *function)
{
	Dwarf_Attribute attribute;
	Dwarf_Die unit;

	return dwarf_diecu(function, &unit, NULL, NULL) && dwarf_srclang(&unit) == DW_LANG_Rust &&
	       dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute);
}

/* Does the place of an argument differ from the convention? */
static bool is_elsewhere(const struct variable *variable, const struct variable *expected)
{
	const struct value *place, *wanted;

	if (expected->location == LOCATION_MEMORY || variable->location == LOCATION_MEMORY)
		return variable->location == LOCATION_VALUE || expected->location == LOCATION_VALUE;
	if (variable->location != LOCATION_VALUE || expected->location != LOCATION_VALUE)
		return false;
	place = value_unconverted(variable->value);
	wanted = value_unconverted(expected->value);
	return place->kind == VALUE_REGISTER && wanted->kind == VALUE_REGISTER && place->constant != wanted->constant;
}

/*
 * Do the places of the arguments belong to another convention? In DWARF, gcc marks neither functions with the
 * convention of Windows (ms_abi) nor the parameters that it has removed.
 */
static bool arguments_differ(const struct function *function, struct abi_arguments *used)
{
	g_autoptr(GPtrArray) parameters = g_ptr_array_new();

	error_free(debuginfo_variables(function, function->entry.value, true, false, parameters));
	for_each_ptr(const struct variable *, parameter, parameters) {
		struct variable expected = {.type = parameter->type};

		if (!parameter->type)
			return false;
		error_free(location_by_convention(function->debuginfo, used, &expected));
		if (is_elsewhere(parameter, &expected))
			return true;
	}
	return false;
}

/* Does the function save registers that only the convention of Windows preserves? */
static bool saves_as_on_windows(struct debuginfo *debuginfo, Dwarf_Die *function)
{
	const struct abi *abi = debuginfo_abi(debuginfo);
	Dwarf_Addr start, end;

	return dwarf_lowpc(function, &start) == 0 && dwarf_highpc(function, &end) == 0 &&
	       (frame_saves(debuginfo, start, end, abi->argument_registers[0]) ||
		frame_saves(debuginfo, start, end, abi->argument_registers[1]));
}

static bool is_variadic(Dwarf_Die *function)
{
	Dwarf_Die child;

	if (dwarf_child(function, &child) != 0)
		return false;
	do {
		if (dwarf_tag(&child) == DW_TAG_unspecified_parameters)
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

/*
 * Does the function read the register in which the convention of Windows passes the address of a result, although its
 * parameters do not reach that far? This is the only sign in functions without parameters.
 */
static bool takes_address_as_on_windows(struct debuginfo *debuginfo, Dwarf_Die *function,
					const struct abi_arguments *used)
{
	enum { PRECEDING = 3 };
	const struct abi *abi = debuginfo_abi(debuginfo);

	return used->registers <= PRECEDING && !is_variadic(function) &&
	       prologue_reads(debuginfo, function, abi->argument_registers[PRECEDING]);
}

/*
 * Is the result a structure of up to a word in a vector register, which the function never writes? The convention of
 * Windows returns it in a general register. Integer arguments would show which convention it is.
 */
static bool leaves_vector_unset(struct debuginfo *debuginfo, Dwarf_Die *function, const struct abi_arguments *used,
				const struct variable *variable)
{
	const struct abi *abi = debuginfo_abi(debuginfo);
	const struct value *place = variable->location == LOCATION_VALUE ? value_unconverted(variable->value) : NULL;

	return place && place->kind == VALUE_REGISTER && place->constant == abi->first_vector && !used->registers &&
	       variable->type->size <= abi->word && !prologue_may_write(debuginfo, function, abi->first_vector);
}

/*
 * Refuse a result whose place is another one in the convention of Windows: everything but scalars of up to a word. Both
 * conventions return the address of a result in memory in the same register.
 */
static void refuse_other_convention(const struct function *function, Dwarf_Die *die, struct variable *variable)
{
	const struct abi *abi = debuginfo_abi(function->debuginfo);
	enum type_kind kind = variable->type->kind;
	struct abi_arguments used = {0};

	if (abi->kernel_numbers || (variable->location != LOCATION_VALUE && variable->location != LOCATION_PIECES) ||
	    (kind != KIND_STRUCT && kind != KIND_UNION && kind != KIND_ARRAY && variable->type->size <= abi->word))
		return;
	if (saves_as_on_windows(function->debuginfo, die) || arguments_differ(function, &used) ||
	    takes_address_as_on_windows(function->debuginfo, die, &used) ||
	    leaves_vector_unset(function->debuginfo, die, &used, variable))
		refuse(variable, _("the function does not use the usual calling convention"));
}

/* Does the convention of the object apply to the function? Set a problem and return false otherwise. */
static bool has_usual_convention(Dwarf_Die *function, struct variable *variable)
{
	Dwarf_Attribute attribute;
	Dwarf_Word convention;

	if (!dwarf_attr_integrate(function, DW_AT_calling_convention, &attribute) ||
	    dwarf_formudata(&attribute, &convention) != 0 || convention == DW_CC_normal)
		return true;
	/*
	 * The conventions of other systems differ only for structures. DW_CC_nocall marks functions whose convention
	 * the compiler changed.
	 */
	if (convention != DW_CC_nocall && variable->location == LOCATION_VALUE)
		return true;
	refuse(variable, _("the function does not use the usual calling convention"));
	return false;
}

/*
 * The caller passes the address of a result in memory, and the convention has it in a register at the return, too. LLVM
 * leaves that out in functions that only their unit calls, so take the address that the caller has passed.
 */
static void correct_local_result(struct debuginfo *debuginfo, Dwarf_Die *function, struct variable *variable)
{
	const struct abi *abi = debuginfo_abi(debuginfo);
	Dwarf_Attribute attribute;

	if (variable->location != LOCATION_MEMORY || location_is_of_gcc(function) ||
	    dwarf_attr_integrate(function, DW_AT_external, &attribute))
		return;
	if (abi->kernel_numbers) {
		refuse(variable, _("the compiler need not leave its address in a register"));
		return;
	}
	variable->value = at_entry(debuginfo, abi->result_address);
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
	    dwarf_die_at(debuginfo, GPOINTER_TO_SIZE(function->die), &die) && has_usual_convention(&die, variable)) {
		error = location_is_of_rust(&die) ? correct_rust_result(debuginfo, variable) : NULL;
		correct_local_result(debuginfo, &die, variable);
		if (!location_is_of_rust(&die))
			refuse_other_convention(function, &die, variable);
	}
	if (!error)
		*ret = variable;
	return error;
}
