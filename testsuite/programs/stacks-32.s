# SPDX-License-Identifier: GPL-2.0-or-later
#
# A program of 32 bits without a library: functions that keep the stack pointer, or a frame, and at last getpgid(1). In
# assembly, since few machines have a compiler's library for it. It says nothing of its stack, so that the kernel lets
# all that can be read be executed, and its code and its data are one mapping.
	.text
	.globl _start, at_main, at_end, at_middle
	.type at_end,@function
at_end:	.cfi_startproc
	pushl %ebx
	.cfi_adjust_cfa_offset 4
	.cfi_offset ebx, -8
	movl $132, %eax
	movl $1, %ebx
	int $0x80
	popl %ebx
	.cfi_adjust_cfa_offset -4
	.cfi_restore ebx
	ret
	.cfi_endproc
	.size at_end, .-at_end
	.type at_middle,@function
at_middle: .cfi_startproc
	subl $44, %esp
	.cfi_adjust_cfa_offset 44
	call at_end
	addl $44, %esp
	.cfi_adjust_cfa_offset -44
	ret
	.cfi_endproc
	.size at_middle, .-at_middle
	.type at_main,@function
at_main: .cfi_startproc
	pushl %ebp
	.cfi_adjust_cfa_offset 4
	.cfi_offset ebp, -8
	movl %esp, %ebp
	.cfi_def_cfa_register ebp
	andl $-16, %esp
	call at_middle
	leave
	.cfi_def_cfa esp, 4
	ret
	.cfi_endproc
	.size at_main, .-at_main
	.type _start,@function
_start:	.cfi_startproc
	.cfi_undefined eip
	call at_main
	movl $1, %eax
	xorl %ebx, %ebx
	int $0x80
	.cfi_endproc
	.size _start, .-_start
