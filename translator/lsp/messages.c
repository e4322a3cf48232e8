// SPDX-License-Identifier: GPL-2.0-or-later
/* The JSON of messages with positions in documents. */
#include "translator/lsp/server.h"

#include <string.h>

/* ---- reading ----------------------------------------------------------------------------------------------------- */

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
	gsize length;
	g_autofree char *text = rpc_text(message, &length);

	if (!server->is_output_lost && !frame_write(server->output, text, length))
		server->is_output_lost = true;
}

void send_result(struct server *server, JsonNode *id, JsonNode *result)
{
	send_node(server, rpc_result(id, result));
}

void send_error(struct server *server, JsonNode *id, int code, const char *text)
{
	send_node(server, rpc_error(id, code, text));
}

void send_notification(struct server *server, const char *method, JsonNode *params)
{
	JsonBuilder *b = rpc_begin();

	put_text(b, "method", method);
	json_builder_set_member_name(b, "params");
	json_builder_add_value(b, params);
	send_node(server, rpc_end(b));
}

void send_request(struct server *server, const char *id, const char *method)
{
	JsonBuilder *b = rpc_begin();

	put_text(b, "id", id);
	put_text(b, "method", method);
	send_node(server, rpc_end(b));
}

/* ---- members ----------------------------------------------------------------------------------------------------- */

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
