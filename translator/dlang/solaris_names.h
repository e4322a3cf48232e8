/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of Solaris in old programs, for hints. */
#ifndef SPILE_DLANG_SOLARIS_NAMES_H
#define SPILE_DLANG_SOLARIS_NAMES_H

#include <stdbool.h>

struct diagnostics;

/** If Linux has another name for a function, variable, type or probe, hint at it after an error; return whether. */
bool d_hint_linux_name(struct diagnostics *diagnostics, const char *name);

#endif
