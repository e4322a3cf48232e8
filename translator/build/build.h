/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 4: from C source to a kernel module, through the target kernel's own kbuild. */
#ifndef SPILE_BUILD_BUILD_H
#define SPILE_BUILD_BUILD_H

#include "translator/translation.h"

/** Pass 4 from its preparation to its end. */
struct build;

/**
 * Prepare pass 4 before there is a script, as soon as the kernel is known: what the first script for a kernel needs is
 * made in another thread if passes 1 to 3 take their time. Never fails; build_module() tells what is wrong.
 */
struct build *build_begin(struct translation *t);

/** The script has been read. Does it probe @p syscalls by their names, or @p programs? */
void build_expect(struct build *build, bool syscalls, bool programs);

/**
 * The module that an earlier run made under this key (known.h); passes 2 and 3 are not needed then.
 *
 * @param[in] holds Whether what was noted of an entry is so still; if not, there is none.
 * @param[out] note What build_remember() was given with it; of the translation's arena.
 * @param[out] done False: there is none that may be used.
 */
struct error *build_recall(struct build *build, const char *key, const char *work_folder, const char **module_path,
			   bool (*holds)(const char *note), const char **note, bool *done);

/** The module that build_module() gave belongs to this key; @p note is kept with it. */
void build_remember(struct build *build, const char *key, const char *note);

/** Make now what the first script for this kernel would need, if it is not there. Needs the cache. */
struct error *build_prepare(struct build *build);

/** Whether the module was made or not: what is still being made is given up. NULL is nothing to end. */
void build_end(struct build *build);

/**
 * Compile t->c_text.
 *
 * The runtime library is compiled by kbuild once per kernel, compiler and version of its source, and cached; the
 * script's object is linked to it.
 *
 * A script whose handlers need too much of the kernel's stack is a diagnostic of @p t, and no module is made.
 *
 * A module without a name (t->module_name is NULL) is given one that stands for kernel and text.
 *
 * @param[in] work_folder Private folder of this run; files are left there.
 * @param[out] module_path The .ko in @p work_folder; arena-owned.
 * @param[out] from_cache It was made by an earlier run.
 * @return ERROR_BUILD with kbuild's own message, ERROR_LOOKUP if the kernel's headers are missing.
 */
struct error *build_module(struct build *build, const char *work_folder, const char **module_path, bool *from_cache);

#endif
