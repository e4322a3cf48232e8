// SPDX-License-Identifier: GPL-2.0-or-later
/* Find the programs and libraries of guests; see guest_root.h. */
#include "common/guest_root.h"

#include <glib.h>
#include <string.h>

#include "common/user_directories.h"
#include "common/base/paths.h"

char *guest_root_find(const struct architecture *architecture)
{
	g_autofree char *name = NULL, *path = NULL;

	if (architecture == architecture_of_host())
		return NULL;
	name = g_build_filename(GUEST_ROOTS_DIRECTORY, architecture->debian, NULL);
	path = cache_place("kernels", name);
	return path && g_file_test(path, G_FILE_TEST_IS_DIR) ? g_steal_pointer(&path) : NULL;
}

char *guest_program(const struct architecture *architecture, const char *name)
{
	if (architecture != architecture_of_host())
		return g_build_filename(libexec_directory(), architecture->debian, name, NULL);
	return strcmp(name, "staprun") ? g_build_filename(libexec_directory(), name, NULL)
				       : g_strdup(program_path(name));
}
