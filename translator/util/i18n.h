/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Message translation. Every string that a user may see is written _("...") where it is used and N_("...") where it
 * only stands in a table and is translated later. The text domain is "spile".
 */
#ifndef SPILE_UTIL_I18N_H
#define SPILE_UTIL_I18N_H

#include <libintl.h>

#define _(text) i18n_text(text)
#define N_(text) text

/** Select the user's locale and the message catalogue. Call once, first thing in main(). */
void i18n_init(void);

/** The text in the user's language, for _(). Owned by the catalogue. */
char *i18n_text(const char *text) __attribute__((format_arg(1)));

#endif
