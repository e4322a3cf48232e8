/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that are probed by a kprobe, because ftrace has no call site there. */
#ifndef SPILE_RUNTIME_PROBES_KPROBE_H
#define SPILE_RUNTIME_PROBES_KPROBE_H

#include "runtime/core/internal.h"

/** Have a function probe armed by a kprobe, because ftrace has no call site there. */
void kprobe_adopt_function(unsigned int index);
bool kprobe_has_adopted(const struct stp_probe *probe);

#endif
