/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of command line options. Each program has an array of rows of its own type, which begin with a struct
 * option_word. The arguments of getopt_long(3) are made of the table, and its results are rows of the table. Not linked
 * with GLib, because staprun uses it.
 */
#ifndef SPILE_BASE_OPTION_WORDS_H
#define SPILE_BASE_OPTION_WORDS_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

enum {
	MOST_OPTIONS = 256, /* rows of a table */
	FIRST_LONG_OPTION = 256, /* getopt_long() returns this, plus the number of the row, for a long option */
};

/* How an option is written; the first member of a row. */
struct option_word {
	char letter; /* of the short option; 0: none */
	const char *name; /* of the long option, without "--"; NULL: none */
	const char *argument; /* as the usage text shows it; "[=...]" is optional; NULL: takes none */
};

struct option_table {
	const void *rows;
	size_t count, row_size;
};

#define OPTION_TABLE(array)                                                                                            \
	{                                                                                                              \
		.rows = (array), .count = sizeof(array) / sizeof((array)[0]), .row_size = sizeof((array)[0])           \
	}

/** Arguments of getopt_long() and getopt(). */
struct option_words {
	struct option names[MOST_OPTIONS + 1];
	char letters[2 * MOST_OPTIONS + 8];
};

/** Make the arguments; @p prefix is what precedes the letters (":", "+"), or letters that have no row. */
void option_words_make(const struct option_table *table, const char *prefix, struct option_words *ret);

/** Return the row of a result of getopt_long() or getopt(), or NULL. */
const void *option_row_of(const struct option_table *table, int option);

/**
 * Print a line for each option: how it is written, in a column, and what it does. Options without help are left out. If
 * some options have a letter, the others are indented.
 *
 * @param[in] help The offset in a row of a const char * that is marked by N_(); NULL there: no help.
 */
void option_words_show(const struct option_table *table, size_t help);

/* A program whose options only set values. */
struct option_program {
	const char *name;
	const struct option_table *table; /* has --help and --version */
	void (*show_help)(void);
	/** Apply an option; @p row is its row. The argument is NULL if it takes none. */
	void (*set)(const void *row, const char *argument, void *settings);
};

/**
 * Read the options of the command line; optind is then the first argument. --help and --version are printed.
 *
 * @param[out] served Only --help or --version was requested.
 * @return false if an option is wrong, which was reported.
 */
bool option_program_read(const struct option_program *program, int argc, char **argv, void *settings, bool *served);

/** Suggest --help on standard error. */
void option_program_suggest_help(const struct option_program *program);

bool option_argument_is_optional(const struct option_word *word);

#endif
