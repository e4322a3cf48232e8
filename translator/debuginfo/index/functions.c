// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Function queries.
 *
 * The index is sorted by name, so the letters before the first wildcard of a pattern limit the range to search. Within
 * it each name is matched once, not once per inlined instance. A struct function is created when a query first returns
 * it, and kept: one function always has the same pointer.
 */
#include "translator/debuginfo/index/index.h"
#include "translator/debuginfo/lines/lines.h"
#include "translator/debuginfo/object/user_object.h"

#include <fnmatch.h>
#include <string.h>

#include "common/base/i18n.h"

#define MOST_OVERLAPS 64

const struct function *function_get(struct debuginfo *debuginfo, uint32_t number)
{
	const struct index *index = debuginfo->index;
	const struct index_function *entry;
	struct function *function;

	if (number >= index->function_count)
		return NULL;
	if (!debuginfo->functions)
		debuginfo->functions = g_new0(struct function *, index->function_count);
	if (debuginfo->functions[number])
		return debuginfo->functions[number];
	entry = &index->functions[number];
	function = arena_new0(debuginfo->arena, struct function);
	debuginfo->functions[number] = function;
	*function = (struct function){
		.debuginfo = debuginfo,
		.name = index_string(index, entry->name),
		.scope = number < index->scope_count ? index_string(index, index->scopes[number]) : "",
		.declaration_file = index_file_name(index, entry->file),
		.declaration_line = (int)entry->line,
		.entry = {entry->entry, debuginfo_section_name(debuginfo, entry->section)},
		.size = entry->size,
		.is_inlined = entry->flags & INDEX_INLINED,
		.symbol = entry->symbol ? index_string(index, entry->symbol) : NULL,
		.is_exported = entry->flags & INDEX_EXPORTED,
		.is_external = entry->flags & INDEX_EXTERNAL,
		.has_fentry = entry->flags & INDEX_FENTRY,
		.is_init = (entry->flags & INDEX_INIT) && !debuginfo_has_sections(debuginfo),
		.not_probeable = entry->flags & INDEX_NOT_PROBEABLE,
		.die = GSIZE_TO_POINTER(entry->die),
	};
	function->start = function->entry;
	function->start.value -= (uint64_t)entry->lead * INDEX_LEAD_STEP;
	if (function->has_fentry)
		function->fentry = (struct address){function->start.value + entry->fentry, function->entry.section};
	/* Containers are real functions without a container. A damaged index must not cause endless recursion. */
	if (function->is_inlined && entry->container < index->function_count &&
	    !(index->functions[entry->container].flags & INDEX_INLINED)) {
		function->container = function_get(debuginfo, entry->container);
		function->symbol = function->container->symbol;
	}
	return function;
}

/* ---- by address ---- */

struct by_address {
	uint64_t entry, size;
	uint32_t number;
	uint16_t section;
};

static int compare_by_address(gconstpointer a, gconstpointer b)
{
	const struct by_address *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->entry != y->entry)
		return x->entry < y->entry ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static GArray *order_by_address(const struct index *index)
{
	GArray *order = g_array_new(FALSE, FALSE, sizeof(struct by_address));

	for (uint64_t i = 0; i < index->function_count; i++) {
		const struct index_function *entry = &index->functions[i];
		struct by_address place = {entry->entry, MAX(entry->size, 1), (uint32_t)i, entry->section};

		if (!(entry->flags & INDEX_INLINED))
			g_array_append_val(order, place);
	}
	g_array_sort(order, compare_by_address);
	return order;
}

const struct function *function_at(struct debuginfo *debuginfo, struct address address)
{
	int section = address.section ? debuginfo_section_number(debuginfo, address.section) : 0;
	guint low = 0, high;

	if (!debuginfo->by_address)
		debuginfo->by_address = order_by_address(debuginfo->index);
	high = debuginfo->by_address->len;
	while (low < high) {
		guint middle = low + (high - low) / 2;
		const struct by_address *place = &g_array_index(debuginfo->by_address, struct by_address, middle);

		if (place->section < section || (place->section == section && place->entry <= address.value))
			low = middle + 1;
		else
			high = middle;
	}
	/* Symbols may overlap, so the function with the nearest entry may end before the address. */
	for (guint tries = 0; low-- > 0 && tries < MOST_OVERLAPS; tries++) {
		const struct by_address *place = &g_array_index(debuginfo->by_address, struct by_address, low);

		if (place->section != section)
			break;
		if (address.value - place->entry < place->size)
			return function_get(debuginfo, place->number);
	}
	return NULL;
}

bool function_die(const struct function *function, Dwarf_Die *ret)
{
	Dwarf *dwarf;
	_cleanup_error_ struct error *error = debuginfo_dwarf(function->debuginfo, &dwarf);

	return !error && dwarf_die_at(function->debuginfo, GPOINTER_TO_SIZE(function->die), ret);
}

/* ---- matching ---- */

/* A running query, with cached answers about names and files. */
struct matcher {
	struct debuginfo *debuginfo;
	const struct index *index;
	const struct function_query *query;
	const char *name; /* of the query, without its scope */
	const char *scope; /* glob, or NULL for any */
	bool is_exact;
	uint32_t last_name; /* cache: the name matched last, and the result */
	bool last_matched;
	int8_t *file_answers; /* by file number: 0 unknown, 1 yes, -1 no */
	uint32_t *start_lines; /* by file number: the last line not after query->line at which a function is declared */
};

/* Is it an instance of a template, such as "box<int>" of "box"? C names never contain '<'. */
static bool is_instance_of(const char *text, const char *template)
{
	size_t length = strlen(template);

	return strncmp(text, template, length) == 0 && text[length] == '<' && !g_str_has_suffix(template, "operator") &&
	       !g_str_has_suffix(template, "operator<");
}

/* Does a scope ("geo::Square::") end with a part that matches the glob ("Square", "g*::Square")? */
static bool scope_ends_with(const char *scope, const char *glob)
{
	g_autofree char *text = g_strndup(scope, strlen(scope) - (scope[0] ? 2 : 0));
	const char *tail = text;

	if (!glob[0] || !text[0])
		return glob[0] == text[0];
	while (fnmatch(glob, tail, 0) != 0) {
		tail = strstr(tail, "::");
		if (!tail)
			return false;
		tail += 2;
	}
	return true;
}

/* Remove the parts of a scope that have no name in the source: anonymous namespaces and Rust's "{impl#0}". */
static char *named_scope(const char *scope)
{
	static const char *const nameless[] = {ANONYMOUS_NAMESPACE "::", "{impl#"};
	GString *text = g_string_new(NULL);
	bool begins = true;

	while (*scope) {
		const char *end = strstr(scope, "::");

		if (begins && end && (g_str_has_prefix(scope, nameless[0]) || g_str_has_prefix(scope, nameless[1]))) {
			scope = end + 2;
			continue;
		}
		begins = scope[0] == ':' && text->len && text->str[text->len - 1] == ':';
		g_string_append_c(text, *scope++);
	}
	return g_string_free(text, FALSE);
}

/* Does the scope match, with or without its anonymous parts? */
static bool scope_matches(const struct matcher *matcher, uint64_t number)
{
	const struct index *index = matcher->index;
	const char *scope = number < index->scope_count ? index_string(index, index->scopes[number]) : "";

	if (!matcher->scope || scope_ends_with(scope, matcher->scope))
		return true;
	g_autofree char *named = named_scope(scope);

	return scope_ends_with(named, matcher->scope);
}

static bool name_matches(struct matcher *matcher, uint32_t name)
{
	if (name != matcher->last_name) {
		const char *text = index_string(matcher->index, name);

		matcher->last_name = name;
		if (matcher->is_exact)
			matcher->last_matched = strcmp(text, matcher->name) == 0 || is_instance_of(text, matcher->name);
		else
			matcher->last_matched = fnmatch(matcher->name, text, 0) == 0;
	}
	return matcher->last_matched;
}

static bool file_fits(struct matcher *matcher, uint32_t file)
{
	if (!matcher->query->file)
		return true;
	if (file >= matcher->index->file_count)
		return false;
	if (!matcher->file_answers[file])
		matcher->file_answers[file] =
			file_matches(index_file_name(matcher->index, file), matcher->query->file) ? 1 : -1;
	return matcher->file_answers[file] > 0;
}

/* For an absolute line, find per file the line of the last function declared before it. */
static uint32_t *find_start_lines(struct matcher *matcher)
{
	uint32_t *lines = g_new0(uint32_t, matcher->index->file_count + 1);

	for (uint64_t i = 0; i < matcher->index->function_count; i++) {
		const struct index_function *entry = &matcher->index->functions[i];

		if (file_fits(matcher, entry->file) && entry->file < matcher->index->file_count &&
		    entry->line <= (uint32_t)matcher->query->line)
			lines[entry->file] = MAX(lines[entry->file], entry->line);
	}
	return lines;
}

static uint64_t dwarf_entry(const struct debuginfo *debuginfo, const struct index_function *entry)
{
	struct address address = {entry->entry, debuginfo_section_name(debuginfo, entry->section)};

	return debuginfo_dwarf_address(debuginfo, address);
}

/*
 * Does the line belong to the function? It belongs to the function declared last before it, if that function's code
 * extends to it. So lines without code (declarations, blank lines) belong to the function around them.
 */
static bool line_fits(struct matcher *matcher, const struct index_function *entry)
{
	const struct function_query *query = matcher->query;
	int line = query->line_is_relative ? (int)entry->line + query->line : query->line;

	if (query->line <= 0 || line == (int)entry->line)
		return true;
	if (matcher->start_lines && matcher->start_lines[entry->file] != entry->line)
		return false;
	/* An inlined instance may lack some of the function's lines, so do not require them. */
	if (entry->flags & INDEX_INLINED)
		return true;
	return line_is_reached(matcher->debuginfo, entry->die, dwarf_entry(matcher->debuginfo, entry), entry->size,
			       index_file_name(matcher->index, entry->file), line);
}

static bool kind_fits(const struct function_query *query, const struct index_function *entry)
{
	bool is_inlined = entry->flags & INDEX_INLINED;

	return query->inlines == INCLUDE_BOTH || is_inlined == (query->inlines == ONLY_INLINED);
}

static bool has_prefix(const struct index *index, const struct index_function *entry, const char *prefix, size_t length)
{
	return strncmp(index_string(index, entry->name), prefix, length) == 0;
}

/* Split a pattern "scope::name"; both may be globs. */
static void read_pattern(struct matcher *matcher, const char *pattern)
{
	struct arena *arena = matcher->debuginfo->arena;
	const char *end = find_scope_end(pattern);

	matcher->name = end ? end + 2 : pattern;
	/* "::name" means no scope. */
	matcher->scope = end ? arena_strndup(arena, pattern, (size_t)(end - pattern)) : NULL;
}

static void match_all(struct matcher *matcher, GPtrArray *ret)
{
	const struct index *index = matcher->index;
	size_t length = strcspn(matcher->name, "*?[\\");
	g_autofree char *prefix = g_strndup(matcher->name, length);

	matcher->is_exact = matcher->name[length] == '\0';
	for (uint64_t i = index_find_function(index, prefix); i < index->function_count; i++) {
		const struct index_function *entry = &index->functions[i];

		if (!has_prefix(index, entry, prefix, length))
			break;
		if (kind_fits(matcher->query, entry) && name_matches(matcher, entry->name) &&
		    scope_matches(matcher, i) && file_fits(matcher, entry->file) && line_fits(matcher, entry))
			g_ptr_array_add(ret, (void *)function_get(matcher->debuginfo, (uint32_t)i));
		else if (matcher->is_exact && !index->scope_count && entry->name == matcher->last_name &&
			 !matcher->last_matched)
			break; /* longer names with the same beginning */
	}
}

static struct error *find_by_name(struct debuginfo *debuginfo, const struct function_query *query, GPtrArray *ret)
{
	g_autofree int8_t *file_answers = NULL;
	g_autofree uint32_t *start_lines = NULL;
	struct matcher matcher = {.debuginfo = debuginfo, .query = query, .last_name = UINT32_MAX};
	struct index *index;
	struct error *error = query->file ? debuginfo_require(debuginfo, KNOWS_LINES) : NULL;

	if (!error && query->inlines == ONLY_INLINED)
		error = debuginfo_require(debuginfo, KNOWS_INLINES);
	error = error ?: debuginfo_index(debuginfo, &index);
	if (error)
		return error;
	file_answers = g_new0(int8_t, index->file_count + 1);
	matcher.index = index;
	matcher.file_answers = file_answers;
	read_pattern(&matcher, query->name);
	if (query->line > 0 && !query->line_is_relative)
		matcher.start_lines = start_lines = find_start_lines(&matcher);
	match_all(&matcher, ret);
	return NULL;
}

/* Find functions by the pattern of a symbol: "f.isra.0" for f, "_ZN3geo*" for functions in scopes. */
static struct error *find_by_symbol(struct debuginfo *debuginfo, const struct function_query *query, GPtrArray *ret)
{
	g_autofree char *name =
		is_mangled(query->name) ? g_strdup("*") : g_strndup(query->name, strcspn(query->name, "."));
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	struct function_query plain = *query;
	struct error *error;

	plain.name = name;
	error = find_by_name(debuginfo, &plain, found);
	for_each_ptr(const struct function *, function, found) {
		if (!function->is_inlined && function->symbol && fnmatch(query->name, function->symbol, 0) == 0)
			g_ptr_array_add(ret, (gpointer)function);
	}
	return error;
}

struct error *debuginfo_symbol_address(struct debuginfo *debuginfo, const char *name, struct address *ret)
{
	struct index *index;
	struct error *error = debuginfo_index(debuginfo, &index);
	uint64_t number;

	if (error)
		return error;
	number = index_find_symbol(index, name);
	if (number >= index->symbol_count || strcmp(index_string(index, index->symbols[number].name), name) != 0)
		return error_new(ERROR_LOOKUP, _("%s has no symbol '%s'"), debuginfo->name, name);
	*ret = (struct address){index->symbols[number].value,
				debuginfo_section_name(debuginfo, index->symbols[number].section)};
	return NULL;
}

struct error *debuginfo_symbol_addresses(struct debuginfo *debuginfo, const char *name, GArray *ret)
{
	struct index *index;
	struct error *error = debuginfo_index(debuginfo, &index);

	if (error)
		return error;
	for (uint64_t i = index_find_symbol(index, name); i < index->symbol_count; i++) {
		const struct index_symbol *symbol = &index->symbols[i];
		struct address address = {symbol->value, debuginfo_section_name(debuginfo, symbol->section)};

		if (strcmp(index_string(index, symbol->name), name) != 0)
			break;
		g_array_append_val(ret, address);
	}
	return NULL;
}

static bool has_function(const GPtrArray *functions, guint from, const struct function *function)
{
	for (guint i = from; i < functions->len; i++)
		if (g_ptr_array_index(functions, i) == function)
			return true;
	return false;
}

/*
 * Add functions by another symbol at their entry, such as __x64_sys_getpid for __do_sys_getpid. In a library, several
 * functions may have one symbol: versions (api@V1, api@@V2), and implementations of an indirect function.
 */
static struct error *find_by_alias(struct debuginfo *debuginfo, const struct function_query *query, GPtrArray *ret,
				   guint before)
{
	struct index *index;
	struct error *error = debuginfo_index(debuginfo, &index);

	if (error || query->file || query->line > 0 || query->inlines == ONLY_INLINED ||
	    strpbrk(query->name, "*?[\\:."))
		return error;
	for (uint64_t i = index_find_symbol(index, query->name); i < index->symbol_count; i++) {
		const struct index_symbol *symbol = &index->symbols[i];
		struct address address = {symbol->value, debuginfo_section_name(debuginfo, symbol->section)};
		const struct function *function;

		if (strcmp(index_string(index, symbol->name), query->name) != 0)
			break;
		function = function_at(debuginfo, address);
		if (function && !function->is_inlined && function->entry.value == address.value &&
		    !has_function(ret, before, function))
			g_ptr_array_add(ret, (gpointer)function);
		/* If several symbols of the kernel have the name, the first one is global. */
		if (!debuginfo->object)
			break;
	}
	return NULL;
}

/* Is it a better name for a function than another? Users do not call those with underscores. */
static bool is_better_name(const struct function *function, const struct function *other)
{
	bool is_internal = function->name[0] == '_', is_other_internal = other->name[0] == '_';

	if (function->is_exported != other->is_exported)
		return function->is_exported;
	return is_internal != is_other_internal ? is_other_internal : strcmp(function->name, other->name) < 0;
}

/*
 * Keep one of several names of an address, so that a call is one hit: the first, or the best that matches a pattern.
 * Functions with DWARF have one name.
 */
static void drop_aliases(GPtrArray *functions, guint before, bool is_pattern)
{
	g_autoptr(GHashTable) entries = g_hash_table_new(g_direct_hash, g_direct_equal);
	guint kept = before;

	for (guint i = before; i < functions->len; i++) {
		const struct function *function = g_ptr_array_index(functions, i);
		gpointer key = GSIZE_TO_POINTER(function->entry.value), place;

		if (!function->die && !function->is_inlined &&
		    g_hash_table_lookup_extended(entries, key, NULL, &place)) {
			if (is_pattern &&
			    is_better_name(function, g_ptr_array_index(functions, GPOINTER_TO_UINT(place))))
				g_ptr_array_index(functions, GPOINTER_TO_UINT(place)) = (gpointer)function;
			continue;
		}
		if (!function->die && !function->is_inlined)
			g_hash_table_insert(entries, key, GUINT_TO_POINTER(kept));
		g_ptr_array_index(functions, kept++) = (gpointer)function;
	}
	g_ptr_array_set_size(functions, (gint)kept);
}

/* A pattern with a dot names a symbol; in programs of some languages, also a function. */
struct error *debuginfo_functions(struct debuginfo *debuginfo, const struct function_query *query, GPtrArray *ret)
{
	bool has_dot = strchr(query->name, '.');
	guint before = ret->len;
	struct error *error = has_dot && !debuginfo->object ? NULL : find_by_name(debuginfo, query, ret);

	if (!error && ret->len == before && (has_dot || (is_mangled(query->name) && strpbrk(query->name, "*?["))))
		return find_by_symbol(debuginfo, query, ret);
	if (!error && (ret->len == before || debuginfo->object))
		error = find_by_alias(debuginfo, query, ret, before);
	if (!error && debuginfo->object)
		drop_aliases(ret, before, strpbrk(query->name, "*?["));
	return error;
}

struct error *debuginfo_function_names(struct debuginfo *debuginfo, GPtrArray *ret)
{
	struct index *index;
	struct error *error = debuginfo_index(debuginfo, &index);

	if (error)
		return error;
	for (uint64_t i = 0; i < index->function_count; i++)
		if (!i || index->functions[i].name != index->functions[i - 1].name)
			g_ptr_array_add(ret, (void *)index_string(index, index->functions[i].name));
	return NULL;
}

struct error *debuginfo_file_names(struct debuginfo *debuginfo, GPtrArray *ret)
{
	struct index *index;
	struct error *error = debuginfo_index(debuginfo, &index);

	if (error)
		return error;
	for (uint32_t i = 0; i < index->file_count; i++)
		g_ptr_array_add(ret, (void *)index_file_name(index, i));
	return NULL;
}

struct error *debuginfo_anchor(struct debuginfo *debuginfo, const char *section, const char **name, uint64_t *offset)
{
	struct index *index;
	struct error *error = debuginfo_index(debuginfo, &index);

	*name = NULL;
	if (error)
		return error;
	for (uint64_t i = 0; i < index->symbol_count; i++) {
		const struct index_symbol *symbol = &index->symbols[i];
		bool is_alone = (!i || symbol[-1].name != symbol->name) &&
				(i + 1 == index->symbol_count || symbol[1].name != symbol->name);

		if (!is_alone || strcmp(debuginfo_section_name(debuginfo, symbol->section) ?: "", section) != 0)
			continue;
		*name = index_string(index, symbol->name);
		*offset = symbol->value;
		return NULL;
	}
	return NULL;
}

bool debuginfo_is_probeable(struct debuginfo *debuginfo, struct address address)
{
	return !debuginfo_probe_refusal(debuginfo, address);
}

static const char *kernel_refusal(struct debuginfo *debuginfo, const struct index *index, struct address address)
{
	int section = address.section ? debuginfo_section_number(debuginfo, address.section) : 0;
	const struct code_range *range = NULL;

	if (section >= 0)
		range = reserved_find(index->reserved, index->reserved_count, (unsigned int)section, address.value);
	return range ? reserved_text((enum reserved_reason)range->reason) : NULL;
}

/* Decode from the entry of the function around the address: is it inside of an instruction? */
static bool is_inside_of_instruction(struct debuginfo *debuginfo, uint64_t address)
{
	const struct function *function = function_at(debuginfo, (struct address){address, NULL});
	struct abi_instruction instruction;
	uint64_t at = function ? function->entry.value : address;

	while (at < address && user_object_read_instruction(debuginfo, at, &instruction))
		at += instruction.size;
	return at > address;
}

const char *debuginfo_probe_refusal(struct debuginfo *debuginfo, struct address address)
{
	struct index *index;
	_cleanup_error_ struct error *error = debuginfo_index(debuginfo, &index);
	const char *refusal;

	if (error)
		return NULL;
	if (!debuginfo->object)
		return kernel_refusal(debuginfo, index, address);
	refusal = user_object_refusal(debuginfo, address.value);
	if (!refusal && user_object_restarts(debuginfo, address.value))
		refusal = _("it is in a restartable sequence (rseq), which a probe would break");
	if (!refusal && is_inside_of_instruction(debuginfo, address.value))
		refusal = _("it is inside of an instruction");
	return refusal;
}
