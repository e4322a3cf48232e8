// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random scripts whose output is known, for differential tests of arithmetic (testsuite/suites/values.sh):
 *
 *     expressions    of numbers and strings, evaluated here. Each one is printed twice: with literals, which the
 *                    translator may fold, and with globals, which it may not.
 *     formats        numbers and strings in random formats, as the C library prints them
 *     statistics     of random values: count, sum, smallest, largest, average, and the counts of histograms
 *
 *     make-script SEED SCRIPT.stp EXPECTED
 */
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXPRESSIONS = 60, FORMATS = 60, SAMPLES = 12, DEEPEST = 4 };

struct maker {
	GRand *random;
	GString *globals, *script, *expected;
	int variables;
};

/* An expression, spelled in both ways, with its value. */
struct node {
	GString *literal, *variable;
	int level; /* of precedence; LEVEL_PRIMARY binds closest */
	bool is_text;
	gint64 number;
	char *text;
};

enum {
	LEVEL_CONDITION,
	LEVEL_OR,
	LEVEL_AND,
	LEVEL_BIT_OR,
	LEVEL_BIT_XOR,
	LEVEL_BIT_AND,
	LEVEL_COMPARISON,
	LEVEL_SHIFT,
	LEVEL_CONCATENATION,
	LEVEL_SUM,
	LEVEL_PRODUCT,
	LEVEL_UNARY,
	LEVEL_PRIMARY
};

static int pick(struct maker *m, int count)
{
	return g_rand_int_range(m->random, 0, count);
}

static gint64 pick_number(struct maker *m)
{
	static const gint64 special[] = {
		0,   1,		 -1,	     2,		  10,	      63,	  64,
		255, G_MAXINT32, G_MININT32, G_MAXUINT32, G_MAXINT64, G_MININT64, G_MININT64 + 1};
	guint64 number = (guint64)g_rand_int(m->random) << 32 | g_rand_int(m->random);

	switch (pick(m, 3)) {
	case 0:
		return special[pick(m, G_N_ELEMENTS(special))];
	case 1:
		return (gint64)number >> pick(m, 64);
	default:
		return pick(m, 41) - 20;
	}
}

static struct node *new_node(int level)
{
	struct node *node = g_new0(struct node, 1);

	node->literal = g_string_new(NULL);
	node->variable = g_string_new(NULL);
	node->level = level;
	return node;
}

static void append(struct node *to, const char *text)
{
	g_string_append(to->literal, text);
	g_string_append(to->variable, text);
}

/* Append an operand, in parentheses if its level is below @p level, and sometimes without need. */
static void append_operand(struct maker *m, struct node *to, const struct node *operand, int level)
{
	bool parentheses = operand->level < level || pick(m, 8) == 0;

	append(to, parentheses ? "(" : "");
	g_string_append(to->literal, operand->literal->str);
	g_string_append(to->variable, operand->variable->str);
	append(to, parentheses ? ")" : "");
}

/* ---- expressions ------------------------------------------------------------------------------------------------- */

static struct node *make_leaf(struct maker *m, bool is_text)
{
	static const char *const texts[] = {"", "a", "ab", "b", "B", "abc abc", "12", "%d", "x\\n"};
	struct node *node = new_node(LEVEL_PRIMARY);
	int variable = m->variables++;

	node->is_text = is_text;
	if (is_text) {
		const char *text = texts[pick(m, G_N_ELEMENTS(texts))];

		node->text = g_strcompress(text);
		g_string_append_printf(node->literal, "\"%s\"", text);
	} else {
		node->number = pick_number(m);
		if (node->number < 0)
			node->level = LEVEL_UNARY;
		g_string_append_printf(node->literal, "%" G_GINT64_FORMAT, node->number);
	}
	g_string_append_printf(node->variable, "v%d", variable);
	g_string_append_printf(m->globals, "global v%d = %s\n", variable, node->literal->str);
	return node;
}

static struct node *make_expression(struct maker *m, bool is_text, int depth);

static struct node *binary(struct maker *m, const char *operator, int level, struct node *left, struct node *right)
{
	struct node *node = new_node(level);

	append_operand(m, node, left, level == LEVEL_COMPARISON ? level + 1 : level);
	append(node, " ");
	append(node, operator);
	append(node, " ");
	append_operand(m, node, right, level + 1);
	return node;
}

static gint64 divide(gint64 a, gint64 b)
{
	return b == -1 ? (gint64) - (guint64)a : a / b;
}

static bool evaluate(const char *operator, gint64 a, gint64 b, gint64 *ret)
{
	guint64 x = (guint64)a, y = (guint64)b;

	if (!strcmp(operator, "*"))
		*ret = (gint64)(x * y);
	else if (!strcmp(operator, "/") && b)
		*ret = divide(a, b);
	else if (!strcmp(operator, "%") && b)
		*ret = (gint64)(x - (guint64)divide(a, b) * y);
	else if (!strcmp(operator, "+"))
		*ret = (gint64)(x + y);
	else if (!strcmp(operator, "-"))
		*ret = (gint64)(x - y);
	else if (!strcmp(operator, "<<"))
		*ret = (gint64)(x << (b & 63));
	else if (!strcmp(operator, ">>"))
		*ret = a >> (b & 63);
	else if (!strcmp(operator, ">>>"))
		*ret = (gint64)(x >> (b & 63));
	else if (!strcmp(operator, "&"))
		*ret = a & b;
	else if (!strcmp(operator, "^"))
		*ret = a ^ b;
	else if (!strcmp(operator, "|"))
		*ret = a | b;
	else if (!strcmp(operator, "&&"))
		*ret = a && b;
	else if (!strcmp(operator, "||"))
		*ret = a || b;
	else
		return false; /* division by zero */
	return true;
}

static struct node *make_arithmetic(struct maker *m, int depth)
{
	static const struct {
		const char *text;
		int level;
	} operators[] = {{"*", LEVEL_PRODUCT}, {"/", LEVEL_PRODUCT}, {"%", LEVEL_PRODUCT}, {"+", LEVEL_SUM},
			 {"-", LEVEL_SUM},     {"<<", LEVEL_SHIFT},  {">>", LEVEL_SHIFT},  {">>>", LEVEL_SHIFT},
			 {"&", LEVEL_BIT_AND}, {"^", LEVEL_BIT_XOR}, {"|", LEVEL_BIT_OR},  {"&&", LEVEL_AND},
			 {"||", LEVEL_OR}};
	struct node *left = make_expression(m, false, depth - 1), *right = make_expression(m, false, depth - 1), *node;
	gint64 number;
	int which;

	do {
		which = pick(m, G_N_ELEMENTS(operators));
	} while (!evaluate(operators[which].text, left->number, right->number, &number));
	node = binary(m, operators[which].text, operators[which].level, left, right);
	node->number = number;
	return node;
}

static struct node *make_comparison(struct maker *m, int depth)
{
	static const struct {
		const char *text;
		bool less, equal, greater;
	} operators[] = {{"<", true, false, false}, {"<=", true, true, false}, {"==", false, true, false},
			 {"!=", true, false, true}, {">=", false, true, true}, {">", false, false, true}};
	bool is_text = pick(m, 3) == 0;
	struct node *left = make_expression(m, is_text, depth - 1), *right = make_expression(m, is_text, depth - 1);
	int which = pick(m, G_N_ELEMENTS(operators));
	struct node *node = binary(m, operators[which].text, LEVEL_COMPARISON, left, right);
	int order = is_text ? strcmp(left->text, right->text)
			    : (left->number > right->number) - (left->number < right->number);

	node->number = order < 0   ? operators[which].less
		       : order > 0 ? operators[which].greater
				   : operators[which].equal;
	return node;
}

static struct node *make_unary(struct maker *m, int depth)
{
	static const char operators[] = "-~!";
	struct node *operand = make_expression(m, false, depth - 1), *node = new_node(LEVEL_UNARY);
	char operator[] = {operators[pick(m, 3)], '\0'};

	append(node, operator);
	append_operand(m, node, operand, LEVEL_PRIMARY);
	node->number = *operator== '-'	  ? (gint64) - (guint64)operand->number
		       : * operator== '~' ? ~operand->number
					  : !operand->number;
	return node;
}

static struct node *make_condition(struct maker *m, bool is_text, int depth)
{
	struct node *condition = make_expression(m, false, depth - 1);
	struct node *yes = make_expression(m, is_text, depth - 1), *no = make_expression(m, is_text, depth - 1);
	struct node *node = new_node(LEVEL_CONDITION);

	append_operand(m, node, condition, LEVEL_CONDITION + 1);
	append(node, " ? ");
	append_operand(m, node, yes, LEVEL_CONDITION);
	append(node, " : ");
	append_operand(m, node, no, LEVEL_CONDITION);
	node->is_text = is_text;
	node->number = condition->number ? yes->number : no->number;
	node->text = condition->number ? yes->text : no->text;
	return node;
}

/* A call of a function that is defined in the script, so that values are passed and returned. */
static struct node *make_call(struct maker *m, bool is_text, int depth)
{
	struct node *argument = make_expression(m, is_text, depth - 1), *node = new_node(LEVEL_PRIMARY);

	append(node, is_text ? "same_text(" : "same_number(");
	append_operand(m, node, argument, LEVEL_CONDITION);
	append(node, ")");
	node->is_text = is_text;
	node->number = argument->number;
	node->text = argument->text;
	return node;
}

static struct node *make_length(struct maker *m, int depth)
{
	struct node *argument = make_expression(m, true, depth - 1), *node = new_node(LEVEL_PRIMARY);

	append(node, "strlen(");
	append_operand(m, node, argument, LEVEL_CONDITION);
	append(node, ")");
	node->number = (gint64)strlen(argument->text);
	return node;
}

static struct node *make_concatenation(struct maker *m, int depth)
{
	struct node *left = make_expression(m, true, depth - 1), *right = make_expression(m, true, depth - 1);
	struct node *node = binary(m, ".", LEVEL_CONCATENATION, left, right);

	node->is_text = true;
	node->text = g_strconcat(left->text, right->text, NULL);
	return node;
}

static struct node *make_expression(struct maker *m, bool is_text, int depth)
{
	if (!depth)
		return make_leaf(m, is_text);
	if (is_text)
		return pick(m, 3) == 0	 ? make_condition(m, true, depth)
		       : pick(m, 3) == 0 ? make_call(m, true, depth)
					 : make_concatenation(m, depth);
	switch (pick(m, 9)) {
	case 0:
		return make_condition(m, false, depth);
	case 1:
		return make_call(m, false, depth);
	case 2:
		return make_length(m, depth);
	case 3:
		return make_unary(m, depth);
	case 4:
		return make_comparison(m, depth);
	default:
		return make_arithmetic(m, depth);
	}
}

static void put_expressions(struct maker *m)
{
	for (int i = 0; i < EXPRESSIONS; i++) {
		struct node *node = make_expression(m, pick(m, 5) == 0, 1 + pick(m, DEEPEST));
		const char *format = node->is_text ? "%s" : "%d";

		g_string_append_printf(m->script, "\tprintf(\"e%d %s\\n\", %s)\n", i, format, node->literal->str);
		g_string_append_printf(m->script, "\tprintf(\"e%d %s\\n\", %s)\n", i, format, node->variable->str);
		for (int twice = 0; twice < 2; twice++) {
			g_string_append_printf(m->expected, "e%d ", i);
			if (node->is_text)
				g_string_append_printf(m->expected, "%s\n", node->text);
			else
				g_string_append_printf(m->expected, "%" G_GINT64_FORMAT "\n", node->number);
		}
	}
}

/* ---- formats ----------------------------------------------------------------------------------------------------- */

/* Print with the C library, whose formats of 64-bit numbers have "ll". */
static char *print_number(const char *flags, char conversion, gint64 number)
{
	g_autofree char *format = g_strdup_printf("%%%sll%c", flags, conversion);
	char text[256];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(text, sizeof(text), format, number);
#pragma GCC diagnostic pop
	return g_strdup(text);
}

static char *print_text(const char *flags, const char *value)
{
	g_autofree char *format = g_strdup_printf("%%%ss", flags);
	char text[256];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(text, sizeof(text), format, value);
#pragma GCC diagnostic pop
	return g_strdup(text);
}

/*
 * Choose flags that C defines for the conversion, a width, which is only @p width if it is not 0, and a precision. Not
 * all of "%#.3o": SystemTap prints the zero of the flag before as many digits as the precision says, and C does not.
 */
static char *pick_flags(struct maker *m, char conversion, int width)
{
	const char *possible = strchr("di", conversion)	   ? "-+ 0"
			       : strchr("xXo", conversion) ? "-#0"
			       : conversion == 'u'	   ? "-0"
							   : "-";
	GString *flags = g_string_new(NULL);

	for (const char *flag = possible; *flag && !width; flag++)
		if (pick(m, 3) == 0)
			g_string_append_c(flags, *flag);
	if (width)
		g_string_append_printf(flags, "%d", width);
	else if (pick(m, 2))
		g_string_append_printf(flags, "%d", 1 + pick(m, 30));
	if (pick(m, 3) == 0) {
		int precision = pick(m, 20);

		if (conversion != 'o' || !strchr(flags->str, '#'))
			g_string_append_printf(flags, ".%d", precision);
	}
	return g_string_free(flags, FALSE);
}

static void put_formats(struct maker *m)
{
	static const char conversions[] = "dixXous";

	for (int i = 0; i < FORMATS; i++) {
		char conversion = conversions[pick(m, sizeof(conversions) - 1)];
		int width = pick(m, 4) ? 0 : 1 + pick(m, 30);
		g_autofree char *flags = pick_flags(m, conversion, width);
		g_autofree char *in_script = width ? g_strdup_printf("*%s", strchr(flags, '.') ?: "") : g_strdup(flags);
		g_autofree char *argument = width ? g_strdup_printf("%d, ", width) : g_strdup("");
		struct node *leaf = make_leaf(m, conversion == 's');
		g_autofree char *printed =
			leaf->is_text ? print_text(flags, leaf->text) : print_number(flags, conversion, leaf->number);

		g_string_append_printf(m->script, "\tprintf(\"f%d |%%%s%c|\\n\", %s%s)\n", i, in_script, conversion,
				       argument, leaf->variable->str);
		g_string_append_printf(m->expected, "f%d |%s|\n", i, printed);
	}
}

/* ---- statistics -------------------------------------------------------------------------------------------------- */

static int log_bucket(gint64 value)
{
	int power = 0;

	for (guint64 rest = value < 0 ? -(guint64)value : (guint64)value; rest; rest >>= 1)
		power++;
	return value < 0 ? 64 - power : 64 + power;
}

static int linear_bucket(gint64 value, gint64 low, gint64 high, gint64 width)
{
	gint64 last = (high - low) / width + 1;

	if (value < low)
		return 0;
	return value >= low + width * last ? (int)last + 1 : 1 + (int)((value - low) / width);
}

static void put_histogram(struct maker *m, const char *name, const char *extractor, const int *counts, int buckets)
{
	for (int i = 0; i < buckets; i++) {
		if (!counts[i])
			continue;
		g_string_append_printf(m->script, "\tprintf(\"%s %d %%d\\n\", @%s[%d])\n", name, i, extractor, i);
		g_string_append_printf(m->expected, "%s %d %d\n", name, i, counts[i]);
	}
}

static void put_sample(struct maker *m, int number)
{
	static const char extractors[] =
		"\tprintf(\"s%d %%d %%d %%d %%d %%d\\n\", @count(s%d), @sum(s%d), @min(s%d), @max(s%d), @avg(s%d))\n";
	int count = 1 + pick(m, 40), logarithmic[129] = {0}, linear[103] = {0};
	int low = pick(m, 100) - 50, width = 1 + pick(m, 9), high = low + width * (1 + pick(m, 90)) + pick(m, width);
	bool small = pick(m, 2);
	guint64 sum = 0;
	gint64 least = G_MAXINT64, greatest = G_MININT64;
	g_autofree char *name = g_strdup_printf("s%d", number), *name_log = g_strdup_printf("hist_log(s%d)", number);
	g_autofree char *name_linear = g_strdup_printf("hist_linear(s%d, %d, %d, %d)", number, low, high, width);

	g_string_append_printf(m->globals, "global s%d\n", number);
	for (int i = 0; i < count; i++) {
		gint64 value = small ? pick(m, 200) - 100 : pick_number(m);

		g_string_append_printf(m->script, "\ts%d <<< %" G_GINT64_FORMAT "\n", number, value);
		sum += (guint64)value;
		least = MIN(least, value);
		greatest = MAX(greatest, value);
		logarithmic[log_bucket(value)]++;
		linear[linear_bucket(value, low, high, width)]++;
	}
	g_string_append_printf(m->script, extractors, number, number, number, number, number, number);
	g_string_append_printf(m->expected, "s%d %d %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
			       number, count, (gint64)sum, least, greatest);
	g_string_append_printf(m->expected, " %" G_GINT64_FORMAT "\n", (gint64)sum / count);
	if (pick(m, 2))
		put_histogram(m, name, name_log, logarithmic, G_N_ELEMENTS(logarithmic));
	else
		put_histogram(m, name, name_linear, linear, G_N_ELEMENTS(linear));
}

int main(int argc, char **argv)
{
	struct maker m = {.globals = g_string_new(NULL), .script = g_string_new(NULL), .expected = g_string_new(NULL)};

	if (argc != 4) {
		g_printerr("usage: make-script SEED SCRIPT EXPECTED\n");
		return 2;
	}
	m.random = g_rand_new_with_seed((guint32)strtoul(argv[1], NULL, 0));
	g_string_append(m.globals, "function same_number(x) { return x }\nfunction same_text(x) { return x }\n");
	g_string_append(m.script, "probe begin {\n");
	put_expressions(&m);
	put_formats(&m);
	for (int i = 0; i < SAMPLES; i++)
		put_sample(&m, i);
	g_string_append(m.script, "\texit()\n}\n");
	g_string_append(m.globals, m.script->str);
	if (!g_file_set_contents(argv[2], m.globals->str, -1, NULL) ||
	    !g_file_set_contents(argv[3], m.expected->str, -1, NULL))
		return 1;
	return 0;
}
