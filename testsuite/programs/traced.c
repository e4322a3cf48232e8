// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program to be probed. It has functions whose arguments, variables and results are known, marks of <sys/sdt.h>, and
 * calls of a library (traced-library.c). The first argument selects children, threads, system calls or long jumps.
 * Without arguments, it runs each function once.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mark-note.h"
#include "traced-library.h"

#define KEPT __attribute__((noinline, noclone, used))

#define MARK(name, semaphore, arguments, ...) asm volatile(MARK_NOTE("traced", name, semaphore, arguments)::__VA_ARGS__)

/* How an argument of a mark names a constant, and the register of a number that is narrower than it. */
#ifdef __aarch64__
#define CONSTANT(number) #number
#define NARROW(bits) "%w0"
#else
#define CONSTANT(number) "$" #number
#define NARROW(bits) "%" bits "0"
#endif

struct node {
	int id;
	const char *name;
	struct node *next;
	unsigned int low : 4;
	int middle : 5;
	short numbers[3];
};

enum colour { RED = 1, GREEN = -7, BLUE = 1000 };

/* The last two bit-fields span nine bytes. */
struct packed {
	unsigned int one : 7;
	unsigned long two : 60;
	long three : 62;
} __attribute__((packed));

struct packed packed = {0x55, 0xabcdef012345678, -81985529216486895};
static struct node tail = {2, "tail", NULL, 15, -16, {7, 8, 9}};
static struct node head = {1, "head", &tail, 9, 3, {-1, -2, -3}};
static int counter = 10;
long totals[4] = {100, 200, 300, 400};
__thread long own = 77;
unsigned short watched __attribute__((section(".probes"), used));
static volatile long sink;
static jmp_buf back;

KEPT long add(signed char c, short s, int i, long l)
{
	return c + s + i + l;
}

KEPT unsigned int add_unsigned(unsigned char c, unsigned short s, unsigned int i)
{
	return c + s + i;
}

KEPT int walk(struct node *node, enum colour colour)
{
	int sum = 0;

	for (; node; node = node->next)
		sum += node->id * colour;
	sink = sum;
	return sum;
}

KEPT struct node *find(struct node *node, const char *name)
{
	while (node && strcmp(node->name, name))
		node = node->next;
	return node;
}

KEPT int factorial(int n)
{
	int rest;

	if (n <= 1)
		return 1;
	rest = factorial(n - 1);
	sink = rest;
	return n * rest;
}

/* Recursion deeper than the kernel's uretprobes can follow. */
KEPT int deep(int n)
{
	int rest = n ? deep(n - 1) : 0;

	sink = rest;
	return rest + 1;
}

/* More arguments than there are registers for. */
KEPT long many(long a, long b, long c, long d, long e, long f, long g, int h)
{
	sink = a + b + c + d + e + f + g + h;
	return sink;
}

/* After the recursive call, its arguments are no longer stored anywhere. */
KEPT long forgets(long depth, long given)
{
	long rest;

	sink = given;
	rest = depth > 0 ? forgets(depth - 1, depth * 100) : 0;
	sink = rest;
	return rest + 1;
}

KEPT void nothing(int level)
{
	counter += level;
	own += level;
}

static inline __attribute__((always_inline)) int doubled(int value)
{
	sink = value;
	return value * 2;
}

KEPT int with_inlined(int value)
{
	return doubled(value) + 1;
}

KEPT int with_label(int value)
{
	if (value > 3)
		goto out;
	sink = value;
	value = -value;
out:
	sink = value;
	return value;
}

KEPT int jumps(int depth)
{
	if (depth == 0)
		longjmp(back, 1);
	sink = jumps(depth - 1);
	return (int)sink;
}

KEPT int after_jump(int value)
{
	return value + 1;
}

/* Called with text in a page that was not touched before. */
KEPT size_t length(const char *text)
{
	sink = 1;
	return text ? strlen(text) : 0;
}

KEPT void marks(long number, const char *text)
{
	MARK("plain", "0", "-8@%0 8@%1 -4@" CONSTANT(-3), "r"(number), "r"(text));
	MARK("narrow", "0", "-1@" NARROW("b") " 1@" NARROW("b") " -2@" NARROW("w") " 2@" NARROW("w"), "r"(number));
	MARK("memory", "0", "-8@%0", "m"(totals[1]));
	MARK("none", "0", "", "r"(number));
	if (watched)
		MARK("watched", "watched", "-8@%0", "r"(number));
}

static void *thread(void *argument)
{
	return (void *)add(1, 2, 3, (long)argument);
}

static void run_threads(void)
{
	for (long i = 1; i <= 3; i++) {
		pthread_t one;

		if (!pthread_create(&one, NULL, thread, (void *)i))
			pthread_join(one, NULL);
	}
}

static void run_children(void)
{
	for (int i = 2; i <= 4; i++) {
		pid_t child = fork();

		if (child == 0) {
			factorial(i);
			if (i == 3)
				raise(SIGKILL);
			_exit(i);
		}
		waitpid(child, NULL, 0);
	}
}

static void run_calls(void)
{
	syscall(SYS_getppid);
	sink = close(99);
	sink = write(-1, "x", 1);
	syscall(SYS_getppid);
}

static void run_all(void)
{
	char *fresh = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	sink = add(-1, -300, -70000, -5000000000);
	sink = add_unsigned(255, 65535, 4294967295U);
	sink = walk(&head, GREEN);
	sink = (long)find(&head, "tail");
	sink = factorial(4);
	sink = many(1, 2, 3, 4, 5, 6, 7, -8);
	nothing(5);
	forgets(3, 77);
	sink = with_inlined(21);
	sink = with_label(3) + with_label(4);
	if (!setjmp(back))
		sink = jumps(3);
	sink = after_jump(1);
	sink = (long)length("a string of the program");
	sink = fresh == MAP_FAILED ? 0 : (long)length(fresh + 4096);
	marks(-5, "marked");
	sink = library_add(1, 2);
	sink = library_add(3, 4);
	sink = library_call(add, 5);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "threads"))
		run_threads();
	else if (!strcmp(what, "children"))
		run_children();
	else if (!strcmp(what, "deep"))
		sink = deep(200);
	else if (!strcmp(what, "calls"))
		run_calls();
	else if (!strcmp(what, "exec"))
		execl(argv[0], argv[0], "none", NULL);
	else if (!strcmp(what, "wait"))
		while (access(argv[2], F_OK))
			nothing(usleep(10000));
	else if (!*what)
		run_all();
	return 0;
}
