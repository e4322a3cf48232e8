// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which probes should be armed: those that are not switched off, and whose condition holds ("probe POINT if
 * (CONDITION)").
 *
 * Handlers check the condition themselves, so none runs while it does not hold. The code here disarms the probes, so
 * that they cost nothing then. A handler that writes one of the globals involved calls stp_conditions_changed() in any
 * context, including NMI. That queues an irq_work, which schedules a work item. The work item evaluates the conditions
 * and has the families rearm. Hits between the change and the arming, some milliseconds later, are missed.
 *
 * Conditions only read integers, which needs no lock.
 *
 * A probe that is switched off stays off until it is switched on. Families may take time to disarm it, and some cannot,
 * so context_run() also checks the switch while any probe is off.
 */
#include <linux/bitmap.h>
#include <linux/irq_work.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "runtime/compat/compat.h"
#include "runtime/core/allocation.h"
#include "runtime/core/arming.h"
#include "runtime/core/condition.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/session.h"

static unsigned long *unwanted; /* bitmap of probes whose condition does not hold; NULL: no conditions */
static unsigned long *switched_off; /* bitmap of probes; NULL: none was ever switched off */
static atomic_t conditions_stale; /* a global was written since the last evaluation */
static unsigned long rearm_count;

static bool condition_holds(const struct stp_probe *probe)
{
	return !unwanted || !test_bit(probe - stp_script.probes, unwanted);
}

bool probe_is_off(const struct stp_probe *probe)
{
	const unsigned long *off = READ_ONCE(switched_off);

	return off && test_bit(probe - stp_script.probes, off);
}

bool probe_is_wanted(const struct stp_probe *probe)
{
	return condition_holds(probe) && !probe_is_off(probe);
}

unsigned long conditions_rearmed(void)
{
	return READ_ONCE(rearm_count);
}

/* Evaluate all conditions. Return whether any has changed. */
static bool evaluate_conditions(void)
{
	bool different = false;
	unsigned int i;

	atomic_set(&conditions_stale, 0);
	smp_mb(); /* Later writes make the conditions stale again. */
	for (i = 0; i < stp_script.probe_count; i++) {
		const struct stp_probe *probe = &stp_script.probes[i];

		if (!probe->condition || context_condition(probe) == condition_holds(probe))
			continue;
		change_bit(i, unwanted);
		different = true;
	}
	return different;
}

static void follow_conditions(struct work_struct *work)
{
	arming_lock();
	if (arming_is_done() && !atomic_read(&session_exit_requested) && evaluate_conditions()) {
		probes_rearm();
		WRITE_ONCE(rearm_count, rearm_count + 1);
	}
	arming_unlock();
}

static DECLARE_WORK(condition_work, follow_conditions);

static void queue_condition_work(struct irq_work *work)
{
	schedule_work(&condition_work);
}

/* In hard interrupt context even on PREEMPT_RT: queueing work only takes raw spinlocks. */
static struct irq_work condition_irq_work = COMPAT_IRQ_WORK_HARD(queue_condition_work);

void stp_conditions_changed(void)
{
	/* A full barrier even if the value was 1, so that the write of the global comes first. */
	if (!atomic_xchg(&conditions_stale, 1))
		irq_work_queue(&condition_irq_work);
}

void conditions_changed(void)
{
	if (unwanted)
		stp_conditions_changed();
}

int conditions_create(void)
{
	unsigned int i;

	for (i = 0; i < stp_script.probe_count; i++) {
		if (!stp_script.probes[i].condition)
			continue;
		unwanted = checked(kvcalloc(BITS_TO_LONGS(stp_script.probe_count), sizeof(long), GFP_KERNEL));
		return unwanted ? 0 : -ENOMEM;
	}
	return 0;
}

void conditions_destroy(void)
{
	irq_work_sync(&condition_irq_work);
	cancel_work_sync(&condition_work);
	kvfree(unwanted);
	unwanted = NULL;
	kvfree(switched_off);
	switched_off = NULL;
}

void conditions_before_arming(void)
{
	if (unwanted)
		evaluate_conditions();
}

void conditions_armed(void)
{
	/* Globals may have changed while the probes were being armed. */
	if (unwanted)
		schedule_work(&condition_work);
}

/* ---- switching probes -------------------------------------------------------------------------------------------- */

bool probe_is_switchable(const struct stp_probe *probe)
{
	if (!probe->handler || (probe->flags & (STP_PROBE_RECORDS | STP_PROBE_THROWS | STP_PROBE_CATCHES)))
		return false;
	return probe->kind != STP_PROBE_CALLS && probe->kind != STP_PROBE_BEGIN && probe->kind != STP_PROBE_END &&
	       probe->kind != STP_PROBE_ERROR;
}

static void mark_switched(unsigned int index, bool on)
{
	if (!probe_is_switchable(&stp_script.probes[index]))
		return;
	if (on)
		clear_bit(index, switched_off);
	else
		set_bit(index, switched_off);
}

/* Needs the arming lock. */
static int mark_all_switched(unsigned int index, bool on)
{
	unsigned int i;

	if (!switched_off) {
		unsigned long *room =
			checked(kvcalloc(BITS_TO_LONGS(stp_script.probe_count), sizeof(long), GFP_KERNEL));

		if (!room)
			return -ENOMEM;
		smp_store_release(&switched_off, room); /* pairs with the dependency in probe_is_off() */
	}
	for (i = 0; i < stp_script.probe_count; i++)
		if (index == PROBE_ALL || index == i)
			mark_switched(i, on);
	if (bitmap_empty(switched_off, stp_script.probe_count))
		atomic_andnot(SILENT_FOR_SOME, &session_silence);
	else
		atomic_or(SILENT_FOR_SOME, &session_silence);
	return 0;
}

int probe_switch(unsigned int index, bool on)
{
	int error;

	if (index != PROBE_ALL && index >= stp_script.probe_count)
		return -ENOENT;
	if (index != PROBE_ALL && !probe_is_switchable(&stp_script.probes[index]))
		return -EINVAL;
	arming_lock();
	error = mark_all_switched(index, on);
	if (!error && arming_is_done() && !atomic_read(&session_exit_requested))
		probes_rearm();
	arming_unlock();
	return error;
}
