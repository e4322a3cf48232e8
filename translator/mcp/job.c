// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A command of stap and its limits. It gets SIGTERM first, so that stap ends the script and its guest in order.
 */
#include "translator/mcp/job.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/process.h"
#include "common/base/cleanup.h"

enum {
	SECONDS_BESIDE_SCRIPT = 300, /* for translating, indexes that are missing, and the start of a guest */
	SECONDS_TO_END = 20,
};

struct error *job_start(struct call *call, struct job **ret)
{
	struct job *job = g_new0(struct job, 1);
	struct error *error;

	job->call = call;
	for (int i = 0; i < 2; i++)
		job->texts[i] = g_string_new(NULL);
	job->deadline = g_get_monotonic_time() + (call->seconds + SECONDS_BESIDE_SCRIPT) * G_TIME_SPAN_SECOND;
	error = process_start((const char *const *)call->argv->pdata, -1, true, &job->pid, job->fds);
	*ret = job;
	return error;
}

static void end_command(struct job *job)
{
	if (!job->pid)
		return;
	kill(job->was_asked_to_end ? -job->pid : job->pid, job->was_asked_to_end ? SIGKILL : SIGTERM);
	job->was_asked_to_end = true;
	job->deadline = g_get_monotonic_time() + SECONDS_TO_END * G_TIME_SPAN_SECOND;
}

static void append(struct job *job, GString *to, const char *bytes, gsize length)
{
	gsize room = job->call->most_output - MIN(job->call->most_output, to->len);

	for (gsize i = 0; i < MIN(length, room); i++)
		g_string_append_c(to, bytes[i] ?: ' ');
	if (length <= room || job->is_cut)
		return;
	job->is_cut = true;
	end_command(job);
}

static void take_output(struct job *job)
{
	char block[16384];
	ssize_t size = -1;

	for (int i = 0; i < 2; i++) {
		while (job->fds[i] >= 0 && (size = read(job->fds[i], block, sizeof(block))) > 0)
			append(job, job->texts[i], block, (gsize)size);
		if (job->fds[i] >= 0 && (!size || (errno != EAGAIN && errno != EINTR)))
			close_fd(&job->fds[i]);
	}
}

static bool has_ended(struct job *job, int options)
{
	int status;

	if (waitpid(job->pid, &status, options) != job->pid)
		return false;
	job->status = process_exit_status(status);
	job->pid = 0;
	take_output(job);
	return true;
}

bool job_continue(struct job *job)
{
	take_output(job);
	if (has_ended(job, WNOHANG))
		return true;
	if (g_get_monotonic_time() >= job->deadline) {
		job->is_late = true;
		end_command(job);
	}
	return false;
}

void job_cancel(struct job *job)
{
	end_command(job);
	while (!job_continue(job))
		g_usleep(20 * G_TIME_SPAN_MILLISECOND);
}

void job_free(struct job *job)
{
	for (int i = 0; i < 2; i++) {
		close_fd(&job->fds[i]);
		g_string_free(job->texts[i], TRUE);
	}
	call_free(job->call);
	g_free(job);
}
