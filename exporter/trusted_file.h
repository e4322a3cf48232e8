/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that only root and the user of the service can change; see trusted_file.c. */
#ifndef SPILE_EXPORTER_TRUSTED_FILE_H
#define SPILE_EXPORTER_TRUSTED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "common/base/error.h"

/**
 * Check that a regular file belongs to root or to this process's user, and that neither the group nor others can write
 * to it, nor replace it or a directory on its path.
 */
struct error *trusted_file_check(const char *path, struct stat *ret);

/** The same for a directory. */
struct error *trusted_directory_check(const char *path);

/** Check and read a file. With @p is_secret, it must also not be readable by others. The caller frees @p text. */
struct error *trusted_file_read(const char *path, bool is_secret, char **text, size_t *length);

#endif
