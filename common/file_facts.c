// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Facts about files as text: a line for each path, pattern and program that was looked up, with the result. Repeating
 * the lookups gives the same lines unless a file was changed, replaced, removed or added.
 *
 * A file is identified by its real path, device, inode, size, and the times of its last changes. Because time stamps
 * have a coarse resolution, a file that was changed just now could change again without a difference. So there are no
 * facts about such files.
 */
#include "common/file_facts.h"

#include <glib.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The minimal age of changes: some file systems have time stamps in units of one or two seconds. */
#define SETTLED_SECONDS 2

struct file_facts {
	GHashTable *lines; /* set of lines, to avoid duplicates */
	GString *text;
	bool given_up;
};

/* The first character of a line. */
enum fact_kind { FACT_FILE = 'f', FACT_GLOB = 'g', FACT_PROGRAM = 'p' };

struct file_facts *file_facts_new(void)
{
	struct file_facts *facts = g_new0(struct file_facts, 1);

	facts->lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	facts->text = g_string_new(NULL);
	return facts;
}

void file_facts_free(struct file_facts *facts)
{
	if (!facts)
		return;
	g_hash_table_unref(facts->lines);
	g_string_free(facts->text, TRUE);
	g_free(facts);
}

/* ---- looking ----------------------------------------------------------------------------------------------------- */

static bool is_settled(const struct timespec *changed, time_t now)
{
	return changed->tv_sec < now - SETTLED_SECONDS;
}

/* Describe the state of a file. @settled becomes false if it was changed just now. */
static char *describe_file(const char *path, bool *settled)
{
	char *real = realpath(path, NULL), *text;
	time_t now = time(NULL);
	struct stat status;

	if (!real || stat(real, &status)) {
		free(real);
		return g_strdup("-");
	}
	*settled &= is_settled(&status.st_mtim, now) && is_settled(&status.st_ctim, now);
	text = g_strdup_printf("%s %lx %lx %llx %lld.%09ld %lld.%09ld", real, (unsigned long)status.st_dev,
			       (unsigned long)status.st_ino, (unsigned long long)status.st_size,
			       (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
			       (long long)status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
	free(real);
	return text;
}

static char *describe_glob(const char *pattern, bool *settled)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	glob_t found = {0};

	if (!glob(pattern, GLOB_BRACE, NULL, &found))
		for (size_t i = 0; i < found.gl_pathc; i++) {
			g_autofree char *file = describe_file(found.gl_pathv[i], settled);

			g_checksum_update(sum, (const guchar *)found.gl_pathv[i], strlen(found.gl_pathv[i]) + 1);
			g_checksum_update(sum, (const guchar *)file, strlen(file) + 1);
		}
	globfree(&found);
	return g_strdup(g_checksum_get_string(sum));
}

static char *describe_program(const char *name, bool *settled)
{
	g_autofree char *path = g_find_program_in_path(name);

	return path ? describe_file(path, settled) : g_strdup("-");
}

/* Return the result part of a line. NULL: unknown kind. */
static char *describe(char kind, const char *what, bool *settled)
{
	switch (kind) {
	case FACT_FILE:
		return describe_file(what, settled);
	case FACT_GLOB:
		return describe_glob(what, settled);
	case FACT_PROGRAM:
		return describe_program(what, settled);
	default:
		return NULL;
	}
}

/* ---- noting ------------------------------------------------------------------------------------------------------ */

static void note(struct file_facts *facts, enum fact_kind kind, const char *what)
{
	g_autofree char *key = g_strdup_printf("%c%s", kind, what), *found = NULL;
	bool settled = true;

	if (!facts || facts->given_up || g_hash_table_contains(facts->lines, key))
		return;
	found = describe((char)kind, what, &settled);
	if (!settled || strpbrk(what, "\t\n") || strpbrk(found, "\t\n")) {
		facts->given_up = true;
		return;
	}
	g_string_append_printf(facts->text, "%s\t%s\n", key, found);
	g_hash_table_add(facts->lines, g_steal_pointer(&key));
}

void file_facts_note(struct file_facts *facts, const char *path)
{
	note(facts, FACT_FILE, path);
}

void file_facts_note_glob(struct file_facts *facts, const char *pattern)
{
	note(facts, FACT_GLOB, pattern);
}

void file_facts_note_program(struct file_facts *facts, const char *name)
{
	note(facts, FACT_PROGRAM, name);
}

void file_facts_give_up(struct file_facts *facts)
{
	if (facts)
		facts->given_up = true;
}

const char *file_facts_text(const struct file_facts *facts)
{
	return facts && !facts->given_up ? facts->text->str : NULL;
}

static bool holds(char *line)
{
	char *found = strchr(line, '\t');
	g_autofree char *now = NULL;
	bool settled = true;

	if (!found)
		return false;
	*found++ = '\0';
	now = describe(line[0], line + 1, &settled);
	return now && !strcmp(now, found);
}

bool file_facts_hold(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++)
		if (**line && !holds(*line))
			return false;
	return true;
}
