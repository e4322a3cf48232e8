/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Elements of pictures in a terminal: numbers with units, cells of a width, bars, sparklines and colors. Without
 * colors, only ASCII is used.
 */
#ifndef SPILE_REPORT_TEXT_DRAW_H
#define SPILE_REPORT_TEXT_DRAW_H

#include <stdio.h>

#include "report/analysis.h"

struct canvas {
	FILE *out;
	bool has_color;
	bool has_blocks; /* the terminal shows UTF-8 */
	guint width; /* columns */
	guint most_lines; /* of a global's view; 0: as usual */
};

enum paint { PAINT_NONE, PAINT_BOLD, PAINT_DIM, PAINT_GOOD, PAINT_WARN, PAINT_BAD, PAINT_GREW, PAINT_SHRANK, PAINTS };

/** Append a text in a color, if there are colors. */
void draw_painted(struct canvas *canvas, enum paint paint, const char *text);

/** Append a text of data: without control characters, cut to @p width columns, and filled up to it. */
void draw_cell(struct canvas *canvas, const char *text, guint width, bool is_right);

/** Append a number at the right of @p width columns. It is never cut. */
void draw_number(struct canvas *canvas, const char *text, guint width);

/** Append a text on a background of the 256 colors. */
void draw_on_color(struct canvas *canvas, guint color, const char *text, guint width);

/** Append a bar of @p share of @p width columns. */
void draw_bar(struct canvas *canvas, double share, guint width);

/** Append values as a line of small columns. NAN leaves a gap. More values than @p width are averaged. */
void draw_sparkline(struct canvas *canvas, const double *values, guint count, guint width);

/** Append one cell of a heat map; @p share is from 0 to 1, and 0 is empty. */
void draw_heat(struct canvas *canvas, double share);

/** Return how many lines a part of a view may have. */
guint most_lines(const struct canvas *canvas, guint usual);

/** Return the columns that the first character of a text takes. */
guint character_columns(const char *character);
/** Return the columns that a text takes. */
guint text_columns(const char *text);

/** Return a short form with the unit: "12.3 ms". The caller frees it. */
char *short_number(double value, const struct text *unit);
/** Return all digits in groups. The caller frees it. */
char *full_number(int64_t value);
/** Return a share with its sign: "12.3%". The caller frees it. */
char *percent(double part, double whole);

#endif
