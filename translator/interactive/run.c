// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Running the script by another stap, which gets it on standard input. Its output goes where ours goes. A failed run,
 * or one that is interrupted, leaves the script as it is.
 */
#include "translator/interactive/interactive.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "common/process.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/base/read_write.h"

/* ---- programs in the foreground ---------------------------------------------------------------------------------- */

static volatile pid_t running;

/* From the terminal (SI_KERNEL), SIGINT goes to the program, too. The others end the program and the session. */
static void forward(int number, siginfo_t *info, void *context)
{
	if (number != SIGINT)
		input_note_signal(number);
	if (running > 0 && (number != SIGINT || info->si_code != SI_KERNEL))
		kill(running, number);
}

/* Write a text into memory, to be read as standard input. */
static struct error *open_text(const char *text, int *fd)
{
	*fd = memfd_create("script", MFD_CLOEXEC);
	if (*fd < 0 || !write_all(*fd, text, strlen(text)) || lseek(*fd, 0, SEEK_SET))
		return error_errno(_("cannot pass the script to stap"));
	return NULL;
}

static struct error *open_input(const char *text, int *fd)
{
	if (text)
		return open_text(text, fd);
	*fd = isatty(STDIN_FILENO) ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open("/dev/null", O_RDONLY | O_CLOEXEC);
	return *fd < 0 ? error_errno("/dev/null") : NULL;
}

static void wait_for(pid_t pid, int *status)
{
	int result = 0;

	while (waitpid(pid, &result, 0) < 0 && errno == EINTR)
		;
	*status = process_exit_status(result);
}

static struct error *start_and_wait(const char *const *argv, int input, int *status)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_sigaction = forward, .sa_flags = SA_SIGINFO}, before[G_N_ELEMENTS(signals)];
	struct error *error;
	pid_t pid;

	for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
		sigaction(signals[i], &action, &before[i]);
	error = process_start_attached(argv, input, &pid);
	running = pid;
	if (!error && input_signal())
		kill(pid, input_signal()); /* it arrived while the program was started */
	if (!error)
		wait_for(pid, status);
	running = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
		sigaction(signals[i], &before[i], NULL);
	return error;
}

struct error *run_foreground(const char *const *argv, const char *text, int *status)
{
	_cleanup_close_ int input = -1;
	struct error *error = open_input(text, &input);
	struct termios mode;
	bool has_mode = !tcgetattr(STDIN_FILENO, &mode);

	*status = 0;
	error = error ?: start_and_wait(argv, input, status);
	/* A program that was killed may leave the terminal in a mode of its own. */
	if (has_mode)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &mode);
	return error;
}

/* ---- stap -------------------------------------------------------------------------------------------------------- */

void debuginfod_allow(bool is_allowed)
{
	static char *urls;

	if (!urls)
		urls = g_strdup(g_getenv("DEBUGINFOD_URLS") ?: "");
	if (is_allowed && *urls)
		g_setenv("DEBUGINFOD_URLS", urls, true);
	else
		g_unsetenv("DEBUGINFOD_URLS");
}

/* Begin a command line with the options that the session uses, too. */
static GPtrArray *begin_words(struct interactive *it)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(words, g_strdup(program_path("stap")));
	/* .spile.json and the first lines of a script may come from anyone, so a host does not use their options. */
	if (!settings_are_for_guest(it->settings)) {
		settings_add_session_words(it->settings, words);
		return words;
	}
	for_each_ptr(const char *, word, document_options(it->document))
		g_ptr_array_add(words, g_strdup(word));
	return words;
}

static struct error *run_stap(GPtrArray *words, const char *text)
{
	int status;
	struct error *error;

	g_ptr_array_add(words, NULL);
	debuginfod_allow(true);
	error = run_foreground((const char *const *)words->pdata, text, &status);
	debuginfod_allow(false);
	if (error || !status)
		return error;
	return status == 128 + SIGINT ? NULL : error_new(ERROR_OTHER, _("stap ended with status %d"), status);
}

struct error *run_list(struct interactive *it, const char *points)
{
	g_autoptr(GPtrArray) words = begin_words(it);
	bool with_variables = g_str_has_prefix(points, "-L ");

	g_ptr_array_add(words, g_strdup(with_variables ? "-L" : "-l"));
	g_ptr_array_add(words, g_strdup(points + (with_variables ? strlen("-L ") : 0)));
	return run_stap(words, NULL);
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

/* Does the script call a function of the library that prints? */
static bool prints(struct document *document)
{
	const GArray *colors = document_colors(document);
	const char *text = document_text(document)->bytes->str;

	for (guint i = 0; i < colors->len; i++) {
		const struct colored *colored = &g_array_index(colors, struct colored, i);
		const char *name = text + colored->range.from;

		if (colored->color == COLOR_FUNCTION &&
		    (g_str_has_prefix(name, "print") || g_str_has_prefix(name, "log(")))
			return true;
	}
	return false;
}

static bool has_globals(struct document *document)
{
	for_each_ptr(const struct outline_item *, item, document_outline(document))
		if (item->kind == SYMBOL_GLOBAL)
			return true;
	return false;
}

/* By default, a script that prints nothing itself shows its globals as tables and histograms. */
static void add_report(struct interactive *it, GPtrArray *words)
{
	const char *report = settings_report(it->settings);

	if (!strcmp(report, "off"))
		return;
	if (strcmp(report, "auto"))
		g_ptr_array_add(words, g_strdup_printf("--report=%s", report));
	if (strcmp(report, "auto") || !has_globals(it->document) || prints(it->document))
		return;
	g_ptr_array_add(words, g_strdup("--report=-"));
	/* They are in the report. */
	g_ptr_array_add(words, g_strdup("--no-global-var-display"));
}

struct error *run_script(struct interactive *it, const char *rest)
{
	g_autoptr(GPtrArray) words = begin_words(it);
	g_autoptr(GError) failure = NULL;
	g_auto(GStrv) arguments = NULL;

	if (*rest && !g_shell_parse_argv(rest, NULL, &arguments, &failure))
		return error_new(ERROR_OTHER, "%s", failure->message);
	if (strspn(script_text(it), " \t\n") == strlen(script_text(it)))
		return error_with_hint(error_new(ERROR_OTHER, _("the script is empty")),
				       _("enter a probe, or 'sample' for a list of examples"));
	settings_add_run_words(it->settings, words);
	settings_add_target(it->settings, words);
	add_report(it, words);
	g_ptr_array_add(words, g_strdup("-"));
	g_ptr_array_add(words, g_strdup("--"));
	for (char **argument = arguments; argument && *argument; argument++)
		g_ptr_array_add(words, g_strdup(*argument));
	return run_stap(words, script_text(it));
}
