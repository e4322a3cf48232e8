// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Input for stap-exporter: lines of stap, texts of prometheus probes, headers of clients. Whatever the input is, the
 * response must be UTF-8 of the format. Therefore it is read again by our reader of that format, which must accept each
 * line and find as many samples.
 */
#include <string.h>
#include <sys/stat.h>

#include "exporter/authentication.h"
#include "exporter/lines.h"
#include "exporter/stream.h"
#include "exporter/text_output.h"
#include "exporter/text_reader.h"
#include "testsuite/fuzz/inputs.h"

#define CHOSEN(random, array) ((array)[fuzz_below(random, 0, G_N_ELEMENTS(array))])

static void append_text(GByteArray *out, const char *text)
{
	fuzz_append(out, text, strlen(text));
}

/* Limits that some inputs reach. */
static struct exporter_limits choose_limits(GRand *random)
{
	return (struct exporter_limits){
		.series = fuzz_below(random, 1, 100),
		.label_length = fuzz_below(random, SMALLEST_LABEL_LENGTH, 60),
		.response_size = fuzz_below(random, 1, 20000),
	};
}

/* ---- responses --------------------------------------------------------------------------------------------------- */

static void check_response(const struct metric_set *set)
{
	static const struct exporter_limits none = {
		.series = G_MAXINT, .label_length = 1 << 20, .response_size = G_MAXINT};

	for (enum text_format format = 0; format < TEXT_FORMAT_COUNT_; format++) {
		GBytes *bytes = text_write(set, format);
		gsize size;
		const char *text = g_bytes_get_data(bytes, &size);

		if (size && !g_utf8_validate(text, (gssize)size, NULL))
			fuzz_wrong("the response is not UTF-8");
		if (format == TEXT_OPENMETRICS && (size < 6 || memcmp(text + size - 6, "# EOF\n", 6)))
			fuzz_wrong("the response has no end");
		if (format == TEXT_CLASSIC) {
			struct metric_set *again = text_read(text ?: "", size, "again", &none);

			for (int i = 0; i < DROP_REASON_COUNT_; i++)
				if (again->dropped[i])
					fuzz_wrong("the response is not of the format");
			if (again->series != set->series)
				fuzz_wrong("the response has other samples");
			metric_set_free(again);
		}
		g_bytes_unref(bytes);
	}
}

/* ---- lines of stap ----------------------------------------------------------------------------------------------- */

static const char *const numbers[] = {"0",   "1",    "-1",   "9223372036854775807", "-9223372036854775808",
				      "1.5", "null", "1e400"};
static const char *const names[] = {"a",       "a_2",  "a_count", "a_sum", "a_min",
				    "b_total", "c_ns", "d_info",  "",	   "\\u00fc;{"};
static const char *const strings[] = {
	"\"x\"",
	"\"\\\"\\\\\\n\"",
	"\"\\u001b\\u0000\\u009b\"",
	"\"\\ud83d\\udc1f\"",
	"{\"base64\":\"/w==\"}",
	"{\"base64\":5}",
	"\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"",
	"\"\""};
static const char *const units[] = {"ns", "bytes total", "total", "count", "\\\"\\n", "x y"};

static void add_key(GRand *random, GByteArray *out)
{
	guint kind = fuzz_below(random, 0, 3);

	if (kind == 0)
		append_text(out, CHOSEN(random, numbers));
	else if (kind == 1)
		append_text(out, CHOSEN(random, strings));
	else {
		append_text(out, "[");
		for (guint i = fuzz_below(random, 0, 4); i--;) {
			append_text(out, "{\"name\":");
			append_text(out, CHOSEN(random, strings));
			append_text(out, i ? "}," : "}");
		}
		append_text(out, "]");
	}
}

static void add_statistics(GRand *random, GByteArray *out)
{
	static const char *const members[] = {"count", "sum", "min", "max", "avg"};

	append_text(out, "{");
	for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
		g_autofree char *member =
			g_strdup_printf("%s\"%s\":%s", i ? "," : "", members[i], CHOSEN(random, numbers));

		append_text(out, member);
	}
	if (g_rand_boolean(random)) {
		append_text(out, ",\"histogram\":{\"buckets\":[");
		for (guint i = fuzz_below(random, 0, 5); i--;) {
			g_autofree char *bucket =
				g_strdup_printf("[%s,%s,%s]%s", CHOSEN(random, numbers), CHOSEN(random, numbers),
						CHOSEN(random, numbers), i ? "," : "");

			append_text(out, bucket);
		}
		append_text(out, "]}");
	}
	append_text(out, "}");
}

static void add_global(GRand *random, GByteArray *out)
{
	g_autofree char *head = g_strdup_printf("{\"type\":\"global\",\"name\":\"%s\",\"unit\":\"%s\",\"elements\":[",
						CHOSEN(random, names), CHOSEN(random, units));
	guint kind = fuzz_below(random, 0, 3), keys = fuzz_below(random, 0, 3);

	append_text(out, head);
	for (guint i = fuzz_below(random, 0, 12); i--;) {
		append_text(out, "[[");
		for (guint j = 0; j < keys; j++) {
			append_text(out, j ? "," : "");
			add_key(random, out);
		}
		append_text(out, "],");
		if (kind == 0)
			append_text(out, CHOSEN(random, numbers));
		else if (kind == 1)
			append_text(out, CHOSEN(random, strings));
		else
			add_statistics(random, out);
		append_text(out, i ? "]," : "]");
	}
	append_text(out, "]}\n");
}

static void make_lines(GRand *random, GByteArray *out)
{
	static const char *const others[] = {
		"{\"type\":\"start\",\"module\":\"stap_1\"}\n",
		"{\"type\":\"message\",\"level\":\"error\",\"text\":\"x\"}\n",
		"{\"type\":\"output\",\"text\":\"x\"}\n",
		"{\"type\":\"end\",\"lost\":3}\n",
		"{\"type\":\"snapshot\"}\n",
		"{\"type\":\"start\",\"module\":\"stap_2\",\"remote\":{\"number\":1,\"uri\":\"direct:\"}}\n",
		"{\"type\":\"global\",\"remote\":1,\"name\":\"a\",\"elements\":[[[],1]]}\n",
		"{\"type\":\"snapshot\",\"remote\":1}\n",
		"{\"type\":\"end\",\"remote\":1}\n",
	};

	for (guint i = fuzz_below(random, 1, 12); i--;) {
		if (fuzz_below(random, 0, 3))
			add_global(random, out);
		else
			append_text(out, CHOSEN(random, others));
	}
	append_text(out, "{\"type\":\"snapshot\"}\n");
}

static void on_line(void *context, const char *line, size_t length)
{
	struct stream *stream = context;

	if (stream_line(stream, line, length) == STREAM_SNAPSHOT && stream->newest)
		check_response(stream->newest);
}

static void feed_lines(GRand *random, const guint8 *bytes, gsize size)
{
	struct exporter_limits limits = choose_limits(random);
	struct line_buffer lines;
	struct stream stream;

	stream_begin(&stream, "s", &limits);
	lines_begin(&lines, fuzz_below(random, 100, 100000));
	while (size) {
		gsize most = fuzz_below(random, 1, 5000), piece = MIN(size, most);

		lines_feed(&lines, (const char *)bytes, piece, on_line, &stream);
		bytes += piece;
		size -= piece;
	}
	lines_end(&lines);
	stream_end(&stream);
}

const struct input_kind input_lines = {"lines", make_lines, feed_lines};

/* ---- texts of probes, and headers -------------------------------------------------------------------------------- */

static void make_text(GRand *random, GByteArray *out)
{
	static const char *const lines[] = {
		"a 1\n",
		"a{x=\"1\"} 2\n",
		"a{x=\"\\\"\\\\\\n\\033\\u00fc\\377\",y=\"\"} -2.5e3 1500\n",
		"# HELP a some \\n \\\\ help\n",
		"# TYPE c_total counter\nc_total 5\n",
		"# TYPE c counter\nc{x=\"y\"} 6\n",
		"# TYPE h histogram\nh_bucket{le=\"1\"} 1\nh_bucket{le=\"+Inf\"} 2\nh_count 2\nh_sum 3\n",
		"# TYPE s summary\ns{quantile=\"0.5\"} NaN\ns_sum 3\ns_count 2\n",
		"b_sum 5\n# TYPE b summary\n",
		"# a comment\n\n",
		"_ +Inf\n",
	};

	for (guint i = fuzz_below(random, 1, 20); i--;)
		append_text(out, CHOSEN(random, lines));
}

static void feed_text(GRand *random, const guint8 *bytes, gsize size)
{
	struct exporter_limits limits = choose_limits(random);
	struct metric_set *set = text_read((const char *)bytes, size, "s", &limits);

	check_response(set);
	metric_set_free(set);
}

const struct input_kind input_prometheus = {"prometheus", make_text, feed_text};

static void make_header(GRand *random, GByteArray *out)
{
	static const char *const pieces[] = {
		"application/openmetrics-text",
		"text/plain",
		"*/*",
		";version=1.0.0",
		";q=0.5",
		",",
		"; ",
		"=",
		"Basic ",
		"YW5uOnNlY3JldA==",
		"Bearer ",
		"x",
	};

	for (guint i = fuzz_below(random, 0, 12); i--;)
		append_text(out, CHOSEN(random, pieces));
}

/* No header may be accepted, since none has the secrets. */
static const struct authentication *secrets(void)
{
	static struct authentication *authentication;
	g_autofree char *users = g_build_filename(fuzz_directory(), "users", NULL);
	g_autofree char *tokens = g_build_filename(fuzz_directory(), "tokens", NULL);

	if (authentication)
		return authentication;
	fuzz_put(users, "user:of no header\n", 18);
	fuzz_put(tokens, "of no header\n", 13);
	if (chmod(users, 0600) || chmod(tokens, 0600) || authentication_read(users, tokens, &authentication))
		fuzz_wrong("the secrets cannot be read");
	return authentication;
}

static void feed_header(GRand *random, const guint8 *bytes, gsize size)
{
	g_autofree char *header = g_strndup((const char *)bytes, size);

	text_format_of(header);
	if (authentication_accepts(secrets(), header))
		fuzz_wrong("a secret was guessed");
}

const struct input_kind input_header = {"header", make_header, feed_header};
