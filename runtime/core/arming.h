/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arming and disarming probes. A probe family is a way of arming, one file in probes/ each. */
#ifndef SPILE_RUNTIME_CORE_ARMING_H
#define SPILE_RUNTIME_CORE_ARMING_H

#include "runtime/core/internal.h"

/* How a probe of a function or a statement is armed. */
enum mechanism {
	FTRACE_ENTRY, /* a callback of ftrace */
	FTRACE_RETURN, /* a kretprobe whose entries that callback sees */
	KRETPROBE,
	FTRACE_KPROBE,
	KPROBE, /* a breakpoint, which the kernel replaces with a jump where it can */
	UPROBE, /* a breakpoint in a program */
	URETPROBE, /* a breakpoint at the entry, which replaces the return address with the kernel's trampoline */
	UPROBE_EXIT, /* a breakpoint at an instruction that returns from the function */
	MECHANISM_COUNT
};

struct probe_family {
	const char *name;
	/** Arm all probes of the family. Warn about a probe that cannot be armed, and go on. */
	int (*arm)(void);
	/** Disarm all and wait for their handlers. May sleep. May be NULL. */
	void (*disarm)(void);
	/** Called after disarm(), without the arming lock, since users can delay it. Repeatable. May be NULL. */
	void (*finish)(void);
	/**
	 * Arm and disarm by probe_is_wanted(), probe_arrives() and address_leaves(). Task context, under the arming
	 * lock. NULL if no probe of the family is in a module and handlers check the conditions.
	 */
	void (*rearm)(void);
	/** Add the number of armed probes by mechanism. Under the arming lock. NULL if the family has only one. */
	void (*count)(unsigned int counts[MECHANISM_COUNT]);
};

/* All families, in the order of arming (probes/families.c). */
extern const struct probe_family *const probe_families[];
extern const unsigned int probe_family_count;

/**
 * The lock that protects which probes are armed and where modules are. The task that loads a module takes it in a
 * notifier, so its holder must never wait for a module to be loaded.
 */
SHARED void arming_lock(void);
SHARED void arming_unlock(void);
/** Return whether the probes are armed, after which changes are made by rearm(). Needs the lock. */
bool arming_is_done(void);

/** Arm the probes of all families. Needs the lock. On an error, report it and disarm those that are armed. */
SHARED int probes_arm(void);
/** Disarm the probes. Needs the lock. */
SHARED void probes_disarm(void);
/** Finish the disarming. The lock is not needed, because users can delay this. */
SHARED void probes_finish(void);
/** Call rearm() of all families. Needs the lock. */
void probes_rearm(void);

#endif
