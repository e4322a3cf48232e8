// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The script: what adds to it, removes from it, and replaces it. Each change keeps the text before it for `undo`.
 */
#include "translator/interactive/interactive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/files.h"
#include "common/process.h"
#include "common/user_directories.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "translator/examples.h"
#include "translator/lang/diagnostic.h"

enum { MOST_EARLIER = 100 };

void script_open(struct interactive *it)
{
	g_autofree char *directory = g_get_current_dir();
	g_autofree char *path = g_build_filename(directory, "interactive.stp", NULL);
	g_autofree char *scratch = g_build_filename(directory, "interactive-input.stp", NULL);

	it->document = session_open(it->session, path, "", 0);
	it->scratch = session_open(it->session, scratch, "", 0);
}

const char *script_text(const struct interactive *it)
{
	return document_text(it->document)->bytes->str;
}

GString *script_with(const struct interactive *it, const char *text, size_t *offset)
{
	GString *whole = g_string_new(script_text(it));

	if (whole->len && whole->str[whole->len - 1] != '\n')
		g_string_append_c(whole, '\n');
	*offset = whole->len;
	g_string_append(whole, text);
	return whole;
}

char *script_last_points(const struct interactive *it)
{
	const char *points = NULL;

	for_each_ptr(const struct outline_item *, item, document_outline(it->document))
		if (item->kind == SYMBOL_PROBE)
			points = item->name;
	return g_strdup(points ?: "begin");
}

/* ---- problems ---------------------------------------------------------------------------------------------------- */

/* Print the line of a problem, and mark its place below. */
static void print_place(const struct text *text, const struct problem *problem)
{
	const struct source_file file = {.text = text->bytes->str, .length = text->bytes->len};
	size_t line = text_line(text, problem->range.from);
	const struct location place = {
		.file = &file,
		.line = (int)line + 1,
		.column = (int)(problem->range.from - text_line_begin(text, line)) + 1,
		.length = (int)(problem->range.to - problem->range.from),
	};
	g_autofree char *quote = location_quote(&place);

	fputs(quote, stderr);
}

bool print_problems(struct document *document, size_t from)
{
	bool has_parse_error = false;

	fflush(stdout);
	for_each_ptr(const struct problem *, problem, document_problems(document)) {
		if (problem->range.from < from)
			continue;
		has_parse_error |= !strcmp(problem->code, "parse error");
		/* TRANSLATORS: a kind of error, and its text. */
		fprintf(stderr, _("%s: %s\n"), _(problem->code), problem->text);
		print_place(document_text(document), problem);
	}
	return has_parse_error;
}

/* ---- changes ----------------------------------------------------------------------------------------------------- */

static void set_text(struct interactive *it, const char *text, size_t length)
{
	session_open(it->session, document_path(it->document), text, length);
}

/* Replace the text, and keep the one before it. */
static void change(struct interactive *it, const char *text, size_t length)
{
	g_ptr_array_add(it->earlier, g_strdup(script_text(it)));
	if (it->earlier->len > MOST_EARLIER)
		g_ptr_array_remove_index(it->earlier, 0);
	set_text(it, text, length);
}

static struct error *too_large(void)
{
	return error_new(ERROR_OTHER, _("the script would have more than %d bytes"), MOST_SCRIPT);
}

struct error *script_undo(struct interactive *it, const char *rest)
{
	GPtrArray *earlier = it->earlier;
	const char *text;

	if (!earlier->len)
		return error_new(ERROR_OTHER, _("there is no change to undo"));
	text = earlier->pdata[earlier->len - 1];
	set_text(it, text, strlen(text));
	g_ptr_array_set_size(earlier, (int)earlier->len - 1);
	return NULL;
}

/* Print how many places the points of new probes match. */
static void print_matches(struct interactive *it, size_t from)
{
	for_each_ptr(const struct inlay *, inlay, document_inlays(it->document))
		if (inlay->offset >= from && !inlay->is_type)
			printf("%s\n", inlay->text);
}

struct error *script_add(struct interactive *it, const char *rest)
{
	size_t offset;
	g_autoptr(GString) whole = script_with(it, rest, &offset);

	if (!*rest)
		return error_new(ERROR_OTHER, _("'add' requires a definition: probe, function or global"));
	if (strlen(rest) > MOST_TYPED)
		return error_with_hint(error_new(ERROR_OTHER, _("a definition has more than %d bytes"), MOST_TYPED),
				       _("put it into a file, and enter 'load FILE'"));
	g_string_append_c(whole, '\n');
	if (whole->len > MOST_SCRIPT)
		return too_large();
	change(it, whole->str, whole->len);
	if (!print_problems(it->document, offset)) {
		print_matches(it, offset);
		return NULL;
	}
	script_undo(it, "");
	return error_new(ERROR_OTHER, _("the definition is not added"));
}

struct error *script_replace(struct interactive *it, const char *path, char *text, size_t length)
{
	g_autofree char *owned = text;

	if (length > MOST_SCRIPT)
		return too_large();
	if (memchr(text, '\0', length) || !g_utf8_validate(text, (gssize)length, NULL))
		return error_with_hint(error_new(ERROR_OTHER, _("%s is not a text in UTF-8"), path),
				       _("is this the right file?"));
	change(it, text, length);
	print_problems(it->document, 0);
	return NULL;
}

/* ---- list and delete --------------------------------------------------------------------------------------------- */

struct error *script_list(struct interactive *it, const char *rest)
{
	const char *text = script_text(it);
	const GArray *definitions;
	size_t at = 0;

	if (*rest)
		return run_list(it, rest);
	definitions = document_definitions(it->document);
	/* Each line, with the number of the definition that begins in it. */
	for (guint i = 0; text[at];) {
		size_t length = strcspn(text + at, "\n"), begin = SIZE_MAX;

		if (i < definitions->len)
			begin = g_array_index(definitions, struct range, i).from;
		if (begin < at + length)
			printf("%3u  %.*s\n", i + 1, (int)length, text + at);
		else
			printf("     %.*s\n", (int)length, text + at);
		for (at += length + (text[at + length] == '\n'); begin < at;)
			begin = ++i < definitions->len ? g_array_index(definitions, struct range, i).from : SIZE_MAX;
	}
	return NULL;
}

/* Return the definition of a name, or with a number; or -1. */
static int find_definition(struct interactive *it, const char *name)
{
	const GArray *definitions;
	size_t place = SIZE_MAX;
	guint64 number = 0;

	for_each_ptr(const struct outline_item *, item, document_outline(it->document))
		if (place == SIZE_MAX && !strcmp(item->name, name))
			place = item->name_range.from;
	definitions = document_definitions(it->document);
	if (definitions->len && g_ascii_string_to_unsigned(name, 10, 1, definitions->len, &number, NULL))
		return (int)number - 1;
	for (guint i = 0; i < definitions->len; i++) {
		const struct range *range = &g_array_index(definitions, struct range, i);

		if (range->from <= place && place < range->to)
			return (int)i;
	}
	return -1;
}

/* Remove a range, and its line if nothing else is in that. */
static void remove_range(struct interactive *it, struct range range)
{
	g_autoptr(GString) text = g_string_new(script_text(it));
	size_t from = range.from, to = range.to;

	while (from && strchr(" \t", text->str[from - 1]))
		from--;
	while (text->str[to] && strchr(" \t;", text->str[to]))
		to++;
	if ((!from || text->str[from - 1] == '\n') && text->str[to] == '\n')
		to++;
	g_string_erase(text, (gssize)from, (gssize)(to - from));
	change(it, text->str, text->len);
}

struct error *script_delete(struct interactive *it, const char *rest)
{
	static const char *const kinds[] = {"probe ", "function ", "global "};
	int number;

	if (!strcmp(rest, "all")) {
		change(it, "", 0);
		return NULL;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (g_str_has_prefix(rest, kinds[i]))
			rest += strlen(kinds[i]);
	number = find_definition(it, rest);
	if (number < 0)
		return error_with_hint(error_new(ERROR_LOOKUP, _("the script does not define '%s'"), rest),
				       _("enter 'list' for the numbers of its definitions, or 'delete all'"));
	remove_range(it, g_array_index(document_definitions(it->document), struct range, number));
	print_problems(it->document, 0);
	return NULL;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* Return the path that was typed: without quotes, with the home directory for "~". The caller frees it. */
static struct error *read_path(const char *rest, char **ret)
{
	g_auto(GStrv) words = NULL;
	g_autoptr(GError) failure = NULL;
	int count;

	if (!g_shell_parse_argv(rest, &count, &words, &failure))
		return error_new(ERROR_OTHER, "%s", failure->message);
	if (count != 1)
		return error_with_hint(error_new(ERROR_OTHER, _("expected the name of one file")),
				       _("put a name with spaces in quotes"));
	*ret = typed_path(words[0]);
	return NULL;
}

/* Read a regular file: others have no end, or wait for a writer. */
static struct error *read_script(const char *path, char **text, size_t *length)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;

	if (fd < 0 || fstat(fd, &status))
		return error_errno(_("cannot read %s"), path);
	if (S_ISDIR(status.st_mode)) {
		errno = EISDIR;
		return error_errno(_("cannot read %s"), path);
	}
	if (!S_ISREG(status.st_mode))
		return error_new(ERROR_OTHER, _("%s is not a regular file"), path);
	if (status.st_size > MOST_SCRIPT)
		return too_large();
	return file_read_open(fd, path, text, length);
}

static struct error *load_file(struct interactive *it, const char *path)
{
	char *text;
	size_t length;
	struct error *error = read_script(path, &text, &length);

	return error ?: script_replace(it, path, text, length);
}

struct error *script_load(struct interactive *it, const char *rest)
{
	g_autofree char *path = NULL;
	struct error *error = *rest ? read_path(rest, &path) : error_new(ERROR_OTHER, _("'load' requires a file"));

	error = error ?: load_file(it, path);
	if (error)
		return error;
	g_free(it->path);
	it->path = g_steal_pointer(&path);
	return NULL;
}

struct error *script_save(struct interactive *it, const char *rest)
{
	g_autofree char *path = *rest ? NULL : g_strdup(it->path), *question = NULL;
	struct error *error = *rest ? read_path(rest, &path) : NULL;

	if (!error && !path)
		error = error_new(ERROR_OTHER, _("'save' requires a file, because none was loaded or saved before"));
	if (error)
		return error;
	if (g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_REGULAR))
		return error_new(ERROR_OTHER, _("%s is not a regular file"), path);
	if (g_strcmp0(path, it->path) && g_file_test(path, G_FILE_TEST_EXISTS)) {
		question = g_strdup_printf(_("%s exists and will be replaced."), path);
		if (!input_confirm(it->input, question))
			return error_new(ERROR_OTHER, _("%s is unchanged"), path);
	}
	error = file_write(path, script_text(it), strlen(script_text(it)));
	if (error)
		return error;
	g_free(it->path);
	it->path = g_steal_pointer(&path);
	return NULL;
}

/* ---- edit -------------------------------------------------------------------------------------------------------- */

/* As in SystemTap, ex is the editor if the environment names none. */
static struct error *editor_words(char ***words)
{
	const char *editor = g_getenv("VISUAL") ?: g_getenv("EDITOR") ?: "ex";
	g_autoptr(GError) failure = NULL;

	return g_shell_parse_argv(editor, NULL, words, &failure)
		       ? NULL
		       : error_new(ERROR_OTHER, _("EDITOR is '%s': %s"), editor, failure->message);
}

static struct error *run_editor(const char *path)
{
	g_auto(GStrv) words = NULL;
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	struct error *error = editor_words(&words);
	int status;

	if (error)
		return error;
	for (char **word = words; *word; word++)
		g_ptr_array_add(argv, *word);
	g_ptr_array_add(argv, (void *)path);
	g_ptr_array_add(argv, NULL);
	error = run_foreground((const char *const *)argv->pdata, NULL, &status);
	if (error)
		return error_with_hint(error, _("set the environment variable EDITOR to an editor"));
	return status ? error_new(ERROR_OTHER, _("the editor ended with status %d; the script is unchanged"), status)
		      : NULL;
}

struct error *script_edit(struct interactive *it, const char *rest)
{
	g_autofree char *directory = NULL, *path = NULL;
	struct error *error = directory_make_temporary(&directory);
	char *text;
	size_t length;

	if (error)
		return error;
	path = g_build_filename(directory, "script.stp", NULL);
	error = file_write(path, script_text(it), strlen(script_text(it)));
	error = error ?: run_editor(path);
	error = error ?: read_script(path, &text, &length);
	remove_tree(directory);
	return error ?: script_replace(it, _("the edited script"), text, length);
}

/* ---- examples ---------------------------------------------------------------------------------------------------- */

struct error *script_sample(struct interactive *it, const char *rest)
{
	struct arena *arena = arena_new();
	const char *path;
	struct error *error = *rest ? examples_find(arena, rest, &path) : NULL, *none;

	if (*rest && !error) {
		error = load_file(it, path);
		/* `save` must not change the example. */
		g_clear_pointer(&it->path, g_free);
	} else {
		none = examples_list(arena, *rest ? rest : NULL, false);
		/* The error about the name suggests similar ones. */
		error_free(none ? none : error);
		if (!none)
			error = NULL;
	}
	arena_free(arena);
	return error;
}
