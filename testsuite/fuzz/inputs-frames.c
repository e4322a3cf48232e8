// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines for the filter of stap that completes frames. Whatever a line is, it stays as it is, or becomes JSON with the
 * same elements, in which only frames have changed.
 */
#include <string.h>

#include "common/json_reader.h"
#include "testsuite/fuzz/damage.h"
#include "testsuite/fuzz/inputs.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/frames/lines.h"

#define CHOSEN(random, array) ((array)[fuzz_below(random, 0, G_N_ELEMENTS(array))])

/* ---- making ------------------------------------------------------------------------------------------------------ */

static void append_frame(GRand *random, GString *line)
{
	static const char *const members[] = {
		"\"name\":\"vfs_read\"",
		"\"name\":\"asm_exc_nmi\"",
		"\"name\":{\"base64\":\"/w==\"}",
		"\"name\":\"a\\u0000\\\"\"",
		"\"offset\":5",
		"\"offset\":-1",
		"\"kind\":\"kernel\"",
		"\"kind\":\"module\"",
		"\"kind\":\"program\"",
		"\"kind\":\"unknown\"",
		"\"object\":\"/bin/x\"",
		"\"object\":\"m\"",
		"\"inlined\":true",
		"\"file\":\"a\\\\.c\"",
		"\"line\":7",
		"\"address\":\"0xffffffff81000000\"",
		"\"address\":\"0x\"",
		"\"build_id\":\"0123456789\"",
		"\"link_address\":\"0x1234\"",
		"\"link_address\":5",
		"\"more\":[{},[],null,1.5e3]",
	};

	g_string_append_c(line, '{');
	for (guint i = 0, count = fuzz_below(random, 0, 7); i < count; i++)
		g_string_append_printf(line, "%s%s", i ? "," : "", CHOSEN(random, members));
	g_string_append_c(line, '}');
}

static void append_key(GRand *random, GString *line)
{
	static const char *const others[] = {"7", "\"text\"", "null", "{\"base64\":\"/w==\"}", "[[]]", "[7]"};

	if (!fuzz_below(random, 0, 4)) {
		g_string_append(line, CHOSEN(random, others));
		return;
	}
	g_string_append_c(line, '[');
	for (guint i = 0, count = fuzz_below(random, 0, 5); i < count; i++) {
		g_string_append(line, i ? "," : "");
		append_frame(random, line);
	}
	g_string_append_c(line, ']');
}

static void append_line(GRand *random, GString *line)
{
	static const char *const types[] = {"\"stack\"", "\"string\"", "7"};
	static const char *const innermost[] = {"instruction", "call", "other"};
	guint keys = fuzz_below(random, 1, 4);

	g_string_append(line, "{\"type\":\"global\",");
	if (fuzz_below(random, 0, 2))
		g_string_append_printf(line, "\"remote\":%d,", (int)fuzz_below(random, 0, 4) - 1);
	g_string_append(line, "\"keys\":[");
	for (guint i = 0; i < keys; i++)
		g_string_append_printf(line, "%s%s", i ? "," : "", CHOSEN(random, types));
	g_string_append_printf(line, "],\"stacks\":[{\"key\":%d,\"innermost\":\"%s\"}],\"elements\":[",
			       (int)fuzz_below(random, 0, 40) - 2, CHOSEN(random, innermost));
	for (guint i = 0, count = fuzz_below(random, 0, 5); i < count; i++) {
		g_string_append(line, i ? ",[[" : "[[");
		for (guint j = 0; j < keys; j++) {
			g_string_append(line, j ? "," : "");
			append_key(random, line);
		}
		g_string_append(line, "],1]");
	}
	g_string_append(line, "],\"complete\":true}\n");
}

static void make_frames(GRand *random, GByteArray *out)
{
	g_autoptr(GString) line = g_string_new(NULL);

	for (guint i = fuzz_below(random, 1, 4); i--;)
		append_line(random, line);
	fuzz_append(out, line->str, line->len);
}

/* ---- feeding ----------------------------------------------------------------------------------------------------- */

static void learn(void *data, unsigned int host, const struct stack_frame *frame)
{
}

/* Find something that depends only on the frame. */
static bool find(void *data, unsigned int host, const struct stack_frame *frame, enum frame_position position,
		 GArray *ret)
{
	static const struct code_place inlined = {.name = "in \"line\"\x01", .file = "\xff.h", .line = 3};
	static const struct code_place nameless = {.file = "x.h", .line = 3};
	static const struct code_place real = {.name = "real", .entry = 0x1000, .file = "r.c", .line = 9};
	static const struct code_place unknown = {0};

	if (frame->is_inlined)
		fuzz_wrong("an inlined frame is looked up");
	if (!frame->has_offset && !frame->has_address && !frame->has_link_address)
		return position != FRAME_AT_OR_AFTER;
	if (frame->has_address)
		g_array_append_val(ret, inlined);
	if (frame->build_id)
		g_array_append_val(ret, nameless);
	if (host & 1)
		g_array_append_val(ret, unknown);
	else
		g_array_append_val(ret, real);
	return true;
}

/* Append the text of a line without its stacks. Return whether it is sound. */
static bool strip(const char *text, gsize length, GString *ret)
{
	struct json_reader json;
	bool is_sound;

	json_reader_init(&json, text, length);
	if (json_peek(&json) == '{')
		json_skip(&json);
	json_finish(&json);
	is_sound = !json.mistake && length;
	json_reader_clear(&json);
	/* Frames are the only objects with these members; what is outside of all objects inside of the line stays. */
	for (gsize i = 0, depth = 0, in_string = 0; i < length && is_sound; i++) {
		if (text[i] == '\\' && in_string)
			i++;
		else if (text[i] == '"')
			in_string = !in_string;
		else if (text[i] == '{' && !in_string)
			depth++;
		else if (text[i] == '}' && !in_string)
			depth--;
		else if (depth == 1 && !in_string && text[i] != ',')
			g_string_append_c(ret, text[i]);
	}
	return is_sound;
}

static void feed_line(struct frame_lines *lines, const char *text, gsize length)
{
	g_autoptr(GString) out = g_string_new(NULL), again = g_string_new(NULL);
	g_autoptr(GString) before = g_string_new(NULL), after = g_string_new(NULL);
	bool is_final;

	frame_line_is_of_stacks(text, length, &is_final);
	if (!frame_lines_complete(lines, text, length, out))
		return;
	if (!strip(text, length, before))
		fuzz_wrong("a damaged line is completed");
	if (!strip(out->str, out->len, after))
		fuzz_wrong("a line is no JSON");
	if (!g_string_equal(before, after))
		fuzz_wrong("more than frames has changed");
	if (!frame_lines_complete(lines, text, length, again) || !g_string_equal(out, again))
		fuzz_wrong("the cache gives another answer");
}

static void feed_frames(GRand *random, const guint8 *bytes, gsize size)
{
	const struct frame_source source = {.learn = learn, .find = find};
	struct frame_lines *lines = frame_lines_new(&source);
	const char *at = (const char *)bytes, *end = at + size;

	while (at < end) {
		const char *newline = memchr(at, '\n', end - at);
		const char *stop = newline ? newline + 1 : end;

		feed_line(lines, at, stop - at);
		at = stop;
	}
	frame_lines_free(lines);
}

const struct input_kind input_frames = {"frames", make_frames, feed_frames};
