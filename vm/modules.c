// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which files make up a kernel module: modules.dep, one line a module,
 *
 *     kernel/drivers/char/virtio_console.ko: kernel/drivers/virtio/virtio.ko kernel/drivers/virtio/virtio_ring.ko
 *
 * where the dependencies are complete and stand in the reverse order of loading. '-' and '_' are the same in a name.
 */
#include "vm/modules.h"

#include <string.h>

#include "translator/util/i18n.h"

/* The module's name in a path: no folder, no ".ko" or ".ko.xz", and '_' for '-'. */
static char *module_name(const char *path)
{
	char *name = g_path_get_basename(path);
	char *suffix = strstr(name, ".ko");

	if (suffix)
		*suffix = '\0';
	return g_strdelimit(name, "-", '_');
}

static bool same_module(const char *path, const char *name)
{
	g_autofree char *found = module_name(path);

	return !strcmp(found, name);
}

static void add_once(GPtrArray *paths, const char *path)
{
	if (*path && !g_ptr_array_find_with_equal_func(paths, path, g_str_equal, NULL))
		g_ptr_array_add(paths, g_strdup(path));
}

/* Is a module of that name listed in modules.builtin? */
static bool is_built_in(const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, "modules.builtin", NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return false;
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		if (same_module(*line, name))
			return true;
	}
	return false;
}

struct error *modules_resolve(const struct kernel *kernel, const char *name, GPtrArray *paths)
{
	g_autofree char *wanted = module_name(name);
	g_autofree char *index = NULL, *text = NULL;
	g_auto(GStrv) lines = NULL;
	g_autoptr(GError) cause = NULL;

	if (!kernel->modules)
		return error_new(ERROR_UNSUPPORTED, _("%s is a build tree, which has no modules to load by name"),
				 kernel->root);
	index = g_build_filename(kernel->modules, "modules.dep", NULL);
	if (!g_file_get_contents(index, &text, NULL, &cause))
		return error_with_hint(error_new(ERROR_LOOKUP, "%s", cause->message),
				       _("make it with: depmod -b %s %s"), kernel->root, kernel->release);
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		char *colon = strchr(*line, ':');
		g_auto(GStrv) needs = NULL;

		if (!colon)
			continue;
		*colon = '\0';
		if (!same_module(*line, wanted))
			continue;
		needs = g_strsplit(colon + 1, " ", -1);
		for (guint i = g_strv_length(needs); i > 0; i--)
			add_once(paths, needs[i - 1]);
		add_once(paths, *line);
		return NULL;
	}
	if (is_built_in(kernel->modules, wanted))
		return NULL;
	return error_new(ERROR_LOOKUP, _("kernel %s has no module %s"), kernel->release, name);
}
