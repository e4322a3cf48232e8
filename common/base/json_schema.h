/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one list of the JSON lines of stap --format=json: the members of each type of line, and of each kind of object
 * inside of lines. Writers name a member only by its row, and tests compare the rows with stap-json(5). So a member
 * that is written is documented.
 */
#ifndef SPILE_BASE_JSON_SCHEMA_H
#define SPILE_BASE_JSON_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/json_text.h"

enum { JSON_SCHEMA_VERSION = 1 };

/* clang-format off */
/* F(owner, member, type): a line or an object, and a member of it. Names of objects begin with "-". */
#define JSON_FIELDS(F) \
	F(SCRIPT_TIME, "script", "time", "number") \
	F(SCRIPT_VERSION, "script", "version", "number") \
	F(SCRIPT_NAME, "script", "name", "string") \
	F(SCRIPT_TEXT, "script", "text", "string") \
	F(SCRIPT_OPTIONS, "script", "options", "array of string") \
	F(SCRIPT_ARGUMENTS, "script", "arguments", "array of string") \
	F(SCRIPT_STAP, "script", "stap", "string") \
	F(START_TIME, "start", "time", "number") \
	F(START_VERSION, "start", "version", "number") \
	F(START_MODULE, "start", "module", "string") \
	F(START_HOST, "start", "host", "string") \
	F(START_KERNEL, "start", "kernel", "string") \
	F(START_REMOTE, "start", "remote", "remote") \
	F(REMOTE_NUMBER, "-remote", "number", "number") \
	F(REMOTE_URI, "-remote", "uri", "string") \
	F(OUTPUT_REMOTE, "output", "remote", "number") \
	F(OUTPUT_TIME, "output", "time", "number") \
	F(OUTPUT_TEXT, "output", "text", "string") \
	F(OUTPUT_COMMAND, "output", "command", "boolean") \
	F(MESSAGE_REMOTE, "message", "remote", "number") \
	F(MESSAGE_TIME, "message", "time", "number") \
	F(MESSAGE_LEVEL, "message", "level", "string") \
	F(MESSAGE_KIND, "message", "kind", "string") \
	F(MESSAGE_TEXT, "message", "text", "string") \
	F(MESSAGE_PLACE, "message", "place", "place") \
	F(MESSAGE_EXPANDED_FROM, "message", "expanded_from", "array of place") \
	F(MESSAGE_NOTES, "message", "notes", "array of note") \
	F(MESSAGE_HINT, "message", "hint", "string") \
	F(MESSAGE_ALTERNATIVES, "message", "alternatives", "array of string") \
	F(PLACE_FILE, "-place", "file", "string") \
	F(PLACE_LINE, "-place", "line", "number") \
	F(PLACE_COLUMN, "-place", "column", "number") \
	F(PLACE_LENGTH, "-place", "length", "number") \
	F(NOTE_TEXT, "-note", "text", "string") \
	F(NOTE_PLACE, "-note", "place", "place") \
	F(NOTE_EXPANDED_FROM, "-note", "expanded_from", "array of place") \
	F(GLOBAL_REMOTE, "global", "remote", "number") \
	F(GLOBAL_TIME, "global", "time", "number") \
	F(GLOBAL_SNAPSHOT, "global", "snapshot", "number") \
	F(GLOBAL_FINAL, "global", "final", "boolean") \
	F(GLOBAL_NAME, "global", "name", "string") \
	F(GLOBAL_KIND, "global", "kind", "string") \
	F(GLOBAL_KEYS, "global", "keys", "array of string") \
	F(GLOBAL_KEY_NAMES, "global", "key_names", "array of string") \
	F(GLOBAL_STACKS, "global", "stacks", "array of stack") \
	F(GLOBAL_VALUES, "global", "values", "string") \
	F(GLOBAL_UNIT, "global", "unit", "string") \
	F(GLOBAL_SHOW, "global", "show", "string") \
	F(GLOBAL_PLACE, "global", "place", "place") \
	F(GLOBAL_COMPLETE, "global", "complete", "boolean") \
	F(GLOBAL_ELEMENTS, "global", "elements", "array of array") \
	F(STACK_KEY, "-stack", "key", "number") \
	F(STACK_KIND, "-stack", "kind", "string") \
	F(STACK_FORM, "-stack", "form", "string") \
	F(STACK_INNERMOST, "-stack", "innermost", "string") \
	F(STATISTICS_COUNT, "-statistics", "count", "number") \
	F(STATISTICS_SUM, "-statistics", "sum", "number") \
	F(STATISTICS_MIN, "-statistics", "min", "number") \
	F(STATISTICS_MAX, "-statistics", "max", "number") \
	F(STATISTICS_AVG, "-statistics", "avg", "number") \
	F(STATISTICS_VARIANCE, "-statistics", "variance", "number") \
	F(STATISTICS_HISTOGRAM, "-statistics", "histogram", "histogram") \
	F(HISTOGRAM_KIND, "-histogram", "kind", "string") \
	F(HISTOGRAM_BUCKETS, "-histogram", "buckets", "array of array") \
	F(FRAME_NAME, "-frame", "name", "string") \
	F(FRAME_OFFSET, "-frame", "offset", "number") \
	F(FRAME_KIND, "-frame", "kind", "string") \
	F(FRAME_OBJECT, "-frame", "object", "string") \
	F(FRAME_INLINED, "-frame", "inlined", "boolean") \
	F(FRAME_FILE, "-frame", "file", "string") \
	F(FRAME_LINE, "-frame", "line", "number") \
	F(FRAME_ADDRESS, "-frame", "address", "string") \
	F(FRAME_BUILD_ID, "-frame", "build_id", "string") \
	F(FRAME_LINK_ADDRESS, "-frame", "link_address", "string") \
	F(SNAPSHOT_REMOTE, "snapshot", "remote", "number") \
	F(SNAPSHOT_TIME, "snapshot", "time", "number") \
	F(SNAPSHOT_SNAPSHOT, "snapshot", "snapshot", "number") \
	F(SNAPSHOT_FINAL, "snapshot", "final", "boolean") \
	F(END_REMOTE, "end", "remote", "number") \
	F(END_TIME, "end", "time", "number") \
	F(END_STATUS, "end", "status", "number") \
	F(END_HITS, "end", "hits", "number") \
	F(END_ERRORS, "end", "errors", "number") \
	F(END_LOST, "end", "lost", "number") \
	F(END_SKIPPED, "end", "skipped", "skipped") \
	F(SKIPPED_REENTRANT, "-skipped", "reentrant", "number") \
	F(SKIPPED_LOCK, "-skipped", "lock", "number") \
	F(SKIPPED_MISSED_RETURN, "-skipped", "missed_return", "number") \
	F(SKIPPED_MISSED_DEEP_RETURN, "-skipped", "missed_deep_return", "number") \
	F(SKIPPED_STACK, "-skipped", "stack", "number") \
	F(STATUS_TIME, "status", "time", "number") \
	F(STATUS_MODULE, "status", "module", "string") \
	F(STATUS_STATE, "status", "state", "string") \
	F(STATUS_LEFT, "status", "left", "number") \
	F(STATUS_OWNER, "status", "owner", "number") \
	F(STATUS_LOADED_AT, "status", "loaded_at", "number") \
	F(STATUS_UPTIME, "status", "uptime", "number") \
	F(STATUS_DRIVER, "status", "driver", "number") \
	F(STATUS_HITS, "status", "hits", "number") \
	F(STATUS_ERRORS, "status", "errors", "number") \
	F(STATUS_LOST, "status", "lost", "number") \
	F(STATUS_OVERWRITTEN, "status", "overwritten", "number") \
	F(STATUS_SKIPPED_REENTRANT, "status", "skipped_reentrant", "number") \
	F(STATUS_SKIPPED_LOCK, "status", "skipped_lock", "number") \
	F(STATUS_MISSED_RETURN, "status", "missed_return", "number") \
	F(STATUS_MISSED_DEEP_RETURN, "status", "missed_deep_return", "number") \
	F(STATUS_SKIPPED_STACK, "status", "skipped_stack", "number") \
	F(STATUS_MEMORY_VARIABLES, "status", "memory_variables", "number") \
	F(STATUS_MEMORY_OUTPUT, "status", "memory_output", "number") \
	F(STATUS_MEMORY_CONTEXTS, "status", "memory_contexts", "number") \
	F(STATUS_PROBES, "status", "probes", "array of monitored_probe") \
	F(STATUS_GLOBALS, "status", "globals", "array of monitored_global") \
	F(MONITORED_PROBE_INDEX, "-monitored_probe", "index", "number") \
	F(MONITORED_PROBE_STATE, "-monitored_probe", "state", "string") \
	F(MONITORED_PROBE_HITS, "-monitored_probe", "hits", "number") \
	F(MONITORED_PROBE_MIN, "-monitored_probe", "min", "number") \
	F(MONITORED_PROBE_AVG, "-monitored_probe", "avg", "number") \
	F(MONITORED_PROBE_MAX, "-monitored_probe", "max", "number") \
	F(MONITORED_PROBE_POINT, "-monitored_probe", "point", "string") \
	F(MONITORED_GLOBAL_NAME, "-monitored_global", "name", "string") \
	F(MONITORED_GLOBAL_ELEMENTS, "-monitored_global", "elements", "number") \
	F(MONITORED_GLOBAL_VALUE, "-monitored_global", "value", "any value") \
	F(PROBE_POINT, "probe", "point", "string") \
	F(PROBE_KIND, "probe", "kind", "string") \
	F(PROBE_OBJECT, "probe", "object", "string") \
	F(PROBE_FUNCTION, "probe", "function", "string") \
	F(PROBE_FILE, "probe", "file", "string") \
	F(PROBE_LINE, "probe", "line", "number") \
	F(PROBE_ADDRESS, "probe", "address", "string") \
	F(PROBE_ADDRESSES, "probe", "addresses", "array of string") \
	F(PROBE_SECTION, "probe", "section", "string") \
	F(PROBE_VARIABLES, "probe", "variables", "array of variable") \
	F(VARIABLE_POINT, "variable", "point", "string") \
	F(VARIABLE_AT, "variable", "at", "string") \
	F(VARIABLE_NAME, "variable", "name", "string") \
	F(VARIABLE_TYPE, "variable", "c_type", "string") \
	F(VARIABLE_PLACE, "variable", "place", "string") \
	F(LISTED_NAME, "-variable", "name", "string") \
	F(LISTED_TYPE, "-variable", "type", "string") \
	F(LISTED_PLACE, "-variable", "place", "string") \
	F(LINE_HEADING, "line", "heading", "string") \
	F(LINE_FILE, "line", "file", "string") \
	F(LINE_LINE, "line", "line", "number") \
	F(LINE_PROBEABLE, "line", "probeable", "boolean") \
	F(LINE_TEXT, "line", "text", "string") \
	F(EXAMPLE_TOPIC, "example", "topic", "string") \
	F(EXAMPLE_NAME, "example", "name", "string") \
	F(EXAMPLE_TITLE, "example", "title", "string") \
	F(EXAMPLE_QUESTION, "example", "question", "string") \
	F(EXAMPLE_NEEDS, "example", "needs", "string") \
	F(EXAMPLE_FILE, "example", "file", "string") \
	F(FUNCTION_NAME, "function", "name", "string") \
	F(FUNCTION_RETURNS, "function", "returns", "string") \
	F(FUNCTION_PARAMETERS, "function", "parameters", "array of variable") \
	F(ALIAS_NAME, "alias", "name", "string") \
	F(ALIAS_POINTS, "alias", "points", "array of string") \
	F(PROBE_TYPE_POINT, "probe_type", "point", "string") \
	F(SOURCE_PASS, "source", "pass", "number") \
	F(SOURCE_TEXT, "source", "text", "string") \
	F(MODULE_PATH, "module", "path", "string") \
	F(CHECK_ERRORS, "check", "errors", "number") \
	F(CHECK_WARNINGS, "check", "warnings", "number")
/* clang-format on */

#define JSON_FIELD_CONSTANT(id, owner, member, type) JSON_##id,
enum json_field { JSON_FIELDS(JSON_FIELD_CONSTANT) JSON_FIELD_COUNT_ };
#undef JSON_FIELD_CONSTANT

struct json_field_row {
	const char *owner, *member, *type;
};
extern const struct json_field_row json_fields[JSON_FIELD_COUNT_];

/**
 * Set the number of the host (--remote) on which this process runs. All lines that have the member "remote" get it. By
 * default, no line has it.
 */
void json_set_remote(int64_t number);

/** Begin a line of the type to which the field belongs. */
void json_begin(struct json_writer *w, FILE *to, enum json_field field);

/** Write the name of a member; its value must follow. */
void json_member(struct json_writer *w, enum json_field field);
/** Write a member with its value. */
void json_member_text(struct json_writer *w, enum json_field field, const char *text);
void json_member_number(struct json_writer *w, enum json_field field, int64_t number);
void json_member_bool(struct json_writer *w, enum json_field field, bool value);
void json_member_address(struct json_writer *w, enum json_field field, uint64_t address);
/** Write the text unless it is NULL. */
void json_member_optional(struct json_writer *w, enum json_field field, const char *text);
/** Write the current time. */
void json_member_now(struct json_writer *w, enum json_field field);

#endif
