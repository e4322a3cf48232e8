/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --lint; see lint.c. */
#ifndef SPILE_LINT_H
#define SPILE_LINT_H

#include "translator/driver.h"

/** --lint: print which names of the script exist on which kernel. The exit status is 1 if a kernel has an error. */
struct error *lint(struct driver *first);

#endif
