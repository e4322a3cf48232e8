// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arming conditions: a probe whose condition does not hold costs nothing, if its family can be told so.
 *
 * A handler that changes a global of some condition says so when it ends, in whatever context. That queues an irq_work,
 * which queues work for a process: there the conditions are computed anew, and probes armed or disarmed that are not as
 * they should be. In between, and in families that cannot, the handler itself looks at its condition, so a disarmed
 * probe is never missed, and one that is just being armed misses what happens until then, as documented.
 */
#include <linux/irq_work.h>
#include <linux/workqueue.h>

#include "internal.h"

static unsigned char *condition_off; /* per probe: disarmed for its condition */
static atomic_t conditions_started = ATOMIC_INIT(0);
static unsigned long condition_changes[2]; /* how often a probe was disarmed and armed */

static bool has_condition(const struct stp_probe *probe)
{
	return probe->condition && probe->kind != STP_PROBE_BEGIN && probe->kind != STP_PROBE_END &&
	       probe->kind != STP_PROBE_ERROR;
}

static void settle_conditions(struct work_struct *work)
{
	unsigned int i;

	for (i = 0; i < stp_script.probe_count; i++) {
		const struct stp_probe *probe = &stp_script.probes[i];
		bool off;

		if (!has_condition(probe))
			continue;
		off = !probe->condition();
		if (off == condition_off[i] || !session_toggle(probe, !off))
			continue;
		condition_off[i] = off;
		condition_changes[!off]++;
	}
}

static DECLARE_WORK(condition_work, settle_conditions);

static void queue_conditions(struct irq_work *work)
{
	schedule_work(&condition_work);
}

static DEFINE_IRQ_WORK(condition_irq_work, queue_conditions);

void stp_conditions_changed(void)
{
	if (atomic_read(&conditions_started))
		irq_work_queue(&condition_irq_work);
}

int conditions_create(void)
{
	unsigned int i;

	for (i = 0; i < stp_script.probe_count; i++)
		if (has_condition(&stp_script.probes[i]))
			break;
	if (i == stp_script.probe_count)
		return 0;
	condition_off = kvzalloc(stp_script.probe_count, GFP_KERNEL);
	return condition_off ? 0 : -ENOMEM;
}

void conditions_destroy(void)
{
	kvfree(condition_off);
	condition_off = NULL;
}

void conditions_start(void)
{
	if (!condition_off)
		return;
	atomic_set(&conditions_started, 1);
	/* What begin probes, or handlers while others were being armed, have changed. */
	schedule_work(&condition_work);
	flush_work(&condition_work);
}

void conditions_stop(void)
{
	if (!atomic_xchg(&conditions_started, 0))
		return;
	irq_work_sync(&condition_irq_work);
	cancel_work_sync(&condition_work);
}

void conditions_counts(unsigned long *armed, unsigned long *disarmed)
{
	*disarmed = condition_changes[0];
	*armed = condition_changes[1];
}
