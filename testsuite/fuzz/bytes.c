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

static void change(GRand *random, const GPtrArray *seeds, GString *out)
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
		piece = pieces[g_rand_int_range(random, 0, G_N_ELEMENTS(pieces))];
		g_string_insert_len(out, (gssize)at, piece, (gssize)MAX(strlen(piece), 1));
		break;
	}
}

void fuzz_bytes(GRand *random, const GPtrArray *seeds, GString *out)
{
	const GString *seed = any_seed(random, seeds);

	g_string_append_len(out, seed->str, (gssize)seed->len);
	for (int i = g_rand_int_range(random, 1, 9); i--;)
		change(random, seeds, out);
}
