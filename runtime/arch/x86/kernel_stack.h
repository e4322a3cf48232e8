/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks of kernel stacks on x86-64 by the kernel's unwinder; see runtime/arch/kernel_stack.h. Function probes by ftrace
 * only have the registers of the calling convention, which suffice for the unwinder at a call site.
 */
#ifndef SPILE_RUNTIME_ARCH_X86_KERNEL_STACK_H
#define SPILE_RUNTIME_ARCH_X86_KERNEL_STACK_H

#include <linux/sched.h>
#include <asm/unwind.h>

#include "runtime/compat/compat.h"

/*
 * Is the walk before the end of the stack, because of the limit or of a frame that the unwinder cannot leave? The
 * outermost frame, which user mode entered, has no return address.
 */
static __always_inline bool is_before_end(struct unwind_state *state)
{
	return unwind_error(state) || (!unwind_done(state) && unwind_get_return_address(state));
}

/* Collect the addresses of the frames from the current one on. */
static __always_inline unsigned int collect_frames(struct unwind_state *state, unsigned long *addresses,
						   unsigned int most, bool *is_cut)
{
	unsigned int count = 0;

	for (; count < most && !unwind_done(state); unwind_next_frame(state)) {
		unsigned long address = unwind_get_return_address(state);

		if (!address)
			break;
		addresses[count++] = address;
	}
	*is_cut = is_before_end(state);
	return count;
}

static inline unsigned int walk_from_callback(const struct pt_regs *regs, unsigned long *addresses, unsigned int most,
					      bool *is_cut)
{
	struct unwind_state state;

	unwind_start(&state, current, NULL, (void *)regs->bp);
	return collect_frames(&state, addresses, most, is_cut);
}

static noinline __maybe_unused unsigned int walk_from_registers(const struct pt_regs *regs, unsigned long *addresses,
								unsigned int most, bool *is_cut)
{
	struct unwind_state state COMPAT_UNINITIALIZED;
	unsigned int count = 0;

	addresses[count++] = regs->ip;
	unwind_start(&state, current, (struct pt_regs *)regs, NULL);
	/*
	 * Started with registers, the ORC unwinder begins at the caller (__unwind_start() skips the registers' frame),
	 * while the frame pointer unwinder first returns the registers' own address.
	 */
	for (; count < most && !unwind_done(&state); unwind_next_frame(&state)) {
		unsigned long address = unwind_get_return_address(&state);

		if (!address)
			break;
		if (count > 1 || address != regs->ip)
			addresses[count++] = address;
	}
	*is_cut = is_before_end(&state);
	return count;
}

static inline unsigned int walk_task(struct task_struct *task, unsigned long *addresses, unsigned int most,
				     bool *is_cut)
{
	struct unwind_state state;

	unwind_start(&state, task, NULL, NULL);
	return collect_frames(&state, addresses, most, is_cut);
}

#endif
