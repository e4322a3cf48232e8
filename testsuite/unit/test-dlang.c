// SPDX-License-Identifier: GPL-2.0-or-later
/* The parser of D (translator/dlang/): what it makes of texts, texts that it refuses, and damaged texts. */
#include <glib.h>
#include <string.h>

#include "translator/dlang/dlang.h"
#include "translator/dlang/types.h"

static char *argument_list[] = {(char *)"12", (char *)"word", (char *)"\"quoted\"", (char *)"-3"};

struct session {
	struct arena *arena;
	struct language_context context;
	struct d_macros macros;
	struct d_program *program;
};

static void session_begin(struct session *s)
{
	s->arena = arena_new();
	s->context = (struct language_context){.arena = s->arena, .diagnostics = diagnostics_new(s->arena)};
	s->macros = (struct d_macros){.script_name = "test.d",
				      .target = 42,
				      .argument_count = G_N_ELEMENTS(argument_list),
				      .arguments = argument_list};
	s->program = d_program_new(s->arena);
}

static bool parse(struct session *s, const char *text)
{
	struct source_file *file = arena_new0(s->arena, struct source_file);

	file->name = "test.d";
	file->text = arena_strdup(s->arena, text);
	file->length = strlen(text);
	return dlang_parse(&s->context, file, &s->macros, D_PROBE_NAME, s->program);
}

static const struct d_clause *clause_of(const struct session *s, guint index)
{
	return g_ptr_array_index(s->program->clauses, index);
}

static const struct d_description *description_of(const struct session *s, guint clause, guint index)
{
	return g_ptr_array_index(clause_of(s, clause)->descriptions, index);
}

static void check_parts(const struct d_description *description, const char *provider, const char *module,
			const char *function, const char *name)
{
	const char *const parts[] = {provider, module, function, name};

	for (int i = 0; i < D_PART_COUNT_; i++)
		g_assert_cmpstr(description->parts[i], ==, parts[i]);
}

static void test_descriptions(void)
{
	struct session s;

	session_begin(&s);
	g_assert_true(parse(&s, "BEGIN, syscall::open*:entry, pid$target:a.out:main:return, profile-997\n"
				"/pid == $target/ { }\n"
				"fbt:::entry { trace(1); }\n"
				"vfs_[rw]*:entry;\n"
				"tick-1sec"));
	g_assert_cmpuint(s.program->clauses->len, ==, 4);
	g_assert_cmpuint(clause_of(&s, 0)->descriptions->len, ==, 4);
	check_parts(description_of(&s, 0, 0), "", "", "", "BEGIN");
	check_parts(description_of(&s, 0, 1), "syscall", "", "open*", "entry");
	check_parts(description_of(&s, 0, 2), "pid42", "a.out", "main", "return");
	check_parts(description_of(&s, 0, 3), "", "", "", "profile-997");
	check_parts(description_of(&s, 1, 0), "fbt", "", "", "entry");
	check_parts(description_of(&s, 2, 0), "", "", "vfs_[rw]*", "entry");
	g_assert_nonnull(clause_of(&s, 0)->predicate);
	g_assert_nonnull(clause_of(&s, 0)->body);
	g_assert_null(clause_of(&s, 2)->body);
	g_assert_null(clause_of(&s, 3)->body);
	arena_free(s.arena);
}

/* Return the expression of the first statement of the first clause. */
static const struct d_node *parse_one(struct session *s, const char *expression)
{
	const struct d_statement *statement;

	session_begin(s);
	g_assert_true(parse(s, arena_printf(s->arena, "BEGIN { %s; }", expression)));
	statement = g_ptr_array_index(clause_of(s, 0)->body->statements, 0);
	return statement->expression;
}

/* The type of a constant is the first of C's that holds it. */
static void test_numbers(void)
{
	static const struct {
		const char *text;
		int64_t number;
		bool is_unsigned, is_long;
	} rows[] = {
		{"0", 0, false, false},
		{"2147483647", 2147483647, false, false},
		{"2147483648", 2147483648, false, true},
		{"0xffffffff", 4294967295, true, false},
		{"017", 15, false, false},
		{"5U", 5, true, false},
		{"5ULL", 5, true, true},
		{"18446744073709551615", -1, true, true},
		{"'a'", 'a', false, false},
		{"'\\n'", '\n', false, false},
		{"'ab'", 'a' << 8 | 'b', false, false},
		{"$1", 12, false, false},
		{"$4", -3, false, false},
		{"$target", 42, false, false},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct session s;
		const struct d_node *node = parse_one(&s, rows[i].text);

		g_assert_cmpint(node->kind, ==, D_NUMBER);
		g_assert_cmpint(node->number, ==, rows[i].number);
		g_assert_cmpint(node->is_unsigned, ==, rows[i].is_unsigned);
		g_assert_cmpint(node->is_long, ==, rows[i].is_long);
		arena_free(s.arena);
	}
}

static void test_macros(void)
{
	struct session s;
	const struct d_node *node = parse_one(&s, "f($$1, $2, $3, $$0)");
	static const struct {
		enum d_node_kind kind;
		const char *text;
	} rows[] = {{D_STRING, "12"}, {D_NAME, "word"}, {D_STRING, "quoted"}, {D_STRING, "test.d"}};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		const struct d_node *argument = g_ptr_array_index(node->arguments, i);

		g_assert_cmpint(argument->kind, ==, rows[i].kind);
		g_assert_cmpstr(argument->text, ==, rows[i].text);
	}
	arena_free(s.arena);
}

/* Operators bind as in C, and a name in parentheses is a cast only where it can be one. */
static void test_precedence(void)
{
	static const struct {
		const char *text;
		enum d_node_kind kind;
		enum expr_operator op;
	} rows[] = {
		{"1 + 2 * 3", D_BINARY, OP_ADD},
		{"1 << 2 + 3", D_BINARY, OP_SHIFT_LEFT},
		{"a & b == c", D_BINARY, OP_AND},
		{"a || b && c", D_BINARY, OP_LOGICAL_OR},
		{"a ^^ b || c", D_BINARY, OP_LOGICAL_OR},
		{"a = b ? c : d", D_ASSIGN, OP_NONE},
		{"a += 1", D_ASSIGN, OP_ADD},
		{"a++", D_INCREMENT, OP_ADD},
		{"(int)a + 1", D_BINARY, OP_ADD},
		{"(foo_t *)a", D_CAST, OP_NONE},
		{"(foo_t)a", D_CAST, OP_NONE},
		{"(foo) - 1", D_BINARY, OP_SUBTRACT},
		{"(foo) * 2", D_BINARY, OP_MULTIPLY},
		{"-x->y[1].z", D_NEGATE, OP_NONE},
		{"a, b", D_COMMA, OP_NONE},
		{"@a[1] = count()", D_ASSIGN, OP_NONE},
		{"self->a = this->b", D_ASSIGN, OP_NONE},
		{"sizeof(int) + 1", D_BINARY, OP_ADD},
		{"sizeof x", D_SIZEOF, OP_NONE},
		{"stringof(x)", D_STRINGOF, OP_NONE},
		{"xlate <foo_t *>(x)->y", D_MEMBER, OP_NONE},
		{"`jiffies / 2", D_BINARY, OP_DIVIDE},
		{"ext4`ext4_fs_type", D_KERNEL, OP_NONE},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct session s;
		const struct d_node *node = parse_one(&s, rows[i].text);

		g_assert_cmpint(node->kind, ==, rows[i].kind);
		g_assert_cmpint(node->op, ==, rows[i].op);
		arena_free(s.arena);
	}
}

/* In a predicate, "/" is a division unless a block follows. */
static void test_predicate(void)
{
	struct session s;

	session_begin(&s);
	g_assert_true(parse(&s, "BEGIN /a / 2 == 3/ { x = 4 / 2; }"));
	g_assert_cmpint(clause_of(&s, 0)->predicate->op, ==, OP_EQUAL);
	arena_free(s.arena);
}

static void test_declarations(void)
{
	struct session s;

	session_begin(&s);
	g_assert_true(parse(&s, "#!/usr/sbin/dtrace -s\n#pragma D option quiet\n#pragma D option bufsize=4k\n"
				"typedef unsigned long long big_t;\n"
				"struct s { int a : 3; char b[4]; struct s *next; union { int x; long y; }; };\n"
				"enum color { RED, GREEN = 5 };\n"
				"big_t number; self int x, *y; this string text;\n"
				"int table[string, int]; struct s *list; int (*function)(int, char *);\n"
				"inline int answer = 42;\n"
				"translator foo_t < struct s *S > { a = S->a; b = 1; };\n"
				"BEGIN { exit(0); }"));
	g_assert_cmpuint(s.program->options->len, ==, 2);
	g_assert_cmpuint(s.program->typedefs->len, ==, 1);
	g_assert_cmpuint(s.program->variables->len, ==, 7);
	g_assert_cmpuint(s.program->inlines->len, ==, 1);
	g_assert_cmpuint(s.program->translators->len, ==, 1);
	g_assert_cmpuint(s.program->clauses->len, ==, 1);
	arena_free(s.arena);
}

static void test_refused(void)
{
	static const char *const texts[] = {
		"BEGIN {",
		"BEGIN { trace(1) trace(2); }",
		"BEGIN { 1 + ; }",
		"BEGIN / 1 { }",
		"{ }",
		"BEGIN { \"x }",
		"BEGIN { 'x; }",
		"BEGIN { /* }",
		"a:b:c:d:e { }",
		"BEGIN { $99; }",
		"BEGIN { $nosuch; }",
		"int 5;",
		"struct { };",
		"int long char x;",
		"typedef int;",
		"inline int x;",
		"BEGIN { x = 08y; }",
		"BEGIN { `; }",
		"BEGIN { if 1 x; }",
		"BEGIN { while (1); }",
		"BEGIN { @a[] = count(); }",
		"BEGIN { 1.5; }",
		"#pragma D nosuch\nBEGIN",
		"#nosuch\nBEGIN",
		"BEGIN { self->; }",
		"BEGIN { (; }",
		"BEGIN { \x01 }",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		struct session s;

		session_begin(&s);
		if (parse(&s, texts[i]))
			g_error("accepted: %s", texts[i]);
		g_assert_cmpuint(diagnostics_errors(s.context.diagnostics), >, 0);
		arena_free(s.arena);
	}
}

/* Deep nesting is an error, not a crash. */
static void test_depth(void)
{
	static const char *const pieces[] = {"(",	 "-",	 "{",	    "*",    "f(",     "x ? ",
					     "x ? y : ", "a = ", "sizeof ", "a + ", "a->b, ", "(int *********"};

	for (size_t i = 0; i < G_N_ELEMENTS(pieces); i++) {
		GString *text = g_string_new("BEGIN { ");
		struct session s;

		for (int depth = 0; depth < 100000; depth++)
			g_string_append(text, pieces[i]);
		session_begin(&s);
		g_assert_false(parse(&s, text->str));
		arena_free(s.arena);
		g_string_free(text, TRUE);
	}
}

/* The layout of structures is that of C. */
static void test_layout(void)
{
	struct arena *arena = arena_new();
	struct d_layout layout = {.arena = arena, .members = arena_ptr_array(arena)};
	struct type type = {.kind = KIND_STRUCT};
	struct {
		char a;
		int b : 3;
		int c : 30;
		short d;
		long e;
		char f;
	} same;
	struct member found;

	g_assert_true(d_layout_add(&layout, "a", d_base_type(D_CHAR), 0));
	g_assert_true(d_layout_add(&layout, "b", d_base_type(D_INT), 3));
	g_assert_true(d_layout_add(&layout, "c", d_base_type(D_INT), 30));
	g_assert_true(d_layout_add(&layout, "d", d_base_type(D_SHORT), 0));
	g_assert_true(d_layout_add(&layout, "e", d_base_type(D_LONG), 0));
	g_assert_true(d_layout_add(&layout, "f", d_base_type(D_CHAR), 0));
	g_assert_false(d_layout_add(&layout, "g", d_base_type(D_CHAR), 9));
	d_layout_finish(&layout, &type);
	g_assert_cmpuint(type.size, ==, sizeof(same));
	g_assert_null(debuginfo_find_member(&type, "d", &found));
	g_assert_cmpuint(found.offset, ==, (size_t)((char *)&same.d - (char *)&same));
	g_assert_null(debuginfo_find_member(&type, "e", &found));
	g_assert_cmpuint(found.offset, ==, (size_t)((char *)&same.e - (char *)&same));
	g_assert_null(debuginfo_find_member(&type, "b", &found));
	g_assert_cmpint(found.bit_offset, ==, 8);
	arena_free(arena);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/dlang/descriptions", test_descriptions);
	g_test_add_func("/dlang/numbers", test_numbers);
	g_test_add_func("/dlang/macros", test_macros);
	g_test_add_func("/dlang/precedence", test_precedence);
	g_test_add_func("/dlang/predicate", test_predicate);
	g_test_add_func("/dlang/declarations", test_declarations);
	g_test_add_func("/dlang/refused", test_refused);
	g_test_add_func("/dlang/depth", test_depth);
	g_test_add_func("/dlang/layout", test_layout);
	return g_test_run();
}
