/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a script is for and which options it has; see script_help.c. */
#ifndef SPILE_SCRIPT_HELP_H
#define SPILE_SCRIPT_HELP_H

#include "translator/options.h"
#include "translator/translation.h"

/** Print the purpose, the options and the settable globals of the script, after pass 1. */
void script_help_print(struct translation *t, const struct options *options);

#endif
