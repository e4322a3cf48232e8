// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kbuild.
 *
 * Two steps: the runtime library as one relocatable object (cached), and the script's module, whose kbuild folder holds
 * the generated C file, the runtime's script.h and the object under the name that kbuild knows for prebuilt objects
 * (*.o_shipped).
 *
 * The cache key of the runtime covers the kernel (its build-id and configuration stamp), the compiler and every file of
 * the runtime's source. An entry is written under a temporary name and renamed, so that a run that is interrupted
 * leaves nothing half, and two at once do no harm.
 */
#include "translator/build/build.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "translator/util/files.h"
#include "translator/util/i18n.h"
#include "translator/util/paths.h"
#include "translator/util/process.h"

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
	return g_str_has_suffix(name, ".c") || g_str_has_suffix(name, ".h") || !strcmp(name, "Makefile");
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

/* How the object is made; a change of the steps below changes this text. */
#define RUNTIME_RECIPE "runtime.o by kbuild"

/* ---- the cache key --------------------------------------------------------------------------------------------------- */

static void add_text(GChecksum *sum, const char *text)
{
	/* With the NUL, so that neighbours cannot run together. */
	g_checksum_update(sum, (const guchar *)text, strlen(text) + 1);
}

static struct error *add_sources(GChecksum *sum, const char *root, const GPtrArray *names)
{
	for_each_ptr(const char *, name, names) {
		g_autofree char *path = g_build_filename(root, name, NULL);
		g_autofree char *text = NULL;
		struct error *error;
		size_t length;

		error = file_read(path, &text, &length);
		if (error)
			return error;
		add_text(sum, name);
		g_checksum_update(sum, (const guchar *)text, length);
	}
	return NULL;
}

static void add_file_if_there(GChecksum *sum, const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	g_autofree char *text = NULL;

	if (g_file_get_contents(path, &text, NULL, NULL))
		add_text(sum, text);
}

/* The compiler that kbuild will call, by its own account. */
static void add_compiler(GChecksum *sum)
{
	const char *const argv[] = {"gcc", "--version", NULL};
	g_autofree char *output = NULL;

	error_free(process_run(argv, NULL, &output));
	add_text(sum, output ?: "");
}

static struct error *runtime_key(const struct translation *t, const char *root, const GPtrArray *names, char **ret)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	struct error *error;

	add_text(sum, PACKAGE_VERSION);
	add_text(sum, RUNTIME_RECIPE);
	add_text(sum, t->kernel.release);
	add_text(sum, t->kernel.build_id ?: "");
	add_text(sum, t->kernel.build_folder);
	add_file_if_there(sum, t->kernel.build_folder, "include/config/auto.conf");
	add_compiler(sum);
	error = add_sources(sum, root, names);
	if (error)
		return error;
	*ret = g_strdup(g_checksum_get_string(sum));
	return NULL;
}

/* ---- kbuild ------------------------------------------------------------------------------------------------------------ */

/* The lines of kbuild's output that say what is wrong; all of it if none does. */
static char *telling_lines(const char *output)
{
	enum { MOST_LINES = 20 };
	g_auto(GStrv) lines = g_strsplit(output, "\n", -1);
	g_autoptr(GString) text = g_string_new(NULL);
	int count = 0;

	for (char **line = lines; *line && count < MOST_LINES; line++) {
		if (!strstr(*line, "rror") && !strstr(*line, "undefined") && !strstr(*line, "No such"))
			continue;
		g_string_append_printf(text, "\n    %s", *line);
		count++;
	}
	if (!count)
		g_string_append_printf(text, "\n%s", output);
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static struct error *run_kbuild(const struct translation *t, const char *folder, const GPtrArray *goals)
{
	g_autofree char *module_argument = g_strdup_printf("M=%s", folder);
	const char *const head[] = {"make", "-s", "-j2", "V=0", "-C", t->kernel.build_folder, module_argument};
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	g_autofree char *output = NULL, *lines = NULL;
	struct error *error;

	for (size_t i = 0; i < G_N_ELEMENTS(head); i++)
		g_ptr_array_add(argv, (void *)head[i]);
	for_each_ptr(const char *, goal, goals)
		g_ptr_array_add(argv, (void *)goal);
	g_ptr_array_add(argv, NULL);
	error = process_run((const char *const *)argv->pdata, NULL, &output);
	if (!error || error->code != ERROR_BUILD)
		return error;
	lines = telling_lines(output);
	error_free(error);
	error = error_new(ERROR_BUILD, _("kbuild failed in %s:%s"), folder, lines);
	return t->keep_folder ? error : error_with_hint(error, _("-k keeps the folder with the generated code"));
}

static struct error *check_headers(const struct translation *t)
{
	if (t->kernel.build_folder)
		return NULL;
	return error_with_hint(
		error_new(ERROR_LOOKUP, _("the build headers of kernel %s are not installed"), t->kernel.release),
		_("apt-get install linux-headers-%s, or: stap-vm fetch %s"), t->kernel.release, t->kernel.release);
}

/* ---- the runtime object -------------------------------------------------------------------------------------------------- */

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

/* Build in the work folder, then put the object into the cache if there is one. */
static struct error *build_runtime(struct translation *t, const char *root, const GPtrArray *names,
				   const char *work_folder, const char *cached)
{
	g_autofree char *folder = g_build_filename(work_folder, "runtime", NULL);
	g_autofree char *object = g_build_filename(folder, "runtime.o", NULL);
	g_autoptr(GPtrArray) goals = g_ptr_array_new();
	struct error *error;

	/* The object alone, not the module that its Makefile names: see there. */
	g_ptr_array_add(goals, "runtime.o");

	if (g_mkdir(folder, 0700))
		return error_errno(_("cannot make %s"), folder);
	error = copy_runtime(root, names, folder);
	error = error ?: run_kbuild(t, folder, goals);
	error = error ?: copy_into(object, work_folder, "spile_runtime.o_shipped");
	if (error)
		return error;
	/* A cache that cannot be written (full disk, read-only) costs time, not the run. */
	if (cached) {
		g_autofree char *parent = g_path_get_dirname(cached);

		if (!g_mkdir_with_parents(parent, 0755))
			error_free(file_copy(object, cached));
	}
	return NULL;
}

/* A cached object is used only if it is ours: owned by us, writable by nobody else. */
static bool is_trustworthy(const char *path)
{
	struct stat status;

	return !lstat(path, &status) && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
	       !(status.st_mode & (S_IWGRP | S_IWOTH)) && status.st_size > 0;
}

static struct error *provide_runtime(struct translation *t, const char *root, const char *work_folder)
{
	g_autoptr(GPtrArray) names = NULL;
	g_autofree char *key = NULL, *cached = NULL;
	struct error *error;

	error = runtime_sources(root, &names);
	error = error ?: runtime_key(t, root, names, &key);
	if (error)
		return error;
	if (t->cache_folder)
		cached = g_strdup_printf("%s/runtime/%s.o", t->cache_folder, key);
	if (cached && is_trustworthy(cached))
		return copy_into(cached, work_folder, "spile_runtime.o_shipped");
	return build_runtime(t, root, names, work_folder, cached);
}

/* ---- the module -------------------------------------------------------------------------------------------------------------- */

static struct error *write_sources(struct translation *t, const char *root, const char *folder)
{
	g_autofree char *header = g_build_filename(root, "script.h", NULL);
	g_autofree char *makefile =
		g_strdup_printf("obj-m := %s.o\n"
				"%s-y := %s_src.o spile_runtime.o\n"
				"ccflags-y := -g0 -I%s -Wno-unused-function -Wno-declaration-after-statement\n",
				t->module_name, t->module_name, t->module_name, folder);
	g_autofree char *source = g_strdup_printf("%s_src.c", t->module_name);
	struct error *error;

	error = copy_into(header, folder, "script.h");
	error = error ?: write_text(folder, "Makefile", makefile);
	error = error ?: write_text(folder, source, t->c_text);
	/* modpost looks for the record of how each object was made; there is none for a prebuilt one. */
	return error ?: write_text(folder, ".spile_runtime.o.cmd", "");
}

static struct error *strip_debug(const char *path)
{
	const char *const argv[] = {"strip", "--strip-debug", path, NULL};

	return process_run(argv, NULL, NULL);
}

struct error *build_module(struct translation *t, const char *work_folder, const char **module_path)
{
	g_autofree char *root = g_build_filename(data_folder(), "runtime", NULL);
	g_autoptr(GPtrArray) goals = g_ptr_array_new();
	struct error *error;

	g_ptr_array_add(goals, "modules");
	error = check_headers(t);
	error = error ?: provide_runtime(t, root, work_folder);
	error = error ?: write_sources(t, root, work_folder);
	error = error ?: run_kbuild(t, work_folder, goals);
	if (error)
		return error;
	*module_path = arena_printf(t->arena, "%s/%s.ko", work_folder, t->module_name);
	return strip_debug(*module_path);
}
