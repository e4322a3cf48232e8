/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fast scan of .debug_info, from whose records the index is built. */
#ifndef SPILE_DEBUGINFO_INDEX_SCAN_H
#define SPILE_DEBUGINFO_INDEX_SCAN_H

#include "translator/debuginfo/lines/lines.h"

#define NO_RECORD UINT32_MAX

struct scan_function {
	const char *name; /* points into the DWARF's strings */
	const char *scope; /* prefix of the name, such as "space::" or ""; NULL: not known */
	const char *file; /* from the name table of lines/files.c */
	uint64_t entry; /* dwarf address */
	uint64_t die;
	uint64_t origin; /* DIE with the name: the abstract instance or the function itself */
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
	bool has_no_place; /* a definition without a location */
};

/* The state and the records of one scanning thread. */
struct scan {
	Dwarf *dwarf;
	struct debuginfo *debuginfo; /* for DIEs in other files; NULL if there are no other files */
	uint64_t base, shared_base; /* first offset of the scanned file, and of the file shared by dwz */
	struct span shared_strings; /* .debug_str of the shared file */
	uint64_t line_offset, addr_base; /* for the file of a split unit: attributes of its skeleton, with comp_dir */
	const char *comp_dir;
	struct dwarf_sections sections;
	struct file_names *files;
	GHashTable *lambdas; /* DIE of a method without a line -> struct lambda, for the units of `lambda_units` */
	GHashTable *lambda_units;
	GHashTable *foreign_files; /* DIE of another unit -> its file names (GPtrArray) */
	GArray *functions; /* struct scan_function */
	GArray *types; /* struct scan_type, unique by (tag, name pointer) */
	GArray *variables; /* struct scan_variable */
	GHashTable *seen_types;
	GHashTable *declared; /* name pointers of variables */
	GStringChunk *names; /* names with "scope::" before them, each once */
	/* Scratch of the current unit. */
	GArray *abbrevs, *attributes, *subprograms, *unit_variables, *stack;
	GArray *scopes; /* const char *, parallel to `stack`: the scope at each level; NULL: not of interest */
	unsigned int units, bad_units;
};

void scan_init(struct scan *scan, Dwarf *dwarf, struct file_names *files);
void scan_clear(struct scan *scan);
/** Record the functions, types and variables of the unit at @p offset of .debug_info. */
void scan_unit(struct scan *scan, uint64_t offset);
/** Return the offsets of all units (uint64_t). */
GArray *scan_list_units(const struct dwarf_sections *sections);
/** Return the offset of the next unit, 0 if the header is malformed. */
uint64_t scan_next_unit(const struct dwarf_sections *sections, uint64_t offset);

#endif
