/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of the command line that are options of the script; see script_words.c. */
#ifndef SPILE_SCRIPT_WORDS_H
#define SPILE_SCRIPT_WORDS_H

#include "translator/options.h"

struct script_words {
	/* The command line without them, but with --script-option=NAME=VALUE for those that change the module. */
	int argc;
	char **argv;
	GPtrArray *settings; /* of struct script_setting * */
	bool wants_help; /* --help after the script's name */
};

/**
 * Separate the options of the script from a command line. The result is valid after an error as well: without the word
 * that caused it.
 */
struct error *script_words_split(struct arena *arena, int argc, char **argv, struct script_words *ret);

#endif
