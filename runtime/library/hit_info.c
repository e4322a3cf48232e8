// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The type and the address of the probe that was hit. This is in the runtime and not in the tapset, so that common
 * scripts need not include kernel headers.
 */
#include <linux/ptrace.h>

#include "runtime/arch/registers.h"
#include "runtime/core/internal.h"
#include "runtime/core/target.h"
#include "runtime/probes/kprobe.h"

const char *stp_probe_type(struct stp_context *c)
{
#define KIND_TYPE(name, type) [STP_PROBE_##name] = type,
	static const char *const types[STP_PROBE_KIND_COUNT_] = {STP_PROBE_KINDS(KIND_TYPE)};
#undef KIND_TYPE

	if (c->probe->kind == STP_PROBE_FUNCTION && kprobe_has_adopted(c->probe))
		return "kprobe";
	return types[c->probe->kind];
}

unsigned long stp_probe_address(struct stp_context *c)
{
	const struct stp_probe *probe = c->probe;

	switch (probe->kind) {
	case STP_PROBE_FUNCTION:
	case STP_PROBE_KRETPROBE:
		return probe_address(probe);
	case STP_PROBE_KPROBE:
		return (probe->flags & STP_PROBE_BY_SYMBOL) && c->regs
			       ? probed_instruction((const struct pt_regs *)c->regs)
			       : probe_address(probe);
	case STP_PROBE_URETPROBE:
		return c->object_base + probe->address;
	case STP_PROBE_UPROBE:
	case STP_PROBE_TRACEPOINT:
	case STP_PROBE_PERF:
	case STP_PROBE_WATCHPOINT:
	case STP_PROBE_USER_DATA:
		return instruction_pointer((struct pt_regs *)c->regs);
	default:
		return 0;
	}
}
