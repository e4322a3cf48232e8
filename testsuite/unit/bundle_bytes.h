/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make bundles with any contents, for unit tests and fuzzers. stap would not write most of them. */
#ifndef SPILE_TEST_BUNDLE_BYTES_H
#define SPILE_TEST_BUNDLE_BYTES_H

#include <glib.h>
#include <string.h>
#include <zstd.h>

#include "bundle/format.h"

/* Append bytes as a frame of zstd, with the prefix @base (NULL: none). Return its size. */
static inline gsize append_frame(GByteArray *file, const void *data, gsize size, const void *base, gsize base_size)
{
	gsize bound = ZSTD_compressBound(size), stored, before = file->len;
	ZSTD_CCtx *context = ZSTD_createCCtx();

	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	if (base)
		ZSTD_CCtx_refPrefix(context, base, base_size);
	g_byte_array_set_size(file, (guint)(before + bound));
	stored = ZSTD_compress2(context, file->data + before, bound, data, size);
	g_assert_false(ZSTD_isError(stored));
	g_byte_array_set_size(file, (guint)(before + stored));
	ZSTD_freeCCtx(context);
	return stored;
}

/* Append the index and a trailer that fits. */
static inline void append_index(GByteArray *file, const void *index, gsize size)
{
	struct bundle_trailer trailer = {.version = BUNDLE_VERSION, .index_offset = file->len, .index_size = size};

	memcpy(trailer.magic, BUNDLE_MAGIC, sizeof(trailer.magic));
	trailer.index_stored = append_frame(file, index, size, NULL, 0);
	trailer.file_size = file->len + sizeof(trailer);
	g_byte_array_append(file, (const guint8 *)&trailer, sizeof(trailer));
}

#endif
