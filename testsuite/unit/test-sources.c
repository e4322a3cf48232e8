// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of source files and lines: the same, however the compiler was told where the source is, and for functions in
 * all places where C++ allows them.
 */
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "runtime/abi/line_table.h"
#include "testsuite/unit/commands.h"
#include "testsuite/unit/errors.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/debuginfo/unwind/frames.h"

/* Line numbers count from the first line of the string: the tests name them. */
static const char c_source[] = "volatile int sink;\n" /* 1 */
			       "__attribute__((noinline)) int twice(int x)\n"
			       "{\n"
			       "	sink = x;\n"
			       "	return sink * 2;\n" /* 5 */
			       "}\n"
			       "int main(int count, char **arguments)\n"
			       "{\n"
			       "	return twice(count);\n"
			       "}\n";

static const char scopes_source[] =
	"#define KEPT __attribute__((noinline, used))\n" /* 1 */
	"volatile int sink;\n"
	"struct outer { int method(int a); };\n"
	"KEPT int outer::method(int a)\n"
	"{\n" /* 5 */
	"	return a + sink;\n"
	"}\n"
	"template <class F> KEPT int apply(F f, int x) { return f(x) + f(x + 1); }\n"
	"KEPT int with_locals(int n)\n"
	"{\n" /* 10 */
	"	struct local {\n"
	"		int k;\n"
	"		KEPT int get(int a) { sink = a; return a + k; }\n"
	"	} l = {n};\n"
	"	if (n > 0) {\n" /* 15 */
	"		struct deep { static KEPT int in_block(int z) { return z * sink; } };\n"
	"		sink += deep::in_block(n);\n"
	"	}\n"
	"	auto lambda = [n](int x) __attribute__((noinline)) {\n"
	"		sink = x;\n" /* 20 */
	"		return x + n;\n"
	"	};\n"
	"	return l.get(3) + apply(lambda, n);\n"
	"}\n"
	"int main(int count, char **) { return with_locals(count) + outer().method(count); }\n";

/* The compiler ends main's code with the call of a function that does not return; no code has a line after that. */
static const char noreturn_source[] = "#include <stdlib.h>\n"
				      "volatile int sink;\n"
				      "__attribute__((noreturn, noinline)) static void last(int x)\n"
				      "{\n"
				      "	sink = x;\n"
				      "	exit(0);\n"
				      "}\n"
				      "int main(int count, char **arguments)\n"
				      "{\n"
				      "	last(count);\n"
				      "}\n";

struct fixture {
	char *directory;
	struct arena *arena;
};

static void set_up(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *made = g_dir_make_tmp("spile-sources-XXXXXX", NULL);

	g_assert_nonnull(made);
	fixture->directory = g_steal_pointer(&made);
	fixture->arena = arena_new();
	run(fixture->directory, "mkdir src build");
	put_file(fixture->directory, "src/source.c", c_source);
	put_file(fixture->directory, "src/scopes.cc", scopes_source);
	put_file(fixture->directory, "src/noreturn.c", noreturn_source);
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	run(fixture->directory, "rm -rf \"$PWD\"");
	g_free(fixture->directory);
	arena_free(fixture->arena);
}

static struct debuginfo *open_program(struct fixture *fixture)
{
	struct target_kernel kernel = {.release = "1.2.3-test"};
	struct debuginfo_search search = {
		.root = fixture->directory,
		.cache_directory = arena_printf(fixture->arena, "%s/cache", fixture->directory),
	};
	struct debuginfo *info;

	must_succeed(debuginfo_open_object(&kernel, &search,
					   arena_printf(fixture->arena, "%s/test", fixture->directory), &info));
	return info;
}

static const struct function *find_function(struct debuginfo *info, const char *name)
{
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	struct function_query query = {.name = name};

	must_succeed(debuginfo_functions(info, &query, found));
	for_each_ptr(const struct function *, function, found) {
		if (!function->is_inlined)
			return function;
	}
	g_error("there is no function '%s'", name);
}

/* Does a statement of the function begin at the line of the file? */
static bool has_line(struct debuginfo *info, const char *function, const char *file, int line)
{
	g_autoptr(GPtrArray) places = g_ptr_array_new();
	struct line_range range = {line, line};
	struct statement_query query = {.name = function, .file = file, .ranges = &range, .range_count = 1};

	must_succeed(debuginfo_statements(info, &query, places));
	return places->len > 0;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* All are compiled in the directory build/ from src/source.c. */
static const char *const builds[] = {
	"gcc -g -o ../test ../src/source.c",
	"gcc -gdwarf-4 -o ../test ../src/source.c",
	"gcc -g -gdwarf64 -o ../test ../src/source.c",
	"gcc -gdwarf-4 -gdwarf64 -o ../test ../src/source.c",
	"gcc -g -O2 -flto -o ../test ../src/source.c",
	"gcc -g -o ../test \"$PWD/../src/source.c\"",
	"gcc -g -o ../test ./../build/../src/source.c",
	"cd .. && gcc -g -o test src/source.c",
	"cd .. && gcc -g -c -o build/test.o ./src/source.c && gcc -o test build/test.o",
	"cd ../src && gcc -g -o ../test source.c",
	"cd ../src && gcc -g -fdebug-types-section -o ../test source.c",
	"clang -g -o ../test ../src/source.c",
	"clang -gdwarf-4 -o ../test ../src/source.c",
	"clang -gdwarf-5 -gdwarf64 -o ../test ../src/source.c",
	"cd .. && clang -g -o test src/source.c",
};

static void test_files(struct fixture *fixture, gconstpointer data)
{
	const char *command = data;
	const char *path = arena_printf(fixture->arena, "%s/src/source.c", fixture->directory);
	g_autofree char *clang = g_find_program_in_path("clang");
	const struct function *twice;
	struct debuginfo *info;

	if (strstr(command, "clang") && !clang) {
		g_test_skip("clang is not installed");
		return;
	}
	run(fixture->directory, arena_printf(fixture->arena, "cd build && %s", command));
	info = open_program(fixture);
	twice = find_function(info, "twice");
	g_assert_cmpstr(twice->declaration_file, ==, path);
	g_assert_cmpint(twice->declaration_line, ==, 2);
	g_assert_true(has_line(info, "twice", "source.c", 4));
	g_assert_true(has_line(info, "twice", "src/source.c", 5));
	g_assert_true(has_line(info, "*", path, 5));
	g_assert_true(has_line(info, "main", "source.c", 9));
	g_assert_false(has_line(info, "main", "source.c", 5));
	debuginfo_close(info);
}

/* ---- places of functions ----------------------------------------------------------------------------------------- */

static const char *const compilers[] = {"g++ -O0",	     "g++ -O2",	    "g++ -O2 -flto",
					"g++ -O0 -gdwarf-4", "clang++ -O0", "clang++ -O2"};

static void test_scopes(struct fixture *fixture, gconstpointer data)
{
	static const struct {
		const char *name;
		int line, inner;
	} expected[] = {
		{"method", 4, 6}, {"get", 13, 13}, {"in_block", 16, 16}, {"with_locals", 9, 23}, {"operator()", 19, 20},
	};
	const char *compiler = data;
	g_autofree char *clang = g_find_program_in_path("clang++");
	struct debuginfo *info;

	if (strstr(compiler, "clang") && !clang) {
		g_test_skip("clang is not installed");
		return;
	}
	run(fixture->directory, arena_printf(fixture->arena, "%s -g -o test src/scopes.cc", compiler));
	info = open_program(fixture);
	for (size_t i = 0; i < G_N_ELEMENTS(expected); i++) {
		const struct function *function = find_function(info, expected[i].name);
		g_autofree char *file = g_path_get_basename(function->declaration_file);

		g_test_message("%s", expected[i].name);
		g_assert_cmpstr(file, ==, "scopes.cc");
		g_assert_cmpint(function->declaration_line, ==, expected[i].line);
		g_assert_true(has_line(info, expected[i].name, "scopes.cc", expected[i].inner));
	}
	debuginfo_close(info);
}

/* ---- line tables ------------------------------------------------------------------------------------------------- */

static void test_end_of_lines(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *path = g_build_filename(fixture->directory, "test", NULL);
	const struct function *main_function, *start;
	const char *file = NULL;
	struct debuginfo *info;
	GByteArray *table;
	Dwarf *dwarf;
	int fd;

	run(fixture->directory, "cd build && gcc -g -O2 -o ../test ../src/noreturn.c");
	info = open_program(fixture);
	main_function = find_function(info, "main");
	start = find_function(info, "_start");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	dwarf = dwarf_begin(fd, DWARF_C_READ);
	g_assert_nonnull(dwarf);
	table = object_lines(dwarf, 0, UINT32_MAX);
	g_assert_true(stp_lines_are_sound(table->data, table->len));
	g_assert_cmpint(stp_find_line(table->data, (unsigned int)main_function->entry.value, &file), >, 7);
	g_assert_true(g_str_has_suffix(file, "/src/noreturn.c"));
	g_assert_null(strstr(file, "/../"));
	for (unsigned int i = 0; i < start->size; i++)
		g_assert_cmpint(stp_find_line(table->data, (unsigned int)start->entry.value + i, &file), ==, 0);
	g_byte_array_unref(table);
	dwarf_end(dwarf);
	close(fd);
	debuginfo_close(info);
}

static void add(const char *group, const char *name, const void *data,
		void (*test)(struct fixture *fixture, gconstpointer data))
{
	g_autofree char *path = g_strconcat("/sources/", group, "/", name, NULL);

	g_strdelimit(path + strlen("/sources/") + strlen(group) + 1, "/", '|');
	g_test_add(path, struct fixture, data, set_up, test, tear_down);
}

int main(int count, char **arguments)
{
	g_test_init(&count, &arguments, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(builds); i++)
		add("files", builds[i], builds[i], test_files);
	for (size_t i = 0; i < G_N_ELEMENTS(compilers); i++)
		add("scopes", compilers[i], compilers[i], test_scopes);
	add("lines", "end", NULL, test_end_of_lines);
	return g_test_run();
}
