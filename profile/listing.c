// SPDX-License-Identifier: GPL-2.0-or-later
/* Annotate source text with hits, and write it to a file; see listing.h. */
#include "profile/listing.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/foreign.h"
#include "common/base/i18n.h"
#include "common/files.h"

enum { COUNT_WIDTH = 7 };

static int compare_lines(const void *a, const void *b)
{
	const struct line_hits *left = a, *right = b;

	return (left->line > right->line) - (left->line < right->line);
}

/* Sort by line, and add up the hits of several hosts. */
static void sort_lines(GArray *lines)
{
	guint kept = 0;

	g_array_sort(lines, compare_lines);
	for (guint i = 0; i < lines->len; i++) {
		struct line_hits line = g_array_index(lines, struct line_hits, i);
		struct line_hits *last = kept ? &g_array_index(lines, struct line_hits, kept - 1) : NULL;

		if (last && last->line == line.line)
			last->count += line.count;
		else
			g_array_index(lines, struct line_hits, kept++) = line;
	}
	g_array_set_size(lines, kept);
}

/* Is a line within @p context lines of one with hits? @p next is the first of those that do not precede it. */
static bool is_near(const GArray *lines, guint next, int64_t line, int64_t context)
{
	const struct line_hits *all = (const void *)lines->data;

	return context == ALL_LINES || (next < lines->len && all[next].line - line <= context) ||
	       (next > 0 && line - all[next - 1].line <= context);
}

static void append_line(GString *out, int64_t count, const char *text, size_t length)
{
	if (count)
		g_string_append_printf(out, "%0*lld ", COUNT_WIDTH, (long long)count);
	else if (length)
		g_string_append_printf(out, "%*s", COUNT_WIDTH + 1, "");
	g_string_append_len(out, text, (gssize)length);
	g_string_append_c(out, '\n');
}

GString *listing_new(const struct file_hits *file, const struct source *source, int64_t context, int64_t *beyond)
{
	const char *text = source->text, *end = source->text + source->length;
	GString *out = g_string_new(NULL);
	bool has_gap = false;
	guint next = 0;

	sort_lines(file->lines);
	for (int64_t line = 1; text < end; line++) {
		const struct line_hits *all = (const void *)file->lines->data;
		const char *line_end = memchr(text, '\n', (size_t)(end - text)) ?: end;
		bool has_hits = next < file->lines->len && all[next].line == line;

		if (is_near(file->lines, next, line, context)) {
			if (has_gap && out->len)
				g_string_append(out, "--\n");
			append_line(out, has_hits ? all[next].count : 0, text, (size_t)(line_end - text));
			has_gap = false;
		} else {
			has_gap = true;
		}
		next += has_hits;
		text = line_end + 1;
	}
	*beyond = 0;
	for (guint i = next; i < file->lines->len; i++)
		*beyond += g_array_index(file->lines, struct line_hits, i).count;
	g_array_set_size(file->lines, next);
	return out;
}

/* Make the directory of a program's listings. Refuse one of another user, who could redirect what is written there. */
static struct error *make_own_directory(const char *path)
{
	struct stat status;

	if (!mkdir(path, 0777))
		return NULL;
	if (errno != EEXIST || lstat(path, &status))
		return error_errno(_("cannot make directory %s"), path);
	if (S_ISDIR(status.st_mode) && status.st_uid == geteuid())
		return NULL;
	return error_with_hint(error_new(ERROR_OTHER, _("%s is not a directory of this user"), path),
			       _("run the command in another directory, or print the listings with -p"));
}

struct error *listing_write(const struct program_hits *program, const struct file_hits *file,
			    const struct source *source, const GString *listing, char **ret)
{
	/* Without "..", so that the path of the debuginfo cannot leave the directory. */
	g_autofree char *inside = g_canonicalize_filename(file->path->bytes, "/");
	g_autofree char *top = NULL, *sources = NULL, *path = NULL, *directory = NULL;
	struct build_id build_id;
	struct error *error;
	mode_t mask;

	build_id_parse(program->build_id->bytes, program->build_id->length, &build_id);
	top = g_strconcat("profile-", *build_id.text ? build_id.text : "no-build-id", NULL);
	sources = g_build_filename(top, "source", NULL);
	path = g_build_filename(sources, inside, NULL);
	directory = g_path_get_dirname(path);
	error = make_own_directory(top);
	if (error)
		return error;
	if (g_mkdir_with_parents(directory, 0777))
		return error_errno(_("cannot make directory %s"), directory);
	mask = umask(0);
	umask(mask | (0666 & ~source->mode));
	error = file_write(path, listing->str, listing->len);
	umask(mask);
	if (!error)
		*ret = g_steal_pointer(&sources);
	return error;
}
