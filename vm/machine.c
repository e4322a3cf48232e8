// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of virtual machines: how QEMU emulates each architecture, and what the guest's kernel must be told.
 *
 * x86_64: In QEMU 7.2 (Debian 12), CMPXCHG16B leaves wrong flags: those of earlier instructions, or bits of an operand.
 * If an interrupt follows, the interrupted code continues with the trap flag set, or with interrupts off. The kernel's
 * allocator executes it all the time (mm/slub.c, from 6.5 on), and uses an alternative if the CPU lacks it. 5-level
 * page tables (la57) and the timer test (no_timer_check) cost an emulated boot time; the test also counts ticks over
 * some milliseconds, during which a busy host may not run the guest at all.
 *
 * arm64: QEMU's own algorithm for pointer authentication (pauth-impdef) is several times faster than the
 * architecture's.
 */
#include "vm/machine.h"

#include <glib.h>
#include <string.h>

static const struct machine machines[] = {
	{
		.architecture = "x86_64",
		.program = "qemu-system-x86_64",
		.package = "qemu-system-x86",
		.words = {"-M", "q35"},
		.emulated_processor = "max,la57=off,cx16=off",
		.real_processor = "max,la57=off",
		.console = "ttyS0",
		.second_console = "ttyS1",
		.kernel_words = "no_timer_check ",
		.early_console = "earlyprintk=ttyS0",
	},
	{
		.architecture = "arm64",
		.program = "qemu-system-aarch64",
		.package = "qemu-system-arm",
		.words = {"-M", "virt"},
		.emulated_processor = "max,pauth-impdef=on",
		.real_processor = "host",
		.console = "ttyAMA0",
		.kernel_words = "",
		.early_console = "earlycon",
	},
};

const struct machine *machine_of(const struct architecture *architecture)
{
	for (size_t i = 0; i < G_N_ELEMENTS(machines); i++)
		if (!strcmp(machines[i].architecture, architecture->name))
			return &machines[i];
	return &machines[0];
}
