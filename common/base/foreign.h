/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names from untrusted sources: hosts, guests, compile servers and their clients, module files, build trees. They
 * become parts of paths and command lines. Each has a type that only its parser fills in, so unchecked names cannot be
 * used by mistake.
 */
#ifndef SPILE_BASE_FOREIGN_H
#define SPILE_BASE_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

/* Sizes with the NUL: of struct utsname, of struct module, and of 64 bytes in hexadecimal. */
enum { RELEASE_SIZE = 65, MODULE_NAME_SIZE = 56, BUILD_ID_SIZE = 129 };

/** A kernel release as printed by uname -r: letters, digits and "._+~-", a letter or digit first, no "..". */
struct release {
	char text[RELEASE_SIZE];
};

/** A machine as printed by uname -m: letters, digits, '_' and '-'. */
struct machine_name {
	char text[RELEASE_SIZE];
};

/** The name of a kernel module: letters, digits and '_', a letter first. */
struct module_name {
	char text[MODULE_NAME_SIZE];
};

/** The build-id of an ELF file: an even number of lower-case hexadecimal digits. */
struct build_id {
	char text[BUILD_ID_SIZE];
};

/* Parse @length bytes as such a name. Return false, and set @ret to "", if they are not. */
bool release_parse(const char *text, size_t length, struct release *ret);
bool machine_name_parse(const char *text, size_t length, struct machine_name *ret);
bool module_name_parse(const char *text, size_t length, struct module_name *ret);
bool build_id_parse(const char *text, size_t length, struct build_id *ret);

#endif
