// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What to say to those who write C, or another language, by habit: "do", "switch", "int i". Such a word is a name like
 * any other here, so the mistake is noticed later, by the parser (what follows does not fit) or in pass 2 (the name has
 * no value).
 */
#include "translator/lang/foreign_words.h"

#include <glib.h>
#include <string.h>

#include "translator/util/i18n.h"

static const struct {
	const char *word, *hint;
} words[] = {
	{"do", N_("there is no do loop; while (1) { ... if (!condition) break } is one")},
	{"switch", N_("there is no switch; if and else if do the same, or an array")},
	{"case", N_("there is no switch; if and else if do the same, or an array")},
	{"goto", N_("there is no goto; break, continue, next and error() leave blocks")},
	{"then", N_("there is no then; the statement follows the condition")},
	{"elif", N_("it is written else if")},
	{"NULL", N_("an address that leads nowhere is 0")},
	{"nil", N_("an address that leads nowhere is 0")},
	{"true", N_("what is true is 1")},
	{"false", N_("what is false is 0")},
	{"let", N_("variables are not declared: the first value that one is given makes it")},
	{"var", N_("variables are not declared: the first value that one is given makes it")},
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
	return foreign_word_is_type(word) ? _("variables are not declared: the first value that one is given makes it")
					  : NULL;
}
