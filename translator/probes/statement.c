// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel.statement("name@file:lines"), module("m").statement(…) and process("p").statement(…): source lines and
 * addresses.
 *
 * This file parses the text. The lines are ":N", ":N-M", ":N,M-O" or ":*"; with "+" instead of ":" they count from the
 * declaration of each function. debuginfo finds the code: the first instruction of a line in a function or in one
 * inlined instance. A place that cannot be probed is left out and counted. If no place remains, that is an error.
 */
#include <inttypes.h>

#include "common/base/i18n.h"
#include "common/base/number.h"
#include "translator/lowering/lowering.h"
#include "translator/probes/function_probes.h"
#include "translator/probes/suggest_functions.h"

enum variant { EXACT, NEAREST, ADDRESS, ABSOLUTE, IN_PROCESS };

enum { MOST_NEAR_LINES = 4 };

static const struct point_pattern patterns[] = {
	{{{"kernel", NO_ARGUMENT}, {"statement", STRING_ARGUMENT}}, EXACT},
	{{{"kernel", NO_ARGUMENT}, {"statement", STRING_ARGUMENT}, {"nearest", NO_ARGUMENT}}, NEAREST},
	{{{"module", STRING_ARGUMENT}, {"statement", STRING_ARGUMENT}}, EXACT},
	{{{"module", STRING_ARGUMENT}, {"statement", STRING_ARGUMENT}, {"nearest", NO_ARGUMENT}}, NEAREST},
	{{{"kernel", NO_ARGUMENT}, {"statement", NUMBER_ARGUMENT}}, ADDRESS},
	{{{"module", STRING_ARGUMENT}, {"statement", NUMBER_ARGUMENT}}, ADDRESS},
	{{{"kernel", NO_ARGUMENT}, {"statement", NUMBER_ARGUMENT}, {"absolute", NO_ARGUMENT}}, ABSOLUTE},
	{{{"kprobe", NO_ARGUMENT}, {"statement", NUMBER_ARGUMENT}, {"absolute", NO_ARGUMENT}}, ABSOLUTE},
	{{PROGRAM, {"statement", STRING_ARGUMENT}}, EXACT},
	{{PROGRAM, {"statement", STRING_ARGUMENT}, {"nearest", NO_ARGUMENT}}, NEAREST},
	{{PROGRAM, {"statement", NUMBER_ARGUMENT}}, ADDRESS},
	{{{"process", NUMBER_ARGUMENT}, {"statement", NUMBER_ARGUMENT}, {"absolute", NO_ARGUMENT}}, IN_PROCESS},
	{{LIBRARY, {"statement", STRING_ARGUMENT}}, EXACT},
	{{LIBRARY, {"statement", STRING_ARGUMENT}, {"nearest", NO_ARGUMENT}}, NEAREST},
	{{LIBRARY, {"statement", NUMBER_ARGUMENT}}, ADDRESS},
	{0},
};

struct statement_search {
	struct statement_query query;
	bool is_entry; /* no lines given: probe the function's first instruction */
	bool is_nearest;
};

/* ---- "name@file:lines" ------------------------------------------------------------------------------------------- */

static bool parse_line_number(const char **text, int *number)
{
	int64_t value = 0;
	const char *end = g_ascii_isdigit(**text) ? parse_number_at(*text, 10, 0, G_MAXINT - 1, &value) : NULL;

	if (!end)
		return false;
	*text = end;
	*number = (int)value;
	return true;
}

/* lines := range { "," range }; range := number [ "-" number ] */
static bool parse_lines(const char *text, GArray *ranges)
{
	do {
		struct line_range range;

		if (*text == ',')
			text++;
		if (!parse_line_number(&text, &range.first))
			return false;
		range.last = range.first;
		if (*text == '-') {
			text++;
			if (!parse_line_number(&text, &range.last))
				return false;
		}
		if (range.last < range.first)
			return false;
		g_array_append_val(ranges, range);
	} while (*text == ',');
	return !*text;
}

static void diagnose_pattern(struct translation *t, const struct probe_point *point, const char *format,
			     const char *culprit)
{
	diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location, format, culprit);
	diagnose_hint(
		t->diagnostics,
		_("the form is \"function@file:line\"; the line may be N, N-M, a list of these, or * for all, and "
		  "+N counts from the function's declaration"));
}

/* Fill the search from the text. Return false after a diagnostic. */
static bool parse_pattern(struct translation *t, const struct probe_point *point, GArray *ranges,
			  struct statement_search *search)
{
	const char *text = point_string(point, place_component(point));
	char *name = arena_strdup(t->arena, text);
	char *file = strchr(name, '@');
	char *lines = NULL;

	if (file) {
		*file++ = '\0';
		lines = strrchr(file, ':');
		if (!lines)
			lines = strrchr(file, '+');
	}
	if (!*name || (file && (!*file || lines == file))) {
		diagnose_pattern(t, point, _("'%s' names no statement"), text);
		return false;
	}
	search->is_entry = !lines;
	search->query = (struct statement_query){.name = name, .file = file};
	if (!lines)
		return true;
	search->query.is_relative = *lines == '+';
	*lines++ = '\0';
	if (strcmp(lines, "*") && !parse_lines(lines, ranges)) {
		diagnose_pattern(t, point, _("'%s' is not a line number"), lines);
		return false;
	}
	search->query.ranges = (const struct line_range *)ranges->data;
	search->query.range_count = ranges->len;
	return true;
}

/* ---- probes ------------------------------------------------------------------------------------------------------ */

struct derived_probe *derive_place(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
				   struct address address, const struct function *function, GPtrArray *ret)
{
	struct derived_probe *derived;

	if (!debuginfo_is_probeable(debuginfo, address)) {
		t->left_out++;
		return NULL;
	}
	derived = derived_probe_new(t, point);
	derived->function = function;
	derived->function_name = function ? shown_name(t, point, function) : "";
	derived->registration.kind = STP_PROBE_KPROBE;
	derived->registration.address = address;
	derived->registration.debuginfo = debuginfo;
	if (debuginfo_memory(debuginfo) == MEMORY_USER && !register_user_place(t, derived))
		return NULL;
	g_ptr_array_add(ret, derived);
	return derived;
}

/* Append a probe at a place; its pp() is kernel.statement("name@file:line"). */
static void derive(struct translation *t, const struct probe_point *point, const struct statement_place *place,
		   GPtrArray *ret)
{
	const struct function *function = place->function;
	struct derived_probe *derived =
		derive_place(t, point, function->debuginfo, place->address, place->function, ret);
	g_autofree char *argument = NULL;
	g_autoptr(GString) text = NULL;

	if (!derived)
		return;
	derived->line = place->line ?: function->declaration_line;
	argument = g_strdup_printf("\"%s@%s:%d\"", derived->function_name, function->declaration_file, derived->line);
	text = place_text(function->debuginfo, "statement", argument);
	set_place_text(t, derived, arena_strdup(t->arena, text->str));
}

/* ---- the nearest lines ------------------------------------------------------------------------------------------- */

/* Return whether two functions share a file or, with relative lines, a declaration: their lines are comparable. */
static bool same_group(const struct statement_query *query, const struct function *a, const struct function *b)
{
	return strcmp(a->declaration_file, b->declaration_file) == 0 &&
	       (!query->is_relative || a->declaration_line == b->declaration_line);
}

static int base_line(const struct statement_query *query, const struct function *function)
{
	return query->is_relative ? function->declaration_line : 0;
}

/* Return whether no other line of the group is nearer to the wanted one. Of two equally near, the later wins. */
static bool is_nearest(const struct statement_query *query, const GPtrArray *places,
		       const struct statement_place *place, int wanted)
{
	int distance = abs(place->line - wanted);

	for_each_ptr(const struct statement_place *, other, places) {
		int rival = abs(other->line - wanted);

		if (same_group(query, other->function, place->function) &&
		    (rival < distance || (rival == distance && other->line > place->line)))
			return false;
	}
	return true;
}

/*
 * Return whether a place is the nearest to any line of the ranges. Checking the ends of a range is enough: the line
 * nearest to one within is in the range, or is nearest to an end.
 */
static bool is_wanted(const struct statement_query *query, const GPtrArray *places, const struct statement_place *place)
{
	int base = base_line(query, place->function);

	for (size_t i = 0; i < query->range_count; i++) {
		int first = base + query->ranges[i].first, last = base + query->ranges[i].last;

		if ((place->line >= first && place->line <= last) || is_nearest(query, places, place, first) ||
		    is_nearest(query, places, place, last))
			return true;
	}
	return !query->range_count;
}

static gint compare_distances(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct statement_place *x = *(struct statement_place *const *)a, *y = *(struct statement_place *const *)b;
	const struct statement_query *query = data;
	int x_distance = abs(x->line - base_line(query, x->function) - query->ranges[0].first);
	int y_distance = abs(y->line - base_line(query, y->function) - query->ranges[0].first);

	return x_distance != y_distance ? x_distance - y_distance : x->line - y->line;
}

/* Add the nearest lines to the alternatives, and return them for the hint: "fs/read_write.c:453 (vfs_read), …". */
static const char *near_lines(struct translation *t, struct statement_query *query, GPtrArray *places)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GPtrArray) alternatives = g_ptr_array_new();
	const struct statement_place *last = NULL;
	int count = 0;

	g_ptr_array_sort_with_data(places, compare_distances, query);
	for_each_ptr(const struct statement_place *, place, places) {
		if (last && last->line == place->line && !strcmp(last->function->name, place->function->name))
			continue;
		if (count++ == MOST_NEAR_LINES)
			break;
		g_string_append_printf(text, "%s%s:%d (%s)", count > 1 ? ", " : "", place->function->declaration_file,
				       place->line, place->function->name);
		g_ptr_array_add(alternatives,
				arena_printf(t->arena, "%s:%d", place->function->declaration_file, place->line));
		last = place;
	}
	diagnose_names(t->diagnostics, alternatives);
	return arena_strdup(t->arena, text->str);
}

/* ---- finding ----------------------------------------------------------------------------------------------------- */

static bool function_exists(struct debuginfo *debuginfo, const struct statement_query *query)
{
	struct function_query function = {.name = query->name, .file = query->file};
	g_autoptr(GPtrArray) found = g_ptr_array_new();

	error_free(debuginfo_functions(debuginfo, &function, found));
	return found->len > 0;
}

/* Suggest the nearest lines that can be probed. Return whether any were found. */
static bool suggest_lines(struct translation *t, struct debuginfo *debuginfo, const struct statement_query *query)
{
	g_autoptr(GPtrArray) places = g_ptr_array_new(), probeable = g_ptr_array_new();
	struct statement_query near = *query;

	near.near = true;
	if (query->range_count)
		error_free(debuginfo_statements(debuginfo, &near, places));
	for_each_ptr(struct statement_place *, place, places) {
		if (debuginfo_is_probeable(debuginfo, place->address))
			g_ptr_array_add(probeable, place);
	}
	if (probeable->len)
		diagnose_hint(t->diagnostics, _("the nearest lines that can be probed are %s"),
			      near_lines(t, &near, probeable));
	return probeable->len > 0;
}

static void diagnose_nothing(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
			     const struct statement_query *query)
{
	const char *what = point_string(point, place_component(point));

	if (!function_exists(debuginfo, query)) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location, _("no function matches '%s' in %s"), what,
			 debuginfo_module_name(debuginfo));
		suggest_functions(t, debuginfo, query->name, query->file);
		return;
	}
	diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location, _("no code begins at '%s'"), what);
	if (suggest_lines(t, debuginfo, query))
		return;
	if (object_is_kernels(debuginfo_kind(debuginfo)))
		diagnose_hint(t->diagnostics, _("the matching functions are freed after boot"));
	else
		diagnose_hint(t->diagnostics,
			      _("the matching functions have no lines: compile them with -g, or probe them with "
				".function"));
}

static void diagnose_refused(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
			     struct address address)
{
	diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location, _("'%s' cannot be probed: %s"),
		 probe_point_text(t->arena, point, false),
		 debuginfo_probe_refusal(debuginfo, address) ?: _("its code is not in the file"));
}

/* Find the first instruction of each function and inlined instance, for a point without lines. */
static struct error *find_entries(struct debuginfo *debuginfo, const struct statement_query *query, struct arena *arena,
				  GPtrArray *places)
{
	struct function_query entries = {.name = query->name, .file = query->file};
	g_autoptr(GPtrArray) functions = g_ptr_array_new();
	struct error *error = debuginfo_functions(debuginfo, &entries, functions);

	for_each_ptr(const struct function *, function, functions) {
		struct statement_place *place = arena_new0(arena, struct statement_place);

		place->function = function;
		place->address = function->entry;
		place->line = function->declaration_line;
		if (!function->is_init)
			g_ptr_array_add(places, place);
	}
	return error;
}

static void find_statements(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
			    void *data, GPtrArray *ret)
{
	const struct statement_search *search = data;
	g_autoptr(GPtrArray) places = g_ptr_array_new();
	struct statement_query query = search->query;
	guint before = ret->len;
	struct error *error;

	query.near = search->is_nearest && query.range_count;
	error = debuginfo_require(debuginfo, KNOWS_LINES);
	if (!error && search->is_entry)
		error = find_entries(debuginfo, &query, t->arena, places);
	else if (!error)
		error = debuginfo_statements(debuginfo, &query, places);
	if (error) {
		translation_report(t, &point->location, error);
		return;
	}
	for_each_ptr(const struct statement_place *, place, places) {
		if (!query.near || is_wanted(&query, places, place))
			derive(t, point, place, ret);
	}
	if (ret->len != before)
		return;
	if (places->len) {
		const struct statement_place *place = g_ptr_array_index(places, 0);

		diagnose_refused(t, point, debuginfo, place->address);
		suggest_lines(t, debuginfo, &query);
	} else {
		diagnose_nothing(t, point, debuginfo, &query);
	}
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

static void find_address(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
			 void *data, GPtrArray *ret)
{
	bool in_module = debuginfo_kind(debuginfo) == OBJECT_MODULE;
	struct address address = {(uint64_t)point_number(point, place_component(point)), in_module ? ".text" : NULL};
	struct derived_probe *derived;
	struct statement_place place;
	struct error *error = debuginfo_statement_at(debuginfo, address, &place);

	if (error) {
		translation_report(t, &point->location, error);
		return;
	}
	if (!place.line) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location,
			 _("no statement begins at address 0x%" PRIx64 " of %s"), address.value,
			 debuginfo_module_name(debuginfo));
		diagnose_hint(t->diagnostics, _("the address is inside '%s'"), place.function->name);
		return;
	}
	derived = derive_place(t, point, debuginfo, address, place.function, ret);
	if (derived)
		derived->line = place.line;
	else
		diagnose_refused(t, point, debuginfo, address);
}

/*
 * Append a probe at an address of the running kernel. Only the kernel checks the address, when the script starts, so
 * guru mode is required.
 */
static void derive_absolute(struct translation *t, const struct probe_point *point, GPtrArray *ret)
{
	struct derived_probe *derived;

	if (!t->language.guru_mode) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location,
			 _("a probe of an absolute address needs guru mode"));
		diagnose_hint(t->diagnostics, _("use stap -g if an instruction begins at the address"));
		return;
	}
	derived = derived_probe_new(t, point);
	derived->function_name = "";
	derived->registration.kind = STP_PROBE_KPROBE;
	derived->registration.is_absolute = true;
	derived->registration.address.value = (uint64_t)point_number(point, 1);
	g_ptr_array_add(ret, derived);
}

/*
 * Return whether an instruction begins at an address, or diagnose: a breakpoint inside an instruction would change the
 * program. Guru mode accepts an unknown place.
 */
static bool is_instruction(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
			   uint64_t address)
{
	const char *name = debuginfo_module_name(debuginfo);

	switch (debuginfo_instruction_place(debuginfo, address)) {
	case INSTRUCTION_BEGINS:
		return true;
	case INSTRUCTION_GOES_ON:
		diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location,
			 _("the address is inside an instruction, at 0x%" PRIx64 " of %s"), address, name);
		return false;
	case INSTRUCTION_UNKNOWN:
		break;
	}
	if (t->language.guru_mode)
		return true;
	diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location,
		 _("the address is in no known function, at 0x%" PRIx64 " of %s, so it may be inside an instruction"),
		 address, name);
	diagnose_hint(t->diagnostics, _("use stap -g if an instruction begins at the address"));
	return false;
}

/* Append a probe at an address of a running process, in the file that the process maps there. */
static void derive_in_process(struct translation *t, const struct probe_point *point, GPtrArray *ret)
{
	const struct probe_component *process = g_ptr_array_index(point->components, 0);
	struct address address = {0};
	struct debuginfo *debuginfo;
	struct mapped_place mapped;
	struct statement_place place;
	struct error *error;

	if (!find_mapped_file(t, process, (uint64_t)point_number(point, place_component(point)), &mapped))
		return;
	error = translation_object(t, mapped.path, &debuginfo);
	if (error) {
		translation_report(t, &point->location, error);
		return;
	}
	if (!debuginfo_address_in_file(debuginfo, mapped.offset, &address.value)) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location,
			 _("the address is not in code: offset 0x%" PRIx64 " of %s is mapped there"), mapped.offset,
			 mapped.path);
		return;
	}
	if (!is_instruction(t, point, debuginfo, address.value))
		return;
	error = debuginfo_statement_at(debuginfo, address, &place);
	if (!derive_place(t, point, debuginfo, address, error ? NULL : place.function, ret))
		diagnose_refused(t, point, debuginfo, address);
	error_free(error);
}

static void resolve(struct translation *t, const struct point_pattern *pattern, const struct probe_point *point,
		    GPtrArray *ret)
{
	g_autoptr(GArray) ranges = g_array_new(FALSE, FALSE, sizeof(struct line_range));
	struct statement_search search = {.is_nearest = pattern->variant == NEAREST};

	if (pattern->variant == ABSOLUTE)
		derive_absolute(t, point, ret);
	else if (pattern->variant == IN_PROCESS)
		derive_in_process(t, point, ret);
	else if (pattern->variant == ADDRESS)
		find_in_objects(t, point, find_address, NULL, ret);
	else if (parse_pattern(t, point, ranges, &search))
		find_in_objects(t, point, find_statements, &search, ret);
}

const struct provider statement_provider = {
	.name = "statement",
	.summary = N_("source lines and addresses of the kernel, its modules, and programs"),
	.patterns = patterns,
	.resolve = resolve,
	.target_variable = lower_variable,
};
