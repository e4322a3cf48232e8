// SPDX-License-Identifier: GPL-2.0-or-later
/* Parse names from untrusted sources; see foreign.h. */
#include "common/base/foreign.h"

#include <string.h>

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

static bool is_one_of(char c, const char *characters)
{
	return c && strchr(characters, c);
}

/* Copy a text if its characters are in @first (the first one) and @others, and it fits. Else return false. */
static bool parse(const char *text, size_t length, const char *first, const char *others, char *ret, size_t size)
{
	*ret = '\0';
	if (!length || length >= size || !is_one_of(*text, first))
		return false;
	for (size_t i = 1; i < length; i++)
		if (!is_one_of(text[i], others))
			return false;
	memcpy(ret, text, length);
	ret[length] = '\0';
	return true;
}

bool release_parse(const char *text, size_t length, struct release *ret)
{
	if (!parse(text, length, LETTERS DIGITS, LETTERS DIGITS "._+~-", ret->text, sizeof(ret->text)))
		return false;
	if (!strstr(ret->text, ".."))
		return true;
	*ret->text = '\0';
	return false;
}

bool machine_name_parse(const char *text, size_t length, struct machine_name *ret)
{
	return parse(text, length, LETTERS DIGITS, LETTERS DIGITS "_-", ret->text, sizeof(ret->text));
}

bool module_name_parse(const char *text, size_t length, struct module_name *ret)
{
	return parse(text, length, LETTERS, LETTERS DIGITS "_", ret->text, sizeof(ret->text));
}

bool build_id_parse(const char *text, size_t length, struct build_id *ret)
{
	static const char digits[] = DIGITS "abcdef";

	*ret->text = '\0';
	return length % 2 == 0 && parse(text, length, digits, digits, ret->text, sizeof(ret->text));
}
