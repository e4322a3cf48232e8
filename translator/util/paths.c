// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where things are; see paths.h. The results are computed once and kept till the program ends. Without GLib (memory.h),
 * for staprun finds its messages here.
 */
#include "translator/util/paths.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "translator/util/cleanup.h"
#include "translator/util/install_paths.h"
#include "translator/util/memory.h"
#include "translator/util/root_paths.h"

static const char *program_folder(void)
{
	static char *folder;
	char self[PATH_MAX];
	ssize_t length;
	char *slash;

	if (folder)
		return folder;
	length = readlink("/proc/self/exe", self, sizeof(self));
	folder = text_copy(length > 0 ? self : ".", length > 0 ? (size_t)length : 1);
	slash = strrchr(folder, '/');
	if (slash)
		slash[slash == folder] = '\0';
	return folder;
}

/* stap and stap-vm, which alone want other folders, are built at the top. */
static bool runs_in_build_tree(void)
{
	return !strcmp(program_folder(), BUILD_FOLDER);
}

static bool is_folder(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

/* What two paths have in common, up to and with a '/'. */
static size_t common_length(const char *one, const char *other)
{
	size_t common = 0;

	for (size_t i = 0; one[i] && one[i] == other[i]; i++)
		if (one[i] == '/')
			common = i + 1;
	return common;
}

/*
 * "/opt/share/spile" for a program in /opt/bin, if configure wanted "/usr/local/share/spile" and "/usr/local/bin"; NULL
 * if the program lies less deep than that.
 */
static char *beside_program(const char *configured)
{
	size_t common = common_length(CONFIGURED_PROGRAM_FOLDER "/", configured);
	_cleanup_free_ char *folder = text_format("%s", program_folder());

	for (const char *rest = CONFIGURED_PROGRAM_FOLDER "/" + common; *rest; rest++) {
		char *slash = *rest == '/' ? strrchr(folder, '/') : NULL;

		if (*rest == '/' && !slash)
			return NULL;
		if (slash)
			*slash = '\0';
	}
	return text_format("%s/%s", folder, configured + common);
}

/*
 * A folder of the installation that this program belongs to. It lies as configure was told, seen from the program, so
 * an installed tree may be moved; a program alone that was moved finds its folder where configure wanted it. A set-uid
 * program trusts that place only: whoever may make a hard link to it chooses where it seems to be.
 */
static char *installed_folder(const char *configured)
{
	_cleanup_free_ char *beside = getauxval(AT_SECURE) ? NULL : beside_program(configured);

	return text_format("%s", beside && (is_folder(beside) || !is_folder(configured)) ? beside : configured);
}

/*
 * What a variable of the environment names; else, found once, the folder of the build tree (NULL: it has none) or of
 * the installed one.
 */
static const char *find_folder(const char *variable, const char *built, const char *configured, char **found)
{
	const char *chosen;

	environment_check();
	chosen = secure_getenv(variable);
	if (chosen && *chosen)
		return chosen;
	if (!*found)
		*found = built && runs_in_build_tree() ? text_format("%s", built) : installed_folder(configured);
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

const char *settings_folder(void)
{
	return CONFIGURED_SETTINGS_FOLDER;
}

const char *keys_folder(void)
{
	return CONFIGURED_SETTINGS_FOLDER "/keys";
}

/* Not freed: the caller keeps it. */
const char *program_path(const char *name)
{
	char *path = text_format("%s/%s", program_folder(), name);
	/* In the build folder staprun/ is a folder with the program in it. */
	char *inside = text_format("%s/%s", path, name);

	if (!access(inside, X_OK)) {
		free(path);
		return inside;
	}
	free(inside);
	if (!access(path, F_OK) && !is_folder(path))
		return path;
	free(path);
	return name;
}
