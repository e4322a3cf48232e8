// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding kernels on disk.
 *
 * A kernel is searched in "roots": the running system ("") and directories into which Debian packages were unpacked.
 * Within a root, the places are those of the packages: lib/modules/R, boot, usr/src/linux-headers-R for building and
 * usr/lib/debug for DWARF. Links in an unpacked tree are absolute, relative to its own root, so they are followed by
 * hand. A path instead of a release names a user's build tree.
 *
 * Headers without DWARF and DWARF without headers are both found: a missing part is NULL, and the code that needs it
 * reports the error. If nothing is found, the error lists the kernels that exist.
 */
#include "translator/debuginfo/kernel/kernel.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/architecture.h"
#include "common/release.h"
#include "common/base/cleanup.h"
#include "common/base/foreign.h"
#include "common/base/i18n.h"

#define MOST_LINKS 16
#define MOST_LISTED 8
#define MOST_DIRECTORY_LEVELS 32

static bool exists(const char *path)
{
	return g_file_test(path, G_FILE_TEST_EXISTS);
}

/* Follow symbolic links of the last component inside @p root; NULL if the target does not exist. */
static const char *resolve_in_root(struct arena *arena, const char *root, const char *path)
{
	for (int i = 0; i < MOST_LINKS; i++) {
		g_autofree char *target = g_file_read_link(path, NULL);
		g_autofree char *directory = NULL;

		if (!target)
			return exists(path) ? path : NULL;
		directory = g_path_get_dirname(path);
		if (target[0] == '/')
			path = arena_printf(arena, "%s%s", root, target);
		else
			path = arena_printf(arena, "%s/%s", directory, target);
	}
	return NULL;
}

/*
 * Return the first path that exists under the root. @p places is a NULL-terminated list of formats with one %s for the
 * release.
 */
static const char *first_there(struct arena *arena, const char *root, const char *release, const char *const *places)
{
	for (; *places; places++) {
		g_auto(GStrv) parts = g_strsplit(*places, "%s", -1);
		g_autofree char *place = g_strjoinv(release, parts);
		const char *path = resolve_in_root(arena, root, arena_printf(arena, "%s/%s", root, place));

		if (path)
			return path;
	}
	return NULL;
}

static const char *build_id_of(struct arena *arena, const char *path)
{
	g_autofree char *build_id = elf_file_build_id(path);

	return build_id ? arena_strdup(arena, build_id) : NULL;
}

/* Paths in the packages of Debian, Ubuntu and Fedora. */
static const char *const build_places[] = {"lib/modules/%s/build", "usr/lib/modules/%s/build",
					   "usr/src/linux-headers-%s", "usr/src/kernels/%s", NULL};
static const char *const vmlinux_places[] = {"usr/lib/debug/boot/vmlinux-%s",
					     "usr/lib/debug/lib/modules/%s/vmlinux",
					     "usr/lib/debug/usr/lib/modules/%s/vmlinux",
					     "boot/vmlinux-%s",
					     "lib/modules/%s/build/vmlinux",
					     NULL};
static const char *const module_places[] = {"lib/modules/%s", "usr/lib/modules/%s", NULL};
static const char *const module_debug_places[] = {"usr/lib/debug/lib/modules/%s", "usr/lib/debug/usr/lib/modules/%s",
						  NULL};
static const char *const image_places[] = {"boot/vmlinuz-%s", "lib/modules/%s/vmlinuz", NULL};
static const char *const config_places[] = {"boot/config-%s", "lib/modules/%s/config",
					    "usr/src/linux-headers-%s/.config", NULL};
/* Debian's /boot/System.map only refers to the real one, so the real one comes first. */
static const char *const map_places[] = {"usr/lib/debug/boot/System.map-%s", "boot/System.map-%s",
					 "lib/modules/%s/System.map", NULL};

/* Made by stap-vm for a kernel whose build tools do not run on every host (vm/build_root.h). */
static const char *const build_root_places[] = {"build-root", NULL};

/* Return the architecture of an ELF file; NULL if it is not one, or unknown. */
static const struct architecture *architecture_of_file(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr header; /* up to e_machine, that of a 32-bit file is the same */

	if (fd < 0 || pread(fd, &header, sizeof(header), 0) != sizeof(header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
		return NULL;
	return architecture_by_elf(header.e_machine);
}

/* Return the architecture whose setting a kernel's configuration has; NULL if it has none. */
static const struct architecture *architecture_of_config(const char *path)
{
	const struct architecture *architecture;
	g_autofree char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return NULL;
	for (unsigned int i = 0; (architecture = architecture_at(i)); i++) {
		g_autofree char *line = g_strdup_printf("\n%s=y\n", architecture->setting);

		if (strstr(text, line))
			return architecture;
	}
	return NULL;
}

/*
 * Set the architecture: that of the kernel's files, or else the one that its release names. A kernel without either is
 * for this machine.
 */
static void find_architecture(struct target_kernel *kernel)
{
	const struct architecture *found = kernel->vmlinux ? architecture_of_file(kernel->vmlinux) : NULL;

	found = found ?: architecture_of_release(kernel->release);
	if (!found && kernel->config)
		found = architecture_of_config(kernel->config);
	kernel_set_architecture(kernel, found ?: architecture_of_host());
}

void kernel_set_architecture(struct target_kernel *kernel, const struct architecture *architecture)
{
	kernel->architecture = architecture;
	kernel->abi = abi_by_machine(architecture->elf_machine);
}

static bool is_build_tree(const char *path)
{
	g_autofree char *makefile = g_build_filename(path, "Makefile", NULL);

	return exists(makefile);
}

/*
 * Does a directory of modules (or NULL) come from the image package? The headers package creates one that contains only
 * a link.
 */
static bool has_modules(const char *directory)
{
	static const char *const signs[] = {"modules.builtin", "modules.order", "modules.dep", "kernel"};

	for (size_t i = 0; directory && i < G_N_ELEMENTS(signs); i++) {
		g_autofree char *path = g_build_filename(directory, signs[i], NULL);

		if (exists(path))
			return true;
	}
	return false;
}

static bool is_inside(const char *path, const char *directory)
{
	g_autofree char *real = realpath(path, NULL), *real_directory = realpath(directory, NULL);
	size_t length = real_directory ? strlen(real_directory) : 0;

	return real && length && g_str_has_prefix(real, real_directory) && real[length] == '/';
}

static void fill_from_root(struct arena *arena, const char *root, const char *release, struct target_kernel *ret)
{
	*ret = (struct target_kernel){
		.release = arena_strdup(arena, release),
		.build_directory = first_there(arena, root, release, build_places),
		.build_root = first_there(arena, root, release, build_root_places),
		.vmlinux = first_there(arena, root, release, vmlinux_places),
		.modules_directory = first_there(arena, root, release, module_places),
		.module_debug_directory = first_there(arena, root, release, module_debug_places),
		.image = first_there(arena, root, release, image_places),
		.config = first_there(arena, root, release, config_places),
		.system_map = first_there(arena, root, release, map_places),
	};
	if (ret->build_directory && !is_build_tree(ret->build_directory))
		ret->build_directory = NULL;
	if (ret->vmlinux)
		ret->build_id = build_id_of(arena, ret->vmlinux);
	/* Newer headers packages contain a vmlinux with BTF only. */
	if (!ret->build_id && ret->build_directory && ret->vmlinux && is_inside(ret->vmlinux, ret->build_directory))
		ret->vmlinux = NULL;
	find_architecture(ret);
}

/* ---- a build tree ---- */

/*
 * Return the release of a build tree. Prefer utsrelease.h, because Debian's packages patch it, but not kernel.release.
 */
static char *release_of_tree(const char *directory)
{
	static const char define[] = "#define UTS_RELEASE \"";
	g_autofree char *header = g_build_filename(directory, "include/generated/utsrelease.h", NULL);
	g_autofree char *path = g_build_filename(directory, "include/config/kernel.release", NULL);
	g_autofree char *text = NULL, *line = NULL;
	struct release release;
	char *start;

	if (g_file_get_contents(header, &text, NULL, NULL)) {
		start = strstr(text, define);
		if (start && strchr(start + strlen(define), '"')) {
			start += strlen(define);
			return release_parse(start, strcspn(start, "\""), &release) ? g_strdup(release.text) : NULL;
		}
	}
	if (!g_file_get_contents(path, &line, NULL, NULL))
		return NULL;
	g_strstrip(line);
	return release_parse(line, strlen(line), &release) ? g_strdup(release.text) : NULL;
}

static const char *in_tree(struct arena *arena, const char *directory, const char *name)
{
	const char *path = arena_printf(arena, "%s/%s", directory, name);

	return exists(path) ? path : NULL;
}

/* Return the ROOT of "ROOT/usr/src/linux-headers-RELEASE", the layout of packages; NULL for any other tree. */
static char *root_of_headers(const char *tree, const char *release)
{
	g_autofree char *headers = g_strdup_printf("/usr/src/linux-headers-%s", release);

	return g_str_has_suffix(tree, headers) ? g_strndup(tree, strlen(tree) - strlen(headers)) : NULL;
}

/* Does a root have this release with this build tree? */
static bool is_in_root(struct arena *arena, const char *root, const char *release, const char *tree,
		       struct target_kernel *ret)
{
	g_autofree char *found = NULL;

	fill_from_root(arena, root, release, ret);
	found = ret->build_directory ? realpath(ret->build_directory, NULL) : NULL;
	return g_strcmp0(found, tree) == 0;
}

static struct error *find_build_tree(struct arena *arena, const char *path, const char *const *roots,
				     struct target_kernel *ret, const char **root)
{
	g_autofree char *real = realpath(path, NULL);
	g_autofree char *release = real ? release_of_tree(real) : NULL, *own_root = NULL;

	if (!real)
		return error_with_hint(error_new(ERROR_LOOKUP, _("cannot open kernel build tree %s: %s"), path,
						 g_strerror(errno)),
				       _("name a directory in which a kernel was built or configured"));
	if (!release || !is_build_tree(real))
		return error_with_hint(
			error_new(ERROR_LOOKUP, _("%s is not a kernel build tree: it lacks %s"), path,
				  release ? "Makefile" : "include/config/kernel.release"),
			_("run 'make modules_prepare' in it, or name the directory given to make as O="));
	/* A tree of packaged headers belongs to a root with the rest of the kernel. */
	for (; roots && *roots; roots++) {
		if (is_in_root(arena, *roots, release, real, ret)) {
			*root = arena_strdup(arena, *roots);
			return NULL;
		}
	}
	own_root = root_of_headers(real, release);
	if (own_root && is_in_root(arena, own_root, release, real, ret)) {
		*root = arena_strdup(arena, own_root);
		return NULL;
	}
	*root = "";
	*ret = (struct target_kernel){
		.release = arena_strdup(arena, release),
		.build_directory = arena_strdup(arena, real),
		.vmlinux = in_tree(arena, real, "vmlinux"),
		.config = in_tree(arena, real, ".config"),
		.system_map = in_tree(arena, real, "System.map"),
		.is_self_built = true,
	};
	find_architecture(ret);
	ret->image = in_tree(arena, real, ret->architecture->image);
	if (ret->vmlinux)
		ret->build_id = build_id_of(arena, ret->vmlinux);
	return NULL;
}

/* ---- which releases are there ---- */

static void add_releases(GHashTable *releases, const char *root, const char *place, const char *prefix)
{
	g_autofree char *path = g_strconcat(root, "/", place, NULL);
	g_autoptr(GDir) directory = g_dir_open(path, 0, NULL);
	const char *name;

	while (directory && (name = g_dir_read_name(directory))) {
		const char *release = name + strlen(prefix);

		/* linux-headers-6.1.0-56-common is shared by flavors and is not a release. */
		if (g_str_has_prefix(name, prefix) && g_ascii_isdigit(release[0]) &&
		    !g_str_has_suffix(release, "-common") && !g_str_has_suffix(release, "-common-rt"))
			g_hash_table_add(releases, g_strdup(release));
	}
}

GPtrArray *kernel_releases(const char *const *roots)
{
	g_autoptr(GHashTable) releases = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
	GHashTableIter iterator;
	gpointer name;

	for (; roots && *roots; roots++) {
		add_releases(releases, *roots, "lib/modules", "");
		add_releases(releases, *roots, "usr/lib/modules", "");
		add_releases(releases, *roots, "usr/src", "linux-headers-");
		add_releases(releases, *roots, "usr/lib/debug/boot", "vmlinux-");
		add_releases(releases, *roots, "usr/lib/debug/lib/modules", "");
	}
	g_hash_table_iter_init(&iterator, releases);
	while (g_hash_table_iter_next(&iterator, &name, NULL))
		g_ptr_array_add(list, g_strdup(name));
	g_ptr_array_sort(list, release_oldest_first);
	return list;
}

/* Return the flavor of a release, or "". release := VERSION [ "-" ABI ] [ "-" FLAVOR ] */
static const char *release_flavour(const char *release)
{
	const char *dash = strchr(release, '-');

	if (dash && g_ascii_isdigit(dash[1]))
		dash = strchr(dash + 1, '-');
	return dash ? dash + 1 : "";
}

/* Does a release name another architecture than this machine's? */
static bool is_foreign(const char *release)
{
	const struct architecture *architecture = architecture_of_release(release);

	return architecture && architecture != architecture_of_host();
}

/* Does a release belong to a series ("6.1") and a flavor ("rt", "cloud-amd64"; NULL: any of this machine's)? */
static bool release_fits(const char *release, const char *series, const char *flavour)
{
	const char *own = release_flavour(release);
	g_autofree char *full = flavour ? release_full_flavour(flavour) : NULL;
	size_t length = strlen(series);

	if (strncmp(release, series, length) != 0 || !release[length] || !strchr(".-+~", release[length]))
		return false;
	if (!flavour)
		return !is_foreign(release);
	return !strcmp(own, full) || (!architecture_of_release(flavour) && !strcmp(own, flavour));
}

static const char *newest_that_fits(const GPtrArray *releases, const char *series, const char *flavour)
{
	for (guint i = releases->len; i > 0; i--) {
		const char *candidate = g_ptr_array_index(releases, i - 1);

		if (release_fits(candidate, series, flavour))
			return candidate;
	}
	return NULL;
}

/*
 * Find the newest release of a series: "6.1" means the newest 6.1.x, preferably a cloud kernel; "6.1-rt" the newest of
 * that flavor (as in stap-vm, common/release.h). NULL if @p release has another form or nothing matches.
 */
static const char *newest_of_series(const GPtrArray *releases, const char *release)
{
	size_t length = strspn(release, "0123456789.");
	g_autofree char *series = g_strndup(release, length);

	if (!length || (release[length] && (release[length] != '-' || !g_ascii_isalpha(release[length + 1]))))
		return NULL;
	if (release[length])
		return newest_that_fits(releases, series, release + length + 1);
	return newest_that_fits(releases, series, "cloud") ?: newest_that_fits(releases, series, NULL);
}

static size_t common_length(const char *a, const char *b)
{
	size_t length = 0;

	while (a[length] && a[length] == b[length])
		length++;
	return length;
}

static int compare_nearness(gconstpointer a, gconstpointer b, gpointer wanted)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	size_t x_length = common_length(x, wanted), y_length = common_length(y, wanted);

	if (x_length != y_length)
		return x_length < y_length ? 1 : -1;
	return release_compare(y, x);
}

static struct error *not_found(const char *release, GPtrArray *releases)
{
	g_autofree char *devel = release_rpm(release, "-devel"), *kernel = release_rpm(release, "");
	g_autoptr(GString) list = g_string_new(NULL);
	struct error *error;

	g_ptr_array_sort_with_data(releases, compare_nearness, (gpointer)release);
	for (guint i = 0; i < releases->len && i < MOST_LISTED; i++)
		g_string_append_printf(list, "%s%s", i ? ", " : "", (const char *)g_ptr_array_index(releases, i));
	if (releases->len > MOST_LISTED)
		g_string_append(list, ", ...");
	if (list->len)
		error = error_new(ERROR_LOOKUP, _("kernel %s was not found; these are here: %s"), release, list->str);
	else
		error = error_new(ERROR_LOOKUP, _("kernel %s was not found, and no other kernel is here"), release);
	if (devel)
		return error_with_hint(error, _("run: dnf install %s && dnf debuginfo-install %s"), devel, kernel);
	if (release_is_ubuntu(release))
		return error_with_hint(error,
				       _("install linux-headers-%s, and linux-image-%s-dbgsym from "
					 "http://ddebs.ubuntu.com"),
				       release, release);
	if (!release_may_be_fetched(release) && releases->len)
		return error_with_hint(error,
				       _("install the kernel's build tree and debug information, or use one that is "
					 "here: -r %s"),
				       (const char *)g_ptr_array_index(releases, 0));
	if (!release_may_be_fetched(release))
		return error_with_hint(error, _("install the kernel's build tree and debug information"));
	if (releases->len)
		return error_with_hint(
			error,
			_("run: stap-vm fetch %s (or install linux-headers-%s and linux-image-%s-dbg), or use one "
			  "that is here: -r %s"),
			release, release, release, (const char *)g_ptr_array_index(releases, 0));
	return error_with_hint(error, _("run: stap-vm fetch %s (or install linux-headers-%s and linux-image-%s-dbg)"),
			       release, release, release);
}

/* Add missing parts from another root, if it has the same build of the kernel. */
static void complete_from(const struct target_kernel *other, struct target_kernel *kernel)
{
#define MEMBER(name) offsetof(struct target_kernel, name)
	static const size_t members[] = {MEMBER(module_debug_directory), MEMBER(image), MEMBER(config),
					 MEMBER(system_map)};
#undef MEMBER

	if (!kernel->build_id || g_strcmp0(kernel->build_id, other->build_id))
		return;
	if (!has_modules(kernel->modules_directory) && has_modules(other->modules_directory))
		kernel->modules_directory = other->modules_directory;
	for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
		const char **member = (const char **)((char *)kernel + members[i]);

		if (!*member)
			*member = *(const char *const *)((const char *)other + members[i]);
	}
}

static bool is_complete(const struct target_kernel *kernel)
{
	return kernel->vmlinux && kernel->build_directory && has_modules(kernel->modules_directory) && kernel->image &&
	       kernel->config;
}

/*
 * Fill in the kernel from the first root that has the release, and missing parts from later roots. For example, a host
 * with the packages of headers and debug symbols, but not of the image, lacks the modules.
 */
static bool find_release(struct arena *arena, const char *release, const char *const *roots, struct target_kernel *ret,
			 const char **root)
{
	bool found = false;

	for (; roots && *roots; roots++) {
		struct target_kernel here;

		fill_from_root(arena, *roots, release, &here);
		if (!here.build_directory && !here.vmlinux && !here.modules_directory)
			continue;
		if (!found || (!ret->vmlinux && here.vmlinux && here.build_directory)) {
			*ret = here;
			*root = arena_strdup(arena, *roots);
		} else
			complete_from(&here, ret);
		found = true;
		if (is_complete(ret))
			break;
	}
	return found;
}

static struct error *find_anywhere(struct arena *arena, const char *release, const char *const *roots,
				   struct target_kernel *ret, const char **root)
{
	g_autoptr(GPtrArray) releases = NULL;
	const char *newest;

	memset(ret, 0, sizeof(*ret));
	*root = "";
	if (strchr(release, '/'))
		return find_build_tree(arena, release, roots, ret, root);
	if (release[0] && find_release(arena, release, roots, ret, root))
		return NULL;
	releases = kernel_releases(roots);
	newest = newest_of_series(releases, release);
	if (newest && find_release(arena, newest, roots, ret, root))
		return NULL;
	return not_found(release, releases);
}

bool kernel_is_running(const struct target_kernel *kernel, const char *root)
{
	g_autofree char *path = g_strconcat(root, "/proc/sys/kernel/osrelease", NULL);
	g_autofree char *release = NULL;

	return g_file_get_contents(path, &release, NULL, NULL) && strcmp(g_strstrip(release), kernel->release) == 0;
}

/* Set the build-id of a kernel without vmlinux, from the boot image or the running kernel. */
static void find_build_id(struct arena *arena, const char *root, struct target_kernel *kernel)
{
	g_autofree char *notes = g_strconcat(root, "/sys/kernel/notes", NULL);
	g_autofree char *bytes = NULL, *build_id = NULL;
	struct image *image = NULL;
	Elf *elf;
	gsize size;

	elf = kernel->image ? image_open(kernel->image, &image) : NULL;
	if (elf)
		build_id = elf_build_id(elf);
	else if (kernel_is_running(kernel, root) && g_file_get_contents(notes, &bytes, &size, NULL))
		build_id = notes_build_id(bytes, size);
	elf_end(elf);
	image_free(image);
	kernel->build_id = build_id ? arena_strdup(arena, build_id) : NULL;
}

struct error *kernel_find(struct arena *arena, const char *release, const char *const *roots, struct target_kernel *ret,
			  const char **root)
{
	struct error *error = find_anywhere(arena, release, roots, ret, root);

	if (!error && !ret->vmlinux)
		find_build_id(arena, *root, ret);
	return error;
}

/* ---- modules ---- */

/*
 * The modules of a kernel. Walking lib/modules/R takes about ten milliseconds and module("*") asks once per module, so
 * the list is built once per kernel and kept until the process exits.
 */
struct module_list {
	GHashTable *code; /* name with '_' -> path */
	GHashTable *debug;
	GPtrArray *names;
	GHashTable *functions; /* of symbol tables -> name of the first module that has it; NULL: not read yet */
	GStringChunk *function_names;
};

/* "virtio-net.ko.xz" -> "virtio_net"; NULL if the file is not a module. */
static char *module_of_file(const char *file)
{
	static const char *const endings[] = {".ko", ".ko.xz", ".ko.zst", ".ko.gz", ".ko.bz2", ".ko.debug"};

	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++)
		if (g_str_has_suffix(file, endings[i]))
			return g_strdelimit(g_strndup(file, strlen(file) - strlen(endings[i])), "-", '_');
	return NULL;
}

static void add_modules(GHashTable *modules, const char *path, int level)
{
	g_autoptr(GDir) directory = g_dir_open(path, 0, NULL);
	const char *name;

	while (directory && (name = g_dir_read_name(directory))) {
		g_autofree char *inner = g_build_filename(path, name, NULL);
		g_autofree char *module = module_of_file(name);

		if (module)
			g_hash_table_replace(modules, g_steal_pointer(&module), g_steal_pointer(&inner));
		/* Symbolic links ("build", "source") lead out of the modules' directory. */
		else if (level < MOST_DIRECTORY_LEVELS && !g_file_test(inner, G_FILE_TEST_IS_SYMLINK) &&
			 !strchr(name, '.') && g_file_test(inner, G_FILE_TEST_IS_DIR))
			add_modules(modules, inner, level + 1);
	}
}

static void add_names(GPtrArray *names, GHashTable *modules, GHashTable *already)
{
	GHashTableIter iterator;
	gpointer name;

	g_hash_table_iter_init(&iterator, modules);
	while (g_hash_table_iter_next(&iterator, &name, NULL))
		if (!already || !g_hash_table_contains(already, name))
			g_ptr_array_add(names, name);
}

static struct module_list *module_list_new(const struct target_kernel *kernel)
{
	struct module_list *list = g_new0(struct module_list, 1);

	list->code = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	list->debug = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	list->names = g_ptr_array_new();
	/* In a tree where the kernel was built, modules are beside their sources. */
	if (kernel->modules_directory)
		add_modules(list->code, kernel->modules_directory, 0);
	else if (kernel->build_directory)
		add_modules(list->code, kernel->build_directory, 0);
	if (kernel->module_debug_directory)
		add_modules(list->debug, kernel->module_debug_directory, 0);
	add_names(list->names, list->code, NULL);
	add_names(list->names, list->debug, list->code);
	g_ptr_array_sort(list->names, compare_strings);
	return list;
}

static struct module_list *module_list(const struct target_kernel *kernel)
{
	static GHashTable *lists;
	static GMutex lock;
	g_autofree char *key = g_strjoin("\n", kernel->modules_directory ? kernel->modules_directory : "",
					 kernel->module_debug_directory ? kernel->module_debug_directory : "",
					 kernel->build_directory ? kernel->build_directory : "", NULL);
	struct module_list *list;

	g_mutex_lock(&lock);
	if (!lists)
		lists = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	list = g_hash_table_lookup(lists, key);
	if (!list) {
		list = module_list_new(kernel);
		g_hash_table_insert(lists, g_steal_pointer(&key), list);
	}
	g_mutex_unlock(&lock);
	return list;
}

void kernel_module_files(const struct target_kernel *kernel, struct arena *arena, const char *module, const char **code,
			 const char **debug)
{
	struct module_list *list = module_list(kernel);
	const char *code_path = g_hash_table_lookup(list->code, module);
	const char *debug_path = g_hash_table_lookup(list->debug, module);

	*code = code_path ? arena_strdup(arena, code_path) : NULL;
	*debug = debug_path ? arena_strdup(arena, debug_path) : NULL;
}

/*
 * modules.builtin has a line for each built-in module, with the path that its file would have (kernel/fs/ext4/ext4.ko).
 */
bool kernel_has_built_in(const struct target_kernel *kernel, const char *module)
{
	g_autofree char *path = NULL, *text = NULL;
	g_auto(GStrv) lines = NULL;
	bool found = false;

	if (!kernel->modules_directory)
		return false;
	path = g_build_filename(kernel->modules_directory, "modules.builtin", NULL);
	if (!g_file_get_contents(path, &text, NULL, NULL))
		return false;
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line && !found; line++) {
		g_autofree char *file = g_path_get_basename(*line), *name = module_of_file(file);

		found = name && !strcmp(name, module);
	}
	return found;
}

/* Replace '-' by '_', which are equivalent in module names, except in brackets, where '-' is a range. */
static char *module_pattern(const char *glob)
{
	char *pattern = g_strdup(glob);
	bool in_brackets = false;

	for (char *c = pattern; *c; c++) {
		if (*c == '[' || *c == ']')
			in_brackets = *c == '[';
		else if (*c == '-' && !in_brackets)
			*c = '_';
	}
	return pattern;
}

struct error *debuginfo_module_names(const struct target_kernel *kernel, struct arena *arena, const char *glob,
				     GPtrArray **ret)
{
	g_autofree char *pattern = module_pattern(glob);
	struct module_list *list = module_list(kernel);

	*ret = arena_ptr_array(arena);
	for (guint i = 0; i < list->names->len; i++) {
		const char *name = g_ptr_array_index(list->names, i);

		if (fnmatch(pattern, name, 0) == 0)
			g_ptr_array_add(*ret, arena_strdup(arena, name));
	}
	return NULL;
}

/* Data of note_function(). */
struct module_symbols {
	struct module_list *list;
	const char *module;
};

static void note_name(const struct module_symbols *symbols, const char *name)
{
	if (!g_hash_table_contains(symbols->list->functions, name))
		g_hash_table_insert(symbols->list->functions,
				    g_string_chunk_insert(symbols->list->function_names, name),
				    (gpointer)symbols->module);
}

static void note_function(const char *name, size_t length, void *data)
{
	if (name[length]) {
		g_autofree char *plain = g_strndup(name, length);

		note_name(data, plain);
	}
	note_name(data, name);
}

static void read_functions(struct module_list *list)
{
	struct module_symbols symbols = {.list = list};

	list->functions = g_hash_table_new(g_str_hash, g_str_equal);
	list->function_names = g_string_chunk_new(1 << 16);
	for_each_ptr(const char *, module, list->names) {
		symbols.module = module;
		elf_file_functions(g_hash_table_lookup(list->debug, module) ?: g_hash_table_lookup(list->code, module),
				   note_function, &symbols);
	}
}

const char *debuginfo_module_with_function(const struct target_kernel *kernel, const char *function)
{
	struct module_list *list = module_list(kernel);

	if (!list->functions)
		read_functions(list);
	return g_hash_table_lookup(list->functions, function);
}
