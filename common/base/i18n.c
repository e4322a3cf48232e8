// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Start message translation, in all our programs. paths.c finds the catalogs. In a set-uid program, the user must not
 * choose them, since they contain format strings.
 */
#include "common/base/i18n.h"

#include <locale.h>
#include <stdbool.h>

/*
 * Is there a catalog for the user's locale? Without one, gettext(3) would search for it in each call, and the parser
 * translates texts thousands of times while it reads the library.
 */
static bool translates;

void i18n_init(const char *directory)
{
	setlocale(LC_ALL, "");
	/* Numbers in scripts, generated code and reports keep one form in every locale. */
	setlocale(LC_NUMERIC, "C");
	bindtextdomain("spile", directory);
	textdomain("spile");
	/* The entry of the empty text is the header of a catalog. */
	translates = *gettext("");
}

char *i18n_text(const char *text)
{
	return translates ? gettext(text) : (char *)text;
}
