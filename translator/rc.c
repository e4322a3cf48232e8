// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Options of the user's rc file. Each line is split into words as in a shell; "#" begins a comment. The words come
 * before those of the command line, which therefore override them.
 */
#include "translator/rc.h"

#include <glib.h>
#include <string.h>

#include "common/files.h"
#include "common/user_directories.h"
#include "common/base/i18n.h"

static struct error *add_line(struct arena *arena, const char *path, int number, const char *line, GPtrArray *words)
{
	GError *failure = NULL;
	char **parts;
	int count;
	struct error *error;

	if (!g_shell_parse_argv(line, &count, &parts, &failure)) {
		bool empty = g_error_matches(failure, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING);

		error = empty ? NULL : error_new(ERROR_OTHER, "%s:%d: %s", path, number, failure->message);
		g_error_free(failure);
		return error;
	}
	for (int i = 0; i < count; i++)
		g_ptr_array_add(words, arena_strdup(arena, parts[i]));
	g_strfreev(parts);
	return NULL;
}

struct error *rc_arguments(struct arena *arena, int argc, char **argv, int *ret_argc, char ***ret)
{
	g_autofree char *path = rc_file(), *text = NULL;
	g_auto(GStrv) lines = NULL;
	GPtrArray *words = arena_ptr_array(arena);
	struct error *error = NULL;
	size_t length;

	*ret_argc = argc;
	*ret = argv;
	if (!argc || !g_file_test(path, G_FILE_TEST_EXISTS) || !user_path_is_safe(path))
		return NULL;
	error = file_read(path, &text, &length);
	if (error)
		return error;
	g_ptr_array_add(words, argv[0]);
	lines = g_strsplit(text, "\n", -1);
	for (int i = 0; lines[i] && !error; i++)
		error = add_line(arena, path, i + 1, lines[i], words);
	for (int i = 1; i < argc; i++)
		g_ptr_array_add(words, argv[i]);
	*ret_argc = words->len;
	g_ptr_array_add(words, NULL);
	*ret = (char **)words->pdata;
	return error;
}

struct error *rc_check_hosts(const char *program)
{
	char *words[] = {"stap", NULL}, **all;
	struct arena *arena = arena_new();
	struct error *error;
	int count;

	error = rc_arguments(arena, 1, words, &count, &all);
	for (int i = 1; !error && i < count; i++)
		if (g_str_has_prefix(all[i], "--remote") || g_str_has_prefix(all[i], "--use-server"))
			error = error_with_hint(
				error_new(ERROR_UNSUPPORTED, _("the rc file has the option %s"), all[i]),
				_("%s chooses itself where scripts run; remove the option, or set SYSTEMTAP_DIR to "
				  "another directory"),
				program);
	arena_free(arena);
	return error;
}
