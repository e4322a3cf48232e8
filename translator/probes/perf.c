// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf.type(t).config(c): counters of the CPU and of the kernel, numbered as for perf_event_open(2). The handler runs
 * whenever the counter has risen by .sample(n), or .hz(n) times a second. With .counter("name") no handler runs; other
 * handlers read the counter with @perf("name").
 *
 * The numbers are not checked here because the available counters depend on the machine. tapset/perf.stp names them.
 */
#include <limits.h>

#include "common/base/i18n.h"
#include "translator/probes/perf.h"
#include "translator/probes/provider.h"
#include "translator/sema/builder.h"

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

/* Return the index of the component with a name, or 0. */
static guint find_component(const struct probe_point *point, const char *name)
{
	for (guint i = 1; i < point->components->len; i++)
		if (!strcmp(point_component_name(point, i), name))
			return i;
	return 0;
}

/* Return whether a -c command starts a program: "/bin/sh" matches "/bin/sh -c …" and "sh -c …". */
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
 * Bind a perf event to processes. They are the target process of -c or -x if the point names no program, if -x is
 * given, or if the name is the program that -c starts; else all processes that run the program. A name without '/' is
 * searched on the probed machine at run time, so only a name with '/' is made absolute here.
 */
static bool resolve_process(struct translation *t, const struct probe_point *point, guint index,
			    struct stp_details *details)
{
	const struct probe_component *component = g_ptr_array_index(point->components, index);
	const char *program = component->argument ? component->argument->text : NULL;
	g_autofree char *full = NULL;

	details->of_target = options_have_target(t->options) &&
			     (!program || !t->options->command || is_program_of(program, t->options->command));
	if (details->of_target)
		return true;
	if (!program || !*program) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &component->location,
			 _("'process' of a perf event needs a program or a target process"));
		diagnose_hint(
			t->diagnostics,
			_("name the program: process(\"/usr/bin/…\"); or start one with -c, or select one with -x"));
		return false;
	}
	full = strchr(program, '/') ? g_canonicalize_filename(program, NULL) : g_strdup(program);
	details->program = arena_strdup(t->arena, full);
	return true;
}

/* Return the number of a new counter, from 1. */
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
	diagnose(t->diagnostics, SEMANTIC_ERROR, &component->location, _("'%s' of a perf event must be at least %lld"),
		 component->name, (long long)least);
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
	diagnose(t->diagnostics, SEMANTIC_ERROR, &perf->location, _("no probe declares the counter '%s'"), perf->text);
	diagnose_hint(t->diagnostics, _("declare it: probe perf.type(…).config(…).counter(\"%s\") {}"), perf->text);
	return NULL;
}

const struct provider perf_provider = {
	.name = "perf",
	.summary = N_("hardware and software counters"),
	.patterns = patterns,
	.resolve = resolve,
};
