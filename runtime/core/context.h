/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entering and leaving handlers. */
#ifndef SPILE_RUNTIME_CORE_CONTEXT_H
#define SPILE_RUNTIME_CORE_CONTEXT_H

#include <linux/types.h>

#include "runtime/abi/regex_match.h"
#include "runtime/core/internal.h"

struct pt_regs;
struct stp_file_value;
struct task_struct;

/* Why a handler was skipped. The counts are reported at the end. */
enum skip_reason { SKIP_REENTRANT, SKIP_LOCK, SKIP_MISSED_RETURN, SKIP_DEEP_RETURN, SKIP_STACK, SKIP_COUNT_ };

SHARED int contexts_create(void);
SHARED void contexts_destroy(void);
/** Allocate the memory that programs in D write to (library/script_memory.c). */
SHARED int script_memory_create(void);
SHARED void script_memory_destroy(void);
/**
 * Stop event handlers until contexts_release(), and wait for the running ones. May sleep. The caller holds the control
 * file's lock and the arming lock.
 *
 * @return -EBUSY if a handler that waits for memory does not end; handlers are not stopped then.
 */
SHARED int contexts_hold(void);
SHARED void contexts_release(void);
/**
 * Run a handler in the context of the current CPU and nesting level, with preemption off. If that context is busy, the
 * handler itself caused the hit: skip the hit, which ends recursion.
 *
 * @param exception_entry Whether the caller came through the breakpoint exception. That counts as an NMI in
 *        preempt_count (kernel/entry/common.c, irqentry_nmi_enter()), but is not an NMI of the interrupted code.
 */
HOT void context_run(const struct stp_probe *probe, void (*handler)(struct stp_context *), struct pt_regs *regs,
		     void *entry_values, bool exception_entry);
/**
 * Run the handler of a hit without a context if it is light (stp_run_light()). Preemption may be on.
 *
 * @param light stp_probe.light.
 * @return False if the hit needs context_run().
 */
HOT bool context_run_light(unsigned int light);
/** Run the handler of a hit, light or not; otherwise like context_run(). */
HOT void context_run_hit(const struct stp_probe *probe, struct pt_regs *regs, void *entry_values, bool exception_entry);
/**
 * Run the handler of a hit in a program, with preemption off. No handler is running at this level.
 *
 * @param object_base The load bias of the probe's object in the process.
 */
HOT void context_run_user(const struct stp_probe *probe, void (*handler)(struct stp_context *), struct pt_regs *regs,
			  void *entry_values, unsigned long object_base);
/** Return whether the running handler is of a system call, was not interrupted, and holds no locks. */
SHARED bool context_is_of_syscall(void);
/** Run the handler of a probe that has a $value or a $verdict; either may be NULL. Preemption may be on. */
void context_run_event(const struct stp_probe *probe, struct pt_regs *regs, struct stp_file_value *file_value,
		       int *verdict);
/** Run a handler that sees @p task as the current one. */
void context_run_as(const struct stp_probe *probe, struct task_struct *task, struct pt_regs *regs);
/** Return the task that the handler on this CPU sees as the current one. */
SHARED struct task_struct *context_task(void);
/** Run a begin, end or error probe. Task context, may sleep; no other handler runs. */
SHARED void context_run_session(const struct stp_probe *probe);
/** Return the number of run-time errors so far. */
SHARED int context_errors(void);
void context_count_skip(enum skip_reason reason, unsigned long by);
SHARED unsigned long context_skips(enum skip_reason reason);
/** Return whether @p c is the context of begin, end and error probes, which run alone and may sleep. */
static inline bool context_is_session(const struct stp_context *c)
{
	return c->is_session;
}

/** Return the index of per-CPU data that an NMI must not share with the interrupted code: 1 in an NMI, else 0. */
HOT unsigned int context_nmi_slot(const struct stp_context *c);
enum { CONTEXT_SLOTS = 4 };
/** Return the index of per-CPU data that no two levels may share, below CONTEXT_SLOTS. */
static inline unsigned int context_slot(const struct stp_context *c)
{
	return c->level;
}

/** Drop the values that this handler has cached when it ends. */
SHARED void context_keeps(struct stp_context *c);

/** Evaluate a probe's condition, in the session context. */
bool context_condition(const struct stp_probe *probe);
SHARED size_t contexts_memory(void);

/* ---- what other files keep in the context ------------------------------------------------------------------------ */

/* The kernel stack of a hit, which library/stack.c walks on first use. */
struct stack_frames {
	bool is_walked;
	bool is_cut; /* there are further frames */
	unsigned int count;
	unsigned long addresses[64]; /* innermost first */
};
/** Return the frames in the context of a handler. */
SHARED struct stack_frames *context_frames(struct stp_context *c);

/* The last match of a handler, for matched(). */
struct stp_match {
	char *text; /* copy of the subject */
	struct stp_regex_work work;
	unsigned int group_count; /* 0: no match */
	int groups[STP_REGEX_SLOTS];
};

/* Cached text "0x... " of an address for text/addresses.c, because the same ones are printed repeatedly. */
struct address_text {
	unsigned long address;
	union {
		u64 words[3];
		struct {
			char text[sizeof(u64[3]) - 1];
			u8 length; /* 0: unused */
		};
	};
};

enum { ADDRESS_TEXTS_BITS = 6 }; /* log2 of the number of texts in a context, if stp_script.keeps_addresses */

#endif
