// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hub: the process that owns a guest.
 *
 * It is QEMU's parent, reads the console, notices when the guest dies, and passes frames between clients (stap-vm run
 * or exec) and the agent, giving each client a channel of its own. It is a process apart from the client, in a session
 * of its own, so that Ctrl-C at the terminal goes to the client alone, which passes it on to the command in the guest,
 * and so that "start" is "run" with a socket to come back to.
 *
 * A guest comes from a snapshot (snapshot.c), or is booted and leaves one on its way, or is simply booted: each way is
 * the next one's remedy, as long as the guest has not begun a life of its own.
 *
 * Nothing is left behind, whoever is killed: the hub ends when its first client hangs up (or, with a socket, when it is
 * told to stop, or when QEMU is gone), and the kernel kills QEMU when the hub is gone. A guest that panicked is
 * remembered for a while: who comes then is told why.
 *
 * The trap: a guest that has panicked may never exit, one that has oopsed may go on with a lock held for ever, and one
 * that has printed "BUG:" or "WARNING:" is most often as well as before. The first is declared dead; an oops leaves
 * running commands some time to end; a mere report is kept for the end of the commands that ran when it came.
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

#include "translator/util/i18n.h"
#include "vm/initramfs.h"
#include "vm/link.h"
#include "vm/snapshot.h"

enum {
	BOOT_SECONDS = 180,
	ANSWER_SECONDS = 5, /* of a guest that was restored */
	PIECE = 128 * 1024, /* of a guest's files */
	FAREWELL_SECONDS = 5, /* for clients to read that QEMU is gone */
	OBITUARY_SECONDS = 600, /* for clients to ask what became of a guest that panicked */
	REPORT_SECONDS = 1, /* for the rest of a report */
	OOPS_SECONDS = 10, /* for the commands to finish */
	CONSOLE_KEPT = 64 * 1024,
	CONSOLE_ROUND = 1024 * 1024, /* before others are served: what came before they spoke is less */
	CONSOLE_LINE = 4096, /* what is longer is taken for a line */
	QUEUE_LIMIT = 4 * LINK_MAX_PAYLOAD, /* of a link that is not read; who would add to it waits */
	STREAMS = 3,
	CONSOLE_SHOWN_LINES = 60,
	OOPS_SHOWN_LINES = 40, /* of them, if the first oops is further up */
	REPORT_SHOWN_LINES = 100,
};

enum severity { WARNED, REPORTED, OOPSED, PANICKED };

/* Lines of the console that mean trouble. */
static const struct trouble_sign {
	const char *text;
	const char *meaning;
	enum severity severity;
} trouble_signs[] = {
	{"Kernel panic - not syncing", N_("the guest's kernel panicked"), PANICKED},
	{"Oops: ", N_("the guest's kernel oopsed"), OOPSED},
	{"kernel BUG at", N_("the guest's kernel hit a BUG()"), OOPSED},
	{"general protection fault", N_("the guest's kernel hit a general protection fault"), OOPSED},
	{"BUG: ", N_("the guest's kernel reported a bug"), REPORTED},
	{"WARNING: ", N_("the guest's kernel printed a warning"), WARNED},
};

struct client {
	struct link link;
	unsigned int channel; /* of its last command */
	bool running; /* the command has not ended yet */
	bool troubled; /* the kernel complained while it ran */
	bool told; /* that the guest, or its last command, is lost: once, for asking costs less than answering */
	bool ended; /* with this status, which waits for the rest of the complaint */
	uint32_t status;
	size_t on_the_way[STREAMS]; /* bytes of its command's streams that are not acknowledged */
};

/* What the hub waits for until the guest is ready. */
enum phase {
	PHASE_RESTORED, /* the agent's answer to FRAME_BEGIN */
	PHASE_SNAPSHOT, /* its hello, for a snapshot */
	PHASE_BOOT, /* its hello */
	PHASE_BEGUN, /* that it is ready */
};

struct hub {
	const struct hub_options *options;
	struct snapshot *snapshot; /* that the guest comes from or may leave; NULL: none */
	enum phase phase;
	gint64 started;
	bool files_sent;
	struct qemu qemu;
	struct link agent;
	GPtrArray *clients;
	int listener; /* -1: no socket */
	int signals;
	unsigned int last_channel;
	GString *console;
	gsize console_scanned; /* complete lines before here were looked at */
	guint64 console_lines; /* how many those were */
	GString *oops; /* the first lines of the first oops, which may be the cause of all others */
	guint64 oops_line; /* where that began, as a number of lines */
	const char *report; /* the meaning of the first complaint that a running command is to be told, NULL: none */
	gsize report_start; /* its line in the console */
	bool greeted; /* the agent has said hello */
	bool ready;
	bool panicked;
	bool dead;
	bool stopping;
	gint64 deadline; /* monotonic microseconds; 0: none */
	const char *meaning; /* what is wrong with the guest, NULL: nothing; told at the deadline at the latest */
};

static void client_free(void *data)
{
	struct client *client = data;

	link_close(&client->link);
	g_free(client);
}

/* The last lines of the console. */
static const char *console_end(const struct hub *hub, int shown)
{
	const char *start = hub->console->str + hub->console->len;

	for (int lines = 0; start > hub->console->str; start--) {
		if (start[-1] == '\n' && ++lines > shown)
			break;
	}
	return start;
}

/* What the console says of the guest's end: its last lines, and the first oops if that is not among them. */
static char *last_words(const struct hub *hub)
{
	if (!hub->oops->len || hub->console_lines - hub->oops_line <= CONSOLE_SHOWN_LINES)
		return g_strdup(console_end(hub, CONSOLE_SHOWN_LINES));
	return g_strdup_printf("%s[...]\n%s", hub->oops->str, console_end(hub, CONSOLE_SHOWN_LINES - OOPS_SHOWN_LINES));
}

/* Tell a client that its command, or the guest, is lost. A command that still runs is killed. */
static void fail_client(struct hub *hub, struct client *client, const char *meaning)
{
	g_autofree char *text = NULL, *words = NULL;

	if (client->running)
		link_send(&hub->agent, FRAME_CANCEL, 0, client->channel, NULL, 0);
	client->running = false;
	if (client->told)
		return;
	client->told = true;
	words = last_words(hub);
	text = g_strdup_printf("%s\n%s", meaning, words);
	link_send(&client->link, FRAME_FAILED, 0, 0, text, strlen(text));
}

static void set_deadline(struct hub *hub, int seconds, const char *meaning)
{
	hub->deadline = g_get_monotonic_time() + seconds * G_USEC_PER_SEC;
	hub->meaning = meaning;
}

/* The guest is gone for good: whoever is here or comes later is told. */
static void declare_dead(struct hub *hub, const char *meaning)
{
	if (hub->dead)
		return;
	hub->dead = true;
	set_deadline(hub, hub->panicked ? OBITUARY_SECONDS : FAREWELL_SECONDS, meaning);
	for (guint i = 0; i < hub->clients->len; i++)
		fail_client(hub, hub->clients->pdata[i], meaning);
}

static void write_console(struct hub *hub, const char *text, size_t length)
{
	if (hub->options->console_file >= 0 && write(hub->options->console_file, text, length) < 0)
		declare_dead(hub, _("the console cannot be written to its file"));
}

/* What the console says from the line of the first complaint on. */
static char *report_text(const struct hub *hub)
{
	const char *start = hub->console->str + hub->report_start, *end = start;

	for (int lines = 0; *end && lines < REPORT_SHOWN_LINES; end++)
		lines += *end == '\n';
	return g_strdup_printf("%s\n%.*s", hub->report, (int)(end - start), start);
}

/* Commands that have ended get their status, and the kernel's complaint before it. */
static void tell_ended(struct hub *hub)
{
	g_autofree char *text = report_text(hub);
	bool troubled = false;

	for (guint i = 0; i < hub->clients->len; i++) {
		struct client *client = hub->clients->pdata[i];

		if (client->ended) {
			link_send(&client->link, FRAME_REPORT, 0, 0, text, strlen(text));
			link_send_number(&client->link, FRAME_EXIT, 0, 0, client->status);
			client->ended = client->troubled = false;
		}
		troubled = troubled || client->troubled;
	}
	if (!troubled)
		hub->report = NULL;
}

/* The time after an oops is over: what still runs may hang for ever. */
static void fail_running(struct hub *hub)
{
	for (guint i = 0; i < hub->clients->len; i++) {
		struct client *client = hub->clients->pdata[i];

		if (!client->running || !client->troubled)
			continue;
		client->troubled = false;
		fail_client(hub, client, hub->meaning);
	}
	hub->meaning = NULL;
}

/* ---- how a guest comes to be ------------------------------------------------------------------------------------- */

/* For the client that wants to know (-v). */
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

/* The agent has said hello: from here on the guest is one of its kind. Its files come as fast as it takes them. */
static void begin_guest(struct hub *hub)
{
	struct begin_header header = {0};
	struct timespec now;

	if (getrandom(header.entropy, sizeof(header.entropy), 0) != sizeof(header.entropy)) {
		declare_dead(hub, _("no random numbers for the guest"));
		return;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	header.seconds = now.tv_sec;
	header.nanoseconds = now.tv_nsec;
	link_send(&hub->agent, FRAME_BEGIN, 0, 0, &header, sizeof(header));
}

/* The next piece of the guest's files; the empty one at the end. */
static void send_files(struct hub *hub)
{
	char piece[PIECE];
	ssize_t count = 0;

	/* A guest that was simply booted has them from the kernel. */
	if (hub->snapshot)
		count = read(hub->options->files, piece, sizeof(piece));
	if (count < 0) {
		declare_dead(hub, _("the guest's files cannot be read"));
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
		set_deadline(hub, ANSWER_SECONDS, _("the guest from the snapshot does not answer"));
	else
		set_deadline(hub, BOOT_SECONDS, _("the guest did not boot in time"));
}

static void disconnect_guest(struct hub *hub)
{
	hub->agent.fd = -1;
	link_close(&hub->agent);
	qemu_end(&hub->qemu);
	g_string_truncate(hub->console, 0);
	hub->console_scanned = 0;
	g_string_truncate(hub->oops, 0);
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
		declare_dead(hub, error->message);
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

/* The guest is no use, and has not begun. True: there is another way, which is taken. */
static bool start_again(struct hub *hub, const char *meaning)
{
	enum phase failed = hub->phase;

	/* A kernel that panics when it boots would do so again. */
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

/* FRAME_HELLO */
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

/* FRAME_BEGIN, back from the agent. */
static void guest_begun(struct hub *hub)
{
	if (hub->phase == PHASE_RESTORED) {
		tell(hub, _("the guest was restored from a snapshot in %.2f s"), seconds_since(hub->started));
		write_console(hub, hub->console->str, hub->console->len);
	} else {
		tell(hub, _("the guest was booted in %.2f s"), seconds_since(hub->started));
	}
	hub->phase = PHASE_BEGUN;
	set_deadline(hub, BOOT_SECONDS, _("the guest did not boot in time"));
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
		declare_dead(hub, hub->meaning);
		return;
	}
	if (hub->meaning)
		fail_running(hub);
	tell_ended(hub);
}

/* Commands that run now will be told. */
static void note_report(struct hub *hub, const char *meaning)
{
	for (guint i = 0; i < hub->clients->len; i++) {
		struct client *client = hub->clients->pdata[i];

		if (!client->running)
			continue;
		client->troubled = true;
		if (!hub->report)
			hub->report_start = hub->console_scanned;
		hub->report = hub->report ?: meaning;
	}
}

static const struct trouble_sign *find_trouble(const char *line)
{
	for (guint i = 0; i < G_N_ELEMENTS(trouble_signs); i++) {
		if (strstr(line, trouble_signs[i].text))
			return &trouble_signs[i];
	}
	return NULL;
}

static void note_trouble(struct hub *hub, const struct trouble_sign *sign)
{
	const char *meaning = _(sign->meaning);

	if (sign->severity == PANICKED) {
		/* It outranks the bug that led to it. */
		hub->panicked = true;
		set_deadline(hub, REPORT_SECONDS, meaning);
	} else if (hub->ready && !hub->panicked) {
		note_report(hub, meaning);
		if (sign->severity == OOPSED && !hub->meaning)
			set_deadline(hub, OOPS_SECONDS, meaning);
	}
}

/* The lines of the first oops are kept, however much comes after it. One above "Oops: " may tell its cause. */
static void keep_oops(struct hub *hub, const struct trouble_sign *sign, const char *line)
{
	if (!hub->oops->len) {
		if (!sign || sign->severity == WARNED || sign->severity == PANICKED)
			return;
		hub->oops_line = hub->console_lines;
	}
	if (hub->console_lines - hub->oops_line < OOPS_SHOWN_LINES)
		g_string_append_printf(hub->oops, "%s\n", line);
}

static void scan_line(struct hub *hub, const char *line)
{
	const struct trouble_sign *sign = find_trouble(line);

	if (sign)
		note_trouble(hub, sign);
	keep_oops(hub, sign, line);
	hub->console_lines++;
}

/* Look at the complete lines that have come since the last time, and forget the oldest. */
static void scan_console(struct hub *hub)
{
	char *newline;

	if (hub->console->len - hub->console_scanned > CONSOLE_LINE &&
	    !strchr(hub->console->str + hub->console_scanned, '\n'))
		g_string_append_c(hub->console, '\n');
	while ((newline = strchr(hub->console->str + hub->console_scanned, '\n'))) {
		*newline = '\0';
		scan_line(hub, hub->console->str + hub->console_scanned);
		*newline = '\n';
		hub->console_scanned = newline + 1 - hub->console->str;
	}
	if (hub->console_scanned > CONSOLE_KEPT) {
		gsize excess = hub->console_scanned - CONSOLE_KEPT / 2;

		g_string_erase(hub->console, 0, excess);
		hub->console_scanned -= excess;
		hub->report_start -= MIN(hub->report_start, excess);
	}
}

/* Read what the console has for us, and return how much that was. 0: nothing more for now. */
static size_t read_console(struct hub *hub)
{
	char text[4096];
	ssize_t count = read(hub->qemu.console, text, sizeof(text));

	if (count < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (count <= 0) {
		/* QEMU is gone: it held the other end. */
		if (start_again(hub, _("QEMU has ended")))
			return 0;
		declare_dead(hub, hub->ready && hub->meaning ? hub->meaning : _("the guest ended"));
		return 0;
	}
	/* What a guest says that may yet be replaced by another is held back. */
	if (hub->phase != PHASE_RESTORED)
		write_console(hub, text, count);
	for (ssize_t i = 0; i < count; i++) {
		if (text[i] != '\r' && text[i] != '\0')
			g_string_append_c(hub->console, text[i]);
	}
	scan_console(hub);
	return count;
}

/* A guest whose console never rests does not keep the hub from the others. */
static void read_consoles(struct hub *hub)
{
	size_t total = 0, count;

	do {
		count = read_console(hub);
		total += count;
	} while (count && total < CONSOLE_ROUND);
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

/* A fresh channel for each command: what is still on its way from a cancelled one must not reach the next. */
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
		fail_client(hub, client, hub->meaning);
	else if (hub->ready)
		link_send(&client->link, FRAME_READY, 0, 0, NULL, 0);
}

/* The guest is up, or this is what it could not do on the way. */
static void guest_ready(struct hub *hub, const struct frame *frame)
{
	if (frame->header.length) {
		declare_dead(hub, g_strndup((const char *)frame->payload, frame->header.length));
		return;
	}
	hub->ready = true;
	hub->deadline = 0;
	hub->meaning = NULL;
	for (guint i = 0; i < hub->clients->len; i++)
		greet(hub, hub->clients->pdata[i]);
}

/* Bytes of a stream set out, or arrive. False: more of them than the window has room for, or of no stream of theirs. */
static bool keeps_window(struct client *client, const struct frame *frame, bool to_client)
{
	unsigned int stream = frame->header.stream;
	bool is_data = frame->header.type == FRAME_DATA;
	size_t *on_the_way = &client->on_the_way[stream < STREAMS ? stream : 0];

	if (!is_data && frame->header.type != FRAME_ACK)
		return true;
	/* Input goes to the command, output comes from it, acknowledgements the other way. */
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
		fail_client(hub, client, _("the guest does not keep to the protocol"));
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
	set_deadline(hub, REPORT_SECONDS, hub->meaning);
}

static void serve_agent(struct hub *hub)
{
	struct frame frame;

	link_fill(&hub->agent);
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

/* What belongs to no command is left out: it has ended, or there was none. */
static void pass_to_agent(struct hub *hub, struct client *client, const struct frame *frame)
{
	if (client->running && !client->link.broken)
		link_send(&hub->agent, frame->header.type, frame->header.stream, client->channel, frame->payload,
			  frame->header.length);
}

static void begin_command(struct hub *hub, struct client *client, const struct frame *frame)
{
	/* One after the other. */
	client->link.broken |= client->running;
	client->running = true;
	client->troubled = client->ended = client->told = false;
	client->channel = new_channel(hub);
	memset(client->on_the_way, 0, sizeof(client->on_the_way));
	pass_to_agent(hub, client, frame);
}

/* One frame of a client: an order to the hub itself, or something for the agent. */
static void serve_frame(struct hub *hub, struct client *client, const struct frame *frame)
{
	g_autofree char *text = NULL;

	switch (frame->header.type) {
	case FRAME_STOP:
		hub->stopping = true;
		break;
	case FRAME_TIMEOUT:
		text = g_strndup((const char *)frame->payload, frame->header.length);
		fail_client(hub, client, text);
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
			fail_client(hub, client, hub->meaning);
	}
}

static void add_client(struct hub *hub, int fd)
{
	struct client *client = g_new0(struct client, 1);

	client->link.fd = fd;
	g_ptr_array_add(hub->clients, client);
	greet(hub, client);
}

/* Drop clients that hung up, with their commands. Without a socket, or before it is of use, the guest goes too. */
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
	/* Nothing remarkable to tell to those who come later. */
	if (hub->dead && !hub->panicked && !hub->clients->len)
		hub->stopping = true;
}

static short link_events(const struct link *link)
{
	return POLLIN | (link_pending(link) ? POLLOUT : 0);
}

/* A client whose frames have no way to go is not read, nor one that does not read the answers. */
static short client_events(const struct hub *hub, const struct client *client)
{
	bool is_stuck = link_pending(&hub->agent) > QUEUE_LIMIT || link_pending(&client->link) > QUEUE_LIMIT;

	return is_stuck ? link_events(&client->link) & ~POLLIN : link_events(&client->link);
}

enum { POLL_SIGNALS, POLL_CONSOLE, POLL_AGENT, POLL_LISTENER, POLL_CLIENTS };

/* Wait for something to do. The result has one entry per descriptor, in the order of the enum above. */
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
	gint64 wait = -1;

	g_array_append_vals(polls, fixed, POLL_CLIENTS);
	for (guint i = 0; i < hub->clients->len; i++) {
		const struct client *client = hub->clients->pdata[i];
		struct pollfd poll = {.fd = client->link.fd, .events = client_events(hub, client)};

		g_array_append_val(polls, poll);
	}
	if (hub->deadline)
		wait = MAX(0, (hub->deadline - g_get_monotonic_time()) / 1000 + 1);
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
		/* The console first: a command that ends after a bug of the kernel has failed. */
		if (events[POLL_CONSOLE].fd >= 0)
			read_consoles(hub);
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
	}
}

/* Everything but the descriptors that are ours: a shell waiting for the end of our caller's output must not wait. */
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

/* In the hub's process: from the start of QEMU to its end. */
static void run_hub(const struct hub_options *options, int first_client, int listener)
{
	struct hub hub = {
		.options = options,
		.started = g_get_monotonic_time(),
		.agent.fd = -1,
		.qemu = {.console = -1, .port = -1, .monitor = -1},
		.clients = g_ptr_array_new_with_free_func(client_free),
		.listener = listener,
		.console = g_string_new(NULL),
		.oops = g_string_new(NULL),
	};

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

/* Listen at a path that only its owner may connect to. What a killed hub left there is replaced. */
static struct error *listen_at(const char *path, int *fd)
{
	struct sockaddr_un address;
	struct stat status;
	mode_t mask;
	int failed;

	/* To connect(), a file of another kind is a socket that nobody listens at. */
	if (!lstat(path, &status) && !S_ISSOCK(status.st_mode))
		return error_with_hint(error_new(ERROR_OTHER, _("%s is there already and is no socket"), path),
				       _("choose another path for --socket"));

	*fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (*fd < 0)
		return error_errno("socket");
	if (!set_address(path, &address))
		return error_with_hint(error_new(ERROR_OTHER, _("%s is too long for a socket's path"), path),
				       _("it can have %zu bytes"), sizeof(address.sun_path) - 1);
	if (!connect(*fd, (struct sockaddr *)&address, sizeof(address)))
		return error_with_hint(error_new(ERROR_OTHER, _("a guest is already running at %s"), path),
				       _("end it with: stap-vm stop --socket %s"), path);
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
