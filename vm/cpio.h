/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A writer of cpio archives in the "newc" format, which the kernel unpacks as its initial root (Documentation/
 * driver-api/early-userspace/buffer-format.rst) and busybox's cpio as a stream.
 */
#ifndef SPILE_VM_CPIO_H
#define SPILE_VM_CPIO_H

#include <glib.h>
#include <stdio.h>
#include <sys/types.h>

struct cpio {
	FILE *file;
	unsigned int inode; /* of the last entry */
	GHashTable *members; /* paths that are in the archive already */
};

/** Start an archive; @p file stays the caller's. */
struct cpio *cpio_new(FILE *file);

/**
 * Add a member, with the folders above it. A path that was added before is left alone.
 *
 * @param[in] path In the guest; absolute.
 * @param[in] mode Type and permissions as in stat(2). A symbolic link's data is its target.
 */
void cpio_add(struct cpio *cpio, const char *path, mode_t mode, dev_t device, const void *data, size_t length);

/** Write the end mark and free the writer. Failed writes show in ferror() and fflush() of the file. */
void cpio_finish(struct cpio *cpio);

#endif
