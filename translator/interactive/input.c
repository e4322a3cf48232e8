// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines of input. On a terminal, readline edits them, with completion and a history in a file of the user. From a pipe
 * or a file they are read as they are, without a prompt.
 *
 * readline is used through its callbacks, so that this file waits for input itself: Ctrl-C abandons a line without a
 * jump out of a signal handler.
 */
#include "translator/interactive/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>
#ifdef HAVE_READLINE
#include <readline/history.h>
#include <readline/readline.h>
#endif

#include "common/user_directories.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/message.h"

enum {
	LONGEST_LINE = 1 << 20, /* bytes */
	MOST_HISTORY = 2000, /* lines */
};

struct input {
	struct input_callbacks callbacks;
	bool is_terminal;
	GString *read; /* what was read from a pipe and not yet returned */
	bool is_at_end;
	bool is_asking; /* the line is an answer, which is not remembered */
	char *history; /* the file; or NULL */
};

static volatile sig_atomic_t interrupted, ending, stopping, resized;

void input_note_signal(int number)
{
	if (number == SIGINT)
		interrupted = 1;
	else if (number == SIGTSTP)
		stopping = 1;
	else if (number == SIGWINCH)
		resized = 1;
	else
		ending = number;
}

int input_signal(void)
{
	return ending;
}

static void catch_signals(bool is_terminal)
{
	static const int always[] = {SIGTERM, SIGHUP}, on_terminal[] = {SIGINT, SIGTSTP, SIGWINCH};
	struct sigaction action = {.sa_handler = input_note_signal};

	for (size_t i = 0; i < G_N_ELEMENTS(always); i++)
		sigaction(always[i], &action, NULL);
	for (size_t i = 0; is_terminal && i < G_N_ELEMENTS(on_terminal); i++)
		sigaction(on_terminal[i], &action, NULL);
}

bool input_is_terminal(const struct input *input)
{
	return input->is_terminal;
}

static bool has_signal(void)
{
	return ending || interrupted || stopping || resized;
}

/*
 * Wait for input. Signals are blocked but while this waits, so that none can arrive between a test and the wait. Return
 * false if a signal arrived. If there is input, too, ppoll() leaves the signal pending, and it arrives afterwards: the
 * input must stay, because what was typed after Ctrl-C belongs to the next line.
 */
static bool wait_for_input(void)
{
	struct pollfd from = {.fd = STDIN_FILENO, .events = POLLIN};
	sigset_t all, before;
	bool is_ready;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	is_ready = !has_signal() && ppoll(&from, 1, NULL, &before) > 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return is_ready && !has_signal();
}

/* ---- pipes ------------------------------------------------------------------------------------------------------- */

/* Read more. Return false at the end of the input. */
static bool read_more(struct input *input)
{
	char block[65536];
	ssize_t size = wait_for_input() ? read(STDIN_FILENO, block, sizeof(block)) : 0;

	if (size <= 0) {
		input->is_at_end = true;
		return false;
	}
	g_string_append_len(input->read, block, size);
	return true;
}

/* Skip the rest of a line. */
static void skip_line(struct input *input)
{
	const char *end;

	while (!(end = memchr(input->read->str, '\n', input->read->len))) {
		g_string_truncate(input->read, 0);
		if (!read_more(input))
			return;
	}
	g_string_erase(input->read, 0, end + 1 - input->read->str);
}

static enum line_outcome refuse_line(const char *why)
{
	message_print(MESSAGE_ERROR, why, _("the line is ignored"), NULL);
	return LINE_REFUSED;
}

static enum line_outcome too_long(void)
{
	g_autofree char *text = g_strdup_printf(_("a line has more than %d bytes"), LONGEST_LINE);

	return refuse_line(text);
}

static enum line_outcome line_from_pipe(struct input *input, char **ret)
{
	const char *end;
	size_t length;

	while (!(end = memchr(input->read->str, '\n', input->read->len)) && input->read->len <= LONGEST_LINE &&
	       !input->is_at_end)
		read_more(input);
	if (ending || (!input->read->len && input->is_at_end))
		return LINE_END;
	length = end ? (size_t)(end - input->read->str) : input->read->len;
	if (length > LONGEST_LINE) {
		skip_line(input);
		return too_long();
	}
	*ret = g_strndup(input->read->str, length);
	g_string_erase(input->read, 0, (gssize)(length + (end != NULL)));
	if (strlen(*ret) == length)
		return LINE_READ;
	g_clear_pointer(ret, g_free);
	return refuse_line(_("a line has a NUL byte"));
}

/* ---- terminals --------------------------------------------------------------------------------------------------- */

#ifdef HAVE_READLINE

static struct input *reading; /* readline's callbacks have no argument */
static char *typed; /* the line; NULL: the end of input */
static bool is_typed;

static void take_line(char *line)
{
	/* Without this, readline would show the next prompt. */
	rl_callback_handler_remove();
	typed = line;
	is_typed = true;
}

/* Return the candidates as readline wants them: the first is what all have in common. */
static char **candidates(const char *word, int start, int end)
{
	size_t from, skipped;
	GPtrArray *found = reading->callbacks.complete(reading->callbacks.data, rl_line_buffer, (size_t)end, &from);
	char **matches = found->len ? calloc(found->len + 2, sizeof(*matches)) : NULL;
	size_t common = SIZE_MAX;

	rl_attempted_completion_over = 1;
	rl_completion_append_character = '\0';
	rl_sort_completion_matches = 0;
	for (guint i = 0; matches && i < found->len; i++) {
		const char *text = found->pdata[i];

		/* readline replaces its own idea of the word. */
		skipped = from < (size_t)start ? MIN(strlen(text), (size_t)start - from) : 0;
		matches[i + 1] = from > (size_t)start ? g_strdup_printf("%.*s%s", (int)(from - (size_t)start),
									rl_line_buffer + start, text)
						      : strdup(text + skipped);
		for (size_t k = 0; k < common; k++)
			if (matches[i + 1][k] != matches[1][k] || !matches[1][k])
				common = k;
	}
	if (matches)
		matches[0] = strndup(matches[1], common);
	if (found->len == 1)
		g_clear_pointer(&matches[1], free);
	g_ptr_array_unref(found);
	return matches;
}

/* Add a line to the history, and to its file at once, in case the session is killed. */
static void remember(struct input *input, const char *line)
{
	const HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;

	if (!*line || input->is_asking || (last && !strcmp(last->line, line)))
		return;
	add_history(line);
	if (input->history)
		append_history(1, input->history);
}

/* Open the file of the history. Only its owner may read it, because lines may contain anything. */
static void open_history(struct input *input)
{
	g_autofree char *path = state_place("history"), *directory = path ? g_path_get_dirname(path) : NULL;
	_cleanup_close_ int fd = -1;

	if (!path)
		return;
	g_mkdir_with_parents(directory, 0700);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
	if (fd < 0 || fchmod(fd, 0600)) {
		message_warn(_("lines are not remembered in %s: %s"), path, strerror(errno));
		return;
	}
	input->history = g_steal_pointer(&path);
	read_history(input->history);
	history_truncate_file(input->history, MOST_HISTORY);
}

static void begin_terminal(struct input *input)
{
	rl_readline_name = "stap";
	rl_catch_signals = 0;
	rl_catch_sigwinch = 0;
	rl_instream = stdin;
	rl_attempted_completion_function = candidates;
	rl_completer_word_break_characters = (char *)" \t\n\"(){}[];,=+-*/<>!&|?:.$@";
	stifle_history(MOST_HISTORY);
	open_history(input);
}

static void abandon_line(void)
{
	rl_callback_sigcleanup();
	rl_replace_line("", 1);
	rl_callback_handler_remove();
	putchar('\n');
}

/* Ctrl-Z: give the terminal back, and stop. */
static void stop(void)
{
	struct sigaction standard = {.sa_handler = SIG_DFL}, own;

	stopping = 0;
	rl_deprep_terminal();
	sigaction(SIGTSTP, &standard, &own);
	raise(SIGTSTP);
	sigaction(SIGTSTP, &own, NULL);
	rl_prep_terminal(1);
	rl_forced_update_display();
}

static void handle_signals(void)
{
	if (stopping)
		stop();
	if (resized) {
		resized = 0;
		rl_resize_terminal();
	}
}

static enum line_outcome line_from_terminal(struct input *input, const char *prompt, char **ret)
{
	is_typed = false;
	interrupted = 0;
	reading = input;
	rl_callback_handler_install(prompt, take_line);
	while (!is_typed && !interrupted && !ending) {
		handle_signals();
		if (wait_for_input())
			rl_callback_read_char();
	}
	if (!is_typed) {
		abandon_line();
		return ending ? LINE_END : LINE_ABANDONED;
	}
	if (!typed) {
		putchar('\n');
		return LINE_END;
	}
	if (strlen(typed) > LONGEST_LINE) {
		free(typed);
		return too_long();
	}
	remember(input, typed);
	*ret = g_strdup(typed);
	free(typed);
	return LINE_READ;
}

#else

static void begin_terminal(struct input *input)
{
}

static enum line_outcome line_from_terminal(struct input *input, const char *prompt, char **ret)
{
	return LINE_END;
}

#endif

/* ---- both -------------------------------------------------------------------------------------------------------- */

static struct error *check_readline(bool is_terminal)
{
#ifdef HAVE_READLINE
	return NULL;
#else
	return is_terminal ? error_with_hint(error_new(ERROR_UNSUPPORTED,
						       _("Spile was built without readline and cannot edit lines")),
					     _("install libreadline-dev and build Spile again, or write the commands "
					       "into a pipe"))
			   : NULL;
#endif
}

struct error *input_new(const struct input_callbacks *callbacks, struct input **ret)
{
	bool is_terminal = isatty(STDIN_FILENO);
	struct error *error = check_readline(is_terminal);
	struct input *input;

	if (error)
		return error;
	input = g_new0(struct input, 1);
	input->callbacks = *callbacks;
	input->is_terminal = is_terminal;
	input->read = g_string_new(NULL);
	catch_signals(is_terminal);
	if (is_terminal)
		begin_terminal(input);
	*ret = input;
	return NULL;
}

void input_free(struct input *input)
{
	g_string_free(input->read, TRUE);
	g_free(input->history);
	g_free(input);
}

enum line_outcome input_line(struct input *input, const char *prompt, char **ret)
{
	*ret = NULL;
	fflush(stdout);
	return input->is_terminal ? line_from_terminal(input, prompt, ret) : line_from_pipe(input, ret);
}

bool input_confirm(struct input *input, const char *question)
{
	/* TRANSLATORS: a question of the interactive mode. Only the English word is accepted. */
	g_autofree char *prompt = g_strdup_printf(_("%s Enter \"yes\" to confirm: "), question), *answer = NULL;
	bool is_confirmed;

	if (!input->is_terminal)
		printf("%s\n", question);
	input->is_asking = true;
	is_confirmed = input_line(input, prompt, &answer) == LINE_READ && !strcmp(g_strstrip(answer), "yes");
	input->is_asking = false;
	return is_confirmed;
}
