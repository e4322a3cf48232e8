// SPDX-License-Identifier: GPL-2.0-or-later
/* Files in which users and administrators list compile servers and the trusted ones. */
#include "common/wire/places.h"

#include <glib.h>

#include "common/user_directories.h"
#include "common/base/paths.h"

const char *server_user_directory(void)
{
	return config_directory();
}

static const char *place(const char *directory, const char *name, char **path)
{
	if (!*path)
		*path = g_build_filename(directory, name, NULL);
	return *path;
}

const char *server_trust_file(bool for_all)
{
	static char *users, *systems;

	return for_all ? place(settings_directory(), "trusted-servers", &systems)
		       : place(server_user_directory(), "trusted-servers", &users);
}

const char *server_list_file(bool for_all)
{
	static char *users, *systems;

	return for_all ? place(settings_directory(), "servers", &systems)
		       : place(server_user_directory(), "servers", &users);
}
