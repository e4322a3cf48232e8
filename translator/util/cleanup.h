/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resources that release themselves at the end of the scope, on every path, instead of goto ladders. GLib's
 * g_autofree and g_autoptr() serve for what GLib allocates; here is what GLib lacks.
 */
#ifndef SPILE_UTIL_CLEANUP_H
#define SPILE_UTIL_CLEANUP_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void cleanup_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

/** Before the end of the scope; it may come again. */
static inline void close_fd(int *fd)
{
	cleanup_close(fd);
	*fd = -1;
}

static inline void cleanup_fclose(FILE **file)
{
	if (*file)
		fclose(*file);
}

static inline void cleanup_free(void *pointer)
{
	free(*(void **)pointer);
}

#define _cleanup_(function) __attribute__((cleanup(function)))
#define _cleanup_close_ _cleanup_(cleanup_close)
#define _cleanup_fclose_ _cleanup_(cleanup_fclose)
#define _cleanup_free_ _cleanup_(cleanup_free)

#endif
