// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From C to a kernel module, in the work folder: the generated C as script.c, and the runtime, which is one object: its
 * source, which kbuild (kbuild.c) compiles beside the first script for a kernel, and from then on what was compiled
 * then. kbuild knows prebuilt objects as *.o_shipped.
 *
 * kbuild's commands for the first script are recorded and replayed for all others (recipe.c). Cached files are written
 * under a temporary name and renamed, so that a run that is interrupted leaves nothing half, and two at once do no harm.
 */
#include "translator/build/build.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "translator/build/kbuild.h"
#include "translator/build/recipe.h"
#include "translator/util/cache.h"
#include "translator/util/cleanup.h"
#include "translator/util/files.h"
#include "translator/util/i18n.h"
#include "translator/util/paths.h"

/* ---- files -------------------------------------------------------------------------------------------------------- */

static struct error *write_text(const char *folder, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);

	return file_write(path, text, strlen(text));
}

static struct error *copy_into(const char *from, const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);

	return file_copy(from, path);
}

/* ---- the runtime's source ------------------------------------------------------------------------------------------ */

static bool is_source(const char *name)
{
	return g_str_has_suffix(name, ".c") || g_str_has_suffix(name, ".h");
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Relative names of all source files below the runtime's folder, sorted. */
static struct error *list_sources(const char *root, const char *below, GPtrArray *names)
{
	g_autofree char *path = g_build_filename(root, below, NULL);
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	struct error *error = NULL;
	const char *name;

	if (!dir)
		return error_with_hint(error_new(ERROR_LOOKUP, _("the runtime's source is not in %s"), path),
				       _("is Spile installed completely? SPILE_DATADIR names another place"));
	while (!error && (name = g_dir_read_name(dir))) {
		char *relative = g_build_filename(below, name, NULL);
		g_autofree char *full = g_build_filename(root, relative, NULL);

		if (g_file_test(full, G_FILE_TEST_IS_DIR))
			error = list_sources(root, relative, names);
		else if (is_source(name)) {
			g_ptr_array_add(names, relative);
			continue;
		}
		g_free(relative);
	}
	return error;
}

static struct error *runtime_sources(const char *root, GPtrArray **ret)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	struct error *error = list_sources(root, "", names);

	if (error)
		return error;
	g_ptr_array_sort(names, compare_names);
	*ret = g_steal_pointer(&names);
	return NULL;
}

/* ---- the runtime object ------------------------------------------------------------------------------------------ */

static struct error *check_headers(const struct translation *t)
{
	if (t->kernel.build_folder)
		return NULL;
	return error_with_hint(
		error_new(ERROR_LOOKUP, _("the build headers of kernel %s are not installed"), t->kernel.release),
		_("apt-get install linux-headers-%s, or: stap-vm fetch %s"), t->kernel.release, t->kernel.release);
}

static struct error *copy_runtime(const char *root, const GPtrArray *names, const char *folder)
{
	for_each_ptr(const char *, name, names) {
		g_autofree char *from = g_build_filename(root, name, NULL);
		g_autofree char *to = g_build_filename(folder, name, NULL);
		g_autofree char *parent = g_path_get_dirname(to);
		struct error *error;

		if (g_mkdir_with_parents(parent, 0700))
			return error_errno(_("cannot make %s"), parent);
		error = file_copy(from, to);
		if (error)
			return error;
	}
	return NULL;
}

/* The runtime's source, and the folder of the cache for what is made with it (NULL: none). */
struct runtime {
	char *source, *cache;
	GPtrArray *files;
};

static void runtime_clear(struct runtime *runtime)
{
	g_free(runtime->source);
	g_free(runtime->cache);
	g_clear_pointer(&runtime->files, g_ptr_array_unref);
}

static struct error *find_runtime(struct translation *t, struct runtime *runtime)
{
	struct error *error;

	runtime->source = g_build_filename(data_folder(), "runtime", NULL);
	error = runtime_sources(runtime->source, &runtime->files);
	return error ?: kbuild_cache(t, runtime->source, runtime->files, &runtime->cache);
}

/*
 * The runtime's object from the cache, or its source, for kbuild to compile beside the script.
 *
 * @param[out] is_source Which of the two.
 */
static struct error *provide_runtime(struct translation *t, const struct runtime *runtime, const char *folder,
				     bool *is_source)
{
	g_autofree char *shipped = g_build_filename(folder, RUNTIME_OBJECT "_shipped", NULL);
	g_autofree char *source = g_build_filename(folder, "runtime", NULL);
	g_autofree char *cached = runtime->cache ? g_build_filename(runtime->cache, "runtime.o", NULL) : NULL;
	struct error *error;
	bool done = false;

	error = copy_into(arena_printf(t->arena, "%s/script.h", runtime->source), folder, "script.h");
	if (!error && cached)
		error = cache_load_file(cached, shipped, &done);
	*is_source = !done;
	if (error || done)
		return error;
	kbuild_note(t, _("Compiling the runtime for kernel %s, once."), t->kernel.release);
	error = copy_runtime(runtime->source, runtime->files, source);
	return error ?: write_text(folder, RUNTIME_SOURCE, "#include \"runtime/runtime.c\"\n");
}

/* What kbuild has compiled goes to the cache. */
static struct error *keep_runtime(const struct runtime *runtime, const char *folder)
{
	g_autofree char *object = g_build_filename(folder, RUNTIME_OBJECT, NULL);
	g_autofree char *cached = runtime->cache ? g_build_filename(runtime->cache, "runtime.o", NULL) : NULL;
	struct error *error = cached ? kbuild_strip(object) : NULL;

	if (!error && cached)
		cache_store_file(cached, object);
	return error;
}

/* ---- the module -------------------------------------------------------------------------------------------------- */

/*
 * What kbuild exports to its commands is left in a file for recipe.c, by a command of its own: make's $(shell) does not
 * see it before make 4.4.
 */
static struct error *build_plainly(struct translation *t, const char *cache, const char *folder)
{
	g_autofree char *makefile =
		g_strdup_printf("obj-m := " BUILD_NAME ".o\n" BUILD_NAME "-y := " SCRIPT_OBJECT " " RUNTIME_OBJECT "\n"
				"CFLAGS_" SCRIPT_OBJECT
				" := -g0 -I%s -Wno-unused-function -Wno-declaration-after-statement\n"
				"CFLAGS_" RUNTIME_OBJECT " := -Wall -Werror\n"
				"always-y := " ENVIRONMENT_FILE "\n"
				"$(obj)/" ENVIRONMENT_FILE ": FORCE\n"
				"\t@env -0 >$@\n",
				folder);
	struct error *error;

	error = write_text(folder, "Makefile", makefile);
	error = error ?: kbuild_run(t, folder, "modules");
	if (!error && cache)
		recipe_record(t, cache, folder);
	return error;
}

/* With the recorded commands if there are any, which they are only if the runtime has been compiled. */
static struct error *build_once(struct translation *t, const char *cache, const char *folder, bool is_source)
{
	g_autofree char *shipped = g_build_filename(folder, RUNTIME_OBJECT "_shipped", NULL);
	struct error *error;
	bool done = false;

	if (is_source)
		return build_plainly(t, cache, folder);
	/* modpost looks for the record of how each object was made; there is none for a prebuilt one. */
	error = write_text(folder, "." RUNTIME_OBJECT ".cmd", "");
	if (!error && cache) {
		/* What kbuild does with a prebuilt object. */
		error = copy_into(shipped, folder, RUNTIME_OBJECT);
		error = error ?: recipe_replay(t, cache, folder, &done);
	}
	return error || done ? error : build_plainly(t, cache, folder);
}

/* The module's own name takes the place of BUILD_NAME wherever it stands; the rest of its room is NULs. */
static struct error *give_name(const char *path, const char *name)
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
	return file_write(path, image, size);
}

/* Where the module of this very C text is kept: the folder stands for kernel, compiler and runtime. To be freed. */
static char *cached_module(const struct translation *t, const char *cache)
{
	g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, t->c_text, -1);

	return g_strdup_printf("%s/module-%s.ko", cache, sum);
}

static struct error *compile(struct translation *t, const struct runtime *runtime, const char *work_folder,
			     const char *built)
{
	_cleanup_close_ int lock = runtime->cache && !recipe_exists(runtime->cache) ? kbuild_lock(runtime->cache) : -1;
	struct error *error;
	bool is_source;

	error = provide_runtime(t, runtime, work_folder, &is_source);
	error = error ?: write_text(work_folder, SCRIPT_SOURCE, t->c_text);
	error = error ?: build_once(t, runtime->cache, work_folder, is_source);
	if (!error && is_source)
		error = keep_runtime(runtime, work_folder);
	return error ?: kbuild_strip(built);
}

struct error *build_module(struct translation *t, const char *work_folder, const char **module_path, bool *from_cache)
{
	g_autofree char *built = g_build_filename(work_folder, BUILD_NAME ".ko", NULL), *cached = NULL;
	_cleanup_(runtime_clear) struct runtime runtime = {NULL};
	struct error *error;

	*from_cache = false;
	error = check_headers(t);
	error = error ?: find_runtime(t, &runtime);
	if (error)
		return error;
	cached = runtime.cache ? cached_module(t, runtime.cache) : NULL;
	error = cached ? cache_load_file(cached, built, from_cache) : NULL;
	if (!error && !*from_cache) {
		error = compile(t, &runtime, work_folder, built);
		if (!error && cached) {
			cache_store_file(cached, built);
			cache_clean(t->cache_folder, false);
		}
	}
	if (!error && *from_cache && t->keep_folder) /* what -k is for */
		error = write_text(work_folder, SCRIPT_SOURCE, t->c_text);
	error = error ?: give_name(built, t->module_name);
	if (error)
		return error;
	*module_path = arena_printf(t->arena, "%s/%s.ko", work_folder, t->module_name);
	return g_rename(built, *module_path) ? error_errno(_("cannot write %s"), *module_path) : NULL;
}
