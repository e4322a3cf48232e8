/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command lines of staprun, and of stap-vm, which runs it in a guest; see arguments.c. */
#ifndef SPILE_RUN_ARGUMENTS_H
#define SPILE_RUN_ARGUMENTS_H

#include "translator/run/remote.h"

/** The prefix of files that bulk mode writes in a guest, and "THERE:HERE" for downloading them. */
struct bulk_files {
	const char *prefix, *download;
};

/** Append to a command line. Words are not copied. */
void add_word(GPtrArray *argv, const char *word);
void add_pair(GPtrArray *argv, const char *option, const char *value);

/**
 * Append the options of staprun that are the same on every host to a command line in the arena.
 *
 * @param[in] bulk_prefix Prefix of the files of bulk mode; NULL: as the user gave it.
 */
void add_staprun_options(GPtrArray *argv, const struct options *options, const char *bulk_prefix);

/** Append the module and the values of globals that options of the script set, which end staprun's command line. */
void add_module(GPtrArray *argv, const struct options *options, const char *module);

/** Append the host's identity: the values of remote_id() and remote_uri(), and the option for the module's name. */
void add_remote_identity(GPtrArray *argv, struct arena *arena, const struct remote *remote);

/** Return staprun's command line for this machine, terminated by a NULL. */
GPtrArray *local_command(const struct translation *t, const struct options *options, const char *module_path);

/** Return the command line of stap-vm for a run in a guest, terminated by a NULL. */
GPtrArray *guest_command(const struct options *options, const struct remote *remote, const struct bulk_files *bulk);

/** Return the command line of stap-vm that runs a command (words up to a NULL) in a running guest. */
GPtrArray *guest_question(struct arena *arena, const struct remote *remote, const char *const *words);

/** Return the file with a module's signature, which is beside the module; NULL if there is no such file. */
const char *module_signature(struct arena *arena, const char *path);

/**
 * Does the module need tables of programs from staprun? This reads the module, because one from the cache was not
 * translated.
 */
bool module_wants_tables(const char *path);

#endif
