// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The data of a page, as its JavaScript reads it (report/data.js describes it).
 *
 * The form is made for size and speed: keys by column, functions as numbers, stacks as a tree. Integers that
 * JavaScript's numbers cannot hold are objects with their digits.
 */
#include "report/page_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/texts.h"

enum {
	MOST_OUTPUT = 1 << 20, /* bytes of the script's output; older output is left out */
	MOST_SERIES = 8, /* lines of a chart */
};

static const int64_t largest_exact = (int64_t)1 << 53;

static void write_integer(struct json_writer *json, int64_t value)
{
	char digits[32];

	if (value >= -largest_exact && value <= largest_exact) {
		json_number(json, value);
		return;
	}
	snprintf(digits, sizeof(digits), "%" PRId64, value);
	json_object_begin(json);
	json_name(json, "n");
	json_text(json, digits);
	json_object_end(json);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* buckets := { "[" lower "," upper "," count "]" }, without the buckets that are empty */
static void write_buckets(struct json_writer *json, const struct histogram *histogram, bool with_empty)
{
	json_array_begin(json);
	for (guint i = 0; i < histogram->count; i++) {
		const struct bucket *bucket = &histogram->buckets[i];

		if (!bucket->count && !with_empty)
			continue;
		json_array_begin(json);
		if (bucket->has_lower)
			write_integer(json, bucket->lower);
		else
			json_null(json);
		if (bucket->has_upper)
			write_integer(json, bucket->upper);
		else
			json_null(json);
		write_integer(json, bucket->count);
		json_array_end(json);
	}
	json_array_end(json);
}

static void write_quantiles(struct json_writer *json, const struct statistics *statistics)
{
	double value;

	json_array_begin(json);
	for (guint i = 0; i < QUANTILES; i++) {
		if (statistics_quantile(statistics, quantile_shares[i], &value))
			json_real(json, value);
		else
			json_null(json);
	}
	json_array_end(json);
}

/* statistics := "[" count "," sum "," min "," max "," avg "," variance [ "," is_log "," buckets "," quantiles ] "]" */
static void write_statistics(struct json_writer *json, const struct statistics *statistics, bool with_histogram)
{
	json_array_begin(json);
	write_integer(json, statistics->count);
	write_integer(json, statistics->sum);
	if (statistics->has_range) {
		write_integer(json, statistics->min);
		write_integer(json, statistics->max);
		write_integer(json, statistics->avg);
	} else {
		json_null(json);
		json_null(json);
		json_null(json);
	}
	if (statistics->has_variance)
		write_integer(json, statistics->variance);
	else
		json_null(json);
	if (statistics->histogram && with_histogram) {
		json_bool(json, statistics->histogram->is_log);
		write_buckets(json, statistics->histogram, true);
		write_quantiles(json, statistics);
	}
	json_array_end(json);
}

static void write_value(struct json_writer *json, const struct value *value, bool with_histogram)
{
	switch (value->kind) {
	case VALUE_NUMBER:
		write_integer(json, value->number);
		break;
	case VALUE_STRING:
		text_put_shown(json, value->text);
		break;
	case VALUE_STATISTICS:
		write_statistics(json, value->statistics, with_histogram);
		break;
	default:
		json_null(json);
	}
}

/* ---- elements and stacks ----------------------------------------------------------------------------------------- */

static void write_columns(struct json_writer *json, const struct subject *subject)
{
	json_array_begin(json);
	for (guint key = 0; key < subject->global->key_count; key++) {
		if (subject->global->keys[key] == VALUE_STACK) {
			json_null(json);
			continue;
		}
		json_array_begin(json);
		for (guint i = 0; i < subject->rows->len; i++)
			write_value(json, &row_any(&g_array_index(subject->rows, struct row, i))->keys[key], false);
		json_array_end(json);
	}
	json_array_end(json);
}

static void write_elements(struct json_writer *json, const struct report *report, const struct subject *subject)
{
	json_array_begin(json);
	for (guint recording = 0; recording < report->count; recording++) {
		json_array_begin(json);
		for (guint i = 0; i < subject->rows->len; i++) {
			const struct element *element = g_array_index(subject->rows, struct row, i).in[recording];

			if (element)
				write_value(json, &element->value, true);
			else
				json_null(json);
		}
		json_array_end(json);
	}
	json_array_end(json);
}

static guint function_number(GPtrArray *functions, GHashTable *numbers, const struct function *function)
{
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, function));

	if (number)
		return number - 1;
	g_ptr_array_add(functions, (gpointer)function);
	g_hash_table_insert(numbers, (gpointer)function, GUINT_TO_POINTER(functions->len));
	return functions->len - 1;
}

/* Functions of the page, in the order of their numbers. */
struct functions {
	GPtrArray *list;
	GHashTable *numbers;
};

static void write_tree(struct json_writer *json, const struct tree *tree, guint leaves, struct functions *functions)
{
	json_name(json, "parent");
	json_array_begin(json);
	for (guint i = 0; i < tree->count; i++)
		json_number(json, tree->nodes[i].parent);
	json_array_end(json);
	json_name(json, "function");
	json_array_begin(json);
	for (guint i = 1; i < tree->count; i++)
		json_number(json, function_number(functions->list, functions->numbers, tree->nodes[i].function));
	json_array_end(json);
	json_name(json, "line");
	json_array_begin(json);
	for (guint i = 1; i < tree->count; i++)
		json_number(json, tree->nodes[i].line);
	json_array_end(json);
	json_name(json, "leaf");
	json_array_begin(json);
	for (guint i = 0; i < leaves; i++)
		json_number(json, tree->leaves[i]);
	json_array_end(json);
}

static void write_view(struct json_writer *json, const struct subject *subject, int key, struct functions *functions)
{
	guint count = subject->rows->len;
	g_autofree const struct element **elements = g_new(const struct element *, MAX(count, 1));
	struct tree *tree;

	for (guint i = 0; i < count; i++)
		elements[i] = row_any(&g_array_index(subject->rows, struct row, i));
	tree = tree_new(subject->global, elements, count, key);
	json_object_begin(json);
	json_name(json, "key");
	json_number(json, key);
	write_tree(json, tree, count, functions);
	json_object_end(json);
	tree_free(tree);
}

/* Write a view of each key that is a stack; before them, if there are several, a view of all together. */
static void write_views(struct json_writer *json, const struct subject *subject, struct functions *functions)
{
	guint stacks = 0;

	json_array_begin(json);
	for (guint i = 0; i < subject->global->key_count; i++)
		stacks += subject->global->keys[i] == VALUE_STACK;
	if (stacks > 1)
		write_view(json, subject, ALL_STACKS, functions);
	for (guint i = 0; i < subject->global->key_count; i++)
		if (subject->global->keys[i] == VALUE_STACK)
			write_view(json, subject, i, functions);
	json_array_end(json);
}

/* ---- series ------------------------------------------------------------------------------------------------------ */

static int64_t series_size(const struct element *element)
{
	const struct value *value = &element->value;
	int64_t size = value->kind == VALUE_STATISTICS ? value->statistics->count : value->number;

	return size == INT64_MIN ? INT64_MAX : llabs(size);
}

static gint compare_sizes(gconstpointer a, gconstpointer b)
{
	int64_t one = series_size(*(const struct element *const *)a),
		two = series_size(*(const struct element *const *)b);

	return one > two ? -1 : one < two;
}

static const struct element *find_element(const struct sample *sample, const struct element *wanted, guint key_count)
{
	for (guint i = 0; sample->elements && i < sample->count; i++) {
		guint key = 0;

		while (key < key_count && value_equals(&sample->elements[i].keys[key], &wanted->keys[key]))
			key++;
		if (key == key_count)
			return &sample->elements[i];
	}
	return NULL;
}

static const struct histogram *histogram_of(const struct element *element)
{
	return element && element->value.kind == VALUE_STATISTICS ? element->value.statistics->histogram : NULL;
}

/* Write the increase of each sample's histogram since the sample before. */
static void write_increases(struct json_writer *json, const struct global *global, const struct element *wanted)
{
	const struct histogram *before = NULL;

	json_name(json, "increases");
	json_array_begin(json);
	for (guint i = 0; i < global->samples->len; i++) {
		const struct sample *sample = g_ptr_array_index(global->samples, i);
		const struct histogram *now = histogram_of(find_element(sample, wanted, global->key_count));
		g_autofree struct histogram *increase = now ? histogram_increase(before, now) : NULL;

		if (increase)
			write_buckets(json, increase, false);
		else
			json_null(json);
		before = now;
	}
	json_array_end(json);
}

static void write_series_row(struct json_writer *json, const struct global *global, const struct element *wanted)
{
	json_object_begin(json);
	json_name(json, "keys");
	json_array_begin(json);
	for (guint i = 0; i < global->key_count; i++)
		write_value(json, &wanted->keys[i], false);
	json_array_end(json);
	json_name(json, "values");
	json_array_begin(json);
	for (guint i = 0; i < global->samples->len; i++) {
		const struct sample *sample = g_ptr_array_index(global->samples, i);
		const struct element *element = find_element(sample, wanted, global->key_count);

		if (element)
			write_value(json, &element->value, false);
		else
			json_null(json);
	}
	json_array_end(json);
	if (histogram_of(wanted))
		write_increases(json, global, wanted);
	json_object_end(json);
}

/* Write the largest elements of the newest sample with their values in all samples. */
static void write_series_rows(struct json_writer *json, const struct global *global)
{
	const struct sample *newest = global_newest(global);
	g_autoptr(GPtrArray) elements = g_ptr_array_new();

	for (guint i = 0; i < newest->count; i++)
		g_ptr_array_add(elements, &newest->elements[i]);
	g_ptr_array_sort(elements, compare_sizes);
	json_name(json, "rows");
	json_array_begin(json);
	for (guint i = 0; i < MIN(elements->len, MOST_SERIES); i++)
		write_series_row(json, global, g_ptr_array_index(elements, i));
	json_array_end(json);
}

static bool has_series(const struct global *global)
{
	guint kept = 0;

	if (global->values == VALUE_STRING || global_has_key(global, VALUE_STACK))
		return false;
	for (guint i = 0; i < global->samples->len; i++)
		kept += ((const struct sample *)g_ptr_array_index(global->samples, i))->elements != NULL;
	return kept > 1;
}

/* series := "{" host, times, step, total, rows "}" */
static void write_series(struct json_writer *json, const struct part *part)
{
	const struct global *global = part->global;

	json_object_begin(json);
	json_name(json, "host");
	json_number(json, part->host);
	json_name(json, "step");
	json_number(json, global->step);
	json_name(json, "total");
	json_number(json, global_newest(global)->count);
	json_name(json, "times");
	json_array_begin(json);
	for (guint i = 0; i < global->samples->len; i++)
		json_real(json, ((const struct sample *)g_ptr_array_index(global->samples, i))->time);
	json_array_end(json);
	write_series_rows(json, global);
	json_object_end(json);
}

/* Write the series of a recording's hosts. */
static void write_all_series(struct json_writer *json, const struct subject *subject, guint recording)
{
	json_array_begin(json);
	for (guint i = 0; i < subject->parts->len; i++) {
		const struct part *part = &g_array_index(subject->parts, struct part, i);

		if (part->recording == recording && has_series(part->global))
			write_series(json, part);
	}
	json_array_end(json);
}

/* Write the host of each row; null if there is only one. */
static void write_row_hosts(struct json_writer *json, const struct report *report, const struct subject *subject)
{
	if (report->hosts->len < 2) {
		json_null(json);
		return;
	}
	json_array_begin(json);
	for (guint i = 0; i < subject->rows->len; i++)
		json_number(json, g_array_index(subject->rows, struct row, i).host);
	json_array_end(json);
}

/* ---- globals ----------------------------------------------------------------------------------------------------- */

/* Does a key contain times on all hosts, in the same unit? */
static bool is_time_everywhere(const struct report *report, const struct subject *subject, guint key, double *ret)
{
	bool is_first = true;

	for (guint i = 0; i < subject->parts->len; i++) {
		const struct part *part = &g_array_index(subject->parts, struct part, i);
		double scale;

		if (part->recording != (subject->in[1] ? 1u : 0u))
			continue;
		if (!is_time_key(report->recordings[part->recording], part->global, global_newest(part->global), key,
				 &scale) ||
		    (!is_first && scale != *ret))
			return false;
		*ret = scale;
		is_first = false;
	}
	return !is_first;
}

/* Write the key that contains times, if there is one: its number, and how many of its units make a second. */
static void write_time_key(struct json_writer *json, const struct report *report, const struct subject *subject)
{
	double scale;

	for (guint i = 0; i < subject->global->key_count; i++) {
		if (!is_time_everywhere(report, subject, i, &scale))
			continue;
		json_array_begin(json);
		json_number(json, i);
		json_real(json, scale);
		json_array_end(json);
		return;
	}
	json_null(json);
}

static void write_kinds(struct json_writer *json, const struct global *global)
{
	json_name(json, "keys");
	json_array_begin(json);
	for (guint i = 0; i < global->key_count; i++)
		json_text(json, value_kind_names[global->keys[i]]);
	json_array_end(json);
	json_name(json, "names");
	json_array_begin(json);
	for (guint i = 0; i < global->key_count; i++)
		text_put_shown(json, global->key_names[i]);
	json_array_end(json);
	json_name(json, "values");
	json_text(json, value_kind_names[global->values]);
}

/*
 * Write the time of a recording's last sample of a global, and whether the sample is final and complete on all hosts;
 * null if there is no sample.
 */
static void write_state(struct json_writer *json, const struct subject *subject, guint recording)
{
	struct sample state = {.is_final = true, .is_complete = true};
	bool is_known = false;

	for (guint i = 0; i < subject->parts->len; i++) {
		const struct part *part = &g_array_index(subject->parts, struct part, i);
		const struct sample *sample = global_newest(part->global);

		if (part->recording != recording)
			continue;
		is_known = true;
		state.time = MAX(state.time, sample->time);
		state.is_final &= sample->is_final;
		state.is_complete &= sample->is_complete;
	}
	if (!is_known) {
		json_null(json);
		return;
	}
	json_object_begin(json);
	json_name(json, "time");
	json_real(json, state.time);
	json_name(json, "final");
	json_bool(json, state.is_final);
	json_name(json, "complete");
	json_bool(json, state.is_complete);
	json_object_end(json);
}

static void write_subject(struct json_writer *json, const struct report *report, const struct subject *subject,
			  struct functions *functions)
{
	const struct global *global = subject->global;

	json_object_begin(json);
	json_name(json, "name");
	text_put_shown(json, global->name);
	json_name(json, "array");
	json_bool(json, global->is_array);
	json_name(json, "unit");
	text_put_shown(json, global->unit);
	json_name(json, "show");
	text_put_shown(json, report->is_selection && text_is(global->show, "none") ? NULL : global->show);
	write_kinds(json, global);
	json_name(json, "states");
	json_array_begin(json);
	for (guint i = 0; i < report->count; i++)
		write_state(json, subject, i);
	json_array_end(json);
	json_name(json, "timeKey");
	write_time_key(json, report, subject);
	json_name(json, "columns");
	write_columns(json, subject);
	json_name(json, "elements");
	write_elements(json, report, subject);
	json_name(json, "hosts");
	write_row_hosts(json, report, subject);
	json_name(json, "views");
	write_views(json, subject, functions);
	json_name(json, "series");
	json_array_begin(json);
	for (guint i = 0; i < report->count; i++)
		write_all_series(json, subject, i);
	json_array_end(json);
	json_object_end(json);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static void write_texts(struct json_writer *json, const char *name, const GPtrArray *texts)
{
	json_name(json, name);
	json_array_begin(json);
	for (guint i = 0; i < texts->len; i++)
		text_put_shown(json, g_ptr_array_index(texts, i));
	json_array_end(json);
}

static void write_named_text(struct json_writer *json, const char *name, const struct text *text)
{
	json_name(json, name);
	text_put_shown(json, text);
}

static void write_script(struct json_writer *json, const struct recording *recording)
{
	json_name(json, "script");
	json_object_begin(json);
	write_named_text(json, "name", recording->script.name);
	write_named_text(json, "text", recording->script.text);
	write_named_text(json, "stap", recording->script.stap);
	write_texts(json, "options", recording->script.options);
	write_texts(json, "arguments", recording->script.arguments);
	json_object_end(json);
}

static void write_start(struct json_writer *json, const struct host *host)
{
	json_name(json, "start");
	if (!host->start.is_known) {
		json_null(json);
		return;
	}
	json_object_begin(json);
	json_name(json, "time");
	json_real(json, host->start.time);
	write_named_text(json, "module", host->start.module);
	write_named_text(json, "host", host->start.name);
	write_named_text(json, "kernel", host->start.kernel);
	json_object_end(json);
}

static void write_named_integer(struct json_writer *json, const char *name, int64_t value)
{
	json_name(json, name);
	write_integer(json, value);
}

static void write_end(struct json_writer *json, const struct host *host)
{
	json_name(json, "end");
	if (!host->end.is_known) {
		json_null(json);
		return;
	}
	json_object_begin(json);
	json_name(json, "time");
	json_real(json, host->end.time);
	write_named_integer(json, "status", host->end.status);
	write_named_integer(json, "hits", host->end.hits);
	write_named_integer(json, "errors", host->end.errors);
	write_named_integer(json, "lost", host->end.lost);
	json_name(json, "skipped");
	json_object_begin(json);
	for (guint i = 0; i < SKIPPED_REASONS; i++)
		write_named_integer(json, skipped_name(i), host->end.skipped[i]);
	json_object_end(json);
	json_object_end(json);
}

static guint shared_number(const struct report *report, const struct host *host, guint recording)
{
	guint number = 0;

	while (((const struct shared_host *)g_ptr_array_index(report->hosts, number))->in[recording] != host)
		number++;
	return number;
}

static void write_hosts(struct json_writer *json, const struct report *report, guint recording)
{
	const GPtrArray *hosts = report->recordings[recording]->hosts;

	json_name(json, "hosts");
	json_array_begin(json);
	for (guint i = 0; i < hosts->len; i++) {
		const struct host *host = g_ptr_array_index(hosts, i);

		json_object_begin(json);
		json_name(json, "number");
		json_number(json, shared_number(report, host, recording));
		write_named_text(json, "uri", host->uri);
		write_start(json, host);
		write_end(json, host);
		json_object_end(json);
	}
	json_array_end(json);
}

static void write_place(struct json_writer *json, const struct place *place)
{
	json_name(json, "place");
	if (!place->file) {
		json_null(json);
		return;
	}
	json_array_begin(json);
	text_put_shown(json, place->file);
	write_integer(json, place->line);
	write_integer(json, place->column);
	json_array_end(json);
}

static void write_message(struct json_writer *json, const struct message *message)
{
	json_object_begin(json);
	json_name(json, "host");
	json_number(json, message->host);
	json_name(json, "time");
	json_real(json, message->time);
	write_named_text(json, "level", message->level);
	write_named_text(json, "text", message->text);
	write_named_text(json, "hint", message->hint);
	write_place(json, &message->place);
	json_name(json, "notes");
	json_array_begin(json);
	for (guint i = 0; i < message->notes->len; i++) {
		const struct note *note = &g_array_index(message->notes, struct note, i);

		json_object_begin(json);
		write_named_text(json, "text", note->text);
		write_place(json, &note->place);
		json_object_end(json);
	}
	json_array_end(json);
	write_texts(json, "alternatives", message->alternatives);
	json_object_end(json);
}

/* Write the last part of the output, and how many bytes are left out. */
static void write_output(struct json_writer *json, const struct recording *recording)
{
	guint first = recording->outputs->len;
	int64_t size = 0, left_out = 0;

	while (first > 0) {
		size += g_array_index(recording->outputs, struct output, first - 1).text->length;
		if (size > MOST_OUTPUT)
			break;
		first--;
	}
	for (guint i = 0; i < first; i++)
		left_out += g_array_index(recording->outputs, struct output, i).text->length;
	json_name(json, "outputLeftOut");
	json_number(json, left_out + (int64_t)recording->output_left_out);
	json_name(json, "output");
	json_array_begin(json);
	for (guint i = first; i < recording->outputs->len; i++) {
		const struct output *output = &g_array_index(recording->outputs, struct output, i);

		json_array_begin(json);
		json_number(json, output->host);
		text_put_shown(json, output->text);
		json_array_end(json);
	}
	json_array_end(json);
}

/* The page's words for the states of a run. */
static const char *const state_words[RUN_STATES] = {
	[RUN_COMPLETED] = "completed",	   [RUN_LOST] = "lost", [RUN_FAILED] = "failed", [RUN_GOES_ON] = "running",
	[RUN_INTERRUPTED] = "interrupted",
};

static void write_run(struct json_writer *json, const struct report *report, guint number)
{
	const struct recording *recording = report->recordings[number];
	g_autofree char *name = g_filename_display_basename(recording->name);

	json_object_begin(json);
	json_name(json, "name");
	json_text(json, name);
	json_name(json, "state");
	json_text(json, state_words[recording_state(recording)]);
	json_name(json, "last");
	json_real(json, recording->last_time);
	write_script(json, recording);
	write_hosts(json, report, number);
	json_name(json, "messages");
	json_array_begin(json);
	for (guint i = 0; i < recording->messages->len; i++)
		write_message(json, g_ptr_array_index(recording->messages, i));
	json_array_end(json);
	write_output(json, recording);
	json_object_end(json);
}

/* functions := "[" { "[" name "," kind "," is_inlined "," object "," file "]" } "]" */
static void write_functions(struct json_writer *json, const GPtrArray *functions)
{
	json_array_begin(json);
	for (guint i = 0; i < functions->len; i++) {
		const struct function *function = g_ptr_array_index(functions, i);

		json_array_begin(json);
		text_put_shown(json, function->name);
		json_number(json, function->kind);
		json_number(json, function->is_inlined);
		text_put_shown(json, function->object);
		text_put_shown(json, function->file);
		json_array_end(json);
	}
	json_array_end(json);
}

void write_page_data(const struct report *report, FILE *out)
{
	struct json_writer json = {.to = out, .style = JSON_EMBEDDED};
	struct functions functions = {g_ptr_array_new(), g_hash_table_new(NULL, NULL)};

	json_object_begin(&json);
	json_name(&json, "runs");
	json_array_begin(&json);
	for (guint i = 0; i < report->count; i++)
		write_run(&json, report, i);
	json_array_end(&json);
	json_name(&json, "hosts");
	json_array_begin(&json);
	for (guint i = 0; i < report->hosts->len; i++)
		json_text(&json, ((const struct shared_host *)g_ptr_array_index(report->hosts, i))->name);
	json_array_end(&json);
	json_name(&json, "kinds");
	json_array_begin(&json);
	for (guint i = 0; i < FRAME_KINDS; i++)
		json_text(&json, frame_kind_names[i]);
	json_array_end(&json);
	json_name(&json, "quantiles");
	json_array_begin(&json);
	for (guint i = 0; i < QUANTILES; i++)
		json_real(&json, quantile_shares[i]);
	json_array_end(&json);
	json_name(&json, "globals");
	json_array_begin(&json);
	for (guint i = 0; i < report->subjects->len; i++)
		write_subject(&json, report, g_ptr_array_index(report->subjects, i), &functions);
	json_array_end(&json);
	json_name(&json, "functions");
	write_functions(&json, functions.list);
	json_object_end(&json);
	g_ptr_array_free(functions.list, TRUE);
	g_hash_table_destroy(functions.numbers);
}
