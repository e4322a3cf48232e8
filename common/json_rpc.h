/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages of JSON-RPC 2.0, which the Language Server Protocol and the Model Context Protocol use. Members of a wrong
 * type count as absent, because a client may send anything.
 */
#ifndef SPILE_COMMON_JSON_RPC_H
#define SPILE_COMMON_JSON_RPC_H

#include <json-glib/json-glib.h>
#include <stdbool.h>

/* Codes of errors in JSON-RPC, and in the Language Server Protocol. */
enum {
	RPC_PARSE_ERROR = -32700,
	RPC_INVALID_REQUEST = -32600,
	RPC_METHOD_NOT_FOUND = -32601,
	RPC_INVALID_PARAMS = -32602,
	RPC_NOT_INITIALIZED = -32002,
	RPC_REQUEST_FAILED = -32803,
	RPC_REQUEST_CANCELLED = -32800,
};

/** Parse a message. NULL if it is not JSON, or nested too deep. */
JsonNode *rpc_parse(const char *text, gsize length);

/** Return a member of an object if it has this type, else NULL. The object may be NULL. */
JsonNode *member_node(JsonObject *object, const char *name, JsonNodeType type);
JsonObject *member_object(JsonObject *object, const char *name);
JsonArray *member_array(JsonObject *object, const char *name);
const char *member_text(JsonObject *object, const char *name);
gint64 member_number(JsonObject *object, const char *name, gint64 otherwise);
bool member_flag(JsonObject *object, const char *name);

/** Begin a message, an object with the version of the protocol; rpc_end() returns it. */
JsonBuilder *rpc_begin(void);
/** End the object that is built, and return it; the builder is freed. */
JsonNode *rpc_end(JsonBuilder *b);
/** Return an answer; the result is consumed. @p id NULL means null. */
JsonNode *rpc_result(JsonNode *id, JsonNode *result);
JsonNode *rpc_error(JsonNode *id, int code, const char *text);
/** Return the text of a message, which is consumed. The caller frees it. */
char *rpc_text(JsonNode *message, gsize *length);

/** Add a member. Bytes that are not UTF-8 are replaced; a text that is NULL is left out. */
void put_text(JsonBuilder *b, const char *name, const char *text);
void put_number(JsonBuilder *b, const char *name, gint64 number);
void put_flag(JsonBuilder *b, const char *name, bool value);

#endif
