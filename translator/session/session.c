// SPDX-License-Identifier: GPL-2.0-or-later
/* Sessions and their documents; see session.h. */
#include "translator/session/internal.h"

#include <string.h>

/* Environments that are kept without a document, so that a script can be closed and opened again. */
enum { MOST_RECENT = 4 };

struct session *session_new(const char *cache_directory)
{
	struct session *session = g_new0(struct session, 1);

	session->cache_directory = cache_directory;
	session->words = g_ptr_array_new_with_free_func(g_free);
	session->documents = g_hash_table_new(g_str_hash, g_str_equal);
	session->environments = g_hash_table_new(g_str_hash, g_str_equal);
	session->jobs = index_jobs_new();
	session->recent = g_queue_new();
	return session;
}

static void close_all(struct session *session)
{
	g_autoptr(GList) documents = g_hash_table_get_values(session->documents);

	for (GList *link = documents; link; link = link->next)
		document_close(link->data);
}

void session_free(struct session *session)
{
	close_all(session);
	index_jobs_free(session->jobs);
	g_queue_free_full(session->recent, (GDestroyNotify)environment_release);
	g_hash_table_unref(session->environments);
	g_hash_table_unref(session->documents);
	g_ptr_array_unref(session->words);
	g_free(session);
}

static void mark_all_stale(struct session *session)
{
	GHashTableIter iter;
	struct document *document;

	g_hash_table_iter_init(&iter, session->documents);
	while (g_hash_table_iter_next(&iter, NULL, (void **)&document))
		document->is_stale = true;
}

void session_set_options(struct session *session, const char *const *words)
{
	g_ptr_array_set_size(session->words, 0);
	for (; words && *words; words++)
		g_ptr_array_add(session->words, g_strdup(*words));
	mark_all_stale(session);
}

void session_forget_files(struct session *session)
{
	GHashTableIter iter;
	struct environment *environment;

	g_hash_table_iter_init(&iter, session->environments);
	while (g_hash_table_iter_next(&iter, NULL, (void **)&environment)) {
		catalog_free(g_steal_pointer(&environment->catalog));
		environment->has_types = false;
	}
	mark_all_stale(session);
}

bool session_work(struct session *session)
{
	GHashTableIter iter;
	struct environment *environment;

	g_hash_table_iter_init(&iter, session->environments);
	while (g_hash_table_iter_next(&iter, NULL, (void **)&environment))
		if (environment_prepare(environment))
			return true;
	return false;
}

bool session_poll(struct session *session)
{
	bool changed = index_jobs_poll(session->jobs);

	if (changed)
		mark_all_stale(session);
	return changed;
}

int session_descriptor(const struct session *session)
{
	return index_jobs_descriptor(session->jobs);
}

void session_keep(struct session *session, struct environment *environment)
{
	if (g_queue_find(session->recent, environment))
		return;
	g_queue_push_head(session->recent, environment_ref(environment));
	if (session->recent->length > MOST_RECENT)
		environment_release(g_queue_pop_tail(session->recent));
}

/* ---- documents --------------------------------------------------------------------------------------------------- */

/* The text changed. */
static void touch(struct document *document)
{
	tokens_free(g_steal_pointer(&document->tokens));
	document->is_stale = true;
}

struct document *session_document(struct session *session, const char *path)
{
	return g_hash_table_lookup(session->documents, path);
}

struct document *session_open(struct session *session, const char *path, const char *text, size_t length)
{
	struct document *document = session_document(session, path);

	if (document) {
		text_replace(&document->text, 0, SIZE_MAX, text, length);
		touch(document);
		return document;
	}
	document = g_new0(struct document, 1);
	document->session = session;
	document->path = g_strdup(path);
	document->directory = g_path_get_dirname(path);
	document->is_stale = true;
	text_init(&document->text, text, length);
	g_hash_table_insert(session->documents, document->path, document);
	return document;
}

void document_close(struct document *document)
{
	g_hash_table_remove(document->session->documents, document->path);
	analysis_release(document->analysis);
	analysis_release(document->known);
	tokens_free(document->tokens);
	arena_free(document->answers);
	text_clear(&document->text);
	g_free(document->directory);
	g_free(document->path);
	g_free(document);
}

const char *document_path(const struct document *document)
{
	return document->path;
}

const struct text *document_text(const struct document *document)
{
	return &document->text;
}

void document_replace(struct document *document, size_t from, size_t to, const char *with, size_t length)
{
	text_replace(&document->text, from, to, with, length);
	touch(document);
}

bool document_is_stale(const struct document *document)
{
	return document->is_stale;
}

struct arena *document_begin_query(struct document *document)
{
	arena_free(document->answers);
	document->answers = arena_new();
	return document->answers;
}
