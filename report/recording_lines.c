// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The whole recording as lines of stap-json(5), which stap-report reads again. Snapshots that the model has not kept
 * are missing.
 */
#include "common/base/json_schema.h"
#include "report/formats.h"
#include "report/texts.h"

static void write_member(struct json_writer *json, const char *name, const struct text *text)
{
	if (!text)
		return;
	json_name(json, name);
	text_put(json, text);
}

static void write_number(struct json_writer *json, const char *name, int64_t value)
{
	json_name(json, name);
	json_number(json, value);
}

static void write_texts(struct json_writer *json, const char *name, const GPtrArray *texts)
{
	json_name(json, name);
	json_array_begin(json);
	for (guint i = 0; i < texts->len; i++)
		text_put(json, g_ptr_array_index(texts, i));
	json_array_end(json);
}

static void write_time(struct json_writer *json, double time)
{
	json_name(json, "time");
	json_real(json, time);
}

static void begin_line(struct json_writer *json, const char *type, double time)
{
	json_line_begin(json, json->to, type);
	write_time(json, time);
}

static void write_script(struct json_writer *json, const struct recording *recording)
{
	if (!recording->script.name && !recording->script.text)
		return;
	begin_line(json, "script", recording->start_time);
	write_number(json, "version", JSON_SCHEMA_VERSION);
	write_member(json, "name", recording->script.name);
	write_member(json, "text", recording->script.text);
	write_texts(json, "options", recording->script.options);
	write_texts(json, "arguments", recording->script.arguments);
	write_member(json, "stap", recording->script.stap);
	json_line_end(json);
}

/* Write the number of a remote host. */
static void write_remote(struct json_writer *json, const struct recording *recording, int host)
{
	const struct host *remote = host == NO_HOST ? NULL : g_ptr_array_index(recording->hosts, host);

	if (remote && remote->number != NO_HOST)
		write_number(json, "remote", remote->number);
}

static void write_start(struct json_writer *json, const struct host *host)
{
	if (!host->start.is_known)
		return;
	begin_line(json, "start", host->start.time);
	write_number(json, "version", JSON_SCHEMA_VERSION);
	write_member(json, "module", host->start.module);
	write_member(json, "host", host->start.name);
	write_member(json, "kernel", host->start.kernel);
	if (host->number != NO_HOST) {
		json_name(json, "remote");
		json_object_begin(json);
		write_number(json, "number", host->number);
		write_member(json, "uri", host->uri);
		json_object_end(json);
	}
	json_line_end(json);
}

static void write_end(struct json_writer *json, const struct host *host)
{
	if (!host->end.is_known)
		return;
	begin_line(json, "end", host->end.time);
	if (host->number != NO_HOST)
		write_number(json, "remote", host->number);
	write_number(json, "status", host->end.status);
	write_number(json, "hits", host->end.hits);
	write_number(json, "errors", host->end.errors);
	write_number(json, "lost", host->end.lost);
	json_name(json, "skipped");
	json_object_begin(json);
	for (guint i = 0; i < SKIPPED_REASONS; i++)
		write_number(json, skipped_name(i), host->end.skipped[i]);
	json_object_end(json);
	json_line_end(json);
}

static void write_outputs(struct json_writer *json, const struct recording *recording)
{
	for (guint i = 0; i < recording->outputs->len; i++) {
		const struct output *output = &g_array_index(recording->outputs, struct output, i);

		begin_line(json, "output", output->time);
		write_remote(json, recording, output->host);
		write_member(json, "text", output->text);
		json_line_end(json);
	}
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static void write_place_object(struct json_writer *json, const struct place *place)
{
	json_object_begin(json);
	write_member(json, "file", place->file);
	write_number(json, "line", place->line);
	write_number(json, "column", place->column);
	write_number(json, "length", place->length);
	json_object_end(json);
}

static void write_place(struct json_writer *json, const struct place *place)
{
	if (!place->file)
		return;
	json_name(json, "place");
	write_place_object(json, place);
}

static void write_expansions(struct json_writer *json, const GArray *expansions)
{
	if (!expansions->len)
		return;
	json_name(json, "expanded_from");
	json_array_begin(json);
	for (guint i = 0; i < expansions->len; i++)
		write_place_object(json, &g_array_index(expansions, struct place, i));
	json_array_end(json);
}

static void write_message(struct json_writer *json, const struct recording *recording, const struct message *message)
{
	begin_line(json, "message", message->time);
	write_remote(json, recording, message->host);
	write_member(json, "level", message->level);
	write_member(json, "kind", message->kind);
	write_member(json, "text", message->text);
	write_place(json, &message->place);
	write_expansions(json, message->expansions);
	write_member(json, "hint", message->hint);
	if (message->notes->len) {
		json_name(json, "notes");
		json_array_begin(json);
		for (guint i = 0; i < message->notes->len; i++) {
			const struct note *note = &g_array_index(message->notes, struct note, i);

			json_object_begin(json);
			write_member(json, "text", note->text);
			write_place(json, &note->place);
			write_expansions(json, note->expansions);
			json_object_end(json);
		}
		json_array_end(json);
	}
	if (message->alternatives->len)
		write_texts(json, "alternatives", message->alternatives);
	json_line_end(json);
}

/* ---- globals ----------------------------------------------------------------------------------------------------- */

static void write_frame(struct json_writer *json, const struct frame *frame)
{
	const struct function *function = frame->function;

	json_object_begin(json);
	if (function->name != frame->address)
		write_member(json, "name", function->name);
	if (frame->offset >= 0)
		write_number(json, "offset", frame->offset);
	json_name(json, "kind");
	json_text(json, frame_kind_names[function->kind]);
	write_member(json, "object", function->object);
	if (function->is_inlined) {
		json_name(json, "inlined");
		json_bool(json, true);
	}
	write_member(json, "file", function->file);
	if (frame->line)
		write_number(json, "line", frame->line);
	write_member(json, "address", frame->address);
	json_object_end(json);
}

static void write_bound(struct json_writer *json, bool is_given, int64_t bound)
{
	if (is_given)
		json_number(json, bound);
	else
		json_null(json);
}

static void write_histogram(struct json_writer *json, const struct histogram *histogram)
{
	json_name(json, "histogram");
	json_object_begin(json);
	json_name(json, "kind");
	json_text(json, histogram->is_log ? "log" : "linear");
	json_name(json, "buckets");
	json_array_begin(json);
	for (guint i = 0; i < histogram->count; i++) {
		json_array_begin(json);
		write_bound(json, histogram->buckets[i].has_lower, histogram->buckets[i].lower);
		write_bound(json, histogram->buckets[i].has_upper, histogram->buckets[i].upper);
		json_number(json, histogram->buckets[i].count);
		json_array_end(json);
	}
	json_array_end(json);
	json_object_end(json);
}

static void write_statistics(struct json_writer *json, const struct statistics *statistics)
{
	json_object_begin(json);
	write_number(json, "count", statistics->count);
	write_number(json, "sum", statistics->sum);
	if (statistics->has_range) {
		write_number(json, "min", statistics->min);
		write_number(json, "max", statistics->max);
		write_number(json, "avg", statistics->avg);
	}
	if (statistics->has_variance)
		write_number(json, "variance", statistics->variance);
	if (statistics->histogram)
		write_histogram(json, statistics->histogram);
	json_object_end(json);
}

static void write_value(struct json_writer *json, const struct value *value)
{
	switch (value->kind) {
	case VALUE_NUMBER:
		json_number(json, value->number);
		break;
	case VALUE_STRING:
		text_put(json, value->text);
		break;
	case VALUE_STATISTICS:
		write_statistics(json, value->statistics);
		break;
	default:
		json_array_begin(json);
		for (guint i = 0; i < value->stack->count; i++)
			write_frame(json, &value->stack->frames[i]);
		json_array_end(json);
	}
}

static void write_elements(struct json_writer *json, const struct global *global, const struct sample *sample)
{
	json_name(json, "elements");
	json_array_begin(json);
	for (guint i = 0; i < sample->count; i++) {
		const struct element *element = &sample->elements[i];

		json_array_begin(json);
		json_array_begin(json);
		for (guint key = 0; key < global->key_count; key++)
			write_value(json, &element->keys[key]);
		json_array_end(json);
		write_value(json, &element->value);
		json_array_end(json);
	}
	json_array_end(json);
}

static void write_key_names(struct json_writer *json, const struct global *global)
{
	bool is_known = false;

	for (guint i = 0; i < global->key_count; i++)
		is_known |= global->key_names[i] != NULL;
	if (!is_known)
		return;
	json_name(json, "key_names");
	json_array_begin(json);
	for (guint i = 0; i < global->key_count; i++)
		json_text(json, global->key_names[i] ? global->key_names[i]->bytes : "");
	json_array_end(json);
}

static void write_sample(struct json_writer *json, const struct recording *recording, const struct global *global,
			 const struct sample *sample, int host)
{
	begin_line(json, "global", sample->time);
	write_remote(json, recording, host);
	write_number(json, "snapshot", sample->snapshot);
	json_name(json, "final");
	json_bool(json, sample->is_final);
	write_member(json, "name", global->name);
	json_name(json, "kind");
	json_text(json, global->is_array ? "array" : "scalar");
	json_name(json, "keys");
	json_array_begin(json);
	for (guint key = 0; key < global->key_count; key++)
		json_text(json, value_kind_names[global->keys[key]]);
	json_array_end(json);
	write_key_names(json, global);
	json_name(json, "values");
	json_text(json, value_kind_names[global->values]);
	write_member(json, "unit", global->unit);
	write_member(json, "show", global->show);
	json_name(json, "complete");
	json_bool(json, sample->is_complete);
	write_elements(json, global, sample);
	json_line_end(json);
}

static void write_global(struct json_writer *json, const struct recording *recording, const struct global *global,
			 int host)
{
	for (guint i = 0; i < global->samples->len; i++) {
		const struct sample *sample = g_ptr_array_index(global->samples, i);

		if (sample->elements || !sample->count)
			write_sample(json, recording, global, sample, host);
	}
}

static void write_globals(struct json_writer *json, const struct report *report)
{
	for (guint host = 0; host < report->hosts->len; host++) {
		GPtrArray *subjects = subjects_of_host(report->subjects, host);

		/* With a single recording, the numbers of hosts are those of the recording. */
		for (guint i = 0; i < subjects->len; i++) {
			const struct subject *subject = g_ptr_array_index(subjects, i);

			write_global(json, report->recordings[0], subject->global, (int)host);
		}
		subjects_free(subjects);
	}
}

struct error *write_json(const struct report *report, FILE *out)
{
	const struct recording *recording = report->recordings[0];
	struct json_writer json = {.to = out};

	write_script(&json, recording);
	for (guint i = 0; i < recording->hosts->len; i++)
		write_start(&json, g_ptr_array_index(recording->hosts, i));
	write_outputs(&json, recording);
	for (guint i = 0; i < recording->messages->len; i++)
		write_message(&json, recording, g_ptr_array_index(recording->messages, i));
	write_globals(&json, report);
	for (guint i = 0; i < recording->hosts->len; i++)
		write_end(&json, g_ptr_array_index(recording->hosts, i));
	return NULL;
}
