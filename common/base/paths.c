// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Find our directories; see paths.h. The results are computed once and never freed.
 */
#include "common/base/paths.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/install_paths.h"
#include "common/base/memory.h"
#include "common/base/root_paths.h"

static const char *program_directory(void)
{
	static char *directory;
	char self[PATH_MAX];
	ssize_t length;
	char *slash;

	if (directory)
		return directory;
	length = readlink("/proc/self/exe", self, sizeof(self));
	directory = text_copy(length > 0 ? self : ".", length > 0 ? (size_t)length : 1);
	slash = strrchr(directory, '/');
	if (slash)
		slash[slash == directory] = '\0';
	return directory;
}

/* Is the program in the top build directory? stap and stap-vm are, and only they use the other directories. */
static bool runs_in_build_tree(void)
{
	return !strcmp(program_directory(), BUILD_DIRECTORY);
}

static bool is_directory(const char *path)
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
	size_t common = common_length(CONFIGURED_PROGRAM_DIRECTORY "/", configured);
	_cleanup_free_ char *directory = text_format("%s", program_directory());

	for (const char *rest = CONFIGURED_PROGRAM_DIRECTORY "/" + common; *rest; rest++) {
		char *slash = *rest == '/' ? strrchr(directory, '/') : NULL;

		if (*rest == '/' && !slash)
			return NULL;
		if (slash)
			*slash = '\0';
	}
	return text_format("%s/%s", directory, configured + common);
}

/*
 * Return a directory of the installation, relative to this program as configured, so that an installed tree can be
 * moved. If it does not exist there, return the configured path. A set-uid program always uses the configured path,
 * because a user can make a hard link to it in another directory.
 */
static char *installed_directory(const char *configured)
{
	_cleanup_free_ char *beside = getauxval(AT_SECURE) ? NULL : beside_program(configured);

	return text_format("%s", beside && (is_directory(beside) || !is_directory(configured)) ? beside : configured);
}

/*
 * Return the directory that an environment variable names, else the one in the build tree (@built, may be NULL) or of
 * the installation. @found caches the latter.
 */
static const char *find_directory(const char *variable, const char *built, const char *configured, char **found)
{
	const char *chosen;

	environment_check();
	chosen = secure_getenv(variable);
	if (chosen && *chosen)
		return chosen;
	if (!*found)
		*found = built && runs_in_build_tree() ? text_format("%s", built) : installed_directory(configured);
	return *found;
}

const char *data_directory(void)
{
	static char *directory;

	return find_directory("SPILE_DATADIR", SOURCE_DIRECTORY, CONFIGURED_DATA_DIRECTORY, &directory);
}

const char *libexec_directory(void)
{
	static char *directory;

	return find_directory("SPILE_LIBEXEC", BUILD_DIRECTORY, CONFIGURED_LIBEXEC_DIRECTORY, &directory);
}

const char *locale_directory(void)
{
	static char *directory;

	return find_directory("SPILE_LOCALEDIR", NULL, CONFIGURED_LOCALE_DIRECTORY, &directory);
}

const char *settings_directory(void)
{
	return CONFIGURED_SETTINGS_DIRECTORY;
}

const char *keys_directory(void)
{
	return CONFIGURED_SETTINGS_DIRECTORY "/keys";
}

const char *program_path(const char *name)
{
	char *path = text_format("%s/%s", program_directory(), name);
	/* In the build tree, the program is staprun/staprun. */
	char *inside = text_format("%s/%s", path, name);

	if (!access(inside, X_OK)) {
		free(path);
		return inside;
	}
	free(inside);
	if (!access(path, F_OK) && !is_directory(path))
		return path;
	free(path);
	return name;
}
