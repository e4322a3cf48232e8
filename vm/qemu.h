/* SPDX-License-Identifier: GPL-2.0-or-later */
/* QEMU as a child process, with descriptors for the guest's console and the agent's port. */
#ifndef SPILE_VM_QEMU_H
#define SPILE_VM_QEMU_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "vm/cache.h"

/** Guest settings chosen by the user. */
struct guest_options {
	unsigned int cpus;
	const char *memory; /* in the format of QEMU's -m */
	int initrd; /* from initramfs_base() */
	bool virtual_time; /* the clock counts instructions; requires one CPU and is always emulated */
};

/** A file that backs the guest's memory, so that a snapshot can be taken or restored. */
struct qemu_memory {
	int file;
	uint64_t size; /* the size that options->memory specifies */
	bool restore; /* map the file privately, and wait for the state of the devices before running */
};

struct qemu {
	pid_t pid;
	int console; /* read end of the serial console and of QEMU's own messages */
	int port; /* stream socket to the agent */
	int monitor; /* QMP socket, used with a struct qemu_memory; all three are non-blocking */
};

/**
 * Start QEMU with the best accelerator that works on this host.
 *
 * @param[in] memory NULL: QEMU allocates the memory.
 */
struct error *qemu_start(const struct kernel *kernel, const struct guest_options *options,
			 const struct qemu_memory *memory, struct qemu *qemu);

/** Return the command line of a guest whose memory is a file, for the key of a snapshot. Free with g_free(). */
char *qemu_description(const struct kernel *kernel, const struct guest_options *options, uint64_t memory);

/** Kill QEMU, reap it and close the descriptors. */
void qemu_end(struct qemu *qemu);

/**
 * Determine once per boot of the host whether KVM works, that is, whether a kernel prints something within 5 seconds.
 * The result is stored in the cache. SPILE_ACCEL=tcg or kvm overrides it.
 */
void qemu_probe_kvm(const struct kernel *kernel, const struct guest_options *options);

#endif
