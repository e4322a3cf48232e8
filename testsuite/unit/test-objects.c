// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Debuginfo of programs and libraries: where it is found, functions with and without DWARF, places that take a probe.
 *
 * Each test compiles programs of its own into a temporary folder; what is asked of them stands in the sources below.
 */
#include <glib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "translator/debuginfo/debuginfo.h"
#include "translator/util/cleanup.h"

#define BUILD_ID "1234567890abcdef1234567890abcdef12345678"
#define DEBUG_FILE "usr/lib/debug/.build-id/12/34567890abcdef1234567890abcdef12345678.debug"

/* Line numbers count from the first line of the string: the tests name them. */
static const char program_source[] = "#include <stdlib.h>\n" /* 1 */
				     "struct pair { long a, b; };\n"
				     "int number = 3;\n"
				     "__thread int own;\n"
				     "static __attribute__((noinline)) int inner(struct pair *pair, int x)\n" /* 5 */
				     "{\n"
				     "	return pair->a + x + own;\n"
				     "}\n"
				     "static inline __attribute__((always_inline)) int helper(int y)\n"
				     "{\n" /* 10 */
				     "	return abs(y) * number;\n"
				     "}\n"
				     "__attribute__((noinline)) int outer(long count, const char *name)\n"
				     "{\n"
				     "	struct pair pair = {count, 2};\n" /* 15 */
				     "	int sum = helper(name[0]);\n"
				     "again:\n"
				     "	sum += inner(&pair, sum);\n"
				     "	if (sum < 0 && count)\n"
				     "		goto again;\n" /* 20 */
				     "	return sum + inner(&pair, 1);\n"
				     "}\n"
				     "int main(int argc, char **argv) { return outer(argc, argv[0]); }\n";

struct fixture {
	char *folder;
	struct arena *arena;
	struct target_kernel kernel;
	struct debuginfo_search search;
};

static void must_succeed(struct error *error)
{
	if (error)
		g_error("%s (%s)", error->message, error->hint ? error->hint : "no hint");
}

static void must_fail(struct error *error, enum error_code code, const char *part)
{
	g_assert_nonnull(error);
	g_assert_cmpint(error->code, ==, code);
	if (!strstr(error->message, part))
		g_error("'%s' lacks '%s'", error->message, part);
	error_free(error);
}

static void put_file(const struct fixture *fixture, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(fixture->folder, name, NULL);

	g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void run(const struct fixture *fixture, const char *command)
{
	const char *arguments[] = {"/bin/sh", "-c", command, NULL};
	g_autofree char *errors = NULL;
	g_autoptr(GError) failure = NULL;
	int status;

	g_assert_true(g_spawn_sync(fixture->folder, (char **)arguments, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL,
				   NULL, &errors, &status, &failure));
	if (status)
		g_error("%s: %s", command, errors);
}

static void set_up(struct fixture *fixture, gconstpointer data)
{
	fixture->folder = g_dir_make_tmp("spile-objects-XXXXXX", NULL);
	g_assert_nonnull(fixture->folder);
	fixture->arena = arena_new();
	fixture->kernel = (struct target_kernel){.release = "1.2.3-test", .architecture = "x86_64"};
	fixture->search = (struct debuginfo_search){
		.root = fixture->folder,
		.cache_folder = arena_printf(fixture->arena, "%s/cache", fixture->folder),
	};
	put_file(fixture, "program.c", program_source);
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	run(fixture, "rm -rf \"$PWD\"");
	g_free(fixture->folder);
	arena_free(fixture->arena);
}

static struct error *try_to_open(struct fixture *fixture, const char *name, struct debuginfo **ret)
{
	return debuginfo_open_object(&fixture->kernel, &fixture->search,
				     arena_printf(fixture->arena, "%s/%s", fixture->folder, name), ret);
}

static struct debuginfo *open_object(struct fixture *fixture, const char *name)
{
	struct debuginfo *info;

	must_succeed(try_to_open(fixture, name, &info));
	return info;
}

static const GPtrArray *find_functions(struct fixture *fixture, struct debuginfo *info, const char *name)
{
	struct function_query query = {.name = name};
	GPtrArray *found = arena_ptr_array(fixture->arena);

	must_succeed(debuginfo_functions(info, &query, found));
	return found;
}

static const struct function *only_function(struct fixture *fixture, struct debuginfo *info, const char *name)
{
	const GPtrArray *found = find_functions(fixture, info, name);

	if (found->len != 1)
		g_error("%u functions '%s'", found->len, name);
	return g_ptr_array_index(found, 0);
}

static void assert_offset(struct debuginfo *info, uint64_t address, const char *path)
{
	uint64_t offset = 0;
	g_autofree char *bytes = NULL;
	gsize size;

	g_assert_true(debuginfo_file_offset(info, address, &offset));
	g_assert_true(g_file_get_contents(path, &bytes, &size, NULL));
	g_assert_cmpuint(offset, <, size);
	/* Every function of these programs begins with endbr64. */
	g_assert_cmpmem(bytes + offset, 4, "\xf3\x0f\x1e\xfa", 4);
}

/* ---- where debuginfo is ---- */

static void check_dwarf(struct fixture *fixture, const char *name)
{
	struct debuginfo *info = open_object(fixture, name);
	const struct function *outer = only_function(fixture, info, "outer");
	g_autofree char *source = g_build_filename(fixture->folder, "program.c", NULL);
	g_autofree char *path = g_build_filename(fixture->folder, name, NULL);
	g_autoptr(GPtrArray) places = g_ptr_array_new();
	const struct variable *variable;
	struct statement_place place;

	g_test_message("%s", name);
	g_assert_cmpstr(outer->declaration_file, ==, source);
	g_assert_cmpint(outer->declaration_line, ==, 13);
	g_assert_cmpstr(outer->symbol, ==, "outer");
	g_assert_true(outer->is_exported);
	g_assert_false(only_function(fixture, info, "inner")->is_exported);
	assert_offset(info, outer->entry.value, path);
	must_succeed(debuginfo_find_variable(outer, outer->entry.value, "name", &variable));
	g_assert_cmpstr(variable->type->spelling, ==, "const char *");
	must_succeed(debuginfo_find_variable(outer, outer->entry.value, "number", &variable));
	must_succeed(debuginfo_return_value(outer, &variable));
	g_assert_cmpstr(debuginfo_location_text(fixture->arena, variable), ==, "register %rax");
	must_succeed(debuginfo_statements(
		info,
		&(struct statement_query){
			.name = "*", .file = "program.c", .ranges = &(struct line_range){7, 7}, .range_count = 1},
		places));
	g_assert_cmpuint(places->len, ==, 1);
	must_succeed(debuginfo_statement_at(
		info, ((const struct statement_place *)g_ptr_array_index(places, 0))->address, &place));
	g_assert_cmpint(place.line, ==, 7);
	g_assert_cmpstr(place.function->name, ==, "inner");
	debuginfo_close(info);
}

static void test_dwarf(struct fixture *fixture, gconstpointer data)
{
	static const char *const commands[] = {
		"gcc -g -O2 -fcf-protection -o own program.c",
		"gcc -gdwarf-4 -O2 -fcf-protection -static -o fixed program.c",
		"gcc -g -O2 -fcf-protection -shared -fpic -o library.so program.c",
		"gcc -g -O2 -fcf-protection -gz=zlib -Wl,--build-id=none -o nameless program.c",
		"gcc -g -O2 -fcf-protection -Wl,--build-id=0x" BUILD_ID " -o split program.c &&"
		"mkdir -p usr/lib/debug/.build-id/12 && objcopy --only-keep-debug split " DEBUG_FILE " && strip split",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
		run(fixture, commands[i]);
	check_dwarf(fixture, "own");
	check_dwarf(fixture, "fixed");
	check_dwarf(fixture, "library.so");
	check_dwarf(fixture, "nameless");
	check_dwarf(fixture, "nameless"); /* now from the cache */
	check_dwarf(fixture, "split");
}

/* By the name in .gnu_debuglink, in each folder that gdb looks into; what is no part of the program is passed by. */
static void test_debuglink(struct fixture *fixture, gconstpointer data)
{
	static const char *const places[] = {"linked.debug", ".debug/linked.debug", NULL};
	struct debuginfo *info;

	run(fixture, "gcc -g -O2 -fcf-protection -Wl,--build-id=none -o linked program.c && mkdir .debug &&"
		     "objcopy --only-keep-debug linked linked.debug && strip linked &&"
		     "objcopy --add-gnu-debuglink=linked.debug linked && cp linked.debug copy");
	for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
		const char *place =
			places[i] ?: arena_printf(fixture->arena, "usr/lib/debug%s/linked.debug", fixture->folder);

		run(fixture,
		    arena_printf(fixture->arena, "rm -f linked.debug .debug/*; mkdir -p $(dirname %s); cp copy %s",
				 place, place));
		check_dwarf(fixture, "linked");
	}
	run(fixture, "rm -r usr; cp copy linked.debug; echo >>linked.debug");
	info = open_object(fixture, "linked");
	g_assert_cmpstr(debuginfo_source(info), ==, "symbols");
	debuginfo_close(info);
}

/* ---- symbols ---- */

static void check_symbols(struct fixture *fixture, const char *name, bool has_inner)
{
	struct debuginfo *info = open_object(fixture, name);
	const struct function *outer = only_function(fixture, info, "outer");
	g_autofree char *path = g_build_filename(fixture->folder, name, NULL);
	const struct variable *variable;
	struct statement_place place;

	g_test_message("%s", name);
	g_assert_cmpstr(debuginfo_source(info), ==, "symbols");
	assert_offset(info, outer->entry.value, path);
	g_assert_cmpuint(outer->size, >, 16);
	g_assert_true(outer->is_exported);
	g_assert_false(outer->not_probeable);
	g_assert_cmpuint(find_functions(fixture, info, "inner")->len, ==, has_inner);
	g_assert_cmpuint(find_functions(fixture, info, "number")->len, ==, 0);
	g_assert_cmpuint(find_functions(fixture, info, "abs")->len, ==, 0);
	must_fail(debuginfo_find_variable(outer, outer->entry.value, "name", &variable), ERROR_DEBUGINFO, "types");
	must_fail(debuginfo_statement_at(info, outer->entry, &place), ERROR_DEBUGINFO, "lines");
	debuginfo_close(info);
}

static void test_symbols(struct fixture *fixture, gconstpointer data)
{
	run(fixture, "gcc -O2 -fcf-protection -rdynamic -o table program.c && strip -o dynamic table &&"
		     "nm -P table | sed -n 's/^\\(inner[^ ]*\\) .*/\\1/p' >keep &&"
		     "objcopy --keep-symbols=keep -S table mini && xz mini && cp dynamic extended &&"
		     "objcopy --add-section .gnu_debugdata=mini.xz extended && cp extended damaged &&"
		     "printf 'not xz' >other && objcopy --update-section .gnu_debugdata=other damaged");
	check_symbols(fixture, "table", true);
	check_symbols(fixture, "dynamic", false);
	check_symbols(fixture, "extended", true);
	check_symbols(fixture, "damaged", false);
}

/* A part of a program that has no DWARF. */
static void test_mixed(struct fixture *fixture, gconstpointer data)
{
	const struct variable *variable;
	const struct function *bare;
	struct debuginfo *info;

	put_file(fixture, "bare.c", "int bare(int x) { return x; }\n");
	run(fixture, "gcc -g0 -O2 -c bare.c && gcc -g -O2 -o mixed program.c bare.o");
	info = open_object(fixture, "mixed");
	bare = only_function(fixture, info, "bare");
	g_assert_cmpstr(bare->declaration_file, ==, "");
	must_fail(debuginfo_find_variable(bare, bare->entry.value, "x", &variable), ERROR_DEBUGINFO, "only its symbol");
	must_fail(debuginfo_return_value(bare, &variable), ERROR_DEBUGINFO, "only its symbol");
	g_assert_cmpint(only_function(fixture, info, "outer")->declaration_line, ==, 13);
	debuginfo_close(info);
}

static void test_bad_files(struct fixture *fixture, gconstpointer data)
{
	struct debuginfo *info;

	run(fixture, "gcc -g -c program.c && gcc -g -o whole program.c && head -c 3000 whole >cut &&"
		     "objcopy --only-keep-debug whole symbols");
	must_fail(try_to_open(fixture, "nothing", &info), ERROR_LOOKUP, "there is no file");
	must_fail(try_to_open(fixture, "program.c", &info), ERROR_DEBUGINFO, "not an ELF file");
	must_fail(try_to_open(fixture, "cut", &info), ERROR_DEBUGINFO, "truncated");
	must_fail(try_to_open(fixture, "program.o", &info), ERROR_DEBUGINFO, "is an object file");
	must_fail(try_to_open(fixture, "symbols", &info), ERROR_DEBUGINFO, "file of debug symbols");
}

/* ---- places that take a probe ---- */

static const char code_source[] = ".macro function name, code:vararg\n"
				  ".globl \\name\n"
				  ".type \\name, @function\n"
				  "\\name: \\code\n"
				  ".size \\name, .-\\name\n"
				  ".endm\n"
				  ".text\n"
				  "function plain, endbr64; ret\n"
				  "function atomic, lock incl (%rdi); ret\n"
				  "function tracked, notrack jmp *%rax\n"
				  "function thread, mov %fs:0, %rax; ret\n"
				  "function branch, .byte 0x66, 0xe9, 0, 0, 0, 0; ret\n"
				  "function stack, mov %eax, %ss; ret\n"
				  "function trap, int3\n"
				  "function invalid, .byte 0x06; ret\n"
				  "function gate, syscall; ret\n"
				  "function vector, vpxor %xmm0, %xmm0, %xmm0; ret\n"
				  "function vector_ok, vmovaps %ymm0, %ymm1; ret\n"
				  "function halt, hlt\n"
				  "function long, movabs $0x1122334455667788, %rax; ret\n"
				  ".data\n"
				  ".globl table\n"
				  ".type table, @object\n"
				  "table: .quad 1\n";

static void assert_refusal(struct fixture *fixture, struct debuginfo *info, const char *name, const char *part)
{
	const struct function *function = only_function(fixture, info, name);
	const char *refusal = debuginfo_probe_refusal(info, function->entry);

	g_test_message("%s", name);
	g_assert_cmpint(function->not_probeable, ==, part != NULL);
	g_assert_cmpint(debuginfo_is_probeable(info, function->entry), ==, part == NULL);
	if (!part)
		g_assert_null(refusal);
	else if (!refusal || !strstr(refusal, part))
		g_error("'%s' lacks '%s'", refusal, part);
}

static void test_probeable(struct fixture *fixture, gconstpointer data)
{
	static const struct {
		const char *function, *refusal;
	} functions[] = {
		{"plain", NULL},       {"atomic", "prefix"}, {"tracked", "prefix"},	 {"thread", NULL},
		{"branch", "16 bits"}, {"stack", "segment"}, {"trap", "program itself"}, {"invalid", "kind"},
		{"gate", NULL},	       {"vector", "kind"},   {"vector_ok", NULL},	 {"halt", "kind"},
		{"long", NULL},
	};
	struct debuginfo *info;
	struct address address;

	put_file(fixture, "code.s", code_source);
	run(fixture, "gcc -nostdlib -shared -o code code.s && gcc -nostdlib -shared -Wl,-N -o writable code.s");
	info = open_object(fixture, "code");
	for (size_t i = 0; i < G_N_ELEMENTS(functions); i++)
		assert_refusal(fixture, info, functions[i].function, functions[i].refusal);
	address = only_function(fixture, info, "long")->entry;
	for (unsigned int i = 1; i < 10; i++) {
		address.value++;
		g_assert_cmpstr(debuginfo_probe_refusal(info, address), ==, "it is inside of an instruction");
	}
	address.value++;
	g_assert_null(debuginfo_probe_refusal(info, address));
	must_succeed(debuginfo_symbol_address(info, "table", &address));
	g_assert_cmpstr(debuginfo_probe_refusal(info, address), ==, "there is no code");
	debuginfo_close(info);
	info = open_object(fixture, "writable");
	assert_refusal(fixture, info, "plain", "may write");
	debuginfo_close(info);
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		void (*test)(struct fixture *fixture, gconstpointer data);
	} tests[] = {
		{"dwarf", test_dwarf}, {"debuglink", test_debuglink}, {"symbols", test_symbols},
		{"mixed", test_mixed}, {"bad-files", test_bad_files}, {"probeable", test_probeable},
	};

	g_test_init(&count, &arguments, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(tests); i++) {
		g_autofree char *name = g_strconcat("/objects/", tests[i].name, NULL);

		g_test_add(name, struct fixture, NULL, set_up, tests[i].test, tear_down);
	}
	return g_test_run();
}
