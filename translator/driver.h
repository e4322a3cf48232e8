/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The passes over one script for one kernel. */
#ifndef SPILE_DRIVER_H
#define SPILE_DRIVER_H

#include "translator/options.h"
#include "translator/translation.h"
#include "translator/run/run.h"

enum { LAST_PASS = 5 };

/* The exit status of --check if there are warnings, but no errors. */
enum { EXIT_WARNINGS = 2 };

struct build;

/* One translation; with --remote hosts of several kernels, there is one for each kernel. */
struct driver {
	struct options options;
	struct translation t;
	struct build *build; /* NULL: pass 4 is not needed, or not started */
	char *work_directory; /* made when first needed; removed at the end without -k and --tmpdir */
	const char *kernel_argument; /* the kernel's name for stap-vm */
	const char *module_path; /* result of pass 4; NULL: do not run pass 5 */
	int argc; /* the command line, including the rc file */
	char **argv;
	bool is_one_of_several; /* the script is translated for several kernels */
	unsigned int counts[4]; /* results of pass 2: probes, functions, pieces of embedded C, globals */
	int exit_status;
};

/** Fill in the translation. @p cache_directory is NULL if there is no usable cache. */
void driver_init(struct driver *d, const char *cache_directory);

/** Remove what would outlive the process. Memory and mappings are not freed, because exit does that faster. */
void driver_finish(struct driver *d);

struct error *driver_find_kernel(struct driver *d);

/** Make the directory for the results of passes 3 and 4, unless it exists. */
struct error *driver_make_work_directory(struct driver *d);

/** Run passes 1 to 4, or as many as -p says. */
struct error *driver_translate(struct driver *d);

/** --lint: run passes 1 and 2. Print nothing: the diagnostics are left to the caller. */
struct error *driver_analyze(struct driver *d);

/** --check: run passes 1 and 2, and set the exit status by what they report. */
struct error *driver_check(struct driver *d);

/** --help after the script's name: describe the script. */
struct error *driver_help(struct driver *d);

/** dtrace -h, -G: make a file from the providers that a program in D declares. */
struct error *driver_make(struct driver *d);

/** --format-script: print the script with other whitespace. */
struct error *driver_format(struct driver *d);

/** Print the diagnostics of a pass. Return true if the next pass should run. */
bool driver_finish_pass(struct driver *d, int pass);

/** Print and free an error, if any; stap then ends with a failure. */
void driver_note_failure(struct driver *d, struct error *error);

/** Pass 5: run the module on the hosts of --remote, or here if @p remotes is NULL. */
struct error *driver_run(struct driver *d, struct remotes *remotes);

#endif
