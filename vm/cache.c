// SPDX-License-Identifier: GPL-2.0-or-later
/* The cache directory and the kernels in it; see cache.h. */
#include "vm/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "common/release.h"
#include "common/user_directories.h"
#include "common/base/foreign.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"

struct error *cache_kernels_directory(char **directory)
{
	g_autofree char *path = cache_place("kernels", NULL);

	if (!path)
		return error_new(ERROR_SYSTEM, _("root cannot use the kernel cache in %s: other users can change it"),
				 cache_directory());
	if (g_mkdir_with_parents(path, 0755) < 0)
		return error_errno(_("cannot make %s"), path);
	*directory = g_steal_pointer(&path);
	return NULL;
}

struct error *cache_lock(const char *kernels, const char *name, int *fd)
{
	g_autofree char *path = g_strdup_printf("%s/.%s.lock", kernels, name);

	*fd = open(path, O_CREAT | O_RDWR, 0644);
	if (*fd >= 0 && !flock(*fd, LOCK_EX | LOCK_NB))
		return NULL;
	if (*fd >= 0 && errno == EWOULDBLOCK) {
		fprintf(stderr, _("Waiting for another stap-vm that is working on %s\n"), name);
		if (!flock(*fd, LOCK_EX))
			return NULL;
	}
	return error_errno(_("cannot lock %s"), path);
}

struct error *cache_check_space(const char *directory, guint64 needed)
{
	struct statvfs status;
	g_autofree char *needed_text = NULL, *available_text = NULL;
	guint64 available;

	if (statvfs(directory, &status) < 0)
		return error_errno("%s", directory);
	available = (guint64)status.f_bavail * status.f_frsize;
	if (available >= needed)
		return NULL;
	needed_text = g_format_size(needed);
	available_text = g_format_size(available);
	return error_with_hint(error_new(ERROR_SYSTEM, _("disk full: %s needed in %s, %s available"), needed_text,
					 directory, available_text),
			       _("set SPILE_CACHE to another directory"));
}

GPtrArray *cache_kernels(void)
{
	g_autofree char *path = cache_place("kernels", NULL);
	g_autoptr(GDir) directory = path ? g_dir_open(path, 0, NULL) : NULL;
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	const char *name;

	while (directory && (name = g_dir_read_name(directory))) {
		g_autofree char *root = *name != '.' ? cache_place("kernels", name) : NULL;

		if (root)
			g_ptr_array_add(names, g_strdup(name));
	}
	g_ptr_array_sort(names, release_newest_first);
	return names;
}

void kernel_free(struct kernel *kernel)
{
	if (!kernel)
		return;
	g_free(kernel->name);
	g_free(kernel->root);
	g_free(kernel->release);
	g_free(kernel->image);
	g_free(kernel->modules);
	g_free(kernel);
}

static bool file_contains(const char *directory, const char *file, const char *text)
{
	g_autofree char *path = g_build_filename(directory, file, NULL);
	g_autofree char *content = NULL;

	return g_file_get_contents(path, &content, NULL, NULL) && strstr(content, text);
}

/* Find the boot image of a build tree, and with it the architecture. */
static bool find_built_image(struct kernel *kernel)
{
	const struct architecture *architecture;

	for (unsigned int i = 0; (architecture = architecture_at(i)); i++) {
		g_autofree char *image = g_build_filename(kernel->root, architecture->image, NULL);

		if (!g_file_test(image, G_FILE_TEST_EXISTS))
			continue;
		kernel->image = g_steal_pointer(&image);
		kernel->architecture = architecture;
		return true;
	}
	return false;
}

/* Open a kernel build tree, which has a boot image, the release in include/config, and the configuration. */
static bool open_build_tree(struct kernel *kernel)
{
	g_autofree char *path = g_build_filename(kernel->root, "include/config/kernel.release", NULL);
	g_autofree char *text = NULL;
	struct release release;

	if (!find_built_image(kernel) || !g_file_get_contents(path, &text, NULL, NULL) ||
	    !release_parse(text, strcspn(text, "\n"), &release)) {
		g_clear_pointer(&kernel->image, g_free);
		return false;
	}
	kernel->release = g_strdup(release.text);
	kernel->has_virtio_console = file_contains(kernel->root, ".config", "CONFIG_VIRTIO_CONSOLE=y\n");
	return true;
}

/*
 * Where kernel images are, with the release in the name of the file or its directory: in /boot, or with the modules, as
 * in newer packages.
 */
static const struct place {
	const char *directory, *prefix, *file;
} places[] = {
	{"boot", "vmlinuz-", NULL},
	{"lib/modules", "", "vmlinuz"},
	{"usr/lib/modules", "", "vmlinuz"},
};

#define for_each_place(place) for (const struct place *place = places; place < places + G_N_ELEMENTS(places); place++)

static char *image_at(const char *root, const struct place *place, const char *release)
{
	g_autofree char *name = g_strconcat(place->prefix, release, NULL);

	return g_build_filename(root, place->directory, name, place->file, NULL);
}

/* Return the releases with an image below a root directory, newest first. Skip unreadable images. */
static GPtrArray *releases_below(const char *root)
{
	GPtrArray *releases = g_ptr_array_new_with_free_func(g_free);

	for_each_place(place) {
		g_autofree char *path = g_build_filename(root, place->directory, NULL);
		g_autoptr(GDir) directory = g_dir_open(path, 0, NULL);
		const char *name;

		while (directory && (name = g_dir_read_name(directory))) {
			g_autofree char *image = g_build_filename(path, name, place->file, NULL);

			if (g_str_has_prefix(name, place->prefix) && !access(image, R_OK))
				g_ptr_array_add(releases, g_strdup(name + strlen(place->prefix)));
		}
	}
	g_ptr_array_sort(releases, release_newest_first);
	return releases;
}

static bool find_image(struct kernel *kernel)
{
	for_each_place(place) {
		g_autofree char *image = image_at(kernel->root, place, kernel->release);

		if (access(image, R_OK))
			continue;
		kernel->image = g_steal_pointer(&image);
		return true;
	}
	return false;
}

/* Open the Debian kernel kernel->release, either unpacked by fetch or installed. */
static bool open_packaged(struct kernel *kernel)
{
	if (!find_image(kernel))
		return false;
	kernel->architecture = architecture_of_release(kernel->release) ?: architecture_of_host();
	kernel->modules = g_build_filename(kernel->root, "lib/modules", kernel->release, NULL);
	if (!g_file_test(kernel->modules, G_FILE_TEST_IS_DIR)) {
		g_free(kernel->modules);
		kernel->modules = g_build_filename(kernel->root, "usr/lib/modules", kernel->release, NULL);
	}
	kernel->has_virtio_console = file_contains(kernel->modules, "modules.order", "/virtio_console.") ||
				     file_contains(kernel->modules, "modules.builtin", "/virtio_console.");
	return true;
}

/* Open an unpacked kernel, the only one in its directory. */
static bool open_unpacked_root(struct kernel *kernel)
{
	g_autoptr(GPtrArray) releases = releases_below(kernel->root);

	if (!releases->len)
		return false;
	kernel->release = g_strdup(releases->pdata[0]);
	return open_packaged(kernel);
}

static struct kernel *kernel_new(const char *name, const char *root)
{
	struct kernel *kernel = g_new0(struct kernel, 1);

	kernel->name = g_strdup(name);
	kernel->root = g_canonicalize_filename(root, NULL);
	return kernel;
}

static struct error *open_directory(const char *name, const char *root, struct kernel **ret)
{
	struct kernel *kernel = kernel_new(name, root);

	if (open_unpacked_root(kernel) || open_build_tree(kernel)) {
		*ret = kernel;
		return NULL;
	}
	kernel_free(kernel);
	return error_with_hint(error_new(ERROR_LOOKUP, _("no kernel found in %s"), root),
			       _("expected boot/vmlinuz-* or lib/modules/*/vmlinuz (an unpacked package), or "
				 "%s (a build tree)"),
			       architecture_of_host()->image);
}

/* Return the exact name if it is in the list, else the newest name that it abbreviates, or NULL. */
static const char *choose(const char *name, const GPtrArray *names)
{
	g_autoptr(GPtrArray) selected = release_select(name, names);

	return selected->len ? selected->pdata[0] : NULL;
}

/* Open a kernel that is installed on this machine. Return NULL if none matches. */
static struct kernel *open_installed(const char *name)
{
	g_autoptr(GPtrArray) releases = releases_below("/");
	const char *release = choose(name, releases);
	struct kernel *kernel;

	if (!release)
		return NULL;
	kernel = kernel_new(release, "/");
	kernel->release = g_strdup(release);
	if (open_packaged(kernel))
		return kernel;
	kernel_free(kernel);
	return NULL;
}

static struct error *not_in_cache(const char *name, GPtrArray *names)
{
	struct error *error = error_new(ERROR_LOOKUP, _("no kernel %s in %s/kernels"), name, cache_directory());
	g_autofree char *list = NULL;

	if (!names->len && !release_may_be_fetched(name))
		return error_with_hint(error, _("run 'stap-vm fetch RELEASE' with a release of Debian's"));
	if (!names->len)
		return error_with_hint(error, _("run 'stap-vm fetch %s'"), name);
	g_ptr_array_add(names, NULL);
	list = g_strjoinv(", ", (char **)names->pdata);
	if (!release_may_be_fetched(name))
		return error_with_hint(error, _("use one of %s"), list);
	return error_with_hint(error, _("use one of %s; or run 'stap-vm fetch %s'"), list, name);
}

struct error *cached_kernel_find(const char *name, struct kernel **kernel)
{
	g_autoptr(GPtrArray) names = NULL;
	g_autofree char *root = NULL;
	const char *chosen;

	if (strchr(name, '/'))
		return open_directory(name, name, kernel);
	names = cache_kernels();
	chosen = choose(name, names);
	if (!chosen) {
		*kernel = open_installed(name);
		return *kernel ? NULL : not_in_cache(name, names);
	}
	root = g_build_filename(cache_directory(), "kernels", chosen, NULL); /* cache_kernels() has checked the owner */
	return open_directory(chosen, root, kernel);
}
