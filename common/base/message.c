// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages without a place; see message.h. */
#include "common/base/message.h"

#include <stdarg.h>
#include <stdio.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/json_schema.h"
#include "common/base/memory.h"
#include "common/base/utf8.h"

static FILE *json_stream; /* NULL: messages are text */

static const struct {
	const char *name, *prefix;
} levels[MESSAGE_LEVEL_COUNT_] = {
	[MESSAGE_ERROR] = {"error", N_("ERROR")},
	[MESSAGE_WARNING] = {"warning", N_("WARNING")},
	[MESSAGE_NOTE] = {"note", N_("note")},
};

void messages_use_json(FILE *to)
{
	json_stream = to;
}

bool messages_are_json(void)
{
	return json_stream;
}

void message_begin_line(struct json_writer *w, enum message_level level, const char *kind, const char *text)
{
	json_begin(w, json_stream, JSON_MESSAGE_TIME);
	json_member_now(w, JSON_MESSAGE_TIME);
	json_member_text(w, JSON_MESSAGE_LEVEL, levels[level].name);
	json_member_optional(w, JSON_MESSAGE_KIND, kind);
	json_member_text(w, JSON_MESSAGE_TEXT, text);
}

static void put_place(struct json_writer *w, const struct message_place *place)
{
	json_member(w, JSON_MESSAGE_PLACE);
	json_object_begin(w);
	json_member_text(w, JSON_PLACE_FILE, place->file);
	json_member_number(w, JSON_PLACE_LINE, place->line);
	json_member_number(w, JSON_PLACE_COLUMN, place->column);
	json_object_end(w);
}

static void print_line(enum message_level level, const char *text, const struct message_place *place, const char *hint,
		       char *const *alternatives)
{
	struct json_writer w;

	message_begin_line(&w, level, NULL, text);
	if (place && place->file)
		put_place(&w, place);
	json_member_optional(&w, JSON_MESSAGE_HINT, hint);
	if (alternatives && *alternatives) {
		json_member(&w, JSON_MESSAGE_ALTERNATIVES);
		json_array_begin(&w);
		for (; *alternatives; alternatives++)
			json_text(&w, *alternatives);
		json_array_end(&w);
	}
	json_line_end(&w);
	fflush(json_stream);
}

void message_print_at(enum message_level level, const char *text, const struct message_place *place, const char *hint)
{
	print_line(level, text, place, hint, NULL);
}

void message_put(FILE *out, const char *text)
{
	_cleanup_free_ char *escaped = utf8_escaped_lines(text);

	fputs(escaped, out);
}

static void print_with_prefix(const char *prefix, const char *text)
{
	fprintf(stderr, "%s: ", prefix);
	message_put(stderr, text);
	fputc('\n', stderr);
}

void message_print(enum message_level level, const char *text, const char *hint, char *const *alternatives)
{
	if (json_stream) {
		print_line(level, text, NULL, hint, alternatives);
		return;
	}
	fflush(stdout);
	print_with_prefix(_(levels[level].prefix), text);
	if (hint)
		print_with_prefix(_("hint"), hint);
}

void message_output(FILE *to, const char *text, size_t length, bool is_of_command)
{
	struct json_writer w;

	json_begin(&w, to, JSON_OUTPUT_TEXT);
	json_member_now(&w, JSON_OUTPUT_TIME);
	json_member(&w, JSON_OUTPUT_TEXT);
	json_string(&w, text, length);
	if (is_of_command)
		json_member_bool(&w, JSON_OUTPUT_COMMAND, true);
	json_line_end(&w);
}

void message_warn(const char *format, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list args;

	va_start(args, format);
	text = text_vformat(format, args);
	va_end(args);
	message_print(MESSAGE_WARNING, text, NULL, NULL);
}
