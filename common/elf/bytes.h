/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bounds-checked reading of little-endian bytes, for all code of debuginfo/ that parses bytes without libdw. */
#ifndef SPILE_ELF_BYTES_H
#define SPILE_ELF_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A borrowed range of bytes. */
struct span {
	const uint8_t *data;
	size_t size;
};

struct reader {
	const uint8_t *position, *end;
	bool bad; /* set by a read past the end, which returns 0 or "" */
};

uint64_t read_unsigned(struct reader *reader, unsigned int size);
uint64_t read_uleb(struct reader *reader);
int64_t read_sleb(struct reader *reader);
void read_skip(struct reader *reader, uint64_t size);
const char *read_string(struct reader *reader);
/** Return the string at an offset of a string section; NULL if its NUL is not inside. */
const char *span_string(struct span span, uint64_t offset);

#endif
