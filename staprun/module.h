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
	bool is_signed; /* for that alone the user may load it: it says for whom it was made (module_info) */
};

/**
 * Read a module file.
 *
 * @param[in] name A path (with '/' or ending in ".ko"), or the name of a module in /lib/modules/RELEASE/systemtap.
 * @param[in] access What the user may load.
 */
struct error *module_read(const char *name, enum access access, struct module_image *image);

/** The same for who only wants to look, and has no privileges left to lend. */
struct error *module_look(const char *name, struct module_image *image);

/**
 * Load, with parameters of the module; on failure the error has what the kernel logged, if the user may see that.
 * EEXIST is in error->errnum.
 */
struct error *module_load(const struct module_image *image, const struct module_info *info, const char *parameters,
			  enum access access);

/** Remove a module, waiting a while if it is busy. A module that is gone already is a success. */
struct error *module_remove(const char *name);

/** The same without waiting. @p is_busy: somebody still uses it, and the error says so. */
struct error *module_remove_once(const char *name, bool *is_busy);

struct module_removal {
	/** One attempt, under the lock, with module_remove_once(). */
	struct error *(*attempt)(void *data, bool *is_busy);
	void *data;
};

/**
 * Take the lock, attempt, and release it, again and again for a while if the module is busy. Who keeps it so, which a
 * user may by a file that a process of his was given, keeps nobody from loading meanwhile.
 */
struct error *module_remove_with_lock(const struct module_removal *removal);

/** Open the folder in debugfs of a module of ours that is loaded. */
struct error *module_open_folder(const char *name, int *ret);

/** Is it one of ours, with nobody driving it, and not left to itself? Only meaningful under the lock (lock.h). */
bool module_is_unused(const char *name);

/** Remove all modules of ours that are unused. Under the lock. Returns how many could not be removed. */
unsigned int module_remove_unused(void);

#endif
