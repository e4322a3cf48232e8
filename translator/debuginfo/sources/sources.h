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
 * Open a file that is wanted for its types: DWARF in it, in the file that belongs to it, or from debuginfod.
 */
struct error *source_open_types(struct debuginfo *debuginfo);
/** Open the BTF of the same kernel beside what is open: debuginfo->by_btf. Not found is no error. */
struct error *debuginfo_open_btf(struct debuginfo *debuginfo, bool *found);

/* ---- files.c ---- */

/** The sources that are ELF files: DWARF in vmlinux or the module's files; anything in them, or in the boot image. */
struct error *open_dwarf(struct debuginfo *debuginfo, bool *found);
struct error *open_symbols(struct debuginfo *debuginfo, bool *found);
struct error *open_btf(struct debuginfo *debuginfo, bool *found);
struct error *open_types(struct debuginfo *debuginfo, bool *found);
/** Open a file that was found elsewhere, whose DWARF must be there. */
struct error *open_dwarf_file(struct debuginfo *debuginfo, const char *path);
/** Forget a file that was opened in vain. */
void close_file(struct debuginfo *debuginfo);

/* ---- debuginfod.c ---- */

struct error *open_debuginfod(struct debuginfo *debuginfo, bool *found);

#endif
