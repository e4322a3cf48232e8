// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Show slow steps in a line on the terminal.
 *
 * The line appears on standard error, if that is a terminal, when a step has taken over a second; it is erased when the
 * step ends. So output to a file or pipe never depends on the speed of the machine. Steps of several threads may
 * overlap; the line shows the one that began last.
 *
 * A separate thread writes the line, because that of the step is busy. The first step starts it; it runs until the
 * program ends. If a signal ends the program, the line is erased first.
 */
#include "common/progress.h"

#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/base/i18n.h"
#include "common/base/message.h"

#define PATIENCE G_USEC_PER_SEC
#define REFRESH (G_USEC_PER_SEC / 4)

struct progress {
	char *text;
	gint64 since; /* g_get_monotonic_time() */
	guint64 done, total; /* bytes; total is 0 if unknown */
	progress_measure *measure;
	void *data;
};

static GMutex mutex;
static GCond changed;
static GPtrArray *steps; /* of struct progress *, in order of beginning; NULL: no terminal, or no step yet */
static const struct progress *shown;
static char *shown_line;

/* Also called by a signal handler. */
static void erase_line(void)
{
	static const char line[] = "\r\033[K";

	if (write(STDERR_FILENO, line, strlen(line)) < 0) {
		/* Ignore errors. */
	}
}

/* Erase the line. The caller holds the mutex. */
static void erase(void)
{
	if (shown)
		erase_line();
	shown = NULL;
	g_clear_pointer(&shown_line, g_free);
}

/* Cut a line to the width of the terminal, because a line that continues on the next one cannot be erased. */
static void cut(char *line)
{
	struct winsize size = {0};
	glong most;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || !size.ws_col)
		return;
	most = MAX(size.ws_col - 3, 0); /* without " …" */
	if (g_utf8_validate(line, -1, NULL) && g_utf8_strlen(line, -1) > most)
		*g_utf8_offset_to_pointer(line, most) = '\0';
}

static char *line_of(const struct progress *step)
{
	g_autofree char *done = NULL, *total = NULL, *text = NULL;

	if (!step->total)
		text = g_strdup(step->text);
	else {
		done = g_format_size(MIN(step->done, step->total));
		total = g_format_size(step->total);
		text = g_strdup_printf(_("%s: %s of %s"), step->text, done, total);
	}
	cut(text);
	return g_strconcat(text, " …", NULL);
}

static void show(struct progress *step)
{
	g_autofree char *line = NULL;

	if (step->measure)
		step->done = step->measure(step->data);
	line = line_of(step);
	if (step == shown && !strcmp(line, shown_line))
		return;
	erase();
	if (write(STDERR_FILENO, line, strlen(line)) < 0)
		return;
	shown = step;
	shown_line = g_steal_pointer(&line);
}

static gpointer show_steps(gpointer unused)
{
	g_mutex_lock(&mutex);
	for (;;) {
		struct progress *last = steps->len ? g_ptr_array_index(steps, steps->len - 1) : NULL;
		gint64 now = g_get_monotonic_time();

		if (!last || (last == shown && !last->total)) {
			g_cond_wait(&changed, &mutex);
		} else if (now < last->since + PATIENCE) {
			g_cond_wait_until(&changed, &mutex, last->since + PATIENCE);
		} else {
			show(last);
			if (last->total)
				g_cond_wait_until(&changed, &mutex, now + REFRESH);
		}
	}
	return NULL;
}

static void end_by_signal(int number)
{
	if (shown)
		erase_line();
	/* The handler was reset when it began. */
	raise(number);
}

/* Leave signals alone that the program handles or ignores. */
static void handle_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction ours = {.sa_handler = end_by_signal, .sa_flags = SA_RESETHAND | SA_NODEFER}, theirs;

	for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
		if (!sigaction(signals[i], NULL, &theirs) && !(theirs.sa_flags & SA_SIGINFO) &&
		    theirs.sa_handler == SIG_DFL)
			sigaction(signals[i], &ours, NULL);
}

bool progress_is_shown(void)
{
	const char *terminal = g_getenv("TERM");

	return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") && !messages_are_json();
}

static bool start(void)
{
	if (steps)
		return true;
	if (!progress_is_shown())
		return false;
	steps = g_ptr_array_new();
	handle_signals();
	g_thread_unref(g_thread_new("progress", show_steps, NULL));
	return true;
}

struct progress *progress_begin(const char *format, ...)
{
	struct progress *step = NULL;
	va_list args;

	g_mutex_lock(&mutex);
	if (start()) {
		step = g_new0(struct progress, 1);
		va_start(args, format);
		step->text = g_strdup_vprintf(format, args);
		va_end(args);
		step->since = g_get_monotonic_time();
		g_ptr_array_add(steps, step);
		g_cond_signal(&changed);
	}
	g_mutex_unlock(&mutex);
	return step;
}

void progress_amount(struct progress *step, uint64_t done, uint64_t total)
{
	if (!step)
		return;
	g_mutex_lock(&mutex);
	if (!step->total)
		g_cond_signal(&changed);
	step->done = done;
	step->total = total;
	g_mutex_unlock(&mutex);
}

void progress_watch(struct progress *step, uint64_t total, progress_measure *measure, void *data)
{
	if (!step)
		return;
	g_mutex_lock(&mutex);
	step->total = total;
	step->measure = measure;
	step->data = data;
	g_cond_signal(&changed);
	g_mutex_unlock(&mutex);
}

void progress_end(struct progress *step)
{
	if (!step)
		return;
	g_mutex_lock(&mutex);
	if (step == shown)
		erase();
	g_ptr_array_remove(steps, step);
	g_cond_signal(&changed);
	g_mutex_unlock(&mutex);
	g_free(step->text);
	g_free(step);
}

void progress_clear(void)
{
	g_mutex_lock(&mutex);
	erase();
	g_mutex_unlock(&mutex);
}
