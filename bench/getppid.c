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

/* The expansion of DTRACE_PROBE(bench, turn) of <sys/sdt.h>. */
#define MARK \
	__asm__ volatile("990: nop\n" \
			 ".pushsection .note.stapsdt,\"?\",\"note\"\n" \
			 ".balign 4\n" \
			 ".4byte 992f-991f, 994f-993f, 3\n" \
			 "991: .asciz \"stapsdt\"\n" \
			 "992: .balign 4\n" \
			 "993: .8byte 990b, _.stapsdt.base, 0\n" \
			 ".asciz \"bench\"; .asciz \"turn\"; .asciz \"\"\n" \
			 "994: .balign 4\n" \
			 ".popsection\n" \
			 ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
			 ".weak _.stapsdt.base\n" \
			 ".hidden _.stapsdt.base\n" \
			 "_.stapsdt.base: .space 1\n" \
			 ".size _.stapsdt.base, 1\n" \
			 ".popsection")
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
	MARK;
	call_deep(8);
}

int main(int argc, char **argv)
{
	return print_best_round(argc, argv, turn, 100000);
}
