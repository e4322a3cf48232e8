// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parse the status of a module, lines of a key and a number. A separate file, because stap-monitor, which has no
 * privileges, needs only this part of staprun.
 */
#include "staprun/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/i18n.h"

void control_parse_status(const char *text, struct control_status *status)
{
	const struct {
		const char *key;
		unsigned long long *value;
	} keys[] = {
		{"left", &status->left},
		{"held", &status->held},
		{"owner", &status->owner},
		{"overwritten", &status->overwritten},
		{"gaps_end", &status->gaps_end},
		{"exit", &status->exit},
		{"status", &status->status},
		{"failed", &status->failed},
		{"lost", &status->lost},
		{"errors", &status->errors},
		{"skipped_reentrant", &status->skipped_reentrant},
		{"skipped_lock", &status->skipped_lock},
		{"missed_return", &status->missed_return},
		{"missed_deep_return", &status->missed_deep_return},
		{"skipped_stack", &status->skipped_stack},
		{"memory_variables", &status->memory_variables},
		{"memory_output", &status->memory_output},
		{"memory_contexts", &status->memory_contexts},
		{"loaded_at", &status->loaded_at},
		{"uptime", &status->uptime},
		{"driver", &status->driver},
		{"hits", &status->hits},
	};

	memset(status, 0, sizeof(*status));
	while (*text) {
		size_t line = strcspn(text, "\n"), length = strcspn(text, " \n");

		if (!strncmp(text, "state ", 6))
			snprintf(status->state, sizeof(status->state), "%.*s", (int)line - 6, text + 6);
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && text[length] == ' '; i++)
			if (length == strlen(keys[i].key) && !strncmp(text, keys[i].key, length))
				*keys[i].value = strtoull(text + length, NULL, 10);
		text += line;
		text += *text == '\n';
	}
}

const char *control_state_text(const char *state)
{
	static const char *const states[] = {
		/* TRANSLATORS: states of a script: the module is loaded, the script starts, runs, ends, has ended. */
		N_("loaded"),
		N_("starting"),
		N_("running"),
		N_("stopping"),
		N_("stopped"),
		/* TRANSLATORS: states of a script that runs: nobody reads its output, on purpose; somebody reads it;
		   nobody reads it any longer. */
		N_("left"),
		N_("attached"),
		N_("unused"),
		/* TRANSLATORS: states of a probe: on, off, or waiting for its condition. */
		N_("on"),
		N_("off"),
		N_("waits"),
	};

	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
		if (!strcmp(states[i], state))
			return _(states[i]);
	return state;
}

unsigned long long control_memory(const struct control_status *status)
{
	return status->memory_variables + status->memory_output + status->memory_contexts;
}

unsigned long long control_skipped(const struct control_status *status)
{
	return status->skipped_reentrant + status->skipped_lock + status->missed_return + status->missed_deep_return +
	       status->skipped_stack;
}
