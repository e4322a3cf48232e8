// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lines of a run of `stap --format=json`. Globals are collected until the line "snapshot" says that all are there,
 * so a scrape never sees half of a snapshot. Only the newest is kept.
 *
 * With --remote, the lines of several hosts are mixed. Each host has its snapshots; the newest ones are merged.
 */
#include "exporter/stream.h"

#include <string.h>

#include "exporter/globals.h"
#include "exporter/json_line.h"

/* A host of --remote, or this machine without that option. */
struct host {
	struct remote_host remote; /* its number is NO_NUMBER without --remote */
	struct module_name module; /* "": none is loaded on this machine */
	struct metric_set *pending; /* the globals of a snapshot that is not complete */
	struct metric_set *newest; /* the last complete snapshot, or NULL */
};

enum { NO_NUMBER = -1 };

static void free_host(gpointer data)
{
	struct host *host = data;

	metric_set_free(host->pending);
	metric_set_free(host->newest);
	g_free(host->remote.uri);
	g_free(host);
}

void stream_begin(struct stream *stream, const char *script, const struct exporter_limits *limits)
{
	*stream = (struct stream){
		.limits = limits,
		.script = script,
		.memory = globals_memory_new(),
		.hosts = g_ptr_array_new_with_free_func(free_host),
	};
}

void stream_end(struct stream *stream)
{
	globals_memory_free(stream->memory);
	g_ptr_array_unref(stream->hosts);
	metric_set_free(stream->merged);
	g_free(stream->message);
	memset(stream, 0, sizeof(*stream));
}

/* ---- hosts ------------------------------------------------------------------------------------------------------- */

static struct host *find_host(struct stream *stream, int64_t number)
{
	struct host *host;

	for (guint i = 0; i < stream->hosts->len; i++) {
		host = g_ptr_array_index(stream->hosts, i);
		if (host->remote.number == number)
			return host;
	}
	if (stream->hosts->len >= MOST_HOSTS)
		return NULL;
	host = g_new0(struct host, 1);
	host->remote.number = number;
	host->remote.uri = g_strdup("");
	g_ptr_array_add(stream->hosts, host);
	return host;
}

/* Return the host to which a line belongs, or NULL if there are too many. */
static struct host *host_of(struct stream *stream, JsonObject *line)
{
	int64_t number = NO_NUMBER;

	json_int_member(line, "remote", &number);
	return find_host(stream, number);
}

/* Set the newest snapshot of all hosts. Only several hosts need a copy. */
static void merge_hosts(struct stream *stream)
{
	metric_set_free(stream->merged);
	stream->merged = NULL;
	stream->newest = NULL;
	for (guint i = 0; i < stream->hosts->len; i++) {
		const struct host *host = g_ptr_array_index(stream->hosts, i);

		if (stream->hosts->len == 1) {
			stream->newest = host->newest;
		} else if (host->newest) {
			if (!stream->merged)
				stream->merged = metric_set_new(stream->limits);
			metric_set_copy(stream->merged, host->newest);
			stream->newest = stream->merged;
		}
	}
}

static void count_dropped(struct stream *stream, const struct metric_set *set)
{
	for (int i = 0; set && i < DROP_REASON_COUNT_; i++)
		stream->dropped[i] += set->dropped[i];
	stream->shortened += set ? set->shortened : 0;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* In this line, the member "remote" is an object. Only the modules of this machine appear in /proc. */
static enum stream_event on_start(struct stream *stream, JsonObject *line)
{
	const char *module = json_text_member(line, "module"), *uri = NULL;
	JsonObject *remote = json_object_member(line, "remote");
	struct module_name name;
	struct host *host;
	int64_t number = NO_NUMBER;

	if (!module || !module_name_parse(module, strlen(module), &name))
		return STREAM_INVALID;
	if (remote) {
		uri = json_text_member(remote, "uri");
		if (!json_int_member(remote, "number", &number))
			return STREAM_INVALID;
	}
	host = find_host(stream, number);
	if (!host)
		return STREAM_INVALID;
	if (uri) {
		g_free(host->remote.uri);
		host->remote.uri = g_strdup(uri);
	}
	if (!remote || !g_strcmp0(uri, "direct:"))
		stream->module = host->module = name;
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
	struct host *host = host_of(stream, line);

	if (!host)
		return STREAM_INVALID;
	if (!host->pending)
		host->pending = metric_set_new(stream->limits);
	if (!json_bool_member(line, "complete", true))
		stream->incomplete++;
	globals_add(host->pending, stream->memory, stream->script,
		    host->remote.number == NO_NUMBER ? NULL : &host->remote, line);
	return STREAM_NOTHING;
}

static enum stream_event on_snapshot(struct stream *stream, JsonObject *line)
{
	struct host *host = host_of(stream, line);

	if (!host)
		return STREAM_INVALID;
	metric_set_free(host->newest);
	/* A script without globals has snapshots without metrics. */
	host->newest = host->pending ?: metric_set_new(stream->limits);
	host->pending = NULL;
	merge_hosts(stream);
	stream->snapshots++;
	count_dropped(stream, host->newest);
	count_dropped(stream, stream->merged);
	return STREAM_SNAPSHOT;
}

/* A script that has ended on one of several hosts has no values there any longer. */
static enum stream_event on_end(struct stream *stream, JsonObject *line)
{
	struct host *host = host_of(stream, line);
	int64_t lost = 0;

	if (!host)
		return STREAM_INVALID;
	if (json_int_member(line, "lost", &lost) && lost > 0)
		stream->lost += (uint64_t)lost;
	if (host->remote.number == NO_NUMBER)
		return STREAM_NOTHING;
	metric_set_free(host->newest);
	host->newest = NULL;
	merge_hosts(stream);
	return STREAM_SNAPSHOT;
}

bool stream_has_module(const struct stream *stream, const char *name)
{
	for (guint i = 0; i < stream->hosts->len; i++) {
		const struct host *host = g_ptr_array_index(stream->hosts, i);

		if (!strcmp(host->module.text, name))
			return true;
	}
	return false;
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
