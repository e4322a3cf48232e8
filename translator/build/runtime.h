/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runtime for one kernel, as source and as objects; see runtime.c. */
#ifndef SPILE_BUILD_RUNTIME_H
#define SPILE_BUILD_RUNTIME_H

#include "translator/translation.h"

/* The parts of the runtime that an object contains. Most scripts should not carry what few need. */
enum runtime_extent {
	RUNTIME_KERNEL,
	RUNTIME_PROGRAMS, /* and support for programs */
	RUNTIME_SYSCALLS, /* and system calls by name */
	RUNTIME_EXTENTS
};

struct runtime {
	char *source; /* directory */
	GPtrArray *files; /* char *, names relative to it */
	char *cache; /* cache directory for what is made with it, or NULL */
};

/** Find the source and the cache directory. ERROR_LOOKUP if Spile is not installed completely. */
struct error *runtime_find(const struct translation *t, struct runtime *runtime);
void runtime_clear(struct runtime *runtime);

/** Return the object that a script needs, by its C text. */
enum runtime_extent runtime_needed(const char *c_text);
/** Is the object in the cache? */
bool runtime_is_cached(const struct runtime *runtime, enum runtime_extent extent);

/**
 * Put the object from the cache, or else the source for kbuild to compile, into the directory of a module.
 *
 * @param[out] is_source Whether it was the source.
 */
struct error *runtime_provide(const struct translation *t, const struct runtime *runtime, enum runtime_extent extent,
			      const char *directory, bool *is_source);

/** Make the objects that were compiled in a directory prebuilt ones. */
struct error *runtime_ship(const char *directory);

/** Treat the objects that runtime_provide() put into a directory as kbuild treats prebuilt ones. */
struct error *runtime_use_prebuilt(const char *directory);

/** Rewrite the source without the parts in the report (unsupported_parts.h). */
struct error *runtime_leave_out(enum runtime_extent extent, const char *directory, const char *report);

/** Check that the object in the cache has all parts that the script needs. ERROR_BUILD with the part and the reason. */
struct error *runtime_check(const struct translation *t, const struct runtime *runtime, enum runtime_extent extent,
			    const char *c_text);

/**
 * Return the stack_usage_of_runtime() of the runtime that was linked to the module in @p directory. To be freed; may be
 * NULL.
 */
char *runtime_stack_usage(const struct runtime *runtime, enum runtime_extent extent, const char *directory);

/** Store what kbuild compiled in @p directory in the cache, with the report of left-out parts (NULL: none). */
struct error *runtime_keep(const struct translation *t, const struct runtime *runtime, enum runtime_extent extent,
			   const char *directory, const char *report);

#endif
