// SPDX-License-Identifier: GPL-2.0-or-later
/* Members of lines of JSON; see json_line.h. */
#include "exporter/json_line.h"

#include <string.h>

#include "exporter/decimal.h"
#include "exporter/limits.h"

static bool is_too_deep(const char *line, size_t length)
{
	bool in_string = false;
	int depth = 0;

	for (size_t i = 0; i < length; i++) {
		char c = line[i];

		if (in_string) {
			if (c == '\\')
				i++;
			else if (c == '"')
				in_string = false;
		} else if (c == '"') {
			in_string = true;
		} else if (c == '[' || c == '{') {
			if (++depth > DEEPEST_JSON)
				return true;
		} else if (c == ']' || c == '}') {
			depth--;
		}
	}
	return false;
}

JsonObject *json_line_parse(const char *line, size_t length, JsonParser **parser)
{
	JsonNode *root;

	*parser = NULL;
	/* Refuse lines with a NUL: the parser would stop there. */
	if (!length || *line != '{' || memchr(line, '\0', length) || is_too_deep(line, length) ||
	    !g_utf8_validate(line, (gssize)length, NULL))
		return NULL;
	*parser = json_parser_new_immutable();
	root = json_parser_load_from_data(*parser, line, (gssize)length, NULL) ? json_parser_get_root(*parser) : NULL;
	if (root && JSON_NODE_HOLDS_OBJECT(root))
		return json_node_get_object(root);
	g_clear_object(parser);
	return NULL;
}

JsonArray *json_array_member(JsonObject *object, const char *name)
{
	JsonNode *node = json_object_get_member(object, name);

	return node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

JsonObject *json_object_member(JsonObject *object, const char *name)
{
	JsonNode *node = json_object_get_member(object, name);

	return node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

static bool is_of_type(JsonNode *node, GType type)
{
	return node && JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == type;
}

bool json_is_int(JsonNode *node)
{
	return is_of_type(node, G_TYPE_INT64);
}

const char *json_text_member(JsonObject *object, const char *name)
{
	JsonNode *node = json_object_get_member(object, name);

	return is_of_type(node, G_TYPE_STRING) ? json_node_get_string(node) : NULL;
}

bool json_bool_member(JsonObject *object, const char *name, bool otherwise)
{
	JsonNode *node = json_object_get_member(object, name);

	return is_of_type(node, G_TYPE_BOOLEAN) ? json_node_get_boolean(node) : otherwise;
}

bool json_int_member(JsonObject *object, const char *name, int64_t *ret)
{
	JsonNode *node = json_object_get_member(object, name);

	if (!json_is_int(node))
		return false;
	*ret = json_node_get_int(node);
	return true;
}

char *json_bytes(JsonNode *node, size_t *length)
{
	const char *text;

	if (is_of_type(node, G_TYPE_STRING)) {
		text = json_node_get_string(node);
		*length = strlen(text);
		return g_strdup(text);
	}
	text = node && JSON_NODE_HOLDS_OBJECT(node) ? json_text_member(json_node_get_object(node), "base64") : NULL;
	return text ? (char *)g_base64_decode(text, length) : NULL;
}

char *json_bytes_member(JsonObject *object, const char *name, size_t *length)
{
	return json_bytes(json_object_get_member(object, name), length);
}

char *json_decimal(JsonNode *node, unsigned int exponent)
{
	if (json_is_int(node))
		return decimal_scaled(json_node_get_int(node), exponent);
	return is_of_type(node, G_TYPE_DOUBLE) ? decimal_scaled_double(json_node_get_double(node), exponent) : NULL;
}
