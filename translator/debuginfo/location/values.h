/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trees of struct value: their nodes, folded where numbers meet, and the pieces of a variable that is in several
 * places.
 */
#ifndef SPILE_DEBUGINFO_LOCATION_VALUES_H
#define SPILE_DEBUGINFO_LOCATION_VALUES_H

#include "translator/debuginfo/object/dwarf.h"

/** A variable in the memory that the object is in, if it is in memory. */
struct variable *variable_new(const struct debuginfo *debuginfo);
struct value *value_new(struct arena *arena, enum value_kind kind, uint64_t constant);
/** A load of @p size bytes from the memory that the object at hand is in. */
struct value *value_load(const struct debuginfo *debuginfo, struct value *address, int size);
struct value *value_binary(struct arena *arena, enum value_operation operation, struct value *left,
			   struct value *right);
struct value *value_converted(struct arena *arena, struct value *value, int size, bool is_signed);
/** What lies at a dwarf address, a per-CPU variable also; NULL: nobody knows where it is, see value_percpu_reason(). */
struct value *value_of_address(const struct debuginfo *debuginfo, uint64_t dwarf_address);
const char *value_percpu_reason(void);
/** Where the current thread has a program's or library's variables of its own; NULL: nobody knows. */
struct value *value_of_thread_block(struct debuginfo *debuginfo);
/** A register of the probed context, by the number that the object's DWARF has for it. */
struct value *value_of_register(const struct debuginfo *debuginfo, uint64_t number);
/** The same at the entry of the call whose return address is at @p place. */
struct value *value_of_entry_register(const struct debuginfo *debuginfo, uint64_t number, struct value *place);
/** Up to 8 bytes as a number, the low ones first. */
uint64_t value_of_bytes(const uint8_t *bytes, uint64_t size);

/** Add the next bytes of a variable; *pieces is made if it is NULL. */
void pieces_add(struct arena *arena, GPtrArray **pieces, uint64_t size, enum location_kind location,
		struct value *value);
/** A constant that is wider than a number, in parts that are none. */
void pieces_add_constant(struct arena *arena, GPtrArray **pieces, const Dwarf_Block *constant, uint64_t size);

#endif
