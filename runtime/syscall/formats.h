/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Basic formats of arguments of system calls. */
#ifndef SPILE_RUNTIME_SYSCALL_FORMATS_H
#define SPILE_RUNTIME_SYSCALL_FORMATS_H

#include "runtime/syscall/hit.h"
#include "runtime/text/quote.h"

struct text text_begin(char *to);
/** Terminate it with a NUL. If it was cut, it ends in "...". */
void text_end_marked(struct text *t);
/** Print at most 79 characters. */
void put_formatted(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void put_decimal(struct text *t, long value);
void put_unsigned(struct text *t, unsigned long value);
void put_hex(struct text *t, unsigned long value);
void put_address_or_null(struct text *t, unsigned long address);

/** Return the name, or NULL if the set has none. */
const char *name_of_value(enum syscall_set set, u32 value);
/** Print the name, or the number in hexadecimal (put_value()) or decimal. */
void put_value(struct text *t, enum syscall_set set, u32 value);
void put_value_or_decimal(struct text *t, enum syscall_set set, int value);
void put_flags(struct text *t, enum syscall_set set, unsigned long flags);
void put_signal(struct text *t, u32 number);
void put_signals(struct text *t, u64 mask);

/**
 * Print a string of the program in quotes, at most @p length bytes. Return false and print nothing if it cannot be
 * read.
 */
bool put_quoted_string(struct text *t, unsigned long address, u64 length);
/** Print the string, or its address if it cannot be read. */
void put_string(struct text *t, unsigned long address, u64 length);

unsigned int word_size(const struct syscall_hit *hit);
/** Load a word of the program's memory. Return false if it cannot be read. */
bool load_word(const struct syscall_hit *hit, unsigned long address, unsigned long *ret);
void put_structure(struct text *t, const struct syscall_hit *hit, unsigned long address,
		   enum syscall_structure structure);

void put_policy(struct text *t, enum syscall_set set, u32 value);
void put_data(struct text *t, unsigned long address, u64 length);
/** Print bytes in quotes, and those that are not printable as "\x00". */
void put_bytes(struct text *t, unsigned long address, u64 length);
void put_times(struct text *t, const struct syscall_hit *hit, unsigned long address, bool is_64_bit);
void put_strings(struct text *t, const struct syscall_hit *hit, unsigned long address);

#endif
