// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The filter of JSON lines: a thread of stap, and a process that looks frames up.
 *
 * Whoever prints lines writes to a pipe, here and also in the programs that stap starts. The thread copies the lines to
 * the real standard output. It sends lines with stacks to the process, and writes the answer instead. It writes the
 * line itself if there is no answer in time, or if the process has died: debuginfo may be damaged, and libdw reads it.
 *
 * The thread reads on while it waits for an answer, so that a script never waits for debuginfo. The order of lines is
 * kept. A process that is late continues, for example to index a kernel, and answers the lines of later snapshots.
 *
 * If the output cannot be written, the thread closes the pipe, which ends the writers as if they had written to the
 * output directly.
 */
#include "translator/frames/frames.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/read_write.h"
#include "translator/frames/lookup.h"
#include "translator/lang/ast.h"

enum {
	PIPE_SIZE = 1 << 20,
	BLOCK_SIZE = 1 << 16,
	LONGEST_WAIT = 2000, /* milliseconds for the answer to a line of a snapshot */
	LONGEST_LAST_WAIT = 10000, /* for all lines of the last snapshot together */
	/* The values of frames->stop. */
	FINISH = 1, /* all writers of the pipe have ended */
	GIVE_UP = 1 << 8, /* write nothing more to the output, either */
};

/* Longer lines are passed on as they are. */
static const gsize longest_line = 1 << 28;

/* ---- the process ------------------------------------------------------------------------------------------------- */

/* In both directions, a text has its length before it. An empty answer means that the line does not change. */
static bool receive(int fd, GString *to)
{
	guint64 length;

	if (read_up_to(fd, &length, sizeof(length)) != sizeof(length) || length > longest_line)
		return false;
	g_string_set_size(to, length);
	return read_up_to(fd, to->str, length) == (ssize_t)length;
}

static bool answer(int fd, const GString *text)
{
	guint64 length = text->len;

	return write_all(fd, (const char *)&length, sizeof(length)) && write_all(fd, text->str, text->len);
}

static void serve(int questions, int answers, const GPtrArray *translations)
{
	struct frame_source source = frame_lookup_source(frame_lookup_new(translations));
	struct frame_lines *lines = frame_lines_new(&source);
	GString *line = g_string_new(NULL), *out = g_string_new(NULL);

	while (receive(questions, line)) {
		g_string_truncate(out, 0);
		frame_lines_complete(lines, line->str, line->len, out);
		if (!answer(answers, out))
			break;
	}
}

/*
 * Close the pipes and sockets of stap, because other processes wait until all ends are closed. Debuginfo that is open
 * already consists of regular files.
 */
static void close_pipes(int questions, int answers)
{
	g_autoptr(GDir) directory = g_dir_open("/proc/self/fd", 0, NULL);
	const char *name;

	while (directory && (name = g_dir_read_name(directory))) {
		int fd = atoi(name);
		struct stat facts;

		if (fd > STDERR_FILENO && fd != questions && fd != answers && fstat(fd, &facts) == 0 &&
		    (S_ISFIFO(facts.st_mode) || S_ISSOCK(facts.st_mode)))
			close(fd);
	}
}

/* Ignore signals, which end the script, and print nothing: the user did not ask for debuginfo. */
static void prepare_process(pid_t parent)
{
	static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	for (size_t i = 0; i < G_N_ELEMENTS(ignored); i++)
		signal(ignored[i], SIG_IGN);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && null >= 0; fd++)
		dup2(null, fd);
}

struct worker {
	pid_t pid;
	int questions, answers; /* non-blocking; -1: closed */
};

static bool start_worker(struct worker *worker, const GPtrArray *translations)
{
	int questions[2], answers[2];
	pid_t parent = getpid();

	*worker = (struct worker){-1, -1, -1};
	if (pipe2(questions, O_CLOEXEC))
		return false;
	if (pipe2(answers, O_CLOEXEC)) {
		close(questions[0]);
		close(questions[1]);
		return false;
	}
	fflush(NULL);
	worker->pid = fork();
	if (!worker->pid) {
		prepare_process(parent);
		close_pipes(questions[0], answers[1]);
		serve(questions[0], answers[1], translations);
		_exit(EXIT_SUCCESS);
	}
	close(questions[0]);
	close(answers[1]);
	worker->questions = questions[1];
	worker->answers = answers[0];
	fcntl(worker->questions, F_SETFL, O_NONBLOCK);
	fcntl(worker->answers, F_SETFL, O_NONBLOCK);
	return worker->pid > 0;
}

static void lose_worker(struct worker *worker)
{
	close_fd(&worker->questions);
	close_fd(&worker->answers);
}

static void end_worker(struct worker *worker)
{
	lose_worker(worker);
	if (worker->pid <= 0)
		return;
	kill(worker->pid, SIGKILL);
	while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* ---- the thread -------------------------------------------------------------------------------------------------- */

enum question_state {
	NO_QUESTION,
	ASKED, /* about the line that waits */
	ASKED_IN_VAIN, /* about a line that was passed on without the answer */
};

struct frames {
	GThread *thread;
	struct worker worker;
	int input, output; /* the pipe's end for reading, non-blocking; the real standard output */
	int stop; /* eventfd: FINISH, GIVE_UP */
	bool is_stopping, is_given_up; /* these were received */
	bool is_over; /* all input is in `pending` */
	int output_error; /* errno of a failed write; 0: none */
	/* Input that is not written yet, after `passed` bytes that are. */
	GString *pending;
	gsize passed;
	gsize searched; /* bytes after `passed` without a newline */
	bool is_in_line; /* the beginning of the line at `passed` is written */
	gsize waits; /* the length of the line at `passed`, which waits for an answer; 0: none does */
	gint64 deadline, last_deadline; /* of this line; of the last snapshot: 0 if that has not come */
	enum question_state state;
	GString *question, *answer; /* with their lengths before them */
	gsize sent; /* bytes of `question` */
};

static void take_stop(struct frames *frames)
{
	guint64 value = 0;

	if (read(frames->stop, &value, sizeof(value)) != sizeof(value))
		return;
	frames->is_stopping = true;
	frames->is_given_up |= value >= GIVE_UP;
}

/* ---- writing ---- */

static void fail_output(struct frames *frames, int number)
{
	frames->output_error = number;
	close_fd(&frames->input);
}

/* Wait until the output can be written. Return false if that has become useless. */
static bool wait_for_output(struct frames *frames)
{
	struct pollfd polls[] = {{.fd = frames->output, .events = POLLOUT}, {.fd = frames->stop, .events = POLLIN}};

	do {
		if (poll(polls, G_N_ELEMENTS(polls), -1) < 0 && errno != EINTR)
			return false;
		if (polls[1].revents)
			take_stop(frames);
	} while (!polls[0].revents && !frames->is_given_up);
	return !frames->is_given_up;
}

static void write_out(struct frames *frames, const char *text, gsize size)
{
	while (size && !frames->output_error && wait_for_output(frames)) {
		ssize_t done = write(frames->output, text, MIN(size, PIPE_BUF));

		if (done < 0 && errno != EINTR && errno != EAGAIN)
			fail_output(frames, errno);
		text += MAX(done, 0);
		size -= MAX(done, 0);
	}
}

static void pass(struct frames *frames, gsize length)
{
	write_out(frames, frames->pending->str + frames->passed, length);
	frames->passed += length;
	frames->searched = 0;
}

/* ---- questions ---- */

static void ask(struct frames *frames)
{
	guint64 length = frames->waits;

	g_string_truncate(frames->question, 0);
	g_string_append_len(frames->question, (const char *)&length, sizeof(length));
	g_string_append_len(frames->question, frames->pending->str + frames->passed, (gssize)length);
	g_string_truncate(frames->answer, 0);
	frames->sent = 0;
	frames->state = ASKED;
}

static void send_question(struct frames *frames)
{
	ssize_t done = write(frames->worker.questions, frames->question->str + frames->sent,
			     frames->question->len - frames->sent);

	if (done < 0 && errno != EAGAIN && errno != EINTR)
		lose_worker(&frames->worker);
	frames->sent += MAX(done, 0);
}

/* Is the whole answer there? */
static bool has_answer(const struct frames *frames)
{
	guint64 length;

	if (frames->answer->len < sizeof(length))
		return false;
	memcpy(&length, frames->answer->str, sizeof(length));
	return frames->answer->len - sizeof(length) >= length;
}

static void write_answer(struct frames *frames)
{
	const gsize head = sizeof(guint64);

	if (frames->answer->len == head) {
		pass(frames, frames->waits);
	} else {
		write_out(frames, frames->answer->str + head, frames->answer->len - head);
		frames->passed += frames->waits;
		frames->searched = 0;
	}
	frames->waits = 0;
}

static void take_answer(struct frames *frames)
{
	char block[BLOCK_SIZE];
	ssize_t done = read(frames->worker.answers, block, sizeof(block));

	if (done < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (done <= 0 || frames->state == NO_QUESTION) {
		lose_worker(&frames->worker);
		return;
	}
	g_string_append_len(frames->answer, block, done);
	if (!has_answer(frames))
		return;
	if (frames->state == ASKED)
		write_answer(frames);
	frames->state = NO_QUESTION;
	if (frames->waits)
		ask(frames);
}

/* Let a line wait for its answer. A line of a snapshot does not wait while the process is late with an earlier line. */
static bool begin_waiting(struct frames *frames, gsize length, bool is_final)
{
	gint64 now = g_get_monotonic_time();

	if (frames->state != NO_QUESTION && !is_final)
		return false;
	if (is_final && !frames->last_deadline)
		frames->last_deadline = now + LONGEST_LAST_WAIT * G_TIME_SPAN_MILLISECOND;
	frames->deadline = is_final ? frames->last_deadline : now + LONGEST_WAIT * G_TIME_SPAN_MILLISECOND;
	frames->waits = length;
	if (frames->state == NO_QUESTION)
		ask(frames);
	return true;
}

static void end_waiting(struct frames *frames)
{
	if (!frames->waits)
		return;
	if (frames->state == ASKED)
		frames->state = ASKED_IN_VAIN;
	pass(frames, frames->waits);
	frames->waits = 0;
}

static bool has_worker(const struct frames *frames)
{
	return frames->worker.answers >= 0;
}

/* ---- lines ---- */

/* Return the length of the line at `passed`. An incomplete line is one only if it need not be completed; else 0. */
static gsize line_length(struct frames *frames, bool *is_whole)
{
	const char *line = frames->pending->str + frames->passed;
	gsize left = frames->pending->len - frames->passed;
	const char *newline = memchr(line + frames->searched, '\n', left - frames->searched);

	*is_whole = newline;
	if (newline)
		return newline + 1 - line;
	frames->searched = left;
	if (frames->is_in_line || frames->is_over || left >= longest_line || !frame_line_may_be_of_stacks(line, left))
		return left;
	return 0;
}

/* Pass lines on until one waits for an answer. */
static void pass_lines(struct frames *frames)
{
	bool is_whole, is_final;
	gsize length;

	while (!frames->waits && !frames->output_error && !frames->is_given_up &&
	       frames->passed < frames->pending->len && (length = line_length(frames, &is_whole))) {
		if (is_whole && !frames->is_in_line && length < longest_line && has_worker(frames) &&
		    frame_line_is_of_stacks(frames->pending->str + frames->passed, length, &is_final) &&
		    begin_waiting(frames, length, is_final))
			break;
		pass(frames, length);
		frames->is_in_line = !is_whole;
	}
	if (frames->passed == frames->pending->len || frames->passed > PIPE_SIZE) {
		g_string_erase(frames->pending, 0, (gssize)frames->passed);
		frames->passed = 0;
	}
}

/* Return whether there may be more now. */
static bool read_input(struct frames *frames)
{
	gsize before = frames->pending->len;
	ssize_t done;

	g_string_set_size(frames->pending, before + BLOCK_SIZE);
	done = read(frames->input, frames->pending->str + before, BLOCK_SIZE);
	g_string_truncate(frames->pending, before + MAX(done, 0));
	if (!done || (done < 0 && errno != EAGAIN && errno != EINTR))
		frames->is_over = true;
	return done > 0;
}

static int time_left(const struct frames *frames)
{
	gint64 left = (frames->deadline - g_get_monotonic_time()) / G_TIME_SPAN_MILLISECOND;

	return frames->waits ? (int)MAX(left + 1, 0) : -1;
}

static void wait_for_events(struct frames *frames)
{
	bool is_full = frames->pending->len - frames->passed > longest_line;
	bool is_sending = frames->state != NO_QUESTION && frames->sent < frames->question->len;
	struct pollfd polls[] = {
		{.fd = frames->stop, .events = POLLIN},
		{.fd = frames->is_over || is_full ? -1 : frames->input, .events = POLLIN},
		{.fd = frames->worker.answers, .events = POLLIN},
		{.fd = is_sending ? frames->worker.questions : -1, .events = POLLOUT},
		{.fd = frames->output}, /* for POLLERR and POLLHUP: its reader is gone */
	};

	if (poll(polls, G_N_ELEMENTS(polls), time_left(frames)) < 0)
		return;
	if (polls[0].revents)
		take_stop(frames);
	if (polls[1].revents)
		read_input(frames);
	if (polls[2].revents)
		take_answer(frames);
	if (polls[3].revents && has_worker(frames))
		send_question(frames);
	if (polls[4].revents)
		fail_output(frames, EPIPE);
}

static gpointer run_thread(gpointer data)
{
	struct frames *frames = data;

	while (!frames->output_error && !frames->is_given_up) {
		pass_lines(frames);
		if (frames->is_over && !frames->waits)
			break;
		wait_for_events(frames);
		if (frames->waits && (!has_worker(frames) || g_get_monotonic_time() >= frames->deadline))
			end_waiting(frames);
		if (!frames->is_stopping || frames->is_over)
			continue;
		while (!frames->output_error && read_input(frames))
			;
		frames->is_over = true;
	}
	close_fd(&frames->input);
	return NULL;
}

/* ---- begin and end ----------------------------------------------------------------------------------------------- */

/* May a script have stacks in its globals? If it was translated earlier or elsewhere, its globals are unknown. */
static bool may_have_stacks(const struct translation *t)
{
	if (!t->globals)
		return true;
	for_each_ptr(const struct symbol *, global, t->globals)
		for (int i = 0; i < global->arity; i++)
			if (is_stack_text(&global->stack_keys[i]))
				return true;
	return false;
}

static bool any_has_stacks(const GPtrArray *translations)
{
	for_each_ptr(const struct translation *, t, translations)
		if (t && may_have_stacks(t))
			return true;
	return false;
}

/* Start the thread with all signals blocked, because stap handles them in the main thread. */
static GThread *start_thread(struct frames *frames)
{
	sigset_t all, before;
	GThread *thread;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	thread = g_thread_try_new("frames", run_thread, frames, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return thread;
}

static void free_frames(struct frames *frames)
{
	end_worker(&frames->worker);
	close_fd(&frames->input);
	close_fd(&frames->output);
	close_fd(&frames->stop);
	g_string_free(frames->pending, TRUE);
	g_string_free(frames->question, TRUE);
	g_string_free(frames->answer, TRUE);
	g_free(frames);
}

static struct frames *new_frames(const GPtrArray *translations)
{
	struct frames *frames = g_new0(struct frames, 1);

	frames->pending = g_string_new(NULL);
	frames->question = g_string_new(NULL);
	frames->answer = g_string_new(NULL);
	frames->input = -1;
	frames->output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	frames->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (frames->output >= 0 && frames->stop >= 0 && start_worker(&frames->worker, translations))
		return frames;
	free_frames(frames);
	return NULL;
}

void frames_begin(const GPtrArray *translations, struct frames **ret)
{
	struct frames *frames = any_has_stacks(translations) ? new_frames(translations) : NULL;
	int ends[2];

	*ret = NULL;
	if (!frames)
		return;
	if (pipe2(ends, O_CLOEXEC)) {
		free_frames(frames);
		return;
	}
	fcntl(ends[1], F_SETPIPE_SZ, PIPE_SIZE);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	frames->input = ends[0];
	frames->thread = start_thread(frames);
	if (frames->thread) {
		fflush(stdout);
		dup2(ends[1], STDOUT_FILENO);
		*ret = frames;
	} else {
		free_frames(frames);
	}
	close(ends[1]);
}

struct error *frames_end(struct frames *frames, bool is_given_up, int *exit_status)
{
	guint64 value = is_given_up ? GIVE_UP : FINISH;
	int number;

	if (!frames)
		return NULL;
	fflush(stdout);
	dup2(frames->output, STDOUT_FILENO);
	if (write(frames->stop, &value, sizeof(value)) < 0)
		return error_errno("eventfd");
	g_thread_join(frames->thread);
	number = frames->output_error;
	free_frames(frames);
	if (!number)
		return NULL;
	*exit_status = number == EPIPE ? 128 + SIGPIPE : EXIT_FAILURE;
	errno = number;
	return number == EPIPE ? NULL : error_errno(_("cannot write the output"));
}
