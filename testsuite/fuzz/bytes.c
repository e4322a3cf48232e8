// SPDX-License-Identifier: GPL-2.0-or-later
/* Damaged scripts: scripts of the test suite with one to eight changes. */
#include "testsuite/fuzz/fuzz.h"

#include <string.h>

static const char *const pieces[] = {
	"probe ",
	"begin",
	"function f(x) {",
	"global ",
	"{",
	"}",
	"(",
	")",
	"[",
	"]",
	"%{",
	"%}",
	"%(",
	"%?",
	"%:",
	"%)",
	"@define x %(",
	"@x",
	"@count(",
	"@hist_log(",
	"@hist_linear(a,0,9,1)",
	"@cast(",
	"@defined(",
	"@entry(",
	"@var(\"",
	"$x",
	"$$vars",
	"$1",
	"@1",
	"$#",
	"<<<",
	"++",
	"--",
	"->",
	".=",
	"=~ \"",
	"!~ \"a*\"",
	"&&",
	"||",
	"?",
	":",
	";",
	",",
	"\"",
	"\\",
	"\n",
	"/*",
	"*/",
	"#",
	"//",
	"foreach (",
	" in ",
	"limit ",
	"try {",
	"} catch (",
	"delete ",
	"next",
	"return ",
	"while (",
	"for (;;)",
	"if (",
	"else ",
	"break",
	"continue",
	"private ",
	"0x",
	"18446744073709551616",
	"-9223372036854775808",
	"/ 0",
	"printf(\"%d%s%m\"",
	"print(",
	"sprintf(",
	"*",
	"!",
	"?,",
	"timer.s(1)",
	"end",
	"kernel.function(\"vfs_read\")",
	"/* pure */",
	"/* pragma:read:x */",
	"\0",
	"\377",
	"\t",
	"\r",
};

static const char *const pieces_of_dlang[] = {
	"BEGIN ",
	"fbt::vfs_read:entry,",
	"syscall:::return",
	"profile-997hz",
	"pid$target:a.out::entry",
	"/pid == 1/",
	"{",
	"}",
	"(",
	")",
	"[",
	"]",
	"self->x",
	"this->y",
	"@a[1] = ",
	"@ = quantize(",
	"llquantize(1, 10, 0, 6, 20)",
	"inline int f[int a, string b] = ",
	"translator struct s < int i > { x = ",
	"typedef struct t { int a:3; struct t *next; } t_t;",
	"enum { A, B = -1 };",
	"union u { char c[3][4]; long l; } u;",
	"string s[int, string];",
	"int x[100000];",
	"xlate <psinfo_t *>(curthread)->pr_",
	"args[0]->",
	"`init_task.",
	"curpsinfo->",
	"(string)",
	"(struct task_struct *)",
	"(char)",
	"sizeof(",
	"offsetof(struct task_struct, ",
	"stringof ",
	"printf(\"%*.*s %-5d%@x%k%Y\", ",
	"printa(",
	"tracemem(",
	"print(*",
	"stack(",
	"alloca(",
	"bcopy(",
	"copyin(",
	"strtok(",
	"speculate(",
	"commit(",
	"if (",
	"else ",
	"++",
	"--",
	"->",
	"^^",
	"?",
	":",
	"<<=",
	"*",
	"&",
	"!",
	"~",
	"=",
	";",
	",",
	"/",
	"\"",
	"'",
	"$1",
	"$$2",
	"$target",
	"0x",
	"18446744073709551615",
	"-9223372036854775808",
	"'abcdefgh'",
	"#pragma D option quiet\n",
	"#line 5 \"x\"\n",
	"/*",
	"*/",
	"\n",
	"\\",
	"\0",
	"\377",
};

static gsize place(GRand *random, const GString *text)
{
	return text->len ? (gsize)g_rand_int_range(random, 0, (gint32)text->len) : 0;
}

static gsize some(GRand *random, const GString *text, gsize from)
{
	return text->len > from ? (gsize)g_rand_int_range(random, 0, (gint32)MIN(text->len - from, 64)) : 0;
}

static const GString *any_seed(GRand *random, const GPtrArray *seeds)
{
	return g_ptr_array_index(seeds, g_rand_int_range(random, 0, (gint32)seeds->len));
}

/* Copy a part of this or another script to a random place of this one. */
static void insert_part(GRand *random, const GString *from, GString *out)
{
	gsize start = place(random, from), length = some(random, from, start);
	g_autofree char *part = g_memdup2(from->str + start, length + 1);

	g_string_insert_len(out, (gssize)place(random, out), part, (gssize)length);
}

static const char *any_piece(GRand *random, bool dlang)
{
	return dlang ? pieces_of_dlang[g_rand_int_range(random, 0, G_N_ELEMENTS(pieces_of_dlang))]
		     : pieces[g_rand_int_range(random, 0, G_N_ELEMENTS(pieces))];
}

static void change(GRand *random, const GPtrArray *seeds, bool dlang, GString *out)
{
	gsize at = place(random, out);
	const char *piece;

	switch (g_rand_int_range(random, 0, 6)) {
	case 0:
		if (out->len)
			out->str[at] = (char)g_rand_int_range(random, 0, 256);
		break;
	case 1:
		g_string_erase(out, (gssize)at, (gssize)some(random, out, at));
		break;
	case 2:
		insert_part(random, out, out);
		break;
	case 3:
		insert_part(random, any_seed(random, seeds), out);
		break;
	case 4:
		if (out->len)
			out->str[at] ^= (char)(1 << g_rand_int_range(random, 0, 8));
		break;
	default:
		piece = any_piece(random, dlang);
		g_string_insert_len(out, (gssize)at, piece, (gssize)MAX(strlen(piece), 1));
		break;
	}
}

void fuzz_bytes(GRand *random, const GPtrArray *seeds, bool dlang, GString *out)
{
	const GString *seed = any_seed(random, seeds);

	g_string_append_len(out, seed->str, (gssize)seed->len);
	/* The first error in D ends the translation. */
	for (int i = g_rand_int_range(random, 1, dlang ? 4 : 9); i--;)
		change(random, seeds, dlang, out);
}
