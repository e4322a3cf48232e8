/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The views of globals in a terminal, and what they share. */
#ifndef SPILE_REPORT_TEXT_VIEWS_H
#define SPILE_REPORT_TEXT_VIEWS_H

#include "report/formats.h"
#include "report/text_draw.h"

/* ---- views ------------------------------------------------------------------------------------------------------- */

/** Draw a number or a string in one line. */
void draw_scalar(struct canvas *canvas, const struct report *report, const struct subject *subject);
/** Draw the figures of a scalar with statistics, and its histogram or, if there are several samples, its heat map. */
void draw_statistics(struct canvas *canvas, const struct report *report, const struct subject *subject);
/** Draw the largest elements of an array. */
void draw_table(struct canvas *canvas, const struct report *report, const struct subject *subject);
/** Draw an array with stacks as keys as an icicle and a tree. */
void draw_stacks(struct canvas *canvas, const struct report *report, const struct subject *subject);
/** Draw the histograms of the largest elements. */
void draw_histograms(struct canvas *canvas, const struct report *report, const struct subject *subject);
/** Draw the heat maps of the largest elements; an array of numbers with two numbers as keys is one heat map. */
void draw_heat_maps(struct canvas *canvas, const struct report *report, const struct subject *subject);
/** Draw the samples of the largest elements. */
void draw_all_series(struct canvas *canvas, const struct report *report, const struct subject *subject);

/* ---- parts ------------------------------------------------------------------------------------------------------- */

void draw_line(struct canvas *canvas, enum paint paint, const char *format, ...) __attribute__((format(printf, 3, 4)));
/** Draw the name and the types of a global. */
void draw_title(struct canvas *canvas, const struct subject *subject);
void draw_figures(struct canvas *canvas, const struct global *global, const struct statistics *statistics);
void draw_histogram(struct canvas *canvas, const struct global *global, const struct histogram *histogram);
/** Draw an element's samples as a small line, and without a line break. */
void draw_series(struct canvas *canvas, const struct global *global, const struct element *element);
/** Draw the histograms of an element's samples. */
void draw_heat_map(struct canvas *canvas, const struct global *global, const struct element *element);
/** Draw the change of a number, in a column of @p width. */
void draw_change(struct canvas *canvas, const struct global *global, const struct row *row, guint width);
enum paint change_paint(double before, double after);

/* The caller frees texts. */

char *shown(const struct text *text);
char *date_and_time(double seconds);
char *key_as_text(const struct value *key);
char *value_as_text(const struct global *global, const struct element *element);

/** Return the number that orders elements and that bars show. */
double size_of(const struct element *element);
/** Return the number that is compared: the mean of statistics. */
double compared_size(const struct element *element);
/** Return the unit of size_of(). */
const struct text *size_unit(const struct global *global);

#endif
