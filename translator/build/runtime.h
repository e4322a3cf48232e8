/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runtime for one kernel, as source and as an object; see runtime.c. */
#ifndef SPILE_BUILD_RUNTIME_H
#define SPILE_BUILD_RUNTIME_H

#include "translator/translation.h"

struct runtime {
	char *source; /* the folder */
	GPtrArray *files; /* in it: names of char * */
	char *cache; /* the folder of the cache for what is made with it, or NULL */
};

/** Where the source is, and where in the cache; ERROR_LOOKUP if Spile is not installed completely. */
struct error *runtime_find(const struct translation *t, struct runtime *runtime);
void runtime_clear(struct runtime *runtime);

/** Does a script need the object with what is for programs, by its C text? */
bool runtime_needs_user_space(const char *c_text);
/** Is the object in the cache, the one with that or the one without? */
bool runtime_is_cached(const struct runtime *runtime, bool user_space);

/**
 * Put the object from the cache into a folder in which a module is made, or else the source, for kbuild to compile.
 *
 * @param[out] is_source Which of the two.
 */
struct error *runtime_provide(const struct translation *t, const struct runtime *runtime, bool user_space,
			      const char *folder, bool *is_source);

/** What kbuild has compiled in @p folder goes to the cache. */
struct error *runtime_keep(const struct translation *t, const struct runtime *runtime, bool user_space,
			   const char *folder);

#endif
