/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The console of a guest: keeps its text and finds the kernel's error messages in it; see console.c. */
#ifndef SPILE_VM_CONSOLE_H
#define SPILE_VM_CONSOLE_H

#include <glib.h>
#include <stddef.h>

/** How bad an error message of the kernel is. */
enum severity { SEVERITY_WARNING, SEVERITY_BUG, SEVERITY_OOPS, SEVERITY_PANIC };

struct console {
	GString *text; /* the last CONSOLE_KEPT bytes */
	gsize scanned; /* offset of the first line that was not scanned */
	guint64 lines; /* number of lines scanned so far */
	GString *oops; /* the first lines of the first oops, which may be the cause of all others */
	guint64 oops_line; /* line number of the first oops */
	gsize mark; /* offset of the line of console_mark() */
};

/** Called for a line with an error message, before the next line is scanned. @p meaning is translated. */
typedef void console_trouble(void *data, enum severity severity, const char *meaning);

void console_init(struct console *console);
/** Forget everything, for another guest. */
void console_clear(struct console *console);
/** Append output of the guest and scan the lines that are complete. */
void console_add(struct console *console, const char *text, size_t length, console_trouble *trouble, void *data);
/** Mark the line that is being scanned, for console_since_mark(). */
void console_mark(struct console *console);
/** Return the text from the marked line on, as far as a report shows it. *length is set to its length. */
const char *console_since_mark(const struct console *console, size_t *length);
/** Return the end of the console, preceded by the first oops if that is not included. To be freed. */
char *console_last_words(const struct console *console);

#endif
