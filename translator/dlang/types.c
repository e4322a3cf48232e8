// SPDX-License-Identifier: GPL-2.0-or-later
/* The types of D, as types of debuginfo; see types.h. The sizes are those of 64-bit Linux. */
#include "translator/dlang/types.h"

#include <string.h>

#define INTEGER(text, bytes, sign, ...)                                                                                \
	{                                                                                                              \
		.kind = KIND_INTEGER, .name = text, .spelling = text, .size = bytes, .is_signed = sign, ##__VA_ARGS__  \
	}
#define FLOAT(text, bytes)                                                                                             \
	{                                                                                                              \
		.kind = KIND_FLOAT, .name = text, .spelling = text, .size = bytes, .is_signed = true                   \
	}

static struct type bases[D_BASE_COUNT_] = {
	[D_VOID] = {.kind = KIND_VOID, .name = "void", .spelling = "void"},
	[D_CHAR] = INTEGER("char", 1, true, .is_char = true),
	[D_SCHAR] = INTEGER("signed char", 1, true, .is_char = true),
	[D_UCHAR] = INTEGER("unsigned char", 1, false, .is_char = true),
	[D_SHORT] = INTEGER("short", 2, true),
	[D_USHORT] = INTEGER("unsigned short", 2, false),
	[D_INT] = INTEGER("int", 4, true),
	[D_UINT] = INTEGER("unsigned int", 4, false),
	[D_LONG] = INTEGER("long", 8, true),
	[D_ULONG] = INTEGER("unsigned long", 8, false),
	[D_LLONG] = INTEGER("long long", 8, true),
	[D_ULLONG] = INTEGER("unsigned long long", 8, false),
	[D_FLOAT] = FLOAT("float", 4),
	[D_DOUBLE] = FLOAT("double", 8),
	[D_LDOUBLE] = FLOAT("long double", 16),
	[D_BOOL] = INTEGER("_Bool", 1, false, .is_bool = true),
};

enum { STRING_BYTES = 256 };

static struct type string_type = {
	.kind = KIND_ARRAY,
	.name = "string",
	.spelling = "string",
	.size = STRING_BYTES,
	.count = STRING_BYTES,
	.target = &bases[D_CHAR],
};

static struct type character_pointer = {
	.kind = KIND_POINTER, .spelling = "char *", .size = 8, .target = &bases[D_CHAR]};

static const struct {
	const char *name;
	struct type *type;
} typedefs[] = {
	{"string", &string_type},	  {"int8_t", &bases[D_SCHAR]},	      {"int16_t", &bases[D_SHORT]},
	{"int32_t", &bases[D_INT]},	  {"int64_t", &bases[D_LONG]},	      {"intptr_t", &bases[D_LONG]},
	{"uint8_t", &bases[D_UCHAR]},	  {"uint16_t", &bases[D_USHORT]},     {"uint32_t", &bases[D_UINT]},
	{"uint64_t", &bases[D_ULONG]},	  {"uintptr_t", &bases[D_ULONG]},     {"u_char", &bases[D_UCHAR]},
	{"u_short", &bases[D_USHORT]},	  {"u_int", &bases[D_UINT]},	      {"u_long", &bases[D_ULONG]},
	{"uchar_t", &bases[D_UCHAR]},	  {"ushort_t", &bases[D_USHORT]},     {"uint_t", &bases[D_UINT]},
	{"ulong_t", &bases[D_ULONG]},	  {"u_longlong_t", &bases[D_ULLONG]}, {"longlong_t", &bases[D_LLONG]},
	{"size_t", &bases[D_ULONG]},	  {"ssize_t", &bases[D_LONG]},	      {"off_t", &bases[D_LONG]},
	{"time_t", &bases[D_LONG]},	  {"hrtime_t", &bases[D_LLONG]},      {"pid_t", &bases[D_INT]},
	{"id_t", &bases[D_INT]},	  {"uid_t", &bases[D_UINT]},	      {"gid_t", &bases[D_UINT]},
	{"mode_t", &bases[D_UINT]},	  {"dev_t", &bases[D_UINT]},	      {"zoneid_t", &bases[D_INT]},
	{"processorid_t", &bases[D_INT]}, {"chipid_t", &bases[D_INT]},	      {"lgrp_id_t", &bases[D_INT]},
	{"caddr_t", &character_pointer},  {"ipaddr_t", &bases[D_UINT]},	      {"clock_t", &bases[D_LONG]},
	{"daddr_t", &bases[D_LONG]},	  {"ino_t", &bases[D_ULONG]},	      {"nlink_t", &bases[D_ULONG]},
	{"blkcnt_t", &bases[D_LONG]},	  {"taskid_t", &bases[D_INT]},	      {"projid_t", &bases[D_INT]},
	{"poolid_t", &bases[D_INT]},	  {"ctid_t", &bases[D_INT]},	      {"key_t", &bases[D_INT]},
	{"offset_t", &bases[D_LLONG]},	  {"in_addr_t", &bases[D_UINT]},      {"in_port_t", &bases[D_USHORT]},
	{"boolean_t", &bases[D_INT]},	  {"bool", &bases[D_BOOL]},	      {"__builtin_va_list", &character_pointer},
	{"netstackid_t", &bases[D_UINT]},
};

struct type *d_base_type(enum d_base base)
{
	return &bases[base];
}

struct type *d_string_type(void)
{
	return &string_type;
}

struct type *d_built_in_type(const char *name)
{
	for (int i = 0; i < D_BASE_COUNT_; i++)
		if (!strcmp(bases[i].name, name))
			return &bases[i];
	for (size_t i = 0; i < G_N_ELEMENTS(typedefs); i++)
		if (!strcmp(typedefs[i].name, name))
			return typedefs[i].type;
	return NULL;
}

void d_visit_built_in_types(GHashTable *names)
{
	for (size_t i = 0; i < G_N_ELEMENTS(typedefs); i++)
		g_hash_table_add(names, (void *)typedefs[i].name);
}

struct type *d_pointer_to(struct arena *arena, struct type *target)
{
	struct type *type = arena_new0(arena, struct type);

	type->kind = KIND_POINTER;
	type->size = sizeof(uint64_t);
	type->target = target;
	type->spelling =
		arena_printf(arena, "%s%s*", target->spelling,
			     target->spelling[0] && target->spelling[strlen(target->spelling) - 1] == '*' ? "" : " ");
	type->debuginfo = target->debuginfo;
	return type;
}

struct type *d_array_of(struct arena *arena, struct type *element, uint64_t count)
{
	struct type *type = arena_new0(arena, struct type);

	type->kind = KIND_ARRAY;
	type->count = count;
	type->size = count * element->size;
	type->target = element;
	type->spelling = arena_printf(arena, "%s [%" G_GUINT64_FORMAT "]", element->spelling, count);
	type->debuginfo = element->debuginfo;
	return type;
}

bool d_is_text(const struct type *type)
{
	return d_is_string(type) || (type->kind == KIND_ARRAY && type->target && type->target->is_char);
}

bool d_is_integer(const struct type *type)
{
	return type->kind == KIND_INTEGER || type->kind == KIND_ENUM;
}

bool d_is_struct(const struct type *type)
{
	return type->kind == KIND_STRUCT || type->kind == KIND_UNION;
}

bool d_is_address(const struct type *type)
{
	return type->kind == KIND_POINTER || (type->kind == KIND_ARRAY && !d_is_string(type));
}

struct type *d_promoted(struct type *type)
{
	return d_is_integer(type) && type->size < sizeof(int32_t) ? &bases[D_INT]
	       : type->kind == KIND_ENUM			  ? &bases[D_INT]
								  : type;
}

struct type *d_common_type(const struct type *left, const struct type *right)
{
	uint64_t size = MAX(MAX(left->size, right->size), sizeof(int32_t));
	bool is_unsigned = (left->size == size && !left->is_signed && left->kind != KIND_ENUM) ||
			   (right->size == size && !right->is_signed && right->kind != KIND_ENUM);

	if (size == sizeof(int32_t))
		return is_unsigned ? &bases[D_UINT] : &bases[D_INT];
	return is_unsigned ? &bases[D_ULONG] : &bases[D_LONG];
}

/* ---- layout ------------------------------------------------------------------------------------------------------ */

static uint64_t alignment_of(const struct type *type)
{
	uint64_t most = 1;

	if (type->kind == KIND_ARRAY)
		return alignment_of(type->target);
	if (!d_is_struct(type) || !type->members)
		return CLAMP(type->size, 1, 16);
	for_each_ptr(const struct member *, member, type->members)
		most = MAX(most, alignment_of(member->type));
	return most;
}

bool d_layout_add(struct d_layout *layout, const char *name, struct type *type, unsigned int width)
{
	struct member *member = arena_new0(layout->arena, struct member);
	uint64_t alignment = alignment_of(type), unit = type->size * 8, at = layout->is_union ? 0 : layout->bits;

	member->name = name;
	member->type = type;
	if (width) {
		if (!d_is_integer(type) || width > unit)
			return false;
		/* A bit-field does not cross a boundary of its type. */
		if (at / unit != (at + width - 1) / unit)
			at = (at / unit + 1) * unit;
		member->is_bit_field = true;
		member->bit_size = (int)width;
		member->storage_size = (int)type->size;
		member->offset = at / unit * type->size;
		member->bit_offset = (int)(at % unit);
		at += width;
	} else {
		at = (at + alignment * 8 - 1) / (alignment * 8) * (alignment * 8);
		member->offset = at / 8;
		at += type->size * 8;
	}
	layout->bits = MAX(layout->bits, at);
	layout->alignment = MAX(layout->alignment, alignment);
	g_ptr_array_add(layout->members, member);
	return true;
}

void d_layout_finish(struct d_layout *layout, struct type *type)
{
	uint64_t alignment = MAX(layout->alignment, 1), bytes = (layout->bits + 7) / 8;

	type->members = layout->members;
	type->size = (bytes + alignment - 1) / alignment * alignment;
}
