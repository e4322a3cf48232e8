// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Metrics of scripts that know nothing of Prometheus. A number becomes a gauge, or a counter if the unit says so; a
 * string becomes the label "value" of an info; statistics become a summary, or a histogram if the script has one, and
 * gauges of the minimum, maximum and average. Keys become the labels key1, key2, ...
 *
 * A bucket of stap ends before its upper bound, one of Prometheus includes it. Values are integers, so the bound of a
 * bucket is one less. stap leaves out empty buckets at the ends, but Prometheus compares the same bound over time.
 * Therefore each bound that a global has ever had is remembered, and exported for all elements.
 */
#include "exporter/globals.h"

#include <string.h>

#include "exporter/decimal.h"
#include "exporter/json_line.h"
#include "exporter/labels.h"
#include "exporter/units.h"

struct globals_memory {
	GHashTable *bounds; /* name of a global -> GArray of int64_t, sorted; only globals with histograms */
};

/* The global that is being added. */
struct global {
	struct metric_set *set;
	const char *script;
	const struct remote_host *host; /* or NULL */
	char *name; /* of its metrics, without the unit */
	char *label; /* its own name, for help texts */
	struct metric_unit unit;
	char *key_labels[MOST_KEYS]; /* the names of labels */
	GArray *bounds; /* of its histograms, or NULL */
	/* Its families, made with their first sample. A statistic has all four. */
	struct metric_family *main, *least, *most, *average;
};

static void free_array(gpointer array)
{
	g_array_unref(array);
}

struct globals_memory *globals_memory_new(void)
{
	struct globals_memory *memory = g_new0(struct globals_memory, 1);

	memory->bounds = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_array);
	return memory;
}

void globals_memory_free(struct globals_memory *memory)
{
	if (!memory)
		return;
	g_hash_table_unref(memory->bounds);
	g_free(memory);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* Suffixes that the text formats reserve for samples of other types. */
static const char *const reserved_endings[] = {"_total", "_count", "_sum", "_bucket", "_created", "_info"};

/* Return "stap_SCRIPT_GLOBAL" without the unit. Free with g_free(). */
static char *metric_name(const char *script, const char *global, const char *unit)
{
	GString *name = g_string_new("stap_");

	metric_name_append(name, script);
	g_string_append_c(name, '_');
	metric_name_append(name, global);
	unit_strip(unit, name->str);
	return g_string_free(name, FALSE);
}

static const char *reserved_ending(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(reserved_endings); i++)
		if (g_str_has_suffix(name, reserved_endings[i]))
			return reserved_endings[i];
	return NULL;
}

/*
 * Return the family, which is made if it is needed for the first time. Return NULL if the values of the global are of
 * several types; metric_add() then drops the sample.
 */
static struct metric_family *family_of(struct global *global, struct metric_family **family, enum metric_type type,
				       const char *part, const char *what)
{
	const char *ending = reserved_ending(global->name);
	g_autofree char *bare = ending && type == METRIC_COUNTER && !strcmp(ending, "_total")
					? g_strndup(global->name, strlen(global->name) - strlen(ending))
					: g_strdup(global->name);
	bool needs_more = type == METRIC_GAUGE && !*part && !global->unit.suffix && ending;
	g_autofree char *name = g_strconcat(bare, part, needs_more ? "_value" : "", NULL);
	g_autofree char *help = g_strdup_printf("%s global %s of the script %s.", what, global->label, global->script);

	if (!*family)
		*family = metric_set_add_unique(global->set, type, name,
						type == METRIC_INFO ? NULL : global->unit.suffix, help);
	return (*family)->type == type ? *family : NULL;
}

/* ---- labels ------------------------------------------------------------------------------------------------------ */

/* A separator inside of a frame's name would end the frame. */
static void append_frame(GString *folded, JsonNode *node)
{
	JsonObject *frame = JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
	g_autofree char *name = NULL;
	size_t length = 0;

	if (frame)
		name = json_bytes_member(frame, "name", &length) ?: json_bytes_member(frame, "address", &length);
	for (size_t i = 0; i < length; i++)
		g_string_append_c(folded, name[i] == ';' || name[i] == '\n' ? '_' : name[i]);
	if (!length)
		g_string_append_c(folded, '?');
}

/* Return a stack as folded text: the outermost frame first, with ';' between frames. */
static GString *folded_text(JsonArray *frames)
{
	GString *folded = g_string_new(NULL);

	for (guint i = json_array_get_length(frames); i--;) {
		append_frame(folded, json_array_get_element(frames, i));
		if (i)
			g_string_append_c(folded, ';');
	}
	return folded;
}

static void append_label(struct global *global, GString *labels, const char *name, const char *bytes, size_t length)
{
	if (label_append(labels, name, bytes, length, global->set->limits))
		global->set->shortened++;
}

/* Is it the name of a label for a key without a name? */
static bool is_numbered(const char *name)
{
	return g_str_has_prefix(name, "key") && strspn(name + 3, "0123456789") == strlen(name + 3);
}

/* Return whether a label is valid, not reserved, and not the name of an earlier key. */
static bool is_free_label(const struct global *global, guint key, const char *name)
{
	static const char *const taken[] = {"le", "quantile", "job", "instance"};

	if (!is_label_name(name) || g_str_has_prefix(name, "__") || is_numbered(name))
		return false;
	for (guint i = 0; i < G_N_ELEMENTS(taken); i++)
		if (!strcmp(name, taken[i]))
			return false;
	for (guint i = 0; i < key; i++)
		if (!strcmp(name, global->key_labels[i]))
			return false;
	return true;
}

/* Name the labels as the script calls its keys, or "key" and their numbers. */
static void name_labels(struct global *global, JsonObject *line)
{
	JsonNode *node = json_object_get_member(line, "key_names");
	JsonArray *names = node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;

	for (guint i = 0; i < MOST_KEYS; i++) {
		JsonNode *name = names && i < json_array_get_length(names) ? json_array_get_element(names, i) : NULL;
		const char *text = name && JSON_NODE_HOLDS_VALUE(name) ? json_node_get_string(name) : NULL;

		global->key_labels[i] =
			text && is_free_label(global, i, text) ? g_strdup(text) : g_strdup_printf("key%u", i + 1);
	}
}

static void free_labels(struct global *global)
{
	for (guint i = 0; i < MOST_KEYS; i++)
		g_free(global->key_labels[i]);
}

static bool append_key(struct global *global, GString *labels, guint number, JsonNode *key)
{
	const char *name = global->key_labels[number];
	g_autofree char *text = json_decimal(key, 0);
	size_t length;

	if (text) {
		append_label(global, labels, name, text, strlen(text));
	} else if (JSON_NODE_HOLDS_ARRAY(key)) {
		GString *folded = folded_text(json_node_get_array(key));

		append_label(global, labels, name, folded->str, folded->len);
		g_string_free(folded, TRUE);
	} else {
		text = json_bytes(key, &length);
		if (!text)
			return false;
		append_label(global, labels, name, text, length);
	}
	return true;
}

/* Two hosts may have the same address. */
static void append_host(struct global *global, GString *labels)
{
	g_autofree char *number = g_strdup_printf("%" G_GINT64_FORMAT, global->host->number);

	append_label(global, labels, "remote_id", number, strlen(number));
	append_label(global, labels, "remote_uri", global->host->uri, strlen(global->host->uri));
}

/* Return the labels of an element, or NULL if a key is of no known type. */
static GString *labels_of(struct global *global, JsonArray *keys)
{
	guint count = json_array_get_length(keys);
	GString *labels = g_string_new(NULL);
	bool is_good = count <= MOST_KEYS;

	if (global->host)
		append_host(global, labels);
	for (guint i = 0; i < count && is_good; i++)
		is_good = append_key(global, labels, i, json_array_get_element(keys, i));
	if (!is_good)
		g_string_free(g_steal_pointer(&labels), TRUE);
	return labels;
}

/* ---- histograms -------------------------------------------------------------------------------------------------- */

struct bucket {
	bool is_last; /* without an upper bound */
	int64_t bound; /* inclusive */
	int64_t count;
};

static int compare_buckets(const void *a, const void *b)
{
	const struct bucket *one = a, *other = b;

	if (one->is_last != other->is_last)
		return one->is_last ? 1 : -1;
	return one->bound < other->bound ? -1 : one->bound > other->bound;
}

/* Read [LOWER, UPPER, COUNT]. */
static bool read_bucket(JsonNode *node, struct bucket *ret)
{
	JsonArray *triple = JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
	JsonNode *upper, *count;

	if (!triple || json_array_get_length(triple) != 3)
		return false;
	upper = json_array_get_element(triple, 1);
	count = json_array_get_element(triple, 2);
	if (!json_is_int(count) || json_node_get_int(count) < 0)
		return false;
	*ret = (struct bucket){.is_last = JSON_NODE_HOLDS_NULL(upper), .count = json_node_get_int(count)};
	if (ret->is_last)
		return true;
	if (!json_is_int(upper) || json_node_get_int(upper) == G_MININT64)
		return false;
	ret->bound = json_node_get_int(upper) - 1;
	return true;
}

/* Return the buckets of statistics as a sorted array of struct bucket; NULL if there is no histogram. */
static GArray *buckets_of(JsonObject *statistics)
{
	JsonObject *histogram = json_object_member(statistics, "histogram");
	JsonArray *list = histogram ? json_array_member(histogram, "buckets") : NULL;
	GArray *buckets;

	if (!list)
		return NULL;
	buckets = g_array_new(FALSE, FALSE, sizeof(struct bucket));
	for (guint i = 0; i < json_array_get_length(list); i++) {
		struct bucket bucket;

		if (read_bucket(json_array_get_element(list, i), &bucket))
			g_array_append_val(buckets, bucket);
	}
	g_array_sort(buckets, compare_buckets);
	return buckets;
}

/* Insert a bound into a sorted array. Beyond the limit, bounds are left out, which makes a histogram coarser. */
static void remember_bound(GArray *bounds, int64_t bound)
{
	guint at = bounds->len;

	while (at && g_array_index(bounds, int64_t, at - 1) > bound)
		at--;
	if (bounds->len < MOST_BOUNDS && !(at && g_array_index(bounds, int64_t, at - 1) == bound))
		g_array_insert_val(bounds, at, bound);
}

static void remember_bounds(struct globals_memory *memory, const char *name, JsonArray *elements)
{
	for (guint i = 0; i < json_array_get_length(elements); i++) {
		JsonNode *node = json_array_get_element(elements, i), *value;
		JsonArray *pair = JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
		GArray *buckets, *bounds;

		if (!pair || json_array_get_length(pair) != 2)
			continue;
		value = json_array_get_element(pair, 1);
		buckets = JSON_NODE_HOLDS_OBJECT(value) ? buckets_of(json_node_get_object(value)) : NULL;
		if (!buckets)
			continue;
		bounds = g_hash_table_lookup(memory->bounds, name);
		if (!bounds) {
			bounds = g_array_new(FALSE, FALSE, sizeof(int64_t));
			g_hash_table_insert(memory->bounds, g_strdup(name), bounds);
		}
		for (guint j = 0; j < buckets->len; j++)
			if (!g_array_index(buckets, struct bucket, j).is_last)
				remember_bound(bounds, g_array_index(buckets, struct bucket, j).bound);
		g_array_unref(buckets);
	}
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void append_bucket(GArray *samples, const char *labels, char *le, uint64_t count)
{
	metric_samples_append(samples, "_bucket", labels, le, g_strdup_printf("%" G_GUINT64_FORMAT, count));
}

/* Append the buckets of one element. Return the number of values in all. */
static uint64_t append_buckets(const struct global *global, GArray *samples, const char *labels, const GArray *buckets)
{
	uint64_t sum = 0;
	guint next = 0;

	for (guint i = 0; i < global->bounds->len; i++) {
		int64_t bound = g_array_index(global->bounds, int64_t, i);

		for (; next < buckets->len; next++) {
			const struct bucket *bucket = &g_array_index(buckets, struct bucket, next);

			if (bucket->is_last || bucket->bound > bound)
				break;
			sum += (uint64_t)bucket->count;
		}
		append_bucket(samples, labels, decimal_scaled(bound, global->unit.exponent), sum);
	}
	for (; next < buckets->len; next++)
		sum += (uint64_t)g_array_index(buckets, struct bucket, next).count;
	append_bucket(samples, labels, g_strdup("+Inf"), sum);
	return sum;
}

/*
 * Add the count and the sum. OpenMetrics forbids a sum that may shrink, so it omits the sum if a value may be negative.
 * The script runs while it is read, so the count of the statistics may differ from the sum of the buckets, which is
 * used instead.
 */
static void add_counts(struct global *global, const char *labels, JsonObject *statistics)
{
	GArray *samples = metric_samples_new(), *buckets = buckets_of(statistics);
	char *sum = json_decimal(json_object_get_member(statistics, "sum"), global->unit.exponent);
	int64_t count = 0, least = 0;
	uint64_t values;
	bool has_negative;

	json_int_member(statistics, "count", &count);
	json_int_member(statistics, "min", &least);
	values = (uint64_t)MAX(count, 0);
	has_negative = least < 0 || (sum && *sum == '-');
	if (global->bounds) {
		buckets = buckets ?: g_array_new(FALSE, FALSE, sizeof(struct bucket));
		values = append_buckets(global, samples, labels, buckets);
		has_negative = has_negative || (global->bounds->len && g_array_index(global->bounds, int64_t, 0) < -1);
	}
	metric_samples_append(samples, "_count", labels, NULL, g_strdup_printf("%" G_GUINT64_FORMAT, values));
	if (sum)
		metric_samples_append(samples, "_sum", labels, NULL, sum)->is_classic = has_negative;
	metric_add(global->set,
		   family_of(global, &global->main, global->bounds ? METRIC_HISTOGRAM : METRIC_SUMMARY, "",
			     "Statistics in the"),
		   samples);
	if (buckets)
		g_array_unref(buckets);
}

static void add_part(struct global *global, struct metric_family **family, const char *part, const char *what,
		     const char *labels, JsonNode *node)
{
	char *value = json_decimal(node, global->unit.exponent);

	if (value)
		metric_add_one(global->set, family_of(global, family, METRIC_GAUGE, part, what), "", labels, value);
}

static void add_statistics(struct global *global, const char *labels, JsonObject *statistics)
{
	add_counts(global, labels, statistics);
	add_part(global, &global->least, "_min", "Smallest value in the", labels,
		 json_object_get_member(statistics, "min"));
	add_part(global, &global->most, "_max", "Largest value in the", labels,
		 json_object_get_member(statistics, "max"));
	add_part(global, &global->average, "_avg", "Average in the", labels, json_object_get_member(statistics, "avg"));
}

static void add_number(struct global *global, const char *labels, char *value)
{
	bool is_total = global->unit.is_total;

	if (is_total && *value == '-') {
		global->set->dropped[DROP_VALUE]++;
		g_free(value);
		return;
	}
	metric_add_one(global->set,
		       family_of(global, &global->main, is_total ? METRIC_COUNTER : METRIC_GAUGE, "",
				 is_total ? "Counter in the" : "Value of the"),
		       is_total ? "_total" : "", labels, value);
}

static void add_string(struct global *global, GString *labels, const char *bytes, size_t length)
{
	append_label(global, labels, "value", bytes, length);
	metric_add_one(global->set, family_of(global, &global->main, METRIC_INFO, "", "Text of the"), "_info",
		       labels->str, g_strdup("1"));
}

static bool add_value(struct global *global, GString *labels, JsonNode *value)
{
	char *number = json_decimal(value, global->unit.exponent);
	g_autofree char *bytes = NULL;
	size_t length;

	if (number) {
		add_number(global, labels->str, number);
		return true;
	}
	bytes = json_bytes(value, &length);
	if (bytes)
		add_string(global, labels, bytes, length);
	else if (JSON_NODE_HOLDS_OBJECT(value))
		add_statistics(global, labels->str, json_node_get_object(value));
	else
		return false;
	return true;
}

/* [[KEY,...],VALUE] */
static bool add_element(struct global *global, JsonNode *node)
{
	JsonArray *pair = JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
	JsonNode *keys;
	GString *labels;
	bool is_good;

	if (!pair || json_array_get_length(pair) != 2)
		return false;
	keys = json_array_get_element(pair, 0);
	labels = JSON_NODE_HOLDS_ARRAY(keys) ? labels_of(global, json_node_get_array(keys)) : NULL;
	if (!labels)
		return false;
	is_good = add_value(global, labels, json_array_get_element(pair, 1));
	g_string_free(labels, TRUE);
	return is_good;
}

void globals_add(struct metric_set *set, struct globals_memory *memory, const char *script,
		 const struct remote_host *host, JsonObject *line)
{
	JsonArray *elements = json_array_member(line, "elements");
	const char *unit = json_text_member(line, "unit");
	const char *name = json_text_member(line, "name");
	struct global global = {.set = set, .script = script, .host = host};

	if (!elements || !name)
		return;
	unit_parse(unit, &global.unit);
	global.label = g_strdup(name);
	global.name = metric_name(script, name, unit);
	name_labels(&global, line);
	remember_bounds(memory, name, elements);
	global.bounds = g_hash_table_lookup(memory->bounds, name);
	for (guint i = 0; i < json_array_get_length(elements); i++)
		if (!add_element(&global, json_array_get_element(elements, i)))
			set->dropped[DROP_VALUE]++;
	unit_clear(&global.unit);
	free_labels(&global);
	g_free(global.label);
	g_free(global.name);
}
