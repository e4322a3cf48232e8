// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Filters of system calls (seccomp, Documentation/userspace-api/seccomp_filter.rst). A program that enters the kernel
 * as a 32-bit one is killed, and the x32 variants of x86-64 are refused.
 *
 * There are two filters. The process that speaks TLS copies bytes, so it may make the calls of a short list. A
 * translation runs stap, make, a compiler and a linker, which need most of what the kernel offers to ordinary programs.
 * So its filter refuses a list: what these never use, and what has often been the way out of a sandbox. Calls that are
 * newer than this list are reported as missing, for which all programs are prepared.
 */
#include "server/system_calls.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <glib.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/read_write.h"

#if defined(__x86_64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

enum {
	X32_BIT = 0x40000000,
	LAST_KNOWN_CALL = 462, /* mseal */
};

static const uint32_t refusal = SECCOMP_RET_ERRNO | EPERM, missing = SECCOMP_RET_ERRNO | ENOSYS;

/* Never needed to translate a script. */
static const int refused_calls[] = {
	/* other processes */
	SYS_ptrace,
	SYS_process_vm_readv,
	SYS_process_vm_writev,
	SYS_kcmp,
	SYS_pidfd_getfd,
	SYS_process_madvise,
	/* parts of the kernel with a large surface */
	SYS_bpf,
	SYS_perf_event_open,
	SYS_userfaultfd,
	SYS_io_uring_setup,
	SYS_io_uring_enter,
	SYS_io_uring_register,
	SYS_add_key,
	SYS_request_key,
	SYS_keyctl,
	SYS_fanotify_init,
	SYS_fanotify_mark,
	SYS_name_to_handle_at,
	SYS_open_by_handle_at,
	SYS_vmsplice,
	SYS_memfd_secret,
	SYS_io_setup,
	SYS_io_submit,
	SYS_mq_open,
	SYS_mq_unlink,
	SYS_migrate_pages,
	SYS_move_pages,
	SYS_mbind,
	SYS_set_mempolicy,
	SYS_set_mempolicy_home_node,
	/* the machine */
	SYS_init_module,
	SYS_finit_module,
	SYS_delete_module,
	SYS_kexec_load,
	SYS_kexec_file_load,
	SYS_reboot,
	SYS_swapon,
	SYS_swapoff,
	SYS_acct,
	SYS_quotactl,
	SYS_quotactl_fd,
	SYS_syslog,
	SYS_settimeofday,
	SYS_clock_settime,
	SYS_clock_adjtime,
	SYS_adjtimex,
	SYS_sethostname,
	SYS_setdomainname,
	SYS_vhangup,
	SYS_nfsservctl,
	SYS_lookup_dcookie,
	SYS_personality,
#ifdef SYS_iopl
	SYS_iopl,
	SYS_ioperm,
	SYS_modify_ldt,
#endif
#ifdef SYS_ustat
	SYS_uselib,
	SYS_ustat,
	SYS_sysfs,
	SYS__sysctl,
#endif
};

/* Needed only to enter a build root (common/build_root.c). */
static const int namespace_calls[] = {
	SYS_unshare,   SYS_setns,  SYS_mount,	 SYS_umount2, SYS_pivot_root, SYS_chroot,	 SYS_move_mount,
	SYS_open_tree, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick,     SYS_mount_setattr,
};

enum {
	NEW_NAMESPACES = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |
			 CLONE_NEWCGROUP,
};

/* ---- programs of the filter -------------------------------------------------------------------------------------- */

static void add(GArray *filter, struct sock_filter instruction)
{
	g_array_append_val(filter, instruction);
}

static void add_load(GArray *filter, size_t offset)
{
	add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
}

static void add_return(GArray *filter, uint32_t action)
{
	add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

/* Return the action unless the comparison with the loaded value fails. */
static void add_rule(GArray *filter, uint16_t comparison, uint32_t value, uint32_t action)
{
	add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | comparison | BPF_K, value, 0, 1));
	add_return(filter, action);
}

/* Check the architecture, and load the number of the call. */
static GArray *filter_new(void)
{
	GArray *filter = g_array_new(FALSE, FALSE, sizeof(struct sock_filter));

	add_load(filter, offsetof(struct seccomp_data, arch));
	add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCHITECTURE, 1, 0));
	add_return(filter, SECCOMP_RET_KILL_PROCESS);
	add_load(filter, offsetof(struct seccomp_data, nr));
	add_rule(filter, BPF_JGE, X32_BIT, refusal);
	return filter;
}

/* ---- the two filters --------------------------------------------------------------------------------------------- */

bool system_calls_allow_only(const int *calls, size_t count)
{
	g_autoptr(GArray) filter = filter_new();
	struct sock_fprog program;

	for (size_t i = 0; i < count; i++)
		add_rule(filter, BPF_JEQ, (uint32_t)calls[i], SECCOMP_RET_ALLOW);
	add_return(filter, refusal);
	program = (struct sock_fprog){.len = (unsigned short)filter->len, .filter = (struct sock_filter *)filter->data};
	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/*
 * Refuse namespaces. The flags of clone3() are in memory, where a filter cannot see them; the C library uses clone() if
 * it is missing.
 */
static void refuse_namespaces(GArray *filter)
{
	for (size_t i = 0; i < G_N_ELEMENTS(namespace_calls); i++)
		add_rule(filter, BPF_JEQ, (uint32_t)namespace_calls[i], refusal);
	add_rule(filter, BPF_JEQ, SYS_clone3, missing);
	add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4));
	add_load(filter, offsetof(struct seccomp_data, args[0]));
	add_rule(filter, BPF_JSET, NEW_NAMESPACES, refusal);
	add_return(filter, SECCOMP_RET_ALLOW);
}

/* Refuse sockets other than those of this machine. */
static void refuse_sockets(GArray *filter)
{
	add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 4));
	add_load(filter, offsetof(struct seccomp_data, args[0]));
	add_rule(filter, BPF_JEQ, AF_UNIX, SECCOMP_RET_ALLOW);
	add_return(filter, refusal);
}

int system_calls_of_sandbox(bool allows_namespaces)
{
	g_autoptr(GArray) filter = filter_new();
	int fd;

	add_rule(filter, BPF_JGT, LAST_KNOWN_CALL, missing);
	for (size_t i = 0; i < G_N_ELEMENTS(refused_calls); i++)
		add_rule(filter, BPF_JEQ, (uint32_t)refused_calls[i], refusal);
	if (!allows_namespaces)
		refuse_namespaces(filter);
	refuse_sockets(filter);
	add_return(filter, SECCOMP_RET_ALLOW);
	fd = memfd_create("filter", MFD_CLOEXEC);
	if (fd >= 0 &&
	    (!write_all(fd, filter->data, filter->len * sizeof(struct sock_filter)) || lseek(fd, 0, SEEK_SET)))
		close_fd(&fd);
	return fd;
}
