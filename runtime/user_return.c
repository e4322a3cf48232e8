// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The return addresses that the kernel has replaced on the current task's stack, for exceptions: who unwinds a stack
 * knows nothing of the kernel's trampoline, and would end the program there. So they are put back when an exception
 * begins, and when it is caught, the trampoline's is put where frames are still there, so that their returns are seen.
 *
 * The kernel keeps what it knows of a call until the stack has left it, however that came; and a return that does not
 * come to the trampoline is none to it. In a hit, where the task may wait for its memory.
 */
#include <linux/mm.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>

#include "internal.h"
#include "compat/compat.h"

#ifdef CONFIG_UPROBES

static const struct return_instance *calls_under_way(void)
{
	const struct uprobe_task *task = current->utask;

	return task ? task->return_instances : NULL;
}

/* It is at the beginning of the page in which the kernel steps over instructions. */
static unsigned long trampoline_behind(struct mm_struct *memory, unsigned long from)
{
	COMPAT_AREAS(areas, memory, from);
	struct vm_area_struct *area;

	compat_for_each_area(areas, area)
	{
		const char *name = area->vm_ops && area->vm_ops->name ? area->vm_ops->name(area) : NULL;

		if (name && !strcmp(name, "[uprobes]"))
			return area->vm_start;
	}
	return 0;
}

/* The kernel puts it as high as it can. 0: there is none. */
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
		transport_message(STP_RECORD_WARNING, true, "a return address of process %d cannot be put back",
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
		if (call->stack > regs->sp)
			exchange_return(call->stack, size, call->orig_ret_vaddr, trampoline);
}

#endif
