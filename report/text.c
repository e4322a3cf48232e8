// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The report in a terminal: what the page shows, in characters. The views of a global are chosen as in globals.js:
 * stacks as an icicle, histograms as bars or heat maps, samples as sparklines, other arrays as tables.
 */
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "common/base/i18n.h"
#include "report/formats.h"
#include "report/texts.h"
#include "report/text_draw.h"

enum {
	MOST_ROWS = 20, /* of a table */
	MOST_TREE_LINES = 40,
	MOST_LINES_BELOW_ICICLE = 15,
	MOST_LEVELS = 24, /* of an icicle */
	LEAST_WIDTH = 40,
	USUAL_WIDTH = 80,
	MOST_WIDTH = 240,
	SPARKLINE = 30,
	BAR = 24,
};

static void draw_line(struct canvas *canvas, enum paint paint, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void draw_line(struct canvas *canvas, enum paint paint, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	draw_painted(canvas, paint, text);
	putc('\n', canvas->out);
}

static char *shown(const struct text *text)
{
	return text ? text_to_show(text, NULL) : g_strdup("-");
}

/* Return the name of a recording's file, without control characters. The caller frees it. */
static char *shown_file(const struct recording *recording)
{
	size_t length = strlen(recording->name);
	g_autofree struct text *name = g_malloc0(sizeof(*name) + length + 1);

	name->length = length;
	memcpy(name->bytes, recording->name, length);
	return text_to_show(name, NULL);
}

/* ---- the head ---------------------------------------------------------------------------------------------------- */

static char *date_and_time(double seconds)
{
	time_t time = (time_t)seconds;
	struct tm fields;
	char text[64];

	if (seconds < 0 || seconds > 1e11 || !localtime_r(&time, &fields) ||
	    !strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &fields))
		return g_strdup("-");
	return g_strdup(text);
}

static void draw_state(struct canvas *canvas, const struct recording *recording)
{
	guint errors = 0;

	for (guint i = 0; i < recording->messages->len; i++)
		errors += text_is(((const struct message *)g_ptr_array_index(recording->messages, i))->level, "error");
	if (!recording->end.is_known)
		draw_painted(canvas, errors ? PAINT_BAD : PAINT_WARN,
			     errors ? _("error") : _("running or interrupted"));
	else if (recording->end.status || errors)
		draw_painted(canvas, PAINT_BAD, _("ended with an error"));
	else if (recording->end.lost)
		draw_painted(canvas, PAINT_WARN, _("output was lost"));
	else
		draw_painted(canvas, PAINT_GOOD, _("completed"));
}

static void draw_head(struct canvas *canvas, const struct recording *recording)
{
	g_autofree char *script = shown(recording->start.script_name), *host = shown(recording->start.host);
	g_autofree char *kernel = shown(recording->start.kernel), *start = date_and_time(recording->start.time);
	g_autofree char *hits = full_number(recording->end.hits), *file = shown_file(recording);

	draw_painted(canvas, PAINT_BOLD, recording->start.script_name ? script : file);
	fputs("  ", canvas->out);
	draw_state(canvas, recording);
	putc('\n', canvas->out);
	if (recording->start.is_known)
		draw_line(canvas, PAINT_DIM, _("host %s, kernel %s, started %s, duration %.1f s"), host, kernel, start,
			  MAX(0, recording->last_time - recording->start.time));
	if (recording->end.is_known)
		draw_line(canvas, PAINT_DIM, _("probe hits %s, errors %lld, lost output %lld, exit status %lld"), hits,
			  (long long)recording->end.errors, (long long)recording->end.lost,
			  (long long)recording->end.status);
	for (guint i = 0; i < SKIPPED_REASONS; i++)
		if (recording->end.skipped[i])
			draw_line(canvas, PAINT_WARN, _("skipped (%s): %lld"), skipped_names[i],
				  (long long)recording->end.skipped[i]);
}

static void draw_notes(struct canvas *canvas, const struct message *message)
{
	g_autoptr(GString) alternatives = g_string_new(NULL);

	for (guint i = 0; i < message->alternatives->len; i++) {
		g_autofree char *text = shown(g_ptr_array_index(message->alternatives, i));

		g_string_append_printf(alternatives, "%s%s", i ? ", " : "", text);
	}
	if (alternatives->len)
		draw_line(canvas, PAINT_DIM, "  %s: %s", _("alternatives"), alternatives->str);
	for (guint i = 0; i < message->notes->len; i++) {
		const struct note *note = &g_array_index(message->notes, struct note, i);
		g_autofree char *text = shown(note->text), *file = shown(note->place.file);

		if (note->place.file)
			draw_line(canvas, PAINT_DIM, "  %s: %s (%s:%lld:%lld)", _("note"), text, file,
				  (long long)note->place.line, (long long)note->place.column);
		else
			draw_line(canvas, PAINT_DIM, "  %s: %s", _("note"), text);
	}
}

static void draw_messages(struct canvas *canvas, const struct recording *recording)
{
	for (guint i = 0; i < recording->messages->len; i++) {
		const struct message *message = g_ptr_array_index(recording->messages, i);
		g_autofree char *level = shown(message->level), *text = shown(message->text);
		g_autofree char *file = shown(message->place.file), *hint = shown(message->hint);

		draw_painted(canvas, text_is(message->level, "error") ? PAINT_BAD : PAINT_WARN, level);
		fprintf(canvas->out, ": %s", text);
		if (message->place.file)
			fprintf(canvas->out, " (%s:%lld:%lld)", file, (long long)message->place.line,
				(long long)message->place.column);
		putc('\n', canvas->out);
		if (message->hint)
			draw_line(canvas, PAINT_DIM, "  hint: %s", hint);
		draw_notes(canvas, message);
	}
}

static void draw_title(struct canvas *canvas, const struct subject *subject)
{
	const struct global *global = subject->global;
	g_autoptr(GString) keys = g_string_new(NULL);
	g_autofree char *name = shown(global->name), *unit = shown(global->unit);

	for (guint i = 0; i < global->key_count; i++)
		g_string_append_printf(keys, "%s%s", i ? ", " : "[", value_kind_names[global->keys[i]]);
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
static double size_of(const struct element *element)
{
	if (!element)
		return 0;
	return element->value.kind == VALUE_STATISTICS ? element->value.statistics->count
	       : element->value.kind == VALUE_NUMBER   ? element->value.number
						       : 0;
}

/* Return the number that is compared: the mean of statistics. */
static double compared_size(const struct element *element)
{
	if (element && element->value.kind == VALUE_STATISTICS)
		return element->value.statistics->has_range ? element->value.statistics->avg : 0;
	return size_of(element);
}

static const struct text *size_unit(const struct global *global)
{
	return global->values == VALUE_STATISTICS ? NULL : global->unit;
}

static char *key_as_text(const struct value *key)
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

static char *value_as_text(const struct global *global, const struct element *element)
{
	if (!element)
		return g_strdup("-");
	if (element->value.kind == VALUE_STRING)
		return text_to_show(element->value.text, NULL);
	return short_number(size_of(element), size_unit(global));
}

static void draw_figures(struct canvas *canvas, const struct global *global, const struct statistics *statistics)
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

static void draw_histogram(struct canvas *canvas, const struct global *global, const struct histogram *histogram)
{
	int64_t most = 1;

	for (guint i = 0; i < histogram->count; i++)
		most = MAX(most, histogram->buckets[i].count);
	for (guint i = 0; i < histogram->count; i++) {
		const struct bucket *bucket = &histogram->buckets[i];
		g_autofree char *text = bucket_as_text(global, bucket), *count = full_number(bucket->count);

		draw_number(canvas, text, 12);
		fputs(canvas->has_blocks ? " \u2502" : " |", canvas->out);
		draw_bar(canvas, (double)bucket->count / most, canvas->width - 30);
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

static void draw_series(struct canvas *canvas, const struct global *global, const struct element *element)
{
	g_autofree double *values = g_new(double, global->samples->len);

	for (guint i = 0; i < global->samples->len; i++) {
		const struct element *at = same_element(global, g_ptr_array_index(global->samples, i), element);

		values[i] = at ? size_of(at) : NAN;
	}
	draw_sparkline(canvas, values, global->samples->len, SPARKLINE);
}

/* Counts of buckets (rows, from the lowest) in columns of one or more samples. */
struct heat_map {
	const struct histogram *rows; /* the newest histogram, which has the buckets of all */
	guint columns;
	double *cells; /* by column, then by row */
	double most;
};

static void add_increase(struct heat_map *map, guint column, const struct histogram *increase)
{
	for (guint i = 0; i < increase->count; i++) {
		for (guint row = 0; row < map->rows->count; row++) {
			const struct bucket *bucket = &map->rows->buckets[row], *other = &increase->buckets[i];
			double *cell = &map->cells[column * map->rows->count + row];

			if (bucket->has_lower != other->has_lower || bucket->lower != other->lower)
				continue;
			*cell += other->count;
			map->most = MAX(map->most, *cell);
		}
	}
}

static void fill_heat_map(struct heat_map *map, const struct global *global, const struct element *element)
{
	const struct histogram *before = NULL;

	for (guint i = 0; i < global->samples->len; i++) {
		const struct element *at = same_element(global, g_ptr_array_index(global->samples, i), element);
		const struct histogram *now = at ? at->value.statistics->histogram : NULL;
		g_autofree struct histogram *increase = now ? histogram_increase(before, now) : NULL;

		if (increase)
			add_increase(map, (guint64)i * map->columns / global->samples->len, increase);
		before = now;
	}
}

static void draw_heat_map(struct canvas *canvas, const struct global *global, const struct element *element)
{
	struct heat_map map = {.rows = element->value.statistics->histogram, .most = 1};

	map.columns = MIN(global->samples->len, canvas->width - 16);
	map.cells = g_new0(double, map.columns *map.rows->count + 1);
	fill_heat_map(&map, global, element);
	for (guint row = map.rows->count; row-- > 0;) {
		g_autofree char *text = bucket_as_text(global, &map.rows->buckets[row]);

		draw_number(canvas, text, 12);
		fputs(canvas->has_blocks ? " \u2502" : " |", canvas->out);
		for (guint column = 0; column < map.columns; column++)
			draw_heat(canvas, log1p(map.cells[column * map.rows->count + row]) / log1p(map.most));
		putc('\n', canvas->out);
	}
	draw_line(canvas, PAINT_DIM, _("%14sa column is %.1f samples; the brightest cell is %.0f"), "",
		  (double)global->samples->len / map.columns, map.most);
	g_free(map.cells);
}

/* ---- scalars ----------------------------------------------------------------------------------------------------- */

static void draw_statistics(struct canvas *canvas, const struct report *report, const struct subject *subject)
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

static enum paint change_paint(double before, double after)
{
	return after > before ? PAINT_GREW : after < before ? PAINT_SHRANK : PAINT_NONE;
}

/* Append the change of a number, in a column. */
static void draw_change(struct canvas *canvas, const struct global *global, const struct row *row, guint width)
{
	double before = compared_size(row->in[0]), after = compared_size(row->in[1]);
	g_autofree char *size = short_number(after - before, global->unit);
	g_autofree char *text = NULL;
	g_autofree char *padded = NULL;

	if (!row->in[0] || !row->in[1])
		text = g_strdup(row->in[0] ? _("gone") : _("new"));
	else if (before)
		text = g_strdup_printf("%s%s %+.1f%%", after > before ? "+" : "", size,
				       100 * (after - before) / fabs(before));
	else
		text = g_strdup_printf("%s%s", after > before ? "+" : "", size);
	padded = g_strdup_printf("%*s", (int)width, text);
	draw_painted(canvas, change_paint(before, after), padded);
}

static void draw_scalar(struct canvas *canvas, const struct report *report, const struct subject *subject)
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

/* ---- tables ------------------------------------------------------------------------------------------------------ */

struct table {
	const struct report *report;
	const struct subject *subject;
	int time_key; /* -1: none */
	double per_second; /* units of the time */
	guint *sorted; /* numbers of rows */
	guint shown;
	guint widths[MOST_KEYS]; /* columns of the keys */
	double most; /* the largest value */
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
	} else if (global->values == VALUE_NUMBER) {
		fputs("  ", canvas->out);
		draw_bar(canvas, table->most > 0 ? fabs(size_of(row->in[0])) / table->most : 0, BAR);
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
		draw_number(canvas, _("mean"), 11);
		draw_number(canvas, _("~p99"), 11);
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

static void draw_table(struct canvas *canvas, const struct report *report, const struct subject *subject)
{
	guint count = subject->rows->len, right = report->count > 1 ? 48 : 12 + 2 + BAR;
	g_autofree guint *sorted = g_new(guint, MAX(count, 1));
	struct table table = {.report = report, .subject = subject, .sorted = sorted, .shown = MIN(count, MOST_ROWS)};

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

/* ---- stacks ------------------------------------------------------------------------------------------------------ */

struct flame {
	struct tree *tree;
	double *sums[MOST_RECORDINGS]; /* of each node and what it calls */
	guint *depths;
	guint count; /* of recordings */
	const struct text *unit;
};

static void flame_sum(struct flame *flame, const struct subject *subject, guint recording)
{
	double *sums = flame->sums[recording] = g_new0(double, flame->tree->count);

	for (guint i = 0; i < subject->rows->len; i++) {
		const struct element *element = g_array_index(subject->rows, struct row, i).in[recording];

		if (element)
			sums[flame->tree->leaves[i]] += MAX(0, value_weight(&element->value));
	}
	for (guint node = flame->tree->count - 1; node > 0; node--)
		sums[flame->tree->nodes[node].parent] += sums[node];
}

static double flame_size(const struct flame *flame, guint node)
{
	double size = flame->sums[0][node];

	return flame->count > 1 ? MAX(size, flame->sums[1][node]) : size;
}

static char *node_name(const struct flame *flame, guint node)
{
	return node ? text_to_show(flame->tree->nodes[node].function->name, NULL) : g_strdup(_("all"));
}

/* Append the numbers that precede a node. */
static void draw_node_sizes(struct canvas *canvas, const struct flame *flame, guint node)
{
	for (guint i = 0; i < flame->count; i++) {
		g_autofree char *share = percent(flame->sums[i][node], flame->sums[i][0]);
		g_autofree char *size = short_number(flame->sums[i][node], flame->unit);

		draw_number(canvas, share, 8);
		draw_number(canvas, size, 11);
	}
	if (flame->count > 1) {
		double before = flame->sums[0][node], after = flame->sums[1][node];
		g_autofree char *size = short_number(after - before, flame->unit);
		g_autofree char *text = g_strdup_printf("%s%s", after > before ? "+" : "", size);
		g_autofree char *padded = g_strdup_printf("%12s", text);

		draw_painted(canvas, change_paint(before, after), padded);
	}
	fputs("  ", canvas->out);
}

static gint compare_sizes(gconstpointer a, gconstpointer b, gpointer data)
{
	guint one = *(const guint *)a, two = *(const guint *)b;
	double size_one = flame_size(data, one), size_two = flame_size(data, two);

	return size_one > size_two ? -1 : size_one < size_two ? 1 : one < two ? -1 : one > two;
}

/* Draw the largest nodes as an indented tree. */
static void draw_tree(struct canvas *canvas, const struct flame *flame, guint most_lines)
{
	guint count = flame->tree->count, lines = MIN(count, most_lines);
	g_autofree guint *sorted = g_new(guint, count);
	g_autofree bool *is_drawn = g_new0(bool, count);

	for (guint i = 0; i < count; i++)
		sorted[i] = i;
	g_qsort_with_data(sorted, count, sizeof(*sorted), compare_sizes, (gpointer)flame);
	/* A caller is as large as what it calls, and precedes it in the order of numbers. */
	for (guint i = 0; i < lines; i++)
		is_drawn[sorted[i]] = flame_size(flame, sorted[i]) > 0;
	for (guint node = 0; node < count; node++) {
		g_autofree char *name = node_name(flame, node);

		if (!is_drawn[node])
			continue;
		draw_node_sizes(canvas, flame, node);
		draw_cell(canvas, "", MIN(flame->depths[node], 40), false);
		fprintf(canvas->out, "%s\n", name);
	}
	if (count > lines)
		draw_line(canvas, PAINT_DIM, _("  (%u smaller frames are left out)"), count - lines);
}

/* Colors of kinds of frames, as on the page. */
static const guint8 kind_colors[FRAME_KINDS] = {
	[FRAME_KERNEL] = 215, [FRAME_MODULE] = 173, [FRAME_PROGRAM] = 117,
	[FRAME_LIBRARY] = 79, [FRAME_JIT] = 182,    [FRAME_UNKNOWN] = 250,
};

/* Draw the frames of one level of an icicle. The boundaries of frames are rounded to columns. */
static void draw_level(struct canvas *canvas, const struct flame *flame, const double *lefts, guint level)
{
	guint at = 0, space = canvas->width - 2;

	fputs("  ", canvas->out);
	for (guint node = 0; node < flame->tree->count; node++) {
		guint from = lefts[node] * space + 0.5;
		guint to = (lefts[node] + flame_size(flame, node) / flame_size(flame, 0)) * space + 0.5;
		const struct function *function = flame->tree->nodes[node].function;
		g_autofree char *name = NULL;

		if (flame->depths[node] != level || to <= from || from < at)
			continue;
		name = node_name(flame, node);
		draw_cell(canvas, "", from - at, false);
		/* Leave a column between frames that are wide enough. */
		draw_on_color(canvas, function ? kind_colors[function->kind] : 252, to - from > 1 ? name : "",
			      to - from > 2 ? to - from - 1 : to - from);
		if (to - from > 2)
			putc(' ', canvas->out);
		at = to;
	}
	putc('\n', canvas->out);
}

static void draw_icicle(struct canvas *canvas, const struct flame *flame)
{
	g_autofree double *lefts = g_new0(double, flame->tree->count);
	g_autofree double *used = g_new0(double, flame->tree->count); /* by the children drawn so far */
	guint deepest = 0;

	for (guint node = 1; node < flame->tree->count; node++) {
		guint parent = flame->tree->nodes[node].parent;

		lefts[node] = lefts[parent] + used[parent];
		used[parent] += flame_size(flame, node) / flame_size(flame, 0);
		if (flame_size(flame, node) * (canvas->width - 2) >= flame_size(flame, 0))
			deepest = MAX(deepest, flame->depths[node]);
	}
	for (guint level = 0; level <= MIN(deepest, MOST_LEVELS); level++)
		draw_level(canvas, flame, lefts, level);
}

static void draw_stacks(struct canvas *canvas, const struct report *report, const struct subject *subject)
{
	guint count = subject->rows->len;
	g_autofree const struct element **elements = g_new(const struct element *, MAX(count, 1));
	struct flame flame = {.count = report->count, .unit = subject->global->unit};

	draw_title(canvas, subject);
	for (guint i = 0; i < count; i++)
		elements[i] = row_any(&g_array_index(subject->rows, struct row, i));
	flame.tree = tree_new(subject->global, elements, count, ALL_STACKS);
	flame.depths = g_new0(guint, flame.tree->count);
	for (guint node = 1; node < flame.tree->count; node++)
		flame.depths[node] = flame.depths[flame.tree->nodes[node].parent] + 1;
	for (guint i = 0; i < report->count; i++)
		flame_sum(&flame, subject, i);
	if (flame_size(&flame, 0) <= 0) {
		draw_line(canvas, PAINT_DIM, "  %s", _("no stack has a positive value"));
	} else if (canvas->has_color && report->count == 1) {
		draw_icicle(canvas, &flame);
		draw_tree(canvas, &flame, MOST_LINES_BELOW_ICICLE);
	} else {
		draw_tree(canvas, &flame, MOST_TREE_LINES);
	}
	for (guint i = 0; i < report->count; i++)
		g_free(flame.sums[i]);
	g_free(flame.depths);
	tree_free(flame.tree);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void draw_subject(struct canvas *canvas, const struct report *report, const struct subject *subject)
{
	const struct global *global = subject->global;

	if (!global->is_array && global->values == VALUE_STATISTICS)
		draw_statistics(canvas, report, subject);
	else if (global_has_key(global, VALUE_STACK) && global->values != VALUE_STRING)
		draw_stacks(canvas, report, subject);
	else if (global->is_array)
		draw_table(canvas, report, subject);
}

static bool is_plain(const struct global *global)
{
	return !global->is_array && global->values != VALUE_STATISTICS;
}

static guint terminal_width(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return USUAL_WIDTH;
	return CLAMP(size.ws_col, LEAST_WIDTH, MOST_WIDTH);
}

/* Append what the script printed. Line breaks are kept; other control characters are shown. */
static void draw_output(struct canvas *canvas, const struct text *text)
{
	for (size_t at = 0; at < text->length;) {
		const char *end = memchr(text->bytes + at, '\n', text->length - at);
		size_t length = (end ? (size_t)(end - text->bytes) : text->length) - at;
		g_autofree struct text *line = g_malloc0(sizeof(*line) + length + 1);
		g_autofree char *shown_line = NULL;

		line->length = length;
		memcpy(line->bytes, text->bytes + at, length);
		shown_line = text_to_show(line, NULL);
		fprintf(canvas->out, "%s%s", shown_line, end ? "\n" : "");
		at += length + (end ? 1 : 0);
	}
}

static void draw_outputs(struct canvas *canvas, const struct report *report, const struct recording *recording)
{
	g_autofree char *file = shown_file(recording);
	char last = '\n';

	if (!recording->outputs->len)
		return;
	putc('\n', canvas->out);
	draw_line(canvas, PAINT_BOLD, "%s%s%s", _("Output"), report->count > 1 ? ": " : "",
		  report->count > 1 ? file : "");
	for (guint i = 0; i < recording->outputs->len; i++) {
		const struct text *text = g_array_index(recording->outputs, struct output, i).text;

		draw_output(canvas, text);
		if (text->length)
			last = text->bytes[text->length - 1];
	}
	if (last != '\n')
		putc('\n', canvas->out);
}

struct error *write_text(const struct report *report, FILE *out)
{
	struct canvas canvas = {.out = out, .has_color = report->uses_color, .width = terminal_width()};
	bool has_scalars = false;

	canvas.has_blocks = report->uses_color && !strcmp(nl_langinfo(CODESET), "UTF-8");
	for (guint i = 0; i < report->count; i++) {
		draw_head(&canvas, report->recordings[i]);
		draw_messages(&canvas, report->recordings[i]);
	}
	for (guint i = 0; i < report->subjects->len; i++) {
		const struct subject *subject = g_ptr_array_index(report->subjects, i);

		if (!is_plain(subject->global))
			continue;
		if (!has_scalars)
			putc('\n', out);
		has_scalars = true;
		draw_scalar(&canvas, report, subject);
	}
	for (guint i = 0; i < report->subjects->len; i++)
		draw_subject(&canvas, report, g_ptr_array_index(report->subjects, i));
	for (guint i = 0; i < report->count; i++)
		draw_outputs(&canvas, report, report->recordings[i]);
	return NULL;
}
