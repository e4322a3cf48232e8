/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two faces of stap-monitor (stap_monitor.c): lines of JSON for programs, and a screen for people. */
#ifndef SPILE_STAPRUN_MONITOR_VIEW_H
#define SPILE_STAPRUN_MONITOR_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "staprun/monitor_snapshot.h"

enum { VIEW_COMMAND_SIZE = 64 };

enum view_input {
	VIEW_NOTHING, /* nothing more for now */
	VIEW_COMMAND, /* one for the module's file "monitor", or "quit" */
	VIEW_CLOSED, /* nobody will ever say anything */
};

struct view {
	/** Can it show anything here? Before the module is loaded; nothing is shown yet. */
	struct error *(*check)(void);
	/** The module is there. @p module is its name, and lasts. */
	void (*begin)(const char *module);
	/** What the script has printed. @p is_last: nothing follows. */
	void (*output)(const char *text, size_t length, bool is_last);
	/** What it is doing; the snapshot lasts until the next one. */
	void (*show)(const struct snapshot *snapshot);
	/** Standard input can be read, or a signal came: what is wanted? To be asked until there is nothing. */
	enum view_input (*input)(char command[VIEW_COMMAND_SIZE]);
	/** Something did not work. */
	void (*tell)(const char *message);
	/** Also if it has not begun. */
	void (*end)(void);
};

extern const struct view lines_view, screen_view;

#endif
