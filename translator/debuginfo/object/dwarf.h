/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The DWARF of an opened object: the libdw handle (opened on first use), the sections as bytes, and the origins of
 * DIEs.
 */
#ifndef SPILE_DEBUGINFO_OBJECT_DWARF_H
#define SPILE_DEBUGINFO_OBJECT_DWARF_H

#include "translator/debuginfo/object/object.h"

/** Return the libdw handle, opened on first use. A module's DWARF is relocated. */
struct error *debuginfo_dwarf(struct debuginfo *debuginfo, Dwarf **ret);
/**
 * Open a second handle on the kernel's file for another thread; the caller closes it with dwarf_end(). NULL on failure.
 */
Dwarf *debuginfo_second_dwarf(const struct debuginfo *debuginfo);
/** Return the call frame information, of debuginfo_dwarf() or of the file with the code; NULL if neither has any. */
Dwarf_CFI *debuginfo_call_frames(struct debuginfo *debuginfo);
/** Return the .eh_frame of the file with the code of a program or library; works without DWARF, too. */
Dwarf_CFI *debuginfo_code_call_frames(struct debuginfo *debuginfo);
/** Is it a relocatable file, as modules are? */
bool debuginfo_is_relocatable(const struct debuginfo *debuginfo);
void dwarf_close(struct debuginfo *debuginfo);

struct dwarf_sections {
	struct span info, abbrev, str, line_str, line, addr, str_offsets;
	bool are_types; /* `info` is .debug_types, which holds type units before DWARF 5 */
};

struct dwarf_sections dwarf_find_sections(Dwarf *dwarf);
/** Like dwarf_find_sections(), with .debug_types instead of .debug_info. */
struct dwarf_sections dwarf_find_type_sections(Dwarf *dwarf);
/** Find the DIE at an offset in .debug_info, or in .debug_types. */
bool dwarf_section_die(Dwarf *dwarf, bool are_types, uint64_t offset, Dwarf_Die *ret);

/* ---- parts.c: files of one object's DWARF ---- */

struct dwarf_part {
	Dwarf *dwarf;
	bool are_types; /* the part is the .debug_types of that file */
	uint64_t base, size; /* its place in the concatenation of all parts, by which the index counts offsets */
	Dwarf_Die skeleton; /* of a split unit: its skeleton in the object's own file; else addr is NULL */
};

/** Return all parts (struct dwarf_part), the object's own first. Call debuginfo_dwarf() before. */
const GArray *dwarf_parts(struct debuginfo *debuginfo);
/** Return the number of split units whose file was not found. */
unsigned int dwarf_missing_parts(struct debuginfo *debuginfo);
/** Find the DIE at an offset in the concatenation of all parts. */
bool dwarf_die_at(struct debuginfo *debuginfo, uint64_t offset, Dwarf_Die *ret);
uint64_t dwarf_offset_of(struct debuginfo *debuginfo, Dwarf_Die *die);
/** Convert the files of split units to a form that libdw reads (split.c). Only debuginfo_dwarf() calls this. */
void parts_open_split(struct debuginfo *debuginfo);
/** Find a type's DIE by the signature of its unit, in parts that libdw does not search. Return false if not found. */
bool parts_find_type(struct debuginfo *debuginfo, uint64_t signature, Dwarf_Die *ret);
/** Return an error if dwz has moved parts of the DWARF to a file that was not found. */
struct error *dwarf_check_shared(struct debuginfo *debuginfo);
/** Close the parts, after dwarf_close() has closed the handle. */
void parts_close(struct debuginfo *debuginfo);

/* ---- die.c ---- */

/** Follow the chain of abstract origins to its end: the same DIE for a variable or function and all its instances. */
void abstract_die(Dwarf_Die *die, Dwarf_Die *ret);
/** Return the offset (in all parts) of the abstract instance that a DIE refers to, or its own. */
uint64_t die_origin(struct debuginfo *debuginfo, Dwarf_Die *die);
/**
 * Replace a DIE that only refers to a type unit (-fdebug-types-section) by the type in that unit. Return false, and
 * keep @p die, if it refers to none or the unit was not found.
 */
bool die_of_signature(struct debuginfo *debuginfo, Dwarf_Die *die);
/** Find the type of a DIE, in any part. Return false if it has none (void). */
bool die_type(struct debuginfo *debuginfo, Dwarf_Die *die, Dwarf_Die *ret);
/* Stands for a namespace without a name in a scope. */
#define ANONYMOUS_NAMESPACE "(anonymous namespace)"

/** Does a language (DW_LANG_…) have nested names such as "a::b"? */
bool language_has_scopes(int language);
/**
 * Remove the spaces of a name except between words, because compilers differ in them: "box<int,4>". The caller frees
 * it.
 */
char *scoped_spelling(const char *name);

#endif
