// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-profile-annotate: profile programs, and show their source with the number of hits of each line.
 *
 * stap runs annotate.stp with --format=json. Its lines are read while it runs (report/recording.h), so that the output
 * of the command and messages appear at once. At the end, the hits are sorted by file (hits.c), the sources are
 * searched (source.c), and written with their hits (listing.c).
 */
#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/message.h"
#include "common/base/number.h"
#include "common/base/option_words.h"
#include "common/base/paths.h"
#include "common/base/standard_streams.h"
#include "common/files.h"
#include "common/process.h"
#include "profile/hits.h"
#include "profile/listing.h"
#include "profile/source.h"
#include "report/pass.h"
#include "report/texts.h"

/* ---- options ----------------------------------------------------------------------------------------------------- */

struct settings {
	const char *pid, *command, *events, *timeout, *print, *context, *stap, *release;
	GPtrArray *programs, *sources, *remotes, *verbose; /* options that may be repeated */
	int64_t context_lines;
};

static const struct option_row {
	struct option_word word;
	size_t datum; /* offset in struct settings; of a flag, that gets its name */
	bool is_list;
	const char *help;
} rows[] = {
#define TEXT(name) offsetof(struct settings, name), false
#define LIST(name) offsetof(struct settings, name), true
	{'x', "pid", N_("PID"), TEXT(pid), N_("profile this process and its children")},
	{'c', "cmd", N_("COMMAND"), TEXT(command), N_("run this command and profile it")},
	{'d', "binary", N_("BINARY"), LIST(programs),
	 N_("show lines of this program or library, and of its libraries; may be repeated")},
	{'e', "events", N_("EVENTS"), TEXT(events), N_("count hits of these probe points instead of timer.profile")},
	{'T', "timeout", N_("SECONDS"), TEXT(timeout), N_("end the script after this time")},
	{'p', "print", NULL, TEXT(print), N_("print the listings instead of writing files")},
	{'w', "context-width", N_("LINES"), TEXT(context),
	 N_("show only so many lines before and after each line with hits")},
	{'S', "source", N_("DIRECTORY"), LIST(sources),
	 N_("search source files below this directory; may be repeated")},
	{'r', "release", N_("RELEASE"), TEXT(release), N_("the kernel, as for stap -r")},
	{0, "remote", N_("HOST"), LIST(remotes), N_("profile on this host, as with stap --remote")},
	{'s', "stap", N_("PROGRAM"), TEXT(stap), N_("run this program instead of stap")},
	{'v', "verbose", NULL, LIST(verbose), N_("be verbose; may be repeated")},
	{'h', "help", NULL, 0, false, N_("show this text")},
	{'V', "version", NULL, 0, false, N_("show the version")},
};

static const struct option_table option_table = OPTION_TABLE(rows);

static void show_help(void)
{
	printf("%s", _("Usage: stap-profile-annotate [OPTION]... -c COMMAND\n"
		       "       stap-profile-annotate [OPTION]... -x PID\n"
		       "       stap-profile-annotate [OPTION]... -d BINARY...\n"
		       "Profile programs, and show their source with the number of hits of each line.\n"
		       "\n"));
	option_words_show(&option_table, offsetof(struct option_row, help));
}

static void set_option(const void *row, const char *argument, void *settings)
{
	const struct option_row *option = row;
	void *datum = (char *)settings + option->datum;

	if (option->is_list)
		g_ptr_array_add(*(GPtrArray **)datum, (gpointer)(argument ?: "-v"));
	else
		*(const char **)datum = argument ?: option->word.name;
}

static const struct option_program this_program = {"stap-profile-annotate", &option_table, show_help, set_option};

static struct error *check_number(const char *option, const char *text, int64_t least, int64_t most, int64_t *ret)
{
	if (!text || parse_number(text, 10, least, most, ret))
		return NULL;
	return error_new(ERROR_OTHER, _("--%s requires a number from %lld to %lld, not '%s'"), option, (long long)least,
			 (long long)most, text);
}

static struct error *check(struct settings *settings, const char *unexpected)
{
	enum { MOST_PID = 1 << 22, MOST_SECONDS = 1000000, MOST_LINES = 1000000 };
	struct error *error;
	int64_t number;

	settings->context_lines = ALL_LINES;
	error = check_number("pid", settings->pid, 1, MOST_PID, &number);
	error = error ?: check_number("timeout", settings->timeout, 1, MOST_SECONDS, &number);
	error = error ?: check_number("context-width", settings->context, 0, MOST_LINES, &settings->context_lines);
	if (error)
		return error;
	if (unexpected)
		return error_with_hint(error_new(ERROR_OTHER, _("unexpected '%s'"), unexpected),
				       _("put the command of -c and its arguments into quotation marks"));
	if (settings->pid && settings->command)
		return error_new(ERROR_OTHER, _("-c and -x exclude each other: there is one target()"));
	if (!settings->pid && !settings->command && !settings->programs->len)
		return error_with_hint(error_new(ERROR_OTHER, _("no program is selected")),
				       _("use -c COMMAND, -x PID or -d BINARY"));
	return NULL;
}

/* ---- the programs whose lines are known -------------------------------------------------------------------------- */

static void add_program(GPtrArray *programs, const char *path)
{
	if (g_ptr_array_find_with_equal_func(programs, path, g_str_equal, NULL) || !file_begins_with(path, "\177ELF"))
		return;
	g_ptr_array_add(programs, g_strdup(path));
}

/* Add the files that a process of this machine has mapped and may execute: see proc_pid_maps(5). */
static void add_mapped(GPtrArray *programs, const char *pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%s/maps", pid);
	_cleanup_fclose_ FILE *maps = fopen(path, "re");
	_cleanup_free_ char *line = NULL;
	size_t size = 0;

	while (maps && getline(&line, &size, maps) > 0) {
		const char *executable = strstr(line, " r-xp ");
		char *file = strchr(line, '/');

		if (file && executable && executable < file)
			add_program(programs, g_strchomp(file));
	}
}

/* Add the program of a command: its first word that is not an assignment. */
static void add_command(GPtrArray *programs, const char *command)
{
	g_auto(GStrv) words = NULL;
	char **word;

	if (!g_shell_parse_argv(command, NULL, &words, NULL))
		return;
	for (word = words; *word && strchr(*word, '='); word++)
		;
	if (*word) {
		g_autofree char *path = g_find_program_in_path(*word);

		if (path)
			add_program(programs, path);
	}
}

/* ---- running stap ------------------------------------------------------------------------------------------------ */

/* A run of the program. */
struct job {
	struct settings settings;
	struct pool *pool;
	struct recording *recording;
	struct pass pass;
	bool has_failed; /* an error was reported */
};

static void take_output(const struct output *output, void *data)
{
	pass_output(&((struct job *)data)->pass, output);
}

static void take_message(const struct recording *recording, const struct message *message, void *data)
{
	pass_message(&((struct job *)data)->pass, recording, message);
}

static void take_mistake(struct error *error, void *data)
{
	((struct job *)data)->has_failed |= error_report_free(error);
}

static struct error *read_lines(int fd, pid_t writer, void *data)
{
	struct job *job = data;
	struct recording_watch watch = {
		.output = take_output, .message = take_message, .mistake = take_mistake, .data = job};
	struct error *error;

	job->pass.script = writer;
	error = recording_read(job->pool, "stap", fd, &watch, &job->recording);
	/* stap has reported why it printed nothing. */
	if (job->recording->lines)
		return error;
	error_free(error);
	return NULL;
}

static void add_option(GPtrArray *argv, const char *option, const char *value)
{
	if (!value)
		return;
	g_ptr_array_add(argv, (gpointer)option);
	g_ptr_array_add(argv, (gpointer)value);
}

static void add_options(GPtrArray *argv, const char *option, const GPtrArray *values)
{
	for (guint i = 0; i < values->len; i++)
		add_option(argv, option, g_ptr_array_index(values, i));
}

static struct error *run_stap(struct job *job, const GPtrArray *programs, int *status)
{
	const struct settings *settings = &job->settings;
	g_autofree char *script = g_build_filename(data_directory(), "profile", "annotate.stp", NULL);
	g_autoptr(GPtrArray) argv = g_ptr_array_new();

	g_ptr_array_add(argv, (gpointer)(settings->stap ?: program_path("stap")));
	g_ptr_array_add(argv, "--format=json");
	for (guint i = 0; i < settings->verbose->len; i++)
		g_ptr_array_add(argv, g_ptr_array_index(settings->verbose, i));
	add_option(argv, "-r", settings->release);
	add_options(argv, "--remote", settings->remotes);
	add_option(argv, "-x", settings->pid);
	add_option(argv, "-c", settings->command);
	add_option(argv, "-T", settings->timeout);
	add_options(argv, "-d", programs);
	if (programs->len)
		g_ptr_array_add(argv, "--ldd");
	g_ptr_array_add(argv, script);
	g_ptr_array_add(argv, (gpointer)(settings->events ?: "timer.profile"));
	g_ptr_array_add(argv, NULL);
	return process_run_writer((const char *const *)argv->pdata, read_lines, job, status);
}

/* ---- the result -------------------------------------------------------------------------------------------------- */

static double percent(int64_t count, const struct hits *hits)
{
	return hits->known ? 100.0 * (double)count / (double)hits->known : 0;
}

/* Print one listing, or write it to a file. @p unknown is the number of hits that it does not show. */
static struct error *show_file(const struct job *job, const struct hits *hits, const struct program_hits *program,
			       const struct file_hits *file, int64_t *unknown)
{
	const char *const *directories = (const char *const *)job->settings.sources->pdata;
	g_autofree char *name = text_to_show(file->path, NULL), *place = NULL, *top = NULL;
	_cleanup_(source_free) struct source source = {.text = NULL};
	struct error *error = source_read(program, file, directories, &source);
	g_autoptr(GString) listing = NULL;
	int64_t beyond = 0, shown;

	*unknown = file->count;
	if (error)
		return error;
	if (!source.text) {
		if (job->settings.verbose->len)
			fprintf(stderr, _("No source was found for %s.\n"), name);
		return NULL;
	}
	listing = listing_new(file, &source, job->settings.context_lines, &beyond);
	if (beyond)
		message_warn(_("the source of %s has fewer lines than its debuginfo"), name);
	*unknown = beyond;
	shown = file->count - beyond;
	if (!shown)
		return NULL;
	if (!job->settings.print)
		error = listing_write(program, file, &source, listing, &top);
	if (error)
		return error;
	place = top ? g_canonicalize_filename(name, "/") : g_strdup(name);
	printf(ngettext("%07lld (%.2f%%) hits in %s%s over %u line.\n", "%07lld (%.2f%%) hits in %s%s over %u lines.\n",
			file->lines->len),
	       (long long)shown, percent(shown, hits), top ?: "", place, file->lines->len);
	if (job->settings.print)
		fwrite(listing->str, 1, listing->len, stdout);
	return NULL;
}

static struct error *show_program(const struct job *job, const struct hits *hits, const struct program_hits *program)
{
	bool is_named = program->build_id->length;
	g_autofree char *name = text_to_show(is_named ? program->build_id : program->module, NULL);
	int64_t unknown = program->unknown, of_file;
	struct error *error = NULL;

	for (guint i = 0; i < program->files->len && !error; i++) {
		error = show_file(job, hits, program, g_ptr_array_index(program->files, i), &of_file);
		unknown += of_file;
	}
	if (error || !unknown)
		return error;
	printf(is_named ? _("%07lld (%.2f%%) hits in buildid %s with unknown source\n")
			: _("%07lld (%.2f%%) hits in %s with unknown source\n"),
	       (long long)unknown, percent(unknown, hits), name);
	return NULL;
}

static struct error *show_hits(const struct job *job, const struct hits *hits)
{
	struct error *error = NULL;

	printf(ngettext("Counted %lld known userspace hit.\n", "Counted %lld known userspace hits.\n", hits->known),
	       (long long)hits->known);
	printf(ngettext("Ignored %lld kernel hit.\n", "Ignored %lld kernel hits.\n", hits->kernel),
	       (long long)hits->kernel);
	if (hits->elsewhere)
		printf(ngettext("Ignored %lld hit outside of files.\n", "Ignored %lld hits outside of files.\n",
				hits->elsewhere),
		       (long long)hits->elsewhere);
	printf(_("Consumed %lld profile records of %lld hits across %u buildids.\n"), (long long)hits->records,
	       (long long)hits->known, hits->programs->len);
	for (guint i = 0; i < hits->programs->len && !error; i++)
		error = show_program(job, hits, g_ptr_array_index(hits->programs, i));
	return error;
}

/* ---- main -------------------------------------------------------------------------------------------------------- */

enum { EXIT_USAGE = 2 };

static GPtrArray *selected_programs(const struct settings *settings)
{
	GPtrArray *programs = g_ptr_array_new_with_free_func(g_free);

	/* stap reports those that it cannot read. */
	for (guint i = 0; i < settings->programs->len; i++)
		g_ptr_array_add(programs, g_strdup(g_ptr_array_index(settings->programs, i)));
	if (settings->command)
		add_command(programs, settings->command);
	if (settings->pid && !settings->remotes->len)
		add_mapped(programs, settings->pid);
	return programs;
}

/* Return the exit status. */
static int run(struct job *job)
{
	g_autoptr(GPtrArray) programs = selected_programs(&job->settings);
	struct hits *hits;
	int status = 0;

	puts(_("Starting stap data collector."));
	fflush(stdout);
	process_catch_signals();
	signal(SIGPIPE, SIG_IGN);
	if (error_report_free(run_stap(job, programs, &status)))
		return EXIT_FAILURE;
	puts(_("Stopped stap data collector."));
	status = process_exit_status(status);
	/* The status of a script that was stopped because its output is lost means nothing. */
	if (job->pass.has_failed)
		status = EXIT_FAILURE;
	else if (job->pass.is_unread)
		status = 128 + SIGPIPE;
	/* Without a start, as after a mistake in the script, nothing was counted. */
	if (!job->recording->start_time)
		return status ?: EXIT_FAILURE;
	g_ptr_array_add(job->settings.sources, NULL);
	hits = hits_new(job->recording);
	if (error_report_free(show_hits(job, hits)))
		status = EXIT_FAILURE;
	hits_free(hits);
	return status ?: job->has_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct job job = {.settings = {.programs = g_ptr_array_new(),
				       .sources = g_ptr_array_new(),
				       .remotes = g_ptr_array_new(),
				       .verbose = g_ptr_array_new()}};
	int status = EXIT_SUCCESS;
	bool served;

	standard_streams_open();
	i18n_init(locale_directory());
	if (!option_program_read(&this_program, argc, argv, &job.settings, &served))
		return EXIT_USAGE;
	if (!served && error_report_free(check(&job.settings, argv[optind]))) {
		option_program_suggest_help(&this_program);
		return EXIT_USAGE;
	}
	if (!served) {
		job.pool = pool_new();
		pass_choose_colors(&job.pass, "auto");
		status = run(&job);
		pool_free(job.pool);
	}
	g_ptr_array_free(job.settings.programs, TRUE);
	g_ptr_array_free(job.settings.sources, TRUE);
	g_ptr_array_free(job.settings.remotes, TRUE);
	g_ptr_array_free(job.settings.verbose, TRUE);
	return standard_output_finish(status);
}
