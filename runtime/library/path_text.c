// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Paths that are found from the end up to the root, as those of files and control groups. A path is written backward
 * from the end of the string, and finally moved to the front.
 */
#include "runtime/library/path_text.h"

#include "runtime/core/context.h"
#include "runtime/library/task.h"

void path_text_begin(struct path_text *path, char *to)
{
	*path = (struct path_text){.text = to, .start = stp_script.string_size - 1};
	to[path->start] = '\0';
}

void path_text_put(struct path_text *path, const char *text, unsigned int length)
{
	/* If it does not fit, keep the end, which says the most. */
	if (length > path->start) {
		text += length - path->start;
		length = path->start;
		path->full = true;
	}
	path->start -= length;
	memcpy(path->text + path->start, text, length);
}

void path_text_end(struct stp_context *c, struct path_text *path)
{
	if (c->error)
		path->text[0] = '\0';
	else
		memmove(path->text, path->text + path->start, stp_script.string_size - path->start);
}

bool path_text_load(struct stp_context *c, char *to, const char *from, unsigned int size)
{
	unsigned int i;

	for (i = 0; i < size - 1 && load_field(c, &to[i], from + i, 1) && to[i]; i++)
		;
	to[i] = '\0';
	return !c->error;
}
