// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Map paths of the probed machine to this one, if its files are below a directory (--sysroot).
 *
 * Inside stap, a program or library is identified by its path on this machine; in the script, the module and all
 * output, by its path on the probed machine. Absolute symbolic links below the directory are relative to it, so links
 * are resolved here by hand, and never lead out of it.
 */
#include "common/sysroot.h"

#include <glib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_LINKS 40

static const char placeholder[] = "%{sysroot}";

static bool has_directory(const struct sysroot *sysroot)
{
	return sysroot->directory && sysroot->directory[0];
}

const char *sysroot_inside(const struct sysroot *sysroot, const char *path)
{
	size_t length = has_directory(sysroot) ? strlen(sysroot->directory) : 0;

	if (g_str_has_prefix(path, placeholder))
		return path + strlen(placeholder);
	return length && !strncmp(path, sysroot->directory, length) && path[length] == '/' ? path + length : path;
}

char *sysroot_file(const struct sysroot *sysroot, const char *path)
{
	const char *inside = sysroot_inside(sysroot, path);
	g_autofree char *below = NULL;

	if (!has_directory(sysroot))
		return g_strdup(inside);
	below = g_strconcat(sysroot->directory, inside[0] == '/' ? "" : "/", inside, NULL);
	if (sysroot->also_here && access(below, F_OK) && !access(inside, F_OK))
		return g_strdup(inside);
	return g_steal_pointer(&below);
}

/* Append the first component of @rest to @place, a path on the probed machine, or follow it if it is a link. */
static bool step(const struct sysroot *sysroot, GString *place, char **rest, int *links)
{
	g_autofree char *old = *rest, *component = NULL, *here = NULL, *link = NULL;
	const char *start = old + strspn(old, "/");
	size_t length = strcspn(start, "/"), before = place->len;
	const char *slash;

	component = g_strndup(start, length);
	*rest = g_strdup(start + length);
	if (!strcmp(component, ".") || !length)
		return true;
	if (!strcmp(component, "..")) {
		slash = strrchr(place->str, '/');
		g_string_truncate(place, slash ? (gsize)(slash - place->str) : 0);
		return true;
	}
	g_string_append_printf(place, "/%s", component);
	here = g_strconcat(sysroot->directory, place->str, NULL);
	link = g_file_read_link(here, NULL);
	if (!link)
		return !access(here, F_OK);
	g_string_truncate(place, link[0] == '/' ? 0 : before);
	g_free(*rest);
	*rest = g_strconcat(link, start + length, NULL);
	return (*links)++ < MOST_LINKS;
}

static char *resolve_here(const char *path)
{
	char *real = realpath(path, NULL), *copy = g_strdup(real);

	free(real);
	return copy;
}

char *sysroot_resolve(const struct sysroot *sysroot, const char *path)
{
	const char *inside = sysroot_inside(sysroot, path);
	g_autofree char *rest = g_strdup(inside);
	g_autoptr(GString) place = g_string_new(NULL);
	int links = 0;

	if (!has_directory(sysroot))
		return resolve_here(inside);
	while (*rest)
		if (!step(sysroot, place, &rest, &links))
			return sysroot->also_here ? resolve_here(inside) : NULL;
	return g_strconcat(sysroot->directory, place->str, NULL);
}

char *sysroot_find_program(const struct sysroot *sysroot, const char *name)
{
	const char *path = sysroot->program_path ?: g_getenv("PATH");
	struct sysroot alone = *sysroot;
	g_auto(GStrv) directories = NULL;

	/* This machine's own programs of that name are for another machine. */
	alone.also_here = false;
	if (!has_directory(sysroot) && !sysroot->program_path)
		return g_find_program_in_path(name);
	directories = g_strsplit(path ?: "", ":", -1);
	for (char **directory = directories; *directory; directory++) {
		g_autofree char *file = g_build_filename(*directory, name, NULL);
		g_autofree char *here = **directory ? sysroot_resolve(&alone, file) : NULL;

		if (here && g_file_test(here, G_FILE_TEST_IS_REGULAR) && !access(here, X_OK))
			return sysroot_file(sysroot, file);
	}
	return NULL;
}
