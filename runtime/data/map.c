// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Associative arrays.
 *
 * All memory is allocated when the module is loaded: a table of buckets, a pool of nodes of equal size, and one array
 * of pointers for each nesting level of foreach. A node holds the keys, with space for strings of MAXSTRINGLEN, and the
 * value. Nodes are also on a list in insertion order, which is the order of an unsorted foreach.
 *
 * Arrays of numbers and strings are written under the write lock of their global and read under its read lock. Arrays
 * of aggregates are modified by many CPUs at once ("shared", lock.c). A lookup may then run while another CPU inserts,
 * so a node is complete before it is linked into its bucket, and nothing is removed in that mode.
 */
#include <linux/bitops.h>
#include <linux/hash.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/vmalloc.h>
#include <asm/word-at-a-time.h>

#include "runtime/core/allocation.h"
#include "runtime/core/context.h"
#include "runtime/core/drops.h"
#include "runtime/core/internal.h"
#include "runtime/core/lock.h"
#include "runtime/data/map.h"
#include "runtime/data/statistic.h"

/* Force inlining, although the runtime is compiled for size: each lookup calls them several times. */
#ifndef __clang__ /* which ignores an attribute after the definition */
static __always_inline unsigned long load_unaligned_zeropad(const void *address);
#ifndef create_zero_mask /* a macro since 6.11 */
static __always_inline unsigned long create_zero_mask(unsigned long bits);
#endif
#endif

struct map_node {
	struct map_node *next; /* in the bucket */
	struct list_head list; /* insertion order, or the free list */
	u64 sequence; /* insertion number, breaks ties when sorting; 0: not in the map, see is_element() */
	u32 hash;
	/* followed by the keys, then the value */
};

/* The types of the keys. All but KEYS_ANY have specialized lookup code. */
enum key_shape { KEYS_ANY, KEYS_LONG, KEYS_STRING, KEYS_LONG_STRING, KEYS_STRING_LONG, KEYS_LONG_LONG, KEYS_STRINGS };

struct order_entry {
	struct map_node *node;
	s64 rank;
};

struct stp_map {
	const struct stp_global *global;
	u32 capacity, count, bucket_mask;
	bool is_simple; /* event probes only add to simple statistics, without a lock */
	u8 shape; /* enum key_shape */
	u32 node_size, value_offset;
	u32 key_offset[STP_MAX_KEYS];
	u64 next_sequence, first_sequence; /* nodes below the first were in the map before it was cleared */
	size_t memory;
	struct map_node **buckets;
	char *pool;
	u32 fresh; /* nodes of the pool before this one have been used; the others are not in a list */
	struct list_head elements, unused;
	struct order_entry *order; /* `capacity` entries for each nested foreach */
};

static __always_inline bool key_is_string(const struct stp_map *map, unsigned int key)
{
	return map->global->key_strings & (1u << key);
}

static __always_inline void *node_key(const struct stp_map *map, const struct map_node *node, unsigned int key)
{
	return (char *)node + map->key_offset[key];
}

static __always_inline void *node_value(const struct stp_map *map, const struct map_node *node)
{
	return (char *)node + map->value_offset;
}

static enum key_shape shape_of(const struct stp_global *global)
{
	static const u8 of_two[] = {KEYS_LONG_LONG, KEYS_STRING_LONG, KEYS_LONG_STRING, KEYS_STRINGS};

	if (global->key_count == 1)
		return global->key_strings ? KEYS_STRING : KEYS_LONG;
	if (global->key_count != 2)
		return KEYS_ANY;
	return of_two[global->key_strings];
}

static bool is_statistic(const struct stp_map *map)
{
	return map->global->kind == STP_GLOBAL_MAP_STATISTIC;
}

static size_t value_size(const struct stp_global *global)
{
	switch (global->kind) {
	case STP_GLOBAL_MAP_STRING:
		return stp_script.string_size;
	case STP_GLOBAL_MAP_STATISTIC:
		return statistic_size(global);
	default:
		return sizeof(s64);
	}
}

static void lay_out(struct stp_map *map)
{
	const struct stp_global *global = map->global;
	u32 at = sizeof(struct map_node);
	unsigned int key;

	for (key = 0; key < global->key_count; key++) {
		map->key_offset[key] = at;
		at += key_is_string(map, key) ? ALIGN(stp_script.string_size, sizeof(s64)) : sizeof(s64);
	}
	map->value_offset = at;
	map->node_size = ALIGN(at + value_size(global), sizeof(s64));
}

static void release(struct stp_map *map, struct map_node *node)
{
	list_add(&node->list, &map->unused);
}

enum { MOST_ELEMENTS = 1 << 24 };

static u32 capacity_of(const struct stp_map *map)
{
	const struct stp_map_size *size = map->global->is_aggregation ? &stp_script.aggregations : &stp_script.arrays;
	u64 bytes = size->bytes + size->bytes_per_cpu * num_possible_cpus();

	return map->global->max_entries ?: clamp_t(u64, div_u64(bytes, map->node_size), size->least, MOST_ELEMENTS);
}

struct stp_map *map_create(const struct stp_global *global)
{
	struct stp_map *map = checked(kzalloc(sizeof(*map), GFP_KERNEL));
	size_t order_size;
	u32 buckets;

	if (!map)
		return NULL;
	map->global = global;
	map->next_sequence = map->first_sequence = 1;
	map->is_simple = global->kind == STP_GLOBAL_MAP_STATISTIC && statistic_is_simple(global);
	map->shape = shape_of(global);
	INIT_LIST_HEAD(&map->elements);
	INIT_LIST_HEAD(&map->unused);
	lay_out(map);
	map->capacity = capacity_of(map);
	buckets = roundup_pow_of_two(max(map->capacity, 16u));
	if (stp_script.map_hash_bias < 0)
		buckets = max(buckets >> -stp_script.map_hash_bias, 1u);
	else
		buckets <<= min(stp_script.map_hash_bias, __builtin_clz(buckets));
	map->bucket_mask = buckets - 1;
	order_size = global->walks * sizeof(*map->order);
	map->memory = buckets * sizeof(*map->buckets) + (size_t)map->capacity * (map->node_size + order_size);
	if (!memory_take(map->memory)) {
		map_destroy(map);
		return NULL;
	}
	map->buckets = checked(kvcalloc(buckets, sizeof(*map->buckets), GFP_KERNEL));
	map->pool = checked(kvcalloc(map->capacity, map->node_size, GFP_KERNEL));
	if (order_size)
		map->order = checked(kvcalloc(map->capacity, order_size, GFP_KERNEL));
	if (!map->buckets || !map->pool || (order_size && !map->order)) {
		map_destroy(map);
		return NULL;
	}
	return map;
}

void map_destroy(struct stp_map *map)
{
	if (!map)
		return;
	kvfree(map->buckets);
	kvfree(map->pool);
	kvfree(map->order);
	kfree(map);
}

/* ---- lookup ---------------------------------------------------------------------------------------------------- */

/*
 * Strings are hashed and compared by words. load_unaligned_zeropad() may read past the end of a string, even at the end
 * of mapped memory.
 */
static __always_inline u64 mix(u64 hash, u64 word)
{
	return rol64((hash ^ word) * GOLDEN_RATIO_64, 31);
}

/*
 * Return whether a byte may be NUL: it is NUL or not ASCII. This test is cheaper than has_zero(), and mostly negative.
 */
static __always_inline bool may_have_zero(unsigned long word)
{
	return (word - REPEAT_BYTE(0x01)) & REPEAT_BYTE(0x80);
}

static __always_inline u64 hash_string(u64 hash, const char *text)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long word, bits;

	for (;; text += sizeof(word)) {
		word = load_unaligned_zeropad(text);
		if (unlikely(may_have_zero(word)) && has_zero(word, &bits, &constants))
			break;
		hash = mix(hash, word);
	}
	bits = create_zero_mask(prep_zero_mask(word, bits, &constants));
	return mix(hash, word & zero_bytemask(bits));
}

static __always_inline bool same_string(const char *left, const char *right)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long word, other, bits;

	for (;; left += sizeof(word), right += sizeof(word)) {
		word = load_unaligned_zeropad(left);
		other = load_unaligned_zeropad(right);
		if (unlikely(may_have_zero(word)) && has_zero(word, &bits, &constants))
			break;
		if (word != other)
			return false;
	}
	bits = create_zero_mask(prep_zero_mask(word, bits, &constants));
	/* Compare the bytes up to and including the NUL. */
	return !((word ^ other) & (zero_bytemask(bits) << 8 | 0xff));
}

static __always_inline u64 hash_key(u64 hash, bool is_string, union stp_value value)
{
	return is_string ? hash_string(hash, value.string) : mix(hash, value.number);
}

static __always_inline u32 fold(u64 hash)
{
	return hash ^ hash >> 32;
}

static __always_inline u32 hash_keys(const struct stp_map *map, const union stp_value *keys)
{
	const union stp_value *end = keys + map->global->key_count;
	u32 strings = map->global->key_strings;
	u64 hash = 0;

	for (; keys < end; keys++, strings >>= 1)
		hash = hash_key(hash, strings & 1, *keys);
	return fold(hash);
}

static __always_inline bool key_matches(const void *stored, bool is_string, union stp_value value)
{
	return is_string ? same_string(stored, value.string) : *(const s64 *)stored == value.number;
}

static __always_inline bool matches(const struct stp_map *map, const struct map_node *node, const union stp_value *keys,
				    u32 wildcards)
{
	const union stp_value *end = keys + map->global->key_count;
	u32 strings = map->global->key_strings;
	const u32 *offset = map->key_offset;

	for (; keys < end; keys++, strings >>= 1, wildcards >>= 1, offset++)
		if (!(wildcards & 1) && !key_matches((const char *)node + *offset, strings & 1, *keys))
			return false;
	return true;
}

/* Pairs with the release in insert(): a node in a bucket is complete. Nodes after it were published earlier. */
static __always_inline struct map_node *first_hashed(const struct stp_map *map, u32 hash)
{
	return smp_load_acquire(&map->buckets[hash & map->bucket_mask]);
}

static struct map_node *find_hashed(const struct stp_map *map, const union stp_value *keys, u32 hash)
{
	struct map_node *node;

	for (node = first_hashed(map, hash); node; node = node->next)
		if (node->hash == hash && matches(map, node, keys, 0))
			return node;
	return NULL;
}

/* Find a node for keys whose count and types are compile-time constants. A loop over the keys would double the cost. */
static __always_inline struct map_node *look_up_shaped(const struct stp_map *map, const union stp_value *keys,
						       unsigned int count, u32 strings, u32 *hash)
{
	u64 mixed = hash_key(0, strings & 1, keys[0]);
	struct map_node *node;

	if (count > 1)
		mixed = hash_key(mixed, strings & 2, keys[1]);
	*hash = fold(mixed);
	for (node = first_hashed(map, *hash); node; node = node->next)
		if (node->hash == *hash && key_matches(node + 1, strings & 1, keys[0]) &&
		    (count == 1 || key_matches(node_key(map, node, 1), strings & 2, keys[1])))
			return node;
	return NULL;
}

/* Find the node of these keys, or NULL. Set *hash in any case. */
static __always_inline struct map_node *look_up(const struct stp_map *map, const union stp_value *keys, u32 *hash)
{
	switch (map->shape) {
	case KEYS_LONG:
		return look_up_shaped(map, keys, 1, 0, hash);
	case KEYS_STRING:
		return look_up_shaped(map, keys, 1, 1, hash);
	case KEYS_LONG_STRING:
		return look_up_shaped(map, keys, 2, 2, hash);
	case KEYS_STRING_LONG:
		return look_up_shaped(map, keys, 2, 1, hash);
	case KEYS_LONG_LONG:
		return look_up_shaped(map, keys, 2, 0, hash);
	case KEYS_STRINGS:
		return look_up_shaped(map, keys, 2, 3, hash);
	default:
		*hash = hash_keys(map, keys);
		return find_hashed(map, keys, *hash);
	}
}

static noinline struct map_node *look_up_apart(const struct stp_map *map, const union stp_value *keys, u32 *hash)
{
	return look_up(map, keys, hash);
}

static struct map_node *find(const struct stp_map *map, const union stp_value *keys)
{
	u32 hash;

	return look_up_apart(map, keys, &hash);
}

/* ---- inserting and removing ------------------------------------------------------------------------------------ */

static void reset_value(const struct stp_map *map, struct map_node *node)
{
	if (is_statistic(map))
		statistic_reset(map->global, node_value(map, node));
	else
		memset(node_value(map, node), 0, sizeof(s64));
}

static void unlink(struct stp_map *map, struct map_node *node)
{
	struct map_node **link = &map->buckets[node->hash & map->bucket_mask];

	while (*link != node)
		link = &(*link)->next;
	*link = node->next;
	list_del(&node->list);
	node->sequence = 0;
	map->count--;
	release(map, node);
}

static struct map_node *insert(struct stp_context *c, struct stp_map *map, const union stp_value *keys, u32 hash)
{
	struct map_node **bucket = &map->buckets[hash & map->bucket_mask];
	struct map_node *node;
	unsigned int key;

	if (map->count == map->capacity && map->global->wraps && map->count)
		unlink(map, list_first_entry(&map->elements, struct map_node, list));
	if (map->count == map->capacity) {
		if (stp_script.drops_elements)
			count_drop(map->global->is_aggregation ? DROP_AGGREGATION : DROP_VARIABLE);
		else if (map->global->max_entries)
			stp_error(c, "Array overflow, check size limit (%u)", map->capacity);
		else
			stp_limit_error(c, "Array overflow, check MAXMAPENTRIES",
					"-D MAXMAPENTRIES=N makes room for more; declared with % (global a%), an array "
					"drops the oldest");
		return NULL;
	}
	node = list_first_entry_or_null(&map->unused, struct map_node, list);
	if (node)
		list_del(&node->list);
	else
		node = (struct map_node *)(map->pool + (size_t)map->fresh++ * map->node_size);
	list_add_tail(&node->list, &map->elements);
	map->count++;
	node->hash = hash;
	for (key = 0; key < map->global->key_count; key++) {
		if (key_is_string(map, key))
			strscpy(node_key(map, node, key), keys[key].string, stp_script.string_size);
		else
			*(s64 *)node_key(map, node, key) = keys[key].number;
	}
	reset_value(map, node);
	smp_store_release(&node->sequence, map->next_sequence++); /* pairs with is_element() */
	node->next = *bucket;
	smp_store_release(bucket, node); /* pairs with first_hashed() */
	return node;
}

static struct map_node *find_or_insert(struct stp_context *c, struct stp_map *map, const union stp_value *keys)
{
	u32 hash;

	return look_up(map, keys, &hash) ?: insert(c, map, keys, hash);
}

/* ---- functions for scripts ------------------------------------------------------------------------------------- */

stp_long stp_map_get_long(struct stp_context *c, struct stp_map *map, const union stp_value *keys)
{
	struct map_node *node = find(map, keys);

	return node ? *(s64 *)node_value(map, node) : 0;
}

const char *stp_map_get_string(struct stp_context *c, struct stp_map *map, const union stp_value *keys)
{
	struct map_node *node = find(map, keys);

	return node ? node_value(map, node) : "";
}

stp_long *stp_map_slot_long(struct stp_context *c, struct stp_map *map, const union stp_value *keys)
{
	struct map_node *node = find_or_insert(c, map, keys);

	if (unlikely(!node))
		return stp_script.drops_elements ? slot_of_dropped(c) : NULL;
	return node_value(map, node);
}

void stp_map_set_string(struct stp_context *c, struct stp_map *map, const union stp_value *keys, const char *value)
{
	struct map_node *node = find_or_insert(c, map, keys);

	if (node)
		stp_copy(node_value(map, node), value);
}

int stp_map_contains(struct stp_context *c, struct stp_map *map, const union stp_value *keys, unsigned int wildcards)
{
	struct map_node *node;

	if (!wildcards)
		return find(map, keys) != NULL;
	list_for_each_entry(node, &map->elements, list)
		if (matches(map, node, keys, wildcards))
			return 1;
	return 0;
}

void stp_map_delete(struct stp_context *c, struct stp_map *map, const union stp_value *keys, unsigned int wildcards)
{
	struct map_node *node, *next;

	if (!wildcards) {
		node = find(map, keys);
		if (node)
			unlink(map, node);
		return;
	}
	list_for_each_entry_safe(node, next, &map->elements, list)
		if (matches(map, node, keys, wildcards))
			unlink(map, node);
}

void stp_map_clear(struct stp_context *c, struct stp_map *map)
{
	memset(map->buckets, 0, (map->bucket_mask + 1) * sizeof(*map->buckets));
	list_splice_init(&map->elements, &map->unused);
	map->first_sequence = map->next_sequence;
	map->count = 0;
}

/* Insert in shared mode, one CPU at a time. Repeat the lookup, because another CPU may have inserted the same keys. */
static struct map_node *insert_shared(struct stp_context *c, unsigned int global, struct stp_map *map,
				      const union stp_value *keys, u32 hash)
{
	struct map_node *node;

	if (!lock_insert(global)) {
		context_count_skip(SKIP_LOCK, 1);
		return NULL;
	}
	node = find_hashed(map, keys, hash) ?: insert(c, map, keys, hash);
	unlock_insert(global);
	return node;
}

/*
 * Insert into a map to which event probes only add. They need no lock but that for insertion. Interrupts are off so
 * that no handler on this CPU waits for an insertion that it interrupted.
 */
static struct map_node *insert_fed(struct stp_context *c, unsigned int global, struct stp_map *map,
				   const union stp_value *keys, u32 hash)
{
	struct map_node *node;
	unsigned long flags;

	local_irq_save(flags);
	node = context_is_session(c) ? insert(c, map, keys, hash) : insert_shared(c, global, map, keys, hash);
	local_irq_restore(flags);
	return node;
}

static noinline struct map_node *insert_missing(struct stp_context *c, unsigned int global, struct stp_map *map,
						const union stp_value *keys, u32 hash, bool shared)
{
	if (map->global->only_fed)
		return insert_fed(c, global, map, keys, hash);
	return shared ? insert_shared(c, global, map, keys, hash) : insert(c, map, keys, hash);
}

static noinline void aggregate_slowly(struct stp_context *c, unsigned int global, struct stp_map *map,
				      const union stp_value *keys, s64 value)
{
	bool shared = !map->global->only_fed && !handler_holds(c, global);
	unsigned long flags = 0;
	struct map_node *node;
	u32 hash;

	if (shared && !lock_shared(c, global, &flags))
		return;
	node = look_up_apart(map, keys, &hash);
	if (unlikely(!node))
		node = insert_missing(c, global, map, keys, hash, shared);
	if (likely(node))
		statistic_add(c, map->global, node_value(map, node), value);
	if (shared)
		unlock_shared(c, global, flags);
}

void stp_map_aggregate(struct stp_context *c, unsigned int global, struct stp_map *map, const union stp_value *keys,
		       stp_long value)
{
	u32 hash;
	struct map_node *node = map->is_simple ? look_up(map, keys, &hash) : NULL;

	if (likely(node))
		simple_statistic_add(c, node_value(map, node), value);
	else
		aggregate_slowly(c, global, map, keys, value);
}

void stp_map_count(struct stp_context *c, unsigned int global, struct stp_map *map, const union stp_value *keys,
		   stp_long by)
{
	u32 hash;
	struct map_node *node = look_up_apart(map, keys, &hash);

	if (unlikely(!node))
		node = insert_missing(c, global, map, keys, hash, false);
	if (likely(node))
		atomic64_add(by, node_value(map, node));
}

int stp_map_statistic(struct stp_context *c, struct stp_map *map, const union stp_value *keys,
		      struct stp_statistic_values *values)
{
	struct map_node *node = find(map, keys);

	if (!node) {
		memset(values, 0, sizeof(*values));
		return 0;
	}
	statistic_read(map->global, node_value(map, node), values);
	return 1;
}

void *stp_map_aggregate_of(struct stp_context *c, struct stp_map *map, const union stp_value *keys)
{
	struct map_node *node = find(map, keys);

	return node ? node_value(map, node) : NULL;
}

/* ---- foreach --------------------------------------------------------------------------------------------------- */

struct sort_request {
	const struct stp_map *map;
	int column;
	int direction;
};

static s64 statistic_rank(const struct stp_map *map, const struct map_node *node, int statistic)
{
	struct stp_statistic_values values;

	statistic_read(map->global, node_value(map, node), &values);
	switch (statistic) {
	case STP_SORT_SUM:
		return values.sum;
	case STP_SORT_MIN:
		return values.min;
	case STP_SORT_MAX:
		return values.max;
	case STP_SORT_AVERAGE:
		return values.count ? stp_average(NULL, &values) : 0;
	default:
		return values.count;
	}
}

static bool rank_is_string(const struct stp_map *map, int column)
{
	return column ? key_is_string(map, column - 1) : map->global->kind == STP_GLOBAL_MAP_STRING;
}

static s64 rank(const struct stp_map *map, const struct map_node *node, int column, int statistic)
{
	if (rank_is_string(map, column))
		return 0;
	if (column)
		return *(s64 *)node_key(map, node, column - 1);
	return is_statistic(map) ? statistic_rank(map, node, statistic) : *(s64 *)node_value(map, node);
}

static const char *rank_string(const struct stp_map *map, const struct map_node *node, int column)
{
	return column ? node_key(map, node, column - 1) : node_value(map, node);
}

static int compare_ranks(s64 a, s64 b)
{
	return a < b ? -1 : a > b;
}

/* Compare the keys of two nodes, the first key first. */
static int compare_keys(const struct stp_map *map, const struct map_node *a, const struct map_node *b)
{
	unsigned int column;
	int result = 0;

	for (column = 1; !result && column <= map->global->key_count; column++)
		result = rank_is_string(map, column) ? strcmp(rank_string(map, a, column), rank_string(map, b, column))
						     : compare_ranks(rank(map, a, column, 0), rank(map, b, column, 0));
	return result;
}

static int compare_entries(const void *left, const void *right, const void *data)
{
	const struct sort_request *request = data;
	const struct order_entry *a = left, *b = right;
	int result;

	if (rank_is_string(request->map, request->column))
		result = strcmp(rank_string(request->map, a->node, request->column),
				rank_string(request->map, b->node, request->column));
	else
		result = compare_ranks(a->rank, b->rank);
	if (!result && abs(request->direction) == 2)
		result = compare_keys(request->map, a->node, b->node);
	if (result)
		return result * request->direction;
	/* sort_r() is not stable. */
	return a->node->sequence < b->node->sequence ? -1 : 1;
}

unsigned int stp_map_walk(const struct stp_map *map, unsigned int walk)
{
	return walk * map->capacity;
}

unsigned int stp_map_order(struct stp_context *c, struct stp_map *map, unsigned int walk, const union stp_value *slice,
			   unsigned int wildcards, int column, int direction, int statistic)
{
	struct order_entry *order = map->order + stp_map_walk(map, walk);
	struct sort_request request = {.map = map, .column = column, .direction = direction};
	unsigned int count = 0;
	struct map_node *node;

	list_for_each_entry(node, &map->elements, list) {
		if (slice && !matches(map, node, slice, wildcards))
			continue;
		order[count].node = node;
		if (direction)
			order[count].rank = rank(map, node, column, statistic);
		count++;
	}
	if (direction)
		sort_r(order, count, sizeof(*order), compare_entries, NULL, &request);
	return count;
}

stp_long stp_map_order_key_long(struct stp_map *map, unsigned int position, unsigned int key)
{
	return *(s64 *)node_key(map, map->order[position].node, key);
}

const char *stp_map_order_key_string(struct stp_map *map, unsigned int position, unsigned int key)
{
	return node_key(map, map->order[position].node, key);
}

stp_long stp_map_order_value_long(struct stp_map *map, unsigned int position)
{
	return *(s64 *)node_value(map, map->order[position].node);
}

const char *stp_map_order_value_string(struct stp_map *map, unsigned int position)
{
	return node_value(map, map->order[position].node);
}

size_t map_memory(const struct stp_map *map)
{
	return map->memory;
}

/* ---- reading for the monitor ------------------------------------------------------------------------------------- */

unsigned int map_count(const struct stp_map *map)
{
	return READ_ONCE(map->count);
}

static const struct map_node *next_in_order(const struct stp_map *map, const struct map_cursor *cursor)
{
	const struct list_head *next = cursor->node ? cursor->node->list.next : map->elements.next;

	return next == &map->elements ? NULL : list_entry(next, struct map_node, list);
}

/*
 * Return the next node of a map that handlers are adding to. A node is complete once it is in its bucket, and stays
 * there.
 */
static const struct map_node *next_in_buckets(const struct stp_map *map, struct map_cursor *cursor)
{
	const struct map_node *node = cursor->node ? cursor->node->next : NULL;

	if (!cursor->node)
		node = first_hashed(map, 0);
	while (!node && cursor->bucket < map->bucket_mask)
		node = first_hashed(map, ++cursor->bucket);
	return node;
}

static void read_element(const struct stp_map *map, const struct map_node *node, union stp_value *keys,
			 const void **value)
{
	unsigned int key;

	for (key = 0; key < map->global->key_count; key++) {
		if (key_is_string(map, key))
			keys[key].string = node_key(map, node, key);
		else
			keys[key].number = *(const s64 *)node_key(map, node, key);
	}
	*value = node_value(map, node);
}

bool map_look(const struct stp_map *map, struct map_cursor *cursor, union stp_value *keys, const void **value)
{
	const struct map_node *node = map->global->only_fed ? next_in_buckets(map, cursor) : next_in_order(map, cursor);

	cursor->node = node;
	if (node)
		read_element(map, node, keys, value);
	return node;
}

void map_scan_begin(const struct stp_map *map, struct map_scan *scan)
{
	*scan = (struct map_scan){.capacity = map->capacity, .before = READ_ONCE(map->next_sequence)};
}

/* Was the node in the map when the scan began, and is it still? If so, it is complete, even without a lock. */
static bool is_element(const struct stp_map *map, const struct map_node *node, u64 before)
{
	u64 sequence = smp_load_acquire(&node->sequence);

	return sequence >= map->first_sequence && sequence < before;
}

bool map_scan_next(const struct stp_map *map, struct map_scan *scan, u32 end, union stp_value *keys, const void **value)
{
	while (scan->next < end) {
		const struct map_node *node =
			(const struct map_node *)(map->pool + (size_t)scan->next++ * map->node_size);

		if (!is_element(map, node, scan->before))
			continue;
		read_element(map, node, keys, value);
		return true;
	}
	return false;
}
