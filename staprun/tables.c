// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Start stap-tables, a separate program that builds tables of programs and libraries for stacks while the script runs.
 *
 * It reads files from untrusted users, and uses large libraries to do so. So it is neither part of the loader, which
 * has privileges, nor of the reader, without which the script ends. It is started before anything is loaded, becomes
 * the user who called staprun, and gets only the module's file "objects" (runtime/abi/protocol.h). The module uses the
 * tables of a user who may not load any module only for that user's own processes. If it dies, stacks are shorter.
 */
#include "staprun/tables.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/base/i18n.h"
#include "runtime/abi/protocol.h"
#include "staprun/child.h"
#include "staprun/messages.h"
#include "staprun/privilege.h"

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

	if (error_report_free(error))
		return 1;
	fcntl(socket, F_SETFD, 0);
	snprintf(number, sizeof(number), "%d", socket);
	child_become_helper(NULL, arguments, start->environment, start->mask);
	message_warning(_("cannot run %s: %s; stacks of programs that were not named with -d may be short"), PROGRAM,
			strerror(errno));
	return 1;
}

struct error *tables_prepare(struct tables *tables, char **environment, const sigset_t *mask)
{
	struct tables_start start = {environment, mask};

	return child_start(run_process, &start, &tables->pid, &tables->socket);
}

void tables_begin(const struct tables *tables, int directory, bool trusted)
{
	int objects = openat(directory, "objects", O_RDWR | O_CLOEXEC | O_NOFOLLOW);

	if (objects < 0)
		return;
	if (trusted && ioctl(objects, STP_OBJECT_TRUST))
		message_warning(_("stacks of other users' programs may be short: %s"), strerror(errno));
	/* If stap-tables is gone, it has printed the reason. */
	child_send(tables->socket, 'o', objects);
	close(objects);
}

void tables_finish(struct tables *tables)
{
	close(tables->socket);
	/* The table it may be building is no longer needed. */
	kill(tables->pid, SIGKILL);
	child_wait(tables->pid, NULL, 0);
}
