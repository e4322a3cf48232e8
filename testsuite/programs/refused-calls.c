// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Try system calls that no translation needs, and print those that a filter does not refuse: none, in the sandbox of a
 * compile server (testsuite/suites/server.sh). Each call has an invalid argument, so that it has no effect without a
 * filter.
 */
#include <errno.h>
#include <linux/sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void try(const char *name, long result, int wanted)
{
	if (result >= 0 || errno != wanted)
		fprintf(stderr, "%s: %s\n", name, result >= 0 ? "works" : "is not refused");
}

#define TRY(name, ...) try(#name, syscall(SYS_##name, __VA_ARGS__), EPERM)

int main(void)
{
	int status = -1;

	TRY(ptrace, 99999, 0, 0, 0);
	TRY(process_vm_readv, getpid(), NULL, 99999ul, NULL, 0ul, 1ul);
	TRY(bpf, 99999, NULL, 0);
	TRY(perf_event_open, NULL, 0, -1, -1, 0ul);
	TRY(userfaultfd, 1 << 30);
	TRY(io_uring_setup, 0, NULL);
	TRY(keyctl, 99999, 0, 0, 0, 0);
	TRY(add_key, NULL, NULL, NULL, 0ul, 0);
	TRY(open_by_handle_at, -1, NULL, 0);
	TRY(unshare, 1);
	TRY(setns, -1, 0);
	TRY(mount, NULL, "/nowhere", NULL, 0ul, NULL);
	TRY(fsopen, NULL, 99999);
	TRY(clone, CLONE_NEWUSER | CLONE_SIGHAND, 0, NULL, NULL, 0);
	TRY(socket, AF_INET, 99999, 0);
	TRY(socket, AF_NETLINK, 99999, 0);
	TRY(socket, AF_ALG, 99999, 0);
	try("x32", syscall(SYS_getpid | 0x40000000), EPERM);
	try("clone3", syscall(SYS_clone3, NULL, 0ul), ENOSYS);
	try("a call that does not exist yet", syscall(999), ENOSYS);
	/* These must work. */
	if (socket(AF_UNIX, SOCK_STREAM, 0) < 0)
		perror("socket");
	if (!fork())
		_exit(42);
	if (wait(&status) < 0 || WEXITSTATUS(status) != 42)
		perror("fork");
	fprintf(stderr, "all calls were tried\n");
	return 1;
}
