// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding the source files of debuginfo on this machine.
 *
 * DWARF names files by the directory of their compilation, on a distribution's build server. The rest of the name
 * ("fs/read_write.c") is searched where kernel sources usually are: a directory named by the user, the tree in which
 * the kernel was built, packages of sources, and packages of headers (for headers).
 */
#include "translator/debuginfo/object/object.h"

#include <glob.h>
#include <string.h>

static const char *file_in(struct arena *arena, const char *directory, const char *path)
{
	const char *file = directory ? arena_printf(arena, "%s/%s", directory, path) : NULL;

	return file && g_file_test(file, G_FILE_TEST_IS_REGULAR) ? file : NULL;
}

/* Find a file in the directories that match a pattern, the last one (newest version) first. */
static const char *file_in_glob(struct arena *arena, const char *pattern, const char *path)
{
	const char *found = NULL;
	glob_t directories;

	if (glob(pattern, GLOB_ONLYDIR, NULL, &directories) != 0)
		return NULL;
	for (size_t i = directories.gl_pathc; i > 0 && !found; i--)
		found = file_in(arena, directories.gl_pathv[i - 1], path);
	globfree(&directories);
	return found;
}

/* "6.1.0-56-cloud-amd64" -> "6.1" */
static char *series(const char *release)
{
	size_t length = strspn(release, "0123456789.");
	g_autofree char *version = g_strndup(release, length);
	char *second = strchr(version, '.');
	char *third = second ? strchr(second + 1, '.') : NULL;

	if (third)
		*third = '\0';
	return g_steal_pointer(&version);
}

/* Find a source file below a root, in the layouts of Debian, Ubuntu, Fedora and Arch packages. */
static const char *file_in_root(struct arena *arena, const struct target_kernel *kernel, const char *root,
				const char *path)
{
	g_autofree char *version = series(kernel->release);
	size_t without_flavour = strlen(kernel->release) - strlen(strrchr(kernel->release, '-') ?: "");
	const char *const patterns[] = {
		arena_printf(arena, "%s/lib/modules/%s/source", root, kernel->release),
		arena_printf(arena, "%s/usr/src/linux-source-%s*", root, version),
		arena_printf(arena, "%s/usr/src/linux-%s*", root, version),
		arena_printf(arena, "%s/usr/src/debug/kernel-%s*/linux-*", root, version),
		arena_printf(arena, "%s/usr/src/linux-headers-%s*-common*", root, version),
		arena_printf(arena, "%s/usr/src/linux-headers-%.*s*", root, (int)without_flavour, kernel->release),
	};
	const char *found = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(patterns) && !found; i++)
		found = file_in_glob(arena, patterns[i], path);
	return found;
}

const char *debuginfo_source_file(const struct debuginfo *debuginfo, struct arena *arena, const char *path)
{
	const struct target_kernel *kernel = &debuginfo->kernel;
	const char *found;

	/* A module built by hand is beside its source. */
	if (debuginfo->named_file) {
		g_autofree char *directory = g_path_get_dirname(debuginfo->named_file);

		found = file_in(arena, directory, path);
		if (found)
			return found;
	}
	if (path[0] == '/')
		return g_file_test(path, G_FILE_TEST_IS_REGULAR) ? arena_strdup(arena, path) : NULL;
	found = file_in(arena, g_getenv("SPILE_KERNEL_SOURCE"), path);
	found = found ?: file_in(arena, kernel->build_directory, path);
	found = found ?: file_in_root(arena, kernel, debuginfo->search.root, path);
	return found || !debuginfo->search.root[0] ? found : file_in_root(arena, kernel, "", path);
}
