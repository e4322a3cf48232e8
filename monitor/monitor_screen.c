// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ncurses screen of stap-monitor: the state of the script at the top, its output below, and the available keys in
 * the last line. The keys are those of SystemTap's monitor (stap(1), --monitor).
 *
 * Output of the script may hold any bytes; it is drawn character by character, without control characters. When the
 * screen is closed, the output that was kept is written unchanged.
 */
#include <ncurses.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

/* <term.h> defines macros of these names. */
#undef columns
#undef lines

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/memory.h"
#include "common/base/read_write.h"
#include "common/base/utf8.h"
#include "monitor/monitor_view.h"
#include "staprun/status.h"

enum {
	KEPT_LINES = 4096, /* of the output */
	LONGEST_LINE = 4096,
	TAB_WIDTH = 8,
	ESCAPE = 27,
	FAR = 1 << 29, /* more lines than can exist */
};

enum sort_key { BY_INDEX, BY_STATE, BY_HITS, BY_LEAST, BY_AVERAGE, BY_MOST, BY_POINT, SORT_KEYS };

struct text_line {
	char *text;
	size_t length;
};

static struct {
	const char *module;
	const struct snapshot *snapshot;
	const struct watched_probe **order; /* of the snapshot's probes */
	enum sort_key sort_key;
	bool is_open, hides_status, scrolls_output, is_asking;
	unsigned int status_offset; /* lines above the visible part */
	unsigned int output_offset; /* lines below the visible part */
	unsigned int status_height, output_height;
	char answer[12]; /* index of the probe to switch, as typed so far */
	char message[256]; /* shown in the last line until the next key */
	struct text_line output[KEPT_LINES]; /* a ring; the oldest is at first_line */
	unsigned int first_line, line_count;
	bool last_is_open; /* the last line has no newline yet */
} view;

/* ---- output that is kept ----------------------------------------------------------------------------------------- */

static struct text_line *output_line(unsigned int number)
{
	return &view.output[(view.first_line + number) % KEPT_LINES];
}

static void add_line(void)
{
	if (view.line_count == KEPT_LINES) {
		free(output_line(0)->text);
		view.first_line = (view.first_line + 1) % KEPT_LINES;
		view.line_count--;
	}
	*output_line(view.line_count++) = (struct text_line){NULL, 0};
	/* If the user has scrolled back, keep the visible part in place. */
	if (view.output_offset && view.output_offset < KEPT_LINES)
		view.output_offset++;
}

/* Append to the last line if it is incomplete, else begin a new line. */
static void add_part(const char *text, size_t length)
{
	struct text_line *line;

	if (!view.last_is_open || output_line(view.line_count - 1)->length + length > LONGEST_LINE)
		add_line();
	line = output_line(view.line_count - 1);
	line->text = memory_resize(line->text, line->length + length + 1, 1);
	memcpy(line->text + line->length, text, length);
	line->length += length;
	line->text[line->length] = '\0';
	view.last_is_open = true;
}

static void keep_output(const char *text, size_t length)
{
	while (length) {
		const char *end = memchr(text, '\n', length);
		size_t part = end ? (size_t)(end - text) : length;

		/* Run at least once, so that an empty line is kept, too. */
		for (size_t done = 0; done < part || !done; done += LONGEST_LINE)
			add_part(text + done, part - done < LONGEST_LINE ? part - done : LONGEST_LINE);
		view.last_is_open = !end;
		part += end != NULL;
		text += part;
		length -= part;
	}
}

static void write_kept(void)
{
	for (unsigned int i = 0; i < view.line_count; i++) {
		write_all(STDOUT_FILENO, output_line(i)->text, output_line(i)->length);
		if (i + 1 < view.line_count || !view.last_is_open)
			write_all(STDOUT_FILENO, "\n", 1);
	}
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

/* Draw one character. Return the next column, or 0 if the character does not fit. @p size is its length in bytes. */
static int draw_character(int row, int column, int width, const char *text, size_t length, size_t *size)
{
	wchar_t wide[2] = {L'?', 0};
	mbstate_t state = {0};
	int columns = 1;

	*size = mbrtowc(wide, text, length, &state);
	if (*size == (size_t)-1 || *size == (size_t)-2 || !*size)
		*size = 1;
	else
		columns = wcwidth(wide[0]);
	if (*text == '\t')
		return column / TAB_WIDTH * TAB_WIDTH + TAB_WIDTH;
	if (columns < 0) {
		wide[0] = L'?';
		columns = 1;
	}
	if (column + columns > width)
		return 0;
	mvaddwstr(row, column, wide);
	return column + columns;
}

/*
 * Draw as much of a text as fits in the row. Leave the last column of the last row empty: writing there would scroll.
 */
static void draw_text(int row, const char *text, size_t length)
{
	int width = row == LINES - 1 ? COLS - 1 : COLS, column = 0;

	while (length && column < width) {
		size_t size;

		column = draw_character(row, column, width, text, length, &size);
		if (!column)
			return;
		text += size;
		length -= size;
	}
}

static void draw_format(int row, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void draw_format(int row, const char *format, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list args;

	va_start(args, format);
	text = text_vformat(format, args);
	va_end(args);
	draw_text(row, text, strlen(text));
}

/* Parts of text, laid out in lines as wide as the screen. */
struct paragraph {
	char **lines;
	unsigned int count;
};

static void paragraph_free(struct paragraph *paragraph)
{
	for (unsigned int i = 0; i < paragraph->count; i++)
		free(paragraph->lines[i]);
	free(paragraph->lines);
}

#define _cleanup_paragraph_ __attribute__((cleanup(paragraph_free)))

/* Begin a line with a part, which the paragraph frees. */
static void paragraph_line(struct paragraph *paragraph, char *part)
{
	paragraph->lines = memory_resize(paragraph->lines, paragraph->count + 1, sizeof(*paragraph->lines));
	paragraph->lines[paragraph->count++] = part;
}

/* Put a part into the last line if it fits, else into a new one. The last column stays empty. */
static void paragraph_add(struct paragraph *paragraph, char *part)
{
	char **last = paragraph->count ? &paragraph->lines[paragraph->count - 1] : NULL;
	char *joined = last ? text_format("%s  %s", *last, part) : NULL;

	if (!joined || utf8_columns(joined) >= COLS) {
		free(joined);
		paragraph_line(paragraph, part);
		return;
	}
	free(part);
	free(*last);
	*last = joined;
}

/* Position while drawing the status part, which may be only partly visible. */
struct status_writer {
	unsigned int line; /* the next line */
	unsigned int top; /* the first visible line */
};

/* Return the screen row of the next line, or -1 if it is not visible. */
static int next_row(struct status_writer *w)
{
	unsigned int line = w->line++;

	return line >= w->top && line - w->top < view.status_height ? (int)(line - w->top) : -1;
}

static const char *user_name(unsigned long long user)
{
	const struct passwd *entry = getpwuid(user);

	return entry ? entry->pw_name : "?";
}

/* Two lines on a wide screen. */
static struct paragraph head_lines(const struct control_status *status)
{
	unsigned long long up = status->uptime;
	struct paragraph head = {NULL, 0};

	paragraph_line(&head, text_format("%s", view.module));
	paragraph_add(&head, text_format("%s", control_state_text(status->state)));
	paragraph_add(&head, text_format(_("up %llu:%02llu:%02llu"), up / 3600, up / 60 % 60, up % 60));
	paragraph_add(&head, text_format(_("user %s (%llu)"), user_name(status->owner), status->owner));
	paragraph_add(&head, text_format(_("memory %llu KB"), control_memory(status) >> 10));
	paragraph_line(&head, text_format(_("hits %llu"), status->hits));
	paragraph_add(&head, text_format(_("errors %llu"), status->errors));
	paragraph_add(&head, text_format(_("skipped %llu"), control_skipped(status)));
	paragraph_add(&head, text_format(_("lost %llu"), status->lost));
	paragraph_add(&head, text_format(_("variables %llu KB"), status->memory_variables >> 10));
	paragraph_add(&head, text_format(_("output %llu KB"), status->memory_output >> 10));
	return head;
}

static void draw_head(struct status_writer *w, const struct control_status *status)
{
	_cleanup_paragraph_ struct paragraph head = head_lines(status);

	for (unsigned int i = 0; i < head.count; i++) {
		int row = next_row(w);

		if (row >= 0)
			draw_format(row, "%s", head.lines[i]);
	}
}

static void draw_global(struct status_writer *w, const struct watched_global *global)
{
	int row = next_row(w);

	if (row < 0)
		return;
	if (strcmp(global->count, "-") == 0)
		draw_format(row, "  %s = %s", global->name, global->value);
	else
		draw_format(row, "  %s[%s] = %s", global->name, global->count, global->value);
}

static void draw_probe_heads(struct status_writer *w)
{
	/* The widths are those of draw_probe(). */
	static const struct {
		const char *name;
		int width;
	} heads[SORT_KEYS] = {
		[BY_INDEX] = {N_("index"), 6},	[BY_STATE] = {N_("state"), -6}, [BY_HITS] = {N_("hits"), 10},
		[BY_LEAST] = {N_("min"), 10},	[BY_AVERAGE] = {N_("avg"), 10}, [BY_MOST] = {N_("max"), 10},
		[BY_POINT] = {N_("probe"), -1},
	};
	char *padded[SORT_KEYS];
	int row = next_row(w);

	if (row < 0)
		return;
	for (int i = 0; i < SORT_KEYS; i++) {
		bool is_sorted = view.sort_key == (enum sort_key)i;
		_cleanup_free_ char *marked = text_format("%s%s", is_sorted ? "*" : "", _(heads[i].name));

		padded[i] = utf8_padded(marked, heads[i].width);
	}
	attron(A_REVERSE);
	draw_format(row, "%s %s %s %s %s %s  %s%*s", padded[0], padded[1], padded[2], padded[3], padded[4], padded[5],
		    padded[6], COLS, "");
	attroff(A_REVERSE);
	for (int i = 0; i < SORT_KEYS; i++)
		free(padded[i]);
}

static void draw_probe(struct status_writer *w, const struct watched_probe *probe)
{
	_cleanup_free_ char *state = utf8_padded(control_state_text(probe->state), -6);
	int row = next_row(w);

	if (row >= 0)
		draw_format(row, "%6u %s %10lld %10lld %10lld %10lld  %s", probe->index, state, probe->hits,
			    probe->least, probe->average, probe->most, probe->point);
}

static int compare_numbers(long long left, long long right)
{
	return left > right ? -1 : left < right;
}

/* Sort numbers in descending order and everything else in ascending order; break ties by index. */
static int compare_probes(const void *left, const void *right)
{
	const struct watched_probe *a = *(const struct watched_probe *const *)left;
	const struct watched_probe *b = *(const struct watched_probe *const *)right;
	const int results[SORT_KEYS] = {
		[BY_STATE] = strcmp(a->state, b->state),
		[BY_HITS] = compare_numbers(a->hits, b->hits),
		[BY_LEAST] = compare_numbers(a->least, b->least),
		[BY_AVERAGE] = compare_numbers(a->average, b->average),
		[BY_MOST] = compare_numbers(a->most, b->most),
		[BY_POINT] = strcmp(a->point, b->point),
	};

	return results[view.sort_key] ? results[view.sort_key] : a->index < b->index ? -1 : a->index > b->index;
}

static void sort_probes(void)
{
	const struct snapshot *snapshot = view.snapshot;

	view.order = memory_resize(view.order, snapshot->probe_count + 1, sizeof(*view.order));
	for (unsigned int i = 0; i < snapshot->probe_count; i++)
		view.order[i] = &snapshot->probes[i];
	qsort(view.order, snapshot->probe_count, sizeof(*view.order), compare_probes);
}

static unsigned int status_lines(void)
{
	enum { TITLES = 1 };
	const struct snapshot *snapshot = view.snapshot;
	_cleanup_paragraph_ struct paragraph head = {NULL, 0};

	if (!snapshot)
		return 0;
	head = head_lines(&snapshot->status);
	return head.count + TITLES + snapshot->global_count + snapshot->probe_count;
}

static void draw_status(void)
{
	struct status_writer w = {.top = view.status_offset};
	const struct snapshot *snapshot = view.snapshot;

	if (!snapshot)
		return;
	draw_head(&w, &snapshot->status);
	for (unsigned int i = 0; i < snapshot->global_count; i++)
		draw_global(&w, &snapshot->globals[i]);
	draw_probe_heads(&w);
	for (unsigned int i = 0; i < snapshot->probe_count; i++)
		draw_probe(&w, view.order[i]);
}

static void draw_output(int top)
{
	unsigned int shown = view.line_count < view.output_height ? view.line_count : view.output_height;
	unsigned int first = view.line_count - shown;

	first -= first < view.output_offset ? first : view.output_offset;
	for (unsigned int i = 0; i < shown; i++)
		draw_text(top + i, output_line(first + i)->text, output_line(first + i)->length);
}

/* What the keys do. A key without a command concerns the screen only; see change_view(). */
static const struct {
	int key;
	const char *meaning, *command;
} key_meanings[] = {
	/* TRANSLATORS: keys and what they do; as short as possible. They are shown side by side. */
	{'c', N_("c reset"), "reset"},
	{'s', N_("s sort"), NULL},
	{'t', N_("t switch a probe"), NULL},
	{'p', N_("p pause"), "probe * off"},
	{'r', N_("r resume"), "probe * on"},
	{'x', N_("x hide"), NULL},
	{'\t', N_("Tab scroll the other part"), NULL},
	{'q', N_("q quit"), "quit"},
};

/* The lines at the bottom: the keys, a question, or a message. */
static struct paragraph last_lines(void)
{
	struct paragraph last = {NULL, 0};

	if (view.is_asking)
		paragraph_line(&last, text_format(_("index of the probe to switch: %s"), view.answer));
	else if (*view.message)
		paragraph_line(&last, text_format("%s", view.message));
	else
		for (size_t i = 0; i < sizeof(key_meanings) / sizeof(*key_meanings); i++)
			paragraph_add(&last, text_format("%s", _(key_meanings[i].meaning)));
	/* On a tiny screen, there are more important things than keys. */
	while (last.count > 1 && (int)last.count > LINES / 4)
		free(last.lines[--last.count]);
	return last;
}

static void draw_last_lines(const struct paragraph *last)
{
	for (unsigned int i = 0; i < last->count; i++)
		draw_format(LINES - (int)(last->count - i), "%s", last->lines[i]);
}

/* Give the status part the rows it needs, but leave at least a third of the screen to the output. */
static void share_screen(int last_lines_count)
{
	int separator = 1, free_rows = LINES - last_lines_count - separator;
	unsigned int rows = free_rows > 1 ? free_rows : 1, lines = view.hides_status ? 0 : status_lines();

	view.status_height = lines < rows * 2 / 3 ? lines : rows * 2 / 3;
	view.output_height = rows - view.status_height;
	if (view.status_offset > lines - view.status_height)
		view.status_offset = lines - view.status_height;
	if (view.output_offset > view.line_count)
		view.output_offset = view.line_count;
}

static void draw(void)
{
	_cleanup_paragraph_ struct paragraph last = {NULL, 0};

	if (!view.is_open)
		return;
	last = last_lines();
	share_screen(last.count);
	erase();
	if (!view.hides_status)
		draw_status();
	mvhline(view.status_height, 0, view.scrolls_output ? '=' : '-', COLS);
	draw_output(view.status_height + 1);
	draw_last_lines(&last);
	refresh();
}

/* ---- keys -------------------------------------------------------------------------------------------------------- */

static void scroll_by(long lines)
{
	/* The two offsets count in opposite directions. */
	unsigned int *offset = view.scrolls_output ? &view.output_offset : &view.status_offset;
	long wanted = (long)*offset + (view.scrolls_output ? -lines : lines);

	*offset = wanted < 0 ? 0 : wanted > FAR ? FAR : (unsigned int)wanted;
}

static bool scroll_key(int key)
{
	long page = view.scrolls_output ? view.output_height : view.status_height;
	const struct {
		int key;
		long lines;
	} moves[] = {{KEY_UP, -1},	{KEY_DOWN, 1},	  {KEY_PPAGE, -page},
		     {KEY_NPAGE, page}, {KEY_HOME, -FAR}, {KEY_END, FAR}};

	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		if (key != moves[i].key)
			continue;
		scroll_by(moves[i].lines);
		return true;
	}
	return false;
}

/* Format a command that toggles the probe whose index was typed. Return false if no such probe exists. */
static bool switch_command(char command[VIEW_COMMAND_SIZE])
{
	unsigned long index = strtoul(view.answer, NULL, 10);

	for (unsigned int i = 0; view.snapshot && *view.answer && i < view.snapshot->probe_count; i++) {
		const struct watched_probe *probe = &view.snapshot->probes[i];

		if (probe->index != index)
			continue;
		snprintf(command, VIEW_COMMAND_SIZE, "probe %lu %s", index, strcmp(probe->state, "off") ? "off" : "on");
		return true;
	}
	if (*view.answer)
		snprintf(view.message, sizeof(view.message), _("probe %s does not exist"), view.answer);
	return false;
}

/* Handle a key while the user types an index. */
static enum view_input answer_key(int key, char command[VIEW_COMMAND_SIZE])
{
	size_t length = strlen(view.answer);

	if (key >= '0' && key <= '9' && length < sizeof(view.answer) - 2) {
		view.answer[length] = key;
		view.answer[length + 1] = '\0';
	} else if (key == KEY_BACKSPACE || key == 127 || key == '\b') {
		view.answer[length ? length - 1 : 0] = '\0';
	} else if (key == '\n' || key == '\r' || key == KEY_ENTER) {
		view.is_asking = false;
		return switch_command(command) ? VIEW_COMMAND : VIEW_NOTHING;
	} else if (key == ESCAPE) {
		view.is_asking = false;
	}
	return VIEW_NOTHING;
}

static void change_view(int key)
{
	switch (key) {
	case 's':
		view.sort_key = (view.sort_key + 1) % SORT_KEYS;
		if (view.snapshot)
			sort_probes();
		break;
	case 't':
		view.is_asking = true;
		*view.answer = '\0';
		break;
	case 'x':
		view.hides_status = !view.hides_status;
		break;
	case '\t':
		view.scrolls_output = !view.scrolls_output;
		break;
	default:
		scroll_key(key);
	}
}

static enum view_input plain_key(int key, char command[VIEW_COMMAND_SIZE])
{
	for (size_t i = 0; i < sizeof(key_meanings) / sizeof(*key_meanings); i++) {
		if (key != key_meanings[i].key || !key_meanings[i].command)
			continue;
		snprintf(command, VIEW_COMMAND_SIZE, "%s", key_meanings[i].command);
		return VIEW_COMMAND;
	}
	change_view(key);
	return VIEW_NOTHING;
}

/* ---- the view ---------------------------------------------------------------------------------------------------- */

static struct error *check_screen(void)
{
	int status;

	if (setupterm(NULL, STDOUT_FILENO, &status) == OK)
		return NULL;
	return error_with_hint(error_new(ERROR_UNSUPPORTED, _("unknown terminal type '%s' (TERM)"),
					 getenv("TERM") ? getenv("TERM") : ""),
			       _("use stap --monitor=json or staprun -M 1,json"));
}

static void begin_screen(const char *module)
{
	view.module = module;
	set_escdelay(50);
	view.is_open = newterm(NULL, stdout, stdin) != NULL;
	if (!view.is_open)
		return;
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	draw();
}

static void output_screen(const char *text, size_t length, bool is_last)
{
	keep_output(text, length);
	draw();
}

static void show_screen(const struct snapshot *snapshot)
{
	view.snapshot = snapshot;
	sort_probes();
	draw();
}

static enum view_input input_screen(char command[VIEW_COMMAND_SIZE])
{
	int key;

	if (!view.is_open)
		return VIEW_CLOSED;
	while ((key = getch()) != ERR) {
		enum view_input input;

		*view.message = '\0';
		input = view.is_asking ? answer_key(key, command) : plain_key(key, command);
		draw();
		if (input != VIEW_NOTHING)
			return input;
	}
	return VIEW_NOTHING;
}

static void tell_screen(const char *message)
{
	snprintf(view.message, sizeof(view.message), "%s", message);
	draw();
}

static void end_screen(void)
{
	if (view.is_open)
		endwin();
	view.is_open = false;
	write_kept();
}

const struct view screen_view = {
	.check = check_screen,
	.begin = begin_screen,
	.output = output_screen,
	.show = show_screen,
	.input = input_screen,
	.tell = tell_screen,
	.end = end_screen,
};
