/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The language server: it turns messages of an editor into queries of a session, and answers into messages. It is one
 * thread: requests are answered in their order, and scripts are analyzed when no message waits.
 */
#ifndef SPILE_LSP_SERVER_H
#define SPILE_LSP_SERVER_H

#include <json-glib/json-glib.h>

#include "common/json_rpc.h"
#include "translator/lsp/inbox.h"
#include "translator/session/session.h"

/* A document that the client has opened. */
struct opened {
	char *uri; /* as the client spells it */
	gint64 version;
	struct document *document;
	bool is_dirty; /* its problems must be published */
};

/* STATE_BROKEN_OFF: the client ended it without "shutdown". */
enum server_state { STATE_NEW, STATE_RUNNING, STATE_SHUT_DOWN, STATE_EXITED, STATE_BROKEN_OFF };

struct server {
	struct session *session;
	enum encoding encoding;
	enum server_state state;
	GHashTable *opened; /* uri -> struct opened * */
	GQueue *waiting; /* of JsonNode *: messages that were not handled yet */
	GHashTable *cancelled; /* set of char *: ids of requests, as JSON texts */
	char **arguments; /* options of the command line, NULL-terminated */
	int output;
	bool is_output_lost;
	/* Capabilities of the client: it expands snippets, pulls diagnostics, has the commands of lenses. */
	bool has_snippets, pulls, has_lenses;
	unsigned int refreshes; /* requests to the client so far */
};

/** @p arguments: options for all scripts, NULL-terminated; settings of the client are added to them. */
void server_init(struct server *server, struct session *session, char **arguments, int output);
void server_clear(struct server *server);

/** Add a message. Cancellations take effect at once. */
void server_add(struct server *server, const char *text, gsize length);
/** Handle the next message, or publish the problems of a document. Return false if there is nothing to do. */
bool server_work(struct server *server);
/** Has the connection ended? */
bool server_is_over(const struct server *server);
/** Mark all scripts after an index was built, and request that clients that pull diagnostics ask again. */
void server_refresh(struct server *server);
/** Note that scripts must be analyzed again. */
void server_mark_all(struct server *server);

/* ---- messages.c -------------------------------------------------------------------------------------------------- */

/** Send an answer; the result is consumed. @p id NULL means null. */
void send_result(struct server *server, JsonNode *id, JsonNode *result);
void send_error(struct server *server, JsonNode *id, int code, const char *text);
void send_notification(struct server *server, const char *method, JsonNode *params);
/** Send a request without parameters. Its answer is ignored. */
void send_request(struct server *server, const char *id, const char *method);

/** Add a member with a range of a document. */
void put_range(const struct server *server, JsonBuilder *b, const char *name, const struct document *document,
	       struct range range);
/** Return the URI of a file, as the client spells it if the file is open. The caller frees it. */
char *uri_of_path(const struct server *server, const char *path);
/** Add "range" of a place in any file. */
void put_place(const struct server *server, JsonBuilder *b, const struct place *place);
/** Add "uri" and "range" of a place in any file. */
void put_location(const struct server *server, JsonBuilder *b, const struct place *place);

/** Read a position; an absent one is the beginning. */
size_t read_offset(const struct server *server, const struct document *document, JsonObject *position);
struct range read_range(const struct server *server, const struct document *document, JsonObject *range);

/** Return the path that a session knows a document by. */
char *path_of_uri(const char *uri);

/* ---- documents.c ------------------------------------------------------------------------------------------------- */

/** Return the document of "textDocument" in the parameters, or NULL. */
struct opened *opened_of(struct server *server, JsonObject *params);
void handle_did_open(struct server *server, JsonObject *params);
void handle_did_change(struct server *server, JsonObject *params);
void handle_did_close(struct server *server, JsonObject *params);
void handle_configuration(struct server *server, JsonObject *params);
/** Use the settings {"options": ["-r", "6.1"]}. */
void use_settings(struct server *server, JsonObject *settings);
void publish(struct server *server, struct opened *opened);
/** Add a problem as a Diagnostic. */
void put_problem(const struct server *server, JsonBuilder *b, const struct document *document,
		 const struct problem *problem);

/* ---- requests.c -------------------------------------------------------------------------------------------------- */

/* A request about a document. */
struct request {
	struct server *server;
	struct opened *opened;
	JsonObject *params;
	size_t offset; /* of "position" */
	char *error; /* set by a handler that fails */
};

struct method {
	const char *name;
	/* Return the result; NULL if request->error is set. */
	JsonNode *(*handle)(struct request *request);
};

/** Find the handler of a request about a document, or NULL. */
const struct method *method_find(const char *name);
/** Return the capabilities of the server. */
void put_capabilities(const struct server *server, JsonBuilder *b);

#endif
