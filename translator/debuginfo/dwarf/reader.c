// SPDX-License-Identifier: GPL-2.0-or-later
/* The operations of the DWARF reader (struct reader_operations). */
#include "translator/debuginfo/dwarf/dwarf.h"

#include "translator/debuginfo/location/location.h"
#include "translator/debuginfo/types/types.h"

const struct reader_operations dwarf_reader = {
	.is_dwarf = true,
	.knows = KNOWS_TYPES | KNOWS_LOCALS | KNOWS_LINES | KNOWS_INLINES | KNOWS_CALLS,
	.variables = dwarf_variables,
	.find_variable = dwarf_find_variable,
	.file_variables = dwarf_file_variables,
	.result_type = dwarf_result_type,
	.find_global = dwarf_find_global,
	.find_type = dwarf_find_type,
	.type_names = dwarf_type_names,
	.members = dwarf_members,
	.enumerators = dwarf_enumerators,
	.find_enumerator = dwarf_find_enumerator,
	.statements = dwarf_statements,
	.statement_at = dwarf_statement_at,
	.labels = dwarf_labels,
	.code_places = dwarf_code_places,
	.callees = dwarf_callees,
	.caller_frame = dwarf_caller_frame,
};
