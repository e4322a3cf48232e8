/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bounded reading of little-endian bytes: the bottom of debuginfo/, which all that reads bytes by itself stands on. */
#ifndef SPILE_DEBUGINFO_OBJECT_BYTES_H
#define SPILE_DEBUGINFO_OBJECT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A run of bytes that somebody else owns. */
struct span {
	const uint8_t *data;
	size_t size;
};

struct reader {
	const uint8_t *position, *end;
	bool bad; /* something was read past the end */
};

uint64_t read_unsigned(struct reader *reader, unsigned int size);
uint64_t read_uleb(struct reader *reader);
int64_t read_sleb(struct reader *reader);
void read_skip(struct reader *reader, uint64_t size);
const char *read_string(struct reader *reader);
/** A string at an offset of a string section, NULL if it is not wholly inside. */
const char *span_string(struct span span, uint64_t offset);

#endif
