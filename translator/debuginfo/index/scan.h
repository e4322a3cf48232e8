/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes of a quick walk over .debug_info, of which the index is made. */
#ifndef SPILE_DEBUGINFO_INDEX_SCAN_H
#define SPILE_DEBUGINFO_INDEX_SCAN_H

#include "translator/debuginfo/lines/lines.h"

#define NO_RECORD UINT32_MAX

struct scan_function {
	const char *name; /* points into the DWARF's strings */
	const char *scope; /* what is before the name: "space::", ""; NULL: not known */
	const char *file; /* from the name table of lines/files.c */
	uint64_t entry; /* dwarf address */
	uint64_t die;
	uint64_t origin; /* DIE that says the name: the abstract instance, or the function itself */
	uint32_t size;
	uint32_t line;
	uint32_t container; /* index of a scan_function, NO_RECORD for a real function */
	bool is_external;
};

struct scan_type {
	const char *name;
	uint64_t die;
	uint16_t tag;
};

struct scan_variable {
	const char *name;
	const char *file;
	uint64_t die;
	bool is_external;
	bool is_declaration;
};

/* Notes of one scanning thread. */
struct scan {
	Dwarf *dwarf;
	struct debuginfo *debuginfo; /* for DIEs in other files; NULL: there are none */
	uint64_t base, shared_base; /* where offsets of the file at hand begin, and those of the file that dwz made */
	struct span shared_strings; /* of that file */
	uint64_t line_offset,
		addr_base; /* of the unit whose file this is, with its folder; it has them in the object's own file */
	const char *comp_dir;
	struct dwarf_sections sections;
	struct file_names *files;
	GArray *functions; /* struct scan_function */
	GArray *types; /* struct scan_type, without repetitions by (tag, name pointer) */
	GArray *variables; /* struct scan_variable */
	GHashTable *seen_types;
	GHashTable *declared; /* name pointers of variables */
	GStringChunk *names; /* those with "scope::" before them, each once */
	/* Scratch of the current unit. */
	GArray *abbrevs, *attributes, *subprograms, *unit_variables, *stack;
	GArray *scopes; /* const char *, beside `stack`: what is before names there; NULL: they are of no interest */
	unsigned int units, bad_units;
};

void scan_init(struct scan *scan, Dwarf *dwarf, struct file_names *files);
void scan_clear(struct scan *scan);
/** Note the functions, types and variables of the unit that starts at @p offset of .debug_info. */
void scan_unit(struct scan *scan, uint64_t offset);
/** Offsets of all units (uint64_t). */
GArray *scan_list_units(const struct dwarf_sections *sections);
/** Offset behind a unit, 0 if its header is malformed. */
uint64_t scan_next_unit(const struct dwarf_sections *sections, uint64_t offset);

#endif
