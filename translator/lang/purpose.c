// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The purpose of a script, for --help: the comment at its head, without "#!" and the license. The examples begin with
 * lines "# key: value" (examples.c): of these, only the title and the question are for readers.
 */
#include "translator/lang/purpose.h"

#include <stdbool.h>
#include <string.h>

/* The lines at the head of a script. */
struct head {
	struct arena *arena;
	GPtrArray *lines; /* of const char *: those to show; "" between two comments */
	bool is_bracketed; /* within a comment that ends with a star and a slash */
	bool is_of_example; /* within the lines "# key: value" of an example */
};

/* Is the line part of a comment? Then return its text without the comment's marks; else NULL. */
static const char *comment_text(struct head *head, const char *line)
{
	const char *text = line + strspn(line, " \t"), *end;

	if (!head->is_bracketed && *text != '#' && !g_str_has_prefix(text, "//") && !g_str_has_prefix(text, "/*"))
		return NULL;
	head->is_bracketed |= g_str_has_prefix(text, "/*");
	text += strspn(text, head->is_bracketed ? "/*" : "#/");
	text += *text == ' ';
	end = head->is_bracketed ? strstr(text, "*/") : NULL;
	/* The mark that ends the comment may be what was skipped. */
	head->is_bracketed &= !end && !g_str_has_suffix(line, "*/");
	return end ? arena_strndup(head->arena, text, (size_t)(end - text)) : text;
}

/* Return what to show of a line of a comment, or NULL. */
static const char *shown(struct head *head, const char *text)
{
	static const char *const keys[] = {"title: ", "question: "};

	if (g_str_has_prefix(text, "SPDX-License-Identifier:") || *text == '!')
		return NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
		if (g_str_has_prefix(text, keys[i])) {
			head->is_of_example = true;
			return text + strlen(keys[i]);
		}
	return head->is_of_example ? NULL : text;
}

/* Add a line; of several empty ones only the first, and none at the beginning. */
static void add_line(GPtrArray *lines, const char *line)
{
	if (*line || (lines->len && *(const char *)g_ptr_array_index(lines, lines->len - 1)))
		g_ptr_array_add(lines, (void *)line);
}

GPtrArray *script_purpose(struct arena *arena, const char *text)
{
	struct head head = {.arena = arena, .lines = arena_ptr_array(arena)};

	while (*text) {
		size_t length = strcspn(text, "\n");
		const char *line = arena_strndup(arena, text, length), *comment = comment_text(&head, line);

		text += length + (text[length] == '\n');
		if (!comment && line[strspn(line, " \t\r")])
			break;
		if (!comment)
			head.is_of_example = false;
		comment = comment ? shown(&head, g_strchomp((char *)comment)) : "";
		if (comment)
			add_line(head.lines, comment);
	}
	if (head.lines->len && !*(const char *)g_ptr_array_index(head.lines, head.lines->len - 1))
		g_ptr_array_set_size(head.lines, (int)head.lines->len - 1);
	return head.lines;
}
