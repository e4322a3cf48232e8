/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debuginfo of the target kernel, its modules, and user-space programs and libraries, behind one interface. Callers see
 * functions, variables, types and value expressions; only this directory knows libdw, libelf or BTF.
 *
 * All addresses are link-time addresses: in vmlinux, those before KASLR; in a module, offsets in the sections of its
 * .ko file (struct address names the section). Everything returned is borrowed: it lives until debuginfo_close().
 */
#ifndef SPILE_DEBUGINFO_DEBUGINFO_H
#define SPILE_DEBUGINFO_DEBUGINFO_H

#include <stdbool.h>
#include <stdint.h>

#include "common/architecture.h"
#include "common/arena.h"
#include "common/file_facts.h"
#include "common/sysroot.h"
#include "common/base/error.h"
#include "translator/abi/abi.h"

/* The target kernel as found on disk (kernel_find). */
struct target_kernel {
	const char *release; /* "6.1.0-56-cloud-amd64" */
	const char *build_directory; /* kbuild tree: …/lib/modules/R/build resolved, or the argument of -r /path */
	const char *build_root; /* root of another Debian whose compilers build for it; NULL: use the host's */
	const char *vmlinux; /* file with DWARF, or NULL if none was found */
	const char *modules_directory; /* …/lib/modules/R, or NULL */
	const char *module_debug_directory; /* …/usr/lib/debug/lib/modules/R, or NULL */
	const char *image; /* bootable vmlinuz/bzImage, or NULL */
	const char *config; /* …/boot/config-R or <build>/.config, or NULL */
	const char *system_map; /* or NULL */
	const char *build_id; /* of vmlinux, lower-case hex, or NULL when there is no vmlinux */
	const struct architecture *architecture; /* that of its files, not of this machine */
	const struct abi *abi; /* of the architecture */
	bool is_self_built; /* built by the user, so no package has its debug symbols */
};

/* Where to search for debuginfo of any object. */
struct debuginfo_search {
	const char *root; /* directory with the kernel's unpacked packages; "" for the running system */
	const char *digest; /* argument of --debuginfo, tried before all other sources; or NULL */
	const char *cache_directory; /* for the on-disk index, or NULL for none */
	struct sysroot sysroot; /* where programs and libraries are */
	/* path of a downloaded program -> its path where the script runs, or its build-id if that is not known */
	GHashTable *downloaded;
	struct file_facts *facts; /* records the files on which the result depends; or NULL */
};

/* The kind of object that debuginfo describes. */
enum object_kind {
	OBJECT_KERNEL, /* vmlinux */
	OBJECT_MODULE, /* a kernel module */
	OBJECT_EXECUTABLE,
	OBJECT_LIBRARY,
	OBJECT_TYPES, /* an object file, never loaded; opened only for its types */
	OBJECT_KIND_COUNT_
};

/* The base of the addresses in debuginfo. */
enum address_model {
	ADDRESS_ABSOLUTE, /* the kernel: absolute link-time addresses, before KASLR */
	ADDRESS_IN_SECTION, /* a relocatable file: offsets in sections, each of which is loaded anywhere */
	ADDRESS_BIASED, /* an executable or library: mapped as a whole, at a load bias that differs by process */
};

/* The address space that something lies in. */
enum memory_space { MEMORY_KERNEL, MEMORY_USER };

struct debuginfo; /* one opened object */
struct type;

struct address {
	uint64_t value; /* link-time virtual address, or offset in the section */
	const char *section; /* ".text", ".init.text"…; NULL unless the object has ADDRESS_IN_SECTION */
};

/* A real function or one inlined instance of it. */
struct function {
	struct debuginfo *debuginfo;
	const char *name;
	const char *scope; /* prefix of the name in languages with scopes, such as "space::Class::"; else "" */
	/* as in DWARF, made absolute or relative to the build directory: "fs/read_write.c" */
	const char *declaration_file;
	int declaration_line;
	struct address entry; /* lowest pc of a function, entry pc of an inlined instance */
	/*
	 * Where the function begins for the kernel and for linkers: at the entry, or before it, because some compilers
	 * do not count the no-ops for ftrace as part of the function. Probes of the entry are placed here.
	 */
	struct address start;
	uint64_t size; /* bytes from entry to the end of the first range */
	bool is_inlined; /* one inlined instance */
	const struct function *container; /* of an inlined instance: the real function around it; else NULL */
	const char *symbol; /* ELF symbol at the entry (may differ: f.isra.0); for inlined: the container's */
	/* in the export table of the kernel or module (__ksymtab_…); in programs and libraries, a global symbol */
	bool is_exported;
	bool is_external; /* not static */
	bool has_fentry; /* there is an ftrace call site at `fentry` */
	struct address fentry;
	bool is_init; /* initialization code of the kernel itself, which is freed after boot */
	bool not_probeable; /* the kernel refuses probes at the entry; debuginfo_probe_refusal() returns the reason */
	void *die; /* private to this directory */
};

/*
 * What a source of debuginfo may know beyond functions' names and addresses. DWARF knows all of it, BTF only the types,
 * and a symbol table nothing.
 */
enum knowledge {
	KNOWS_TYPES = 1, /* types of parameters, results and tracepoint arguments; types by name */
	KNOWS_LOCALS = 2, /* local and file-level variables; parameters elsewhere than at the entry */
	KNOWS_LINES = 4, /* source files, lines, labels, the statement at an address */
	KNOWS_INLINES = 8, /* inlined instances */
	KNOWS_CALLS = 16, /* which functions a function calls */
};

enum inline_choice { INCLUDE_BOTH, ONLY_REAL, ONLY_INLINED };

/* A function("name@file:line") pattern, parsed by the caller. */
struct function_query {
	/*
	 * Glob: "*", "vfs_*", "[a-z]x". In languages with scopes, "Class::f" matches f in any scope that ends with
	 * Class, and "box" also matches box<int>.
	 */
	const char *name;
	const char *file; /* glob matched against the tail of the path ("fs/r*.c", "read_write.c"), or NULL */
	int line; /* match functions that cover this line of `file` or are declared at it; 0: any (":N") */
	bool line_is_relative; /* "+N": line counts from the declaration of the function */
	enum inline_choice inlines;
};

/* A statement("name@file:lines") pattern, parsed by the caller. */
struct line_range {
	int first, last; /* both included */
};

struct statement_query {
	const char *name; /* glob */
	const char *file; /* glob, as in struct function_query */
	const struct line_range *ranges;
	size_t range_count; /* 0: all lines */
	bool is_relative; /* lines count from the declaration of the function */
	bool near; /* select all lines of the functions that have the given lines or are next to them */
};

/* The start of a source line in a function or in one inlined instance. */
struct statement_place {
	const struct function *function; /* the innermost one around the address */
	struct address address;
	int line; /* 0: no line begins there */
	const char *label; /* set by debuginfo_labels() only */
};

/* A call from a function, or an instance inlined into it. */
struct callee {
	const struct function *function;
	struct address return_address; /* of a call, not of an inlined instance */
	bool is_tail_call; /* returns to the caller's caller */
};

/* A node of the tree that computes a variable's value or address from registers, memory and constants. */
enum value_kind {
	VALUE_CONSTANT, /* constant */
	VALUE_ADDRESS, /* link-time address `constant` in `section` (NULL: vmlinux), to be relocated at run time */
	VALUE_THREAD_POINTER, /* thread pointer of the current thread, in a process that runs this object's program */
	VALUE_THIS_CPU, /* offset of the current CPU's per-CPU area from the link-time addresses */
	VALUE_REGISTER, /* DWARF register number `constant` at the probed pc */
	/*
	 * Like VALUE_REGISTER, but as of the entry of the real function around the pc. `left` is the address of the
	 * return address of that call.
	 */
	VALUE_ENTRY_REGISTER,
	VALUE_AT_ENTRY, /* in return probes: `left` as of the entry of the call that returns */
	VALUE_LOAD, /* load `size` bytes at left and zero-extend */
	VALUE_UNARY, /* operation on left: '-', '~', '!' */
	VALUE_BINARY, /* left operation right */
	VALUE_SELECT, /* left if `condition` is not 0, else right */
	VALUE_CONVERT, /* left truncated to `size` bytes, then sign- (is_signed) or zero-extended to 64 bits */
	/*
	 * The value that one of `callers` passes, selected by the return address `right` of the call `left`
	 * (frame_call); unknown for other callers.
	 */
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
	VALUE_LESS_UNSIGNED, /* in the same order as the four signed ones */
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
	enum memory_space memory; /* of a VALUE_LOAD */
	struct value *left, *right, *condition;
	const GPtrArray *callers; /* const struct caller_value *; never empty */
};

/* The value that the calls with these return addresses pass. */
struct caller_value {
	GPtrArray *return_addresses; /* const struct value *, all VALUE_ADDRESS */
	struct value *value;
};

/* The registers of a suspended caller, expressed by the registers at the probe. */
struct frame {
	/* indexed by DWARF number; NULL: not known. The program counter holds the address where the caller resumes. */
	struct value *registers[ABI_MOST_REGISTERS];
};

enum location_kind {
	LOCATION_MEMORY, /* the variable is at address `value` */
	LOCATION_VALUE, /* `value` is the content, in a register or computed, low bits first; there is no address */
	LOCATION_POINTER, /* a pointer that was optimized out; `pointee` is the variable it would point to */
	LOCATION_PIECES, /* the variable is split into `pieces` */
	LOCATION_OPTIMIZED_OUT,
	LOCATION_UNSUPPORTED, /* `reason` says why */
};

/* A range of bytes of a variable that has one location. */
struct variable_piece {
	uint64_t offset, size;
	enum location_kind location; /* LOCATION_MEMORY, LOCATION_VALUE or LOCATION_OPTIMIZED_OUT */
	uint64_t lost_bits; /* mask of the bits of a LOCATION_VALUE that are optimized out */
	struct value *value;
};

struct variable {
	const char *name;
	struct type *type;
	bool is_parameter;
	bool is_global; /* file-level or external variable */
	enum location_kind location;
	enum memory_space memory; /* address space of the variable or its pieces, if they are in memory */
	struct value *value;
	const struct variable *pointee;
	int64_t pointee_offset; /* in bytes */
	const GPtrArray *pieces; /* const struct variable_piece *, in order and without gaps */
	const char *reason;
	const struct abi *abi; /* names the registers of its value */
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
	int bit_offset; /* counted from the least significant bit of the storage unit at `offset` (little-endian) */
	int bit_size;
	int storage_size; /* bytes to load at `offset` for a bit-field */
};

/* A C type without typedefs and qualifiers; `spelling` keeps the original text ("size_t", "const char *"). */
struct type {
	enum type_kind kind;
	const char *name; /* tag or base type name, NULL for anonymous */
	const char *spelling; /* C text for messages and -L */
	uint64_t size; /* bytes; 0 if not known (void, flexible array, incomplete) */
	bool is_signed;
	bool is_bool;
	bool is_char; /* char, signed char, unsigned char: a pointer to it is a string */
	struct type *target; /* type of the pointee, array element or function result */
	uint64_t count; /* array elements of this dimension; 0: flexible */
	bool is_by_reference; /* a class of C++ that is passed and returned by its address */
	bool is_vector; /* an array that is one value of a vector register */
	bool is_declaration; /* incomplete in this unit, and no unit completes it */
	/* Members (struct member *) of a struct or union that the script itself declares, or NULL. */
	const GPtrArray *members;
	void *die; /* private to this directory */
	struct debuginfo *debuginfo; /* NULL: a type of the script, not of an object */
};

/** Return all releases in all roots (see kernel_find()), oldest first, as an array that owns its strings. */
GPtrArray *kernel_releases(const char *const *roots);

/** Set the architecture of a kernel, and all that follows from it. */
void kernel_set_architecture(struct target_kernel *kernel, const struct architecture *architecture);

/**
 * Find a kernel on disk.
 *
 * @param[in] release A release ("6.1.0-56-cloud-amd64"), or a path to a kernel build tree (absolute or with '/').
 * @param[in] roots Directories to search in order, NULL-terminated: "" is the system, others are trees of unpacked
 *            packages (the cache of stap-vm).
 * @param[out] root The root that contains the kernel.
 * @return ERROR_LOOKUP with a hint that names the packages to install or `stap-vm fetch RELEASE`.
 */
struct error *kernel_find(struct arena *arena, const char *release, const char *const *roots, struct target_kernel *ret,
			  const char **root);

/** Is the index in memory or in the cache, so that queries need not wait until it is built? */
bool debuginfo_has_index(struct debuginfo *debuginfo);
/** Build the index now, unless the cache holds it. ERROR_DEBUGINFO. */
struct error *debuginfo_prepare(struct debuginfo *debuginfo);

/**
 * Open debuginfo of the kernel (@p module NULL or "kernel") or of a module by name ("ext4"; '-' and '_' are equivalent)
 * or by the path of its file (with a '/').
 *
 * Sources of debuginfo are tried in the order of sources/source.c; $SPILE_DEBUGINFO_SOURCES restricts them. The file's
 * architecture and a module's existence are checked. This is cheap, because nothing is indexed yet.
 *
 * @return ERROR_DEBUGINFO (missing, truncated, foreign; the hint names the package), ERROR_LOOKUP (no such module).
 */
struct error *debuginfo_open(const struct target_kernel *kernel, const struct debuginfo_search *search,
			     const char *module, struct debuginfo **ret);
void debuginfo_close(struct debuginfo *debuginfo);

/**
 * Open a program or library with the best debuginfo available: DWARF in the file itself, in its file of debug symbols
 * (found by build-id, debuglink or debuginfod), else symbols (.gnu_debugdata, .symtab, .dynsym). Use
 * debuginfo_require() to check what is known.
 *
 * @return ERROR_LOOKUP: no such file; ERROR_DEBUGINFO: the file is unusable.
 */
struct error *debuginfo_open_object(const struct target_kernel *kernel, const struct debuginfo_search *search,
				    const char *path, struct debuginfo **ret);

/** Return the path below @p root of the debug symbols with a build-id. The caller frees it. */
char *debuginfo_build_id_path(const char *root, const char *id);
/** Return the path on the probed machine of a program or library that this machine has at @p path. */
const char *debuginfo_path_there(const struct debuginfo_search *search, const char *path);

/* A program or library that debuginfod servers have. */
struct served_program {
	const char *build_id;
	const char *path; /* where its package installs it, or where the server has it */
	const char *archive; /* the package's file; NULL: it is in none */
};

/**
 * Search the debuginfod servers for programs and libraries; append them (struct served_program *) to @p ret, possibly
 * repeated.
 *
 * @param[in] key "file", "glob" (fnmatch() with FNM_PATHNAME) or "buildid".
 * @param[out] complete false: some server did not find all.
 * @return ERROR_DEBUGINFO: no server is set, or the installed libdebuginfod cannot search.
 */
struct error *debuginfod_search(struct arena *arena, const char *key, const char *value, GPtrArray *ret,
				bool *complete);

/** Download the program or library with a build-id. Return its path in *ret; NULL if no server has it. */
struct error *debuginfod_program(struct arena *arena, const char *build_id, const char **ret);

/**
 * Open the file of debug symbols with a build-id, whose program or library may not be on this machine: from the
 * directories of debug symbols, else from debuginfod.
 *
 * @return ERROR_DEBUGINFO: not found, or unusable.
 */
struct error *debuginfo_open_build_id(const struct target_kernel *kernel, const struct debuginfo_search *search,
				      const char *build_id, struct debuginfo **ret);

/**
 * Open a program, a library or an object file for the types in its DWARF or in its file of debug symbols. Only types
 * and enumerators can be queried: debuginfo_find_type(), debuginfo_find_enumerator() and the functions that take their
 * results.
 *
 * @param[in] name Its name in messages.
 * @param[in] memory The address space of objects of these types.
 * @return ERROR_LOOKUP: no such file; ERROR_DEBUGINFO: the file is unusable or has no DWARF.
 */
struct error *debuginfo_open_types(const struct target_kernel *kernel, const struct debuginfo_search *search,
				   const char *path, const char *name, enum memory_space memory,
				   struct debuginfo **ret);

/* A program or library as processes map it. */
struct user_object {
	const char *path; /* as the user named it */
	const char *real_path; /* without symbolic links */
	const char *build_id; /* "" if it has none */
	uint64_t id_address, id_offset; /* of the build-id's bytes: link-time address, file offset; 0: none */
	uint64_t entry; /* link-time address of a program's first instruction */
	uint64_t first_code; /* lowest link-time address of code; UINT64_MAX if there is no code */
	bool is_position_independent; /* mapped at a different address in each process */
	bool is_32_bit; /* for i386 */
	bool has_exceptions; /* functions may be left by exceptions (of C++ and similar languages) */
	bool has_threads; /* has thread-local variables */
	int64_t thread_offset; /* offset of the thread-local block from the thread pointer; of programs only */
	const char *problem; /* why processes cannot be matched by the build-id, or NULL */
};

/** Return the opened program or library; NULL for other objects. */
const struct user_object *debuginfo_user_object(const struct debuginfo *debuginfo);
/**
 * Translate an address to an offset in the object's file, as uprobes need it. Return false if the file has no bytes
 * there.
 */
bool debuginfo_file_offset(const struct debuginfo *debuginfo, uint64_t address, uint64_t *offset);
/** Translate an offset in the object's file to an address. */
bool debuginfo_address_in_file(const struct debuginfo *debuginfo, uint64_t offset, uint64_t *address);
/** Return the address space of objects of a type. */
enum memory_space type_memory(const struct type *type);

enum object_kind debuginfo_kind(const struct debuginfo *debuginfo);
/** Is it the kernel or a kernel module? */
bool object_is_kernels(enum object_kind kind);
enum address_model object_address_model(enum object_kind kind);
enum memory_space debuginfo_memory(const struct debuginfo *debuginfo);
/** Return the architecture, which determines registers, address size and calling convention. */
const struct abi *debuginfo_abi(const struct debuginfo *debuginfo);

/**
 * Write a digest of the debuginfo of a kernel and its modules.
 *
 * @param[in] modules Names (const char *), including "kernel".
 * @return ERROR_DEBUGINFO, also if a source is not DWARF; ERROR_SYSTEM if the file cannot be written.
 */
struct error *debuginfo_export(const struct target_kernel *kernel, const struct debuginfo_search *search,
			       const GPtrArray *modules, const char *path);

/** Return the kernel's name of a module: "drivers/net/virtio-net.ko.xz" and "virtio-net" -> "virtio_net". */
const char *debuginfo_module_spelling(struct arena *arena, const char *module);

const char *debuginfo_module_name(const struct debuginfo *debuginfo); /* "kernel" or the module's name */
const char *debuginfo_module_file(const struct debuginfo *debuginfo); /* the path given to debuginfo_open(), or NULL */
const char *debuginfo_place_name(const struct debuginfo *debuginfo); /* its name in probe points */
const char *debuginfo_build_id(const struct debuginfo *debuginfo); /* hex, never NULL once opened */
const char *debuginfo_path(const struct debuginfo *debuginfo);
const char *debuginfo_source(const struct debuginfo *debuginfo); /* "DWARF", "BTF", … */

/** Add a hint to the error: how to get the debug symbols of this kernel. */
struct error *debuginfo_symbols_hint(struct error *error, const struct target_kernel *kernel);

/** Return the same advice as a text that the caller frees. */
char *debuginfo_symbols_advice(const struct target_kernel *kernel);

/**
 * Return NULL if the source knows all of @p wanted (bits of enum knowledge). Otherwise ERROR_DEBUGINFO, which lists
 * what is unknown, with a hint that names the package to install.
 */
struct error *debuginfo_require(const struct debuginfo *debuginfo, unsigned int wanted);

/** Return the names of all modules of the kernel that match a glob, sorted. */
struct error *debuginfo_module_names(const struct target_kernel *kernel, struct arena *arena, const char *glob,
				     GPtrArray **ret);

/**
 * Return the name of the first module whose symbol table has a function (see elf_file_functions()), or NULL. The first
 * call reads the tables of all modules, which takes a few tenths of a second. Modules of which all files are compressed
 * are left out. Only for the main thread.
 */
const char *debuginfo_module_with_function(const struct target_kernel *kernel, const char *function);

/** Append all matching functions to @p ret (const struct function *), sorted by name, then address. */
struct error *debuginfo_functions(struct debuginfo *debuginfo, const struct function_query *query, GPtrArray *ret);

/**
 * Append the addresses where the selected lines begin, in each matching function and inlined instance, to @p ret
 * (struct statement_place *, by function, then line). Initialization code is left out.
 */
struct error *debuginfo_statements(struct debuginfo *debuginfo, const struct statement_query *query, GPtrArray *ret);

/** Return the statement at an address. ERROR_LOOKUP if no function covers it; ret->line is 0 inside of a statement. */
struct error *debuginfo_statement_at(struct debuginfo *debuginfo, struct address address, struct statement_place *ret);

/* A function at an address: an instance that is inlined there, or the real function around it. */
struct code_place {
	const char *name; /* with its scope; NULL: not known */
	uint64_t entry; /* of a real function; 0: not known */
	/*
	 * The place of the address in this function: if an inlined function contains the address, the place where that
	 * is called.
	 */
	const char *file; /* spelled like declaration_file of struct function; NULL: not known */
	int line; /* 0: not known */
};

/**
 * Append what is at an address to @p ret (struct code_place): the functions that are inlined there, the innermost
 * first, then the real function. Append nothing if no compiled unit covers the address.
 *
 * Only the units around the addresses that are asked for are read, and no index is needed.
 */
struct error *debuginfo_code_places(struct debuginfo *debuginfo, struct address address, GArray *ret);

/**
 * Can the instruction before an address of the kernel or of a module be a call? Return true if its bytes are not known.
 */
bool debuginfo_may_follow_call(struct debuginfo *debuginfo, struct address address);

/**
 * Append the labels of a function or inlined instance that match a glob and have an address (struct statement_place *).
 */
struct error *debuginfo_labels(const struct function *function, const char *pattern, GPtrArray *ret);

/**
 * Append the calls of functions that match a glob, and the instances of such functions inlined here (struct callee *).
 * Calls through pointers are left out.
 */
struct error *debuginfo_callees(const struct function *function, const char *pattern, GPtrArray *ret);

/** Set @p ret to the frame of the probe itself. */
void debuginfo_probe_frame(struct debuginfo *debuginfo, struct frame *ret);

/** Return the address where the function of a frame resumes; NULL: not known. */
struct value *frame_program_counter(const struct debuginfo *debuginfo, const struct frame *frame);
/**
 * Return what identifies a call, by its caller's frame: the place of the return address on the stack, or NULL if it has
 * none there. On architectures that keep it in a register at first: the caller's stack pointer, or in the kernel the
 * register that return probes record (struct kretprobe_instance, fp).
 */
struct value *frame_call(const struct debuginfo *debuginfo, const struct frame *caller);

/**
 * Unwind one frame: from @p frame, whose code is at @p pc, to its caller, by the call frame information. ERROR_LOOKUP
 * if it does not describe the return address.
 */
struct error *debuginfo_caller_frame(struct debuginfo *debuginfo, struct address pc, const struct frame *frame,
				     struct frame *ret);

/** Will the kernel accept a kprobe, or a uprobe, at the first byte of the instruction there? */
bool debuginfo_is_probeable(struct debuginfo *debuginfo, struct address address);
/**
 * Return why no probe may be set at an address, or NULL if one may. In a program or library, this includes addresses
 * that are not code or are inside of an instruction.
 */
const char *debuginfo_probe_refusal(struct debuginfo *debuginfo, struct address address);

/* An instruction by which a function returns to its caller. */
struct function_exit {
	struct address address;
	bool is_tail_call; /* a jump to another function, which returns to this one's caller */
};

/**
 * Append the exits of a real function of a program or library to @p ret (struct function_exit *), by address.
 * ERROR_LOOKUP if they are not certain: some of its bytes do not decode, or an indirect jump may leave it.
 *
 * @param[out] is_leaf The function neither calls another nor switches the stack.
 */
struct error *debuginfo_exits(const struct function *function, GPtrArray *ret, bool *is_leaf);

enum instruction_place {
	INSTRUCTION_UNKNOWN, /* no known function covers the address */
	INSTRUCTION_BEGINS,
	INSTRUCTION_GOES_ON, /* in the middle of one */
};

/** Does an instruction of a program or library begin at an address? */
enum instruction_place debuginfo_instruction_place(struct debuginfo *debuginfo, uint64_t address);

/* A static probe of a program or library, made by the macros of <sys/sdt.h>. */
struct mark {
	const char *provider, *name;
	uint64_t address;
	uint64_t probed_address; /* of the no-op that costs least (struct abi_kernel.call_nop) */
	uint64_t semaphore, semaphore_offset; /* counter of active probes: link-time address, file offset; 0: none */
	const char *argument_text; /* as the compiler wrote it: "-4@%edi 8@16(%rsp)" */
	/* const struct variable *: "arg1"…, integers of the width and sign given at this place, or floats */
	const GPtrArray *arguments;
};

/**
 * Append the marks whose provider and name match two globs to @p ret (const struct mark *), in the order of the file.
 * In the glob of the name, "-" also stands for "__".
 */
struct error *debuginfo_marks(struct debuginfo *debuginfo, const char *provider, const char *name, GPtrArray *ret);

/* A stub of the procedure linkage table (PLT), through which a program or library calls another. */
struct plt_entry {
	const char *name; /* of the called function, without its version */
	uint64_t address;
};

/** Append the PLT entries whose name matches a glob to @p ret (const struct plt_entry *), by address. */
struct error *debuginfo_plt(struct debuginfo *debuginfo, const char *name, GPtrArray *ret);

/**
 * Append the libraries that a program or library needs, directly or not (const char *, paths without symbolic links).
 * They are found by the rules of the dynamic loader, without running anything; missing ones are skipped.
 */
struct error *debuginfo_libraries(struct debuginfo *debuginfo, GPtrArray *ret);
/** Append the libraries of these names (up to a NULL) that the dynamic loader would find if the object needed them. */
void debuginfo_find_libraries(struct debuginfo *debuginfo, const char *const *names, GPtrArray *ret);

/** Return the distinct names (const char *) of all functions, sorted, for suggestions. */
struct error *debuginfo_function_names(struct debuginfo *debuginfo, GPtrArray *ret);

/**
 * Return the names (const char *) of the source files that have functions, as the build spelled them, for suggestions.
 */
struct error *debuginfo_file_names(struct debuginfo *debuginfo, GPtrArray *ret);

/** Find a symbol's link-time address in the symbol table. ERROR_LOOKUP if absent. */
struct error *debuginfo_symbol_address(struct debuginfo *debuginfo, const char *name, struct address *ret);

/** Append the addresses of all symbols of a name (struct address) to @p ret. */
struct error *debuginfo_symbol_addresses(struct debuginfo *debuginfo, const char *name, GArray *ret);

/**
 * Find a symbol with a unique name in a section of a module. After the module is loaded, the symbol's address gives the
 * section's. @p name stays NULL if no symbol fits.
 */
struct error *debuginfo_anchor(struct debuginfo *debuginfo, const char *section, const char **name, uint64_t *offset);

/**
 * Build the source lines of all code of the kernel, or of a module, as one table in the format of
 * runtime/abi/line_table.h.
 *
 * @param[out] path The cache entry that holds the table (after CACHE_HEAD_LENGTH bytes); NULL on error or if lines are
 *            not known.
 * @param[out] sections The names of the module's sections in the table (const char *), in its order.
 */
struct error *debuginfo_line_table(struct debuginfo *debuginfo, const char **path, GPtrArray *sections);

struct tracepoint {
	const char *name, *system; /* "sched_switch", "sched" */
	const struct function *function; /* its parameters are "__data", then the tracepoint's arguments */
	struct address address; /* of the struct tracepoint */
};

/**
 * Return the tracepoints whose system and name match two globs (const struct tracepoint *), sorted by name; possibly
 * none.
 */
struct error *debuginfo_tracepoints(struct debuginfo *debuginfo, const char *system, const char *name, GPtrArray *ret);

/**
 * Like debuginfo_tracepoints(), of the kernel, but only for listing: `function` may be NULL. Fast even without an index
 * of the DWARF, because it then takes names and systems from BTF.
 */
struct error *debuginfo_tracepoint_names(struct debuginfo *debuginfo, const char *system, const char *name,
					 GPtrArray *ret);

/** Return whether only the symbol of a function is known, so that a query for variables must fail. */
bool debuginfo_is_only_symbol(const struct function *function);

/** Return the parameters and/or locals in scope at @p pc (the function's entry.value, or any pc in it). */
struct error *debuginfo_variables(const struct function *function, uint64_t pc, bool parameters, bool locals,
				  GPtrArray *ret);

/**
 * Find the variable @p name visible at @p pc: innermost scope first, then the parameters, then file-level variables of
 * the compilation unit. ERROR_LOOKUP if not found (the caller adds alternatives).
 */
struct error *debuginfo_find_variable(const struct function *function, uint64_t pc, const char *name,
				      const struct variable **ret);

/**
 * Return the file-level variables visible in the function's source file, including those declared in headers, by name.
 */
struct error *debuginfo_file_variables(const struct function *function, GPtrArray *ret);

/** Describe a variable's location: "register %rdi", "memory %rsp+16", "optimized out". */
const char *debuginfo_location_text(struct arena *arena, const struct variable *variable);

/** Find the file on this machine with the source text of a declaration_file; NULL if there is no such file. */
const char *debuginfo_source_file(const struct debuginfo *debuginfo, struct arena *arena, const char *path);

/** Locate a function's result at its return, by the calling convention. ERROR_LOOKUP for void. */
struct error *debuginfo_return_value(const struct function *function, const struct variable **ret);

/** Find a file-level variable by name, optionally in the unit whose path ends with @p file (glob or NULL). */
struct error *debuginfo_find_global(struct debuginfo *debuginfo, const char *name, const char *file,
				    const struct variable **ret);

/**
 * Find a type by its C name: "struct task_struct", "task_struct" (struct, union, enum, then typedef), "size_t", "foo_t
 * *".
 */
struct error *debuginfo_find_type(struct debuginfo *debuginfo, const char *name, struct type **ret);

/** Return the direct members of a struct or union in order (const struct member *), including anonymous ones. */
struct error *debuginfo_members(struct type *type, const GPtrArray **ret);

/**
 * Find a member by name, through anonymous structs and unions. ret->offset is from the start of @p type. ERROR_LOOKUP
 * if there is no such member.
 */
struct error *debuginfo_find_member(struct type *type, const char *name, struct member *ret);

/** Find the value of an enumerator of any enum. ERROR_LOOKUP if no enum has it. */
struct error *debuginfo_find_enumerator(struct debuginfo *debuginfo, const char *name, int64_t *ret);
/** Return the enumerators of an enum type (const struct enumerator *). */
struct error *debuginfo_enumerators(struct type *type, const GPtrArray **ret);

/**
 * Return a checksum of a module object file's imports and of everything else that modpost reads in it. The caller frees
 * it; NULL if the file cannot be read.
 */
char *imports_sum(const char *path);

#endif
