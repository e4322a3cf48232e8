/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers for handlers of callbacks on x86-64; see runtime/arch/callback.h. */
#ifndef SPILE_RUNTIME_ARCH_X86_CALLBACK_H
#define SPILE_RUNTIME_ARCH_X86_CALLBACK_H

#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <asm/segment.h>

struct callback_registers {
	struct pt_regs regs;
	unsigned long stack[8]; /* the return address, then the arguments without a register */
};

#define CALLBACK_REGISTERS(name, a0, a1, a2, a3, a4, a5)                                                               \
	struct callback_registers name = {.regs = {.di = (unsigned long)(a0),                                          \
						   .si = (unsigned long)(a1),                                          \
						   .dx = (unsigned long)(a2),                                          \
						   .cx = (unsigned long)(a3),                                          \
						   .r8 = (unsigned long)(a4),                                          \
						   .r9 = (unsigned long)(a5),                                          \
						   .ip = _RET_IP_,                                                     \
						   .sp = (unsigned long)name.stack,                                    \
						   .bp = (unsigned long)__builtin_frame_address(0),                    \
						   .cs = __KERNEL_CS,                                                  \
						   .ss = __KERNEL_DS},                                                 \
					  .stack = {_RET_IP_}}

static __always_inline void callback_stack_arguments(struct callback_registers *room, int count, unsigned long a6,
						     unsigned long a7, unsigned long a8, unsigned long a9,
						     unsigned long a10, unsigned long a11, unsigned long a12)
{
	switch (count) {
	default:
		room->stack[7] = a12;
		fallthrough;
	case 11:
		room->stack[6] = a11;
		fallthrough;
	case 10:
		room->stack[5] = a10;
		fallthrough;
	case 9:
		room->stack[4] = a9;
		fallthrough;
	case 8:
		room->stack[3] = a8;
		fallthrough;
	case 7:
		room->stack[2] = a7;
		fallthrough;
	case 6:
		room->stack[1] = a6;
		fallthrough;
	case 0 ... 5:
		break;
	}
}

#endif
