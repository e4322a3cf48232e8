// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Handle trouble in the guest: watch the console, report the kernel's errors to the clients whose commands ran, and
 * declare the guest dead.
 *
 * The trap: not every error message of the kernel means the end.
 * - A guest that has panicked may never exit, so it is declared dead.
 * - One that has oopsed may continue with a lock held forever, so running commands get OOPS_SECONDS to end.
 * - One that has printed "BUG:" or "WARNING:" usually still works, so the report is only attached to the end of the
 *   commands that ran when it came.
 */
#include "vm/hub_state.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/base/i18n.h"

enum {
	FAREWELL_SECONDS = 5, /* for clients to read that QEMU has ended */
	OBITUARY_SECONDS = 600, /* for clients to ask what happened to a guest that panicked */
	OOPS_SECONDS = 10, /* for commands to end after an oops */
	CONSOLE_ROUND = 1024 * 1024, /* most that is read at once, before clients are served */
};

/* ---- reports to clients ------------------------------------------------------------------------------------------ */

void hub_fail_client(struct hub *hub, struct client *client, const char *meaning)
{
	g_autofree char *text = NULL, *words = NULL;

	if (client->running)
		link_send(&hub->agent, FRAME_CANCEL, 0, client->channel, NULL, 0);
	client->running = false;
	if (client->told)
		return;
	client->told = true;
	words = console_last_words(&hub->console);
	text = g_strdup_printf("%s\n%s", meaning, words);
	link_send(&client->link, FRAME_FAILED, 0, 0, text, strlen(text));
}

void hub_set_deadline(struct hub *hub, int seconds, const char *meaning)
{
	hub->deadline = g_get_monotonic_time() + seconds * G_USEC_PER_SEC;
	hub->meaning = meaning;
}

void hub_declare_dead(struct hub *hub, const char *meaning)
{
	if (hub->dead)
		return;
	hub->dead = true;
	hub_set_deadline(hub, hub->panicked ? OBITUARY_SECONDS : FAREWELL_SECONDS, meaning);
	for (guint i = 0; i < hub->clients->len; i++)
		hub_fail_client(hub, hub->clients->pdata[i], meaning);
}

void hub_write_console(struct hub *hub, const char *text, size_t length)
{
	if (hub->options->console_file >= 0 && write(hub->options->console_file, text, length) < 0)
		hub_declare_dead(hub, _("cannot write the console to its file"));
}

/* Return the console text from the line of the first error on. */
static char *report_text(const struct hub *hub)
{
	size_t length;
	const char *text = console_since_mark(&hub->console, &length);

	return g_strdup_printf("%s\n%.*s", hub->report, (int)length, text);
}

void hub_report_ended(struct hub *hub)
{
	g_autofree char *text = report_text(hub);
	bool troubled = false;

	for (guint i = 0; i < hub->clients->len; i++) {
		struct client *client = hub->clients->pdata[i];

		if (client->ended) {
			link_send(&client->link, FRAME_REPORT, 0, 0, text, strlen(text));
			link_send_number(&client->link, FRAME_EXIT, 0, 0, client->status);
			client->ended = client->troubled = false;
		}
		troubled = troubled || client->troubled;
	}
	if (!troubled)
		hub->report = NULL;
}

void hub_fail_running(struct hub *hub)
{
	for (guint i = 0; i < hub->clients->len; i++) {
		struct client *client = hub->clients->pdata[i];

		if (!client->running || !client->troubled)
			continue;
		client->troubled = false;
		hub_fail_client(hub, client, hub->meaning);
	}
	hub->meaning = NULL;
}

/* ---- watching the console ---------------------------------------------------------------------------------------- */

/* Mark the commands running now, to report the error when they end. */
static void note_report(struct hub *hub, const char *meaning)
{
	for (guint i = 0; i < hub->clients->len; i++) {
		struct client *client = hub->clients->pdata[i];

		if (!client->running)
			continue;
		client->troubled = true;
		if (!hub->report)
			console_mark(&hub->console);
		hub->report = hub->report ?: meaning;
	}
}

static void note_trouble(void *data, enum severity severity, const char *meaning)
{
	struct hub *hub = data;

	if (severity == SEVERITY_PANIC) {
		/* A panic takes precedence over the error that caused it. */
		hub->panicked = true;
		hub_set_deadline(hub, REPORT_SECONDS, meaning);
	} else if (hub->ready && !hub->panicked) {
		note_report(hub, meaning);
		if (severity == SEVERITY_OOPS && !hub->meaning)
			hub_set_deadline(hub, OOPS_SECONDS, meaning);
	}
}

/* Read from the console. Return the number of bytes, 0 if none are available, or -1 at its end. */
static ssize_t read_console(struct hub *hub)
{
	char text[4096];
	ssize_t count = read(hub->qemu.console, text, sizeof(text));

	if (count < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (count <= 0)
		return -1;
	/* Hold back the console of a restored guest, which may still be replaced by another. */
	if (hub->phase != PHASE_RESTORED)
		hub_write_console(hub, text, count);
	console_add(&hub->console, text, count, note_trouble, hub);
	return count;
}

/* Read up to a limit, so that a flood of output does not keep the hub from serving clients. */
bool hub_watch_console(struct hub *hub)
{
	size_t total = 0;
	ssize_t count;

	do {
		count = read_console(hub);
		if (count < 0)
			return false;
		total += count;
	} while (count && total < CONSOLE_ROUND);
	return true;
}
