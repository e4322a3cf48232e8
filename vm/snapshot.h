/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Guests that begin where another had just booted; see snapshot.c. */
#ifndef SPILE_VM_SNAPSHOT_H
#define SPILE_VM_SNAPSHOT_H

#include "vm/qemu.h"

struct snapshot;

/** Which snapshot fits a guest. An error: guests like this one can only be booted. */
struct error *snapshot_new(const struct kernel *kernel, const struct guest_options *options, struct snapshot **ret);

/**
 * Start a guest from the snapshot: its agent has said hello and waits. ERROR_LOOKUP: there is none. Another error: it
 * was no use, and is dropped.
 */
struct error *snapshot_restore(struct snapshot *snapshot, struct qemu *qemu);

/** Start a guest by booting it, such that a snapshot can be taken. */
struct error *snapshot_boot(struct snapshot *snapshot, struct qemu *qemu);

/** Take the snapshot of a guest whose agent has just said hello, and have the guest go on, even after an error. */
struct error *snapshot_take(struct snapshot *snapshot, struct qemu *qemu);

/** The snapshot was no use: another is made next time. */
void snapshot_drop(const struct snapshot *snapshot);

void snapshot_free(struct snapshot *snapshot);

#endif
