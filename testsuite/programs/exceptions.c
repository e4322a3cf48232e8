/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leave functions as C++ exceptions do, but in C, so that no C++ compiler is needed: the unwinder walks the frames up
 * to the one that catches the exception. The functions on the way have return probes: functions of the program and of
 * the C library, and one that calls nothing and is interrupted by a signal. For each way, print whether the exception
 * arrived, and the number of cleanups. The output is the same with and without probes.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#define PROBED __attribute__((noinline, noclone, externally_visible))

static struct _Unwind_Exception exception;
static jmp_buf landing;
static void *frame; /* the frame that catches the exception */
static volatile int cleaned, zero;

static void clean(int *unused)
{
	(void)unused;
	cleaned++;
}

/* Called for each frame. Jump with 1 at the frame that catches the exception, with 2 if the stack has ended before. */
static _Unwind_Reason_Code stop(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
				struct _Unwind_Exception *thrown, struct _Unwind_Context *context, void *unused)
{
	(void)version, (void)class, (void)thrown, (void)unused;
	if (actions & _UA_END_OF_STACK)
		longjmp(landing, 2);
	if ((char *)_Unwind_GetCFA(context) >= (char *)frame)
		longjmp(landing, 1);
	return _URC_NO_REASON;
}

static void throw(void)
{
	_Unwind_ForcedUnwind(&exception, stop, NULL);
}

/* ---- ways ------------------------------------------------------------------------------------------------------- */

PROBED int from_function(int depth)
{
	int local __attribute__((cleanup(clean))) = depth;

	if (depth)
		return from_function(depth - 1) + local;
	throw();
	return local;
}

static int compare(const void *a, const void *b)
{
	if (!zero)
		throw();
	return *(const char *)a - *(const char *)b;
}

PROBED int from_library(int number)
{
	int local __attribute__((cleanup(clean))) = number;
	char bytes[] = "zyx";

	qsort(bytes, 3, 1, compare);
	return local + bytes[0];
}

/* It calls nothing, but a signal handler leaves it by an exception. */
__asm__(".text\n.globl leaf\n.type leaf, @function\nleaf: .cfi_startproc\n"
	"	push %rbx\n	.cfi_adjust_cfa_offset 8\n	.cfi_offset %rbx, -16\n"
	"	mov (%rdi), %rax\n"
	"	pop %rbx\n	.cfi_adjust_cfa_offset -8\n	.cfi_restore %rbx\n"
	"	ret\n	.cfi_endproc\n.size leaf, . - leaf\n");
long leaf(const long *address);

PROBED int from_leaf(int number)
{
	int local __attribute__((cleanup(clean))) = number;

	return (int)leaf(NULL) + local;
}

static void on_signal(int number)
{
	(void)number;
	throw();
}

/* Called where an exception is caught, like the function of the same name in the C++ library. */
PROBED void __cxa_begin_catch(void)
{
	__asm__ volatile("");
}

/* If this were inlined, its frame would be the one that catches the exception. */
static __attribute__((noinline, noclone)) int run(int (*way)(int number))
{
	return way(3) + zero;
}

static void try_way(const char *name, int (*way)(int number))
{
	int arrived;

	cleaned = 0;
	frame = (char *)__builtin_frame_address(0) + 2 * sizeof(void *);
	arrived = setjmp(landing);
	if (!arrived)
		run(way);
	__cxa_begin_catch();
	printf("%s: %s, %d cleaned\n", name, arrived == 1 ? "arrived" : arrived ? "lost" : "returned", cleaned);
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

static int end_thread(const void *a, const void *b)
{
	(void)a, (void)b;
	pthread_exit(NULL);
}

static void *thread(void *unused)
{
	int local __attribute__((cleanup(clean))) = 0;
	char bytes[] = "ab";

	qsort(bytes, 2, 1, end_thread);
	return bytes[0] + local ? unused : NULL;
}

/* ---- what goes on ------------------------------------------------------------------------------------------------ */

/*
 * The exception is caught within the library's callback. The library's function then returns normally, which its probe
 * sees.
 */
static int catch_within(const void *a, const void *b)
{
	try_way("within", from_function);
	return *(const char *)a - *(const char *)b;
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_NODEFER};
	char bytes[] = "ba";
	pthread_t id;

	setvbuf(stdout, NULL, _IOLBF, 0);
	sigaction(SIGSEGV, &action, NULL);
	try_way("function", from_function);
	try_way("library", from_library);
	try_way("leaf", from_leaf);
	try_way("leaf", from_leaf);
	cleaned = 0;
	pthread_create(&id, NULL, thread, NULL);
	pthread_join(id, NULL);
	printf("thread: %d cleaned\n", cleaned);
	qsort(bytes, 2, 1, catch_within);
	puts(bytes);
	return 0;
}
