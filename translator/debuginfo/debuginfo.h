/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debuginfo of the target kernel and its modules, behind one interface. Callers see functions, variables, types and
 * value expressions; only this folder knows libdw, libelf or BTF.
 *
 * All addresses are link-time addresses: of vmlinux as linked (before KASLR), of a module as its .ko file's sections
 * give them (struct address says which section). Everything returned is borrowed: it lives until debuginfo_close().
 */
#ifndef SPILE_DEBUGINFO_DEBUGINFO_H
#define SPILE_DEBUGINFO_DEBUGINFO_H

#include <stdbool.h>
#include <stdint.h>

#include "translator/abi/abi.h"
#include "translator/util/arena.h"
#include "translator/util/error.h"
#include "translator/util/file_facts.h"
#include "translator/util/sysroot.h"

/* The target kernel as found on disk (kernel_find). */
struct target_kernel {
	const char *release; /* "6.1.0-56-cloud-amd64" */
	const char *build_folder; /* kbuild tree: …/lib/modules/R/build resolved, or what -r /path named */
	const char *build_root; /* whose compilers it is built with, of another Debian; NULL: the host's */
	const char *vmlinux; /* file with DWARF, or NULL if none was found */
	const char *modules_folder; /* …/lib/modules/R, or NULL */
	const char *module_debug_folder; /* …/usr/lib/debug/lib/modules/R, or NULL */
	const char *image; /* bootable vmlinuz/bzImage, or NULL */
	const char *config; /* …/boot/config-R or <build>/.config, or NULL */
	const char *system_map; /* or NULL */
	const char *build_id; /* of vmlinux, lower-case hex, or NULL when there is no vmlinux */
	const char *architecture; /* "x86_64" */
	bool is_self_built; /* in which the user built it: no package has its debug symbols */
};

/* Where debuginfo is looked for, whatever it is of. */
struct debuginfo_search {
	const char *root; /* where the kernel's packages are unpacked; "" for the running system */
	const char *digest; /* --debuginfo, or NULL: what answers before all else */
	const char *cache_folder; /* for the on-disk index, or NULL for none */
	struct sysroot sysroot; /* of programs and libraries */
	struct file_facts *facts; /* what is seen of them is noted here; or NULL */
};

/* What debuginfo may be of. */
enum object_kind {
	OBJECT_KERNEL, /* vmlinux */
	OBJECT_MODULE, /* of the kernel */
	OBJECT_EXECUTABLE,
	OBJECT_LIBRARY,
	OBJECT_TYPES, /* an object file, which is in no memory: its types are all that is wanted of it */
	OBJECT_KIND_COUNT_
};

/* What an address in debuginfo is counted from. */
enum address_model {
	ADDRESS_ABSOLUTE, /* the kernel: linked to where it would be without KASLR */
	ADDRESS_IN_SECTION, /* a relocatable file: an offset in a section, which is put anywhere */
	ADDRESS_BIASED, /* an executable or library: it is in each process as a whole, moved by a load bias */
};

/* Which memory something is in. */
enum memory_space { MEMORY_KERNEL, MEMORY_USER };

struct debuginfo; /* of one object */
struct type;

struct address {
	uint64_t value; /* link-time virtual address, or offset in the section */
	const char *section; /* NULL unless addresses are in sections: ".text", ".init.text"… */
};

/* A real function or one inlined instance of it. */
struct function {
	struct debuginfo *debuginfo;
	const char *name;
	const char *scope; /* what is before the name in languages that have such: "space::Class::"; else "" */
	const char
		*declaration_file; /* as DWARF has it, made absolute or relative to the build dir: "fs/read_write.c" */
	int declaration_line;
	struct address entry; /* lowest pc of a function, entry pc of an inlined instance */
	uint64_t size; /* bytes from entry to the end of the first range */
	bool is_inlined; /* one inlined instance */
	const struct function *container; /* the real function that an inlined instance lies in; NULL for a real one */
	const char *symbol; /* ELF symbol at the entry (may differ: f.isra.0); for inlined: the container's */
	/* in the kernel's or module's export table (__ksymtab_…), or a global symbol of a program or library */
	bool is_exported;
	bool is_external; /* not static */
	bool has_fentry; /* an ftrace call site stands at `fentry` */
	struct address fentry;
	bool is_init; /* in .init.text: not there any more when the system runs */
	bool not_probeable; /* the kernel takes no probe at the entry: debuginfo_probe_refusal() says why */
	void *die; /* for this folder only */
};

/*
 * What a source of debuginfo may know beyond functions' names and addresses. DWARF knows all of it, BTF the types, a
 * symbol table nothing.
 */
enum knowledge {
	KNOWS_TYPES = 1, /* of parameters, results, tracepoints' arguments; types by name */
	KNOWS_LOCALS = 2, /* variables of functions other than parameters at the entry, and file-level ones */
	KNOWS_LINES = 4, /* files, lines, labels, what lies at an address */
	KNOWS_INLINES = 8, /* inlined instances */
	KNOWS_CALLS = 16, /* which functions a function calls */
};

enum inline_choice { INCLUDE_BOTH, ONLY_REAL, ONLY_INLINED };

/* A function("name@file:line") pattern, taken apart by the caller. */
struct function_query {
	/*
	 * Glob: "*", "vfs_*", "[a-z]x". In languages with scopes, "Class::f" is f in any scope that ends with Class,
	 * and "box" is box<int> also.
	 */
	const char *name;
	const char *file; /* glob matched against the tail of the path ("fs/r*.c", "read_write.c"), or NULL */
	int line; /* function that covers or is declared at this line of `file`; 0: any (":N") */
	bool line_is_relative; /* "+N": line counts from the declaration of the function */
	enum inline_choice inlines;
};

/* A statement("name@file:lines") pattern, taken apart by the caller. */
struct line_range {
	int first, last; /* both included */
};

struct statement_query {
	const char *name; /* glob */
	const char *file; /* glob, as in struct function_query */
	const struct line_range *ranges;
	size_t range_count; /* 0: all lines */
	bool is_relative; /* lines count from the declaration of the function */
	bool near; /* all lines of the functions that have the lines or are next to them */
};

/* Where a source line begins in a function or in one inlined instance. */
struct statement_place {
	const struct function *function; /* the innermost one around the address */
	struct address address;
	int line; /* 0: no line begins there */
	const char *label; /* of debuginfo_labels() only */
};

/* A call in a function, or an instance that was inlined into it. */
struct callee {
	const struct function *function;
	struct address return_address; /* of a call: what it returns to */
	bool is_tail_call; /* returns to the caller's caller */
};

/* How to compute the value or address of a variable: a tree over registers, memory and constants. */
enum value_kind {
	VALUE_CONSTANT, /* constant */
	VALUE_ADDRESS, /* link-time address `constant` in `section` (NULL: vmlinux), to be relocated at run time */
	VALUE_THREAD_POINTER, /* of the current thread, in the process that runs the program at hand */
	VALUE_THIS_CPU, /* where this processor's per-CPU variables are, from where they were linked */
	VALUE_REGISTER, /* DWARF register number `constant` at the probed pc */
	/*
	 * The same as it was when the function around the pc (not an inlined one) was entered, in the call whose return
	 * address is at `left`
	 */
	VALUE_ENTRY_REGISTER,
	VALUE_LOAD, /* load `size` bytes at left, zero-extended */
	VALUE_UNARY, /* operation on left: '-', '~', '!' */
	VALUE_BINARY, /* left operation right */
	VALUE_SELECT, /* left if `condition` is not 0, else right */
	VALUE_CONVERT, /* left truncated to `size` bytes, then sign- (is_signed) or zero-extended to 64 bits */
	/* That of one of `callers`, by the return address that is at `left`; of other callers it is not known */
	VALUE_BY_CALLER,
};

enum value_operation {
	VALUE_ADD,
	VALUE_SUBTRACT,
	VALUE_MULTIPLY,
	VALUE_DIVIDE, /* signed */
	VALUE_DIVIDE_UNSIGNED,
	VALUE_REMAINDER, /* signed */
	VALUE_REMAINDER_UNSIGNED,
	VALUE_AND,
	VALUE_OR,
	VALUE_XOR,
	VALUE_SHIFT_LEFT,
	VALUE_SHIFT_RIGHT, /* logical */
	VALUE_SHIFT_RIGHT_ARITHMETIC,
	VALUE_EQUAL,
	VALUE_NOT_EQUAL,
	VALUE_LESS, /* signed */
	VALUE_LESS_EQUAL,
	VALUE_GREATER,
	VALUE_GREATER_EQUAL,
	VALUE_LESS_UNSIGNED, /* these four in the order of the signed ones */
	VALUE_LESS_EQUAL_UNSIGNED,
	VALUE_GREATER_UNSIGNED,
	VALUE_GREATER_EQUAL_UNSIGNED,
	VALUE_NEGATE,
	VALUE_COMPLEMENT,
	VALUE_OPERATION_COUNT_
};

struct value {
	enum value_kind kind;
	enum value_operation operation;
	uint64_t constant;
	const char *section;
	int size;
	bool is_signed;
	enum memory_space memory; /* that a VALUE_LOAD reads */
	struct value *left, *right, *condition;
	const GPtrArray *callers; /* of const struct caller_value *; not empty */
};

/* What some calls pass. */
struct caller_value {
	GPtrArray *return_addresses; /* of const struct value *, VALUE_ADDRESS */
	struct value *value;
};

/* The registers of a function that has called another and will go on, in terms of those at the probe. */
struct frame {
	/* By DWARF number, NULL: not known. What is in the program counter is where it goes on. */
	struct value *registers[ABI_MOST_REGISTERS];
};

enum location_kind {
	LOCATION_MEMORY, /* the variable is at address `value` */
	LOCATION_VALUE, /* `value` is the content (in a register or computed): no address; low bits first */
	LOCATION_POINTER, /* a pointer without a value of its own: `pointee` is what it would lead to */
	LOCATION_PIECES, /* its parts are in places of their own: `pieces` */
	LOCATION_OPTIMIZED_OUT,
	LOCATION_UNSUPPORTED, /* `reason` says why */
};

/* Some bytes of a variable. */
struct variable_piece {
	uint64_t offset, size;
	enum location_kind location; /* LOCATION_MEMORY, LOCATION_VALUE or LOCATION_OPTIMIZED_OUT */
	uint64_t lost_bits; /* of a LOCATION_VALUE, what of it is optimized out after all */
	struct value *value;
};

struct variable {
	const char *name;
	struct type *type;
	bool is_parameter;
	bool is_global; /* file-level or external variable */
	enum location_kind location;
	enum memory_space memory; /* where it, or a piece of it, is if it is in memory */
	struct value *value;
	const struct variable *pointee;
	int64_t pointee_offset; /* bytes into it */
	const GPtrArray *pieces; /* of const struct variable_piece *, one behind the other */
	const char *reason;
};

enum type_kind {
	KIND_VOID,
	KIND_INTEGER, /* also bool and char */
	KIND_FLOAT,
	KIND_POINTER, /* also C++ references */
	KIND_ARRAY,
	KIND_STRUCT,
	KIND_UNION,
	KIND_ENUM,
	KIND_FUNCTION,
};

struct enumerator {
	const char *name;
	int64_t value;
};

struct member {
	const char *name; /* NULL: anonymous struct or union */
	struct type *type;
	uint64_t offset; /* bytes from the start of the outer struct */
	bool is_bit_field;
	int bit_offset; /* from the least significant bit of the storage unit at `offset` (little-endian) */
	int bit_size;
	int storage_size; /* bytes to load at `offset` for a bit-field */
};

/* A C type with typedefs and qualifiers stripped; `spelling` keeps how it was written ("size_t", "const char *"). */
struct type {
	enum type_kind kind;
	const char *name; /* tag or base type name, NULL for anonymous */
	const char *spelling; /* C text for messages and -L */
	uint64_t size; /* bytes; 0 if not known (void, flexible array, incomplete) */
	bool is_signed;
	bool is_bool;
	bool is_char; /* char, signed char, unsigned char: a pointer to it is a string */
	struct type *target; /* of a pointer or array element, function result */
	uint64_t count; /* array elements of this dimension; 0 flexible */
	bool is_declaration; /* incomplete in this CU (the reader tries to find the full one by name elsewhere) */
	void *die; /* for this folder only */
	struct debuginfo *debuginfo;
};

/**
 * Find a kernel on disk.
 *
 * @param[in] release A release ("6.1.0-56-cloud-amd64"), or a path to a kernel build tree (absolute or with '/').
 * @param[in] roots Folders to search in order, NULL-terminated: "" is the system, others are trees of unpacked
 *            packages (the cache of stap-vm).
 * @param[out] root The one that it was found in.
 * @return ERROR_LOOKUP with a hint naming the packages to install or `stap-vm fetch RELEASE`.
 */
struct error *kernel_find(struct arena *arena, const char *release, const char *const *roots, struct target_kernel *ret,
			  const char **root);

/** Make the index now, if the cache does not hold it. ERROR_DEBUGINFO. */
struct error *debuginfo_prepare(struct debuginfo *debuginfo);

/**
 * Open debuginfo of the kernel (@p module NULL or "kernel") or of a module by name ("ext4"; '-' and '_' are alike) or
 * by the path of its file (with a '/').
 * The sources of debuginfo are tried in their order (source.c); $SPILE_DEBUGINFO_SOURCES may name others.
 * The file's architecture and, for modules, presence are checked. Cheap: nothing is indexed yet.
 *
 * @return ERROR_DEBUGINFO (missing, truncated, foreign; the hint names the package), ERROR_LOOKUP (no such module).
 */
struct error *debuginfo_open(const struct target_kernel *kernel, const struct debuginfo_search *search,
			     const char *module, struct debuginfo **ret);
void debuginfo_close(struct debuginfo *debuginfo);

/**
 * Open a program or library, with all that is known of it: by DWARF in it, in the file of debug symbols that belongs to
 * it (by build-id or debuglink, or from debuginfod), else by symbols (.gnu_debugdata, .symtab, .dynsym). What is not
 * known, debuginfo_require() tells.
 *
 * @return ERROR_LOOKUP: no such file; ERROR_DEBUGINFO: it is no good.
 */
struct error *debuginfo_open_object(const struct target_kernel *kernel, const struct debuginfo_search *search,
				    const char *path, struct debuginfo **ret);

/**
 * Open a program, a library or an object file for the types in its DWARF, or in the file of debug symbols that belongs
 * to it: debuginfo_find_type(), debuginfo_find_enumerator() and what they lead to.
 *
 * @param[in] name What messages call it.
 * @param[in] memory What the types are of is in.
 * @return ERROR_LOOKUP: no such file; ERROR_DEBUGINFO: it is no good, or there is no DWARF of it.
 */
struct error *debuginfo_open_types(const struct target_kernel *kernel, const struct debuginfo_search *search,
				   const char *path, const char *name, enum memory_space memory,
				   struct debuginfo **ret);

/* A program or library as a process has it. */
struct user_object {
	const char *path; /* as it was named */
	const char *real_path; /* without symbolic links */
	const char *build_id; /* "" if it has none */
	uint64_t id_address, id_offset; /* where the bytes of the build-id are: as linked, in the file; 0: none */
	uint64_t first_code; /* the lowest address of code, as linked; UINT64_MAX: it has none */
	bool is_position_independent; /* each process may have it elsewhere */
	bool is_32_bit; /* for i386 */
	bool has_exceptions; /* of C++ or the like: its functions may be left by them */
	bool has_threads; /* variables of each thread's own */
	int64_t thread_offset; /* of these from the thread pointer; of a program, not of a library */
	const char *problem; /* why processes that have it cannot be known by its build-id, or NULL */
};

/** The program or library that was opened; NULL: it is neither. */
const struct user_object *debuginfo_user_object(const struct debuginfo *debuginfo);
/** Where an address is in the object's file, by which the kernel's uprobes go. False: the file has nothing there. */
bool debuginfo_file_offset(const struct debuginfo *debuginfo, uint64_t address, uint64_t *offset);
/** The other way round. */
bool debuginfo_address_in_file(const struct debuginfo *debuginfo, uint64_t offset, uint64_t *address);
/** The memory that things of a type are in. */
enum memory_space type_memory(const struct type *type);

enum object_kind debuginfo_kind(const struct debuginfo *debuginfo);
/** Is it the kernel or a module of it? */
bool object_is_kernels(enum object_kind kind);
enum address_model object_address_model(enum object_kind kind);
enum memory_space debuginfo_memory(const struct debuginfo *debuginfo);
/** The architecture that its registers, addresses and calling convention are of. */
const struct abi *debuginfo_abi(const struct debuginfo *debuginfo);

/**
 * Write a digest of the debuginfo of a kernel and its modules.
 *
 * @param[in] modules Names (const char *), "kernel" among them.
 * @return ERROR_DEBUGINFO, also for a source that is no DWARF; ERROR_SYSTEM if the file cannot be written.
 */
struct error *debuginfo_export(const struct target_kernel *kernel, const struct debuginfo_search *search,
			       const GPtrArray *modules, const char *path);

/** What the kernel calls a module: "drivers/net/virtio-net.ko.xz" -> "virtio_net", "virtio-net" -> "virtio_net". */
const char *debuginfo_module_spelling(struct arena *arena, const char *module);

const char *debuginfo_module_name(const struct debuginfo *debuginfo); /* "kernel" or the module's name */
const char *debuginfo_module_file(const struct debuginfo *debuginfo); /* the path it was asked for by, or NULL */
const char *debuginfo_place_name(const struct debuginfo *debuginfo); /* what a probe point of it can name it by */
const char *debuginfo_build_id(const struct debuginfo *debuginfo); /* hex, never NULL once opened */
const char *debuginfo_path(const struct debuginfo *debuginfo);
const char *debuginfo_source(const struct debuginfo *debuginfo); /* "DWARF", "BTF", … */

/** Where the debug symbols of this kernel, which were not found, come from: that is added to the error. */
struct error *debuginfo_symbols_hint(struct error *error, const struct target_kernel *kernel);

/** That way, as a text to be freed. */
char *debuginfo_symbols_advice(const struct target_kernel *kernel);

/**
 * NULL if the source at hand knows about all of @p wanted (of enum knowledge); otherwise ERROR_DEBUGINFO, which says
 * what is not known and, in the hint, which package would tell.
 */
struct error *debuginfo_require(const struct debuginfo *debuginfo, unsigned int wanted);

/** Names of all modules of the kernel that match a glob, sorted. */
struct error *debuginfo_module_names(const struct target_kernel *kernel, struct arena *arena, const char *glob,
				     GPtrArray **ret);

/** All functions that match, sorted by name, then address; appended to @p ret (of const struct function *). */
struct error *debuginfo_functions(struct debuginfo *debuginfo, const struct function_query *query, GPtrArray *ret);

/**
 * The addresses at which wanted lines begin in each function and inlined instance that matches (struct statement_place
 * *, by function, then line), appended to @p ret. Initialisation code is left out.
 */
struct error *debuginfo_statements(struct debuginfo *debuginfo, const struct statement_query *query, GPtrArray *ret);

/** What is at an address. ERROR_LOOKUP if no function is there; ret->line is 0 inside of a statement. */
struct error *debuginfo_statement_at(struct debuginfo *debuginfo, struct address address, struct statement_place *ret);

/** Labels of a function or inlined instance that match a glob and have an address (struct statement_place *). */
struct error *debuginfo_labels(const struct function *function, const char *pattern, GPtrArray *ret);

/** Calls of functions that match a glob (struct callee *), without those through pointers, and inlined instances. */
struct error *debuginfo_callees(const struct function *function, const char *pattern, GPtrArray *ret);

/** The frame in which a probe stands: its registers are those of the probe. */
void debuginfo_probe_frame(struct debuginfo *debuginfo, struct frame *ret);

/** Where the function of a frame goes on; NULL: not known. */
struct value *frame_program_counter(const struct debuginfo *debuginfo, const struct frame *frame);

/**
 * The frame of the caller, by the call frame information of the code at @p pc, which @p frame belongs to. ERROR_LOOKUP
 * if the information does not tell where the caller goes on.
 */
struct error *debuginfo_caller_frame(struct debuginfo *debuginfo, struct address pc, const struct frame *frame,
				     struct frame *ret);

/** Will the kernel accept a kprobe, or a uprobe, at the first byte of the instruction there? */
bool debuginfo_is_probeable(struct debuginfo *debuginfo, struct address address);
/**
 * Why the kernel takes no probe there, or none should be put there; NULL: it takes one. Of a program or library, also
 * what is no code, and what is inside of an instruction.
 */
const char *debuginfo_probe_refusal(struct debuginfo *debuginfo, struct address address);

/* An instruction by which a function goes back to its caller. */
struct function_exit {
	struct address address;
	bool is_tail_call; /* a jump to another function, which will return in its place */
};

/**
 * The exits of a real function of a program or library (struct function_exit *), by address, appended to @p ret.
 * ERROR_LOOKUP if they cannot be told: some of its code is none, or an indirect jump may or may not leave it.
 *
 * @param[out] is_leaf It calls nothing, nor switches to another stack.
 */
struct error *debuginfo_exits(const struct function *function, GPtrArray *ret, bool *is_leaf);

enum instruction_place {
	INSTRUCTION_UNKNOWN, /* no function is known there */
	INSTRUCTION_BEGINS,
	INSTRUCTION_GOES_ON, /* it is in the middle of one */
};

/** Is there the beginning of an instruction of a program or library? */
enum instruction_place debuginfo_instruction_place(struct debuginfo *debuginfo, uint64_t address);

/* A place that a program was given for probes, by macros of <sys/sdt.h>. */
struct mark {
	const char *provider, *name;
	uint64_t address;
	uint64_t semaphore, semaphore_offset; /* the counter of who listens: as linked, in the file; 0: it has none */
	const char *argument_text; /* as the compiler wrote it: "-4@%edi 8@16(%rsp)" */
	/* const struct variable *: "arg1"…, integers of the width and sign that it has at this place, or floats */
	const GPtrArray *arguments;
};

/**
 * The marks whose provider and name match two globs (const struct mark *), in the order of the file, appended to @p
 * ret. In the name's glob, "-" stands for "__" also.
 */
struct error *debuginfo_marks(struct debuginfo *debuginfo, const char *provider, const char *name, GPtrArray *ret);

/* A stub of the procedure linkage table, by which calls leave a program or library. */
struct plt_entry {
	const char *name; /* of what it calls, without a version */
	uint64_t address;
};

/** Those whose name matches a glob (const struct plt_entry *), by address, appended to @p ret. */
struct error *debuginfo_plt(struct debuginfo *debuginfo, const char *name, GPtrArray *ret);

/**
 * The libraries that a program or library needs (const char *, paths without symbolic links), and those that they need,
 * found as its dynamic loader will, without running anything. What is not found is left out.
 */
struct error *debuginfo_libraries(struct debuginfo *debuginfo, GPtrArray *ret);
/** Those that it would have if it needed them, by their names (up to a NULL), appended likewise. */
void debuginfo_find_libraries(struct debuginfo *debuginfo, const char *const *names, GPtrArray *ret);

/** Distinct names (const char *) of all functions, for suggestions. Sorted. */
struct error *debuginfo_function_names(struct debuginfo *debuginfo, GPtrArray *ret);

/** Names (const char *) of the source files that functions are in, as the build spelled them, for suggestions. */
struct error *debuginfo_file_names(struct debuginfo *debuginfo, GPtrArray *ret);

/** A symbol's link-time address from the symbol table. ERROR_LOOKUP if absent. */
struct error *debuginfo_symbol_address(struct debuginfo *debuginfo, const char *name, struct address *ret);

/**
 * A symbol of a module's section that is alone with its name: where it is tells where the section is, once the module
 * is loaded. @p name stays NULL if there is none.
 */
struct error *debuginfo_anchor(struct debuginfo *debuginfo, const char *section, const char **name, uint64_t *offset);

/**
 * The source lines of all the code of the kernel, or of a module, in one table, as runtime/line_table.h reads it.
 *
 * @param[out] path The entry of the cache that holds it (behind CACHE_HEAD_LENGTH bytes); NULL if lines are not known,
 * or with
 *		    an error.
 * @param[out] sections The names of a module's sections that are in it (const char *), in the table's order.
 */
struct error *debuginfo_line_table(struct debuginfo *debuginfo, const char **path, GPtrArray *sections);

struct tracepoint {
	const char *name, *system; /* "sched_switch", "sched" */
	const struct function *function; /* has its arguments as parameters, behind a first one of its own, "__data" */
	struct address address; /* of its struct tracepoint */
};

/** The tracepoints whose system and name match two globs (const struct tracepoint *), sorted by name; may be none. */
struct error *debuginfo_tracepoints(struct debuginfo *debuginfo, const char *system, const char *name, GPtrArray *ret);

/**
 * The same of the kernel for a list of names: `function` may be NULL. Quick also where the DWARF was never read, since
 * names and systems are then taken from BTF.
 */
struct error *debuginfo_tracepoint_names(struct debuginfo *debuginfo, const char *system, const char *name,
					 GPtrArray *ret);

/** Parameters and, if asked, locals in scope at @p pc (the function's entry.value, or any pc in it). */
struct error *debuginfo_variables(const struct function *function, uint64_t pc, bool parameters, bool locals,
				  GPtrArray *ret);

/**
 * The variable @p name visible at @p pc: innermost scope first, then the parameters, then file-level variables of the
 * compilation unit. ERROR_LOOKUP if there is none (the caller adds the alternatives).
 */
struct error *debuginfo_find_variable(const struct function *function, uint64_t pc, const char *name,
				      const struct variable **ret);

/** File-level variables that the function's source file sees, its own and those declared in headers, by name. */
struct error *debuginfo_file_variables(const struct function *function, GPtrArray *ret);

/** Where a variable is, in words: "register %rdi", "memory %rsp+16", "optimized out". */
const char *debuginfo_location_text(struct arena *arena, const struct variable *variable);

/** The file on this machine that holds the source text of a declaration_file, or NULL. */
const char *debuginfo_source_file(const struct debuginfo *debuginfo, struct arena *arena, const char *path);

/** Where a function's result is found at its return (by the calling convention), ERROR_LOOKUP for void. */
struct error *debuginfo_return_value(const struct function *function, const struct variable **ret);

/** A file-level variable by name, optionally in the unit whose path's tail matches @p file (glob or NULL). */
struct error *debuginfo_find_global(struct debuginfo *debuginfo, const char *name, const char *file,
				    const struct variable **ret);

/** A type by C name: "struct task_struct", "task_struct" (struct, union, enum, then typedef), "size_t", "foo_t *". */
struct error *debuginfo_find_type(struct debuginfo *debuginfo, const char *name, struct type **ret);

/** Direct members of a struct or union in order (const struct member *), anonymous ones included as such. */
struct error *debuginfo_members(struct type *type, const GPtrArray **ret);

/**
 * Find a member by name, through anonymous structs and unions. ret->offset is from the start of @p type.
 * ERROR_LOOKUP if there is none.
 */
struct error *debuginfo_find_member(struct type *type, const char *name, struct member *ret);

/** The value of an enumerator of any enum. ERROR_LOOKUP: there is none of this name. */
struct error *debuginfo_find_enumerator(struct debuginfo *debuginfo, const char *name, int64_t *ret);
/** Enumerators of an enum type (const struct enumerator *). */
struct error *debuginfo_enumerators(struct type *type, const GPtrArray **ret);

/**
 * The checksum of what an object file of a module imports, and of all else that modpost reads in it. To be freed; NULL:
 * it cannot be read.
 */
char *imports_sum(const char *path);

#endif
