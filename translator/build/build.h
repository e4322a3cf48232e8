/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 4: compile the C source to a kernel module with the target kernel's kbuild. */
#ifndef SPILE_BUILD_BUILD_H
#define SPILE_BUILD_BUILD_H

#include "translator/translation.h"

/** The state of pass 4. */
struct build;

/**
 * Prepare pass 4 as soon as the kernel is known. If passes 1 to 3 take long, a thread compiles what the first script
 * for a kernel needs. Never fails; build_module() reports errors.
 */
struct build *build_begin(struct translation *t);

/** Set what the script probes, once it has been parsed: @p syscalls by name, or @p programs. */
void build_expect(struct build *build, bool syscalls, bool programs);

/**
 * Load the module that an earlier run remembered under this key (script_cache.h); passes 2 and 3 are not needed then.
 *
 * @param[in] holds Return whether the facts in an entry's note still hold; if not, the entry is ignored.
 * @param[out] note The note given to build_remember(); allocated in the translation's arena.
 * @param[out] done False if there is no usable module.
 */
struct error *build_recall(struct build *build, const char *key, const char *work_directory, const char **module_path,
			   bool (*holds)(const char *note), const char **note, bool *done);

/** Remember the module of build_module() under this key, with @p note. */
void build_remember(struct build *build, const char *key, const char *note);

/** Compile now, unless cached, what the first script for this kernel would need. Needs the cache. */
struct error *build_prepare(struct build *build);

/** End pass 4 and abort what is still being compiled ahead. NULL is allowed. */
void build_end(struct build *build);

/**
 * Compile t->c_text.
 *
 * The runtime library is compiled by kbuild once per kernel, compiler and version of its source, and cached; the
 * script's object is linked to it.
 *
 * If the script's handlers need too much of the kernel's stack, this is a diagnostic of @p t, and no module is made. A
 * module without a name (t->module_name is NULL) gets one derived from the kernel and the text.
 *
 * @param[in] work_directory Private directory of this run; files remain there.
 * @param[out] module_path The .ko in @p work_directory; arena-owned.
 * @param[out] from_cache Set if an earlier run made the module.
 * @return ERROR_BUILD with kbuild's own message, ERROR_LOOKUP if the kernel's headers are missing.
 */
struct error *build_module(struct build *build, const char *work_directory, const char **module_path, bool *from_cache);

#endif
