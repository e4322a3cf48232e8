// SPDX-License-Identifier: GPL-2.0-or-later
/* Where things are; see paths.h. The results are computed once and kept till the program ends. */
#include "translator/util/paths.h"

#include <glib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/auxv.h>

#include "translator/util/install_paths.h"

static const char *program_folder(void)
{
	static char *folder;

	if (!folder) {
		g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);

		folder = self ? g_path_get_dirname(self) : g_strdup(".");
	}
	return folder;
}

/* stap and stap-vm, which alone want other folders, are built at the top. */
static bool runs_in_build_tree(void)
{
	return g_str_equal(program_folder(), BUILD_FOLDER);
}

/* "../share/spile/" for "/usr/local/bin" and "/usr/local/share/spile". */
static char *relative_path(const char *from, const char *to)
{
	g_auto(GStrv) start = g_strsplit(from, "/", -1), end = g_strsplit(to, "/", -1);
	g_autoptr(GString) path = g_string_new(NULL);
	size_t common = 0;

	while (start[common] && end[common] && g_str_equal(start[common], end[common]))
		common++;
	for (size_t i = common; start[i]; i++)
		g_string_append(path, "../");
	for (size_t i = common; end[i]; i++)
		g_string_append_printf(path, "%s/", end[i]);
	return g_strdup(path->str);
}

/*
 * A folder of the installation that this program belongs to. It lies as configure was told, seen from the program, so
 * an installed tree may be moved; a program alone that was moved finds its folder where configure wanted it. A set-uid
 * program trusts that place only: whoever may make a hard link to it chooses where it seems to be.
 */
static char *installed_folder(const char *configured)
{
	g_autofree char *relative = relative_path(CONFIGURED_PROGRAM_FOLDER, configured);
	g_autofree char *beside = g_canonicalize_filename(relative, program_folder());

	if (getauxval(AT_SECURE))
		return g_strdup(configured);
	if (!g_file_test(beside, G_FILE_TEST_IS_DIR) && g_file_test(configured, G_FILE_TEST_IS_DIR))
		return g_strdup(configured);
	return g_steal_pointer(&beside);
}

/*
 * What a variable of the environment names; else, found once, the folder of the build tree (NULL: it has none) or of
 * the installed one.
 */
static const char *find_folder(const char *variable, const char *built, const char *configured, char **found)
{
	const char *chosen = secure_getenv(variable);

	if (chosen && *chosen)
		return chosen;
	if (!*found)
		*found = built && runs_in_build_tree() ? g_strdup(built) : installed_folder(configured);
	return *found;
}

const char *data_folder(void)
{
	static char *folder;

	return find_folder("SPILE_DATADIR", SOURCE_FOLDER, CONFIGURED_DATA_FOLDER, &folder);
}

const char *libexec_folder(void)
{
	static char *folder;

	return find_folder("SPILE_LIBEXEC", BUILD_FOLDER, CONFIGURED_LIBEXEC_FOLDER, &folder);
}

const char *locale_folder(void)
{
	static char *folder;

	return find_folder("SPILE_LOCALEDIR", NULL, CONFIGURED_LOCALE_FOLDER, &folder);
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
