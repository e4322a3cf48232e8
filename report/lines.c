// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Read the lines of a recording (see source.h), except for globals.
 *
 * Each line is read twice: once to check its syntax and to find its type and its host, and once with the function for
 * this type.
 */
#include <string.h>

#include "common/base/i18n.h"
#include "common/base/json_schema.h"
#include "report/pool.h"
#include "report/source.h"

enum {
	MOST_MESSAGES = 10000,
	MOST_KEPT_OUTPUT = 1 << 20, /* bytes, if the recording is followed; a page shows as many */
};

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Decode strictly: GLib ignores characters that do not belong there. */
void decode_base64(struct source *source, const struct json_bytes *encoded)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	g_autofree char *text = g_strndup(encoded->bytes, encoded->length);
	g_autofree guchar *bytes = NULL;
	size_t plain = strspn(text, digits), padding = strspn(text + plain, "=");
	gsize length = 0;

	if (plain + padding != encoded->length || encoded->length % 4 || padding > 2) {
		json_fail(&source->json, _("malformed base64"));
		return;
	}
	bytes = g_base64_decode(text, &length);
	g_string_append_len(source->bytes, (const char *)bytes, (gssize)length);
}

/* Read a string, or the object that stands for one that is not UTF-8, to source->bytes. */
static void read_bytes(struct source *source)
{
	struct json_bytes name, text;
	bool is_found = false;

	g_string_truncate(source->bytes, 0);
	if (json_peek(&source->json) != '{') {
		text = json_read_string(&source->json);
		g_string_append_len(source->bytes, text.bytes, (gssize)text.length);
		return;
	}
	while (json_next_member(&source->json, &name)) {
		if (json_bytes_are(&name, "base64")) {
			text = json_read_string(&source->json);
			g_string_truncate(source->bytes, 0);
			decode_base64(source, &text);
			is_found = true;
		} else {
			json_skip(&source->json);
		}
	}
	if (!is_found)
		json_fail(&source->json, _("a string is expected"));
}

const struct text *read_text(struct source *source)
{
	read_bytes(source);
	return pool_text(source->pool, source->bytes->str, source->bytes->len);
}

struct text *read_own_text(struct source *source)
{
	struct text *text;

	read_bytes(source);
	text = g_malloc(sizeof(*text) + source->bytes->len + 1);
	text->length = source->bytes->len;
	memcpy(text->bytes, source->bytes->str, source->bytes->len + 1);
	return text;
}

void read_texts(struct source *source, GPtrArray *texts)
{
	while (json_next_item(&source->json))
		g_ptr_array_add(texts, (gpointer)read_text(source));
}

double read_time(struct source *source)
{
	double time = json_read_real(&source->json);

	source->recording->last_time = MAX(source->recording->last_time, time);
	return time;
}

/* ---- hosts ------------------------------------------------------------------------------------------------------- */

int find_host(const struct recording *recording, int64_t number)
{
	for (guint i = 0; i < recording->hosts->len; i++)
		if (((const struct host *)g_ptr_array_index(recording->hosts, i))->number == number)
			return (int)i;
	return NO_HOST;
}

struct host *add_host(struct source *source, int64_t number)
{
	struct host *host = pool_alloc(source->pool, sizeof(*host));

	host->number = number;
	host->globals = pool_ptr_array(source->pool);
	g_ptr_array_add(source->recording->hosts, host);
	return host;
}

struct host *current_host(struct source *source)
{
	GPtrArray *hosts = source->recording->hosts;
	int found = find_host(source->recording, source->number);

	if (found != NO_HOST)
		return g_ptr_array_index(hosts, found);
	if (hosts->len == MOST_HOSTS)
		json_fail(&source->json, _("more than %d hosts"), MOST_HOSTS);
	return hosts->len < MOST_HOSTS ? add_host(source, source->number) : g_ptr_array_index(hosts, 0);
}

int host_of_line(struct source *source)
{
	if (source->number != NO_HOST)
		current_host(source);
	return find_host(source->recording, source->number);
}

/* ---- script, start, output, messages, end ------------------------------------------------------------------------ */

static void read_version(struct source *source)
{
	int64_t version = json_read_integer(&source->json);

	if (version > JSON_SCHEMA_VERSION)
		json_fail(&source->json, _("version %lld of the lines is too new"), (long long)version);
}

/* Read a member that describes the script. Return false if it is another one. */
static bool read_script_member(struct source *source, const struct json_bytes *name)
{
	struct recording *recording = source->recording;

	if (json_bytes_are(name, "name"))
		recording->script.name = read_text(source);
	else if (json_bytes_are(name, "text"))
		recording->script.text = read_text(source);
	else if (json_bytes_are(name, "options"))
		read_texts(source, recording->script.options);
	else if (json_bytes_are(name, "arguments"))
		read_texts(source, recording->script.arguments);
	else if (json_bytes_are(name, "stap"))
		recording->script.stap = read_text(source);
	else
		return false;
	return true;
}

void read_script(struct source *source)
{
	struct json_bytes name;

	if (source->recording->script.is_known) {
		json_fail(&source->json, _("a second script starts here: use a file for each run"));
		return;
	}
	source->recording->script.is_known = true;
	while (json_next_member(&source->json, &name)) {
		if (json_bytes_are(&name, "version"))
			read_version(source);
		else if (json_bytes_are(&name, "time"))
			read_time(source);
		else if (!read_script_member(source, &name))
			json_skip(&source->json);
	}
}

/* Read the member "script" of a start line, where the name and the text of the script were before they had a line. */
static void read_script_in_start(struct source *source)
{
	struct json_bytes name;

	while (json_next_member(&source->json, &name))
		if (!read_script_member(source, &name))
			json_skip(&source->json);
}

static void read_remote(struct source *source, struct host *host)
{
	struct json_bytes name;

	if (json_peek(&source->json) != '{') {
		json_skip(&source->json);
		return;
	}
	while (json_next_member(&source->json, &name)) {
		if (json_bytes_are(&name, "uri"))
			host->uri = read_text(source);
		else
			json_skip(&source->json);
	}
}

static void read_start_time(struct source *source, struct host *host)
{
	struct recording *recording = source->recording;

	host->start.time = read_time(source);
	if (!recording->start_time || host->start.time < recording->start_time)
		recording->start_time = host->start.time;
}

void read_start(struct source *source)
{
	struct host *host = current_host(source);
	/* Members that describe the script were here before it had a line. */
	bool has_script = source->recording->script.is_known;
	struct json_bytes name;

	if (host->start.is_known) {
		json_fail(&source->json, _("a second script starts here: use a file for each run"));
		return;
	}
	host->start.is_known = true;
	while (json_next_member(&source->json, &name)) {
		if (json_bytes_are(&name, "version"))
			read_version(source);
		else if (json_bytes_are(&name, "time"))
			read_start_time(source, host);
		else if (json_bytes_are(&name, "module"))
			host->start.module = read_text(source);
		else if (json_bytes_are(&name, "host"))
			host->start.name = read_text(source);
		else if (json_bytes_are(&name, "kernel"))
			host->start.kernel = read_text(source);
		else if (json_bytes_are(&name, "remote"))
			read_remote(source, host);
		else if (json_bytes_are(&name, "script") && !has_script)
			read_script_in_start(source);
		else if (has_script || json_bytes_are(&name, "name") || json_bytes_are(&name, "text") ||
			 !read_script_member(source, &name))
			json_skip(&source->json);
	}
}

/* Drop the oldest output, if there is much more than will be shown. */
static void trim_output(struct recording *recording)
{
	guint count = 0;

	if (recording->output_size < 2 * MOST_KEPT_OUTPUT)
		return;
	while (count + 1 < recording->outputs->len && recording->output_size > MOST_KEPT_OUTPUT) {
		struct output *oldest = &g_array_index(recording->outputs, struct output, count++);

		recording->output_size -= oldest->text->length;
		recording->output_left_out += oldest->text->length;
		g_free((gpointer)oldest->text);
	}
	g_array_remove_range(recording->outputs, 0, count);
}

static void add_output(struct source *source, const struct output *output)
{
	struct recording *recording = source->recording;

	g_array_append_vals(recording->outputs, output, 1);
	recording->output_size += output->text->length;
	if (source->watch && source->watch->output)
		source->watch->output(output, source->watch->data);
	if (source->watch)
		trim_output(recording);
}

void read_output(struct source *source)
{
	struct output output = {.host = host_of_line(source)};
	struct json_bytes name;
	struct text *text = NULL;

	while (json_next_member(&source->json, &name)) {
		if (json_bytes_are(&name, "time")) {
			output.time = read_time(source);
		} else if (json_bytes_are(&name, "text")) {
			g_free(text);
			text = read_own_text(source);
		} else {
			json_skip(&source->json);
		}
	}
	if (!text)
		json_fail(&source->json, _("output without a text"));
	output.text = text;
	if (source->json.mistake)
		g_free(text);
	else
		add_output(source, &output);
}

static struct place read_place(struct source *source)
{
	struct place place = {.file = NULL};
	struct json_bytes name;

	while (json_next_member(&source->json, &name)) {
		if (json_bytes_are(&name, "file"))
			place.file = read_text(source);
		else if (json_bytes_are(&name, "line"))
			place.line = json_read_integer(&source->json);
		else if (json_bytes_are(&name, "column"))
			place.column = json_read_integer(&source->json);
		else if (json_bytes_are(&name, "length"))
			place.length = json_read_integer(&source->json);
		else
			json_skip(&source->json);
	}
	return place;
}

static void read_places(struct source *source, GArray *places)
{
	while (json_next_item(&source->json)) {
		struct place place = read_place(source);

		if (place.file)
			g_array_append_val(places, place);
	}
}

static void read_note(struct source *source, GArray *notes)
{
	struct note note = {.expansions = pool_array(source->pool, sizeof(struct place))};
	struct json_bytes name;

	while (json_next_member(&source->json, &name)) {
		if (json_bytes_are(&name, "text"))
			note.text = read_text(source);
		else if (json_bytes_are(&name, "place"))
			note.place = read_place(source);
		else if (json_bytes_are(&name, "expanded_from"))
			read_places(source, note.expansions);
		else
			json_skip(&source->json);
	}
	if (note.text)
		g_array_append_val(notes, note);
}

static struct message *message_new(struct pool *pool)
{
	struct message *message = pool_alloc(pool, sizeof(*message));

	message->host = NO_HOST;
	message->expansions = pool_array(pool, sizeof(struct place));
	message->notes = pool_array(pool, sizeof(struct note));
	message->alternatives = pool_ptr_array(pool);
	return message;
}

static void add_message(struct source *source, struct message *message)
{
	if (source->watch && source->watch->message)
		source->watch->message(source->recording, message, source->watch->data);
	if (source->recording->messages->len < MOST_MESSAGES)
		g_ptr_array_add(source->recording->messages, message);
	else
		source->recording->messages_left_out++;
}

void note_left_out_messages(struct source *source)
{
	struct recording *recording = source->recording;
	g_autofree char *text = g_strdup_printf(_("%llu later messages are left out"),
						(unsigned long long)recording->messages_left_out);
	struct message *note;

	if (!recording->messages_left_out)
		return;
	note = message_new(source->pool);
	note->time = recording->last_time;
	note->level = pool_text(source->pool, "note", 4);
	note->text = pool_text(source->pool, text, strlen(text));
	g_ptr_array_add(recording->messages, note);
}

void read_message(struct source *source)
{
	struct message *message = message_new(source->pool);
	struct json_bytes name;

	message->host = host_of_line(source);
	while (json_next_member(&source->json, &name)) {
		if (json_bytes_are(&name, "time"))
			message->time = read_time(source);
		else if (json_bytes_are(&name, "level"))
			message->level = read_text(source);
		else if (json_bytes_are(&name, "text"))
			message->text = read_text(source);
		else if (json_bytes_are(&name, "kind"))
			message->kind = read_text(source);
		else if (json_bytes_are(&name, "expanded_from"))
			read_places(source, message->expansions);
		else if (json_bytes_are(&name, "hint"))
			message->hint = read_text(source);
		else if (json_bytes_are(&name, "place"))
			message->place = read_place(source);
		else if (json_bytes_are(&name, "alternatives"))
			read_texts(source, message->alternatives);
		else if (json_bytes_are(&name, "notes"))
			while (json_next_item(&source->json))
				read_note(source, message->notes);
		else
			json_skip(&source->json);
	}
	if (!message->text)
		json_fail(&source->json, _("message without a text"));
	if (!source->json.mistake)
		add_message(source, message);
}

static void read_skipped(struct source *source, struct host *host)
{
	struct json_bytes name;

	while (json_next_member(&source->json, &name)) {
		guint i = 0;

		while (i < SKIPPED_REASONS && !json_bytes_are(&name, skipped_name(i)))
			i++;
		if (i < SKIPPED_REASONS)
			host->end.skipped[i] = json_read_integer(&source->json);
		else
			json_skip(&source->json);
	}
}

void read_end(struct source *source)
{
	struct host *host = current_host(source);
	struct json_bytes name;

	host->end.is_known = true;
	while (json_next_member(&source->json, &name)) {
		if (json_bytes_are(&name, "time"))
			host->end.time = read_time(source);
		else if (json_bytes_are(&name, "status"))
			host->end.status = json_read_integer(&source->json);
		else if (json_bytes_are(&name, "hits"))
			host->end.hits = json_read_integer(&source->json);
		else if (json_bytes_are(&name, "errors"))
			host->end.errors = json_read_integer(&source->json);
		else if (json_bytes_are(&name, "lost"))
			host->end.lost = json_read_integer(&source->json);
		else if (json_bytes_are(&name, "skipped"))
			read_skipped(source, host);
		else
			json_skip(&source->json);
	}
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	void (*read)(struct source *source);
} line_types[] = {
	{"script", read_script}, {"start", read_start},	      {"output", read_output}, {"message", read_message},
	{"global", read_global}, {"snapshot", read_snapshot}, {"end", read_end},
};

static int64_t read_host_number(struct json_reader *json)
{
	int64_t number = json_read_integer(json);

	if (number < 0)
		json_fail(json, _("the number of a remote host is negative"));
	return number;
}

/* Read a line's member "remote": a number, or an object with one. */
static int64_t read_remote_number(struct json_reader *json)
{
	int64_t number = NO_HOST;
	struct json_bytes name;

	if (json_peek(json) != '{')
		return read_host_number(json);
	while (json_next_member(json, &name)) {
		if (json_bytes_are(&name, "number"))
			number = read_host_number(json);
		else
			json_skip(json);
	}
	return number;
}

/* Check the syntax of a line, and find its host and the function for its type. NULL: unknown type, or a mistake. */
static void (*find_type(struct source *source))(struct source *)
{
	struct json_reader *json = &source->json;
	void (*read)(struct source *) = NULL;
	struct json_bytes name, type;
	bool has_type = false;

	source->number = NO_HOST;
	while (json_next_member(json, &name)) {
		if (json_bytes_are(&name, "remote")) {
			source->number = read_remote_number(json);
		} else if (json_bytes_are(&name, "type")) {
			has_type = true;
			type = json_read_string(json);
			for (guint i = 0; i < G_N_ELEMENTS(line_types); i++)
				if (json_bytes_are(&type, line_types[i].name))
					read = line_types[i].read;
		} else {
			json_skip(json);
		}
	}
	json_finish(json);
	if (!has_type)
		json_fail(json, _("the line has no type"));
	return json->mistake ? NULL : read;
}

/* Read one line. Return its mistake, or NULL. The caller frees it. */
char *read_line(struct source *source, const char *line, size_t length)
{
	void (*read)(struct source *);
	char *mistake;

	json_reader_init(&source->json, line, length);
	read = find_type(source);
	if (read) {
		json_reader_clear(&source->json);
		json_reader_init(&source->json, line, length);
		read(source);
	}
	mistake = g_steal_pointer(&source->json.mistake);
	json_reader_clear(&source->json);
	return mistake;
}
