/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entries of return probes. */
#ifndef SPILE_RUNTIME_PROBES_KRETPROBE_H
#define SPILE_RUNTIME_PROBES_KRETPROBE_H

#include <linux/kprobes.h>

#include "runtime/core/internal.h"

/** Run an entry handler and mark its instance_data, whose values are the context's entry_values, as valid. */
void run_entry(struct stp_context *c);
/** Return how many concurrent calls a return probe handles unless the script says .maxactive(). */
SHARED int default_maxactive(void);

/* A registered kretprobe. */
struct armed_kretprobe {
	struct kretprobe kretprobe;
	const struct stp_probe *probe;
	struct armed_kretprobe *next; /* in the list of those to watch */
	bool is_watched; /* its kprobe stays disabled; the callback in function.c handles its entries */
};

/** Take the next kretprobe whose entries ftrace must handle from the list; NULL if it is empty. */
struct armed_kretprobe *kretprobe_to_watch(void);
/** Return the length of that list. */
unsigned int kretprobes_to_watch(void);
/** Let the kretprobe's own kprobe handle its entries, because ftrace cannot. */
void kretprobe_watch_itself(struct armed_kretprobe *armed);
/** Rearm the family. The entries of removed ones are no longer handled; new ones are added to the list. */
void kretprobes_rearm(void);

#endif
