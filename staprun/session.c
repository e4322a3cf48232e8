// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The loader: checks, loads, watches and removes the module.
 *
 * It is the only process with privileges, and reads none of the script's output; its child, the reader, does
 * (reader.c). The two share a socket. The loader tells the reader to stop when a signal came or the command ended, and
 * passes it the trace files of CPUs that come online. The reader reports that the probes are armed. When the reader has
 * exited, for whatever reason, the module is removed.
 *
 * Only the loader handles signals. Ctrl-C in a terminal reaches every process of the group, and stap forwards it as
 * well, so the same key press may arrive twice. Therefore a signal shortly after the first one does not count as a
 * second.
 */
#include "staprun/session.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sdt.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/read_write.h"
#include "staprun/check.h"
#include "staprun/child.h"
#include "staprun/control.h"
#include "staprun/lock.h"
#include "staprun/messages.h"
#include "staprun/privilege.h"
#include "staprun/reader.h"
#include "staprun/run_lines.h"

enum {
	SAME_WISH_MILLISECONDS = 500,
	LOOK_MILLISECONDS = 1000, /* interval between checks for new CPUs */
	CPU_LIMIT = 8192,
};

struct session {
	struct session_options *options;
	unsigned long *addresses;
	int directory, control;
	ino_t directory_number; /* inode; distinguishes the module from others of the same name */
	char trace_is_open[CPU_LIMIT];
	int signals, socket;
	pid_t reader;
	int reader_status;
	bool was_watched, stopping, abandoned, command_failed;
	bool unread, unwritten; /* the reader of the output is gone; the monitor could not write it */
	struct timespec stop_time;
};

static sigset_t watched;

struct error *session_catch_signals(sigset_t *before)
{
	struct sigaction hangup;

	sigemptyset(&watched);
	sigaddset(&watched, SIGINT);
	sigaddset(&watched, SIGTERM);
	sigaddset(&watched, SIGQUIT);
	sigaddset(&watched, SIGUSR2);
	sigaddset(&watched, SIGCHLD);
	/*
	 * stap-vm sends SIGPIPE when its output has no reader. Signals that our own writes raise are ignored in
	 * take_signal().
	 */
	sigaddset(&watched, SIGPIPE);
	/*
	 * A blocked signal reaches the signalfd even if it is ignored (sig_ignored of kernel/signal.c). That suits
	 * SIGINT: shells ignore it in background commands, and "kill -INT" is how scripts end staprun. But SIGHUP must
	 * stay ignored under nohup(1).
	 */
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
		sigaddset(&watched, SIGHUP);
	/* Block SIGCHLD with the rest; otherwise the end of a child process would go unnoticed. */
	if (sigprocmask(SIG_BLOCK, &watched, before))
		return error_errno("sigprocmask");
	signal(SIGCHLD, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	/* Exceeding the file size limit is reported as a write error instead. */
	signal(SIGXFSZ, SIG_IGN);
	return NULL;
}

/* ---- loading ----------------------------------------------------------------------------------------------------- */

static struct error *choose_name(struct session_options *options)
{
	char name[INFO_NAME_SIZE], suffix[16];
	size_t old = strlen(options->info.name), keep;

	/* Keep the length if possible, so that the name in .modinfo can be replaced, too (info_rename()). */
	snprintf(suffix, sizeof(suffix), "_%x", (unsigned int)getpid());
	keep = old > strlen(suffix) + 8 ? old - strlen(suffix) : old;
	if (keep + strlen(suffix) >= sizeof(name))
		keep = sizeof(name) - 1 - strlen(suffix);
	snprintf(name, sizeof(name), "%.*s%s", (int)keep, options->info.name, suffix);
	message_verbose(1, "renaming module %s to %s", options->info.name, name);
	return info_rename(options->image.data, &options->info, name);
}

static struct error *find_addresses(struct session *session)
{
	const struct module_info *info = &session->options->info;
	struct error *error = NULL;

	session->addresses = calloc(info->target_count + 1, sizeof(*session->addresses));
	if (!session->addresses)
		return error_errno(_("cannot check the module"));
	for (unsigned int i = 0; i < info->target_count && !error; i++)
		if (info->targets[i].kind == STP_TARGET_MODULE)
			error = check_section_address(&info->targets[i], &session->addresses[i]);
	if (!error)
		check_warn_missing(info);
	return error;
}

/* Load the module and open its control file. The caller holds the lock. */
static struct error *load_and_open(struct session *session)
{
	struct session_options *options = session->options;
	struct error *error;
	char parameters[32] = "";

	module_remove_unused();
	message_verbose(1, "loading module %s (%zu bytes)", options->info.name, options->image.size);
	if (options->buffer_megabytes)
		snprintf(parameters, sizeof(parameters), "buffer_megabytes=%d", options->buffer_megabytes);
	error = module_load(&options->image, &options->info, parameters, options->access);
	if (error)
		return error;
	error = control_open_directory(options->info.name, &session->directory);
	if (error)
		error_with_hint(error, _("the module was loaded, but it made no files in debugfs"));
	else
		error = control_open(session->directory, options->info.name, &session->control);
	/* Find addresses only now: modules loaded from now on are reported to the runtime by the kernel. */
	error = error ?: find_addresses(session);
	if (error) {
		if (session->directory >= 0)
			close(session->directory);
		if (session->control >= 0)
			close(session->control);
		error_free(module_remove(options->info.name));
	}
	return error;
}

/* Load under the lock, so that no other staprun mistakes the module for an abandoned one. */
static struct error *load(struct session *session)
{
	struct lock lock;
	struct error *error = lock_take(&lock);

	if (error)
		return error;
	error = load_and_open(session);
	lock_release(&lock);
	return error;
}

/* -A: open the control file of a session that was left running. Nothing changes on failure. */
static struct error *attach(struct session *session)
{
	struct session_options *options = session->options;
	struct module_info *info = &options->info;
	struct control_status status;
	struct error *error;

	snprintf(info->name, sizeof(info->name), "%s", options->attach);
	error = module_open_directory(info->name, &session->directory);
	if (error)
		return error;
	control_look(session->directory, &status);
	if (options->access != ACCESS_ALL && status.owner != getuid())
		error = error_new(ERROR_SYSTEM, _("module %s belongs to another user"), info->name);
	else if (!status.left)
		error = error_with_hint(error_new(ERROR_OTHER, _("module %s was not left running"), info->name),
					_("use staprun -L or SIGQUIT to leave a module running"));
	error = error ?: control_open(session->directory, info->name, &session->control);
	if (error)
		close(session->directory);
	return error;
}

/* ---- the reader -------------------------------------------------------------------------------------------------- */

static void send_trace(void *data, unsigned int cpu, int fd)
{
	struct session *session = data;

	message_verbose(1, "processor %u came online", cpu);
	child_send(session->socket, READER_TRACE, fd);
	close(fd);
}

/* The trace files are opened before the fork, so that the loader knows which ones the reader has. */
struct trace {
	unsigned int cpu;
	int fd;
};

struct trace_list {
	struct trace *traces;
	unsigned int count;
};

static void collect_trace(void *data, unsigned int cpu, int fd)
{
	struct trace_list *list = data;

	list->traces = realloc(list->traces, (list->count + 1) * sizeof(*list->traces));
	if (!list->traces)
		abort();
	list->traces[list->count++] = (struct trace){cpu, fd};
}

/*
 * Return whether the session works without staprun, which runs the script's commands, waits for -c, and writes the
 * files of bulk mode.
 */
static bool may_leave(const struct session_options *options)
{
	return !options->runner && !options->command && !options->bulk;
}

struct reader_start {
	struct session *session;
	const struct trace_list *list;
};

static int run_reader(void *data, int socket)
{
	const struct reader_start *start = data;
	const struct session *session = start->session;
	const struct session_options *options = session->options;
	const struct reader_setup setup = {
		.module = options->info.name,
		.targets = options->info.targets,
		.addresses = session->addresses,
		.target_count = options->info.target_count,
		.target = options->target,
		.remote = options->remote,
		.settings = options->settings,
		.cgroup = options->cgroup,
		.cgroup_directory = options->cgroup_directory,
		.namespaces = options->namespaces,
		.leaves_terminal = options->began >= 0,
		.leaves_session = options->leaves,
		.is_attached = options->attach,
		.may_leave = may_leave(options),
		.remote_number = options->remote_number,
		.control = session->control,
		.socket = socket,
		.runner = options->runner ? options->runner->socket : -1,
		.output = options->output,
		.bulk = options->bulk,
		.timeout = options->timeout,
	};
	struct reader *reader = reader_new(&setup);

	for (unsigned int i = 0; i < start->list->count; i++)
		reader_add_trace(reader, start->list->traces[i].cpu, start->list->traces[i].fd);
	close(session->directory);
	if (options->tables)
		close(options->tables->socket);
	if (options->monitor)
		close(options->monitor->socket);
	if (options->command)
		close(options->command->gate); /* otherwise the command would not notice the end of the loader */
	/* Only the loader handles signals; without it, only SIGKILL ends this process. */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGUSR2, SIG_IGN);
	return error_report_free(privilege_drop()) ? 1 : reader_run(reader);
}

static struct error *fork_reader(struct session *session)
{
	struct trace_list list = {NULL, 0};
	struct reader_start start = {session, &list};
	struct error *error =
		control_open_traces(session->directory, session->trace_is_open, CPU_LIMIT, collect_trace, &list);

	error = error ?: child_start(run_reader, &start, &session->reader, &session->socket);
	if (error)
		return error;
	/* Only the reader holds the control file, so its death stops the module. */
	close(session->control);
	if (session->options->runner)
		close(session->options->runner->socket);
	if (session->options->cgroup)
		close(session->options->cgroup_directory);
	for (unsigned int i = 0; i < list.count; i++)
		close(list.traces[i].fd);
	free(list.traces);
	return NULL;
}

/* ---- watching ---------------------------------------------------------------------------------------------------- */

static void note_wish(struct session *session)
{
	session->stopping = true;
	clock_gettime(CLOCK_MONOTONIC, &session->stop_time);
}

static void stop(struct session *session)
{
	if (session->stopping)
		return;
	note_wish(session);
	child_send(session->socket, READER_STOP, -1);
}

static long milliseconds_since(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - then->tv_sec) * 1000 + (now.tv_nsec - then->tv_nsec) / 1000000;
}

static bool is_same_wish(const struct session *session)
{
	return session->stopping && milliseconds_since(&session->stop_time) <= SAME_WISH_MILLISECONDS;
}

static void got_signal(struct session *session, int number)
{
	message_verbose(1, "got signal %d", number);
	/* A daemon has no terminal that could hang up; for it, SIGHUP means to begin the next output file. */
	if (number == SIGUSR2 || (number == SIGHUP && session->options->began >= 0)) {
		child_send(session->socket, READER_NEXT_FILE, -1);
		return;
	}
	if (number == SIGQUIT && may_leave(session->options) && !session->stopping) {
		child_send(session->socket, READER_LEAVE, -1);
		return;
	}
	session->unread |= number == SIGPIPE;
	if (!session->stopping) {
		stop(session);
	} else if (number != SIGPIPE && !is_same_wish(session) && !session->abandoned) {
		message_warning(_("not waiting for the rest of the output"));
		session->abandoned = true;
		kill(session->reader, SIGKILL);
	}
}

static bool has_ended(pid_t pid)
{
	siginfo_t info = {0};

	return waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid == pid;
}

static void reap(struct session *session)
{
	struct command *command = session->options->command;
	int status;

	if (session->reader && child_wait(session->reader, &session->reader_status, WNOHANG) == session->reader)
		session->reader = 0;
	if (command && command->pid && child_wait(command->pid, &status, WNOHANG) == command->pid) {
		message_verbose(1, "the command ended");
		/* Ctrl-C also ends the command. This is not a failure. */
		if (!session->stopping)
			session->command_failed = !command_ended(command, status);
		command->pid = 0;
		stop(session);
	}
}

/*
 * Read the next signal. Ignore our own SIGPIPE, raised when standard error has no reader: reporting it would raise the
 * next one.
 */
static bool take_signal(const struct session *session, struct signalfd_siginfo *info)
{
	return read(session->signals, info, sizeof(*info)) == sizeof(*info) &&
	       (info->ssi_signo != SIGPIPE || (pid_t)info->ssi_pid != getpid());
}

static void read_signals(struct session *session)
{
	struct signalfd_siginfo info;

	if (!take_signal(session, &info))
		return;
	if (info.ssi_signo == SIGCHLD)
		reap(session);
	else
		got_signal(session, info.ssi_signo);
}

/* Pass the file for standard input to the reader. It exists only if the script has input probes. */
static void send_input(struct session *session)
{
	char path[sizeof("/proc/systemtap//__stdin") + INFO_NAME_SIZE];
	int fd;

	snprintf(path, sizeof(path), "/proc/systemtap/%s/__stdin", session->options->info.name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	child_send(session->socket, READER_INPUT, fd);
	close(fd);
}

static void started(struct session *session)
{
	send_input(session);
	if (session->options->began >= 0) {
		child_leave_terminal();
		write_all(session->options->began, "", 1);
		close(session->options->began);
	}
	if (!session->stopping && session->options->command)
		command_release(session->options->command);
}

static void watch(struct session *session)
{
	const struct monitor *monitor = session->options->monitor;
	struct pollfd from[] = {
		{.fd = session->signals, .events = POLLIN},
		{.fd = session->socket, .events = POLLIN},
		{.fd = monitor ? monitor->socket : -1, .events = POLLIN},
	};

	while (session->reader) {
		int ready = poll(from, 3, LOOK_MILLISECONDS);
		char message = 0;

		if (ready > 0 && from[0].revents)
			read_signals(session);
		if (ready > 0 && from[1].revents) {
			if (recv(session->socket, &message, 1, 0) <= 0)
				from[1].fd = -1; /* the reader is about to exit */
			if (message == READER_STARTED)
				started(session);
		}
		if (ready > 0 && from[2].revents) {
			if (recv(monitor->socket, &message, 1, 0) <= 0) {
				from[2].fd = -1;
				session->unread = true;
			}
			session->unwritten |= message == MONITOR_FAILED;
			stop(session);
		}
		if (ready == 0)
			error_free(control_open_traces(session->directory, session->trace_is_open, CPU_LIMIT,
						       send_trace, session));
	}
}

/*
 * Should we stop waiting because of this signal? The first signal after the end of the script only requests that end,
 * unless @was_asked.
 */
static bool is_impatient(struct session *session, const struct signalfd_siginfo *info, bool was_asked)
{
	if (info->ssi_signo == SIGCHLD || is_same_wish(session))
		return false;
	if (session->stopping || was_asked)
		return true;
	note_wish(session);
	return false;
}

/*
 * Wait until a process ends. Return false if a signal came first.
 *
 * @param[in] was_asked The user has already seen the end of the script, so the first signal stops the wait.
 */
static bool await_process(struct session *session, pid_t pid, bool was_asked)
{
	struct pollfd from = {.fd = session->signals, .events = POLLIN};
	struct signalfd_siginfo info;

	/* The process is not reaped, so its id is not reused. */
	while (!has_ended(pid)) {
		if (poll(&from, 1, LOOK_MILLISECONDS) <= 0 || !take_signal(session, &info))
			continue;
		if (is_impatient(session, &info, was_asked))
			return false;
	}
	return true;
}

/* Wait for the commands. If a signal interrupts this, they continue, because they are the user's own. */
static void await_commands(struct session *session)
{
	message_verbose(1, "waiting for the commands of the script");
	if (!await_process(session, session->options->runner->pid, true))
		message_warning(_("not waiting for the commands of the script"));
}

static struct error *begin_monitor(const struct session *session)
{
	const struct session_options *options = session->options;

	if (options->monitor->lines)
		run_lines_start(options->monitor->lines, options->info.name, options->remote_number, options->remote);
	return monitor_begin(options->monitor, session->directory);
}

static void await_monitor(struct session *session)
{
	if (!session->abandoned && !await_process(session, session->options->monitor->pid, false))
		message_warning(_("not waiting for the rest of the output"));
}

/* Wait until stap-json has closed its file of the module. */
static void await_close(struct session *session)
{
	struct pollfd from[] = {
		{.fd = session->options->monitor->socket, .events = POLLIN},
		{.fd = session->signals, .events = POLLIN},
	};
	struct signalfd_siginfo info;
	int message = 0, fd;

	while (!session->abandoned && message != MONITOR_CLOSED) {
		if (poll(from, 2, -1) <= 0)
			continue;
		if (from[0].revents) {
			message = child_receive(session->options->monitor->socket, &fd);
			session->unwritten |= message == MONITOR_FAILED;
			if (!message)
				return;
		} else if (take_signal(session, &info) && is_impatient(session, &info, false)) {
			message_warning(_("not waiting for the rest of the output"));
			session->abandoned = true;
		}
	}
}

/*
 * End the monitor before the module is removed, because it holds a file of the module. Wait first until it has read all
 * output.
 */
static void end_monitor(struct session *session)
{
	struct monitor *monitor = session->options->monitor;

	monitor_end(monitor);
	if (monitor->view == MONITOR_JSON) {
		await_close(session);
		return;
	}
	await_monitor(session);
	monitor_finish(monitor);
}

/* End stap-json, which takes lines as long as commands of the script run, and write the last line. */
static void end_lines(struct session *session, int status, const struct control_status *last)
{
	struct monitor *monitor = session->options->monitor;

	monitor_hang_up(monitor);
	await_monitor(session);
	monitor_finish(monitor);
	run_lines_end(monitor->result, status, last);
}

static bool was_left(const struct session *session)
{
	return WIFEXITED(session->reader_status) && WEXITSTATUS(session->reader_status) == STATUS_LEFT;
}

/*
 * Return whether the session continues without staprun. A session that was attached to also continues if its reader
 * could not start or was killed, unless a stop was requested.
 */
static bool runs_without_staprun(const struct session *session)
{
	if (session->was_watched && WIFEXITED(session->reader_status))
		return was_left(session);
	return session->options->attach && !session->stopping;
}

/* Return the exit status of the session. */
static int judge(const struct session *session)
{
	int status = session->reader_status;

	if (was_left(session))
		return 0;
	if (WIFEXITED(status))
		return session->unread ? STATUS_UNREAD : WEXITSTATUS(status);
	if (session->abandoned)
		return 1;
	return error_report_free(error_new(ERROR_OTHER,
					   _("the process that reads the output was killed by signal %d (%s)"),
					   WTERMSIG(status), strsignal(WTERMSIG(status))));
}

/* Return the inode number of a debugfs directory. debugfs does not reuse inode numbers. */
static ino_t directory_number(int directory)
{
	struct stat status;

	return directory >= 0 && !fstat(directory, &status) ? status.st_ino : 0;
}

/* Remove the module, but not one of the same name that another staprun loaded after ours was removed. */
static struct error *remove_own(void *data, bool *is_busy)
{
	const struct session *session = data;
	const char *name = session->options->info.name;
	_cleanup_close_ int directory = -1;
	struct error *error = control_open_directory(name, &directory);
	bool is_other = !error && directory_number(directory) != session->directory_number;

	error_free(error);
	return is_other ? NULL : module_remove_once(name, is_busy);
}

/* Remove the module as root. The process stays root, so it must not act for the user afterwards. */
static struct error *remove_as_root(struct session *session)
{
	const struct module_removal removal = {remove_own, session};
	struct error *error = lock_become_root();

	STAP_PROBE1(staprun, remove_module, session->options->info.name);
	return error ?: module_remove_with_lock(&removal);
}

/*
 * Remove the module in a child process. This process has the user's real id, so the user could stop or kill it. If the
 * fork fails (the user may have exhausted the process limit), remove the module here and wait for none of the user's
 * processes afterwards.
 */
static int remove_module(struct session *session)
{
	pid_t pid = fork();
	int status;

	if (pid > 0)
		return child_wait(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	status = error_report_free(remove_as_root(session));
	if (pid < 0) {
		session->abandoned = true;
		return status;
	}
	fflush(NULL);
	_exit(status);
}

static int finish_module(struct session *session)
{
	const char *name = session->options->info.name;

	if (runs_without_staprun(session)) {
		/* The wording is SystemTap's. */
		fprintf(stderr, _("Disconnecting from systemtap module.\nTo reconnect, type \"staprun -A %s\"\n"),
			name);
		return 0;
	}
	message_verbose(1, "removing module %s", name);
	return remove_module(session);
}

int session_run(struct session_options *options)
{
	struct session session = {.options = options, .directory = -1, .control = -1};
	struct error *error = control_find_debugfs();
	struct control_status last = {0};
	int status;

	error = error ?: privilege_limit();
	if (!error && options->rename)
		error = choose_name(options);
	if (!error && !options->attach)
		error = check_targets(&options->info);
	session.signals = signalfd(-1, &watched, SFD_CLOEXEC);
	if (!error && session.signals < 0)
		error = error_errno("signalfd");
	if (!error)
		error = options->attach ? attach(&session) : load(&session);
	if (error && options->monitor)
		end_monitor(&session);
	if (error) {
		status = error_report_free(error);
		if (options->monitor && options->monitor->result)
			end_lines(&session, status, &last);
		return status;
	}
	session.directory_number = directory_number(session.directory);
	free(options->image.data);
	options->image.data = NULL;

	if (options->tables)
		tables_begin(options->tables, session.directory, options->access == ACCESS_ALL);
	if (options->monitor)
		error = begin_monitor(&session);
	error = error ?: fork_reader(&session);
	if (error) {
		close(session.control);
		close(session.directory);
		status = 1;
	} else {
		status = error_report_free(privilege_limit_more());
		if (status)
			stop(&session);
		session.was_watched = true;
		watch(&session);
		status |= judge(&session);
		if (session.command_failed && !status)
			status = 1;
		control_look(session.directory, &last);
		if (!status)
			status = (int)last.status;
		close(session.directory);
	}
	if (options->command)
		command_finish(options->command);
	if (options->tables)
		tables_finish(options->tables);
	if (options->monitor)
		end_monitor(&session);
	error_report_free(error);
	status |= finish_module(&session);
	if (options->runner && !session.abandoned)
		await_commands(&session);
	/* If the monitor cannot write, its end looks to the reader of the script's output like a closed pipe. */
	if (session.unwritten)
		status = 1;
	if (options->monitor && options->monitor->result)
		end_lines(&session, status, &last);
	return status;
}
