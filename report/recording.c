// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Read JSON lines into a recording (see recording.h).
 *
 * Each line is read twice: once to check its syntax and to find its type, and once with the functions for this type.
 * The newest sample of a global keeps all elements. Older samples, for series and heat maps, keep theirs only if they
 * are few; of very many samples, every second one is dropped, repeatedly. So memory is limited, however long a script
 * runs.
 */
#include "report/recording.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/json_schema.h"
#include "common/base/message.h"
#include "report/json_reader.h"
#include "report/pool.h"

enum {
	MOST_SAMPLES = 2000, /* of a global */
	MOST_OLD_ELEMENTS = 256, /* of a sample that is not the newest */
	MOST_OLD_STATISTICS = 32, /* the same for statistics, which may have large histograms */
	MOST_FRAMES = 4096, /* of a stack */
	MOST_HOSTS = 1000,
	MOST_MESSAGES = 10000,
	MOST_KEPT_OUTPUT = 1 << 20, /* bytes, if the recording is followed; a page shows as many */
};

const char *const frame_kind_names[FRAME_KINDS] = {
	[FRAME_KERNEL] = "kernel",   [FRAME_MODULE] = "module", [FRAME_PROGRAM] = "program",
	[FRAME_LIBRARY] = "library", [FRAME_JIT] = "jit",	[FRAME_UNKNOWN] = "unknown",
};

const char *const value_kind_names[VALUE_KINDS] = {
	[VALUE_NUMBER] = "number",
	[VALUE_STRING] = "string",
	[VALUE_STACK] = "stack",
	[VALUE_STATISTICS] = "statistics",
};

const char *const skipped_names[SKIPPED_REASONS] = {
	"reentrant", "lock", "missed_return", "missed_deep_return", "stack", "low_stack",
};

bool text_is(const struct text *text, const char *word)
{
	return text && strlen(word) == text->length && !memcmp(text->bytes, word, text->length);
}

bool value_equals(const struct value *a, const struct value *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case VALUE_NUMBER:
		return a->number == b->number;
	case VALUE_STACK:
		return a->stack->shape == b->stack->shape;
	default:
		return a->text == b->text;
	}
}

guint value_hash(const struct value *value)
{
	const void *shared = value->kind == VALUE_STACK ? (const void *)value->stack->shape : value->text;

	return value->kind == VALUE_NUMBER ? (guint)(value->number * 2654435761u ^ value->number >> 32)
					   : (guint)((guintptr)shared >> 4) * 2654435761u;
}

const struct sample *global_newest(const struct global *global)
{
	return g_ptr_array_index(global->samples, global->samples->len - 1);
}

bool global_has_key(const struct global *global, enum value_kind kind)
{
	for (guint i = 0; i < global->key_count; i++)
		if (global->keys[i] == kind)
			return true;
	return false;
}

enum run_state recording_state(const struct recording *recording)
{
	enum run_state state = RUN_COMPLETED;
	bool has_started = false, has_ended = recording->hosts->len, has_failed = false;

	for (guint i = 0; i < recording->messages->len; i++)
		has_failed |=
			text_is(((const struct message *)g_ptr_array_index(recording->messages, i))->level, "error");
	for (guint i = 0; i < recording->hosts->len; i++) {
		const struct host *host = g_ptr_array_index(recording->hosts, i);

		has_started |= host->start.is_known;
		has_ended &= host->end.is_known;
		has_failed |= host->end.status != 0;
		if (host->end.lost)
			state = RUN_LOST;
	}
	/* Without a start, what has failed is the translation. */
	if (!has_ended && (has_started || !has_failed))
		return recording->is_whole ? RUN_INTERRUPTED : RUN_GOES_ON;
	return has_failed ? RUN_FAILED : state;
}

/* ---- parts of all lines ------------------------------------------------------------------------------------------ */

struct source {
	struct pool *pool;
	struct recording *recording;
	struct json_reader json;
	GString *bytes; /* the last text */
	uint64_t line_number;
	int64_t number; /* the current line's member "remote"; NO_HOST without it */
	const struct recording_watch *watch; /* NULL: none */
};

/* Decode strictly: GLib ignores characters that do not belong there. */
static void decode_base64(struct source *source, const struct json_bytes *encoded)
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

static const struct text *read_text(struct source *source)
{
	read_bytes(source);
	return pool_text(source->pool, source->bytes->str, source->bytes->len);
}

/* Read a text that the caller frees. */
static struct text *read_own_text(struct source *source)
{
	struct text *text;

	read_bytes(source);
	text = g_malloc(sizeof(*text) + source->bytes->len + 1);
	text->length = source->bytes->len;
	memcpy(text->bytes, source->bytes->str, source->bytes->len + 1);
	return text;
}

static void read_texts(struct source *source, GPtrArray *texts)
{
	while (json_next_item(&source->json))
		g_ptr_array_add(texts, (gpointer)read_text(source));
}

static double read_time(struct source *source)
{
	double time = json_read_real(&source->json);

	source->recording->last_time = MAX(source->recording->last_time, time);
	return time;
}

/* ---- hosts ------------------------------------------------------------------------------------------------------- */

static int find_host(const struct recording *recording, int64_t number)
{
	for (guint i = 0; i < recording->hosts->len; i++)
		if (((const struct host *)g_ptr_array_index(recording->hosts, i))->number == number)
			return (int)i;
	return NO_HOST;
}

static struct host *add_host(struct source *source, int64_t number)
{
	struct host *host = pool_alloc(source->pool, sizeof(*host));

	host->number = number;
	host->globals = pool_ptr_array(source->pool);
	g_ptr_array_add(source->recording->hosts, host);
	return host;
}

/* Return the host of the current line, which is added by its first line. */
static struct host *current_host(struct source *source)
{
	GPtrArray *hosts = source->recording->hosts;
	int found = find_host(source->recording, source->number);

	if (found != NO_HOST)
		return g_ptr_array_index(hosts, found);
	if (hosts->len == MOST_HOSTS)
		json_fail(&source->json, _("more than %d hosts"), MOST_HOSTS);
	return hosts->len < MOST_HOSTS ? add_host(source, source->number) : g_ptr_array_index(hosts, 0);
}

/* Return the number of the host that has printed the current line; NO_HOST if it is stap itself. */
static int host_of_line(struct source *source)
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

static void read_script(struct source *source)
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

static void read_start(struct source *source)
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

static void read_output(struct source *source)
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

/* Add a note about the messages that were not kept. */
static void note_left_out_messages(struct source *source)
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

static void read_message(struct source *source)
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

		while (i < SKIPPED_REASONS && !json_bytes_are(&name, skipped_names[i]))
			i++;
		if (i < SKIPPED_REASONS)
			host->end.skipped[i] = json_read_integer(&source->json);
		else
			json_skip(&source->json);
	}
}

static void read_end(struct source *source)
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

/* ---- globals ----------------------------------------------------------------------------------------------------- */

/* A global's line while it is read. */
struct draft {
	const struct text *name, *kind, *values, *unit, *show;
	GPtrArray *keys; /* struct text; NULL: not given */
	struct sample *sample;
	GArray *flat_keys; /* struct value: the keys of all elements */
	GArray *flat_values;
	guint key_count; /* of the first element */
};

static void sample_free(gpointer data)
{
	struct sample *sample = data;

	g_ptr_array_unref(sample->blocks);
	g_free(sample);
}

static void *sample_alloc(struct sample *sample, size_t size)
{
	void *memory = g_malloc0(size);

	g_ptr_array_add(sample->blocks, memory);
	return memory;
}

static enum frame_kind read_frame_kind(struct source *source)
{
	struct json_bytes text = json_read_string(&source->json);
	guint kind = 0;

	while (kind < FRAME_UNKNOWN && !json_bytes_are(&text, frame_kind_names[kind]))
		kind++;
	return kind;
}

static struct frame read_frame(struct source *source)
{
	struct function function = {.kind = FRAME_UNKNOWN};
	struct frame frame = {.offset = -1};
	struct json_bytes name;

	while (json_next_member(&source->json, &name)) {
		if (json_bytes_are(&name, "name"))
			function.name = read_text(source);
		else if (json_bytes_are(&name, "kind"))
			function.kind = read_frame_kind(source);
		else if (json_bytes_are(&name, "object"))
			function.object = read_text(source);
		else if (json_bytes_are(&name, "inlined"))
			function.is_inlined = json_read_boolean(&source->json);
		else if (json_bytes_are(&name, "file"))
			function.file = read_text(source);
		else if (json_bytes_are(&name, "line"))
			frame.line = json_read_integer(&source->json);
		else if (json_bytes_are(&name, "offset"))
			frame.offset = json_read_integer(&source->json);
		else if (json_bytes_are(&name, "address"))
			frame.address = read_text(source);
		else
			json_skip(&source->json);
	}
	if (!function.name)
		function.name = frame.address;
	if (!function.name) {
		json_fail(&source->json, _("frame without a name and an address"));
		function.name = pool_text(source->pool, "", 0);
	}
	frame.function = pool_function(source->pool, &function);
	return frame;
}

static const struct stack *read_stack(struct source *source)
{
	struct frame frames[MOST_FRAMES];
	guint count = 0;

	while (json_next_item(&source->json)) {
		if (count == MOST_FRAMES) {
			json_fail(&source->json, _("stack of more than %d frames"), MOST_FRAMES);
			break;
		}
		frames[count++] = read_frame(source);
	}
	return pool_stack(source->pool, frames, count);
}

static int64_t read_bound(struct source *source, bool *is_given)
{
	*is_given = json_peek(&source->json) != 'n';
	if (*is_given)
		return json_read_integer(&source->json);
	json_read_null(&source->json);
	return 0;
}

/* bucket := "[" (LOWER | "null") "," (UPPER | "null") "," COUNT "]" */
static struct bucket read_bucket(struct source *source)
{
	struct bucket bucket = {.count = 0};
	guint count = 0;

	while (json_next_item(&source->json)) {
		switch (count++) {
		case 0:
			bucket.lower = read_bound(source, &bucket.has_lower);
			break;
		case 1:
			bucket.upper = read_bound(source, &bucket.has_upper);
			break;
		case 2:
			bucket.count = json_read_integer(&source->json);
			break;
		default:
			json_skip(&source->json);
		}
	}
	if (count != 3)
		json_fail(&source->json, _("a bucket has a lower bound, an upper bound and a count"));
	else if (bucket.count < 0 || (bucket.has_lower && bucket.has_upper && bucket.lower >= bucket.upper))
		json_fail(&source->json, _("impossible bucket"));
	return bucket;
}

static const struct histogram *read_histogram(struct source *source, struct sample *sample)
{
	struct histogram *histogram = sample_alloc(sample, sizeof(*histogram));
	g_autoptr(GArray) buckets = g_array_new(FALSE, TRUE, sizeof(struct bucket));
	struct json_bytes name, kind;

	while (json_next_member(&source->json, &name)) {
		if (json_bytes_are(&name, "kind")) {
			kind = json_read_string(&source->json);
			histogram->is_log = json_bytes_are(&kind, "log");
		} else if (json_bytes_are(&name, "buckets")) {
			while (json_next_item(&source->json)) {
				struct bucket bucket = read_bucket(source);

				g_array_append_val(buckets, bucket);
			}
		} else {
			json_skip(&source->json);
		}
	}
	histogram->count = buckets->len;
	histogram->buckets = sample_alloc(sample, MAX(buckets->len, 1) * sizeof(struct bucket));
	if (buckets->len)
		memcpy(histogram->buckets, buckets->data, buckets->len * sizeof(struct bucket));
	return histogram;
}

/* Read an object that is a string (which is not UTF-8) or statistics. */
static struct value read_object(struct source *source, struct sample *sample)
{
	struct statistics statistics = {.count = -1}, *copy;
	const struct text *text = NULL;
	struct json_bytes name, encoded;
	guint bounds = 0;

	while (json_next_member(&source->json, &name)) {
		if (json_bytes_are(&name, "base64")) {
			encoded = json_read_string(&source->json);
			g_string_truncate(source->bytes, 0);
			decode_base64(source, &encoded);
			text = pool_text(source->pool, source->bytes->str, source->bytes->len);
		} else if (json_bytes_are(&name, "count")) {
			statistics.count = json_read_integer(&source->json);
		} else if (json_bytes_are(&name, "sum")) {
			statistics.sum = json_read_integer(&source->json);
		} else if (json_bytes_are(&name, "min")) {
			statistics.min = json_read_integer(&source->json);
			bounds |= 1;
		} else if (json_bytes_are(&name, "max")) {
			statistics.max = json_read_integer(&source->json);
			bounds |= 2;
		} else if (json_bytes_are(&name, "avg")) {
			statistics.avg = json_read_integer(&source->json);
			bounds |= 4;
		} else if (json_bytes_are(&name, "variance")) {
			statistics.variance = json_read_integer(&source->json);
			statistics.has_variance = true;
		} else if (json_bytes_are(&name, "histogram")) {
			statistics.histogram = read_histogram(source, sample);
		} else {
			json_skip(&source->json);
		}
	}
	if (text)
		return (struct value){.kind = VALUE_STRING, .text = text};
	if (statistics.count < 0)
		json_fail(&source->json, _("statistics without a count"));
	statistics.has_range = bounds == 7;
	copy = sample_alloc(sample, sizeof(*copy));
	*copy = statistics;
	return (struct value){.kind = VALUE_STATISTICS, .statistics = copy};
}

static struct value read_value(struct source *source, struct sample *sample)
{
	switch (json_peek(&source->json)) {
	case '"':
		return (struct value){.kind = VALUE_STRING, .text = read_text(source)};
	case '{':
		return read_object(source, sample);
	case '[':
		return (struct value){.kind = VALUE_STACK, .stack = read_stack(source)};
	default:
		return (struct value){.kind = VALUE_NUMBER, .number = json_read_integer(&source->json)};
	}
}

static void read_keys(struct source *source, struct draft *draft)
{
	guint count = 0;

	for (; json_next_item(&source->json); count++) {
		struct value key = read_value(source, draft->sample);

		if (key.kind == VALUE_STATISTICS)
			json_fail(&source->json, _("statistics cannot be a key"));
		if (count < MOST_KEYS)
			g_array_append_val(draft->flat_keys, key);
	}
	if (count > MOST_KEYS)
		json_fail(&source->json, _("element with more than %d keys"), MOST_KEYS);
	if (!draft->flat_values->len)
		draft->key_count = count;
	else if (count != draft->key_count)
		json_fail(&source->json, _("elements with different numbers of keys"));
}

/* elements := { "[" "[" { key } "]" "," value "]" } */
static void read_elements(struct source *source, struct draft *draft)
{
	while (json_next_item(&source->json)) {
		guint count = 0;

		while (json_next_item(&source->json)) {
			if (count == 0) {
				read_keys(source, draft);
			} else if (count == 1) {
				struct value value = read_value(source, draft->sample);

				g_array_append_val(draft->flat_values, value);
			} else {
				json_skip(&source->json);
			}
			count++;
		}
		if (count != 2)
			json_fail(&source->json, _("an element consists of its keys and its value"));
	}
}

static void read_draft(struct source *source, struct draft *draft)
{
	struct sample *sample = draft->sample;
	struct json_bytes name;

	while (json_next_member(&source->json, &name)) {
		if (json_bytes_are(&name, "time"))
			sample->time = read_time(source);
		else if (json_bytes_are(&name, "snapshot"))
			sample->snapshot = json_read_integer(&source->json);
		else if (json_bytes_are(&name, "final"))
			sample->is_final = json_read_boolean(&source->json);
		else if (json_bytes_are(&name, "complete"))
			sample->is_complete = json_read_boolean(&source->json);
		else if (json_bytes_are(&name, "name"))
			draft->name = read_text(source);
		else if (json_bytes_are(&name, "kind"))
			draft->kind = read_text(source);
		else if (json_bytes_are(&name, "keys"))
			read_texts(source, draft->keys);
		else if (json_bytes_are(&name, "values"))
			draft->values = read_text(source);
		else if (json_bytes_are(&name, "unit"))
			draft->unit = read_text(source);
		else if (json_bytes_are(&name, "show"))
			draft->show = read_text(source);
		else if (json_bytes_are(&name, "elements"))
			read_elements(source, draft);
		else
			json_skip(&source->json);
	}
}

/* Return the kind of this name, or VALUE_KINDS. */
static enum value_kind kind_of(const struct text *name)
{
	guint kind = 0;

	while (kind < VALUE_KINDS && !text_is(name, value_kind_names[kind]))
		kind++;
	return kind;
}

/* Make the global that a draft declares. Return NULL after a mistake. */
static struct global *declare_global(struct source *source, const struct draft *draft)
{
	struct global *global = pool_alloc(source->pool, sizeof(*global));

	if (!draft->name) {
		json_fail(&source->json, _("global without a name"));
		return NULL;
	}
	*global = (struct global){.name = draft->name, .unit = draft->unit, .show = draft->show, .step = 1};
	global->is_array = text_is(draft->kind, "array");
	global->values = kind_of(draft->values);
	global->key_count = draft->keys->len;
	if (!global->is_array && !text_is(draft->kind, "scalar"))
		json_fail(&source->json, _("the kind of a global is scalar or array"));
	else if (global->values == VALUE_KINDS || global->values == VALUE_STACK)
		json_fail(&source->json, _("the values of a global are number, string or statistics"));
	else if (global->is_array ? !global->key_count : global->key_count)
		json_fail(&source->json, _("an array has keys, and a scalar has none"));
	else if (global->key_count > MOST_KEYS)
		json_fail(&source->json, _("element with more than %d keys"), MOST_KEYS);
	for (guint i = 0; i < global->key_count && !source->json.mistake; i++) {
		global->keys[i] = kind_of(g_ptr_array_index(draft->keys, i));
		if (global->keys[i] >= VALUE_STATISTICS)
			json_fail(&source->json, _("keys of a global are number, string or stack"));
	}
	return source->json.mistake ? NULL : global;
}

static bool is_same_declaration(const struct global *a, const struct global *b)
{
	return a->is_array == b->is_array && a->values == b->values && a->key_count == b->key_count &&
	       !memcmp(a->keys, b->keys, a->key_count * sizeof(*a->keys));
}

/* Check that all elements are as declared. */
static void check_elements(struct source *source, const struct global *global, const struct draft *draft)
{
	if (draft->flat_values->len && draft->key_count != global->key_count)
		json_fail(&source->json, _("elements have %u keys; %u are declared"), draft->key_count,
			  global->key_count);
	if (!global->is_array && draft->flat_values->len != 1)
		json_fail(&source->json, _("a scalar has one element"));
	if (source->json.mistake)
		return;
	for (guint i = 0; i < draft->flat_keys->len; i++) {
		enum value_kind kind = g_array_index(draft->flat_keys, struct value, i).kind;
		enum value_kind declared = global->keys[i % global->key_count];

		if (kind != declared)
			json_fail(&source->json, _("a key is a %s; %s is declared"), value_kind_names[kind],
				  value_kind_names[declared]);
	}
	for (guint i = 0; i < draft->flat_values->len; i++) {
		enum value_kind kind = g_array_index(draft->flat_values, struct value, i).kind;

		if (kind != global->values)
			json_fail(&source->json, _("a value is a %s; %s is declared"), value_kind_names[kind],
				  value_kind_names[global->values]);
	}
}

/* Move the elements of a draft to its sample. */
static void fill_sample(const struct draft *draft)
{
	struct sample *sample = draft->sample;
	struct value *keys = sample_alloc(sample, MAX(draft->flat_keys->len, 1) * sizeof(*keys));

	sample->count = draft->flat_values->len;
	sample->elements = sample_alloc(sample, MAX(sample->count, 1) * sizeof(struct element));
	if (draft->flat_keys->len)
		memcpy(keys, draft->flat_keys->data, draft->flat_keys->len * sizeof(*keys));
	for (guint i = 0; i < sample->count; i++) {
		sample->elements[i].keys = keys + (size_t)i * draft->key_count;
		sample->elements[i].value = g_array_index(draft->flat_values, struct value, i);
	}
}

/* Keep only every second of a global's samples. The newest one is kept by the caller. */
static void thin_samples(struct global *global)
{
	for (guint i = global->samples->len / 2; i-- > 0;)
		g_ptr_array_remove_index(global->samples, 2 * i + 1);
	global->step *= 2;
}

/* Drop the elements of a sample that is no longer the newest, if they would need too much memory. */
static void trim_sample(const struct global *global, struct sample *sample)
{
	guint most = global->values == VALUE_STATISTICS ? MOST_OLD_STATISTICS : MOST_OLD_ELEMENTS;

	if (sample->count <= most && !global_has_key(global, VALUE_STACK))
		return;
	sample->elements = NULL;
	g_ptr_array_set_size(sample->blocks, 0);
}

/* Add a sample, and drop what older ones need not keep. */
static void add_sample(struct global *global, struct sample *sample)
{
	if (global->samples->len) {
		struct sample *previous = g_ptr_array_index(global->samples, global->samples->len - 1);

		if (previous->snapshot == sample->snapshot || (global->step > 1 && ++global->skipped < global->step)) {
			g_ptr_array_remove_index(global->samples, global->samples->len - 1);
		} else {
			global->skipped = 0;
			trim_sample(global, previous);
		}
	}
	if (global->samples->len == MOST_SAMPLES)
		thin_samples(global);
	g_ptr_array_add(global->samples, sample);
}

static void free_samples(gpointer samples)
{
	g_ptr_array_free(samples, TRUE);
}

/* Find a global by its name, of which a pool has one copy. */
static struct global *find_global(const GPtrArray *globals, const struct text *name)
{
	for (guint i = 0; i < globals->len; i++) {
		struct global *global = g_ptr_array_index(globals, i);

		if (global->name == name)
			return global;
	}
	return NULL;
}

/* Find the global of a draft, or add it. Return NULL after a mistake. */
static struct global *place_global(struct source *source, const struct draft *draft)
{
	struct global *global = declare_global(source, draft), *known;
	GPtrArray *globals = current_host(source)->globals;

	if (!global)
		return NULL;
	check_elements(source, global, draft);
	known = find_global(globals, global->name);
	if (!known) {
		global->samples = g_ptr_array_new_with_free_func(sample_free);
		pool_defer(source->pool, free_samples, global->samples);
		g_ptr_array_add(globals, global);
		return global;
	}
	if (!is_same_declaration(global, known))
		json_fail(&source->json, _("the global was declared otherwise before"));
	known->unit = global->unit ?: known->unit;
	known->show = global->show ?: known->show;
	return known;
}

/* Read the line after the globals of a snapshot. */
static void read_snapshot(struct source *source)
{
	json_skip(&source->json);
	current_host(source)->is_within_snapshot = false;
}

static void read_global(struct source *source)
{
	g_autoptr(GPtrArray) key_kinds = g_ptr_array_new();
	g_autoptr(GArray) keys = g_array_new(FALSE, TRUE, sizeof(struct value));
	g_autoptr(GArray) values = g_array_new(FALSE, TRUE, sizeof(struct value));
	struct sample *sample = g_new0(struct sample, 1);
	struct draft draft = {.sample = sample, .flat_keys = keys, .flat_values = values, .keys = key_kinds};
	struct global *global;

	sample->is_complete = true;
	sample->blocks = g_ptr_array_new_with_free_func(g_free);
	read_draft(source, &draft);
	global = source->json.mistake ? NULL : place_global(source, &draft);
	if (!global || source->json.mistake) {
		sample_free(sample);
		return;
	}
	fill_sample(&draft);
	add_sample(global, sample);
	current_host(source)->is_within_snapshot = true;
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
static char *read_line(struct source *source, const char *line, size_t length)
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

static bool is_blank(const char *line, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!g_ascii_isspace(line[i]))
			return false;
	return true;
}

/* Take the mistake of a line. Return an error to end the reading. */
static struct error *take_mistake(struct source *source, const char *mistake, bool is_cut)
{
	struct error *error;

	if (is_cut) {
		message_warn(_("%s: line %llu is cut off and left out"), source->recording->name,
			     (unsigned long long)source->line_number);
		return NULL;
	}
	error = error_new(ERROR_OTHER, _("%s: line %llu, %s"), source->recording->name,
			  (unsigned long long)source->line_number, mistake);
	if (!source->watch || !source->watch->mistake)
		return error;
	source->watch->mistake(error, source->watch->data);
	return NULL;
}

static struct error *take_line(struct source *source, const char *line, size_t length, bool is_whole)
{
	g_autofree char *mistake = NULL;

	source->line_number++;
	if (is_blank(line, length))
		return NULL;
	mistake = read_line(source, line, length);
	if (mistake)
		return take_mistake(source, mistake, !is_whole && source->recording->lines);
	source->recording->lines++;
	return NULL;
}

/* Take the lines of what was read; at the end of the input, also one without a line break. Search from @p from. */
static struct error *take_lines(struct source *source, GString *input, size_t from, bool is_end)
{
	struct error *error = NULL;
	size_t begin = 0;
	char *newline;

	while (!error && (newline = memchr(input->str + MAX(from, begin), '\n', input->len - MAX(from, begin)))) {
		error = take_line(source, input->str + begin, newline - input->str - begin, true);
		begin = newline + 1 - input->str;
	}
	if (!error && is_end && begin < input->len) {
		error = take_line(source, input->str + begin, input->len - begin, false);
		begin = input->len;
	}
	g_string_erase(input, 0, (gssize)begin);
	return error;
}

static bool is_consistent(const struct recording *recording)
{
	for (guint i = 0; i < recording->hosts->len; i++)
		if (((const struct host *)g_ptr_array_index(recording->hosts, i))->is_within_snapshot)
			return false;
	return true;
}

/* Wait for input, and let the watch work meanwhile. */
static void wait_for_input(struct source *source, int fd)
{
	const struct recording_watch *watch = source->watch;
	struct pollfd input = {.fd = fd, .events = POLLIN};
	int wait;

	do
		wait = watch->idle(source->recording, is_consistent(source->recording), watch->data);
	while (poll(&input, 1, wait) <= 0);
}

static struct error *read_lines(struct source *source, int fd)
{
	enum { CHUNK = 1 << 16 };
	const struct recording_watch *watch = source->watch;
	g_autoptr(GString) input = g_string_sized_new(CHUNK);
	g_autofree char *chunk = g_malloc(CHUNK);
	struct error *error = NULL;
	ssize_t size = 1;

	while (size && !error && !(watch && watch->is_over && watch->is_over(watch->data))) {
		size_t before = input->len;

		if (watch && watch->idle)
			wait_for_input(source, fd);
		size = read(fd, chunk, CHUNK);
		if (size < 0 && errno != EINTR && errno != EAGAIN)
			return error_errno(_("cannot read %s"), source->recording->name);
		if (size < 0)
			continue;
		g_string_append_len(input, chunk, size);
		error = take_lines(source, input, before, !size);
	}
	if (!error && !source->recording->lines)
		return error_with_hint(error_new(ERROR_OTHER, _("%s is empty"), source->recording->name),
				       _("make the file with 'stap --format=json -o FILE SCRIPT'"));
	return error;
}

static void free_outputs(gpointer data)
{
	GArray *outputs = data;

	for (guint i = 0; i < outputs->len; i++)
		g_free((gpointer)g_array_index(outputs, struct output, i).text);
	g_array_free(outputs, TRUE);
}

static struct recording *recording_new(struct pool *pool, const char *name)
{
	struct recording *recording = pool_alloc(pool, sizeof(*recording));

	recording->name = name;
	recording->script.options = pool_ptr_array(pool);
	recording->script.arguments = pool_ptr_array(pool);
	recording->hosts = pool_ptr_array(pool);
	recording->outputs = g_array_new(FALSE, TRUE, sizeof(struct output));
	pool_defer(pool, free_outputs, recording->outputs);
	recording->messages = pool_ptr_array(pool);
	return recording;
}

struct error *recording_read(struct pool *pool, const char *name, int fd, const struct recording_watch *watch,
			     struct recording **ret)
{
	struct source source = {.pool = pool, .recording = recording_new(pool, name), .watch = watch};
	_cleanup_close_ int input = fd;
	struct error *error;

	source.bytes = g_string_new(NULL);
	error = read_lines(&source, input);
	g_string_free(source.bytes, TRUE);
	note_left_out_messages(&source);
	if (!source.recording->hosts->len)
		add_host(&source, NO_HOST);
	source.recording->is_whole = true;
	*ret = source.recording;
	return error;
}
