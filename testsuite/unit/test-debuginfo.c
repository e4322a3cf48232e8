// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Debuginfo: finding kernels, functions, variables and types.
 *
 * The first half compiles a small "kernel" and a small "module" with gcc into a temporary root with the layout of
 * Debian's packages. Its queries have their answers in the source below. The second half queries the real kernels under
 * $SPILE_TEST_KERNEL_ROOTS (directories of unpacked packages); without it, that half is skipped.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "testsuite/unit/errors.h"
#include "testsuite/unit/part.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/debuginfo/kernel/kernel.h"

#define RELEASE "1.2.3-test"
#define RDI 5
#define RSI 4
#define RDX 1
#define RAX 0

/* The table of BUG()s: each entry begins with its address, and ends with a line and flags. */
#define BUG_SOURCE                                                                                                     \
	"#ifndef BUG_WORDS\n"                                                                                          \
	"#define BUG_WORDS 2\n"                                                                                        \
	"#endif\n"                                                                                                     \
	"__attribute__((noinline)) void broken(void)\n"                                                                \
	"{\n"                                                                                                          \
	"__asm__ volatile(\"1: ud2; .pushsection __bug_table, \\\"aw\\\"\\n\"\n"                                       \
	"\".long 1b - .; .skip 4 * %c0; .short 7, 0; .popsection\"\n"                                                  \
	": : \"i\"(BUG_WORDS));\n"                                                                                     \
	"}\n"

/* A branch of a static key. */
#define KEY_SOURCE                                                                                                     \
	"__attribute__((noinline)) void keyed(void)\n"                                                                 \
	"{\n"                                                                                                          \
	"__asm__ goto(\"1: .byte 0x0f, 0x1f, 0x44, 0, 0; .pushsection __jump_table, \\\"aw\\\"\\n\"\n"                 \
	"\".long 1b - ., %l[yes] - .; .quad 0; .popsection\" : : : : yes);\n"                                          \
	"broken();\n"                                                                                                  \
	"yes:;\n"                                                                                                      \
	"}\n"

/* Line numbers count from the first line of the string: the tests name them. */
static const char kernel_source[] =
	"#include \"sample.h\"\n" /* 1 */
	"struct hidden { int secret; };\n"
	"int answer = 42;\n"
	"static long counter;\n"
	"int grid[2][3];\n" /* 5 */
	"__attribute__((section(\".noinstr.text\"), noinline)) int quiet(int x)\n"
	"{\n"
	"	return x + 1;\n"
	"}\n"
	"static __attribute__((noinline)) long local_sum(struct sample *s, int n)\n" /* 10 */
	"{\n"
	"	long sum = 0;\n"
	"	for (int i = 0; i < n; i++)\n"
	"		sum += use(s, i);\n"
	"\n" /* 15 */
	"	counter += sum;\n"
	"	return sum;\n"
	"}\n"
	"long entry_point(struct sample *sample, const char *name, unsigned flags)\n"
	"{\n" /* 20 */
	"	volatile int on_stack = helper(sample, flags);\n"
	"	if (name[0])\n"
	"		return local_sum(sample, on_stack);\n"
	"	return helper(sample, 3) + use(sample, answer);\n"
	"}\n" /* 25 */
	"struct big give_big(void) { struct big b = { { 1 } }; return b; }\n"
	"struct pair give_pair(struct pair p) { return p; }\n"
	"void nothing(void (*callback)(struct sample *), enum color c) { callback(0); use(0, c); }\n"
	"long use(struct sample *s, int i) { return s ? s->value + i + quiet(i) : 0; }\n"
	"__attribute__((noinline)) int kasan_check_range(int x) { return x * 3; }\n" BUG_SOURCE KEY_SOURCE
	"extern char __start___jump_table[], __stop___jump_table[];\n"
	"char *const jumps[] = {__start___jump_table, __stop___jump_table};\n"
	"extern char __start___bug_table[], __stop___bug_table[];\n"
	"char *const bugs[] = {__start___bug_table, __stop___bug_table};\n";

static const char kernel_header[] =
	"enum color { RED, GREEN = 5, BLUE = -1 };\n" /* 1 */
	"typedef unsigned long my_size_t;\n"
	"struct hidden;\n"
	"union both { int as_int; char as_text[4]; };\n"
	"struct big { long words[4]; };\n" /* 5 */
	"struct pair { long a, b; };\n"
	"struct sample {\n"
	"	int value;\n"
	"	unsigned low : 3, middle : 7;\n"
	"	int negative : 5;\n" /* 10 */
	"	unsigned long long wide : 40;\n"
	"	union { int inner_int; struct { short deep_a, deep_b; }; };\n"
	"	const char *text;\n"
	"	my_size_t length;\n"
	"	struct hidden *hidden;\n" /* 15 */
	"	int table[4][2];\n"
	"	void (*callback)(struct sample *, int);\n"
	"	enum color color;\n"
	"	_Bool flag;\n"
	"	union both both;\n" /* 20 */
	"	char tail[];\n"
	"};\n"
	"long use(struct sample *s, int i);\n"
	"int quiet(int x);\n"
	"static inline __attribute__((always_inline)) int helper(struct sample *h, int extra)\n"
	"{\n"
	"	return h->value * extra + h->table[1][0];\n"
	"}\n";

static const char other_source[] = "#include \"sample.h\"\n"
				   "static long counter = 7;\n"
				   "long other(struct sample *s) { return use(s, counter++); }\n";

static const char module_source[] =
	"int printk(const char *, ...);\n"
	"static int level = 3;\n"
	"int exported(int argument) { return printk(\"%d\", argument + level++); }\n"
	"__asm__(\".section __ksymtab,\\\"a\\\"\\n__ksymtab_exported: .quad 0\\n.text\");\n"
	"__attribute__((section(\".init.text\"))) int start(void) { return exported(1); }\n" BUG_SOURCE KEY_SOURCE;

struct fixture {
	struct arena *arena;
	char *root;
	char *cache;
	struct target_kernel kernel;
	struct debuginfo *info;
};

/* The debuginfo search of the current test. */
static struct debuginfo_search search = {.root = ""};

static struct error *open_info(const struct target_kernel *kernel, const char *module, const char *cache,
			       struct debuginfo **ret)
{
	search.cache_directory = cache;
	return debuginfo_open(kernel, &search, module, ret);
}

static struct error *open_executable(const struct target_kernel *kernel, const char *path, const char *cache,
				     struct debuginfo **ret)
{
	search.cache_directory = cache;
	return debuginfo_open_types(kernel, &search, path, path, MEMORY_USER, ret);
}

static void must_fail_with_hint(struct error *error, enum error_code code, const char *part)
{
	g_assert_nonnull(error);
	g_assert_nonnull(error->hint);
	must_fail(error, code, part);
}

static void put_file(const char *root, const char *path, const char *text, gssize size)
{
	g_autofree char *full = g_build_filename(root, path, NULL);
	g_autofree char *directory = g_path_get_dirname(full);

	g_assert_cmpint(g_mkdir_with_parents(directory, 0755), ==, 0);
	g_assert_true(g_file_set_contents(full, text, size, NULL));
}

static void run(const char *directory, const char *command)
{
	const char *arguments[] = {"/bin/sh", "-c", command, NULL};
	g_autofree char *errors = NULL;
	int status;

	g_assert_true(g_spawn_sync(directory, (char **)arguments, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, &errors,
				   &status, NULL));
	if (status)
		g_error("%s: %s", command, errors);
}

static void build_kernel(const char *root, const char *dwarf)
{
	g_autofree char *command =
		g_strdup_printf("gcc -gdwarf-%s -O2 -fno-pie -fno-ipa-icf -fno-ipa-sra -fcf-protection=none -I include "
				"-nostdlib -static -Wl,--build-id -Wl,-e,entry_point "
				"-o vmlinux fs/sample.c fs/other.c && "
				"mkdir -p ../usr/lib/debug/boot && mv vmlinux ../usr/lib/debug/boot/vmlinux-" RELEASE,
				dwarf);
	g_autofree char *source = g_build_filename(root, "src", NULL);

	put_file(root, "src/fs/sample.c", kernel_source, -1);
	put_file(root, "src/fs/other.c", other_source, -1);
	put_file(root, "src/include/sample.h", kernel_header, -1);
	run(source, command);
}

static void build_module(const char *root, const char *dwarf)
{
	g_autofree char *source = g_build_filename(root, "src", NULL);
	g_autofree char *command = g_strdup_printf(
		"gcc -gdwarf-%s -O2 -fno-pie -mcmodel=kernel -pg -mfentry -mrecord-mcount -c -o m.o "
		"drivers/my-module.c && ld -r --build-id -o m.ko m.o && "
		"D=usr/lib/debug/lib/modules/" RELEASE "/kernel M=lib/modules/" RELEASE "/kernel && "
		"mkdir -p ../$D ../$M && cp m.ko ../$D/my-module.ko && objcopy --strip-debug m.ko ../$M/my-module.ko",
		dwarf);

	put_file(root, "src/drivers/my-module.c", module_source, -1);
	run(source, command);
}

static void fixture_set_up(struct fixture *fixture, gconstpointer dwarf)
{
	const char *roots[2] = {NULL, NULL};

	fixture->arena = arena_new();
	fixture->root = g_dir_make_tmp("spile-debuginfo-XXXXXX", NULL);
	fixture->cache = g_build_filename(fixture->root, "cache", NULL);
	build_kernel(fixture->root, dwarf ? dwarf : "5");
	build_module(fixture->root, dwarf ? dwarf : "5");
	roots[0] = fixture->root;
	must_succeed(kernel_find(fixture->arena, RELEASE, roots, &fixture->kernel, &search.root));
	must_succeed(open_info(&fixture->kernel, NULL, fixture->cache, &fixture->info));
}

static void remove_tree(const char *path)
{
	const char *arguments[] = {"rm", "-rf", path, NULL};

	g_spawn_sync(NULL, (char **)arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
}

static void fixture_tear_down(struct fixture *fixture, gconstpointer dwarf)
{
	debuginfo_close(fixture->info);
	remove_tree(fixture->root);
	g_free(fixture->root);
	g_free(fixture->cache);
	arena_free(fixture->arena);
}

static GPtrArray *query(struct debuginfo *info, const char *name, const char *file, int line,
			enum inline_choice inlines)
{
	struct function_query query = {.name = name, .file = file, .line = line, .inlines = inlines};
	GPtrArray *found = g_ptr_array_new();

	must_succeed(debuginfo_functions(info, &query, found));
	return found;
}

static const struct function *only_function(struct debuginfo *info, const char *name)
{
	g_autoptr(GPtrArray) found = query(info, name, NULL, 0, ONLY_REAL);

	g_assert_cmpuint(found->len, ==, 1);
	return g_ptr_array_index(found, 0);
}

static const struct variable *variable_at_entry(const struct function *function, const char *name)
{
	const struct variable *variable;

	must_succeed(debuginfo_find_variable(function, function->entry.value, name, &variable));
	return variable;
}

static void assert_register(const struct variable *variable, uint64_t number)
{
	g_assert_cmpint(variable->location, ==, LOCATION_VALUE);
	g_assert_cmpint(variable->value->kind, ==, VALUE_REGISTER);
	g_assert_cmpuint(variable->value->constant, ==, number);
}

static void assert_pieces(const struct variable *variable, uint64_t first, uint64_t second)
{
	const uint64_t registers[] = {first, second};

	g_assert_cmpint(variable->location, ==, LOCATION_PIECES);
	g_assert_cmpuint(variable->pieces->len, ==, 2);
	for (guint i = 0; i < 2; i++) {
		const struct variable_piece *piece = g_ptr_array_index(variable->pieces, i);

		g_assert_cmpuint(piece->offset, ==, i * 8);
		g_assert_cmpuint(piece->size, ==, 8);
		g_assert_cmpint(piece->location, ==, LOCATION_VALUE);
		g_assert_cmpuint(piece->value->constant, ==, registers[i]);
	}
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

static void test_functions(struct fixture *fixture, gconstpointer dwarf)
{
	const struct function *function = only_function(fixture->info, "entry_point");
	g_autoptr(GPtrArray) all = query(fixture->info, "*", NULL, 0, ONLY_REAL);
	struct address address;

	g_assert_cmpstr(function->name, ==, "entry_point");
	g_assert_cmpstr(function->declaration_file, ==, "fs/sample.c");
	g_assert_cmpint(function->declaration_line, ==, 19);
	g_assert_cmpstr(function->symbol, ==, "entry_point");
	g_assert_true(function->is_external);
	g_assert_false(function->is_inlined);
	g_assert_false(function->has_fentry);
	g_assert_cmpuint(function->size, >, 0);
	must_succeed(debuginfo_symbol_address(fixture->info, "entry_point", &address));
	g_assert_cmpuint(address.value, ==, function->entry.value);
	g_assert_null(address.section);
	g_assert_false(only_function(fixture->info, "local_sum")->is_external);
	g_assert_cmpuint(all->len, ==, 11);
	for (guint i = 1; i < all->len; i++)
		g_assert_cmpstr(((struct function *)all->pdata[i - 1])->name, <=,
				((struct function *)all->pdata[i])->name);
	must_fail(debuginfo_symbol_address(fixture->info, "no_such_symbol", &address), ERROR_LOOKUP, "no_such_symbol");
}

static void test_inlined(struct fixture *fixture, gconstpointer dwarf)
{
	g_autoptr(GPtrArray) found = query(fixture->info, "helper", NULL, 0, INCLUDE_BOTH);

	g_assert_cmpuint(found->len, ==, 2);
	for (guint i = 0; i < found->len; i++) {
		const struct function *function = g_ptr_array_index(found, i);
		const struct function *container = function->container;
		g_autoptr(GPtrArray) parameters = g_ptr_array_new();

		g_assert_true(function->is_inlined);
		g_assert_cmpstr(container->name, ==, "entry_point");
		g_assert_cmpstr(function->declaration_file, ==, "include/sample.h");
		g_assert_cmpint(function->declaration_line, ==, 25);
		g_assert_cmpuint(function->entry.value, >=, container->entry.value);
		must_succeed(debuginfo_variables(function, function->entry.value, true, false, parameters));
		g_assert_cmpuint(parameters->len, ==, 2);
		g_assert_cmpstr(((struct variable *)parameters->pdata[0])->name, ==, "h");
		g_assert_cmpstr(((struct variable *)parameters->pdata[1])->name, ==, "extra");
	}
	g_ptr_array_unref(g_steal_pointer(&found));
	found = query(fixture->info, "helper", NULL, 0, ONLY_REAL);
	g_assert_cmpuint(found->len, ==, 0);
}

static void assert_found(struct fixture *fixture, const char *name, const char *file, int line, guint count)
{
	g_autoptr(GPtrArray) found = query(fixture->info, name, file, line, ONLY_REAL);

	g_assert_cmpuint(found->len, ==, count);
}

static void test_queries(struct fixture *fixture, gconstpointer dwarf)
{
	struct function_query relative = {"entry_point", "sample.c", 4, true, ONLY_REAL};
	g_autoptr(GPtrArray) found = g_ptr_array_new(), names = g_ptr_array_new();

	assert_found(fixture, "*_*", NULL, 0, 5);
	assert_found(fixture, "give_[bp]*", NULL, 0, 2);
	assert_found(fixture, "entry", NULL, 0, 0);
	assert_found(fixture, "*", "sample.c", 0, 10);
	assert_found(fixture, "*", "fs/*.c", 0, 11);
	assert_found(fixture, "*", "*.c", 0, 11);
	assert_found(fixture, "*", "s/other.c", 0, 0);
	assert_found(fixture, "*", "fs/sample.c", 19, 1);
	assert_found(fixture, "entry_point", "fs/sample.c", 22, 1);
	assert_found(fixture, "*", "fs/sample.c", 15, 1); /* a blank line inside local_sum */
	assert_found(fixture, "*", "fs/sample.c", 2, 0);
	assert_found(fixture, "local_sum", "fs/sample.c", 22, 0);
	must_succeed(debuginfo_functions(fixture->info, &relative, found));
	g_assert_cmpuint(found->len, ==, 1);
	must_succeed(debuginfo_function_names(fixture->info, names));
	g_assert_cmpuint(names->len, ==, 12); /* with helper */
	g_assert_cmpstr(names->pdata[0], ==, "broken");
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

static void test_parameters(struct fixture *fixture, gconstpointer dwarf)
{
	const struct function *function = only_function(fixture->info, "entry_point");
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	const struct variable *variable;

	assert_register(variable_at_entry(function, "sample"), RDI);
	assert_register(variable_at_entry(function, "name"), RSI);
	variable = variable_at_entry(function, "flags");
	assert_register(variable, RDX);
	g_assert_true(variable->is_parameter);
	g_assert_cmpstr(variable->type->spelling, ==, "unsigned int");
	must_succeed(debuginfo_variables(function, function->entry.value, true, true, list));
	g_assert_cmpuint(list->len, ==, 4);
	g_assert_cmpstr(((struct variable *)list->pdata[0])->name, ==, "sample");
	g_assert_cmpstr(((struct variable *)list->pdata[3])->name, ==, "on_stack");
	must_fail(debuginfo_find_variable(function, function->entry.value, "nonsense", &variable), ERROR_LOOKUP,
		  "nonsense");
}

static void test_stack_variable(struct fixture *fixture, gconstpointer dwarf)
{
	const struct function *function = only_function(fixture->info, "entry_point");
	const struct variable *variable = variable_at_entry(function, "on_stack");

	g_assert_cmpint(variable->location, ==, LOCATION_MEMORY);
	g_assert_cmpint(variable->value->kind, ==, VALUE_BINARY);
	g_assert_cmpint(variable->value->operation, ==, VALUE_ADD);
	/* At the entry the frame does not exist yet: the variable will be below the stack pointer. */
	g_assert_cmpint(variable->value->left->kind, ==, VALUE_REGISTER);
	g_assert_cmpuint(variable->value->left->constant, ==, 7);
	g_assert_cmpint((int64_t)variable->value->right->constant, <, 0);
}

static void test_globals(struct fixture *fixture, gconstpointer dwarf)
{
	const struct function *local_sum = only_function(fixture->info, "local_sum");
	const struct function *other = only_function(fixture->info, "other");
	const struct variable *variable, *here, *there;
	struct address address;

	must_succeed(debuginfo_find_global(fixture->info, "answer", NULL, &variable));
	must_succeed(debuginfo_symbol_address(fixture->info, "answer", &address));
	g_assert_true(variable->is_global);
	g_assert_cmpint(variable->location, ==, LOCATION_MEMORY);
	g_assert_cmpint(variable->value->kind, ==, VALUE_ADDRESS);
	g_assert_cmpuint(variable->value->constant, ==, address.value);
	/* Each function sees the static variable of its own file. */
	here = variable_at_entry(local_sum, "counter");
	there = variable_at_entry(other, "counter");
	g_assert_cmpuint(here->value->constant, !=, there->value->constant);
	must_succeed(debuginfo_find_global(fixture->info, "counter", "fs/o*.c", &variable));
	g_assert_cmpuint(variable->value->constant, ==, there->value->constant);
	must_fail(debuginfo_find_variable(other, other->entry.value, "answer", &variable), ERROR_LOOKUP, "answer");
	must_fail(debuginfo_find_global(fixture->info, "counter", "mm/*.c", &variable), ERROR_LOOKUP, "mm/");
}

static void test_return_values(struct fixture *fixture, gconstpointer dwarf)
{
	const struct variable *variable;

	must_succeed(debuginfo_return_value(only_function(fixture->info, "entry_point"), &variable));
	assert_register(variable, RAX);
	g_assert_cmpstr(variable->type->spelling, ==, "long int");
	must_succeed(debuginfo_return_value(only_function(fixture->info, "give_big"), &variable));
	g_assert_cmpint(variable->location, ==, LOCATION_MEMORY);
	must_succeed(debuginfo_return_value(only_function(fixture->info, "give_pair"), &variable));
	g_assert_cmpint(variable->location, ==, LOCATION_PIECES);
	g_assert_cmpstr(debuginfo_location_text(fixture->arena, variable), ==,
			"bytes 0-7: register %rax, 8-15: register %rdx");
	assert_pieces(variable_at_entry(only_function(fixture->info, "give_pair"), "p"), RDI, RSI);
	must_fail(debuginfo_return_value(only_function(fixture->info, "nothing"), &variable), ERROR_LOOKUP, "nothing");
}

/* ---- types ------------------------------------------------------------------------------------------------------- */

static struct type *find_type(struct fixture *fixture, const char *name)
{
	struct type *type;

	must_succeed(debuginfo_find_type(fixture->info, name, &type));
	return type;
}

static struct member find_member(struct type *type, const char *name)
{
	struct member member;

	must_succeed(debuginfo_find_member(type, name, &member));
	return member;
}

static void test_members(struct fixture *fixture, gconstpointer dwarf)
{
	struct type *type = find_type(fixture, "struct sample");
	const GPtrArray *members;
	struct member member;

	g_assert_cmpint(type->kind, ==, KIND_STRUCT);
	g_assert_cmpstr(type->spelling, ==, "struct sample");
	must_succeed(debuginfo_members(type, &members));
	g_assert_cmpuint(members->len, ==, 15);
	g_assert_null(((struct member *)members->pdata[5])->name);
	g_assert_cmpuint(find_member(type, "inner_int").offset, ==, 16);
	g_assert_cmpuint(find_member(type, "deep_b").offset, ==, 18);
	member = find_member(type, "text");
	g_assert_cmpuint(member.offset, ==, 24);
	g_assert_cmpstr(member.type->spelling, ==, "const char *");
	g_assert_true(member.type->target->is_char);
	g_assert_cmpstr(find_member(type, "length").type->spelling, ==, "my_size_t");
	g_assert_cmpint(find_member(type, "length").type->kind, ==, KIND_INTEGER);
	g_assert_cmpstr(find_member(type, "callback").type->spelling, ==, "void (*)(struct sample *, int)");
	g_assert_cmpint(find_member(type, "callback").type->target->kind, ==, KIND_FUNCTION);
	g_assert_true(find_member(type, "flag").type->is_bool);
	g_assert_cmpint(find_member(type, "both").type->kind, ==, KIND_UNION);
	must_fail(debuginfo_find_member(type, "absent", &member), ERROR_LOOKUP, "absent");
}

static void test_bit_fields(struct fixture *fixture, gconstpointer dwarf)
{
	static const struct {
		const char *name;
		int bit, size;
	} fields[] = {{"low", 32, 3}, {"middle", 35, 7}, {"negative", 42, 5}, {"wide", 64, 40}};
	struct type *type = find_type(fixture, "sample");

	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++) {
		struct member member = find_member(type, fields[i].name);

		g_assert_true(member.is_bit_field);
		g_assert_cmpint(member.bit_size, ==, fields[i].size);
		g_assert_cmpuint(member.offset * 8 + (uint64_t)member.bit_offset, ==, (uint64_t)fields[i].bit);
		g_assert_cmpint(member.bit_offset + member.bit_size, <=, member.storage_size * 8);
		g_assert_cmpint(member.offset % (uint64_t)member.storage_size, ==, 0);
	}
	g_assert_true(find_member(type, "negative").type->is_signed);
}

static void test_arrays(struct fixture *fixture, gconstpointer dwarf)
{
	struct type *type = find_type(fixture, "struct sample");
	struct type *table = find_member(type, "table").type, *tail = find_member(type, "tail").type;
	const struct variable *grid;

	g_assert_cmpint(table->kind, ==, KIND_ARRAY);
	g_assert_cmpstr(table->spelling, ==, "int [4][2]");
	g_assert_cmpuint(table->count, ==, 4);
	g_assert_cmpuint(table->size, ==, 32);
	g_assert_cmpuint(table->target->count, ==, 2);
	g_assert_cmpstr(table->target->spelling, ==, "int [2]");
	g_assert_cmpstr(table->target->target->spelling, ==, "int");
	g_assert_cmpuint(tail->count, ==, 0);
	g_assert_cmpstr(tail->spelling, ==, "char []");
	must_succeed(debuginfo_find_global(fixture->info, "grid", NULL, &grid));
	g_assert_cmpstr(grid->type->spelling, ==, "int [2][3]");
}

static void test_enums(struct fixture *fixture, gconstpointer dwarf)
{
	struct type *type = find_type(fixture, "enum color");
	const GPtrArray *list;

	g_assert_cmpint(type->kind, ==, KIND_ENUM);
	g_assert_true(type->is_signed);
	must_succeed(debuginfo_enumerators(type, &list));
	g_assert_cmpuint(list->len, ==, 3);
	g_assert_cmpstr(((struct enumerator *)list->pdata[1])->name, ==, "GREEN");
	g_assert_cmpint(((struct enumerator *)list->pdata[1])->value, ==, 5);
	g_assert_cmpint(((struct enumerator *)list->pdata[2])->value, ==, -1);
}

static void test_declared_types(struct fixture *fixture, gconstpointer dwarf)
{
	/* other.c only declares "struct hidden"; sample.c defines it. */
	const struct function *other = only_function(fixture->info, "other");
	struct type *sample = variable_at_entry(other, "s")->type->target;
	struct type *hidden = find_member(sample, "hidden").type->target;

	g_assert_false(hidden->is_declaration);
	g_assert_cmpuint(find_member(hidden, "secret").offset, ==, 0);
}

static void test_type_names(struct fixture *fixture, gconstpointer dwarf)
{
	struct type *type = find_type(fixture, "const struct  sample * *");

	g_assert_cmpstr(type->spelling, ==, "struct sample **");
	g_assert_cmpint(type->target->target->kind, ==, KIND_STRUCT);
	g_assert_cmpuint(find_type(fixture, "unsigned long")->size, ==, 8);
	g_assert_cmpstr(find_type(fixture, "my_size_t")->spelling, ==, "my_size_t");
	g_assert_cmpint(find_type(fixture, "void *")->target->kind, ==, KIND_VOID);
	must_fail(debuginfo_find_type(fixture->info, "struct color", &type), ERROR_LOOKUP, "struct color");
}

/* ---- modules ----------------------------------------------------------------------------------------------------- */

static void test_module(struct fixture *fixture, gconstpointer dwarf)
{
	const struct variable *level;
	const struct function *function;
	struct debuginfo *module;
	GPtrArray *names;

	must_succeed(debuginfo_module_names(&fixture->kernel, fixture->arena, "my-m*", &names));
	g_assert_cmpuint(names->len, ==, 1);
	g_assert_cmpstr(names->pdata[0], ==, "my_module");
	must_succeed(open_info(&fixture->kernel, "my-module", fixture->cache, &module));
	function = only_function(module, "exported");
	g_assert_cmpstr(function->entry.section, ==, ".text");
	g_assert_cmpuint(function->entry.value, ==, 0);
	g_assert_true(function->is_exported);
	g_assert_true(function->has_fentry);
	assert_register(variable_at_entry(function, "argument"), RDI);
	level = variable_at_entry(function, "level");
	g_assert_cmpint(level->value->kind, ==, VALUE_ADDRESS);
	g_assert_cmpstr(level->value->section, ==, ".data");
	function = only_function(module, "start");
	g_assert_cmpstr(function->entry.section, ==, ".init.text");
	g_assert_false(function->is_init); /* it can be probed while the module is loaded */
	debuginfo_close(module);
	must_fail_with_hint(open_info(&fixture->kernel, "absent", NULL, &module), ERROR_LOOKUP, "absent");
}

static void test_compressed_module(struct fixture *fixture, gconstpointer dwarf)
{
	g_autofree char *source = g_build_filename(fixture->root, "src", NULL);
	struct debuginfo *module;

	run(source, "xz -k -C crc32 m.ko && cp m.ko.xz ../lib/modules/" RELEASE "/kernel/packed.ko.xz");
	must_succeed(open_info(&fixture->kernel, "packed", NULL, &module));
	g_assert_true(only_function(module, "exported")->has_fentry);
	assert_register(variable_at_entry(only_function(module, "exported"), "argument"), RDI);
	debuginfo_close(module);
}

static void test_module_mismatch(struct fixture *fixture, gconstpointer dwarf)
{
	g_autofree char *source = g_build_filename(fixture->root, "src", NULL);
	struct debuginfo *module;

	run(source, "ld -r --build-id=0x1234123412341234123412341234123412341234 -o ../lib/modules/" RELEASE
		    "/kernel/my-module.ko m.o");
	must_fail_with_hint(open_info(&fixture->kernel, "my_module", NULL, &module), ERROR_DEBUGINFO, "1234");
}

/* ---- finding kernels --------------------------------------------------------------------------------------------- */

/* A kernel found by the path of its headers: its other files are in the same root. */
static void check_headers_by_path(struct arena *arena, const char *root)
{
	g_autofree char *headers = g_build_filename(root, "usr/src/linux-headers-6.1.0-10-amd64", NULL);
	const char *roots[] = {"/nonexistent", NULL};
	struct target_kernel kernel;

	put_file(root, "usr/src/linux-headers-6.1.0-10-amd64/include/config/kernel.release", "6.1.0-10-amd64\n", -1);
	put_file(root, "usr/lib/debug/boot/vmlinux-6.1.0-10-amd64", "", 0);
	put_file(root, "build-root/usr/bin/gcc", "", 0);
	must_succeed(kernel_find(arena, headers, roots, &kernel, &search.root));
	g_assert_cmpstr(search.root, ==, root);
	g_assert_true(g_str_has_suffix(kernel.vmlinux, "/usr/lib/debug/boot/vmlinux-6.1.0-10-amd64"));
	g_assert_true(g_str_has_suffix(kernel.build_root, "/build-root"));
	g_assert_false(kernel.is_self_built);
}

static void test_find(void)
{
	g_autofree char *made = g_dir_make_tmp("spile-find-XXXXXX", NULL), *root = realpath(made, NULL);
	const char *roots[] = {"/nonexistent", root, NULL};
	struct arena *arena = arena_new();
	struct target_kernel kernel;
	g_autofree char *link = g_build_filename(root, "lib/modules/6.1.0-9-amd64/build", NULL);
	g_autofree char *tree = g_build_filename(root, "own", NULL);
	struct error *error;

	put_file(root, "usr/src/linux-headers-6.1.0-9-amd64/Makefile", "", 0);
	put_file(root, "lib/modules/6.1.0-9-amd64/modules.order", "", 0);
	g_assert_cmpint(symlink("/usr/src/linux-headers-6.1.0-9-amd64", link), ==, 0);
	put_file(root, "usr/src/linux-headers-6.1.0-10-amd64/Makefile", "", 0);
	put_file(root, "usr/src/linux-headers-6.12.1-amd64/Makefile", "", 0);
	put_file(root, "usr/src/linux-headers-7.3~rc2-cloud-amd64/Makefile", "", 0);
	put_file(root, "usr/lib/debug/boot/vmlinux-6.5.0", "", 0);
	put_file(root, "own/Makefile", "", 0);
	put_file(root, "own/include/config/kernel.release", "7.0.0-mine\n", -1);

	must_succeed(kernel_find(arena, "6.1.0-9-amd64", roots, &kernel, &search.root));
	g_assert_true(g_str_has_suffix(kernel.build_directory, "/usr/src/linux-headers-6.1.0-9-amd64"));
	g_assert_cmpstr(search.root, ==, root);
	g_assert_null(kernel.vmlinux);
	must_succeed(kernel_find(arena, "6.1", roots, &kernel, &search.root));
	g_assert_cmpstr(kernel.release, ==, "6.1.0-10-amd64");
	must_succeed(kernel_find(arena, "6.12", roots, &kernel, &search.root));
	g_assert_cmpstr(kernel.release, ==, "6.12.1-amd64");
	must_succeed(kernel_find(arena, "7.3", roots, &kernel, &search.root));
	g_assert_cmpstr(kernel.release, ==, "7.3~rc2-cloud-amd64");
	put_file(root, "usr/src/linux-headers-7.3-cloud-amd64/Makefile", "", 0);
	must_succeed(kernel_find(arena, "7.3", roots, &kernel, &search.root));
	g_assert_cmpstr(kernel.release, ==, "7.3-cloud-amd64");
	must_succeed(kernel_find(arena, "6.5.0", roots, &kernel, &search.root));
	g_assert_null(kernel.build_directory);
	g_assert_nonnull(kernel.vmlinux);
	must_succeed(kernel_find(arena, tree, roots, &kernel, &search.root));
	g_assert_cmpstr(kernel.release, ==, "7.0.0-mine");
	g_assert_cmpstr(kernel.build_directory, ==, tree);
	g_assert_true(kernel.is_self_built);
	check_headers_by_path(arena, root);
	error = kernel_find(arena, "6.1.0-11-amd64", roots, &kernel, &search.root);
	g_assert_nonnull(error);
	g_assert_nonnull(strstr(error->hint, "stap-vm fetch 6.1.0-11-amd64"));
	must_fail(error, ERROR_LOOKUP, "here: 6.1.0-10-amd64");
	must_fail(kernel_find(arena, "6", roots, &kernel, &search.root) ?: error_new(ERROR_LOOKUP, "6"), ERROR_LOOKUP,
		  "6");
	must_fail_with_hint(kernel_find(arena, "./nowhere", roots, &kernel, &search.root), ERROR_LOOKUP, "nowhere");
	must_fail_with_hint(kernel_find(arena, root, roots, &kernel, &search.root), ERROR_LOOKUP,
			    "not a kernel build tree");
	remove_tree(root);
	arena_free(arena);
}

/*
 * A host with the packages of headers and debug symbols, but without the image. The modules come from another root with
 * the same build of the kernel, never from another build.
 */
static void test_find_in_two_roots(void)
{
	g_autofree char *host = g_dir_make_tmp("spile-host-XXXXXX", NULL);
	g_autofree char *whole = g_dir_make_tmp("spile-whole-XXXXXX", NULL);
	g_autofree char *copy =
		g_strdup_printf("mkdir -p %s/usr/lib/debug && cp -r usr/lib/debug/boot %s/usr/lib/debug", whole, whole);
	const char *roots[] = {host, whole, NULL};
	struct arena *arena = arena_new();
	struct target_kernel kernel;

	build_kernel(host, "5");
	put_file(host, "usr/src/linux-headers-" RELEASE "/Makefile", "", 0);
	put_file(host, "lib/modules/" RELEASE "/build", "", 0);
	run(host, copy);
	put_file(whole, "lib/modules/" RELEASE "/modules.builtin", "kernel/fs/ext4/ext4.ko\n", -1);
	must_succeed(kernel_find(arena, RELEASE, roots, &kernel, &search.root));
	g_assert_cmpstr(search.root, ==, host);
	g_assert_true(g_str_has_prefix(kernel.vmlinux, host));
	g_assert_true(kernel_has_built_in(&kernel, "ext4"));
	g_assert_false(kernel_has_built_in(&kernel, "xfs"));

	run(whole, "objcopy --remove-section .note.gnu.build-id usr/lib/debug/boot/vmlinux-" RELEASE);
	must_succeed(kernel_find(arena, RELEASE, roots, &kernel, &search.root));
	g_assert_false(kernel_has_built_in(&kernel, "ext4"));
	remove_tree(host);
	remove_tree(whole);
	arena_free(arena);
}

/* ---- bad files --------------------------------------------------------------------------------------------------- */

/* Without DWARF and BTF, functions have only names and addresses. */
static void check_stripped(const struct target_kernel *kernel)
{
	g_autoptr(GPtrArray) variables = g_ptr_array_new();
	const struct function *function;
	const struct variable *result;
	struct debuginfo *info;
	struct type *type;

	must_succeed(open_info(kernel, NULL, NULL, &info));
	g_assert_cmpstr(debuginfo_source(info), ==, "symbols");
	function = only_function(info, "entry_point");
	g_assert_cmpstr(function->declaration_file, ==, "");
	g_assert_cmpint(function->size, >, 0);
	must_fail_with_hint(debuginfo_variables(function, function->entry.value, true, false, variables),
			    ERROR_DEBUGINFO, "types");
	must_fail_with_hint(debuginfo_return_value(function, &result), ERROR_DEBUGINFO, "types");
	must_fail_with_hint(debuginfo_find_type(info, "struct sample", &type), ERROR_DEBUGINFO, "types");
	must_fail_with_hint(debuginfo_labels(function, "*", variables), ERROR_DEBUGINFO, "lines");
	must_fail_with_hint(debuginfo_callees(function, "*", variables), ERROR_DEBUGINFO, "calls");
	debuginfo_close(info);
}

static void open_bad(struct fixture *fixture, const char *bytes, gsize size, const char *part)
{
	struct target_kernel kernel = fixture->kernel;
	g_autofree char *path = g_build_filename(fixture->root, "bad", NULL);
	struct debuginfo *info;

	kernel.vmlinux = path;
	put_file(fixture->root, "bad", bytes, (gssize)size);
	must_fail_with_hint(open_info(&kernel, NULL, NULL, &info), ERROR_DEBUGINFO, part);
	g_assert_null(info);
}

static void test_bad_files(struct fixture *fixture, gconstpointer dwarf)
{
	struct target_kernel kernel = fixture->kernel;
	g_autofree char *bytes = NULL;
	g_autofree char *source = g_build_filename(fixture->root, "src", NULL);
	struct debuginfo *info;
	gsize size;

	g_assert_true(g_file_get_contents(kernel.vmlinux, &bytes, &size, NULL));
	open_bad(fixture, "", 0, "ELF");
	open_bad(fixture, "no kernel at all\n", 17, "not an ELF file");
	open_bad(fixture, bytes, size / 2, "truncated");
	open_bad(fixture, bytes, 70, "truncated");
	bytes[18] = 40; /* e_machine: EM_ARM */
	open_bad(fixture, bytes, size, "another machine");
	bytes[18] = 62;
	bytes[5] = 2; /* EI_DATA */
	open_bad(fixture, bytes, size, "endian");
	bytes[5] = 1;
	bytes[4] = 1; /* EI_CLASS */
	open_bad(fixture, bytes, size, "32-bit");
	run(source, "objcopy --strip-debug ../usr/lib/debug/boot/vmlinux-" RELEASE " ../stripped");
	kernel.vmlinux = arena_printf(fixture->arena, "%s/stripped", fixture->root);
	check_stripped(&kernel);
	kernel.vmlinux = "/nonexistent/vmlinux";
	must_fail_with_hint(open_info(&kernel, NULL, NULL, &info), ERROR_DEBUGINFO, "/nonexistent/vmlinux");
	kernel.vmlinux = NULL;
	must_fail_with_hint(open_info(&kernel, NULL, NULL, &info), ERROR_DEBUGINFO, RELEASE);
}

/* Run all queries, so that all damaged debuginfo is read; the answers do not matter. */
static void ask_everything(struct debuginfo *info)
{
	struct function_query all = {.name = "*"};
	g_autoptr(GPtrArray) functions = g_ptr_array_new(), variables = g_ptr_array_new();
	g_autoptr(GPtrArray) places = g_ptr_array_new();
	_cleanup_error_ struct error *error = debuginfo_functions(info, &all, functions);
	struct type *type;

	for (guint i = 0; i < functions->len; i++) {
		const struct function *function = g_ptr_array_index(functions, i);

		error_free(debuginfo_variables(function, function->entry.value, true, true, variables));
	}
	for (guint i = 0; i < variables->len; i++) {
		const struct variable *variable = g_ptr_array_index(variables, i);
		const GPtrArray *members;

		if (variable->type->target)
			error_free(debuginfo_members(variable->type->target, &members));
	}
	error_free(debuginfo_find_type(info, "struct sample", &type));
	error_free(debuginfo_statements(info, &(struct statement_query){.name = "*", .file = "*"}, places));
	for (guint i = 0; i < functions->len; i++) {
		error_free(debuginfo_callees(g_ptr_array_index(functions, i), "*", places));
		error_free(debuginfo_labels(g_ptr_array_index(functions, i), "*", places));
	}
}

/* ---- forms of DWARF ---------------------------------------------------------------------------------------------- */

#define COMPILE "-O2 -fno-pie -fcf-protection=none -I include"
#define LINK "-nostdlib -static -Wl,--build-id -Wl,-e,entry_point"
#define PLAIN "gcc -gdwarf-5 " COMPILE " " LINK " -o plain fs/sample.c fs/other.c && "

/* Forms of debuginfo that compilers and tools make, with the error if a form cannot be read (NULL: it can). */
static const struct form {
	const char *name, *command, *problem;
} forms[] = {
	{"zlib", PLAIN "objcopy --compress-debug-sections=zlib plain form", NULL},
	{"zdebug", PLAIN "objcopy --compress-debug-sections=zlib-gnu plain form", NULL},
	{"clang-4", "clang -gdwarf-4 " COMPILE " " LINK " -o form fs/sample.c fs/other.c", NULL},
	{"clang-5", "clang -gdwarf-5 " COMPILE " " LINK " -o form fs/sample.c fs/other.c", NULL},
	{"split-4", "gcc -gdwarf-4 -gsplit-dwarf " COMPILE " " LINK " -o form fs/sample.c fs/other.c",
	 "its DWARF is split"},
	{"split-5", "gcc -gdwarf-5 -gsplit-dwarf " COMPILE " " LINK " -o form fs/sample.c fs/other.c",
	 "its DWARF is split"},
	{"clang-split", "clang -gdwarf-5 -gsplit-dwarf " COMPILE " " LINK " -o form fs/sample.c fs/other.c",
	 "its DWARF is split"},
	{"half-split",
	 "gcc -gdwarf-5 -gsplit-dwarf -c " COMPILE " -o one.o fs/sample.c && gcc -gdwarf-5 -c " COMPILE
	 " -o two.o fs/other.c && gcc -fno-pie " LINK " -o form one.o two.o",
	 "its DWARF is split"},
	{"dwz", PLAIN "objcopy --add-section .gnu_debugaltlink=fs/other.c plain form", "dwz"},
	{"dwz-5", PLAIN "cp plain form && cp plain twin && dwz -5 -m shared form twin", "dwz"},
};

static void check_form(const struct target_kernel *kernel)
{
	const struct function *function;
	const struct variable *variable;
	struct debuginfo *info;
	struct member member;
	struct type *type;

	must_succeed(open_info(kernel, NULL, NULL, &info));
	function = only_function(info, "entry_point");
	g_assert_cmpstr(function->declaration_file, ==, "fs/sample.c");
	g_assert_cmpint(function->declaration_line, ==, 19);
	assert_register(variable_at_entry(function, "flags"), RDX);
	must_succeed(debuginfo_find_type(info, "struct sample", &type));
	must_succeed(debuginfo_find_member(type, "negative", &member));
	g_assert_cmpint(member.bit_size, ==, 5);
	must_succeed(debuginfo_find_global(info, "counter", "fs/other.c", &variable));
	g_assert_cmpint(variable->location, ==, LOCATION_MEMORY);
	debuginfo_close(info);
}

/* Compile with gcc or clang. Skip the test and return false if the compiler is not installed. */
static bool has_compiler(const char *compiler)
{
	g_autofree char *path = g_find_program_in_path(compiler), *reason = NULL;

	if (path)
		return true;
	reason = g_strdup_printf("no %s; apt-get install %s", compiler, compiler);
	g_test_skip(reason);
	return false;
}

static void check_forms(struct fixture *fixture, const char *compiler)
{
	g_autofree char *source = g_build_filename(fixture->root, "src", NULL);
	struct target_kernel kernel = fixture->kernel;

	kernel.vmlinux = arena_printf(fixture->arena, "%s/form", source);
	for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
		struct debuginfo *info;
		struct error *error;

		if (!g_str_has_prefix(forms[i].command, compiler))
			continue;
		g_test_message("%s", forms[i].name);
		run(source, forms[i].command);
		if (!forms[i].problem) {
			check_form(&kernel);
			continue;
		}
		error = open_info(&kernel, NULL, NULL, &info);
		if (!error) {
			error = debuginfo_prepare(info);
			debuginfo_close(info);
		}
		g_assert_nonnull(error);
		must_fail_with_hint(error, error->code, forms[i].problem);
	}
}

static void test_forms(struct fixture *fixture, gconstpointer dwarf)
{
	check_forms(fixture, "gcc");
}

static void test_forms_clang(struct fixture *fixture, gconstpointer dwarf)
{
	if (has_compiler("clang"))
		check_forms(fixture, "clang");
}

/* Variables without a place, computed from others by an expression with a branch. */
static void test_branches(struct fixture *fixture, gconstpointer dwarf)
{
	static const char source[] = "long sink;\n"
				     "__attribute__((noinline)) void clamp(long x, long z)\n"
				     "{\n"
				     "	long most = x > 0 ? x : 0;\n"
				     "	long size = z < 0 ? -z : z;\n"
				     "	*(volatile long *)&sink = x;\n"
				     "	*(volatile long *)&sink = z;\n"
				     "}\n"
				     "void entry_point(void) { clamp(1, 2); }\n";
	g_autofree char *directory = g_build_filename(fixture->root, "src", NULL);
	struct target_kernel kernel = fixture->kernel;
	const struct variable *variable;
	struct debuginfo *info;

	put_file(fixture->root, "src/branch.c", source, -1);
	run(directory, "gcc -gdwarf-5 " COMPILE " " LINK " -o branch branch.c");
	kernel.vmlinux = arena_printf(fixture->arena, "%s/branch", directory);
	must_succeed(open_info(&kernel, NULL, NULL, &info));
	variable = variable_at_entry(only_function(info, "clamp"), "most");
	g_assert_cmpstr(debuginfo_location_text(fixture->arena, variable), ==, "computed ((%rdi>0) ? %rdi : 0)");
	variable = variable_at_entry(only_function(info, "clamp"), "size");
	g_assert_cmpstr(debuginfo_location_text(fixture->arena, variable), ==, "computed ((%rsi<0) ? -%rsi : %rsi)");
	debuginfo_close(info);
}

static void assert_location(struct fixture *fixture, const struct variable *variable, const char *text)
{
	g_assert_cmpstr(debuginfo_location_text(fixture->arena, variable), ==, text);
}

/* Constants of more than 64 bits that are not in memory: structs, arrays and strings. */
static void test_wide_constants(struct fixture *fixture, gconstpointer dwarf)
{
	static const char source[] = "struct big { long a, b; int c; };\n"
				     "static const struct big wide = {1, 2, 3};\n"
				     "static const int table[5] = {10, 20, 30, 40, 50};\n"
				     "static const char word[12] = \"hello world\";\n"
				     "long sink;\n"
				     "__attribute__((noinline)) void use(long x) { *(volatile long *)&sink = x; }\n"
				     "void entry_point(void)\n"
				     "{\n"
				     "	const struct big local = {7, 8, 9};\n"
				     "	use(wide.a + table[2]);\n"
				     "	use(word[2] + local.c);\n"
				     "}\n";
	g_autofree char *directory = g_build_filename(fixture->root, "src", NULL);
	struct target_kernel kernel = fixture->kernel;
	const struct variable *variable;
	struct debuginfo *info;

	put_file(fixture->root, "src/wide.c", source, -1);
	run(directory, "gcc -gdwarf-5 " COMPILE " " LINK " -o wide wide.c");
	kernel.vmlinux = arena_printf(fixture->arena, "%s/wide", directory);
	must_succeed(open_info(&kernel, NULL, NULL, &info));
	must_succeed(debuginfo_find_global(info, "wide", NULL, &variable));
	assert_location(fixture, variable, "bytes 0-7: constant 1, 8-15: constant 2, 16-23: constant 3");
	must_succeed(debuginfo_find_global(info, "table", NULL, &variable));
	assert_location(fixture, variable,
			"bytes 0-7: constant 0x140000000a, 8-15: constant 0x280000001e, 16-19: constant 50");
	must_succeed(debuginfo_find_global(info, "word", NULL, &variable));
	assert_location(fixture, variable, "bytes 0-7: constant 0x6f77206f6c6c6568, 8-11: constant 0x646c72");
	variable = variable_at_entry(only_function(info, "entry_point"), "local");
	assert_location(fixture, variable, "bytes 0-7: constant 7, 8-15: constant 8, 16-23: constant 9");
	debuginfo_close(info);
}

/* ---- the calling convention -------------------------------------------------------------------------------------- */

/* Locations of results; those in floating-point registers are unknown: x86-64 psABI, section 3.2.3. */
static void test_calling_convention(struct fixture *fixture, gconstpointer dwarf)
{
	static const char source[] =
		"struct floats { float a, b; } floats(void) { return (struct floats){1, 2}; }\n"
		"struct mixed { double a; long b; } mixed(void) { return (struct mixed){1, 2}; }\n"
		"struct together { float a; int b; } together(void) { return (struct together){1, 2}; }\n"
		"struct two { long a; int b; } two(void) { return (struct two){1, 2}; }\n"
		"struct bytes { char a[3]; } bytes(void) { return (struct bytes){{1}}; }\n"
		"struct bits { long a : 40, b : 30; } bits(void) { return (struct bits){1, 2}; }\n"
		"struct packed { char a; long b; } __attribute__((packed)) packed(void) { return (struct packed){1, "
		"2}; }\n"
		"struct large { long a[3]; } large(void) { return (struct large){{1}}; }\n"
		"struct wide { long double a; } wide(void) { return (struct wide){1}; }\n"
		"union joined { long double a; long b[2]; } joined(void) { return (union joined){1}; }\n"
		"union half { long double a; int b; } half(void) { return (union half){1}; }\n"
		"double plain(void) { return 1; }\n"
		"__int128 huge(void) { return 1; }\n"
		"long entry_point(double x) { volatile double y = x * 2; return y; }\n";
	static const struct {
		const char *function, *location;
	} results[] = {
		{"floats", "not readable: it is, at least in part, in floating-point registers"},
		{"mixed", "not readable: it is, at least in part, in floating-point registers"},
		{"together", "register %rax"},
		{"two", "bytes 0-7: register %rax, 8-15: register %rdx"},
		{"bytes", "register %rax"},
		{"bits", "bytes 0-7: register %rax, 8-15: register %rdx"},
		{"packed", "memory %rax"},
		{"large", "memory %rax"},
		{"wide", "not readable: it is, at least in part, in floating-point registers"},
		{"joined", "bytes 0-7: register %rax, 8-15: register %rdx"},
		{"half", "memory %rax"},
		{"plain", "not readable: it is a floating-point number"},
		{"huge", "bytes 0-7: register %rax, 8-15: register %rdx"},
	};
	g_autofree char *directory = g_build_filename(fixture->root, "src", NULL);
	struct target_kernel kernel = fixture->kernel;
	const struct variable *variable;
	struct debuginfo *info;

	put_file(fixture->root, "src/abi.c", source, -1);
	run(directory, "gcc -gdwarf-5 " COMPILE " " LINK " -o abi abi.c");
	kernel.vmlinux = arena_printf(fixture->arena, "%s/abi", directory);
	must_succeed(open_info(&kernel, NULL, NULL, &info));
	for (size_t i = 0; i < G_N_ELEMENTS(results); i++) {
		const char *text;

		must_succeed(debuginfo_return_value(only_function(info, results[i].function), &variable));
		text = debuginfo_location_text(fixture->arena, variable);
		if (!g_str_has_prefix(text, results[i].location))
			g_error("%s: %s", results[i].function, text);
	}
	variable = variable_at_entry(only_function(info, "entry_point"), "x");
	g_assert_cmpint(variable->location, ==, LOCATION_UNSUPPORTED);
	g_assert_nonnull(strstr(variable->reason, "register, which probes cannot read"));
	debuginfo_close(info);
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

static struct debuginfo *open_program(struct fixture *fixture, const char *name)
{
	const char *path = arena_printf(fixture->arena, "%s/src/%s", fixture->root, name);
	struct debuginfo *info;

	must_succeed(open_executable(&fixture->kernel, path, NULL, &info));
	return info;
}

static void assert_no_variables(struct fixture *fixture, const char *name, const char *problem)
{
	struct debuginfo *info = open_program(fixture, name);
	const struct variable *variable;

	must_fail(debuginfo_find_global(info, "number", NULL, &variable), ERROR_UNSUPPORTED, problem);
	debuginfo_close(info);
}

/* Copies with the same build-id but different DWARF do not share an index. Types may have their own units. */
static void check_copies(struct fixture *fixture)
{
	static const char *const names[] = {"copy-1", "copy-2", "copy-1", "type-units"};
	g_autofree char *directory = g_build_filename(fixture->root, "src", NULL);

	put_file(fixture->root, "src/more.c", "struct more { long a; }; struct more more = {1};", -1);
	run(directory, "gcc -g -O2 -no-pie -Wl,--build-id=0xabcdef0123456789 -o copy-1 p.c more.c");
	run(directory, "gcc -g -O2 -no-pie -Wl,--build-id=0xabcdef0123456789 -o copy-2 more.c p.c");
	run(directory, "gcc -gdwarf-5 -fdebug-types-section -O2 -no-pie -o type-units more.c p.c");
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_build_filename(directory, names[i], NULL);
		const struct variable *variable;
		struct debuginfo *info;
		struct type *type;

		must_succeed(open_executable(&fixture->kernel, path, fixture->cache, &info));
		must_succeed(debuginfo_find_type(info, "struct more", &type));
		g_assert_cmpuint(type->size, ==, 8);
		must_succeed(debuginfo_find_global(info, "number", NULL, &variable));
		debuginfo_close(info);
	}
}

/* Locations of global and thread-local variables, and files that do not allow their processes to be identified. */
static void test_programs(struct fixture *fixture, gconstpointer dwarf)
{
	static const char source[] = "int number = 3;\n"
				     "static __thread volatile char block[100] __attribute__((aligned(64))) = \"b\";\n"
				     "__thread int own;\n"
				     "int main(void) { return own + block[0]; }\n";
	/* The thread-local block has 104 bytes and ends at a multiple of 64. */
	static const struct {
		const char *name, *command;
		bool is_moved;
	} programs[] = {
		{"fixed", "gcc -gdwarf-5 -O2 -no-pie -o fixed p.c", false},
		{"moved", "gcc -gdwarf-4 -O2 -fpie -pie -o moved p.c", true},
		{"split-off",
		 "gcc -gdwarf-5 -O2 -no-pie -Wl,--build-id=0x1234567890abcdef -o split-off p.c && "
		 "directory=../usr/lib/debug/.build-id/12 && mkdir -p $directory && "
		 "objcopy --only-keep-debug split-off $directory/34567890abcdef.debug && strip split-off",
		 false},
	};
	g_autofree char *directory = g_build_filename(fixture->root, "src", NULL);
	const struct variable *variable;

	put_file(fixture->root, "src/p.c", source, -1);
	for (size_t i = 0; i < G_N_ELEMENTS(programs); i++) {
		const struct user_object *program;
		struct debuginfo *info;

		g_test_message("%s", programs[i].name);
		run(directory, programs[i].command);
		info = open_program(fixture, programs[i].name);
		program = debuginfo_user_object(info);
		g_assert_null(program->problem);
		g_assert_cmpint(program->first_code >= 0x400000, !=, programs[i].is_moved);
		g_assert_cmpuint(program->id_address, <, program->first_code);
		must_succeed(debuginfo_find_global(info, "number", NULL, &variable));
		g_assert_cmpint(variable->value->kind, ==, VALUE_ADDRESS);
		g_assert_null(variable->value->section);
		must_succeed(debuginfo_find_global(info, "block", "p.c", &variable));
		assert_location(fixture, variable, "memory %fs-128");
		must_succeed(debuginfo_find_global(info, "own", NULL, &variable));
		assert_location(fixture, variable, "memory %fs-28");
		debuginfo_close(info);
	}
	check_copies(fixture);
	run(directory, "gcc -g -O2 -c -o object p.c");
	assert_no_variables(fixture, "object", "are known, not its variables");
	run(directory, "gcc -g -O2 -Wl,--build-id=none -o nameless p.c");
	assert_no_variables(fixture, "nameless", "--build-id");
	run(directory, "objcopy --only-keep-debug moved moved.debug");
	assert_no_variables(fixture, "moved.debug", "name the program");
}

/*
 * After "push %rbp; mov %rsp,%rbp", the return address is at %rbp+8. Only call frame information tells this.
 */
static void assert_framed(struct debuginfo *info, const char *name)
{
	enum { RBP = 6, PUSHED = 4 };
	const struct function *function = only_function(info, name);
	struct address pc = {function->entry.value + PUSHED, function->entry.section};
	struct frame frame, caller;
	const struct value *place;

	debuginfo_probe_frame(info, &frame);
	must_succeed(debuginfo_caller_frame(info, pc, &frame, &caller));
	place = frame_program_counter(info, &caller)->left;
	g_assert_cmpint(frame_program_counter(info, &caller)->kind, ==, VALUE_LOAD);
	g_assert_cmpint(frame_program_counter(info, &caller)->memory, ==, debuginfo_memory(info));
	g_assert_cmpint(place->kind, ==, VALUE_BINARY);
	g_assert_cmpuint(place->left->constant, ==, RBP);
	g_assert_cmpuint(place->right->constant, ==, 8);
}

/* .eh_frame stays in the stripped file; the file of debug symbols has only its section header. */
static void test_split_frames(struct fixture *fixture, gconstpointer dwarf)
{
	static const char source[] = "int first(int x) { return x + 1; }\n"
				     "int second(int x) { return first(x) * 2; }\n"
				     "int main(void) { return second(3); }\n";
	g_autofree char *directory = g_build_filename(fixture->root, "src", NULL);
	struct debuginfo *info;

	put_file(fixture->root, "src/f.c", source, -1);
	run(directory, "gcc -g -O0 -fcf-protection=none -no-pie -Wl,--build-id=0xfedcba0987654321 -o framed f.c && "
		       "D=../usr/lib/debug/.build-id/fe && mkdir -p $D && "
		       "objcopy --only-keep-debug framed $D/dcba0987654321.debug && strip framed");
	info = open_program(fixture, "framed");
	g_assert_cmpint(debuginfo_memory(info), ==, MEMORY_USER);
	assert_framed(info, "first");
	assert_framed(info, "second");
	debuginfo_close(info);
}

/* Query each line for its variables and their locations. */
static char *describe_lines(const struct target_kernel *kernel)
{
	g_autoptr(GPtrArray) places = g_ptr_array_new();
	GString *text = g_string_new(NULL);
	struct debuginfo *info;
	struct arena *arena = arena_new();

	must_succeed(open_info(kernel, NULL, NULL, &info));
	must_succeed(debuginfo_statements(info, &(struct statement_query){.name = "*", .file = "*"}, places));
	for_each_ptr(const struct statement_place *, place, places) {
		g_autoptr(GPtrArray) variables = g_ptr_array_new();

		must_succeed(debuginfo_variables(place->function, place->address.value, true, true, variables));
		for_each_ptr(const struct variable *, variable, variables)
			g_string_append_printf(text, "%s:%d+0x%lx %s %s: %s\n", place->function->name, place->line,
					       (unsigned long)(place->address.value - place->function->entry.value),
					       variable->type->spelling, variable->name,
					       debuginfo_location_text(arena, variable));
	}
	debuginfo_close(info);
	arena_free(arena);
	return g_string_free(text, FALSE);
}

static void assert_same_lines(const char *left, const char *right)
{
	g_auto(GStrv) one = g_strsplit(left, "\n", -1), other = g_strsplit(right, "\n", -1);

	for (guint i = 0; one[i] && other[i]; i++)
		g_assert_cmpstr(one[i], ==, other[i]);
	g_assert_cmpuint(g_strv_length(one), ==, g_strv_length(other));
}

/* A digest gives the same answers as its source, for every compiler. */
static void check_digest_forms(struct fixture *fixture, const char *compiler)
{
	static const char source[] = "#include \"sample.h\"\n"
				     "long sink;\n"
				     "__attribute__((noinline)) void lose(long x) { *(volatile long *)&sink = x; }\n"
				     "static inline __attribute__((always_inline)) long swap(struct pair *p, char c)\n"
				     "{\n"
				     "	long kept = p->a;\n"
				     "	short narrow = c * 3;\n"
				     "	p->a = p->b;\n"
				     "	lose(narrow);\n"
				     "	p->b = kept;\n"
				     "	lose(p->a);\n"
				     "	return kept + narrow;\n"
				     "}\n"
				     "__attribute__((noinline)) long both(long a, long b, char c)\n"
				     "{\n"
				     "	struct pair pair = {a, b};\n"
				     "	long most = a > 0 ? a : 0;\n"
				     "	lose(a);\n"
				     "	sink += swap(&pair, c);\n"
				     "	for (long i = 0; i < b; i++)\n"
				     "		lose(i * most);\n"
				     "	return pair.a - pair.b;\n"
				     "}\n"
				     "void entry_point(void) { lose(both(1, 2, 3)); }\n";
	static const char *const versions[] = {"4", "5"};
	g_autofree char *directory = g_build_filename(fixture->root, "src", NULL);
	g_autoptr(GPtrArray) modules = g_ptr_array_new();
	struct target_kernel kernel = fixture->kernel, reduced;

	put_file(fixture->root, "src/digest.c", source, -1);
	kernel.vmlinux = arena_printf(fixture->arena, "%s/digested", directory);
	g_ptr_array_add(modules, "kernel");
	for (size_t i = 0; i < G_N_ELEMENTS(versions); i++) {
		g_autofree char *command = g_strdup_printf("%s -gdwarf-%s " COMPILE " " LINK
							   " -fno-asynchronous-unwind-tables -o digested digest.c",
							   compiler, versions[i]);
		g_autofree char *digest = g_strdup_printf("%s/digest-%zu", fixture->root, i), *full = NULL,
				*less = NULL;

		g_test_message("%s", command);
		run(directory, command);
		search.cache_directory = NULL;
		must_succeed(debuginfo_export(&kernel, &search, modules, digest));
		full = describe_lines(&kernel);
		reduced = kernel;
		reduced.vmlinux = reduced.build_id = reduced.image = NULL;
		search.digest = digest;
		less = describe_lines(&reduced);
		search.digest = NULL;
		assert_same_lines(full, less);
		/* It includes location lists, entry values and implicit pointers. */
		g_assert_nonnull(strstr(full, "entry:%rd"));
		if (strcmp(compiler, "clang") != 0)
			g_assert_nonnull(strstr(full, "the object that it points to"));
		g_assert_nonnull(strstr(full, "register %"));
	}
}

static void test_digest_forms(struct fixture *fixture, gconstpointer dwarf)
{
	check_digest_forms(fixture, "gcc");
}

static void test_digest_forms_clang(struct fixture *fixture, gconstpointer dwarf)
{
	if (has_compiler("clang"))
		check_digest_forms(fixture, "clang");
}

/* zstd is read or refused, depending on the installed elfutils. */
static void test_zstd(struct fixture *fixture, gconstpointer dwarf)
{
	g_autofree char *source = g_build_filename(fixture->root, "src", NULL);
	struct target_kernel kernel = fixture->kernel;
	struct debuginfo *info;
	struct error *error;

	kernel.vmlinux = arena_printf(fixture->arena, "%s/form", source);
	run(source, PLAIN "if ! objcopy --compress-debug-sections=zstd plain form 2>/dev/null; then cp plain form; fi");
	must_succeed(open_info(&kernel, NULL, NULL, &info));
	error = debuginfo_prepare(info);
	debuginfo_close(info);
	if (error)
		must_fail_with_hint(error, ERROR_DEBUGINFO, "zstd");
	else
		check_form(&kernel);
}

/* A file that ends in the middle of any of its sections is reported as an error. */
static void test_cut_sections(struct fixture *fixture, gconstpointer dwarf)
{
	g_autofree char *bytes = NULL, *command = NULL, *list = NULL;
	g_auto(GStrv) ends = NULL;
	gsize size;

	command =
		g_strdup_printf("readelf -SW '%s' | sed 's/^ *\\[ *//' | awk '$3 != \"NOBITS\" { print $5, $6 }' >ends",
				fixture->kernel.vmlinux);
	run(fixture->root, command);
	list = g_build_filename(fixture->root, "ends", NULL);
	g_assert_true(g_file_get_contents(fixture->kernel.vmlinux, &bytes, &size, NULL));
	g_assert_true(g_file_get_contents(list, &command, NULL, NULL));
	ends = g_strsplit(command, "\n", -1);
	g_assert_cmpuint(g_strv_length(ends), >, 10);
	for (char **line = ends; *line; line++) {
		char *rest;
		guint64 start = g_ascii_strtoull(*line, &rest, 16), length = g_ascii_strtoull(rest, NULL, 16);

		if (length && start + length / 2 < size)
			open_bad(fixture, bytes, start + length / 2, start + length / 2 < 16 ? "ELF" : "truncated");
	}
}

/* vmlinux is replaced while it is open, as package managers do. The answers come from the opened file. */
static void test_replaced(struct fixture *fixture, gconstpointer dwarf)
{
	g_autofree char *other = g_strconcat(fixture->kernel.vmlinux, ".new", NULL);
	struct debuginfo *info;

	must_succeed(open_info(&fixture->kernel, NULL, NULL, &info));
	g_assert_true(g_file_set_contents(other, "another file", -1, NULL));
	g_assert_cmpint(g_rename(other, fixture->kernel.vmlinux), ==, 0);
	assert_register(variable_at_entry(only_function(info, "entry_point"), "flags"), RDX);
	debuginfo_close(info);
	must_fail_with_hint(open_info(&fixture->kernel, NULL, NULL, &info), ERROR_DEBUGINFO, "ELF");
}

/* The same for a module, whose file libdw opens again. */
static void test_replaced_module(struct fixture *fixture, gconstpointer dwarf)
{
	g_autofree char *source = g_build_filename(fixture->root, "src", NULL);
	struct debuginfo *module;

	must_succeed(open_info(&fixture->kernel, "my_module", NULL, &module));
	run(source, "ld -r --build-id=0x1234123412341234123412341234123412341234 -o other.ko m.o && "
		    "mv other.ko ../usr/lib/debug/lib/modules/" RELEASE "/kernel/my-module.ko");
	must_fail_with_hint(debuginfo_prepare(module), ERROR_DEBUGINFO, "replaced");
	debuginfo_close(module);
}

static void test_damaged_dwarf(struct fixture *fixture, gconstpointer dwarf)
{
	struct target_kernel kernel = fixture->kernel;
	g_autofree char *bytes = NULL, *path = g_build_filename(fixture->root, "bad", NULL);
	g_autoptr(GRand) random = g_rand_new_with_seed(1);
	gsize size;

	g_assert_true(g_file_get_contents(kernel.vmlinux, &bytes, &size, NULL));
	kernel.vmlinux = path;
	for (size_t round = 0; round < 300; round += part_step(3)) {
		struct debuginfo *info;
		struct error *error;
		gsize places[8];
		char kept[8];

		for (int i = 0; i < 8; i++) {
			places[i] = (gsize)g_rand_int_range(random, 64, (gint32)size);
			kept[i] = bytes[places[i]];
			bytes[places[i]] = (char)g_rand_int(random);
		}
		put_file(fixture->root, "bad", bytes, (gssize)size);
		for (int i = 7; i >= 0; i--)
			bytes[places[i]] = kept[i];
		error = open_info(&kernel, NULL, NULL, &info);
		error_free(error);
		if (error)
			continue;
		ask_everything(info);
		debuginfo_close(info);
	}
}

/* Return the path of the only index of a build-id, of any version. */
static char *index_path(const char *cache, const char *build_id)
{
	g_autofree char *start = g_strdup_printf("index-%s-v", build_id), *found = NULL;
	g_autoptr(GDir) directory = g_dir_open(cache, 0, NULL);
	const char *name;

	while ((name = g_dir_read_name(directory))) {
		if (!g_str_has_prefix(name, start))
			continue;
		g_assert_null(found);
		found = g_build_filename(cache, name, NULL);
	}
	g_assert_nonnull(found);
	return g_steal_pointer(&found);
}

static void test_damaged_index(struct fixture *fixture, gconstpointer dwarf)
{
	g_autofree char *path = NULL, *good = NULL;
	struct debuginfo *module;
	gsize size;

	must_succeed(open_info(&fixture->kernel, "my_module", fixture->cache, &module));
	only_function(module, "exported");
	path = index_path(fixture->cache, debuginfo_build_id(module));
	debuginfo_close(module);
	g_assert_true(g_file_get_contents(path, &good, &size, NULL));
	for (gsize i = 0; i < size + 2; i += i + 5 < size ? part_step(5) : 1) {
		g_autofree char *bad = g_memdup2(good, size);
		gsize length = i == size ? 0 : i == size + 1 ? size / 2 : size;

		if (i < size)
			bad[i] = (char)~bad[i];
		g_assert_true(g_file_set_contents(path, bad, (gssize)length, NULL));
		must_succeed(open_info(&fixture->kernel, "my_module", fixture->cache, &module));
		g_assert_cmpuint(only_function(module, "start")->declaration_line, ==, 5);
		assert_register(variable_at_entry(only_function(module, "exported"), "argument"), RDI);
		debuginfo_close(module);
	}
}

static void test_unwritable_cache(struct fixture *fixture, gconstpointer dwarf)
{
	g_autofree char *directory = g_build_filename(fixture->root, "bad/cache", NULL);
	struct debuginfo *info;

	put_file(fixture->root, "bad", "a file where a directory should be", -1);
	must_succeed(open_info(&fixture->kernel, NULL, directory, &info));
	only_function(info, "entry_point");
	debuginfo_close(info);
}

/* ---- lines and calls --------------------------------------------------------------------------------------------- */

static GPtrArray *statements(struct debuginfo *info, const char *name, const char *file, int first, int last,
			     bool is_relative)
{
	struct line_range range = {first, last};
	struct statement_query query = {
		.name = name, .file = file, .ranges = &range, .range_count = 1, .is_relative = is_relative};
	GPtrArray *found = g_ptr_array_new();

	must_succeed(debuginfo_statements(info, &query, found));
	return found;
}

static const struct statement_place *only_statement(struct debuginfo *info, const char *name, const char *file,
						    int line)
{
	g_autoptr(GPtrArray) found = statements(info, name, file, line, line, false);

	g_assert_cmpuint(found->len, ==, 1);
	return g_ptr_array_index(found, 0);
}

static void test_lines(struct fixture *fixture, gconstpointer dwarf)
{
	const struct statement_place *loop = only_statement(fixture->info, "*", "fs/sample.c", 14);
	/* gcc 12 makes two copies, after the loop and for n <= 0; gcc 14 makes one. */
	g_autoptr(GPtrArray) both = statements(fixture->info, "local_sum", "fs/sample.c", 16, 16, false);
	const struct statement_place *body = g_ptr_array_index(both, 0);
	g_autoptr(GPtrArray) none = statements(fixture->info, "local_sum", "fs/sample.c", 15, 15, false);
	g_autoptr(GPtrArray) relative = statements(fixture->info, "local_sum", "fs/sample.c", 6, 6, true);
	g_autoptr(GPtrArray) elsewhere = statements(fixture->info, "entry_point", "fs/sample.c", 14, 14, false);
	const struct variable *variable;
	struct statement_place place;

	g_assert_cmpuint(both->len, >=, 1);
	g_assert_cmpuint(both->len, <=, 2);
	g_assert_cmpstr(loop->function->name, ==, "local_sum");
	g_assert_cmpint(loop->line, ==, 14);
	must_succeed(debuginfo_find_variable(loop->function, loop->address.value, "i", &variable));
	must_succeed(debuginfo_find_variable(body->function, body->address.value, "sum", &variable));
	g_assert_cmpuint(none->len, ==, 0);
	g_assert_cmpuint(elsewhere->len, ==, 0);
	g_assert_cmpuint(relative->len, ==, both->len);
	g_assert_cmpuint(((struct statement_place *)g_ptr_array_index(relative, 0))->address.value, ==,
			 body->address.value);
	must_succeed(debuginfo_statement_at(fixture->info, body->address, &place));
	g_assert_true(place.function == body->function);
	g_assert_cmpint(place.line, ==, 16);
	must_succeed(debuginfo_statement_at(fixture->info, (struct address){body->address.value + 1, NULL}, &place));
	g_assert_cmpint(place.line, ==, 0);
}

/* helper() of the header is inlined twice into entry_point(): two places, each in its own instance. */
static void test_inlined_lines(struct fixture *fixture, gconstpointer dwarf)
{
	g_autoptr(GPtrArray) found = statements(fixture->info, "*", "sample.h", 27, 27, false);

	g_assert_cmpuint(found->len, ==, 2);
	for (guint i = 0; i < found->len; i++) {
		const struct statement_place *place = g_ptr_array_index(found, i);

		g_assert_cmpstr(place->function->name, ==, "helper");
		g_assert_true(place->function->is_inlined);
		g_assert_cmpstr(place->function->container->name, ==, "entry_point");
	}
}

static void test_callees(struct fixture *fixture, gconstpointer dwarf)
{
	g_autoptr(GPtrArray) callers = query(fixture->info, "use", NULL, 0, ONLY_REAL);
	const struct function *caller = g_ptr_array_index(callers, 0);
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	const struct callee *callee;

	must_succeed(debuginfo_callees(caller, "q*", found));
	g_assert_cmpuint(found->len, ==, 1);
	callee = g_ptr_array_index(found, 0);
	g_assert_cmpstr(callee->function->name, ==, "quiet");
	g_assert_false(callee->is_tail_call);
	g_assert_cmpuint(callee->return_address.value, >, caller->entry.value);
	g_assert_cmpuint(callee->return_address.value, <, caller->entry.value + caller->size);
}

/* All code between the bounds of .noinstr.text refuses probes. */
static void test_reserved(struct fixture *fixture, gconstpointer dwarf)
{
	const struct function *quiet = only_function(fixture->info, "quiet");

	g_assert_true(debuginfo_is_probeable(fixture->info, only_function(fixture->info, "local_sum")->entry));
	g_assert_cmpint(quiet->not_probeable, ==, !debuginfo_is_probeable(fixture->info, quiet->entry));
	/* A function that every memory access calls in some kernels. */
	g_assert_false(debuginfo_is_probeable(fixture->info, only_function(fixture->info, "kasan_check_range")->entry));
}

/* Test both sizes of the table: entries of newer kernels have one more word. */
static void test_bugs(struct fixture *fixture, gconstpointer dwarf)
{
	struct debuginfo *module;
	struct address entry;

	g_assert_false(debuginfo_is_probeable(fixture->info, only_function(fixture->info, "broken")->entry));
	must_succeed(open_info(&fixture->kernel, "my_module", fixture->cache, &module));
	entry = only_function(module, "broken")->entry;
	g_assert_true(debuginfo_is_probeable(module, entry));
	entry.value += 5; /* of the call of __fentry__ */
	g_assert_false(debuginfo_is_probeable(module, entry));
	debuginfo_close(module);
}

static void assert_refused(struct debuginfo *info, struct address address, const char *reason)
{
	const char *refusal = debuginfo_probe_refusal(info, address);

	g_assert_nonnull(refusal);
	g_assert_nonnull(strstr(refusal, reason));
}

/* The reason is the one that applies to the instruction. */
static void test_refusals(struct fixture *fixture, gconstpointer dwarf)
{
	struct debuginfo *module;
	struct address entry;

	assert_refused(fixture->info, only_function(fixture->info, "broken")->entry, "BUG()");
	assert_refused(fixture->info, only_function(fixture->info, "keyed")->entry, "jump label");
	assert_refused(fixture->info, only_function(fixture->info, "kasan_check_range")->entry, "handlers");
	must_succeed(open_info(&fixture->kernel, "my_module", fixture->cache, &module));
	entry = only_function(module, "keyed")->entry;
	g_assert_true(debuginfo_is_probeable(module, entry));
	entry.value += 5; /* of the call of __fentry__ */
	assert_refused(module, entry, "jump label");
	debuginfo_close(module);
}

/* ---- real kernels ------------------------------------------------------------------------------------------------ */

static const struct target_kernel *real_kernel(const char *version)
{
	const char *directories = g_getenv("SPILE_TEST_KERNEL_ROOTS");
	g_auto(GStrv) roots = NULL;
	static struct target_kernel kernel;
	static struct arena *arena;

	if (!directories) {
		g_test_skip("SPILE_TEST_KERNEL_ROOTS is not set");
		return NULL;
	}
	if (!arena)
		arena = arena_new();
	roots = g_strsplit(directories, ":", -1);
	must_succeed(kernel_find(arena, version, (const char *const *)roots, &kernel, &search.root));
	return &kernel;
}

static void test_real_kernel(gconstpointer version)
{
	bool is_new = strcmp(version, "6.12") == 0;
	const struct target_kernel *kernel = real_kernel(version);
	g_autofree char *cache = NULL;
	g_autoptr(GPtrArray) found = NULL;
	const struct function *function;
	const struct variable *variable;
	struct debuginfo *info;
	struct type *type;
	gint64 start = g_get_monotonic_time();

	if (!kernel)
		return;
	cache = g_dir_make_tmp("spile-real-XXXXXX", NULL);
	must_succeed(open_info(kernel, NULL, cache, &info));
	only_function(info, "vfs_read");
	g_test_message("first query, index built: %.3f s", (double)(g_get_monotonic_time() - start) / 1e6);
	debuginfo_close(info);

	start = g_get_monotonic_time();
	must_succeed(open_info(kernel, NULL, cache, &info));
	function = only_function(info, is_new ? "kmem_cache_alloc_noprof" : "kmem_cache_alloc");
	assert_register(variable_at_entry(function, "s"), RDI);
	assert_register(variable_at_entry(function, "gfpflags"), RSI);
	g_test_message("warm query with two variables: %.4f s", (double)(g_get_monotonic_time() - start) / 1e6);
	g_assert_cmpstr(function->declaration_file, ==, "mm/slub.c");
	g_assert_true(function->is_exported);
	g_assert_true(function->has_fentry);
	g_assert_false(function->not_probeable);

	/* include/linux/slub_def.h and mm/slab.h: const char *name, eight pointers and ints before it. */
	variable = variable_at_entry(function, "s");
	g_assert_cmpstr(variable->type->spelling, ==, "struct kmem_cache *");
	g_assert_cmpuint(find_member(variable->type->target, "name").offset, ==, 96);
	must_succeed(debuginfo_find_type(info, "struct list_head", &type));
	g_assert_cmpuint(type->size, ==, 16);
	must_succeed(debuginfo_find_global(info, "jiffies", NULL, &variable));
	g_assert_cmpint(variable->value->kind, ==, VALUE_ADDRESS);

	assert_register(variable_at_entry(only_function(info, "vfs_read"), "count"), RDX);
	g_assert_true(only_function(info, "start_kernel")->is_init);
	g_assert_true(only_function(info, "do_int3")->not_probeable);
	g_assert_false(
		debuginfo_is_probeable(info, (struct address){only_function(info, "do_int3")->entry.value + 1, NULL}));
	g_assert_true(debuginfo_is_probeable(info, function->entry));
	found = query(info, "get_current", NULL, 0, ONLY_INLINED);
	g_assert_cmpuint(found->len, >, 100);
	g_ptr_array_unref(g_steal_pointer(&found));
	start = g_get_monotonic_time();
	found = query(info, "*", NULL, 0, INCLUDE_BOTH);
	g_test_message("'*': %u functions in %.3f s", found->len, (double)(g_get_monotonic_time() - start) / 1e6);
	g_assert_cmpuint(found->len, >, 200000);
	debuginfo_close(info);
	remove_tree(cache);
}

static void test_real_module(gconstpointer version)
{
	const struct target_kernel *kernel = real_kernel(version);
	const struct function *function;
	struct debuginfo *info;

	if (!kernel)
		return;
	must_succeed(open_info(kernel, "virtio-net", NULL, &info));
	function = only_function(info, "virtnet_poll");
	g_assert_cmpstr(function->entry.section, ==, ".text");
	g_assert_true(function->has_fentry);
	assert_register(variable_at_entry(function, "napi"), RDI);
	function = only_function(info, "virtio_net_driver_init");
	g_assert_cmpstr(function->entry.section, ==, ".init.text");
	debuginfo_close(info);
}

/* Add tests of a kernel, unless $SPILE_TEST_KERNEL_ROOTS names only others. */
static void add_real_kernel(const char *version)
{
	const char *directories = g_getenv("SPILE_TEST_KERNEL_ROOTS");
	g_autofree char *beginning = g_strdup_printf("/%s.", version);
	g_autofree char *of_kernel = g_strdup_printf("/debuginfo/real/%s", version);
	g_autofree char *of_module = g_strdup_printf("/debuginfo/real/module-%s", version);

	if (directories && !strstr(directories, beginning))
		return;
	g_test_add_data_func(of_kernel, version, test_real_kernel);
	g_test_add_data_func(of_module, version, test_real_module);
}

#define FIXTURE_TEST(name, dwarf, function)                                                                            \
	g_test_add("/debuginfo/" name, struct fixture, dwarf, fixture_set_up, function, fixture_tear_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	FIXTURE_TEST("functions", NULL, test_functions);
	FIXTURE_TEST("functions-dwarf4", "4", test_functions);
	FIXTURE_TEST("inlined", NULL, test_inlined);
	FIXTURE_TEST("queries", NULL, test_queries);
	FIXTURE_TEST("queries-dwarf4", "4", test_queries);
	FIXTURE_TEST("parameters", NULL, test_parameters);
	FIXTURE_TEST("parameters-dwarf4", "4", test_parameters);
	FIXTURE_TEST("stack-variable", NULL, test_stack_variable);
	FIXTURE_TEST("globals", NULL, test_globals);
	FIXTURE_TEST("return-values", NULL, test_return_values);
	FIXTURE_TEST("members", NULL, test_members);
	FIXTURE_TEST("bit-fields", NULL, test_bit_fields);
	FIXTURE_TEST("bit-fields-dwarf3", "3 -gstrict-dwarf", test_bit_fields);
	FIXTURE_TEST("arrays", NULL, test_arrays);
	FIXTURE_TEST("enums", NULL, test_enums);
	FIXTURE_TEST("declared-types", NULL, test_declared_types);
	FIXTURE_TEST("type-names", NULL, test_type_names);
	FIXTURE_TEST("module", NULL, test_module);
	FIXTURE_TEST("compressed-module", NULL, test_compressed_module);
	FIXTURE_TEST("module-mismatch", NULL, test_module_mismatch);
	g_test_add_func("/debuginfo/find", test_find);
	g_test_add_func("/debuginfo/find-in-two-roots", test_find_in_two_roots);
	FIXTURE_TEST("bad-files", NULL, test_bad_files);
	FIXTURE_TEST("lines", NULL, test_lines);
	FIXTURE_TEST("lines-dwarf4", "4", test_lines);
	FIXTURE_TEST("inlined-lines", NULL, test_inlined_lines);
	FIXTURE_TEST("callees", NULL, test_callees);
	FIXTURE_TEST("callees-dwarf4", "4", test_callees);
	FIXTURE_TEST("reserved", NULL, test_reserved);
	FIXTURE_TEST("bugs", "5 -DBUG_WORDS=1", test_bugs);
	FIXTURE_TEST("bugs-longer", NULL, test_bugs);
	FIXTURE_TEST("refusals", NULL, test_refusals);
	FIXTURE_TEST("forms", NULL, test_forms);
	FIXTURE_TEST("forms-clang", NULL, test_forms_clang);
	FIXTURE_TEST("branches", NULL, test_branches);
	FIXTURE_TEST("wide-constants", NULL, test_wide_constants);
	FIXTURE_TEST("calling-convention", NULL, test_calling_convention);
	FIXTURE_TEST("programs", NULL, test_programs);
	FIXTURE_TEST("split-frames", NULL, test_split_frames);
	FIXTURE_TEST("digest-forms", NULL, test_digest_forms);
	FIXTURE_TEST("digest-forms-clang", NULL, test_digest_forms_clang);
	FIXTURE_TEST("zstd", NULL, test_zstd);
	FIXTURE_TEST("cut-sections", NULL, test_cut_sections);
	FIXTURE_TEST("replaced", NULL, test_replaced);
	FIXTURE_TEST("replaced-module", NULL, test_replaced_module);
	FIXTURE_TEST("damaged-dwarf", NULL, test_damaged_dwarf);
	FIXTURE_TEST("damaged-index", NULL, test_damaged_index);
	FIXTURE_TEST("unwritable-cache", NULL, test_unwritable_cache);
	add_real_kernel("6.1");
	add_real_kernel("6.12");
	return g_test_run();
}
