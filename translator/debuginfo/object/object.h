/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations that the parts of debuginfo/ share: struct debuginfo, the source that it was opened from, and its
 * addresses. Nothing outside of debuginfo/ includes this header or one of its subdirectories.
 *
 * There are two address spaces. "Public" addresses are those of debuginfo.h: link-time for vmlinux, section + offset
 * for a module. "Dwarf" addresses are those in the DWARF of an opened file. For vmlinux both are the same. For a
 * module, libdwfl lays the sections out one after the other and relocates the DWARF to that; `struct section`
 * translates.
 */
#ifndef SPILE_DEBUGINFO_OBJECT_OBJECT_H
#define SPILE_DEBUGINFO_OBJECT_OBJECT_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <glib.h>

#include "common/elf/elf.h"
#include "translator/debuginfo/debuginfo.h"

/* An allocated section of the file, numbered as in the index. Number 0 means "no section" (all of vmlinux). */
struct section {
	const char *name;
	uint64_t base; /* address chosen by libdwfl (module) or link-time address (vmlinux) */
	uint64_t size;
};

/* A loadable segment of a program or library. */
struct segment {
	uint64_t address, offset, size; /* `size` in the file */
	bool is_code, is_writable;
};

struct code_map;
struct index;
struct btf;
struct digest;
struct image;
struct mini;
struct parts;

/* The queries that one format of debuginfo answers. Those that it cannot answer are NULL (see debuginfo_require()). */
struct reader_operations {
	unsigned int knows; /* enum knowledge */
	bool is_dwarf; /* its index is built from DWARF, not from symbols */
	/**
	 * Return the number of a function's type by its name, 0 if not found. Only for formats that know functions by
	 * name alone.
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
	/** Find a type by name, without pointers; NULL if not found. */
	struct error *(*find_type)(struct debuginfo *debuginfo, const char *name, struct type **ret);
	/**
	 * Return names of types (const char *) without keywords such as "struct", possibly repeated, for suggestions.
	 */
	struct error *(*type_names)(struct debuginfo *debuginfo, GPtrArray *ret);
	struct error *(*members)(struct type *type, const GPtrArray **ret);
	struct error *(*enumerators)(struct type *type, const GPtrArray **ret);
	struct error *(*find_enumerator)(struct debuginfo *debuginfo, const char *name, int64_t *ret, bool *found);
	struct error *(*statements)(struct debuginfo *debuginfo, const struct statement_query *query, GPtrArray *ret);
	struct error *(*statement_at)(struct debuginfo *debuginfo, struct address address, struct statement_place *ret);
	struct error *(*code_places)(struct debuginfo *debuginfo, struct address address, GArray *ret);
	struct error *(*labels)(const struct function *function, const char *pattern, GPtrArray *ret);
	struct error *(*callees)(const struct function *function, const char *pattern, GPtrArray *ret);
	struct error *(*caller_frame)(struct debuginfo *debuginfo, struct address pc, const struct frame *frame,
				      struct frame *ret);
};

/* A place from which debuginfo may come; sources/source.c lists them in order. */
struct source {
	const char *name; /* in $SPILE_DEBUGINFO_SOURCES */
	const char *title; /* in messages */
	const char *index_suffix; /* distinguishes the indexes that different sources give for one kernel */
	const struct reader_operations *reader;
	/**
	 * Open it and set *found if it has something. Return an error only for debuginfo that exists and is unusable.
	 */
	struct error *(*open)(struct debuginfo *debuginfo, bool *found);
	/* The following may be NULL. */
	void (*close)(struct debuginfo *debuginfo);
	/** Return an index that the source stores ready-made. */
	struct error *(*index)(struct debuginfo *debuginfo, struct index **ret);
	/** Return an ELF file in memory with the DWARF. */
	struct error *(*dwarf)(struct debuginfo *debuginfo, Elf **ret);
	/** Uncompress a rarely used section of the DWARF before it is read: ".debug_line", ".debug_frame". */
	void (*provide)(struct debuginfo *debuginfo, const char *section);
	/** Return the system of a tracepoint, NULL if it is not known. */
	const char *(*tracepoint_system)(struct debuginfo *debuginfo, const char *name);
};

/* An open file of the object. */
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
	enum memory_space memory; /* address space of the object and of objects of its types */
	const char *name; /* "kernel", the module's name with '_', or the name of a file in messages */
	const char *named_file; /* the path given by the caller, or NULL */
	const char *build_id;
	const struct source *source;
	struct object_file
		/* source of the debuginfo; no ELF file if it is BTF or symbols of a running kernel */
		debug;
	struct object_file code; /* has the code; opened by debuginfo_code() only; its path is NULL if not found */
	const char *index_key; /* computed on first use (index/build.c) */
	const struct user_object *object; /* of an OBJECT_EXECUTABLE or OBJECT_LIBRARY */
	GArray *segments; /* struct segment of `object`, by address */
	GArray *restartable; /* of restartable.c, read on first use */
	GHashTable *thread_symbols; /* of threads.c, read on first use */
	struct digest *digest; /* of the source "digest" */
	struct mini *mini; /* of mini.c, opened on first use */
	struct image *image; /* memory that debug.elf reads, if it is not a file */
	const char *symbol_file; /* a System.map or kallsyms, for a debug.elf without symbols; or NULL */
	struct btf *btf, *base_btf; /* of the source "btf"; base_btf is the kernel's, for a module */
	GHashTable *btf_functions; /* name -> number; built on first use */
	GHashTable *start_pointers; /* of image_pointer(), built on first use */
	GArray *sections; /* struct section */
	/* Opened on first use by debuginfo_dwarf(). */
	Dwfl *dwfl; /* modules only */
	Dwarf *dwarf;
	struct parts *parts; /* all files of the DWARF (parts.c) */
	struct code_map *code_map; /* of debuginfo_code_places(); built on first use */
	int split_fd; /* of the file that `dwarf` reads, if split.c has made it; else 0 */
	Dwarf_CFI *cfi;
	bool cfi_tried;
	bool cfi_is_own; /* from .eh_frame, so dwarf_close() ends it; that of .debug_frame belongs to `dwarf` */
	Dwarf_CFI *code_cfi; /* from .eh_frame of a program or library, for code that `cfi` does not cover */
	/* Opened on first use by debuginfo_index(). */
	struct index *index;
	struct debuginfo *by_btf; /* BTF of the same kernel, for debuginfo_tracepoint_names() */
	struct function **functions; /* by number in the index, each made on first use */
	GArray *by_address; /* real functions (index/functions.c), built on first use */
	/* Keyed by the address of a DIE, or by the number of a BTF type. */
	GHashTable *types; /* -> struct type */
	GHashTable *members; /* -> GPtrArray of struct member */
	GHashTable *enumerators; /* -> GPtrArray of struct enumerator */
	/* parameter that some call describes -> GPtrArray of struct passing (location/callers.c) */
	GHashTable *call_arguments;
	GHashTable *passing_units; /* units whose calls are in `call_arguments` */
	struct type *void_type;
};

/** Are its addresses offsets in sections? */
bool debuginfo_has_sections(const struct debuginfo *debuginfo);
/** Return the ELF file with the object's code, even if its debuginfo is in another file; NULL if not found. */
Elf *debuginfo_code(struct debuginfo *debuginfo);
/** Like debuginfo_require(), and check that the debuginfo covers this function: some have only a symbol. */
struct error *function_require(const struct function *function, unsigned int wanted);
struct error *debuginfo_malformed(const struct debuginfo *debuginfo, const char *detail);
/** Return the bytes of vmlinux that will be at [start, end) in memory; empty if one section does not hold them all. */
struct span image_bytes(const struct debuginfo *debuginfo, uint64_t start, uint64_t end);
/** Return the pointer that will be at an address of vmlinux, not moved by KASLR; 0 if it is not known. */
uint64_t image_pointer(struct debuginfo *debuginfo, uint64_t address);
/** Let the source uncompress a section of the DWARF that it does not uncompress on opening. */
void debuginfo_provide(struct debuginfo *debuginfo, const char *section);

/* ---- addresses.c ---- */

/** Number the allocated sections of a file. */
void debuginfo_read_sections(struct debuginfo *debuginfo, Elf *elf);
uint64_t debuginfo_dwarf_address(const struct debuginfo *debuginfo, struct address address);
struct address debuginfo_public_address(const struct debuginfo *debuginfo, uint64_t dwarf_address);
/**
 * Return the number of the section that holds a dwarf address: 0 unless addresses are in sections, -1 if no section
 * does.
 */
int debuginfo_section_of(const struct debuginfo *debuginfo, uint64_t dwarf_address);
/** Return the number of a module's section by name, -1 if not found. */
int debuginfo_section_number(const struct debuginfo *debuginfo, const char *name);
const char *debuginfo_section_name(const struct debuginfo *debuginfo, unsigned int number);
/** Is the link-time address an offset into the per-CPU area (vmlinux) or in a module's .data..percpu? */
bool debuginfo_is_percpu(const struct debuginfo *debuginfo, uint64_t dwarf_address);

#endif
