// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The process that makes tables of programs and libraries for stacks, while the script runs: stap-tables, a program of
 * its own.
 *
 * It reads files that anybody may have made, and uses large libraries for it. So it is neither the loader, which has
 * privileges, nor the reader, without which the script ends: it is started before anything is loaded, becomes the user
 * who called staprun, and gets nothing but the module's file "objects" (runtime/protocol.h). If it dies, stacks are
 * shorter.
 */
#include "staprun/tables.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "staprun/child.h"
#include "staprun/messages.h"
#include "staprun/privilege.h"
#include "translator/util/i18n.h"

#define PROGRAM "stap-tables"

struct tables_start {
	char **environment;
	const sigset_t *mask;
};

static int run_process(void *data, int socket)
{
	const struct tables_start *start = data;
	struct error *error = privilege_become_user();
	char number[16];
	char *arguments[] = {PROGRAM, number, NULL};

	if (error_told(error))
		return 1;
	fcntl(socket, F_SETFD, 0);
	snprintf(number, sizeof(number), "%d", socket);
	child_become_helper(arguments, start->environment, start->mask);
	message_warning(_("cannot run %s: %s; stacks of programs that were not named with -d may be short"), PROGRAM,
			strerror(errno));
	return 1;
}

struct error *tables_prepare(struct tables *tables, char **environment, const sigset_t *mask)
{
	struct tables_start start = {environment, mask};

	return child_start(run_process, &start, &tables->pid, &tables->socket);
}

void tables_begin(const struct tables *tables, int folder)
{
	int objects = openat(folder, "objects", O_RDWR | O_CLOEXEC | O_NOFOLLOW);

	if (objects < 0)
		return;
	/* If it is gone, it has said why. */
	child_send(tables->socket, 'o', objects);
	close(objects);
}

void tables_finish(struct tables *tables)
{
	close(tables->socket);
	/* What it may be making is for nobody any more. */
	kill(tables->pid, SIGKILL);
	child_wait(tables->pid, NULL, 0);
}
