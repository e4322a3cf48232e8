// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The JSON view, for programs: one object per line, whose "type" gives its kind (staprun(8)). JSON is UTF-8, but the
 * output of scripts is bytes: invalid UTF-8 becomes U+FFFD. Commands are read as lines from standard input.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/base/json_text.h"
#include "monitor/monitor_view.h"

enum { OUTPUT_SIZE = 65536 };

static const char *module_name;

/*
 * Incomplete lines of output and of commands. Output is held until a line is complete, so as not to split a character.
 */
static char output_text[OUTPUT_SIZE], input_text[4096];
static size_t output_used, input_used;

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void put_field(FILE *to, const char *name, const char *text)
{
	fprintf(to, "\"%s\":", name);
	json_put_string(to, text, strlen(text), JSON_REPLACED);
}

static void put_probe(FILE *to, const struct watched_probe *probe)
{
	fprintf(to, "{\"index\":%u,", probe->index);
	put_field(to, "state", probe->state);
	fprintf(to, ",\"hits\":%lld,\"min\":%lld,\"avg\":%lld,\"max\":%lld,", probe->hits, probe->least, probe->average,
		probe->most);
	put_field(to, "point", probe->point);
	putc('}', to);
}

static void put_global(FILE *to, const struct watched_global *global)
{
	putc('{', to);
	put_field(to, "name", global->name);
	if (strcmp(global->count, "-") != 0)
		fprintf(to, ",\"elements\":%llu", strtoull(global->count, NULL, 10));
	fputs(",\"value\":", to);
	json_put_repaired(to, global->value, strlen(global->value));
	putc('}', to);
}

static void put_numbers(FILE *to, const struct control_status *status)
{
	const struct {
		const char *name;
		unsigned long long value;
	} numbers[] = {
		{"left", status->left},
		{"owner", status->owner},
		{"loaded_at", status->loaded_at},
		{"uptime", status->uptime},
		{"driver", status->driver},
		{"hits", status->hits},
		{"errors", status->errors},
		{"lost", status->lost},
		{"overwritten", status->overwritten},
		{"skipped_reentrant", status->skipped_reentrant},
		{"skipped_lock", status->skipped_lock},
		{"missed_return", status->missed_return},
		{"missed_deep_return", status->missed_deep_return},
		{"skipped_stack", status->skipped_stack},
		{"memory_variables", status->memory_variables},
		{"memory_output", status->memory_output},
		{"memory_contexts", status->memory_contexts},
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		fprintf(to, ",\"%s\":%llu", numbers[i].name, numbers[i].value);
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
	printf("{\"type\":\"status\",\"time\":%lld,", (long long)time(NULL));
	put_field(stdout, "module", module_name);
	putchar(',');
	put_field(stdout, "state", snapshot->status.state);
	put_numbers(stdout, &snapshot->status);
	fputs(",\"probes\":[", stdout);
	for (unsigned int i = 0; i < snapshot->probe_count; i++) {
		if (i)
			putchar(',');
		put_probe(stdout, &snapshot->probes[i]);
	}
	fputs("],\"globals\":[", stdout);
	for (unsigned int i = 0; i < snapshot->global_count; i++) {
		if (i)
			putchar(',');
		put_global(stdout, &snapshot->globals[i]);
	}
	puts("]}");
	fflush(stdout);
}

static void put_message(const char *type, const char *text, size_t length)
{
	printf("{\"type\":\"%s\",\"text\":", type);
	json_put_string(stdout, text, length, JSON_REPLACED);
	puts("}");
	fflush(stdout);
}

static void put_output(size_t length)
{
	if (length)
		put_message("output", output_text, length);
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
 * Take a complete line. Return false if there is none yet. An overlong line is truncated, and rejected as a command
 * later.
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
	put_message("error", message, strlen(message));
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
