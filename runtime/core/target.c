// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Conversion of link-time addresses to addresses in this boot. The load address depends on the kind of object
 * (user/process_address.c is for those in processes).
 *
 * - Kernel: the difference between the current and the link-time address of _printk is the KASLR offset of vmlinux.
 *   _printk is exported, so no lookup by name is needed.
 * - Modules: staprun reads the addresses of the sections that the script uses from /sys/module/NAME/sections and passes
 *   them in before the start (protocol.h). For a module that is loaded later, module_notifier.c finds them.
 */
#include <linux/printk.h>
#include <linux/slab.h>

#include "runtime/compat/compat.h"
#include "runtime/core/allocation.h"
#include "runtime/core/internal.h"
#include "runtime/core/target.h"

static unsigned long *bases;

int targets_create(void)
{
	bases = checked(kcalloc(stp_script.target_count + 1, sizeof(*bases), GFP_KERNEL));
	return bases ? 0 : -ENOMEM;
}

void targets_destroy(void)
{
	kfree(bases);
	bases = NULL;
}

unsigned long target_base(unsigned int target)
{
	return READ_ONCE(bases[target]);
}

void target_set_base(unsigned int target, unsigned long base)
{
	WRITE_ONCE(bases[target], base);
}

unsigned long stp_address(unsigned int target, unsigned long offset)
{
	unsigned long base;

	if (target == 0)
		return offset + (compat_anchor() - stp_script.anchor);
	base = target_base(target);
	return base ? base + offset : 0;
}

unsigned int probe_count(enum stp_probe_kind kind)
{
	unsigned int i, count = 0;

	for (i = 0; i < stp_script.probe_count; i++)
		count += stp_script.probes[i].kind == kind;
	return count;
}

unsigned long probe_address(const struct stp_probe *probe)
{
	if (probe->flags & STP_PROBE_ABSOLUTE)
		return probe->address;
	return stp_address(probe->target, probe->address);
}
