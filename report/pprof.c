// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A profile of pprof (https://github.com/google/pprof/blob/main/proto/profile.proto): a compressed protobuf.
 *
 * Only six messages of numbers, texts and messages are written, so the encoding is here and needs no library. Keys that
 * are not stacks are labels. Statistics have two values, their count and their sum.
 */
#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/i18n.h"
#include "report/texts.h"
#include "report/stack_samples.h"

/* ---- protobuf ---------------------------------------------------------------------------------------------------- */

enum wire_type { WIRE_VARINT, WIRE_BYTES = 2 };

static void append_varint(GByteArray *out, guint64 value)
{
	guint8 byte;

	do {
		byte = (value & 0x7f) | (value > 0x7f ? 0x80 : 0);
		g_byte_array_append(out, &byte, 1);
		value >>= 7;
	} while (value);
}

/* Append a number; 0 is the default and not written. */
static void append_number(GByteArray *out, guint field, guint64 value)
{
	if (!value)
		return;
	append_varint(out, field << 3 | WIRE_VARINT);
	append_varint(out, value);
}

static void append_bytes(GByteArray *out, guint field, const void *bytes, size_t length)
{
	append_varint(out, field << 3 | WIRE_BYTES);
	append_varint(out, length);
	g_byte_array_append(out, bytes, length);
}

/* Append a message and free it. */
static void append_message(GByteArray *out, guint field, GByteArray *message)
{
	append_bytes(out, field, message->data, message->len);
	g_byte_array_free(message, TRUE);
}

/* ---- the tables of a profile ------------------------------------------------------------------------------------- */

enum profile_field {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_TIME = 9,
	PROFILE_DURATION = 10,
	PROFILE_DEFAULT_TYPE = 14,
};

struct profile {
	GByteArray *out;
	GPtrArray *strings; /* char *; the first is "" */
	GHashTable *string_numbers;
	GHashTable *functions, *mappings; /* struct function, struct text of an object: number */
	GHashTable *locations; /* struct frame, by content: number */
};

static guint frame_hash(gconstpointer data)
{
	const struct frame *frame = data;

	return (guint)((guintptr)frame->function >> 4) * 31 + (guint)((guintptr)frame->address >> 4) +
	       (guint)frame->line;
}

static gboolean frame_equal(gconstpointer a, gconstpointer b)
{
	const struct frame *one = a, *two = b;

	return one->function == two->function && one->address == two->address && one->line == two->line;
}

/* Return the number of a text. Takes the text. */
static guint64 string_number(struct profile *profile, char *text)
{
	gpointer found;

	if (g_hash_table_lookup_extended(profile->string_numbers, text, NULL, &found)) {
		g_free(text);
		return GPOINTER_TO_UINT(found);
	}
	g_ptr_array_add(profile->strings, text);
	g_hash_table_insert(profile->string_numbers, text, GUINT_TO_POINTER(profile->strings->len - 1));
	return profile->strings->len - 1;
}

static guint64 text_number(struct profile *profile, const struct text *text)
{
	return string_number(profile, text ? text_to_show(text, NULL) : g_strdup(""));
}

/* Return the number of a mapping: an object file. Functions of the kernel without an object are of the kernel. */
static guint64 mapping_number(struct profile *profile, const struct function *function)
{
	const char *kernel = function->kind == FRAME_KERNEL ? "[kernel.kallsyms]" : NULL;
	gpointer key = function->object ? (gpointer)function->object : (gpointer)kernel;
	guint number = key ? GPOINTER_TO_UINT(g_hash_table_lookup(profile->mappings, key)) : 0;
	GByteArray *message;

	if (!key || number)
		return number;
	number = g_hash_table_size(profile->mappings) + 1;
	g_hash_table_insert(profile->mappings, key, GUINT_TO_POINTER(number));
	message = g_byte_array_new();
	append_number(message, 1, number);
	append_number(message, 5,
		      function->object ? text_number(profile, function->object)
				       : string_number(profile, g_strdup(kernel)));
	for (guint field = 7; field <= 10; field++) /* has functions, file names, lines, inlined frames */
		append_number(message, field, 1);
	append_message(profile->out, PROFILE_MAPPING, message);
	return number;
}

static guint64 function_number(struct profile *profile, const struct function *function)
{
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(profile->functions, function));
	GByteArray *message;

	if (number)
		return number;
	number = g_hash_table_size(profile->functions) + 1;
	g_hash_table_insert(profile->functions, (gpointer)function, GUINT_TO_POINTER(number));
	message = g_byte_array_new();
	append_number(message, 1, number);
	append_number(message, 2, text_number(profile, function->name));
	append_number(message, 3, text_number(profile, function->name));
	append_number(message, 4, text_number(profile, function->file));
	append_message(profile->out, PROFILE_FUNCTION, message);
	return number;
}

static guint64 location_number(struct profile *profile, const struct frame *frame)
{
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(profile->locations, frame));
	GByteArray *message, *line;

	if (number)
		return number;
	number = g_hash_table_size(profile->locations) + 1;
	g_hash_table_insert(profile->locations, (gpointer)frame, GUINT_TO_POINTER(number));
	line = g_byte_array_new();
	append_number(line, 1, function_number(profile, frame->function));
	append_number(line, 2, frame->line);
	message = g_byte_array_new();
	append_number(message, 1, number);
	append_number(message, 2, mapping_number(profile, frame->function));
	append_number(message, 3, frame->address ? g_ascii_strtoull(frame->address->bytes, NULL, 0) : 0);
	append_message(message, 4, line);
	append_message(profile->out, PROFILE_LOCATION, message);
	return number;
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

static void append_host(struct profile *profile, GByteArray *sample, const char *host)
{
	GByteArray *label = g_byte_array_new();

	append_number(label, 1, string_number(profile, g_strdup("host")));
	append_number(label, 2, string_number(profile, g_strdup(host)));
	append_message(sample, 3, label);
}

static char *label_name(const struct global *global, guint key)
{
	return global->key_names[key] ? g_strdup(global->key_names[key]->bytes) : g_strdup_printf("key%u", key + 1);
}

static void append_label(struct profile *profile, GByteArray *sample, const struct global *global, guint key,
			 const struct value *value)
{
	GByteArray *label = g_byte_array_new();

	append_number(label, 1, string_number(profile, label_name(global, key)));
	if (value->kind == VALUE_STRING)
		append_number(label, 2, text_number(profile, value->text));
	else
		append_number(label, 3, value->number);
	append_message(sample, 3, label);
}

static void append_sample(struct profile *profile, const struct global *global, const struct stack_sample *sample)
{
	g_autoptr(GPtrArray) frames = g_ptr_array_new();
	GByteArray *message = g_byte_array_new(), *locations = g_byte_array_new(), *values = g_byte_array_new();

	element_frames(global, sample->element, ALL_STACKS, frames);
	for (guint i = frames->len; i-- > 0;)
		append_varint(locations, location_number(profile, g_ptr_array_index(frames, i)));
	if (global->values == VALUE_STATISTICS)
		append_varint(values, sample->element->value.statistics->count);
	append_varint(values, sample->weight);
	append_message(message, 1, locations);
	append_message(message, 2, values);
	if (sample->host)
		append_host(profile, message, sample->host);
	for (guint key = 0; key < global->key_count; key++)
		if (global->keys[key] != VALUE_STACK)
			append_label(profile, message, global, key, &sample->element->keys[key]);
	append_message(profile->out, PROFILE_SAMPLE, message);
}

static void append_type(struct profile *profile, const char *type, const char *unit)
{
	GByteArray *message = g_byte_array_new();

	append_number(message, 1, string_number(profile, g_strdup(type)));
	append_number(message, 2, string_number(profile, g_strdup(unit)));
	append_message(profile->out, PROFILE_SAMPLE_TYPE, message);
}

/* Return pprof's word for a unit. The caller frees it. */
static char *unit_word(const struct text *unit)
{
	static const char *const words[][2] = {
		{"ns", "nanoseconds"},
		{"us", "microseconds"},
		{"ms", "milliseconds"},
		{"s", "seconds"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if (text_is(unit, words[i][0]))
			return g_strdup(words[i][1]);
	return unit ? text_to_show(unit, NULL) : g_strdup("count");
}

static void append_times(struct profile *profile, const struct recording *recording)
{
	double start = recording->start_time, duration = recording->last_time - start;

	if (start <= 0 || start > 4e9 || duration < 0 || duration > 4e9)
		return;
	append_number(profile->out, PROFILE_TIME, (guint64)(start * 1e9));
	append_number(profile->out, PROFILE_DURATION, (guint64)(duration * 1e9));
}

static void append_profile(struct profile *profile, const struct report *report)
{
	const struct global *global = stack_global(report);
	g_autofree char *name = text_to_show(global->name, NULL), *unit = unit_word(global->unit);
	g_autoptr(GArray) samples = stack_samples(report);

	string_number(profile, g_strdup("")); /* the first string must be empty */
	if (global->values == VALUE_STATISTICS)
		append_type(profile, "count", "count");
	append_type(profile, name, unit);
	for (guint i = 0; i < samples->len; i++)
		append_sample(profile, global, &g_array_index(samples, struct stack_sample, i));
	append_times(profile, report->recordings[0]);
	append_number(profile->out, PROFILE_DEFAULT_TYPE, string_number(profile, g_strdup(name)));
	for (guint i = 0; i < profile->strings->len; i++) {
		const char *text = g_ptr_array_index(profile->strings, i);

		append_bytes(profile->out, PROFILE_STRING, text, strlen(text));
	}
}

static struct error *compress(const GByteArray *profile, FILE *out)
{
	g_autoptr(GZlibCompressor) compressor = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1);
	g_autoptr(GOutputStream) memory = g_memory_output_stream_new_resizable();
	g_autoptr(GOutputStream) stream = g_converter_output_stream_new(memory, G_CONVERTER(compressor));
	GMemoryOutputStream *result = G_MEMORY_OUTPUT_STREAM(memory);
	g_autoptr(GError) error = NULL;

	if (!g_output_stream_write_all(stream, profile->data, profile->len, NULL, NULL, &error) ||
	    !g_output_stream_close(stream, NULL, &error))
		return error_new(ERROR_OTHER, _("cannot compress the profile: %s"), error->message);
	fwrite(g_memory_output_stream_get_data(result), 1, g_memory_output_stream_get_data_size(result), out);
	return NULL;
}

struct error *write_pprof(const struct report *report, FILE *out)
{
	struct profile profile = {
		.out = g_byte_array_new(),
		.strings = g_ptr_array_new_with_free_func(g_free),
		.string_numbers = g_hash_table_new(g_str_hash, g_str_equal),
		.functions = g_hash_table_new(NULL, NULL),
		.mappings = g_hash_table_new(NULL, NULL),
		.locations = g_hash_table_new(frame_hash, frame_equal),
	};
	struct error *error;

	append_profile(&profile, report);
	error = compress(profile.out, out);
	g_byte_array_free(profile.out, TRUE);
	g_hash_table_destroy(profile.string_numbers);
	g_hash_table_destroy(profile.functions);
	g_hash_table_destroy(profile.mappings);
	g_hash_table_destroy(profile.locations);
	g_ptr_array_free(profile.strings, TRUE);
	return error;
}
