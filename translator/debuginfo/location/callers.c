// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Values of parameters that the compiler removed from a function, from its callers.
 *
 * gcc removes a static function's parameter if it is unused, or passes the pointee instead of a pointer. The variable
 * is then DW_OP_GNU_parameter_ref, and each call of the function describes what it would have passed (DWARF 5, section
 * 3.4.2):
 *
 *     DW_TAG_call_site             DW_AT_call_return_pc: return address of the call
 *       DW_TAG_call_site_parameter DW_AT_call_parameter: the parameter, DW_AT_call_value: an expression of the caller's
 *
 * DWARF 4 uses GNU extensions for that. Such a function is called only from its own unit, which is searched once. At
 * run time, the return address identifies the call, so the value is a choice by return address. Two kinds of callers
 * are treated as unknown: tail calls, which leave no return address, and calls whose expression cannot be evaluated
 * (mostly values at the caller's entry).
 */
#include "translator/debuginfo/location/location.h"
#include "translator/debuginfo/location/values.h"

#include <string.h>

#include "common/base/i18n.h"

#define MOST_CALLS 64
#define MOST_NESTED 64

/* A call that describes an argument. */
struct passing {
	Dwarf_Die caller; /* a real function */
	Dwarf_Attribute value;
	uint64_t return_pc; /* dwarf address */
};

/* ---- finding the calls ---- */

static bool either_attribute(Dwarf_Die *die, unsigned int name, unsigned int old_name, Dwarf_Attribute *ret)
{
	return dwarf_attr(die, name, ret) || dwarf_attr(die, old_name, ret);
}

static void note_call(struct debuginfo *debuginfo, Dwarf_Die *caller, Dwarf_Die *site)
{
	Dwarf_Attribute attribute;
	struct passing passing = {.caller = *caller};
	Dwarf_Die argument, parameter;

	if (dwarf_hasattr(site, DW_AT_call_tail_call) || dwarf_hasattr(site, DW_AT_GNU_tail_call) ||
	    !either_attribute(site, DW_AT_call_return_pc, DW_AT_low_pc, &attribute) ||
	    dwarf_formaddr(&attribute, &passing.return_pc) != 0)
		return;
	for (int next = dwarf_child(site, &argument); next == 0; next = dwarf_siblingof(&argument, &argument)) {
		struct passing *noted;
		GPtrArray *calls;

		if (!either_attribute(&argument, DW_AT_call_parameter, DW_AT_abstract_origin, &attribute) ||
		    !dwarf_formref_die(&attribute, &parameter) ||
		    !either_attribute(&argument, DW_AT_call_value, DW_AT_GNU_call_site_value, &passing.value))
			continue;
		calls = g_hash_table_lookup(debuginfo->call_arguments, parameter.addr);
		if (!calls) {
			calls = arena_ptr_array(debuginfo->arena);
			g_hash_table_insert(debuginfo->call_arguments, parameter.addr, calls);
		}
		noted = arena_new0(debuginfo->arena, struct passing);
		*noted = passing;
		g_ptr_array_add(calls, noted);
	}
}

/* Record the calls in a function, which are children of the innermost block or inlined instance around them. */
static void note_calls(struct debuginfo *debuginfo, Dwarf_Die *caller, Dwarf_Die *scope, int depth)
{
	Dwarf_Die child;

	for (int next = depth < MOST_NESTED ? dwarf_child(scope, &child) : 1; next == 0;
	     next = dwarf_siblingof(&child, &child)) {
		switch (dwarf_tag(&child)) {
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
			note_calls(debuginfo, caller, &child, depth + 1);
			break;
		case DW_TAG_call_site:
		case DW_TAG_GNU_call_site:
			note_call(debuginfo, caller, &child);
			break;
		default:
			break;
		}
	}
}

/* Return the calls (struct passing *) that describe a parameter; NULL if none does. */
static const GPtrArray *calls_passing(struct debuginfo *debuginfo, Dwarf_Die *parameter)
{
	Dwarf_Die unit, child;

	if (!dwarf_diecu(parameter, &unit, NULL, NULL))
		return NULL;
	if (g_hash_table_add(debuginfo->passing_units, unit.addr)) {
		for (int next = dwarf_child(&unit, &child); next == 0; next = dwarf_siblingof(&child, &child))
			if (dwarf_tag(&child) == DW_TAG_subprogram)
				note_calls(debuginfo, &child, &child, 0);
	}
	return g_hash_table_lookup(debuginfo->call_arguments, parameter->addr);
}

/* ---- the values that they pass ---- */

static bool same_value(const struct value *a, const struct value *b)
{
	if (!a || !b)
		return a == b;
	return a->kind == b->kind && a->operation == b->operation && a->constant == b->constant &&
	       g_strcmp0(a->section, b->section) == 0 && a->size == b->size && a->is_signed == b->is_signed &&
	       a->callers == b->callers && same_value(a->left, b->left) && same_value(a->right, b->right) &&
	       same_value(a->condition, b->condition);
}

/* Return the return address of a call; NULL in initialization code, which is freed. */
static struct value *return_address(const struct debuginfo *debuginfo, const struct passing *passing)
{
	/* The call may be the last instruction of its section, so look up an address inside of it. */
	struct address inside = debuginfo_public_address(debuginfo, passing->return_pc - 1);
	struct value *value;

	if (debuginfo_has_sections(debuginfo) && (!inside.section || g_str_has_prefix(inside.section, ".init")))
		return NULL;
	value = value_new(debuginfo->arena, VALUE_ADDRESS, inside.value + 1);
	value->section = inside.section;
	return value;
}

static void add_caller(struct arena *arena, GPtrArray *callers, struct value *address, struct value *value)
{
	struct caller_value *caller = NULL;

	for_each_ptr(struct caller_value *, known, callers) {
		if (same_value(known->value, value))
			caller = known;
	}
	if (!caller) {
		caller = arena_new0(arena, struct caller_value);
		caller->value = value;
		caller->return_addresses = arena_ptr_array(arena);
		g_ptr_array_add(callers, caller);
	}
	g_ptr_array_add(caller->return_addresses, address);
}

/* Is it a parameter of the function? gcc writes no others, and for those the return address identifies no caller. */
static bool is_parameter_of(Dwarf_Die *parameter, Dwarf_Die *function)
{
	Dwarf_Die abstract, child;

	abstract_die(function, &abstract);
	for (int next = dwarf_child(&abstract, &child); next == 0; next = dwarf_siblingof(&child, &child))
		if (child.addr == parameter->addr)
			return true;
	return false;
}

/*
 * Find the caller's registers at the call. For a register without a rule, use its value at this function's entry,
 * directly or recorded: a caller may rely on a register that it knows the function preserves. Return false if the
 * caller is not known.
 */
static bool frame_at_call(const struct location_context *context, struct frame *ret)
{
	struct value *call;

	if (context->frame || !frame_above(context, ret))
		return false;
	call = frame_call(context->debuginfo, ret);
	if (!call)
		return false;
	for (unsigned int i = 0; i < debuginfo_abi(context->debuginfo)->register_count; i++) {
		if (ret->registers[i])
			continue;
		if (context->pc == context->entry) {
			ret->registers[i] = value_of_register(context->debuginfo, i);
		} else if (context->entry_is_probeable) {
			ret->registers[i] = value_of_entry_register(context->debuginfo, i, call);
		}
	}
	return true;
}

const char *value_by_caller(const struct location_context *context, Dwarf_Die *parameter, struct value **ret)
{
	struct debuginfo *debuginfo = context->debuginfo;
	const GPtrArray *calls = calls_passing(debuginfo, parameter);
	GPtrArray *callers = arena_ptr_array(debuginfo->arena);
	struct location_context above = {.debuginfo = debuginfo};
	Dwarf_Die function = context->function;
	struct frame frame;

	if (calls && calls->len > MOST_CALLS)
		return _("it depends on a parameter that the compiler removed, and there are too many callers");
	if (!is_parameter_of(parameter, &function) || !frame_at_call(context, &frame))
		return _("it depends on a parameter that the compiler removed, and the caller is not known here");
	above.frame = &frame;
	for (guint i = 0; calls && i < calls->len; i++) {
		const struct passing *passing = g_ptr_array_index(calls, i);
		struct value *address = return_address(debuginfo, passing), *value;

		above.function = passing->caller;
		above.pc = passing->return_pc - 1;
		if (address && !location_run_value(&above, &passing->value, &value))
			add_caller(debuginfo->arena, callers, address, value);
	}
	if (!callers->len)
		return _("it depends on a parameter that the compiler removed, and no caller describes its value");
	*ret = value_new(debuginfo->arena, VALUE_BY_CALLER, 0);
	(*ret)->left = frame_call(debuginfo, &frame);
	(*ret)->right = frame_program_counter(debuginfo, &frame);
	(*ret)->callers = callers;
	return NULL;
}
