// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copy files to a running guest: one archive per file, unpacked there by busybox.
 *
 * A guest without KVM takes longer to receive staprun than to run a script with it. So it keeps a note of each upload
 * (NOTES), with the checksum of the archive and the list of its files. A file is skipped if the note has the same
 * checksum and none of its files is missing or newer than the note.
 */
#include "vm/upload.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/progress.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "vm/initramfs.h"

#define NOTES "/.uploads"

struct archive {
	int fd;
	char *name; /* name of its note: the checksum of the path in the guest */
	char *sum; /* checksum of its content */
	char *path; /* in the guest */
};

/*
 * Arguments NAME SUM NAME SUM...: print the names of uploads that are still valid. Uses only shell builtins, because
 * processes are slow to start.
 */
static char look_script[] = "while [ $# -gt 1 ]; do\n"
			    "	name=$1 sum=$2 note=" NOTES "/$1\n"
			    "	shift 2\n"
			    "	[ -e \"$note\" ] || continue\n"
			    "	{\n"
			    "		read -r noted && [ \"$noted\" = \"$sum\" ] || continue\n"
			    "		while read -r file; do\n"
			    "			[ -e \"$file\" ] && ! [ \"$file\" -nt \"$note\" ] || continue 2\n"
			    "		done\n"
			    "	} <\"$note\"\n"
			    "	echo \"$name\"\n"
			    "done\n";

/*
 * Arguments NAME SUM; the archive is standard input. Unpack to a temporary directory first: identical files are left
 * alone, others are replaced by rename. So a running program or a concurrent upload is not disturbed.
 */
static char unpack_script[] =
	"directory=$(mktemp -d /.upload.XXXXXX) && mkdir -p \"$directory/files\" " NOTES
	" && cd \"$directory/files\" || exit\n"
	"said=$(cpio -id 2>&1) || { echo \"$said\" >&2; exit 1; }\n" /* cpio always prints a block count */
	"rm -f " NOTES "/$1 && echo \"$2\" >../note || exit\n"
	"find . | while read -r file; do\n"
	"	file=${file#./}\n"
	"	if [ -d \"$file\" ]; then\n"
	"		[ -d \"/$file\" ] || mkdir -p \"/$file\"\n"
	"	else\n"
	"		{ cmp -s \"$file\" \"/$file\" || mv -f \"$file\" \"/$file\"; } && echo \"/$file\" >>../note\n"
	"	fi || exit\n"
	"done && mv ../note " NOTES "/$1\n"
	"status=$?\n"
	"rm -rf \"$directory\"\n"
	"exit $status\n";

static void archive_free(void *data)
{
	struct archive *archive = data;

	close(archive->fd);
	g_free(archive->name);
	g_free(archive->sum);
	g_free(archive->path);
	g_free(archive);
}

static struct error *sum_of(int fd, char **sum)
{
	struct stat status;
	void *data;

	if (fstat(fd, &status))
		return error_errno("fstat");
	data = mmap(NULL, status.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (data == MAP_FAILED)
		return error_errno("mmap");
	*sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, data, status.st_size);
	munmap(data, status.st_size);
	return NULL;
}

static struct error *pack(GPtrArray *archives, char *file)
{
	struct archive *archive;
	int fd = -1;
	struct error *error = initramfs_pack(NULL, NULL, (char *[]){file, NULL}, &fd);
	g_autofree char *path = initramfs_guest_path(file);

	if (error)
		return error;
	archive = g_new0(struct archive, 1);
	archive->fd = fd;
	archive->name = g_compute_checksum_for_string(G_CHECKSUM_SHA256, path, -1);
	archive->path = g_steal_pointer(&path);
	g_ptr_array_add(archives, archive);
	return sum_of(fd, &archive->sum);
}

/* Run a command of our own. A signal during it was meant for stap-vm. */
static struct error *run(struct client_session *session, char *const arguments[], const int fds[3], int *status)
{
	struct error *error = client_run(session, (char **)arguments, fds, status);

	if (!error && session->last_signal)
		error = error_new(ERROR_INTERRUPTED, _("interrupted"));
	return error;
}

/* Ask the guest which uploads are still valid. It answers with one name per line. */
static struct error *look(struct client_session *session, const GPtrArray *archives, char **there)
{
	g_autoptr(GPtrArray) arguments = g_ptr_array_new();
	_cleanup_close_ int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
	_cleanup_close_ int output = memfd_create("there", MFD_CLOEXEC);
	struct error *error;
	struct stat size;
	int status = 0;

	if (input < 0 || output < 0)
		return error_errno("memfd_create");
	g_ptr_array_add(arguments, "sh");
	g_ptr_array_add(arguments, "-c");
	g_ptr_array_add(arguments, look_script);
	g_ptr_array_add(arguments, "sh");
	for (guint i = 0; i < archives->len; i++) {
		const struct archive *archive = g_ptr_array_index(archives, i);

		g_ptr_array_add(arguments, archive->name);
		g_ptr_array_add(arguments, archive->sum);
	}
	g_ptr_array_add(arguments, NULL);
	error = run(session, (char **)arguments->pdata, (const int[]){input, output, STDERR_FILENO}, &status);
	if (error)
		return error;
	/* If the guest cannot answer, send everything. */
	if (status || fstat(output, &size))
		size.st_size = 0;
	*there = g_malloc0(size.st_size + 1);
	if (pread(output, *there, size.st_size, 0) != size.st_size)
		**there = '\0';
	return NULL;
}

/* Return how much of an archive was read for sending. */
static uint64_t sent(void *data)
{
	const struct archive *archive = data;
	off_t position = lseek(archive->fd, 0, SEEK_CUR);

	return position < 0 ? 0 : (uint64_t)position;
}

static struct error *send_archive(struct client_session *session, struct archive *archive)
{
	char *const arguments[] = {"sh", "-c", unpack_script, "sh", archive->name, archive->sum, NULL};
	_cleanup_progress_ struct progress *step = progress_begin(_("copying %s to the guest"), archive->path);
	struct error *error;
	struct stat size;
	int status = 0;

	if (!fstat(archive->fd, &size))
		progress_watch(step, size.st_size, sent, archive);
	error = run(session, arguments, (const int[]){archive->fd, STDERR_FILENO, STDERR_FILENO}, &status);
	if (!error && status)
		error = error_new(ERROR_OTHER, _("cannot write the files in the guest"));
	return error;
}

struct error *upload_files(struct client_session *session, char **files)
{
	g_autoptr(GPtrArray) archives = g_ptr_array_new_with_free_func(archive_free);
	g_autofree char *there = NULL;
	struct error *error = NULL;

	for (char **file = files; !error && *file; file++)
		error = pack(archives, *file);
	if (!error && archives->len)
		error = look(session, archives, &there);
	for (guint i = 0; !error && i < archives->len; i++) {
		struct archive *archive = g_ptr_array_index(archives, i);

		if (!strstr(there, archive->name))
			error = send_archive(session, archive);
	}
	return error;
}
