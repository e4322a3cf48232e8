/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the files of the machine that is probed are on this one; see sysroot.c. */
#ifndef SPILE_UTIL_SYSROOT_H
#define SPILE_UTIL_SYSROOT_H

struct sysroot {
	const char *folder; /* without links and without '/' at its end; NULL or "": they are where they are there */
	const char *program_path; /* PATH there; NULL: as here */
	const char *library_path; /* LD_LIBRARY_PATH there; NULL: not known */
};

/** A path as it is there, of one that may begin with the folder, or with "%{sysroot}" for it. Part of @p path. */
const char *sysroot_inside(const struct sysroot *sysroot, const char *path);

/** Where a path of there is here, without looking; free with g_free(). */
char *sysroot_file(const struct sysroot *sysroot, const char *path);

/** The same without symbolic links, which lead to places of there; NULL if there is no such file. */
char *sysroot_resolve(const struct sysroot *sysroot, const char *path);

/** Where a program of this name is, in the folders of PATH; to be resolved. NULL: in none. Free with g_free(). */
char *sysroot_find_program(const struct sysroot *sysroot, const char *name);

#endif
