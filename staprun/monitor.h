/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stap-monitor, the process that shows what a script does while it runs; see monitor.c. */
#ifndef SPILE_STAPRUN_MONITOR_H
#define SPILE_STAPRUN_MONITOR_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

#include "translator/util/error.h"

/* What -M asks for. */
struct monitor_wish {
	int seconds; /* between two looks; 0: there is to be no monitor */
	bool as_lines; /* JSON, also on a terminal */
};

struct monitor {
	pid_t pid;
	int socket;
	int saved[3]; /* this process's standard streams; -1: not replaced */
	bool on_screen;
	struct termios mode; /* of the terminal before, if it is on one */
};

/* One-byte messages on the socket between the loader and stap-monitor. */
enum monitor_message {
	MONITOR_READY = 'r', /* from it: it can show something */
	MONITOR_QUIT = 'q', /* from it: the user wants the session to end */
	MONITOR_FILE = 'o', /* to it: the module's file "monitor" */
	MONITOR_END = 'e', /* to it: nothing more is printed */
};

/** Is it to have a screen, which warnings and errors go to as well? */
bool monitor_wants_screen(const struct monitor_wish *wish);

/**
 * Start stap-monitor as the user. From here on, what this process and its children print goes through it.
 *
 * @param[in] module The name to show.
 * @param[in] mask, environment The user's own.
 * @return ERROR_OTHER if it cannot show anything; it has said why.
 */
struct error *monitor_prepare(struct monitor *monitor, const struct monitor_wish *wish, const char *module,
			      char **environment, const sigset_t *mask);

/** The module is loaded: have its hits measured, and shown. @p folder: the module's in debugfs. */
struct error *monitor_begin(const struct monitor *monitor, int folder);

/** All is printed: it is to end by itself, and this process has its standard streams again. */
void monitor_end(struct monitor *monitor);

/** It has ended, or is to end at once. */
void monitor_finish(struct monitor *monitor);

#endif
