	.file	"names.cc"
	.text
.Ltext0:
	.cfi_sections	.debug_frame
	.file 0 "." "names.cc"
	.section	.text._ZN5outer5inner5thing6methodEi,"axG",@progbits,_ZN5outer5inner5thing6methodEi,comdat
	.align 2
	.p2align 4
	.weak	_ZN5outer5inner5thing6methodEi
	.type	_ZN5outer5inner5thing6methodEi, @function
_ZN5outer5inner5thing6methodEi:
.LVL0:
.LFB1:
	.file 1 "names.cc"
	.loc 1 24 14 view -0
	.cfi_startproc
	.loc 1 26 3 view .LVU1
	.loc 1 26 14 is_stmt 0 view .LVU2
	movl	8(%rdi), %eax
	addl	%esi, %eax
	.loc 1 27 2 view .LVU3
	ret
	.cfi_endproc
.LFE1:
	.size	_ZN5outer5inner5thing6methodEi, .-_ZN5outer5inner5thing6methodEi
	.text
	.p2align 4
	.globl	_start
	.type	_start, @function
_start:
.LFB9:
	.loc 1 87 1 is_stmt 1 view -0
	.cfi_startproc
	.loc 1 88 2 view .LVU5
.LVL1:
.LBB28:
.LBI28:
	.loc 1 40 2 view .LVU6
.LBB29:
.LBB30:
.LBB31:
.LBI31:
	.loc 1 16 8 view .LVU7
	.loc 1 16 8 is_stmt 0 view .LVU8
.LBE31:
	.loc 1 40 14 view .LVU9
	movq	.LC0(%rip), %rax
.LBE30:
.LBE29:
.LBE28:
	.loc 1 90 10 view .LVU10
	addl	$1, _ZN12_GLOBAL__N_16hiddenE(%rip)
.LBB38:
.LBB39:
	.loc 1 82 2 view .LVU11
	xorl	%edi, %edi
.LBE39:
.LBE38:
	.loc 1 91 21 view .LVU12
	addl	$1, _ZN5outer5inner5otherE(%rip)
.LBB42:
.LBB35:
.LBB32:
	.loc 1 40 14 view .LVU13
	movq	%rax, _ZN5outer5inner6objectE+28(%rip)
.LBE32:
.LBE35:
.LBE42:
	.loc 1 89 32 view .LVU14
	movl	$_ZN5outer5inner6objectE, %eax
	movq	%rax, %xmm0
.LBB43:
.LBB40:
	.loc 1 82 2 view .LVU15
	movl	$121, %eax
.LBE40:
.LBE43:
	.loc 1 92 14 view .LVU16
	addl	$1, _ZN5outer5otherE(%rip)
.LBB44:
.LBB36:
.LBB33:
	.loc 1 40 21 view .LVU17
	movq	$_ZTVN5outer5inner7derivedE+16, _ZN5outer5inner6objectE(%rip)
	.loc 1 42 3 is_stmt 1 view .LVU18
.LBE33:
.LBE36:
.LBE44:
	.loc 1 89 32 is_stmt 0 view .LVU19
	punpcklqdq	%xmm0, %xmm0
.LBB45:
.LBB37:
.LBB34:
	.loc 1 42 5 view .LVU20
	movl	$3, _ZN5outer5inner6objectE+8(%rip)
	.loc 1 43 3 is_stmt 1 view .LVU21
	.loc 1 43 5 is_stmt 0 view .LVU22
	movq	$-4, _ZN5outer5inner6objectE+16(%rip)
	.loc 1 44 3 is_stmt 1 view .LVU23
	.loc 1 44 5 is_stmt 0 view .LVU24
	movl	$22, _ZN5outer5inner6objectE+24(%rip)
	.loc 1 45 3 is_stmt 1 view .LVU25
.LVL2:
	.loc 1 45 3 is_stmt 0 view .LVU26
.LBE34:
.LBE37:
.LBE45:
	.loc 1 89 2 is_stmt 1 view .LVU27
	.loc 1 89 32 is_stmt 0 view .LVU28
	movups	%xmm0, things+8(%rip)
	.loc 1 90 2 is_stmt 1 view .LVU29
	.loc 1 91 2 view .LVU30
	.loc 1 92 2 view .LVU31
	.loc 1 93 2 view .LVU32
.LVL3:
.LBB46:
.LBI38:
	.loc 1 78 13 view .LVU33
.LBB41:
	.loc 1 80 2 view .LVU34
	.loc 1 82 2 view .LVU35
#APP
# 82 "names.cc" 1
	syscall
# 0 "" 2
.LVL4:
	.loc 1 83 2 view .LVU36
	.loc 1 83 2 is_stmt 0 view .LVU37
#NO_APP
.LBE41:
.LBE46:
	.loc 1 94 2 is_stmt 1 view .LVU38
.LBB47:
.LBI47:
	.loc 1 78 13 view .LVU39
.LBB48:
	.loc 1 80 2 view .LVU40
	.loc 1 82 2 view .LVU41
	movl	$231, %eax
#APP
# 82 "names.cc" 1
	syscall
# 0 "" 2
.LVL5:
	.loc 1 83 2 view .LVU42
	.loc 1 83 2 is_stmt 0 view .LVU43
#NO_APP
.LBE48:
.LBE47:
	.loc 1 95 1 view .LVU44
	ret
	.cfi_endproc
.LFE9:
	.size	_start, .-_start
	.section	.text.startup,"ax",@progbits
	.p2align 4
	.type	_GLOBAL__sub_I__ZN5outer5inner5thing6sharedE, @function
_GLOBAL__sub_I__ZN5outer5inner5thing6sharedE:
.LFB11:
	.loc 1 95 1 is_stmt 1 view -0
	.cfi_startproc
.LVL6:
.LBB49:
.LBI49:
	.loc 1 95 1 view .LVU46
.LBB50:
.LBB51:
.LBI51:
	.loc 1 40 2 view .LVU47
.LBB52:
.LBB53:
.LBB54:
.LBI54:
	.loc 1 16 8 view .LVU48
	.loc 1 16 8 is_stmt 0 view .LVU49
.LBE54:
	.loc 1 40 14 view .LVU50
	movq	.LC0(%rip), %rax
	.loc 1 40 21 view .LVU51
	movq	$_ZTVN5outer5inner7derivedE+16, _ZN5outer5inner6objectE(%rip)
	.loc 1 42 3 is_stmt 1 view .LVU52
	.loc 1 42 5 is_stmt 0 view .LVU53
	movl	$3, _ZN5outer5inner6objectE+8(%rip)
	.loc 1 43 3 is_stmt 1 view .LVU54
	.loc 1 43 5 is_stmt 0 view .LVU55
	movq	$-4, _ZN5outer5inner6objectE+16(%rip)
	.loc 1 44 3 is_stmt 1 view .LVU56
	.loc 1 44 5 is_stmt 0 view .LVU57
	movl	$22, _ZN5outer5inner6objectE+24(%rip)
	.loc 1 45 3 is_stmt 1 view .LVU58
	.loc 1 40 14 is_stmt 0 view .LVU59
	movq	%rax, _ZN5outer5inner6objectE+28(%rip)
.LVL7:
	.loc 1 40 14 view .LVU60
.LBE53:
.LBE52:
.LBE51:
.LBE50:
.LBE49:
	.loc 1 95 1 view .LVU61
	ret
	.cfi_endproc
.LFE11:
	.size	_GLOBAL__sub_I__ZN5outer5inner5thing6sharedE, .-_GLOBAL__sub_I__ZN5outer5inner5thing6sharedE
	.section	.init_array,"aw"
	.align 8
	.quad	_GLOBAL__sub_I__ZN5outer5inner5thing6sharedE
	.weak	_ZTVN5outer5inner7derivedE
	.section	.rodata._ZTVN5outer5inner7derivedE,"aG",@progbits,_ZTVN5outer5inner7derivedE,comdat
	.align 8
	.type	_ZTVN5outer5inner7derivedE, @object
	.size	_ZTVN5outer5inner7derivedE, 24
_ZTVN5outer5inner7derivedE:
	.quad	0
	.quad	0
	.quad	_ZN5outer5inner5thing6methodEi
	.globl	member
	.data
	.align 8
	.type	member, @object
	.size	member, 8
member:
	.quad	16
	.globl	reference
	.section	.rodata
	.align 8
	.type	reference, @object
	.size	reference, 8
reference:
	.quad	_ZN5outer5inner8variableE
	.globl	choice
	.data
	.type	choice, @object
	.size	choice, 1
choice:
	.byte	4
	.globl	things
	.bss
	.align 16
	.type	things, @object
	.size	things, 24
things:
	.zero	24
	.globl	numbers
	.data
	.align 16
	.type	numbers, @object
	.size	numbers, 20
numbers:
	.long	1
	.long	2
	.long	3
	.long	4
	.long	5
	.align 4
	.type	_ZN12_GLOBAL__N_16hiddenE, @object
	.size	_ZN12_GLOBAL__N_16hiddenE, 4
_ZN12_GLOBAL__N_16hiddenE:
	.long	13
	.globl	_ZN5outer5otherE
	.align 4
	.type	_ZN5outer5otherE, @object
	.size	_ZN5outer5otherE, 4
_ZN5outer5otherE:
	.long	2
	.globl	_ZN5outer5inner6objectE
	.bss
	.align 32
	.type	_ZN5outer5inner6objectE, @object
	.size	_ZN5outer5inner6objectE, 40
_ZN5outer5inner6objectE:
	.zero	40
	.globl	_ZN5outer5inner5otherE
	.data
	.align 4
	.type	_ZN5outer5inner5otherE, @object
	.size	_ZN5outer5inner5otherE, 4
_ZN5outer5inner5otherE:
	.long	1
	.globl	_ZN5outer5inner8variableE
	.align 4
	.type	_ZN5outer5inner8variableE, @object
	.size	_ZN5outer5inner8variableE, 4
_ZN5outer5inner8variableE:
	.long	77
	.globl	_ZN5outer5inner5thing6sharedE
	.align 4
	.type	_ZN5outer5inner5thing6sharedE, @object
	.size	_ZN5outer5inner5thing6sharedE, 4
_ZN5outer5inner5thing6sharedE:
	.long	5
	.section	.rodata.cst8,"aM",@progbits,8
	.align 8
.LC0:
	.long	9
	.long	17
	.text
.Letext0:
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.long	0x718
	.value	0x5
	.byte	0x1
	.byte	0x8
	.long	.Ldebug_abbrev0
	.uleb128 0x22
	.long	.LASF56
	.byte	0x21
	.long	.LASF0
	.long	.LASF1
	.long	.LLRL12
	.quad	0
	.long	.Ldebug_line0
	.uleb128 0x23
	.long	.LASF57
	.byte	0x1
	.byte	0x6
	.byte	0x7
	.long	0x36
	.uleb128 0xa
	.byte	0x8
	.byte	0x7
	.long	.LASF32
	.uleb128 0x12
	.long	.LASF2
	.byte	0xc
	.long	0x2ce
	.uleb128 0x12
	.long	.LASF3
	.byte	0xe
	.long	0x2be
	.uleb128 0x24
	.long	.LASF5
	.byte	0x20
	.byte	0x1
	.byte	0x10
	.byte	0x8
	.long	0x51
	.long	0x14b
	.uleb128 0x25
	.long	.LASF58
	.byte	0x7
	.byte	0x4
	.long	0x2ce
	.byte	0x1
	.byte	0x11
	.byte	0x7
	.long	0x81
	.uleb128 0x13
	.string	"ONE"
	.byte	0x1
	.uleb128 0x13
	.string	"TWO"
	.byte	0x16
	.byte	0
	.uleb128 0xb
	.long	.LASF4
	.long	.LASF6
	.long	0x92
	.long	0x9d
	.uleb128 0x1
	.long	0x41f
	.uleb128 0x1
	.long	0x2d5
	.byte	0
	.uleb128 0xb
	.long	.LASF5
	.long	.LASF7
	.long	0xae
	.long	0xb9
	.uleb128 0x1
	.long	0x41f
	.uleb128 0x3
	.long	0x429
	.byte	0
	.uleb128 0xb
	.long	.LASF5
	.long	.LASF8
	.long	0xca
	.long	0xd5
	.uleb128 0x1
	.long	0x41f
	.uleb128 0x3
	.long	0x42e
	.byte	0
	.uleb128 0xb
	.long	.LASF5
	.long	.LASF9
	.long	0xe6
	.long	0xec
	.uleb128 0x1
	.long	0x41f
	.byte	0
	.uleb128 0x26
	.long	.LASF59
	.long	0x43e
	.byte	0
	.uleb128 0xc
	.string	"a"
	.byte	0x13
	.byte	0x6
	.long	0x2d5
	.byte	0x8
	.uleb128 0xc
	.string	"b"
	.byte	0x14
	.byte	0x7
	.long	0x3ef
	.byte	0x10
	.uleb128 0xc
	.string	"k"
	.byte	0x15
	.byte	0x7
	.long	0x62
	.byte	0x18
	.uleb128 0x5
	.long	.LASF21
	.byte	0x1d
	.byte	0x5
	.long	.LASF23
	.long	0x2d5
	.uleb128 0x27
	.long	.LASF60
	.byte	0x1
	.byte	0x18
	.byte	0xe
	.long	.LASF61
	.long	0x2d5
	.byte	0x1
	.uleb128 0x2
	.byte	0x10
	.uleb128 0
	.long	0x51
	.long	0x13f
	.uleb128 0x1
	.long	0x41f
	.uleb128 0x3
	.long	0x2d5
	.byte	0
	.byte	0
	.uleb128 0xd
	.long	0x51
	.uleb128 0x28
	.long	.LASF13
	.byte	0x28
	.byte	0x1
	.byte	0x1f
	.byte	0x7
	.long	0x51
	.long	0x207
	.uleb128 0x29
	.long	.LASF10
	.byte	0x4
	.byte	0x1
	.byte	0x22
	.byte	0x9
	.byte	0x1
	.long	0x17c
	.uleb128 0x6
	.long	.LASF11
	.byte	0x23
	.byte	0x7
	.long	0x2d5
	.byte	0
	.byte	0
	.uleb128 0x2a
	.long	0x51
	.byte	0
	.byte	0x1
	.uleb128 0xf
	.long	.LASF12
	.long	.LASF14
	.long	0x194
	.long	0x19f
	.uleb128 0x1
	.long	0x40b
	.uleb128 0x1
	.long	0x2d5
	.byte	0
	.uleb128 0xf
	.long	.LASF13
	.long	.LASF15
	.long	0x1b0
	.long	0x1bb
	.uleb128 0x1
	.long	0x40b
	.uleb128 0x3
	.long	0x415
	.byte	0
	.uleb128 0xf
	.long	.LASF13
	.long	.LASF16
	.long	0x1cc
	.long	0x1d7
	.uleb128 0x1
	.long	0x40b
	.uleb128 0x3
	.long	0x41a
	.byte	0
	.uleb128 0x14
	.long	.LASF17
	.byte	0x26
	.byte	0x6
	.long	0x2d5
	.byte	0x1c
	.uleb128 0x14
	.long	.LASF18
	.byte	0x27
	.byte	0x9
	.long	0x161
	.byte	0x20
	.uleb128 0x2b
	.long	.LASF13
	.byte	0x1
	.byte	0x28
	.byte	0x2
	.long	.LASF53
	.byte	0x1
	.long	0x200
	.uleb128 0x1
	.long	0x40b
	.byte	0
	.byte	0
	.uleb128 0xd
	.long	0x150
	.uleb128 0x2c
	.long	.LASF62
	.byte	0x7
	.byte	0x1
	.long	0x2eb
	.byte	0x1
	.byte	0x36
	.byte	0xc
	.long	0x22b
	.uleb128 0x15
	.long	.LASF19
	.byte	0x3
	.uleb128 0x15
	.long	.LASF20
	.byte	0x4
	.byte	0
	.uleb128 0x5
	.long	.LASF22
	.byte	0x38
	.byte	0x5
	.long	.LASF24
	.long	0x2d5
	.uleb128 0x5
	.long	.LASF25
	.byte	0x39
	.byte	0x5
	.long	.LASF26
	.long	0x2d5
	.uleb128 0x5
	.long	.LASF27
	.byte	0x3a
	.byte	0x9
	.long	.LASF28
	.long	0x150
	.uleb128 0x16
	.long	.LASF35
	.byte	0x14
	.byte	0x31
	.byte	0x25
	.long	0x28c
	.uleb128 0x6
	.long	.LASF29
	.byte	0x32
	.byte	0x4
	.long	0x366
	.byte	0
	.uleb128 0x6
	.long	.LASF30
	.byte	0x33
	.byte	0x4
	.long	0x2d5
	.byte	0x10
	.uleb128 0x17
	.string	"T"
	.long	0x2d5
	.uleb128 0x18
	.string	"N"
	.long	0x2d5
	.byte	0x4
	.byte	0
	.uleb128 0x2d
	.long	.LASF63
	.byte	0x18
	.byte	0x1
	.byte	0x31
	.byte	0x25
	.uleb128 0x6
	.long	.LASF29
	.byte	0x32
	.byte	0x4
	.long	0x38b
	.byte	0
	.uleb128 0x6
	.long	.LASF30
	.byte	0x33
	.byte	0x4
	.long	0x39b
	.byte	0x10
	.uleb128 0x17
	.string	"T"
	.long	0x39b
	.uleb128 0x18
	.string	"N"
	.long	0x2d5
	.byte	0x2
	.byte	0
	.byte	0
	.uleb128 0x5
	.long	.LASF25
	.byte	0x3d
	.byte	0x5
	.long	.LASF31
	.long	0x2d5
	.byte	0
	.uleb128 0xa
	.byte	0x4
	.byte	0x7
	.long	.LASF33
	.uleb128 0x2e
	.byte	0x4
	.byte	0x5
	.string	"int"
	.uleb128 0x4
	.long	0x114
	.uleb128 0x9
	.byte	0x3
	.quad	_ZN5outer5inner5thing6sharedE
	.uleb128 0xa
	.byte	0x1
	.byte	0x8
	.long	.LASF34
	.uleb128 0x4
	.long	0x22b
	.uleb128 0x9
	.byte	0x3
	.quad	_ZN5outer5inner8variableE
	.uleb128 0x4
	.long	0x23a
	.uleb128 0x9
	.byte	0x3
	.quad	_ZN5outer5inner5otherE
	.uleb128 0x4
	.long	0x249
	.uleb128 0x9
	.byte	0x3
	.quad	_ZN5outer5inner6objectE
	.uleb128 0x4
	.long	0x2be
	.uleb128 0x9
	.byte	0x3
	.quad	_ZN5outer5otherE
	.uleb128 0x2f
	.long	0x357
	.uleb128 0x16
	.long	.LASF36
	.byte	0x4
	.byte	0x42
	.byte	0x8
	.long	0x34a
	.uleb128 0xc
	.string	"z"
	.byte	0x43
	.byte	0x6
	.long	0x2d5
	.byte	0
	.byte	0
	.uleb128 0x30
	.long	.LASF64
	.byte	0x1
	.byte	0x45
	.byte	0x9
	.long	0x333
	.byte	0
	.uleb128 0x4
	.long	0x34a
	.uleb128 0x9
	.byte	0x3
	.quad	_ZN12_GLOBAL__N_16hiddenE
	.uleb128 0x19
	.long	0x2d5
	.long	0x376
	.uleb128 0x1a
	.long	0x36
	.byte	0x3
	.byte	0
	.uleb128 0x7
	.long	.LASF37
	.byte	0x48
	.byte	0x1b
	.long	0x258
	.uleb128 0x9
	.byte	0x3
	.quad	numbers
	.uleb128 0x19
	.long	0x39b
	.long	0x39b
	.uleb128 0x1a
	.long	0x36
	.byte	0x1
	.byte	0
	.uleb128 0xe
	.long	0x14b
	.uleb128 0x7
	.long	.LASF38
	.byte	0x49
	.byte	0x33
	.long	0x28c
	.uleb128 0x9
	.byte	0x3
	.quad	things
	.uleb128 0x7
	.long	.LASF39
	.byte	0x4a
	.byte	0x16
	.long	0x20c
	.uleb128 0x9
	.byte	0x3
	.quad	choice
	.uleb128 0x7
	.long	.LASF40
	.byte	0x4b
	.byte	0x6
	.long	0x3df
	.uleb128 0x9
	.byte	0x3
	.quad	reference
	.uleb128 0x10
	.long	0x2d5
	.uleb128 0x31
	.long	0x51
	.long	0x3ef
	.uleb128 0x1
	.byte	0x22
	.uleb128 0xa
	.byte	0x8
	.byte	0x5
	.long	.LASF41
	.uleb128 0x7
	.long	.LASF42
	.byte	0x4c
	.byte	0x1c
	.long	0x3e4
	.uleb128 0x9
	.byte	0x3
	.quad	member
	.uleb128 0xe
	.long	0x150
	.uleb128 0xd
	.long	0x40b
	.uleb128 0x1b
	.long	0x150
	.uleb128 0x10
	.long	0x207
	.uleb128 0xe
	.long	0x51
	.uleb128 0xd
	.long	0x41f
	.uleb128 0x1b
	.long	0x51
	.uleb128 0x10
	.long	0x14b
	.uleb128 0x32
	.long	0x2d5
	.long	0x43e
	.uleb128 0x33
	.byte	0
	.uleb128 0xe
	.long	0x443
	.uleb128 0x34
	.byte	0x8
	.long	.LASF65
	.long	0x433
	.uleb128 0x35
	.long	.LASF45
	.quad	.LFB11
	.quad	.LFE11-.LFB11
	.uleb128 0x1
	.byte	0x9c
	.long	0x500
	.uleb128 0x8
	.long	0x500
	.quad	.LBI49
	.byte	.LVU46
	.quad	.LBB49
	.quad	.LBE49-.LBB49
	.byte	0x5f
	.byte	0x1
	.uleb128 0x2
	.long	0x515
	.long	.LLST8
	.long	.LVUS8
	.uleb128 0x2
	.long	0x50a
	.long	.LLST9
	.long	.LVUS9
	.uleb128 0x8
	.long	0x646
	.quad	.LBI51
	.byte	.LVU47
	.quad	.LBB51
	.quad	.LBE51-.LBB51
	.byte	0x3a
	.byte	0x9
	.uleb128 0x2
	.long	0x654
	.long	.LLST10
	.long	.LVUS10
	.uleb128 0x8
	.long	0x675
	.quad	.LBI54
	.byte	.LVU48
	.quad	.LBB54
	.quad	.LBE54-.LBB54
	.byte	0x28
	.byte	0x15
	.uleb128 0x2
	.long	0x686
	.long	.LLST11
	.long	.LVUS11
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.uleb128 0x36
	.long	.LASF66
	.byte	0x1
	.long	0x521
	.uleb128 0x9
	.long	.LASF43
	.byte	0x5f
	.byte	0x1
	.long	0x2d5
	.uleb128 0x9
	.long	.LASF44
	.byte	0x5f
	.byte	0x1
	.long	0x2d5
	.byte	0
	.uleb128 0x37
	.long	.LASF67
	.byte	0x1
	.byte	0x56
	.byte	0x11
	.quad	.LFB9
	.quad	.LFE9-.LFB9
	.uleb128 0x1
	.byte	0x9c
	.long	0x612
	.uleb128 0x1c
	.long	0x646
	.quad	.LBI28
	.byte	.LVU6
	.long	.LLRL0
	.byte	0x58
	.byte	0x2c
	.long	0x593
	.uleb128 0x2
	.long	0x654
	.long	.LLST1
	.long	.LVUS1
	.uleb128 0x8
	.long	0x675
	.quad	.LBI31
	.byte	.LVU7
	.quad	.LBB31
	.quad	.LBE31-.LBB31
	.byte	0x28
	.byte	0x15
	.uleb128 0x2
	.long	0x686
	.long	.LLST2
	.long	.LVUS2
	.byte	0
	.byte	0
	.uleb128 0x1c
	.long	0x612
	.quad	.LBI38
	.byte	.LVU33
	.long	.LLRL3
	.byte	0x5d
	.byte	0x6
	.long	0x5d1
	.uleb128 0x2
	.long	0x62e
	.long	.LLST4
	.long	.LVUS4
	.uleb128 0x2
	.long	0x623
	.long	.LLST5
	.long	.LVUS5
	.uleb128 0x38
	.long	.LLRL3
	.uleb128 0x1d
	.long	0x639
	.byte	0
	.byte	0
	.uleb128 0x8
	.long	0x612
	.quad	.LBI47
	.byte	.LVU39
	.quad	.LBB47
	.quad	.LBE47-.LBB47
	.byte	0x5e
	.byte	0x6
	.uleb128 0x2
	.long	0x62e
	.long	.LLST6
	.long	.LVUS6
	.uleb128 0x2
	.long	0x623
	.long	.LLST7
	.long	.LVUS7
	.uleb128 0x1d
	.long	0x639
	.byte	0
	.byte	0
	.uleb128 0x39
	.long	.LASF46
	.byte	0x1
	.byte	0x4e
	.byte	0xd
	.long	0x3ef
	.byte	0x1
	.long	0x646
	.uleb128 0x9
	.long	.LASF47
	.byte	0x4e
	.byte	0x17
	.long	0x3ef
	.uleb128 0x9
	.long	.LASF48
	.byte	0x4e
	.byte	0x24
	.long	0x3ef
	.uleb128 0x3a
	.long	.LASF68
	.byte	0x1
	.byte	0x50
	.byte	0x7
	.long	0x3ef
	.byte	0
	.uleb128 0x1e
	.long	0x1ef
	.long	0x654
	.byte	0x2
	.long	0x65e
	.uleb128 0x11
	.long	.LASF49
	.long	0x410
	.byte	0
	.uleb128 0x1f
	.long	0x646
	.long	.LASF50
	.long	0x66f
	.long	0x675
	.uleb128 0x20
	.long	0x654
	.byte	0
	.uleb128 0x3b
	.long	0xd5
	.byte	0x1
	.byte	0x10
	.byte	0x8
	.long	0x686
	.byte	0x2
	.long	0x690
	.uleb128 0x11
	.long	.LASF49
	.long	0x424
	.byte	0
	.uleb128 0x1f
	.long	0x675
	.long	.LASF51
	.long	0x6a1
	.long	0x6a7
	.uleb128 0x20
	.long	0x686
	.byte	0
	.uleb128 0x1e
	.long	0x123
	.long	0x6b5
	.byte	0x3
	.long	0x6c9
	.uleb128 0x11
	.long	.LASF49
	.long	0x424
	.uleb128 0x3c
	.string	"n"
	.byte	0x1
	.byte	0x18
	.byte	0x19
	.long	0x2d5
	.byte	0
	.uleb128 0x3d
	.long	.LASF52
	.byte	0x1
	.byte	0x7
	.byte	0xe
	.long	.LASF54
	.long	0x6ef
	.byte	0x3
	.long	0x6ef
	.uleb128 0x3
	.long	0x2a
	.uleb128 0x9
	.long	.LASF55
	.byte	0x7
	.byte	0x2c
	.long	0x6ef
	.byte	0
	.uleb128 0x3e
	.byte	0x8
	.uleb128 0x3f
	.long	0x6a7
	.long	.LASF61
	.quad	.LFB1
	.quad	.LFE1-.LFB1
	.uleb128 0x1
	.byte	0x9c
	.uleb128 0x21
	.long	0x6b5
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x21
	.long	0x6be
	.uleb128 0x1
	.byte	0x54
	.byte	0
	.byte	0
	.section	.debug_abbrev,"",@progbits
.Ldebug_abbrev0:
	.uleb128 0x1
	.uleb128 0x5
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x34
	.uleb128 0x19
	.byte	0
	.byte	0
	.uleb128 0x2
	.uleb128 0x5
	.byte	0
	.uleb128 0x31
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x17
	.uleb128 0x2137
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x3
	.uleb128 0x5
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x4
	.uleb128 0x34
	.byte	0
	.uleb128 0x47
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x5
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x6e
	.uleb128 0xe
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3c
	.uleb128 0x19
	.byte	0
	.byte	0
	.uleb128 0x6
	.uleb128 0xd
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x38
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x7
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x8
	.uleb128 0x1d
	.byte	0x1
	.uleb128 0x31
	.uleb128 0x13
	.uleb128 0x52
	.uleb128 0x1
	.uleb128 0x2138
	.uleb128 0xb
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x58
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x59
	.uleb128 0xb
	.uleb128 0x57
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x9
	.uleb128 0x5
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xa
	.uleb128 0x24
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3e
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0xe
	.byte	0
	.byte	0
	.uleb128 0xb
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x6e
	.uleb128 0xe
	.uleb128 0x34
	.uleb128 0x19
	.uleb128 0x3c
	.uleb128 0x19
	.uleb128 0x64
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xc
	.uleb128 0xd
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x38
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0xd
	.uleb128 0x26
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xe
	.uleb128 0xf
	.byte	0
	.uleb128 0xb
	.uleb128 0x21
	.sleb128 8
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xf
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x6e
	.uleb128 0xe
	.uleb128 0x34
	.uleb128 0x19
	.uleb128 0x32
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3c
	.uleb128 0x19
	.uleb128 0x64
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x10
	.uleb128 0x10
	.byte	0
	.uleb128 0xb
	.uleb128 0x21
	.sleb128 8
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x11
	.uleb128 0x5
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x34
	.uleb128 0x19
	.byte	0
	.byte	0
	.uleb128 0x12
	.uleb128 0x39
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0x21
	.sleb128 11
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x13
	.uleb128 0x28
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x1c
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x14
	.uleb128 0xd
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x38
	.uleb128 0xb
	.uleb128 0x32
	.uleb128 0x21
	.sleb128 1
	.byte	0
	.byte	0
	.uleb128 0x15
	.uleb128 0x28
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x1c
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x16
	.uleb128 0x13
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x17
	.uleb128 0x2f
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x18
	.uleb128 0x30
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1c
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x19
	.uleb128 0x1
	.byte	0x1
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x1a
	.uleb128 0x21
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2f
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x1b
	.uleb128 0x42
	.byte	0
	.uleb128 0xb
	.uleb128 0x21
	.sleb128 8
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x1c
	.uleb128 0x1d
	.byte	0x1
	.uleb128 0x31
	.uleb128 0x13
	.uleb128 0x52
	.uleb128 0x1
	.uleb128 0x2138
	.uleb128 0xb
	.uleb128 0x55
	.uleb128 0x17
	.uleb128 0x58
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x59
	.uleb128 0xb
	.uleb128 0x57
	.uleb128 0xb
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x1d
	.uleb128 0x34
	.byte	0
	.uleb128 0x31
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x1e
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x47
	.uleb128 0x13
	.uleb128 0x64
	.uleb128 0x13
	.uleb128 0x20
	.uleb128 0xb
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x1f
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x31
	.uleb128 0x13
	.uleb128 0x6e
	.uleb128 0xe
	.uleb128 0x64
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x20
	.uleb128 0x5
	.byte	0
	.uleb128 0x31
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x21
	.uleb128 0x5
	.byte	0
	.uleb128 0x31
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x22
	.uleb128 0x11
	.byte	0x1
	.uleb128 0x25
	.uleb128 0xe
	.uleb128 0x13
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0x1f
	.uleb128 0x1b
	.uleb128 0x1f
	.uleb128 0x55
	.uleb128 0x17
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x10
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x23
	.uleb128 0x16
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x24
	.uleb128 0x13
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x1d
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x25
	.uleb128 0x4
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3e
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x26
	.uleb128 0xd
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x38
	.uleb128 0xb
	.uleb128 0x34
	.uleb128 0x19
	.byte	0
	.byte	0
	.uleb128 0x27
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x6e
	.uleb128 0xe
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x4c
	.uleb128 0xb
	.uleb128 0x4d
	.uleb128 0x18
	.uleb128 0x1d
	.uleb128 0x13
	.uleb128 0x3c
	.uleb128 0x19
	.uleb128 0x64
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x28
	.uleb128 0x2
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x1d
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x29
	.uleb128 0x13
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x32
	.uleb128 0xb
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x2a
	.uleb128 0x1c
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x38
	.uleb128 0xb
	.uleb128 0x32
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x2b
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x6e
	.uleb128 0xe
	.uleb128 0x32
	.uleb128 0xb
	.uleb128 0x3c
	.uleb128 0x19
	.uleb128 0x64
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x2c
	.uleb128 0x4
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x6d
	.uleb128 0x19
	.uleb128 0x3e
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x2d
	.uleb128 0x13
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x2e
	.uleb128 0x24
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3e
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0x8
	.byte	0
	.byte	0
	.uleb128 0x2f
	.uleb128 0x39
	.byte	0x1
	.uleb128 0x89
	.uleb128 0x19
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x30
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x3c
	.uleb128 0x19
	.byte	0
	.byte	0
	.uleb128 0x31
	.uleb128 0x1f
	.byte	0
	.uleb128 0x1d
	.uleb128 0x13
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x4a
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x32
	.uleb128 0x15
	.byte	0x1
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x33
	.uleb128 0x18
	.byte	0
	.byte	0
	.byte	0
	.uleb128 0x34
	.uleb128 0xf
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x35
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x34
	.uleb128 0x19
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7a
	.uleb128 0x19
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x36
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x34
	.uleb128 0x19
	.uleb128 0x20
	.uleb128 0xb
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x37
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7a
	.uleb128 0x19
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x38
	.uleb128 0xb
	.byte	0x1
	.uleb128 0x55
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x39
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x20
	.uleb128 0xb
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x3a
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x3b
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x47
	.uleb128 0x13
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x64
	.uleb128 0x13
	.uleb128 0x20
	.uleb128 0xb
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x3c
	.uleb128 0x5
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x3d
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x6e
	.uleb128 0xe
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x20
	.uleb128 0xb
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x3e
	.uleb128 0xf
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x3f
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x31
	.uleb128 0x13
	.uleb128 0x6e
	.uleb128 0xe
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7a
	.uleb128 0x19
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_loclists,"",@progbits
	.long	.Ldebug_loc3-.Ldebug_loc2
.Ldebug_loc2:
	.value	0x5
	.byte	0x8
	.byte	0
	.long	0
.Ldebug_loc0:
.LVUS8:
	.uleb128 .LVU46
	.uleb128 .LVU60
.LLST8:
	.byte	0x8
	.quad	.LVL6
	.uleb128 .LVL7-.LVL6
	.uleb128 0x4
	.byte	0xa
	.value	0xffff
	.byte	0x9f
	.byte	0
.LVUS9:
	.uleb128 .LVU46
	.uleb128 .LVU60
.LLST9:
	.byte	0x8
	.quad	.LVL6
	.uleb128 .LVL7-.LVL6
	.uleb128 0x2
	.byte	0x31
	.byte	0x9f
	.byte	0
.LVUS10:
	.uleb128 .LVU47
	.uleb128 .LVU60
.LLST10:
	.byte	0x8
	.quad	.LVL6
	.uleb128 .LVL7-.LVL6
	.uleb128 0xa
	.byte	0x3
	.quad	_ZN5outer5inner6objectE
	.byte	0x9f
	.byte	0
.LVUS11:
	.uleb128 .LVU48
	.uleb128 .LVU49
.LLST11:
	.byte	0x8
	.quad	.LVL6
	.uleb128 .LVL6-.LVL6
	.uleb128 0xa
	.byte	0x3
	.quad	_ZN5outer5inner6objectE
	.byte	0x9f
	.byte	0
.LVUS1:
	.uleb128 .LVU6
	.uleb128 .LVU26
.LLST1:
	.byte	0x8
	.quad	.LVL1
	.uleb128 .LVL2-.LVL1
	.uleb128 0xa
	.byte	0x3
	.quad	_ZN5outer5inner6objectE
	.byte	0x9f
	.byte	0
.LVUS2:
	.uleb128 .LVU7
	.uleb128 .LVU8
.LLST2:
	.byte	0x8
	.quad	.LVL1
	.uleb128 .LVL1-.LVL1
	.uleb128 0xa
	.byte	0x3
	.quad	_ZN5outer5inner6objectE
	.byte	0x9f
	.byte	0
.LVUS4:
	.uleb128 .LVU33
	.uleb128 .LVU37
.LLST4:
	.byte	0x8
	.quad	.LVL3
	.uleb128 .LVL4-.LVL3
	.uleb128 0x2
	.byte	0x30
	.byte	0x9f
	.byte	0
.LVUS5:
	.uleb128 .LVU33
	.uleb128 .LVU37
.LLST5:
	.byte	0x8
	.quad	.LVL3
	.uleb128 .LVL4-.LVL3
	.uleb128 0x3
	.byte	0x8
	.byte	0x79
	.byte	0x9f
	.byte	0
.LVUS6:
	.uleb128 .LVU39
	.uleb128 .LVU43
.LLST6:
	.byte	0x8
	.quad	.LVL4
	.uleb128 .LVL5-.LVL4
	.uleb128 0x2
	.byte	0x30
	.byte	0x9f
	.byte	0
.LVUS7:
	.uleb128 .LVU39
	.uleb128 .LVU43
.LLST7:
	.byte	0x8
	.quad	.LVL4
	.uleb128 .LVL5-.LVL4
	.uleb128 0x3
	.byte	0x8
	.byte	0xe7
	.byte	0x9f
	.byte	0
.Ldebug_loc3:
	.section	.debug_aranges,"",@progbits
	.long	0x4c
	.value	0x2
	.long	.Ldebug_info0
	.byte	0x8
	.byte	0
	.value	0
	.value	0
	.quad	.Ltext0
	.quad	.Letext0-.Ltext0
	.quad	.LFB1
	.quad	.LFE1-.LFB1
	.quad	.LFB11
	.quad	.LFE11-.LFB11
	.quad	0
	.quad	0
	.section	.debug_rnglists,"",@progbits
.Ldebug_ranges0:
	.long	.Ldebug_ranges3-.Ldebug_ranges2
.Ldebug_ranges2:
	.value	0x5
	.byte	0x8
	.byte	0
	.long	0
.LLRL0:
	.byte	0x5
	.quad	.LBB28
	.byte	0x4
	.uleb128 .LBB28-.LBB28
	.uleb128 .LBE28-.LBB28
	.byte	0x4
	.uleb128 .LBB42-.LBB28
	.uleb128 .LBE42-.LBB28
	.byte	0x4
	.uleb128 .LBB44-.LBB28
	.uleb128 .LBE44-.LBB28
	.byte	0x4
	.uleb128 .LBB45-.LBB28
	.uleb128 .LBE45-.LBB28
	.byte	0
.LLRL3:
	.byte	0x5
	.quad	.LBB38
	.byte	0x4
	.uleb128 .LBB38-.LBB38
	.uleb128 .LBE38-.LBB38
	.byte	0x4
	.uleb128 .LBB43-.LBB38
	.uleb128 .LBE43-.LBB38
	.byte	0x4
	.uleb128 .LBB46-.LBB38
	.uleb128 .LBE46-.LBB38
	.byte	0
.LLRL12:
	.byte	0x7
	.quad	.Ltext0
	.uleb128 .Letext0-.Ltext0
	.byte	0x7
	.quad	.LFB1
	.uleb128 .LFE1-.LFB1
	.byte	0x7
	.quad	.LFB11
	.uleb128 .LFE11-.LFB11
	.byte	0
.Ldebug_ranges3:
	.section	.debug_line,"",@progbits
.Ldebug_line0:
	.section	.debug_str,"MS",@progbits,1
.LASF6:
	.string	"_ZN5outer5inner5thingD4Ev"
.LASF21:
	.string	"shared"
.LASF36:
	.string	"unnamed"
.LASF40:
	.string	"reference"
.LASF62:
	.string	"scoped"
.LASF14:
	.string	"_ZN5outer5inner7derivedD4Ev"
.LASF7:
	.string	"_ZN5outer5inner5thingC4EOS1_"
.LASF17:
	.string	"extra"
.LASF65:
	.string	"__vtbl_ptr_type"
.LASF10:
	.string	"nested"
.LASF3:
	.string	"inner"
.LASF50:
	.string	"_ZN5outer5inner7derivedC2Ev"
.LASF2:
	.string	"outer"
.LASF20:
	.string	"BETA"
.LASF37:
	.string	"numbers"
.LASF23:
	.string	"_ZN5outer5inner5thing6sharedE"
.LASF60:
	.string	"method"
.LASF52:
	.string	"operator new"
.LASF59:
	.string	"_vptr.thing"
.LASF49:
	.string	"this"
.LASF32:
	.string	"long unsigned int"
.LASF48:
	.string	"argument"
.LASF5:
	.string	"thing"
.LASF58:
	.string	"kind"
.LASF51:
	.string	"_ZN5outer5inner5thingC2Ev"
.LASF35:
	.string	"box<int, 4>"
.LASF42:
	.string	"member"
.LASF26:
	.string	"_ZN5outer5inner5otherE"
.LASF55:
	.string	"place"
.LASF4:
	.string	"~thing"
.LASF8:
	.string	"_ZN5outer5inner5thingC4ERKS1_"
.LASF44:
	.string	"__priority"
.LASF45:
	.string	"_GLOBAL__sub_I__ZN5outer5inner5thing6sharedE"
.LASF29:
	.string	"items"
.LASF33:
	.string	"unsigned int"
.LASF61:
	.string	"_ZN5outer5inner5thing6methodEi"
.LASF64:
	.string	"hidden"
.LASF30:
	.string	"last"
.LASF28:
	.string	"_ZN5outer5inner6objectE"
.LASF12:
	.string	"~derived"
.LASF68:
	.string	"result"
.LASF67:
	.string	"_start"
.LASF15:
	.string	"_ZN5outer5inner7derivedC4EOS1_"
.LASF47:
	.string	"number"
.LASF24:
	.string	"_ZN5outer5inner8variableE"
.LASF54:
	.string	"_ZnwmPv"
.LASF19:
	.string	"ALPHA"
.LASF18:
	.string	"inside"
.LASF38:
	.string	"things"
.LASF27:
	.string	"object"
.LASF57:
	.string	"size_type"
.LASF9:
	.string	"_ZN5outer5inner5thingC4Ev"
.LASF63:
	.string	"box<const outer::inner::thing*, 2>"
.LASF34:
	.string	"unsigned char"
.LASF56:
	.string	"GNU C++17 12.2.0 -mtune=generic -march=x86-64 -g -O2 -fno-rtti -fno-exceptions -fno-asynchronous-unwind-tables -fno-pie -fcf-protection=none"
.LASF31:
	.string	"_ZN5outer5otherE"
.LASF25:
	.string	"other"
.LASF39:
	.string	"choice"
.LASF11:
	.string	"deep"
.LASF41:
	.string	"long int"
.LASF22:
	.string	"variable"
.LASF53:
	.string	"_ZN5outer5inner7derivedC4Ev"
.LASF43:
	.string	"__initialize_p"
.LASF46:
	.string	"call"
.LASF16:
	.string	"_ZN5outer5inner7derivedC4ERKS1_"
.LASF66:
	.string	"__static_initialization_and_destruction_0"
.LASF13:
	.string	"derived"
	.section	.debug_line_str,"MS",@progbits,1
.LASF1:
	.string	"."
.LASF0:
	.string	"names.cc"
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
