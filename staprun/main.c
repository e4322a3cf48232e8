// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * staprun: load a module built by stap, print its output, remove it.
 *
 * This file parses the command line and prepares a session. Files that the user names are opened, and the process of -c
 * is forked, before anything is loaded, because a typing error must not cost a module load. This also precedes
 * session.c, where privileges are reduced for good.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/json_schema.h"
#include "common/base/message.h"
#include "common/base/number.h"
#include "common/base/option_words.h"
#include "common/base/paths.h"
#include "common/base/standard_streams.h"
#include "runtime/abi/protocol.h"
#include "staprun/bulk.h"
#include "staprun/check.h"
#include "staprun/child.h"
#include "staprun/control.h"
#include "staprun/describe.h"
#include "staprun/list.h"
#include "staprun/lock.h"
#include "staprun/messages.h"
#include "staprun/monitor.h"
#include "staprun/privilege.h"
#include "staprun/session.h"

enum { STATUS_OK, STATUS_FAILED, STATUS_USAGE };

struct options {
	const char *module;
	const char *command; /* -c */
	const char *output_file; /* -o */
	const char *remote; /* URI of -r */
	int64_t remote_number;
	char **settings; /* NAME=VALUE after the module, NULL-terminated */
	enum color_when color;
	int verbosity, timeout, buffer_megabytes;
	int target, namespaces; /* -x, -N: process ids */
	bool suppress_warnings, rename, delete, daemon, leave, attach, describe;
	bool asked_to_say_more; /* -v on the command line, not SYSTEMTAP_VERBOSE */
	struct monitor_wish monitor, json; /* -M, -J */
	struct output_limit limit; /* -S */
};

static int bad_argument(int option, const char *argument)
{
	fprintf(stderr, "%s: ", _("ERROR"));
	fprintf(stderr, _("invalid argument '%s' of option -%c"), argument, option);
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

static int set_color(struct options *options, const struct option_row *row)
{
	static const char *const names[COLOR_COUNT_] = {
		[COLOR_NEVER] = "never", [COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(names[i], optarg)) {
			options->color = i;
			return STATUS_OK;
		}
	}
	return bad_argument('C', optarg);
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
} option_rows[] = {
	{'v', NULL, NULL, say_more, N_("print progress messages")},
	{'V', NULL, NULL, show_version, N_("print the version")},
	{'h', NULL, NULL, set_flag, N_("describe MODULE and the globals that can be set, without loading it"),
	 offsetof(struct options, describe)},
	{'w', NULL, NULL, set_flag, N_("suppress warnings"), offsetof(struct options, suppress_warnings)},
	{'c', NULL, N_("CMD"), set_text, N_("run CMD and exit when it ends; target() is its process"),
	 offsetof(struct options, command)},
	{'x', NULL, N_("PID"), set_number, N_("set target() to PID"), offsetof(struct options, target), 1 << 30},
	{'o', NULL, N_("FILE"), set_text, N_("write output to FILE (with strftime formats)"),
	 offsetof(struct options, output_file)},
	{'C', NULL, N_("WHEN"), set_color, N_("color of messages: never, auto, always")},
	{'r', NULL, N_("N:URI"), set_remote, N_("set the values of remote_id() and remote_uri()")},
	{'R', NULL, NULL, set_flag, N_("load the module under a unique name"), offsetof(struct options, rename)},
	{'d', NULL, NULL, set_flag, N_("remove MODULE, left behind by a killed staprun; '*': all such modules"),
	 offsetof(struct options, delete)},
	{'T', NULL, N_("MS"), set_number, N_("maximum delay before output is read (default: 200)"),
	 offsetof(struct options, timeout), 1 << 30},
	{'u', NULL, NULL, explain_uprobes, N_("no effect: the kernel has built-in uprobes")},
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
	 N_("show what the script does every S seconds, on a screen or as JSON")},
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

static void usage(void)
{
	fputs(_("Usage: staprun [OPTIONS] MODULE [NAME=VALUE...]\n"
		"       staprun -v                                 list the loaded modules\n"),
	      stderr);
	for (size_t i = 0; i < option_table.count; i++) {
		const struct option_word *word = &option_rows[i].word;

		/* TRANSLATORS: an option, its argument, and what it does. */
		fprintf(stderr, _("  -%c %-8s %s\n"), word->letter, word->argument ? _(word->argument) : "",
			_(option_rows[i].help));
	}
	fputs(_("MODULE is a path, or the name of a module in /lib/modules/RELEASE/systemtap.\n"), stderr);
}

static int parse_option(struct options *options, int letter)
{
	const struct option_row *row = option_row_of(&option_table, letter);

	if (row)
		return row->set(options, row);
	usage();
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
		{options->attach && (options->target || options->namespaces || options->remote ||
				     options->buffer_megabytes || options->rename || *options->settings),
		 N_("-A excludes -b, -N, -r, -R, -x and values of globals: the script has already started")},
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

static int parse(struct options *options, int argc, char **argv)
{
	const char *verbose = getenv("SYSTEMTAP_VERBOSE");
	struct option_words words;
	int64_t verbosity;
	int option, status;

	option_words_make(&option_table, "+", &words);
	if (verbose && parse_number(verbose, 10, 0, 9, &verbosity))
		options->verbosity = (int)verbosity;
	while ((option = getopt(argc, argv, words.letters)) != -1) {
		status = parse_option(options, option);
		if (status)
			return status;
	}
	if (optind >= argc && options->asked_to_say_more)
		return STATUS_OK; /* list the loaded modules */
	if (optind >= argc) { /* argv may be empty, without even a program name */
		fprintf(stderr, "%s: %s\n", _("ERROR"), _("no module was named"));
		usage();
		return STATUS_USAGE;
	}
	options->module = argv[optind];
	options->settings = argv + optind + 1;
	for (char **setting = options->settings; *setting; setting++) {
		if (**setting != '=' && strchr(*setting, '='))
			continue;
		fprintf(stderr, "%s: ", _("ERROR"));
		fprintf(stderr,
			_("invalid argument '%s': expected NAME=VALUE, where NAME is a global variable of the "
			  "script\n"),
			*setting);
		return STATUS_USAGE;
	}
	return check_combination(options);
}

static int finish(struct error *error)
{
	return standard_output_finish(error_report_free(error) ? STATUS_FAILED : STATUS_OK);
}

struct deletion {
	const char *name;
	enum access access;
	uid_t user; /* real user id of the caller */
};

/* Called with the lock held. */
static struct error *delete_one(void *data, bool *is_busy)
{
	const struct deletion *deletion = data;
	_cleanup_close_ int directory = -1;
	struct error *error = module_open_directory(deletion->name, &directory);
	struct control_status status;

	if (error)
		return error;
	control_look(directory, &status);
	if (status.left && deletion->access != ACCESS_ALL && status.owner != deletion->user)
		return error_new(ERROR_SYSTEM, _("module %s belongs to another user"), deletion->name);
	if (!status.left && !module_is_unused(deletion->name))
		return error_new(ERROR_OTHER, _("module %s is in use"), deletion->name);
	return module_remove_once(deletion->name, is_busy);
}

/* Called with the lock held. */
static struct error *delete_all(void *data, bool *is_busy)
{
	unsigned int *failures = data;

	*failures = module_remove_unused();
	return NULL;
}

static int delete_module(const char *name, enum access access)
{
	struct error *error = control_find_debugfs();
	unsigned int failures = 0;
	struct deletion deletion = {name, access, getuid()};
	const struct module_removal one = {delete_one, &deletion}, every = {delete_all, &failures};

	error = error ?: privilege_limit();
	error = error ?: module_remove_with_lock(!strcmp(name, "*") ? &every : &one);
	return failures ? STATUS_FAILED : finish(error);
}

/*
 * -D: fork the process that continues in the background, and return in it alone. The parent prints the child's process
 * id and exits when the child writes a byte to @p began because the script has started. If the child ends earlier, the
 * parent exits with its status.
 */
static struct error *go_to_background(int *began)
{
	int ends[2], status = 0;
	char byte;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return error_errno("pipe2");
	pid = fork();
	if (pid < 0)
		return error_errno("fork");
	if (!pid) {
		close(ends[0]);
		setsid();
		*began = ends[1];
		return NULL;
	}
	close(ends[1]);
	if (read(ends[0], &byte, 1) == 1) {
		printf("%d\n", (int)pid);
		exit(standard_output_finish(STATUS_OK));
	}
	child_wait(pid, &status, 0);
	exit(WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_FAILED);
}

/* -A: return whether the module requests unwind tables of programs. */
static bool wants_tables(const char *module)
{
	_cleanup_close_ int directory = -1;
	struct error *error = module_open_directory(module, &directory);

	error_free(error);
	return !error && !faccessat(directory, "objects", F_OK, 0);
}

/* The state that the steps before a session prepare. */
struct preparation {
	const struct options *options;
	enum access access;
	char **environment;
	const sigset_t *signal_mask;
	struct session_options session;
	struct monitor monitor;
	struct runner runner;
	struct tables tables;
	struct command command;
};

/*
 * Check that a process exists and that /proc shows it to the user, who may not be allowed to see the processes of
 * others (hidepid, proc(5)).
 */
static struct error *check_process(pid_t pid)
{
	char path[sizeof("/proc//stat") + 3 * sizeof(pid)];
	bool is_gone = kill(pid, 0) && errno == ESRCH;

	/* access() decides for the real user. */
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (!is_gone && !access("/proc/self/stat", F_OK) && access(path, F_OK)) {
		if (errno != ENOENT)
			return error_errno(_("cannot use process %d"), (int)pid);
		is_gone = true;
	}
	return is_gone ? error_new(ERROR_LOOKUP, _("process %d does not exist"), (int)pid) : NULL;
}

static struct error *check_processes(struct preparation *p)
{
	struct error *error = p->options->target ? check_process(p->options->target) : NULL;

	if (!error && p->options->namespaces)
		error = check_process(p->options->namespaces);
	return error;
}

static struct error *read_module(struct preparation *p)
{
	return p->options->attach ? NULL : module_read(p->options->module, p->access, &p->session.image);
}

static struct error *read_info(struct preparation *p)
{
	if (p->options->attach)
		return NULL;
	return error_prefix(info_read(p->session.image.data, p->session.image.size, &p->session.info),
			    _("cannot load %s"), p->options->module);
}

/*
 * A signer vouches for what the script does, but not for its name. Force a prefix, so that a user can neither keep a
 * module of the kernel out by taking its name nor take the name of an installed script.
 */
static struct error *force_name(struct preparation *p)
{
	struct module_info *info = &p->session.info;
	char name[sizeof(SIGNED_MODULE_PREFIX) + INFO_NAME_SIZE];

	if (!strncmp(info->name, SIGNED_MODULE_PREFIX, strlen(SIGNED_MODULE_PREFIX)))
		return NULL;
	snprintf(name, sizeof(name), "%s%s", SIGNED_MODULE_PREFIX, info->name);
	message_verbose(1, "renaming module %s to %s", info->name, name);
	return info_rename(p->session.image.data, info, name);
}

static struct error *check_privilege(struct preparation *p)
{
	struct error *error;

	if (!p->session.image.is_signed)
		return NULL;
	error = privilege_allows(p->access, p->session.info.privilege) ?: force_name(p);
	return error_prefix(error, _("cannot load %s"), p->options->module);
}

static struct error *open_output(struct preparation *p)
{
	const struct options *options = p->options;
	enum color_when color = monitor_wants_screen(&options->monitor) ? COLOR_NEVER : options->color;

	return output_open(p->session.info.bulk ? NULL : options->output_file, &options->limit, color,
			   !options->suppress_warnings, &p->session.output);
}

static struct error *open_bulk_files(struct preparation *p)
{
	return p->session.info.bulk ? bulk_open(p->options->output_file, &p->session.bulk) : NULL;
}

static struct error *start_monitor(struct preparation *p)
{
	const struct options *options = p->options;
	const struct monitor_start start = {
		.wish = options->json.view ? &options->json : &options->monitor,
		.module = p->session.attach ?: p->session.info.name,
		.environment = p->environment,
		.mask = p->signal_mask,
		.output_file = options->output_file ? output_descriptor(p->session.output) : -1,
		.remote = options->remote ? options->remote_number : -1,
	};
	struct error *error;

	if (!start.wish->view)
		return NULL;
	if (options->json.view && p->session.info.bulk)
		return error_new(ERROR_OTHER, _("-J: the script was built for bulk mode, which writes a file for each "
						"CPU"));
	error = monitor_prepare(&p->monitor, &start);
	if (error)
		return error;
	p->session.monitor = &p->monitor;
	output_use_json(p->session.output, p->monitor.lines);
	return NULL;
}

static struct error *start_runner(struct preparation *p)
{
	if (!p->session.info.commands)
		return NULL;
	p->session.runner = &p->runner;
	return runner_prepare(&p->runner, p->environment, p->signal_mask);
}

/* -L: reject a script that needs staprun while it runs. */
static struct error *check_leaving(struct preparation *p)
{
	if (!p->options->leave)
		return NULL;
	if (p->session.info.commands)
		return error_new(ERROR_OTHER, _("-L: the script runs commands with system(), which needs staprun"));
	if (p->session.info.bulk)
		return error_new(ERROR_OTHER, _("-L: bulk mode needs staprun to write the files; use -D"));
	return NULL;
}

static struct error *start_tables(struct preparation *p)
{
	if (!(p->options->attach ? wants_tables(p->options->module) : p->session.info.objects))
		return NULL;
	p->session.tables = &p->tables;
	return tables_prepare(&p->tables, p->environment, p->signal_mask);
}

static struct error *start_command(struct preparation *p)
{
	struct error *error;

	if (!p->options->command)
		return NULL;
	error = command_prepare(&p->command, p->options->command, p->environment, p->signal_mask);
	p->session.command = &p->command;
	p->session.target = p->command.pid;
	return error;
}

/*
 * The steps before a session, in this order. The module is read and the output is opened before any process starts. The
 * monitor starts before the other processes, because their output goes through it. The user's command starts last, when
 * nothing else can fail.
 */
static const struct step {
	struct error *(*take)(struct preparation *p);
	enum { AS_ROOT, AS_USER } identity; /* as the user: open only what the user may, and parse without privileges */
} steps[] = {
	/* clang-format off */
	{check_processes, AS_ROOT},
	{read_module, AS_ROOT},
	{read_info, AS_USER},
	{check_privilege, AS_USER},
	{open_output, AS_USER},
	{open_bulk_files, AS_USER},
	{start_monitor, AS_ROOT},
	{start_runner, AS_ROOT},
	{check_leaving, AS_ROOT},
	{start_tables, AS_ROOT},
	{start_command, AS_ROOT},
	/* clang-format on */
};

static struct error *take_step(const struct step *step, struct preparation *p)
{
	struct error *error;

	if (step->identity == AS_ROOT)
		return step->take(p);
	privilege_as_user();
	error = step->take(p);
	privilege_as_root();
	return error;
}

static int run(const struct options *options, enum access access, char **environment, const sigset_t *signal_mask,
	       int began)
{
	struct preparation p = {
		.options = options,
		.access = access,
		.environment = environment,
		.signal_mask = signal_mask,
		.session =
			{
				.began = began,
				.target = options->target,
				.settings = options->settings,
				.namespaces = options->namespaces,
				.buffer_megabytes = options->buffer_megabytes,
				.remote = options->remote,
				.remote_number = options->remote_number,
				.rename = options->rename,
				.timeout = options->timeout,
				.leaves = options->leave,
				.attach = options->attach ? options->module : NULL,
				.access = access,
			},
	};
	struct error *error = NULL;
	int status;

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps) && !error; i++)
		error = take_step(&steps[i], &p);
	if (error && p.session.monitor) {
		monitor_end(&p.monitor);
		monitor_finish(&p.monitor);
	}
	if (error)
		return finish(error);
	status = session_run(&p.session);
	info_destroy(&p.session.info);
	return status;
}

int main(int argc, char **argv)
{
	struct options options = {.timeout = 200};
	sigset_t signal_mask;
	enum access access;
	struct error *error;
	char **environment;
	int status, began = -1;

	/*
	 * Scripts compare execname() with "staprun", but this may run as an argument of the dynamic loader
	 * (translator/run/shell.c).
	 */
	prctl(PR_SET_NAME, "staprun");
	privilege_clean_descriptors();
	/* Write whole lines: two processes and the user's command share standard error. */
	setvbuf(stderr, NULL, _IOLBF, 0);
	environment = privilege_clean_environment();
	i18n_init();
	status = parse(&options, argc, argv);
	if (status)
		return status;
	messages_configure(options.verbosity, !options.suppress_warnings);
	if (options.json.view)
		messages_use_json(stdout);
	if (options.remote)
		json_set_remote(options.remote_number);
	if (options.describe)
		return finish(describe_module(options.module));
	error = privilege_check(&access);
	if (error)
		return finish(error);
	/* Buffers take kernel memory, which ordinary users must not control. */
	if (options.buffer_megabytes && access != ACCESS_ALL)
		return finish(error_new(ERROR_OTHER, _("-b requires root or membership in group stapdev")));
	error = session_catch_signals(&signal_mask);
	if (error)
		return finish(error);
	if (!options.module)
		return finish(list_modules(access));
	if (options.delete)
		return delete_module(options.module, access);
	error = options.daemon ? go_to_background(&began) : NULL;
	return error ? finish(error) : run(&options, access, environment, &signal_mask, began);
}
