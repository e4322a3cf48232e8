/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Map paths of the probed machine to paths on this one (--sysroot); see sysroot.c. */
#ifndef SPILE_COMMON_SYSROOT_H
#define SPILE_COMMON_SYSROOT_H

#include <stdbool.h>

struct sysroot {
	const char
		*directory; /* the real path of the root directory, without a final '/'; NULL or "": this machine's */
	bool also_here; /* files that are not in the directory are those of this machine */
	const char *program_path; /* PATH of the probed machine; NULL: as here */
	const char *library_path; /* LD_LIBRARY_PATH of the probed machine; NULL: not known */
};

/** Remove the root directory or "%{sysroot}" from the beginning of a path, if it is there. Return a part of @p path. */
const char *sysroot_inside(const struct sysroot *sysroot, const char *path);

/** Add the root directory to a path, whether the file exists or not. Free with g_free(). */
char *sysroot_file(const struct sysroot *sysroot, const char *path);

/** The same, with symbolic links resolved below the root. Return NULL if the file does not exist. */
char *sysroot_resolve(const struct sysroot *sysroot, const char *path);

/** Find a program in PATH. Return its path on the probed machine, or NULL. Free with g_free(). */
char *sysroot_find_program(const struct sysroot *sysroot, const char *name);

#endif
