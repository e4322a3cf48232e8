/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Check that the debuginfo the module was built from describes the running kernel; see check.c. */
#ifndef SPILE_STAPRUN_CHECK_H
#define SPILE_STAPRUN_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "staprun/info.h"

/**
 * Find the GNU build-id among ELF notes.
 *
 * @param[out] hex Lower-case hex, at least INFO_BUILD_ID_SIZE bytes; "" if the notes hold none.
 */
void check_notes_build_id(const void *notes, size_t size, char *hex);

/** Find the build-id of the running kernel (@p hex: as above). Return false if it has none, or sysfs is not mounted. */
bool check_running_build_id(char *hex);

/** Compare the running kernel and its loaded modules with what @p info expects. Return NULL if they match. */
struct error *check_targets(const struct module_info *info);

/**
 * Find the load address of a section of a loaded module.
 *
 * @param[out] address 0 if the module is not loaded, or (after a warning) if it has no such section in memory.
 */
struct error *check_section_address(const struct info_target *target, unsigned long *address);

/** Warn if probed modules are not loaded. Probes in them are armed when the modules are loaded. */
void check_warn_missing(const struct module_info *info);

#endif
