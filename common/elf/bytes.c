// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bounds-checked reading of little-endian bytes and LEB128 numbers (DWARF 5, section 7.6).
 *
 * A read past the end sets `bad`, moves to the end and returns 0. So parsers need to check only once per item, and
 * malformed debuginfo cannot crash them.
 */
#include "common/elf/bytes.h"

#include <glib.h>
#include <string.h>

static bool reader_has(struct reader *reader, uint64_t size)
{
	if (size <= (uint64_t)(reader->end - reader->position))
		return true;
	reader->bad = true;
	reader->position = reader->end;
	return false;
}

uint64_t read_unsigned(struct reader *reader, unsigned int size)
{
	uint64_t value = 0;

	if (size > sizeof(value) || !reader_has(reader, size))
		return 0;
	memcpy(&value, reader->position, size);
	reader->position += size;
	return GUINT64_FROM_LE(value);
}

/* Inlined into both callers, because scanning spends most of its time here. */
static inline uint64_t read_leb(struct reader *reader, bool is_signed)
{
	uint64_t value = 0;
	unsigned int shift = 0;

	while (reader_has(reader, 1)) {
		uint8_t byte = *reader->position++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (byte & 0x80)
			continue;
		if (is_signed && (byte & 0x40) && shift < 64)
			value |= ~(uint64_t)0 << shift;
		break;
	}
	return value;
}

uint64_t read_uleb(struct reader *reader)
{
	return read_leb(reader, false);
}

int64_t read_sleb(struct reader *reader)
{
	return (int64_t)read_leb(reader, true);
}

void read_skip(struct reader *reader, uint64_t size)
{
	if (reader_has(reader, size))
		reader->position += size;
}

const char *read_string(struct reader *reader)
{
	const char *text = (const char *)reader->position;
	const uint8_t *stop = NULL;

	if (reader->position < reader->end)
		stop = memchr(reader->position, 0, reader->end - reader->position);
	if (!stop) {
		reader->bad = true;
		reader->position = reader->end;
		return "";
	}
	reader->position = stop + 1;
	return text;
}

const char *span_string(struct span span, uint64_t offset)
{
	if (offset >= span.size || !memchr(span.data + offset, 0, span.size - offset))
		return NULL;
	return (const char *)span.data + offset;
}
