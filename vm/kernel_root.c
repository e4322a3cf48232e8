// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A kernel's directory in the cache: the files of its packages, as if unpacked under "/", changed so that the kernel
 * can be used from there.
 *
 * The trap: the Makefile of Debian's headers refers to the common headers', and to itself, by absolute paths in
 * /usr/src. They are rewritten relative to the Makefile. kbuild thus works from the cache, and the cache can be moved.
 */
#include "vm/kernel_root.h"

#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "common/files.h"
#include "vm/tool.h"

bool kernel_root_has(const char *root, const char *format, const char *release)
{
	g_autofree char *name = g_strdup_printf(format, release);
	g_autofree char *path = g_build_filename(root, name, NULL);

	return g_file_test(path, G_FILE_TEST_EXISTS);
}

bool kernel_root_has_debuginfo(const char *root, const char *release)
{
	static const char *const formats[] = {"usr/lib/debug/boot/vmlinux-%s", "usr/lib/debug/lib/modules/%s/vmlinux",
					      "usr/lib/debug/usr/lib/modules/%s/vmlinux"};

	for (guint i = 0; i < G_N_ELEMENTS(formats); i++)
		if (kernel_root_has(root, formats[i], release))
			return true;
	return false;
}

bool kernel_root_is_complete(const char *kernels, const char *release, bool debuginfo)
{
	g_autofree char *root = g_build_filename(kernels, release, NULL);

	return g_file_test(root, G_FILE_TEST_IS_DIR) && (!debuginfo || kernel_root_has_debuginfo(root, release));
}

/* Rewrite "include /usr/src/linux-headers-X/Makefile", and KBUILD_OUTPUT in newer ones, relative to the Makefile. */
static struct error *relocate_makefile(const char *root, const char *release)
{
	g_autofree char *path = g_strdup_printf("%s/usr/src/linux-headers-%s/Makefile", root, release);
	g_autoptr(GRegex) regex =
		g_regex_new("^(include |KBUILD_OUTPUT=)/usr/src/", G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
	g_autofree char *text = NULL, *changed = NULL;
	struct error *error;
	size_t length;

	if (!g_file_test(path, G_FILE_TEST_EXISTS))
		return NULL;
	error = file_read(path, &text, &length);
	if (error)
		return error;
	changed = g_regex_replace(regex, text, -1, 0, "\\1$(abspath $(dir $(lastword $(MAKEFILE_LIST)))..)/", 0, NULL);
	/* Ubuntu's is a link, and needs no change. */
	return strcmp(changed, text) ? file_write(path, changed, strlen(changed)) : NULL;
}

/* Make absolute links between the packages (in older ones) relative. "usr/src/x/scripts" is three levels deep. */
static struct error *relocate_links(const char *root, const char *release)
{
	g_autofree char *source = g_build_filename(root, "usr/src", NULL);
	g_autoptr(GDir) directory = g_dir_open(source, 0, NULL);
	static const char *const links[] = {"scripts", "tools"};
	const char *name;

	(void)release; /* the common headers have such links too */
	while (directory && (name = g_dir_read_name(directory))) {
		for (guint i = 0; i < G_N_ELEMENTS(links); i++) {
			g_autofree char *path = g_build_filename(source, name, links[i], NULL);
			g_autofree char *target = g_file_read_link(path, NULL);
			g_autofree char *relative = NULL;

			if (!target || *target != '/')
				continue;
			relative = g_strconcat("../../..", target, NULL);
			if (g_unlink(path) < 0 || symlink(relative, path) < 0)
				return error_errno("%s", path);
		}
	}
	return NULL;
}

/*
 * Rename the kernel's BTF, which newer headers ship as "vmlinux". kbuild would generate BTF for modules if the file
 * exists, and fails without pahole. Readers of BTF know the new name.
 */
static struct error *set_btf_aside(const char *root, const char *release)
{
	static const char *const formats[] = {"%s/usr/src/linux-headers-%s/vmlinux", "%s/usr/src/kernels/%s/vmlinux"};

	for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
		g_autofree char *path = g_strdup_printf(formats[i], root, release);
		g_autofree char *aside = g_strconcat(path, ".btf", NULL);

		if (g_rename(path, aside) < 0 && errno != ENOENT)
			return error_errno("%s", path);
	}
	return NULL;
}

/* Link /lib to /usr/lib if the packages have nothing in /lib, as newer ones do; depmod and others look in /lib. */
static struct error *link_library_directory(const char *root, const char *release)
{
	g_autofree char *path = g_build_filename(root, "lib", NULL);

	if (!kernel_root_has(root, "usr/lib/modules/%s", release) || g_file_test(path, G_FILE_TEST_EXISTS))
		return NULL;
	return symlink("usr/lib", path) < 0 ? error_errno("%s", path) : NULL;
}

/* Create modules.dep, which a package's installation script would create; --modules needs it. */
static struct error *index_modules(const char *root, const char *release)
{
	return tool_run(NULL, (const char *const[]){"/sbin/depmod", "-b", root, release, NULL}, NULL);
}

/* Turn the unpacked packages into a kernel that can be used in place. */
static struct error *make_usable(const char *root, const char *release)
{
	static struct error *(*const steps[])(const char *root, const char *release) = {
		relocate_makefile, relocate_links, link_library_directory, set_btf_aside, index_modules,
	};
	struct error *error = NULL;

	for (guint i = 0; i < G_N_ELEMENTS(steps) && !error; i++)
		error = steps[i](root, release);
	return error;
}

struct error *kernel_root_install(const char *work, const char *root, const char *release)
{
	g_autofree char *unpacked = g_build_filename(work, "root", NULL);
	g_autofree char *new_debug = g_build_filename(unpacked, "usr/lib/debug", NULL);
	g_autofree char *debug = g_build_filename(root, "usr/lib/debug", NULL);
	struct error *error;

	if (g_file_test(root, G_FILE_TEST_EXISTS)) {
		if (g_rename(new_debug, debug) < 0)
			return error_errno("%s", debug);
		return NULL;
	}
	error = make_usable(unpacked, release);
	if (!error && g_rename(unpacked, root) < 0)
		error = error_errno("%s", root);
	return error;
}
