/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared texts, functions and stacks; see recording.h. */
#ifndef SPILE_REPORT_POOL_H
#define SPILE_REPORT_POOL_H

#include "report/recording.h"

/** Return the one copy of a text. */
const struct text *pool_text(struct pool *pool, const char *bytes, size_t length);

/** Return the one copy of a function; its number is set. */
const struct function *pool_function(struct pool *pool, const struct function *function);

/** Return the one copy of a stack of @p count frames. */
const struct stack *pool_stack(struct pool *pool, const struct frame *frames, guint count);

/** Allocate zeroed memory that is freed with the pool. */
void *pool_alloc(struct pool *pool, size_t size);

/** Call @p destroy(@p data) when the pool is freed. */
void pool_defer(struct pool *pool, GDestroyNotify destroy, void *data);

/** Make an array of pointers that is freed with the pool. */
GPtrArray *pool_ptr_array(struct pool *pool);
/** Make an array that is freed with the pool. */
GArray *pool_array(struct pool *pool, size_t element_size);

#endif
