// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap: do what the command line asks for: run a script here (driver.c) or on hosts (hosts.c), ask compile servers,
 * list, dump or export.
 */
#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/sdt.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/cache.h"
#include "common/files.h"
#include "common/process.h"
#include "common/user_directories.h"
#include "common/base/i18n.h"
#include "common/base/message.h"
#include "common/base/paths.h"
#include "common/base/standard_streams.h"
#include "translator/bundles.h"
#include "translator/driver.h"
#include "translator/dtrace.h"
#include "translator/dump.h"
#include "translator/examples.h"
#include "translator/hosts.h"
#include "translator/kernel_choice.h"
#include "translator/library.h"
#include "translator/lint.h"
#include "translator/one_liners.h"
#include "translator/options.h"
#include "translator/rc.h"
#include "translator/script_cache.h"
#include "translator/script_words.h"
#include "translator/client/client.h"
#include "translator/sema/sema.h"

/* ---- modes of operation ------------------------------------------------------------------------------------------ */

/* --use-server-on-error: use a compile server if the kernel or its build headers are missing here. */
static struct error *turn_to_server(struct driver *d, struct error *error)
{
	bool needs_headers = d->options.last_pass >= 4 && !options_listing(&d->options);

	if (!d->options.server_on_error || (!error && (d->t.kernel.build_directory || !needs_headers)))
		return error;
	fprintf(stderr, "%s\n", _("The kernel or its build headers are missing here; using a compile server."));
	error_free(error);
	g_ptr_array_add(d->options.servers, "");
	return driver_find_kernel(d);
}

/* Report an unreadable script before anything else that may be missing, such as the kernel. */
static struct error *check_script(const struct options *options)
{
	if (!options->script_path || !strcmp(options->script_path, "-") || !access(options->script_path, R_OK))
		return NULL;
	return error_errno(_("cannot read %s"), options->script_path);
}

/* --export-debuginfo: write the digest of the kernel and of the modules that match the globs of --modules. */
static struct error *export_debuginfo(struct driver *d)
{
	g_auto(GStrv) globs = g_strsplit(d->options.export_modules ?: "", ",", -1);
	GPtrArray *modules = arena_ptr_array(d->t.arena);
	struct error *error = NULL;

	g_ptr_array_add(modules, "kernel");
	for (char **glob = globs; *glob && !error; glob++) {
		GPtrArray *names = NULL;

		if (!**glob)
			continue;
		error = debuginfo_module_names(&d->t.kernel, d->t.arena, *glob, &names);
		if (!error && !names->len)
			error = error_new(ERROR_LOOKUP, _("kernel %s has no module '%s'"), d->t.kernel.release, *glob);
		for_each_ptr(const char *, name, names)
			g_ptr_array_add(modules, (void *)name);
	}
	return error ?: debuginfo_export(&d->t.kernel, &d->t.search, modules, d->options.export_digest);
}

static struct error *dump(struct driver *d)
{
	struct error *error = choose_kernel(&d->t, &d->options, &d->kernel_argument);

	error = error ?: find_library(&d->t, &d->options);
	error = error ?: parse_macros(&d->t);
	error = error ?: parse_library(&d->t);
	if (error || !driver_finish_pass(d, 1))
		return error;
	switch (d->options.dump) {
	case DUMP_FUNCTIONS:
		dump_functions(&d->t);
		driver_finish_pass(d, 2); /* prints errors of the library */
		break;
	case DUMP_ALIASES:
		dump_aliases(&d->t);
		break;
	case DUMP_TYPES:
		dump_probe_types(&d->t);
		break;
	case DUMP_NOTHING:
		break;
	}
	return NULL;
}

static struct error *resolve_example(struct driver *d)
{
	return d->options.example ? examples_find(d->t.arena, d->options.script_path, &d->options.script_path) : NULL;
}

/* Stop after pass 4 if the target kernel is not the running one. */
static void stop_before_running(struct driver *d)
{
	struct utsname here;

	if (d->options.last_pass < LAST_PASS || d->options.prepare || options_listing(&d->options) || uname(&here) ||
	    !strcmp(here.release, d->t.kernel.release))
		return;
	message_warn(_("kernel %s is not the running one (%s): stopping after pass 4; use --remote=vm: to run the "
		       "script in a guest"),
		     d->t.kernel.release, here.release);
	d->options.last_pass = 4;
	/* Nobody will set globals of the module, so its initial values must be the right ones. */
	for_each_ptr(const struct script_setting *, setting, d->options.settings)
		g_ptr_array_add(d->options.script_options, (void *)setting->option);
}

static struct error *run_here(struct driver *d)
{
	struct error *error = turn_to_server(d, driver_find_kernel(d));

	if (!error && d->options.export_digest)
		return export_debuginfo(d);
	if (error)
		return error;
	stop_before_running(d);
	error = driver_translate(d);
	return error || !d->module_path ? error : driver_run(d, NULL);
}

static struct error *run_passes(struct driver *d)
{
	struct error *error;

	if (d->options.trust.wanted)
		return server_trust(d->t.arena, &d->options, &d->exit_status);
	if (d->options.list_servers)
		return server_list(d->t.arena, &d->options, &d->exit_status);
	if (d->options.dump)
		return dump(d);
	if (d->options.one_liners)
		return one_liners_print();
	if (d->options.list_examples)
		return examples_list(d->t.arena, d->options.script_path, d->options.json);
	error = resolve_example(d);
	error = error ?: directory_check_temporary();
	error = error ?: check_script(&d->options);
	if (error)
		return error;
	if (d->options.script_help)
		return driver_help(d);
	if (d->options.dtrace && d->options.dtrace->makes)
		return driver_make(d);
	if (d->options.lint)
		return lint(d);
	if (options_bundle(&d->options))
		return make_bundle(d);
	if (d->options.format_script)
		return driver_format(d);
	if (d->options.checks && !d->options.remotes->len)
		return driver_check(d);
	return d->options.remotes->len && !d->options.export_digest && !d->options.prepare ? run_remotely(d)
											   : run_here(d);
}

/*
 * Debuginfo and cache files are mapped. If one is truncated while it is mapped, reading it raises SIGBUS. The data read
 * so far may be inconsistent with the rest, so print this message and exit.
 */
static const char *cut_short;

static void on_bus_error(int signal)
{
	if (write(STDERR_FILENO, cut_short, strlen(cut_short)) < 0)
		_exit(EXIT_FAILURE);
	_exit(EXIT_FAILURE);
}

static void catch_bus_error(struct arena *arena)
{
	cut_short = arena_printf(arena, "%s: %s\n%s: %s\n", _("ERROR"),
				 _("a file of debuginfo or of the cache was truncated while stap read it"), _("hint"),
				 _("run stap again when the package manager has finished"));
	signal(SIGBUS, on_bus_error);
}

/*
 * Make malloc() keep freed memory, because the next file that is read needs it again. By default, large blocks are
 * returned to the kernel, which costs one page fault per 4 KB at the next use: an eighth of all faults in pass 1.
 */
static void keep_freed_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 16 << 20);
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
	mallopt(M_TOP_PAD, 1 << 20);
}

/* Become another of our programs, which does what the options say. */
static struct error *become(const char *name, char **argv)
{
	const char *program = program_path(name);

	argv[0] = (char *)program;
	execvp(program, argv);
	return error_with_hint(error_errno(_("cannot run %s"), program), _("install the package spile completely"));
}

/* --language-server: become the server, which gets the other options as they were given. */
static struct error *become_language_server(int argc, char **argv)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();

	for (int i = 0; i < argc; i++)
		if (strcmp(argv[i], "--language-server"))
			g_ptr_array_add(words, argv[i]);
	g_ptr_array_add(words, NULL);
	return become("stap-language-server", (char **)words->pdata);
}

/* Options of the rc file are for the runs, whose stap reads it. Return false if another program is not wanted. */
static bool become_other(struct driver *d, int argc, char **argv)
{
	if (d->options.language_server)
		driver_note_failure(d, become_language_server(argc, argv));
	else if (d->options.interactive)
		driver_note_failure(d, become("stap-interactive", argv));
	return d->options.language_server || d->options.interactive;
}

int main(int argc, char **argv)
{
	struct driver d = {.exit_status = EXIT_SUCCESS};
	struct script_words words = {0};
	char **given = argv;
	int given_count = argc;
	struct error *error, *bad_word = NULL;
	const char *directory;
	bool is_dtrace;

	standard_streams_open();
	keep_freed_memory();
	i18n_init(locale_directory());
	/* If the reader of a pipe exits, let write() fail instead, so that stap can clean up. */
	signal(SIGPIPE, SIG_IGN);
	d.t.arena = arena_new();
	is_dtrace = dtrace_is_name(argv[0]);
	error = is_dtrace ? NULL : rc_arguments(d.t.arena, argc, argv, &argc, &argv);
	if (error_report_free(error)) {
		d.exit_status = EXIT_FAILURE;
		driver_finish(&d);
		return d.exit_status;
	}
	if (!is_dtrace) {
		bad_word = script_words_split(d.t.arena, argc, argv, &words);
		argc = words.argc;
		argv = words.argv;
	}
	switch ((is_dtrace ? dtrace_options_parse : options_parse)(&d.options, d.t.arena, argc, argv)) {
	case OPTIONS_USAGE:
		d.exit_status = EXIT_USAGE;
		break;
	case OPTIONS_ERROR:
		d.exit_status = EXIT_FAILURE;
		break;
	case OPTIONS_DONE:
		break;
	case OPTIONS_RUN:
		if (become_other(&d, given_count, given))
			break;
		d.options.settings = words.settings;
		d.options.script_help = words.wants_help;
		if (bad_word) {
			driver_note_failure(&d, g_steal_pointer(&bad_word));
			break;
		}
		STAP_PROBE1(stap, pass0, &d.t);
		process_catch_signals();
		catch_bus_error(d.t.arena);
		if (d.options.clean_cache) {
			directory = usable_translation_cache();
			if (directory)
				cache_clean(directory, true);
			else
				d.exit_status = EXIT_FAILURE;
			break;
		}
		d.argc = argc;
		d.argv = argv;
		driver_init(&d, d.options.disable_cache ? NULL : usable_translation_cache());
		known_begin(&d.t, argc, argv);
		error = run_passes(&d);
		diagnostics_flush(d.t.diagnostics);
		driver_note_failure(&d, error);
		break;
	}
	error_free(bad_word);
	d.exit_status = standard_output_finish(d.exit_status);
	driver_finish(&d);
	return d.exit_status;
}
