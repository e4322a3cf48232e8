/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tools of stap-mcp: a table with their parameters, from which the list for clients and the check of arguments are
 * made. A tool answers at once, or names a command of stap whose output is the answer.
 */
#ifndef SPILE_MCP_TOOLS_H
#define SPILE_MCP_TOOLS_H

#include <json-glib/json-glib.h>
#include <stdbool.h>

#include "translator/session/session.h"

/* A call of a tool. */
struct call {
	JsonNode *id; /* of the request */
	const struct tool *tool;
	JsonObject *arguments;
	/* Set by tool_prepare(): a command to run, or the text of the answer. */
	GPtrArray *argv; /* of char *, NULL-terminated; or NULL */
	char *text; /* or NULL */
	bool is_error;
	char *report; /* a file for the command; or NULL */
	bool is_report_temporary; /* call_free() removes it, and the answer contains its text */
	gint64 seconds; /* that the script of the command may run; 0: it runs none */
	gsize most_output; /* bytes */
};

struct tool;

struct call *call_new(JsonNode *id, const struct tool *tool, JsonObject *arguments);
void call_free(struct call *call);

/** Find a tool, or NULL. */
const struct tool *tool_find(const char *name);
/** Add the list of tools with the schemas of their arguments. */
void put_tools(JsonBuilder *b);

/** Check the arguments, and set the command or the text of the answer. Mistakes are answers, too. */
void tool_prepare(struct session *session, struct call *call);

#endif
