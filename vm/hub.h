/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hub: the process that owns a guest; see hub.c. */
#ifndef SPILE_VM_HUB_H
#define SPILE_VM_HUB_H

#include <sys/types.h>

#include "vm/qemu.h"

struct hub_options {
	const struct kernel *kernel;
	struct guest_options guest;
	int files; /* from initramfs_pack(): the files of this guest only */
	bool snapshot; /* the guest may be restored from a snapshot */
	int console_file; /* receives a copy of the console, or -1 */
	const char *socket; /* path for later clients; NULL: the guest ends with its first client */
};

/**
 * Start a guest in a separate process.
 *
 * @param[out] pid The hub's process. Without a socket, it ends soon after the first client disconnects.
 * @param[out] fd The first client's connection (see client.h).
 */
struct error *hub_start(const struct hub_options *options, pid_t *pid, int *fd);

#endif
