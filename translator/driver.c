// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The driver: runs the passes on a struct translation, and measures their time. It stops after the first pass that
 * reports an error, or after the pass that -p names.
 */
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/sdt.h>
#include <unistd.h>

#include "common/cache.h"
#include "common/files.h"
#include "common/process.h"
#include "common/progress.h"
#include "common/user_directories.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/elf/module_facts.h"
#include "translator/driver.h"
#include "translator/dtrace.h"
#include "translator/json_lines.h"
#include "translator/kernel_choice.h"
#include "translator/library.h"
#include "translator/list.h"
#include "translator/options.h"
#include "translator/other_user.h"
#include "translator/script_cache.h"
#include "translator/script_help.h"
#include "translator/sources.h"
#include "translator/stopwatch.h"
#include "translator/build/build.h"
#include "translator/build/headers.h"
#include "translator/build/kbuild.h"
#include "translator/client/client.h"
#include "translator/emit/emit.h"
#include "translator/run/arguments.h"
#include "translator/run/run.h"
#include "translator/sema/sema.h"
#include "translator/session/session.h"

/* ---- -v --------------------------------------------------------------------------------------------------------- */

static int verbosity(const struct driver *d, int pass)
{
	return options_verbosity(&d->options, pass);
}

static void report_pass(const struct driver *d, int pass, const struct stopwatch *watch, const char *what)
{
	g_autofree char *time = NULL, *memory = NULL;

	if (verbosity(d, pass) < 1)
		return;
	time = stopwatch_text(watch);
	memory = memory_text();
	progress_clear();
	fprintf(stderr, _("Pass %d: %s using %s, in %s ms."), pass, what, memory, time);
	fputc('\n', stderr);
}

/* ---- results of passes 1 to 3 (-p) ------------------------------------------------------------------------------- */

static void print_result(const struct driver *d, int pass, FILE *to)
{
	if (pass == 1)
		for_each_ptr(const struct script *, script, d->t.scripts)
			print_script(to, script);
	else if (pass == 2)
		print_analysis(&d->t, to);
	else
		fputs(d->t.c_text, to);
}

static void print_pass(struct driver *d, int pass)
{
	char *text = NULL;
	size_t size;
	FILE *to;

	if (!d->options.json) {
		print_result(d, pass, stdout);
		return;
	}
	diagnostics_flush(d->t.diagnostics);
	to = open_memstream(&text, &size);
	if (!to)
		g_error("out of memory");
	print_result(d, pass, to);
	fclose(to);
	write_source(pass, text, size);
	free(text);
	if (pass == 2)
		write_analysis(&d->t);
}

/* ---- pass 1 ------------------------------------------------------------------------------------------------------ */

/* Does the script use argv or argc of the library, and thereby all arguments? */
static bool uses_argv(const struct translation *t)
{
	for_each_ptr(const struct symbol *, global, t->globals) {
		if (global->location.file->is_tapset &&
		    (!strcmp(global->name, "argv") || !strcmp(global->name, "argc")))
			return true;
	}
	return false;
}

static void warn_unused_arguments(struct driver *d)
{
	for (int i = 0; i < d->options.argument_count; i++)
		if (!d->t.language.argument_used[i])
			diagnose(d->t.diagnostics, WARNING, &(struct location){0},
				 _("the script does not use argument %d, '%s'"), i + 1, d->options.arguments[i]);
}

/* Does a probe point of the user's script begin with a word? Aliases are not expanded yet. */
static bool probes_begin(const struct translation *t, const char *word)
{
	for_each_ptr(const struct script *, script, t->scripts)
		for_each_ptr(const struct probe *, probe, script->probes)
			for_each_ptr(const struct probe_point *, point, probe->points) {
				const struct probe_component *first = point->components->pdata[0];

				/* Finds "nd_syscall", too; a wrong match costs little. */
				if (strstr(first->name, word))
					return true;
			}
	return false;
}

static struct error *find_scripts(struct driver *d)
{
	struct error *error = find_library(&d->t, &d->options);

	if (d->options.dtrace)
		return error ?: dtrace_find_sources(&d->t, &d->options);
	return error ?: find_user_scripts(&d->t, &d->options);
}

/* @watch: started before find_scripts(). */
static struct error *pass_parse(struct driver *d, const struct stopwatch *watch)
{
	struct error *error;
	const char *what;

	STAP_PROBE1(stap, pass1a, &d->t);
	error = parse_macros(&d->t);
	if (error)
		return error;
	if (d->options.dtrace)
		dtrace_parse_sources(&d->t, &d->options);
	else
		parse_user_scripts(&d->t, &d->options);
	STAP_PROBE1(stap, pass1b, &d->t);
	error = parse_library(&d->t);
	if (error)
		return error;
	if (!diagnostics_errors(d->t.diagnostics) && d->options.last_pass == 1 && !d->options.dtrace)
		warn_unused_arguments(d);
	if (d->build)
		build_expect(d->build, probes_begin(&d->t, "syscall"), probes_begin(&d->t, "process"));
	what = arena_printf(d->t.arena, _("parsed user script and %u library scripts"), count_library_scripts(&d->t));
	report_pass(d, 1, watch, what);
	if (d->options.last_pass == 1 && !diagnostics_errors(d->t.diagnostics))
		print_pass(d, 1);
	STAP_PROBE1(stap, pass1__end, &d->t);
	return NULL;
}

/* ---- passes 2 to 5 ----------------------------------------------------------------------------------------------- */

/* -vv: print the source of the debuginfo of the kernel and each module. */
static void report_sources(struct driver *d)
{
	enum { MOST_SHOWN = 8 };
	g_autoptr(GList) names = g_hash_table_get_keys(d->t.open_debuginfo);
	guint count = 0, total = g_hash_table_size(d->t.open_debuginfo);

	if (verbosity(d, 2) < 2)
		return;
	names = g_list_sort(names, (GCompareFunc)strcmp);
	for (GList *name = names; name && count < MOST_SHOWN; name = name->next, count++) {
		const struct debuginfo *debuginfo = g_hash_table_lookup(d->t.open_debuginfo, name->data);

		fprintf(stderr, _("Debuginfo of %s: %s (%s)"), (const char *)name->data, debuginfo_source(debuginfo),
			debuginfo_path(debuginfo));
		fputc('\n', stderr);
	}
	if (total > count) {
		fprintf(stderr, ngettext("Debuginfo of %u more module", "Debuginfo of %u more modules", total - count),
			total - count);
		fputc('\n', stderr);
	}
}

static struct error *list(struct driver *d)
{
	struct error *error = NULL;

	if (d->options.dtrace)
		dtrace_list(&d->t);
	else if (d->options.list_lines)
		error = list_lines(&d->t);
	else if (d->options.list_locations)
		error = list_variables(&d->t, d->options.list_externs);
	else
		list_probes(&d->t, d->options.list_variables);
	report_sources(d);
	return error;
}

/* Return "analyzed script: 1 probe, 2 functions, 0 embeds, 1 global". */
static const char *counts_text(struct arena *arena, const unsigned int counts[4])
{
	return arena_printf(arena, _("analyzed script: %s, %s, %s, %s"),
			    arena_printf(arena, ngettext("%u probe", "%u probes", counts[0]), counts[0]),
			    arena_printf(arena, ngettext("%u function", "%u functions", counts[1]), counts[1]),
			    arena_printf(arena, ngettext("%u embed", "%u embeds", counts[2]), counts[2]),
			    arena_printf(arena, ngettext("%u global", "%u globals", counts[3]), counts[3]));
}

static struct error *pass_analyze(struct driver *d)
{
	const unsigned int *counts = d->counts;
	struct stopwatch watch;

	STAP_PROBE1(stap, pass2, &d->t);
	stopwatch_start(&watch);
	if (options_listing(&d->options))
		return list(d);
	if (!analyze(&d->t))
		return NULL;
	if (d->options.dtrace)
		dtrace_report_matches(&d->t, &d->options);
	else if (!uses_argv(&d->t))
		warn_unused_arguments(d);
	if (d->options.dtrace && d->options.dtrace->shows_code)
		print_analysis(&d->t, stderr);
	report_sources(d);
	memcpy(d->counts, (unsigned int[]){d->t.probes->len, d->t.functions->len, d->t.embeds->len, d->t.globals->len},
	       sizeof(d->counts));
	report_pass(d, 2, &watch, counts_text(d->t.arena, counts));
	if (d->t.left_out && verbosity(d, 2) >= 2) {
		fprintf(stderr,
			ngettext("%u place was left out, since the kernel allows no probe there.",
				 "%u places were left out, since the kernel allows no probe there.", d->t.left_out),
			d->t.left_out);
		fputc('\n', stderr);
	}
	if (d->options.last_pass == 2 && !d->options.checks)
		print_pass(d, 2);
	STAP_PROBE1(stap, pass2__end, &d->t);
	return NULL;
}

struct error *driver_make_work_directory(struct driver *d)
{
	const char *directory = d->options.temporary_directory, *release = d->t.kernel.release;

	if (d->work_directory)
		return NULL;
	if (!directory)
		return directory_make_temporary(&d->work_directory);
	if (d->is_one_of_several)
		directory = arena_printf(d->t.arena, "%s/%s", directory, release);
	d->work_directory = g_canonicalize_filename(directory, NULL);
	return g_mkdir_with_parents(d->work_directory, 0755) ? error_errno(_("cannot make %s"), d->work_directory)
							     : NULL;
}

static struct error *pass_translate(struct driver *d)
{
	struct stopwatch watch;
	struct error *error;

	STAP_PROBE1(stap, pass3, &d->t);
	stopwatch_start(&watch);
	error = driver_make_work_directory(d);
	if (error)
		return error;
	emit_module(&d->t);
	report_pass(d, 3, &watch,
		    arena_printf(d->t.arena, _("translated to C into \"%s/%s\""), d->work_directory, SCRIPT_SOURCE));
	if (d->options.last_pass == 3)
		print_pass(d, 3);
	STAP_PROBE1(stap, pass3__end, &d->t);
	return NULL;
}

/* Copy the compile server's signature from beside the module, if there is one. */
static struct error *copy_signature(struct arena *arena, const char *module_path, const char *target)
{
	const char *from = module_signature(arena, module_path);
	const char *to = arena_printf(arena, "%s" SIGNATURE_SUFFIX, target);

	if (!from) {
		g_unlink(to); /* a stale signature of a module that was here before */
		return NULL;
	}
	return file_copy(from, to);
}

/* -p4: copy the module into the current directory (-m, or without a cache) or into the cache, and print its name. */
static struct error *deliver_module(struct driver *d, const char *module_path)
{
	g_autofree char *directory = NULL, *target = NULL;
	const char *result;
	struct error *error;

	if (d->options.module_name || !d->t.cache_directory)
		directory = g_get_current_dir();
	else
		directory = g_build_filename(d->t.cache_directory, "modules", NULL);
	target = g_strdup_printf("%s/%s.ko", directory, d->t.module_name);
	if (g_mkdir_with_parents(directory, 0755))
		return error_errno(_("cannot make %s"), directory);
	error = file_copy(module_path, target);
	if (error)
		return error;
	error = copy_signature(d->t.arena, module_path, target);
	if (error)
		return error;
	result = d->options.module_name || !d->t.cache_directory ? strrchr(target, '/') + 1 : target;
	if (d->options.json)
		write_module(result);
	else
		printf("%s\n", result);
	return NULL;
}

/* Is the module itself the result? One for a bundle is not. */
static bool delivers_module(const struct driver *d)
{
	return d->options.last_pass == 4 && !options_bundle(&d->options);
}

static void remember(struct driver *d, const char *key)
{
	const unsigned int *counts = d->counts;
	const char *matches = d->options.dtrace ? dtrace_note(&d->t, &d->options) : "";
	const char *line =
		arena_printf(d->t.arena, "%u %u %u %u%s", counts[0], counts[1], counts[2], counts[3], matches ?: "");
	g_autofree char *note = matches ? known_note(&d->t, line) : NULL;

	if (note)
		build_remember(d->build, key, note);
}

static struct error *pass_compile(struct driver *d, const char *key, const char **module_path)
{
	struct stopwatch watch;
	const char *what;
	bool from_cache;
	struct error *error;

	STAP_PROBE1(stap, pass4, &d->t);
	stopwatch_start(&watch);
	error = build_module(d->build, d->work_directory, module_path, &from_cache);
	if (error || diagnostics_errors(d->t.diagnostics))
		return error;
	STAP_PROBE1(stap, pass4__end, &d->t);
	what = from_cache ? _("using cached \"%s.ko\"") : _("compiled C into \"%s.ko\"");
	report_pass(d, 4, &watch, arena_printf(d->t.arena, what, d->t.module_name));
	if (key)
		remember(d, key);
	return delivers_module(d) ? deliver_module(d, *module_path) : NULL;
}

/* Take the module from the cache if the script was translated before. @finding: started before find_scripts(). */
static struct error *recall(struct driver *d, const char *key, const struct stopwatch *finding,
			    const char **module_path, bool *done)
{
	unsigned int counts[4] = {};
	struct stopwatch watch;
	const char *note, *found;
	struct error *error;

	*done = false;
	if (!key)
		return NULL;
	stopwatch_start(&watch);
	error = driver_make_work_directory(d);
	error = error ?: build_recall(d->build, key, d->work_directory, module_path, known_holds, &note, done);
	if (error || !*done)
		return error;
	sscanf(note, "%u %u %u %u", &counts[0], &counts[1], &counts[2], &counts[3]);
	if (d->options.dtrace)
		dtrace_recalled(&d->options, note);
	found = arena_printf(d->t.arena, _("found user script and %u library scripts unchanged"),
			     count_library_scripts(&d->t));
	report_pass(d, 1, finding, found);
	report_pass(d, 2, &watch, counts_text(d->t.arena, counts));
	report_pass(d, 3, &watch, _("using cached C"));
	report_pass(d, 4, &watch, arena_printf(d->t.arena, _("using cached \"%s.ko\""), d->t.module_name));
	return delivers_module(d) ? deliver_module(d, *module_path) : NULL;
}

struct error *driver_run(struct driver *d, struct remotes *remotes)
{
	g_autofree char *time = NULL;
	struct stopwatch watch;
	struct error *error;

	if (verbosity(d, 5) >= 1)
		fprintf(stderr, "%s\n", _("Pass 5: starting run."));
	STAP_PROBE1(stap, pass5, &d->t);
	stopwatch_start(&watch);
	error = run_script(remotes, &d->t, &d->options, d->module_path, &d->exit_status);
	STAP_PROBE1(stap, pass5__end, &d->t);
	time = stopwatch_text(&watch);
	if (verbosity(d, 5) >= 1)
		fprintf(stderr, _("Pass 5: run completed in %s ms.\n"), time);
	return error;
}

/* ---- compile servers --------------------------------------------------------------------------------------------- */

static bool uses_server(const struct driver *d)
{
	return d->options.servers->len;
}

/* Have a compile server run passes 1 to 4. */
static struct error *translate_by_server(struct driver *d)
{
	const char *name = d->options.last_pass < LAST_PASS ? d->options.module_name : d->t.module_name;
	struct server_answer answer;
	struct error *error = server_check_options(&d->options);

	error = error ?: driver_make_work_directory(d);
	error = error
			?: server_translate(d->t.arena, &d->options, d->t.kernel.release, name, d->work_directory,
					    &answer);
	if (error)
		return error;
	d->exit_status = answer.status;
	if (!answer.module_path)
		return NULL;
	d->t.module_name = arena_strdup(d->t.arena, answer.module_name.text);
	if (*answer.release.text)
		d->t.kernel.release = arena_strdup(d->t.arena, answer.release.text);
	if (d->options.last_pass == 4)
		return deliver_module(d, answer.module_path);
	d->module_path = answer.module_path;
	return NULL;
}

struct error *driver_find_kernel(struct driver *d)
{
	if (!uses_server(d))
		return choose_kernel(&d->t, &d->options, &d->kernel_argument);
	choose_unseen_kernel(&d->t, &d->options, &d->kernel_argument);
	return NULL;
}

/* ---- --prepare --------------------------------------------------------------------------------------------------- */

void driver_note_failure(struct driver *d, struct error *error)
{
	if (error_report_free(error_for_client(error)))
		d->exit_status = EXIT_FAILURE;
}

/* --prepare: compile the runtime and index the debuginfo, as the first script would. */
static struct error *prepare(struct driver *d)
{
	struct debuginfo *debuginfo;
	struct error *error;

	if (!d->t.cache_directory)
		return error_new(ERROR_OTHER, _("--prepare and --disable-cache exclude each other"));
	error = translation_debuginfo(&d->t, "kernel", &debuginfo);
	/* Report everything that is missing, so that the user can install all packages at once. */
	driver_note_failure(d, error ?: debuginfo_prepare(debuginfo));
	driver_note_failure(d, build_prepare(d->build));
	if (d->exit_status == EXIT_SUCCESS)
		printf(_("Kernel %s is prepared.\n"), d->t.kernel.release);
	return NULL;
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

static const char *default_module_name(struct driver *d)
{
	const char *text = d->options.script_text ?: d->options.script_path ?: ""; /* --prepare */

	return arena_printf(d->t.arena, "stap_%08x_%d", g_str_hash(text), getpid());
}

/* Collect the arguments of -d; with --all-modules, the kernel and all loaded modules. */
static void choose_line_modules(struct translation *t, const struct options *options)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	t->line_modules = arena_ptr_array(t->arena);
	g_ptr_array_extend(t->line_modules, options->line_modules, NULL, NULL);
	if (!options->all_modules)
		return;
	g_ptr_array_add(t->line_modules, "kernel");
	if (!g_file_get_contents("/proc/modules", &text, NULL, NULL))
		return;
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++)
		if (**line)
			g_ptr_array_add(t->line_modules, arena_strndup(t->arena, *line, strcspn(*line, " ")));
}

void driver_init(struct driver *d, const char *cache_directory)
{
	struct translation *t = &d->t;

	translation_begin(t, &d->options, cache_directory);
	if (d->options.poison_cache)
		cache_poison();
	if (!t->module_name && d->options.last_pass != 4)
		t->module_name = default_module_name(d);
	choose_line_modules(t, &d->options);
	t->compile_headers = headers_compile;
}

void driver_finish(struct driver *d)
{
	STAP_PROBE1(stap, pass6, &d->t);
	build_end(d->build);
	if (d->work_directory && d->options.keep_directory)
		fprintf(stderr, _("Keeping temporary directory \"%s\"\n"), d->work_directory);
	else if (d->work_directory && !d->options.temporary_directory)
		remove_tree(d->work_directory);
	STAP_PROBE1(stap, pass6__end, &d->t);
}

/* --check: count what was reported. */
static void finish_check(struct driver *d)
{
	unsigned int warnings = diagnostics_warnings(d->t.diagnostics);

	if (d->options.json)
		write_check(diagnostics_all(d->t.diagnostics)->len - warnings, warnings);
	/* Warnings about a program in D are about the tree, and not shown. */
	if (!diagnostics_errors(d->t.diagnostics) && warnings && !d->options.dtrace)
		d->exit_status = EXIT_WARNINGS;
}

bool driver_finish_pass(struct driver *d, int pass)
{
	bool is_of_dtrace = d->options.dtrace && !d->options.json;

	if (is_of_dtrace && diagnostics_errors(d->t.diagnostics))
		dtrace_report_failure(&d->t, &d->options);
	else if (is_of_dtrace)
		diagnostics_shown(d->t.diagnostics); /* warnings are about the tree, not about the program */
	else
		diagnostics_flush(d->t.diagnostics);
	if (!diagnostics_errors(d->t.diagnostics))
		return pass < d->options.last_pass;
	if (is_of_dtrace)
		; /* the message is complete */
	else if (!d->options.json)
		fprintf(stderr,
			ngettext("Pass %d: failed with %u error.  [man error::pass%d]\n",
				 "Pass %d: failed with %u errors.  [man error::pass%d]\n",
				 diagnostics_errors(d->t.diagnostics)),
			pass, diagnostics_errors(d->t.diagnostics), pass);
	d->exit_status = EXIT_FAILURE;
	return false;
}

static struct error *translate_here(struct driver *d)
{
	g_autofree char *key = NULL;
	struct stopwatch watch;
	struct error *error;
	bool known;

	if (d->options.last_pass >= 4 && !options_listing(&d->options))
		d->build = build_begin(&d->t);
	if (d->options.prepare)
		return prepare(d);
	STAP_PROBE1(stap, pass0__end, &d->t);
	stopwatch_start(&watch);
	error = find_scripts(d);
	if (error)
		return error;
	/* A bundle must know what the script means on each kernel, which the cache does not. */
	key = d->build && !options_bundle(&d->options) && dtrace_may_recall(&d->t, &d->options) ? known_key(&d->t)
												: NULL;
	error = recall(d, key, &watch, &d->module_path, &known);
	if (!error && !known) {
		error = pass_parse(d, &watch);
		if (error || !driver_finish_pass(d, 1))
			return error;
		error = pass_analyze(d);
		if (error || !driver_finish_pass(d, 2) || options_listing(&d->options))
			return error;
		error = pass_translate(d);
		if (error || !driver_finish_pass(d, 3))
			return error;
		error = pass_compile(d, key, &d->module_path);
	}
	if (!error && !driver_finish_pass(d, 4) && !(options_bundle(&d->options) && d->exit_status == EXIT_SUCCESS))
		d->module_path = NULL;
	return error;
}

/* Drop the values of globals that the script declares but does not use, because the module does not have them. */
static void drop_unused_settings(struct driver *d)
{
	g_autoptr(GPtrArray) globals = g_ptr_array_new();

	if (!d->options.settings || !d->options.settings->len || !d->module_path)
		return;
	module_facts(d->t.arena, d->module_path, "option-global", globals);
	for (guint i = d->options.settings->len; i--;) {
		const struct script_setting *setting = g_ptr_array_index(d->options.settings, i);
		size_t length = strcspn(setting->global, "=");
		bool is_used = false;

		for_each_ptr(const char *, global, globals)
			is_used |= strlen(global) == length && !strncmp(global, setting->global, length);
		if (!is_used)
			g_ptr_array_remove_index(d->options.settings, i);
	}
}

/* --build-as: the module becomes root's, who also delivers it. */
static struct error *translate_by_user(struct driver *d)
{
	const char *module_path;
	struct error *error = translate_as_user(d, translate_here);

	if (error || !d->module_path || !delivers_module(d))
		return error;
	module_path = d->module_path;
	d->module_path = NULL;
	return deliver_module(d, module_path);
}

static struct error *translate(struct driver *d)
{
	if (uses_server(d))
		return translate_by_server(d);
	return d->options.build_as ? translate_by_user(d) : translate_here(d);
}

struct error *driver_translate(struct driver *d)
{
	struct error *error = translate(d);

	if (!error)
		drop_unused_settings(d);
	return error;
}

struct error *driver_analyze(struct driver *d)
{
	struct error *error = find_scripts(d);
	struct stopwatch watch;

	stopwatch_start(&watch);
	error = error ?: pass_parse(d, &watch);
	if (!error && !diagnostics_errors(d->t.diagnostics))
		analyze(&d->t);
	return error;
}

struct error *driver_check(struct driver *d)
{
	struct error *error = driver_find_kernel(d);

	error = error ?: driver_translate(d);
	diagnostics_flush(d->t.diagnostics);
	if (!error)
		finish_check(d);
	return error;
}

/* Find the script and the macros, for what does not depend on a kernel. */
static struct error *find_text(struct driver *d)
{
	struct error *error;

	choose_unseen_kernel(&d->t, &d->options, &d->kernel_argument);
	d->t.language.kernel_release = d->t.kernel.release;
	d->t.language.architecture = d->t.kernel.abi->name;
	error = find_scripts(d);
	return error ?: parse_macros(&d->t);
}

struct error *driver_help(struct driver *d)
{
	struct error *error;

	d->t.language.imagines_arguments = true;
	error = find_text(d);
	if (error)
		return error;
	parse_user_scripts(&d->t, &d->options);
	driver_finish_pass(d, 1);
	if (!diagnostics_errors(d->t.diagnostics))
		script_help_print(&d->t, &d->options);
	return NULL;
}

struct error *driver_make(struct driver *d)
{
	struct error *error = find_text(d);

	if (error)
		return error;
	dtrace_parse_sources(&d->t, &d->options);
	if (!driver_finish_pass(d, 1))
		return NULL;
	return dtrace_make(&d->options);
}

struct error *driver_format(struct driver *d)
{
	static const struct format_style style = {.tab_size = 8};
	struct error *error = find_text(d);
	GString *formatted;

	if (error)
		return error;
	formatted = script_format(&d->t.language, g_ptr_array_index(d->t.user_sources, 0), &style);
	if (!formatted) {
		driver_finish_pass(d, 1);
		return NULL;
	}
	fwrite(formatted->str, 1, formatted->len, stdout);
	g_string_free(formatted, TRUE);
	return NULL;
}
