/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does the module's debuginfo describe what runs here? See check.c. */
#ifndef SPILE_STAPRUN_CHECK_H
#define SPILE_STAPRUN_CHECK_H

#include <stddef.h>

#include "staprun/info.h"

/**
 * The GNU build-id among ELF notes.
 *
 * @param[out] hex Lower-case hex, at least INFO_BUILD_ID_SIZE bytes; "" if the notes hold none.
 */
void check_notes_build_id(const void *notes, size_t size, char *hex);

/** Compare the running kernel and its loaded modules with what @p info expects. NULL: they match. */
struct error *check_targets(const struct module_info *info);

/**
 * The load address of a section of a loaded module.
 *
 * @param[out] address 0 if the module is not loaded, or has no such section in memory (a warning was printed).
 */
struct error *check_section_address(const struct info_target *target, unsigned long *address);

/** Warn if probed modules are not loaded: probes in them are armed when they are. */
void check_warn_missing(const struct module_info *info);

#endif
