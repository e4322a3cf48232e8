// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading and writing the JSON of messages. Members of a wrong type count as absent: a client may send anything. */
#include "translator/lsp/server.h"

#include <string.h>

#include "common/base/utf8.h"

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

JsonNode *parse_message(const char *text, gsize length)
{
	g_autoptr(JsonParser) parser = json_parser_new();

	if (!is_flat(text, length) || !g_utf8_validate(text, (gssize)length, NULL) ||
	    !json_parser_load_from_data(parser, text, (gssize)length, NULL) || !json_parser_get_root(parser))
		return NULL;
	return json_node_copy(json_parser_get_root(parser));
}

static uint32_t read_coordinate(JsonObject *position, const char *name)
{
	return (uint32_t)CLAMP(member_number(position, name, 0), 0, (gint64)INT32_MAX);
}

size_t read_offset(const struct server *server, const struct document *document, JsonObject *position)
{
	struct position at = {read_coordinate(position, "line"), read_coordinate(position, "character")};

	return text_offset(document_text(document), at, server->encoding);
}

struct range read_range(const struct server *server, const struct document *document, JsonObject *range)
{
	size_t from = read_offset(server, document, member_object(range, "start"));
	size_t to = read_offset(server, document, member_object(range, "end"));

	return (struct range){MIN(from, to), MAX(from, to)};
}

char *path_of_uri(const char *uri)
{
	g_autofree char *path = g_filename_from_uri(uri, NULL, NULL);

	/* A document that was not saved yet has the editor's own name. */
	return path ? g_canonicalize_filename(path, NULL) : g_strdup(uri);
}

/* ---- sending ----------------------------------------------------------------------------------------------------- */

static void send_node(struct server *server, JsonNode *message)
{
	g_autoptr(JsonGenerator) generator = json_generator_new();
	g_autofree char *text = NULL;
	gsize length;

	json_generator_set_root(generator, message);
	text = json_generator_to_data(generator, &length);
	json_node_unref(message);
	if (!server->is_output_lost && !frame_write(server->output, text, length))
		server->is_output_lost = true;
}

static JsonBuilder *begin_message(void)
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

JsonNode *finish(JsonBuilder *b)
{
	JsonNode *node;

	json_builder_end_object(b);
	node = json_builder_get_root(b);
	g_object_unref(b);
	return node;
}

void send_result(struct server *server, JsonNode *id, JsonNode *result)
{
	JsonBuilder *b = begin_message();

	put_id(b, id);
	json_builder_set_member_name(b, "result");
	json_builder_add_value(b, result);
	send_node(server, finish(b));
}

void send_error(struct server *server, JsonNode *id, int code, const char *text)
{
	JsonBuilder *b = begin_message();

	put_id(b, id);
	json_builder_set_member_name(b, "error");
	json_builder_begin_object(b);
	put_number(b, "code", code);
	put_text(b, "message", text);
	json_builder_end_object(b);
	send_node(server, finish(b));
}

void send_notification(struct server *server, const char *method, JsonNode *params)
{
	JsonBuilder *b = begin_message();

	put_text(b, "method", method);
	json_builder_set_member_name(b, "params");
	json_builder_add_value(b, params);
	send_node(server, finish(b));
}

void send_request(struct server *server, const char *id, const char *method)
{
	JsonBuilder *b = begin_message();

	put_text(b, "id", id);
	put_text(b, "method", method);
	send_node(server, finish(b));
}

/* ---- members ----------------------------------------------------------------------------------------------------- */

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

static void put_position(JsonBuilder *b, const char *name, struct position position)
{
	json_builder_set_member_name(b, name);
	json_builder_begin_object(b);
	put_number(b, "line", position.line);
	put_number(b, "character", position.character);
	json_builder_end_object(b);
}

static void put_positions(JsonBuilder *b, const char *name, struct position from, struct position to)
{
	json_builder_set_member_name(b, name);
	json_builder_begin_object(b);
	put_position(b, "start", from);
	put_position(b, "end", to);
	json_builder_end_object(b);
}

void put_range(const struct server *server, JsonBuilder *b, const char *name, const struct document *document,
	       struct range range)
{
	const struct text *text = document_text(document);

	put_positions(b, name, text_position(text, range.from, server->encoding),
		      text_position(text, range.to, server->encoding));
}

/* Return the position of a place in a text: its line and column count from 1, in bytes. */
static struct position position_in(const struct text *text, const struct place *place, int column,
				   enum encoding encoding)
{
	size_t line = (size_t)MAX(place->line, 1) - 1;
	size_t offset = text_line_begin(text, line) + (size_t)MAX(column, 1) - 1;

	return text_position(text, MIN(offset, text_line_end(text, line)), encoding);
}

static void put_range_in(const struct server *server, JsonBuilder *b, const struct text *text,
			 const struct place *place)
{
	put_positions(b, "range", position_in(text, place, place->column, server->encoding),
		      position_in(text, place, place->column + place->length, server->encoding));
}

char *uri_of_path(const struct server *server, const char *path)
{
	struct document *document = session_document(server->session, path);
	struct opened *opened;
	GHashTableIter iter;

	g_hash_table_iter_init(&iter, server->opened);
	while (document && g_hash_table_iter_next(&iter, NULL, (void **)&opened))
		if (opened->document == document)
			return g_strdup(opened->uri);
	return g_filename_to_uri(path, NULL, NULL) ?: g_strdup(path);
}

void put_place(const struct server *server, JsonBuilder *b, const struct place *place)
{
	const struct document *document = session_document(server->session, place->path);
	g_autofree char *bytes = NULL;
	gsize length = 0;
	struct text text;

	if (document) {
		put_range_in(server, b, document_text(document), place);
		return;
	}
	if (!g_file_get_contents(place->path, &bytes, &length, NULL))
		length = 0;
	text_init(&text, bytes ?: "", length);
	put_range_in(server, b, &text, place);
	text_clear(&text);
}

void put_location(const struct server *server, JsonBuilder *b, const struct place *place)
{
	g_autofree char *uri = uri_of_path(server, place->path);

	put_text(b, "uri", uri);
	put_place(server, b, place);
}
