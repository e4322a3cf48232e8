// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The load of bench/hit. Call getppid() and our own places repeatedly: a function, a mark, and a function with a dozen
 * callers on its stack. Print the nanoseconds per turn.
 */
#include <sys/syscall.h>
#include <unistd.h>

#include "rounds.h"

/*
 * Places in a program. The instruction under the breakpoint decides the cost of a hit: the kernel emulates the first
 * instructions of these functions and need not single-step them.
 */
/* clang-format off */
#ifdef __aarch64__
#define PUSHING(name) \
	".globl " #name "\n" \
	".type " #name ", @function\n" \
	#name ": .cfi_startproc\n" \
	"	nop\n" \
	"	ret\n" \
	"	.cfi_endproc\n" \
	".size " #name ", . - " #name "\n"
#else
#define PUSHING(name) \
	".globl " #name "\n" \
	".type " #name ", @function\n" \
	#name ": .cfi_startproc\n" \
	"	push %rbp\n" \
	"	.cfi_adjust_cfa_offset 8\n" \
	"	pop %rbp\n" \
	"	.cfi_adjust_cfa_offset -8\n" \
	"	ret\n" \
	"	.cfi_endproc\n" \
	".size " #name ", . - " #name "\n"
#endif
__asm__(".text\n" PUSHING(pushing) PUSHING(stacked));
void pushing(void);
void stacked(void);

/* clang-format on */

static __attribute__((noinline, noclone)) void call_deep(int depth)
{
	if (depth)
		call_deep(depth - 1);
	else
		stacked();
	__asm__ volatile("" ::: "memory"); /* prevents a tail call */
}

static inline __attribute__((always_inline)) void turn(void)
{
	syscall(SYS_getppid);
	pushing();
	DTRACE_PROBE(bench, turn);
	call_deep(8);
}

int main(int argc, char **argv)
{
	return print_best_round(argc, argv, turn, 100000);
}
