// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Line queries: finding the addresses where source lines begin.
 *
 * A unit's line table has rows of (address, file, line) without functions; the index has functions and inlined
 * instances without lines. Several lines may begin at one address: that of a call and those of the function inlined
 * there. So a row belongs to the instance around its address whose function has the line, that is, the function
 * declared last before the line. If that function has no instance in the real function (it was inlined without a
 * trace), the row belongs to the innermost instance.
 *
 * A line may begin at several addresses, because the compiler copied or split its code. Each address where the line
 * table begins a statement after one of another line is a place. Code outside of a function's main range (f.cold)
 * continues lines that began there, and is a place only of lines without one in the main range. If no statement begins
 * at a line, as at the last line of many functions in optimized code, the place is the first of its rows.
 *
 * A file's functions may be in thousands of units (headers). Only units with functions that can have the lines are
 * read.
 */
#include "translator/debuginfo/dwarf/dwarf.h"
#include "translator/debuginfo/index/index.h"
#include "translator/debuginfo/lines/lines.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

#include "common/base/i18n.h"

/* A row of the line table. */
struct row {
	uint64_t address;
	const char *file; /* normalized */
	int line;
	bool is_statement; /* a statement begins there */
};

/* A range of an inlined instance in a real function, with its nesting depth. */
struct scope {
	uint64_t low, high;
	uint64_t die;
	uint64_t origin; /* abstract DIE of all instances of the function */
	int declaration_line;
	int depth;
};

struct search {
	struct debuginfo *debuginfo;
	const struct statement_query *query;
	GHashTable *rows; /* offset of a unit -> GArray of struct row, by address */
	GHashTable *scopes; /* offset of a real function -> GArray of struct scope */
	/*
	 * name from libdw (by its address, so of one unit) -> normalized name, or NULL if the query does not match it
	 */
	GHashTable *files;
	/* file name in the index -> GArray of int, the sorted declaration lines of its functions */
	GHashTable *declarations;
	bool may_nest; /* the current function may have others inside, as lambdas are */
	GPtrArray *ret;
};

static void free_array(gpointer array)
{
	g_array_unref(array);
}

/* ---- rows ---- */

static const char *row_file(struct search *search, Dwarf_Die *unit, const char *source)
{
	gpointer found;
	char *name;

	if (g_hash_table_lookup_extended(search->files, source, NULL, &found))
		return found;
	name = line_file_name(search->debuginfo, unit, source);
	if (search->query->file && !file_matches(name, search->query->file)) {
		g_free(name);
		name = NULL;
	}
	g_hash_table_insert(search->files, (gpointer)source, name);
	return name;
}

static void add_row(struct search *search, Dwarf_Die *unit, Dwarf_Line *line, GArray *rows)
{
	const char *source;
	struct row row;
	bool is_end;

	if (dwarf_linebeginstatement(line, &row.is_statement) != 0 || dwarf_lineendsequence(line, &is_end) != 0 ||
	    is_end || dwarf_lineno(line, &row.line) != 0 || row.line <= 0 || dwarf_lineaddr(line, &row.address) != 0)
		return;
	source = dwarf_linesrc(line, NULL, NULL);
	row.file = source ? row_file(search, unit, source) : NULL;
	if (row.file)
		g_array_append_val(rows, row);
}

static int compare_rows(gconstpointer a, gconstpointer b)
{
	const struct row *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static const GArray *unit_rows(struct search *search, Dwarf_Die *unit)
{
	gpointer key = GSIZE_TO_POINTER(dwarf_offset_of(search->debuginfo, unit));
	GArray *rows = g_hash_table_lookup(search->rows, key);
	Dwarf_Lines *lines;
	size_t count;

	if (rows)
		return rows;
	rows = g_array_new(FALSE, FALSE, sizeof(struct row));
	g_hash_table_insert(search->rows, key, rows);
	debuginfo_provide(search->debuginfo, ".debug_line");
	if (dwarf_getsrclines(unit, &lines, &count) != 0)
		return rows;
	for (size_t i = 0; i < count; i++)
		add_row(search, unit, dwarf_onesrcline(lines, i), rows);
	g_array_sort(rows, compare_rows);
	return rows;
}

static guint lower_row(const GArray *rows, uint64_t address)
{
	guint low = 0, high = rows->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(rows, struct row, middle).address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ---- scopes ---- */

/*
 * Return the entry of an inlined instance as a range of one byte. gcc may put the entry before the instance's ranges,
 * where its first statement begins: the instructions moved, but the row remains.
 */
static bool entry_range(Dwarf_Die *die, uint64_t *low, uint64_t *high)
{
	if (dwarf_tag(die) != DW_TAG_inlined_subroutine || dwarf_entrypc(die, low) != 0)
		return false;
	*high = *low + 1;
	return true;
}

static void collect_scopes(struct debuginfo *debuginfo, Dwarf_Die *outer, int depth, GArray *scopes)
{
	Dwarf_Die child;

	for (int next = dwarf_child(outer, &child); next == 0; next = dwarf_siblingof(&child, &child)) {
		int tag = dwarf_tag(&child);
		bool is_inlined = tag == DW_TAG_inlined_subroutine;
		struct scope scope = {.die = dwarf_offset_of(debuginfo, &child), .depth = depth + 1};
		Dwarf_Addr base;
		ptrdiff_t offset = 0;

		if (!is_inlined && tag != DW_TAG_lexical_block)
			continue;
		scope.origin = die_origin(debuginfo, &child);
		if (dwarf_decl_line(&child, &scope.declaration_line) != 0)
			scope.declaration_line = 0;
		while (is_inlined && (offset = dwarf_ranges(&child, offset, &base, &scope.low, &scope.high)) > 0)
			g_array_append_val(scopes, scope);
		if (entry_range(&child, &scope.low, &scope.high))
			g_array_append_val(scopes, scope);
		collect_scopes(debuginfo, &child, depth + 1, scopes);
	}
}

static const GArray *function_scopes(struct search *search, const struct function *real)
{
	GArray *scopes = g_hash_table_lookup(search->scopes, real->die);
	Dwarf_Die die;

	if (scopes)
		return scopes;
	scopes = g_array_new(FALSE, FALSE, sizeof(struct scope));
	g_hash_table_insert(search->scopes, real->die, scopes);
	if (function_die(real, &die))
		collect_scopes(search->debuginfo, &die, 0, scopes);
	return scopes;
}

/* Return the DIE of the innermost instance around an address in the function. */
static uint64_t innermost(struct search *search, const struct function *real, uint64_t address)
{
	const GArray *scopes = function_scopes(search, real);
	uint64_t die = GPOINTER_TO_SIZE(real->die);
	int depth = 0;

	for (guint i = 0; i < scopes->len; i++) {
		const struct scope *scope = &g_array_index(scopes, struct scope, i);

		if (address >= scope->low && address < scope->high && scope->depth > depth) {
			die = scope->die;
			depth = scope->depth;
		}
	}
	return die;
}

/* ---- the lines of a function ---- */

static bool line_wanted(const struct statement_query *query, const struct function *function, int line)
{
	int base = query->is_relative ? function->declaration_line : 0;

	if (query->near || !query->range_count)
		return true;
	for (size_t i = 0; i < query->range_count; i++)
		if (line >= base + query->ranges[i].first && line <= base + query->ranges[i].last)
			return true;
	return false;
}

static const struct function *real_function(const struct function *function)
{
	return function->is_inlined ? function->container : function;
}

/* Is the address in the range that begins at the entry? */
static bool in_main_range(const struct function *function, uint64_t address)
{
	uint64_t entry = debuginfo_dwarf_address(function->debuginfo, function->entry);

	return address >= entry && address < entry + function->size;
}

/* Return the last declaration line in the file that is not after @p line, or 0. */
static int owner_line(const struct search *search, const char *file, int line)
{
	const GArray *lines = search->declarations ? g_hash_table_lookup(search->declarations, file) : NULL;
	guint low = 0, high = lines ? lines->len : 0;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(lines, int, middle) <= line)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? g_array_index(lines, int, low - 1) : 0;
}

/* Return the nesting depth of an instance around the address: 0 for the real function, -1 if it is not around it. */
static int instance_depth(const GArray *scopes, const struct function *function, uint64_t address)
{
	if (!function->is_inlined)
		return 0;
	for (guint i = 0; i < scopes->len; i++) {
		const struct scope *scope = &g_array_index(scopes, struct scope, i);

		if (scope->die == GPOINTER_TO_SIZE(function->die) && address >= scope->low && address < scope->high)
			return scope->depth;
	}
	return -1;
}

/*
 * Does the row, whose address is in the function's ranges, belong to the function? The rule is at the top of the file.
 */
static bool owns_row(struct search *search, const struct function *function, const struct row *row)
{
	const struct function *real = real_function(function);
	const GArray *scopes = function_scopes(search, real);
	int owner = owner_line(search, function->declaration_file, row->line);
	int depth = instance_depth(scopes, function, row->address);
	bool has_line = owner == function->declaration_line;
	Dwarf_Die die;
	uint64_t origin = function_die(function, &die) ? die_origin(search->debuginfo, &die) : 0;

	if (!has_line && real->declaration_line == owner)
		return false;
	for (guint i = 0; i < scopes->len; i++) {
		const struct scope *scope = &g_array_index(scopes, struct scope, i);
		bool is_around = row->address >= scope->low && row->address < scope->high;

		/* Lines after a lambda are those of the function around it. */
		if (!has_line && scope->declaration_line == owner &&
		    (is_around || !search->may_nest || owner < real->declaration_line))
			return false;
		if (is_around && scope->depth > depth && (!has_line || scope->origin == origin))
			return false;
	}
	return depth >= 0;
}

/* Add a row to the rows of its line, in the order of addresses within each range. */
static void note_row(struct search *search, const struct function *function, const struct row *row, GHashTable *found)
{
	GPtrArray *rows;

	if (!line_wanted(search->query, function, row->line) || !file_matches(row->file, function->declaration_file) ||
	    !owns_row(search, function, row))
		return;
	rows = g_hash_table_lookup(found, GINT_TO_POINTER(row->line));
	if (!rows) {
		rows = g_ptr_array_new();
		g_hash_table_insert(found, GINT_TO_POINTER(row->line), rows);
	}
	for_each_ptr(const struct row *, known, rows) {
		if (known->address == row->address && known->is_statement >= row->is_statement)
			return;
	}
	g_ptr_array_add(rows, (gpointer)row);
}

static gint compare_numbers(gconstpointer a, gconstpointer b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static gint compare_lines(gconstpointer a, gconstpointer b)
{
	return compare_numbers(&(int){GPOINTER_TO_INT(a)}, &(int){GPOINTER_TO_INT(b)});
}

static void answer_row(struct search *search, const struct function *function, const struct row *row)
{
	struct statement_place *place = arena_new0(search->debuginfo->arena, struct statement_place);

	place->function = function;
	place->line = row->line;
	place->address = debuginfo_public_address(search->debuginfo, row->address);
	g_ptr_array_add(search->ret, place);
}

/* Report the first of rows that begin no statement, preferably in the main range. */
static void answer_without_statement(struct search *search, const struct function *function, const GPtrArray *rows)
{
	const struct row *first = g_ptr_array_index(rows, 0);

	for_each_ptr(const struct row *, row, rows) {
		if (!in_main_range(function, first->address) && in_main_range(function, row->address))
			first = row;
	}
	answer_row(search, function, first);
}

/* Report the rows that begin statements; if none is in the main range, only the first of the others. */
static void answer_line(struct search *search, const struct function *function, const GPtrArray *rows)
{
	bool has_main = false, has_statement = false;

	for_each_ptr(const struct row *, row, rows) {
		has_statement = has_statement || row->is_statement;
		has_main = has_main || (row->is_statement && in_main_range(function, row->address));
	}
	if (!has_statement) {
		answer_without_statement(search, function, rows);
		return;
	}
	for_each_ptr(const struct row *, row, rows) {
		if (!row->is_statement)
			continue;
		if (!has_main || in_main_range(function, row->address))
			answer_row(search, function, row);
		if (!has_main)
			break;
	}
}

static void answer_function(struct search *search, const struct function *function, GHashTable *found)
{
	GList *lines = g_list_sort(g_hash_table_get_keys(found), compare_lines);

	for (GList *line = lines; line; line = line->next)
		answer_line(search, function, g_hash_table_lookup(found, line->data));
	g_list_free(lines);
}

/* Does the line also have a row at the previous address? Then its statement continues there. */
static bool continues_statement(const GArray *rows, guint first, guint number)
{
	const struct row *row = &g_array_index(rows, struct row, number);
	uint64_t before = 0;

	for (guint i = number; i > first; i--) {
		const struct row *other = &g_array_index(rows, struct row, i - 1);

		if (!other->is_statement)
			continue;
		if (other->address != row->address && before && other->address != before)
			return false;
		if (other->address != row->address)
			before = other->address;
		if (before && other->line == row->line && strcmp(other->file, row->file) == 0)
			return true;
	}
	return false;
}

static void search_range(struct search *search, const struct function *function, const GArray *rows, uint64_t low,
			 uint64_t high, GHashTable *found)
{
	guint first = lower_row(rows, low);

	for (guint i = first; i < rows->len; i++) {
		const struct row *row = &g_array_index(rows, struct row, i);

		if (row->address >= high)
			break;
		if (!row->is_statement || !continues_statement(rows, first, i))
			note_row(search, function, row, found);
	}
}

static void search_function(struct search *search, const struct function *function)
{
	g_autoptr(GHashTable) found =
		g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, (GDestroyNotify)g_ptr_array_unref);
	Dwarf_Addr base, low, high;
	Dwarf_Die die, unit;
	const GArray *rows;
	ptrdiff_t offset = 0;

	if (!real_function(function) || !function_die(function, &die) || !dwarf_diecu(&die, &unit, NULL, NULL))
		return;
	search->may_nest = language_has_scopes(dwarf_srclang(&unit));
	rows = unit_rows(search, &unit);
	while ((offset = dwarf_ranges(&die, offset, &base, &low, &high)) > 0)
		search_range(search, function, rows, low, high, found);
	if (entry_range(&die, &low, &high))
		search_range(search, function, rows, low, high, found);
	answer_function(search, function, found);
}

/* ---- which functions can have the lines ---- */

static GHashTable *find_declarations(const GPtrArray *all)
{
	GHashTable *files = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, free_array);
	GHashTableIter iterator;
	gpointer lines;

	for (guint i = 0; i < all->len; i++) {
		const struct function *function = g_ptr_array_index(all, i);
		GArray *known = g_hash_table_lookup(files, function->declaration_file);

		if (!known) {
			known = g_array_new(FALSE, FALSE, sizeof(int));
			g_hash_table_insert(files, (gpointer)function->declaration_file, known);
		}
		g_array_append_val(known, function->declaration_line);
	}
	g_hash_table_iter_init(&iterator, files);
	while (g_hash_table_iter_next(&iterator, NULL, &lines))
		g_array_sort(lines, compare_numbers);
	return files;
}

/* Return the first declaration line in the file after @p line. */
static int next_declaration(const struct search *search, const char *file, int line)
{
	const GArray *lines = g_hash_table_lookup(search->declarations, file);

	for (guint i = 0; lines && i < lines->len; i++)
		if (g_array_index(lines, int, i) > line)
			return g_array_index(lines, int, i);
	return G_MAXINT;
}

/* Can the function have one of the lines, or the nearest line to one? */
static bool may_have_lines(const struct search *search, const struct function *function)
{
	const struct statement_query *query = search->query;
	const char *file = function->declaration_file;

	if (!query->range_count || query->is_relative)
		return true;
	for (size_t i = 0; i < query->range_count; i++) {
		int first = query->ranges[i].first, last = query->ranges[i].last;

		if (query->near)
			last = next_declaration(search, file, last);
		/* In programs, functions may have others inside. */
		if (object_is_kernels(search->debuginfo->kind) &&
		    function->declaration_line < owner_line(search, file, first))
			continue;
		if (function->declaration_line <= last)
			return true;
	}
	return false;
}

static void run_search(struct search *search, const GPtrArray *functions, bool all)
{
	for (guint i = 0; i < functions->len; i++) {
		const struct function *function = g_ptr_array_index(functions, i);

		if (!function->is_init && (all || may_have_lines(search, function)))
			search_function(search, function);
	}
}

static void search_init(struct search *search, struct debuginfo *debuginfo, const struct statement_query *query)
{
	*search = (struct search){
		.debuginfo = debuginfo,
		.query = query,
		.rows = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, free_array),
		.scopes = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, free_array),
		.files = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free),
	};
}

static void search_clear(struct search *search)
{
	g_hash_table_unref(search->rows);
	g_hash_table_unref(search->scopes);
	g_hash_table_unref(search->files);
	if (search->declarations)
		g_hash_table_unref(search->declarations);
}

struct error *dwarf_statements(struct debuginfo *debuginfo, const struct statement_query *query, GPtrArray *ret)
{
	g_autoptr(GPtrArray) functions = g_ptr_array_new();
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	struct function_query named = {.name = query->name, .file = query->file};
	struct function_query any = {.name = "*", .file = query->file};
	struct search search;
	Dwarf *dwarf;
	struct error *error = debuginfo_functions(debuginfo, &named, functions);

	/*
	 * Most modules of module("*") lack the function. The index says so; opening the DWARF of all would take half a
	 * minute.
	 */
	if (error || !functions->len)
		return error;
	error = debuginfo_functions(debuginfo, &any, all);
	error = error ?: debuginfo_dwarf(debuginfo, &dwarf);
	if (error)
		return error;
	search_init(&search, debuginfo, query);
	search.ret = ret;
	search.declarations = find_declarations(all);
	run_search(&search, functions, false);
	if (query->near && !ret->len)
		run_search(&search, functions, true);
	search_clear(&search);
	return NULL;
}

/* ---- addresses ---- */

static const struct function *function_by_die(struct debuginfo *debuginfo, const struct index *index, uint64_t die)
{
	for (uint64_t i = 0; i < index->function_count; i++)
		if (index->functions[i].die == die)
			return function_get(debuginfo, (uint32_t)i);
	return NULL;
}

/* Return the line of the last row at the address, preferably of the function's own file; 0 if no row begins there. */
static int line_at(struct search *search, const struct function *function, uint64_t address)
{
	Dwarf_Die die, unit;
	const GArray *rows;
	int line = 0;

	if (!function_die(function, &die) || !dwarf_diecu(&die, &unit, NULL, NULL))
		return 0;
	rows = unit_rows(search, &unit);
	for (guint i = lower_row(rows, address); i < rows->len; i++) {
		const struct row *row = &g_array_index(rows, struct row, i);

		if (row->address != address)
			break;
		if (!row->is_statement)
			continue;
		if (!line || file_matches(row->file, function->declaration_file))
			line = row->line;
	}
	return line;
}

struct error *dwarf_statement_at(struct debuginfo *debuginfo, struct address address, struct statement_place *ret)
{
	struct statement_query query = {.name = "*"};
	const struct function *function, *inner;
	uint64_t dwarf_address;
	struct search search;
	struct index *index;
	Dwarf *dwarf;
	struct error *error = debuginfo_index(debuginfo, &index);

	error = error ?: debuginfo_dwarf(debuginfo, &dwarf);
	if (error)
		return error;
	*ret = (struct statement_place){.address = address};
	function = function_at(debuginfo, address);
	if (!function)
		return error_new(ERROR_LOOKUP, _("no function of %s is at address 0x%" PRIx64), debuginfo->name,
				 address.value);
	search_init(&search, debuginfo, &query);
	dwarf_address = debuginfo_dwarf_address(debuginfo, address);
	inner = function_by_die(debuginfo, index, innermost(&search, function, dwarf_address));
	ret->function = inner ? inner : function;
	ret->line = line_at(&search, ret->function, dwarf_address);
	search_clear(&search);
	return NULL;
}

/* ---- labels ---- */

static void find_labels(Dwarf_Die *scope, const char *pattern, struct debuginfo *debuginfo,
			const struct function *function, GPtrArray *ret)
{
	Dwarf_Die child;

	for (int next = dwarf_child(scope, &child); next == 0; next = dwarf_siblingof(&child, &child)) {
		const char *name = dwarf_tag(&child) == DW_TAG_label ? dwarf_diename(&child) : NULL;
		struct statement_place *place;
		Dwarf_Addr address;

		if (dwarf_tag(&child) == DW_TAG_lexical_block)
			find_labels(&child, pattern, debuginfo, function, ret);
		if (!name || fnmatch(pattern, name, 0) != 0 || dwarf_lowpc(&child, &address) != 0)
			continue;
		place = arena_new0(debuginfo->arena, struct statement_place);
		place->function = function;
		place->label = name;
		place->address = debuginfo_public_address(debuginfo, address);
		if (dwarf_decl_line(&child, &place->line) != 0)
			place->line = 0;
		g_ptr_array_add(ret, place);
	}
}

struct error *dwarf_labels(const struct function *function, const char *pattern, GPtrArray *ret)
{
	Dwarf_Die die;
	Dwarf *dwarf;
	struct error *error = debuginfo_dwarf(function->debuginfo, &dwarf);

	if (!error && function_die(function, &die))
		find_labels(&die, pattern, function->debuginfo, function, ret);
	return error;
}
