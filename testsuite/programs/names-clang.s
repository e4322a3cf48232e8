	.text
	.file	"names.cc"
	.file	0 "." "names.cc" md5 0xc30df53988e72edab3c4827cde68a4f6
	.globl	_start
	.p2align	4, 0x90
	.type	_start,@function
_start:
.Lfunc_begin0:
	.loc	0 87 0
	.cfi_startproc
	.loc	0 41 2 prologue_end
	movq	$_ZTVN5outer5inner7derivedE+16, _ZN5outer5inner6objectE(%rip)
.Ltmp0:
	.loc	0 42 5
	movl	$3, _ZN5outer5inner6objectE+8(%rip)
	.loc	0 43 5
	movq	$-4, _ZN5outer5inner6objectE+16(%rip)
	movabsq	$38654705686, %rax
.Ltmp1:
	.loc	0 90 10
	addl	$1, _ZN12_GLOBAL__N_16hiddenE.0(%rip)
.Ltmp2:
	.loc	0 44 5
	movq	%rax, _ZN5outer5inner6objectE+24(%rip)
.Ltmp3:
	.loc	0 91 21
	addl	$1, _ZN5outer5inner5otherE(%rip)
.Ltmp4:
	.loc	0 45 15
	movl	$17, _ZN5outer5inner6objectE+32(%rip)
.Ltmp5:
	.loc	0 92 14
	addl	$1, _ZN5outer5otherE(%rip)
.Ltmp6:
	.loc	0 89 32
	movq	$_ZN5outer5inner6objectE, things+8(%rip)
	.loc	0 89 14 is_stmt 0
	movq	$_ZN5outer5inner6objectE, things+16(%rip)
.Ltmp7:
	.loc	0 82 2 is_stmt 1
	movl	$121, %eax
	xorl	%edi, %edi
	#APP
	syscall
	#NO_APP
.Ltmp8:
	.loc	0 82 2 is_stmt 0
	movl	$231, %eax
	xorl	%edi, %edi
	#APP
	syscall
	#NO_APP
.Ltmp9:
	.loc	0 95 1 is_stmt 1
	retq
.Ltmp10:
.Lfunc_end0:
	.size	_start, .Lfunc_end0-_start
	.cfi_endproc

	.section	.text._ZN5outer5inner5thing6methodEi,"axG",@progbits,_ZN5outer5inner5thing6methodEi,comdat
	.weak	_ZN5outer5inner5thing6methodEi
	.p2align	4, 0x90
	.type	_ZN5outer5inner5thing6methodEi,@function
_ZN5outer5inner5thing6methodEi:
.Lfunc_begin1:
	.loc	0 25 0
	.cfi_startproc
	movl	%esi, %eax
.Ltmp11:
	.loc	0 26 12 prologue_end
	addl	8(%rdi), %eax
	.loc	0 26 3 is_stmt 0
	retq
.Ltmp12:
.Lfunc_end1:
	.size	_ZN5outer5inner5thing6methodEi, .Lfunc_end1-_ZN5outer5inner5thing6methodEi
	.cfi_endproc

	.type	_ZN5outer5inner5thing6sharedE,@object
	.data
	.globl	_ZN5outer5inner5thing6sharedE
	.p2align	2
_ZN5outer5inner5thing6sharedE:
	.long	5
	.size	_ZN5outer5inner5thing6sharedE, 4

	.type	_ZN5outer5inner8variableE,@object
	.globl	_ZN5outer5inner8variableE
	.p2align	2
_ZN5outer5inner8variableE:
	.long	77
	.size	_ZN5outer5inner8variableE, 4

	.type	_ZN5outer5inner5otherE,@object
	.globl	_ZN5outer5inner5otherE
	.p2align	2
_ZN5outer5inner5otherE:
	.long	1
	.size	_ZN5outer5inner5otherE, 4

	.type	_ZN5outer5inner6objectE,@object
	.globl	_ZN5outer5inner6objectE
	.p2align	3
_ZN5outer5inner6objectE:
	.quad	_ZTVN5outer5inner7derivedE+16
	.long	3
	.zero	4
	.quad	-4
	.long	22
	.long	9
	.long	17
	.zero	4
	.size	_ZN5outer5inner6objectE, 40

	.type	_ZN5outer5otherE,@object
	.globl	_ZN5outer5otherE
	.p2align	2
_ZN5outer5otherE:
	.long	2
	.size	_ZN5outer5otherE, 4

	.type	numbers,@object
	.globl	numbers
	.p2align	2
numbers:
	.long	1
	.long	2
	.long	3
	.long	4
	.long	5
	.size	numbers, 20

	.type	things,@object
	.bss
	.globl	things
	.p2align	3
things:
	.zero	24
	.size	things, 24

	.type	choice,@object
	.data
	.globl	choice
choice:
	.byte	4
	.size	choice, 1

	.type	reference,@object
	.section	.rodata,"a",@progbits
	.globl	reference
	.p2align	3
reference:
	.quad	_ZN5outer5inner8variableE
	.size	reference, 8

	.type	member,@object
	.data
	.globl	member
	.p2align	3
member:
	.quad	16
	.size	member, 8

	.type	_ZN12_GLOBAL__N_16hiddenE.0,@object
	.p2align	2
_ZN12_GLOBAL__N_16hiddenE.0:
	.long	13
	.size	_ZN12_GLOBAL__N_16hiddenE.0, 4

	.type	_ZTVN5outer5inner7derivedE,@object
	.section	.rodata._ZTVN5outer5inner7derivedE,"aG",@progbits,_ZTVN5outer5inner7derivedE,comdat
	.weak	_ZTVN5outer5inner7derivedE
	.p2align	3
_ZTVN5outer5inner7derivedE:
	.quad	0
	.quad	0
	.quad	_ZN5outer5inner5thing6methodEi
	.size	_ZTVN5outer5inner7derivedE, 24

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
	.byte	0
	.byte	0
	.byte	2
	.byte	57
	.byte	1
	.byte	3
	.byte	37
	.byte	0
	.byte	0
	.byte	3
	.byte	52
	.byte	0
	.byte	71
	.byte	19
	.byte	2
	.byte	24
	.byte	110
	.byte	37
	.byte	0
	.byte	0
	.byte	4
	.byte	19
	.byte	1
	.byte	29
	.byte	19
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
	.byte	56
	.byte	11
	.byte	52
	.byte	25
	.byte	0
	.byte	0
	.byte	6
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
	.byte	7
	.byte	4
	.byte	1
	.byte	73
	.byte	19
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
	.byte	8
	.byte	40
	.byte	0
	.byte	3
	.byte	37
	.byte	28
	.byte	15
	.byte	0
	.byte	0
	.byte	9
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
	.byte	63
	.byte	25
	.byte	60
	.byte	25
	.byte	0
	.byte	0
	.byte	10
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
	.byte	76
	.byte	11
	.byte	77
	.byte	24
	.byte	60
	.byte	25
	.byte	63
	.byte	25
	.byte	29
	.byte	19
	.byte	0
	.byte	0
	.byte	11
	.byte	5
	.byte	0
	.byte	73
	.byte	19
	.byte	52
	.byte	25
	.byte	0
	.byte	0
	.byte	12
	.byte	5
	.byte	0
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	13
	.byte	52
	.byte	0
	.byte	3
	.byte	37
	.byte	73
	.byte	19
	.byte	63
	.byte	25
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	2
	.byte	24
	.byte	110
	.byte	37
	.byte	0
	.byte	0
	.byte	14
	.byte	2
	.byte	1
	.byte	29
	.byte	19
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
	.byte	15
	.byte	28
	.byte	0
	.byte	73
	.byte	19
	.byte	56
	.byte	11
	.byte	50
	.byte	11
	.byte	0
	.byte	0
	.byte	16
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
	.byte	50
	.byte	11
	.byte	0
	.byte	0
	.byte	17
	.byte	19
	.byte	1
	.byte	54
	.byte	11
	.byte	3
	.byte	37
	.byte	11
	.byte	11
	.byte	50
	.byte	11
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	0
	.byte	0
	.byte	18
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
	.byte	19
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
	.byte	20
	.byte	47
	.byte	0
	.byte	73
	.byte	19
	.byte	3
	.byte	37
	.byte	0
	.byte	0
	.byte	21
	.byte	48
	.byte	0
	.byte	73
	.byte	19
	.byte	3
	.byte	37
	.byte	28
	.byte	13
	.byte	0
	.byte	0
	.byte	22
	.byte	4
	.byte	1
	.byte	73
	.byte	19
	.byte	109
	.byte	25
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
	.byte	23
	.byte	15
	.byte	0
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	24
	.byte	15
	.byte	0
	.byte	73
	.byte	19
	.byte	3
	.byte	37
	.byte	0
	.byte	0
	.byte	25
	.byte	21
	.byte	0
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	26
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
	.byte	27
	.byte	52
	.byte	0
	.byte	3
	.byte	37
	.byte	73
	.byte	19
	.byte	63
	.byte	25
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	2
	.byte	24
	.byte	0
	.byte	0
	.byte	28
	.byte	1
	.byte	1
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	29
	.byte	33
	.byte	0
	.byte	73
	.byte	19
	.byte	55
	.byte	11
	.byte	0
	.byte	0
	.byte	30
	.byte	36
	.byte	0
	.byte	3
	.byte	37
	.byte	11
	.byte	11
	.byte	62
	.byte	11
	.byte	0
	.byte	0
	.byte	31
	.byte	38
	.byte	0
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	32
	.byte	16
	.byte	0
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	33
	.byte	31
	.byte	0
	.byte	73
	.byte	19
	.byte	29
	.byte	19
	.byte	0
	.byte	0
	.byte	34
	.byte	57
	.byte	1
	.byte	0
	.byte	0
	.byte	35
	.byte	52
	.byte	0
	.byte	3
	.byte	37
	.byte	73
	.byte	19
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	2
	.byte	24
	.byte	110
	.byte	37
	.byte	0
	.byte	0
	.byte	36
	.byte	46
	.byte	1
	.byte	110
	.byte	37
	.byte	71
	.byte	19
	.byte	32
	.byte	33
	.byte	1
	.byte	100
	.byte	19
	.byte	0
	.byte	0
	.byte	37
	.byte	5
	.byte	0
	.byte	3
	.byte	37
	.byte	73
	.byte	19
	.byte	52
	.byte	25
	.byte	0
	.byte	0
	.byte	38
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
	.byte	32
	.byte	33
	.byte	1
	.byte	0
	.byte	0
	.byte	39
	.byte	5
	.byte	0
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
	.byte	40
	.byte	52
	.byte	0
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
	.byte	41
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
	.byte	63
	.byte	25
	.byte	0
	.byte	0
	.byte	42
	.byte	29
	.byte	0
	.byte	49
	.byte	19
	.byte	85
	.byte	35
	.byte	88
	.byte	11
	.byte	89
	.byte	11
	.byte	87
	.byte	11
	.byte	0
	.byte	0
	.byte	43
	.byte	29
	.byte	1
	.byte	49
	.byte	19
	.byte	17
	.byte	27
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
	.byte	44
	.byte	5
	.byte	0
	.byte	28
	.byte	13
	.byte	49
	.byte	19
	.byte	0
	.byte	0
	.byte	45
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
	.byte	46
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
	.byte	47
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
	.byte	1
	.long	.Laddr_table_base0
	.long	.Lrnglists_table_base0
	.byte	2
	.byte	3
	.byte	2
	.byte	4
	.byte	3
	.long	116
	.byte	2
	.byte	161
	.byte	0
	.byte	20
	.byte	4
	.long	56
	.byte	4
	.byte	19
	.byte	32
	.byte	0
	.byte	16
	.byte	5
	.byte	5
	.long	361
	.byte	0

	.byte	6
	.byte	8
	.long	377
	.byte	0
	.byte	19
	.byte	8
	.byte	6
	.byte	9
	.long	381
	.byte	0
	.byte	20
	.byte	16
	.byte	6
	.byte	11
	.long	100
	.byte	0
	.byte	21
	.byte	24
	.byte	7
	.long	385
	.byte	15
	.byte	4
	.byte	0
	.byte	17
	.byte	8
	.byte	13
	.byte	1
	.byte	8
	.byte	14
	.byte	22
	.byte	0
	.byte	9
	.byte	16
	.long	377
	.byte	0
	.byte	22


	.byte	10
	.byte	17
	.byte	18
	.byte	0
	.byte	24
	.long	377
	.byte	1
	.byte	2
	.byte	16
	.byte	0


	.long	56
	.byte	11
	.long	389

	.byte	12
	.long	377
	.byte	0
	.byte	0
	.byte	13
	.byte	21
	.long	377

	.byte	0
	.byte	56
	.byte	2
	.byte	161
	.byte	1
	.byte	22
	.byte	13
	.byte	23
	.long	377

	.byte	0
	.byte	57
	.byte	2
	.byte	161
	.byte	2
	.byte	24
	.byte	13
	.byte	25
	.long	189

	.byte	0
	.byte	58
	.byte	2
	.byte	161
	.byte	3
	.byte	31
	.byte	14
	.long	56
	.byte	4
	.byte	30
	.byte	40
	.byte	0
	.byte	31
	.byte	15
	.long	56
	.byte	0
	.byte	1
	.byte	16
	.byte	26
	.long	377
	.byte	0
	.byte	38
	.byte	28
	.byte	1
	.byte	16
	.byte	27
	.long	226
	.byte	0
	.byte	39
	.byte	32
	.byte	1
	.byte	17
	.byte	5
	.byte	29
	.byte	4
	.byte	1
	.byte	0
	.byte	34
	.byte	6
	.byte	28
	.long	377
	.byte	0
	.byte	35
	.byte	0
	.byte	0
	.byte	18
	.byte	30
	.byte	0
	.byte	40


	.byte	1
	.byte	11
	.long	394

	.byte	0
	.byte	0
	.byte	19
	.byte	5
	.byte	39
	.byte	20
	.byte	0
	.byte	49
	.byte	20
	.long	377
	.byte	34
	.byte	21
	.long	377
	.byte	35
	.byte	4
	.byte	6
	.byte	36
	.long	410
	.byte	0
	.byte	50
	.byte	0
	.byte	6
	.byte	38
	.long	377
	.byte	0
	.byte	51
	.byte	16
	.byte	0
	.byte	19
	.byte	5
	.byte	41
	.byte	24
	.byte	0
	.byte	49
	.byte	20
	.long	437
	.byte	34
	.byte	21
	.long	377
	.byte	35
	.byte	2
	.byte	6
	.byte	36
	.long	447
	.byte	0
	.byte	50
	.byte	0
	.byte	6
	.byte	38
	.long	437
	.byte	0
	.byte	51
	.byte	16
	.byte	0
	.byte	22
	.long	470

	.byte	46
	.byte	1
	.byte	0
	.byte	54
	.byte	8
	.byte	44
	.byte	3
	.byte	8
	.byte	45
	.byte	4
	.byte	0
	.byte	0
	.byte	13
	.byte	23
	.long	377

	.byte	0
	.byte	61
	.byte	2
	.byte	161
	.byte	4
	.byte	32
	.byte	0
	.byte	23
	.long	366
	.byte	24
	.long	372
	.byte	7
	.byte	25
	.long	377
	.byte	26
	.byte	6
	.byte	5
	.byte	4
	.byte	26
	.byte	10
	.byte	5
	.byte	8
	.byte	26
	.byte	12
	.byte	7
	.byte	4
	.byte	23
	.long	56
	.byte	23
	.long	189
	.byte	27
	.byte	33
	.long	255

	.byte	0
	.byte	72
	.byte	2
	.byte	161
	.byte	5
	.byte	28
	.long	377
	.byte	29
	.long	422
	.byte	4
	.byte	0
	.byte	30
	.byte	37
	.byte	8
	.byte	7
	.byte	27
	.byte	40
	.long	293

	.byte	0
	.byte	73
	.byte	2
	.byte	161
	.byte	6
	.byte	23
	.long	442
	.byte	31
	.long	56
	.byte	28
	.long	437
	.byte	29
	.long	422
	.byte	2
	.byte	0
	.byte	27
	.byte	42
	.long	331

	.byte	0
	.byte	74
	.byte	2
	.byte	161
	.byte	7
	.byte	26
	.byte	43
	.byte	8
	.byte	1
	.byte	27
	.byte	47
	.long	485

	.byte	0
	.byte	75
	.byte	2
	.byte	161
	.byte	8
	.byte	32
	.long	377
	.byte	27
	.byte	48
	.long	501

	.byte	0
	.byte	76
	.byte	2
	.byte	161
	.byte	9
	.byte	33
	.long	381
	.long	56
	.byte	34
	.byte	35
	.byte	49
	.long	523
	.byte	0
	.byte	69
	.byte	2
	.byte	161
	.byte	10
	.byte	52
	.byte	19
	.byte	5
	.byte	51
	.byte	4
	.byte	0
	.byte	66
	.byte	6
	.byte	50
	.long	377
	.byte	0
	.byte	67
	.byte	0
	.byte	0
	.byte	0
	.byte	36
	.byte	53
	.long	243

	.long	550
	.byte	37
	.byte	54
	.long	557

	.byte	0
	.byte	23
	.long	189
	.byte	38
	.byte	55
	.byte	56
	.byte	0
	.byte	78
	.long	381

	.byte	39
	.byte	57
	.byte	0
	.byte	78
	.long	381
	.byte	39
	.byte	58
	.byte	0
	.byte	78
	.long	381
	.byte	40
	.byte	59
	.byte	0
	.byte	80
	.long	381
	.byte	0
	.byte	41
	.byte	11
	.long	.Lfunc_end0-.Lfunc_begin0
	.byte	1
	.byte	87

	.byte	60
	.byte	0
	.byte	86

	.byte	42
	.long	540
	.byte	0
	.byte	0
	.byte	88
	.byte	30
	.byte	43
	.long	562
	.byte	12
	.long	.Ltmp8-.Ltmp7
	.byte	0
	.byte	93
	.byte	2
	.byte	44
	.asciz	"\371"
	.long	571
	.byte	44
	.byte	0
	.long	579
	.byte	0
	.byte	43
	.long	562
	.byte	13
	.long	.Ltmp9-.Ltmp8
	.byte	0
	.byte	94
	.byte	2
	.byte	44
	.ascii	"\347\001"
	.long	571
	.byte	44
	.byte	0
	.long	579
	.byte	0
	.byte	0
	.byte	45
	.byte	14
	.long	.Lfunc_end1-.Lfunc_begin1
	.byte	1
	.byte	87
	.long	687

	.long	124
	.byte	46
	.byte	1
	.byte	85
	.byte	54
	.long	706

	.byte	47
	.byte	1
	.byte	84
	.byte	61
	.byte	0
	.byte	24
	.long	377
	.byte	0
	.byte	23
	.long	56
	.byte	0
.Ldebug_info_end0:
	.section	.debug_rnglists,"",@progbits
	.long	.Ldebug_list_header_end0-.Ldebug_list_header_start0
.Ldebug_list_header_start0:
	.short	5
	.byte	8
	.byte	0
	.long	2
.Lrnglists_table_base0:
	.long	.Ldebug_ranges0-.Lrnglists_table_base0
	.long	.Ldebug_ranges1-.Lrnglists_table_base0
.Ldebug_ranges0:
	.byte	1
	.byte	11
	.byte	4
	.uleb128 .Lfunc_begin0-.Lfunc_begin0
	.uleb128 .Ltmp1-.Lfunc_begin0
	.byte	4
	.uleb128 .Ltmp2-.Lfunc_begin0
	.uleb128 .Ltmp3-.Lfunc_begin0
	.byte	4
	.uleb128 .Ltmp4-.Lfunc_begin0
	.uleb128 .Ltmp5-.Lfunc_begin0
	.byte	0
.Ldebug_ranges1:
	.byte	3
	.byte	11
	.uleb128 .Lfunc_end0-.Lfunc_begin0
	.byte	3
	.byte	14
	.uleb128 .Lfunc_end1-.Lfunc_begin1
	.byte	0
.Ldebug_list_header_end0:
	.section	.debug_str_offsets,"",@progbits
	.long	252
	.short	5
	.short	0
.Lstr_offsets_base0:
	.section	.debug_str,"MS",@progbits,1
.Linfo_string0:
	.asciz	"Debian clang version 14.0.6"
.Linfo_string1:
	.asciz	"names.cc"
.Linfo_string2:
	.asciz	"."
.Linfo_string3:
	.asciz	"outer"
.Linfo_string4:
	.asciz	"inner"
.Linfo_string5:
	.asciz	"_vptr$thing"
.Linfo_string6:
	.asciz	"int"
.Linfo_string7:
	.asciz	"__vtbl_ptr_type"
.Linfo_string8:
	.asciz	"a"
.Linfo_string9:
	.asciz	"b"
.Linfo_string10:
	.asciz	"long"
.Linfo_string11:
	.asciz	"k"
.Linfo_string12:
	.asciz	"unsigned int"
.Linfo_string13:
	.asciz	"ONE"
.Linfo_string14:
	.asciz	"TWO"
.Linfo_string15:
	.asciz	"kind"
.Linfo_string16:
	.asciz	"shared"
.Linfo_string17:
	.asciz	"_ZN5outer5inner5thing6methodEi"
.Linfo_string18:
	.asciz	"method"
.Linfo_string19:
	.asciz	"thing"
.Linfo_string20:
	.asciz	"_ZN5outer5inner5thing6sharedE"
.Linfo_string21:
	.asciz	"variable"
.Linfo_string22:
	.asciz	"_ZN5outer5inner8variableE"
.Linfo_string23:
	.asciz	"other"
.Linfo_string24:
	.asciz	"_ZN5outer5inner5otherE"
.Linfo_string25:
	.asciz	"object"
.Linfo_string26:
	.asciz	"extra"
.Linfo_string27:
	.asciz	"inside"
.Linfo_string28:
	.asciz	"deep"
.Linfo_string29:
	.asciz	"nested"
.Linfo_string30:
	.asciz	"derived"
.Linfo_string31:
	.asciz	"_ZN5outer5inner6objectE"
.Linfo_string32:
	.asciz	"_ZN5outer5otherE"
.Linfo_string33:
	.asciz	"numbers"
.Linfo_string34:
	.asciz	"T"
.Linfo_string35:
	.asciz	"N"
.Linfo_string36:
	.asciz	"items"
.Linfo_string37:
	.asciz	"__ARRAY_SIZE_TYPE__"
.Linfo_string38:
	.asciz	"last"
.Linfo_string39:
	.asciz	"box<int, 4>"
.Linfo_string40:
	.asciz	"things"
.Linfo_string41:
	.asciz	"box<const outer::inner::thing *, 2>"
.Linfo_string42:
	.asciz	"choice"
.Linfo_string43:
	.asciz	"unsigned char"
.Linfo_string44:
	.asciz	"ALPHA"
.Linfo_string45:
	.asciz	"BETA"
.Linfo_string46:
	.asciz	"scoped"
.Linfo_string47:
	.asciz	"reference"
.Linfo_string48:
	.asciz	"member"
.Linfo_string49:
	.asciz	"hidden"
.Linfo_string50:
	.asciz	"z"
.Linfo_string51:
	.asciz	"unnamed"
.Linfo_string52:
	.asciz	"_ZN12_GLOBAL__N_16hiddenE"
.Linfo_string53:
	.asciz	"_ZN5outer5inner7derivedC2Ev"
.Linfo_string54:
	.asciz	"this"
.Linfo_string55:
	.asciz	"_ZL4callll"
.Linfo_string56:
	.asciz	"call"
.Linfo_string57:
	.asciz	"number"
.Linfo_string58:
	.asciz	"argument"
.Linfo_string59:
	.asciz	"result"
.Linfo_string60:
	.asciz	"_start"
.Linfo_string61:
	.asciz	"n"
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
	.long	.Linfo_string39
	.long	.Linfo_string40
	.long	.Linfo_string41
	.long	.Linfo_string42
	.long	.Linfo_string43
	.long	.Linfo_string44
	.long	.Linfo_string45
	.long	.Linfo_string46
	.long	.Linfo_string47
	.long	.Linfo_string48
	.long	.Linfo_string49
	.long	.Linfo_string50
	.long	.Linfo_string51
	.long	.Linfo_string52
	.long	.Linfo_string53
	.long	.Linfo_string54
	.long	.Linfo_string55
	.long	.Linfo_string56
	.long	.Linfo_string57
	.long	.Linfo_string58
	.long	.Linfo_string59
	.long	.Linfo_string60
	.long	.Linfo_string61
	.section	.debug_addr,"",@progbits
	.long	.Ldebug_addr_end0-.Ldebug_addr_start0
.Ldebug_addr_start0:
	.short	5
	.byte	8
	.byte	0
.Laddr_table_base0:
	.quad	_ZN5outer5inner5thing6sharedE
	.quad	_ZN5outer5inner8variableE
	.quad	_ZN5outer5inner5otherE
	.quad	_ZN5outer5inner6objectE
	.quad	_ZN5outer5otherE
	.quad	numbers
	.quad	things
	.quad	choice
	.quad	reference
	.quad	member
	.quad	_ZN12_GLOBAL__N_16hiddenE.0
	.quad	.Lfunc_begin0
	.quad	.Ltmp7
	.quad	.Ltmp8
	.quad	.Lfunc_begin1
.Ldebug_addr_end0:
	.ident	"Debian clang version 14.0.6"
	.section	".note.GNU-stack","",@progbits
	.section	.debug_line,"",@progbits
.Lline_table_start0:
