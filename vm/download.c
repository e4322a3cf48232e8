// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Move files from a guest to the host after a command, such as the output of bulk mode.
 *
 * The guest lists the files, and each is read with a command of its own. The guest is not trusted: a file name may only
 * extend the prefix that the user gave, within the same directory, and no file may be larger than listed. The sum is
 * limited to the size of the guest's memory, which holds all its files.
 */
#include "vm/download.h"

#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/progress.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/number.h"

/* Argument PREFIX: print the size and the rest of the name of each file. */
static char list_script[] = "for file in \"$1\"*; do\n"
			    "	[ -f \"$file\" ] && stat -c '%s' \"$file\" && echo \"${file#\"$1\"}\"\n"
			    "done\n"
			    "true\n";

enum { LONGEST_LIST = 4 << 20 };

/* Run a command whose output has at most @p most bytes. */
static struct error *run(struct client_session *session, char **arguments, int output, uint64_t most)
{
	_cleanup_close_ int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct error *error;
	int status = 0;

	if (input < 0)
		return error_errno("/dev/null");
	session->limits_output = true;
	session->most_output = most;
	error = client_run(session, arguments, (const int[]){input, output, STDERR_FILENO}, &status);
	session->limits_output = false;
	if (!error && status)
		error = error_new(ERROR_OTHER, _("cannot read a file in the guest"));
	return error;
}

static struct error *list_files(struct client_session *session, char *prefix, char **list)
{
	char *const arguments[] = {"sh", "-c", list_script, "sh", prefix, NULL};
	_cleanup_close_ int output = memfd_create("list", MFD_CLOEXEC);
	struct error *error;
	struct stat size;

	if (output < 0)
		return error_errno("memfd_create");
	error = run(session, (char **)arguments, output, LONGEST_LIST);
	if (error)
		return error;
	if (fstat(output, &size))
		return error_errno("fstat");
	*list = g_malloc0(size.st_size + 1);
	return pread(output, *list, size.st_size, 0) == size.st_size ? NULL : error_errno("pread");
}

static uint64_t written_bytes(void *data)
{
	const int *file = data;
	struct stat status;

	return fstat(*file, &status) ? 0 : (uint64_t)status.st_size;
}

static struct error *download_file(struct client_session *session, char *guest_path, const char *host_path,
				   uint64_t size)
{
	char *const read_it[] = {"cat", guest_path, NULL}, *const remove_it[] = {"rm", "-f", guest_path, NULL};
	_cleanup_close_ int output = open(host_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	struct progress *step;
	struct error *error;
	struct stat written;

	if (output < 0)
		return error_errno(_("cannot write %s"), host_path);
	step = progress_begin(_("copying %s from the guest"), guest_path);
	progress_watch(step, size, written_bytes, &output);
	error = run(session, (char **)read_it, output, size);
	progress_end(step);
	if (!error && (fstat(output, &written) || (uint64_t)written.st_size != size))
		error = error_new(ERROR_SYSTEM, _("cannot write %s: the file is incomplete"), host_path);
	return error ?: run(session, (char **)remove_it, STDERR_FILENO, LONGEST_LIST);
}

/* Check a line of the list. @p left: how many bytes may still be downloaded. */
static struct error *check_file(const char *name, const char *digits, uint64_t *size, uint64_t *left)
{
	int64_t number;

	for (const char *c = name; *c; c++)
		if (*c == '/' || g_ascii_iscntrl(*c)) {
			g_autofree char *shown = g_strescape(name, NULL);

			return error_new(ERROR_OTHER, _("the guest reported an invalid file name '%s'"), shown);
		}
	if (!parse_number(digits, 10, 0, INT64_MAX, &number) || (uint64_t)number > *left)
		return error_new(ERROR_OTHER, _("the guest reported files that are larger than its memory"));
	*size = (uint64_t)number;
	*left -= *size;
	return NULL;
}

struct error *download_files(struct client_session *session, const char *what, uint64_t most)
{
	g_auto(GStrv) prefixes = g_strsplit(what, ":", 2), lines = NULL;
	g_autofree char *list = NULL;
	struct error *error = list_files(session, prefixes[0], &list);

	if (error)
		return error;
	lines = g_strsplit(list, "\n", -1);
	if (!lines[0])
		return error_new(ERROR_LOOKUP, _("no files match %s* in the guest"), prefixes[0]);
	for (char **line = lines; line[0] && line[1] && !error; line += 2) {
		g_autofree char *guest_path = g_strconcat(prefixes[0], line[1], NULL);
		g_autofree char *host_path = g_strconcat(prefixes[1], line[1], NULL);

		uint64_t size = 0;

		error = check_file(line[1], line[0], &size, &most);
		error = error ?: download_file(session, guest_path, host_path, size);
	}
	return error;
}
