// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Input for staprun's whole reader: trace files, the control file and messages of the loader, all with arbitrary
 * contents. The reader runs in its own process with its threads, and must end when the loader has gone.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "staprun/child.h"
#include "staprun/reader.h"
#include "testsuite/fuzz/inputs.h"

enum { TRACES = 4, CONTROL = TRACES, LOADER, SPEAKERS };
enum { IS_BULK = 1, IS_ATTACHED = 2, LEAVES = 4, MAY_LEAVE = 8, HAS_TARGET = 16 };

static void make_reader(GRand *random, GByteArray *out)
{
	static const char *const lines[] = {"state running\n",
					    "exit 1\n",
					    "exit 0\n",
					    "failed 1\n",
					    "lost 7\n",
					    "errors 1\n",
					    "gaps_end 12\n",
					    "overwritten 3\n",
					    "left 1\n",
					    "\n",
					    "gaps_end 99999999999999999999\n"};
	static const char messages[] = {
		READER_STOP, READER_LEAVE, READER_NEXT_FILE, READER_TRACE, READER_INPUT, 'x', 0};
	GString *status = g_string_new(NULL);
	guint8 ways = (guint8)fuzz_below(random, 0, 32);

	/* Make attached and left sessions rare, because the reader waits for their missing records. */
	if (fuzz_below(random, 0, 32))
		ways &= (guint8) ~(IS_ATTACHED | LEAVES | MAY_LEAVE);
	fuzz_add_piece(out, SPEAKERS, &ways, 1);
	for (guint i = fuzz_below(random, 0, 8); i--;)
		g_string_append(status, lines[fuzz_below(random, 0, G_N_ELEMENTS(lines))]);
	fuzz_add_piece(out, CONTROL, status->str, status->len);
	g_string_free(status, TRUE);
	for (guint i = fuzz_below(random, 0, 6); i--;)
		fuzz_add_piece(out, LOADER, &messages[fuzz_below(random, 0, sizeof(messages))], 1);
	for (guint i = 0, count = fuzz_below(random, 0, 60); i < count; i++) {
		struct {
			struct stp_record head;
			char text[64];
		} record = {
			.head = {.magic = STP_RECORD_MAGIC,
				 .type = (guint8)fuzz_below(random, 0, STP_RECORD_TYPES),
				 .length = (guint16)fuzz_below(random, 0, sizeof(record.text)),
				 .sequence = i},
			.text = "text\n",
		};

		fuzz_add_piece(out, fuzz_below(random, 0, TRACES), &record, sizeof(record.head) + record.head.length);
	}
}

struct stage {
	int traces[TRACES], control, loader, socket;
	guint8 ways;
};

/* Commands that are written to the control file are appended after the data that is read from it. */
static void set_stage(struct stage *stage, const guint8 *bytes, gsize size)
{
	struct fuzz_piece piece;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends))
		g_error("socketpair");
	stage->loader = ends[0];
	stage->socket = ends[1];
	stage->control = fuzz_file(NULL, 0);
	for (guint i = 0; i < TRACES; i++)
		stage->traces[i] = fuzz_file(NULL, 0);
	while (fuzz_next_piece(&bytes, &size, &piece)) {
		int to = piece.whom < TRACES ? stage->traces[piece.whom] : stage->control;

		if (piece.whom == SPEAKERS && piece.size)
			stage->ways = piece.bytes[0];
		else if (piece.whom == LOADER && piece.size)
			child_send(stage->loader, (char)piece.bytes[0],
				   piece.bytes[0] == READER_TRACE || piece.bytes[0] == READER_INPUT ? stage->traces[0]
												    : -1);
		else if (piece.whom < LOADER && write(to, piece.bytes, piece.size) < 0)
			g_error("write");
	}
	for (guint i = 0; i < TRACES; i++)
		lseek(stage->traces[i], 0, SEEK_SET);
	fcntl(stage->control, F_SETFL, O_APPEND);
	fcntl(stage->socket, F_SETFL, 0);
	close(stage->loader);
}

static void play(const struct stage *stage)
{
	g_autofree char *base = g_build_filename(fuzz_directory(), "bulk", NULL);
	g_autofree char *output = g_build_filename(fuzz_directory(), "output", NULL);
	char *settings[] = {"a=b=c", "c=", NULL};
	struct reader_setup setup = {
		.module = "no module", /* staprun would remove a real one */
		.settings = settings,
		.control = stage->control,
		.socket = stage->socket,
		.runner = -1,
		.timeout = 1,
		.target = stage->ways & HAS_TARGET ? 1 : 0,
		.is_attached = stage->ways & IS_ATTACHED,
		.leaves_session = stage->ways & LEAVES,
		.may_leave = stage->ways & MAY_LEAVE,
	};
	struct reader *reader;

	error_free(output_open(output, &(struct output_limit){1 << 20, 2}, COLOR_NEVER, true, &setup.output));
	if (stage->ways & IS_BULK)
		error_free(bulk_open(base, &setup.bulk));
	reader = reader_new(&setup);
	for (guint i = 0; i < TRACES; i++)
		reader_add_trace(reader, i, stage->traces[i]);
	_exit(reader_run(reader) == 99);
}

static void feed_reader(GRand *random, const guint8 *bytes, gsize size)
{
	struct stage stage = {.ways = 0};
	int status;
	pid_t pid;

	set_stage(&stage, bytes, size);
	pid = fork();
	if (!pid)
		play(&stage);
	close(stage.socket);
	close(stage.control);
	for (guint i = 0; i < TRACES; i++)
		close(stage.traces[i]);
	/* A child does not inherit this process's alarm. */
	for (guint i = 0; waitpid(pid, &status, WNOHANG) != pid; i++) {
		g_usleep(i < 50 ? 100 : 1000);
		if (i < 10000)
			continue;
		kill(pid, SIGKILL);
		fuzz_wrong("the reader did not end");
	}
	if (status)
		fuzz_wrong("the reader did not end well");
}

const struct input_kind input_reader = {"reader", make_reader, feed_reader};
