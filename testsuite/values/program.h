/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the random programs of make-program.c: they start without a C library, so that the same source can be
 * compiled for 32 bits, and print their own values as lines of PATH=NUMBER in hexadecimal.
 */
typedef unsigned long size_type;
typedef unsigned long long number;
typedef __builtin_va_list variable_arguments;

#define NOINLINE __attribute__((noinline))
#define INLINE static inline __attribute__((always_inline))
#ifdef __i386__
#define ABI_1 __attribute__((regparm(3)))
#define ABI_2 __attribute__((fastcall))
#define ABI_3 __attribute__((stdcall))
#else
#define ABI_1 __attribute__((ms_abi))
#define ABI_2
#define ABI_3
#endif
#ifdef __cplusplus
#define EXTERN extern "C"
#else
#define EXTERN
typedef _Bool bool;
#endif

/* Hide where a pointer comes from, so that the compiler does not know the value that it points to. */
#define HIDE(pointer)                                                                                                  \
	({                                                                                                             \
		__typeof__(pointer) hidden = (pointer);                                                                \
		__asm__ volatile("" : "+r"(hidden) : : "memory");                                                      \
		hidden;                                                                                                \
	})
#define ESCAPE(value) __asm__ volatile("" : : "r"(&(value)) : "memory")
#define KEEP(value) __asm__ volatile("" : : "g"(value))
/* An instruction with a line of its own, to be probed. */
#define HERE __asm__ volatile("nop" : : : "memory")

/* The compiler may call these. */
EXTERN void *memcpy(void *to, const void *from, size_type size)
{
	for (size_type i = 0; i < size; i++)
		((volatile char *)to)[i] = ((const char *)from)[i];
	return to;
}

EXTERN void *memmove(void *to, const void *from, size_type size)
{
	if ((size_type)to <= (size_type)from)
		return memcpy(to, from, size);
	while (size--)
		((volatile char *)to)[size] = ((const char *)from)[size];
	return to;
}

EXTERN void *memset(void *to, int byte, size_type size)
{
	for (size_type i = 0; i < size; i++)
		((volatile char *)to)[i] = (char)byte;
	return to;
}

static char text[8192];
static size_type text_length;

NOINLINE static long system_call(long which, long first, const char *second, size_type third)
{
	long result;

#ifdef __i386__
	__asm__ volatile("int $0x80" : "=a"(result) : "0"(which), "b"(first), "c"(second), "d"(third) : "memory");
#else
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(which), "D"(first), "S"(second), "d"(third)
			 : "rcx", "r11", "memory");
#endif
	return result;
}

NOINLINE static void print(const char *part)
{
	while (*part)
		text[text_length++] = *part++;
}

NOINLINE static void print_value(const char *path, number value)
{
	int digit = 60;

	print(path);
	while (digit && !(value >> digit & 15))
		digit -= 4;
	for (; digit >= 0; digit -= 4)
		text[text_length++] = "0123456789abcdef"[value >> digit & 15];
}

NOINLINE static void print_line(void)
{
	text[text_length++] = '\n';
#ifdef __i386__
	system_call(4, 1, text, text_length);
#else
	system_call(1, 1, text, text_length);
#endif
	text_length = 0;
}

static void run(void);

EXTERN __attribute__((force_align_arg_pointer, noreturn)) void _start(void)
{
	run();
#ifdef __i386__
	system_call(1, 0, 0, 0);
#else
	system_call(60, 0, 0, 0);
#endif
	__builtin_unreachable();
}
