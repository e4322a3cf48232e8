// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From link-time addresses to this boot's addresses.
 *
 * The kernel: the distance between where _printk was linked and where it is now is the KASLR slide of everything in
 * vmlinux; _printk is exported, so no lookup by name is needed. Modules: staprun reads the address of each section the
 * script refers to from /sys/module/NAME/sections and passes it in (protocol.h) before the start.
 */
#include <linux/printk.h>

#include "internal.h"

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

int target_set(const char *module, const char *section, unsigned long address)
{
	unsigned int i;

	for (i = 1; i < stp_script.target_count; i++) {
		if (!strcmp(stp_script.targets[i].module, module) && !strcmp(stp_script.targets[i].section, section)) {
			bases[i] = address;
			return 0;
		}
	}
	return -ENOENT;
}

unsigned long stp_address(unsigned int target, unsigned long offset)
{
	if (target == 0)
		return offset + ((unsigned long)_printk - stp_script.anchor);
	return bases[target] ? bases[target] + offset : 0;
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

void probe_arm_failed(const struct stp_probe *probe, int error)
{
	transport_message(STP_RECORD_WARNING, true, "probe %s (address 0x%lx) registration error [%d]", probe->point,
			  probe_address(probe), error);
}
