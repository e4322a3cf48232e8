// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program with static probes of <sys/sdt.h>, in C and in C++: arguments of all kinds, all forms of the macros, and
 * semaphores. Values that the compiler does not know are in the red zone while probes run. The exit status is 1 if a
 * probe has damaged it.
 */
#define _SDT_HAS_SEMAPHORES
#include <sys/sdt.h>

#define COUNTED(name) unsigned short static_##name##_semaphore __attribute__((section(".probes"), used));
#ifdef __cplusplus
extern "C" {
#endif
COUNTED(none)
COUNTED(signs)
COUNTED(numbers)
COUNTED(texts)
COUNTED(floats)
COUNTED(twelve)
COUNTED(variadic)
COUNTED(assembler)
COUNTED(enabled)
#ifdef __cplusplus
}
#endif

enum colour { DARK = -7, LIGHT };

static volatile int one = 1;

/* A leaf function, whose variables are below the stack pointer. */
static __attribute__((noinline)) int leaf(int number)
{
	volatile int numbers[8];
	int sum = 0;

	for (int i = 0; i < 8; i++)
		numbers[i] = number + i;
	DTRACE_PROBE1(static, signs, number);
	for (int i = 0; i < 8; i++)
		sum += numbers[i];
	return sum;
}

int main(void)
{
	signed char small = -5 * one;
	unsigned char byte = 200 * one;
	short half = -300 * one;
	unsigned short word = 65000 * one;
	unsigned int wide = 4000000000u * one;
	long big = -(1L << 40) * one;
	unsigned long huge = (1ul << 63) * one;
	enum colour colour = one ? DARK : LIGHT;
	char text[] = "array";
	const char *pointer = one ? "pointer" : text;
	volatile double number = 2.5 * one;
	volatile float single = 1.5f * one;

	for (int i = 0; i < 3; i++)
		if (leaf(i) != 8 * i + 28)
			return 1;
	STAP_PROBE(static, none);
	STAP_PROBE8(static, numbers, small, byte, half, word, wide, big, huge, colour);
	STAP_PROBE3(static, texts, text, pointer, "literal");
	STAP_PROBE2(static, floats, number, single);
	STAP_PROBE12(static, twelve, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, one + 11);
	STAP_PROBEV(static, variadic, one, -2);
	__asm__ volatile(STAP_PROBE_ASM(static, assembler, STAP_PROBE_ASM_TEMPLATE(2))
			 :
			 : STAP_PROBE_ASM_OPERANDS(2, small, huge));
	if (static_enabled_semaphore)
		STAP_PROBE(static, enabled);
	return text[0] != 'a';
}
