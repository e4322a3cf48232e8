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

/**
 * Put the object from the cache into a folder in which a module is made, or else the source, for kbuild to compile.
 *
 * @param[out] is_source Which of the two.
 */
struct error *runtime_provide(const struct translation *t, const struct runtime *runtime, const char *folder,
			      bool *is_source);

/** What kbuild has compiled in @p folder goes to the cache. */
struct error *runtime_keep(const struct translation *t, const struct runtime *runtime, const char *folder);

#endif
