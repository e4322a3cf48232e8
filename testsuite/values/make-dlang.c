// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random programs in D whose output is known, for differential tests (testsuite/suites/values.sh): the same program in
 * C prints what the one in D must print, since D has the types, conversions and operators of C. What C lacks is in
 * dlang.h. Each number is printed in three ways, with the size of its type.
 *
 *     make-dlang SEED PROGRAM.d PROGRAM.c
 *     gcc -w -fwrapv -Itestsuite/values PROGRAM.c
 */
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 4, CLAUSES = 4, STATEMENTS = 17 /* of a clause */, AGGREGATIONS = 6 };

/* A program in both languages. */
struct maker {
	GRand *random;
	GString *d, *c;
	int shown; /* expressions that are printed */
	int untyped; /* variables whose type is that of their first value */
	int depth; /* of blocks */
};

/* An expression in both languages. */
struct node {
	GString *d, *c;
	int level; /* of precedence; LEVEL_PRIMARY binds closest */
};

enum level {
	LEVEL_CONDITION,
	LEVEL_OR,
	LEVEL_XOR,
	LEVEL_AND,
	LEVEL_BIT_OR,
	LEVEL_BIT_XOR,
	LEVEL_BIT_AND,
	LEVEL_EQUALITY,
	LEVEL_COMPARISON,
	LEVEL_SHIFT,
	LEVEL_SUM,
	LEVEL_PRODUCT,
	LEVEL_UNARY,
	LEVEL_PRIMARY
};

static const char *const types[] = {"char",	     "signed char",  "unsigned char", "short",	  "unsigned short",
				    "int",	     "unsigned int", "long",	      "int64_t",  "uint64_t",
				    "unsigned long", "int8_t",	     "uint8_t",	      "int16_t",  "uint16_t",
				    "int32_t",	     "size_t",	     "long long",     "uint32_t", "unsigned"};

/* What can be written to, besides the variables of types[]. */
static const struct {
	const char *d, *c;
} members[] = {{"st.small", "BITS(st.small)"},
	       {"st.unsigned_bits", "BITS(st.unsigned_bits)"},
	       {"st.wide", "BITS((long)st.wide)"},
	       {"st.character", "st.character"},
	       {"st.number", "st.number"},
	       {"st.inner.half", "st.inner.half"},
	       {"st.inner.pair[1]", "st.inner.pair[1]"},
	       {"st.both.whole", "st.both.whole"},
	       {"st.both.bytes[2]", "st.both.bytes[2]"},
	       {"st.list[3]", "st.list[3]"},
	       {"array[2]", "array[2]"},
	       {"bytes[5]", "bytes[5]"},
	       {"many[1].half", "many[1].half"},
	       {"many[2].pair[0]", "many[2].pair[0]"},
	       {"shade", "shade"},
	       {"renamed", "renamed"},
	       {"taken[1]", "taken[1]"},
	       {"*taken", "*taken"},
	       {"self->list[3]", "list_3"},
	       {"fifth[\"five\"]", "fifth"},
	       {"self->thread", "thread"},
	       {"self->small", "thread_small"},
	       {"this->clause", "clause"},
	       {"this->tiny", "tiny"}};

static const char declarations[] = "enum color { RED = 3, GREEN = -2, BLUE };\n"
				   "struct inner { short half; unsigned char pair[3]; };\n"
				   "struct outer {\n"
				   "\tint small : 5;\n"
				   "\tunsigned int unsigned_bits : 11;\n"
				   "\tlong wide : 40;\n"
				   "\tsigned char character;\n"
				   "\tlong number;\n"
				   "\tstruct inner inner;\n"
				   "\tunion { unsigned int whole; unsigned char bytes[4]; } both;\n"
				   "\tint list[4];\n"
				   "};\n"
				   "struct outer st;\n"
				   "struct outer copied;\n"
				   "int array[4];\n"
				   "struct inner many[3];\n"
				   "enum color shade;\n"
				   "typedef unsigned short renamed_t;\n"
				   "renamed_t renamed;\n"
				   "short *taken;\n"
				   "int walk;\n"
				   "signed char bytes[8];\n";

static int pick(struct maker *m, int count)
{
	return g_rand_int_range(m->random, 0, count);
}

static void both(struct maker *m, const char *text)
{
	g_string_append(m->d, text);
	g_string_append(m->c, text);
}

G_GNUC_PRINTF(2, 3) static void both_printf(struct maker *m, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	both(m, text);
}

static struct node *new_node(int level, const char *d, const char *c)
{
	struct node *node = g_new0(struct node, 1);

	node->d = g_string_new(d);
	node->c = g_string_new(c);
	node->level = level;
	return node;
}

/* Append an operand, in parentheses if its level is below @level, and sometimes without need. */
static void append_operand(struct maker *m, struct node *to, const struct node *operand, int level)
{
	bool parentheses = operand->level < level || pick(m, 8) == 0;

	g_string_append_printf(to->d, parentheses ? "(%s)" : "%s", operand->d->str);
	g_string_append_printf(to->c, parentheses ? "(%s)" : "%s", operand->c->str);
}

static void append(struct node *to, const char *text)
{
	g_string_append(to->d, text);
	g_string_append(to->c, text);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static struct node *make_number(struct maker *m, int depth);
static struct node *make_text(struct maker *m, int depth);

static struct node *make_literal(struct maker *m)
{
	static const char *const special[] = {"0",
					      "1",
					      "2",
					      "63",
					      "64",
					      "127",
					      "128",
					      "255",
					      "32767",
					      "65535",
					      "2147483647",
					      "2147483648",
					      "0x7f",
					      "0xffffffff",
					      "010",
					      "0177",
					      "4294967295",
					      "'a'",
					      "'\\n'",
					      "'\\377'",
					      "'\\0'",
					      "1u",
					      "3L",
					      "7UL",
					      "9ull",
					      "0x8000000000000000UL",
					      "RED",
					      "GREEN",
					      "BLUE",
					      "0xFFUL",
					      "5LL",
					      "'0'",
					      "9223372036854775807",
					      "sizeof(int)"};
	static const char *const suffixes[] = {"", "", "", "u", "L", "UL", "ll", "ULL"};
	g_autofree char *text = NULL;

	switch (pick(m, 3)) {
	case 0:
		text = g_strdup(special[pick(m, G_N_ELEMENTS(special))]);
		break;
	case 1:
		text = g_strdup_printf("%d%s", pick(m, 20), suffixes[pick(m, G_N_ELEMENTS(suffixes))]);
		break;
	default:
		text = g_strdup_printf(pick(m, 2) ? "%" G_GUINT64_FORMAT "%s" : "0x%" G_GINT64_MODIFIER "x%s",
				       ((guint64)g_rand_int(m->random) << 31 | g_rand_int(m->random) >> 1) >>
					       pick(m, 63),
				       suffixes[pick(m, G_N_ELEMENTS(suffixes))]);
	}
	return new_node(LEVEL_PRIMARY, text, text);
}

static struct node *make_object(struct maker *m)
{
	int which = pick(m, G_N_ELEMENTS(types) + G_N_ELEMENTS(members));
	g_autofree char *name = NULL;

	if (which >= (int)G_N_ELEMENTS(types)) {
		which -= G_N_ELEMENTS(types);
		return new_node(LEVEL_PRIMARY, members[which].d, members[which].c);
	}
	name = g_strdup_printf("v%d", which);
	return new_node(LEVEL_PRIMARY, name, name);
}

static struct node *make_element(struct maker *m, int depth)
{
	struct node *key = make_number(m, depth - 1), *text = make_text(m, depth - 1);
	struct node *node = new_node(LEVEL_PRIMARY, NULL, NULL);

	g_string_append_printf(node->d, "table[%s, %s]", key->d->str, text->d->str);
	g_string_append_printf(node->c, "((short)*element((unsigned char)(%s), %s))", key->c->str, text->c->str);
	return node;
}

static struct node *make_leaf(struct maker *m)
{
	static const char *const constants[] = {"CONSTANT", "CHANGING", "SHORTER"};
	const char *constant = constants[pick(m, G_N_ELEMENTS(constants))];

	if (pick(m, 10) == 0)
		return new_node(LEVEL_PRIMARY, constant, constant);
	return pick(m, 2) ? make_literal(m) : make_object(m);
}

static const struct binary {
	const char *text;
	int level;
	const char *call; /* the macro in C */
} operators[] = {{"*", LEVEL_PRODUCT, NULL},	   {"/", LEVEL_PRODUCT, "DIVIDE"}, {"%", LEVEL_PRODUCT, "REMAINDER"},
		 {"+", LEVEL_SUM, NULL},	   {"-", LEVEL_SUM, NULL},	   {"<<", LEVEL_SHIFT, NULL},
		 {">>", LEVEL_SHIFT, NULL},	   {"&", LEVEL_BIT_AND, NULL},	   {"^", LEVEL_BIT_XOR, NULL},
		 {"|", LEVEL_BIT_OR, NULL},	   {"&&", LEVEL_AND, NULL},	   {"||", LEVEL_OR, NULL},
		 {"^^", LEVEL_XOR, "LOGICAL_XOR"}, {"<", LEVEL_COMPARISON, NULL},  {"<=", LEVEL_COMPARISON, NULL},
		 {">", LEVEL_COMPARISON, NULL},	   {">=", LEVEL_COMPARISON, NULL}, {"==", LEVEL_EQUALITY, NULL},
		 {"!=", LEVEL_EQUALITY, NULL}};

/* An operand of the operator that C defines: a divisor is not 0, and a shift is not too far. */
static struct node *restrict_operand(struct maker *m, const struct binary *op, struct node *right)
{
	bool divides = op->call && op->level == LEVEL_PRODUCT, shifts = op->level == LEVEL_SHIFT;
	struct node *node;

	if (!divides && !shifts)
		return right;
	node = new_node(divides ? LEVEL_BIT_OR : LEVEL_BIT_AND, NULL, NULL);
	append_operand(m, node, right, node->level);
	append(node, divides ? " | 1" : " & 31");
	return node;
}

static struct node *make_binary(struct maker *m, int depth)
{
	const struct binary *op = &operators[pick(m, G_N_ELEMENTS(operators))];
	struct node *left = make_number(m, depth - 1), *right = make_number(m, depth - 1);
	struct node *node = new_node(op->level, NULL, NULL);

	right = restrict_operand(m, op, right);
	append_operand(m, node, left, op->level);
	g_string_append_printf(node->d, " %s ", op->text);
	g_string_append_printf(node->c, " %s ", op->text);
	append_operand(m, node, right, op->level + 1);
	if (op->call)
		g_string_printf(node->c, "%s(%s, %s)", op->call, left->c->str, right->c->str);
	return node;
}

static struct node *make_unary(struct maker *m, int depth)
{
	static const char *const signs[] = {"-", "~", "!", "+"};
	struct node *node = new_node(LEVEL_UNARY, NULL, NULL);

	append(node, signs[pick(m, G_N_ELEMENTS(signs))]);
	append_operand(m, node, make_number(m, depth - 1), LEVEL_PRIMARY);
	return node;
}

static struct node *make_cast(struct maker *m, int depth)
{
	struct node *node = new_node(LEVEL_UNARY, "(", "(");

	append(node, types[pick(m, G_N_ELEMENTS(types))]);
	append(node, ")");
	append_operand(m, node, make_number(m, depth - 1), LEVEL_UNARY);
	return node;
}

static struct node *make_condition(struct maker *m, struct node *yes, struct node *no, int depth)
{
	struct node *node = new_node(LEVEL_CONDITION, NULL, NULL);

	append_operand(m, node, make_number(m, depth - 1), LEVEL_CONDITION + 1);
	append(node, " ? ");
	append_operand(m, node, yes, LEVEL_CONDITION);
	append(node, " : ");
	append_operand(m, node, no, LEVEL_CONDITION);
	return node;
}

/* A comparison of strings, which C writes as a call. */
static struct node *make_comparison(struct maker *m, int depth)
{
	static const struct binary comparisons[] = {{"<", LEVEL_COMPARISON, NULL}, {"<=", LEVEL_COMPARISON, NULL},
						    {">", LEVEL_COMPARISON, NULL}, {">=", LEVEL_COMPARISON, NULL},
						    {"==", LEVEL_EQUALITY, NULL},  {"!=", LEVEL_EQUALITY, NULL}};
	const struct binary *op = &comparisons[pick(m, G_N_ELEMENTS(comparisons))];
	struct node *left = make_text(m, depth - 1), *right = make_text(m, depth - 1);
	struct node *node = new_node(op->level, NULL, NULL);

	append_operand(m, node, left, op->level);
	g_string_append_printf(node->d, " %s ", op->text);
	append_operand(m, node, right, op->level + 1);
	g_string_printf(node->c, "(strcmp(%s, %s) %s 0)", left->c->str, right->c->str, op->text);
	return node;
}

/* Without a start, index() searches from the begin, and rindex() from the end. */
static struct node *make_search(struct maker *m, int depth)
{
	static const char *const words[] = {"\"a\"", "\"b\"", "\"bc\"", "\" \"", "\"c \"", "\"/\""};
	const char *word = words[pick(m, G_N_ELEMENTS(words))];
	bool is_last = pick(m, 2), has_start = pick(m, 2);
	const char *function = is_last ? "rindex" : "index";
	struct node *text = make_text(m, depth - 1), *node = new_node(LEVEL_PRIMARY, NULL, NULL);
	int start = has_start ? pick(m, 6) : is_last ? 1000 : 0;

	g_string_printf(node->d, "%s(%s, %s", function, text->d->str, word);
	if (has_start)
		g_string_append_printf(node->d, ", %d", start);
	g_string_append_c(node->d, ')');
	g_string_printf(node->c, "text_%s(%s, %s, %d)", function, text->c->str, word, start);
	return node;
}

/* strtoll() of what lltostr() made is the number again. */
static struct node *make_measure(struct maker *m, int depth)
{
	struct node *node = new_node(LEVEL_PRIMARY, NULL, NULL);
	struct node *text = make_text(m, depth - 1);

	if (pick(m, 3) == 0)
		return make_search(m, depth);
	if (pick(m, 3) == 0) {
		text = make_number(m, depth - 1);
		g_string_printf(node->d, "strtoll(lltostr(%s))", text->d->str);
		g_string_printf(node->c, "((int64_t)(%s))", text->c->str);
		return node;
	}
	append(node, "strlen(");
	append_operand(m, node, text, LEVEL_CONDITION);
	append(node, ")");
	return node;
}

/* sizeof of an expression, which is not evaluated, and byte orders. */
static struct node *make_call(struct maker *m, int depth)
{
	static const struct {
		const char *d, *c;
	} functions[] = {{"htons", "__builtin_bswap16"},
			 {"ntohs", "__builtin_bswap16"},
			 {"htonl", "__builtin_bswap32"},
			 {"ntohl", "__builtin_bswap32"},
			 {"htonll", "__builtin_bswap64"},
			 {"ntohll", "__builtin_bswap64"},
			 {"sizeof", "sizeof"},
			 {"sizeof", "sizeof"}};
	int which = pick(m, G_N_ELEMENTS(functions));
	struct node *number = make_number(m, depth - 1), *node = new_node(LEVEL_PRIMARY, NULL, NULL);
	/* A bit-field has no size, but its value has one. */
	const char *sign = g_str_has_prefix(number->c->str, "BITS") ? "+" : "";

	g_string_append_printf(node->d, "%s(%s%s)", functions[which].d, sign, number->d->str);
	g_string_append_printf(node->c, "%s(%s%s)", functions[which].c, sign, number->c->str);
	return node;
}

/* Arithmetic of pointers that are never followed. */
static struct node *make_pointer(struct maker *m, int depth)
{
	const char *type = types[pick(m, G_N_ELEMENTS(types))];
	struct node *left = make_number(m, depth - 1), *right = make_number(m, depth - 1);
	struct node *node = new_node(LEVEL_UNARY, NULL, NULL);

	g_string_append_printf(node->d, "(long)((%s *)(long)(%s) + (int)(%s))", type, left->d->str, right->d->str);
	g_string_append_printf(node->c, "(long)((%s *)(long)(%s) + (int)(%s))", type, left->c->str, right->c->str);
	return node;
}

/* A member of what a translator makes of a struct inner. */
static struct node *make_translated(struct maker *m, G_GNUC_UNUSED int depth)
{
	static const struct {
		const char *d, *c;
	} seen[] = {{"(xlate <struct seen *> (&many[1]))->first", "(int)(many[1].half - 1)"},
		    {"(xlate <struct seen *> (&st.inner))->second",
		     "(unsigned char)(st.inner.pair[0] + st.inner.pair[1])"}};
	int which = pick(m, G_N_ELEMENTS(seen));

	return new_node(LEVEL_UNARY, seen[which].d, seen[which].c);
}

static struct node *make_number(struct maker *m, int depth)
{
	static struct node *(*const makers[])(struct maker *, int) = {
		make_unary,   make_cast,       make_cast,   make_comparison, make_measure, make_call,  make_element,
		make_pointer, make_translated, make_binary, make_binary,     make_binary,  make_binary};
	int which = pick(m, G_N_ELEMENTS(makers) + 1);

	if (depth <= 0)
		return make_leaf(m);
	if (which == G_N_ELEMENTS(makers))
		return make_condition(m, make_number(m, depth - 1), make_number(m, depth - 1), depth);
	return makers[which](m, depth);
}

/* ---- strings ----------------------------------------------------------------------------------------------------- */

static struct node *make_text_leaf(struct maker *m)
{
	static const char *const texts[] = {"\"\"",	 "\"a\"", "\"abc abc\"", "\"B\"",  "\"/usr/lib/x\"",
					    "\"x\\ty\"", "text",  "text",	 "\"%d\"", "\"12\""};
	const char *text = texts[pick(m, G_N_ELEMENTS(texts))];

	return new_node(LEVEL_PRIMARY, text, text);
}

/* Calls whose first argument is a string; the second one may be missing. */
static struct node *call_on_text(struct maker *m, const char *d, const char *c, const char *argument, int depth)
{
	struct node *text = make_text(m, depth - 1), *node = new_node(LEVEL_PRIMARY, NULL, NULL);

	g_string_printf(node->d, "%s(%s%s)", d, text->d->str, argument);
	g_string_printf(node->c, "%s(%s%s)", c, text->c->str, argument);
	return node;
}

static struct node *make_substring(struct maker *m, int depth)
{
	int start = pick(m, 12) - 4, count = pick(m, 8);
	g_autofree char *two = g_strdup_printf(", %d, %d", start, count), *one = g_strdup_printf(", %d", start);

	return pick(m, 2) ? call_on_text(m, "substr", "substr3", two, depth)
			  : call_on_text(m, "substr", "substr2", one, depth);
}

static struct node *make_changed_text(struct maker *m, int depth)
{
	static const char *const functions[][2] = {{"toupper", "text_upper"},
						   {"tolower", "text_lower"},
						   {"basename", "text_basename"},
						   {"dirname", "text_dirname"}};
	const char *const *function = functions[pick(m, G_N_ELEMENTS(functions))];

	return call_on_text(m, function[0], function[1], "", depth);
}

/* The functions return NULL if they find nothing. */
static struct node *make_found_text(struct maker *m, int depth)
{
	static const char *const functions[][2] = {
		{"strstr", "\"c a\""}, {"strstr", "\"b\""}, {"strchr", "'b'"}, {"strrchr", "'a'"}, {"strrchr", "'/'"}};
	const char *const *function = functions[pick(m, G_N_ELEMENTS(functions))];
	struct node *text = make_text(m, depth - 1), *node = new_node(LEVEL_CONDITION, NULL, NULL);

	g_string_printf(node->d, "%1$s(%2$s, %3$s) == NULL ? \"none\" : %1$s(%2$s, %3$s)", function[0], text->d->str,
			function[1]);
	g_string_printf(node->c, "%1$s(%2$s, %3$s) == NULL ? \"none\" : %1$s(%2$s, %3$s)", function[0], text->c->str,
			function[1]);
	return node;
}

static struct node *make_digits(struct maker *m, int depth)
{
	struct node *number = make_number(m, depth - 1), *node = new_node(LEVEL_PRIMARY, NULL, NULL);
	int base = 2 + pick(m, 35);

	if (pick(m, 2)) {
		g_string_printf(node->d, "lltostr(%s)", number->d->str);
		g_string_printf(node->c, "lltostr(%s)", number->c->str);
	} else {
		g_string_printf(node->d, "lltostr((%s) & 0x7fffffff, %d)", number->d->str, base);
		g_string_printf(node->c, "lltostr_in((%s) & 0x7fffffff, %d)", number->c->str, base);
	}
	return node;
}

static struct node *make_joined(struct maker *m, int depth)
{
	struct node *a = make_text(m, depth - 1), *b = make_text(m, depth - 1);
	struct node *node = new_node(LEVEL_PRIMARY, NULL, NULL);

	g_string_printf(node->d, "strjoin(%s, %s)", a->d->str, b->d->str);
	g_string_printf(node->c, "strjoin(%s, %s)", a->c->str, b->c->str);
	return node;
}

static struct node *make_text(struct maker *m, int depth)
{
	static struct node *(*const makers[])(struct maker *, int) = {make_substring, make_changed_text,
								      make_found_text, make_digits, make_joined};
	int which = pick(m, G_N_ELEMENTS(makers) + 1);

	if (depth <= 0)
		return make_text_leaf(m);
	if (which == G_N_ELEMENTS(makers))
		return make_condition(m, make_text(m, depth - 1), make_text(m, depth - 1), depth);
	return makers[which](m, depth);
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

static struct node *any_number(struct maker *m)
{
	return make_number(m, 1 + pick(m, DEEPEST));
}

static void indent(struct maker *m)
{
	for (int i = 0; i <= m->depth; i++)
		both(m, "\t");
}

static void put_shown(struct maker *m)
{
	struct node *node = any_number(m);
	int number = m->shown++;

	g_string_append_printf(m->d, "printf(\"e%d %%d %%u %%x\\n\", %s, %s, %s);\n", number, node->d->str,
			       node->d->str, node->d->str);
	g_string_append_printf(m->c, "SHOW(\"e%d\", %s);\n", number, node->c->str);
}

static void put_text(struct maker *m)
{
	struct node *node = make_text(m, 1 + pick(m, DEEPEST));
	int number = m->shown++, width = pick(m, 2) ? pick(m, 20) : 0;

	g_string_append_printf(m->d, "printf(\"t%d |%%%ds|\\n\", %s);\n", number, width, node->d->str);
	g_string_append_printf(m->c, "printf(\"t%d |%%%ds|\\n\", %s);\n", number, width, node->c->str);
}

/*
 * A number in a format with flags that C defines for the conversion. Not "%#.3o": the zero of the flag precedes as many
 * digits as the precision says, as in the SystemTap language.
 */
static void put_format(struct maker *m)
{
	static const char *const formats[][2] = {{"d", "-+ 0"}, {"i", "-+ 0"}, {"u", "-0"},
						 {"x", "-#0"},	{"X", "-#0"},  {"o", "-#0"}};
	int which = pick(m, G_N_ELEMENTS(formats)), number = m->shown++;
	struct node *node = any_number(m);
	g_autofree char *precision =
		pick(m, 3) || *formats[which][0] == 'o' ? g_strdup("") : g_strdup_printf(".%d", pick(m, 12));
	GString *flags = g_string_new(NULL);

	for (const char *flag = formats[which][1]; *flag; flag++)
		if (pick(m, 3) == 0)
			g_string_append_c(flags, *flag);
	if (pick(m, 2))
		g_string_append_printf(flags, "%d", 1 + pick(m, 24));
	g_string_append_printf(m->d, "printf(\"f%d |%%%s%s%s|\\n\", %s);\n", number, flags->str, precision,
			       formats[which][0], node->d->str);
	if (which < 2) /* of unsigned types, it is an unsigned number */
		g_string_append_printf(m->c, "printf(IS_SIGNED(%s) ? ", node->c->str);
	else
		g_string_append(m->c, "printf(");
	g_string_append_printf(m->c, "\"f%d |%%%s%sll%s|\\n\"", number, flags->str, precision, formats[which][0]);
	if (which < 2)
		g_string_append_printf(m->c, " : \"f%d |%%%s%sllu|\\n\"", number, flags->str, precision);
	g_string_append_printf(m->c, ", %s(%s));\n", which < 2 ? "DECIMAL" : "UNSIGNED", node->c->str);
}

/* "object += number". In C, a bit-field is written to by its own name, not as BITS(). */
static void put_assignment(struct maker *m)
{
	static const char *const assignments[] = {"=", "=", "=", "+=", "-=", "*=", "&=", "|=", "^="};
	const char *assignment = assignments[pick(m, G_N_ELEMENTS(assignments))];
	struct node *object = make_object(m), *value = any_number(m);

	g_string_append_printf(m->d, "%s %s %s;\n", object->d->str, assignment, value->d->str);
	g_string_append_printf(m->c, "%s %s %s;\n",
			       g_str_has_prefix(object->c->str, "BITS") ? object->d->str : object->c->str, assignment,
			       value->c->str);
}

static void put_shift(struct maker *m)
{
	int which = pick(m, G_N_ELEMENTS(types)), distance = pick(m, 32);

	both_printf(m, "v%d %s %d;\n", which, pick(m, 2) ? "<<=" : ">>=", distance);
}

static void put_step(struct maker *m)
{
	static const char *const steps[][2] = {{"++", ""}, {"--", ""}, {"", "++"}, {"", "--"}};
	const char *const *step = steps[pick(m, G_N_ELEMENTS(steps))];
	int which = pick(m, G_N_ELEMENTS(types)), number = m->shown++;

	g_string_append_printf(m->d, "printf(\"e%d %%d\\n\", %sv%d%s);\n", number, step[0], which, step[1]);
	g_string_append_printf(m->c, "SHOW_DECIMAL(\"e%d\", %sv%d%s), puts(\"\");\n", number, step[0], which, step[1]);
}

/* Write to an object whose index has an effect, which must happen once, or not at all if it is not needed. */
static void put_effect(struct maker *m)
{
	static const char *const objects[] = {"array[walk++ & 3]",	  "many[++walk & 1].half",
					      "many[walk-- & 1].pair[2]", "bytes[++walk & 7]",
					      "sparse[walk++ & 3].half",  "sparse[--walk & 3].pair[1]",
					      "st.list[walk++ & 3]",	  "st.both.bytes[walk-- & 3]",
					      "taken[walk++ & 3]"};
	static const char *const assignments[] = {"=", "+=", "-=", "^="};
	const char *object = objects[pick(m, G_N_ELEMENTS(objects))];
	const char *assignment = assignments[pick(m, G_N_ELEMENTS(assignments))];
	struct node *value = any_number(m), *condition = any_number(m);
	int which = pick(m, 4), number = m->shown++;

	if (which < 2) {
		both_printf(m, which ? "%s++;\n" : "--%s;\n", object);
	} else if (which < 3) {
		g_string_append_printf(m->d, "%s %s %s;\n", object, assignment, value->d->str);
		g_string_append_printf(m->c, "%s %s %s;\n", object, assignment, value->c->str);
	} else {
		g_string_append_printf(m->d, "v10 = (%s) ? (%s += 3) : 1;\n", condition->d->str, object);
		g_string_append_printf(m->c, "v10 = (%s) ? (%s += 3) : 1;\n", condition->c->str, object);
	}
	indent(m);
	g_string_append_printf(m->d, "printf(\"e%d %%d\\n\", walk);\n", number);
	g_string_append_printf(m->c, "SHOW_DECIMAL(\"e%d\", walk), puts(\"\");\n", number);
}

/* A variable that has the type of its first value. */
static void put_untyped(struct maker *m)
{
	struct node *value = any_number(m), *other = any_number(m);
	int number = m->untyped++;

	g_string_append_printf(m->d, "u%d = %s;\n", number, value->d->str);
	g_string_append_printf(m->c, "__typeof__(%s) u%d = %s;\n", value->c->str, number, value->c->str);
	for (int twice = 0; twice < 2; twice++) {
		indent(m);
		g_string_append_printf(m->d, "printf(\"u%d %%d %%u %%x\\n\", u%d, u%d, u%d);\n", number, number, number,
				       number);
		g_string_append_printf(m->c, "SHOW(\"u%d\", u%d);\n", number, number);
		indent(m);
		g_string_append_printf(m->d, "u%d = %s;\n", number, other->d->str);
		g_string_append_printf(m->c, "u%d = %s;\n", number, other->c->str);
	}
}

static void put_element(struct maker *m)
{
	struct node *key = any_number(m), *text = make_text(m, 1), *value = any_number(m);

	g_string_append_printf(m->d, "table[%s, %s] = %s;\n", key->d->str, text->d->str, value->d->str);
	g_string_append_printf(m->c, "*element((unsigned char)(%s), %s) = (short)(%s);\n", key->c->str, text->c->str,
			       value->c->str);
}

static void put_text_assignment(struct maker *m)
{
	struct node *value = make_text(m, 2);

	/* A string that grows by itself must not become longer than D's. */
	g_string_append_printf(m->d, "text = substr(%s, 0, 20);\n", value->d->str);
	g_string_append_printf(m->c, "text = substr3(%s, 0, 20);\n", value->c->str);
}

static void put_copy(struct maker *m)
{
	both(m, "copied = st;\n");
	indent(m);
	both(m, "st.number = copied.number + 1;\n");
	indent(m);
	g_string_append(m->d, "printf(\"copy %d %d %d %d\\n\", copied.number, copied.wide, copied.list[3], "
			      "copied.inner.pair[1]);\n");
	g_string_append(m->c, "printf(\"copy %lld %lld %d %d\\n\", (number)copied.number, (number)copied.wide, "
			      "copied.list[3], copied.inner.pair[1]);\n");
}

/* The function of an aggregation is that of its number. */
static const struct {
	const char *d, *c;
} aggregations[AGGREGATIONS] = {{"count", "COUNT"}, {"sum", "SUM"}, {"min", "MIN"},
				{"max", "MAX"},	    {"avg", "AVG"}, {"sum", "SUM"}};

static void aggregate(struct maker *m, int which)
{
	struct node *key = any_number(m), *text = make_text(m, 1), *value = any_number(m);

	g_string_append_printf(m->d, "@a%d[(int)(%s), %s] = %s(%s);\n", which, key->d->str, text->d->str,
			       aggregations[which].d, which ? value->d->str : "");
	g_string_append_printf(m->c, "aggregate(%d, (int)(%s), %s, %s, (number)(%s));\n", which, key->c->str,
			       text->c->str, aggregations[which].c, which ? value->c->str : "1");
}

static void put_aggregation(struct maker *m)
{
	aggregate(m, pick(m, AGGREGATIONS));
}

static void put_block(struct maker *m);

static void put_if(struct maker *m)
{
	struct node *condition = any_number(m);

	g_string_append_printf(m->d, "if (%s) {\n", condition->d->str);
	g_string_append_printf(m->c, "if (%s) {\n", condition->c->str);
	put_block(m);
	indent(m);
	if (pick(m, 2)) {
		both(m, "} else {\n");
		put_block(m);
		indent(m);
	}
	both(m, "}\n");
}

static void put_statement(struct maker *m)
{
	static void (*const makers[])(struct maker *) = {
		put_shown,	put_format,	 put_shown,	      put_shown, put_text,	  put_assignment,
		put_assignment, put_element,	 put_text_assignment, put_copy,	 put_aggregation, put_shift,
		put_step,	put_aggregation, put_effect,	      put_effect};
	int which = pick(m, G_N_ELEMENTS(makers) + 2);

	indent(m);
	if (which < (int)G_N_ELEMENTS(makers))
		makers[which](m);
	else if (m->depth)
		put_shown(m);
	else
		(which == G_N_ELEMENTS(makers) ? put_untyped : put_if)(m);
}

static void put_block(struct maker *m)
{
	m->depth++;
	for (int i = 1 + pick(m, 3); i--;)
		put_statement(m);
	m->depth--;
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

static void put_declarations(struct maker *m)
{
	g_string_append(m->c, "#include \"dlang.h\"\n");
	both(m, declarations);
	for (size_t i = 0; i < G_N_ELEMENTS(types); i++)
		both_printf(m, "%s v%zu;\n", types[i], i);
	g_string_append(m->d, "short table[unsigned char, string];\nstring text;\nself int thread;\n"
			      "self unsigned char small;\nthis int64_t clause;\nthis int8_t tiny;\n"
			      "self unsigned short list[int];\nsigned char fifth[string];\nstruct inner sparse[int];\n"
			      "inline int CONSTANT = 70000;\ninline uint8_t CHANGING = v5 + 3;\n"
			      "inline short SHORTER = v7;\n"
			      "struct seen { int first; unsigned char second; };\n"
			      "translator struct seen < struct inner *i > {\n"
			      "\tfirst = i->half - 1;\n\tsecond = i->pair[0] + i->pair[1];\n};\n");
	g_string_append(m->c, "int thread;\nunsigned char thread_small;\nint64_t clause;\nint8_t tiny;\n"
			      "unsigned short list_3;\nsigned char fifth;\nstruct inner sparse[4];\n"
			      "#define CONSTANT ((int)(70000))\n#define CHANGING ((uint8_t)(v5 + 3))\n"
			      "#define SHORTER ((short)v7)\n"
			      "const char *text = \"\";\n\nint main(void)\n{\n\ttaken = calloc(1, 8);\n");
}

static void put_results(struct maker *m)
{
	for (int i = 0; i < AGGREGATIONS; i++) {
		indent(m);
		aggregate(m, i);
	}
	for (int i = 0; i < AGGREGATIONS; i++) {
		int divisor = i == AGGREGATIONS - 1 ? 1 + pick(m, 9) : 1;

		if (divisor > 1)
			g_string_append_printf(m->d, "\tnormalize(@a%d, %d);\n", i, divisor);
		g_string_append_printf(m->d, "\tprinta(\"a%d %%d %%s %%@d\\n\", @a%d);\n", i, i);
		g_string_append_printf(m->c, "\tprint_aggregation(%d, %d);\n", i, divisor);
	}
	g_string_append(m->d, "\texit(0);\n}\n");
	g_string_append(m->c, "\treturn 0;\n}\n");
}

int main(int argc, char **argv)
{
	struct maker m = {.d = g_string_new(NULL), .c = g_string_new(NULL)};

	if (argc != 4) {
		g_printerr("usage: make-dlang SEED PROGRAM.d PROGRAM.c\n");
		return 2;
	}
	m.random = g_rand_new_with_seed((guint32)strtoul(argv[1], NULL, 0));
	put_declarations(&m);
	for (int clause = 0; clause < CLAUSES; clause++) {
		g_string_append(m.d, clause ? "}\nBEGIN\n{\n" : "BEGIN\n{\n");
		g_string_append(m.d, "\ttaken = (short *)alloca(8);\n");
		g_string_append(m.c, "\tmemset(taken, 0, 8);\n");
		for (int i = 0; i < STATEMENTS; i++)
			put_statement(&m);
	}
	put_results(&m);
	if (!g_file_set_contents(argv[2], m.d->str, -1, NULL) || !g_file_set_contents(argv[3], m.c->str, -1, NULL))
		return 1;
	return 0;
}
