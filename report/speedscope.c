// SPDX-License-Identifier: GPL-2.0-or-later
/* The JSON of speedscope (https://www.speedscope.app/file-format-schema.json): one profile with a sample per stack. */
#include "report/json_writer.h"
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

static guint key_frame(struct frames *frames, const struct value *key)
{
	char *text = key_text(key);

	return frame_number(frames, frames->keys, text, (struct listed_frame){.text = text});
}

static void write_sample(struct json_writer *json, struct frames *frames, const struct global *global,
			 const struct element *element)
{
	g_autoptr(GPtrArray) stack = g_ptr_array_new();

	json_open(json, '[');
	for (guint key = 0; key < global->key_count; key++)
		if (global->keys[key] != VALUE_STACK)
			json_integer(json, key_frame(frames, &element->keys[key]));
	element_frames(global, element, ALL_STACKS, stack);
	for (guint i = 0; i < stack->len; i++)
		json_integer(json, function_frame(frames, ((const struct frame *)stack->pdata[i])->function));
	json_close(json, ']');
}

static void write_frames(struct json_writer *json, struct frames *frames)
{
	json_open(json, '[');
	for (guint i = 0; i < frames->list->len; i++) {
		struct listed_frame *frame = &g_array_index(frames->list, struct listed_frame, i);

		json_open(json, '{');
		json_name(json, "name");
		if (frame->text)
			json_string(json, frame->text);
		else
			json_shown_text(json, frame->function->name);
		if (frame->function && (frame->function->file ?: frame->function->object)) {
			json_name(json, "file");
			json_shown_text(json, frame->function->file ?: frame->function->object);
		}
		json_close(json, '}');
	}
	json_close(json, ']');
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

	json_open(json, '{');
	json_name(json, "type");
	json_string(json, "sampled");
	json_name(json, "name");
	json_shown_text(json, global->name);
	json_name(json, "unit");
	json_string(json, unit_word(global->unit));
	json_name(json, "samples");
	json_open(json, '[');
	for (guint i = 0; i < samples->len; i++)
		write_sample(json, frames, global, g_array_index(samples, struct stack_sample, i).element);
	json_close(json, ']');
	json_name(json, "weights");
	json_open(json, '[');
	for (guint i = 0; i < samples->len; i++) {
		json_integer(json, g_array_index(samples, struct stack_sample, i).weight);
		total += g_array_index(samples, struct stack_sample, i).weight;
	}
	json_close(json, ']');
	json_name(json, "startValue");
	json_integer(json, 0);
	json_name(json, "endValue");
	json_real(json, total);
	json_close(json, '}');
}

struct error *write_speedscope(const struct report *report, GString *out)
{
	struct json_writer json = JSON_WRITER(out, JSON_COMPACT);
	struct frames frames = {g_array_new(FALSE, TRUE, sizeof(struct listed_frame)), g_hash_table_new(NULL, NULL),
				g_hash_table_new(g_str_hash, g_str_equal)};
	const struct global *global = stack_global(report);
	g_autoptr(GArray) samples = stack_samples(report);

	json_open(&json, '{');
	json_name(&json, "$schema");
	json_string(&json, "https://www.speedscope.app/file-format-schema.json");
	json_name(&json, "exporter");
	json_string(&json, "stap-report " PACKAGE_VERSION);
	json_name(&json, "name");
	json_shown_text(&json, report->recordings[0]->start.script_name ?: global->name);
	json_name(&json, "profiles");
	json_open(&json, '[');
	write_profile(&json, &frames, global, samples);
	json_close(&json, ']');
	json_name(&json, "shared");
	json_open(&json, '{');
	json_name(&json, "frames");
	write_frames(&json, &frames);
	json_close(&json, '}');
	json_close(&json, '}');
	g_string_append_c(out, '\n');
	for (guint i = 0; i < frames.list->len; i++)
		g_free(g_array_index(frames.list, struct listed_frame, i).text);
	g_array_free(frames.list, TRUE);
	g_hash_table_destroy(frames.functions);
	g_hash_table_destroy(frames.keys);
	return NULL;
}
