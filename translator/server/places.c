// SPDX-License-Identifier: GPL-2.0-or-later
/* Where users and administrators write down which compile servers there are, and which they trust. */
#include "translator/server/places.h"

#include <glib.h>

#include "translator/util/paths.h"

const char *server_user_folder(void)
{
	static char *folder;
	const char *chosen = g_getenv("SPILE_CONFIG");

	if (chosen && *chosen)
		return chosen;
	if (!folder)
		folder = g_build_filename(g_get_user_config_dir(), "spile", NULL);
	return folder;
}

static const char *place(const char *folder, const char *name, char **path)
{
	if (!*path)
		*path = g_build_filename(folder, name, NULL);
	return *path;
}

const char *server_trust_file(bool for_all)
{
	static char *users, *systems;

	return for_all ? place(settings_folder(), "trusted-servers", &systems)
		       : place(server_user_folder(), "trusted-servers", &users);
}

const char *server_list_file(bool for_all)
{
	static char *users, *systems;

	return for_all ? place(settings_folder(), "servers", &systems) : place(server_user_folder(), "servers", &users);
}
