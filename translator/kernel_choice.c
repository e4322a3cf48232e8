// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Select the target kernel: the one that -r names (a release, a build directory or a kernel of stap-vm), or else the
 * running one.
 *
 * If the running kernel's files are missing and stap stops before pass 4, only its release is known. That suffices for
 * scripts that do not probe the kernel.
 */
#include "translator/kernel_choice.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "common/guest_root.h"
#include "common/user_directories.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"

static const char *own_release(struct arena *arena)
{
	struct utsname names;

	uname(&names);
	return arena_strdup(arena, names.release);
}

/* Return the root directories to search for kernels: only --sysroot, or "" and the packages unpacked by stap-vm. */
static const char **kernel_roots(struct translation *t, const struct options *options)
{
	g_autofree char *kernels = cache_place("kernels", NULL);
	g_autoptr(GDir) dir = kernels ? g_dir_open(kernels, 0, NULL) : NULL;
	GPtrArray *roots = arena_ptr_array(t->arena);
	const char *name;

	if (options->sysroot) {
		g_ptr_array_add(roots, (void *)options->sysroot);
	} else {
		g_ptr_array_add(roots, (void *)"");
		while (dir && (name = g_dir_read_name(dir))) {
			g_autofree char *root = *name != '.' ? cache_place("kernels", name) : NULL;

			if (root)
				g_ptr_array_add(roots, arena_strdup(t->arena, root));
		}
	}
	g_ptr_array_add(roots, NULL);
	return (const char **)roots->pdata;
}

/* Return the build tree in the cache if stap-vm built a kernel of that name, else @release. */
static const char *built_kernel(struct translation *t, const struct options *options, const char *release)
{
	bool may_be_built = !strchr(release, '/') && !options->sysroot;
	g_autofree char *directory = may_be_built ? cache_place("kernels", release) : NULL;
	g_autofree char *config = directory ? g_build_filename(directory, ".config", NULL) : NULL;

	if (!config || !g_file_test(config, G_FILE_TEST_EXISTS))
		return release;
	return arena_strdup(t->arena, directory);
}

static void read_kernel_config(struct translation *t)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!t->kernel.config || !g_file_get_contents(t->kernel.config, &text, NULL, NULL))
		return;
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		char *equals = strchr(*line, '=');

		if (!g_str_has_prefix(*line, "CONFIG_") || !equals)
			continue;
		*equals = '\0';
		g_hash_table_insert(t->language.kernel_config, g_strdup(*line), g_strdup(equals + 1));
	}
}

/*
 * Refuse a kernel of the cache whose directories others can change: make runs the makefiles there. The path of the
 * kernel does not tell, since its build root is a symbolic link.
 */
static struct error *check_places(const struct translation *t)
{
	const struct target_kernel *kernel = &t->kernel;
	const char *const places[] = {kernel->build_directory, kernel->build_root, kernel->modules_directory};

	if (!g_str_has_prefix(t->search.root, cache_directory()))
		return NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(places); i++)
		if (places[i] && !user_path_is_safe(places[i]))
			return error_new(ERROR_LOOKUP, _("root cannot use kernel %s: others can change %s"),
					 kernel->release, places[i]);
	return NULL;
}

/* Check that the kernel is the wanted build: several builds can have the same release. */
static struct error *check_build_id(const struct target_kernel *kernel, const char *wanted)
{
	if (!wanted || !kernel->build_id || !strcmp(kernel->build_id, wanted))
		return NULL;
	return error_with_hint(error_new(ERROR_LOOKUP, _("kernel %s has build-id %s on this machine (expected %s)"),
					 kernel->release, kernel->build_id, wanted),
			       _("install the same kernel package as on the machine that will run the script"));
}

/* Return the release of -r, with the architecture of -a if it names none. */
static const char *wanted_release(struct translation *t, const struct options *options)
{
	const struct architecture *architecture = options->architecture;

	if (!architecture || architecture == architecture_of_host() || strchr(options->release, '/') ||
	    architecture_of_release(options->release))
		return options->release;
	return arena_printf(t->arena, "%s-%s", options->release, architecture->debian);
}

static struct error *check_architecture(const struct target_kernel *kernel, const struct options *options)
{
	if (!options->architecture || kernel->architecture == options->architecture)
		return NULL;
	return error_with_hint(error_new(ERROR_LOOKUP, _("kernel %s is for %s, not for %s"), kernel->release,
					 kernel->architecture->name, options->architecture->name),
			       _("name a kernel of that architecture: -r RELEASE"));
}

/*
 * Search the programs and libraries of another architecture in its guest root. Programs of the user are where the
 * script says.
 */
static void use_guest_root(struct translation *t)
{
	struct sysroot *sysroot = &t->search.sysroot;
	g_autofree char *root = sysroot->directory ? NULL : guest_root_find(t->kernel.architecture);
	g_autofree char *real = root ? realpath(root, NULL) : NULL;

	if (!real)
		return;
	sysroot->directory = arena_strdup(t->arena, real);
	sysroot->also_here = true;
}

/* Lists and passes 1 to 3 need a kernel only for probes in it, and report there that it is missing. */
static bool needs_kernel(const struct options *options)
{
	return options->last_pass >= 4 && !options->dump && !options_listing(options);
}

struct error *choose_kernel(struct translation *t, const struct options *options, const char **argument)
{
	const char *release =
		options->release ? built_kernel(t, options, wanted_release(t, options)) : own_release(t->arena);
	struct error *error = kernel_find(t->arena, release, kernel_roots(t, options), &t->kernel, &t->search.root);

	if (error && error->code == ERROR_LOOKUP && !options->release && !needs_kernel(options)) {
		error_free(error);
		error = NULL;
		t->kernel.release = release;
		kernel_set_architecture(&t->kernel, architecture_of_host());
	}
	if (error && error->code == ERROR_LOOKUP && !options->release && !options->remotes->len)
		error_with_hint(error, _("%s; or run in a guest, with another kernel: -r RELEASE --remote=vm:"),
				arena_strdup(t->arena, error->hint));
	error = error ?: check_places(t);
	error = error ?: check_architecture(&t->kernel, options);
	error = error ?: check_build_id(&t->kernel, options->build_id);
	if (error)
		return error;
	t->search.digest = options->digest;
	*argument = strchr(release, '/') ? release : t->kernel.release;
	t->language.kernel_release = t->kernel.release;
	t->language.architecture = t->kernel.abi->name;
	read_kernel_config(t);
	use_guest_root(t);
	return NULL;
}

/* Is @wanted the beginning of the release, up to a separator? "6.1" does not match "6.12". */
static bool begins_release(const char *wanted, const char *release)
{
	return g_str_has_prefix(release, wanted) && strchr("-.+", release[strlen(wanted)]);
}

void choose_unseen_kernel(struct translation *t, const struct options *options, const char **argument)
{
	const char *own = own_release(t->arena), *wanted = options->release;

	t->kernel.release = !wanted || begins_release(wanted, own) ? own : wanted;
	kernel_set_architecture(&t->kernel, architecture_of_release(t->kernel.release) ?: architecture_of_host());
	*argument = t->kernel.release;
}

GPtrArray *matching_kernels(struct translation *t, const struct options *options, const char *pattern)
{
	g_autoptr(GPtrArray) all = kernel_releases(kernel_roots(t, options));
	const struct architecture *wanted =
		options->architecture ?: architecture_of_release(pattern) ?: architecture_of_host();
	GPtrArray *matching = arena_ptr_array(t->arena);

	for_each_ptr(const char *, release, all) {
		const struct architecture *own = architecture_of_release(release) ?: wanted;

		if (own == wanted && !fnmatch(pattern, release, 0))
			g_ptr_array_add(matching, arena_strdup(t->arena, release));
	}
	return matching;
}

const char *kernel_for_guests(struct translation *t, const struct options *options)
{
	const char *own = own_release(t->arena), *with_debuginfo = NULL, *bootable = NULL;

	for_each_ptr(const char *, release, matching_kernels(t, options, "*")) {
		struct target_kernel kernel = {NULL};
		const char *root;
		struct error *error = kernel_find(t->arena, release, kernel_roots(t, options), &kernel, &root);

		error_free(error);
		if (error || !kernel.image || !kernel.build_directory)
			continue;
		if (!strcmp(release, own))
			return own;
		bootable = release;
		with_debuginfo = kernel.vmlinux ? release : with_debuginfo;
	}
	return with_debuginfo ?: bootable;
}
