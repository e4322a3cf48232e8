/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types: from DWARF (from_dwarf.c), and helpers for types of any source (names.c). */
#ifndef SPILE_DEBUGINFO_TYPES_TYPES_H
#define SPILE_DEBUGINFO_TYPES_TYPES_H

#include "translator/debuginfo/object/dwarf.h"

/** Return the type of a DIE's DW_AT_type (void if it has none). Never NULL. */
struct type *type_of(struct debuginfo *debuginfo, Dwarf_Die *die);
struct type *type_from_die(struct debuginfo *debuginfo, Dwarf_Die *type_die);
struct error *dwarf_find_type(struct debuginfo *debuginfo, const char *name, struct type **ret);
struct error *dwarf_type_names(struct debuginfo *debuginfo, GPtrArray *ret);
struct error *dwarf_members(struct type *type, const GPtrArray **ret);
struct error *dwarf_find_enumerator(struct debuginfo *debuginfo, const char *name, int64_t *ret, bool *found);
struct error *dwarf_enumerators(struct type *type, const GPtrArray **ret);

/* ---- names.c ---- */

struct type *type_void(struct debuginfo *debuginfo);
/** Set the load fields of a bit-field that starts @p bit bits into its struct; member->bit_size must be set. */
void member_place_bits(struct member *member, uint64_t bit);
/** Return the compilers' name of an integer type for any C spelling of it. */
const char *base_type_name(const char *name);
/**
 * Normalize a C type's name: no spaces except between words, no "const" and "volatile" outside of "<...>", and the
 * stars at the end removed and counted. The caller frees it.
 */
char *clean_type_name(const char *name, int *stars);
struct type *pointer_to(struct type *target);

#endif
