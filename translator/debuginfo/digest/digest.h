/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The digest: opening one as a source (read.c), writing one (write.c), and reducing its DWARF (reduce.c,
 * expressions.c).
 */
#ifndef SPILE_DEBUGINFO_DIGEST_DIGEST_H
#define SPILE_DEBUGINFO_DIGEST_DIGEST_H

#include "translator/debuginfo/index/index.h"

/* ---- read.c: the functions of struct source ---- */

struct error *open_digest(struct debuginfo *debuginfo, bool *found);
void digest_close(struct debuginfo *debuginfo);
struct error *digest_index(struct debuginfo *debuginfo, struct index **ret);
struct error *digest_dwarf(struct debuginfo *debuginfo, Elf **ret);
void digest_provide(struct debuginfo *debuginfo, const char *name);
const char *digest_tracepoint_system(struct debuginfo *debuginfo, const char *name);

/* ---- write.c ---- */

struct digest_writer;

/** Begin a file, which appears under its name only when it is complete. ERROR_SYSTEM. */
struct error *digest_begin(const char *path, struct digest_writer **ret);
/** Add the debuginfo of the kernel or a module, with its tracepoints (const struct tracepoint *). */
struct error *digest_add(struct digest_writer *writer, struct debuginfo *debuginfo, const GPtrArray *tracepoints);
/** Complete the file, or discard it if @p error is set, and free the writer. Return @p error or the new error. */
struct error *digest_end(struct digest_writer *writer, const char *release, struct error *error);

/* ---- expressions.c ---- */

/* Return the new offset of a DIE. Offsets count in .debug_info, or in the unit of the expression if @p is_in_unit. */
typedef uint32_t move_die(const void *data, uint32_t offset, bool is_in_unit);

/**
 * Update the references to DIEs in a DWARF expression, or in a location list at an offset of .debug_loclists or
 * .debug_loc.
 */
void expression_move_dies(void *expression, size_t size, move_die *move, const void *data);
void location_list_move_dies(void *lists, size_t size, uint64_t offset, move_die *move, const void *data);
void old_location_list_move_dies(void *lists, size_t size, uint64_t offset, move_die *move, const void *data);

/* ---- reduce.c ---- */

/* The sections that contain DIEs or refer to them: .debug_info and so on. */
struct reduced_sections {
	GByteArray *info, *abbrev, *loclists, *loc;
};

/**
 * Append .debug_info and .debug_abbrev without duplicates, and the location lists with updated references, to @p to.
 * The index is updated to match.
 */
struct error *dwarf_reduce(struct debuginfo *debuginfo, Dwarf *dwarf, struct index *index,
			   const struct reduced_sections *to);

#endif
