// SPDX-License-Identifier: GPL-2.0-or-later
/* Signals to the current process, for guru mode. */
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "runtime/core/internal.h"
#include "runtime/library/signal.h"

/*
 * A handler may have interrupted a holder of the lock that sending a signal takes. So an irq_work sends it, which runs
 * when interrupts are enabled again (on PREEMPT_RT, where that lock may sleep, in a thread).
 */
struct raised_signal {
	struct irq_work work;
	atomic_t busy;
	struct task_struct *task;
	int number;
};

static DEFINE_PER_CPU(struct raised_signal, raised_signals);

static void send_raised(struct irq_work *work)
{
	struct raised_signal *raised = container_of(work, struct raised_signal, work);

	send_sig(raised->number, raised->task, 1);
	put_task_struct(raised->task);
	atomic_set_release(&raised->busy, 0);
}

void stp_raise(struct stp_context *c, stp_long number)
{
	struct raised_signal *raised = raw_cpu_ptr(&raised_signals);

	if (!valid_signal(number) || number < 1) {
		stp_error(c, "there is no signal %lld", number);
	} else if (!current->mm || (current->flags & (PF_KTHREAD | PF_EXITING))) {
		stp_error(c, "there is no process to get signal %lld", number);
	} else if (atomic_cmpxchg(&raised->busy, 0, 1)) {
		stp_error(c, "another signal is on its way");
	} else {
		raised->task = get_task_struct(current);
		raised->number = number;
		init_irq_work(&raised->work, send_raised);
		irq_work_queue(&raised->work);
	}
}

void signals_finish(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu_ptr(&raised_signals, cpu)->work);
}
