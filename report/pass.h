/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print what a script says while its recording is read (stap-report --pass). */
#ifndef SPILE_REPORT_PASS_H
#define SPILE_REPORT_PASS_H

#include <sys/types.h>

#include "report/recording.h"

struct pass {
	pid_t script; /* interrupt this process if standard output has no reader; 0: none was named */
	const char *error_color, *warning_color; /* NULL: none */
	bool is_unread; /* the reader of standard output has closed it */
	bool has_failed; /* standard output cannot be written, which was reported */
};

/** Choose colors for messages: @p when is auto, always or never. */
void pass_choose_colors(struct pass *pass, const char *when);

/** Write the script's output to standard output. After a failure, later output is dropped. */
void pass_output(struct pass *pass, const struct output *output);

/** Write a message to standard error, as stap does. */
void pass_message(struct pass *pass, const struct recording *recording, const struct message *message);

#endif
