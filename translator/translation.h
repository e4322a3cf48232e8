/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One translation: what the command line asked for, and what each pass leaves for the next. The driver (main.c) owns
 * it; passes are functions over it.
 *
 *     pass 1  lang/    scripts, library              source text to trees
 *     pass 2  sema/    probes, globals, functions    names, types, probe points to addresses, $variables to loads
 *     pass 3  emit/    c_text                        the module's C source
 *     pass 4  build/   module_path                   the .ko
 *     pass 5  run/                                   staprun, here or elsewhere
 */
#ifndef SPILE_TRANSLATION_H
#define SPILE_TRANSLATION_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/layout.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/lang/lang.h"
#include "translator/util/diagnostic.h"
#include "translator/util/limits.h"

/* A file of a tapset folder. */
struct library_file {
	const char *path;
	bool is_of_macros;
	bool is_trusted;
	bool is_installed; /* with stap, and not a user's */
	bool is_library; /* not from a directory of -I */
	bool is_parsed; /* a script: it is in `library`, unless it was wrong */
	struct source_file *source; /* of a script, from pass 1 on */
};

struct translation;

/** That of --privilege. */
enum privilege privilege_of(const struct translation *t);

/* A function of the module's C that comes from the script, for what build/ has to say about it. */
struct c_function {
	const char *name; /* of the function or the probe point */
	struct location location;
	bool is_handler;
	bool is_embedded;
};

/* Probes that run the same C: a row of the module's table of struct stp_stack_need. */
struct stack_group {
	const char *handlers[4]; /* names in C of those that a hit may run; NULL ends them */
};

/* What emit/ writes of the time at which the module is made, and build/ fills in, in as many characters. */
#define MODULE_TIME_KEY "spile_made="
#define MODULE_TIME_PLACE MODULE_TIME_KEY "0000-00-00T00:00:00Z"

/* How one derived probe is armed: what ends up in struct stp_probe. */
struct registration {
	enum stp_probe_kind kind;
	bool by_symbol; /* kprobe.function: found at load time */
	const char *symbol;
	bool is_absolute; /* the address is one of the running kernel: no debuginfo */
	struct address address; /* of the probed instruction */
	struct debuginfo *debuginfo; /* what the address belongs to; NULL: no address */
	struct address fentry; /* with has_fentry */
	uint64_t file_offset; /* of a place in a program or library: of `address` in its file */
	const GPtrArray *return_exits; /* of a return there: struct function_exit *; NULL: by the return address */
	struct address tracepoint; /* of STP_PROBE_TRACEPOINT; `address` is where its arguments are described */
	int arguments; /* of a tracepoint, without the first */
	bool has_fentry;
	int maxactive;
	int64_t order; /* begin, end, error */
	int64_t interval, randomize; /* timers: ns, negative: jiffies */
	const struct stp_details *details; /* of families that have some, or NULL */
	bool exits; /* oneshot: exit() after the handler */
};

/* A regular expression of the script. */
struct compiled_regex {
	const char *text;
	size_t length;
	const char *unique_name;
	const struct stp_regex *tables;
};

/* One place where a handler runs: the outcome of resolving one probe point. */
/*
 * What keeps the registers of each call of a function from its entry on, for probes elsewhere in it. Those that are
 * used have a number (sema/targets.c).
 */
struct call_recorder {
	const struct function *function;
	const char *text; /* what messages call it */
	const struct stp_details *details; /* of a function of a program: the processes it is for; NULL: all */
	unsigned int number; /* from 1; 0: no handler needs it */
};

/*
 * A function by which exceptions go from frame to frame. The return address of a function whose return is probed by the
 * kernel's trampoline is not there for them to find: the runtime puts it back when they begin, and the trampoline's
 * when they end.
 */
struct unwinder {
	struct debuginfo *debuginfo;
	const char *name;
	struct address address;
	bool ends; /* an exception ends here: it is caught */
};

struct derived_probe {
	const struct probe *origin; /* as written */
	const struct probe_point *point; /* without aliases; shared by all places that it led to */
	const char *point_text; /* pp() */
	const char *listed_text; /* what lists show; NULL: as pp() */
	const char *name; /* pn(); NULL: as pp() */
	const char *function_name; /* probefunc(), "" if none */
	const char *derivation; /* -t: the points as written, through aliases; else NULL */
	const struct provider *provider;
	struct registration registration;
	const struct function *function; /* function-based probes: where $variables are looked up, else NULL */
	const struct named_place *named_place; /* of marks and the like (probes/mark.c), else NULL */
	int line; /* that a statement probe is for; 0 in others */
	bool is_return;
	struct expr *guard; /* the handler runs if this holds; NULL: always */
	struct statement *body; /* own copy */
	bool of_alias; /* the user named an alias, `name` */
	struct statement *gate; /* in it: "if" of the point's conditions, around all the rest; or NULL */
	GPtrArray *locals; /* of struct symbol * */
	GPtrArray *entry_values; /* of struct expr *: evaluated at entry for EXPR_ENTRY_VALUE slots */
	bool uses_registers; /* beyond those of the calling convention */
	const struct lock_region *lock_region; /* NULL: needs no lock */
	bool uncounted; /* the translator's own: its statements do not count against MAXACTION */
};

/* What addresses of the script are relative to: a row of the runtime's table (struct stp_target). */
struct target {
	enum stp_target_kind kind;
	const char *name, *section, *build_id; /* the first two as in struct stp_target */
	struct debuginfo *debuginfo; /* NULL: of the kernel, and nothing was asked of it */
	const char *anchor; /* a symbol by which a module's section is found when it is loaded; NULL: there is none */
	uint64_t anchor_offset;
	const char *lines; /* file with its module's table of source lines, or NULL */
	unsigned int lines_section; /* which of the table's it is */
};

/* A program or library, and the entry of the cache that has its table (runtime/object_table.h). */
struct object_table {
	const char *path, *file; /* there, and here */
	const char *table;
};

struct translation {
	struct arena *arena;
	struct diagnostics *diagnostics;
	struct language_context language;
	GChecksum *identity; /* of all that the outcome depends on (known.c) */
	struct script_limits limits;
	struct target_kernel kernel;
	struct debuginfo_search search;
	bool kernel_known;
	const char *cache_folder; /* or NULL: none */
	const char *module_name;
	bool keep_folder; /* -k */
	bool keep_debug; /* --debug: modules keep their debug sections */
	bool signs; /* --sign-module */
	const char *signing_folder; /* where its key is, or NULL */
	bool note_build; /* -vv: say how pass 4 went */
	bool is_preparation; /* --prepare: there is no script */
	bool calls_too_deep; /* sema: an error was given */
	bool only_names; /* -l: not even what a probe would need */
	bool lists_variables; /* -L: of aliases, what they set is wanted, too */
	bool only_lists; /* -l and its like: probes are derived, their handlers are not wanted */
	/* --dump-functions: there is no script, and what it would need of a kernel need not be there */
	bool only_library;
	bool suppress_handler_errors;
	bool bulk; /* -b */
	GPtrArray *global_settings; /* of const char *: "name=value" of each -G; may be NULL */
	GPtrArray *c_definitions; /* of const char *: "NAME VALUE" of each -D that is for the C; may be NULL */
	GPtrArray *make_settings; /* of const char *: "NAME=VALUE" for make */
	const char *runtime_folder; /* the runtime's sources; NULL: ours */
	GPtrArray *line_modules; /* of const char *: those of -d; may be NULL */
	bool with_libraries; /* --ldd */
	GPtrArray *module_info; /* of const char *: "NAME=VALUE" of each --modinfo; may be NULL */
	GPtrArray *shaping; /* of const char *: options that shape the module, for it to say */
	bool no_global_display; /* --no-global-var-display */
	bool timing; /* -t */
	bool unoptimized; /* -u */
	bool skip_bad_variables; /* --skip-badvars */
	bool keep_going; /* --semantic-keep-going */
	bool check_version; /* --check-version */
	bool uses_autocast; /* pass 2: somewhere -> follows an expression whose type must be found out */
	struct script *syscalls; /* pass 2: aliases made on demand, in the library; NULL: none so far */
	GHashTable *syscall_variables; /* … and which variables they set */
	GHashTable *selected; /* pass 2: set of library scripts of which an alias is used */
	bool has_target; /* -c or -x */
	const char *command; /* -c, or NULL */
	int64_t target_pid; /* -x, or 0 */

	/* before pass 1 */
	GPtrArray *library_files; /* of struct library_file *, in the order of parsing */
	GPtrArray *user_sources; /* of struct source_file * */

	/* pass 1 */
	GPtrArray *scripts; /* of struct script *: the user's */
	GPtrArray *library; /* of struct script *: tapsets, those that were asked for; see library_with() */
	GHashTable *library_names; /* name -> GPtrArray of struct library_file * that may define it */

	/* pass 2 */
	/* Compiles header files for their types (build/headers.h); from main.c, since that is not for pass 2 itself. */
	struct error *(*compile_headers)(const struct translation *t, const char *headers, bool for_kernel,
					 const char *folder, char **path);
	GHashTable *type_files; /* "<…>" or a program's path -> struct debuginfo *, for types only */
	GHashTable *open_objects; /* real path of a program or library -> struct debuginfo * */
	GHashTable *open_debuginfo; /* module name as the kernel spells it -> struct debuginfo * */
	GPtrArray *probes; /* of struct derived_probe *, in running order */
	GPtrArray *recorders; /* of struct call_recorder *; NULL: none */
	GPtrArray *used_recorders; /* those with a number, in its order */
	GHashTable *unwinders_by_object; /* path of an object -> struct unwinders * (probes/unwinders.c) */
	GPtrArray *used_unwinders; /* of struct unwinder *: those of processes that have trampolines */
	GPtrArray *targets; /* of struct target *; the first is the kernel */
	GPtrArray *user_objects; /* of struct object_table *: programs whose tables the module brings */
	const char *kernel_lines; /* file with the kernel's table of source lines; NULL: not asked for, or not known */
	uint64_t printk_address; /* where _printk was linked; 0: no address of the kernel or a module is used */
	uint64_t current_kprobe_address; /* the same of the variable; 0: not known */
	unsigned int left_out; /* places that were not made probes, since the kernel accepts none there */
	GPtrArray *globals; /* of struct symbol *: the live ones */
	GPtrArray *functions; /* of struct function_declaration *: the live ones */
	GPtrArray *regexes; /* of struct compiled_regex *: each pattern once */
	GPtrArray *embeds; /* of struct statement *: top-level embedded C that is used */

	/* pass 3 */
	const char *c_text;
	GHashTable *c_functions; /* name in C -> struct c_function * */
	GPtrArray *stack_groups; /* of struct stack_group *, in the order of stp_script.stack_needs; one at least */
};

/**
 * The library's scripts, with all of those that define a function, a global or the first component of an alias of this
 * name. Later calls add others at the end. What is wrong in them is a diagnostic.
 */
const GPtrArray *library_with(struct translation *t, const char *name);
/** The same with all of those that have this text anywhere. */
const GPtrArray *library_saying(struct translation *t, const char *text);
/** All of the library, as for lists and for "did you mean". */
const GPtrArray *whole_library(struct translation *t);

/**
 * Debuginfo of the kernel ("kernel") or of a module, opened on first use and kept till the end.
 * ERROR_DEBUGINFO or ERROR_LOOKUP as debuginfo_open() gives them.
 */
struct error *translation_debuginfo(struct translation *t, const char *module, struct debuginfo **ret);

/** The same of a program or library, by its real path. */
struct error *translation_object(struct translation *t, const char *path, struct debuginfo **ret);

/**
 * A failure of a stap that translates for a client of a compile server (SPILE_FOR_CLIENT): the way out is for that
 * machine, and its hint says so. Returns the same error, or NULL for none.
 */
struct error *error_for_client(struct error *error);

/**
 * Report an environment error as a semantic error at a place of the script, unless it is of no matter there; frees the
 * error.
 */
void translation_report(struct translation *t, const struct location *location, struct error *error);

#endif
