/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command lines: of staprun, and of stap-vm, which carries it into a guest; see arguments.c. */
#ifndef SPILE_RUN_ARGUMENTS_H
#define SPILE_RUN_ARGUMENTS_H

#include "translator/run/remote.h"

/** Where bulk mode in a guest writes its files, and "THERE:HERE" of where they belong. */
struct bulk_files {
	const char *prefix, *download;
};

/** To a command line; words stay the caller's. */
void add_word(GPtrArray *argv, const char *word);
void add_pair(GPtrArray *argv, const char *option, const char *value);

/**
 * The options of staprun that are the same wherever it runs, appended to a command line in the arena.
 *
 * @param[in] bulk_prefix Where bulk mode writes its files; NULL: nowhere else than asked for.
 */
void add_staprun_options(GPtrArray *argv, const struct options *options, const char *bulk_prefix);

/** What tells one host from another: what remote_id() and remote_uri() say, and the name of the module. */
void add_remote_identity(GPtrArray *argv, struct arena *arena, const struct remote *remote);

/** All of staprun's command line, of this machine. Ends with a NULL. */
GPtrArray *local_command(const struct translation *t, const struct options *options, const char *module_path);

/** stap-vm with all that belongs to a run in a guest. Ends with a NULL. */
GPtrArray *guest_command(const struct options *options, const struct remote *remote, const struct bulk_files *bulk);

/** A question to a guest that is up: stap-vm and the words of a command, up to a NULL, that runs there. */
GPtrArray *guest_question(struct arena *arena, const struct remote *remote, const char *const *words);

/** The file with a module's signature, which lies beside it; NULL: it has none. */
const char *module_signature(struct arena *arena, const char *path);

/** Does the module ask staprun for tables of programs? A module out of the cache has not been translated. */
bool module_wants_tables(const char *path);

#endif
