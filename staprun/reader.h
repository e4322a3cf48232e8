/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader process, which drives a session and writes its output; see reader.c. */
#ifndef SPILE_STAPRUN_READER_H
#define SPILE_STAPRUN_READER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "staprun/bulk.h"
#include "staprun/info.h"
#include "staprun/output.h"

/* One-byte messages (child_send()) on the socket between the loader and the reader, some with a descriptor. */
enum reader_message {
	READER_STOP = 'q', /* to the reader: end the session */
	READER_LEAVE = 'l', /* to the reader: leave the session running */
	READER_NEXT_FILE = 'f', /* to the reader: continue in the next output file */
	READER_TRACE = 't', /* to the reader: another trace file */
	READER_INPUT = 'i', /* to the reader: the module's file for standard input */
	READER_STARTED = 's', /* from the reader: all probes are armed */
};

struct reader_setup {
	const char *module;
	const struct info_target *targets;
	const unsigned long *addresses; /* load addresses of the targets; 0 if not loaded */
	unsigned int target_count;
	pid_t target; /* what target() returns; 0 if none */
	const char *cgroup; /* the group that the script is restricted to; NULL: none */
	int cgroup_directory; /* its descriptor */
	pid_t namespaces; /* the process whose namespaces the script uses; 0: staprun's */
	char **settings; /* NAME=VALUE of the script's globals, NULL-terminated */
	const char *remote; /* what remote_uri() returns; NULL if this is not a remote host */
	int64_t remote_number;
	int control, socket;
	int runner; /* the socket of the process that runs the script's commands, or -1 */
	struct output *output;
	struct bulk *bulk; /* NULL unless in bulk mode; then all records go to `output` in order */
	int timeout; /* milliseconds */
	bool leaves_terminal; /* -D: leave the terminal when the script has started */
	bool leaves_session; /* -L: leave the session running when the script has started */
	bool is_attached; /* -A: the session was left running */
	bool may_leave; /* the script does not need staprun, so it can be left running */
};

/* Exit status if the reader of the output is gone, as for a program killed by SIGPIPE. */
enum { STATUS_UNREAD = 128 + SIGPIPE };
/* Return value of reader_run() if the session was left running; staprun then exits with 0. */
enum { STATUS_LEFT = 100 };

struct reader;

/** Create a reader. It takes over the descriptors in @p setup. */
struct reader *reader_new(const struct reader_setup *setup);
/** Add a trace file before reader_run(). Takes over @p fd. */
void reader_add_trace(struct reader *reader, unsigned int cpu, int fd);
/** Run the session from "start" to the last byte of output. Return the exit status. */
int reader_run(struct reader *reader);

#endif
