/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Markers in comments of embedded C; see embedded.c. */
#ifndef SPILE_SEMA_EMBEDDED_H
#define SPILE_SEMA_EMBEDDED_H

#include "translator/sema/sema.h"

/* A global of the script that a piece of embedded C reads or writes. */
struct embedded_use {
	struct symbol *global;
	bool reads, writes;
};

/** Does the code contain the marker as a comment of its own, such as pure? */
bool embedded_says(const char *code, const char *marker);
/** Return the globals in the code's pragmas (of struct embedded_use *), or NULL; report errors in them. */
GPtrArray *embedded_globals(struct translation *t, const struct script *script, const char *code,
			    const struct location *at);

#endif
