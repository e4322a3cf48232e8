// SPDX-License-Identifier: GPL-2.0-or-later
/* Callbacks of the kernel's tracepoints. */
#include <linux/tracepoint.h>

#include "runtime/compat/compat.h"
#include "runtime/core/internal.h"
#include "runtime/core/tracepoint_hook.h"

struct tracepoint_search {
	const char *name;
	struct tracepoint *found;
};

static void compare_tracepoint(struct tracepoint *tracepoint, void *data)
{
	struct tracepoint_search *search = data;

	if (!strcmp(tracepoint->name, search->name))
		search->found = tracepoint;
}

struct tracepoint *find_kernel_tracepoint(const char *name)
{
	struct tracepoint_search search = {.name = name};

	for_each_kernel_tracepoint(compare_tracepoint, &search);
	return search.found;
}

int hook_process(struct process_hook *hook, const char *name, void *callback)
{
	int error;

	hook->tracepoint = find_kernel_tracepoint(name);
	if (!hook->tracepoint)
		return -EOPNOTSUPP;
	hook->callback = callback;
	error = tracepoint_probe_register(hook->tracepoint, callback, NULL);
	if (error)
		hook->tracepoint = NULL;
	return error;
}

void unhook_process(struct process_hook *hook)
{
	if (hook->tracepoint)
		tracepoint_probe_unregister(hook->tracepoint, hook->callback, NULL);
	hook->tracepoint = NULL;
}
