// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Read the line of a global (see source.h).
 *
 * The newest sample of a global keeps all elements. Older samples, for series and heat maps, keep theirs only if they
 * are few; of very many samples, every second one is dropped, repeatedly. So memory is limited, however long a script
 * runs.
 */
#include <string.h>

#include "common/base/i18n.h"
#include "report/pool.h"
#include "report/source.h"

enum {
	MOST_SAMPLES = 2000, /* of a global */
	MOST_OLD_ELEMENTS = 256, /* of a sample that is not the newest */
	MOST_OLD_STATISTICS = 32, /* the same for statistics, which may have large histograms */
	MOST_FRAMES = 4096, /* of a stack */
};

/* A global's line while it is read. */
struct draft {
	const struct text *name, *kind, *values, *unit, *show;
	GPtrArray *keys; /* struct text; NULL: not given */
	GPtrArray *key_names; /* struct text */
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

/*
 * Name a function that has no symbol by its object, as in "[libc.so.6]". Its address differs between processes, and
 * would separate equal stacks.
 */
static const struct text *name_by_object(struct source *source, const struct text *object)
{
	g_autofree char *base = g_path_get_basename(object->bytes);
	g_autofree char *name = g_strdup_printf("[%s]", base);

	return pool_text(source->pool, name, strlen(name));
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
		function.name = function.object ? name_by_object(source, function.object) : frame.address;
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
		else if (json_bytes_are(&name, "key_names"))
			read_texts(source, draft->key_names);
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

static void name_keys(struct global *global, const GPtrArray *names)
{
	for (guint i = 0; i < MIN(names->len, global->key_count); i++) {
		const struct text *name = g_ptr_array_index(names, i);

		/* Names of scripts have no NUL bytes. */
		global->key_names[i] = name->length && !memchr(name->bytes, 0, name->length) ? name : NULL;
	}
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
		json_fail(&source->json, _("the kind of a global must be scalar or array"));
	else if (global->values == VALUE_KINDS || global->values == VALUE_STACK)
		json_fail(&source->json, _("the values of a global must be number, string or statistics"));
	else if (global->is_array ? !global->key_count : global->key_count)
		json_fail(&source->json, _("an array has keys, and a scalar has none"));
	else if (global->key_count > MOST_KEYS)
		json_fail(&source->json, _("element with more than %d keys"), MOST_KEYS);
	for (guint i = 0; i < global->key_count && !source->json.mistake; i++) {
		global->keys[i] = kind_of(g_ptr_array_index(draft->keys, i));
		if (global->keys[i] >= VALUE_STATISTICS)
			json_fail(&source->json, _("a key of a global must be number, string or stack"));
	}
	name_keys(global, draft->key_names);
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
		json_fail(&source->json, _("the global was declared differently before"));
	known->unit = global->unit ?: known->unit;
	known->show = global->show ?: known->show;
	return known;
}

/* Read the line after the globals of a snapshot. */
void read_snapshot(struct source *source)
{
	json_skip(&source->json);
	current_host(source)->is_within_snapshot = false;
}

void read_global(struct source *source)
{
	g_autoptr(GPtrArray) key_kinds = g_ptr_array_new(), key_names = g_ptr_array_new();
	g_autoptr(GArray) keys = g_array_new(FALSE, TRUE, sizeof(struct value));
	g_autoptr(GArray) values = g_array_new(FALSE, TRUE, sizeof(struct value));
	struct sample *sample = g_new0(struct sample, 1);
	struct draft draft = {
		.sample = sample, .flat_keys = keys, .flat_values = values, .keys = key_kinds, .key_names = key_names};
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
