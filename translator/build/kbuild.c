// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calling make in the target kernel's build tree, and the folder of the cache for what it makes.
 *
 * The key of that folder covers all that the results depend on: the kernel (release, build-id, place and configuration
 * of its build tree), the compiler, every file of the runtime's source, and our own version. Nothing in a folder is
 * ever changed; another key is another folder.
 */
#include "translator/build/kbuild.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "translator/util/cache.h"
#include "translator/util/files.h"
#include "translator/util/i18n.h"
#include "translator/util/process.h"

/* How the files of the cache are made; to be changed with the code that makes them. */
#define RECIPE_VERSION "8"

/* ---- make -------------------------------------------------------------------------------------------------------- */

/* The lines of kbuild's output that say what is wrong; all of it if none does. */
static char *telling_lines(const char *output)
{
	enum { MOST_LINES = 20 };
	g_auto(GStrv) lines = g_strsplit(output, "\n", -1);
	g_autoptr(GString) text = g_string_new(NULL);
	int count = 0;

	for (char **line = lines; *line && count < MOST_LINES; line++) {
		if (!strstr(*line, "rror") && !strstr(*line, "undefined") && !strstr(*line, "No such") &&
		    !strstr(*line, "No space"))
			continue;
		g_string_append_printf(text, "\n    %s", *line);
		count++;
	}
	if (!count)
		g_string_append_printf(text, "\n%s", output);
	return g_string_free(g_steal_pointer(&text), FALSE);
}

struct error *kbuild_run(const struct translation *t, const char *folder, const char *goal)
{
	g_autofree char *module_argument = g_strdup_printf("M=%s", folder);
	const char *const argv[] = {
		"make", "-s", "-j2", "V=0", "-C", t->kernel.build_folder, module_argument, goal, NULL,
	};
	g_autofree char *output = NULL, *lines = NULL;
	struct error *error;

	error = process_run(argv, NULL, &output);
	if (!error || error->code != ERROR_BUILD)
		return error;
	lines = telling_lines(output);
	error_free(error);
	error = error_new(ERROR_BUILD, _("kbuild failed in %s:%s"), folder, lines);
	return t->keep_folder ? error : error_with_hint(error, _("-k keeps the folder with the generated code"));
}

struct error *kbuild_strip(const char *path)
{
	const char *const argv[] = {"strip", "--strip-debug", path, NULL};

	return process_run(argv, NULL, NULL);
}

/* ---- the cache --------------------------------------------------------------------------------------------------- */

static void add_text(GChecksum *sum, const char *text)
{
	/* With the NUL, so that neighbours cannot run together. */
	g_checksum_update(sum, (const guchar *)text, strlen(text) + 1);
}

static struct error *add_files(GChecksum *sum, const char *root, const GPtrArray *names)
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
	size_t length;
	struct error *error = file_read(path, &text, &length);

	if (!error)
		g_checksum_update(sum, (const guchar *)text, length + 1);
	error_free(error);
}

static void add_program(GChecksum *sum, const char *name)
{
	g_autofree char *path = g_find_program_in_path(name);
	g_autofree char *text = NULL;
	struct stat status;

	if (!path || stat(path, &status))
		return;
	text = g_strdup_printf("%s %lld %lld.%ld", path, (long long)status.st_size, (long long)status.st_mtim.tv_sec,
			       status.st_mtim.tv_nsec);
	add_text(sum, text);
}

/*
 * The compilers that kbuild may call: the one that the kernel says made it (CONFIG_CC_VERSION_TEXT="gcc-12 (Debian …"),
 * and the names that kbuild uses by itself. Each counts by the file it leads to, its size and its date. A package's
 * update changes the date; asking each for its version would take longer than compiling a script.
 */
static void add_compilers(GChecksum *sum, GHashTable *config)
{
	static const char *const names[] = {"gcc", "clang", "ld", "ld.lld"};
	const char *made_by = g_hash_table_lookup(config, "CONFIG_CC_VERSION_TEXT") ?: "";
	g_autofree char *compiler = NULL;

	made_by += *made_by == '"';
	compiler = g_strndup(made_by, strcspn(made_by, " \""));
	add_program(sum, compiler);
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		add_program(sum, names[i]);
}

int kbuild_lock(const char *cache)
{
	int fd = open(cache, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		flock(fd, LOCK_EX); /* a signal ends the wait; the next step notices it */
	return fd;
}

struct error *kbuild_cache(const struct translation *t, const char *runtime_folder, const GPtrArray *runtime_files,
			   char **ret)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autofree char *folder = NULL;
	struct error *error;
	struct stat status;

	*ret = NULL;
	if (!t->cache_folder)
		return NULL;
	add_text(sum, PACKAGE_VERSION " " RECIPE_VERSION);
	add_text(sum, t->kernel.release);
	add_text(sum, t->kernel.build_id ?: "");
	add_text(sum, t->kernel.build_folder);
	add_file_if_there(sum, t->kernel.build_folder, "include/config/auto.conf");
	add_compilers(sum, t->language.kernel_config);
	error = add_files(sum, runtime_folder, runtime_files);
	if (error)
		return error;
	folder = g_strdup_printf("%s/kbuild/%s", t->cache_folder, g_checksum_get_string(sum));
	/* A cache that cannot be made (full disk, read-only) costs time, not the run. */
	if (!g_mkdir_with_parents(folder, 0755) && !lstat(folder, &status) && S_ISDIR(status.st_mode) &&
	    cache_is_ours(&status))
		*ret = g_steal_pointer(&folder);
	return NULL;
}

void kbuild_note(const struct translation *t, const char *format, ...)
{
	va_list args;

	if (!t->note_build)
		return;
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}
