// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Diagnostics: collect the errors and warnings of the passes, and print them with the source.
 *
 * Each becomes a struct diagnostic in a list; later notes and hints are added to the last one. The list has marks, so
 * that the diagnostics of a trial (an optional probe point, @defined) can be dropped. Nothing is printed before
 * diagnostics_flush(), which prints in the order of reporting.
 *
 * The trap: with tabs, control bytes and wide characters, the byte column differs from the column on the screen. So a
 * line is first rendered into cells, one per character, each with its visible text. The window around the caret is cut
 * in cells, and the caret is placed by adding the widths of cells.
 */
#include "translator/lang/diagnostic.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/nearest.h"
#include "common/base/i18n.h"
#include "common/base/message.h"

enum { TAB_STOP = 8, MOST_COLUMNS = 100, COLUMNS_BEFORE_CARET = 60 };

/* The parts of a report that can be colored; the names are the keys of SYSTEMTAP_COLORS. */
enum color { COLOR_ERROR, COLOR_WARNING, COLOR_SOURCE, COLOR_CARET, COLOR_TOKEN, COLOR_COUNT };

static const struct {
	const char *key, *default_value;
} colors[COLOR_COUNT] = {
	[COLOR_ERROR] = {"error", "01;31"},   [COLOR_WARNING] = {"warning", "00;33"},
	[COLOR_SOURCE] = {"source", "00;34"}, [COLOR_CARET] = {"caret", "01"},
	[COLOR_TOKEN] = {"token", "01"},
};

static const char *const kind_names[DIAGNOSTIC_KIND_COUNT_] = {
	[PARSE_ERROR] = N_("parse error"),
	[SEMANTIC_ERROR] = N_("semantic error"),
	[WARNING] = N_("WARNING"),
};

struct diagnostics {
	struct arena *arena;
	GPtrArray *reports; /* of struct diagnostic * */
	GHashTable *keys; /* the keys of all reports */
	struct diagnostic *current; /* gets notes and hints; NULL: the last report was dropped, so drop them, too */
	size_t flushed; /* number of reports already printed */
	bool suppress_warnings, fatal_warnings;
	const char *colors[COLOR_COUNT]; /* SGR parameters; NULL: plain */
};

static void destroy_table(void *table)
{
	g_hash_table_destroy(table);
}

struct diagnostics *diagnostics_new(struct arena *arena)
{
	struct diagnostics *d = arena_new0(arena, struct diagnostics);

	d->arena = arena;
	d->reports = arena_ptr_array(arena);
	d->keys = g_hash_table_new(g_str_hash, g_str_equal);
	arena_defer(arena, destroy_table, d->keys);
	return d;
}

/* An SGR parameter list is digits and semicolons. */
static bool valid_sgr(const char *value)
{
	return *value && strspn(value, "0123456789;") == strlen(value);
}

/* Read one "key=value" of SYSTEMTAP_COLORS. */
static bool set_color(struct diagnostics *d, const char *item)
{
	const char *equals = strchr(item, '=');

	if (!equals || !valid_sgr(equals + 1))
		return false;
	for (int i = 0; i < COLOR_COUNT; i++) {
		size_t length = strlen(colors[i].key);

		if ((size_t)(equals - item) == length && strncmp(item, colors[i].key, length) == 0) {
			d->colors[i] = arena_strdup(d->arena, equals + 1);
			return true;
		}
	}
	return false;
}

/* Set the default colors, then those of SYSTEMTAP_COLORS. An empty or invalid value disables colors, as in stap(1). */
static void read_colors(struct diagnostics *d)
{
	const char *value = getenv("SYSTEMTAP_COLORS");
	g_auto(GStrv) items = g_strsplit(value ? value : "", ":", -1);

	for (int i = 0; i < COLOR_COUNT; i++)
		d->colors[i] = colors[i].default_value;
	if (!value)
		return;
	for (char **item = items; *item; item++) {
		if (set_color(d, *item))
			continue;
		memset(d->colors, 0, sizeof(d->colors));
		return;
	}
	if (!items[0])
		memset(d->colors, 0, sizeof(d->colors));
}

void diagnostics_configure(struct diagnostics *diagnostics, bool suppress_warnings, bool fatal_warnings, bool color)
{
	diagnostics->suppress_warnings = suppress_warnings;
	diagnostics->fatal_warnings = fatal_warnings;
	memset(diagnostics->colors, 0, sizeof(diagnostics->colors));
	if (color)
		read_colors(diagnostics);
}

static char *arena_vprintf(struct arena *arena, const char *format, va_list args)
{
	g_autofree char *text = g_strdup_vprintf(format, args);

	return arena_strdup(arena, text);
}

static const char *report_key(struct arena *arena, const struct diagnostic *report)
{
	GString *key = g_string_new(NULL);
	const char *result;

	g_string_printf(key, "%d\n%s", report->kind, report->text);
	for (const struct location *l = &report->location; l; l = l->expanded_from)
		g_string_append_printf(key, "\n%s:%d:%d", l->file ? l->file->name : "", l->line, l->column);
	result = arena_strndup(arena, key->str, key->len);
	g_string_free(key, TRUE);
	return result;
}

static void add_report(struct diagnostics *diagnostics, struct diagnostic *report)
{
	report->repeats = !g_hash_table_add(diagnostics->keys, (char *)report->key);
	g_ptr_array_add(diagnostics->reports, report);
}

void diagnose(struct diagnostics *diagnostics, enum diagnostic_kind kind, const struct location *location,
	      const char *format, ...)
{
	struct diagnostic *report;
	va_list args;

	diagnostics->current = NULL;
	if (kind == WARNING && diagnostics->suppress_warnings)
		return;
	report = arena_new0(diagnostics->arena, struct diagnostic);
	report->kind = kind;
	if (location)
		report->location = *location;
	va_start(args, format);
	report->text = arena_vprintf(diagnostics->arena, format, args);
	va_end(args);
	report->key = report_key(diagnostics->arena, report);
	add_report(diagnostics, report);
	if (!report->repeats)
		diagnostics->current = report;
}

void diagnose_note(struct diagnostics *diagnostics, const struct location *location, const char *format, ...)
{
	struct diagnostic *report = diagnostics->current;
	struct diagnostic_note *note;
	va_list args;

	if (!report)
		return;
	note = arena_new0(diagnostics->arena, struct diagnostic_note);
	if (location)
		note->location = *location;
	va_start(args, format);
	note->text = arena_vprintf(diagnostics->arena, format, args);
	va_end(args);
	if (!report->notes)
		report->notes = arena_ptr_array(diagnostics->arena);
	g_ptr_array_add(report->notes, note);
}

/* Return the outermost expansion of a place that is in tapsets with all its expansions, else NULL. */
static const struct location *place_in_tapset(const struct location *place)
{
	const struct location *outermost = NULL;

	for (; place; place = place->expanded_from) {
		if (!place->file || !place->file->is_tapset)
			return NULL;
		outermost = place;
	}
	return outermost;
}

void diagnostics_note_calls(struct diagnostics *diagnostics, call_finder *find, void *data)
{
	for_each_ptr(struct diagnostic *, report, diagnostics->reports) {
		const struct location *place = place_in_tapset(&report->location), *call;

		if (report->kind == WARNING || report->repeats || report->notes || !place)
			continue;
		call = find(place, data);
		if (!call)
			continue;
		diagnostics->current = report;
		diagnose_note(diagnostics, call, _("called here"));
	}
}

void diagnose_hint_late(struct diagnostics *diagnostics, late_hint *make, void *data)
{
	if (!diagnostics->current)
		return;
	diagnostics->current->make_hint = make;
	diagnostics->current->hint_data = data;
}

void diagnose_hint(struct diagnostics *diagnostics, const char *format, ...)
{
	va_list args;

	if (!diagnostics->current)
		return;
	va_start(args, format);
	diagnostics->current->hint = arena_vprintf(diagnostics->arena, format, args);
	va_end(args);
}

const char *diagnose_names(struct diagnostics *diagnostics, const GPtrArray *names)
{
	struct diagnostic *report = diagnostics->current;

	if (report && names && !report->alternatives)
		report->alternatives = arena_ptr_array(diagnostics->arena);
	for_each_ptr(const char *, name, report ? names : NULL)
		if (!g_ptr_array_find_with_equal_func(report->alternatives, name, g_str_equal, NULL))
			g_ptr_array_add(report->alternatives, arena_strdup(diagnostics->arena, name));
	return names_join(diagnostics->arena, names);
}

void diagnose_near(struct diagnostics *diagnostics, const GPtrArray *names)
{
	diagnose_hint(diagnostics, _("did you mean: %s"), diagnose_names(diagnostics, names));
}

void diagnose_hint_of(struct diagnostics *diagnostics, const struct error *error)
{
	if (!error->hint)
		return;
	diagnose_hint(diagnostics, "%s", error->hint);
	for (char **name = error->alternatives; name && *name; name++)
		diagnose_names(diagnostics, names_one(diagnostics->arena, *name));
}

static bool counts_as_error(const struct diagnostics *d, const struct diagnostic *report)
{
	return report->kind != WARNING || d->fatal_warnings;
}

unsigned int diagnostics_errors(const struct diagnostics *diagnostics)
{
	unsigned int errors = 0;

	for_each_ptr(const struct diagnostic *, report, diagnostics->reports)
		errors += !report->repeats && counts_as_error(diagnostics, report);
	return errors;
}

size_t diagnostics_mark(const struct diagnostics *diagnostics)
{
	return diagnostics->reports->len;
}

bool diagnostics_failed_since(const struct diagnostics *diagnostics, size_t mark)
{
	for (size_t i = mark; i < diagnostics->reports->len; i++)
		if (counts_as_error(diagnostics, g_ptr_array_index(diagnostics->reports, i)))
			return true;
	return false;
}

GPtrArray *diagnostics_since(const struct diagnostics *diagnostics, size_t mark)
{
	GPtrArray *reports = arena_ptr_array(diagnostics->arena);
	g_autoptr(GHashTable) keys = g_hash_table_new(g_str_hash, g_str_equal);

	for (size_t i = mark; i < diagnostics->reports->len; i++) {
		struct diagnostic *report = g_ptr_array_index(diagnostics->reports, i);

		if (g_hash_table_add(keys, (char *)report->key))
			g_ptr_array_add(reports, report);
	}
	return reports;
}

void diagnose_again(struct diagnostics *diagnostics, const GPtrArray *reports)
{
	for_each_ptr(const struct diagnostic *, report, reports) {
		struct diagnostic *copy = arena_new0(diagnostics->arena, struct diagnostic);

		*copy = *report;
		add_report(diagnostics, copy);
	}
	diagnostics->current = NULL;
}

void diagnostics_rewind(struct diagnostics *diagnostics, size_t mark)
{
	for (size_t i = mark; i < diagnostics->reports->len; i++) {
		const struct diagnostic *report = g_ptr_array_index(diagnostics->reports, i);

		if (!report->repeats)
			g_hash_table_remove(diagnostics->keys, report->key);
	}
	if (mark < diagnostics->reports->len)
		g_ptr_array_set_size(diagnostics->reports, (int)mark);
	diagnostics->flushed = MIN(diagnostics->flushed, mark);
	diagnostics->current = NULL;
}

/* A character of a source line: its visible text, the width of that, and its byte column. */
struct cell {
	char text[8];
	int width;
	int column; /* of its first byte, from 1 */
};

/* Render the character at @p text (not at a line end) into a cell; returns the number of bytes it took. */
static int render_cell(const char *text, size_t left, int screen_column, struct cell *cell)
{
	unsigned char byte = (unsigned char)*text;
	gunichar c = g_utf8_get_char_validated(text, (gssize)left);

	if (byte == '\t') {
		cell->width = TAB_STOP - screen_column % TAB_STOP;
		cell->text[0] = ' ';
		return 1;
	}
	if (byte < 0x20 || byte == 0x7f) {
		cell->width = 2;
		snprintf(cell->text, sizeof(cell->text), "^%c", byte ^ 0x40);
		return 1;
	}
	if (c == (gunichar)-1 || c == (gunichar)-2 || !g_unichar_isprint(c)) {
		cell->width = 4;
		snprintf(cell->text, sizeof(cell->text), "\\x%02x", byte);
		return 1;
	}
	cell->text[g_unichar_to_utf8(c, cell->text)] = '\0';
	cell->width = g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
	return g_unichar_to_utf8(c, NULL);
}

/* Return a line of the file, without its end, or NULL if there is no such line. */
static const char *find_line(const struct source_file *file, int line, size_t *length)
{
	const char *start = file->text, *end = file->text + file->length, *newline;

	for (int i = 1; i < line; i++) {
		start = memchr(start, '\n', (size_t)(end - start));
		if (!start)
			return NULL;
		start++;
	}
	newline = memchr(start, '\n', (size_t)(end - start));
	*length = (size_t)((newline ? newline : end) - start);
	if (*length && start[*length - 1] == '\r')
		(*length)--;
	return start;
}

static GArray *render_line(const char *text, size_t length)
{
	GArray *cells = g_array_new(FALSE, TRUE, sizeof(struct cell));
	int screen_column = 0;

	for (size_t i = 0; i < length;) {
		struct cell cell = {.column = (int)i + 1};

		i += (size_t)render_cell(text + i, length - i, screen_column, &cell);
		screen_column += cell.width;
		g_array_append_val(cells, cell);
	}
	return cells;
}

static void color_begin(const struct diagnostics *d, enum color color, FILE *out)
{
	if (d->colors[color])
		fprintf(out, "\033[%sm", d->colors[color]);
}

static void color_end(const struct diagnostics *d, enum color color, FILE *out)
{
	if (d->colors[color])
		fputs("\033[m", out);
}

/* The visible cells [from, to) of a line, and the cells [mark, mark_end) that the place covers. */
struct window {
	guint from, to, mark, mark_end;
};

/* Cut a long line to a window around the caret. */
static struct window clip_line(const GArray *cells, const struct location *location)
{
	struct window w = {.to = cells->len, .mark = cells->len, .mark_end = cells->len};
	int columns = 0, before = 0;

	for (guint i = cells->len; i-- > 0;) {
		const struct cell *cell = &g_array_index(cells, struct cell, i);

		if (cell->column >= location->column)
			w.mark = i;
		if (cell->column >= location->column + MAX(location->length, 1))
			w.mark_end = i;
		columns += cell->width;
	}
	if (columns <= MOST_COLUMNS)
		return w;
	for (w.from = w.mark; w.from > 0 && before < COLUMNS_BEFORE_CARET; w.from--)
		before += g_array_index(cells, struct cell, w.from - 1).width;
	columns = 0;
	for (w.to = w.from; w.to < cells->len && columns < MOST_COLUMNS; w.to++)
		columns += g_array_index(cells, struct cell, w.to).width;
	return w;
}

static void print_cells(const GArray *cells, guint from, guint to, FILE *out)
{
	for (guint i = from; i < to; i++) {
		const struct cell *cell = &g_array_index(cells, struct cell, i);

		if (cell->text[0] == ' ')
			fprintf(out, "%*s", cell->width, "");
		else
			fputs(cell->text, out);
	}
}

static int cells_width(const GArray *cells, guint from, guint to)
{
	int width = 0;

	for (guint i = from; i < to; i++)
		width += g_array_index(cells, struct cell, i).width;
	return width;
}

static void show_source(const struct diagnostics *d, const struct location *location, FILE *out)
{
	const char *const dots = "...";
	size_t length;
	const char *text = find_line(location->file, location->line, &length);
	g_autoptr(GArray) cells = NULL;
	struct window w;
	int indent;

	if (!text)
		return;
	cells = render_line(text, length);
	w = clip_line(cells, location);
	w.mark_end = CLAMP(w.mark_end, w.mark, MAX(w.to, w.mark));
	fprintf(out, "%5d | %s", location->line, w.from ? dots : "");
	print_cells(cells, w.from, w.mark, out);
	color_begin(d, COLOR_TOKEN, out);
	print_cells(cells, w.mark, w.mark_end, out);
	color_end(d, COLOR_TOKEN, out);
	print_cells(cells, w.mark_end, w.to, out);
	fprintf(out, "%s\n", w.to < cells->len ? dots : "");

	indent = cells_width(cells, w.from, w.mark) + (w.from ? (int)strlen(dots) : 0);
	fprintf(out, "      | %*s", indent, "");
	color_begin(d, COLOR_CARET, out);
	fputc('^', out);
	for (int i = 1; i < cells_width(cells, w.mark, w.mark_end); i++)
		fputc('~', out);
	color_end(d, COLOR_CARET, out);
	fputc('\n', out);
}

char *location_quote(const struct location *location)
{
	static const struct diagnostics plain;
	g_autofree char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return g_strdup("");
	show_source(&plain, location, out);
	fclose(out);
	return g_steal_pointer(&text);
}

char *location_text(const struct location *location)
{
	size_t length, from = (size_t)location->column - 1;
	const char *line = location->file ? find_line(location->file, location->line, &length) : NULL;

	if (!line || from >= length)
		return NULL;
	return g_strndup(line + from, MIN((size_t)location->length, length - from));
}

/* Print "        at: file:line:column" and the source line, then the same for each expanded_from. */
static void show_location(const struct diagnostics *d, const struct location *location, FILE *out)
{
	const char *label = _("at");

	for (; location && location->file; location = location->expanded_from) {
		fprintf(out, "        %s: ", label);
		color_begin(d, COLOR_SOURCE, out);
		message_put(out, location->file->name);
		fprintf(out, ":%d:%d", location->line, location->column);
		color_end(d, COLOR_SOURCE, out);
		fputc('\n', out);
		show_source(d, location, out);
		label = _("in expansion of");
	}
}

/* Print a text after its label, which has its colon already if it is empty. */
static void put_line(FILE *out, const char *label, const char *text)
{
	fprintf(out, "%s%s ", label, *label ? ":" : "");
	message_put(out, text);
	fputc('\n', out);
}

static void show_report(const struct diagnostics *d, const struct diagnostic *report, FILE *out)
{
	bool is_warning = report->kind == WARNING;
	enum color color = is_warning ? COLOR_WARNING : COLOR_ERROR;

	color_begin(d, color, out);
	if (is_warning && d->fatal_warnings)
		fprintf(out, "%s:", _("WARNING (an error with -W)"));
	else
		fprintf(out, "%s:", _(kind_names[report->kind]));
	color_end(d, color, out);
	put_line(out, "", report->text);
	show_location(d, &report->location, out);
	for_each_ptr(const struct diagnostic_note *, note, report->notes) {
		put_line(out, _("note"), note->text);
		show_location(d, &note->location, out);
	}
	if (report->hint)
		put_line(out, _("hint"), report->hint);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void put_place(struct json_writer *w, const struct location *location)
{
	json_object_begin(w);
	json_member_text(w, JSON_PLACE_FILE, location->file->name);
	json_member_number(w, JSON_PLACE_LINE, location->line);
	json_member_number(w, JSON_PLACE_COLUMN, location->column);
	json_member_number(w, JSON_PLACE_LENGTH, location->length);
	json_object_end(w);
}

void location_write(struct json_writer *w, enum json_field member, const struct location *location)
{
	if (!location->file)
		return;
	json_member(w, member);
	put_place(w, location);
}

static void put_expansions(struct json_writer *w, enum json_field member, const struct location *location)
{
	if (!location->file || !location->expanded_from)
		return;
	json_member(w, member);
	json_array_begin(w);
	while ((location = location->expanded_from) && location->file)
		put_place(w, location);
	json_array_end(w);
}

static void put_notes(struct json_writer *w, const GPtrArray *notes)
{
	json_member(w, JSON_MESSAGE_NOTES);
	json_array_begin(w);
	for_each_ptr(const struct diagnostic_note *, note, notes) {
		json_object_begin(w);
		json_member_text(w, JSON_NOTE_TEXT, note->text);
		location_write(w, JSON_NOTE_PLACE, &note->location);
		put_expansions(w, JSON_NOTE_EXPANDED_FROM, &note->location);
		json_object_end(w);
	}
	json_array_end(w);
}

static void put_report(const struct diagnostics *d, const struct diagnostic *report)
{
	static const char *const kinds[DIAGNOSTIC_KIND_COUNT_] = {"parse error", "semantic error", "warning"};
	struct json_writer w;

	message_begin_line(&w, counts_as_error(d, report) ? MESSAGE_ERROR : MESSAGE_WARNING, kinds[report->kind],
			   report->text);
	location_write(&w, JSON_MESSAGE_PLACE, &report->location);
	put_expansions(&w, JSON_MESSAGE_EXPANDED_FROM, &report->location);
	if (report->notes)
		put_notes(&w, report->notes);
	json_member_optional(&w, JSON_MESSAGE_HINT, report->hint);
	if (report->alternatives) {
		json_member(&w, JSON_MESSAGE_ALTERNATIVES);
		json_array_begin(&w);
		for_each_ptr(const char *, name, report->alternatives)
			json_text(&w, name);
		json_array_end(&w);
	}
	json_line_end(&w);
}

/* ---- printing ---------------------------------------------------------------------------------------------------- */

static void make_late_hint(struct diagnostics *d, struct diagnostic *report)
{
	if (!report->make_hint)
		return;
	d->current = report;
	report->make_hint(report->hint_data);
	report->make_hint = NULL;
}

const GPtrArray *diagnostics_all(struct diagnostics *diagnostics)
{
	GPtrArray *all = arena_ptr_array(diagnostics->arena);

	for_each_ptr(struct diagnostic *, report, diagnostics->reports) {
		if (report->repeats)
			continue;
		make_late_hint(diagnostics, report);
		g_ptr_array_add(all, report);
	}
	return all;
}

unsigned int diagnostics_warnings(const struct diagnostics *diagnostics)
{
	unsigned int warnings = 0;

	for_each_ptr(const struct diagnostic *, report, diagnostics->reports)
		warnings += !report->repeats && !counts_as_error(diagnostics, report);
	return warnings;
}

void diagnostics_shown(struct diagnostics *diagnostics)
{
	diagnostics->flushed = diagnostics->reports->len;
}

void diagnostics_flush(struct diagnostics *diagnostics)
{
	while (diagnostics->flushed < diagnostics->reports->len) {
		struct diagnostic *report = g_ptr_array_index(diagnostics->reports, diagnostics->flushed++);

		if (report->repeats)
			continue;
		make_late_hint(diagnostics, report);
		if (messages_are_json())
			put_report(diagnostics, report);
		else
			show_report(diagnostics, report, stderr);
	}
	fflush(messages_are_json() ? stdout : stderr);
}
