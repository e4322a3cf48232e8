/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Access to kernel memory that may fault, for x86-64; see runtime/arch/memory.h. */
#ifndef SPILE_RUNTIME_ARCH_X86_MEMORY_H
#define SPILE_RUNTIME_ARCH_X86_MEMORY_H

#include "runtime/compat/has_include.h"

/* The fixup of an exception table entry, "continue at the given address": type 1 since 5.16, before that a function. */
#if __has_include(<asm/extable_fixup_types.h>)
#define STP_EXCEPTION_HOW "1"
#else
#define STP_EXCEPTION_HOW "ex_handler_default - ."
#endif

#define STP_MAY_FAULT(insn)                                                                                            \
	"1: " insn "\n"                                                                                                \
	"   xorl %[fault], %[fault]\n"                                                                                 \
	"2:\n"                                                                                                         \
	".pushsection \"__ex_table\"," STP_EXCEPTION_TABLE "\n"                                                        \
	".balign 4\n"                                                                                                  \
	".long 1b - .\n"                                                                                               \
	".long 2b - .\n"                                                                                               \
	".long " STP_EXCEPTION_HOW "\n"                                                                                \
	".popsection"
#define STP_LOAD_INSN(insn)                                                                                            \
	asm volatile(STP_MAY_FAULT(insn)                                                                               \
		     : [value] "+r"(value), [fault] "+r"(failed)                                                       \
		     : [address] "r"(address)                                                                          \
		     : "memory", "cc")
#define STP_STORE_INSN(insn, register_class)                                                                           \
	asm volatile(STP_MAY_FAULT(insn)                                                                               \
		     : [fault] "+r"(failed)                                                                            \
		     : [address] "r"(address), [value] register_class(value)                                           \
		     : "memory", "cc")

/*
 * Addresses in the user half are refused before the access: with SMAP such a fault is an oops, not a fixup
 * (arch/x86/mm/fault.c, do_user_addr_fault()). Faults in the kernel half, also at non-canonical addresses, are handled
 * by the exception table. The vsyscall page is refused like in copy_from_kernel_nofault_allowed().
 */
static STP_ALWAYS_INLINE stp_ulong stp_load(unsigned long address, unsigned int size, int *fault)
{
	unsigned long value = 0;
	int failed = 1;

	if (stp_likely((long)address < 0 && (address & ~4095ul) != 0xffffffffff600000ul)) {
		switch (size) {
		case 1:
			STP_LOAD_INSN("movzbl (%[address]), %k[value]");
			break;
		case 2:
			STP_LOAD_INSN("movzwl (%[address]), %k[value]");
			break;
		case 4:
			STP_LOAD_INSN("movl (%[address]), %k[value]");
			break;
		default:
			STP_LOAD_INSN("movq (%[address]), %[value]");
			break;
		}
	}
	*fault |= failed;
	return value;
}

static inline int arch_store(unsigned long address, unsigned int size, stp_long value)
{
	int failed = 1;

	if ((long)address < 0) {
		switch (size) {
		case 1:
			STP_STORE_INSN("movb %b[value], (%[address])", "q");
			break;
		case 2:
			STP_STORE_INSN("movw %w[value], (%[address])", "r");
			break;
		case 4:
			STP_STORE_INSN("movl %k[value], (%[address])", "r");
			break;
		default:
			STP_STORE_INSN("movq %[value], (%[address])", "r");
			break;
		}
	}
	return !failed;
}

static STP_ALWAYS_INLINE unsigned long arch_stack_pointer(void)
{
	unsigned long here;

	__asm__("mov %%rsp, %0" : "=r"(here));
	return here;
}

#endif
