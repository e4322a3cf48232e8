/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that drives a session and writes its output; see reader.c. */
#ifndef SPILE_STAPRUN_READER_H
#define SPILE_STAPRUN_READER_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "staprun/bulk.h"
#include "staprun/info.h"
#include "staprun/output.h"

/* One-byte messages (child_send()) on the socket between the loader and the reader; files travel as descriptors. */
enum reader_message {
	READER_STOP = 'q', /* to the reader: end the session */
	READER_LEAVE = 'l', /* to the reader: leave the session to itself */
	READER_NEXT_FILE = 'f', /* to the reader: what is printed from now on goes to the next file */
	READER_TRACE = 't', /* to the reader: one more trace file */
	READER_INPUT = 'i', /* to the reader: the file that takes standard input */
	READER_STARTED = 's', /* from the reader: all probes are armed */
};

struct reader_setup {
	const char *module;
	const struct info_target *targets;
	const unsigned long *addresses; /* of the targets; 0: not there */
	unsigned int target_count;
	pid_t target; /* what target() returns; 0: none */
	pid_t namespaces; /* the process whose namespaces the script shows; 0: staprun's */
	char **settings; /* NAME=VALUE of the script's globals, up to a NULL */
	const char *remote; /* what remote_uri() returns; NULL: no remote host is spoken of */
	long remote_number;
	int control, socket;
	int runner; /* the socket of what runs the script's commands, or -1 */
	struct output *output;
	struct bulk *bulk; /* NULL: all records go to `output`, in their order */
	int timeout; /* milliseconds */
	bool leaves_terminal; /* -D: when the script has begun */
	bool leaves_session; /* -L: then, too */
	bool is_attached; /* -A: the session was left, and goes on */
	bool may_leave; /* the script has nothing that ends with staprun */
};

/* The exit status if the reader of the output went away: as of a program that SIGPIPE ends. */
enum { STATUS_UNREAD = 128 + SIGPIPE };
/* What reader_run() returns if the session was left to itself; staprun's own status is 0 then. */
enum { STATUS_LEFT = 100 };

struct reader;

/** Takes over @p setup's descriptors. */
struct reader *reader_new(const struct reader_setup *setup);
/** Add a trace file before reader_run(). Takes over @p fd. */
void reader_add_trace(struct reader *reader, unsigned int cpu, int fd);
/** Run the session from "start" to the last byte of output. Returns the exit status. */
int reader_run(struct reader *reader);

#endif
