/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Building trees of struct value, with constant folding, and the pieces of a variable that is in several places. */
#ifndef SPILE_DEBUGINFO_LOCATION_VALUES_H
#define SPILE_DEBUGINFO_LOCATION_VALUES_H

#include "translator/debuginfo/object/dwarf.h"

/** Create a variable; if it is in memory, then in the object's address space. */
struct variable *variable_new(const struct debuginfo *debuginfo);
struct value *value_new(struct arena *arena, enum value_kind kind, uint64_t constant);
/** Create a load of @p size bytes from the object's address space. */
struct value *value_load(const struct debuginfo *debuginfo, struct value *address, int size);
struct value *value_binary(struct arena *arena, enum value_operation operation, struct value *left,
			   struct value *right);
/** Return the value to which conversions are applied, or the value itself. */
const struct value *value_unconverted(const struct value *value);
struct value *value_converted(struct arena *arena, struct value *value, int size, bool is_signed);
/**
 * Return the run-time address of a dwarf address, also of a per-CPU variable; NULL if it is not known, see
 * value_percpu_reason().
 */
struct value *value_of_address(const struct debuginfo *debuginfo, uint64_t dwarf_address);
const char *value_percpu_reason(void);
/** Return the address of the current thread's thread-local block of the object; NULL if it is not known. */
struct value *value_of_thread_block(struct debuginfo *debuginfo);
/** Create a register of the probed context, by its DWARF number in the object. */
struct value *value_of_register(const struct debuginfo *debuginfo, uint64_t number);
/** Like value_of_register(), as of the entry of the call whose return address is at @p place. */
struct value *value_of_entry_register(const struct debuginfo *debuginfo, uint64_t number, struct value *place);
/** Convert up to 8 little-endian bytes to a number. */
uint64_t value_of_bytes(const uint8_t *bytes, uint64_t size);

/** Append the next bytes of a variable to *pieces, which is created if NULL. */
void pieces_add(struct arena *arena, GPtrArray **pieces, uint64_t size, enum location_kind location,
		struct value *value);
/** Append a constant that is wider than 64 bits, in pieces of at most 8 bytes. */
void pieces_add_constant(struct arena *arena, GPtrArray **pieces, const Dwarf_Block *constant, uint64_t size);

#endif
