// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Start and stop of the script: begin probes, arming, disarming, end and error probes.
 *
 * "start" runs the begin probes and arms the rest. "stop" disarms, runs the end probes and leaves all output queued.
 * After a fatal error, also one in an end probe, the error probes run instead of the remaining end probes.
 */
#include <linux/errno.h>

#include "runtime/control/run.h"
#include "runtime/core/arming.h"
#include "runtime/core/condition.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/overload.h"
#include "runtime/core/session.h"
#include "runtime/core/transport.h"
#include "runtime/data/globals.h"

/*
 * Return whether a begin, end or error probe should run. An error cancels the remaining begin and end probes. An exit
 * request cancels the begin probes that have not started, except oneshot ones.
 */
static bool is_due(const struct stp_probe *probe)
{
	if (probe->kind == STP_PROBE_BEGIN && atomic_read(&session_exit_requested) &&
	    !(probe->flags & STP_PROBE_ONESHOT))
		return false;
	return probe->kind == STP_PROBE_ERROR || !atomic_read(&session_failed);
}

static void run_probes(enum stp_probe_kind kind)
{
	unsigned int i;

	/* The translator has sorted them. */
	for (i = 0; i < stp_script.probe_count; i++) {
		if (stp_script.probes[i].kind == kind && is_due(&stp_script.probes[i]))
			context_run_session(&stp_script.probes[i]);
	}
}

int session_start(void)
{
	int error;

	if (!session_is(SESSION_LOADED))
		return -EBUSY;
	error = globals_begin();
	if (error)
		return error;
	atomic_set(&session_state, SESSION_STARTING);
	error = stp_script.user_stacks ? stp_script.user_stacks->start() : 0;
	if (error)
		return error;
	run_probes(STP_PROBE_BEGIN);
	if (atomic_read(&session_exit_requested))
		return 0;
	if (stp_script.buffer_policy)
		transport_hold();
	arming_lock();
	conditions_before_arming();
	error = probes_arm();
	arming_unlock();
	if (!error)
		conditions_armed();
	return error;
}

void session_stop(bool run_end_probes)
{
	int state = atomic_read(&session_state);

	if (state == SESSION_STOPPED || state == SESSION_LOADED)
		return;
	arming_lock();
	probes_disarm();
	arming_unlock();
	probes_finish();
	if (stp_script.buffer_policy)
		transport_return(false);
	if (run_end_probes) {
		run_probes(STP_PROBE_END);
		if (atomic_read(&session_failed))
			run_probes(STP_PROBE_ERROR);
		context_report_timings();
	}
	if (stp_script.user_stacks)
		stp_script.user_stacks->stop();
	atomic_set(&session_state, SESSION_STOPPED);
	session_wake();
}
