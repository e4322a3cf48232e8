// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The output of a handler is collected after a record header in its context. It is sent to the transport when the
 * buffer is full and when the handler ends. Except in the session context, nothing here sleeps, allocates or takes a
 * lock.
 */
#include <linux/string.h>

#include "runtime/abi/protocol.h"
#include "runtime/core/full_context.h"
#include "runtime/core/internal.h"
#include "runtime/core/session.h"
#include "runtime/core/transport.h"

/* Send the buffer. @more: more parts of this record follow. The session context, which runs alone, needs no parts. */
static void flush_part(struct full_context *f, bool more)
{
	unsigned int number = f->record.part;

	f->record.length = f->stream.used;
	f->stream.used = 0;
	if (f->script.is_session) {
		transport_write(&f->record, true);
		return;
	}
	f->record.part |= more ? STP_PART_MORE : 0;
	/* After a lost part, do not send the rest. */
	if (f->is_torn)
		transport_count_lost();
	else
		f->is_torn = !transport_write(&f->record, false);
	f->record.part = more ? (number + 1) & ~STP_PART_MORE : 0;
	f->is_torn &= more;
}

void flush_stream(struct full_context *f)
{
	if (f->stream.used)
		flush_part(f, false);
}

/* Append to the sink. A full stream buffer is sent; a full string is truncated. */
static void sink_put(struct stp_context *c, const char *text, unsigned int length)
{
	struct full_context *f = full_context_of(c);
	struct stp_sink *sink = c->sink;

	while (length) {
		unsigned int room = sink->size - sink->used;
		unsigned int part = min(room, length);

		memcpy(sink->buffer + sink->used, text, part);
		sink->used += part;
		f->attention = true;
		text += part;
		length -= part;
		if (!length)
			break;
		if (sink != &f->stream)
			break;
		flush_part(f, true);
	}
}

void stp_print(struct stp_context *c, const char *text, unsigned int length)
{
	sink_put(c, text, length);
}

void stp_print_together(struct stp_context *c, unsigned int size)
{
	struct full_context *f = full_context_of(c);

	if (c->sink == &f->stream && f->stream.used && f->stream.size - f->stream.used < size)
		flush_part(f, true);
}

/*
 * Format into the sink. What does not fit into the rest of the stream's buffer is formatted into an empty one, which
 * holds the longest text. A string is truncated.
 */
static void sink_format(struct stp_context *c, const char *format, va_list args)
{
	struct full_context *f = full_context_of(c);
	struct stp_sink *sink = c->sink;
	bool is_stream = sink == &f->stream;
	/* A string has space for a NUL after its end; a stream needs none. */
	unsigned int room = sink->size - sink->used + !is_stream;
	unsigned int length;
	va_list again;

	va_copy(again, args);
	length = vsnprintf(sink->buffer + sink->used, room, format, again);
	va_end(again);
	if (length >= room && is_stream && sink->used) {
		flush_part(f, true);
		room = sink->size;
		length = vsnprintf(sink->buffer, room, format, args);
	}
	sink->used += min(length, room - 1);
	f->attention = true;
}

void stp_printf(struct stp_context *c, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	sink_format(c, format, args);
	va_end(args);
}

/* Send a record of its own, after the output of the handler so far. */
static void put_message(struct stp_context *c, enum stp_record_type type, const char *text, bool add_newline)
{
	struct full_context *f = full_context_of(c);
	struct stp_sink *sink = c->sink;
	size_t length = strlen(text);

	flush_stream(f);
	f->record.type = type;
	c->sink = &f->stream;
	sink_put(c, text, length);
	if (add_newline && (!length || text[length - 1] != '\n'))
		sink_put(c, "\n", 1);
	flush_stream(f);
	f->record.type = STP_RECORD_OUTPUT;
	c->sink = sink;
}

void stp_log(struct stp_context *c, const char *text)
{
	put_message(c, STP_RECORD_OUTPUT, text, true);
}

void stp_warn(struct stp_context *c, const char *text)
{
	/* A record must not be empty; staprun removes the newline. */
	put_message(c, STP_RECORD_WARNING, *text ? text : "\n", false);
}

void stp_message(struct stp_context *c, const char *text)
{
	if (*text)
		put_message(c, STP_RECORD_MESSAGE, text, true);
}

void stp_output_mark(struct stp_context *c)
{
	struct full_context *f = full_context_of(c);

	f->marked_part = f->record.part;
	f->marked = f->stream.used;
}

void stp_output_take(struct stp_context *c, char *to)
{
	struct full_context *f = full_context_of(c);
	unsigned int length = 0;

	if (f->marked_part == f->record.part && f->marked <= f->stream.used) {
		char *start = f->stream.buffer + f->marked;

		length = min(f->stream.used - f->marked, stp_script.string_size - 1);
		memcpy(to, start, length);
		memmove(start, start + length, f->stream.used - f->marked - length);
		f->stream.used -= length;
	}
	to[length] = '\0';
}

void stp_output_rewind(struct stp_context *c)
{
	struct full_context *f = full_context_of(c);

	if (f->marked_part == f->record.part && f->marked < f->stream.used)
		f->stream.used = f->marked;
}

void stp_switch_file(struct stp_context *c)
{
	/* A record must not be empty. */
	put_message(c, STP_RECORD_SWITCH, "\n", false);
}

/* A name that fills a string was probably truncated, and would be that of another file. */
void stp_reopen_output(struct stp_context *c, const char *name)
{
	if (strlen(name) >= stp_script.string_size - 1)
		stp_warn(c, "a file name that fills a string (MAXSTRINGLEN) may have been cut, and is not used");
	else
		put_message(c, STP_RECORD_REOPEN, *name ? name : "\n", false);
}

void stp_truncate_output(struct stp_context *c)
{
	put_message(c, STP_RECORD_TRUNCATE, "\n", false);
}

/* ---- for C of scripts -------------------------------------------------------------------------------------------- */

void stp_print_here(const char *format, ...)
{
	struct full_context *f = context_current();
	va_list args;

	va_start(args, format);
	if (f)
		sink_format(&f->script, format, args);
	else
		vprintk(format, args);
	va_end(args);
}

void stp_flush_here(void)
{
	struct full_context *f = context_current();

	if (f)
		flush_stream(f);
}

static const enum stp_record_type report_types[STP_REPORT_COUNT_] = {
	[STP_REPORT_WARNING] = STP_RECORD_WARNING,
	[STP_REPORT_ERROR] = STP_RECORD_ERROR,
	[STP_REPORT_SOFT_ERROR] = STP_RECORD_ERROR,
	[STP_REPORT_DEBUG] = STP_RECORD_NOTICE,
};

static void report_in(struct full_context *f, enum stp_record_type type, const char *format, va_list args)
{
	struct stp_context *c = &f->script;
	struct stp_sink *sink = c->sink;

	flush_stream(f);
	f->record.type = type;
	c->sink = &f->stream;
	sink_format(c, format, args);
	if (!f->stream.used)
		sink_put(c, "\n", 1);
	flush_stream(f);
	f->record.type = STP_RECORD_OUTPUT;
	c->sink = sink;
}

void stp_report_here(enum stp_report report, const char *format, ...)
{
	struct full_context *f = context_current();
	va_list args;

	va_start(args, format);
	if (f)
		report_in(f, report_types[report], format, args);
	else
		vprintk(format, args);
	va_end(args);
	if (report != STP_REPORT_ERROR)
		return;
	atomic_set(&session_failed, 1);
	session_request_exit();
}

/* Send each collected command as a record. */
void send_commands(struct full_context *f)
{
	const char *command = f->commands, *end = f->commands + f->commands_used;

	f->commands_used = 0;
	for (; command < end; command += strlen(command) + 1)
		put_message(&f->script, STP_RECORD_COMMAND, command, false);
}

/*
 * Refuse a command that fills a string: it was probably truncated, and half a command may do anything. If the commands
 * of a handler do not fit, send the first ones before it ends.
 */
void stp_system(struct stp_context *c, const char *command)
{
	struct full_context *f = full_context_of(c);
	size_t length = strlen(command);

	if (!f->commands || !length)
		return;
	if (length >= min(stp_script.string_size - 1, (unsigned int)STP_RECORD_LIMIT)) {
		stp_warn(c,
			 "a command for system() that fills a string (MAXSTRINGLEN) may have been cut, and is not run");
		return;
	}
	if (f->commands_used + length >= commands_size())
		send_commands(f);
	memcpy(f->commands + f->commands_used, command, length + 1);
	f->commands_used += length + 1;
	f->attention = true;
}

void stp_sink_begin(struct stp_context *c, char *buffer)
{
	c->string_sink = (struct stp_sink){.buffer = buffer, .size = stp_script.string_size - 1};
	c->sink = &c->string_sink;
}

void stp_sink_end(struct stp_context *c)
{
	c->sink->buffer[c->sink->used] = '\0';
	c->sink = &full_context_of(c)->stream;
}
