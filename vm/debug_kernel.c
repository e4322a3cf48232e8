// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Build a kernel with checks for hidden errors (KASAN, lockdep, sleeping in atomic context) from Debian's
 * linux-source-6.1 over "make tinyconfig".
 *
 * The result is a build tree in CACHE/kernels, named after the source's version and the configuration, so that a change
 * of either creates a new one. An architecture other than this machine's is in the name, too. It is built under a name
 * that starts with a dot and renamed when complete. So kbuild must not record absolute paths to the tree, and
 * KBUILD_OUTPUT is not set. An interrupted build continues where make stopped. The files needed to build modules
 * against the tree are kept; the kernel's own object files are removed.
 */
#include "vm/debug_kernel.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/files.h"
#include "common/progress.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "vm/cache.h"
#include "vm/fetch.h"
#include "vm/tool.h"

static const char source_package[] = "linux-source-6.1";

/* Maximum size of the directory, before the object files are removed. */
static const guint64 BUILD_BYTES = 4ULL << 30;

/* Return the fragment that the user chose, or ours. */
static struct error *find_fragment(const char *chosen, char **ret)
{
	g_autofree char *own = g_build_filename(data_directory(), "vm/debug-kernel.config", NULL);

	*ret = g_canonicalize_filename(chosen ?: own, NULL);
	if (g_file_test(*ret, G_FILE_TEST_EXISTS))
		return NULL;
	return error_new(ERROR_LOOKUP, _("configuration %s does not exist"), *ret);
}

/* Return a name that depends on the source version that apt would download, and on the fragment. */
static struct error *tree_name(const char *fragment, const struct architecture *architecture, char **ret)
{
	const bool foreign = architecture != architecture_of_host();
	g_autofree char *stanza = NULL, *text = NULL, *sum = NULL;
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autoptr(GError) cause = NULL;
	struct error *error;
	gsize length;

	error = tool_run(NULL, (const char *const[]){"apt-cache", "show", "--no-all-versions", source_package, NULL},
			 &stanza);
	if (error)
		return error_with_hint(error, _("apt has no package %s; run 'apt-get update'"), source_package);
	if (!g_file_get_contents(fragment, &text, &length, &cause))
		return error_new(ERROR_SYSTEM, "%s", cause->message);
	g_checksum_update(checksum, (const guchar *)stanza, -1);
	g_checksum_update(checksum, (const guchar *)text, length);
	sum = g_strndup(g_checksum_get_string(checksum), 8);
	*ret = g_strconcat("debug-6.1-", foreign ? architecture->debian : sum, foreign ? "-" : NULL, sum, NULL);
	return NULL;
}

/* Unpack Debian's source package, which holds one archive with a directory of the same name. */
static struct error *unpack_source(const char *work)
{
	g_autofree char *debs = g_build_filename(work, "debs", NULL);
	g_autofree char *archive = g_strdup_printf("%s/root/usr/src/%s.tar.xz", work, source_package);
	g_autofree char *root = g_build_filename(work, "root", NULL);
	_cleanup_archive_ struct archive *host = archive_of_host();
	_cleanup_progress_ struct progress *step = NULL;
	struct error *error;

	error = fetch_package(host, source_package, 0, debs, root);
	step = progress_begin(_("unpacking %s"), source_package);
	if (!error)
		error = tool_run(work, (const char *const[]){"tar", "xJf", archive, NULL}, NULL);
	if (!error)
		error = tool_remove(root);
	if (!error)
		error = tool_remove(debs);
	return error;
}

/* Tell make about a configuration for clang; it reads LLVM from the environment (Documentation/kbuild/llvm.rst). */
static void choose_compiler(const char *fragment)
{
	g_autofree char *text = NULL;
	size_t length;

	error_free(file_read(fragment, &text, &length)); /* append_fragment() reports it */
	if (text && strstr(text, "\nCONFIG_CC_IS_CLANG=y\n"))
		g_setenv("LLVM", "1", TRUE);
}

static struct error *append_fragment(const char *tree, const char *fragment)
{
	g_autofree char *path = g_build_filename(tree, ".config", NULL);
	g_autofree char *base = NULL, *extra = NULL, *all = NULL;
	struct error *error;
	size_t length;

	error = file_read(path, &base, &length);
	error = error ?: file_read(fragment, &extra, &length);
	if (error)
		return error;
	all = g_strconcat(base, extra, NULL);
	return file_write(path, all, strlen(all));
}

/* Tell make about an architecture that is not this machine's. */
static void choose_architecture(const struct architecture *architecture)
{
	g_autofree char *prefix = g_strconcat(architecture->triplet, "-", NULL);

	if (architecture == architecture_of_host())
		return;
	g_setenv("ARCH", architecture->kernel, TRUE);
	g_setenv("CROSS_COMPILE", prefix, TRUE);
}

static struct error *configure(const char *tree, const char *fragment)
{
	struct error *error;

	error = tool_run(tree, (const char *const[]){"make", "-s", "tinyconfig", NULL}, NULL);
	if (!error)
		error = append_fragment(tree, fragment);
	if (!error)
		error = tool_run(tree, (const char *const[]){"make", "-s", "olddefconfig", NULL}, NULL);
	return error;
}

static struct error *compile(const char *tree, const struct architecture *architecture)
{
	g_autofree char *jobs = g_strdup_printf("-j%u", g_get_num_processors());
	g_autofree char *image = g_path_get_basename(architecture->image);
	g_autofree char *symbols = g_build_filename(tree, "vmlinux.symvers", NULL);
	g_autofree char *module_symbols = g_build_filename(tree, "Module.symvers", NULL);
	struct error *error;

	error = tool_run(tree, (const char *const[]){"make", "-s", jobs, image, "modules_prepare", NULL}, NULL);
	if (error)
		return error_with_hint(error, _("run 'apt-get install bc bison flex libelf-dev libssl-dev'"));
	/* "make vmlinux" writes vmlinux.symvers, but module builds read Module.symvers. */
	return file_copy(symbols, module_symbols);
}

/* Remove the kernel's own object files; those of the tools that build modules are in scripts/ and tools/. */
static struct error *drop_objects(const char *tree)
{
	static const char *const find[] = {
		"find",	       ".",
		"-type",       "f",
		"-not",	       "-path",
		"./scripts/*", "-not",
		"-path",       "./tools/*",
		"-regextype",  "posix-extended",
		"-regex",      ".*(\\.[oa]|/\\.tmp_vmlinux[^/]*|/vmlinux\\.bin[^/]*)",
		"-delete",     NULL,
	};

	return tool_run(tree, find, NULL);
}

/* Unpack and configure the source, then rename it to the tree that compile() works on. */
static struct error *prepare(const char *work, const char *tree, const char *fragment)
{
	g_autofree char *source = g_build_filename(work, source_package, NULL);
	struct error *error;

	fprintf(stderr, _("Unpacking %s\n"), source_package);
	error = tool_remove(work);
	if (!error)
		error = unpack_source(work);
	if (!error)
		error = configure(source, fragment);
	if (!error && g_rename(source, tree) < 0)
		error = error_errno("%s", tree);
	return error;
}

static struct error *build(const char *work, const char *target, const char *fragment,
			   const struct architecture *architecture)
{
	g_autofree char *tree = g_build_filename(work, "tree", NULL);
	struct progress *step;
	struct error *error = NULL;

	choose_compiler(fragment);
	choose_architecture(architecture);
	if (!g_file_test(tree, G_FILE_TEST_EXISTS))
		error = prepare(work, tree, fragment);
	if (!error) {
		fprintf(stderr, _("Compiling (several minutes)\n"));
		step = progress_begin(_("compiling the kernel"));
		error = compile(tree, architecture);
		progress_end(step);
	}
	if (!error)
		error = drop_objects(tree);
	if (!error && g_rename(tree, target) < 0)
		error = error_errno("%s", target);
	return error;
}

/* Build the tree unless it exists, under a lock. */
static struct error *build_once(const char *kernels, const char *name, const char *fragment,
				const struct architecture *architecture)
{
	g_autofree char *target = g_build_filename(kernels, name, NULL);
	g_autofree char *work = g_strdup_printf("%s/.%s.build", kernels, name);
	struct error *error;
	int lock = -1;

	if (g_file_test(target, G_FILE_TEST_EXISTS))
		return NULL;
	error = cache_lock(kernels, name, &lock);
	if (!error && !g_file_test(target, G_FILE_TEST_EXISTS)) {
		error = cache_check_space(kernels, BUILD_BYTES);
		if (!error)
			error = build(work, target, fragment, architecture);
		if (!error)
			error = tool_remove(work);
	}
	close(lock);
	return error;
}

struct error *debug_kernel_build(const char *fragment, const struct architecture *architecture)
{
	g_autofree char *kernels = NULL, *path = NULL, *name = NULL;
	struct error *error;

	error = find_fragment(fragment, &path);
	if (!error)
		error = tree_name(path, architecture, &name);
	if (!error)
		error = cache_kernels_directory(&kernels);
	if (!error)
		error = build_once(kernels, name, path, architecture);
	if (!error)
		printf("%s\n", name);
	return error;
}
