// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Find our directories; see paths.h. The results are computed once and never freed. Without GLib (memory.h), for
 * staprun.
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

/* Is the program in the top build directory? stap and stap-vm are, and only they use the other directories. */
static bool runs_in_build_tree(void)
{
	return !strcmp(program_folder(), BUILD_FOLDER);
}

static bool is_folder(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

/* Return the length of the common beginning of two paths, including its last '/'. */
static size_t common_length(const char *one, const char *other)
{
	size_t common = 0;

	for (size_t i = 0; one[i] && one[i] == other[i]; i++)
		if (one[i] == '/')
			common = i + 1;
	return common;
}

/*
 * Map a configured path to one beside the program: "/opt/share/spile" for a program in /opt/bin, if
 * "/usr/local/share/spile" and "/usr/local/bin" were configured. Return NULL if the program's path has too few
 * components.
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
 * Return a directory of the installation, relative to this program as configured, so that an installed tree can be
 * moved. If it does not exist there, return the configured path. A set-uid program always uses the configured path,
 * because a user can make a hard link to it in another directory.
 */
static char *installed_folder(const char *configured)
{
	_cleanup_free_ char *beside = getauxval(AT_SECURE) ? NULL : beside_program(configured);

	return text_format("%s", beside && (is_folder(beside) || !is_folder(configured)) ? beside : configured);
}

/*
 * Return the directory that an environment variable names, else the one in the build tree (@built, may be NULL) or of
 * the installation. @found caches the latter.
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

const char *program_path(const char *name)
{
	char *path = text_format("%s/%s", program_folder(), name);
	/* In the build tree, the program is staprun/staprun. */
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
