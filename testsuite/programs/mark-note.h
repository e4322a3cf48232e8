/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notes of marks as other headers make them, for programs that are probed: one short no-op, operands that the program
 * chooses, and a semaphore for some marks only. include/sys/sdt.h is our own header.
 */
#ifndef SPILE_TESTS_MARK_NOTE_H
#define SPILE_TESTS_MARK_NOTE_H

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

#endif
