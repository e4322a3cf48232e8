// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The control file, by which staprun drives the script (protocol.h), and the file "status".
 *
 * If the control file is closed without "stop", staprun has died and nobody reads the output, so the session is stopped
 * silently. After "keep" the session continues instead, until a process opens the control file again.
 */
#include <linux/cred.h>
#include <linux/debugfs.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/pid_namespace.h>
#include <linux/poll.h>
#include <linux/uaccess.h>
#include <linux/user_namespace.h>

#include "runtime/abi/protocol.h"
#include "runtime/control/control.h"
#include "runtime/control/run.h"
#include "runtime/core/arming.h"
#include "runtime/core/cgroup_filter.h"
#include "runtime/core/condition.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/module_notifier.h"
#include "runtime/core/overload.h"
#include "runtime/core/own_process.h"
#include "runtime/core/session.h"
#include "runtime/core/transport.h"
#include "runtime/data/globals.h"

/* The time zone of staprun's user when the script started. */
static struct {
	s64 seconds_west;
	char name[STP_TIME_ZONE_LIMIT + 1];
} time_zone = {.name = "UTC"};

/* This host's number and name among the hosts of stap --remote. */
static struct {
	s64 number;
	char name[STP_REMOTE_LIMIT + 1];
} remote = {.number = -1};

static DEFINE_MUTEX(control_mutex);
static atomic_t control_opens = ATOMIC_INIT(0);
static pid_t driver; /* process that opened the control file */
static bool is_kept; /* "keep" was given */
static bool is_without_driver; /* the session is left (protocol.h) */
static time64_t loaded_at; /* wall-clock time, in seconds */
static time64_t loaded_at_uptime; /* in seconds since boot */

stp_long stp_seconds_west(void)
{
	return time_zone.seconds_west;
}

const char *stp_time_zone(void)
{
	return time_zone.name;
}

stp_long stp_remote_number(void)
{
	return remote.number;
}

const char *stp_remote_name(void)
{
	return remote.name;
}

stp_long stp_own_pid(void)
{
	return driver;
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

static int command_target(char *argument)
{
	return kstrtoint(argument, 10, &session_target);
}

static int command_cgroup(char *argument)
{
	int fd;

	if (!session_is(SESSION_LOADED))
		return -EINVAL;
	return kstrtoint(argument, 10, &fd) ?: cgroup_filter_set(fd);
}

/* Set the namespaces in which functions show ids. Takes over the references, of which both or neither are NULL. */
static void show_namespaces(struct pid_namespace *pids, struct user_namespace *users)
{
	if (shown_pids) {
		put_pid_ns(shown_pids);
		put_user_ns(shown_users);
	}
	shown_pids = pids;
	shown_users = users;
}

static int command_namespaces(char *argument)
{
	struct pid_namespace *pids = NULL;
	struct user_namespace *users = NULL;
	struct task_struct *task;
	pid_t number;
	int error;

	if (!session_is(SESSION_LOADED))
		return -EINVAL;
	error = kstrtoint(argument, 10, &number);
	if (error)
		return error;
	rcu_read_lock();
	task = pid_task(find_pid_ns(number, session_pids), PIDTYPE_PID);
	/* An exiting process no longer has a PID namespace. */
	if (task && task_active_pid_ns(task)) {
		pids = get_pid_ns(task_active_pid_ns(task));
		users = get_user_ns(__task_cred(task)->user_ns);
	}
	rcu_read_unlock();
	if (!pids)
		return -ESRCH;
	show_namespaces(pids, users);
	return 0;
}

/* Set a number and a name, only before the start because handlers read both without a lock. */
static int set_number_and_name(char *argument, s64 *number, char *name, size_t size)
{
	char *digits = strsep(&argument, " ");
	int error;

	if (!session_is(SESSION_LOADED) || !argument)
		return -EINVAL;
	error = kstrtos64(digits, 10, number);
	if (!error)
		strscpy(name, argument, size);
	return error;
}

static int command_timezone(char *argument)
{
	return set_number_and_name(argument, &time_zone.seconds_west, time_zone.name, sizeof(time_zone.name));
}

static int command_remote(char *argument)
{
	return set_number_and_name(argument, &remote.number, remote.name, sizeof(remote.name));
}

static int command_global(char *argument)
{
	char *name = strsep(&argument, " ");

	if (!session_is(SESSION_LOADED) || !argument)
		return -EINVAL;
	return globals_set(name, argument);
}

static int command_module(char *argument)
{
	char *module = strsep(&argument, " ");
	char *section = strsep(&argument, " ");
	unsigned long address;
	int error;

	if (!session_is(SESSION_LOADED) || !section || !argument)
		return -EINVAL;
	error = kstrtoul(argument, 0, &address);
	return error ? error : target_set(module, section, address);
}

/*
 * Take the session's user from the task that writes this command, which has only the user's rights (staprun/reader.c).
 * The task that opened the file still had root's (staprun/lock.c).
 */
static int command_start(char *argument)
{
	if (session_is(SESSION_LOADED))
		own_process_begin();
	return session_start();
}

static int command_stop(char *argument)
{
	session_stop(true);
	return 0;
}

static int command_keep(char *argument)
{
	if (!session_is(SESSION_RUNNING))
		return -EINVAL;
	is_kept = true;
	return 0;
}

static int command_probe(char *argument)
{
	char *number = strsep(&argument, " ");
	unsigned int index = PROBE_ALL;
	int error = 0;
	bool on;

	if (!argument || (strcmp(argument, "on") && strcmp(argument, "off")))
		return -EINVAL;
	on = !strcmp(argument, "on");
	if (strcmp(number, "*"))
		error = kstrtouint(number, 10, &index) ?: index == PROBE_ALL ? -ENOENT : 0;
	return error ?: probe_switch(index, on);
}

/* Before the start, the globals have their initial values. */
static int command_reset(char *argument)
{
	int error;

	if (session_is(SESSION_LOADED))
		return 0;
	arming_lock();
	error = contexts_hold();
	if (!error) {
		globals_reset();
		contexts_release();
	}
	arming_unlock();
	if (!error)
		conditions_changed();
	return error;
}

static int command_measure(char *argument)
{
	return contexts_measure();
}

/* The driver's commands. Those without is_drivers are also accepted by the file "monitor". */
static const struct command {
	const char *name;
	int (*run)(char *argument);
	bool has_argument, is_drivers;
} commands[] = {
	{"target", command_target, true, true},	    {"timezone", command_timezone, true, true},
	{"remote", command_remote, true, true},	    {"module", command_module, true, true},
	{"global", command_global, true, true},	    {"start", command_start, false, true},
	{"stop", command_stop, false, true},	    {"namespaces", command_namespaces, true, true},
	{"cgroup", command_cgroup, true, true},	    {"keep", command_keep, false, true},
	{"probe", command_probe, true, false},	    {"reset", command_reset, false, false},
	{"measure", command_measure, false, false},
};

static int run_command(char *line, bool by_driver)
{
	char *name = strsep(&line, " ");
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i].name, name) && commands[i].has_argument == !!line)
			return by_driver || !commands[i].is_drivers ? commands[i].run(line) : -EPERM;
	return -EINVAL;
}

int session_command(char *line)
{
	return run_command(line, false);
}

bool session_try_lock(void)
{
	return mutex_trylock(&control_mutex);
}

void session_unlock(void)
{
	mutex_unlock(&control_mutex);
}

int session_read_line(char *line, const char __user *from, size_t size)
{
	if (!size || size > STP_COMMAND_LIMIT)
		return -EINVAL;
	if (copy_from_user(line, from, size))
		return -EFAULT;
	line[size] = '\0';
	if (line[size - 1] == '\n')
		line[size - 1] = '\0';
	return 0;
}

static ssize_t control_write(struct file *file, const char __user *from, size_t size, loff_t *position)
{
	char line[STP_COMMAND_LIMIT + 1];
	int error = session_read_line(line, from, size);

	if (error)
		return error;
	if (mutex_lock_interruptible(&control_mutex))
		return -EINTR;
	error = run_command(line, true);
	mutex_unlock(&control_mutex);
	return error ? error : size;
}

/* ---- the files --------------------------------------------------------------------------------------------------- */

static const char *const state_names[] = {"loaded", "starting", "running", "stopping", "stopped"};

/* Return the driver's PID in the initial namespace, or 0 if the control file is closed. */
static pid_t driver_now(void)
{
	return atomic_read(&control_opens) ? READ_ONCE(driver) : 0;
}

int session_status(char *text, size_t size)
{
	return scnprintf(text, size,
			 "state %s\nleft %d\nheld %d\nowner %u\noverwritten %llu\ngaps_end %llu\n"
			 "exit %d\nstatus %d\nfailed %d\nerrors %d\nlost %llu\n"
			 "skipped_reentrant %lu\nskipped_lock %lu\nmissed_return %lu\nmissed_deep_return "
			 "%lu\nskipped_stack %lu\n"
			 "memory_variables %zu\nmemory_output %zu\nmemory_contexts %zu\nrearmed %lu\nloaded_at %lld\n"
			 "uptime %lld\ndriver %d\nhits %llu\n",
			 state_names[atomic_read(&session_state)], READ_ONCE(is_without_driver),
			 stp_script.buffer_policy != STP_BUFFER_SWITCH, from_kuid(&init_user_ns, own_process_user()),
			 transport_overwritten(), transport_gaps_end(), atomic_read(&session_exit_requested),
			 atomic_read(&session_exit_status), atomic_read(&session_failed), context_errors(),
			 transport_lost(), context_skips(SKIP_REENTRANT), context_skips(SKIP_LOCK),
			 context_skips(SKIP_MISSED_RETURN), context_skips(SKIP_DEEP_RETURN), context_skips(SKIP_STACK),
			 globals_memory(), transport_memory(), contexts_memory(), conditions_rearmed(), loaded_at,
			 ktime_get_boottime_seconds() - loaded_at_uptime, driver_now(), context_hits());
}

static ssize_t control_read(struct file *file, char __user *to, size_t size, loff_t *position)
{
	char text[SESSION_STATUS_SIZE];
	int length = session_status(text, sizeof(text));

	return simple_read_from_buffer(to, size, position, text, length);
}

static __poll_t control_poll(struct file *file, poll_table *table)
{
	return session_poll(file, table) ? EPOLLIN | EPOLLRDNORM : 0;
}

/* Set the session's namespaces to those of its first driver. */
static void begin_driving(void)
{
	session_pids = get_pid_ns(task_active_pid_ns(current));
	session_users = get_user_ns(current_user_ns());
	show_namespaces(get_pid_ns(session_pids), get_user_ns(session_users));
}

static int control_open(struct inode *inode, struct file *file)
{
	/* Allow one driver at a time: two would each see part of the records. */
	if (atomic_cmpxchg(&control_opens, 0, 1))
		return -EBUSY;
	driver = task_tgid_nr(current);
	if (is_without_driver)
		transport_return(true);
	else
		begin_driving();
	WRITE_ONCE(is_without_driver, false);
	return 0;
}

void control_forget_namespaces(void)
{
	if (!session_pids)
		return;
	show_namespaces(NULL, NULL);
	put_pid_ns(session_pids);
	put_user_ns(session_users);
	session_pids = NULL;
	session_users = NULL;
}

static int control_release(struct inode *inode, struct file *file)
{
	mutex_lock(&control_mutex);
	if (is_kept && session_is(SESSION_RUNNING)) {
		transport_leave();
		WRITE_ONCE(is_without_driver, true);
	} else {
		transport_reader_gone();
		session_stop(false);
		control_forget_namespaces();
	}
	mutex_unlock(&control_mutex);
	atomic_set(&control_opens, 0);
	return 0;
}

static const struct file_operations control_operations = {
	.owner = THIS_MODULE,
	.open = control_open,
	.release = control_release,
	.read = control_read,
	.write = control_write,
	.poll = control_poll,
	.llseek = default_llseek,
};

/* The control file's text, for processes that only observe the session. */
static const struct file_operations status_operations = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = control_read,
	.llseek = default_llseek,
};

int control_create(struct dentry *directory)
{
	int error;

	loaded_at = ktime_get_real_seconds();
	loaded_at_uptime = ktime_get_boottime_seconds();
	error = PTR_ERR_OR_ZERO(debugfs_create_file("control", 0600, directory, NULL, &control_operations));
	return error ?: PTR_ERR_OR_ZERO(debugfs_create_file("status", 0400, directory, NULL, &status_operations));
}
