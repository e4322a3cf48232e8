/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file "globals". */
#ifndef SPILE_RUNTIME_CONTROL_SNAPSHOT_H
#define SPILE_RUNTIME_CONTROL_SNAPSHOT_H

struct dentry;

int snapshot_create(struct dentry *directory);

#endif
