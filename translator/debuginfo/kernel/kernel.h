/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel on disk: where its files are (find.c), its boot image (image.c) and its symbols without a symbol table
 * (kallsyms.c).
 */
#ifndef SPILE_DEBUGINFO_KERNEL_KERNEL_H
#define SPILE_DEBUGINFO_KERNEL_KERNEL_H

#include "translator/debuginfo/object/object.h"

/** Files of a module of the kernel; either may be NULL if it is not there. */
void kernel_module_files(const struct target_kernel *kernel, struct arena *arena, const char *module, const char **code,
			 const char **debug);

/** Is what would be this module, with '_' in its name, a part of the kernel itself? */
bool kernel_has_built_in(const struct target_kernel *kernel, const char *module);

/** Is the kernel the one that runs in this root? Then /proc and /sys of the root speak of it. */
bool kernel_is_running(const struct target_kernel *kernel, const char *root);

/** The ELF file in a bzImage; *ret is NULL if it cannot be read out. The caller frees both, the ELF handle first. */
Elf *image_open(const char *path, struct image **ret);
void image_free(struct image *image);

/* Takes a symbol: its address, its letter as nm has it, and a name that lives as long as the debuginfo. */
typedef void take_symbol(void *data, uint64_t value, char letter, const char *name);

/** The symbols in the kallsyms tables of a kernel's ELF file; false if they were not found. */
bool kallsyms_read(const struct debuginfo *debuginfo, take_symbol *take, void *data);
/** The same of the section that holds them, by its address. @arena: for the names. */
bool kallsyms_read_section(struct span section, uint64_t address, struct arena *arena, take_symbol *take, void *data);
/** The symbols of a System.map, or of /proc/kallsyms with the addresses taken back to where they were linked. */
bool symbol_file_read(const struct debuginfo *debuginfo, const char *path, take_symbol *take, void *data);

#endif
