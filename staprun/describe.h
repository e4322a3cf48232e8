/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staprun -h: what a module is, without loading it; see describe.c. */
#ifndef SPILE_STAPRUN_DESCRIBE_H
#define SPILE_STAPRUN_DESCRIBE_H

#include "translator/util/error.h"

/**
 * Print what a module says of itself, and the globals that can be set behind its name. Gives up all privileges for
 * good: to look is anybody's right, with his own files.
 *
 * @param[in] name As module_read() has it.
 */
struct error *describe_module(const char *name);

#endif
