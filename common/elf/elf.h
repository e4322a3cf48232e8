/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queries to a single ELF file: its sections and their bytes, its build-id, and whether it is complete. */
#ifndef SPILE_ELF_ELF_H
#define SPILE_ELF_ELF_H

#include <gelf.h>
#include <libelf.h>

#include "common/elf/bytes.h"

Elf_Scn *elf_section_by_name(Elf *elf, const char *name, GElf_Shdr *header);
/** Return the uncompressed contents of a section; empty if it has none or does not exist. */
struct span elf_section_span(Elf *elf, const char *name);
/** Does the section exist, with contents in this file? (A file of debug symbols has no contents of code sections.) */
bool elf_has_contents(Elf *elf, const char *name);
/**
 * Return the bytes that will be at [start, end) in memory; empty if one section does not hold them all, or @p elf is
 * NULL.
 */
struct span elf_bytes_at(Elf *elf, uint64_t start, uint64_t end);
/** Return the end of the section around an address in memory; @p address itself if no section covers it. */
uint64_t elf_section_end(Elf *elf, uint64_t address);
/* A symbol defined in the file. */
struct elf_symbol {
	uint64_t value, size;
	unsigned int type, section;
};

/**
 * Call @p take with each symbol of all symbol tables that is defined in the file, until it returns true.
 *
 * @param[in] elf NULL has no symbols.
 * @return Whether @p take did.
 */
bool elf_search_symbols(Elf *elf, bool (*take)(const char *name, const struct elf_symbol *symbol, void *data),
			void *data);

/** Find a symbol by name with a linear search of all symbol tables. */
bool elf_find_symbol(Elf *elf, const char *name, struct elf_symbol *ret);
/** Return the build-id as lower-case hex, or NULL. The caller frees it. */
char *elf_build_id(Elf *elf);
/** Return the e_machine of an ELF file; EM_NONE for other files. */
uint16_t elf_file_machine(const char *path);
/** Like elf_build_id(), of a file that may be compressed. */
char *elf_file_build_id(const char *path);
/** A function's name up to a compiler's suffix: "f" of "f.isra.0", which follows in the same string. */
typedef void function_visitor(const char *name, size_t length, void *data);
/**
 * Call @p see for each function that a symbol table of the file defines, perhaps repeatedly. Only these tables are
 * read, so this takes less than a millisecond. A file that is compressed as a whole has none.
 */
void elf_file_functions(const char *path, function_visitor *see, void *data);
/** Does elf_file_functions() see this function, with or without its suffix? */
bool elf_file_has_function(const char *path, const char *name);
/** Like elf_build_id(), from notes such as /sys/kernel/notes. */
char *notes_build_id(const void *notes, size_t size);
/** Check that all sections lie inside the file, which may be truncated. Return NULL, or the problem. */
const char *elf_check_sections(Elf *elf);

#endif
