// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lowering of "->member" and "[index]". Each step of the chain extends the expression. An intermediate value (struct
 * typed_value) is in memory (kernel's or user's), in a value, or in parts that are either.
 */
#include "translator/lowering/target.h"

#include <inttypes.h>

#include "common/base/i18n.h"
#include "translator/sema/builder.h"

static struct expr *load_value(struct arena *arena, enum memory_space memory, struct expr *address, int size,
			       bool is_signed)
{
	struct expr *load = build_load(arena, address, size, is_signed);

	load->user_space = memory == MEMORY_USER;
	return load;
}

struct expr *read_scalar(struct arena *arena, const struct typed_value *value)
{
	const struct type *type = value->type;
	int size = type->size;

	if (!value->address && !value->value)
		return NULL;
	switch (type->kind) {
	case KIND_ARRAY:
		return value->address;
	case KIND_FUNCTION:
		return value->address ?: value->value;
	case KIND_INTEGER:
	case KIND_ENUM:
	case KIND_POINTER:
		if (size != 1 && size != 2 && size != 4 && size != 8)
			return NULL;
		if (value->address)
			return load_value(arena, value->memory, value->address, size, type->is_signed);
		return size == 8 ? value->value : build_convert(arena, value->value, size, type->is_signed);
	default:
		return NULL;
	}
}

/* Return whether a part has lost any of the wanted @bits; bit 0 is at byte @inside of the part. */
static bool has_lost(const struct value_part *part, uint64_t inside, uint64_t size, uint64_t bits)
{
	if (size < sizeof(bits))
		bits &= (1ULL << size * 8) - 1;
	return part->lost_bits && inside < sizeof(bits) && part->lost_bits >> inside * 8 & bits;
}

/* Read @size bytes at @inside of a part as a number. Return NULL if the part is too large or of odd size. */
static struct expr *read_part(struct arena *arena, const struct value_part *part, enum memory_space memory,
			      uint64_t inside, uint64_t size)
{
	const struct location *at = part->address ? &part->address->location : &part->value->location;
	struct expr *content;

	if (part->size > sizeof(int64_t) || (part->address && part->size & (part->size - 1)))
		return NULL;
	content = part->address ? load_value(arena, memory, expr_copy(arena, part->address), (int)part->size, false)
				: expr_copy(arena, part->value);
	if (inside)
		content = build_binary(arena, OP_SHIFT_RIGHT_LOGICAL, content,
				       build_number(arena, at, (int64_t)inside * 8));
	if (size < sizeof(int64_t))
		content = build_binary(arena, OP_AND, content,
				       build_number(arena, at, (int64_t)((1ULL << size * 8) - 1)));
	return content;
}

/* Join a scalar that is spread over adjacent parts. Return NULL if bytes are missing or a part has lost bits. */
static struct expr *join_parts(struct arena *arena, const struct typed_value *value, uint64_t size)
{
	struct expr *joined = NULL;
	uint64_t done = 0;

	for_each_ptr(const struct value_part *, part, value->parts) {
		uint64_t inside = value->offset + done - part->offset, taken = MIN(part->size - inside, size - done);
		struct expr *content;

		if (done == size || value->offset + done < part->offset || inside >= part->size)
			continue;
		content = (part->address || part->value) && !part->lost_bits
				  ? read_part(arena, part, value->memory, inside, taken)
				  : NULL;
		if (!content)
			return NULL;
		if (done)
			content = build_binary(arena, OP_SHIFT_LEFT, content,
					       build_number(arena, &content->location, (int64_t)done * 8));
		joined = joined ? build_binary(arena, OP_OR, joined, content) : content;
		done += taken;
	}
	return done == size ? joined : NULL;
}

void settle_value(struct arena *arena, struct typed_value *value, uint64_t size, uint64_t bits)
{
	struct expr *joined;

	for_each_ptr(const struct value_part *, part, value->parts) {
		uint64_t inside = value->offset - part->offset;
		const struct location *at;

		if (value->offset < part->offset || inside > part->size || size > part->size - inside ||
		    (!part->address && !part->value) || has_lost(part, inside, size, bits))
			continue;
		at = part->address ? &part->address->location : &part->value->location;
		if (part->address)
			value->address = build_binary(arena, OP_ADD, expr_copy(arena, part->address),
						      build_number(arena, at, (int64_t)inside));
		else if (inside)
			value->value = build_binary(arena, OP_SHIFT_RIGHT_LOGICAL, expr_copy(arena, part->value),
						    build_number(arena, at, (int64_t)inside * 8));
		else
			value->value = expr_copy(arena, part->value);
		value->parts = NULL;
		return;
	}
	joined = size && size <= sizeof(int64_t) ? join_parts(arena, value, size) : NULL;
	if (!joined)
		return;
	value->value = joined;
	value->parts = NULL;
}

/* Return what is @p offset bytes into a value, as a value of @p size bytes whose @p bits are needed. */
static struct typed_value inner_value(struct arena *arena, const struct typed_value *outer, uint64_t offset,
				      uint64_t size, uint64_t bits)
{
	struct typed_value inner = {.memory = outer->memory};

	if (outer->address) {
		inner.address = build_binary(arena, OP_ADD, expr_copy(arena, outer->address),
					     build_number(arena, &outer->address->location, (int64_t)offset));
	} else if (outer->value && offset < sizeof(int64_t) && size <= sizeof(int64_t) - offset) {
		inner.value = build_binary(arena, OP_SHIFT_RIGHT_LOGICAL, expr_copy(arena, outer->value),
					   build_number(arena, &outer->value->location, (int64_t)offset * 8));
	} else if (outer->parts) {
		inner.parts = outer->parts;
		inner.offset = outer->offset + offset;
		settle_value(arena, &inner, size, bits);
	}
	return inner;
}

/* Read a storage unit of up to 8 bytes. Return NULL if it is not there. */
static struct expr *read_unit(struct arena *arena, const struct typed_value *outer, uint64_t offset, uint64_t size,
			      uint64_t bits)
{
	struct typed_value unit = inner_value(arena, outer, offset, size, bits);

	return unit.address ? load_value(arena, unit.memory, unit.address, (int)size, false) : unit.value;
}

/* Read a packed bit-field that spans nine bytes: the first eight, and the rest from the last one. */
static struct expr *read_wide_bit_field(struct arena *arena, const struct typed_value *outer,
					const struct member *member)
{
	uint64_t bits = (uint64_t)member->bit_size, shift = (uint64_t)member->bit_offset;
	struct expr *low = read_unit(arena, outer, member->offset, sizeof(int64_t), UINT64_MAX << shift);
	struct expr *high =
		read_unit(arena, outer, member->offset + sizeof(int64_t), 1, (1ULL << (bits + shift - 64)) - 1);
	const struct location *at;

	if (!low || !high)
		return NULL;
	at = &low->location;
	low = build_binary(arena, OP_SHIFT_RIGHT_LOGICAL, low, build_number(arena, at, (int64_t)shift));
	high = build_binary(arena, OP_SHIFT_LEFT, high, build_number(arena, at, (int64_t)(64 - shift)));
	return build_bit_field(arena, build_binary(arena, OP_OR, low, high), 0, member->bit_size,
			       member->type->is_signed);
}

static struct expr *read_bit_field(struct arena *arena, const struct typed_value *outer, const struct member *member)
{
	uint64_t bits = UINT64_MAX >> (64 - member->bit_size) << member->bit_offset;
	struct expr *unit, *field;

	if (member->bit_offset + member->bit_size > 64)
		return read_wide_bit_field(arena, outer, member);
	unit = read_unit(arena, outer, member->offset, (uint64_t)member->storage_size, bits);
	if (!unit)
		return NULL;
	field = build_bit_field(arena, unit, member->bit_offset, member->bit_size, member->type->is_signed);
	/* Only allow writing if the storage unit has the size of an integer; a packed bit-field may have an odd one. */
	if (unit->kind == EXPR_LOAD && field != unit && !(member->storage_size & (member->storage_size - 1))) {
		field->bit_offset = member->bit_offset;
		field->bit_size = member->bit_size;
	}
	return field;
}

struct typed_value member_value(struct arena *arena, const struct typed_value *outer, const struct member *member,
				struct expr **bit_field)
{
	struct typed_value inner = {.memory = outer->memory};

	*bit_field = member->is_bit_field ? read_bit_field(arena, outer, member) : NULL;
	if (!member->is_bit_field)
		inner = inner_value(arena, outer, member->offset, member->type->size, UINT64_MAX);
	inner.type = member->type;
	return inner;
}

struct typed_value element_value(struct arena *arena, const struct typed_value *array, uint64_t index)
{
	struct typed_value element = {.type = array->type->target, .memory = array->memory};
	uint64_t size = element.type->size, offset = index * size;

	if (array->address) {
		element.address = build_binary(arena, OP_ADD, expr_copy(arena, array->address),
					       build_number(arena, &array->address->location, (int64_t)offset));
	} else if (array->parts) {
		element.parts = array->parts;
		element.offset = array->offset + offset;
		settle_value(arena, &element, size, UINT64_MAX);
	} else if (array->value && index < sizeof(int64_t) && offset + size <= sizeof(int64_t)) {
		element.value = build_binary(arena, OP_SHIFT_RIGHT_LOGICAL, expr_copy(arena, array->value),
					     build_number(arena, &array->value->location, (int64_t)offset * 8));
	}
	return element;
}

struct typed_value dereference(struct arena *arena, const struct typed_value *pointer, int64_t index)
{
	/* A pointer points into the memory of the object (kernel or program) that its type comes from. */
	struct typed_value target = {.type = pointer->type->target, .memory = type_memory(pointer->type)};
	int64_t offset = index * (int64_t)target.type->size;

	if (pointer->target && pointer->target->target) { /* a pointer to an optimized-away pointer */
		if (!index && !pointer->target->offset)
			target.target = pointer->target->target;
		return target;
	}
	if (pointer->target) {
		target.parts = pointer->target->parts;
		target.offset = pointer->target->offset + (uint64_t)offset;
		settle_value(arena, &target, target.type->size, UINT64_MAX);
		return target;
	}
	target.address = read_scalar(arena, pointer);
	if (target.address && offset)
		target.address = build_binary(arena, OP_ADD, target.address,
					      build_number(arena, &target.address->location, offset));
	return target;
}

/*
 * Follow "->name", the component at @index, which is moved to the last one that was followed. A bit-field ends the
 * chain: *scalar is then set.
 */
static bool follow_member(struct lowering *l, guint *index, struct typed_value *value, struct expr **scalar)
{
	const struct component *component = g_ptr_array_index(l->target->components, *index);
	struct member member;
	struct error *error;

	/* If the pointer points to another pointer, the member is that of the object at the end of the chain. */
	while (value->type->kind == KIND_POINTER && value->type->target)
		*value = dereference(l->t->arena, value, 0);
	if (value->type->kind != KIND_STRUCT && value->type->kind != KIND_UNION) {
		diagnose(l->t->diagnostics, SEMANTIC_ERROR, &component->location,
			 _("'%s' is not a struct or union; it has no member '%s'"), value->type->spelling,
			 component->name);
		return false;
	}
	error = debuginfo_find_member(value->type, component->name, &member);
	if (error) {
		error_free(error);
		if (follow_renamed_member(l, index, value, scalar))
			return true;
		diagnose_no_member(l, component, value->type);
		return false;
	}
	*value = member_value(l->t->arena, value, &member, scalar);
	return true;
}

static bool follow_index(struct lowering *l, const struct component *component, struct typed_value *value)
{
	struct arena *arena = l->t->arena;
	struct expr *base, *offset;
	struct type *element = value->type->target;

	if (value->type->kind != KIND_POINTER && value->type->kind != KIND_ARRAY) {
		diagnose(l->t->diagnostics, SEMANTIC_ERROR, &component->location,
			 _("'%s' is not a pointer or array; it cannot be indexed"), value->type->spelling);
		return false;
	}
	if (!element || !element->size) {
		diagnose(l->t->diagnostics, SEMANTIC_ERROR, &component->location,
			 _("the size of the elements of '%s' is unknown"), value->type->spelling);
		return false;
	}
	if (value->target && component->index->kind == EXPR_NUMBER) {
		*value = dereference(arena, value, component->index->number);
		return true;
	}
	if (value->type->kind == KIND_ARRAY && !value->address && component->index->kind == EXPR_NUMBER &&
	    component->index->number >= 0 && (uint64_t)component->index->number < value->type->count) {
		*value = element_value(arena, value, (uint64_t)component->index->number);
		return true;
	}
	base = read_scalar(arena, value);
	if (!base) {
		diagnose(l->t->diagnostics, SEMANTIC_ERROR, &component->location,
			 _("the array '%s' is not in memory here"), value->type->spelling);
		if (value->type->kind == KIND_ARRAY && value->type->count)
			diagnose_hint(l->t->diagnostics, _("use a constant index from 0 to %" PRIu64),
				      value->type->count - 1);
		return false;
	}
	offset = build_binary(arena, OP_MULTIPLY, expr_copy(arena, component->index),
			      build_number(arena, &component->location, element->size));
	*value = (struct typed_value){
		.type = element,
		.memory = value->type->kind == KIND_ARRAY ? value->memory : type_memory(value->type),
		.address = build_binary(arena, OP_ADD, base, offset),
	};
	return true;
}

struct type *pointer_type_to(struct arena *arena, struct type *type)
{
	struct type *pointer = arena_new0(arena, struct type);

	pointer->kind = KIND_POINTER;
	pointer->size = debuginfo_abi(type->debuginfo)->word;
	pointer->target = type;
	pointer->spelling = arena_printf(arena, "%s *", type->spelling);
	pointer->debuginfo = type->debuginfo;
	return pointer;
}

/* Report a part of a variable that is optimized out, or whose bytes cannot be joined. */
static void diagnose_lost(struct lowering *l)
{
	diagnose(l->t->diagnostics, SEMANTIC_ERROR, &l->target->location,
		 _("the compiler left no value of '%s' at this place, or spread it over several registers"),
		 target_text(l));
	diagnose_hint(l->t->diagnostics, _("test with @defined(%s), or take other members"), target_text(l));
}

/* Return the bits of a float or double as those of a double; NULL for other types and formats. */
static struct expr *read_float(struct lowering *l, const struct typed_value *value)
{
	struct arena *arena = l->t->arena;
	struct typed_value bits = *value;
	struct type *integer;
	struct expr *raw;

	if (value->type->kind != KIND_FLOAT || value->target || value->type->size > sizeof(double))
		return NULL;
	integer = arena_new0(arena, struct type);
	*integer = *value->type;
	integer->kind = KIND_INTEGER;
	bits.type = integer;
	raw = read_scalar(arena, &bits);
	if (!raw || value->type->size == sizeof(double))
		return raw;
	return build_call(arena, &l->target->location, "fp32_to_fp64", raw);
}

static struct expr *finish_scalar(struct lowering *l, const struct typed_value *value)
{
	struct expr *scalar = read_scalar(l->t->arena, value);

	if (!scalar)
		scalar = read_float(l, value);
	if (scalar) {
		scalar->c_type = value->type;
		return scalar;
	}
	if (value->target) {
		diagnose(l->t->diagnostics, SEMANTIC_ERROR, &l->target->location,
			 _("the pointer '%s' has no value here: the object it points to is not in memory"),
			 target_text(l));
		diagnose_hint(l->t->diagnostics, _("read the object it points to: %s->member, %s[0]"), target_text(l),
			      target_text(l));
		return NULL;
	}
	if (value->type->kind != KIND_STRUCT && value->type->kind != KIND_UNION && !value->address && !value->value) {
		diagnose_lost(l);
	} else if (value->type->kind == KIND_STRUCT || value->type->kind == KIND_UNION) {
		diagnose(l->t->diagnostics, SEMANTIC_ERROR, &l->target->location,
			 _("'%s' is a %s, which has no single value"), target_text(l), value->type->spelling);
		diagnose_hint(l->t->diagnostics, _("take a member with ->, its address with &, or print it with %s$"),
			      target_text(l));
	} else {
		diagnose(l->t->diagnostics, SEMANTIC_ERROR, &l->target->location,
			 _("values of type '%s' are not supported yet"), value->type->spelling);
	}
	return NULL;
}

static struct expr *finish_address(struct lowering *l, const struct typed_value *value)
{
	if (value->address) {
		value->address->c_type = pointer_type_to(l->t->arena, value->type);
		return value->address;
	}
	diagnose(l->t->diagnostics, SEMANTIC_ERROR, &l->target->location,
		 _("'%s' has no address: it is in a register here"), target_text(l));
	return NULL;
}

struct expr *follow_chain(struct lowering *l, struct typed_value value)
{
	const GPtrArray *components = l->target->components; /* or NULL */
	struct expr *scalar = NULL;

	for (guint i = 0; components && i < components->len; i++) {
		const struct component *component = g_ptr_array_index(components, i);

		if (scalar) {
			diagnose(l->t->diagnostics, SEMANTIC_ERROR, &component->location,
				 _("a bit-field has no members or elements"));
			return NULL;
		}
		switch (component->kind) {
		case COMPONENT_MEMBER:
			if (!follow_member(l, &i, &value, &scalar))
				return NULL;
			break;
		case COMPONENT_INDEX:
			if (!follow_index(l, component, &value))
				return NULL;
			break;
		case COMPONENT_PRETTY_PRINT:
			return pretty_print(l->t, &l->target->location, &value, component->depth);
		}
	}
	if (!scalar)
		meaning_note(l->t, &l->target->location, target_text(l), type_meaning(l->t->arena, value.type));
	if (l->target->address_of)
		return scalar ? finish_address(l, &(struct typed_value){0}) : finish_address(l, &value);
	return scalar ?: finish_scalar(l, &value);
}
