/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The connection to stap-monitor, which shows what a running script does; see monitor.c. */
#ifndef SPILE_STAPRUN_MONITOR_H
#define SPILE_STAPRUN_MONITOR_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

#include "common/base/error.h"

/* The arguments of -M. */
struct monitor_wish {
	int seconds; /* seconds between updates; 0 means no monitor */
	bool as_lines; /* print JSON, also on a terminal */
};

struct monitor {
	pid_t pid;
	int socket;
	int saved[3]; /* standard streams of this process; -1 if not replaced */
	bool on_screen;
	struct termios mode; /* terminal mode before the monitor started, if on_screen */
};

/* One-byte messages on the socket between the loader and stap-monitor. */
enum monitor_message {
	MONITOR_READY = 'r', /* from stap-monitor: it is able to display */
	MONITOR_QUIT = 'q', /* from stap-monitor: the user wants the session to end */
	MONITOR_FILE = 'o', /* to stap-monitor: the module's file "monitor" */
	MONITOR_END = 'e', /* to stap-monitor: all output was sent */
};

/** Return whether the monitor draws a screen, which then also shows warnings and errors. */
bool monitor_wants_screen(const struct monitor_wish *wish);

/**
 * Start stap-monitor as the user. From now on, the output of this process and its children goes through it.
 *
 * @param[in] module The name to show.
 * @param[in] mask, environment The user's own.
 * @return ERROR_OTHER if it cannot display anything; it has printed the reason.
 */
struct error *monitor_prepare(struct monitor *monitor, const struct monitor_wish *wish, const char *module,
			      char **environment, const sigset_t *mask);

/**
 * Enable timing of the module's probes and pass the file "monitor" to stap-monitor. @p directory is the module's
 * debugfs directory.
 */
struct error *monitor_begin(const struct monitor *monitor, int directory);

/** Tell stap-monitor that the output is complete, and restore the standard streams of this process. */
void monitor_end(struct monitor *monitor);

/** Reap stap-monitor; kill it if it still runs. */
void monitor_finish(struct monitor *monitor);

#endif
