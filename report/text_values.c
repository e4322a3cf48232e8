// SPDX-License-Identifier: GPL-2.0-or-later
/* Scalars in a terminal, and what the views share: titles, values, histograms, series and heat maps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/utf8.h"
#include "report/text_views.h"
#include "report/texts.h"

enum { SPARKLINE = 30 };

void draw_line(struct canvas *canvas, enum paint paint, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	draw_painted(canvas, paint, text);
	putc('\n', canvas->out);
}

char *shown(const struct text *text)
{
	return text ? text_to_show(text, NULL) : g_strdup("-");
}

char *date_and_time(double seconds)
{
	time_t time = (time_t)seconds;
	struct tm fields;
	char text[64];

	if (seconds < 0 || seconds > 1e11 || !localtime_r(&time, &fields) ||
	    !strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &fields))
		return g_strdup("-");
	return g_strdup(text);
}

static void append_key(GString *to, const char *before, const struct global *global, guint key)
{
	g_autofree char *name = global->key_names[key] ? shown(global->key_names[key]) : NULL;

	g_string_append_printf(to, "%s%s", before, name ?: value_kind_names[global->keys[key]]);
}

void draw_title(struct canvas *canvas, const struct subject *subject)
{
	const struct global *global = subject->global;
	g_autoptr(GString) keys = g_string_new(NULL);
	g_autofree char *name = shown(global->name), *unit = shown(global->unit);

	for (guint i = 0; i < global->key_count; i++)
		append_key(keys, i ? ", " : "[", global, i);
	if (keys->len)
		g_string_append_c(keys, ']');
	putc('\n', canvas->out);
	draw_painted(canvas, PAINT_BOLD, name);
	draw_painted(canvas, PAINT_DIM, keys->str);
	if (global->is_array)
		fprintf(canvas->out, "  %s", _("elements: "));
	if (global->is_array)
		fprintf(canvas->out, "%u", subject->rows->len);
	if (global->unit)
		fprintf(canvas->out, "  %s%s", _("unit: "), unit);
	putc('\n', canvas->out);
	for (guint i = 0; i < MOST_RECORDINGS; i++)
		if (subject->in[i] && !global_newest(subject->in[i])->is_complete)
			draw_line(canvas, PAINT_WARN, "%s",
				  _("Incomplete: it was too large, or it changed while it was read."));
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Return the number that orders elements and that bars show. */
double size_of(const struct element *element)
{
	if (!element)
		return 0;
	return element->value.kind == VALUE_STATISTICS ? element->value.statistics->count
	       : element->value.kind == VALUE_NUMBER   ? element->value.number
						       : 0;
}

/* Return the number that is compared: the mean of statistics. */
double compared_size(const struct element *element)
{
	if (element && element->value.kind == VALUE_STATISTICS)
		return element->value.statistics->has_range ? element->value.statistics->avg : 0;
	return size_of(element);
}

const struct text *size_unit(const struct global *global)
{
	return global->values == VALUE_STATISTICS ? NULL : global->unit;
}

char *key_as_text(const struct value *key)
{
	GString *text;

	if (key->kind == VALUE_NUMBER)
		return g_strdup_printf("%lld", (long long)key->number);
	if (key->kind == VALUE_STRING)
		return text_to_show(key->text, NULL);
	text = g_string_new(NULL);
	for (guint i = 0; i < MIN(key->stack->count, 4); i++) {
		g_autofree char *name = text_to_show(key->stack->frames[i].function->name, NULL);

		g_string_append_printf(text, "%s%s", i ? " < " : "", name);
	}
	return g_string_free(text, FALSE);
}

char *value_as_text(const struct global *global, const struct element *element)
{
	if (!element)
		return g_strdup("-");
	if (element->value.kind == VALUE_STRING)
		return text_to_show(element->value.text, NULL);
	return short_number(size_of(element), size_unit(global));
}

void draw_figures(struct canvas *canvas, const struct global *global, const struct statistics *statistics)
{
	g_autofree char *count = full_number(statistics->count), *sum = short_number(statistics->sum, global->unit);
	g_autofree char *min = short_number(statistics->min, global->unit);
	g_autofree char *avg = short_number(statistics->avg, global->unit);
	g_autofree char *max = short_number(statistics->max, global->unit);

	fprintf(canvas->out, "  %s %s  %s %s", _("count"), count, _("sum"), sum);
	if (statistics->has_range)
		fprintf(canvas->out, "  %s %s  %s %s  %s %s", _("min"), min, _("mean"), avg, _("max"), max);
	putc('\n', canvas->out);
	if (!statistics->histogram)
		return;
	fprintf(canvas->out, "  %s", _("estimates:"));
	for (guint i = 0; i < QUANTILES; i++) {
		double value;
		bool is_known = statistics_quantile(statistics, quantile_shares[i], &value);
		g_autofree char *text = is_known ? short_number(value, global->unit) : g_strdup("-");

		fprintf(canvas->out, "  p%g ~%s", quantile_shares[i] * 100, text);
	}
	putc('\n', canvas->out);
}

static char *bucket_as_text(const struct global *global, const struct bucket *bucket)
{
	if (!bucket->has_lower)
		return g_strdup(_("lower"));
	return short_number(bucket->lower, global->unit);
}

/* Return how many buckets a line has, if the lines are limited. */
static guint buckets_of_line(const struct canvas *canvas, guint buckets)
{
	guint most = most_lines(canvas, MAX(buckets, 1));

	return MAX((buckets + most - 1) / most, 1);
}

void draw_histogram(struct canvas *canvas, const struct global *global, const struct histogram *histogram)
{
	guint rows_of_line = buckets_of_line(canvas, histogram->count);
	guint lines = (histogram->count + rows_of_line - 1) / rows_of_line;
	g_autofree double *counts = g_new0(double, lines + 1);
	double most = 1;

	for (guint i = 0; i < histogram->count; i++) {
		counts[i / rows_of_line] += histogram->buckets[i].count;
		most = MAX(most, counts[i / rows_of_line]);
	}
	for (guint i = 0; i < lines; i++) {
		g_autofree char *text = bucket_as_text(global, &histogram->buckets[i * rows_of_line]);
		g_autofree char *count =
			rows_of_line == 1 ? full_number(histogram->buckets[i].count) : short_number(counts[i], NULL);

		draw_number(canvas, text, 12);
		fputs(canvas->has_blocks ? " \u2502" : " |", canvas->out);
		draw_bar(canvas, counts[i] / most, canvas->width - 30);
		fprintf(canvas->out, " %s\n", count);
	}
}

/* ---- series and heat maps ---------------------------------------------------------------------------------------- */

static const struct element *same_element(const struct global *global, const struct sample *sample,
					  const struct element *wanted)
{
	for (guint i = 0; sample->elements && i < sample->count; i++) {
		guint key = 0;

		while (key < global->key_count && value_equals(&sample->elements[i].keys[key], &wanted->keys[key]))
			key++;
		if (key == global->key_count)
			return &sample->elements[i];
	}
	return NULL;
}

void draw_series(struct canvas *canvas, const struct global *global, const struct element *element)
{
	g_autofree double *values = g_new(double, global->samples->len);

	for (guint i = 0; i < global->samples->len; i++) {
		const struct element *at = same_element(global, g_ptr_array_index(global->samples, i), element);

		values[i] = at ? size_of(at) : NAN;
	}
	draw_sparkline(canvas, values, global->samples->len, SPARKLINE);
}

/*
 * Counts of buckets (rows, from the lowest) in columns of one or more samples. If there are more rows than lines, a
 * line has several.
 */
struct heat_map {
	GArray *rows; /* struct bucket: those of all samples */
	guint columns, lines, rows_of_line;
	double *cells; /* by column, then by line */
	double most;
};

static gint compare_buckets(gconstpointer a, gconstpointer b)
{
	const struct bucket *one = a, *two = b;

	if (one->has_lower != two->has_lower)
		return one->has_lower ? 1 : -1;
	return one->lower < two->lower ? -1 : one->lower > two->lower;
}

static const struct histogram *histogram_at(const struct global *global, guint sample, const struct element *wanted)
{
	const struct element *at = same_element(global, g_ptr_array_index(global->samples, sample), wanted);

	return at ? at->value.statistics->histogram : NULL;
}

/* Collect the buckets of all samples: a script may have reset the newest one. */
static void collect_rows(struct heat_map *map, const struct global *global, const struct element *element)
{
	guint kept = 0;

	map->rows = g_array_new(FALSE, FALSE, sizeof(struct bucket));
	for (guint i = 0; i < global->samples->len; i++) {
		const struct histogram *histogram = histogram_at(global, i, element);

		if (histogram)
			g_array_append_vals(map->rows, histogram->buckets, histogram->count);
	}
	g_array_sort(map->rows, compare_buckets);
	for (guint i = 0; i < map->rows->len; i++) {
		struct bucket *buckets = (struct bucket *)map->rows->data;

		if (!kept || compare_buckets(&buckets[kept - 1], &buckets[i]))
			buckets[kept++] = buckets[i];
	}
	g_array_set_size(map->rows, kept);
}

static void add_increase(struct heat_map *map, guint column, const struct histogram *increase)
{
	guint row = 0;

	for (guint i = 0; i < increase->count; i++) {
		double *cell;

		while (row < map->rows->len &&
		       compare_buckets(&g_array_index(map->rows, struct bucket, row), &increase->buckets[i]) < 0)
			row++;
		if (row == map->rows->len)
			return;
		cell = &map->cells[column * map->lines + row / map->rows_of_line];
		*cell += increase->buckets[i].count;
		map->most = MAX(map->most, *cell);
	}
}

static void fill_heat_map(struct heat_map *map, const struct global *global, const struct element *element)
{
	const struct histogram *before = NULL;

	for (guint i = 0; i < global->samples->len; i++) {
		const struct histogram *now = histogram_at(global, i, element);
		g_autofree struct histogram *increase = now ? histogram_increase(before, now) : NULL;

		if (increase)
			add_increase(map, (guint64)i * map->columns / global->samples->len, increase);
		before = now;
	}
}

void draw_heat_map(struct canvas *canvas, const struct global *global, const struct element *element)
{
	struct heat_map map = {.most = 1};

	collect_rows(&map, global, element);
	map.columns = MIN(global->samples->len, canvas->width - 16);
	map.rows_of_line = buckets_of_line(canvas, map.rows->len);
	map.lines = (map.rows->len + map.rows_of_line - 1) / map.rows_of_line;
	map.cells = g_new0(double, map.columns *map.lines + 1);
	fill_heat_map(&map, global, element);
	for (guint line = map.lines; line-- > 0;) {
		g_autofree char *text =
			bucket_as_text(global, &g_array_index(map.rows, struct bucket, line * map.rows_of_line));

		draw_number(canvas, text, 12);
		fputs(canvas->has_blocks ? " \u2502" : " |", canvas->out);
		for (guint column = 0; column < map.columns; column++)
			draw_heat(canvas, log1p(map.cells[column * map.lines + line]) / log1p(map.most));
		putc('\n', canvas->out);
	}
	draw_line(canvas, PAINT_DIM, _("%14sa column is %.1f samples; the brightest cell is %.0f"), "",
		  (double)global->samples->len / map.columns, map.most);
	g_array_free(map.rows, TRUE);
	g_free(map.cells);
}

/* ---- scalars ----------------------------------------------------------------------------------------------------- */

void draw_statistics(struct canvas *canvas, const struct report *report, const struct subject *subject)
{
	const struct row *row = &g_array_index(subject->rows, struct row, 0);

	draw_title(canvas, subject);
	for (guint i = 0; i < report->count; i++) {
		const struct element *element = row->in[i];
		const struct histogram *histogram = element ? element->value.statistics->histogram : NULL;

		if (report->count > 1)
			draw_line(canvas, PAINT_BOLD, "%s", i ? _("after") : _("before"));
		if (!element)
			continue;
		draw_figures(canvas, subject->global, element->value.statistics);
		if (histogram && histogram->count && report->count == 1 && subject->in[i]->samples->len > 2)
			draw_heat_map(canvas, subject->in[i], element);
		else if (histogram && histogram->count)
			draw_histogram(canvas, subject->global, histogram);
	}
}

enum paint change_paint(double before, double after)
{
	return after > before ? PAINT_GREW : after < before ? PAINT_SHRANK : PAINT_NONE;
}

/* Append the change of a number, in a column. */
void draw_change(struct canvas *canvas, const struct global *global, const struct row *row, guint width)
{
	double before = compared_size(row->in[0]), after = compared_size(row->in[1]);
	g_autofree char *size = short_number(after - before, global->unit);
	g_autofree char *text = NULL;
	_cleanup_free_ char *padded = NULL;

	if (!row->in[0] || !row->in[1])
		text = g_strdup(row->in[0] ? _("gone") : _("new"));
	else if (before)
		text = g_strdup_printf("%s%s %+.1f%%", after > before ? "+" : "", size,
				       100 * (after - before) / fabs(before));
	else
		text = g_strdup_printf("%s%s", after > before ? "+" : "", size);
	padded = utf8_padded(text, (int)width);
	draw_painted(canvas, change_paint(before, after), padded);
}

void draw_scalar(struct canvas *canvas, const struct report *report, const struct subject *subject)
{
	const struct global *global = subject->global;
	const struct row *row = &g_array_index(subject->rows, struct row, 0);
	g_autofree char *name = shown(global->name);

	draw_cell(canvas, name, 24, false);
	for (guint i = 0; i < report->count; i++) {
		const struct element *element = row->in[i];
		bool is_number = element && element->value.kind == VALUE_NUMBER && !global->unit;
		g_autofree char *text = is_number ? full_number(element->value.number) : value_as_text(global, element);

		if (global->values == VALUE_STRING)
			fprintf(canvas->out, "  %s", text);
		else
			draw_number(canvas, text, 14);
	}
	if (global->values == VALUE_NUMBER && report->count > 1)
		draw_change(canvas, global, row, 22);
	if (global->values == VALUE_NUMBER && report->count == 1 && global->samples->len > 2) {
		fputs("  ", canvas->out);
		draw_series(canvas, global, row->in[0]);
	}
	putc('\n', canvas->out);
}

/* ---- several elements -------------------------------------------------------------------------------------------- */

enum { MOST_PICTURES = 8 };

static gint compare_elements(gconstpointer a, gconstpointer b)
{
	double one = size_of(*(const struct element *const *)a), two = size_of(*(const struct element *const *)b);

	return one > two ? -1 : one < two;
}

/* Return the largest elements of the first recording. The caller frees the array. */
static GPtrArray *largest_elements(const struct subject *subject, guint most)
{
	GPtrArray *elements = g_ptr_array_new();

	for (guint i = 0; i < subject->rows->len; i++) {
		const struct row *row = &g_array_index(subject->rows, struct row, i);

		if (row->in[0])
			g_ptr_array_add(elements, (gpointer)row->in[0]);
	}
	g_ptr_array_sort(elements, compare_elements);
	g_ptr_array_set_size(elements, MIN(elements->len, most));
	return elements;
}

static char *keys_as_text(const struct global *global, const struct element *element)
{
	GString *text = g_string_new(NULL);

	for (guint key = 0; key < global->key_count; key++) {
		g_autofree char *one = key_as_text(&element->keys[key]);

		g_string_append_printf(text, "%s%s", key ? ", " : "", one);
	}
	return g_string_free(text, FALSE);
}

static void draw_left_out(struct canvas *canvas, const struct subject *subject, const GPtrArray *elements)
{
	if (subject->rows->len > elements->len)
		draw_line(canvas, PAINT_DIM, _("  (%u more)"), subject->rows->len - elements->len);
}

void draw_histograms(struct canvas *canvas, const struct report *report, const struct subject *subject)
{
	g_autoptr(GPtrArray) elements = largest_elements(subject, MOST_PICTURES);

	draw_title(canvas, subject);
	for (guint i = 0; i < elements->len; i++) {
		const struct element *element = g_ptr_array_index(elements, i);
		const struct histogram *histogram = element->value.statistics->histogram;
		g_autofree char *keys = keys_as_text(subject->global, element);

		if (*keys)
			draw_line(canvas, PAINT_BOLD, "%s", keys);
		draw_figures(canvas, subject->global, element->value.statistics);
		if (histogram)
			draw_histogram(canvas, subject->global, histogram);
	}
	draw_left_out(canvas, subject, elements);
}

/* Draw an array of numbers with two numbers as keys: the first is across, the second up. */
static void draw_key_heat_map(struct canvas *canvas, const struct subject *subject)
{
	enum { MOST_BANDS = 24 };
	guint columns = canvas->width - 16, bands;
	double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY}, largest = 1;
	g_autofree double *cells = g_new0(double, (size_t)columns *MOST_BANDS);

	for (guint i = 0; i < subject->rows->len; i++) {
		const struct element *element = row_any(&g_array_index(subject->rows, struct row, i));

		for (guint key = 0; key < 2; key++) {
			least[key] = MIN(least[key], element->keys[key].number);
			most[key] = MAX(most[key], element->keys[key].number);
		}
	}
	columns = MIN(columns, most[0] - least[0] + 1);
	bands = MIN(MOST_BANDS, most[1] - least[1] + 1);
	for (guint i = 0; i < subject->rows->len; i++) {
		const struct element *element = row_any(&g_array_index(subject->rows, struct row, i));
		double across = (element->keys[0].number - least[0]) / (most[0] - least[0] + 1) * columns;
		double up = (element->keys[1].number - least[1]) / (most[1] - least[1] + 1) * bands;
		double *cell = &cells[MIN((guint)across, columns - 1) * bands + MIN((guint)up, bands - 1)];

		*cell += MAX(0, size_of(element));
		largest = MAX(largest, *cell);
	}
	for (guint band = bands; band-- > 0;) {
		g_autofree char *text = short_number(ceil(least[1] + (most[1] - least[1] + 1) * band / bands), NULL);

		draw_number(canvas, text, 12);
		fputs(canvas->has_blocks ? " \u2502" : " |", canvas->out);
		for (guint column = 0; column < columns; column++)
			draw_heat(canvas, log1p(cells[column * bands + band]) / log1p(largest));
		putc('\n', canvas->out);
	}
	draw_line(canvas, PAINT_DIM, _("%14sacross from %.0f to %.0f; the brightest cell is %.0f"), "", least[0],
		  most[0], largest);
}

void draw_heat_maps(struct canvas *canvas, const struct report *report, const struct subject *subject)
{
	g_autoptr(GPtrArray) elements = largest_elements(subject, MOST_PICTURES);

	draw_title(canvas, subject);
	if (subject->global->values == VALUE_NUMBER) {
		draw_key_heat_map(canvas, subject);
		return;
	}
	for (guint i = 0; i < elements->len; i++) {
		const struct element *element = g_ptr_array_index(elements, i);
		g_autofree char *keys = keys_as_text(subject->global, element);

		if (!element->value.statistics->histogram)
			continue;
		if (*keys)
			draw_line(canvas, PAINT_BOLD, "%s", keys);
		draw_heat_map(canvas, subject->global, element);
	}
	draw_left_out(canvas, subject, elements);
}

void draw_all_series(struct canvas *canvas, const struct report *report, const struct subject *subject)
{
	g_autoptr(GPtrArray) elements = largest_elements(subject, MOST_PICTURES);

	draw_title(canvas, subject);
	for (guint i = 0; i < elements->len; i++) {
		const struct element *element = g_ptr_array_index(elements, i);
		g_autofree char *keys = keys_as_text(subject->global, element);
		g_autofree char *text = value_as_text(subject->global, element);

		fputs("  ", canvas->out);
		draw_cell(canvas, keys, *keys ? 24 : 0, false);
		draw_number(canvas, text, 12);
		fputs("  ", canvas->out);
		draw_series(canvas, subject->global, element);
		putc('\n', canvas->out);
	}
	draw_left_out(canvas, subject, elements);
}
