// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernel stack walks, from a hit or of any task. A walk from a hit starts with the probed registers, in any context
 * including NMI. How frames are found depends on the architecture (arch/kernel_stack.h).
 */
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/irq_regs.h>

#include "runtime/arch/kernel_stack.h"
#include "runtime/compat/compat.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/target.h"
#include "runtime/library/stack.h"
#include "runtime/library/task.h"
#include "runtime/text/addresses.h"

/* Return the registers of the probed context, or NULL. */
static const struct pt_regs *probed_registers(const struct stp_context *c)
{
	const struct pt_regs *regs = c->regs ? (const struct pt_regs *)c->regs : get_irq_regs();

	return regs && !context_is_session(c) && !user_mode((struct pt_regs *)regs) ? regs : NULL;
}

/*
 * Return whether the instruction pointer is after the probe's address: after a breakpoint, or after the first byte of
 * an ftrace call.
 */
static bool is_behind_probe(const struct stp_context *c)
{
	return c->probe->kind == STP_PROBE_KPROBE || (c->probe->kind == STP_PROBE_FUNCTION && c->regs);
}

/* Walk with the instruction pointer moved back to the probe. */
static noinline unsigned int walk_from_probe(struct stp_context *c, const struct pt_regs *behind,
					     unsigned long *addresses, unsigned int most, bool *is_cut)
{
	struct pt_regs regs = *behind;

	instruction_pointer_set(&regs, stp_probe_address(c));
	return walk_from_registers(&regs, addresses, most, is_cut);
}

static unsigned int walk(struct stp_context *c, unsigned long *addresses, unsigned int most, bool *is_cut)
{
	const struct pt_regs *regs;

	if (is_callback(c->probe))
		return walk_from_callback((const struct pt_regs *)c->regs, addresses, most, is_cut);
	regs = probed_registers(c);
	if (!regs)
		return 0;
	if (is_behind_probe(c))
		return walk_from_probe(c, regs, addresses, most, is_cut);
	return walk_from_registers(regs, addresses, most, is_cut);
}

const struct stack_frames *stack_frames(struct stp_context *c)
{
	struct stack_frames *frames = context_frames(c);

	if (!frames->is_walked) {
		frames->is_cut = false;
		frames->count = walk(c, frames->addresses,
				     min_t(unsigned int, stp_script.max_backtrace, ARRAY_SIZE(frames->addresses)),
				     &frames->is_cut);
	}
	frames->is_walked = true;
	return frames;
}

void stp_callers(struct stp_context *c, char *to, stp_long levels)
{
	const struct stack_frames *frames = stack_frames(c);

	put_stack(c, to, frames->addresses, frames->count, levels, frames->is_cut);
}

void stp_backtrace(struct stp_context *c, char *to)
{
	stp_callers(c, to, -1);
}

stp_long stp_stack(struct stp_context *c, stp_long level)
{
	const struct stack_frames *frames = stack_frames(c);

	return level >= 0 && level < frames->count ? frames->addresses[level] : 0;
}

void stp_task_backtrace(struct stp_context *c, char *to, unsigned long address)
{
	struct task_struct *task = (struct task_struct *)address;
	unsigned long addresses[16];
	unsigned int count = 0;
	bool is_cut = false;

	to[0] = '\0';
	/* RCU keeps the stack of a task mapped, even if it exits (kernel/fork.c, thread_stack_free_rcu()). */
	rcu_read_lock();
	if (task_exists(c, task))
		count = walk_task(task, addresses, ARRAY_SIZE(addresses), &is_cut);
	rcu_read_unlock();
	put_stack(c, to, addresses, count, -1, is_cut);
}

/* ---- stack usage ------------------------------------------------------------------------------------------------- */

stp_long stp_stack_size(void)
{
	return THREAD_SIZE;
}

/* Measure at the probed code if it was on the task's own stack, else (on an interrupt stack) at this function. */
stp_long stp_stack_used(struct stp_context *c)
{
	const struct pt_regs *regs = (const struct pt_regs *)c->regs;
	unsigned long base = (unsigned long)task_stack_page(current);
	unsigned long here = regs && !context_is_session(c) ? kernel_stack_pointer((struct pt_regs *)regs)
							    : (unsigned long)__builtin_frame_address(0);

	if (here < base || here > base + THREAD_SIZE)
		here = (unsigned long)__builtin_frame_address(0);
	return here < base || here > base + THREAD_SIZE ? 0 : base + THREAD_SIZE - here;
}
