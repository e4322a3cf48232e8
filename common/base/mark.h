/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks (USDT probes) in our own programs, for the aliases stap.* and staprun.* of the library
 * (tapset/own_programs.stp). A mark is a nop instruction and an ELF note of type stapsdt with its address, its name and
 * the places of its arguments. Without a probe, it costs only the nop.
 */
#ifndef SPILE_BASE_MARK_H
#define SPILE_BASE_MARK_H

/* `semaphore` is the symbol of a counter of probes, or "0". */
#define MARK_NOTE(program, name, semaphore, arguments)                                                                 \
	"990: nop\n"                                                                                                   \
	".pushsection .note.stapsdt,\"\",\"note\"\n"                                                                   \
	".balign 4\n"                                                                                                  \
	".4byte 992f - 991f, 994f - 993f, 3\n"                                                                         \
	"991: .asciz \"stapsdt\"\n"                                                                                    \
	"992: .balign 4\n"                                                                                             \
	"993: .8byte 990b, _.stapsdt.base, " semaphore "\n"                                                            \
	".asciz \"" program "\"\n"                                                                                     \
	".asciz \"" name "\"\n"                                                                                        \
	".asciz \"" arguments "\"\n"                                                                                   \
	"994: .balign 4\n"                                                                                             \
	".popsection\n"                                                                                                \
	".ifndef _.stapsdt.base\n"                                                                                     \
	".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"                                        \
	".weak _.stapsdt.base\n"                                                                                       \
	".hidden _.stapsdt.base\n"                                                                                     \
	"_.stapsdt.base: .space 1\n"                                                                                   \
	".size _.stapsdt.base, 1\n"                                                                                    \
	".popsection\n"                                                                                                \
	".endif\n"

#define MARK_ARGUMENT(value) "nor"((long)(value))

/** Define a mark with 1, 2 or 3 arguments, each a number or an address. */
#define MARK_1(program, name, a) __asm__ __volatile__(MARK_NOTE(program, name, "0", "-8@%0") : : MARK_ARGUMENT(a))
#define MARK_2(program, name, a, b)                                                                                    \
	__asm__ __volatile__(MARK_NOTE(program, name, "0", "-8@%0 -8@%1") : : MARK_ARGUMENT(a), MARK_ARGUMENT(b))
#define MARK_3(program, name, a, b, c)                                                                                 \
	__asm__ __volatile__(MARK_NOTE(program, name, "0", "-8@%0 -8@%1 -8@%2")                                        \
			     :                                                                                         \
			     : MARK_ARGUMENT(a), MARK_ARGUMENT(b), MARK_ARGUMENT(c))

#endif
