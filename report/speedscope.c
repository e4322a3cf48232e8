// SPDX-License-Identifier: GPL-2.0-or-later
/* The JSON of speedscope (https://www.speedscope.app/file-format-schema.json): one profile with a sample per stack. */
#include "report/texts.h"
#include "report/stack_samples.h"

/* Frames of the file. Keys that are not stacks are frames, too, which are called first. */
struct frames {
	GArray *list; /* struct listed_frame */
	GHashTable *functions, *keys; /* their numbers in the list, plus 1 */
};

struct listed_frame {
	const struct function *function; /* NULL: a key */
	char *text; /* of a key */
};

/* Return the number of a frame, which is added if the table does not have it. Takes the text of a key. */
static guint frame_number(struct frames *frames, GHashTable *table, gpointer key, struct listed_frame frame)
{
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(table, key));

	if (number) {
		g_free(frame.text);
		return number - 1;
	}
	g_array_append_val(frames->list, frame);
	g_hash_table_insert(table, key, GUINT_TO_POINTER(frames->list->len));
	return frames->list->len - 1;
}

static guint function_frame(struct frames *frames, const struct function *function)
{
	return frame_number(frames, frames->functions, (gpointer)function, (struct listed_frame){.function = function});
}

/* Return the frame of a key or of a host. Takes the text. */
static guint text_frame(struct frames *frames, char *text)
{
	return frame_number(frames, frames->keys, text, (struct listed_frame){.text = text});
}

static void write_sample(struct json_writer *json, struct frames *frames, const struct global *global,
			 const struct stack_sample *sample)
{
	g_autoptr(GPtrArray) stack = g_ptr_array_new();
	const struct element *element = sample->element;

	json_array_begin(json);
	if (sample->host)
		json_number(json, text_frame(frames, g_strdup(sample->host)));
	for (guint key = 0; key < global->key_count; key++)
		if (global->keys[key] != VALUE_STACK)
			json_number(json, text_frame(frames, key_text(&element->keys[key])));
	element_frames(global, element, ALL_STACKS, stack);
	for (guint i = 0; i < stack->len; i++)
		json_number(json, function_frame(frames, ((const struct frame *)stack->pdata[i])->function));
	json_array_end(json);
}

static void write_frames(struct json_writer *json, struct frames *frames)
{
	json_array_begin(json);
	for (guint i = 0; i < frames->list->len; i++) {
		struct listed_frame *frame = &g_array_index(frames->list, struct listed_frame, i);

		json_object_begin(json);
		json_name(json, "name");
		if (frame->text)
			json_text(json, frame->text);
		else
			text_put_shown(json, frame->function->name);
		if (frame->function && (frame->function->file ?: frame->function->object)) {
			json_name(json, "file");
			text_put_shown(json, frame->function->file ?: frame->function->object);
		}
		json_object_end(json);
	}
	json_array_end(json);
}

/* Return speedscope's word for a unit. */
static const char *unit_word(const struct text *unit)
{
	static const char *const words[][2] = {
		{"ns", "nanoseconds"}, {"us", "microseconds"}, {"ms", "milliseconds"},
		{"s", "seconds"},      {"bytes", "bytes"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if (text_is(unit, words[i][0]))
			return words[i][1];
	return "none";
}

static void write_profile(struct json_writer *json, struct frames *frames, const struct global *global,
			  const GArray *samples)
{
	double total = 0;

	json_object_begin(json);
	json_name(json, "type");
	json_text(json, "sampled");
	json_name(json, "name");
	text_put_shown(json, global->name);
	json_name(json, "unit");
	json_text(json, unit_word(global->unit));
	json_name(json, "samples");
	json_array_begin(json);
	for (guint i = 0; i < samples->len; i++)
		write_sample(json, frames, global, &g_array_index(samples, struct stack_sample, i));
	json_array_end(json);
	json_name(json, "weights");
	json_array_begin(json);
	for (guint i = 0; i < samples->len; i++) {
		json_number(json, g_array_index(samples, struct stack_sample, i).weight);
		total += g_array_index(samples, struct stack_sample, i).weight;
	}
	json_array_end(json);
	json_name(json, "startValue");
	json_number(json, 0);
	json_name(json, "endValue");
	json_real(json, total);
	json_object_end(json);
}

struct error *write_speedscope(const struct report *report, FILE *out)
{
	struct json_writer json = {.to = out};
	struct frames frames = {g_array_new(FALSE, TRUE, sizeof(struct listed_frame)), g_hash_table_new(NULL, NULL),
				g_hash_table_new(g_str_hash, g_str_equal)};
	const struct global *global = stack_global(report);
	g_autoptr(GArray) samples = stack_samples(report);

	json_object_begin(&json);
	json_name(&json, "$schema");
	json_text(&json, "https://www.speedscope.app/file-format-schema.json");
	json_name(&json, "exporter");
	json_text(&json, "stap-report " PACKAGE_VERSION);
	json_name(&json, "name");
	text_put_shown(&json, report->recordings[0]->script.name ?: global->name);
	json_name(&json, "profiles");
	json_array_begin(&json);
	write_profile(&json, &frames, global, samples);
	json_array_end(&json);
	json_name(&json, "shared");
	json_object_begin(&json);
	json_name(&json, "frames");
	write_frames(&json, &frames);
	json_object_end(&json);
	json_object_end(&json);
	putc('\n', out);
	for (guint i = 0; i < frames.list->len; i++)
		g_free(g_array_index(frames.list, struct listed_frame, i).text);
	g_array_free(frames.list, TRUE);
	g_hash_table_destroy(frames.functions);
	g_hash_table_destroy(frames.keys);
	return NULL;
}
