/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the ELF side says about code, for building the index: symbols, ftrace call sites, exports, and code that takes
 * no kprobe.
 */
#ifndef SPILE_DEBUGINFO_KERNEL_CODE_H
#define SPILE_DEBUGINFO_KERNEL_CODE_H

#include "translator/debuginfo/object/object.h"

struct code;

struct code_symbol {
	const char *name;
	uint64_t value; /* offset in `section` for a module */
	uint64_t size; /* bytes, 0 if not known */
	uint16_t section; /* number as in struct debuginfo */
	uint8_t rank; /* higher: the better name for an address */
	bool is_function;
	bool is_global;
};

/* Code that cannot be probed; a table of them is sorted by section, then start. */
struct code_range {
	uint64_t start;
	uint32_t size;
	uint32_t section;
};

struct code *code_read(struct debuginfo *debuginfo);
void code_free(struct code *code);
const GArray *code_symbols(const struct code *code); /* struct code_symbol by section, value, best first */
/** Best symbol at an address; one called @p name if there is one. NULL if there is none. */
const char *code_symbol_at(const struct code *code, unsigned int section, uint64_t value, const char *name);
/** Distance of the ftrace call site from the entry, or -1. */
int code_fentry(const struct code *code, unsigned int section, uint64_t entry);
bool code_exported(const struct code *code, const char *name);
bool code_is_init(const struct code *code, unsigned int section, uint64_t value);
/** Code in which no probe may stand: struct code_range, sorted and without overlaps (reserved.c). */
const GArray *code_reserved(const struct code *code);
/** A symbol's value, by a look at all of them. */
bool code_symbol_value(const struct code *code, const char *name, uint64_t *value);
/** Section number of a symbol; -1 if it is in no allocated section (undefined, absolute, debugging). */
int code_symbol_section(const struct code *code, const GElf_Sym *symbol);
/** image_bytes() of the file that this was read from. */
struct span code_bytes(const struct code *code, uint64_t start, uint64_t end);
/** All of a section of vmlinux, and its address. */
struct span code_section(const struct code *code, const char *name, uint64_t *start);
/** Were the call sites known when this was read? Otherwise an index made of it must not be kept. */
bool code_complete(const struct code *code);

/* ---- reserved.c: where the kernel accepts no kprobe ---- */

void reserved_add_kernel(const struct code *code, GArray *ranges);
void reserved_add_module(const struct code *code, const struct debuginfo *debuginfo, Elf *elf, GArray *ranges);
/** All of the functions named, with the parts that the compiler split off (name.cold). */
void reserved_add_functions(const struct code *code, GHashTable *names, GArray *ranges);
/** Sort and join. */
void reserved_sort(GArray *ranges);
bool reserved_contains(const struct code_range *ranges, uint64_t count, unsigned int section, uint64_t value);

#endif
