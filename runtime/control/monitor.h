/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file "monitor". */
#ifndef SPILE_RUNTIME_CONTROL_MONITOR_H
#define SPILE_RUNTIME_CONTROL_MONITOR_H

#include "runtime/core/internal.h"

struct dentry;

int monitor_create(struct dentry *directory);

#endif
