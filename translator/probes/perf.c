// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf.type(t).config(c): counters of the processor and of the kernel, as perf_event_open(2) numbers them. A handler
 * runs each time a counter has risen by so much, or so often a second. With .counter("name") no handler runs; @perf
 * reads the counter in others.
 *
 * The numbers are not checked here: what there is depends on the machine. tapset/perf.stp has names for them.
 */
#include <limits.h>

#include "translator/probes/provider.h"
#include "translator/sema/builder.h"
#include "translator/util/i18n.h"

enum { DEFAULT_PERIOD = 1000000 };

enum variant { PERIOD, SAMPLE, FREQUENCY, COUNTER };

#define PERF(...)                                                                                                      \
	{                                                                                                              \
		{"perf", NO_ARGUMENT}, {"type", NUMBER_ARGUMENT}, {"config", NUMBER_ARGUMENT}, __VA_ARGS__             \
	}

static const struct point_pattern patterns[] = {
	{PERF({0}), PERIOD},
	{PERF({"sample", NUMBER_ARGUMENT}), SAMPLE},
	{PERF({"hz", NUMBER_ARGUMENT}), FREQUENCY},
	{PERF({"process", OPTIONAL_STRING}), PERIOD},
	{PERF({"sample", NUMBER_ARGUMENT}, {"process", OPTIONAL_STRING}), SAMPLE},
	{PERF({"hz", NUMBER_ARGUMENT}, {"process", OPTIONAL_STRING}), FREQUENCY},
	{PERF({"counter", STRING_ARGUMENT}), COUNTER},
	{PERF({"process", OPTIONAL_STRING}, {"counter", STRING_ARGUMENT}), COUNTER},
	{0},
};

/* Index of the component of that name, or 0. */
static guint find_component(const struct probe_point *point, const char *name)
{
	for (guint i = 1; i < point->components->len; i++)
		if (!strcmp(point_component_name(point, i), name))
			return i;
	return 0;
}

/* "/bin/sh" is the program of "-c '/bin/sh -c …'" and of "-c 'sh -c …'". */
static bool is_program_of(const char *program, const char *command)
{
	g_auto(GStrv) words = NULL;
	g_autofree char *base = g_path_get_basename(program), *given = NULL;

	if (!command || !g_shell_parse_argv(command, NULL, &words, NULL))
		return false;
	given = g_path_get_basename(words[0]);
	return !strcmp(strchr(words[0], '/') ? words[0] : given, strchr(words[0], '/') ? program : base);
}

/*
 * Without a name, and if the name is that of what -c starts (or there is -x), the event is bound to the target process.
 * Else to all that run the program; it is looked for where the script runs, so only a name with a folder is made
 * absolute here.
 */
static bool resolve_process(struct translation *t, const struct probe_point *point, guint index,
			    struct stp_details *details)
{
	const struct probe_component *component = g_ptr_array_index(point->components, index);
	const char *program = component->argument ? component->argument->text : NULL;
	g_autofree char *full = NULL;

	details->of_target = t->has_target && (!program || !t->command || is_program_of(program, t->command));
	if (details->of_target)
		return true;
	if (!program || !*program) {
		diagnose(t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &component->location,
			 _("'process' of a perf event needs a program or a target process"));
		diagnose_hint(
			t->diagnostics,
			_("name the program: process(\"/usr/bin/…\"); or start one with -c, or choose one with -x"));
		return false;
	}
	full = strchr(program, '/') ? g_canonicalize_filename(program, NULL) : g_strdup(program);
	details->program = arena_strdup(t->arena, full);
	return true;
}

/* Counters are numbered from 1. */
static unsigned int next_counter(const struct translation *t, const GPtrArray *found)
{
	unsigned int last = 0;

	for_each_ptr(const struct derived_probe *, probe, t->probes)
		last = MAX(last, probe->registration.details ? probe->registration.details->counter : 0);
	for_each_ptr(const struct derived_probe *, probe, found)
		last = MAX(last, probe->registration.details ? probe->registration.details->counter : 0);
	return last + 1;
}

static bool check_number(struct translation *t, const struct probe_point *point, guint index, int64_t least)
{
	const struct probe_component *component = g_ptr_array_index(point->components, index);

	if (component->argument->number >= least)
		return true;
	diagnose(t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &component->location,
		 _("'%s' of a perf event must be at least %lld"), component->name, (long long)least);
	return false;
}

static void resolve(struct translation *t, const struct point_pattern *pattern, const struct probe_point *point,
		    GPtrArray *ret)
{
	guint process = find_component(point, "process");
	struct derived_probe *derived;
	struct stp_details *details;

	if (!check_number(t, point, 1, 0))
		return;
	if ((pattern->variant == SAMPLE || pattern->variant == FREQUENCY) && !check_number(t, point, 3, 1))
		return;
	details = arena_new0(t->arena, struct stp_details);
	if (process && !resolve_process(t, point, process, details))
		return;
	derived = derived_probe_new(t, point);
	details->type = point_number(point, 1);
	details->config = point_number(point, 2);
	details->period = pattern->variant == PERIOD ? DEFAULT_PERIOD : point_number(point, 3);
	details->is_frequency = pattern->variant == FREQUENCY;
	if (pattern->variant == COUNTER) {
		details->period = 0;
		details->counter = next_counter(t, ret);
	}
	derived->registration.kind = STP_PROBE_PERF;
	derived->registration.details = details;
	g_ptr_array_add(ret, derived);
}

struct expr *lower_perf(struct translation *t, struct expr *perf)
{
	for_each_ptr(const struct derived_probe *, probe, t->probes) {
		const struct stp_details *details = probe->registration.details;
		guint index = details && details->counter ? find_component(probe->point, "counter") : 0;

		if (index && !strcmp(point_string(probe->point, index), perf->text))
			return build_call(t->arena, &perf->location, "__perf_value",
					  build_number(t->arena, &perf->location, details->counter));
	}
	diagnose(t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &perf->location,
		 _("no probe declares the counter '%s'"), perf->text);
	diagnose_hint(t->diagnostics, _("declare it: probe perf.type(…).config(…).counter(\"%s\") {}"), perf->text);
	return NULL;
}

const struct provider perf_provider = {
	.name = "perf",
	.summary = N_("hardware and software counters"),
	.patterns = patterns,
	.resolve = resolve,
};
