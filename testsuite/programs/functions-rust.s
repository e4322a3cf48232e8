	.file	"functions.681af3aca4995f86-cgu.0"
	.section	.text._RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind,"ax",@progbits
	.hidden	_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind
	.globl	_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind
	.p2align	4
	.type	_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind,@function
_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind:
.Lfunc_begin0:
	.cfi_startproc
	.p2align	4
.LBB0_1:
	.file	1 "./functions.rs"
	.loc	1 51 5 prologue_end
	jmp	.LBB0_1
.Ltmp0:
.Lfunc_end0:
	.size	_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind, .Lfunc_end0-_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind
	.cfi_endproc

	.section	".text._ZN72_$LT$functions..geometry..Shape$u20$as$u20$functions..geometry..Area$GT$4area17h51004511ed027927E","ax",@progbits
	.p2align	4
	.type	_ZN72_$LT$functions..geometry..Shape$u20$as$u20$functions..geometry..Area$GT$4area17h51004511ed027927E,@function
_ZN72_$LT$functions..geometry..Shape$u20$as$u20$functions..geometry..Area$GT$4area17h51004511ed027927E:
.Lfunc_begin1:
	.cfi_startproc
	.file	2 "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/num/int_macros.rs"
	.loc	2 2173 13 prologue_end
	imull	%edi, %edi
.Ltmp1:
	.loc	2 2173 13 is_stmt 0
	leal	(%rdi,%rdi,2), %eax
.Ltmp2:
	.loc	1 18 10 is_stmt 1
	retq
.Ltmp3:
.Lfunc_end1:
	.size	_ZN72_$LT$functions..geometry..Shape$u20$as$u20$functions..geometry..Area$GT$4area17h51004511ed027927E, .Lfunc_end1-_ZN72_$LT$functions..geometry..Shape$u20$as$u20$functions..geometry..Area$GT$4area17h51004511ed027927E
	.cfi_endproc

	.section	.text._ZN9functions4area17h618b9232fb5b78b7E,"ax",@progbits
	.p2align	4
	.type	_ZN9functions4area17h618b9232fb5b78b7E,@function
_ZN9functions4area17h618b9232fb5b78b7E:
.Lfunc_begin2:
	.loc	1 37 0
	.cfi_startproc
	movl	%edi, %eax
.Ltmp4:
	.loc	1 38 5 prologue_end
	xorl	$5, %eax
	.loc	1 39 2
	retq
.Ltmp5:
.Lfunc_end2:
	.size	_ZN9functions4area17h618b9232fb5b78b7E, .Lfunc_end2-_ZN9functions4area17h618b9232fb5b78b7E
	.cfi_endproc

	.section	.text._ZN9functions8geometry5Shape4grow17h4c319014b24262edE,"ax",@progbits
	.p2align	4
	.type	_ZN9functions8geometry5Shape4grow17h4c319014b24262edE,@function
_ZN9functions8geometry5Shape4grow17h4c319014b24262edE:
.Lfunc_begin3:
	.cfi_startproc
	.loc	1 23 13 prologue_end
	addl	%esi, (%rdi)
	.loc	1 24 10
	retq
.Ltmp6:
.Lfunc_end3:
	.size	_ZN9functions8geometry5Shape4grow17h4c319014b24262edE, .Lfunc_end3-_ZN9functions8geometry5Shape4grow17h4c319014b24262edE
	.cfi_endproc

	.section	.text._ZN9functions8geometry7largest17h0a7de6b0cf58778dE,"ax",@progbits
	.p2align	4
	.type	_ZN9functions8geometry7largest17h0a7de6b0cf58778dE,@function
_ZN9functions8geometry7largest17h0a7de6b0cf58778dE:
.Lfunc_begin4:
	.cfi_startproc
	.loc	1 33 5 prologue_end
	cmpq	$5, %rdi
	movl	$4, %eax
	cmovgeq	%rdi, %rax
	.loc	1 33 6 is_stmt 0
	retq
.Ltmp7:
.Lfunc_end4:
	.size	_ZN9functions8geometry7largest17h0a7de6b0cf58778dE, .Lfunc_end4-_ZN9functions8geometry7largest17h0a7de6b0cf58778dE
	.cfi_endproc

	.section	.text._ZN9functions8geometry7largest17ha0895b5adfe94839E,"ax",@progbits
	.p2align	4
	.type	_ZN9functions8geometry7largest17ha0895b5adfe94839E,@function
_ZN9functions8geometry7largest17ha0895b5adfe94839E:
.Lfunc_begin5:
	.cfi_startproc
	.loc	1 33 5 prologue_end is_stmt 1
	cmpl	$4, %edi
	movl	$3, %eax
	cmovgel	%edi, %eax
	.loc	1 33 6 is_stmt 0
	retq
.Ltmp8:
.Lfunc_end5:
	.size	_ZN9functions8geometry7largest17ha0895b5adfe94839E, .Lfunc_end5-_ZN9functions8geometry7largest17ha0895b5adfe94839E
	.cfi_endproc

	.section	.text.run,"ax",@progbits
	.globl	run
	.p2align	4
	.type	run,@function
run:
.Lfunc_begin6:
	.loc	1 42 0 is_stmt 1
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	pushq	%r15
	.cfi_def_cfa_offset 24
	pushq	%r14
	.cfi_def_cfa_offset 32
	pushq	%rbx
	.cfi_def_cfa_offset 40
	pushq	%rax
	.cfi_def_cfa_offset 48
	.cfi_offset %rbx, -40
	.cfi_offset %r14, -32
	.cfi_offset %r15, -24
	.cfi_offset %rbp, -16
	movl	%edi, %ebx
.Ltmp9:
	.loc	1 44 21 prologue_end
	movl	%edi, 4(%rsp)
	leaq	4(%rsp), %rdi
.Ltmp10:
	.loc	1 45 11
	movl	%ebx, %esi
	callq	_ZN9functions8geometry5Shape4grow17h4c319014b24262edE
	.loc	1 46 11
	movl	4(%rsp), %edi
	callq	_ZN72_$LT$functions..geometry..Shape$u20$as$u20$functions..geometry..Area$GT$4area17h51004511ed027927E
	movl	%eax, %ebp
	.loc	1 46 21 is_stmt 0
	movl	%ebx, %edi
	callq	_ZN9functions4area17h618b9232fb5b78b7E
	movl	%eax, %r14d
	.loc	1 46 31
	movl	%ebx, %edi
	callq	_ZN9functions8geometry7largest17ha0895b5adfe94839E
	movl	%eax, %r15d
	.loc	1 46 5
	xorl	%r14d, %r15d
	.loc	1 46 75
	movslq	%ebx, %rdi
	.loc	1 46 57
	callq	_ZN9functions8geometry7largest17h0a7de6b0cf58778dE
	.loc	1 46 5
	xorl	%r15d, %eax
	xorl	%ebp, %eax
.Ltmp11:
	.loc	1 47 2 epilogue_begin is_stmt 1
	addq	$8, %rsp
	.cfi_def_cfa_offset 40
	popq	%rbx
.Ltmp12:
	.cfi_def_cfa_offset 32
	popq	%r14
	.cfi_def_cfa_offset 24
	popq	%r15
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	retq
.Ltmp13:
.Lfunc_end6:
	.size	run, .Lfunc_end6-run
	.cfi_endproc

	.section	.debug_loc,"",@progbits
.Ldebug_loc0:
	.quad	-1
	.quad	.Lfunc_begin6
	.quad	.Lfunc_begin6-.Lfunc_begin6
	.quad	.Ltmp10-.Lfunc_begin6
	.short	1
	.byte	85
	.quad	.Ltmp10-.Lfunc_begin6
	.quad	.Ltmp12-.Lfunc_begin6
	.short	1
	.byte	83
	.quad	.Ltmp12-.Lfunc_begin6
	.quad	.Lfunc_end6-.Lfunc_begin6
	.short	4
	.byte	243
	.byte	1
	.byte	85
	.byte	159
	.quad	0
	.quad	0
	.section	.debug_abbrev,"",@progbits
	.byte	1
	.byte	17
	.byte	1
	.byte	37
	.byte	14
	.byte	19
	.byte	5
	.byte	3
	.byte	14
	.byte	16
	.byte	23
	.byte	27
	.byte	14
	.byte	17
	.byte	1
	.byte	85
	.byte	23
	.byte	0
	.byte	0
	.byte	2
	.byte	57
	.byte	1
	.byte	3
	.byte	14
	.byte	0
	.byte	0
	.byte	3
	.byte	46
	.byte	1
	.byte	17
	.byte	1
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	110
	.byte	14
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.ascii	"\207\001"
	.byte	25
	.byte	0
	.byte	0
	.byte	4
	.byte	5
	.byte	0
	.byte	2
	.byte	24
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	5
	.byte	46
	.byte	1
	.byte	17
	.byte	1
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	110
	.byte	14
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	54
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	6
	.byte	5
	.byte	0
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	7
	.byte	5
	.byte	0
	.byte	28
	.byte	13
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	8
	.byte	29
	.byte	1
	.byte	49
	.byte	19
	.byte	17
	.byte	1
	.byte	18
	.byte	6
	.byte	88
	.byte	11
	.byte	89
	.byte	11
	.byte	87
	.byte	11
	.byte	0
	.byte	0
	.byte	9
	.byte	5
	.byte	0
	.byte	2
	.byte	24
	.byte	49
	.byte	19
	.byte	0
	.byte	0
	.byte	10
	.byte	5
	.byte	0
	.byte	28
	.byte	13
	.byte	49
	.byte	19
	.byte	0
	.byte	0
	.byte	11
	.byte	19
	.byte	1
	.byte	3
	.byte	14
	.byte	11
	.byte	11
	.byte	50
	.byte	11
	.ascii	"\210\001"
	.byte	15
	.byte	0
	.byte	0
	.byte	12
	.byte	13
	.byte	0
	.byte	3
	.byte	14
	.byte	73
	.byte	19
	.ascii	"\210\001"
	.byte	15
	.byte	56
	.byte	11
	.byte	50
	.byte	11
	.byte	0
	.byte	0
	.byte	13
	.byte	46
	.byte	1
	.byte	110
	.byte	14
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	60
	.byte	25
	.byte	0
	.byte	0
	.byte	14
	.byte	5
	.byte	0
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	15
	.byte	5
	.byte	0
	.byte	2
	.byte	24
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	16
	.byte	47
	.byte	0
	.byte	73
	.byte	19
	.byte	3
	.byte	14
	.byte	0
	.byte	0
	.byte	17
	.byte	46
	.byte	1
	.byte	17
	.byte	1
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	110
	.byte	14
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	18
	.byte	46
	.byte	1
	.byte	17
	.byte	1
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	3
	.byte	14
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
	.byte	19
	.byte	5
	.byte	0
	.byte	2
	.byte	23
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	20
	.byte	11
	.byte	1
	.byte	17
	.byte	1
	.byte	18
	.byte	6
	.byte	0
	.byte	0
	.byte	21
	.byte	52
	.byte	0
	.byte	2
	.byte	24
	.byte	3
	.byte	14
	.ascii	"\210\001"
	.byte	15
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	22
	.byte	46
	.byte	1
	.byte	110
	.byte	14
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	5
	.byte	73
	.byte	19
	.byte	32
	.byte	11
	.byte	0
	.byte	0
	.byte	23
	.byte	5
	.byte	0
	.byte	3
	.byte	14
	.byte	58
	.byte	11
	.byte	59
	.byte	5
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	24
	.byte	51
	.byte	1
	.byte	21
	.byte	19
	.byte	0
	.byte	0
	.byte	25
	.byte	13
	.byte	0
	.byte	73
	.byte	19
	.ascii	"\210\001"
	.byte	15
	.byte	56
	.byte	11
	.byte	52
	.byte	25
	.byte	0
	.byte	0
	.byte	26
	.byte	25
	.byte	1
	.byte	0
	.byte	0
	.byte	27
	.byte	13
	.byte	0
	.byte	3
	.byte	14
	.byte	73
	.byte	19
	.ascii	"\210\001"
	.byte	15
	.byte	56
	.byte	11
	.byte	0
	.byte	0
	.byte	28
	.byte	25
	.byte	1
	.byte	22
	.byte	11
	.byte	0
	.byte	0
	.byte	29
	.byte	19
	.byte	0
	.byte	3
	.byte	14
	.byte	11
	.byte	11
	.byte	50
	.byte	11
	.ascii	"\210\001"
	.byte	15
	.byte	0
	.byte	0
	.byte	30
	.byte	36
	.byte	0
	.byte	3
	.byte	14
	.byte	62
	.byte	11
	.byte	11
	.byte	11
	.byte	0
	.byte	0
	.byte	31
	.byte	15
	.byte	0
	.byte	73
	.byte	19
	.byte	3
	.byte	14
	.byte	51
	.byte	6
	.byte	0
	.byte	0
	.byte	32
	.byte	46
	.byte	1
	.byte	17
	.byte	1
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	71
	.byte	19
	.byte	0
	.byte	0
	.byte	33
	.byte	21
	.byte	1
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	34
	.byte	19
	.byte	1
	.byte	3
	.byte	14
	.byte	11
	.byte	11
	.ascii	"\210\001"
	.byte	15
	.byte	0
	.byte	0
	.byte	35
	.byte	15
	.byte	0
	.byte	73
	.byte	19
	.byte	51
	.byte	6
	.byte	0
	.byte	0
	.byte	36
	.byte	19
	.byte	0
	.byte	3
	.byte	14
	.byte	11
	.byte	11
	.ascii	"\210\001"
	.byte	15
	.byte	0
	.byte	0
	.byte	37
	.byte	1
	.byte	1
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	38
	.byte	33
	.byte	0
	.byte	73
	.byte	19
	.byte	34
	.byte	13
	.byte	55
	.byte	11
	.byte	0
	.byte	0
	.byte	39
	.byte	36
	.byte	0
	.byte	3
	.byte	14
	.byte	11
	.byte	11
	.byte	62
	.byte	11
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_info,"",@progbits
.Lcu_begin0:
	.long	.Ldebug_info_end0-.Ldebug_info_start0
.Ldebug_info_start0:
	.short	4
	.long	.debug_abbrev
	.byte	8
	.byte	1
	.long	.Linfo_string0
	.short	28
	.long	.Linfo_string1
	.long	.Lline_table_start0
	.long	.Linfo_string2
	.quad	0
	.long	.Ldebug_ranges0
	.byte	2
	.long	.Linfo_string3
	.byte	3
	.quad	.Lfunc_begin0
	.long	.Lfunc_end0-.Lfunc_begin0
	.byte	1
	.byte	87
	.long	.Linfo_string19
	.long	.Linfo_string20
	.byte	1
	.byte	50

	.byte	4
	.byte	1
	.byte	85
	.byte	1
	.byte	50
	.long	1337
	.byte	0
	.byte	2
	.long	.Linfo_string12
	.byte	2
	.long	.Linfo_string13
	.byte	5
	.quad	.Lfunc_begin1
	.long	.Lfunc_end1-.Lfunc_begin1
	.byte	1
	.byte	87
	.long	.Linfo_string21
	.long	.Linfo_string22
	.byte	1
	.byte	16
	.byte	3
	.long	1264
	.byte	6
	.long	.Linfo_string10
	.byte	1
	.byte	16
	.long	1667
	.byte	7
	.byte	3
	.long	.Linfo_string104
	.byte	1
	.byte	16
	.long	1264
	.byte	8
	.long	512
	.quad	.Lfunc_begin1
	.long	.Ltmp1-.Lfunc_begin1
	.byte	1
	.byte	17
	.byte	23
	.byte	9
	.byte	1
	.byte	85
	.long	529
	.byte	9
	.byte	1
	.byte	85
	.long	541
	.byte	0
	.byte	8
	.long	512
	.quad	.Ltmp1
	.long	.Ltmp2-.Ltmp1
	.byte	1
	.byte	17
	.byte	47
	.byte	10
	.byte	3
	.long	541
	.byte	0
	.byte	0
	.byte	0
	.byte	11
	.long	.Linfo_string15
	.byte	4
	.byte	1
	.byte	4
	.byte	12
	.long	.Linfo_string14
	.long	1264
	.byte	4
	.byte	0
	.byte	1
	.byte	13
	.long	.Linfo_string16
	.long	.Linfo_string17
	.byte	1
	.byte	22

	.byte	14
	.long	1271
	.byte	14
	.long	1264
	.byte	0
	.byte	0
	.byte	5
	.quad	.Lfunc_begin4
	.long	.Lfunc_end4-.Lfunc_begin4
	.byte	1
	.byte	87
	.long	.Linfo_string26
	.long	.Linfo_string27
	.byte	1
	.byte	27
	.byte	3
	.long	1330
	.byte	15
	.byte	1
	.byte	85
	.long	.Linfo_string107
	.byte	1
	.byte	27
	.long	1330
	.byte	7
	.byte	4
	.long	.Linfo_string108
	.byte	1
	.byte	27
	.long	1330
	.byte	16
	.long	1330
	.long	.Linfo_string25
	.byte	0
	.byte	5
	.quad	.Lfunc_begin5
	.long	.Lfunc_end5-.Lfunc_begin5
	.byte	1
	.byte	87
	.long	.Linfo_string28
	.long	.Linfo_string29
	.byte	1
	.byte	27
	.byte	3
	.long	1264
	.byte	15
	.byte	1
	.byte	85
	.long	.Linfo_string107
	.byte	1
	.byte	27
	.long	1264
	.byte	7
	.byte	3
	.long	.Linfo_string108
	.byte	1
	.byte	27
	.long	1264
	.byte	16
	.long	1264
	.long	.Linfo_string25
	.byte	0
	.byte	0
	.byte	17
	.quad	.Lfunc_begin2
	.long	.Lfunc_end2-.Lfunc_begin2
	.byte	1
	.byte	87
	.long	.Linfo_string23
	.long	.Linfo_string22
	.byte	1
	.byte	37
	.long	1264
	.byte	15
	.byte	1
	.byte	85
	.long	.Linfo_string106
	.byte	1
	.byte	37
	.long	1264
	.byte	0
	.byte	18
	.quad	.Lfunc_begin6
	.long	.Lfunc_end6-.Lfunc_begin6
	.byte	1
	.byte	87
	.long	.Linfo_string30
	.byte	1
	.byte	42
	.long	1264

	.byte	19
	.long	.Ldebug_loc0
	.long	.Linfo_string106
	.byte	1
	.byte	42
	.long	1264
	.byte	20
	.quad	.Ltmp10
	.long	.Ltmp11-.Ltmp10
	.byte	21
	.byte	2
	.byte	145
	.byte	4
	.long	.Linfo_string109
	.byte	4
	.byte	1
	.byte	44
	.long	209
	.byte	0
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string4
	.byte	2
	.long	.Linfo_string5
	.byte	2
	.long	.Linfo_string6
	.byte	22
	.long	.Linfo_string7
	.long	.Linfo_string8
	.byte	2
	.short	2172
	.long	1264
	.byte	1
	.byte	23
	.long	.Linfo_string10
	.byte	2
	.short	2172
	.long	1264
	.byte	23
	.long	.Linfo_string11
	.byte	2
	.short	2172
	.long	1264
	.byte	0
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string20
	.byte	2
	.long	.Linfo_string31
	.byte	11
	.long	.Linfo_string102
	.byte	24
	.byte	1
	.byte	8
	.byte	12
	.long	.Linfo_string32
	.long	1350
	.byte	8
	.byte	0
	.byte	3
	.byte	12
	.long	.Linfo_string86
	.long	1578
	.byte	8
	.byte	8
	.byte	3
	.byte	12
	.long	.Linfo_string99
	.long	1660
	.byte	1
	.byte	16
	.byte	3
	.byte	12
	.long	.Linfo_string101
	.long	1660
	.byte	1
	.byte	17
	.byte	3
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string86
	.byte	11
	.long	.Linfo_string97
	.byte	24
	.byte	1
	.byte	8
	.byte	12
	.long	.Linfo_string87
	.long	1055
	.byte	8
	.byte	0
	.byte	3
	.byte	12
	.long	.Linfo_string92
	.long	1452
	.byte	4
	.byte	16
	.byte	3
	.byte	12
	.long	.Linfo_string93
	.long	1452
	.byte	4
	.byte	20
	.byte	3
	.byte	12
	.long	.Linfo_string94
	.long	1244
	.byte	1
	.byte	24
	.byte	3
	.byte	0
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string33
	.byte	11
	.long	.Linfo_string84
	.byte	16
	.byte	1
	.byte	8
	.byte	12
	.long	.Linfo_string34
	.long	965
	.byte	8
	.byte	0
	.byte	3
	.byte	12
	.long	.Linfo_string41
	.long	995
	.byte	8
	.byte	8
	.byte	3
	.byte	0
	.byte	2
	.long	.Linfo_string42
	.byte	11
	.long	.Linfo_string81
	.byte	16
	.byte	1
	.byte	8
	.byte	12
	.long	.Linfo_string43
	.long	752
	.byte	8
	.byte	0
	.byte	3
	.byte	0
	.byte	11
	.long	.Linfo_string80
	.byte	16
	.byte	3
	.byte	8
	.byte	24
	.long	765
	.byte	25
	.long	1383
	.byte	8
	.byte	0

	.byte	26
	.byte	27
	.long	.Linfo_string45
	.long	800
	.byte	8
	.byte	0
	.byte	0
	.byte	28
	.byte	0
	.byte	27
	.long	.Linfo_string79
	.long	845
	.byte	8
	.byte	0
	.byte	0
	.byte	0
	.byte	11
	.long	.Linfo_string45
	.byte	16
	.byte	3
	.byte	8
	.byte	12
	.long	.Linfo_string46
	.long	1025
	.byte	8
	.byte	0
	.byte	3
	.byte	12
	.long	.Linfo_string50
	.long	1410
	.byte	8
	.byte	8
	.byte	3
	.byte	12
	.long	.Linfo_string75
	.long	1226
	.byte	1
	.byte	16
	.byte	3
	.byte	0
	.byte	11
	.long	.Linfo_string79
	.byte	16
	.byte	3
	.byte	8
	.byte	12
	.long	.Linfo_string55
	.long	1459
	.byte	2
	.byte	8
	.byte	3
	.byte	0
	.byte	0
	.byte	0
	.byte	29
	.long	.Linfo_string53
	.byte	0
	.byte	1
	.byte	1
	.byte	11
	.long	.Linfo_string72
	.byte	24
	.byte	1
	.byte	8
	.byte	12
	.long	.Linfo_string58
	.long	909
	.byte	4
	.byte	16
	.byte	3
	.byte	12
	.long	.Linfo_string65
	.long	1466
	.byte	8
	.byte	0
	.byte	3
	.byte	0
	.byte	11
	.long	.Linfo_string64
	.byte	8
	.byte	1
	.byte	4
	.byte	12
	.long	.Linfo_string59
	.long	1452
	.byte	4
	.byte	0
	.byte	3
	.byte	12
	.long	.Linfo_string61
	.long	1459
	.byte	2
	.byte	4
	.byte	3
	.byte	12
	.long	.Linfo_string63
	.long	1459
	.byte	2
	.byte	6
	.byte	3
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string35
	.byte	2
	.long	.Linfo_string36
	.byte	11
	.long	.Linfo_string40
	.byte	8
	.byte	1
	.byte	8
	.byte	16
	.long	1363
	.long	.Linfo_string25
	.byte	12
	.long	.Linfo_string38
	.long	1370
	.byte	8
	.byte	0
	.byte	3
	.byte	0
	.byte	11
	.long	.Linfo_string83
	.byte	8
	.byte	1
	.byte	8
	.byte	16
	.long	731
	.long	.Linfo_string25
	.byte	12
	.long	.Linfo_string38
	.long	1565
	.byte	8
	.byte	0
	.byte	3
	.byte	0
	.byte	11
	.long	.Linfo_string49
	.byte	8
	.byte	1
	.byte	8
	.byte	16
	.long	1390
	.long	.Linfo_string25
	.byte	12
	.long	.Linfo_string38
	.long	1397
	.byte	8
	.byte	0
	.byte	3
	.byte	0
	.byte	11
	.long	.Linfo_string91
	.byte	16
	.byte	1
	.byte	8
	.byte	16
	.long	1363
	.long	.Linfo_string25
	.byte	12
	.long	.Linfo_string38
	.long	1591
	.byte	8
	.byte	0
	.byte	3
	.byte	0
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string51
	.byte	11
	.long	.Linfo_string57
	.byte	1
	.byte	1
	.byte	1
	.byte	24
	.long	1105
	.byte	25
	.long	1363
	.byte	1
	.byte	0

	.byte	28
	.byte	0
	.byte	27
	.long	.Linfo_string52
	.long	1141
	.byte	1
	.byte	0
	.byte	0
	.byte	28
	.byte	1
	.byte	27
	.long	.Linfo_string56
	.long	1180
	.byte	1
	.byte	0
	.byte	0
	.byte	0
	.byte	11
	.long	.Linfo_string52
	.byte	1
	.byte	1
	.byte	1
	.byte	16
	.long	1390
	.long	.Linfo_string25
	.byte	16
	.long	868
	.long	.Linfo_string54
	.byte	12
	.long	.Linfo_string55
	.long	1390
	.byte	1
	.byte	1
	.byte	1
	.byte	0
	.byte	11
	.long	.Linfo_string56
	.byte	1
	.byte	1
	.byte	1
	.byte	16
	.long	1390
	.long	.Linfo_string25
	.byte	16
	.long	868
	.long	.Linfo_string54
	.byte	12
	.long	.Linfo_string55
	.long	868
	.byte	1
	.byte	1
	.byte	1
	.byte	0
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string76
	.byte	11
	.long	.Linfo_string78
	.byte	0
	.byte	1
	.byte	1
	.byte	16
	.long	1552
	.long	.Linfo_string25
	.byte	0
	.byte	11
	.long	.Linfo_string96
	.byte	0
	.byte	1
	.byte	1
	.byte	16
	.long	1630
	.long	.Linfo_string25
	.byte	0
	.byte	0
	.byte	0
	.byte	30
	.long	.Linfo_string9
	.byte	5
	.byte	4
	.byte	31
	.long	209
	.long	.Linfo_string18
	.long	0
	.byte	32
	.quad	.Lfunc_begin3
	.long	.Lfunc_end3-.Lfunc_begin3
	.byte	1
	.byte	87
	.long	229
	.byte	15
	.byte	1
	.byte	85
	.long	.Linfo_string10
	.byte	1
	.byte	22
	.long	1271
	.byte	15
	.byte	1
	.byte	84
	.long	.Linfo_string106
	.byte	1
	.byte	22
	.long	1264
	.byte	0
	.byte	30
	.long	.Linfo_string24
	.byte	5
	.byte	8
	.byte	31
	.long	566
	.long	.Linfo_string103
	.long	0
	.byte	31
	.long	693
	.long	.Linfo_string85
	.long	0
	.byte	30
	.long	.Linfo_string37
	.byte	7
	.byte	1
	.byte	31
	.long	1363
	.long	.Linfo_string39
	.long	0
	.byte	30
	.long	.Linfo_string44
	.byte	7
	.byte	8
	.byte	30
	.long	.Linfo_string47
	.byte	7
	.byte	0
	.byte	31
	.long	1390
	.long	.Linfo_string48
	.long	0
	.byte	31
	.long	1423
	.long	.Linfo_string74
	.long	0
	.byte	33
	.long	1092
	.byte	14
	.long	1025
	.byte	14
	.long	1439
	.byte	0
	.byte	31
	.long	876
	.long	.Linfo_string73
	.long	0
	.byte	30
	.long	.Linfo_string60
	.byte	7
	.byte	4
	.byte	30
	.long	.Linfo_string62
	.byte	7
	.byte	2
	.byte	34
	.long	.Linfo_string71
	.byte	16
	.byte	8
	.byte	27
	.long	.Linfo_string38
	.long	1496
	.byte	8
	.byte	0
	.byte	27
	.long	.Linfo_string67
	.long	1512
	.byte	8
	.byte	8
	.byte	0
	.byte	35
	.long	1505
	.long	0
	.byte	36
	.long	.Linfo_string66
	.byte	0
	.byte	1
	.byte	31
	.long	1525
	.long	.Linfo_string70
	.long	0
	.byte	37
	.long	1538
	.byte	38
	.long	1545
	.byte	0
	.byte	6
	.byte	0
	.byte	30
	.long	.Linfo_string68
	.byte	7
	.byte	8
	.byte	39
	.long	.Linfo_string69
	.byte	8
	.byte	7
	.byte	31
	.long	1390
	.long	.Linfo_string77
	.long	0
	.byte	31
	.long	731
	.long	.Linfo_string82
	.long	0
	.byte	31
	.long	629
	.long	.Linfo_string98
	.long	0
	.byte	34
	.long	.Linfo_string90
	.byte	16
	.byte	8
	.byte	27
	.long	.Linfo_string88
	.long	1621
	.byte	8
	.byte	0
	.byte	27
	.long	.Linfo_string89
	.long	1538
	.byte	8
	.byte	8
	.byte	0
	.byte	35
	.long	1363
	.long	0
	.byte	34
	.long	.Linfo_string95
	.byte	16
	.byte	8
	.byte	27
	.long	.Linfo_string88
	.long	1621
	.byte	8
	.byte	0
	.byte	27
	.long	.Linfo_string89
	.long	1538
	.byte	8
	.byte	8
	.byte	0
	.byte	30
	.long	.Linfo_string100
	.byte	2
	.byte	1
	.byte	31
	.long	209
	.long	.Linfo_string105
	.long	0
	.byte	0
.Ldebug_info_end0:
	.section	.text._RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind,"ax",@progbits
.Lsec_end0:
	.section	".text._ZN72_$LT$functions..geometry..Shape$u20$as$u20$functions..geometry..Area$GT$4area17h51004511ed027927E","ax",@progbits
.Lsec_end1:
	.section	.text._ZN9functions4area17h618b9232fb5b78b7E,"ax",@progbits
.Lsec_end2:
	.section	.text._ZN9functions8geometry5Shape4grow17h4c319014b24262edE,"ax",@progbits
.Lsec_end3:
	.section	.text._ZN9functions8geometry7largest17h0a7de6b0cf58778dE,"ax",@progbits
.Lsec_end4:
	.section	.text._ZN9functions8geometry7largest17ha0895b5adfe94839E,"ax",@progbits
.Lsec_end5:
	.section	.text.run,"ax",@progbits
.Lsec_end6:
	.section	.debug_aranges,"",@progbits
	.long	140
	.short	2
	.long	.Lcu_begin0
	.byte	8
	.byte	0
	.zero	4,255
	.quad	.Lfunc_begin0
	.quad	.Lsec_end0-.Lfunc_begin0
	.quad	.Lfunc_begin1
	.quad	.Lsec_end1-.Lfunc_begin1
	.quad	.Lfunc_begin2
	.quad	.Lsec_end2-.Lfunc_begin2
	.quad	.Lfunc_begin3
	.quad	.Lsec_end3-.Lfunc_begin3
	.quad	.Lfunc_begin4
	.quad	.Lsec_end4-.Lfunc_begin4
	.quad	.Lfunc_begin5
	.quad	.Lsec_end5-.Lfunc_begin5
	.quad	.Lfunc_begin6
	.quad	.Lsec_end6-.Lfunc_begin6
	.quad	0
	.quad	0
	.section	.debug_ranges,"",@progbits
.Ldebug_ranges0:
	.quad	.Lfunc_begin0
	.quad	.Lfunc_end0
	.quad	.Lfunc_begin1
	.quad	.Lfunc_end1
	.quad	.Lfunc_begin2
	.quad	.Lfunc_end2
	.quad	.Lfunc_begin3
	.quad	.Lfunc_end3
	.quad	.Lfunc_begin4
	.quad	.Lfunc_end4
	.quad	.Lfunc_begin5
	.quad	.Lfunc_end5
	.quad	.Lfunc_begin6
	.quad	.Lfunc_end6
	.quad	0
	.quad	0
	.section	.debug_str,"MS",@progbits,1
.Linfo_string0:
	.asciz	"clang LLVM (rustc version 1.95.0 (59807616e 2026-04-14))"
.Linfo_string1:
	.asciz	"functions.rs/@/functions.681af3aca4995f86-cgu.0"
.Linfo_string2:
	.asciz	"."
.Linfo_string3:
	.asciz	"functions"
.Linfo_string4:
	.asciz	"core"
.Linfo_string5:
	.asciz	"num"
.Linfo_string6:
	.asciz	"{impl#2}"
.Linfo_string7:
	.asciz	"_RNvMs0_NtCsgEmfK2I1SDS_4core3numl12wrapping_mul"
.Linfo_string8:
	.asciz	"wrapping_mul"
.Linfo_string9:
	.asciz	"i32"
.Linfo_string10:
	.asciz	"self"
.Linfo_string11:
	.asciz	"rhs"
.Linfo_string12:
	.asciz	"geometry"
.Linfo_string13:
	.asciz	"{impl#0}"
.Linfo_string14:
	.asciz	"side"
.Linfo_string15:
	.asciz	"Shape"
.Linfo_string16:
	.asciz	"_ZN9functions8geometry5Shape4grow17h4c319014b24262edE"
.Linfo_string17:
	.asciz	"grow"
.Linfo_string18:
	.asciz	"&mut functions::geometry::Shape"
.Linfo_string19:
	.asciz	"_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind"
.Linfo_string20:
	.asciz	"panic"
.Linfo_string21:
	.asciz	"_ZN72_$LT$functions..geometry..Shape$u20$as$u20$functions..geometry..Area$GT$4area17h51004511ed027927E"
.Linfo_string22:
	.asciz	"area"
.Linfo_string23:
	.asciz	"_ZN9functions4area17h618b9232fb5b78b7E"
.Linfo_string24:
	.asciz	"i64"
.Linfo_string25:
	.asciz	"T"
.Linfo_string26:
	.asciz	"_ZN9functions8geometry7largest17h0a7de6b0cf58778dE"
.Linfo_string27:
	.asciz	"largest<i64>"
.Linfo_string28:
	.asciz	"_ZN9functions8geometry7largest17ha0895b5adfe94839E"
.Linfo_string29:
	.asciz	"largest<i32>"
.Linfo_string30:
	.asciz	"run"
.Linfo_string31:
	.asciz	"panic_info"
.Linfo_string32:
	.asciz	"message"
.Linfo_string33:
	.asciz	"fmt"
.Linfo_string34:
	.asciz	"template"
.Linfo_string35:
	.asciz	"ptr"
.Linfo_string36:
	.asciz	"non_null"
.Linfo_string37:
	.asciz	"u8"
.Linfo_string38:
	.asciz	"pointer"
.Linfo_string39:
	.asciz	"*const u8"
.Linfo_string40:
	.asciz	"NonNull<u8>"
.Linfo_string41:
	.asciz	"args"
.Linfo_string42:
	.asciz	"rt"
.Linfo_string43:
	.asciz	"ty"
.Linfo_string44:
	.asciz	"u64"
.Linfo_string45:
	.asciz	"Placeholder"
.Linfo_string46:
	.asciz	"value"
.Linfo_string47:
	.asciz	"()"
.Linfo_string48:
	.asciz	"*const ()"
.Linfo_string49:
	.asciz	"NonNull<()>"
.Linfo_string50:
	.asciz	"formatter"
.Linfo_string51:
	.asciz	"result"
.Linfo_string52:
	.asciz	"Ok"
.Linfo_string53:
	.asciz	"Error"
.Linfo_string54:
	.asciz	"E"
.Linfo_string55:
	.asciz	"__0"
.Linfo_string56:
	.asciz	"Err"
.Linfo_string57:
	.asciz	"Result<(), core::fmt::Error>"
.Linfo_string58:
	.asciz	"options"
.Linfo_string59:
	.asciz	"flags"
.Linfo_string60:
	.asciz	"u32"
.Linfo_string61:
	.asciz	"width"
.Linfo_string62:
	.asciz	"u16"
.Linfo_string63:
	.asciz	"precision"
.Linfo_string64:
	.asciz	"FormattingOptions"
.Linfo_string65:
	.asciz	"buf"
.Linfo_string66:
	.asciz	"dyn core::fmt::Write"
.Linfo_string67:
	.asciz	"vtable"
.Linfo_string68:
	.asciz	"usize"
.Linfo_string69:
	.asciz	"__ARRAY_SIZE_TYPE__"
.Linfo_string70:
	.asciz	"&[usize; 6]"
.Linfo_string71:
	.asciz	"&mut dyn core::fmt::Write"
.Linfo_string72:
	.asciz	"Formatter"
.Linfo_string73:
	.asciz	"&mut core::fmt::Formatter"
.Linfo_string74:
	.asciz	"unsafe fn(core::ptr::non_null::NonNull<()>, &mut core::fmt::Formatter) -> core::result::Result<(), core::fmt::Error>"
.Linfo_string75:
	.asciz	"_lifetime"
.Linfo_string76:
	.asciz	"marker"
.Linfo_string77:
	.asciz	"&()"
.Linfo_string78:
	.asciz	"PhantomData<&()>"
.Linfo_string79:
	.asciz	"Count"
.Linfo_string80:
	.asciz	"ArgumentType"
.Linfo_string81:
	.asciz	"Argument"
.Linfo_string82:
	.asciz	"*const core::fmt::rt::Argument"
.Linfo_string83:
	.asciz	"NonNull<core::fmt::rt::Argument>"
.Linfo_string84:
	.asciz	"Arguments"
.Linfo_string85:
	.asciz	"&core::fmt::Arguments"
.Linfo_string86:
	.asciz	"location"
.Linfo_string87:
	.asciz	"filename"
.Linfo_string88:
	.asciz	"data_ptr"
.Linfo_string89:
	.asciz	"length"
.Linfo_string90:
	.asciz	"*const str"
.Linfo_string91:
	.asciz	"NonNull<str>"
.Linfo_string92:
	.asciz	"line"
.Linfo_string93:
	.asciz	"col"
.Linfo_string94:
	.asciz	"_filename"
.Linfo_string95:
	.asciz	"&str"
.Linfo_string96:
	.asciz	"PhantomData<&str>"
.Linfo_string97:
	.asciz	"Location"
.Linfo_string98:
	.asciz	"&core::panic::location::Location"
.Linfo_string99:
	.asciz	"can_unwind"
.Linfo_string100:
	.asciz	"bool"
.Linfo_string101:
	.asciz	"force_no_backtrace"
.Linfo_string102:
	.asciz	"PanicInfo"
.Linfo_string103:
	.asciz	"&core::panic::panic_info::PanicInfo"
.Linfo_string104:
	.asciz	"scale"
.Linfo_string105:
	.asciz	"&functions::geometry::Shape"
.Linfo_string106:
	.asciz	"n"
.Linfo_string107:
	.asciz	"a"
.Linfo_string108:
	.asciz	"b"
.Linfo_string109:
	.asciz	"shape"
	.ident	"rustc version 1.95.0 (59807616e 2026-04-14)"
	.section	".note.GNU-stack","",@progbits
	.section	.debug_line,"",@progbits
.Lline_table_start0:
