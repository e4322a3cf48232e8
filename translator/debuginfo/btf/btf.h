/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BTF as a reader. */
#ifndef SPILE_DEBUGINFO_BTF_BTF_H
#define SPILE_DEBUGINFO_BTF_BTF_H

#include "translator/debuginfo/object/object.h"

/* The table of the answers. */
extern const struct reader_operations btf_reader;

/** Load the BTF of what is open already for its symbols; false if there is none. */
bool btf_load(struct debuginfo *debuginfo);
void btf_close(struct debuginfo *debuginfo);

/* ---- types.c ---- */

struct type *btf_make_type(struct debuginfo *debuginfo, uint32_t id);
struct error *btf_find_enumerator(struct debuginfo *debuginfo, const char *name, int64_t *ret, bool *found);
struct error *btf_find_type(struct debuginfo *debuginfo, const char *name, struct type **ret);
struct error *btf_type_names(struct debuginfo *debuginfo, GPtrArray *ret);
struct error *btf_struct_members(struct type *type, const GPtrArray **ret);
struct error *btf_enum_values(struct type *type, const GPtrArray **ret);

#endif
