// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Drivers for several kernels: the same command line, translated once for each. Hosts (hosts.c), bundles
 * (bundles.c) and --lint (lint.c) need them.
 */
#include "translator/drivers.h"

#include <string.h>

#include "common/release.h"
#include "common/base/i18n.h"
#include "translator/kernel_choice.h"
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

/* Add the drivers of all kernels on this machine that match a pattern. */
static struct error *find_matching(struct driver *first, GPtrArray *drivers, const char *pattern)
{
	GPtrArray *releases = matching_kernels(&first->t, &first->options, pattern);
	struct error *error = NULL;
	struct driver *d = NULL;

	if (!releases->len)
		return error_with_hint(error_new(ERROR_LOOKUP, _("-r '%s' matches no kernel on this machine"), pattern),
				       _("run 'stap-vm fetch RELEASE' for each kernel"));
	for_each_ptr(const char *, release, releases)
		error = error ?: drivers_find(first, drivers, release, &d);
	return error;
}

struct error *drivers_find_named(struct driver *first, GPtrArray *drivers, const char *name)
{
	struct driver *d = NULL;

	return strpbrk(name, "*?[") ? find_matching(first, drivers, name) : drivers_find(first, drivers, name, &d);
}

static int compare_releases(gconstpointer a, gconstpointer b)
{
	const struct driver *one = *(const struct driver *const *)a, *other = *(const struct driver *const *)b;

	return release_compare(one->t.kernel.release, other->t.kernel.release);
}

void drivers_sort(GPtrArray *drivers)
{
	g_ptr_array_sort(drivers, compare_releases);
}

void drivers_finish(struct driver *first, GPtrArray *drivers)
{
	for_each_ptr(struct driver *, other, drivers)
		if (other != first)
			driver_finish(other);
}
