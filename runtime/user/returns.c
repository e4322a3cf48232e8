// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Return addresses that uretprobes have replaced on the current task's stack, during exceptions. An unwinder does not
 * know the kernel's trampoline and would abort the program there. So the original addresses are restored when an
 * exception starts. When it is caught, the trampoline's address is written again in the remaining frames, so that their
 * returns are seen.
 *
 * The kernel keeps a return instance until the stack pointer is above it, however the call ended. A return that
 * bypasses the trampoline is not counted. Called in hits, where the task may sleep to read its memory.
 */
#include <linux/mm.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>

#include "runtime/abi/protocol.h"
#include "runtime/compat/compat.h"
#include "runtime/core/internal.h"
#include "runtime/core/transport.h"
#include "runtime/user/returns.h"

#ifdef CONFIG_UPROBES

static const struct return_instance *calls_under_way(void)
{
	const struct uprobe_task *task = current->utask;

	return task ? task->return_instances : NULL;
}

/* Return the start of the area in which the kernel single-steps instructions: the trampoline is there. 0: not found. */
static unsigned long trampoline_behind(struct mm_struct *memory, unsigned long from)
{
	COMPAT_AREAS(areas, memory, from);
	struct vm_area_struct *area;

	compat_for_each_area(areas, area) {
		const char *name = area->vm_ops && area->vm_ops->name ? area->vm_ops->name(area) : NULL;

		if (name && !strcmp(name, "[uprobes]"))
			return area->vm_start;
	}
	return 0;
}

/*
 * Find the trampoline. The kernel maps it at the highest free address, so search above the stack first. 0: not found.
 */
static unsigned long trampoline_of(struct mm_struct *memory)
{
	unsigned long address;

	if (mmap_read_lock_killable(memory))
		return 0;
	address = trampoline_behind(memory, memory->start_stack) ?: trampoline_behind(memory, 0);
	mmap_read_unlock(memory);
	return address;
}

static void exchange_return(unsigned long place, unsigned int size, unsigned long before, unsigned long after)
{
	unsigned long found = 0;

	if (!copy_from_user(&found, (const void __user *)place, size) && found == before &&
	    copy_to_user((void __user *)place, &after, size))
		transport_message(STP_RECORD_WARNING, true, "cannot restore a return address of process %d",
				  current->tgid);
}

void user_returns_restore(unsigned int size)
{
	const struct return_instance *call = calls_under_way();
	unsigned long trampoline = call ? trampoline_of(current->mm) : 0;

	for (; trampoline && call; call = call->next)
		exchange_return(call->stack, size, trampoline, call->orig_ret_vaddr);
}

void user_returns_replace(struct pt_regs *regs, unsigned int size)
{
	const struct return_instance *call = calls_under_way();
	unsigned long trampoline = call ? trampoline_of(current->mm) : 0;

	for (; trampoline && call; call = call->next)
		if (call->stack > user_stack_pointer(regs))
			exchange_return(call->stack, size, call->orig_ret_vaddr, trampoline);
}

#endif
