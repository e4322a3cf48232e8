// SPDX-License-Identifier: GPL-2.0-or-later
/* Where caches are, and where root may have one; see cache.h. */
#include <errno.h>
#include <glib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "translator/util/cache.h"

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

static bool is_for_root_alone(const struct stat *status)
{
	/* In a folder with the sticky bit, names can be changed by those alone to whom they belong. */
	return !status->st_uid && (!(status->st_mode & (S_IWGRP | S_IWOTH)) || S_ISLNK(status->st_mode) ||
				   (S_ISDIR(status->st_mode) && (status->st_mode & S_ISVTX)));
}

bool cache_may_be_in(const char *folder, char **culprit)
{
	enum { MOST_LINKS = 40 };
	g_autofree char *rest = g_canonicalize_filename(folder, NULL);
	g_autoptr(GString) path = g_string_new("/");
	unsigned int links = 0;

	if (geteuid())
		return true;
	for (;;) {
		g_autofree char *target = NULL, *name = NULL, *next = NULL;
		struct stat status;
		size_t length;

		/* What is not there yet is made by ourselves. */
		if (lstat(path->str, &status))
			return errno == ENOENT;
		if (!is_for_root_alone(&status)) {
			*culprit = g_strdup(path->str);
			return false;
		}
		target = S_ISLNK(status.st_mode) ? g_file_read_link(path->str, NULL) : NULL;
		if (target && ++links > MOST_LINKS)
			return false;
		if (target) {
			g_autofree char *parent = g_path_get_dirname(path->str), *joined = NULL;

			joined = g_canonicalize_filename(target, parent);
			next = g_build_filename(joined, rest, NULL);
			g_string_assign(path, "/");
		} else {
			next = g_strdup(rest);
		}
		g_free(rest);
		length = strspn(next, "/");
		rest = g_strdup(next + length + strcspn(next + length, "/"));
		name = g_strndup(next + length, strcspn(next + length, "/"));
		if (!*name)
			return true;
		if (path->len > 1)
			g_string_append_c(path, '/');
		g_string_append(path, name);
	}
}
