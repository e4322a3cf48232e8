/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a script is to run: each --remote, taken apart; see remote.c. */
#ifndef SPILE_RUN_REMOTE_H
#define SPILE_RUN_REMOTE_H

#include "translator/options.h"
#include "translator/translation.h"
#include "translator/util/foreign.h"

enum remote_kind {
	REMOTE_GUEST, /* vm: booted for it, and thrown away */
	REMOTE_SOCKET, /* unix: a guest that stap-vm left at a socket */
	REMOTE_SSH,
	REMOTE_HERE, /* direct: this host, by the way that a host behind ssh goes */
};

struct remote {
	unsigned int number; /* as remote_id() has it */
	const char *text; /* as --remote and remote_uri() have it */
	enum remote_kind kind;
	const char *rest; /* behind the prefix: a kernel, a socket, or the host with its user */
	const char *port; /* of ssh; NULL: as its configuration has it */
	const char *kernel; /* that a guest is to be booted with, as for -r; NULL: it does not say */

	/* What is found out about it (shell.c). */
	struct release release; /* of its kernel; "": not asked, so it is that of -r, or ours */
	bool is_root; /* who runs the script there */
	const char *loader; /* its staprun, as staprun -V calls itself; "" if it has none */

	/* What runs there; from the driver. */
	const struct translation *translation;
	const char *module_path, *kernel_argument;

	bool is_one_of_several; /* which may be one host by several ways */
	const char *folder; /* there, for the files of this run; NULL: it needs none */
	bool failed; /* why was told */
};

/** Take all --remote apart, into @p ret (struct remote *): what is wrong is said before the work of passes 1 to 4. */
struct error *remotes_parse(struct arena *arena, const struct options *options, GPtrArray *ret);

/** Does it run behind a shell, ours or that of ssh? */
bool remote_has_shell(const struct remote *remote);

/** A failure of one host, which is told with its name; the others go on. Frees the error; NULL is none. */
void remote_fail(struct remote *remote, struct error *error);

#endif
