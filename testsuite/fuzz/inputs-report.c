// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recordings for stap-report. Whatever is in the lines, the page has only its own elements, JSON is JSON, and text has
 * no control characters.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "report/formats.h"
#include "common/json_reader.h"
#include "testsuite/fuzz/damage.h"
#include "testsuite/fuzz/inputs.h"

#define CHOSEN(random, array) ((array)[fuzz_below(random, 0, G_N_ELEMENTS(array))])

/* ---- making ------------------------------------------------------------------------------------------------------ */

/* Strings of JSON. */
static const char *const strings[] = {
	"\"vfs_read\"", "\"</script><script>\"", "\"<!--\"",	    "\"\\u0000\\u001b[31m\"", "{\"base64\":\"//4=\"}",
	"\"\"",		"\"\\u202e;\\\"\"",	 "\"constructor\"",
};

static void append_number(GRand *random, GString *line)
{
	g_string_append_printf(line, "%lld",
			       fuzz_below(random, 0, 2) ? (long long)fuzz_number(random)
							: (long long)fuzz_below(random, 0, 1000));
}

static void append_stack(GRand *random, GString *line)
{
	static const char *const kinds[] = {"kernel", "module", "program", "library", "jit", "unknown", "other"};
	guint count = fuzz_below(random, 0, 6);

	g_string_append_c(line, '[');
	for (guint i = 0; i < count; i++)
		g_string_append_printf(line, "%s{\"name\":%s,\"kind\":\"%s\",\"inlined\":%s,\"line\":%u}", i ? "," : "",
				       CHOSEN(random, strings), CHOSEN(random, kinds),
				       fuzz_below(random, 0, 2) ? "true" : "false", fuzz_below(random, 0, 3));
	g_string_append_c(line, ']');
}

static void append_statistics(GRand *random, GString *line)
{
	g_string_append_printf(line, "{\"count\":%u,\"sum\":", fuzz_below(random, 0, 100));
	append_number(random, line);
	g_string_append(line, ",\"min\":");
	append_number(random, line);
	g_string_append(line, ",\"max\":");
	append_number(random, line);
	g_string_append(line, ",\"avg\":");
	append_number(random, line);
	g_string_append(line, ",\"histogram\":{\"kind\":\"log\",\"buckets\":[");
	for (guint i = 0, count = fuzz_below(random, 0, 8); i < count; i++)
		g_string_append_printf(line, "%s[%u,%u,%u]", i ? "," : "", 1 << i, 2 << i, fuzz_below(random, 0, 9));
	g_string_append(line, "]}}");
}

enum type { NUMBER, STRING, STATISTICS, STACK, TYPES };

static const char *const type_names[TYPES] = {
	[NUMBER] = "number", [STRING] = "string", [STATISTICS] = "statistics", [STACK] = "stack"};

static void append_value(GRand *random, GString *line, enum type type)
{
	switch (type) {
	case NUMBER:
		append_number(random, line);
		break;
	case STRING:
		g_string_append(line, CHOSEN(random, strings));
		break;
	case STATISTICS:
		append_statistics(random, line);
		break;
	default:
		append_stack(random, line);
	}
}

/* Append a global. Its name determines its types, so that snapshots of a name fit. */
static void append_global(GRand *random, GString *line, guint snapshot)
{
	static const enum type keys[][2] = {{NUMBER, NUMBER}, {STACK, STACK}, {STRING, STACK}, {NUMBER, STRING}};
	guint name = fuzz_below(random, 0, 12), count = name % 3;
	const enum type *kinds = keys[name % 4];
	enum type values = name % 5 < STACK ? name % 5 : NUMBER;

	if (fuzz_below(random, 0, 3) == 0)
		g_string_append_printf(line, "{\"remote\":%u,", fuzz_below(random, 0, 3));
	else
		g_string_append_c(line, '{');
	g_string_append_printf(line,
			       "\"type\":\"global\",\"time\":%u,\"snapshot\":%u,\"name\":\"g%u\",\"kind\":\"%s\","
			       "\"values\":\"%s\",\"keys\":[",
			       snapshot, snapshot, name, count ? "array" : "scalar", type_names[values]);
	for (guint i = 0; i < count; i++)
		g_string_append_printf(line, "%s\"%s\"", i ? "," : "", type_names[kinds[i]]);
	g_string_append(line, "],\"elements\":[");
	for (guint i = 0, elements = count ? fuzz_below(random, 0, 30) : 1; i < elements; i++) {
		g_string_append(line, i ? ",[[" : "[[");
		for (guint key = 0; key < count; key++) {
			g_string_append(line, key ? "," : "");
			append_value(random, line, kinds[key]);
		}
		g_string_append(line, "],");
		append_value(random, line, values);
		g_string_append_c(line, ']');
	}
	g_string_append(line, "]}\n");
}

static void make_recording(GRand *random, GByteArray *out)
{
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "{\"type\":\"script\",\"version\":1,\"time\":1,\"name\":%s,\"text\":%s}\n",
			       CHOSEN(random, strings), CHOSEN(random, strings));
	for (guint i = fuzz_below(random, 0, 3); i--;)
		g_string_append_printf(
			text, "{\"type\":\"start\",\"time\":1,\"host\":%s,\"remote\":{\"number\":%u,\"uri\":%s}}\n",
			CHOSEN(random, strings), i, CHOSEN(random, strings));
	for (guint i = fuzz_below(random, 1, 20); i--;) {
		if (fuzz_below(random, 0, 5))
			append_global(random, text, 20 - i);
		else
			g_string_append_printf(text, "{\"type\":\"output\",\"time\":2,\"text\":%s}\n",
					       CHOSEN(random, strings));
	}
	g_string_append_printf(text, "{\"type\":\"message\",\"level\":\"error\",\"text\":%s}\n",
			       CHOSEN(random, strings));
	g_string_append(text, "{\"type\":\"end\",\"time\":21,\"status\":0,\"hits\":5}\n");
	fuzz_append(out, text->str, text->len);
	g_string_free(text, TRUE);
}

/* ---- feeding ----------------------------------------------------------------------------------------------------- */

static void check_json(const char *text, size_t length)
{
	struct json_reader reader;

	json_reader_init(&reader, text, length);
	json_skip(&reader);
	json_finish(&reader);
	if (reader.mistake)
		fuzz_wrong(reader.mistake);
	json_reader_clear(&reader);
}

/* Text written by a format. */
struct written {
	char *text;
	size_t length;
};

static struct written written(const struct report *report,
			      struct error *(*write)(const struct report *report, FILE *out))
{
	struct written ret = {NULL};
	FILE *out = open_memstream(&ret.text, &ret.length);

	error_free(write(report, out));
	fclose(out);
	return ret;
}

static guint count_of(const char *text, const char *wanted)
{
	guint count = 0;

	for (const char *at = text; (at = strcasestr(at, wanted)); at++)
		count++;
	return count;
}

static void check_page(const struct report *report)
{
	static const char mark[] = "id=\"data\">";
	struct written page = written(report, write_page);
	const char *data = strstr(page.text, mark);

	if (strlen(page.text) != page.length)
		fuzz_wrong("the page has a NUL");
	if (count_of(page.text, "</script") != 2 || count_of(page.text, "<script") != 2)
		fuzz_wrong("data of the page became elements");
	if (!data)
		fuzz_wrong("the page has no data");
	data += strlen(mark);
	check_json(data, strstr(data, "</script") - data);
	free(page.text);
}

static void check_text(struct report *report)
{
	struct written text = written(report, write_text);

	for (gsize i = 0; i < text.length; i++)
		if ((guchar)text.text[i] < 0x20 && text.text[i] != '\n' && text.text[i] != '\t')
			fuzz_wrong("text with a control character");
	free(text.text);
	report->uses_color = true;
	text = written(report, write_text);
	if (!g_utf8_validate_len(text.text, text.length, NULL))
		fuzz_wrong("text is not UTF-8");
	free(text.text);
}

static void check_speedscope(const struct report *report)
{
	struct written text = written(report, write_speedscope);

	check_json(text.text, text.length);
	free(text.text);
}

static void check_lines(const struct report *report)
{
	struct written text = written(report, write_json);
	const char *end, *last = text.text + text.length;

	for (const char *line = text.text; line < last; line = end + 1) {
		end = memchr(line, '\n', (size_t)(last - line));
		if (!end)
			fuzz_wrong("the last line is cut off");
		check_json(line, (size_t)(end - line));
	}
	free(text.text);
}

/* Write the formats of arrays with stacks, each alone. */
static void check_stacks(const struct report *report)
{
	for (guint i = 0; i < report->subjects->len; i++) {
		const struct subject *subject = g_ptr_array_index(report->subjects, i);
		struct report single = *report;

		single.subjects = g_ptr_array_new();
		g_ptr_array_add(single.subjects, (gpointer)subject);
		if (global_has_key(subject->global, VALUE_STACK) && subject->global->values != VALUE_STRING) {
			free(written(&single, write_folded).text);
			free(written(&single, write_pprof).text);
			check_speedscope(&single);
		}
		g_ptr_array_free(single.subjects, TRUE);
	}
}

static void check_formats(struct recording *const *recordings, guint count)
{
	struct report report = {.recordings = {recordings[0], recordings[count - 1]}, .count = count};

	report.hosts = shared_hosts_new(report.recordings, count);
	report.subjects = subjects_new(report.hosts, count);
	check_page(&report);
	check_text(&report);
	if (count == 1) {
		check_lines(&report);
		check_stacks(&report);
	}
	subjects_free(report.subjects);
	shared_hosts_free(report.hosts);
}

/* Read the lines, and their first half as another recording, which is compared with the whole. */
static void feed_recording(GRand *random, const guint8 *bytes, gsize size)
{
	struct pool *pool = pool_new();
	struct recording *recordings[MOST_RECORDINGS];
	const guint8 *half = size ? memrchr(bytes, '\n', size / 2 + 1) : NULL;
	struct error *error = recording_read(pool, "fuzz", fuzz_file(bytes, size), NULL, &recordings[0]);

	if (!error)
		check_formats(recordings, 1);
	if (!error && half) {
		error = recording_read(pool, "half", fuzz_file(bytes, half - bytes), NULL, &recordings[1]);
		if (!error)
			check_formats(recordings, 2);
	}
	error_free(error);
	pool_free(pool);
}

const struct input_kind input_recording = {"recording", make_recording, feed_recording};
