	.file	"names.38efd9133fa684a1-cgu.0"
	.file	1 "./names.rs"
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
	.loc	1 69 5 prologue_end
	jmp	.LBB0_1
.Ltmp0:
.Lfunc_end0:
	.size	_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind, .Lfunc_end0-_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind
	.cfi_endproc

	.section	.text._start,"ax",@progbits
	.globl	_start
	.p2align	4
	.type	_start,@function
_start:
.Lfunc_begin1:
	.loc	1 50 0
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
.Ltmp1:
	.loc	1 51 5 prologue_end
	incl	_ZN5names5COUNT17h3c63e0a6fb8b59faE.0(%rip)
.Ltmp2:
	.loc	1 46 5
	movl	$121, %eax
	movl	$_ZN5names5state5SHAPE17h517cb9c4c173be5aE, %edi
	#APP

	syscall

	#NO_APP
.Ltmp3:
	movl	$121, %eax
	movl	$_ZN5names5state5ROUND17h2e1143f3414db49bE, %edi
	#APP

	syscall

	#NO_APP
.Ltmp4:
	movl	$121, %eax
	movl	$_ZN5names5state6HOLDER17hc89167a2ed2febb0E, %edi
	#APP

	syscall

	#NO_APP
.Ltmp5:
	movl	$121, %eax
	movl	$_ZN5names5state6COLOUR17h8b14e0866c8b907fE, %edi
	#APP

	syscall

	#NO_APP
.Ltmp6:
	movl	$121, %eax
	movl	$_ZN5names5state4TEXT17h5a6f939ed10adf81E, %edi
	#APP

	syscall

	#NO_APP
.Ltmp7:
	.loc	1 46 5 is_stmt 0
	movl	$121, %eax
	xorl	%edi, %edi
	#APP

	syscall

	#NO_APP
.Ltmp8:
	.loc	1 46 5
	movl	$231, %eax
	xorl	%edi, %edi
	#APP

	syscall

	#NO_APP
.Ltmp9:
	.loc	1 65 2 epilogue_begin is_stmt 1
	popq	%rax
	.cfi_def_cfa_offset 8
	retq
.Ltmp10:
.Lfunc_end1:
	.size	_start, .Lfunc_end1-_start
	.cfi_endproc

	.type	_ZN5names5COUNT17h3c63e0a6fb8b59faE.0,@object
	.section	.data._ZN5names5COUNT17h3c63e0a6fb8b59faE.0,"aw",@progbits
	.p2align	2, 0x0
_ZN5names5COUNT17h3c63e0a6fb8b59faE.0:
	.long	41
	.size	_ZN5names5COUNT17h3c63e0a6fb8b59faE.0, 4

	.type	.Lanon.f72d945c91fa66844a457c69edbb920f.0,@object
	.section	.rodata..Lanon.f72d945c91fa66844a457c69edbb920f.0,"a",@progbits
.Lanon.f72d945c91fa66844a457c69edbb920f.0:
	.ascii	"some text"
	.size	.Lanon.f72d945c91fa66844a457c69edbb920f.0, 9

	.type	_ZN5names5state4TEXT17h5a6f939ed10adf81E,@object
	.section	.data._ZN5names5state4TEXT17h5a6f939ed10adf81E,"aw",@progbits
	.p2align	3, 0x0
_ZN5names5state4TEXT17h5a6f939ed10adf81E:
	.quad	.Lanon.f72d945c91fa66844a457c69edbb920f.0
	.asciz	"\t\000\000\000\000\000\000"
	.size	_ZN5names5state4TEXT17h5a6f939ed10adf81E, 16

	.type	_ZN5names5state5POINT17hfbbd8dcf52bfde73E,@object
	.section	.rodata._ZN5names5state5POINT17hfbbd8dcf52bfde73E,"a",@progbits
	.p2align	3, 0x0
_ZN5names5state5POINT17hfbbd8dcf52bfde73E:
	.asciz	"\364\377\377\377\377\377\377\377\013\000\000"
	.zero	4
	.size	_ZN5names5state5POINT17hfbbd8dcf52bfde73E, 16

	.type	_ZN5names5state5ROUND17h2e1143f3414db49bE,@object
	.section	.data._ZN5names5state5ROUND17h2e1143f3414db49bE,"aw",@progbits
	.p2align	3, 0x0
_ZN5names5state5ROUND17h2e1143f3414db49bE:
	.asciz	"\001"
	.zero	2
	.asciz	"\006\000\000"
	.zero	16
	.size	_ZN5names5state5ROUND17h2e1143f3414db49bE, 24

	.type	_ZN5names5state5SHAPE17h517cb9c4c173be5aE,@object
	.section	.data._ZN5names5state5SHAPE17h517cb9c4c173be5aE,"aw",@progbits
	.p2align	3, 0x0
_ZN5names5state5SHAPE17h517cb9c4c173be5aE:
	.asciz	"\002\000\005"
	.zero	4
	.ascii	"\004\000\000\000\000\000\000\000\375\377\377\377"
	.zero	4
	.size	_ZN5names5state5SHAPE17h517cb9c4c173be5aE, 24

	.type	_ZN5names5state6COLOUR17h8b14e0866c8b907fE,@object
	.section	.data._ZN5names5state6COLOUR17h8b14e0866c8b907fE,"aw",@progbits
_ZN5names5state6COLOUR17h8b14e0866c8b907fE:
	.byte	7
	.size	_ZN5names5state6COLOUR17h8b14e0866c8b907fE, 1

	.type	_ZN5names5state6HOLDER17hc89167a2ed2febb0E,@object
	.section	.data._ZN5names5state6HOLDER17hc89167a2ed2febb0E,"aw",@progbits
	.p2align	3, 0x0
_ZN5names5state6HOLDER17hc89167a2ed2febb0E:
	.quad	_ZN5names5state5POINT17hfbbd8dcf52bfde73E
	.asciz	"\t"
	.zero	6
	.size	_ZN5names5state6HOLDER17hc89167a2ed2febb0E, 16

	.section	.debug_loc,"",@progbits
.Ldebug_loc0:
	.quad	-1
	.quad	.Lfunc_begin1
	.quad	.Ltmp2-.Lfunc_begin1
	.quad	.Ltmp7-.Lfunc_begin1
	.short	8
	.byte	48
	.byte	159
	.byte	147
	.byte	8
	.byte	53
	.byte	159
	.byte	147
	.byte	8
	.quad	.Ltmp7-.Lfunc_begin1
	.quad	.Lfunc_end1-.Lfunc_begin1
	.short	8
	.byte	53
	.byte	159
	.byte	147
	.byte	8
	.byte	53
	.byte	159
	.byte	147
	.byte	8
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
	.byte	52
	.byte	0
	.byte	3
	.byte	14
	.byte	73
	.byte	19
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.ascii	"\210\001"
	.byte	15
	.byte	2
	.byte	24
	.byte	110
	.byte	14
	.byte	0
	.byte	0
	.byte	4
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
	.byte	5
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
	.byte	6
	.byte	51
	.byte	1
	.byte	21
	.byte	19
	.byte	0
	.byte	0
	.byte	7
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
	.byte	8
	.byte	25
	.byte	1
	.byte	22
	.byte	11
	.byte	0
	.byte	0
	.byte	9
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
	.byte	10
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
	.byte	11
	.byte	4
	.byte	1
	.byte	73
	.byte	19
	.byte	109
	.byte	25
	.byte	3
	.byte	14
	.byte	11
	.byte	11
	.ascii	"\210\001"
	.byte	15
	.byte	0
	.byte	0
	.byte	12
	.byte	40
	.byte	0
	.byte	3
	.byte	14
	.byte	28
	.byte	15
	.byte	0
	.byte	0
	.byte	13
	.byte	47
	.byte	0
	.byte	73
	.byte	19
	.byte	3
	.byte	14
	.byte	0
	.byte	0
	.byte	14
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
	.byte	15
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
	.byte	16
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
	.byte	32
	.byte	11
	.byte	0
	.byte	0
	.byte	17
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
	.byte	18
	.byte	52
	.byte	0
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
	.byte	19
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
	.byte	63
	.byte	25
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
	.byte	23
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
	.byte	23
	.byte	52
	.byte	0
	.byte	28
	.byte	13
	.byte	49
	.byte	19
	.byte	0
	.byte	0
	.byte	24
	.byte	52
	.byte	0
	.byte	28
	.byte	15
	.byte	49
	.byte	19
	.byte	0
	.byte	0
	.byte	25
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
	.byte	26
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
	.byte	27
	.byte	15
	.byte	0
	.byte	73
	.byte	19
	.byte	51
	.byte	6
	.byte	0
	.byte	0
	.byte	28
	.byte	25
	.byte	1
	.byte	0
	.byte	0
	.byte	29
	.byte	23
	.byte	1
	.byte	3
	.byte	14
	.byte	11
	.byte	11
	.ascii	"\210\001"
	.byte	15
	.byte	0
	.byte	0
	.byte	30
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
	.byte	31
	.byte	21
	.byte	1
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	32
	.byte	5
	.byte	0
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	33
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
	.byte	34
	.byte	1
	.byte	1
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	35
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
	.byte	36
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
	.long	.Linfo_string4
	.long	750
	.byte	1
	.byte	43
	.byte	4
	.byte	9
	.byte	3
	.quad	_ZN5names5COUNT17h3c63e0a6fb8b59faE.0
	.long	.Linfo_string6
	.byte	2
	.long	.Linfo_string7
	.byte	3
	.long	.Linfo_string8
	.long	757
	.byte	1
	.byte	40
	.byte	8
	.byte	9
	.byte	3
	.quad	_ZN5names5state4TEXT17h5a6f939ed10adf81E
	.long	.Linfo_string14
	.byte	3
	.long	.Linfo_string15
	.long	240
	.byte	1
	.byte	35
	.byte	8
	.byte	9
	.byte	3
	.quad	_ZN5names5state5POINT17hfbbd8dcf52bfde73E
	.long	.Linfo_string22
	.byte	3
	.long	.Linfo_string23
	.long	273
	.byte	1
	.byte	37
	.byte	8
	.byte	9
	.byte	3
	.quad	_ZN5names5state5ROUND17h2e1143f3414db49bE
	.long	.Linfo_string32
	.byte	3
	.long	.Linfo_string33
	.long	273
	.byte	1
	.byte	36
	.byte	8
	.byte	9
	.byte	3
	.quad	_ZN5names5state5SHAPE17h517cb9c4c173be5aE
	.long	.Linfo_string34
	.byte	3
	.long	.Linfo_string35
	.long	399
	.byte	1
	.byte	39
	.byte	1
	.byte	9
	.byte	3
	.quad	_ZN5names5state6COLOUR17h8b14e0866c8b907fE
	.long	.Linfo_string39
	.byte	3
	.long	.Linfo_string40
	.long	423
	.byte	1
	.byte	38
	.byte	8
	.byte	9
	.byte	3
	.quad	_ZN5names5state6HOLDER17hc89167a2ed2febb0E
	.long	.Linfo_string52
	.byte	0
	.byte	2
	.long	.Linfo_string16
	.byte	4
	.long	.Linfo_string21
	.byte	16
	.byte	1
	.byte	8
	.byte	5
	.long	.Linfo_string17
	.long	810
	.byte	4
	.byte	8
	.byte	1
	.byte	5
	.long	.Linfo_string19
	.long	817
	.byte	8
	.byte	0
	.byte	1
	.byte	0
	.byte	4
	.long	.Linfo_string31
	.byte	24
	.byte	1
	.byte	8
	.byte	6
	.long	286
	.byte	7
	.long	824
	.byte	2
	.byte	0

	.byte	8
	.byte	0
	.byte	9
	.long	.Linfo_string25
	.long	336
	.byte	8
	.byte	0
	.byte	0
	.byte	8
	.byte	1
	.byte	9
	.long	.Linfo_string26
	.long	344
	.byte	8
	.byte	0
	.byte	0
	.byte	8
	.byte	2
	.byte	9
	.long	.Linfo_string28
	.long	365
	.byte	8
	.byte	0
	.byte	0
	.byte	0
	.byte	10
	.long	.Linfo_string25
	.byte	24
	.byte	1
	.byte	8
	.byte	4
	.long	.Linfo_string26
	.byte	24
	.byte	1
	.byte	8
	.byte	5
	.long	.Linfo_string27
	.long	750
	.byte	4
	.byte	4
	.byte	1
	.byte	0
	.byte	4
	.long	.Linfo_string28
	.byte	24
	.byte	1
	.byte	8
	.byte	5
	.long	.Linfo_string29
	.long	824
	.byte	2
	.byte	2
	.byte	1
	.byte	5
	.long	.Linfo_string30
	.long	240
	.byte	8
	.byte	8
	.byte	1
	.byte	0
	.byte	0
	.byte	11
	.long	796

	.long	.Linfo_string38
	.byte	1
	.byte	1
	.byte	12
	.long	.Linfo_string36
	.byte	1
	.byte	12
	.long	.Linfo_string37
	.byte	7
	.byte	0
	.byte	4
	.long	.Linfo_string51
	.byte	16
	.byte	1
	.byte	8
	.byte	13
	.long	824
	.long	.Linfo_string41
	.byte	5
	.long	.Linfo_string42
	.long	824
	.byte	2
	.byte	8
	.byte	1
	.byte	5
	.long	.Linfo_string43
	.long	841
	.byte	8
	.byte	0
	.byte	1
	.byte	0
	.byte	0
	.byte	14
	.quad	.Lfunc_begin0
	.long	.Lfunc_end0-.Lfunc_begin0
	.byte	1
	.byte	87
	.long	.Linfo_string57
	.long	.Linfo_string58
	.byte	1
	.byte	68

	.byte	15
	.byte	1
	.byte	85
	.byte	1
	.byte	68
	.long	1985
	.byte	0
	.byte	16
	.long	.Linfo_string53
	.long	.Linfo_string54
	.byte	1
	.byte	45
	.byte	1
	.byte	17
	.long	.Linfo_string55
	.byte	1
	.byte	45
	.long	1965
	.byte	18
	.long	.Linfo_string56
	.byte	8
	.byte	1
	.byte	45
	.long	817
	.byte	18
	.long	.Linfo_string55
	.byte	8
	.byte	1
	.byte	45
	.long	1965
	.byte	0
	.byte	19
	.quad	.Lfunc_begin1
	.long	.Lfunc_end1-.Lfunc_begin1
	.byte	1
	.byte	87
	.long	.Linfo_string59
	.byte	1
	.byte	50

	.byte	20
	.quad	.Ltmp2
	.long	.Ltmp9-.Ltmp2
	.byte	18
	.long	.Linfo_string149
	.byte	8
	.byte	1
	.byte	52
	.long	2254
	.byte	20
	.quad	.Ltmp2
	.long	.Ltmp7-.Ltmp2
	.byte	21
	.long	.Ldebug_loc0
	.long	.Linfo_string124
	.byte	8
	.byte	1
	.byte	60
	.long	1656
	.byte	20
	.quad	.Ltmp2
	.long	.Ltmp7-.Ltmp2
	.byte	18
	.long	.Linfo_string150
	.byte	8
	.byte	1
	.byte	60
	.long	1965
	.byte	22
	.long	501
	.quad	.Ltmp2
	.long	.Ltmp7-.Ltmp2
	.byte	1
	.byte	61
	.byte	9
	.byte	23
	.asciz	"\371"
	.long	524
	.byte	0
	.byte	0
	.byte	0
	.byte	22
	.long	501
	.quad	.Ltmp7
	.long	.Ltmp8-.Ltmp7
	.byte	1
	.byte	63
	.byte	5
	.byte	23
	.asciz	"\371"
	.long	524
	.byte	24
	.byte	0
	.long	536
	.byte	0
	.byte	22
	.long	501
	.quad	.Ltmp8
	.long	.Ltmp9-.Ltmp8
	.byte	1
	.byte	64
	.byte	5
	.byte	23
	.ascii	"\347\001"
	.long	524
	.byte	24
	.byte	0
	.long	536
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	25
	.long	.Linfo_string5
	.byte	7
	.byte	4
	.byte	26
	.long	.Linfo_string13
	.byte	16
	.byte	8
	.byte	9
	.long	.Linfo_string9
	.long	787
	.byte	8
	.byte	0
	.byte	9
	.long	.Linfo_string11
	.long	803
	.byte	8
	.byte	8
	.byte	0
	.byte	27
	.long	796
	.long	0
	.byte	25
	.long	.Linfo_string10
	.byte	7
	.byte	1
	.byte	25
	.long	.Linfo_string12
	.byte	7
	.byte	8
	.byte	25
	.long	.Linfo_string18
	.byte	5
	.byte	4
	.byte	25
	.long	.Linfo_string20
	.byte	5
	.byte	8
	.byte	25
	.long	.Linfo_string24
	.byte	7
	.byte	2
	.byte	2
	.long	.Linfo_string44
	.byte	2
	.long	.Linfo_string45
	.byte	4
	.long	.Linfo_string50
	.byte	8
	.byte	1
	.byte	8
	.byte	6
	.long	854
	.byte	7
	.long	1965
	.byte	8
	.byte	0

	.byte	8
	.byte	0
	.byte	9
	.long	.Linfo_string47
	.long	889
	.byte	8
	.byte	0
	.byte	0
	.byte	28
	.byte	9
	.long	.Linfo_string49
	.long	907
	.byte	8
	.byte	0
	.byte	0
	.byte	0
	.byte	4
	.long	.Linfo_string47
	.byte	8
	.byte	1
	.byte	8
	.byte	13
	.long	1972
	.long	.Linfo_string41
	.byte	0
	.byte	4
	.long	.Linfo_string49
	.byte	8
	.byte	1
	.byte	8
	.byte	13
	.long	1972
	.long	.Linfo_string41
	.byte	5
	.long	.Linfo_string27
	.long	1972
	.byte	8
	.byte	0
	.byte	1
	.byte	0
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string58
	.byte	2
	.long	.Linfo_string60
	.byte	4
	.long	.Linfo_string122
	.byte	24
	.byte	1
	.byte	8
	.byte	5
	.long	.Linfo_string61
	.long	1998
	.byte	8
	.byte	0
	.byte	3
	.byte	5
	.long	.Linfo_string109
	.long	2191
	.byte	8
	.byte	8
	.byte	3
	.byte	5
	.long	.Linfo_string119
	.long	2234
	.byte	1
	.byte	16
	.byte	3
	.byte	5
	.long	.Linfo_string121
	.long	2234
	.byte	1
	.byte	17
	.byte	3
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string109
	.byte	4
	.long	.Linfo_string117
	.byte	24
	.byte	1
	.byte	8
	.byte	5
	.long	.Linfo_string110
	.long	1438
	.byte	8
	.byte	0
	.byte	3
	.byte	5
	.long	.Linfo_string113
	.long	750
	.byte	4
	.byte	16
	.byte	3
	.byte	5
	.long	.Linfo_string114
	.long	750
	.byte	4
	.byte	20
	.byte	3
	.byte	5
	.long	.Linfo_string115
	.long	1627
	.byte	1
	.byte	24
	.byte	3
	.byte	0
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string62
	.byte	4
	.long	.Linfo_string107
	.byte	16
	.byte	1
	.byte	8
	.byte	5
	.long	.Linfo_string63
	.long	1348
	.byte	8
	.byte	0
	.byte	3
	.byte	5
	.long	.Linfo_string69
	.long	1378
	.byte	8
	.byte	8
	.byte	3
	.byte	0
	.byte	2
	.long	.Linfo_string70
	.byte	4
	.long	.Linfo_string104
	.byte	16
	.byte	1
	.byte	8
	.byte	5
	.long	.Linfo_string71
	.long	1135
	.byte	8
	.byte	0
	.byte	3
	.byte	0
	.byte	4
	.long	.Linfo_string103
	.byte	16
	.byte	3
	.byte	8
	.byte	6
	.long	1148
	.byte	7
	.long	1965
	.byte	8
	.byte	0

	.byte	28
	.byte	9
	.long	.Linfo_string72
	.long	1183
	.byte	8
	.byte	0
	.byte	0
	.byte	8
	.byte	0
	.byte	9
	.long	.Linfo_string102
	.long	1228
	.byte	8
	.byte	0
	.byte	0
	.byte	0
	.byte	4
	.long	.Linfo_string72
	.byte	16
	.byte	3
	.byte	8
	.byte	5
	.long	.Linfo_string73
	.long	1408
	.byte	8
	.byte	0
	.byte	3
	.byte	5
	.long	.Linfo_string77
	.long	2044
	.byte	8
	.byte	8
	.byte	3
	.byte	5
	.long	.Linfo_string98
	.long	1609
	.byte	1
	.byte	16
	.byte	3
	.byte	0
	.byte	4
	.long	.Linfo_string102
	.byte	16
	.byte	3
	.byte	8
	.byte	5
	.long	.Linfo_string27
	.long	824
	.byte	2
	.byte	8
	.byte	3
	.byte	0
	.byte	0
	.byte	0
	.byte	10
	.long	.Linfo_string80
	.byte	0
	.byte	1
	.byte	1
	.byte	4
	.long	.Linfo_string95
	.byte	24
	.byte	1
	.byte	8
	.byte	5
	.long	.Linfo_string84
	.long	1292
	.byte	4
	.byte	16
	.byte	3
	.byte	5
	.long	.Linfo_string89
	.long	2086
	.byte	8
	.byte	0
	.byte	3
	.byte	0
	.byte	4
	.long	.Linfo_string88
	.byte	8
	.byte	1
	.byte	4
	.byte	5
	.long	.Linfo_string85
	.long	750
	.byte	4
	.byte	0
	.byte	3
	.byte	5
	.long	.Linfo_string86
	.long	824
	.byte	2
	.byte	4
	.byte	3
	.byte	5
	.long	.Linfo_string87
	.long	824
	.byte	2
	.byte	6
	.byte	3
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string64
	.byte	2
	.long	.Linfo_string65
	.byte	4
	.long	.Linfo_string68
	.byte	8
	.byte	1
	.byte	8
	.byte	13
	.long	796
	.long	.Linfo_string41
	.byte	5
	.long	.Linfo_string66
	.long	2011
	.byte	8
	.byte	0
	.byte	3
	.byte	0
	.byte	4
	.long	.Linfo_string106
	.byte	8
	.byte	1
	.byte	8
	.byte	13
	.long	1114
	.long	.Linfo_string41
	.byte	5
	.long	.Linfo_string66
	.long	2178
	.byte	8
	.byte	0
	.byte	3
	.byte	0
	.byte	4
	.long	.Linfo_string76
	.byte	8
	.byte	1
	.byte	8
	.byte	13
	.long	2024
	.long	.Linfo_string41
	.byte	5
	.long	.Linfo_string66
	.long	2031
	.byte	8
	.byte	0
	.byte	3
	.byte	0
	.byte	4
	.long	.Linfo_string112
	.byte	16
	.byte	1
	.byte	8
	.byte	13
	.long	796
	.long	.Linfo_string41
	.byte	5
	.long	.Linfo_string66
	.long	2204
	.byte	8
	.byte	0
	.byte	3
	.byte	0
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string78
	.byte	4
	.long	.Linfo_string83
	.byte	1
	.byte	1
	.byte	1
	.byte	6
	.long	1488
	.byte	7
	.long	796
	.byte	1
	.byte	0

	.byte	8
	.byte	0
	.byte	9
	.long	.Linfo_string79
	.long	1524
	.byte	1
	.byte	0
	.byte	0
	.byte	8
	.byte	1
	.byte	9
	.long	.Linfo_string82
	.long	1563
	.byte	1
	.byte	0
	.byte	0
	.byte	0
	.byte	4
	.long	.Linfo_string79
	.byte	1
	.byte	1
	.byte	1
	.byte	13
	.long	2024
	.long	.Linfo_string41
	.byte	13
	.long	1251
	.long	.Linfo_string81
	.byte	5
	.long	.Linfo_string27
	.long	2024
	.byte	1
	.byte	1
	.byte	1
	.byte	0
	.byte	4
	.long	.Linfo_string82
	.byte	1
	.byte	1
	.byte	1
	.byte	13
	.long	2024
	.long	.Linfo_string41
	.byte	13
	.long	1251
	.long	.Linfo_string81
	.byte	5
	.long	.Linfo_string27
	.long	1251
	.byte	1
	.byte	1
	.byte	1
	.byte	0
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string99
	.byte	4
	.long	.Linfo_string101
	.byte	0
	.byte	1
	.byte	1
	.byte	13
	.long	2165
	.long	.Linfo_string41
	.byte	0
	.byte	4
	.long	.Linfo_string116
	.byte	0
	.byte	1
	.byte	1
	.byte	13
	.long	757
	.long	.Linfo_string41
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string125
	.byte	2
	.long	.Linfo_string124
	.byte	4
	.long	.Linfo_string148
	.byte	56
	.byte	1
	.byte	8
	.byte	13
	.long	1965
	.long	.Linfo_string41
	.byte	5
	.long	.Linfo_string126
	.long	1746
	.byte	8
	.byte	0
	.byte	3
	.byte	0
	.byte	2
	.long	.Linfo_string129
	.byte	4
	.long	.Linfo_string145
	.byte	56
	.byte	2
	.byte	8
	.byte	13
	.long	2241
	.long	.Linfo_string137
	.byte	5
	.long	.Linfo_string138
	.long	1929
	.byte	8
	.byte	0
	.byte	3
	.byte	5
	.long	.Linfo_string144
	.long	2241
	.byte	8
	.byte	16
	.byte	3
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string127
	.byte	2
	.long	.Linfo_string128
	.byte	4
	.long	.Linfo_string147
	.byte	56
	.byte	1
	.byte	8
	.byte	13
	.long	1691
	.long	.Linfo_string41
	.byte	5
	.long	.Linfo_string73
	.long	1887
	.byte	8
	.byte	0
	.byte	3
	.byte	0
	.byte	4
	.long	.Linfo_string135
	.byte	8
	.byte	1
	.byte	8
	.byte	13
	.long	1965
	.long	.Linfo_string41
	.byte	5
	.long	.Linfo_string73
	.long	1857
	.byte	8
	.byte	0
	.byte	3
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string130
	.byte	29
	.long	.Linfo_string136
	.byte	8
	.byte	8
	.byte	13
	.long	1965
	.long	.Linfo_string41
	.byte	9
	.long	.Linfo_string131
	.long	2024
	.byte	1
	.byte	0
	.byte	9
	.long	.Linfo_string73
	.long	1776
	.byte	8
	.byte	0
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string132
	.byte	4
	.long	.Linfo_string134
	.byte	8
	.byte	1
	.byte	8
	.byte	13
	.long	1965
	.long	.Linfo_string133
	.byte	5
	.long	.Linfo_string27
	.long	1965
	.byte	8
	.byte	0
	.byte	3
	.byte	0
	.byte	4
	.long	.Linfo_string146
	.byte	56
	.byte	1
	.byte	8
	.byte	13
	.long	1691
	.long	.Linfo_string133
	.byte	5
	.long	.Linfo_string27
	.long	1691
	.byte	8
	.byte	0
	.byte	3
	.byte	0
	.byte	0
	.byte	0
	.byte	2
	.long	.Linfo_string139
	.byte	2
	.long	.Linfo_string140
	.byte	4
	.long	.Linfo_string143
	.byte	16
	.byte	2
	.byte	8
	.byte	5
	.long	.Linfo_string141
	.long	803
	.byte	8
	.byte	0
	.byte	3
	.byte	5
	.long	.Linfo_string142
	.long	803
	.byte	8
	.byte	8
	.byte	3
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	25
	.long	.Linfo_string46
	.byte	7
	.byte	8
	.byte	30
	.long	240
	.long	.Linfo_string48
	.long	0
	.byte	30
	.long	949
	.long	.Linfo_string123
	.long	0
	.byte	30
	.long	1076
	.long	.Linfo_string108
	.long	0
	.byte	30
	.long	796
	.long	.Linfo_string67
	.long	0
	.byte	25
	.long	.Linfo_string74
	.byte	7
	.byte	0
	.byte	30
	.long	2024
	.long	.Linfo_string75
	.long	0
	.byte	30
	.long	2057
	.long	.Linfo_string97
	.long	0
	.byte	31
	.long	1475
	.byte	32
	.long	1408
	.byte	32
	.long	2073
	.byte	0
	.byte	30
	.long	1259
	.long	.Linfo_string96
	.long	0
	.byte	26
	.long	.Linfo_string94
	.byte	16
	.byte	8
	.byte	9
	.long	.Linfo_string66
	.long	2116
	.byte	8
	.byte	0
	.byte	9
	.long	.Linfo_string91
	.long	2132
	.byte	8
	.byte	8
	.byte	0
	.byte	27
	.long	2125
	.long	0
	.byte	33
	.long	.Linfo_string90
	.byte	0
	.byte	1
	.byte	30
	.long	2145
	.long	.Linfo_string93
	.long	0
	.byte	34
	.long	803
	.byte	35
	.long	2158
	.byte	0
	.byte	6
	.byte	0
	.byte	36
	.long	.Linfo_string92
	.byte	8
	.byte	7
	.byte	30
	.long	2024
	.long	.Linfo_string100
	.long	0
	.byte	30
	.long	1114
	.long	.Linfo_string105
	.long	0
	.byte	30
	.long	1012
	.long	.Linfo_string118
	.long	0
	.byte	26
	.long	.Linfo_string111
	.byte	16
	.byte	8
	.byte	9
	.long	.Linfo_string9
	.long	787
	.byte	8
	.byte	0
	.byte	9
	.long	.Linfo_string11
	.long	803
	.byte	8
	.byte	8
	.byte	0
	.byte	25
	.long	.Linfo_string120
	.byte	2
	.byte	1
	.byte	34
	.long	1812
	.byte	35
	.long	2158
	.byte	0
	.byte	5
	.byte	0
	.byte	34
	.long	1965
	.byte	35
	.long	2158
	.byte	0
	.byte	5
	.byte	0
	.byte	0
.Ldebug_info_end0:
	.section	.data._ZN5names5COUNT17h3c63e0a6fb8b59faE.0,"aw",@progbits
.Lsec_end0:
	.section	.data._ZN5names5state4TEXT17h5a6f939ed10adf81E,"aw",@progbits
.Lsec_end1:
	.section	.rodata._ZN5names5state5POINT17hfbbd8dcf52bfde73E,"a",@progbits
.Lsec_end2:
	.section	.data._ZN5names5state5ROUND17h2e1143f3414db49bE,"aw",@progbits
.Lsec_end3:
	.section	.data._ZN5names5state5SHAPE17h517cb9c4c173be5aE,"aw",@progbits
.Lsec_end4:
	.section	.data._ZN5names5state6COLOUR17h8b14e0866c8b907fE,"aw",@progbits
.Lsec_end5:
	.section	.data._ZN5names5state6HOLDER17hc89167a2ed2febb0E,"aw",@progbits
.Lsec_end6:
	.section	.text._RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind,"ax",@progbits
.Lsec_end7:
	.section	.text._start,"ax",@progbits
.Lsec_end8:
	.section	.debug_aranges,"",@progbits
	.long	172
	.short	2
	.long	.Lcu_begin0
	.byte	8
	.byte	0
	.zero	4,255
	.quad	_ZN5names5COUNT17h3c63e0a6fb8b59faE.0
	.quad	.Lsec_end0-_ZN5names5COUNT17h3c63e0a6fb8b59faE.0
	.quad	_ZN5names5state4TEXT17h5a6f939ed10adf81E
	.quad	.Lsec_end1-_ZN5names5state4TEXT17h5a6f939ed10adf81E
	.quad	_ZN5names5state5POINT17hfbbd8dcf52bfde73E
	.quad	.Lsec_end2-_ZN5names5state5POINT17hfbbd8dcf52bfde73E
	.quad	_ZN5names5state5ROUND17h2e1143f3414db49bE
	.quad	.Lsec_end3-_ZN5names5state5ROUND17h2e1143f3414db49bE
	.quad	_ZN5names5state5SHAPE17h517cb9c4c173be5aE
	.quad	.Lsec_end4-_ZN5names5state5SHAPE17h517cb9c4c173be5aE
	.quad	_ZN5names5state6COLOUR17h8b14e0866c8b907fE
	.quad	.Lsec_end5-_ZN5names5state6COLOUR17h8b14e0866c8b907fE
	.quad	_ZN5names5state6HOLDER17hc89167a2ed2febb0E
	.quad	.Lsec_end6-_ZN5names5state6HOLDER17hc89167a2ed2febb0E
	.quad	.Lfunc_begin0
	.quad	.Lsec_end7-.Lfunc_begin0
	.quad	.Lfunc_begin1
	.quad	.Lsec_end8-.Lfunc_begin1
	.quad	0
	.quad	0
	.section	.debug_ranges,"",@progbits
.Ldebug_ranges0:
	.quad	.Lfunc_begin0
	.quad	.Lfunc_end0
	.quad	.Lfunc_begin1
	.quad	.Lfunc_end1
	.quad	0
	.quad	0
	.section	.debug_str,"MS",@progbits,1
.Linfo_string0:
	.asciz	"clang LLVM (rustc version 1.95.0 (59807616e 2026-04-14))"
.Linfo_string1:
	.asciz	"names.rs/@/names.38efd9133fa684a1-cgu.0"
.Linfo_string2:
	.asciz	"."
.Linfo_string3:
	.asciz	"names"
.Linfo_string4:
	.asciz	"COUNT"
.Linfo_string5:
	.asciz	"u32"
.Linfo_string6:
	.asciz	"_ZN5names5COUNT17h3c63e0a6fb8b59faE"
.Linfo_string7:
	.asciz	"state"
.Linfo_string8:
	.asciz	"TEXT"
.Linfo_string9:
	.asciz	"data_ptr"
.Linfo_string10:
	.asciz	"u8"
.Linfo_string11:
	.asciz	"length"
.Linfo_string12:
	.asciz	"usize"
.Linfo_string13:
	.asciz	"&str"
.Linfo_string14:
	.asciz	"_ZN5names5state4TEXT17h5a6f939ed10adf81E"
.Linfo_string15:
	.asciz	"POINT"
.Linfo_string16:
	.asciz	"shapes"
.Linfo_string17:
	.asciz	"x"
.Linfo_string18:
	.asciz	"i32"
.Linfo_string19:
	.asciz	"y"
.Linfo_string20:
	.asciz	"i64"
.Linfo_string21:
	.asciz	"Point"
.Linfo_string22:
	.asciz	"_ZN5names5state5POINT17hfbbd8dcf52bfde73E"
.Linfo_string23:
	.asciz	"ROUND"
.Linfo_string24:
	.asciz	"u16"
.Linfo_string25:
	.asciz	"Empty"
.Linfo_string26:
	.asciz	"Circle"
.Linfo_string27:
	.asciz	"__0"
.Linfo_string28:
	.asciz	"Square"
.Linfo_string29:
	.asciz	"side"
.Linfo_string30:
	.asciz	"at"
.Linfo_string31:
	.asciz	"Shape"
.Linfo_string32:
	.asciz	"_ZN5names5state5ROUND17h2e1143f3414db49bE"
.Linfo_string33:
	.asciz	"SHAPE"
.Linfo_string34:
	.asciz	"_ZN5names5state5SHAPE17h517cb9c4c173be5aE"
.Linfo_string35:
	.asciz	"COLOUR"
.Linfo_string36:
	.asciz	"Red"
.Linfo_string37:
	.asciz	"Green"
.Linfo_string38:
	.asciz	"Colour"
.Linfo_string39:
	.asciz	"_ZN5names5state6COLOUR17h8b14e0866c8b907fE"
.Linfo_string40:
	.asciz	"HOLDER"
.Linfo_string41:
	.asciz	"T"
.Linfo_string42:
	.asciz	"item"
.Linfo_string43:
	.asciz	"next"
.Linfo_string44:
	.asciz	"core"
.Linfo_string45:
	.asciz	"option"
.Linfo_string46:
	.asciz	"u64"
.Linfo_string47:
	.asciz	"None"
.Linfo_string48:
	.asciz	"&names::shapes::Point"
.Linfo_string49:
	.asciz	"Some"
.Linfo_string50:
	.asciz	"Option<&names::shapes::Point>"
.Linfo_string51:
	.asciz	"Holder<u16>"
.Linfo_string52:
	.asciz	"_ZN5names5state6HOLDER17hc89167a2ed2febb0E"
.Linfo_string53:
	.asciz	"_ZN5names4call17hc0c0dd46aced9f0dE"
.Linfo_string54:
	.asciz	"call"
.Linfo_string55:
	.asciz	"argument"
.Linfo_string56:
	.asciz	"number"
.Linfo_string57:
	.asciz	"_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind"
.Linfo_string58:
	.asciz	"panic"
.Linfo_string59:
	.asciz	"_start"
.Linfo_string60:
	.asciz	"panic_info"
.Linfo_string61:
	.asciz	"message"
.Linfo_string62:
	.asciz	"fmt"
.Linfo_string63:
	.asciz	"template"
.Linfo_string64:
	.asciz	"ptr"
.Linfo_string65:
	.asciz	"non_null"
.Linfo_string66:
	.asciz	"pointer"
.Linfo_string67:
	.asciz	"*const u8"
.Linfo_string68:
	.asciz	"NonNull<u8>"
.Linfo_string69:
	.asciz	"args"
.Linfo_string70:
	.asciz	"rt"
.Linfo_string71:
	.asciz	"ty"
.Linfo_string72:
	.asciz	"Placeholder"
.Linfo_string73:
	.asciz	"value"
.Linfo_string74:
	.asciz	"()"
.Linfo_string75:
	.asciz	"*const ()"
.Linfo_string76:
	.asciz	"NonNull<()>"
.Linfo_string77:
	.asciz	"formatter"
.Linfo_string78:
	.asciz	"result"
.Linfo_string79:
	.asciz	"Ok"
.Linfo_string80:
	.asciz	"Error"
.Linfo_string81:
	.asciz	"E"
.Linfo_string82:
	.asciz	"Err"
.Linfo_string83:
	.asciz	"Result<(), core::fmt::Error>"
.Linfo_string84:
	.asciz	"options"
.Linfo_string85:
	.asciz	"flags"
.Linfo_string86:
	.asciz	"width"
.Linfo_string87:
	.asciz	"precision"
.Linfo_string88:
	.asciz	"FormattingOptions"
.Linfo_string89:
	.asciz	"buf"
.Linfo_string90:
	.asciz	"dyn core::fmt::Write"
.Linfo_string91:
	.asciz	"vtable"
.Linfo_string92:
	.asciz	"__ARRAY_SIZE_TYPE__"
.Linfo_string93:
	.asciz	"&[usize; 6]"
.Linfo_string94:
	.asciz	"&mut dyn core::fmt::Write"
.Linfo_string95:
	.asciz	"Formatter"
.Linfo_string96:
	.asciz	"&mut core::fmt::Formatter"
.Linfo_string97:
	.asciz	"unsafe fn(core::ptr::non_null::NonNull<()>, &mut core::fmt::Formatter) -> core::result::Result<(), core::fmt::Error>"
.Linfo_string98:
	.asciz	"_lifetime"
.Linfo_string99:
	.asciz	"marker"
.Linfo_string100:
	.asciz	"&()"
.Linfo_string101:
	.asciz	"PhantomData<&()>"
.Linfo_string102:
	.asciz	"Count"
.Linfo_string103:
	.asciz	"ArgumentType"
.Linfo_string104:
	.asciz	"Argument"
.Linfo_string105:
	.asciz	"*const core::fmt::rt::Argument"
.Linfo_string106:
	.asciz	"NonNull<core::fmt::rt::Argument>"
.Linfo_string107:
	.asciz	"Arguments"
.Linfo_string108:
	.asciz	"&core::fmt::Arguments"
.Linfo_string109:
	.asciz	"location"
.Linfo_string110:
	.asciz	"filename"
.Linfo_string111:
	.asciz	"*const str"
.Linfo_string112:
	.asciz	"NonNull<str>"
.Linfo_string113:
	.asciz	"line"
.Linfo_string114:
	.asciz	"col"
.Linfo_string115:
	.asciz	"_filename"
.Linfo_string116:
	.asciz	"PhantomData<&str>"
.Linfo_string117:
	.asciz	"Location"
.Linfo_string118:
	.asciz	"&core::panic::location::Location"
.Linfo_string119:
	.asciz	"can_unwind"
.Linfo_string120:
	.asciz	"bool"
.Linfo_string121:
	.asciz	"force_no_backtrace"
.Linfo_string122:
	.asciz	"PanicInfo"
.Linfo_string123:
	.asciz	"&core::panic::panic_info::PanicInfo"
.Linfo_string124:
	.asciz	"iter"
.Linfo_string125:
	.asciz	"array"
.Linfo_string126:
	.asciz	"inner"
.Linfo_string127:
	.asciz	"mem"
.Linfo_string128:
	.asciz	"manually_drop"
.Linfo_string129:
	.asciz	"iter_inner"
.Linfo_string130:
	.asciz	"maybe_uninit"
.Linfo_string131:
	.asciz	"uninit"
.Linfo_string132:
	.asciz	"maybe_dangling"
.Linfo_string133:
	.asciz	"P"
.Linfo_string134:
	.asciz	"MaybeDangling<u64>"
.Linfo_string135:
	.asciz	"ManuallyDrop<u64>"
.Linfo_string136:
	.asciz	"MaybeUninit<u64>"
.Linfo_string137:
	.asciz	"DATA"
.Linfo_string138:
	.asciz	"alive"
.Linfo_string139:
	.asciz	"ops"
.Linfo_string140:
	.asciz	"index_range"
.Linfo_string141:
	.asciz	"start"
.Linfo_string142:
	.asciz	"end"
.Linfo_string143:
	.asciz	"IndexRange"
.Linfo_string144:
	.asciz	"data"
.Linfo_string145:
	.asciz	"PolymorphicIter<[core::mem::maybe_uninit::MaybeUninit<u64>; 5]>"
.Linfo_string146:
	.asciz	"MaybeDangling<core::array::iter::iter_inner::PolymorphicIter<[core::mem::maybe_uninit::MaybeUninit<u64>; 5]>>"
.Linfo_string147:
	.asciz	"ManuallyDrop<core::array::iter::iter_inner::PolymorphicIter<[core::mem::maybe_uninit::MaybeUninit<u64>; 5]>>"
.Linfo_string148:
	.asciz	"IntoIter<u64, 5>"
.Linfo_string149:
	.asciz	"all"
.Linfo_string150:
	.asciz	"place"
	.ident	"rustc version 1.95.0 (59807616e 2026-04-14)"
	.section	".note.GNU-stack","",@progbits
	.section	.debug_line,"",@progbits
.Lline_table_start0:
