/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that a module's script declares; see script_options.c. */
#ifndef SPILE_STAPRUN_SCRIPT_OPTIONS_H
#define SPILE_STAPRUN_SCRIPT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/script_option.h"

struct module_options {
	struct script_option *options;
	unsigned int count;
};

/**
 * Read the options in a module file in memory, which is not trusted.
 *
 * @param[out] ret Its texts are borrowed from @p image. Valid on success; release with module_options_clear().
 */
struct error *module_options_read(const char *image, size_t size, struct module_options *ret);
void module_options_clear(struct module_options *options);

/** Find an option by the first @p length bytes of @p name; NULL: not found. */
const struct script_option *module_options_find(const struct module_options *options, const char *name, size_t length);

/** Does one of the options set this global? @p options may be NULL. */
bool module_options_set(const struct module_options *options, const char *global);

/** Print --help: the script's purpose and its options. */
struct error *module_options_print(const char *image, size_t size, const struct module_options *options);

#endif
