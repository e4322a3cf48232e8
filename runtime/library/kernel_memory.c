// SPDX-License-Identifier: GPL-2.0-or-later
/* Stores to kernel memory, for guru mode, and its NUMA node. Loads are compiled into scripts (primitives.h). */
#include <linux/mm.h>

#include "runtime/core/internal.h"

void stp_store(struct stp_context *c, unsigned long address, unsigned int size, stp_long value)
{
	/* copy_to_kernel_nofault() is not exported. */
	if (!arch_store(address, size, value))
		stp_error(c, "write fault [man error::fault] at 0x%lx", address);
}

stp_long stp_memory_node(struct stp_context *c, unsigned long address)
{
	if (virt_addr_valid((void *)address))
		return page_to_nid(virt_to_page((void *)address));
	stp_error(c, "no memory of the kernel's direct mapping is at 0x%lx", address);
	return 0;
}
