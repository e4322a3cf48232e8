// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files of trusted fingerprints, with a name and a fingerprint per line; people can edit them, and "#" begins a
 * comment. On a client, the names are those of servers with their ports. On a server, the administrator chooses the
 * clients' names.
 */
#include "server/trust.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "common/files.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"

/* Split a line into two words. Return false if it has fewer. */
static bool take_apart(const char *line, char **name, char **fingerprint)
{
	g_auto(GStrv) words = NULL;
	char **word = words = g_strsplit_set(line, " \t", -1);

	*name = *fingerprint = NULL;
	for (; *word && **word != '#' && !*fingerprint; word++) {
		if (**word && !*name)
			*name = g_strdup(*word);
		else if (**word)
			*fingerprint = g_strdup(*word);
	}
	if (*fingerprint)
		return true;
	g_clear_pointer(name, g_free);
	return false;
}

static char **read_lines(const char *path)
{
	g_autofree char *text = NULL;
	size_t length;
	struct error *error = file_read(path, &text, &length);

	if (error)
		g_clear_pointer(&text, g_free);
	error_free(error);
	return g_strsplit(text ?: "", "\n", -1);
}

char *trust_find(const char *path, const char *name)
{
	g_auto(GStrv) lines = read_lines(path);

	for (char **line = lines; *line; line++) {
		g_autofree char *there = NULL, *fingerprint = NULL;

		if (take_apart(*line, &there, &fingerprint) && !strcmp(there, name))
			return g_steal_pointer(&fingerprint);
	}
	return NULL;
}

bool trust_text_has(const char *text, const char *fingerprint)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++) {
		g_autofree char *name = NULL, *there = NULL;

		if (take_apart(*line, &name, &there) && !strcmp(there, fingerprint))
			return true;
	}
	return false;
}

struct error *trust_set(const char *path, const char *name, const char *fingerprint)
{
	g_auto(GStrv) lines = read_lines(path);
	g_autofree char *directory = g_path_get_dirname(path);
	g_autoptr(GString) text = g_string_new(NULL);

	for (char **line = lines; *line; line++) {
		g_autofree char *there = NULL, *other = NULL;

		if (**line && (!take_apart(*line, &there, &other) || strcmp(there, name)))
			g_string_append_printf(text, "%s\n", *line);
	}
	if (fingerprint)
		g_string_append_printf(text, "%s %s\n", name, fingerprint);
	if (g_mkdir_with_parents(directory, 0755))
		return error_errno(_("cannot make %s"), directory);
	return file_write(path, text->str, text->len);
}
