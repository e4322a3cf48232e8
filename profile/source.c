// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Find and read source files; see source.h. Debuginfo may be anybody's, so the paths in it only select what is read,
 * with the permissions of the user: a listing gets the mode of its source, and is never written to such a path.
 */
#include "profile/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "common/base/cleanup.h"
#include "common/base/foreign.h"
#include "common/base/i18n.h"
#include "common/base/message.h"
#include "common/files.h"
#include "common/process.h"
#include "report/texts.h"

void source_free(struct source *source)
{
	g_free(source->text);
}

/* A source that is newer than the program may be another version. The program may be on another machine. */
static void check_age(const struct program_hits *program, const char *path, const struct stat *status)
{
	struct stat of_program;

	if (!stat(program->module->bytes, &of_program) && of_program.st_mtime < status->st_mtime)
		message_warn(_("%s is newer than %s: the lines may differ"), path, program->module->bytes);
}

/*
 * Read a file if it exists, and is not a directory, device or pipe. The files of /proc are empty or as large as the
 * memory.
 */
static struct error *read_source(const char *path, struct stat *status, struct source *ret)
{
	enum { MOST_BYTES = 1 << 26 };
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0) {
		if (errno == EACCES)
			message_warn(_("cannot read %s: %s"), path, strerror(errno));
		return NULL;
	}
	if (fstat(fd, status) || !S_ISREG(status->st_mode) || !status->st_size || status->st_size > MOST_BYTES)
		return NULL;
	ret->mode = status->st_mode & 0666;
	return file_read_open(fd, path, &ret->text, &ret->length);
}

/* Search the directories of --source, and then the path itself. A relative path is not of our current directory. */
static struct error *read_local(const struct program_hits *program, const char *path, const char *const *directories,
				struct source *ret)
{
	struct error *error = NULL;
	struct stat status;

	for (; *directories && !error && !ret->text; directories++) {
		g_autofree char *candidate = g_build_filename(*directories, path, NULL);

		error = read_source(candidate, &status, ret);
		if (ret->text)
			check_age(program, candidate, &status);
	}
	if (error || ret->text || !g_path_is_absolute(path))
		return error;
	error = read_source(path, &status, ret);
	if (ret->text)
		check_age(program, path, &status);
	return error;
}

/* Ask the servers of DEBUGINFOD_URLS. They know absolute paths only. */
static struct error *read_from_server(const struct program_hits *program, const char *path, struct source *ret)
{
	const char *servers = g_getenv("DEBUGINFOD_URLS");
	const char *argv[] = {"debuginfod-find", "source", NULL, path, NULL};
	g_autofree char *output = NULL;
	struct build_id build_id;
	struct error *error;
	struct stat status;

	if (!servers || !*servers || !g_path_is_absolute(path) ||
	    !build_id_parse(program->build_id->bytes, program->build_id->length, &build_id))
		return NULL;
	argv[2] = build_id.text;
	/* Its messages would be mixed into the path. */
	g_unsetenv("DEBUGINFOD_PROGRESS");
	g_unsetenv("DEBUGINFOD_VERBOSE");
	error = process_run(argv, NULL, &output);
	if (error && error->code == ERROR_BUILD) { /* no server has it */
		error_free(error);
		return NULL;
	}
	if (error)
		return error;
	g_strchomp(output);
	error = read_source(output, &status, ret);
	ret->mode = 0666;
	return error;
}

struct error *source_read(const struct program_hits *program, const struct file_hits *file,
			  const char *const *directories, struct source *ret)
{
	struct error *error;

	*ret = (struct source){.text = NULL};
	error = read_local(program, file->path->bytes, directories, ret);
	if (error || ret->text)
		return error;
	return read_from_server(program, file->path->bytes, ret);
}
