/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The status that a loaded module reports; see status.c. */
#ifndef SPILE_STAPRUN_STATUS_H
#define SPILE_STAPRUN_STATUS_H

/* The fields of the files control, status and monitor (runtime/abi/protocol.h). */
struct control_status {
	char state[12]; /* "running" and others */
	unsigned long long left, held, owner, overwritten, gaps_end;
	unsigned long long exit, status, failed, lost, errors;
	unsigned long long skipped_reentrant, skipped_lock, missed_return, missed_deep_return, skipped_stack;
	unsigned long long memory_variables, memory_output, memory_contexts; /* bytes */
	unsigned long long loaded_at, uptime; /* seconds since 1970, and seconds since loading */
	unsigned long long driver; /* process id; 0 if no process drives the module */
	unsigned long long hits;
};

/** Parse the text of such a file. Unknown lines are ignored. */
void control_parse_status(const char *text, struct control_status *status);

/** Return a state of a script or of a probe, such as "running", in the user's language, or itself if it is unknown. */
const char *control_state_text(const char *state);

/** Return how many bytes of kernel memory the module uses for its script. */
unsigned long long control_memory(const struct control_status *status);

/** Return the number of hits whose handlers did not run. */
unsigned long long control_skipped(const struct control_status *status);

#endif
