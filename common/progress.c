// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Show slow steps in a line on the terminal.
 *
 * The line appears on standard error, if that is a terminal, when a step has taken over a second; it is erased when the
 * step ends. So output to a file or pipe never depends on the speed of the machine. Steps of several threads may
 * overlap; the line shows the one that began last.
 *
 * A separate thread writes the line, because that of the step is busy. The first step starts it; it runs until the
 * program ends.
 */
#include "common/progress.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE G_USEC_PER_SEC

struct progress {
	char *text;
	gint64 since; /* g_get_monotonic_time() */
};

static GMutex mutex;
static GCond changed;
static GPtrArray *steps; /* of struct progress *, in order of beginning; NULL: no terminal, or no step yet */
static const struct progress *shown;

/* Erase the line. The caller holds the mutex. */
static void erase(void)
{
	static const char line[] = "\r\033[K";

	if (shown && write(STDERR_FILENO, line, strlen(line)) < 0) {
		/* Ignore errors. */
	}
	shown = NULL;
}

static void show(const struct progress *step)
{
	g_autofree char *line = NULL;

	if (step == shown)
		return;
	erase();
	line = g_strdup_printf("%s …", step->text);
	if (write(STDERR_FILENO, line, strlen(line)) >= 0)
		shown = step;
}

static gpointer show_steps(gpointer unused)
{
	g_mutex_lock(&mutex);
	for (;;) {
		const struct progress *last = steps->len ? g_ptr_array_index(steps, steps->len - 1) : NULL;

		if (!last || last == shown)
			g_cond_wait(&changed, &mutex);
		else if (g_get_monotonic_time() >= last->since + PATIENCE)
			show(last);
		else
			g_cond_wait_until(&changed, &mutex, last->since + PATIENCE);
	}
	return NULL;
}

bool progress_is_shown(void)
{
	const char *terminal = g_getenv("TERM");

	return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb");
}

static bool start(void)
{
	if (steps)
		return true;
	if (!progress_is_shown())
		return false;
	steps = g_ptr_array_new();
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
