/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of struct error for unit tests. */
#ifndef SPILE_TEST_ERRORS_H
#define SPILE_TEST_ERRORS_H

#include <glib.h>
#include <string.h>

#include "common/base/error.h"

static inline void must_succeed(struct error *error)
{
	if (error)
		g_error("%s (%s)", error->message, error->hint ? error->hint : "no hint");
}

/* Check a part of the message. Free the error. */
static inline void must_report(struct error *error, const char *part)
{
	g_assert_nonnull(error);
	if (!strstr(error->message, part))
		g_error("'%s' lacks '%s'", error->message, part);
	error_free(error);
}

/* Check the code, too. */
static inline void must_fail(struct error *error, enum error_code code, const char *part)
{
	g_assert_nonnull(error);
	g_assert_cmpint(error->code, ==, code);
	must_report(error, part);
}

#endif
