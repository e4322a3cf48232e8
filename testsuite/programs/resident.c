/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program at unusual places or under observation, which reports whether it was harmed. Its arguments:
 *
 *     calls TAG [FILE]    call place(TAG) 50 times, create FILE.ready, wait for FILE, and call it as often again
 *     memfd TAG           execute a copy of itself that is in no directory
 *     nameless TAG FILE   execute a copy of the file in the same way, with the argument TAG
 *     endless TAG FILE    call place() until FILE exists, and report whether its memory has grown
 *     strict TAG          call it under a seccomp filter that allows only read, write and exit
 *     filter TAG          the same, but only write and exit_group are allowed, and anything else kills it
 *     faults TAG          cause faults at probed instructions, and check the addresses that the kernel reports
 *     signals TAG         call it while signals interrupt it all the time
 *     traced TAG          trace a child that calls place(), with single steps and breakpoints
 *     hidden TAG [FILE]   like calls, but no other process may access its memory (PR_SET_DUMPABLE)
 *     peek TAG            report whether the code of place() is as it was compiled
 *     library TAG FILE    load the library, call it and unload it, repeatedly
 *
 * The output is the same with and without probes, and under any other observer.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define PROBED __attribute__((noinline, noclone, externally_visible))
#define KEEP(value) __asm__ volatile("" : "+r"(value) : : "memory")

enum { CALLS = 50 };

PROBED long place(long tag)
{
	KEEP(tag);
	return tag + 1;
}

static long call_often(long tag, int calls)
{
	long sum = 0;

	for (int i = 0; i < calls; i++)
		sum += place(tag) - tag;
	return sum;
}

static void print_calls(long tag, long calls)
{
	printf("%ld: %ld calls, user %d as %d\n", tag, calls, getuid(), geteuid());
}

static void be_called(long tag, const char *file)
{
	long calls = call_often(tag, CALLS);
	char ready[256];

	if (file) {
		snprintf(ready, sizeof(ready), "%s.ready", file);
		close(open(ready, O_CREAT | O_WRONLY, 0666));
		while (access(file, F_OK))
			usleep(10000);
		calls += call_often(tag, CALLS);
	}
	print_calls(tag, calls);
}

static void hide(long tag, const char *file)
{
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	be_called(tag, file);
}

static void peek(long tag)
{
	unsigned char breakpoint = 0xcc;

	printf("%ld: %s\n", tag, memcmp((char *)place, &breakpoint, 1) ? "untouched" : "changed");
	be_called(tag, NULL);
}

/* Return this process's private memory in kB. The numbers in /proc/self/status are too coarse. */
static long memory_in_use(void)
{
	char line[128];
	long size = -1;
	FILE *sizes = fopen("/proc/self/smaps_rollup", "r");

	while (sizes && fgets(line, sizeof(line), sizes))
		if (sscanf(line, "Anonymous: %ld", &size) == 1)
			break;
	if (sizes)
		fclose(sizes);
	return size;
}

static void call_endlessly(long tag, const char *file)
{
	long wrong = 0, before, rounds = 0;

	while (rounds++ < 1000)
		wrong += call_often(tag, CALLS) - CALLS;
	before = memory_in_use();
	while (access(file, F_OK))
		wrong += call_often(tag, CALLS) - CALLS;
	/* The kernel copies the pages into which it inserts breakpoints. */
	printf("%ld: %ld wrong, %s\n", tag, wrong, memory_in_use() - before < 100 ? "as large as before" : "larger");
}

/* ---- a file without a name --------------------------------------------------------------------------------------- */

static void run_without_file(const char *file, char **arguments)
{
	int from = open(file, O_RDONLY), to = memfd_create("resident", 0);
	long size = lseek(from, 0, SEEK_END);
	off_t start = 0;

	if (sendfile(to, from, &start, size) == size)
		fexecve(to, arguments, environ);
	perror("memfd");
}

/* ---- where little may be called ---------------------------------------------------------------------------------- */

static void write_result(long tag, long calls)
{
	char text[64];
	int length = snprintf(text, sizeof(text), "%ld: %ld calls\n", tag, calls);

	if (write(1, text, length) != length)
		_exit(1);
}

static void call_strictly(long tag)
{
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		perror("seccomp");
	write_result(tag, call_often(tag, CALLS));
	syscall(SYS_exit, 0);
}

static void call_filtered(long tag)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		perror("seccomp");
	write_result(tag, call_often(tag, CALLS));
	_exit(0);
}

/* ---- faults ------------------------------------------------------------------------------------------------------ */

/* Functions whose first instruction faults. */
extern long reads(long from), divides(long by), undefined(long unused);
__asm__(".text\n"
	".globl reads\n.type reads, @function\n"
	"reads: mov (%rdi), %rax\n ret\n.size reads, . - reads\n"
	".globl divides\n.type divides, @function\n"
	"divides: idiv %rdi\n ret\n.size divides, . - divides\n"
	".globl undefined\n.type undefined, @function\n"
	"undefined: ud2\n ret\n.size undefined, . - undefined\n");

static sigjmp_buf after_fault;
static volatile struct {
	int signal, code;
	uintptr_t place, address;
} fault;

static void on_fault(int number, siginfo_t *info, void *context)
{
	const ucontext_t *interrupted = context;

	fault.signal = number;
	fault.code = info->si_code;
	fault.place = interrupted->uc_mcontext.gregs[REG_RIP];
	fault.address = (uintptr_t)info->si_addr;
	siglongjmp(after_fault, 1);
}

static void run_into(const char *name, long (*function)(long), long argument)
{
	if (!sigsetjmp(after_fault, 1))
		function(argument);
	printf("%s: signal %d, code %d, %s, address %s\n", name, fault.signal, fault.code,
	       fault.place == (uintptr_t)function ? "there" : "elsewhere",
	       fault.address == (uintptr_t)function   ? "of the instruction"
	       : fault.address == (uintptr_t)argument ? "of the operand"
						      : "of something else");
}

static void run_into_faults(long tag)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};

	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGFPE, &action, NULL);
	sigaction(SIGILL, &action, NULL);
	for (int i = 0; i < 3; i++) {
		run_into("reads", reads, 16);
		run_into("divides", divides, 0);
		run_into("undefined", undefined, 1);
	}
	print_calls(tag, call_often(tag, CALLS));
}

/* ---- signals ----------------------------------------------------------------------------------------------------- */

static volatile long interrupts, in_handler;

/* Call the probed function, perhaps in the middle of a call of it. */
static void on_timer(int number, siginfo_t *info, void *context)
{
	interrupts++;
	in_handler += place(5) - 5;
}

static void be_interrupted(long tag)
{
	struct sigaction action = {.sa_sigaction = on_timer, .sa_flags = SA_SIGINFO | SA_RESTART};
	struct itimerval often = {{0, 300}, {0, 300}}, never = {};
	long calls = 0;

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (interrupts < 300)
		calls += call_often(tag, CALLS) - CALLS;
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%ld: %ld too many, %s\n", tag, calls, interrupts == in_handler ? "all handled" : "some not");
}

/* ---- a tracer ---------------------------------------------------------------------------------------------------- */

/* Single-step through the function and back. */
static long step_through(pid_t child, int *status)
{
	struct user_regs_struct registers;
	long steps = 0;

	do {
		ptrace(PTRACE_SINGLESTEP, child, NULL, NULL);
		waitpid(child, status, 0);
		if (!WIFSTOPPED(*status))
			return -1;
		/* An instruction of a trampoline does not belong to the program. */
		ptrace(PTRACE_GETREGS, child, NULL, &registers);
		steps++;
	} while (steps < 10000 && !(WSTOPSIG(*status) == SIGUSR1));
	return steps;
}

static void be_traced(long tag)
{
	struct user_regs_struct registers;
	pid_t child = fork();
	int status;
	long before;

	if (!child) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGUSR1);
		if (call_often(tag, 5) != 5)
			_exit(1);
		raise(SIGUSR1);
		if (call_often(tag, 5) != 5)
			_exit(2);
		raise(SIGUSR1);
		_exit(call_often(tag, CALLS) == CALLS ? 42 : 3);
	}
	waitpid(child, &status, 0);
	printf("step: %d\n", step_through(child, &status) > 50);
	/*
	 * The tracer's own breakpoint in the function, after its first instruction, where the kernel may have one, too.
	 */
	before = ptrace(PTRACE_PEEKTEXT, child, (char *)place, NULL);
	ptrace(PTRACE_POKETEXT, child, (char *)place, (void *)((before & ~0xffl) | 0xcc));
	ptrace(PTRACE_CONT, child, NULL, NULL);
	waitpid(child, &status, 0);
	ptrace(PTRACE_GETREGS, child, NULL, &registers);
	/* Without a probe there, the breakpoint is the tracer's. */
	ptrace(PTRACE_POKETEXT, child, (char *)place, (void *)before);
	if (WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP) {
		registers.rip--;
		ptrace(PTRACE_SETREGS, child, NULL, &registers);
		ptrace(PTRACE_CONT, child, NULL, NULL);
		waitpid(child, &status, 0);
	}
	printf("stopped: %d\n", WIFSTOPPED(status) ? WSTOPSIG(status) : -1);
	ptrace(PTRACE_DETACH, child, NULL, NULL);
	waitpid(child, &status, 0);
	printf("%ld: ended with %d\n", tag, WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
}

/* ---- a library that comes and goes ------------------------------------------------------------------------------- */

static void use_library(long tag, const char *file)
{
	long sum = 0;

	for (int i = 0; i < 200; i++) {
		void *library = dlopen(file, RTLD_NOW);
		long (*add)(long, int) = library ? (long (*)(long, int))dlsym(library, "library_add") : NULL;

		if (!add) {
			printf("%s\n", dlerror());
			return;
		}
		sum += add(tag, i);
		dlclose(library);
	}
	printf("%ld: %ld\n", tag, sum);
}

int main(int count, char **arguments)
{
	const char *what = count > 2 ? arguments[1] : "";
	long tag = count > 2 ? strtol(arguments[2], NULL, 10) : 0;
	const char *file = count > 3 ? arguments[3] : NULL;

	char *calls[] = {"resident", "calls", arguments[count > 2 ? 2 : 0], NULL};

	if (!strcmp(what, "calls"))
		be_called(tag, file);
	else if (!strcmp(what, "memfd"))
		run_without_file("/proc/self/exe", calls);
	else if (!strcmp(what, "nameless") && file)
		run_without_file(file, arguments + 1);
	else if (!strcmp(what, "endless") && file)
		call_endlessly(tag, file);
	else if (!strcmp(what, "hidden"))
		hide(tag, file);
	else if (!strcmp(what, "peek"))
		peek(tag);
	else if (!strcmp(what, "strict"))
		call_strictly(tag);
	else if (!strcmp(what, "filter"))
		call_filtered(tag);
	else if (!strcmp(what, "faults"))
		run_into_faults(tag);
	else if (!strcmp(what, "signals"))
		be_interrupted(tag);
	else if (!strcmp(what, "traced"))
		be_traced(tag);
	else if (!strcmp(what, "library") && file)
		use_library(tag, file);
	else
		return 2;
	return 0;
}
