// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Read and write whole files. GLib's functions call fsync() on each write, which takes longer than a small compilation,
 * and their messages name the temporary file instead of the requested one.
 */
#include "common/files.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/user_directories.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/read_write.h"

struct error *file_read_open(int fd, const char *path, char **text, size_t *length)
{
	struct stat status;
	ssize_t used;

	*text = NULL;
	if (fstat(fd, &status))
		return error_errno(_("cannot read %s"), path);
	*text = g_malloc(status.st_size + 1);
	used = read_up_to(fd, *text, status.st_size);
	if (used < 0) {
		g_clear_pointer(text, g_free);
		return error_errno(_("cannot read %s"), path);
	}
	(*text)[used] = '\0';
	*length = used;
	return NULL;
}

struct error *file_read(const char *path, char **text, size_t *length)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

	*text = NULL;
	return fd < 0 ? error_errno(_("cannot read %s"), path) : file_read_open(fd, path, text, length);
}

void checksum_add_file(GChecksum *sum, const char *path)
{
	g_autofree char *text = NULL;
	size_t length;
	struct error *error = file_read(path, &text, &length);

	if (!error)
		g_checksum_update(sum, (const guchar *)text, length + 1);
	error_free(error);
}

struct error *stream_read(FILE *file, const char *name, size_t most, char **text, size_t *length)
{
	g_autoptr(GString) all = g_string_new(NULL);
	char block[16384];
	size_t size;

	*text = NULL;
	while ((size = fread(block, 1, sizeof(block), file)) > 0) {
		g_string_append_len(all, block, size);
		if (all->len > most)
			return error_new(ERROR_OTHER, _("%s is too large: more than %zu bytes"), name, most);
	}
	if (ferror(file))
		return error_errno(_("cannot read %s"), name);
	*length = all->len;
	*text = g_string_free(g_steal_pointer(&all), false);
	return NULL;
}

struct error *standard_input_text(size_t most, const char **text, size_t *length)
{
	static const char name[] = "<stdin>";
	static char *kept;
	static size_t kept_length;
	struct error *error = kept ? NULL : stream_read(stdin, name, most, &kept, &kept_length);

	if (!error && kept_length > most)
		error = error_new(ERROR_OTHER, _("%s is too large: more than %zu bytes"), name, most);
	*text = kept;
	*length = kept_length;
	return error;
}

static struct error *write_error(const char *path)
{
	struct error *error = error_errno(_("cannot write %s"), path);

	if (error->errnum == ENOSPC || error->errnum == EDQUOT)
		error_with_hint(error, _("free space there, or set another directory: TMPDIR for temporary files, "
					 "SPILE_CACHE for the cache"));
	return error;
}

struct error *file_write(const char *path, const void *data, size_t length)
{
	g_autofree char *temporary = g_strdup_printf("%s.XXXXXX", path);
	int fd = g_mkstemp_full(temporary, O_WRONLY | O_CLOEXEC, 0644);
	struct error *error;
	bool done;

	if (fd < 0)
		return write_error(path);
	done = write_all(fd, data, length);
	/* Some file systems report a full disk only at close(). */
	if (!done) {
		error = write_error(path);
		close(fd);
	} else if (close(fd) || rename(temporary, path)) {
		error = write_error(path);
	} else {
		return NULL;
	}
	unlink(temporary);
	return error;
}

struct error *file_copy(const char *from, const char *to)
{
	g_autofree char *text = NULL;
	struct error *error;
	size_t length;

	error = file_read(from, &text, &length);
	return error ?: file_write(to, text, length);
}

enum { LONGEST_FIRST_LINE = 256 }; /* bytes that the kernel reads of a script (BINPRM_BUF_SIZE) */

/* Read the first bytes of a regular file as text; "" for other files. */
static void read_beginning(const char *path, char text[LONGEST_FIRST_LINE])
{
	struct stat status;
	bool is_regular = !stat(path, &status) && S_ISREG(status.st_mode);
	_cleanup_close_ int fd = is_regular ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	ssize_t length = fd < 0 ? 0 : read_up_to(fd, text, LONGEST_FIRST_LINE - 1);

	text[length > 0 ? length : 0] = '\0';
}

bool file_begins_with(const char *path, const char *text)
{
	char beginning[LONGEST_FIRST_LINE];

	read_beginning(path, beginning);
	return g_str_has_prefix(beginning, text);
}

char *file_interpreter(const char *path)
{
	char beginning[LONGEST_FIRST_LINE];
	char *name = beginning + 2;

	read_beginning(path, beginning);
	if (!g_str_has_prefix(beginning, "#!"))
		return NULL;
	name += strspn(name, " \t");
	return g_strndup(name, strcspn(name, " \t\n"));
}

struct error *directory_check_temporary(void)
{
	const char *directory = temporary_directory();
	struct error *error = NULL;

	if (!g_file_test(directory, G_FILE_TEST_IS_DIR))
		error = error_new(ERROR_OTHER, _("cannot use %s for temporary files: it is not a directory"),
				  directory);
	else if (access(directory, W_OK | X_OK))
		error = error_errno(_("cannot use %s for temporary files"), directory);
	return error ? error_with_hint(error, _("set TMPDIR to a directory that can be written to")) : NULL;
}

struct error *directory_make_temporary(char **ret)
{
	g_autofree char *name = g_build_filename(temporary_directory(), "stapXXXXXX", NULL);

	*ret = NULL;
	if (!g_mkdtemp(name))
		return error_errno(_("cannot make a temporary directory: %s"), name);
	*ret = g_steal_pointer(&name);
	return NULL;
}

uint64_t directory_bytes(const char *directory, bool (*is_counted)(const char *name, const void *context),
			 const void *context)
{
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	uint64_t sum = 0;
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(directory, name, NULL);
		struct stat status;

		if ((!is_counted || is_counted(name, context)) && stat(path, &status) == 0)
			sum += (uint64_t)status.st_size;
	}
	return sum;
}
