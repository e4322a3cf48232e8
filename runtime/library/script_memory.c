// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory that the script itself writes to, for programs in D (tapset/dlang_memory.stp). There are three kinds:
 *
 * - the scratch of the context, which begins with the frame, the clause-local variables of a handler. The rest is given
 *   out piece by piece, and is free again at the next clause.
 * - the area, with the global variables at its start.
 * - blocks at the end of the area, for elements of arrays and thread-local variables. An element for which there is no
 *   block has memory behind the scratch, which the next one overwrites.
 *
 * A store that is outside of all these is an error of the handler. A script may write to a block after it was freed, so
 * nothing that the runtime relies on is in the area.
 */
#include <linux/bitmap.h>
#include <linux/llist.h>
#include <linux/mm.h>

#include "runtime/core/allocation.h"
#include "runtime/core/context.h"
#include "runtime/core/drops.h"
#include "runtime/core/internal.h"

/* Blocks begin at multiples of UNIT. */
enum { BLOCK_CLASSES = 13, UNIT = 16, UNITS = STP_AREA_SIZE / UNIT };

/* About the block that begins at each unit. */
struct block_table {
	struct llist_node nodes[UNITS]; /* while it is free */
	DECLARE_BITMAP(taken, UNITS); /* is it in use? */
};

static char *area; /* STP_AREA_SIZE bytes; NULL unless stp_script.keeps_scratch */
static struct block_table *table; /* with the area */
static atomic_t blocks_size; /* of all blocks, used or free */
static struct llist_head free_blocks[BLOCK_CLASSES]; /* of 2^n bytes */

SHARED void script_memory_destroy(void)
{
	kvfree(table);
	kvfree(area);
	table = NULL;
	area = NULL;
}

SHARED int script_memory_create(void)
{
	if (!stp_script.keeps_scratch)
		return 0;
	if (!memory_take(STP_AREA_SIZE + sizeof(*table)))
		return -ENOMEM;
	area = checked(kvzalloc(STP_AREA_SIZE, GFP_KERNEL));
	table = checked(kvzalloc(sizeof(*table), GFP_KERNEL));
	if (area && table)
		return 0;
	script_memory_destroy();
	return -ENOMEM;
}

static bool is_within(unsigned long address, unsigned long size, const char *start, unsigned long length)
{
	unsigned long offset = address - (unsigned long)start;

	return start && offset <= length && size <= length - offset;
}

static char *owned(struct stp_context *c, unsigned long address, stp_long size)
{
	if (size >= 0 && (is_within(address, size, c->scratch, max_t(unsigned int, c->scratch_used, STP_FRAME_SIZE)) ||
			  is_within(address, size, c->scratch + STP_SCRATCH_SIZE, STP_DROPPED_SIZE) ||
			  is_within(address, size, area, STP_AREA_SIZE)))
		return (char *)address;
	stp_error(c, "invalid address 0x%lx", address);
	return NULL;
}

void stp_scratch_begin(struct stp_context *c)
{
	c->scratch_used = STP_FRAME_SIZE;
}

stp_long stp_scratch_frame(struct stp_context *c, unsigned int offset, unsigned int cleared)
{
	memset(c->scratch, 0, min_t(unsigned int, cleared, STP_FRAME_SIZE));
	return (stp_long)(unsigned long)(c->scratch + offset);
}

stp_long stp_scratch_take(struct stp_context *c, stp_long size, stp_long limit)
{
	unsigned int start = ALIGN(max_t(unsigned int, c->scratch_used, STP_FRAME_SIZE), sizeof(u64));

	limit = min_t(stp_long, limit, STP_SCRATCH_SIZE - STP_FRAME_SIZE);
	if (size < 0 || size > limit || start - STP_FRAME_SIZE + size > limit) {
		stp_error(c, "out of scratch space");
		return 0;
	}
	c->scratch_used = start + size;
	memset(c->scratch + start, 0, size);
	return (stp_long)(unsigned long)(c->scratch + start);
}

stp_long stp_scratch_global(unsigned int offset)
{
	return (stp_long)(unsigned long)(area + offset);
}

/* Take the first node of a list; NULL if it is empty. Others may do the same at any point, also in interrupts. */
static struct llist_node *take_node(struct llist_head *list)
{
	struct llist_node *all = llist_del_all(list), *last;

	if (!all || !all->next)
		return all;
	for (last = all->next; last->next; last = last->next)
		;
	llist_add_batch(all->next, last, list);
	return all;
}

static unsigned int class_of(stp_long size)
{
	return size <= 16 ? 4 : fls64(size - 1);
}

/* Take a block that was never used, above the @reserved bytes of globals. Return NULL if there is none. */
static char *take_new_block(unsigned int class, unsigned int reserved)
{
	int used = atomic_add_return(1 << class, &blocks_size);

	if (used <= (int)(STP_AREA_SIZE - ALIGN(reserved, UNIT)))
		return area + STP_AREA_SIZE - used;
	atomic_sub(1 << class, &blocks_size);
	return NULL;
}

static char *take_block(unsigned int class, unsigned int reserved)
{
	const struct llist_node *node = take_node(&free_blocks[class]);
	char *block = node ? area + (node - table->nodes) * UNIT : take_new_block(class, reserved);

	if (block)
		set_bit((block - area) / UNIT, table->taken);
	return block;
}

stp_long stp_scratch_block(struct stp_context *c, stp_long size, unsigned int reserved)
{
	unsigned int class = class_of(size);
	char *block = class < BLOCK_CLASSES ? take_block(class, reserved) : NULL;

	if (!block) {
		count_drop(DROP_VARIABLE);
		return 0;
	}
	memset(block, 0, size);
	return (stp_long)(unsigned long)block;
}

stp_long stp_scratch_dropped(struct stp_context *c, stp_long size)
{
	char *memory = c->scratch + STP_SCRATCH_SIZE;

	if (size > STP_DROPPED_SIZE) {
		stp_error(c, "no memory for a structure of %lld bytes", (long long)size);
		return 0;
	}
	memset(memory, 0, size);
	return (stp_long)(unsigned long)memory;
}

void stp_scratch_block_free(unsigned long address, stp_long size)
{
	unsigned long offset = address - (unsigned long)area;
	unsigned int class = class_of(size);

	if (offset < STP_AREA_SIZE && class < BLOCK_CLASSES && test_and_clear_bit(offset / UNIT, table->taken))
		llist_add(&table->nodes[offset / UNIT], &free_blocks[class]);
}

void stp_scratch_store(struct stp_context *c, unsigned long address, unsigned int size, stp_long value)
{
	char *to = owned(c, address, size);

	if (to)
		memcpy(to, &value, size);
}

void stp_scratch_store_bits(struct stp_context *c, unsigned long address, unsigned int size, unsigned int shift,
			    unsigned int width, stp_long value)
{
	stp_ulong mask = (~0ULL >> (64 - width)) << shift, unit = 0;
	char *to = owned(c, address, size);

	if (!to)
		return;
	memcpy(&unit, to, size);
	unit = (unit & ~mask) | (((stp_ulong)value << shift) & mask);
	memcpy(to, &unit, size);
}

void stp_scratch_store_text(struct stp_context *c, unsigned long address, stp_long size, const char *text, int fills)
{
	stp_long length = min_t(stp_long, strlen(text) + 1, size);
	char *to = owned(c, address, fills ? size : length);

	if (!to)
		return;
	memcpy(to, text, length);
	if (fills)
		memset(to + length, 0, size - length);
}

void stp_scratch_copy(struct stp_context *c, unsigned long from, unsigned long to, stp_long size, int of_user)
{
	char *start = owned(c, to, size);
	stp_long i;
	int fault = 0;

	for (i = 0; start && i < size; i++) {
		char byte = of_user ? stp_load_user(from + i, 1, &fault) : stp_load(from + i, 1, &fault);

		if (fault) {
			stp_fault(c, from + i);
			return;
		}
		start[i] = byte;
	}
}
