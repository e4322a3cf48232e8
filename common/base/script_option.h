/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options that a script declares with the macros of tapset/options.stpm: what kinds there are, their values as text,
 * and their lines of --help. stap reads declarations from the script, and a bundle reads them from its modules. Not
 * linked with GLib, because bundles use it.
 */
#ifndef SPILE_BASE_SCRIPT_OPTION_H
#define SPILE_BASE_SCRIPT_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/error.h"

enum script_option_kind {
	SCRIPT_OPTION_NUMBER,
	SCRIPT_OPTION_SIZE,
	SCRIPT_OPTION_SECONDS,
	SCRIPT_OPTION_MILLISECONDS,
	SCRIPT_OPTION_MICROSECONDS,
	SCRIPT_OPTION_NANOSECONDS,
	SCRIPT_OPTION_STRING,
	SCRIPT_OPTION_CHOICE,
	SCRIPT_OPTION_FLAG,
	SCRIPT_OPTION_KIND_COUNT_
};

struct script_option {
	enum script_option_kind kind;
	const char *name; /* without "--" */
	const char *global; /* the global that it initializes, which can be set when the script starts; or NULL */
	const char *help;
	int64_t standard, least, most; /* of a number, in the unit of its kind */
	const char *standard_text; /* of a string or a choice; otherwise NULL */
	const char *choices; /* of a choice, separated by "|"; otherwise NULL */
};

/** Return the name of the macro that declares this kind. */
const char *script_option_macro(enum script_option_kind kind);

/** Find the kind that a macro declares. Return false if it declares none. */
bool script_option_find_kind(const char *macro, enum script_option_kind *ret);

/** Is the value a number, in the unit of the kind? Otherwise it is a text. */
bool script_option_is_number(enum script_option_kind kind);

/** Can a name be that of an option: lower-case letters, digits and "-", beginning with a letter, and not "help"? */
bool script_option_name_is_valid(const char *name);

/** Is @p text one of the option's choices? */
bool script_option_has_choice(const struct script_option *option, const char *text);

/**
 * Parse a value.
 *
 * @param[in] text NULL: the option was given without a value, which only a flag accepts.
 * @param[out] number The value of a number. The value of a text is the text itself.
 * @return NULL, or an error that names the option and what it accepts.
 */
struct error *script_option_parse(const struct script_option *option, const char *text, int64_t *number);

/** Return "GLOBAL=VALUE", as staprun takes it, for an option with a global and a parsed value. The caller frees it. */
char *script_option_setting(const struct script_option *option, const char *text, int64_t number);

/** Return a number with a unit, such as "4k" or "10ms". The caller frees it. */
char *script_option_number_text(enum script_option_kind kind, int64_t number);

/** Print the option's lines of --help. Its texts are not trusted. */
void script_option_print(FILE *to, const struct script_option *option);

#endif
