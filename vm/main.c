// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-vm: throwaway guests that run a command under a kernel of choice.
 *
 * This file handles the command line. A table of options yields the arguments of getopt_long() and the usage text. A
 * table of commands lists the options of each, and one function per command combines the parts. fetch.c and
 * debug_kernel.c fill the cache, initramfs.c builds a guest's root, hub.c owns the guest and client.c runs commands in
 * it.
 *
 * Exit status: 0 success, 1 failure, 2 wrong usage. "run" and "exec" return the command's own status, or 125 if stap-vm
 * or the guest failed.
 */
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "common/build_root.h"
#include "common/guest_root.h"
#include "common/base/cleanup.h"
#include "common/base/error.h"
#include "common/base/i18n.h"
#include "common/base/number.h"
#include "common/base/option_words.h"
#include "common/base/paths.h"
#include "common/base/standard_streams.h"
#include "vm/build_root.h"
#include "vm/cache.h"
#include "vm/client.h"
#include "vm/debug_kernel.h"
#include "vm/download.h"
#include "vm/fetch.h"
#include "vm/guest_root.h"
#include "vm/hub.h"
#include "vm/initramfs.h"
#include "vm/machine.h"
#include "vm/qemu.h"
#include "vm/upload.h"

enum { EXIT_USAGE = 2, EXIT_GUEST = 125, DEFAULT_CPUS = 2, DMESG_SECONDS = 20, STOP_SECONDS = 20, USAGE_COLUMNS = 118 };

struct options {
	const char *kernel;
	unsigned int cpus; /* 0: the default */
	bool virtual_time;
	const char *memory;
	unsigned int timeout;
	GPtrArray *files;
	GPtrArray *repositories;
	const char *download; /* GUESTPREFIX:HOSTPREFIX, or NULL */
	char **modules;
	const char *console;
	const char *dmesg;
	const char *socket;
	const char *config;
	bool debuginfo;
	bool snapshot;
	bool verbose;
	char **arguments; /* the arguments after the options */
};

struct command {
	const char *name;
	const char *options; /* keys of option_rows, in the order of the usage text */
	int least, most; /* number of arguments; most < 0: any number */
	int failure; /* exit status after an error */
	struct error *(*run)(const struct options *options, int *status);
	const char *arguments; /* for the usage text, after the options */
};

static struct error *command_fetch(const struct options *options, int *status)
{
	struct fetch_options fetch = {.debuginfo = options->debuginfo};
	struct error *error = NULL;

	(void)status;
	g_ptr_array_add(options->repositories, NULL);
	fetch.repositories = (const char *const *)options->repositories->pdata;
	for (char **name = options->arguments; *name && !error; name++)
		error = fetch_kernel(*name, &fetch);
	return error;
}

static struct error *command_guest_root(const struct options *options, int *status)
{
	const char *name = options->arguments[0];
	const struct architecture *architecture = architecture_by_name(name);
	g_autofree char *kernels = NULL, *root = NULL;
	struct error *error;

	(void)status;
	if (!architecture || architecture == architecture_of_host())
		return error_new(ERROR_LOOKUP, _("'%s' is not another supported architecture"), name);
	error = cache_kernels_directory(&kernels);
	error = error ?: guest_root_fetch(kernels, architecture);
	root = error ? NULL : guest_root_find(architecture);
	if (root)
		printf("%s\n", root);
	return error;
}

static struct error *command_list(const struct options *options, int *status)
{
	g_autoptr(GPtrArray) names = cache_kernels();

	(void)options;
	(void)status;
	for (guint i = 0; i < names->len; i++)
		printf("%s\n", (const char *)names->pdata[i]);
	return NULL;
}

static struct error *command_path(const struct options *options, int *status)
{
	_cleanup_kernel_ struct kernel *kernel = NULL;
	struct error *error = cached_kernel_find(options->arguments[0], &kernel);

	(void)status;
	if (!error)
		printf("%s\n", kernel->root);
	return error;
}

/* Replace this process with the tool, so that signals and the exit status are the tool's own. */
static struct error *command_tools(const struct options *options, int *status)
{
	_cleanup_kernel_ struct kernel *kernel = NULL;
	struct error *error = cached_kernel_find(options->kernel, &kernel);
	g_autofree char *root = error ? NULL : g_build_filename(kernel->root, BUILD_ROOT_LINK, NULL);
	struct build_root_entry *entry;

	(void)status;
	if (error)
		return error;
	entry = g_file_test(root, G_FILE_TEST_IS_DIR) ? build_root_entry_new(root, NULL) : NULL;
	if (entry && !build_root_enter(entry))
		return error_with_hint(error_errno(_("cannot enter the build root %s"), root),
				       _("enable user namespaces, or run it as root"));
	build_root_entry_free(entry);
	execvp(options->arguments[0], options->arguments);
	return error_errno(_("cannot run %s"), options->arguments[0]);
}

static struct error *command_build_debug_kernel(const struct options *options, int *status)
{
	const char *name = options->arguments[0];
	const struct architecture *architecture = name ? architecture_by_name(name) : architecture_of_host();

	(void)status;
	if (!architecture)
		return error_new(ERROR_LOOKUP, _("'%s' is not a supported architecture"), name);
	return debug_kernel_build(options->config, architecture);
}

static struct error *open_output(const char *path, int *fd)
{
	*fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	return *fd < 0 ? error_errno("%s", path) : NULL;
}

/* Return a NULL-terminated view of the --file options. */
static char **file_list(const struct options *options)
{
	return (char **)options->files->pdata;
}

static struct error *check_machine(const struct kernel *kernel)
{
	const struct machine *machine = machine_of(kernel->architecture);
	g_autofree char *qemu = g_find_program_in_path(machine->program);

	if (!qemu)
		return error_with_hint(error_new(ERROR_LOOKUP, _("QEMU is not installed")),
				       _("run 'apt-get install %s'"), machine->package);
	if (kernel->has_virtio_console || machine->second_console)
		return NULL;
	return error_new(ERROR_UNSUPPORTED,
			 _("kernel %s has no virtio_console, which guests of this architecture need"), kernel->release);
}

/* QEMU can count instructions only on a single CPU (-icount). */
static struct error *choose_cpus(const struct options *options, unsigned int *cpus)
{
	*cpus = options->cpus ? options->cpus : options->virtual_time ? 1 : DEFAULT_CPUS;
	if (!options->virtual_time || *cpus == 1)
		return NULL;
	return error_with_hint(error_new(ERROR_UNSUPPORTED, _("--virtual-time requires one CPU, not %u"), *cpus),
			       _("use '--smp 1'"));
}

static struct error *start_hub(const struct options *options, const char *socket, pid_t *hub, int *fd)
{
	_cleanup_kernel_ struct kernel *kernel = NULL;
	_cleanup_close_ int initrd = -1, files = -1, console = -1;
	struct hub_options hub_options;
	unsigned int cpus;
	struct error *error;

	error = choose_cpus(options, &cpus);
	if (!error)
		error = cached_kernel_find(options->kernel, &kernel);
	if (!error)
		error = check_machine(kernel);
	if (!error)
		error = initramfs_base(kernel, &initrd);
	if (!error)
		error = initramfs_pack(kernel, options->modules, file_list(options), &files);
	if (!error && options->console)
		error = open_output(options->console, &console);
	if (error)
		return error;
	hub_options = (struct hub_options){
		.kernel = kernel,
		.guest = {.cpus = cpus,
			  .memory = options->memory,
			  .initrd = initrd,
			  .virtual_time = options->virtual_time},
		.files = files,
		.snapshot = options->snapshot,
		.console_file = console,
		.socket = socket,
	};
	qemu_probe_kvm(kernel, &hub_options.guest);
	return hub_start(&hub_options, hub, fd);
}

/*
 * Save the guest's kernel log to a file. It has its own timeout, because the log matters most after a command timed
 * out.
 */
static struct error *save_dmesg(struct client_session *session, const char *path)
{
	char *const arguments[] = {"dmesg", NULL};
	_cleanup_close_ int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
	_cleanup_close_ int output = -1;
	struct error *error = open_output(path, &output);
	int status;

	if (error)
		return error;
	session->deadline = g_get_monotonic_time() + DMESG_SECONDS * G_USEC_PER_SEC;
	return client_run(session, (char **)arguments, (const int[]){input, output, STDERR_FILENO}, &status);
}

static const int own_streams[] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};

/*
 * Warn that the guest's kernel reported an error while the command ran. The command's exit status is kept, but a
 * success becomes a failure.
 */
static void tell_report(const struct client_session *session, int *status)
{
	if (!session->report)
		return;
	fprintf(stderr, _("WARNING: while the command ran (exit status %d), %s\n"), *status, session->report);
	if (!*status)
		*status = EXIT_GUEST;
}

/* Turn an interruption by the user into exit status 128 + signal, as a shell does, without an error message. */
static struct error *forgive_interruption(const struct client_session *session, struct error *error, int *status)
{
	if (!error || error->code != ERROR_INTERRUPTED)
		return error;
	error_free(error);
	*status = 128 + session->last_signal;
	return NULL;
}

/*
 * Return how many bytes may be downloaded: as many as the guest has memory, which has all its files. The memory size of
 * a guest that was started earlier is unknown.
 */
static uint64_t download_limit(const struct options *options)
{
	static const uint64_t of_others = 16ull << 30;
	static const char units[] = "KMGT";
	int64_t number = 0;
	const char *unit = parse_number_at(options->memory, 10, 0, 1 << 20, &number);
	const char *known = unit && *unit ? strchr(units, g_ascii_toupper(*unit)) : NULL;

	if (options->socket || !unit)
		return of_others;
	/* QEMU counts megabytes unless there is a unit. */
	return (uint64_t)number << 10 * (known ? known - units + 1 : 2);
}

/* Run the command and download its files, even if it failed. */
static struct error *run_and_download(struct client_session *session, const struct options *options, int *status)
{
	struct error *error = client_run(session, options->arguments, own_streams, status);

	if (!error)
		tell_report(session, status);
	if (!error && options->download)
		error = download_files(session, options->download, download_limit(options));
	return error;
}

static struct error *command_run(const struct options *options, int *status)
{
	struct client_session session;
	struct error *error, *dmesg_error = NULL;
	pid_t hub;
	int fd;

	error = start_hub(options, NULL, &hub, &fd);
	if (error)
		return error;
	client_begin(&session, fd, options->timeout);
	session.verbose = options->verbose;
	error = client_wait_ready(&session);
	if (!error) {
		error = run_and_download(&session, options, status);
		if (options->dmesg)
			dmesg_error = save_dmesg(&session, options->dmesg);
	}
	error = forgive_interruption(&session, error, status);
	client_end(&session);
	waitpid(hub, NULL, 0);
	if (!error)
		return dmesg_error;
	error_free(dmesg_error);
	return error;
}

static struct error *command_start(const struct options *options, int *status)
{
	struct client_session session;
	struct error *error;
	pid_t hub;
	int fd;

	error = start_hub(options, options->socket, &hub, &fd);
	if (error)
		return error;
	client_begin(&session, fd, options->timeout);
	session.verbose = options->verbose;
	error = client_wait_ready(&session);
	if (error) {
		/* A guest that did not start is not kept; its socket is removed, too. */
		kill(hub, SIGTERM);
		waitpid(hub, NULL, 0);
	}
	error = forgive_interruption(&session, error, status);
	client_end(&session);
	return error;
}

/* Connect to a running guest and wait until it is ready. */
static struct error *attach(const struct options *options, struct client_session *session)
{
	struct error *error;
	int fd;

	error = client_connect(options->socket, &fd);
	if (error)
		return error;
	client_begin(session, fd, options->timeout);
	return client_wait_ready(session);
}

static struct error *command_exec(const struct options *options, int *status)
{
	struct client_session session = {.link.fd = -1, .signals = -1};
	struct error *error = attach(options, &session);

	if (!error)
		error = upload_files(&session, file_list(options));
	if (!error)
		error = run_and_download(&session, options, status);
	error = forgive_interruption(&session, error, status);
	client_end(&session);
	return error;
}

static struct error *command_dmesg(const struct options *options, int *status)
{
	char *const arguments[] = {"dmesg", NULL};
	struct client_session session = {.link.fd = -1, .signals = -1};
	_cleanup_close_ int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct error *error = attach(options, &session);

	if (!error)
		error = client_run(&session, (char **)arguments, (const int[]){input, STDOUT_FILENO, STDERR_FILENO},
				   status);
	error = forgive_interruption(&session, error, status);
	client_end(&session);
	return error;
}

static struct error *command_stop(const struct options *options, int *status)
{
	struct client_session session;
	struct error *error;
	int fd;

	(void)status;
	error = client_connect(options->socket, &fd);
	if (error)
		return error;
	/* Do not wait until the guest is ready, so that a dead one can be stopped, too. */
	client_begin(&session, fd, STOP_SECONDS);
	error = client_stop(&session);
	client_end(&session);
	return error;
}

/* The context of an option handler; the option's argument is in optarg. */
struct parsing {
	const struct command *command;
	const struct option_row *row;
	struct options *options;
};

typedef void option_handler(const struct parsing *p);
static option_handler show_help, set_text, set_download, set_number, set_flag, clear_flag, add_text, add_file,
	set_modules;

#define MEMBER(name) offsetof(struct options, name)

static const struct option_row {
	struct option_word word;
	char key; /* identifies the row in commands; equal to the letter, if there is one */
	option_handler *set;
	size_t member; /* of struct options, used by the handler */
	bool repeats;
	const char *missing; /* error message if this mandatory string option is missing; NULL: optional */
} option_rows[] = {
	{'r', "release", "RELEASE|PATH", 'r', set_text, MEMBER(kernel), .missing = N_("option -r is required")},
	{0, "socket", "PATH", 's', set_text, MEMBER(socket), .missing = N_("option --socket is required")},
	{0, "smp", "N", 'p', set_number, MEMBER(cpus)},
	{0, "mem", "SIZE", 'm', set_text, MEMBER(memory)},
	{0, "virtual-time", NULL, 'V', set_flag, MEMBER(virtual_time)},
	{0, "timeout", "SECONDS", 't', set_number, MEMBER(timeout)},
	{0, "file", "HOSTPATH[:GUESTPATH]", 'f', add_file, MEMBER(files), .repeats = true},
	{0, "repository", "URL|DIRECTORY", 'R', add_text, MEMBER(repositories), .repeats = true},
	{0, "download", "GUESTPREFIX:HOSTPREFIX", 'D', set_download, MEMBER(download)},
	{0, "modules", "NAME,...", 'M', set_modules},
	{0, "console", "FILE", 'c', set_text, MEMBER(console)},
	{0, "dmesg", "FILE", 'd', set_text, MEMBER(dmesg)},
	{0, "config", "FRAGMENT", 'C', set_text, MEMBER(config)},
	{0, "no-debuginfo", NULL, 'n', clear_flag, MEMBER(debuginfo)},
	{0, "no-snapshot", NULL, 'S', clear_flag, MEMBER(snapshot)},
	{'v', "verbose", NULL, 'v', set_flag, MEMBER(verbose)},
	{'h', "help", NULL, 'h', show_help},
};

static const struct option_table option_table = OPTION_TABLE(option_rows);

static const struct command command_table[] = {
	{"fetch", "nR", 1, -1, EXIT_FAILURE, command_fetch, "RELEASE|SUITE..."},
	{"guest-root", "", 1, 1, EXIT_FAILURE, command_guest_root, "ARCHITECTURE"},
	{"list", "", 0, 0, EXIT_FAILURE, command_list, ""},
	{"path", "", 1, 1, EXIT_FAILURE, command_path, "RELEASE"},
	{"tools", "r", 1, -1, EXIT_FAILURE, command_tools, "[--] COMMAND [ARGUMENT...]"},
	{"run", "rpmVtfDMcdSv", 1, -1, EXIT_GUEST, command_run, "[--] COMMAND [ARGUMENT...]"},
	{"start", "rspmVtfMcSv", 0, 0, EXIT_FAILURE, command_start, ""},
	{"exec", "sfDt", 1, -1, EXIT_GUEST, command_exec, "[--] COMMAND [ARGUMENT...]"},
	{"dmesg", "st", 0, 0, EXIT_FAILURE, command_dmesg, ""},
	{"stop", "s", 0, 0, EXIT_FAILURE, command_stop, ""},
	{"build-debug-kernel", "C", 0, 1, EXIT_FAILURE, command_build_debug_kernel, "[ARCHITECTURE]"},
};

static const struct option_row *find_row(int key)
{
	for (size_t i = 0; i < G_N_ELEMENTS(option_rows); i++) {
		if (option_rows[i].key == key)
			return &option_rows[i];
	}
	return NULL;
}

/* Format an option for the usage text: "-r RELEASE|PATH", "[--smp N]", "[--file HOSTPATH[:GUESTPATH]]...". */
static char *option_text(const struct option_row *row)
{
	g_autoptr(GString) text = g_string_new(row->missing ? "" : "[");

	if (row->word.letter)
		g_string_append_printf(text, "-%c", row->word.letter);
	else
		g_string_append_printf(text, "--%s", row->word.name);
	if (row->word.argument)
		g_string_append_printf(text, " %s", row->word.argument);
	g_string_append_printf(text, "%s%s", row->missing ? "" : "]", row->repeats ? "..." : "");
	return g_strdup(text->str);
}

/* Append " PIECE", on a new line if it does not fit. */
static void add_piece(GString *text, int indent, int *column, const char *piece)
{
	int length = strlen(piece);

	if (!length)
		return;
	if (*column + 1 + length > USAGE_COLUMNS) {
		g_string_append_printf(text, "\n%*s%s", indent, "", piece);
		*column = indent + length;
	} else {
		g_string_append_printf(text, " %s", piece);
		*column += 1 + length;
	}
}

/* Return "NAME OPTION... ARGUMENT...", to follow "Usage: stap-vm ". */
static char *synopsis(const struct command *command)
{
	g_autoptr(GString) text = g_string_new(command->name);
	int column = strlen("Usage: stap-vm ") + strlen(command->name), indent = column + 1;

	for (const char *key = command->options; *key; key++) {
		g_autofree char *option = option_text(find_row(*key));

		add_piece(text, indent, &column, option);
	}
	add_piece(text, indent, &column, command->arguments);
	return g_strdup(text->str);
}

static void print_usage(FILE *file)
{
	fprintf(file, _("Usage:\n"));
	for (size_t i = 0; i < G_N_ELEMENTS(command_table); i++) {
		g_autofree char *line = synopsis(&command_table[i]);

		fprintf(file, "    stap-vm %s\n", line);
	}
	fprintf(file, _("See stap-vm(1).\n"));
}

/* Report wrong usage of one command, or (NULL) of stap-vm, and exit. */
static void __attribute__((noreturn, format(printf, 2, 3)))
usage_error(const struct command *command, const char *format, ...)
{
	va_list values;

	fprintf(stderr, "stap-vm: ");
	va_start(values, format);
	vfprintf(stderr, format, values);
	va_end(values);
	fprintf(stderr, "\n");
	if (command) {
		g_autofree char *line = synopsis(command);

		fprintf(stderr, _("Usage: stap-vm %s\n"), line);
	} else {
		print_usage(stderr);
	}
	exit(EXIT_USAGE);
}

static void show_help(const struct parsing *p)
{
	(void)p;
	print_usage(stdout);
	exit(standard_output_finish(EXIT_SUCCESS));
}

static void *member(const struct parsing *p)
{
	return (char *)p->options + p->row->member;
}

static void set_text(const struct parsing *p)
{
	*(const char **)member(p) = optarg;
}

static void add_file(const struct parsing *p)
{
	if (!*optarg || *optarg == ':')
		usage_error(p->command, _("--file requires HOSTPATH[:GUESTPATH], not '%s'"), optarg);
	add_text(p);
}

static void set_download(const struct parsing *p)
{
	if (*optarg != '/' || !strchr(optarg, ':') || g_str_has_suffix(optarg, ":"))
		usage_error(p->command,
			    _("--download requires GUESTPREFIX:HOSTPREFIX with an absolute GUESTPREFIX, not '%s'"),
			    optarg);
	set_text(p);
}

static void set_number(const struct parsing *p)
{
	int64_t number = 0;

	if (!parse_number(optarg, 10, 1, 1000000, &number))
		usage_error(p->command, _("--%s requires a positive number, not '%s'"), p->row->word.name, optarg);
	*(unsigned int *)member(p) = number;
}

static void set_flag(const struct parsing *p)
{
	*(bool *)member(p) = true;
}

static void clear_flag(const struct parsing *p)
{
	*(bool *)member(p) = false;
}

static void add_text(const struct parsing *p)
{
	g_ptr_array_add(*(GPtrArray **)member(p), optarg);
}

static void set_modules(const struct parsing *p)
{
	p->options->modules = g_strsplit(optarg, ",", -1);
}

static bool takes(const struct command *command, const struct option_row *row)
{
	return row->set == show_help || strchr(command->options, row->key);
}

static void parse_options(const struct command *command, int argc, char **argv, struct options *options)
{
	struct parsing p = {.command = command, .options = options};
	struct option_words words;
	int option, count;

	option_words_make(&option_table, "+:", &words);
	while ((option = getopt_long(argc, argv, words.letters, words.names, NULL)) != -1) {
		if (option == ':')
			usage_error(command, _("option '%s' requires a value"), argv[optind - 1]);
		p.row = option_row_of(&option_table, option);
		if (!p.row || !takes(command, p.row))
			usage_error(command, _("'%s' is not an option of stap-vm %s"),
				    p.row ? p.row->word.name : argv[optind - 1], command->name);
		p.row->set(&p);
	}
	g_ptr_array_add(options->files, NULL);
	options->arguments = argv + optind;
	count = argc - optind;
	if (count < command->least || (command->most >= 0 && count > command->most))
		usage_error(command, count < command->least ? _("too few arguments") : _("too many arguments"));
	for (const char *needed = command->options; *needed; needed++) {
		p.row = find_row(*needed);
		if (p.row->missing && !*(const char **)member(&p))
			usage_error(command, "%s", _(p.row->missing));
	}
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(command_table); i++) {
		if (!strcmp(command_table[i].name, name))
			return &command_table[i];
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct options options = {
		.memory = "2G", .debuginfo = true, .files = g_ptr_array_new(), .repositories = g_ptr_array_new()};
	const char *no_snapshot = g_getenv("SPILE_NO_SNAPSHOT");
	const struct command *command;
	struct error *error;
	int status = EXIT_SUCCESS;

	options.snapshot = !no_snapshot || !*no_snapshot;
	standard_streams_open();
	i18n_init(locale_directory());
	if (argc > 1 && !strcmp(argv[1], "--version")) {
		printf("stap-vm %s\n", PACKAGE_VERSION);
		return standard_output_finish(EXIT_SUCCESS);
	}
	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))) {
		print_usage(stdout);
		return standard_output_finish(EXIT_SUCCESS);
	}
	if (argc < 2)
		usage_error(NULL, _("no command was given"));
	command = find_command(argv[1]);
	if (!command)
		usage_error(NULL, _("no such command: %s"), argv[1]);
	parse_options(command, argc - 1, argv + 1, &options);
	error = command->run(&options, &status);
	return standard_output_finish(error_report_free(error) ? command->failure : status);
}
