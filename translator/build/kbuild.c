// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calling make in the target kernel's build tree, and the cache directory for its results.
 *
 * The key of that directory covers everything on which the results depend: the kernel (release, build-id, place and
 * configuration of its build tree), the compiler, every file of the runtime's source, and Spile's version. Files in
 * such a directory never change; another key means another directory.
 */
#include "translator/build/kbuild.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/build_root.h"
#include "common/cache.h"
#include "common/files.h"
#include "common/process.h"
#include "common/progress.h"
#include "common/release.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"

/* Version of the code that makes the files in the cache; change it with that code. */
#define RECIPE_VERSION "19"

/* ---- make -------------------------------------------------------------------------------------------------------- */

/* Return the lines of kbuild's output that describe errors, or else all of it. */
static char *telling_lines(const char *output)
{
	static const char *const words[] = {"rror", "undefined", "No such", "No space", "not found"};
	enum { MOST_LINES = 20 };
	g_auto(GStrv) lines = g_strsplit(output, "\n", -1);
	g_autoptr(GString) text = g_string_new(NULL);
	int count = 0;

	for (char **line = lines; *line && count < MOST_LINES; line++) {
		bool tells = false;

		for (size_t i = 0; i < G_N_ELEMENTS(words) && !tells; i++)
			tells = strstr(*line, words[i]);
		if (!tells)
			continue;
		g_string_append_printf(text, "\n    %s", *line);
		count++;
	}
	if (!count)
		g_string_append_printf(text, "\n%s", output);
	return g_string_free(g_steal_pointer(&text), FALSE);
}

const char *kbuild_setting(const struct translation *t, const char *name)
{
	return g_hash_table_lookup(t->language.kernel_config, name) ?: "";
}

static bool is_built_by_clang(const struct translation *t)
{
	return *kbuild_setting(t, "CONFIG_CC_IS_CLANG") == 'y';
}

static int clang_version(const struct translation *t)
{
	return atoi(kbuild_setting(t, "CONFIG_CLANG_VERSION")) / 10000;
}

char *kbuild_tool(const struct translation *t, const char *name)
{
	const struct architecture *architecture = t->kernel.architecture;
	g_autofree char *prefix = g_strconcat(architecture->triplet, "-", NULL);

	if (architecture == architecture_of_host() || g_str_has_prefix(name, prefix))
		return g_strdup(name);
	return g_strconcat(prefix, name, NULL);
}

/* Return the name of the compiler that built the kernel, from its version text. To be freed. */
static char *recorded_compiler(const struct translation *t)
{
	const char *text = kbuild_setting(t, "CONFIG_CC_VERSION_TEXT");
	g_autofree char *name = NULL;

	if (is_built_by_clang(t))
		return g_strdup_printf("clang-%d", clang_version(t));
	text += *text == '"';
	name = g_strndup(text, strcspn(text, " \""));
	return kbuild_tool(t, name);
}

/* Add the arguments for make that select another architecture than this machine's. */
static void add_architecture(const struct translation *t, GPtrArray *argv)
{
	const struct architecture *architecture = t->kernel.architecture;

	if (architecture == architecture_of_host())
		return;
	g_ptr_array_add(argv, g_strconcat("ARCH=", architecture->kernel, NULL));
	g_ptr_array_add(argv, g_strconcat("CROSS_COMPILE=", architecture->triplet, "-", NULL));
}

/* Return the path of a program that kbuild may call, in the root where it will run; NULL if not found. To be freed. */
static char *find_program(const struct translation *t, const char *program)
{
	if (!t->kernel.build_root)
		return g_find_program_in_path(program);
	if (!build_root_has(t->kernel.build_root, program))
		return NULL;
	return g_build_filename(t->kernel.build_root, "usr/bin", program, NULL);
}

static bool is_installed(const struct translation *t, const char *program)
{
	g_autofree char *path = find_program(t, program);

	return path != NULL;
}

/*
 * Choose the arguments for a kernel built with clang, whose modules need clang, too (Documentation/kbuild/llvm.rst).
 * Prefer its major version over plain "clang".
 */
static struct error *choose_clang(const struct translation *t, char **ret)
{
	int major = clang_version(t);
	bool own_linker = *kbuild_setting(t, "CONFIG_LD_IS_LLD") == 'y';
	g_autofree char *name = recorded_compiler(t), *linker = g_strdup_printf("ld.lld-%d", major);

	if (is_installed(t, name) && (!own_linker || is_installed(t, linker)))
		*ret = own_linker ? g_strdup_printf("LLVM=-%d", major) : g_strdup_printf("CC=%s", name);
	else if (is_installed(t, "clang") && (!own_linker || is_installed(t, "ld.lld")))
		*ret = g_strdup(own_linker ? "LLVM=1" : "CC=clang");
	else
		return error_with_hint(
			error_new(ERROR_LOOKUP, _("kernel %s was built with clang %d, which is not installed"),
				  t->kernel.release, major),
			_("apt-get install clang-%d lld-%d llvm-%d, or without the numbers"), major, major, major);
	return NULL;
}

/* Return an argument for make that selects the compiler that built the kernel; NULL if make selects it by itself. */
static struct error *choose_compiler(const struct translation *t, char **ret)
{
	g_autofree char *name = recorded_compiler(t);

	*ret = NULL;
	if (is_built_by_clang(t))
		return choose_clang(t, ret);
	if (strstr(name, "gcc-") && is_installed(t, name))
		*ret = g_strdup_printf("CC=%s", name);
	return NULL;
}

struct error *headers_not_installed(const struct translation *t)
{
	const char *release = t->kernel.release;
	struct error *error = error_new(ERROR_LOOKUP, _("the build headers of kernel %s are not installed"), release);
	g_autofree char *rpm = release_rpm(release, "-devel");

	if (rpm)
		return error_with_hint(error, _("dnf install %s"), rpm);
	if (release_is_ubuntu(release))
		return error_with_hint(error, _("apt-get install linux-headers-%s"), release);
	if (!release_may_be_fetched(release))
		return error_with_hint(error, _("install the build headers of kernel %s"), release);
	return error_with_hint(error, _("apt-get install linux-headers-%s, or: stap-vm fetch %s"), release, release);
}

/* Add a hint to an error. Debian's headers call the compiler by its version, which may not be installed. */
static struct error *hint_at_compiler(const struct translation *t, const char *output, struct error *error)
{
	g_autofree char *recorded = recorded_compiler(t);
	const char *name = strstr(recorded, "gcc-");
	g_autofree char *text = name ? g_strconcat(name, ": not found", NULL) : NULL;

	if (text && strstr(output, text) && !release_may_be_fetched(t->kernel.release))
		return error_with_hint(error, _("install %s, the compiler of kernel %s"), name, t->kernel.release);
	if (text && strstr(output, text))
		return error_with_hint(error,
				       _("it is the compiler of kernel %s: apt-get install %s, or, if apt has "
					 "none: stap-vm fetch %s"),
				       t->kernel.release, name, t->kernel.release);
	return t->options->keep_directory
		       ? error
		       : error_with_hint(error, _("use -k to keep the directory with the generated code"));
}

struct error *kbuild_run(const struct translation *t, const char *directory, const char *goal, char **all)
{
	g_autofree char *module_argument = g_strdup_printf("M=%s", directory), *compiler = NULL;
	/* Disable BTF of the module: it is useless here, and needs vmlinux and pahole. */
	const char *const fixed[] = {"make",
				     "-s",
				     "-j2",
				     "V=0",
				     "-C",
				     t->kernel.build_directory,
				     module_argument,
				     "CONFIG_DEBUG_INFO_BTF_MODULES=",
				     goal};
	g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *output = NULL, *lines = NULL;
	struct error *error;

	error = choose_compiler(t, &compiler);
	for (size_t i = 0; i < G_N_ELEMENTS(fixed); i++)
		g_ptr_array_add(argv, g_strdup(fixed[i]));
	add_architecture(t, argv);
	if (compiler)
		g_ptr_array_add(argv, g_strdup(compiler));
	for_each_ptr(const char *, setting, t->options->make_settings)
		g_ptr_array_add(argv, g_strdup(setting));
	g_ptr_array_add(argv, NULL);
	error = error ?: process_run_inside(t->kernel.build_root, (const char *const *)argv->pdata, NULL, &output);
	if (all)
		*all = g_strdup(output ?: "");
	if (!error || error->code != ERROR_BUILD)
		return error;
	lines = telling_lines(output);
	error_free(error);
	return hint_at_compiler(t, output, error_new(ERROR_BUILD, _("kbuild failed in %s:%s"), directory, lines));
}

struct error *kbuild_strip_object(const struct translation *t, const char *path)
{
	g_autofree char *strip = kbuild_tool(t, "strip");
	const char *const argv[] = {strip, "--strip-debug", path, NULL};

	return t->options->keep_debug ? NULL : process_run_inside(t->kernel.build_root, argv, NULL, NULL);
}

struct error *kbuild_strip_module(const struct translation *t, const char *path)
{
	/*
	 * The list of padded functions is only for the linker of vmlinux. Names of the padding are not in the kallsyms
	 * of vmlinux either.
	 */
	g_autofree char *strip = kbuild_tool(t, "strip");
	const char *const argv[] = {strip,
				    "--strip-debug",
				    "--remove-section=__patchable_function_entries",
				    "--remove-section=.comment",
				    "--wildcard",
				    "--strip-symbol=__pfx_*",
				    path,
				    NULL};

	return t->options->keep_debug ? NULL : process_run_inside(t->kernel.build_root, argv, NULL, NULL);
}

/* ---- the cache --------------------------------------------------------------------------------------------------- */

static void add_text(GChecksum *sum, const char *text)
{
	/* Include the NUL to separate texts. */
	g_checksum_update(sum, (const guchar *)text, strlen(text) + 1);
}

static struct error *add_files(GChecksum *sum, const char *root, const GPtrArray *names)
{
	for_each_ptr(const char *, name, names) {
		g_autofree char *path = g_build_filename(root, name, NULL);
		g_autofree char *text = NULL;
		struct error *error;
		size_t length;

		error = file_read(path, &text, &length);
		if (error)
			return error;
		add_text(sum, name);
		g_checksum_update(sum, (const guchar *)text, length);
	}
	return NULL;
}

/* Return the cache entry with the checksum of the files in their current state; NULL if that is not known. */
static char *entry_of_files(const struct translation *t, const char *root, const GPtrArray *names)
{
	struct file_facts *facts = file_facts_new();
	g_autofree char *sum = NULL;
	const char *text;

	for_each_ptr(const char *, name, names) {
		g_autofree char *path = g_build_filename(root, name, NULL);

		file_facts_note(facts, path);
	}
	text = file_facts_text(facts);
	if (text)
		sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
	file_facts_free(facts);
	return sum ? g_strdup_printf("%s/runtime-%s", t->cache_directory, sum) : NULL;
}

/* Add the checksum of the runtime's source, which is cached because the source has half a megabyte. */
static struct error *add_runtime(GChecksum *sum, const struct translation *t, const char *root, const GPtrArray *names)
{
	g_autofree char *entry = entry_of_files(t, root, names), *known = NULL;
	g_autoptr(GChecksum) content = g_checksum_new(G_CHECKSUM_SHA256);
	struct error *error;
	const char *found;
	size_t length;

	if (entry && cache_load(entry, &known, &length)) {
		add_text(sum, known);
		return NULL;
	}
	error = add_files(content, root, names);
	if (error)
		return error;
	found = g_checksum_get_string(content);
	add_text(sum, found);
	if (entry)
		cache_store(entry, found, strlen(found));
	return NULL;
}

/* Add the path of a directory without symbolic links, so that it is the same directory by any of its names. */
static void add_directory(GChecksum *sum, const char *directory)
{
	_cleanup_free_ char *path = realpath(directory, NULL);

	add_text(sum, path ?: directory);
}

static void add_file_if_there(GChecksum *sum, const char *directory, const char *name)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);

	checksum_add_file(sum, path);
}

static void add_program(GChecksum *sum, const struct translation *t, const char *name)
{
	g_autofree char *path = find_program(t, name);
	g_autofree char *text = NULL;
	struct stat status;

	if (!path || stat(path, &status))
		return;
	text = g_strdup_printf("%s %lld %lld.%ld", path, (long long)status.st_size, (long long)status.st_mtim.tv_sec,
			       status.st_mtim.tv_nsec);
	add_text(sum, text);
}

/*
 * Add the compilers that kbuild may call: the one that built the kernel, and kbuild's default names. Each is identified
 * by its path, size and date, which a package update changes. Running each for its version would take longer than
 * compiling a script.
 */
static void add_compilers(GChecksum *sum, const struct translation *t)
{
	static const char *const names[] = {"gcc", "clang", "ld", "ld.lld"};
	g_autofree char *compiler = recorded_compiler(t);

	add_program(sum, t, compiler);
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *name = kbuild_tool(t, names[i]);

		add_program(sum, t, name);
	}
}

/*
 * Add the environment variables that kbuild and the compilers read (Documentation/kbuild/kbuild.rst, makefiles.rst;
 * gcc(1), ENVIRONMENT).
 */
static void add_environment(GChecksum *sum)
{
	static const char *const names[] = {
		"ARCH",
		"SUBARCH",
		"CROSS_COMPILE",
		"LLVM",
		"LLVM_IAS",
		"CC",
		"LD",
		"AR",
		"NM",
		"OBJCOPY",
		"OBJDUMP",
		"STRIP",
		"READELF",
		"HOSTCC",
		"HOSTLD",
		"HOSTCFLAGS",
		"HOSTLDFLAGS",
		"KCFLAGS",
		"KCPPFLAGS",
		"KAFLAGS",
		"CFLAGS_KERNEL",
		"CFLAGS_MODULE",
		"AFLAGS_MODULE",
		"LDFLAGS_MODULE",
		"KBUILD_CFLAGS",
		"KBUILD_CPPFLAGS",
		"KBUILD_AFLAGS",
		"KBUILD_EXTRA_SYMBOLS",
		"KBUILD_MODPOST_WARN",
		"KBUILD_OUTPUT",
		"EXTRA_CFLAGS",
		"ccflags-y",
		"MAKEFLAGS",
		"W",
		"CPATH",
		"C_INCLUDE_PATH",
		"COMPILER_PATH",
		"GCC_EXEC_PREFIX",
		"LIBRARY_PATH",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		const char *value = g_getenv(names[i]);

		add_text(sum, value ? names[i] : "");
		add_text(sum, value ?: "");
	}
}

int kbuild_lock(const char *cache)
{
	int fd = open(cache, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		flock(fd, LOCK_EX); /* a signal ends the wait; the next step notices it */
	return fd;
}

struct error *kbuild_cache(const struct translation *t, const char *runtime_directory, const GPtrArray *runtime_files,
			   char **ret)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autofree char *directory = NULL;
	struct error *error;
	struct stat status;

	*ret = NULL;
	if (!t->cache_directory)
		return NULL;
	add_text(sum, PACKAGE_VERSION " " RECIPE_VERSION);
	add_text(sum, t->options->keep_debug ? "debug" : "");
	add_text(sum, t->kernel.release);
	add_text(sum, t->kernel.build_id ?: "");
	add_directory(sum, t->kernel.build_directory);
	add_file_if_there(sum, t->kernel.build_directory, "include/config/auto.conf");
	/* Without a build-id, the versions of exported symbols distinguish builds. */
	if (!t->kernel.build_id)
		add_file_if_there(sum, t->kernel.build_directory, "Module.symvers");
	add_environment(sum);
	add_compilers(sum, t);
	error = add_runtime(sum, t, runtime_directory, runtime_files);
	if (error)
		return error;
	directory = g_strdup_printf("%s/kbuild/%s", t->cache_directory, g_checksum_get_string(sum));
	/* If the directory cannot be created (full disk, read-only), continue without a cache. */
	if (!g_mkdir_with_parents(directory, 0755) && !lstat(directory, &status) && S_ISDIR(status.st_mode) &&
	    cache_is_ours(&status))
		*ret = g_steal_pointer(&directory);
	return NULL;
}

void kbuild_note(const struct translation *t, const char *format, ...)
{
	va_list args;

	if (options_verbosity(t->options, 4) < 2)
		return;
	progress_clear();
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}
