// SPDX-License-Identifier: GPL-2.0-or-later
/* Arrays in a terminal: the largest elements, with bars or small histograms, and the sum of the others. */
#include <math.h>
#include <string.h>

#include "common/base/i18n.h"
#include "report/text_views.h"

enum { MOST_ROWS = 20, BAR = 24 };

struct table {
	const struct report *report;
	const struct subject *subject;
	int time_key; /* -1: none */
	double per_second; /* units of the time */
	guint *sorted; /* numbers of rows */
	guint shown;
	guint widths[MOST_KEYS]; /* columns of the keys */
	double most; /* the largest value */
	bool has_bars;
};

static const struct row *table_row(const struct table *table, guint i)
{
	return &g_array_index(table->subject->rows, struct row, table->sorted[i]);
}

/* Return what a row is sorted by, the largest first: the value, or how much it changed; or the time, from the first. */
static double row_size(const struct table *table, const struct row *row)
{
	if (table->time_key >= 0)
		return -(double)row_any(row)->keys[table->time_key].number;
	if (table->report->count > 1)
		return fabs(compared_size(row->in[1]) - compared_size(row->in[0]));
	return size_of(row->in[0]);
}

static gint compare_rows(gconstpointer a, gconstpointer b, gpointer data)
{
	guint one = *(const guint *)a, two = *(const guint *)b;
	const struct table *table = data;
	double size_one = row_size(table, &g_array_index(table->subject->rows, struct row, one));
	double size_two = row_size(table, &g_array_index(table->subject->rows, struct row, two));

	return size_one > size_two ? -1 : size_one < size_two ? 1 : one < two ? -1 : one > two;
}

static char *row_key(const struct table *table, const struct row *row, int key)
{
	const struct value *value = &row_any(row)->keys[key];
	g_autofree char *date = NULL;
	double seconds;

	if (key != table->time_key)
		return key_as_text(value);
	seconds = value->number / table->per_second;
	date = date_and_time(seconds);
	if (table->per_second == 1)
		return g_steal_pointer(&date);
	return g_strdup_printf("%s.%03u", date, (guint)((seconds - floor(seconds)) * 1000));
}

/* Give each key the columns that it needs, but limit their sum. */
static void measure_keys(struct table *table, guint space)
{
	guint count = table->subject->global->key_count, total = 0;

	for (guint key = 0; key < count; key++) {
		for (guint i = 0; i < table->shown; i++) {
			g_autofree char *text = row_key(table, table_row(table, i), key);

			table->widths[key] = MAX(table->widths[key], text_columns(text));
		}
		table->widths[key] = MAX(table->widths[key], 4);
		total += table->widths[key] + 2;
	}
	/* Shorten the widest ones. */
	while (total > space && total > 10 * count) {
		guint widest = 0;

		for (guint key = 1; key < count; key++)
			if (table->widths[key] > table->widths[widest])
				widest = key;
		table->widths[widest]--;
		total--;
	}
}

static guint keys_width(const struct table *table)
{
	guint width = 0;

	for (guint key = 0; key < table->subject->global->key_count; key++)
		width += table->widths[key] + 2;
	return width;
}

/* Append mean, estimates and a small histogram of statistics. */
static void draw_row_statistics(struct canvas *canvas, const struct global *global, const struct statistics *statistics)
{
	const struct histogram *histogram = statistics->histogram;
	g_autofree char *mean = statistics->has_range ? short_number(statistics->avg, global->unit) : g_strdup("-");
	double p99;
	bool is_known = statistics_quantile(statistics, 0.99, &p99);
	g_autofree char *text = is_known ? short_number(p99, global->unit) : g_strdup("-");
	g_autofree double *counts = g_new0(double, histogram ? histogram->count + 1 : 1);

	draw_number(canvas, mean, 11);
	if (!histogram)
		return;
	draw_number(canvas, text, 11);
	fputs("  ", canvas->out);
	for (guint i = 0; i < histogram->count; i++)
		counts[i] = histogram->buckets[i].count;
	draw_sparkline(canvas, counts, histogram->count, BAR);
}

static void draw_row_values(struct canvas *canvas, const struct table *table, const struct row *row)
{
	const struct global *global = table->subject->global;

	for (guint i = 0; i < table->report->count; i++) {
		bool is_mean = table->report->count > 1 && global->values == VALUE_STATISTICS && row->in[i];
		g_autofree char *text = is_mean ? short_number(compared_size(row->in[i]), global->unit)
						: value_as_text(global, row->in[i]);

		if (global->values == VALUE_STRING)
			fprintf(canvas->out, "  %s", text);
		else
			draw_number(canvas, text, 12);
	}
}

static void draw_row(struct canvas *canvas, const struct table *table, const struct row *row)
{
	const struct global *global = table->subject->global;

	for (guint key = 0; key < global->key_count; key++) {
		g_autofree char *text = row_key(table, row, key);

		fputs("  ", canvas->out);
		draw_cell(canvas, text, table->widths[key],
			  global->keys[key] == VALUE_NUMBER && (int)key != table->time_key);
	}
	draw_row_values(canvas, table, row);
	if (global->values != VALUE_STRING && table->report->count > 1) {
		draw_change(canvas, global, row, 22);
	} else if (global->values == VALUE_NUMBER && table->has_bars) {
		fputs("  ", canvas->out);
		draw_bar(canvas, table->most > 0 ? fabs(size_of(row->in[0])) / table->most : 0, BAR);
	} else if (global->values == VALUE_STATISTICS && text_is(global->show, "bars")) {
		fputs("  ", canvas->out);
		draw_bar(canvas, table->most > 0 ? size_of(row->in[0]) / table->most : 0, BAR);
	} else if (global->values == VALUE_STATISTICS) {
		draw_row_statistics(canvas, global, row->in[0]->value.statistics);
	}
	putc('\n', canvas->out);
}

/* Append the sum of the rows that are not shown. Means are not summed. */
static void draw_rest(struct canvas *canvas, const struct table *table)
{
	const struct global *global = table->subject->global;
	guint count = table->subject->rows->len;
	g_autofree char *name = g_strdup_printf(_("  (%u more)"), count - table->shown);
	bool has_sums =
		global->values == VALUE_NUMBER || (global->values == VALUE_STATISTICS && table->report->count == 1);

	draw_cell(canvas, name, MAX(keys_width(table), text_columns(name)), false);
	for (guint i = 0; i < table->report->count && has_sums; i++) {
		g_autofree char *text = NULL;
		double sum = 0;

		for (guint j = table->shown; j < count; j++)
			sum += size_of(table_row(table, j)->in[i]);
		text = short_number(sum, size_unit(global));
		draw_number(canvas, text, 12);
	}
	putc('\n', canvas->out);
}

static void draw_heading(struct canvas *canvas, const struct table *table)
{
	static const char *const compared[] = {N_("before"), N_("after")};
	static const char *const compared_means[] = {N_("mean before"), N_("mean after")};
	enum value_kind values = table->subject->global->values;

	if (values == VALUE_STRING || (table->report->count == 1 && values == VALUE_NUMBER))
		return;
	draw_cell(canvas, "", keys_width(table), false);
	if (table->report->count > 1) {
		for (guint i = 0; i < table->report->count; i++)
			draw_number(canvas, values == VALUE_STATISTICS ? _(compared_means[i]) : _(compared[i]), 12);
		draw_number(canvas, _("change"), 22);
	} else {
		draw_number(canvas, _("count"), 12);
		if (!text_is(table->subject->global->show, "bars")) {
			draw_number(canvas, _("mean"), 11);
			draw_number(canvas, _("~p99"), 11);
		}
	}
	putc('\n', canvas->out);
}

static void find_time_key(struct table *table)
{
	const struct recording *recording = table->report->recordings[table->report->count - 1];
	const struct global *global = table->subject->global;

	table->time_key = -1;
	for (guint key = 0; key < global->key_count && table->time_key < 0; key++)
		if (is_time_key(recording, global, global_newest(global), key, &table->per_second))
			table->time_key = key;
}

void draw_table(struct canvas *canvas, const struct report *report, const struct subject *subject)
{
	guint count = subject->rows->len, right = report->count > 1 ? 48 : 12 + 2 + BAR;
	g_autofree guint *sorted = g_new(guint, MAX(count, 1));
	struct table table = {.report = report,
			      .subject = subject,
			      .sorted = sorted,
			      .shown = MIN(count, most_lines(canvas, MOST_ROWS))};

	table.has_bars = !text_is(subject->global->show, "table");

	draw_title(canvas, subject);
	for (guint i = 0; i < count; i++) {
		sorted[i] = i;
		table.most = MAX(table.most, fabs(size_of(row_any(&g_array_index(subject->rows, struct row, i)))));
	}
	find_time_key(&table);
	g_qsort_with_data(sorted, count, sizeof(*sorted), compare_rows, &table);
	right += subject->global->values == VALUE_STATISTICS && report->count == 1 ? 22 : 0;
	measure_keys(&table, canvas->width > right + 16 ? canvas->width - right : 16);
	draw_heading(canvas, &table);
	for (guint i = 0; i < table.shown; i++)
		draw_row(canvas, &table, table_row(&table, i));
	if (count > table.shown)
		draw_rest(canvas, &table);
}
