// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Input for the hub of a guest: messages of an agent, two clients and a console, all of which may be hostile. The hub
 * runs in a process of its own as usual, with our descriptors in place of QEMU's. It must end when its first client
 * ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testsuite/fuzz/inputs.h"
#include "vm/client.h"
#include "vm/hub.h"
#include "vm/initramfs.h"
#include "vm/link.h"
#include "vm/snapshot.h"

enum { AGENT, FIRST, SECOND, CONSOLE, SPEAKERS, READ = SPEAKERS, HANG_UP, PIECES };

/* ---- a replacement for QEMU -------------------------------------------------------------------------------------- */

struct snapshot {
	bool is_there;
};

static struct guest {
	int port, console; /* QEMU's ends */
	struct snapshot snapshot;
} guest;

struct error *qemu_start(const struct kernel *kernel, const struct guest_options *options,
			 const struct qemu_memory *memory, struct qemu *qemu)
{
	qemu->port = fcntl(guest.port, F_DUPFD_CLOEXEC, 0);
	qemu->console = fcntl(guest.console, F_DUPFD_CLOEXEC, 0);
	return NULL;
}

void qemu_end(struct qemu *qemu)
{
	close(qemu->console);
	qemu->console = qemu->port = -1;
}

struct error *snapshot_new(const struct kernel *kernel, const struct guest_options *options, struct snapshot **ret)
{
	*ret = &guest.snapshot;
	return NULL;
}

struct error *snapshot_restore(struct snapshot *snapshot, struct qemu *qemu)
{
	return snapshot->is_there ? qemu_start(NULL, NULL, NULL, qemu) : error_new(ERROR_LOOKUP, "none");
}

struct error *snapshot_boot(struct snapshot *snapshot, struct qemu *qemu)
{
	return qemu_start(NULL, NULL, NULL, qemu);
}

struct error *snapshot_take(struct snapshot *snapshot, struct qemu *qemu)
{
	return NULL;
}

void snapshot_drop(const struct snapshot *snapshot)
{
}

void snapshot_free(struct snapshot *snapshot)
{
}

struct error *initramfs_append(int to, int from)
{
	return NULL;
}

/* ---- a conversation ---------------------------------------------------------------------------------------------- */

static void send_frame(GByteArray *out, guint whom, guint type, guint stream, guint channel, const void *payload,
		       gsize size)
{
	guint8 bytes[sizeof(struct frame_header) + 4096];
	struct frame_header header = {
		.length = (guint32)size, .type = (guint8)type, .stream = (guint8)stream, .channel = (guint16)channel};

	memcpy(bytes, &header, sizeof(header));
	memcpy(bytes + sizeof(header), payload, size);
	fuzz_add_piece(out, whom, bytes, sizeof(header) + size);
}

static void send_any_frame(GRand *random, GByteArray *out, guint whom)
{
	static const guint8 payload[4096] = {1, 0, 0, 0, 1, 0, 0, 0, '/', 0, 'a'};

	send_frame(out, whom, fuzz_below(random, FRAME_HELLO, FRAME_REPORT + 1), fuzz_below(random, 0, 4),
		   fuzz_below(random, 0, 4), payload,
		   g_rand_boolean(random) ? 4 : fuzz_below(random, 0, sizeof(payload)));
}

static void make_hub(GRand *random, GByteArray *out)
{
	static const char *const lines[] = {
		"booting\n", "BUG: bad\n", "Oops: 0002\n", "no end", "Kernel panic - not syncing: x\n", "\r\n\r\n"};

	if (fuzz_below(random, 0, 8)) {
		send_frame(out, AGENT, FRAME_HELLO, 0, 0, "", 0);
		send_frame(out, AGENT, FRAME_BEGIN, 0, 0, "", 0);
		send_frame(out, AGENT, FRAME_READY, 0, 0, "", 0);
		send_frame(out, FIRST, FRAME_EXEC, 0, 0, "", 0);
	}
	for (guint i = fuzz_below(random, 1, 60); i--;) {
		guint whom = fuzz_below(random, 0, PIECES);
		const char *line = lines[fuzz_below(random, 0, G_N_ELEMENTS(lines))];

		if (whom == CONSOLE)
			fuzz_add_piece(out, CONSOLE, line, strlen(line));
		else if (whom < SPEAKERS)
			send_any_frame(random, out, whom);
		else
			fuzz_add_piece(out, whom, "", 0);
	}
}

static void swallow(int fd)
{
	char bytes[65536];

	while (fd >= 0 && read(fd, bytes, sizeof(bytes)) > 0)
		;
}

static void talk(int *ends, const guint8 *bytes, gsize size)
{
	struct fuzz_piece piece;

	while (fuzz_next_piece(&bytes, &size, &piece)) {
		guint whom = piece.whom % PIECES;

		if (whom < SPEAKERS && ends[whom] >= 0 && piece.size)
			(void)!write(ends[whom], piece.bytes, piece.size);
		for (guint i = 0; whom == READ && i < CONSOLE; i++)
			swallow(ends[i]);
		if (whom == HANG_UP && ends[SECOND] >= 0) {
			close(ends[SECOND]);
			ends[SECOND] = -1;
		}
	}
}

/* End the guest: with a socket, a client sends the command; without one, the guest ends with its first client. */
static void stop(const char *socket)
{
	enum { SECONDS = 5 };
	struct client_session session;
	struct error *error;
	int fd = -1;

	error = client_connect(socket, &fd);
	client_begin(&session, fd, SECONDS);
	error_free(error ?: client_stop(&session));
	client_end(&session);
}

static void await_end(pid_t hub)
{
	int status;

	for (guint i = 0; i < 5000; i++) {
		if (waitpid(hub, &status, WNOHANG) != hub) {
			g_usleep(i < 20 ? 200 : 1000);
			continue;
		}
		if (status)
			fuzz_wrong("the hub did not end well");
		return;
	}
	kill(hub, SIGKILL);
	fuzz_wrong("the hub did not end");
}

static void make_pair(int *mine, int *theirs)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends))
		g_error("socketpair: %s", g_strerror(errno));
	*mine = ends[0];
	*theirs = ends[1];
}

static void feed_hub(GRand *random, const guint8 *bytes, gsize size)
{
	int ends[SPEAKERS] = {-1, -1, -1, -1}, files = fuzz_file("files", 5);
	g_autofree char *socket = g_strdup_printf("%s/%d-socket", fuzz_directory(), (int)getpid());
	bool has_socket = g_rand_boolean(random);
	struct hub_options options = {
		.files = files,
		.snapshot = g_rand_boolean(random),
		.console_file = -1,
		.socket = has_socket ? socket : NULL,
	};
	pid_t hub;

	signal(SIGPIPE, SIG_IGN);
	guest.snapshot.is_there = g_rand_boolean(random);
	make_pair(&ends[AGENT], &guest.port);
	make_pair(&ends[CONSOLE], &guest.console);
	if (hub_start(&options, &hub, &ends[FIRST]))
		g_error("the hub did not start");
	close(guest.port);
	close(guest.console);
	close(files);
	if (has_socket)
		error_free(client_connect(socket, &ends[SECOND]));
	talk(ends, bytes, size);
	for (guint i = 0; i < SPEAKERS; i++) {
		swallow(ends[i]);
		if (ends[i] >= 0)
			close(ends[i]);
	}
	if (has_socket)
		stop(socket);
	await_end(hub);
}

const struct input_kind input_hub = {"hub", make_hub, feed_hub};
