// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The runtime for one kernel: its source as installed, and the objects that kbuild made of it, which the cache keeps.
 *
 * There are three of them, since most scripts have nothing to do with programs and should not carry what that takes:
 * one without and one with the files that STP_USER_SPACE stands for in runtime/runtime.c, and one with those of
 * STP_SYSCALLS besides, which are as large as all the rest. Which one a script needs, the names in its C text tell.
 *
 * kbuild compiles the source beside the first script for a kernel that needs the object, and knows it as a prebuilt one
 * (*.o_shipped) from then on.
 */
#include "translator/build/runtime.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "translator/build/kbuild.h"
#include "translator/build/optional.h"
#include "translator/util/cache.h"
#include "translator/util/files.h"
#include "translator/util/i18n.h"
#include "translator/util/paths.h"
#include "translator/util/progress.h"

#define FACTS "compat/facts.h" /* in its folder */

/* ---- the runtime's source ---------------------------------------------------------------------------------------- */

static bool is_source(const char *name)
{
	return g_str_has_suffix(name, ".c") || g_str_has_suffix(name, ".h") || g_str_has_suffix(name, ".awk");
}

/* ---- which of them ----------------------------------------------------------------------------------------------- */

/* Beginnings of the names that only the larger one knows, or does something with. */
static const char *const user_space_names[] = {
	"STP_PROBE_UPROBE", "STP_PROBE_URETPROBE", "STP_PROBE_PROCESS", "STP_TARGET_LIBRARY", "stp_syscall_",
	"stp_user_stack",   "stp_user_symbol",	   ".program =",	"stp_float_",
};

static const char *const syscall_names[] = {
	"STP_PROBE_SYSCALL", "stp_syscall_name", "stp_syscall_row", "stp_syscall_item", "stp_syscall_arguments",
};

static const struct {
	const char *object, *definitions;
	const char *announcement; /* of its being compiled; with the kernel's release */
} extents[] = {
	[RUNTIME_KERNEL] = {"runtime.o", "", N_("Compiling the runtime for kernel %s, once.")},
	[RUNTIME_PROGRAMS] = {"runtime-user.o", "#define STP_USER_SPACE\n",
			      N_("Compiling the runtime for probes of programs on kernel %s, once.")},
	[RUNTIME_SYSCALLS] = {"runtime-syscalls.o", "#define STP_USER_SPACE\n#define STP_SYSCALLS\n",
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

/* Its place in the cache; NULL: there is none. To be freed. */
static char *cached_object(const struct runtime *runtime, enum runtime_extent extent)
{
	return runtime->cache ? g_build_filename(runtime->cache, extents[extent].object, NULL) : NULL;
}

bool runtime_is_cached(const struct runtime *runtime, enum runtime_extent extent)
{
	g_autofree char *path = cached_object(runtime, extent);

	return path && g_file_test(path, G_FILE_TEST_EXISTS);
}

/* ---- providing it ------------------------------------------------------------------------------------------------ */

/* script.h, which generated code includes, and what it includes in its turn. */
static const char *const script_headers[] = {"script.h",  "layout.h",	"regex_table.h",
					     "context.h", "services.h", "primitives.h"};

static struct error *copy_script_headers(const char *root, const char *folder)
{
	struct error *error = NULL;

	for (unsigned int i = 0; !error && i < G_N_ELEMENTS(script_headers); i++) {
		g_autofree char *from = g_build_filename(root, script_headers[i], NULL);
		g_autofree char *to = g_build_filename(folder, script_headers[i], NULL);

		error = file_copy(from, to);
	}
	return error;
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
	g_ptr_array_sort(names, compare_strings);
	*ret = g_steal_pointer(&names);
	return NULL;
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

void runtime_clear(struct runtime *runtime)
{
	g_free(runtime->source);
	g_free(runtime->cache);
	g_clear_pointer(&runtime->files, g_ptr_array_unref);
}

struct error *runtime_find(const struct translation *t, struct runtime *runtime)
{
	struct error *error;

	runtime->source = t->runtime_folder ? g_canonicalize_filename(t->runtime_folder, NULL)
					    : g_build_filename(data_folder(), "runtime", NULL);
	error = runtime_sources(runtime->source, &runtime->files);
	return error ?: kbuild_cache(t, runtime->source, runtime->files, &runtime->cache);
}

/*
 * The first script for a kernel takes seconds, the next a tenth of one. On a terminal that is seen as progress;
 * elsewhere a line tells it. Without a cache it is the same each time, and no news; who prepares a kernel asked for it.
 */
static void tell_of_compiling(const struct translation *t, enum runtime_extent extent, const char *cached)
{
	if (!t->note_build && (!cached || t->is_preparation || progress_is_shown()))
		return;
	progress_clear();
	fprintf(stderr, _(extents[extent].announcement), t->kernel.release);
	fputc('\n', stderr);
}

/* The file that kbuild compiles: the runtime, or what is wanted of it. */
static struct error *write_including(enum runtime_extent extent, const char *folder, const char *definitions)
{
	g_autofree char *path = g_build_filename(folder, RUNTIME_SOURCE, NULL);
	g_autofree char *text =
		g_strdup_printf("%s%s#include \"runtime/runtime.c\"\n", extents[extent].definitions, definitions);

	return file_write(path, text, strlen(text));
}

/* What the kernel's headers answered (runtime/compat/facts.c): to all extents of the runtime the same. */
static struct error *load_facts(const struct runtime *runtime, const char *source)
{
	g_autofree char *path = g_build_filename(source, FACTS, NULL), *cached = NULL;
	bool done;

	if (!runtime->cache)
		return NULL;
	cached = g_build_filename(runtime->cache, "facts.h", NULL);
	return cache_load_file(cached, path, &done);
}

static void store_facts(const struct runtime *runtime, const char *folder)
{
	g_autofree char *path = g_build_filename(folder, "runtime", FACTS, NULL);
	g_autofree char *cached = g_build_filename(runtime->cache, "facts.h", NULL);

	cache_store_file(cached, path);
}

struct error *runtime_provide(const struct translation *t, const struct runtime *runtime, enum runtime_extent extent,
			      const char *folder, bool *is_source)
{
	g_autofree char *shipped = g_build_filename(folder, RUNTIME_OBJECT "_shipped", NULL);
	g_autofree char *source = g_build_filename(folder, "runtime", NULL);
	g_autofree char *cached = cached_object(runtime, extent);
	struct error *error;
	bool done = false;

	error = copy_script_headers(runtime->source, folder);
	if (!error && cached)
		error = cache_load_file(cached, shipped, &done);
	*is_source = !done;
	if (error || done)
		return error;
	tell_of_compiling(t, extent, cached);
	error = copy_runtime(runtime->source, runtime->files, source);
	error = error ?: load_facts(runtime, source);
	return error ?: write_including(extent, folder, "");
}

struct error *runtime_leave_out(enum runtime_extent extent, const char *folder, const char *report)
{
	g_autofree char *definitions = optional_definitions(report);

	return write_including(extent, folder, definitions);
}

struct error *runtime_check(const struct translation *t, const struct runtime *runtime, enum runtime_extent extent,
			    const char *c_text)
{
	g_autofree char *report = NULL;

	if (!runtime->cache || !runtime_is_cached(runtime, extent))
		return NULL;
	report = optional_recall(runtime->cache, extents[extent].object);
	if (!report)
		return NULL;
	optional_note(t, report);
	return optional_check(t, report, c_text);
}

struct error *runtime_keep(const struct translation *t, const struct runtime *runtime, enum runtime_extent extent,
			   const char *folder, const char *report)
{
	g_autofree char *object = g_build_filename(folder, RUNTIME_OBJECT, NULL);
	g_autofree char *cached = cached_object(runtime, extent);
	struct error *error = cached ? kbuild_strip_object(t, object) : NULL;

	if (error || !cached)
		return error;
	/* First what it lacks: once the object is there, it counts. */
	optional_keep(runtime->cache, extents[extent].object, report);
	store_facts(runtime, folder);
	cache_store_file(cached, object);
	return NULL;
}
