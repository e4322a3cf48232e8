// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A terminal for a program that draws on it. "terminal COMMAND..." runs the command on a VT100 with 24 lines and 80
 * columns, and obeys these lines of standard input:
 *
 *     wait TEXT   wait until the screen shows the text, at most a minute
 *     gone TEXT   wait until the screen no longer shows it
 *     keys TEXT   type the text; \t, \r, \e and \DIGITS (octal) stand for one character
 *     signal N    send the signal to the foreground process group of the terminal
 *     show        print the screen
 *     mode        print whether the terminal edits lines ("cooked") or not ("raw")
 *     rest        wait for the program's end, and print its output since the last key or signal
 *
 * The exit status is the program's. It is 90 if a text was not seen, which is reported together with the screen.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 24, COLUMNS = 80, PARAMETERS = 8, LIMIT_SECONDS = 60, NOT_SEEN = 90 };

static char screen[ROWS][COLUMNS + 1];
static int row, column, top, bottom = ROWS - 1;
static bool wraps; /* the next character begins a line */
static char *everything; /* all output so far */
static size_t written;

/* ---- the screen -------------------------------------------------------------------------------------------------- */

static void clear(int line, int from, int to)
{
	memset(screen[line] + from, ' ', to - from);
}

static void scroll(int by)
{
	if (by > 0) {
		memmove(screen[top], screen[top + 1], (bottom - top) * sizeof(screen[0]));
		clear(bottom, 0, COLUMNS);
	} else {
		memmove(screen[top + 1], screen[top], (bottom - top) * sizeof(screen[0]));
		clear(top, 0, COLUMNS);
	}
}

static void line_feed(void)
{
	if (row == bottom)
		scroll(1);
	else if (row < ROWS - 1)
		row++;
}

static void reverse_line_feed(void)
{
	if (row == top)
		scroll(-1);
	else if (row)
		row--;
}

static int limited(int value, int limit)
{
	return value < 0 ? 0 : value > limit ? limit : value;
}

static void erase_lines(int what)
{
	for (int i = what ? 0 : row + 1; i < (what == 1 ? row : ROWS); i++)
		clear(i, 0, COLUMNS);
	if (what != 2)
		clear(row, what ? 0 : column, what ? column + 1 : COLUMNS);
}

static void control_sequence(char final, const int *parameters)
{
	int first = parameters[0], times = first ? first : 1;

	wraps = false;
	switch (final) {
	case 'H':
		row = limited(first - 1, ROWS - 1);
		column = limited(parameters[1] - 1, COLUMNS - 1);
		break;
	case 'A':
		row = limited(row - times, ROWS - 1);
		break;
	case 'B':
		row = limited(row + times, ROWS - 1);
		break;
	case 'C':
		column = limited(column + times, COLUMNS - 1);
		break;
	case 'D':
		column = limited(column - times, COLUMNS - 1);
		break;
	case 'J':
		erase_lines(first);
		break;
	case 'K':
		clear(row, first ? 0 : column, first == 1 ? column + 1 : COLUMNS);
		break;
	case 'r':
		top = first ? first - 1 : 0;
		bottom = parameters[1] ? parameters[1] - 1 : ROWS - 1;
		row = column = 0;
		break;
	}
}

static void put(unsigned char c)
{
	if (wraps) {
		column = 0;
		line_feed();
		wraps = false;
	}
	screen[row][column] = c;
	if (column < COLUMNS - 1)
		column++;
	else
		wraps = true;
}

static void plain_character(unsigned char c)
{
	switch (c) {
	case '\n':
		line_feed();
		break;
	case '\r':
		column = 0;
		wraps = false;
		break;
	case '\b':
		column = limited(column - 1, COLUMNS - 1);
		break;
	case '\t':
		column = limited(column / 8 * 8 + 8, COLUMNS - 1);
		break;
	default:
		if (c >= ' ')
			put(c);
	}
}

/* Interpret the bytes after ESC. Return false if the sequence is incomplete. */
static bool take_escape(const char *text, size_t length, size_t *used)
{
	int parameters[PARAMETERS] = {0}, count = 0;
	size_t i = 1;

	if (length < 2)
		return false;
	*used = 2;
	if (text[0] == '(' || text[0] == ')')
		return true;
	*used = 1;
	if (text[0] == 'M')
		reverse_line_feed();
	if (text[0] != '[')
		return true;
	for (; i < length && (unsigned char)text[i] < '@'; i++) {
		if (text[i] == ';' && count < PARAMETERS - 1)
			count++;
		else if (text[i] >= '0' && text[i] <= '9')
			parameters[count] = 10 * parameters[count] + text[i] - '0';
	}
	if (i == length)
		return false;
	*used = i + 1;
	control_sequence(text[i], parameters);
	return true;
}

/* Draw text. Return how many bytes were used. */
static size_t draw(const char *text, size_t length)
{
	size_t i = 0, used;

	while (i < length) {
		if (text[i] != '\033') {
			plain_character(text[i++]);
			continue;
		}
		if (!take_escape(text + i + 1, length - i - 1, &used))
			return i;
		i += 1 + used;
	}
	return i;
}

static void show(void)
{
	for (int i = 0; i < ROWS; i++) {
		int length = COLUMNS;

		while (length && screen[i][length - 1] == ' ')
			length--;
		printf("|%.*s\n", length, screen[i]);
	}
	fflush(stdout);
}

static bool shows(const char *text)
{
	for (int i = 0; i < ROWS; i++)
		if (strstr(screen[i], text))
			return true;
	return false;
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

static int terminal;
static size_t drawn;
static size_t answered; /* bytes of output before the last key or signal */

/* Read output. Return false if the program has ended. */
static bool look(int milliseconds)
{
	struct pollfd from = {.fd = terminal, .events = POLLIN};
	char text[4096];
	ssize_t got;

	if (poll(&from, 1, milliseconds) <= 0)
		return true;
	got = read(terminal, text, sizeof(text));
	if (got <= 0)
		return false;
	everything = realloc(everything, written + got);
	memcpy(everything + written, text, got);
	written += got;
	drawn += draw(everything + drawn, written - drawn);
	return true;
}

static void await(const char *text, bool is_there)
{
	time_t limit = time(NULL) + LIMIT_SECONDS;
	bool alive = true;

	while (shows(text) != is_there) {
		if (alive && time(NULL) < limit) {
			alive = look(100);
			continue;
		}
		printf("'%s' is %s the screen:\n", text, is_there ? "not on" : "still on");
		show();
		exit(NOT_SEEN);
	}
}

static void type(const char *text)
{
	static const char names[] = "tre", values[] = "\t\r\033";

	for (; *text; text++) {
		char c = *text, *end;
		const char *name = text[0] == '\\' && text[1] ? strchr(names, text[1]) : NULL;

		if (name) {
			c = values[name - names];
			text++;
		} else if (c == '\\') {
			c = strtol(text + 1, &end, 8);
			text = end - 1;
		}
		answered = written;
		if (write(terminal, &c, 1) != 1)
			perror("terminal");
		look(20);
	}
}

static void send_signal(int number)
{
	pid_t foreground;

	answered = written;
	if (ioctl(terminal, TIOCGPGRP, &foreground) || kill(-foreground, number))
		perror("terminal");
}

static void rest(void)
{
	while (look(LIMIT_SECONDS * 1000))
		;
	for (size_t i = answered; i < written; i++)
		if (everything[i] != '\r')
			putchar(everything[i]);
	fflush(stdout);
}

/* Show the screen when nothing has been drawn for some time. */
static void show_settled(void)
{
	size_t before;

	do {
		before = written;
	} while (look(200) && written != before);
	show();
}

static void show_mode(void)
{
	struct termios mode;

	puts(tcgetattr(terminal, &mode) || !(mode.c_lflag & ICANON) || !(mode.c_lflag & ECHO) ? "raw" : "cooked");
	fflush(stdout);
}

static void obey(char *line)
{
	char *argument = strchr(line, ' ');
	line[strcspn(line, "\n")] = '\0';
	if (argument)
		*argument++ = '\0';
	if (!strcmp(line, "wait"))
		await(argument, true);
	else if (!strcmp(line, "gone"))
		await(argument, false);
	else if (!strcmp(line, "keys"))
		type(argument);
	else if (!strcmp(line, "signal"))
		send_signal(atoi(argument));
	else if (!strcmp(line, "show"))
		show_settled();
	else if (!strcmp(line, "mode"))
		show_mode();
	else if (!strcmp(line, "rest"))
		rest();
}

int main(int argc, char **argv)
{
	struct winsize size = {.ws_row = ROWS, .ws_col = COLUMNS};
	char line[512];
	int status;
	pid_t pid;

	erase_lines(2);
	pid = forkpty(&terminal, NULL, NULL, &size);
	if (pid < 0 || argc < 2) {
		perror("terminal");
		return 1;
	}
	if (!pid) {
		setenv("TERM", "vt100", 1);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	while (fgets(line, sizeof(line), stdin))
		obey(line);
	while (look(LIMIT_SECONDS * 1000))
		;
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
