/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks of programs' stacks on arm64; see runtime/arch/user_stack.h. Stacks of 32-bit programs are not walked.
 *
 * A rule puts the return address into the link register (x30). The walk keeps the address where a frame continues in
 * the place of the program counter, because the innermost frame has both. Return addresses may be signed; their
 * authentication codes are removed, whatever call frame information says of them (DW_CFA_AARCH64_negate_ra_state).
 */
#ifndef SPILE_RUNTIME_ARCH_ARM64_USER_STACK_H
#define SPILE_RUNTIME_ARCH_ARM64_USER_STACK_H

#include <linux/compat.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/signal.h>
#include <linux/uaccess.h>
#include <asm/ucontext.h>

#include "runtime/arch/registers.h"

enum { ARM64_FRAME = 29, ARM64_LINK = 30, ARM64_STACK = 31, ARM64_PC = 32 };

/* The interrupted registers in a signal frame. */
enum { ARM64_SAVED_REGISTERS = sizeof(struct siginfo) + offsetof(struct ucontext, uc_mcontext.regs) };

/* A function saves its frame record anywhere in its frame, mostly at the bottom. */
enum { FRAME_RECORD_ENDS_FRAME = false };

static const struct user_registers registers_of_64bit = {ARM64_FRAME, ARM64_STACK, ARM64_PC, 8, ARM64_LINK};
#define registers_of_32bit registers_of_64bit /* not used */

static inline bool program_can_be_walked(const struct pt_regs *regs)
{
	return !compat_user_mode(regs);
}

static inline void take_program_registers(struct stp_unwind_state *state, const struct pt_regs *regs)
{
	state->is_32bit = 0;
	memcpy(state->registers, regs->regs, sizeof(regs->regs));
	state->registers[ARM64_STACK] = regs->sp;
	state->registers[ARM64_PC] = regs->pc;
}

static __always_inline unsigned long program_address(unsigned long address)
{
	return without_authentication(address);
}

static inline int leaf_return(const struct stp_unwind_state *state, const struct user_registers *names,
			      stp_unwind_load *load, void *data, unsigned long *ret)
{
	*ret = without_authentication(state->registers[ARM64_LINK]);
	return 1;
}

static inline unsigned long frame_return_place(unsigned long frame, unsigned int word)
{
	return frame + word;
}

/*
 * Return whether the kernel has built a signal frame at this address. It has pushed the interrupted frame pointer and
 * link register before, as a frame record, and the frame pointer of the handler's caller is the record's address.
 */
static inline bool is_signal_frame(const struct stp_unwind_state *state, unsigned long address, stp_unwind_load *load,
				   void *data)
{
	unsigned long record = state->registers[ARM64_FRAME];
	unsigned long saved = address + ARM64_SAVED_REGISTERS + ARM64_FRAME * sizeof(u64);
	unsigned long here, there;
	unsigned int i;

	for (i = 0; i < 2; i++)
		if (!load(data, saved + i * sizeof(u64), sizeof(u64), &here) ||
		    !load(data, record + i * sizeof(u64), sizeof(u64), &there) || here != there)
			return false;
	return true;
}

/*
 * Restore the registers as rt_sigreturn() would (struct rt_sigframe, arch/arm64/kernel/signal.c). If the stack pointer
 * is not known, the signal frame is below the frame record; it has its least size, unless the vector registers are
 * longer than its 4 KiB for them.
 */
static inline int load_signal_frame(struct stp_unwind_state *state, const struct user_registers *names,
				    stp_unwind_load *load, void *data)
{
	/* mov x8, #__NR_rt_sigreturn; svc #0 */
	static const u32 instructions[] = {0xd2801168, 0xd4000001};
	enum { SIGNAL_FRAME_SIZE = round_up(sizeof(struct siginfo) + sizeof(struct ucontext), 16) };
	unsigned long from = state->registers[ARM64_STACK], code;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(instructions); i++)
		if (!load(data, state->registers[ARM64_PC] + i * sizeof(u32), sizeof(u32), &code) ||
		    code != instructions[i])
			return 0;
	if (!is_signal_frame(state, from, load, data)) {
		from = state->registers[ARM64_FRAME] - SIGNAL_FRAME_SIZE;
		if (!is_signal_frame(state, from, load, data))
			return 0;
	}
	/* x0 to x30, the stack pointer, the program counter */
	for (i = 0; i <= ARM64_PC; i++)
		if (!load(data, from + ARM64_SAVED_REGISTERS + i * sizeof(u64), sizeof(u64), &state->registers[i]))
			return 0;
	return 1;
}

/* A frame saves both registers as a pair. The result 8 means that no return address is saved. */
static __always_inline int brief_return(int frame_pointer)
{
	return frame_pointer + (int)sizeof(u64);
}

static __always_inline void user_access_open(void)
{
	uaccess_ttbr0_enable();
}

static __always_inline void user_access_close(void)
{
	uaccess_ttbr0_disable();
}

#endif
