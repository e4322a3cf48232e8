/* SPDX-License-Identifier: GPL-2.0-or-later */
/* QEMU as a child process, with the guest's console and the agent's port as descriptors. */
#ifndef SPILE_VM_QEMU_H
#define SPILE_VM_QEMU_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "vm/cache.h"

/** What the user chose about a guest. */
struct guest_options {
	unsigned int cpus;
	const char *memory; /* as QEMU's -m takes it */
	int initrd; /* from initramfs_base() */
	bool virtual_time; /* the clock counts instructions; takes one processor, and is always emulated */
};

/** A guest's memory as a file, so that it can be kept. */
struct qemu_memory {
	int file;
	uint64_t size; /* as options->memory says */
	bool restore; /* a private copy is made of what changes, and QEMU waits for the state of the devices */
};

struct qemu {
	pid_t pid;
	int console; /* read end: the serial console and QEMU's own messages */
	int port; /* stream socket to the agent */
	int monitor; /* for QMP, with a struct qemu_memory; all three are non-blocking */
};

/**
 * Start QEMU with the best accelerator that works on this host.
 *
 * @param[in] memory NULL: QEMU has it to itself.
 */
struct error *qemu_start(const struct kernel *kernel, const struct guest_options *options,
			 const struct qemu_memory *memory, struct qemu *qemu);

/** The command line of a guest whose memory is a file, as a text; free with g_free(). */
char *qemu_description(const struct kernel *kernel, const struct guest_options *options, uint64_t memory);

/** Kill QEMU, wait for its end and close the descriptors. */
void qemu_end(struct qemu *qemu);

/**
 * Find out, once per boot of the host, whether KVM works: a kernel must say something within seconds. The answer is
 * kept in the cache. SPILE_ACCEL=tcg or kvm overrides it.
 */
void qemu_probe_kvm(const struct kernel *kernel, const struct guest_options *options);

#endif
