/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening debuginfo: the sources in their order (source.c), those that are files (files.c), and servers (debuginfod.c).
 */
#ifndef SPILE_DEBUGINFO_SOURCES_SOURCES_H
#define SPILE_DEBUGINFO_SOURCES_SOURCES_H

#include "translator/debuginfo/object/object.h"

/** Open the first source that has something. */
struct error *source_open(struct debuginfo *debuginfo);
/** BTF alone, if the user does not exclude it. Not found is no error. */
struct error *source_open_btf(struct debuginfo *debuginfo, bool *found);
/**
 * Open a program, a library or an object file: DWARF in it, in the file that belongs to it, or from debuginfod; else
 * symbols, unless @p must_have_dwarf.
 */
struct error *source_open_object(struct debuginfo *debuginfo, bool must_have_dwarf);
/** Open the BTF of the same kernel beside what is open: debuginfo->by_btf. Not found is no error. */
struct error *debuginfo_open_btf(struct debuginfo *debuginfo, bool *found);

/* ---- files.c ---- */

/** The sources that are ELF files: DWARF in vmlinux or the module's files; anything in them, or in the boot image. */
struct error *open_dwarf(struct debuginfo *debuginfo, bool *found);
struct error *open_symbols(struct debuginfo *debuginfo, bool *found);
struct error *open_btf(struct debuginfo *debuginfo, bool *found);
/** The file of a program, library or object file itself, whatever it has. */
struct error *open_object_file(struct debuginfo *debuginfo, bool *found);
/** Open debuginfo->debug, and check that it is a whole file of the right kind. */
struct error *open_elf(struct debuginfo *debuginfo);
bool has_dwarf(Elf *elf);
/**
 * An error for DWARF that is there and cannot be read, with what would help: without this, less would be known for no
 * reason that anybody could see.
 */
struct error *check_dwarf(const struct debuginfo *debuginfo);
void object_file_close(struct object_file *file);
/** Open a file that was found elsewhere, whose DWARF must be there. */
struct error *open_dwarf_file(struct debuginfo *debuginfo, const char *path);
/** Forget a file that was opened in vain. */
void close_file(struct debuginfo *debuginfo);

/* ---- objects.c ---- */

/** The file of a program or library, or the file of debug symbols that belongs to it. */
struct error *open_object_dwarf(struct debuginfo *debuginfo, bool *found);

/* ---- debuginfod.c ---- */

struct error *open_debuginfod(struct debuginfo *debuginfo, bool *found);

#endif
