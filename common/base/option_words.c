// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables of command line options; see option_words.h. */
#include "common/base/option_words.h"

#include <assert.h>
#include <string.h>

static const struct option_word *word_at(const struct option_table *table, size_t number)
{
	return (const void *)((const char *)table->rows + number * table->row_size);
}

bool option_argument_is_optional(const struct option_word *word)
{
	return word->argument && *word->argument == '[';
}

void option_words_make(const struct option_table *table, const char *prefix, struct option_words *ret)
{
	struct option *name = ret->names;
	char *letter = stpcpy(ret->letters, prefix);

	assert(table->count <= MOST_OPTIONS);
	for (size_t i = 0; i < table->count; i++) {
		const struct option_word *word = word_at(table, i);
		int argument = option_argument_is_optional(word) ? optional_argument
			       : word->argument			 ? required_argument
								 : no_argument;

		if (word->name)
			*name++ = (struct option){word->name, argument, NULL, FIRST_LONG_OPTION + (int)i};
		if (!word->letter)
			continue;
		*letter++ = word->letter;
		if (word->argument)
			*letter++ = ':';
	}
	*name = (struct option){NULL, 0, NULL, 0};
	*letter = '\0';
}

const void *option_row_of(const struct option_table *table, int option)
{
	if (option >= FIRST_LONG_OPTION)
		return word_at(table, (size_t)(option - FIRST_LONG_OPTION));
	for (size_t i = 0; i < table->count; i++)
		if (word_at(table, i)->letter == option)
			return word_at(table, i);
	return NULL;
}
