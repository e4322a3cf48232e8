/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of one translation: the results that each pass leaves for the next, and the options of the command line.
 * The driver (main.c) owns it; each pass is a function that takes it.
 *
 *     pass 1  lang/    scripts, library              source text to trees
 *     pass 2  sema/    probes, globals, functions    names, types, probe points to addresses, $variables to loads
 *     pass 3  emit/    c_text                        the module's C source
 *     pass 4  build/   the module file, whose path the driver keeps
 *     pass 5  run/                                   staprun, here or elsewhere
 */
#ifndef SPILE_TRANSLATION_H
#define SPILE_TRANSLATION_H

#include <stdbool.h>
#include <stdint.h>

#include "common/limits.h"
#include "runtime/abi/layout.h"
#include "translator/options.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/lang/diagnostic.h"
#include "translator/lang/lang.h"

/* A file of a tapset directory. */
struct library_file {
	const char *path;
	bool is_of_macros; /* .stpm; otherwise a script (.stp) */
	bool is_trusted; /* its embedded C may be used in spite of --privilege */
	bool is_installed; /* in the directory that was installed with stap */
	bool is_library; /* not from a directory of -I */
	bool is_parsed; /* scripts: it is in translation.library, unless it had an error */
	struct source_file *source; /* the text, from pass 1 on */
};

struct translation;

/** Return the privilege that --privilege selected. */
enum privilege privilege_of(const struct translation *t);

/* A function of the generated C that comes from the script. Messages of build/ refer to the script with it. */
struct c_function {
	const char *name; /* of the function or the probe point */
	struct location location;
	bool is_handler;
	bool is_embedded;
};

/* Probes whose hits run the same C functions: a row of the module's table of struct stp_stack_need. */
struct stack_group {
	const char *handlers[4]; /* C names of the functions that a hit may run; NULL-terminated */
};

/* emit/ writes this placeholder for the build time; build/ overwrites it with a text of the same length. */
#define MODULE_TIME_KEY "spile_made="
#define MODULE_TIME_PLACE MODULE_TIME_KEY "0000-00-00T00:00:00Z"

/* How one derived probe is armed; becomes a struct stp_probe of the module. */
struct registration {
	enum stp_probe_kind kind;
	bool by_symbol; /* kprobe.function: the kernel resolves `symbol` at load time */
	const char *symbol;
	bool is_absolute; /* `address` is valid in the running kernel as it is; there is no debuginfo */
	struct address address; /* of the probed instruction */
	struct debuginfo *debuginfo; /* of the object that `address` belongs to; NULL: no address */
	struct address fentry; /* valid if has_fentry */
	uint64_t file_offset; /* programs and libraries: the offset of `address` in the file */
	/* Return probes in programs: struct function_exit * to probe; NULL: the kernel replaces the return address. */
	const GPtrArray *return_exits;
	struct address tracepoint; /* STP_PROBE_TRACEPOINT; `address` is where its arguments are described */
	int arguments; /* of a tracepoint, not counting the first (void *__data) */
	bool has_fentry;
	int maxactive;
	int64_t order; /* begin, end, error */
	int64_t interval, randomize; /* timers: nanoseconds if positive, jiffies if negative */
	const struct stp_details *details; /* data that only some probe families have, or NULL */
	/* netfilter in guru mode: C expressions for these members of the details; NULL: they are numbers */
	const char *family_text, *hook_text, *priority_text;
	bool exits; /* oneshot: exit() after the handler */
};

struct compiled_regex {
	const char *text;
	size_t length;
	const char *unique_name;
	const struct stp_regex *tables;
};

/*
 * Saves the registers at the entry of each call of a function, for probes elsewhere in the function that need their
 * values. sema/targets.c numbers the recorders that a handler uses.
 */
struct call_recorder {
	const struct function *function;
	const char *text; /* its name in messages */
	const struct stp_details *details; /* functions of programs: which processes; NULL: all */
	unsigned int number; /* from 1; 0: no handler needs it */
};

/*
 * A function of a program that unwinds the stack for an exception. A return probe replaces a return address on the
 * stack with that of the kernel's trampoline, which unwinding does not understand. So the runtime restores the real
 * address when unwinding begins and puts the trampoline's back when it ends.
 */
struct unwinder {
	struct debuginfo *debuginfo;
	const char *name;
	struct address address;
	bool ends; /* unwinding ends here: the exception is caught */
};

/* One place where a handler runs. A probe point of the script resolves to any number of them. */
struct derived_probe {
	const struct probe *origin; /* the probe in the script */
	const struct probe_point *point; /* with aliases expanded; shared by all places that it resolved to */
	const char *point_text; /* pp() */
	const char *listed_text; /* shown by -l; NULL: point_text */
	const char *name; /* pn() */
	const char *function_name; /* probefunc(), "" if none */
	const char *derivation; /* -t: the point and the aliases that led to it, as written; else NULL */
	const struct provider *provider;
	struct registration registration;
	const struct function *function; /* whose $variables the handler sees; NULL: not function-based */
	const struct named_place *named_place; /* marks (probes/mark.c), else NULL */
	int line; /* of a statement probe; 0 in others */
	bool is_return;
	const struct probe_point *written; /* the point of `origin` that led here; NULL: not from a script */
	struct expr *guard; /* the provider's condition for running the handler; NULL: always */
	struct statement *body; /* own copy */
	bool of_alias; /* the user named an alias, `name` */
	struct statement *gate; /* the "if" in `body` that tests the point's conditions; or NULL */
	GPtrArray *locals; /* of struct symbol * */
	GPtrArray *entry_values; /* of struct expr *: evaluated at entry for EXPR_ENTRY_VALUE slots */
	bool uses_registers; /* other than those of the calling convention */
	const struct lock_region *lock_region; /* NULL: needs no lock */
	bool uncounted; /* added by the translator: its statements do not count against MAXACTION */
};

/* An object (kernel, section of a module, program) that addresses are relative to; becomes a struct stp_target. */
struct target {
	enum stp_target_kind kind;
	const char *name, *section, *build_id; /* the first two as in struct stp_target */
	struct debuginfo *debuginfo; /* NULL: the kernel's, which was not needed */
	const char *anchor; /* a symbol that locates a loaded module's section; NULL: not found */
	uint64_t anchor_offset;
	const char *lines; /* the file with the module's table of source lines, or NULL */
	unsigned int lines_section; /* the section's index in that table */
	bool any_place; /* the script names it by build-id */
};

/* A program or library, and the cache entry with its table (runtime/abi/object_table.h). */
struct object_table {
	const char *path; /* on the machine that runs the script */
	const char *file; /* on this machine: differs from `path` with --sysroot */
	const char *table;
};

struct translation {
	struct arena *arena;
	const struct options *options;
	struct diagnostics *diagnostics;
	struct language_context language;
	GChecksum *identity; /* over everything that decides the resulting module (script_cache.c) */
	struct script_limits limits; /* of the options; pass 3 chooses those that are not set */
	struct target_kernel kernel;
	struct debuginfo_search search;
	const char *cache_directory; /* NULL: do not use a cache */
	const char *module_name;
	bool calls_too_deep; /* pass 2 has already reported that calls are nested too deep */
	bool only_library; /* --dump-functions: there is no script; ignore missing modules and debuginfo */
	GPtrArray *line_modules; /* of const char *: modules, programs and libraries of -d; may be NULL */
	const char *output_format; /* pass 2: a description of the format of all output, or NULL (sema/own_output.c) */
	bool uses_autocast; /* pass 2: some "->" follows an expression whose type must be inferred */
	struct script *syscalls; /* pass 2: in the library, the syscall aliases made on demand; NULL: none so far */
	GHashTable *syscall_variables; /* … and which variables they set */
	/*
	 * For editors, which cannot wait while debuginfo is indexed: the modules ("kernel") and paths of programs that
	 * are not indexed yet. A script that needs them gets an error. Objects whose index is not kept in the cache are
	 * indexed nevertheless, because no other process can do it. NULL: index whatever is needed.
	 */
	GPtrArray *unindexed; /* of const char * */
	GHashTable *index_here; /* set of names; or NULL */
	GPtrArray *excuses; /* of const char *: the messages of such errors; or NULL */
	struct alias_index *alias_index; /* pass 2: aliases of the library by name (sema/derive.c); NULL: none so far */
	GHashTable *selected; /* pass 2: set of library scripts with an alias that the script uses */

	/* before pass 1 */
	GPtrArray *library_files; /* of struct library_file *, in the order of parsing */
	GPtrArray *user_sources; /* of struct source_file * */

	/* pass 1 */
	GPtrArray *scripts; /* of struct script *: the user's */
	GPtrArray *library; /* of struct script *: the library scripts parsed so far; see library_with() */
	GHashTable *library_names; /* name -> GPtrArray of struct library_file * that may define it */

	/* pass 2 */
	/* headers_compile() of build/headers.h. main.c sets the pointer, so that pass 2 does not depend on build/. */
	struct error *(*compile_headers)(const struct translation *t, const char *headers, bool for_kernel,
					 const char *directory, char **path);
	/*
	 * Of a script in another language: fills in `probes`, with bodies, instead of sema/derive.c. Returns false
	 * after errors. NULL: the script is in the SystemTap language.
	 */
	bool (*derive_foreign)(struct translation *t);
	void *foreign; /* data of the other language's front end */
	GHashTable *type_files; /* "<…>" or a program's path -> struct debuginfo *, for types only */
	GHashTable *builds; /* build-id that a probe point names -> path of the file on this machine */
	GHashTable *open_objects; /* real path of a program or library -> struct debuginfo * */
	GHashTable *open_debuginfo; /* module name as the kernel spells it -> struct debuginfo * */
	GPtrArray *probes; /* of struct derived_probe *, in running order */
	GPtrArray *recorders; /* of struct call_recorder *; NULL: none */
	GPtrArray *used_recorders; /* the recorders that have a number, in its order */
	GHashTable *unwinders_by_object; /* path of an object -> struct unwinders * (probes/unwinders.c) */
	GPtrArray *used_unwinders; /* of struct unwinder *, if a return probe uses the kernel's trampoline */
	GPtrArray *targets; /* of struct target *; the first is the kernel */
	GPtrArray *user_objects; /* of struct object_table *: programs whose tables the module contains */
	const char *kernel_lines; /* file with the kernel's table of source lines; NULL: not needed, or not found */
	uint64_t printk_address; /* link-time address of _printk; 0: the script uses no kernel address */
	uint64_t current_kprobe_address; /* link-time address of that variable; 0: not known */
	bool keeps_names; /* in @defined: do not replace names that this kernel has changed */
	GHashTable *meanings; /* what depends on the kernel (meanings.c); NULL: not recorded */
	unsigned int left_out; /* number of places that were skipped because the kernel refuses probes there */
	GPtrArray *globals; /* of struct symbol *: the live ones */
	GPtrArray *functions; /* of struct function_declaration *: the live ones */
	GPtrArray *regexes; /* of struct compiled_regex *: each pattern once */
	GPtrArray *embeds; /* of struct statement *: top-level embedded C that is used */
	unsigned int type_epoch; /* types.c: how often a declaration became known */
	unsigned long inference_steps; /* types.c: expressions inferred so far; for tests */

	/* pass 3 */
	const char *c_text;
	GHashTable *c_functions; /* name in C -> struct c_function * */
	GPtrArray *stack_groups; /* of struct stack_group *, in the order of stp_script.stack_needs; never empty */
};

/**
 * Begin a translation. Its arena is set already; everything else is zero. The options must live as long.
 *
 * @param[in] cache_directory NULL if there is no usable cache.
 */
void translation_begin(struct translation *t, const struct options *options, const char *cache_directory);

/** Open debuginfo anew when it is needed. Translations that share the old tables keep what is open in them. */
void translation_forget_debuginfo(struct translation *t);

/** Free all that the translation holds, with its arena. */
void translation_end(struct translation *t);

/**
 * Parse the library scripts that define a function, a global or an alias (its first component) of this name, and return
 * all scripts parsed so far. Later calls append to the same array. Errors in the scripts become diagnostics.
 */
const GPtrArray *library_with(struct translation *t, const char *name);
/** The same for the library scripts that contain the text anywhere. */
const GPtrArray *library_containing(struct translation *t, const char *text);
/** The same for the whole library: for lists, wildcards and "did you mean". */
const GPtrArray *library_all(struct translation *t);

/**
 * Return the debuginfo of the kernel ("kernel") or of a module. It is opened on first use and stays open.
 * Fails with ERROR_DEBUGINFO or ERROR_LOOKUP, as debuginfo_open() does.
 */
struct error *translation_debuginfo(struct translation *t, const char *module, struct debuginfo **ret);

/** The same for a program or library, given by its real path. */
struct error *translation_object(struct translation *t, const char *path, struct debuginfo **ret);

/**
 * Mark the error's hint as one for the compile server's machine, if this stap runs for a client of a compile server
 * (SPILE_FOR_CLIENT). Return the same error; NULL stays NULL.
 */
struct error *error_for_client(struct error *error);

/** Note that an error only means that an editor cannot wait for an answer. Return the same error. */
struct error *excused(const struct translation *t, struct error *error);

/**
 * Report an environment error as a semantic error at a place of the script, and free it. With only_library, errors
 * about modules and debuginfo are dropped.
 */
void translation_report(struct translation *t, const struct location *location, struct error *error);

/* ---- what a script means on a kernel (meanings.c) ---------------------------------------------------------------- */

/** Record meanings from now on, in t->meanings: text "FILE:LINE:COLUMN: WHAT" -> GPtrArray of its values, sorted. */
void meanings_record(struct translation *t);

/**
 * Note a fact about a place of the user's script that can differ between kernels. Places of the library are left out:
 * the library makes kernels equal. A place has several values if it is translated for several probes.
 *
 * @param[in] what What the fact is about, such as a variable, as the script has it.
 * @param[in] value NULL: make the entry without a value.
 */
void meaning_note(struct translation *t, const struct location *where, const char *what, const char *value);

/** Describe a type by what matters to a script: without typedefs and qualifiers, and integers by size and sign. */
const char *type_meaning(struct arena *arena, const struct type *type);

#endif
