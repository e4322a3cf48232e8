/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole files: read, write, copy; see files.c. */
#ifndef SPILE_COMMON_FILES_H
#define SPILE_COMMON_FILES_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/error.h"

/** Read a file. @p text gets @p length bytes and a NUL; the caller frees it with g_free(). */
struct error *file_read(const char *path, char **text, size_t *length);
/** The same for an open file; @p path is for errors. */
struct error *file_read_open(int fd, const char *path, char **text, size_t *length);

/** The same for a stream. It is an error if that has more than @p most bytes. */
struct error *stream_read(FILE *file, const char *name, size_t most, char **text, size_t *length);

/**
 * Return the text of standard input, which is read at the first call: a script may be read for its options, and
 * translated for several kernels. It is an error if that has more than @p most bytes. The text stays valid.
 */
struct error *standard_input_text(size_t most, const char **text, size_t *length);

/** Add a file's content and a NUL to a checksum. Do nothing if it cannot be read. */
void checksum_add_file(GChecksum *sum, const char *path);

/**
 * Write a file with mode 0644, less the umask. It is renamed to @p path when it is complete; a failure (a full disk, an
 * interruption) leaves an existing file unchanged.
 */
struct error *file_write(const char *path, const void *data, size_t length);

/** Make a private directory for temporary files in TMPDIR. The caller frees @p ret, its path. */
struct error *directory_make_temporary(char **ret);
/** Check that files can be made in the directory of temporary files, before anything depends on it. */
struct error *directory_check_temporary(void);

/** Is it a regular file whose first bytes are @p text? */
bool file_begins_with(const char *path, const char *text);

/** Return the interpreter of a script, from its "#!" line; NULL if the file is not a script. The caller frees it. */
char *file_interpreter(const char *path);

/** Limit of nested interpreters that are scripts, as in the kernel. */
enum { MOST_INTERPRETERS = 5 };

/** Copy a file's content, as file_write() does. */
struct error *file_copy(const char *from, const char *to);

/**
 * Return the sum of the sizes of a directory's files, 0 if it cannot be read.
 *
 * @param[in] is_counted Select files by their names; NULL selects all.
 */
uint64_t directory_bytes(const char *directory, bool (*is_counted)(const char *name, const void *context),
			 const void *context);

#endif
