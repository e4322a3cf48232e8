// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hints for words of C and other languages, such as "do", "switch" or "int i". In this language, they are ordinary
 * names. So the error is found later, by the parser (the following text does not fit) or in pass 2 (the name has no
 * value).
 */
#include "translator/lang/foreign_words.h"

#include <glib.h>
#include <string.h>

#include "common/base/i18n.h"

static const struct {
	const char *word, *hint;
} words[] = {
	{"do", N_("there is no do loop; use while (1) { ... if (!condition) break }")},
	{"switch", N_("there is no switch; use if and else if, or an array")},
	{"case", N_("there is no switch; use if and else if, or an array")},
	{"goto", N_("there is no goto; use break, continue, next or error() to leave a block")},
	{"then", N_("there is no then; put the statement after the condition")},
	{"elif", N_("use else if")},
	{"NULL", N_("use 0 for a null pointer")},
	{"nil", N_("use 0 for a null pointer")},
	{"true", N_("use 1 for true")},
	{"false", N_("use 0 for false")},
	{"let", N_("variables are not declared; assign a value")},
	{"var", N_("variables are not declared; assign a value")},
};

static const char *const types[] = {"int",   "char",   "long", "short",	 "unsigned", "signed", "void", "string",
				    "float", "double", "bool", "struct", "const",    "static", "auto", "size_t"};

bool foreign_word_is_type(const char *word)
{
	for (size_t i = 0; i < G_N_ELEMENTS(types); i++)
		if (!strcmp(word, types[i]))
			return true;
	return false;
}

const char *foreign_word_hint(const char *word)
{
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (!strcmp(word, words[i].word))
			return _(words[i].hint);
	return foreign_word_is_type(word) ? _("variables are not declared; assign a value") : NULL;
}
