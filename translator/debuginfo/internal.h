/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of debuginfo/ share. Nothing outside this folder includes it.
 *
 *   source.c        the sources of debuginfo, in their order, and what to say when one does not know something
 *   kernel.c        finds kernels, modules and their files on disk
 *   module.c        opens one file: checks, build-id, sections, the libdw handle
 *   image.c         the kernel's ELF file out of a boot image; kallsyms.c: symbols where there is no symbol table
 *   code.c          facts from the ELF side: symbols, ftrace call sites, exports
 *   reserved.c      code in which the kernel accepts no kprobe
 *   scan.c          walks .debug_info of one unit quickly and notes what the index wants
 *   line.c          file names of a unit, and how far a function's lines go
 *   index.c         gathers the notes into the index; index_file.c keeps it on disk
 *   digest_write.c  the digest; digest_reduce.c makes DWARF small, digest_read.c opens it
 *   expressions.c   DWARF expressions as bytes, for digest_reduce.c
 *   functions.c     function queries over the index
 *   callees.c       the calls of a function
 *   callers.c       what callers say of parameters that the compiler removed
 *   statements.c    line queries: the addresses where source lines begin
 *   variables.c     scopes; location.c: DWARF expressions to values; types.c; return_value.c
 *   frames.c        what a caller's registers are, from the call frame information
 *   location_text.c a location in words; source_text.c: where source files are on this machine
 *   btf.c           BTF: prototypes, variables; btf_types.c; type_names.c: what both kinds of types share
 *
 * Two address spaces occur. "Public" addresses are those of debuginfo.h: link-time for vmlinux, section + offset for
 * a module. "Dwarf" addresses are what the DWARF of an opened file holds: the same for vmlinux; for a module libdwfl
 * lays the sections out one after the other, relocates the DWARF to that and `struct section` translates.
 */
#ifndef SPILE_DEBUGINFO_INTERNAL_H
#define SPILE_DEBUGINFO_INTERNAL_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <glib.h>
#include <libelf.h>

#include "translator/debuginfo/debuginfo.h"

/* A run of bytes that somebody else owns. */
struct span {
	const uint8_t *data;
	size_t size;
};

/* An allocated section of the file, numbered as in the index: 0 is "no section" (all of vmlinux). */
struct section {
	const char *name;
	uint64_t base; /* where libdwfl put it (module) or its link-time address (vmlinux) */
	uint64_t size;
};

struct index;
struct btf;

/* How to get answers out of one format of debuginfo. What a format does not know is NULL (debuginfo_require()). */
struct reader_operations {
	unsigned int knows; /* enum knowledge */
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

/* Where debuginfo may come from. */
struct source {
	const char *name; /* as in $SPILE_DEBUGINFO_SOURCES */
	const char *title; /* for users */
	const char *index_suffix; /* the same kernel has an index for each kind of source */
	const struct reader_operations *reader;
	/** Opens it; *found says whether there was something. An error is for what is there and no good. */
	struct error *(*open)(struct debuginfo *debuginfo, bool *found);
};

struct debuginfo {
	struct arena *arena;
	struct target_kernel kernel;
	const char *module; /* "kernel" or the module's name, with '_' */
	bool is_kernel;
	bool is_types; /* opened for types only: a program or an object file, which need be no kernel module */
	bool is_user; /* with is_types: they are of things in user memory */
	uint64_t dwarf_sample; /* with is_types: index_dwarf_sample() as it was opened */
	const struct program *program; /* with is_user, unless it is an object file */
	const char *path; /* file with the DWARF */
	const char *code_path; /* file with the code: the same for vmlinux, the .ko for a module, NULL if not there */
	const char *named_file; /* the path that the module was asked for by, or NULL */
	const char *cache_folder;
	const char *build_id;
	const struct source *source;
	int fd;
	Elf *elf; /* of `path`, never relocated; may be NULL if the source is BTF or symbols */
	struct digest *digest; /* of the source of that name */
	struct image *image; /* what `elf` reads, if that is no file */
	const char *symbol_file; /* text like System.map, for an `elf` without symbols; or NULL */
	struct btf *btf, *base_btf; /* of the source BTF; the kernel's, in a module */
	GHashTable *btf_functions; /* name -> number; made when first needed */
	GArray *sections; /* struct section */
	/* Opened when first needed (debuginfo_dwarf). */
	Dwfl *dwfl; /* modules only */
	Dwarf *dwarf;
	Dwarf_CFI *cfi;
	bool cfi_tried;
	bool cfi_is_own; /* .eh_frame's, to be ended by us; .debug_frame's belongs to `dwarf` */
	/* Opened when first needed (debuginfo_index). */
	struct index *index;
	struct debuginfo *by_btf; /* of the same kernel, for debuginfo_tracepoint_names() */
	struct function **functions; /* by number in the index, made when first asked for */
	/* The keys are addresses of DIEs, or numbers of BTF types. */
	GHashTable *types; /* -> struct type */
	GHashTable *members; /* -> GPtrArray of struct member */
	GHashTable *enumerators; /* -> GPtrArray of struct enumerator */
	GHashTable *passings; /* of parameters that some call names -> GPtrArray of struct passing (callers.c) */
	GHashTable *passing_units; /* whose calls are in `passings` */
	struct type *void_type;
};

/* ---- source.c ---- */

extern const struct reader_operations dwarf_reader, btf_reader, symbols_reader;

/** Open the first source that has something. */
struct error *source_open(struct debuginfo *debuginfo);
/** BTF alone, if the user does not exclude it. Not found is no error. */
struct error *source_open_btf(struct debuginfo *debuginfo, bool *found);
/** The same for a file that is wanted for its types: DWARF in it, in the file that belongs to it, or from debuginfod. */
struct error *source_open_types(struct debuginfo *debuginfo);

/* ---- module.c ---- */

/** The sources that are ELF files: DWARF in vmlinux or the module's files; anything in them, or in the boot image. */
struct error *open_dwarf(struct debuginfo *debuginfo, bool *found);
struct error *open_symbols(struct debuginfo *debuginfo, bool *found);
struct error *open_types(struct debuginfo *debuginfo, bool *found);
/** The same from a file that was found elsewhere, whose DWARF must be there. */
struct error *open_dwarf_file(struct debuginfo *debuginfo, const char *path);
/** Forget a file that was opened in vain. */
void close_file(struct debuginfo *debuginfo);

/** Open the BTF of the same kernel beside what is open: debuginfo->by_btf. Not found is no error. */
struct error *debuginfo_open_btf(struct debuginfo *debuginfo, bool *found);
/** The libdw handle, relocated for a module. */
struct error *debuginfo_dwarf(struct debuginfo *debuginfo, Dwarf **ret);
/** A second handle on the kernel's file for another thread; the caller ends it with dwarf_end(). NULL on failure. */
Dwarf *debuginfo_second_dwarf(const struct debuginfo *debuginfo);
uint64_t debuginfo_dwarf_address(const struct debuginfo *debuginfo, struct address address);
struct address debuginfo_public_address(const struct debuginfo *debuginfo, uint64_t dwarf_address);
/** Number of the section that holds a dwarf address: 0 for vmlinux; -1 if no section of a module does. */
int debuginfo_section_of(const struct debuginfo *debuginfo, uint64_t dwarf_address);
/** Number of a module's section by name, -1 if there is none. */
int debuginfo_section_number(const struct debuginfo *debuginfo, const char *name);
const char *debuginfo_section_name(const struct debuginfo *debuginfo, unsigned int number);
/** Is the link-time address an offset into the per-CPU area (vmlinux) or in a module's .data..percpu? */
bool debuginfo_is_percpu(const struct debuginfo *debuginfo, uint64_t dwarf_address);
struct error *debuginfo_malformed(const struct debuginfo *debuginfo, const char *detail);
struct span elf_section_span(Elf *elf, const char *name);
/** The bytes of vmlinux that will lie at [start, end) in memory; empty if they are not all in one section of it. */
struct span image_bytes(const struct debuginfo *debuginfo, uint64_t start, uint64_t end);
Elf_Scn *elf_section_by_name(Elf *elf, const char *name, GElf_Shdr *header);
/** Build-id as lower-case hex, or NULL. */
char *elf_build_id(Elf *elf);
/** The same of a file, which may be compressed. */
char *elf_file_build_id(const char *path);
/** Number the allocated sections of a file. */
void debuginfo_read_sections(struct debuginfo *debuginfo, Elf *elf);
/** The same out of notes, as in /sys/kernel/notes. */
char *notes_build_id(const void *notes, size_t size);

/* ---- kernel.c ---- */

/** Files of a module of the kernel; either may be NULL if it is not there. */
void kernel_module_files(const struct target_kernel *kernel, struct arena *arena, const char *module, const char **code,
			 const char **debug);

/** Is the kernel of this root the one that runs there? Then /proc and /sys of the root speak of it. */
bool kernel_is_running(const struct target_kernel *kernel);

/* ---- debuginfod.c ---- */

struct error *open_debuginfod(struct debuginfo *debuginfo, bool *found);

/* ---- image.c ---- */

/** The ELF file in a bzImage; *ret is NULL if it cannot be read out. The caller frees both, the ELF handle first. */
Elf *image_open(const char *path, struct image **ret);
void image_free(struct image *image);

/* ---- kallsyms.c ---- */

/* Takes a symbol: its address, its letter as nm has it, and a name that lives as long as the debuginfo. */
typedef void take_symbol(void *data, uint64_t value, char letter, const char *name);

/** The symbols in the kallsyms tables of a kernel's ELF file; false if they were not found. */
bool kallsyms_read(const struct debuginfo *debuginfo, take_symbol *take, void *data);
/** The symbols of a System.map, or of /proc/kallsyms with the addresses taken back to where they were linked. */
bool symbol_file_read(const struct debuginfo *debuginfo, const char *path, take_symbol *take, void *data);

/* ---- btf.c ---- */

struct error *open_btf(struct debuginfo *debuginfo, bool *found);
void btf_close(struct debuginfo *debuginfo);
/** Number of a function's type by name, 0 if there is none. */
uint32_t btf_function(struct debuginfo *debuginfo, const char *name);
struct error *btf_variables(const struct function *function, uint64_t pc, bool parameters, bool locals, GPtrArray *ret);
struct error *btf_find_variable(const struct function *function, uint64_t pc, const char *name,
				const struct variable **ret);
struct error *btf_result_type(const struct function *function, struct type **ret);
struct error *btf_find_global(struct debuginfo *debuginfo, const char *name, const char *file,
			      const struct variable **ret);

/* ---- btf_types.c ---- */

struct type *btf_make_type(struct debuginfo *debuginfo, uint32_t id);
struct error *btf_find_enumerator(struct debuginfo *debuginfo, const char *name, int64_t *ret, bool *found);
struct error *btf_find_type(struct debuginfo *debuginfo, const char *name, struct type **ret);
struct error *btf_struct_members(struct type *type, const GPtrArray **ret);
struct error *btf_enum_values(struct type *type, const GPtrArray **ret);

/* ---- code.c ---- */

struct code; /* what the ELF side says, for building the index */

struct code_symbol {
	const char *name;
	uint64_t value; /* offset in `section` for a module */
	uint64_t size; /* bytes, 0 if not known */
	uint16_t section; /* number as in struct debuginfo */
	uint8_t rank; /* higher: the better name for an address */
	bool is_function;
	bool is_global;
};

struct code *code_read(const struct debuginfo *debuginfo);
void code_free(struct code *code);
const GArray *code_symbols(const struct code *code); /* struct code_symbol by section, value, best first */
/** Best symbol at an address; one called @p name if there is one. NULL if there is none. */
const char *code_symbol_at(const struct code *code, unsigned int section, uint64_t value, const char *name);
/** Distance of the ftrace call site from the entry, or -1. */
int code_fentry(const struct code *code, unsigned int section, uint64_t entry);
bool code_exported(const struct code *code, const char *name);
bool code_is_init(const struct code *code, unsigned int section, uint64_t value);
/** Code in which no probe may stand: struct index_range, sorted and without overlaps (reserved.c). */
const GArray *code_reserved(const struct code *code);
/** A symbol's value, by a look at all of them. */
bool code_symbol_value(const struct code *code, const char *name, uint64_t *value);
/** Section number of a symbol; -1 if it is in no allocated section (undefined, absolute, debugging). */
int code_symbol_section(const struct code *code, const GElf_Sym *symbol);
/** image_bytes() of the file that this was read from. */
struct span code_bytes(const struct code *code, uint64_t start, uint64_t end);
/** All of a section of vmlinux, and its address. */
struct span code_section(const struct code *code, const char *name, uint64_t *start);
/** Were the call sites known when this was read? Otherwise an index made of it must not be kept. */
bool code_complete(const struct code *code);

/* ---- reserved.c: where the kernel accepts no kprobe ---- */

struct index_range;

void reserved_add_kernel(const struct code *code, GArray *ranges);
void reserved_add_module(const struct code *code, const struct debuginfo *debuginfo, Elf *elf, GArray *ranges);
/** All of the functions named, with the parts that the compiler split off (name.cold). */
void reserved_add_functions(const struct code *code, GHashTable *names, GArray *ranges);
/** Sort and join. */
void reserved_sort(GArray *ranges);
bool reserved_contains(const struct index_range *ranges, uint64_t count, unsigned int section, uint64_t value);

/* ---- scan.c ---- */

#define NO_RECORD UINT32_MAX

struct scan_function {
	const char *name; /* points into the DWARF's strings */
	const char *file; /* from the name table of line.c */
	uint64_t entry; /* dwarf address */
	uint64_t die;
	uint64_t origin; /* DIE that says the name: the abstract instance, or the function itself */
	uint32_t size;
	uint32_t line;
	uint32_t container; /* index of a scan_function, NO_RECORD for a real function */
	bool is_external;
};

struct scan_type {
	const char *name;
	uint64_t die;
	uint16_t tag;
};

struct scan_variable {
	const char *name;
	const char *file;
	uint64_t die;
	bool is_external;
	bool is_declaration;
};

struct scan_sections {
	struct span info, abbrev, str, line_str, line, addr, str_offsets;
};

/* Names of source files, one copy each, shared by the threads that scan. */
struct file_names;

/* Notes of one scanning thread. */
struct scan {
	Dwarf *dwarf;
	struct scan_sections sections;
	struct file_names *files;
	GArray *functions; /* struct scan_function */
	GArray *types; /* struct scan_type, without repetitions by (tag, name pointer) */
	GArray *variables; /* struct scan_variable */
	GHashTable *seen_types;
	GHashTable *declared; /* name pointers of variables */
	GStringChunk *names; /* those with "scope::" before them, each once */
	/* Scratch of the current unit. */
	GArray *abbrevs, *attributes, *subprograms, *unit_variables, *stack;
	GArray *scopes; /* const char *, beside `stack`: what is before names there; NULL: they are of no interest */
	unsigned int units, bad_units;
};

/** Is it a language (DW_LANG_…) with names inside of names, "a::b"? */
bool language_has_scopes(int language);
struct scan_sections scan_find_sections(Dwarf *dwarf);
void scan_init(struct scan *scan, Dwarf *dwarf, struct file_names *files);
void scan_clear(struct scan *scan);
/** Note the functions, types and variables of the unit that starts at @p offset of .debug_info. */
void scan_unit(struct scan *scan, uint64_t offset);
/** Offsets of all units (uint64_t). */
GArray *scan_list_units(const struct scan_sections *sections);
/** Offset behind a unit, 0 if its header is malformed. */
uint64_t scan_next_unit(const struct scan_sections *sections, uint64_t offset);

/* ---- expressions.c ---- */

/* Where a DIE has gone: offsets in .debug_info, or in the unit whose expression it is. */
typedef uint32_t move_die(const void *data, uint32_t offset, bool is_in_unit);

/** Change the references to DIEs in a DWARF expression, or in a list at an offset of .debug_loclists or .debug_loc. */
void expression_move_dies(void *expression, size_t size, move_die *move, const void *data);
void location_list_move_dies(void *lists, size_t size, uint64_t offset, move_die *move, const void *data);
void old_location_list_move_dies(void *lists, size_t size, uint64_t offset, move_die *move, const void *data);

/* ---- digest_reduce.c ---- */

/* What refers to DIEs, or is changed with them: .debug_info and so on. */
struct reduced_sections {
	GByteArray *info, *abbrev, *loclists, *loc;
};

/**
 * .debug_info and .debug_abbrev without repetitions, and the lists of locations with what refers to them, appended to @p to;
 * the index is made to fit them.
 */
struct error *dwarf_reduce(struct debuginfo *debuginfo, Dwarf *dwarf, struct index *index,
			   const struct reduced_sections *to);

/* ---- digest_write.c and digest_read.c ---- */

struct digest;

struct error *open_digest(struct debuginfo *debuginfo, bool *found);
void digest_close(struct debuginfo *debuginfo);
/** The index that is in the digest. */
struct error *digest_index(struct debuginfo *debuginfo, struct index **ret);
/** An ELF file in memory with the DWARF. */
struct error *digest_dwarf(struct debuginfo *debuginfo, Elf **ret);
/** Before a section of the DWARF that few ask for is read: ".debug_line", ".debug_frame". */
void digest_provide(struct debuginfo *debuginfo, const char *name);
/** The system of a tracepoint, NULL if it is not known. */
const char *digest_tracepoint_system(struct debuginfo *debuginfo, const char *name);

/* ---- bytes.c: bounded reading ---- */

struct reader {
	const uint8_t *position, *end;
	bool bad; /* something was read past the end */
};

uint64_t read_unsigned(struct reader *reader, unsigned int size);
uint64_t read_uleb(struct reader *reader);
int64_t read_sleb(struct reader *reader);
void read_skip(struct reader *reader, uint64_t size);
const char *read_string(struct reader *reader);
/** A string at an offset of a string section, NULL if it is not wholly inside. */
const char *span_string(struct span span, uint64_t offset);

/* ---- line.c ---- */

struct file_names *file_names_new(void);
void file_names_free(struct file_names *names);
/** Names of the files of a unit (const char *, indexed as DW_AT_decl_file), normalised and shared. */
GPtrArray *line_files(const struct scan_sections *sections, struct file_names *names, uint64_t line_offset,
		      const char *comp_dir, const char *unit_name, unsigned int offset_size);
/** Does a path match the pattern of a query at its tail ("fs/r*.c", "read_write.c")? */
bool file_matches(const char *path, const char *pattern);
/** "./", the build folder and the source folder taken off; the caller frees. */
char *file_normalise(const char *path, const char *comp_dir);

/* ---- index.c and index_file.c ---- */

enum index_flags {
	INDEX_INLINED = 1,
	INDEX_EXTERNAL = 2,
	INDEX_EXPORTED = 4,
	INDEX_INIT = 8,
	INDEX_NOT_PROBEABLE = 16,
	INDEX_FENTRY = 32,
};

/* Sorted by name, section, entry. Numbers not strings stand for files, sections and containers. */
struct index_function {
	uint64_t entry;
	uint32_t name;
	uint32_t die;
	uint32_t file;
	uint32_t line;
	uint32_t size;
	uint32_t container; /* number of the real function, NO_RECORD if this is one */
	uint32_t symbol; /* string, 0: none */
	uint16_t section;
	uint8_t flags;
	uint8_t fentry; /* distance from the entry */
};

struct index_type { /* sorted by name, then tag */
	uint32_t name;
	uint32_t tag;
	uint64_t die;
};

struct index_variable { /* sorted by name, then flags, then DIE: declarations stand behind definitions */
	uint32_t name;
	uint32_t file;
	uint32_t die;
	uint32_t flags;
};

enum index_variable_flags { VARIABLE_EXTERNAL = 1, VARIABLE_DECLARATION = 2 };

struct index_symbol { /* sorted by name, the one to prefer first */
	uint32_t name;
	uint32_t section;
	uint64_t value;
};

struct index_range { /* code that cannot be probed; sorted by section, then start */
	uint64_t start;
	uint32_t size;
	uint32_t section;
};

/* Where the tables are; points into the mapped file or into memory just built. */
struct index {
	const struct index_function *functions;
	const struct index_type *types;
	const struct index_variable *variables;
	const struct index_symbol *symbols;
	const struct index_range *reserved;
	const uint32_t *files; /* strings */
	const char *strings;
	uint64_t function_count, type_count, variable_count, symbol_count, reserved_count, file_count, string_size;
	void *memory; /* header and tables */
	size_t memory_size;
	bool is_mapped;
};

/** The index, loaded or built. */
struct error *debuginfo_index(struct debuginfo *debuginfo, struct index **ret);
/** Is it there, or in the cache, or will debuginfo_index() have to make it? */
bool debuginfo_has_index(struct debuginfo *debuginfo);
const char *index_string(const struct index *index, uint32_t offset);
const char *index_file_name(const struct index *index, uint32_t number);
/** First number in functions/types/variables/symbols whose name is not less than @p name. */
uint64_t index_find_function(const struct index *index, const char *name);
/**
 * Copies of a program have its build-id, and not always its DWARF: dwz and objcopy move what they leave. A hash of some of
 * the bytes tells. Those of kernels come from packages as they were built.
 */
uint64_t index_dwarf_sample(Elf *elf);
uint64_t index_find_type(const struct index *index, const char *name);
uint64_t index_find_variable(const struct index *index, const char *name);
uint64_t index_find_symbol(const struct index *index, const char *name);

/** Put tables together into one image. Takes the arrays' contents, not the arrays. */
struct index *index_assemble(const char *build_id, const GArray *functions, const GArray *types,
			     const GArray *variables, const GArray *symbols, const GArray *reserved,
			     const GArray *files, const GByteArray *strings);
/* The key is the build-id, with a suffix if the index is not that of the DWARF; in it stands the key it was assembled by. */
struct index *index_load(const char *folder, const char *key, const char *assembled_key);
void index_save(const struct index *index, const char *folder, const char *key);
void index_free(struct index *index);
/** A copy to be changed, to be sealed afterwards. */
struct index *index_copy(const struct index *index);
void index_seal(struct index *index);
/** An index in memory made by g_malloc(), which it takes; NULL if it is malformed. */
struct index *index_of_memory(void *memory, size_t size, const char *key);

/* ---- functions.c ---- */

/** Does the function's code have a line of the file @p path that is @p line or a later one? (line.c) */
bool line_is_reached(struct debuginfo *debuginfo, const struct index_function *function, const char *path, int line);
const struct function *function_get(struct debuginfo *debuginfo, uint32_t number);
bool function_die(const struct function *function, Dwarf_Die *ret);

/* ---- variables.c ---- */

struct error *dwarf_variables(const struct function *function, uint64_t pc, bool parameters, bool locals,
			      GPtrArray *ret);
struct error *dwarf_find_variable(const struct function *function, uint64_t pc, const char *name,
				  const struct variable **ret);
struct error *dwarf_file_variables(const struct function *function, GPtrArray *ret);
struct error *dwarf_result_type(const struct function *function, struct type **ret);
struct error *dwarf_find_global(struct debuginfo *debuginfo, const char *name, const char *file,
				const struct variable **ret);

/** The DIE at the end of the chain of abstract origins: the same for a variable or function and all its instances. */
void abstract_die(Dwarf_Die *die, Dwarf_Die *ret);

/* ---- callees.c ---- */

struct error *dwarf_callees(const struct function *function, const char *pattern, GPtrArray *ret);

/* ---- callers.c ---- */

struct location_context;

/**
 * The value, as of the entry, of a parameter that the function around the pc does not have any more. Returns NULL or why it is not
 * known.
 */
const char *value_by_caller(const struct location_context *context, Dwarf_Die *parameter, struct value **ret);

/* ---- statements.c ---- */

struct error *dwarf_statements(struct debuginfo *debuginfo, const struct statement_query *query, GPtrArray *ret);
struct error *dwarf_statement_at(struct debuginfo *debuginfo, struct address address, struct statement_place *ret);
struct error *dwarf_labels(const struct function *function, const char *pattern, GPtrArray *ret);
/** Offset of the abstract instance that a DIE refers to, or its own. */
uint64_t die_origin(Dwarf_Die *die);

/* ---- location.c ---- */

/* What an expression may depend on besides memory. */
struct location_context {
	struct debuginfo *debuginfo;
	Dwarf_Die function; /* the real function around: owner of the frame base */
	uint64_t pc; /* dwarf address */
	uint64_t entry; /* dwarf address of the real function's entry */
	bool entry_is_probeable;
	int pointers; /* that led to the variable at hand */
	const struct frame *frame; /* whose registers are meant; NULL: those at the probe */
};

/** Set location, value and reason of @p variable from the DIE's DW_AT_location or DW_AT_const_value. */
void location_of(const struct location_context *context, Dwarf_Die *die, struct variable *variable);
/** Run an expression that is a value, not a place. Returns NULL or why that cannot be done. */
const char *location_run_value(const struct location_context *context, const Dwarf_Attribute *expression,
			       struct value **ret);
/** Run an expression that belongs to no DIE. Returns NULL or why that cannot be done. */
const char *location_run(const struct location_context *context, const Dwarf_Op *operations, size_t count,
			 struct value **ret, bool *is_address);
struct value *value_new(struct arena *arena, enum value_kind kind, uint64_t constant);
/** The same for a variable of more than 8 and up to 16 bytes in two registers. */
void location_of_registers(const struct debuginfo *debuginfo, unsigned int first, unsigned int second,
			   struct variable *variable);
/** The same for a variable that is known to lie at an address. */
void location_of_address(const struct debuginfo *debuginfo, uint64_t dwarf_address, struct variable *variable);

/* ---- program.c ---- */

/** What the named file says about its processes. */
const struct program *program_read(struct debuginfo *debuginfo);

/* ---- frames.c ---- */

/** The rules of the call frame at a dwarf address, to be freed; NULL if there are none. */
Dwarf_Frame *frame_rules(struct debuginfo *debuginfo, uint64_t pc);
struct error *dwarf_caller_frame(struct debuginfo *debuginfo, struct address pc, const struct frame *frame,
				 struct frame *ret);
/** The same for a location's pc and frame; false if the rules do not tell where the caller goes on, or its stack. */
bool frame_above(const struct location_context *context, struct frame *ret);

/* ---- types.c ---- */

/** The type of a DIE's DW_AT_type (void if it has none). Never NULL. */
struct type *type_of(struct debuginfo *debuginfo, Dwarf_Die *die);
struct type *type_from_die(struct debuginfo *debuginfo, Dwarf_Die *type_die);
struct error *dwarf_find_type(struct debuginfo *debuginfo, const char *name, struct type **ret);
struct error *dwarf_members(struct type *type, const GPtrArray **ret);
struct error *dwarf_find_enumerator(struct debuginfo *debuginfo, const char *name, int64_t *ret, bool *found);
struct error *dwarf_enumerators(struct type *type, const GPtrArray **ret);

/* ---- type_names.c ---- */

struct type *type_void(struct debuginfo *debuginfo);
/** Say where to load a bit-field that starts @p bit bits into its struct; member->bit_size is set. */
void member_place_bits(struct member *member, uint64_t bit);
/** The name that compilers give an integer type for any of C's spellings of it. */
const char *base_type_name(const char *name);
/** A name with no spaces but those between words, "box<int,4>": compilers differ there. The caller frees. */
char *scoped_spelling(const char *name);
/**
 * For a name that nothing has: the names (const char *) in a sorted table of the index that are it with "scope::" before it.
 * @p first is the first element's field with the offset of its name.
 */
void index_scoped_names(const struct index *index, const void *first, uint64_t count, size_t size, const char *name,
			GPtrArray *ret);
/** The error for several of them. */
struct error *scoped_names_error(const struct debuginfo *debuginfo, const char *name, const GPtrArray *names);

#endif
