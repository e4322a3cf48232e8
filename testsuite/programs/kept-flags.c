// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Print the CPU's flags after CMPXCHG16B, which QEMU 7.2 emulates wrongly: 242 (zero, interrupts, and the bit that is
 * always set) if they are right, else what is left of an operand of earlier instructions. Print "none" if the CPU lacks
 * the instruction (see vm/machine.c).
 */
#include <cpuid.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
	_Alignas(16) uint64_t memory[2] = {1, 2};
	uint64_t low = 1, high = 2, sum = 0x100, flags;
	unsigned int a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_CMPXCHG16B)) {
		puts("none");
		return 0;
	}
	/*
	 * QEMU represents flags by the kind of the last instruction and its operands, which it stores when it accesses
	 * memory. popfq and add leave an inconsistent pair.
	 */
	asm volatile("pushq $0x202\n\t"
		     "popfq\n\t"
		     "add %[operand], %[sum]\n\t"
		     "mov (%%rsp), %%r8\n\t"
		     "xor %%rcx, %%rbx\n\t"
		     "cmpxchg16b %[memory]\n\t"
		     "pushfq\n\t"
		     "pushq $2\n\t"
		     "popfq\n\t"
		     "popq %[flags]"
		     : [flags] "=r"(flags), [sum] "+r"(sum), "+a"(low), "+d"(high), [memory] "+m"(memory)
		     : [operand] "r"(0x1234567890abcdef), "b"(3ul), "c"(4ul)
		     : "cc", "memory", "r8");
	printf("%lx\n", flags);
	return 0;
}
