// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Nested scripts: for each construct that can contain itself, the work of type inference for twice the depth is less
 * than four times as much. The work is a number of steps, not a time. Other stages of passes 1 to 3 are not counted,
 * but one with exponential work would exceed the CPU time of a case by far.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "translator/library.h"
#include "translator/emit/emit.h"
#include "translator/sema/sema.h"

enum { DEPTH = 30, MOST_SECONDS = 60 };

/*
 * A construct: what is before and after the inner one, and the innermost. In FUNCTION and TEXT_FUNCTION, it is an
 * expression over parameters, whose types are found only by inference. In STATEMENT, it is a statement.
 */
enum place { EXPRESSION, FUNCTION, TEXT_FUNCTION, STATEMENT, PLACE_COUNT_ };

static const struct construct {
	const char *name, *before, *inner, *after;
	enum place place;
} constructs[] = {
	{"parentheses", "(", "g", ")", EXPRESSION},
	{"not", "!", "g", "", EXPRESSION},
	{"minus", "-(", "g", ")", EXPRESSION},
	{"sum-left", "(", "a", " + 1)", FUNCTION},
	{"sum-right", "(b * ", "a", ")", FUNCTION},
	{"shift", "(b << ", "a", ")", FUNCTION},
	{"bits", "(b & ", "a", ")", FUNCTION},
	{"and", "(a && ", "b", ")", FUNCTION},
	{"or", "(", "a", " || b)", FUNCTION},
	{"concatenation-left", "(", "a", " . b)", TEXT_FUNCTION},
	{"concatenation-right", "(a . ", "b", ")", TEXT_FUNCTION},
	{"comparison-left", "(", "a", " == b)", FUNCTION},
	{"comparison-right", "(a < ", "b", ")", FUNCTION},
	{"comparison-of-globals", "(g == ", "g", ")", EXPRESSION},
	{"comparison-of-elements", "(numbers[", "g", " == 1] == 1)", EXPRESSION},
	{"comparison-of-calls", "(same(", "g", ") == 1)", EXPRESSION},
	{"regular-expression", "(sprint(", "g", ") =~ \"a\")", EXPRESSION},
	{"conditional-left", "(a ? ", "b", " : c)", FUNCTION},
	{"conditional-right", "(a ? b : ", "c", ")", FUNCTION},
	{"conditional-both", "(a ? same(b) : ", "c", ")", FUNCTION},
	{"conditional-bare", "g ? g : ", "g", "", EXPRESSION},
	{"conditional-condition", "(", "a", " ? b : c)", FUNCTION},
	{"conditional-of-calls", "(g ? same(", "g", ") : g)", EXPRESSION},
	{"conditional-texts", "(g ? text : ", "text", ")", EXPRESSION},
	{"assignment", "(g = ", "1", ")", EXPRESSION},
	{"assignment-of-local", "(local = ", "1", ")", EXPRESSION},
	{"assignment-of-element", "(numbers[1] = ", "1", ")", EXPRESSION},
	{"assignment-in-key", "(numbers[", "1", "] = 1)", EXPRESSION},
	{"assignment-of-conditional", "(local = g ? 1 : ", "1", ")", EXPRESSION},
	{"assignment-sum", "(g += ", "1", ")", EXPRESSION},
	{"assignment-text", "(text .= ", "text", ")", EXPRESSION},
	{"increment", "-(", "g++", ")", EXPRESSION},
	{"element", "numbers[", "1", "]", EXPRESSION},
	{"element-increment", "numbers[", "1", "]++", EXPRESSION},
	{"membership", "([", "1", "] in numbers)", EXPRESSION},
	{"call", "same(", "1", ")", EXPRESSION},
	{"call-unknown", "same(", "a", ")", FUNCTION},
	{"call-of-text", "same_text(", "text", ")", EXPRESSION},
	{"sprint", "sprint(", "g", ")", EXPRESSION},
	{"sprintf", "sprintf(\"%s\", ", "text", ")", EXPRESSION},
	{"sprintd", "sprintdln(\",\", 1, ", "g", ")", EXPRESSION},
	{"bucket", "@hist_log(values)[", "1", "]", EXPRESSION},
	{"defined", "@defined(", "g", ")", EXPRESSION},
	{"memory", "@kderef(4, ", "g", ")", EXPRESSION},
	{"block", "{ ", "g++", " }", STATEMENT},
	{"if", "if (g) ", "g++", "", STATEMENT},
	{"if-else", "if (g) g++; else ", "g++", "", STATEMENT},
	{"if-of-then", "if (g) { ", "g++", " } else g--;", STATEMENT},
	{"while", "while (g--) ", "g++", "", STATEMENT},
	{"for", "for (i = 0; i < g; i++) ", "g++", "", STATEMENT},
	{"try", "try { ", "g++", " } catch { g-- }", STATEMENT},
	{"catch", "try { g++ } catch (message) { ", "g++", " }", STATEMENT},
	{"condition-of-preprocessor", "%( 1 == 1 %? ", "g++", " %)", STATEMENT},
	{"macro-argument", "@alike(", "g", ")", EXPRESSION},
};

static const char *const places[PLACE_COUNT_] = {
	[EXPRESSION] = "probe end { print(%s) }\n",
	[FUNCTION] = "function tried (a, b, c) { return %s }\nprobe end { print(tried(g, g, g)) }\n",
	[TEXT_FUNCTION] = "function tried (a, b, c) { return %s }\nprobe end { print(tried(text, text, text)) }\n",
	[STATEMENT] = "probe end { %s }\n",
};

static const char script_head[] =
	"@define alike(x) %( (@x) %)\n"
	"global g, text, numbers, values\n"
	"function same (x) { return x }\n"
	"function same_text (x) { return x . \"\" }\n"
	"probe begin { g = 1; text = \"x\"; numbers[1] = 1; values <<< 1; print(@count(values)) }\n";

static char *nested(const struct construct *construct, int depth)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_auto(GStrv) around = g_strsplit(places[construct->place], "%s", 2);

	g_string_append_printf(text, "%s%s", script_head, around[0]);
	for (int i = 0; i < depth; i++)
		g_string_append(text, construct->before);
	g_string_append(text, construct->inner);
	for (int i = 0; i < depth; i++)
		g_string_append(text, construct->after);
	g_string_append(text, around[1]);
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static void begin(struct translation *t, struct options *options)
{
	struct arena *arena = arena_new();

	*t = (struct translation){
		.arena = arena,
		.diagnostics = diagnostics_new(arena),
		.options = options,
		.limits = {.max_string_length = 512,
			   .max_map_entries = 2048,
			   .max_action = 1000,
			   .max_action_interruptible = 1000,
			   .max_nesting = 10,
			   .max_skipped = 100},
		.module_name = "nested",
		.scripts = arena_ptr_array(arena),
		.library = arena_ptr_array(arena),
		.library_files = arena_ptr_array(arena),
		.language =
			{
				.arena = arena,
				.diagnostics = t->diagnostics,
				.kernel_release = "6.1.0-56-cloud-amd64",
				.architecture = "x86_64",
				.systemtap_version = "5.5",
				.privilege = "stapdev",
				.runtime = "kernel",
				.kernel_config = g_hash_table_new(g_str_hash, g_str_equal),
				.library_macros = g_hash_table_new(g_str_hash, g_str_equal),
			},
	};
	kernel_set_architecture(&t->kernel, architecture_by_name("x86_64"));
	t->language.diagnostics = t->diagnostics;
	t->open_debuginfo = g_hash_table_new(g_str_hash, g_str_equal);
	arena_defer(arena, (GDestroyNotify)g_hash_table_unref, t->open_debuginfo);
	arena_defer(arena, (GDestroyNotify)g_hash_table_unref, t->language.kernel_config);
	arena_defer(arena, (GDestroyNotify)g_hash_table_unref, t->language.library_macros);
	g_assert_null(parse_library(t));
}

/* Translate a script to C. Return the number of expressions that were inferred. */
static unsigned long translate(const char *text)
{
	struct source_file file = {.name = "nested", .text = text, .length = strlen(text)};
	struct options options = {.suppress_warnings = true};
	struct translation t;
	struct script *script;
	unsigned long steps;

	begin(&t, &options);
	script = parse_script(&t.language, &file);
	if (script) {
		g_ptr_array_add(t.scripts, script);
		if (analyze(&t))
			emit_module(&t);
	}
	if (!t.c_text || diagnostics_errors(t.diagnostics)) {
		diagnostics_flush(t.diagnostics);
		g_error("not translated: %s", text);
	}
	steps = t.inference_steps;
	arena_free(t.arena);
	return steps;
}

static void test_construct(const void *data)
{
	const struct itimerval limit = {.it_value = {.tv_sec = MOST_SECONDS}}, none = {0};
	const struct construct *construct = data;
	g_autofree char *once = nested(construct, DEPTH), *twice = nested(construct, 2 * DEPTH);
	unsigned long few, many;

	setitimer(ITIMER_PROF, &limit, NULL);
	few = translate(once);
	many = translate(twice);
	setitimer(ITIMER_PROF, &none, NULL);
	g_test_message("%s: %lu steps at depth %d, %lu at %d", construct->name, few, DEPTH, many, 2 * DEPTH);
	g_assert_cmpuint(many, <, 4 * few);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(constructs); i++) {
		g_autofree char *path = g_strdup_printf("/nesting/%s", constructs[i].name);

		g_test_add_data_func(path, &constructs[i], test_construct);
	}
	return g_test_run();
}
