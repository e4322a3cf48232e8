// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fetch kernels of Debian and Ubuntu into the cache, without installing anything on the host.
 *
 * In: a name. Out: CACHE/kernels/RELEASE, the packages of one kernel unpacked as if under "/". Kernels that the host's
 * apt has come from there. Others, and those of other architectures, come from the first suite of Debian's archive that
 * has them (archive.c), with a build root (build_root.c), because their build tools may not run on this host.
 *
 * The packages of a kernel are found with apt. The newest ABI is in the list of package names. The common headers and
 * kbuild's tools are dependencies of the headers, and the parts of a split image are dependencies of the image.
 * Packages are downloaded and unpacked in CACHE/kernels/.RELEASE.fetch, which is renamed when complete. An interrupted
 * fetch thus leaves no incomplete kernel, and the next one continues with the packages already downloaded.
 *
 * Kernels of distributions with RPM packages are found and downloaded by rpm_fetch.c.
 */
#include "vm/fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "common/files.h"
#include "common/progress.h"
#include "common/release.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "vm/archive.h"
#include "vm/build_root.h"
#include "vm/cache.h"
#include "vm/guest_root.h"
#include "vm/kernel_packages.h"
#include "vm/kernel_root.h"
#include "vm/rpm_fetch.h"
#include "vm/tool.h"

/*
 * The sources of a kernel's packages. kbuild's tools are programs, so they come from the packages for this machine also
 * if the kernel is for another architecture.
 */
struct source {
	struct archive *archive;
	struct archive *tools; /* the same suite for this machine; NULL: not opened yet */
};

static void source_clear(struct source *source)
{
	if (source->tools != source->archive)
		archive_free(source->tools);
	archive_free(source->archive);
}

static struct error *open_tools(struct source *source, const char *kernels)
{
	const struct archive *archive = source->archive;

	if (archive->architecture == architecture_of_host())
		source->tools = source->archive;
	return source->tools ? NULL : archive_open(kernels, archive->suite, architecture_of_host(), &source->tools);
}

/*
 * Return whether a cached kernel's compiler is missing on this host, because another host fetched it. Debian's headers
 * accept no other compiler; their configuration has "gcc-12 (Debian ...". If the host's archive has the kernel, the
 * compiler comes from there, too.
 */
static bool lacks_compiler(const struct archive *archive, const char *kernels, const char *release)
{
	static const char setting[] = "\nCONFIG_CC_VERSION_TEXT=\"";
	g_autofree char *root = g_build_filename(kernels, release, NULL), *name = NULL, *path = NULL, *text = NULL;
	g_autofree char *configuration = g_strdup_printf("%s/usr/src/linux-headers-%s/.config", root, release);
	const char *value;

	if ((archive && !archive->suite) || kernel_root_has(root, "%s", BUILD_ROOT_LINK) ||
	    !g_file_get_contents(configuration, &text, NULL, NULL))
		return false;
	value = strstr(text, setting);
	if (!value)
		return false;
	value += strlen(setting);
	name = g_strndup(value, strcspn(value, " \"\n"));
	path = g_find_program_in_path(name);
	return !path && strstr(name, "gcc-");
}

/*
 * Return a release by its full name or by the metapackage ("cloud-amd64") that depends on it. NULL if neither exists.
 */
static char *release_by_name(struct archive *archive, const char *name)
{
	g_autofree char *image = g_strconcat("linux-image-", name, NULL), *target = NULL;
	const struct package *package = kernel_packages_find(archive, image);

	if (!package)
		return NULL;
	target = package_first_dependency(package, "linux-image-");
	return g_strdup(target ? target + strlen("linux-image-") : name);
}

/*
 * Return whether a name is that of a metapackage, which only depends on the newest kernel: Debian has both
 * linux-image-6.12-amd64 and linux-image-6.12.117+deb12-amd64. The first kernel of a series has such a name, too.
 */
static bool is_metapackage(struct archive *archive, const char *name)
{
	g_autofree char *release = NULL;

	if (!g_regex_match_simple("^[0-9]+\\.[0-9]+-[a-z]", name, 0, 0))
		return false;
	release = release_by_name(archive, name);
	return release && strcmp(release, name) != 0;
}

/* List all releases that apt has headers of, with or without an image, newest first. */
static struct error *known_releases(struct archive *archive, GPtrArray **ret)
{
	static const char prefix[] = "linux-headers-";
	struct error *error;
	GHashTable *packages;
	GHashTableIter iter;
	const char *name;

	error = kernel_packages_read(archive, &packages);
	if (error)
		return error_with_hint(error, _("stap-vm fetch needs apt, on Debian or a derivative"));
	*ret = g_ptr_array_new_with_free_func(g_free);
	g_hash_table_iter_init(&iter, packages);
	while (g_hash_table_iter_next(&iter, (void **)&name, NULL)) {
		if (g_str_has_prefix(name, prefix) && !is_metapackage(archive, name + strlen(prefix)))
			g_ptr_array_add(*ret, g_strdup(name + strlen(prefix)));
	}
	g_ptr_array_sort(*ret, release_newest_first);
	return NULL;
}

/*
 * The names that a kernel's package has in Debian and Ubuntu, in the order in which they are tried. In Ubuntu, an image
 * may exist only unsigned; the package of its debug symbols always has the name of the unsigned one.
 */
static const char *const image_names[] = {"linux-image-%s", "linux-image-unsigned-%s", NULL};
static const char *const headers_names[] = {"linux-headers-%s", NULL};
static const char *const symbols_names[] = {"linux-image-%s-dbg", "linux-image-unsigned-%s-dbgsym",
					    "linux-image-%s-dbgsym", NULL};
/* Ubuntu's modules that virtual machines rarely need; the image only recommends them. */
static const char *const extra_names[] = {"linux-modules-extra-%s", NULL};

/* Return the first of a package's names that apt has, or NULL. To be freed. */
static char *find_package(struct archive *archive, const char *const *formats, const char *release)
{
	for (; *formats; formats++) {
		g_autofree char *name = g_strdup_printf(*formats, release);

		if (kernel_packages_find(archive, name))
			return g_steal_pointer(&name);
	}
	return NULL;
}

/* Return whether apt has all of a kernel: image, headers and, if requested, debug symbols. */
static bool release_available(struct archive *archive, const char *release, bool debuginfo)
{
	g_autofree char *image = find_package(archive, image_names, release);
	g_autofree char *headers = find_package(archive, headers_names, release);
	g_autofree char *symbols = find_package(archive, symbols_names, release);

	return image && headers && (symbols || !debuginfo);
}

/* Return the archive with the package that is used here: programs must run on this machine. */
static struct archive *archive_of(const struct source *source, const char *name)
{
	return g_str_has_prefix(name, "linux-kbuild-") ? source->tools : source->archive;
}

/* Add a package and, recursively, its dependencies that are part of the kernel. */
static struct error *add_package(const struct source *source, GPtrArray *packages, const char *name)
{
	g_auto(GStrv) depends = NULL;
	const struct package *package;

	for (guint i = 0; i < packages->len; i++) {
		if (!strcmp(((const struct package *)packages->pdata[i])->name, name))
			return NULL;
	}
	package = kernel_packages_find(archive_of(source, name), name);
	if (!package)
		return error_new(ERROR_LOOKUP, _("apt has no package %s"), name);
	g_ptr_array_add(packages, (void *)package);
	depends = g_regex_split_simple("\\s*,\\s*", package->depends ? package->depends : "", 0, 0);
	for (char **depend = depends; *depend; depend++) {
		struct error *error = NULL;

		(*depend)[strcspn(*depend, " (:|")] = '\0';
		if (archive_is_kernel_package(*depend))
			error = add_package(source, packages, *depend);
		if (error)
			return error;
	}
	return NULL;
}

static guint64 bytes_needed(const GPtrArray *packages)
{
	guint64 needed = 0;

	for (guint i = 0; i < packages->len; i++) {
		const struct package *package = packages->pdata[i];

		needed += package->download_bytes + package->installed_bytes;
	}
	return needed;
}

/* Messages of apt and dpkg for network and disk problems, with hints. */
static const struct known_failure known_failures[] = {
	{"No space left on device", N_("the disk is full; set SPILE_CACHE to another directory")},
	{"enough free space", N_("the disk is full; set SPILE_CACHE to another directory")},
	{"Temporary failure resolving", N_("the host seems to be offline")},
	{"Could not resolve", N_("the host seems to be offline")},
	{"Could not connect", N_("the host seems to be offline")},
	{"Network is unreachable", N_("the host seems to be offline")},
	{"404", N_("the package lists are outdated; run 'apt-get update'")},
	{"dpkg-deb", N_("the download was damaged and has been removed; run the command again")},
};

static struct error *explain_failure(struct error *error)
{
	return tool_explain(error, known_failures, G_N_ELEMENTS(known_failures));
}

/*
 * Return the newest file of a package in a directory, or NULL. An interrupted fetch may have left an older version. The
 * modification time of a file from apt is the time of its publication.
 */
static char *package_file(const char *package, const char *directory)
{
	g_autofree char *prefix = g_strconcat(package, "_", NULL);
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	char *newest = NULL;
	time_t newest_time = 0;
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(directory, name, NULL);
		GStatBuf status;

		/* Ubuntu's debug symbols are in files named .ddeb. */
		if (!g_str_has_prefix(name, prefix) || !g_str_has_suffix(name, "deb") || g_stat(path, &status) < 0)
			continue;
		if (newest && status.st_mtime <= newest_time)
			continue;
		g_free(newest);
		newest = g_steal_pointer(&path);
		newest_time = status.st_mtime;
	}
	return newest;
}

struct error *fetch_package(const struct archive *archive, const char *package, uint64_t bytes, const char *directory,
			    const char *root)
{
	_cleanup_progress_ struct progress *step = NULL;
	g_autofree char *file = NULL;
	struct error *error;

	if (g_mkdir_with_parents(directory, 0755) < 0 || g_mkdir_with_parents(root, 0755) < 0)
		return error_errno(_("cannot make %s"), directory);
	/* apt checks a file that already exists, and downloads only what is missing. */
	error = archive_download(archive, directory, (const char *const[]){package, NULL}, package, bytes);
	if (error)
		return explain_failure(error);
	file = package_file(package, directory);
	if (!file)
		return error_new(ERROR_OTHER, _("apt-get download left no file for %s"), package);
	step = progress_begin(_("unpacking %s"), package);
	error = tool_run(NULL, (const char *const[]){"dpkg-deb", "-x", file, root, NULL}, NULL);
	if (!error || error->code == ERROR_LOOKUP)
		return error;
	/* apt does not download a damaged file of the right size again, so remove it. */
	g_unlink(file);
	return explain_failure(error);
}

/* Download and unpack the packages into @p work/root. */
static struct error *unpack_packages(const GPtrArray *packages, const char *work)
{
	g_autofree char *debs = g_build_filename(work, "debs", NULL);
	g_autofree char *root = g_build_filename(work, "root", NULL);
	struct error *error;

	error = tool_remove(root);
	for (guint i = 0; i < packages->len && !error; i++) {
		const struct package *package = packages->pdata[i];
		g_autofree char *size = g_format_size(package->download_bytes);

		fprintf(stderr, _("  %s (%s)\n"), package->name, size);
		error = fetch_package(package->archive, package->name, package->download_bytes, debs, root);
	}
	return error;
}

/* Add the package with the first of these names that apt has. The first one is Debian's, the last one Ubuntu's. */
static struct error *add_by_name(const struct source *source, GPtrArray *packages, const char *const *formats,
				 const char *release)
{
	g_autofree char *found = find_package(source->archive, formats, release), *usual = NULL;
	bool is_debian = architecture_of_release(release);
	struct error *error;

	while (!is_debian && formats[1])
		formats++;
	usual = g_strdup_printf(*formats, release);
	error = add_package(source, packages, found ?: usual);
	if (!error || is_debian)
		return error_with_hint(error, _("run 'apt-get update', or use --no-debuginfo for an old kernel"));
	return error_with_hint(error, _("run 'apt-get update'; debug symbols are in http://ddebs.ubuntu.com, or use "
					"--no-debuginfo"));
}

/* List the packages that @p root lacks: all of them, or the debug symbols of a kernel fetched without. */
static struct error *missing_packages(const struct source *source, const char *root, const char *release,
				      bool debuginfo, GPtrArray *packages)
{
	g_autofree char *extra = find_package(source->archive, extra_names, release);
	struct error *error = NULL;

	/* The largest comes last: if the mirror no longer has a package, little was downloaded in vain. */
	if (!g_file_test(root, G_FILE_TEST_EXISTS)) {
		error = add_by_name(source, packages, image_names, release);
		error = error ?: add_by_name(source, packages, headers_names, release);
		if (!error && extra)
			error = add_package(source, packages, extra);
	}
	if (!error && debuginfo && !kernel_root_has_debuginfo(root, release))
		error = add_by_name(source, packages, symbols_names, release);
	return error;
}

/*
 * Name the packages of a foreign kernel's build root: the compiler on which the headers depend, as a cross compiler,
 * and kbuild's tools, for their libraries.
 */
static struct error *name_cross_tools(const struct source *source, const char *headers, GPtrArray *names)
{
	const struct package *package = kernel_packages_find(source->archive, headers);
	const char *depends = package ? package->depends : NULL;
	g_autoptr(GRegex) compiler = g_regex_new("gcc-[0-9]+", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *name = NULL, *kbuild = NULL;

	if (!depends || !g_regex_match(compiler, depends, 0, &match))
		return error_new(ERROR_LOOKUP, _("package %s does not depend on a compiler"), headers);
	name = g_match_info_fetch(match, 0);
	g_ptr_array_add(names, build_root_cross_compiler(name, source->archive->architecture));
	kbuild = package_first_dependency(package, "linux-kbuild-");
	if (kbuild)
		g_ptr_array_add(names, g_steal_pointer(&kbuild));
	return NULL;
}

/* Add a build root to a kernel whose build tools may not run on this host, from the same suite. */
static struct error *add_build_root(const struct source *source, const char *kernels, const char *root,
				    const char *release)
{
	g_autofree char *headers = g_strconcat("linux-headers-", release, NULL);
	g_autofree char *link = g_build_filename(root, BUILD_ROOT_LINK, NULL);
	g_autofree char *name = NULL, *target = NULL;
	g_autoptr(GPtrArray) packages = g_ptr_array_new_with_free_func(g_free);
	struct error *error = NULL;

	if (!source->archive->suite || !kernel_root_has(root, "usr/src/linux-headers-%s", release))
		return NULL;
	if (source->archive == source->tools)
		g_ptr_array_add(packages, g_strdup(headers));
	else
		error = name_cross_tools(source, headers, packages);
	g_ptr_array_add(packages, NULL);
	error = error
			?: build_root_fetch(source->tools, kernels,
					    &(struct build_root_needs){source->archive->architecture,
								       (const char *const *)packages->pdata},
					    &name);
	if (error)
		return explain_failure(error);
	target = g_build_filename("..", BUILD_ROOTS_DIRECTORY, name, NULL);
	/* An old link may lead to a build root that was removed. */
	unlink(link);
	return symlink(target, link) < 0 ? error_errno("%s", link) : NULL;
}

/* Return whether the package lists name a package that the mirror no longer has. */
static bool is_gone(const struct error *error)
{
	return strstr(error->message, "404") || strstr(error->message, "File not found");
}

static struct error *fetch_release(struct source *source, const char *kernels, const char *release, bool debuginfo)
{
	g_autofree char *root = g_build_filename(kernels, release, NULL);
	g_autofree char *work = g_strdup_printf("%s/.%s.fetch", kernels, release);
	g_autofree char *unpacked = g_build_filename(work, "root", NULL);
	g_autoptr(GPtrArray) packages = g_ptr_array_new();
	_cleanup_close_ int lock = -1;
	struct error *error;

	error = cache_lock(kernels, release, &lock);
	error = error ?: open_tools(source, kernels);
	if (!error)
		error = missing_packages(source, root, release, debuginfo, packages);
	if (error)
		return error;
	if (!packages->len)
		return lacks_compiler(source->archive, kernels, release)
			       ? add_build_root(source, kernels, root, release)
			       : NULL;
	error = cache_check_space(kernels, bytes_needed(packages));
	if (error)
		return error;
	fprintf(stderr, _("Fetching %s into %s\n"), release, root);
	error = unpack_packages(packages, work);
	/* The next fetch will not continue this one, so remove it. */
	if (error && is_gone(error))
		error_free(tool_remove(work));
	error = error ?: add_build_root(source, kernels, unpacked, release);
	if (!error)
		error = kernel_root_install(work, root, release);
	if (!error)
		error = tool_remove(work);
	return error;
}

/* ---- which kernel ------------------------------------------------------------------------------------------------ */

/* A request and its result. */
struct request {
	const char *name;
	const struct architecture *architecture; /* that the name selects */
	bool debuginfo;
	const char *kernels; /* the kernels directory of the cache */
	char *release; /* of the kernel that was found or fetched */
	GString *tried; /* places searched, and why some could not be read */
};

static void request_clear(struct request *request)
{
	g_free(request->release);
	if (request->tried)
		g_string_free(request->tried, TRUE);
}

/* Is it the release of a kernel, and not the version of headers that several kernels share? */
static bool is_listed(const char *release)
{
	static const char debian[] = "^[0-9.]+\\.[^-]*(-[0-9]+)?-", ubuntu[] = "^[0-9.]+-[0-9]+-(?!common)[a-z]";

	return (architecture_of_release(release) && g_regex_match_simple(debian, release, 0, 0)) ||
	       g_regex_match_simple(ubuntu, release, 0, 0);
}

/* Report an unknown release, with a list of alternatives. */
static struct error *unknown_release(const struct request *request, const GPtrArray *releases)
{
	struct error *error = error_new(ERROR_LOOKUP, _("apt has no kernel %s"), request->name);
	g_autoptr(GString) list = g_string_new(NULL);

	if (request->tried->len)
		return error_with_hint(error, _("searched the apt sources of this host, and:%s"), request->tried->str);
	for (guint i = 0; releases && i < releases->len; i++) {
		const char *release = releases->pdata[i];

		if (is_listed(release))
			g_string_append_printf(list, "\n    %s", release);
	}
	if (!list->len)
		return error_with_hint(error, _("apt has no package lists; run 'apt-get update'"));
	return error_with_hint(error, _("use a short form such as 6.1 or 6.12-rt, or one of:%s"), list->str);
}

/*
 * Fetch the first available release in @p selected. If there is none, return no error but leave request->release NULL.
 */
static struct error *fetch_first(struct request *request, struct source *source, const GPtrArray *selected)
{
	struct archive *archive = source->archive;
	struct error *error = NULL;

	for (guint i = 0; i < selected->len; i++) {
		const char *release = selected->pdata[i];
		bool is_here = kernel_root_is_complete(request->kernels, release, request->debuginfo) &&
			       !lacks_compiler(archive, request->kernels, release);

		if (!is_here && !release_available(archive, release, request->debuginfo))
			continue;
		error_free(error);
		error = NULL;
		if (!is_here)
			error = fetch_release(source, request->kernels, release, request->debuginfo);
		if (!error) {
			request->release = g_strdup(release);
			return NULL;
		}
		if (!is_gone(error))
			return error;
		fprintf(stderr, _("The mirror no longer has all packages of %s\n"), release);
	}
	return error;
}

/* Fetch a kernel by release, short form, or metapackage name ("cloud-amd64"). */
static struct error *fetch_by_name(struct request *request, struct source *source, GPtrArray **releases)
{
	g_autoptr(GPtrArray) selected = NULL;
	g_autofree char *release = NULL;
	struct error *error;

	error = known_releases(source->archive, releases);
	if (error)
		return error;
	selected = release_select(request->name, *releases);
	error = fetch_first(request, source, selected);
	if (error || request->release)
		return error;
	release = release_by_name(source->archive, request->name);
	if (!release)
		return NULL;
	error = fetch_release(source, request->kernels, release, request->debuginfo);
	if (!error)
		request->release = g_steal_pointer(&release);
	return error;
}

/* Fetch a suite's kernel of a flavor: the one that its metapackage depends on, or else the newest available. */
static struct error *fetch_of_suite(struct request *request, const char *suite, const char *flavour)
{
	_cleanup_(source_clear) struct source source = {NULL};
	g_autoptr(GPtrArray) releases = NULL, selected = NULL;
	g_autofree char *metapackage = release_full_flavour(*flavour ? flavour : NULL), *meant = NULL;
	struct error *error;

	error = archive_open(request->kernels, suite, request->architecture, &source.archive);
	error = error ?: known_releases(source.archive, &releases);
	if (error)
		return error;
	selected = release_select_flavour(metapackage, releases);
	meant = release_by_name(source.archive, metapackage);
	if (meant)
		g_ptr_array_insert(selected, 0, meant);
	error = fetch_first(request, &source, selected);
	if (error || request->release)
		return error;
	return error_with_hint(error_new(ERROR_LOOKUP, _("Debian's %s has no kernel of flavor %s"), suite, metapackage),
			       _("use one of the flavors cloud, %s and rt"), request->architecture->debian);
}

/* Search the suites in order. A suite that cannot be read is recorded in request->tried and skipped. */
static struct error *fetch_from_suites(struct request *request)
{
	struct error *error = NULL;
	const char *suite;

	for (guint i = 0; !error && !request->release && (suite = archive_suite(i)); i++) {
		_cleanup_(source_clear) struct source source = {NULL};
		g_autoptr(GPtrArray) releases = NULL;

		error = archive_open(request->kernels, suite, request->architecture, &source.archive);
		g_string_append_printf(request->tried, "\n    %s%s%s", suite, error ? ": " : "",
				       error ? error->hint ?: error->message : "");
		if (error) {
			error_free(error);
			error = NULL;
			continue;
		}
		error = fetch_by_name(request, &source, &releases);
	}
	return error;
}

/*
 * Search the host's apt sources, which have the kernels of its architecture, then the suites if the name may be a
 * release.
 */
static struct error *fetch_anywhere(struct request *request)
{
	_cleanup_(source_clear) struct source host = {archive_of_host()};
	g_autoptr(GPtrArray) releases = NULL;
	bool is_foreign = request->architecture != architecture_of_host();
	struct error *error = is_foreign ? NULL : fetch_by_name(request, &host, &releases);

	if (request->release || (error && !is_gone(error)))
		return error;
	if (g_ascii_isdigit(*request->name) && archive_has_mirror()) {
		error_free(error);
		error = fetch_from_suites(request);
	}
	return error || request->release ? error : unknown_release(request, releases);
}

/* Fetch what guests need that run a kernel of another architecture. */
static struct error *complete_guest(const struct request *request)
{
	if (request->architecture == architecture_of_host())
		return NULL;
	return explain_failure(guest_root_fetch(request->kernels, request->architecture));
}

static struct error *fetch_rpms(struct request *request, const struct fetch_options *options)
{
	struct rpm_request rpms = {.name = request->name,
				   .debuginfo = request->debuginfo,
				   .kernels = request->kernels,
				   .repositories = options->repositories};

	return rpm_fetch_kernel(&rpms, &request->release);
}

struct error *fetch_kernel(const char *name, const struct fetch_options *options)
{
	_cleanup_(request_clear) struct request request = {.name = name, .debuginfo = options->debuginfo};
	g_autofree char *kernels = NULL;
	const char *suite = NULL, *flavour = archive_split_name(name, &suite);
	struct error *error;

	error = cache_kernels_directory(&kernels);
	if (error)
		return error;
	request.kernels = kernels;
	request.architecture = architecture_of_release(flavour ?: name) ?: architecture_of_host();
	request.tried = g_string_new(NULL);
	/* A full release that is already in the cache needs no packages. */
	if (kernel_root_is_complete(kernels, name, options->debuginfo) && !lacks_compiler(NULL, kernels, name))
		request.release = g_strdup(name);
	else if (options->repositories[0] || rpm_is_of_host())
		error = fetch_rpms(&request, options);
	else
		error = flavour ? fetch_of_suite(&request, suite, flavour) : fetch_anywhere(&request);
	error = error ?: complete_guest(&request);
	if (!error)
		printf("%s\n", request.release);
	return error;
}
