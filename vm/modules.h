/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the files of a kernel module and of all its dependencies. */
#ifndef SPILE_VM_MODULES_H
#define SPILE_VM_MODULES_H

#include <glib.h>

#include "vm/cache.h"

/**
 * Add the files of a module to @p paths (char *) in load order, dependencies first. Files already in the list and
 * modules built into the kernel are skipped.
 *
 * @param[in] name A name, or (with a '/') the path of a module's file.
 */
struct error *modules_resolve(const struct kernel *kernel, const char *name, GPtrArray *paths);

/** Read a module file; decompress it if it is compressed (.xz, .zst, .gz). */
struct error *module_read(const char *path, GBytes **content);

#endif
