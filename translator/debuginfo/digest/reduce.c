// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reducing DWARF without losing information: .debug_info with each type once instead of once per source file.
 *
 * Input: the units of a kernel. Output: new .debug_info and .debug_abbrev; other sections stay unchanged, except for
 * references to DIEs. Two thirds of a kernel's DIEs are types from headers, repeated in thousands of units. A type is
 * dropped if an earlier unit has the same type, and references to it are redirected. References within a unit
 * (DW_FORM_ref4) become references within the section (DW_FORM_ref_addr). Both have the same length, so no DIE changes
 * its size, and abbreviations are changed in place. Descriptions of the registers in which calls pass arguments are
 * dropped as well, because Spile does not read them.
 *
 * Two types are the same if their bytes are the same (with the names of files instead of their numbers), and so are the
 * types that they refer to, some levels deep. References to a named struct, union or enum are compared by its name
 * only. Otherwise nearly all types would differ, because the target of a pointer is defined in one unit and only
 * declared in another. (A reader that follows a pointer to a declaration finds the definition by name:
 * find_definition().) If a name has several definitions, the place of the definition is compared, too.
 *
 * Expressions refer to base types by their offset in the unit (DW_OP_convert and similar). gcc and clang put these
 * types first in a unit, and types at the beginning of a unit are kept.
 */
#include <stdlib.h>
#include <string.h>

#include "common/checksum.h"
#include "common/base/i18n.h"
#include "translator/debuginfo/digest/digest.h"
#include "translator/debuginfo/index/units.h"

#define ROUNDS 6
#define NO_TOP UINT32_MAX
#define AMBIGUOUS 1 /* marks a name with several definitions */

/* A range of .debug_info that is dropped. */
struct dropped_range {
	uint32_t start, end;
	uint32_t canonical; /* offset of the same type; NO_RECORD if there are no references to it */
	uint32_t removed; /* total size of all earlier ranges */
};

/* A type at the top level of the current unit. */
struct toplevel_type {
	uint32_t offset, end;
	uint32_t first_reference, reference_count;
	uint64_t own; /* hash of its bytes, without references */
	uint64_t name; /* hash used by references to it; 0: they use `current` */
	uint64_t current, next; /* hash with references, in this round and the next */
	bool stays; /* at the beginning of the unit, so it is kept */
};

struct reduction {
	struct scan scan; /* sections, and the abbreviations of the current unit */
	GArray *units; /* uint64_t */
	GHashTable *definitions; /* hash of tag and name -> identity of the definition, or AMBIGUOUS */
	GHashTable *canonical; /* hash of a type -> its first offset */
	GArray *dropped_ranges; /* struct dropped_range, in order */
	GArray *toplevel_types; /* struct toplevel_type of the current unit */
	GArray *references; /* uint64_t: targets of the types' references */
	GHashTable *patched; /* offsets of abbreviation tables already changed */
	uint32_t open_type; /* number of the type around the walk's position */
	bool in_prefix; /* only base types so far */
	GHashTable *moved_lists, *moved_old_lists; /* offset + 1 of each location list already changed */
	struct reduced_sections to;
	const char *problem;
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return checksum(hash, &value, sizeof(value));
}

/* ---- walking a unit ---- */

/*
 * Callback for a DIE, or for the end of a list of DIEs (NULL). The reader is at the attributes, which the callback
 * reads. It returns whether to visit the children; if not, it moves the reader past them.
 */
typedef bool take_die(struct reduction *reduction, struct unit *unit, const struct abbrev *abbrev, uint32_t offset,
		      unsigned int depth);

static uint32_t position(const struct reduction *reduction, const struct reader *reader)
{
	return (uint32_t)(reader->position - reduction->scan.sections.info.data);
}

static const struct abbrev *find_abbrev(const struct reduction *reduction, uint64_t code)
{
	const struct abbrev *abbrev = code < reduction->scan.abbrevs->len
					      ? &g_array_index(reduction->scan.abbrevs, struct abbrev, code)
					      : NULL;

	return abbrev && abbrev->tag ? abbrev : NULL;
}

static const struct attribute *first_attribute(const struct reduction *reduction, const struct abbrev *abbrev)
{
	return &g_array_index(reduction->scan.attributes, struct attribute, abbrev->first);
}

/* Visit all DIEs below that of the unit; its children have depth 1. */
static bool walk(struct reduction *reduction, struct unit *unit, take_die *take)
{
	struct reader *reader = &unit->reader;
	unsigned int depth = 1;

	while (depth && reader->position < reader->end) {
		uint32_t offset = position(reduction, reader);
		uint64_t code = read_uleb(reader);
		const struct abbrev *abbrev = code ? find_abbrev(reduction, code) : NULL;
		bool descend;

		if (code && !abbrev)
			return false;
		descend = take(reduction, unit, abbrev, offset, depth);
		if (reader->bad)
			return false;
		if (!abbrev)
			depth--;
		else if (descend && abbrev->has_children)
			depth++;
	}
	return true;
}

static bool open_unit(struct reduction *reduction, uint64_t offset, struct unit *unit, uint64_t *abbrevs)
{
	*unit = (struct unit){.offset = offset};
	return unit_read_header(&reduction->scan.sections, unit, abbrevs) &&
	       unit_read_abbrevs(&reduction->scan, unit, reduction->scan.sections.abbrev, *abbrevs) &&
	       unit->offset_size == 4 && !unit->is_type;
}

static void close_unit(struct unit *unit)
{
	if (unit->files)
		g_ptr_array_unref(unit->files);
}

static void skip_attributes(const struct reduction *reduction, const struct unit *unit, struct reader *reader,
			    const struct abbrev *abbrev)
{
	const struct attribute *attribute = first_attribute(reduction, abbrev);

	if (abbrev->fixed_size >= 0) {
		read_skip(reader, (uint64_t)abbrev->fixed_size);
		return;
	}
	for (uint32_t i = 0; i < abbrev->count; i++, attribute++)
		unit_skip_form(unit, reader, attribute->form);
}

/* ---- definitions: names with one definition only ---- */

static bool is_aggregate(unsigned int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type;
}

/* The attributes that distinguish aggregates. */
struct identity {
	uint64_t name; /* hash of tag and name; 0: it has none */
	uint64_t place; /* hash of file, line and size */
	bool is_declaration;
};

static void read_identity(const struct reduction *reduction, struct unit *unit, const struct abbrev *abbrev,
			  struct reader *reader, struct identity *identity)
{
	const struct attribute *attribute = first_attribute(reduction, abbrev);

	*identity = (struct identity){0};
	for (uint32_t i = 0; i < abbrev->count; i++, attribute++) {
		struct form_value value;

		unit_read_form(&reduction->scan, unit, reader, attribute, &value);
		if (attribute->name == DW_AT_name && value.string)
			identity->name = checksum(abbrev->tag, value.string, strlen(value.string));
		else if (attribute->name == DW_AT_declaration)
			identity->is_declaration = value.number != 0;
		else if (attribute->name == DW_AT_decl_file)
			identity->place =
				mix(identity->place, (uintptr_t)unit_file(&reduction->scan, unit, value.number));
		else if (attribute->name == DW_AT_decl_line || attribute->name == DW_AT_byte_size)
			identity->place = mix(identity->place, value.number);
	}
}

static bool take_definition(struct reduction *reduction, struct unit *unit, const struct abbrev *abbrev,
			    uint32_t offset, unsigned int depth)
{
	struct identity identity;
	gpointer known;

	if (!abbrev)
		return false;
	if (depth != 1 || !is_aggregate(abbrev->tag)) {
		skip_attributes(reduction, unit, &unit->reader, abbrev);
		return true;
	}
	read_identity(reduction, unit, abbrev, &unit->reader, &identity);
	if (!identity.name || identity.is_declaration)
		return true;
	known = g_hash_table_lookup(reduction->definitions, GSIZE_TO_POINTER(identity.name));
	if (known && GPOINTER_TO_SIZE(known) != identity.place)
		identity.place = AMBIGUOUS;
	g_hash_table_insert(reduction->definitions, GSIZE_TO_POINTER(identity.name), GSIZE_TO_POINTER(identity.place));
	return true;
}

/* Return the hash of references to an aggregate; 0 if it has no name. */
static uint64_t hash_of_name(const struct reduction *reduction, const struct identity *identity)
{
	gpointer known = g_hash_table_lookup(reduction->definitions, GSIZE_TO_POINTER(identity->name));

	if (!identity->name || GPOINTER_TO_SIZE(known) != AMBIGUOUS)
		return identity->name;
	return mix(identity->name, identity->is_declaration ? 0 : identity->place);
}

/* ---- hashing the types of a unit ---- */

static bool is_type(unsigned int tag)
{
	switch (tag) {
	case DW_TAG_base_type:
	case DW_TAG_typedef:
	case DW_TAG_pointer_type:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_array_type:
	case DW_TAG_subroutine_type:
		return true;
	default:
		return is_aggregate(tag);
	}
}

/* Hash the attributes of a type or of a DIE inside of it. References are collected; all others are hashed by value. */
static void hash_attributes(struct reduction *reduction, struct unit *unit, const struct abbrev *abbrev,
			    struct toplevel_type *top)
{
	const struct attribute *attribute = first_attribute(reduction, abbrev);

	top->own = mix(top->own, abbrev->tag);
	for (uint32_t i = 0; i < abbrev->count; i++, attribute++) {
		const uint8_t *start = unit->reader.position;
		struct form_value value;

		unit_read_form(&reduction->scan, unit, &unit->reader, attribute, &value);
		if (attribute->name == DW_AT_sibling)
			continue;
		top->own = mix(top->own, attribute->name);
		if (value.class == FORM_REFERENCE) {
			g_array_append_val(reduction->references, value.number);
			top->reference_count++;
		} else if (attribute->name == DW_AT_decl_file) {
			top->own = mix(top->own, (uintptr_t)unit_file(&reduction->scan, unit, value.number));
		} else if (value.class == FORM_STRING) {
			top->own = checksum(top->own, value.string ?: "", value.string ? strlen(value.string) : 0);
		} else if (value.class != FORM_NONE) {
			top->own = mix(top->own, value.number);
		} else {
			top->own = checksum(top->own, start, (size_t)(unit->reader.position - start));
		}
	}
}

static void begin_top(struct reduction *reduction, struct unit *unit, const struct abbrev *abbrev, uint32_t offset)
{
	struct toplevel_type top = {
		.offset = offset,
		.first_reference = reduction->references->len,
		.stays = reduction->in_prefix,
	};
	struct reader again = unit->reader;
	struct identity identity;

	if (is_aggregate(abbrev->tag)) {
		read_identity(reduction, unit, abbrev, &again, &identity);
		top.name = hash_of_name(reduction, &identity);
	}
	reduction->open_type = reduction->toplevel_types->len;
	g_array_append_val(reduction->toplevel_types, top);
}

static void end_top(struct reduction *reduction, uint32_t end)
{
	if (reduction->open_type != NO_TOP)
		g_array_index(reduction->toplevel_types, struct toplevel_type, reduction->open_type).end = end;
	reduction->open_type = NO_TOP;
}

/* Does it describe an argument passed in a register, not a parameter that the compiler removed (location/callers.c)? */
static bool is_passed_argument(const struct reduction *reduction, const struct abbrev *abbrev)
{
	const struct attribute *attribute = first_attribute(reduction, abbrev);

	if (abbrev->tag != DW_TAG_call_site_parameter && abbrev->tag != DW_TAG_GNU_call_site_parameter)
		return false;
	for (uint32_t i = 0; i < abbrev->count; i++)
		if (attribute[i].name == DW_AT_call_parameter || attribute[i].name == DW_AT_abstract_origin)
			return false;
	return true;
}

/* Drop a DIE without children that Spile does not read: an argument passed in a register. */
static void drop(struct reduction *reduction, struct unit *unit, const struct abbrev *abbrev, uint32_t offset)
{
	struct dropped_range range = {.start = offset, .canonical = NO_RECORD};

	skip_attributes(reduction, unit, &unit->reader, abbrev);
	range.end = position(reduction, &unit->reader);
	if (!abbrev->has_children)
		g_array_append_val(reduction->dropped_ranges, range);
}

static bool take_type(struct reduction *reduction, struct unit *unit, const struct abbrev *abbrev, uint32_t offset,
		      unsigned int depth)
{
	if (depth == 1)
		end_top(reduction, offset);
	if (!abbrev) {
		/* Hash the end of a list: a { b } c differs from a { b c }. */
		if (reduction->open_type != NO_TOP)
			g_array_index(reduction->toplevel_types, struct toplevel_type, reduction->open_type).own =
				mix(g_array_index(reduction->toplevel_types, struct toplevel_type, reduction->open_type)
					    .own,
				    0);
		return false;
	}
	if (depth == 1 && abbrev->tag != DW_TAG_base_type)
		reduction->in_prefix = false;
	if (depth == 1 && is_type(abbrev->tag))
		begin_top(reduction, unit, abbrev, offset);
	if (reduction->open_type != NO_TOP)
		hash_attributes(reduction, unit, abbrev,
				&g_array_index(reduction->toplevel_types, struct toplevel_type, reduction->open_type));
	else if (is_passed_argument(reduction, abbrev))
		drop(reduction, unit, abbrev, offset);
	else
		skip_attributes(reduction, unit, &unit->reader, abbrev);
	return true;
}

static const struct toplevel_type *find_type(const struct reduction *reduction, uint64_t offset)
{
	guint low = 0, high = reduction->toplevel_types->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;
		const struct toplevel_type *top =
			&g_array_index(reduction->toplevel_types, struct toplevel_type, middle);

		if (top->offset == offset)
			return top;
		if (top->offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* Extend the hashes by one more level of references. */
static void hash_references(struct reduction *reduction)
{
	struct toplevel_type *types = (struct toplevel_type *)reduction->toplevel_types->data;

	for (guint i = 0; i < reduction->toplevel_types->len; i++) {
		types[i].next = types[i].own;
		for (uint32_t n = 0; n < types[i].reference_count; n++) {
			uint64_t target = g_array_index(reduction->references, uint64_t, types[i].first_reference + n);
			const struct toplevel_type *other = find_type(reduction, target);

			/* A target that is not a top-level type makes the type unique. */
			types[i].next = mix(types[i].next, !other ? target : other->name ?: other->current);
		}
	}
	for (guint i = 0; i < reduction->toplevel_types->len; i++)
		types[i].current = types[i].next;
}

static gint compare_ranges(gconstpointer a, gconstpointer b)
{
	const struct dropped_range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static void find_duplicates(struct reduction *reduction, guint first_range)
{
	for (guint i = 0; i < reduction->toplevel_types->len; i++) {
		const struct toplevel_type *top = &g_array_index(reduction->toplevel_types, struct toplevel_type, i);
		gpointer found = g_hash_table_lookup(reduction->canonical, GSIZE_TO_POINTER(top->current));
		struct dropped_range range = {top->offset, top->end, GPOINTER_TO_UINT(found), 0};

		if (found && !top->stays)
			g_array_append_val(reduction->dropped_ranges, range);
		else if (!found)
			g_hash_table_insert(reduction->canonical, GSIZE_TO_POINTER(top->current),
					    GUINT_TO_POINTER(top->offset));
	}
	if (first_range < reduction->dropped_ranges->len)
		qsort(&g_array_index(reduction->dropped_ranges, struct dropped_range, first_range),
		      reduction->dropped_ranges->len - first_range, sizeof(struct dropped_range),
		      (int (*)(const void *, const void *))compare_ranges);
}

static bool reduce_unit(struct reduction *reduction, uint64_t offset)
{
	guint first_range = reduction->dropped_ranges->len;
	struct unit unit;
	uint64_t abbrevs;
	bool is_good;

	g_array_set_size(reduction->toplevel_types, 0);
	g_array_set_size(reduction->references, 0);
	reduction->open_type = NO_TOP;
	reduction->in_prefix = true;
	is_good = open_unit(reduction, offset, &unit, &abbrevs) &&
		  (!unit_read_die(&reduction->scan, &unit) || walk(reduction, &unit, take_type));
	for (guint i = 0; i < reduction->toplevel_types->len; i++)
		g_array_index(reduction->toplevel_types, struct toplevel_type, i).current =
			g_array_index(reduction->toplevel_types, struct toplevel_type, i).own;
	for (int i = 0; i < ROUNDS; i++)
		hash_references(reduction);
	find_duplicates(reduction, first_range);
	close_unit(&unit);
	return is_good;
}

/* ---- writing ---- */

/* Return the last range that begins at or before the offset, or -1. */
static gint range_before(const struct reduction *reduction, uint64_t offset)
{
	guint low = 0, high = reduction->dropped_ranges->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(reduction->dropped_ranges, struct dropped_range, middle).start <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return (gint)low - 1;
}

/* Return the new offset of a byte; for a dropped byte, that of the range's end. */
static uint32_t new_offset(const struct reduction *reduction, uint32_t offset)
{
	gint number = range_before(reduction, offset);
	const struct dropped_range *range =
		number < 0 ? NULL : &g_array_index(reduction->dropped_ranges, struct dropped_range, number);

	if (!range)
		return offset;
	if (offset < range->end)
		return range->start - range->removed;
	return offset - range->removed - (range->end - range->start);
}

/* Find the new target of a reference. Return false if the old target was dropped without a replacement. */
static bool new_target(const struct reduction *reduction, uint32_t offset, uint32_t *ret)
{
	gint number = range_before(reduction, offset);
	const struct dropped_range *range =
		number < 0 ? NULL : &g_array_index(reduction->dropped_ranges, struct dropped_range, number);

	*ret = 0;
	if (range && offset < range->end) {
		if (offset != range->start || range->canonical == NO_RECORD)
			return false;
		offset = range->canonical;
	}
	*ret = new_offset(reduction, offset);
	return true;
}

static void put(GByteArray *bytes, uint64_t at, uint32_t value)
{
	uint32_t little = GUINT32_TO_LE(value);

	memcpy(bytes->data + at, &little, sizeof(little));
}

/*
 * Is an unchanged reference still right? The assembler uses a form whose size depends on the offset, which cannot be
 * patched.
 */
static bool is_unmoved(const struct reduction *reduction, const struct unit *unit, uint64_t old, uint32_t target)
{
	return target - new_offset(reduction, (uint32_t)unit->offset) == old - unit->offset;
}

/* The unit of an expression, for moved_die(). */
struct referrer {
	const struct reduction *reduction;
	const struct unit *unit;
};

static uint32_t moved_die(const void *data, uint32_t offset, bool is_in_unit)
{
	const struct referrer *referrer = data;
	uint32_t unit = is_in_unit ? (uint32_t)referrer->unit->offset : 0, target;

	if (!new_target(referrer->reduction, unit + offset, &target))
		return 0;
	return is_in_unit ? target - new_offset(referrer->reduction, unit) : target;
}

/* Update an expression (with its size before it) at [start, end) of the copy. */
static void move_in_expression(struct reduction *reduction, const struct unit *unit, uint64_t start, uint64_t end)
{
	struct referrer referrer = {reduction, unit};
	uint8_t *bytes = reduction->to.info->data;
	struct reader reader = {bytes + start, bytes + end, false};
	uint64_t size = read_uleb(&reader);

	if (!reader.bad && size == (uint64_t)(reader.end - reader.position))
		expression_move_dies((void *)reader.position, size, moved_die, &referrer);
}

static void move_in_list(struct reduction *reduction, const struct unit *unit, uint64_t offset)
{
	bool is_old = unit->version < 5;
	struct referrer referrer = {reduction, unit};
	GByteArray *lists = is_old ? reduction->to.loc : reduction->to.loclists;

	if (!g_hash_table_add(is_old ? reduction->moved_old_lists : reduction->moved_lists,
			      GSIZE_TO_POINTER(offset + 1)))
		return;
	if (is_old)
		old_location_list_move_dies(lists->data, lists->len, offset, moved_die, &referrer);
	else
		location_list_move_dies(lists->data, lists->len, offset, moved_die, &referrer);
}

/* Update a list that is referred to by its number in the unit's table of lists (DW_FORM_loclistx, 7.29). */
static void move_in_numbered_list(struct reduction *reduction, const struct unit *unit, struct reader number)
{
	const uint8_t *lists = reduction->to.loclists->data;
	struct reader table = {lists, lists + reduction->to.loclists->len, false};
	uint64_t offset;

	read_skip(&table, unit->loclists_base);
	read_skip(&table, read_uleb(&number) * unit->offset_size);
	offset = read_unsigned(&table, unit->offset_size);
	if (!table.bad && !number.bad)
		move_in_list(reduction, unit, unit->loclists_base + offset);
}

/* Update the references of a copied DIE; the reader is at its attributes in the original. */
static void patch_references(struct reduction *reduction, struct unit *unit, const struct abbrev *abbrev,
			     uint32_t offset, uint64_t copy)
{
	const struct attribute *attribute = first_attribute(reduction, abbrev);

	for (uint32_t i = 0; i < abbrev->count; i++, attribute++) {
		uint64_t at = copy + position(reduction, &unit->reader) - offset;
		struct reader before = unit->reader;
		struct form_value value;
		uint32_t target;

		unit_read_form(&reduction->scan, unit, &unit->reader, attribute, &value);
		if (attribute->form == DW_FORM_exprloc)
			move_in_expression(reduction, unit, at, copy + position(reduction, &unit->reader) - offset);
		else if (attribute->form == DW_FORM_sec_offset && attribute->name == DW_AT_location)
			move_in_list(reduction, unit, value.number);
		else if (attribute->form == DW_FORM_loclistx)
			move_in_numbered_list(reduction, unit, before);
		if (value.class != FORM_REFERENCE)
			continue;
		if (attribute->name == DW_AT_sibling && attribute->form == DW_FORM_ref4)
			put(reduction->to.info, at,
			    new_offset(reduction, (uint32_t)value.number) -
				    new_offset(reduction, (uint32_t)unit->offset));
		else if (!new_target(reduction, (uint32_t)value.number, &target))
			reduction->problem = _("it has a reference into the middle of a type");
		else if (attribute->form == DW_FORM_ref4 || attribute->form == DW_FORM_ref_addr)
			put(reduction->to.info, at, target);
		else if (!is_unmoved(reduction, unit, value.number, target))
			reduction->problem = _("it has references of an unusual form");
	}
}

static bool take_copy(struct reduction *reduction, struct unit *unit, const struct abbrev *abbrev, uint32_t offset,
		      unsigned int depth)
{
	const uint8_t *start = reduction->scan.sections.info.data + offset;
	gint number = range_before(reduction, offset);
	const struct dropped_range *range =
		number < 0 ? NULL : &g_array_index(reduction->dropped_ranges, struct dropped_range, number);
	uint64_t copy = reduction->to.info->len;
	struct reader attributes = unit->reader;

	if (range && range->start == offset) {
		read_skip(&unit->reader, range->end - position(reduction, &unit->reader));
		return false;
	}
	if (abbrev)
		skip_attributes(reduction, unit, &unit->reader, abbrev);
	g_byte_array_append(reduction->to.info, start, (guint)(unit->reader.position - start));
	if (abbrev) {
		struct reader behind = unit->reader;

		unit->reader = attributes;
		patch_references(reduction, unit, abbrev, offset, copy);
		unit->reader = behind;
	}
	return true;
}

/* Change DW_FORM_ref4 to DW_FORM_ref_addr, except for DW_AT_sibling, which libdw expects within the unit. */
static void patch_abbrevs(struct reduction *reduction, uint64_t offset)
{
	struct reader reader = {reduction->to.abbrev->data + offset,
				reduction->to.abbrev->data + reduction->to.abbrev->len, false};

	if (!g_hash_table_add(reduction->patched, GSIZE_TO_POINTER(offset + 1)))
		return;
	while (read_uleb(&reader) && !reader.bad) {
		uint64_t name = 1, form = 1;

		read_uleb(&reader); /* tag */
		read_skip(&reader, 1); /* has_children */
		while ((name || form) && !reader.bad) {
			name = read_uleb(&reader);
			form = read_uleb(&reader);
			if (form == DW_FORM_implicit_const)
				read_sleb(&reader);
			else if (form == DW_FORM_ref4 && name != DW_AT_sibling)
				((uint8_t *)reader.position)[-1] = DW_FORM_ref_addr;
		}
	}
}

static bool write_unit(struct reduction *reduction, uint64_t offset)
{
	const uint8_t *start = reduction->scan.sections.info.data + offset;
	uint64_t copy = reduction->to.info->len, abbrevs;
	struct reader children;
	struct unit unit;
	bool has_children, is_good;

	if (!open_unit(reduction, offset, &unit, &abbrevs))
		return false;
	patch_abbrevs(reduction, abbrevs);
	has_children = unit_read_die(&reduction->scan, &unit);
	children = unit.reader;
	g_byte_array_append(reduction->to.info, start, (guint)(children.position - start));
	is_good = !has_children || walk(reduction, &unit, take_copy);
	/* Padding at the end of a unit. */
	g_byte_array_append(reduction->to.info, unit.reader.position, (guint)(unit.reader.end - unit.reader.position));
	put(reduction->to.info, copy, (uint32_t)(reduction->to.info->len - copy - 4));
	close_unit(&unit);
	return is_good;
}

/* ---- the whole section ---- */

static bool find_definitions(struct reduction *reduction)
{
	bool is_good = true;

	for (guint i = 0; i < reduction->units->len && is_good; i++) {
		struct unit unit;
		uint64_t abbrevs;

		is_good = open_unit(reduction, g_array_index(reduction->units, uint64_t, i), &unit, &abbrevs) &&
			  (!unit_read_die(&reduction->scan, &unit) || walk(reduction, &unit, take_definition));
		close_unit(&unit);
	}
	return is_good;
}

static void count_removed(struct reduction *reduction)
{
	uint32_t removed = 0;

	for (guint i = 0; i < reduction->dropped_ranges->len; i++) {
		struct dropped_range *range = &g_array_index(reduction->dropped_ranges, struct dropped_range, i);

		range->removed = removed;
		removed += range->end - range->start;
	}
}

static bool run(struct reduction *reduction)
{
	bool is_good = find_definitions(reduction);

	for (guint i = 0; i < reduction->units->len && is_good; i++)
		is_good = reduce_unit(reduction, g_array_index(reduction->units, uint64_t, i));
	count_removed(reduction);
	for (guint i = 0; i < reduction->units->len && is_good; i++)
		is_good = write_unit(reduction, g_array_index(reduction->units, uint64_t, i));
	return is_good;
}

/* Update the offsets of DIEs in the index. It refers to no dropped DIE, because it has the first of equal types. */
static void patch_index(struct reduction *reduction, struct index *index)
{
	struct index_function *functions = (struct index_function *)index->functions;
	struct index_variable *variables = (struct index_variable *)index->variables;
	struct index_type *types = (struct index_type *)index->types;
	uint32_t target;

	for (uint64_t i = 0; i < index->function_count; i++) {
		new_target(reduction, functions[i].die, &target);
		functions[i].die = target;
	}
	for (uint64_t i = 0; i < index->variable_count; i++) {
		new_target(reduction, variables[i].die, &target);
		variables[i].die = target;
	}
	for (uint64_t i = 0; i < index->type_count; i++) {
		new_target(reduction, (uint32_t)types[i].die, &target);
		types[i].die = target;
	}
}

static void copy_section(Dwarf *dwarf, const char *name, GByteArray *to)
{
	struct span section = elf_section_span(dwarf_getelf(dwarf), name);

	if (section.size)
		g_byte_array_append(to, section.data, (guint)section.size);
}

struct error *dwarf_reduce(struct debuginfo *debuginfo, Dwarf *dwarf, struct index *index,
			   const struct reduced_sections *to)
{
	struct file_names *names = file_names_new(false);
	struct reduction reduction = {
		.definitions = g_hash_table_new(g_direct_hash, g_direct_equal),
		.canonical = g_hash_table_new(g_direct_hash, g_direct_equal),
		.dropped_ranges = g_array_new(FALSE, FALSE, sizeof(struct dropped_range)),
		.toplevel_types = g_array_new(FALSE, FALSE, sizeof(struct toplevel_type)),
		.references = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
		.patched = g_hash_table_new(g_direct_hash, g_direct_equal),
		.moved_lists = g_hash_table_new(g_direct_hash, g_direct_equal),
		.moved_old_lists = g_hash_table_new(g_direct_hash, g_direct_equal),
		.to = *to,
	};
	bool is_good;

	copy_section(dwarf, ".debug_loclists", to->loclists);
	copy_section(dwarf, ".debug_loc", to->loc);
	scan_init(&reduction.scan, dwarf, names);
	reduction.units = scan_list_units(&reduction.scan.sections);
	g_byte_array_append(to->abbrev, reduction.scan.sections.abbrev.data,
			    (guint)reduction.scan.sections.abbrev.size);
	is_good = run(&reduction);
	patch_index(&reduction, index);
	g_array_unref(reduction.units);
	g_hash_table_unref(reduction.definitions);
	g_hash_table_unref(reduction.canonical);
	g_array_unref(reduction.dropped_ranges);
	g_array_unref(reduction.toplevel_types);
	g_array_unref(reduction.references);
	g_hash_table_unref(reduction.patched);
	g_hash_table_unref(reduction.moved_lists);
	g_hash_table_unref(reduction.moved_old_lists);
	scan_clear(&reduction.scan);
	file_names_free(names);
	if (is_good && !reduction.problem)
		return NULL;
	return debuginfo_malformed(debuginfo, reduction.problem ?: _("its DWARF cannot be read"));
}
