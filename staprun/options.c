// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of staprun, and of a bundle, which is staprun with its modules in one file (bundle/main.c). Rows of
 * one table say what each option does, how the usage text describes it, and why a bundle refuses it.
 */
#include "staprun/options.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/number.h"
#include "common/base/option_words.h"
#include "common/base/utf8.h"
#include "runtime/abi/protocol.h"

static int bad_argument(int option, const char *argument)
{
	fprintf(stderr, "%s: ", _("ERROR"));
	fprintf(stderr, _("invalid argument '%s' of option -%c"), argument, option);
	fputc('\n', stderr);
	return STATUS_USAGE;
}

static int bad_word(const char *option, const char *argument)
{
	fprintf(stderr, "%s: ", _("ERROR"));
	fprintf(stderr, _("invalid argument '%s' of option --%s"), argument, option);
	fputc('\n', stderr);
	return STATUS_USAGE;
}

struct option_row;

static int say_more(struct options *options, const struct option_row *row)
{
	options->verbosity++;
	options->asked_to_say_more = true;
	return STATUS_OK;
}

static int show_version(struct options *options, const struct option_row *row)
{
	printf(_("staprun (Spile) %s\n"), PACKAGE_VERSION);
	exit(STATUS_OK);
}

static int explain_uprobes(struct options *options, const struct option_row *row)
{
	fprintf(stderr, "%s: %s\n", _("WARNING"), _("-u has no effect: the kernel has built-in uprobes"));
	return STATUS_OK;
}

/* Parse MEGABYTES[,FILES]. */
static int set_limit(struct options *options, const struct option_row *row)
{
	enum { MOST_MEGABYTES = 1 << 20, MOST_FILES = 1000000 };
	int64_t megabytes, files = 0;
	const char *rest = parse_number_at(optarg, 10, 1, MOST_MEGABYTES, &megabytes);

	if (!rest || (*rest && (*rest != ',' || !parse_number(rest + 1, 10, 1, MOST_FILES, &files))))
		return bad_argument('S', optarg);
	options->limit = (struct output_limit){.bytes = (size_t)megabytes << 20, .files = files};
	return STATUS_OK;
}

/* Find the argument of an option among @count words. */
static bool find_word(const char *const *words, size_t count, size_t *ret)
{
	for (*ret = 0; *ret < count; ++*ret)
		if (!strcmp(words[*ret], optarg))
			return true;
	return false;
}

static int set_color(struct options *options, const struct option_row *row)
{
	static const char *const words[COLOR_COUNT_] = {
		[COLOR_NEVER] = "never", [COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always"};
	size_t found;

	if (!find_word(words, COLOR_COUNT_, &found))
		return bad_argument('C', optarg);
	options->color = found;
	return STATUS_OK;
}

static int set_report(struct options *options, const struct option_row *row)
{
	static const char *const words[REPORT_COUNT_] = {
		[REPORT_FAILURE] = "failure", [REPORT_PID] = "pid", [REPORT_NOTHING] = "nothing"};
	size_t found;

	if (!find_word(words, REPORT_COUNT_, &found))
		return bad_argument('E', optarg);
	options->report = found;
	return STATUS_OK;
}

static int set_start(struct options *options, const struct option_row *row)
{
	static const char *const words[START_COUNT_] = {[START_EXEC] = "exec", [START_MAIN] = "main"};
	size_t found;

	if (!find_word(words, START_COUNT_, &found))
		return bad_word("start", optarg);
	options->start = found;
	return STATUS_OK;
}

enum { MOST_SECONDS = 86400 };

/* Parse SECONDS, SECONDS,json or json. */
static int set_monitor(struct options *options, const struct option_row *row)
{
	int64_t seconds = 1;
	const char *rest = !strcmp(optarg, "json") ? ",json" : parse_number_at(optarg, 10, 1, MOST_SECONDS, &seconds);

	if (!rest || (*rest && strcmp(rest, ",json")))
		return bad_argument('M', optarg);
	options->monitor.view = *rest ? MONITOR_LINES : MONITOR_SCREEN;
	options->monitor.seconds = (int)seconds;
	return STATUS_OK;
}

static int set_json(struct options *options, const struct option_row *row)
{
	int64_t seconds;

	if (!parse_number(optarg, 10, 0, MOST_SECONDS, &seconds))
		return bad_argument('J', optarg);
	options->json = (struct monitor_wish){.view = MONITOR_JSON, .seconds = (int)seconds};
	return STATUS_OK;
}

/* Parse N:URI, on a single line. */
static int set_remote(struct options *options, const struct option_row *row)
{
	const char *colon = parse_number_at(optarg, 10, 0, 1 << 20, &options->remote_number);

	if (!colon || *colon != ':' || strlen(colon + 1) > STP_REMOTE_LIMIT || strchr(colon, '\n'))
		return bad_argument('r', optarg);
	options->remote = colon + 1;
	return STATUS_OK;
}

static int set_flag(struct options *options, const struct option_row *row);
static int set_text(struct options *options, const struct option_row *row);
static int set_number(struct options *options, const struct option_row *row);

/* The command line options; the argument of getopt() and the text of usage() are derived from this table. */
static const struct option_row {
	struct option_word word;
	int (*set)(struct options *options, const struct option_row *row);
	const char *help;
	size_t member; /* of struct options, set by set_flag(), set_text() and set_number() */
	int most; /* upper limit for set_number(); the lower one is 1 */
	const char *not_in_bundle; /* why bundles refuse it; NULL: they do not */
} option_rows[] = {
	{'v', NULL, NULL, say_more, N_("print progress messages")},
	{'V', NULL, NULL, show_version, N_("print the version")},
	{'h', NULL, NULL, set_flag, N_("describe MODULE and the globals that can be set, without loading it"),
	 offsetof(struct options, describe)},
	{'w', NULL, NULL, set_flag, N_("suppress warnings"), offsetof(struct options, suppress_warnings)},
	{'c', NULL, N_("CMD"), set_text, N_("run CMD and exit when it ends; target() is its process"),
	 offsetof(struct options, command)},
	{'E', NULL, N_("WHAT"), set_report, N_("at the end of CMD: report a failure (default), its pid, or nothing")},
	{0, "start", N_("WHERE"), set_start,
	 N_("when the script starts: before CMD is executed (exec, default), or at its main()")},
	{'x', NULL, N_("PID"), set_number, N_("set target() to PID"), offsetof(struct options, target), 1 << 30},
	{0, "cgroup", N_("PATH"), set_text, N_("ignore events of tasks outside this control group and those below it"),
	 offsetof(struct options, cgroup)},
	{'o', NULL, N_("FILE"), set_text, N_("write output to FILE (with strftime formats)"),
	 offsetof(struct options, output_file)},
	{'C', NULL, N_("WHEN"), set_color, N_("color of messages: never, auto, always")},
	{'r', NULL, N_("N:URI"), set_remote, N_("set the values of remote_id() and remote_uri()")},
	{'R', NULL, NULL, set_flag, N_("load the module under a unique name"), offsetof(struct options, rename), 0,
	 N_("it always uses a unique name")},
	{'d', NULL, NULL, set_flag, N_("remove MODULE, left behind by a killed staprun; '*': all such modules"),
	 offsetof(struct options, delete)},
	{'T', NULL, N_("MS"), set_number, N_("maximum delay before output is read (default: 200)"),
	 offsetof(struct options, timeout), 1 << 30},
	{'u', NULL, NULL, explain_uprobes, N_("no effect: the kernel has built-in uprobes"), 0, 0,
	 N_("the kernel has built-in uprobes")},
	{'L', NULL, NULL, set_flag, N_("load the module and leave it running when the script has started"),
	 offsetof(struct options, leave)},
	{'A', NULL, NULL, set_flag, N_("attach to MODULE, which was left running"), offsetof(struct options, attach)},
	{'D', NULL, NULL, set_flag,
	 N_("with -o: continue in the background when the script has started, and print the process id"),
	 offsetof(struct options, daemon)},
	{'N', NULL, N_("PID"), set_number, N_("use the namespaces of process PID for ns_pid() and similar functions"),
	 offsetof(struct options, namespaces), 1 << 30},
	{'b', NULL, N_("MB"), set_number, N_("output buffer per CPU, 1 to 4095"),
	 offsetof(struct options, buffer_megabytes), 4095},
	{'M', NULL, N_("S[,json]"), set_monitor,
	 N_("show what the script does every S seconds, on a screen or as JSON"), 0, 0,
	 N_("it does not contain stap-monitor; -J writes lines of JSON")},
	{'J', NULL, N_("S"), set_json,
	 N_("write all output as lines of JSON, with the globals every S seconds; 0: at the end")},
	{'S', NULL, N_("MB[,N]"), set_limit, N_("with -o: write FILE.0, FILE.1... of this size; keep the newest N")},
};

static const struct option_table option_table = OPTION_TABLE(option_rows);

static void *member(struct options *options, const struct option_row *row)
{
	return (char *)options + row->member;
}

static int set_flag(struct options *options, const struct option_row *row)
{
	*(bool *)member(options, row) = true;
	return STATUS_OK;
}

static int set_text(struct options *options, const struct option_row *row)
{
	*(const char **)member(options, row) = optarg;
	return STATUS_OK;
}

static int set_number(struct options *options, const struct option_row *row)
{
	int64_t value;

	if (!parse_number(optarg, 10, 1, row->most, &value))
		return bad_argument(row->word.letter, optarg);
	*(int *)member(options, row) = value;
	return STATUS_OK;
}

void options_list(FILE *to, enum program program)
{
	for (size_t i = 0; i < option_table.count; i++) {
		const struct option_word *word = &option_rows[i].word;
		_cleanup_free_ char *padded = utf8_padded(word->argument ? _(word->argument) : "", -8);

		if (program == PROGRAM_BUNDLE && option_rows[i].not_in_bundle)
			continue;
		if (word->name)
			/* TRANSLATORS: a long option, its argument, and what it does. */
			fprintf(to, _("  --%s=%s %s\n"), word->name, _(word->argument), _(option_rows[i].help));
		else
			/* TRANSLATORS: an option, its argument, and what it does. */
			fprintf(to, _("  -%c %s %s\n"), word->letter, padded, _(option_rows[i].help));
	}
}

/* Print what is wrong with the command line of a bundle in one line; its --help says more. */
static void usage(enum program program)
{
	if (program == PROGRAM_BUNDLE) {
		fputs(_("Try the option --help.\n"), stderr);
		return;
	}
	fputs(_("Usage: staprun [OPTIONS] MODULE [NAME=VALUE...]\n"
		"       staprun -v                                 list the loaded modules\n"),
	      stderr);
	options_list(stderr, program);
	fputs(_("MODULE is a path, or the name of a module in /lib/modules/RELEASE/systemtap.\n"), stderr);
}

static int refuse_in_bundle(const struct option_row *row)
{
	fprintf(stderr, "%s: ", _("ERROR"));
	fprintf(stderr, _("a bundle has no option -%c: %s"), row->word.letter, _(row->not_in_bundle));
	fputc('\n', stderr);
	return STATUS_USAGE;
}

static int parse_option(struct options *options, int letter)
{
	const struct option_row *row = option_row_of(&option_table, letter);

	if (row && options->program == PROGRAM_BUNDLE && row->not_in_bundle)
		return refuse_in_bundle(row);
	if (row)
		return row->set(options, row);
	usage(options->program);
	return STATUS_USAGE;
}

/* Check for options that conflict with or require one another. */
static int check_combination(const struct options *options)
{
	const struct {
		bool is_wrong;
		const char *reason;
	} rules[] = {
		{options->daemon && !options->output_file,
		 N_("-D requires -o: in the background, standard output has no reader")},
		{options->limit.bytes && !options->output_file, N_("-S requires -o")},
		{options->command && options->target, N_("-c and -x exclude each other: there is one target()")},
		{options->leave && options->attach, N_("-L and -A exclude each other")},
		{options->leave && options->command,
		 N_("-L and -c exclude each other: staprun would not wait for the command")},
		{options->leave && options->output_file,
		 N_("-L and -o exclude each other: use -D and -o to write the file in the background")},
		{options->attach && options->command,
		 N_("-A and -c exclude each other: the script has already started")},
		{options->attach && (options->target || options->cgroup || options->namespaces || options->remote ||
				     options->buffer_megabytes || options->rename || *options->settings),
		 N_("-A excludes --cgroup, -b, -N, -r, -R, -x and values of globals: the script has already started")},
		{options->describe && (options->delete || options->leave || options->attach || options->command ||
				       options->output_file || *options->settings),
		 N_("-h excludes -A, -c, -d, -L, -o and values of globals: it loads nothing")},
		{options->delete &&(options->leave || options->attach), N_("-d excludes -L and -A")},
		{options->monitor.view && (options->leave || options->daemon || options->delete),
		 N_("-M excludes -L, -D and -d: they leave no terminal for the monitor")},
		{options->json.view && (options->monitor.view || options->leave || options->daemon || options->delete ||
					options->describe || options->limit.bytes),
		 N_("-J excludes -D, -d, -h, -L, -M and -S: it writes one stream of lines until the script ends")},
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (!rules[i].is_wrong)
			continue;
		fprintf(stderr, "%s: %s\n", _("ERROR"), _(rules[i].reason));
		return STATUS_USAGE;
	}
	return STATUS_OK;
}

/* Does the first operand name a module? A bundle has its own, but -A and -d name a loaded one. */
static bool takes_module(const struct options *options)
{
	return options->program == PROGRAM_STAPRUN || options->attach || options->delete;
}

static int check_settings(char **settings)
{
	for (char **setting = settings; *setting; setting++) {
		if (**setting != '=' && strchr(*setting, '='))
			continue;
		fprintf(stderr, "%s: ", _("ERROR"));
		fprintf(stderr,
			_("invalid argument '%s': expected NAME=VALUE, where NAME is a global variable of the "
			  "script\n"),
			*setting);
		return STATUS_USAGE;
	}
	return STATUS_OK;
}

static int parse_operands(struct options *options, int argc, char **argv)
{
	if (takes_module(options)) {
		if (optind >= argc && options->asked_to_say_more && options->program == PROGRAM_STAPRUN)
			return STATUS_OK; /* list the loaded modules */
		if (optind >= argc) { /* argv may be empty, without even a program name */
			fprintf(stderr, "%s: %s\n", _("ERROR"), _("no module was named"));
			usage(options->program);
			return STATUS_USAGE;
		}
		options->module = argv[optind++];
	}
	options->settings = argv + (optind < argc ? optind : argc);
	return check_settings(options->settings) ?: check_combination(options);
}

bool options_has_word(const char *word)
{
	size_t length = strcspn(word, "=");

	for (size_t i = 0; i < option_table.count; i++) {
		const char *name = option_rows[i].word.name;

		if (name && length == strlen("--") + strlen(name) && !strncmp(word, "--", 2) &&
		    !strncmp(word + 2, name, strlen(name)))
			return true;
	}
	return false;
}

int options_parse(struct options *options, int argc, char **argv)
{
	const char *verbose = getenv("SYSTEMTAP_VERBOSE");
	struct option_words words;
	int64_t verbosity;
	int option, status;

	option_words_make(&option_table, "+", &words);
	if (verbose && parse_number(verbose, 10, 0, 9, &verbosity))
		options->verbosity = (int)verbosity;
	while ((option = getopt_long(argc, argv, words.letters, words.names, NULL)) != -1) {
		status = parse_option(options, option);
		if (status)
			return status;
	}
	return parse_operands(options, argc, argv);
}
