// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Standard input, output and error of our programs.
 *
 * A program may be started with some of them closed. The next file that it opens would then become "standard output",
 * and a child process would get it as such. And a program that only ends with success hides that the disk was full.
 */
#include "common/base/standard_streams.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/i18n.h"

void standard_streams_open(void)
{
	/* Open read-only, so that writes fail. open() returns the lowest free number. */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDONLY) != fd)
			_exit(EXIT_FAILURE);
}

int standard_output_take(void)
{
	int output = dup(STDOUT_FILENO);

	if (output >= 0)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	return output;
}

/* Has the reader of standard output closed the pipe, as "head" does? */
static bool is_output_unwanted(void)
{
	struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};

	return poll(&output, 1, 0) == 1 && output.revents & POLLERR;
}

static bool is_of_write(int error)
{
	return error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO || error == EBADF;
}

int standard_output_finish(int status)
{
	bool was_lost = ferror(stdout);
	/* The error number of an earlier failure may be that of another call now. */
	int reason = was_lost && is_of_write(errno) ? errno : 0;

	if (fflush(stdout))
		reason = errno;
	if (!reason && !was_lost)
		return status;
	if (is_output_unwanted())
		return 128 + SIGPIPE; /* as if the signal had killed the program */
	fprintf(stderr, "%s: %s%s%s\n", _("ERROR"), _("cannot write the output"), reason ? ": " : "",
		reason ? strerror(reason) : "");
	return status ?: EXIT_FAILURE;
}
