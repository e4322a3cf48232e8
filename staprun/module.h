/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Load and remove kernel modules; see module.c. */
#ifndef SPILE_STAPRUN_MODULE_H
#define SPILE_STAPRUN_MODULE_H

#include <stdbool.h>
#include <stddef.h>

#include "staprun/info.h"
#include "staprun/privilege.h"

/** A module file in memory. The bytes that were checked are the ones loaded, even if the file changes in between. */
struct module_image {
	const char *path; /* as passed to module_read() */
	char *data;
	size_t size;
	bool is_signed; /* the user may load it only because of its signature; check the group in module_info */
};

/**
 * Read a module file.
 *
 * @param[in] name A path (with '/' or ending in ".ko"), or the name of a module in /lib/modules/RELEASE/systemtap.
 * @param[in] access What the user may load.
 */
struct error *module_read(const char *name, enum access access, struct module_image *image);

/** Read a module file with the current identity. For a caller that only inspects it and has dropped its privileges. */
struct error *module_look(const char *name, struct module_image *image);

/**
 * Load a module with parameters. On failure the error includes what the kernel logged, if the user may read the log.
 * error->errnum is EEXIST if the name is in use.
 */
struct error *module_load(const struct module_image *image, const struct module_info *info, const char *parameters,
			  enum access access);

/** Remove a module; retry for up to 5 seconds while it is busy. Succeed if the module is already gone. */
struct error *module_remove(const char *name);

/** Try once to remove a module. @p is_busy reports that the module is still in use, as the error does. */
struct error *module_remove_once(const char *name, bool *is_busy);

struct module_removal {
	/** Try once to remove, with module_remove_once(). Called with the lock held. */
	struct error *(*attempt)(void *data, bool *is_busy);
	void *data;
};

/**
 * Take the lock, call the attempt and release the lock; retry for up to 5 seconds while the module is busy. The lock is
 * free between attempts, because a user can keep a module busy with a descriptor and must not block other loads.
 */
struct error *module_remove_with_lock(const struct module_removal *removal);

/** Open the debugfs directory of a loaded script module. */
struct error *module_open_directory(const char *name, int *ret);

/**
 * Return whether this is a script module that is neither driven by a process nor left running (-L). The caller must
 * hold the lock (lock.h).
 */
bool module_is_unused(const char *name);

/** Remove all unused script modules; the caller must hold the lock. Return how many could not be removed. */
unsigned int module_remove_unused(void);

#endif
