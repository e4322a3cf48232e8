/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of system calls as the translator sees it: which there are, and what their variables are called. */
#ifndef SPILE_PROBES_SYSCALL_ROWS_H
#define SPILE_PROBES_SYSCALL_ROWS_H

#include <stdbool.h>

enum { SYSCALL_ROW_ITEMS = 8 };

/* An argument, or a part of one; each name may be NULL. */
struct syscall_argument {
	int kind; /* enum syscall_kind; those of arguments are not 0, but for the first */
	const char *number, *text, *raw; /* variables: its value, its text, and a string's as it is */
};

struct syscall_row {
	const char *alias; /* "pread" */
	const char *name; /* what the variable `name` has */
	int number_64, number_32; /* -1: none */
	int argument_count;
	struct syscall_argument arguments[SYSCALL_ROW_ITEMS];
};

extern const struct syscall_row syscall_rows[];
extern const int syscall_row_count;

/** Is it there when the call returns? A string of a call that replaces the program is not. */
bool syscall_text_lasts(const struct syscall_row *row, const struct syscall_argument *argument);
/** No argument, but a part of one? */
bool syscall_argument_is_part(const struct syscall_argument *argument);
/** A part that there is at the return alone. */
bool syscall_argument_is_late(const struct syscall_argument *argument);

#endif
