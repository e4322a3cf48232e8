/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that came from elsewhere: from hosts, guests, compile servers and their clients, module files, build trees.
 * They become parts of paths and command lines. Each has a type that only its parser makes, so what was not checked
 * cannot be used by mistake. Without GLib, for staprun.
 */
#ifndef SPILE_UTIL_FOREIGN_H
#define SPILE_UTIL_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

/* With the NUL; of struct utsname, struct module, and 64 bytes in hexadecimal. */
enum { RELEASE_SIZE = 65, MODULE_NAME_SIZE = 56, BUILD_ID_SIZE = 129 };

/** What uname -r prints: letters, digits and "._+~-", a letter or digit first, no "..". */
struct release {
	char text[RELEASE_SIZE];
};

/** What uname -m prints: letters, digits, '_' and '-'. */
struct machine_name {
	char text[RELEASE_SIZE];
};

/** Of a kernel module: letters, digits and '_', a letter first. */
struct module_name {
	char text[MODULE_NAME_SIZE];
};

/** Of an ELF file: an even number of lower-case hexadecimal digits. */
struct build_id {
	char text[BUILD_ID_SIZE];
};

/* Each is true if these @p length bytes are such a name, all of them; else @p ret holds "". */
bool release_parse(const char *text, size_t length, struct release *ret);
bool machine_name_parse(const char *text, size_t length, struct machine_name *ret);
bool module_name_parse(const char *text, size_t length, struct module_name *ret);
bool build_id_parse(const char *text, size_t length, struct build_id *ret);

#endif
