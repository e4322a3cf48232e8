// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Attacks of an unprivileged user on a set-uid program, for testsuite/attack/guest.sh.
 *
 *     attacker descriptors KIND... -- COMMAND   run it with descriptors 0, 1… of these kinds and no others
 *     attacker limits RESOURCE=N... -- COMMAND  run it with these limits (nofile, fsize, as, nproc, core...)
 *     attacker timer MICROSECONDS -- COMMAND    run it with a timer that sends SIGALRM after that time
 *     attacker blocked -- COMMAND               run it with all signals blocked and ignored
 *     attacker bare -- COMMAND                  run it with an empty argv, if the kernel allows it
 *     attacker idle SECONDS -- COMMAND          run it at the lowest priority while busy processes use all CPUs
 *     attacker swap FIRST SECOND SECONDS        exchange two names repeatedly
 *     attacker storm SIGNAL SECONDS NAME        signal all processes of that name as fast as possible
 *     attacker keep NAME SECONDS                keep copies of a process's open descriptors
 *     attacker stall read|write FILE            read or write with a buffer whose page never arrives
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int usage(void)
{
	fputs("attacker: see the head of its source\n", stderr);
	return 2;
}

static int run(char **command)
{
	execv(command[0], command);
	perror(command[0]);
	return 126;
}

static bool is_before(const struct timespec *end)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec < end->tv_sec || (now.tv_sec == end->tv_sec && now.tv_nsec < end->tv_nsec);
}

static struct timespec after(double seconds)
{
	struct timespec end;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += (time_t)seconds;
	end.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	return end;
}

/* ---- descriptors ------------------------------------------------------------------------------------------------- */

static int open_full_pipe(void)
{
	char bytes[4096] = "";
	int ends[2];

	if (pipe2(ends, O_NONBLOCK))
		return -1;
	while (write(ends[1], bytes, sizeof(bytes)) > 0)
		;
	fcntl(ends[1], F_SETFL, 0);
	fcntl(ends[0], F_DUPFD, 100); /* this process keeps the other end open */
	return ends[1];
}

static int open_broken_pipe(void)
{
	int ends[2];

	if (pipe(ends))
		return -1;
	close(ends[0]);
	return ends[1];
}

static int open_socket(void)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return -1;
	close(ends[0]);
	return ends[1];
}

/* Open a descriptor of this kind; return -1 on failure. */
static int open_kind(const char *kind)
{
	static const struct {
		const char *kind, *path;
		int flags;
	} files[] = {
		{"null", "/dev/null", O_RDWR},	       {"full", "/dev/full", O_RDWR},
		{"path", "/etc/passwd", O_PATH},       {"readable", "/etc/passwd", O_RDONLY},
		{"directory", "/", O_RDONLY},	       {"kept", "kept", O_RDWR | O_CREAT},
		{"map", "/proc/self/uid_map", O_RDWR}, {"memory", "/proc/self/mem", O_RDWR},
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (!strcmp(kind, files[i].kind))
			return open(files[i].path, files[i].flags, 0600);
	if (!strcmp(kind, "fullpipe"))
		return open_full_pipe();
	if (!strcmp(kind, "broken"))
		return open_broken_pipe();
	if (!strcmp(kind, "socket"))
		return open_socket();
	return !strcmp(kind, "epoll") ? epoll_create1(0) : -1;
}

static int descriptors(char **kinds, char **command)
{
	int number = 0, opened[16];

	for (; kinds[number] && number < 16; number++) {
		int fd = open_kind(kinds[number]);

		opened[number] = fd < 0 ? -1 : fcntl(fd, F_DUPFD, 200);
		if (opened[number] < 0 && strcmp(kinds[number], "closed") != 0)
			return usage();
	}
	for (int i = 0; i < number; i++) {
		close(i);
		if (opened[i] >= 0)
			dup2(opened[i], i);
	}
	for (int i = number; i < 100; i++)
		close(i);
	return run(command);
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

static int limits(char **settings, char **command)
{
	static const struct {
		const char *name;
		__rlimit_resource_t number;
	} resources[] = {
		{"nofile", RLIMIT_NOFILE},   {"fsize", RLIMIT_FSIZE},
		{"as", RLIMIT_AS},	     {"nproc", RLIMIT_NPROC},
		{"core", RLIMIT_CORE},	     {"stack", RLIMIT_STACK},
		{"cpu", RLIMIT_CPU},	     {"data", RLIMIT_DATA},
		{"memlock", RLIMIT_MEMLOCK}, {"sigpending", RLIMIT_SIGPENDING},
		{"rtprio", RLIMIT_RTPRIO},
	};

	for (; *settings; settings++) {
		char *value = strchr(*settings, '=');
		struct rlimit limit;

		if (!value)
			return usage();
		limit.rlim_cur = limit.rlim_max = strtoull(value + 1, NULL, 0);
		for (size_t i = 0; i < sizeof(resources) / sizeof(resources[0]); i++)
			if (!strncmp(*settings, resources[i].name, value - *settings) &&
			    setrlimit(resources[i].number, &limit))
				perror(*settings);
	}
	return run(command);
}

/* ---- signals and time -------------------------------------------------------------------------------------------- */

static int timer(char **arguments, char **command)
{
	long microseconds = strtol(arguments[0], NULL, 10);
	struct itimerval value = {.it_value = {microseconds / 1000000, microseconds % 1000000}};

	setitimer(ITIMER_REAL, &value, NULL);
	return run(command);
}

static int blocked(char **command)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_IGN);
	return run(command);
}

/* Start busy processes for some seconds, and run the command at the lowest priority. */
static int idle(char **arguments, char **command)
{
	struct timespec end = after(strtod(arguments[0], NULL));
	const struct sched_param none = {0};

	for (long i = 4 * sysconf(_SC_NPROCESSORS_ONLN); i > 0; i--)
		if (!fork()) {
			while (is_before(&end))
				;
			_exit(0);
		}
	sched_setscheduler(0, SCHED_IDLE, &none);
	setpriority(PRIO_PROCESS, 0, 19);
	return run(command);
}

/* Return the next process of that name with a larger id, or 0. */
static pid_t next_process(DIR *list, const char *name)
{
	struct dirent *entry;

	while ((entry = readdir(list))) {
		char path[300], found[32] = "";
		FILE *file;

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		file = fopen(path, "re");
		if (!file)
			continue;
		if (fgets(found, sizeof(found), file))
			found[strcspn(found, "\n")] = '\0';
		fclose(file);
		if (!strcmp(found, name))
			return (pid_t)strtol(entry->d_name, NULL, 10);
	}
	return 0;
}

static int storm(char **arguments)
{
	struct timespec end = after(strtod(arguments[1], NULL));
	int number = (int)strtol(arguments[0], NULL, 10);

	while (is_before(&end)) {
		DIR *list = opendir("/proc");
		pid_t pid;

		while (list && (pid = next_process(list, arguments[2])))
			kill(pid, number);
		if (list)
			closedir(list);
	}
	return 0;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static int swap(char **arguments)
{
	struct timespec end = after(strtod(arguments[2], NULL));
	unsigned long times = 0;

	while (is_before(&end))
		times += !renameat2(AT_FDCWD, arguments[0], AT_FDCWD, arguments[1], RENAME_EXCHANGE);
	return times ? 0 : 1;
}

/* Copy the descriptors of a process that its user may debug, and print their number. */
static int keep(char **arguments)
{
	DIR *list = opendir("/proc");
	pid_t pid = list ? next_process(list, arguments[0]) : 0;
	int process = pid ? (int)syscall(SYS_pidfd_open, pid, 0) : -1, kept = 0;

	for (int fd = 3; process >= 0 && fd < 64; fd++)
		kept += syscall(SYS_pidfd_getfd, process, fd, 0) >= 0;
	printf("%d\n", kept);
	fflush(stdout);
	usleep((useconds_t)(strtod(arguments[1], NULL) * 1e6));
	return kept ? 0 : 1;
}

/*
 * Print "stalls" and stay in the system call. FUSE does the same without userfaultfd(2), which users may not be allowed
 * to use.
 */
static int stall(char **arguments)
{
	bool reads = !strcmp(arguments[0], "read");
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register range = {.range = {(unsigned long)page, size}, .mode = UFFDIO_REGISTER_MODE_MISSING};
	int fault = (int)syscall(SYS_userfaultfd, O_CLOEXEC), file = open(arguments[1], reads ? O_RDONLY : O_WRONLY);

	if (page == MAP_FAILED || fault < 0 || ioctl(fault, UFFDIO_API, &api) ||
	    ioctl(fault, UFFDIO_REGISTER, &range) || file < 0) {
		perror(arguments[1]);
		return 1;
	}
	puts("stalls");
	fflush(stdout);
	if ((reads ? read(file, page, 1) : write(file, page, 1)) < 0)
		perror(arguments[1]);
	return 1;
}

int main(int argc, char **argv)
{
	char **command = argv + argc, *none[] = {NULL};

	for (int i = 2; i < argc; i++) {
		if (strcmp(argv[i], "--") != 0)
			continue;
		argv[i] = NULL;
		command = argv + i + 1;
		break;
	}
	if (argc < 3)
		return usage();
	if (!strcmp(argv[1], "swap") && argc == 5)
		return swap(argv + 2);
	if (!strcmp(argv[1], "storm") && argc == 5)
		return storm(argv + 2);
	if (!strcmp(argv[1], "keep") && argc == 4)
		return keep(argv + 2);
	if (!strcmp(argv[1], "stall") && argc == 4)
		return stall(argv + 2);
	if (!*command)
		return usage();
	if (!strcmp(argv[1], "descriptors"))
		return descriptors(argv + 2, command);
	if (!strcmp(argv[1], "limits"))
		return limits(argv + 2, command);
	if (!strcmp(argv[1], "timer"))
		return timer(argv + 2, command);
	if (!strcmp(argv[1], "blocked"))
		return blocked(command);
	if (!strcmp(argv[1], "idle"))
		return idle(argv + 2, command);
	if (!strcmp(argv[1], "bare"))
		return execv(command[0], none);
	return usage();
}
