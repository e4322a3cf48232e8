// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Building the index: from the scanners' records and the ELF tables to sorted tables.
 *
 * Two threads take units from a shared counter, because scanning 200 MB of DWARF takes nearly all of the time. Each has
 * its own libdw handle, as libdw requires. The records are then sorted by name. There are a hundred thousand names for
 * half a million entries, so names are ranked once and the entries are sorted by rank. Comparing numbers is ten times
 * faster than comparing strings.
 */
#include "translator/debuginfo/index/index.h"
#include "translator/debuginfo/index/resolvers.h"
#include "translator/debuginfo/index/scan.h"
#include "translator/debuginfo/object/packages.h"
#include "translator/debuginfo/object/split.h"
#include "translator/debuginfo/object/user_object.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/progress.h"
#include "common/base/i18n.h"

/* For smaller sections, a second thread and handle cost more than they save. */
#define PARALLEL_SIZE (8u << 20)
#define MOST_THREADS 2

/* The string table under construction: each string once, "" at offset 0. */
struct strings {
	GByteArray *bytes;
	GHashTable *offsets; /* text -> offset */
	GHashTable *by_pointer; /* cache of `offsets` by pointer, which most lookups hit */
};

static uint32_t string_offset(struct strings *strings, const char *text)
{
	gpointer found;
	uint32_t offset;

	if (!text || !text[0])
		return 0;
	if (g_hash_table_lookup_extended(strings->by_pointer, text, NULL, &found))
		return GPOINTER_TO_UINT(found);
	if (g_hash_table_lookup_extended(strings->offsets, text, NULL, &found)) {
		offset = GPOINTER_TO_UINT(found);
	} else {
		offset = strings->bytes->len;
		g_byte_array_append(strings->bytes, (const guint8 *)text, (guint)strlen(text) + 1);
		g_hash_table_insert(strings->offsets, (gpointer)text, GUINT_TO_POINTER(offset));
	}
	g_hash_table_insert(strings->by_pointer, (gpointer)text, GUINT_TO_POINTER(offset));
	return offset;
}

/* ---- scanning ---- */

struct job {
	struct scan scan;
	const GArray *units; /* uint64_t */
	gint *next; /* shared by all jobs: number of the next unit to take */
	bool owns_dwarf;
};

static gpointer run_job(gpointer data)
{
	struct job *job = data;

	for (;;) {
		guint number = (guint)g_atomic_int_add(job->next, 1);

		if (number >= job->units->len)
			return NULL;
		scan_unit(&job->scan, g_array_index(job->units, uint64_t, number));
	}
}

/* Set the fields of a scan that depend on the object's other files. */
static void set_part(struct debuginfo *debuginfo, struct scan *scan, guint number)
{
	const GArray *parts = dwarf_parts(debuginfo);
	struct dwarf_part *part = &g_array_index(parts, struct dwarf_part, number);
	Dwarf *shared = dwarf_getalt(debuginfo->dwarf);
	struct dwarf_sections own = dwarf_find_sections(debuginfo->dwarf);
	Dwarf_Attribute attribute;
	Dwarf_Word base;

	if (parts->len == 1)
		return;
	scan->debuginfo = debuginfo;
	scan->base = part->base;
	for (guint i = 1; shared && i < parts->len; i++)
		if (g_array_index(parts, struct dwarf_part, i).dwarf == shared)
			scan->shared_base = g_array_index(parts, struct dwarf_part, i).base;
	scan->shared_strings = shared ? dwarf_find_sections(shared).str : (struct span){NULL, 0};
	if (!part->skeleton.addr)
		return;
	scan->sections.addr = own.addr;
	scan->comp_dir = dwarf_formstring(dwarf_attr(&part->skeleton, DW_AT_comp_dir, &attribute));
	if ((dwarf_attr(&part->skeleton, DW_AT_addr_base, &attribute) ||
	     dwarf_attr(&part->skeleton, DW_AT_GNU_addr_base, &attribute)) &&
	    dwarf_formudata(&attribute, &base) == 0)
		scan->addr_base = base;
	if (scan->sections.line.size)
		return;
	/* clang writes file names into the object's own file only. */
	scan->sections.line = own.line;
	scan->sections.line_str = own.line_str;
	if (dwarf_attr(&part->skeleton, DW_AT_stmt_list, &attribute) && dwarf_formudata(&attribute, &base) == 0)
		scan->line_offset = base;
}

/* Scan a file other than the object's own. */
static void scan_part(struct debuginfo *debuginfo, struct file_names *names, guint number, struct job *job)
{
	const struct dwarf_part *part = &g_array_index(dwarf_parts(debuginfo), struct dwarf_part, number);
	g_autoptr(GArray) units = NULL;

	scan_init(&job->scan, part->dwarf, names);
	if (part->are_types)
		job->scan.sections = dwarf_find_type_sections(part->dwarf);
	set_part(debuginfo, &job->scan, number);
	units = scan_list_units(&job->scan.sections);
	for (guint i = 0; i < units->len; i++)
		scan_unit(&job->scan, g_array_index(units, uint64_t, i));
}

/* Scan all units of the object's own file; return the number of jobs used. */
static unsigned int scan_all(struct debuginfo *debuginfo, Dwarf *dwarf, struct file_names *names, struct job *jobs)
{
	GThread *threads[MOST_THREADS] = {NULL};
	g_autoptr(GArray) units = NULL;
	unsigned int count = 1;
	gint next = 0;

	scan_init(&jobs[0].scan, dwarf, names);
	set_part(debuginfo, &jobs[0].scan, 0);
	units = scan_list_units(&jobs[0].scan.sections);
	while (debuginfo->kind == OBJECT_KERNEL && jobs[0].scan.sections.info.size >= PARALLEL_SIZE &&
	       count < MOST_THREADS) {
		Dwarf *second = debuginfo_second_dwarf(debuginfo);

		if (!second)
			break;
		jobs[count].owns_dwarf = true;
		scan_init(&jobs[count++].scan, second, names);
	}
	for (unsigned int i = 0; i < count; i++) {
		jobs[i].units = units;
		jobs[i].next = &next;
		if (i)
			threads[i] = g_thread_new("scan", run_job, &jobs[i]);
	}
	run_job(&jobs[0]);
	for (unsigned int i = 1; i < count; i++)
		g_thread_join(threads[i]);
	return count;
}

static void end_jobs(struct job *jobs, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		scan_clear(&jobs[i].scan);
		if (jobs[i].owns_dwarf)
			dwarf_end(jobs[i].scan.dwarf);
	}
}

/* ---- tables ---- */

struct builder {
	struct debuginfo *debuginfo;
	struct code *code;
	struct strings strings;
	GHashTable *file_numbers; /* string offset -> number */
	GArray *files; /* uint32_t */
	GArray *functions, *types, *variables, *symbols; /* struct index_… */
	GArray *scopes; /* uint32_t, parallel to `functions`, up to the last one in a scope */
};

static uint32_t file_number(struct builder *builder, const char *name)
{
	uint32_t offset = string_offset(&builder->strings, name);
	gpointer found;

	if (g_hash_table_lookup_extended(builder->file_numbers, GUINT_TO_POINTER(offset), NULL, &found))
		return GPOINTER_TO_UINT(found);
	g_hash_table_insert(builder->file_numbers, GUINT_TO_POINTER(offset), GUINT_TO_POINTER(builder->files->len));
	g_array_append_val(builder->files, offset);
	return builder->files->len - 1;
}

static uint64_t start_of(const struct index_function *function)
{
	return function->entry - (uint64_t)function->lead * INDEX_LEAD_STEP;
}

/*
 * Find the symbol of a function, and how far its start is before the entry in the DWARF. Before the entry, only a
 * symbol with the function's name is its own.
 */
static const char *find_symbol(const struct builder *builder, const char *name, struct index_function *function)
{
	const char *symbol = code_symbol_at(builder->code, function->section, function->entry, name);

	for (uint64_t lead = INDEX_LEAD_STEP; !symbol && lead <= MIN(INDEX_MOST_LEAD, function->entry);
	     lead += INDEX_LEAD_STEP) {
		const char *before = code_symbol_at(builder->code, function->section, function->entry - lead, name);

		if (!before || strncmp(before, name, strlen(name)) != 0)
			continue;
		function->lead = (uint8_t)(lead / INDEX_LEAD_STEP);
		symbol = before;
	}
	return symbol;
}

/* Add facts about a real function from the ELF file. */
static void add_code_facts(struct builder *builder, const char *name, const char *symbol,
			   struct index_function *function)
{
	const struct code *code = builder->code;
	int fentry = symbol ? code_fentry(code, function->section, start_of(function)) : -1;

	function->symbol = string_offset(&builder->strings, symbol);
	if (fentry >= 0) {
		function->flags |= INDEX_FENTRY;
		function->fentry = fentry & 31;
	}
	if (function->flags & INDEX_EXTERNAL && code_exported(code, symbol ?: name))
		function->flags |= INDEX_EXPORTED;
}

/* Set the flags for functions that cannot be probed. */
static void add_limits(struct builder *builder, struct index_function *function)
{
	const GArray *reserved = code_reserved(builder->code);

	if (builder->debuginfo->object) {
		if (user_object_refusal(builder->debuginfo, function->entry))
			function->flags |= INDEX_NOT_PROBEABLE;
		return;
	}
	if (code_is_init(builder->code, function->section, function->entry))
		function->flags |= INDEX_INIT;
	if (reserved_find((const struct code_range *)reserved->data, reserved->len, function->section, function->entry))
		function->flags |= INDEX_NOT_PROBEABLE;
}

static void set_scope(struct builder *builder, guint number, uint32_t scope)
{
	g_array_set_size(builder->scopes, number); /* new elements are 0 */
	g_array_append_val(builder->scopes, scope);
}

static void add_function(struct builder *builder, const struct scan_function *noted, uint32_t base,
			 uint64_t base_offset)
{
	int section = debuginfo_section_of(builder->debuginfo, noted->entry);
	struct index_function function = {
		.entry = debuginfo_public_address(builder->debuginfo, noted->entry).value,
		.name = string_offset(&builder->strings, noted->name),
		.die = (uint32_t)(base_offset + noted->die),
		.file = file_number(builder, noted->file),
		.line = noted->line,
		.size = noted->size,
		.container = noted->container == NO_RECORD ? NO_RECORD : base + noted->container,
		.section = (uint16_t)MAX(section, 0),
		.flags = noted->is_external ? INDEX_EXTERNAL : 0,
	};

	if (noted->container != NO_RECORD)
		function.flags |= INDEX_INLINED;
	else if (function.name && section >= 0)
		add_code_facts(builder, noted->name, find_symbol(builder, noted->name, &function), &function);
	/* When a linker drops a function, its DWARF remains, with an invalid address. */
	if (section < 0 || (builder->debuginfo->object && !user_object_has_code(builder->debuginfo, function.entry)))
		function.name = 0; /* dropped when sorted */
	add_limits(builder, &function);
	if (noted->scope && noted->scope[0])
		set_scope(builder, builder->functions->len, string_offset(&builder->strings, noted->scope));
	g_array_append_val(builder->functions, function);
}

/* Variables without a location are mostly removed ones; but thread-local ones may have only a symbol. */
static bool has_place(struct builder *builder, const struct scan_variable *noted)
{
	uint64_t offset;

	return !noted->has_no_place ||
	       (noted->name && user_object_thread_symbol(builder->debuginfo, noted->name, &offset));
}

static void add_scan(struct builder *builder, const struct scan *scan)
{
	uint32_t base = builder->functions->len;

	for (guint i = 0; i < scan->functions->len; i++)
		add_function(builder, &g_array_index(scan->functions, struct scan_function, i), base, scan->base);
	for (guint i = 0; i < scan->types->len; i++) {
		const struct scan_type *noted = &g_array_index(scan->types, struct scan_type, i);
		struct index_type type = {string_offset(&builder->strings, noted->name), noted->tag,
					  scan->base + noted->die};

		if (type.name)
			g_array_append_val(builder->types, type);
	}
	for (guint i = 0; i < scan->variables->len; i++) {
		const struct scan_variable *noted = &g_array_index(scan->variables, struct scan_variable, i);
		struct index_variable variable = {string_offset(&builder->strings, noted->name),
						  file_number(builder, noted->file),
						  (uint32_t)(scan->base + noted->die),
						  (noted->is_external ? VARIABLE_EXTERNAL : 0) |
							  (noted->is_declaration ? VARIABLE_DECLARATION : 0)};

		if (variable.name && has_place(builder, noted))
			g_array_append_val(builder->variables, variable);
	}
}

/* ---- functions without DWARF ---- */

/* Does a symbol name a function that users can probe? */
static bool is_function_symbol(const struct builder *builder, const struct code_symbol *symbol, uint32_t type)
{
	/* padding and type identifiers before functions, trampolines of static calls */
	static const char *const others[] = {"__pfx_", "__cfi_", "__SCT__"};

	/* a cold part that was split off a function */
	if (!symbol->is_function || strstr(symbol->name, ".cold"))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(others); i++)
		if (g_str_has_prefix(symbol->name, others[i]))
			return false;
	/* Some symbol tables do not distinguish functions from labels; there, use other evidence. */
	return symbol->size || type || code_fentry(builder->code, symbol->section, symbol->value) >= 0 ||
	       !builder->debuginfo->btf;
}

/*
 * Return a function's size. Without sizes in the table, it extends to the next symbol or to the end of a program's
 * section.
 */
static uint32_t function_size(struct debuginfo *debuginfo, const GArray *symbols, guint number)
{
	const struct code_symbol *symbol = &g_array_index(symbols, struct code_symbol, number);
	uint64_t size = symbol->size, left;

	for (guint i = number + 1; i < symbols->len && !symbol->size; i++) {
		const struct code_symbol *next = &g_array_index(symbols, struct code_symbol, i);

		if (next->section != symbol->section || next->value == symbol->value)
			continue;
		size = next->value - symbol->value;
		break;
	}
	if (!symbol->size && debuginfo->object) {
		left = elf_section_end(debuginfo_code(debuginfo), symbol->value) - symbol->value;
		size = size ? MIN(size, left) : left;
	}
	return (uint32_t)MIN(size, UINT32_MAX);
}

static uint32_t function_type(struct debuginfo *debuginfo, const char *name)
{
	const struct reader_operations *reader = debuginfo->source->reader;

	return reader->function_type ? reader->function_type(debuginfo, name) : 0;
}

/*
 * Return the length of the function's name in a symbol. Names in programs may contain dots ("main.run" in Go), so only
 * known suffixes of compilers are cut there.
 */
static size_t plain_length(const struct debuginfo *debuginfo, const char *symbol)
{
	static const char *const suffixes[] = {".isra.", ".part.", ".constprop.", ".cold", ".lto_priv.", ".llvm."};
	size_t length = strlen(symbol);

	if (!debuginfo->object)
		return strcspn(symbol, ".");
	for (size_t i = 0; i < G_N_ELEMENTS(suffixes); i++) {
		const char *suffix = strstr(symbol, suffixes[i]);

		if (suffix)
			length = MIN(length, (size_t)(suffix - symbol));
	}
	return length;
}

/* Return the set of entries of all real functions so far. */
static GHashTable *known_entries(const struct builder *builder)
{
	GHashTable *entries = g_hash_table_new(g_direct_hash, g_direct_equal);

	for (guint i = 0; i < builder->functions->len; i++) {
		const struct index_function *function = &g_array_index(builder->functions, struct index_function, i);

		if (!(function->flags & INDEX_INLINED) && function->name)
			g_hash_table_add(entries, GSIZE_TO_POINTER(start_of(function)));
	}
	return entries;
}

/*
 * Add functions from the symbol table, except those with DWARF; "f.isra.0" becomes f, as in DWARF. Parts of a program
 * may come from an archive or assembler without DWARF.
 */
static void add_symbol_functions(struct builder *builder)
{
	const GArray *symbols = code_symbols(builder->code);
	g_autoptr(GHashTable) known = known_entries(builder);

	for (guint i = 0; i < symbols->len; i++) {
		const struct code_symbol *symbol = &g_array_index(symbols, struct code_symbol, i);
		const char *scope = "", *name = arena_strndup(builder->debuginfo->arena, symbol->name,
							      plain_length(builder->debuginfo, symbol->name));
		uint32_t type = symbol->is_function && name[0] ? function_type(builder->debuginfo, name) : 0;
		struct index_function function = {
			.entry = symbol->value,
			.name = string_offset(&builder->strings, name),
			.die = type,
			.file = file_number(builder, ""),
			.size = function_size(builder->debuginfo, symbols, i),
			.container = NO_RECORD,
			.section = symbol->section,
			.flags = symbol->is_global ? INDEX_EXTERNAL : 0,
		};

		if (!function.name || !is_function_symbol(builder, symbol, type) ||
		    g_hash_table_contains(known, GSIZE_TO_POINTER(function.entry)))
			continue;
		add_code_facts(builder, name, symbol->name, &function);
		add_limits(builder, &function);
		/* The kernel's own mangled Rust names are kept. */
		if (builder->debuginfo->object && index_read_mangled(builder->debuginfo->arena, name, &scope, &name)) {
			function.name = string_offset(&builder->strings, name);
			if (scope[0])
				set_scope(builder, builder->functions->len, string_offset(&builder->strings, scope));
		}
		g_array_append_val(builder->functions, function);
	}
}

/*
 * Add the implementations of an indirect function: its name becomes another symbol of each. In a stripped library, they
 * have no other name. An implementation of several indirect functions then gets a function for each of their names.
 */
static void add_implementations(struct builder *builder, const struct code_symbol *resolver, GHashTable *known)
{
	g_autoptr(GArray) targets = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	uint32_t name = string_offset(&builder->strings, resolver->name);

	resolver_targets(builder->debuginfo, builder->code, resolver, targets);
	for (guint i = 0; i < targets->len; i++) {
		uint64_t target = g_array_index(targets, uint64_t, i);
		struct index_symbol symbol = {name, 0, target};
		struct code_part part;
		struct index_function function = {
			.entry = target,
			.name = name,
			.symbol = name,
			.file = file_number(builder, ""),
			.container = NO_RECORD,
			.flags = INDEX_EXTERNAL | INDEX_EXPORTED,
		};

		g_array_append_val(builder->symbols, symbol);
		if (g_hash_table_contains(known, GSIZE_TO_POINTER(target)))
			continue;
		function.size = user_object_description(builder->debuginfo, target, &part) && part.start == target
					? (uint32_t)MIN(part.end - target, UINT32_MAX)
					: 1;
		add_limits(builder, &function);
		g_array_append_val(builder->functions, function);
	}
}

static void add_all_implementations(struct builder *builder)
{
	const GArray *resolvers = code_resolvers(builder->code);
	g_autoptr(GHashTable) known = known_entries(builder);

	for (guint i = 0; i < resolvers->len; i++)
		add_implementations(builder, &g_array_index(resolvers, struct code_symbol, i), known);
}

static void add_symbols(struct builder *builder)
{
	const GArray *symbols = code_symbols(builder->code);

	for (guint i = 0; i < symbols->len; i++) {
		const struct code_symbol *noted = &g_array_index(symbols, struct code_symbol, i);
		struct index_symbol symbol = {string_offset(&builder->strings, noted->name),
					      noted->section | (noted->is_global ? 0 : 1u << 16), noted->value};

		g_array_append_val(builder->symbols, symbol);
	}
	if (builder->debuginfo->object)
		add_all_implementations(builder);
}

/* ---- sorting ---- */

static int compare_texts(gconstpointer a, gconstpointer b, gpointer bytes)
{
	const char *text = bytes;

	return strcmp(text + *(const uint32_t *)a, text + *(const uint32_t *)b);
}

/* Return the rank of each name by its offset. It is a hash table, because an array would be as long as all strings. */
static GHashTable *rank_names(const struct builder *builder)
{
	GHashTable *ranks = g_hash_table_new(g_direct_hash, g_direct_equal);
	g_autoptr(GArray) names = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (guint i = 0; i < builder->functions->len; i++) {
		uint32_t name = g_array_index(builder->functions, struct index_function, i).name;

		if (g_hash_table_add(ranks, GUINT_TO_POINTER(name)))
			g_array_append_val(names, name);
	}
	g_array_sort_with_data(names, compare_texts, builder->strings.bytes->data);
	for (guint i = 0; i < names->len; i++)
		g_hash_table_insert(ranks, GUINT_TO_POINTER(g_array_index(names, uint32_t, i)), GUINT_TO_POINTER(i));
	return ranks;
}

struct sort_key {
	uint32_t rank;
	uint32_t number;
	const struct index_function *function;
};

static int compare_functions(const void *a, const void *b)
{
	const struct sort_key *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->function->section != y->function->section)
		return x->function->section < y->function->section ? -1 : 1;
	if (x->function->entry != y->function->entry)
		return x->function->entry < y->function->entry ? -1 : 1;
	if (x->function->flags != y->function->flags) /* the real function first */
		return (x->function->flags & INDEX_INLINED) < (y->function->flags & INDEX_INLINED) ? -1 : 1;
	return x->function->die < y->function->die ? -1 : x->function->die > y->function->die;
}

/* Is it the same code, seen in several units or inlined into itself? */
static bool is_duplicate(const struct index_function *a, const struct index_function *b)
{
	return a->name == b->name && a->section == b->section && a->entry == b->entry &&
	       (a->flags & INDEX_INLINED) == (b->flags & INDEX_INLINED);
}

static void keep_function(const struct builder *builder, uint32_t number, GArray *sorted, GArray *sorted_scopes)
{
	uint32_t scope = number < builder->scopes->len ? g_array_index(builder->scopes, uint32_t, number) : 0;

	g_array_append_val(sorted, g_array_index(builder->functions, struct index_function, number));
	if (builder->scopes->len)
		g_array_append_val(sorted_scopes, scope);
}

/* Sort, drop functions without a name and duplicates, and renumber the containers. */
static GArray *sort_functions(const struct builder *builder, GArray *sorted_scopes)
{
	guint count = builder->functions->len, kept = 0;
	GArray *sorted = g_array_sized_new(FALSE, FALSE, sizeof(struct index_function), count);
	g_autoptr(GHashTable) ranks = rank_names(builder);
	g_autofree struct sort_key *keys = g_new(struct sort_key, count + 1);
	g_autofree uint32_t *numbers = g_new(uint32_t, count + 1);

	for (guint i = 0; i < count; i++) {
		const struct index_function *function = &g_array_index(builder->functions, struct index_function, i);
		gpointer rank = g_hash_table_lookup(ranks, GUINT_TO_POINTER(function->name));

		numbers[i] = NO_RECORD;
		if (function->name)
			keys[kept++] = (struct sort_key){GPOINTER_TO_UINT(rank), i, function};
	}
	qsort(keys, kept, sizeof(*keys), compare_functions);
	for (guint i = 0; i < kept; i++) {
		if (!i || !is_duplicate(keys[i].function, keys[i - 1].function))
			keep_function(builder, keys[i].number, sorted, sorted_scopes);
		numbers[keys[i].number] = sorted->len - 1;
	}
	for (guint i = 0; i < sorted->len; i++) {
		struct index_function *function = &g_array_index(sorted, struct index_function, i);

		if (function->container != NO_RECORD)
			function->container = numbers[function->container];
	}
	return sorted;
}

/* Equal names have equal offsets, because each string is stored once. */
static int compare_names(uint32_t a, uint32_t b, gpointer bytes)
{
	return a == b ? 0 : compare_texts(&a, &b, bytes);
}

static int compare_types(gconstpointer a, gconstpointer b, gpointer bytes)
{
	const struct index_type *x = a, *y = b;
	int names = compare_names(x->name, y->name, bytes);

	if (names)
		return names;
	if (x->tag != y->tag)
		return x->tag < y->tag ? -1 : 1;
	return x->die < y->die ? -1 : x->die > y->die;
}

static int compare_variables(gconstpointer a, gconstpointer b, gpointer bytes)
{
	const struct index_variable *x = a, *y = b;
	int names = compare_names(x->name, y->name, bytes);

	if (names)
		return names;
	if ((x->flags ^ y->flags) & VARIABLE_DECLARATION)
		return x->flags & VARIABLE_DECLARATION ? 1 : -1;
	return x->die < y->die ? -1 : x->die > y->die;
}

/*
 * Sort global symbols before local ones of the same name; bit 16 of `section` marks local ones until they are stored.
 */
static int compare_index_symbols(gconstpointer a, gconstpointer b, gpointer bytes)
{
	const struct index_symbol *x = a, *y = b;
	int names = compare_names(x->name, y->name, bytes);

	if (names)
		return names;
	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	return x->value < y->value ? -1 : x->value > y->value;
}

/* Keep the first of each (name, tag). The scanning order varies between runs, but the smallest offset does not. */
static void unique_types(GArray *types)
{
	guint kept = 0;

	for (guint i = 0; i < types->len; i++) {
		struct index_type type = g_array_index(types, struct index_type, i);
		const struct index_type *last = kept ? &g_array_index(types, struct index_type, kept - 1) : NULL;

		if (!last || last->name != type.name || last->tag != type.tag)
			g_array_index(types, struct index_type, kept++) = type;
	}
	g_array_set_size(types, kept);
}

/* Drop declarations of variables that are defined, and all but one declaration of the others. */
static void unique_variables(GArray *variables)
{
	guint kept = 0;

	for (guint i = 0; i < variables->len; i++) {
		struct index_variable variable = g_array_index(variables, struct index_variable, i);
		const struct index_variable *last =
			kept ? &g_array_index(variables, struct index_variable, kept - 1) : NULL;

		if (!last || last->name != variable.name || !(variable.flags & VARIABLE_DECLARATION))
			g_array_index(variables, struct index_variable, kept++) = variable;
	}
	g_array_set_size(variables, kept);
}

/* Hash some hundred bytes, spread evenly over a section. */
static uint64_t sample(uint64_t hash, const char *bytes, uint64_t size)
{
	enum { SAMPLES = 512 };
	uint64_t step = MAX(size / SAMPLES, 1);

	hash = (hash ^ size) * UINT64_C(0x100000001b3);
	for (uint64_t at = 0; at < size; at += step)
		hash = (hash ^ (uint8_t)bytes[at]) * UINT64_C(0x100000001b3);
	return hash;
}

static bool has_notes_for_index(const char *section)
{
	return strstr(section, "debug_") || !strcmp(section, ".symtab") || !strcmp(section, ".gnu_debugdata");
}

/*
 * Hash samples of the sections that determine the index. Copies of a program share its build-id, but strip, dwz and
 * objcopy change their DWARF or symbols. Kernels come unchanged from packages, so their build-id suffices.
 */
static uint64_t sample_sections(Elf *elf, uint64_t hash)
{
	Elf_Scn *section = NULL;
	size_t strings, size = 0;
	const char *bytes = elf ? elf_rawfile(elf, &size) : NULL;

	while (bytes && elf_getshdrstrndx(elf, &strings) == 0 && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, strings, header.sh_name) : NULL;

		if (name && has_notes_for_index(name) && header.sh_type != SHT_NOBITS && header.sh_offset <= size &&
		    header.sh_size <= size - header.sh_offset)
			hash = sample(hash, bytes + header.sh_offset, header.sh_size);
	}
	return hash;
}

static const char *object_key(struct debuginfo *debuginfo)
{
	Elf *debug = debuginfo->debug.elf, *code = debuginfo_code(debuginfo);
	struct package *package = package_open(debuginfo);
	g_autofree char *hash = debuginfo->build_id[0] || !code ? NULL : user_object_hash(code);
	uint64_t sample = sample_sections(debug, UINT64_C(0xcbf29ce484222325));

	if (code && code != debug)
		sample = sample_sections(code, sample);
	/* In a package, the same units have other offsets. */
	if (package)
		sample = sample_sections(package_elf(package), sample);
	package_close(package);
	return arena_printf(debuginfo->arena, "%s-%" PRIx64 "%s", hash ?: debuginfo->build_id, sample,
			    debuginfo->source->index_suffix);
}

static const char *index_key(struct debuginfo *debuginfo)
{
	if (!debuginfo->index_key && object_is_kernels(debuginfo->kind))
		debuginfo->index_key =
			arena_printf(debuginfo->arena, "%s%s", debuginfo->build_id, debuginfo->source->index_suffix);
	else if (!debuginfo->index_key)
		debuginfo->index_key = object_key(debuginfo);
	return debuginfo->index_key;
}

static struct index *assemble(struct builder *builder)
{
	gpointer bytes = builder->strings.bytes->data;
	g_autoptr(GArray) scopes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GArray) functions = sort_functions(builder, scopes);

	g_array_sort_with_data(builder->types, compare_types, bytes);
	unique_types(builder->types);
	g_array_sort_with_data(builder->variables, compare_variables, bytes);
	unique_variables(builder->variables);
	g_array_sort_with_data(builder->symbols, compare_index_symbols, bytes);
	for (guint i = 0; i < builder->symbols->len; i++)
		g_array_index(builder->symbols, struct index_symbol, i).section &= UINT16_MAX;
	const char *key = index_key(builder->debuginfo);

	return index_assemble(key, functions, builder->types, builder->variables, builder->symbols,
			      code_reserved(builder->code), builder->files, scopes, builder->strings.bytes);
}

static void builder_init(struct builder *builder, struct debuginfo *debuginfo)
{
	*builder = (struct builder){
		.debuginfo = debuginfo,
		.code = code_read(debuginfo),
		.strings = {g_byte_array_new(), g_hash_table_new(g_str_hash, g_str_equal),
			    g_hash_table_new(g_direct_hash, g_direct_equal)},
		.file_numbers = g_hash_table_new(g_direct_hash, g_direct_equal),
		.files = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.functions = g_array_new(FALSE, FALSE, sizeof(struct index_function)),
		.types = g_array_new(FALSE, FALSE, sizeof(struct index_type)),
		.variables = g_array_new(FALSE, FALSE, sizeof(struct index_variable)),
		.symbols = g_array_new(FALSE, FALSE, sizeof(struct index_symbol)),
		.scopes = g_array_new(FALSE, TRUE, sizeof(uint32_t)),
	};
	g_byte_array_append(builder->strings.bytes, (const guint8 *)"", 1);
}

static void builder_clear(struct builder *builder)
{
	GArray *arrays[] = {builder->files,	builder->functions, builder->types,
			    builder->variables, builder->symbols,   builder->scopes};

	if (!builder->debuginfo)
		return;
	code_free(builder->code);
	g_byte_array_unref(builder->strings.bytes);
	g_hash_table_unref(builder->strings.offsets);
	g_hash_table_unref(builder->strings.by_pointer);
	g_hash_table_unref(builder->file_numbers);
	for (size_t i = 0; i < G_N_ELEMENTS(arrays); i++)
		g_array_unref(arrays[i]);
}

static struct error *split_error(const struct debuginfo *debuginfo)
{
	return error_with_hint(error_new(ERROR_UNSUPPORTED,
					 _("cannot use the debuginfo in %s: its DWARF is split into separate files "
					   "(.dwo, .dwp)"),
					 debuginfo->debug.path),
			       _("build it without -gsplit-dwarf (CONFIG_DEBUG_INFO_SPLIT)"));
}

static struct error *build_from_dwarf(struct debuginfo *debuginfo, struct builder *builder)
{
	unsigned int job_count, units = 0, bad_units = 0;
	g_autofree struct job *jobs = NULL;
	struct file_names *names;
	guint parts;
	Dwarf *dwarf;
	struct error *error = debuginfo_dwarf(debuginfo, &dwarf);

	if (error)
		return error;
	names = file_names_new(debuginfo->memory == MEMORY_USER);
	parts = dwarf_parts(debuginfo)->len;
	jobs = g_new0(struct job, MOST_THREADS + parts);
	job_count = scan_all(debuginfo, dwarf, names, jobs);
	for (guint i = 1; i < parts; i++)
		scan_part(debuginfo, names, i, &jobs[job_count++]);
	/* Do this after opening the DWARF, which renumbers a module's sections. */
	builder_init(builder, debuginfo);
	for (unsigned int i = 0; i < job_count; i++) {
		add_scan(builder, &jobs[i].scan);
		units += jobs[i].scan.units;
		bad_units += jobs[i].scan.bad_units;
	}
	if (debuginfo->object)
		add_symbol_functions(builder);
	add_symbols(builder);
	/* A program's symbols are useful even if the files with its DWARF are missing. */
	if (debuginfo->object ? units > bad_units || dwarf_missing_parts(debuginfo)
			      : units > bad_units && !(bad_units && dwarf_is_split(dwarf)))
		debuginfo->index = assemble(builder);
	else
		error = dwarf_is_split(dwarf) ? split_error(debuginfo)
					      : debuginfo_malformed(debuginfo, _("its DWARF cannot be read"));
	end_jobs(jobs, job_count);
	file_names_free(names);
	return error;
}

static struct error *build_from_symbols(struct debuginfo *debuginfo, struct builder *builder)
{
	builder_init(builder, debuginfo);
	add_symbol_functions(builder);
	add_symbols(builder);
	if (!builder->functions->len && debuginfo->kind == OBJECT_KERNEL)
		return debuginfo_malformed(debuginfo, _("it has no symbols"));
	debuginfo->index = assemble(builder);
	return NULL;
}

static struct error *build(struct debuginfo *debuginfo, bool *is_complete)
{
	struct builder builder = {0};
	struct error *error;

	if (debuginfo->source->reader->is_dwarf)
		error = build_from_dwarf(debuginfo, &builder);
	else
		error = build_from_symbols(debuginfo, &builder);
	*is_complete =
		builder.code && code_complete(builder.code) && !(debuginfo->dwarf && dwarf_missing_parts(debuginfo));
	builder_clear(&builder);
	return error;
}

bool debuginfo_has_index(struct debuginfo *debuginfo)
{
	const char *key = index_key(debuginfo);

	if (!debuginfo->index && !debuginfo->source->index && debuginfo->search.cache_directory)
		debuginfo->index = index_load(debuginfo->search.cache_directory, key, key);
	return debuginfo->index || debuginfo->source->index;
}

struct error *debuginfo_index(struct debuginfo *debuginfo, struct index **ret)
{
	const char *key = index_key(debuginfo);
	bool is_complete = false;
	struct error *error;

	if (!debuginfo->index && debuginfo->source->index) {
		error = debuginfo->source->index(debuginfo, &debuginfo->index);
		if (error)
			return error;
	}
	if (!debuginfo_has_index(debuginfo)) {
		struct progress *step = progress_begin(_("reading the debuginfo of %s, once"), debuginfo->debug.path);

		error = build(debuginfo, &is_complete);
		progress_end(step);
		if (error)
			return error;
		if (debuginfo->search.cache_directory && is_complete)
			index_save(debuginfo->index, debuginfo->search.cache_directory, key);
	}
	*ret = debuginfo->index;
	return NULL;
}

struct error *debuginfo_prepare(struct debuginfo *debuginfo)
{
	struct index *index;

	return debuginfo_index(debuginfo, &index);
}
