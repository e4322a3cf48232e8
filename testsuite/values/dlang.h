/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What D adds to C, for the C programs of make-dlang.c, which print what the same programs in D must print. The words
 * of D that C lacks are macros or functions here, by the documentation of D.
 */
#include <ctype.h>
#include <libgen.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long long number;

/* D prints a number by the size of its type, and "%d" as an unsigned one if its type is unsigned. */
#define SIGNED(value)                                                                                                  \
	(sizeof(value) == 1   ? (number)(int8_t)(value)                                                                \
	 : sizeof(value) == 2 ? (number)(int16_t)(value)                                                               \
	 : sizeof(value) == 4 ? (number)(int32_t)(value)                                                               \
			      : (number)(value))
#define UNSIGNED(value)                                                                                                \
	((unsigned long long)SIGNED(value) & (sizeof(value) == 8 ? ~0ULL : (1ULL << 8 * (sizeof(value) & 7)) - 1))
#define IS_SIGNED(value) ((__typeof__(value))-1 < 0)
#define DECIMAL(value) (IS_SIGNED(value) ? SIGNED(value) : (number)UNSIGNED(value))
#define SHOW_DECIMAL(name, expression)                                                                                 \
	({                                                                                                             \
		__typeof__(expression) shown = (expression);                                                           \
		if (IS_SIGNED(expression))                                                                             \
			printf(name " %lld", SIGNED(shown));                                                           \
		else                                                                                                   \
			printf(name " %llu", UNSIGNED(shown));                                                         \
		shown;                                                                                                 \
	})
#define SHOW(name, expression)                                                                                         \
	({                                                                                                             \
		__typeof__(expression) decimal = SHOW_DECIMAL(name, expression);                                       \
		printf(" %llu %llx\n", UNSIGNED(decimal), UNSIGNED(decimal));                                          \
	})

/* The processor's division traps for the lowest number; D's does not. */
#define IS_WRAPPED(a, b) ((__typeof__((a) + (b)))-1 < 0 && (__typeof__((a) + (b)))(b) == -1)
#define DIVIDE(a, b) (IS_WRAPPED(a, b) ? (__typeof__((a) / (b)))(0 - (a)) : (a) / (IS_WRAPPED(a, b) ? 1 : (b)))
#define REMAINDER(a, b) (IS_WRAPPED(a, b) ? (__typeof__((a) % (b)))0 : (a) % (IS_WRAPPED(a, b) ? 1 : (b)))
#define LOGICAL_XOR(a, b) (!(a) != !(b))
/* The value of a bit-field, whose type gcc does not tell. */
#define BITS(member) ((member) + 0)

/* ---- strings ----------------------------------------------------------------------------------------------------- */

static inline char *part(const char *from, number length)
{
	return strndup(from, (size_t)length);
}

static inline char *strjoin(const char *a, const char *b)
{
	char *joined = malloc(strlen(a) + strlen(b) + 1);

	return strcat(strcpy(joined, a), b);
}

static inline char *substr3(const char *text, number index, number count)
{
	number length = (number)strlen(text);

	if (index < 0)
		index += length;
	if (index < 0) {
		count += index;
		index = 0;
	}
	if (count <= 0 || index >= length)
		return part("", 0);
	return part(text + index, count > length - index ? length - index : count);
}

static inline char *substr2(const char *text, number index)
{
	return substr3(text, index, 1 << 20);
}

/* Search from a place. */
static inline int text_index(const char *text, const char *word, int from)
{
	const char *at = from <= (int)strlen(text) ? strstr(text + from, word) : NULL;

	return at ? (int)(at - text) : -1;
}

/* Search backwards from a place. */
static inline int text_rindex(const char *text, const char *word, int from)
{
	int last = (int)(strlen(text) - strlen(word));

	for (int i = from < last ? from : last; i >= 0; i--)
		if (!strncmp(text + i, word, strlen(word)))
			return i;
	return -1;
}

static inline char *text_upper(const char *text)
{
	char *copy = strdup(text);

	for (char *c = copy; *c; c++)
		*c = (char)toupper(*c);
	return copy;
}

static inline char *text_lower(const char *text)
{
	char *copy = strdup(text);

	for (char *c = copy; *c; c++)
		*c = (char)tolower(*c);
	return copy;
}

static inline char *lltostr(number value)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", value);
	return strdup(text);
}

/* Octal numbers begin with 0, hexadecimal ones with 0x. */
static inline char *lltostr_in(number value, int base)
{
	char text[72], *at = text + sizeof(text);
	const char *prefix = base == 16 ? "0x" : base == 8 && value ? "0" : "";

	*--at = '\0';
	do {
		*--at = "0123456789abcdefghijklmnopqrstuvwxyz"[value % base];
		value /= base;
	} while (value);
	return strjoin(prefix, at);
}

static inline const char *text_basename(const char *path)
{
	return basename(strdup(path));
}

static inline const char *text_dirname(const char *path)
{
	return dirname(strdup(path));
}

/* ---- the associative array --------------------------------------------------------------------------------------- */

struct element {
	number key;
	const char *text;
	number value;
};

static struct element elements[4096];
static int element_count;

static inline number *element(number key, const char *text)
{
	for (int i = 0; i < element_count; i++)
		if (elements[i].key == key && !strcmp(elements[i].text, text))
			return &elements[i].value;
	elements[element_count] = (struct element){key, text, 0};
	return &elements[element_count++].value;
}

/* ---- aggregations ------------------------------------------------------------------------------------------------ */

enum aggregation { COUNT, SUM, MIN, MAX, AVG };

struct aggregate {
	int number;
	number key;
	const char *text;
	enum aggregation kind;
	number count, sum, least, greatest;
};

static struct aggregate aggregates[4096];
static int aggregate_count;

static inline void aggregate(int which, number key, const char *text, enum aggregation kind, number value)
{
	struct aggregate *at = aggregates;

	while (at < aggregates + aggregate_count && (at->number != which || at->key != key || strcmp(at->text, text)))
		at++;
	if (at == aggregates + aggregate_count) {
		*at = (struct aggregate){which, key, text, kind, .least = value, .greatest = value};
		aggregate_count++;
	}
	at->count++;
	at->sum = (number)((unsigned long long)at->sum + (unsigned long long)value);
	at->least = value < at->least ? value : at->least;
	at->greatest = value > at->greatest ? value : at->greatest;
}

static inline number result(const struct aggregate *a)
{
	return a->kind == COUNT ? a->count
	       : a->kind == SUM ? a->sum
	       : a->kind == MIN ? a->least
	       : a->kind == MAX ? a->greatest
				: a->sum / a->count;
}

static inline int compare_aggregates(const void *a, const void *b)
{
	const struct aggregate *x = a, *y = b;

	if (x->number != y->number)
		return x->number - y->number;
	if (result(x) != result(y))
		return result(x) < result(y) ? -1 : 1;
	return x->key != y->key ? (x->key < y->key ? -1 : 1) : strcmp(x->text, y->text);
}

/* printa("a%d %d %s %@d\n", @aN), of a normalized aggregation. */
static inline void print_aggregation(int which, number divisor)
{
	qsort(aggregates, (size_t)aggregate_count, sizeof(*aggregates), compare_aggregates);
	for (const struct aggregate *a = aggregates; a < aggregates + aggregate_count; a++)
		if (a->number == which)
			printf("a%d %lld %s %lld\n", which, a->key, a->text, result(a) / divisor);
}
