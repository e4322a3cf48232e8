/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arguments of system calls that depend on each other. */
#ifndef SPILE_RUNTIME_SYSCALL_SPECIAL_H
#define SPILE_RUNTIME_SYSCALL_SPECIAL_H

#include "runtime/syscall/hit.h"
#include "runtime/text/quote.h"

/** A function that prints a kind of argument. */
typedef void put_kind(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
		      unsigned int place);

/** Functions for the kinds that this file handles, else NULL. */
extern put_kind *const put_special_kinds[SYSCALL_PART];
/**
 * Print a single argument as the value of a variable, without the other arguments that its item prints. Return false if
 * the item prints only this argument.
 */
bool put_special_alone(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
		       unsigned int place);
/** Print a part of an argument (SYSCALL_PART). */
void put_part(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item);
long number_of_part(const struct syscall_hit *hit, const struct syscall_item *item);
/** Return whether these flags of open(2) create a file. */
bool open_creates(unsigned int flags);

#endif
