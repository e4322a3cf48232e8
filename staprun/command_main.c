// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Run the command of -c until its main(), as a debugger does. Programs in D must not see what the dynamic linker and
 * constructors do (option evaltime of dtrace), so the script starts only then.
 *
 *   execve()   the first stop. The entry point of the program is in its auxiliary vector.
 *   entry      The dynamic linker has loaded the libraries and has run their constructors. The code here passes main
 *              as the first argument to a function of the C library: the first jump with such an argument tells it.
 *   main       The constructors of the program have run.
 *
 * Breakpoints are those of the processor, so nothing is written to the program's memory, and children that a
 * constructor forks do not have them.
 */
#include "staprun/command_main.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/retry.h"
#include "staprun/messages.h"

/* More instructions than any C library has between the entry point and the call that passes main. */
enum { MOST_STEPS = 1000 };

/* ---- the processor ----------------------------------------------------------------------------------------------- */

#if defined(__x86_64__)
#define PC(registers) ((registers)->rip)
#define ARGUMENT(registers) ((registers)->rdi)
enum { LONGEST_INSTRUCTION = 15 };

static bool is_system_call(uint64_t instruction)
{
	enum { SYSCALL = 0x050f, INT_80 = 0x80cd };
	const uint16_t opcode = (uint16_t)instruction;

	return opcode == SYSCALL || opcode == INT_80;
}

static bool set_breakpoint(pid_t pid, uint64_t address, bool is_set)
{
	const unsigned long enable = is_set; /* of the first breakpoint, for this task, at execution */

	return !ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, u_debugreg[7]), 0) &&
	       !ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, u_debugreg[0]), address) &&
	       !ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, u_debugreg[7]), enable);
}
#elif defined(__aarch64__)
#include <asm/ptrace.h>
#define PC(registers) ((registers)->pc)
#define ARGUMENT(registers) ((registers)->regs[0])
enum { LONGEST_INSTRUCTION = 4 };

static bool is_system_call(uint64_t instruction)
{
	const uint32_t mask = 0xffe0001f, svc = 0xd4000001;

	return (instruction & mask) == svc;
}

static bool set_breakpoint(pid_t pid, uint64_t address, bool is_set)
{
	enum { ENABLE = 1, ALL_BYTES = 0xf << 5 }; /* DBGBCR<n>_EL1 in Arm's architecture reference manual */
	struct user_hwdebug_state state = {.dbg_regs[0] = {.addr = address, .ctrl = is_set ? ENABLE | ALL_BYTES : 0}};
	struct iovec part = {.iov_base = &state, .iov_len = offsetof(struct user_hwdebug_state, dbg_regs[1])};

	return !ptrace(PTRACE_SETREGSET, pid, NT_ARM_HW_BREAK, &part);
}
#else
#error "name the registers of this architecture"
#endif

/* Return false for a 32-bit program, too. */
static bool read_registers(pid_t pid, struct user_regs_struct *ret)
{
	struct iovec part = {.iov_base = ret, .iov_len = sizeof(*ret)};

	return !ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &part) && part.iov_len == sizeof(*ret);
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

static FILE *open_fact(pid_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return fopen(path, "re");
}

/* Return the address of the first instruction behind the dynamic linker, or 0. */
static uint64_t entry_of(pid_t pid)
{
	_cleanup_fclose_ FILE *file = open_fact(pid, "auxv");
	Elf64_auxv_t value;

	while (file && fread(&value, sizeof(value), 1, file) == 1)
		if (value.a_type == AT_ENTRY)
			return value.a_un.a_val;
	return 0;
}

/* Find the mapping around an address. */
static bool mapping_around(pid_t pid, uint64_t address, uint64_t *start, uint64_t *end)
{
	_cleanup_fclose_ FILE *file = open_fact(pid, "maps");
	char line[512];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%" SCNx64 "-%" SCNx64, start, end) == 2 && *start <= address && address < *end)
			return true;
	return false;
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

/* Is there a signal that ends staprun? The session handles it, and ends the command. */
static bool is_to_end(void)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};
	sigset_t pending;

	sigpending(&pending);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (sigismember(&pending, ends[i]))
			return true;
	return false;
}

/* How the program has stopped. */
enum stop {
	STOP_NONE, /* it has ended, or staprun is to end */
	STOP_HERE, /* after a step, or at the breakpoint */
	STOP_SIGNAL, /* at a signal, which resume() delivers */
	STOP_EXEC, /* the process executes another program */
};

struct traced {
	pid_t pid;
	int signal; /* of STOP_SIGNAL */
	struct user_regs_struct registers; /* of STOP_HERE */
};

/* A step and a breakpoint are traps with a code of their own; the program can also raise the signal itself. */
static bool is_trap(const siginfo_t *info)
{
	return info->si_signo == SIGTRAP &&
	       (info->si_code == TRAP_TRACE || info->si_code == TRAP_HWBKPT || info->si_code == TRAP_BRKPT);
}

/* Wait until the program stops. If it has ended, its status is left for the session. */
static enum stop wait_for_stop(struct traced *traced)
{
	enum { SHORTEST = 20000, LONGEST = 20000000 };
	struct timespec pause = {.tv_nsec = SHORTEST};
	siginfo_t info = {0};
	int status;

	while (!waitid(P_PID, (id_t)traced->pid, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT) && !info.si_pid) {
		if (is_to_end())
			return STOP_NONE;
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < LONGEST)
			pause.tv_nsec *= 2;
	}
	if (info.si_code != CLD_TRAPPED && info.si_code != CLD_STOPPED)
		return STOP_NONE;
	if (TEMP_FAILURE_RETRY(waitpid(traced->pid, &status, __WALL)) != traced->pid)
		return STOP_NONE;
	if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8))
		return STOP_EXEC;
	/* The process may be stopped as by SIGSTOP, without a signal. It is so again when it is no longer traced. */
	traced->signal = ptrace(PTRACE_GETSIGINFO, traced->pid, NULL, &info) ? 0 : info.si_signo;
	if (!is_trap(&info))
		return STOP_SIGNAL;
	return read_registers(traced->pid, &traced->registers) ? STOP_HERE : STOP_NONE;
}

/* Continue by PTRACE_CONT or PTRACE_SINGLESTEP, and pass on signals, until something else stops the program. */
static enum stop resume(struct traced *traced, int how)
{
	enum stop stop;

	traced->signal = 0;
	do {
		if (ptrace(how, traced->pid, NULL, (void *)(intptr_t)traced->signal))
			return STOP_NONE;
		stop = wait_for_stop(traced);
	} while (stop == STOP_SIGNAL);
	return stop;
}

static enum stop run_to(struct traced *traced, uint64_t address)
{
	enum stop stop;

	if (!set_breakpoint(traced->pid, address, true)) {
		message_warning(_("the command is not traced from main(), because no breakpoint is free: %s"),
				strerror(errno));
		return STOP_NONE;
	}
	stop = resume(traced, PTRACE_CONT);
	/* This fails if the program has ended. */
	set_breakpoint(traced->pid, address, false);
	return stop;
}

/*
 * Go from the entry point to the first jump whose first argument is an address of the program's code, and return it.
 * Return 0 for a program that calls the kernel first, and stay there.
 */
static uint64_t find_main(struct traced *traced)
{
	const struct user_regs_struct *registers = &traced->registers;
	uint64_t start, end, last = PC(registers);

	if (!mapping_around(traced->pid, last, &start, &end))
		return 0;
	for (int i = 0; i < MOST_STEPS; i++) {
		if (is_system_call((uint64_t)ptrace(PTRACE_PEEKTEXT, traced->pid, PC(registers), NULL)) ||
		    resume(traced, PTRACE_SINGLESTEP) != STOP_HERE)
			return 0;
		if ((PC(registers) < last || PC(registers) > last + LONGEST_INSTRUCTION) &&
		    ARGUMENT(registers) >= start && ARGUMENT(registers) < end)
			return ARGUMENT(registers);
		last = PC(registers);
	}
	return 0;
}

/* Go from execve() to main(). The result is STOP_EXEC if a constructor executes another program. */
static enum stop go_to_main(struct traced *traced)
{
	uint64_t entry, main;
	enum stop stop;

	if (!read_registers(traced->pid, &traced->registers)) {
		message_warning(_("a 32-bit program is traced from its execve(), not from main()"));
		return STOP_HERE;
	}
	entry = entry_of(traced->pid);
	stop = entry ? run_to(traced, entry) : STOP_NONE;
	if (stop != STOP_HERE)
		return stop;
	main = find_main(traced);
	message_verbose(1, "the entry point is 0x%" PRIx64 ", main() is 0x%" PRIx64, entry, main);
	return main ? run_to(traced, main) : STOP_HERE;
}

bool command_main_wait(void)
{
	return !ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

void command_main_reach(pid_t pid)
{
	struct traced traced = {.pid = pid};
	enum stop stop = wait_for_stop(&traced);

	/* The first execve() stops the process by a signal of its own. */
	if (stop != STOP_SIGNAL || traced.signal != SIGTRAP)
		return;
	if (ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)(intptr_t)(PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC)))
		return;
	do {
		stop = go_to_main(&traced);
	} while (stop == STOP_EXEC);
}

void command_main_release(pid_t pid)
{
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
}
