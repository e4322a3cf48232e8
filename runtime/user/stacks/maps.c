// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which file is mapped where in each process, readable in any context, including NMI.
 *
 * The kernel's own map of a process is protected by a lock that may be held, and its nodes and areas may be freed while
 * it is read. So we keep a copy per mm_struct, of the executable file mappings only. A copy is an array under RCU that
 * is replaced, never changed. map_tracking.c keeps the copies up to date.
 */
#include <linux/hash.h>
#include <linux/mm_types.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "runtime/abi/object_table.h"
#include "runtime/core/allocation.h"
#include "runtime/core/internal.h"
#include "runtime/user/stacks/map_files.h"
#include "runtime/user/stacks/maps.h"
#include "runtime/user/stacks/rt_pool.h"

enum { MOST_RETIRED = 4096 }; /* maps of ended processes, kept for symbols of their stacks */

struct hlist_head *memory_buckets, retired_memories;
bool all_memories_known;
static unsigned int retired_count;
static atomic64_t walked_changes; /* number of changes to what user_range_anywhere() reads */
static struct work_struct *rereading_work; /* NULL: mms are not followed */

/* ---- maps -------------------------------------------------------------------------------------------------------- */

struct user_map *new_user_map(unsigned int most, gfp_t flags)
{
	static atomic64_t last_number = ATOMIC64_INIT(0);
	struct user_map *map = user_alloc(struct_size(map, ranges, most), flags);

	if (map) {
		map->number = atomic64_inc_return(&last_number);
		refcount_set(&map->users, 1);
	}
	return map;
}

void put_user_map(struct user_map *map)
{
	if (map && refcount_dec_and_test(&map->users))
		kfree_rcu(map, rcu);
}

/* Return a copy of the map without [start, end), and with one range added. Return NULL without memory. */
struct user_map *changed_map(const struct user_map *old, unsigned long start, unsigned long end,
			     const struct user_range *added)
{
	/* a range may be split in two */
	struct user_map *map = new_user_map(old->count + 2, GFP_ATOMIC);
	bool is_added = !added;
	unsigned int i;

	for (i = 0; map && i < old->count; i++) {
		struct user_range range = old->ranges[i];

		if (range.start < start) {
			map->ranges[map->count] = range;
			map->ranges[map->count].end = min(range.end, start);
			map->count++;
		}
		if (range.end <= end)
			continue;
		if (!is_added) {
			map->ranges[map->count++] = *added;
			is_added = true;
		}
		if (range.start < end) {
			range.offset += end - range.start;
			range.start = end;
		}
		if (range.start >= end)
			map->ranges[map->count++] = range;
	}
	if (map && !is_added)
		map->ranges[map->count++] = *added;
	return map;
}

bool has_range_in(const struct user_map *map, unsigned long start, unsigned long end)
{
	unsigned int i;

	for (i = 0; i < map->count && map->ranges[i].start < end; i++)
		if (map->ranges[i].end > start)
			return true;
	return false;
}

/* ---- mms --------------------------------------------------------------------------------------------------------- */

static struct hlist_head *memory_bucket(const struct mm_struct *mm)
{
	return &memory_buckets[hash_ptr(mm, MEMORY_BITS)];
}

struct user_memory *find_memory(const struct mm_struct *mm)
{
	struct user_memory *memory;

	hlist_for_each_entry_rcu(memory, memory_bucket(mm), in_bucket, true)
		if (memory->mm == mm)
			return memory;
	return NULL;
}

/* Invalidate the results of user_range_anywhere(), after a change of the mm. */
static void count_walked_change(const struct user_memory *memory)
{
	if (memory->is_walked)
		atomic64_inc(&walked_changes);
}

/* Add an mm, using @p spare if it is not NULL. Needs the lock. */
static struct user_memory *new_memory(const struct mm_struct *mm, struct user_memory *spare)
{
	struct user_memory *memory = spare ?: user_alloc(sizeof(*memory), GFP_ATOMIC);

	if (memory) {
		memory->mm = mm;
		hlist_add_head_rcu(&memory->in_bucket, memory_bucket(mm));
	}
	return memory;
}

/*
 * Set the map of an mm and take over its reference. If it is NULL, there was no memory for it, and the mm must be read
 * again. Return whether @p spare is used now. Needs the lock.
 */
bool set_map(const struct mm_struct *mm, struct user_map *map, struct user_memory *spare)
{
	struct user_memory *known = find_memory(mm), *memory = known ?: new_memory(mm, spare);
	struct user_map *old = memory ? memory->map : map;

	if (memory) {
		smp_store_release(&memory->map, map); /* pairs with rcu_dereference_raw() in readers */
		count_walked_change(memory);
	}
	put_user_map(old);
	if (memory && map)
		return !known;
	all_memories_known = false;
	if (rereading_work)
		schedule_work(rereading_work);
	return !known;
}

/* Keep the map of an ending process if its stack was walked, for the symbols. Needs the lock. */
static bool retire(struct user_memory *memory)
{
	if (!memory->is_walked || !memory->map || retired_count == MOST_RETIRED)
		return false;
	hlist_add_head_rcu(&memory->in_retired, &retired_memories);
	retired_count++;
	return true;
}

void forget_memory(const struct mm_struct *mm)
{
	struct user_memory *memory;

	raw_spin_lock(&user_map_lock);
	memory = find_memory(mm);
	if (memory) {
		/* Add to the second list first, so that a concurrent reader finds it in one of the two. */
		bool is_retired = retire(memory);

		hlist_del_rcu(&memory->in_bucket);
		if (!is_retired) {
			put_user_map(memory->map);
			count_walked_change(memory);
			kfree_rcu(memory, rcu);
		}
	}
	raw_spin_unlock(&user_map_lock);
}

void user_maps_reread_by(struct work_struct *reading)
{
	rereading_work = reading;
}

/* ---- lookup ----------------------------------------------------------------------------------------------------- */

const struct user_map *user_map_of(const struct mm_struct *mm)
{
	const struct user_memory *memory = find_memory(mm);

	return memory ? rcu_dereference_raw(memory->map) : NULL;
}

const struct user_map *user_map_walked(const struct mm_struct *mm, bool is_own)
{
	struct user_memory *memory = find_memory(mm);

	if (!memory)
		return NULL;
	if (!memory->is_walked || (!is_own && !memory->is_others)) {
		if (!is_own)
			WRITE_ONCE(memory->is_others, true);
		WRITE_ONCE(memory->is_walked, true);
		count_walked_change(memory);
	}
	return rcu_dereference_raw(memory->map);
}

const struct user_range *user_range_at(const struct user_map *map, unsigned long address)
{
	unsigned int low = 0, high = map->count;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (map->ranges[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < map->ranges[low - 1].end ? &map->ranges[low - 1] : NULL;
}

/* ---- lookup by table, and in all processes ----------------------------------------------------------------------- */

bool user_range_bias(const struct user_range *range, const struct stp_object_table *table, unsigned long *bias)
{
	const struct stp_object_segment *segments =
		(const struct stp_object_segment *)((const char *)table + table->segments);
	unsigned int i;

	/* If READ implies EXEC in this process, a range may be more than one code segment. */
	for (i = 0; i < table->segment_count; i++) {
		const struct stp_object_segment *segment = &segments[i];

		if (range->offset < segment->offset + segment->size &&
		    (segment->offset & PAGE_MASK) < range->offset + (range->end - range->start)) {
			*bias = range->start - range->offset - (segment->address - segment->offset);
			return true;
		}
	}
	return false;
}

/* Return whether both ranges have the same file and load bias. */
static bool is_same_place(const struct user_range *a, const struct user_range *b)
{
	return a->file == b->file && a->start - a->offset == b->start - b->offset;
}

/* Look up the address in an mm whose stack was walked. Return false if it is at a different place than in *ret. */
static bool look_into(const struct user_memory *memory, unsigned long address, struct user_range *ret, bool *found,
		      bool *is_own)
{
	const struct user_map *map = rcu_dereference_raw(memory->map);
	const struct user_range *range = map && memory->is_walked ? user_range_at(map, address) : NULL;

	if (range && *found && !is_same_place(range, ret))
		return false;
	if (range) {
		*ret = *range;
		*is_own &= !READ_ONCE(memory->is_others);
	}
	*found |= !!range;
	return true;
}

static bool look_everywhere(unsigned long address, struct user_range *ret, bool *is_own)
{
	const struct user_memory *memory;
	bool found = false;
	unsigned int i;

	*is_own = true;

	for (i = 0; i < 1u << MEMORY_BITS; i++)
		hlist_for_each_entry_rcu(memory, &memory_buckets[i], in_bucket, true)
			if (!look_into(memory, address, ret, &found, is_own))
				return false;
	hlist_for_each_entry_rcu(memory, &retired_memories, in_retired, true)
		if (!look_into(memory, address, ret, &found, is_own))
			return false;
	return found;
}

/* A cached result for one page. Reports look up the same few pages thousands of times, in thousands of processes. */
struct known_page {
	unsigned long number;
	s64 changes; /* walked_changes at that time */
	bool is_found, is_own;
	struct user_range range;
};

enum { KNOWN_PAGES_BITS = 8 };

static struct known_page known_pages[1 << KNOWN_PAGES_BITS];

/* Called only in begin, end and error probes, which run one at a time, so the cache needs no lock. */
bool user_range_anywhere(unsigned long address, struct user_range *ret, bool *is_own)
{
	unsigned long number = address >> PAGE_SHIFT;
	struct known_page *page = &known_pages[hash_long(number, KNOWN_PAGES_BITS)];
	s64 changes = atomic64_read(&walked_changes);

	if (page->number != number || page->changes != changes) {
		page->number = number;
		page->is_found = look_everywhere(address, &page->range, &page->is_own);
		page->changes = changes;
	}
	*ret = page->range;
	*is_own = page->is_own;
	return page->is_found;
}

/* ---- creation and destruction ------------------------------------------------------------------------------------ */

int user_maps_create(void)
{
	memory_buckets = checked(kvcalloc(1u << MEMORY_BITS, sizeof(*memory_buckets), GFP_KERNEL));
	return memory_buckets ? 0 : -ENOMEM;
}

static void free_memory(struct user_memory *memory)
{
	put_user_map(memory->map);
	kfree(memory);
}

void user_maps_destroy(void)
{
	struct user_memory *memory;
	struct hlist_node *next;
	unsigned int i;

	for (i = 0; memory_buckets && i < 1u << MEMORY_BITS; i++)
		hlist_for_each_entry_safe(memory, next, &memory_buckets[i], in_bucket)
			free_memory(memory);
	hlist_for_each_entry_safe(memory, next, &retired_memories, in_retired)
		free_memory(memory);
	kvfree(memory_buckets);
}
