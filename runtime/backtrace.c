// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Backtraces, printed: a line for each frame, with its symbol (as symbol.c has it) and, if asked for, its source line.
 */
#include <linux/kallsyms.h>

#include "internal.h"

/* What sprint_symbol() gave, as stp_symbol_data() has it, and the end of the line. */
static void print_symbol_end(struct stp_context *c, const char *symbol)
{
	stp_print(c, symbol, strlen(symbol));
	if (!strchr(symbol, '[') && symbol[0] != '0')
		stp_print(c, " [kernel]", 9);
}

/* The line of stp_symbol_line(), in pieces: two buffers for symbols are too much for a kernel stack. */
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

static void print_frame_line(struct stp_context *c, unsigned long address)
{
	print_frame(c, address);
	stp_print(c, "\n", 1);
}

void stp_print_backtrace(struct stp_context *c)
{
	const struct stack_frames *frames = stack_frames(c);
	unsigned int i;

	for (i = 0; i < frames->count; i++)
		print_frame_line(c, frames->addresses[i]);
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
		/* A return address is behind the call, which may be the end of its line. */
		print_place(c, frames->addresses[i] - (i > 0));
		stp_print(c, "\n", 1);
	}
}

static void print_symbol(struct stp_context *c, unsigned long address)
{
	char text[KSYM_SYMBOL_LEN];

	sprint_symbol(text, address);
	print_symbol_end(c, text);
	stp_print(c, "\n", 1);
}

/* Hexadecimal numbers separated by blanks; what is no number is skipped. */
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
			if (!kstrtoul(word, 16, &address))
				show(c, address);
		}
		addresses += length;
		addresses += strspn(addresses, " \n");
	}
}

void stp_print_stack(struct stp_context *c, const char *addresses)
{
	for_each_address(c, addresses, print_frame_line);
}

void stp_print_symbols(struct stp_context *c, const char *addresses)
{
	for_each_address(c, addresses, print_symbol);
}
