/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of system calls for the translator: their numbers, and the names of their variables. */
#ifndef SPILE_PROBES_SYSCALL_ROWS_H
#define SPILE_PROBES_SYSCALL_ROWS_H

#include <stdbool.h>

struct abi;

enum { SYSCALL_ROW_ITEMS = 8 };

/* An argument, or a part of one. Each name may be NULL. */
struct syscall_argument {
	int kind; /* enum syscall_kind */
	const char *number, *text, *raw; /* names of the variables for its value, its text, and its unquoted string */
};

struct syscall_row {
	const char *alias; /* "pread" */
	const char *name; /* value of the variable `name` */
	int number_64, number_32; /* on x86-64 and i386; -1: the ABI lacks the call */
	int number_arm64, number_arm32;
	const char *number_name_64, *number_name_32; /* in runtime/abi/syscall_numbers.h */
	int argument_count;
	struct syscall_argument arguments[SYSCALL_ROW_ITEMS];
};

extern const struct syscall_row syscall_rows[];
extern const int syscall_row_count;

/** Return whether kernels of this architecture have the call, at least for 32-bit programs. */
bool syscall_row_exists(const struct syscall_row *row, const struct abi *abi);
/** Return whether 32-bit programs have the call on this architecture. */
bool syscall_row_exists_in_32_bit(const struct syscall_row *row, const struct abi *abi);
/**
 * Return the name that the kernel's list of tracepoints and D have for the call: that of the function for 64-bit
 * programs, as in "newfstatat", or else of the number for 32-bit programs. The row must exist.
 */
const char *syscall_row_function(const struct syscall_row *row, const struct abi *abi);
/** Return whether this is the name of the call's number: "stat", where syscall_row_function() returns "newstat". */
bool syscall_row_has_number_name(const struct syscall_row *row, const struct abi *abi, const char *name);
/** Return whether the text can still be read when the call returns. execve() replaces the memory that holds it. */
bool syscall_text_lasts(const struct syscall_row *row, const struct syscall_argument *argument);
/** Return whether this is a part of an argument, such as a member of a struct. */
bool syscall_argument_is_part(const struct syscall_argument *argument);
/** Return whether this is a part that exists only at the call's return. */
bool syscall_argument_is_late(const struct syscall_argument *argument);

#endif
