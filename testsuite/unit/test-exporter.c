// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests of the parts of stap-exporter that read bytes of others and write the formats of Prometheus: numbers, labels,
 * names, limits, lines of stap, the text of prometheus probes, headers of clients, the configuration, rights of files.
 * testsuite/suites/exporter.sh tests the service.
 */
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "exporter/address.h"
#include "exporter/authentication.h"
#include "exporter/configuration.h"
#include "exporter/decimal.h"
#include "exporter/labels.h"
#include "exporter/lines.h"
#include "exporter/stream.h"
#include "exporter/text_output.h"
#include "exporter/text_reader.h"
#include "exporter/trusted_file.h"
#include "exporter/units.h"

static const struct exporter_limits standard = {.series = 1000, .label_length = 100, .response_size = 1 << 20};

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static void test_decimals(void)
{
	static const struct {
		int64_t value;
		unsigned int exponent;
		const char *text;
	} scaled[] = {
		{0, 0, "0"},
		{0, 9, "0"},
		{7, 0, "7"},
		{-7, 0, "-7"},
		{1, 9, "0.000000001"},
		{-1, 9, "-0.000000001"},
		{1500, 3, "1.5"},
		{1000000007, 9, "1.000000007"},
		{3000000000, 9, "3"},
		{G_MAXINT64, 0, "9223372036854775807"},
		{G_MAXINT64, 9, "9223372036.854775807"},
		{G_MININT64, 9, "-9223372036.854775808"},
		{G_MININT64, 0, "-9223372036854775808"},
	};
	static const struct {
		const char *text, *parsed;
	} texts[] = {
		{"5", "5"},
		{"+5", "5"},
		{"-5.25e-3", "-5.25e-3"},
		{"9223372036854775807", "9223372036854775807"},
		{"1e999", "1e999"},
		{"inf", "+Inf"},
		{"-Infinity", "-Inf"},
		{"NaN", "NaN"},
		{"", NULL},
		{" 5", NULL},
		{"5 ", NULL},
		{"0x10", NULL},
		{"nan(1)", NULL},
		{"5a", NULL},
		{"-", NULL},
		{"1,5", NULL},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(scaled); i++) {
		g_autofree char *text = decimal_scaled(scaled[i].value, scaled[i].exponent);

		g_assert_cmpstr(text, ==, scaled[i].text);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autofree char *text = decimal_parse(texts[i].text);

		g_assert_cmpstr(text, ==, texts[i].parsed);
	}
}

static void test_units(void)
{
	static const struct {
		const char *text, *suffix;
		unsigned int exponent;
		bool is_total;
	} cases[] = {
		{NULL, NULL, 0, false},
		{"", NULL, 0, false},
		{"ns", "seconds", 9, false},
		{"us", "seconds", 6, false},
		{"ms", "seconds", 3, false},
		{"s", "seconds", 0, false},
		{"bytes", "bytes", 0, false},
		{"pages", "pages", 0, false},
		{"count", NULL, 0, false},
		{"total", NULL, 0, true},
		{"ns total", "seconds", 9, true},
		{"bytes Total", "bytes", 0, true},
		{"subtotal", "subtotal", 0, false},
		{"I/O requests!", "i_o_requests", 0, false},
		{"\xff\"}", NULL, 0, false},
		{"12345678901234567890123456789012345", "12345678901234567890123456789012", 0, false},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct metric_unit unit;

		unit_parse(cases[i].text, &unit);
		g_assert_cmpstr(unit.suffix, ==, cases[i].suffix);
		g_assert_cmpuint(unit.exponent, ==, cases[i].exponent);
		g_assert_cmpint(unit.is_total, ==, cases[i].is_total);
		unit_clear(&unit);
	}
}

/* ---- labels ------------------------------------------------------------------------------------------------------ */

static void test_labels(void)
{
	static const struct {
		const char *bytes;
		size_t length;
		const char *label;
	} cases[] = {
		{"", 0, "k=\"\""},
		{"a\"b\\c\nd", 7, "k=\"a\\\"b\\\\c\\nd\""},
		{"\033[31m\x7f\t", 7, "k=\"\\\\x1b[31m\\\\x7f\\\\x09\""},
		{"a\0b", 3, "k=\"a\\\\x00b\""},
		{"gr\xc3\xbc\xf0\x9f\x90\x9f", 8, "k=\"gr\xc3\xbc\xf0\x9f\x90\x9f\""},
		{"\xff\xc3", 2, "k=\"\\\\xff\\\\xc3\""},
		{"\xc2\x9b", 2, "k=\"\\\\xc2\\\\x9b\""},
		{"\xed\xa0\x80", 3, "k=\"\\\\xed\\\\xa0\\\\x80\""},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GString) label = g_string_new(NULL);

		g_assert_false(label_append(label, "k", cases[i].bytes, cases[i].length, &standard));
		g_assert_cmpstr(label->str, ==, cases[i].label);
	}
}

/* Whatever is cut: the length is within the limit, no character is cut in two, and different values stay different. */
static void test_long_labels(void)
{
	static const char *const units[] = {"a", "\xc3\xbc", "\xf0\x9f\x90\x9f", "\xff", "\033"};

	for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
		g_autoptr(GString) bytes = g_string_new(NULL);
		g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

		for (size_t length = 0; length < 60; length++) {
			const struct exporter_limits limits = {.label_length = 40};
			g_autoptr(GString) label = g_string_new(NULL);
			g_autofree char *plain = NULL;
			size_t shown = strlen(units[i]) == 1 && (units[i][0] & 0x80 || units[i][0] == '\033')
					       ? 4
					       : strlen(units[i]);

			g_assert_cmpint(label_append(label, "k", bytes->str, bytes->len, &limits), ==,
					length * shown > 40);
			g_assert_true(g_utf8_validate(label->str, -1, NULL));
			plain = g_strcompress(label->str + strlen("k=\""));
			g_assert_cmpuint(strlen(plain) - 1, <=, 40);
			g_assert_true(g_hash_table_add(seen, g_steal_pointer(&plain)));
			g_string_append(bytes, units[i]);
		}
	}
}

/* ---- sets -------------------------------------------------------------------------------------------------------- */

static char *text_of(const struct metric_set *set, enum text_format format)
{
	GBytes *bytes = text_write(set, format);
	gsize size;
	const char *data = g_bytes_get_data(bytes, &size);
	char *text = g_strndup(data ?: "", size);

	g_bytes_unref(bytes);
	return text;
}

/* No sample may have the name of another family's, with any of the suffixes of its type. */
static void test_names(void)
{
	struct metric_set *set = metric_set_new(&standard);
	static const struct {
		enum metric_type type;
		const char *name, *unit, *result;
	} cases[] = {
		{METRIC_GAUGE, "a", NULL, "a"},
		{METRIC_GAUGE, "a", NULL, "a_2"},
		{METRIC_GAUGE, "a", NULL, "a_3"},
		{METRIC_SUMMARY, "a", NULL, "a_4"},
		{METRIC_GAUGE, "a_4_count", NULL, "a_4_count_2"},
		{METRIC_GAUGE, "b_sum", NULL, "b_sum"},
		{METRIC_HISTOGRAM, "b", NULL, "b_2"},
		{METRIC_COUNTER, "c", "seconds", "c_seconds"},
		{METRIC_COUNTER, "c", "seconds", "c_2_seconds"},
		{METRIC_GAUGE, "c_seconds", "seconds", "c_3_seconds"},
		{METRIC_GAUGE, "d_seconds", "seconds", "d_seconds"},
		{METRIC_INFO, "e", NULL, "e"},
		{METRIC_UNKNOWN, "e_info", NULL, "e_info_2"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		g_assert_cmpstr(metric_set_add_unique(set, cases[i].type, cases[i].name, cases[i].unit, "help")->name,
				==, cases[i].result);
	metric_set_free(set);
}

static void test_limits(void)
{
	const struct exporter_limits few = {.series = 3, .label_length = 100, .response_size = 1 << 20};
	const struct exporter_limits small = {.series = 100, .label_length = 100, .response_size = 100};
	struct metric_set *set = metric_set_new(&few);
	struct metric_family *family = metric_set_add(set, METRIC_SUMMARY, "a", NULL, "help");
	GArray *pair = metric_samples_new();

	g_assert_true(metric_add_one(set, family, "_count", "k=\"1\"", g_strdup("1")));
	g_assert_false(metric_add_one(set, family, "_count", "k=\"1\"", g_strdup("2")));
	g_assert_true(metric_add_one(set, family, "_count", "k=\"2\"", g_strdup("3")));
	/* Both or none. */
	metric_samples_append(pair, "_count", "k=\"3\"", NULL, g_strdup("4"));
	metric_samples_append(pair, "_sum", "k=\"3\"", NULL, g_strdup("5"));
	g_assert_false(metric_add(set, family, pair));
	g_assert_true(metric_add_one(set, family, "_count", "k=\"4\"", g_strdup("6")));
	g_assert_cmpuint(set->dropped[DROP_DUPLICATE], ==, 1);
	g_assert_cmpuint(set->dropped[DROP_LIMIT], ==, 2);
	g_assert_cmpuint(set->series, ==, 3);
	metric_set_free(set);

	set = metric_set_new(&small);
	family = metric_set_add(set, METRIC_GAUGE, "a", NULL, "help");
	for (unsigned int i = 0; i < 100; i++) {
		g_autofree char *labels = g_strdup_printf("k=\"%u\"", i);

		metric_add_one(set, family, "", labels, g_strdup("1"));
	}
	g_assert_cmpuint(set->dropped[DROP_SIZE], >, 80);
	g_assert_cmpuint(set->dropped[DROP_SIZE] + set->series, ==, 100);
	metric_set_free(set);
}

/* If two samples of an element are duplicates, no sample of that element may stay. */
static void test_duplicates_within(void)
{
	struct metric_set *set = metric_set_new(&standard);
	struct metric_family *family = metric_set_add(set, METRIC_SUMMARY, "a", NULL, "help");
	GArray *samples = metric_samples_new();

	metric_samples_append(samples, "_sum", "", NULL, g_strdup("1"));
	metric_samples_append(samples, "_sum", "", NULL, g_strdup("2"));
	g_assert_false(metric_add(set, family, samples));
	g_assert_true(metric_add_one(set, family, "_sum", "", g_strdup("3")));
	metric_set_free(set);
}

/* ---- what clients accept ----------------------------------------------------------------------------------------- */

static void test_accept(void)
{
	static const struct {
		const char *accept;
		enum text_format format;
	} cases[] = {
		{NULL, TEXT_CLASSIC},
		{"", TEXT_CLASSIC},
		{"*/*", TEXT_CLASSIC},
		{"text/html", TEXT_CLASSIC},
		{"application/openmetrics-text", TEXT_OPENMETRICS},
		{"application/openmetrics-text; version=1.0.0", TEXT_OPENMETRICS},
		{"Application/OpenMetrics-Text;version=0.0.1", TEXT_OPENMETRICS},
		{"application/openmetrics-text;version=2.0.0", TEXT_CLASSIC},
		{"application/openmetrics-text;q=0", TEXT_CLASSIC},
		{"application/openmetrics-text;q=nan", TEXT_CLASSIC},
		{"application/openmetrics-text;q=0.5,text/plain", TEXT_CLASSIC},
		{"text/plain;q=0.5,application/openmetrics-text;q=0.6", TEXT_OPENMETRICS},
		/* Prometheus 2.42. */
		{"application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
		 "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
		 TEXT_OPENMETRICS},
		/* Prometheus 3. */
		{"application/vnd.google.protobuf;q=0.1,application/openmetrics-text;version=1.0.0;"
		 "escaping=allow-utf-8;q=0.6,text/plain;version=0.0.4;q=0.4,*/*;q=0.2",
		 TEXT_OPENMETRICS},
		{";;;,,,;q=,q=1;=", TEXT_CLASSIC},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		g_assert_cmpint(text_format_of(cases[i].accept), ==, cases[i].format);
}

/* ---- the text of prometheus probes ------------------------------------------------------------------------------- */

static void check_text(const char *text, size_t length, const char *classic, const char *openmetrics,
		       unsigned int dropped)
{
	struct metric_set *set = text_read(text, length, "s", &standard);
	g_autofree char *one = text_of(set, TEXT_CLASSIC), *other = text_of(set, TEXT_OPENMETRICS);
	uint64_t sum = 0;

	for (int i = 0; i < DROP_REASON_COUNT_; i++)
		sum += set->dropped[i];
	g_assert_cmpstr(one, ==, classic);
	if (openmetrics)
		g_assert_cmpstr(other, ==, openmetrics);
	g_assert_cmpuint(sum, ==, dropped);
	metric_set_free(set);
}

static void test_good_text(void)
{
	static const char classic_a[] = "# HELP a Metric a of the script s.\n# TYPE a untyped\n";
	static const char open_a[] = "# HELP a Metric a of the script s.\n# TYPE a unknown\n";
	static const struct {
		const char *text, *classic, *open;
	} cases[] = {
		{"a 1\n", "a 1\n", "a 1\n"},
		{"  a\t{ } 1 \n\n# a comment\n", "a 1\n", "a 1\n"},
		{"a{x=\"1\",y=\"2\",} -5\n", "a{x=\"1\",y=\"2\"} -5\n", "a{x=\"1\",y=\"2\"} -5\n"},
		/* text_str() writes these escapes; Prometheus knows only three. */
		{"a{x=\"\\\"\\\\\\n\\t\\033\\u00FC\\U0001F41F\\303\\274\"} 1\n",
		 "a{x=\"\\\"\\\\\\n\\\\x09\\\\x1b\xc3\xbc\xf0\x9f\x90\x9f\xc3\xbc\"} 1\n", NULL},
		{"a 1 1500\n", "a 1 1500\n", "a 1 1.5\n"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *classic = g_strconcat(classic_a, cases[i].classic, NULL);
		g_autofree char *open = cases[i].open ? g_strconcat(open_a, cases[i].open, "# EOF\n", NULL) : NULL;

		check_text(cases[i].text, strlen(cases[i].text), classic, open, 0);
	}
}

static void test_typed_text(void)
{
	static const char text[] =
		"# HELP c_total counts \\\\ \\n things \"x\"\n# TYPE c_total counter\nc_total 5\n"
		"# TYPE p counter\np 6\n"
		"# TYPE h histogram\nh_bucket{le=\"1\"} 1\nh_bucket{le=\"+Inf\"} 2\nh_sum 3\nh_count 2\n"
		"# TYPE s summary\ns{quantile=\"0.5\"} 1\ns_sum 3\ns_count 2\n";

	check_text(text, strlen(text),
		   "# HELP c_total counts \\\\ \\n things \"x\"\n# TYPE c_total counter\nc_total 5\n"
		   "# HELP p Metric p of the script s.\n# TYPE p counter\np 6\n"
		   "# HELP h Metric h of the script s.\n# TYPE h histogram\nh_bucket{le=\"1\"} 1\n"
		   "h_bucket{le=\"+Inf\"} 2\nh_sum 3\nh_count 2\n"
		   "# HELP s Metric s of the script s.\n# TYPE s summary\ns{quantile=\"0.5\"} 1\ns_sum 3\ns_count 2\n",
		   "# HELP c counts \\\\ \\n things \\\"x\\\"\n# TYPE c counter\nc_total 5\n"
		   "# HELP p Metric p of the script s.\n# TYPE p counter\np_total 6\n"
		   "# HELP h Metric h of the script s.\n# TYPE h histogram\nh_bucket{le=\"1.0\"} 1\n"
		   "h_bucket{le=\"+Inf\"} 2\nh_sum 3\nh_count 2\n"
		   "# HELP s Metric s of the script s.\n# TYPE s summary\ns{quantile=\"0.5\"} 1\ns_sum 3\ns_count 2\n"
		   "# EOF\n",
		   0);
}

static void test_bad_text(void)
{
	static const char *const lines[] = {
		"1a 1\n",
		"a\n",
		"a x\n",
		"a 1 x\n",
		"a 1 2 3\n",
		"a{ 1\n",
		"a{x} 1\n",
		"a{x=1} 1\n",
		"a{x=\"1} 1\n",
		"a{x=\"1\"\n",
		"a{x=\"\\q\"} 1\n",
		"a{x=\"\\",
		"a{x=\"\\\n",
		"a{x=\"\\u12\"} 1\n",
		"a{x=\"\\ud800\"} 1\n",
		"a{x=\"1\",x=\"2\"} 1\n",
		"a{x=\"1\"y=\"2\"} 1\n",
		"a{1x=\"1\"} 1\n",
		"a{x:y=\"1\"} 1\n",
		"a{,} 1\n",
		"# TYPE a blah\n",
		"# TYPE 1 gauge\n",
		"# TYPE a gauge more\n",
		"a 12",
		"a 1_000\n",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++)
		check_text(lines[i], strlen(lines[i]), "", "# EOF\n", 1);
	check_text("a\0b 1\n", 6, "", "# EOF\n", 1);
	check_text("a 1\na 2\n", 8, "# HELP a Metric a of the script s.\n# TYPE a untyped\na 1\n", NULL, 1);
	/* The type of a metric cannot come after its samples, nor can a part of a histogram be another metric. */
	check_text("a 1\n# TYPE a gauge\n", 19, "# HELP a Metric a of the script s.\n# TYPE a untyped\na 1\n", NULL, 1);
	check_text("h_sum 1\n# TYPE h histogram\n", 27,
		   "# HELP h_sum Metric h_sum of the script s.\n# TYPE h_sum untyped\nh_sum 1\n", NULL, 1);
	check_text("# TYPE h histogram\nh 1\nh_bucket 1\nh_bucket{le=\"x\"} 1\n", 53, "", NULL, 3);
	check_text("# TYPE c counter\nc -1\n", 22, "", NULL, 1);
}

/* ---- lines of stap ----------------------------------------------------------------------------------------------- */

static void feed(struct stream *stream, const char *const *lines)
{
	for (; *lines; lines++)
		stream_line(stream, *lines, strlen(*lines));
}

static void check_snapshot(const char *const *lines, const char *openmetrics)
{
	struct stream stream;
	g_autofree char *text = NULL;

	stream_begin(&stream, "s", &standard);
	feed(&stream, lines);
	g_assert_nonnull(stream.newest);
	text = text_of(stream.newest, TEXT_OPENMETRICS);
	g_assert_cmpstr(text, ==, openmetrics);
	stream_end(&stream);
}

#define GLOBAL(name, rest) "{\"type\":\"global\",\"snapshot\":0,\"name\":\"" name "\"," rest "}"
#define SNAPSHOT "{\"type\":\"snapshot\",\"snapshot\":0,\"final\":false}"

static void test_snapshots(void)
{
	const char *const numbers[] = {
		GLOBAL("n", "\"elements\":[[[],5]]"),
		GLOBAL("up_total", "\"elements\":[[[],6]]"),
		GLOBAL("sent", "\"unit\":\"bytes total\",\"elements\":[[[1],-1],[[2],7]]"),
		GLOBAL("t_us", "\"unit\":\"us\",\"elements\":[[[\"a\",-2],1500000]]"),
		GLOBAL("empty", "\"elements\":[]"),
		GLOBAL("text", "\"elements\":[[[],\"x\\\"\\n\"]]"),
		SNAPSHOT,
		NULL,
	};
	const char *const statistics[] = {
		GLOBAL("l", "\"unit\":\"ns\",\"elements\":["
			    "[[\"a\"],{\"count\":3,\"sum\":-5,\"min\":-9,\"max\":2,\"avg\":-1}],"
			    "[[\"b\"],{\"count\":0,\"sum\":0}]]"),
		SNAPSHOT,
		NULL,
	};
	const char *const stacks[] = {
		GLOBAL("k", "\"elements\":[[[[{\"name\":\"in;ner\"},{\"name\":{\"base64\":\"/w==\"}},"
			    "{\"address\":\"0x12\",\"offset\":1},{}]],1]]"),
		SNAPSHOT,
		NULL,
	};

	check_snapshot(numbers, "# HELP stap_s_n Value of the global n of the script s.\n# TYPE stap_s_n gauge\n"
				"stap_s_n 5\n"
				"# HELP stap_s_up_total_value Value of the global up_total of the script s.\n"
				"# TYPE stap_s_up_total_value gauge\nstap_s_up_total_value 6\n"
				"# HELP stap_s_sent_bytes Counter in the global sent of the script s.\n"
				"# TYPE stap_s_sent_bytes counter\n# UNIT stap_s_sent_bytes bytes\n"
				"stap_s_sent_bytes_total{key1=\"2\"} 7\n"
				"# HELP stap_s_t_seconds Value of the global t_us of the script s.\n"
				"# TYPE stap_s_t_seconds gauge\n# UNIT stap_s_t_seconds seconds\n"
				"stap_s_t_seconds{key1=\"a\",key2=\"-2\"} 1.5\n"
				"# HELP stap_s_text Text of the global text of the script s.\n"
				"# TYPE stap_s_text info\nstap_s_text_info{value=\"x\\\"\\n\"} 1\n# EOF\n");
	/* A sum that can decrease is not allowed. */
	check_snapshot(statistics, "# HELP stap_s_l_seconds Statistics in the global l of the script s.\n"
				   "# TYPE stap_s_l_seconds summary\n# UNIT stap_s_l_seconds seconds\n"
				   "stap_s_l_seconds_count{key1=\"a\"} 3\nstap_s_l_seconds_count{key1=\"b\"} 0\n"
				   "stap_s_l_seconds_sum{key1=\"b\"} 0\n"
				   "# HELP stap_s_l_min_seconds Smallest value in the global l of the script s.\n"
				   "# TYPE stap_s_l_min_seconds gauge\n# UNIT stap_s_l_min_seconds seconds\n"
				   "stap_s_l_min_seconds{key1=\"a\"} -0.000000009\n"
				   "# HELP stap_s_l_max_seconds Largest value in the global l of the script s.\n"
				   "# TYPE stap_s_l_max_seconds gauge\n# UNIT stap_s_l_max_seconds seconds\n"
				   "stap_s_l_max_seconds{key1=\"a\"} 0.000000002\n"
				   "# HELP stap_s_l_avg_seconds Average in the global l of the script s.\n"
				   "# TYPE stap_s_l_avg_seconds gauge\n# UNIT stap_s_l_avg_seconds seconds\n"
				   "stap_s_l_avg_seconds{key1=\"a\"} -0.000000001\n# EOF\n");
	check_snapshot(stacks, "# HELP stap_s_k Value of the global k of the script s.\n# TYPE stap_s_k gauge\n"
			       "stap_s_k{key1=\"?;0x12;\\\\xff;in_ner\"} 1\n# EOF\n");
}

/* A bucket ends before its upper bound; bounds of other elements, and of earlier snapshots, are exported, too. */
static void test_histograms(void)
{
	static const char *const first[] = {
		GLOBAL("h", "\"elements\":[[[\"a\"],{\"count\":4,\"sum\":9,\"min\":1,\"max\":6,\"histogram\":"
			    "{\"kind\":\"log\",\"buckets\":[[4,8,1],[1,2,2]]}}],"
			    "[[\"b\"],{\"count\":0,\"sum\":0}]]"),
		SNAPSHOT,
		NULL,
	};
	static const char *const second[] = {
		GLOBAL("h", "\"elements\":[[[\"a\"],{\"count\":2,\"sum\":50,\"min\":20,\"max\":30,\"histogram\":"
			    "{\"kind\":\"log\",\"buckets\":[[null,10,0],[20,30,1],[30,null,1]]}}]]"),
		SNAPSHOT,
		NULL,
	};
	struct stream stream;
	g_autofree char *one = NULL, *two = NULL;

	stream_begin(&stream, "s", &standard);
	feed(&stream, first);
	one = text_of(stream.newest, TEXT_CLASSIC);
	feed(&stream, second);
	two = text_of(stream.newest, TEXT_CLASSIC);
	stream_end(&stream);
	g_assert_nonnull(strstr(one,
				"# TYPE stap_s_h histogram\nstap_s_h_bucket{key1=\"a\",le=\"1\"} 2\n"
				"stap_s_h_bucket{key1=\"a\",le=\"7\"} 3\nstap_s_h_bucket{key1=\"a\",le=\"+Inf\"} 3\n"
				"stap_s_h_count{key1=\"a\"} 3\nstap_s_h_sum{key1=\"a\"} 9\n"
				"stap_s_h_bucket{key1=\"b\",le=\"1\"} 0\nstap_s_h_bucket{key1=\"b\",le=\"7\"} 0\n"
				"stap_s_h_bucket{key1=\"b\",le=\"+Inf\"} 0\nstap_s_h_count{key1=\"b\"} 0\n"));
	g_assert_nonnull(strstr(two, "stap_s_h_bucket{key1=\"a\",le=\"1\"} 0\nstap_s_h_bucket{key1=\"a\",le=\"7\"} 0\n"
				     "stap_s_h_bucket{key1=\"a\",le=\"9\"} 0\nstap_s_h_bucket{key1=\"a\",le=\"29\"} 1\n"
				     "stap_s_h_bucket{key1=\"a\",le=\"+Inf\"} 2\nstap_s_h_count{key1=\"a\"} 2\n"
				     "stap_s_h_sum{key1=\"a\"} 50\n"));
}

/* Hosts of --remote: their snapshots come in any order, and each is a label. A host that has ended has no values. */
static void test_hosts(void)
{
	static const char *const first[] = {
		"{\"type\":\"start\",\"module\":\"stap_1\",\"remote\":{\"number\":0,\"uri\":\"ssh:a\\\"\"}}",
		"{\"type\":\"start\",\"module\":\"stap_2\",\"remote\":{\"number\":1,\"uri\":\"direct:\"}}",
		GLOBAL("n", "\"remote\":0,\"elements\":[[[1],1]]"),
		GLOBAL("n", "\"remote\":1,\"elements\":[[[1],2]]"),
		GLOBAL("h", "\"remote\":1,\"elements\":[[[],{\"count\":1,\"sum\":1,\"min\":1,\"max\":1,\"histogram\":"
			    "{\"kind\":\"log\",\"buckets\":[[1,2,1]]}}]]"),
		"{\"type\":\"snapshot\",\"remote\":1}",
		GLOBAL("n", "\"remote\":1,\"elements\":[[[1],3]]"),
		GLOBAL("h", "\"remote\":0,\"elements\":[[[],{\"count\":1,\"sum\":1,\"min\":1,\"max\":1,\"histogram\":"
			    "{\"kind\":\"log\",\"buckets\":[[1,2,1]]}}]]"),
		"{\"type\":\"snapshot\",\"remote\":0}",
		NULL,
	};
	struct stream stream;
	g_autofree char *one = NULL, *two = NULL;

	stream_begin(&stream, "s", &standard);
	feed(&stream, first);
	g_assert_cmpstr(stream.module.text, ==, "stap_2");
	one = text_of(stream.newest, TEXT_CLASSIC);
	stream_line(&stream, "{\"type\":\"end\",\"remote\":1}", 25);
	two = text_of(stream.newest, TEXT_CLASSIC);
	stream_end(&stream);
	g_assert_nonnull(
		strstr(one, "# TYPE stap_s_n gauge\nstap_s_n{remote_id=\"0\",remote_uri=\"ssh:a\\\"\",key1=\"1\"} 1\n"
			    "stap_s_n{remote_id=\"1\",remote_uri=\"direct:\",key1=\"1\"} 2\n#"));
	g_assert_nonnull(strstr(
		one,
		"# TYPE stap_s_h histogram\nstap_s_h_bucket{remote_id=\"0\",remote_uri=\"ssh:a\\\"\",le=\"1\"} 1\n"));
	g_assert_nonnull(strstr(one, "stap_s_h_sum{remote_id=\"0\",remote_uri=\"ssh:a\\\"\"} 1\n"
				     "stap_s_h_bucket{remote_id=\"1\",remote_uri=\"direct:\",le=\"1\"} 1\n"));
	g_assert_nonnull(strstr(two, "remote_uri=\"ssh:a"));
	g_assert_null(strstr(two, "direct:"));
}

/* Lines of wrong types, and values of several types in one global, are dropped; nothing crashes. */
static void test_bad_lines(void)
{
	static const struct {
		const char *line;
		enum stream_event event;
	} cases[] = {
		{"", STREAM_INVALID},
		{"x", STREAM_INVALID},
		{"[]", STREAM_INVALID},
		{"{}", STREAM_INVALID},
		{"{\"type\":1}", STREAM_INVALID},
		{"{\"type\":\"global\"", STREAM_INVALID},
		{"{\"type\":\"\xff\"}", STREAM_INVALID},
		{"{\"type\":\"unknown\"}", STREAM_NOTHING},
		{"{\"type\":\"start\"}", STREAM_INVALID},
		{"{\"type\":\"start\",\"module\":\"../x\"}", STREAM_INVALID},
		{"{\"type\":\"start\",\"module\":\"stap_1\"}", STREAM_STARTED},
		{"{\"type\":\"message\"}", STREAM_INVALID},
		{"{\"type\":\"message\",\"level\":\"error\",\"text\":\"x\"}", STREAM_MESSAGE},
		{GLOBAL("a", "\"elements\":5"), STREAM_NOTHING},
		{GLOBAL("a", "\"elements\":[5,[],[[]],[5,5],[[],null],[[null],5],[[true],5],[[],[]]]"), STREAM_NOTHING},
		{GLOBAL("b", "\"elements\":[[[1],5],[[2],{\"count\":1,\"sum\":1}],[[3],\"x\"]]"), STREAM_NOTHING},
		{GLOBAL("c", "\"elements\":[[[],{\"count\":\"x\",\"histogram\":{\"buckets\":[5,[],[1,2,-1],[1,\"x\",1]]"
			     "}}]]"),
		 STREAM_NOTHING},
		{SNAPSHOT, STREAM_SNAPSHOT},
	};
	g_autoptr(GString) deep = g_string_new("{\"type\":\"x\",\"a\":");
	struct stream stream;

	stream_begin(&stream, "s", &standard);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		g_assert_cmpint(stream_line(&stream, cases[i].line, strlen(cases[i].line)), ==, cases[i].event);
	g_assert_cmpuint(stream.errors, ==, 1);
	g_assert_cmpuint(stream.newest->dropped[DROP_VALUE], ==, 8 + 2 + 1);
	for (int i = 0; i < 1000000; i++)
		g_string_append_c(deep, '[');
	g_assert_cmpint(stream_line(&stream, deep->str, deep->len), ==, STREAM_INVALID);
	stream_end(&stream);
}

/* ---- splitting --------------------------------------------------------------------------------------------------- */

static void append_line(void *context, const char *line, size_t length)
{
	g_assert_cmpuint(strlen(line), ==, length);
	g_string_append_printf(context, "<%s>", line);
}

static void test_lines(void)
{
	static const char text[] = "a\n\nbcd\n12345\n123456\nz\nrest";

	for (size_t step = 1; step <= strlen(text); step++) {
		g_autoptr(GString) got = g_string_new(NULL);
		struct line_buffer lines;

		lines_begin(&lines, 5);
		for (size_t at = 0; at < strlen(text); at += step)
			lines_feed(&lines, text + at, MIN(step, strlen(text) - at), append_line, got);
		g_assert_cmpstr(got->str, ==, "<a><><bcd><12345><z>");
		g_assert_cmpuint(lines.too_long, ==, 1);
		lines_end(&lines);
	}
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static char *directory;

/* Make a file of the test's directory. Free the path with g_free(). */
static char *make_file(const char *name, const char *text, int mode)
{
	char *path = g_build_filename(directory, name, NULL);

	g_unlink(path);
	g_assert_true(g_file_set_contents(path, text, -1, NULL));
	g_chmod(path, mode);
	return path;
}

static void assert_error(struct error *error, const char *part)
{
	if (part) {
		g_assert_nonnull(error);
		g_assert_nonnull(strstr(error->message, part));
	} else {
		g_assert_null(error);
	}
	error_free(error);
}

static void test_trusted_files(void)
{
	g_autofree char *file = make_file("file", "x", 0644), *link = g_build_filename(directory, "link", NULL);
	g_autofree char *other = g_build_filename(directory, "open", NULL);
	g_autofree char *inside = g_build_filename(other, "file", NULL);
	g_autofree char *text = NULL;
	struct stat status;
	size_t length;

	assert_error(trusted_file_check(file, &status), NULL);
	assert_error(trusted_file_check(directory, &status), "not a regular file");
	assert_error(trusted_directory_check(file), "not a directory");
	assert_error(trusted_file_read(file, true, &text, &length), "other users can read it");
	for (int bit = 0; bit < 2; bit++) {
		g_chmod(file, bit ? 0620 : 0602);
		assert_error(trusted_file_check(file, &status), "can write to it");
	}
	g_chmod(file, 0600);
	assert_error(trusted_file_read(file, true, &text, &length), NULL);
	g_assert_cmpstr(text, ==, "x");
	/* A link is trusted only if all directories that it leads through are. */
	g_assert_cmpint(symlink(file, link), ==, 0);
	assert_error(trusted_file_check(link, &status), NULL);
	g_unlink(link);
	g_mkdir(other, 0755);
	g_chmod(other, 0777);
	g_assert_true(g_file_set_contents(inside, "x", -1, NULL));
	g_chmod(inside, 0644);
	assert_error(trusted_file_check(inside, &status), "can write to it");
	g_assert_cmpint(symlink(inside, link), ==, 0);
	assert_error(trusted_file_check(link, &status), "can write to it");
	g_chmod(other, 0755);
	assert_error(trusted_file_check(link, &status), NULL);
	if (!geteuid()) {
		g_assert_cmpint(chown(inside, 12345, 0), ==, 0);
		assert_error(trusted_file_check(inside, &status), "belongs to user 12345");
	}
	g_unlink(link);
	g_unlink(inside);
	g_rmdir(other);
	g_unlink(file);
}

static void test_configuration(void)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{"", NULL},
		{"[exporter]\nport = 1\nseries = 5\n[a.stp]\nstart=boot\noptions=-v 'a b'\n", NULL},
		{"[exporter]\nprot = 1\n", "unknown key 'prot'"},
		{"[a.stp]\nport = 1\n", "unknown key 'port'"},
		{"[a]\n", "unknown group [a]"},
		{"[exporter]\nport = 65536\n", "'port' must be a number from 0 to 65535"},
		{"[exporter]\nport = 1x\n", "'port' must be a number"},
		{"[exporter]\nport =\n", "'port' must be a number"},
		{"[exporter]\nstart = never\n", "must be one of scrape, boot"},
		{"[exporter]\noptions = 'a\n", "cannot be split into words"},
		{"[exporter]\nkey = /x\n", "must be given together"},
		{"[exporter]\nlisten =\n", "must not be empty"},
		{"port = 1\n", "group"},
	};
	const struct exporter_overrides none = {.port = -1, .keepalive = -1};
	const struct exporter_overrides some = {.port = 7, .keepalive = 8, .scripts = "/x"};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *path = make_file("conf", cases[i].text, 0644);
		struct exporter_settings *settings;

		assert_error(settings_read(path, &none, &settings), cases[i].error);
		settings_unref(settings);
		if (i != 1)
			continue;
		g_assert_null(settings_read(path, &some, &settings));
		g_assert_cmpint(settings->port, ==, 7);
		g_assert_cmpstr(settings->scripts, ==, "/x");
		g_assert_cmpint(settings_of_script(settings, "a.stp")->keepalive, ==, 8);
		g_assert_cmpint(settings_of_script(settings, "a.stp")->start, ==, START_AT_BOOT);
		g_assert_cmpint(settings_of_script(settings, "b.stp")->start, ==, START_AT_SCRAPE);
		g_assert_cmpint(settings_of_script(settings, "a.stp")->limits.series, ==, 5);
		g_assert_false(script_settings_equal(settings_of_script(settings, "a.stp"), &settings->common));
		settings_unref(settings);
	}
}

static void test_authentication(void)
{
	g_autofree char *users = make_file("users", "# comment\nann:secret\nbob:pass:word\n", 0600);
	g_autofree char *tokens = make_file("tokens", "abcdef\n", 0600);
	g_autofree char *bad = make_file("bad", "ann\n", 0600), *empty = make_file("empty", "\n", 0600);
	static const struct {
		const char *header;
		bool accepts;
	} cases[] = {
		{NULL, false},
		{"", false},
		{"Basic", false},
		{"Basic ", false},
		{"Basic YW5uOnNlY3JldA==", true},
		{"bAsIc  YW5uOnNlY3JldA==", true},
		{"Basic Ym9iOnBhc3M6d29yZA==", true},
		{"Basic YW5uOnNlY3JldDE=", false},
		{"Basic YW5uOg==", false},
		{"Basic IyBjb21tZW50", false},
		{"Bearer abcdef", true},
		{"Bearer abcde", false},
		{"Bearer ", false},
		{"Bearer ann:secret", false},
		{"Basic YWJjZGVm", false},
		{"abcdef", false},
	};
	struct authentication *authentication;

	assert_error(authentication_read(bad, NULL, &authentication), "expected USER:PASSWORD");
	assert_error(authentication_read(NULL, empty, &authentication), "empty");
	assert_error(authentication_read(users, tokens, &authentication), NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		g_assert_cmpint(authentication_accepts(authentication, cases[i].header), ==, cases[i].accepts);
	authentication_free(authentication);
	assert_error(authentication_read(NULL, NULL, &authentication), NULL);
	g_assert_null(authentication);
	g_assert_true(authentication_accepts(NULL, NULL));
}

static void test_addresses(void)
{
	static const struct {
		const char *text;
		bool is_valid, is_loopback;
	} cases[] = {
		{"127.0.0.1", true, true},
		{"127.1.2.3", true, true},
		{"::1", true, true},
		{"[::1]", true, true},
		{"localhost", true, true},
		{"0.0.0.0", true, false},
		{"::", true, false},
		{"10.0.0.1", true, false},
		{"128.0.0.1", true, false},
		{"::ffff:127.0.0.1", true, false},
		{"example.org", false, false},
		{"[127.0.0.1]", false, false},
		{"", false, false},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct address address;
		struct error *error = address_parse(cases[i].text, 1, &address);

		g_assert_cmpint(!error, ==, cases[i].is_valid);
		if (!error)
			g_assert_cmpint(address_is_loopback(&address), ==, cases[i].is_loopback);
		error_free(error);
	}
}

int main(int argc, char **argv)
{
	int status;

	g_test_init(&argc, &argv, NULL);
	directory = g_dir_make_tmp("test-exporter-XXXXXX", NULL);
	g_test_add_func("/exporter/decimals", test_decimals);
	g_test_add_func("/exporter/units", test_units);
	g_test_add_func("/exporter/labels", test_labels);
	g_test_add_func("/exporter/long-labels", test_long_labels);
	g_test_add_func("/exporter/names", test_names);
	g_test_add_func("/exporter/limits", test_limits);
	g_test_add_func("/exporter/duplicates-within", test_duplicates_within);
	g_test_add_func("/exporter/accept", test_accept);
	g_test_add_func("/exporter/good-text", test_good_text);
	g_test_add_func("/exporter/typed-text", test_typed_text);
	g_test_add_func("/exporter/bad-text", test_bad_text);
	g_test_add_func("/exporter/snapshots", test_snapshots);
	g_test_add_func("/exporter/histograms", test_histograms);
	g_test_add_func("/exporter/hosts", test_hosts);
	g_test_add_func("/exporter/bad-lines", test_bad_lines);
	g_test_add_func("/exporter/lines", test_lines);
	g_test_add_func("/exporter/trusted-files", test_trusted_files);
	g_test_add_func("/exporter/configuration", test_configuration);
	g_test_add_func("/exporter/authentication", test_authentication);
	g_test_add_func("/exporter/addresses", test_addresses);
	status = g_test_run();
	for (const char *const *name = (const char *const[]){"conf", "users", "tokens", "bad", "empty", NULL}; *name;
	     name++) {
		g_autofree char *path = g_build_filename(directory, *name, NULL);

		g_unlink(path);
	}
	g_rmdir(directory);
	g_free(directory);
	return status;
}
