// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Building a kernel module in the work directory, from the generated C (script.c) and the runtime (runtime.c).
 *
 * kbuild's commands for the first script are recorded and replayed for all others (recipe.c). Cached files are written
 * under a temporary name and renamed, so that an interrupted run leaves no incomplete files, and concurrent runs do no
 * harm.
 *
 * The first script for a kernel waits seconds for kbuild, and often also for the debuginfo to be indexed. Both happen
 * in parallel: if passes 1 to 3 take long, a thread builds an empty script with kbuild. Afterwards the commands are
 * recorded, and the real script takes a tenth of a second.
 */
#include "translator/build/build.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/sdt.h>

#include "common/build_time.h"
#include "common/cache.h"
#include "common/files.h"
#include "common/process.h"
#include "common/progress.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "translator/build/kbuild.h"
#include "translator/build/recipe.h"
#include "translator/build/runtime.h"
#include "translator/build/sign.h"
#include "translator/build/stack_usage.h"
#include "translator/build/unsupported_parts.h"

/* ---- files ------------------------------------------------------------------------------------------------------- */

static struct error *write_text(const char *directory, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);

	return file_write(path, text, strlen(text));
}

static struct error *check_headers(const struct translation *t)
{
	if (t->kernel.build_directory)
		return NULL;
	return headers_not_installed(t);
}

/* ---- the module -------------------------------------------------------------------------------------------------- */

/* Compile the script, and the runtime unless its objects are there, by runtime/Kbuild.in. */
static struct error *build_plainly(const struct translation *t, const char *cache, const char *directory, char **output)
{
	g_autofree char *makefile = g_strdup_printf("SPILE_MODULE := " BUILD_NAME "\n"
						    "SPILE_SCRIPT := " SCRIPT_OBJECT "\n"
						    "SPILE_RUNTIME := " RUNTIME_FAST ".o " RUNTIME_SLOW ".o\n"
						    "SPILE_DIRECTORY := %s\n"
						    "SPILE_DEBUG := %s\n"
						    "SPILE_ENVIRONMENT := " ENVIRONMENT_FILE "\n"
						    "SPILE_DIRECTORY_VARIABLE := " DIRECTORY_VARIABLE "\n"
						    "SPILE_OBJTOOL_VARIABLE := " OBJTOOL_VARIABLE "\n"
						    "include $(src)/runtime/" RUNTIME_KBUILD "\n",
						    directory, t->options->keep_debug ? "-g" : "-g0");
	struct error *error;

	error = write_text(directory, "Makefile", makefile);
	error = error ?: kbuild_run(t, directory, "modules", output);
	if (!error && cache)
		recipe_record(t, cache, directory);
	return error;
}

/* Build with the prebuilt runtime, by the recorded commands if possible. */
static struct error *build_once(const struct translation *t, const char *cache, const char *directory)
{
	struct error *error = runtime_use_prebuilt(directory);
	bool done = false;

	if (!error && cache)
		error = recipe_replay(t, cache, directory, &done);
	return error || done ? error : build_plainly(t, cache, directory, NULL);
}

/* Build with the runtime's source, without the parts that do not compile for this kernel. */
static struct error *build_with_source(const struct translation *t, const struct runtime *runtime,
				       enum runtime_extent extent, const char *directory, const char *text)
{
	g_autofree char *output = NULL, *report = NULL;
	struct error *error = build_plainly(t, runtime->cache, directory, &output);

	if (error && error->code == ERROR_BUILD)
		optional_find(output, &report);
	if (report) {
		error_free(error);
		optional_note(t, report);
		error = optional_check(t, report, text);
		error = error ?: runtime_leave_out(extent, directory, report);
		error = error ?: build_plainly(t, runtime->cache, directory, NULL);
	}
	return error ?: runtime_keep(t, runtime, extent, directory, report);
}

/* Compile the runtime's source by the recorded commands, if there are any; then the objects are prebuilt. */
static struct error *compile_runtime(const struct translation *t, const struct runtime *runtime,
				     enum runtime_extent extent, const char *directory, bool *is_source)
{
	bool done;
	struct error *error = recipe_compile_runtime(t, runtime->cache, directory, &done);

	if (error || !done)
		return error;
	*is_source = false;
	error = runtime_keep(t, runtime, extent, directory, NULL);
	return error ?: runtime_ship(directory);
}

/*
 * Replace the placeholder by the time of the build, or by SOURCE_DATE_EPOCH. If the script also contains the
 * placeholder's text, leave it.
 */
static void patch_build_time(char *image, size_t size)
{
	const size_t length = strlen(MODULE_TIME_PLACE);
	char *at = memmem(image, size, MODULE_TIME_PLACE, length);
	g_autofree char *time = NULL, *text = NULL;

	if (!at || memmem(at + length, image + size - at - length, MODULE_TIME_PLACE, length))
		return;
	time = build_time_text();
	text = g_strconcat(MODULE_TIME_KEY, time, NULL);
	if (strlen(text) == length)
		memcpy(at, text, length);
}

/*
 * Set the build-id to a checksum of the module. The linker's depends on file names, which differ in each run; identical
 * modules should have the same build-id.
 */
static void give_build_id(char *image, size_t size)
{
	enum { ID_SIZE = 20 };
	static const uint32_t head[] = {sizeof("GNU"), ID_SIZE, 3 /* NT_GNU_BUILD_ID */, 0x554e47 /* "GNU" */};
	char *note = memmem(image, size, head, sizeof(head)), *id = note ? note + sizeof(head) : NULL;
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA1);
	gsize length = ID_SIZE;

	if (!note || image + size - id < ID_SIZE)
		return;
	memset(id, 0, ID_SIZE);
	g_checksum_update(checksum, (const guchar *)image, size);
	g_checksum_get_digest(checksum, (guchar *)id, &length);
}

/* Replace BUILD_NAME by the module's name, padded with NULs, everywhere in the file. */
static struct error *complete_image(const char *path, const char *name)
{
	g_autofree char *image = NULL;
	struct error *error;
	char *at, *end;
	size_t size;

	error = file_read(path, &image, &size);
	if (error)
		return error;
	end = image + size;
	for (at = image; (at = memmem(at, end - at, BUILD_NAME, strlen(BUILD_NAME))); at += strlen(BUILD_NAME)) {
		memset(at, 0, strlen(BUILD_NAME));
		memcpy(at, name, strlen(name));
	}
	patch_build_time(image, size);
	give_build_id(image, size);
	return file_write(path, image, size);
}

static bool is_prepared(const struct runtime *runtime, enum runtime_extent extent)
{
	return recipe_exists(runtime->cache) && runtime_is_cached(runtime, extent);
}

/*
 * Compile the text of a script to BUILD_NAME.ko. The first script for a kernel also fills the cache; concurrent ones
 * wait for it.
 */
static struct error *compile(const struct translation *t, const struct runtime *runtime, enum runtime_extent extent,
			     const char *directory, const char *text)
{
	struct error *error = optional_check_kernel(t, text);
	bool waits = !error && runtime->cache && !is_prepared(runtime, extent), is_source;
	_cleanup_close_ int lock = waits ? kbuild_lock(runtime->cache) : -1;

	error = error ?: runtime_check(t, runtime, extent, text);
	error = error ?: runtime_provide(t, runtime, extent, directory, &is_source);
	if (!error && is_source && runtime->cache)
		error = compile_runtime(t, runtime, extent, directory, &is_source);
	error = error ?: write_text(directory, SCRIPT_SOURCE, text);
	if (error)
		return error;
	return is_source ? build_with_source(t, runtime, extent, directory, text)
			 : build_once(t, runtime->cache, directory);
}

/* ---- ahead of the script ----------------------------------------------------------------------------------------- */

struct build {
	struct translation *t;
	struct runtime runtime;
	struct error *error; /* of build_begin(), returned by build_module() */
	GThread *thread; /* NULL if nothing is compiled ahead */
	struct error *thread_error;
	GMutex mutex;
	GCond changed;
	bool script_is_there; /* the thread must not begin now */
	bool is_expected; /* the script was parsed, so `extent` is known */
	enum runtime_extent extent; /* part of the runtime that the script probably needs; protected by the mutex */
	char *sum; /* checksum of the C text; NULL until it is known */
};

/* Time that passes 1 to 3 may take before the thread starts, in microseconds; a few times what most scripts need. */
#define PATIENCE (100 * G_TIME_SPAN_MILLISECOND)

static bool takes_long(struct build *build, enum runtime_extent *extent)
{
	gint64 end = g_get_monotonic_time() + PATIENCE;
	bool there;

	g_mutex_lock(&build->mutex);
	/* Wait even on a busy machine, to avoid compiling the wrong runtime. */
	while (!build->script_is_there && !build->is_expected)
		g_cond_wait(&build->changed, &build->mutex);
	while (!build->script_is_there && g_cond_wait_until(&build->changed, &build->mutex, end))
		;
	there = build->script_is_there;
	*extent = build->extent;
	g_mutex_unlock(&build->mutex);
	return !there;
}

#define EMPTY_SCRIPT                                                                                                   \
	"#include \"runtime/script/script.h\"\nconst struct stp_script stp_script;\n"                                  \
	"void stp_run_light(unsigned int light)\n{\n}\n"                                                               \
	"void stp_run_handler(void (*handler)(struct stp_context *), struct stp_context *c)\n{\n}\n"

/* Build a module of an empty script, for the runtime's object and the recorded commands. */
static struct error *compile_empty(const struct translation *t, const struct runtime *runtime,
				   enum runtime_extent extent)
{
	g_autofree char *directory = NULL;
	struct error *error = directory_make_temporary(&directory);

	if (error)
		return error;
	error = compile(t, runtime, extent, directory, EMPTY_SCRIPT);
	remove_tree(directory);
	return error;
}

static gpointer work_ahead(gpointer data)
{
	struct build *build = data;
	enum runtime_extent extent;

	if (takes_long(build, &extent) && !is_prepared(&build->runtime, extent))
		build->thread_error = compile_empty(build->t, &build->runtime, extent);
	return NULL;
}

static struct error *join_thread(struct build *build)
{
	struct error *error;

	if (build->thread)
		g_thread_join(build->thread);
	build->thread = NULL;
	error = build->thread_error;
	build->thread_error = NULL;
	return error;
}

/* Prevent the thread from starting to compile, or wait until it has finished. */
static struct error *end_thread(struct build *build)
{
	g_mutex_lock(&build->mutex);
	build->script_is_there = true;
	g_cond_signal(&build->changed);
	g_mutex_unlock(&build->mutex);
	return join_thread(build);
}

static bool all_are_prepared(const struct runtime *runtime)
{
	for (enum runtime_extent extent = 0; extent < RUNTIME_EXTENTS; extent++)
		if (!is_prepared(runtime, extent))
			return false;
	return true;
}

struct build *build_begin(struct translation *t)
{
	struct build *build = g_new0(struct build, 1);

	build->t = t;
	g_mutex_init(&build->mutex);
	g_cond_init(&build->changed);
	build->error = check_headers(t);
	build->error = build->error ?: runtime_find(t, &build->runtime);
	if (!build->error && build->runtime.cache && !all_are_prepared(&build->runtime))
		build->thread = g_thread_new("build", work_ahead, build);
	return build;
}

void build_expect(struct build *build, bool syscalls, bool programs)
{
	g_mutex_lock(&build->mutex);
	build->extent = syscalls ? RUNTIME_SYSCALLS : programs ? RUNTIME_PROGRAMS : RUNTIME_KERNEL;
	build->is_expected = true;
	g_cond_signal(&build->changed);
	g_mutex_unlock(&build->mutex);
}

struct error *build_prepare(struct build *build)
{
	struct error *error = build->error;

	build->error = NULL;
	/* The thread compiles the first part, because no script interrupts it. */
	build_expect(build, false, false);
	error = error ?: join_thread(build);
	for (enum runtime_extent extent = RUNTIME_PROGRAMS; !error && extent < RUNTIME_EXTENTS; extent++)
		if (!is_prepared(&build->runtime, extent))
			error = compile_empty(build->t, &build->runtime, extent);
	return error;
}

void build_end(struct build *build)
{
	if (!build)
		return;
	if (build->thread)
		process_interrupt();
	error_free(end_thread(build));
	error_free(build->error);
	g_free(build->sum);
	runtime_clear(&build->runtime);
	g_mutex_clear(&build->mutex);
	g_cond_clear(&build->changed);
	g_free(build);
}

/* ---- the script's module ----------------------------------------------------------------------------------------- */

/*
 * Return the path of the cached module for this C text; its directory stands for kernel, compiler and runtime. To be
 * freed.
 */
static char *cached_module(const struct build *build)
{
	return build->runtime.cache ? g_strdup_printf("%s/module-%s.ko", build->runtime.cache, build->sum) : NULL;
}

static char *cached_key(const struct build *build, const char *key)
{
	return build->runtime.cache ? g_strdup_printf("%s/script-%s", build->runtime.cache, key) : NULL;
}

/* Does embedded C include the user's files, whose contents are in no key? The first #include is that of script.h. */
static bool includes_files(const char *text)
{
	g_autoptr(GRegex) include =
		g_regex_new("^[ \t]*#[ \t]*include[ \t]*(\"|</)", G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	return g_regex_match(include, text, 0, &match) && g_match_info_next(match, NULL);
}

static struct error *apply_stack_usage(const struct build *build, enum runtime_extent extent, const char *directory,
				       const char *built)
{
	g_autofree char *runtime = runtime_stack_usage(&build->runtime, extent, directory);

	return stack_usage_apply(build->t, runtime, directory, built);
}

/* Put BUILD_NAME.ko into the work directory, from the cache or newly built. */
static struct error *provide_module(const struct build *build, const char *work_directory, const char *built,
				    bool *from_cache)
{
	enum runtime_extent extent = runtime_needed(build->t->c_text);
	g_autofree char *cached = includes_files(build->t->c_text) ? NULL : cached_module(build);
	struct error *error = cached ? cache_load_file(cached, built, from_cache) : NULL;

	if (!error && *from_cache)
		STAP_PROBE2(stap, cache_get, "", cached);
	if (error || *from_cache)
		return error;
	error = compile(build->t, &build->runtime, extent, work_directory, build->t->c_text);
	error = error ?: kbuild_strip_module(build->t, built);
	error = error ?: apply_stack_usage(build, extent, work_directory, built);
	if (!error && cached && !diagnostics_errors(build->t->diagnostics)) {
		STAP_PROBE2(stap, cache_add_mod, built, cached);
		cache_store_file(cached, built);
		cache_clean(build->t->cache_directory, false);
	}
	return error;
}

/* Return the name of a module that is not removed. Equal modules get the same name, to avoid filling the disk. */
static const char *lasting_name(const struct build *build)
{
	const struct target_kernel *kernel = &build->t->kernel;
	g_autofree char *text = g_strconcat(kernel->release, kernel->build_id ?: "", "\n", build->sum, NULL);
	g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);

	return arena_printf(build->t->arena, "stap_%.24s", sum);
}

static struct error *finish_module(const struct build *build, const char *built, const char *work_directory,
				   const char **module_path)
{
	struct translation *t = build->t;
	struct error *error;

	if (!t->module_name)
		t->module_name = lasting_name(build);
	error = complete_image(built, t->module_name);
	error = error ?: sign_module(t, built);
	if (error)
		return error;
	*module_path = arena_printf(t->arena, "%s/%s.ko", work_directory, t->module_name);
	return g_rename(built, *module_path) ? error_errno(_("cannot write %s"), *module_path) : NULL;
}

/* Show the progress of pass 4 only here, because other passes print while the thread compiles the runtime. */
static struct progress *begin_progress(const struct build *build)
{
	const struct runtime *runtime = &build->runtime;
	bool is_first = !build->error && runtime->cache && !is_prepared(runtime, runtime_needed(build->t->c_text));

	return progress_begin(is_first ? _("compiling the runtime for kernel %s, once") : _("compiling for kernel %s"),
			      build->t->kernel.release);
}

struct error *build_module(struct build *build, const char *work_directory, const char **module_path, bool *from_cache)
{
	g_autofree char *built = g_build_filename(work_directory, BUILD_NAME ".ko", NULL);
	struct translation *t = build->t;
	_cleanup_progress_ struct progress *step = begin_progress(build);
	struct error *error = build->error;

	*from_cache = false;
	build->error = NULL;
	build->sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, t->c_text, -1);
	error = error ?: end_thread(build);
	error = error ?: provide_module(build, work_directory, built, from_cache);
	if (!error && *from_cache && t->options->keep_directory) /* for -k */
		error = write_text(work_directory, SCRIPT_SOURCE, t->c_text);
	if (error || diagnostics_errors(t->diagnostics))
		return error;
	return finish_module(build, built, work_directory, module_path);
}

/*
 * ---- known scripts -------------------------------------------------------------------------------------------------
 */

struct error *build_recall(struct build *build, const char *key, const char *work_directory, const char **module_path,
			   bool (*holds)(const char *note), const char **note, bool *done)
{
	g_autofree char *built = g_build_filename(work_directory, BUILD_NAME ".ko", NULL);
	g_autofree char *path = cached_key(build, key), *cached = NULL;
	g_autofree char *text = NULL;
	struct error *error;
	char *end_of_sum;
	size_t length;

	*done = false;
	if (!path || !cache_load(path, &text, &length))
		return NULL;
	end_of_sum = strchr(text, '\n');
	if (!end_of_sum || !holds(end_of_sum + 1))
		return NULL;
	build->sum = g_strndup(text, end_of_sum - text);
	*note = arena_strdup(build->t->arena, end_of_sum + 1);
	cached = cached_module(build);
	error = cache_load_file(cached, built, done);
	if (!error && *done)
		STAP_PROBE2(stap, cache_get, path, cached);
	if (!error && *done)
		return finish_module(build, built, work_directory, module_path);
	g_clear_pointer(&build->sum, g_free);
	return error;
}

void build_remember(struct build *build, const char *key, const char *note)
{
	g_autofree char *path = cached_key(build, key);
	g_autofree char *text = g_strconcat(build->sum, "\n", note, NULL);

	if (path)
		STAP_PROBE2(stap, cache_add_src, "", path);
	if (path)
		cache_store(path, text, strlen(text));
}
