/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader for BTF. */
#ifndef SPILE_DEBUGINFO_BTF_BTF_H
#define SPILE_DEBUGINFO_BTF_BTF_H

#include "translator/debuginfo/object/object.h"

extern const struct reader_operations btf_reader;

/** Load the BTF of an object already opened for its symbols. Return false if it has none. */
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
