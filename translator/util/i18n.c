// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Start-up of message translation, shared by stap, stap-merge, staprun and stap-vm. The catalogues are where paths.c
 * says; a set-uid program does not let its caller choose them, since format strings come from there.
 */
#include "translator/util/i18n.h"

#include <locale.h>
#include <stdbool.h>

#include "translator/util/paths.h"

/*
 * Is there a catalogue for the user's locale? gettext(3) looks for one anew in each call, and the parser names what it
 * expects before it knows whether it is there: thousands of times in the library.
 */
static bool translates;

void i18n_init(void)
{
	setlocale(LC_ALL, "");
	/* Numbers in scripts, generated code and reports keep one form in every locale. */
	setlocale(LC_NUMERIC, "C");
	bindtextdomain("spile", locale_folder());
	textdomain("spile");
	/* Every catalogue has an entry of no text, its header. */
	translates = *gettext("");
}

char *i18n_text(const char *text)
{
	return translates ? gettext(text) : (char *)text;
}
