/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The facts that a module file declares, and its name; see info.c. */
#ifndef SPILE_STAPRUN_INFO_H
#define SPILE_STAPRUN_INFO_H

#include <stddef.h>

#include "common/base/error.h"
#include "common/base/foreign.h"
#include "runtime/abi/layout.h"

enum {
	INFO_NAME_SIZE = 56, /* MODULE_NAME_LEN of 64-bit kernels (include/linux/moduleparam.h) */
	INFO_SECTION_SIZE = 64,
	INFO_BUILD_ID_SIZE = 129, /* hex digits of the longest one accepted, and the NUL */
	INFO_PRIVILEGE_SIZE = 16,
	INFO_TARGET_LIMIT = 4096,
};

/*
 * A kernel, module, program or library whose debuginfo supplied addresses to the module. staprun checks the first two.
 * The runtime checks programs and libraries, in each process that maps one.
 */
struct info_target {
	enum stp_target_kind kind;
	char name[INFO_NAME_SIZE]; /* of a module, as in /sys/module; "" for other kinds */
	char section[INFO_SECTION_SIZE]; /* of a module; "" for other kinds */
	char build_id[INFO_BUILD_ID_SIZE]; /* lower-case hex; "" if unknown */
};

struct module_info {
	char name[INFO_NAME_SIZE];
	/* Position and space of the name in the image, for info_rename(). */
	size_t name_offset, name_room;
	size_t modinfo_name_offset; /* of the value of "name=" in .modinfo; 0 if it has none */
	struct release release;
	int bulk; /* built with stap -b */
	int commands; /* the script calls system() */
	int objects; /* the script needs unwind tables of programs */
	char privilege[INFO_PRIVILEGE_SIZE]; /* group that the module was built for; "stapdev" by default */
	struct info_target *targets;
	unsigned int target_count;
};

/**
 * Read a module file in memory.
 *
 * @param[in] image The bytes of the file, which are not trusted.
 * @param[out] info Valid on success; release with info_destroy().
 * @return ERROR_UNSUPPORTED, with the reason, if this is not a module for this machine or was not built by stap.
 */
struct error *info_read(const char *image, size_t size, struct module_info *info);
void info_destroy(struct module_info *info);

/** Call @p tell for each "key=value" of the sections .spile.info and .modinfo, in order. The file is not trusted. */
struct error *info_tell(const char *image, size_t size, void (*tell)(void *data, const char *text), void *data);

/** Rename the module, in the image and in @p info. @p name is at most INFO_NAME_SIZE - 1 bytes. */
struct error *info_rename(char *image, struct module_info *info, const char *name);

/** Return whether @p name can be a module name and a path component: letters, digits, '_' and '-' only. */
int info_name_is_valid(const char *name);

#endif
