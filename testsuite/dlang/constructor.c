// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program whose constructor does something before main(), as its argument says. Its system calls are getpriority() in
 * the constructor and getppid() in main(), so that programs in D see which part of it they watch (dlang.sh).
 */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void raise_trap(void)
{
	signal(SIGTRAP, SIG_IGN);
	raise(SIGTRAP);
}

__attribute__((constructor)) static void construct(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	getpriority(PRIO_PROCESS, 0);
	if (!strcmp(what, "trap"))
		raise_trap();
	else if (!strcmp(what, "exec"))
		execl(argv[0], argv[0], "executed", (char *)NULL);
	else if (!strcmp(what, "exit"))
		_exit(3);
	else if (!strcmp(what, "crash"))
		raise(SIGSEGV);
	/* Both processes go on to main(). */
	else if (!strcmp(what, "fork"))
		fork();
}

int main(void)
{
	getppid();
	return 0;
}
