// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Storage of the script's globals. Integers are in the script's own data. Other globals are allocated here; the script
 * gets the pointers through stp_global.storage.
 */
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "runtime/core/allocation.h"
#include "runtime/core/internal.h"
#include "runtime/data/globals.h"
#include "runtime/data/map.h"
#include "runtime/data/statistic.h"

static size_t memory;

/* Initial values for globals_reset(): the script's own, or those that staprun has set. */
static union initial_value {
	s64 number;
	char *string; /* NULL: empty */
} * initial_values;

static void *create_string(const struct stp_global *global)
{
	char *text = memory_take(stp_script.string_size) ? checked(kzalloc(stp_script.string_size, GFP_KERNEL)) : NULL;

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
} kinds[STP_GLOBAL_KIND_COUNT_] = {
	[STP_GLOBAL_LONG] = {NULL, NULL},
	[STP_GLOBAL_STRING] = {create_string, destroy_string},
	[STP_GLOBAL_STATISTIC] = {create_statistic, statistic_destroy},
	[STP_GLOBAL_MAP_LONG] = {create_map, destroy_map},
	[STP_GLOBAL_MAP_STRING] = {create_map, destroy_map},
	[STP_GLOBAL_MAP_STATISTIC] = {create_map, destroy_map},
};

static int create_initial_values(void)
{
	initial_values = checked(kvcalloc(stp_script.global_count + 1, sizeof(*initial_values), GFP_KERNEL));
	return initial_values ? 0 : -ENOMEM;
}

int globals_create(void)
{
	unsigned int i;

	if (create_initial_values())
		return -ENOMEM;
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

		if (initial_values && global->kind == STP_GLOBAL_STRING)
			kfree(initial_values[i].string);
		if (!kinds[global->kind].destroy)
			continue;
		kinds[global->kind].destroy(*global->storage);
		*global->storage = NULL;
	}
	kvfree(initial_values);
	initial_values = NULL;
}

/* ---- setting and resetting --------------------------------------------------------------------------------------- */

static int set_number(s64 *number, const char *text)
{
	int error = kstrtos64(text, 0, number);

	/* Numbers from 2^63 on wrap, as in scripts. */
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

int globals_begin(void)
{
	unsigned int i;

	for (i = 0; i < stp_script.global_count; i++) {
		const struct stp_global *global = &stp_script.globals[i];

		if (global->kind == STP_GLOBAL_LONG)
			initial_values[i].number = *(s64 *)global->storage;
		if (global->kind != STP_GLOBAL_STRING || !*(char *)*global->storage)
			continue;
		initial_values[i].string = checked(kstrdup(*global->storage, GFP_KERNEL));
		if (!initial_values[i].string)
			return -ENOMEM;
	}
	return 0;
}

static void reset_global(const struct stp_global *global, const union initial_value *initial)
{
	switch (global->kind) {
	case STP_GLOBAL_LONG:
		WRITE_ONCE(*(s64 *)global->storage, initial->number);
		break;
	case STP_GLOBAL_STRING:
		strscpy(*global->storage, initial->string ?: "", stp_script.string_size);
		break;
	case STP_GLOBAL_STATISTIC:
		statistic_reset(global, *global->storage);
		break;
	default:
		stp_map_clear(NULL, *global->storage);
	}
}

void globals_reset(void)
{
	unsigned int i;

	for (i = 0; i < stp_script.global_count; i++)
		reset_global(&stp_script.globals[i], &initial_values[i]);
}

size_t globals_memory(void)
{
	return memory;
}
