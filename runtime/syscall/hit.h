/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A system call in progress, as found by syscall.c for syscall/text.c. */
#ifndef SPILE_RUNTIME_SYSCALL_HIT_H
#define SPILE_RUNTIME_SYSCALL_HIT_H

#include <linux/types.h>

#include "runtime/abi/syscall_table.h"
#include "runtime/arch/syscall.h"
#include "runtime/core/internal.h"

/* An argument or a part of one. */
struct syscall_item {
	u8 kind; /* enum syscall_kind */
	u8 detail;
};

enum { SYSCALL_ITEMS = 8, SYSCALL_ARGUMENTS = 6 };

struct syscall_row {
	const char *name;
	s16 numbers[2]; /* in 64-bit and 32-bit programs; -1: none */
	u8 result; /* enum syscall_result */
	u8 item_count;
	struct syscall_item items[SYSCALL_ITEMS];
};

struct syscall_hit {
	const struct syscall_row *row;
	unsigned long arguments[SYSCALL_ARGUMENTS];
	bool is_32_bit; /* a call of a 32-bit program */
};

/** Return a row of the table by its number, from 1. */
const struct syscall_row *syscall_row(unsigned int number);
/** Describe the hit of the context. Return false and set the script's error if it is not a system call. */
SHARED bool syscall_hit_begin(struct stp_context *c, struct syscall_hit *hit);
/** Return an argument or a part of one by its index. Return NULL and set the script's error if there are fewer. */
SHARED const struct syscall_item *syscall_item_of(struct stp_context *c, const struct syscall_hit *hit, s64 index);

#endif
