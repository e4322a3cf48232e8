/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What users of SystemTap know and our library does not have yet. */
#ifndef SPILE_SEMA_MISSING_H
#define SPILE_SEMA_MISSING_H

struct missing {
	const char *names; /* separated by blanks */
	const char *subject; /* of functions: what they are about; of aliases: why; to be translated, as the hint */
	const char *hint; /* what does the same here, or NULL */
};

/** NULL: not one of those. */
const struct missing *missing_function(const char *name);
/** By the text of a probe point. */
const struct missing *missing_alias(const char *name);

#endif
