// SPDX-License-Identifier: GPL-2.0-or-later
/* JSON text: every byte, text that is not UTF-8, nesting; and the schema against its manual page. */
#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/json_schema.h"
#include "common/base/utf8.h"

/* ---- strings ----------------------------------------------------------------------------------------------------- */

static char *string_text(const char *text, size_t length, enum json_invalid invalid)
{
	char *ret = NULL;
	size_t size;
	FILE *to = open_memstream(&ret, &size);

	json_put_string(to, text, length, invalid);
	fclose(to);
	return ret;
}

static void test_strings(void)
{
	static const struct {
		const char *text;
		size_t length;
		const char *replaced, *base64; /* NULL: the same */
	} cases[] = {
		{"", 0, "\"\""},
		{"a\"b\\c/", 6, "\"a\\\"b\\\\c/\""},
		{"a\nb\tc\r", 6, "\"a\\nb\\u0009c\\u000d\""},
		{"a\0b", 3, "\"a\\u0000b\""},
		{"\033[31m", 5, "\"\\u001b[31m\""},
		{"\x7f", 1, "\"\\u007f\""},
		{"\xc2\x9b"
		 "31m",
		 5, "\"\\u009b31m\""},
		{"\xe2\x80\xa8\xe2\x80\xa9", 6, "\"\\u2028\\u2029\""},
		{"gr\xc3\xbc\xc3\x9f \xf0\x9f\x90\x9f", 11, "\"gr\xc3\xbc\xc3\x9f \xf0\x9f\x90\x9f\""},
		{"\xff", 1, "\"\\ufffd\"", "{\"base64\":\"/w==\"}"},
		{"a\xff", 2, "\"a\\ufffd\"", "{\"base64\":\"Yf8=\"}"},
		{"ab\xc3", 3, "\"ab\\ufffd\"", "{\"base64\":\"YWLD\"}"},
		{"\xed\xa0\x80\"", 4, "\"\\ufffd\\ufffd\\ufffd\\\"\"", "{\"base64\":\"7aCAIg==\"}"},
		{"\xc0\x80", 2, "\"\\ufffd\\ufffd\"", "{\"base64\":\"wIA=\"}"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		char *replaced = string_text(cases[i].text, cases[i].length, JSON_REPLACED);
		char *base64 = string_text(cases[i].text, cases[i].length, JSON_BASE64);

		g_assert_cmpstr(replaced, ==, cases[i].replaced);
		g_assert_cmpstr(base64, ==, cases[i].base64 ?: cases[i].replaced);
		free(replaced);
		free(base64);
	}
}

/* Whatever the bytes are, the string is UTF-8, has no control character, and ends where it should. */
static void assert_harmless(const char *json)
{
	const char *rest = json;
	size_t left = strlen(json);

	while (left) {
		unsigned int code;
		size_t size = utf8_character(rest, left, &code);

		g_assert_cmpuint(size, >, 0);
		g_assert_true(code >= 0x20 && (code < 0x7f || code >= 0xa0));
		rest += size;
		left -= size;
	}
	g_assert_true(json[0] == '"' || g_str_has_prefix(json, "{\"base64\":\""));
	/* A quote inside has an odd number of backslashes before it. */
	for (size_t i = 1; json[0] == '"' && json[i + 1]; i++) {
		g_assert_true(json[i] != '"');
		i += json[i] == '\\';
	}
}

static void test_all_bytes(void)
{
	for (int first = 0; first < 256; first++)
		for (int second = 0; second < 256; second++) {
			const char text[] = {first, second};

			for (int invalid = JSON_REPLACED; invalid <= JSON_SHOWN; invalid++) {
				char *json = string_text(text, sizeof(text), invalid);

				assert_harmless(json);
				free(json);
			}
		}
}

static void test_base64(void)
{
	unsigned char bytes[256];

	for (size_t length = 1; length < sizeof(bytes); length++) {
		g_autofree char *encoded = NULL, *expected = NULL;
		char *json;

		for (size_t i = 0; i < length; i++)
			bytes[i] = i == 0 ? 0xff : g_test_rand_int_range(0, 256);
		encoded = g_base64_encode(bytes, length);
		expected = g_strdup_printf("{\"base64\":\"%s\"}", encoded);
		json = string_text((const char *)bytes, length, JSON_BASE64);
		g_assert_cmpstr(json, ==, expected);
		free(json);
	}
}

static void test_repaired(void)
{
	static const char value[] = "{\"a\":\"\xff\\n\"}";
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	struct json_writer w = {.to = to};

	json_array_begin(&w);
	json_repaired(&w, value);
	json_repaired(&w, "1");
	json_array_end(&w);
	fclose(to);
	g_assert_cmpstr(text, ==, "[{\"a\":\"\\ufffd\\n\"},1]");
	free(text);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void test_writer(void)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	struct json_writer w;

	json_line_begin(&w, to, "x");
	json_name(&w, "empty");
	json_array_begin(&w);
	json_array_end(&w);
	json_name(&w, "values");
	json_array_begin(&w);
	json_number(&w, INT64_MIN);
	json_number(&w, INT64_MAX);
	json_bool(&w, true);
	json_bool(&w, false);
	json_null(&w);
	json_text(&w, NULL);
	json_text(&w, "t");
	json_string(&w, "\0\xff", 2);
	json_address(&w, UINT64_MAX);
	json_object_begin(&w);
	json_object_end(&w);
	json_array_begin(&w);
	json_array_begin(&w);
	json_array_end(&w);
	json_number(&w, 1);
	json_array_end(&w);
	json_array_end(&w);
	json_name(&w, "after\"");
	json_number(&w, 0);
	json_line_end(&w);
	fclose(to);
	g_assert_cmpstr(text, ==,
			"{\"type\":\"x\",\"empty\":[],\"values\":[-9223372036854775808,9223372036854775807,true,false,"
			"null,null,\"t\",{\"base64\":\"AP8=\"},\"0xffffffffffffffff\",{},[[],1]],\"after\\\"\":0}\n");
	free(text);
}

/* Write one text, and containers, in a style. */
static char *in_style(enum json_style style)
{
	static const char bytes[] = "</script>&\xff";
	char *text = NULL;
	size_t size;
	struct json_writer w = {.to = open_memstream(&text, &size), .style = style};

	json_object_begin(&w);
	json_name(&w, "<");
	json_shown(&w, bytes, strlen(bytes));
	json_name(&w, "b");
	json_array_begin(&w);
	json_array_begin(&w);
	json_array_end(&w);
	json_string(&w, bytes + strlen(bytes) - 1, 1);
	json_array_end(&w);
	json_object_end(&w);
	fclose(w.to);
	return text;
}

static void test_styles(void)
{
	static const char *const expected[] = {
		[JSON_COMPACT] = "{\"<\":\"</script>&\\\\xff\",\"b\":[[],{\"base64\":\"/w==\"}]}",
		[JSON_EMBEDDED] =
			"{\"\\u003c\":\"\\u003c/script\\u003e\\u0026\\\\xff\",\"b\":[[],{\"base64\":\"/w==\"}]}",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(expected); i++) {
		char *text = in_style(i);

		g_assert_cmpstr(text, ==, expected[i]);
		free(text);
	}
}

static void test_reals(void)
{
	static const double numbers[] = {0,	 0.5,	  0.9,	  -1795000001.123456, 1e300,
					 5e-324, 1.0 / 3, 0x1p53, INFINITY,	      NAN};
	static const char expected[] = "[0,0.5,0.9,-1795000001.123456,1e+300,4.94065645841247e-324,"
				       "0.3333333333333333,9007199254740992,null,null]";
	char *text = NULL;
	size_t size;
	struct json_writer w = {.to = open_memstream(&text, &size)};

	json_array_begin(&w);
	for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
		json_real(&w, numbers[i]);
	json_array_end(&w);
	fclose(w.to);
	g_assert_cmpstr(text, ==, expected);
	free(text);
}

/* ---- the schema -------------------------------------------------------------------------------------------------- */

static const char *section_name(const char *owner)
{
	return *owner == '-' ? owner + 1 : owner;
}

/* Is the section of a line ("message") or, under another heading, of an object ("-message") wanted? */
static char *heading_of(const char *owner)
{
	return g_strdup_printf("%s %s", *owner == '-' ? "object" : "line", section_name(owner));
}

/* Return the set of "line message: time (number)" that the manual page describes. */
static GHashTable *described(void)
{
	g_autofree char *path = g_strdup_printf("%s/man/stap-json.5", g_getenv("SPILE_SRCDIR") ?: "."), *page = NULL;
	GHashTable *ret = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autofree char *heading = g_strdup("");
	g_auto(GStrv) lines = NULL;

	g_assert_true(g_file_get_contents(path, &page, NULL, NULL));
	lines = g_strsplit(page, "\n", -1);
	for (char **line = lines; *line; line++) {
		g_auto(GStrv) words = g_strsplit(*line, "\"", -1);

		if (g_str_has_prefix(*line, ".SS ")) {
			g_free(heading);
			heading = g_strdup(g_str_has_prefix(*line, ".SS \"") ? words[1] : *line + strlen(".SS "));
		} else if (g_str_has_prefix(*line, ".BR ") && words[1] && g_str_has_prefix(words[1], " (")) {
			g_autofree char *member = g_strstrip(g_strdup(words[0] + strlen(".BR ")));

			g_hash_table_add(ret, g_strdup_printf("%s: %s%s", heading, member, words[1]));
		}
	}
	return ret;
}

/* The rows and the page agree, so whatever the code writes is described, and the page invents nothing. */
static void test_schema(void)
{
	g_autoptr(GHashTable) page = described();
	GHashTableIter iter;
	gpointer extra;

	for (int i = 0; i < JSON_FIELD_COUNT_; i++) {
		const struct json_field_row *row = &json_fields[i];
		g_autofree char *heading = heading_of(row->owner);
		g_autofree char *wanted = g_strdup_printf("%s: %s (%s)", heading, row->member, row->type);

		if (!g_hash_table_remove(page, wanted))
			g_test_message("not in stap-json(5): %s", wanted), g_test_fail();
	}
	g_hash_table_iter_init(&iter, page);
	while (g_hash_table_iter_next(&iter, &extra, NULL))
		g_test_message("only in stap-json(5): %s", (char *)extra), g_test_fail();
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/json/strings", test_strings);
	g_test_add_func("/json/all-bytes", test_all_bytes);
	g_test_add_func("/json/base64", test_base64);
	g_test_add_func("/json/repaired", test_repaired);
	g_test_add_func("/json/writer", test_writer);
	g_test_add_func("/json/styles", test_styles);
	g_test_add_func("/json/reals", test_reals);
	g_test_add_func("/json/schema", test_schema);
	return g_test_run();
}
