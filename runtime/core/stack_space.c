// SPDX-License-Identifier: GPL-2.0-or-later
/* How much of the kernel's stack is left at a hit. */
#include <linux/sched/task_stack.h>

#include "runtime/core/internal.h"
#include "runtime/core/stack_space.h"

static bool is_readable(unsigned long address)
{
	int fault = 0;

	stp_load(address, 1, &fault);
	return !fault;
}

/*
 * Return whether less than @need bytes are left on an interrupt or exception stack. The kernel does not export its
 * end, but an unmapped guard page is below each, so try to read the needed pages. IRQ stacks of a kernel without
 * CONFIG_VMAP_STACK have no guard page and count as large enough.
 */
static noinline bool is_other_stack_short(unsigned long here, unsigned long need)
{
	unsigned long end = here - need, page;

	if (need >= THREAD_SIZE)
		return true;
	for (page = (here & PAGE_MASK) - PAGE_SIZE; page + PAGE_SIZE > end; page -= PAGE_SIZE)
		if (!is_readable(page))
			return true;
	return false;
}

HOT bool is_stack_short(unsigned long need)
{
	unsigned long here = current_stack_pointer, left = here - (unsigned long)end_of_stack(current);

	if (likely(left < THREAD_SIZE))
		return left < need;
	return is_other_stack_short(here, need);
}
