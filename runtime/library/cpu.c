// SPDX-License-Identifier: GPL-2.0-or-later
/* The machine: CPUs, size of pages, load average, random numbers. */
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/random.h>
#include <linux/sched/loadavg.h>
#include <linux/smp.h>
#include <linux/topology.h>

#include "runtime/core/internal.h"
#include "runtime/library/cpu.h"

stp_long stp_cpu(void)
{
	return raw_smp_processor_id();
}

bool is_processor(struct stp_context *c, stp_long cpu)
{
	if (cpu >= 0 && cpu < nr_cpu_ids && cpu_possible(cpu))
		return true;
	stp_error(c, "there is no processor %lld", cpu);
	return false;
}

stp_long stp_percpu_offset(struct stp_context *c, stp_long cpu)
{
	if (cpu == -1)
		cpu = raw_smp_processor_id();
	/* Possible CPUs have a per-CPU area even if they are offline. */
	return is_processor(c, cpu) ? per_cpu_offset(cpu) : 0;
}

stp_long stp_cpu_package(struct stp_context *c, stp_long cpu)
{
	return is_processor(c, cpu) ? topology_physical_package_id(cpu) : 0;
}

/* Rounded like in /proc/loadavg. */
stp_long stp_load_average(stp_long index)
{
	unsigned long average;

	if (index < 0 || index > 2)
		return 0;
	average = READ_ONCE(avenrun[index]) + FIXED_1 / 200;
	return (average >> FSHIFT) * 100 + ((average & (FIXED_1 - 1)) * 100 >> FSHIFT);
}

stp_long stp_page_size(void)
{
	return PAGE_SIZE;
}

stp_ulong stp_random(void)
{
	return get_random_u64();
}

stp_long stp_online_cpus(void)
{
	return num_online_cpus();
}
