// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Options of scripts; see script_option.h.
 *
 * A number is stored in the unit of its kind, so that the script computes with it as it is: option_seconds() is 90 for
 * "90s". What the user writes may have any unit; without one, it is in the unit of the kind.
 */
#include "common/base/script_option.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/memory.h"
#include "common/base/number.h"
#include "common/base/utf8.h"

struct unit {
	const char *name;
	int64_t value;
};

/* From the smallest to the largest. */
static const struct unit size_units[] = {
	{"k", 1LL << 10}, {"M", 1LL << 20}, {"G", 1LL << 30}, {"T", 1LL << 40}, {NULL, 0},
};

static const struct unit time_units[] = {
	{"ns", 1},	    {"us", 1000},	  {"ms", 1000000},	 {"s", 1000000000},
	{"m", 60000000000}, {"h", 3600000000000}, {"d", 86400000000000}, {NULL, 0},
};

static const struct form {
	const char *macro;
	const char *value; /* as --help shows it */
	const char *wanted; /* what an error asks for; of a number, followed by its limits */
	const struct unit *units; /* NULL: no units */
	int64_t unit; /* of the number */
} forms[SCRIPT_OPTION_KIND_COUNT_] = {
	[SCRIPT_OPTION_NUMBER] = {"option_number", N_("NUMBER"), N_("a number"), NULL, 1},
	[SCRIPT_OPTION_SIZE] = {"option_size", N_("SIZE"), N_("a size such as 64k"), size_units, 1},
	[SCRIPT_OPTION_SECONDS] = {"option_seconds", N_("TIME"), N_("a time such as 10s or 2m"), time_units,
				   1000000000},
	[SCRIPT_OPTION_MILLISECONDS] = {"option_milliseconds", N_("TIME"), N_("a time such as 10ms or 2s"), time_units,
					1000000},
	[SCRIPT_OPTION_MICROSECONDS] = {"option_microseconds", N_("TIME"), N_("a time such as 10us or 2ms"), time_units,
					1000},
	[SCRIPT_OPTION_NANOSECONDS] = {"option_nanoseconds", N_("TIME"), N_("a time such as 10ns or 2us"), time_units,
				       1},
	[SCRIPT_OPTION_STRING] = {"option_string", N_("TEXT"), N_("a text")},
	[SCRIPT_OPTION_CHOICE] = {"option_choice", NULL, N_("one of")},
	[SCRIPT_OPTION_FLAG] = {"option_flag", NULL, N_("yes or no")},
};

/* ---- kinds and names --------------------------------------------------------------------------------------------- */

const char *script_option_macro(enum script_option_kind kind)
{
	return forms[kind].macro;
}

bool script_option_find_kind(const char *macro, enum script_option_kind *ret)
{
	for (unsigned int kind = 0; kind < SCRIPT_OPTION_KIND_COUNT_; kind++)
		if (!strcmp(macro, forms[kind].macro)) {
			*ret = kind;
			return true;
		}
	return false;
}

bool script_option_is_number(enum script_option_kind kind)
{
	return kind != SCRIPT_OPTION_STRING && kind != SCRIPT_OPTION_CHOICE;
}

bool script_option_name_is_valid(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz";

	return *name && strchr(letters, *name) && name[strlen(name) - 1] != '-' && strcmp(name, "help") &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name);
}

bool script_option_has_choice(const struct script_option *option, const char *text)
{
	size_t length = strlen(text);

	for (const char *choice = option->choices; choice; choice = strchr(choice, '|')) {
		choice += *choice == '|';
		if (strcspn(choice, "|") == length && !strncmp(choice, text, length))
			return true;
	}
	return false;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* Does a unit follow the number? Sizes may be written in either case, and with "B" or "iB" as in "64KiB". */
static bool is_unit(const struct unit *units, const struct unit *unit, const char *text)
{
	if (units != size_units)
		return !strcmp(text, unit->name);
	return (*text == *unit->name || *text == (*unit->name ^ 0x20)) &&
	       (!text[1] || !strcmp(text + 1, "B") || !strcmp(text + 1, "iB"));
}

/* Parse a number and its unit. Return false if this is not one, or not a multiple of the kind's unit. */
static bool parse_with_unit(const struct form *form, const char *text, int64_t *ret)
{
	const char *rest = parse_number_at(text, 0, INT64_MIN, INT64_MAX, ret);

	if (!rest || !*rest)
		return rest;
	for (const struct unit *unit = form->units; unit && unit->name; unit++) {
		int64_t product;

		if (!is_unit(form->units, unit, rest))
			continue;
		if (__builtin_mul_overflow(*ret, unit->value, &product) || product % form->unit)
			return false;
		*ret = product / form->unit;
		return true;
	}
	return false;
}

char *script_option_number_text(enum script_option_kind kind, int64_t number)
{
	const struct form *form = &forms[kind];
	const struct unit *best = NULL;
	int64_t total;

	if (!number || __builtin_mul_overflow(number, form->unit, &total))
		return text_format("%lld", (long long)number);
	for (const struct unit *unit = form->units; unit && unit->name; unit++)
		if (!(total % unit->value))
			best = unit;
	return best ? text_format("%lld%s", (long long)(total / best->value), best->name)
		    : text_format("%lld", (long long)total);
}

static bool has_limits(const struct script_option *option)
{
	return option->least != INT64_MIN || option->most != INT64_MAX;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static struct error *wrong_number(const struct script_option *option, const char *text)
{
	_cleanup_free_ char *least = script_option_number_text(option->kind, option->least);
	_cleanup_free_ char *most = script_option_number_text(option->kind, option->most);
	const char *wanted = _(forms[option->kind].wanted);

	if (!has_limits(option))
		return error_new(ERROR_OTHER, _("option --%s requires %s, not '%s'"), option->name, wanted, text);
	/* TRANSLATORS: an option, "a number" or the like, its limits, and what the user wrote */
	return error_new(ERROR_OTHER, _("option --%s requires %s from %s to %s, not '%s'"), option->name, wanted, least,
			 most, text);
}

static struct error *wrong_choice(const struct script_option *option, const char *text)
{
	_cleanup_free_ char *choices = text_format("%s", option->choices);

	for (char *at = choices; *at; at++)
		*at = *at == '|' ? ' ' : *at;
	return error_new(ERROR_OTHER, _("option --%s requires %s: %s, not '%s'"), option->name,
			 _(forms[option->kind].wanted), choices, text);
}

static struct error *parse_flag(const struct script_option *option, const char *text, int64_t *ret)
{
	*ret = !text || !strcmp(text, "yes") || !strcmp(text, "1");
	if (*ret || !strcmp(text, "no") || !strcmp(text, "0"))
		return NULL;
	return error_new(ERROR_OTHER, _("option --%s requires %s, not '%s'"), option->name,
			 _(forms[option->kind].wanted), text);
}

struct error *script_option_parse(const struct script_option *option, const char *text, int64_t *number)
{
	int64_t value;

	*number = 0;
	if (option->kind == SCRIPT_OPTION_FLAG)
		return parse_flag(option, text, number);
	if (!text)
		return error_new(ERROR_OTHER, _("option --%s requires a value"), option->name);
	if (option->kind == SCRIPT_OPTION_CHOICE)
		return script_option_has_choice(option, text) ? NULL : wrong_choice(option, text);
	if (option->kind == SCRIPT_OPTION_STRING)
		return strchr(text, '\n')
			       ? error_new(ERROR_OTHER, _("option --%s requires a text of one line"), option->name)
			       : NULL;
	if (!parse_with_unit(&forms[option->kind], text, &value) || value < option->least || value > option->most)
		return wrong_number(option, text);
	*number = value;
	return NULL;
}

char *script_option_setting(const struct script_option *option, const char *text, int64_t number)
{
	return script_option_is_number(option->kind) ? text_format("%s=%lld", option->global, (long long)number)
						     : text_format("%s=%s", option->global, text);
}

/* ---- --help ------------------------------------------------------------------------------------------------------ */

/* Return "--top=NUMBER". The caller frees it. */
static char *spelling(const struct script_option *option)
{
	const char *value = forms[option->kind].value;

	if (option->kind == SCRIPT_OPTION_FLAG)
		return text_format("--%s", option->name);
	return text_format("--%s=%s", option->name, value ? _(value) : option->choices);
}

/* Return what follows the description: the default and the limits. The caller frees it. */
static char *facts(const struct script_option *option)
{
	_cleanup_free_ char *standard = script_option_number_text(option->kind, option->standard);
	_cleanup_free_ char *least = script_option_number_text(option->kind, option->least);
	_cleanup_free_ char *most = script_option_number_text(option->kind, option->most);

	if (option->kind == SCRIPT_OPTION_FLAG)
		return text_format("%s", "");
	if (!script_option_is_number(option->kind))
		return *option->standard_text ? text_format(_(" (default: %s)"), option->standard_text)
					      : text_format("%s", "");
	if (!has_limits(option))
		return text_format(_(" (default: %s)"), standard);
	/* TRANSLATORS: the default of an option, and the least and the greatest value that it accepts */
	return text_format(_(" (default: %s; %s to %s)"), standard, least, most);
}

void script_option_print(FILE *to, const struct script_option *option)
{
	enum { COLUMN = 24 };
	_cleanup_free_ char *plain_word = spelling(option), *plain_facts = facts(option);
	_cleanup_free_ char *word = utf8_escaped(plain_word), *rest = utf8_escaped(plain_facts);
	_cleanup_free_ char *help = utf8_escaped(option->help), *padded = utf8_padded(word, 2 - COLUMN);

	if (utf8_columns(word) > COLUMN - 4)
		fprintf(to, "  %s\n%*s%s%s\n", word, COLUMN, "", help, rest);
	else
		fprintf(to, "  %s%s%s\n", padded, help, rest);
}
