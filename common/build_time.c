// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The time of a build. SOURCE_DATE_EPOCH replaces it to make the same bytes again
 * (https://reproducible-builds.org/specs/source-date-epoch/).
 */
#include "common/build_time.h"

#include <glib.h>

char *build_time_text(void)
{
	const char *wanted = g_getenv("SOURCE_DATE_EPOCH");
	gint64 seconds = wanted ? g_ascii_strtoll(wanted, NULL, 10) : g_get_real_time() / G_USEC_PER_SEC;
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(seconds);

	return time ? g_date_time_format(time, "%Y-%m-%dT%H:%M:%SZ") : NULL;
}
