/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time that modules and container images name as the time of their build; see build_time.c. */
#ifndef SPILE_COMMON_BUILD_TIME_H
#define SPILE_COMMON_BUILD_TIME_H

/**
 * Return the value of SOURCE_DATE_EPOCH, or the current time if it is not set, as in RFC 3339 (UTC, whole seconds). The
 * caller frees it with g_free(). NULL: the year has more than four digits.
 */
char *build_time_text(void);

#endif
