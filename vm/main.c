// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-vm: throwaway guests that run a command under a kernel of choice.
 *
 * This file is the command line: a table of commands, each with the options it takes, and one function per command that
 * puts the parts together: fetch.c and debug_kernel.c fill the cache, initramfs.c makes a guest's root, hub.c owns the
 * guest and client.c runs commands in it. Exit status: 0 success, 1 failure, 2 wrong usage; "run" and "exec" give the
 * command's own, or 125 when stap-vm or the guest failed.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "translator/util/cleanup.h"
#include "translator/util/error.h"
#include "translator/util/i18n.h"
#include "vm/cache.h"
#include "vm/client.h"
#include "vm/debug_kernel.h"
#include "vm/fetch.h"
#include "vm/hub.h"
#include "vm/initramfs.h"
#include "vm/qemu.h"
#include "vm/upload.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0"
#endif

enum { EXIT_USAGE = 2, EXIT_GUEST = 125, DMESG_SECONDS = 20, STOP_SECONDS = 20 };

struct options {
	const char *kernel;
	unsigned int cpus;
	const char *memory;
	unsigned int timeout;
	GPtrArray *files;
	char **modules;
	const char *console;
	const char *dmesg;
	const char *socket;
	const char *config;
	bool debuginfo;
	bool snapshot;
	bool verbose;
	char **arguments; /* what follows the options */
};

struct command {
	const char *name;
	const char *options; /* letters of the long options below */
	int least, most; /* arguments; most < 0: any number */
	bool needs_kernel, needs_socket;
	int failure; /* exit status of an error */
	struct error *(*run)(const struct options *options, int *status);
	const char *synopsis;
};

static const struct option long_options[] = {
	{"release", required_argument, NULL, 'r'}, {"smp", required_argument, NULL, 'p'},
	{"mem", required_argument, NULL, 'm'},	   {"timeout", required_argument, NULL, 't'},
	{"file", required_argument, NULL, 'f'},	   {"modules", required_argument, NULL, 'M'},
	{"console", required_argument, NULL, 'c'}, {"dmesg", required_argument, NULL, 'd'},
	{"socket", required_argument, NULL, 's'},  {"config", required_argument, NULL, 'C'},
	{"no-debuginfo", no_argument, NULL, 'n'},  {"no-snapshot", no_argument, NULL, 'S'},
	{"verbose", no_argument, NULL, 'v'},	   {"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},	   {NULL, 0, NULL, 0},
};

static struct error *command_fetch(const struct options *options, int *status)
{
	struct error *error = NULL;

	(void)status;
	for (char **name = options->arguments; *name && !error; name++)
		error = fetch_kernel(*name, options->debuginfo);
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
	struct error *error = kernel_find(options->arguments[0], &kernel);

	(void)status;
	if (!error)
		printf("%s\n", kernel->root);
	return error;
}

static struct error *command_build_debug_kernel(const struct options *options, int *status)
{
	(void)status;
	return debug_kernel_build(options->config);
}

static struct error *open_output(const char *path, int *fd)
{
	*fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	return *fd < 0 ? error_errno("%s", path) : NULL;
}

/* A NULL-terminated view of the --file options. */
static char **file_list(const struct options *options)
{
	return (char **)options->files->pdata;
}

static struct error *check_qemu(void)
{
	g_autofree char *qemu = g_find_program_in_path("qemu-system-x86_64");

	if (qemu)
		return NULL;
	return error_with_hint(error_new(ERROR_LOOKUP, _("QEMU is not installed")),
			       _("apt-get install qemu-system-x86"));
}

/* Start a guest as the options say. */
static struct error *start_hub(const struct options *options, const char *socket, pid_t *hub, int *fd)
{
	_cleanup_kernel_ struct kernel *kernel = NULL;
	_cleanup_close_ int initrd = -1, files = -1, console = -1;
	struct hub_options hub_options;
	struct error *error;

	error = check_qemu();
	if (!error)
		error = kernel_find(options->kernel, &kernel);
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
		.guest = {.cpus = options->cpus, .memory = options->memory, .initrd = initrd},
		.files = files,
		.snapshot = options->snapshot,
		.console_file = console,
		.socket = socket,
	};
	qemu_probe_kvm(kernel, &hub_options.guest);
	return hub_start(&hub_options, hub, fd);
}

/* The guest's kernel log into a file. It gets time of its own: a log is wanted most when the command timed out. */
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
 * The guest's kernel complained while a command ran that came to its own end: its status counts if it tells of a
 * failure, and success is none.
 */
static void tell_report(const struct client_session *session, int *status)
{
	if (!session->report)
		return;
	fprintf(stderr, _("WARNING: while the command ran (exit status %d), %s\n"), *status, session->report);
	if (!*status)
		*status = EXIT_GUEST;
}

/* 128 + signal, as a shell has it, for a user who gave up; that is not worth an error message. */
static struct error *forgive_interruption(const struct client_session *session, struct error *error, int *status)
{
	if (!error || error->code != ERROR_INTERRUPTED)
		return error;
	error_free(error);
	*status = 128 + session->last_signal;
	return NULL;
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
		error = client_run(&session, options->arguments, own_streams, status);
		tell_report(&session, status);
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
		/* A guest that is no use does not stay; the socket goes with it. */
		kill(hub, SIGTERM);
		waitpid(hub, NULL, 0);
	}
	error = forgive_interruption(&session, error, status);
	client_end(&session);
	return error;
}

/* Connect to a started guest and wait for its greeting. */
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
	if (!error) {
		error = client_run(&session, options->arguments, own_streams, status);
		tell_report(&session, status);
	}
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
	/* No greeting is waited for: a dead guest is ended in the same way. */
	client_begin(&session, fd, STOP_SECONDS);
	error = client_stop(&session);
	client_end(&session);
	return error;
}

static const struct command command_table[] = {
	{"fetch", "n", 1, -1, false, false, EXIT_FAILURE, command_fetch, "[--no-debuginfo] RELEASE..."},
	{"list", "", 0, 0, false, false, EXIT_FAILURE, command_list, ""},
	{"path", "", 1, 1, false, false, EXIT_FAILURE, command_path, "RELEASE"},
	{"run", "rpmtfMcdSv", 1, -1, true, false, EXIT_GUEST, command_run,
	 "-r RELEASE|PATH [--smp N] [--mem SIZE] [--timeout SECONDS] [--file HOSTPATH[:GUESTPATH]]...\n"
	 "                   [--modules NAME,...] [--console FILE] [--dmesg FILE] [--no-snapshot] [-v]\n"
	 "                   [--] COMMAND [ARGUMENT...]"},
	{"start", "rpmtfMcsSv", 0, 0, true, true, EXIT_FAILURE, command_start,
	 "-r RELEASE|PATH --socket PATH [--smp N] [--mem SIZE] [--timeout SECONDS]\n"
	 "                     [--file HOSTPATH[:GUESTPATH]]... [--modules NAME,...] [--console FILE] [--no-snapshot] "
	 "[-v]"},
	{"exec", "sft", 1, -1, false, true, EXIT_GUEST, command_exec,
	 "--socket PATH [--file HOSTPATH[:GUESTPATH]]... [--timeout SECONDS] [--] COMMAND [ARGUMENT...]"},
	{"dmesg", "st", 0, 0, false, true, EXIT_FAILURE, command_dmesg, "--socket PATH [--timeout SECONDS]"},
	{"stop", "s", 0, 0, false, true, EXIT_FAILURE, command_stop, "--socket PATH"},
	{"build-debug-kernel", "C", 0, 0, false, false, EXIT_FAILURE, command_build_debug_kernel,
	 "[--config FRAGMENT]"},
};

static void print_usage(FILE *file)
{
	fprintf(file, _("Usage:\n"));
	for (size_t i = 0; i < G_N_ELEMENTS(command_table); i++)
		fprintf(file, "    stap-vm %s %s\n", command_table[i].name, command_table[i].synopsis);
	fprintf(file, _("See stap-vm(1).\n"));
}

/* Wrong usage of one command, or (NULL) of stap-vm. */
static void __attribute__((noreturn, format(printf, 2, 3)))
usage_error(const struct command *command, const char *format, ...)
{
	va_list values;

	fprintf(stderr, "stap-vm: ");
	va_start(values, format);
	vfprintf(stderr, format, values);
	va_end(values);
	fprintf(stderr, "\n");
	if (command)
		fprintf(stderr, _("Usage: stap-vm %s %s\n"), command->name, command->synopsis);
	else
		print_usage(stderr);
	exit(EXIT_USAGE);
}

static unsigned int parse_number(const struct command *command, const char *option, const char *text)
{
	char *end;
	unsigned long number;

	errno = 0;
	number = strtoul(text, &end, 10);
	if (errno || *end || !g_ascii_isdigit(*text) || !number || number > 1000000)
		usage_error(command, _("--%s wants a positive number, not '%s'"), option, text);
	return number;
}

static void set_option(const struct command *command, struct options *options, int letter)
{
	switch (letter) {
	case 'r':
		options->kernel = optarg;
		break;
	case 'p':
		options->cpus = parse_number(command, "smp", optarg);
		break;
	case 'm':
		options->memory = optarg;
		break;
	case 't':
		options->timeout = parse_number(command, "timeout", optarg);
		break;
	case 'f':
		g_ptr_array_add(options->files, optarg);
		break;
	case 'M':
		options->modules = g_strsplit(optarg, ",", -1);
		break;
	case 'c':
		options->console = optarg;
		break;
	case 'd':
		options->dmesg = optarg;
		break;
	case 's':
		options->socket = optarg;
		break;
	case 'C':
		options->config = optarg;
		break;
	case 'n':
		options->debuginfo = false;
		break;
	case 'S':
		options->snapshot = false;
		break;
	case 'v':
		options->verbose = true;
		break;
	}
}

static void parse_options(const struct command *command, int argc, char **argv, struct options *options)
{
	int letter, count, index = 0;

	while ((letter = getopt_long(argc, argv, "+:r:hv", long_options, &index)) != -1) {
		if (letter == 'h') {
			print_usage(stdout);
			exit(EXIT_SUCCESS);
		}
		if (letter == ':')
			usage_error(command, _("option '%s' wants a value"), argv[optind - 1]);
		if (!strchr(command->options, letter) || letter == '?')
			usage_error(command, _("'%s' is not an option of stap-vm %s"),
				    letter == '?' ? argv[optind - 1] : long_options[index].name, command->name);
		set_option(command, options, letter);
	}
	g_ptr_array_add(options->files, NULL);
	options->arguments = argv + optind;
	count = argc - optind;
	if (count < command->least || (command->most >= 0 && count > command->most))
		usage_error(command, count < command->least ? _("too few arguments") : _("too many arguments"));
	if (command->needs_kernel && !options->kernel)
		usage_error(command, _("which kernel? (-r)"));
	if (command->needs_socket && !options->socket)
		usage_error(command, _("which guest? (--socket)"));
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
	struct options options = {.cpus = 2, .memory = "2G", .debuginfo = true, .files = g_ptr_array_new()};
	const char *no_snapshot = g_getenv("SPILE_NO_SNAPSHOT");
	const struct command *command;
	struct error *error;
	int status = EXIT_SUCCESS;

	options.snapshot = !no_snapshot || !*no_snapshot;
	i18n_init();
	if (argc > 1 && !strcmp(argv[1], "--version")) {
		printf("stap-vm %s\n", PACKAGE_VERSION);
		return EXIT_SUCCESS;
	}
	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))) {
		print_usage(stdout);
		return EXIT_SUCCESS;
	}
	if (argc < 2)
		usage_error(NULL, _("which command?"));
	command = find_command(argv[1]);
	if (!command)
		usage_error(NULL, _("no such command: %s"), argv[1]);
	parse_options(command, argc - 1, argv + 1, &options);
	error = command->run(&options, &status);
	return error_told(error) ? command->failure : status;
}
