/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers for handlers of callbacks on arm64; see runtime/arch/callback.h. */
#ifndef SPILE_RUNTIME_ARCH_ARM64_CALLBACK_H
#define SPILE_RUNTIME_ARCH_ARM64_CALLBACK_H

#include <linux/kernel.h>
#include <linux/ptrace.h>

struct callback_registers {
	struct pt_regs regs;
	unsigned long stack[6]; /* the arguments without a register; the stack pointer is a multiple of 16 */
} __aligned(16);

#define CALLBACK_REGISTERS(name, a0, a1, a2, a3, a4, a5)                                                               \
	struct callback_registers name = {.regs = {.regs = {[0] = (unsigned long)(a0),                                 \
							    [1] = (unsigned long)(a1),                                 \
							    [2] = (unsigned long)(a2),                                 \
							    [3] = (unsigned long)(a3),                                 \
							    [4] = (unsigned long)(a4),                                 \
							    [5] = (unsigned long)(a5),                                 \
							    [29] = (unsigned long)__builtin_frame_address(0),          \
							    [30] = _RET_IP_},                                          \
						   .sp = (unsigned long)name.stack,                                    \
						   .pc = _RET_IP_,                                                     \
						   .pstate = PSR_MODE_EL1h}}

/* The seventh and the eighth argument are in registers, too. */
static __always_inline void callback_stack_arguments(struct callback_registers *room, int count, unsigned long a6,
						     unsigned long a7, unsigned long a8, unsigned long a9,
						     unsigned long a10, unsigned long a11, unsigned long a12)
{
	room->regs.regs[6] = a6;
	room->regs.regs[7] = a7;
	switch (count) {
	default:
		room->stack[4] = a12;
		fallthrough;
	case 11:
		room->stack[3] = a11;
		fallthrough;
	case 10:
		room->stack[2] = a10;
		fallthrough;
	case 9:
		room->stack[1] = a9;
		fallthrough;
	case 8:
		room->stack[0] = a8;
		fallthrough;
	case 0 ... 7:
		break;
	}
}

#endif
