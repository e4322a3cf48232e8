// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Drivers for several kernels: the same command line, translated once for each. Hosts (hosts.c) and bundles (bundles.c)
 * need them.
 */
#include "translator/drivers.h"

#include <string.h>

#include "translator/script_cache.h"

/*
 * Make the driver for another kernel. The first kernel uses @first, the driver of the command line; later ones get a
 * copy of its options. @ret is not set if the kernel is not on this machine.
 */
static struct error *new_driver(struct driver *first, const GPtrArray *drivers, const char *release,
				struct driver **ret)
{
	struct driver *d = first;
	struct error *error;

	if (drivers->len) {
		d = arena_new0(first->t.arena, struct driver);
		d->options = first->options;
		d->argc = first->argc;
		d->argv = first->argv;
		d->t.arena = arena_new();
		driver_init(d, first->t.cache_directory);
		known_begin(&d->t, d->argc, d->argv);
	}
	d->options.release = release;
	error = driver_find_kernel(d);
	if (error && d != first)
		driver_finish(d);
	else if (!error)
		*ret = d;
	return error;
}

struct error *drivers_find(struct driver *first, GPtrArray *drivers, const char *release, struct driver **ret)
{
	struct driver *d = NULL;
	struct error *error;

	for_each_ptr(struct driver *, other, drivers) {
		if (g_strcmp0(other->options.release, release) && g_strcmp0(other->t.kernel.release, release))
			continue;
		*ret = other;
		return NULL;
	}
	error = new_driver(first, drivers, release, &d);
	if (error)
		return error;
	for_each_ptr(struct driver *, other, drivers) {
		if (strcmp(other->kernel_argument, d->kernel_argument))
			continue;
		driver_finish(d);
		*ret = other;
		return NULL;
	}
	g_ptr_array_add(drivers, d);
	*ret = d;
	return NULL;
}

void drivers_finish(struct driver *first, GPtrArray *drivers)
{
	for_each_ptr(struct driver *, other, drivers)
		if (other != first)
			driver_finish(other);
}
