// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * process("p").mark("name"), .provider("p").mark("name") and .plt("name"): places that an object itself names. Marks
 * come from the macros of <sys/sdt.h>. A program calls library functions through the entries of its procedure linkage
 * table. Neither needs debuginfo.
 *
 * $arg1… of a mark have the size and signedness that its note gives. $$name and $$provider are strings from the note.
 *
 * Our <sys/sdt.h> leaves two no-ops on x86-64: one of one byte for all kernels, which execute it without a single
 * step, and one that newer kernels replace by a call.
 */
#include "translator/lowering/lowering.h"

#include <fnmatch.h>
#include <inttypes.h>

#include "common/nearest.h"
#include "common/base/i18n.h"
#include "translator/probes/function_probes.h"
#include "translator/probes/mark.h"
#include "translator/sema/builder.h"

enum variant { MARK, PLT, PLT_RETURN };

static const struct point_pattern mark_patterns[] = {
	{{PROGRAM, {"mark", STRING_ARGUMENT}}, MARK},
	{{PROGRAM, {"provider", STRING_ARGUMENT}, {"mark", STRING_ARGUMENT}}, MARK},
	{{LIBRARY, {"mark", STRING_ARGUMENT}}, MARK},
	{{LIBRARY, {"provider", STRING_ARGUMENT}, {"mark", STRING_ARGUMENT}}, MARK},
	{0},
};

static const struct point_pattern plt_patterns[] = {
	{{PROGRAM, {"plt", OPTIONAL_STRING}}, PLT},
	{{PROGRAM, {"plt", OPTIONAL_STRING}, {"return", NO_ARGUMENT}}, PLT_RETURN},
	{{LIBRARY, {"plt", OPTIONAL_STRING}}, PLT},
	{{LIBRARY, {"plt", OPTIONAL_STRING}, {"return", NO_ARGUMENT}}, PLT_RETURN},
	{0},
};

/* A named place: the data from which the probe's $variables are lowered. */
struct named_place {
	const char *name, *provider; /* provider: NULL for entries of a linkage table */
	const GPtrArray *arguments; /* const struct variable * */
};

static const char *argument_text(const struct probe_point *point, const char *component)
{
	const struct probe_component *found = point_component(point, component);

	return found && found->argument ? found->argument->text : "*";
}

static struct derived_probe *derive_named(struct translation *t, const struct probe_point *point,
					  struct debuginfo *debuginfo, uint64_t address, const char *text,
					  struct named_place *place, GPtrArray *ret)
{
	struct derived_probe *derived = derive_place(t, point, debuginfo, (struct address){address, NULL}, NULL, ret);

	if (!derived)
		return NULL;
	set_place_text(t, derived, text);
	derived->named_place = place;
	return derived;
}

const char *named_place_name(const struct derived_probe *probe)
{
	return probe->named_place ? probe->named_place->name : NULL;
}

/* ---- marks ------------------------------------------------------------------------------------------------------- */

static const char *mark_text(struct arena *arena, struct debuginfo *debuginfo, const struct mark *mark,
			     bool has_provider)
{
	const char *path = debuginfo_place_name(debuginfo);

	if (has_provider)
		return arena_printf(arena, "process(\"%s\").provider(\"%s\").mark(\"%s\")", path, mark->provider,
				    mark->name);
	return arena_printf(arena, "process(\"%s\").mark(\"%s\")", path, mark->name);
}

static void derive_mark(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
			const struct mark *mark, GPtrArray *ret)
{
	const char *path = debuginfo_place_name(debuginfo);
	struct named_place *place = arena_new0(t->arena, struct named_place);
	struct derived_probe *derived;
	struct stp_details *details;
	const char *text;

	*place = (struct named_place){.name = mark->name, .provider = mark->provider, .arguments = mark->arguments};
	derived = derive_named(t, point, debuginfo, mark->probed_address,
			       arena_printf(t->arena, "process(\"%s\").statement(0x%" PRIx64 ")", path, mark->address),
			       place, ret);
	if (!derived)
		return;
	/* pp() of a mark is its address, process(…).statement(0x…); lists and pn() show the mark by name. */
	text = derived->point_text;
	set_place_text(t, derived, mark_text(t->arena, debuginfo, mark, point_component(point, "provider") != NULL));
	derived->listed_text = derived->listed_text ?: derived->point_text;
	derived->point_text = text;
	if (!mark->semaphore_offset)
		return;
	details = arena_new0(t->arena, struct stp_details);
	if (derived->registration.details)
		*details = *derived->registration.details;
	details->semaphore = mark->semaphore_offset;
	derived->registration.details = details;
}

/* Hint at near names of marks, providers or linkage table entries, or at the command that lists them. */
static void hint_names(struct translation *t, const struct probe_point *point, const struct debuginfo *debuginfo,
		       const char *component, const GPtrArray *names)
{
	const GPtrArray *near = nearest_matches(t->arena, argument_text(point, component), names, "", 5);

	if (near)
		diagnose_near(t->diagnostics, near);
	else if (names->len)
		diagnose_hint(t->diagnostics, _("list them with: stap -l 'process(\"%s\").%s(\"*\")'"),
			      debuginfo_module_name(debuginfo), strcmp(component, "plt") ? "mark" : "plt");
}

static void add_name(GPtrArray *names, const char *name)
{
	if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
		g_ptr_array_add(names, (void *)name);
}

static void diagnose_no_mark(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo)
{
	const char *provider = point_component(point, "provider") ? argument_text(point, "provider") : NULL;
	g_autoptr(GPtrArray) marks = g_ptr_array_new(), names = g_ptr_array_new(), provider_names = g_ptr_array_new();

	if (provider)
		diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location,
			 _("no mark of provider '%s' matches '%s' in %s"), provider, argument_text(point, "mark"),
			 debuginfo_module_name(debuginfo));
	else
		diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location, _("no mark matches '%s' in %s"),
			 argument_text(point, "mark"), debuginfo_module_name(debuginfo));
	error_free(debuginfo_marks(debuginfo, "*", "*", marks));
	for_each_ptr(const struct mark *, mark, marks) {
		add_name(provider_names, mark->provider);
		if (!provider || !fnmatch(provider, mark->provider, 0))
			add_name(names, mark->name);
	}
	if (!marks->len)
		diagnose_hint(t->diagnostics, _("the file has no marks at all (readelf -n shows marks as 'stapsdt')"));
	else if (names->len)
		hint_names(t, point, debuginfo, "mark", names);
	else
		hint_names(t, point, debuginfo, "provider", provider_names);
}

static void find_marks(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo, void *data,
		       GPtrArray *ret)
{
	g_autoptr(GPtrArray) marks = g_ptr_array_new();
	struct error *error =
		debuginfo_marks(debuginfo, argument_text(point, "provider"), argument_text(point, "mark"), marks);
	guint before = ret->len;

	if (error) {
		translation_report(t, &point->location, error);
		return;
	}
	for_each_ptr(const struct mark *, mark, marks)
		derive_mark(t, point, debuginfo, mark, ret);
	if (ret->len == before)
		diagnose_no_mark(t, point, debuginfo);
}

/* ---- linkage tables ---------------------------------------------------------------------------------------------- */

static void derive_plt(struct translation *t, const struct point_pattern *pattern, const struct probe_point *point,
		       struct debuginfo *debuginfo, const struct plt_entry *entry, GPtrArray *ret)
{
	const char *path = debuginfo_place_name(debuginfo);
	struct named_place *place = arena_new0(t->arena, struct named_place);
	bool is_return = pattern->variant == PLT_RETURN;
	struct derived_probe *derived;

	place->name = entry->name;
	derived = derive_named(t, point, debuginfo, entry->address,
			       arena_printf(t->arena, "process(\"%s\").plt(\"%s\")%s", path, entry->name,
					    is_return ? ".return" : ""),
			       place, ret);
	if (!derived)
		return;
	derived->function_name = entry->name;
	derived->is_return = is_return;
	register_user_place(t, derived);
}

static void diagnose_no_plt(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo)
{
	g_autoptr(GPtrArray) entries = g_ptr_array_new(), names = g_ptr_array_new();

	diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location,
		 _("%s calls no function '%s' of a library through its linkage table"),
		 debuginfo_module_name(debuginfo), argument_text(point, "plt"));
	error_free(debuginfo_plt(debuginfo, "*", entries));
	for_each_ptr(const struct plt_entry *, entry, entries)
		add_name(names, entry->name);
	hint_names(t, point, debuginfo, "plt", names);
}

static void find_plt(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo, void *data,
		     GPtrArray *ret)
{
	g_autoptr(GPtrArray) entries = g_ptr_array_new();
	struct error *error = debuginfo_plt(debuginfo, argument_text(point, "plt"), entries);
	guint before = ret->len;

	if (error) {
		translation_report(t, &point->location, error);
		return;
	}
	for_each_ptr(const struct plt_entry *, entry, entries)
		derive_plt(t, data, point, debuginfo, entry, ret);
	if (ret->len == before)
		diagnose_no_plt(t, point, debuginfo);
}

static void resolve(struct translation *t, const struct point_pattern *pattern, const struct probe_point *point,
		    GPtrArray *ret)
{
	find_in_objects(t, point, pattern->variant == MARK ? find_marks : find_plt, (void *)pattern, ret);
}

/* ---- $arg1…, $$name ---------------------------------------------------------------------------------------------- */

static const struct variable *find_argument(const GPtrArray *arguments, const char *name)
{
	for_each_ptr(const struct variable *, argument, arguments) {
		if (!strcmp(argument->name, name))
			return argument;
	}
	return NULL;
}

const GPtrArray *named_place_arguments(const struct derived_probe *probe)
{
	static const GPtrArray none;

	return probe->named_place && probe->named_place->arguments ? probe->named_place->arguments : &none;
}

static struct expr *target_variable(struct translation *t, struct derived_probe *probe, struct expr *target)
{
	struct lowering l = {.t = t, .probe = probe, .target = target, .debuginfo = probe->registration.debuginfo};
	const struct named_place *place = probe->named_place;
	const GPtrArray *arguments = named_place_arguments(probe);
	const struct variable *variable = find_argument(arguments, target->text);
	struct expr *group;

	if (!strcmp(target->text, "$name"))
		return build_string(t->arena, &target->location, place->name);
	if (!strcmp(target->text, "$provider") && place->provider)
		return build_string(t->arena, &target->location, place->provider);
	if (variable)
		return lower_known_variable(&l, variable);
	group = place->provider ? lower_argument_group(&l, arguments) : NULL;
	if (group)
		return group;
	diagnose(t->diagnostics, SEMANTIC_ERROR, &target->location, _("'%s' has no '$%s'"), place->name, target->text);
	if (arguments->len)
		diagnose_hint(t->diagnostics, _("use $arg1 to $arg%u, $$name or $$provider"), arguments->len);
	else
		diagnose_hint(t->diagnostics, place->provider ? _("use $$name or $$provider") : _("use $$name"));
	return NULL;
}

const struct provider mark_provider = {
	.name = "mark",
	.summary = N_("static marks in programs"),
	.patterns = mark_patterns,
	.resolve = resolve,
	.target_variable = target_variable,
};

const struct provider plt_provider = {
	.name = "plt",
	.summary = N_("calls of library functions through linkage tables"),
	.patterns = plt_patterns,
	.resolve = resolve,
	.target_variable = target_variable,
};
