/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to unwind/: unwinding rules from call frame information, symbols, and lines. */
#ifndef SPILE_DEBUGINFO_UNWIND_FRAMES_H
#define SPILE_DEBUGINFO_UNWIND_FRAMES_H

#include <gelf.h>
#include <elfutils/libdwfl.h>

#include "runtime/abi/object_table.h"
#include "translator/debuginfo/unwind/unwind.h"

/* The register numbering of a machine, and the registers that functions preserve. */
struct frame_machine {
	uint16_t elf_machine;
	unsigned int address_size;
	bool is_32bit;
	uint8_t register_count; /* rules cover registers with lower numbers, and the preserved ones */
	uint8_t stack_register, return_register;
	uint8_t slots[STP_UNWIND_SLOTS], slot_count;
};

/* The rule that applies from `address` on. */
struct frame_row {
	uint64_t address;
	uint16_t rule;
};

/* Rows [first, end) describe the code at [low, high). */
struct frame_function {
	uint64_t low, high;
	guint first, end;
	bool is_second_choice; /* from .debug_frame: ignored where .eh_frame describes the same code */
};

struct frame_builder {
	const struct frame_machine *machine;
	GArray *rows, *functions; /* struct frame_row, struct frame_function */
	GArray *rules, *extras; /* in the format of the table */
	GByteArray *expressions;
	GHashTable *rule_numbers; /* struct whole_rule * -> number */
	GHashTable *expression_offsets; /* GBytes -> offset + 1 */
};

/** Return the description of the ELF file's machine; NULL if it is not supported. */
const struct frame_machine *frame_machine_of(Elf *elf);

void frames_init(struct frame_builder *builder, const struct frame_machine *machine);
void frames_clear(struct frame_builder *builder);
/** Read the .eh_frame or .debug_frame of a file. Malformed entries are skipped. */
void frames_read(struct frame_builder *builder, Elf *elf, bool is_debug_frame);
/** Sort the functions and drop those that others cover. */
void frames_finish(struct frame_builder *builder);

/** Return the number of a rule without extras, which is added if new. */
uint16_t frames_keep_rule(struct frame_builder *builder, const struct stp_unwind_rule *rule);
/**
 * Derive rules from the instructions (code.c), for 64-bit functions without call frame information. Call after
 * frames_finish().
 *
 * @param[in] segments struct stp_object_segment, executable ones only.
 * @param[in] symbols struct stp_object_symbol, counted from @p base.
 */
void frames_from_code(struct frame_builder *builder, Elf *elf, const GArray *segments, const GArray *symbols,
		      uint64_t base);

/** Return the symbols of a module, sorted by address, one per address; their names are appended to @p names. */
GArray *symbols_read(Dwfl_Module *module, uint64_t base, uint32_t extent, GByteArray *names);

/** Build a table of symbols only and take over @p symbols and @p names. NULL if there are no symbols. */
GByteArray *table_of_symbols(uint64_t base, uint32_t extent, GArray *symbols, GByteArray *names);
/**
 * Build the source lines of code at [base, base + extent) in the format of runtime/abi/line_table.h, with addresses
 * relative to base; NULL if no lines are known.
 */
GByteArray *object_lines(Dwarf *dwarf, uint64_t base, uint32_t extent);

#endif
