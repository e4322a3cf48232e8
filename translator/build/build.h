/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 4: from C source to a kernel module, through the target kernel's own kbuild. */
#ifndef SPILE_BUILD_BUILD_H
#define SPILE_BUILD_BUILD_H

#include "translator/translation.h"

/**
 * Compile t->c_text.
 *
 * The runtime library is compiled by kbuild once per kernel, compiler and version of its source, and cached; the
 * script's object is linked to it.
 *
 * @param[in] work_folder Private folder of this run; files are left there.
 * @param[out] module_path The .ko in @p work_folder; arena-owned.
 * @param[out] from_cache It was made by an earlier run.
 * @return ERROR_BUILD with kbuild's own message, ERROR_LOOKUP if the kernel's headers are missing.
 */
struct error *build_module(struct translation *t, const char *work_folder, const char **module_path, bool *from_cache);

#endif
