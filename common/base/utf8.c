// SPDX-License-Identifier: GPL-2.0-or-later
/* UTF-8 as Unicode wants it read: no character in more bytes than it needs, no surrogates. See utf8.h. */
#include "common/base/utf8.h"

size_t utf8_character(const char *text, size_t length, unsigned int *code)
{
	static const unsigned int least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *bytes = (const unsigned char *)text;
	size_t size = *bytes < 0x80   ? 1
		      : *bytes < 0xc2 ? 0
		      : *bytes < 0xe0 ? 2
		      : *bytes < 0xf0 ? 3
		      : *bytes < 0xf5 ? 4
				      : 0;

	*code = size < 2 ? *bytes : *bytes & (0xffu >> (size + 1));
	if (size < 2)
		return size;
	if (size > length)
		return 0;
	for (size_t i = 1; i < size; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (bytes[i] & 0x3f);
	}
	return *code < least[size] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000) ? 0 : size;
}
