// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Read suites of Debian's archive, whatever the host runs.
 *
 * apt reads any suite, and packages of any architecture, if it is given its own list of sources, state and cache. These
 * are in CACHE/kernels/.apt/SUITE, or SUITE-ARCHITECTURE if that is not the host's. The host's are not changed. The
 * mirror is the host's, found in its package lists. So is the way to reach it, such as proxies, because apt reads its
 * usual configuration, too. SPILE_DEBIAN_MIRROR selects another mirror, SPILE_DEBIAN_KEYRING other keys.
 *
 * Lists are trusted only if they are signed with a key of the archive: each source names the keyring, and apt rejects
 * other signatures.
 */
#include "vm/archive.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/files.h"
#include "common/progress.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "vm/cache.h"
#include "vm/tool.h"

/* Lists older than this are updated; apt downloads only changes. */
#define LISTS_SECONDS (60 * 60)

/*
 * Suites in the order in which they are searched for kernels. A suite with a base is read together with it. The newest
 * kernels of a supported release are in its suite for security updates.
 */
static const struct suite {
	const char *name, *base;
	bool has_updates;
} suites[] = {
	{"bookworm", NULL, true},	{"bookworm-backports", "bookworm", true},
	{"trixie", NULL, true},		{"trixie-backports", "trixie", true},
	{"forky", NULL, false},		{"sid", NULL, false},
	{"experimental", "sid", false}, {"bullseye", NULL, true},
};

/* Paths of the archive's keyring on Debian; newer releases use the second name. */
static const char *const keyrings[] = {"/usr/share/keyrings/debian-archive-keyring.gpg",
				       "/usr/share/keyrings/debian-archive-keyring.pgp"};

const char *archive_suite(guint index)
{
	return index < G_N_ELEMENTS(suites) ? suites[index].name : NULL;
}

static const struct suite *suite_find(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(suites); i++) {
		if (!strcmp(suites[i].name, name))
			return &suites[i];
	}
	return NULL;
}

const char *archive_split_name(const char *name, const char **suite)
{
	const char *flavour = NULL;
	size_t longest = 0;

	for (guint i = 0; i < G_N_ELEMENTS(suites); i++) {
		size_t length = strlen(suites[i].name);

		if (length <= longest || !g_str_has_prefix(name, suites[i].name) ||
		    (name[length] && name[length] != '-'))
			continue;
		longest = length;
		*suite = suites[i].name;
		flavour = name[length] ? name + length + 1 : "";
	}
	return flavour;
}

/* ---- the host's mirror ------------------------------------------------------------------------------------------- */

struct mirrors {
	char *archive, *security; /* NULL: unknown */
};

static void mirrors_clear(struct mirrors *mirrors)
{
	g_free(mirrors->archive);
	g_free(mirrors->security);
}

/* Derive the security mirror from deb.debian.org, which has those of all releases. Users of sid have no such list. */
static void guess_security(struct mirrors *mirrors)
{
	g_autoptr(GRegex) own_host = g_regex_new("^([a-z]+://deb\\.debian\\.org/debian)/?$", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	if (mirrors->archive && !mirrors->security && g_regex_match(own_host, mirrors->archive, 0, &match))
		mirrors->security = g_match_info_expand_references(match, "\\1-security", NULL);
}

/* Parse a line "ORIGIN|SUITE|URI" of the sources that the host's apt reads. The first of each kind is used. */
static void note_mirror(struct mirrors *mirrors, const char *line)
{
	g_auto(GStrv) fields = g_strsplit(line, "|", -1);
	char **place;

	if (g_strv_length(fields) != 3 || strcmp(fields[0], "Debian"))
		return;
	place = g_str_has_suffix(fields[1], "-security") ? &mirrors->security : &mirrors->archive;
	if (!*place)
		*place = g_strdup(fields[2]);
}

static void find_mirrors(struct mirrors *mirrors)
{
	const char *const question[] = {
		"apt-get", "indextargets", "--format", "$(ORIGIN)|$(RELEASE)|$(REPO_URI)", "Created-By: Packages",
		NULL};
	const char *own = g_getenv("SPILE_DEBIAN_MIRROR");
	g_autofree char *output = NULL;
	g_auto(GStrv) lines = NULL;

	if (own && *own) {
		mirrors->archive = g_strdup(own);
		return;
	}
	error_free(tool_run(NULL, question, &output));
	lines = g_strsplit(output ?: "", "\n", -1);
	for (char **line = lines; *line; line++)
		note_mirror(mirrors, *line);
	guess_security(mirrors);
}

bool archive_has_mirror(void)
{
	_cleanup_(mirrors_clear) struct mirrors mirrors = {NULL};

	find_mirrors(&mirrors);
	return mirrors.archive;
}

/* ---- a configuration of its own ---------------------------------------------------------------------------------- */

static const char *find_keyring(void)
{
	const char *own = g_getenv("SPILE_DEBIAN_KEYRING");

	if (own && *own)
		return own;
	for (guint i = 0; i < G_N_ELEMENTS(keyrings); i++) {
		if (g_file_test(keyrings[i], G_FILE_TEST_EXISTS))
			return keyrings[i];
	}
	return NULL;
}

static struct error *write_sources(const struct suite *suite, const char *directory)
{
	g_autofree char *path = g_build_filename(directory, "sources.list", NULL), *line = NULL;
	_cleanup_(mirrors_clear) struct mirrors mirrors = {NULL};
	const char *base = suite->base ?: suite->name, *keyring = find_keyring();
	g_autoptr(GString) text = g_string_new(NULL);

	find_mirrors(&mirrors);
	if (!mirrors.archive)
		return error_with_hint(error_new(ERROR_LOOKUP, _("apt on this host has no Debian mirror")),
				       _("set SPILE_DEBIAN_MIRROR"));
	if (!keyring)
		return error_with_hint(
			error_new(ERROR_LOOKUP, _("the keyring of Debian's archive is not installed")),
			_("run 'apt-get install debian-archive-keyring', or set SPILE_DEBIAN_KEYRING=FILE"));
	line = g_strdup_printf("deb [signed-by=%s]", keyring);
	g_string_append_printf(text, "%s %s %s main\n", line, mirrors.archive, base);
	if (suite->base)
		g_string_append_printf(text, "%s %s %s main\n", line, mirrors.archive, suite->name);
	if (suite->has_updates && mirrors.security)
		g_string_append_printf(text, "%s %s %s-security main\n", line, mirrors.security, base);
	return file_write(path, text->str, text->len);
}

/*
 * Return apt options that hide the host's preferences and lists, and the status of its dpkg (its installed packages).
 */
static char **own_options(const struct suite *suite, const struct architecture *architecture, const char *directory)
{
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_autofree char *release = g_strdup_printf("APT::Default-Release=%s", suite->name);
	g_autofree char *native = g_strdup_printf("APT::Architecture=%s", architecture->debian);
	g_autofree char *all = g_strdup_printf("APT::Architectures=%s", architecture->debian);
	static const char *const fixed[] = {
		"Dir::Etc::sourceparts=/dev/null",
		"Dir::Etc::preferences=/dev/null",
		"Dir::Etc::preferencesparts=/dev/null",
		"Acquire::Languages=none",
		"APT::Install-Recommends=false",
		"APT::Update::Post-Invoke=",
		/* Run apt's methods as root: the user _apt cannot write to a private cache directory. */
		"APT::Sandbox::User=root",
	};
	static const struct {
		const char *setting, *file;
	} places[] = {
		{"Dir::State", "state"},
		{"Dir::State::status", "status"},
		{"Dir::Cache", "cache"},
		{"Dir::Etc::sourcelist", "sources.list"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(fixed); i++)
		g_strv_builder_add_many(builder, "-o", fixed[i], NULL);
	g_strv_builder_add_many(builder, "-o", native, "-o", all, NULL);
	for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
		g_autofree char *option = g_strdup_printf("%s=%s/%s", places[i].setting, directory, places[i].file);

		g_strv_builder_add_many(builder, "-o", option, NULL);
	}
	/* Prefer the suite over its base, which apt would prefer otherwise. */
	if (suite->base)
		g_strv_builder_add_many(builder, "-o", release, NULL);
	return g_strv_builder_end(builder);
}

static struct error *make_directories(const char *directory)
{
	static const char *const names[] = {"state/lists/partial", "cache/archives/partial"};
	g_autofree char *status = g_build_filename(directory, "status", NULL);

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_build_filename(directory, names[i], NULL);

		if (g_mkdir_with_parents(path, 0755) < 0)
			return error_errno(_("cannot make %s"), path);
	}
	return file_write(status, "", 0);
}

/* ---- its lists --------------------------------------------------------------------------------------------------- */

static bool is_fresh(const char *stamp)
{
	GStatBuf status;
	time_t now = time(NULL);

	return !g_stat(stamp, &status) && status.st_mtime <= now && now - status.st_mtime < LISTS_SECONDS;
}

/* Messages of apt for unreadable suites, with hints. */
static const struct known_failure known_failures[] = {
	{"NO_PUBKEY", N_("install a newer debian-archive-keyring; this one lacks the key")},
	{"not signed", N_("its signature is missing or bad, so it is not used")},
	{"BADSIG", N_("its signature is missing or bad, so it is not used")},
	{"Could not resolve", N_("the host seems to be offline")},
	{"Temporary failure resolving", N_("the host seems to be offline")},
	{"Could not connect", N_("the host seems to be offline")},
	{"does not have a Release file", N_("the mirror does not have it")},
	{"is expired", N_("the package lists have expired; check the mirror, and the clock of this host")},
};

static struct error *explain_update(struct error *error, const char *suite)
{
	error = tool_explain(error, known_failures, G_N_ELEMENTS(known_failures));
	return error_prefix(error, _("cannot read the package lists of %s"), suite);
}

static struct error *update(const struct archive *archive, const char *directory)
{
	/* Without this, a source that failed is only a warning, and the old lists are used. */
	static const char *const arguments[] = {"-q", "-o", "APT::Update::Error-Mode=any", NULL};
	g_autofree char *stamp = g_build_filename(directory, "updated", NULL);
	_cleanup_progress_ struct progress *step = NULL;
	struct error *error;

	if (is_fresh(stamp))
		return NULL;
	fprintf(stderr, _("Reading the package lists of Debian's %s for %s\n"), archive->suite,
		archive->architecture->debian);
	step = progress_begin(_("downloading the package lists"));
	error = write_sources(suite_find(archive->suite), directory);
	error = error
			?: explain_update(archive_run(archive, NULL, "apt-get", "update", arguments, NULL),
					  archive->suite);
	return error ?: file_write(stamp, "", 0);
}

/* ---- using it ---------------------------------------------------------------------------------------------------- */

struct archive *archive_of_host(void)
{
	struct archive *archive = g_new0(struct archive, 1);

	archive->architecture = architecture_of_host();
	archive->options = g_strsplit("-o APT::Sandbox::User=root", " ", -1);
	return archive;
}

const char *archive_suite_of_host(void)
{
	g_autofree char *codename = g_get_os_info("VERSION_CODENAME");
	const struct suite *suite = codename ? suite_find(codename) : NULL;

	return suite ? suite->name : suites[0].name;
}

struct error *archive_open(const char *kernels, const char *suite, const struct architecture *architecture,
			   struct archive **ret)
{
	bool is_foreign = architecture != architecture_of_host();
	g_autofree char *all = g_build_filename(kernels, ".apt", NULL);
	g_autofree char *name = g_strconcat(suite, is_foreign ? "-" : NULL, architecture->debian, NULL);
	g_autofree char *directory = g_build_filename(all, name, NULL);
	_cleanup_archive_ struct archive *archive = g_new0(struct archive, 1);
	_cleanup_close_ int lock = -1;
	struct error *error;

	archive->suite = suite;
	archive->architecture = architecture;
	archive->options = own_options(suite_find(suite), architecture, directory);
	error = make_directories(directory);
	error = error ?: cache_lock(all, name, &lock);
	error = error ?: update(archive, directory);
	if (!error)
		*ret = g_steal_pointer(&archive);
	return error;
}

void archive_free(struct archive *archive)
{
	if (!archive)
		return;
	g_strfreev(archive->options);
	g_clear_pointer(&archive->kernel_packages, g_hash_table_unref);
	g_free(archive);
}

struct error *archive_run(const struct archive *archive, const char *directory, const char *tool, const char *command,
			  const char *const arguments[], char **output)
{
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_auto(GStrv) argv = NULL;

	g_strv_builder_add_many(builder, tool, command, NULL);
	g_strv_builder_addv(builder, (const char **)archive->options);
	g_strv_builder_addv(builder, (const char **)arguments);
	argv = g_strv_builder_end(builder);
	return tool_run(directory, (const char *const *)argv, output);
}

/* The files of packages in a directory, which apt-get writes under their names. */
struct download {
	const char *directory;
	const char *const *packages;
};

static bool is_of_package(const char *file, const void *packages)
{
	g_autofree char *package = g_strndup(file, strcspn(file, "_"));

	return g_strv_contains(packages, package);
}

static uint64_t downloaded(void *data)
{
	const struct download *download = data;

	return directory_bytes(download->directory, is_of_package, download->packages);
}

struct error *archive_download(const struct archive *archive, const char *directory, const char *const packages[],
			       const char *what, uint64_t bytes)
{
	_cleanup_progress_ struct progress *step = progress_begin(_("downloading %s"), what);
	struct download download = {.directory = directory, .packages = packages};
	g_autoptr(GPtrArray) arguments = g_ptr_array_new();
	struct error *error;

	g_ptr_array_add(arguments, (void *)"-q");
	for (const char *const *package = packages; *package; package++)
		g_ptr_array_add(arguments, (void *)*package);
	g_ptr_array_add(arguments, NULL);
	if (bytes)
		progress_watch(step, bytes, downloaded, &download);
	error = archive_run(archive, directory, "apt-get", "download", (const char *const *)arguments->pdata, NULL);
	/* End the step here: it reads local variables. */
	progress_end(step);
	step = NULL;
	return error;
}

/* ---- names of packages ------------------------------------------------------------------------------------------- */

/* Prefixes of packages that are part of a kernel; other dependencies matter only for installing on a host. */
static const char *const kernel_package_prefixes[] = {"linux-image-",	"linux-headers-", "linux-kbuild-",
						      "linux-modules-", "linux-binary-",  "linux-base-"};

bool archive_is_kernel_package(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(kernel_package_prefixes); i++) {
		size_t length = strlen(kernel_package_prefixes[i]);

		/* linux-base without a release only matters for installing on a host. */
		if (!strncmp(name, kernel_package_prefixes[i], length) && name[length])
			return true;
	}
	return false;
}
