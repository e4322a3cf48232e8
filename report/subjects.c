// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The globals of one or two recordings with their newest elements, joined by name and keys. One recording is the simple
 * case of two, so every format and view treats both alike.
 */
#include "report/analysis.h"
#include "report/formats.h"

#include <string.h>

static bool is_comparable(const struct global *a, const struct global *b)
{
	return a->is_array == b->is_array && a->values == b->values && a->key_count == b->key_count &&
	       !memcmp(a->keys, b->keys, a->key_count * sizeof(*a->keys));
}

static struct subject *subject_for(GPtrArray *subjects, const struct global *global)
{
	struct subject *subject;

	for (guint i = 0; i < subjects->len; i++) {
		subject = g_ptr_array_index(subjects, i);
		if (subject->global->name == global->name && is_comparable(subject->global, global))
			return subject;
	}
	subject = g_new0(struct subject, 1);
	subject->rows = g_array_new(FALSE, TRUE, sizeof(struct row));
	g_ptr_array_add(subjects, subject);
	return subject;
}

/* ---- joining by keys --------------------------------------------------------------------------------------------- */

/* A key of the hash table. */
struct keys {
	guint count;
	const struct value *values;
};

static guint keys_hash(gconstpointer data)
{
	const struct keys *keys = data;
	guint hash = 0;

	for (guint i = 0; i < keys->count; i++)
		hash = hash * 31 + value_hash(&keys->values[i]);
	return hash;
}

static gboolean keys_equal(gconstpointer a, gconstpointer b)
{
	const struct keys *one = a, *two = b;

	for (guint i = 0; i < one->count; i++)
		if (!value_equals(&one->values[i], &two->values[i]))
			return FALSE;
	return TRUE;
}

/* Add the elements of a recording that is not the first one to the rows with the same keys. */
static void join_elements(struct subject *subject, const struct sample *sample, guint recording)
{
	g_autoptr(GHashTable) rows = g_hash_table_new_full(keys_hash, keys_equal, g_free, NULL);
	struct keys wanted = {.count = subject->global->key_count};

	for (guint i = 0; i < subject->rows->len; i++) {
		const struct row *row = &g_array_index(subject->rows, struct row, i);
		struct keys *keys = g_new(struct keys, 1);

		*keys = (struct keys){wanted.count, row_any(row)->keys};
		g_hash_table_insert(rows, keys, GUINT_TO_POINTER(i + 1));
	}
	for (guint i = 0; i < sample->count; i++) {
		struct row row = {.in = {NULL}}, *known;
		guint found;

		row.in[recording] = &sample->elements[i];
		wanted.values = sample->elements[i].keys;
		found = GPOINTER_TO_UINT(g_hash_table_lookup(rows, &wanted));
		known = found ? &g_array_index(subject->rows, struct row, found - 1) : NULL;
		/* Stacks that differ only in lines have equal keys, so the place may be taken. */
		if (known && !known->in[recording])
			known->in[recording] = row.in[recording];
		else
			g_array_append_val(subject->rows, row);
	}
}

static void add_elements(struct subject *subject, const struct sample *sample, guint recording)
{
	if (subject->rows->len) {
		join_elements(subject, sample, recording);
		return;
	}
	for (guint i = 0; i < sample->count; i++) {
		struct row row = {.in = {NULL}};

		row.in[recording] = &sample->elements[i];
		g_array_append_val(subject->rows, row);
	}
}

const struct element *row_any(const struct row *row)
{
	return row->in[0] ?: row->in[1];
}

GPtrArray *subjects_new(struct recording *const *recordings, guint count)
{
	GPtrArray *subjects = g_ptr_array_new();

	for (guint i = 0; i < count; i++) {
		for (guint j = 0; j < recordings[i]->globals->len; j++) {
			const struct global *global = g_ptr_array_index(recordings[i]->globals, j);
			struct subject *subject = subject_for(subjects, global);

			subject->global = global;
			subject->in[i] = global;
			add_elements(subject, global_newest(global), i);
		}
	}
	return subjects;
}

void subject_free(struct subject *subject)
{
	g_array_free(subject->rows, TRUE);
	g_free(subject);
}

void subjects_free(GPtrArray *subjects)
{
	for (guint i = 0; i < subjects->len; i++)
		subject_free(g_ptr_array_index(subjects, i));
	g_ptr_array_free(subjects, TRUE);
}

bool is_shown(const struct report *report, const struct global *global)
{
	return report->is_selection || !text_is(global->show, "none");
}
