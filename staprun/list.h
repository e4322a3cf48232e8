/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staprun -v: list the loaded modules; see list.c. */
#ifndef SPILE_STAPRUN_LIST_H
#define SPILE_STAPRUN_LIST_H

#include "common/base/error.h"
#include "staprun/privilege.h"

/** Print a line for each loaded script module that the user may see. */
struct error *list_modules(enum access access);

#endif
