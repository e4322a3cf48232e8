/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts about code from the ELF file, for building the index: symbols, ftrace call sites, exports, and code where
 * kprobes are refused.
 */
#ifndef SPILE_DEBUGINFO_KERNEL_CODE_H
#define SPILE_DEBUGINFO_KERNEL_CODE_H

#include "translator/debuginfo/object/object.h"

struct code;

struct code_symbol {
	const char *name;
	uint64_t value; /* offset in `section` for a module */
	uint64_t size; /* bytes, 0 if not known */
	uint16_t section; /* number in debuginfo->sections */
	uint8_t rank; /* the highest at an address is the preferred name */
	bool is_function;
	bool is_global;
};

/* Why code cannot be probed. If ranges begin at one address, the first of these reasons counts. */
enum reserved_reason {
	RESERVED_FUNCTION, /* noinstr, nokprobe or entry code */
	RESERVED_IN_HANDLERS,
	RESERVED_JUMP_LABEL,
	RESERVED_STATIC_CALL,
	RESERVED_BUG,
	RESERVED_FIXUP,
	RESERVED_ALTERNATIVE,
	RESERVED_EXCLUSIVE,
	RESERVED_INSTRUCTION,
};

/* Code that cannot be probed. Tables of ranges are sorted by section, then start. */
struct code_range {
	uint64_t start;
	uint32_t size;
	uint16_t section;
	uint16_t reason; /* enum reserved_reason */
};

struct code *code_read(struct debuginfo *debuginfo);
void code_free(struct code *code);
const GArray *code_symbols(const struct code *code); /* struct code_symbol by section, value, best first */
/** Return the resolvers of indirect functions (struct code_symbol) of a program or library. */
const GArray *code_resolvers(const struct code *code);
/** Return the best symbol at an address, preferably one called @p name; NULL if no symbol is there. */
const char *code_symbol_at(const struct code *code, unsigned int section, uint64_t value, const char *name);
/** Return the distance of the ftrace call site from the entry, or -1. */
int code_fentry(const struct code *code, unsigned int section, uint64_t entry);
const struct debuginfo *code_debuginfo(const struct code *code);
bool code_exported(const struct code *code, const char *name);
bool code_is_init(const struct code *code, unsigned int section, uint64_t value);
/** Return the code that cannot be probed: struct code_range, sorted and without overlaps (reserved.c). */
const GArray *code_reserved(const struct code *code);
/** Find a symbol's value with a linear search. */
bool code_symbol_value(const struct code *code, const char *name, uint64_t *value);
/** Return the section number of a symbol; -1 if it is in no allocated section (undefined, absolute, debugging). */
int code_symbol_section(const struct code *code, const GElf_Sym *symbol);
/** Call image_bytes() on the file that @p code was read from. */
struct span code_bytes(const struct code *code, uint64_t start, uint64_t end);
/** Return the code from an address on, in a section of a module or in vmlinux; empty if it is not at hand. */
struct span code_at(const struct code *code, unsigned int section, uint64_t start, uint64_t size);
/** Return the contents and the address of a section of vmlinux. */
struct span code_section(const struct code *code, const char *name, uint64_t *start);
/** Were the ftrace call sites known? If not, an index built from this must not be cached. */
bool code_complete(const struct code *code);

/* ---- reserved.c: where the kernel refuses kprobes ---- */

void reserved_add_kernel(const struct code *code, GArray *ranges);
void reserved_add_module(const struct code *code, const struct debuginfo *debuginfo, Elf *elf, GArray *ranges);
/** Add the whole of the functions named, including the parts that the compiler split off (name.cold). */
void reserved_add_functions(const struct code *code, GHashTable *names, GArray *ranges);
/** Add the instructions on which the kernel refuses probes, on architectures where it looks at them. */
void reserved_add_instructions(const struct code *code, GArray *ranges);
/** Sort ranges. Merge those that overlap, or truncate them if their reasons differ. */
void reserved_sort(GArray *ranges);
/** Return the range that contains an address, or NULL. */
const struct code_range *reserved_find(const struct code_range *ranges, uint64_t count, unsigned int section,
				       uint64_t value);
/** Return the translated text of a reason, for messages. */
const char *reserved_text(enum reserved_reason reason);

#endif
