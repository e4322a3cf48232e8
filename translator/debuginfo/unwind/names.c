// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of code that a program makes while it runs, as compilers in virtual machines write them for perf
 * (tools/perf/Documentation/jit-interface.txt in the kernel's source): a table of symbols alone. What a later line says
 * of an address counts.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "translator/debuginfo/unwind/frames.h"

struct made_code {
	uint64_t address, size;
	const char *name;
	guint line;
};

static int compare_code(gconstpointer a, gconstpointer b)
{
	const struct made_code *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->line < y->line ? 1 : -1;
}

static GArray *read_lines(char **lines)
{
	GArray *codes = g_array_new(FALSE, FALSE, sizeof(struct made_code));

	for (guint i = 0; lines[i]; i++) {
		struct made_code code = {.line = i};
		int name = 0;

		if (sscanf(lines[i], "%" SCNx64 " %" SCNx64 " %n", &code.address, &code.size, &name) < 2 || !name ||
		    !lines[i][name] || !code.size)
			continue;
		code.name = lines[i] + name;
		g_array_append_val(codes, code);
	}
	g_array_sort(codes, compare_code);
	return codes;
}

GByteArray *object_table_of_names(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autoptr(GArray) codes = read_lines(lines);
	GArray *symbols = g_array_new(FALSE, FALSE, sizeof(struct stp_object_symbol));
	GByteArray *names = g_byte_array_new();
	uint64_t base = codes->len ? g_array_index(codes, struct made_code, 0).address : 0, end = base;

	for (guint i = 0; i < codes->len; i++) {
		const struct made_code *code = &g_array_index(codes, struct made_code, i);
		struct stp_object_symbol symbol = {.address = (unsigned int)(code->address - base), .name = names->len};

		if ((i && code[-1].address == code->address) || code->address - base > UINT32_MAX / 2)
			continue;
		symbol.size = (unsigned int)MIN(code->size, UINT32_MAX / 4);
		end = MAX(end, code->address + symbol.size);
		g_byte_array_append(names, (const guint8 *)code->name, (guint)strlen(code->name) + 1);
		g_array_append_val(symbols, symbol);
	}
	return table_of_symbols(base, (uint32_t)(end - base), symbols, names);
}
