// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The report of a run. staprun writes JSON lines, here or on each host, and stap-report reads them from a pipe. It
 * passes on what the script prints, so that a run with a report looks like one without.
 *
 * stap-report ends when its input does. It ignores signals, since what the script prints at its end belongs to the
 * report. If its output has no reader ("| head"), it interrupts us, which ends the script as usual.
 */
#include "translator/run/report.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/process.h"

struct error *report_begin(const struct options *options, struct report *report)
{
	g_autofree char *output = g_strdup_printf("--output=%s", options->report);
	g_autofree char *every = g_strdup_printf("--every=%d", options->snapshot_seconds);
	g_autofree char *interrupt = g_strdup_printf("--interrupt=%d", (int)getpid());
	bool is_shown = !strcmp(options->report, "-");
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	struct error *error;
	int input;

	g_ptr_array_add(argv, (gpointer)program_path("stap-report"));
	g_ptr_array_add(argv, output);
	if (options->snapshot_seconds)
		g_ptr_array_add(argv, every);
	/* On standard output, the report itself contains what the script prints. */
	if (!is_shown) {
		g_ptr_array_add(argv, "--pass");
		g_ptr_array_add(argv, interrupt);
	}
	if (!options->color)
		g_ptr_array_add(argv, "--color=never");
	g_ptr_array_add(argv, NULL);
	error = process_start_reader((const char *const *)argv->pdata, &input, &report->pid);
	if (error)
		return error;
	fflush(stdout);
	report->saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	dup2(input, STDOUT_FILENO);
	close(input);
	return NULL;
}

struct error *report_end(struct report *report, int *exit_status)
{
	int status = 0;

	if (!report->pid)
		return NULL;
	fflush(stdout);
	dup2(report->saved, STDOUT_FILENO);
	close(report->saved);
	while (waitpid(report->pid, &status, 0) < 0)
		if (errno != EINTR)
			return error_errno("waitpid");
	if (WIFSIGNALED(status))
		return error_new(ERROR_OTHER, _("stap-report was killed: %s"), strsignal(WTERMSIG(status)));
	/* 141: the output has no reader, but the report was written. */
	if (WEXITSTATUS(status))
		*exit_status = WEXITSTATUS(status) == 128 + SIGPIPE ? WEXITSTATUS(status) : EXIT_FAILURE;
	return NULL;
}
