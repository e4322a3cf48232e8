// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Completing the frames of stacks in a line "global" of stap-json(5).
 *
 * A snapshot may have a million frames, but only some thousand different ones. So the text of a frame is the key of a
 * cache, and everything else in the line is copied as it is. Only a frame that was not seen before is parsed. It
 * becomes several frames if functions are inlined at its address.
 */
#include "translator/frames/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/json_schema.h"
#include "common/json_reader.h"
#include "translator/debuginfo/debuginfo.h"

enum {
	HEAD_SIZE = 8192, /* where a line has all members before its elements, unless it has very long texts */
	MOST_ENTRIES = 1 << 18, /* of the cache, which is then emptied */
	MOST_KEYS = 32,
};

/* How stap-json begins the lines of globals. */
static const char line_start[] = "{\"type\":\"global\",";

/* A frame that was seen, and what it becomes. */
struct entry {
	const char *text; /* JSON; owned unless this is only the key of a search */
	size_t length;
	unsigned int host;
	struct stack_frame frame;
	bool is_kernel, has_side; /* `has_side`: `is_kernel` is known */
	bool interrupts; /* the next frame was interrupted, not called from */
	struct {
		bool is_known;
		char *text; /* the frames; NULL: unchanged */
	} answers[FRAME_POSITION_COUNT_];
};

struct piece {
	const char *start, *end; /* of the frame in the line */
	struct entry *entry;
	enum frame_position position;
};

struct frame_lines {
	const struct frame_source *source;
	GHashTable *entries; /* struct entry -> itself */
	GArray *pieces; /* struct piece: of the current line */
	GPtrArray *fresh; /* struct entry: those that the current line has added */
	/* of the current line */
	unsigned int host;
	guint32 stacks; /* the keys that are stacks, as bits */
	enum frame_position innermost[MOST_KEYS]; /* of the kernel's frames in a key */
};

/* ---- frames ------------------------------------------------------------------------------------------------------ */

/* Read a text; NULL if it is not UTF-8 or contains a NUL byte. */
static char *read_text(struct json_reader *json)
{
	struct json_bytes text;

	if (json_peek(json) != '"') {
		json_skip(json);
		return NULL;
	}
	text = json_read_string(json);
	return memchr(text.bytes, 0, text.length) ? NULL : g_strndup(text.bytes, text.length);
}

static void set_text(struct json_reader *json, char **to)
{
	g_free(*to);
	*to = read_text(json);
}

static bool read_address(struct json_reader *json, uint64_t *ret)
{
	g_autofree char *text = read_text(json);

	return text && g_str_has_prefix(text, "0x") &&
	       g_ascii_string_to_unsigned(text + 2, 16, 0, G_MAXUINT64, ret, NULL);
}

static void read_member(struct json_reader *json, const struct json_bytes *name, struct stack_frame *frame)
{
	if (json_bytes_are(name, "name")) {
		set_text(json, &frame->name);
		frame->has_name = true;
	} else if (json_bytes_are(name, "kind")) {
		set_text(json, &frame->kind);
	} else if (json_bytes_are(name, "object")) {
		set_text(json, &frame->object);
	} else if (json_bytes_are(name, "build_id")) {
		set_text(json, &frame->build_id);
	} else if (json_bytes_are(name, "offset")) {
		frame->offset = (uint64_t)json_read_integer(json);
		frame->has_offset = true;
	} else if (json_bytes_are(name, "address")) {
		frame->has_address = read_address(json, &frame->address);
	} else if (json_bytes_are(name, "link_address")) {
		frame->has_link_address = read_address(json, &frame->link_address);
	} else if (json_bytes_are(name, "inlined")) {
		frame->is_inlined = json_read_boolean(json);
	} else {
		json_skip(json);
	}
}

static void clear_frame(struct stack_frame *frame)
{
	g_free(frame->name);
	g_free(frame->kind);
	g_free(frame->object);
	g_free(frame->build_id);
}

/* The frame outside of these was interrupted, so its address is not that after a call. */
static bool interrupts(const struct stack_frame *frame, bool is_kernel)
{
	static const char *const in_kernel[] = {"asm_exc_",	  "asm_sysvec_",     "asm_common_interrupt",
						"asm_spurious_",  "asm_fred_",	     "ret_from_intr",
						"end_repeat_nmi", "common_interrupt"};
	static const char *const in_programs[] = {"__restore", "__kernel_rt_sigreturn", "__kernel_sigreturn",
						  "runtime.sigreturn"};
	const char *const *prefixes = is_kernel ? in_kernel : in_programs;
	size_t count = is_kernel ? G_N_ELEMENTS(in_kernel) : G_N_ELEMENTS(in_programs);

	for (size_t i = 0; i < count && frame->name; i++)
		if (g_str_has_prefix(frame->name, prefixes[i]))
			return true;
	return false;
}

static void classify(struct entry *entry)
{
	const struct stack_frame *frame = &entry->frame;
	bool is_known = frame->kind && strcmp(frame->kind, "unknown") != 0;

	entry->has_side = is_known || frame->has_address;
	entry->is_kernel = is_known ? !strcmp(frame->kind, "kernel") || !strcmp(frame->kind, "module")
				    : (int64_t)frame->address < 0;
	entry->interrupts = interrupts(frame, entry->is_kernel);
}

/* ---- the cache --------------------------------------------------------------------------------------------------- */

static guint hash_entry(gconstpointer data)
{
	const struct entry *entry = data;
	guint64 hash = 0xcbf29ce484222325u + entry->host;

	for (size_t i = 0; i < entry->length; i++)
		hash = (hash ^ (guchar)entry->text[i]) * 0x100000001b3u;
	return (guint)(hash ^ hash >> 32);
}

static gboolean entries_are_equal(gconstpointer a, gconstpointer b)
{
	const struct entry *x = a, *y = b;

	return x->length == y->length && x->host == y->host && !memcmp(x->text, y->text, x->length);
}

static void free_entry(gpointer data)
{
	struct entry *entry = data;

	for (size_t i = 0; i < FRAME_POSITION_COUNT_; i++)
		free(entry->answers[i].text);
	clear_frame(&entry->frame);
	g_free((char *)entry->text);
	g_free(entry);
}

static struct entry *new_entry(struct frame_lines *lines, const struct entry *key)
{
	struct entry *entry = g_new0(struct entry, 1);
	struct json_reader json;
	struct json_bytes name;

	entry->text = g_strndup(key->text, key->length);
	entry->length = key->length;
	entry->host = key->host;
	json_reader_init(&json, entry->text, entry->length);
	if (json_peek(&json) == '{')
		while (json_next_member(&json, &name))
			read_member(&json, &name, &entry->frame);
	json_finish(&json);
	/* The caller has checked the syntax, but not the types. Leave frames in another form unchanged. */
	for (size_t i = 0; i < FRAME_POSITION_COUNT_ && (json.mistake || entry->frame.is_inlined); i++)
		entry->answers[i].is_known = true;
	json_reader_clear(&json);
	classify(entry);
	g_hash_table_add(lines->entries, entry);
	g_ptr_array_add(lines->fresh, entry);
	return entry;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void put_text_member(FILE *to, const char *name, const char *text)
{
	fprintf(to, "\"%s\":", name);
	json_put_string(to, text, strlen(text), JSON_BASE64);
	fputc(',', to);
}

static void put_place(FILE *to, const struct code_place *place)
{
	if (!place->file || place->line <= 0)
		return;
	put_text_member(to, "file", place->file);
	fprintf(to, "\"line\":%d,", place->line);
}

static void put_inlined(FILE *to, const struct stack_frame *frame, const struct code_place *place)
{
	fputc('{', to);
	put_text_member(to, "name", place->name);
	put_text_member(to, "kind", frame->kind);
	if (frame->object)
		put_text_member(to, "object", frame->object);
	fputs("\"inlined\":true,", to);
	put_place(to, place);
	fseek(to, -1, SEEK_CUR);
	fputs("},", to);
}

/* Changes that put_real() makes to a frame. */
struct change {
	const struct code_place *place;
	bool has_name, has_place;
	bool is_done; /* the place is written */
};

/* Is a member of the frame replaced by one of the change? */
static bool is_replaced(const struct change *change, const struct json_bytes *name)
{
	return (change->has_name && json_bytes_are(name, "offset")) ||
	       (change->has_place && (json_bytes_are(name, "file") || json_bytes_are(name, "line")));
}

/* Is it one of the members that stand after the place? */
static bool follows_place(const struct json_bytes *name)
{
	return json_bytes_are(name, "address") || json_bytes_are(name, "build_id") ||
	       json_bytes_are(name, "link_address");
}

static void put_change(FILE *to, struct change *change)
{
	if (change->has_place && !change->is_done)
		put_place(to, change->place);
	change->is_done = true;
}

/* Copy a member of the frame, with a comma, unless it is replaced. */
static void put_member(FILE *to, struct json_reader *json, const struct json_bytes *name, struct change *change)
{
	bool is_left_out = is_replaced(change, name);
	const char *start;

	if (follows_place(name))
		put_change(to, change);
	if (!is_left_out) {
		json_put_string(to, name->bytes, name->length, JSON_BASE64);
		fputc(':', to);
	}
	json_peek(json);
	start = json->at;
	json_skip(json);
	if (is_left_out)
		return;
	fwrite(start, 1, json->at - start, to);
	fputc(',', to);
}

/* Copy the frame with another place. A frame without a name gets that of the real function. */
static void put_real(FILE *to, const struct entry *entry, const struct code_place *place)
{
	const struct stack_frame *frame = &entry->frame;
	struct change change = {
		.place = place,
		.has_name = !frame->has_name && place->name && place->entry && frame->has_link_address &&
			    place->entry <= frame->link_address,
		.has_place = place->file && place->line > 0,
	};
	struct json_reader json;
	struct json_bytes name;

	fputc('{', to);
	if (change.has_name) {
		put_text_member(to, "name", place->name);
		fprintf(to, "\"offset\":%" G_GUINT64_FORMAT ",", frame->link_address - place->entry);
	}
	json_reader_init(&json, entry->text, entry->length);
	while (json_next_member(&json, &name))
		put_member(to, &json, &name, &change);
	json_reader_clear(&json);
	put_change(to, &change);
	/* The last comma. A frame has at least one member. */
	fseek(to, -1, SEEK_CUR);
	fputc('}', to);
}

/* Return the frames that take the place of one; free() the text. */
static char *frames_of(const struct entry *entry, const GArray *places)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	for (guint i = 0; i + 1 < places->len; i++) {
		const struct code_place *place = &g_array_index(places, struct code_place, i);

		if (place->name && entry->frame.kind)
			put_inlined(to, &entry->frame, place);
	}
	put_real(to, entry, &g_array_index(places, struct code_place, places->len - 1));
	fclose(to);
	return text;
}

/* Return what a frame becomes; NULL: it stays as it is. */
static const char *answer(struct frame_lines *lines, struct entry *entry, enum frame_position position)
{
	g_autoptr(GArray) places = NULL;

	if (entry->answers[position].is_known)
		return entry->answers[position].text;
	places = g_array_new(FALSE, FALSE, sizeof(struct code_place));
	entry->answers[position].is_known =
		lines->source->find(lines->source->data, entry->host, &entry->frame, position, places);
	if (places->len) {
		entry->answers[position].is_known = true;
		entry->answers[position].text = frames_of(entry, places);
	}
	return entry->answers[position].text;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* Facts about the next frame that follow from the inner frames of a stack. */
struct stack_position {
	bool has_frames, is_kernel, interrupts;
};

static enum frame_position next_position(struct stack_position *stack, const struct entry *entry,
					 enum frame_position innermost)
{
	bool is_kernel = entry->has_side ? entry->is_kernel : stack->is_kernel;
	bool is_first = !stack->has_frames || stack->is_kernel != is_kernel;
	enum frame_position position = FRAME_AFTER_CALL;

	if (is_first)
		position = is_kernel ? innermost : FRAME_AT;
	else if (stack->interrupts)
		position = FRAME_AT;
	*stack = (struct stack_position){true, is_kernel, entry->interrupts};
	return position;
}

/* stack := "[" { frame } "]" */
static void read_stack(struct frame_lines *lines, struct json_reader *json, enum frame_position innermost)
{
	struct stack_position stack = {0};

	while (json_next_item(json)) {
		struct entry key = {.host = lines->host};
		struct piece piece;

		json_peek(json);
		piece.start = json->at;
		json_skip(json);
		if (json->mistake)
			return;
		piece.end = json->at;
		key.text = piece.start;
		key.length = piece.end - piece.start;
		piece.entry = g_hash_table_lookup(lines->entries, &key) ?: new_entry(lines, &key);
		piece.position = next_position(&stack, piece.entry, innermost);
		g_array_append_val(lines->pieces, piece);
	}
}

/* keys := "[" { key } "]" */
static void read_keys(struct frame_lines *lines, struct json_reader *json)
{
	for (guint i = 0; json_next_item(json); i++) {
		bool is_stack = i < MOST_KEYS && lines->stacks >> i & 1;

		if (is_stack && json_peek(json) == '[')
			read_stack(lines, json, lines->innermost[i]);
		else
			json_skip(json);
	}
}

/* elements := "[" { "[" keys "," value "]" } "]" */
static void read_elements(struct frame_lines *lines, struct json_reader *json)
{
	while (json_next_item(json)) {
		guint count = 0;

		while (json_next_item(json)) {
			if (count++ == 0)
				read_keys(lines, json);
			else
				json_skip(json);
		}
	}
}

static void read_key_types(struct frame_lines *lines, struct json_reader *json)
{
	for (guint i = 0; json_next_item(json); i++) {
		struct json_bytes type = json_read_string(json);

		if (i < MOST_KEYS && json_bytes_are(&type, "stack"))
			lines->stacks |= 1u << i;
	}
}

/* Read a member of "stacks": what is known about a key. */
static void read_stack_type(struct frame_lines *lines, struct json_reader *json)
{
	enum frame_position innermost = FRAME_AT_OR_AFTER;
	struct json_bytes name, text;
	int64_t key = -1;

	while (json_next_member(json, &name)) {
		if (json_bytes_are(&name, "key")) {
			key = json_read_integer(json);
		} else if (json_bytes_are(&name, "innermost")) {
			text = json_read_string(json);
			innermost = json_bytes_are(&text, "instruction") ? FRAME_AT
				    : json_bytes_are(&text, "call")	 ? FRAME_AFTER_CALL
									 : FRAME_AT_OR_AFTER;
		} else {
			json_skip(json);
		}
	}
	if (key >= 0 && key < MOST_KEYS)
		lines->innermost[key] = innermost;
}

static void read_member_of_line(struct frame_lines *lines, struct json_reader *json, const struct json_bytes *name)
{
	if (json_bytes_are(name, "remote")) {
		lines->host = (unsigned int)json_read_integer(json);
	} else if (json_bytes_are(name, "keys")) {
		read_key_types(lines, json);
	} else if (json_bytes_are(name, "stacks")) {
		while (json_next_item(json))
			read_stack_type(lines, json);
	} else if (json_bytes_are(name, "elements") && lines->stacks) {
		read_elements(lines, json);
	} else {
		json_skip(json);
	}
}

static bool read_line(struct frame_lines *lines, const char *line, size_t length)
{
	struct json_reader json;
	struct json_bytes name;
	bool is_sound;

	lines->host = 0;
	lines->stacks = 0;
	for (guint i = 0; i < MOST_KEYS; i++)
		lines->innermost[i] = FRAME_AT_OR_AFTER;
	json_reader_init(&json, line, length);
	while (json_next_member(&json, &name))
		read_member_of_line(lines, &json, &name);
	json_finish(&json);
	is_sound = !json.mistake;
	json_reader_clear(&json);
	return is_sound;
}

static bool write_line(struct frame_lines *lines, const char *line, size_t length, GString *out)
{
	const char *done = line;

	for (guint i = 0; i < lines->pieces->len; i++) {
		const struct piece *piece = &g_array_index(lines->pieces, struct piece, i);
		const char *text = answer(lines, piece->entry, piece->position);

		if (!text)
			continue;
		g_string_append_len(out, done, piece->start - done);
		g_string_append(out, text);
		done = piece->end;
	}
	if (done == line)
		return false;
	g_string_append_len(out, done, line + length - done);
	return true;
}

bool frame_line_may_be_of_stacks(const char *line, size_t length)
{
	return !memcmp(line, line_start, MIN(length, strlen(line_start)));
}

bool frame_line_is_of_stacks(const char *line, size_t length, bool *is_final)
{
	static const char elements[] = ",\"elements\":";
	static const char stacks[] = ",\"stacks\":[", last[] = ",\"final\":true,";
	size_t head = MIN(length, HEAD_SIZE);
	const char *end;

	if (length < strlen(line_start) || !frame_line_may_be_of_stacks(line, length))
		return false;
	end = memmem(line, head, elements, strlen(elements));
	head = end ? (size_t)(end - line) : head;
	*is_final = memmem(line, head, last, strlen(last));
	return memmem(line, head, stacks, strlen(stacks));
}

bool frame_lines_complete(struct frame_lines *lines, const char *line, size_t length, GString *out)
{
	if (g_hash_table_size(lines->entries) > MOST_ENTRIES)
		g_hash_table_remove_all(lines->entries);
	g_array_set_size(lines->pieces, 0);
	g_ptr_array_set_size(lines->fresh, 0);
	if (!read_line(lines, line, length))
		return false;
	for_each_ptr(const struct entry *, entry, lines->fresh)
		lines->source->learn(lines->source->data, entry->host, &entry->frame);
	return write_line(lines, line, length, out);
}

struct frame_lines *frame_lines_new(const struct frame_source *source)
{
	struct frame_lines *lines = g_new0(struct frame_lines, 1);

	lines->source = source;
	lines->entries = g_hash_table_new_full(hash_entry, entries_are_equal, free_entry, NULL);
	lines->pieces = g_array_new(FALSE, FALSE, sizeof(struct piece));
	lines->fresh = g_ptr_array_new();
	return lines;
}

void frame_lines_free(struct frame_lines *lines)
{
	g_hash_table_unref(lines->entries);
	g_array_unref(lines->pieces);
	g_ptr_array_unref(lines->fresh);
	g_free(lines);
}
