/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The server of the Model Context Protocol: messages are lines of JSON-RPC. Calls of tools run one after the other;
 * other requests, and cancellations, are served while one runs.
 */
#ifndef SPILE_MCP_SERVER_H
#define SPILE_MCP_SERVER_H

#include "translator/mcp/job.h"

struct server {
	struct session *session;
	int output;
	bool is_output_lost;
	GQueue *waiting; /* of struct call * */
	struct job *job; /* the call that runs, or NULL */
};

void server_init(struct server *server, struct session *session, int output);
/** End the call that runs. */
void server_clear(struct server *server);

/** Handle a line of the client. */
void server_take(struct server *server, const char *line, gsize length);
/** Start the next call, or continue the one that runs. Return false if there is none. */
bool server_work(struct server *server);

#endif
