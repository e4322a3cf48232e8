// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hub: the process that owns a guest.
 *
 * It is QEMU's parent, reads the console, and notices when the guest dies. It passes frames between clients (stap-vm
 * run or exec) and the agent, giving each client a channel of its own. It is a separate process in its own session for
 * two reasons. Ctrl-C at the terminal reaches only the client, which forwards it to the command in the guest. And
 * "start" is the same as "run" with a socket for later clients.
 *
 * A guest is restored from a snapshot (snapshot.c), or booted to take one, or simply booted. If one way fails before
 * the guest has begun, the next one is tried.
 *
 * No process is left behind, whichever is killed. Without a socket, the hub ends when its first client disconnects.
 * With a socket, it ends when it is told to stop or QEMU has ended. The kernel kills QEMU when the hub is gone. The hub
 * of a guest that panicked stays for OBITUARY_SECONDS to report the reason to later clients.
 */
#include "vm/hub.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "common/base/i18n.h"
#include "vm/hub_state.h"
#include "vm/initramfs.h"

enum {
	BOOT_SECONDS = 600, /* on a busy machine without KVM */
	ANSWER_SECONDS = 5, /* for a restored guest to answer */
	IDLE_MICROSECONDS = 200000, /* without clients, until a guest in virtual time is stopped */
	PIECE = 128 * 1024, /* size of a FRAME_FILES payload */
	QUEUE_LIMIT = 4 * LINK_MAX_PAYLOAD, /* for a peer that does not read; above it, its sources are not read */
};

static void client_free(void *data)
{
	struct client *client = data;

	link_close(&client->link);
	g_free(client);
}

/* ---- how a guest comes to be ------------------------------------------------------------------------------------- */

/* Send a progress message to verbose clients (-v). */
static void __attribute__((format(printf, 2, 3))) tell(struct hub *hub, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list values;

	va_start(values, format);
	text = g_strdup_vprintf(format, values);
	va_end(values);
	for (guint i = 0; i < hub->clients->len; i++) {
		struct client *client = hub->clients->pdata[i];

		link_send(&client->link, FRAME_NOTE, 0, 0, text, strlen(text));
	}
}

static double seconds_since(gint64 start)
{
	return (g_get_monotonic_time() - start) / (double)G_USEC_PER_SEC;
}

/* Send the time and entropy to a guest that was just booted or restored. Its files follow when its agent replies. */
static void begin_guest(struct hub *hub)
{
	struct begin_header header = {0};
	struct timespec now;

	if (getrandom(header.entropy, sizeof(header.entropy), 0) != sizeof(header.entropy)) {
		hub_declare_dead(hub, _("cannot get random numbers for the guest"));
		return;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	header.seconds = now.tv_sec;
	header.nanoseconds = now.tv_nsec;
	link_send(&hub->agent, FRAME_BEGIN, 0, 0, &header, sizeof(header));
}

/* Send the next piece of the guest's files, or an empty one at the end. */
static void send_files(struct hub *hub)
{
	char piece[PIECE];
	ssize_t count = 0;

	/* A guest booted without a snapshot has already got them from the kernel. */
	if (hub->snapshot)
		count = read(hub->options->files, piece, sizeof(piece));
	if (count < 0) {
		hub_declare_dead(hub, _("cannot read the guest's files"));
		return;
	}
	link_send(&hub->agent, FRAME_FILES, 0, 0, piece, count);
	hub->files_sent = !count;
}

static void connect_guest(struct hub *hub, enum phase phase)
{
	hub->agent.fd = hub->qemu.port;
	hub->phase = phase;
	if (phase == PHASE_RESTORED)
		hub_set_deadline(hub, ANSWER_SECONDS, _("the guest from the snapshot does not answer"));
	else
		hub_set_deadline(hub, BOOT_SECONDS, _("the guest did not boot in time"));
}

static void disconnect_guest(struct hub *hub)
{
	hub->agent.fd = -1;
	link_close(&hub->agent);
	qemu_end(&hub->qemu);
	console_clear(&hub->console);
	hub->panicked = hub->greeted = false;
}

static void boot_simply(struct hub *hub)
{
	struct error *error;

	g_clear_pointer(&hub->snapshot, snapshot_free);
	error = initramfs_append(hub->options->guest.initrd, hub->options->files);
	if (!error)
		error = qemu_start(hub->options->kernel, &hub->options->guest, NULL, &hub->qemu);
	connect_guest(hub, PHASE_BOOT);
	if (error)
		hub_declare_dead(hub, error->message);
}

static void boot_for_snapshot(struct hub *hub)
{
	_cleanup_error_ struct error *error = snapshot_boot(hub->snapshot, &hub->qemu);

	if (!error) {
		connect_guest(hub, PHASE_SNAPSHOT);
		return;
	}
	tell(hub, _("no snapshot is taken: %s"), error->message);
	qemu_end(&hub->qemu);
	boot_simply(hub);
}

static void start_guest(struct hub *hub)
{
	_cleanup_error_ struct error *error = NULL;

	if (!hub->options->snapshot) {
		boot_simply(hub);
		return;
	}
	error = snapshot_new(hub->options->kernel, &hub->options->guest, &hub->snapshot);
	if (error) {
		tell(hub, "%s", error->message);
		boot_simply(hub);
		return;
	}
	error = snapshot_restore(hub->snapshot, &hub->qemu);
	if (error) {
		if (error->code != ERROR_LOOKUP)
			tell(hub, _("the snapshot is dropped: %s"), error->message);
		boot_for_snapshot(hub);
		return;
	}
	connect_guest(hub, PHASE_RESTORED);
	begin_guest(hub);
}

/* Replace a guest that failed before it began. Return true if another way to start one was tried. */
static bool start_again(struct hub *hub, const char *meaning)
{
	enum phase failed = hub->phase;

	/* Do not retry after a panic, because the kernel would panic again. */
	if (failed != PHASE_RESTORED && (failed != PHASE_SNAPSHOT || hub->panicked))
		return false;
	disconnect_guest(hub);
	if (failed == PHASE_RESTORED) {
		tell(hub, _("the snapshot is dropped: %s"), meaning);
		snapshot_drop(hub->snapshot);
		boot_for_snapshot(hub);
	} else {
		tell(hub, _("no snapshot is taken: %s"), meaning);
		boot_simply(hub);
	}
	return true;
}

/* Handle FRAME_HELLO. */
static void guest_booted(struct hub *hub)
{
	_cleanup_error_ struct error *error = NULL;
	gint64 start = g_get_monotonic_time();

	hub->greeted = true;

	if (hub->phase == PHASE_SNAPSHOT) {
		error = snapshot_take(hub->snapshot, &hub->qemu);
		if (error)
			tell(hub, _("no snapshot is taken: %s"), error->message);
		else
			tell(hub, _("a snapshot was taken in %.2f s"), seconds_since(start));
	}
	begin_guest(hub);
}

/* Handle FRAME_BEGIN, the agent's reply. */
static void guest_begun(struct hub *hub)
{
	if (hub->phase == PHASE_RESTORED) {
		tell(hub, _("the guest was restored from a snapshot in %.2f s"), seconds_since(hub->started));
		hub_write_console(hub, hub->console.text->str, hub->console.text->len);
	} else {
		tell(hub, _("the guest was booted in %.2f s"), seconds_since(hub->started));
	}
	hub->phase = PHASE_BEGUN;
	hub_set_deadline(hub, BOOT_SECONDS, _("the guest did not boot in time"));
	send_files(hub);
}

/* ---- what happens to it ------------------------------------------------------------------------------------------ */

static void pass_deadline(struct hub *hub)
{
	if (!hub->deadline || g_get_monotonic_time() < hub->deadline)
		return;
	hub->deadline = 0;
	if (hub->dead) {
		hub->stopping = true;
		return;
	}
	if (hub->phase == PHASE_RESTORED && start_again(hub, hub->meaning))
		return;
	if (!hub->ready || hub->panicked) {
		hub_declare_dead(hub, hub->meaning);
		return;
	}
	if (hub->meaning)
		hub_fail_running(hub);
	hub_report_ended(hub);
}

static void read_console(struct hub *hub)
{
	if (!hub_watch_console(hub) && !start_again(hub, _("QEMU has ended")))
		hub_declare_dead(hub, hub->ready && hub->meaning ? hub->meaning : _("the guest ended"));
}

static struct client *find_client(const struct hub *hub, unsigned int channel)
{
	for (guint i = 0; i < hub->clients->len; i++) {
		struct client *client = hub->clients->pdata[i];

		if (client->channel == channel)
			return client;
	}
	return NULL;
}

/* Return a new channel for each command, so that late frames of a cancelled one do not reach the next. */
static unsigned int new_channel(struct hub *hub)
{
	do {
		hub->last_channel = hub->last_channel % UINT16_MAX + 1;
	} while (find_client(hub, hub->last_channel));
	return hub->last_channel;
}

static void greet(struct hub *hub, struct client *client)
{
	if (hub->dead)
		hub_fail_client(hub, client, hub->meaning);
	else if (hub->ready)
		link_send(&client->link, FRAME_READY, 0, 0, NULL, 0);
}

/* Handle FRAME_READY, whose payload is an error during startup, or empty. */
static void guest_ready(struct hub *hub, const struct frame *frame)
{
	if (frame->header.length) {
		hub_declare_dead(hub, g_strndup((const char *)frame->payload, frame->header.length));
		return;
	}
	hub->ready = true;
	hub->deadline = 0;
	hub->meaning = NULL;
	for (guint i = 0; i < hub->clients->len; i++)
		greet(hub, hub->clients->pdata[i]);
}

/* Track the unacknowledged bytes of a stream. Return false if the window is exceeded or the direction is invalid. */
static bool keeps_window(struct client *client, const struct frame *frame, bool to_client)
{
	unsigned int stream = frame->header.stream;
	bool is_data = frame->header.type == FRAME_DATA;
	size_t *on_the_way = &client->on_the_way[stream < STREAMS ? stream : 0];

	if (!is_data && frame->header.type != FRAME_ACK)
		return true;
	/* Input goes to the command and output comes from it; acknowledgements go the other way. */
	if (stream >= STREAMS || (stream == 0) == (is_data == to_client))
		return false;
	if (is_data)
		*on_the_way += frame->header.length;
	else
		*on_the_way -= MIN(*on_the_way, frame_number(frame));
	return *on_the_way <= LINK_WINDOW;
}

static bool is_for_client(const struct frame *frame)
{
	return frame->header.type == FRAME_DATA || frame->header.type == FRAME_ACK ||
	       frame->header.type == FRAME_SIGNAL || frame->header.type == FRAME_EXIT;
}

static void pass_to_client(struct hub *hub, struct client *client, const struct frame *frame)
{
	if (!client->running)
		return;
	if (!is_for_client(frame) || !keeps_window(client, frame, true)) {
		hub_fail_client(hub, client, _("the guest violated the protocol"));
		return;
	}
	client->running = frame->header.type != FRAME_EXIT;
	if (client->running || !client->troubled) {
		link_send(&client->link, frame->header.type, frame->header.stream, 0, frame->payload,
			  frame->header.length);
		return;
	}
	client->ended = true;
	client->status = frame_number(frame);
	hub_set_deadline(hub, REPORT_SECONDS, hub->meaning);
}

static void serve_agent(struct hub *hub)
{
	struct frame frame;

	while (link_next(&hub->agent, &frame)) {
		struct client *client = find_client(hub, frame.header.channel);

		if (frame.header.type == FRAME_HELLO && !hub->greeted && hub->phase != PHASE_BEGUN)
			guest_booted(hub);
		else if (frame.header.type == FRAME_BEGIN && hub->phase != PHASE_BEGUN)
			guest_begun(hub);
		else if (frame.header.type == FRAME_READY && hub->phase == PHASE_BEGUN && !hub->ready)
			guest_ready(hub, &frame);
		else if (client)
			pass_to_client(hub, client, &frame);
	}
}

/* Pass a frame to the agent. Discard it if the client has no running command. */
static void pass_to_agent(struct hub *hub, struct client *client, const struct frame *frame)
{
	if (client->running && !client->link.broken)
		link_send(&hub->agent, frame->header.type, frame->header.stream, client->channel, frame->payload,
			  frame->header.length);
}

static void begin_command(struct hub *hub, struct client *client, const struct frame *frame)
{
	/* A client may run only one command at a time. */
	client->link.broken |= client->running;
	client->running = true;
	client->troubled = client->ended = client->told = false;
	client->channel = new_channel(hub);
	memset(client->on_the_way, 0, sizeof(client->on_the_way));
	pass_to_agent(hub, client, frame);
}

/* Handle a frame from a client: a request to the hub, or data for the agent. */
static void serve_frame(struct hub *hub, struct client *client, const struct frame *frame)
{
	g_autofree char *text = NULL;

	switch (frame->header.type) {
	case FRAME_STOP:
		hub->stopping = true;
		break;
	case FRAME_TIMEOUT:
		text = g_strndup((const char *)frame->payload, frame->header.length);
		hub_fail_client(hub, client, text);
		break;
	case FRAME_EXEC:
		begin_command(hub, client, frame);
		break;
	case FRAME_DATA:
	case FRAME_ACK:
	case FRAME_SIGNAL:
		client->link.broken |= !keeps_window(client, frame, false);
		pass_to_agent(hub, client, frame);
		break;
	default:
		client->link.broken = true;
	}
}

static void serve_client(struct hub *hub, struct client *client)
{
	struct frame frame;

	link_fill(&client->link);
	while (!client->link.broken && link_next(&client->link, &frame)) {
		if (!hub->dead || frame.header.type == FRAME_STOP)
			serve_frame(hub, client, &frame);
		else
			hub_fail_client(hub, client, hub->meaning);
	}
}

static void add_client(struct hub *hub, int fd)
{
	struct client *client = g_new0(struct client, 1);

	client->link.fd = fd;
	g_ptr_array_add(hub->clients, client);
	greet(hub, client);
}

/*
 * Remove clients that have disconnected, with their commands. Without a socket, or before the guest is ready, stop the
 * guest, too.
 */
static void drop_clients(struct hub *hub)
{
	for (guint i = hub->clients->len; i > 0; i--) {
		struct client *client = hub->clients->pdata[i - 1];

		if (!client->link.broken)
			continue;
		if (client->running)
			link_send(&hub->agent, FRAME_CANCEL, 0, client->channel, NULL, 0);
		if (hub->listener < 0 || !hub->ready)
			hub->stopping = true;
		g_ptr_array_remove_index(hub->clients, i - 1);
	}
	/* Unless the guest panicked, there is nothing to report to later clients. */
	if (hub->dead && !hub->panicked && !hub->clients->len)
		hub->stopping = true;
}

/* ---- guests in virtual time -------------------------------------------------------------------------------------- */

/* The clock of such a guest runs faster when it has less to do, so it always keeps a CPU of the host busy. */
static bool is_idle(const struct hub *hub)
{
	return hub->options->guest.virtual_time && hub->ready && !hub->dead && !hub->deadline && !hub->clients->len &&
	       !link_pending(&hub->agent);
}

/* Stop QEMU a little after the last client has left, because the guest may be cleaning up. */
static void pause_if_idle(struct hub *hub)
{
	gint64 now = g_get_monotonic_time();

	if (!is_idle(hub)) {
		if (hub->paused)
			kill(hub->qemu.pid, SIGCONT);
		hub->paused = false;
		hub->idle_since = 0;
	} else if (!hub->idle_since) {
		hub->idle_since = now;
	} else if (!hub->paused && now - hub->idle_since >= IDLE_MICROSECONDS) {
		hub->paused = kill(hub->qemu.pid, SIGSTOP) == 0;
	}
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

/* Return the time of the next deadline, or 0 if nothing is waited for. */
static gint64 next_deadline(const struct hub *hub)
{
	if (hub->idle_since && !hub->paused)
		return hub->idle_since + IDLE_MICROSECONDS; /* there is no other deadline in is_idle() */
	return hub->deadline;
}

static short link_events(const struct link *link)
{
	return POLLIN | (link_pending(link) ? POLLOUT : 0);
}

/* Do not read from a client whose frames cannot be passed on, or which does not read its answers. */
static short client_events(const struct hub *hub, const struct client *client)
{
	bool is_stuck = link_pending(&hub->agent) > QUEUE_LIMIT || link_pending(&client->link) > QUEUE_LIMIT;

	return is_stuck ? link_events(&client->link) & ~POLLIN : link_events(&client->link);
}

enum { POLL_SIGNALS, POLL_CONSOLE, POLL_AGENT, POLL_LISTENER, POLL_CLIENTS };

/* Wait for events. The result has one entry per descriptor, in the order of the enum above, followed by the clients. */
static GArray *wait_for_events(const struct hub *hub)
{
	const struct pollfd fixed[POLL_CLIENTS] = {
		[POLL_SIGNALS] = {.fd = hub->signals, .events = POLLIN},
		[POLL_CONSOLE] = {.fd = hub->dead ? -1 : hub->qemu.console, .events = POLLIN},
		[POLL_AGENT] = {.fd = hub->dead || hub->agent.broken ? -1 : hub->agent.fd,
				.events = link_events(&hub->agent)},
		[POLL_LISTENER] = {.fd = hub->listener, .events = POLLIN},
	};
	GArray *polls = g_array_new(FALSE, FALSE, sizeof(struct pollfd));
	gint64 deadline = next_deadline(hub), wait = -1;

	g_array_append_vals(polls, fixed, POLL_CLIENTS);
	for (guint i = 0; i < hub->clients->len; i++) {
		const struct client *client = hub->clients->pdata[i];
		struct pollfd poll = {.fd = client->link.fd, .events = client_events(hub, client)};

		g_array_append_val(polls, poll);
	}
	if (deadline)
		wait = MAX(0, (deadline - g_get_monotonic_time()) / 1000 + 1);
	if (poll((struct pollfd *)polls->data, polls->len, wait) < 0)
		memset(polls->data, 0, polls->len * sizeof(struct pollfd));
	return polls;
}

static void flush_links(struct hub *hub)
{
	if (hub->agent.fd >= 0)
		link_flush(&hub->agent);
	while (hub->phase == PHASE_BEGUN && !hub->files_sent && !hub->dead && !link_pending(&hub->agent)) {
		send_files(hub);
		link_flush(&hub->agent);
	}
	for (guint i = 0; i < hub->clients->len; i++)
		link_flush(&((struct client *)hub->clients->pdata[i])->link);
}

static void serve(struct hub *hub)
{
	while (!hub->stopping) {
		g_autoptr(GArray) polls = NULL;
		const struct pollfd *events;

		flush_links(hub);
		polls = wait_for_events(hub);
		events = (const struct pollfd *)polls->data;
		for (guint i = POLL_CLIENTS; i < polls->len; i++) {
			if (events[i].revents)
				serve_client(hub, hub->clients->pdata[i - POLL_CLIENTS]);
		}
		/*
		 * Read the console after the agent's messages, but before they are handled: then it has all that the
		 * kernel printed before them, and a command that ends after a kernel bug has failed.
		 */
		if (events[POLL_AGENT].revents)
			link_fill(&hub->agent);
		if (events[POLL_CONSOLE].fd >= 0)
			read_console(hub);
		if (events[POLL_AGENT].revents)
			serve_agent(hub);
		if (events[POLL_SIGNALS].revents)
			hub->stopping = true;
		pass_deadline(hub);
		drop_clients(hub);
		if (events[POLL_LISTENER].revents) {
			int fd = accept4(hub->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

			if (fd >= 0)
				add_client(hub, fd);
		}
		pause_if_idle(hub);
	}
}

/*
 * Detach from the terminal and the standard streams. A shell that waits for the end of our caller's output must not
 * wait for the hub.
 */
static void detach(void)
{
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	setsid();
	for (int stream = 0; stream < 3; stream++)
		dup2(nothing, stream);
	close(nothing);
	if (chdir("/") < 0)
		_exit(1);
}

static int catch_signals(void)
{
	sigset_t set;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_SETMASK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

/* Run the hub in its process, from the start of QEMU to its end. */
static void run_hub(const struct hub_options *options, int first_client, int listener)
{
	struct hub hub = {
		.options = options,
		.started = g_get_monotonic_time(),
		.agent.fd = -1,
		.qemu = {.console = -1, .port = -1, .monitor = -1},
		.clients = g_ptr_array_new_with_free_func(client_free),
		.listener = listener,
	};

	console_init(&hub.console);
	detach();
	hub.signals = catch_signals();
	add_client(&hub, first_client);
	start_guest(&hub);
	serve(&hub);
	flush_links(&hub);
	qemu_end(&hub.qemu);
}

static char *pid_file(const char *socket)
{
	return g_strconcat(socket, ".pid", NULL);
}

static bool set_address(const char *path, struct sockaddr_un *address)
{
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	return g_strlcpy(address->sun_path, path, sizeof(address->sun_path)) < sizeof(address->sun_path);
}

/* Listen at a path that only its owner may connect to. Replace the socket of a hub that was killed. */
static struct error *listen_at(const char *path, int *fd)
{
	struct sockaddr_un address;
	struct stat status;
	mode_t mask;
	int failed;

	/* connect() fails with ECONNREFUSED for other file types, too, which must not be removed. */
	if (!lstat(path, &status) && !S_ISSOCK(status.st_mode))
		return error_with_hint(error_new(ERROR_OTHER, _("%s exists and is not a socket"), path),
				       _("choose another path for --socket"));

	*fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (*fd < 0)
		return error_errno("socket");
	if (!set_address(path, &address))
		return error_with_hint(error_new(ERROR_OTHER, _("socket path %s is too long"), path),
				       _("use a path of at most %zu bytes"), sizeof(address.sun_path) - 1);
	if (!connect(*fd, (struct sockaddr *)&address, sizeof(address)))
		return error_with_hint(error_new(ERROR_OTHER, _("a guest is already running at %s"), path),
				       _("run 'stap-vm stop --socket %s'"), path);
	if (errno == ECONNREFUSED)
		unlink(path);
	mask = umask(0177);
	failed = bind(*fd, (struct sockaddr *)&address, sizeof(address)) < 0 || listen(*fd, 16) < 0;
	umask(mask);
	return failed ? error_errno("%s", path) : NULL;
}

struct error *hub_start(const struct hub_options *options, pid_t *pid, int *fd)
{
	g_autofree char *socket = options->socket ? g_canonicalize_filename(options->socket, NULL) : NULL;
	g_autofree char *pid_path = socket ? pid_file(socket) : NULL;
	g_autofree char *pid_text = NULL;
	struct error *error = NULL;
	int pair[2], listener = -1;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) < 0)
		return error_errno("socketpair");
	if (socket)
		error = listen_at(socket, &listener);
	if (error)
		return error;
	*pid = fork();
	if (*pid == 0) {
		close(pair[0]);
		run_hub(options, pair[1], listener);
		if (socket) {
			unlink(socket);
			unlink(pid_path);
		}
		_exit(0);
	}
	close(pair[1]);
	*fd = pair[0];
	if (*pid < 0)
		return error_errno("fork");
	if (!socket)
		return NULL;
	close(listener);
	pid_text = g_strdup_printf("%d\n", *pid);
	g_file_set_contents(pid_path, pid_text, -1, NULL);
	return NULL;
}
