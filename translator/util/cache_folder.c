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

/* Where the link leads stands in front of the rest, to be looked at from the top. */
static void follow_link(GString *path, char **rest)
{
	g_autofree char *target = g_file_read_link(path->str, NULL), *parent = g_path_get_dirname(path->str);
	g_autofree char *resolved = g_canonicalize_filename(target ?: "", parent), *before = *rest;

	*rest = g_build_filename(resolved, before, NULL);
	g_string_truncate(path, 0);
}

/* The first name of the rest goes to the path. False: there is none. */
static bool go_on(GString *path, char **rest)
{
	g_autofree char *before = *rest;
	const char *name = before + strspn(before, "/");
	size_t length = strcspn(name, "/");

	if (length)
		g_string_append_printf(path, "/%.*s", (int)length, name);
	*rest = g_strdup(name + length);
	return length;
}

bool cache_may_be_in(const char *folder, char **culprit)
{
	enum { MOST_LINKS = 40 };
	g_autofree char *rest = g_canonicalize_filename(folder, NULL);
	g_autoptr(GString) path = g_string_new(NULL); /* no '/' at its end, not for the top folder either */
	unsigned int links = 0;

	if (geteuid())
		return true;
	do {
		const char *here = path->len ? path->str : "/";
		struct stat status;

		/* What is not there yet is made by ourselves. */
		if (lstat(here, &status))
			return errno == ENOENT;
		if (!is_for_root_alone(&status)) {
			*culprit = g_strdup(here);
			return false;
		}
		if (S_ISLNK(status.st_mode)) {
			if (++links > MOST_LINKS)
				return false;
			follow_link(path, &rest);
		}
	} while (go_on(path, &rest));
	return true;
}
