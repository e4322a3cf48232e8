// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The system call of a hit: its row of the table (syscall_table.h), which the translator shares, and its arguments,
 * which stay in the task's registers until the call returns.
 */
#include <linux/sched.h>
#include <asm/syscall.h>
#include <asm/unistd.h>

#include "runtime/abi/syscall_numbers.h"
#include "runtime/abi/syscall_table.h"
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

const struct syscall_row *syscall_row(unsigned int number)
{
	return &syscall_rows[number - 1];
}

/* ---- numbers and names ------------------------------------------------------------------------------------------- */

#define NUMBER_NAME(number, name) [number] = #name,
static const char *const syscall_names[2][SYSCALL_NUMBER_LIMIT] = {
	{SYSCALL_NUMBERS_OWN_64(NUMBER_NAME)},
	{SYSCALL_NUMBERS_OWN_32(NUMBER_NAME)},
};
#undef NUMBER_NAME

const char *stp_syscall_name(stp_long number)
{
	return number >= 0 && number < SYSCALL_NUMBER_LIMIT ? syscall_names[task_is_32_bit()][number] : NULL;
}

const char *stp_syscall_function(stp_long number)
{
	const char *name = stp_syscall_name(number);

	if (!name || task_is_32_bit())
		return name;
#define FUNCTION_NAME(number_name, function)                                                                           \
	if (!strcmp(name, #number_name))                                                                               \
		return #function;
	SYSCALL_FUNCTION_NAMES(FUNCTION_NAME)
#undef FUNCTION_NAME
	return name;
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
		return syscall_row(probe->details->syscall);
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
	value = regs_return_value((struct pt_regs *)c->regs);
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
