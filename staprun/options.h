/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of staprun and of bundles; see options.c. */
#ifndef SPILE_STAPRUN_OPTIONS_H
#define SPILE_STAPRUN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "staprun/monitor.h"
#include "staprun/output.h"

enum { STATUS_OK, STATUS_FAILED, STATUS_USAGE };

/* The program that was started. A bundle contains its modules and, of the helper programs, stap-json. */
enum program { PROGRAM_STAPRUN, PROGRAM_BUNDLE };

/* What happens when the command of -c has ended. Only REPORT_FAILURE makes the exit status of staprun depend on it. */
enum command_report { REPORT_FAILURE, REPORT_PID, REPORT_NOTHING, REPORT_COUNT_ };

/* Where the command of -c is when the script starts. */
enum command_start { START_EXEC, START_MAIN, START_COUNT_ };

struct options {
	enum program program;
	const char *module; /* a path or a name; in a bundle, the name that -A or -d needs, otherwise NULL */
	const char *command; /* -c */
	const char *output_file; /* -o */
	const char *cgroup; /* --cgroup */
	const char *remote; /* URI of -r */
	int64_t remote_number;
	char **settings; /* NAME=VALUE of globals, NULL-terminated */
	enum color_when color;
	int verbosity, timeout, buffer_megabytes;
	int target, namespaces; /* -x, -N: process ids */
	bool suppress_warnings, rename, delete, daemon, leave, attach, describe;
	bool asked_to_say_more; /* -v on the command line, not SYSTEMTAP_VERBOSE */
	struct monitor_wish monitor, json; /* -M, -J */
	enum command_report report; /* -E */
	enum command_start start; /* --start */
	struct output_limit limit; /* -S */
	const struct script_line *script; /* what a bundle knows of its script, for -J; else NULL */
};

/** The state before any option. */
#define OPTIONS_STANDARD(of) ((struct options){.program = (of), .timeout = 200})

/** Parse a command line. Return a status; what is wrong was printed. */
int options_parse(struct options *options, int argc, char **argv);

/** Return whether a word of the command line is a long option of this program. */
bool options_has_word(const char *word);

/** Print a line for each option that the program has. */
void options_list(FILE *to, enum program program);

#endif
