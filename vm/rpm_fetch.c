// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fetch a kernel of Fedora, RHEL or a relative into the cache, without installing anything on the host.
 *
 * dnf finds and downloads the packages, from its own repositories or from those that the user names. The kernel
 * "kernel-rt" consists of kernel-rt-core, kernel-rt-modules-core, kernel-rt-modules, kernel-rt-devel and
 * kernel-rt-debuginfo. Older distributions have no modules-core. The release, as uname -r prints it, is that which
 * the package provides as "kernel-uname-r", or else the directory of the image in its list of files.
 *
 * "dnf download" does not verify signatures. rpmkeys does it here before anything is unpacked, and refuses packages
 * without one, because programs from them are run to build modules.
 */
#include "vm/rpm_fetch.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/architecture.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/files.h"
#include "common/process.h"
#include "common/progress.h"
#include "common/release.h"
#include "vm/cache.h"
#include "vm/kernel_root.h"
#include "vm/tool.h"

enum { MOST_LISTED = 20 };

/* A package that dnf has found. */
struct rpm {
	char *name;
	char *version; /* VERSION-RELEASE.ARCHITECTURE */
	uint64_t download_bytes, installed_bytes;
};

/* The package that contains the image of a kernel. */
struct core {
	struct rpm *rpm;
	char *base; /* of the names of all its packages: "kernel-rt" */
	char *release; /* the usual one for this package */
};

static void rpm_free(void *data)
{
	struct rpm *rpm = data;

	if (!rpm)
		return;
	g_free(rpm->name);
	g_free(rpm->version);
	g_free(rpm);
}

static void core_free(void *data)
{
	struct core *core = data;

	rpm_free(core->rpm);
	g_free(core->base);
	g_free(core->release);
	g_free(core);
}

bool rpm_is_of_host(void)
{
	g_autofree char *apt = g_find_program_in_path("apt-cache"), *dnf = g_find_program_in_path("dnf");

	return dnf && !apt;
}

/* ---- dnf --------------------------------------------------------------------------------------------------------- */

/* Messages of dnf and rpmkeys, with hints. */
static const struct known_failure known_failures[] = {
	{"No space left on device", N_("the disk is full; set SPILE_CACHE to another directory")},
	{"Could not resolve host", N_("the host seems to be offline")},
	{"Could not connect", N_("the host seems to be offline")},
	{"No such command: download", N_("run 'dnf install dnf-plugins-core'")},
	{"hecksum", N_("the download was damaged and has been removed; run the command again")},
};

static struct error *explain(struct error *error)
{
	if (error && error->code == ERROR_LOOKUP && !error->hint)
		return error_with_hint(error, _("install dnf, rpm and cpio"));
	return tool_explain(error, known_failures, G_N_ELEMENTS(known_failures));
}

static bool is_address(const char *repository)
{
	return strstr(repository, "://");
}

static char *repository_address(const char *repository)
{
	g_autofree char *path = is_address(repository) ? NULL : g_canonicalize_filename(repository, NULL);

	return path ? g_filename_to_uri(path, NULL, NULL) : g_strdup(repository);
}

static struct error *check_directories(const struct rpm_request *request)
{
	for (const char *const *repository = request->repositories; *repository; repository++)
		if (!is_address(*repository) && !g_file_test(*repository, G_FILE_TEST_IS_DIR))
			return error_new(ERROR_LOOKUP, _("the repository %s is neither an address nor a directory"),
					 *repository);
	return NULL;
}

/* Run dnf with the options that select the repositories, then the arguments. */
static struct error *dnf(const struct rpm_request *request, const GPtrArray *arguments, char **output)
{
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_autofree char *cache = g_strdup_printf("--setopt=cachedir=%s/.dnf", request->kernels);
	g_auto(GStrv) argv = NULL;

	/* The lists are at most an hour old, as those of apt. */
	g_strv_builder_add_many(builder, "dnf", "--quiet", cache, "--setopt=metadata_expire=3600",
				"--setopt=skip_if_unavailable=False", NULL);
	for (guint i = 0; request->repositories[i]; i++) {
		g_autofree char *address = repository_address(request->repositories[i]);
		g_autofree char *definition = g_strdup_printf("--repofrompath=spile-%u,%s", i, address);
		g_autofree char *selection = g_strdup_printf("--repo=spile-%u", i);

		g_strv_builder_add_many(builder, definition, selection, NULL);
	}
	if (!request->repositories[0] && request->debuginfo)
		g_strv_builder_add(builder, "--enablerepo=*-debuginfo");
	for (guint i = 0; i < arguments->len; i++)
		g_strv_builder_add(builder, arguments->pdata[i]);
	argv = g_strv_builder_end(builder);
	return explain(tool_run(NULL, (const char *const *)argv, output));
}

static struct error *dnf_query(const struct rpm_request *request, const char *const words[], char **output)
{
	g_autoptr(GPtrArray) arguments = g_ptr_array_new();

	g_ptr_array_add(arguments, "repoquery");
	for (; *words; words++)
		g_ptr_array_add(arguments, (void *)*words);
	return dnf(request, arguments, output);
}

/* Return RPM's name of this machine's architecture. */
static char *rpm_machine(void)
{
	const char *triplet = architecture_of_host()->triplet;

	return g_strndup(triplet, strcspn(triplet, "-"));
}

/* Find packages of this machine by patterns of "NAME" or "NAME-VERSION"; the result may lack some of them. */
static struct error *find_packages(const struct rpm_request *request, const GPtrArray *patterns, GPtrArray **ret)
{
	g_autofree char *machine = rpm_machine(), *machines = g_strconcat("--arch=", machine, NULL), *output = NULL;
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	g_auto(GStrv) lines = NULL;
	struct error *error;

	g_ptr_array_add(words, machines);
	g_ptr_array_add(words, "--queryformat=spile %{name} %{version}-%{release}.%{arch} %{downloadsize} "
			       "%{installsize}\n");
	for (guint i = 0; i < patterns->len; i++)
		g_ptr_array_add(words, patterns->pdata[i]);
	g_ptr_array_add(words, NULL);
	error = dnf_query(request, (const char *const *)words->pdata, &output);
	if (error)
		return error;
	*ret = g_ptr_array_new_with_free_func(rpm_free);
	/* A name becomes part of a path, and the lists of a repository need not be signed. */
	lines = g_strsplit(output, "\n", -1);
	for (char **line = lines; *line; line++) {
		g_auto(GStrv) fields = g_strsplit(*line, " ", -1);
		struct rpm *rpm;

		if (g_strv_length(fields) != 5 || strcmp(fields[0], "spile") != 0 || strchr(*line, '/'))
			continue;
		rpm = g_new0(struct rpm, 1);
		rpm->name = g_strdup(fields[1]);
		rpm->version = g_strdup(fields[2]);
		rpm->download_bytes = g_ascii_strtoull(fields[3], NULL, 10);
		rpm->installed_bytes = g_ascii_strtoull(fields[4], NULL, 10);
		g_ptr_array_add(*ret, rpm);
	}
	return NULL;
}

/* ---- which kernel ------------------------------------------------------------------------------------------------ */

/* Return the flavor in a base: "rt" of "kernel-rt", "" of "kernel". */
static const char *flavor_of(const struct core *core)
{
	const char *dash = strchr(core->base, '-');

	return dash ? dash + 1 : "";
}

/* Take a package if it has a kernel's image. Otherwise return NULL. */
static struct core *core_new(struct rpm **rpm)
{
	const char *end = g_strrstr((*rpm)->name, "-core");
	struct core *core;

	if (!end || end[strlen("-core")] || g_str_has_suffix((*rpm)->name, "-modules-core"))
		return NULL;
	core = g_new0(struct core, 1);
	core->rpm = g_steal_pointer(rpm);
	core->base = g_strndup(core->rpm->name, (size_t)(end - core->rpm->name));
	core->release = g_strconcat(core->rpm->version, *flavor_of(core) ? "+" : NULL, flavor_of(core), NULL);
	return core;
}

static int newest_first(gconstpointer a, gconstpointer b)
{
	const struct core *const *first = a, *const *second = b;

	return release_compare((*second)->rpm->version, (*first)->rpm->version);
}

/* Is the name a version or series of this kernel, followed by its flavor? "6.12-rt" is one of 6.12.9 of kernel-rt. */
static bool is_of_series(const struct core *core, const char *name)
{
	size_t length = strcspn(name, "-+");
	const char *version = core->rpm->version, *flavor = name[length] ? name + length + 1 : "";

	return length && !strncmp(version, name, length) && strchr(".-", version[length]) && version[length] &&
	       !strcmp(flavor, flavor_of(core));
}

static bool is_named(const struct core *core, const char *name)
{
	return !strcmp(core->release, name) || !strcmp(core->base, name) || is_of_series(core, name);
}

static struct error *unknown_kernel(const struct rpm_request *request, const GPtrArray *cores)
{
	struct error *error = error_new(ERROR_LOOKUP, _("the RPM repositories have no kernel %s"), request->name);
	g_autoptr(GString) list = g_string_new(NULL);

	for (guint i = 0; i < cores->len && i < MOST_LISTED; i++)
		g_string_append_printf(list, "\n    %s", ((const struct core *)cores->pdata[i])->release);
	if (!list->len)
		return error_with_hint(error, _("they have no package named kernel-core"));
	return error_with_hint(error, _("use a short form such as 6.1 or 6.12-rt, or one of:%s"), list->str);
}

/* Find the newest kernel with the requested name. */
static struct error *find_core(const struct rpm_request *request, struct core **ret)
{
	g_autoptr(GPtrArray) patterns = g_ptr_array_new(), packages = NULL;
	g_autoptr(GPtrArray) cores = g_ptr_array_new_with_free_func(core_free);
	struct error *error;

	g_ptr_array_add(patterns, "kernel-core");
	g_ptr_array_add(patterns, "kernel-*-core");
	error = find_packages(request, patterns, &packages);
	if (error)
		return error_prefix(error, _("cannot read the RPM repositories"));
	for (guint i = 0; i < packages->len; i++) {
		struct core *core = core_new((struct rpm **)&packages->pdata[i]);

		if (core)
			g_ptr_array_add(cores, core);
	}
	g_ptr_array_sort(cores, newest_first);
	for (guint i = 0; i < cores->len; i++) {
		if (!is_named(cores->pdata[i], request->name))
			continue;
		*ret = g_ptr_array_steal_index(cores, i);
		return NULL;
	}
	return unknown_kernel(request, cores);
}

/* Return the first group of a pattern in what a query for a package prints, or NULL. */
static struct error *query_match(const struct rpm_request *request, const struct rpm *rpm, const char *query,
				 const char *pattern, char **ret)
{
	g_autofree char *package = g_strdup_printf("%s-%s", rpm->name, rpm->version), *output = NULL;
	g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_MULTILINE, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	struct error *error = dnf_query(request, (const char *const[]){query, package, NULL}, &output);

	if (!error && g_regex_match(regex, output, 0, &match))
		*ret = g_match_info_fetch(match, 1);
	return error;
}

static struct error *find_release(const struct rpm_request *request, const struct core *core, char **release)
{
	static const char name[] = "([0-9][0-9A-Za-z._+~-]*)";
	g_autofree char *provided = g_strdup_printf("^kernel-uname-r = %s$", name);
	g_autofree char *listed = g_strdup_printf("^(?:/usr)?/lib/modules/%s/vmlinuz$", name);
	struct error *error = query_match(request, core->rpm, "--provides", provided, release);

	if (!error && !*release)
		error = query_match(request, core->rpm, "--list", listed, release);
	if (!error && !*release)
		error = error_new(ERROR_OTHER, _("package %s-%s contains no lib/modules/RELEASE/vmlinuz"),
				  core->rpm->name, core->rpm->version);
	return error;
}

/* ---- its packages ------------------------------------------------------------------------------------------------ */

/* A package of a kernel: the base of the names, then this. */
struct part {
	const char *suffix;
	bool is_debuginfo, is_optional;
};

static const struct part parts[] = {
	{"core"},  {"modules-core", .is_optional = true}, {"modules", .is_optional = true},
	{"devel"}, {"debuginfo", .is_debuginfo = true},
};

static bool has_rpm(const GPtrArray *packages, const char *name)
{
	for (guint i = 0; i < packages->len; i++) {
		const struct rpm *rpm = packages->pdata[i];

		if (!strcmp(rpm->name, name))
			return true;
	}
	return false;
}

static int smallest_first(gconstpointer a, gconstpointer b)
{
	const struct rpm *const *first = a, *const *second = b;

	return ((*first)->download_bytes > (*second)->download_bytes) -
	       ((*first)->download_bytes < (*second)->download_bytes);
}

/*
 * List the packages of the kernel that @p root lacks: all of them, or the debug symbols of one fetched without. Return
 * an error if the repositories lack one that is not optional.
 */
static struct error *list_packages(const struct rpm_request *request, const struct core *core, const char *root,
				   GPtrArray **ret)
{
	bool is_new = !g_file_test(root, G_FILE_TEST_EXISTS);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) patterns = g_ptr_array_new_with_free_func(g_free);
	struct error *error;

	for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
		g_autofree char *name = g_strdup_printf("%s-%s", core->base, parts[i].suffix);

		if (!(parts[i].is_debuginfo ? request->debuginfo : is_new))
			continue;
		g_ptr_array_add(patterns, g_strdup_printf("%s-%s", name, core->rpm->version));
		if (!parts[i].is_optional)
			g_ptr_array_add(names, g_steal_pointer(&name));
	}
	error = find_packages(request, patterns, ret);
	if (error)
		return error;
	/* If the repository no longer has one, little was downloaded in vain. */
	g_ptr_array_sort(*ret, smallest_first);
	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];

		if (has_rpm(*ret, name))
			continue;
		error = error_new(ERROR_LOOKUP, _("the RPM repositories have no package %s-%s"), name,
				  core->rpm->version);
		return error_with_hint(error, _("add the repository of debug symbols, or use --no-debuginfo"));
	}
	return NULL;
}

static uint64_t bytes_in(void *directory)
{
	return directory_bytes(directory, NULL, NULL);
}

/* Download a package. Return the path of its file. */
static struct error *download(const struct rpm_request *request, const struct rpm *rpm, const char *directory,
			      char **file)
{
	_cleanup_progress_ struct progress *step = progress_begin(_("downloading %s"), rpm->name);
	g_autofree char *package = g_strdup_printf("%s-%s", rpm->name, rpm->version);
	g_autofree char *destination = g_strdup_printf("--destdir=%s", directory);
	g_autofree char *name = g_strconcat(package, ".rpm", NULL);
	g_autoptr(GPtrArray) arguments = g_ptr_array_new();
	struct error *error;

	g_ptr_array_add(arguments, "download");
	g_ptr_array_add(arguments, destination);
	g_ptr_array_add(arguments, package);
	progress_watch(step, bytes_in((void *)directory) + rpm->download_bytes, bytes_in, (void *)directory);
	error = dnf(request, arguments, NULL);
	/* End the step here: it reads local variables. */
	progress_end(step);
	step = NULL;
	*file = g_build_filename(directory, name, NULL);
	if (!error && !g_file_test(*file, G_FILE_TEST_EXISTS))
		error = error_new(ERROR_OTHER, _("dnf left no file for %s"), package);
	return error;
}

/* ---- signatures -------------------------------------------------------------------------------------------------- */

/* Return the option that selects the keys: those that this host's rpm trusts, or those of SPILE_RPM_KEYRING. */
static struct error *select_keys(const char *work, char **option)
{
	const char *keyring = g_getenv("SPILE_RPM_KEYRING");
	g_autofree char *database = g_build_filename(work, "keys", NULL);
	struct error *error;

	if (!keyring || !*keyring) {
		*option = g_strdup("--quiet");
		return NULL;
	}
	*option = g_strdup_printf("--dbpath=%s", database);
	error = tool_remove(database);
	error = error ?: tool_run(NULL, (const char *const[]){"rpmkeys", *option, "--import", keyring, NULL}, NULL);
	return explain(error);
}

static struct error *verify(const char *keys, const char *file)
{
	static const char level[] = "--define=_pkgverify_level signature";
	g_autofree char *output = NULL;
	struct error *error = tool_run(
		NULL, (const char *const[]){"rpmkeys", keys, level, "--checksig", "--verbose", file, NULL}, &output);

	if (!error || error->code == ERROR_LOOKUP)
		return explain(error);
	/* dnf does not download a file again that has the right size. */
	g_unlink(file);
	error_free(error);
	error = error_new(ERROR_OTHER, _("%s has no valid signature of a trusted key"), file);
	return error_with_hint(error, _("import the repository's key with 'rpmkeys --import', or set "
					"SPILE_RPM_KEYRING=FILE"));
}

/* ---- unpacking --------------------------------------------------------------------------------------------------- */

static struct error *unpack(const struct rpm *rpm, const char *file, const char *root)
{
	_cleanup_progress_ struct progress *step = progress_begin(_("unpacking %s"), rpm->name);
	/* A failure of rpm2cpio shows as an archive without an end. */
	static const char script[] = "rpm2cpio \"$1\" | (cd \"$2\" && cpio -idmu --quiet --no-absolute-filenames)";

	return explain(tool_run(NULL, (const char *const[]){"sh", "-c", script, "sh", file, root, NULL}, NULL));
}

/* Check for the programs of unpack() before anything is downloaded: its shell would name them without a remedy. */
static struct error *check_tools(void)
{
	return process_check_program("rpm2cpio") ?: process_check_program("cpio");
}

static struct error *fetch_package(const struct rpm_request *request, const struct rpm *rpm, const char *keys,
				   const char *work)
{
	g_autofree char *files = g_build_filename(work, "rpms", NULL), *root = g_build_filename(work, "root", NULL);
	g_autofree char *size = g_format_size(rpm->download_bytes), *file = NULL;
	struct error *error;

	fprintf(stderr, _("  %s (%s)\n"), rpm->name, size);
	if (g_mkdir_with_parents(files, 0755) < 0 || g_mkdir_with_parents(root, 0755) < 0)
		return error_errno(_("cannot make %s"), work);
	error = download(request, rpm, files, &file);
	error = error ?: verify(keys, file);
	return error ?: unpack(rpm, file, root);
}

static struct error *fetch_packages(const struct rpm_request *request, const GPtrArray *packages, const char *work)
{
	g_autofree char *root = g_build_filename(work, "root", NULL), *keys = NULL;
	struct error *error = tool_remove(root);

	if (!error && g_mkdir_with_parents(work, 0755) < 0)
		error = error_errno(_("cannot make %s"), work);
	error = error ?: select_keys(work, &keys);
	for (guint i = 0; i < packages->len && !error; i++)
		error = fetch_package(request, packages->pdata[i], keys, work);
	return error;
}

static struct error *fetch_core(const struct rpm_request *request, const struct core *core, const char *release)
{
	g_autofree char *root = g_build_filename(request->kernels, release, NULL);
	g_autofree char *work = g_strdup_printf("%s/.%s.fetch", request->kernels, release);
	g_autoptr(GPtrArray) packages = NULL;
	_cleanup_close_ int lock = -1;
	uint64_t bytes = 0;
	struct error *error;

	error = cache_lock(request->kernels, release, &lock);
	if (error || kernel_root_is_complete(request->kernels, release, request->debuginfo))
		return error;
	error = check_tools() ?: list_packages(request, core, root, &packages);
	for (guint i = 0; !error && i < packages->len; i++) {
		const struct rpm *rpm = packages->pdata[i];

		bytes += rpm->download_bytes + rpm->installed_bytes;
	}
	error = error ?: cache_check_space(request->kernels, bytes);
	if (error)
		return error;
	fprintf(stderr, _("Fetching %s into %s\n"), release, root);
	error = fetch_packages(request, packages, work);
	error = error ?: kernel_root_install(work, root, release);
	return error ?: tool_remove(work);
}

struct error *rpm_fetch_kernel(const struct rpm_request *request, char **release)
{
	struct core *core = NULL;
	struct error *error = check_directories(request) ?: find_core(request, &core);

	if (error)
		return error;
	error = find_release(request, core, release);
	error = error ?: fetch_core(request, core, *release);
	core_free(core);
	return error;
}
