// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel.data(address or "symbol").write and .rw: watchpoints by the CPU's debug registers. A number is an address of
 * the running kernel, as in /proc/kallsyms. A symbol is looked up in the symbol table and relocated at load time.
 *
 * process("program").data(…) is the same in each process that runs the program; a number is an address of its symbol
 * table.
 */
#include "common/base/i18n.h"
#include "translator/probes/function_probes.h"

enum { DEBUG_REGISTERS = 4, LONGEST = 8 };

enum variant { WRITE, READ_WRITE };

#define WATCHPOINT(kind)                                                                                               \
	{{{"kernel", NO_ARGUMENT}, {"data", kind}, {"write", NO_ARGUMENT}}, WRITE},                                    \
		{{{"kernel", NO_ARGUMENT}, {"data", kind}, {"rw", NO_ARGUMENT}}, READ_WRITE},                          \
		{{{"kernel", NO_ARGUMENT}, {"data", kind}, {"length", NUMBER_ARGUMENT}, {"write", NO_ARGUMENT}},       \
		 WRITE},                                                                                               \
	{                                                                                                              \
		{{"kernel", NO_ARGUMENT}, {"data", kind}, {"length", NUMBER_ARGUMENT}, {"rw", NO_ARGUMENT}},           \
			READ_WRITE                                                                                     \
	}

#define PROCESS_WATCHPOINT(kind)                                                                                       \
	{{PROGRAM, {"data", kind}, {"write", NO_ARGUMENT}}, WRITE},                                                    \
		{{PROGRAM, {"data", kind}, {"rw", NO_ARGUMENT}}, READ_WRITE},                                          \
		{{PROGRAM, {"data", kind}, {"length", NUMBER_ARGUMENT}, {"write", NO_ARGUMENT}}, WRITE},               \
	{                                                                                                              \
		{PROGRAM, {"data", kind}, {"length", NUMBER_ARGUMENT}, {"rw", NO_ARGUMENT}}, READ_WRITE                \
	}

static const struct point_pattern patterns[] = {
	WATCHPOINT(NUMBER_ARGUMENT),
	WATCHPOINT(STRING_ARGUMENT),
	PROCESS_WATCHPOINT(NUMBER_ARGUMENT),
	PROCESS_WATCHPOINT(STRING_ARGUMENT),
	{0},
};

static const struct probe_component *component(const struct probe_point *point, guint index)
{
	return g_ptr_array_index(point->components, index);
}

/* Round a length up to a power of two, as the hardware requires. Return 0 after a diagnostic. */
static unsigned char round_length(struct translation *t, const struct probe_component *length)
{
	int64_t wanted = length->argument->number;
	unsigned char rounded = 1;

	if (wanted < 1 || wanted > LONGEST) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &length->location,
			 _("a watchpoint covers 1 to %d bytes, not %lld"), LONGEST, (long long)wanted);
		return 0;
	}
	while (rounded < wanted)
		rounded *= 2;
	return rounded;
}

static bool find_symbol(struct translation *t, const struct probe_component *data, struct registration *registration)
{
	const char *name = data->argument->text;
	struct debuginfo *kernel;
	struct error *error = translation_debuginfo(t, "kernel", &kernel);

	error = error ?: debuginfo_symbol_address(kernel, name, &registration->address);
	if (!error) {
		registration->debuginfo = kernel;
		return true;
	}
	if (error->code == ERROR_LOOKUP) {
		error_free(error);
		diagnose(t->diagnostics, SEMANTIC_ERROR, &data->location, _("the kernel has no symbol '%s'"), name);
		diagnose_hint(t->diagnostics,
			      _("search its name in /proc/kallsyms; name a local variable or member by address"));
	} else {
		translation_report(t, &data->location, error);
	}
	return false;
}

static void warn_of_too_many(struct translation *t, const struct probe_point *point)
{
	int count = 1;

	for_each_ptr(const struct derived_probe *, probe, t->probes)
		count += probe->registration.kind == STP_PROBE_WATCHPOINT ||
			 probe->registration.kind == STP_PROBE_USER_DATA;
	if (count == DEBUG_REGISTERS + 1)
		diagnose(t->diagnostics, WARNING, &point->location,
			 _("the CPU watches at most %d addresses at a time; the script has more watchpoints"),
			 DEBUG_REGISTERS);
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

static void diagnose_no_symbol(struct translation *t, const struct probe_component *data, struct debuginfo *debuginfo,
			       struct error *error)
{
	if (error->code != ERROR_LOOKUP) {
		translation_report(t, &data->location, error);
		return;
	}
	error_free(error);
	diagnose(t->diagnostics, SEMANTIC_ERROR, &data->location, _("%s has no symbol '%s'"),
		 debuginfo_module_name(debuginfo), data->argument->text);
	diagnose_hint(t->diagnostics, _("list its symbols with nm(1)"));
}

/* Append the watchpoint of a program: at an address of its symbol table. */
static void find_in_program(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
			    void *data, GPtrArray *ret)
{
	const struct probe_component *place = component(point, 1);
	const struct user_object *object = debuginfo_user_object(debuginfo);
	const struct stp_details *wanted = data, *chosen = choose_processes(t, point);
	struct stp_details *details = arena_new0(t->arena, struct stp_details);
	struct derived_probe *derived = derived_probe_new(t, point);
	struct registration *registration = &derived->registration;
	struct error *error = NULL;

	if (place->argument->kind == EXPR_NUMBER)
		registration->address.value = (uint64_t)place->argument->number;
	else
		error = debuginfo_symbol_address(debuginfo, place->argument->text, &registration->address);
	if (error) {
		diagnose_no_symbol(t, place, debuginfo, error);
		return;
	}
	if (debuginfo_kind(debuginfo) != OBJECT_EXECUTABLE ||
	    !debuginfo_file_offset(debuginfo, object->entry, &registration->file_offset)) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location,
			 _("%s is not a program; only memory of programs can be watched"),
			 debuginfo_module_name(debuginfo));
		diagnose_hint(t->diagnostics, _("probe the functions of the library that change the variable"));
		return;
	}
	*details = *wanted;
	details->entry = object->entry;
	details->process = chosen ? chosen->process : 0;
	details->of_target = chosen && chosen->of_target;
	registration->kind = STP_PROBE_USER_DATA;
	registration->debuginfo = debuginfo;
	registration->details = details;
	derived->point_text = program_point_text(t->arena, object->path, point);
	warn_of_too_many(t, point);
	g_ptr_array_add(ret, derived);
}

static void resolve(struct translation *t, const struct point_pattern *pattern, const struct probe_point *point,
		    GPtrArray *ret)
{
	const struct probe_component *data = component(point, 1);
	struct derived_probe *derived = derived_probe_new(t, point);
	struct stp_details *details = arena_new0(t->arena, struct stp_details);

	details->reads = pattern->variant == READ_WRITE;
	details->length = point->components->len > 3 ? round_length(t, component(point, 2)) : 1;
	if (!details->length)
		return;
	if (point_is_of_programs(point)) {
		find_in_objects(t, point, find_in_program, details, ret);
		return;
	}
	if (data->argument->kind == EXPR_NUMBER) {
		derived->registration.is_absolute = true;
		derived->registration.address.value = (uint64_t)data->argument->number;
	} else if (!find_symbol(t, data, &derived->registration)) {
		return;
	}
	derived->registration.kind = STP_PROBE_WATCHPOINT;
	derived->registration.details = details;
	warn_of_too_many(t, point);
	g_ptr_array_add(ret, derived);
}

const struct provider watchpoint_provider = {
	.name = "watchpoint",
	.summary = N_("addresses in memory, by the CPU's debug registers"),
	.patterns = patterns,
	.resolve = resolve,
};
