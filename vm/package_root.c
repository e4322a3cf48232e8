// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Unpack packages, and all that they depend on, into a directory of the cache. apt resolves the dependencies as for an
 * empty system. No package scripts are run, so the packages may be of any release and architecture of Debian.
 */
#include "vm/package_root.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "common/progress.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "vm/cache.h"
#include "vm/tool.h"

/* Directories that older packages have outside /usr. */
static const char *const merged[] = {"bin", "sbin", "lib", "lib64"};

/* Upper bound for the ratio of unpacked to downloaded size. */
#define UNPACKED_TIMES 5

/* ---- which packages ---------------------------------------------------------------------------------------------- */

void package_set_clear(struct package_set *set)
{
	g_clear_pointer(&set->packages, g_ptr_array_unref);
	g_clear_pointer(&set->compiler, g_free);
}

/*
 * Parse a line of "apt-get install --print-uris": 'URI' NAME_VERSION_ARCHITECTURE.deb SIZE CHECKSUM. In the version,
 * ':' is written as %3a.
 */
static void note_package(struct package_set *set, bool (*is_needed)(const char *name), const char *line)
{
	g_autoptr(GRegex) form = g_regex_new("^'[^']*' ([^_ ]+)_([^_ ]+)_[^ ]+\\.deb ([0-9]+)", 0, 0, NULL);
	g_autoptr(GRegex) compiler = g_regex_new("^gcc-[0-9]+", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL, compiler_match = NULL;
	g_autofree char *name = NULL, *escaped = NULL, *version = NULL, *size = NULL;

	if (!g_regex_match(form, line, 0, &match))
		return;
	name = g_match_info_fetch(match, 1);
	if (!is_needed(name))
		return;
	escaped = g_match_info_fetch(match, 2);
	version = g_uri_unescape_string(escaped, NULL);
	size = g_match_info_fetch(match, 3);
	set->bytes += g_ascii_strtoull(size, NULL, 10);
	g_ptr_array_add(set->packages, g_strdup_printf("%s=%s", name, version ?: escaped));
	if (!g_str_has_suffix(name, "-base") && g_regex_match(compiler, name, 0, &compiler_match)) {
		g_free(set->compiler);
		set->compiler = g_match_info_fetch(compiler_match, 0);
	}
}

struct error *package_set_find(const struct archive *archive, const GPtrArray *wanted,
			       bool (*is_needed)(const char *name), struct package_set *set)
{
	g_autoptr(GPtrArray) arguments = g_ptr_array_new();
	g_autofree char *output = NULL;
	g_auto(GStrv) lines = NULL;
	struct error *error;

	/* No lock is needed, because nothing is installed. */
	for (const char *const *option =
		     (const char *const[]){"-q", "-y", "--print-uris", "-o", "Debug::NoLocking=true", NULL};
	     *option; option++)
		g_ptr_array_add(arguments, (void *)*option);
	for (guint i = 0; i < wanted->len; i++)
		g_ptr_array_add(arguments, wanted->pdata[i]);
	g_ptr_array_add(arguments, NULL);
	error = archive_run(archive, NULL, "apt-get", "install", (const char *const *)arguments->pdata, &output);
	if (error)
		return error;
	set->packages = g_ptr_array_new_with_free_func(g_free);
	lines = g_strsplit(output, "\n", -1);
	for (char **line = lines; *line; line++)
		note_package(set, is_needed, *line);
	return NULL;
}

/* ---- making one -------------------------------------------------------------------------------------------------- */

static struct error *download(const struct archive *archive, const struct package_set *set, const char *what,
			      const char *directory)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	if (g_mkdir_with_parents(directory, 0755) < 0)
		return error_errno(_("cannot make %s"), directory);
	for (guint i = 0; i < set->packages->len; i++)
		g_ptr_array_add(names, set->packages->pdata[i]);
	g_ptr_array_add(names, NULL);
	return archive_download(archive, directory, (const char *const *)names->pdata, what, set->bytes);
}

static struct error *unpack_all(const char *debs, const char *what, const char *root)
{
	_cleanup_progress_ struct progress *step = progress_begin(_("unpacking %s"), what);
	g_autoptr(GDir) directory = g_dir_open(debs, 0, NULL);
	struct error *error = NULL;
	const char *name;

	if (g_mkdir_with_parents(root, 0755) < 0)
		return error_errno(_("cannot make %s"), root);
	while (!error && directory && (name = g_dir_read_name(directory))) {
		g_autofree char *path = g_build_filename(debs, name, NULL);

		error = tool_run(NULL, (const char *const[]){"dpkg-deb", "-x", path, root, NULL}, NULL);
	}
	return error;
}

struct error *package_root_merge(const char *root)
{
	struct error *error = NULL;

	for (guint i = 0; i < G_N_ELEMENTS(merged) && !error; i++) {
		g_autofree char *from = g_build_filename(root, merged[i], NULL);
		g_autofree char *content = g_strconcat(from, "/.", NULL);
		g_autofree char *to = g_build_filename(root, "usr", merged[i], NULL);

		if (g_mkdir_with_parents(to, 0755) < 0)
			return error_errno(_("cannot make %s"), to);
		if (g_file_test(from, G_FILE_TEST_IS_SYMLINK) || !g_file_test(from, G_FILE_TEST_IS_DIR))
			continue;
		error = tool_run(NULL, (const char *const[]){"cp", "-a", content, to, NULL}, NULL);
		error = error ?: tool_remove(from);
	}
	return error;
}

static struct error *make(const struct archive *archive, const struct package_set *set, const struct package_root *root,
			  const char *work)
{
	g_autofree char *debs = g_build_filename(work, "debs", NULL);
	g_autofree char *made = g_build_filename(work, "root", NULL);
	struct error *error = tool_remove(made);

	/* Packages left by an interrupted fetch may be outdated. */
	error = error ?: tool_remove(debs);
	error = error ?: download(archive, set, root->what, debs);
	error = error ?: unpack_all(debs, root->what, made);
	return error ?: root->finish(made);
}

struct error *package_root_make(const struct archive *archive, const struct package_set *set,
				const struct package_root *root)
{
	g_autofree char *all = g_build_filename(root->kernels, root->directory, NULL);
	g_autofree char *path = g_build_filename(all, root->name, NULL), *size = g_format_size(set->bytes);
	g_autofree char *work = g_strdup_printf("%s/.%s.fetch", all, root->name);
	g_autofree char *made = g_build_filename(work, "root", NULL);
	_cleanup_close_ int lock = -1;
	struct error *error;

	if (g_mkdir_with_parents(all, 0755) < 0)
		return error_errno(_("cannot make %s"), all);
	error = cache_lock(all, root->name, &lock);
	if (error || g_file_test(path, G_FILE_TEST_EXISTS))
		return error;
	fprintf(stderr, root->announcement, size, path);
	error = cache_check_space(all, set->bytes * (1 + UNPACKED_TIMES));
	error = error ?: make(archive, set, root, work);
	if (!error && g_rename(made, path) < 0)
		error = error_errno("%s", path);
	return error ?: tool_remove(work);
}
