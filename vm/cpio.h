/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A writer of cpio archives in the "newc" format. The kernel unpacks them as its initial root
 * (Documentation/driver-api/early-userspace/buffer-format.rst), and busybox's cpio as a stream.
 */
#ifndef SPILE_VM_CPIO_H
#define SPILE_VM_CPIO_H

#include <glib.h>
#include <stdio.h>
#include <sys/types.h>

struct cpio {
	FILE *file;
	unsigned int inode; /* of the last entry */
	GHashTable *members; /* paths already in the archive */
};

/** Start an archive. The caller still owns @p file. */
struct cpio *cpio_new(FILE *file);

/**
 * Add a member and its parent directories. A path that was added before is skipped.
 *
 * @param[in] path In the guest; absolute.
 * @param[in] mode Type and permissions as in stat(2). A symbolic link's data is its target.
 */
void cpio_add(struct cpio *cpio, const char *path, mode_t mode, dev_t device, const void *data, size_t length);

/** Write the trailer and free the writer. Check for write errors with ferror() and fflush() on the file. */
void cpio_finish(struct cpio *cpio);

#endif
