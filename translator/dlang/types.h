/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * C types of a D program. All are struct type of debuginfo.h, so lowering/ follows members of the program's own
 * structures as it follows those of the kernel.
 */
#ifndef SPILE_DLANG_TYPES_H
#define SPILE_DLANG_TYPES_H

#include "translator/debuginfo/debuginfo.h"
#include "translator/dlang/tree.h"

enum d_base {
	D_VOID,
	D_CHAR,
	D_SCHAR,
	D_UCHAR,
	D_SHORT,
	D_USHORT,
	D_INT,
	D_UINT,
	D_LONG,
	D_ULONG,
	D_LLONG,
	D_ULLONG,
	D_FLOAT,
	D_DOUBLE,
	D_LDOUBLE,
	D_BOOL,
	D_BASE_COUNT_
};

/** Return a base type. It is static: all programs share it. */
struct type *d_base_type(enum d_base base);
/** Return the type "string". */
struct type *d_string_type(void);
/** Return the base type or built-in typedef ("uint32_t", "string") of a name, or NULL. */
struct type *d_built_in_type(const char *name);
/** Add the names of the built-in typedefs to a set. */
void d_visit_built_in_types(GHashTable *names);

struct type *d_pointer_to(struct arena *arena, struct type *target);
struct type *d_array_of(struct arena *arena, struct type *element, uint64_t count);

static inline bool d_is_string(const struct type *type)
{
	return type == d_string_type();
}

/** Is it a string, or an array of characters? */
bool d_is_text(const struct type *type);
/** Is it an integer or an enum? */
bool d_is_integer(const struct type *type);
bool d_is_struct(const struct type *type);
/** Is it a pointer, or an array, which stands for the pointer to its first element? */
bool d_is_address(const struct type *type);
/** Return the type of an arithmetic result, by C's usual conversions. */
struct type *d_common_type(const struct type *left, const struct type *right);
/** Return the type after the integer promotions. */
struct type *d_promoted(struct type *type);

/* A struct or union under construction. */
struct d_layout {
	struct arena *arena;
	bool is_union;
	GPtrArray *members; /* of struct member * */
	uint64_t bits; /* used so far */
	uint64_t alignment, size; /* in bytes */
};

/** Append a member; a bit-field has @p width bits, others 0. Return false if a bit-field does not fit its type. */
bool d_layout_add(struct d_layout *layout, const char *name, struct type *type, unsigned int width);
/** Complete a struct or union. */
void d_layout_finish(struct d_layout *layout, struct type *type);

#endif
