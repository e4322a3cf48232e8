// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel packages of an archive, as apt describes them.
 *
 * Each call of apt-cache takes most of a second, because it reads or even builds its index of all packages, and a fetch
 * asks for some twenty packages. So the names and the descriptions of all packages of kernels (some hundreds) are read
 * with one call each, at the first question.
 */
#include "vm/kernel_packages.h"

#include <stdbool.h>
#include <string.h>

#include "common/base/cleanup.h"

static void package_free(void *data)
{
	struct package *package = data;

	g_free(package->name);
	g_free(package->depends);
	g_free(package);
}

/* Return the value of "Field: value" in a control stanza, or NULL. */
static char *control_field(const char *stanza, const char *field)
{
	g_autofree char *pattern = g_strdup_printf("^%s: (.*)$", field);
	g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_MULTILINE, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	return g_regex_match(regex, stanza, 0, &match) ? g_match_info_fetch(match, 1) : NULL;
}

static uint64_t control_number(const char *stanza, const char *field)
{
	g_autofree char *value = control_field(stanza, field);

	return value ? g_ascii_strtoull(value, NULL, 10) : 0;
}

/* Add the package of a stanza, unless it cannot be downloaded. */
static void add_stanza(const struct archive *archive, GHashTable *packages, const char *stanza)
{
	g_autofree char *filename = control_field(stanza, "Filename");
	g_autofree char *name = control_field(stanza, "Package");
	struct package *package;

	if (!filename || !name || g_hash_table_contains(packages, name))
		return;
	package = g_new0(struct package, 1);
	package->archive = archive;
	package->name = g_steal_pointer(&name);
	package->depends = control_field(stanza, "Depends");
	package->download_bytes = control_number(stanza, "Size");
	package->installed_bytes = control_number(stanza, "Installed-Size") * 1024;
	g_hash_table_insert(packages, package->name, package);
}

/* Return the names of the archive's packages that are part of a kernel. */
static struct error *list_names(const struct archive *archive, GPtrArray *names)
{
	g_autofree char *output = NULL;
	g_auto(GStrv) all = NULL;
	struct error *error;

	error = archive_run(archive, NULL, "apt-cache", "pkgnames", (const char *const[]){"linux-", NULL}, &output);
	if (error)
		return error;
	all = g_strsplit(output, "\n", -1);
	for (char **name = all; *name; name++) {
		if (archive_is_kernel_package(*name))
			g_ptr_array_add(names, g_strdup(*name));
	}
	return NULL;
}

struct error *kernel_packages_read(struct archive *archive, GHashTable **ret)
{
	g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) packages = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, package_free);
	g_autofree char *output = NULL;
	g_auto(GStrv) stanzas = NULL;
	struct error *error;

	*ret = archive->kernel_packages;
	if (*ret)
		return NULL;
	g_ptr_array_add(arguments, g_strdup("--no-all-versions"));
	error = list_names(archive, arguments);
	if (error)
		return error;
	if (arguments->len > 1) {
		g_ptr_array_add(arguments, NULL);
		error = archive_run(archive, NULL, "apt-cache", "show", (const char *const *)arguments->pdata, &output);
		if (error)
			return error;
	}
	stanzas = g_strsplit(output ?: "", "\n\n", -1);
	for (char **stanza = stanzas; *stanza; stanza++)
		add_stanza(archive, packages, *stanza);
	*ret = archive->kernel_packages = g_steal_pointer(&packages);
	return NULL;
}

const struct package *kernel_packages_find(struct archive *archive, const char *name)
{
	GHashTable *packages;
	_cleanup_error_ struct error *error = kernel_packages_read(archive, &packages);

	return error ? NULL : g_hash_table_lookup(packages, name);
}

char *package_first_dependency(const struct package *package, const char *prefix)
{
	g_auto(GStrv) names = g_regex_split_simple("\\s*[,|]\\s*", package->depends ?: "", 0, 0);

	for (char **name = names; *name; name++) {
		if (g_str_has_prefix(*name, prefix))
			return g_strndup(*name, strcspn(*name, " (:"));
	}
	return NULL;
}
