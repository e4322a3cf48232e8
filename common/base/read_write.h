/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Complete reads and writes, and names of output files; see read_write.c. */
#ifndef SPILE_BASE_READ_WRITE_H
#define SPILE_BASE_READ_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/base/error.h"

/** Write all bytes; wait if the descriptor is in non-blocking mode. Return false with errno on failure. */
bool write_all(int fd, const char *data, size_t length);

/** Read @p size bytes, or fewer at the end of the file. Return their number, or -1 with errno. */
ssize_t read_up_to(int fd, void *bytes, size_t size);

/** Expand the argument of -o, a format of strftime(3), with the current time. The caller frees @p ret. */
struct error *file_name_of_format(const char *format, char **ret);

#endif
