/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that owns a guest; see hub.c. */
#ifndef SPILE_VM_HUB_H
#define SPILE_VM_HUB_H

#include <sys/types.h>

#include "vm/qemu.h"

struct hub_options {
	const struct kernel *kernel;
	struct guest_options guest;
	int files; /* from initramfs_pack(): the guest's own */
	bool snapshot; /* may the guest come from one? */
	int console_file; /* where the console is copied, or -1 */
	const char *socket; /* path for later clients; NULL: the guest goes with its first client */
};

/**
 * Start a guest in a process of its own.
 *
 * @param[out] pid The hub's process; it ends soon after the first client hangs up if there is no socket.
 * @param[out] fd The first client's connection (see client.h).
 */
struct error *hub_start(const struct hub_options *options, pid_t *pid, int *fd);

#endif
