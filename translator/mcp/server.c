// SPDX-License-Identifier: GPL-2.0-or-later
/* Requests of the client and their answers; see server.h. */
#include "translator/mcp/server.h"

#include <string.h>

#include "common/json_rpc.h"
#include "common/base/i18n.h"
#include "common/base/read_write.h"

/* Versions of the protocol whose tools are the same; the newest is first. */
static const char *const versions[] = {"2025-06-18", "2025-03-26", "2024-11-05"};

enum { MOST_WAITING = 100 };

/* ---- sending ----------------------------------------------------------------------------------------------------- */

static void send_message(struct server *server, JsonNode *message)
{
	gsize length;
	g_autofree char *text = rpc_text(message, &length), *line = g_strconcat(text, "\n", NULL);

	if (!server->is_output_lost && !write_all(server->output, line, length + 1))
		server->is_output_lost = true;
}

static JsonBuilder *begin_result(void)
{
	JsonBuilder *b = json_builder_new_immutable();

	json_builder_begin_object(b);
	return b;
}

/* ---- answers of tools -------------------------------------------------------------------------------------------- */

/* Append a text under a heading, if there is any. */
static void append_part(GString *to, const char *heading, const char *text)
{
	if (*text)
		g_string_append_printf(to, "%s%s%s%s", to->len ? "\n" : "", heading, text,
				       g_str_has_suffix(text, "\n") ? "" : "\n");
}

static char *report_text(const struct call *call)
{
	char *text = NULL;

	if (!call->report)
		return g_strdup("");
	if (!call->is_report_temporary)
		return g_strdup_printf(_("The report is in %s.\n"), call->report);
	return g_file_get_contents(call->report, &text, NULL, NULL) ? text : g_strdup("");
}

/* Return the text of an answer, for readers without structured content. To be freed. */
static char *job_text(const struct job *job)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *report = report_text(job->call), *limit = NULL, *status = NULL;

	append_part(text, "", job->texts[0]->str);
	append_part(text, "", report);
	append_part(text, _("Messages:\n"), job->texts[1]->str);
	if (job->is_cut)
		limit = g_strdup_printf(_("It was ended because it printed more than %zu bytes."),
					job->call->most_output);
	else if (job->is_late)
		limit = g_strdup(_("It was ended because it took too long."));
	append_part(text, "", limit ?: "");
	if (job->status)
		status = g_strdup_printf(_("The exit status is %d."), job->status);
	append_part(text, "", status ?: "");
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static void put_content(JsonBuilder *b, const char *text, bool is_error)
{
	json_builder_set_member_name(b, "content");
	json_builder_begin_array(b);
	json_builder_begin_object(b);
	put_text(b, "type", "text");
	put_text(b, "text", text);
	json_builder_end_object(b);
	json_builder_end_array(b);
	put_flag(b, "isError", is_error);
}

static void send_text(struct server *server, const struct call *call)
{
	JsonBuilder *b = begin_result();

	put_content(b, call->text ?: "", call->is_error);
	send_message(server, rpc_result(call->id, rpc_end(b)));
}

/*
 * `stap --check` ends with 1 or 2 after errors and warnings of the script, which are no failure of the tool. Neither is
 * a list or an output that is cut.
 */
static bool has_failed(const struct job *job)
{
	return job->is_late || (job->status && !job->is_cut && !strstr(job->texts[0]->str, "{\"type\":\"check\","));
}

static void send_job(struct server *server, const struct job *job)
{
	g_autofree char *text = job_text(job);
	JsonBuilder *b = begin_result();

	put_content(b, text, has_failed(job));
	json_builder_set_member_name(b, "structuredContent");
	json_builder_begin_object(b);
	put_text(b, "output", job->texts[0]->str);
	put_text(b, "messages", job->texts[1]->str);
	put_number(b, "status", job->status);
	put_flag(b, "cut", job->is_cut);
	put_flag(b, "late", job->is_late);
	json_builder_end_object(b);
	send_message(server, rpc_result(job->call->id, rpc_end(b)));
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

/* Start a call, or answer it. */
static void begin_call(struct server *server, struct call *call)
{
	struct error *error = NULL;

	tool_prepare(server->session, call);
	if (call->argv)
		error = job_start(call, &server->job);
	if (error) {
		call->text = g_strdup(error->message);
		call->is_error = true;
		error_free(error);
	}
	if (call->argv && !call->is_error)
		return;
	send_text(server, call);
	if (server->job)
		g_clear_pointer(&server->job, job_free);
	else
		call_free(call);
}

bool server_work(struct server *server)
{
	struct call *call;

	if (server->job && job_continue(server->job)) {
		send_job(server, server->job);
		g_clear_pointer(&server->job, job_free);
	}
	call = server->job ? NULL : g_queue_pop_head(server->waiting);
	if (call)
		begin_call(server, call);
	return server->job || !g_queue_is_empty(server->waiting);
}

static bool is_request(JsonNode *id, JsonNode *other)
{
	return id && other && json_node_equal(id, other);
}

/* A cancelled request has no answer. */
static void cancel(struct server *server, JsonObject *params)
{
	JsonNode *id = member_node(params, "requestId", JSON_NODE_VALUE);

	if (server->job && is_request(id, server->job->call->id)) {
		job_cancel(server->job);
		g_clear_pointer(&server->job, job_free);
	}
	for (GList *link = server->waiting->head, *next; link; link = next) {
		struct call *call = link->data;

		next = link->next;
		if (!is_request(id, call->id))
			continue;
		g_queue_delete_link(server->waiting, link);
		call_free(call);
	}
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

static const char *version_for(const char *wanted)
{
	for (size_t i = 0; i < G_N_ELEMENTS(versions); i++)
		if (!g_strcmp0(wanted, versions[i]))
			return versions[i];
	return versions[0];
}

static JsonNode *initialize(JsonObject *params)
{
	JsonBuilder *b = begin_result();

	put_text(b, "protocolVersion", version_for(member_text(params, "protocolVersion")));
	json_builder_set_member_name(b, "capabilities");
	json_builder_begin_object(b);
	json_builder_set_member_name(b, "tools");
	json_builder_begin_object(b);
	json_builder_end_object(b);
	json_builder_end_object(b);
	json_builder_set_member_name(b, "serverInfo");
	json_builder_begin_object(b);
	put_text(b, "name", "spile");
	put_text(b, "version", PACKAGE_VERSION);
	json_builder_end_object(b);
	put_text(b, "instructions",
		 "Write scripts in the SystemTap language. Look probe points up with list_probes before you use them, "
		 "check a script before you run it, and start from an example if one answers a similar question.");
	return rpc_end(b);
}

static JsonNode *list_tools(JsonObject *params)
{
	JsonBuilder *b = begin_result();

	put_tools(b);
	return rpc_end(b);
}

static JsonNode *ping(JsonObject *params)
{
	return rpc_end(begin_result());
}

static void call_tool(struct server *server, JsonNode *id, JsonObject *params)
{
	const struct tool *tool = tool_find(member_text(params, "name"));

	if (!tool)
		send_message(server, rpc_error(id, RPC_INVALID_PARAMS, _("there is no such tool")));
	else if (g_queue_get_length(server->waiting) >= MOST_WAITING)
		send_message(server, rpc_error(id, RPC_REQUEST_FAILED, _("too many calls wait")));
	else
		g_queue_push_tail(server->waiting, call_new(id, tool, member_object(params, "arguments")));
}

static void handle_request(struct server *server, const char *method, JsonNode *id, JsonObject *params)
{
	static const struct {
		const char *method;
		JsonNode *(*handle)(JsonObject *params);
	} rows[] = {{"initialize", initialize}, {"ping", ping}, {"tools/list", list_tools}};

	if (!strcmp(method, "tools/call")) {
		call_tool(server, id, params);
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		if (!strcmp(method, rows[i].method)) {
			send_message(server, rpc_result(id, rows[i].handle(params)));
			return;
		}
	send_message(server, rpc_error(id, RPC_METHOD_NOT_FOUND, _("unknown method")));
}

static void handle(struct server *server, JsonObject *message)
{
	JsonNode *id = message ? json_object_get_member(message, "id") : NULL;
	const char *method = member_text(message, "method");
	JsonObject *params = member_object(message, "params");

	if (id && !JSON_NODE_HOLDS_VALUE(id))
		id = NULL;
	if (method && id)
		handle_request(server, method, id, params);
	else if (!g_strcmp0(method, "notifications/cancelled"))
		cancel(server, params);
	else if (!method && !(message && id)) /* not the answer to a request, of which we send none */
		send_message(server, rpc_error(NULL, RPC_INVALID_REQUEST, _("it is not a message of JSON-RPC")));
}

void server_take(struct server *server, const char *line, gsize length)
{
	g_autoptr(JsonNode) message = rpc_parse(line, length);

	if (!message)
		send_message(server, rpc_error(NULL, RPC_PARSE_ERROR, _("it is not JSON, or nested too deep")));
	else
		handle(server, JSON_NODE_HOLDS_OBJECT(message) ? json_node_get_object(message) : NULL);
}

void server_init(struct server *server, struct session *session, int output)
{
	*server = (struct server){.session = session, .output = output, .waiting = g_queue_new()};
}

void server_clear(struct server *server)
{
	if (server->job) {
		job_cancel(server->job);
		job_free(server->job);
	}
	g_queue_free_full(server->waiting, (GDestroyNotify)call_free);
}
