/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modules that come and go. */
#ifndef SPILE_RUNTIME_CORE_MODULE_NOTIFIER_H
#define SPILE_RUNTIME_CORE_MODULE_NOTIFIER_H

#include "runtime/core/internal.h"

/** Start and stop to follow loads and unloads of modules that the script probes. Task context. */
SHARED void modules_watch(void);
SHARED void modules_ignore(void);
/** Set the address of a section that staprun found. Return -ENOENT if the script does not name it. */
SHARED int target_set(const char *module, const char *section, unsigned long address);
/* The following need the arming lock. */
/** Return false if the probe is in a module that is not loaded. */
bool probe_is_there(const struct stp_probe *probe);
/** Return whether the probe must be armed now because its module was loaded. */
bool probe_arrives(const struct stp_probe *probe);
/** Return whether probes at an address must be disarmed because its module is being unloaded. */
bool address_leaves(unsigned long address);
/** Do the same for kprobes, after the kernel has marked them as gone. */
bool kprobe_has_gone(unsigned long address);
/**
 * Return whether an address is in the initialization code of a module that is being loaded. It is freed soon. Filters
 * of ftrace would keep it, and the next module may have a function there.
 */
bool address_is_init(unsigned long address);
/** Return the module in the symbol "module:function" of a probe, *length bytes; NULL for one of vmlinux. */
const char *symbol_in_module(const struct stp_probe *probe, size_t *length);
/** Return the address of the symbol of such a probe, or 0. */
unsigned long module_symbol_address(const struct stp_probe *probe);
/**
 * Return whether the function at @p address ends its module's text and the next page is not mapped. When the kernel
 * registers a kprobe, it decodes the function and the padding after it, and would read an instruction that seems to
 * begin in the padding beyond the page (can_optimize(), since 6.4).
 */
bool module_text_ends_after(unsigned long address);
/** Warn that a probe could not be armed. */
void probe_arm_failed(const struct stp_probe *probe, int error);

#endif
