// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory of the script: its limit, and failures for tests. */
#include <linux/cpumask.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/printk.h>

#include "runtime/core/allocation.h"
#include "runtime/core/internal.h"

bool allocation_fails(void)
{
	static unsigned int allocations;

	return unlikely(stp_script.fail_allocation) && ++allocations == stp_script.fail_allocation;
}

/*
 * STP_MAXMEMORY is checked before memory is allocated, so that a script that wants too much takes nothing from others.
 * All memory is allocated while the module is loaded, except that for calls, which is estimated then
 * (control/module.c).
 */
static size_t memory_taken;

bool memory_take(size_t bytes)
{
	u64 most = stp_script.max_memory + (u64)stp_script.max_memory_per_cpu * num_possible_cpus();

	if (check_add_overflow(memory_taken, bytes, &memory_taken))
		memory_taken = SIZE_MAX;
	if (!stp_script.max_memory || memory_taken / 1024 <= most)
		return true;
	pr_err("%s: the script takes %zu kB of memory or more; STP_MAXMEMORY allows %llu\n", THIS_MODULE->name,
	       memory_taken / 1024, most);
	return false;
}
