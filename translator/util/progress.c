// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A line that says what takes so long.
 *
 * It shows on standard error, if that is a terminal, while a step has been under way for over a second, and is taken
 * away when the step ends: what a program writes to a file or a pipe is not changed by how fast the machine is. Steps
 * of several threads may overlap; the line is about the one that began last.
 *
 * A thread of its own writes the line, for the step's thread is busy. It is started with the first step and waits for
 * steps until the program ends.
 */
#include "translator/util/progress.h"

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
static GPtrArray *steps; /* of struct progress *, in the order of their beginning; NULL: no terminal, or no step yet */
static const struct progress *shown;

/* The mutex is held. */
static void erase(void)
{
	static const char line[] = "\r\033[K";

	if (shown && write(STDERR_FILENO, line, strlen(line)) < 0) {
		/* Nothing depends on it. */
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
