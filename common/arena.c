// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arena: a list of chunks with a bump pointer, and a list of destructors for objects of other libraries. A request
 * larger than a chunk gets its own chunk.
 *
 * The first chunk is small, because most arenas are. Further chunks are mapped with all their pages (MAP_POPULATE),
 * since a page fault for each page would cost more than its use.
 */
#include "common/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

enum { FIRST_CHUNK = 64 * 1024, LARGEST_CHUNK = 1024 * 1024, ALIGNMENT = 16 };

struct chunk {
	struct chunk *next;
	size_t used;
	size_t size; /* of data */
	bool mapped; /* allocated by mmap(), not by g_malloc0() */
	char data[] __attribute__((aligned(ALIGNMENT)));
};

struct deferred {
	struct deferred *next;
	GDestroyNotify destroy;
	void *data;
};

struct arena {
	struct chunk *chunks;
	struct deferred *deferred;
};

struct arena *arena_new(void)
{
	return g_new0(struct arena, 1);
}

/* Allocate a chunk for @room bytes, all zero. */
static struct chunk *chunk_new(size_t room, bool first)
{
	size_t size = sizeof(struct chunk) + room;
	struct chunk *chunk = MAP_FAILED;

	if (!first)
		chunk = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (chunk == MAP_FAILED)
		chunk = g_malloc0(size);
	else
		chunk->mapped = true;
	chunk->size = room;
	return chunk;
}

static void chunk_free(struct chunk *chunk)
{
	if (chunk->mapped)
		munmap(chunk, sizeof(*chunk) + chunk->size);
	else
		g_free(chunk);
}

void arena_free(struct arena *arena)
{
	if (!arena)
		return;
	for (struct deferred *d = arena->deferred; d; d = d->next)
		d->destroy(d->data);
	while (arena->chunks) {
		struct chunk *next = arena->chunks->next;

		chunk_free(arena->chunks);
		arena->chunks = next;
	}
	g_free(arena);
}

void *arena_alloc(struct arena *arena, size_t size)
{
	struct chunk *chunk = arena->chunks;
	void *memory;

	size = (MAX(size, 1) + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
	if (!chunk || chunk->size - chunk->used < size) {
		size_t usual = chunk ? MIN(4 * (sizeof(*chunk) + chunk->size), (size_t)LARGEST_CHUNK) : FIRST_CHUNK;

		chunk = chunk_new(MAX(size, usual - sizeof(*chunk)), !chunk);
		chunk->next = arena->chunks;
		arena->chunks = chunk;
	}
	memory = chunk->data + chunk->used;
	chunk->used += size;
	return memory;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_alloc(arena, length + 1);

	memcpy(copy, text, length);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	return arena_strdup(arena, text);
}

void arena_defer(struct arena *arena, GDestroyNotify destroy, void *data)
{
	struct deferred *d = arena_new0(arena, struct deferred);

	d->destroy = destroy;
	d->data = data;
	d->next = arena->deferred;
	arena->deferred = d;
}

static void destroy_ptr_array(void *array)
{
	g_ptr_array_free(array, TRUE);
}

GPtrArray *arena_ptr_array(struct arena *arena)
{
	GPtrArray *array = g_ptr_array_new();

	arena_defer(arena, destroy_ptr_array, array);
	return array;
}

int compare_strings(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}
