/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own build system, and the names that everything built here has; see kbuild.c. */
#ifndef SPILE_BUILD_KBUILD_H
#define SPILE_BUILD_KBUILD_H

#include "translator/translation.h"

/* The files of a module under way, in the work folder. */
#define SCRIPT_SOURCE "script.c"
#define SCRIPT_OBJECT "script.o"
#define RUNTIME_HITS "spile_hits" /* .c and .o: the halves of the runtime */
#define RUNTIME_SUPPORT "spile_support"
#define RUNTIME_KBUILD "Kbuild.in" /* of the runtime: how the script and the runtime are compiled */
#define ENVIRONMENT_FILE "environment" /* of kbuild's commands, NUL-terminated */
#define FOLDER_VARIABLE "SPILE_FOLDER" /* in it: the folder that the commands run in */
#define OBJTOOL_VARIABLE "SPILE_OBJTOOL" /* and what makes unwind tables of an object, if compiling it does not */

/*
 * Every module is built under this name and gets its own when it is complete (module_name.c). So what kbuild makes of a
 * module's name is the same for all scripts, and can be kept. As long as a module's name may be (MODULE_NAME_LEN - 1,
 * include/linux/module.h).
 */
#define BUILD_NAME "spile_module_whose_name_is_put_in_when_it_is_complete_0"

/**
 * make -C BUILD_FOLDER M=@p folder @p goal.
 *
 * @param[out] output All that was said, to be freed; may be NULL.
 * @return ERROR_BUILD with the lines of make's output that tell what is wrong.
 */
struct error *kbuild_run(const struct translation *t, const char *folder, const char *goal, char **output);

/** A setting of the kernel's configuration ("CONFIG_X"), as it stands there; "" if it is not set. */
const char *kbuild_setting(const struct translation *t, const char *name);

/** Remove debug sections from an object that is linked later, but for --debug. */
struct error *kbuild_strip_object(const struct translation *t, const char *path);
/** Remove them from a module, with all else that it has no use for. */
struct error *kbuild_strip_module(const struct translation *t, const char *path);

/**
 * The folder in the cache for what is made with this kernel, compiler and version of the runtime: made if need be.
 *
 * @param[in] runtime_folder, runtime_files The runtime's source, part of the key.
 * @param[out] ret To be freed; NULL if there is no cache, or none that is ours alone.
 */
struct error *kbuild_cache(const struct translation *t, const char *runtime_folder, const GPtrArray *runtime_files,
			   char **ret);

/**
 * Wait until nobody else is filling this folder of the cache: what he makes need not be made twice. A descriptor to be
 * closed, or -1 where locks do not work (some network file systems), which does no harm.
 */
int kbuild_lock(const char *cache);

/** A note for -v about how pass 4 went. */
void kbuild_note(const struct translation *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
