// SPDX-License-Identifier: GPL-2.0-or-later
/* Frames of stacks as text, and the lines of globals from the records of a module. */
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "monitor/frame_text.h"
#include "monitor/global_lines.h"
#include "runtime/abi/layout.h"
#include "runtime/abi/snapshot.h"

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static char *span_text(const struct span *span)
{
	return span->text ? g_strndup(span->text, span->length) : g_strdup("-");
}

/* Return all members in one text. */
static char *describe(const struct frame_text *frame, bool has_kernel, bool has_user)
{
	g_autofree char *address = span_text(&frame->address), *name = span_text(&frame->name);
	g_autofree char *file = span_text(&frame->file), *object = span_text(&frame->object);

	return g_strdup_printf("%s %s +%" PRIu64 " %s:%" PRId64 " %s %s%s", address, name, frame->offset, file,
			       frame->line, object, frame_text_kind(frame, has_kernel, has_user),
			       frame->is_cut ? " cut" : "");
}

static void test_frames(void)
{
	static const struct {
		const char *line;
		bool has_kernel, has_user;
		const char *frame; /* NULL: the line is not a frame */
	} cases[] = {
		{" 0xffffffff81234567 : vfs_read+0x17/0x100 [kernel]", true, false,
		 "0xffffffff81234567 vfs_read +23 -:0 kernel kernel"},
		{" 0xffffffffc0123456 : ext4_f+0x1/0x2 [ext4]", true, true,
		 "0xffffffffc0123456 ext4_f +1 -:0 ext4 module"},
		{" 0xffffffff81234567", true, false, "0xffffffff81234567 - +0 -:0 - unknown"},
		{"vfs_read+0x17/0x100", true, false, "- vfs_read +23 -:0 - kernel"},
		{"ext4_f+0x1/0x2 [ext4]", true, true, "- ext4_f +1 -:0 ext4 module"},
		{"main+0x1f [a.out]", true, true, "- main +31 -:0 a.out program"},
		{"main+0x1f [a.out]", false, true, "- main +31 -:0 a.out program"},
		{" 0x7f1234 : read+0xd/0x90 at io/read.c:26 [/usr/lib/libc.so.6]", false, true,
		 "0x7f1234 read +13 io/read.c:26 /usr/lib/libc.so.6 library"},
		{" 0x401136 : main+0x0/0x20 [/tmp/a b [c]] (inexact)", false, true,
		 "0x401136 main +0 -:0 /tmp/a b [c] program"},
		{" 0x401136 : main+0x0/0x20 [/tmp/a] (inexact) (incomplete)", false, true,
		 "0x401136 main +0 -:0 /tmp/a program cut"},
		{" 0xffffffff81234567 (incomplete)", true, false, "0xffffffff81234567 - +0 -:0 - unknown cut"},
		{" 0x7f12 [/lib/libc.so.6+0x2724a]", false, true, "0x7f12 - +160330 -:0 /lib/libc.so.6 library"},
		{"[/bin/x+0x10]", false, true, NULL},
		{"0x7fff12 [[vdso]+0x10]", false, true, "0x7fff12 - +16 -:0 [vdso] library"},
		{" 0x7f00 : LazyCompile:~f at x /a.js:3 [y]+0x4/0x10 [/tmp/perf-12.map]", false, true,
		 "0x7f00 LazyCompile:~f at x /a.js:3 [y] +4 -:0 /tmp/perf-12.map jit"},
		{"operator()(int)+0x4 [x]", false, true, "- operator()(int) +4 -:0 x program"},
		{"", true, false, NULL},
		{"   ", true, false, NULL},
		{"]", true, false, "- ] +0 -:0 - kernel"},
		{"+0x", true, false, "- +0x +0 -:0 - kernel"},
		{"a+0x123456789abcdef01234", true, false, "- a+0x123456789abcdef01234 +0 -:0 - kernel"},
		{"0x", true, false, "- 0x +0 -:0 - kernel"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *line = g_strdup(cases[i].line), *got = NULL;
		struct frame_text frame;
		bool is_frame = frame_text_parse(line, strlen(line), &frame);

		if (is_frame)
			got = describe(&frame, cases[i].has_kernel, cases[i].has_user);
		g_assert_cmpstr(got, ==, cases[i].frame);
	}
}

/* ---- globals ----------------------------------------------------------------------------------------------------- */

static void append_number(GByteArray *out, int64_t number)
{
	g_byte_array_append(out, (const guint8 *)&number, sizeof(number));
}

static void append_string(GByteArray *out, const char *text)
{
	static const guint8 zeros[8];
	size_t length = strlen(text);

	append_number(out, (int64_t)length);
	g_byte_array_append(out, (const guint8 *)text, length);
	g_byte_array_append(out, zeros, (8 - length % 8) % 8);
}

static void append_record(GByteArray *out, enum stp_snapshot_type type, GByteArray *body)
{
	const struct stp_snapshot_record record = {.size = sizeof(record) + body->len, .type = type};

	g_byte_array_append(out, (const guint8 *)&record, sizeof(record));
	g_byte_array_append(out, body->data, body->len);
	g_byte_array_unref(body);
}

static void append_global(GByteArray *out, struct stp_snapshot_global head, const char *name, const char *stacks)
{
	GByteArray *body = g_byte_array_new();
	const char *texts[] = {name, "ns", "", "x.stp", "key", stacks};

	g_byte_array_append(body, (const guint8 *)&head + sizeof(head.record), sizeof(head) - sizeof(head.record));
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		g_byte_array_append(body, (const guint8 *)texts[i], strlen(texts[i]) + 1);
	while (body->len % 8)
		g_byte_array_append(body, (const guint8 *)"", 1);
	append_record(out, STP_SNAPSHOT_GLOBAL, body);
}

/* Programs are at twice their link-time address, and have a build-id of three bytes. */
static void append_symbol(GByteArray *out, uint64_t address, bool is_return, const char *text)
{
	struct stp_snapshot_symbol symbol = {
		.address = address,
		.link_address = address / 2,
		.is_return = is_return,
		.length = (__u16)strlen(text),
		.id_size = (int64_t)address < 0 ? 0 : 3,
	};
	GByteArray *body = g_byte_array_new();

	g_byte_array_append(body, (const guint8 *)&symbol + sizeof(symbol.record),
			    sizeof(symbol) - sizeof(symbol.record));
	g_byte_array_append(body, (const guint8 *)text, strlen(text));
	g_byte_array_append(body, (const guint8 *)"\x01\xab\xff", symbol.id_size);
	while (body->len % 8)
		g_byte_array_append(body, (const guint8 *)"", 1);
	append_record(out, STP_SNAPSHOT_SYMBOL, body);
}

static void append_object(GByteArray *out, bool is_first, const char *path, const char *build_id)
{
	struct stp_snapshot_object object = {
		.is_first = is_first, .length = (__u16)strlen(path), .id_size = (__u16)strlen(build_id)};
	GByteArray *body = g_byte_array_new();

	g_byte_array_append(body, (const guint8 *)&object + sizeof(object.record),
			    sizeof(object) - sizeof(object.record));
	g_byte_array_append(body, (const guint8 *)path, strlen(path));
	g_byte_array_append(body, (const guint8 *)build_id, strlen(build_id));
	while (body->len % 8)
		g_byte_array_append(body, (const guint8 *)"", 1);
	append_record(out, STP_SNAPSHOT_OBJECT, body);
}

/* Return the lines of the records, or NULL if they are damaged. Frees the records. */
static char *lines_of(GByteArray *records)
{
	struct snapshot_lines lines = {.file = -1};
	char *ret = NULL;
	size_t size;
	FILE *to = open_memstream(&ret, &size);
	bool is_sound = snapshot_lines_of(&lines, (const char *)records->data, records->len, to, false);

	fclose(to);
	snapshot_lines_clear(&lines);
	g_byte_array_unref(records);
	if (is_sound)
		return ret;
	free(ret);
	return NULL;
}

/* A key with a kernel stack before that of a program: the innermost frame of each is not a return address. */
static void test_stacks(void)
{
	GByteArray *records = g_byte_array_new(), *element = g_byte_array_new();
	char *lines;

	append_global(records,
		      (struct stp_snapshot_global){.kind = STP_GLOBAL_MAP_LONG, .key_count = 1, .key_strings = 1}, "a",
		      "7");
	append_symbol(records, 0xffffffff81000010, false, "probed+0x0/0x10");
	append_symbol(records, 0xffffffff81000010, true, "before+0x10/0x10");
	append_symbol(records, 0x401000, false, "leaf+0x1/0x2 [/bin/x]");
	append_symbol(records, 0x401000, true, "main+0x9/0x2 [/bin/x]");
	append_string(element, "0xffffffff81000010 0xffffffff81000010 0x401000 0x401000 0x5");
	append_number(element, 3);
	append_record(records, STP_SNAPSHOT_ELEMENT, element);
	append_record(records, STP_SNAPSHOT_END, g_byte_array_new());
	lines = lines_of(records);
	g_assert_nonnull(lines);
	g_assert_nonnull(strstr(lines, "\"elements\":[[[[{\"name\":\"probed\",\"offset\":0,\"kind\":\"kernel\","
				       "\"address\":\"0xffffffff81000010\"},{\"name\":\"before\",\"offset\":16,"));
	g_assert_nonnull(strstr(lines,
				"{\"name\":\"leaf\",\"offset\":1,\"kind\":\"program\",\"object\":\"/bin/x\","
				"\"address\":\"0x401000\",\"build_id\":\"01abff\",\"link_address\":\"0x200800\"},"
				"{\"name\":\"main\",\"offset\":9,"));
	g_assert_nonnull(strstr(lines, "{\"kind\":\"unknown\",\"address\":\"0x5\"}]],3]]"));
	free(lines);
}

/* A text has only the name of a file. It is known which file that is, unless several files have the name. */
static void test_objects(void)
{
	GByteArray *records = g_byte_array_new(), *element = g_byte_array_new();
	char *lines;

	append_object(records, true, "/old/one", "\1");
	append_object(records, true, "/bin/one", "\1");
	append_object(records, false, "/bin/two.so", "\2");
	append_object(records, false, "/copy/two.so", "\2");
	append_object(records, false, "/bin/three", "\3");
	append_object(records, false, "/other/three", "\4");
	append_object(records, false, "/bin/four", "");
	append_global(records,
		      (struct stp_snapshot_global){.kind = STP_GLOBAL_MAP_LONG, .key_count = 1, .key_strings = 1}, "a",
		      ":");
	append_string(element, "f+0x1 [one]\nf+0x1 [two.so]\nf+0x1 [three]\nf+0x1 [four]\nf+0x1 [five]\n");
	append_number(element, 3);
	append_record(records, STP_SNAPSHOT_ELEMENT, element);
	append_record(records, STP_SNAPSHOT_END, g_byte_array_new());
	lines = lines_of(records);
	g_assert_nonnull(strstr(lines, "\"object\":\"/bin/one\",\"build_id\":\"01\"}"));
	g_assert_nonnull(strstr(lines, "\"object\":\"two.so\",\"build_id\":\"02\"}"));
	g_assert_nonnull(strstr(lines, "\"object\":\"three\"}"));
	g_assert_nonnull(strstr(lines, "\"object\":\"/bin/four\"}"));
	g_assert_nonnull(strstr(lines, "\"object\":\"five\"}"));
	free(lines);
}

/* The text of the frame was truncated with the string of the script, so it is not parsed as a frame. */
static void test_truncated_stack(void)
{
	GByteArray *records = g_byte_array_new(), *element = g_byte_array_new();
	char *lines;

	append_global(records,
		      (struct stp_snapshot_global){.kind = STP_GLOBAL_MAP_LONG, .key_count = 1, .key_strings = 1}, "a",
		      "9");
	append_string(element, " 0xffffffff81000010 : vfs_read+0x1/0x2 [kernel]\n 0xffffffff81000020 : ksys_re");
	append_number(element, 3);
	append_record(records, STP_SNAPSHOT_ELEMENT, element);
	append_record(records, STP_SNAPSHOT_END, g_byte_array_new());
	lines = lines_of(records);
	g_assert_nonnull(strstr(lines, "vfs_read"));
	g_assert_null(strstr(lines, "ksys_re"));
	g_assert_nonnull(strstr(lines, "{\"name\":\"[incomplete]\",\"kind\":\"unknown\"}]"));
	free(lines);
}

/* A stack that has further frames gets one that says so; any other does not. */
static void test_cut_stacks(void)
{
	static const struct {
		const char *text;
		const char *end; /* of the frames */
	} cases[] = {
		{"0x401000 0x402000", "{\"kind\":\"unknown\",\"address\":\"0x402000\"}]"},
		{"0x401000 0x402000 ", "\"address\":\"0x402000\"},{\"name\":\"[incomplete]\",\"kind\":\"unknown\"}]"},
		{"0x401000 \n0x402000",
		 "{\"name\":\"[incomplete]\",\"kind\":\"unknown\"},{\"kind\":\"unknown\",\"address\":\"0x402000\"}]"},
		{"f+0x1 [one]\n", "\"object\":\"one\"}]"},
		{"f+0x1 [one] (incomplete)\n", "{\"name\":\"[incomplete]\",\"kind\":\"unknown\"}]"},
		{" ", "[]"},
		{"x", "[]"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		GByteArray *records = g_byte_array_new(), *element = g_byte_array_new();
		char *lines;

		append_global(
			records,
			(struct stp_snapshot_global){.kind = STP_GLOBAL_MAP_LONG, .key_count = 1, .key_strings = 1},
			"a", ":");
		append_string(element, cases[i].text);
		append_number(element, 3);
		append_record(records, STP_SNAPSHOT_ELEMENT, element);
		append_record(records, STP_SNAPSHOT_END, g_byte_array_new());
		lines = lines_of(records);
		g_assert_nonnull(strstr(lines, cases[i].end));
		free(lines);
	}
}

/* Every bucket of both histograms has the bounds of the values that the runtime counts in it. */
static unsigned int log_bucket(int64_t value)
{
	uint64_t distance = value < 0 ? -(uint64_t)value : (uint64_t)value;
	unsigned int bits = distance ? 64 - __builtin_clzll(distance) : 0;

	return value < 0 ? STP_LOG_ZERO - bits : STP_LOG_ZERO + bits;
}

static char *histogram_of(struct stp_snapshot_global head, unsigned int bucket)
{
	GByteArray *records = g_byte_array_new(), *element = g_byte_array_new();
	const int64_t values[] = {1, 1, 1, 1, 0, 1, bucket, 1};

	append_global(records, head, "a", "");
	for (size_t i = 0; i < G_N_ELEMENTS(values); i++)
		append_number(element, values[i]);
	append_record(records, STP_SNAPSHOT_ELEMENT, element);
	append_record(records, STP_SNAPSHOT_END, g_byte_array_new());
	return lines_of(records);
}

static void check_bucket(const struct stp_snapshot_global *head, unsigned int bucket, int64_t value)
{
	char *lines = histogram_of(*head, bucket);
	const char *text = strstr(lines, "\"buckets\":[[");
	int64_t lower = INT64_MIN, upper = 0;
	bool has_upper = true;

	g_assert_nonnull(text);
	text += strlen("\"buckets\":[[");
	if (!g_str_has_prefix(text, "null"))
		lower = g_ascii_strtoll(text, NULL, 10);
	text = strchr(text, ',') + 1;
	if (g_str_has_prefix(text, "null"))
		has_upper = false;
	else
		upper = g_ascii_strtoll(text, NULL, 10);
	g_assert_cmpint(lower, <=, value);
	g_assert_true(!has_upper || value < upper);
	free(lines);
}

static void test_buckets(void)
{
	const struct stp_snapshot_global log = {
		.kind = STP_GLOBAL_STATISTIC, .statistic = STP_STATISTIC_LOG, .buckets = STP_LOG_BUCKETS};
	const struct stp_snapshot_global linear = {
		.kind = STP_GLOBAL_STATISTIC, .statistic = STP_STATISTIC_LINEAR, .low = -10, .width = 5, .buckets = 7};

	for (unsigned int bits = 0; bits < 64; bits++) {
		uint64_t power = UINT64_C(1) << bits;
		const uint64_t values[] = {power, power - 1, -power, 1 - power};

		for (size_t i = 0; i < G_N_ELEMENTS(values); i++)
			check_bucket(&log, log_bucket((int64_t)values[i]), (int64_t)values[i]);
	}
	for (int64_t value = -40; value < 40; value++) {
		int64_t step = value < -10 ? 0 : 1 + (value + 10) / 5;

		check_bucket(&linear, (unsigned int)MIN(step, 6), value);
	}
}

static void test_damaged(void)
{
	GByteArray *records = g_byte_array_new(), *element = g_byte_array_new();

	append_record(records, STP_SNAPSHOT_END, g_byte_array_new());
	g_assert_null(lines_of(records));
	records = g_byte_array_new();
	append_global(records, (struct stp_snapshot_global){.kind = STP_GLOBAL_MAP_LONG, .key_count = 1}, "a", "");
	append_number(element, 1); /* the value is missing */
	append_record(records, STP_SNAPSHOT_ELEMENT, element);
	g_assert_null(lines_of(records));
	g_assert_null(histogram_of((struct stp_snapshot_global){.kind = STP_GLOBAL_STATISTIC,
								.statistic = STP_STATISTIC_LOG,
								.buckets = STP_LOG_BUCKETS},
				   STP_LOG_BUCKETS));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/globals/frames", test_frames);
	g_test_add_func("/globals/cut_stacks", test_cut_stacks);
	g_test_add_func("/globals/stacks", test_stacks);
	g_test_add_func("/globals/objects", test_objects);
	g_test_add_func("/globals/truncated-stack", test_truncated_stack);
	g_test_add_func("/globals/buckets", test_buckets);
	g_test_add_func("/globals/damaged", test_damaged);
	return g_test_run();
}
