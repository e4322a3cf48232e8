/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line on the terminal about a step that takes long, for the reader. common/progress.h is the same for programs that
 * use GLib.
 */
#ifndef SPILE_STAPRUN_STEP_H
#define SPILE_STAPRUN_STEP_H

/** Show the line, if standard error is a terminal and messages are not JSON. @p text is already translated. */
void step_show(const char *text);

/** Erase the line, if it is shown. Call before writing to the terminal. May be called by several threads. */
void step_clear(void);

#endif
