// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The report in a terminal: what the page shows, in characters. The views of a global are chosen as in globals.js:
 * stacks as an icicle, histograms as bars or heat maps, samples as sparklines, other arrays as tables.
 */
#include <langinfo.h>
#include <string.h>

#include "common/base/i18n.h"
#include "report/formats.h"
#include "report/screen.h"
#include "report/text_views.h"
#include "report/texts.h"

enum { LEAST_WIDTH = 40, MOST_WIDTH = 240 };

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

static const struct {
	enum paint paint;
	const char *text;
} states[RUN_STATES] = {
	[RUN_COMPLETED] = {PAINT_GOOD, N_("completed")},
	[RUN_LOST] = {PAINT_WARN, N_("output was lost")},
	[RUN_FAILED] = {PAINT_BAD, N_("ended with an error")},
	[RUN_GOES_ON] = {PAINT_WARN, N_("running")},
	[RUN_INTERRUPTED] = {PAINT_WARN, N_("no end was recorded")},
};

static void draw_host(struct canvas *canvas, const struct recording *recording, const struct host *host)
{
	g_autofree char *name = shown(host->start.name), *uri = shown(host->uri), *kernel = shown(host->start.kernel);
	g_autofree char *start = date_and_time(host->start.time), *hits = full_number(host->end.hits);
	g_autofree char *remote = host->uri ? g_strdup_printf(" (%s)", uri) : g_strdup("");
	double end = host->end.is_known ? host->end.time : recording->last_time;

	if (host->start.is_known)
		draw_line(canvas, PAINT_DIM, _("host %s%s, kernel %s, started %s, duration %.1f s"), name, remote,
			  kernel, start, MAX(0, end - host->start.time));
	if (host->end.is_known)
		draw_line(canvas, PAINT_DIM, _("probe hits %s, errors %lld, lost output %lld, exit status %lld"), hits,
			  (long long)host->end.errors, (long long)host->end.lost, (long long)host->end.status);
	for (guint i = 0; i < SKIPPED_REASONS; i++)
		if (host->end.skipped[i])
			draw_line(canvas, PAINT_WARN, _("skipped (%s): %lld"), skipped_name(i),
				  (long long)host->end.skipped[i]);
}

static void draw_head(struct canvas *canvas, const struct recording *recording)
{
	g_autofree char *script = shown(recording->script.name), *file = shown_file(recording);
	enum run_state state = recording_state(recording);

	draw_painted(canvas, PAINT_BOLD, recording->script.name ? script : file);
	fputs("  ", canvas->out);
	draw_painted(canvas, states[state].paint, _(states[state].text));
	putc('\n', canvas->out);
	for (guint i = 0; i < recording->hosts->len; i++)
		draw_host(canvas, recording, g_ptr_array_index(recording->hosts, i));
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
		const struct host *host =
			message->host == NO_HOST ? NULL : g_ptr_array_index(recording->hosts, message->host);
		g_autofree char *name = host ? shown(host->start.name ?: host->uri) : NULL;

		if (name && recording->hosts->len > 1)
			fprintf(canvas->out, "%s: ", name);
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

/* ---- which view a global has ------------------------------------------------------------------------------------- */

static bool has_stacks(const struct report *report, const struct global *global)
{
	return global_has_key(global, VALUE_STACK) && global->values != VALUE_STRING;
}

static bool has_samples(const struct report *report, const struct global *global)
{
	return report->count == 1 && global->samples->len > 1 && global->values != VALUE_STRING &&
	       !global_has_key(global, VALUE_STACK);
}

/* Can the global be drawn as heat maps of its samples, or as one heat map? */
static bool has_heat_map(const struct report *report, const struct global *global)
{
	if (global->values == VALUE_STATISTICS)
		return has_samples(report, global);
	return report->count == 1 && global->values == VALUE_NUMBER && global->key_count == 2 &&
	       global->keys[0] == VALUE_NUMBER && global->keys[1] == VALUE_NUMBER && global_newest(global)->count;
}

static bool has_histogram(const struct report *report, const struct global *global)
{
	return report->count == 1 && global->values == VALUE_STATISTICS;
}

static bool is_array(const struct report *report, const struct global *global)
{
	return global->is_array;
}

static bool is_statistics(const struct report *report, const struct global *global)
{
	return !global->is_array && global->values == VALUE_STATISTICS;
}

typedef void draw_view(struct canvas *canvas, const struct report *report, const struct subject *subject);

/* The views by the words of "show" (staplang(3stap)), if they fit. */
static const struct view {
	const char *word;
	bool (*fits)(const struct report *report, const struct global *global);
	draw_view *draw;
} views[] = {
	{"table", is_array, draw_table},
	{"bars", is_array, draw_table},
	{"histogram", has_histogram, draw_histograms},
	{"heatmap", has_heat_map, draw_heat_maps},
	{"series", has_samples, draw_all_series},
	{"flamegraph", has_stacks, draw_stacks},
	/* Select by the types alone: */
	{NULL, has_stacks, draw_stacks},
	{NULL, is_statistics, draw_statistics},
	{NULL, is_array, draw_table},
};

static void draw_subject(struct canvas *canvas, const struct report *report, const struct subject *subject)
{
	const struct global *global = subject->global;

	for (guint i = 0; i < G_N_ELEMENTS(views) && is_shown(report, global); i++) {
		if (views[i].word && !text_is(global->show, views[i].word))
			continue;
		if (!views[i].fits(report, global))
			continue;
		views[i].draw(canvas, report, subject);
		return;
	}
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static bool is_plain(const struct global *global)
{
	return !global->is_array && global->values != VALUE_STATISTICS;
}

static guint terminal_width(void)
{
	unsigned int columns, rows;

	screen_size(&columns, &rows);
	return CLAMP(columns, LEAST_WIDTH, MOST_WIDTH);
}

/* Share the rows of a terminal among the globals that are more than a line. Each has a title and an empty line. */
static guint lines_of_view(const struct report *report)
{
	guint head = 3, count = 0;

	for (guint i = 0; i < report->subjects->len; i++) {
		const struct global *global = ((const struct subject *)g_ptr_array_index(report->subjects, i))->global;

		if (is_shown(report, global) && is_plain(global))
			head++;
		else if (is_shown(report, global))
			count++;
	}
	if (!report->screen_rows || !count)
		return 0;
	return MAX(3, (int)((report->screen_rows - MIN(head, report->screen_rows)) / count) - 3);
}

/* Draw the output of one of a recording's hosts, or of NO_HOST. @p name is that of the host, or NULL. */
static void draw_host_output(struct canvas *canvas, const struct report *report, const struct recording *recording,
			     int host, const char *name)
{
	g_autofree char *file = shown_file(recording);
	bool has_title = false;
	char last = '\n';

	for (guint i = 0; i < recording->outputs->len; i++) {
		const struct output *output = &g_array_index(recording->outputs, struct output, i);

		g_autofree char *text = NULL;

		if (output->host != host || !output->text->length)
			continue;
		text = text_to_show_lines(output->text);
		if (!has_title) {
			putc('\n', canvas->out);
			draw_line(canvas, PAINT_BOLD, "%s%s%s%s%s", _("Output"), report->count > 1 ? ": " : "",
				  report->count > 1 ? file : "", name ? ": " : "", name ?: "");
		}
		has_title = true;
		fputs(text, canvas->out);
		last = output->text->bytes[output->text->length - 1];
	}
	if (last != '\n')
		putc('\n', canvas->out);
}

static void draw_outputs(struct canvas *canvas, const struct report *report, guint recording)
{
	const struct recording *of = report->recordings[recording];

	draw_host_output(canvas, report, of, NO_HOST, NULL);
	for (guint i = 0; i < report->hosts->len; i++) {
		const struct shared_host *shared = g_ptr_array_index(report->hosts, i);
		guint host;

		if (g_ptr_array_find(of->hosts, shared->in[recording], &host))
			draw_host_output(canvas, report, of, (int)host, report->hosts->len > 1 ? shared->name : NULL);
	}
}

static void draw_subjects(struct canvas *canvas, const struct report *report, const GPtrArray *subjects)
{
	bool has_scalars = false;

	for (guint i = 0; i < subjects->len; i++) {
		const struct subject *subject = g_ptr_array_index(subjects, i);

		if (!is_plain(subject->global) || !is_shown(report, subject->global))
			continue;
		if (!has_scalars)
			putc('\n', canvas->out);
		has_scalars = true;
		draw_scalar(canvas, report, subject);
	}
	for (guint i = 0; i < subjects->len; i++)
		draw_subject(canvas, report, g_ptr_array_index(subjects, i));
}

static void draw_hosts(struct canvas *canvas, const struct report *report)
{
	for (guint i = 0; i < report->hosts->len; i++) {
		const struct shared_host *shared = g_ptr_array_index(report->hosts, i);
		GPtrArray *subjects = subjects_of_host(report->subjects, i);

		putc('\n', canvas->out);
		draw_line(canvas, PAINT_BOLD, "==== %s ====", shared->name);
		draw_subjects(canvas, report, subjects);
		subjects_free(subjects);
	}
}

struct error *write_text(const struct report *report, FILE *out)
{
	struct canvas canvas = {.out = out, .has_color = report->uses_color, .width = terminal_width()};

	canvas.most_lines = lines_of_view(report);
	canvas.has_blocks = report->uses_color && !strcmp(nl_langinfo(CODESET), "UTF-8");
	for (guint i = 0; i < report->count; i++) {
		draw_head(&canvas, report->recordings[i]);
		draw_messages(&canvas, report->recordings[i]);
	}
	if (report->hosts->len > 1)
		draw_hosts(&canvas, report);
	else
		draw_subjects(&canvas, report, report->subjects);
	for (guint i = 0; i < report->count; i++)
		draw_outputs(&canvas, report, i);
	return NULL;
}
