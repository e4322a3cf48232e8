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

/* Note what the points of the user's script match: functions by their names, since lines differ between all kernels. */
static void note_points(struct translation *t)
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

/* Return all that any kernel has decided, in the order of the script. */
static GPtrArray *all_keys(struct arena *arena, GPtrArray *translations)
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

static const char *joined(struct arena *arena, const GPtrArray *values)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for_each_ptr(const char *, value, values)
		g_string_append_printf(text, "%s%s", text->len ? ", " : "", value);
	return arena_strdup(arena, text->str);
}

/* Return what is shown of the values: all of a few, else their number. */
static const char *shown(struct arena *arena, const GPtrArray *values)
{
	enum { MOST_SHOWN = 6 };

	if (!values->len)
		return _("nothing");
	if (values->len <= MOST_SHOWN)
		return joined(arena, values);
	return arena_printf(arena, ngettext("%u place", "%u places", values->len), values->len);
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

static bool differs(GPtrArray *translations, const char *key)
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

/* Return "VALUES on KERNEL, KERNEL; VALUES on KERNEL". */
static const char *describe(struct arena *arena, GPtrArray *translations, const char *key)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GHashTable) done = g_hash_table_new(NULL, NULL);

	for_each_ptr(const struct translation *, t, translations) {
		const GPtrArray *values = g_hash_table_lookup(t->meanings, key);
		g_autoptr(GString) kernels = g_string_new(NULL);

		for_each_ptr(struct translation *, other, translations) {
			const GPtrArray *others = g_hash_table_lookup(other->meanings, key);

			if (values && others && is_equal(values, others) && g_hash_table_add(done, other))
				g_string_append_printf(kernels, "%s%s", kernels->len ? ", " : "",
						       other->kernel.release);
		}
		if (kernels->len) /* TRANSLATORS: a C type, functions or another fact, and the kernels that have it */
			g_string_append_printf(text, _("%s%s on %s"), text->len ? "; " : "", shown(arena, values),
					       kernels->str);
	}
	return arena_strdup(arena, text->str);
}

static void note_difference(struct arena *arena, GPtrArray *translations, GPtrArray *modules, const char *key)
{
	g_autofree char *text = g_strdup_printf("%s: %s", key, describe(arena, translations, key));

	message_print(MESSAGE_NOTE, text, NULL, NULL);
	for (guint i = 0; i < translations->len; i++) {
		const struct translation *t = g_ptr_array_index(translations, i);
		const GPtrArray *values = g_hash_table_lookup(t->meanings, key);
		struct module_part *module = g_ptr_array_index(modules, i);

		if (values)
			g_ptr_array_add(module->notes,
					(gpointer)arena_printf(arena, "%s: %s", key, shown(arena, values)));
	}
}

void differences_note(GPtrArray *translations, GPtrArray *modules)
{
	struct arena *arena;

	for_each_ptr(struct translation *, t, translations)
		note_points(t);
	arena = ((struct translation *)g_ptr_array_index(translations, 0))->arena;
	for_each_ptr(const char *, key, all_keys(arena, translations))
		if (differs(translations, key))
			note_difference(arena, translations, modules, key);
}
