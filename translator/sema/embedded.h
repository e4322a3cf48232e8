/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the comments in embedded C say; see embedded.c. */
#ifndef SPILE_SEMA_EMBEDDED_H
#define SPILE_SEMA_EMBEDDED_H

#include "translator/sema/sema.h"

/* A global of the script that a piece of embedded C reads or writes. */
struct embedded_use {
	struct symbol *global;
	bool reads, writes;
};

/** Is the marker in a comment of its own, as in "pure"? */
bool embedded_says(const char *code, const char *marker);
/** The globals that the code's pragmas name (of struct embedded_use *), NULL if none; diagnoses what is wrong. */
GPtrArray *embedded_globals(struct translation *t, const struct script *script, const char *code,
			    const struct location *at);

#endif
