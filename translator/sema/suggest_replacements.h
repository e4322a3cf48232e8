/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of SystemTap's library that ours does not have. */
#ifndef SPILE_SEMA_SUGGEST_REPLACEMENTS_H
#define SPILE_SEMA_SUGGEST_REPLACEMENTS_H

struct missing {
	const char *names; /* separated by spaces */
	const char *subject; /* functions: their topic; aliases: the reason; a msgid */
	const char *hint; /* a replacement, as a msgid; or NULL */
};

/** Find a missing function by its name. Return NULL if SystemTap has none either. */
const struct missing *missing_function(const char *name);
/** Find a missing alias by the text of a probe point. */
const struct missing *missing_alias(const char *name);

#endif
