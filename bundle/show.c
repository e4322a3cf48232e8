// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a bundle prints about itself. Its texts are not trusted, so all but names that the reader has checked are
 * printed with escapes.
 */
#include "bundle/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/memory.h"
#include "staprun/describe.h"
#include "staprun/options.h"
#include "staprun/script_options.h"

/* ---- --list ------------------------------------------------------------------------------------------------------ */

static void show_texts(const char *label, const struct bundle_texts *list)
{
	for (unsigned int i = 0; i < list->count; i++) {
		printf("%s: ", label);
		describe_safely(stdout, list->texts[i]);
		putchar('\n');
	}
}

static void show_module(const struct bundle *bundle, const struct bundle_module *module, bool is_here)
{
	printf("  %-40s %-8s %8llu  %s%s\n", module->release.text, module->machine.text,
	       (unsigned long long)bundle->blobs[module->blob].size,
	       *module->build_id.text ? module->build_id.text : "-", is_here ? _("  (this kernel)") : "");
	for (unsigned int i = 0; i < module->notes.count; i++) {
		printf("    ");
		describe_safely(stdout, module->notes.texts[i]);
		putchar('\n');
	}
}

void show_contents(const struct bundle *bundle, const struct host *host)
{
	const struct bundle_module *here = host_module(bundle, host);

	printf("%s: ", _("Script"));
	describe_safely(stdout, bundle->script);
	printf("\n%s: Spile ", _("Made by"));
	describe_safely(stdout, bundle->spile);
	putchar('\n');
	show_texts(_("Option"), &bundle->options);
	show_texts(_("Argument"), &bundle->arguments);
	printf("%s: %s\n", _("Signature"), bundle->signature_size ? _("yes (--verify checks it)") : _("none"));
	printf("%s:\n", _("Kernels, their architecture, the size of the module, and the kernel's build-id"));
	for (unsigned int i = 0; i < bundle->module_count; i++)
		show_module(bundle, &bundle->modules[i], &bundle->modules[i] == here);
}

/* ---- --help ------------------------------------------------------------------------------------------------------ */

struct error *show_extract(const struct bundle *bundle, const struct host *host, char **image, size_t *size)
{
	const struct bundle_module *module = host_module(bundle, host) ?: host_nearest(bundle, host);

	*image = NULL;
	return module ? bundle_extract(bundle, module->blob, image, size) : NULL;
}

static struct error *show_module_help(const char *image, size_t size)
{
	struct module_options options;
	struct error *error = module_options_read(image, size, &options);

	error = error ?: module_options_print(image, size, &options);
	if (!error)
		putchar('\n');
	error = error ?: describe_globals(image, size, &options);
	module_options_clear(&options);
	return error;
}

struct error *show_help(const struct bundle *bundle, const struct host *host, const char *tool)
{
	_cleanup_free_ char *image = NULL;
	size_t size = 0;
	struct error *error = show_extract(bundle, host, &image, &size);

	printf(_("Usage: %s [OPTIONS] [NAME=VALUE...]   run the script\n"
		 "       %s --list     list the kernels that it was made for\n"
		 "       %s --script   print the script\n"
		 "       %s --facts    print what 'stap --bundle-from' needs to know about this machine\n"
		 "       %s --verify   check the signature of this file\n"
		 "       %s --help     print this help\n"),
	       tool, tool, tool, tool, tool, tool);
	printf("%s: ", _("Script"));
	describe_safely(stdout, bundle->script);
	putchar('\n');
	options_list(stdout, PROGRAM_BUNDLE);
	if (error || !image)
		return error;
	putchar('\n');
	return show_module_help(image, size);
}

/* ---- unknown kernels --------------------------------------------------------------------------------------------- */

/* Return the releases of the host's architecture, one a line, at most @most. The caller frees it. */
static char *list_releases(const struct bundle *bundle, unsigned int most)
{
	char *text = text_format("%s", "");

	for (unsigned int i = 0; i < bundle->module_count && i < most; i++) {
		char *longer = text_format("%s\n  %s (%s)", text, bundle->modules[i].release.text,
					   bundle->modules[i].machine.text);

		free(text);
		text = longer;
	}
	if (bundle->module_count > most) {
		char *longer = text_format(_("%s\n  and %u more (--list)"), text, bundle->module_count - most);

		free(text);
		text = longer;
	}
	return text;
}

static char *describe_nearest(const struct bundle *bundle, const struct host *host)
{
	const struct bundle_module *nearest = host_nearest(bundle, host);

	if (!nearest)
		return text_format(_("it has none for this architecture"));
	if (!strcmp(nearest->release.text, host->names.release))
		return text_format(_("it has one for another build of this kernel, with build-id %s"),
				   nearest->build_id.text);
	return text_format(_("the most similar one is for %s"), nearest->release.text);
}

struct error *show_unknown_kernel(const struct bundle *bundle, const struct host *host)
{
	enum { MOST_SHOWN = 16 };
	const char *name = strrchr(bundle->name, '/') ? strrchr(bundle->name, '/') + 1 : bundle->name;
	_cleanup_free_ char *releases = list_releases(bundle, MOST_SHOWN), *nearest = describe_nearest(bundle, host);
	struct error *error =
		error_new(ERROR_LOOKUP,
			  _("%s has no module for the running kernel, %s (%s, build-id %s): %s; all of its kernels:%s"),
			  bundle->name, host->names.release, host->names.machine,
			  *host->build_id ? host->build_id : _("unknown"), nearest, releases);

	return error_with_hint(error,
			       _("run 'stap --bundle-add=%s -r %s' where the bundle was made, and copy it again"), name,
			       host->names.release);
}
