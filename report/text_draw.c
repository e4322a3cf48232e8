// SPDX-License-Identifier: GPL-2.0-or-later
/* Pictures of characters (see text_draw.h). */
#include "report/text_draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/texts.h"

/* ---- colors ------------------------------------------------------------------------------------------------------ */

static const char *const paints[PAINTS] = {
	[PAINT_NONE] = "",	   [PAINT_BOLD] = "1",	     [PAINT_DIM] = "2",		[PAINT_GOOD] = "38;5;36",
	[PAINT_WARN] = "38;5;172", [PAINT_BAD] = "38;5;167", [PAINT_GREW] = "38;5;172", [PAINT_SHRANK] = "38;5;68",
};

/* The same colors as on the page, from dark to bright (heatmap.js). */
static const guint8 heat_colors[] = {17, 18, 24, 60, 59, 102, 101, 143, 179, 221, 227};
static const char heat_letters[] = ".:-=+*oO#%@";
G_STATIC_ASSERT(sizeof(heat_letters) - 1 == G_N_ELEMENTS(heat_colors));

void draw_painted(struct canvas *canvas, enum paint paint, const char *text)
{
	if (canvas->has_color && paint != PAINT_NONE)
		fprintf(canvas->out, "\033[%sm%s\033[0m", paints[paint], text);
	else
		fputs(text, canvas->out);
}

void draw_heat(struct canvas *canvas, double share)
{
	guint level = MIN(share * G_N_ELEMENTS(heat_colors), G_N_ELEMENTS(heat_colors) - 1);

	if (share <= 0)
		putc(' ', canvas->out);
	else if (canvas->has_color)
		fprintf(canvas->out, "\033[48;5;%um \033[0m", heat_colors[level]);
	else
		putc(heat_letters[level], canvas->out);
}

void draw_on_color(struct canvas *canvas, guint color, const char *text, guint width)
{
	fprintf(canvas->out, "\033[38;5;16;48;5;%um", color);
	draw_cell(canvas, text, width, false);
	fputs("\033[0m", canvas->out);
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

guint character_columns(const char *character)
{
	gunichar code = g_utf8_get_char(character);

	return g_unichar_iszerowidth(code) ? 0 : g_unichar_iswide(code) ? 2 : 1;
}

guint text_columns(const char *text)
{
	guint columns = 0;

	for (; *text; text = g_utf8_next_char(text))
		columns += character_columns(text);
	return columns;
}

static void fill(struct canvas *canvas, guint columns)
{
	while (columns--)
		putc(' ', canvas->out);
}

void draw_cell(struct canvas *canvas, const char *text, guint width, bool is_right)
{
	guint columns = text_columns(text), used = 0;

	if (is_right && columns < width)
		fill(canvas, width - columns);
	if (columns <= width) {
		fputs(text, canvas->out);
		if (!is_right)
			fill(canvas, width - columns);
		return;
	}
	/* Cut it, and mark the cut. */
	for (; *text; text = g_utf8_next_char(text)) {
		guint more = character_columns(text);

		if (used + more + 1 > width)
			break;
		fwrite(text, 1, g_utf8_next_char(text) - text, canvas->out);
		used += more;
	}
	if (used < width) {
		fputs(canvas->has_blocks ? "\u2026" : "~", canvas->out);
		fill(canvas, width - used - 1);
	}
}

void draw_number(struct canvas *canvas, const char *text, guint width)
{
	draw_cell(canvas, "", MAX(text_columns(text) + 1, width) - text_columns(text), false);
	fputs(text, canvas->out);
}

/* ---- bars and sparklines ----------------------------------------------------------------------------------------- */

void draw_bar(struct canvas *canvas, double share, guint width)
{
	static const char *const parts[] = {"", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589"};
	double size = CLAMP(share, 0, 1) * width;
	guint whole = size;

	if (!canvas->has_blocks) {
		whole = size > 0 ? MAX(1, round(size)) : 0;
		while (whole--)
			putc('#', canvas->out);
		return;
	}
	if (canvas->has_color)
		fputs("\033[38;5;68m", canvas->out);
	for (guint i = 0; i < whole; i++)
		fputs("\u2588", canvas->out);
	if (whole < width)
		fputs(parts[(guint)((size - whole) * 8)], canvas->out);
	if (canvas->has_color)
		fputs("\033[0m", canvas->out);
}

static void draw_level(struct canvas *canvas, double share)
{
	static const char *const blocks[] = {"\u2581", "\u2582", "\u2583", "\u2584",
					     "\u2585", "\u2586", "\u2587", "\u2588"};
	static const char letters[] = "_.-~=+*#";
	guint level = MIN(share * G_N_ELEMENTS(blocks), G_N_ELEMENTS(blocks) - 1);

	if (canvas->has_blocks)
		fputs(blocks[level], canvas->out);
	else
		putc(letters[level], canvas->out);
}

/* Average the values of a column. Return NAN if all are gaps. */
static double column_mean(const double *values, guint from, guint to)
{
	double sum = 0;
	guint known = 0;

	for (guint i = from; i < to; i++) {
		if (isnan(values[i]))
			continue;
		sum += values[i];
		known++;
	}
	return known ? sum / known : NAN;
}

void draw_sparkline(struct canvas *canvas, const double *values, guint count, guint width)
{
	guint columns = MIN(count, width);
	double least = 0, most = 0;

	for (guint i = 0; i < count; i++) {
		least = isnan(values[i]) ? least : MIN(least, values[i]);
		most = isnan(values[i]) ? most : MAX(most, values[i]);
	}
	for (guint i = 0; i < columns; i++) {
		double mean = column_mean(values, (guint64)i * count / columns, (guint64)(i + 1) * count / columns);

		if (isnan(mean))
			putc(' ', canvas->out);
		else
			draw_level(canvas, most > least ? (mean - least) / (most - least) : 0);
	}
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

struct step {
	double size;
	const char *name;
};

static const struct unit_steps {
	const char *unit;
	struct step steps[5];
} unit_steps[] = {
	{"ns", {{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}}},
	{"us", {{1, "us"}, {1e3, "ms"}, {1e6, "s"}}},
	{"ms", {{1, "ms"}, {1e3, "s"}}},
	{"s", {{1, "s"}}},
	{"bytes", {{1, "B"}, {0x1p10, "KiB"}, {0x1p20, "MiB"}, {0x1p30, "GiB"}, {0x1p40, "TiB"}}},
};

static const struct step count_steps[] = {{1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}, {1e15, "P"}, {1e18, "E"}};

char *full_number(int64_t value)
{
	char digits[32];
	GString *text = g_string_new(value < 0 ? "-" : "");
	size_t length;

	snprintf(digits, sizeof(digits), "%" PRIu64, value < 0 ? -(uint64_t)value : (uint64_t)value);
	length = strlen(digits);
	for (size_t i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			g_string_append_c(text, ',');
		g_string_append_c(text, digits[i]);
	}
	return g_string_free(text, FALSE);
}

/* Append three significant digits. */
static void append_digits(GString *text, double value)
{
	double size = fabs(value);

	if (size >= 99.95 || value == rint(value))
		g_string_append_printf(text, "%.0f", value);
	else
		g_string_append_printf(text, "%.*f", size >= 9.995 ? 1 : 2, value);
}

char *short_number(double value, const struct text *unit)
{
	GString *text = g_string_new(NULL);
	const struct step *step = NULL;

	for (guint i = 0; i < G_N_ELEMENTS(unit_steps); i++)
		for (guint j = 0; text_is(unit, unit_steps[i].unit) && j < 5 && unit_steps[i].steps[j].name; j++)
			if (!j || fabs(value) >= unit_steps[i].steps[j].size)
				step = &unit_steps[i].steps[j];
	if (step) {
		append_digits(text, value / step->size);
		g_string_append_printf(text, " %s", step->name);
		return g_string_free(text, FALSE);
	}
	for (guint i = 0; i < G_N_ELEMENTS(count_steps) && fabs(value) >= 10000; i++)
		if (fabs(value) >= count_steps[i].size)
			step = &count_steps[i];
	append_digits(text, step ? value / step->size : value);
	if (step)
		g_string_append(text, step->name);
	if (unit && !text_is(unit, "count")) {
		g_autofree char *name = text_to_show(unit, NULL);

		g_string_append_printf(text, " %s", name);
	}
	return g_string_free(text, FALSE);
}

char *percent(double part, double whole)
{
	return whole ? g_strdup_printf("%.1f%%", 100 * part / whole) : g_strdup("-");
}

guint most_lines(const struct canvas *canvas, guint usual)
{
	return canvas->most_lines ? MIN(canvas->most_lines, usual) : usual;
}
