/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside of unwind/: rules for unwinding out of call frame information, symbols, lines. */
#ifndef SPILE_DEBUGINFO_UNWIND_FRAMES_H
#define SPILE_DEBUGINFO_UNWIND_FRAMES_H

#include <gelf.h>
#include <elfutils/libdwfl.h>

#include "runtime/object_table.h"
#include "translator/debuginfo/unwind/unwind.h"

/* How registers are numbered and which of them a function keeps for its caller. */
struct frame_machine {
	int elf_machine;
	unsigned int address_size;
	bool is_32bit;
	uint8_t stack_register, return_register;
	uint8_t slots[STP_UNWIND_SLOTS], slot_count;
};

/* From `address` on. */
struct frame_row {
	uint64_t address;
	uint16_t rule;
};

/* Rows [first, end) are of the code at [low, high). */
struct frame_function {
	uint64_t low, high;
	guint first, end;
	bool is_second_choice; /* of .debug_frame: what .eh_frame says of the same code counts */
};

struct frame_builder {
	const struct frame_machine *machine;
	GArray *rows, *functions; /* struct frame_row, struct frame_function */
	GArray *rules, *extras; /* as they will stand in the table */
	GByteArray *expressions;
	GHashTable *rule_numbers; /* struct whole_rule * -> number */
	GHashTable *expression_offsets; /* GBytes -> offset + 1 */
};

/** NULL: it is not known. */
const struct frame_machine *frame_machine_of(Elf *elf);

void frames_init(struct frame_builder *builder, const struct frame_machine *machine);
void frames_clear(struct frame_builder *builder);
/** Read .eh_frame of a file, or .debug_frame. What is malformed is left out. */
void frames_read(struct frame_builder *builder, Elf *elf, bool is_debug_frame);
/** Sort the functions and leave out those that others cover. */
void frames_finish(struct frame_builder *builder);

/** The number of a rule without extras. */
uint16_t frames_keep_rule(struct frame_builder *builder, const struct stp_unwind_rule *rule);
/**
 * Of 64-bit functions that nothing was read of, by what their code does (code.c). After frames_finish().
 *
 * @param[in] segments struct stp_object_segment; what can be executed.
 * @param[in] symbols struct stp_object_symbol, counted from @p base.
 */
void frames_from_code(struct frame_builder *builder, Elf *elf, const GArray *segments, const GArray *symbols,
		      uint64_t base);

/** All symbols of a module, sorted by address, one at each; names are appended to @p names. */
GArray *symbols_read(Dwfl_Module *module, uint64_t base, uint32_t extent, GByteArray *names);

/** A table of symbols alone, which it takes over with their names; NULL: there are none. */
GByteArray *table_of_symbols(uint64_t base, uint32_t extent, GArray *symbols, GByteArray *names);
/** The lines of code at [base, base + extent) as runtime/line_table.h has them, counted from base; NULL: none. */
GByteArray *object_lines(Dwarf *dwarf, uint64_t base, uint32_t extent);

#endif
