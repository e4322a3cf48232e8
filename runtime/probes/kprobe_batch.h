/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kprobes or kretprobes that were armed together. */
#ifndef SPILE_RUNTIME_PROBES_KPROBE_BATCH_H
#define SPILE_RUNTIME_PROBES_KPROBE_BATCH_H

#include <linux/kprobes.h>

#include "runtime/core/internal.h"

/* Kprobes that were armed together: at the start, or when a module was loaded. */
struct kprobe_batch {
	struct kprobe_batch *next;
	void *slots; /* array of struct armed_kprobe or armed_kretprobe */
	void **pointers; /* to the armed struct kprobe or kretprobe, for unregister_kprobes() */
	unsigned int count;
};

/** Allocate a batch of @p size slots. Return NULL without memory. */
struct kprobe_batch *new_kprobe_batch(unsigned int size, size_t slot_size);
void free_kprobe_batch(struct kprobe_batch *batch);
/** Set the place of the breakpoint, and keep it disabled until switch_kprobe(). Return 0 or an errno. */
int place_kprobe(struct kprobe *kprobe, const struct stp_probe *probe);
/** Enable or disable a kprobe as probe_is_wanted() says. */
void switch_kprobe(struct kprobe *kprobe, const struct stp_probe *probe);
/**
 * Move the kprobes in unloaded modules to the end of the pointers, to be unregistered. Return how many stay. This also
 * works for kretprobes, which begin with a kprobe.
 */
unsigned int part_from_gone(struct kprobe_batch *batch);

#endif
