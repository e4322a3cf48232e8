/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader for DWARF: variables.c, statements.c and callees.c, with types/ and location/. */
#ifndef SPILE_DEBUGINFO_DWARF_DWARF_H
#define SPILE_DEBUGINFO_DWARF_DWARF_H

#include "translator/debuginfo/object/object.h"

extern const struct reader_operations dwarf_reader;

struct error *dwarf_variables(const struct function *function, uint64_t pc, bool parameters, bool locals,
			      GPtrArray *ret);
struct error *dwarf_find_variable(const struct function *function, uint64_t pc, const char *name,
				  const struct variable **ret);
struct error *dwarf_file_variables(const struct function *function, GPtrArray *ret);
struct error *dwarf_result_type(const struct function *function, struct type **ret);
struct error *dwarf_find_global(struct debuginfo *debuginfo, const char *name, const char *file,
				const struct variable **ret);
struct error *dwarf_statements(struct debuginfo *debuginfo, const struct statement_query *query, GPtrArray *ret);
struct error *dwarf_statement_at(struct debuginfo *debuginfo, struct address address, struct statement_place *ret);
struct error *dwarf_labels(const struct function *function, const char *pattern, GPtrArray *ret);
struct error *dwarf_code_places(struct debuginfo *debuginfo, struct address address, GArray *ret);
/** Free what dwarf_code_places() keeps. */
void code_map_free(struct code_map *map);
struct error *dwarf_callees(const struct function *function, const char *pattern, GPtrArray *ret);

#endif
