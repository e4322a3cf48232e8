// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Running several short programs in parallel, to query hosts and to copy files to them. Their output is collected.
 *
 * Hosts are not trusted, so what a job prints is limited.
 *
 * A job is over when its process has ended, even if a program that it left running, such as the master of an ssh
 * connection, still holds its streams open.
 */
#include "translator/run/jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/process.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"

enum { TICK_MILLISECONDS = 50, SHORT_TICK_MILLISECONDS = 5, MOST_OUTPUT = 1 << 20 };

static struct error *start(struct job *job)
{
	_cleanup_close_ int input = -1;

	if (job->input) {
		input = open(job->input, O_RDONLY | O_CLOEXEC);
		if (input < 0)
			return error_errno(_("cannot read %s"), job->input);
	}
	return process_start(job->argv, input, !job->may_ask, &job->pid, job->fds);
}

/* End a job that prints too much. */
static void cut_off(struct job *job)
{
	job->is_cut_off = true;
	close_fd(&job->fds[0]);
	close_fd(&job->fds[1]);
	g_string_truncate(job->output, 0);
	g_string_truncate(job->messages, 0);
	if (job->pid)
		kill(job->pid, SIGTERM);
}

static void take_output(struct job *job)
{
	GString *const texts[] = {job->output, job->messages};
	char block[4096];
	ssize_t size = -1;

	for (int i = 0; i < 2; i++) {
		while (job->fds[i] >= 0 && (size = read(job->fds[i], block, sizeof(block))) > 0) {
			g_string_append_len(texts[i], block, size);
			if (texts[i]->len > MOST_OUTPUT)
				cut_off(job);
		}
		if (job->fds[i] >= 0 && (!size || (errno != EAGAIN && errno != EINTR)))
			close_fd(&job->fds[i]);
	}
}

static void note_end(struct job *job, int status)
{
	job->pid = 0;
	take_output(job);
	close_fd(&job->fds[0]);
	close_fd(&job->fds[1]);
	job->status = process_exit_status(status);
	if (process_interrupted())
		job->error = error_new(ERROR_INTERRUPTED, _("interrupted"));
	else if (job->is_cut_off)
		job->error = error_new(ERROR_OTHER, _("'%s' printed more than %d bytes"), job->argv[0], MOST_OUTPUT);
	else if (job->status)
		job->error = error_new(ERROR_OTHER, _("'%s' failed with status %d"), job->argv[0], job->status);
}

/* Collect ended processes; return the number of running jobs. */
static guint collect(GPtrArray *jobs)
{
	guint running = 0;
	int status;

	for (guint i = 0; i < jobs->len; i++) {
		struct job *job = g_ptr_array_index(jobs, i);

		if (job->pid && waitpid(job->pid, &status, WNOHANG) == job->pid)
			note_end(job, status);
		running += job->pid != 0;
	}
	return running;
}

/* Wait for output, at most one tick, because poll() does not report the end of a process. */
static void wait_a_while(GPtrArray *jobs)
{
	g_autoptr(GArray) polls = g_array_new(FALSE, FALSE, sizeof(struct pollfd));
	guint closed = 0;

	for (guint i = 0; i < jobs->len; i++) {
		struct job *job = g_ptr_array_index(jobs, i);

		for (int k = 0; job->pid && k < 2; k++) {
			struct pollfd one = {.fd = job->fds[k], .events = POLLIN};

			closed += one.fd < 0;
			g_array_append_val(polls, one);
		}
	}
	poll((struct pollfd *)polls->data, polls->len, closed ? SHORT_TICK_MILLISECONDS : TICK_MILLISECONDS);
	for (guint i = 0; i < jobs->len; i++)
		take_output(g_ptr_array_index(jobs, i));
}

void jobs_run(GPtrArray *jobs)
{
	for (guint i = 0; i < jobs->len; i++) {
		struct job *job = g_ptr_array_index(jobs, i);

		job->output = g_string_new(NULL);
		job->messages = g_string_new(NULL);
		job->fds[0] = job->fds[1] = -1;
		job->error = start(job);
	}
	while (collect(jobs)) {
		wait_a_while(jobs);
		for (guint i = 0; process_interrupted() && i < jobs->len; i++) {
			struct job *job = g_ptr_array_index(jobs, i);

			if (job->pid)
				kill(job->pid, SIGTERM);
		}
	}
}

void job_clear(struct job *job)
{
	g_string_free(job->output, TRUE);
	g_string_free(job->messages, TRUE);
	error_free(job->error);
}
