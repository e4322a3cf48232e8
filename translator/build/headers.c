// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Types that debuginfo lacks, from header files: @cast(p, "type", "kernel<linux/x.h>").
 *
 * A file that includes only these headers is compiled with debuginfo: by kbuild for the kernel's headers, with the
 * compiler's defaults for others. A compiler option requests the description of unused types, too.
 *
 * kbuild takes seconds, so its object is cached with a list of all its source files, with sizes and dates. If one of
 * them has changed, the object is not used. Calling the compiler directly is faster than checking them.
 */
#include "translator/build/headers.h"

#include <string.h>

#include "common/cache.h"
#include "common/files.h"
#include "common/process.h"
#include "common/progress.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "translator/build/kbuild.h"
#include "translator/build/runtime.h"

#define TYPES_NAME "spile_types"
#define TYPES_SOURCE TYPES_NAME ".c"
#define TYPES_OBJECT TYPES_NAME ".o"
#define TYPES_COMMAND "." TYPES_OBJECT ".cmd" /* written by kbuild beside the object */

static struct error *write_source(const char *headers, const char *directory)
{
	g_autofree char *path = g_build_filename(directory, TYPES_SOURCE, NULL);
	g_auto(GStrv) names = g_strsplit(headers, ">", -1);
	g_autoptr(GString) text = g_string_new(NULL);

	for (char **name = names; *name && **name; name++)
		g_string_append_printf(text, "#include %s>\n", *name);
	return file_write(path, text->str, text->len);
}

/* Extract the compiler's messages from the output of make: the lines with "error:" after a place. */
static char *compiler_lines(const char *output)
{
	enum { MOST_LINES = 5 };
	g_auto(GStrv) lines = g_strsplit(output, "\n", -1);
	g_autoptr(GString) text = g_string_new(NULL);
	int count = 0;

	for (char **line = lines; *line && count < MOST_LINES; line++) {
		const char *source = strstr(*line, "error: ");

		if (!source)
			continue;
		g_string_append_printf(text, "%s%s", count ? "; " : "", source + strlen("error: "));
		count++;
	}
	return count ? g_string_free(g_steal_pointer(&text), FALSE) : g_strdup(output);
}

static struct error *compile_error(struct error *cause, const char *headers, const char *output)
{
	g_autofree char *lines = NULL;
	struct error *error;

	if (cause->code != ERROR_BUILD)
		return cause;
	lines = compiler_lines(output);
	error = error_with_hint(error_new(ERROR_BUILD, _("cannot compile %s for its types: %s"), headers, lines),
				_("name the headers that it needs before it: \"<first.h>%s\""), headers);
	error_free(cause);
	return error;
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

static struct error *compile_for_program(const struct translation *t, const char *headers, const char *directory)
{
	g_autofree char *compiler = kbuild_tool(t, "gcc");
	const char *const argv[] = {compiler,	  "-g", "-fno-eliminate-unused-debug-types", "-c", "-o", TYPES_OBJECT,
				    TYPES_SOURCE, NULL};
	g_autofree char *output = NULL;
	struct error *error = process_run(argv, directory, &output);

	return error ? compile_error(error, headers, output ? g_strstrip(output) : "") : NULL;
}

/* ---- the kernel -------------------------------------------------------------------------------------------------- */

static struct error *compile_for_kernel(const struct translation *t, const char *headers, const char *directory)
{
	static const char makefile[] = "obj-m := " TYPES_OBJECT "\n"
				       "CFLAGS_" TYPES_OBJECT " := -g -fno-eliminate-unused-debug-types\n";
	g_autofree char *path = g_build_filename(directory, "Makefile", NULL);
	_cleanup_progress_ struct progress *step = progress_begin(_("compiling %s for its types"), headers);
	struct error *error;

	error = file_write(path, makefile, strlen(makefile));
	error = error ?: kbuild_run(t, directory, TYPES_OBJECT, NULL);
	return error ? compile_error(error, headers, error->message) : NULL;
}

/* Add a line with the current state of a file to the list. */
static void add_stamp(GString *list, const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return;
	g_string_append_printf(list, "%s\t%lld %lld.%09ld\n", path, (long long)status.st_size,
			       (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

/*
 * Return the list of the object's source files, from kbuild's "deps_…": a file per line, ending with a backslash,
 * relative to the build directory. $(wildcard …) among them refers to settings, which are in the key of the cache
 * directory.
 */
static char *list_files(const struct translation *t, const char *directory)
{
	g_autofree char *path = g_build_filename(directory, TYPES_COMMAND, NULL), *text = NULL;
	g_autoptr(GString) list = g_string_new(NULL);
	struct error *error;
	size_t length;
	char *start;

	error = file_read(path, &text, &length);
	start = error ? NULL : strstr(text, "\ndeps_");
	error_free(error);
	if (!start)
		return NULL;
	g_auto(GStrv) lines = g_strsplit(start + 1, "\n", -1);
	for (char **line = lines + 1; *line && **line; line++) {
		g_autofree char *file = NULL;

		g_strdelimit(*line, "\\", ' ');
		g_strstrip(*line);
		if (!**line || **line == '$')
			continue;
		file = g_path_is_absolute(*line) ? g_strdup(*line)
						 : g_build_filename(t->kernel.build_directory, *line, NULL);
		add_stamp(list, file);
	}
	return g_string_free(g_steal_pointer(&list), FALSE);
}

static bool is_up_to_date(const char *list_path)
{
	g_autoptr(GString) now = g_string_new(NULL);
	g_autofree char *list = NULL;
	size_t length;

	if (!cache_load(list_path, &list, &length))
		return false;
	g_auto(GStrv) lines = g_strsplit(list, "\n", -1);
	for (char **line = lines; *line && **line; line++) {
		g_autofree char *path = g_strndup(*line, strcspn(*line, "\t"));

		add_stamp(now, path);
	}
	return now->len == length && !memcmp(now->str, list, length);
}

static struct error *provide_for_kernel(const struct translation *t, const char *headers, const char *directory,
					const char *object)
{
	g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, headers, -1);
	g_autofree char *kept = NULL, *list_path = NULL, *list = NULL;
	struct runtime runtime = {0};
	struct error *error = NULL;
	bool done = false;

	if (!t->kernel.build_directory)
		return headers_not_installed(t);
	error = runtime_find(t, &runtime);
	if (!error && runtime.cache) {
		kept = g_strdup_printf("%s/types-%s.o", runtime.cache, sum);
		list_path = g_strdup_printf("%s/types-%s.files", runtime.cache, sum);
	}
	if (!error && kept && is_up_to_date(list_path))
		error = cache_load_file(kept, object, &done);
	if (!error && !done) {
		error = compile_for_kernel(t, headers, directory);
		list = error || !kept ? NULL : list_files(t, directory);
	}
	if (list) {
		cache_store_file(kept, object);
		cache_store(list_path, list, strlen(list));
	}
	runtime_clear(&runtime);
	return error;
}

struct error *headers_compile(const struct translation *t, const char *headers, bool for_kernel, const char *directory,
			      char **path)
{
	g_autofree char *object = g_build_filename(directory, TYPES_OBJECT, NULL);
	struct error *error = write_source(headers, directory);

	if (!error && for_kernel)
		error = provide_for_kernel(t, headers, directory, object);
	else if (!error)
		error = compile_for_program(t, headers, directory);
	if (!error)
		*path = g_steal_pointer(&object);
	return error;
}
