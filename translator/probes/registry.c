// SPDX-License-Identifier: GPL-2.0-or-later
/* The list of all probe families, and their shared helpers. */
#include "translator/probes/provider.h"

const struct provider *const providers[] = {
	&session_provider,    &timer_provider, &function_provider,   &statement_provider, &kprobe_provider,
	&tracepoint_provider, &perf_provider,  &watchpoint_provider, &netfilter_provider, &procfs_provider,
	&process_provider,    &mark_provider,  &plt_provider,	     &syscall_provider,	  NULL,
};

static const struct expr *argument(const struct probe_point *point, unsigned int index)
{
	return ((const struct probe_component *)g_ptr_array_index(point->components, index))->argument;
}

const char *point_string(const struct probe_point *point, unsigned int index)
{
	return argument(point, index)->text;
}

int64_t point_number(const struct probe_point *point, unsigned int index)
{
	return argument(point, index) ? argument(point, index)->number : 0;
}

const char *point_component_name(const struct probe_point *point, unsigned int index)
{
	return ((const struct probe_component *)g_ptr_array_index(point->components, index))->name;
}

void list_variable(struct translation *t, GPtrArray *ret, const char *name, const char *type, const char *place)
{
	struct listed_variable *variable = arena_new0(t->arena, struct listed_variable);

	*variable = (struct listed_variable){name, type, place};
	g_ptr_array_add(ret, variable);
}

struct derived_probe *derived_probe_new(struct translation *t, const struct probe_point *point)
{
	struct derived_probe *derived = arena_new0(t->arena, struct derived_probe);

	derived->point = point;
	derived->function_name = "";
	return derived;
}
