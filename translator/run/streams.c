// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Running several hosts from one poll loop. Their output becomes ours, line by line, so that lines of different hosts
 * are not mixed. Our signals are passed to all of them. A host that ends is recorded, and the others continue.
 *
 * A run is a process: stap-vm, which gets signals, or the session of a shell (shell.c), which gets their names on its
 * input. Each process has its own session (setsid), so the terminal's Ctrl-C arrives only once, through us. As with
 * guests, a repetition of a signal within half a second is ignored (timeout(1) sends two), and a third signal ends the
 * waiting.
 *
 * Our output may be a pipe with a slow reader. So it is written only when it is writable, while signals are still
 * handled.
 */
#include "translator/run/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/process.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/message.h"
#include "translator/run/shell.h"

enum {
	TICK_MILLISECONDS = 50, /* interval of checks for ended processes, which poll() does not report */
	FAREWELL_MILLISECONDS = 5000,
	LONGEST_LINE = 64 << 10, /* longer lines are split */
	LONGEST_JSON_LINE = 256 << 20, /* longer ones are left out; hosts are not trusted */
	SIGNALS_TO_GIVE_UP = 3,
	OUTPUT = 0,
	MESSAGES = 1,
};

static const gint64 same_signal = G_USEC_PER_SEC / 2;

static const struct passed_signal {
	int number;
	const char *word; /* as sessions expect it */
} passed_signals[] = {{SIGINT, "INT\n"}, {SIGTERM, "TERM\n"}, {SIGHUP, "HUP\n"}, {SIGQUIT, "QUIT\n"}};

/* The run of one host. */
struct run {
	struct remote *remote;
	pid_t pid; /* 0 after its end */
	int control; /* standard input of a session; -1: none, or closed */
	int fds[2]; /* its standard output and standard error; -1: at the end */
	GString *pending[2]; /* incomplete lines */
	bool skips_line; /* the rest of a line of JSON that is too long */
	bool is_session, is_ready;
	int status; /* from waitpid() */
};

struct streams {
	const struct options *options;
	GPtrArray *runs; /* struct run * */
	bool whole_lines;
	bool begun; /* scripts are running, so their ends are reported */
	int signals;
	sigset_t mask; /* the previous signal mask */
	int signals_sent, last_number;
	gint64 last_signal;
	bool given_up;
	int output_error; /* errno of a failed write to standard output, or 0 */
};

/* ---- signals ----------------------------------------------------------------------------------------------------- */

static void report_signal(struct run *run, const struct passed_signal *signal)
{
	if (!run->pid)
		return;
	if (!run->is_session)
		kill(run->pid, signal->number);
	else if (run->control >= 0 && write(run->control, signal->word, strlen(signal->word)) < 0)
		close_fd(&run->control);
}

static void tell_all(struct streams *streams, const struct passed_signal *signal)
{
	for_each_ptr(struct run *, run, streams->runs)
		report_signal(run, signal);
}

static void tell_number(struct streams *streams, int number)
{
	for (size_t i = 0; i < G_N_ELEMENTS(passed_signals); i++)
		if (passed_signals[i].number == number)
			tell_all(streams, &passed_signals[i]);
}

/* Stop waiting: a session that loses its input ends its script and cleans up. */
static void give_up(struct streams *streams)
{
	streams->given_up = true;
	for_each_ptr(struct run *, run, streams->runs) {
		close_fd(&run->control);
		if (run->pid)
			kill(run->pid, SIGTERM);
	}
}

static void take_signal(struct streams *streams)
{
	gint64 now = g_get_monotonic_time();
	struct signalfd_siginfo information;
	int number;

	if (read(streams->signals, &information, sizeof(information)) != sizeof(information))
		return;
	number = information.ssi_signo;
	if (number == streams->last_number && now - streams->last_signal < same_signal)
		return;
	streams->last_number = number;
	streams->last_signal = now;
	if (++streams->signals_sent >= SIGNALS_TO_GIVE_UP)
		give_up(streams);
	else
		tell_number(streams, number);
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

/* End the scripts, because standard output cannot be written. */
static void note_output_error(struct streams *streams, int number)
{
	if (streams->output_error)
		return;
	streams->output_error = number;
	tell_number(streams, SIGTERM);
}

static void emit(struct streams *streams, int stream, const char *data, size_t size)
{
	int fd = stream == OUTPUT ? STDOUT_FILENO : STDERR_FILENO;

	while (size && !streams->given_up && (stream != OUTPUT || !streams->output_error)) {
		struct pollfd polls[] = {{.fd = fd, .events = POLLOUT}, {.fd = streams->signals, .events = POLLIN}};
		ssize_t count;

		if (poll(polls, G_N_ELEMENTS(polls), -1) < 0)
			continue;
		if (polls[1].revents)
			take_signal(streams);
		if (!polls[0].revents)
			continue;
		count = write(fd, data, MIN(size, PIPE_BUF));
		if (count < 0 && errno != EINTR && errno != EAGAIN) {
			if (stream == OUTPUT)
				note_output_error(streams, errno);
			return;
		}
		data += MAX(count, 0);
		size -= MAX(count, 0);
	}
}

static void emit_line(struct streams *streams, const struct run *run, int stream, const char *data, size_t size)
{
	g_autoptr(GString) line = g_string_new(NULL);

	if (streams->options->remote_prefix)
		g_string_append_printf(line, "%u: ", run->remote->number);
	g_string_append_len(line, data, size);
	emit(streams, stream, line->str, line->len);
}

/* Leave out a line of JSON that is too long, and what follows of it. */
static void skip_line(struct run *run)
{
	if (!run->skips_line)
		message_warn(_("%s: a line of JSON is longer than %d bytes, and left out"), run->remote->text,
			     LONGEST_JSON_LINE);
	run->skips_line = true;
	g_string_truncate(run->pending[OUTPUT], 0);
}

/*
 * Print the complete lines received; with @p at_end, also an incomplete last line.
 *
 * @param[in] searched The number of pending bytes that contain no newline.
 */
static void emit_lines(struct streams *streams, struct run *run, int stream, gsize searched, bool at_end)
{
	bool is_json = stream == OUTPUT && options_run_is_json(streams->options);
	GString *pending = run->pending[stream];
	gsize begin = 0;
	char *newline;

	while ((newline = memchr(pending->str + searched, '\n', pending->len - searched))) {
		gsize end = newline + 1 - pending->str;

		if (!run->skips_line || !is_json)
			emit_line(streams, run, stream, pending->str + begin, end - begin);
		run->skips_line &= !is_json;
		begin = searched = end;
	}
	g_string_erase(pending, 0, begin);
	if (is_json && (pending->len > LONGEST_JSON_LINE || run->skips_line))
		skip_line(run);
	if (!pending->len || (!at_end && (is_json || pending->len < LONGEST_LINE)))
		return;
	g_string_append_c(pending, '\n');
	/* The beginning of a line of JSON is of no use. */
	if (!is_json)
		emit_line(streams, run, stream, pending->str, pending->len);
	g_string_truncate(pending, 0);
}

/* Skip output of the host's shell before the session is ready. */
static void look_for_ready(struct run *run)
{
	static const char line[] = SESSION_READY "\n";
	GString *pending = run->pending[OUTPUT];
	char *ready = strstr(pending->str, line);

	run->is_ready = ready;
	if (ready)
		g_string_erase(pending, 0, ready + strlen(line) - pending->str);
	else if (pending->len > strlen(line))
		g_string_erase(pending, 0, pending->len - strlen(line));
}

static void take_text(struct streams *streams, struct run *run, int stream, const char *data, size_t size)
{
	gsize searched = run->pending[stream]->len;

	if (stream == OUTPUT && !run->is_ready) {
		g_string_append_len(run->pending[stream], data, size);
		look_for_ready(run);
		if (run->is_ready)
			emit_lines(streams, run, stream, 0, false);
		return;
	}
	if (!streams->whole_lines) {
		emit(streams, stream, data, size);
		return;
	}
	g_string_append_len(run->pending[stream], data, size);
	emit_lines(streams, run, stream, searched, false);
}

/* Read output: with one read(), so that a busy host does not block the others, or all of it with @p all. */
static void take_output(struct streams *streams, struct run *run, int stream, bool all)
{
	char block[16 << 10];
	ssize_t size;

	do {
		if (run->fds[stream] < 0)
			return;
		size = read(run->fds[stream], block, sizeof(block));
		if (size > 0)
			take_text(streams, run, stream, block, size);
		else if (!size || (errno != EAGAIN && errno != EINTR))
			close_fd(&run->fds[stream]);
	} while (all && size > 0);
}

/* ---- ends -------------------------------------------------------------------------------------------------------- */

/*
 * Explain the end of a run. A script that failed has printed the reason there, unless it was killed or the connection
 * was lost.
 */
static struct error *explain_end(const struct streams *streams, const struct run *run)
{
	int status = process_exit_status(run->status);

	if (!status || ((streams->signals_sent || streams->output_error) && process_is_wish(status - 128)))
		return NULL;
	if (run->remote->kind == REMOTE_SSH && status == SSH_FAILED)
		return error_new(ERROR_OTHER, _("the connection was lost; staprun there ends when it notices"));
	if (status > 128)
		return error_new(ERROR_OTHER, _("the script was killed there: %s"), strsignal(status - 128));
	return error_new(ERROR_OTHER, _("the script failed there (status %d)"), status);
}

static void note_end(struct streams *streams, struct run *run)
{
	for (int stream = OUTPUT; stream <= MESSAGES; stream++) {
		take_output(streams, run, stream, true);
		close_fd(&run->fds[stream]);
		if (run->is_ready)
			emit_lines(streams, run, stream, 0, true);
	}
	close_fd(&run->control);
	run->pid = 0;
	if (run->remote->failed || streams->given_up)
		return;
	if (!streams->begun)
		remote_fail(run->remote, error_new(ERROR_OTHER, _("cannot open a session there (status %d)"),
						   process_exit_status(run->status)));
	else if (streams->runs->len > 1)
		remote_fail(run->remote, explain_end(streams, run));
}

static guint collect(struct streams *streams)
{
	guint running = 0;

	for_each_ptr(struct run *, run, streams->runs) {
		if (run->pid && waitpid(run->pid, &run->status, WNOHANG) == run->pid)
			note_end(streams, run);
		running += run->pid != 0;
	}
	return running;
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

/* Wait for an event, at most one tick, and handle it. */
static void serve(struct streams *streams)
{
	g_autoptr(GArray) polls = g_array_new(FALSE, FALSE, sizeof(struct pollfd));
	struct pollfd one = {.fd = streams->signals, .events = POLLIN};
	guint next = 1;

	g_array_append_val(polls, one);
	for_each_ptr(struct run *, run, streams->runs)
		for (int stream = OUTPUT; stream <= MESSAGES; stream++) {
			one.fd = run->fds[stream];
			g_array_append_val(polls, one);
		}
	poll((struct pollfd *)polls->data, polls->len, TICK_MILLISECONDS);
	if (g_array_index(polls, struct pollfd, 0).revents)
		take_signal(streams);
	for_each_ptr(struct run *, run, streams->runs)
		for (int stream = OUTPUT; stream <= MESSAGES; stream++)
			if (g_array_index(polls, struct pollfd, next++).revents)
				take_output(streams, run, stream, false);
}

struct streams *streams_begin(const struct options *options, bool whole_lines)
{
	struct streams *streams = g_new0(struct streams, 1);

	streams->options = options;
	streams->whole_lines = whole_lines;
	streams->runs = g_ptr_array_new();
	streams->signals = -1;
	return streams;
}

static void catch_signals(struct streams *streams)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < G_N_ELEMENTS(passed_signals); i++)
		sigaddset(&set, passed_signals[i].number);
	sigprocmask(SIG_BLOCK, &set, &streams->mask);
	streams->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

struct error *streams_start(struct streams *streams, struct remote *remote, const char *const argv[], bool is_session)
{
	struct run *run = g_new0(struct run, 1);
	_cleanup_close_ int input = -1;
	int ends[2];

	run->remote = remote;
	run->is_session = is_session;
	run->is_ready = !is_session;
	run->control = run->fds[OUTPUT] = run->fds[MESSAGES] = -1;
	for (int stream = OUTPUT; stream <= MESSAGES; stream++)
		run->pending[stream] = g_string_new(NULL);
	g_ptr_array_add(streams->runs, run);
	if (is_session) {
		if (pipe2(ends, O_CLOEXEC))
			return error_errno("pipe2");
		input = ends[0];
		run->control = ends[1];
	}
	return process_start(argv, input, true, &run->pid, run->fds);
}

static bool all_ready(const struct streams *streams)
{
	for_each_ptr(const struct run *, run, streams->runs)
		if (run->pid && !run->is_ready)
			return false;
	return true;
}

static struct error *interruption(const struct streams *streams)
{
	return streams->given_up || process_interrupted() ? error_new(ERROR_INTERRUPTED, _("interrupted")) : NULL;
}

struct error *streams_wait_ready(struct streams *streams)
{
	while (collect(streams) && !all_ready(streams) && !process_interrupted())
		serve(streams);
	return interruption(streams);
}

/* Return the exit status of stap. With one host, it is the host's, as without --remote. */
static int overall_status(const struct streams *streams)
{
	bool failed = false;
	int status = 0;

	for_each_ptr(const struct run *, run, streams->runs) {
		status = process_exit_status(run->status);
		failed = failed || run->remote->failed || (status && !process_is_wish(status - 128));
	}
	if (streams->output_error == EPIPE)
		return 128 + SIGPIPE;
	if (streams->runs->len == 1 && process_is_wish(status - 128))
		return status;
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

struct error *streams_run(struct streams *streams, int *exit_status)
{
	struct run *only = streams->runs->len == 1 ? g_ptr_array_index(streams->runs, 0) : NULL;
	struct error *error;

	catch_signals(streams);
	if (process_interrupted())
		return interruption(streams);
	streams->begun = true;
	for_each_ptr(struct run *, run, streams->runs) {
		if (!run->is_session || !run->pid)
			continue;
		if (run->remote->failed || write(run->control, SESSION_RUN, strlen(SESSION_RUN)) < 0)
			close_fd(&run->control);
	}
	while (collect(streams) && !streams->given_up)
		serve(streams);
	error = interruption(streams);
	if (error)
		return error;
	*exit_status = overall_status(streams);
	if (streams->output_error && streams->output_error != EPIPE) {
		errno = streams->output_error;
		return error_errno(_("cannot write the output"));
	}
	/* If it was killed or lost, nothing has been printed about it. */
	if (only && !only->remote->failed && process_exit_status(only->status) > 128)
		return explain_end(streams, only);
	return NULL;
}

/* Wait for the end of a run; its input is closed, and it was terminated if given up. */
static void wait_for_end(struct run *run)
{
	for (int left = FAREWELL_MILLISECONDS; run->pid && left > 0; left -= TICK_MILLISECONDS) {
		if (waitpid(run->pid, &run->status, WNOHANG) == run->pid)
			return;
		g_usleep(TICK_MILLISECONDS * 1000);
	}
	if (!run->pid)
		return;
	kill(run->pid, SIGKILL);
	waitpid(run->pid, &run->status, 0);
}

void streams_end(struct streams *streams)
{
	if (!streams)
		return;
	for_each_ptr(struct run *, run, streams->runs) {
		close_fd(&run->control);
		for (int stream = OUTPUT; stream <= MESSAGES; stream++) {
			close_fd(&run->fds[stream]);
			g_string_free(run->pending[stream], TRUE);
		}
		wait_for_end(run);
		g_free(run);
	}
	g_ptr_array_unref(streams->runs);
	if (streams->signals >= 0) {
		close(streams->signals);
		sigprocmask(SIG_SETMASK, &streams->mask, NULL);
	}
	g_free(streams);
}
