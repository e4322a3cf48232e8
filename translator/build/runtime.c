// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The runtime for one kernel: its installed source, and the cached objects that kbuild made of it.
 *
 * An object consists of two halves, compiled in parallel (runtime/unit_fast.c). There are three variants, because most
 * scripts do not probe programs. The first is without the files of STP_USER_SPACE in runtime/unit_fast.c, the second
 * has them, and the third has those of STP_SYSCALLS, too, which are as large as all the rest. The names in a script's C
 * text determine the variant.
 *
 * kbuild compiles the source together with the first script that needs the object, and afterwards uses it as a prebuilt
 * object (*.o_shipped).
 */
#include "translator/build/runtime.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "common/cache.h"
#include "common/files.h"
#include "common/progress.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "translator/build/kbuild.h"
#include "translator/build/stack_usage.h"
#include "translator/build/unsupported_parts.h"

#define FACTS "compat/facts.h" /* relative to the runtime's directory */

/* ---- the runtime's source ---------------------------------------------------------------------------------------- */

static bool is_source(const char *name)
{
	return g_str_has_suffix(name, ".c") || g_str_has_suffix(name, ".h") || g_str_has_suffix(name, ".awk") ||
	       !strcmp(name, RUNTIME_KBUILD);
}

/*
 * ---- variants ------------------------------------------------------------------------------------------------------
 */

/* Prefixes of names that only the variants with STP_USER_SPACE define or support. */
static const char *const user_space_names[] = {
	"STP_PROBE_UPROBE", "STP_PROBE_URETPROBE", "STP_PROBE_PROCESS", "STP_PROBE_USER_DATA", "STP_TARGET_LIBRARY",
	"stp_syscall_",	    "stp_user_stack",	   "stp_user_symbol",	".program =",	       "stp_float_",
};

static const char *const syscall_names[] = {
	"STP_PROBE_SYSCALL",	 "stp_syscall_name",	   "stp_syscall_row",	   "stp_syscall_item",
	"stp_syscall_arguments", "stp_syscall_open_flags", "stp_syscall_function",
};

static const struct {
	const char *name, *definitions;
	const char *announcement; /* printed when it is compiled, with the kernel's release */
} extents[RUNTIME_EXTENTS] = {
	[RUNTIME_KERNEL] = {"runtime", "", N_("Compiling the runtime for kernel %s, once.")},
	[RUNTIME_PROGRAMS] = {"runtime-user", "#define STP_USER_SPACE\n",
			      N_("Compiling the runtime for probes of programs on kernel %s, once.")},
	[RUNTIME_SYSCALLS] = {"runtime-syscalls", "#define STP_USER_SPACE\n#define STP_SYSCALLS\n",
			      N_("Compiling the runtime for probes of system calls on kernel %s, once.")},
};

static bool has_one_of(const char *c_text, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strstr(c_text, names[i]))
			return true;
	return false;
}

enum runtime_extent runtime_needed(const char *c_text)
{
	if (has_one_of(c_text, syscall_names, G_N_ELEMENTS(syscall_names)))
		return RUNTIME_SYSCALLS;
	return has_one_of(c_text, user_space_names, G_N_ELEMENTS(user_space_names)) ? RUNTIME_PROGRAMS : RUNTIME_KERNEL;
}

/*
 * ---- halves --------------------------------------------------------------------------------------------------------
 */

/* In the order in which they are cached, so that the last one exists only if all do. */
static const struct half {
	const char *object, *text; /* in the directory of a module */
	const char *include; /* the text without definitions */
	const char *suffix; /* in the cache, after the extent's name */
} halves[] = {
	{RUNTIME_SLOW ".o", RUNTIME_SLOW ".c", "#include \"runtime/unit_slow.c\"\n", "-slow.o"},
	{RUNTIME_FAST ".o", RUNTIME_FAST ".c", "#include \"runtime/unit_fast.c\"\n", "-fast.o"},
};

#define for_each_half(half) for (const struct half *half = halves; half < halves + G_N_ELEMENTS(halves); half++)

/* Return the path of a half in the cache, or NULL. To be freed. */
static char *cached_object(const struct runtime *runtime, enum runtime_extent extent, const struct half *half)
{
	return runtime->cache ? g_strconcat(runtime->cache, "/", extents[extent].name, half->suffix, NULL) : NULL;
}

bool runtime_is_cached(const struct runtime *runtime, enum runtime_extent extent)
{
	g_autofree char *path = cached_object(runtime, extent, &halves[G_N_ELEMENTS(halves) - 1]);

	return path && g_file_test(path, G_FILE_TEST_EXISTS);
}

/* ---- providing it ------------------------------------------------------------------------------------------------ */

/* Files that every script needs: kbuild's instructions, script.h, and the headers that script.h includes. */
static const char *const script_files[] = {
	RUNTIME_KBUILD,	       "script/script.h",     "script/handler.h",  "script/services.h",
	"script/primitives.h", "script/systemtap.h",  "abi/layout.h",	   "abi/regex_table.h",
	"arch/memory.h",       "arch/arm64/memory.h", "arch/x86/memory.h", "compat/has_include.h",
};

/* Copy a file of the runtime to the same place below a directory. */
static struct error *copy_runtime_file(const char *root, const char *name, const char *directory)
{
	g_autofree char *from = g_build_filename(root, name, NULL);
	g_autofree char *to = g_build_filename(directory, name, NULL);
	g_autofree char *parent = g_path_get_dirname(to);

	if (g_mkdir_with_parents(parent, 0700))
		return error_errno(_("cannot create %s"), parent);
	return file_copy(from, to);
}

static struct error *copy_script_files(const char *root, const char *directory)
{
	struct error *error = NULL;

	for (unsigned int i = 0; !error && i < G_N_ELEMENTS(script_files); i++)
		error = copy_runtime_file(root, script_files[i], directory);
	return error;
}

/* Append the names of all source files in a directory of the runtime, relative to @p root. */
static struct error *list_sources(const char *root, const char *below, GPtrArray *names)
{
	g_autofree char *path = g_build_filename(root, below, NULL);
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	struct error *error = NULL;
	const char *name;

	if (!dir)
		return error_with_hint(error_new(ERROR_LOOKUP, _("the runtime's source is not in %s"), path),
				       _("reinstall Spile, or set SPILE_DATADIR to its data directory"));
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
	g_ptr_array_sort(names, compare_strings);
	*ret = g_steal_pointer(&names);
	return NULL;
}

static struct error *copy_runtime(const char *root, const GPtrArray *names, const char *directory)
{
	struct error *error = NULL;

	for_each_ptr(const char *, name, names)
		error = error ?: copy_runtime_file(root, name, directory);
	return error;
}

void runtime_clear(struct runtime *runtime)
{
	g_free(runtime->source);
	g_free(runtime->cache);
	g_clear_pointer(&runtime->files, g_ptr_array_unref);
}

struct error *runtime_find(const struct translation *t, struct runtime *runtime)
{
	struct error *error;

	runtime->source = t->options->runtime_directory ? g_canonicalize_filename(t->options->runtime_directory, NULL)
							: g_build_filename(data_directory(), "runtime", NULL);
	error = runtime_sources(runtime->source, &runtime->files);
	return error ?: kbuild_cache(t, runtime->source, runtime->files, &runtime->cache);
}

/* Report at -vv that the first script for a kernel takes seconds; on a terminal, build_module() shows it. */
static void report_compiling(const struct translation *t, enum runtime_extent extent)
{
	if (options_verbosity(t->options, 4) < 2)
		return;
	progress_clear();
	fprintf(stderr, _(extents[extent].announcement), t->kernel.release);
	fputc('\n', stderr);
}

/* Write the files that kbuild compiles: the runtime, or parts of it. */
static struct error *write_including(enum runtime_extent extent, const char *directory, const char *definitions)
{
	struct error *error = NULL;

	for_each_half(half) {
		g_autofree char *path = g_build_filename(directory, half->text, NULL);
		g_autofree char *text = g_strconcat(extents[extent].definitions, definitions, half->include, NULL);

		error = error ?: file_write(path, text, strlen(text));
	}
	return error;
}

/* Return the path of a half that kbuild does not compile. To be freed. */
static char *shipped_path(const char *directory, const struct half *half)
{
	return g_strdup_printf("%s/%s_shipped", directory, half->object);
}

static struct error *load_objects(const struct runtime *runtime, enum runtime_extent extent, const char *directory,
				  bool *done)
{
	struct error *error = NULL;

	*done = runtime->cache;
	for_each_half(half) {
		g_autofree char *cached = cached_object(runtime, extent, half);
		g_autofree char *shipped = shipped_path(directory, half);

		if (!error && *done)
			error = cache_load_file(cached, shipped, done);
	}
	return error;
}

/*
 * Load the facts about the kernel's headers (runtime/compat/facts.c), which are the same for all variants of the
 * runtime.
 */
static struct error *load_facts(const struct runtime *runtime, const char *source)
{
	g_autofree char *path = g_build_filename(source, FACTS, NULL), *cached = NULL;
	bool done;

	if (!runtime->cache)
		return NULL;
	cached = g_build_filename(runtime->cache, "facts.h", NULL);
	return cache_load_file(cached, path, &done);
}

static void store_facts(const struct runtime *runtime, const char *directory)
{
	g_autofree char *path = g_build_filename(directory, "runtime", FACTS, NULL);
	g_autofree char *cached = g_build_filename(runtime->cache, "facts.h", NULL);

	cache_store_file(cached, path);
}

struct error *runtime_provide(const struct translation *t, const struct runtime *runtime, enum runtime_extent extent,
			      const char *directory, bool *is_source)
{
	g_autofree char *source = g_build_filename(directory, "runtime", NULL);
	struct error *error = copy_script_files(runtime->source, source);
	bool done = false;

	error = error ?: load_objects(runtime, extent, directory, &done);
	*is_source = !done;
	if (error || done)
		return error;
	report_compiling(t, extent);
	error = copy_runtime(runtime->source, runtime->files, source);
	error = error ?: load_facts(runtime, source);
	return error ?: write_including(extent, directory, "");
}

struct error *runtime_ship(const char *directory)
{
	for_each_half(half) {
		g_autofree char *object = g_build_filename(directory, half->object, NULL);
		g_autofree char *shipped = shipped_path(directory, half);

		if (g_rename(object, shipped))
			return error_errno(_("cannot write %s"), shipped);
	}
	return NULL;
}

struct error *runtime_use_prebuilt(const char *directory)
{
	struct error *error = NULL;

	for_each_half(half) {
		g_autofree char *shipped = shipped_path(directory, half);
		g_autofree char *object = g_build_filename(directory, half->object, NULL);
		g_autofree char *record = g_strdup_printf("%s/.%s.cmd", directory, half->object);

		/* modpost expects a command file for each object. */
		error = error ?: file_write(record, "", 0);
		error = error ?: file_copy(shipped, object);
	}
	return error;
}

struct error *runtime_leave_out(enum runtime_extent extent, const char *directory, const char *report)
{
	g_autofree char *definitions = optional_definitions(report);

	return write_including(extent, directory, definitions);
}

struct error *runtime_check(const struct translation *t, const struct runtime *runtime, enum runtime_extent extent,
			    const char *c_text)
{
	g_autofree char *report = NULL;

	if (!runtime->cache || !runtime_is_cached(runtime, extent))
		return NULL;
	report = optional_recall(runtime->cache, extents[extent].name);
	if (!report)
		return NULL;
	optional_note(t, report);
	return optional_check(t, report, c_text);
}

static char *cached_stack_usage(const struct runtime *runtime, enum runtime_extent extent)
{
	return g_strconcat(runtime->cache, "/", extents[extent].name, "-stack", NULL);
}

static void store_stack_usage(const struct runtime *runtime, enum runtime_extent extent, const char *directory)
{
	g_autofree char *path = cached_stack_usage(runtime, extent), *usage = stack_usage_of_runtime(directory);

	if (usage)
		cache_store(path, usage, strlen(usage));
}

char *runtime_stack_usage(const struct runtime *runtime, enum runtime_extent extent, const char *directory)
{
	char *usage = stack_usage_of_runtime(directory);
	g_autofree char *path = usage || !runtime->cache ? NULL : cached_stack_usage(runtime, extent);
	size_t length;

	if (path && !cache_load(path, &usage, &length))
		return NULL;
	return usage;
}

struct error *runtime_keep(const struct translation *t, const struct runtime *runtime, enum runtime_extent extent,
			   const char *directory, const char *report)
{
	if (!runtime->cache)
		return NULL;
	/* Store the report first, because it counts as soon as the objects exist. */
	optional_keep(runtime->cache, extents[extent].name, report);
	store_facts(runtime, directory);
	store_stack_usage(runtime, extent, directory);
	for_each_half(half) {
		g_autofree char *object = g_build_filename(directory, half->object, NULL);
		g_autofree char *cached = cached_object(runtime, extent, half);
		struct error *error = kbuild_strip_object(t, object);

		if (error)
			return error;
		cache_store_file(cached, object);
	}
	return NULL;
}
