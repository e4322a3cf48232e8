// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Child processes. They stay in our process group, so Ctrl-C at the terminal reaches them directly. A signal that is
 * sent only to us is forwarded.
 */
#include "common/process.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/sdt.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/build_root.h"
#include "common/files.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"

static volatile sig_atomic_t interrupted;
static volatile pid_t running;

static void on_signal(int signal, siginfo_t *info, void *context)
{
	interrupted = 1;
	/* SI_KERNEL: from the terminal, which sends the signal to the child, too. */
	if (running > 0 && info->si_code != SI_KERNEL)
		kill(running, signal);
}

void process_catch_signals(void)
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

bool process_interrupted(void)
{
	return interrupted;
}

void process_interrupt(void)
{
	interrupted = 1;
	if (running > 0)
		kill(running, SIGTERM);
}

static struct error *not_installed(const char *program)
{
	return error_with_hint(error_new(ERROR_LOOKUP, _("'%s' is not installed"), program),
			       _("install it, or add its directory to PATH"));
}

struct error *process_check_program(const char *program)
{
	g_autofree char *path = g_find_program_in_path(program);

	return path ? NULL : not_installed(program);
}

static struct error *start_error(GError *failure, const char *program)
{
	struct error *error;

	if (g_error_matches(failure, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT))
		error = not_installed(program);
	else
		error = error_new(ERROR_SYSTEM, "%s", failure->message);
	g_error_free(failure);
	return error;
}

/* From now on, forward signals to the child. */
static void note_running(pid_t child)
{
	running = child;
	if (interrupted) /* a signal arrived after fork() */
		kill(child, SIGTERM);
}

static struct error *wait_for(pid_t child, int *status)
{
	while (waitpid(child, status, 0) < 0) {
		if (errno != EINTR) {
			running = 0;
			return error_errno(_("cannot wait for a program"));
		}
	}
	running = 0;
	return NULL;
}

static char *read_all(int fd)
{
	g_autoptr(GString) text = g_string_new(NULL);
	char block[4096];
	ssize_t size;

	while ((size = read(fd, block, sizeof(block))) > 0 || (size < 0 && errno == EINTR))
		if (size > 0)
			g_string_append_len(text, block, size);
	return g_string_free(g_steal_pointer(&text), FALSE);
}

/*
 * In the child, between fork() and exec(): redirect standard error to standard output, and enter the build root @data,
 * if any. Errors are printed, so that they appear as output of the program.
 */
static void prepare_child(gpointer data)
{
	const struct build_root_entry *entry = data;

	dup2(STDOUT_FILENO, STDERR_FILENO);
	if (!entry || build_root_enter(entry))
		return;
	/* ENOSPC: user.max_user_namespaces(7), which bubblewrap sets for a compile server's sandbox. */
	dprintf(STDERR_FILENO, "error: cannot enter the build root: %s (%s)\n", strerror(errno),
		errno == ENOSPC ? "user.max_user_namespaces allows no more; of a compile server: --allow-build-roots"
				: "it takes user namespaces, or root");
	_exit(126);
}

/* Pass the marks (<sys/sdt.h>) for the start and the end of a program. */
static void mark_command(const char *const argv[])
{
	g_autofree char *command = g_strjoinv(" ", (char **)argv);

	STAP_PROBE1(stap, stap_system, command);
}

static void mark_started(pid_t child)
{
	STAP_PROBE2(stap, stap_system__spawn, 0, child);
}

static struct error *mark_ended(struct error *error, int status)
{
	STAP_PROBE1(stap, stap_system__return, error ? -1 : status);
	return error;
}

static struct error *check_success(const char *program, int status)
{
	if (interrupted)
		return error_new(ERROR_INTERRUPTED, _("interrupted"));
	if (status)
		return error_new(ERROR_BUILD, _("'%s' failed with status %d"), program, process_exit_status(status));
	return NULL;
}

static struct error *run_alone(struct build_root_entry *entry, const char *const argv[], const char *directory,
			       char **output)
{
	GSpawnFlags flags = G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL;
	g_autofree char *text = NULL;
	GError *failure = NULL;
	struct error *error;
	int fd, status = 0;
	GPid child;

	if (output)
		*output = NULL;
	mark_command(argv);
	if (!g_spawn_async_with_pipes(directory, (char **)argv, NULL, flags, prepare_child, entry, &child, NULL, &fd,
				      NULL, &failure))
		return start_error(failure, argv[0]);
	mark_started(child);
	note_running(child);
	text = read_all(fd);
	close(fd);
	error = wait_for(child, &status);
	error = mark_ended(error, status);
	if (output)
		*output = g_steal_pointer(&text);
	return error ?: check_success(argv[0], status);
}

struct error *process_run_inside(const char *root, const char *const argv[], const char *directory, char **output)
{
	static GMutex one_at_a_time; /* on_signal() can forward to one child only */
	struct build_root_entry *entry = root ? build_root_entry_new(root, directory) : NULL;
	struct error *error;

	g_mutex_lock(&one_at_a_time);
	error = run_alone(entry, argv, directory, output);
	g_mutex_unlock(&one_at_a_time);
	build_root_entry_free(entry);
	return error;
}

struct error *process_run(const char *const argv[], const char *directory, char **output)
{
	return process_run_inside(NULL, argv, directory, output);
}

/* In the child: get a signal when the parent is killed, since nothing else would end the program then. */
static void end_with_parent(gpointer parent)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != GPOINTER_TO_INT(parent))
		raise(SIGTERM);
}

/* In the child: unblock the signals that the parent has blocked for a signalfd. */
static void prepare_program(gpointer parent)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	end_with_parent(parent);
}

static void prepare_program_in_session(gpointer parent)
{
	setsid();
	prepare_program(parent);
}

/* Make a pipe whose reading end is non-blocking. */
static struct error *open_pipe(int *reading, int *writing)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return error_errno("pipe2");
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	*reading = ends[0];
	*writing = ends[1];
	return NULL;
}

struct error *process_start(const char *const argv[], int input, bool in_own_session, pid_t *pid, int fds[2])
{
	_cleanup_close_ int output = -1, messages = -1;
	GError *failure = NULL;
	struct error *error;

	*pid = 0;
	fds[0] = fds[1] = -1;
	error = open_pipe(&fds[0], &output);
	error = error ?: open_pipe(&fds[1], &messages);
	if (error)
		return error;
	fflush(NULL);
	mark_command(argv);
	if (!g_spawn_async_with_fds(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD,
				    in_own_session ? prepare_program_in_session : prepare_program,
				    GINT_TO_POINTER(getpid()), pid, input, output, messages, &failure)) {
		*pid = 0;
		return start_error(failure, argv[0]);
	}
	mark_started(*pid);
	return NULL;
}

int process_exit_status(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool process_is_wish(int signal)
{
	return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT || signal == SIGPIPE;
}

/* Copy a descriptor: GLib closes those that it gets in the child, even if they already have the right numbers. */
static int copy_for_child(int fd)
{
	return fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

/* Start a program with these standard streams, which are copied. */
static struct error *start_with_streams(const char *const argv[], GSpawnChildSetupFunc prepare, int input, int output,
					pid_t *pid)
{
	_cleanup_close_ int in = copy_for_child(input), out = copy_for_child(output);
	_cleanup_close_ int messages = copy_for_child(STDERR_FILENO);
	GError *failure = NULL;

	fflush(NULL);
	mark_command(argv);
	if (!g_spawn_async_with_fds(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, prepare,
				    GINT_TO_POINTER(getpid()), pid, in, out, messages, &failure)) {
		*pid = 0;
		return start_error(failure, argv[0]);
	}
	mark_started(*pid);
	return NULL;
}

struct error *process_start_attached(const char *const argv[], int input, pid_t *pid)
{
	return start_with_streams(argv, end_with_parent, input, STDOUT_FILENO, pid);
}

struct error *process_run_attached(const char *const argv[], int *status)
{
	GError *failure = NULL;
	struct error *error;
	GPid child;

	fflush(NULL);
	mark_command(argv);
	if (!g_spawn_async(NULL, (char **)argv, NULL,
			   G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_CHILD_INHERITS_STDIN,
			   end_with_parent, GINT_TO_POINTER(getpid()), &child, &failure))
		return start_error(failure, argv[0]);
	mark_started(child);
	note_running(child);
	error = wait_for(child, status);
	return mark_ended(error, *status);
}

struct error *process_start_reader(const char *const argv[], int *input, pid_t *pid)
{
	_cleanup_close_ int reading = -1;
	struct error *error;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return error_errno("pipe2");
	reading = ends[0];
	error = start_with_streams(argv, NULL, reading, STDOUT_FILENO, pid);
	if (error)
		close(ends[1]);
	else
		*input = ends[1];
	return error;
}

struct error *process_run_writer(const char *const argv[], struct error *(*reader)(int fd, pid_t writer, void *data),
				 void *data, int *status)
{
	_cleanup_close_ int writing = -1;
	struct error *error, *wait_error;
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return error_errno("pipe2");
	writing = ends[1];
	error = start_with_streams(argv, end_with_parent, STDIN_FILENO, writing, &pid);
	if (error) {
		close(ends[0]);
		return error;
	}
	note_running(pid);
	close_fd(&writing); /* else the reader would never see its end */
	error = reader(ends[0], pid, data);
	wait_error = mark_ended(wait_for(pid, status), *status);
	if (error)
		error_free(wait_error);
	return error ?: wait_error;
}

struct output {
	const char *program;
	char *text;
	size_t length;
};

static struct error *read_output(int fd, pid_t writer, void *data)
{
	enum { MOST = 1 << 30 };
	struct output *output = data;
	_cleanup_fclose_ FILE *file = fdopen(fd, "r");

	if (file)
		return stream_read(file, output->program, MOST, &output->text, &output->length);
	close(fd);
	return error_errno("fdopen");
}

struct error *process_read_output(const char *const argv[], char **output, size_t *length)
{
	struct output read = {.program = argv[0]};
	struct error *error;
	int status = 0;

	error = process_run_writer(argv, read_output, &read, &status);
	error = error ?: check_success(argv[0], status);
	if (error) {
		free(read.text);
		read = (struct output){0};
	}
	*output = read.text;
	*length = read.length;
	return error;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	remove(path);
	return 0;
}

void remove_tree(const char *path)
{
	enum { OPEN_DIRECTORIES = 16 };

	nftw(path, remove_one, OPEN_DIRECTORIES, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}
