/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Goes out of functions as C++ does, in C, for which no compiler of C++ is needed: the unwinder walks from frame to
 * frame up to one that takes the exception. On the way are functions with return probes: of the program's own, of the C
 * library, and one that calls nothing, which a signal comes upon. A line for each way says whether it arrived, and how
 * many clean-ups there were; it is the same with and without probes.
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
static void *frame; /* that takes the exception */
static volatile int cleaned, zero;

static void clean(int *unused)
{
	(void)unused;
	cleaned++;
}

/* At each frame: 1 is where it ends, 2 that it ended before it was there. */
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

/* It calls nothing, and is left all the same. */
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

/* As the one of a library of C++ is called where an exception is caught. */
PROBED void __cxa_begin_catch(void)
{
	__asm__ volatile("");
}

/* Not inlined, or it would be the frame where it ends. */
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

/* The exception is caught within the library's callback, and the library's function returns as ever, to its probe. */
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
