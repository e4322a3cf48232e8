/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converting descriptions of locations to values: DWARF locations (location.c), call frames (frames.c), values passed
 * by callers (callers.c), arguments and results (convention.c).
 */
#ifndef SPILE_DEBUGINFO_LOCATION_LOCATION_H
#define SPILE_DEBUGINFO_LOCATION_LOCATION_H

#include "translator/debuginfo/object/dwarf.h"

/* The context on which an expression may depend, besides memory. */
struct location_context {
	struct debuginfo *debuginfo;
	Dwarf_Die function; /* the real function around the pc, which has the frame base */
	uint64_t pc; /* dwarf address */
	uint64_t entry; /* dwarf address of the real function's entry */
	bool entry_is_probeable;
	bool at_inlined_entry; /* the variables are those of an inlined function, and the pc is where it begins */
	int pointers; /* number of implicit pointers followed so far */
	const struct frame *frame; /* frame whose registers are used; NULL: that of the probe */
};

/** Set location, value and reason of @p variable from the DIE's DW_AT_location or DW_AT_const_value. */
void location_of(const struct location_context *context, Dwarf_Die *die, struct variable *variable);
/**
 * Like location_of(), also where the prologue has not put the variable there yet. Return true if the location is that
 * of the argument for a parameter, even if the function changes it at once.
 */
bool location_as_described(const struct location_context *context, Dwarf_Die *die, struct variable *variable);
/** Set the location of @p variable to pieces (struct variable_piece *); one piece is the whole variable. */
void location_set_pieces(struct arena *arena, struct variable *variable, GPtrArray *pieces);
/** Run an expression that computes a value, not a location. Return NULL or the problem. */
const char *location_run_value(const struct location_context *context, const Dwarf_Attribute *expression,
			       struct value **ret);
/** Run an expression that belongs to no DIE. Return NULL or the problem. */
const char *location_run(const struct location_context *context, const Dwarf_Op *operations, size_t count,
			 struct value **ret, bool *is_address);
/**
 * Set the location of @p variable from a place of the calling convention. If the place is in memory, the caller must
 * set the value (the address).
 */
void location_of_place(struct debuginfo *debuginfo, const struct abi_place *place, struct variable *variable);
/** Is the register with this DWARF number available to probes in the object? */
bool location_has_register(const struct debuginfo *debuginfo, uint64_t number);
/** Set the location of a variable at a fixed address. */
void location_of_address(const struct debuginfo *debuginfo, uint64_t dwarf_address, struct variable *variable);

/* ---- convention.c ---- */

/**
 * Set the location of a variable by the calling convention: an argument at the entry of its function, after those that
 * used up @p used; or, if @p used is NULL, a result at the return.
 */
struct error *location_by_convention(struct debuginfo *debuginfo, struct abi_arguments *used,
				     struct variable *variable);

/** Is it a function of Rust's own convention? */
bool location_is_of_rust(Dwarf_Die *function);

/* ---- prologue.c ---- */

/** Was the unit of a function compiled by gcc? */
bool location_is_of_gcc(Dwarf_Die *function);

enum base_state {
	BASE_IS_SET, /* the register has it */
	BASE_IS_CFA_BASED, /* it is some bytes below the CFA */
	BASE_IS_UNKNOWN,
};

/**
 * Find a frame base that the prologue puts into a register (by its number): where is it at the pc? Set *ret to its
 * distance from the CFA.
 */
enum base_state prologue_frame_base(const struct location_context *context, uint64_t number, uint64_t *ret);

enum slot_state {
	SLOT_READY, /* the memory has its content at the pc */
	SLOT_ELSEWHERE, /* the content is still where the caller left it */
	SLOT_NOT_READY,
};

/**
 * Find what a load from the own frame will give after the prologue. Return NULL, with *ret NULL if the memory is ready,
 * or the problem.
 */
const char *prologue_load(const struct location_context *context, struct value *address, uint64_t size,
			  struct value **ret);
/**
 * Correct the location of a parameter whose slot the prologue has not filled yet at the pc. If @p is_argument, the
 * location is known to be that of the argument.
 */
void prologue_parameter(const struct location_context *context, Dwarf_Die *die, bool is_argument,
			struct variable *variable);
/**
 * Set the location at the entry of a variable that is in a register from @p start on. Return false if the code does not
 * show it.
 */
bool prologue_register(const struct location_context *context, uint64_t start, uint64_t number,
		       struct variable *variable);
/** Likewise for a variable at an address, as of @p start: only arguments that the caller stored are there before. */
bool prologue_argument(const struct location_context *context, uint64_t start, const struct value *address,
		       struct variable *variable);

/**
 * Do the first instructions of a function read an argument register of x86 as the caller left it? Return false where
 * the code does not show it.
 */
bool prologue_reads(struct debuginfo *debuginfo, Dwarf_Die *function, unsigned int number);
/** May the function's own code write a register? Return true where that is not known. Calls do not count. */
bool prologue_may_write(struct debuginfo *debuginfo, Dwarf_Die *function, unsigned int number);

/* ---- frames.c ---- */

/** Return the call frame rules at a dwarf address, to be freed by the caller; NULL if not known. */
Dwarf_Frame *frame_rules(struct debuginfo *debuginfo, uint64_t pc);
/** Has the function around a dwarf address set up its frame there? Return false also if unknown. */
bool frame_is_set_up(struct debuginfo *debuginfo, uint64_t pc);
/** Does the code from @p start to @p end (dwarf addresses) save a register for its caller? */
bool frame_saves(struct debuginfo *debuginfo, uint64_t start, uint64_t end, unsigned int number);
struct error *dwarf_caller_frame(struct debuginfo *debuginfo, struct address pc, const struct frame *frame,
				 struct frame *ret);
/**
 * Unwind from the pc and frame of a location to its caller. Return false if the rules do not give the caller's pc or
 * stack.
 */
bool frame_above(const struct location_context *context, struct frame *ret);

/**
 * Correct the location at the entry of a parameter for which the whole function uses one register, which the prologue
 * may have to load first.
 */
void prologue_home_register(const struct location_context *context, Dwarf_Die *die, uint64_t number,
			    struct variable *variable);
/** At the function's entry: does a register keep its value for the whole function? Return true at any other pc. */
bool prologue_keeps(const struct location_context *context, uint64_t number);
/**
 * At the function's entry: find the argument register that the prologue copies to a register. Unoptimized code does so
 * with the address of a parameter that the caller passes by reference.
 */
bool prologue_origin(const struct location_context *context, uint64_t number, uint64_t *ret);

/* ---- callers.c ---- */

/**
 * Find the value, as of the entry, of a parameter that the compiler removed from the function around the pc. Return
 * NULL or the reason why it is not known.
 */
const char *value_by_caller(const struct location_context *context, Dwarf_Die *parameter, struct value **ret);

#endif
