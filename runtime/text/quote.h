/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text in double quotes, and strings of the script under construction. */
#ifndef SPILE_RUNTIME_TEXT_QUOTE_H
#define SPILE_RUNTIME_TEXT_QUOTE_H

#include "runtime/core/internal.h"

/* A string of the script under construction. */
struct text {
	char *to;
	unsigned int used; /* length so far, including what did not fit */
	unsigned int size;
};

void put_character(struct text *t, char character);
void put_text(struct text *t, const char *text);
/** Terminate it with a NUL. */
void text_end(struct text *t);

enum quoted_memory { QUOTED_USER, QUOTED_KERNEL, QUOTED_TEXT };

/* Reads memory byte by byte from a small buffer. */
struct byte_reader {
	enum quoted_memory memory;
	unsigned long next; /* the next address; after a fault, the address that faulted */
	u64 left; /* bytes not yet returned */
	bool is_faulted;
	u8 at, count;
	u8 buffer[64];
};

/** Return the next byte, or -1 at the end or on a fault. */
int reader_byte(struct byte_reader *r);
/**
 * Write memory in double quotes, at most @p most characters including the quotes. Return 0, or the address that cannot
 * be read; nothing is written then.
 */
unsigned long quote_memory(struct text *t, enum quoted_memory memory, unsigned long from, u64 length, bool ends_at_nul,
			   s64 most);

#endif
