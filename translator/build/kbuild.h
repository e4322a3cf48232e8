/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's build system, and the names of files built with it; see kbuild.c. */
#ifndef SPILE_BUILD_KBUILD_H
#define SPILE_BUILD_KBUILD_H

#include "translator/translation.h"

/* The files of a module in the work directory, while it is being built. */
#define SCRIPT_SOURCE "script.c"
#define SCRIPT_OBJECT "script.o"
#define RUNTIME_FAST "spile_fast" /* .c and .o; these two are the halves of the runtime */
#define RUNTIME_SLOW "spile_slow"
#define RUNTIME_KBUILD "Kbuild.in" /* of the runtime: how the script and the runtime are compiled */
#define ENVIRONMENT_FILE "environment" /* of kbuild's commands, NUL-terminated */
#define DIRECTORY_VARIABLE "SPILE_WORKING_DIRECTORY" /* variable in it: the directory in which the commands run */
/* variable in it: the command that adds unwind tables to an object, if the compilation does not */
#define OBJTOOL_VARIABLE "SPILE_OBJTOOL"

/*
 * Every module is built under this name and gets its own name when it is complete (module_name.c). So kbuild's output
 * is the same for all scripts and can be cached. The length is the maximum of a module's name (MODULE_NAME_LEN - 1,
 * include/linux/module.h).
 */
#define BUILD_NAME "spile_module_whose_name_is_put_in_when_it_is_complete_0"

/**
 * Run make -C BUILD_DIRECTORY M=@p directory @p goal.
 *
 * @param[out] output All output of make, to be freed; may be NULL.
 * @return ERROR_BUILD with the lines of make's output that describe the error.
 */
struct error *kbuild_run(const struct translation *t, const char *directory, const char *goal, char **output);

/** Return a setting of the kernel's configuration ("CONFIG_X") as written there; "" if it is not set. */
const char *kbuild_setting(const struct translation *t, const char *name);

/**
 * Return the name of a tool ("gcc", "strip") for the kernel's architecture: with the prefix of cross tools if that is
 * not this machine's. To be freed.
 */
char *kbuild_tool(const struct translation *t, const char *name);

/** Remove debug sections from an object before linking, except with --debug. */
struct error *kbuild_strip_object(const struct translation *t, const char *path);
/** Remove debug sections and other sections that a module does not need, except with --debug. */
struct error *kbuild_strip_module(const struct translation *t, const char *path);

/**
 * Find the cache directory for this kernel, compiler and version of the runtime; create it if needed.
 *
 * @param[in] runtime_directory, runtime_files The runtime's source, part of the key.
 * @param[out] ret To be freed; NULL if there is no cache, or it is not ours alone.
 */
struct error *kbuild_cache(const struct translation *t, const char *runtime_directory, const GPtrArray *runtime_files,
			   char **ret);

/**
 * Lock this cache directory, and wait while another process fills it, whose results need not be made twice. Return a
 * descriptor to be closed, or -1 where locks do not work (some network file systems), which is harmless.
 */
int kbuild_lock(const char *cache);

/** Print a note about pass 4, for -v. */
void kbuild_note(const struct translation *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Return an error that says how to install the kernel's headers. */
struct error *headers_not_installed(const struct translation *t);

#endif
