/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See script_line.c. */
#ifndef SPILE_RUN_SCRIPT_LINE_H
#define SPILE_RUN_SCRIPT_LINE_H

#include "translator/options.h"
#include "translator/translation.h"

/** Print the line about the script. Return an error if it cannot be written. */
struct error *write_script(const struct translation *t, const struct options *options);

#endif
