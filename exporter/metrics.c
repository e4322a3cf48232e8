// SPDX-License-Identifier: GPL-2.0-or-later
/* Sets of metrics; see metrics.h. */
#include "exporter/metrics.h"

#include <string.h>

const char *const drop_reasons[DROP_REASON_COUNT_] = {
	[DROP_LIMIT] = "limit",	  [DROP_SIZE] = "size",	  [DROP_DUPLICATE] = "duplicate",
	[DROP_SYNTAX] = "syntax", [DROP_VALUE] = "value",
};

/*
 * The suffixes of samples of each type, including those that the formats add. They must not occur as names of other
 * metrics.
 */
static const char *const suffixes[METRIC_TYPE_COUNT_][6] = {
	[METRIC_UNKNOWN] = {""},
	[METRIC_GAUGE] = {""},
	[METRIC_COUNTER] = {"", "_total", "_created"},
	[METRIC_SUMMARY] = {"", "_count", "_sum", "_created"},
	[METRIC_HISTOGRAM] = {"", "_bucket", "_count", "_sum", "_created"},
	[METRIC_INFO] = {"", "_info"},
};

static void clear_sample(gpointer data)
{
	struct metric_sample *sample = data;

	g_free(sample->labels);
	g_free(sample->le);
	g_free(sample->value);
}

static void free_family(gpointer data)
{
	struct metric_family *family = data;

	g_free(family->name);
	g_free(family->unit);
	g_free(family->help);
	g_array_unref(family->samples);
	g_hash_table_unref(family->seen);
	g_free(family);
}

struct metric_set *metric_set_new(const struct exporter_limits *limits)
{
	struct metric_set *set = g_new0(struct metric_set, 1);

	set->limits = limits;
	set->families = g_ptr_array_new_with_free_func(free_family);
	set->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return set;
}

void metric_set_free(struct metric_set *set)
{
	if (!set)
		return;
	g_ptr_array_unref(set->families);
	g_hash_table_unref(set->names);
	g_free(set);
}

struct metric_family *metric_set_find(const struct metric_set *set, const char *sample_name)
{
	return g_hash_table_lookup(set->names, sample_name);
}

static bool is_free(const struct metric_set *set, enum metric_type type, const char *name)
{
	for (const char *const *suffix = suffixes[type]; *suffix; suffix++) {
		g_autofree char *whole = g_strconcat(name, *suffix, NULL);

		if (g_hash_table_contains(set->names, whole))
			return false;
	}
	return true;
}

static bool ends_with_unit(const char *name, const char *unit)
{
	size_t length = strlen(name), suffix = strlen(unit);

	return length > suffix + 1 && name[length - suffix - 1] == '_' && g_str_has_suffix(name, unit);
}

struct metric_family *metric_set_add(struct metric_set *set, enum metric_type type, const char *name, const char *unit,
				     const char *help)
{
	bool adds_unit = unit && !ends_with_unit(name, unit);
	g_autofree char *whole = g_strconcat(name, adds_unit ? "_" : "", adds_unit ? unit : "", NULL);
	struct metric_family *family;

	if (!is_free(set, type, whole))
		return NULL;
	family = g_new0(struct metric_family, 1);
	*family = (struct metric_family){
		.type = type,
		.name = g_strdup(whole),
		.unit = g_strdup(unit),
		.help = g_strdup(help),
		.samples = metric_samples_new(),
		.seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
	};
	for (const char *const *suffix = suffixes[type]; *suffix; suffix++)
		g_hash_table_insert(set->names, g_strconcat(whole, *suffix, NULL), family);
	g_ptr_array_add(set->families, family);
	return family;
}

/* Return the length of the name without its unit. */
static size_t length_without_unit(const char *name, const char *unit)
{
	return strlen(name) - (unit && ends_with_unit(name, unit) ? strlen(unit) + 1 : 0);
}

struct metric_family *metric_set_add_unique(struct metric_set *set, enum metric_type type, const char *name,
					    const char *unit, const char *help)
{
	struct metric_family *family = metric_set_add(set, type, name, unit, help);

	for (unsigned int number = 2; !family; number++) {
		g_autofree char *other = g_strdup_printf("%.*s_%u", (int)length_without_unit(name, unit), name, number);

		family = metric_set_add(set, type, other, unit, help);
	}
	return family;
}

GArray *metric_samples_new(void)
{
	GArray *samples = g_array_new(FALSE, FALSE, sizeof(struct metric_sample));

	g_array_set_clear_func(samples, clear_sample);
	return samples;
}

struct metric_sample *metric_samples_append(GArray *samples, const char *suffix, const char *labels, char *le,
					    char *value)
{
	struct metric_sample sample = {
		.suffix = suffix,
		.labels = g_strdup(labels),
		.le = le,
		.value = value,
	};

	g_array_append_val(samples, sample);
	return &g_array_index(samples, struct metric_sample, samples->len - 1);
}

/* Return the number of bytes that a sample takes in a response, or a few more. */
static size_t size_of(const struct metric_family *family, const struct metric_sample *sample)
{
	enum { PUNCTUATION = 16, TIME = 24 };

	return strlen(family->name) + strlen(sample->suffix) + strlen(sample->labels) +
	       (sample->le ? strlen(sample->le) : 0) + strlen(sample->value) + (sample->has_time ? TIME : 0) +
	       PUNCTUATION;
}

static char *identity_of(const struct metric_sample *sample)
{
	return g_strjoin("|", sample->suffix, sample->le ?: "", sample->labels, NULL);
}

/* Add the identities of all samples, or none if one of them exists already. */
static bool add_identities(struct metric_family *family, const GArray *samples)
{
	for (guint i = 0; i < samples->len; i++) {
		if (g_hash_table_add(family->seen, identity_of(&g_array_index(samples, struct metric_sample, i))))
			continue;
		while (i--) {
			g_autofree char *own = identity_of(&g_array_index(samples, struct metric_sample, i));

			g_hash_table_remove(family->seen, own);
		}
		return false;
	}
	return true;
}

static bool drop(struct metric_set *set, enum drop_reason reason, GArray *samples)
{
	set->dropped[reason] += samples->len;
	g_array_unref(samples);
	return false;
}

bool metric_add(struct metric_set *set, struct metric_family *family, GArray *samples)
{
	size_t size = 0;

	if (!family)
		return drop(set, DROP_VALUE, samples);
	for (guint i = 0; i < samples->len; i++)
		size += size_of(family, &g_array_index(samples, struct metric_sample, i));
	if (set->series + samples->len > (size_t)set->limits->series)
		return drop(set, DROP_LIMIT, samples);
	if (set->size + size > (size_t)set->limits->response_size)
		return drop(set, DROP_SIZE, samples);
	if (!add_identities(family, samples))
		return drop(set, DROP_DUPLICATE, samples);
	set->series += samples->len;
	set->size += size;
	/* The samples move; without its clear function, the array frees only itself. */
	g_array_append_vals(family->samples, samples->data, samples->len);
	g_array_set_clear_func(samples, NULL);
	g_array_unref(samples);
	return true;
}

bool metric_add_one(struct metric_set *set, struct metric_family *family, const char *suffix, const char *labels,
		    char *value)
{
	GArray *samples = metric_samples_new();

	metric_samples_append(samples, suffix, labels, NULL, value);
	return metric_add(set, family, samples);
}

/* ---- several sets ------------------------------------------------------------------------------------------------ */

/* Return the family with this name and type, which is made if there is none; NULL if it would be of another type. */
static struct metric_family *same_family(struct metric_set *set, const struct metric_family *family)
{
	struct metric_family *same = NULL;

	for (guint i = 0; i < set->families->len && !same; i++) {
		struct metric_family *candidate = g_ptr_array_index(set->families, i);

		if (candidate->type == family->type && !strcmp(candidate->name, family->name))
			same = candidate;
	}
	if (!same)
		same = metric_set_add(set, family->type, family->name, family->unit, family->help);
	if (same)
		same->is_plain_counter = family->is_plain_counter;
	return same;
}

static void copy_sample(GArray *to, const struct metric_sample *sample)
{
	struct metric_sample *copy = metric_samples_append(to, sample->suffix, sample->labels, g_strdup(sample->le),
							   g_strdup(sample->value));

	copy->has_time = sample->has_time;
	copy->time = sample->time;
	copy->is_classic = sample->is_classic;
}

/* Samples with the same labels belong together: buckets, count and sum. */
void metric_set_copy(struct metric_set *to, const struct metric_set *from)
{
	for (guint i = 0; i < from->families->len; i++) {
		const struct metric_family *family = g_ptr_array_index(from->families, i);
		struct metric_family *same = same_family(to, family);
		guint next = 0;

		while (next < family->samples->len) {
			const char *labels = g_array_index(family->samples, struct metric_sample, next).labels;
			GArray *group = metric_samples_new();
			const struct metric_sample *sample;

			do {
				sample = &g_array_index(family->samples, struct metric_sample, next);
				copy_sample(group, sample);
				sample = ++next < family->samples->len ? sample + 1 : NULL;
			} while (sample && !strcmp(sample->labels, labels));
			metric_add(to, same, group);
		}
	}
}
