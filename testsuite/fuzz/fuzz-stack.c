// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Scripts whose handlers could need much of the kernel's stack, and their expected output.
 *
 *     fuzz-stack DIRECTORY COUNT SEED
 *
 * writes DIRECTORY/wide_N.stp and DIRECTORY/wide_N.out for N below COUNT. The first scripts are the same each time: the
 * shapes and sizes that once caused a kernel panic. The seed selects shape, size and probe of the others. Each script
 * runs its handler once and exits. The suite `stack` translates all of them and runs them in a guest.
 */
#include <glib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRING_MOST = 511, ARRAY = 7 };

struct writer {
	GRand *random;
	GString *globals; /* declarations, functions, and probes that keep a global from being a constant */
	GString *body, *output;
	int64_t values[2]; /* of the globals g0 and g1 */
	int numbers; /* counter for unique names */
};

static int between(struct writer *w, int least, int most)
{
	return g_rand_int_range(w->random, least, most + 1);
}

/* The elements of the arrays n[i] and t[i], and the two samples of each s[i]. */
static int64_t element(int i)
{
	return 3 * i + 1;
}

static void begin_script(struct writer *w)
{
	w->values[0] = between(w, 1, 1000);
	w->values[1] = between(w, 1, 1000);
	g_string_append_printf(w->globals, "global g0 = %d, g1 = %d, n, t, s, h, done, never\n", (int)w->values[0],
			       (int)w->values[1]);
	/* Another probe writes the globals, so that the handler must read them each time. */
	g_string_append(w->globals, "probe timer.s(3600) { if (never) { g0++ g1++ } }\n");
	for (int i = 0; i < ARRAY; i++) {
		g_string_append_printf(w->body, "n[%d] = %d; t[\"k%d\"] = \"v%d\"; s[%d, \"a\"] <<< %d\n", i,
				       (int)element(i), i, i, i, (int)element(i));
		g_string_append_printf(w->body, "s[%d, \"a\"] <<< %d; h[%d] <<< %d\n", i, (int)element(i) + 2, i,
				       (int)element(i));
	}
}

/* An operand, and its value. */
static int64_t operand(struct writer *w, GString *text)
{
	static const struct {
		const char *name;
		int value; /* from element() */
	} statistics[] = {{"count", 0}, {"sum", 1}, {"min", 2}, {"max", 3}, {"avg", 4}};
	int i = between(w, 0, ARRAY - 1), which = between(w, 0, G_N_ELEMENTS(statistics) - 1);
	const int64_t values[] = {2, 2 * element(i) + 2, element(i), element(i) + 2, element(i) + 1};

	switch (between(w, 0, 4)) {
	case 0:
		g_string_append_printf(text, "g%d", i & 1);
		return w->values[i & 1];
	case 1:
		g_string_append_printf(text, "n[%d]", i);
		return element(i);
	case 2:
		g_string_append_printf(text, "@%s(s[%d, \"a\"])", statistics[which].name, i);
		return values[statistics[which].value];
	case 3:
		g_string_append_printf(text, "(n[%d] = g%d + %d)", ARRAY + i, i & 1, i);
		return w->values[i & 1] + i;
	default:
		g_string_append_printf(text, "%d", i);
		return i;
	}
}

static int64_t apply(int64_t left, char operator, int64_t right)
{
	switch (operator) {
	case '+':
		return (int64_t)((uint64_t)left + (uint64_t)right);
	case '-':
		return (int64_t)((uint64_t)left - (uint64_t)right);
	case '*':
		return (int64_t)((uint64_t)left * (uint64_t)right);
	case '^':
		return left ^ right;
	default:
		return left & right;
	}
}

static void print_number(struct writer *w, const char *text, int64_t value)
{
	g_string_append_printf(w->body, "println(%s)\n", text);
	g_string_append_printf(w->output, "%" G_GINT64_FORMAT "\n", value);
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static void wide_sum(struct writer *w, int size)
{
	g_autoptr(GString) text = g_string_new("g0");
	int64_t value = w->values[0];

	for (int i = 1; i < size; i++) {
		g_string_append(text, " + ");
		value = apply(value, '+', operand(w, text));
	}
	print_number(w, text->str, value);
}

static void plain_sum(struct writer *w, int size)
{
	g_autoptr(GString) text = g_string_new("g0");

	for (int i = 1; i < size; i++)
		g_string_append(text, "+g0");
	print_number(w, text->str, size * w->values[0]);
}

static void statistics(struct writer *w, int size)
{
	g_autoptr(GString) text = g_string_new(NULL);
	int64_t value = 0;

	for (int i = 0; i < size; i++) {
		g_string_append_printf(text, "%s@sum(s[%d, \"a\"])", i ? " + " : "", i % ARRAY);
		value += 2 * element(i % ARRAY) + 2;
	}
	print_number(w, text->str, value);
}

/* Nest to the right, so that each operand waits for all operands to its right. */
static void nested(struct writer *w, int size)
{
	static const char operators[] = "+-*^&";
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree int64_t *values = g_new0(int64_t, size);
	g_autofree char *chosen = g_new0(char, size);
	int64_t value;

	size = MIN(size, 100);
	for (int i = 0; i < size - 1; i++) {
		values[i] = operand(w, text);
		chosen[i] = operators[between(w, 0, strlen(operators) - 1)];
		g_string_append_printf(text, " %c (", chosen[i]);
	}
	value = operand(w, text);
	for (int i = size - 2; i >= 0; i--) {
		g_string_append_c(text, ')');
		value = apply(values[i], chosen[i], value);
	}
	print_number(w, text->str, value);
}

static void ternaries(struct writer *w, int size)
{
	g_autoptr(GString) text = g_string_new(NULL);
	int found = between(w, 0, 50);

	size = MIN(size, 60);
	for (int i = 0; i < size; i++)
		g_string_append_printf(text, "g0 == %d ? n[%d] * %d : (", i == found ? (int)w->values[0] : -1,
				       i % ARRAY, i);
	g_string_append(text, "g1");
	for (int i = 0; i < size; i++)
		g_string_append_c(text, ')');
	print_number(w, text->str, found < size ? element(found % ARRAY) * found : w->values[1]);
}

/* Make one value of a report, with its text. */
static void cell(struct writer *w, GString *text, GString *output)
{
	int i = between(w, 0, ARRAY - 1);

	if (between(w, 0, 2)) {
		g_string_append_printf(output, "%" G_GINT64_FORMAT, operand(w, text));
		return;
	}
	g_string_append_printf(text, "t[\"k%d\"]", i);
	g_string_append_printf(output, "v%d", i);
}

static void cells(struct writer *w, int size)
{
	g_autoptr(GString) text = g_string_new(NULL);

	size = MIN(size, 1024);
	for (int i = 0; i < size; i++) {
		g_string_append(text, i ? ", " : "");
		cell(w, text, w->output);
	}
	g_string_append_printf(w->body, "println(%s)\n", text->str);
	g_string_append_c(w->output, '\n');
}

static void formatted(struct writer *w, int size)
{
	g_autoptr(GString) text = g_string_new(NULL), format = g_string_new(NULL);

	size = MIN(size, 1000);
	for (int i = 0; i < size; i++) {
		g_string_append(text, ", ");
		g_string_append_printf(w->output, "[%5" G_GINT64_FORMAT "]", operand(w, text));
		g_string_append(format, "[%5d]");
	}
	g_string_append_printf(w->body, "printf(\"%s\\n\"%s)\n", format->str, text->str);
	g_string_append_c(w->output, '\n');
}

/* Truncate the expected string at the limit of strings. */
static void append_cut(struct writer *w, const GString *text)
{
	g_string_append_len(w->output, text->str, MIN(text->len, STRING_MOST));
	g_string_append_c(w->output, '\n');
}

static void concatenation(struct writer *w, int size)
{
	g_autoptr(GString) text = g_string_new("\"\""), whole = g_string_new(NULL);

	for (int i = 0; i < size; i++) {
		g_string_append(text, i & 1 ? " . sprint(" : " . sprintf(\"%s \", sprint(");
		cell(w, text, whole);
		g_string_append(text, i & 1 ? ")" : "))");
		g_string_append(whole, i & 1 ? "" : " ");
	}
	g_string_append_printf(w->body, "println(%s)\n", text->str);
	append_cut(w, whole);
}

static void locals(struct writer *w, int size)
{
	int name = w->numbers++;
	int64_t value = 0;

	g_string_append_printf(w->globals, "function f%d(x) { g1 += x; return g1 - g1 + x }\n", name);
	for (int i = 0; i < size; i++)
		g_string_append_printf(w->body, "x%d_%d = f%d(%d)\n", name, i, name, i);
	g_string_append(w->body, "println(");
	for (int i = 0; i < size; i++) {
		g_string_append_printf(w->body, "%sx%d_%d", i ? " + " : "", name, i);
		value += i;
		w->values[1] += i;
	}
	g_string_append(w->body, ")\n");
	g_string_append_printf(w->output, "%" G_GINT64_FORMAT "\n", value);
}

static void strings(struct writer *w, int size)
{
	g_autoptr(GString) whole = g_string_new(NULL);
	int name = w->numbers++;

	size = MIN(size, 300);
	for (int i = 0; i < size; i++)
		g_string_append_printf(w->body, "y%d_%d = sprint(g0 + %d)\n", name, i, i);
	g_string_append(w->body, "println(");
	for (int i = 0; i < size; i++) {
		g_string_append_printf(w->body, "%sy%d_%d", i ? " . " : "", name, i);
		g_string_append_printf(whole, "%d", (int)w->values[0] + i);
	}
	g_string_append(w->body, ")\n");
	append_cut(w, whole);
}

/* Make nested calls of functions with arguments and local variables; the last function is recursive. */
static void calls(struct writer *w, int size)
{
	int name = w->numbers++, depth = MIN(2 + size / 20, 40), arguments = between(w, 1, 12);
	int64_t value = 0;

	for (int i = 0; i < depth; i++) {
		g_string_append_printf(w->globals, "function f%d_%d(x", name, i);
		for (int j = 1; j < arguments; j++)
			g_string_append_printf(w->globals, ", a%d:string", j);
		g_string_append_printf(w->globals, ") { y = x + g0 - g0; z = sprint(y); return f%d_%d(y + 1", name,
				       i + 1);
		for (int j = 1; j < arguments; j++)
			g_string_append_printf(w->globals, ", z . a%d", j);
		g_string_append(w->globals, ") + y }\n");
		value += 1 + i;
	}
	g_string_append_printf(w->globals, "function f%d_%d(x", name, depth);
	for (int j = 1; j < arguments; j++)
		g_string_append_printf(w->globals, ", a%d:string", j);
	g_string_append_printf(w->globals, ") { return x <= 0 ? 0 : r%d(6) + x }\n", name);
	g_string_append_printf(w->globals, "function r%d(x) { return x <= 0 ? 0 : r%d(x - 1) + x }\n", name, name);
	g_string_append_printf(w->body, "println(f%d_0(1", name);
	for (int j = 1; j < arguments; j++)
		g_string_append(w->body, ", \"a\"");
	g_string_append(w->body, "))\n");
	g_string_append_printf(w->output, "%" G_GINT64_FORMAT "\n", value + depth + 1 + 21);
}

static void tries(struct writer *w, int size)
{
	int name = w->numbers++;

	size = MIN(size, 120);
	for (int i = 0; i < size; i++)
		g_string_append_printf(w->body,
				       "try { z%d += 1 / (n[0] - %d) } catch (m%d_%d) { z%d += strlen(m%d_%d) }\n",
				       name, i % 2 + 1, name, i, name, name, i);
	/* Alternate between 1 / 0 and 1 / -1. */
	g_string_append_printf(w->body, "println(z%d)\n", name);
	g_string_append_printf(w->output, "%d\n", (size + 1) / 2 * (int)strlen("division by 0") - size / 2);
}

static void loops(struct writer *w, int size)
{
	int name = w->numbers++, depth = MIN(1 + size / 100, 4);
	int64_t rounds = 1;

	for (int i = 0; i < depth; i++) {
		g_string_append_printf(w->body, "foreach (k%d_%d in h limit 2) ", name, i);
		rounds *= 2;
	}
	g_string_append_printf(w->body, "c%d += @count(h[k%d_0])\nprintln(c%d)\n", name, name, name);
	g_string_append_printf(w->output, "%" G_GINT64_FORMAT "\n", rounds);
}

/* ---- scripts ----------------------------------------------------------------------------------------------------- */

static const struct shape {
	void (*write)(struct writer *w, int size);
	int first; /* size in the fixed first scripts; 0: not among them */
} shapes[] = {
	{plain_sum, 1999}, {statistics, 900}, {locals, 1200}, {cells, 400},   {concatenation, 400},
	{formatted, 400},  {wide_sum, 600},   {nested, 0},    {ternaries, 0}, {strings, 0},
	{calls, 800},	   {tries, 0},	      {loops, 0},
};

static void write_file(const char *directory, int number, const char *suffix, const GString *text)
{
	g_autofree char *path = g_strdup_printf("%s/wide_%d.%s", directory, number, suffix);
	GError *error = NULL;

	if (!g_file_set_contents(path, text->str, text->len, &error)) {
		fprintf(stderr, "%s\n", error->message);
		exit(EXIT_FAILURE);
	}
}

/* Probes in the loader's task, in interrupts, and in a task that is being switched out. */
static const char *const probes[] = {"begin", "timer.ms(1)", "timer.profile", "kernel.trace(\"sched_switch\")"};

static void write_script(const char *directory, int number, GRand *random, const struct shape *first)
{
	g_autoptr(GString) globals = g_string_new(NULL), body = g_string_new(NULL), output = g_string_new(NULL);
	struct writer w = {.random = random, .globals = globals, .body = body, .output = output};

	begin_script(&w);
	if (first)
		first->write(&w, first->first);
	for (int left = first ? 0 : between(&w, 1, 4); left > 0; left--)
		shapes[between(&w, 0, G_N_ELEMENTS(shapes) - 1)].write(&w, between(&w, 1, 700));
	g_string_append_printf(globals, "probe %s {\nif (done++) next\n%sexit()\n}\n",
			       probes[number % G_N_ELEMENTS(probes)], body->str);
	write_file(directory, number, "stp", globals);
	write_file(directory, number, "out", output);
}

int main(int argc, char **argv)
{
	g_autoptr(GRand) random = NULL;
	int number = 0, count;

	if (argc != 4) {
		fprintf(stderr, "Usage: fuzz-stack DIRECTORY COUNT SEED\n");
		return EXIT_FAILURE;
	}
	count = atoi(argv[2]);
	random = g_rand_new_with_seed(atoi(argv[3]));
	for (size_t i = 0; i < G_N_ELEMENTS(shapes) && number < count; i++)
		if (shapes[i].first)
			write_script(argv[1], number++, random, &shapes[i]);
	while (number < count)
		write_script(argv[1], number++, random, NULL);
	return EXIT_SUCCESS;
}
