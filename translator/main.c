// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap: the driver. Runs the passes over one struct translation, times them, and stops after the first that reports an
 * error or after the one that -p names.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "translator/build/build.h"
#include "translator/build/kbuild.h"
#include "translator/emit/emit.h"
#include "translator/dump.h"
#include "translator/known.h"
#include "translator/list.h"
#include "translator/options.h"
#include "translator/rc.h"
#include "translator/run/run.h"
#include "translator/sema/sema.h"
#include "translator/util/cleanup.h"
#include "translator/util/cache.h"
#include "translator/util/files.h"
#include "translator/util/i18n.h"
#include "translator/util/paths.h"
#include "translator/util/process.h"

enum { FIRST_PASS = 1, LAST_PASS = 5 };

/* One run of stap. */
struct driver {
	struct options options;
	struct translation t;
	struct build *build; /* NULL: nothing is to be compiled, or not yet */
	char *work_folder; /* made when first needed; removed at the end unless -k */
	const char *kernel_argument; /* for stap-vm */
	int exit_status;
};

/* ---- -v: time and memory of a pass --------------------------------------------------------------------------------- */

struct stopwatch {
	struct rusage self, children;
	gint64 start;
};

static void stopwatch_start(struct stopwatch *watch)
{
	getrusage(RUSAGE_SELF, &watch->self);
	getrusage(RUSAGE_CHILDREN, &watch->children);
	watch->start = g_get_monotonic_time();
}

static gint64 elapsed_ms(const struct timeval *from, const struct timeval *to)
{
	return (to->tv_sec - from->tv_sec) * 1000 + (to->tv_usec - from->tv_usec) / 1000;
}

static char *stopwatch_text(const struct stopwatch *watch)
{
	struct rusage self, children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	return g_strdup_printf("%" G_GINT64_FORMAT "usr/%" G_GINT64_FORMAT "sys/%" G_GINT64_FORMAT "real",
			       elapsed_ms(&watch->self.ru_utime, &self.ru_utime) +
				       elapsed_ms(&watch->children.ru_utime, &children.ru_utime),
			       elapsed_ms(&watch->self.ru_stime, &self.ru_stime) +
				       elapsed_ms(&watch->children.ru_stime, &children.ru_stime),
			       (g_get_monotonic_time() - watch->start) / 1000);
}

/* "…virt/…res/…shr/…data kb" of this process, from /proc (proc(5), statm: size resident shared text lib data). */
static char *memory_text(void)
{
	_cleanup_fclose_ FILE *file = fopen("/proc/self/statm", "re");
	unsigned long size = 0, resident = 0, shared = 0, data = 0;
	unsigned long kilobytes = sysconf(_SC_PAGESIZE) / 1024;

	if (file && fscanf(file, "%lu %lu %lu %*u %*u %lu", &size, &resident, &shared, &data) != 4)
		size = resident = shared = data = 0;
	return g_strdup_printf("%luvirt/%lures/%lushr/%ludata kb", size * kilobytes, resident * kilobytes,
			       shared * kilobytes, data * kilobytes);
}

static bool verbose(const struct driver *d, int pass)
{
	return d->options.verbosity + d->options.pass_verbosity[pass] > 0;
}

static void report_pass(const struct driver *d, int pass, const struct stopwatch *watch, const char *what)
{
	g_autofree char *time = NULL, *memory = NULL;

	if (!verbose(d, pass))
		return;
	time = stopwatch_text(watch);
	memory = memory_text();
	fprintf(stderr, _("Pass %d: %s using %s, in %s ms."), pass, what, memory, time);
	fputc('\n', stderr);
}

/* ---- the kernel ------------------------------------------------------------------------------------------------------ */

static const char *own_release(struct arena *arena)
{
	struct utsname names;

	uname(&names);
	return arena_strdup(arena, names.release);
}

/* Folders to look for kernels in: --sysroot alone, or the system and the unpacked ones of stap-vm. */
static const char **kernel_roots(struct driver *d)
{
	g_autofree char *kernels = g_build_filename(cache_folder(), "kernels", NULL);
	g_autoptr(GDir) dir = g_dir_open(kernels, 0, NULL);
	GPtrArray *roots = arena_ptr_array(d->t.arena);
	const char *name;

	if (d->options.sysroot) {
		g_ptr_array_add(roots, (void *)d->options.sysroot);
	} else {
		g_ptr_array_add(roots, (void *)"");
		while (dir && (name = g_dir_read_name(dir)))
			if (*name != '.')
				g_ptr_array_add(roots, arena_printf(d->t.arena, "%s/%s", kernels, name));
	}
	g_ptr_array_add(roots, NULL);
	return (const char **)roots->pdata;
}

/* A kernel that stap-vm built is a build tree in the cache; its folder's name is how users call it. */
static const char *built_kernel(struct driver *d, const char *release)
{
	g_autofree char *folder = g_build_filename(cache_folder(), "kernels", release, NULL);
	g_autofree char *config = g_build_filename(folder, ".config", NULL);

	if (strchr(release, '/') || d->options.sysroot || !g_file_test(config, G_FILE_TEST_EXISTS))
		return release;
	return arena_strdup(d->t.arena, folder);
}

static void read_kernel_config(struct driver *d)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!d->t.kernel.config || !g_file_get_contents(d->t.kernel.config, &text, NULL, NULL))
		return;
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		char *equals = strchr(*line, '=');

		if (!g_str_has_prefix(*line, "CONFIG_") || !equals)
			continue;
		*equals = '\0';
		g_hash_table_insert(d->t.language.kernel_config, g_strdup(*line), g_strdup(equals + 1));
	}
}

/*
 * Without -r this is the running kernel, and a script that names no kernel function can do without its files until
 * pass 4: then the release alone is known.
 */
static struct error *find_kernel(struct driver *d)
{
	const char *release = d->options.release ? built_kernel(d, d->options.release) : own_release(d->t.arena);
	struct error *error = kernel_find(d->t.arena, release, kernel_roots(d), &d->t.kernel);

	if (error && error->code == ERROR_LOOKUP && !d->options.release &&
	    (d->options.last_pass < 4 || d->options.dump)) {
		error_free(error);
		error = NULL;
		d->t.kernel.release = release;
		d->t.kernel.architecture = "x86_64";
	}
	if (error && error->code == ERROR_LOOKUP && !d->options.release)
		error_with_hint(error, _("%s; or run in a guest, with another kernel: -r RELEASE --remote=vm:"),
				arena_strdup(d->t.arena, error->hint));
	if (error)
		return error;
	d->t.kernel.digest = d->options.digest;
	d->kernel_argument = strchr(release, '/') ? release : d->t.kernel.release;
	d->t.language.kernel_release = d->t.kernel.release;
	d->t.language.architecture = d->t.kernel.architecture;
	read_kernel_config(d);
	return NULL;
}

/* ---- pass 1 ------------------------------------------------------------------------------------------------------------ */

static struct source_file *source_new(struct translation *t, const char *name, char *text, size_t length)
{
	struct source_file *source = arena_new0(t->arena, struct source_file);

	source->name = arena_strdup(t->arena, name);
	source->text = text;
	source->length = length;
	known_add_source(t, source);
	return source;
}

static struct error *read_stream(FILE *file, const char *name, struct translation *t, struct source_file **ret)
{
	enum { LARGEST = 16 * 1024 * 1024 };
	g_autoptr(GString) text = g_string_new(NULL);
	char block[16384];
	size_t size;

	while ((size = fread(block, 1, sizeof(block), file)) > 0) {
		g_string_append_len(text, block, size);
		if (text->len > LARGEST)
			return error_new(ERROR_OTHER, _("%s is too large for a script"), name);
	}
	if (ferror(file))
		return error_errno(_("cannot read %s"), name);
	*ret = source_new(t, name, arena_strndup(t->arena, text->str, text->len), text->len);
	return NULL;
}

static struct error *read_source(struct translation *t, const char *path, struct source_file **ret)
{
	_cleanup_fclose_ FILE *file = NULL;
	struct error *error;

	if (!strcmp(path, "-"))
		return read_stream(stdin, "<stdin>", t, ret);
	file = fopen(path, "re");
	if (!file) {
		error = error_errno(_("cannot read %s"), path);
		if (errno == ENOENT && strpbrk(path, " {("))
			error_with_hint(error, _("to give the script itself, use -e"));
		return error;
	}
	return read_stream(file, path, t, ret);
}

static gint compare_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Files of one folder with the given ending, in order of their names; one with a name that is there already stays out. */
static void add_tapset_files(struct translation *t, const char *folder, const char *ending, GHashTable *seen,
			     GPtrArray *paths)
{
	GPtrArray *found = arena_ptr_array(t->arena);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		if (g_str_has_suffix(name, ending) && g_hash_table_add(seen, g_strdup(name)))
			g_ptr_array_add(found, arena_printf(t->arena, "%s/%s", folder, name));
	g_ptr_array_sort(found, compare_text);
	g_ptr_array_extend(paths, found, NULL, NULL);
}

/*
 * A tapset's own folders for a kernel, most specific first, as in 6.1.0-56-amd64, 6.1.0, 6.1: what is in them overrides
 * files of the same name further down. Each may have a folder for the architecture.
 */
static GPtrArray *tapset_files(struct translation *t, const char *folder, const char *ending)
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	GPtrArray *paths = arena_ptr_array(t->arena);
	const char *release = t->kernel.release ?: "";
	size_t base = strspn(release, "0123456789.");
	const char *version = arena_strndup(t->arena, release, base);
	const char *point = strchr(version, '.');
	const char *minor = point ? strchr(point + 1, '.') : NULL;
	const char *series = minor ? arena_strndup(t->arena, version, minor - version) : version;
	const char *const levels[] = {release, version, series, ""};

	for (size_t i = 0; i < G_N_ELEMENTS(levels); i++) {
		const char *level = arena_printf(t->arena, "%s%s%s", folder, *levels[i] ? "/" : "", levels[i]);

		if (i && !strcmp(levels[i], levels[i - 1]))
			continue;
		add_tapset_files(t, arena_printf(t->arena, "%s/%s", level, t->kernel.architecture), ending, seen,
				 paths);
		add_tapset_files(t, level, ending, seen, paths);
	}
	return paths;
}

static struct error *parse_tapset_file(struct translation *t, const char *path, bool macros)
{
	struct source_file *source;
	struct script *script;
	struct error *error = read_source(t, path, &source);

	if (error)
		return error;
	source->is_tapset = true;
	source->privileged = true;
	if (macros) {
		parse_macro_library(&t->language, source);
		return NULL;
	}
	script = parse_script(&t->language, source);
	if (script) {
		script->privileged = true;
		g_ptr_array_add(t->library, script);
	}
	return NULL;
}

static struct error *parse_tapset_folder(struct translation *t, const char *folder, bool macros)
{
	struct error *error = NULL;

	for_each_ptr(const char *, path, tapset_files(t, folder, macros ? ".stpm" : ".stp")) {
		error = parse_tapset_file(t, path, macros);
		if (error)
			break;
	}
	return error;
}

/* All macros first: a library script may use those of any folder. */
static struct error *parse_library(struct driver *d)
{
	g_autofree char *installed = g_build_filename(data_folder(), "tapset", NULL);
	const char *own = g_getenv("SYSTEMTAP_TAPSET") ?: installed;
	g_autoptr(GPtrArray) folders = g_ptr_array_new();
	struct error *error = NULL;

	for_each_ptr(const char *, folder, d->options.tapset_folders)
		g_ptr_array_add(folders, (void *)folder);
	g_ptr_array_add(folders, (void *)own);
	for (int macros = 1; macros >= 0 && !error; macros--) {
		for_each_ptr(const char *, folder, folders) {
			if (!g_file_test(folder, G_FILE_TEST_IS_DIR))
				return error_with_hint(error_new(ERROR_LOOKUP, _("no tapset folder %s"), folder),
						       _("check -I, or the installation (SPILE_DATADIR)"));
			error = parse_tapset_folder(&d->t, folder, macros);
			if (error)
				break;
		}
	}
	return error;
}

static void parse_user_source(struct driver *d, struct source_file *source)
{
	struct script *script;

	source->privileged = d->options.guru_mode;
	script = parse_script(&d->t.language, source);
	if (!script)
		return;
	script->privileged = d->options.guru_mode;
	g_ptr_array_add(d->t.scripts, script);
}

/* To be listed, a point becomes a probe with an empty body. */
static char *listing_script(struct driver *d, const char *point)
{
	if (d->options.list_lines)
		point = list_lines_point(d->t.arena, point);
	return arena_printf(d->t.arena, "probe %s {}", point);
}

/* Of what -E adds to a listing, only aliases are of use. */
static void keep_first_probes(struct translation *t)
{
	for (guint i = 1; i < t->scripts->len; i++) {
		struct script *script = g_ptr_array_index(t->scripts, i);

		g_ptr_array_set_size(script->probes, 0);
	}
}

static struct error *parse_user_scripts(struct driver *d)
{
	struct options *options = &d->options;
	struct source_file *source = NULL;
	struct error *error = NULL;

	if (options->script_text) {
		char *text = options_listing(options) ? listing_script(d, options->script_text)
						      : (char *)options->script_text;

		source = source_new(&d->t, "<input>", text, strlen(text));
	} else {
		error = read_source(&d->t, options->script_path, &source);
	}
	if (error)
		return error;
	parse_user_source(d, source);
	for_each_ptr(const char *, text, options->extra_texts)
		parse_user_source(d, source_new(&d->t, "<input>", (char *)text, strlen(text)));
	if (options_listing(options))
		keep_first_probes(&d->t);
	return NULL;
}

/* argv, of the tapset, is all of them. */
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
			diagnose(d->t.diagnostics, SEVERITY_WARNING, N_("WARNING"), &(struct location){0},
				 _("the script does not use argument %d, '%s'"), i + 1, d->options.arguments[i]);
}

static struct error *pass_parse(struct driver *d)
{
	struct stopwatch watch;
	struct error *error;
	const char *what;

	stopwatch_start(&watch);
	error = parse_library(d);
	error = error ?: parse_user_scripts(d);
	if (error)
		return error;
	if (!diagnostics_errors(d->t.diagnostics) && d->options.last_pass == 1)
		warn_unused_arguments(d);
	what = arena_printf(d->t.arena, _("parsed user script and %u library scripts"), d->t.library->len);
	report_pass(d, 1, &watch, what);
	if (d->options.last_pass == 1 && !diagnostics_errors(d->t.diagnostics))
		for_each_ptr(const struct script *, script, d->t.scripts)
			print_script(stdout, script);
	return NULL;
}

/* ---- passes 2 to 5 -------------------------------------------------------------------------------------------------------- */

/* Which source of debuginfo answered for the kernel and each module. */
static void report_sources(struct driver *d)
{
	enum { MOST_SHOWN = 8 };
	g_autoptr(GList) names = g_hash_table_get_keys(d->t.open_debuginfo);
	guint count = 0, total = g_hash_table_size(d->t.open_debuginfo);

	if (!verbose(d, 2))
		return;
	names = g_list_sort(names, (GCompareFunc)strcmp);
	for (GList *name = names; name && count < MOST_SHOWN; name = name->next, count++) {
		const struct debuginfo *debuginfo = g_hash_table_lookup(d->t.open_debuginfo, name->data);

		fprintf(stderr, _("Pass 2: debuginfo of %s: %s (%s)"), (const char *)name->data,
			debuginfo_source(debuginfo), debuginfo_path(debuginfo));
		fputc('\n', stderr);
	}
	if (total > count) {
		fprintf(stderr,
			ngettext("Pass 2: debuginfo of %u more module", "Pass 2: debuginfo of %u more modules",
				 total - count),
			total - count);
		fputc('\n', stderr);
	}
}

static struct error *list(struct driver *d)
{
	struct error *error = NULL;

	if (d->options.list_lines)
		error = list_lines(&d->t);
	else if (d->options.list_locations)
		error = list_variables(&d->t, d->options.list_externs);
	else
		list_probes(&d->t, d->options.list_variables);
	report_sources(d);
	return error;
}

static struct error *pass_analyze(struct driver *d)
{
	struct stopwatch watch;
	const char *what;

	stopwatch_start(&watch);
	if (options_listing(&d->options))
		return list(d);
	if (!analyze(&d->t))
		return NULL;
	if (!uses_argv(&d->t))
		warn_unused_arguments(d);
	report_sources(d);
	what = arena_printf(d->t.arena, _("analyzed script: %u probes, %u functions, %u embeds, %u globals"),
			    d->t.probes->len, d->t.functions->len, d->t.embeds->len, d->t.globals->len);
	report_pass(d, 2, &watch, what);
	if (d->t.left_out && verbose(d, 2)) {
		fprintf(stderr,
			ngettext("Pass 2: %u place was left out, since the kernel allows no probe there.",
				 "Pass 2: %u places were left out, since the kernel allows no probe there.",
				 d->t.left_out),
			d->t.left_out);
		fputc('\n', stderr);
	}
	if (d->options.last_pass == 2)
		print_analysis(&d->t, stdout);
	return NULL;
}

static struct error *make_work_folder(struct driver *d)
{
	GError *failure = NULL;
	struct error *error;

	if (d->work_folder)
		return NULL;
	d->work_folder = g_dir_make_tmp("stapXXXXXX", &failure);
	if (d->work_folder)
		return NULL;
	error = error_new(ERROR_SYSTEM, _("cannot make a temporary folder: %s"), failure->message);
	g_error_free(failure);
	return error;
}

static struct error *pass_translate(struct driver *d)
{
	struct stopwatch watch;
	struct error *error;

	stopwatch_start(&watch);
	error = make_work_folder(d);
	if (error)
		return error;
	emit_module(&d->t);
	report_pass(d, 3, &watch,
		    arena_printf(d->t.arena, _("translated to C into \"%s/%s\""), d->work_folder, SCRIPT_SOURCE));
	if (d->options.last_pass == 3)
		fputs(d->t.c_text, stdout);
	return NULL;
}

/* -p4 leaves the module: here under the name of -m, else in the cache. */
static struct error *deliver_module(struct driver *d, const char *module_path)
{
	g_autofree char *folder = NULL, *target = NULL;
	struct error *error;

	if (d->options.module_name || !d->t.cache_folder)
		folder = g_get_current_dir();
	else
		folder = g_build_filename(d->t.cache_folder, "modules", NULL);
	target = g_strdup_printf("%s/%s.ko", folder, d->t.module_name);
	if (g_mkdir_with_parents(folder, 0755))
		return error_errno(_("cannot make %s"), folder);
	error = file_copy(module_path, target);
	if (error)
		return error;
	printf("%s\n", d->options.module_name || !d->t.cache_folder ? strrchr(target, '/') + 1 : target);
	return NULL;
}

static struct error *pass_compile(struct driver *d, const char *key, const char **module_path)
{
	struct stopwatch watch;
	const char *what;
	bool from_cache;
	struct error *error;

	stopwatch_start(&watch);
	error = build_module(d->build, d->work_folder, module_path, &from_cache);
	if (error)
		return error;
	what = from_cache ? _("using cached \"%s.ko\"") : _("compiled C into \"%s.ko\"");
	report_pass(d, 4, &watch, arena_printf(d->t.arena, what, d->t.module_name));
	if (key && known_may_keep(&d->t))
		build_remember(d->build, key);
	return d->options.last_pass == 4 ? deliver_module(d, *module_path) : NULL;
}

/* Passes 2 to 4 of a script that was translated before, to the same outcome. */
static struct error *recall(struct driver *d, const char *key, const char **module_path, bool *done)
{
	struct stopwatch watch;
	struct error *error;

	*done = false;
	if (!key)
		return NULL;
	stopwatch_start(&watch);
	error = make_work_folder(d);
	error = error ?: build_recall(d->build, key, d->work_folder, module_path, done);
	if (error || !*done)
		return error;
	report_pass(d, 4, &watch,
		    arena_printf(d->t.arena, _("the script is known, using cached \"%s.ko\""), d->t.module_name));
	return d->options.last_pass == 4 ? deliver_module(d, *module_path) : NULL;
}

static struct error *pass_run(struct driver *d, const char *module_path)
{
	g_autofree char *time = NULL;
	struct stopwatch watch;
	struct error *error;

	if (verbose(d, 5))
		fprintf(stderr, "%s\n", _("Pass 5: starting run."));
	stopwatch_start(&watch);
	error = run_module(&d->t, &d->options, module_path, d->kernel_argument, &d->exit_status);
	time = stopwatch_text(&watch);
	if (verbose(d, 5))
		fprintf(stderr, _("Pass 5: run completed in %s ms.\n"), time);
	return error;
}

/* ---- ahead of all scripts -------------------------------------------------------------------------------------------------- */

/* What is missing is told all at once: it is one visit to the package manager. */
static void note_failure(struct driver *d, struct error *error)
{
	if (!error)
		return;
	error_report(error);
	error_free(error);
	d->exit_status = EXIT_FAILURE;
}

/* --prepare: the runtime's object and the index of the debuginfo, as the first script would make them. */
static struct error *prepare(struct driver *d)
{
	struct debuginfo *debuginfo;
	struct error *error;

	if (!d->t.cache_folder)
		return error_new(ERROR_OTHER, _("--prepare fills the cache, which --disable-cache turns off"));
	error = translation_debuginfo(&d->t, "kernel", &debuginfo);
	note_failure(d, error ?: debuginfo_prepare(debuginfo));
	note_failure(d, build_prepare(d->build));
	if (d->exit_status == EXIT_SUCCESS)
		printf(_("Kernel %s is prepared.\n"), d->t.kernel.release);
	return NULL;
}

/* ---- all together ----------------------------------------------------------------------------------------------------------- */

static const char *default_module_name(struct driver *d)
{
	const char *text = d->options.script_text ?: d->options.script_path ?: ""; /* --prepare */

	return arena_printf(d->t.arena, "stap_%08x_%d", g_str_hash(text), getpid());
}

static void translation_init(struct driver *d)
{
	struct translation *t = &d->t;

	t->diagnostics = diagnostics_new(t->arena);
	diagnostics_configure(t->diagnostics, d->options.suppress_warnings, d->options.fatal_warnings,
			      d->options.color);
	t->limits = d->options.limits;
	t->cache_folder = d->options.disable_cache ? NULL : translation_cache_folder();
	if (d->options.poison_cache)
		cache_poison();
	t->module_name = d->options.module_name;
	if (!t->module_name && d->options.last_pass != 4)
		t->module_name = default_module_name(d);
	t->keep_folder = d->options.keep_folder;
	t->keep_debug = d->options.keep_debug;
	t->signs = d->options.signs;
	t->signing_folder = d->options.signing_folder;
	t->only_lists = options_listing(&d->options);
	t->note_build = verbose(d, 4);
	t->suppress_handler_errors = d->options.suppress_handler_errors;
	t->buffer_megabytes = d->options.buffer_megabytes;
	t->bulk = d->options.bulk;
	t->global_settings = d->options.global_settings;
	t->no_global_display = d->options.no_global_display;
	t->timing = d->options.timing;
	t->unoptimized = d->options.unoptimized;
	t->skip_bad_variables = d->options.skip_bad_variables;
	t->keep_going = d->options.keep_going;
	t->check_version = d->options.check_version;
	t->has_target = d->options.command || d->options.target_pid;
	t->command = d->options.command;
	t->scripts = arena_ptr_array(t->arena);
	t->library = arena_ptr_array(t->arena);
	t->open_debuginfo = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)debuginfo_close);
	t->language = (struct language_context){
		.arena = t->arena,
		.diagnostics = t->diagnostics,
		.systemtap_version = d->options.compatible,
		.privilege = d->options.privilege,
		.runtime = "kernel",
		.guru_mode = d->options.guru_mode,
		.kernel_config = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
		.argument_count = d->options.argument_count,
		.arguments = d->options.arguments,
		.argument_used = arena_alloc(t->arena, d->options.argument_count * sizeof(bool)),
		.library_macros = g_hash_table_new(g_str_hash, g_str_equal),
	};
}

static void driver_finish(struct driver *d)
{
	build_end(d->build);
	if (d->work_folder && d->options.keep_folder)
		fprintf(stderr, _("Keeping temporary directory \"%s\"\n"), d->work_folder);
	else if (d->work_folder)
		remove_tree(d->work_folder);
	g_free(d->work_folder);
	if (d->t.open_debuginfo) {
		g_hash_table_unref(d->t.open_debuginfo);
		g_hash_table_unref(d->t.language.kernel_config);
		g_hash_table_unref(d->t.language.library_macros);
	}
	if (d->t.identity)
		g_checksum_free(d->t.identity);
	arena_free(d->t.arena);
}

/* Shows what a pass had to say; true if the next one is to run. */
static bool goes_on(struct driver *d, int pass)
{
	diagnostics_flush(d->t.diagnostics);
	if (!diagnostics_errors(d->t.diagnostics))
		return pass < d->options.last_pass;
	fprintf(stderr,
		ngettext("Pass %d: failed with %u error.\n", "Pass %d: failed with %u errors.\n",
			 diagnostics_errors(d->t.diagnostics)),
		pass, diagnostics_errors(d->t.diagnostics));
	d->exit_status = EXIT_FAILURE;
	return false;
}

/* A mistyped name is told before anything else that may be missing, such as the kernel. */
static struct error *check_script(const struct options *options)
{
	if (!options->script_path || !strcmp(options->script_path, "-") || !access(options->script_path, R_OK))
		return NULL;
	return error_errno(_("cannot read %s"), options->script_path);
}

/* --export-debuginfo: the kernel, and the modules of a list of names and globs. */
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
	return error ?: debuginfo_export(&d->t.kernel, modules, d->t.cache_folder, d->options.export_digest);
}

static struct error *dump(struct driver *d)
{
	struct error *error = find_kernel(d);

	error = error ?: parse_library(d);
	if (error || !goes_on(d, 1))
		return error;
	switch (d->options.dump) {
	case DUMP_FUNCTIONS:
		dump_functions(&d->t);
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

/* --example: the name, with or without its ending, below the folder of examples. */
static char *find_example(const char *folder, const char *name)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	g_autofree char *with_ending = g_strdup_printf("%s.stp", name);
	const char *entry;

	while (dir && (entry = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, entry, NULL);
		char *found;

		if (!strcmp(entry, name) || !strcmp(entry, with_ending))
			return g_steal_pointer(&path);
		found = g_file_test(path, G_FILE_TEST_IS_DIR) ? find_example(path, name) : NULL;
		if (found)
			return found;
	}
	return NULL;
}

static struct error *resolve_example(struct driver *d)
{
	g_autofree char *folder = g_build_filename(data_folder(), "examples", NULL);
	g_autofree char *found = NULL;

	if (!d->options.example)
		return NULL;
	found = find_example(folder, d->options.script_path);
	if (!found)
		return error_with_hint(error_new(ERROR_LOOKUP, _("no example is called '%s'"), d->options.script_path),
				       _("they are in %s"), folder);
	d->options.script_path = arena_strdup(d->t.arena, found);
	return NULL;
}

static struct error *run_passes(struct driver *d)
{
	g_autofree char *key = NULL;
	const char *module_path = NULL;
	struct error *error;
	bool known;

	if (d->options.dump)
		return dump(d);
	error = resolve_example(d);
	error = error ?: check_script(&d->options);
	error = error ?: run_check_remote(d->options.remote);
	error = error ?: find_kernel(d);
	if (!error && d->options.export_digest)
		return export_debuginfo(d);
	if (!error && d->options.last_pass >= 4 && !options_listing(&d->options))
		d->build = build_begin(&d->t);
	if (!error && d->options.prepare)
		return prepare(d);
	error = error ?: pass_parse(d);
	if (error || !goes_on(d, 1))
		return error;
	key = d->build ? known_key(&d->t) : NULL;
	error = recall(d, key, &module_path, &known);
	if (error)
		return error;
	if (known)
		return goes_on(d, 4) ? pass_run(d, module_path) : NULL;
	error = pass_analyze(d);
	if (error || !goes_on(d, 2) || options_listing(&d->options))
		return error;
	error = pass_translate(d);
	if (error || !goes_on(d, 3))
		return error;
	error = pass_compile(d, key, &module_path);
	if (error || !goes_on(d, 4))
		return error;
	return pass_run(d, module_path);
}

/* Output that could not be written (full disk, closed pipe) is a failure, even if all else went well. */
static void check_output(struct driver *d)
{
	if (!fflush(stdout) && !ferror(stdout))
		return;
	fprintf(stderr, "%s: %s: %s\n", _("ERROR"), _("cannot write the output"), g_strerror(errno));
	d->exit_status = EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	struct driver d = {.exit_status = EXIT_SUCCESS};
	struct error *error;

	i18n_init();
	/* A reader that went away is an error of write(), with a message. */
	signal(SIGPIPE, SIG_IGN);
	d.t.arena = arena_new();
	error = rc_arguments(d.t.arena, argc, argv, &argc, &argv);
	if (error) {
		error_report(error);
		error_free(error);
		d.exit_status = EXIT_FAILURE;
		driver_finish(&d);
		return d.exit_status;
	}
	switch (options_parse(&d.options, d.t.arena, argc, argv)) {
	case OPTIONS_ERROR:
		d.exit_status = EXIT_FAILURE;
		break;
	case OPTIONS_DONE:
		break;
	case OPTIONS_RUN:
		process_catch_signals();
		if (d.options.clean_cache) {
			cache_clean(translation_cache_folder(), true);
			break;
		}
		translation_init(&d);
		known_begin(&d.t, argc, argv);
		error = run_passes(&d);
		diagnostics_flush(d.t.diagnostics);
		if (error) {
			error_report(error);
			error_free(error);
			d.exit_status = EXIT_FAILURE;
		}
		break;
	}
	check_output(&d);
	driver_finish(&d);
	return d.exit_status;
}
