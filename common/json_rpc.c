// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading and writing messages of JSON-RPC, by json-glib. */
#include "common/json_rpc.h"

enum { DEEPEST = 64 };

/* ---- reading ----------------------------------------------------------------------------------------------------- */

JsonNode *member_node(JsonObject *object, const char *name, JsonNodeType type)
{
	JsonNode *node = object ? json_object_get_member(object, name) : NULL;

	return node && JSON_NODE_TYPE(node) == type ? node : NULL;
}

JsonObject *member_object(JsonObject *object, const char *name)
{
	JsonNode *node = member_node(object, name, JSON_NODE_OBJECT);

	return node ? json_node_get_object(node) : NULL;
}

JsonArray *member_array(JsonObject *object, const char *name)
{
	JsonNode *node = member_node(object, name, JSON_NODE_ARRAY);

	return node ? json_node_get_array(node) : NULL;
}

const char *member_text(JsonObject *object, const char *name)
{
	JsonNode *node = member_node(object, name, JSON_NODE_VALUE);

	return node && json_node_get_value_type(node) == G_TYPE_STRING ? json_node_get_string(node) : NULL;
}

gint64 member_number(JsonObject *object, const char *name, gint64 otherwise)
{
	JsonNode *node = member_node(object, name, JSON_NODE_VALUE);

	return node && json_node_get_value_type(node) == G_TYPE_INT64 ? json_node_get_int(node) : otherwise;
}

bool member_flag(JsonObject *object, const char *name)
{
	JsonNode *node = member_node(object, name, JSON_NODE_VALUE);

	return node && json_node_get_value_type(node) == G_TYPE_BOOLEAN && json_node_get_boolean(node);
}

/* json-glib recurses for each bracket, so a text of brackets alone could exhaust the stack. */
static bool is_flat(const char *text, gsize length)
{
	bool in_string = false;
	int depth = 0;

	for (gsize i = 0; i < length; i++) {
		if (in_string && text[i] == '\\')
			i++;
		else if (text[i] == '"')
			in_string = !in_string;
		else if (!in_string && (text[i] == '[' || text[i] == '{') && ++depth > DEEPEST)
			return false;
		else if (!in_string && (text[i] == ']' || text[i] == '}'))
			depth--;
	}
	return true;
}

JsonNode *rpc_parse(const char *text, gsize length)
{
	g_autoptr(JsonParser) parser = json_parser_new();

	if (!is_flat(text, length) || !g_utf8_validate(text, (gssize)length, NULL) ||
	    !json_parser_load_from_data(parser, text, (gssize)length, NULL) || !json_parser_get_root(parser))
		return NULL;
	return json_node_copy(json_parser_get_root(parser));
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

JsonBuilder *rpc_begin(void)
{
	JsonBuilder *b = json_builder_new_immutable();

	json_builder_begin_object(b);
	put_text(b, "jsonrpc", "2.0");
	return b;
}

static void put_id(JsonBuilder *b, JsonNode *id)
{
	json_builder_set_member_name(b, "id");
	if (id)
		json_builder_add_value(b, json_node_copy(id));
	else
		json_builder_add_null_value(b);
}

JsonNode *rpc_end(JsonBuilder *b)
{
	JsonNode *node;

	json_builder_end_object(b);
	node = json_builder_get_root(b);
	g_object_unref(b);
	return node;
}

JsonNode *rpc_result(JsonNode *id, JsonNode *result)
{
	JsonBuilder *b = rpc_begin();

	put_id(b, id);
	json_builder_set_member_name(b, "result");
	json_builder_add_value(b, result);
	return rpc_end(b);
}

JsonNode *rpc_error(JsonNode *id, int code, const char *text)
{
	JsonBuilder *b = rpc_begin();

	put_id(b, id);
	json_builder_set_member_name(b, "error");
	json_builder_begin_object(b);
	put_number(b, "code", code);
	put_text(b, "message", text);
	json_builder_end_object(b);
	return rpc_end(b);
}

char *rpc_text(JsonNode *message, gsize *length)
{
	g_autoptr(JsonGenerator) generator = json_generator_new();
	char *text;

	json_generator_set_root(generator, message);
	text = json_generator_to_data(generator, length);
	json_node_unref(message);
	return text;
}

void put_text(JsonBuilder *b, const char *name, const char *text)
{
	g_autofree char *valid = NULL;

	if (!text)
		return;
	/* Names in debuginfo, and lines of scripts, need not be UTF-8. */
	valid = g_utf8_make_valid(text, -1);
	json_builder_set_member_name(b, name);
	json_builder_add_string_value(b, valid);
}

void put_number(JsonBuilder *b, const char *name, gint64 number)
{
	json_builder_set_member_name(b, name);
	json_builder_add_int_value(b, number);
}

void put_flag(JsonBuilder *b, const char *name, bool value)
{
	json_builder_set_member_name(b, name);
	json_builder_add_boolean_value(b, value);
}
