/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Message translation. Strings for users are written _("..."), or N_("...") in a table whose user translates them. The
 * text domain is "spile".
 */
#ifndef SPILE_BASE_I18N_H
#define SPILE_BASE_I18N_H

#include <libintl.h>

#define _(text) i18n_text(text)
#define N_(text) text

/**
 * Select the user's locale and the message catalog. Call once, at the beginning of main().
 *
 * @param[in] directory Where the catalogs are: locale_directory().
 */
void i18n_init(const char *directory);

/** Translate a text, for _(). The catalog owns the result. */
char *i18n_text(const char *text) __attribute__((format_arg(1)));

#endif
