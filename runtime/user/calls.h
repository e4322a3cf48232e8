/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls under way in programs. */
#ifndef SPILE_RUNTIME_USER_CALLS_H
#define SPILE_RUNTIME_USER_CALLS_H

#include "runtime/core/entry.h"
#include "runtime/core/internal.h"

struct pt_regs;
struct task_struct;

struct user_call {
	struct user_call *next;
	const struct task_struct *task;
	const struct stp_probe *probe;
	unsigned long place; /* the address of the return address on the stack */
	struct instance_data data;
};

/** The place of a system call: a task is in one at a time, and an exec may replace its stack. */
#define USER_CALL_NO_PLACE ULONG_MAX

/** Reserve per-call storage. Every call must be paired with a release, even if it failed. */
int user_calls_hold(void);
void user_calls_release(void);
/* The following are for the current task, with preemption off. */
/** Return storage for an entry handler to fill, or NULL if it is exhausted; the return then finds nothing. */
struct user_call *user_call_begin(const struct stp_probe *probe, unsigned long place);
/** Add the call to the task's list after its entry handler has run, or drop it if that failed. */
void user_call_begun(struct user_call *call);
/** Take the returning call from the list, or return NULL if its entry was not seen. */
struct user_call *user_call_end(const struct stp_probe *probe, unsigned long place);
void user_call_done(struct user_call *call);
/** Record the registers of a call for a recorder, until another call has its return address at the same place. */
void user_call_record(const struct stp_probe *probe, unsigned long place, const struct pt_regs *regs);

#endif
