/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attributes that release a resource at the end of its scope, on every path. For memory and objects of GLib, use
 * g_autofree and g_autoptr().
 */
#ifndef SPILE_BASE_CLEANUP_H
#define SPILE_BASE_CLEANUP_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void cleanup_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

/** Close a _cleanup_close_ descriptor early. */
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
