// SPDX-License-Identifier: GPL-2.0-or-later
/* Options of scripts: names, kinds, values with units and limits, and how numbers and columns are shown. */
#include <glib.h>
#include <locale.h>
#include <stdlib.h>

#include "common/base/script_option.h"
#include "common/base/utf8.h"

static const struct script_option number = {SCRIPT_OPTION_NUMBER, .name = "n", .least = -10, .most = 100};
static const struct script_option unlimited = {SCRIPT_OPTION_NUMBER, .name = "u", .least = INT64_MIN,
					       .most = INT64_MAX};
static const struct script_option size = {SCRIPT_OPTION_SIZE, .name = "z", .least = 0, .most = 1LL << 40};
static const struct script_option seconds = {SCRIPT_OPTION_SECONDS, .name = "s", .least = 0, .most = 1000000};
static const struct script_option milliseconds = {SCRIPT_OPTION_MILLISECONDS, .name = "ms", .least = 1, .most = 90000};
static const struct script_option nanoseconds = {SCRIPT_OPTION_NANOSECONDS, .name = "ns", .least = INT64_MIN,
						 .most = INT64_MAX};
static const struct script_option text = {SCRIPT_OPTION_STRING, .name = "t", .standard_text = ""};
static const struct script_option choice = {SCRIPT_OPTION_CHOICE, .name = "c", .standard_text = "reads",
					    .choices = "reads|writes|all"};
static const struct script_option flag = {SCRIPT_OPTION_FLAG, .name = "f"};

static const struct {
	const struct script_option *option;
	const char *value;
	int64_t number;
	const char *error; /* NULL: the value is accepted */
} values[] = {
	{&number, "7", 7},
	{&number, "-10", -10},
	{&number, "0x10", 16},
	{&number, "101", 0, "option --n requires a number from -10 to 100, not '101'"},
	{&number, "-11", 0, "option --n requires a number from -10 to 100, not '-11'"},
	{&number, "7k", 0, "option --n requires a number from -10 to 100, not '7k'"},
	{&number, "", 0, "option --n requires a number from -10 to 100, not ''"},
	{&number, NULL, 0, "option --n requires a value"},
	{&unlimited, "9223372036854775807", INT64_MAX},
	{&unlimited, "9223372036854775808", 0, "option --u requires a number, not '9223372036854775808'"},
	{&size, "0", 0},
	{&size, "4096", 4096},
	{&size, "4k", 4096},
	{&size, "4K", 4096},
	{&size, "4KiB", 4096},
	{&size, "2MB", 2 << 20},
	{&size, "1T", 1LL << 40},
	{&size, "2T", 0, "option --z requires a size such as 64k from 0 to 1T, not '2T'"},
	{&size, "4kk", 0, "option --z requires a size such as 64k from 0 to 1T, not '4kk'"},
	{&size, "4ms", 0, "option --z requires a size such as 64k from 0 to 1T, not '4ms'"},
	{&size, "9000000000G", 0, "option --z requires a size such as 64k from 0 to 1T, not '9000000000G'"},
	{&seconds, "5", 5},
	{&seconds, "5s", 5},
	{&seconds, "2m", 120},
	{&seconds, "1h", 3600},
	{&seconds, "3000ms", 3},
	{&seconds, "10ms", 0, "option --s requires a time such as 10s or 2m from 0 to 1000000s, not '10ms'"},
	{&milliseconds, "10ms", 10},
	{&milliseconds, "10", 10},
	{&milliseconds, "2s", 2000},
	{&milliseconds, "0", 0, "option --ms requires a time such as 10ms or 2s from 1ms to 90s, not '0'"},
	{&milliseconds, "2m", 0, "option --ms requires a time such as 10ms or 2s from 1ms to 90s, not '2m'"},
	{&nanoseconds, "1d", 86400000000000},
	{&nanoseconds, "1000000d", 0, "option --ns requires a time such as 10ns or 2us, not '1000000d'"},
	{&text, "", 0},
	{&text, "any text", 0},
	{&text, "two\nlines", 0, "option --t requires a text of one line"},
	{&choice, "reads", 0},
	{&choice, "all", 0},
	{&choice, "read", 0, "option --c requires one of: reads writes all, not 'read'"},
	{&choice, "reads|writes", 0, "option --c requires one of: reads writes all, not 'reads|writes'"},
	{&choice, "", 0, "option --c requires one of: reads writes all, not ''"},
	{&flag, NULL, 1},
	{&flag, "yes", 1},
	{&flag, "no", 0},
	{&flag, "maybe", 0, "option --f requires yes or no, not 'maybe'"},
};

static void test_values(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
		int64_t result = -1;
		struct error *error = script_option_parse(values[i].option, values[i].value, &result);

		g_assert_cmpstr(error ? error->message : NULL, ==, values[i].error);
		if (!error)
			g_assert_cmpint(result, ==, values[i].number);
		error_free(error);
	}
}

static void test_texts(void)
{
	static const struct {
		enum script_option_kind kind;
		int64_t number;
		const char *text;
	} cases[] = {
		{SCRIPT_OPTION_NUMBER, 4096, "4096"},
		{SCRIPT_OPTION_SIZE, 4096, "4k"},
		{SCRIPT_OPTION_SIZE, 4097, "4097"},
		{SCRIPT_OPTION_SIZE, 3 << 20, "3M"},
		{SCRIPT_OPTION_SECONDS, 0, "0"},
		{SCRIPT_OPTION_SECONDS, 90, "90s"},
		{SCRIPT_OPTION_SECONDS, 7200, "2h"},
		{SCRIPT_OPTION_MILLISECONDS, 10, "10ms"},
		{SCRIPT_OPTION_MILLISECONDS, 60000, "1m"},
		{SCRIPT_OPTION_MICROSECONDS, 100000, "100ms"},
		{SCRIPT_OPTION_NANOSECONDS, 1, "1ns"},
		{SCRIPT_OPTION_NANOSECONDS, -2000, "-2us"},
		{SCRIPT_OPTION_NANOSECONDS, INT64_MAX, "9223372036854775807ns"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		char *shown = script_option_number_text(cases[i].kind, cases[i].number);

		g_assert_cmpstr(shown, ==, cases[i].text);
		free(shown);
	}
}

static void test_names(void)
{
	static const char *const good[] = {"a", "top", "max-age", "x2"};
	static const char *const bad[] = {"", "Top", "2x", "-a", "a-", "a_b", "help", "a=b", "a b"};

	for (size_t i = 0; i < G_N_ELEMENTS(good); i++)
		g_assert_true(script_option_name_is_valid(good[i]));
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
		g_assert_false(script_option_name_is_valid(bad[i]));
}

static void test_kinds(void)
{
	for (enum script_option_kind kind = 0; kind < SCRIPT_OPTION_KIND_COUNT_; kind++) {
		enum script_option_kind found = SCRIPT_OPTION_KIND_COUNT_;

		g_assert_true(script_option_find_kind(script_option_macro(kind), &found));
		g_assert_cmpint(found, ==, kind);
	}
}

static char *printed(const struct script_option *option)
{
	char *ret = NULL;
	size_t length;
	FILE *to = open_memstream(&ret, &length);

	script_option_print(to, option);
	fclose(to);
	return ret;
}

/* Texts of modules are not trusted: no byte may control the terminal. */
static void test_print(void)
{
	static const struct script_option hostile = {SCRIPT_OPTION_STRING, .name = "x", .help = "a\033[31m\xff",
						     .standard_text = "\t"};
	char *line = printed(&hostile);

	g_assert_cmpstr(line, ==, "  --x=TEXT              a\\033[31m\\377 (default: \\011)\n");
	free(line);
}

/* Texts are padded by the columns that they take, not by their bytes. */
static void test_padding(void)
{
	static const struct {
		const char *text, *left, *right;
	} cases[] = {
		{"", "      ", "      "},
		{"size", "size  ", "  size"},
		{"größe", "größe ", " größe"},
		{"大小", "大小  ", "  大小"},
		{"メモリー", "メモリー", "メモリー"},
		{"a\xff", "a\xff    ", "    a\xff"},
		{"e\xcc\x81", "e\xcc\x81     ", "     e\xcc\x81"},
	};

	g_assert_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		char *left = utf8_padded(cases[i].text, -6), *right = utf8_padded(cases[i].text, 6);

		g_assert_cmpstr(left, ==, cases[i].left);
		g_assert_cmpstr(right, ==, cases[i].right);
		free(left);
		free(right);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/options/values", test_values);
	g_test_add_func("/options/texts", test_texts);
	g_test_add_func("/options/names", test_names);
	g_test_add_func("/options/kinds", test_kinds);
	g_test_add_func("/options/print", test_print);
	g_test_add_func("/options/padding", test_padding);
	return g_test_run();
}
