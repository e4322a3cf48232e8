/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which file is mapped where in each process. */
#ifndef SPILE_RUNTIME_USER_STACKS_MAPS_H
#define SPILE_RUNTIME_USER_STACKS_MAPS_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/types.h>

#include "runtime/abi/object_table.h"
#include "runtime/core/internal.h"
#include "runtime/user/stacks/map_files.h"

struct mm_struct;
struct work_struct;

struct user_range {
	unsigned long start, end;
	u64 offset; /* in the file */
	struct user_file *file;
};

/*
 * The file mappings of a process that are executable, sorted by address. It is replaced, never changed, except
 * is_asked.
 */
struct user_map {
	struct rcu_head rcu;
	refcount_t users;
	unsigned int count;
	u64 number; /* unique among all maps, never 0 */
	bool is_asked; /* all its files have been requested from stap-tables; a hint that saves work */
	struct user_range ranges[];
};

/** Return the map of a process, or NULL if it is not known. Any context, under RCU. */
const struct user_map *user_map_of(const struct mm_struct *mm);
/**
 * Do the same, and keep the map after the process has ended, because its stack is walked. @p is_own says whether a
 * user's tables may be used for it.
 */
const struct user_map *user_map_walked(const struct mm_struct *mm, bool is_own);
const struct user_range *user_range_at(const struct user_map *map, unsigned long address);
/** Compute the load bias of the range by the table of its file. Return false if the table has no segment there. */
bool user_range_bias(const struct user_range *range, const struct stp_object_table *table, unsigned long *bias);
/**
 * Find the range that contains an address in all processes whose stacks were walked, including those that have ended.
 * Return false if there is none, or if they differ. Set *is_own if a user's tables may be used for all of these
 * processes. Under RCU.
 */
bool user_range_anywhere(unsigned long address, struct user_range *ret, bool *is_own);

/* A process's mm, in one of the two lists. */
struct user_memory {
	struct hlist_node in_bucket, in_retired;
	struct rcu_head rcu;
	const struct mm_struct *mm;
	struct user_map *map; /* NULL: not read yet */
	struct user_file *jit_map; /* perf map of its JIT code; NULL: it has none, or too many exist */
	bool is_walked;
	bool is_others; /* walked when a user's tables could not be used for it */
};

enum { MEMORY_BITS = 10 };

/* Changed under user_map_lock; readers use RCU. */
extern struct hlist_head *memory_buckets, retired_memories;
/* Whether all mms have been read. */
extern bool all_memories_known;

/** Return the entry of an mm, or NULL. Under RCU. */
struct user_memory *find_memory(const struct mm_struct *mm);
/**
 * Set the map of an mm and take over its reference. If it is NULL, there was no memory for it, and the mm must be read
 * again. Return whether @p spare is used now. Needs the lock.
 */
bool set_map(const struct mm_struct *mm, struct user_map *map, struct user_memory *spare);
/** Remove an mm that ends. Keep its map if its stack was walked, for the symbols. */
void forget_memory(const struct mm_struct *mm);
/** Have @p reading read the mms again for which there was no memory; NULL: no longer. */
void user_maps_reread_by(struct work_struct *reading);

struct user_map *new_user_map(unsigned int most, gfp_t flags);
void put_user_map(struct user_map *map);
/** Return a copy of the map without [start, end), and with one range added. Return NULL without memory. */
struct user_map *changed_map(const struct user_map *old, unsigned long start, unsigned long end,
			     const struct user_range *added);
bool has_range_in(const struct user_map *map, unsigned long start, unsigned long end);

int user_maps_create(void);
void user_maps_destroy(void);

#endif
