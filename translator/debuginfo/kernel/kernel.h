/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel on disk: finding its files (find.c), its boot image (image.c), and its symbols without a symbol table
 * (kallsyms.c).
 */
#ifndef SPILE_DEBUGINFO_KERNEL_KERNEL_H
#define SPILE_DEBUGINFO_KERNEL_KERNEL_H

#include "translator/debuginfo/object/object.h"

/** Find the files of a kernel module; either is NULL if not found. */
void kernel_module_files(const struct target_kernel *kernel, struct arena *arena, const char *module, const char **code,
			 const char **debug);

/** Is this module (named with '_') built into the kernel? */
bool kernel_has_built_in(const struct target_kernel *kernel, const char *module);

/** Is the kernel the running one, so that /proc and /sys below this root describe it? */
bool kernel_is_running(const struct target_kernel *kernel, const char *root);

/**
 * Extract the kernel's ELF file from a boot image, or make one for it; *ret is NULL on failure. The caller frees both,
 * the ELF handle first.
 */
Elf *image_open(const char *path, struct image **ret);
void image_free(struct image *image);

/* Callback for a symbol: its address, its letter as in nm(1), and a name that lives as long as the debuginfo. */
typedef void take_symbol(void *data, uint64_t value, char letter, const char *name);

/** Read the symbols in the kallsyms tables of a kernel's ELF file. Return false if the tables were not found. */
bool kallsyms_read(const struct debuginfo *debuginfo, take_symbol *take, void *data);
/** Is it an uncompressed image that is no ELF file (raw_image.c)? */
bool raw_image_is(struct span image);
/** Return an ELF file with the contents of such an image. Free with g_free(). */
char *raw_image_wrap(struct span image, size_t *size);

/**
 * Find the places in a boot image where its kallsyms tables may have the address of the first symbol. At one of them is
 * the address, or 0 if the boot code writes it there.
 *
 * @param[out] ret Offsets of 8 bytes in @p image.
 * @return The number of places: 0 if there are no tables.
 */
unsigned int kallsyms_base_places(struct span image, uint64_t lowest_text, size_t ret[2]);

/* The section that holds the tables. */
struct kallsyms_section {
	struct span bytes;
	uint64_t address;
	uint64_t lowest_text; /* symbols have no lower addresses */
};

/** Like kallsyms_read(), from a section. Names are allocated in @p arena. */
bool kallsyms_read_section(const struct kallsyms_section *section, struct arena *arena, take_symbol *take, void *data);
/** Read the symbols of a System.map, or of /proc/kallsyms with addresses converted back to link-time ones. */
bool symbol_file_read(const struct debuginfo *debuginfo, const char *path, take_symbol *take, void *data);

#endif
