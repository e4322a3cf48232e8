// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Dispatch of messages. The life of a connection is: initialize, requests and notifications, shutdown, exit. Everything
 * else is answered by an error, and never ends the server.
 */
#include "translator/lsp/server.h"

#include <string.h>

#include "common/base/i18n.h"

static void opened_free(void *data)
{
	struct opened *opened = data;

	document_close(opened->document);
	g_free(opened->uri);
	g_free(opened);
}

void server_init(struct server *server, struct session *session, char **arguments, int output)
{
	*server = (struct server){
		.session = session,
		.encoding = ENCODING_UTF16,
		.opened = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, opened_free),
		.waiting = g_queue_new(),
		.cancelled = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.arguments = arguments,
		.output = output,
	};
	use_settings(server, NULL);
}

void server_clear(struct server *server)
{
	g_hash_table_unref(server->opened);
	g_queue_free_full(server->waiting, (GDestroyNotify)json_node_unref);
	g_hash_table_unref(server->cancelled);
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static bool offers_utf8(JsonObject *params)
{
	JsonObject *general = member_object(member_object(params, "capabilities"), "general");
	JsonArray *encodings = member_array(general, "positionEncodings");

	for (guint i = 0; encodings && i < json_array_get_length(encodings); i++) {
		JsonNode *node = json_array_get_element(encodings, i);

		if (JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_STRING &&
		    !strcmp(json_node_get_string(node), "utf-8"))
			return true;
	}
	return false;
}

static JsonNode *handle_initialize(struct server *server, JsonObject *params)
{
	JsonObject *document = member_object(member_object(params, "capabilities"), "textDocument");
	JsonBuilder *b = json_builder_new_immutable();

	server->state = STATE_RUNNING;
	server->encoding = offers_utf8(params) ? ENCODING_UTF8 : ENCODING_UTF16;
	server->has_snippets =
		member_flag(member_object(member_object(document, "completion"), "completionItem"), "snippetSupport");
	server->pulls = member_object(document, "diagnostic");
	server->has_lenses = member_flag(member_object(params, "initializationOptions"), "codeLens");
	use_settings(server, member_object(params, "initializationOptions"));
	json_builder_begin_object(b);
	put_capabilities(server, b);
	json_builder_set_member_name(b, "serverInfo");
	json_builder_begin_object(b);
	put_text(b, "name", "Spile");
	put_text(b, "version", PACKAGE_VERSION);
	json_builder_end_object(b);
	return rpc_end(b);
}

/* ---- notifications ----------------------------------------------------------------------------------------------- */

static void handle_exit(struct server *server, JsonObject *params)
{
	server->state = server->state == STATE_SHUT_DOWN ? STATE_EXITED : STATE_BROKEN_OFF;
}

/* Files of tapsets may have changed. */
static void handle_files(struct server *server, JsonObject *params)
{
	session_forget_files(server->session);
	server_mark_all(server);
}

static const struct {
	const char *method;
	void (*handle)(struct server *server, JsonObject *params);
} notifications[] = {
	{"textDocument/didOpen", handle_did_open},
	{"textDocument/didChange", handle_did_change},
	{"textDocument/didClose", handle_did_close},
	{"textDocument/didSave", handle_files},
	{"workspace/didChangeConfiguration", handle_configuration},
	{"workspace/didChangeWatchedFiles", handle_files},
};

static void handle_notification(struct server *server, const char *method, JsonObject *params)
{
	if (!strcmp(method, "exit"))
		handle_exit(server, params);
	for (size_t i = 0; server->state == STATE_RUNNING && i < G_N_ELEMENTS(notifications); i++)
		if (!strcmp(notifications[i].method, method))
			notifications[i].handle(server, params);
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

static void handle_document_request(struct server *server, JsonNode *id, const struct method *method,
				    JsonObject *params)
{
	struct request request = {.server = server, .opened = opened_of(server, params), .params = params};
	JsonNode *result;

	if (!request.opened) {
		send_error(server, id, RPC_INVALID_PARAMS, _("the document is not open"));
		return;
	}
	request.offset = read_offset(server, request.opened->document, member_object(params, "position"));
	result = method->handle(&request);
	if (request.error)
		send_error(server, id, RPC_REQUEST_FAILED, request.error);
	else
		send_result(server, id, result);
	g_free(request.error);
}

static void handle_request(struct server *server, JsonNode *id, const char *name, JsonObject *params)
{
	const struct method *method = method_find(name);
	bool initializes = !strcmp(name, "initialize");

	if (server->state == STATE_NEW && !initializes) {
		send_error(server, id, RPC_NOT_INITIALIZED, _("the first request must be 'initialize'"));
	} else if (server->state == STATE_SHUT_DOWN || (initializes && server->state != STATE_NEW)) {
		send_error(server, id, RPC_INVALID_REQUEST, _("this request is not possible now"));
	} else if (initializes) {
		send_result(server, id, handle_initialize(server, params));
	} else if (!strcmp(name, "shutdown")) {
		server->state = STATE_SHUT_DOWN;
		send_result(server, id, json_node_new(JSON_NODE_NULL));
	} else if (method) {
		handle_document_request(server, id, method, params);
	} else {
		send_error(server, id, RPC_METHOD_NOT_FOUND, _("unknown method"));
	}
}

static bool is_cancelled(struct server *server, JsonNode *id)
{
	g_autofree char *text = json_to_string(id, FALSE);

	return g_hash_table_remove(server->cancelled, text);
}

static bool is_id(JsonNode *id)
{
	GType type = id && JSON_NODE_HOLDS_VALUE(id) ? json_node_get_value_type(id) : G_TYPE_INVALID;

	return type == G_TYPE_STRING || type == G_TYPE_INT64;
}

static void handle_message(struct server *server, JsonNode *message)
{
	JsonObject *object = JSON_NODE_HOLDS_OBJECT(message) ? json_node_get_object(message) : NULL;
	JsonNode *id = object ? json_object_get_member(object, "id") : NULL;
	const char *method = member_text(object, "method");
	JsonObject *params = member_object(object, "params");

	/* An answer of the client has no method. Ignore it: no request of the server needs its answer. */
	if (!method && is_id(id) &&
	    (json_object_has_member(object, "result") || json_object_has_member(object, "error")))
		return;
	if (!method || (id && !is_id(id)))
		send_error(server, NULL, RPC_INVALID_REQUEST, _("this is not a message of JSON-RPC"));
	else if (!id)
		handle_notification(server, method, params);
	else if (is_cancelled(server, id))
		send_error(server, id, RPC_REQUEST_CANCELLED, _("cancelled"));
	else
		handle_request(server, id, method, params);
}

/* ---- work -------------------------------------------------------------------------------------------------------- */

static bool is_waiting(struct server *server, const char *id)
{
	for (GList *link = server->waiting->head; link; link = link->next) {
		JsonNode *message = link->data;
		JsonNode *other = JSON_NODE_HOLDS_OBJECT(message)
					  ? json_object_get_member(json_node_get_object(message), "id")
					  : NULL;
		g_autofree char *text = other ? json_to_string(other, FALSE) : NULL;

		if (!g_strcmp0(text, id))
			return true;
	}
	return false;
}

/* A request that is not waiting was answered already. */
static bool take_cancellation(struct server *server, JsonNode *message)
{
	JsonObject *object = JSON_NODE_HOLDS_OBJECT(message) ? json_node_get_object(message) : NULL;
	JsonObject *params = member_object(object, "params");
	JsonNode *id = params ? json_object_get_member(params, "id") : NULL;
	char *text;

	if (g_strcmp0(member_text(object, "method"), "$/cancelRequest"))
		return false;
	text = id ? json_to_string(id, FALSE) : NULL;
	if (text && is_waiting(server, text))
		g_hash_table_add(server->cancelled, text);
	else
		g_free(text);
	return true;
}

void server_add(struct server *server, const char *text, gsize length)
{
	JsonNode *message = rpc_parse(text, length);

	if (!message)
		send_error(server, NULL, RPC_PARSE_ERROR, _("a message is not JSON"));
	else if (take_cancellation(server, message))
		json_node_unref(message);
	else
		g_queue_push_tail(server->waiting, message);
}

void server_mark_all(struct server *server)
{
	GHashTableIter iter;
	struct opened *opened;

	g_hash_table_iter_init(&iter, server->opened);
	while (g_hash_table_iter_next(&iter, NULL, (void **)&opened))
		opened->is_dirty = true;
}

void server_refresh(struct server *server)
{
	g_autofree char *id = g_strdup_printf("refresh-%u", ++server->refreshes);

	server_mark_all(server);
	if (server->pulls && server->state == STATE_RUNNING)
		send_request(server, id, "workspace/diagnostic/refresh");
}

static bool publish_next(struct server *server)
{
	GHashTableIter iter;
	struct opened *opened;

	g_hash_table_iter_init(&iter, server->opened);
	while (g_hash_table_iter_next(&iter, NULL, (void **)&opened))
		if (opened->is_dirty) {
			opened->is_dirty = false;
			if (!server->pulls)
				publish(server, opened);
			return true;
		}
	return false;
}

bool server_is_over(const struct server *server)
{
	return server->is_output_lost || server->state == STATE_EXITED || server->state == STATE_BROKEN_OFF;
}

bool server_work(struct server *server)
{
	JsonNode *message;

	if (server_is_over(server))
		return false;
	message = g_queue_pop_head(server->waiting);
	if (!message)
		return publish_next(server);
	handle_message(server, message);
	json_node_unref(message);
	return true;
}
