// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The globals of one or two recordings with their newest elements, joined by name and keys. One recording is the simple
 * case of two, so every format and view treats both alike.
 */
#include "report/analysis.h"
#include "report/formats.h"

#include <string.h>

#include "report/texts.h"

static bool is_comparable(const struct global *a, const struct global *b)
{
	return a->is_array == b->is_array && a->values == b->values && a->key_count == b->key_count &&
	       !memcmp(a->keys, b->keys, a->key_count * sizeof(*a->keys));
}

static struct subject *subject_new(void)
{
	struct subject *subject = g_new0(struct subject, 1);

	subject->rows = g_array_new(FALSE, TRUE, sizeof(struct row));
	subject->parts = g_array_new(FALSE, TRUE, sizeof(struct part));
	return subject;
}

static struct subject *subject_for(GPtrArray *subjects, const struct global *global)
{
	struct subject *subject;

	for (guint i = 0; i < subjects->len; i++) {
		subject = g_ptr_array_index(subjects, i);
		if (subject->global->name == global->name && is_comparable(subject->global, global))
			return subject;
	}
	subject = subject_new();
	g_ptr_array_add(subjects, subject);
	return subject;
}

/* ---- hosts ------------------------------------------------------------------------------------------------------- */

static bool is_taken(const GPtrArray *hosts, const char *name, guint recording)
{
	for (guint i = 0; i < hosts->len; i++) {
		const struct shared_host *host = g_ptr_array_index(hosts, i);

		if (host->in[recording] && !strcmp(host->name, name))
			return true;
	}
	return false;
}

/* Return a name that no other host of the recording has. The caller frees it. */
static char *unique_name(const GPtrArray *hosts, const struct host *host, guint recording)
{
	const struct text *text = host->start.name ?: host->uri;
	char *name = text ? text_to_show(text, NULL) : g_strdup("-");

	while (is_taken(hosts, name, recording)) {
		char *longer = g_strdup_printf("%s #%lld", name, (long long)host->number);

		g_free(name);
		name = longer;
	}
	return name;
}

/* Find a host by its name, or add it. Takes the name. */
static struct shared_host *shared_host_for(GPtrArray *hosts, char *name)
{
	struct shared_host *shared;

	for (guint i = 0; i < hosts->len; i++) {
		shared = g_ptr_array_index(hosts, i);
		if (strcmp(shared->name, name))
			continue;
		g_free(name);
		return shared;
	}
	shared = g_new0(struct shared_host, 1);
	shared->name = name;
	g_ptr_array_add(hosts, shared);
	return shared;
}

GPtrArray *shared_hosts_new(struct recording *const *recordings, guint count)
{
	GPtrArray *hosts = g_ptr_array_new();
	bool are_several = false;

	for (guint i = 0; i < count; i++)
		are_several |= recordings[i]->hosts->len > 1;
	for (guint i = 0; i < count; i++) {
		for (guint j = 0; j < recordings[i]->hosts->len; j++) {
			const struct host *host = g_ptr_array_index(recordings[i]->hosts, j);
			char *name = are_several ? unique_name(hosts, host, i) : g_strdup("");

			shared_host_for(hosts, name)->in[i] = host;
		}
	}
	return hosts;
}

void shared_hosts_free(GPtrArray *hosts)
{
	for (guint i = 0; i < hosts->len; i++) {
		struct shared_host *shared = g_ptr_array_index(hosts, i);

		g_free(shared->name);
		g_free(shared);
	}
	g_ptr_array_free(hosts, TRUE);
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

/* Return the rows of a host by their keys: numbers of rows, plus 1. */
static GHashTable *rows_by_keys(const struct subject *subject, guint host)
{
	GHashTable *rows = g_hash_table_new_full(keys_hash, keys_equal, g_free, NULL);

	for (guint i = 0; i < subject->rows->len; i++) {
		const struct row *row = &g_array_index(subject->rows, struct row, i);
		struct keys *keys;

		if (row->host != host)
			continue;
		keys = g_new(struct keys, 1);
		*keys = (struct keys){subject->global->key_count, row_any(row)->keys};
		g_hash_table_insert(rows, keys, GUINT_TO_POINTER(i + 1));
	}
	return rows;
}

/* Add the elements of a recording that is not the first one to the host's rows with the same keys. */
static void join_elements(struct subject *subject, const struct part *part)
{
	g_autoptr(GHashTable) rows = rows_by_keys(subject, part->host);
	const struct sample *sample = global_newest(part->global);
	struct keys wanted = {.count = subject->global->key_count};

	for (guint i = 0; i < sample->count; i++) {
		struct row row = {.host = part->host}, *known;
		guint found;

		row.in[part->recording] = &sample->elements[i];
		wanted.values = sample->elements[i].keys;
		found = GPOINTER_TO_UINT(g_hash_table_lookup(rows, &wanted));
		known = found ? &g_array_index(subject->rows, struct row, found - 1) : NULL;
		/* Stacks that differ only in lines have equal keys, so the place may be taken. */
		if (known && !known->in[part->recording])
			known->in[part->recording] = row.in[part->recording];
		else
			g_array_append_val(subject->rows, row);
	}
}

static void add_elements(struct subject *subject, const struct part *part)
{
	const struct sample *sample = global_newest(part->global);

	g_array_append_vals(subject->parts, part, 1);
	if (part->recording) {
		join_elements(subject, part);
		return;
	}
	for (guint i = 0; i < sample->count; i++) {
		struct row row = {.in = {&sample->elements[i]}, .host = part->host};

		g_array_append_val(subject->rows, row);
	}
}

const struct element *row_any(const struct row *row)
{
	return row->in[0] ?: row->in[1];
}

GPtrArray *subjects_new(const GPtrArray *hosts, guint recordings)
{
	GPtrArray *subjects = g_ptr_array_new();

	for (guint i = 0; i < recordings * hosts->len; i++) {
		struct part part = {.recording = i / hosts->len, .host = i % hosts->len};
		const struct shared_host *shared = g_ptr_array_index(hosts, part.host);
		const struct host *host = shared->in[part.recording];

		for (guint j = 0; host && j < host->globals->len; j++) {
			struct subject *subject;

			part.global = g_ptr_array_index(host->globals, j);
			subject = subject_for(subjects, part.global);
			subject->global = subject->in[part.recording] = part.global;
			add_elements(subject, &part);
		}
	}
	return subjects;
}

/* Return a subject with what another has of a host; NULL if it has nothing. */
static struct subject *subject_of_host(const struct subject *all, guint host)
{
	struct subject *subject = subject_new();

	for (guint i = 0; i < all->parts->len; i++) {
		const struct part *part = &g_array_index(all->parts, struct part, i);

		if (part->host != host)
			continue;
		g_array_append_vals(subject->parts, part, 1);
		subject->global = subject->in[part->recording] = part->global;
	}
	for (guint i = 0; i < all->rows->len; i++) {
		const struct row *row = &g_array_index(all->rows, struct row, i);

		if (row->host == host)
			g_array_append_vals(subject->rows, row, 1);
	}
	if (subject->global)
		return subject;
	subject_free(subject);
	return NULL;
}

GPtrArray *subjects_of_host(const GPtrArray *subjects, guint host)
{
	GPtrArray *ret = g_ptr_array_new();

	for (guint i = 0; i < subjects->len; i++) {
		struct subject *subject = subject_of_host(g_ptr_array_index(subjects, i), host);

		if (subject)
			g_ptr_array_add(ret, subject);
	}
	return ret;
}

void subject_free(struct subject *subject)
{
	g_array_free(subject->rows, TRUE);
	g_array_free(subject->parts, TRUE);
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
