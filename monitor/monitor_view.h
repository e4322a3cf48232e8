/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two views of stap-monitor (stap_monitor.c): JSON lines for programs and a screen for people. */
#ifndef SPILE_MONITOR_VIEW_H
#define SPILE_MONITOR_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "monitor/monitor_snapshot.h"

enum { VIEW_COMMAND_SIZE = 64 };

enum view_input {
	VIEW_NOTHING, /* no input now */
	VIEW_COMMAND, /* a command for the module's file "monitor", or "quit" */
	VIEW_CLOSED, /* the input has ended */
};

struct view {
	/** Return an error if the view cannot work here. Called before the module is loaded; prints nothing else. */
	struct error *(*check)(void);
	/** Start the view when the module is loaded. @p module is its name and stays valid. */
	void (*begin)(const char *module);
	/** Show output of the script. @p is_last: this is the end of the output. */
	void (*output)(const char *text, size_t length, bool is_last);
	/** Show a snapshot, which stays valid until the next call. */
	void (*show)(const struct snapshot *snapshot);
	/**
	 * Return the next input. Called when standard input is readable or a signal came, until it returns
	 * VIEW_NOTHING.
	 */
	enum view_input (*input)(char command[VIEW_COMMAND_SIZE]);
	/** Show an error message. */
	void (*tell)(const char *message);
	/** Close the view. Called even if begin() was not. */
	void (*end)(void);
};

extern const struct view lines_view, screen_view;

#endif
