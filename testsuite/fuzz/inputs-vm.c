// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Input for stap-vm: messages of the hub to the user's side, the archive with a guest's files, answers of QEMU, and a
 * snapshot in the cache. inputs-hub.c has the input of the hub.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/checksum.h"
#include "testsuite/fuzz/damage.h"
#include "testsuite/fuzz/inputs.h"
#include "vm/client.h"
#include "vm/cpio.h"
#include "vm/qmp.h"
#include "vm/snapshot_file.h"
#include "vm/agent/unpack.h"

/* Return one end of a connection whose other end has sent these bytes and closed. */
static int listener_to(const guint8 *bytes, gsize size, int *other)
{
	int ends[2], large = 4 << 20;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends))
		g_error("socketpair: %s", g_strerror(errno));
	setsockopt(ends[1], SOL_SOCKET, SO_SNDBUFFORCE, &large, sizeof(large));
	while (size) {
		ssize_t count = write(ends[1], bytes, size);

		if (count <= 0)
			break;
		bytes += count;
		size -= (gsize)count;
	}
	shutdown(ends[1], SHUT_WR);
	*other = ends[1];
	return ends[0];
}

/* ---- the user's side --------------------------------------------------------------------------------------------- */

static void make_client(GRand *random, GByteArray *out)
{
	static const guint8 payload[5000] = "the guest ended\nline\nline\n";

	for (guint i = 0, count = fuzz_below(random, 1, 40); i < count; i++) {
		bool is_number = g_rand_boolean(random);
		struct frame_header header = {
			.length = is_number ? 4 : fuzz_below(random, 0, sizeof(payload)),
			.type = i ? (guint8)fuzz_below(random, FRAME_READY, FRAME_REPORT + 1) : FRAME_READY,
			.stream = (guint8)fuzz_below(random, 0, 4),
		};

		fuzz_append(out, &header, sizeof(header));
		fuzz_append(out, payload, header.length);
	}
}

static void feed_client(GRand *random, const guint8 *bytes, gsize size)
{
	int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC), other, fd = listener_to(bytes, size, &other), status;
	const int fds[] = {nowhere, nowhere, nowhere};
	char *arguments[] = {"command", "argument", NULL};
	struct client_session session;
	struct error *error;

	client_begin(&session, fd, 2);
	session.verbose = g_rand_boolean(random);
	error = client_wait_ready(&session);
	error_free(error ?: client_run(&session, arguments, fds, &status));
	client_end(&session);
	close(other);
	close(nowhere);
}

const struct input_kind input_client = {"client", make_client, feed_client};

/* ---- archives ---------------------------------------------------------------------------------------------------- */

/*
 * Replacements for unpack.c's system calls that change the file system: they do nothing and sometimes fail. unpack.c
 * trusts the archive, which comes from the host, but here the fuzzer made it. The linker redirects the program's calls
 * to these functions (-Wl,--wrap).
 */
static GRand *unpacking;

static bool fails(void)
{
	errno = EIO;
	return !fuzz_below(unpacking, 0, 50);
}

int __real_open(const char *path, int flags, ...);
int __real_mkdir(const char *path, mode_t mode);
int __real_chmod(const char *path, mode_t mode);
int __real_unlink(const char *path);
int __real_symlink(const char *target, const char *path);
int __wrap_open(const char *path, int flags, ...);
int __wrap_mkdir(const char *path, mode_t mode);
int __wrap_chmod(const char *path, mode_t mode);
int __wrap_unlink(const char *path);
int __wrap_symlink(const char *target, const char *path);

int __wrap_open(const char *path, int flags, ...)
{
	va_list values;
	mode_t mode;

	va_start(values, flags);
	mode = va_arg(values, mode_t);
	va_end(values);
	if (!unpacking)
		return __real_open(path, flags, mode);
	if (strlen(path) > 5000)
		fuzz_wrong("a path is longer than it may be");
	return fails() ? -1 : memfd_create("file", MFD_CLOEXEC);
}

int __wrap_mkdir(const char *path, mode_t mode)
{
	return unpacking ? -fails() : __real_mkdir(path, mode);
}

int __wrap_chmod(const char *path, mode_t mode)
{
	return unpacking ? -fails() : __real_chmod(path, mode);
}

int __wrap_unlink(const char *path)
{
	return unpacking ? -fails() : __real_unlink(path);
}

int __wrap_symlink(const char *target, const char *path)
{
	return unpacking ? -fails() : __real_symlink(target, path);
}

static void make_archive(GRand *random, GByteArray *out)
{
	static const char *const paths[] = {"/a/b/c", "/bin/sh", "a", "/", "//x//../y", "/link", "/long/er/path"};
	static const mode_t modes[] = {S_IFREG | 0644, S_IFDIR | 0700, S_IFLNK | 0777, S_IFCHR | 0600, S_IFREG | 04755};
	char content[300];
	FILE *file = tmpfile();
	struct cpio *cpio = cpio_new(file);
	g_autofree char *bytes = NULL;
	gsize size;

	memset(content, 'c', sizeof(content));
	for (guint i = fuzz_below(random, 0, 12); i--;)
		cpio_add(cpio, paths[fuzz_below(random, 0, G_N_ELEMENTS(paths))],
			 modes[fuzz_below(random, 0, G_N_ELEMENTS(modes))], 0x501, content,
			 fuzz_below(random, 0, sizeof(content)));
	cpio_finish(cpio);
	bytes = fuzz_take(fileno(file), &size);
	fuzz_append(out, bytes, size);
	fclose(file);
}

static void feed_archive(GRand *random, const guint8 *bytes, gsize size)
{
	struct unpacker unpacker;

	unpack_begin(&unpacker);
	unpacking = random;
	while (size) {
		guint most = fuzz_below(random, 1, 2000);
		gsize piece = MIN(size, most);

		unpack(&unpacker, bytes, piece);
		bytes += piece;
		size -= piece;
	}
	if (!unpack_end(&unpacker) && !memchr(unpacker.failure, '\0', sizeof(unpacker.failure)))
		fuzz_wrong("what failed has no end");
	unpacking = NULL;
}

const struct input_kind input_archive = {"archive", make_archive, feed_archive};

/* ---- QEMU's monitor ---------------------------------------------------------------------------------------------- */

static void make_answers(GRand *random, GByteArray *out)
{
	static const char *const lines[] = {
		"{\"QMP\": {\"version\": {}}}\r\n",
		"{\"return\": {}}\r\n",
		"{\"timestamp\": {}, \"event\": \"MIGRATION\", \"data\": {\"status\": \"completed\"}}\r\n",
		"{\"timestamp\": {}, \"event\": \"MIGRATION\", \"data\": {\"status\": \"failed\"}}\r\n",
		"{\"timestamp\": {}, \"event\": \"STOP\"}\r\n",
		"{\"error\": {\"class\": \"GenericError\"}}\r\n",
		"\n"};

	for (guint i = 0, count = fuzz_below(random, 1, 12); i < count; i++) {
		const char *line = lines[i < 2 ? i : fuzz_below(random, 0, G_N_ELEMENTS(lines))];

		fuzz_append(out, line, strlen(line));
	}
}

static void feed_answers(GRand *random, const guint8 *bytes, gsize size)
{
	int other, fd = listener_to(bytes, size, &other);
	struct qmp qmp;
	struct error *error = qmp_begin(&qmp, fd, 1000);

	error = error ?: qmp_pass_file(&qmp, "file", fd);
	error = error ?: qmp_command(&qmp, "{\"execute\": \"migrate\"}");
	error_free(error ?: qmp_wait_migration(&qmp));
	qmp_end(&qmp);
	close(fd);
	close(other);
}

const struct input_kind input_monitor_of_qemu = {"answers", make_answers, feed_answers};

/* ---- snapshots --------------------------------------------------------------------------------------------------- */

enum { MEMORY = 8192, TRAILER_MAGIC = 16, TRAILER_SIZE = 56 };

static void make_snapshot(GRand *random, GByteArray *out)
{
	char memory[MEMORY] = "", devices[3000];
	gsize size = fuzz_below(random, 1, sizeof(devices));
	g_autofree char *bytes = NULL;
	int files[2], file;

	memset(devices, 'd', size);
	for (guint i = fuzz_below(random, 0, 5); i--;)
		memory[fuzz_below(random, 0, MEMORY)] = 'm';
	files[0] = fuzz_file(memory, MEMORY);
	files[1] = fuzz_file(devices, size);
	file = fuzz_file(NULL, 0);
	error_free(snapshot_file_write(file, files[0], files[1]));
	bytes = fuzz_take(file, &size);
	fuzz_append(out, bytes, size);
	close(files[0]);
	close(files[1]);
	close(file);
}

/* Give half of the files a trailer with the right checksum, and some of these consistent sizes. */
static void seal(GRand *random, guint8 *bytes, gsize size)
{
	static const char magic[TRAILER_MAGIC] = "spile snapshot2";
	guint8 *trailer = bytes + size - TRAILER_SIZE;
	guint64 numbers[3] = {MEMORY, size - TRAILER_SIZE - MEMORY}, sum;

	if (size < TRAILER_SIZE || g_rand_boolean(random))
		return;
	if (!fuzz_below(random, 0, 4)) {
		memcpy(trailer, magic, sizeof(magic));
		memcpy(trailer + sizeof(magic), numbers, sizeof(numbers));
	}
	sum = checksum(0, trailer, TRAILER_SIZE - sizeof(sum));
	memcpy(trailer + TRAILER_SIZE - sizeof(sum), &sum, sizeof(sum));
}

static void feed_snapshot(GRand *random, const guint8 *bytes, gsize size)
{
	g_autofree char *path = g_strdup_printf("%s/%d-snapshot", fuzz_directory(), (int)getpid());
	g_autofree guint8 *copy = g_memdup2(bytes, size);
	struct error *error;
	int fd = -1;

	seal(random, copy, size);
	fuzz_put(path, copy, size);
	g_chmod(path, 0600);
	error = snapshot_file_open(path, MEMORY, &fd);
	error_free(error ?: snapshot_file_check(fd));
	if (fd >= 0)
		close(fd);
	g_unlink(path);
}

const struct input_kind input_snapshot = {"snapshot", make_snapshot, feed_snapshot};
