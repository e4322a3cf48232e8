// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows of runtime/abi/syscall_rows.h for the translator, which needs only their names and numbers. */
#include "translator/probes/syscall_rows.h"

#include <elf.h>
#include <glib.h>
#include <string.h>

#include "runtime/abi/syscall_table.h"
#include "translator/translation.h"

#define ITEM(item_kind, item_detail, number_name, text_name, raw_name)                                                 \
	{                                                                                                              \
		.kind = item_kind, .number = number_name, .text = text_name, .raw = raw_name                           \
	}
#define ROW(row_alias, row_name, row_number_64, row_number_32, row_result, ...)                                        \
	{                                                                                                              \
		.alias = #row_alias,                                                                                   \
		.name = #row_name,                                                                                     \
		.number_64 = SYSCALL_64_##row_number_64,                                                               \
		.number_32 = SYSCALL_32_##row_number_32,                                                               \
		.number_arm64 = SYSCALL_ARM64_##row_number_64,                                                         \
		.number_arm32 = SYSCALL_ARM32_##row_number_32,                                                         \
		.number_name_64 = #row_number_64,                                                                      \
		.number_name_32 = #row_number_32,                                                                      \
		.argument_count = sizeof((struct syscall_argument[]){__VA_ARGS__}) / sizeof(struct syscall_argument),  \
		.arguments = {__VA_ARGS__},                                                                            \
	},
const struct syscall_row syscall_rows[] = {
#include "runtime/abi/syscall_rows.h"
};

const int syscall_row_count = G_N_ELEMENTS(syscall_rows);

bool syscall_row_exists_in_32_bit(const struct syscall_row *row, const struct abi *abi)
{
	return (abi->elf_machine == EM_AARCH64 ? row->number_arm32 : row->number_32) >= 0;
}

static bool exists_in_64_bit(const struct syscall_row *row, const struct abi *abi)
{
	return (abi->elf_machine == EM_AARCH64 ? row->number_arm64 : row->number_64) >= 0;
}

bool syscall_row_exists(const struct syscall_row *row, const struct abi *abi)
{
	return exists_in_64_bit(row, abi) || syscall_row_exists_in_32_bit(row, abi);
}

const char *syscall_row_function(const struct syscall_row *row, const struct abi *abi)
{
#define FUNCTION_NAME(number_name, function) {#number_name, #function},
	static const char *const functions[][2] = {SYSCALL_FUNCTION_NAMES(FUNCTION_NAME)};
#undef FUNCTION_NAME

	if (!exists_in_64_bit(row, abi))
		return row->number_name_32;
	for (size_t i = 0; i < G_N_ELEMENTS(functions); i++)
		if (!strcmp(row->number_name_64, functions[i][0]))
			return functions[i][1];
	return row->number_name_64;
}

bool syscall_row_has_number_name(const struct syscall_row *row, const struct abi *abi, const char *name)
{
	return !strcmp(exists_in_64_bit(row, abi) ? row->number_name_64 : row->number_name_32, name);
}

bool syscall_text_lasts(const struct syscall_row *row, const struct syscall_argument *argument)
{
	return !g_str_has_prefix(row->name, "execve") || argument->kind == SYSCALL_DIRFD ||
	       argument->kind == SYSCALL_FLAGS;
}

bool syscall_argument_is_part(const struct syscall_argument *argument)
{
	return argument->kind >= SYSCALL_PART;
}

bool syscall_argument_is_late(const struct syscall_argument *argument)
{
	return argument->kind >= SYSCALL_PART_LATE;
}
