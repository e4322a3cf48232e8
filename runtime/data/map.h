/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays. */
#ifndef SPILE_RUNTIME_DATA_MAP_H
#define SPILE_RUNTIME_DATA_MAP_H

#include "runtime/core/internal.h"

struct map_node;

SHARED struct stp_map *map_create(const struct stp_global *global);
SHARED void map_destroy(struct stp_map *map);
SHARED size_t map_memory(const struct stp_map *map);
SHARED unsigned int map_count(const struct stp_map *map);
/* A position in map_look(). Zeroed, it is before the first element. */
struct map_cursor {
	const struct map_node *node;
	u32 bucket;
};
/**
 * Read the next element. Needs the global's lock (lock_look()), unless handlers only add to the map (only_fed).
 *
 * @param[out] keys As many as its global's key_count.
 * @param[out] value The number, the string or the aggregate.
 * @return False after the last one.
 */
SHARED bool map_look(const struct stp_map *map, struct map_cursor *cursor, union stp_value *keys, const void **value);

/*
 * A position in the memory of a map, for reading a large one in several steps between which handlers may add and delete
 * elements. Each element that exists from the first step to the last is found once; those added later are not.
 */
struct map_scan {
	u32 next, capacity; /* numbers of places for elements */
	u64 before; /* insertion number */
};
SHARED void map_scan_begin(const struct stp_map *map, struct map_scan *scan);
/** Read the next element below place @p end, at most the capacity, under the same lock as map_look(). */
SHARED bool map_scan_next(const struct stp_map *map, struct map_scan *scan, u32 end, union stp_value *keys,
			  const void **value);

#endif
