// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * System calls by name. Two tracepoints (raw_syscalls) see all system calls of the machine. A table indexed by number
 * leads to the script's probes of a call, so other calls cost only a table lookup. 32-bit programs have numbers and a
 * table of their own.
 *
 * The table of rows (syscall_table.h), which the translator shares, describes each call, its arguments and their names.
 * A probe refers to a row. The arguments stay in the task's registers until the call returns. user/calls.c keeps the
 * values of @entry.
 *
 * Handlers run in the context of the current task with preemption off, except light ones, which may run with preemption
 * on. Nothing may sleep.
 */
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>
#include <asm/syscall.h>
#include <asm/unistd.h>

#include "runtime/core/internal.h"
#include "runtime/syscall/hit.h"

/* ---- the table --------------------------------------------------------------------------------------------------- */

#define ITEM(item_kind, item_detail, number, text, raw)                                                                \
	{                                                                                                              \
		.kind = item_kind, .detail = item_detail                                                               \
	}
#define ROW(row_alias, row_name, number_64, number_32, row_result, ...)                                                \
	{                                                                                                              \
		.name = #row_name,                                                                                     \
		.result = SYSCALL_RESULT_##row_result,                                                                 \
		.numbers = {SYSCALL_64_##number_64, SYSCALL_32_##number_32},                                           \
		.items = {__VA_ARGS__},                                                                                \
		.item_count = sizeof((struct syscall_item[]){__VA_ARGS__}) / sizeof(struct syscall_item),              \
	},
static const struct syscall_row syscall_rows[] = {
#include "runtime/abi/syscall_rows.h"
};
#undef ROW
#undef ITEM

/* ---- numbers and names ------------------------------------------------------------------------------------------- */

#define NUMBER_NAME(number, name) [number] = #name,
static const char *const syscall_names[2][SYSCALL_NUMBER_LIMIT] = {
	{SYSCALL_NUMBERS_64(NUMBER_NAME)},
	{SYSCALL_NUMBERS_32(NUMBER_NAME)},
};
#undef NUMBER_NAME

HOT bool task_is_32_bit(void)
{
	return in_ia32_syscall();
}

const char *stp_syscall_name(stp_long number)
{
	return number >= 0 && number < SYSCALL_NUMBER_LIMIT ? syscall_names[task_is_32_bit()][number] : NULL;
}

stp_long stp_syscall_number_of(const char *name)
{
	const char *const *names = syscall_names[task_is_32_bit()];
	unsigned int i;

	for (i = 0; i < SYSCALL_NUMBER_LIMIT; i++)
		if (names[i] && !strcmp(names[i], name))
			return i;
	return -1;
}

/* ---- a hit ------------------------------------------------------------------------------------------------------- */

/*
 * Return the row of the probe that was hit. If it is not a probe of a single call, return NULL and set the script's
 * error.
 */
static const struct syscall_row *row_of_probe(struct stp_context *c)
{
	const struct stp_probe *probe = c->probe;

	if (likely(c->regs && probe && probe->kind == STP_PROBE_SYSCALL && probe->details->syscall))
		return &syscall_rows[probe->details->syscall - 1];
	stp_error(c, "there is no system call here");
	return NULL;
}

bool syscall_hit_begin(struct stp_context *c, struct syscall_hit *hit)
{
	struct pt_regs *regs = (struct pt_regs *)c->regs;

	hit->row = row_of_probe(c);
	if (!hit->row)
		return false;
	hit->is_32_bit = task_is_32_bit();
	syscall_get_arguments(current, regs, hit->arguments);
	return true;
}

const struct syscall_item *syscall_item_of(struct stp_context *c, const struct syscall_hit *hit, s64 index)
{
	if (index >= 0 && index < hit->row->item_count)
		return &hit->row->items[index];
	stp_error(c, "a system call has no argument %lld", index);
	return NULL;
}

const char *stp_syscall_row_name(struct stp_context *c)
{
	const struct syscall_row *row = row_of_probe(c);

	return row ? row->name : "";
}

stp_long stp_syscall_row_result(struct stp_context *c)
{
	const struct syscall_row *row = row_of_probe(c);
	unsigned long value;

	if (!row)
		return 0;
	value = ((struct pt_regs *)c->regs)->ax;
	return task_is_32_bit() || row->result == SYSCALL_RESULT_INT ? (int)value : (long)value;
}

stp_long stp_syscall_row_format(struct stp_context *c)
{
	static const u8 formats[SYSCALL_RESULT_COUNT_] = {[SYSCALL_RESULT_LONG] = 1,
							  [SYSCALL_RESULT_INT] = 1,
							  [SYSCALL_RESULT_ADDRESS] = 2,
							  [SYSCALL_RESULT_OCTAL] = 3};
	const struct syscall_row *row = row_of_probe(c);

	return row ? formats[row->result] : 0;
}

/* ---- dispatch ---------------------------------------------------------------------------------------------------- */

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

HOT const struct syscall_link *links_of(unsigned int when, long number)
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
HOT void run_link(const struct syscall_link *link, struct pt_regs *regs)
{
	if (link->light)
		context_run(link->probe, link->probe->handler, regs, NULL, false);
	else
		context_run_hit(link->probe, regs, NULL, false);
}

/* Not inlined, so that light hits and calls without probes need not save the registers that these functions use. */
static noinline void run_entered(const struct syscall_link *link, struct pt_regs *regs)
{
	STAYS_HERE;

	for (; link; link = link->next)
		if (unlikely(link->is_recorder))
			record_entry(link->probe, regs);
		else
			run_link(link, regs);
}

static noinline void run_left(const struct syscall_link *link, struct pt_regs *regs)
{
	STAYS_HERE;

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
	const struct syscall_row *row = &syscall_rows[probe->details->syscall - 1];
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
