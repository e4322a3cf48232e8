// SPDX-License-Identifier: GPL-2.0-or-later
/* The framed protocol between stap-vm and the agent in the guest; see link.h. */
#include "vm/link.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ_SIZE = 64 * 1024 };

/* Reserve space for @p more bytes at the end of a buffer; move the remaining bytes to the front if necessary. */
static void reserve(uint8_t **buffer, size_t *start, size_t *end, size_t *size, size_t more)
{
	if (*start == *end)
		*start = *end = 0;
	if (*end + more <= *size)
		return;
	if (*start) {
		memmove(*buffer, *buffer + *start, *end - *start);
		*end -= *start;
		*start = 0;
	}
	if (*end + more <= *size)
		return;
	*size = (*end + more) * 2;
	*buffer = realloc(*buffer, *size);
	if (!*buffer)
		abort();
}

static void queue_bytes(struct link *link, const void *bytes, size_t length)
{
	reserve(&link->out, &link->out_start, &link->out_end, &link->out_size, length);
	if (length)
		memcpy(link->out + link->out_end, bytes, length);
	link->out_end += length;
}

void link_send(struct link *link, enum frame_type type, unsigned int stream, unsigned int channel, const void *payload,
	       size_t length)
{
	struct frame_header header = {.length = length, .type = type, .stream = stream, .channel = channel};

	queue_bytes(link, &header, sizeof(header));
	queue_bytes(link, payload, length);
}

void link_send_number(struct link *link, enum frame_type type, unsigned int stream, unsigned int channel,
		      uint32_t number)
{
	link_send(link, type, stream, channel, &number, sizeof(number));
}

uint32_t frame_number(const struct frame *frame)
{
	uint32_t number = 0;

	if (frame->header.length == sizeof(number))
		memcpy(&number, frame->payload, sizeof(number));
	return number;
}

size_t link_pending(const struct link *link)
{
	return link->out_end - link->out_start;
}

void link_flush(struct link *link)
{
	while (link_pending(link) && !link->broken) {
		ssize_t count = write(link->fd, link->out + link->out_start, link->out_end - link->out_start);

		if (count > 0)
			link->out_start += count;
		else if (count < 0 && errno == EAGAIN)
			return;
		else if (count == 0 || errno != EINTR)
			link->broken = true;
	}
}

void link_fill(struct link *link)
{
	ssize_t count;

	reserve(&link->in, &link->in_start, &link->in_end, &link->in_size, READ_SIZE);
	count = read(link->fd, link->in + link->in_end, READ_SIZE);
	if (count > 0)
		link->in_end += count;
	else if (count == 0 || (errno != EAGAIN && errno != EINTR))
		link->broken = true;
}

bool link_next(struct link *link, struct frame *frame)
{
	size_t available = link->in_end - link->in_start;

	if (available < sizeof(frame->header))
		return false;
	memcpy(&frame->header, link->in + link->in_start, sizeof(frame->header));
	if (frame->header.length > LINK_MAX_PAYLOAD) {
		link->broken = true;
		return false;
	}
	if (available < sizeof(frame->header) + frame->header.length)
		return false;
	frame->payload = link->in + link->in_start + sizeof(frame->header);
	link->in_start += sizeof(frame->header) + frame->header.length;
	return true;
}

void link_close(struct link *link)
{
	if (link->fd >= 0)
		close(link->fd);
	free(link->in);
	free(link->out);
	*link = (struct link){.fd = -1};
}
