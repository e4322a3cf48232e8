/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draw a report in place on the terminal that is standard output, while a script runs. */
#ifndef SPILE_REPORT_SCREEN_H
#define SPILE_REPORT_SCREEN_H

#include <stdbool.h>

/** Return the size of the terminal; a usual one if it is not known. */
void screen_size(unsigned int *columns, unsigned int *rows);

/** Draw text, which may have colors, cut to the size of the terminal. The first call takes the terminal. */
void screen_draw(const char *text);

/** Has the terminal changed since the last drawing, so that it must be drawn again? */
bool screen_must_be_drawn(void);

/** Restore the terminal. Signals that end or stop the program do it, too. */
void screen_close(void);

#endif
