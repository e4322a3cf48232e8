// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Input for stap-json: the records of a module's file "globals" (runtime/abi/snapshot.h). Whatever they are, the output
 * is lines of JSON.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "monitor/global_lines.h"
#include "runtime/abi/layout.h"
#include "runtime/abi/snapshot.h"
#include "testsuite/fuzz/damage.h"
#include "testsuite/fuzz/inputs.h"

static void add_number(GByteArray *out, gint64 number)
{
	fuzz_append(out, &number, sizeof(number));
}

static void add_string(GRand *random, GByteArray *out)
{
	static const char *const texts[] = {"",
					    "a \"b\" \n\\",
					    "\377\300",
					    "0xffffffff81000010 0x401000 0x",
					    " 0xffffffff81000010 : f+0x1/0x2 [kernel]\n a+0x [b\n",
					    "f at x:1 [y] (inexact)\n",
					    "f+0x1 [y.so.1]\n",
					    "] at :1"};
	static const guint8 zeros[8];
	const char *text = texts[fuzz_below(random, 0, G_N_ELEMENTS(texts))];
	gsize length = strlen(text);

	add_number(out, (gint64)length);
	fuzz_append(out, text, length);
	fuzz_append(out, zeros, (8 - length % 8) % 8);
}

static void add_record(GByteArray *out, enum stp_snapshot_type type, const void *bytes, gsize size)
{
	const struct stp_snapshot_record record = {.size = sizeof(record) + size, .type = type};

	fuzz_append(out, &record, sizeof(record));
	fuzz_append(out, bytes, size);
}

static void add_statistic(GRand *random, GByteArray *out, const struct stp_snapshot_global *head)
{
	guint buckets = fuzz_below(random, 0, 3);

	for (guint i = 0; i < 5; i++)
		add_number(out, g_rand_int(random));
	add_number(out, buckets);
	for (guint i = 0; i < buckets; i++) {
		add_number(out, (gint64)i * 3 % MAX(head->buckets, 1));
		add_number(out, 1);
	}
}

static void add_element(GRand *random, GByteArray *out, const struct stp_snapshot_global *head)
{
	GByteArray *body = g_byte_array_new();

	for (guint i = 0; i < head->key_count; i++) {
		if (head->key_strings >> i & 1)
			add_string(random, body);
		else
			add_number(body, -1);
	}
	if (head->kind == STP_GLOBAL_STATISTIC || head->kind == STP_GLOBAL_MAP_STATISTIC)
		add_statistic(random, body, head);
	else if (head->kind == STP_GLOBAL_STRING || head->kind == STP_GLOBAL_MAP_STRING)
		add_string(random, body);
	else
		add_number(body, 5);
	add_record(out, STP_SNAPSHOT_ELEMENT, body->data, body->len);
	g_byte_array_free(body, TRUE);
}

static void add_symbol(GRand *random, GByteArray *out)
{
	struct {
		struct stp_snapshot_symbol head;
		char text[24];
	} symbol = {.head = {.address = fuzz_below(random, 0, 2) ? 0xffffffff81000010 : 0x401000,
			     .is_return = fuzz_below(random, 0, 2),
			     .length = 15,
			     .id_size = fuzz_below(random, 0, 9)},
		    .text = "name+0x1/0x2 [m]"};

	add_record(out, STP_SNAPSHOT_SYMBOL, (char *)&symbol + sizeof(symbol.head.record),
		   sizeof(symbol) - sizeof(symbol.head.record));
}

static void add_object(GRand *random, GByteArray *out)
{
	struct {
		struct stp_snapshot_object head;
		char text[24];
	} object = {.head = {.is_first = fuzz_below(random, 0, 2), .length = 12, .id_size = fuzz_below(random, 0, 9)},
		    .text = "/lib/x/y.so.1abcdef"};

	add_record(out, STP_SNAPSHOT_OBJECT, (char *)&object + sizeof(object.head.record),
		   sizeof(object) - sizeof(object.head.record));
}

static void make_globals(GRand *random, GByteArray *out)
{
	for (guint i = fuzz_below(random, 1, 5); i--;) {
		struct {
			struct stp_snapshot_global head;
			char texts[16];
		} global = {.head = {.kind = fuzz_below(random, 0, STP_GLOBAL_KIND_COUNT_),
				     .statistic = fuzz_below(random, 0, 8),
				     .key_strings = g_rand_int(random),
				     .buckets = fuzz_below(random, 0, 130),
				     .low = -5,
				     .width = g_rand_int_range(random, -1, 9)},
			    .texts = "g\0ns\0\0x\0a,b\0"
				     "57"};

		global.head.key_count = global.head.kind >= STP_GLOBAL_MAP_LONG ? fuzz_below(random, 1, 4) : 0;
		add_record(out, STP_SNAPSHOT_GLOBAL, (char *)&global + sizeof(global.head.record),
			   sizeof(global) - sizeof(global.head.record));
		add_object(random, out);
		add_symbol(random, out);
		for (guint j = fuzz_below(random, 0, 6); j--;)
			add_element(random, out, &global.head);
		add_record(out, STP_SNAPSHOT_END, NULL, 0);
	}
}

/* Check that brackets outside of strings match, and that nothing follows the outermost ones. */
static void check_line(const char *line)
{
	int depth = 0;

	for (const char *at = line; *at; at++) {
		if (*at == '"')
			for (at++; *at != '"'; at += *at == '\\' ? 2 : 1)
				if ((guchar)*at < ' ')
					fuzz_wrong("a string does not end, or has a control character");
		depth += strchr("{[", *at) ? 1 : strchr("}]", *at) ? -1 : 0;
		if (depth < 0 || (depth == 0 && at[1]))
			fuzz_wrong("brackets do not match");
	}
	if (depth || *line != '{')
		fuzz_wrong("a line is no object");
}

static void feed_globals(GRand *random, const guint8 *bytes, gsize size)
{
	struct snapshot_lines lines = {.file = -1};
	char *text = NULL;
	size_t length;
	FILE *to = open_memstream(&text, &length);
	g_auto(GStrv) each = NULL;

	snapshot_lines_of(&lines, (const char *)bytes, size, to, false);
	fclose(to);
	if (!g_utf8_validate_len(text, length, NULL) || strlen(text) != length)
		fuzz_wrong("the lines are no UTF-8");
	each = g_strsplit(text, "\n", -1);
	for (guint i = 0; each[i] && *each[i]; i++)
		check_line(each[i]);
	snapshot_lines_clear(&lines);
	free(text);
}

const struct input_kind input_globals = {"globals", make_globals, feed_globals};
