/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types: made of DWARF (from_dwarf.c), and what does not depend on where they were read from (names.c). */
#ifndef SPILE_DEBUGINFO_TYPES_TYPES_H
#define SPILE_DEBUGINFO_TYPES_TYPES_H

#include "translator/debuginfo/object/dwarf.h"

/** The type of a DIE's DW_AT_type (void if it has none). Never NULL. */
struct type *type_of(struct debuginfo *debuginfo, Dwarf_Die *die);
struct type *type_from_die(struct debuginfo *debuginfo, Dwarf_Die *type_die);
struct error *dwarf_find_type(struct debuginfo *debuginfo, const char *name, struct type **ret);
struct error *dwarf_type_names(struct debuginfo *debuginfo, GPtrArray *ret);
struct error *dwarf_members(struct type *type, const GPtrArray **ret);
struct error *dwarf_find_enumerator(struct debuginfo *debuginfo, const char *name, int64_t *ret, bool *found);
struct error *dwarf_enumerators(struct type *type, const GPtrArray **ret);

/* ---- names.c ---- */

struct type *type_void(struct debuginfo *debuginfo);
/** Say where to load a bit-field that starts @p bit bits into its struct; member->bit_size is set. */
void member_place_bits(struct member *member, uint64_t bit);
/** The name that compilers give an integer type for any of C's spellings of it. */
const char *base_type_name(const char *name);
/**
 * A C type's name as sources know it: no space but between words, "const" and "volatile" gone unless they are in
 * "<...>"; the stars at the end are counted off. The caller frees.
 */
char *clean_type_name(const char *name, int *stars);
struct type *pointer_to(struct type *target);

#endif
