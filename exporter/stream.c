// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lines of a run of `stap --format=json`. Globals are collected until the line "snapshot" says that all are there,
 * so a scrape never sees half of a snapshot. Only the newest is kept.
 */
#include "exporter/stream.h"

#include <string.h>

#include "exporter/globals.h"
#include "exporter/json_line.h"

void stream_begin(struct stream *stream, const char *script, const struct exporter_limits *limits)
{
	*stream = (struct stream){.limits = limits, .script = script, .memory = globals_memory_new()};
}

void stream_end(struct stream *stream)
{
	globals_memory_free(stream->memory);
	metric_set_free(stream->pending);
	metric_set_free(stream->newest);
	g_free(stream->message);
	memset(stream, 0, sizeof(*stream));
}

static enum stream_event on_start(struct stream *stream, JsonObject *line)
{
	const char *module = json_text_member(line, "module");

	if (!module || !module_name_parse(module, strlen(module), &stream->module))
		return STREAM_INVALID;
	return STREAM_STARTED;
}

static enum stream_event on_message(struct stream *stream, JsonObject *line)
{
	const char *level = json_text_member(line, "level") ?: "";
	size_t length;
	char *text = json_bytes_member(line, "text", &length);

	if (!strcmp(level, "error"))
		stream->errors++;
	else if (!strcmp(level, "warning"))
		stream->warnings++;
	if (!text)
		return STREAM_INVALID;
	g_free(stream->message);
	stream->message = text;
	return STREAM_MESSAGE;
}

static enum stream_event on_global(struct stream *stream, JsonObject *line)
{
	if (!stream->pending)
		stream->pending = metric_set_new(stream->limits);
	if (!json_bool_member(line, "complete", true))
		stream->incomplete++;
	globals_add(stream->pending, stream->memory, stream->script, line);
	return STREAM_NOTHING;
}

static enum stream_event on_snapshot(struct stream *stream, JsonObject *line)
{
	metric_set_free(stream->newest);
	/* A script without globals has snapshots without metrics. */
	stream->newest = stream->pending ?: metric_set_new(stream->limits);
	stream->pending = NULL;
	stream->snapshots++;
	for (int i = 0; i < DROP_REASON_COUNT_; i++)
		stream->dropped[i] += stream->newest->dropped[i];
	stream->shortened += stream->newest->shortened;
	return STREAM_SNAPSHOT;
}

static enum stream_event on_end(struct stream *stream, JsonObject *line)
{
	int64_t lost = 0;

	if (json_int_member(line, "lost", &lost) && lost > 0)
		stream->lost += (uint64_t)lost;
	return STREAM_NOTHING;
}

static const struct {
	const char *type;
	enum stream_event (*read)(struct stream *stream, JsonObject *line);
} types[] = {
	{"start", on_start}, {"message", on_message}, {"global", on_global}, {"snapshot", on_snapshot}, {"end", on_end},
};

enum stream_event stream_line(struct stream *stream, const char *line, size_t length)
{
	static const char output[] = "{\"type\":\"output\"";
	enum stream_event event = STREAM_NOTHING;
	JsonParser *parser = NULL;
	JsonObject *object;
	const char *type;

	/* A script may print much, and nothing of it is needed. Our writers put the type first. */
	if (!strncmp(line, output, strlen(output)))
		return STREAM_NOTHING;
	object = json_line_parse(line, length, &parser);
	type = object ? json_text_member(object, "type") : NULL;
	if (!type)
		event = STREAM_INVALID;
	for (size_t i = 0; type && i < G_N_ELEMENTS(types); i++)
		if (!strcmp(type, types[i].type))
			event = types[i].read(stream, object);
	g_clear_object(&parser);
	return event;
}
