/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Snapshots of guests in the cache, as files; see snapshot_file.c. */
#ifndef SPILE_VM_SNAPSHOT_FILE_H
#define SPILE_VM_SNAPSHOT_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "translator/util/error.h"

/**
 * Open a snapshot, if it is there (ERROR_LOOKUP: it is not), may be trusted and looks whole.
 *
 * @param[in] memory The size of the guest's memory, which the file begins with.
 * @param[out] fd Where it is read next is the state of the devices.
 */
struct error *snapshot_file_open(const char *path, uint64_t memory, int *fd);

/** Is all as it was written? Reads everything: some 20 ms for a guest that has just booted. */
struct error *snapshot_file_check(int fd);

/** A new file in a folder, which is made if need be. It has no name, and is gone when it is closed. */
struct error *snapshot_file_create(const char *folder, int *fd);

/** Write a snapshot: the guest's memory and the state of the devices, from a file each. */
struct error *snapshot_file_write(int fd, int memory, int devices);

/** Give it its name, and remove what was used least recently if there is too much in the folder. */
struct error *snapshot_file_publish(int fd, const char *path);

#endif
