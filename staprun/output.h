/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write records to standard output or the file of -o, and to standard error; see output.c. */
#ifndef SPILE_STAPRUN_OUTPUT_H
#define SPILE_STAPRUN_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/base/error.h"
#include "runtime/abi/protocol.h"

enum color_when { COLOR_AUTO, COLOR_NEVER, COLOR_ALWAYS, COLOR_COUNT_ };

struct output;

/* -S: write files FILE.0, FILE.1 and so on of at most @bytes each, and keep the newest ones. */
struct output_limit {
	size_t bytes; /* 0: a single file without a limit */
	unsigned int files; /* how many files to keep; 0: all */
};

/**
 * Open the output, with the current identity of the process.
 *
 * @param[in] file_format File name for strftime(3); NULL means standard output.
 */
struct error *output_open(const char *file_format, const struct output_limit *limit, enum color_when color,
			  bool warnings, struct output **ret);

/** Return the descriptor of the current file. */
int output_descriptor(const struct output *output);

/** Write output, warnings and errors as lines of JSON to a stream from now on. NULL has no effect. */
void output_use_json(struct output *output, FILE *lines);

/** Return whether the reader of standard output is gone ("| head"). All output is then dropped without an error. */
bool output_is_unread(const struct output *output);
/** Write a record; a callback for merge_new(). output_take_error() returns failures. */
void output_record(void *output, const struct stp_record *record, const char *payload);

/** Print "WARNING: text" on standard error, unless -w was given. */
void output_warning(struct output *output, const char *text);

/** Continue in the next output file, if -o was given. Output that is still buffered goes there, too. */
void output_end_file(struct output *output);

/** Write what follows to the file @p name; if that is a newline, to the output that was opened first. */
void output_reopen(struct output *output, const char *name, size_t length);

/** Remove what the output file has so far. On a terminal or pipe, this has no effect. */
void output_truncate(struct output *output);

/** Write the buffered output. */
void output_flush(struct output *output);

/** Flush and close the output. Some file systems report a full disk only on close. */
void output_close(struct output *output);

/** Return the first write failure, or NULL. The caller owns it. Output after a failure is dropped. */
struct error *output_take_error(struct output *output);

#endif
