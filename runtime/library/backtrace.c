// SPDX-License-Identifier: GPL-2.0-or-later
/* Printing backtraces: a line for each frame, with its symbol (as in symbol.c) and, if requested, its source line. */
#include <linux/kallsyms.h>

#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/library/stack.h"
#include "runtime/text/addresses.h"
#include "runtime/text/source_line.h"

/* Print the result of sprint_symbol(), in the form of stp_symbol_data(). */
static void print_symbol_end(struct stp_context *c, const char *symbol)
{
	stp_print(c, symbol, strlen(symbol));
	if (!strchr(symbol, '[') && symbol[0] != '0')
		stp_print(c, " [kernel]", 9);
}

/* Print the line of stp_symbol_line() in pieces: two symbol buffers are too large for the kernel stack. */
static void print_frame(struct stp_context *c, unsigned long address)
{
	char symbol[KSYM_SYMBOL_LEN], number[24];

	stp_print(c, number, scnprintf(number, sizeof(number), " 0x%016lx", address));
	sprint_symbol(symbol, address);
	if (symbol[0] == '0')
		return;
	stp_print(c, " : ", 3);
	print_symbol_end(c, symbol);
}

static void print_frame_end(struct stp_context *c, bool is_cut)
{
	if (is_cut)
		stp_print(c, INCOMPLETE_MARK, strlen(INCOMPLETE_MARK));
	stp_print(c, "\n", 1);
}

void stp_print_backtrace(struct stp_context *c)
{
	const struct stack_frames *frames = stack_frames(c);
	unsigned int i;

	for (i = 0; i < frames->count; i++) {
		print_frame(c, frames->addresses[i]);
		print_frame_end(c, frames->is_cut && i + 1 == frames->count);
	}
}

static void print_place(struct stp_context *c, unsigned long address)
{
	const char *file;
	unsigned int line = source_line(address, &file);
	char number[16];

	if (!line)
		return;
	stp_print(c, " at ", 4);
	stp_print(c, file, strlen(file));
	stp_print(c, number, scnprintf(number, sizeof(number), ":%u", line));
}

void stp_print_backtrace_lines(struct stp_context *c)
{
	const struct stack_frames *frames = stack_frames(c);
	unsigned int i;

	for (i = 0; i < frames->count; i++) {
		print_frame(c, frames->addresses[i]);
		/* A return address may already belong to the next line, so look up the byte before. */
		print_place(c, frames->addresses[i] - (i > 0));
		print_frame_end(c, frames->is_cut && i + 1 == frames->count);
	}
}

static void print_symbol(struct stp_context *c, unsigned long address)
{
	char text[KSYM_SYMBOL_LEN];

	sprint_symbol(text, address);
	print_symbol_end(c, text);
}

/* Print a line for each hexadecimal number in the text, by @p show. Skip other words. */
static void for_each_address(struct stp_context *c, const char *addresses,
			     void (*show)(struct stp_context *c, unsigned long address))
{
	while (*addresses) {
		char word[24];
		unsigned long address;
		size_t length = strcspn(addresses, " \n");

		if (length && length < sizeof(word)) {
			memcpy(word, addresses, length);
			word[length] = '\0';
			if (!kstrtoul(word, 16, &address)) {
				show(c, address);
				print_frame_end(c, stack_text_is_cut(addresses + length));
			}
		}
		addresses += length;
		addresses += strspn(addresses, " \n");
	}
}

void stp_print_stack(struct stp_context *c, const char *addresses)
{
	for_each_address(c, addresses, print_frame);
}

void stp_print_symbols(struct stp_context *c, const char *addresses)
{
	for_each_address(c, addresses, print_symbol);
}
