/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files and commands in the temporary directory of a unit test. */
#ifndef SPILE_TEST_COMMANDS_H
#define SPILE_TEST_COMMANDS_H

#include <glib.h>

static inline void put_file(const char *directory, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);

	g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

/* Run a shell command, which must succeed. */
static inline void run(const char *directory, const char *command)
{
	const char *arguments[] = {"/bin/sh", "-c", command, NULL};
	g_autofree char *errors = NULL;
	int status;

	g_assert_true(g_spawn_sync(directory, (char **)arguments, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL,
				   &errors, &status, NULL));
	if (status)
		g_error("%s: %s", command, errors);
}

#endif
