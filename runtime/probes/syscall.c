// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * System calls by name. Two tracepoints (raw_syscalls) see all system calls of the machine. A table indexed by number
 * leads to the script's probes of a call, so other calls cost only a table lookup. 32-bit programs have numbers and a
 * table of their own.
 *
 * A probe refers to a row of a table (syscall/hit.c). user/calls.c keeps the values of @entry.
 *
 * Handlers run in the context of the current task with preemption off, except light ones, which may run with preemption
 * on. Nothing may sleep.
 */
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>
#include <asm/syscall.h>
#include <asm/unistd.h>

#include "runtime/abi/syscall_numbers.h"
#include "runtime/core/allocation.h"
#include "runtime/core/arming.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/pin_cpu.h"
#include "runtime/core/target.h"
#include "runtime/core/tracepoint_hook.h"
#include "runtime/probes/families.h"
#include "runtime/probes/kretprobe.h"
#include "runtime/syscall/hit.h"
#include "runtime/user/cached_page.h"
#include "runtime/user/calls.h"

/* A probe in the list of a number. */
struct syscall_link {
	struct syscall_link *next;
	const struct stp_probe *probe;
	unsigned short light; /* number of its light handler, if it is alone in the list; else 0 */
	bool is_recorder; /* a return probe that saves values at the entry */
};

/* Lists by word size of the program and by number; the last list is for all unknown numbers. */
struct syscall_lists {
	struct syscall_link *first[2][SYSCALL_NUMBER_LIMIT + 1];
};

enum { WHEN_ENTERED, WHEN_LEFT };

static struct syscall_lists *syscall_lists; /* indexed by WHEN_ENTERED and WHEN_LEFT */
static struct syscall_link *syscall_links;
static unsigned int syscall_link_count;
static struct process_hook hook_syscall_entry, hook_syscall_return;
static bool syscalls_keep_values;

static __always_inline const struct syscall_link *links_of(unsigned int when, long number)
{
	unsigned long index = min_t(unsigned long, number, SYSCALL_NUMBER_LIMIT);

	return syscall_lists[when].first[task_is_32_bit()][index];
}

static noinline void record_entry(const struct stp_probe *probe, struct pt_regs *regs)
{
	struct user_call *call = user_call_end(probe, USER_CALL_NO_PLACE);

	/* An earlier call that has not returned never will. */
	if (call)
		user_call_done(call);
	call = user_call_begin(probe, USER_CALL_NO_PLACE);
	if (!call)
		return;
	context_run(probe, run_entry, regs, call->data.values, false);
	user_call_begun(call);
}

static noinline void run_recorded(const struct stp_probe *probe, struct pt_regs *regs)
{
	struct user_call *call = user_call_end(probe, USER_CALL_NO_PLACE);

	if (!call)
		return;
	context_run(probe, probe->handler, regs, call->data.values, false);
	user_call_done(call);
}

/* If link->light is set, context_run_light() has already refused the handler: hits are timed, or handlers are held. */
static __always_inline void run_link(const struct syscall_link *link, struct pt_regs *regs)
{
	if (link->light)
		context_run(link->probe, link->probe->handler, regs, NULL, false);
	else
		context_run_hit(link->probe, regs, NULL, false);
}

/* Not inlined, so that light hits and calls without probes need not save the registers that these functions use. */
static noinline void run_entered(const struct syscall_link *link, struct pt_regs *regs)
{
	PIN_CPU;

	for (; link; link = link->next)
		if (unlikely(link->is_recorder))
			record_entry(link->probe, regs);
		else
			run_link(link, regs);
}

static noinline void run_left(const struct syscall_link *link, struct pt_regs *regs)
{
	PIN_CPU;

	for (; link; link = link->next)
		if (unlikely(link->probe->entry_handler))
			run_recorded(link->probe, regs);
		else
			run_link(link, regs);
}

static void notrace named_syscall_enters(void *data, struct pt_regs *regs, long number)
{
	const struct syscall_link *link = links_of(WHEN_ENTERED, number);

	if (link && !context_run_light(link->light))
		run_entered(link, regs);
}

/* The number is -1 when sigreturn resumes interrupted code, which is not the return of a call. */
static void notrace named_syscall_leaves(void *data, struct pt_regs *regs, long result)
{
	const struct syscall_link *link;
	long number = syscall_get_nr(current, regs);

	if (unlikely(number == -1))
		return;
	link = links_of(WHEN_LEFT, number);
	if (link && !context_run_light(link->light))
		run_left(link, regs);
}

/* ---- arming ------------------------------------------------------------------------------------------------------ */

static void link_probe(unsigned int when, unsigned int is_32_bit, unsigned int number, const struct stp_probe *probe)
{
	struct syscall_link **end = &syscall_lists[when].first[is_32_bit][number];
	struct syscall_link *link = &syscall_links[syscall_link_count++];
	bool is_alone = !*end;

	for (; *end; end = &(*end)->next)
		(*end)->light = 0;
	link->probe = probe;
	link->light = is_alone && !probe->entry_handler ? probe->light : 0;
	link->is_recorder = when == WHEN_ENTERED && probe->details->is_syscall_return;
	*end = link;
}

/* Add a probe of all calls. */
static void link_to_all(unsigned int when, const struct stp_probe *probe)
{
	unsigned int is_32_bit, number;

	for (is_32_bit = 0; is_32_bit < 2; is_32_bit++)
		for (number = 0; number <= SYSCALL_NUMBER_LIMIT; number++)
			if (!syscall_is_trampoline(is_32_bit, number))
				link_probe(when, is_32_bit, number, probe);
}

static void link_to_row(unsigned int when, const struct stp_probe *probe)
{
	const struct syscall_row *row = syscall_row(probe->details->syscall);
	unsigned int is_32_bit;

	for (is_32_bit = 0; is_32_bit < 2; is_32_bit++)
		if (row->numbers[is_32_bit] >= 0 && !(probe->details->only_32_bit && !is_32_bit))
			link_probe(when, is_32_bit, row->numbers[is_32_bit], probe);
}

static void link_syscall_probe(unsigned int when, const struct stp_probe *probe)
{
	if (probe->details->syscall)
		link_to_row(when, probe);
	else
		link_to_all(when, probe);
}

static void link_syscall_probes(void)
{
	unsigned int i;

	for (i = 0; i < stp_script.probe_count; i++) {
		const struct stp_probe *probe = &stp_script.probes[i];

		if (probe->kind != STP_PROBE_SYSCALL)
			continue;
		link_syscall_probe(probe->details->is_syscall_return ? WHEN_LEFT : WHEN_ENTERED, probe);
		if (probe->entry_handler)
			link_syscall_probe(WHEN_ENTERED, probe);
	}
}

static size_t syscall_links_needed(void)
{
	size_t count = 0;
	unsigned int i;

	for (i = 0; i < stp_script.probe_count; i++) {
		const struct stp_probe *probe = &stp_script.probes[i];

		if (probe->kind == STP_PROBE_SYSCALL)
			count += (probe->details->syscall ? 2 : 2 * (SYSCALL_NUMBER_LIMIT + 1)) *
				 (probe->entry_handler ? 2 : 1);
	}
	return count;
}

static bool has_lists(unsigned int when)
{
	unsigned int is_32_bit, number;

	for (is_32_bit = 0; is_32_bit < 2; is_32_bit++)
		for (number = 0; number <= SYSCALL_NUMBER_LIMIT; number++)
			if (syscall_lists[when].first[is_32_bit][number])
				return true;
	return false;
}

static bool some_keep_values(void)
{
	unsigned int i;

	for (i = 0; i < stp_script.probe_count; i++)
		if (stp_script.probes[i].kind == STP_PROBE_SYSCALL && stp_script.probes[i].entry_handler)
			return true;
	return false;
}

static int arm_syscalls(void)
{
	int error;

	if (!probe_count(STP_PROBE_SYSCALL))
		return 0;
	syscall_lists = checked(vzalloc(2 * sizeof(*syscall_lists)));
	syscall_links = checked(vzalloc(array_size(syscall_links_needed(), sizeof(*syscall_links))));
	if (!syscall_lists || !syscall_links)
		return -ENOMEM;
	syscalls_keep_values = some_keep_values();
	error = syscalls_keep_values ? user_calls_hold() : 0;
	link_syscall_probes();
	if (!error && has_lists(WHEN_ENTERED))
		error = hook_process(&hook_syscall_entry, "sys_enter", named_syscall_enters);
	if (!error && has_lists(WHEN_LEFT))
		error = hook_process(&hook_syscall_return, "sys_exit", named_syscall_leaves);
	return error;
}

static void disarm_syscalls(void)
{
	if (!syscall_lists && !syscall_links)
		return;
	unhook_process(&hook_syscall_entry);
	unhook_process(&hook_syscall_return);
	tracepoint_synchronize_unregister();
	cached_pages_finish();
	if (syscalls_keep_values)
		user_calls_release();
	syscalls_keep_values = false;
	vfree(syscall_lists);
	vfree(syscall_links);
	syscall_lists = NULL;
	syscall_links = NULL;
	syscall_link_count = 0;
}

const struct probe_family syscall_family = {
	.name = "system call",
	.arm = arm_syscalls,
	.disarm = disarm_syscalls,
};
