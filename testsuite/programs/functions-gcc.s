	.file	"functions.cc"
	.text
.Ltext0:
	.cfi_sections	.debug_frame
	.file 0 "." "functions.cc"
	.section	.text._ZN8geometry5ShapeC2Ei,"axG",@progbits,_ZN8geometry5ShapeC5Ei,comdat
	.align 2
	.p2align 4
	.weak	_ZN8geometry5ShapeC2Ei
	.type	_ZN8geometry5ShapeC2Ei, @function
_ZN8geometry5ShapeC2Ei:
.LVL0:
.LFB1:
	.file 1 "functions.cc"
	.loc 1 15 7 view -0
	.cfi_startproc
.LBB2:
	.loc 1 15 25 is_stmt 0 view .LVU1
	movl	%esi, (%rdi)
.LBE2:
	.loc 1 17 2 view .LVU2
	ret
	.cfi_endproc
.LFE1:
	.size	_ZN8geometry5ShapeC2Ei, .-_ZN8geometry5ShapeC2Ei
	.weak	_ZN8geometry5ShapeC1Ei
	.set	_ZN8geometry5ShapeC1Ei,_ZN8geometry5ShapeC2Ei
	.section	.text._ZN8geometry5Shape5countEi,"axG",@progbits,_ZN8geometry5Shape5countEi,comdat
	.p2align 4
	.weak	_ZN8geometry5Shape5countEi
	.type	_ZN8geometry5Shape5countEi, @function
_ZN8geometry5Shape5countEi:
.LVL1:
.LFB3:
	.loc 1 19 18 is_stmt 1 view -0
	.cfi_startproc
	.loc 1 21 3 view .LVU4
	.loc 1 21 14 is_stmt 0 view .LVU5
	leal	1(%rdi), %eax
	.loc 1 22 2 view .LVU6
	ret
	.cfi_endproc
.LFE3:
	.size	_ZN8geometry5Shape5countEi, .-_ZN8geometry5Shape5countEi
	.section	.text._ZNK8geometry5ShapeltERKS0_,"axG",@progbits,_ZNK8geometry5ShapeltERKS0_,comdat
	.align 2
	.p2align 4
	.weak	_ZNK8geometry5ShapeltERKS0_
	.type	_ZNK8geometry5ShapeltERKS0_, @function
_ZNK8geometry5ShapeltERKS0_:
.LVL2:
.LFB4:
	.loc 1 23 11 is_stmt 1 view -0
	.cfi_startproc
	.loc 1 25 3 view .LVU8
	.loc 1 25 15 is_stmt 0 view .LVU9
	movl	(%rsi), %eax
	cmpl	%eax, (%rdi)
	setl	%al
	movzbl	%al, %eax
	.loc 1 26 2 view .LVU10
	ret
	.cfi_endproc
.LFE4:
	.size	_ZNK8geometry5ShapeltERKS0_, .-_ZNK8geometry5ShapeltERKS0_
	.text
	.align 2
	.p2align 4
	.globl	_ZNK8geometry5Shape4areaEi
	.type	_ZNK8geometry5Shape4areaEi, @function
_ZNK8geometry5Shape4areaEi:
.LVL3:
.LFB5:
	.loc 1 30 1 is_stmt 1 view -0
	.cfi_startproc
	.loc 1 31 2 view .LVU12
	.loc 1 31 9 is_stmt 0 view .LVU13
	movl	(%rdi), %eax
	.loc 1 31 14 view .LVU14
	imull	%eax, %eax
	.loc 1 31 23 view .LVU15
	imull	%esi, %eax
	.loc 1 32 1 view .LVU16
	ret
	.cfi_endproc
.LFE5:
	.size	_ZNK8geometry5Shape4areaEi, .-_ZNK8geometry5Shape4areaEi
	.p2align 4
	.type	_ZN8geometry12_GLOBAL__N_16hiddenEi, @function
_ZN8geometry12_GLOBAL__N_16hiddenEi:
.LVL4:
.LFB6:
	.loc 1 37 1 is_stmt 1 view -0
	.cfi_startproc
	.loc 1 38 2 view .LVU18
	.loc 1 38 13 is_stmt 0 view .LVU19
	leal	(%rdi,%rdi,2), %eax
	.loc 1 39 1 view .LVU20
	ret
	.cfi_endproc
.LFE6:
	.size	_ZN8geometry12_GLOBAL__N_16hiddenEi, .-_ZN8geometry12_GLOBAL__N_16hiddenEi
	.p2align 4
	.globl	_ZN8geometry3putEi
	.type	_ZN8geometry3putEi, @function
_ZN8geometry3putEi:
.LVL5:
.LFB7:
	.loc 1 43 1 is_stmt 1 view -0
	.cfi_startproc
	.loc 1 44 2 view .LVU22
	.loc 1 43 1 is_stmt 0 view .LVU23
	movl	%edi, %eax
	.loc 1 45 1 view .LVU24
	ret
	.cfi_endproc
.LFE7:
	.size	_ZN8geometry3putEi, .-_ZN8geometry3putEi
	.p2align 4
	.globl	_ZN8geometry3putEl
	.type	_ZN8geometry3putEl, @function
_ZN8geometry3putEl:
.LVL6:
.LFB8:
	.loc 1 47 1 is_stmt 1 view -0
	.cfi_startproc
	.loc 1 48 2 view .LVU26
	.loc 1 48 18 is_stmt 0 view .LVU27
	leal	2(%rdi), %eax
	.loc 1 49 1 view .LVU28
	ret
	.cfi_endproc
.LFE8:
	.size	_ZN8geometry3putEl, .-_ZN8geometry3putEl
	.p2align 4
	.globl	_Z4areai
	.type	_Z4areai, @function
_Z4areai:
.LVL7:
.LFB11:
	.loc 1 66 1 is_stmt 1 view -0
	.cfi_startproc
	.loc 1 67 2 view .LVU30
	.loc 1 67 13 is_stmt 0 view .LVU31
	leal	-1(%rdi), %eax
	.loc 1 68 1 view .LVU32
	ret
	.cfi_endproc
.LFE11:
	.size	_Z4areai, .-_Z4areai
	.section	.text._ZNK3BoxIiE3getEv,"axG",@progbits,_ZNK3BoxIiE3getEv,comdat
	.align 2
	.p2align 4
	.weak	_ZNK3BoxIiE3getEv
	.type	_ZNK3BoxIiE3getEv, @function
_ZNK3BoxIiE3getEv:
.LVL8:
.LFB13:
	.loc 1 54 9 is_stmt 1 view -0
	.cfi_startproc
	.loc 1 56 10 is_stmt 0 view .LVU34
	movl	(%rdi), %eax
	.loc 1 57 2 view .LVU35
	ret
	.cfi_endproc
.LFE13:
	.size	_ZNK3BoxIiE3getEv, .-_ZNK3BoxIiE3getEv
	.section	.text._Z7largestIiET_S0_S0_,"axG",@progbits,_Z7largestIiET_S0_S0_,comdat
	.p2align 4
	.weak	_Z7largestIiET_S0_S0_
	.type	_Z7largestIiET_S0_S0_, @function
_Z7largestIiET_S0_S0_:
.LVL9:
.LFB14:
	.loc 1 60 30 is_stmt 1 view -0
	.cfi_startproc
	.loc 1 62 21 is_stmt 0 view .LVU37
	cmpl	%esi, %edi
	movl	%esi, %eax
	cmovge	%edi, %eax
	.loc 1 63 1 view .LVU38
	ret
	.cfi_endproc
.LFE14:
	.size	_Z7largestIiET_S0_S0_, .-_Z7largestIiET_S0_S0_
	.section	.text._Z7largestIlET_S0_S0_,"axG",@progbits,_Z7largestIlET_S0_S0_,comdat
	.p2align 4
	.weak	_Z7largestIlET_S0_S0_
	.type	_Z7largestIlET_S0_S0_, @function
_Z7largestIlET_S0_S0_:
.LVL10:
.LFB15:
	.loc 1 60 30 is_stmt 1 view -0
	.cfi_startproc
	.loc 1 62 21 is_stmt 0 view .LVU40
	cmpq	%rsi, %rdi
	movq	%rsi, %rax
	cmovge	%rdi, %rax
	.loc 1 63 1 view .LVU41
	ret
	.cfi_endproc
.LFE15:
	.size	_Z7largestIlET_S0_S0_, .-_Z7largestIlET_S0_S0_
	.text
	.p2align 4
	.globl	run
	.type	run, @function
run:
.LVL11:
.LFB12:
	.loc 1 71 1 is_stmt 1 view -0
	.cfi_startproc
	.loc 1 72 2 view .LVU43
	.loc 1 71 1 is_stmt 0 view .LVU44
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	.loc 1 72 25 view .LVU45
	movl	%edi, %esi
	.loc 1 71 1 view .LVU46
	movl	%edi, %ebp
	pushq	%rbx
	.cfi_def_cfa_offset 24
	.cfi_offset 3, -24
	subq	$24, %rsp
	.cfi_def_cfa_offset 48
	.loc 1 72 25 view .LVU47
	leaq	4(%rsp), %rdi
.LVL12:
	.loc 1 72 25 view .LVU48
	call	_ZN8geometry5ShapeC1Ei
.LVL13:
	.loc 1 73 2 is_stmt 1 view .LVU49
	.loc 1 75 19 is_stmt 0 view .LVU50
	movl	$2, %esi
	leaq	4(%rsp), %rdi
	.loc 1 73 19 view .LVU51
	movl	%ebp, 8(%rsp)
	.loc 1 75 2 is_stmt 1 view .LVU52
	.loc 1 75 19 is_stmt 0 view .LVU53
	call	_ZNK8geometry5Shape4areaEi
.LVL14:
	.loc 1 75 47 view .LVU54
	movl	%ebp, %edi
	.loc 1 75 19 view .LVU55
	movl	%eax, %ebx
	.loc 1 75 47 view .LVU56
	call	_ZN8geometry5Shape5countEi
.LVL15:
	.loc 1 75 72 view .LVU57
	leaq	12(%rsp), %rdi
	movl	$3, %esi
	.loc 1 75 23 view .LVU58
	addl	%eax, %ebx
	.loc 1 75 72 view .LVU59
	call	_ZN8geometry5ShapeC1Ei
.LVL16:
	.loc 1 75 60 view .LVU60
	leaq	12(%rsp), %rsi
	leaq	4(%rsp), %rdi
	call	_ZNK8geometry5ShapeltERKS0_
.LVL17:
	.loc 1 75 100 view .LVU61
	movl	%ebp, %edi
	.loc 1 75 51 view .LVU62
	addl	%eax, %ebx
	.loc 1 75 100 view .LVU63
	call	_ZN8geometry12_GLOBAL__N_16hiddenEi
.LVL18:
	.loc 1 75 82 view .LVU64
	addl	%eax, %ebx
	.loc 1 76 22 view .LVU65
	call	_ZN8geometry3putEi
.LVL19:
	.loc 1 76 41 view .LVU66
	movl	$5, %edi
	.loc 1 75 104 view .LVU67
	addl	%eax, %ebx
	.loc 1 76 41 view .LVU68
	call	_ZN8geometry3putEl
.LVL20:
	.loc 1 76 55 view .LVU69
	leaq	8(%rsp), %rdi
	.loc 1 76 26 view .LVU70
	addl	%eax, %ebx
	.loc 1 76 55 view .LVU71
	call	_ZNK3BoxIiE3getEv
.LVL21:
	.loc 1 76 67 view .LVU72
	movl	%ebp, %edi
	movl	$2, %esi
	.loc 1 76 46 view .LVU73
	addl	%eax, %ebx
	.loc 1 76 67 view .LVU74
	call	_Z7largestIiET_S0_S0_
.LVL22:
	.loc 1 76 88 view .LVU75
	movl	$3, %edi
	movl	$4, %esi
	.loc 1 76 58 view .LVU76
	addl	%eax, %ebx
	.loc 1 76 88 view .LVU77
	call	_Z7largestIlET_S0_S0_
.LVL23:
	.loc 1 76 103 view .LVU78
	movl	%ebp, %edi
	.loc 1 76 74 view .LVU79
	addl	%eax, %ebx
	.loc 1 76 103 view .LVU80
	call	_Z4areai
.LVL24:
	.loc 1 77 1 view .LVU81
	addq	$24, %rsp
	.cfi_def_cfa_offset 24
	.loc 1 76 105 view .LVU82
	addl	%ebx, %eax
	.loc 1 77 1 view .LVU83
	popq	%rbx
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
.LVL25:
	.loc 1 77 1 view .LVU84
	ret
	.cfi_endproc
.LFE12:
	.size	run, .-run
.Letext0:
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.long	0x553
	.value	0x5
	.byte	0x1
	.byte	0x8
	.long	.Ldebug_abbrev0
	.uleb128 0x12
	.long	.LASF23
	.byte	0x21
	.long	.LASF0
	.long	.LASF1
	.long	.LLRL1
	.quad	0
	.long	.Ldebug_line0
	.uleb128 0x13
	.long	.LASF24
	.byte	0x1
	.byte	0x8
	.byte	0xb
	.long	0x118
	.uleb128 0x14
	.long	.LASF2
	.byte	0x4
	.byte	0x1
	.byte	0xa
	.byte	0x7
	.long	0xce
	.uleb128 0xc
	.long	.LASF10
	.byte	0xc
	.byte	0x6
	.long	0x118
	.uleb128 0x15
	.long	.LASF2
	.byte	0x1
	.byte	0xf
	.byte	0x7
	.long	.LASF4
	.byte	0x1
	.long	0x63
	.long	0x6e
	.uleb128 0x6
	.long	0x11f
	.uleb128 0x4
	.long	0x118
	.byte	0
	.uleb128 0x16
	.long	.LASF17
	.byte	0x1
	.byte	0x12
	.byte	0xb
	.long	.LASF25
	.long	0x118
	.byte	0x1
	.long	0x87
	.long	0x92
	.uleb128 0x6
	.long	0x129
	.uleb128 0x4
	.long	0x118
	.byte	0
	.uleb128 0x17
	.long	.LASF3
	.byte	0x1
	.byte	0x13
	.byte	0x12
	.long	.LASF5
	.long	0x118
	.byte	0x1
	.long	0xad
	.uleb128 0x4
	.long	0x118
	.byte	0
	.uleb128 0x18
	.long	.LASF6
	.byte	0x1
	.byte	0x17
	.byte	0xb
	.long	.LASF7
	.long	0x118
	.byte	0x1
	.long	0xc2
	.uleb128 0x6
	.long	0x129
	.uleb128 0x4
	.long	0x133
	.byte	0
	.byte	0
	.uleb128 0x5
	.long	0x36
	.uleb128 0xd
	.string	"put"
	.byte	0x2e
	.long	.LASF8
	.long	0x118
	.long	0xeb
	.uleb128 0x4
	.long	0x1c9
	.byte	0
	.uleb128 0xd
	.string	"put"
	.byte	0x2a
	.long	.LASF9
	.long	0x118
	.long	0x103
	.uleb128 0x4
	.long	0x118
	.byte	0
	.uleb128 0x19
	.uleb128 0x1a
	.long	.LASF26
	.byte	0x1
	.byte	0x24
	.byte	0xa
	.long	0x118
	.uleb128 0x4
	.long	0x118
	.byte	0
	.byte	0
	.byte	0
	.uleb128 0x1b
	.byte	0x4
	.byte	0x5
	.string	"int"
	.uleb128 0x8
	.long	0x36
	.uleb128 0x5
	.long	0x11f
	.uleb128 0x8
	.long	0xce
	.uleb128 0x5
	.long	0x129
	.uleb128 0x1c
	.byte	0x8
	.long	0xce
	.uleb128 0x1d
	.long	.LASF27
	.byte	0x4
	.byte	0x1
	.byte	0x34
	.byte	0x1e
	.long	0x177
	.uleb128 0xc
	.long	.LASF11
	.byte	0x35
	.byte	0x4
	.long	0x118
	.uleb128 0x1e
	.string	"get"
	.byte	0x1
	.byte	0x36
	.byte	0x9
	.long	.LASF28
	.long	0x118
	.long	0x169
	.long	0x16f
	.uleb128 0x6
	.long	0x17c
	.byte	0
	.uleb128 0x9
	.string	"T"
	.long	0x118
	.byte	0
	.uleb128 0x5
	.long	0x139
	.uleb128 0x8
	.long	0x177
	.uleb128 0x5
	.long	0x17c
	.uleb128 0xa
	.long	.LASF13
	.byte	0x3c
	.byte	0x1e
	.long	.LASF15
	.long	0x1c9
	.quad	.LFB15
	.quad	.LFE15-.LFB15
	.uleb128 0x1
	.byte	0x9c
	.long	0x1c9
	.uleb128 0x9
	.string	"T"
	.long	0x1c9
	.uleb128 0x2
	.string	"a"
	.byte	0x3c
	.byte	0x28
	.long	0x1c9
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x2
	.string	"b"
	.byte	0x3c
	.byte	0x2d
	.long	0x1c9
	.uleb128 0x1
	.byte	0x54
	.byte	0
	.uleb128 0x1f
	.byte	0x8
	.byte	0x5
	.long	.LASF12
	.uleb128 0xa
	.long	.LASF14
	.byte	0x3c
	.byte	0x1e
	.long	.LASF16
	.long	0x118
	.quad	.LFB14
	.quad	.LFE14-.LFB14
	.uleb128 0x1
	.byte	0x9c
	.long	0x213
	.uleb128 0x9
	.string	"T"
	.long	0x118
	.uleb128 0x2
	.string	"a"
	.byte	0x3c
	.byte	0x28
	.long	0x118
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x2
	.string	"b"
	.byte	0x3c
	.byte	0x2d
	.long	0x118
	.uleb128 0x1
	.byte	0x54
	.byte	0
	.uleb128 0xe
	.long	0x151
	.long	0x232
	.quad	.LFB13
	.quad	.LFE13-.LFB13
	.uleb128 0x1
	.byte	0x9c
	.long	0x23e
	.uleb128 0xb
	.long	.LASF20
	.long	0x181
	.uleb128 0x1
	.byte	0x55
	.byte	0
	.uleb128 0x20
	.string	"run"
	.byte	0x1
	.byte	0x46
	.byte	0x10
	.long	0x118
	.quad	.LFB12
	.quad	.LFE12-.LFB12
	.uleb128 0x1
	.byte	0x9c
	.long	0x3c5
	.uleb128 0x21
	.string	"n"
	.byte	0x1
	.byte	0x46
	.byte	0x18
	.long	0x118
	.long	.LLST0
	.long	.LVUS0
	.uleb128 0x22
	.long	.LASF18
	.byte	0x1
	.byte	0x48
	.byte	0x12
	.long	0x36
	.uleb128 0x2
	.byte	0x91
	.sleb128 -44
	.uleb128 0x23
	.string	"box"
	.byte	0x1
	.byte	0x49
	.byte	0xb
	.long	0x139
	.uleb128 0x2
	.byte	0x91
	.sleb128 -40
	.uleb128 0xf
	.quad	.LVL13
	.long	0x2aa
	.uleb128 0x1
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x2
	.byte	0x91
	.sleb128 -44
	.uleb128 0x1
	.uleb128 0x1
	.byte	0x54
	.uleb128 0x2
	.byte	0x76
	.sleb128 0
	.byte	0
	.uleb128 0x3
	.quad	.LVL14
	.long	0x46b
	.long	0x2c8
	.uleb128 0x1
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x2
	.byte	0x75
	.sleb128 0
	.uleb128 0x1
	.uleb128 0x1
	.byte	0x54
	.uleb128 0x2
	.byte	0x74
	.sleb128 0
	.byte	0
	.uleb128 0x3
	.quad	.LVL15
	.long	0x4dd
	.long	0x2e0
	.uleb128 0x1
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x2
	.byte	0x76
	.sleb128 0
	.byte	0
	.uleb128 0xf
	.quad	.LVL16
	.long	0x2f9
	.uleb128 0x1
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x2
	.byte	0x91
	.sleb128 -36
	.uleb128 0x1
	.uleb128 0x1
	.byte	0x54
	.uleb128 0x1
	.byte	0x33
	.byte	0
	.uleb128 0x3
	.quad	.LVL17
	.long	0x4a5
	.long	0x317
	.uleb128 0x1
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x2
	.byte	0x91
	.sleb128 -44
	.uleb128 0x1
	.uleb128 0x1
	.byte	0x54
	.uleb128 0x2
	.byte	0x91
	.sleb128 -36
	.byte	0
	.uleb128 0x3
	.quad	.LVL18
	.long	0x444
	.long	0x32f
	.uleb128 0x1
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x2
	.byte	0x76
	.sleb128 0
	.byte	0
	.uleb128 0x3
	.quad	.LVL19
	.long	0x41d
	.long	0x347
	.uleb128 0x1
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x2
	.byte	0x76
	.sleb128 0
	.byte	0
	.uleb128 0x3
	.quad	.LVL20
	.long	0x3f6
	.long	0x35f
	.uleb128 0x1
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x2
	.byte	0x75
	.sleb128 0
	.byte	0
	.uleb128 0x3
	.quad	.LVL21
	.long	0x213
	.long	0x377
	.uleb128 0x1
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x2
	.byte	0x91
	.sleb128 -40
	.byte	0
	.uleb128 0x3
	.quad	.LVL22
	.long	0x1d0
	.long	0x394
	.uleb128 0x1
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x2
	.byte	0x76
	.sleb128 0
	.uleb128 0x1
	.uleb128 0x1
	.byte	0x54
	.uleb128 0x1
	.byte	0x32
	.byte	0
	.uleb128 0x3
	.quad	.LVL23
	.long	0x186
	.long	0x3b0
	.uleb128 0x1
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x1
	.byte	0x33
	.uleb128 0x1
	.uleb128 0x1
	.byte	0x54
	.uleb128 0x1
	.byte	0x34
	.byte	0
	.uleb128 0x24
	.quad	.LVL24
	.long	0x3c5
	.uleb128 0x1
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x2
	.byte	0x76
	.sleb128 0
	.byte	0
	.byte	0
	.uleb128 0xa
	.long	.LASF17
	.byte	0x41
	.byte	0xa
	.long	.LASF19
	.long	0x118
	.quad	.LFB11
	.quad	.LFE11-.LFB11
	.uleb128 0x1
	.byte	0x9c
	.long	0x3f6
	.uleb128 0x2
	.string	"n"
	.byte	0x41
	.byte	0x13
	.long	0x118
	.uleb128 0x1
	.byte	0x55
	.byte	0
	.uleb128 0x7
	.long	0xd3
	.quad	.LFB8
	.quad	.LFE8-.LFB8
	.uleb128 0x1
	.byte	0x9c
	.long	0x41d
	.uleb128 0x2
	.string	"n"
	.byte	0x2e
	.byte	0x13
	.long	0x1c9
	.uleb128 0x1
	.byte	0x55
	.byte	0
	.uleb128 0x7
	.long	0xeb
	.quad	.LFB7
	.quad	.LFE7-.LFB7
	.uleb128 0x1
	.byte	0x9c
	.long	0x444
	.uleb128 0x2
	.string	"n"
	.byte	0x2a
	.byte	0x12
	.long	0x118
	.uleb128 0x1
	.byte	0x55
	.byte	0
	.uleb128 0x7
	.long	0x104
	.quad	.LFB6
	.quad	.LFE6-.LFB6
	.uleb128 0x1
	.byte	0x9c
	.long	0x46b
	.uleb128 0x2
	.string	"n"
	.byte	0x24
	.byte	0x15
	.long	0x118
	.uleb128 0x1
	.byte	0x55
	.byte	0
	.uleb128 0x25
	.long	0x6e
	.byte	0x1d
	.byte	0x5
	.long	0x48c
	.quad	.LFB5
	.quad	.LFE5-.LFB5
	.uleb128 0x1
	.byte	0x9c
	.long	0x4a5
	.uleb128 0xb
	.long	.LASF20
	.long	0x12e
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x10
	.long	.LASF21
	.byte	0x1d
	.byte	0x15
	.long	0x118
	.uleb128 0x1
	.byte	0x54
	.byte	0
	.uleb128 0xe
	.long	0xad
	.long	0x4c4
	.quad	.LFB4
	.quad	.LFE4-.LFB4
	.uleb128 0x1
	.byte	0x9c
	.long	0x4dd
	.uleb128 0xb
	.long	.LASF20
	.long	0x12e
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x10
	.long	.LASF22
	.byte	0x17
	.byte	0x22
	.long	0x133
	.uleb128 0x1
	.byte	0x54
	.byte	0
	.uleb128 0x7
	.long	0x92
	.quad	.LFB3
	.quad	.LFE3-.LFB3
	.uleb128 0x1
	.byte	0x9c
	.long	0x504
	.uleb128 0x2
	.string	"n"
	.byte	0x13
	.byte	0x1c
	.long	0x118
	.uleb128 0x1
	.byte	0x55
	.byte	0
	.uleb128 0x26
	.long	0x4e
	.long	0x512
	.byte	0x2
	.long	0x528
	.uleb128 0x27
	.long	.LASF20
	.long	0x124
	.uleb128 0x28
	.long	.LASF10
	.byte	0x1
	.byte	0xf
	.byte	0x11
	.long	0x118
	.byte	0
	.uleb128 0x29
	.long	0x504
	.long	.LASF29
	.long	0x547
	.quad	.LFB1
	.quad	.LFE1-.LFB1
	.uleb128 0x1
	.byte	0x9c
	.uleb128 0x11
	.long	0x512
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x11
	.long	0x51b
	.uleb128 0x1
	.byte	0x54
	.byte	0
	.byte	0
	.section	.debug_abbrev,"",@progbits
.Ldebug_abbrev0:
	.uleb128 0x1
	.uleb128 0x49
	.byte	0
	.uleb128 0x2
	.uleb128 0x18
	.uleb128 0x7e
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x2
	.uleb128 0x5
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
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x3
	.uleb128 0x48
	.byte	0x1
	.uleb128 0x7d
	.uleb128 0x1
	.uleb128 0x7f
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x4
	.uleb128 0x5
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x5
	.uleb128 0x26
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x6
	.uleb128 0x5
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x34
	.uleb128 0x19
	.byte	0
	.byte	0
	.uleb128 0x7
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x47
	.uleb128 0x13
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
	.uleb128 0x8
	.uleb128 0xf
	.byte	0
	.uleb128 0xb
	.uleb128 0x21
	.sleb128 8
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x9
	.uleb128 0x2f
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xa
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
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
	.uleb128 0xb
	.uleb128 0x5
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x34
	.uleb128 0x19
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0xc
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
	.uleb128 0x21
	.sleb128 0
	.byte	0
	.byte	0
	.uleb128 0xd
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0x21
	.sleb128 10
	.uleb128 0x6e
	.uleb128 0xe
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x3c
	.uleb128 0x19
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xe
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x47
	.uleb128 0x13
	.uleb128 0x64
	.uleb128 0x13
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
	.uleb128 0xf
	.uleb128 0x48
	.byte	0x1
	.uleb128 0x7d
	.uleb128 0x1
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x10
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
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x11
	.uleb128 0x5
	.byte	0
	.uleb128 0x31
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x12
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
	.uleb128 0x13
	.uleb128 0x39
	.byte	0x1
	.uleb128 0x3
	.uleb128 0xe
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
	.uleb128 0x14
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
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x15
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
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x16
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
	.uleb128 0x32
	.uleb128 0xb
	.uleb128 0x3c
	.uleb128 0x19
	.uleb128 0x64
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x17
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
	.uleb128 0x32
	.uleb128 0xb
	.uleb128 0x3c
	.uleb128 0x19
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x18
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
	.uleb128 0x32
	.uleb128 0xb
	.uleb128 0x3c
	.uleb128 0x19
	.uleb128 0x64
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x19
	.uleb128 0x39
	.byte	0x1
	.uleb128 0x89
	.uleb128 0x19
	.byte	0
	.byte	0
	.uleb128 0x1a
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
	.uleb128 0x3c
	.uleb128 0x19
	.byte	0
	.byte	0
	.uleb128 0x1b
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
	.uleb128 0x1c
	.uleb128 0x10
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x1d
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
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x1e
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0x8
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
	.uleb128 0x3c
	.uleb128 0x19
	.uleb128 0x64
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x1f
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
	.uleb128 0x20
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
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
	.uleb128 0x21
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
	.uleb128 0x2
	.uleb128 0x17
	.uleb128 0x2137
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x22
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
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x23
	.uleb128 0x34
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
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x24
	.uleb128 0x48
	.byte	0x1
	.uleb128 0x7d
	.uleb128 0x1
	.uleb128 0x7f
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x25
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x47
	.uleb128 0x13
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x64
	.uleb128 0x13
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
	.uleb128 0x26
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
	.uleb128 0x27
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
	.uleb128 0x28
	.uleb128 0x5
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
	.uleb128 0x29
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x31
	.uleb128 0x13
	.uleb128 0x6e
	.uleb128 0xe
	.uleb128 0x64
	.uleb128 0x13
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
.LVUS0:
	.uleb128 0
	.uleb128 .LVU48
	.uleb128 .LVU48
	.uleb128 .LVU49
	.uleb128 .LVU49
	.uleb128 .LVU84
	.uleb128 .LVU84
	.uleb128 0
.LLST0:
	.byte	0x6
	.quad	.LVL11
	.byte	0x4
	.uleb128 .LVL11-.LVL11
	.uleb128 .LVL12-.LVL11
	.uleb128 0x1
	.byte	0x55
	.byte	0x4
	.uleb128 .LVL12-.LVL11
	.uleb128 .LVL13-1-.LVL11
	.uleb128 0x1
	.byte	0x54
	.byte	0x4
	.uleb128 .LVL13-1-.LVL11
	.uleb128 .LVL25-.LVL11
	.uleb128 0x1
	.byte	0x56
	.byte	0x4
	.uleb128 .LVL25-.LVL11
	.uleb128 .LFE12-.LVL11
	.uleb128 0x1
	.byte	0x55
	.byte	0
.Ldebug_loc3:
	.section	.debug_aranges,"",@progbits
	.long	0x8c
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
	.quad	.LFB3
	.quad	.LFE3-.LFB3
	.quad	.LFB4
	.quad	.LFE4-.LFB4
	.quad	.LFB13
	.quad	.LFE13-.LFB13
	.quad	.LFB14
	.quad	.LFE14-.LFB14
	.quad	.LFB15
	.quad	.LFE15-.LFB15
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
.LLRL1:
	.byte	0x7
	.quad	.Ltext0
	.uleb128 .Letext0-.Ltext0
	.byte	0x7
	.quad	.LFB1
	.uleb128 .LFE1-.LFB1
	.byte	0x7
	.quad	.LFB3
	.uleb128 .LFE3-.LFB3
	.byte	0x7
	.quad	.LFB4
	.uleb128 .LFE4-.LFB4
	.byte	0x7
	.quad	.LFB13
	.uleb128 .LFE13-.LFB13
	.byte	0x7
	.quad	.LFB14
	.uleb128 .LFE14-.LFB14
	.byte	0x7
	.quad	.LFB15
	.uleb128 .LFE15-.LFB15
	.byte	0
.Ldebug_ranges3:
	.section	.debug_line,"",@progbits
.Ldebug_line0:
	.section	.debug_str,"MS",@progbits,1
.LASF18:
	.string	"shape"
.LASF6:
	.string	"operator<"
.LASF28:
	.string	"_ZNK3BoxIiE3getEv"
.LASF19:
	.string	"_Z4areai"
.LASF11:
	.string	"item"
.LASF7:
	.string	"_ZNK8geometry5ShapeltERKS0_"
.LASF24:
	.string	"geometry"
.LASF4:
	.string	"_ZN8geometry5ShapeC4Ei"
.LASF16:
	.string	"_Z7largestIiET_S0_S0_"
.LASF9:
	.string	"_ZN8geometry3putEi"
.LASF17:
	.string	"area"
.LASF8:
	.string	"_ZN8geometry3putEl"
.LASF3:
	.string	"count"
.LASF12:
	.string	"long int"
.LASF20:
	.string	"this"
.LASF27:
	.string	"Box<int>"
.LASF26:
	.string	"hidden"
.LASF22:
	.string	"other"
.LASF13:
	.string	"largest<long int>"
.LASF5:
	.string	"_ZN8geometry5Shape5countEi"
.LASF25:
	.string	"_ZNK8geometry5Shape4areaEi"
.LASF14:
	.string	"largest<int>"
.LASF15:
	.string	"_Z7largestIlET_S0_S0_"
.LASF10:
	.string	"side"
.LASF21:
	.string	"scale"
.LASF2:
	.string	"Shape"
.LASF23:
	.string	"GNU C++17 12.2.0 -mtune=generic -march=x86-64 -g -O2 -fno-rtti -fno-exceptions -fno-asynchronous-unwind-tables -fno-pie -fcf-protection=none"
.LASF29:
	.string	"_ZN8geometry5ShapeC2Ei"
	.section	.debug_line_str,"MS",@progbits,1
.LASF0:
	.string	"functions.cc"
.LASF1:
	.string	"."
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
