// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the command line asks for: run a module, attach to one, remove one, list them, or describe a file.
 *
 * Files that the user names are opened, and the process of -c is forked, before anything is loaded, because a typing
 * error must not cost a module load. This also precedes session.c, where privileges are reduced for good.
 */
#include "staprun/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/json_schema.h"
#include "common/base/message.h"
#include "common/base/paths.h"
#include "common/base/standard_streams.h"
#include "staprun/bulk.h"
#include "staprun/cgroup.h"
#include "staprun/child.h"
#include "staprun/control.h"
#include "staprun/describe.h"
#include "staprun/list.h"
#include "staprun/lock.h"
#include "staprun/messages.h"
#include "staprun/monitor.h"
#include "staprun/privilege.h"
#include "staprun/session.h"

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
	const char *name; /* of the module, for messages */
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
	bool is_there = p->options->attach || p->session.image.data;

	return is_there ? NULL : module_read(p->options->module, p->access, &p->session.image);
}

static struct error *read_info(struct preparation *p)
{
	if (p->options->attach)
		return NULL;
	return error_prefix(info_read(p->session.image.data, p->session.image.size, &p->session.info),
			    _("cannot load %s"), p->name);
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
	return error_prefix(error, _("cannot load %s"), p->name);
}

static struct error *open_cgroup(struct preparation *p)
{
	return p->options->cgroup ? cgroup_open(p->options->cgroup, &p->session.cgroup_directory) : NULL;
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
		.file = options->program == PROGRAM_BUNDLE ? "/proc/self/exe" : NULL,
		.script = options->script,
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
	p->command.report = p->options->report;
	p->command.start = p->options->start;
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
	{open_cgroup, AS_USER},
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

static int run(const struct options *options, const struct module_image *given, enum access access, char **environment,
	       const sigset_t *signal_mask, int began)
{
	struct preparation p = {
		.options = options,
		.name = given ? given->path : options->module,
		.access = access,
		.environment = environment,
		.signal_mask = signal_mask,
		.session =
			{
				.image = given ? *given : (struct module_image){0},
				.began = began,
				.target = options->target,
				.settings = options->settings,
				.cgroup = options->cgroup,
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

int run_as_asked(const struct options *options, const struct module_image *given, char **environment)
{
	sigset_t signal_mask;
	enum access access;
	struct error *error;
	int began = -1;

	messages_configure(options->verbosity, !options->suppress_warnings);
	if (options->json.view)
		messages_use_json(stdout);
	if (options->remote)
		json_set_remote(options->remote_number);
	if (options->describe)
		return finish(describe_module(options->module));
	error = privilege_check(&access);
	if (error)
		return finish(error);
	/* Buffers take kernel memory, which ordinary users must not control. */
	if (options->buffer_megabytes && access != ACCESS_ALL)
		return finish(error_new(ERROR_OTHER, _("-b requires root or membership in group stapdev")));
	error = session_catch_signals(&signal_mask);
	if (error)
		return finish(error);
	if (!options->module && !given)
		return finish(list_modules(access));
	if (options->delete)
		return delete_module(options->module, access);
	error = options->daemon ? go_to_background(&began) : NULL;
	return error ? finish(error) : run(options, given, access, environment, &signal_mask, began);
}
