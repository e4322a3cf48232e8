// SPDX-License-Identifier: GPL-2.0-or-later
/* The lock of arming, and what all families of probes do together. */
#include <linux/mutex.h>

#include "runtime/abi/protocol.h"
#include "runtime/core/arming.h"
#include "runtime/core/internal.h"
#include "runtime/core/session.h"
#include "runtime/core/transport.h"

static DEFINE_MUTEX(arming_mutex);
static bool is_armed;

void arming_lock(void)
{
	mutex_lock(&arming_mutex);
}

void arming_unlock(void)
{
	mutex_unlock(&arming_mutex);
}

bool arming_is_done(void)
{
	return is_armed;
}

static void disarm(unsigned int count)
{
	while (count--)
		if (probe_families[count]->disarm)
			probe_families[count]->disarm();
}

void probes_rearm(void)
{
	unsigned int i;

	for (i = 0; i < probe_family_count; i++)
		if (probe_families[i]->rearm)
			probe_families[i]->rearm();
}

static void report_mechanisms(void)
{
	static const char *const names[MECHANISM_COUNT] = {
		[FTRACE_ENTRY] = "function entries by ftrace", [FTRACE_RETURN] = "returns by ftrace",
		[KRETPROBE] = "returns by kretprobes",	       [FTRACE_KPROBE] = "kprobes on call sites of ftrace",
		[KPROBE] = "kprobes by breakpoints or jumps",  [UPROBE] = "instructions of programs",
		[URETPROBE] = "returns in programs",	       [UPROBE_EXIT] = "exits of functions of programs",
	};
	unsigned int counts[MECHANISM_COUNT] = {}, i;
	char text[256];
	int length = 0;

	for (i = 0; i < probe_family_count; i++)
		if (probe_families[i]->count)
			probe_families[i]->count(counts);
	for (i = 0; i < MECHANISM_COUNT; i++)
		if (counts[i])
			length += scnprintf(text + length, sizeof(text) - length, "%s%s: %u", length ? ", " : "",
					    names[i], counts[i]);
	if (length)
		transport_message(STP_RECORD_NOTICE, false, "armed: %s", text);
}

int probes_arm(void)
{
	unsigned int i;
	int error;

	/* Change the state first: probes hit while others are still being armed, and no hit may be missed. */
	atomic_set(&session_state, SESSION_RUNNING);
	smp_mb__before_atomic(); /* Pairs with the acquire in run_in_context(). */
	atomic_andnot(SILENT_NOT_RUNNING, &session_silence);
	for (i = 0; i < probe_family_count; i++) {
		error = probe_families[i]->arm();
		if (error) {
			/* Unless the family has already reported the probe and the cause. */
			if (!atomic_read(&session_failed))
				transport_message(STP_RECORD_ERROR, true, "cannot arm the %s probes: error %d",
						  probe_families[i]->name, error);
			atomic_set(&session_failed, 1);
			atomic_set(&session_state, SESSION_STOPPING);
			atomic_or(SILENT_NOT_RUNNING, &session_silence);
			disarm(i + 1); /* probe_families[i] may be armed in part */
			session_request_exit();
			return error;
		}
	}
	is_armed = true;
	report_mechanisms();
	return 0;
}

void probes_disarm(void)
{
	is_armed = false;
	atomic_or(SILENT_NOT_RUNNING, &session_silence);
	if (atomic_xchg(&session_state, SESSION_STOPPING) == SESSION_RUNNING)
		disarm(probe_family_count);
}

void probes_finish(void)
{
	unsigned int i;

	for (i = 0; i < probe_family_count; i++)
		if (probe_families[i]->finish)
			probe_families[i]->finish();
}
