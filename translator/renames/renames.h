/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that the kernel has changed; see renames.c. */
#ifndef SPILE_RENAMES_H
#define SPILE_RENAMES_H

#include <stdbool.h>

/** A function that has another name in later kernels. */
struct function_rename {
	const char *old;
	const char *successors; /* separated by blanks, the best one first */
	const char *release; /* the first with the new name; NULL if that differs or is not known */
	bool is_same; /* each call of the old function is one of the first successor that the kernel has */
};

/** Return the row of a function, or NULL. */
const struct function_rename *function_rename(const char *old);

/** A member of a structure that has another name, or is in another place, in later kernels. */
struct member_rename {
	const char *type; /* the structure, without "struct" */
	const char *old; /* "member", or "member.member" */
	const char *path; /* components, separated by "." and "->" */
	const char *release;
	const char *change; /* how the value differs, a message; NULL: it does not */
};

/** Return the next row of a member whose `old` begins with this name, after @p previous (NULL: the first); or NULL. */
const struct member_rename *member_rename(const char *type, const char *old, const struct member_rename *previous);

/** A tracepoint that has another name in later kernels. */
struct tracepoint_rename {
	const char *old, *successor, *release; /* without the system */
};

/** Return the row of a tracepoint, or NULL. */
const struct tracepoint_rename *tracepoint_rename(const char *old);

/** An argument that tracepoints no longer have. */
struct argument_rename {
	const char *tracepoints; /* separated by blanks */
	const char *old;
	const char *argument, *path; /* it is this member of another argument */
	const char *release;
};

/** Return the row of an argument of a tracepoint, or NULL. */
const struct argument_rename *argument_rename(const char *tracepoint, const char *old);

#endif
