/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions to one ELF file, whatever it is of: its sections, their bytes, its build-id, and whether it is whole. */
#ifndef SPILE_DEBUGINFO_OBJECT_ELF_H
#define SPILE_DEBUGINFO_OBJECT_ELF_H

#include <gelf.h>
#include <libelf.h>

#include "translator/debuginfo/object/bytes.h"

Elf_Scn *elf_section_by_name(Elf *elf, const char *name, GElf_Shdr *header);
/** The contents of a section, uncompressed; empty if there are none. */
struct span elf_section_span(Elf *elf, const char *name);
/** Is there such a section, with contents of its own? (In a file of debug symbols, those of code have none.) */
bool elf_has_contents(Elf *elf, const char *name);
/** The bytes that will lie at [start, end) in memory; empty if they are not all in one section, or @p elf is NULL. */
struct span elf_bytes_at(Elf *elf, uint64_t start, uint64_t end);
/** Where the section around an address in memory ends; @p address itself if there is none. */
uint64_t elf_section_end(Elf *elf, uint64_t address);
/* A symbol that is defined in the file. */
struct elf_symbol {
	uint64_t value, size;
	unsigned int type;
};

/** By name, in any of its tables: a look at all of them. */
bool elf_find_symbol(Elf *elf, const char *name, struct elf_symbol *ret);
/** Build-id as lower-case hex, or NULL. The caller frees. */
char *elf_build_id(Elf *elf);
/** The same of a file, which may be compressed. */
char *elf_file_build_id(const char *path);
/** The same out of notes, as in /sys/kernel/notes. */
char *notes_build_id(const void *notes, size_t size);
/** Do all sections lie inside the file? NULL, or what is wrong: a copy may have been cut short. */
const char *elf_check_sections(Elf *elf);

#endif
