/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Start guests from a snapshot of a freshly booted guest; see snapshot.c. */
#ifndef SPILE_VM_SNAPSHOT_H
#define SPILE_VM_SNAPSHOT_H

#include "vm/qemu.h"

struct snapshot;

/** Compute which snapshot matches a guest. Return an error if guests like this one cannot use snapshots. */
struct error *snapshot_new(const struct kernel *kernel, const struct guest_options *options, struct snapshot **ret);

/**
 * Start a guest from the snapshot, in the state after its agent has sent HELLO. Return ERROR_LOOKUP if the snapshot
 * does not exist. After any other error, the snapshot was unusable and is deleted.
 */
struct error *snapshot_restore(struct snapshot *snapshot, struct qemu *qemu);

/** Boot a guest in a way that allows taking a snapshot. */
struct error *snapshot_boot(struct snapshot *snapshot, struct qemu *qemu);

/** Take the snapshot of a guest whose agent has just sent HELLO. The guest continues even after an error. */
struct error *snapshot_take(struct snapshot *snapshot, struct qemu *qemu);

/** Delete an unusable snapshot, so that the next guest creates another. */
void snapshot_drop(const struct snapshot *snapshot);

void snapshot_free(struct snapshot *snapshot);

#endif
