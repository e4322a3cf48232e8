// SPDX-License-Identifier: GPL-2.0-or-later
/* Stores to kernel memory, for guru mode, and its NUMA node. Loads are compiled into scripts (primitives.h). */
#include <linux/mm.h>

#include "runtime/core/internal.h"

/* copy_to_kernel_nofault() is not exported. */
#define STORE_INSN(insn, register_class)                                                                               \
	asm volatile(STP_MAY_FAULT(insn)                                                                               \
		     : [fault] "+r"(failed)                                                                            \
		     : [address] "r"(address), [value] register_class(value)                                           \
		     : "memory", "cc")

void stp_store(struct stp_context *c, unsigned long address, unsigned int size, stp_long value)
{
	int failed = 1;

	/* With SMAP, a fault in the user half is an oops (see stp_load()). */
	if ((long)address < 0) {
		switch (size) {
		case 1:
			STORE_INSN("movb %b[value], (%[address])", "q");
			break;
		case 2:
			STORE_INSN("movw %w[value], (%[address])", "r");
			break;
		case 4:
			STORE_INSN("movl %k[value], (%[address])", "r");
			break;
		default:
			STORE_INSN("movq %[value], (%[address])", "r");
			break;
		}
	}
	if (failed)
		stp_error(c, "write fault [man error::fault] at 0x%lx", address);
}

stp_long stp_memory_node(struct stp_context *c, unsigned long address)
{
	if (virt_addr_valid((void *)address))
		return page_to_nid(virt_to_page((void *)address));
	stp_error(c, "no memory of the kernel's direct mapping is at 0x%lx", address);
	return 0;
}
