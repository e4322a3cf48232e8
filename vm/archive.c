// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Suites of Debian's archive, whatever the host runs.
 *
 * apt reads any suite if it is given a list of sources, a state and a cache of its own: these lie in
 * CACHE/kernels/.apt/SUITE, and nothing of the host's changes. The mirror, and how it is reached (proxies, say), are
 * the host's: the former is read from the lists that its apt has, the latter stands in its configuration, which apt
 * reads all the same.
 * SPILE_DEBIAN_MIRROR names another mirror, SPILE_DEBIAN_KEYRING other keys.
 *
 * Lists are believed only if they are signed with a key of the archive: each source names the keyring, and apt refuses
 * what that does not vouch for.
 */
#include "vm/archive.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "translator/util/cleanup.h"
#include "translator/util/files.h"
#include "translator/util/i18n.h"
#include "vm/cache.h"
#include "vm/tool.h"

/* Lists that are older are asked for anew; apt downloads only what has changed. */
#define LISTS_SECONDS (60 * 60)

/*
 * In the order in which kernels are looked for. A suite that adds to another is read together with it. A release that
 * is supported has its newest kernels in a suite for security updates.
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

/* Where keys of the archive are on Debian; newer releases have the second name. */
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
	char *archive, *security; /* NULL: not known */
};

static void mirrors_clear(struct mirrors *mirrors)
{
	g_free(mirrors->archive);
	g_free(mirrors->security);
}

/* The archive's own host has the security updates of all releases; users of sid have no list of those. */
static void guess_security(struct mirrors *mirrors)
{
	g_autoptr(GRegex) own_host = g_regex_new("^([a-z]+://deb\\.debian\\.org/debian)/?$", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	if (mirrors->archive && !mirrors->security && g_regex_match(own_host, mirrors->archive, 0, &match))
		mirrors->security = g_match_info_expand_references(match, "\\1-security", NULL);
}

/* A line of "ORIGIN|SUITE|URI": what the host's apt reads, of which the first of each kind is taken. */
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

static struct error *write_sources(const struct suite *suite, const char *folder)
{
	g_autofree char *path = g_build_filename(folder, "sources.list", NULL), *line = NULL;
	_cleanup_(mirrors_clear) struct mirrors mirrors = {NULL};
	const char *base = suite->base ?: suite->name, *keyring = find_keyring();
	g_autoptr(GString) text = g_string_new(NULL);

	find_mirrors(&mirrors);
	if (!mirrors.archive)
		return error_with_hint(error_new(ERROR_LOOKUP, _("this host's apt knows no mirror of Debian")),
				       _("name one with SPILE_DEBIAN_MIRROR"));
	if (!keyring)
		return error_with_hint(error_new(ERROR_LOOKUP, _("the keys of Debian's archive are not here")),
				       _("apt-get install debian-archive-keyring, or SPILE_DEBIAN_KEYRING=FILE"));
	line = g_strdup_printf("deb [signed-by=%s]", keyring);
	g_string_append_printf(text, "%s %s %s main\n", line, mirrors.archive, base);
	if (suite->base)
		g_string_append_printf(text, "%s %s %s main\n", line, mirrors.archive, suite->name);
	if (suite->has_updates && mirrors.security)
		g_string_append_printf(text, "%s %s %s-security main\n", line, mirrors.security, base);
	return file_write(path, text->str, text->len);
}

/* The host's preferences and lists do not count; its dpkg's status neither, so that what is installed does not. */
static char **own_options(const struct suite *suite, const char *folder)
{
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_autofree char *release = g_strdup_printf("APT::Default-Release=%s", suite->name);
	static const char *const fixed[] = {
		"Dir::Etc::sourceparts=/dev/null",
		"Dir::Etc::preferences=/dev/null",
		"Dir::Etc::preferencesparts=/dev/null",
		"Acquire::Languages=none",
		"APT::Architecture=amd64",
		"APT::Architectures=amd64",
		"APT::Install-Recommends=false",
		"APT::Update::Post-Invoke=",
		/* root works as itself: the user _apt cannot write to a private cache folder. */
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
	for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
		g_autofree char *option = g_strdup_printf("%s=%s/%s", places[i].setting, folder, places[i].file);

		g_strv_builder_add_many(builder, "-o", option, NULL);
	}
	/* A suite that only adds is otherwise second to what it adds to. */
	if (suite->base)
		g_strv_builder_add_many(builder, "-o", release, NULL);
	return g_strv_builder_end(builder);
}

static struct error *make_folders(const char *folder)
{
	static const char *const names[] = {"state/lists/partial", "cache/archives/partial"};
	g_autofree char *status = g_build_filename(folder, "status", NULL);

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_build_filename(folder, names[i], NULL);

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

/* What apt says when a suite cannot be read, and what to tell the user. */
static const struct known_failure known_failures[] = {
	{"NO_PUBKEY", N_("its key is not among those of this host; a newer debian-archive-keyring has it")},
	{"not signed", N_("its signature is missing or bad, so it is not used")},
	{"BADSIG", N_("its signature is missing or bad, so it is not used")},
	{"Could not resolve", N_("the host seems to be offline")},
	{"Temporary failure resolving", N_("the host seems to be offline")},
	{"Could not connect", N_("the host seems to be offline")},
	{"does not have a Release file", N_("the mirror does not have it")},
	{"is expired", N_("its lists are out of date: the mirror stands still, or this host's clock is ahead")},
};

static struct error *explain_update(struct error *error, const char *suite)
{
	error = tool_explain(error, known_failures, G_N_ELEMENTS(known_failures));
	return error_prefix(error, _("the package lists of %s"), suite);
}

static struct error *update(const struct archive *archive, const char *folder)
{
	/* Without it, a source that failed is a warning, and what was read before is used. */
	static const char *const arguments[] = {"-q", "-o", "APT::Update::Error-Mode=any", NULL};
	g_autofree char *stamp = g_build_filename(folder, "updated", NULL);
	struct error *error;

	if (is_fresh(stamp))
		return NULL;
	fprintf(stderr, _("Reading the package lists of Debian's %s\n"), archive->suite);
	error = write_sources(suite_find(archive->suite), folder);
	error = error
			?: explain_update(archive_run(archive, NULL, "apt-get", "update", arguments, NULL),
					  archive->suite);
	return error ?: file_write(stamp, "", 0);
}

/* ---- using it ---------------------------------------------------------------------------------------------------- */

struct archive *archive_of_host(void)
{
	struct archive *archive = g_new0(struct archive, 1);

	archive->options = g_strsplit("-o APT::Sandbox::User=root", " ", -1);
	return archive;
}

struct error *archive_open(const char *kernels, const char *suite, struct archive **ret)
{
	g_autofree char *all = g_build_filename(kernels, ".apt", NULL);
	g_autofree char *folder = g_build_filename(all, suite, NULL);
	_cleanup_archive_ struct archive *archive = g_new0(struct archive, 1);
	_cleanup_close_ int lock = -1;
	struct error *error;

	archive->suite = suite;
	archive->options = own_options(suite_find(suite), folder);
	error = make_folders(folder);
	error = error ?: cache_lock(all, suite, &lock);
	error = error ?: update(archive, folder);
	if (!error)
		*ret = g_steal_pointer(&archive);
	return error;
}

void archive_free(struct archive *archive)
{
	if (!archive)
		return;
	g_strfreev(archive->options);
	g_free(archive);
}

struct error *archive_run(const struct archive *archive, const char *folder, const char *tool, const char *command,
			  const char *const arguments[], char **output)
{
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_auto(GStrv) argv = NULL;

	g_strv_builder_add_many(builder, tool, command, NULL);
	g_strv_builder_addv(builder, (const char **)archive->options);
	g_strv_builder_addv(builder, (const char **)arguments);
	argv = g_strv_builder_end(builder);
	return tool_run(folder, (const char *const *)argv, output);
}
