// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks of known shapes. At the end of each stack, getpgid() is called with another number. Functions on the stack are
 * called at_…; the frames outside of at_main belong to the C library. Built without frame pointers, and in other ways
 * (guest.sh).
 */
#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone, noipa))

volatile int sink;

/* The code after the call prevents a tail call. */
NOINLINE int at_end(int number)
{
	sink = (int)syscall(SYS_getpgid, number);
	return sink + 1;
}

static int (*volatile recursion)(int depth, int number);

NOINLINE int at_recursion(int depth, int number)
{
	return (depth ? recursion(depth - 1, number) : at_end(number)) + 1;
}

static int number_of_sort;

NOINLINE int at_compare(const void *a, const void *b)
{
	int difference = *(const int *)a - *(const int *)b;

	if (number_of_sort)
		at_end(number_of_sort);
	number_of_sort = 0;
	return difference;
}

/* Call through the procedure linkage table and the C library. */
NOINLINE int at_sort(int number)
{
	int values[] = {3, 1, 2};

	number_of_sort = number;
	qsort(values, 3, sizeof(values[0]), at_compare);
	return values[0];
}

/* The size of its frame is known only at run time. */
NOINLINE int at_alloca(int size, int number)
{
	char *text = alloca((size_t)size);

	memset(text, 1, (size_t)size);
	sink = at_end(number);
	return text[size / 2] + sink;
}

/* The stack pointer is aligned, so call frame information needs an expression. */
NOINLINE int at_aligned(int size, int number)
{
	char vector[64] __attribute__((aligned(64)));
	char *text = alloca((size_t)size);

	memset(vector, 2, sizeof(vector));
	memset(text, vector[5], (size_t)size);
	sink = at_end(number);
	return vector[size & 63] + text[size / 2];
}

static int number_of_signal;

NOINLINE void at_handler(int signal)
{
	at_end(number_of_signal);
	sink = signal;
}

NOINLINE int at_signal(int number, int flags)
{
	struct sigaction action = {.sa_handler = at_handler, .sa_flags = flags};

	number_of_signal = number;
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	return sink + 1;
}

typedef int made_function(int (*function)(int), int number);

/* Name the code as JIT compilers do. */
static void tell_perf(const void *code, size_t size)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	file = fopen(path, "a");
	fprintf(file, "%lx %zx made up code\n", (unsigned long)code, size);
	fclose(file);
}

/* Code in no file: set up a frame, call the function with the number, and return. */
#ifdef __aarch64__
/*
 * stp x29, x30, [sp, #-16]!; mov x29, sp; mov x2, x0; mov w0, w1; blr x2; ldp x29, x30, [sp], #16; ret
 */
static const unsigned int code[] = {0xa9bf7bfd, 0x910003fd, 0xaa0003e2, 0x2a0103e0, 0xd63f0040, 0xa8c17bfd, 0xd65f03c0};
#else
/* push %rbp; mov %rsp,%rbp; mov %rdi,%rax; mov %esi,%edi; call *%rax; pop %rbp; ret */
static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0x89, 0xf8, 0x89, 0xf7, 0xff, 0xd0, 0x5d, 0xc3};
#endif

/*
 * On arm64, a frame record is not at the end of its frame. So a stack from the code leads on only if its caller has
 * saved its own frame pointer, as functions do there by default.
 */
#ifdef __aarch64__
#define WITH_FRAME __attribute__((optimize("no-omit-frame-pointer")))
#else
#define WITH_FRAME
#endif
NOINLINE WITH_FRAME int at_made_code(int number)
{
	static void *page;

	if (!page) {
		page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		memcpy(page, code, sizeof(code));
		mprotect(page, 4096, PROT_READ | PROT_EXEC);
		__builtin___clear_cache(page, (char *)page + sizeof(code));
		tell_perf(page, sizeof(code));
	}
	return ((made_function *)page)(at_end, number) + 1;
}

NOINLINE void *at_thread(void *data)
{
	sink = at_end(*(int *)data);
	return NULL;
}

NOINLINE int at_main(void)
{
	char *stack = malloc(1 << 16);
	const stack_t alternate = {.ss_sp = stack, .ss_size = 1 << 16};
	int number = 9;
	pthread_t thread;
	int result;

	recursion = at_recursion;
	result = at_end(1);
	result += at_recursion(3, 2);
	result += at_sort(3);
	result += at_alloca(100, 4);
	result += at_aligned(200, 5);
	result += at_signal(6, 0);
	sigaltstack(&alternate, NULL);
	result += at_signal(7, SA_ONSTACK);
	result += at_made_code(8);
	pthread_create(&thread, NULL, at_thread, &number);
	pthread_join(thread, NULL);
	return result + sink;
}

int main(int argc, char **argv)
{
	int times = argc > 1 ? atoi(argv[1]) : 1;

	while (times--)
		sink = at_main();
	return 0;
}
