// SPDX-License-Identifier: GPL-2.0-or-later
/* The documents of the client, and their problems. */
#include "translator/lsp/server.h"

#include <string.h>

#include "common/base/i18n.h"

/* ---- opening and changing ---------------------------------------------------------------------------------------- */

struct opened *opened_of(struct server *server, JsonObject *params)
{
	const char *uri = member_text(member_object(params, "textDocument"), "uri");

	return uri ? g_hash_table_lookup(server->opened, uri) : NULL;
}

void handle_did_open(struct server *server, JsonObject *params)
{
	JsonObject *item = member_object(params, "textDocument");
	const char *uri = member_text(item, "uri"), *text = member_text(item, "text");
	g_autofree char *path = uri ? path_of_uri(uri) : NULL;
	struct opened *opened;

	if (!uri || !text)
		return;
	/* Two spellings of one file would be one document of the session. */
	opened = g_hash_table_lookup(server->opened, uri);
	if (!opened && session_document(server->session, path)) {
		g_free(path);
		path = g_strdup(uri);
	}
	if (!opened) {
		opened = g_new0(struct opened, 1);
		opened->uri = g_strdup(uri);
		g_hash_table_insert(server->opened, opened->uri, opened);
	}
	opened->version = member_number(item, "version", 0);
	opened->document = session_open(server->session, opened->document ? document_path(opened->document) : path,
					text, strlen(text));
	opened->is_dirty = true;
}

static void apply_change(struct server *server, struct opened *opened, JsonObject *change)
{
	const char *text = member_text(change, "text");
	JsonObject *where = member_object(change, "range");
	struct range range = {0, SIZE_MAX};

	if (!text)
		return;
	if (where)
		range = read_range(server, opened->document, where);
	document_replace(opened->document, range.from, range.to, text, strlen(text));
}

void handle_did_change(struct server *server, JsonObject *params)
{
	struct opened *opened = opened_of(server, params);
	JsonArray *changes = member_array(params, "contentChanges");

	if (!opened || !changes)
		return;
	opened->version = member_number(member_object(params, "textDocument"), "version", opened->version);
	opened->is_dirty = true;
	for (guint i = 0; i < json_array_get_length(changes); i++) {
		JsonNode *node = json_array_get_element(changes, i);

		if (JSON_NODE_HOLDS_OBJECT(node))
			apply_change(server, opened, json_node_get_object(node));
	}
}

/* ---- settings ---------------------------------------------------------------------------------------------------- */

void use_settings(struct server *server, JsonObject *settings)
{
	JsonArray *options = member_array(settings, "options");
	g_autoptr(GPtrArray) words = g_ptr_array_new();

	for (char **word = server->arguments; *word; word++)
		g_ptr_array_add(words, *word);
	for (guint i = 0; options && i < json_array_get_length(options); i++) {
		JsonNode *node = json_array_get_element(options, i);

		if (JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_STRING)
			g_ptr_array_add(words, (void *)json_node_get_string(node));
	}
	g_ptr_array_add(words, NULL);
	session_set_options(server->session, (const char *const *)words->pdata);
	server_mark_all(server);
}

void handle_configuration(struct server *server, JsonObject *params)
{
	JsonObject *settings = member_object(params, "settings");
	JsonObject *ours = member_object(settings, "spile") ?: settings;

	/* Clients without settings for us send null or an empty object. Keep what they gave at the beginning. */
	if (member_array(ours, "options"))
		use_settings(server, ours);
}

/* ---- problems ---------------------------------------------------------------------------------------------------- */

static void put_related(const struct server *server, JsonBuilder *b, const GPtrArray *places)
{
	if (!places->len)
		return;
	json_builder_set_member_name(b, "relatedInformation");
	json_builder_begin_array(b);
	for_each_ptr(const struct related *, related, places) {
		json_builder_begin_object(b);
		json_builder_set_member_name(b, "location");
		json_builder_begin_object(b);
		put_location(server, b, &related->place);
		json_builder_end_object(b);
		put_text(b, "message", related->text);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

void put_problem(const struct server *server, JsonBuilder *b, const struct document *document,
		 const struct problem *problem)
{
	static const int severities[SEVERITY_COUNT_] = {
		[SEVERITY_ERROR] = 1, [SEVERITY_WARNING] = 2, [SEVERITY_INFORMATION] = 3};

	json_builder_begin_object(b);
	put_range(server, b, "range", document, problem->range);
	put_number(b, "severity", severities[problem->severity]);
	put_text(b, "code", problem->code);
	put_text(b, "source", "stap");
	put_text(b, "message", problem->text);
	put_related(server, b, problem->related);
	json_builder_end_object(b);
}

static void send_problems(struct server *server, const struct opened *opened, const GPtrArray *problems)
{
	JsonBuilder *b = json_builder_new_immutable();

	json_builder_begin_object(b);
	put_text(b, "uri", opened->uri);
	put_number(b, "version", opened->version);
	json_builder_set_member_name(b, "diagnostics");
	json_builder_begin_array(b);
	for_each_ptr(const struct problem *, problem, problems)
		put_problem(server, b, opened->document, problem);
	json_builder_end_array(b);
	send_notification(server, "textDocument/publishDiagnostics", rpc_end(b));
}

void publish(struct server *server, struct opened *opened)
{
	send_problems(server, opened, document_problems(opened->document));
}

void handle_did_close(struct server *server, JsonObject *params)
{
	struct opened *opened = opened_of(server, params);

	if (!opened)
		return;
	if (!server->pulls)
		send_problems(server, opened, NULL);
	g_hash_table_remove(server->opened, opened->uri);
}
