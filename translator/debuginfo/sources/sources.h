/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening debuginfo: the order of sources (source.c), sources that are files (files.c, objects.c), and servers
 * (debuginfod.c).
 */
#ifndef SPILE_DEBUGINFO_SOURCES_SOURCES_H
#define SPILE_DEBUGINFO_SOURCES_SOURCES_H

#include "translator/debuginfo/object/object.h"

/** Open the first source that has debuginfo. */
struct error *source_open(struct debuginfo *debuginfo);
/** Open BTF only, unless the user excluded it. If it is not found, that is not an error. */
struct error *source_open_btf(struct debuginfo *debuginfo, bool *found);
/**
 * Open a program, a library or an object file: DWARF in it, in its file of debug symbols, or from debuginfod; else
 * symbols, unless @p must_have_dwarf.
 */
struct error *source_open_object(struct debuginfo *debuginfo, bool must_have_dwarf);
/** Open the file of debug symbols with debuginfo->build_id. */
struct error *source_open_build_id(struct debuginfo *debuginfo);
/** Open the BTF of the same kernel as debuginfo->by_btf. If it is not found, that is not an error. */
struct error *debuginfo_open_btf(struct debuginfo *debuginfo, bool *found);

/* ---- files.c ---- */

/**
 * Open a source that is an ELF file: DWARF in vmlinux or a module's files; BTF or symbols in these or in the boot
 * image.
 */
struct error *open_dwarf(struct debuginfo *debuginfo, bool *found);
struct error *open_symbols(struct debuginfo *debuginfo, bool *found);
struct error *open_btf(struct debuginfo *debuginfo, bool *found);
/** Open the file of a program, library or object itself, whatever it contains. */
struct error *open_object_file(struct debuginfo *debuginfo, bool *found);
/** Open debuginfo->debug and check that it is a complete file of the right kind. */
struct error *open_elf(struct debuginfo *debuginfo);
bool has_dwarf(Elf *elf);
/**
 * Return an error with a hint for DWARF that exists and cannot be read. Falling back to another source would silently
 * know less.
 */
struct error *check_dwarf(const struct debuginfo *debuginfo);
void object_file_close(struct object_file *file);
/** Open a file that another source found; it must have DWARF. */
struct error *open_dwarf_file(struct debuginfo *debuginfo, const char *path);
/** Close the files of a source that was tried and found unusable. */
void close_file(struct debuginfo *debuginfo);

/* ---- objects.c ---- */

/** Open a program or library with DWARF, or its file of debug symbols. */
struct error *open_object_dwarf(struct debuginfo *debuginfo, bool *found);
/** Open the file of debug symbols with debuginfo->build_id, which becomes the named file. */
struct error *open_build_id(struct debuginfo *debuginfo, bool *found);

/* ---- debuginfod.c ---- */

struct error *open_debuginfod(struct debuginfo *debuginfo, bool *found);

#endif
