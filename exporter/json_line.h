/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read members of a line of JSON, whatever their types are. All results are borrowed unless noted. */
#ifndef SPILE_EXPORTER_JSON_LINE_H
#define SPILE_EXPORTER_JSON_LINE_H

#include <json-glib/json-glib.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * Parse a line as an object.
 *
 * @param[out] parser Owns the object; the caller frees it with g_object_unref(). NULL on failure.
 * @return NULL if it is not an object, or if it is nested too deep for the parser, which recurses.
 */
JsonObject *json_line_parse(const char *line, size_t length, JsonParser **parser);

/** Return a member of a type, or NULL. */
JsonArray *json_array_member(JsonObject *object, const char *name);
JsonObject *json_object_member(JsonObject *object, const char *name);
/** Return a member that is a string of UTF-8, or NULL. */
const char *json_text_member(JsonObject *object, const char *name);
bool json_bool_member(JsonObject *object, const char *name, bool otherwise);
/** Return false, with @p ret unchanged, if the member is not an integer. */
bool json_int_member(JsonObject *object, const char *name, int64_t *ret);

/** Return the bytes of a string or of {"base64": ...}, or NULL. Free with g_free(). */
char *json_bytes(JsonNode *node, size_t *length);
char *json_bytes_member(JsonObject *object, const char *name, size_t *length);

/** Return a number / 10^exponent as text, or NULL if the node is not a number. Free with g_free(). */
char *json_decimal(JsonNode *node, unsigned int exponent);

bool json_is_int(JsonNode *node);

#endif
