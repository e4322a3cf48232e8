// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests of pass 1.
 *
 * Most tests are scripts. testsuite/parse/ok/NAME.stp must parse and print as NAME.out, and the printed text must parse
 * and print the same again. testsuite/parse/bad/NAME.stp must be refused with exactly NAME.err. SPILE_SRCDIR is the
 * source directory. SPILE_UPDATE=1 rewrites the expected files (read the difference before you commit it).
 *
 * The other tests use damaged input: a large script cut at every byte, random bytes changed, garbage. Any answer is
 * right, as long as the parser ends.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/nearest.h"
#include "testsuite/unit/definitions.h"
#include "testsuite/unit/part.h"
#include "translator/lang/lang.h"

static const char *source_dir(void)
{
	const char *dir = getenv("SPILE_SRCDIR");

	return dir ? dir : ".";
}

static char *argument_list[] = {(char *)"5+5", (char *)"two words", (char *)"17"};

/* The data of one parse. */
struct session {
	struct arena *arena;
	struct language_context context;
	bool used[G_N_ELEMENTS(argument_list)];
};

static const char *const macro_library = "@define choose_defined(a, b) %( (@defined(@a) ? @a : @b) %)\n"
					 "%( kernel_v >= \"2.6\" %? @define is_new %( 1 %) %)\n";

static struct source_file *new_file(struct arena *arena, const char *name, const char *text, size_t length)
{
	struct source_file *file = arena_new0(arena, struct source_file);

	file->name = arena_strdup(arena, name);
	file->text = arena_strndup(arena, text, length);
	file->length = length;
	return file;
}

static void session_begin(struct session *s, bool guru)
{
	memset(s, 0, sizeof(*s));
	s->arena = arena_new();
	s->context = (struct language_context){
		.arena = s->arena,
		.diagnostics = diagnostics_new(s->arena),
		.kernel_release = "6.1.0-56-cloud-amd64",
		.architecture = "x86_64",
		.systemtap_version = "5.5",
		.privilege = "stapdev",
		.runtime = "kernel",
		.guru_mode = guru,
		.kernel_config = g_hash_table_new(g_str_hash, g_str_equal),
		.argument_count = G_N_ELEMENTS(argument_list),
		.arguments = argument_list,
		.argument_used = s->used,
	};
	g_hash_table_insert(s->context.kernel_config, (char *)"CONFIG_SMP", (char *)"y");
	g_assert_true(parse_macro_library(&s->context,
					  new_file(s->arena, "macros.stpm", macro_library, strlen(macro_library))));
}

static void session_end(struct session *s)
{
	g_hash_table_destroy(s->context.kernel_config);
	arena_free(s->arena);
}

/* Return the text that flushing the diagnostics prints. */
static char *flushed(struct diagnostics *diagnostics)
{
	g_autofree char *path = g_strdup("/tmp/spile-test-XXXXXX");
	int fd = mkstemp(path), saved = dup(STDERR_FILENO);
	char *text = NULL;

	g_assert_true(fd >= 0 && saved >= 0);
	dup2(fd, STDERR_FILENO);
	diagnostics_flush(diagnostics);
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(fd);
	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	unlink(path);
	return text;
}

static char *printed(const struct script *script)
{
	char *text = NULL, *copy;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	print_script(out, script);
	fclose(out);
	copy = g_strndup(text, length);
	free(text);
	return copy;
}

/* Parse a script and return its printed form with @ok, or the diagnostics without. */
static char *parse_and_print(const char *name, const char *text, size_t length, bool *ok)
{
	bool guru = strstr(text, "(guru)") != NULL;
	struct session s;
	struct script *script;
	char *result;

	session_begin(&s, guru);
	script = parse_script(&s.context, new_file(s.arena, name, text, length));
	*ok = script != NULL;
	if (!script)
		g_assert_cmpuint(diagnostics_errors(s.context.diagnostics), >, 0);
	result = script ? printed(script) : flushed(s.context.diagnostics);
	session_end(&s);
	return result;
}

static char *expected_path(const char *path, const char *suffix)
{
	return g_strdup_printf("%.*s%s", (int)(strlen(path) - strlen(".stp")), path, suffix);
}

static void compare_with_file(const char *path, const char *text)
{
	g_autofree char *expected = NULL;

	if (getenv("SPILE_UPDATE")) {
		g_assert_true(g_file_set_contents(path, text, -1, NULL));
		return;
	}
	g_assert_true(g_file_get_contents(path, &expected, NULL, NULL));
	g_assert_cmpstr(text, ==, expected);
}

static void test_ok(const void *data)
{
	const char *path = data;
	g_autofree char *text = NULL, *first = NULL, *second = NULL, *out = expected_path(path, ".out");
	g_autofree char *guru = NULL, *name = g_path_get_basename(path);
	size_t length;
	bool ok;

	g_assert_true(g_file_get_contents(path, &text, &length, NULL));
	first = parse_and_print(name, text, length, &ok);
	if (!ok)
		g_test_message("%s", first);
	g_assert_true(ok);
	compare_with_file(out, first);
	guru = g_strdup_printf("// (guru)\n%s", first);
	second = parse_and_print("printed", guru, strlen(guru), &ok);
	if (!ok)
		g_test_message("%s", second);
	g_assert_true(ok);
	g_assert_cmpstr(first, ==, second);
}

static void test_bad(const void *data)
{
	const char *path = data;
	g_autofree char *text = NULL, *errors = NULL, *err = expected_path(path, ".err");
	g_autofree char *name = g_path_get_basename(path);
	size_t length;
	bool ok;

	g_assert_true(g_file_get_contents(path, &text, &length, NULL));
	errors = parse_and_print(name, text, length, &ok);
	g_assert_false(ok);
	compare_with_file(err, errors);
}

/* Return all scripts of the directory ok as one script, the start of all damage. */
static GString *large_script(void)
{
	g_autofree char *directory = g_build_filename(source_dir(), "testsuite/parse/ok", NULL);
	GDir *dir = g_dir_open(directory, 0, NULL);
	GString *all = g_string_new("// (guru)\n");
	const char *name;

	g_assert_nonnull(dir);
	while ((name = g_dir_read_name(dir)) != NULL) {
		g_autofree char *path = g_build_filename(directory, name, NULL), *text = NULL;

		if (!g_str_has_suffix(name, ".stp"))
			continue;
		g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
		g_string_append(all, text);
	}
	g_dir_close(dir);
	return all;
}

static void survive(const char *text, size_t length)
{
	g_autofree char *result = NULL;
	bool ok;

	result = parse_and_print("abuse", text, length, &ok);
	g_assert_nonnull(result);
}

static GPtrArray *counted(GPtrArray *array, int *count)
{
	++*count;
	return array;
}

/* for_each_ptr must evaluate its array once: the library's directories were once read for each of their files. */
static void test_for_each(void)
{
	struct arena *arena = arena_new();
	GPtrArray *array = arena_ptr_array(arena);
	int asked = 0, seen = 0, after_break = 0;

	for (size_t i = 1; i <= 5; i++)
		g_ptr_array_add(array, GSIZE_TO_POINTER(i));
	for_each_ptr(void *, item, counted(array, &asked)) {
		if (item == GSIZE_TO_POINTER(2))
			continue;
		g_assert_cmpuint(item_index + 1, ==, GPOINTER_TO_SIZE(item));
		seen++;
		/* The loop reaches elements that are added during it. */
		if (array->len < 7)
			g_ptr_array_add(array, GSIZE_TO_POINTER(array->len + 1));
	}
	g_assert_cmpint(asked, ==, 1);
	g_assert_cmpint(seen, ==, 6);
	for_each_ptr(void *, item, array) {
		after_break++;
		if (item == GSIZE_TO_POINTER(3))
			break;
	}
	g_assert_cmpint(after_break, ==, 3);
	for_each_ptr(void *, item, (const GPtrArray *)NULL)
		g_assert_null(item);
	arena_free(arena);
}

/* Allocations of every size are zeroed, aligned, and do not overlap. */
static void test_arena(void)
{
	struct arena *arena = arena_new();
	size_t total = 0;

	for (size_t size = 1; total < 8 * 1024 * 1024; size = size * 3 / 2 + 1) {
		if (size > 3 * 1024 * 1024)
			size = 1;
		unsigned char *memory = arena_alloc(arena, size);

		g_assert_cmpuint((uintptr_t)memory % 16, ==, 0);
		for (size_t i = 0; i < size; i++)
			g_assert_true(!memory[i]);
		memset(memory, 0xff, size);
		total += size;
	}
	arena_free(arena);
}

/* Cut a script at every byte. To keep this quick each cut is made in a window that begins at a definition. */
static void test_truncation(void)
{
	enum { WINDOW = 800 };
	g_autoptr(GString) script = large_script();
	const char *start = script->str;

	for (size_t cut = 0; cut < script->len; cut += part_step(20)) {
		const char *end = script->str + cut;

		while (end - start > WINDOW)
			start = strstr(start + 1, "\nprobe ");
		g_autofree char *text = g_strndup(start, (size_t)(end - start));

		survive(text, (size_t)(end - start));
	}
}

static void test_mutation(void)
{
	g_autoptr(GString) script = large_script();
	GRand *random = g_rand_new_with_seed(42);
	gint64 end = g_get_monotonic_time() + G_USEC_PER_SEC * 3 / 2;

	while (g_get_monotonic_time() < end) {
		gint32 start = g_rand_int_range(random, 0, (gint32)script->len - 2000);
		g_autofree char *text = g_strndup(script->str + start, 2000);

		for (int i = g_rand_int_range(random, 1, 10); i > 0; i--) {
			static const char likely[] = "(){}[]%@$\"'=+-*/<>&|!?:;,.# \n\\\x80";

			text[g_rand_int_range(random, 0, 2000)] =
				likely[g_rand_int_range(random, 0, (gint32)sizeof(likely))];
		}
		survive(text, 2000);
	}
	g_rand_free(random);
}

static void test_garbage(void)
{
	GRand *random = g_rand_new_with_seed(7);
	char text[4097] = "";

	for (int round = 0; round < 200; round++) {
		for (size_t i = 0; i < sizeof(text) - 1; i++)
			text[i] = (char)g_rand_int_range(random, round % 2 ? 0 : 1, round % 3 ? 256 : 128);
		survive(text, sizeof(text) - 1);
	}
	g_rand_free(random);
}

/* Deep nesting of every kind must end in a diagnostic, not in a stack overflow. */
static void test_depth(void)
{
	static const char *const openings[] = {"(",
					       "{",
					       "if (1) ",
					       "- ",
					       "!",
					       "f(",
					       "x[",
					       "1 ? ",
					       "x = ",
					       "a . ",
					       "%( 1 == 1 %? ",
					       "foreach (x in y) ",
					       "try {",
					       "[",
					       "$x[",
					       "@defined("};

	for (size_t i = 0; i < G_N_ELEMENTS(openings); i++) {
		g_autoptr(GString) text = g_string_new("probe begin { x = ");
		g_autofree char *result = NULL;
		bool ok;

		for (int n = 0; n < 30000; n++)
			g_string_append(text, openings[i]);
		result = parse_and_print("deep", text->str, text->len, &ok);
		g_assert_false(ok);
		g_assert_cmpuint(strlen(result), <, 20000);
	}
}

static void test_macro_growth(void)
{
	g_autoptr(GString) text = g_string_new("@define m0 %( 1 + 1 + %)\n");
	bool ok;

	for (int i = 1; i < 60; i++)
		g_string_append_printf(text, "@define m%d %%( @m%d @m%d %%)\n", i, i - 1, i - 1);
	g_string_append(text, "probe begin { x = @m59 0 }");
	g_autofree char *result = parse_and_print("growth", text->str, text->len, &ok);

	g_assert_false(ok);
	g_assert_nonnull(strstr(result, "macro expansion grows"));
}

static void test_probe_point(void)
{
	static const struct {
		const char *text, *printed; /* NULL: refused */
	} cases[] = {
		{"syscall.*", "syscall.*"},
		{"kernel.function(\"vfs_*@fs/*.c\").return ?", "kernel.function(\"vfs_*@fs/*.c\").return?"},
		{"begin(-5)", "begin(-5)"},
		{"a.b if (x > 1)", "a.b if (x > 1)"},
		{"syscall.{open}", "syscall.open"},
		{"syscall.{open,close}", NULL},
		{"begin, end", NULL},
		{"begin {}", NULL},
		{"", NULL},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct session s;
		struct probe_point *point;

		session_begin(&s, false);
		point = parse_probe_point(&s.context,
					  new_file(s.arena, "<input>", cases[i].text, strlen(cases[i].text)));
		g_assert_cmpstr(point ? probe_point_text(s.arena, point, true) : NULL, ==, cases[i].printed);
		session_end(&s);
	}
}

static void test_arguments_used(void)
{
	const char *text = "probe begin { println(@2) %( $# == 3 %? println($3) %: println($1) %) }";
	struct session s;

	session_begin(&s, false);
	g_assert_nonnull(parse_script(&s.context, new_file(s.arena, "x", text, strlen(text))));
	g_assert_false(s.used[0]);
	g_assert_true(s.used[1]);
	g_assert_true(s.used[2]);
	session_end(&s);
}

static void count_expr(struct expr **expr, void *data)
{
	++*(int *)data;
	if ((*expr)->kind == EXPR_NUMBER)
		(*expr)->number = 7;
}

static void test_copy_and_walk(void)
{
	const char *text =
		"probe begin { foreach (v = [a, b] in m[1, *]- limit 2) if ($x->y[3]) z[4] = f(5, a ? 6 : 8) }";
	struct session s;
	struct script *script;
	const struct probe *probe;
	struct statement *copy;
	g_autofree char *before = NULL, *after = NULL;
	int count = 0;

	session_begin(&s, false);
	script = parse_script(&s.context, new_file(s.arena, "x", text, strlen(text)));
	g_assert_nonnull(script);
	probe = g_ptr_array_index(script->probes, 0);
	before = printed(script);
	copy = statement_copy(s.arena, probe->body);
	statement_walk(copy, count_expr, &count);
	after = printed(script);
	g_assert_cmpstr(before, ==, after);
	g_assert_cmpint(count, ==, 19);
	session_end(&s);
}

static void test_nearest(void)
{
	static const struct {
		const char *word, *candidates, *found;
	} cases[] = {
		{"kmem_cache_alloc", "kmem_cache_alloc_noprof kfree", "kmem_cache_alloc_noprof"},
		{"cachep", "s gfpflags", NULL},
		{"prob", "probe function", "probe"},
		{"funtion", "probe function", "function"},
		{"fucntion", "probe function", "function"},
		{"x", "y z", NULL},
		{"vfs_raed", "vfs_write vfs_read vfs_readv", "vfs_read, vfs_readv"},
	};
	struct arena *arena = arena_new();

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_auto(GStrv) words = g_strsplit(cases[i].candidates, " ", -1);
		GPtrArray *candidates = arena_ptr_array(arena);

		for (char **word = words; *word; word++)
			g_ptr_array_add(candidates, *word);
		g_assert_cmpstr(names_join(arena, nearest_matches(arena, cases[i].word, candidates, NULL, 3)), ==,
				cases[i].found);
	}
	arena_free(arena);
}

/* Marks, duplicates, colours and the placing of the caret. */
static void test_diagnostics(void)
{
	struct arena *arena = arena_new();
	struct diagnostics *d = diagnostics_new(arena);
	const char *text = "\tab\xc3\xa9\x01"
			   "cd\n";
	struct source_file *file = new_file(arena, "f.stp", text, strlen(text));
	struct location place = {.file = file, .line = 1, .column = 7, .length = 2};
	g_autofree char *plain = NULL, *color = NULL;
	size_t mark;

	diagnose(d, PARSE_ERROR, &place, "one");
	diagnose(d, PARSE_ERROR, &place, "one");
	diagnose_hint(d, "belongs to the duplicate");
	g_assert_cmpuint(diagnostics_errors(d), ==, 1);
	mark = diagnostics_mark(d);
	diagnose(d, PARSE_ERROR, &place, "two");
	g_assert_true(diagnostics_failed_since(d, mark));
	diagnostics_rewind(d, mark);
	g_assert_false(diagnostics_failed_since(d, mark));
	plain = flushed(d);
	g_assert_cmpstr(plain, ==,
			"parse error: one\n        at: f.stp:1:7\n    1 |         ab\xc3\xa9^Acd\n"
			"      |              ^~\n");
	g_setenv("SYSTEMTAP_COLORS", "warning=7:caret=1", TRUE);
	diagnostics_configure(d, false, true, true);
	diagnose(d, WARNING, &place, "three");
	g_assert_cmpuint(diagnostics_errors(d), ==, 2);
	color = flushed(d);
	g_assert_nonnull(strstr(color, "\033[7mWARNING (an error with -W):\033[m three"));
	g_assert_nonnull(strstr(color, "\033[1m^~\033[m"));
	g_unsetenv("SYSTEMTAP_COLORS");
	arena_free(arena);
}

/* ---- definitions ------------------------------------------------------------------------------------------------- */

static void test_definitions(void)
{
	static const struct {
		const char *text, *names; /* NULL: unclear */
	} cases[] = {
		{"function f(a) { return g(a) }", "f"},
		{"private function f:long (a:long)\n%{ /* pure */ function g(); %}", "f"},
		{"function /* its name: */ f() { } function // global x\n g() { }", "f g"},
		{"/* function f() { } */ # global y\n// probe z = begin {}\nprobe begin { println(\"global x\") }", ""},
		{"global a, b = 3, c[10] = -5, d%, e = \"x,\\\",y\", g%[7]\nh", "a b c d e g"},
		{"global a, # one\n b /* two */, c;", "a b c"},
		{"global a = $#, b = @#, c = $1, d = @2", "a b c d"},
		{"probe v.x = kernel.function(\"f\") { global_name = 1 }", "v"},
		{"probe v.x(\"=,{\").y?, w += timer.s(1), begin { }", "v w"},
		{"probe kernel.function(\"f\").call, timer.s(1) { exit() }", ""},
		{"probe a = b, c.function(\"x\") { $function = $global } probe d = e {}", "a d"},
		{"%( kernel_v >= \"5\" %? function f() { %: function g() { %) }", "f g"},
		{"%( CONFIG_X == \"y\" %? probe a = begin { } %) function f() { }", "a f"},
		{"functional() globals probes my_function f1 globals", ""},
		{"private a, b private function f() { } private global c private probe d = begin { }", "a b f c d"},
		{"global a = \"one\" \"two\", b", "a b"},
		{"probe a.{b,c} = begin { }", NULL},
		{"probe {a,b}.c = begin { }", NULL},
		{"probe a, {b,c}.d = begin { }", NULL},
		{"function @name() { }", NULL},
		{"function %( systemtap_v >= \"5\" %? f %: g %)() { }", NULL},
		{"global a, @more", NULL},
		{"global a = 1 @more", NULL},
		{"global $1", NULL},
		{"probe @name = begin { }", NULL},
		{"probe a @rest { }", NULL},
		{"probe a.$1 = begin { }", NULL},
		{"function", ""},
		{"global a,", "a"},
		{"probe a = \"", "a"},
		{"probe a, b", ""},
		{"\"\\", ""},
		{"%{ function f()", ""},
		{"/* function f()", ""},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct source_file file = {.text = cases[i].text, .length = strlen(cases[i].text)};
		g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
		g_autofree char *joined = NULL;

		if (find_definitions(&file, add_definition, names) != (cases[i].names != NULL))
			g_error("is it clear? %s", cases[i].text);
		g_ptr_array_add(names, NULL);
		joined = g_strjoinv(" ", (char **)names->pdata);
		if (cases[i].names)
			g_assert_cmpstr(joined, ==, cases[i].names);
	}
}

static void check_definitions(const struct script *script, bool must_be_clear)
{
	bool is_clear;
	const char *missed = missed_definition(script, &is_clear);

	if (must_be_clear && !is_clear)
		g_error("%s: what it defines is not clear", script->file->name);
	if (missed)
		g_error("%s: the definition of %s was not found", script->file->name, missed);
}

static GPtrArray *files_of(struct arena *arena, const char *directory, const char *ending)
{
	g_autofree char *path = g_build_filename(source_dir(), directory, NULL);
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	GPtrArray *files = arena_ptr_array(arena);
	const char *name;

	g_assert_nonnull(dir);
	while ((name = g_dir_read_name(dir)) != NULL) {
		g_autofree char *file = g_build_filename(path, name, NULL), *text = NULL;
		gsize length;

		if (!g_str_has_suffix(name, ending))
			continue;
		g_assert_true(g_file_get_contents(file, &text, &length, NULL));
		g_ptr_array_add(files, new_file(arena, name, text, length));
	}
	g_assert_cmpuint(files->len, >, 1);
	return files;
}

/*
 * All definitions of the library's own files are found without parsing. No function is defined in two files, because it
 * would depend on the order of look-ups which definition is used.
 */
static void test_definitions_of_library(void)
{
	static const char programs[] =
		"@define __stap_program %( \"/stap\" %) @define __staprun_program %( \"/staprun\" %)";
	g_autoptr(GHashTable) functions = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *macros;
	struct session s;

	session_begin(&s, true);
	s.context.library_macros = NULL; /* it has its own */
	macros = files_of(s.arena, "tapset", ".stpm");
	g_ptr_array_add(macros, new_file(s.arena, "programs", programs, strlen(programs)));
	for_each_ptr(struct source_file *, file, macros) {
		file->is_tapset = file->privileged = true;
		g_assert_true(parse_macro_library(&s.context, file));
	}
	for_each_ptr(struct source_file *, file, files_of(s.arena, "tapset", ".stp")) {
		struct script *script;

		file->is_tapset = file->privileged = true;
		script = parse_script(&s.context, file);
		diagnostics_flush(s.context.diagnostics);
		g_assert_nonnull(script);
		check_definitions(script, true);
		for_each_ptr(const struct function_declaration *, function, script->functions) {
			const struct script *other = g_hash_table_lookup(functions, function->name);

			if (other && other != script && !function->is_private)
				g_error("%s is in %s and in %s", function->name, other->file->name, file->name);
			if (!function->is_private)
				g_hash_table_insert(functions, (void *)function->name, script);
		}
	}
	session_end(&s);
}

static void test_definitions_of_scripts(void)
{
	struct session s;

	session_begin(&s, true);
	for_each_ptr(const struct source_file *, file, files_of(s.arena, "testsuite/parse/ok", ".stp")) {
		const struct script *script = parse_script(&s.context, file);

		g_assert_nonnull(script);
		check_definitions(script, false);
	}
	session_end(&s);
}

/* Add one test for each script in a directory. */
static void add_directory(const char *name, GTestDataFunc test)
{
	g_autofree char *directory = g_build_filename(source_dir(), "testsuite/parse", name, NULL);
	GDir *dir = g_dir_open(directory, 0, NULL);
	const char *file;

	g_assert_nonnull(dir);
	while ((file = g_dir_read_name(dir)) != NULL) {
		g_autofree char *label = g_strdup_printf("/lang/%s/%s", name, file);

		if (g_str_has_suffix(file, ".stp"))
			g_test_add_data_func_full(label, g_build_filename(directory, file, NULL), test, g_free);
	}
	g_dir_close(dir);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	add_directory("ok", test_ok);
	add_directory("bad", test_bad);
	g_test_add_func("/util/for-each", test_for_each);
	g_test_add_func("/util/arena", test_arena);
	g_test_add_func("/lang/truncation", test_truncation);
	g_test_add_func("/lang/mutation", test_mutation);
	g_test_add_func("/lang/garbage", test_garbage);
	g_test_add_func("/lang/depth", test_depth);
	g_test_add_func("/lang/macro-growth", test_macro_growth);
	g_test_add_func("/lang/probe-point", test_probe_point);
	g_test_add_func("/lang/arguments-used", test_arguments_used);
	g_test_add_func("/lang/copy-and-walk", test_copy_and_walk);
	g_test_add_func("/lang/nearest", test_nearest);
	g_test_add_func("/lang/diagnostics", test_diagnostics);
	g_test_add_func("/lang/definitions/forms", test_definitions);
	g_test_add_func("/lang/definitions/library", test_definitions_of_library);
	g_test_add_func("/lang/definitions/scripts", test_definitions_of_scripts);
	return g_test_run();
}
