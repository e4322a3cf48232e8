/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines that a user types, or a program writes into a pipe. */
#ifndef SPILE_INTERACTIVE_INPUT_H
#define SPILE_INTERACTIVE_INPUT_H

#include <glib.h>
#include <stdbool.h>

#include "common/base/error.h"

struct input;

/* Functions that the terminal's input calls while a line is edited. */
struct input_callbacks {
	/** Complete a line; see complete_line(). */
	GPtrArray *(*complete)(void *data, const char *line, size_t offset, size_t *from);
	void *data;
};

/** Return an error if standard input is a terminal, but Spile was built without readline. */
struct error *input_new(const struct input_callbacks *callbacks, struct input **ret);
void input_free(struct input *input);
bool input_is_terminal(const struct input *input);

enum line_outcome {
	LINE_READ,
	LINE_ABANDONED, /* by Ctrl-C */
	LINE_REFUSED, /* after an error message */
	LINE_END, /* of the input, or a signal asks this process to end */
};

/** Read a line without its end. The caller frees it. @p prompt is shown on a terminal only. */
enum line_outcome input_line(struct input *input, const char *prompt, char **ret);
/** Ask a question that only "yes" answers with true. */
bool input_confirm(struct input *input, const char *question);

/** Handle a signal: SIGTERM and SIGHUP ask this process to end. */
void input_note_signal(int number);
/** Did a signal ask this process to end? Return it, or 0. */
int input_signal(void);

#endif
