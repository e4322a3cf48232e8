// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The processes of the user who runs the script. A script of --privilege=stapusr sees only these, and tables that the
 * user's stap-tables made are used only for these (user/stacks/tables.c).
 *
 * A process belongs to the user if it could be attached to with ptrace(): all its UIDs and GIDs are the user's, it has
 * no capabilities, it is in the user's user namespace, and it is dumpable. This excludes set-user-ID programs, programs
 * that the user may execute but not read, and programs that protect their memory. These are the rules of
 * __ptrace_may_access(), which checks the current task and cannot be used here. Security modules (Yama, SELinux) are
 * not consulted.
 *
 * The user is the real user of staprun, which may be set-user-ID. Root is not restricted. The check may run in any
 * context, and is repeated each time because exec changes the answer.
 */
#include <linux/cred.h>
#include <linux/mm_types.h>

#include "runtime/compat/compat.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/own_process.h"
#include "runtime/core/session.h"

bool session_is_restricted __read_mostly;

static struct {
	kuid_t number;
	kgid_t group;
	const struct user_namespace *space;
} own_user;

void own_process_begin(void)
{
	own_user.number = current_uid();
	own_user.group = current_gid();
	own_user.space = session_users;
	WRITE_ONCE(session_is_restricted, stp_script.is_restricted && !uid_eq(own_user.number, GLOBAL_ROOT_UID));
}

kuid_t own_process_user(void)
{
	return own_user.number;
}

stp_long stp_is_own_process(void)
{
	if (session_is_restricted)
		return is_own_task(context_task());
	return uid_eq(task_uid(context_task()), own_user.number);
}

/* Needs the RCU read lock. */
static bool is_users(const struct cred *cred)
{
	return uid_eq(cred->uid, own_user.number) && uid_eq(cred->euid, own_user.number) &&
	       uid_eq(cred->suid, own_user.number) && uid_eq(cred->fsuid, own_user.number) &&
	       gid_eq(cred->gid, own_user.group) && gid_eq(cred->egid, own_user.group) &&
	       gid_eq(cred->sgid, own_user.group) && cred->user_ns == own_user.space &&
	       cap_isclear(cred->cap_permitted);
}

bool is_users_task(struct task_struct *task)
{
	struct mm_struct *memory = READ_ONCE(task->mm);
	bool is_own;

	rcu_read_lock();
	is_own = is_users(__task_cred(task)) && compat_is_dumpable(task, memory);
	rcu_read_unlock();
	return is_own && !(task->flags & PF_KTHREAD);
}

bool is_own_task(struct task_struct *task)
{
	return !session_is_restricted || is_users_task(task);
}

bool is_users_memory(struct mm_struct *memory)
{
#ifdef CONFIG_MEMCG
	const struct task_struct *owner;
	bool is_own;

	rcu_read_lock();
	owner = rcu_dereference(memory->owner);
	is_own = owner && is_users(__task_cred(owner)) && compat_is_dumpable(owner, memory);
	rcu_read_unlock();
	return is_own;
#else
	return false;
#endif
}

bool is_own_memory(struct mm_struct *memory)
{
	if (!session_is_restricted)
		return true;
	return IS_ENABLED(CONFIG_MEMCG) ? is_users_memory(memory) : compat_is_dumpable(NULL, memory);
}

int stp_may_see_process(struct stp_context *c)
{
	if (is_own_task(context_task()))
		return 1;
	stp_error(c, "process %d (%s) is not one of the user who runs the script (--privilege=stapusr)",
		  context_task()->tgid, context_task()->comm);
	return 0;
}
