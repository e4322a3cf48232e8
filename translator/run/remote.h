/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hosts on which a script runs: the parsed --remote options; see remote.c. */
#ifndef SPILE_RUN_REMOTE_H
#define SPILE_RUN_REMOTE_H

#include "common/base/foreign.h"
#include "translator/options.h"
#include "translator/translation.h"

enum remote_kind {
	REMOTE_GUEST, /* vm: a guest booted for the script and discarded */
	REMOTE_SOCKET, /* unix: a running guest of stap-vm, reached through a socket */
	REMOTE_SSH,
	REMOTE_HERE, /* direct: this host, handled like a host behind ssh */
};

struct remote {
	unsigned int number; /* value of remote_id() */
	const char *text; /* argument of --remote, value of remote_uri() */
	enum remote_kind kind;
	const char *rest; /* text after the prefix: a kernel, a socket, or [USER@]HOST */
	const char *port; /* of ssh; NULL: from its configuration */
	const char *kernel; /* kernel for the guest, as for -r; NULL: not given */

	/* Facts about the host (shell.c). */
	struct release release; /* of its kernel; "": unknown, so use that of -r or ours */
	const struct architecture *architecture; /* of its machine; NULL: not asked */
	bool is_root; /* whether the script runs there as root */
	const char *loader; /* first line of staprun -V there; "" if it has no staprun */

	/* Set by the driver: the script for this host. */
	const struct translation *translation;
	const char *module_path, *kernel_argument;

	bool is_one_of_several; /* one of several, some of which may be the same host */
	const char *directory; /* directory there for the files of this run; NULL: not needed */
	bool failed; /* the error has been printed */
};

/** Parse all --remote options into @p ret (struct remote *), so that errors are reported before passes 1 to 4. */
struct error *remotes_parse(struct arena *arena, const struct options *options, GPtrArray *ret);

/** Is the host reached by a shell, local or through ssh? */
bool remote_has_shell(const struct remote *remote);

/**
 * Print a failure of one host with its name and mark the host as failed; the others continue. Frees the error; NULL
 * means no failure.
 */
void remote_fail(struct remote *remote, struct error *error);

#endif
