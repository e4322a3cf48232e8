// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Read the classic text format, which prometheus probes print (tapset/prometheus.stpm). It is not passed on as it is:
 * text_str() writes escapes that Prometheus refuses, $value may be cut in the middle of a line, clients may want
 * OpenMetrics, and the limits hold for these scripts, too. A bad line is dropped and counted; the others stay.
 */
#include "exporter/text_reader.h"

#include <string.h>

#include "common/base/number.h"
#include "exporter/decimal.h"
#include "exporter/labels.h"

struct reader {
	struct metric_set *set;
	const char *script;
	GHashTable *helps; /* HELP texts that came before their family, by name */
};

static const char *const type_words[METRIC_TYPE_COUNT_] = {
	[METRIC_UNKNOWN] = "untyped", [METRIC_GAUGE] = "gauge",		[METRIC_COUNTER] = "counter",
	[METRIC_SUMMARY] = "summary", [METRIC_HISTOGRAM] = "histogram", [METRIC_INFO] = NULL, /* OpenMetrics only */
};

static bool skip_blanks(const char **at)
{
	*at += strspn(*at, " \t");
	return true;
}

/* Return the bytes up to a blank or one of @p ends, and move past them. */
static char *take_word(const char **at, const char *ends)
{
	size_t length = strcspn(*at, ends);
	char *word = g_strndup(*at, length);

	*at += length;
	return word;
}

/* ---- families ---------------------------------------------------------------------------------------------------- */

static struct metric_family *add_family(struct reader *reader, enum metric_type type, const char *name)
{
	bool has_total = g_str_has_suffix(name, "_total") && strlen(name) > strlen("_total");
	g_autofree char *bare =
		type == METRIC_COUNTER && has_total ? g_strndup(name, strlen(name) - strlen("_total")) : g_strdup(name);
	const char *given = g_hash_table_lookup(reader->helps, name);
	g_autofree char *help =
		given ? g_strdup(given) : g_strdup_printf("Metric %s of the script %s.", name, reader->script);
	struct metric_family *family = metric_set_add(reader->set, type, bare, NULL, help);

	if (family)
		family->is_plain_counter = type == METRIC_COUNTER && !has_total;
	return family;
}

/* "# TYPE name type". Return false if it is wrong, or comes after samples of the family. */
static bool read_type(struct reader *reader, const char *at)
{
	g_autofree char *name = take_word(&at, " \t"), *word = NULL;

	skip_blanks(&at);
	word = take_word(&at, " \t");
	if (!is_metric_name(name) || at[strspn(at, " \t")])
		return false;
	for (enum metric_type type = 0; type < METRIC_TYPE_COUNT_; type++)
		if (type_words[type] && !strcmp(word, type_words[type]))
			return add_family(reader, type, name);
	return false;
}

/* Return the text of a HELP line with its escapes replaced, and with valid UTF-8. */
static char *help_text(const char *text)
{
	GString *plain = g_string_new(NULL);
	char *valid;

	for (; *text; text++) {
		if (text[0] == '\\' && text[1] == 'n')
			g_string_append_c(plain, '\n'), text++;
		else if (text[0] == '\\' && text[1] == '\\')
			g_string_append_c(plain, '\\'), text++;
		else if ((unsigned char)*text >= 0x20 && *text != 0x7f)
			g_string_append_c(plain, *text);
	}
	valid = g_utf8_make_valid(plain->str, (gssize)plain->len);
	g_string_free(plain, TRUE);
	return valid;
}

/* "# HELP name text". */
static bool read_help(struct reader *reader, const char *at)
{
	g_autofree char *name = take_word(&at, " \t");
	struct metric_family *family;

	if (!is_metric_name(name))
		return false;
	skip_blanks(&at);
	if (!*at)
		return true;
	family = metric_set_find(reader->set, name);
	if (family) {
		g_free(family->help);
		family->help = help_text(at);
	}
	g_hash_table_replace(reader->helps, g_strdup(name), help_text(at));
	return true;
}

static bool read_comment(struct reader *reader, const char *at)
{
	skip_blanks(&at);
	if (g_str_has_prefix(at, "TYPE ") || g_str_has_prefix(at, "TYPE\t")) {
		at += strlen("TYPE");
		return skip_blanks(&at) && read_type(reader, at);
	}
	if (g_str_has_prefix(at, "HELP ") || g_str_has_prefix(at, "HELP\t")) {
		at += strlen("HELP");
		return skip_blanks(&at) && read_help(reader, at);
	}
	return true;
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

static int digits(const char *at, unsigned int most, unsigned int base, unsigned int *value)
{
	unsigned int count = 0;

	for (*value = 0; count < most; count++) {
		int digit = g_ascii_xdigit_value(at[count]);

		if (digit < 0 || digit >= (int)base)
			break;
		*value = *value * base + (unsigned int)digit;
	}
	return (int)count;
}

/* Append what an escape after '\' stands for, of the format or of text_str(). Return its length; 0: unknown. */
static int read_escape(const char *at, GString *to)
{
	static const char letters[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
	const char *letter = *at ? strchr(letters, *at) : NULL;
	unsigned int value;
	int count;

	if (letter || *at == '"' || *at == '\\' || *at == '\'' || *at == '?') {
		g_string_append_c(to, letter ? values[letter - letters] : *at);
		return 1;
	}
	if (*at == 'u' || *at == 'U') {
		int length = *at == 'u' ? 4 : 8;

		if (digits(at + 1, (unsigned int)length, 16, &value) != length || !g_unichar_validate(value))
			return 0;
		g_string_append_unichar(to, value);
		return length + 1;
	}
	count = *at == 'x' ? digits(at + 1, 2, 16, &value) : digits(at, 3, 8, &value);
	if (!count)
		return 0;
	g_string_append_c(to, (char)value);
	return count + (*at == 'x');
}

/* Read a string in quotes, and move past it. */
static bool read_string(const char **at, GString *to)
{
	if (*(*at)++ != '"')
		return false;
	while (**at && **at != '"') {
		if (**at == '\\') {
			int length = read_escape(*at + 1, to);

			if (!length)
				return false;
			*at += 1 + length;
		} else {
			g_string_append_c(to, *(*at)++);
		}
	}
	return *(*at)++ == '"';
}

struct sample_text {
	GString *labels, *names; /* names: of the labels so far, each between commas */
	char *le;
};

/* One label, of which @p sample gets the text. The bound of a bucket is kept as a number. */
static bool read_label(struct reader *reader, const char **at, struct sample_text *sample, bool is_bucket)
{
	g_autofree char *name = take_word(at, " \t=,}"), *mark = g_strdup_printf(",%s,", name);
	g_autoptr(GString) value = g_string_new(NULL);

	skip_blanks(at);
	if (!is_label_name(name) || strstr(sample->names->str, mark) || *(*at)++ != '=')
		return false;
	skip_blanks(at);
	if (!read_string(at, value))
		return false;
	g_string_append(sample->names, mark);
	if (is_bucket && !strcmp(name, "le"))
		return (sample->le = decimal_parse(value->str));
	if (label_append(sample->labels, name, value->str, value->len, reader->set->limits))
		reader->set->shortened++;
	return true;
}

/* "{name="value",...}", or nothing. */
static bool read_labels(struct reader *reader, const char **at, struct sample_text *sample, bool is_bucket)
{
	skip_blanks(at);
	if (**at != '{')
		return true;
	++*at;
	while (skip_blanks(at) && **at != '}') {
		if (!read_label(reader, at, sample, is_bucket))
			return false;
		skip_blanks(at);
		if (**at != ',' && **at != '}')
			return false;
		if (**at == ',')
			++*at;
	}
	++*at;
	return true;
}

/* Return which suffix of its family a sample has, as a literal; NULL if the family has no such sample. */
static const char *suffix_of(const struct metric_family *family, const char *name)
{
	static const char *const all[] = {"_bucket", "_count", "_sum"};
	const char *suffix = name + strlen(family->name);

	if (family->type == METRIC_COUNTER)
		return family->is_plain_counter == !*suffix ? "_total" : NULL;
	if (!*suffix)
		return family->type == METRIC_HISTOGRAM ? NULL : "";
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
		if (!strcmp(suffix, all[i]))
			return all[i];
	return NULL;
}

static bool is_acceptable(const struct metric_family *family, const struct sample_text *text, const char *suffix,
			  const char *value)
{
	bool needs_bound = !strcmp(suffix, "_bucket");

	if (needs_bound != !!text->le)
		return false;
	return value && (family->type != METRIC_COUNTER || *value != '-');
}

/* The rest of a sample: "value [time]". */
static bool read_value(struct reader *reader, struct metric_family *family, const char *suffix, const char *at,
		       struct sample_text *text)
{
	g_autofree char *word = NULL, *value = NULL, *time = NULL;
	GArray *samples;
	struct metric_sample *sample;
	int64_t milliseconds = 0;

	skip_blanks(&at);
	word = take_word(&at, " \t");
	value = decimal_parse(word);
	skip_blanks(&at);
	time = take_word(&at, " \t");
	if (at[strspn(at, " \t")] || (*time && !parse_number(time, 10, G_MININT64, G_MAXINT64, &milliseconds)))
		return false;
	if (!is_acceptable(family, text, suffix, value)) {
		reader->set->dropped[DROP_VALUE]++;
		return true;
	}
	samples = metric_samples_new();
	sample = metric_samples_append(samples, suffix, text->labels->str, g_steal_pointer(&text->le),
				       g_steal_pointer(&value));
	sample->has_time = *time;
	sample->time = milliseconds;
	metric_add(reader->set, family, samples);
	return true;
}

static bool read_sample(struct reader *reader, const char *at)
{
	g_autofree char *name = take_word(&at, " \t{");
	struct metric_family *family;
	struct sample_text text = {.labels = g_string_new(NULL), .names = g_string_new(",")};
	const char *suffix;
	bool is_good;

	if (!is_metric_name(name)) {
		is_good = false;
	} else {
		family = metric_set_find(reader->set, name) ?: add_family(reader, METRIC_UNKNOWN, name);
		suffix = family ? suffix_of(family, name) : NULL;
		is_good = suffix && read_labels(reader, &at, &text, !strcmp(suffix, "_bucket")) &&
			  read_value(reader, family, suffix, at, &text);
	}
	g_string_free(text.labels, TRUE);
	g_string_free(text.names, TRUE);
	g_free(text.le);
	return is_good;
}

struct metric_set *text_read(const char *text, size_t length, const char *script, const struct exporter_limits *limits)
{
	struct reader reader = {
		.set = metric_set_new(limits),
		.script = script,
		.helps = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
	};

	while (length) {
		const char *end = memchr(text, '\n', length);
		size_t size = end ? (size_t)(end - text) : length;
		g_autofree char *line = g_strndup(text, size);
		const char *at = line;
		/* A NUL would end the line early. */
		bool is_good = end && strlen(line) == size;

		skip_blanks(&at);
		if (is_good && *at)
			is_good = *at == '#' ? read_comment(&reader, at + 1) : read_sample(&reader, at);
		if (!is_good)
			reader.set->dropped[DROP_SYNTAX]++;
		text += end ? size + 1 : size;
		length -= end ? size + 1 : size;
	}
	g_hash_table_unref(reader.helps);
	return reader.set;
}
