/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command dtrace: its options, and what it does instead of stap around the passes; see dtrace.c. */
#ifndef SPILE_DTRACE_H
#define SPILE_DTRACE_H

#include "translator/options.h"
#include "translator/dlang/dlang.h"

enum { EXIT_USAGE = 2 };

/* A program of the command line: a file of -s, or the text of -n, -P, -m, -f or -i. */
struct dtrace_source {
	enum d_part last; /* the last part of a description */
	bool is_file;
	const char *text; /* or the file's name */
	const char *kind; /* in messages: "script", "description", "provider"… */
};

struct dtrace_command {
	GPtrArray *sources; /* of struct dtrace_source * */
	struct d_options options;
	bool lists, shows_code, runs_preprocessor;
	bool is_verbose; /* -v: print the stability; with -l also types, otherwise the times of the passes */
	char makes; /* 'h' or 'G': a header or an object file; else 0 */
	const char *start; /* -x evaltime: where the command of -c is then, as for staprun --start; NULL: main */
	bool defaults; /* -x defaultargs */
	bool shows_tags; /* -x errtags */
	bool allows_empty, allows_unused; /* -x empty, -x argref */
	GPtrArray *library_directories; /* of const char *: -L */
	const char *preprocessor_path; /* -x cpppath; NULL: cpp */
	GPtrArray *preprocessor; /* of const char *: -D, -I, -U and -H for cpp */
	GPtrArray *settings; /* of struct d_option *: -x */
	struct d_program *program;
};

/** Was the program started as dtrace, rather than as stap? */
bool dtrace_is_name(const char *program);
/** Parse the command line of dtrace into the options of stap, with options->dtrace. */
enum options_outcome dtrace_options_parse(struct options *options, struct arena *arena, int argc, char **argv);
/** Read the programs, instead of find_user_scripts(). */
struct error *dtrace_find_sources(struct translation *t, const struct options *options);
/** Pass 1: parse the programs. Errors become diagnostics. */
void dtrace_parse_sources(struct translation *t, struct options *options);
/** After pass 2: print how many probes each program matched. */
void dtrace_report_matches(const struct translation *t, struct options *options);
/** Can the cache recall the program? Return true for scripts of stap. */
bool dtrace_may_recall(const struct translation *t, const struct options *options);
/** Return what dtrace_recalled() must know, in the form " NUMBER …"; NULL if the program must not be recalled. */
const char *dtrace_note(const struct translation *t, const struct options *options);
/** Print how many probes each program matched when it was translated. @p note has four numbers before ours. */
void dtrace_recalled(struct options *options, const char *note);
/** Print the first error, as dtrace(1) words it. */
void dtrace_report_failure(const struct translation *t, const struct options *options);
/** -h, -G: after pass 1, make the file. */
struct error *dtrace_make(const struct options *options);
/** -l: print the probes that the programs match. */
void dtrace_list(struct translation *t);

#endif
