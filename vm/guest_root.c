// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Guest roots: what guests of another architecture need and this machine does not have.
 *
 * A guest of this machine's architecture gets busybox and libraries from this machine. For others, the same packages of
 * that architecture are unpacked in CACHE/kernels/.guest-roots/ARCHITECTURE (common/guest_root.c). With the headers of
 * the libraries, it is also the sysroot with which a cross compiler makes our own programs for such guests ("make
 * guest-programs"). The packages are from the suite that this machine runs, so that its cross compiler fits.
 */
#include "vm/guest_root.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/guest_root.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "vm/package_root.h"

/* The libraries of staprun, its helper programs and the agent, and what a guest itself needs. */
static const char *const packages[] = {
	"busybox-static", "libbpf-dev",	   "libc6-dev",	  "libdebuginfod-dev", "libdw-dev",	 "libelf-dev",
	"libglib2.0-dev", "libiberty-dev", "liblz4-dev",  "liblzma-dev",       "libncurses-dev", "musl-dev",
	"libstdc++6",	  "libxxhash-dev", "libzstd-dev", "zlib1g-dev",
};

/* Skip tools, documentation and interpreters on which packages of libraries depend. */
static bool is_needed(const char *name)
{
	static const char *const prefixes[] = {"lib", "zlib", "uuid-dev", "linux-libc-dev", "busybox", "musl"};
	static const char *const skipped[] = {"libpython", "libperl"};

	for (guint i = 0; i < G_N_ELEMENTS(skipped); i++)
		if (g_str_has_prefix(name, skipped[i]))
			return false;
	for (guint i = 0; i < G_N_ELEMENTS(prefixes); i++)
		if (g_str_has_prefix(name, prefixes[i]))
			return true;
	return false;
}

/* Link /lib and similar directories to those in /usr, as on a merged system: the loader's path begins with /lib. */
static struct error *finish(const char *root)
{
	static const char *const names[] = {"bin", "sbin", "lib", "lib64"};
	struct error *error = package_root_merge(root);

	for (guint i = 0; i < G_N_ELEMENTS(names) && !error; i++) {
		g_autofree char *link = g_build_filename(root, names[i], NULL);
		g_autofree char *target = g_build_filename("usr", names[i], NULL);

		if (symlink(target, link) < 0 && errno != EEXIST)
			error = error_errno("%s", link);
	}
	return error;
}

struct error *guest_root_fetch(const char *kernels, const struct architecture *architecture)
{
	_cleanup_archive_ struct archive *archive = NULL;
	_cleanup_(package_set_clear) struct package_set set = {NULL};
	g_autoptr(GPtrArray) wanted = g_ptr_array_new();
	g_autofree char *existing = guest_root_find(architecture);
	struct error *error;

	if (existing)
		return NULL;
	error = archive_open(kernels, archive_suite_of_host(), architecture, &archive);
	for (guint i = 0; i < G_N_ELEMENTS(packages); i++)
		g_ptr_array_add(wanted, (void *)packages[i]);
	error = error ?: package_set_find(archive, wanted, is_needed, &set);
	if (error)
		return error;
	return package_root_make(archive, &set,
				 &(struct package_root){
					 .kernels = kernels,
					 .directory = GUEST_ROOTS_DIRECTORY,
					 .name = architecture->debian,
					 .announcement =
						 _("Fetching the programs and libraries of its guests (%s) into %s\n"),
					 .what = _("the guests' files"),
					 .finish = finish,
				 });
}
