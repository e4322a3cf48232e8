// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shared texts, functions and stacks. A script with 50,000 stacks has a million frames, but some thousand functions.
 */
#include "report/pool.h"

#include <string.h>

#include "common/arena.h"

struct pool {
	struct arena *arena;
	GHashTable *texts, *functions, *stacks, *shapes;
	GByteArray *candidate; /* for pool_stack() */
};

static guint hash_bytes(guint hash, const void *bytes, size_t length)
{
	const unsigned char *at = bytes;

	while (length--)
		hash = hash * 33 + *at++;
	return hash;
}

static guint hash_pointer(guint hash, const void *pointer)
{
	return hash * 31 + (guint)((guintptr)pointer >> 4);
}

static guint text_hash(gconstpointer data)
{
	const struct text *text = data;

	return hash_bytes(5381, text->bytes, text->length);
}

static gboolean text_equal(gconstpointer a, gconstpointer b)
{
	const struct text *one = a, *two = b;

	return one->length == two->length && !memcmp(one->bytes, two->bytes, one->length);
}

static guint function_hash(gconstpointer data)
{
	const struct function *function = data;
	guint hash = function->kind * 2 + function->is_inlined;

	return hash_pointer(hash_pointer(hash_pointer(hash, function->name), function->object), function->file);
}

static gboolean function_equal(gconstpointer a, gconstpointer b)
{
	const struct function *one = a, *two = b;

	return one->name == two->name && one->object == two->object && one->file == two->file &&
	       one->kind == two->kind && one->is_inlined == two->is_inlined;
}

static guint shape_hash(gconstpointer data)
{
	const struct stack *stack = data;
	guint hash = stack->count;

	for (guint i = 0; i < stack->count; i++)
		hash = hash_pointer(hash, stack->frames[i].function);
	return hash;
}

static gboolean shape_equal(gconstpointer a, gconstpointer b)
{
	const struct stack *one = a, *two = b;

	if (one->count != two->count)
		return FALSE;
	for (guint i = 0; i < one->count; i++)
		if (one->frames[i].function != two->frames[i].function)
			return FALSE;
	return TRUE;
}

static gboolean stack_equal(gconstpointer a, gconstpointer b)
{
	const struct stack *one = a, *two = b;

	if (!shape_equal(a, b))
		return FALSE;
	for (guint i = 0; i < one->count; i++)
		if (one->frames[i].line != two->frames[i].line || one->frames[i].address != two->frames[i].address ||
		    one->frames[i].offset != two->frames[i].offset)
			return FALSE;
	return TRUE;
}

static guint stack_hash(gconstpointer data)
{
	const struct stack *stack = data;
	guint hash = shape_hash(data);

	for (guint i = 0; i < stack->count; i++)
		hash = hash_pointer(hash, stack->frames[i].address) + (guint)stack->frames[i].line;
	return hash;
}

struct pool *pool_new(void)
{
	struct pool *pool = g_new0(struct pool, 1);

	pool->arena = arena_new();
	pool->texts = g_hash_table_new(text_hash, text_equal);
	pool->functions = g_hash_table_new(function_hash, function_equal);
	pool->stacks = g_hash_table_new(stack_hash, stack_equal);
	pool->shapes = g_hash_table_new(shape_hash, shape_equal);
	pool->candidate = g_byte_array_new();
	return pool;
}

void pool_free(struct pool *pool)
{
	g_hash_table_destroy(pool->texts);
	g_hash_table_destroy(pool->functions);
	g_hash_table_destroy(pool->stacks);
	g_hash_table_destroy(pool->shapes);
	g_byte_array_free(pool->candidate, TRUE);
	arena_free(pool->arena);
	g_free(pool);
}

void pool_defer(struct pool *pool, GDestroyNotify destroy, void *data)
{
	arena_defer(pool->arena, destroy, data);
}

void *pool_alloc(struct pool *pool, size_t size)
{
	return arena_alloc(pool->arena, size);
}

GPtrArray *pool_ptr_array(struct pool *pool)
{
	return arena_ptr_array(pool->arena);
}

static void free_array(gpointer array)
{
	g_array_free(array, TRUE);
}

GArray *pool_array(struct pool *pool, size_t element_size)
{
	GArray *array = g_array_new(FALSE, TRUE, element_size);

	arena_defer(pool->arena, free_array, array);
	return array;
}

const struct text *pool_text(struct pool *pool, const char *bytes, size_t length)
{
	/* Search with a copy that is on the stack if it is short. */
	char small[512] __attribute__((aligned(__alignof__(struct text))));
	struct text *text = length < sizeof(small) - sizeof(*text) ? (struct text *)small
								   : pool_alloc(pool, sizeof(*text) + length + 1);
	const struct text *found;

	text->length = length;
	memcpy(text->bytes, bytes, length);
	text->bytes[length] = '\0';
	found = g_hash_table_lookup(pool->texts, text);
	if (found)
		return found;
	if (text == (struct text *)small) {
		text = pool_alloc(pool, sizeof(*text) + length + 1);
		memcpy(text, small, sizeof(*text) + length + 1);
	}
	g_hash_table_add(pool->texts, text);
	return text;
}

const struct function *pool_function(struct pool *pool, const struct function *function)
{
	struct function *found = g_hash_table_lookup(pool->functions, function);

	if (found)
		return found;
	found = pool_alloc(pool, sizeof(*found));
	*found = *function;
	found->number = g_hash_table_size(pool->functions);
	g_hash_table_add(pool->functions, found);
	return found;
}

const struct stack *pool_stack(struct pool *pool, const struct frame *frames, guint count)
{
	size_t size = sizeof(struct stack) + count * sizeof(*frames);
	struct stack *stack, *found;

	g_byte_array_set_size(pool->candidate, size);
	stack = (struct stack *)pool->candidate->data;
	stack->count = count;
	if (count)
		memcpy(stack->frames, frames, count * sizeof(*frames));
	found = g_hash_table_lookup(pool->stacks, stack);
	if (found)
		return found;
	stack = memcpy(pool_alloc(pool, size), stack, size);
	found = g_hash_table_lookup(pool->shapes, stack);
	stack->shape = found ?: stack;
	if (!found)
		g_hash_table_add(pool->shapes, stack);
	g_hash_table_add(pool->stacks, stack);
	return stack;
}
