/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The DWARF of an opened object: the libdw handle, made when first needed, its sections as bytes, and its DIEs'
 * origins.
 */
#ifndef SPILE_DEBUGINFO_OBJECT_DWARF_H
#define SPILE_DEBUGINFO_OBJECT_DWARF_H

#include "translator/debuginfo/object/object.h"

/** The libdw handle, relocated for a module. */
struct error *debuginfo_dwarf(struct debuginfo *debuginfo, Dwarf **ret);
/** A second handle on the kernel's file for another thread; the caller ends it with dwarf_end(). NULL on failure. */
Dwarf *debuginfo_second_dwarf(const struct debuginfo *debuginfo);
/** The call frame information, of debuginfo_dwarf() or of the file with the code; NULL if there is none. */
Dwarf_CFI *debuginfo_call_frames(struct debuginfo *debuginfo);
/** The same of the code of a program or library, by its .eh_frame; also where there is no DWARF. */
Dwarf_CFI *debuginfo_code_call_frames(struct debuginfo *debuginfo);
/** Is it an object file, as modules are? */
bool debuginfo_is_relocatable(const struct debuginfo *debuginfo);
void dwarf_close(struct debuginfo *debuginfo);

struct dwarf_sections {
	struct span info, abbrev, str, line_str, line, addr, str_offsets;
	bool are_types; /* `info` is .debug_types: before DWARF 5, types with units of their own are there */
};

struct dwarf_sections dwarf_find_sections(Dwarf *dwarf);
/** The same with .debug_types in place of .debug_info. */
struct dwarf_sections dwarf_find_type_sections(Dwarf *dwarf);
/** The DIE at an offset in .debug_info, or in .debug_types. */
bool dwarf_section_die(Dwarf *dwarf, bool are_types, uint64_t offset, Dwarf_Die *ret);

/* ---- parts.c: files of one object's DWARF ---- */

struct dwarf_part {
	Dwarf *dwarf;
	bool are_types; /* it is the .debug_types of that file */
	uint64_t base, size; /* of its section in the row of all; offsets in the index are in that row */
	Dwarf_Die skeleton; /* of a part that is one unit of the object's own file; addr is NULL: it is none */
};

/** All files (struct dwarf_part), the object's own first. debuginfo_dwarf() has been called. */
const GArray *dwarf_parts(struct debuginfo *debuginfo);
/** How many units have a file that is not there? */
unsigned int dwarf_missing_parts(struct debuginfo *debuginfo);
/** The DIE at an offset of the row. */
bool dwarf_die_at(struct debuginfo *debuginfo, uint64_t offset, Dwarf_Die *ret);
uint64_t dwarf_offset_of(struct debuginfo *debuginfo, Dwarf_Die *die);
/** Have the files of units be in a form that libdw reads (split.c). For debuginfo_dwarf() alone. */
void parts_open_split(struct debuginfo *debuginfo);
/** The DIE of a type by the signature of its unit, where libdw does not find it; false: it is not there. */
bool parts_find_type(struct debuginfo *debuginfo, uint64_t signature, Dwarf_Die *ret);
/** An error if dwz has moved parts to a file that is not there. */
struct error *dwarf_check_shared(struct debuginfo *debuginfo);
/** Behind dwarf_close(). */
void parts_close(struct debuginfo *debuginfo);

/* ---- die.c ---- */

/** The DIE at the end of the chain of abstract origins: the same for a variable or function and all its instances. */
void abstract_die(Dwarf_Die *die, Dwarf_Die *ret);
/** Offset in the row of the abstract instance that a DIE refers to, or its own. */
uint64_t die_origin(struct debuginfo *debuginfo, Dwarf_Die *die);
/**
 * From a DIE that only names a type which has a unit of its own (-fdebug-types-section) to that type. False: it names
 * none, or none that is there, and @p die stays.
 */
bool die_of_signature(struct debuginfo *debuginfo, Dwarf_Die *die);
/** The type that a DIE has, wherever it is described. False: none (void). */
bool die_type(struct debuginfo *debuginfo, Dwarf_Die *die, Dwarf_Die *ret);
/* What stands for a namespace without a name in a scope. */
#define ANONYMOUS_NAMESPACE "(anonymous namespace)"

/** Is it a language (DW_LANG_…) with names inside of names, "a::b"? */
bool language_has_scopes(int language);
/** A name with no spaces but those between words, "box<int,4>": compilers differ there. The caller frees. */
char *scoped_spelling(const char *name);

#endif
