// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of JIT code, in the format that compilers of virtual machines write for perf
 * (tools/perf/Documentation/jit-interface.txt in the kernel's source). The result is a table of symbols only. A later
 * line about an address overrides earlier ones; where an earlier line is covered in part, the rest of it remains. The
 * text comes from the program and is not trusted.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "translator/debuginfo/unwind/frames.h"

enum { LONGEST_NAME = 511 };

/* The largest span of one table, whose addresses have 32 bits. */
#define FARTHEST (UINT32_MAX / 2)

struct made_code {
	uint64_t address, end;
	const char *name;
	guint line;
};

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static int compare_code(gconstpointer a, gconstpointer b)
{
	const struct made_code *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->line < y->line ? -1 : 1;
}

/* Parse the lines and sort them by address. */
static GArray *read_lines(char **lines)
{
	GArray *codes = g_array_new(FALSE, FALSE, sizeof(struct made_code));

	for (guint i = 0; lines[i]; i++) {
		struct made_code code = {.line = i};
		uint64_t size;
		int name = 0;

		if (sscanf(lines[i], "%" SCNx64 " %" SCNx64 " %n", &code.address, &size, &name) < 2 || !name ||
		    !lines[i][name] || !size || size > FARTHEST || code.address > UINT64_MAX - size)
			continue;
		code.end = code.address + size;
		code.name = lines[i] + name;
		g_array_append_val(codes, code);
	}
	g_array_sort(codes, compare_code);
	return codes;
}

/*
 * ---- overlapping lines ---------------------------------------------------------------------------------------------
 */

/*
 * Add to a heap of the lines at the current address, with the latest first. Lines that have ended stay in it until they
 * are first.
 */
static void heap_add(GPtrArray *heap, const struct made_code *code)
{
	guint at = heap->len;

	g_ptr_array_add(heap, (gpointer)code);
	while (at) {
		guint parent = (at - 1) / 2;
		const struct made_code *above = heap->pdata[parent];

		if (above->line > code->line)
			break;
		heap->pdata[at] = (gpointer)above;
		at = parent;
	}
	heap->pdata[at] = (gpointer)code;
}

static void heap_remove_first(GPtrArray *heap)
{
	struct made_code *last = g_ptr_array_steal_index_fast(heap, heap->len - 1);
	guint at = 0;

	while (2 * at + 1 < heap->len) {
		guint below = 2 * at + 1;
		const struct made_code *left = heap->pdata[below];

		if (below + 1 < heap->len && ((struct made_code *)heap->pdata[below + 1])->line > left->line)
			below++;
		if (((struct made_code *)heap->pdata[below])->line < last->line)
			break;
		heap->pdata[at] = heap->pdata[below];
		at = below;
	}
	if (heap->len)
		heap->pdata[at] = last;
}

/* Return the latest line that covers an address; NULL if none does. */
static const struct made_code *latest_at(GPtrArray *heap, uint64_t address)
{
	while (heap->len) {
		const struct made_code *latest = heap->pdata[0];

		if (latest->end > address)
			return latest;
		heap_remove_first(heap);
	}
	return NULL;
}

/* Split the code into pieces that do not overlap; the latest line wins. */
static GArray *without_covered(const GArray *codes)
{
	GArray *pieces = g_array_new(FALSE, FALSE, sizeof(struct made_code));
	g_autoptr(GPtrArray) heap = g_ptr_array_new();
	const struct made_code *latest = NULL;
	uint64_t address = 0;
	guint next = 0;

	while (next < codes->len || latest) {
		uint64_t begin = next < codes->len ? g_array_index(codes, struct made_code, next).address : UINT64_MAX;
		uint64_t end = latest ? MIN(latest->end, begin) : begin;

		if (latest && end > address) {
			struct made_code piece = {address, end, latest->name, latest->line};

			g_array_append_val(pieces, piece);
		}
		address = end;
		for (; next < codes->len && g_array_index(codes, struct made_code, next).address == address; next++)
			heap_add(heap, &g_array_index(codes, struct made_code, next));
		latest = latest_at(heap, address);
	}
	return pieces;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

/* Find the largest group of pieces that fit into one table. Return its first piece. */
static guint find_crowd(const GArray *pieces, guint *count)
{
	guint first = 0, best = 0;

	*count = 0;
	for (guint i = 0; i < pieces->len; i++) {
		const struct made_code *piece = &g_array_index(pieces, struct made_code, i);

		while (piece->end - g_array_index(pieces, struct made_code, first).address > FARTHEST)
			first++;
		if (i - first + 1 > *count) {
			*count = i - first + 1;
			best = first;
		}
	}
	return best;
}

GByteArray *object_table_of_names(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autoptr(GArray) codes = read_lines(lines);
	g_autoptr(GArray) pieces = without_covered(codes);
	GArray *symbols = g_array_new(FALSE, FALSE, sizeof(struct stp_object_symbol));
	GByteArray *names = g_byte_array_new();
	guint count, first = find_crowd(pieces, &count);
	const struct made_code *piece = &g_array_index(pieces, struct made_code, first);
	uint64_t base = count ? piece->address : 0, end = base;

	for (guint i = 0; i < count; i++, piece++) {
		struct stp_object_symbol symbol = {
			.address = (unsigned int)(piece->address - base),
			.name = names->len,
			.size = (unsigned int)(piece->end - piece->address),
		};

		end = piece->end;
		g_byte_array_append(names, (const guint8 *)piece->name, (guint)strnlen(piece->name, LONGEST_NAME));
		g_byte_array_append(names, (const guint8 *)"", 1);
		g_array_append_val(symbols, symbol);
	}
	return table_of_symbols(base, (uint32_t)(end - base), symbols, names);
}
