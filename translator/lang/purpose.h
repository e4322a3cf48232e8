/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a script says about itself; see purpose.c. */
#ifndef SPILE_LANG_PURPOSE_H
#define SPILE_LANG_PURPOSE_H

#include "common/arena.h"

/** Return the lines (const char *) that describe a script, from the comments at its head. There may be none. */
GPtrArray *script_purpose(struct arena *arena, const char *text);

#endif
