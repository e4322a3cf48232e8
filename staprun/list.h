/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staprun -v: which modules are loaded; see list.c. */
#ifndef SPILE_STAPRUN_LIST_H
#define SPILE_STAPRUN_LIST_H

#include "staprun/privilege.h"
#include "translator/util/error.h"

/** Print a line for each module of ours that is loaded and that the user may know of. */
struct error *list_modules(enum access access);

#endif
