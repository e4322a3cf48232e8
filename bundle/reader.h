/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read bundles; see reader.c. */
#ifndef SPILE_BUNDLE_READER_H
#define SPILE_BUNDLE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bundle/format.h"
#include "common/base/error.h"
#include "common/base/foreign.h"

/* Strings of the index, in order; they belong to the bundle. */
struct bundle_texts {
	const char **texts;
	unsigned int count;
};

struct bundle_blob {
	uint64_t offset, stored, size;
	int base; /* number of an earlier blob, or -1 */
};

struct bundle_module {
	struct release release;
	struct build_id build_id; /* of the kernel; "" if unknown */
	struct machine_name machine;
	unsigned int blob;
	struct bundle_texts notes;
};

struct bundle {
	int fd;
	const char *name; /* for messages */
	uint64_t size; /* without signature and footer */
	char *index;
	const char *spile, *script; /* "" if the index has none */
	int64_t text; /* number of a blob; -1: the bundle has no script text */
	struct bundle_texts options, arguments;
	struct bundle_blob *blobs;
	struct bundle_module *modules;
	unsigned int blob_count, module_count;
	unsigned char signature[BUNDLE_SIGNATURE_LIMIT];
	size_t signature_size; /* 0: not signed */
};

/**
 * Read the index of a bundle, which is not trusted.
 *
 * @param[in] fd The file, which must stay open as long as the bundle. Its offset is neither used nor changed.
 * @param[in] name The file's name for messages; borrowed.
 * @param[out] ret Valid on success; release with bundle_close().
 * @return ERROR_LOOKUP if the file is not a bundle at all, ERROR_UNSUPPORTED if it is damaged or of a newer version.
 */
struct error *bundle_open(int fd, const char *name, struct bundle *ret);
void bundle_close(struct bundle *bundle);

/** Decompress a blob. The contents of the file are checked, and the result has a NUL after it. The caller frees it. */
struct error *bundle_extract(const struct bundle *bundle, unsigned int blob, char **data, size_t *size);

/** Read the part of the file that is signed. The caller frees it. */
struct error *bundle_read_signed(const struct bundle *bundle, char **data);

#endif
