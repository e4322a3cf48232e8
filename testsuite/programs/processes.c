/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Things that processes do that are hard on probes of programs: forks, threads that end in the middle of a call, jumps
 * out of functions, signals, memory that is not present yet, other programs. The argument selects one. The output is
 * always the same.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROBED __attribute__((noinline, noclone, externally_visible))
#define KEEP(value) __asm__ volatile("" : "+r"(value) : : "memory")

/* ---- calls ------------------------------------------------------------------------------------------------------- */

PROBED long factorial(long n)
{
	long below = n < 2 ? 1 : factorial(n - 1);

	KEEP(below);
	return n < 2 ? 1 : n * below;
}

static jmp_buf jump;

PROBED long jumps(long n)
{
	if (n % 2)
		longjmp(jump, 1);
	KEEP(n);
	return n;
}

PROBED long within(long n)
{
	long result = jumps(n);

	KEEP(result);
	return result;
}

PROBED long forks(long n)
{
	pid_t child = fork();

	if (child)
		waitpid(child, NULL, 0);
	KEEP(n);
	return child ? n : -n;
}

static void calls(void)
{
	factorial(4);
	for (volatile long i = 0; i < 6; i++)
		if (!setjmp(jump))
			within(i);
	if (forks(7) < 0)
		_exit(0);
	factorial(2);
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

PROBED long leaves(long n)
{
	if (n == 2)
		syscall(SYS_exit, 0);
	KEEP(n);
	return n;
}

static void *thread(void *number)
{
	return (void *)leaves((long)number);
}

static void threads(void)
{
	for (long i = 1; i <= 3; i++) {
		pthread_t made;

		pthread_create(&made, NULL, thread, (void *)i);
		/*
		 * The thread has ended without the library. Joining it works nevertheless, because the kernel wakes the
		 * waiting thread.
		 */
		pthread_join(made, NULL);
	}
}

/* ---- processes --------------------------------------------------------------------------------------------------- */

static void end_child(int how)
{
	if (how == 1)
		raise(SIGKILL);
	if (how == 2)
		execl("/bin/busybox", "busybox", "true", NULL);
	_exit(how);
}

static void processes(void)
{
	for (int how = 0; how < 4; how++) {
		pid_t child = how == 3 ? vfork() : fork();

		if (!child)
			end_child(how);
		waitpid(child, NULL, 0);
	}
}

static void system_calls(void)
{
	syscall(SYS_getppid);
	syscall(SYS_close, 99);
	syscall(SYS_write, -1, "x", 1);
	syscall(SYS_getppid);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

PROBED const char *looks(const char *text)
{
	KEEP(text);
	return text;
}

enum { PAGES = 16 };

/* Strings in a mapped file that is not in this process's memory yet, across page boundaries. */
static void pages(int rounds)
{
	long page = sysconf(_SC_PAGESIZE);
	char path[] = "/tmp/pages.XXXXXX", *text;
	int file = mkstemp(path);

	unlink(path);
	for (int i = 0; i < PAGES; i++)
		if (pwrite(file, "beginning", 9, i * page - (i ? 4 : 0)) != 9)
			abort();
	ftruncate(file, PAGES * page);
	text = mmap(NULL, PAGES * page, PROT_READ, MAP_PRIVATE, file, 0);
	madvise(text, PAGES * page, MADV_RANDOM);
	for (int i = 0; i < rounds; i++) {
		madvise(text, PAGES * page, MADV_DONTNEED);
		looks(text + (i % PAGES * page - (i % PAGES ? 4 : 0)));
	}
	close(file);
	munmap(text, PAGES * page);
}

/* ---- everything at once, for a while ----------------------------------------------------------------------------- */

static volatile int alarms;

static void on_alarm(int signal)
{
	alarms++;
}

static int compare(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

static void *sort_words(void *number)
{
	enum { WORDS = 200 };
	char *words[WORDS];
	long sum = 0;

	for (int i = 0; i < WORDS; i++)
		if (asprintf(&words[i], "%ld-%d", (long)number, i * 7919 % WORDS) < 0)
			abort();
	qsort(words, WORDS, sizeof(*words), compare);
	for (int i = 0; i < WORDS; i++) {
		sum = sum * 31 + strtol(strchr(words[i], '-') + 1, NULL, 10);
		free(words[i]);
	}
	return (void *)(sum & 0xffffff);
}

static long sort_in_threads(void)
{
	pthread_t made[4];
	long sum = 0;
	void *result;

	for (long i = 0; i < 4; i++)
		pthread_create(&made[i], NULL, sort_words, (void *)i);
	for (int i = 0; i < 4; i++) {
		pthread_join(made[i], &result);
		sum += (long)result;
	}
	return sum;
}

static long count_children(void)
{
	long sum = 0;
	int status;

	for (int how = 0; how < 4; how++) {
		pid_t child = fork();

		if (!child)
			end_child(how);
		waitpid(child, &status, 0);
		sum = sum * 31 + status;
	}
	return sum;
}

static void stress(void)
{
	struct itimerval often = {{0, 3000}, {0, 3000}}, never = {};
	char line[100];
	FILE *shell;

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	printf("%ld\n", sort_in_threads());
	setitimer(ITIMER_REAL, &never, NULL);
	calls();
	pages(2 * PAGES);
	printf("%ld\n", count_children());
	fflush(stdout);
	shell = popen("echo hello; echo $((6 * 7)); kill -9 $$", "r");
	while (fgets(line, sizeof(line), shell))
		printf("> %s", line);
	printf("%d\n", pclose(shell));
}

int main(int count, char **arguments)
{
	const char *what = count > 1 ? arguments[1] : "";

	if (!strcmp(what, "calls"))
		calls();
	else if (!strcmp(what, "threads"))
		threads();
	else if (!strcmp(what, "processes"))
		processes();
	else if (!strcmp(what, "system_calls"))
		system_calls();
	else if (!strcmp(what, "pages"))
		pages(PAGES);
	else if (!strcmp(what, "stress"))
		stress();
	else
		return 2;
	return 0;
}
