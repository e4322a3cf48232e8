// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Debuginfo of programs and libraries: where it is found, functions with and without DWARF, places that accept probes.
 *
 * Each test compiles its own programs into a temporary directory; the sources below have the answers to its queries.
 */
#include <glib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/cleanup.h"
#include "testsuite/unit/commands.h"
#include "testsuite/unit/errors.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/debuginfo/index/index.h"

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
	char *directory;
	struct arena *arena;
	struct target_kernel kernel;
	struct debuginfo_search search;
};

static void set_up(struct fixture *fixture, gconstpointer data)
{
	fixture->directory = g_dir_make_tmp("spile-objects-XXXXXX", NULL);
	g_assert_nonnull(fixture->directory);
	fixture->arena = arena_new();
	fixture->kernel = (struct target_kernel){.release = "1.2.3-test"};
	fixture->search = (struct debuginfo_search){
		.root = fixture->directory,
		.cache_directory = arena_printf(fixture->arena, "%s/cache", fixture->directory),
	};
	put_file(fixture->directory, "program.c", program_source);
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	run(fixture->directory, "rm -rf \"$PWD\"");
	g_free(fixture->directory);
	arena_free(fixture->arena);
}

static struct error *try_to_open(struct fixture *fixture, const char *name, struct debuginfo **ret)
{
	return debuginfo_open_object(&fixture->kernel, &fixture->search,
				     arena_printf(fixture->arena, "%s/%s", fixture->directory, name), ret);
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

/* ---- where debuginfo is ------------------------------------------------------------------------------------------ */

static void check_dwarf(struct fixture *fixture, const char *name)
{
	struct debuginfo *info = open_object(fixture, name);
	const struct function *outer = only_function(fixture, info, "outer");
	g_autofree char *source = g_build_filename(fixture->directory, "program.c", NULL);
	g_autofree char *path = g_build_filename(fixture->directory, name, NULL);
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
		run(fixture->directory, commands[i]);
	check_dwarf(fixture, "own");
	check_dwarf(fixture, "fixed");
	check_dwarf(fixture, "library.so");
	check_dwarf(fixture, "nameless");
	check_dwarf(fixture, "nameless"); /* now from the cache */
	check_dwarf(fixture, "split");
}

/* Debuginfo from a server, which is a directory here. */
static void test_debuginfod(struct fixture *fixture, gconstpointer data)
{
	struct debuginfo *info;

	run(fixture->directory,
	    "gcc -g -O2 -fcf-protection -Wl,--build-id=0x" BUILD_ID " -o served program.c &&"
	    "mkdir -p server/buildid/" BUILD_ID " &&"
	    "objcopy --only-keep-debug served server/buildid/" BUILD_ID "/debuginfo && strip served");
	g_setenv("DEBUGINFOD_URLS", arena_printf(fixture->arena, "file://%s/server/", fixture->directory), TRUE);
	g_setenv("DEBUGINFOD_CACHE_PATH", arena_printf(fixture->arena, "%s/fetched", fixture->directory), TRUE);
	check_dwarf(fixture, "served");
	info = open_object(fixture, "served");
	g_assert_cmpstr(debuginfo_source(info), ==, "debuginfod");
	debuginfo_close(info);
	g_unsetenv("DEBUGINFOD_URLS");
	g_unsetenv("DEBUGINFOD_CACHE_PATH");
}

/* The DWARF of each unit in its own file; if a file is missing, symbols remain. */
static void test_split(struct fixture *fixture, gconstpointer data)
{
	static const char *const commands[] = {
		"gcc -gdwarf-5 -gsplit-dwarf -O2 -fcf-protection -o split-5 program.c unit.c",
		"gcc -gdwarf-4 -gsplit-dwarf -O2 -fcf-protection -o split-4 unit.c program.c",
		/* The files' names come from the object's own line table, as clang does it. */
		"gcc -gdwarf-5 -gsplit-dwarf -O2 -fcf-protection -o bare program.c unit.c &&"
		"for file in bare-*.dwo; do objcopy -R .debug_line.dwo $file; done",
	};
	g_autofree char *dwp = g_find_program_in_path("dwp");
	const struct variable *variable;
	struct debuginfo *info;
	struct type *type;

	if (!dwp) {
		g_test_skip("dwp is not installed: newer binutils have it no more");
		return;
	}
	put_file(fixture->directory, "unit.c",
		 "struct other { char c[7]; } other; int unit(struct other *o) { return o->c[1]; }\n");
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
		run(fixture->directory, commands[i]);
	check_dwarf(fixture, "split-5");
	check_dwarf(fixture, "split-4");
	check_dwarf(fixture, "bare");
	info = open_object(fixture, "split-5");
	must_succeed(debuginfo_find_type(info, "struct other", &type));
	g_assert_cmpuint(type->size, ==, 7);
	must_succeed(debuginfo_find_global(info, "other", NULL, &variable));
	must_succeed(debuginfo_find_variable(only_function(fixture, info, "unit"), 0, "o", &variable));
	debuginfo_close(info);
	/* The same in one package file (.dwp). */
	run(fixture->directory, "dwp -e split-4 && rm -r split-4-*.dwo cache");
	check_dwarf(fixture, "split-4");
	check_dwarf(fixture, "split-4");
	run(fixture->directory, "rm -r split-4.dwp split-5-unit.dwo cache");
	info = open_object(fixture, "split-5");
	g_assert_cmpint(only_function(fixture, info, "outer")->declaration_line, ==, 13);
	must_fail(debuginfo_find_variable(only_function(fixture, info, "unit"), 0, "o", &variable), ERROR_DEBUGINFO,
		  "only its symbol");
	debuginfo_close(info);
	info = open_object(fixture, "split-4");
	must_fail(debuginfo_return_value(only_function(fixture, info, "unit"), &variable), ERROR_DEBUGINFO,
		  "only its symbol");
	debuginfo_close(info);
}

/* Types with their own units; the target of a pointer is described in another unit. */
static void check_type_units(struct fixture *fixture, const char *name)
{
	struct debuginfo *info = open_object(fixture, name);
	const struct variable *variable;
	struct member member;
	struct type *type;

	must_succeed(debuginfo_find_variable(only_function(fixture, info, "first"), 0, "o", &variable));
	must_succeed(debuginfo_find_member(variable->type->target, "inner", &member));
	g_assert_cmpstr(member.type->spelling, ==, "struct inner");
	must_succeed(debuginfo_find_member(member.type, "y", &member));
	g_assert_cmpuint(member.type->size, ==, 8);
	must_succeed(debuginfo_find_variable(only_function(fixture, info, "second"), 0, "i", &variable));
	must_succeed(debuginfo_find_member(variable->type->target, "x", &member));
	must_succeed(debuginfo_find_type(info, "struct outer", &type));
	g_assert_cmpuint(type->size, ==, 32);
	must_succeed(debuginfo_find_type(info, "struct only", &type));
	g_assert_cmpuint(type->size, ==, 12);
	debuginfo_close(info);
}

static void test_type_units(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *dwp = g_find_program_in_path("dwp"), *newer = g_find_program_in_path("llvm-dwp");

	put_file(
		fixture->directory, "first.c",
		"struct inner { int x; long y; };\n"
		"struct outer { struct inner inner; struct outer *next; char *name; };\n"
		"int second(struct inner *i, int n);\n"
		"__attribute__((noipa)) int first(struct outer *o) { return second(&o->inner, 1) + (int)o->inner.y; }\n"
		"int main(void) { struct outer o = {{1, 2}, 0, 0}; return first(&o); }\n");
	put_file(fixture->directory, "second.c",
		 "struct inner { int x; long y; }; struct only { int z[3]; } only;\n"
		 "__attribute__((noipa)) int second(struct inner *i, int n) { return i->x + n + only.z[1]; }\n");
	for (int version = 4; version <= 5; version++) {
		g_autofree char *build = g_strdup_printf(
			"for kind in whole parts; do gcc -gdwarf-%d -fdebug-types-section -O2 -fcf-protection "
			"$([ $kind = whole ] || echo -gsplit-dwarf) -o $kind-%d first.c second.c || exit; done",
			version, version);
		g_autofree char *whole = g_strdup_printf("whole-%d", version);
		g_autofree char *parts = g_strdup_printf("parts-%d", version);

		run(fixture->directory, build);
		check_type_units(fixture, whole);
		check_type_units(fixture, parts);
		check_type_units(fixture, parts); /* out of the cache */
	}
	/* The same in package files, in the newer format of one tool and the older of the other. */
	if (dwp)
		run(fixture->directory, "dwp -e parts-4 -o parts-4.dwp && rm parts-4-*.dwo");
	if (newer)
		run(fixture->directory, "llvm-dwp -e parts-5 -o parts-5.dwp && rm parts-5-*.dwo");
	check_type_units(fixture, "parts-4");
	check_type_units(fixture, "parts-5");
	check_type_units(fixture, "parts-5");
}

/* DWARF that several programs share is in a file made by dwz. */
static void test_dwz(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *dwz = g_find_program_in_path("dwz");
	struct debuginfo *info;
	struct type *type;

	if (!dwz) {
		g_test_skip("dwz is not installed");
		return;
	}
	run(fixture->directory,
	    "gcc -g -O2 -fcf-protection -o one program.c && gcc -g -O2 -fcf-protection -o two program.c &&"
	    "gcc -g -O2 -fcf-protection -o single program.c && dwz single &&"
	    "dwz -m shared -M $PWD/shared one two");
	check_dwarf(fixture, "single");
	check_dwarf(fixture, "one");
	check_dwarf(fixture, "two");
	check_dwarf(fixture, "two");
	info = open_object(fixture, "one");
	must_succeed(debuginfo_find_type(info, "struct pair", &type));
	g_assert_cmpuint(type->size, ==, 16);
	debuginfo_close(info);
	/* Below the directory of unpacked packages, the file is found by its build-id. */
	run(fixture->directory,
	    "id=$(readelf -n shared | sed -n 's/.*Build ID: //p') && rest=${id#??} &&"
	    "directory=usr/lib/debug/.build-id/${id%$rest} && mkdir -p $directory && mv shared $directory/$rest.debug");
	check_dwarf(fixture, "one");
	run(fixture->directory, "rm -r usr");
	must_fail(try_to_open(fixture, "one", &info), ERROR_DEBUGINFO, "dwz has moved parts of it to");
}

/* The DWARF 5 form of this is refused, because libdw would read it wrongly. */
static void test_supplementary(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *dwz = g_find_program_in_path("dwz");
	struct debuginfo *info;

	if (!dwz) {
		g_test_skip("dwz is not installed");
		return;
	}
	run(fixture->directory, "gcc -gdwarf-5 -O2 -fcf-protection -o one program.c && cp one two && cp one single &&"
				"dwz -5 single && dwz -5 -m shared one two");
	check_dwarf(fixture, "single");
	must_fail(try_to_open(fixture, "one", &info), ERROR_DEBUGINFO, "dwz has moved parts of it to another file");
}

/* Debuginfo by the name in .gnu_debuglink, in each directory that gdb searches. Files of other programs are skipped. */
static void test_debuglink(struct fixture *fixture, gconstpointer data)
{
	static const char *const places[] = {"linked.debug", ".debug/linked.debug", NULL};
	struct debuginfo *info;

	run(fixture->directory, "gcc -g -O2 -fcf-protection -Wl,--build-id=none -o linked program.c && mkdir .debug &&"
				"objcopy --only-keep-debug linked linked.debug && strip linked &&"
				"objcopy --add-gnu-debuglink=linked.debug linked && cp linked.debug copy");
	for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
		const char *place =
			places[i] ?: arena_printf(fixture->arena, "usr/lib/debug%s/linked.debug", fixture->directory);

		run(fixture->directory,
		    arena_printf(fixture->arena, "rm -f linked.debug .debug/*; mkdir -p $(dirname %s); cp copy %s",
				 place, place));
		check_dwarf(fixture, "linked");
	}
	run(fixture->directory, "rm -r usr; cp copy linked.debug; echo >>linked.debug");
	info = open_object(fixture, "linked");
	g_assert_cmpstr(debuginfo_source(info), ==, "symbols");
	debuginfo_close(info);
}

/* ---- symbols ----------------------------------------------------------------------------------------------------- */

static void check_symbols(struct fixture *fixture, const char *name, bool has_inner)
{
	struct debuginfo *info = open_object(fixture, name);
	const struct function *outer = only_function(fixture, info, "outer");
	g_autofree char *path = g_build_filename(fixture->directory, name, NULL);
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
	run(fixture->directory, "gcc -O2 -fcf-protection -rdynamic -o table program.c && strip -o dynamic table &&"
				"nm -P table | sed -n 's/^\\(inner[^ ]*\\) .*/\\1/p' >keep &&"
				"objcopy --keep-symbols=keep -S table mini && xz mini && cp dynamic extended &&"
				"objcopy --add-section .gnu_debugdata=mini.xz extended && cp extended damaged &&"
				"printf 'not xz' >other && objcopy --update-section .gnu_debugdata=other damaged");
	check_symbols(fixture, "table", true);
	check_symbols(fixture, "dynamic", false);
	check_symbols(fixture, "extended", true);
	check_symbols(fixture, "damaged", false);
}

/* A part of a program without DWARF. */
static void test_mixed(struct fixture *fixture, gconstpointer data)
{
	const struct variable *variable;
	const struct function *bare;
	struct debuginfo *info;

	put_file(fixture->directory, "bare.c", "int bare(int x) { return x; }\n");
	run(fixture->directory, "gcc -g0 -O2 -c bare.c && gcc -g -O2 -o mixed program.c bare.o");
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

	run(fixture->directory, "gcc -g -c program.c && gcc -g -o whole program.c && head -c 3000 whole >cut &&"
				"objcopy --only-keep-debug whole symbols");
	must_fail(try_to_open(fixture, "nothing", &info), ERROR_LOOKUP, "does not exist");
	must_fail(try_to_open(fixture, "program.c", &info), ERROR_DEBUGINFO, "not an ELF file");
	must_fail(try_to_open(fixture, "cut", &info), ERROR_DEBUGINFO, "truncated");
	must_fail(try_to_open(fixture, "program.o", &info), ERROR_DEBUGINFO, "is an object file");
	must_fail(try_to_open(fixture, "symbols", &info), ERROR_DEBUGINFO, "has debug symbols only");
}

/* ---- places that take a probe ------------------------------------------------------------------------------------ */

static const char code_source[] = ".macro function name, code\n"
				  ".globl \\name\n"
				  ".type \\name, @function\n"
				  "\\name: \\code\n"
				  ".size \\name, .-\\name\n"
				  ".endm\n"
				  ".text\n"
				  "function plain, \"endbr64; ret\"\n"
				  "function atomic, \"lock incl (%rdi); ret\"\n"
				  "function tracked, \"notrack jmp *%rax\"\n"
				  "function thread, \"mov %fs:0, %rax; ret\"\n"
				  "function branch, \".byte 0x66, 0xe9, 0, 0, 0, 0; ret\"\n"
				  "function stack, \"mov %eax, %ss; ret\"\n"
				  "function trap, \"int3\"\n"
				  "function invalid, \".byte 0x06; ret\"\n"
				  "function gate, \"syscall; ret\"\n"
				  "function vector, \"vpxor %xmm0, %xmm0, %xmm0; ret\"\n"
				  "function vector_ok, \"vmovaps %ymm0, %ymm1; ret\"\n"
				  "function halt, \"hlt\"\n"
				  "function saves, \"pushf; popf; ret\"\n"
				  "function exchange, \"xchg %rax, %r8; ret\"\n"
				  "function pause, \"pause; ret\"\n"
				  "function long, \"movabs $0x1122334455667788, %rax; ret\"\n"
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

/* An instruction, a restartable sequence of two, two more, one that ends with the signature, and the abort handler. */
static const char sequence_source[] = "function whole, \"nop; .Lstart: nop; nop; .Lend: nop; ret; .byte 0x0f, 0xb9, "
				      "0x3d; .long 0x53053053; .Lfailed: ret\"\n"
				      ".section __rseq_cs, \"aw\"\n"
				      ".balign 32\n"
				      ".long 0, 0\n"
				      ".quad .Lstart, .Lend - .Lstart, .Lfailed\n";

static void test_restartable(struct fixture *fixture, gconstpointer data)
{
	static const char *const links[] = {"-shared", "-no-pie", "-pie"};
	static const unsigned int places[] = {0, 1, 2, 3, 4, 8, 12};
	g_autofree char *source = g_strndup(code_source, (gsize)(strstr(code_source, "function plain") - code_source));
	g_autofree char *all = g_strconcat(source, sequence_source, NULL);

	put_file(fixture->directory, "sequence.s", all);
	for (size_t link = 0; link < G_N_ELEMENTS(links); link++) {
		g_autofree char *name = g_strdup_printf("sequence%zu", link);
		g_autofree char *command =
			g_strdup_printf("gcc -nostdlib %s -Wl,--defsym=_start=0 -o %s sequence.s", links[link], name);
		struct debuginfo *info;
		struct address address;

		run(fixture->directory, command);
		info = open_object(fixture, name);
		for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
			const char *refusal;

			address = only_function(fixture, info, "whole")->entry;
			address.value += places[i];
			refusal = debuginfo_probe_refusal(info, address);
			g_test_message("%s: %u: %s", links[link], places[i], refusal);
			g_assert_cmpint(refusal && strstr(refusal, "rseq"), ==,
					places[i] == 1 || places[i] == 2 || places[i] == 8);
		}
		debuginfo_close(info);
	}
}

static void test_probeable(struct fixture *fixture, gconstpointer data)
{
	static const struct {
		const char *function, *refusal;
	} functions[] = {
		{"plain", NULL},	 {"atomic", "prefix"},	   {"tracked", "prefix"},      {"thread", NULL},
		{"branch", "16 bits"},	 {"stack", "segment"},	   {"trap", "program itself"}, {"invalid", "kind"},
		{"gate", "system call"}, {"vector", "kind"},	   {"vector_ok", NULL},	       {"halt", "kind"},
		{"long", NULL},		 {"saves", "single-step"}, {"exchange", "exchange"},   {"pause", NULL},
	};
	struct debuginfo *info;
	struct address address;

	put_file(fixture->directory, "code.s", code_source);
	run(fixture->directory,
	    "gcc -nostdlib -shared -o code code.s && gcc -nostdlib -shared -Wl,-N -o writable code.s");
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
	assert_refusal(fixture, info, "plain", "writable");
	debuginfo_close(info);
}

/* ---- marks ------------------------------------------------------------------------------------------------------- */

/* Notes like those of the macros in <sys/sdt.h>, without that header; each mark is an endbr64. */
static const char marks_source[] =
	"#include <stddef.h>\n"
	"#define MARK(name, semaphore, arguments, ...) \\\n"
	"	__asm__ volatile(\"990: endbr64\\n.pushsection .note.stapsdt,\\\"?\\\",\\\"note\\\"\\n\" \\\n"
	"		\".balign 4\\n.4byte 992f-991f, 994f-993f, 3\\n991: .asciz \\\"stapsdt\\\"\\n\" \\\n"
	"		\"992: .balign 4\\n993: .8byte 990b, _.stapsdt.base, \" semaphore \"\\n\" \\\n"
	"		\".asciz \\\"own\\\"\\n.asciz \\\"\" name \"\\\"\\n\" \\\n"
	"		\".asciz \\\"\" arguments \"\\\"\\n994: .balign 4\\n.popsection\\n\" : : __VA_ARGS__)\n"
	"__asm__(\".pushsection .stapsdt.base,\\\"aG\\\",\\\"progbits\\\",.stapsdt.base,comdat\\n\"\n"
	"	\".weak _.stapsdt.base\\n.hidden _.stapsdt.base\\n_.stapsdt.base: .space 1\\n\"\n"
	"	\".size _.stapsdt.base, 1\\n.popsection\");\n"
	"unsigned short counter __attribute__((section(\".probes\")));\n"
	"signed char small[4] = {1, -2, 3, -4};\n"
	"int table[8];\n"
	"__thread int own = 5;\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	MARK(\"plain\", \"0\", \"\", \"i\"(0));\n"
	"	MARK(\"a__b\", \"counter\", \"-4@%0 8@%1\", \"r\"(argc), \"r\"(argv));\n"
	"	MARK(\"memory\", \"0\", \"-1@%0 -4@%1\", \"m\"(small[1]), \"m\"(table[2]));\n"
	"	MARK(\"forms\", \"0\", \"-1@%%ah 1@%%sil 2@%%r9w -4@$-7 -4@$0x10 8@-16(%%rbp,%%rcx,4) \"\n"
	"			\"8@(,%%rdx,8) \"\n"
	"			\"-4@4+table(%%rip) 8@%%fs:0x28 -4@%%fs:own@tpoff 8@$table 4@table(,%%rax,4) \"\n"
	"			\"8f@%%xmm3 8@%%k1 4@nothing(%%rip) 4@own@gottpoff(%%rip) 4@(%%rax 4f@8(%%rsp) %%edx "
	"16@%%rax\", \"i\"(0));\n"
	"	return own;\n"
	"}\n";

static const struct mark *only_mark(struct debuginfo *info, const char *provider, const char *name)
{
	g_autoptr(GPtrArray) marks = g_ptr_array_new();

	must_succeed(debuginfo_marks(info, provider, name, marks));
	if (marks->len != 1)
		g_error("%u marks '%s'", marks->len, name);
	return g_ptr_array_index(marks, 0);
}

static void assert_argument(struct fixture *fixture, const struct mark *mark, unsigned int number, const char *type,
			    const char *location)
{
	const struct variable *variable;
	const char *text;

	g_assert_cmpuint(number, <=, mark->arguments->len);
	variable = g_ptr_array_index(mark->arguments, number - 1);
	text = debuginfo_location_text(fixture->arena, variable);
	g_test_message("%s: %s", variable->name, text);
	g_assert_cmpstr(variable->name, ==, arena_printf(fixture->arena, "arg%u", number));
	g_assert_cmpstr(variable->type->spelling, ==, type);
	g_assert_cmpint(variable->type->kind, ==, type[0] == 'd' || type[0] == 'f' ? KIND_FLOAT : KIND_INTEGER);
	g_assert_cmpint(variable->type->is_signed, ==, type[0] == 's' || type[0] == 'i' || type[0] == 'l');
	if (!g_str_has_prefix(text, location))
		g_error("%s: '%s' does not begin with '%s'", variable->name, text, location);
}

/* Check that a variable in memory is at a symbol's address plus an offset. */
static void assert_symbol(struct debuginfo *info, const struct mark *mark, unsigned int number, const char *symbol,
			  uint64_t offset)
{
	const struct variable *variable = g_ptr_array_index(mark->arguments, number - 1);
	const struct value *value = variable->value;
	uint64_t found = 0;
	struct address address;

	must_succeed(debuginfo_symbol_address(info, symbol, &address));
	g_assert_cmpint(variable->location, ==, LOCATION_MEMORY);
	g_assert_cmpint(variable->memory, ==, MEMORY_USER);
	if (value->kind == VALUE_BINARY) {
		g_assert_cmpint(value->operation, ==, VALUE_ADD);
		found = value->left->kind == VALUE_CONSTANT ? value->left->constant : value->right->constant;
		value = value->left->kind == VALUE_CONSTANT ? value->right : value->left;
	}
	g_assert_cmpint(value->kind, ==, VALUE_ADDRESS);
	g_assert_cmpuint(value->constant + found, ==, address.value + offset);
}

static void check_marks(struct fixture *fixture, const char *name, bool has_symbols)
{
	static const struct {
		const char *type, *location;
	} forms[] = {
		{"signed char", "computed (u8)(%rax>>8)"},
		{"unsigned char", "computed (u8)%rsi"},
		{"unsigned short", "computed (u16)%r9"},
		{"int", "constant -7"},
		{"int", "constant 16"},
		{"unsigned long", "memory (%rcx*4)+(%rbp-16)"},
		{"unsigned long", "memory %rdx*8"},
		{"int", "memory "},
		{"unsigned long", "memory %fs+40"},
		{"int", "memory %fs-4"},
		{"unsigned long", "computed "},
		{"unsigned int", "memory (%rax*4)+"},
		{"double", "register %xmm3"},
		{"unsigned long", "not readable: it is in a register that probes cannot read"},
		{"unsigned int", "not readable: its symbol is not in the program's table of symbols"},
		{"unsigned int", "not readable: the dynamic linker chooses its address"},
		{"unsigned int", "not readable: its text is malformed"},
		{"float", "memory %rsp+8"},
		{"unsigned long", "computed (u32)%rdx"},
		{"unsigned long", "not readable: it is wider than a register"},
	};
	struct debuginfo *info = open_object(fixture, name);
	g_autofree char *path = g_build_filename(fixture->directory, name, NULL);
	const struct mark *mark;
	struct address address;
	uint64_t offset;

	g_test_message("%s", name);
	mark = only_mark(info, "*", "plain");
	assert_offset(info, mark->address, path);
	g_assert_cmpuint(mark->arguments->len, ==, 0);
	g_assert_cmpuint(mark->semaphore, ==, 0);
	mark = only_mark(info, "own", "a-[a-b]");
	g_assert_cmpstr(mark->name, ==, "a__b");
	g_assert_cmpstr(mark->provider, ==, "own");
	assert_offset(info, mark->address, path);
	g_assert_cmpuint(mark->arguments->len, ==, 2);
	g_assert_cmpuint(mark->semaphore, !=, 0);
	g_assert_true(debuginfo_file_offset(info, mark->semaphore, &offset));
	g_assert_cmpuint(mark->semaphore_offset, ==, offset);
	if (has_symbols) {
		must_succeed(debuginfo_symbol_address(info, "counter", &address));
		g_assert_cmpuint(mark->semaphore, ==, address.value);
		mark = only_mark(info, "own", "memory");
		assert_symbol(info, mark, 1, "small", 1);
		assert_symbol(info, mark, 2, "table", 8);
		mark = only_mark(info, "own", "forms");
		g_assert_cmpuint(mark->arguments->len, ==, G_N_ELEMENTS(forms));
		for (unsigned int i = 0; i < G_N_ELEMENTS(forms); i++)
			assert_argument(fixture, mark, i + 1, forms[i].type, forms[i].location);
		assert_symbol(info, mark, 8, "table", 4);
	}
	g_autoptr(GPtrArray) none = g_ptr_array_new();

	must_succeed(debuginfo_marks(info, "other", "*", none));
	must_succeed(debuginfo_marks(info, "own", "x*", none));
	g_assert_cmpuint(none->len, ==, 0);
	debuginfo_close(info);
}

/* A program that was relocated after linking: its notes have the old addresses, and .stapsdt.base tells the offset. */
static void check_moved_marks(struct fixture *fixture)
{
	struct debuginfo *info = open_object(fixture, "fixed");
	uint64_t address = only_mark(info, "own", "a__b")->address;
	uint64_t semaphore = only_mark(info, "own", "a__b")->semaphore;

	debuginfo_close(info);
	run(fixture->directory, "objcopy --change-section-address .stapsdt.base+0x1000 fixed moved");
	info = open_object(fixture, "moved");
	g_assert_cmpuint(only_mark(info, "own", "a__b")->address, ==, address + 0x1000);
	g_assert_cmpuint(only_mark(info, "own", "a__b")->semaphore, ==, semaphore + 0x1000);
	g_assert_cmpuint(only_mark(info, "own", "plain")->semaphore, ==, 0);
	debuginfo_close(info);
}

static void test_marks(struct fixture *fixture, gconstpointer data)
{
	put_file(fixture->directory, "marks.c", marks_source);
	run(fixture->directory, "gcc -O2 -fpie -pie -o pie marks.c && gcc -O2 -no-pie -fno-pie -o fixed marks.c &&"
				"strip -o stripped pie && gcc -g -O0 -fpie -pie -o plain marks.c");
	check_marks(fixture, "pie", true);
	check_marks(fixture, "fixed", true);
	check_marks(fixture, "plain", true);
	check_marks(fixture, "stripped", false);
	check_moved_marks(fixture);
}

/* Functions, lines, variables and marks of i386 programs. */
static void test_32_bit(struct fixture *fixture, gconstpointer data)
{
	g_autoptr(GPtrArray) places = g_ptr_array_new(), marks = g_ptr_array_new();
	const struct variable *variable;
	const struct function *outer;
	struct debuginfo *info;

	put_file(fixture->directory, "small.c",
		 "int number;\n"
		 "__attribute__((noinline)) int outer(int a)\n"
		 "{\n"
		 "	return a * number;\n"
		 "}\n"
		 "__asm__(\".text; 990: nop; .pushsection .note.stapsdt,\\\"?\\\",\\\"note\\\"; .balign 4;\"\n"
		 "	\".4byte 992f-991f, 994f-993f, 3; 991: .asciz \\\"stapsdt\\\"; 992: .balign 4;\"\n"
		 "	\"993: .4byte 990b, 0, 0; .asciz \\\"own\\\"; .asciz \\\"old\\\";\"\n"
		 "	\".asciz \\\"-4@%eax 4@8(%esp) -2@number\\\"; 994: .balign 4; .popsection\");\n"
		 "void _start(void) { outer(1); }\n");
	run(fixture->directory, "gcc -m32 -g -O2 -nostdlib -fno-pie -no-pie -fcf-protection=none -o small small.c &&"
				"strip --strip-debug -o bare small");
	info = open_object(fixture, "small");
	g_assert_true(debuginfo_user_object(info)->is_32_bit);
	outer = only_function(fixture, info, "outer");
	g_assert_cmpint(outer->declaration_line, ==, 2);
	g_assert_false(outer->not_probeable);
	must_succeed(debuginfo_statements(info, &(struct statement_query){.name = "outer", .file = "small.c"}, places));
	g_assert_cmpuint(places->len, >, 0);
	must_succeed(debuginfo_find_variable(outer, outer->entry.value, "a", &variable));
	g_assert_cmpstr(debuginfo_location_text(fixture->arena, variable), ==, "memory (u32)%rsp+4");
	must_succeed(debuginfo_return_value(outer, &variable));
	g_assert_cmpstr(debuginfo_location_text(fixture->arena, variable), ==, "computed (u32)%rax");
	must_succeed(debuginfo_marks(info, "own", "old", marks));
	g_assert_cmpuint(marks->len, ==, 1);
	assert_argument(fixture, g_ptr_array_index(marks, 0), 1, "int", "computed (u32)%rax");
	assert_argument(fixture, g_ptr_array_index(marks, 0), 2, "unsigned int", "memory (u32)");
	assert_argument(fixture, g_ptr_array_index(marks, 0), 3, "short", "memory ");
	debuginfo_close(info);
	info = open_object(fixture, "bare");
	only_function(fixture, info, "outer");
	debuginfo_close(info);
}

/* Probes in programs have the low word of vectors. */
static void test_floats(struct fixture *fixture, gconstpointer data)
{
	const struct variable *variable;
	const struct function *twice;
	struct debuginfo *info;

	put_file(fixture->directory, "floats.c",
		 "double twice(int n, double a, float b) { return n * a * b; }\n"
		 "int main(void) { return twice(1, 2, 3); }\n");
	run(fixture->directory, "gcc -g -O2 -o floats floats.c");
	info = open_object(fixture, "floats");
	twice = only_function(fixture, info, "twice");
	must_succeed(debuginfo_find_variable(twice, twice->entry.value, "b", &variable));
	g_assert_cmpstr(debuginfo_location_text(fixture->arena, variable), ==, "register %xmm1");
	must_succeed(debuginfo_return_value(twice, &variable));
	g_assert_cmpstr(debuginfo_location_text(fixture->arena, variable), ==, "register %xmm0");
	debuginfo_close(info);
}

/* ---- stubs and libraries ----------------------------------------------------------------------------------------- */

/* Linkage table entries must equal objdump's NAME@plt, at the same addresses. */
static void check_stubs(struct fixture *fixture, const char *name)
{
	g_autofree char *path = g_build_filename(fixture->directory, name, NULL), *listing = NULL;
	g_autoptr(GPtrArray) entries = g_ptr_array_new(), some = g_ptr_array_new();
	struct debuginfo *info = open_object(fixture, name);
	const char *own = "";

	g_test_message("%s", name);
	must_succeed(debuginfo_plt(info, "*", entries));
	for_each_ptr(const struct plt_entry *, entry, entries)
		own = arena_printf(fixture->arena, "%s%" G_GINT64_MODIFIER "x %s\n", own, entry->address, entry->name);
	run(fixture->directory,
	    arena_printf(fixture->arena,
			 "objdump -d %s | sed -n 's/^0*\\([0-9a-f]*\\) <\\([^@]*\\)@plt>:/\\1 \\2/p' >list", name));
	listing = arena_printf(fixture->arena, "%s/list", fixture->directory);
	g_autofree char *text = NULL;

	g_assert_true(g_file_get_contents(listing, &text, NULL, NULL));
	listing = NULL;
	g_assert_cmpstr(own, ==, text);
	g_assert_nonnull(strstr(own, " puts\n"));
	must_succeed(debuginfo_plt(info, "p[t-v]ts", some));
	g_assert_cmpuint(some->len, ==, 1);
	debuginfo_close(info);
}

static void test_stubs(struct fixture *fixture, gconstpointer data)
{
	static const char *const options[] = {
		"-no-pie -Wl,-z,lazy -fcf-protection=none", "-no-pie -Wl,-z,now -fcf-protection=none",
		"-pie -fpie -Wl,-z,lazy -fcf-protection",   "-pie -fpie -Wl,-z,now -fcf-protection -Wl,-z,ibtplt",
		"-pie -fpie -Wl,-z,lazy -Wl,-z,ibtplt -g",  "-shared -fpic -Wl,-z,now",
	};

	put_file(fixture->directory, "stubs.c",
		 "#include <stdio.h>\n#include <stdlib.h>\n"
		 "int (*volatile pointer)(const char *) = atoi;\n"
		 "int main(int argc, char **argv)\n"
		 "{ puts(argv[0]); puts(getenv(\"A\")); return pointer(argv[0]) + atoi(argv[1]); }\n");
	for (size_t i = 0; i < G_N_ELEMENTS(options); i++) {
		const char *name = arena_printf(fixture->arena, "stubs-%zu", i);

		run(fixture->directory, arena_printf(fixture->arena, "gcc -O2 %s -o %s stubs.c", options[i], name));
		check_stubs(fixture, name);
		run(fixture->directory, arena_printf(fixture->arena, "strip %s", name));
		check_stubs(fixture, name);
	}
}

static bool has_suffix(const GPtrArray *texts, const char *suffix)
{
	for_each_ptr(const char *, text, texts) {
		if (g_str_has_suffix(text, suffix))
			return true;
	}
	return false;
}

static void test_libraries(struct fixture *fixture, gconstpointer data)
{
	static const struct {
		const char *command;
		bool has_first, has_second;
	} programs[] = {
		{"gcc -o p main.o -Llib -lfirst '-Wl,--enable-new-dtags,-rpath,$ORIGIN/lib' -Wl,-rpath-link,lib/deep",
		 true, true},
		{"gcc -o p main.o -Llib -lfirst -Wl,-rpath-link,lib/deep", false, false},
		{"gcc -o p main.o -Llib -lbare '-Wl,--disable-new-dtags,-rpath,${ORIGIN}/lib:$ORIGIN/lib/deep' "
		 "-Wl,-rpath-link,lib/deep",
		 true, true},
		{"gcc -o p main.o -Llib -lbare '-Wl,--enable-new-dtags,-rpath,${ORIGIN}/lib:$ORIGIN/lib/deep' "
		 "-Wl,-rpath-link,lib/deep",
		 true, false},
	};

	put_file(fixture->directory, "second.c", "int second(void) { return 2; }\n");
	put_file(fixture->directory, "first.c", "int second(void); int first(void) { return second(); }\n");
	put_file(fixture->directory, "main.c", "int first(void); int main(void) { return first(); }\n");
	run(fixture->directory,
	    "mkdir -p lib/deep && gcc -c main.c && gcc -shared -fpic -o lib/deep/libsecond.so second.c &&"
	    "gcc -shared -fpic -o lib/libfirst.so first.c -Llib/deep -lsecond '-Wl,-rpath,$ORIGIN/deep' &&"
	    "gcc -shared -fpic -o lib/libbare.so first.c -Llib/deep -lsecond");
	for (size_t i = 0; i < G_N_ELEMENTS(programs); i++) {
		g_autoptr(GPtrArray) paths = g_ptr_array_new();
		struct debuginfo *info;

		g_test_message("%s", programs[i].command);
		run(fixture->directory, programs[i].command);
		info = open_object(fixture, "p");
		must_succeed(debuginfo_libraries(info, paths));
		g_assert_cmpint(has_suffix(paths, "/lib/libfirst.so") || has_suffix(paths, "/lib/libbare.so"), ==,
				programs[i].has_first);
		g_assert_cmpint(has_suffix(paths, "/lib/deep/libsecond.so"), ==, programs[i].has_second);
		g_assert_true(has_suffix(paths, "/libc.so.6"));
		g_assert_false(has_suffix(paths, "/p"));
		for_each_ptr(const char *, path, paths) {
			_cleanup_free_ char *real = realpath(path, NULL);

			g_assert_cmpstr(path, ==, real);
		}
		debuginfo_close(info);
	}
}

/* ---- exits ------------------------------------------------------------------------------------------------------- */

static const char exits_source[] =
	"function once, \"ret\"\n"
	"function twice, \"test %edi, %edi; je 1f; ret; 1: mov $1, %eax; ret\"\n"
	"function tail, \"jmp once\"\n"
	"function stub, \"jmp *pointer(%rip)\"\n"
	"function virtual, \"jmp *8(%rax)\"\n"
	"function guess, \"jmp *%rax\"\n"
	"function framed, \".cfi_startproc; push %rbp; .cfi_def_cfa_offset 16; jmp *%rax;"
	"pop %rbp; .cfi_def_cfa_offset 8; ret; .cfi_endproc\"\n"
	"function popped, \"pop %rbx; jmp *%rax; leave; jmp *%rdx; add $24, %rsp; jmp *%r11; pop %r12; jmp *%rax\"\n"
	"function switch, \"add %rdx, %rax; jmp *%rax; ret; ret\"\n"
	"function marked, \"notrack jmp *%rax; ret\"\n"
	"function indexed, \"jmp *table(,%rax,8); ret\"\n"
	"function split, \".cfi_startproc; test %edi, %edi; jne split.cold; ret; .cfi_endproc\"\n"
	"function lost, \".cfi_startproc; test %edi, %edi; jne split.cold+1; ret; .cfi_endproc\"\n"
	"function away, \".cfi_startproc; push %rbx; .cfi_def_cfa_offset 16; jne far; pop %rbx;"
	".cfi_def_cfa_offset 8; ret; .cfi_endproc\"\n"
	"function data, \".byte 0x0f, 0x04\"\n"
	"function calls, \"call once; ret\"\n"
	"function points, \"call *%rax; ret\"\n"
	"function frame, \"push %rbp; mov %rsp, %rbp; sub $16, %rsp; mov %rbp, %rsp; pop %rbp; ret\"\n"
	"function align, \"lea -8(%rsp), %rsp; and $-16, %rsp; lea -8(%rbp), %rsp; mov %r12, %rdi; pop %r12; ret\"\n"
	"function swap, \"mov %rsi, %rsp; ret\"\n"
	"function load, \"mov 8(%rdi), %rsp; ret\"\n"
	"function take, \"pop %rsp; ret\"\n"
	"function exchange, \"xchg %rax, %rsp; ret\"\n"
	"function compute, \"lea (%rdi,%rsi), %rsp; ret\"\n"
	".section .text.unlikely,\"ax\"\n"
	".type split.cold, @function\n"
	"split.cold: .cfi_startproc; push %rax; pop %rax; ret; .cfi_endproc\n"
	".size split.cold, .-split.cold\n"
	".Lother: .cfi_startproc; nop; ret; .cfi_endproc\n"
	"far: .cfi_startproc; .cfi_def_cfa_offset 16; nop; test %eax, %eax; jne 1f; pop %rbx;"
	".cfi_def_cfa_offset 8; ret; 1: jmp once; .cfi_endproc\n"
	".Lnext: .cfi_startproc; ret; .cfi_endproc\n"
	".data\npointer: .quad 0\ntable: .quad 0\n";

static void test_exits(struct fixture *fixture, gconstpointer data)
{
	static const struct {
		const char *function;
		unsigned int returns, tail_calls;
		const char *problem;
		bool is_leaf;
	} functions[] = {
		{"once", 1, 0, NULL, true},	{"twice", 2, 0, NULL, true},
		{"tail", 0, 1, NULL, false},	{"stub", 0, 1, NULL, false},
		{"virtual", 0, 1, NULL, false}, {"guess", 0, 0, "may leave it", false},
		{"framed", 1, 0, NULL, false},	{"switch", 2, 0, NULL, false},
		{"marked", 1, 0, NULL, false},	{"indexed", 1, 0, NULL, false},
		{"split", 2, 0, NULL, true},	{"lost", 0, 0, "is elsewhere", false},
		{"away", 2, 1, NULL, false},	{"data", 0, 0, "be decoded", false},
		{"calls", 1, 0, NULL, false},	{"points", 1, 0, NULL, false},
		{"frame", 1, 0, NULL, true},	{"align", 1, 0, NULL, false},
		{"swap", 1, 0, NULL, false},	{"load", 1, 0, NULL, false},
		{"take", 1, 0, NULL, false},	{"exchange", 1, 0, NULL, false},
		{"compute", 1, 0, NULL, false},
	};
	g_autofree char *source = g_strndup(code_source, (gsize)(strstr(code_source, "function plain") - code_source));
	g_autofree char *all = g_strconcat(source, exits_source, NULL);
	struct debuginfo *info;

	put_file(fixture->directory, "exits.s", all);
	run(fixture->directory, "gcc -nostdlib -no-pie -Wl,--defsym=_start=0,--eh-frame-hdr -o exits exits.s");
	info = open_object(fixture, "exits");
	for (size_t i = 0; i < G_N_ELEMENTS(functions); i++) {
		g_autoptr(GPtrArray) exits = g_ptr_array_new();
		bool is_leaf;
		struct error *error =
			debuginfo_exits(only_function(fixture, info, functions[i].function), exits, &is_leaf);
		unsigned int tail_calls = 0;

		g_test_message("%s", functions[i].function);
		if (functions[i].problem)
			must_fail(error, ERROR_LOOKUP, functions[i].problem);
		else
			must_succeed(error);
		for_each_ptr(const struct function_exit *, exit, exits)
			tail_calls += exit->is_tail_call;
		g_assert_cmpuint(tail_calls, ==, functions[i].tail_calls);
		g_assert_cmpuint(exits->len - tail_calls, ==, functions[i].returns);
		g_assert_cmpint(is_leaf, ==, functions[i].is_leaf);
	}
	debuginfo_close(info);
}

/* ---- names with scopes ------------------------------------------------------------------------------------------- */

/* Return the functions that match a pattern, with their scopes, in one string. */
static const char *function_names(struct fixture *fixture, struct debuginfo *info, const char *name)
{
	const GPtrArray *found = find_functions(fixture, info, name);
	const char *text = "";

	for_each_ptr(const struct function *, function, found)
		text = arena_printf(fixture->arena, "%s%s%s%s", text, text[0] ? " " : "", function->scope,
				    function->name);
	return text;
}

struct pattern {
	const char *pattern, *names;
};

/* @finish is a command to run on the finished object, or "". */
static void check_patterns(struct fixture *fixture, const char *compiler, const char *finish,
			   const struct pattern *patterns, size_t count)
{
	const char *source = g_getenv("SPILE_SRCDIR");
	struct debuginfo *info;

	g_assert_nonnull(source);
	run(fixture->directory,
	    arena_printf(fixture->arena, "as -o f.o %s/testsuite/programs/functions-%s.s && ld -shared -o f f.o %s",
			 source, compiler, finish));
	/* Query twice; the second time the index comes from the cache. */
	for (int round = 0; round < 2; round++) {
		info = open_object(fixture, "f");
		for (size_t i = 0; i < count; i++) {
			g_test_message("%s: %s", compiler, patterns[i].pattern);
			g_assert_cmpstr(function_names(fixture, info, patterns[i].pattern), ==, patterns[i].names);
		}
		debuginfo_close(info);
	}
}

static void test_scopes(struct fixture *fixture, gconstpointer data)
{
	static const struct pattern cplusplus[] = {
		{"area", "geometry::Shape::area area"},
		{"Shape::area", "geometry::Shape::area"},
		{"geometry::Shape::area", "geometry::Shape::area"},
		{"ometry::Shape::area", ""},
		{"geometry::area", ""},
		{"::area", "area"},
		{"*::area", "geometry::Shape::area"},
		{"geo*::c*t", "geometry::Shape::count"},
		{"Shape::Shape", "geometry::Shape::Shape"},
		{"hidden", "geometry::(anonymous namespace)::hidden"},
		{"geometry::hidden", "geometry::(anonymous namespace)::hidden"},
		{"put", "geometry::put geometry::put"},
		{"largest<int>", "largest<int>"},
		{"Box<int>::get", "Box<int>::get"},
		{"Box*::get", "Box<int>::get"},
		{"operator<", "geometry::Shape::operator<"},
		{"Shape::operator<", "geometry::Shape::operator<"},
		{"operator", ""},
		{"run", "run"},
		{"larges", ""},
	};
	static const struct pattern by_gcc[] = {{"largest", "largest<int> largest<long int>"}};
	static const struct pattern by_clang[] = {{"largest", "largest<int> largest<long>"}};
	static const struct pattern rust[] = {
		{"area", "functions::geometry::{impl#0}::area functions::area"},
		{"geometry::area", "functions::geometry::{impl#0}::area"},
		{"functions::area", "functions::area"},
		{"Shape::grow", "functions::geometry::Shape::grow"},
		{"largest", "functions::geometry::largest<i32> functions::geometry::largest<i64>"},
		{"geometry::largest<i64>", "functions::geometry::largest<i64>"},
	};

	check_patterns(fixture, "gcc", "", cplusplus, G_N_ELEMENTS(cplusplus));
	check_patterns(fixture, "gcc", "", by_gcc, G_N_ELEMENTS(by_gcc));
	check_patterns(fixture, "clang", "", cplusplus, G_N_ELEMENTS(cplusplus));
	check_patterns(fixture, "clang", "", by_clang, G_N_ELEMENTS(by_clang));
	check_patterns(fixture, "rust", "", rust, G_N_ELEMENTS(rust));
}

/* A method that is defined outside its class has the line of its definition, others that of their class. */
static void test_lines_of_methods(struct fixture *fixture, gconstpointer data)
{
	static const char *const compilers[] = {"gcc", "clang"};
	static const struct {
		const char *name;
		int line; /* in functions.cc */
	} methods[] = {{"Shape::area", 29}, {"Shape::count", 19}, {"Shape::operator<", 23}};

	for (size_t i = 0; i < G_N_ELEMENTS(compilers); i++) {
		struct debuginfo *info;

		check_patterns(fixture, compilers[i], "", NULL, 0);
		info = open_object(fixture, "f");
		for (size_t j = 0; j < G_N_ELEMENTS(methods); j++) {
			const GPtrArray *found = find_functions(fixture, info, methods[j].name);
			const struct function *function = g_ptr_array_index(found, 0);

			g_test_message("%s: %s", compilers[i], methods[j].name);
			g_assert_cmpint(function->declaration_line, ==, methods[j].line);
		}
		debuginfo_close(info);
	}
}

/* Symbols without DWARF give the same functions, and mangled names still match. */
static void test_mangled(struct fixture *fixture, gconstpointer data)
{
	static const struct pattern cplusplus[] = {
		{"area", "geometry::Shape::area area"},
		{"Shape::area", "geometry::Shape::area"},
		{"::area", "area"},
		{"geo*::c*t", "geometry::Shape::count"},
		{"Shape::Shape", "geometry::Shape::Shape"},
		{"geometry::hidden", "geometry::(anonymous namespace)::hidden"},
		{"put", "geometry::put geometry::put"},
		{"Box*::get", "Box<int>::get"},
		{"largest", "largest<int> largest<long>"},
		{"Shape::operator<", "geometry::Shape::operator<"},
		{"run", "run"},
		{"_ZNK8geometry5Shape4areaEi", "geometry::Shape::area"},
		{"_ZN8geometry3put*", "geometry::put geometry::put"},
		{"_ZN*nothing*", ""},
	};
	static const struct pattern rust[] = {
		{"functions::area", "functions::area"},
		{"Shape::grow", "functions::geometry::Shape::grow"},
	};

	check_patterns(fixture, "gcc", "&& strip --strip-debug f", cplusplus, G_N_ELEMENTS(cplusplus));
	check_patterns(fixture, "clang", "&& strip --strip-debug f", cplusplus, G_N_ELEMENTS(cplusplus));
	check_patterns(fixture, "rust", "&& strip --strip-debug f", rust, G_N_ELEMENTS(rust));
}

/* Names whose scope does not simply end at the last "::", and code that is named after another function. */
static void test_hard_names(struct fixture *fixture, gconstpointer data)
{
	static const struct {
		const char *symbol, *name;
	} names[] = {
		{"_ZZ4mainENKUlNSt7__cxx1112basic_stringIcEEE_clES1_",
		 "main::{lambda(std::__cxx11::basic_string<char>)#1}:: operator()"},
		{"_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
		 "std:: operator<< <std::char_traits<char> >"},
		{"_ZN1AcvbEv", "A:: operator bool"},
		{"_ZN5shell6runnerIN1a1bEE4stopEv", "shell::runner<a::b>:: stop"},
		{"_Z4mainv", " main"},
		{"_RNvCs1234_7mycrate3foo", "mycrate:: foo"},
		{"_ZThn8_N1A1fEv", NULL},
		{"_Zebra", NULL},
		{"_Reset", NULL},
		{"_Z", NULL},
		{"main", NULL},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		const char *scope, *name;
		bool is_name = index_read_mangled(fixture->arena, names[i].symbol, &scope, &name);

		g_test_message("%s", names[i].symbol);
		g_assert_cmpstr(is_name ? arena_printf(fixture->arena, "%s %s", scope, name) : NULL, ==, names[i].name);
	}
}

/* A symbol whose demangled name would have many megabytes. */
static void test_endless_name(struct fixture *fixture, gconstpointer data)
{
	g_autoptr(GString) symbol = g_string_new("_Z1fISt4pairIiiE");
	const char *scope, *name;

	for (const char *part = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"; *part; part++)
		g_string_append_printf(symbol, "S_IS%c_S%c_E", *part, *part);
	g_string_append(symbol, "EvT_");
	g_assert_false(index_read_mangled(fixture->arena, symbol->str, &scope, &name));
}

/* Symbols with dots, from the source and from a compiler. */
static void test_dots(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *macros = g_strndup(code_source, (gsize)(strstr(code_source, "function plain") - code_source));
	g_autofree char *all = g_strconcat(macros,
					   "function main.run, ret\nfunction part.isra.0, ret\n"
					   "function part.constprop.1, ret\nfunction part.cold, ret\n",
					   NULL);
	struct debuginfo *info;

	put_file(fixture->directory, "dots.s", all);
	run(fixture->directory, "gcc -nostdlib -shared -o dots dots.s");
	info = open_object(fixture, "dots");
	g_assert_cmpstr(function_names(fixture, info, "*"), ==, "main.run part part");
	g_assert_cmpstr(function_names(fixture, info, "main.run"), ==, "main.run");
	g_assert_cmpstr(function_names(fixture, info, "main"), ==, "");
	g_assert_cmpstr(only_function(fixture, info, "part.constprop.1")->symbol, ==, "part.constprop.1");
	debuginfo_close(info);
}

/* ---- several functions of one symbol, several symbols of one function -------------------------------------------- */

static int compare_words(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Return "NAME NAME ..." of the functions that a pattern finds, sorted. */
static const char *sorted_names(struct fixture *fixture, struct debuginfo *info, const char *name)
{
	const char *names = function_names(fixture, info, name);
	g_auto(GStrv) parts = g_strsplit(names, " ", 0);
	g_autofree char *joined = NULL;

	qsort(parts, g_strv_length(parts), sizeof(*parts), compare_words);
	joined = g_strjoinv(" ", parts);
	return arena_strdup(fixture->arena, joined);
}

static void check_names(struct fixture *fixture, const char *file, const struct pattern *patterns, size_t count)
{
	struct debuginfo *info = open_object(fixture, file);

	for (size_t i = 0; i < count; i++) {
		g_test_message("%s: %s", file, patterns[i].pattern);
		g_assert_cmpstr(sorted_names(fixture, info, patterns[i].pattern), ==, patterns[i].names);
	}
	debuginfo_close(info);
}

/*
 * All versions of a symbol are probed. The implementations of an indirect function are probed, also those to which only
 * the global offset table leads. Several names of an address are one function.
 */
static void test_versions(struct fixture *fixture, gconstpointer data)
{
	static const struct pattern full[] = {
		{"api", "api_v1 api_v2"},    {"multi", "impl_a impl_b"},
		{"other", "impl_b visible"}, {"chosen", "impl_a impl_b"},
		{"named", "named"},	     {"alias_one", "named"},
		{"api_v1", "api_v1"},	     {"missing", ""},
	};
	static const struct pattern stripped[] = {
		{"api", "api api"},	    {"multi", "multi multi"}, {"named", "named"},
		{"alias_one", "alias_one"}, {"*name*", "named"},      {"a*", "alias_one api api"},
	};

	put_file(fixture->directory, "api.c",
		 "int api_v1(int x) { return x + 1; }\n"
		 "int api_v2(int x) { return x + 2; }\n"
		 "__asm__(\".symver api_v1,api@V1; .symver api_v2,api@@V2\");\n"
		 "int feature;\n"
		 "static int impl_a(int x) { return x * 3; }\n"
		 "static int impl_b(int x) { return x * 4; }\n"
		 "int visible(int x) { return x * 5; }\n"
		 "typedef int implementation(int);\n"
		 "static implementation *resolve(void) { return feature ? impl_a : impl_b; }\n"
		 "static implementation *resolve_other(void) { return feature ? visible : impl_b; }\n"
		 "static __attribute__((noinline, noclone)) implementation *choose(int x)\n"
		 "{ return x ? impl_a : impl_b; }\n"
		 "static implementation *resolve_chosen(void) { return choose(feature); }\n"
		 "int multi(int) __attribute__((ifunc(\"resolve\")));\n"
		 "int other(int) __attribute__((ifunc(\"resolve_other\")));\n"
		 "int chosen(int) __attribute__((ifunc(\"resolve_chosen\")));\n"
		 "int named(int x) { return x * 7; }\n"
		 "int alias_one(int) __attribute__((alias(\"named\")));\n"
		 "int __alias_two(int) __attribute__((weak, alias(\"named\")));\n");
	put_file(fixture->directory, "api.map",
		 "V1 { global: api; multi; other; chosen; named; alias_one; __alias_two; local: *; };\n"
		 "V2 { global: api; } V1;\n");
	for (int level = 0; level < 3; level++) {
		g_test_message("-O%d", level);
		run(fixture->directory,
		    arena_printf(fixture->arena,
				 "gcc -g -O%d -fno-ipa-icf -shared -fPIC -Wl,--version-script=api.map -o api api.c && "
				 "strip -o bare-api api",
				 level));
		check_names(fixture, "api", full, G_N_ELEMENTS(full));
		check_names(fixture, "bare-api", stripped, level ? G_N_ELEMENTS(stripped) : 1);
	}
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		void (*test)(struct fixture *fixture, gconstpointer data);
	} tests[] = {
		{"dwarf", test_dwarf},
		{"debuglink", test_debuglink},
		{"debuginfod", test_debuginfod},
		{"split", test_split},
		{"type-units", test_type_units},
		{"dwz", test_dwz},
		{"supplementary", test_supplementary},
		{"symbols", test_symbols},
		{"mixed", test_mixed},
		{"bad-files", test_bad_files},
		{"probeable", test_probeable},
		{"marks", test_marks},
		{"32-bit", test_32_bit},
		{"floats", test_floats},
		{"stubs", test_stubs},
		{"libraries", test_libraries},
		{"exits", test_exits},
		{"restartable", test_restartable},
		{"scopes", test_scopes},
		{"lines-of-methods", test_lines_of_methods},
		{"mangled", test_mangled},
		{"hard-names", test_hard_names},
		{"endless-name", test_endless_name},
		{"dots", test_dots},
		{"versions", test_versions},
	};

	g_test_init(&count, &arguments, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(tests); i++) {
		g_autofree char *name = g_strconcat("/objects/", tests[i].name, NULL);

		g_test_add(name, struct fixture, NULL, set_up, tests[i].test, tear_down);
	}
	return g_test_run();
}
