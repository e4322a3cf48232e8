# SPDX-License-Identifier: GPL-2.0-or-later
# A 32-bit program without a library: functions that save the stack pointer or have a frame, and finally getpgid(1). It
# is in assembly, because few machines have a 32-bit library for the compiler. It has no note about its stack, so the
# kernel makes all readable memory executable, and code and data are one mapping.
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
