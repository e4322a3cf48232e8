/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parsing units of .debug_info without libdw, for scan.c (the index) and digest/reduce.c (the digest). */
#ifndef SPILE_DEBUGINFO_INDEX_UNITS_H
#define SPILE_DEBUGINFO_INDEX_UNITS_H

#include "translator/debuginfo/index/scan.h"

struct attribute {
	uint16_t name;
	uint16_t form;
	int64_t implicit; /* value of DW_FORM_implicit_const */
};

struct abbrev {
	uint16_t tag; /* 0: no such abbreviation */
	bool has_children;
	bool has_sibling;
	int32_t fixed_size; /* bytes of all attributes together; -1 if it depends on the values */
	uint32_t first; /* attributes [first, first + count) of scan->attributes */
	uint32_t count;
};

struct unit {
	uint64_t offset; /* of the header */
	struct reader reader;
	unsigned int version, address_size, offset_size;
	uint64_t addr_base, str_offsets_base, loclists_base, line_offset;
	const char *name, *comp_dir;
	bool is_type; /* DW_UT_type: a type that several files share */
	bool has_scopes; /* its language has namespaces and nested types */
	GPtrArray *files; /* read on first use */
};

enum form_class { FORM_NONE, FORM_NUMBER, FORM_ADDRESS, FORM_REFERENCE, FORM_OFFSET, FORM_STRING };

struct form_value {
	enum form_class class;
	uint64_t number; /* FORM_REFERENCE: offset in .debug_info */
	const char *string;
};

/** Return the size in bytes of a form of constant size, -1 for other forms (DWARF 5, section 7.5.6). */
int unit_form_size(const struct unit *unit, unsigned int form);
void unit_skip_form(const struct unit *unit, struct reader *reader, unsigned int form);
void unit_read_form(const struct scan *scan, const struct unit *unit, struct reader *reader,
		    const struct attribute *attribute, struct form_value *ret);

/** Read the unit header (7.5.1) and the offset of its abbreviations. */
bool unit_read_header(const struct dwarf_sections *sections, struct unit *unit, uint64_t *abbrevs);
/** Read the abbreviations of a unit into scan->abbrevs and scan->attributes. */
bool unit_read_abbrevs(struct scan *scan, const struct unit *unit, struct span section, uint64_t offset);
/** Read the unit's own DIE; afterwards unit->reader is at its first child. */
bool unit_read_die(struct scan *scan, struct unit *unit);
/** Return the name of a file by its number in the unit. */
const char *unit_file(const struct scan *scan, struct unit *unit, uint64_t number);

#endif
