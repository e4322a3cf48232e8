/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The error convention. A function that can fail returns struct error *. NULL means success; else the caller owns the
 * error, and returns or reports it. (Errors in a script are diagnostics with a place in the source instead; see
 * lang/diagnostic.h.)
 *
 * The message tells the user what failed, on which object, and why. `hint` tells the remedy, in the imperative.
 */
#ifndef SPILE_BASE_ERROR_H
#define SPILE_BASE_ERROR_H

#include <stdbool.h>

enum error_code {
	ERROR_OTHER,
	ERROR_SYSTEM, /* a system call failed with errnum */
	ERROR_LOOKUP, /* the requested object does not exist */
	ERROR_DEBUGINFO, /* debuginfo missing, malformed or not matching */
	ERROR_UNSUPPORTED, /* understood, but not available (yet, or on this kernel) */
	ERROR_BUILD, /* a compiler or kbuild failed */
	ERROR_INTERRUPTED, /* the user asked to stop */
};

struct error {
	enum error_code code;
	int errnum;
	char *message;
	char *hint; /* may be NULL */
	char **alternatives; /* names that the hint suggests, NULL-terminated; or NULL */
};

/** Make an error from a printf format (already translated). */
struct error *error_new(enum error_code code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Make an error from the current errno; the message reads "<formatted text>: <strerror>". */
struct error *error_errno(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Set the hint, and return the same error. */
struct error *error_with_hint(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Add a name that the hint suggests, and return the same error. */
struct error *error_with_alternative(struct error *error, const char *name);

/** Put "<text>: " before the message, and return the same error. */
struct error *error_prefix(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Print "ERROR: message" and the hint, if any (common/base/message.h). Does not free. */
void error_report(const struct error *error);

void error_free(struct error *error);

/** Report and free an error. Return false if it is NULL. */
bool error_report_free(struct error *error);

static inline void cleanup_error(struct error **error)
{
	error_free(*error);
}
#define _cleanup_error_ __attribute__((cleanup(cleanup_error)))

#endif
