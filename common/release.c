// SPDX-License-Identifier: GPL-2.0-or-later
/* Kernel releases and their short forms; see release.h. */
#include "common/release.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/architecture.h"

bool release_may_be_fetched(const char *name)
{
	static const char *const short_flavours[] = {"", "-cloud", "-rt"};
	size_t version = strspn(name, "0123456789."), dots = 0;

	if (!version)
		return false;
	if (architecture_of_release(name))
		return true;
	for (size_t i = 0; i < version; i++)
		dots += name[i] == '.';
	for (size_t i = 0; i < G_N_ELEMENTS(short_flavours); i++)
		if (dots == 1 && !strcmp(name + version, short_flavours[i]))
			return true;
	return false;
}

char *release_rpm(const char *release, const char *part)
{
	static const char pattern[] =
		"^([0-9][^+]*\\.(?:fc|el|amzn)[0-9][^+]*\\.(?:x86_64|aarch64))(?:\\+([a-z0-9-]+))?$";
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *version = NULL, *flavor = NULL;

	if (!g_regex_match(regex, release, 0, &match))
		return NULL;
	version = g_match_info_fetch(match, 1);
	flavor = g_match_info_fetch(match, 2);
	return g_strdup_printf("kernel%s%s%s-%s", flavor && *flavor ? "-" : "", flavor ?: "", part, version);
}

bool release_is_ubuntu(const char *release)
{
	static const char pattern[] =
		"^[0-9]+\\.[0-9]+\\.0-[0-9]+-(generic|lowlatency|aws|azure|gcp|oracle|kvm|realtime)";

	return g_regex_match_simple(pattern, release, 0, 0) && !architecture_of_release(release);
}

char *release_full_flavour(const char *flavour)
{
	const struct architecture *architecture = flavour ? architecture_of_release(flavour) : NULL;

	if (architecture)
		return g_strdup(strcmp(flavour, architecture->debian) ? flavour : architecture->plain_flavour);
	return g_strdup_printf("%s-%s", flavour ?: "cloud", architecture_of_host()->debian);
}

/* series := number "." number [ "." number ], then the end or '-' */
static bool is_series(const char *name)
{
	static const char pattern[] = "^[0-9]+\\.[0-9]+(\\.[0-9]+)?(-[a-z][a-z0-9-]*)?$";

	return g_regex_match_simple(pattern, name, 0, 0);
}

/* Does a release match a short form? */
static bool release_matches(const char *name, const char *release)
{
	g_autofree char *series = g_strndup(name, strcspn(name, "-"));
	const char *dash = strchr(name, '-');
	const char *given = dash ? dash + 1 : NULL;
	g_autofree char *flavour = release_full_flavour(given);
	g_autofree char *pattern = NULL, *quoted_series = NULL, *quoted_flavour = NULL, *quoted_plain = NULL;

	if (!is_series(name))
		return false;
	quoted_series = g_regex_escape_string(series, -1);
	quoted_flavour = g_regex_escape_string(flavour, -1);
	/* Ubuntu's flavors do not name the architecture, and have another default. */
	quoted_plain = g_regex_escape_string(given ?: "generic", -1);
	/*
	 * Between series and flavor, only the rest of the version and the ABI number may stand, no other flavor's name.
	 */
	pattern = g_strdup_printf("^%s([.+~][^-]*)?(-[0-9]+)?-(%s|%s)$", quoted_series, quoted_flavour, quoted_plain);
	return g_regex_match_simple(pattern, release, 0, 0);
}

int release_compare(const char *a, const char *b)
{
	while (*a || *b) {
		if (g_ascii_isdigit(*a) && g_ascii_isdigit(*b)) {
			char *a_end, *b_end;
			uint64_t x = g_ascii_strtoull(a, &a_end, 10), y = g_ascii_strtoull(b, &b_end, 10);

			if (x != y)
				return x < y ? -1 : 1;
			a = a_end;
			b = b_end;
		} else if (*a != *b) {
			if (*a == '~' || *b == '~')
				return *a == '~' ? -1 : 1;
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		} else {
			a++;
			b++;
		}
	}
	return 0;
}

int release_oldest_first(gconstpointer a, gconstpointer b)
{
	return release_compare(*(const char *const *)a, *(const char *const *)b);
}

int release_newest_first(gconstpointer a, gconstpointer b)
{
	return release_oldest_first(b, a);
}

GPtrArray *release_select(const char *name, const GPtrArray *releases)
{
	GPtrArray *selected = g_ptr_array_new();

	for (guint i = 0; i < releases->len; i++) {
		if (!strcmp(name, releases->pdata[i])) {
			g_ptr_array_set_size(selected, 0);
			g_ptr_array_add(selected, releases->pdata[i]);
			return selected;
		}
		if (release_matches(name, releases->pdata[i]))
			g_ptr_array_add(selected, releases->pdata[i]);
	}
	g_ptr_array_sort(selected, release_newest_first);
	return selected;
}

GPtrArray *release_select_flavour(const char *flavour, const GPtrArray *releases)
{
	g_autofree char *full = release_full_flavour(flavour), *quoted = g_regex_escape_string(full, -1);
	/* The flavor must follow the version or ABI number directly: "amd64" does not match "cloud-amd64". */
	g_autofree char *pattern = g_strdup_printf("^[0-9]+\\.[0-9]+([.+~][^-]*)?(-[0-9]+)?-%s$", quoted);
	GPtrArray *selected = g_ptr_array_new();

	for (guint i = 0; i < releases->len; i++) {
		if (g_regex_match_simple(pattern, releases->pdata[i], 0, 0))
			g_ptr_array_add(selected, releases->pdata[i]);
	}
	g_ptr_array_sort(selected, release_newest_first);
	return selected;
}
