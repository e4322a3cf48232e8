/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arenas: memory that is freed as a whole, at the end of a translation. Out of memory aborts the program, as in GLib.
 */
#ifndef SPILE_COMMON_ARENA_H
#define SPILE_COMMON_ARENA_H

#include <glib.h>
#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *arena);

/** Allocate zeroed memory, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t size);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Make a growable pointer array that is freed with the arena. Its elements are not freed. */
GPtrArray *arena_ptr_array(struct arena *arena);

/** Compare two elements of an array of const char *, for g_ptr_array_sort() or qsort(). */
int compare_strings(gconstpointer a, gconstpointer b);

/** Call @p destroy(@p data) when the arena is freed, in reverse order of registration. */
void arena_defer(struct arena *arena, GDestroyNotify destroy, void *data);

#define arena_new0(arena, type) ((type *)arena_alloc((arena), sizeof(type)))

/* for_each_ptr(struct expr *, item, array) { ... } over a GPtrArray that may be NULL; break and continue work. */
#define for_each_ptr(type, item, array)                                                                                \
	for (const GPtrArray *item##_array = (array); item##_array; item##_array = NULL)                               \
		for (guint item##_index = 0, item##_keep = 1; item##_keep && item##_index < item##_array->len;         \
		     item##_keep = !item##_keep, item##_index++)                                                       \
			for (type item = g_ptr_array_index(item##_array, item##_index); item##_keep;                   \
			     item##_keep = !item##_keep)

#endif
