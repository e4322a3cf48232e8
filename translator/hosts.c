// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --remote: hosts with different kernels. The script is translated once for each kernel, by a driver of its own; then
 * all hosts run it at once.
 */
#include "translator/hosts.h"

#include <stdio.h>
#include <string.h>

#include "common/base/i18n.h"
#include "translator/drivers.h"

/* Choose the driver for a host: the kernel of its --remote, of -r, or else the one that the host reports. */
static struct error *choose_driver(struct driver *first, GPtrArray *drivers, const char *wanted,
				   const struct remote *remote, struct driver **ret)
{
	const char *running = *remote->release.text ? remote->release.text : NULL;
	struct error *error = drivers_find(first, drivers, remote->kernel ?: wanted ?: running, ret);

	if (!error && running && strcmp(running, (*ret)->t.kernel.release))
		return error_with_hint(error_new(ERROR_OTHER, _("the host runs kernel %s, but -r selects %s"), running,
						 (*ret)->t.kernel.release),
				       _("omit -r to translate the script for the kernel of each host"));
	if (!error && remote->architecture && remote->architecture != (*ret)->t.kernel.architecture)
		return error_new(ERROR_OTHER, _("the host is for %s, but kernel %s on this machine is for %s"),
				 remote->architecture->name, (*ret)->t.kernel.release,
				 (*ret)->t.kernel.architecture->name);
	return error;
}

/* Fill in @chosen, the driver of each host (NULL: the host failed), and @drivers, each of these once. */
static struct error *choose_drivers(struct driver *first, GPtrArray *hosts, GPtrArray *drivers, GPtrArray *chosen)
{
	const char *wanted = first->options.release;

	for_each_ptr(struct remote *, remote, hosts) {
		struct driver *d = NULL;
		struct error *error = remote->failed ? NULL : choose_driver(first, drivers, wanted, remote, &d);

		if (error && hosts->len == 1)
			return error;
		remote_fail(remote, error);
		g_ptr_array_add(chosen, remote->failed ? NULL : d);
	}
	for_each_ptr(struct driver *, d, drivers)
		d->is_one_of_several = drivers->len > 1;
	if (drivers->len > 1 && first->options.module_name && first->options.last_pass == 4)
		return error_new(ERROR_OTHER,
				 _("-p4 and -m %s exclude each other for hosts with %u different kernels: the modules "
				   "would have the same name"),
				 first->options.module_name, drivers->len);
	return NULL;
}

/* Translate for all kernels. After an error for one of them, the script runs on no host. */
static struct error *translate_for_all(struct driver *first, GPtrArray *drivers)
{
	for_each_ptr(struct driver *, d, drivers) {
		struct error *error;

		if (d->is_one_of_several &&
		    (options_verbosity(&d->options, 1) >= 2 || d->options.last_pass < LAST_PASS)) {
			fprintf(stderr, _("For kernel %s:"), d->t.kernel.release);
			fputc('\n', stderr);
		}
		error = driver_translate(d);
		diagnostics_flush(d->t.diagnostics);
		if (d->exit_status != EXIT_SUCCESS)
			first->exit_status = d->exit_status;
		if (error || d->exit_status != EXIT_SUCCESS)
			return error;
	}
	return NULL;
}

static void assign_modules(GPtrArray *hosts, GPtrArray *chosen)
{
	for_each_ptr(struct remote *, remote, hosts) {
		const struct driver *d = g_ptr_array_index(chosen, remote->number);

		if (!d)
			continue;
		remote->translation = &d->t;
		remote->kernel_argument = d->kernel_argument;
		remote->module_path = d->module_path;
	}
}

static struct error *run_on_hosts(struct driver *d, struct remotes *remotes, GPtrArray *drivers)
{
	GPtrArray *hosts = remotes_hosts(remotes), *chosen = arena_ptr_array(d->t.arena);
	bool runs = d->options.last_pass == LAST_PASS && !options_listing(&d->options);
	struct error *error = choose_drivers(d, hosts, drivers, chosen);

	if (!error && !drivers->len)
		d->exit_status = EXIT_FAILURE; /* each host's error has been printed */
	if (error || !drivers->len)
		return error;
	if (runs)
		error = remotes_begin(remotes);
	error = error ?: translate_for_all(d, drivers);
	if (error || !runs || d->exit_status != EXIT_SUCCESS)
		return error;
	assign_modules(hosts, chosen);
	return driver_run(d, remotes);
}

struct error *run_remotely(struct driver *d)
{
	GPtrArray *drivers = arena_ptr_array(d->t.arena);
	struct remotes *remotes = NULL;
	struct error *error = remotes_open(d->t.arena, &d->options, &remotes);

	error = error ?: run_on_hosts(d, remotes, drivers);
	remotes_close(remotes);
	drivers_finish(d, drivers);
	return error;
}
