// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The state of the session: whether handlers may run, and the wake-up of the process that watches it. control/ changes
 * the state.
 */
#include <linux/dcache.h>
#include <linux/irq_work.h>
#include <linux/poll.h>
#include <linux/wait.h>

#include "runtime/core/internal.h"
#include "runtime/core/session.h"

atomic_t session_state = ATOMIC_INIT(SESSION_LOADED);
atomic_t session_exit_requested = ATOMIC_INIT(0);
atomic_t session_exit_status = ATOMIC_INIT(0);
atomic_t session_silence = ATOMIC_INIT(SILENT_NOT_RUNNING);
atomic_t session_failed = ATOMIC_INIT(0);
pid_t session_target;
struct pid_namespace *session_pids;
struct user_namespace *session_users;
struct pid_namespace *shown_pids;
struct user_namespace *shown_users;
struct dentry *session_directory;

/* ---- waking the reader ----------------------------------------------------------------------------------------- */

static DECLARE_WAIT_QUEUE_HEAD(control_wait);
static atomic_t reader_sleeps = ATOMIC_INIT(0);
static atomic_t activity = ATOMIC_INIT(0); /* something to read since the last poll */

static void wake_reader(struct irq_work *work)
{
	wake_up_all(&control_wait);
}

static DEFINE_IRQ_WORK(wake_work, wake_reader);

void session_wake(void)
{
	atomic_set(&activity, 1);
	/*
	 * Pairs with the barrier of session_poll(): either the reader sees the activity, or this code sees the sleeper.
	 */
	smp_mb();
	if (atomic_read(&reader_sleeps) && atomic_xchg(&reader_sleeps, 0))
		irq_work_queue(&wake_work);
}

bool session_poll(struct file *file, struct poll_table_struct *table)
{
	poll_wait(file, &control_wait, table);
	atomic_set(&reader_sleeps, 1);
	smp_mb(); /* see session_wake() */
	if (!atomic_xchg(&activity, 0))
		return false;
	atomic_set(&reader_sleeps, 0);
	return true;
}

void session_wake_finish(void)
{
	irq_work_sync(&wake_work);
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

void stp_exit_with(stp_long status)
{
	atomic_cmpxchg(&session_exit_status, 0, status & 0xff);
	session_request_exit();
}

stp_long stp_target(void)
{
	return session_target;
}

/* ---- its directory ----------------------------------------------------------------------------------------------- */

struct inode *session_common_inode(void)
{
	return d_inode(session_directory->d_parent);
}
