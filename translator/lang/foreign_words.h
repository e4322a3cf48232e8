/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words of other languages; see foreign_words.c. */
#ifndef SPILE_LANG_FOREIGN_WORDS_H
#define SPILE_LANG_FOREIGN_WORDS_H

#include <stdbool.h>

/** What stands here for a word that this language does not have, translated; NULL: nothing is known of the word. */
const char *foreign_word_hint(const char *word);

/** Does C declare variables with this word? */
bool foreign_word_is_type(const char *word);

#endif
