/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of debuginfo/ share: struct debuginfo, the source that it was opened from, and its addresses.
 * Nothing outside of debuginfo/ includes this or another header of its folders.
 *
 * Two address spaces occur. "Public" addresses are those of debuginfo.h: link-time for vmlinux, section + offset for
 * a module. "Dwarf" addresses are what the DWARF of an opened file holds: the same for vmlinux; for a module libdwfl
 * lays the sections out one after the other, relocates the DWARF to that and `struct section` translates.
 */
#ifndef SPILE_DEBUGINFO_OBJECT_OBJECT_H
#define SPILE_DEBUGINFO_OBJECT_OBJECT_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <glib.h>

#include "translator/debuginfo/debuginfo.h"
#include "translator/debuginfo/object/elf.h"

/* An allocated section of the file, numbered as in the index: 0 is "no section" (all of vmlinux). */
struct section {
	const char *name;
	uint64_t base; /* where libdwfl put it (module) or its link-time address (vmlinux) */
	uint64_t size;
};

/* A part of a program's or library's file that processes map. */
struct segment {
	uint64_t address, offset, size; /* `size` in the file */
	bool is_code, is_writable;
};

struct index;
struct btf;
struct digest;
struct image;
struct mini;
struct parts;

/* How to get answers out of one format of debuginfo. What a format does not know is NULL (debuginfo_require()). */
struct reader_operations {
	unsigned int knows; /* enum knowledge */
	bool is_dwarf; /* its index is made of DWARF, not of symbols */
	/**
	 * Number of a function's type by its name, 0 if there is none: for formats that know functions by name alone.
	 */
	uint32_t (*function_type)(struct debuginfo *debuginfo, const char *name);
	struct error *(*variables)(const struct function *function, uint64_t pc, bool parameters, bool locals,
				   GPtrArray *ret);
	struct error *(*find_variable)(const struct function *function, uint64_t pc, const char *name,
				       const struct variable **ret);
	struct error *(*file_variables)(const struct function *function, GPtrArray *ret);
	struct error *(*result_type)(const struct function *function, struct type **ret);
	struct error *(*find_global)(struct debuginfo *debuginfo, const char *name, const char *file,
				     const struct variable **ret);
	/** A type by name without pointers, NULL if there is none. */
	struct error *(*find_type)(struct debuginfo *debuginfo, const char *name, struct type **ret);
	/** Names of types (const char *) without their keywords, for suggestions; some more than once. */
	struct error *(*type_names)(struct debuginfo *debuginfo, GPtrArray *ret);
	struct error *(*members)(struct type *type, const GPtrArray **ret);
	struct error *(*enumerators)(struct type *type, const GPtrArray **ret);
	struct error *(*find_enumerator)(struct debuginfo *debuginfo, const char *name, int64_t *ret, bool *found);
	struct error *(*statements)(struct debuginfo *debuginfo, const struct statement_query *query, GPtrArray *ret);
	struct error *(*statement_at)(struct debuginfo *debuginfo, struct address address, struct statement_place *ret);
	struct error *(*labels)(const struct function *function, const char *pattern, GPtrArray *ret);
	struct error *(*callees)(const struct function *function, const char *pattern, GPtrArray *ret);
	struct error *(*caller_frame)(struct debuginfo *debuginfo, struct address pc, const struct frame *frame,
				      struct frame *ret);
};

/* Where debuginfo may come from (sources/source.c has them in their order). */
struct source {
	const char *name; /* as in $SPILE_DEBUGINFO_SOURCES */
	const char *title; /* for users */
	const char *index_suffix; /* the same kernel has an index for each kind of source */
	const struct reader_operations *reader;
	/** Opens it; *found says whether there was something. An error is for what is there and no good. */
	struct error *(*open)(struct debuginfo *debuginfo, bool *found);
	/* What only some have is NULL in the others. */
	void (*close)(struct debuginfo *debuginfo);
	/** The index, if it need not be made. */
	struct error *(*index)(struct debuginfo *debuginfo, struct index **ret);
	/** An ELF file in memory with the DWARF. */
	struct error *(*dwarf)(struct debuginfo *debuginfo, Elf **ret);
	/** Before a section of the DWARF that few ask for is read: ".debug_line", ".debug_frame". */
	void (*provide)(struct debuginfo *debuginfo, const char *section);
	/** The system of a tracepoint, NULL if it is not known. */
	const char *(*tracepoint_system)(struct debuginfo *debuginfo, const char *name);
};

/* One of an object's files. */
struct object_file {
	const char *path;
	int fd;
	Elf *elf; /* never relocated */
};

struct debuginfo {
	struct arena *arena;
	struct target_kernel kernel;
	struct debuginfo_search search;
	enum object_kind kind;
	enum memory_space memory; /* that the object is in, and what its types are of */
	const char *name; /* "kernel", the module's name with '_', or what messages call a file */
	const char *named_file; /* the path that it was asked for by, or NULL */
	const char *build_id;
	const struct source *source;
	struct object_file
		/* that debuginfo is read from; no ELF file if the source is BTF or symbols of a running kernel */
		debug;
	struct object_file
		code; /* that has the code; opened by debuginfo_code() only; its path is NULL if it is not there */
	const char *index_key; /* made when first needed (index/build.c) */
	const struct user_object *object; /* of an OBJECT_EXECUTABLE or OBJECT_LIBRARY */
	GArray *segments; /* struct segment of it, by address */
	GArray *restartable; /* what restartable.c has read; NULL: nothing yet */
	struct digest *digest; /* of the source of that name */
	struct mini *mini; /* what .gnu_debugdata holds, opened when first needed (mini.c) */
	struct image *image; /* what debug.elf reads, if that is no file */
	const char *symbol_file; /* text like System.map, for a debug.elf without symbols; or NULL */
	struct btf *btf, *base_btf; /* of the source BTF; the kernel's, in a module */
	GHashTable *btf_functions; /* name -> number; made when first needed */
	GArray *sections; /* struct section */
	/* Opened when first needed (debuginfo_dwarf). */
	Dwfl *dwfl; /* modules only */
	Dwarf *dwarf;
	struct parts *parts; /* all files of the DWARF (parts.c) */
	int split_fd; /* of the file that `dwarf` reads, if split.c has brought its units; else 0 */
	Dwarf_CFI *cfi;
	bool cfi_tried;
	bool cfi_is_own; /* .eh_frame's, to be ended by us; .debug_frame's belongs to `dwarf` */
	Dwarf_CFI *code_cfi; /* .eh_frame's of a program or library, for code that `cfi` does not have */
	/* Opened when first needed (debuginfo_index). */
	struct index *index;
	struct debuginfo *by_btf; /* of the same kernel, for debuginfo_tracepoint_names() */
	struct function **functions; /* by number in the index, made when first asked for */
	GArray *by_address; /* of real functions (index/functions.c), made when first needed */
	/* The keys are addresses of DIEs, or numbers of BTF types. */
	GHashTable *types; /* -> struct type */
	GHashTable *members; /* -> GPtrArray of struct member */
	GHashTable *enumerators; /* -> GPtrArray of struct enumerator */
	GHashTable *passings; /* of parameters that some call names -> GPtrArray of struct passing (callers.c) */
	GHashTable *passing_units; /* whose calls are in `passings` */
	struct type *void_type;
};

/** Are its addresses offsets in sections? */
bool debuginfo_has_sections(const struct debuginfo *debuginfo);
/** The ELF file that has the object's code, also if its debuginfo is in another one; NULL if it is not there. */
Elf *debuginfo_code(struct debuginfo *debuginfo);
/** debuginfo_require(), and that there is debuginfo of this function: some are known by their symbols alone. */
struct error *function_require(const struct function *function, unsigned int wanted);
struct error *debuginfo_malformed(const struct debuginfo *debuginfo, const char *detail);
/** The bytes of vmlinux that will lie at [start, end) in memory; empty if they are not all in one section of it. */
struct span image_bytes(const struct debuginfo *debuginfo, uint64_t start, uint64_t end);
/** Have the source uncompress a section of the DWARF that it keeps back until it is wanted. */
void debuginfo_provide(struct debuginfo *debuginfo, const char *section);

/* ---- addresses.c ---- */

/** Number the allocated sections of a file. */
void debuginfo_read_sections(struct debuginfo *debuginfo, Elf *elf);
uint64_t debuginfo_dwarf_address(const struct debuginfo *debuginfo, struct address address);
struct address debuginfo_public_address(const struct debuginfo *debuginfo, uint64_t dwarf_address);
/** Number of the section that holds a dwarf address: 0 unless addresses are in sections; -1 if none does. */
int debuginfo_section_of(const struct debuginfo *debuginfo, uint64_t dwarf_address);
/** Number of a module's section by name, -1 if there is none. */
int debuginfo_section_number(const struct debuginfo *debuginfo, const char *name);
const char *debuginfo_section_name(const struct debuginfo *debuginfo, unsigned int number);
/** Is the link-time address an offset into the per-CPU area (vmlinux) or in a module's .data..percpu? */
bool debuginfo_is_percpu(const struct debuginfo *debuginfo, uint64_t dwarf_address);

#endif
