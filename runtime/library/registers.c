// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Registers by name, function arguments by the calling convention (for probes without debuginfo), and writes to
 * registers.
 *
 * If a script uses one of these, the translator requests all registers from ftrace (stp_script.needs_registers).
 */
#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>
#include <asm/irq_regs.h>

#include "runtime/arch/register_names.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/own_process.h"
#include "runtime/core/target.h"

/*
 * Return whether the script may see these registers. With --privilege=stapusr these are only those of the user's
 * programs. A timer may have interrupted a system call, and then the registers are the kernel's.
 */
static bool may_see_registers(const struct pt_regs *regs)
{
	return likely(!session_is_restricted) || (user_mode((struct pt_regs *)regs) && is_own_task(context_task()));
}

/* Return the registers of the hit, or NULL. Those of a callback are made up to carry its arguments. */
static const struct pt_regs *hit_registers(const struct stp_context *c)
{
	const struct pt_regs *regs = (const struct pt_regs *)c->regs;

	return context_is_session(c) || !regs || is_callback(c->probe) || !may_see_registers(regs) ? NULL : regs;
}

int stp_registers_valid(struct stp_context *c)
{
	return hit_registers(c) != NULL;
}

int stp_user_mode(struct stp_context *c)
{
	const struct pt_regs *regs = hit_registers(c) ?: get_irq_regs();

	return regs && !context_is_session(c) && user_mode((struct pt_regs *)regs);
}

static bool has_name(const struct named_register *named, const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(named->names); i++)
		if (named->names[i] && !strcmp(named->names[i], name))
			return true;
	return false;
}

stp_long stp_named_register(struct stp_context *c, const char *name, int is_signed)
{
	const struct pt_regs *regs = hit_registers(c);
	unsigned int i;

	if (!regs) {
		stp_error(c, "no registers are available here");
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(named_registers); i++) {
		const struct named_register *named = &named_registers[i];
		unsigned long value = *(const unsigned long *)((const char *)regs + named->offset);

		if (has_name(named, name))
			return value;
		if (named->half && !strcmp(named->half, name))
			return is_signed ? (s64)(s32)value : (s64)(u32)value;
	}
	stp_error(c, "Unknown register: %s", name);
	return 0;
}

stp_long stp_task_register(struct stp_context *c, stp_long index)
{
	const unsigned long *words = (const unsigned long *)task_pt_regs(context_task());

	if (index >= 0 && index < TASK_REGISTERS)
		return words[index];
	stp_error(c, "illegal operation");
	return 0;
}

stp_long stp_return_register(struct stp_context *c)
{
	const struct pt_regs *regs = hit_registers(c);

	if (!regs)
		stp_error(c, "no registers are available here");
	return regs ? regs_return_value((struct pt_regs *)regs) : 0;
}

static bool is_on_user_stack(const struct stp_context *c, stp_long number)
{
	return number > (stp_long)ARRAY_SIZE(argument_offsets) && user_mode((struct pt_regs *)c->regs);
}

/*
 * Find where an argument is by the calling convention: in a register, or on the stack. Return false, with an error, if
 * there is no such argument.
 */
static bool find_argument(struct stp_context *c, stp_long number, unsigned long *ret)
{
	enum { MOST = 12 };
	const struct pt_regs *regs = (const struct pt_regs *)c->regs;

	if (!regs || context_is_session(c) || !may_see_registers(regs)) {
		stp_error(c, "no registers are available here");
		return false;
	}
	if (number < 1 || number > MOST) {
		stp_error(c, "cannot access arg(%lld)", number);
		return false;
	}
	if (number <= ARRAY_SIZE(argument_offsets))
		*ret = (unsigned long)regs + argument_offsets[number - 1];
	else
		*ret = stack_arguments(regs) + (number - 1 - ARRAY_SIZE(argument_offsets)) * sizeof(long);
	return true;
}

stp_long stp_argument(struct stp_context *c, stp_long number)
{
	unsigned long address;
	s64 value;
	int fault = 0;

	if (!find_argument(c, number, &address))
		return 0;
	if (!is_on_user_stack(c, number)) {
		value = stp_load(address, sizeof(long), &fault);
		if (fault)
			stp_fault(c, address);
		return value;
	}
	value = stp_load_user(address, sizeof(long), &fault);
	if (fault)
		stp_user_fault(c, address);
	return value;
}

void stp_set_argument(struct stp_context *c, stp_long number, stp_long value)
{
	unsigned long address;

	if (!find_argument(c, number, &address))
		return;
	if (is_on_user_stack(c, number))
		stp_store_user(c, address, sizeof(long), value);
	else
		stp_store(c, address, sizeof(long), value);
}

void stp_print_registers(struct stp_context *c)
{
	const struct pt_regs *regs = hit_registers(c);

	if (!regs)
		return;
	print_all_registers(c, regs);
}

/* Read a vector register of the current process. Interrupts are off so that it does not move in between. */
stp_ulong stp_vector_register(struct stp_context *c, unsigned int number)
{
	unsigned long irq_flags;
	u64 value;

	if (!current->mm || current->flags & PF_KTHREAD)
		return 0;
	local_irq_save(irq_flags);
	value = read_vector(number);
	local_irq_restore(irq_flags);
	return value;
}

void stp_set_register(struct stp_context *c, unsigned int word, stp_long value)
{
	if (c->regs)
		((unsigned long *)c->regs)[word] = value;
}
