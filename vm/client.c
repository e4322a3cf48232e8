// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The client side: run commands in a guest over a connection to its hub.
 *
 * One poll loop copies bytes between this process's streams and the command's, and forwards signals. There are two
 * traps. Writing to a terminal or pipe may block, which must not keep Ctrl-C from the command. So output is written in
 * pieces of at most PIPE_BUF bytes, which do not block after poll(). And descriptors 0 to 2 are shared with other
 * programs, so they must not be made non-blocking.
 *
 * A guest may hang, and then no command in it ends. The agent returns each signal that it delivers. A command may take
 * any time after that, but a guest that does not return the signal is given up. A signal often comes several times at
 * once: timeout(1) sends one to its child and one to the whole group, and stap forwards its own. A signal within half a
 * second of a counted one is not counted.
 */
#include "vm/client.h"

#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/progress.h"
#include "common/base/i18n.h"

enum { SIGNALS_TO_GIVE_UP = 3, ANSWER_SECONDS = 20, FAREWELL_SECONDS = 3 };

static const gint64 same_signal = G_USEC_PER_SEC / 2;

static const int passed_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/* A running command and our ends of its streams. */
struct execution {
	const int *fds;
	GByteArray *pending[3]; /* output not written yet; [0] is unused */
	uint32_t input_in_flight; /* bytes sent but not acknowledged */
	bool input_closed;
	bool line_is_open; /* the last line on standard error has no end yet; only with SPILE_PROGRESS */
	bool output_closed[3];
	int output_error; /* errno of a failed write, other than EPIPE; 0: none */
	uint64_t received; /* bytes of standard output */
	int signals_sent; /* not counting repetitions within same_signal */
	gint64 last_signal; /* when a signal was last counted */
	gint64 answer_due; /* when the guest is given up; 0: no answer is pending */
	bool finished;
	bool unwanted; /* interrupted while only output remained to be written */
	int status;
	char *report;
};

void client_begin(struct client_session *session, int fd, unsigned int seconds)
{
	sigset_t set;

	*session = (struct client_session){.link.fd = fd};
	if (seconds)
		session->deadline = g_get_monotonic_time() + seconds * G_USEC_PER_SEC;
	sigemptyset(&set);
	for (size_t i = 0; i < G_N_ELEMENTS(passed_signals); i++) {
		/* A shell starts background jobs with SIGINT ignored, which would hide it from the signalfd. */
		signal(passed_signals[i], SIG_DFL);
		sigaddset(&set, passed_signals[i]);
	}
	sigprocmask(SIG_BLOCK, &set, NULL);
	session->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	signal(SIGPIPE, SIG_IGN);
	/* Reading the terminal from the background then fails, and counts as end of input. */
	signal(SIGTTIN, SIG_IGN);
}

/* Check that the guest belongs to the same user, because files and input are sent to it. */
static struct error *check_owner(int fd, const char *path)
{
	struct ucred peer = {.uid = (uid_t)-1};
	socklen_t size = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
		return error_errno("%s", path);
	if (peer.uid == geteuid())
		return NULL;
	return error_with_hint(error_new(ERROR_OTHER, _("another user (%u) is listening at %s"), (unsigned int)peer.uid,
					 path),
			       _("choose another path for --socket; a guest serves only the user who started it"));
}

struct error *client_connect(const char *path, int *fd)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	if (g_strlcpy(address.sun_path, path, sizeof(address.sun_path)) >= sizeof(address.sun_path))
		return error_new(ERROR_OTHER, _("socket path %s is too long"), path);
	*fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (*fd < 0 || connect(*fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		return error_with_hint(error_errno(_("no guest at %s"), path),
				       _("run 'stap-vm start -r RELEASE --socket %s'"), path);
	return check_owner(*fd, path);
}

/* Format FRAME_FAILED or FRAME_REPORT: the first line is the reason, the rest is from the console. */
static char *__attribute__((format(printf, 2, 0))) explain(const struct frame *frame, const char *format)
{
	char *text = g_strndup((const char *)frame->payload, frame->header.length);
	char *console = strchr(text, '\n'), *explained;

	if (!console || !console[1])
		return g_strchomp(text);
	*console++ = '\0';
	explained = g_strdup_printf(format, text, g_strchomp(console));
	g_free(text);
	return explained;
}

static struct error *failure(const struct frame *frame)
{
	g_autofree char *text = explain(frame, _("%s; its console said:\n%s"));

	return error_new(ERROR_OTHER, "%s", text);
}

static struct error *lost_hub(void)
{
	return error_new(ERROR_OTHER, _("the process that runs the guest is gone"));
}

/* Return the timeout for poll() in milliseconds until a time; -1 (infinite) for 0. */
static int time_until(gint64 moment)
{
	gint64 left;

	if (!moment)
		return -1;
	left = moment - g_get_monotonic_time();
	return left <= 0 ? 0 : MIN(left / 1000 + 1, INT_MAX);
}

static int time_left(const struct client_session *session)
{
	return time_until(session->deadline);
}

static bool passed(gint64 moment)
{
	return moment && g_get_monotonic_time() >= moment;
}

/* Give up the guest. Ask the hub for the console's last lines, but do not rely on an answer. */
static struct error *give_up(struct client_session *session, const char *reason)
{
	struct frame frame;

	link_send(&session->link, FRAME_TIMEOUT, 0, 0, reason, strlen(reason));
	session->deadline = g_get_monotonic_time() + FAREWELL_SECONDS * G_USEC_PER_SEC;
	while (!session->link.broken && time_left(session) > 0) {
		struct pollfd wait = {.fd = session->link.fd, .events = POLLIN};

		link_flush(&session->link);
		if (poll(&wait, 1, time_left(session)) <= 0)
			continue;
		link_fill(&session->link);
		while (link_next(&session->link, &frame)) {
			if (frame.header.type == FRAME_FAILED)
				return failure(&frame);
		}
	}
	return error_new(ERROR_OTHER, "%s", reason);
}

static struct error *time_out(struct client_session *session)
{
	return give_up(session, _("no answer from the guest in the time allowed"));
}

static struct error *interrupted(struct client_session *session, int number)
{
	session->last_signal = number;
	return error_new(ERROR_INTERRUPTED, _("interrupted"));
}

/* Return the number of a pending signal, or 0. */
static int take_signal(const struct client_session *session)
{
	struct signalfd_siginfo information;

	if (read(session->signals, &information, sizeof(information)) != sizeof(information))
		return 0;
	return information.ssi_signo;
}

/* Print FRAME_NOTE. */
static void tell_note(const struct client_session *session, const struct frame *frame)
{
	if (!session->verbose)
		return;
	progress_clear();
	fprintf(stderr, "stap-vm: %.*s\n", (int)frame->header.length, (const char *)frame->payload);
}

struct error *client_wait_ready(struct client_session *session)
{
	_cleanup_progress_ struct progress *step = progress_begin(_("waiting for the guest"));
	struct frame frame;
	int number;

	while (!session->link.broken) {
		struct pollfd polls[] = {{.fd = session->link.fd, .events = POLLIN},
					 {.fd = session->signals, .events = POLLIN}};

		if (poll(polls, G_N_ELEMENTS(polls), time_left(session)) == 0)
			return time_out(session);
		number = take_signal(session);
		if (number)
			return interrupted(session, number);
		if (polls[0].revents)
			link_fill(&session->link);
		while (link_next(&session->link, &frame)) {
			if (frame.header.type != FRAME_NOTE)
				return frame.header.type == FRAME_FAILED ? failure(&frame) : NULL;
			tell_note(session, &frame);
		}
	}
	return lost_hub();
}

/*
 * Return "PATH=…": the guest's directories of programs, then those of this host's PATH, because programs are brought to
 * the same place.
 */
static char *guest_path(void)
{
	static const char *const guests[] = {"/bin",	       "/sbin",		  "/usr/bin", "/usr/sbin",
					     "/usr/local/bin", "/usr/local/sbin", NULL};
	g_autofree char *all = g_strjoinv(":", (char **)guests);
	GString *path = g_string_new("PATH=");
	g_auto(GStrv) own = g_strsplit(g_getenv("PATH") ?: "", ":", -1);

	g_string_append(path, all);
	for (char **directory = own; *directory; directory++)
		if (g_path_is_absolute(*directory) && !g_strv_contains(guests, *directory))
			g_string_append_printf(path, ":%s", *directory);
	return g_string_free(path, FALSE);
}

/* Return the environment of a command in the guest; the agent's own is empty. */
static GPtrArray *guest_environment(void)
{
	static const char *const fixed[] = {"HOME=/root", "USER=root", "SHELL=/bin/sh"};
	static const char *const passed[] = {"TERM", "LANG", "LC_ALL", "TZ", "SPILE_PROGRESS"};
	GPtrArray *environment = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(environment, guest_path());
	for (size_t i = 0; i < G_N_ELEMENTS(fixed); i++)
		g_ptr_array_add(environment, g_strdup(fixed[i]));
	for (size_t i = 0; i < G_N_ELEMENTS(passed); i++) {
		const char *value = g_getenv(passed[i]);

		if (value)
			g_ptr_array_add(environment, g_strdup_printf("%s=%s", passed[i], value));
	}
	return environment;
}

static void append_string(GByteArray *bytes, const char *text)
{
	g_byte_array_append(bytes, (const guint8 *)text, strlen(text) + 1);
}

static void send_command(struct client_session *session, char **arguments)
{
	g_autoptr(GPtrArray) environment = guest_environment();
	g_autoptr(GByteArray) payload = g_byte_array_new();
	g_autofree char *directory = g_get_current_dir();
	struct exec_header counts = {.arguments = g_strv_length(arguments), .environment = environment->len};

	g_byte_array_append(payload, (const guint8 *)&counts, sizeof(counts));
	append_string(payload, directory);
	for (char **argument = arguments; *argument; argument++)
		append_string(payload, *argument);
	for (guint i = 0; i < environment->len; i++)
		append_string(payload, environment->pdata[i]);
	link_send(&session->link, FRAME_EXEC, 0, 0, payload->data, payload->len);
}

/* Read what fits in the window. The end of input, or a read error, closes the command's input. */
static void send_input(struct client_session *session, struct execution *execution)
{
	guint8 chunk[16 * 1024];
	size_t room = MIN(sizeof(chunk), LINK_WINDOW - execution->input_in_flight);
	ssize_t count = read(execution->fds[STDIN_FILENO], chunk, room);

	if (count < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (count <= 0) {
		execution->input_closed = true;
		count = 0;
	}
	execution->input_in_flight += count;
	link_send(&session->link, FRAME_DATA, STDIN_FILENO, 0, chunk, count);
}

/*
 * Send SIGPIPE to the command if our reader is gone, as would happen without a guest. Do the same if the output cannot
 * be written, as to a full disk; that is reported as an error when the command has ended.
 */
static void close_output(struct client_session *session, struct execution *execution, int stream)
{
	if (errno != EPIPE && !execution->output_error)
		execution->output_error = errno;
	execution->output_closed[stream] = true;
	link_send_number(&session->link, FRAME_SIGNAL, 0, 0, SIGPIPE);
}

/*
 * staprun erases its line of progress before it prints, but the streams arrive independently. If the line is still
 * there when standard output is written, erase it here.
 */
static void erase_progress(struct execution *execution, int stream, const GByteArray *written)
{
	static const char line[] = "\r\033[K";

	if (!g_getenv("SPILE_PROGRESS"))
		return;
	if (stream == STDERR_FILENO) {
		execution->line_is_open = written->data[written->len - 1] != '\n';
	} else if (execution->line_is_open) {
		execution->line_is_open = false;
		if (write(execution->fds[STDERR_FILENO], line, strlen(line)) < 0) {
			/* Ignore errors. */
		}
	}
}

static void write_output(struct client_session *session, struct execution *execution, int stream)
{
	GByteArray *pending = execution->pending[stream];
	ssize_t count = pending->len;

	erase_progress(execution, stream, pending);
	if (!execution->output_closed[stream])
		count = write(execution->fds[stream], pending->data, MIN(pending->len, PIPE_BUF));
	if (count < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (count < 0) {
		close_output(session, execution, stream);
		count = pending->len;
	}
	g_byte_array_remove_range(pending, 0, count);
	link_send_number(&session->link, FRAME_ACK, stream, 0, count);
}

static void pass_signal(struct client_session *session, struct execution *execution)
{
	int number = take_signal(session);
	gint64 now = g_get_monotonic_time();

	if (!number)
		return;
	session->last_signal = number;
	execution->unwanted = execution->finished;
	if (execution->finished)
		return;
	link_send_number(&session->link, FRAME_SIGNAL, 0, 0, number);
	if (execution->last_signal && now - execution->last_signal < same_signal)
		return;
	execution->signals_sent++;
	execution->last_signal = now;
	execution->answer_due = execution->answer_due ? now : now + ANSWER_SECONDS * G_USEC_PER_SEC;
}

/* Return an error if there is a reason to stop waiting for the command. */
static struct error *check_patience(struct client_session *session, const struct execution *execution)
{
	if (passed(session->deadline))
		return time_out(session);
	if (passed(execution->answer_due))
		return give_up(session, _("the guest does not answer"));
	if (execution->unwanted || execution->signals_sent >= SIGNALS_TO_GIVE_UP)
		return interrupted(session, session->last_signal);
	return NULL;
}

/* Return the timeout for poll() in milliseconds until check_patience() may have a reason. */
static int patience(const struct client_session *session, const struct execution *execution)
{
	int overall = time_left(session), answer = time_until(execution->answer_due);

	return overall < 0 || (answer >= 0 && answer < overall) ? answer : overall;
}

static struct error *handle_frame(const struct client_session *session, struct execution *execution,
				  const struct frame *frame)
{
	unsigned int stream = frame->header.stream;

	switch (frame->header.type) {
	case FRAME_FAILED:
		return failure(frame);
	case FRAME_EXIT:
		execution->finished = true;
		execution->answer_due = 0;
		execution->status = frame_number(frame);
		break;
	case FRAME_SIGNAL:
		execution->answer_due = 0;
		break;
	case FRAME_REPORT:
		g_free(execution->report);
		execution->report = explain(frame, _("%s:\n%s"));
		break;
	case FRAME_ACK:
		execution->input_in_flight -= MIN(execution->input_in_flight, frame_number(frame));
		break;
	case FRAME_DATA:
		if (stream == STDOUT_FILENO || stream == STDERR_FILENO)
			g_byte_array_append(execution->pending[stream], frame->payload, frame->header.length);
		if (stream == STDOUT_FILENO)
			execution->received += frame->header.length;
		break;
	}
	if (session->limits_output && execution->received > session->most_output)
		return error_new(ERROR_OTHER, _("the guest sends more than the %" PRIu64 " bytes that are expected"),
				 session->most_output);
	return NULL;
}

static bool has_output(const struct execution *execution)
{
	return execution->pending[STDOUT_FILENO]->len || execution->pending[STDERR_FILENO]->len;
}

enum { POLL_INPUT, POLL_OUTPUT, POLL_ERRORS, POLL_HUB, POLL_SIGNALS, POLL_COUNT };

static void fill_poll(const struct client_session *session, const struct execution *execution, struct pollfd *polls)
{
	bool wants_input = !execution->finished && !execution->input_closed && execution->input_in_flight < LINK_WINDOW;

	polls[POLL_INPUT] = (struct pollfd){.fd = wants_input ? execution->fds[STDIN_FILENO] : -1, .events = POLLIN};
	for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++)
		polls[stream] = (struct pollfd){.fd = execution->pending[stream]->len ? execution->fds[stream] : -1,
						.events = POLLOUT};
	polls[POLL_HUB] = (struct pollfd){.fd = session->link.fd,
					  .events = POLLIN | (link_pending(&session->link) ? POLLOUT : 0)};
	polls[POLL_SIGNALS] = (struct pollfd){.fd = session->signals, .events = POLLIN};
}

static struct error *serve_execution(struct client_session *session, struct execution *execution)
{
	struct pollfd polls[POLL_COUNT];
	struct error *error = NULL;
	struct frame frame;

	while (!error && (!execution->finished || has_output(execution))) {
		link_flush(&session->link);
		fill_poll(session, execution, polls);
		if (poll(polls, POLL_COUNT, patience(session, execution)) < 0)
			continue;
		if (polls[POLL_INPUT].revents)
			send_input(session, execution);
		for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++) {
			if (polls[stream].revents)
				write_output(session, execution, stream);
		}
		if (polls[POLL_SIGNALS].revents)
			pass_signal(session, execution);
		if (polls[POLL_HUB].revents)
			link_fill(&session->link);
		while (!error && link_next(&session->link, &frame))
			error = handle_frame(session, execution, &frame);
		if (!error && session->link.broken && !execution->finished)
			error = lost_hub();
		error = error ?: check_patience(session, execution);
	}
	return error;
}

/* Write the output that arrived before the guest was lost, if it can still be written. */
static void write_rest(struct client_session *session, struct execution *execution)
{
	gint64 end = g_get_monotonic_time() + FAREWELL_SECONDS * G_USEC_PER_SEC;
	struct pollfd polls[POLL_COUNT];

	while (has_output(execution)) {
		fill_poll(session, execution, polls);
		if (poll(polls + POLL_OUTPUT, 2, time_until(end)) <= 0)
			return;
		for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++) {
			if (polls[stream].revents)
				write_output(session, execution, stream);
		}
	}
}

struct error *client_run(struct client_session *session, char **arguments, const int fds[3], int *status)
{
	struct execution execution = {.fds = fds};
	struct error *error;

	for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++)
		execution.pending[stream] = g_byte_array_new();
	send_command(session, arguments);
	error = serve_execution(session, &execution);
	if (error)
		write_rest(session, &execution);
	if (!error && execution.output_error) {
		errno = execution.output_error;
		error = error_errno(_("cannot write the output"));
	}
	for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++)
		g_byte_array_unref(execution.pending[stream]);
	*status = execution.status;
	g_free(session->report);
	session->report = execution.report;
	return error;
}

struct error *client_stop(struct client_session *session)
{
	link_send(&session->link, FRAME_STOP, 0, 0, NULL, 0);
	while (!session->link.broken) {
		struct pollfd wait = {.fd = session->link.fd, .events = POLLIN};

		link_flush(&session->link);
		if (poll(&wait, 1, time_left(session)) == 0)
			return error_new(ERROR_OTHER, _("the guest does not stop"));
		link_fill(&session->link);
	}
	return NULL;
}

void client_end(struct client_session *session)
{
	g_free(session->report);
	close(session->signals);
	link_close(&session->link);
}
