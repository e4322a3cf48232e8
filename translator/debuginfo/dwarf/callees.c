// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The calls from a function that the compiler recorded. DW_TAG_call_site (DWARF 5, section 3.4; in DWARF 4,
 * DW_TAG_GNU_call_site) names the called function and the return address. Calls through pointers name no function. A
 * function inlined directly here counts as called; functions that it calls do not.
 */
#include "translator/debuginfo/dwarf/dwarf.h"
#include "translator/debuginfo/index/index.h"

#include <fnmatch.h>
#include <string.h>

struct callees {
	struct debuginfo *debuginfo;
	const struct index *index;
	const char *pattern;
	GPtrArray *ret;
};

static void add_callee(struct callees *callees, const struct function *function, const struct address *return_address,
		       bool is_tail_call)
{
	struct callee *callee = arena_new0(callees->debuginfo->arena, struct callee);

	callee->function = function;
	callee->is_tail_call = is_tail_call;
	if (return_address)
		callee->return_address = *return_address;
	g_ptr_array_add(callees->ret, callee);
}

/* Return the number of the inlined instance with this DIE, or of the real function that the DIE of a call names. */
static uint64_t find_callee(struct callees *callees, Dwarf_Die *die, bool is_inlined)
{
	const struct index *index = callees->index;
	const char *name = dwarf_diename(die);
	uint64_t wanted = is_inlined ? dwarf_offset_of(callees->debuginfo, die) : die_origin(callees->debuginfo, die);
	uint64_t external = NO_RECORD;

	for (uint64_t i = index_find_function(index, name); i < index->function_count; i++) {
		const struct index_function *entry = &index->functions[i];
		bool is_instance = entry->flags & INDEX_INLINED;
		Dwarf_Die own;

		if (strcmp(index_string(index, entry->name), name) != 0)
			break;
		if (is_instance != is_inlined)
			continue;
		if (entry->die == wanted)
			return i;
		if (is_inlined || !dwarf_die_at(callees->debuginfo, entry->die, &own))
			continue;
		if (die_origin(callees->debuginfo, &own) == wanted)
			return i;
		if (entry->flags & INDEX_EXTERNAL)
			external = i;
	}
	return external;
}

static void add_inlined(struct callees *callees, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	uint64_t number;

	if (!name || fnmatch(callees->pattern, name, 0) != 0)
		return;
	number = find_callee(callees, die, true);
	if (number != NO_RECORD)
		add_callee(callees, function_get(callees->debuginfo, (uint32_t)number), NULL, false);
}

static void add_call(struct callees *callees, Dwarf_Die *site)
{
	Dwarf_Attribute attribute;
	struct address address;
	Dwarf_Addr return_pc;
	const char *name;
	Dwarf_Die called;
	uint64_t number;

	if ((!dwarf_attr(site, DW_AT_call_origin, &attribute) &&
	     !dwarf_attr(site, DW_AT_abstract_origin, &attribute)) ||
	    !dwarf_formref_die(&attribute, &called))
		return;
	name = dwarf_diename(&called);
	if (!name || fnmatch(callees->pattern, name, 0) != 0)
		return;
	if ((!dwarf_attr(site, DW_AT_call_return_pc, &attribute) && !dwarf_attr(site, DW_AT_low_pc, &attribute)) ||
	    dwarf_formaddr(&attribute, &return_pc) != 0)
		return;
	number = find_callee(callees, &called, false);
	address = debuginfo_public_address(callees->debuginfo, return_pc);
	if (number != NO_RECORD)
		add_callee(callees, function_get(callees->debuginfo, (uint32_t)number), &address,
			   dwarf_hasattr(site, DW_AT_call_tail_call) || dwarf_hasattr(site, DW_AT_GNU_tail_call));
}

static void walk(struct callees *callees, Dwarf_Die *scope)
{
	Dwarf_Die child;

	for (int next = dwarf_child(scope, &child); next == 0; next = dwarf_siblingof(&child, &child)) {
		switch (dwarf_tag(&child)) {
		case DW_TAG_lexical_block:
			walk(callees, &child);
			break;
		case DW_TAG_inlined_subroutine:
			add_inlined(callees, &child);
			break;
		case DW_TAG_call_site:
		case DW_TAG_GNU_call_site:
			add_call(callees, &child);
			break;
		default:
			break;
		}
	}
}

struct error *dwarf_callees(const struct function *function, const char *pattern, GPtrArray *ret)
{
	struct callees callees = {.debuginfo = function->debuginfo, .pattern = pattern, .ret = ret};
	struct index *index;
	Dwarf *dwarf;
	Dwarf_Die die;
	struct error *error = debuginfo_index(function->debuginfo, &index);

	error = error ?: debuginfo_dwarf(function->debuginfo, &dwarf);
	if (error)
		return error;
	callees.index = index;
	if (function_die(function, &die))
		walk(&callees, &die);
	return NULL;
}
