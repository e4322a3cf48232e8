// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Indexes of debuginfo take seconds to build, once per kernel. A child process builds each and leaves it in the cache,
 * where the session finds it. The child is a copy of this process, so it has the kernel open already.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "translator/session/internal.h"

struct job {
	struct environment *environment;
	char *object;
};

struct index_jobs {
	GQueue *waiting; /* of struct job * */
	struct job *running;
	pid_t pid;
	int ended; /* the reading end of a pipe that the child closes by ending; -1: none runs */
};

static void job_free(void *data)
{
	struct job *job = data;

	if (!job)
		return;
	environment_release(job->environment);
	g_free(job->object);
	g_free(job);
}

struct index_jobs *index_jobs_new(void)
{
	struct index_jobs *jobs = g_new0(struct index_jobs, 1);

	jobs->waiting = g_queue_new();
	jobs->ended = -1;
	return jobs;
}

void index_jobs_free(struct index_jobs *jobs)
{
	if (jobs->running) {
		kill(jobs->pid, SIGKILL);
		while (waitpid(jobs->pid, NULL, 0) < 0 && errno == EINTR)
			;
		close(jobs->ended);
		job_free(jobs->running);
	}
	g_queue_free_full(jobs->waiting, job_free);
	g_free(jobs);
}

/* The child's work. It must not touch the streams of its parent. */
static G_GNUC_NORETURN void build_index(const struct job *job)
{
	struct translation *t = &job->environment->base;
	struct debuginfo *debuginfo;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct error *error;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	setpriority(PRIO_PROCESS, 0, 10);
	error = *job->object == '/' ? translation_object(t, job->object, &debuginfo)
				    : translation_debuginfo(t, job->object, &debuginfo);
	error = error ?: debuginfo_prepare(debuginfo);
	_exit(error ? EXIT_FAILURE : EXIT_SUCCESS);
}

static void start_next(struct index_jobs *jobs)
{
	int ends[2];

	while (!jobs->running && (jobs->running = g_queue_pop_head(jobs->waiting))) {
		jobs->pid = pipe2(ends, O_CLOEXEC) ? -1 : fork();
		if (!jobs->pid)
			build_index(jobs->running);
		if (jobs->pid > 0) {
			close(ends[1]);
			jobs->ended = ends[0];
			return;
		}
		/* Without a child, the session builds it itself. */
		g_hash_table_add(jobs->running->environment->index_here, g_strdup(jobs->running->object));
		job_free(g_steal_pointer(&jobs->running));
	}
}

static bool is_same(const struct job *job, const struct environment *environment, const char *object)
{
	return job && job->environment == environment && !g_strcmp0(job->object, object);
}

void index_jobs_add(struct index_jobs *jobs, struct environment *environment, const char *object)
{
	struct job *job;

	if (is_same(jobs->running, environment, object))
		return;
	for (GList *link = jobs->waiting->head; link; link = link->next)
		if (is_same(link->data, environment, object))
			return;
	job = g_new0(struct job, 1);
	job->environment = environment_ref(environment);
	job->object = g_strdup(object);
	g_queue_push_tail(jobs->waiting, job);
	start_next(jobs);
}

bool index_jobs_poll(struct index_jobs *jobs)
{
	struct pollfd end = {.fd = jobs->ended, .events = POLLIN};

	if (!jobs->running || poll(&end, 1, 0) <= 0)
		return false;
	while (waitpid(jobs->pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(jobs->ended);
	jobs->ended = -1;
	/* If the index is not in the cache even now, it never will be. */
	g_hash_table_add(jobs->running->environment->index_here, g_strdup(jobs->running->object));
	job_free(g_steal_pointer(&jobs->running));
	start_next(jobs);
	return true;
}

int index_jobs_descriptor(const struct index_jobs *jobs)
{
	return jobs->ended;
}
