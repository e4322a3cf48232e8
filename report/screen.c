// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Draw in place (see screen.h). The terminal's second screen is used, so the first one is as before when it is left.
 * Lines are drawn over those before, without erasing the screen first, which would flicker.
 *
 * The trap: the second screen and the invisible cursor must not remain when a signal stops or ends the program.
 * Handlers of the signals restore the terminal with write() only. SIGINT is not among them: it is for the script.
 */
#include "report/screen.h"

#include <glib.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/base/read_write.h"
#include "report/text_draw.h"

#define ENTER "\033[?1049h\033[?25l"
#define LEAVE "\033[?25h\033[?1049l"

enum { USUAL_COLUMNS = 80, USUAL_ROWS = 24, TAB_STOP = 8 };

static const int ending_signals[] = {SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};

static volatile sig_atomic_t is_open, must_be_drawn;

void screen_size(unsigned int *columns, unsigned int *rows)
{
	struct winsize size;
	bool is_known = !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);

	*columns = is_known && size.ws_col ? size.ws_col : USUAL_COLUMNS;
	*rows = is_known && size.ws_row ? size.ws_row : USUAL_ROWS;
}

/* ---- signals ----------------------------------------------------------------------------------------------------- */

static void leave(void)
{
	if (is_open)
		(void)!write(STDOUT_FILENO, LEAVE, strlen(LEAVE));
}

static void watch_signals(void);

/* Restore the terminal, then let the signal take its default effect. After a stop, draw again. */
static void end_or_stop(int number)
{
	struct sigaction usual = {.sa_handler = SIG_DFL};
	sigset_t this;

	leave();
	sigaction(number, &usual, NULL);
	raise(number);
	sigemptyset(&this);
	sigaddset(&this, number);
	sigprocmask(SIG_UNBLOCK, &this, NULL);
	/* Only a stopped process comes here, when it is continued. */
	watch_signals();
	if (is_open)
		(void)!write(STDOUT_FILENO, ENTER, strlen(ENTER));
	must_be_drawn = true;
}

static void note_size(int number)
{
	must_be_drawn = true;
}

static void watch_signals(void)
{
	/* Without SA_RESTART, so that waiting ends and the screen is drawn again. */
	struct sigaction end = {.sa_handler = end_or_stop}, size = {.sa_handler = note_size}, before;

	sigfillset(&end.sa_mask);
	for (size_t i = 0; i < G_N_ELEMENTS(ending_signals); i++) {
		/* Signals that the caller ignores stay ignored. */
		if (!sigaction(ending_signals[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(ending_signals[i], &end, NULL);
	}
	sigaction(SIGWINCH, &size, NULL);
}

bool screen_must_be_drawn(void)
{
	return is_open && must_be_drawn;
}

static void open_screen(void)
{
	if (is_open)
		return;
	watch_signals();
	is_open = true;
	(void)!write_all(STDOUT_FILENO, ENTER, strlen(ENTER));
}

void screen_close(void)
{
	if (!is_open)
		return;
	leave();
	is_open = false;
	for (size_t i = 0; i < G_N_ELEMENTS(ending_signals); i++)
		signal(ending_signals[i], SIG_DFL);
	signal(SIGWINCH, SIG_DFL);
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

/*
 * Append a line, cut to a number of columns. Sequences that select colors take no columns. Return the text after the
 * line.
 */
static const char *append_line(GString *out, const char *at, guint columns)
{
	guint used = 0;

	while (*at && *at != '\n') {
		const char *next = *at == '\033' ? at + strcspn(at, "m") : g_utf8_next_char(at);
		guint width = *at == '\033' ? 0 : *at == '\t' ? TAB_STOP - used % TAB_STOP : character_columns(at);

		next += *at == '\033' && *next;
		if (used + width <= columns && *at == '\t')
			g_string_append_printf(out, "%*s", (int)width, "");
		else if (used + width <= columns)
			g_string_append_len(out, at, next - at);
		/* If a wide character does not fit, drop the rest of the line, too. */
		used += used + width <= columns ? width : columns;
		at = next;
	}
	g_string_append(out, "\033[0m\033[K");
	return at;
}

void screen_draw(const char *text)
{
	g_autoptr(GString) out = g_string_new("\033[H");
	unsigned int columns, rows;

	open_screen();
	must_be_drawn = false;
	screen_size(&columns, &rows);
	for (guint row = 0; row < rows && *text; row++) {
		g_string_append(out, row ? "\r\n" : "");
		text = append_line(out, text, columns);
		text += *text == '\n';
	}
	g_string_append(out, "\033[J");
	/* At the end, standard_output_finish() reports failures. */
	(void)!write_all(STDOUT_FILENO, out->str, out->len);
}
