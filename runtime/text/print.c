// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Strings and the conversions of printf(). All output goes piecewise to the context's sink (context.c). Numbers are
 * converted here, because %c, %o and the flags of the kernel's vsnprintf() differ from what scripts expect.
 */
#include <linux/ctype.h>
#include <asm/page.h>

#include "runtime/core/internal.h"

unsigned int stp_string_size(void)
{
	return stp_script.string_size;
}

void stp_copy(char *to, const char *from)
{
	if (to != from)
		strscpy(to, from, stp_script.string_size);
}

void stp_concat(char *to, const char *left, const char *right)
{
	size_t used = strnlen(left, stp_script.string_size - 1);
	/* `to` may be `left` (x .= y) or, in x = y . x, `right`. So move the right part first. */
	size_t rest = strnlen(right, stp_script.string_size - 1 - used);

	memmove(to + used, right, rest);
	if (to != left)
		memmove(to, left, used);
	to[used + rest] = '\0';
}

int stp_compare(const char *left, const char *right)
{
	return strcmp(left, right);
}

int stp_copy_kernel_string(char *to, unsigned long from, unsigned int size)
{
	unsigned int i;

	for (i = 0; i + 1 < size; i++) {
		int fault = 0;

		to[i] = stp_load(from + i, 1, &fault);
		if (fault) {
			to[0] = '\0';
			return 0;
		}
		if (!to[i])
			return 1;
	}
	to[i] = '\0';
	return 1;
}

/* Write the C escape sequence of a byte. Return its length, 1 to 4. */
unsigned int stp_escape(char *to, unsigned char byte)
{
	static const char letters[] = {['\a'] = 'a', ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\v'] = 'v',
				       ['\f'] = 'f', ['\r'] = 'r', ['"'] = '"',	 ['\\'] = '\\'};

	if (byte < sizeof(letters) && letters[byte]) {
		to[0] = '\\';
		to[1] = letters[byte];
		return 2;
	}
	if (byte >= ' ' && byte <= '~') {
		to[0] = byte;
		return 1;
	}
	to[0] = '\\';
	to[1] = '0' + (byte >> 6);
	to[2] = '0' + (byte >> 3 & 7);
	to[3] = '0' + (byte & 7);
	return 4;
}

/* ---- padding --------------------------------------------------------------------------------------------------- */

static void put_repeated(struct stp_context *c, char byte, s64 count)
{
	char block[32];

	memset(block, byte, sizeof(block));
	for (; count > 0; count -= sizeof(block))
		stp_print(c, block, min_t(s64, count, sizeof(block)));
}

/* Widths come from scripts ("%*d"), so limit the padding to the size of a string. */
static s64 padding(s64 width, s64 length)
{
	return clamp_t(s64, width, 0, stp_script.string_size) - length;
}

static void put_padded(struct stp_context *c, const char *text, unsigned int length, unsigned int flags, s64 width)
{
	s64 pad;

	if (width < 0) { /* from "*": as in C, a negative width means "-" */
		flags |= STP_LEFT;
		width = -width;
	}
	pad = padding(width, length);
	if (!(flags & STP_LEFT))
		put_repeated(c, ' ', pad);
	stp_print(c, text, length);
	if (flags & STP_LEFT)
		put_repeated(c, ' ', pad);
}

/* Write a byte as in a character constant of C, for %#c and %#s: these escape "'" instead of '"'. */
static unsigned int escape_character(char *to, unsigned char byte)
{
	if (byte != '"' && byte != '\'')
		return stp_escape(to, byte);
	to[0] = byte == '\'' ? '\\' : byte;
	to[1] = byte;
	return byte == '\'' ? 2 : 1;
}

void stp_print_string(struct stp_context *c, const char *text, unsigned int flags, stp_long width, stp_long precision)
{
	size_t length = strlen(text);

	if (flags & STP_ALTERNATE) {
		char sequence[4];

		while (*text) {
			unsigned int used = escape_character(sequence, *text++);

			stp_print(c, sequence, used);
		}
		return;
	}
	if ((flags & STP_HAS_PRECISION) && precision >= 0)
		length = min_t(u64, length, precision);
	put_padded(c, text, length, flags, width);
}

void stp_print_character(struct stp_context *c, stp_long value, unsigned int flags, stp_long width)
{
	char sequence[4] = {value};
	unsigned int length = flags & STP_ALTERNATE ? escape_character(sequence, value) : 1;

	put_padded(c, sequence, length, flags, width);
}

/* ---- numbers --------------------------------------------------------------------------------------------------- */

enum { NUMBER_SIZE = 72 };

/* Write the digits of a number so that they end at @p end. Return their start. */
static char *digits(char *end, u64 value, unsigned int base, bool upper)
{
	const char *set = upper ? "0123456789ABCDEF" : "0123456789abcdef";

	do {
		*--end = set[value % base];
		value /= base;
	} while (value);
	return end;
}

static unsigned int number_prefix(char *prefix, u64 value, unsigned int base, unsigned int flags, bool negative)
{
	unsigned int length = 0;

	if (negative)
		prefix[length++] = '-';
	else if ((flags & STP_SIGNED) && (flags & STP_PLUS))
		prefix[length++] = '+';
	else if ((flags & STP_SIGNED) && (flags & STP_SPACE))
		prefix[length++] = ' ';
	if ((flags & STP_POINTER) || ((flags & STP_ALTERNATE) && value && base != 10)) {
		prefix[length++] = '0';
		if (base == 16)
			prefix[length++] = flags & STP_UPPER ? 'X' : 'x';
	}
	return length;
}

void stp_print_number(struct stp_context *c, stp_long value, unsigned int base, unsigned int flags, stp_long width,
		      stp_long precision)
{
	bool negative = (flags & STP_SIGNED) && value < 0;
	u64 magnitude = negative ? -(u64)value : value;
	char buffer[NUMBER_SIZE], prefix[4];
	char *end = buffer + sizeof(buffer);
	char *start = digits(end, magnitude, base, flags & STP_UPPER);
	unsigned int count = end - start;
	unsigned int lead = number_prefix(prefix, magnitude, base, flags, negative);
	s64 zeros = 0, pad;

	if (width < 0) {
		flags |= STP_LEFT;
		width = -width;
	}
	if ((flags & STP_HAS_PRECISION) && precision >= 0) {
		zeros = padding(precision, count);
		if (!precision && !magnitude)
			count = 0; /* as in C: precision 0 prints no digits for 0 */
	} else if ((flags & STP_ZERO) && !(flags & STP_LEFT)) {
		zeros = padding(width, count + lead);
	}
	zeros = max_t(s64, zeros, 0);
	pad = padding(width, count + lead + zeros);
	if (!(flags & STP_LEFT))
		put_repeated(c, ' ', pad);
	stp_print(c, prefix, lead);
	put_repeated(c, '0', zeros);
	stp_print(c, start, count);
	if (flags & STP_LEFT)
		put_repeated(c, ' ', pad);
}

void stp_print_binary(struct stp_context *c, stp_long value, stp_long width, int is_big_endian)
{
	unsigned int size = width;

	if (width != 1 && width != 2 && width != 4 && width != 8) {
		stp_error(c, "%lld is not a width for %%b (1, 2, 4 or 8)", width);
		return;
	}
	/* All supported machines are little-endian: the low bytes are first in memory. */
	if (is_big_endian)
		value = (__force u64)cpu_to_be64(value) >> (64 - 8 * size);
	stp_print(c, (const char *)&value, size);
}

void stp_print_memory(struct stp_context *c, unsigned long address, stp_long length, int hex, unsigned int flags,
		      stp_long width)
{
	s64 pad, i;

	if (length <= 0 || length > PAGE_SIZE) {
		if (length)
			stp_error(c, "%lld is not a length for a memory dump (1 to %lu)", length, PAGE_SIZE);
		return;
	}
	pad = padding(width, hex ? 2 * length : length);
	if (!(flags & STP_LEFT))
		put_repeated(c, ' ', pad);
	for (i = 0; i < length; i++) {
		bool of_user = flags & STP_ALTERNATE;
		int fault = 0;
		u8 byte = of_user ? stp_load_user(address + i, 1, &fault) : stp_load(address + i, 1, &fault);
		char text[3];

		if (fault && of_user)
			stp_user_fault(c, address + i);
		else if (fault)
			stp_fault(c, address + i);
		if (fault)
			return;
		if (hex)
			hex_byte_pack(text, byte);
		else
			text[0] = byte;
		stp_print(c, text, hex ? 2 : 1);
	}
	if (flags & STP_LEFT)
		put_repeated(c, ' ', pad);
}
