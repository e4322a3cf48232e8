// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel.trace("system:name") and kernel.tracepoint("…"): the static tracepoints of the kernel, with the arguments of
 * their prototypes as $variables. No trace header is compiled, because debuginfo describes the prototypes
 * (debuginfo/tracepoints.c).
 *
 * Tracepoints of a module are found by their system, which usually has the module's name, as in "ext4:…", or by the
 * module: module("ext4").tracepoint("…").
 */
#include <stdlib.h>

#include "common/nearest.h"
#include "common/base/i18n.h"
#include "translator/lowering/lowering.h"
#include "translator/probes/function_probes.h"
#include "translator/renames/renames.h"
#include "translator/sema/builder.h"

static const char no_return[] = N_("a tracepoint is a single place in the kernel's code; it has no return");

enum variant { OF_KERNEL, OF_MODULE };

static const struct point_pattern patterns[] = {
	{{{"kernel", NO_ARGUMENT}, {"trace", STRING_ARGUMENT}}, OF_KERNEL},
	{{{"kernel", NO_ARGUMENT}, {"tracepoint", STRING_ARGUMENT}}, OF_KERNEL},
	{{{"module", STRING_ARGUMENT}, {"tracepoint", STRING_ARGUMENT}}, OF_MODULE},
	{{{"kernel", NO_ARGUMENT}, {"trace", STRING_ARGUMENT}, {"return", NO_ARGUMENT}}, OF_KERNEL, no_return},
	{{{"kernel", NO_ARGUMENT}, {"tracepoint", STRING_ARGUMENT}, {"return", NO_ARGUMENT}}, OF_KERNEL, no_return},
	{{{"module", STRING_ARGUMENT}, {"tracepoint", STRING_ARGUMENT}, {"return", NO_ARGUMENT}}, OF_MODULE, no_return},
	{0},
};

/* ---- finding ----------------------------------------------------------------------------------------------------- */

/* -l: names suffice; do not look up what arming a probe needs. */
static bool only_names(const struct translation *t)
{
	return t->options->list && !t->options->list_variables;
}

static void derive(struct translation *t, const struct probe_point *point, const char *object,
		   const struct tracepoint *tracepoint, GPtrArray *ret)
{
	struct derived_probe *derived = derived_probe_new(t, point);
	struct registration *registration = &derived->registration;
	g_autoptr(GPtrArray) parameters = g_ptr_array_new();

	derived->point_text = arena_printf(t->arena, "%s.%s(\"%s%s%s\")", object, point_component_name(point, 1),
					   tracepoint->system, tracepoint->system[0] ? ":" : "", tracepoint->name);
	derived->function_name = tracepoint->name;
	derived->function = tracepoint->function;
	registration->kind = STP_PROBE_TRACEPOINT;
	g_ptr_array_add(ret, derived);
	if (only_names(t))
		return;
	error_free(
		debuginfo_variables(tracepoint->function, tracepoint->function->entry.value, true, false, parameters));
	registration->address = tracepoint->function->entry;
	registration->debuginfo = tracepoint->function->debuginfo;
	registration->tracepoint = tracepoint->address;
	registration->arguments = parameters->len ? (int)parameters->len - 1 : 0;
}

static void suggest(struct translation *t, struct debuginfo *debuginfo, const char *name)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new(), names = g_ptr_array_new();
	const GPtrArray *near;

	error_free(debuginfo_tracepoints(debuginfo, "*", "*", all));
	for_each_ptr(const struct tracepoint *, tracepoint, all)
		g_ptr_array_add(names, (void *)tracepoint->name);
	near = nearest_matches(t->arena, name, names, "", 5);
	if (near)
		diagnose_near(t->diagnostics, near);
	else if (!all->len && g_hash_table_size(t->language.kernel_config) &&
		 !g_hash_table_lookup(t->language.kernel_config, "CONFIG_TRACEPOINTS"))
		diagnose_hint(t->diagnostics, _("the kernel was built without CONFIG_TRACEPOINTS"));
	else
		diagnose_hint(t->diagnostics, _("list them with: stap -l 'kernel.trace(\"*\")'"));
}

/* Systems whose modules have other names (TRACE_SYSTEM in their sources). Several modules may share a system. */
static const struct {
	const char *system, *module;
} system_modules[] = {
	{"fscache", "netfs"},
	{"hyperv", "hv_vmbus"},
	{"hyperv", "hv_balloon"},
	{"ib_cma", "ib_cm"},
	{"ib_mad", "ib_core"},
	{"iscsi", "scsi_transport_iscsi"},
	{"kvmmmu", "kvm"},
	{"kyber", "kyber_iosched"},
	{"l2tp", "l2tp_core"},
	{"mac80211_msg", "mac80211"},
	{"mhi_host", "mhi"},
	{"mlx5", "mlx5_core"},
	{"netvsc", "hv_netvsc"},
	{"nfs4", "nfsv4"},
	{"nullb", "null_blk"},
	{"rdma_core", "ib_core"},
	{"rpcgss", "auth_rpcgss"},
	{"scsi", "scsi_mod"},
	{"sd", "sd_mod"},
	{"target", "target_core_mod"},
	{"vsock", "vmw_vsock_virtio_transport_common"},
};

static struct error *add_of_module(struct translation *t, const char *module, const char *system, const char *name,
				   GPtrArray *found)
{
	struct debuginfo *debuginfo = NULL;

	error_free(translation_debuginfo(t, module, &debuginfo));
	return debuginfo ? debuginfo_tracepoints(debuginfo, system, name, found) : NULL;
}

/* Append the tracepoints of all modules to which a system may belong. */
static struct error *add_of_modules(struct translation *t, const char *system, const char *name, GPtrArray *found)
{
	struct error *error;

	if (strpbrk(system, "*?[/"))
		return NULL;
	error = add_of_module(t, system, system, name, found);
	for (size_t i = 0; !error && i < G_N_ELEMENTS(system_modules); i++)
		if (!strcmp(system_modules[i].system, system))
			error = add_of_module(t, system_modules[i].module, system, name, found);
	return error;
}

/* Find the tracepoint that has replaced another, and warn. */
static struct error *find_renamed(struct translation *t, const struct probe_point *point, struct debuginfo *kernel,
				  const char *system, const char *name, GPtrArray *found)
{
	const struct tracepoint_rename *row = tracepoint_rename(name);
	struct error *error;

	if (!row || point->optional || point->sufficient || !renames_apply(t))
		return NULL;
	error = debuginfo_tracepoints(kernel, system, row->successor, found);
	if (!error && found->len)
		diagnose(t->diagnostics, WARNING, &point->location,
			 _("kernel %s has no tracepoint '%s' since Linux %s: this probes '%s'"), t->kernel.release,
			 name, row->release, row->successor);
	return error;
}

/* The name of a tracepoint, and of its system: patterns. */
struct tracepoint_name {
	const char *text, *system, *name;
};

static struct tracepoint_name parse_name(struct translation *t, const struct probe_point *point)
{
	const char *text = point_string(point, 1), *colon = strchr(text, ':');

	return (struct tracepoint_name){
		.text = text,
		.system = colon ? arena_strndup(t->arena, text, colon - text) : "*",
		.name = colon ? colon + 1 : text,
	};
}

/* Append the tracepoints of one module, or of the modules that match. */
static void find_in_module(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
			   void *data, GPtrArray *ret)
{
	const struct tracepoint_name *wanted = data;
	const char *object = arena_printf(t->arena, "module(\"%s\")", debuginfo_place_name(debuginfo));
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	struct error *error = debuginfo_tracepoints(debuginfo, wanted->system, wanted->name, found);

	if (error) {
		translation_report(t, &point->location, error);
		return;
	}
	for_each_ptr(const struct tracepoint *, tracepoint, found)
		derive(t, point, object, tracepoint, ret);
	if (found->len)
		return;
	diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location, _("no tracepoint of module %s matches '%s'"),
		 debuginfo_module_name(debuginfo), wanted->text);
	suggest(t, debuginfo, wanted->name);
}

static void find_in_kernel(struct translation *t, const struct probe_point *point, const struct tracepoint_name *wanted,
			   GPtrArray *ret)
{
	const char *system = wanted->system, *name = wanted->name;
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	struct debuginfo *kernel;
	struct error *error;

	error = translation_debuginfo(t, "kernel", &kernel);
	if (!error)
		error = (only_names(t) ? debuginfo_tracepoint_names : debuginfo_tracepoints)(kernel, system, name,
											     found);
	if (!error && !found->len)
		error = add_of_modules(t, system, name, found);
	if (!error && !found->len)
		error = find_renamed(t, point, kernel, system, name, found);
	if (error) {
		translation_report(t, &point->location, error);
		return;
	}
	for_each_ptr(const struct tracepoint *, tracepoint, found)
		derive(t, point, "kernel", tracepoint, ret);
	if (found->len)
		return;
	diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location, _("no tracepoint matches '%s'"), wanted->text);
	suggest(t, kernel, name);
}

static void resolve(struct translation *t, const struct point_pattern *pattern, const struct probe_point *point,
		    GPtrArray *ret)
{
	struct tracepoint_name wanted = parse_name(t, point);

	if (pattern->variant == OF_MODULE)
		find_in_objects(t, point, find_in_module, &wanted, ret);
	else
		find_in_kernel(t, point, &wanted, ret);
}

/* ---- $variables -------------------------------------------------------------------------------------------------- */

/* Return the name of the argument that "arg2" numbers; NULL for other texts. */
static const char *argument_name(const struct derived_probe *probe, const char *text)
{
	g_autoptr(GPtrArray) parameters = g_ptr_array_new();
	const struct variable *parameter;
	char *end;
	long number;

	if (!g_str_has_prefix(text, "arg") || !g_ascii_isdigit(text[3]))
		return NULL;
	number = strtol(text + strlen("arg"), &end, 10);
	error_free(debuginfo_variables(probe->function, probe->registration.address.value, true, false, parameters));
	if (*end || number < 1 || number >= (long)parameters->len)
		return NULL;
	parameter = g_ptr_array_index(parameters, number);
	return parameter->name;
}

static bool has_argument(const struct derived_probe *probe, const char *name)
{
	g_autoptr(GPtrArray) parameters = g_ptr_array_new();

	error_free(debuginfo_variables(probe->function, probe->registration.address.value, true, false, parameters));
	for_each_ptr(const struct variable *, parameter, parameters)
		if (!strcmp(parameter->name, name))
			return true;
	return false;
}

/* Return the components of a path and of the target after it. */
static GPtrArray *longer_chain(struct translation *t, const struct expr *target, const char *path)
{
	g_auto(GStrv) names = g_strsplit(path, "->", -1);
	GPtrArray *components = arena_ptr_array(t->arena);

	for (char **name = names; *name; name++) {
		struct component *component = arena_new0(t->arena, struct component);

		*component = (struct component){.kind = COMPONENT_MEMBER, .location = target->location};
		component->name = arena_strdup(t->arena, *name);
		g_ptr_array_add(components, component);
	}
	for_each_ptr(struct component *, component, target->components)
		g_ptr_array_add(components, component);
	return components;
}

/* Replace an argument that the tracepoint no longer has by the member that has its value, and warn. */
static struct expr *renamed_argument(struct translation *t, const struct derived_probe *probe, struct expr *target)
{
	const struct argument_rename *row = argument_rename(probe->function_name, target->text);

	if (!row || !renames_apply(t) || has_argument(probe, row->old) || !has_argument(probe, row->argument))
		return target;
	diagnose(t->diagnostics, WARNING, &target->location,
		 _("%s has no argument '$%s' since Linux %s: this reads '$%s->%s'"), probe->point_text, row->old,
		 row->release, row->argument, row->path);
	target = expr_copy(t->arena, target);
	target->text = row->argument;
	target->components = longer_chain(t, target, row->path);
	return target;
}

/* Return the system of a probe of .trace, which its text contains; .tracepoint has none. */
static const char *system_of(struct translation *t, const struct derived_probe *probe)
{
	const char *name = strchr(probe->point_text, '"') + 1, *colon = strchr(name, ':');
	bool has_system = colon && !strcmp(point_component_name(probe->point, 1), "trace");

	return has_system ? arena_strndup(t->arena, name, colon - name) : "";
}

static struct expr *target_variable(struct translation *t, struct derived_probe *probe, struct expr *target)
{
	const char *name = argument_name(probe, target->text);

	if (!strcmp(target->text, "$name"))
		return build_string(t->arena, &target->location, probe->function_name);
	if (!strcmp(target->text, "$system"))
		return build_string(t->arena, &target->location, system_of(t, probe));
	if (name) {
		target = expr_copy(t->arena, target);
		target->text = name;
	}
	target = renamed_argument(t, probe, target);
	return lower_variable(t, probe, target);
}

const struct provider tracepoint_provider = {
	.name = "tracepoint",
	.summary = N_("static tracepoints of the kernel"),
	.patterns = patterns,
	.resolve = resolve,
	.target_variable = target_variable,
};
