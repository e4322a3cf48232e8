/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files make up a kernel module with everything it depends on. */
#ifndef SPILE_VM_MODULES_H
#define SPILE_VM_MODULES_H

#include <glib.h>

#include "vm/cache.h"

/**
 * Add the files of a module to @p paths (char *) in the order of loading, dependencies first. Files that are there
 * already and modules built into the kernel add nothing.
 *
 * @param[in] name A name, or (with a '/') the path of a module's file.
 */
struct error *modules_resolve(const struct kernel *kernel, const char *name, GPtrArray *paths);

/** A module's content, unpacked if its file is compressed (.xz, .zst, .gz). */
struct error *module_read(const char *path, GBytes **content);

#endif
