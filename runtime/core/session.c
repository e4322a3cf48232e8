// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The life of a script in the kernel: module load, start, stop, unload, and the control file by which staprun drives it
 * (protocol.h).
 *
 * Loading only allocates. "start" runs the begin probes and arms the rest. "stop" disarms, runs the end probes and
 * leaves all output queued. After a fatal error, also one in an end probe, the error probes run instead of the
 * remaining end probes. If the control file is closed without "stop", staprun has died and nobody reads the output, so
 * the session is stopped silently. After "keep" the session continues instead, until a process opens the control file
 * again. The module can be unloaded in every state.
 */
#include <linux/debugfs.h>
#include <linux/cred.h>
#include <linux/delay.h>
#include <linux/pid_namespace.h>
#include <linux/poll.h>
#include <linux/uaccess.h>
#include <linux/user_namespace.h>
#include <linux/wait.h>

#include "runtime/core/internal.h"

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Spile script");

atomic_t session_state = ATOMIC_INIT(SESSION_LOADED);
atomic_t session_exit_requested = ATOMIC_INIT(0);
atomic_t session_silence = ATOMIC_INIT(SILENT_NOT_RUNNING);
atomic_t session_failed = ATOMIC_INIT(0);
pid_t session_target;
struct pid_namespace *session_pids;
struct user_namespace *session_users;
struct pid_namespace *shown_pids;
struct user_namespace *shown_users;

/* The time zone of staprun's user when the script started. */
static struct {
	s64 seconds_west;
	char name[STP_TIME_ZONE_LIMIT + 1];
} time_zone = {.name = "UTC"};

/* Which of the hosts of stap --remote this is. */
static struct {
	s64 number;
	char name[STP_REMOTE_LIMIT + 1];
} remote = {.number = -1};

static struct dentry *own_directory;
static DEFINE_MUTEX(control_mutex);
static DECLARE_WAIT_QUEUE_HEAD(control_wait);
static atomic_t reader_sleeps = ATOMIC_INIT(0);
static atomic_t activity = ATOMIC_INIT(0); /* something to read since the last poll */
static atomic_t control_opens = ATOMIC_INIT(0);
static pid_t driver; /* process that opened the control file */
static kuid_t owner; /* user who started the session */
static bool is_kept; /* "keep" was given */
static bool is_without_driver; /* the session is left (protocol.h) */
static time64_t loaded_at; /* wall-clock time, in seconds */
static time64_t loaded_at_uptime; /* in seconds since boot */

/*
 * In the order of arming. Handlers at one address run in the reverse order. Entry handlers must run before a kretprobe
 * replaces the return address (.callee), so kretprobes are armed first.
 */
static const struct probe_family *const families[] = {
	&kretprobe_family, &function_family, &kprobe_family, &tracepoint_family,
/* Optional parts (translator/build/optional.c). */
#ifndef STP_WITHOUT_PERF
	&perf_family,
#endif
#ifndef STP_WITHOUT_NETFILTER
	&netfilter_family,
#endif
	&timer_family,
#ifndef STP_WITHOUT_PROCFS
	&procfs_family,
#endif
#ifdef STP_USER_SPACE
	&uprobe_family,	   &process_family,
#endif
#ifdef STP_SYSCALLS
	&syscall_family,
#endif
};

/*
 * ---- failing allocations for tests --------------------------------------------------------------------------------
 */

bool allocation_fails(void)
{
	static unsigned int allocations;

	return unlikely(stp_script.fail_allocation) && ++allocations == stp_script.fail_allocation;
}

/* ---- waking the reader ----------------------------------------------------------------------------------------- */

static void wake_reader(struct irq_work *work)
{
	wake_up_all(&control_wait);
}

static DEFINE_IRQ_WORK(wake_work, wake_reader);

void session_wake(void)
{
	atomic_set(&activity, 1);
	/*
	 * Pairs with the barrier of control_poll(): either the reader sees the activity, or this code sees the sleeper.
	 */
	smp_mb();
	if (atomic_read(&reader_sleeps) && atomic_xchg(&reader_sleeps, 0))
		irq_work_queue(&wake_work);
}

void session_request_exit(void)
{
	atomic_set(&session_exit_requested, 1);
	atomic_or(SILENT_EXIT_REQUESTED, &session_silence);
	session_wake();
}

void stp_exit(void)
{
	session_request_exit();
}

stp_long stp_target(void)
{
	return session_target;
}

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

/* ---- start and stop -------------------------------------------------------------------------------------------- */

/*
 * Return whether a begin, end or error probe should run. An error cancels the remaining begin and end probes. An exit
 * request cancels the begin probes that have not started, except oneshot ones.
 */
static bool is_due(const struct stp_probe *probe)
{
	if (probe->kind == STP_PROBE_BEGIN && atomic_read(&session_exit_requested) &&
	    !(probe->flags & STP_PROBE_ONESHOT))
		return false;
	return probe->kind == STP_PROBE_ERROR || !atomic_read(&session_failed);
}

static void run_probes(enum stp_probe_kind kind)
{
	unsigned int i;

	/* The translator has sorted them. */
	for (i = 0; i < stp_script.probe_count; i++) {
		if (stp_script.probes[i].kind == kind && is_due(&stp_script.probes[i]))
			context_run_session(&stp_script.probes[i]);
	}
}

static DEFINE_MUTEX(arming_mutex);
static bool is_armed;

void arming_lock(void)
{
	mutex_lock(&arming_mutex);
}

void arming_unlock(void)
{
	mutex_unlock(&arming_mutex);
}

bool arming_is_done(void)
{
	return is_armed;
}

static void disarm(unsigned int count)
{
	while (count--)
		families[count]->disarm();
}

void session_rearm(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(families); i++)
		if (families[i]->rearm)
			families[i]->rearm();
}

static void tell_mechanisms(void)
{
	static const char *const names[MECHANISM_COUNT] = {
		[FTRACE_ENTRY] = "function entries by ftrace", [FTRACE_RETURN] = "returns by ftrace",
		[KRETPROBE] = "returns by kretprobes",	       [FTRACE_KPROBE] = "kprobes on call sites of ftrace",
		[KPROBE] = "kprobes by breakpoints or jumps",  [UPROBE] = "instructions of programs",
		[URETPROBE] = "returns in programs",	       [UPROBE_EXIT] = "exits of functions of programs",
	};
	unsigned int counts[MECHANISM_COUNT] = {}, i;
	char text[256];
	int length = 0;

	for (i = 0; i < ARRAY_SIZE(families); i++)
		if (families[i]->count)
			families[i]->count(counts);
	for (i = 0; i < MECHANISM_COUNT; i++)
		if (counts[i])
			length += scnprintf(text + length, sizeof(text) - length, "%s%s: %u", length ? ", " : "",
					    names[i], counts[i]);
	if (length)
		transport_message(STP_RECORD_NOTICE, false, "armed: %s", text);
}

/* Needs the arming lock. */
static int arm(void)
{
	unsigned int i;
	int error;

	conditions_before_arming();
	/* Change the state first: probes hit while others are still being armed, and no hit may be missed. */
	atomic_set(&session_state, SESSION_RUNNING);
	atomic_andnot(SILENT_NOT_RUNNING, &session_silence);
	for (i = 0; i < ARRAY_SIZE(families); i++) {
		error = families[i]->arm();
		if (error) {
			/* Unless the family has already reported the probe and the cause. */
			if (!atomic_read(&session_failed))
				transport_message(STP_RECORD_ERROR, true, "cannot arm the %s probes: error %d",
						  families[i]->name, error);
			atomic_set(&session_failed, 1);
			atomic_set(&session_state, SESSION_STOPPING);
			atomic_or(SILENT_NOT_RUNNING, &session_silence);
			disarm(i + 1); /* families[i] may be armed in part */
			session_request_exit();
			return error;
		}
	}
	is_armed = true;
	tell_mechanisms();
	return 0;
}

static int session_start(void)
{
	int error;

	if (!session_is(SESSION_LOADED))
		return -EBUSY;
	error = globals_begin();
	if (error)
		return error;
	atomic_set(&session_state, SESSION_STARTING);
	error = stp_script.user_stacks ? stp_script.user_stacks->start() : 0;
	if (error)
		return error;
	run_probes(STP_PROBE_BEGIN);
	if (atomic_read(&session_exit_requested))
		return 0;
	arming_lock();
	error = arm();
	arming_unlock();
	if (!error)
		conditions_armed();
	return error;
}

static void session_stop(bool run_end_probes)
{
	int state = atomic_read(&session_state);

	if (state == SESSION_STOPPED || state == SESSION_LOADED)
		return;
	arming_lock();
	is_armed = false;
	atomic_or(SILENT_NOT_RUNNING, &session_silence);
	if (atomic_xchg(&session_state, SESSION_STOPPING) == SESSION_RUNNING)
		disarm(ARRAY_SIZE(families));
	arming_unlock();
	if (run_end_probes) {
		run_probes(STP_PROBE_END);
		if (atomic_read(&session_failed))
			run_probes(STP_PROBE_ERROR);
		context_report_timings();
	}
	if (stp_script.user_stacks)
		stp_script.user_stacks->stop();
	atomic_set(&session_state, SESSION_STOPPED);
	session_wake();
}

/*
 * ---- pausing the handlers ------------------------------------------------------------------------------------------
 */

enum { HOLD_MILLISECONDS = 1000 };

/*
 * Event handlers run with preemption off, or in interrupts. Those that began before the bit was seen have therefore
 * ended after a grace period. Exceptions are handlers that sleep and hits where RCU is not watching, so check the
 * contexts, too.
 */
int session_hold(void)
{
	unsigned int waited = 0;

	atomic_or(SILENT_HELD, &session_silence);
	synchronize_rcu();
	while (!contexts_are_idle()) {
		if (waited++ >= HOLD_MILLISECONDS) {
			session_release();
			return -EBUSY;
		}
		usleep_range(1000, 2000);
	}
	return 0;
}

void session_release(void)
{
	atomic_andnot(SILENT_HELD, &session_silence);
}

/* ---- the control file ------------------------------------------------------------------------------------------ */

static int command_target(char *argument)
{
	return kstrtoint(argument, 10, &session_target);
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
 * Take the owner from the task that writes this command, which has only the user's rights (staprun/reader.c). The task
 * that opened the file still had root's (staprun/lock.c).
 */
static int command_start(char *argument)
{
	if (session_is(SESSION_LOADED)) {
		owner = current_uid();
		own_process_begin();
	}
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
	error = session_hold();
	if (!error) {
		globals_reset();
		session_release();
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
	{"target", command_target, true, true}, {"timezone", command_timezone, true, true},
	{"remote", command_remote, true, true}, {"module", command_module, true, true},
	{"global", command_global, true, true}, {"start", command_start, false, true},
	{"stop", command_stop, false, true},	{"namespaces", command_namespaces, true, true},
	{"keep", command_keep, false, true},	{"probe", command_probe, true, false},
	{"reset", command_reset, false, false}, {"measure", command_measure, false, false},
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

static const char *const state_names[] = {"loaded", "starting", "running", "stopping", "stopped"};

/* Return the driver's PID in the initial namespace, or 0 if the control file is closed. */
static pid_t driver_now(void)
{
	return atomic_read(&control_opens) ? READ_ONCE(driver) : 0;
}

int session_status(char *text, size_t size)
{
	return scnprintf(text, size,
			 "state %s\nleft %d\nowner %u\noverwritten %llu\ngaps_end %llu\nexit %d\nfailed "
			 "%d\nerrors %d\nlost %llu\nskipped_reentrant %lu\nskipped_lock %lu\n"
			 "missed_return %lu\nskipped_stack %lu\nmemory_variables %zu\nmemory_output "
			 "%zu\nmemory_contexts %zu\nrearmed %lu\nloaded_at %lld\nuptime %lld\ndriver %d\nhits %llu\n",
			 state_names[atomic_read(&session_state)], READ_ONCE(is_without_driver),
			 from_kuid(&init_user_ns, owner), transport_overwritten(), transport_gaps_end(),
			 atomic_read(&session_exit_requested), atomic_read(&session_failed), context_errors(),
			 transport_lost(), context_skips(SKIP_REENTRANT), context_skips(SKIP_LOCK),
			 context_skips(SKIP_MISSED_RETURN), context_skips(SKIP_STACK), globals_memory(),
			 transport_memory(), contexts_memory(), conditions_rearmed(), loaded_at,
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
	poll_wait(file, &control_wait, table);
	atomic_set(&reader_sleeps, 1);
	smp_mb(); /* see session_wake() */
	if (!atomic_xchg(&activity, 0))
		return 0;
	atomic_set(&reader_sleeps, 0);
	return EPOLLIN | EPOLLRDNORM;
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
		transport_return();
	else
		begin_driving();
	WRITE_ONCE(is_without_driver, false);
	return 0;
}

static void forget_namespaces(void)
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
		forget_namespaces();
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

/* ---- load and unload ------------------------------------------------------------------------------------------- */

/*
 * Return the directory that all scripts share. debugfs cannot open or create a directory in one call, and another
 * script may create it at the same time.
 */
static struct dentry *common_directory(void)
{
	struct dentry *common = debugfs_lookup(STP_DEBUGFS_FOLDER, NULL);

	if (common) {
		dput(common); /* it stays, because no script removes it */
		return common;
	}
	common = debugfs_create_dir(STP_DEBUGFS_FOLDER, NULL);
	if (PTR_ERR_OR_ZERO(common) == -EEXIST) {
		common = debugfs_lookup(STP_DEBUGFS_FOLDER, NULL);
		if (common)
			dput(common);
	}
	return common;
}

struct inode *session_common_inode(void)
{
	return d_inode(own_directory->d_parent);
}

static void session_destroy(void)
{
	modules_ignore();
	exec_forget();
	signals_finish();
	irq_work_sync(&wake_work);
	/* relay_close() removes its files one by one; they must still exist. */
	transport_destroy();
	debugfs_remove(own_directory);
	if (stp_script.user_stacks)
		stp_script.user_stacks->destroy();
	globals_destroy();
	locks_destroy();
	targets_destroy();
	conditions_destroy();
	contexts_destroy();
}

/*
 * STP_MAXMEMORY is checked before memory is allocated, so that a script that wants too much takes nothing from others.
 * All memory is allocated while the module is loaded, except that for calls, which is estimated then (calls_memory()).
 */
static size_t memory_taken;

bool memory_take(size_t bytes)
{
	u64 most = stp_script.max_memory + (u64)stp_script.max_memory_per_cpu * num_possible_cpus();

	if (check_add_overflow(memory_taken, bytes, &memory_taken))
		memory_taken = SIZE_MAX;
	if (!stp_script.max_memory || memory_taken / 1024 <= most)
		return true;
	pr_err("%s: the script takes %zu kB of memory or more; STP_MAXMEMORY allows %llu\n", THIS_MODULE->name,
	       memory_taken / 1024, most);
	return false;
}

/* Estimate the memory that return probes need for the calls in progress. */
static size_t calls_memory(void)
{
	enum { CALL_OVERHEAD = 128 };
	size_t calls = 0, size = 0;
	unsigned int i;

	for (i = 0; i < stp_script.probe_count; i++) {
		const struct stp_probe *probe = &stp_script.probes[i];

		if (probe->kind == STP_PROBE_KRETPROBE)
			calls += probe->maxactive ?: default_maxactive();
		else if (probe->kind == STP_PROBE_URETPROBE || probe->kind == STP_PROBE_SYSCALL)
			calls += probe->maxactive;
		size = max_t(size_t, size, probe->entry_size);
	}
	return array_size(calls, size + CALL_OVERHEAD);
}

static int session_create(void)
{
	int error;

	loaded_at = ktime_get_real_seconds();
	loaded_at_uptime = ktime_get_boottime_seconds();
	error = memory_take(calls_memory()) ? contexts_create() : -ENOMEM;
	error = error ?: conditions_create();
	error = error ?: targets_create();
	error = error ?: locks_create();
	error = error ?: globals_create();
	if (error)
		return error;
	own_directory = debugfs_create_dir(THIS_MODULE->name, common_directory());
	if (IS_ERR(own_directory)) {
		error = PTR_ERR(own_directory);
		own_directory = NULL;
		return error;
	}
	error = transport_create(own_directory);
	if (error)
		return error;
	error = PTR_ERR_OR_ZERO(debugfs_create_file("control", 0600, own_directory, NULL, &control_operations));
	error = error ?: PTR_ERR_OR_ZERO(debugfs_create_file("status", 0400, own_directory, NULL, &status_operations));
	error = error ?: monitor_create(own_directory);
	if (!error && stp_script.user_stacks)
		error = stp_script.user_stacks->create(own_directory);
	if (!error)
		modules_watch();
	return error;
}

static int __init spile_init(void)
{
	int error;

	if (stp_script.layout != STP_LAYOUT_VERSION) {
		pr_err("%s: built for another version of the Spile runtime\n", THIS_MODULE->name);
		return -EINVAL;
	}
	error = session_create();
	if (error)
		session_destroy();
	return error;
}

static void __exit spile_exit(void)
{
	session_stop(false);
	session_destroy();
	forget_namespaces();
}

/* The kernel calls these: keep them although the runtime is compiled with -fwhole-program. */
STP_USED int init_module(void);
STP_USED void cleanup_module(void);

module_init(spile_init);
module_exit(spile_exit);
