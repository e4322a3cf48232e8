/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading and removing kernel modules; see module.c. */
#ifndef SPILE_STAPRUN_MODULE_H
#define SPILE_STAPRUN_MODULE_H

#include <stdbool.h>
#include <stddef.h>

#include "staprun/info.h"
#include "staprun/privilege.h"

/** A module file in memory. What was checked is what is loaded, whatever happens to the file meanwhile. */
struct module_image {
	const char *path; /* as module_read() was told */
	char *data;
	size_t size;
};

/**
 * Read a module file.
 *
 * @param[in] name A path (with '/' or ending in ".ko"), or the name of a module in /lib/modules/RELEASE/systemtap.
 * @param[in] access What the user may load.
 */
struct error *module_read(const char *name, enum access access, struct module_image *image);

/**
 * Load, with parameters of the module; on failure the error has what the kernel logged, if the user may see that.
 * EEXIST is in error->errnum.
 */
struct error *module_load(const struct module_image *image, const struct module_info *info, const char *parameters,
			  enum access access);

/** Remove a module, waiting a while if it is busy. A module that is gone already is a success. */
struct error *module_remove(const char *name);

/** Open the folder in debugfs of a module of ours that is loaded. */
struct error *module_open_folder(const char *name, int *ret);

/** Is it one of ours, with nobody driving it, and not left to itself? Only meaningful under the lock (lock.h). */
bool module_is_unused(const char *name);

/** Remove all modules of ours that are unused. Under the lock. Returns how many could not be removed. */
unsigned int module_remove_unused(void);

#endif
