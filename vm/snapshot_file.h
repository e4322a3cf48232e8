/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Snapshot files in the cache; see snapshot_file.c. */
#ifndef SPILE_VM_SNAPSHOT_FILE_H
#define SPILE_VM_SNAPSHOT_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/error.h"

/**
 * Open a snapshot after checking that it is trusted and complete. Return ERROR_LOOKUP if it does not exist.
 *
 * @param[in] memory The expected size of the guest's memory, with which the file begins.
 * @param[out] fd Positioned at the state of the devices.
 */
struct error *snapshot_file_open(const char *path, uint64_t memory, int *fd);

/** Verify the checksums. Reads the whole file, about 20 ms for a freshly booted guest. */
struct error *snapshot_file_check(int fd);

/** Create an unnamed file in a directory, which is created if necessary. The file is deleted when it is closed. */
struct error *snapshot_file_create(const char *directory, int *fd);

/** Write a snapshot from two files with the guest's memory and the state of the devices. */
struct error *snapshot_file_write(int fd, int memory, int devices);

/** Give the file its name, and remove the least recently used snapshots above the size limit. */
struct error *snapshot_file_publish(int fd, const char *path);

#endif
