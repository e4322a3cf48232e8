/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of stap, taken apart. */
#ifndef SPILE_OPTIONS_H
#define SPILE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "translator/translation.h"

struct options {
	int last_pass; /* -p */
	int verbosity; /* -v, counted */
	int pass_verbosity[6]; /* --vp: for passes 1 to 5, index 0 unused */
	bool keep_folder; /* -k */
	bool guru_mode; /* -g */
	bool suppress_warnings, fatal_warnings; /* -w, -W */
	bool color;
	bool list, list_variables; /* -l, -L */
	bool suppress_handler_errors; /* --suppress-handler-errors */
	bool suppress_time_limits; /* --suppress-time-limits */
	bool disable_cache, poison_cache, clean_cache; /* --disable-cache, --poison-cache, --clean-cache */
	const char *script_text; /* -e, and the point of -l and -L */
	const char *script_path; /* file or "-" */
	const char *release; /* -r */
	const char *module_name; /* -m */
	const char *remote; /* --remote */
	const char *command; /* -c */
	const char *target_pid; /* -x */
	const char *output_file; /* -o */
	const char *sysroot; /* --sysroot */
	bool bulk; /* -b */
	int64_t buffer_megabytes; /* -s */
	GPtrArray *global_settings; /* of const char *: -G */
	bool no_global_display; /* --no-global-var-display */
	GPtrArray *tapset_folders; /* of const char *: -I */
	GPtrArray *extra_texts; /* of const char *: -E */
	char **arguments; /* of the script */
	int argument_count;
	struct script_limits limits; /* -D */
};

enum options_outcome { OPTIONS_RUN, OPTIONS_DONE, OPTIONS_ERROR };

/** Parse argv. OPTIONS_DONE: --help or --version was served. OPTIONS_ERROR: said what is wrong. */
enum options_outcome options_parse(struct options *options, struct arena *arena, int argc, char **argv);

#endif
