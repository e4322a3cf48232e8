// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The user's directories; see user_directories.h. No other file reads these environment variables (the suite style
 * checks that), and each path is checked here before root uses it.
 */
#include "common/user_directories.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/i18n.h"
#include "common/base/message.h"
#include "common/base/root_paths.h"

/* Return the value of an environment variable, or NULL if it is unset, empty, or root must not use it. */
static const char *chosen(const char *variable)
{
	const char *value;

	environment_check();
	value = g_getenv(variable);
	return value && *value ? value : NULL;
}

const char *cache_directory(void)
{
	static char *directory;
	const char *own = chosen("SPILE_CACHE");

	if (!directory)
		directory = own ? g_canonicalize_filename(own, NULL)
				: g_build_filename(g_get_user_cache_dir(), "spile", NULL);
	return directory;
}

const char *translation_cache_directory(void)
{
	static char *directory;
	const char *base = chosen("SYSTEMTAP_DIR");

	if (!directory)
		directory = base ? g_build_filename(base, "cache", NULL) : g_strdup(cache_directory());
	return directory;
}

const char *usable_translation_cache(void)
{
	const char *directory = translation_cache_directory();

	return user_path_is_safe(directory) ? directory : NULL;
}

const char *config_directory(void)
{
	static char *directory;
	const char *own = chosen("SPILE_CONFIG");

	if (!directory)
		directory = own ? g_strdup(own) : g_build_filename(g_get_user_config_dir(), "spile", NULL);
	return directory;
}

char *state_place(const char *name)
{
	g_autofree char *standard = g_build_filename(g_get_home_dir(), ".local", "state", NULL);
	g_autofree char *path = g_build_filename(chosen("XDG_STATE_HOME") ?: standard, "spile", name, NULL);

	return user_path_is_safe(path) ? g_steal_pointer(&path) : NULL;
}

char *typed_path(const char *typed)
{
	return g_str_has_prefix(typed, "~/") ? g_build_filename(g_get_home_dir(), typed + 2, NULL) : g_strdup(typed);
}

char *rc_file(void)
{
	const char *base = chosen("SYSTEMTAP_DIR");

	return base ? g_build_filename(base, "rc", NULL) : g_build_filename(g_get_home_dir(), ".systemtap", "rc", NULL);
}

char path_character_unfit_for_make(const char *path)
{
	for (; *path; path++)
		if ((unsigned char)*path < 0x80 && !g_ascii_isalnum(*path) && !strchr("/._-+@^~", *path))
			return *path;
	return '\0';
}

const char *temporary_directory(void)
{
	static const char standard[] = "/tmp";
	static const char *used;
	char character;

	if (used)
		return used;
	environment_check();
	used = g_get_tmp_dir();
	character = path_character_unfit_for_make(used);
	if (character) {
		g_autofree char *path = g_strescape(used, NULL), *what = g_strescape((char[]){character, '\0'}, NULL);
		g_autofree char *text = g_strdup_printf(_("TMPDIR=%s is ignored: the kernel's makefiles cannot build "
							  "in a directory whose name has '%s'"),
							path, what);

		message_print(MESSAGE_WARNING, text, _("set TMPDIR to a directory whose name has no such character"),
			      NULL);
		used = standard;
	}
	return used;
}

bool user_path_is_safe(const char *path)
{
	static GHashTable *told;
	char *culprit = NULL;

	environment_check();
	if (root_may_use(path, &culprit))
		return true;
	told = told ?: g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (g_hash_table_add(told, g_strdup(path))) {
		g_autofree char *text =
			g_strdup_printf(_("root does not use %s: others can change %s"), path, culprit ?: path);

		message_print(MESSAGE_WARNING, text,
			      _("change its owner to root, or set SPILE_CACHE to another directory"), NULL);
	}
	free(culprit);
	return false;
}

char *cache_place(const char *directory, const char *name)
{
	g_autofree char *path = g_build_filename(cache_directory(), directory, name, NULL);

	return user_path_is_safe(path) ? g_steal_pointer(&path) : NULL;
}
