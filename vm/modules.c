// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Find the files of a kernel module and its dependencies in modules.dep, which has one line per module:
 *
 *     kernel/drivers/char/virtio_console.ko: kernel/drivers/virtio/virtio.ko kernel/drivers/virtio/virtio_ring.ko
 *
 * The dependencies are complete and in reverse load order. '-' and '_' are equivalent in names. A build tree has no
 * modules.dep. There, and for a module given by its path, .modinfo lists the dependencies.
 *
 * Modules that a module requests from the kernel while it initializes are listed in modules.softdep, mostly by alias:
 * "softdep btrfs pre: crypto-crc32c". The guest does not load modules on demand, so they are loaded before it.
 * modules.alias maps an alias to modules. Of several, the one named ..._generic is used, which works on any CPU.
 */
#include "vm/modules.h"

#include <string.h>
#include <sys/mman.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "vm/tool.h"

/* Return the module's name in a path: without directory and ".ko" or ".ko.xz", and with '_' for '-'. */
static char *module_name(const char *path)
{
	char *name = g_path_get_basename(path);
	char *suffix = strstr(name, ".ko");

	if (suffix)
		*suffix = '\0';
	return g_strdelimit(name, "-", '_');
}

static bool same_module(const char *path, const char *name)
{
	g_autofree char *found = module_name(path);

	return !strcmp(found, name);
}

/* Modules may be compressed, but not every kernel can decompress them. */
static const struct {
	const char *suffix;
	const char *program;
} kinds[] = {{".ko", NULL}, {".ko.xz", "xz"}, {".ko.zst", "zstd"}, {".ko.gz", "gzip"}};

static bool is_module_file(const char *path)
{
	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (g_str_has_suffix(path, kinds[i].suffix))
			return true;
	}
	return false;
}

/* Decompress a module into memory with a program. */
static struct error *unpack(const char *program, const char *path, GBytes **content)
{
	_cleanup_close_ int fd = memfd_create("module", MFD_CLOEXEC);
	g_autoptr(GMappedFile) mapped = NULL;
	g_autoptr(GError) cause = NULL;
	struct error *error;

	if (fd < 0)
		return error_errno("memfd_create");
	error = tool_run_to(fd, (const char *const[]){program, "-dcq", path, NULL});
	if (error)
		return error_prefix(error, "%s", path);
	mapped = g_mapped_file_new_from_fd(fd, FALSE, &cause);
	if (!mapped)
		return error_new(ERROR_SYSTEM, "%s: %s", path, cause->message);
	*content = g_mapped_file_get_bytes(mapped);
	return NULL;
}

struct error *module_read(const char *path, GBytes **content)
{
	g_autoptr(GMappedFile) mapped = NULL;
	g_autoptr(GError) cause = NULL;

	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (kinds[i].program && g_str_has_suffix(path, kinds[i].suffix) &&
		    g_file_test(path, G_FILE_TEST_EXISTS))
			return unpack(kinds[i].program, path, content);
	}
	mapped = g_mapped_file_new(path, FALSE, &cause);
	if (!mapped)
		return error_new(ERROR_LOOKUP, "%s", cause->message);
	*content = g_mapped_file_get_bytes(mapped);
	return NULL;
}

static void add_once(GPtrArray *paths, const char *directory, const char *path)
{
	g_autofree char *full = g_build_filename(directory, path, NULL);

	if (*path && !g_ptr_array_find_with_equal_func(paths, full, g_str_equal, NULL))
		g_ptr_array_add(paths, g_steal_pointer(&full));
}

/* Return whether modules.builtin lists a module of that name. */
static bool is_built_in(const char *directory, const char *name)
{
	g_autofree char *path = g_build_filename(directory, "modules.builtin", NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return false;
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		if (same_module(*line, name))
			return true;
	}
	return false;
}

/* Read the lines of one of the kernel's module lists. Return an empty array if the list does not exist. */
static char **read_lines(const struct kernel *kernel, const char *list)
{
	g_autofree char *path = g_build_filename(kernel->modules, list, NULL);
	g_autofree char *text = NULL;

	g_file_get_contents(path, &text, NULL, NULL);
	return g_strsplit(text ?: "", "\n", -1);
}

/*
 * Return the module to which an "alias NAME MODULE" line maps a name. Return NULL if the name is not an alias; it may
 * still be a module's.
 */
static char *module_by_alias(const struct kernel *kernel, const char *alias)
{
	g_auto(GStrv) lines = read_lines(kernel, "modules.alias");
	char *found = NULL;

	for (char **line = lines; *line; line++) {
		g_auto(GStrv) words = g_strsplit(*line, " ", 3);

		if (g_strv_length(words) != 3 || !same_module(words[1], alias))
			continue;
		if (!found || g_str_has_suffix(words[2], "_generic")) {
			g_free(found);
			found = g_strdup(words[2]);
		}
	}
	return found;
}

enum { MOST_SOFT_LEVELS = 8 }; /* bounds the recursion, because dependencies may be circular */

static struct error *resolve_packaged(const struct kernel *kernel, const char *wanted, GPtrArray *paths, int level,
				      bool *found);

/* Add the modules of "softdep MODULE pre: NAME...". Names without a module are skipped. */
static struct error *resolve_soft(const struct kernel *kernel, const char *path, GPtrArray *paths, int level)
{
	g_auto(GStrv) lines = read_lines(kernel, "modules.softdep");
	g_autofree char *name = module_name(path);
	struct error *error = NULL;

	for (char **line = lines; *line && level < MOST_SOFT_LEVELS; line++) {
		g_auto(GStrv) words = g_strsplit(*line, " ", -1);
		guint count = g_strv_length(words);

		if (count < 4 || strcmp(words[2], "pre:") || !same_module(words[1], name))
			continue;
		for (guint i = 3; i < count && strcmp(words[i], "post:") && !error; i++) {
			g_autofree char *alias = module_name(words[i]);
			g_autofree char *module = module_by_alias(kernel, alias);
			bool found = false;

			error = resolve_packaged(kernel, module ?: alias, paths, level + 1, &found);
		}
	}
	return error;
}

/* Add a module after its soft dependencies. */
static struct error *add_packaged(const struct kernel *kernel, const char *path, GPtrArray *paths, int level)
{
	struct error *error = *path ? resolve_soft(kernel, path, paths, level) : NULL;

	if (!error)
		add_once(paths, kernel->modules, path);
	return error;
}

/* Add a module and its dependencies from modules.dep. @p found is false if the kernel does not have the module. */
static struct error *resolve_packaged(const struct kernel *kernel, const char *wanted, GPtrArray *paths, int level,
				      bool *found)
{
	g_autofree char *index = g_build_filename(kernel->modules, "modules.dep", NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	g_autoptr(GError) cause = NULL;
	struct error *error = NULL;

	if (!g_file_get_contents(index, &text, NULL, &cause))
		return error_with_hint(error_new(ERROR_LOOKUP, "%s", cause->message), _("run 'depmod -b %s %s'"),
				       kernel->root, kernel->release);
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line && !*found; line++) {
		g_auto(GStrv) needs = NULL;
		char *colon = strchr(*line, ':');

		if (!colon)
			continue;
		*colon = '\0';
		if (!same_module(*line, wanted))
			continue;
		needs = g_strsplit(colon + 1, " ", -1);
		for (guint i = g_strv_length(needs); i > 0 && !error; i--)
			error = add_packaged(kernel, needs[i - 1], paths, level);
		if (!error)
			error = add_packaged(kernel, *line, paths, level);
		*found = true;
	}
	*found = *found || is_built_in(kernel->modules, wanted);
	return error;
}

/* Find the file of a module in a build tree. Return NULL if it does not exist. */
static char *find_file(const char *directory, const char *wanted)
{
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	char *found = NULL;
	const char *name;

	while (dir && !found && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(directory, name, NULL);

		if (is_module_file(name) && same_module(name, wanted))
			found = g_steal_pointer(&path);
		else if (!strchr(name, '.') && !g_file_test(path, G_FILE_TEST_IS_SYMLINK) &&
			 g_file_test(path, G_FILE_TEST_IS_DIR))
			found = find_file(path, wanted);
	}
	return found;
}

/* Add a module's file after the dependencies listed in its .modinfo section: "depends=a,b". */
static struct error *resolve_file(const struct kernel *kernel, const char *path, GPtrArray *paths)
{
	static const char key[] = "\0depends=";
	g_autoptr(GBytes) content = NULL;
	g_auto(GStrv) needs = NULL;
	struct error *error;
	const char *depends;
	gsize length;

	if (!is_module_file(path))
		return error_new(ERROR_LOOKUP, _("%s is not a kernel module (.ko)"), path);
	error = module_read(path, &content);
	if (error)
		return error;
	depends = g_bytes_get_data(content, &length);
	depends = memmem(depends, length, key, sizeof(key) - 1);
	needs = g_strsplit(depends ? depends + sizeof(key) - 1 : "", ",", -1);
	for (char **need = needs; *need && **need && !error; need++)
		error = modules_resolve(kernel, *need, paths);
	if (!error)
		add_once(paths, "", path);
	return error;
}

struct error *modules_resolve(const struct kernel *kernel, const char *name, GPtrArray *paths)
{
	g_autofree char *wanted = module_name(name);
	g_autofree char *path = NULL;
	struct error *error;
	bool found = false;

	if (strchr(name, '/'))
		return resolve_file(kernel, name, paths);
	if (kernel->modules) {
		error = resolve_packaged(kernel, wanted, paths, 0, &found);
		if (error || found)
			return error;
	} else {
		path = find_file(kernel->root, wanted);
		if (path)
			return resolve_file(kernel, path, paths);
		if (is_built_in(kernel->root, wanted))
			return NULL;
	}
	return error_with_hint(error_new(ERROR_LOOKUP, _("kernel %s has no module %s"), kernel->release, name),
			       _("to name a file, include its directory: ./%s.ko"), wanted);
}
