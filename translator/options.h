/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parsed command line of stap. */
#ifndef SPILE_OPTIONS_H
#define SPILE_OPTIONS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/architecture.h"
#include "common/arena.h"
#include "common/limits.h"
#include "common/sysroot.h"
#include "common/base/option_words.h"

#define LANGUAGE_VERSION "5.5"

/* What precedes the directory of a container image as the argument of --bundle. */
#define BUNDLE_IMAGE_PREFIX "oci:"

/* A list instead of a run: --dump-functions, --dump-probe-aliases, --dump-probe-types. */
enum dump_kind { DUMP_NOTHING, DUMP_FUNCTIONS, DUMP_ALIASES, DUMP_TYPES };

/* An option as it was given. */
struct given_option {
	const char *name; /* its letter, or its name if it has none */
	const char *argument; /* or NULL */
};

/* An option of the script that initializes a global, which staprun sets. */
struct script_setting {
	const char *option; /* NAME=VALUE as the user wrote it */
	const char *global; /* GLOBAL=VALUE for staprun */
};

/* --trust-servers */
struct server_trust {
	bool wanted;
	bool for_all, revokes; /* all-users, revoke */
	const char *fingerprint; /* the certificate's; "no-prompt": accept any; NULL: ask the user */
};

struct options {
	int last_pass; /* -p */
	int verbosity; /* -v, counted */
	int pass_verbosity[6]; /* --vp: for passes 1 to 5, index 0 unused */
	bool keep_directory; /* -k */
	bool prepare; /* --prepare */
	bool keep_debug; /* --debug: modules keep their debug sections */
	bool signs; /* --sign-module */
	const char *signing_directory; /* of --sign-module=DIRECTORY, or NULL */
	bool guru_mode; /* -g */
	bool suppress_warnings, fatal_warnings; /* -w, -W */
	bool color;
	bool json; /* --format=json */
	const char *report; /* --report: the file, or "-"; or NULL */
	int snapshot_seconds; /* of --format=json and --report: between snapshots of a run; 0: only the last one */
	bool list, list_variables; /* -l, -L */
	bool list_lines, list_locations; /* --list-lines, --list-vars */
	bool list_externs; /* --externs */
	bool suppress_handler_errors; /* --suppress-handler-errors */
	bool suppress_time_limits; /* --suppress-time-limits */
	bool disable_cache, poison_cache, clean_cache; /* --disable-cache, --poison-cache, --clean-cache */
	const char *script_text; /* -e, and the point of -l, -L, --list-lines and --list-vars */
	const char *script_name; /* of script_text, if it came from a bundle; or NULL */
	const char *script_path; /* file or "-"; the word of --list-examples */
	const char *release; /* -r; the last one */
	GPtrArray *releases; /* of const char *: each -r */
	const char *bundle, *bundle_add; /* --bundle, --bundle-add: the file, or oci:DIRECTORY; or NULL */
	bool bundle_exporter; /* --bundle-exporter */
	const char *bundle_from; /* --bundle-from: the file, or NULL */
	const char *bundle_key; /* --bundle-sign: the private key, or NULL */
	const struct architecture *architecture; /* -a, or NULL */
	const char *module_name; /* -m */
	GPtrArray *remotes; /* of const char *: each --remote */
	GPtrArray *guest_files; /* of const char *: each --file, PATH[:GUESTPATH] */
	bool remote_prefix; /* --remote-prefix */
	const char *command; /* -c */
	const char *command_report; /* staprun -E; NULL: its default */
	const char *command_start; /* staprun --start; NULL: its default */
	bool with_libraries; /* --ldd */
	const char *target_pid; /* -x */
	const char *cgroup;
	const char *namespaces_pid; /* --target-namespaces */
	const char *output_file; /* -o */
	const char *output_limit; /* -S: MEGABYTES or MEGABYTES,FILES; or NULL */
	bool background; /* -F */
	const char *monitor; /* --monitor: seconds, "json", or both; or NULL */
	const char *sysroot; /* --sysroot */
	struct sysroot environment; /* --sysenv: the search paths, without the directory */
	const char *digest; /* --debuginfo */
	const char *export_digest, *export_modules; /* --export-debuginfo, --modules */
	bool bulk; /* -b */
	GPtrArray *global_settings; /* of const char *: -G */
	GPtrArray *c_definitions; /* of const char *: "NAME VALUE" of each -D that is not a limit */
	GPtrArray *line_modules; /* of const char *: each -d */
	bool all_modules; /* --all-modules */
	GPtrArray *make_settings; /* of const char *: "NAME=VALUE" of each -B */
	const char *runtime_directory; /* -R: the directory of the runtime's sources; NULL: the installed one */
	const char *temporary_directory; /* --tmpdir */
	GPtrArray *module_info; /* of const char *: "NAME=VALUE" of each --modinfo */
	const char *stop_after; /* -T: seconds; or NULL */
	bool timing, unoptimized; /* -t, -u */
	bool checks, lint; /* --check, --lint */
	bool format_script, language_server; /* --format-script, --language-server */
	bool interactive, one_liners; /* -i, --one-liners */
	bool check_version, keep_going, skip_bad_variables; /* --check-version, --semantic-keep-going, --skip-badvars */
	bool no_renames; /* --no-renames */
	bool example, list_examples; /* --example, --list-examples */
	enum dump_kind dump;
	const char *compatible; /* --compatible, or the version of the language */
	const char *privilege; /* --privilege: "stapusr", "stapsys" or "stapdev" */
	bool no_global_display; /* --no-global-var-display */
	GPtrArray *tapset_directories; /* of const char *: -I */
	GPtrArray *extra_texts; /* of const char *: -E */
	GPtrArray *servers; /* of const char *: each --use-server; "": any known server */
	bool server_on_error, list_servers; /* --use-server-on-error, --list-servers */
	struct server_trust trust;
	const char *build_as; /* --build-as: the user who runs passes 1 to 4; or NULL */
	const char *build_id; /* --kernel-build-id, or NULL */
	GPtrArray *given; /* of struct given_option *: all options, in order */
	GPtrArray *script_options; /* of const char *: NAME=VALUE of each --script-option */
	GPtrArray *settings; /* of struct script_setting *: options of the script for its start; or NULL */
	bool script_help; /* --help after the script's name */
	GPtrArray *shaping; /* of const char *: the options that change the module, each as it was given */
	char **arguments; /* of the script */
	int argument_count;
	struct script_limits limits; /* -D */
	struct dtrace_command *dtrace; /* the program was started as dtrace (dtrace.h); else NULL */
};

/* OPTIONS_USAGE: an error for which dtrace exits with status 2. */
enum options_outcome { OPTIONS_RUN, OPTIONS_DONE, OPTIONS_ERROR, OPTIONS_USAGE };

/** Parse argv. Return OPTIONS_DONE after --help or --version, or OPTIONS_ERROR after printing an error. */
enum options_outcome options_parse(struct options *options, struct arena *arena, int argc, char **argv);

/**
 * Find an option by its name in struct given_option.
 *
 * @param[out] help Its line of --help, not translated; NULL if it has none.
 * @return NULL if there is no such option.
 */
const struct option_word *option_word_of(const char *name, const char **help);

struct option_table;

/** Return the table of stap's options. */
const struct option_table *options_table(void);

/** Was one of -l, -L, --list-lines and --list-vars given? */
bool options_listing(const struct options *options);

/** Return the verbosity of a pass (-v, --vp): 1 prints a line per pass, 2 prints details. */
int options_verbosity(const struct options *options, int pass);

/** Does the run of the script write JSON lines (staprun -J)? */
bool options_run_is_json(const struct options *options);

/** Is a bundle made? */
bool options_bundle(const struct options *options);

/** Return the directory of --bundle=oci:DIRECTORY; NULL if the bundle is a file, or there is none. */
const char *options_image_directory(const struct options *options);

/** Was -c or -x given? */
bool options_have_target(const struct options *options);

/** Return the process id of -x, or 0. */
int64_t options_target_pid(const struct options *options);

#endif
