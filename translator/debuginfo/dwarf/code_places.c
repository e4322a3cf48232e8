// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is at an address: the functions that are inlined there and the real function, each with its source line, as
 * addr2line(1) prints them.
 *
 * The idea: the unit is found by the ranges of all units, which take some milliseconds to read even of a kernel. A list
 * of the unit's functions by address is made when an address in it is asked for. Then only the instances in one
 * function are visited.
 *
 * The line of an inlined function is that of the line table. The line of each function around it is where the compiler
 * says that the inner one was called.
 */
#include "translator/debuginfo/dwarf/dwarf.h"
#include "translator/debuginfo/index/index.h"
#include "translator/debuginfo/lines/lines.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/i18n.h"

enum {
	MOST_LEVELS = 256, /* of nested DIEs */
	MOST_FUNCTIONS = 1 << 16, /* that may cover one address; a limit for damaged DWARF */
};

struct unit_range {
	uint64_t low, high;
	guint unit; /* index in `units` */
};

struct function_range {
	uint64_t low, high;
	Dwarf_Die die;
};

struct code_unit {
	Dwarf_Die die; /* has the line table */
	Dwarf_Die tree; /* has the functions; differs from `die` if the unit is split */
	GArray *functions; /* struct function_range, by `low`; NULL: not read yet */
	bool is_thorough; /* `functions` contains nested functions, too */
	uint64_t longest; /* of the ranges in `functions` */
};

struct code_map {
	GArray *ranges; /* struct unit_range, by `low` */
	uint64_t longest; /* of `ranges` */
	GArray *units; /* struct code_unit */
	GHashTable *files; /* name from libdw (its address) -> spelling */
};

/* ---- units ------------------------------------------------------------------------------------------------------- */

static int compare_ranges(gconstpointer a, gconstpointer b)
{
	const uint64_t *x = a, *y = b; /* `low` of both kinds of ranges */

	return *x < *y ? -1 : *x > *y;
}

static void add_unit(struct code_map *map, Dwarf_Die *die, Dwarf_Die *split)
{
	struct code_unit unit = {.die = *die, .tree = split->addr ? *split : *die};
	struct unit_range range = {.unit = map->units->len};
	ptrdiff_t offset = 0;
	Dwarf_Addr base;

	while ((offset = dwarf_ranges(die, offset, &base, &range.low, &range.high)) > 0) {
		if (range.low >= range.high)
			continue;
		map->longest = MAX(map->longest, range.high - range.low);
		g_array_append_val(map->ranges, range);
	}
	g_array_append_val(map->units, unit);
}

static void clear_unit(gpointer data)
{
	struct code_unit *unit = data;

	if (unit->functions)
		g_array_unref(unit->functions);
}

static struct code_map *read_units(Dwarf *dwarf)
{
	struct code_map *map = g_new0(struct code_map, 1);
	Dwarf_CU *unit = NULL;
	Dwarf_Die die, split;

	map->ranges = g_array_new(FALSE, FALSE, sizeof(struct unit_range));
	map->units = g_array_new(FALSE, FALSE, sizeof(struct code_unit));
	map->files = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
	g_array_set_clear_func(map->units, clear_unit);
	while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, &split) == 0)
		if (die.addr)
			add_unit(map, &die, &split);
	g_array_sort(map->ranges, compare_ranges);
	return map;
}

void code_map_free(struct code_map *map)
{
	if (!map)
		return;
	g_array_unref(map->ranges);
	g_array_unref(map->units);
	g_hash_table_unref(map->files);
	g_free(map);
}

/*
 * Find the shortest range that covers an address. The ranges are sorted by `low`, and none is longer than @p longest.
 * @p size is that of the array's elements, which begin with `low` and `high`.
 */
static const void *shortest_range(const GArray *ranges, size_t size, uint64_t longest, uint64_t address)
{
	const uint64_t *found = NULL;
	guint low = 0, high = ranges->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (*(const uint64_t *)(ranges->data + middle * size) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (guint tries = 0; low-- > 0 && tries < MOST_FUNCTIONS; tries++) {
		const uint64_t *range = (const uint64_t *)(ranges->data + low * size);

		if (address - range[0] >= longest)
			break;
		if (address < range[1] && (!found || range[1] - range[0] < found[1] - found[0]))
			found = range;
	}
	return found;
}

static struct code_unit *unit_at(const struct code_map *map, uint64_t address)
{
	const struct unit_range *range = shortest_range(map->ranges, sizeof(struct unit_range), map->longest, address);

	return range ? &g_array_index(map->units, struct code_unit, range->unit) : NULL;
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

/* May definitions of functions be inside of a DIE? In C, they are at the top. */
static bool holds_functions(int tag, bool has_scopes)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
		return true;
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_variant_part:
	case DW_TAG_variant:
		return has_scopes;
	default:
		return false;
	}
}

static void collect_functions(struct code_unit *unit, Dwarf_Die *outer, bool has_scopes, int level)
{
	Dwarf_Die child;

	if (level >= MOST_LEVELS)
		return;
	for (int next = dwarf_child(outer, &child); next == 0; next = dwarf_siblingof(&child, &child)) {
		int tag = dwarf_tag(&child);
		struct function_range range = {.die = child};
		ptrdiff_t offset = 0;
		Dwarf_Addr base;

		while (tag == DW_TAG_subprogram &&
		       (offset = dwarf_ranges(&child, offset, &base, &range.low, &range.high)) > 0) {
			unit->longest = MAX(unit->longest, range.high - range.low);
			g_array_append_val(unit->functions, range);
		}
		if (holds_functions(tag, has_scopes))
			collect_functions(unit, &child, has_scopes, level + 1);
	}
}

static void read_functions(struct code_unit *unit, bool is_thorough)
{
	if (!unit->functions)
		unit->functions = g_array_new(FALSE, FALSE, sizeof(struct function_range));
	g_array_set_size(unit->functions, 0);
	collect_functions(unit, &unit->tree, is_thorough, 0);
	g_array_sort(unit->functions, compare_ranges);
	unit->is_thorough = is_thorough;
}

static const struct function_range *search_functions(const struct code_unit *unit, uint64_t address)
{
	return shortest_range(unit->functions, sizeof(struct function_range), unit->longest, address);
}

/* Find the real function around an address. GNU C also has functions inside of others, which are rare. */
static const struct function_range *function_around(struct code_unit *unit, uint64_t address)
{
	const struct function_range *found;

	if (!unit->functions)
		read_functions(unit, language_has_scopes(dwarf_srclang(&unit->tree)));
	found = search_functions(unit, address);
	if (found || unit->is_thorough)
		return found;
	read_functions(unit, true);
	return search_functions(unit, address);
}

/* Does a block have no addresses of its own? Then those of its children count. */
static bool has_no_addresses(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_lexical_block && !dwarf_hasattr(die, DW_AT_low_pc) &&
	       !dwarf_hasattr(die, DW_AT_ranges);
}

/* Append the inlined instances around an address (Dwarf_Die), the outermost first. Return whether there are any. */
static bool find_instances(Dwarf_Die *outer, uint64_t address, int level, GArray *ret)
{
	Dwarf_Die child;

	if (level >= MOST_LEVELS)
		return false;
	for (int next = dwarf_child(outer, &child); next == 0; next = dwarf_siblingof(&child, &child)) {
		int tag = dwarf_tag(&child);

		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block && tag != DW_TAG_try_block &&
		    tag != DW_TAG_catch_block)
			continue;
		if (has_no_addresses(&child)) {
			if (find_instances(&child, address, level + 1, ret))
				return true;
			continue;
		}
		if (dwarf_haspc(&child, address) != 1)
			continue;
		if (tag == DW_TAG_inlined_subroutine)
			g_array_append_val(ret, child);
		find_instances(&child, address, level + 1, ret);
		return true;
	}
	return false;
}

/* Return the name with its scope, from the symbol if the language has scopes. */
static const char *name_of(struct debuginfo *debuginfo, Dwarf_Die *die)
{
	const char *scope, *name, *linkage;
	Dwarf_Attribute attribute;

	linkage = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute)
					   ?: dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute));
	if (linkage && index_read_mangled(debuginfo->arena, linkage, &scope, &name))
		return arena_printf(debuginfo->arena, "%s%s", scope, name);
	return dwarf_diename(die);
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static const char *file_spelling(struct debuginfo *debuginfo, Dwarf_Die *unit, const char *source)
{
	GHashTable *files = debuginfo->code_map->files;
	char *name = source ? g_hash_table_lookup(files, source) : NULL;

	if (name || !source)
		return name;
	name = line_file_name(debuginfo, unit, source);
	g_hash_table_insert(files, (gpointer)source, name);
	return name;
}

static void set_place(struct debuginfo *debuginfo, Dwarf_Die *unit, const char *source, int line,
		      struct code_place *place)
{
	/* Line 0 marks code that belongs to no source line. */
	if (line <= 0)
		return;
	place->file = file_spelling(debuginfo, unit, source);
	place->line = place->file ? line : 0;
}

/* Set the place of the innermost function from the line table. */
static void set_line(struct debuginfo *debuginfo, struct code_unit *unit, uint64_t address, struct code_place *place)
{
	Dwarf_Line *row = dwarf_getsrc_die(&unit->die, address);
	int line = 0;

	if (row && dwarf_lineno(row, &line) == 0)
		set_place(debuginfo, &unit->die, dwarf_linesrc(row, NULL, NULL), line, place);
}

static Dwarf_Word number_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number = 0;

	if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &number) != 0)
		return 0;
	return number;
}

/* Set the place of a function from the call of the instance that is inlined into it. */
static void set_call(struct debuginfo *debuginfo, struct code_unit *unit, Dwarf_Die *instance, struct code_place *place)
{
	Dwarf_Word file = number_of(instance, DW_AT_call_file), line = number_of(instance, DW_AT_call_line);
	Dwarf_Files *files;
	size_t count;

	if (line > G_MAXINT || !dwarf_hasattr(instance, DW_AT_call_file) ||
	    dwarf_getsrcfiles(&unit->tree, &files, &count) != 0 || file >= count)
		return;
	set_place(debuginfo, &unit->die, dwarf_filesrc(files, file, NULL, NULL), (int)line, place);
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static struct code_place real_place(struct debuginfo *debuginfo, const struct function_range *function)
{
	struct code_place place = {0};
	Dwarf_Die die;

	if (!function)
		return place;
	die = function->die;
	place.name = name_of(debuginfo, &die);
	if (dwarf_entrypc(&die, &place.entry) != 0)
		place.entry = 0;
	return place;
}

static void append_places(struct debuginfo *debuginfo, struct code_unit *unit, uint64_t address, GArray *ret)
{
	const struct function_range *function = function_around(unit, address);
	g_autoptr(GArray) instances = g_array_new(FALSE, FALSE, sizeof(Dwarf_Die));
	struct code_place real = real_place(debuginfo, function);
	Dwarf_Die *inner = NULL, die;

	if (function) {
		die = function->die;
		find_instances(&die, address, 0, instances);
	}
	for (guint i = instances->len; i-- > 0;) {
		Dwarf_Die *instance = &g_array_index(instances, Dwarf_Die, i);
		struct code_place place = {.name = name_of(debuginfo, instance)};

		if (inner)
			set_call(debuginfo, unit, inner, &place);
		else
			set_line(debuginfo, unit, address, &place);
		g_array_append_val(ret, place);
		inner = instance;
	}
	if (inner)
		set_call(debuginfo, unit, inner, &real);
	else
		set_line(debuginfo, unit, address, &real);
	g_array_append_val(ret, real);
}

struct error *dwarf_code_places(struct debuginfo *debuginfo, struct address address, GArray *ret)
{
	struct code_unit *unit;
	uint64_t pc;
	Dwarf *dwarf;
	struct error *error = debuginfo_dwarf(debuginfo, &dwarf);

	if (error)
		return error;
	debuginfo_provide(debuginfo, ".debug_line");
	if (!debuginfo->code_map)
		debuginfo->code_map = read_units(dwarf);
	pc = debuginfo_dwarf_address(debuginfo, address);
	unit = unit_at(debuginfo->code_map, pc);
	if (unit)
		append_places(debuginfo, unit, pc, ret);
	return NULL;
}
