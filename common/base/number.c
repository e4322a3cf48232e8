// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers in arguments; see number.h. */
#include "common/base/number.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

const char *parse_number_at(const char *text, int base, int64_t least, int64_t most, int64_t *ret)
{
	char *end;
	long long number;

	errno = 0;
	number = strtoll(text, &end, base);
	if (errno || end == text || number < least || number > most)
		return NULL;
	*ret = number;
	return end;
}

bool parse_number(const char *text, int base, int64_t least, int64_t most, int64_t *ret)
{
	const char *end = parse_number_at(text, base, least, most, ret);

	return end && !*end;
}
