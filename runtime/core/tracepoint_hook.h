/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Callbacks of the kernel's tracepoints. */
#ifndef SPILE_RUNTIME_CORE_TRACEPOINT_HOOK_H
#define SPILE_RUNTIME_CORE_TRACEPOINT_HOOK_H

#include "runtime/core/internal.h"

/* A callback of a tracepoint; zeroed if it is not registered. */
struct process_hook {
	struct tracepoint *tracepoint;
	void *callback;
};

struct tracepoint;

/** Find a tracepoint of vmlinux by name, or NULL. */
SHARED struct tracepoint *find_kernel_tracepoint(const char *name);
/** Task context. After unhook_process(), the caller calls tracepoint_synchronize_unregister(). */
int hook_process(struct process_hook *hook, const char *tracepoint, void *callback);
void unhook_process(struct process_hook *hook);

#endif
