/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where records go: standard output or -o FILE, and standard error; see output.c. */
#ifndef SPILE_STAPRUN_OUTPUT_H
#define SPILE_STAPRUN_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/protocol.h"
#include "translator/util/error.h"

enum color_when { COLOR_AUTO, COLOR_NEVER, COLOR_ALWAYS, COLOR_COUNT_ };

struct output;

/* -S: files FILE.0, FILE.1 and so on, each of so many bytes at most, of which the newest are kept. */
struct output_limit {
	size_t bytes; /* 0: one file without a limit */
	unsigned int files; /* 0: all are kept */
};

/**
 * @param[in] file_format NULL: standard output; else a file name for strftime(3), opened here with the identity that
 *            the process has now.
 */
struct error *output_open(const char *file_format, const struct output_limit *limit, enum color_when color,
			  bool warnings, struct output **ret);

/** Has the reader of standard output gone away ("| head")? Then all output is dropped, and nothing is wrong. */
bool output_is_unread(const struct output *output);
/** Write a record; for merge_new(). Failures are kept for output_take_error(). */
void output_record(void *output, const struct stp_record *record, const char *payload);

/** "WARNING: text" on standard error, unless -w. */
void output_warning(struct output *output, const char *text);

/** What comes from now on, and what is not flushed yet, goes to the next file, if there are files (-o). */
void output_end_file(struct output *output);

/** Hand on what is still buffered. */
void output_flush(struct output *output);

/** The last flush. Closes the file, which on some file systems is when a full disk shows. */
void output_close(struct output *output);

/** The first failure of a write, or NULL. Owned by the caller; later output is thrown away. */
struct error *output_take_error(struct output *output);

#endif
