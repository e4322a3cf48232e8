/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts that arguments of system calls are shown with: what syscall_text.c and syscall_special.c share. */
#ifndef SPILE_RUNTIME_SYSCALL_TEXT_H
#define SPILE_RUNTIME_SYSCALL_TEXT_H

#include "syscall_hit.h"

struct text text_begin(char *to);
/** At most 79 characters. */
void put_formatted(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void put_decimal(struct text *t, long value);
void put_unsigned(struct text *t, unsigned long value);
void put_hex(struct text *t, unsigned long value);
void put_address_or_null(struct text *t, unsigned long address);

/** NULL: it has none. */
const char *name_of_value(enum syscall_set set, u32 value);
/** The name, or the number in hexadecimal or as a decimal number. */
void put_value(struct text *t, enum syscall_set set, u32 value);
void put_value_or_decimal(struct text *t, enum syscall_set set, int value);
void put_flags(struct text *t, enum syscall_set set, unsigned long flags);
void put_signal(struct text *t, u32 number);
void put_signals(struct text *t, u64 mask);

/** A string of the program in quotes, at most @p length bytes of it. False: it cannot be read; nothing is written. */
bool put_quoted_string(struct text *t, unsigned long address, u64 length);
/** The same, or the address. */
void put_string(struct text *t, unsigned long address, u64 length);

unsigned int word_size(const struct syscall_hit *hit);
/** A word of the program's memory. False: it cannot be read. */
bool load_word(const struct syscall_hit *hit, unsigned long address, unsigned long *ret);
void put_structure(struct text *t, const struct syscall_hit *hit, unsigned long address,
		   enum syscall_structure structure);

/** A function for each kind of argument. */
typedef void put_kind(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
		      unsigned int place);
/** An argument in the list of all. */
void put_item(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item, unsigned int place);

/* ---- syscall_special.c ------------------------------------------------------------------------------------------- */

/** Those of kinds that this file has; NULL: it is another's. */
extern put_kind *const put_special_kinds[SYSCALL_PART];
/** An argument by itself, as a variable has it. */
void put_item_alone(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item, unsigned int place);
/** A part of one (SYSCALL_PART). */
void put_part(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item);
long number_of_part(const struct syscall_hit *hit, const struct syscall_item *item);
/** Do these flags of open(2) create a file? */
bool open_creates(unsigned int flags);

#endif
