/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A system call under way, as syscall.c finds it and syscall_text.c shows it. */
#ifndef SPILE_RUNTIME_SYSCALL_HIT_H
#define SPILE_RUNTIME_SYSCALL_HIT_H

#include "syscall_table.h"

/* An argument, or a part of one. */
struct syscall_item {
	u8 kind; /* enum syscall_kind */
	u8 detail;
};

enum { SYSCALL_ITEMS = 8, SYSCALL_ARGUMENTS = 6 };

struct syscall_row {
	const char *name;
	s16 numbers[2]; /* of programs of 64 and of 32 bits; -1: none */
	u8 result; /* enum syscall_result */
	u8 item_count;
	struct syscall_item items[SYSCALL_ITEMS];
};

struct syscall_hit {
	const struct syscall_row *row;
	unsigned long arguments[SYSCALL_ARGUMENTS];
	bool is_32_bit; /* the program's words */
};

/** What the context's hit is. False, with an error of the script: it is no system call. */
SHARED bool syscall_hit_begin(struct stp_context *c, struct syscall_hit *hit);
/** An argument or a part of one; NULL with an error of the script: the call has not so many. */
SHARED const struct syscall_item *syscall_item_of(struct stp_context *c, const struct syscall_hit *hit, s64 index);

#endif
