// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Debian kernels into the cache, without installing anything on the host.
 *
 * In: a name. Out: CACHE/kernels/RELEASE, the packages of one kernel unpacked as if under "/". What belongs to a kernel
 * is read from apt: the newest ABI from the list of package names, the common headers and kbuild's tools from what the
 * headers depend on. Packages are downloaded and unpacked in CACHE/kernels/.RELEASE.fetch, which is renamed when it is
 * complete; an interrupted fetch thus leaves no half kernel, and the next one goes on with the packages that are there.
 *
 * The trap: the headers' Makefile includes the common headers' by an absolute path in /usr/src. It is rewritten to be
 * relative to itself, so that kbuild works from the cache and the cache may be moved.
 */
#include "vm/fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "translator/util/cleanup.h"
#include "translator/util/files.h"
#include "translator/util/i18n.h"
#include "vm/cache.h"
#include "vm/release.h"
#include "vm/tool.h"

/* A package of a kernel: what "apt-cache show" says about it. */
struct package {
	char *name;
	char *depends;
	guint64 download_bytes;
	guint64 installed_bytes;
};

static void package_free(void *data)
{
	struct package *package = data;

	g_free(package->name);
	g_free(package->depends);
	g_free(package);
}

/* What a kernel's packages need from each other; anything else they depend on is for installing on a host. */
static const char *const kernel_package_prefixes[] = {"linux-headers-", "linux-kbuild-", "linux-modules-",
						      "linux-binary-"};

/* The value of "Field: value" in a control stanza, or NULL. */
static char *control_field(const char *stanza, const char *field)
{
	g_autofree char *pattern = g_strdup_printf("^%s: (.*)$", field);
	g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_MULTILINE, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	return g_regex_match(regex, stanza, 0, &match) ? g_match_info_fetch(match, 1) : NULL;
}

static guint64 control_number(const char *stanza, const char *field)
{
	g_autofree char *value = control_field(stanza, field);

	return value ? g_ascii_strtoull(value, NULL, 10) : 0;
}

/* Ask apt about a package; NULL if it has none of that name that could be downloaded. */
static struct package *package_find(const char *name)
{
	g_autofree char *stanza = NULL;
	g_autofree char *filename = NULL;
	_cleanup_error_ struct error *error = NULL;
	struct package *package;

	error = tool_run(NULL, (const char *const[]){"apt-cache", "show", "--no-all-versions", name, NULL}, &stanza);
	if (error)
		return NULL;
	filename = control_field(stanza, "Filename");
	if (!filename)
		return NULL;
	package = g_new0(struct package, 1);
	package->name = g_strdup(name);
	package->depends = control_field(stanza, "Depends");
	package->download_bytes = control_number(stanza, "Size");
	package->installed_bytes = control_number(stanza, "Installed-Size") * 1024;
	return package;
}

/* The first name in a Depends field that starts with @p prefix, or NULL. */
static char *first_dependency(const char *depends, const char *prefix)
{
	g_auto(GStrv) names = g_regex_split_simple("\\s*[,|]\\s*", depends ? depends : "", 0, 0);

	for (char **name = names; *name; name++) {
		if (g_str_has_prefix(*name, prefix))
			return g_strndup(*name, strcspn(*name, " (:"));
	}
	return NULL;
}

static bool has_file(const char *root, const char *format, const char *release)
{
	g_autofree char *name = g_strdup_printf(format, release);
	g_autofree char *path = g_build_filename(root, name, NULL);

	return g_file_test(path, G_FILE_TEST_EXISTS);
}

/* Is the kernel in the cache with all that was asked for? */
static bool is_complete(const char *kernels, const char *release, bool debuginfo)
{
	g_autofree char *root = g_build_filename(kernels, release, NULL);

	return g_file_test(root, G_FILE_TEST_IS_DIR) &&
	       (!debuginfo || has_file(root, "usr/lib/debug/boot/vmlinux-%s", release));
}

/* All releases apt knows headers of, with an image or not; newest first. */
static struct error *known_releases(GPtrArray **ret)
{
	g_autofree char *output = NULL;
	g_auto(GStrv) names = NULL;
	struct error *error;

	error = tool_run(NULL, (const char *const[]){"apt-cache", "pkgnames", "linux-headers-", NULL}, &output);
	if (error)
		return error_with_hint(error, _("stap-vm fetch needs apt, on Debian or a derivative"));
	names = g_strsplit(output, "\n", -1);
	*ret = g_ptr_array_new_with_free_func(g_free);
	for (char **name = names; *name; name++) {
		if (g_str_has_prefix(*name, "linux-headers-"))
			g_ptr_array_add(*ret, g_strdup(*name + strlen("linux-headers-")));
	}
	g_ptr_array_sort(*ret, release_newest_first);
	return NULL;
}

/* Can the kernel be had in full: an image, headers and, if asked for, debug symbols? */
static bool release_available(const char *release, bool debuginfo)
{
	static const char *const formats[] = {"linux-image-%s", "linux-headers-%s", "linux-image-%s-dbg"};

	for (guint i = 0; i < G_N_ELEMENTS(formats) - !debuginfo; i++) {
		g_autofree char *name = g_strdup_printf(formats[i], release);
		struct package *package = package_find(name);

		if (!package)
			return false;
		package_free(package);
	}
	return true;
}

/* "There is no such kernel": show what could have been meant. */
static struct error *unknown_release(const char *name, GPtrArray *releases)
{
	struct error *error = error_new(ERROR_LOOKUP, _("apt knows no kernel %s"), name);
	g_autoptr(GString) list = g_string_new(NULL);

	for (guint i = 0; i < releases->len; i++) {
		const char *release = releases->pdata[i];

		if (g_ascii_isdigit(*release) && g_str_has_suffix(release, "-amd64") &&
		    g_regex_match_simple("^[0-9.]+\\.[^-]*(-[0-9]+)?-", release, 0, 0))
			g_string_append_printf(list, "\n    %s", release);
	}
	if (!list->len)
		return error_with_hint(error, _("apt has no package lists; run: apt-get update"));
	return error_with_hint(error, _("a short form such as 6.1 or 6.12-rt, or one of:%s"), list->str);
}

/* From what the user typed to a release: a release itself, a short form, or a metapackage's name ("cloud-amd64"). */
static struct error *resolve_release(const char *kernels, const char *name, bool debuginfo, char **release)
{
	g_autoptr(GPtrArray) releases = NULL;
	g_autoptr(GPtrArray) selected = NULL;
	g_autofree char *image = g_strconcat("linux-image-", name, NULL);
	struct package *package;
	struct error *error;

	error = known_releases(&releases);
	if (error)
		return error;
	selected = release_select(name, releases);
	for (guint i = 0; i < selected->len; i++) {
		if (is_complete(kernels, selected->pdata[i], debuginfo) ||
		    release_available(selected->pdata[i], debuginfo)) {
			*release = g_strdup(selected->pdata[i]);
			return NULL;
		}
	}
	package = package_find(image);
	if (package) {
		char *target = first_dependency(package->depends, "linux-image-");

		*release = g_strdup(target ? target + strlen("linux-image-") : name);
		g_free(target);
		package_free(package);
		return NULL;
	}
	return unknown_release(name, releases);
}

static bool is_kernel_package(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(kernel_package_prefixes); i++) {
		if (g_str_has_prefix(name, kernel_package_prefixes[i]))
			return true;
	}
	return false;
}

/* Add a package and those of the kernel's packages that it depends on. */
static struct error *add_package(GPtrArray *packages, const char *name)
{
	g_auto(GStrv) depends = NULL;
	struct package *package;

	for (guint i = 0; i < packages->len; i++) {
		if (!strcmp(((struct package *)packages->pdata[i])->name, name))
			return NULL;
	}
	package = package_find(name);
	if (!package)
		return error_with_hint(error_new(ERROR_LOOKUP, _("apt has no package %s"), name),
				       _("run apt-get update, or try --no-debuginfo for an old kernel"));
	g_ptr_array_add(packages, package);
	depends = g_regex_split_simple("\\s*,\\s*", package->depends ? package->depends : "", 0, 0);
	for (char **depend = depends; *depend; depend++) {
		struct error *error = NULL;

		(*depend)[strcspn(*depend, " (:|")] = '\0';
		if (is_kernel_package(*depend))
			error = add_package(packages, *depend);
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

/* What apt and dpkg say when the network or the disk is at fault, and what to tell the user. */
static const struct {
	const char *text;
	const char *hint;
} known_failures[] = {
	{"No space left on device", N_("the disk is full; choose another folder with SPILE_CACHE")},
	{"enough free space", N_("the disk is full; choose another folder with SPILE_CACHE")},
	{"Temporary failure resolving", N_("the host seems to be offline")},
	{"Could not resolve", N_("the host seems to be offline")},
	{"Could not connect", N_("the host seems to be offline")},
	{"Network is unreachable", N_("the host seems to be offline")},
	{"404", N_("the package lists are out of date; run: apt-get update")},
	{"dpkg-deb", N_("the download was damaged and has been removed; run the command again")},
};

static struct error *explain_failure(struct error *error)
{
	if (error && error->hint)
		return error;
	for (guint i = 0; error && i < G_N_ELEMENTS(known_failures); i++) {
		if (strstr(error->message, known_failures[i].text))
			return error_with_hint(error, "%s", _(known_failures[i].hint));
	}
	return error;
}

/*
 * The package's file in a folder, NULL if it is not there. An interrupted fetch may have left an older version; apt
 * gives a file the time at which it was published.
 */
static char *package_file(const char *package, const char *folder)
{
	g_autofree char *prefix = g_strconcat(package, "_", NULL);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	char *newest = NULL;
	time_t newest_time = 0;
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		GStatBuf status;

		if (!g_str_has_prefix(name, prefix) || !g_str_has_suffix(name, ".deb") || g_stat(path, &status) < 0)
			continue;
		if (newest && status.st_mtime <= newest_time)
			continue;
		g_free(newest);
		newest = g_steal_pointer(&path);
		newest_time = status.st_mtime;
	}
	return newest;
}

struct error *fetch_package(const char *package, const char *folder, const char *root)
{
	/* root downloads as itself: the user _apt cannot write to a private cache folder. */
	const char *const download[] = {"apt-get", "download", "-q", "-o", "APT::Sandbox::User=root", package, NULL};
	g_autofree char *file = NULL;
	struct error *error;

	if (g_mkdir_with_parents(folder, 0755) < 0 || g_mkdir_with_parents(root, 0755) < 0)
		return error_errno(_("cannot make %s"), folder);
	/* apt checks a file that is already there and downloads only what is missing. */
	error = tool_run(folder, download, NULL);
	if (error)
		return explain_failure(error);
	file = package_file(package, folder);
	if (!file)
		return error_new(ERROR_OTHER, _("apt-get download left no file for %s"), package);
	error = tool_run(NULL, (const char *const[]){"dpkg-deb", "-x", file, root, NULL}, NULL);
	if (!error || error->code == ERROR_LOOKUP)
		return error;
	/* A damaged file of the right size is as good as any to apt: the next try shall download it again. */
	g_unlink(file);
	return explain_failure(error);
}

/* "include /usr/src/linux-headers-X/Makefile" becomes relative to the Makefile itself. */
static struct error *relocate_makefile(const char *root, const char *release)
{
	g_autofree char *path = g_strdup_printf("%s/usr/src/linux-headers-%s/Makefile", root, release);
	g_autoptr(GRegex) regex = g_regex_new("^include /usr/src/", G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
	g_autofree char *text = NULL, *changed = NULL;
	struct error *error;
	size_t length;

	error = file_read(path, &text, &length);
	if (error)
		return error;
	changed =
		g_regex_replace_literal(regex, text, -1, 0, "include $(dir $(lastword $(MAKEFILE_LIST)))../", 0, NULL);
	return file_write(path, changed, strlen(changed));
}

/* Absolute links between the packages (older ones have them) become relative: "usr/src/x/scripts" is three deep. */
static struct error *relocate_links(const char *root, const char *release)
{
	g_autofree char *source = g_build_filename(root, "usr/src", NULL);
	g_autoptr(GDir) folder = g_dir_open(source, 0, NULL);
	static const char *const links[] = {"scripts", "tools"};
	const char *name;

	(void)release; /* the common headers have such links too */
	while (folder && (name = g_dir_read_name(folder))) {
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
 * Newer headers bring the kernel's BTF as "vmlinux". kbuild takes it as an order to give modules BTF and fails without
 * pahole; under another name it still serves those who read BTF.
 */
static struct error *set_btf_aside(const char *root, const char *release)
{
	g_autofree char *path = g_strdup_printf("%s/usr/src/linux-headers-%s/vmlinux", root, release);
	g_autofree char *aside = g_strconcat(path, ".btf", NULL);

	if (g_rename(path, aside) < 0 && errno != ENOENT)
		return error_errno("%s", path);
	return NULL;
}

/* modules.dep, which a package's installation script would make; --modules needs it. */
static struct error *index_modules(const char *root, const char *release)
{
	return tool_run(NULL, (const char *const[]){"/sbin/depmod", "-b", root, release, NULL}, NULL);
}

/* Turn the unpacked packages into a kernel that can be used where it lies. */
static struct error *make_usable(const char *root, const char *release)
{
	static struct error *(*const steps[])(const char *root, const char *release) = {
		relocate_makefile,
		relocate_links,
		set_btf_aside,
		index_modules,
	};
	struct error *error = NULL;

	for (guint i = 0; i < G_N_ELEMENTS(steps) && !error; i++)
		error = steps[i](root, release);
	return error;
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
		error = fetch_package(package->name, debs, root);
	}
	return error;
}

/* The packages that @p root lacks: all of them, or the debug symbols of a kernel fetched without. */
static struct error *missing_packages(const char *root, const char *release, bool debuginfo, GPtrArray *packages)
{
	g_autofree char *image = g_strconcat("linux-image-", release, NULL);
	g_autofree char *headers = g_strconcat("linux-headers-", release, NULL);
	g_autofree char *symbols = g_strconcat("linux-image-", release, "-dbg", NULL);
	struct error *error = NULL;

	if (!g_file_test(root, G_FILE_TEST_EXISTS)) {
		error = add_package(packages, image);
		if (!error)
			error = add_package(packages, headers);
	}
	if (!error && debuginfo && !has_file(root, "usr/lib/debug/boot/vmlinux-%s", release))
		error = add_package(packages, symbols);
	return error;
}

/* Put what was unpacked in its place with one rename. */
static struct error *install_root(const char *work, const char *root, const char *release)
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

static struct error *fetch_release(const char *kernels, const char *release, bool debuginfo)
{
	g_autofree char *root = g_build_filename(kernels, release, NULL);
	g_autofree char *work = g_strdup_printf("%s/.%s.fetch", kernels, release);
	g_autoptr(GPtrArray) packages = g_ptr_array_new_with_free_func(package_free);
	_cleanup_close_ int lock = -1;
	struct error *error;

	error = cache_lock(kernels, release, &lock);
	if (!error)
		error = missing_packages(root, release, debuginfo, packages);
	if (error || !packages->len)
		return error;
	error = cache_check_space(kernels, bytes_needed(packages));
	if (error)
		return error;
	fprintf(stderr, _("Fetching %s into %s\n"), release, root);
	error = unpack_packages(packages, work);
	if (!error)
		error = install_root(work, root, release);
	if (!error)
		error = tool_remove(work);
	return error;
}

struct error *fetch_kernel(const char *name, bool debuginfo)
{
	g_autofree char *kernels = NULL;
	g_autofree char *release = NULL;
	struct error *error;

	error = cache_kernels_folder(&kernels);
	if (error)
		return error;
	/* A full release that is already here needs no apt. */
	if (is_complete(kernels, name, debuginfo))
		release = g_strdup(name);
	else
		error = resolve_release(kernels, name, debuginfo, &release);
	if (!error)
		error = fetch_release(kernels, release, debuginfo);
	if (!error)
		printf("%s\n", release);
	return error;
}
