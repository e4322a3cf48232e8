// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Start guests from a snapshot. A guest of a kernel is booted with the base of its files (initramfs.c) and its memory
 * in a file. When the agent sends HELLO, QEMU is stopped and writes the state of the devices. Memory and state are
 * copied to the cache, and the guest continues. Each later guest is a QEMU that maps that memory privately, page by
 * page as the guest touches it, and reads the state. This takes a tenth of a second instead of several. Data that must
 * differ between guests is sent to the agent afterwards (FRAME_BEGIN).
 *
 * QEMU only accepts the state of an identical machine, and what a kernel learned about its CPU must stay true. So the
 * name of a snapshot is the checksum of everything that it depends on: the contents of programs and files, QEMU's
 * command line and the host's CPU.
 *
 * QEMU 11 requires a socket for the state, not a file; a thread copies between the two.
 *
 * The trap: To QEMU, all this is a migration to another host, which does not transfer shared memory (x-ignore-shared).
 * The memory is shared only when it is saved, but both sides must set the capability, or they disagree about the
 * format.
 */
#include "vm/snapshot.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "common/cache.h"
#include "common/checksum.h"
#include "common/user_directories.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/base/read_write.h"
#include "vm/machine.h"
#include "vm/qmp.h"
#include "vm/snapshot_file.h"

/* QEMU completes each of these within milliseconds. */
enum { RESTORE_MILLISECONDS = 5000, SAVE_MILLISECONDS = 2000, GO_ON_MILLISECONDS = 5000 };

static const char ignore_shared[] = "{\"execute\": \"migrate-set-capabilities\", \"arguments\": {\"capabilities\": ["
				    "{\"capability\": \"x-ignore-shared\", \"state\": true}, "
				    "{\"capability\": \"events\", \"state\": true}]}}";
static const char save_devices[] = "{\"execute\": \"migrate\", \"arguments\": {\"uri\": \"fd:devices\"}}";
static const char load_devices[] = "{\"execute\": \"migrate-incoming\", \"arguments\": {\"uri\": \"fd:devices\"}}";
static const char stop[] = "{\"execute\": \"stop\"}";
static const char go_on[] = "{\"execute\": \"cont\"}";

struct snapshot {
	const struct kernel *kernel;
	const struct guest_options *options;
	uint64_t memory; /* size of the guest's */
	char *directory, *path;
	/* While a guest is booted to take the snapshot; -1: not open. */
	int file; /* in the cache, without a name yet */
	int guest_memory, devices;
};

static void close_files(struct snapshot *snapshot)
{
	int *const fds[] = {&snapshot->file, &snapshot->guest_memory, &snapshot->devices};

	for (guint i = 0; i < G_N_ELEMENTS(fds); i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
}

/* ---- its name ---------------------------------------------------------------------------------------------------- */

/* Parse NUMBER[K|M|G|T], megabytes without a letter. Guests with other arguments of QEMU's -m have no snapshots. */
static struct error *parse_memory(const char *text, uint64_t *size)
{
	static const char letters[] = "KMGT";
	const char *letter;
	char *end;
	uint64_t number = g_ascii_strtoull(text, &end, 10);

	letter = *end ? strchr(letters, g_ascii_toupper(*end)) : strchr(letters, 'M');
	if (!g_ascii_isdigit(*text) || !letter || (*end && end[1]) || number >= G_MAXUINT64 >> 40)
		return error_new(ERROR_UNSUPPORTED, _("no snapshot is taken of a guest with memory '%s'"), text);
	*size = number << 10 * (letter - letters + 1);
	return NULL;
}

static struct error *add_content(GString *key, const char *path, int fd)
{
	g_autoptr(GError) cause = NULL;
	g_autoptr(GMappedFile) file =
		fd < 0 ? g_mapped_file_new(path, FALSE, &cause) : g_mapped_file_new_from_fd(fd, FALSE, &cause);
	gsize length;

	if (!file)
		return error_new(ERROR_SYSTEM, "%s", cause->message);
	length = g_mapped_file_get_length(file);
	g_string_append_printf(key, "%s %" G_GSIZE_FORMAT " %016" G_GINT64_MODIFIER "x\n", path, length,
			       checksum(0, g_mapped_file_get_contents(file), length));
	return NULL;
}

/* Add the host's CPU features, which the guest's CPU inherits. Even an emulated one uses the host's clock rate. */
static void add_processor(GString *key)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents("/proc/cpuinfo", &text, NULL, NULL))
		return;
	lines = g_strsplit(text, "\n", -1);
	/* An empty line ends the lines of the first CPU. */
	for (char **line = lines; *line && **line; line++) {
		if (g_str_has_prefix(*line, "model") || g_str_has_prefix(*line, "stepping") ||
		    g_str_has_prefix(*line, "microcode") || g_str_has_prefix(*line, "flags"))
			g_string_append_printf(key, "%s\n", *line);
	}
}

static struct error *make_key(const struct snapshot *snapshot, char **name)
{
	g_autoptr(GString) key = g_string_new("spile snapshot 1\n");
	const char *program = machine_of(snapshot->kernel->architecture)->program;
	g_autofree char *qemu = g_find_program_in_path(program);
	g_autofree char *description = qemu_description(snapshot->kernel, snapshot->options, snapshot->memory);
	struct error *error;

	g_string_append_printf(key, "%s\n", description);
	add_processor(key);
	error = add_content(key, qemu ?: program, -1);
	if (!error)
		error = add_content(key, snapshot->kernel->image, -1);
	if (!error)
		error = add_content(key, "base", snapshot->options->initrd);
	if (!error)
		*name = g_compute_checksum_for_string(G_CHECKSUM_SHA256, key->str, key->len);
	return error;
}

struct error *snapshot_new(const struct kernel *kernel, const struct guest_options *options, struct snapshot **ret)
{
	struct snapshot *snapshot = g_new0(struct snapshot, 1);
	g_autofree char *name = NULL;
	struct error *error = NULL;

	*snapshot =
		(struct snapshot){.kernel = kernel, .options = options, .file = -1, .guest_memory = -1, .devices = -1};
	if (!kernel->has_virtio_console)
		error = error_new(ERROR_UNSUPPORTED, _("no snapshot is taken of a kernel without virtio_console"));
	if (!error)
		error = parse_memory(options->memory, &snapshot->memory);
	if (!error)
		error = make_key(snapshot, &name);
	if (error) {
		snapshot_free(snapshot);
		return error;
	}
	snapshot->directory = cache_place("guests", NULL);
	if (!snapshot->directory) {
		snapshot_free(snapshot);
		return error_new(ERROR_SYSTEM, _("root cannot use the snapshot cache in %s: other users can change it"),
				 cache_directory());
	}
	snapshot->path = g_build_filename(snapshot->directory, name, NULL);
	*ret = snapshot;
	return NULL;
}

/* ---- the state's way to QEMU and back ---------------------------------------------------------------------------- */

struct carrier {
	int socket, from, to; /* the socket is one of these */
	GThread *thread;
};

/* Copy until end of file. Return NULL if that was not reached. */
static gpointer carry(gpointer data)
{
	const struct carrier *carrier = data;
	char block[64 * 1024];
	ssize_t size;

	while ((size = read(carrier->from, block, sizeof(block))) > 0 || (size < 0 && errno == EINTR))
		if (size > 0 && !write_all(carrier->to, block, size))
			return NULL;
	return GINT_TO_POINTER(!size);
}

/*
 * Pass QEMU a socket named "devices", and start a thread that copies between it and the file. The hub ignores SIGPIPE.
 */
static struct error *carrier_begin(struct carrier *carrier, struct qmp *qmp, int file, bool to_qemu)
{
	const struct timeval limit = {.tv_sec = 5};
	_cleanup_close_ int theirs = -1;
	struct error *error;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return error_errno("socketpair");
	theirs = ends[1];
	error = qmp_pass_file(qmp, "devices", theirs);
	if (error) {
		close(ends[0]);
		return error;
	}
	/* Do not wait for a hung QEMU. */
	setsockopt(ends[0], SOL_SOCKET, to_qemu ? SO_SNDTIMEO : SO_RCVTIMEO, &limit, sizeof(limit));
	*carrier = (struct carrier){ends[0], to_qemu ? file : ends[0], to_qemu ? ends[0] : file, NULL};
	carrier->thread = g_thread_new("devices", carry, carrier);
	return NULL;
}

/* Stop copying and close the socket; abort if @p error is set. Return false if the copy is incomplete. */
static bool carrier_end(struct carrier *carrier, const struct error *error)
{
	bool all;

	if (error)
		shutdown(carrier->socket, SHUT_RDWR);
	all = g_thread_join(carrier->thread);
	close(carrier->socket);
	return all;
}

/* Make QEMU write its state to the file, or read it from there, and wait for that. */
static struct error *move_state(struct qmp *qmp, int file, bool to_qemu)
{
	struct carrier carrier;
	struct error *error = carrier_begin(&carrier, qmp, file, to_qemu);
	bool all;

	if (error)
		return error;
	error = qmp_command(qmp, to_qemu ? load_devices : save_devices);
	error = error ?: qmp_wait_migration(qmp);
	all = carrier_end(&carrier, error);
	/* QEMU itself detects an incomplete state that it reads. */
	if (!error && !to_qemu && !all)
		error = error_new(ERROR_OTHER, _("QEMU could not transfer the state of the guest's devices"));
	return error;
}

/* ---- restoring --------------------------------------------------------------------------------------------------- */

static struct error *load_state(int fd, const struct qemu *qemu)
{
	/* Verify the file while QEMU is starting. */
	struct error *error = snapshot_file_check(fd);
	struct qmp qmp;

	if (error)
		return error;
	error = qmp_begin(&qmp, qemu->monitor, RESTORE_MILLISECONDS);
	if (!error)
		error = qmp_command(&qmp, ignore_shared);
	if (!error)
		error = move_state(&qmp, fd, true);
	if (!error)
		error = qmp_command(&qmp, go_on);
	qmp_end(&qmp);
	return error;
}

struct error *snapshot_restore(struct snapshot *snapshot, struct qemu *qemu)
{
	_cleanup_close_ int fd = -1;
	struct error *error = snapshot_file_open(snapshot->path, snapshot->memory, &fd);
	struct qemu_memory memory = {.file = fd, .size = snapshot->memory, .restore = true};

	if (error && error->code == ERROR_LOOKUP)
		return error;
	if (!error)
		error = qemu_start(snapshot->kernel, snapshot->options, &memory, qemu);
	if (!error)
		error = load_state(fd, qemu);
	if (!error)
		return NULL;
	qemu_end(qemu);
	snapshot_drop(snapshot);
	return error;
}

void snapshot_drop(const struct snapshot *snapshot)
{
	unlink(snapshot->path);
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

static struct error *make_file(const char *name, uint64_t size, int *fd)
{
	*fd = memfd_create(name, MFD_CLOEXEC);
	return *fd < 0 || ftruncate(*fd, size) < 0 ? error_errno("memfd_create") : NULL;
}

struct error *snapshot_boot(struct snapshot *snapshot, struct qemu *qemu)
{
	struct qemu_memory memory = {.size = snapshot->memory};
	struct error *error;

	/* Create the files first, so that an unwritable cache fails early. */
	error = snapshot_file_create(snapshot->directory, &snapshot->file);
	if (!error)
		error = make_file("guest-memory", snapshot->memory, &snapshot->guest_memory);
	if (!error)
		error = make_file("guest-devices", 0, &snapshot->devices);
	memory.file = snapshot->guest_memory;
	return error ?: qemu_start(snapshot->kernel, snapshot->options, &memory, qemu);
}

static struct error *save_state(struct snapshot *snapshot, struct qmp *qmp)
{
	struct stat status;
	struct error *error;

	if (fstat(snapshot->guest_memory, &status) < 0)
		return error_errno("fstat");
	error = cache_check_space(snapshot->directory, (uint64_t)status.st_blocks * 2 * 512);
	if (!error)
		error = qmp_command(qmp, ignore_shared);
	if (!error)
		error = qmp_command(qmp, stop);
	if (!error)
		error = move_state(qmp, snapshot->devices, false);
	if (!error)
		error = snapshot_file_write(snapshot->file, snapshot->guest_memory, snapshot->devices);
	return error;
}

struct error *snapshot_take(struct snapshot *snapshot, struct qemu *qemu)
{
	struct error *error, *lost;
	struct qmp qmp;

	error = qmp_begin(&qmp, qemu->monitor, SAVE_MILLISECONDS);
	if (!error)
		error = save_state(snapshot, &qmp);
	qmp.deadline = g_get_monotonic_time() + GO_ON_MILLISECONDS * G_TIME_SPAN_MILLISECOND;
	/* If the guest does not continue, the hub notices that it does not answer. */
	lost = qmp_command(&qmp, go_on);
	qmp_end(&qmp);
	if (!error && !lost)
		error = snapshot_file_publish(snapshot->file, snapshot->path);
	close_files(snapshot);
	if (error) {
		error_free(lost);
		return error;
	}
	return lost;
}

void snapshot_free(struct snapshot *snapshot)
{
	if (!snapshot)
		return;
	close_files(snapshot);
	g_free(snapshot->directory);
	g_free(snapshot->path);
	g_free(snapshot);
}
