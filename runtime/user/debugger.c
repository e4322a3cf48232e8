// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Warnings about debuggers that write where a probe's breakpoint is.
 *
 * A debugger saves the original instruction before it writes a breakpoint, and restores it later. Where a probe is, it
 * saves the probe's breakpoint. The kernel takes each hit there for the probe's. While the script runs, the debugger
 * just misses its breakpoint. But if the debugger restores the probe's breakpoint after the script has ended, nobody
 * handles it and it kills the program. Conversely, if the debugger restores an instruction that it saved before the
 * script started, it removes the probe's breakpoint. Neither can be prevented, so the user is warned.
 *
 * A kprobe sees writes through /proc/PID/mem and by ptrace(), in the context of the debugger. A worker checks them,
 * because looking up the mapping may sleep.
 */
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/workqueue.h>

#include "runtime/abi/protocol.h"
#include "runtime/arch/breakpoints.h"
#include "runtime/compat/compat.h"
#include "runtime/core/internal.h"
#include "runtime/core/own_process.h"
#include "runtime/core/session.h"
#include "runtime/core/transport.h"
#include "runtime/user/debugger.h"

#ifdef CONFIG_UPROBES

enum {
	MOST_WRITES = 32, /* that have not been checked yet */
	LONGEST_WRITE = 16, /* a breakpoint, or the word that contains it */
	MOST_WARNINGS = 8,
};

struct debugger_write {
	/*
	 * With a reference that keeps the mappings: on a busy machine the process may have ended when the write is
	 * checked.
	 */
	struct mm_struct *memory;
	pid_t process; /* in staprun's PID namespace; 0: not known */
	unsigned long address;
	unsigned int size;
	u8 bytes[LONGEST_WRITE];
	pid_t debugger;
	char name[TASK_COMM_LEN];
};

static DEFINE_RAW_SPINLOCK(writes_lock);
static struct debugger_write debugger_writes[MOST_WRITES];
static unsigned int write_count, warning_count;
static unsigned long last_warned; /* address */
static bool (*is_armed_place)(const struct inode *inode, loff_t offset);

/* ---- checking writes --------------------------------------------------------------------------------------------- */

/* Warn about a write, once per address: debuggers remove and restore their breakpoints whenever the program stops. */
static void warn_of_write(const struct debugger_write *write, unsigned int index)
{
	unsigned long address = write->address + index;

	if (warning_count == MOST_WARNINGS || address == last_warned)
		return;
	warning_count++;
	last_warned = address;
	if (is_breakpoint(write->bytes + index, write->size - index))
		transport_message(
			STP_RECORD_WARNING, true,
			"%s (process %d) has a breakpoint at 0x%lx of process %d, where a probe is, and does not "
			"see hits there; hint: delete it before this script ends, or it will kill the process",
			write->name, write->debugger, address, write->process);
	else
		transport_message(
			STP_RECORD_WARNING, true,
			"%s (process %d) has taken out the breakpoint of a probe at 0x%lx of process %d: hits "
			"there are no longer seen",
			write->name, write->debugger, address, write->process);
}

static void check_area(const struct debugger_write *write)
{
	struct mm_struct *memory = write->memory;
	const struct vm_area_struct *area;
	unsigned int i;

	mmap_read_lock(memory);
	area = find_vma(memory, write->address);
	for (i = 0; area && area->vm_file && area->vm_start <= write->address && i < write->size; i++) {
		loff_t offset = ((loff_t)area->vm_pgoff << PAGE_SHIFT) + (write->address - area->vm_start) + i;

		if (is_armed_place(file_inode(area->vm_file), offset))
			warn_of_write(write, i);
	}
	mmap_read_unlock(memory);
}

/* Takes over the reference. */
static void check_write(const struct debugger_write *write)
{
	if (is_own_memory(write->memory))
		check_area(write);
	mmput(write->memory);
}

static bool next_write(struct debugger_write *write)
{
	unsigned long flags;
	bool is_there;

	raw_spin_lock_irqsave(&writes_lock, flags);
	is_there = write_count;
	if (is_there)
		*write = debugger_writes[--write_count];
	raw_spin_unlock_irqrestore(&writes_lock, flags);
	return is_there;
}

static void check_writes(struct work_struct *work)
{
	struct debugger_write write;

	while (next_write(&write))
		check_write(&write);
}

static DECLARE_WORK(writes_work, check_writes);

/* ---- noticing writes --------------------------------------------------------------------------------------------- */

static void wake_for_writes(struct irq_work *work)
{
	queue_work(COMPAT_UNBOUND_WORK, &writes_work);
}

static DEFINE_IRQ_WORK(writes_wake, wake_for_writes);

/* Return the process that uses the mm, or 0. */
static pid_t process_of(const struct mm_struct *memory)
{
	pid_t process = 0;

#ifdef CONFIG_MEMCG
	struct task_struct *owner;

	rcu_read_lock();
	owner = rcu_dereference(memory->owner);
	process = owner ? task_tgid_nr_ns(owner, session_pids) : 0;
	rcu_read_unlock();
#endif
	return process;
}

/* Queue a write. Runs in the debugger. If the queue is full, the write is not checked. */
static void note_write(struct debugger_write *write)
{
	bool is_kept;

	write->process = process_of(write->memory);
	write->debugger = task_tgid_nr_ns(current, session_pids);
	memcpy(write->name, current->comm, sizeof(write->name));
	raw_spin_lock(&writes_lock);
	is_kept = write_count < MOST_WRITES && mmget_not_zero(write->memory);
	if (is_kept) {
		debugger_writes[write_count++] = *write;
	}
	raw_spin_unlock(&writes_lock);
	if (is_kept)
		irq_work_queue(&writes_wake);
}

/* Handle a remote read or write: /proc/PID/mem and ptrace() both use this function. The size is an int. */
static int see_remote_access(struct kprobe *probe, struct pt_regs *regs)
{
	enum { FIRST = COMPAT_REMOTE_ACCESS_MEMORY };
	struct debugger_write write = {.memory = (struct mm_struct *)regs_get_kernel_argument(regs, FIRST),
				       .address = regs_get_kernel_argument(regs, FIRST + 1),
				       .size = regs_get_kernel_argument(regs, FIRST + 3)};

	if (!(regs_get_kernel_argument(regs, FIRST + 4) & FOLL_WRITE) || write.size > LONGEST_WRITE)
		return 0;
	memcpy(write.bytes, (const void *)regs_get_kernel_argument(regs, FIRST + 2), write.size);
	note_write(&write);
	return 0;
}

static struct kprobe remote_access = {.pre_handler = see_remote_access};
static bool are_watched;

void user_debuggers_watch(bool (*is_armed)(const struct inode *inode, loff_t offset))
{
	/* The compiler may have inlined the former into the latter. If neither can be probed, there are no warnings. */
	static const char *const names[] = {"__access_remote_vm", "access_remote_vm"};
	unsigned int i;

	is_armed_place = is_armed;
	for (i = 0; i < ARRAY_SIZE(names) && !are_watched; i++) {
		remote_access.symbol_name = names[i];
		are_watched = !register_kprobe(&remote_access);
	}
}

void user_debuggers_ignore(void)
{
	if (are_watched)
		unregister_kprobe(&remote_access);
	are_watched = false;
	irq_work_sync(&writes_wake);
	flush_work(&writes_work);
}

#endif
