// SPDX-License-Identifier: GPL-2.0-or-later
/* A line on the terminal about a step that takes long; see step.h. */
#include "staprun/step.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/memory.h"
#include "common/base/message.h"
#include "common/base/read_write.h"

static atomic_bool shown;

static bool is_terminal(void)
{
	const char *terminal = getenv("TERM");

	/* stap sets SPILE_PROGRESS for a guest whose output goes to the user's terminal. */
	return (isatty(STDERR_FILENO) || getenv("SPILE_PROGRESS")) && terminal && strcmp(terminal, "dumb");
}

void step_show(const char *text)
{
	_cleanup_free_ char *line = NULL;

	if (atomic_load(&shown) || !is_terminal() || messages_are_json())
		return;
	line = text_format("%s …", text);
	write_all(STDERR_FILENO, line, strlen(line));
	atomic_store(&shown, true);
}

void step_clear(void)
{
	static const char line[] = "\r\033[K";

	if (atomic_exchange(&shown, false))
		write_all(STDERR_FILENO, line, strlen(line));
}
