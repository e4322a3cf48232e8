// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Start-up of message translation, shared by stap, stap-merge, staprun and stap-vm. The catalogues are where paths.c
 * says; a set-uid program does not let its caller choose them, since format strings come from there.
 */
#include "translator/util/i18n.h"

#include <locale.h>

#include "translator/util/paths.h"

void i18n_init(void)
{
	setlocale(LC_ALL, "");
	/* Numbers in scripts, generated code and reports keep one form in every locale. */
	setlocale(LC_NUMERIC, "C");
	bindtextdomain("spile", locale_folder());
	textdomain("spile");
}
