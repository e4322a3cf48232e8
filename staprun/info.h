/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a module file says about itself, and its name; see info.c. */
#ifndef SPILE_STAPRUN_INFO_H
#define SPILE_STAPRUN_INFO_H

#include <stddef.h>

#include "translator/util/error.h"
#include "translator/util/foreign.h"

enum {
	INFO_NAME_SIZE = 56, /* MODULE_NAME_LEN of 64-bit kernels (include/linux/moduleparam.h) */
	INFO_SECTION_SIZE = 64,
	INFO_BUILD_ID_SIZE = 129, /* hex digits of the longest one accepted, and the NUL */
	INFO_PRIVILEGE_SIZE = 16,
	INFO_TARGET_LIMIT = 4096,
};

/* Executables are no business of staprun's: the runtime looks at each process that runs one. */
enum info_target_kind { INFO_KERNEL, INFO_MODULE, INFO_EXECUTABLE, INFO_LIBRARY, INFO_TARGET_COUNT_ };

/* Something that the module's addresses were computed against. */
struct info_target {
	enum info_target_kind kind;
	char name[INFO_NAME_SIZE]; /* of a module, as in /sys/module; else "" */
	char section[INFO_SECTION_SIZE]; /* of a module; else "" */
	char build_id[INFO_BUILD_ID_SIZE]; /* lower-case hex; "" if none was known */
};

struct module_info {
	char name[INFO_NAME_SIZE];
	/* Where the name stands in the image, for info_rename(). */
	size_t name_offset, name_room;
	size_t modinfo_name_offset; /* of the value of "name=" in .modinfo; 0: there is none */
	struct release release;
	int bulk; /* made with stap -b */
	int commands; /* it calls system() */
	int objects; /* it asks for tables of programs */
	char privilege[INFO_PRIVILEGE_SIZE]; /* the group that it was made for; "stapdev" if it does not say */
	struct info_target *targets;
	unsigned int target_count;
};

/**
 * Read a module file in memory.
 *
 * @param[in] image The file's bytes; nothing about them is trusted. Not changed (libelf wants it writable).
 * @param[out] info Valid on success; release with info_destroy().
 * @return ERROR_UNSUPPORTED if this is no module for this machine or none of ours, with the reason.
 */
struct error *info_read(char *image, size_t size, struct module_info *info);
void info_destroy(struct module_info *info);

/** Tell each "key=value" of the sections .spile.info and .modinfo, in their order. The file is not believed either. */
struct error *info_tell(char *image, size_t size, void (*tell)(void *data, const char *text), void *data);

/** Give the module another name, in the image and in @p info. @p name is at most INFO_NAME_SIZE - 1 bytes. */
struct error *info_rename(char *image, struct module_info *info, const char *name);

/** Is @p name fit to be a module's name and a path component: letters, digits, '_' and '-' only? */
int info_name_is_valid(const char *name);

#endif
