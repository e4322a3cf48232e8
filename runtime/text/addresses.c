// SPDX-License-Identifier: GPL-2.0-or-later
/* Addresses as text, for stacks. */
#include <linux/bitops.h>
#include <linux/hash.h>
#include <linux/string.h>

#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/text/addresses.h"

enum { LONGEST_ADDRESS = sizeof(" 0x0123456789abcdef") };

/* Return eight hexadecimal digits, as bytes in memory order. */
static __always_inline u64 hexadecimal_digits(u32 value)
{
	u64 digits = value;

	/* Spread the digits to one per byte, then make them characters: 'a' is 39 more than '0' + 10. */
	digits = (digits & 0xffff) | (digits & 0xffff0000) << 16;
	digits = (digits & 0x000000ff000000ff) | (digits & 0x0000ff000000ff00) << 8;
	digits = (digits & 0x000f000f000f000f) | (digits & 0x00f000f000f000f0) << 4;
	digits += 0x3030303030303030 + ((digits + 0x0606060606060606) >> 4 & 0x0101010101010101) * 39;
	return (__force u64)cpu_to_be64(digits);
}

/*
 * Write "0x..." and return its end. Up to LONGEST_ADDRESS - 2 bytes are written. Faster than a format, which would
 * matter because array keys can contain dozens of addresses.
 */
static noinline char *put_hexadecimal(char *to, unsigned long value)
{
	unsigned int count = (fls64(value | 1) + 3u) / 4;
	u64 digits[2];

	*to++ = '0';
	*to++ = 'x';
	value <<= 64 - 4 * count;
	digits[0] = hexadecimal_digits(value >> 32);
	digits[1] = hexadecimal_digits(value);
	memcpy(to, digits, sizeof(digits));
	return to + count;
}

/* Append an address, if all of it fits before @p end. Return the new end, or NULL. */
static noinline char *put_last_address(char *to, const char *end, bool is_first, unsigned long address)
{
	char text[LONGEST_ADDRESS] = " ";
	unsigned int length = put_hexadecimal(text + !is_first, address) - text;

	if (length >= end - to)
		return NULL;
	memcpy(to, text, length);
	return to + length;
}

static noinline void make_address_text(struct address_text *made, unsigned long address)
{
	char *end = put_hexadecimal(made->text, address);

	*end++ = ' ';
	made->length = end - made->text;
	made->address = address;
}

/* Copy a text. Bytes after it are overwritten too, so there must be space for all words. */
static __always_inline char *copy_address_text(char *to, const struct address_text *known)
{
	memcpy(to, &known->words[0], sizeof(u64));
	memcpy(to + 1 * sizeof(u64), &known->words[1], sizeof(u64));
	memcpy(to + 2 * sizeof(u64), &known->words[2], sizeof(u64));
	return to + known->length;
}

void put_stack(struct stp_context *c, char *to, const unsigned long *addresses, unsigned int frames, stp_long levels,
	       bool is_cut)
{
	unsigned int count = levels < 0 || levels >= frames ? frames : levels + 1;
	struct address_text *texts = c->address_texts, *known;
	const unsigned long *stop = addresses + count, *next = addresses;
	const char *end = to + stp_script.string_size;

	/* Each is followed by a blank. */
	for (; next < stop && end - to > sizeof(known->words); next++) {
		known = &texts[hash_long(*next, ADDRESS_TEXTS_BITS)];
		if (unlikely(known->address != *next || !known->length))
			make_address_text(known, *next);
		to = copy_address_text(to, known);
	}
	to -= next > addresses;
	for (; next < stop; next++) {
		char *last = put_last_address(to, end, next == addresses, *next);

		if (!last)
			break;
		to = last;
	}
	is_cut = (is_cut && count == frames) || next < stop;
	if (is_cut && next > addresses && end - to > 1)
		*to++ = ' ';
	*to = '\0';
}
