// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is at the addresses of a program: inlined functions, files and lines. Each test compiles the sources below in
 * another way, and compares the answers for all addresses of the code with those of addr2line(1).
 */
#include <glib.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/cleanup.h"
#include "testsuite/unit/commands.h"
#include "testsuite/unit/errors.h"
#include "translator/debuginfo/debuginfo.h"

static const char header_source[] = "static inline __attribute__((always_inline)) int twice(int x)\n"
				    "{\n"
				    "	volatile int y = x;\n"
				    "	return y + x;\n"
				    "}\n"
				    "static inline __attribute__((always_inline)) int four(int x)\n"
				    "{\n"
				    "	int sum = twice(x);\n"
				    "	if (sum & 1) { int more = twice(sum); sum += more; }\n"
				    "	return sum + twice(x);\n"
				    "}\n";

static const char main_source[] = "#include <stdlib.h>\n"
				  "#include \"inner.h\"\n"
				  "int number;\n"
				  "static __attribute__((noinline)) int other(int x)\n"
				  "{\n"
				  "	if (__builtin_expect(x < 0, 0)) { number += four(x); abort(); }\n"
				  "	return four(x) + number;\n"
				  "}\n"
				  "static int helper(int *p, int n)\n"
				  "{\n"
				  "	int sum = 0;\n"
				  "	for (int i = 0; i < n; i++)\n"
				  "		sum += twice(p[i]) * other(i);\n"
				  "	return sum;\n"
				  "}\n"
				  "extern int second(int);\n"
				  "__attribute__((noinline)) int leave(int x) { number = x; abort(); }\n"
				  "__attribute__((section(\".text.elsewhere\"))) int far(int x) { return four(x); }\n"
				  "int main(int argc, char **argv)\n"
				  "{\n"
				  "	int numbers[] = {argc, 2, argc};\n"
				  "#if defined(__GNUC__) && !defined(__clang__)\n"
				  "	auto __attribute__((noinline)) int nested(int x);\n"
				  "	int nested(int x) { return twice(x) + argc; }\n"
				  "	number = nested(argc);\n"
				  "#endif\n"
				  "	return helper(numbers, 3) + helper(numbers, argc) + second(argc) + far(1);\n"
				  "}\n";

static const char second_source[] = "#include \"inner.h\"\n"
				    "extern int leave(int);\n"
				    "int second(int x) { return x ? four(x) : leave(x); }\n";

static const char cxx_source[] = "#include <vector>\n"
				 "#include \"inner.h\"\n"
				 "namespace geometry {\n"
				 "class Shape {\n"
				 "public:\n"
				 "	int area(int x) { return four(x) + size; }\n"
				 "	int size = 2;\n"
				 "};\n"
				 "}\n"
				 "template <typename F> static int apply(F f) { return f(3); }\n"
				 "int main(int argc, char **argv)\n"
				 "{\n"
				 "	geometry::Shape shape;\n"
				 "	std::vector<int> v;\n"
				 "	for (int i = 0; i < argc; i++) v.push_back(shape.area(i));\n"
				 "	return apply([&](int x) { return twice(x) + v[0]; });\n"
				 "}\n";

struct fixture {
	char *directory;
	struct target_kernel kernel;
	struct debuginfo_search search;
	struct debuginfo *info;
};

static void set_up(struct fixture *fixture, gconstpointer data)
{
	fixture->directory = g_dir_make_tmp("spile-places-XXXXXX", NULL);
	g_assert_nonnull(fixture->directory);
	fixture->kernel = (struct target_kernel){.release = "1.2.3-test"};
	fixture->search = (struct debuginfo_search){.root = fixture->directory};
	put_file(fixture->directory, "inner.h", header_source);
	put_file(fixture->directory, "main.c", main_source);
	put_file(fixture->directory, "second.c", second_source);
	put_file(fixture->directory, "main.cc", cxx_source);
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	debuginfo_close(fixture->info);
	run(fixture->directory, "rm -rf \"$PWD\"");
	g_free(fixture->directory);
}

static void open_program(struct fixture *fixture)
{
	g_autofree char *path = g_build_filename(fixture->directory, "program", NULL);

	must_succeed(debuginfo_open_object(&fixture->kernel, &fixture->search, path, &fixture->info));
}

/* ---- addr2line --------------------------------------------------------------------------------------------------- */

/* Return the lines that a command prints. */
static char **lines_of(const char *directory, const char *command)
{
	const char *arguments[] = {"/bin/sh", "-c", command, NULL};
	g_autofree char *output = NULL;
	int status;

	g_assert_true(g_spawn_sync(directory, (char **)arguments, NULL, 0, NULL, NULL, &output, NULL, &status, NULL));
	if (status)
		g_error("'%s' failed", command);
	return g_strsplit(output, "\n", -1);
}

/* Spell a place as this test does: "NAME FILE:LINE", "NAME ?" if the line is not known. */
static char *spell(const char *name, const char *file, const char *line)
{
	g_autofree char *base = file ? g_path_get_basename(file) : NULL;

	if (!line || !g_ascii_isdigit(line[0]) || atoi(line) == 0)
		return g_strdup_printf("%s ?", name);
	return g_strdup_printf("%s %s:%d", name, base, atoi(line));
}

/*
 * Are two answers the same, up to the names that addr2line does not take from DWARF: those of padding between
 * functions, of functions without DWARF, of nested functions (f.0), and all names of C++?
 */
static bool is_same(const char *got, const char *expected, bool with_names)
{
	g_auto(GStrv) one = g_strsplit(got, "; ", -1), other = g_strsplit(expected, "; ", -1);
	guint count = g_strv_length(one);

	if (!count)
		return g_str_has_suffix(expected, " ?");
	if (g_strv_length(other) != count)
		return false;
	for (guint i = 0; i < count; i++) {
		const char *line = strrchr(one[i], ' '), *other_line = strrchr(other[i], ' ');
		size_t length = line - one[i];

		/* addr2line also confuses the files of C++. */
		if (!with_names)
			line = strrchr(line, ':') ?: line, other_line = strrchr(other_line, ':') ?: other_line;
		if (strcmp(line, other_line) != 0)
			return false;
		if (with_names && !g_str_has_prefix(one[i], "?? ") &&
		    (strncmp(one[i], other[i], length) != 0 || !strchr(" .", other[i][length])))
			return false;
	}
	return true;
}

/* Read the two lines of addr2line -f -i for one function. */
static char *read_pair(const char *function, char *place)
{
	char *colon = strrchr(place, ':');

	g_assert_nonnull(colon);
	*colon = '\0';
	return spell(function, place, colon + 1);
}

/* Return an array of texts, one for each address, from a list of addr2line -a -f -i. */
static GPtrArray *read_answers(char **lines)
{
	GPtrArray *ret = g_ptr_array_new_with_free_func(g_free);
	GString *text = NULL;

	for (; *lines && **lines; lines++) {
		g_autofree char *pair = NULL;

		if (g_str_has_prefix(*lines, "0x")) {
			if (text)
				g_ptr_array_add(ret, g_string_free(text, FALSE));
			text = g_string_new(NULL);
			continue;
		}
		g_assert_nonnull(lines[1]);
		pair = read_pair(lines[0], lines[1]);
		g_string_append_printf(text, "%s%s", text->len ? "; " : "", pair);
		lines++;
	}
	if (text)
		g_ptr_array_add(ret, g_string_free(text, FALSE));
	return ret;
}

static char *answer(struct debuginfo *info, uint64_t address)
{
	g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(struct code_place));
	GString *text = g_string_new(NULL);

	must_succeed(debuginfo_code_places(info, (struct address){address, NULL}, places));
	for (guint i = 0; i < places->len; i++) {
		const struct code_place *place = &g_array_index(places, struct code_place, i);
		g_autofree char *line = place->line ? g_strdup_printf("%d", place->line) : NULL;
		g_autofree char *pair = spell(place->name ?: "??", place->file, line);

		g_string_append_printf(text, "%s%s", text->len ? "; " : "", pair);
	}
	return g_string_free(text, FALSE);
}

/* ---- the comparison ---------------------------------------------------------------------------------------------- */

/* Compare all addresses of the functions in the program's own sources. */
static void compare(struct fixture *fixture, const char *debug, bool with_names)
{
	g_autofree char *command = g_strdup_printf(
		"objdump -d --no-show-raw-insn program | sed -n 's/^ *\\([0-9a-f]*\\):\\t.*/0x\\1/p' >addresses; "
		"addr2line -e %s -a -f -i @addresses",
		debug);
	g_auto(GStrv) lines = lines_of(fixture->directory, command);
	g_auto(GStrv) addresses = lines_of(fixture->directory, "cat addresses");
	g_autoptr(GPtrArray) answers = read_answers(lines);
	guint known = 0, inlined = 0, wrong = 0;

	g_assert_cmpuint(answers->len, ==, g_strv_length(addresses) - 1);
	for (guint i = 0; i < answers->len; i++) {
		const char *expected = answers->pdata[i];
		g_autofree char *got = answer(fixture->info, g_ascii_strtoull(addresses[i], NULL, 16));

		known += got[0] != '\0';
		inlined += strstr(got, "; ") != NULL;
		if (!is_same(got, expected, with_names) && wrong++ < 20)
			g_test_message("%s: expected %s, got %s", addresses[i], expected, got);
	}
	g_assert_cmpuint(wrong, ==, 0);
	g_assert_cmpuint(known, >, 50);
	g_assert_cmpuint(inlined, >, 20);
}

#define SOURCES " -o program main.c second.c"
#define WHOLE " && cp program whole"

static const struct way {
	const char *name, *command;
	const char *debug; /* the file for addr2line */
	bool is_cxx;
} ways[] = {
	{"gcc", "gcc -g -O2" SOURCES, "program"},
	{"gcc-O1", "gcc -g -O1 -no-pie" SOURCES, "program"},
	{"gcc-4", "gcc -gdwarf-4 -O2 -ffunction-sections" SOURCES, "program"},
	{"gcc-0", "gcc -g -O0" SOURCES, "program"},
	{"clang", "clang -gdwarf-4 -O2" SOURCES, "program"},
	/*
	 * addr2line cannot read the addresses in clang's DWARF 5, nor split DWARF. So compare with a build of the same
	 * code that it can read.
	 */
	{"clang-5", "clang -gdwarf-4 -O2" SOURCES WHOLE " && clang -gdwarf-5 -O2" SOURCES, "whole"},
	{"split", "gcc -g -O2" SOURCES WHOLE " && gcc -g -O2 -gsplit-dwarf" SOURCES, "whole"},
	{"split-4", "gcc -g -O2" SOURCES WHOLE " && gcc -gdwarf-4 -O2 -gsplit-dwarf" SOURCES, "whole"},
	{"debug-file",
	 "gcc -g -O2" SOURCES WHOLE " && objcopy --only-keep-debug program program.debug && strip program && "
	 "objcopy --add-gnu-debuglink=program.debug program",
	 "whole"},
	{"dwz", "gcc -g -O2" SOURCES WHOLE " && cp program twin && dwz -m shared program twin", "whole"},
	{"c++", "g++ -g -O2 -o program main.cc", "program", .is_cxx = true},
};

static void test_way(struct fixture *fixture, gconstpointer data)
{
	const struct way *way = data;
	g_auto(GStrv) words = g_strsplit(way->command, " ", 2);
	g_autofree char *compiler = g_find_program_in_path(words[0]);

	if (!compiler) {
		g_test_skip("the compiler is not installed");
		return;
	}
	run(fixture->directory, way->command);
	open_program(fixture);
	compare(fixture, way->debug, !way->is_cxx);
}

int main(int count, char **arguments)
{
	g_test_init(&count, &arguments, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(ways); i++) {
		g_autofree char *name = g_strconcat("/places/", ways[i].name, NULL);

		g_test_add(name, struct fixture, &ways[i], set_up, test_way, tear_down);
	}
	return g_test_run();
}
