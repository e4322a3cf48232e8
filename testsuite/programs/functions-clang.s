	.text
	.file	"functions.cc"
	.file	0 "." "functions.cc" md5 0xed503c7041874c8c4fcdb66eb507cff7
	.globl	_ZNK8geometry5Shape4areaEi
	.p2align	4, 0x90
	.type	_ZNK8geometry5Shape4areaEi,@function
_ZNK8geometry5Shape4areaEi:
.Lfunc_begin0:
	.loc	0 30 0
	.cfi_startproc
	.loc	0 31 9 prologue_end
	movl	(%rdi), %eax
	.loc	0 31 14 is_stmt 0
	imull	%eax, %esi
.Ltmp0:
	.loc	0 31 21
	imull	%esi, %eax
	.loc	0 31 2
	retq
.Ltmp1:
.Lfunc_end0:
	.size	_ZNK8geometry5Shape4areaEi, .Lfunc_end0-_ZNK8geometry5Shape4areaEi
	.cfi_endproc

	.p2align	4, 0x90
	.type	_ZN8geometry12_GLOBAL__N_16hiddenEi,@function
_ZN8geometry12_GLOBAL__N_16hiddenEi:
.Lfunc_begin1:
	.loc	0 37 0 is_stmt 1
	.cfi_startproc
	.loc	0 38 11 prologue_end
	leal	(%rdi,%rdi,2), %eax
	.loc	0 38 2 is_stmt 0
	retq
.Ltmp2:
.Lfunc_end1:
	.size	_ZN8geometry12_GLOBAL__N_16hiddenEi, .Lfunc_end1-_ZN8geometry12_GLOBAL__N_16hiddenEi
	.cfi_endproc

	.globl	_ZN8geometry3putEi
	.p2align	4, 0x90
	.type	_ZN8geometry3putEi,@function
_ZN8geometry3putEi:
.Lfunc_begin2:
	.loc	0 43 0 is_stmt 1
	.cfi_startproc
	movl	%edi, %eax
.Ltmp3:
	.loc	0 44 2 prologue_end
	retq
.Ltmp4:
.Lfunc_end2:
	.size	_ZN8geometry3putEi, .Lfunc_end2-_ZN8geometry3putEi
	.cfi_endproc

	.globl	_ZN8geometry3putEl
	.p2align	4, 0x90
	.type	_ZN8geometry3putEl,@function
_ZN8geometry3putEl:
.Lfunc_begin3:
	.loc	0 47 0
	.cfi_startproc
	.loc	0 48 16 prologue_end
	leal	2(%rdi), %eax
	.loc	0 48 2 is_stmt 0
	retq
.Ltmp5:
.Lfunc_end3:
	.size	_ZN8geometry3putEl, .Lfunc_end3-_ZN8geometry3putEl
	.cfi_endproc

	.section	.text._ZN8geometry5Shape5countEi,"axG",@progbits,_ZN8geometry5Shape5countEi,comdat
	.weak	_ZN8geometry5Shape5countEi
	.p2align	4, 0x90
	.type	_ZN8geometry5Shape5countEi,@function
_ZN8geometry5Shape5countEi:
.Lfunc_begin4:
	.loc	0 20 0 is_stmt 1
	.cfi_startproc
	.loc	0 21 12 prologue_end
	leal	1(%rdi), %eax
	.loc	0 21 3 is_stmt 0
	retq
.Ltmp6:
.Lfunc_end4:
	.size	_ZN8geometry5Shape5countEi, .Lfunc_end4-_ZN8geometry5Shape5countEi
	.cfi_endproc

	.section	.text._ZNK8geometry5ShapeltERKS0_,"axG",@progbits,_ZNK8geometry5ShapeltERKS0_,comdat
	.weak	_ZNK8geometry5ShapeltERKS0_
	.p2align	4, 0x90
	.type	_ZNK8geometry5ShapeltERKS0_,@function
_ZNK8geometry5ShapeltERKS0_:
.Lfunc_begin5:
	.loc	0 24 0 is_stmt 1
	.cfi_startproc
	.loc	0 25 10 prologue_end
	movl	(%rdi), %ecx
	.loc	0 25 15 is_stmt 0
	xorl	%eax, %eax
	cmpl	(%rsi), %ecx
	setl	%al
	.loc	0 25 3
	retq
.Ltmp7:
.Lfunc_end5:
	.size	_ZNK8geometry5ShapeltERKS0_, .Lfunc_end5-_ZNK8geometry5ShapeltERKS0_
	.cfi_endproc

	.text
	.globl	_Z4areai
	.p2align	4, 0x90
	.type	_Z4areai,@function
_Z4areai:
.Lfunc_begin6:
	.loc	0 66 0 is_stmt 1
	.cfi_startproc
	.loc	0 67 11 prologue_end
	leal	-1(%rdi), %eax
	.loc	0 67 2 is_stmt 0
	retq
.Ltmp8:
.Lfunc_end6:
	.size	_Z4areai, .Lfunc_end6-_Z4areai
	.cfi_endproc

	.globl	run
	.p2align	4, 0x90
	.type	run,@function
run:
.Lfunc_begin7:
	.loc	0 71 0 is_stmt 1
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	pushq	%r15
	.cfi_def_cfa_offset 24
	pushq	%r14
	.cfi_def_cfa_offset 32
	pushq	%r13
	.cfi_def_cfa_offset 40
	pushq	%r12
	.cfi_def_cfa_offset 48
	pushq	%rbx
	.cfi_def_cfa_offset 56
	subq	$40, %rsp
	.cfi_def_cfa_offset 96
	.cfi_offset %rbx, -56
	.cfi_offset %r12, -48
	.cfi_offset %r13, -40
	.cfi_offset %r14, -32
	.cfi_offset %r15, -24
	.cfi_offset %rbp, -16
	movl	%edi, %ebp
	leaq	32(%rsp), %r14
.Ltmp9:
	.loc	0 72 18 prologue_end
	movq	%r14, %rdi
.Ltmp10:
	movl	%ebp, %esi
	callq	_ZN8geometry5ShapeC2Ei
.Ltmp11:
	.loc	0 73 17
	movl	%ebp, 8(%rsp)
	.loc	0 75 15
	movq	%r14, %rdi
	movl	$2, %esi
	callq	_ZNK8geometry5Shape4areaEi
.Ltmp12:
	movl	%eax, %ebx
	.loc	0 75 25 is_stmt 0
	movl	%ebp, %edi
	callq	_ZN8geometry5Shape5countEi
.Ltmp13:
	.loc	0 0 25
	movl	%eax, 20(%rsp)
	leaq	24(%rsp), %r15
	.loc	0 75 62
	movq	%r15, %rdi
	movl	$3, %esi
	callq	_ZN8geometry5ShapeC2Ei
.Ltmp14:
	.loc	0 75 60
	movq	%r14, %rdi
	movq	%r15, %rsi
	callq	_ZNK8geometry5ShapeltERKS0_
.Ltmp15:
	.loc	0 0 60
	movl	%eax, 16(%rsp)
	.loc	0 75 84
	movl	%ebp, %edi
	callq	_ZN8geometry12_GLOBAL__N_16hiddenEi
.Ltmp16:
	.loc	0 0 84
	movl	%eax, 12(%rsp)
	.loc	0 76 28 is_stmt 1
	movl	$5, %edi
	callq	_ZN8geometry3putEl
.Ltmp17:
	movl	%eax, %r13d
	leaq	8(%rsp), %rdi
	.loc	0 76 52 is_stmt 0
	callq	_ZNK3BoxIiE3getEv
.Ltmp18:
	movl	%eax, %r14d
	.loc	0 76 60
	movl	%ebp, %edi
	movl	$2, %esi
	callq	_Z7largestIiET_S0_S0_
.Ltmp19:
	movl	%eax, %r15d
	.loc	0 76 81
	movl	$3, %edi
	movl	$4, %esi
	callq	_Z7largestIlET_S0_S0_
.Ltmp20:
	movq	%rax, %r12
	.loc	0 76 99
	movl	%ebp, %edi
	callq	_Z4areai
.Ltmp21:
	.loc	0 75 23 is_stmt 1
	addl	%ebp, %ebx
	.loc	0 75 51 is_stmt 0
	addl	20(%rsp), %ebx
	.loc	0 75 82
	addl	16(%rsp), %ebx
	.loc	0 75 104
	addl	12(%rsp), %ebx
	.loc	0 76 26 is_stmt 1
	addl	%r13d, %ebx
	.loc	0 76 46 is_stmt 0
	addl	%r14d, %ebx
	.loc	0 76 58
	addl	%r15d, %ebx
	.loc	0 76 74
	addl	%r12d, %ebx
	.loc	0 76 97
	addl	%ebx, %eax
	.loc	0 75 2 is_stmt 1
	addq	$40, %rsp
	.cfi_def_cfa_offset 56
	popq	%rbx
	.cfi_def_cfa_offset 48
	popq	%r12
	.cfi_def_cfa_offset 40
	popq	%r13
	.cfi_def_cfa_offset 32
	popq	%r14
	.cfi_def_cfa_offset 24
	popq	%r15
	.cfi_def_cfa_offset 16
	popq	%rbp
.Ltmp22:
	.cfi_def_cfa_offset 8
	retq
.Ltmp23:
.Lfunc_end7:
	.size	run, .Lfunc_end7-run
	.cfi_endproc

	.section	.text._ZN8geometry5ShapeC2Ei,"axG",@progbits,_ZN8geometry5ShapeC2Ei,comdat
	.weak	_ZN8geometry5ShapeC2Ei
	.p2align	4, 0x90
	.type	_ZN8geometry5ShapeC2Ei,@function
_ZN8geometry5ShapeC2Ei:
.Lfunc_begin8:
	.loc	0 16 0
	.cfi_startproc
	.loc	0 15 25 prologue_end
	movl	%esi, (%rdi)
	.loc	0 17 2
	retq
.Ltmp24:
.Lfunc_end8:
	.size	_ZN8geometry5ShapeC2Ei, .Lfunc_end8-_ZN8geometry5ShapeC2Ei
	.cfi_endproc

	.section	.text._ZNK3BoxIiE3getEv,"axG",@progbits,_ZNK3BoxIiE3getEv,comdat
	.weak	_ZNK3BoxIiE3getEv
	.p2align	4, 0x90
	.type	_ZNK3BoxIiE3getEv,@function
_ZNK3BoxIiE3getEv:
.Lfunc_begin9:
	.loc	0 55 0
	.cfi_startproc
	.loc	0 56 10 prologue_end
	movl	(%rdi), %eax
	.loc	0 56 3 is_stmt 0
	retq
.Ltmp25:
.Lfunc_end9:
	.size	_ZNK3BoxIiE3getEv, .Lfunc_end9-_ZNK3BoxIiE3getEv
	.cfi_endproc

	.section	.text._Z7largestIiET_S0_S0_,"axG",@progbits,_Z7largestIiET_S0_S0_,comdat
	.weak	_Z7largestIiET_S0_S0_
	.p2align	4, 0x90
	.type	_Z7largestIiET_S0_S0_,@function
_Z7largestIiET_S0_S0_:
.Lfunc_begin10:
	.loc	0 61 0 is_stmt 1
	.cfi_startproc
	movl	%esi, %eax
.Ltmp26:
	.loc	0 62 11 prologue_end
	cmpl	%esi, %edi
	.loc	0 62 9 is_stmt 0
	cmovgl	%edi, %eax
	.loc	0 62 2
	retq
.Ltmp27:
.Lfunc_end10:
	.size	_Z7largestIiET_S0_S0_, .Lfunc_end10-_Z7largestIiET_S0_S0_
	.cfi_endproc

	.section	.text._Z7largestIlET_S0_S0_,"axG",@progbits,_Z7largestIlET_S0_S0_,comdat
	.weak	_Z7largestIlET_S0_S0_
	.p2align	4, 0x90
	.type	_Z7largestIlET_S0_S0_,@function
_Z7largestIlET_S0_S0_:
.Lfunc_begin11:
	.loc	0 61 0 is_stmt 1
	.cfi_startproc
	movq	%rsi, %rax
.Ltmp28:
	.loc	0 62 11 prologue_end
	cmpq	%rsi, %rdi
	.loc	0 62 9 is_stmt 0
	cmovgq	%rdi, %rax
	.loc	0 62 2
	retq
.Ltmp29:
.Lfunc_end11:
	.size	_Z7largestIlET_S0_S0_, .Lfunc_end11-_Z7largestIlET_S0_S0_
	.cfi_endproc

	.section	.debug_loclists,"",@progbits
	.long	.Ldebug_list_header_end0-.Ldebug_list_header_start0
.Ldebug_list_header_start0:
	.short	5
	.byte	8
	.byte	0
	.long	2
.Lloclists_table_base0:
	.long	.Ldebug_loc0-.Lloclists_table_base0
	.long	.Ldebug_loc1-.Lloclists_table_base0
.Ldebug_loc0:
	.byte	1
	.byte	0
	.byte	4
	.uleb128 .Lfunc_begin0-.Lfunc_begin0
	.uleb128 .Ltmp0-.Lfunc_begin0
	.byte	1
	.byte	84
	.byte	4
	.uleb128 .Ltmp0-.Lfunc_begin0
	.uleb128 .Lfunc_end0-.Lfunc_begin0
	.byte	4
	.byte	163
	.byte	1
	.byte	84
	.byte	159
	.byte	0
.Ldebug_loc1:
	.byte	1
	.byte	0
	.byte	4
	.uleb128 .Lfunc_begin7-.Lfunc_begin0
	.uleb128 .Ltmp10-.Lfunc_begin0
	.byte	1
	.byte	85
	.byte	4
	.uleb128 .Ltmp10-.Lfunc_begin0
	.uleb128 .Ltmp22-.Lfunc_begin0
	.byte	1
	.byte	86
	.byte	4
	.uleb128 .Ltmp22-.Lfunc_begin0
	.uleb128 .Lfunc_end7-.Lfunc_begin0
	.byte	4
	.byte	163
	.byte	1
	.byte	85
	.byte	159
	.byte	0
.Ldebug_list_header_end0:
	.section	.debug_abbrev,"",@progbits
	.byte	1
	.byte	17
	.byte	1
	.byte	37
	.byte	37
	.byte	19
	.byte	5
	.byte	3
	.byte	37
	.byte	114
	.byte	23
	.byte	16
	.byte	23
	.byte	27
	.byte	37
	.byte	17
	.byte	1
	.byte	85
	.byte	35
	.byte	115
	.byte	23
	.byte	116
	.byte	23
	.ascii	"\214\001"
	.byte	23
	.byte	0
	.byte	0
	.byte	2
	.byte	36
	.byte	0
	.byte	3
	.byte	37
	.byte	62
	.byte	11
	.byte	11
	.byte	11
	.byte	0
	.byte	0
	.byte	3
	.byte	57
	.byte	1
	.byte	3
	.byte	37
	.byte	0
	.byte	0
	.byte	4
	.byte	2
	.byte	1
	.byte	54
	.byte	11
	.byte	3
	.byte	37
	.byte	11
	.byte	11
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	0
	.byte	0
	.byte	5
	.byte	13
	.byte	0
	.byte	3
	.byte	37
	.byte	73
	.byte	19
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	56
	.byte	11
	.byte	0
	.byte	0
	.byte	6
	.byte	46
	.byte	1
	.byte	3
	.byte	37
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	60
	.byte	25
	.byte	63
	.byte	25
	.byte	50
	.byte	11
	.byte	0
	.byte	0
	.byte	7
	.byte	5
	.byte	0
	.byte	73
	.byte	19
	.byte	52
	.byte	25
	.byte	0
	.byte	0
	.byte	8
	.byte	5
	.byte	0
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	9
	.byte	46
	.byte	1
	.byte	110
	.byte	37
	.byte	3
	.byte	37
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	60
	.byte	25
	.byte	63
	.byte	25
	.byte	50
	.byte	11
	.byte	0
	.byte	0
	.byte	10
	.byte	57
	.byte	1
	.byte	0
	.byte	0
	.byte	11
	.byte	46
	.byte	1
	.byte	17
	.byte	27
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	122
	.byte	25
	.byte	110
	.byte	37
	.byte	3
	.byte	37
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	12
	.byte	5
	.byte	0
	.byte	2
	.byte	24
	.byte	3
	.byte	37
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	13
	.byte	46
	.byte	1
	.byte	17
	.byte	27
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	122
	.byte	25
	.byte	110
	.byte	37
	.byte	3
	.byte	37
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	63
	.byte	25
	.byte	0
	.byte	0
	.byte	14
	.byte	15
	.byte	0
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	15
	.byte	38
	.byte	0
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	16
	.byte	16
	.byte	0
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	17
	.byte	46
	.byte	1
	.byte	17
	.byte	27
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	100
	.byte	19
	.byte	122
	.byte	25
	.byte	59
	.byte	11
	.byte	71
	.byte	19
	.byte	0
	.byte	0
	.byte	18
	.byte	5
	.byte	0
	.byte	2
	.byte	24
	.byte	3
	.byte	37
	.byte	73
	.byte	19
	.byte	52
	.byte	25
	.byte	0
	.byte	0
	.byte	19
	.byte	5
	.byte	0
	.byte	2
	.byte	34
	.byte	3
	.byte	37
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	20
	.byte	46
	.byte	1
	.byte	17
	.byte	27
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	122
	.byte	25
	.byte	71
	.byte	19
	.byte	0
	.byte	0
	.byte	21
	.byte	46
	.byte	1
	.byte	17
	.byte	27
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	100
	.byte	19
	.byte	122
	.byte	25
	.byte	71
	.byte	19
	.byte	0
	.byte	0
	.byte	22
	.byte	46
	.byte	1
	.byte	17
	.byte	27
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	122
	.byte	25
	.byte	3
	.byte	37
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	63
	.byte	25
	.byte	0
	.byte	0
	.byte	23
	.byte	52
	.byte	0
	.byte	2
	.byte	24
	.byte	3
	.byte	37
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	24
	.byte	72
	.byte	1
	.byte	127
	.byte	19
	.byte	125
	.byte	27
	.byte	0
	.byte	0
	.byte	25
	.byte	73
	.byte	0
	.byte	2
	.byte	24
	.byte	126
	.byte	24
	.byte	0
	.byte	0
	.byte	26
	.byte	46
	.byte	1
	.byte	17
	.byte	27
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	100
	.byte	19
	.byte	122
	.byte	25
	.byte	110
	.byte	37
	.byte	71
	.byte	19
	.byte	0
	.byte	0
	.byte	27
	.byte	19
	.byte	1
	.byte	54
	.byte	11
	.byte	3
	.byte	37
	.byte	11
	.byte	11
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	0
	.byte	0
	.byte	28
	.byte	47
	.byte	0
	.byte	73
	.byte	19
	.byte	3
	.byte	37
	.byte	0
	.byte	0
	.byte	29
	.byte	46
	.byte	1
	.byte	110
	.byte	37
	.byte	3
	.byte	37
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	60
	.byte	25
	.byte	63
	.byte	25
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_info,"",@progbits
.Lcu_begin0:
	.long	.Ldebug_info_end0-.Ldebug_info_start0
.Ldebug_info_start0:
	.short	5
	.byte	1
	.byte	8
	.long	.debug_abbrev
	.byte	1
	.byte	0
	.short	33
	.byte	1
	.long	.Lstr_offsets_base0
	.long	.Lline_table_start0
	.byte	2
	.quad	0
	.byte	0
	.long	.Laddr_table_base0
	.long	.Lrnglists_table_base0
	.long	.Lloclists_table_base0
	.byte	2
	.byte	3
	.byte	5
	.byte	4
	.byte	3
	.byte	4
	.byte	4
	.byte	5
	.byte	6
	.byte	4
	.byte	0
	.byte	10
	.byte	5
	.byte	5
	.long	47
	.byte	0
	.byte	12
	.byte	0
	.byte	6
	.byte	6
	.byte	0
	.byte	15


	.byte	1
	.byte	7
	.long	227

	.byte	8
	.long	47
	.byte	0
	.byte	9
	.byte	7
	.byte	8
	.byte	0
	.byte	18
	.long	47


	.byte	1
	.byte	7
	.long	232

	.byte	8
	.long	47
	.byte	0
	.byte	9
	.byte	9
	.byte	10
	.byte	0
	.byte	19
	.long	47


	.byte	1
	.byte	8
	.long	47
	.byte	0
	.byte	9
	.byte	11
	.byte	12
	.byte	0
	.byte	23
	.long	47


	.byte	1
	.byte	7
	.long	232

	.byte	8
	.long	242
	.byte	0
	.byte	0
	.byte	10
	.byte	11
	.byte	1
	.long	.Lfunc_end1-.Lfunc_begin1
	.byte	1
	.byte	87

	.byte	18
	.byte	19
	.byte	0
	.byte	36
	.long	47
	.byte	12
	.byte	1
	.byte	85
	.byte	33
	.byte	0
	.byte	36
	.long	47
	.byte	0
	.byte	0
	.byte	13
	.byte	2
	.long	.Lfunc_end2-.Lfunc_begin2
	.byte	1
	.byte	87

	.byte	20
	.byte	21
	.byte	0
	.byte	42
	.long	47

	.byte	12
	.byte	1
	.byte	85
	.byte	33
	.byte	0
	.byte	42
	.long	47
	.byte	0
	.byte	13
	.byte	3
	.long	.Lfunc_end3-.Lfunc_begin3
	.byte	1
	.byte	87

	.byte	22
	.byte	21
	.byte	0
	.byte	46
	.long	47

	.byte	12
	.byte	1
	.byte	85
	.byte	33
	.byte	0
	.byte	46
	.long	781
	.byte	0
	.byte	0
	.byte	14
	.long	53
	.byte	14
	.long	237
	.byte	15
	.long	53
	.byte	16
	.long	237
	.byte	17
	.byte	0
	.long	.Lfunc_end0-.Lfunc_begin0
	.byte	1
	.byte	87
	.long	264

	.byte	29
	.long	84
	.byte	18
	.byte	1
	.byte	85
	.byte	31
	.long	785

	.byte	19
	.byte	0
	.byte	32
	.byte	0
	.byte	29
	.long	47
	.byte	0
	.byte	20
	.byte	4
	.long	.Lfunc_end4-.Lfunc_begin4
	.byte	1
	.byte	87

	.long	105
	.byte	12
	.byte	1
	.byte	85
	.byte	33
	.byte	0
	.byte	19
	.long	47
	.byte	0
	.byte	21
	.byte	5
	.long	.Lfunc_end5-.Lfunc_begin5
	.byte	1
	.byte	87
	.long	321

	.long	121
	.byte	18
	.byte	1
	.byte	85
	.byte	31
	.long	785

	.byte	12
	.byte	1
	.byte	84
	.byte	34
	.byte	0
	.byte	23
	.long	242
	.byte	0
	.byte	13
	.byte	6
	.long	.Lfunc_end6-.Lfunc_begin6
	.byte	1
	.byte	87

	.byte	23
	.byte	8
	.byte	0
	.byte	65
	.long	47

	.byte	12
	.byte	1
	.byte	85
	.byte	33
	.byte	0
	.byte	65
	.long	47
	.byte	0
	.byte	22
	.byte	7
	.long	.Lfunc_end7-.Lfunc_begin7
	.byte	1
	.byte	87

	.byte	24
	.byte	0
	.byte	70
	.long	47

	.byte	19
	.byte	1
	.byte	33
	.byte	0
	.byte	70
	.long	47
	.byte	23
	.byte	2
	.byte	145
	.byte	32
	.byte	35
	.byte	0
	.byte	72
	.long	53
	.byte	23
	.byte	2
	.byte	145
	.byte	8
	.byte	36
	.byte	0
	.byte	73
	.long	623
	.byte	24
	.long	587
	.byte	8
	.byte	25
	.byte	1
	.byte	84
	.byte	2
	.byte	118
	.byte	0
	.byte	25
	.byte	1
	.byte	85
	.byte	2
	.byte	126
	.byte	0
	.byte	0
	.byte	24
	.long	247
	.byte	9
	.byte	25
	.byte	1
	.byte	84
	.byte	1
	.byte	50
	.byte	25
	.byte	1
	.byte	85
	.byte	2
	.byte	126
	.byte	0
	.byte	0
	.byte	24
	.long	282
	.byte	10
	.byte	25
	.byte	1
	.byte	85
	.byte	2
	.byte	118
	.byte	0
	.byte	0
	.byte	24
	.long	587
	.byte	11
	.byte	25
	.byte	1
	.byte	84
	.byte	1
	.byte	51
	.byte	25
	.byte	1
	.byte	85
	.byte	2
	.byte	127
	.byte	0
	.byte	0
	.byte	24
	.long	305
	.byte	12
	.byte	25
	.byte	1
	.byte	84
	.byte	2
	.byte	127
	.byte	0
	.byte	25
	.byte	1
	.byte	85
	.byte	2
	.byte	126
	.byte	0
	.byte	0
	.byte	24
	.long	144
	.byte	13
	.byte	25
	.byte	1
	.byte	85
	.byte	2
	.byte	118
	.byte	0
	.byte	0
	.byte	24
	.long	199
	.byte	14
	.byte	25
	.byte	1
	.byte	85
	.byte	1
	.byte	53
	.byte	0
	.byte	24
	.long	670
	.byte	15
	.byte	25
	.byte	1
	.byte	85
	.byte	2
	.byte	145
	.byte	8
	.byte	0
	.byte	24
	.long	695
	.byte	16
	.byte	25
	.byte	1
	.byte	84
	.byte	1
	.byte	50
	.byte	25
	.byte	1
	.byte	85
	.byte	2
	.byte	118
	.byte	0
	.byte	0
	.byte	24
	.long	738
	.byte	17
	.byte	25
	.byte	1
	.byte	84
	.byte	1
	.byte	52
	.byte	25
	.byte	1
	.byte	85
	.byte	1
	.byte	51
	.byte	0
	.byte	24
	.long	340
	.byte	18
	.byte	25
	.byte	1
	.byte	85
	.byte	2
	.byte	118
	.byte	0
	.byte	0
	.byte	0
	.byte	26
	.byte	19
	.long	.Lfunc_end8-.Lfunc_begin8
	.byte	1
	.byte	87
	.long	604

	.byte	25
	.long	68
	.byte	18
	.byte	1
	.byte	85
	.byte	31
	.long	790

	.byte	12
	.byte	1
	.byte	84
	.byte	5
	.byte	0
	.byte	15
	.long	47
	.byte	0
	.byte	27
	.byte	5
	.byte	17
	.byte	4
	.byte	0
	.byte	52
	.byte	28
	.long	47
	.byte	13
	.byte	5
	.byte	14
	.long	47
	.byte	0
	.byte	53
	.byte	0
	.byte	29
	.byte	15
	.byte	16
	.byte	0
	.byte	54
	.long	47


	.byte	7
	.long	660

	.byte	0
	.byte	0
	.byte	14
	.long	665
	.byte	15
	.long	623
	.byte	21
	.byte	20
	.long	.Lfunc_end9-.Lfunc_begin9
	.byte	1
	.byte	87
	.long	686

	.long	644
	.byte	18
	.byte	1
	.byte	85
	.byte	31
	.long	795

	.byte	0
	.byte	13
	.byte	21
	.long	.Lfunc_end10-.Lfunc_begin10
	.byte	1
	.byte	87

	.byte	26
	.byte	27
	.byte	0
	.byte	60
	.long	47

	.byte	12
	.byte	1
	.byte	85
	.byte	37
	.byte	0
	.byte	60
	.long	47
	.byte	12
	.byte	1
	.byte	84
	.byte	38
	.byte	0
	.byte	60
	.long	47
	.byte	28
	.long	47
	.byte	13
	.byte	0
	.byte	13
	.byte	22
	.long	.Lfunc_end11-.Lfunc_begin11
	.byte	1
	.byte	87

	.byte	29
	.byte	30
	.byte	0
	.byte	60
	.long	781

	.byte	12
	.byte	1
	.byte	85
	.byte	37
	.byte	0
	.byte	60
	.long	781
	.byte	12
	.byte	1
	.byte	84
	.byte	38
	.byte	0
	.byte	60
	.long	781
	.byte	28
	.long	781
	.byte	13
	.byte	0
	.byte	2
	.byte	28
	.byte	5
	.byte	8
	.byte	14
	.long	237
	.byte	14
	.long	53
	.byte	14
	.long	665
	.byte	0
.Ldebug_info_end0:
	.section	.debug_rnglists,"",@progbits
	.long	.Ldebug_list_header_end1-.Ldebug_list_header_start1
.Ldebug_list_header_start1:
	.short	5
	.byte	8
	.byte	0
	.long	1
.Lrnglists_table_base0:
	.long	.Ldebug_ranges0-.Lrnglists_table_base0
.Ldebug_ranges0:
	.byte	1
	.byte	0
	.byte	4
	.uleb128 .Lfunc_begin0-.Lfunc_begin0
	.uleb128 .Lfunc_end3-.Lfunc_begin0
	.byte	4
	.uleb128 .Lfunc_begin6-.Lfunc_begin0
	.uleb128 .Lfunc_end7-.Lfunc_begin0
	.byte	3
	.byte	4
	.uleb128 .Lfunc_end4-.Lfunc_begin4
	.byte	3
	.byte	5
	.uleb128 .Lfunc_end5-.Lfunc_begin5
	.byte	3
	.byte	19
	.uleb128 .Lfunc_end8-.Lfunc_begin8
	.byte	3
	.byte	20
	.uleb128 .Lfunc_end9-.Lfunc_begin9
	.byte	3
	.byte	21
	.uleb128 .Lfunc_end10-.Lfunc_begin10
	.byte	3
	.byte	22
	.uleb128 .Lfunc_end11-.Lfunc_begin11
	.byte	0
.Ldebug_list_header_end1:
	.section	.debug_str_offsets,"",@progbits
	.long	160
	.short	5
	.short	0
.Lstr_offsets_base0:
	.section	.debug_str,"MS",@progbits,1
.Linfo_string0:
	.asciz	"Debian clang version 14.0.6"
.Linfo_string1:
	.asciz	"functions.cc"
.Linfo_string2:
	.asciz	"."
.Linfo_string3:
	.asciz	"int"
.Linfo_string4:
	.asciz	"geometry"
.Linfo_string5:
	.asciz	"side"
.Linfo_string6:
	.asciz	"Shape"
.Linfo_string7:
	.asciz	"_ZNK8geometry5Shape4areaEi"
.Linfo_string8:
	.asciz	"area"
.Linfo_string9:
	.asciz	"_ZN8geometry5Shape5countEi"
.Linfo_string10:
	.asciz	"count"
.Linfo_string11:
	.asciz	"_ZNK8geometry5ShapeltERKS0_"
.Linfo_string12:
	.asciz	"operator<"
.Linfo_string13:
	.asciz	"T"
.Linfo_string14:
	.asciz	"item"
.Linfo_string15:
	.asciz	"_ZNK3BoxIiE3getEv"
.Linfo_string16:
	.asciz	"get"
.Linfo_string17:
	.asciz	"Box<int>"
.Linfo_string18:
	.asciz	"_ZN8geometry12_GLOBAL__N_16hiddenEi"
.Linfo_string19:
	.asciz	"hidden"
.Linfo_string20:
	.asciz	"_ZN8geometry3putEi"
.Linfo_string21:
	.asciz	"put"
.Linfo_string22:
	.asciz	"_ZN8geometry3putEl"
.Linfo_string23:
	.asciz	"_Z4areai"
.Linfo_string24:
	.asciz	"run"
.Linfo_string25:
	.asciz	"_ZN8geometry5ShapeC2Ei"
.Linfo_string26:
	.asciz	"_Z7largestIiET_S0_S0_"
.Linfo_string27:
	.asciz	"largest<int>"
.Linfo_string28:
	.asciz	"long"
.Linfo_string29:
	.asciz	"_Z7largestIlET_S0_S0_"
.Linfo_string30:
	.asciz	"largest<long>"
.Linfo_string31:
	.asciz	"this"
.Linfo_string32:
	.asciz	"scale"
.Linfo_string33:
	.asciz	"n"
.Linfo_string34:
	.asciz	"other"
.Linfo_string35:
	.asciz	"shape"
.Linfo_string36:
	.asciz	"box"
.Linfo_string37:
	.asciz	"a"
.Linfo_string38:
	.asciz	"b"
	.section	.debug_str_offsets,"",@progbits
	.long	.Linfo_string0
	.long	.Linfo_string1
	.long	.Linfo_string2
	.long	.Linfo_string3
	.long	.Linfo_string4
	.long	.Linfo_string5
	.long	.Linfo_string6
	.long	.Linfo_string7
	.long	.Linfo_string8
	.long	.Linfo_string9
	.long	.Linfo_string10
	.long	.Linfo_string11
	.long	.Linfo_string12
	.long	.Linfo_string13
	.long	.Linfo_string14
	.long	.Linfo_string15
	.long	.Linfo_string16
	.long	.Linfo_string17
	.long	.Linfo_string18
	.long	.Linfo_string19
	.long	.Linfo_string20
	.long	.Linfo_string21
	.long	.Linfo_string22
	.long	.Linfo_string23
	.long	.Linfo_string24
	.long	.Linfo_string25
	.long	.Linfo_string26
	.long	.Linfo_string27
	.long	.Linfo_string28
	.long	.Linfo_string29
	.long	.Linfo_string30
	.long	.Linfo_string31
	.long	.Linfo_string32
	.long	.Linfo_string33
	.long	.Linfo_string34
	.long	.Linfo_string35
	.long	.Linfo_string36
	.long	.Linfo_string37
	.long	.Linfo_string38
	.section	.debug_addr,"",@progbits
	.long	.Ldebug_addr_end0-.Ldebug_addr_start0
.Ldebug_addr_start0:
	.short	5
	.byte	8
	.byte	0
.Laddr_table_base0:
	.quad	.Lfunc_begin0
	.quad	.Lfunc_begin1
	.quad	.Lfunc_begin2
	.quad	.Lfunc_begin3
	.quad	.Lfunc_begin4
	.quad	.Lfunc_begin5
	.quad	.Lfunc_begin6
	.quad	.Lfunc_begin7
	.quad	.Ltmp11
	.quad	.Ltmp12
	.quad	.Ltmp13
	.quad	.Ltmp14
	.quad	.Ltmp15
	.quad	.Ltmp16
	.quad	.Ltmp17
	.quad	.Ltmp18
	.quad	.Ltmp19
	.quad	.Ltmp20
	.quad	.Ltmp21
	.quad	.Lfunc_begin8
	.quad	.Lfunc_begin9
	.quad	.Lfunc_begin10
	.quad	.Lfunc_begin11
.Ldebug_addr_end0:
	.ident	"Debian clang version 14.0.6"
	.section	".note.GNU-stack","",@progbits
	.section	.debug_line,"",@progbits
.Lline_table_start0:
