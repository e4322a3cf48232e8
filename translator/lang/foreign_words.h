/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words of other languages; see foreign_words.c. */
#ifndef SPILE_LANG_FOREIGN_WORDS_H
#define SPILE_LANG_FOREIGN_WORDS_H

#include <stdbool.h>

/** Return a translated hint for a word that this language does not have, or NULL if the word is unknown. */
const char *foreign_word_hint(const char *word);

/** Is the word the beginning of a variable declaration in C, such as "int"? */
bool foreign_word_is_type(const char *word);

#endif
