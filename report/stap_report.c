// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-report: turn the JSON lines of a script ('stap --format=json') into a page, a picture in the terminal, or a file
 * for other tools. Of two files, show what differs.
 *
 * Data flow one way: JSON lines -> recording -> subjects (globals joined by name and keys) -> one of the formats, as a
 * whole in memory -> file. So a mistake in the lines leaves no partial file.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/message.h"
#include "common/base/number.h"
#include "common/base/option_words.h"
#include "common/base/paths.h"
#include "common/base/standard_streams.h"
#include "common/report_formats.h"
#include "report/formats.h"
#include "report/output_file.h"
#include "report/pass.h"
#include "report/screen.h"

/* ---- formats ----------------------------------------------------------------------------------------------------- */

static const struct format {
	struct error *(*write)(const struct report *report, FILE *out);
	bool compares; /* two recordings */
	bool is_binary;
	const char *help;
} formats[REPORT_FORMAT_COUNT_] = {
	[REPORT_TEXT] = {write_text, true, false, N_("tables, bars, heat maps and stacks for a terminal")},
	[REPORT_HTML] = {write_page, true, false, N_("one page, which needs no network")},
	[REPORT_FOLDED] = {write_folded, false, false, N_("a line per stack, for flame graph tools")},
	[REPORT_SPEEDSCOPE] = {write_speedscope, false, false, N_("stacks for speedscope")},
	[REPORT_PPROF] = {write_pprof, false, true, N_("stacks for pprof")},
	[REPORT_JSON] = {write_json, false, false, N_("the whole recording, for stap-report and other tools")},
};

/* ---- options ----------------------------------------------------------------------------------------------------- */

struct settings {
	const char *output, *format, *global, *color, *every, *pass, *interrupt, *merge;
};

static const struct option_row {
	struct option_word word;
	size_t datum; /* offset in struct settings; of a flag, that gets its name */
	const char *help;
} rows[] = {
#define MEMBER(name) offsetof(struct settings, name)
	{'o', "output", N_("FILE"), MEMBER(output), N_("write to this file; - is standard output")},
	{0, "format", N_("FORMAT"), MEMBER(format), N_("write in this format")},
	{0, "global", N_("NAME"), MEMBER(global), N_("show only this global")},
	{0, "merge", NULL, MEMBER(merge), N_("show several files, the runs of a script on several hosts, as one")},
	{0, "every", N_("SECONDS"), MEMBER(every), N_("also write while the script runs, at this interval")},
	{0, "pass", NULL, MEMBER(pass), N_("print the script's output while the report is written to a file")},
	{0, "interrupt", N_("PID"), MEMBER(interrupt),
	 N_("with --pass, interrupt this process if the output has no reader")},
	{0, "color", N_("WHEN"), MEMBER(color), N_("use colors in text: auto, always or never")},
	{'h', "help", NULL, 0, N_("show this text")},
	{'V', "version", NULL, 0, N_("show the version")},
};

static const struct option_table option_table = OPTION_TABLE(rows);

static void show_help(void)
{
	printf("%s", _("Usage: stap-report [options] [FILE]           show the JSON lines of a script\n"
		       "       stap-report [options] BEFORE AFTER     show what differs between two\n"
		       "       stap-report [options] --merge FILE...  show the runs on several hosts as one\n"
		       "\n"
		       "Without FILE, or with -, standard input is read.\n"
		       "\n"));
	option_words_show(&option_table, offsetof(struct option_row, help));
	printf("\n%s\n", _("Formats, and the suffixes of file names that select them:"));
	for (int i = 0; i < REPORT_FORMAT_COUNT_; i++)
		printf("  %-10s  %-16s  %s\n", report_formats[i].name, report_formats[i].ending, _(formats[i].help));
}

static void set_option(const void *row, const char *argument, void *settings)
{
	const struct option_row *option = row;

	*(const char **)((char *)settings + option->datum) = argument ?: option->word.name;
}

static const struct option_program this_program = {"stap-report", &option_table, show_help, set_option};

static struct error *choose_format(const struct settings *settings, enum report_format *ret)
{
	const char *output = settings->output ?: "-";
	g_autofree char *endings = report_format_endings();

	*ret = settings->format ? report_format_find(settings->format) : report_format_of_file(output);
	if (*ret < REPORT_FORMAT_COUNT_)
		return NULL;
	if (settings->format)
		return error_with_hint(error_new(ERROR_OTHER, _("unknown format '%s'"), settings->format),
				       _("use text, html, folded, speedscope, pprof or json"));
	return error_with_hint(error_new(ERROR_OTHER, _("no format of reports has the ending of '%s'"), output),
			       _("use one of %s, or name the format with --format"), endings);
}

static struct error *choose_colors(const struct settings *settings, struct report *report)
{
	const char *when = settings->color ?: "auto", *terminal = getenv("TERM"), *none = getenv("NO_COLOR");
	bool is_terminal = !settings->output || !strcmp(settings->output, "-") ? isatty(STDOUT_FILENO) : false;

	if (strcmp(when, "auto") && strcmp(when, "always") && strcmp(when, "never"))
		return error_new(ERROR_OTHER, _("--color requires auto, always or never, not '%s'"), when);
	report->uses_color = !strcmp(when, "always") || (!strcmp(when, "auto") && is_terminal && terminal &&
							 strcmp(terminal, "dumb") && !(none && *none));
	return NULL;
}

/* ---- the selected globals ---------------------------------------------------------------------------------------- */

/* Keep only the global of this name. */
static struct error *select_global(struct report *report, const char *name)
{
	bool is_found = false;

	for (guint i = 0; i < report->subjects->len; i++) {
		struct subject *subject = g_ptr_array_index(report->subjects, i);

		subject->is_left_out = !text_is(subject->global->name, name);
		is_found = is_found || !subject->is_left_out;
	}
	return is_found ? NULL : error_new(ERROR_LOOKUP, _("no global has the name '%s'"), name);
}

/* Keep only the arrays with stacks, and check that there is one. */
static struct error *select_stacks(struct report *report)
{
	g_autoptr(GString) names = g_string_new(NULL);
	guint count = 0;

	for (guint i = 0; i < report->subjects->len; i++) {
		struct subject *subject = g_ptr_array_index(report->subjects, i);

		subject->is_left_out = subject->is_left_out || !is_shown(report, subject->global) ||
				       !global_has_key(subject->global, VALUE_STACK) ||
				       subject->global->values == VALUE_STRING;
		if (subject->is_left_out)
			continue;
		count++;
		g_string_append_printf(names, "%s%s", names->len ? ", " : "", subject->global->name->bytes);
	}
	if (count == 1)
		return NULL;
	if (!count)
		return error_new(ERROR_LOOKUP, _("no array with a stack as key and numbers as values was found"));
	return error_with_hint(error_new(ERROR_OTHER, _("several arrays have stacks: %s"), names->str),
			       _("select one with --global=NAME"));
}

static void remove_left_out(struct report *report)
{
	for (guint i = report->subjects->len; i-- > 0;) {
		struct subject *subject = g_ptr_array_index(report->subjects, i);

		if (!subject->is_left_out)
			continue;
		g_ptr_array_remove_index(report->subjects, i);
		subject_free(subject);
	}
}

static struct error *select_subjects(struct report *report, const struct settings *settings, enum report_format format)
{
	struct error *error = NULL;

	report->is_selection = settings->global;
	report->hosts = shared_hosts_new(report->recordings, report->count);
	report->subjects = subjects_new(report->hosts, report->count);
	if (settings->global)
		error = select_global(report, settings->global);
	if (!error && report_formats[format].needs_stack)
		error = select_stacks(report);
	remove_left_out(report);
	return error;
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

/* A run of the program. */
struct job {
	const struct settings *settings;
	enum report_format format;
	struct report report;
	struct pass pass;
	struct recording_watch watch;
	bool is_followed; /* the report is written while the script runs, or its output is passed */
	bool has_failed; /* an error was reported */
	bool is_behind; /* the last update of the file has failed */
	int64_t every; /* seconds; 0: write only at the end */
	gint64 next; /* when to write again, in microseconds */
	uint64_t written; /* lines in what was last written */
};

static bool is_to_standard_output(const struct job *job)
{
	return !job->settings->output || !strcmp(job->settings->output, "-");
}

static struct error *write_output(const struct job *job, const char *data, size_t length, bool is_final)
{
	if (!is_to_standard_output(job))
		return output_file_write(job->settings->output, data, length);
	if (formats[job->format].is_binary && isatty(STDOUT_FILENO))
		return error_with_hint(error_new(ERROR_OTHER, _("the format %s is not for a terminal"),
						 report_formats[job->format].name),
				       _("name a file with -o"));
	if (!is_final) {
		screen_draw(data);
		return NULL;
	}
	/* standard_output_finish() reports failures. */
	fwrite(data, 1, length, stdout);
	return NULL;
}

/* Write the report of what has been read so far. */
static struct error *write_report(struct job *job, bool is_final)
{
	struct error *error = select_subjects(&job->report, job->settings, job->format);
	_cleanup_free_ char *data = NULL;
	unsigned int width, height;
	size_t length = 0;
	FILE *out = open_memstream(&data, &length);

	screen_size(&width, &height);
	job->report.screen_rows = is_to_standard_output(job) && !is_final ? height : 0;
	if (!out)
		error = error ?: error_errno(_("cannot make the report"));
	error = error ?: formats[job->format].write(&job->report, out);
	if (out && fclose(out) && !error)
		error = error_errno(_("cannot make the report"));
	subjects_free(job->report.subjects);
	shared_hosts_free(job->report.hosts);
	/* The selected globals may not have been reported yet. */
	if (error && !is_final && error->code == ERROR_LOOKUP) {
		error_free(error);
		return NULL;
	}
	return error ?: write_output(job, data, length, is_final);
}

/*
 * Write the last report. If the globals of a script that was followed do not suit the format, its values would be lost:
 * write all of the recording beside the report.
 */
static struct error *write_last_report(struct job *job)
{
	g_autofree char *path = g_strconcat(job->settings->output ?: "-", report_formats[REPORT_JSON].ending, NULL);
	struct settings settings = *job->settings;
	struct error *error = write_report(job, true), *second;
	struct job copy = *job;

	if (!error || !job->settings->pass || !report_formats[job->format].needs_stack)
		return error;
	settings.output = path;
	copy.settings = &settings;
	copy.format = REPORT_JSON;
	second = write_report(&copy, true);
	if (!second)
		return error_with_hint(error,
				       _("all of the recording is in %s, for 'stap-report -o FILE --global=NAME %s'"),
				       path, path);
	error_free(second);
	return error;
}

/* ---- following a script that runs -------------------------------------------------------------------------------- */

enum {
	RETRY_MILLISECONDS = 100, /* of a snapshot that is not complete */
	MOST_DELAY_SECONDS = 2, /* after which an incomplete one is shown */
};

/* Write the report of a script that runs. A failure must not stop the output that is passed; the end tries again. */
static void update(struct job *job, struct recording *recording)
{
	struct error *error;

	job->report.recordings[0] = recording;
	job->report.count = 1;
	job->written = recording->lines;
	error = write_report(job, false);
	job->next = g_get_monotonic_time() + job->every * G_USEC_PER_SEC;
	if (error && !job->is_behind)
		message_warn("%s", error->message);
	job->is_behind = error;
	error_free(error);
}

/* Update the report if it is due. */
static int update_if_due(struct recording *recording, bool is_consistent, void *data)
{
	struct job *job = data;
	gint64 left = job->next - g_get_monotonic_time();

	if (screen_must_be_drawn())
		update(job, recording);
	if (recording->lines == job->written)
		return -1;
	if (left > 0)
		return (int)(left / 1000) + 1;
	if (!is_consistent && left > -MOST_DELAY_SECONDS * G_USEC_PER_SEC)
		return RETRY_MILLISECONDS;
	update(job, recording);
	return -1;
}

static void take_output(const struct output *output, void *data)
{
	pass_output(&((struct job *)data)->pass, output);
}

static void take_message(const struct recording *recording, const struct message *message, void *data)
{
	pass_message(&((struct job *)data)->pass, recording, message);
}

/* Go on after a malformed line: the others are wanted. */
static void take_mistake(struct error *error, void *data)
{
	struct job *job = data;

	if (!job->has_failed)
		error_report(error);
	error_free(error);
	job->has_failed = true;
}

static bool is_over(void *data)
{
	const struct job *job = data;

	return job->pass.is_unread && !job->pass.script;
}

static struct error *parse_interval(struct job *job)
{
	const char *every = job->settings->every;

	if (!every || parse_number(every, 10, 1, 86400, &job->every))
		return NULL;
	return error_new(ERROR_OTHER, _("--%s requires a number from %lld to %lld, not '%s'"), "every", 1LL, 86400LL,
			 every);
}

static struct error *parse_process(struct job *job)
{
	const char *process = job->settings->interrupt;
	int64_t number = 0;

	if (!process)
		return NULL;
	if (!job->settings->pass)
		return error_new(ERROR_OTHER, _("--interrupt requires --pass"));
	if (!parse_number(process, 10, 1, INT_MAX, &number))
		return error_new(ERROR_OTHER, _("--%s requires a number from %lld to %lld, not '%s'"), "interrupt", 1LL,
				 (long long)INT_MAX, process);
	job->pass.script = (pid_t)number;
	return NULL;
}

/* Is the input a pipe? A script may run at its other end. */
static bool is_pipe(const char *path)
{
	struct stat status;
	int failed = strcmp(path, "-") ? stat(path, &status) : fstat(STDIN_FILENO, &status);

	return !failed && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

/* Draw on a terminal while the script runs. Other standard output is only written at the end. */
static void prepare_screen(struct job *job)
{
	if (!isatty(STDOUT_FILENO) || job->format != REPORT_TEXT || !job->every)
		return;
	job->watch.idle = update_if_due;
	/* A recording that ends at once is drawn only once. */
	job->next = g_get_monotonic_time() + job->every * G_USEC_PER_SEC;
}

/* Prepare --every and --pass: signals are for the script, whose last lines are still to be read. */
static struct error *prepare_following(struct job *job, const char *path)
{
	struct error *error = parse_interval(job);

	error = error ?: parse_process(job);
	if (error)
		return error;
	if (job->settings->pass && is_to_standard_output(job))
		return error_with_hint(error_new(ERROR_OTHER, _("--pass needs standard output for the script")),
				       _("name a file with -o"));
	if (!job->settings->every && !job->settings->merge && job->format == REPORT_TEXT &&
	    is_to_standard_output(job) && isatty(STDOUT_FILENO) && is_pipe(path))
		job->every = 1;
	job->is_followed = job->every || job->settings->pass;
	job->watch = (struct recording_watch){.data = job};
	if (job->is_followed)
		job->watch.mistake = take_mistake;
	/* Ctrl-C ends the script, whose last lines are still to be read. */
	if (job->is_followed || is_pipe(path))
		signal(SIGINT, SIG_IGN);
	if (is_pipe(path) && !isatty(STDOUT_FILENO))
		signal(SIGHUP, SIG_IGN);
	if (is_to_standard_output(job))
		prepare_screen(job);
	else if (job->every)
		job->watch.idle = update_if_due;
	if (!job->settings->pass)
		return NULL;
	job->watch.output = take_output;
	job->watch.message = take_message;
	job->watch.is_over = is_over;
	pass_choose_colors(&job->pass, job->settings->color ?: "auto");
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	return NULL;
}

/* ---- input ------------------------------------------------------------------------------------------------------- */

static struct error *read_file(struct job *job, struct pool *pool, const char *path, struct recording **ret)
{
	bool is_standard = !strcmp(path, "-");
	int fd = is_standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return error_errno(_("cannot read %s"), path);
	/* Keep no other descriptor: when the recording closes its own, the script must notice. */
	if (is_standard) {
		close(STDIN_FILENO);
		standard_streams_open();
	}
	return recording_read(pool, is_standard ? _("standard input") : path, fd, job->is_followed ? &job->watch : NULL,
			      ret);
}

/* Standard input can be read only once. */
static struct error *check_paths(char **paths, int count)
{
	int standard_inputs = 0;

	for (int i = 0; i < count; i++)
		standard_inputs += !strcmp(paths[i], "-");
	return standard_inputs < 2 ? NULL : error_new(ERROR_OTHER, _("standard input is only one of the files"));
}

/* --merge: read any number of files, and make one recording of them. */
static struct error *read_merged(struct job *job, struct pool *pool, char **paths, int count)
{
	g_autofree struct recording **parts = g_new0(struct recording *, count);
	struct error *error = check_paths(paths, count);

	if (!count)
		return error_new(ERROR_OTHER, _("--merge requires the names of files"));
	if (!error && job->is_followed)
		return error_new(ERROR_OTHER, _("--merge excludes --every and --pass"));
	for (int i = 0; i < count && !error; i++)
		error = read_file(job, pool, paths[i], &parts[i]);
	job->report.count = 1;
	return error ?: recording_merge(pool, parts, (guint)count, &job->report.recordings[0]);
}

static struct error *read_files(struct job *job, struct pool *pool, char **paths, int count)
{
	static char *standard_input[] = {"-"};
	struct error *error = NULL;

	if (job->settings->merge)
		return read_merged(job, pool, paths, count);
	if (count > MOST_RECORDINGS)
		return error_new(ERROR_OTHER, _("stap-report compares %d files, not %d"), MOST_RECORDINGS, count);
	if (!count) {
		paths = standard_input;
		count = 1;
	}
	if (count > 1 && job->is_followed)
		return error_new(ERROR_OTHER, _("--every and --pass support only one file"));
	if (count > 1 && !formats[job->format].compares)
		return error_new(ERROR_OTHER, _("the format %s supports only one file"),
				 report_formats[job->format].name);
	error = check_paths(paths, count);
	for (int i = 0; i < count && !error; i++) {
		error = read_file(job, pool, paths[i], &job->report.recordings[i]);
		job->report.count = i + 1;
	}
	/* If the script was being followed, show the part that was read before the error. */
	if (!error || !job->is_followed || !job->report.recordings[0] || !job->report.recordings[0]->lines)
		return error;
	job->has_failed = error_report_free(error);
	return NULL;
}

static struct error *run(struct job *job, char **paths, int count)
{
	struct pool *pool = pool_new();
	struct error *error = choose_format(job->settings, &job->format);

	error = error ?: choose_colors(job->settings, &job->report);
	error = error ?: prepare_following(job, count ? paths[0] : "-");
	error = error ?: read_files(job, pool, paths, count);
	screen_close();
	error = error ?: write_last_report(job);
	pool_free(pool);
	return error;
}

int main(int argc, char **argv)
{
	struct settings settings = {.output = NULL};
	struct job job = {.settings = &settings};
	bool served;
	int status;

	standard_streams_open();
	i18n_init(locale_directory());
	if (!option_program_read(&this_program, argc, argv, &settings, &served))
		return 2;
	if (served)
		return standard_output_finish(EXIT_SUCCESS);
	job.has_failed |= error_report_free(run(&job, argv + optind, argc - optind));
	status = job.has_failed || job.pass.has_failed ? EXIT_FAILURE : EXIT_SUCCESS;
	if (!settings.pass)
		return standard_output_finish(status);
	/* The exit status is that of staprun. */
	return status ?: job.pass.is_unread ? 128 + SIGPIPE : EXIT_SUCCESS;
}
