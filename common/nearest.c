// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names that are similar to a misspelled one, for hints: by edit distance, or because one contains the other.
 * Underscores at the beginning do not count, because kernels rename "state" to "__state".
 */
#include "common/nearest.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/i18n.h"

/*
 * Compute the Damerau-Levenshtein distance (insert, delete, replace, swap neighbors) with three rolling rows. The
 * caller limits the lengths.
 */
static int edit_distance(const char *a, int a_length, const char *b, int b_length)
{
	g_autofree int *rows = g_new0(int, 3 * ((size_t)b_length + 1));
	int *before = rows, *previous = rows + b_length + 1, *current = previous + b_length + 1;

	for (int j = 0; j <= b_length; j++)
		current[j] = j;
	for (int i = 1; i <= a_length; i++) {
		int *oldest = before;

		before = previous;
		previous = current;
		current = oldest;
		current[0] = i;
		for (int j = 1; j <= b_length; j++) {
			int replace = previous[j - 1] + (a[i - 1] != b[j - 1]);

			current[j] = MIN(replace, MIN(previous[j], current[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				current[j] = MIN(current[j], before[j - 2] + 1);
		}
	}
	return current[b_length];
}

enum { LONGEST_WORD = 256, SHORTEST_PREFIX = 3, SHORTEST_SUBSTRING = 4, TOLERATED_SUFFIX = 8, NOT_NEAR = 1 << 20 };

/* Is the shorter word a large enough part of the longer one to be a useful suggestion? */
static bool telling_part(int shorter, int longer)
{
	return shorter * 2 >= longer;
}

/* Return the distance of a candidate from the word, or NOT_NEAR if they are not similar. */
static int candidate_distance(const char *word, const char *candidate)
{
	int length = (int)strnlen(word, LONGEST_WORD), other = (int)strnlen(candidate, LONGEST_WORD);
	int shorter = MIN(length, other), longer = MAX(length, other);
	int limit = MAX(1, (length + 1) / 3), distance;
	const char *a = length <= other ? word : candidate, *b = length <= other ? candidate : word;

	if (strcmp(word + strspn(word, "_"), candidate + strspn(candidate, "_")) == 0)
		return 0;
	/* The word with a suffix is best: kernels rename "f" to "f_noprof", compilers split it to "f.part.0". */
	if (length >= SHORTEST_PREFIX && strncmp(candidate, word, (size_t)length) == 0 &&
	    strchr("_.", candidate[length]))
		return 1 + (other - length) / TOLERATED_SUFFIX;
	if (longer - shorter <= limit && longer < LONGEST_WORD) {
		distance = edit_distance(word, length, candidate, other);
		/* Replacing most of a short word leaves no similarity. */
		if (distance <= limit && distance < shorter)
			return distance;
	}
	if (shorter >= SHORTEST_PREFIX && telling_part(shorter, longer) && strncmp(a, b, (size_t)shorter) == 0)
		return limit + 1 + longer - shorter;
	if (shorter >= SHORTEST_SUBSTRING && telling_part(shorter, longer) && strstr(b, a))
		return limit + LONGEST_WORD + longer - shorter;
	return NOT_NEAR;
}

struct near {
	const char *name;
	int distance;
};

static int compare_near(const void *a, const void *b)
{
	const struct near *x = a, *y = b;

	return x->distance != y->distance ? x->distance - y->distance : strcmp(x->name, y->name);
}

GPtrArray *nearest_matches(struct arena *arena, const char *word, const GPtrArray *candidates, const char *prefix,
			   unsigned int most)
{
	g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(struct near));
	GPtrArray *names = NULL;

	for_each_ptr(const char *, candidate, candidates) {
		struct near near = {candidate, candidate_distance(word, candidate)};

		if (near.distance < NOT_NEAR)
			g_array_append_val(found, near);
	}
	g_array_sort(found, compare_near);
	for (guint i = 0; i < found->len && (!names || names->len < most); i++) {
		const struct near *near = &g_array_index(found, struct near, i);

		if (i && strcmp(near->name, g_array_index(found, struct near, i - 1).name) == 0)
			continue;
		names = names ?: arena_ptr_array(arena);
		g_ptr_array_add(names, arena_printf(arena, "%s%s", prefix ?: "", near->name));
	}
	return names;
}

const char *names_join(struct arena *arena, const GPtrArray *names)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for_each_ptr(const char *, name, names)
		g_string_append_printf(text, "%s%s", text->len ? ", " : "", name);
	return text->len ? arena_strndup(arena, text->str, text->len) : NULL;
}

struct error *error_with_names(struct error *error, struct arena *arena, const GPtrArray *names)
{
	for_each_ptr(const char *, name, names)
		error_with_alternative(error, name);
	return error_with_hint(error, _("did you mean: %s"), names_join(arena, names));
}

GPtrArray *names_one(struct arena *arena, const char *name)
{
	GPtrArray *names = arena_ptr_array(arena);

	g_ptr_array_add(names, arena_strdup(arena, name));
	return names;
}

static gint compare_similarity(gconstpointer a, gconstpointer b, gpointer word)
{
	return candidate_distance(word, *(const char *const *)a) - candidate_distance(word, *(const char *const *)b);
}

void nearest_sort(const char *word, GPtrArray *names)
{
	/* A stable sort. */
	g_ptr_array_sort_with_data(names, compare_similarity, (gpointer)word);
}
