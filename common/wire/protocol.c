// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Frames: a length, a kind, and that many bytes. Both sides use these functions, which work on memory only, so that a
 * fuzzer can call them. Received data is interpreted only after it was found to be a frame of a known kind, within the
 * size limit of that kind.
 */
#include "common/wire/protocol.h"

#include <stdint.h>
#include <string.h>

#include "common/base/i18n.h"

static const struct {
	enum frame_kind kind;
	size_t longest;
} kinds[] = {
	{FRAME_VERSION, 64},	 {FRAME_DIRECTORY, 4096},    {FRAME_ENVIRONMENT, 256},	  {FRAME_KERNEL, 256},
	{FRAME_PASS, 1},	 {FRAME_OPTION, 1 << 20},    {FRAME_ITEM, 4097},	  {FRAME_FILE, 4 << 20},
	{FRAME_SCRIPT, 4096},	 {FRAME_INPUT, 4 << 20},     {FRAME_ARGUMENT, 128 << 10}, {FRAME_END, 0},
	{FRAME_CLIENT, 128},	 {FRAME_MESSAGES, 64 << 10}, {FRAME_OUTPUT, 64 << 10},	  {FRAME_RELEASE, 128},
	{FRAME_NAME, 64},	 {FRAME_MODULE, 64 << 20},   {FRAME_SIGNATURE, 8 << 10},  {FRAME_STATUS, 16},
	{FRAME_ERROR, 16 << 10},
};

static bool find_longest(enum frame_kind kind, size_t *longest)
{
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (kinds[i].kind != kind)
			continue;
		*longest = kinds[i].longest;
		return true;
	}
	return false;
}

void frame_reader_init(struct frame_reader *reader, size_t most)
{
	*reader = (struct frame_reader){.bytes = g_byte_array_new(), .most = most};
}

void frame_reader_clear(struct frame_reader *reader)
{
	g_clear_pointer(&reader->bytes, g_byte_array_unref);
}

void frame_reader_feed(struct frame_reader *reader, const void *data, size_t length)
{
	if (reader->used)
		g_byte_array_remove_range(reader->bytes, 0, reader->used);
	reader->used = 0;
	g_byte_array_append(reader->bytes, data, length);
}

struct error *frame_reader_next(struct frame_reader *reader, enum frame_kind *kind, const char **data, size_t *length)
{
	const guint8 *head = reader->bytes->data + reader->used;
	size_t there = reader->bytes->len - reader->used, longest;

	*kind = 0;
	if (there < FRAME_HEAD_LENGTH)
		return NULL;
	*length = (uint32_t)head[0] << 24 | head[1] << 16 | head[2] << 8 | head[3];
	if (!find_longest(head[4], &longest))
		return error_new(ERROR_OTHER, _("the peer sent a frame of an unknown kind"));
	if (*length > longest)
		return error_new(ERROR_OTHER, _("a frame of %zu bytes exceeds the limit of %zu bytes"), *length,
				 longest);
	if (reader->sum + FRAME_HEAD_LENGTH + *length > reader->most)
		return error_new(ERROR_OTHER, _("the frames together exceed the limit of %zu bytes"), reader->most);
	if (there - FRAME_HEAD_LENGTH < *length)
		return NULL;
	*kind = head[4];
	*data = (const char *)head + FRAME_HEAD_LENGTH;
	reader->used += FRAME_HEAD_LENGTH + *length;
	reader->sum += FRAME_HEAD_LENGTH + *length;
	return NULL;
}

void frame_append(GByteArray *to, enum frame_kind kind, const void *data, size_t length)
{
	const guint8 head[FRAME_HEAD_LENGTH] = {length >> 24, length >> 16, length >> 8, length, kind};

	g_byte_array_append(to, head, sizeof(head));
	if (length)
		g_byte_array_append(to, data, length);
}

void frame_append_pair(GByteArray *to, enum frame_kind kind, const char *text, const void *data, size_t length)
{
	g_autoptr(GByteArray) both = g_byte_array_new();

	g_byte_array_append(both, (const guint8 *)text, strlen(text) + 1);
	if (length)
		g_byte_array_append(both, data, length);
	frame_append(to, kind, both->data, both->len);
}

void frame_append_error(GByteArray *to, const struct error *error)
{
	frame_append_pair(to, FRAME_ERROR, error->message, error->hint, error->hint ? strlen(error->hint) : 0);
}
