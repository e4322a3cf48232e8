// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Storage of the script's globals. Integers live in the script's own data; the pointers to everything else are handed
 * to the script through stp_global.storage.
 */
#include <linux/vmalloc.h>

#include "internal.h"

static size_t memory;

static void *create_string(const struct stp_global *global)
{
	char *text = checked(kzalloc(stp_script.string_size, GFP_KERNEL));

	if (text && global->initial_string)
		strscpy(text, global->initial_string, stp_script.string_size);
	memory += stp_script.string_size;
	return text;
}

static void *create_statistic(const struct stp_global *global)
{
	memory += statistic_size(global);
	return statistic_create(global);
}

static void *create_map(const struct stp_global *global)
{
	struct stp_map *map = map_create(global);

	if (map)
		memory += map_memory(map);
	return map;
}

static void destroy_string(void *text)
{
	kfree(text);
}

static void destroy_map(void *map)
{
	map_destroy(map);
}

static const struct storage_kind {
	void *(*create)(const struct stp_global *global);
	void (*destroy)(void *storage);
} kinds[] = {
	[STP_GLOBAL_LONG] = {NULL, NULL},
	[STP_GLOBAL_STRING] = {create_string, destroy_string},
	[STP_GLOBAL_STATISTIC] = {create_statistic, statistic_destroy},
	[STP_GLOBAL_MAP_LONG] = {create_map, destroy_map},
	[STP_GLOBAL_MAP_STRING] = {create_map, destroy_map},
	[STP_GLOBAL_MAP_STATISTIC] = {create_map, destroy_map},
};

int globals_create(void)
{
	unsigned int i;

	for (i = 0; i < stp_script.global_count; i++) {
		const struct stp_global *global = &stp_script.globals[i];

		if (!kinds[global->kind].create)
			continue;
		*global->storage = kinds[global->kind].create(global);
		if (!*global->storage)
			return -ENOMEM;
	}
	return 0;
}

void globals_destroy(void)
{
	unsigned int i;

	for (i = 0; i < stp_script.global_count; i++) {
		const struct stp_global *global = &stp_script.globals[i];

		if (!kinds[global->kind].destroy)
			continue;
		kinds[global->kind].destroy(*global->storage);
		*global->storage = NULL;
	}
}

static int set_number(s64 *number, const char *text)
{
	int error = kstrtos64(text, 0, number);

	/* Numbers from 2^63 on wrap, as in the script. */
	return error == -ERANGE && *text != '-' ? kstrtou64(text, 0, (u64 *)number) : error;
}

int globals_set(const char *name, const char *value)
{
	unsigned int i;

	for (i = 0; i < stp_script.global_count; i++) {
		const struct stp_global *global = &stp_script.globals[i];

		if (!global->settable || strcmp(global->name, name))
			continue;
		if (global->kind == STP_GLOBAL_LONG)
			return set_number((s64 *)global->storage, value);
		return strscpy(*global->storage, value, stp_script.string_size) < 0 ? -E2BIG : 0;
	}
	return -ENOENT;
}

size_t globals_memory(void)
{
	return memory;
}
