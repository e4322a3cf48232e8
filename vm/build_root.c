// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Build roots: the tools to build modules for a kernel of another Debian release than the host's.
 *
 * kbuild's own tools are programs of the kernel's release, linked with its libraries, and modules need the compiler
 * that built the kernel. So such a kernel comes with the packages that its headers depend on, as apt resolves them for
 * an empty system, and with the few tools that kbuild assumes. Their /usr is CACHE/kernels/.build-roots/SUITE-COMPILER.
 * stap runs its compilers with that in place of the host's /usr (common/build_root.c).
 *
 * No package scripts are run. Their only effect needed here, links for programs that several packages provide, is
 * reproduced by links[].
 */
#include "vm/build_root.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/progress.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "vm/cache.h"
#include "vm/tool.h"

/* Programs that kbuild and its scripts call, besides the compiler. */
static const char *const tools[] = {"binutils", "coreutils", "dash", "findutils", "grep", "make", "mawk", "sed"};

/* Links that the packages' scripts would create. */
static const struct {
	const char *path, *target;
} links[] = {
	{"usr/bin/awk", "mawk"},
	{"usr/bin/sh", "dash"},
};

/* Directories that older packages have outside /usr. stap sees them as links into /usr, as on a merged system. */
static const char *const merged[] = {"bin", "sbin", "lib", "lib64"};

/* Upper bound for the ratio of unpacked to downloaded size. */
#define UNPACKED_TIMES 5

/* ---- which packages ---------------------------------------------------------------------------------------------- */

struct needs {
	GPtrArray *packages; /* strings NAME=VERSION */
	char *compiler; /* "gcc-14", or NULL */
	guint64 bytes;
};

static void needs_clear(struct needs *needs)
{
	g_clear_pointer(&needs->packages, g_ptr_array_unref);
	g_free(needs->compiler);
}

/*
 * Parse a line of "apt-get install --print-uris": 'URI' NAME_VERSION_ARCHITECTURE.deb SIZE CHECKSUM. In the version,
 * ':' is written as %3a.
 */
static void note_package(struct needs *needs, const char *line)
{
	g_autoptr(GRegex) form = g_regex_new("^'[^']*' ([^_ ]+)_([^_ ]+)_[^ ]+\\.deb ([0-9]+)", 0, 0, NULL);
	g_autoptr(GRegex) compiler = g_regex_new("^gcc-[0-9]+", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL, compiler_match = NULL;
	g_autofree char *name = NULL, *escaped = NULL, *version = NULL, *size = NULL;

	if (!g_regex_match(form, line, 0, &match))
		return;
	name = g_match_info_fetch(match, 1);
	if (archive_is_kernel_package(name))
		return;
	escaped = g_match_info_fetch(match, 2);
	version = g_uri_unescape_string(escaped, NULL);
	size = g_match_info_fetch(match, 3);
	needs->bytes += g_ascii_strtoull(size, NULL, 10);
	g_ptr_array_add(needs->packages, g_strdup_printf("%s=%s", name, version ?: escaped));
	if (!g_str_has_suffix(name, "-base") && g_regex_match(compiler, name, 0, &compiler_match)) {
		g_free(needs->compiler);
		needs->compiler = g_match_info_fetch(compiler_match, 0);
	}
}

static struct error *find_needs(const struct archive *archive, const char *headers, struct needs *needs)
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
	g_ptr_array_add(arguments, (void *)headers);
	for (guint i = 0; i < G_N_ELEMENTS(tools); i++)
		g_ptr_array_add(arguments, (void *)tools[i]);
	g_ptr_array_add(arguments, NULL);
	error = archive_run(archive, NULL, "apt-get", "install", (const char *const *)arguments->pdata, &output);
	if (error)
		return error;
	needs->packages = g_ptr_array_new_with_free_func(g_free);
	lines = g_strsplit(output, "\n", -1);
	for (char **line = lines; *line; line++)
		note_package(needs, *line);
	if (!needs->compiler)
		return error_new(ERROR_LOOKUP, _("package %s does not depend on a compiler"), headers);
	return NULL;
}

/* ---- making one -------------------------------------------------------------------------------------------------- */

static struct error *download(const struct archive *archive, const struct needs *needs, const char *directory)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	if (g_mkdir_with_parents(directory, 0755) < 0)
		return error_errno(_("cannot make %s"), directory);
	for (guint i = 0; i < needs->packages->len; i++)
		g_ptr_array_add(names, needs->packages->pdata[i]);
	g_ptr_array_add(names, NULL);
	return archive_download(archive, directory, (const char *const *)names->pdata, _("the build tools"),
				needs->bytes);
}

static struct error *unpack_all(const char *debs, const char *root)
{
	_cleanup_progress_ struct progress *step = progress_begin(_("unpacking %s"), _("the build tools"));
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

/* Move the contents of /bin and similar directories to /usr. */
static struct error *merge_directories(const char *root)
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

static struct error *make_links(const char *root)
{
	for (guint i = 0; i < G_N_ELEMENTS(links); i++) {
		g_autofree char *path = g_build_filename(root, links[i].path, NULL);

		if (symlink(links[i].target, path) < 0 && errno != EEXIST)
			return error_errno("%s", path);
	}
	return NULL;
}

/* Remove /usr/share: documentation makes up most of the files. */
static struct error *drop_documentation(const char *root)
{
	g_autofree char *share = g_build_filename(root, "usr/share", NULL);

	return tool_remove(share);
}

static struct error *make_root(const struct archive *archive, const struct needs *needs, const char *work)
{
	g_autofree char *debs = g_build_filename(work, "debs", NULL);
	g_autofree char *root = g_build_filename(work, "root", NULL);
	struct error *error = tool_remove(root);

	/* Packages left by an interrupted fetch may be outdated. */
	error = error ?: tool_remove(debs);
	error = error ?: download(archive, needs, debs);
	error = error ?: unpack_all(debs, root);
	error = error ?: merge_directories(root);
	error = error ?: make_links(root);
	return error ?: drop_documentation(root);
}

struct error *build_root_fetch(const struct archive *archive, const char *kernels, const char *headers, char **name)
{
	_cleanup_(needs_clear) struct needs needs = {NULL};
	g_autofree char *all = g_build_filename(kernels, BUILD_ROOTS_DIRECTORY, NULL), *own = NULL, *root = NULL,
			*work = NULL, *made = NULL;
	g_autofree char *size = NULL;
	_cleanup_close_ int lock = -1;
	struct error *error = find_needs(archive, headers, &needs);

	if (error)
		return error;
	if (g_mkdir_with_parents(all, 0755) < 0)
		return error_errno(_("cannot make %s"), all);
	own = g_strdup_printf("%s-%s", archive->suite, needs.compiler);
	root = g_build_filename(all, own, NULL);
	work = g_strdup_printf("%s/.%s.fetch", all, own);
	made = g_build_filename(work, "root", NULL);
	error = cache_lock(all, own, &lock);
	if (!error && !g_file_test(root, G_FILE_TEST_EXISTS)) {
		size = g_format_size(needs.bytes);
		fprintf(stderr, _("Fetching its build tools (%s) into %s\n"), size, root);
		error = cache_check_space(all, needs.bytes * (1 + UNPACKED_TIMES));
		error = error ?: make_root(archive, &needs, work);
		if (!error && g_rename(made, root) < 0)
			error = error_errno("%s", root);
		error = error ?: tool_remove(work);
	}
	if (!error)
		*name = g_steal_pointer(&own);
	return error;
}
