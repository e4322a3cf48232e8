/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runtime for one kernel, as source and as an object; see runtime.c. */
#ifndef SPILE_BUILD_RUNTIME_H
#define SPILE_BUILD_RUNTIME_H

#include "translator/translation.h"

/* Which of its files: most scripts should not carry what few need. */
enum runtime_extent {
	RUNTIME_KERNEL,
	RUNTIME_PROGRAMS, /* and what is for programs */
	RUNTIME_SYSCALLS, /* and system calls by name */
	RUNTIME_EXTENTS
};

struct runtime {
	char *source; /* the folder */
	GPtrArray *files; /* in it: names of char * */
	char *cache; /* the folder of the cache for what is made with it, or NULL */
};

/** Where the source is, and where in the cache; ERROR_LOOKUP if Spile is not installed completely. */
struct error *runtime_find(const struct translation *t, struct runtime *runtime);
void runtime_clear(struct runtime *runtime);

/** Which of the objects a script needs, by its C text. */
enum runtime_extent runtime_needed(const char *c_text);
/** Is the object in the cache? */
bool runtime_is_cached(const struct runtime *runtime, enum runtime_extent extent);

/**
 * Put the object from the cache into a folder in which a module is made, or else the source, for kbuild to compile.
 *
 * @param[out] is_source Which of the two.
 */
struct error *runtime_provide(const struct translation *t, const struct runtime *runtime, enum runtime_extent extent,
			      const char *folder, bool *is_source);

/** Do with the objects that runtime_provide() put into a folder what kbuild does with prebuilt ones. */
struct error *runtime_use_prebuilt(const char *folder);

/** Write the source anew, without the parts that the report (optional.h) is about. */
struct error *runtime_leave_out(enum runtime_extent extent, const char *folder, const char *report);

/** Does the object from the cache lack a part that the script needs? ERROR_BUILD says which, and why. */
struct error *runtime_check(const struct translation *t, const struct runtime *runtime, enum runtime_extent extent,
			    const char *c_text);

/** Of stack_usage_of_runtime(), of the runtime that a module in @p folder was linked with. To be freed; or NULL. */
char *runtime_stack_usage(const struct runtime *runtime, enum runtime_extent extent, const char *folder);

/** What kbuild has compiled in @p folder goes to the cache, and what it lacks (NULL: nothing). */
struct error *runtime_keep(const struct translation *t, const struct runtime *runtime, enum runtime_extent extent,
			   const char *folder, const char *report);

#endif
