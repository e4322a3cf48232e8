/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole files: read, write, copy; see files.c. */
#ifndef SPILE_UTIL_FILES_H
#define SPILE_UTIL_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "translator/util/error.h"

/* As glib.h has it, which not all who include this are compiled with. */
typedef struct _GChecksum GChecksum;

/** Read a file. @p text is allocated with g_malloc() and has a NUL behind its @p length bytes; the caller frees it. */
struct error *file_read(const char *path, char **text, size_t *length);
/** The same of an open file; @p path is for errors. */
struct error *file_read_open(int fd, const char *path, char **text, size_t *length);

/** Read a stream to its end; an error if that is more than @p most bytes. As of file_read() for the rest. */
struct error *stream_read(FILE *file, const char *name, size_t most, char **text, size_t *length);

/** Adds a file's content, with the NUL behind it; nothing if it cannot be read. */
void checksum_add_file(GChecksum *sum, const char *path);

/**
 * Write a file, mode 0644 less the umask. It appears under its name when it is complete, replacing one that is there; a
 * failure (a full disk, an interruption) leaves what was there.
 */
struct error *file_write(const char *path, const void *data, size_t length);

/** Write all, waiting where the descriptor came to us in non-blocking mode. False: errno says why not. */
bool write_all(int fd, const char *data, size_t length);

/** Read until @p size bytes are there or the end is reached. -1: errno says why not. */
ssize_t read_up_to(int fd, void *bytes, size_t size);

/** Make a private folder for temporary files, in TMPDIR. @p ret: its path, to be freed. */
struct error *folder_make_temporary(char **ret);

/** The name that -o FILE gives a file now: @p format as strftime(3) has it. @p ret: to be freed. */
struct error *file_name_of_format(const char *format, char **ret);

/** Copy a file's content, as file_write() does. */
struct error *file_copy(const char *from, const char *to);

#endif
