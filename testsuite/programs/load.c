// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Load for the torture suite: "load SECONDS" forks, executes, opens, maps, signals and exits as fast as possible.
 * Meanwhile, a checker compares the results and the data of system calls with the expected ones. It prints "CALLS
 * checked" and fails if anything was wrong.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static time_t end;
static volatile sig_atomic_t signals;

static int goes_on(void)
{
	return time(NULL) < end;
}

static void fork_and_exit(void)
{
	pid_t child = fork();

	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
}

static void execute(void)
{
	pid_t child = fork();

	if (!child) {
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	waitpid(child, NULL, 0);
}

static void open_files(void)
{
	char name[64], text[256];
	int fd = open("/proc/self/stat", O_RDONLY);

	if (read(fd, text, sizeof(text)) < 1)
		_exit(1);
	close(fd);
	snprintf(name, sizeof(name), "/tmp/load.%d", (int)getpid());
	fd = open(name, O_RDWR | O_CREAT, 0600);
	if (write(fd, name, sizeof(name)) != sizeof(name))
		_exit(1);
	close(fd);
	unlink(name);
}

static void map(void)
{
	char *memory = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int i = 0; i < 65536; i += 4096)
		memory[i] = i;
	mprotect(memory, 4096, PROT_READ);
	munmap(memory, 65536);
}

static void count_signal(int number)
{
	signals++;
}

static void send_signals(void)
{
	int before = signals;

	signal(SIGUSR1, count_signal);
	kill(getpid(), SIGUSR1);
	if (signals != before + 1)
		_exit(2);
}

static void nap(void)
{
	struct timespec little = {0, 100000};

	nanosleep(&little, NULL);
}

static void (*const jobs[])(void) = {fork_and_exit, execute, open_files, map, send_signals, nap};

/* ---- checking ---------------------------------------------------------------------------------------------------- */

static unsigned long calls, wrong;

#define EXPECT(condition)                                                                                              \
	do {                                                                                                           \
		calls++;                                                                                               \
		if (!(condition)) {                                                                                    \
			fprintf(stderr, "wrong: %s (errno %d)\n", #condition, errno);                                  \
			wrong++;                                                                                       \
		}                                                                                                      \
	} while (0)

static void check_calls(pid_t pid, int file, int *ends, unsigned int round)
{
	unsigned int sent[4] = {round, ~round, round * 3, 42}, got[4] = {0};
	struct stat status;

	EXPECT(syscall(SYS_getpid) == pid);
	EXPECT(write(ends[1], sent, sizeof(sent)) == sizeof(sent));
	EXPECT(read(ends[0], got, sizeof(got)) == sizeof(got) && !memcmp(sent, got, sizeof(got)));
	EXPECT(pwrite(file, sent, sizeof(sent), round % 1000) == sizeof(sent));
	EXPECT(pread(file, got, sizeof(got), round % 1000) == sizeof(got) && !memcmp(sent, got, sizeof(got)));
	EXPECT(lseek(file, 12345, SEEK_SET) == 12345);
	EXPECT(fstat(file, &status) == 0 && (status.st_mode & 07777) == 0600);
	errno = 0;
	EXPECT(open("/none/such", O_RDONLY) == -1 && errno == ENOENT);
	errno = 0;
	EXPECT(close(-1) == -1 && errno == EBADF);
	errno = 0;
	EXPECT(read(file, (void *)8, 0) == 0 && getpgid(99999999) == -1 && errno == ESRCH);
	EXPECT(getuid() == 0 && getppid() > 0);
}

static int checker(void)
{
	int file = open("/tmp/load.check", O_RDWR | O_CREAT | O_TRUNC, 0600), ends[2];

	if (file < 0 || pipe(ends))
		return 1;
	/*
	 * Run at least one round: on a slow machine with a probe on every function, the other processes may use all the
	 * time.
	 */
	for (unsigned int round = 0; !round || goes_on(); round++)
		for (int i = 0; i < 50; i++)
			check_calls(getpid(), file, ends, round * 50 + i);
	unlink("/tmp/load.check");
	printf("%lu checked\n", calls);
	return wrong != 0;
}

int main(int argc, char **argv)
{
	int status, failed;

	end = time(NULL) + (argc > 1 ? atol(argv[1]) : 5);
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		if (fork())
			continue;
		/* Lower the priority of the load, so that the checker gets its share of the CPUs. */
		if (nice(5) < 0)
			_exit(1);
		while (goes_on())
			jobs[i]();
		_exit(0);
	}
	failed = checker();
	while (wait(&status) > 0)
		failed |= status;
	return failed ? 1 : 0;
}
