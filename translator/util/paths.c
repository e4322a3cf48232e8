// SPDX-License-Identifier: GPL-2.0-or-later
/* Where things are; see paths.h. The results are computed once and kept till the program ends. */
#include "translator/util/paths.h"

#include <glib.h>

static const char *program_folder(void)
{
	static char *folder;

	if (!folder) {
		g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);

		folder = self ? g_path_get_dirname(self) : g_strdup(".");
	}
	return folder;
}

const char *data_folder(void)
{
	const char *chosen = g_getenv("SPILE_DATADIR");

	if (chosen && *chosen)
		return chosen;
	return g_str_equal(program_folder(), TOP_BUILDDIR) ? TOP_SRCDIR : PKGDATADIR;
}

const char *program_path(const char *name)
{
	g_autofree char *path = g_build_filename(program_folder(), name, NULL);
	/* In the build folder staprun/ is a folder with the program in it. */
	g_autofree char *inside = g_build_filename(path, name, NULL);

	if (g_file_test(inside, G_FILE_TEST_IS_EXECUTABLE))
		return g_intern_string(inside);
	if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
		return g_intern_string(path);
	return name;
}

const char *cache_folder(void)
{
	static char *folder;
	const char *chosen = g_getenv("SPILE_CACHE");

	if (!folder)
		folder = chosen && *chosen ? g_canonicalize_filename(chosen, NULL)
					   : g_build_filename(g_get_user_cache_dir(), "spile", NULL);
	return folder;
}

const char *translation_cache_folder(void)
{
	static char *folder;
	const char *base = g_getenv("SYSTEMTAP_DIR");

	if (!folder)
		folder = base && *base ? g_build_filename(base, "cache", NULL) : g_strdup(cache_folder());
	return folder;
}
