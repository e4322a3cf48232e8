// SPDX-License-Identifier: GPL-2.0-or-later
/* Frames of the Language Server Protocol; see inbox.h. */
#include "translator/lsp/inbox.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/i18n.h"

void inbox_init(struct inbox *inbox)
{
	*inbox = (struct inbox){.bytes = g_byte_array_new()};
}

void inbox_clear(struct inbox *inbox)
{
	g_byte_array_unref(inbox->bytes);
}

void inbox_feed(struct inbox *inbox, const void *bytes, gsize length)
{
	/* Drop what was taken, but not after each small message. */
	if (inbox->used > inbox->bytes->len / 2) {
		g_byte_array_remove_range(inbox->bytes, 0, (guint)inbox->used);
		inbox->used = 0;
	}
	g_byte_array_append(inbox->bytes, bytes, (guint)length);
}

void inbox_read(struct inbox *inbox, int fd)
{
	char bytes[65536];
	ssize_t length;

	do
		length = read(fd, bytes, sizeof(bytes));
	while (length < 0 && errno == EINTR);
	if (length > 0)
		inbox_feed(inbox, bytes, (gsize)length);
	else
		inbox->is_at_end = true;
}

/* Parse a header line "Content-Length: N". Other fields are ignored. Return false if the length is wrong. */
static bool read_field(const char *line, gsize length, gsize *ret)
{
	static const char name[] = "content-length:";
	g_autofree char *copy = g_strndup(line, length);
	guint64 number;

	if (g_ascii_strncasecmp(copy, name, strlen(name)))
		return strchr(copy, ':');
	if (!g_ascii_string_to_unsigned(g_strstrip(copy + strlen(name)), 10, 0, LARGEST_MESSAGE, &number, NULL))
		return false;
	*ret = (gsize)number;
	return true;
}

/* Parse the fields up to @end. Return false, with a mistake, if they tell no length. */
static bool read_header(struct inbox *inbox, const char *header, const char *end, gsize *length)
{
	*length = G_MAXSIZE;
	while (header < end) {
		const char *line_end = memmem(header, (size_t)(end - header), "\r\n", 2) ?: end;

		if (!read_field(header, (gsize)(line_end - header), length)) {
			inbox->mistake = _("the header of a message is wrong");
			return false;
		}
		header = line_end + 2;
	}
	if (*length == G_MAXSIZE)
		inbox->mistake = _("the header of a message has no Content-Length");
	return *length != G_MAXSIZE;
}

char *inbox_take(struct inbox *inbox, gsize *length)
{
	const char *bytes = (const char *)inbox->bytes->data + inbox->used, *end;
	gsize left = inbox->bytes->len - inbox->used, header;

	if (inbox->mistake || !left)
		return NULL;
	end = memmem(bytes, left, "\r\n\r\n", 4);
	header = end ? (gsize)(end + 4 - bytes) : left;
	if (header > LONGEST_HEADER) {
		inbox->mistake = _("the header of a message is too long");
		return NULL;
	}
	if (!end || !read_header(inbox, bytes, end, length) || left - header < *length)
		return NULL;
	inbox->used += header + *length;
	return g_strndup(bytes + header, *length);
}

static bool write_all(int fd, const char *bytes, gsize length)
{
	while (length) {
		ssize_t written = write(fd, bytes, length);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		bytes += written;
		length -= (gsize)written;
	}
	return true;
}

bool frame_write(int fd, const char *text, gsize length)
{
	g_autofree char *header = g_strdup_printf("Content-Length: %zu\r\n\r\n", length);

	return write_all(fd, header, strlen(header)) && write_all(fd, text, length);
}
