/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The connection to the program that shows what a running script does: stap-monitor or stap-json; see monitor.c. */
#ifndef SPILE_STAPRUN_MONITOR_H
#define SPILE_STAPRUN_MONITOR_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <termios.h>

#include "common/base/error.h"

enum monitor_view {
	MONITOR_NONE,
	MONITOR_SCREEN, /* -M; lines of JSON if there is no terminal */
	MONITOR_LINES, /* -M SECONDS,json */
	MONITOR_JSON, /* -J: all output and messages, and snapshots of the globals (stap-json(5)) */
	MONITOR_VIEW_COUNT_
};

/* The arguments of -M or -J. */
struct monitor_wish {
	enum monitor_view view;
	int seconds; /* between updates; 0 (MONITOR_JSON): only one, at the end */
};

struct monitor {
	pid_t pid;
	enum monitor_view view;
	int socket;
	int saved[3]; /* standard streams of this process; -1 if not replaced */
	FILE *lines; /* MONITOR_JSON: takes lines until monitor_finish(); else NULL */
	FILE *result; /* MONITOR_JSON: where they go, for lines after that; else NULL */
	bool on_screen;
	struct termios mode; /* terminal mode before the monitor started, if on_screen */
};

/* The longest line that `lines` takes: each is one packet of a socket. */
enum { JSON_PACKET_LIMIT = 1 << 16 };

/* One-byte messages on the socket between the loader and that program. */
enum monitor_message {
	MONITOR_READY = 'r', /* from it: it is able to display */
	MONITOR_QUIT = 'q', /* from it: the user wants the session to end */
	MONITOR_FAILED = 'f', /* from it: it cannot write, and has printed the reason */
	MONITOR_CLOSED = 'c', /* from stap-json: it has closed its file of the module, but still takes lines */
	MONITOR_FILE = 'o', /* to it: the module's file "monitor" or "globals" */
	MONITOR_END = 'e', /* to it: all output of the script was sent */
};

/** Return whether the monitor draws a screen, which then also shows warnings and errors. */
bool monitor_wants_screen(const struct monitor_wish *wish);

/* Arguments for starting the program. */
struct monitor_start {
	const struct monitor_wish *wish;
	const char *module; /* the name to show */
	char **environment; /* the user's own, as the mask */
	const sigset_t *mask;
	int output_file; /* of -o, to which stap-json writes; -1: standard output */
	int64_t remote; /* number of the host; -1: none */
	const char *file; /* to execute as the program; NULL: the one in libexec */
	const struct script_line *script; /* MONITOR_JSON: for the first line; NULL: none */
};

/**
 * Start the program as the user. From now on, the output of this process and its children goes through it.
 *
 * @return ERROR_OTHER if it cannot display anything; it has printed the reason.
 */
struct error *monitor_prepare(struct monitor *monitor, const struct monitor_start *start);

/**
 * Pass the program its file of the module. For stap-monitor, enable timing of the probes first. @p directory is the
 * module's debugfs directory.
 */
struct error *monitor_begin(const struct monitor *monitor, int directory);

/** Tell the program that the output is complete, and restore the standard streams of this process. */
void monitor_end(struct monitor *monitor);

/** Close the socket to the program, which ends then. */
void monitor_hang_up(struct monitor *monitor);

/** Reap the program; kill it if it still runs. */
void monitor_finish(struct monitor *monitor);

#endif
