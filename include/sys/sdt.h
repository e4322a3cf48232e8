/* SPDX-License-Identifier: GPL-2.0-or-later OR BSD-2-Clause */
/*
 * <sys/sdt.h>: static probes in programs (marks, USDT).
 *
 *     STAP_PROBE2(provider, name, first, second);
 *
 * leaves a no-op in the code, and an ELF note of type stapsdt with its address, the names, and the places of the
 * arguments. stap, dtrace, gdb, bpftrace and perf find the note. Without a probe, a mark costs the no-op, and what the
 * arguments cost. Sources that use SystemTap's header of this name compile as they are:
 *
 *     STAP_PROBE(provider, name), STAP_PROBE1(provider, name, a1) to STAP_PROBE12()
 *     STAP_PROBEV(provider, name, ...)   up to 12 arguments
 *     DTRACE_PROBE() and so on           the same
 *     STAP_PROBE_ASM(provider, name, operands)
 *                                        a mark in an asm statement, with assembler operands: 4@%%eax 8@%%rbx, or
 *                                        asm(STAP_PROBE_ASM(provider, name, STAP_PROBE_ASM_TEMPLATE(1))
 *                                            : : STAP_PROBE_ASM_OPERANDS(1, a1));
 *
 * In assembler files, each argument is such an operand: STAP_PROBE1(provider, name, 4@%eax).
 *
 * Define before this file is included:
 *
 *     _SDT_HAS_SEMAPHORES       if the program has a variable for each mark that counts its probes:
 *                               unsigned short provider_name_semaphore __attribute__((section(".probes")));
 *     STAP_SDT_ARG_CONSTRAINT   the constraint of arguments in asm statements, by default nor, or nr on arm64
 *
 * On x86-64, a no-op of ten bytes follows that of one byte. Linux 7.2 and later replace it by a call, which costs less
 * than a breakpoint (translator/probes/mark.c).
 */
#ifndef _SYS_SDT_H
#define _SYS_SDT_H 1
/* clang-format off */

#ifdef __ASSEMBLER__
#define _SDT_LINE(...) __VA_ARGS__;
#else
#define _SDT_LINE(...) _SDT_QUOTE(__VA_ARGS__) "\n"
#define _SDT_QUOTE(...) #__VA_ARGS__
#endif

#if defined(__LP64__) || defined(_LP64)
#define _SDT_WORD .8byte
#else
#define _SDT_WORD .4byte
#endif

#define _SDT_NOP_X86_64 .byte 0x90, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0
#if defined(__x86_64__) && defined(__LP64__)
#define _SDT_NOP _SDT_LINE(990: _SDT_NOP_X86_64)
#else
#define _SDT_NOP _SDT_LINE(990: nop)
#endif

#ifdef _SDT_HAS_SEMAPHORES
#define _SDT_SEMAPHORE(provider, name) _SDT_LINE(_SDT_WORD provider##_##name##_semaphore)
#else
#define _SDT_SEMAPHORE(provider, name) _SDT_LINE(_SDT_WORD 0)
#endif

/* A mark. The directives `arguments` write the text of the arguments and the 0 at its end. */
#define _SDT_MARK(provider, name, arguments) \
	_SDT_NOP \
	_SDT_LINE(.pushsection .note.stapsdt, "?", "note") \
	_SDT_LINE(.balign 4) \
	_SDT_LINE(.4byte 992f - 991f, 994f - 993f, 3) \
	_SDT_LINE(991: .asciz "stapsdt") \
	_SDT_LINE(992: .balign 4) \
	_SDT_LINE(993: _SDT_WORD 990b) \
	_SDT_LINE(_SDT_WORD _.stapsdt.base) \
	_SDT_SEMAPHORE(provider, name) \
	_SDT_LINE(.asciz #provider) \
	_SDT_LINE(.asciz #name) \
	arguments \
	_SDT_LINE(994: .balign 4) \
	_SDT_LINE(.popsection) \
	_SDT_LINE(.ifndef _.stapsdt.base) \
	_SDT_LINE(.pushsection .stapsdt.base, "aG", "progbits", .stapsdt.base, comdat) \
	_SDT_LINE(.weak _.stapsdt.base) \
	_SDT_LINE(.hidden _.stapsdt.base) \
	_SDT_LINE(_.stapsdt.base: .space 1) \
	_SDT_LINE(.size _.stapsdt.base, 1) \
	_SDT_LINE(.popsection) \
	_SDT_LINE(.endif)

#ifdef __ASSEMBLER__

#define STAP_PROBE(provider, name) _SDT_MARK(provider, name, _SDT_LINE(.byte 0))
#define STAP_PROBE1(provider, name, a1) STAP_PROBE_ASM(provider, name, a1)
#define STAP_PROBE2(provider, name, a1, a2) STAP_PROBE_ASM(provider, name, a1 a2)
#define STAP_PROBE3(provider, name, a1, a2, a3) STAP_PROBE_ASM(provider, name, a1 a2 a3)
#define STAP_PROBE4(provider, name, a1, a2, a3, a4) STAP_PROBE_ASM(provider, name, a1 a2 a3 a4)
#define STAP_PROBE5(provider, name, a1, a2, a3, a4, a5) STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5)
#define STAP_PROBE6(provider, name, a1, a2, a3, a4, a5, a6) STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6)
#define STAP_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7) STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6 a7)
#define STAP_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) \
	STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6 a7 a8)
#define STAP_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6 a7 a8 a9)
#define STAP_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
	STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6 a7 a8 a9 a10)
#define STAP_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
	STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11)
#define STAP_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
	STAP_PROBE_ASM(provider, name, a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12)

#else /* C or C++ */

#ifndef STAP_SDT_ARG_CONSTRAINT
#if defined(__arm__)
#define STAP_SDT_ARG_CONSTRAINT g
#elif defined(__aarch64__)
/* Memory may be at [x0, #:lo12:.LANCHOR0], where only the assembler knows the symbol. */
#define STAP_SDT_ARG_CONSTRAINT nr
#else
#define STAP_SDT_ARG_CONSTRAINT nor
#endif
#endif
#define _SDT_CONSTRAINT(constraint) _SDT_CONSTRAINT_(constraint)
#define _SDT_CONSTRAINT_(constraint) #constraint

/* The width of an argument in bytes, negative if it is signed; and whether it is a floating-point number. */
#ifdef __cplusplus

template <typename T> struct _sdt_type;
template <typename T, bool is_enum> struct _sdt_enum {
	enum { is_signed = 0 };
};
template <typename T> struct _sdt_enum<T, true> {
	enum { is_signed = _sdt_type<__underlying_type(T)>::is_signed };
};
template <typename T> struct _sdt_type {
	enum { is_signed = _sdt_enum<T, __is_enum(T)>::is_signed, is_float = 0, size = sizeof(T) };
};
template <typename T> struct _sdt_type<T *> {
	enum { is_signed = 0, is_float = 0, size = sizeof(T *) };
};
template <typename T, __SIZE_TYPE__ count> struct _sdt_type<T[count]> : _sdt_type<T *> {};
template <typename T> struct _sdt_type<T &> : _sdt_type<T> {};
template <typename T> struct _sdt_type<const T> : _sdt_type<T> {};
template <typename T> struct _sdt_type<volatile T> : _sdt_type<T> {};
template <typename T> struct _sdt_type<const volatile T> : _sdt_type<T> {};
template <typename T, __SIZE_TYPE__ count> struct _sdt_type<const T[count]> : _sdt_type<T *> {};
#define _SDT_TYPE(type, sign, floats) \
	template <> struct _sdt_type<type> { \
		enum { is_signed = sign, is_float = floats, size = sizeof(type) }; \
	};
_SDT_TYPE(char, (char)-1 < 1, 0)
_SDT_TYPE(wchar_t, (wchar_t)-1 < 1, 0)
_SDT_TYPE(signed char, 1, 0)
_SDT_TYPE(short, 1, 0)
_SDT_TYPE(int, 1, 0)
_SDT_TYPE(long, 1, 0)
__extension__ _SDT_TYPE(long long, 1, 0)
_SDT_TYPE(float, 0, 1)
_SDT_TYPE(double, 0, 1)
#undef _SDT_TYPE

#define _SDT_SIZE(x) (_sdt_type<__typeof__(x)>::is_signed ? -1 : 1) * (int)_sdt_type<__typeof__(x)>::size
#define _SDT_FLOATS(x) _sdt_type<__typeof__(x)>::is_float

#else

/* The classes of types that gcc and clang have: 1 to 4 are integers, 5 are pointers and arrays, and 8 are floats. */
#define _SDT_CLASS(x) __builtin_classify_type(x)
#define _SDT_INTEGER(x) __typeof__(__builtin_choose_expr(_SDT_CLASS(x) <= 4, (x), 0U))
#define _SDT_SIGNED(x) ((_SDT_INTEGER(x))-1 < (_SDT_INTEGER(x))1)
#define _SDT_WIDTH(x) ((int)(_SDT_CLASS(x) == 5 ? sizeof(void *) : sizeof(x)))
#define _SDT_SIZE(x) (_SDT_SIGNED(x) ? -_SDT_WIDTH(x) : _SDT_WIDTH(x))
#define _SDT_FLOATS(x) (_SDT_CLASS(x) == 8)

#endif

/* One number for both: gcc allows 30 operands. */
#define _SDT_CODE(x) (_SDT_SIZE(x) + (_SDT_FLOATS(x) ? 100 : 0))

/* The text of argument n: "-4@%eax", "8f@16(%rsp)". */
#define _SDT_ARGUMENT(n) \
	".if %c[_sdt_size" #n "] == 104\n" \
	".ascii \"4f\"\n" \
	".elseif %c[_sdt_size" #n "] == 108\n" \
	".ascii \"8f\"\n" \
	".else\n" \
	".ascii \"%c[_sdt_size" #n "]\"\n" \
	".endif\n" \
	".ascii \"@%[_sdt_value" #n "]\"\n"
#define _SDT_NEXT ".ascii \" \"\n"

/* Its operands. `kind` is CODE or SIZE. */
#define _SDT_OPERANDS(kind, n, x) \
	[_sdt_size##n] "n"(_SDT_##kind(x)), [_sdt_value##n] _SDT_CONSTRAINT(STAP_SDT_ARG_CONSTRAINT)((x))

#define _SDT_ARGUMENTS_0
#define _SDT_ARGUMENTS_1 _SDT_ARGUMENT(1)
#define _SDT_ARGUMENTS_2 _SDT_ARGUMENTS_1 _SDT_NEXT _SDT_ARGUMENT(2)
#define _SDT_ARGUMENTS_3 _SDT_ARGUMENTS_2 _SDT_NEXT _SDT_ARGUMENT(3)
#define _SDT_ARGUMENTS_4 _SDT_ARGUMENTS_3 _SDT_NEXT _SDT_ARGUMENT(4)
#define _SDT_ARGUMENTS_5 _SDT_ARGUMENTS_4 _SDT_NEXT _SDT_ARGUMENT(5)
#define _SDT_ARGUMENTS_6 _SDT_ARGUMENTS_5 _SDT_NEXT _SDT_ARGUMENT(6)
#define _SDT_ARGUMENTS_7 _SDT_ARGUMENTS_6 _SDT_NEXT _SDT_ARGUMENT(7)
#define _SDT_ARGUMENTS_8 _SDT_ARGUMENTS_7 _SDT_NEXT _SDT_ARGUMENT(8)
#define _SDT_ARGUMENTS_9 _SDT_ARGUMENTS_8 _SDT_NEXT _SDT_ARGUMENT(9)
#define _SDT_ARGUMENTS_10 _SDT_ARGUMENTS_9 _SDT_NEXT _SDT_ARGUMENT(10)
#define _SDT_ARGUMENTS_11 _SDT_ARGUMENTS_10 _SDT_NEXT _SDT_ARGUMENT(11)
#define _SDT_ARGUMENTS_12 _SDT_ARGUMENTS_11 _SDT_NEXT _SDT_ARGUMENT(12)
#define _SDT_OPERANDS_1(kind, a1) _SDT_OPERANDS(kind, 1, a1)
#define _SDT_OPERANDS_2(kind, a1, a2) _SDT_OPERANDS_1(kind, a1), _SDT_OPERANDS(kind, 2, a2)
#define _SDT_OPERANDS_3(kind, a1, a2, a3) _SDT_OPERANDS_2(kind, a1, a2), _SDT_OPERANDS(kind, 3, a3)
#define _SDT_OPERANDS_4(kind, a1, a2, a3, a4) _SDT_OPERANDS_3(kind, a1, a2, a3), _SDT_OPERANDS(kind, 4, a4)
#define _SDT_OPERANDS_5(kind, a1, a2, a3, a4, a5) \
	_SDT_OPERANDS_4(kind, a1, a2, a3, a4), _SDT_OPERANDS(kind, 5, a5)
#define _SDT_OPERANDS_6(kind, a1, a2, a3, a4, a5, a6) \
	_SDT_OPERANDS_5(kind, a1, a2, a3, a4, a5), _SDT_OPERANDS(kind, 6, a6)
#define _SDT_OPERANDS_7(kind, a1, a2, a3, a4, a5, a6, a7) \
	_SDT_OPERANDS_6(kind, a1, a2, a3, a4, a5, a6), _SDT_OPERANDS(kind, 7, a7)
#define _SDT_OPERANDS_8(kind, a1, a2, a3, a4, a5, a6, a7, a8) \
	_SDT_OPERANDS_7(kind, a1, a2, a3, a4, a5, a6, a7), _SDT_OPERANDS(kind, 8, a8)
#define _SDT_OPERANDS_9(kind, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	_SDT_OPERANDS_8(kind, a1, a2, a3, a4, a5, a6, a7, a8), _SDT_OPERANDS(kind, 9, a9)
#define _SDT_OPERANDS_10(kind, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
	_SDT_OPERANDS_9(kind, a1, a2, a3, a4, a5, a6, a7, a8, a9), _SDT_OPERANDS(kind, 10, a10)
#define _SDT_OPERANDS_11(kind, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
	_SDT_OPERANDS_10(kind, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10), _SDT_OPERANDS(kind, 11, a11)
#define _SDT_OPERANDS_12(kind, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
	_SDT_OPERANDS_11(kind, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11), _SDT_OPERANDS(kind, 12, a12)

#define _SDT_PROBE(provider, name, count, operands) \
	__asm__ __volatile__(_SDT_MARK(provider, name, _SDT_ARGUMENTS_##count _SDT_LINE(.byte 0)) : : operands)
#define STAP_PROBE(provider, name) _SDT_PROBE(provider, name, 0, )
#define STAP_PROBE1(provider, name, a1) _SDT_PROBE(provider, name, 1, _SDT_OPERANDS_1(CODE, a1))
#define STAP_PROBE2(provider, name, a1, a2) _SDT_PROBE(provider, name, 2, _SDT_OPERANDS_2(CODE, a1, a2))
#define STAP_PROBE3(provider, name, a1, a2, a3) _SDT_PROBE(provider, name, 3, _SDT_OPERANDS_3(CODE, a1, a2, a3))
#define STAP_PROBE4(provider, name, a1, a2, a3, a4) \
	_SDT_PROBE(provider, name, 4, _SDT_OPERANDS_4(CODE, a1, a2, a3, a4))
#define STAP_PROBE5(provider, name, a1, a2, a3, a4, a5) \
	_SDT_PROBE(provider, name, 5, _SDT_OPERANDS_5(CODE, a1, a2, a3, a4, a5))
#define STAP_PROBE6(provider, name, a1, a2, a3, a4, a5, a6) \
	_SDT_PROBE(provider, name, 6, _SDT_OPERANDS_6(CODE, a1, a2, a3, a4, a5, a6))
#define STAP_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7) \
	_SDT_PROBE(provider, name, 7, _SDT_OPERANDS_7(CODE, a1, a2, a3, a4, a5, a6, a7))
#define STAP_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) \
	_SDT_PROBE(provider, name, 8, _SDT_OPERANDS_8(CODE, a1, a2, a3, a4, a5, a6, a7, a8))
#define STAP_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	_SDT_PROBE(provider, name, 9, _SDT_OPERANDS_9(CODE, a1, a2, a3, a4, a5, a6, a7, a8, a9))
#define STAP_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
	_SDT_PROBE(provider, name, 10, _SDT_OPERANDS_10(CODE, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10))
#define STAP_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
	_SDT_PROBE(provider, name, 11, _SDT_OPERANDS_11(CODE, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11))
#define STAP_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
	_SDT_PROBE(provider, name, 12, _SDT_OPERANDS_12(CODE, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12))

/* The same as text, for STAP_PROBE_ASM(). */
#define _SDT_TEMPLATE(n) %c[_sdt_size##n]@%[_sdt_value##n]
#define _SDT_TEMPLATE_0
#define _SDT_TEMPLATE_1 _SDT_TEMPLATE(1)
#define _SDT_TEMPLATE_2 _SDT_TEMPLATE_1 _SDT_TEMPLATE(2)
#define _SDT_TEMPLATE_3 _SDT_TEMPLATE_2 _SDT_TEMPLATE(3)
#define _SDT_TEMPLATE_4 _SDT_TEMPLATE_3 _SDT_TEMPLATE(4)
#define _SDT_TEMPLATE_5 _SDT_TEMPLATE_4 _SDT_TEMPLATE(5)
#define _SDT_TEMPLATE_6 _SDT_TEMPLATE_5 _SDT_TEMPLATE(6)
#define _SDT_TEMPLATE_7 _SDT_TEMPLATE_6 _SDT_TEMPLATE(7)
#define _SDT_TEMPLATE_8 _SDT_TEMPLATE_7 _SDT_TEMPLATE(8)
#define _SDT_TEMPLATE_9 _SDT_TEMPLATE_8 _SDT_TEMPLATE(9)
#define _SDT_TEMPLATE_10 _SDT_TEMPLATE_9 _SDT_TEMPLATE(10)
#define _SDT_TEMPLATE_11 _SDT_TEMPLATE_10 _SDT_TEMPLATE(11)
#define _SDT_TEMPLATE_12 _SDT_TEMPLATE_11 _SDT_TEMPLATE(12)
#define STAP_PROBE_ASM_TEMPLATE(count) _SDT_TEMPLATE_##count
#define STAP_PROBE_ASM_OPERANDS(count, ...) _SDT_OPERANDS_##count(SIZE, __VA_ARGS__)

#endif

/* The text of the arguments is expanded before it is quoted. */
#define STAP_PROBE_ASM(provider, name, ...) _SDT_MARK(provider, name, _SDT_LINE(.asciz _SDT_TEXT(__VA_ARGS__)))
#define _SDT_TEXT(...) _SDT_TEXT_(__VA_ARGS__)
#define _SDT_TEXT_(...) #__VA_ARGS__

/* Count the arguments after the name. */
#define STAP_PROBEV(...) _SDT_CHOOSE(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, , ignored)(__VA_ARGS__)
#define _SDT_CHOOSE(provider, name, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, count, ...) STAP_PROBE##count

#define DTRACE_PROBE(provider, name) STAP_PROBE(provider, name)
#define DTRACE_PROBE1(provider, name, a1) STAP_PROBE1(provider, name, a1)
#define DTRACE_PROBE2(provider, name, a1, a2) STAP_PROBE2(provider, name, a1, a2)
#define DTRACE_PROBE3(provider, name, a1, a2, a3) STAP_PROBE3(provider, name, a1, a2, a3)
#define DTRACE_PROBE4(provider, name, a1, a2, a3, a4) STAP_PROBE4(provider, name, a1, a2, a3, a4)
#define DTRACE_PROBE5(provider, name, a1, a2, a3, a4, a5) STAP_PROBE5(provider, name, a1, a2, a3, a4, a5)
#define DTRACE_PROBE6(provider, name, a1, a2, a3, a4, a5, a6) STAP_PROBE6(provider, name, a1, a2, a3, a4, a5, a6)
#define DTRACE_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7) \
	STAP_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7)
#define DTRACE_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) \
	STAP_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8)
#define DTRACE_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	STAP_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9)
#define DTRACE_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
	STAP_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10)
#define DTRACE_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
	STAP_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11)
#define DTRACE_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
	STAP_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12)

/* clang-format on */
#endif
