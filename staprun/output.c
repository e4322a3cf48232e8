// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Write what the script prints.
 *
 * Output is collected in one buffer, which is written when it is full or when the reader has nothing more to read.
 * Warnings and errors flush the buffer first, so that a terminal shows both streams in the right order.
 *
 * A write that fails (broken pipe, disk full) is reported once and ends the session. Later output is dropped, because
 * the end probes still have to run and must not wait for a reader.
 */
#include "staprun/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/memory.h"
#include "common/base/message.h"
#include "common/base/read_write.h"
#include "staprun/messages.h"
#include "staprun/step.h"
#include "staprun/text_queue.h"

enum {
	BUFFER_SIZE = 65536,
	JSON_TEXT = STP_RECORD_LIMIT, /* bytes of text in a line: six characters for each fit into JSON_PACKET_LIMIT */
};

struct output {
	int fd;
	char *file_format; /* NULL: standard output */
	struct output_limit limit;
	size_t written; /* to the current file, not to one that the script has chosen */
	unsigned int file_number;
	bool is_over; /* begin the next file before writing more */
	struct text_queue file_names; /* -S: existing files, the newest last */
	bool warnings;
	char *error_color, *warning_color; /* "01;31", or NULL */
	struct error *error;
	bool failed, unread;
	FILE *lines; /* -J; or NULL */
	int first_fd; /* while the script has chosen another file: where output went before; or -1 */
	size_t used;
	char buffer[BUFFER_SIZE];
};

/* ---- colours --------------------------------------------------------------------------------------------------- */

/* Return the value of "name=" in a colon-separated list, if it is a plain escape parameter. */
static char *color_of(const char *list, const char *name)
{
	size_t length = strlen(name);

	while (list && *list) {
		size_t size = strcspn(list, ":");

		if (size > length && !strncmp(list, name, length) && list[length] == '=' &&
		    strspn(list + length + 1, "0123456789;") == size - length - 1)
			return text_copy(list + length + 1, size - length - 1);
		list += size;
		list += *list == ':';
	}
	return NULL;
}

static void choose_colors(struct output *output, enum color_when when)
{
	const char *list = getenv("SYSTEMTAP_COLORS");
	const char *terminal = getenv("TERM");

	if (when == COLOR_NEVER || (list && !*list))
		return;
	if (when == COLOR_AUTO && (!isatty(STDERR_FILENO) || !terminal || !strcmp(terminal, "dumb")))
		return;
	if (!list)
		list = "error=01;31:warning=00;33";
	output->error_color = color_of(list, "error");
	output->warning_color = color_of(list, "warning");
}

/* ---- writing --------------------------------------------------------------------------------------------------- */

static void check(struct output *output, bool worked)
{
	if (output->failed || worked)
		return;
	output->failed = true;
	output->unread = errno == EPIPE;
	if (!output->unread)
		output->error = error_errno(_("cannot write the output"));
}

int output_descriptor(const struct output *output)
{
	return output->fd;
}

void output_use_json(struct output *output, FILE *lines)
{
	output->lines = lines;
}

bool output_is_unread(const struct output *output)
{
	return output->unread;
}

static struct error *create_file(const char *name, int *ret)
{
	*ret = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
	return *ret < 0 ? error_errno(_("cannot write %s"), name) : NULL;
}

static struct error *open_file(struct output *output)
{
	_cleanup_free_ char *dated = NULL, *name = NULL;
	struct error *error = file_name_of_format(output->file_format, &dated);

	if (error)
		return error;
	if (output->limit.bytes || output->file_number)
		name = text_format("%s.%u", dated, output->file_number);
	else
		name = text_format("%s", dated);
	output->file_number++;
	error = create_file(name, &output->fd);
	if (error)
		return error;
	output->written = 0;
	if (output->limit.bytes)
		text_queue_add(&output->file_names, name, strlen(name));
	return NULL;
}

/* Open the next file, and with -S remove old files above the limit. Failures are recorded as write failures are. */
static void change_file(struct output *output)
{
	output->is_over = false;
	check(output, !close(output->fd));
	if (output->failed)
		return;
	output->error = open_file(output);
	output->failed = output->error != NULL;
	while (output->limit.files && output->file_names.count > output->limit.files) {
		_cleanup_free_ char *oldest = text_queue_take(&output->file_names);

		unlink(oldest);
	}
}

static bool wants_next_file(const struct output *output)
{
	if (!output->used || !output->written || output->first_fd >= 0)
		return false;
	return output->is_over || (output->limit.bytes && output->written + output->used > output->limit.bytes);
}

/* Write the beginning of the buffer as one line, which is one packet (monitor.h). */
static void write_line(struct output *output, size_t length)
{
	message_output(output->lines, output->buffer, length, false);
	check(output, !fflush(output->lines));
	output->used -= length;
	memmove(output->buffer, output->buffer + length, output->used);
}

/* Write whole lines of the script, so that no character is cut. The rest waits, unless it is the end. */
static void flush_json(struct output *output, bool is_end)
{
	while (output->used) {
		size_t most = output->used < JSON_TEXT ? output->used : JSON_TEXT;
		const char *end = memrchr(output->buffer, '\n', most);
		size_t length = end ? (size_t)(end + 1 - output->buffer) : most;

		if (!end && !is_end && output->used < JSON_TEXT)
			return;
		if (output->failed)
			output->used = 0;
		else
			write_line(output, length);
	}
}

void output_flush(struct output *output)
{
	if (output->lines && output->first_fd < 0) {
		flush_json(output, false);
		return;
	}
	if (wants_next_file(output))
		change_file(output);
	if (output->used)
		step_clear();
	if (output->used && !output->failed)
		check(output, write_all(output->fd, output->buffer, output->used));
	if (output->first_fd < 0)
		output->written += output->used;
	output->used = 0;
}

static void flush_to_end(struct output *output)
{
	if (output->lines && output->first_fd < 0)
		flush_json(output, true);
	output_flush(output);
}

/* Close the file that the script has chosen, if there is one. */
static void return_to_first(struct output *output)
{
	flush_to_end(output);
	if (output->first_fd < 0)
		return;
	check(output, !close(output->fd));
	output->fd = output->first_fd;
	output->first_fd = -1;
}

void output_reopen(struct output *output, const char *name, size_t length)
{
	_cleanup_free_ char *path = text_copy(name, length);
	int fd;

	return_to_first(output);
	if (!strcmp(path, "\n") || output->failed)
		return;
	output->error = create_file(path, &fd);
	output->failed = output->error != NULL;
	if (output->failed)
		return;
	output->first_fd = output->fd;
	output->fd = fd;
}

void output_truncate(struct output *output)
{
	flush_to_end(output);
	/* Without O_APPEND, the next write would leave a hole. */
	if (ftruncate(output->fd, 0))
		return;
	lseek(output->fd, 0, SEEK_SET);
	if (output->first_fd < 0)
		output->written = 0;
}

void output_close(struct output *output)
{
	return_to_first(output);
	check(output, !close(output->fd));
}

/* Read " at FILE:LINE:COLUMN" at this place. The file ends with NUL afterwards. */
static bool read_place(char *at, struct message_place *place)
{
	char *end = at + strcspn(at, ","), *colon;
	int used = 0;

	for (colon = at; colon < end; colon++)
		if (sscanf(colon, ":%d:%d%n", &place->line, &place->column, &used) == 2 && colon + used == end)
			break;
	if (colon == end)
		return false;
	place->file = at + strlen(" at ");
	*colon = '\0';
	return true;
}

/* Find the place in the first line of an error: "TEXT at FILE:LINE:COLUMN, in probe POINT". */
static bool find_place(char *line, struct message_place *place)
{
	for (char *at = line; (at = strstr(at, " at ")); at++)
		if (read_place(at, place))
			return true;
	return false;
}

/*
 * Write a message of the runtime (runtime/core/handler_error.c). A quote of the script and the hint follow its first
 * line. The quote is left out, because the place says which line it is.
 */
static void write_message(enum message_level level, const char *text, size_t size)
{
	static const char hint_mark[] = "\nhint: ";
	_cleanup_free_ char *copy = text_copy(text, size), *place_copy = NULL;
	char *hint = strstr(copy, hint_mark);
	struct message_place place = {0};

	if (hint)
		*hint = '\0';
	place_copy = text_copy(copy, strcspn(copy, "\n"));
	if (level == MESSAGE_ERROR && find_place(place_copy, &place))
		copy[strcspn(copy, "\n")] = '\0';
	message_print_at(level, copy, &place, hint ? hint + strlen(hint_mark) : NULL);
}

/* Print "LABEL: text\n" on standard error. */
static void labelled(struct output *output, enum message_level level, const char *text, size_t size)
{
	const char *label = level == MESSAGE_ERROR ? _("ERROR") : _("WARNING");
	const char *color = level == MESSAGE_ERROR ? output->error_color : output->warning_color;
	_cleanup_free_ char *line = NULL;

	while (size && text[size - 1] == '\n')
		size--;
	if (output->lines) {
		write_message(level, text, size);
		return;
	}
	if (color)
		line = text_format("\033[%sm%s:\033[m\033[K %.*s\n", color, label, (int)size, text);
	else
		line = text_format("%s: %.*s\n", label, (int)size, text);
	step_clear();
	write_all(STDERR_FILENO, line, strlen(line));
}

/* Write a message of the script to standard error; as JSON, it is a warning. */
static void plain_message(struct output *output, const char *text, size_t size)
{
	if (output->lines) {
		labelled(output, MESSAGE_WARNING, text, size);
		return;
	}
	step_clear();
	write_all(STDERR_FILENO, text, size);
}

void output_warning(struct output *output, const char *text)
{
	output_flush(output);
	if (output->warnings)
		labelled(output, MESSAGE_WARNING, text, strlen(text));
}

void output_end_file(struct output *output)
{
	output->is_over = output->file_format != NULL;
}

void output_record(void *data, const struct stp_record *record, const char *payload)
{
	struct output *output = data;

	if (record->type == STP_RECORD_OUTPUT) {
		if (output->used + record->length > BUFFER_SIZE)
			output_flush(output);
		memcpy(output->buffer + output->used, payload, record->length);
		output->used += record->length;
		return;
	}
	output_flush(output);
	if (record->type == STP_RECORD_SWITCH)
		output_end_file(output);
	else if (record->type == STP_RECORD_ERROR)
		labelled(output, MESSAGE_ERROR, payload, record->length);
	else if (record->type == STP_RECORD_MESSAGE)
		plain_message(output, payload, record->length);
	else if (record->type == STP_RECORD_NOTICE)
		message_verbose(1, "%.*s", (int)record->length, payload);
	else if (output->warnings)
		labelled(output, MESSAGE_WARNING, payload, record->length);
}

struct error *output_take_error(struct output *output)
{
	struct error *error = output->error;

	output->error = NULL;
	return error;
}

struct error *output_open(const char *file_format, const struct output_limit *limit, enum color_when color,
			  bool warnings, struct output **ret)
{
	_cleanup_free_ struct output *output = memory_new(1, sizeof(*output));
	struct error *error;

	_Static_assert(STP_RECORD_LIMIT <= BUFFER_SIZE, "a record must fit in the output buffer");
	*ret = NULL;
	output->fd = STDOUT_FILENO;
	output->first_fd = -1;
	output->warnings = warnings;
	output->limit = *limit;
	if (file_format) {
		output->file_format = text_format("%s", file_format);
		error = open_file(output);
		if (error)
			return error;
	}
	choose_colors(output, color);
	*ret = output;
	output = NULL;
	return NULL;
}
