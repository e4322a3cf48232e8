// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Start-up of message translation, shared by stap, staprun and stap-vm.
 *
 * SPILE_LOCALEDIR in the environment overrides the installed catalogue folder, so that the test suite can run the
 * tools under a generated pseudo-locale. A set-uid program must not let its caller choose a catalogue (format strings
 * come from there), hence secure_getenv().
 */
#include "translator/util/i18n.h"

#include <locale.h>
#include <stdlib.h>

void i18n_init(void)
{
	const char *folder = secure_getenv("SPILE_LOCALEDIR");

	setlocale(LC_ALL, "");
	/* Numbers in scripts, generated code and reports keep one form in every locale. */
	setlocale(LC_NUMERIC, "C");
	bindtextdomain("spile", folder ? folder : LOCALEDIR);
	textdomain("spile");
}
