// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fast scan of .debug_info.
 *
 * Input: one unit of .debug_info. Output: a record for every function with code, every inlined instance, every named
 * type and every file-level variable. A kernel has some twenty million DIEs, and the index needs one in twenty. libdw
 * takes 100 ns and more for each, so the first script for a kernel would wait several seconds. Here the bytes are read
 * in the order of the section: a DIE whose attributes all have a fixed size is skipped by one addition, DW_AT_sibling
 * skips whole subtrees, and strings stay pointers into .debug_str.
 *
 * Rare cases (several address ranges, references into other units) go through libdw. Malformed bytes end only the scan
 * of their unit. Section numbers in comments are those of the DWARF 5 standard.
 */
#include "translator/debuginfo/index/units.h"

#include <string.h>

#include "common/base/cleanup.h"

/* gcc numbers abbreviations densely from 1; a unit with higher numbers is treated as malformed. */
#define MOST_ABBREVS (1 << 20)
#define MOST_ORIGINS 8 /* concrete instance, abstract instance, declaration: 3 in practice */

/* The attributes of one DIE that the index needs. */
struct die {
	uint64_t offset;
	uint16_t tag;
	const char *name, *comp_dir;
	uint64_t sibling, origin;
	struct form_value low, high, entry, file;
	uint64_t line, line_offset;
	bool has_ranges, has_location, is_declaration, is_external, is_abstract;
};

/* A subprogram or file-level variable to which other DIEs of the unit may refer as their origin. Sorted by offset. */
struct origin {
	uint64_t offset;
	const char *name, *scope;
	uint64_t next; /* its own origin, 0: none */
	uint64_t file;
	bool has_file;
	uint32_t line;
	bool is_external;
};

int unit_form_size(const struct unit *unit, unsigned int form)
{
	switch (form) {
	case DW_FORM_implicit_const:
	case DW_FORM_flag_present:
		return 0;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
	case DW_FORM_ref_sup4:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8:
		return 8;
	case DW_FORM_data16:
		return 16;
	case DW_FORM_addr:
		return (int)unit->address_size;
	case DW_FORM_ref_addr: /* the size of an address in DWARF 2 */
		return (int)(unit->version < 3 ? unit->address_size : unit->offset_size);
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_sec_offset:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return (int)unit->offset_size;
	default:
		return -1;
	}
}

static void skip_variable_form(const struct unit *unit, struct reader *reader, unsigned int form)
{
	switch (form) {
	case DW_FORM_udata:
	case DW_FORM_sdata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		read_uleb(reader);
		break;
	case DW_FORM_string:
		read_string(reader);
		break;
	case DW_FORM_exprloc:
	case DW_FORM_block:
		read_skip(reader, read_uleb(reader));
		break;
	case DW_FORM_block1:
		read_skip(reader, read_unsigned(reader, 1));
		break;
	case DW_FORM_block2:
		read_skip(reader, read_unsigned(reader, 2));
		break;
	case DW_FORM_block4:
		read_skip(reader, read_unsigned(reader, 4));
		break;
	default: /* DW_FORM_indirect and unknown forms make the rest of the unit unreadable */
		reader->bad = true;
	}
}

void unit_skip_form(const struct unit *unit, struct reader *reader, unsigned int form)
{
	int size = unit_form_size(unit, form);

	if (size >= 0)
		read_skip(reader, (uint64_t)size);
	else
		skip_variable_form(unit, reader, form);
}

/* Read an entry of .debug_addr or .debug_str_offsets. */
static uint64_t table_entry(struct span table, uint64_t base, uint64_t number, unsigned int size)
{
	struct reader reader = {table.data, table.data + table.size, false};

	if (base > table.size || number > (table.size - base) / size)
		return 0;
	reader.position += base + number * size;
	return read_unsigned(&reader, size);
}

static void read_string_form(const struct scan *scan, const struct unit *unit, struct reader *reader, unsigned int form,
			     struct form_value *ret)
{
	struct span section = scan->sections.str;
	uint64_t offset;

	ret->class = FORM_STRING;
	switch (form) {
	case DW_FORM_string:
		ret->string = read_string(reader);
		return;
	case DW_FORM_line_strp:
		section = scan->sections.line_str;
		offset = read_unsigned(reader, unit->offset_size);
		break;
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_strp_sup:
		section = scan->shared_strings;
		offset = read_unsigned(reader, unit->offset_size);
		break;
	case DW_FORM_strp:
		offset = read_unsigned(reader, unit->offset_size);
		break;
	default: /* strx: an index into the unit's part of .debug_str_offsets (7.26) */
		offset = form == DW_FORM_strx || form == DW_FORM_GNU_str_index
				 ? read_uleb(reader)
				 : read_unsigned(reader, (unsigned int)unit_form_size(unit, form));
		offset = table_entry(scan->sections.str_offsets, unit->str_offsets_base, offset, unit->offset_size);
	}
	ret->string = span_string(section, offset);
}

void unit_read_form(const struct scan *scan, const struct unit *unit, struct reader *reader,
		    const struct attribute *attribute, struct form_value *ret)
{
	unsigned int form = attribute->form;
	uint64_t number;

	*ret = (struct form_value){FORM_NONE, 0, NULL};
	switch (form) {
	case DW_FORM_implicit_const:
	case DW_FORM_flag_present:
		*ret = (struct form_value){FORM_NUMBER,
					   form == DW_FORM_flag_present ? 1 : (uint64_t)attribute->implicit, NULL};
		return;
	case DW_FORM_flag:
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
		*ret = (struct form_value){FORM_NUMBER, read_unsigned(reader, (unsigned int)unit_form_size(unit, form)),
					   NULL};
		return;
	case DW_FORM_udata:
		*ret = (struct form_value){FORM_NUMBER, read_uleb(reader), NULL};
		return;
	case DW_FORM_sdata:
		*ret = (struct form_value){FORM_NUMBER, (uint64_t)read_sleb(reader), NULL};
		return;
	case DW_FORM_addr:
		*ret = (struct form_value){FORM_ADDRESS, read_unsigned(reader, unit->address_size), NULL};
		return;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
		number = form == DW_FORM_addrx ? read_uleb(reader)
					       : read_unsigned(reader, (unsigned int)unit_form_size(unit, form));
		number = table_entry(scan->sections.addr, unit->addr_base, number, unit->address_size);
		*ret = (struct form_value){FORM_ADDRESS, number, NULL};
		return;
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
		number = read_unsigned(reader, (unsigned int)unit_form_size(unit, form));
		*ret = (struct form_value){FORM_REFERENCE, unit->offset + number, NULL};
		return;
	case DW_FORM_ref_udata:
		*ret = (struct form_value){FORM_REFERENCE, unit->offset + read_uleb(reader), NULL};
		return;
	case DW_FORM_ref_addr:
		number = read_unsigned(reader, (unsigned int)unit_form_size(unit, form));
		*ret = (struct form_value){FORM_REFERENCE, number, NULL};
		return;
	case DW_FORM_sec_offset:
		*ret = (struct form_value){FORM_OFFSET, read_unsigned(reader, unit->offset_size), NULL};
		return;
	case DW_FORM_GNU_addr_index:
		number = table_entry(scan->sections.addr, unit->addr_base, read_uleb(reader), unit->address_size);
		*ret = (struct form_value){FORM_ADDRESS, number, NULL};
		return;
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
		number = read_unsigned(reader, (unsigned int)unit_form_size(unit, form));
		*ret = (struct form_value){FORM_REFERENCE, number + scan->shared_base - scan->base, NULL};
		return;
	case DW_FORM_string:
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_str_index:
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
		read_string_form(scan, unit, reader, form, ret);
		return;
	default:
		unit_skip_form(unit, reader, form);
	}
}

/* Read an abbreviation declaration after its code (7.5.3). */
static void read_abbrev(struct scan *scan, const struct unit *unit, struct reader *reader, struct abbrev *abbrev)
{
	abbrev->tag = (uint16_t)read_uleb(reader);
	abbrev->has_children = read_unsigned(reader, 1) != 0;
	abbrev->first = scan->attributes->len;
	while (!reader->bad) {
		struct attribute attribute = {.name = (uint16_t)read_uleb(reader), .form = (uint16_t)read_uleb(reader)};
		int size;

		if (!attribute.name && !attribute.form)
			break;
		if (attribute.form == DW_FORM_implicit_const)
			attribute.implicit = read_sleb(reader);
		if (attribute.name == DW_AT_sibling)
			abbrev->has_sibling = true;
		size = unit_form_size(unit, attribute.form);
		abbrev->fixed_size = size < 0 || abbrev->fixed_size < 0 ? -1 : abbrev->fixed_size + size;
		g_array_append_val(scan->attributes, attribute);
	}
	abbrev->count = scan->attributes->len - abbrev->first;
}

bool unit_read_abbrevs(struct scan *scan, const struct unit *unit, struct span section, uint64_t offset)
{
	struct reader reader = {section.data, section.data + section.size, false};

	g_array_set_size(scan->abbrevs, 0);
	g_array_set_size(scan->attributes, 0);
	read_skip(&reader, offset);
	while (!reader.bad) {
		uint64_t code = read_uleb(&reader);

		if (!code)
			return !reader.bad;
		if (code > MOST_ABBREVS)
			return false;
		if (code >= scan->abbrevs->len)
			g_array_set_size(scan->abbrevs, (guint)code + 1);
		read_abbrev(scan, unit, &reader, &g_array_index(scan->abbrevs, struct abbrev, code));
	}
	return false;
}

static void note_attribute(struct die *die, unsigned int name, const struct form_value *value)
{
	switch (name) {
	case DW_AT_sibling:
		die->sibling = value->number;
		break;
	case DW_AT_name:
		die->name = value->string;
		break;
	case DW_AT_comp_dir:
		die->comp_dir = value->string;
		break;
	case DW_AT_stmt_list:
		die->line_offset = value->number;
		break;
	case DW_AT_abstract_origin:
	case DW_AT_specification:
		die->origin = value->class == FORM_REFERENCE ? value->number : 0;
		break;
	case DW_AT_low_pc:
		die->low = *value;
		break;
	case DW_AT_high_pc:
		die->high = *value;
		break;
	case DW_AT_entry_pc:
		die->entry = *value;
		break;
	case DW_AT_ranges:
		die->has_ranges = true;
		break;
	case DW_AT_location:
	case DW_AT_const_value:
		die->has_location = true;
		break;
	case DW_AT_declaration:
		die->is_declaration = value->number != 0;
		break;
	case DW_AT_external:
		die->is_external = value->number != 0;
		break;
	case DW_AT_inline:
		die->is_abstract = true;
		break;
	case DW_AT_decl_file:
		die->file = *value;
		break;
	case DW_AT_decl_line:
		die->line = value->number;
		break;
	}
}

static void read_die(const struct scan *scan, const struct unit *unit, struct reader *reader,
		     const struct abbrev *abbrev, struct die *die)
{
	const struct attribute *attribute = &g_array_index(scan->attributes, struct attribute, abbrev->first);
	struct form_value value;

	for (uint32_t i = 0; i < abbrev->count; i++, attribute++) {
		unit_read_form(scan, unit, reader, attribute, &value);
		note_attribute(die, attribute->name, &value);
	}
}

/* Skip the attributes; return DW_AT_sibling or 0. */
static uint64_t skip_die(const struct scan *scan, const struct unit *unit, struct reader *reader,
			 const struct abbrev *abbrev)
{
	const struct attribute *attribute = &g_array_index(scan->attributes, struct attribute, abbrev->first);
	uint64_t sibling = 0;

	if (abbrev->fixed_size >= 0 && !abbrev->has_sibling) {
		read_skip(reader, (uint64_t)abbrev->fixed_size);
		return 0;
	}
	for (uint32_t i = 0; i < abbrev->count; i++, attribute++) {
		struct form_value value;

		if (attribute->name != DW_AT_sibling) {
			unit_skip_form(unit, reader, attribute->form);
			continue;
		}
		unit_read_form(scan, unit, reader, attribute, &value);
		sibling = value.number;
	}
	return sibling;
}

const char *unit_file(const struct scan *scan, struct unit *unit, uint64_t number)
{
	if (!unit->files)
		unit->files = line_files(&scan->sections, scan->files, unit->line_offset, unit->comp_dir, unit->name);
	return number < unit->files->len ? g_ptr_array_index(unit->files, number) : "";
}

/* Find the DIE at an offset relative to this file; beyond its end, the DIE is in another part. */
static bool scan_die_at(const struct scan *scan, uint64_t offset, Dwarf_Die *ret)
{
	if (offset < scan->sections.info.size)
		return dwarf_section_die(scan->dwarf, scan->sections.are_types, offset, ret);
	return scan->debuginfo && dwarf_die_at(scan->debuginfo, scan->base + offset, ret);
}

/*
 * Find entry and size of code with several ranges, with libdw. gcc may set DW_AT_entry_pc of an inlined instance before
 * all of its ranges, if its first instructions moved elsewhere; it is still the entry.
 */
static bool slow_extent(const struct scan *scan, const struct die *die, uint64_t *entry, uint32_t *size)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;
	Dwarf_Die found;

	*entry = die->entry.class == FORM_ADDRESS ? die->entry.number : 0;
	if (!scan_die_at(scan, die->offset, &found))
		return false;
	if (!*entry && die->entry.class == FORM_NUMBER && dwarf_entrypc(&found, &start) == 0)
		*entry = start;
	while ((offset = dwarf_ranges(&found, offset, &base, &start, &end)) > 0) {
		if (!*entry)
			*entry = start;
		if (*entry >= start && *entry < end) {
			*size = (uint32_t)MIN(end - *entry, UINT32_MAX);
			break;
		}
	}
	return *entry != 0;
}

/* Find the entry of a DIE's code and the size from there to the end of its range. Return false if it has no code. */
static bool extent(const struct scan *scan, const struct die *die, uint64_t *entry, uint32_t *size)
{
	uint64_t end;

	if (die->has_ranges)
		return slow_extent(scan, die, entry, size);
	if (die->low.class != FORM_ADDRESS || !die->low.number)
		return false; /* the linker dropped the section */
	*entry = die->low.number;
	end = die->high.class == FORM_ADDRESS ? die->high.number : *entry + die->high.number;
	if (die->entry.class == FORM_ADDRESS && die->entry.number)
		*entry = die->entry.number;
	*size = end > *entry ? (uint32_t)MIN(end - *entry, UINT32_MAX) : 0;
	return true;
}

static void note_origin(GArray *origins, const struct die *die, const char *scope)
{
	struct origin origin = {
		.offset = die->offset,
		.name = die->name,
		.scope = scope,
		.next = die->origin,
		.file = die->file.number,
		.has_file = die->file.class == FORM_NUMBER,
		.line = (uint32_t)die->line,
		.is_external = die->is_external,
	};

	g_array_append_val(origins, origin);
}

/* Record a function or inlined instance; names follow at the end of the unit. Return the container for its children. */
static uint32_t note_function(struct scan *scan, const struct die *die, uint32_t container)
{
	bool is_inlined = die->tag == DW_TAG_inlined_subroutine;
	struct scan_function function = {
		.die = die->offset,
		.origin = is_inlined ? die->origin : die->offset,
		.container = is_inlined ? container : NO_RECORD,
	};

	if (is_inlined && container == NO_RECORD)
		return container; /* inside an abstract instance; the concrete ones repeat it */
	if (!extent(scan, die, &function.entry, &function.size))
		return container;
	g_array_append_val(scan->functions, function);
	return is_inlined ? container : scan->functions->len - 1;
}

/*
 * Prefix a name with its scope, spelled as in debuginfo_find_type(). Names of languages without scopes stay unchanged.
 */
static const char *scoped_name(struct scan *scan, const struct unit *unit, const char *scope, const char *name)
{
	g_autofree char *text = NULL, *clean = NULL;

	if (!unit->has_scopes || !name || !scope)
		return name;
	text = g_strconcat(scope, name, NULL);
	clean = scoped_spelling(text);
	return g_string_chunk_insert_const(scan->names, clean);
}

static void note_type(struct scan *scan, const struct unit *unit, const struct die *die, const char *scope)
{
	const char *name = scoped_name(scan, unit, scope, die->name);
	/* The index does not distinguish classes from structs. */
	uint16_t tag = die->tag == DW_TAG_class_type ? DW_TAG_structure_type : die->tag;
	struct scan_type type = {name, die->offset, tag};
	/* The linker merges strings in .debug_str, so equal names nearly always have equal pointers. */
	gpointer key = (gpointer)((uintptr_t)name * 64 + (tag & 63));

	if (!name || die->is_declaration || !g_hash_table_add(scan->seen_types, key))
		return;
	g_array_append_val(scan->types, type);
}

static bool is_class(unsigned int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* Return the scope of a DIE's children; NULL if they are not of interest. */
static const char *inner_scope(struct scan *scan, const struct unit *unit, const struct die *die, const char *scope)
{
	g_autofree char *text = NULL;

	if (!unit->has_scopes || !scope)
		return NULL;
	if (die->tag != DW_TAG_namespace && (!die->name || !is_class(die->tag)))
		return NULL;
	text = g_strconcat(scope, die->name ?: ANONYMOUS_NAMESPACE, "::", NULL);
	return g_string_chunk_insert_const(scan->names, text);
}

/*
 * Record a definition, or the first declaration of a name. Variables that the linker script or assembler defines
 * (jiffies) have only declarations.
 */
static void note_variable(struct scan *scan, const struct die *die)
{
	struct scan_variable variable = {.die = die->offset,
					 .is_declaration = die->is_declaration,
					 .has_no_place = !die->has_location && !die->is_declaration};

	if (!die->is_declaration || (die->name && g_hash_table_add(scan->declared, (gpointer)die->name)))
		g_array_append_val(scan->variables, variable);
}

static bool is_type(unsigned int tag)
{
	return is_class(tag) || tag == DW_TAG_enumeration_type || tag == DW_TAG_typedef || tag == DW_TAG_base_type;
}

static bool is_wanted(const struct unit *unit, unsigned int tag, const char *scope)
{
	if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
		return true;
	if (!scope)
		return false;
	return tag == DW_TAG_variable || is_type(tag) ||
	       (unit->has_scopes && (tag == DW_TAG_namespace || tag == DW_TAG_member));
}

/* Record a DIE. Set the container for its children and return whether these are of interest. */
static bool note_die(struct scan *scan, const struct unit *unit, const struct die *die, const char *scope,
		     uint32_t *container)
{
	switch (die->tag) {
	case DW_TAG_subprogram:
		note_origin(scan->subprograms, die, scope);
		*container = note_function(scan, die, NO_RECORD);
		/* With LTO, the instances of a lambda may still be inside of a function that was removed. */
		return *container != NO_RECORD || (unit->has_scopes && die->origin && !die->is_abstract);
	case DW_TAG_inlined_subroutine:
		*container = note_function(scan, die, *container);
		return true;
	case DW_TAG_variable:
		note_origin(scan->unit_variables, die, scope);
		note_variable(scan, die);
		return false;
	case DW_TAG_member: /* before DWARF 5, the declaration of a static data member */
		if (die->is_external)
			note_origin(scan->unit_variables, die, scope);
		return false;
	case DW_TAG_namespace:
		return true;
	default:
		if (unit->has_scopes && die->is_declaration)
			note_origin(scan->unit_variables, die, scope);
		note_type(scan, unit, die, scope);
		return unit->has_scopes && die->name && is_class(die->tag);
	}
}

/* Enter a list of children, with the function around it and the scope of its names. */
static void push(struct scan *scan, uint32_t container, const char *scope)
{
	g_array_append_val(scan->stack, container);
	g_array_append_val(scan->scopes, scope);
}

static int compare_origin(const void *key, const void *element)
{
	uint64_t offset = *(const uint64_t *)key;
	const struct origin *origin = element;

	return offset < origin->offset ? -1 : offset > origin->offset;
}

/*
 * Return the scope of a type. If it is defined outside of its scope (DW_AT_specification), that is the scope of its
 * declaration.
 */
static const char *declared_scope(const struct scan *scan, const struct unit *unit, struct die *die, const char *scope)
{
	const struct origin *origin = NULL;

	if (unit->has_scopes && die->origin && is_type(die->tag))
		origin = bsearch(&die->origin, scan->unit_variables->data, scan->unit_variables->len,
				 sizeof(struct origin), compare_origin);
	if (!origin)
		return scope;
	if (!die->name)
		die->name = origin->name;
	return origin->scope;
}

static uint32_t pop(struct scan *scan, const char **scope)
{
	guint left = scan->stack->len - 1;

	g_array_set_size(scan->stack, left);
	g_array_set_size(scan->scopes, left);
	*scope = left ? g_array_index(scan->scopes, const char *, left - 1) : NULL;
	return left ? g_array_index(scan->stack, uint32_t, left - 1) : NO_RECORD;
}

/*
 * Walk over the DIEs of a unit. `stack` holds, for each open list of children, the function around it. A null entry
 * (7.5.2) closes the innermost list; closing the unit's own ends the walk.
 */
static bool walk(struct scan *scan, struct unit *unit)
{
	const uint8_t *info = scan->sections.info.data;
	struct reader *reader = &unit->reader;
	uint32_t container = NO_RECORD;
	const char *scope = "";

	g_array_set_size(scan->stack, 0);
	g_array_set_size(scan->scopes, 0);
	push(scan, container, scope);
	while (reader->position < reader->end && scan->stack->len) {
		struct die die = {.offset = (uint64_t)(reader->position - info)};
		uint64_t code = read_uleb(reader), sibling;
		uint32_t inner = container;
		const struct abbrev *abbrev;
		const char *scope_inside = NULL;
		bool descend;

		if (!code) {
			container = pop(scan, &scope);
			continue;
		}
		if (code >= scan->abbrevs->len)
			return false;
		abbrev = &g_array_index(scan->abbrevs, struct abbrev, code);
		if (!abbrev->tag)
			return false;
		if (is_wanted(unit, abbrev->tag, scope)) {
			die.tag = abbrev->tag;
			read_die(scan, unit, reader, abbrev, &die);
			sibling = die.sibling;
			scope_inside = declared_scope(scan, unit, &die, scope);
			descend = note_die(scan, unit, &die, scope_inside, &inner);
			scope_inside = inner_scope(scan, unit, &die, scope_inside);
		} else {
			sibling = skip_die(scan, unit, reader, abbrev);
			/* Local classes have methods; a lambda is such a class, too. */
			descend = abbrev->tag == DW_TAG_lexical_block || (unit->has_scopes && is_class(abbrev->tag));
			if (abbrev->tag != DW_TAG_lexical_block)
				inner = NO_RECORD;
		}
		if (reader->bad)
			return false;
		if (!abbrev->has_children)
			continue;
		if (!descend && sibling > die.offset && sibling <= (uint64_t)(reader->end - info)) {
			reader->position = MAX(reader->position, info + sibling);
			continue;
		}
		container = inner;
		scope = scope_inside;
		push(scan, container, scope);
	}
	return !reader->bad;
}

/* The attributes of a function or variable, collected along its origins. */
struct resolved {
	const char *name, *scope, *file;
	uint32_t line;
	bool is_external;
};

/* Return the scope of a DIE, with libdw. */
static const char *foreign_scope(struct scan *scan, Dwarf_Die *die)
{
	g_autoptr(GString) text = g_string_new(NULL);
	_cleanup_free_ Dwarf_Die *scopes = NULL;
	int count = dwarf_getscopes_die(die, &scopes);

	for (int i = 1; i < count; i++) {
		int tag = dwarf_tag(&scopes[i]);
		const char *name = dwarf_diename(&scopes[i]);

		if (tag != DW_TAG_namespace && (!name || !is_class((unsigned int)tag)))
			break;
		g_string_prepend(text, "::");
		g_string_prepend(text, name ?: ANONYMOUS_NAMESPACE);
	}
	return g_string_chunk_insert_const(scan->names, text->str);
}

/* Return the file names of another unit, by its DIE. */
static const GPtrArray *foreign_files(struct scan *scan, Dwarf_Die *unit)
{
	GPtrArray *files = g_hash_table_lookup(scan->foreign_files, unit->addr);
	struct dwarf_sections sections;
	Dwarf_Attribute attribute;
	Dwarf_Word offset;

	if (files || dwarf_formudata(dwarf_attr(unit, DW_AT_stmt_list, &attribute), &offset) != 0)
		return files;
	sections = dwarf_find_sections(dwarf_cu_getdwarf(unit->cu));
	files = line_files(&sections, scan->files, offset,
			   dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute)), dwarf_diename(unit));
	g_hash_table_insert(scan->foreign_files, unit->addr, files);
	return files;
}

/* Return the file in which a DIE of another unit is declared, whose number refers to the table of its unit, or NULL. */
static const char *foreign_file(struct scan *scan, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const GPtrArray *files;
	Dwarf_Word number;
	Dwarf_Half version;
	Dwarf_Die unit;

	if (dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_file, &attribute), &number) != 0 ||
	    !dwarf_cu_die(attribute.cu, &unit, &version, NULL, NULL, NULL, NULL, NULL) || (!number && version < 5))
		return NULL;
	files = foreign_files(scan, &unit);
	return files && number < files->len ? g_ptr_array_index(files, number) : NULL;
}

/* Read an origin in another unit (LTO, dwz). */
static void foreign_origin(struct scan *scan, const struct unit *unit, uint64_t offset, struct resolved *ret)
{
	Dwarf_Die die, named;
	Dwarf_Attribute attribute;
	int number;

	if (!scan_die_at(scan, offset, &die))
		return;
	if (!ret->line && dwarf_decl_line(&die, &number) == 0)
		ret->line = (uint32_t)number;
	if (!ret->file)
		ret->file = foreign_file(scan, &die);
	if (ret->name)
		return;
	for (int i = 0; i < MOST_ORIGINS && !dwarf_hasattr(&die, DW_AT_name); i++) {
		if ((!dwarf_attr(&die, DW_AT_abstract_origin, &attribute) &&
		     !dwarf_attr(&die, DW_AT_specification, &attribute)) ||
		    !dwarf_formref_die(&attribute, &named))
			break;
		die = named;
	}
	ret->name = dwarf_diename(&die);
	if (unit->has_scopes && ret->name)
		ret->scope = foreign_scope(scan, &die);
}

/* ---- lambdas ---- */

#define MOST_LEVELS 32

/* Where a lambda is written. */
struct lambda {
	const char *file;
	uint32_t line;
};

/* Note the methods without a line of all classes in a DIE: their lines are those of the classes. */
static void note_lambdas(struct scan *scan, Dwarf_Die *outer, int level)
{
	bool is_in_class = is_class((unsigned int)dwarf_tag(outer));
	int line = 0, own;
	Dwarf_Die child;

	if (is_in_class && dwarf_decl_line(outer, &line) != 0)
		line = 0;
	for (int next = dwarf_child(outer, &child); next == 0; next = dwarf_siblingof(&child, &child)) {
		bool is_function = dwarf_tag(&child) == DW_TAG_subprogram;
		struct lambda *lambda;

		if (is_function && line && dwarf_decl_line(&child, &own) != 0) {
			lambda = g_new(struct lambda, 1);
			*lambda = (struct lambda){foreign_file(scan, outer), (uint32_t)line};
			g_hash_table_insert(scan->lambdas, child.addr, lambda);
		}
		if (level < MOST_LEVELS &&
		    (is_function || dwarf_tag(&child) == DW_TAG_lexical_block ||
		     dwarf_tag(&child) == DW_TAG_namespace || is_class((unsigned int)dwarf_tag(&child))))
			note_lambdas(scan, &child, level + 1);
	}
}

/*
 * Find where a lambda is written. gcc gives no line to its method, which is artificial, but to its class. libdw does
 * not find the class around a DIE without a search, so all methods of the unit are noted at once.
 */
static void find_lambda(struct scan *scan, uint64_t offset, struct resolved *ret)
{
	const struct lambda *lambda;
	Dwarf_Die die, unit;

	if (!scan_die_at(scan, offset, &die) || !dwarf_diecu(&die, &unit, NULL, NULL))
		return;
	if (g_hash_table_add(scan->lambda_units, unit.addr))
		note_lambdas(scan, &unit, 0);
	lambda = g_hash_table_lookup(scan->lambdas, die.addr);
	if (!lambda)
		return;
	ret->line = lambda->line;
	ret->file = lambda->file ?: ret->file;
}

/* Follow abstract_origin and specification; the nearest value wins. */
static struct resolved resolve(struct scan *scan, struct unit *unit, const GArray *origins, uint64_t offset)
{
	struct resolved found = {0};
	uint64_t last = offset;

	for (int i = 0; i < MOST_ORIGINS && offset; i++) {
		const struct origin *origin =
			bsearch(&offset, origins->data, origins->len, sizeof(struct origin), compare_origin);

		last = offset;
		if (!origin) {
			foreign_origin(scan, unit, offset, &found);
			break;
		}
		if (!found.name) {
			found.name = origin->name;
			found.scope = origin->scope;
		}
		/* DWARF 5 numbers files from 0, which clang uses for the unit's own file; before, 0 meant no file. */
		if (!found.file && origin->has_file && (origin->file || unit->version >= 5))
			found.file = unit_file(scan, unit, origin->file);
		/* The definition of a method may have only the line, if its class is in the same file. */
		if (!found.line)
			found.line = origin->line;
		found.is_external |= origin->is_external;
		offset = origin->next;
	}
	if (unit->has_scopes && !found.line && g_strcmp0(found.name, "operator()") == 0)
		find_lambda(scan, last, &found);
	return found;
}

/* Set the names of the functions and variables recorded in this unit. */
static void name_notes(struct scan *scan, struct unit *unit, guint first_function, guint first_variable)
{
	for (guint i = first_function; i < scan->functions->len; i++) {
		struct scan_function *function = &g_array_index(scan->functions, struct scan_function, i);
		struct resolved found = resolve(scan, unit, scan->subprograms, function->origin);

		function->name = found.name;
		function->scope = unit->has_scopes ? found.scope : NULL;
		function->line = found.line;
		function->is_external = found.is_external;
		/* The assembler writes no DW_AT_decl_file. */
		function->file = found.file ?: unit_file(scan, unit, unit->version >= 5 ? 0 : 1);
	}
	for (guint i = first_variable; i < scan->variables->len; i++) {
		struct scan_variable *variable = &g_array_index(scan->variables, struct scan_variable, i);
		struct resolved found = resolve(scan, unit, scan->unit_variables, variable->die);

		variable->name = scoped_name(scan, unit, found.scope, found.name);
		variable->file = found.file ?: "";
		variable->is_external = found.is_external;
	}
}

/* Read the unit's own DIE twice, because forms of the first attributes may need bases that follow later. */
bool unit_read_die(struct scan *scan, struct unit *unit)
{
	const uint8_t *start = unit->reader.position;
	struct die die = {.offset = 0};
	const struct attribute *attribute;
	const struct abbrev *abbrev;
	struct form_value value;
	uint64_t code = read_uleb(&unit->reader);

	if (code >= scan->abbrevs->len)
		return false;
	abbrev = &g_array_index(scan->abbrevs, struct abbrev, code);
	if (abbrev->tag != DW_TAG_compile_unit && abbrev->tag != DW_TAG_partial_unit &&
	    !(abbrev->tag == DW_TAG_type_unit && unit->is_type))
		return false;
	/* DIEs that dwz moved into a partial unit may be of any language. */
	unit->has_scopes = abbrev->tag == DW_TAG_partial_unit;
	unit->addr_base = scan->addr_base;
	attribute = &g_array_index(scan->attributes, struct attribute, abbrev->first);
	for (uint32_t i = 0; i < abbrev->count; i++, attribute++) {
		unit_read_form(scan, unit, &unit->reader, attribute, &value);
		if (attribute->name == DW_AT_addr_base)
			unit->addr_base = value.number;
		else if (attribute->name == DW_AT_str_offsets_base)
			unit->str_offsets_base = value.number;
		else if (attribute->name == DW_AT_loclists_base)
			unit->loclists_base = value.number;
		else if (attribute->name == DW_AT_language)
			unit->has_scopes = language_has_scopes((int)value.number);
	}
	unit->reader.position = start;
	read_uleb(&unit->reader);
	read_die(scan, unit, &unit->reader, abbrev, &die);
	unit->name = die.name;
	unit->comp_dir = die.comp_dir ?: scan->comp_dir;
	unit->line_offset = die.line_offset ?: scan->line_offset;
	return abbrev->has_children && !unit->reader.bad;
}

bool unit_read_header(const struct dwarf_sections *sections, struct unit *unit, uint64_t *abbrevs)
{
	struct span info = sections->info;
	struct reader *reader = &unit->reader;
	uint64_t length;
	unsigned int type = DW_UT_compile;

	*reader = (struct reader){info.data, info.data + info.size, false};
	read_skip(reader, unit->offset);
	unit->offset_size = 4;
	length = read_unsigned(reader, 4);
	if (length == UINT32_MAX) { /* 64-bit DWARF (7.4) */
		unit->offset_size = 8;
		length = read_unsigned(reader, 8);
	}
	if (reader->bad || length > (uint64_t)(reader->end - reader->position))
		return false;
	reader->end = reader->position + length;
	unit->version = (unsigned int)read_unsigned(reader, 2);
	if (unit->version >= 5) {
		type = (unsigned int)read_unsigned(reader, 1);
		unit->address_size = (unsigned int)read_unsigned(reader, 1);
		*abbrevs = read_unsigned(reader, unit->offset_size);
	} else {
		*abbrevs = read_unsigned(reader, unit->offset_size);
		unit->address_size = (unsigned int)read_unsigned(reader, 1);
	}
	/* Without DW_AT_str_offsets_base, the table starts after its header (7.26); in DWARF 4 it had no header. */
	unit->str_offsets_base = unit->version < 5 ? 0 : unit->offset_size == 8 ? 16 : 8;
	unit->is_type = type == DW_UT_type || type == DW_UT_split_type || sections->are_types;
	if (unit->is_type)
		read_skip(reader, 8 + unit->offset_size); /* signature and offset of the type */
	else if (type == DW_UT_split_compile)
		read_skip(reader, 8); /* number of the split unit */
	return !reader->bad && unit->version >= 2 && unit->version <= 5 &&
	       (type == DW_UT_compile || type == DW_UT_partial || type == DW_UT_type || type == DW_UT_split_compile ||
		type == DW_UT_split_type) &&
	       (unit->address_size == 8 || unit->address_size == 4);
}

uint64_t scan_next_unit(const struct dwarf_sections *sections, uint64_t offset)
{
	struct reader reader = {sections->info.data, sections->info.data + sections->info.size, false};
	uint64_t length;

	read_skip(&reader, offset);
	length = read_unsigned(&reader, 4);
	if (length == UINT32_MAX)
		length = read_unsigned(&reader, 8);
	if (reader.bad || length > (uint64_t)(reader.end - reader.position))
		return 0;
	return (uint64_t)(reader.position - sections->info.data) + length;
}

GArray *scan_list_units(const struct dwarf_sections *sections)
{
	GArray *units = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	uint64_t offset = 0;

	while (offset < sections->info.size) {
		uint64_t next = scan_next_unit(sections, offset);

		if (!next)
			break;
		g_array_append_val(units, offset);
		offset = next;
	}
	return units;
}

void scan_unit(struct scan *scan, uint64_t offset)
{
	struct unit unit = {.offset = offset};
	guint first_function = scan->functions->len, first_variable = scan->variables->len;
	uint64_t abbrevs;

	scan->units++;
	g_array_set_size(scan->subprograms, 0);
	g_array_set_size(scan->unit_variables, 0);
	if (!unit_read_header(&scan->sections, &unit, &abbrevs) ||
	    !unit_read_abbrevs(scan, &unit, scan->sections.abbrev, abbrevs) || !unit_read_die(scan, &unit) ||
	    !walk(scan, &unit))
		scan->bad_units++;
	name_notes(scan, &unit, first_function, first_variable);
	if (unit.files)
		g_ptr_array_unref(unit.files);
}

void scan_init(struct scan *scan, Dwarf *dwarf, struct file_names *files)
{
	*scan = (struct scan){
		.dwarf = dwarf,
		.sections = dwarf_find_sections(dwarf),
		.files = files,
		.functions = g_array_new(FALSE, FALSE, sizeof(struct scan_function)),
		.types = g_array_new(FALSE, FALSE, sizeof(struct scan_type)),
		.variables = g_array_new(FALSE, FALSE, sizeof(struct scan_variable)),
		.seen_types = g_hash_table_new(g_direct_hash, g_direct_equal),
		.declared = g_hash_table_new(g_direct_hash, g_direct_equal),
		.foreign_files =
			g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, (GDestroyNotify)g_ptr_array_unref),
		.lambdas = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free),
		.lambda_units = g_hash_table_new(g_direct_hash, g_direct_equal),
		.abbrevs = g_array_new(FALSE, TRUE, sizeof(struct abbrev)),
		.attributes = g_array_new(FALSE, FALSE, sizeof(struct attribute)),
		.subprograms = g_array_new(FALSE, FALSE, sizeof(struct origin)),
		.unit_variables = g_array_new(FALSE, FALSE, sizeof(struct origin)),
		.names = g_string_chunk_new(4096),
		.stack = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.scopes = g_array_new(FALSE, FALSE, sizeof(const char *)),
	};
}

void scan_clear(struct scan *scan)
{
	GArray *arrays[] = {scan->functions,   scan->types,	     scan->variables, scan->abbrevs, scan->attributes,
			    scan->subprograms, scan->unit_variables, scan->stack,     scan->scopes};

	for (size_t i = 0; i < G_N_ELEMENTS(arrays); i++)
		g_array_unref(arrays[i]);
	g_hash_table_unref(scan->seen_types);
	g_hash_table_unref(scan->declared);
	g_hash_table_unref(scan->foreign_files);
	g_hash_table_unref(scan->lambdas);
	g_hash_table_unref(scan->lambda_units);
	g_string_chunk_free(scan->names);
}
