/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks of programs' stacks on x86-64, also of 32-bit programs; see runtime/arch/user_stack.h. */
#ifndef SPILE_RUNTIME_ARCH_X86_USER_STACK_H
#define SPILE_RUNTIME_ARCH_X86_USER_STACK_H

#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/uaccess.h>

static const struct user_registers registers_of_64bit = {6, 7, 16, 8, 16}, registers_of_32bit = {5, 4, 8, 4, 8};

/* The return address and the frame pointer are pushed first. */
enum { FRAME_RECORD_ENDS_FRAME = true };

static inline bool program_can_be_walked(const struct pt_regs *regs)
{
	return true;
}

static inline void take_program_registers(struct stp_unwind_state *state, const struct pt_regs *regs)
{
	unsigned long *to = state->registers;

	state->is_32bit = !user_64bit_mode((struct pt_regs *)regs);
	*to++ = regs->ax;
	if (state->is_32bit) {
		*to++ = regs->cx;
		*to++ = regs->dx;
		*to++ = regs->bx;
		*to++ = regs->sp;
		*to++ = regs->bp;
		*to++ = regs->si;
		*to++ = regs->di;
		*to++ = regs->ip;
		return;
	}
	*to++ = regs->dx;
	*to++ = regs->cx;
	*to++ = regs->bx;
	*to++ = regs->si;
	*to++ = regs->di;
	*to++ = regs->bp;
	*to++ = regs->sp;
	*to++ = regs->r8;
	*to++ = regs->r9;
	*to++ = regs->r10;
	*to++ = regs->r11;
	*to++ = regs->r12;
	*to++ = regs->r13;
	*to++ = regs->r14;
	*to++ = regs->r15;
	*to++ = regs->ip;
}

static __always_inline unsigned long program_address(unsigned long address)
{
	return address;
}

static inline int leaf_return(const struct stp_unwind_state *state, const struct user_registers *names,
			      stp_unwind_load *load, void *data, unsigned long *ret)
{
	return load(data, state->registers[names->stack], names->word, ret);
}

static inline unsigned long frame_return_place(unsigned long frame, unsigned int word)
{
	return frame + word;
}

/* Restore the registers as rt_sigreturn() would (struct rt_sigframe, arch/x86). */
static inline int load_signal_frame(struct stp_unwind_state *state, const struct user_registers *names,
				    stp_unwind_load *load, void *data)
{
	/* mov $__NR_rt_sigreturn,%rax; syscall */
	static const u8 instructions[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
	static const u8 order[] = {8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, 7, 16};
	enum { SAVED_REGISTERS = 40 }; /* offset, after uc_flags, uc_link and uc_stack */
	unsigned long from = state->registers[names->stack] + SAVED_REGISTERS, byte;
	unsigned int i;

	if (state->is_32bit)
		return 0;
	for (i = 0; i < sizeof(instructions); i++)
		if (!load(data, state->registers[names->address] + i, 1, &byte) || byte != instructions[i])
			return 0;
	for (i = 0; i < ARRAY_SIZE(order); i++)
		if (!load(data, from + i * sizeof(u64), sizeof(u64), &state->registers[order[i]]))
			return 0;
	return 1;
}

static __always_inline int brief_return(int frame_pointer)
{
	return -(int)sizeof(u64);
}

static __always_inline void user_access_open(void)
{
	__uaccess_begin();
}

static __always_inline void user_access_close(void)
{
	__uaccess_end();
}

#endif
