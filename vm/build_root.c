// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Build roots: the tools to build modules for a kernel of another Debian release or architecture than the host's.
 *
 * kbuild's own tools are programs of the kernel's release, linked with its libraries, and modules need the compiler
 * that built the kernel. So such a kernel comes with the packages that its headers depend on, and with the few tools
 * that kbuild assumes. Their /usr is CACHE/kernels/.build-roots/NAME. stap runs its compilers with that in place of the
 * host's /usr (common/build_root.c).
 *
 * All programs in a build root are for the host. For a kernel of another architecture, these are a cross compiler and
 * kbuild's tools from the host's packages of the same release.
 *
 * No package scripts are run. Their only effect needed here, links for programs that several packages provide, is
 * reproduced by links[].
 */
#include "vm/build_root.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "vm/package_root.h"
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

static struct error *finish(const char *root)
{
	struct error *error = package_root_merge(root);

	error = error ?: make_links(root);
	return error ?: drop_documentation(root);
}

static bool is_needed(const char *name)
{
	return !archive_is_kernel_package(name);
}

char *build_root_cross_compiler(const char *compiler, const struct architecture *architecture)
{
	/* Names of packages have no underscores. */
	g_autofree char *triplet = g_strdelimit(g_strdup(architecture->triplet), "_", '-');

	return g_strconcat(compiler, "-", triplet, NULL);
}

struct error *build_root_fetch(const struct archive *archive, const char *kernels, const struct build_root_needs *needs,
			       char **name)
{
	bool is_foreign = needs->architecture != archive->architecture;
	g_autoptr(GPtrArray) wanted = g_ptr_array_new();
	_cleanup_(package_set_clear) struct package_set set = {NULL};
	g_autofree char *own = NULL;
	struct error *error;

	for (const char *const *package = needs->packages; *package; package++)
		g_ptr_array_add(wanted, (void *)*package);
	for (guint i = 0; i < G_N_ELEMENTS(tools); i++)
		g_ptr_array_add(wanted, (void *)tools[i]);
	error = package_set_find(archive, wanted, is_needed, &set);
	if (!error && !set.compiler)
		error = error_new(ERROR_LOOKUP, _("package %s does not depend on a compiler"), needs->packages[0]);
	if (error)
		return error;
	own = g_strdup_printf("%s%s%s-%s", archive->suite, is_foreign ? "-" : "",
			      is_foreign ? needs->architecture->debian : "", set.compiler);
	error = package_root_make(archive, &set,
				  &(struct package_root){
					  .kernels = kernels,
					  .directory = BUILD_ROOTS_DIRECTORY,
					  .name = own,
					  .announcement = _("Fetching its build tools (%s) into %s\n"),
					  .what = _("the build tools"),
					  .finish = finish,
				  });
	if (!error)
		*name = g_steal_pointer(&own);
	return error;
}
