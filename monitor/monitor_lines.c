// SPDX-License-Identifier: GPL-2.0-or-later
/* The JSON view, for programs: lines of the schema in stap-json(5). Commands are read as lines from standard input. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/json_schema.h"
#include "common/base/message.h"
#include "monitor/monitor_view.h"

enum { OUTPUT_SIZE = 65536 };

static const char *module_name;

/*
 * Incomplete lines of output and of commands. Output is held until a line is complete, so as not to split a character.
 */
static char output_text[OUTPUT_SIZE], input_text[4096];
static size_t output_used, input_used;

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void put_probe(struct json_writer *w, const struct watched_probe *probe)
{
	json_object_begin(w);
	json_member_number(w, JSON_MONITORED_PROBE_INDEX, probe->index);
	json_member_text(w, JSON_MONITORED_PROBE_STATE, probe->state);
	json_member_number(w, JSON_MONITORED_PROBE_HITS, probe->hits);
	json_member_number(w, JSON_MONITORED_PROBE_MIN, probe->least);
	json_member_number(w, JSON_MONITORED_PROBE_AVG, probe->average);
	json_member_number(w, JSON_MONITORED_PROBE_MAX, probe->most);
	json_member_text(w, JSON_MONITORED_PROBE_POINT, probe->point);
	json_object_end(w);
}

static void put_global(struct json_writer *w, const struct watched_global *global)
{
	json_object_begin(w);
	json_member_text(w, JSON_MONITORED_GLOBAL_NAME, global->name);
	if (strcmp(global->count, "-") != 0)
		json_member_number(w, JSON_MONITORED_GLOBAL_ELEMENTS, strtoll(global->count, NULL, 10));
	json_member(w, JSON_MONITORED_GLOBAL_VALUE);
	json_repaired(w, global->value);
	json_object_end(w);
}

static void put_numbers(struct json_writer *w, const struct control_status *status)
{
	const struct {
		enum json_field field;
		unsigned long long value;
	} numbers[] = {
		{JSON_STATUS_LEFT, status->left},
		{JSON_STATUS_OWNER, status->owner},
		{JSON_STATUS_LOADED_AT, status->loaded_at},
		{JSON_STATUS_UPTIME, status->uptime},
		{JSON_STATUS_DRIVER, status->driver},
		{JSON_STATUS_HITS, status->hits},
		{JSON_STATUS_ERRORS, status->errors},
		{JSON_STATUS_LOST, status->lost},
		{JSON_STATUS_OVERWRITTEN, status->overwritten},
		{JSON_STATUS_SKIPPED_REENTRANT, status->skipped_reentrant},
		{JSON_STATUS_SKIPPED_LOCK, status->skipped_lock},
		{JSON_STATUS_MISSED_RETURN, status->missed_return},
		{JSON_STATUS_MISSED_DEEP_RETURN, status->missed_deep_return},
		{JSON_STATUS_SKIPPED_STACK, status->skipped_stack},
		{JSON_STATUS_MEMORY_VARIABLES, status->memory_variables},
		{JSON_STATUS_MEMORY_OUTPUT, status->memory_output},
		{JSON_STATUS_MEMORY_CONTEXTS, status->memory_contexts},
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		json_member_number(w, numbers[i].field, (int64_t)numbers[i].value);
}

/* ---- the view ---------------------------------------------------------------------------------------------------- */

static struct error *check_lines(void)
{
	return NULL;
}

static void begin_lines(const char *module)
{
	module_name = module;
}

static void show_lines(const struct snapshot *snapshot)
{
	struct json_writer w;

	json_begin(&w, stdout, JSON_STATUS_TIME);
	json_member_now(&w, JSON_STATUS_TIME);
	json_member_text(&w, JSON_STATUS_MODULE, module_name);
	json_member_text(&w, JSON_STATUS_STATE, snapshot->status.state);
	put_numbers(&w, &snapshot->status);
	json_member(&w, JSON_STATUS_PROBES);
	json_array_begin(&w);
	for (unsigned int i = 0; i < snapshot->probe_count; i++)
		put_probe(&w, &snapshot->probes[i]);
	json_array_end(&w);
	json_member(&w, JSON_STATUS_GLOBALS);
	json_array_begin(&w);
	for (unsigned int i = 0; i < snapshot->global_count; i++)
		put_global(&w, &snapshot->globals[i]);
	json_array_end(&w);
	json_line_end(&w);
	fflush(stdout);
}

static void put_output(size_t length)
{
	if (!length)
		return;
	message_output(stdout, output_text, length, false);
	fflush(stdout);
	output_used -= length;
	memmove(output_text, output_text + length, output_used);
}

static void output_lines(const char *text, size_t length, bool is_last)
{
	while (length) {
		size_t part = length < OUTPUT_SIZE - output_used ? length : OUTPUT_SIZE - output_used;
		const char *end;

		memcpy(output_text + output_used, text, part);
		output_used += part;
		text += part;
		length -= part;
		end = memrchr(output_text, '\n', output_used);
		put_output(end ? (size_t)(end + 1 - output_text) : output_used == OUTPUT_SIZE ? output_used : 0);
	}
	if (is_last)
		put_output(output_used);
}

/*
 * Take a complete line. Return false if the line is not complete yet. An overlong line is truncated, and rejected as a
 * command later.
 */
static bool take_line(char command[VIEW_COMMAND_SIZE])
{
	char *end = memchr(input_text, '\n', input_used);
	size_t length = end ? (size_t)(end - input_text) : sizeof(input_text);
	size_t kept = length < VIEW_COMMAND_SIZE ? length : VIEW_COMMAND_SIZE - 1;

	if (!end && input_used < sizeof(input_text))
		return false;
	memcpy(command, input_text, kept);
	command[kept] = '\0';
	length += end != NULL;
	input_used -= length;
	memmove(input_text, input_text + length, input_used);
	return true;
}

static enum view_input input_lines(char command[VIEW_COMMAND_SIZE])
{
	struct pollfd from = {.fd = STDIN_FILENO, .events = POLLIN};
	ssize_t got;

	if (take_line(command))
		return VIEW_COMMAND;
	if (poll(&from, 1, 0) <= 0)
		return VIEW_NOTHING;
	got = read(STDIN_FILENO, input_text + input_used, sizeof(input_text) - input_used);
	if (got <= 0)
		return got < 0 && errno == EINTR ? VIEW_NOTHING : VIEW_CLOSED;
	input_used += got;
	return take_line(command) ? VIEW_COMMAND : VIEW_NOTHING;
}

static void tell_lines(const char *message)
{
	messages_use_json(stdout);
	message_print(MESSAGE_ERROR, message, NULL, NULL);
	messages_use_json(NULL);
}

static void end_lines(void)
{
	output_lines("", 0, true);
}

const struct view lines_view = {
	.check = check_lines,
	.begin = begin_lines,
	.output = output_lines,
	.show = show_lines,
	.input = input_lines,
	.tell = tell_lines,
	.end = end_lines,
};
