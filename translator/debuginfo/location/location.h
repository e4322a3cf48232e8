/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From descriptions of places to values: DWARF locations (location.c), call frames (frames.c), what callers pass
 * (callers.c), arguments and results (convention.c).
 */
#ifndef SPILE_DEBUGINFO_LOCATION_LOCATION_H
#define SPILE_DEBUGINFO_LOCATION_LOCATION_H

#include "translator/debuginfo/object/dwarf.h"

/* What an expression may depend on besides memory. */
struct location_context {
	struct debuginfo *debuginfo;
	Dwarf_Die function; /* the real function around: owner of the frame base */
	uint64_t pc; /* dwarf address */
	uint64_t entry; /* dwarf address of the real function's entry */
	bool entry_is_probeable;
	int pointers; /* that led to the variable at hand */
	const struct frame *frame; /* whose registers are meant; NULL: those at the probe */
};

/** Set location, value and reason of @p variable from the DIE's DW_AT_location or DW_AT_const_value. */
void location_of(const struct location_context *context, Dwarf_Die *die, struct variable *variable);
/** Run an expression that is a value, not a place. Returns NULL or why that cannot be done. */
const char *location_run_value(const struct location_context *context, const Dwarf_Attribute *expression,
			       struct value **ret);
/** Run an expression that belongs to no DIE. Returns NULL or why that cannot be done. */
const char *location_run(const struct location_context *context, const Dwarf_Op *operations, size_t count,
			 struct value **ret, bool *is_address);
/**
 * Set where @p variable is from a place of the calling convention. The value of one in memory is for the caller to set:
 * its address.
 */
void location_of_place(struct debuginfo *debuginfo, const struct abi_place *place, struct variable *variable);
/** Do probes in the object have the register of this DWARF number? */
bool location_has_register(const struct debuginfo *debuginfo, uint64_t number);
/** Set where @p variable is, known to lie at an address. */
void location_of_address(const struct debuginfo *debuginfo, uint64_t dwarf_address, struct variable *variable);

/* ---- convention.c ---- */

/**
 * Set where a variable is by the calling convention: an argument at the entry of its function, behind those that have
 * used up @p used, or, if that is NULL, a result at its return.
 */
struct error *location_by_convention(struct debuginfo *debuginfo, struct abi_arguments *used,
				     struct variable *variable);

/**
 * Set where a parameter of the function around the pc is at its entry, by the calling convention. False: it is none of
 * the function's own, or one before it has a type that is not understood.
 */
bool location_at_entry(const struct location_context *context, Dwarf_Die *parameter, struct variable *variable);

/* ---- frames.c ---- */

/** The rules of the call frame at a dwarf address, to be freed; NULL if there are none. */
Dwarf_Frame *frame_rules(struct debuginfo *debuginfo, uint64_t pc);
/** Has the function around a dwarf address a frame there? False also if nobody knows. */
bool frame_is_set_up(struct debuginfo *debuginfo, uint64_t pc);
struct error *dwarf_caller_frame(struct debuginfo *debuginfo, struct address pc, const struct frame *frame,
				 struct frame *ret);
/**
 * The frame of the caller of a location's pc and frame. False: the rules do not tell where the caller goes on, or its
 * stack.
 */
bool frame_above(const struct location_context *context, struct frame *ret);

/* ---- callers.c ---- */

/**
 * The value, as of the entry, of a parameter that the function around the pc does not have any more. Returns NULL or
 * why it is not known.
 */
const char *value_by_caller(const struct location_context *context, Dwarf_Die *parameter, struct value **ret);

#endif
