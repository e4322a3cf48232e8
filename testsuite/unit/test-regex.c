// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Regular expressions without a guest: the compiler and the kernel's matcher (runtime/abi/regex_match.h) in one
 * program, tested with examples, and with random patterns against the C library's regexec().
 */
#include <glib.h>
#include <regex.h>
#include <string.h>

#include "runtime/abi/regex_match.h"
#include "testsuite/unit/part.h"
#include "translator/sema/regex.h"

enum { MOST_TEXT = 300 };

struct matcher {
	struct arena *arena;
	const struct stp_regex *regex;
	int groups[2 * REGEX_MOST_GROUPS];
	const char *message; /* if the pattern is wrong */
	size_t at;
};

static bool matcher_init(struct matcher *m, const char *pattern)
{
	struct regex_program *program;

	*m = (struct matcher){.arena = arena_new(), .at = 99};
	program = regex_parse(m->arena, pattern, strlen(pattern), &m->message, &m->at);
	m->regex = program ? regex_tables(m->arena, program, true) : NULL;
	return m->regex;
}

static bool matches(struct matcher *m, const char *text)
{
	unsigned short states[MOST_TEXT + 1];
	int seen[2 * REGEX_MOST_NODES];
	struct stp_regex_work work = {.states = states, .seen = seen};
	int found = stp_regex_groups(m->regex, text, strlen(text), m->groups, &work);

	g_assert_cmpint(found, ==, stp_regex_search(m->regex, text));
	return found;
}

/* Return "whole|first group|…", "-" for no match, "?" for a group that did not take part. */
static char *result(struct matcher *m, const char *text)
{
	GString *out = g_string_new(NULL);

	if (!matches(m, text)) {
		g_string_append_c(out, '-');
		return g_string_free(out, FALSE);
	}
	for (unsigned int i = 0; i < m->regex->group_count; i++) {
		int from = m->groups[2 * i];

		g_string_append(out, i ? "|" : "");
		if (from < 0)
			g_string_append_c(out, '?');
		else
			g_string_append_len(out, text + from, m->groups[2 * i + 1] - from);
	}
	return g_string_free(out, FALSE);
}

static void test_examples(void)
{
	static const struct {
		const char *pattern, *text, *expected;
	} examples[] = {
		{"str(ing)", "an example string", "string|ing"},
		{"", "abc", ""},
		{"", "", ""},
		{"a*", "baaa", ""},
		{"a+", "baaa", "aaa"},
		{"a|ab|abc", "xabcd", "abc"},
		{"(a|ab)(c|bcd)", "abcd", "abcd|a|bcd"},
		{"^abc$", "abc", "abc"},
		{"^abc$", "xabc", "-"},
		{"^abc$", "abcx", "-"},
		{"^$", "", ""},
		{"^$", "x", "-"},
		{"$^", "", ""},
		{"(^a|b)+", "aab", "a|a"},
		{"a$|b", "ab", "b"},
		{"x*$", "axx", "xx"},
		{"(^)(a)", "ba", "-"},
		{"[[:digit:]]+", "no. 4711!", "4711"},
		{"[[.hyphen.][=a=]]+", "b-a-b", "-a-"},
		{"[[.0.]-[.nine.]x]+", "a17x", "17x"},
		{"[[.].]]+", "a]]b", "]]"},
		{"[^[.space.]]+", " ab ", "ab"},
		{"[^[:space:]]+", "  word  ", "word"},
		{"[]a-]+", "x-]a]x", "-]a]"},
		{"[^]a]", "]ab", "b"},
		{"[a-cx-z]{2,3}", "abxyzm", "abx"},
		{"a{3}", "aa", "-"},
		{"a{2,}", "baaaa", "aaaa"},
		{"a{0}b", "ab", "b"},
		{"(ab){2}", "xababab", "abab|ab"},
		{"(a)|(b)", "b", "b|?|b"},
		{"(a*)*", "aab", "aa|aa"},
		{"(a*)+", "b", "|"},
		{"(a|b*)*c", "abbac", "abbac|a"},
		{"((a)|b)*", "ab", "ab|b|a"},
		{"x?(y?)z", "xz", "xz|"},
		{"\\.\\*\\[\\\\", "a.*[\\", ".*[\\"},
		{".+", "\377\001", "\377\001"},
		{"[\200-\377]", "a\300", "\300"},
		{"()", "a", "|"},
		{"a||b", "b", "b"},
		{"(sshd|bash)\\[([0-9]+)\\]: (.*)", "x sshd[42]: hello", "sshd[42]: hello|sshd|42|hello"},
		{"]}", "]}", "]}"},
		{"(a(b(c)?)?)?d", "abd", "abd|ab|b|?"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(examples); i++) {
		struct matcher m;
		g_autofree char *got = NULL;

		g_test_message("%s on %s", examples[i].pattern, examples[i].text);
		g_assert_true(matcher_init(&m, examples[i].pattern));
		got = result(&m, examples[i].text);
		g_assert_cmpstr(got, ==, examples[i].expected);
		arena_free(m.arena);
	}
}

static void test_mistakes(void)
{
	static const struct {
		const char *pattern;
		size_t at;
	} mistakes[] = {
		{"(a", 0},
		{"ab)", 2},
		{"a[b", 1},
		{"*a", 0},
		{"a|*", 2},
		{"(+)", 1},
		{"a{2", 1},
		{"a{,2}", 1},
		{"a{3,2}", 1},
		{"a{256}", 2},
		{"[b-a]", 1},
		{"[[:nope:]]", 1},
		{"[[.nope.]]", 1},
		{"[[=a]", 1},
		{"[a-[=z=]]", 3},
		{"a\\", 1},
		{"(a)\\1", 3},
		{"\\d", 0},
		{"[]", 0},
		{"[a", 0},
		{"[a-[:b:]]", 3},
		{"{", 0},
		{"a{999999999999}", 2},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(mistakes); i++) {
		struct matcher m;

		g_test_message("%s", mistakes[i].pattern);
		g_assert_false(matcher_init(&m, mistakes[i].pattern));
		g_assert_nonnull(m.message);
		g_assert_cmpuint(m.at, ==, mistakes[i].at);
		arena_free(m.arena);
	}
}

/* Patterns that would take forever, or all memory, are refused at once. */
static void test_too_large(void)
{
	static const char *const patterns[] = {
		"((((a{100}){100}){100}){100}){100}",
		"(a|b)*a(a|b){30}",
		"(a?){200}a{200}b?(x|y)*x(x|y){20}",
		"(((((((((((((((((((((((((((((((((a)))))))))))))))))))))))))))))))))",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++) {
		gint64 start = g_get_monotonic_time();
		struct matcher m;

		g_assert_false(matcher_init(&m, patterns[i]));
		g_assert_cmpint(g_get_monotonic_time() - start, <, 20 * G_USEC_PER_SEC);
		arena_free(m.arena);
	}
}

/* Empty loops and ambiguity, which make backtracking matchers exponential. */
static void test_linear(void)
{
	static const char *const patterns[] = {"(a*)*b", "(a|a)*b", "(a|aa)+$", "((a*)*)*c", "(a?){50}a{50}"};
	char text[MOST_TEXT + 1];

	memset(text, 'a', MOST_TEXT);
	text[MOST_TEXT] = '\0';
	for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++) {
		gint64 start = g_get_monotonic_time();
		struct matcher m;

		g_assert_true(matcher_init(&m, patterns[i]));
		for (int round = 0; round < 100; round++)
			matches(&m, text);
		g_assert_cmpint(g_get_monotonic_time() - start, <, 5 * G_USEC_PER_SEC);
		arena_free(m.arena);
	}
}

/* ---- against regexec() ------------------------------------------------------------------------------------------- */

static void random_pattern(GString *out, int depth)
{
	static const char *const atoms[] = {"a", "b", "c", ".", "[ab]", "[^a]", "x"};
	static const char *const repeats[] = {"*", "+", "?", "{2}", "{1,3}", "{0,1}", "{2,}"};
	int parts = g_test_rand_int_range(1, 4);

	for (int i = 0; i < parts; i++) {
		if (depth < 3 && g_test_rand_int_range(0, 4) == 0) {
			g_string_append_c(out, '(');
			random_pattern(out, depth + 1);
			if (g_test_rand_bit()) {
				g_string_append_c(out, '|');
				random_pattern(out, depth + 1);
			}
			g_string_append_c(out, ')');
		} else {
			g_string_append(out, atoms[g_test_rand_int_range(0, G_N_ELEMENTS(atoms))]);
		}
		if (g_test_rand_int_range(0, 3) == 0)
			g_string_append(out, repeats[g_test_rand_int_range(0, G_N_ELEMENTS(repeats))]);
	}
}

static void random_text(char *text)
{
	int length = g_test_rand_int_range(0, 12);

	for (int i = 0; i < length; i++)
		text[i] = "abcx"[g_test_rand_int_range(0, 4)];
	text[length] = '\0';
}

/* Compare whether and where there is a match; groups of ambiguous patterns may differ. */
static void compare_text(struct matcher *m, const regex_t *library, const char *pattern)
{
	regmatch_t expected = {.rm_so = -1, .rm_eo = -1};
	bool found, same;
	char text[16];

	random_text(text);
	found = !regexec(library, text, 1, &expected, 0);
	same = matches(m, text) == found;
	if (same && found)
		same = m->groups[0] == expected.rm_so && m->groups[1] == expected.rm_eo;
	if (!same)
		g_test_message("%s on '%s'", pattern, text);
	g_assert_true(same);
}

static void compare_one(const char *pattern)
{
	struct matcher m;
	regex_t library;

	if (regcomp(&library, pattern, REG_EXTENDED))
		return;
	if (!matcher_init(&m, pattern))
		g_assert_null(m.message); /* only too large patterns fail */
	for (int i = 0; m.regex && i < 20; i++)
		compare_text(&m, &library, pattern);
	regfree(&library);
	arena_free(m.arena);
}

static void test_against_library(void)
{
	for (size_t i = 0; i < 3000; i += part_step(5)) {
		g_autoptr(GString) pattern = g_string_new(NULL);

		/* Use anchors at the ends only, because the C library is wrong about "(^a){2}". */
		g_string_append(pattern, g_test_rand_int_range(0, 4) ? "" : "^");
		random_pattern(pattern, 0);
		g_string_append(pattern, g_test_rand_int_range(0, 4) ? "" : "$");
		compare_one(pattern->str);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/regex/examples", test_examples);
	g_test_add_func("/regex/mistakes", test_mistakes);
	g_test_add_func("/regex/too-large", test_too_large);
	g_test_add_func("/regex/linear", test_linear);
	g_test_add_func("/regex/against-the-library", test_against_library);
	return g_test_run();
}
