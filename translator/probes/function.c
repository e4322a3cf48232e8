// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel.function("name@file:line"), module("m").function(…), process("p").function(…) and the same with .library:
 * entries and returns of functions and their inlined instances, found in debuginfo.
 *
 * This file parses the pattern; debuginfo matches it. Functions that are freed after boot or that the kernel refuses to
 * probe are left out. If no function remains, the error gives the reason.
 */
#include <inttypes.h>

#include "common/base/i18n.h"
#include "common/base/number.h"
#include "translator/lowering/lowering.h"
#include "translator/probes/function_probes.h"
#include "translator/probes/suggest_functions.h"
#include "translator/probes/unwinders.h"

enum { MOST_LABELS = 20 };

enum variant { PLAIN, CALL, RETURN, INLINE, EXPORTED, LABEL, CALLEE_OF, CALL_OF, RETURN_OF };

/* clang-format off */
#define KERNEL_FUNCTION(kind) {"kernel", NO_ARGUMENT}, {"function", kind}
#define MODULE_FUNCTION(kind) {"module", STRING_ARGUMENT}, {"function", kind}
#define PROCESS_FUNCTION(kind) PROGRAM, {"function", kind}
#define LIBRARY_FUNCTION(kind) LIBRARY, {"function", kind}
/* clang-format on */
#define FORMS(prefix)                                                                                                  \
	{{prefix}, PLAIN}, {{prefix, {"call", NO_ARGUMENT}}, CALL}, {{prefix, {"return", NO_ARGUMENT}}, RETURN},       \
		{{prefix, {"return", NO_ARGUMENT}, {"maxactive", NUMBER_ARGUMENT}}, RETURN},                           \
		{{prefix, {"inline", NO_ARGUMENT}}, INLINE}, {{prefix, {"exported", NO_ARGUMENT}}, EXPORTED},          \
		{{prefix, {"label", STRING_ARGUMENT}}, LABEL},                                                         \
		{{prefix, {"callee", STRING_ARGUMENT, true}}, CALLEE_OF},                                              \
		{{prefix, {"callee", STRING_ARGUMENT, true}, {"call", NO_ARGUMENT}}, CALL_OF},                         \
		{{prefix, {"callee", STRING_ARGUMENT, true}, {"return", NO_ARGUMENT}}, RETURN_OF},                     \
	{                                                                                                              \
		{prefix, {"callees", OPTIONAL_NUMBER}}, CALLEE_OF                                                      \
	}

static const struct point_pattern patterns[] = {
	FORMS(KERNEL_FUNCTION(STRING_ARGUMENT)),
	FORMS(KERNEL_FUNCTION(NUMBER_ARGUMENT)),
	FORMS(MODULE_FUNCTION(STRING_ARGUMENT)),
	FORMS(MODULE_FUNCTION(NUMBER_ARGUMENT)),
	FORMS(PROCESS_FUNCTION(STRING_ARGUMENT)),
	FORMS(PROCESS_FUNCTION(NUMBER_ARGUMENT)),
	FORMS(LIBRARY_FUNCTION(STRING_ARGUMENT)),
	FORMS(LIBRARY_FUNCTION(NUMBER_ARGUMENT)),
	{0},
};

/* ---- "name@file:line" -------------------------------------------------------------------------------------------- */

static bool parse_line(const char *text, struct function_query *query)
{
	int64_t line = 0;
	bool is_number;

	query->line_is_relative = *text == '+';
	if (query->line_is_relative)
		text++;
	is_number = g_ascii_isdigit(*text) && parse_number(text, 10, 1, G_MAXINT - 1, &line);
	query->line = (int)line;
	return is_number;
}

bool parse_function_query(struct translation *t, const struct probe_point *point, const char *text,
			  struct function_query *query)
{
	char *name = arena_strdup(t->arena, text);
	char *file = strchr(name, '@');
	char *line = NULL;

	memset(query, 0, sizeof(*query));
	if (file) {
		*file++ = '\0';
		line = strrchr(file, ':');
		if (!line)
			line = strrchr(file, '+');
	}
	if (line) {
		const char *number = *line == '+' ? arena_strdup(t->arena, line) : line + 1;

		*line = '\0';
		if (strcmp(number, "*") && !parse_line(number, query)) {
			diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location, _("'%s' is not a line number"),
				 number);
			diagnose_hint(t->diagnostics, _("the form is \"function@file:line\""));
			return false;
		}
	}
	if (!*name || (file && !*file)) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location, _("'%s' names no function"), text);
		diagnose_hint(t->diagnostics,
			      _("the form is \"function\", \"function@file\" or \"function@file:line\""));
		return false;
	}
	query->name = name;
	query->file = file;
	return true;
}

static const struct expr *named_function(const struct probe_point *point)
{
	const struct probe_component *component = g_ptr_array_index(point->components, place_component(point));

	return component->argument;
}

const char *named_place(struct translation *t, const struct probe_point *point)
{
	const struct expr *place = named_function(point);

	return place->kind == EXPR_STRING ? place->text : arena_printf(t->arena, "0x%" PRIx64, place->number);
}

/* ---- matching ---------------------------------------------------------------------------------------------------- */

static enum inline_choice inline_choice(enum variant variant)
{
	switch (variant) {
	case PLAIN:
	case LABEL:
	case CALLEE_OF:
	case CALL_OF:
	case RETURN_OF:
		return INCLUDE_BOTH;
	case INLINE:
		return ONLY_INLINED;
	default:
		return ONLY_REAL;
	}
}

/* Counts of matches that were left out, by reason, for the error if none remains. */
struct left_out {
	unsigned int init, refused, not_exported;
	const struct function *refused_one; /* any of them */
	unsigned int thrown_through; /* returns that exceptions may skip and whose return instructions are unknown */
};

static bool usable(const struct function *function, enum variant variant, struct left_out *left_out)
{
	if (function->is_init) {
		left_out->init++;
	} else if (function->not_probeable) {
		left_out->refused++;
		left_out->refused_one = function;
	} else if (variant == EXPORTED && !function->is_exported) {
		left_out->not_exported++;
	} else {
		return true;
	}
	return false;
}

GString *place_text(const struct debuginfo *debuginfo, const char *what, const char *argument)
{
	GString *text = g_string_new(NULL);
	const char *module = debuginfo_place_name(debuginfo);

	if (!object_is_kernels(debuginfo_kind(debuginfo)))
		g_string_append_printf(text, "process(\"%s\")", module);
	else if (!g_strcmp0(module, "kernel"))
		g_string_append(text, "kernel");
	else
		g_string_append_printf(text, "module(\"%s\")", module);
	g_string_append_printf(text, ".%s(%s)", what, argument);
	return text;
}

void append_components(GString *text, const struct probe_point *point, guint from)
{
	for (guint i = from; i < point->components->len; i++) {
		const struct probe_component *component = g_ptr_array_index(point->components, i);

		g_string_append_printf(text, ".%s", component->name);
		if (component->argument && component->argument->kind == EXPR_STRING)
			g_string_append_printf(text, "(\"%s\")", component->argument->text);
		else if (component->argument)
			g_string_append_printf(text, "(%" G_GINT64_FORMAT ")", component->argument->number);
	}
}

void append_suffixes(GString *text, const struct probe_point *point)
{
	append_components(text, point, place_component(point) + 1);
}

const char *shown_name(struct translation *t, const struct probe_point *point, const struct function *function)
{
	const struct probe_component *component = g_ptr_array_index(point->components, place_component(point));
	const char *pattern = component->argument ? component->argument->text : NULL;

	/* Without source files in the debuginfo, only the scope distinguishes functions of one name. */
	return (pattern && strstr(pattern, "::")) || !function->declaration_file[0]
		       ? arena_printf(t->arena, "%s%s", function->scope, function->name)
		       : function->name;
}

const char *function_point_text(struct translation *t, const struct function *function, const char *name)
{
	bool has_file = function->declaration_file[0];
	g_autofree char *argument =
		has_file ? g_strdup_printf("\"%s@%s:%d\"", name, function->declaration_file, function->declaration_line)
			 : g_strdup_printf("\"%s\"", name);
	g_autoptr(GString) text = place_text(function->debuginfo, "function", argument);

	return arena_strdup(t->arena, text->str);
}

/* At a tail call the function's result is not known yet. */
static bool any_tail_call(const GPtrArray *exits)
{
	for_each_ptr(const struct function_exit *, exit, exits) {
		if (exit->is_tail_call)
			return true;
	}
	return false;
}

/*
 * Return whether a return probe would break the function: it is never called, so its stack has no return address to
 * replace, or a later jump returns through it again, when the kernel no longer has the original address. Ignore glibc's
 * prefixes.
 */
static bool has_own_return(const char *name)
{
	static const char *const names[] = {
		"start",  "restore",   "restore_rt", "start_context", "dl_start_user",
		"setjmp", "sigsetjmp", "savectx",    "getcontext",    "swapcontext",
	};

	if (g_str_has_prefix(name, "__GI_"))
		name += strlen("__GI_");
	name += strspn(name, "_");
	for (unsigned int i = 0; i < G_N_ELEMENTS(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return g_str_has_prefix(name, "dl_runtime_");
}

/*
 * Choose how a return in a program is probed; return false if it cannot be probed safely.
 *
 * An exception that unwinds to the address of the kernel's uretprobe trampoline ends the program. In objects with
 * exceptions, returns are therefore probed at the function's return instructions, or not at all if these are unknown.
 * That is slower, because the kernel must single-step each such instruction. A function that calls nothing can be left
 * by an exception only from a signal handler. The runtime sees such an exception begin (unwinders.c), so the trampoline
 * is safe there.
 *
 * If a call leaves the return address in a register, the program may sign it before it is on the stack, and the runtime
 * cannot restore it when an exception begins. All returns are then probed at the return instructions. Only in objects
 * without exceptions, a function that ends with a tail call (malloc() of glibc), or whose return instructions are
 * unknown, has the trampoline.
 */
static bool find_exits(struct translation *t, struct derived_probe *derived)
{
	const struct user_object *object = debuginfo_user_object(derived->registration.debuginfo);
	bool may_restore = t->kernel.abi->return_address_size, may_replace;
	GPtrArray *exits;
	struct error *error;
	bool is_leaf, is_known;

	if (!derived->is_return || !derived->function || !object)
		return true;
	if (has_own_return(derived->function->name))
		return false;
	may_replace = !object->has_exceptions && !is_unwinder(t, derived->registration.debuginfo);
	if (may_restore && may_replace)
		return true;
	exits = arena_ptr_array(t->arena);
	error = debuginfo_exits(derived->function, exits, &is_leaf);
	is_known = !error && !any_tail_call(exits);
	error_free(error);
	if (may_restore && is_leaf && find_unwinders(t, derived->registration.debuginfo, NULL))
		return true;
	if (is_known)
		derived->registration.return_exits = exits;
	return is_known || may_replace;
}

bool register_user_place(struct translation *t, struct derived_probe *derived)
{
	struct registration *registration = &derived->registration;

	registration->kind = derived->is_return ? STP_PROBE_URETPROBE : STP_PROBE_UPROBE;
	registration->details = choose_processes(t, derived->point);
	return debuginfo_file_offset(registration->debuginfo, registration->address.value,
				     &registration->file_offset) &&
	       find_exits(t, derived);
}

struct derived_probe *derive_function(struct translation *t, const struct probe_point *point,
				      const struct function *function, bool is_return, GPtrArray *ret)
{
	struct derived_probe *derived = derived_probe_new(t, point);
	struct registration *registration = &derived->registration;

	derived->function_name = shown_name(t, point, function);
	derived->function = function;
	derived->is_return = is_return;
	registration->address = function->start;
	registration->debuginfo = function->debuginfo;
	if (function->is_inlined)
		registration->kind = STP_PROBE_KPROBE;
	else
		registration->kind = is_return ? STP_PROBE_KRETPROBE : STP_PROBE_FUNCTION;
	registration->has_fentry = function->has_fentry;
	registration->fentry = function->fentry;
	registration->maxactive = t->limits.kretactive;
	if (debuginfo_memory(function->debuginfo) == MEMORY_USER && !register_user_place(t, derived))
		return NULL;
	g_ptr_array_add(ret, derived);
	return derived;
}

/* Return the text of the last probe if it is of the same function; the inlined instances of one come in a row. */
static const char *text_of_last(const struct probe_point *point, const struct function *function, const GPtrArray *ret)
{
	const struct derived_probe *last = ret->len ? g_ptr_array_index(ret, ret->len - 1) : NULL;
	const struct function *other = last && last->point == point ? last->function : NULL;
	bool is_same = other && other->debuginfo == function->debuginfo && other->name == function->name &&
		       other->scope == function->scope && other->declaration_file == function->declaration_file &&
		       other->declaration_line == function->declaration_line;

	return is_same ? last->point_text : NULL;
}

/* Append a probe whose text is the resolved point: kernel.function("name@file:line").suffix. */
static void derive(struct translation *t, const struct point_pattern *pattern, const struct probe_point *point,
		   const struct function *function, struct left_out *left_out, GPtrArray *ret)
{
	const char *known = text_of_last(point, function, ret);
	struct derived_probe *derived = derive_function(t, point, function, pattern->variant == RETURN, ret);
	g_autoptr(GString) text =
		known || !derived ? NULL : g_string_new(function_point_text(t, function, derived->function_name));

	if (!derived) {
		left_out->thrown_through++;
		return;
	}
	if (!known)
		append_suffixes(text, point);
	set_place_text(t, derived, known ?: arena_strdup(t->arena, text->str));
	if (point_component(point, "maxactive"))
		derived->registration.maxactive = point_component(point, "maxactive")->argument->number;
}

/* Hint at a function of this name that is only inlined (or never), in another file, or at another line. */
static bool suggest_looser(struct translation *t, struct debuginfo *debuginfo, const struct function_query *query)
{
	struct function_query loose = {.name = query->name};
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	struct error *error = debuginfo_functions(debuginfo, &loose, found);
	const struct function *first;

	if (error || !found->len) {
		error_free(error);
		return false;
	}
	first = g_ptr_array_index(found, 0);
	/* Functions that are known by their symbol alone have no file. */
	for (guint i = 1; i < found->len && !first->declaration_file[0]; i++)
		first = g_ptr_array_index(found, i);
	if (query->inlines == ONLY_REAL && first->is_inlined)
		diagnose_hint(t->diagnostics,
			      _("'%s' is always inlined here; probe it without .call/.return/.exported, or a caller "
				"such as '%s'"),
			      first->name, first->container ? first->container->name : "?");
	else if (query->inlines == ONLY_INLINED && !query->file)
		diagnose_hint(t->diagnostics, _("'%s' has no inlined instance; probe it without .inline"), first->name);
	else if (!first->declaration_file[0])
		return false;
	else
		diagnose_hint(t->diagnostics, _("'%s' is at %s:%d"), first->name, first->declaration_file,
			      first->declaration_line);
	return true;
}

static bool diagnose_left_out(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
			      const char *what, const struct left_out *left_out)
{
	if (left_out->init)
		diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location,
			 _("'%s' is initialization code, which the kernel frees after boot"), what);
	else if (left_out->refused)
		diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location,
			 _("the first instruction of '%s' cannot be probed: %s"), what,
			 debuginfo_probe_refusal(debuginfo, left_out->refused_one->entry));
	else if (left_out->not_exported)
		diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location, _("'%s' is not an exported function"), what);
	else if (left_out->thrown_through)
		diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location,
			 _("the return of '%s' cannot be probed: an exception or a jump past the probe would end the "
			   "program, and the function's return instructions are unknown"),
			 what);
	return left_out->init || left_out->refused || left_out->not_exported || left_out->thrown_through;
}

/* Note that an unknown function may be inlined everywhere, if the debuginfo lacks inlined instances. */
static void note_inlines_unknown(struct translation *t, const struct probe_point *point,
				 const struct debuginfo *debuginfo)
{
	struct error *error = debuginfo_require(debuginfo, KNOWS_INLINES);

	if (error)
		diagnose_note(t->diagnostics, &point->location, "%s; %s", error->message, error->hint);
	error_free(error);
}

static void diagnose_nothing(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
			     const struct function_query *query, const struct left_out *left_out)
{
	const char *what = named_place(t, point);

	if (diagnose_left_out(t, point, debuginfo, what, left_out))
		return;
	diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location, _("no function matches '%s' in %s"), what,
		 debuginfo_module_name(debuginfo));
	if (strpbrk(query->name, "*?[") || !suggest_looser(t, debuginfo, query))
		suggest_functions(t, debuginfo, query->name, query->file);
	note_inlines_unknown(t, point, debuginfo);
}

/* ---- labels ------------------------------------------------------------------------------------------------------ */

static void derive_label(struct translation *t, const struct probe_point *point, const struct statement_place *place,
			 GPtrArray *ret)
{
	const struct function *function = place->function;
	struct derived_probe *derived = derive_place(t, point, function->debuginfo, place->address, function, ret);

	if (derived)
		set_place_text(t, derived,
			       arena_printf(t->arena, "%s.label(\"%s\")",
					    function_point_text(t, function, derived->function_name), place->label));
}

static void diagnose_no_label(struct translation *t, const struct probe_point *point, const GPtrArray *functions)
{
	g_autoptr(GPtrArray) labels = g_ptr_array_new(), names = g_ptr_array_new();

	for_each_ptr(const struct function *, function, functions)
		error_free(debuginfo_labels(function, "*", labels));
	for (guint i = 0; i < labels->len && i < MOST_LABELS; i++) {
		const struct statement_place *place = g_ptr_array_index(labels, i);

		if (!g_ptr_array_find_with_equal_func(names, place->label, g_str_equal, NULL))
			g_ptr_array_add(names, (void *)place->label);
	}
	diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location, _("'%s' has no label '%s' before code"),
		 named_place(t, point), point_component(point, "label")->argument->text);
	if (names->len)
		diagnose_hint(t->diagnostics, _("labels of this function: %s"), diagnose_names(t->diagnostics, names));
}

static void find_labels(struct translation *t, const struct probe_point *point, const GPtrArray *functions,
			GPtrArray *ret)
{
	g_autoptr(GPtrArray) labels = g_ptr_array_new();
	guint before = ret->len;

	for_each_ptr(const struct function *, function, functions) {
		if (!function->is_init)
			error_free(debuginfo_labels(function, point_component(point, "label")->argument->text, labels));
	}
	for_each_ptr(const struct statement_place *, place, labels)
		derive_label(t, point, place, ret);
	if (ret->len == before)
		diagnose_no_label(t, point, functions);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

struct function_search {
	const struct point_pattern *pattern;
	struct function_query query; /* not used for a point that names an address */
};

static bool is_callee_variant(const struct function_search *search)
{
	return search->pattern->variant >= CALLEE_OF && search->pattern->variant <= RETURN_OF;
}

/* Return the knowledge (KNOWS_…) that the form of the point requires of debuginfo. */
static unsigned int needed_knowledge(const struct function_search *search)
{
	if (search->pattern->variant == LABEL)
		return KNOWS_LINES;
	return is_callee_variant(search) ? KNOWS_CALLS : 0;
}

/*
 * Append the inlined instance or the function that begins at a link-time address of a module's .text or of another
 * object; of both, the one that the form of the point selects. Return false after a diagnostic.
 */
static bool find_at_address(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
			    enum inline_choice inlines, GPtrArray *found)
{
	bool in_module = debuginfo_kind(debuginfo) == OBJECT_MODULE;
	struct address address = {(uint64_t)named_function(point)->number, in_module ? ".text" : NULL};
	const struct function *function;
	struct statement_place place;
	struct error *error = debuginfo_statement_at(debuginfo, address, &place);

	if (error) {
		translation_report(t, &point->location, error);
		return false;
	}
	function = place.function->is_inlined && inlines != ONLY_INLINED ? place.function->container : place.function;
	if (function->entry.value == address.value && (inlines != ONLY_INLINED || function->is_inlined)) {
		g_ptr_array_add(found, (void *)function);
		return true;
	}
	diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location,
		 inlines == ONLY_INLINED ? _("no inlined function begins at address 0x%" PRIx64 " of %s")
					 : _("no function begins at address 0x%" PRIx64 " of %s"),
		 address.value, debuginfo_module_name(debuginfo));
	diagnose_hint(t->diagnostics, _("'%s' begins at 0x%" PRIx64), function->name, function->entry.value);
	return false;
}

static void find_functions(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
			   void *query, GPtrArray *ret)
{
	const struct function_search *search = query;
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	struct left_out left_out = {0};
	guint before = ret->len;
	struct error *error = debuginfo_require(debuginfo, needed_knowledge(search));

	if (!error && named_function(point)->kind == EXPR_NUMBER) {
		if (!find_at_address(t, point, debuginfo, inline_choice(search->pattern->variant), found))
			return;
	} else {
		error = error ?: debuginfo_functions(debuginfo, &search->query, found);
		if (!error && !found->len)
			error = find_renamed_functions(t, point, debuginfo, &search->query, found);
	}
	if (error) {
		translation_report(t, &point->location, error);
		return;
	}
	if (search->pattern->variant == LABEL && found->len) {
		find_labels(t, point, found, ret);
		return;
	}
	if (is_callee_variant(search) && found->len) {
		find_callees(t, point, found, (enum callee_form)(search->pattern->variant - CALLEE_OF), ret);
		return;
	}
	for_each_ptr(const struct function *, function, found) {
		if (usable(function, search->pattern->variant, &left_out))
			derive(t, search->pattern, point, function, &left_out, ret);
	}
	t->left_out += left_out.refused + left_out.thrown_through;
	if (ret->len == before)
		diagnose_nothing(t, point, debuginfo, &search->query, &left_out);
}

static void resolve(struct translation *t, const struct point_pattern *pattern, const struct probe_point *point,
		    GPtrArray *ret)
{
	struct function_search search = {.pattern = pattern};

	if (named_function(point)->kind == EXPR_STRING &&
	    !parse_function_query(t, point, named_function(point)->text, &search.query))
		return;
	search.query.inlines = inline_choice(pattern->variant);
	find_in_objects(t, point, find_functions, &search, ret);
}

const struct provider function_provider = {
	.name = "function",
	.summary = N_("functions of the kernel, its modules, and programs"),
	.patterns = patterns,
	.resolve = resolve,
	.target_variable = lower_variable,
};
