// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Places where a script means different things on different kernels. Each translation has recorded its decisions
 * (translator/meanings.c); this adds the places that probe points match, and compares. A place that only some kernels
 * reach, such as a branch that @defined leaves out, is compared among these.
 */
#include "translator/bundle/parts.h"

#include <string.h>

#include "common/base/i18n.h"
#include "common/base/message.h"
#include "translator/translation.h"

void meanings_note_points(struct translation *t)
{
	for_each_ptr(const struct script *, script, t->scripts)
		for_each_ptr(const struct probe *, probe, script->probes)
			for_each_ptr(const struct probe_point *, point, probe->points)
				meaning_note(t, &point->location, probe_point_text(t->arena, point, true), NULL);
	for_each_ptr(const struct derived_probe *, place, t->probes)
		if (place->written)
			meaning_note(t, &place->written->location, probe_point_text(t->arena, place->written, true),
				     *place->function_name ? place->function_name : place->point_text);
}

static int compare_keys(gconstpointer a, gconstpointer b)
{
	return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *meanings_keys(struct arena *arena, GPtrArray *translations)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *keys = arena_ptr_array(arena);
	GHashTableIter iterator;
	gpointer key;

	for_each_ptr(const struct translation *, t, translations) {
		g_hash_table_iter_init(&iterator, t->meanings);
		while (g_hash_table_iter_next(&iterator, &key, NULL))
			if (g_hash_table_add(seen, key))
				g_ptr_array_add(keys, key);
	}
	g_ptr_array_sort(keys, compare_keys);
	return keys;
}

static bool is_among(const GPtrArray *values, const char *value)
{
	for_each_ptr(const char *, other, values)
		if (!strcmp(other, value))
			return true;
	return false;
}

/* Do all kernels that decide about the key have this value? */
static bool is_shared(GPtrArray *translations, const char *key, const char *value)
{
	for_each_ptr(const struct translation *, t, translations) {
		const GPtrArray *values = g_hash_table_lookup(t->meanings, key);

		if (values && !is_among(values, value))
			return false;
	}
	return true;
}

/* Return what is shown of the values: all of a few, else their number and some of those that not all kernels have. */
static const char *shown(struct arena *arena, GPtrArray *translations, const char *key, const GPtrArray *values)
{
	enum { MOST_SHOWN = 6 };
	g_autoptr(GString) text = g_string_new(NULL);
	bool all = values->len <= MOST_SHOWN;
	unsigned int count = 0;

	for_each_ptr(const char *, value, values)
		if (all || (!is_shared(translations, key, value) && count++ < MOST_SHOWN))
			g_string_append_printf(text, "%s%s", text->len ? ", " : "", value);
	if (!values->len)
		return _("nothing");
	if (all)
		return arena_strdup(arena, text->str);
	if (!count)
		return arena_printf(arena, ngettext("%u place", "%u places", values->len), values->len);
	return arena_printf(arena, _("%u places, among them %s%s"), values->len, text->str,
			    count > MOST_SHOWN ? ", ..." : "");
}

static bool is_equal(const GPtrArray *one, const GPtrArray *other)
{
	if (one->len != other->len)
		return false;
	for (guint i = 0; i < one->len; i++)
		if (strcmp(g_ptr_array_index(one, i), g_ptr_array_index(other, i)))
			return false;
	return true;
}

bool meanings_differ(GPtrArray *translations, const char *key)
{
	const GPtrArray *first = NULL;

	for_each_ptr(const struct translation *, t, translations) {
		const GPtrArray *values = g_hash_table_lookup(t->meanings, key);

		if (values && first && !is_equal(values, first))
			return true;
		first = first ?: values;
	}
	return false;
}

const char *meanings_describe(struct arena *arena, GPtrArray *translations, const char *key)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GHashTable) done = g_hash_table_new(NULL, NULL);

	for_each_ptr(const struct translation *, t, translations) {
		const GPtrArray *values = g_hash_table_lookup(t->meanings, key);
		g_autoptr(GString) kernels = g_string_new(NULL);
		unsigned int count = 0;

		for_each_ptr(struct translation *, other, translations) {
			const GPtrArray *others = g_hash_table_lookup(other->meanings, key);

			if (values && others && is_equal(values, others) && g_hash_table_add(done, other))
				g_string_append_printf(kernels, "%s%s", count++ ? ", " : "", other->kernel.release);
		}
		if (count == translations->len && count > 1)
			g_string_assign(kernels, _("all kernels"));
		if (count) /* TRANSLATORS: a C type, functions or another fact, and the kernels that have it */
			g_string_append_printf(text, _("%s%s on %s"), text->len ? "; " : "",
					       shown(arena, translations, key, values), kernels->str);
	}
	return arena_strdup(arena, text->str);
}

static void note_difference(struct arena *arena, GPtrArray *translations, GPtrArray *modules, const char *key)
{
	g_autofree char *text = g_strdup_printf("%s: %s", key, meanings_describe(arena, translations, key));

	message_print(MESSAGE_NOTE, text, NULL, NULL);
	for (guint i = 0; i < translations->len; i++) {
		const struct translation *t = g_ptr_array_index(translations, i);
		const GPtrArray *values = g_hash_table_lookup(t->meanings, key);
		struct module_part *module = g_ptr_array_index(modules, i);

		if (values)
			g_ptr_array_add(module->notes, (gpointer)arena_printf(arena, "%s: %s", key,
									      shown(arena, translations, key, values)));
	}
}

void differences_note(GPtrArray *translations, GPtrArray *modules)
{
	struct arena *arena;

	for_each_ptr(struct translation *, t, translations)
		meanings_note_points(t);
	arena = ((struct translation *)g_ptr_array_index(translations, 0))->arena;
	for_each_ptr(const char *, key, meanings_keys(arena, translations))
		if (meanings_differ(translations, key))
			note_difference(arena, translations, modules, key);
}
