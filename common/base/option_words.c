// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables of command line options; see option_words.h. */
#include "common/base/option_words.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/memory.h"
#include "common/base/utf8.h"

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

/* Return the help of an option, or NULL. */
static const char *help_of(const struct option_word *word, size_t help)
{
	return *(const char *const *)((const char *)word + help);
}

static bool has_letters(const struct option_table *table, size_t help)
{
	for (size_t i = 0; i < table->count; i++)
		if (word_at(table, i)->letter && help_of(word_at(table, i), help))
			return true;
	return false;
}

/* Return how an option is written in help texts. The caller frees it. */
static char *written(const struct option_word *word, const char *indent)
{
	char letter[] = {'-', word->letter, ',', ' ', '\0'};

	return text_format("%s--%s%s%s", word->letter ? letter : indent, word->name, word->argument ? "=" : "",
			   word->argument ? _(word->argument) : "");
}

void option_words_show(const struct option_table *table, size_t help)
{
	const char *indent = has_letters(table, help) ? "    " : "";
	char *options[MOST_OPTIONS] = {NULL};
	int width = 0;

	for (size_t i = 0; i < table->count; i++) {
		int columns;

		if (!help_of(word_at(table, i), help))
			continue;
		options[i] = written(word_at(table, i), indent);
		columns = utf8_columns(options[i]);
		width = columns > width ? columns : width;
	}
	for (size_t i = 0; i < table->count; i++) {
		_cleanup_free_ char *padded = options[i] ? utf8_padded(options[i], -width) : NULL;

		/* TRANSLATORS: an option, and what it does. */
		if (padded)
			printf(_("  %s  %s\n"), padded, _(help_of(word_at(table, i), help)));
		free(options[i]);
	}
}

void option_program_suggest_help(const struct option_program *program)
{
	fprintf(stderr, _("Try '%s --help'."), program->name);
	fputc('\n', stderr);
}

bool option_program_read(const struct option_program *program, int argc, char **argv, void *settings, bool *served)
{
	struct option_words words;
	int option;

	*served = false;
	option_words_make(program->table, "", &words);
	while ((option = getopt_long(argc, argv, words.letters, words.names, NULL)) != -1) {
		const struct option_word *word = option_row_of(program->table, option);

		if (!word) {
			option_program_suggest_help(program);
			return false;
		}
		if (!strcmp(word->name, "help"))
			program->show_help();
		else if (!strcmp(word->name, "version"))
			printf("%s (Spile) %s\n", program->name, PACKAGE_VERSION);
		else
			program->set(word, word->argument ? optarg : NULL, settings);
		*served = *served || !strcmp(word->name, "help") || !strcmp(word->name, "version");
	}
	return true;
}
